/* SPDX-License-Identifier: MIT
 * labels: server slow serial unsanitized
 *
 * Attacks by many clients at once, against a server in a process of its own. While each goes on, a stranger asks
 * /healthz again and again and is answered soon, and the memory of the server stays bounded. */
#include "tests/support/server_testing.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* On an idle machine the stranger waits for less than a second; others may be busy with the same processors. An attack
 * that works makes him wait for ten times as long. */
static const double soon = 6;

enum {
    BIG_BYTES = 8 << 20,
    ATTACKERS = 5200, /* more than the server has places for */
    PLACES = 4000,
    MOST_MIB = 600, /* of the server; sanitizers may need more */
};

static pid_t server_process;
static int port;

/* ---- The server ------------------------------------------------------------------------------------------------- */

static void allow_files(void) {
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

/* How many clients one process can be. */
static int most_clients(int wanted) {
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    return limit.rlim_cur > (rlim_t)wanted + 100 ? wanted : (int)limit.rlim_cur - 100;
}

/* Serves until its standard input ends. */
static void serve(int report, int orders) {
    kz_server *server = start((kz_server_options){.site = "site", .threads = 2, .connections = PLACES});
    int number = server ? port_of(kz_server_url(server)) : 0;
    char byte;
    if (write(report, &number, sizeof number) != sizeof number || number == 0) {
        _exit(1);
    }
    while (read(orders, &byte, 1) > 0) {
    }
    kz_server_close(server);
    _exit(0);
}

static int orders_to_server;

static int set_up(void **state) {
    (void)state;
    int report[2], orders[2];
    allow_files();
    make_site();
    char *big = calloc(1, BIG_BYTES);
    write_bytes("site/big.bin", big, BIG_BYTES);
    free(big);
    if (pipe(report) != 0 || pipe(orders) != 0) {
        return -1;
    }
    server_process = fork();
    if (server_process == 0) {
        close(orders[1]);
        serve(report[1], orders[0]);
    }
    close(report[1]);
    close(orders[0]);
    orders_to_server = orders[1];
    bool told = read(report[0], &port, sizeof port) == sizeof port;
    close(report[0]);
    return told && port > 0 ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    int status = -1;
    close(orders_to_server);
    waitpid(server_process, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

static int server_mib(void) {
    char path[64], line[256];
    int kib = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)server_process);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "VmRSS: %d", &kib) == 1) {
            break;
        }
    }
    fclose(file);
    return kib >> 10;
}

/* ---- The stranger ----------------------------------------------------------------------------------------------- */

typedef struct stranger {
    pthread_t thread;
    atomic_bool stop;
    int asked, failed, most_mib;
    double slowest;
} stranger;

static void *keep_asking(void *own) {
    stranger *s = own;
    answer *a = malloc(sizeof *a);
    do {
        double begin = kz_seconds();
        int status = ask_once(port, "/healthz", a);
        double seconds = kz_seconds() - begin;
        int mib = server_mib();
        s->asked++;
        s->failed += status != 200;
        s->slowest = seconds > s->slowest ? seconds : s->slowest;
        s->most_mib = mib > s->most_mib ? mib : s->most_mib;
        usleep(20000);
    } while (!atomic_load(&s->stop));
    free(a);
    return NULL;
}

static void begin_asking(stranger *s) {
    *s = (stranger){.asked = 0};
    assert_int_equal(pthread_create(&s->thread, NULL, keep_asking, s), 0);
}

static void end_asking(stranger *s) {
    atomic_store(&s->stop, true);
    pthread_join(s->thread, NULL);
    print_message("asked %d times, %d without an answer, the slowest took %.2f s; the server had %d MiB\n", s->asked,
                  s->failed, s->slowest, s->most_mib);
    assert_int_equal(s->failed, 0);
    assert_true(s->slowest < soon);
    assert_true(s->most_mib < MOST_MIB);
}

/* The server gives memory back when the clients have gone. */
static void check_memory_returns(int before) {
    int now = 0;
    for (int i = 0; i < 100; i++) {
        usleep(100000);
        now = server_mib();
        if (now < before + 60) {
            return;
        }
    }
    print_message("%d MiB before, %d MiB after\n", before, now);
    assert_true(now < before + 60);
}

/* ---- The attackers ---------------------------------------------------------------------------------------------- */

