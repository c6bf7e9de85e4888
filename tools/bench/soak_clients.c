/* SPDX-License-Identifier: MIT
 *
 * soak_clients PORT SECONDS EXPECTED BIG    clients for tools/bench/soak_server.sh: some that check, and some that
 * misbehave
 *
 * EXPECTED has what `kanzen probe` prints about positions of Dobutsu Shogi, one a line. The checkers ask the server
 * about them on connections that they keep, and every answer has to say the same. The others meanwhile send nonsense, a
 * byte now and then, or half of a request, read nothing of the large file BIG, and tear connections down; some hold
 * hundreds of connections without a word. Exit code 1: an answer of a checker was wrong or did not come. */
#include <arpa/inet.h>
#include <kanzen/system.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    CHECKERS = 4,
    VANDALS = 6,
    IDLE = 600,
    MOST_LINES = 100000,
    REQUEST_BYTES = 512,
    PART_BYTES = 96,
    ANSWER_BYTES = 1 << 16,
    READ_SECONDS = 20
};

/* A question and what its answer has to say. */
typedef struct question {
    char request[REQUEST_BYTES];
    char value[PART_BYTES], move[PART_BYTES];
} question;

static question *questions;
static size_t question_count;
static int port;
static const char *big;
static double end;
static atomic_ullong right, wrong, missing, again, faults;
static _Atomic double slowest;

