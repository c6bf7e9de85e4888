/* SPDX-License-Identifier: MIT
 *
 * Lists of tables, metalink files and the cache of pieces: what is written, and what is refused. */
#include "app/net/manifest.h"
#include "app/net/metalink.h"
#include "app/net/piece_cache.h"
#include "tests/support/testing.h"

#include <fcntl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIGEST "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define TABLE "{\"game\":\"g\",\"rules\":\"r\",\"file\":\"f.kzt\",\"bytes\":7,\"digest\":\"" DIGEST "\"}"

TEST(test_manifest) {
    const kz_manifest_table tables[] = {
        {.game = "one", .rules = "a-1", .file = "one.kzt", .bytes = 1, .digest = DIGEST, .sha256 = DIGEST},
        {.game = "two", .rules = "b", .file = "two.kzt", .bytes = INT64_MAX, .digest = DIGEST},
    };
    size_t length;
    char *text = kz_manifest_write(tables, 2, &length);
    assert_non_null(text);
    assert_int_equal(text[length - 1], '\n');
    kz_manifest manifest;
    assert_int_equal(kz_manifest_read("m", text, length, &manifest, NULL), KZ_OK);
    assert_int_equal(manifest.count, 2);
    const kz_manifest_table *two = kz_manifest_find(&manifest, "two", "b");
    assert_non_null(two);
    assert_string_equal(two->file, "two.kzt");
    assert_int_equal(two->bytes, INT64_MAX);
    assert_null(two->sha256);
    assert_string_equal(kz_manifest_find(&manifest, "one", "a-1")->sha256, DIGEST);
    assert_null(kz_manifest_find(&manifest, "one", "b"));
    kz_manifest_free(&manifest);
    /* Cut off anywhere, it is none: the last brace and the line end aside. */
    for (size_t cut = 0; cut + 1 < length; cut++) {
        assert_int_equal(kz_manifest_read("m", text, cut, &manifest, NULL), KZ_ERR_CORRUPT);
    }
    free(text);
}

