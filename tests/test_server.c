/* SPDX-License-Identifier: MIT
 *
 * The server over real sockets: every route, good and bad requests, limits, files, ranges, slow and rude clients, and
 * how it ends. What the answers say about positions is tested elsewhere. */
#include "tests/http_client.h"

#include "server/watch.h"

#include <fcntl.h>
#include <kanzen/paths.h>
#include <kanzen/server.h>
#include <kanzen/solve.h>
#include <kanzen/system.h>
#include <sys/stat.h>

static const char table_path[] = "hook.kzt";
static const char table_name[] = "/tables/pushfight-hook.kzt";
static const char secret[] = "this is nobody's business";

static kz_server_table tables[1];
static kz_server *server;
static int port;

static kz_server *start(kz_server_options options) {
    kz_server *opened;
    kz_error error = {.status = KZ_OK};
    if (kz_server_open(&options, &opened, &error) != KZ_OK) {
        print_message("%s\n", error.message);
        return NULL;
    }
    return opened;
}

static void write_file(const char *path, const char *text) {
    assert_int_equal(kz_write_file(path, text, strlen(text), true, NULL), KZ_OK);
}

static const char script[] = "console.log('0123456789');";

static int set_up(void **state) {
    (void)state;
    const kz_game *game = kz_game_find("pushfight");
    kz_summary summary;
    kz_table *table;
    write_file("secret.txt", secret);
    mkdir("site", 0777);
    mkdir("site/assets", 0777);
    mkdir("site/deep", 0777);
    mkdir("outside", 0777);
    write_file("outside/secret.txt", secret);
    write_file("site/index.html", "<!DOCTYPE html>the page");
    write_file("site/assets/index-a1b2.js", script);
    write_file("site/assets/empty-a1b2.css", "");
    write_file("site/deep/index.html", "<!DOCTYPE html>deeper");
    write_file("site/with space.txt", "spaced");
    write_file("site/.hidden", secret);
    if (symlink("../secret.txt", "site/link.txt") != 0 || symlink("../outside", "site/outside") != 0 ||
        mkfifo("site/pipe", 0666) != 0) {
        return -1;
    }
    kz_error error;
    if (kz_solve(game, kz_rules_find(game, "hook"), table_path, NULL, &summary, &error) != KZ_OK ||
        kz_table_open(table_path, &table, &error) != KZ_OK) {
        print_message("%s\n", error.message);
        return -1;
    }
    tables[0] = (kz_server_table){table, table_path};
    server = start((kz_server_options){.site = "site", .tables = tables, .table_count = 1, .threads = 2});
    if (!server) {
        return -1;
    }
    port = port_of(kz_server_url(server));
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    kz_server_close(server);
    kz_table_close((kz_table *)tables[0].table);
    return 0;
}

/* ---- Routes ----------------------------------------------------------------------------------------------------- */

static void check_error(const answer *a, int status, const char *part) {
    char begin[64];
    snprintf(begin, sizeof begin, "{\"error\": {\"status\": %d, \"message\": \"", status);
    if (a->status != status || !strstr(text_of(a), part) || strncmp(text_of(a), "{\"error\":", 9) != 0) {
        print_message("%d %s is not %d with '%s'\n", a->status, text_of(a), status, part);
    }
    assert_int_equal(a->status, status);
    assert_non_null(strstr(text_of(a), part));
    assert_memory_equal(text_of(a), "{\"error\":", 9);
    assert_string_equal(header(a, "Content-Type"), "application/json");
    assert_string_equal(header(a, "Access-Control-Allow-Origin"), "*");
}

