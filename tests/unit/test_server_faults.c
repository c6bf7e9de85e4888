/* SPDX-License-Identifier: MIT
 * labels: server
 *
 * Requests that are broken, hostile, or only unusual. Slow clients, and many of them, are in test_server_slow.c. */
#include "tests/support/server_probe.h"

#include <jansson.h>

/* Sends the text and reads all that comes until the server closes. `a` is the first answer. */
static bool closes_after(const char *text, answer *a) {
    int descriptor = connect_to(port);
    assert_true(descriptor >= 0);
    forget_answers(a);
    send_text(descriptor, text);
    read_answer(descriptor, a, false);
    ssize_t got;
    do {
        got = a->count < ANSWER_BYTES ? recv(descriptor, a->bytes + a->count, ANSWER_BYTES - a->count, 0) : -1;
        a->count += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    a->bytes[a->count] = '\0';
    bool closed = got == 0 || errno == ECONNRESET;
    close(descriptor);
    return closed;
}

/* Two servers in a row that disagree about where a request ends would let one client's bytes become another's request.
 * Whatever could be read in two ways is refused, and nothing behind it is looked at. */
static void refuses_what_is_ambiguous(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int status;
    } shapes[] = {
        {POST_TO "Content-Length: 16\r\nContent-Length: 16\r\n\r\n" EMPTY_BODY SECOND, 400},
        {POST_TO "Content-Length: 16\r\nContent-Length: 3\r\n\r\n" EMPTY_BODY SECOND, 400},
        {POST_TO "Content-Length: 3\r\nContent-Length: 16\r\n\r\n" EMPTY_BODY SECOND, 400},
        {POST_TO "Content-Length: 16, 16\r\n\r\n" EMPTY_BODY SECOND, 400},
        {POST_TO "Content-Length: +16\r\n\r\n" EMPTY_BODY SECOND, 400},
        {POST_TO "Content-Length: 0x10\r\n\r\n" EMPTY_BODY SECOND, 400},
        {POST_TO "Content-Length:\r\n\r\n" EMPTY_BODY SECOND, 400},
        {POST_TO "Content-Length : 16\r\n\r\n" EMPTY_BODY SECOND, 400},
        {POST_TO "Content-Length: 5\r\n" CHUNKED "\r\n10\r\n" EMPTY_BODY "\r\n0\r\n\r\n" SECOND, 400},
        {POST_TO CHUNKED "Content-Length: 5\r\n\r\n10\r\n" EMPTY_BODY "\r\n0\r\n\r\n" SECOND, 400},
        {POST_TO CHUNKED CHUNKED "\r\n10\r\n" EMPTY_BODY "\r\n0\r\n\r\n" SECOND, 400},
        {POST_TO CHUNKED "Transfer-Encoding: identity\r\n\r\n10\r\n" EMPTY_BODY "\r\n0\r\n\r\n" SECOND, 400},
        {POST_TO "Transfer-Encoding : chunked\r\n\r\n10\r\n" EMPTY_BODY "\r\n0\r\n\r\n" SECOND, 400},
        {POST_TO "Transfer-Encoding: xchunked\r\n\r\n10\r\n" EMPTY_BODY "\r\n0\r\n\r\n" SECOND, 501},
        {POST_TO "Transfer-Encoding: \vchunked\r\n\r\n10\r\n" EMPTY_BODY "\r\n0\r\n\r\n" SECOND, 501},
        {POST_TO "Transfer-Encoding: gzip, chunked\r\n\r\n10\r\n" EMPTY_BODY "\r\n0\r\n\r\n" SECOND, 501},
        {POST_TO "Transfer-Encoding: chunked, chunked\r\n\r\n10\r\n" EMPTY_BODY "\r\n0\r\n\r\n" SECOND, 501},
        {"POST /api/v1/dobutsu/positions HTTP/1.0\r\n" CHUNKED "\r\n10\r\n" EMPTY_BODY "\r\n0\r\n\r\n" SECOND, 501},
        {"GET /healthz HTTP/1.1\r\n\r\n" SECOND, 400},
        {"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n" SECOND, 400},
        {"GET /healthz HTTP/1.1\r\n Host: x\r\n\r\n" SECOND, 400},
        {"GET /healthz HTTP/1.1\r\nHost: x\r\nX(y): z\r\n\r\n" SECOND, 400},
        {"GET /healthz HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n" SECOND, 400},
        {POST_TO CHUNKED "\r\nzz\r\n" SECOND, 400},
        {POST_TO CHUNKED "\r\n-1\r\n" SECOND, 400},
        {POST_TO CHUNKED "\r\n+10\r\n" EMPTY_BODY "\r\n0\r\n\r\n" SECOND, 400},
        {POST_TO CHUNKED "\r\n0x10\r\n" EMPTY_BODY "\r\n0\r\n\r\n" SECOND, 400},
        {POST_TO CHUNKED "\r\n 10\r\n" EMPTY_BODY "\r\n0\r\n\r\n" SECOND, 400},
        {POST_TO CHUNKED "\r\n\r\n" SECOND, 400},
        {POST_TO CHUNKED "\r\n3\r\n" EMPTY_BODY "\r\n0\r\n\r\n" SECOND, 400},
        {POST_TO CHUNKED "\r\nfffffffffffffffff\r\n" SECOND, 413},
        {POST_TO "Content-Length: 18446744073709551616\r\n\r\n" SECOND, 413},
        {POST_TO "Content-Length: 18446744073709551615\r\n\r\n" SECOND, 413},
        {POST_TO "Content-Length: 9223372036854775807\r\n\r\n" SECOND, 413},
        {"GET /healthz\r\n\r\n" SECOND, 400},
        {"GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n" SECOND, 505},
    };
    static answer a;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        bool closed = closes_after(shapes[i].text, &a);
        if (a.status != shapes[i].status || !closed || strstr(a.bytes, "\"ok\"")) {
            print_message("%s\n: %d, %s: %s\n", shapes[i].text, a.status, closed ? "closed" : "open", a.bytes);
        }
        assert_int_equal(a.status, shapes[i].status);
        assert_true(closed);
        /* The second request was never answered. */
        assert_null(strstr(a.bytes, "\"ok\""));
    }
}