TEST(test_manifest_texts) {
    static const struct {
        const char *text;
        const char *wrong; /* NULL: nothing */
    } lists[] = {
        {"{\"tables\":[]}", NULL},
        {"{\"tables\":[" TABLE "]}", NULL},
        {" { \"x\" : {\"a\":[1,-2.5e3,true,false,null,\"]}\"],\"b\":{}} , \"tables\" : [ ] , \"y\" : [[]] } ", NULL},
        {"{\"manifest\":1,\"tables\":[]}", NULL},
        {"{\"manifest\":2,\"tables\":[]}", "a list of version 2"},
        {"{\"manifest\":\"1\",\"tables\":[]}", "whole number"},
        {"{\"manifest\":01,\"tables\":[]}", "whole number"},
        {"{\"manifest\":1.0,\"tables\":[]}", "whole number"},
        {"{\"manifest\":99999999999999999999,\"tables\":[]}", "too large"},
        {"{}", "no \"tables\""},
        {"[]", "there should be '{'"},
        {"", "there should be '{'"},
        {"{\"tables\":[]} x", "something follows"},
        {"{\"tables\":{}}", "there should be '['"},
        {"{\"tables\":[1]}", "there should be '{'"},
        {"{\"tables\":[{}]}", "table 1: \"game\""},
        {"{\"tables\":[" TABLE ",{\"game\":\"G\"}]}", "table 2: \"game\""},
        {"{\"tables\":[{\"game\":\"g\",\"rules\":\"r\",\"file\":\"../f\"}]}", "\"file\" should be"},
        {"{\"tables\":[{\"game\":\"g\",\"rules\":\"r\",\"file\":\"a/f\"}]}", "\"file\" should be"},
        {"{\"tables\":[{\"game\":\"g\",\"rules\":\"r\",\"file\":\"f\"}]}", "\"bytes\" should be"},
        {"{\"tables\":[{\"game\":\"g\",\"rules\":\"r\",\"file\":\"f\",\"bytes\":1,\"digest\":\"ab\"}]}",
         "64 hexadecimal"},
        {"{\"x\":wrong,\"tables\":[]}", "there should be a value"},
        {"{\"x\":[1 2],\"tables\":[]}", "',' or ']'"},
        {"{\"x\":[1,],\"tables\":[]}", "another value"},
        {"{\"x\":{\"a\" 1},\"tables\":[]}", "':'"},
        {"{\"x\":\"\x01\",\"tables\":[]}", "control character"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        kz_manifest manifest;
        kz_error error;
        kz_status status = kz_manifest_read("list", lists[i].text, strlen(lists[i].text), &manifest, &error);
        if (!lists[i].wrong) {
            assert_int_equal(status, KZ_OK);
            kz_manifest_free(&manifest);
        } else {
            assert_int_equal(status, KZ_ERR_CORRUPT);
            assert_non_null(strstr(error.message, lists[i].wrong));
        }
    }
}

TEST(test_deep) {
    /* 64 arrays in one another are skipped, more are refused. */
    for (int depth = 64; depth <= 65; depth++) {
        char text[256] = "{\"x\":";
        size_t length = strlen(text);
        memset(text + length, '[', (size_t)depth);
        memset(text + length + depth, ']', (size_t)depth);
        static const char end[] = ",\"tables\":[]}";
        memcpy(text + length + 2 * depth, end, sizeof end);
        kz_manifest manifest;
        kz_status status = kz_manifest_read("list", text, strlen(text), &manifest, NULL);
        assert_int_equal(status, depth == 64 ? KZ_OK : KZ_ERR_CORRUPT);
        if (status == KZ_OK) {
            kz_manifest_free(&manifest);
        }
    }
}

TEST(test_urls) {
    static const char *const good[] = {"http://a", "https://a.example/b?c=d&e='f'", "ftp://a/"};
    static const char *const bad[] = {"",           "a",          "http:/a",    "http://",       "://a",
                                      "http://a b", "http://a\"", "http://<a>", "h\xc3\xa4://a", "http://a\n"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(kz_metalink_is_url(good[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(kz_metalink_is_url(bad[i]));
    }
}

enum { PIECE = 1000 };

static void fill(uint8_t *data, unsigned seed) {
    for (int i = 0; i < PIECE; i++) {
        data[i] = (uint8_t)(seed * 31 + (unsigned)i);
    }
}

static bool holds(kz_piece_cache *cache, unsigned number) {
    uint8_t data[PIECE];
    uint8_t right[PIECE];
    fill(right, number);
    return kz_piece_cache_get(cache, number, data, PIECE) && memcmp(data, right, PIECE) == 0;
}

static void put(kz_piece_cache *cache, unsigned number) {
    uint8_t data[PIECE];
    fill(data, number);
    kz_piece_cache_put(cache, number, data, PIECE);
}

TEST(test_cache) {
    static const uint8_t one[KZ_PIECE_KEY_BYTES] = {1};
    static const uint8_t two[KZ_PIECE_KEY_BYTES] = {2};
    uint8_t data[PIECE];
    kz_piece_cache *cache = kz_piece_cache_open("cache/deep", 1 << 20, one);
    kz_piece_cache *other = kz_piece_cache_open("cache/deep", 1 << 20, two);
    assert_non_null(cache);
    assert_non_null(other);
    assert_false(holds(cache, 3));
    put(cache, 3);
    assert_true(holds(cache, 3));
    assert_false(holds(other, 3));                               /* another key */
    assert_false(holds(cache, 4));                               /* another piece */
    assert_false(kz_piece_cache_get(cache, 3, data, PIECE - 1)); /* another size: it is dropped */
    assert_false(holds(cache, 3));
    put(cache, 3);
    kz_piece_cache_drop(cache, 3);
    assert_false(holds(cache, 3));

    /* A piece that is another's, byte by byte damaged, or cut: never there. */
    const char *path = "cache/deep/tables/01000000000000000000000000000000/5";
    put(cache, 5);
    assert_int_equal(rename(path, "cache/deep/tables/01000000000000000000000000000000/6"), 0);
    assert_false(holds(cache, 6));
    for (long at = 0; at < PIECE + 32; at += 7) {
        put(cache, 5);
        FILE *file = fopen(path, "r+");
        assert_non_null(file);
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        int byte = getc(file);
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        assert_int_not_equal(putc(byte ^ 1, file), EOF);
        assert_int_equal(fclose(file), 0);
        assert_false(holds(cache, 5));
        assert_int_not_equal(access(path, F_OK), 0); /* and it is gone */
    }
    put(cache, 5);
    assert_int_equal(truncate(path, 100), 0);
    assert_false(holds(cache, 5));
    assert_int_equal(symlink("/dev/zero", path), 0);
    assert_false(holds(cache, 5));
    kz_piece_cache_close(cache);
    kz_piece_cache_close(other);

    /* No cache at all */
    assert_null(kz_piece_cache_open("", 1 << 20, one));
    assert_null(kz_piece_cache_open("/dev/null/cache", 1 << 20, one));
    put(NULL, 1);
    assert_false(holds(NULL, 1));
    kz_piece_cache_drop(NULL, 1);
    kz_piece_cache_close(NULL);
}

TEST(test_cache_is_bounded) {
    static const uint8_t key[KZ_PIECE_KEY_BYTES] = {3};
    const char *folder = "small/tables/03000000000000000000000000000000";
    char path[128];
    kz_piece_cache *cache = kz_piece_cache_open("small", 1 << 20, key);
    for (unsigned i = 0; i < 10; i++) {
        put(cache, i);
        snprintf(path, sizeof path, "%s/%u", folder, i);
        const struct timespec used[2] = {{.tv_sec = 1000000000 + i}, {.tv_sec = 1000000000 + i}};
        assert_int_equal(utimensat(AT_FDCWD, path, used, 0), 0);
    }
    assert_true(holds(cache, 0)); /* so it was used last */
    kz_piece_cache_close(cache);
    /* Now there may be 5 of them; three quarters are 3. The new one is one of these. */
    cache = kz_piece_cache_open("small", (PIECE + 32) * 5, key);
    put(cache, 10);
    kz_piece_cache_close(cache);
    cache = kz_piece_cache_open("small", 1 << 20, key);
    for (unsigned i = 0; i <= 10; i++) {
        assert_int_equal(holds(cache, i), i == 0 || i == 9 || i == 10);
    }
    kz_piece_cache_close(cache);
    /* One that is too large for the cache is not kept. */
    cache = kz_piece_cache_open("none", PIECE, key);
    put(cache, 1);
    assert_false(holds(cache, 1));
    kz_piece_cache_close(cache);
}

TESTS(NULL, NULL)