static void answers_questions(void **state) {
    (void)state;
    static const char *const good[] = {
        "/healthz",
        "/api/v1/games",
        "/api/v1/openapi.json",
        "/api/v1/dobutsu/legal",
        "/api/v1/dobutsu/legal?pos=gle%2F1c1%2F1C1%2FELG+b+-+1&rules=official",
        "/api/v1/pushfight/position?rules=hook",
        "/api/v1/pushfight/moves?rules=hook",
        "/api/v1/pushfight/line?rules=hook",
        "/api/v1/pushfight/play?rules=hook&level=perfect",
        "/api/v1/pushfight/table?rules=hook",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        const answer *a = get(port, good[i]);
        if (a->status != 200) {
            print_message("%s: %d %.200s\n", good[i], a->status, text_of(a));
        }
        assert_int_equal(a->status, 200);
        assert_int_equal(text_of(a)[0], '{');
        assert_string_equal(header(a, "Content-Type"), "application/json");
        assert_string_equal(header(a, "Access-Control-Allow-Origin"), "*");
        assert_string_equal(header(a, "X-Content-Type-Options"), "nosniff");
        size_t length = a->length;

        a = ask(port, "HEAD", good[i], "", NULL);
        assert_int_equal(a->status, 200);
        assert_int_equal(strtoul(header(a, "Content-Length"), NULL, 10), length);
        assert_int_equal(a->count, a->used);
    }
}

static void refuses_other_questions(void **state) {
    (void)state;
    check_error(get(port, "/api/"), 404, "");
    check_error(get(port, "/api/v1/chess/position"), 404, "");
    check_error(get(port, "/api/v1/dobutsu/nonsense"), 404, "");
    check_error(get(port, "/api/v1/dobutsu/position?pos=nonsense"), 400, "");
    check_error(get(port, "/api/v1/pushfight/position?rules=nonsense"), 400, "");
    check_error(get(port, "/healthz/x"), 404, "");
    check_error(ask(port, "PUT", "/api/v1/games", "", "x"), 405, "only GET, HEAD, POST");
    assert_string_equal(header(ask(port, "DELETE", "/api/v1/games", "", NULL), "Allow"), "GET, HEAD, POST, OPTIONS");
    const answer *a = ask(port, "POST", "/api/v1/games", "", "{}");
    check_error(a, 405, "");
    assert_string_equal(header(a, "Allow"), "GET, HEAD, OPTIONS");
    check_error(ask(port, "POST", "/index.html", "", "x"), 405, "only GET, HEAD and OPTIONS");
    check_error(ask(port, "BREW", "/", "", NULL), 405, "only GET");
}

static void takes_posted_positions(void **state) {
    (void)state;
    static const char path[] = "/api/v1/dobutsu/positions";
    const answer *a = ask(port, "POST", path, "Content-Type: application/json\r\n",
                          "{\"positions\": [\"gle/1c1/1C1/ELG b - 1\", \"nonsense\"], \"rules\": \"official\"}");
    assert_int_equal(a->status, 200);
    assert_non_null(strstr(text_of(a), "gle/1c1/1C1/ELG b - 1"));
    assert_non_null(strstr(text_of(a), "\"error\""));
    a = ask(port, "POST", path, "", "{\"positions\": []}");
    assert_int_equal(a->status, 200);

    check_error(ask(port, "POST", path, "", ""), 400, "not JSON: line 1");
    check_error(ask(port, "POST", path, "", "{\"positions\": [\"x\""), 400, "not JSON: line 1");
    check_error(ask(port, "POST", path, "", "{\"positions\": [], \"positions\": []}"), 400, "duplicate");
    check_error(ask(port, "POST", path, "", "{\"positions\": [\"\\u0000\"]}"), 400, "not JSON");
    check_error(ask(port, "POST", path, "", "{\"positions\": [\"\xff\"]}"), 400, "not JSON");
    check_error(ask(port, "POST", path, "", "[]"), 400, "should be an object");
    check_error(ask(port, "POST", path, "", "{}"), 400, "no member");
    check_error(ask(port, "POST", path, "", "{\"positions\": \"startpos\"}"), 400, "a list of texts");
    check_error(ask(port, "POST", path, "", "{\"positions\": [\"startpos\", 3]}"), 400, "number 2");
    check_error(ask(port, "POST", path, "", "{\"positions\": [], \"rules\": 1}"), 400, "should be a text");
    check_error(ask(port, "POST", path, "", "{\"positions\": [], \"rules\": \"no such & rules\"}"), 400,
                "no such & rules");
    check_error(ask(port, "POST", path, "", "{\"positions\": [], \"moves\": 1}"), 400, "moves");
    check_error(ask(port, "POST", "/api/v1/dobutsu/positions?moves=1", "", "{\"positions\": []}"), 400, "moves");
    a = get(port, path);
    check_error(a, 405, "");
    assert_string_equal(header(a, "Allow"), "POST, OPTIONS");

    /* 1,001 positions, and a very deep list */
    char *many = malloc(100000);
    char *next = many + sprintf(many, "{\"positions\": [\"startpos\"");
    for (int i = 0; i < 1000; i++) {
        next += sprintf(next, ",\"startpos\"");
    }
    sprintf(next, "]}");
    a = ask(port, "POST", path, "", many);
    assert_true(a->status == 400 || a->status == 413);
    memset(many, '[', 99999);
    many[99999] = '\0';
    check_error(ask(port, "POST", path, "", many), 400, "not JSON");
    free(many);
}

