/* SPDX-License-Identifier: MIT
 * labels: server
 *
 * Clients that take their time, come in thousands, or go away in the middle: nobody else has to wait for them. */
#include "tests/support/server_probe.h"

#include "app/server/watch.h"

#include <dirent.h>
#include <sys/resource.h>

static void waits_for_slow_clients(void **state) {
    (void)state;
    enum { SLOW = 60 };
    static const char *const texts[] = {
        "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
        POST_TO "Content-Length: 16\r\n\r\n" EMPTY_BODY,
        POST_TO CHUNKED "\r\n10\r\n" EMPTY_BODY "\r\n0\r\n\r\n",
    };
    static answer a;
    int slow[SLOW];
    for (int i = 0; i < SLOW; i++) {
        slow[i] = connect_to(port);
        assert_true(slow[i] >= 0);
    }
    /* Byte by byte, all at the same time */
    for (size_t k = 0; k < 128; k++) {
        for (int i = 0; i < SLOW; i++) {
            if (k < strlen(texts[i % 3])) {
                assert_true(send_bytes(slow[i], texts[i % 3] + k, 1));
            }
        }
    }
    for (int i = 0; i < SLOW; i++) {
        forget_answers(&a);
        read_answer(slow[i], &a, false);
        assert_int_equal(a.status, 200);
        close(slow[i]);
    }
}

/* Sends a byte now and then until the server has enough of it; returns after how many seconds. */
static double drip(int descriptor, const char *text) {
    double begin = kz_seconds();
    char byte;
    set_read_limit(descriptor, 0.1);
    for (size_t i = 0; kz_seconds() - begin < 2 * soon; i++) {
        if (!send_bytes(descriptor, i < strlen(text) ? text + i : "x", 1)) {
            break;
        }
        ssize_t got = recv(descriptor, &byte, 1, 0);
        if (got == 0 || (got < 0 && errno != EAGAIN)) {
            break;
        }
    }
    return kz_seconds() - begin;
}

/* With a patience of a second instead of forty: headers that never end, a body that never does, an answer that is never
 * taken. */
static void cuts_those_who_never_end(void **state) {
    (void)state;
    kz_server *other;
    int to = start_at((kz_server_options){.site = "site", .patience = 1, .threads = 1}, &other);
    int header_drip = connect_to(to), body_drip = connect_to(to), reader = connect_to(to);
    send_text(body_drip, POST_TO "Content-Length: 100000\r\n\r\n{");
    int room = 1 << 18;
    setsockopt(reader, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    send_text(reader, "GET /big.bin HTTP/1.1\r\nHost: x\r\n\r\n");
    assert_true(drip(header_drip, "GET / HTTP/1.1\r\nHost: x\r\nX-Long: ") < soon);
    assert_true(drip(body_drip, "") < soon);
    /* Nothing was read for longer than the server waits, however late it began to send: there is an end before the file
     * has one. */
    sleep(3);
    set_read_limit(reader, soon);
    size_t total = 0;
    static char some[65536];
    ssize_t got;
    while ((got = recv(reader, some, sizeof some, 0)) > 0) {
        total += (size_t)got;
    }
    assert_true(got == 0 || errno != EAGAIN);
    assert_true(total < BIG_BYTES);
    assert_int_equal(get(to, "/healthz")->status, 200);
    close(header_drip);
    close(body_drip);
    close(reader);
    kz_server_close(other);
}

/* Whoever reads slowly, but reads, gets all of a large file. */
static void slow_readers_get_all(void **state) {
    (void)state;
    enum { READERS = 12, SIZE = BIG_BYTES, PART = SIZE / 24 };
    int readers[READERS];
    size_t got[READERS];
    char *file = malloc(SIZE), *part = malloc(PART);
    FILE *stream = fopen("site/big.bin", "rb");
    assert_int_equal(fread(file, 1, SIZE, stream), SIZE);
    fclose(stream);
    for (int i = 0; i < READERS; i++) {
        char request[128];
        got[i] = (size_t)i;
        readers[i] = connect_to(port);
        /* Less than the system would give it */
        int room = 1 << 18;
        setsockopt(readers[i], SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
        snprintf(request, sizeof request, "GET /big.bin HTTP/1.1\r\nHost: x\r\nRange: bytes=%d-\r\n\r\n", i);
        send_text(readers[i], request);
        /* The head, byte by byte */
        char end[5] = "";
        while (strcmp(end, "\r\n\r\n") != 0) {
            memmove(end, end + 1, 3);
            assert_int_equal(recv(readers[i], end + 3, 1, 0), 1);
        }
    }
    for (int round = 0; round < 24; round++) {
        for (int i = 0; i < READERS; i++) {
            size_t wanted = got[i] + PART < SIZE ? PART : SIZE - got[i];
            assert_int_equal(recv(readers[i], part, wanted, MSG_WAITALL), wanted);
            assert_memory_equal(part, file + got[i], wanted);
            got[i] += wanted;
        }
        usleep(10000);
    }
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(got[i], SIZE);
        close(readers[i]);
    }
    free(file);
    free(part);
}

static int open_files(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder)) {
        count++;
    }
    if (folder) {
        closedir(folder);
    }
    return count;
}