/* What is unusual and clear is answered, and so is what comes after it. */
static void takes_what_is_clear(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int status;
    } shapes[] = {
        {POST_TO "Content-Length: 16\r\n\r\n" EMPTY_BODY SECOND, 200},
        {"GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 34\r\n\r\n" SECOND SECOND, 200},
        {"\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" SECOND, 200},
        {"GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" SECOND, 200},
        {"TRACE /healthz HTTP/1.1\r\nHost: x\r\nCookie: secret\r\n\r\n" SECOND, 405},
        {"CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n" SECOND, 405},
        {"get /healthz HTTP/1.1\r\nHost: x\r\n\r\n" SECOND, 405},
        {"\xff\xfe /healthz HTTP/1.1\r\nHost: x\r\n\r\n" SECOND, 405},
        {"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n" SECOND, 204},
        {"GET http://x/../healthz HTTP/1.1\r\nHost: x\r\n\r\n" SECOND, 404},
        {"GET /healthz HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n" SECOND, 200},
    };
    static answer a;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        int descriptor = connect_to(port);
        forget_answers(&a);
        assert_true(send_text(descriptor, shapes[i].text));
        read_answer(descriptor, &a, false);
        if (a.status != shapes[i].status) {
            print_message("%s\n: %s\n", shapes[i].text, a.bytes);
        }
        assert_int_equal(a.status, shapes[i].status);
        read_answer(descriptor, &a, false);
        assert_int_equal(a.status, 200);
        assert_non_null(strstr(a.body, "\"ok\""));
        /* TRACE would send back what it was sent. */
        assert_null(strstr(a.bytes, "secret"));
        assert_int_equal(recv(descriptor, (char[1]){0}, 1, MSG_DONTWAIT), -1);
        assert_int_equal(errno, EAGAIN);
        close(descriptor);
    }
}

/* The library does not tell how the lines of chunks end, and others may read them in another way. So such a request is
 * answered, and it is the last of its connection: nothing that follows is looked at. */
