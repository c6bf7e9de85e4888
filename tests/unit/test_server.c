/* SPDX-License-Identifier: MIT
 * labels: server
 *
 * The server over real sockets: every route, good and bad questions, files, ranges, and how it ends. What the answers
 * say about positions is tested elsewhere, and what rude clients get in test_server_faults.c. */
#include "tests/support/server_testing.h"

#include <fcntl.h>
#if __has_include(<zlib.h>)
#include <zlib.h>
#define HAS_ZLIB
#endif

static const char table_name[] = "/tables/pushfight-hook.kzt";
static const char secret[] = "this is nobody's business";

static kz_server *server;
static int port;

static int set_up(void **state) {
    (void)state;
    make_site();
    mkdir("site/deep", 0777);
    mkdir("outside", 0777);
    write_file("secret.txt", secret);
    write_file("outside/secret.txt", secret);
    write_file("site/assets/empty-a1b2.css", "");
    char *text = repeated("// long", 'x', 5000, "");
    write_file("site/assets/long-a1b2.js", text);
    free(text);
    write_file("site/deep/index.html", "<!DOCTYPE html>deeper");
    write_file("site/with space.txt", "spaced");
    write_file("site/.hidden", secret);
    if (symlink("../secret.txt", "site/link.txt") != 0 || symlink("../outside", "site/outside") != 0 ||
        mkfifo("site/pipe", 0666) != 0) {
        return -1;
    }
    if (!make_table()) {
        return -1;
    }
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
    close_table();
    return 0;
}

/* ---- Routes ----------------------------------------------------------------------------------------------------- */