/* More idle connections than a server of a small site ever sees, and others are answered all the while. */
static void thousands_of_idle_connections(void **state) {
    (void)state;
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    /* Both sides are this process. */
    int room = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > 16000 ? 16000 : (int)limit.rlim_max;
    int count = room / 4 - 200 < 3500 ? room / 4 - 200 : 3500;
    if (count < 20) {
        skip();
    }
    kz_server *other;
    int to = start_at(
        (kz_server_options){
            .site = "site", .tables = tables, .table_count = 1, .threads = 2, .connections = count + 100},
        &other);
    probe p;
    begin_probe(&p, to);
    int *idle = calloc((size_t)count, sizeof *idle);
    for (int i = 0; i < count; i++) {
        idle[i] = connect_to(to);
        assert_true(idle[i] >= 0);
        /* A third says nothing, a third has begun a request, a third has had an answer. */
        if (i % 3 > 0) {
            assert_true(send_text(idle[i], i % 3 == 1 ? "GET /heal" : SECOND));
        }
    }
    static answer a;
    for (int i = 0; i < count; i++) {
        forget_answers(&a);
        if (i % 3 == 1 && i % 10 == 0) {
            assert_true(send_text(idle[i], "thz HTTP/1.1\r\nHost: x\r\n\r\n"));
        }
        if (i % 3 == 2 || (i % 3 == 1 && i % 10 == 0)) {
            read_answer(idle[i], &a, false);
            assert_int_equal(a.status, 200);
        }
    }
    end_probe(&p);
    for (int i = 0; i < count; i++) {
        close(idle[i]);
    }
    free(idle);
    kz_server_close(other);
    limit.rlim_cur = before;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* When all places are taken by idle connections, these make room. */
static void a_crowd_makes_room(void **state) {
    (void)state;
    enum { IDLE = 30 };
    kz_server *other;
    int to = start_at((kz_server_options){.site = "site", .patience = 8, .connections = 24, .threads = 2}, &other);
    int idle[IDLE];
    for (int i = 0; i < IDLE; i++) {
        idle[i] = connect_to(to);
        assert_true(idle[i] >= 0);
        send_text(idle[i], i % 2 ? "GET /heal" : "");
    }
    /* A quarter of the places is free again each second, and there are six before it in the queue. */
    double begin = kz_seconds();
    assert_int_equal(get(to, "/healthz")->status, 200);
    assert_true(kz_seconds() - begin < soon);
    for (int i = 0; i < IDLE; i++) {
        close(idle[i]);
    }
    kz_server_close(other);
}

/* Connections that are torn down in the middle of everything leave nothing behind. */
static void torn_connections_leave_nothing(void **state) {
    (void)state;
    static const char *const texts[] = {
        "GET /big.bin HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /api/v1/pushfight/moves?rules=hook HTTP/1.1\r\nHost: x\r\n\r\n",
        POST_TO "Content-Length: 16\r\n\r\n{",
        "GET /heal",
    };
    kz_server *other;
    int to = start_at((kz_server_options){.site = "site", .tables = tables, .table_count = 1, .threads = 2}, &other);
    assert_int_equal(get(to, "/healthz")->status, 200);
    int before = open_files();
    const struct linger at_once = {.l_onoff = 1};
    for (int i = 0; i < 400; i++) {
        int descriptor = connect_to(to);
        assert_true(descriptor >= 0);
        send_text(descriptor, texts[i % 4]);
        if (i % 8 < 4) {
            usleep(300);
        }
        /* A reset instead of an end */
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        close(descriptor);
    }
    /* The probe of this test has connections of its own. */
    double begin = kz_seconds();
    while (open_files() > before + 8 && kz_seconds() - begin < soon) {
        usleep(20000);
    }
    assert_true(open_files() <= before + 8);
    assert_int_equal(get(to, "/healthz")->status, 200);
    kz_server_close(other);
}

/* Clients that go away in the middle of a request are gone soon, not only when their time is over. */
static void notices_who_has_left(void **state) {
    (void)state;
    enum { LEAVING = 40 };
    int leaving[LEAVING];
    for (int i = 0; i < LEAVING; i++) {
        leaving[i] = connect_to(port);
        assert_true(leaving[i] >= 0);
        send_text(leaving[i], i % 2 ? "GET /heal" : POST_TO "Content-Length: 16\r\n\r\n{");
        shutdown(leaving[i], SHUT_WR);
    }
    double begin = kz_seconds();
    for (int i = 0; i < LEAVING; i++) {
        char byte;
        assert_int_equal(recv(leaving[i], &byte, 1, 0), 0);
        close(leaving[i]);
    }
    assert_true(kz_seconds() - begin < soon);
}

static void says_how_many_files_it_needs(void **state) {
    (void)state;
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > 1000000) {
        skip();
    }
    kz_server *other;
    kz_error error;
    kz_server_options options = {.connections = (int)limit.rlim_cur};
    assert_int_equal(kz_server_open(&options, &other, &error), KZ_ERR_INPUT);
    assert_non_null(strstr(error.message, "ulimit -n"));
    assert_null(other);
}