static void chunks_end_a_connection(void **state) {
    (void)state;
    static const char *const bodies[] = {
        POST_TO CHUNKED "\r\n10\r\n" EMPTY_BODY "\r\n0\r\n\r\n" SECOND,
        POST_TO "Transfer-Encoding: CHUNKED\r\n\r\n10\r\n" EMPTY_BODY "\r\n0\r\n\r\n" SECOND,
        POST_TO CHUNKED "\r\n5;name=value\r\n{\"pos\r\n0b\r\nitions\":[]}\r\n0\r\nTrailer: x\r\n\r\n" SECOND,
        "GET /api/v1/games HTTP/1.1\r\nHost: x\r\n" CHUNKED "\r\n10\r\n" EMPTY_BODY "\r\n0\r\n\r\n" SECOND,
        POST_TO CHUNKED "\r\n10\n" EMPTY_BODY "\n0\n\n" SECOND,
        POST_TO CHUNKED "\r\n10\r\n" EMPTY_BODY "\n0\r\n\r\n" SECOND,
        POST_TO CHUNKED "\r\n10\r\n" EMPTY_BODY "\r\n0\n\r\n" SECOND,
        POST_TO CHUNKED "\r\n10\n" EMPTY_BODY "\r\n0\r\n\r\n" SECOND,
    };
    static answer a;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        bool closed = closes_after(bodies[i], &a);
        if (a.status != 200 || !closed || strstr(a.bytes, "\"ok\"")) {
            print_message("%s\n: %d, %s: %s\n", bodies[i], a.status, closed ? "closed" : "open", a.bytes);
        }
        assert_int_equal(a.status, 200);
        assert_true(closed);
        assert_null(strstr(a.bytes, "\"ok\""));
    }
}

/* Every answer has to be JSON, whatever it was asked. */
static void check_json(const answer *a, int status) {
    json_error_t error;
    json_t *document = json_loadb(a->body, a->length, 0, &error);
    if (!document || a->status != status) {
        print_message("%d %.300s: %s\n", a->status, a->bytes, document ? "" : error.text);
    }
    assert_non_null(document);
    assert_int_equal(a->status, status);
    json_decref(document);
}

static void bad_characters_are_told(void **state) {
    (void)state;
    static const char *const bad[] = {
        "\xff",      "\xc0\xaf",        "\xe2\x82", "\xed\xa0\x80",   "\xf8\x88\x80\x80\x80", "\xf4\x90\x80\x80",
        "a\xcc\x81", "\xef\xbb\xbfgle", "%ff%fe",   "%c0%ae%c0%ae%2f"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char path[256], body[256];
        snprintf(path, sizeof path, "/api/v1/dobutsu/position?pos=%s", bad[i]);
        check_json(get(port, path), 400);
        snprintf(path, sizeof path, "/api/v1/dobutsu/position?rules=%s", bad[i]);
        check_json(get(port, path), 400);
        snprintf(path, sizeof path, "/api/v1/dobutsu/position?%s=1", bad[i]);
        check_json(get(port, path), 400);
        snprintf(path, sizeof path, "/api/v1/%s/position", bad[i]);
        check_json(get(port, path), 404);
        snprintf(path, sizeof path, "/%s", bad[i]);
        check_json(get(port, path), 404);
        snprintf(body, sizeof body, "{\"positions\": [\"%s\"]}", bad[i]);
        const answer *a = ask(port, "POST", "/api/v1/dobutsu/positions", "", body);
        /* A text that is UTF-8 is no position, but one that can be told about. */
        check_json(a, a->status == 200 ? 200 : 400);
        snprintf(body, sizeof body, "{\"%s\": []}", bad[i]);
        check_json(ask(port, "POST", "/api/v1/dobutsu/positions", "", body), 400);
    }
}

/* The library gives up on queries with more parameters than it has memory for, without a word. */
static void answers_long_queries(void **state) {
    (void)state;
    static const int counts[] = {60, 70, 400, 500, 1000, 2000, 4000, 12000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        size_t size = 2 * (size_t)counts[i];
        char *path = malloc(size + 64);
        int begin = sprintf(path, "/api/v1/dobutsu/legal?");
        for (size_t k = 0; k < size; k++) {
            path[(size_t)begin + k] = k % 2 ? '&' : 'a';
        }
        path[(size_t)begin + size] = '\0';
        const answer *a = get(port, path);
        check_error(a, size > 4096 ? 414 : 400, "");
        memcpy(path, "/index.html?aaaaaaaaaaaa", 22);
        a = get(port, path);
        assert_int_equal(a->status, size > 8192 ? 414 : 200);
        free(path);
    }
}