static void tells_pages_from_elsewhere(void **state) {
    (void)state;
    const answer *a = ask(port, "OPTIONS", "/api/v1/dobutsu/positions",
                          "Origin: https://example.org\r\nAccess-Control-Request-Method: POST\r\n", NULL);
    assert_int_equal(a->status, 204);
    assert_string_equal(header(a, "Access-Control-Allow-Origin"), "*");
    assert_string_equal(header(a, "Access-Control-Allow-Methods"), "GET, HEAD, POST, OPTIONS");
    assert_non_null(strstr(header(a, "Access-Control-Allow-Headers"), "Content-Type"));
    a = ask(port, "OPTIONS", "/index.html", "", NULL);
    assert_int_equal(a->status, 204);
    assert_string_equal(header(a, "Access-Control-Allow-Methods"), "GET, HEAD, OPTIONS");
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

static void serves_files(void **state) {
    (void)state;
    const answer *a = get(port, "/");
    assert_int_equal(a->status, 200);
    assert_string_equal(text_of(a), "<!DOCTYPE html>the page");
    assert_string_equal(header(a, "Content-Type"), "text/html; charset=utf-8");
    assert_string_equal(header(a, "Cache-Control"), "no-cache");
    assert_non_null(
        strstr(header(a, "Content-Security-Policy"), "default-src 'self'; script-src 'self' 'wasm-unsafe-"));
    assert_string_equal(header(a, "Referrer-Policy"), "no-referrer");
    assert_string_equal(header(a, "X-Content-Type-Options"), "nosniff");
    assert_string_equal(text_of(get(port, "/index.html?lang=ja")), "<!DOCTYPE html>the page");
    assert_string_equal(text_of(get(port, "/deep/")), "<!DOCTYPE html>deeper");
    assert_string_equal(text_of(get(port, "/with%20space.txt")), "spaced");

    a = get(port, "/assets/index-a1b2.js");
    assert_string_equal(text_of(a), script);
    assert_string_equal(header(a, "Content-Type"), "text/javascript; charset=utf-8");
    assert_string_equal(header(a, "Cache-Control"), "public, max-age=31536000, immutable");
    char condition[256];
    snprintf(condition, sizeof condition, "If-None-Match: \"other\", %.99s\r\n", header(a, "ETag"));
    a = ask(port, "GET", "/assets/index-a1b2.js", condition, NULL);
    assert_int_equal(a->status, 304);
    assert_int_equal(a->count, a->used);
    assert_int_equal(ask(port, "GET", "/", condition, NULL)->status, 200);
    assert_int_equal(ask(port, "GET", "/", "If-None-Match: *\r\n", NULL)->status, 304);

    a = ask(port, "HEAD", "/assets/index-a1b2.js", "", NULL);
    assert_int_equal(a->status, 200);
    assert_int_equal(atoi(header(a, "Content-Length")), (int)strlen(script));
    assert_int_equal(a->count, a->used);
    a = get(port, "/assets/empty-a1b2.css");
    assert_int_equal(a->status, 200);
    assert_int_equal(a->length, 0);

    /* The table, byte by byte */
    kz_table *table = (kz_table *)tables[0].table;
    a = get(port, table_name);
    assert_int_equal(a->status, 200);
    assert_int_equal(a->length, kz_table_bytes(table));
    int descriptor = open(table_path, O_RDONLY);
    char *bytes = malloc(a->length);
    assert_int_equal(read(descriptor, bytes, a->length), a->length);
    assert_memory_equal(bytes, a->body, a->length);
    free(bytes);
    close(descriptor);
}

/* A range of the script, what it should give, and Content-Range without the size. NULL: no such range. */
static void check_range(const char *range, const char *expected, const char *content_range) {
    char headers[256], whole[64];
    snprintf(headers, sizeof headers, "Range: %s\r\n", range);
    snprintf(whole, sizeof whole, "bytes %s/%zu", content_range ? content_range : "*", strlen(script));
    const answer *a = ask(port, "GET", "/assets/index-a1b2.js", headers, NULL);
    if (!content_range && !expected) {
        assert_int_equal(a->status, 416);
        assert_int_equal(a->length, 0);
        assert_string_equal(header(a, "Content-Range"), whole);
    } else {
        assert_int_equal(a->status, content_range ? 206 : 200);
        assert_string_equal(text_of(a), expected);
        if (content_range) {
            assert_string_equal(header(a, "Content-Range"), whole);
        } else {
            assert_null(header(a, "Content-Range"));
        }
    }
}

static void serves_ranges(void **state) {
    (void)state;
    assert_int_equal(strlen(script), 26);
    check_range("bytes=0-6", "console", "0-6");
    check_range("bytes=8-8", "l", "8-8");
    check_range("bytes=20-", "789');", "20-25");
    check_range("bytes=20-99999999999999", "789');", "20-25");
    check_range("bytes=-3", "');", "23-25");
    check_range("bytes=-99", script, "0-25");
    check_range("bytes=26-", NULL, NULL);
    check_range("bytes=99-100", NULL, NULL);
    check_range("bytes=-0", NULL, NULL);
    /* What is no single range is answered with the whole. */
    check_range("bytes=5-2", script, NULL);
    check_range("bytes=0-1,3-4", script, NULL);
    check_range("bytes=", script, NULL);
    check_range("bytes=-", script, NULL);
    check_range("bytes=a-b", script, NULL);
    check_range("bytes=99999999999999999999999-", script, NULL);
    check_range("lines=1-2", script, NULL);

    const answer *a = ask(port, "HEAD", "/assets/index-a1b2.js", "Range: bytes=0-1\r\n", NULL);
    assert_int_equal(a->status, 200);
    char headers[256];
    snprintf(headers, sizeof headers, "Range: bytes=0-1\r\nIf-Range: %.99s\r\n", header(a, "ETag"));
    assert_int_equal(ask(port, "GET", "/assets/index-a1b2.js", headers, NULL)->status, 206);
    a = ask(port, "GET", "/assets/index-a1b2.js", "Range: bytes=0-1\r\nIf-Range: \"other\"\r\n", NULL);
    assert_int_equal(a->status, 200);
    assert_string_equal(text_of(a), script);
}

static void never_leaves_the_folder(void **state) {
    (void)state;
    char here[KZ_PATH_BYTES], absolute[KZ_PATH_BYTES + 32];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(absolute, sizeof absolute, "%s/secret.txt", here);
    char url[KZ_PATH_BYTES + 64];
    snprintf(url, sizeof url, "http://127.0.0.1:%d/../secret.txt", port);
    const char *const paths[] = {
        "/../secret.txt",
        "/deep/../../secret.txt",
        "/deep/../index.html",
        "/./index.html",
        "//index.html",
        "/%2e%2e/secret.txt",
        "/%2e%2e%2fsecret.txt",
        "/..%2fsecret.txt",
        "/..%5csecret.txt",
        "/..\\secret.txt",
        "/%252e%252e/secret.txt",
        "/%c0%ae%c0%ae/secret.txt",
        "/....//secret.txt",
        "/.hidden",
        "/%2ehidden",
        "/link.txt",
        "/outside/secret.txt",
        "/outside/",
        "/pipe",
        "/assets",
        "/assets/",
        "/deep",
        "/site/index.html",
        "/index.html%00.js",
        "/index.html%00",
        "/index%2ehtml",
        "/index.html/",
        "/index.html/../../secret.txt",
        "/tables/",
        "/tables/../secret.txt",
        "/tables/hook.kzt",
        "/tables/dobutsu-official.kzt",
        "/tables/%2e%2e/%2e%2e/secret.txt",
        "/~root/secret.txt",
        "secret.txt",
        "../secret.txt",
        "*",
        absolute,
        url,
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        const answer *a = get(port, paths[i]);
        if (a->status != 404 && a->status != 400) {
            print_message("%s: %d %s\n", paths[i], a->status, text_of(a));
        }
        assert_true(a->status == 404 || a->status == 400);
        assert_null(strstr(a->bytes, secret));
    }
    /* What comes after the start is not served, either. */
    write_file("site/later.txt", "later");
    assert_int_equal(get(port, "/later.txt")->status, 404);
    static const char with_zero[] = "GET /index.html\0.js HTTP/1.1\r\nHost: x\r\n\r\n";
    const answer *a = ask_raw(port, with_zero, sizeof with_zero - 1, false);
    assert_true(a->status == 400 || strcmp(text_of(a), "<!DOCTYPE html>the page") == 0);
}

/* ---- Limits and rude clients --------------------------------------------------------------------------------------
 */

static char *repeated(const char *before, char character, size_t count, const char *after) {
    size_t begin = strlen(before);
    char *text = malloc(begin + count + strlen(after) + 1);
    memcpy(text, before, begin);
    memset(text + begin, character, count);
    memcpy(text + begin + count, after, strlen(after) + 1);
    return text;
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
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        static answer a;
        a.count = a.used = 0;
        a.bytes[0] = '\0';
        int descriptor = connect_to(port);
        struct timeval limit = {.tv_sec = 1};
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
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

static void keeps_connections(void **state) {
    (void)state;
    static answer a;
    a.count = a.used = 0;
    int descriptor = connect_to(port);
    /* One after the other, then three at once */
    static const char request[] = "GET /index.html HTTP/1.1\r\nHost: x\r\n\r\n";
    static const char last[] = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    for (int i = 0; i < 3; i++) {
        send_text(descriptor, request);
        read_answer(descriptor, &a, false);
        assert_int_equal(a.status, 200);
    }
    send_text(descriptor, request);
    send_text(descriptor, "GET /api/v1/pushfight/moves?rules=hook HTTP/1.1\r\nHost: x\r\n\r\n");
    send_text(descriptor, last);
    for (int i = 0; i < 3; i++) {
        read_answer(descriptor, &a, false);
        assert_int_equal(a.status, 200);
    }
    assert_non_null(strstr(a.body, "\"status\""));
    read_answer(descriptor, &a, false);
    assert_int_equal(a.status, 0);
    assert_true(a.closed);
    close(descriptor);

    const answer *old = ask_raw(port, "GET /healthz HTTP/1.0\r\n\r\n", 25, false);
    assert_int_equal(old->status, 200);
}

static void slow_clients_wait_alone(void **state) {
    (void)state;
    enum { SLOW = 100 };
    int slow[SLOW];
    for (int i = 0; i < SLOW; i++) {
        slow[i] = connect_to(port);
        assert_true(slow[i] >= 0);
        send_text(slow[i], i % 2 ? "GET /heal"
                                 : "POST /api/v1/dobutsu/positions HTTP/1.1\r\nHost: x\r\nContent-Length: "
                                   "100\r\n\r\n{");
    }
    double begin = kz_seconds();
    for (int i = 0; i < 20; i++) {
        assert_int_equal(get(port, "/healthz")->status, 200);
    }
    assert_true(kz_seconds() - begin < 5);
    /* They are heard in the end. */
    static answer a;
    a.count = a.used = 0;
    send_text(slow[1], "thz HTTP/1.1\r\nHost: x\r\n\r\n");
    read_answer(slow[1], &a, false);
    assert_int_equal(a.status, 200);
    for (int i = 0; i < SLOW; i++) {
        close(slow[i]);
    }
}

static void cuts_who_takes_too_long(void **state) {
    (void)state;
    kz_watch *watch;
    int pair[2][2];
    assert_int_equal(kz_watch_open(&watch, NULL), KZ_OK);
    kz_watched *watched[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair[i]), 0);
        watched[i] = kz_watch_add(watch, pair[i][0]);
        kz_watch_allow(watched[i], 0.1);
    }
    kz_watch_allow(watched[1], 0);
    struct timeval limit = {.tv_sec = 10};
    setsockopt(pair[0][1], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
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

/* ---- Searches, and the end -----------------------------------------------------------------------------------------
 */

/* Begins as many searches as asked for, each on a connection of its own. */
static void begin_searches(int to, int *connections, int count) {
    for (int i = 0; i < count; i++) {
        connections[i] = connect_to(to);
        assert_true(connections[i] >= 0);
        send_text(connections[i], "GET /api/v1/pushfight/moves HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    }
}

static void searches_hinder_nobody(void **state) {
    (void)state;
    enum { SEARCHES = 24 };
    kz_server *other = start((kz_server_options){.threads = 1});
    assert_non_null(other);
    int to = port_of(kz_server_url(other));
    int connections[SEARCHES];
    begin_searches(to, connections, SEARCHES);
    double begin = kz_seconds();
    for (int i = 0; i < 5; i++) {
        assert_int_equal(get(to, "/healthz")->status, 200);
    }
    assert_true(kz_seconds() - begin < 2);
    /* Two at a time and eight that wait; the others hear at once that it is too much. */
    int refused = 0;
    static answer a;
    for (int i = 0; i < SEARCHES; i++) {
        struct timeval limit = {.tv_usec = 200000};
        setsockopt(connections[i], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        a.count = a.used = 0;
        a.bytes[0] = '\0';
        read_answer(connections[i], &a, false);
        if (a.status == 503) {
            refused++;
            check_error(&a, 503, "try again");
            assert_string_equal(header(&a, "Retry-After"), "2");
        }
        close(connections[i]);
    }
    assert_true(refused > 0);
    kz_server_close(other);
}

static void ends_soon(void **state) {
    (void)state;
    enum { SEARCHES = 6 };
    kz_server *other = start((kz_server_options){.threads = 2, .site = "site"});
    assert_non_null(other);
    int to = port_of(kz_server_url(other));
    int connections[SEARCHES];
    begin_searches(to, connections, SEARCHES);
    int idle = connect_to(to), half = connect_to(to);
    send_text(half, "GET /heal");
    assert_int_equal(get(to, "/healthz")->status, 200);
    double begin = kz_seconds();
    kz_server_close(other);
    assert_true(kz_seconds() - begin < 3);
    for (int i = 0; i < SEARCHES; i++) {
        static answer a;
        a.count = a.used = 0;
        a.bytes[0] = '\0';
        read_answer(connections[i], &a, false);
        assert_true(a.status == 0 || a.status == 200 || a.status == 503);
        close(connections[i]);
    }
    char byte;
    assert_true(recv(idle, &byte, 1, 0) <= 0);
    close(idle);
    close(half);
    int nobody = connect_to(to);
    assert_int_equal(nobody, -1);
    /* The same place is free again. */
    other = start((kz_server_options){.port = to});
    assert_non_null(other);
    kz_server_close(other);
}

static void tells_why_it_can_not_start(void **state) {
    (void)state;
    kz_server *other;
    kz_error error;
    kz_server_options options = {.port = port};
    assert_int_equal(kz_server_open(&options, &other, &error), KZ_ERR_IO);
    assert_non_null(strstr(error.message, "Address already in use"));
    assert_null(other);
    /* An address that is for documentation only */
    options = (kz_server_options){.address = "192.0.2.1"};
    assert_int_equal(kz_server_open(&options, &other, &error), KZ_ERR_IO);
    assert_non_null(strstr(error.message, "can't listen at 192.0.2.1"));
    options = (kz_server_options){.site = "no-such-folder"};
    assert_int_equal(kz_server_open(&options, &other, &error), KZ_ERR_IO);
    assert_non_null(strstr(error.message, "no-such-folder"));
    options = (kz_server_options){.site = "secret.txt"};
    assert_int_equal(kz_server_open(&options, &other, &error), KZ_ERR_IO);
    assert_non_null(strstr(error.message, "Not a directory"));
}

static void limits_connections(void **state) {
    (void)state;
    kz_server *other = start((kz_server_options){.connections = 2, .threads = 1});
    assert_non_null(other);
    int to = port_of(kz_server_url(other));
    static const char request[] = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    static answer a;
    int connections[3];
    for (int i = 0; i < 3; i++) {
        connections[i] = connect_to(to);
        send_text(connections[i], request);
        if (i < 2) {
            a.count = a.used = 0;
            a.bytes[0] = '\0';
            read_answer(connections[i], &a, false);
            assert_int_equal(a.status, 200);
            /* Without a site there is a note. */
            assert_non_null(strstr(text_of(&a), "/api/v1/openapi.json"));
        }
    }
    struct timeval limit = {.tv_usec = 300000};
    setsockopt(connections[2], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    char byte;
    assert_int_equal(recv(connections[2], &byte, 1, MSG_PEEK), -1);
    close(connections[0]);
    limit = (struct timeval){.tv_sec = CLIENT_SECONDS};
    setsockopt(connections[2], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    a.count = a.used = 0;
    a.bytes[0] = '\0';
    read_answer(connections[2], &a, false);
    assert_int_equal(a.status, 200);
    close(connections[1]);
    close(connections[2]);
    kz_server_close(other);
}

int main(void) {
    kz_server *probe;
    kz_error error;
    const kz_server_options options = {.port = 0};
    if (kz_server_open(&options, &probe, &error) != KZ_OK && error.status == KZ_ERR_UNSUPPORTED) {
        puts(error.message);
        return 77;
    }
    kz_server_close(probe);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_questions),
        cmocka_unit_test(refuses_other_questions),
        cmocka_unit_test(takes_posted_positions),
        cmocka_unit_test(tells_pages_from_elsewhere),
        cmocka_unit_test(serves_files),
        cmocka_unit_test(serves_ranges),
        cmocka_unit_test(never_leaves_the_folder),
        cmocka_unit_test(refuses_what_is_too_long),
        cmocka_unit_test(survives_nonsense),
        cmocka_unit_test(keeps_connections),
        cmocka_unit_test(slow_clients_wait_alone),
        cmocka_unit_test(cuts_who_takes_too_long),
        cmocka_unit_test(tells_why_it_can_not_start),
        cmocka_unit_test(limits_connections),
        cmocka_unit_test(searches_hinder_nobody),
        cmocka_unit_test(ends_soon),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