static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static int connect_now(void) {
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct timeval limit = {.tv_sec = READ_SECONDS};
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (descriptor >= 0 && connect(descriptor, (struct sockaddr *)&place, sizeof place) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

static bool send_all(int descriptor, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t sent = send(descriptor, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        bytes += sent;
        size -= (size_t)sent;
    }
    return true;
}

/* ---- Those who check -------------------------------------------------------------------------------------------- */

/* One line of `kanzen probe`: POSITION, "loss 78" or "draw", MOVE, with tabs between them. */
static bool read_line(char *line, question *q) {
    char *value = strchr(line, '\t');
    char *move = value ? strchr(value + 1, '\t') : NULL;
    if (!move) {
        return false;
    }
    *value++ = '\0';
    *move++ = '\0';
    move[strcspn(move, "\n")] = '\0';
    char *distance = strchr(value, ' ');
    if (distance) {
        *distance++ = '\0';
    }
    char encoded[REQUEST_BYTES / 2];
    size_t length = 0;
    for (const char *c = line; *c && length + 4 < sizeof encoded; c++) {
        length += (size_t)snprintf(encoded + length, 4, *c == ' ' || *c == '+' ? "%%%02X" : "%c", *c);
    }
    snprintf(q->request, sizeof q->request, "GET /api/v1/dobutsu/position?pos=%s HTTP/1.1\r\nHost: x\r\n\r\n", encoded);
    snprintf(q->value, sizeof q->value, "\"value\":\"%s\",\"distance\":%s,", value, distance ? distance : "null");
    snprintf(q->move, sizeof q->move, "\"moves\":[{\"move\":\"%s\",", move);
    return true;
}

static bool read_questions(const char *path) {
    char line[REQUEST_BYTES];
    FILE *file = fopen(path, "r");
    questions = calloc(MOST_LINES, sizeof *questions);
    while (file && questions && question_count < MOST_LINES && fgets(line, sizeof line, file)) {
        question_count += read_line(line, &questions[question_count]);
    }
    if (file) {
        fclose(file);
    }
    return question_count > 0;
}

/* Reads a whole answer; its length, or 0. */
static size_t read_whole(int descriptor, char answer[ANSWER_BYTES]) {
    size_t count = 0, wanted = SIZE_MAX;
    while (count < wanted) {
        ssize_t got = recv(descriptor, answer + count, ANSWER_BYTES - 1 - count, 0);
        if (got <= 0) {
            return 0;
        }
        count += (size_t)got;
        answer[count] = '\0';
        const char *body = strstr(answer, "\r\n\r\n");
        const char *length = body ? strcasestr(answer, "\r\nContent-Length:") : NULL;
        if (length && length < body) {
            wanted = (size_t)(body + 4 - answer) + strtoul(length + 17, NULL, 10);
        }
    }
    return count;
}

static bool is_right(const char *answer, const question *q) {
    const char *value = strstr(answer, "\"value\":");
    return strncmp(answer, "HTTP/1.1 200 ", 13) == 0 && value && strncmp(value, q->value, strlen(q->value)) == 0 &&
           strstr(answer, q->move) != NULL;
}

static void *check(void *own) {
    uint64_t state = *(const uint64_t *)own;
    char *answer = malloc(ANSWER_BYTES);
    int descriptor = -1;
    int asked_here = 0;
    while (kz_seconds() < end) {
        const question *q = &questions[next_random(&state) % question_count];
        double begin = kz_seconds();
        /* A connection that was idle may be closed by the server at any time; a new one may not. */
        bool kept = descriptor >= 0;
        if (!kept) {
            descriptor = connect_now();
            asked_here = 0;
        }
        size_t got = 0;
        if (descriptor >= 0 && send_all(descriptor, q->request, strlen(q->request))) {
            got = read_whole(descriptor, answer);
        }
        if (got == 0) {
            close(descriptor);
            descriptor = -1;
            atomic_fetch_add(kept ? &again : &missing, 1);
            continue;
        }
        atomic_fetch_add(is_right(answer, q) ? &right : &wrong, 1);
        double seconds = kz_seconds() - begin;
        if (seconds > atomic_load(&slowest)) {
            atomic_store(&slowest, seconds);
        }
        if (++asked_here == 500) {
            close(descriptor);
            descriptor = -1;
        }
        usleep(500);
    }
    close(descriptor);
    free(answer);
    return NULL;
}

/* ---- Those who misbehave ---------------------------------------------------------------------------------------- */

#define POST_TO "POST /api/v1/dobutsu/positions HTTP/1.1\r\nHost: x\r\n"

static const char *const nonsense[] = {
    "GET /heal",
    "\r\n\r\n\r\n",
    "\x16\x03\x01\x02\x01\xfc\x03\x03\xff\xfe",
    "GET / HTTP/9.9\r\n\r\n",
    "GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /api/v1/dobutsu/position?pos=%ff%00%zz HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /api/v1/pushfight/moves HTTP/1.1\r\nHost: x\r\n\r\n",
    POST_TO "Content-Length: 99999999999\r\n\r\n{",
    POST_TO "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    POST_TO "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    POST_TO "Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\nabc",
    POST_TO "Content-Length: 20\r\n\r\n{\"positions\": [\"\xff\"]}",
};

/* The text, and then an end of some kind: at once, after an answer, as a reset, of one side only. */
static void misbehave(uint64_t *state, const char *text, size_t size) {
    int descriptor = connect_now();
    if (descriptor < 0) {
        return;
    }
    char some[4096];
    const struct linger at_once = {.l_onoff = 1};
    const struct timeval limit = {.tv_usec = 50000};
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    send_all(descriptor, text, size);
    uint64_t kind = next_random(state) % 4;
    if (kind == 1) {
        (void)recv(descriptor, some, sizeof some, 0);
    } else if (kind == 2) {
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    } else if (kind == 3) {
        shutdown(descriptor, SHUT_WR);
        (void)recv(descriptor, some, sizeof some, 0);
    }
    close(descriptor);
}

static void *vandalize(void *own) {
    uint64_t state = 1000 + *(const uint64_t *)own;
    char *text = malloc(ANSWER_BYTES);
    for (; kz_seconds() < end; atomic_fetch_add(&faults, 1)) {
        uint64_t kind = next_random(&state) % 8;
        size_t size = 1 + next_random(&state) % 2000;
        if (kind == 0) {
            for (size_t i = 0; i < size; i++) {
                text[i] = (char)next_random(&state);
            }
        } else if (kind == 1) {
            size = (size_t)snprintf(text, ANSWER_BYTES, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", big);
        } else if (kind == 2) {
            /* Headers that are too long */
            size = ANSWER_BYTES;
            memset(text, 'x', size);
            memcpy(text, "GET / HTTP/1.1\r\nHost: x\r\nX: ", 29);
        } else if (kind == 3) {
            /* A query of many parts */
            size = 6000;
            memset(text, '&', size);
            memcpy(text, "GET /?", 6);
            memcpy(text + size - 24, " HTTP/1.1\r\nHost: x\r\n\r\n\r\n", 24);
        } else {
            const char *some = nonsense[next_random(&state) % (sizeof nonsense / sizeof nonsense[0])];
            size = strlen(some);
            memcpy(text, some, size);
        }
        misbehave(&state, text, size);
        usleep(2000);
    }
    free(text);
    return NULL;
}

/* Holds connections: a third is silent, a third sends a header that never ends, a third asks for the large file and
 * reads nothing. What the server closes is opened again. */
static void *hold(void *own) {
    (void)own;
    char request[REQUEST_BYTES];
    int size = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", big);
    int *held = malloc(IDLE * sizeof *held);
    for (int i = 0; i < IDLE; i++) {
        held[i] = -1;
    }
    while (kz_seconds() < end) {
        for (int i = 0; i < IDLE; i++) {
            char byte;
            bool gone = held[i] >= 0 && i % 3 != 2 && recv(held[i], &byte, 1, MSG_DONTWAIT) == 0;
            gone = gone || (held[i] >= 0 && i % 3 == 1 && !send_all(held[i], "x", 1));
            if (gone) {
                close(held[i]);
                held[i] = -1;
            }
            if (held[i] < 0) {
                held[i] = connect_now();
                if (held[i] >= 0 && i % 3 == 1) {
                    send_all(held[i], "GET / HTTP/1.1\r\nX: ", 19);
                } else if (held[i] >= 0 && i % 3 == 2) {
                    send_all(held[i], request, (size_t)size);
                }
                atomic_fetch_add(&faults, 1);
            }
        }
        usleep(500000);
    }
    for (int i = 0; i < IDLE; i++) {
        close(held[i]);
    }
    free(held);
    return NULL;
}

int main(int count, char **items) {
    if (count != 5 || !read_questions(items[3])) {
        fprintf(stderr, "usage: soak_clients PORT SECONDS EXPECTED BIG\n");
        return 2;
    }
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    port = atoi(items[1]);
    end = kz_seconds() + atof(items[2]);
    big = items[4];
    pthread_t threads[CHECKERS + VANDALS + 1];
    static uint64_t seeds[CHECKERS + VANDALS + 1];
    int started = 0;
    for (; started < CHECKERS + VANDALS + 1; started++) {
        seeds[started] = (uint64_t)started + 1;
        void *(*what)(void *) = started < CHECKERS ? check : started < CHECKERS + VANDALS ? vandalize : hold;
        if (pthread_create(&threads[started], NULL, what, &seeds[started]) != 0) {
            break;
        }
    }
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    printf(
        "checked: %llu answers right, %llu wrong, %llu missing; %llu kept connections were closed and asked on again; "
        "the slowest took %.0f ms; %llu faults beside them\n",
        atomic_load(&right), atomic_load(&wrong), atomic_load(&missing), atomic_load(&again),
        atomic_load(&slowest) * 1000, atomic_load(&faults));
    free(questions);
    return atomic_load(&right) > 0 && atomic_load(&wrong) == 0 && atomic_load(&missing) == 0 ? 0 : 1;
}