TEST(answers_questions) {
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
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const answer *a = get(port, good[i]);
        if (a->status != 200) {
            print_message("%s: %d %.200s\n", good[i], a->status, a->body);
        }
        assert_int_equal(a->status, 200);
        assert_int_equal(a->body[0], '{');
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

TEST(refuses_other_questions) {
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

TEST(takes_posted_positions) {
    static const char path[] = "/api/v1/dobutsu/positions";
    const answer *a = ask(port, "POST", path, "Content-Type: application/json\r\n",
                          "{\"positions\": [\"gle/1c1/1C1/ELG b - 1\", \"nonsense\"], \"rules\": \"official\"}");
    assert_int_equal(a->status, 200);
    assert_non_null(strstr(a->body, "gle/1c1/1C1/ELG b - 1"));
    assert_non_null(strstr(a->body, "\"error\""));
    a = ask(port, "POST", path, "", "{\"positions\": []}");
    assert_int_equal(a->status, 200);

    check_error(ask(port, "POST", path, "", ""), 400, "not JSON: character");
    check_error(ask(port, "POST", path, "", "{\"positions\": [\"x\""), 400, "not JSON: character");
    check_error(ask(port, "POST", path, "", "{\"positions\": [], \"positions\": []}"), 400, "twice");
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
    check_error(a, 413, "more than 1000 positions");
    memset(many, '[', 99999);
    many[99999] = '\0';
    check_error(ask(port, "POST", path, "", many), 400, "should be an object");
    free(many);
}

/* Answers from a table have a name and may be kept. Who has one is told so, and nothing is worked out again. */
TEST(names_answers_for_caches) {
    static const char path[] = "/api/v1/pushfight/position?rules=hook&moves=1";
    const answer *a = get(port, path);
    assert_int_equal(a->status, 200);
    assert_string_equal(header(a, "Cache-Control"), "public, max-age=86400");
    char etag[128], condition[256];
    snprintf(etag, sizeof etag, "%s", header(a, "ETag"));
    assert_memory_equal(etag, "W/\"", 3);
    assert_memory_equal(etag + 3, kz_table_digest(tables[0].table), 16);
    snprintf(condition, sizeof condition, "If-None-Match: \"x\", %s\r\n", etag);
    a = ask(port, "GET", path, condition, NULL);
    assert_int_equal(a->status, 304);
    assert_string_equal(header(a, "ETag"), etag);
    assert_int_equal(a->count, a->used);
    assert_int_equal(ask(port, "GET", "/api/v1/pushfight/position?rules=hook", condition, NULL)->status, 200);
    assert_int_equal(ask(port, "GET", path, "If-None-Match: *\r\n", NULL)->status, 304);
    a = get(port, "/api/v1/games");
    assert_null(header(a, "ETag"));
    assert_string_equal(header(a, "Cache-Control"), "no-cache");
    a = get(port, "/api/v1/pushfight/position?rules=hook&pos=nonsense");
    assert_int_equal(a->status, 400);
    assert_null(header(a, "ETag"));

    a = get(port, "/api/v1/pushfight/svg?rules=hook");
    assert_int_equal(a->status, 200);
    assert_string_equal(header(a, "Content-Type"), "image/svg+xml");
    assert_string_equal(header(a, "Content-Security-Policy"), "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    assert_memory_equal(a->body, "<svg", 4);
}

/* A link to share names the server as the client does, and sends people on to the board. */
TEST(shares_positions) {
    const answer *a = ask(port, "GET", "/share/pushfight?rules=hook", "X-Forwarded-Proto: https\r\n", NULL);
    assert_int_equal(a->status, 200);
    assert_string_equal(header(a, "Content-Type"), "text/html; charset=utf-8");
    assert_non_null(strstr(header(a, "Content-Security-Policy"), "script-src 'self'"));
    const char *image = strstr(a->body, "property=\"og:image\" content=\"https://");
    assert_non_null(image);
    assert_non_null(strstr(image, "/api/v1/pushfight/png?rules=hook\""));
    assert_non_null(strstr(a->body, "url=../#/play/pushfight/hook\""));
    a = get(port, "/api/v1/pushfight/png?rules=hook");
    assert_int_equal(a->status, 200);
    assert_string_equal(header(a, "Content-Type"), "image/png");
    assert_memory_equal(a->body, "\x89PNG", 4);
    a = get(port, "/share/pushfight?pos=nonsense");
    assert_int_equal(a->status, 400);
    assert_non_null(strstr(a->body, "This link is broken"));
}

#ifdef HAS_ZLIB
/* Unpacks what zlib's own reader takes for gzip; the caller frees it. */
static char *unpacked(const answer *a, size_t *size) {
    enum { MOST = 4 << 20 };
    char *text = calloc(1, MOST);
    z_stream stream = {.next_in = (z_const Bytef *)a->body,
                       .avail_in = (uInt)a->length,
                       .next_out = (Bytef *)text,
                       .avail_out = MOST - 1};
    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.avail_in, 0);
    *size = MOST - 1 - stream.avail_out;
    inflateEnd(&stream);
    return text;
}

/* Files and answers go out compressed to those who can read it, and are the same when unpacked. */
TEST(compresses) {
    static const char *const paths[] = {"/assets/long-a1b2.js", "/api/v1/openapi.json",
                                        "/api/v1/pushfight/moves?rules=hook"};
    const answer *a = ask(port, "GET", paths[0], "Accept-Encoding: gzip\r\n", NULL);
    if (!header(a, "Content-Encoding")) {
        skip(); /* a build without zlib */
    }
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        a = get(port, paths[i]);
        assert_int_equal(a->status, 200);
        assert_null(header(a, "Content-Encoding"));
        assert_string_equal(header(a, "Vary"), "Accept-Encoding");
        char *plain = strdup(a->body);
        size_t plain_size = a->length, size;
        a = ask(port, "GET", paths[i], "Accept-Encoding: br;q=1.0, gzip;q=0.5\r\n", NULL);
        assert_int_equal(a->status, 200);
        assert_string_equal(header(a, "Content-Encoding"), "gzip");
        assert_true(a->length < plain_size / 2);
        char *text = unpacked(a, &size);
        assert_int_equal(size, plain_size);
        assert_string_equal(text, plain);
        free(text);
        free(plain);
        char etag[128];
        const char *found = header(a, "ETag");
        snprintf(etag, sizeof etag, "%s", found ? found : "");
        if (i == 0) {
            char condition[256];
            snprintf(condition, sizeof condition, "Accept-Encoding: gzip\r\nIf-None-Match: %s\r\n", etag);
            assert_int_equal(ask(port, "GET", paths[i], condition, NULL)->status, 304);
            snprintf(condition, sizeof condition, "If-None-Match: %s\r\n", etag);
            assert_int_equal(ask(port, "GET", paths[i], condition, NULL)->status, 200);
        }
    }
    static const char *const refusing[] = {"Accept-Encoding: br\r\n",
                                           "Accept-Encoding: gzip;q=0\r\n",
                                           "Accept-Encoding: gzip ; q=0.000, identity\r\n",
                                           "Accept-Encoding: *;q=0\r\n",
                                           "Accept-Encoding: gzipped\r\n",
                                           "Accept-Encoding: \r\n",
                                           "Accept-Encoding: gzip\r\nRange: bytes=0-9\r\n"};
    for (size_t i = 0; i < sizeof refusing / sizeof *refusing; i++) {
        a = ask(port, "GET", paths[0], refusing[i], NULL);
        assert_true(a->status == 200 || a->status == 206);
        assert_null(header(a, "Content-Encoding"));
    }
    assert_non_null(header(ask(port, "GET", paths[0], "Accept-Encoding: *\r\n", NULL), "Content-Encoding"));
    /* Small answers are not worth it. */
    assert_null(header(ask(port, "GET", "/healthz", "Accept-Encoding: gzip\r\n", NULL), "Content-Encoding"));
}

#endif

TEST(tells_pages_from_elsewhere) {
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

/* What a page may do is said once and for all: whoever wants to allow more has to change it here, too. */
static void check_page_headers(const answer *a) {
    assert_string_equal(
        header(a, "Content-Security-Policy"),
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; "
        "connect-src 'self' https: http://localhost:* http://127.0.0.1:*; worker-src 'self'; manifest-src 'self'; "
        "base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'");
    assert_string_equal(header(a, "Referrer-Policy"), "no-referrer");
    assert_string_equal(header(a, "Cross-Origin-Opener-Policy"), "same-origin");
    assert_string_equal(header(a, "Permissions-Policy"), "camera=(), geolocation=(), microphone=()");
    assert_string_equal(header(a, "X-Content-Type-Options"), "nosniff");
    assert_null(header(a, "Set-Cookie"));
    assert_null(header(a, "Server"));
}

TEST(serves_files) {
    const answer *a = get(port, "/");
    assert_int_equal(a->status, 200);
    assert_string_equal(a->body, "<!DOCTYPE html>the page");
    assert_string_equal(header(a, "Content-Type"), "text/html; charset=utf-8");
    assert_string_equal(header(a, "Cache-Control"), "no-cache");
    check_page_headers(a);
    assert_string_equal(header(a, "X-Content-Type-Options"), "nosniff");
    assert_string_equal(get(port, "/index.html?lang=ja")->body, "<!DOCTYPE html>the page");
    assert_string_equal(get(port, "/deep/")->body, "<!DOCTYPE html>deeper");
    assert_string_equal(get(port, "/with%20space.txt")->body, "spaced");

    a = get(port, "/assets/index-a1b2.js");
    assert_string_equal(a->body, script);
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
        assert_string_equal(a->body, expected);
        if (content_range) {
            assert_string_equal(header(a, "Content-Range"), whole);
        } else {
            assert_null(header(a, "Content-Range"));
        }
    }
}

TEST(serves_ranges) {
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
    assert_string_equal(a->body, script);
}

TEST(never_leaves_the_folder) {
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
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const answer *a = get(port, paths[i]);
        if (a->status != 404 && a->status != 400) {
            print_message("%s: %d %s\n", paths[i], a->status, a->body);
        }
        assert_true(a->status == 404 || a->status == 400);
        assert_null(strstr(a->bytes, secret));
    }
    /* What comes after the start is not served, either. */
    write_file("site/later.txt", "later");
    assert_int_equal(get(port, "/later.txt")->status, 404);
    static const char with_zero[] = "GET /index.html\0.js HTTP/1.1\r\nHost: x\r\n\r\n";
    const answer *a = ask_raw(port, with_zero, sizeof with_zero - 1, false);
    assert_true(a->status == 400 || strcmp(a->body, "<!DOCTYPE html>the page") == 0);
}