static void pipelines(void **state) {
    (void)state;
    enum { REQUESTS = 300 };
    static answer a;
    char *text = malloc(REQUESTS * 128);
    size_t size = 0;
    /* Some are answered at once, some by a lane, some with a part of a file; the order stays. */
    for (int i = 0; i < REQUESTS; i++) {
        size += (size_t)(i % 3 == 0   ? sprintf(text + size,
                                                "GET /big.bin HTTP/1.1\r\nHost: x\r\nRange: bytes=%d-%d\r\n\r\n", i, i)
                         : i % 3 == 1 ? sprintf(text + size, "GET /api/v1/pushfight/legal?rules=hook HTTP/1.1\r\n"
                                                             "Host: x\r\n\r\n")
                                      : sprintf(text + size, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"));
    }
    for (int half_closed = 0; half_closed < 2; half_closed++) {
        int descriptor = connect_to(port);
        forget_answers(&a);
        assert_true(send_bytes(descriptor, text, size));
        if (half_closed) {
            shutdown(descriptor, SHUT_WR);
        }
        for (int i = 0; i < REQUESTS; i++) {
            char range[64];
            read_answer(descriptor, &a, false);
            assert_int_equal(a.status, i % 3 == 0 ? 206 : 200);
            snprintf(range, sizeof range, "bytes %d-%d/%d", i, i, (int)BIG_BYTES);
            if (i % 3 == 0) {
                assert_string_equal(header(&a, "Content-Range"), range);
            } else {
                assert_non_null(strstr(a.body, i % 3 == 1 ? "\"moves\"" : "\"status\""));
            }
        }
        close(descriptor);
    }
    free(text);
}

/* A client that has said all, and closes its side, still gets its answer, however long that takes. */
static void half_closed_connections_are_answered(void **state) {
    (void)state;
    static const char posted[] = POST_TO "Content-Length: 16\r\n\r\n" EMPTY_BODY;
    static const char *const requests[] = {
        "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /api/v1/pushfight/moves?rules=hook HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /api/v1/pushfight/moves?rules=standard HTTP/1.1\r\nHost: x\r\n\r\n", /* a search: most of a second */
        "GET /big.bin HTTP/1.1\r\nHost: x\r\nRange: bytes=0-2000000\r\n\r\n",
        posted,
    };
    static answer a;
    for (int round = 0; round < 32; round++) {
        int kind = round < 5 ? round : (round % 2 ? 1 : 4);
        int descriptor = connect_to(port);
        forget_answers(&a);
        assert_true(send_text(descriptor, requests[kind]));
        shutdown(descriptor, SHUT_WR);
        read_answer(descriptor, &a, false);
        assert_int_equal(a.status, kind == 3 ? 206 : 200);
        assert_int_equal(a.length, strtoul(header(&a, "Content-Length"), NULL, 10));
        close(descriptor);
    }
}

static void refuses_what_is_too_long(void **state) {
    (void)state;
    char *path = repeated("/", 'x', 8191, "");
    assert_int_equal(get(port, path)->status, 404);
    free(path);
    path = repeated("/", 'x', 8192, "");
    check_error(get(port, path), 414, "8192");
    free(path);
    path = repeated("/", 'x', 100000, "");
    int status = get(port, path)->status;
    assert_true(status == 414 || status == 431);
    free(path);

    char *headers = repeated("X-Long: ", 'x', 16000, "\r\n");
    assert_int_equal(ask(port, "GET", "/", headers, NULL)->status, 200);
    free(headers);
    headers = repeated("X-Long: ", 'x', 17000, "\r\n");
    check_error(ask(port, "GET", "/", headers, NULL), 431, "16384");
    free(headers);
    headers = repeated("X-Long: ", 'x', 1000000, "\r\n");
    status = ask(port, "GET", "/", headers, NULL)->status;
    assert_true(status == 431 || status == 0);
    free(headers);

    char *body = repeated("{\"positions\": [\"", ' ', (1 << 20) - 20, "\"]}");
    const answer *a = ask(port, "POST", "/api/v1/dobutsu/positions", "", body);
    assert_int_equal(a->status, 200);
    free(body);
    check_error(ask(port, "POST", "/api/v1/dobutsu/positions", "Content-Length: 1048577\r\n", NULL), 413, "1048576");
    check_error(ask(port, "GET", "/", "Content-Length: 99999999999\r\n", NULL), 413, "1048576");

    /* A body whose length nobody told before */
    enum { CHUNK = 65536 };
    char *chunk = repeated("10000\r\n", 'x', CHUNK, "\r\n");
    static answer late;
    int descriptor = connect_to(port);
    send_text(descriptor, "POST /api/v1/dobutsu/positions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < 20; i++) {
        assert_true(send_text(descriptor, chunk));
    }
    send_text(descriptor, "0\r\n\r\n");
    read_answer(descriptor, &late, false);
    check_error(&late, 413, "1048576");
    close(descriptor);
    descriptor = connect_to(port);
    send_text(descriptor, "POST /api/v1/dobutsu/positions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    bool refused = false;
    for (int i = 0; i < 400 && !refused; i++) {
        refused = !send_text(descriptor, chunk);
    }
    assert_true(refused);
    close(descriptor);
    free(chunk);
}

static void survives_nonsense(void **state) {
    (void)state;
    static const char *const requests[] = {
        "\r\n\r\n\r\n\r\n",
        "x\r\n\r\n",
        "GET\r\n\r\n",
        "GET \r\n\r\n",
        "GET   \r\n\r\n",
        "GET  HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET ? HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /?& HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        "GET / FTP/1.1\r\nHost: x\r\n\r\n",
        "GET  /  HTTP/1.1  \r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\nHost: x\n\n",
        "GET / HTTP/1.1\r\nno colon here\r\n\r\n",
        "GET / HTTP/1.1\r\n: no name\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999999\r\n\r\n",
        "POST /api/v1/dobutsu/positions HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        "POST /api/v1/dobutsu/positions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "POST /api/v1/dobutsu/positions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
        "POST /api/v1/dobutsu/positions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
        "POST /api/v1/dobutsu/positions HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nContent-Length: 2\r\n\r\n{}",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\x16\x03\x01\x02\x01\xfc\x03\x03\xff\xfe",
        "GET /%zz%%%1 HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /api/v1/dobutsu/position?pos=%00%ff%zz&&&==&pos HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /api/v1/dobutsu/position?\xff\xfe HTTP/1.1\r\nHost: \xff\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        static answer a;
        forget_answers(&a);
        int descriptor = connect_to(port);
        set_read_limit(descriptor, 1);
        send_text(descriptor, requests[i]);
        /* No more will come, so that an incomplete request is over, too. The library may miss it if it comes together
         * with the last bytes; then the connection lasts until it has been idle for long enough. */
        usleep(10000);
        shutdown(descriptor, SHUT_WR);
        read_answer(descriptor, &a, false);
        close(descriptor);
        if (a.status != 0 && a.status != 200 && (a.status < 400 || a.status > 505)) {
            print_message("%s: %s\n", requests[i], a.bytes);
            fail();
        }
        assert_int_equal(get(port, "/healthz")->status, 200);
    }
    /* Random bytes */
    uint64_t seed = 1;
    for (int round = 0; round < 200; round++) {
        char bytes[400];
        size_t size = 20 + (size_t)round;
        memcpy(bytes, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", 28);
        for (size_t i = round % 3 == 0 ? 0 : (size_t)(round % 28); i < size; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            bytes[i] = (char)(seed >> 33);
        }
        int descriptor = connect_to(port);
        send_bytes(descriptor, bytes, size);
        close(descriptor);
    }
    assert_int_equal(get(port, "/healthz")->status, 200);
}

/* A client that sends all of a body that is refused reads why, although nobody has read the body. */
static void refusals_are_not_lost(void **state) {
    (void)state;
    enum { SENT = 3 << 20 };
    static answer a;
    char *body = calloc(1, SENT);
    int descriptor = connect_to(port);
    char head[256];
    snprintf(head, sizeof head, POST_TO "Content-Length: %d\r\n\r\n", SENT);
    forget_answers(&a);
    send_text(descriptor, head);
    send_bytes(descriptor, body, SENT);
    read_answer(descriptor, &a, false);
    check_error(&a, 413, "1048576");
    close(descriptor);
    free(body);
}

static void many_ranges_are_one_file(void **state) {
    (void)state;
    char *ranges = malloc(16384);
    size_t size = (size_t)sprintf(ranges, "Range: bytes=0-");
    while (size < 15000) {
        size += (size_t)sprintf(ranges + size, ",0-");
    }
    sprintf(ranges + size, "\r\n");
    const answer *a = ask(port, "GET", "/assets/index-a1b2.js", ranges, NULL);
    assert_int_equal(a->status, 200);
    assert_string_equal(a->body, script);
    free(ranges);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FAULT(refuses_what_is_ambiguous),
        FAULT(takes_what_is_clear),
        FAULT(bad_characters_are_told),
        FAULT(chunks_end_a_connection),
        FAULT(answers_long_queries),
        FAULT(pipelines),
        FAULT(half_closed_connections_are_answered),
        FAULT(refuses_what_is_too_long),
        FAULT(survives_nonsense),
        FAULT(refusals_are_not_lost),
        FAULT(many_ranges_are_one_file),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