static void cuts_who_takes_too_long(void **state) {
    (void)state;
    kz_watch *watch;
    int pair[2][2];
    const kz_watch_options options = {.places = 0};
    assert_int_equal(kz_watch_open(&options, &watch, NULL), KZ_OK);
    kz_watched *watched[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair[i]), 0);
        watched[i] = kz_watch_add(watch, pair[i][0]);
        kz_watch_allow(watched[i], KZ_WAITS_ASKING, 0.1);
    }
    kz_watch_allow(watched[1], KZ_WAITS_WORKING, 0);
    set_read_limit(pair[0][1], 10);
    char byte;
    assert_int_equal(recv(pair[0][1], &byte, 1, 0), 0);
    assert_int_equal(recv(pair[1][1], &byte, 1, MSG_DONTWAIT), -1);
    for (int i = 0; i < 2; i++) {
        kz_watch_forget(watch, watched[i]);
        close(pair[i][0]);
        close(pair[i][1]);
    }
    kz_watch_close(watch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FAULT(waits_for_slow_clients),
        FAULT(cuts_those_who_never_end),
        FAULT(slow_readers_get_all),
        FAULT(thousands_of_idle_connections),
        FAULT(a_crowd_makes_room),
        FAULT(torn_connections_leave_nothing),
        FAULT(notices_who_has_left),
        cmocka_unit_test(cuts_who_takes_too_long),
        cmocka_unit_test(says_how_many_files_it_needs),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