/* ---- Connections ------------------------------------------------------------------------------------------------ */

TEST(keeps_connections) {
    static answer a;
    forget_answers(&a);
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

/* ---- Searches, and the end -------------------------------------------------------------------------------------- */

/* Begins as many searches as asked for, each on a connection of its own. */
static void begin_searches(int to, int *connections, int count) {
    for (int i = 0; i < count; i++) {
        connections[i] = connect_to(to);
        assert_true(connections[i] >= 0);
        send_text(connections[i], "GET /api/v1/pushfight/moves HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    }
}

TEST(searches_hinder_nobody) {
    enum { SEARCHES = 24 };
    kz_server *other;
    int to = start_at((kz_server_options){.threads = 1}, &other);
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
        set_read_limit(connections[i], 0.2);
        forget_answers(&a);
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

TEST(ends_soon) {
    enum { SEARCHES = 6 };
    kz_server *other;
    int to = start_at((kz_server_options){.threads = 2, .site = "site"}, &other);
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
        forget_answers(&a);
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

TEST(tells_why_it_can_not_start) {
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

TEST(limits_connections) {
    kz_server *other;
    int to = start_at((kz_server_options){.connections = 2, .threads = 1}, &other);
    static const char request[] = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    static answer a;
    int connections[3];
    for (int i = 0; i < 3; i++) {
        connections[i] = connect_to(to);
        send_text(connections[i], request);
        if (i < 2) {
            forget_answers(&a);
            read_answer(connections[i], &a, false);
            assert_int_equal(a.status, 200);
            check_page_headers(&a);
            /* Without a site there is a note. */
            assert_non_null(strstr(a.body, "/api/v1/openapi.json"));
        }
    }
    set_read_limit(connections[2], 0.3);
    char byte;
    assert_int_equal(recv(connections[2], &byte, 1, MSG_PEEK), -1);
    close(connections[0]);
    set_read_limit(connections[2], CLIENT_SECONDS);
    forget_answers(&a);
    read_answer(connections[2], &a, false);
    assert_int_equal(a.status, 200);
    close(connections[1]);
    close(connections[2]);
    kz_server_close(other);
}

TESTS(set_up, tear_down)