/* Many connections that all send the same, and never read. How long it goes on is up to the caller. */
static int *begin_attack(int count, const char *text, size_t size) {
    int *attackers = malloc((size_t)count * sizeof *attackers);
    for (int i = 0; i < count; i++) {
        attackers[i] = connect_to(port);
        if (attackers[i] >= 0) {
            int room = 4096;
            setsockopt(attackers[i], SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
            (void)send(attackers[i], text, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        }
    }
    return attackers;
}

static void end_attack(int *attackers, int count) {
    for (int i = 0; i < count; i++) {
        close(attackers[i]);
    }
    free(attackers);
}

/* All ask for a large file, and none of them reads it. */
TEST(unread_answers_lock_nobody_out) {
    static const char request[] = "GET /big.bin HTTP/1.1\r\nHost: x\r\n\r\n";
    int count = most_clients(ATTACKERS);
    int before = server_mib();
    stranger s;
    begin_asking(&s);
    int *attackers = begin_attack(count, request, sizeof request - 1);
    sleep(6);
    end_asking(&s);
    end_attack(attackers, count);
    check_memory_returns(before);
}

/* All send a body of almost a MiB, and keep back the last byte. */
TEST(unfinished_bodies_take_little_memory) {
    enum { BODY = (1 << 20) - 64 };
    int count = most_clients(2300);
    char *text = malloc(BODY + 256);
    int head = sprintf(text, "POST /api/v1/dobutsu/positions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", BODY);
    memset(text + head, ' ', BODY);
    int before = server_mib();
    stranger s;
    begin_asking(&s);
    int *attackers = malloc((size_t)count * sizeof *attackers);
    for (int i = 0; i < count; i++) {
        attackers[i] = connect_to(port);
        set_read_limit(attackers[i], 0.01);
        struct timeval limit = {.tv_usec = 200000};
        setsockopt(attackers[i], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
        (void)send_bytes(attackers[i], text, (size_t)head + BODY - 1);
    }
    sleep(2);
    end_asking(&s);
    /* Those who were refused were told why, soon. */
    static answer a;
    int refused = 0;
    for (int i = 0; i < count; i++) {
        forget_answers(&a);
        read_answer(attackers[i], &a, false);
        refused += a.status == 503;
    }
    print_message("%d of %d were refused\n", refused, count);
    assert_true(refused > 0);
    end_attack(attackers, count);
    free(text);
    check_memory_returns(before);
}

/* Bodies of hundreds of thousands of empty positions: refused when the first thousand was read. */
TEST(long_lists_take_little_memory) {
    enum { BODY = 1 << 20, CLIENTS = 60 };
    char *text = malloc(BODY + 256);
    int head = sprintf(text, "POST /api/v1/dobutsu/positions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", BODY);
    int at = head + sprintf(text + head, "{\"positions\":[\"\"");
    while (at + 5 <= head + BODY) {
        at += sprintf(text + at, ",\"\"");
    }
    memset(text + at, ' ', (size_t)(head + BODY - at));
    memcpy(text + head + BODY - 2, "]}", 2);
    int before = server_mib();
    stranger s;
    begin_asking(&s);
    int clients[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
        clients[i] = connect_to(port);
        assert_true(send_bytes(clients[i], text, (size_t)head + BODY));
    }
    static answer a;
    for (int i = 0; i < CLIENTS; i++) {
        forget_answers(&a);
        read_answer(clients[i], &a, false);
        check_error(&a, 413, "more than 1000 positions");
        close(clients[i]);
    }
    end_asking(&s);
    assert_true(s.most_mib < before + 250);
    free(text);
    check_memory_returns(before);
}

/* A thousand positions make an answer of hundreds of kilobytes, which nobody reads. */
TEST(unread_lists_take_little_memory) {
    char *text = malloc(32768), *body = malloc(16384);
    int length = sprintf(body, "{\"positions\":[\"startpos\"");
    for (int i = 1; i < 1000; i++) {
        length += sprintf(body + length, ",\"startpos\"");
    }
    length += sprintf(body + length, "]}");
    int size = sprintf(text, "POST /api/v1/dobutsu/positions HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s",
                       length, body);
    int count = most_clients(1500);
    int before = server_mib();
    stranger s;
    begin_asking(&s);
    int *attackers = begin_attack(count, text, (size_t)size);
    sleep(4);
    end_asking(&s);
    end_attack(attackers, count);
    free(text);
    free(body);
    check_memory_returns(before);
}

/* The optional limit of connections that one address may have. */
TEST(limits_an_address) {
    kz_server *other;
    int to = start_at((kz_server_options){.threads = 1, .per_address = 3}, &other);
    int connections[5];
    int answered = 0;
    static answer a;
    for (int i = 0; i < 5; i++) {
        connections[i] = connect_to(to);
        forget_answers(&a);
        a.status = 0;
        if (send_text(connections[i], "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")) {
            read_answer(connections[i], &a, false);
        }
        answered += a.status == 200;
    }
    assert_int_equal(answered, 3);
    for (int i = 0; i < 5; i++) {
        close(connections[i]);
    }
    kz_server_close(other);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    return run_all_tests(__FILE__, set_up, tear_down);
}
