/* SPDX-License-Identifier: MIT */
#include "tests/support/server_testing.h"

kz_server_table tables[1];

kz_server *start(kz_server_options options) {
    kz_server *opened;
    kz_error error = {.status = KZ_OK};
    if (kz_server_open(&options, &opened, &error) != KZ_OK) {
        print_message("%s\n", error.message);
        return NULL;
    }
    return opened;
}

int start_at(kz_server_options options, kz_server **opened) {
    *opened = start(options);
    assert_non_null(*opened);
    return port_of(kz_server_url(*opened));
}

void write_bytes(const char *path, const char *bytes, size_t size) {
    assert_int_equal(kz_write_file(path, bytes, size, true, NULL), KZ_OK);
}

void write_file(const char *path, const char *text) { write_bytes(path, text, strlen(text)); }

void make_site(void) {
    mkdir("site", 0777);
    mkdir("site/assets", 0777);
    write_file("site/index.html", "<!DOCTYPE html>the page");
    write_file("site/assets/index-a1b2.js", script);
}

bool make_table(void) {
    const kz_game *game = kz_game_find("pushfight");
    kz_summary summary;
    kz_table *table;
    kz_error error;
    if (kz_solve(game, kz_rules_find(game, "hook"), table_path, NULL, &summary, &error) != KZ_OK ||
        kz_table_open(table_path, &table, &error) != KZ_OK) {
        print_message("%s\n", error.message);
        return false;
    }
    tables[0] = (kz_server_table){table, table_path};
    return true;
}

void close_table(void) { kz_table_close((kz_table *)tables[0].table); }

void check_error(const answer *a, int status, const char *part) {
    if (a->status != status || !strstr(a->body, part) || strncmp(a->body, "{\"error\":", 9) != 0) {
        print_message("%d %s is not %d with '%s'\n", a->status, a->body, status, part);
    }
    assert_int_equal(a->status, status);
    assert_non_null(strstr(a->body, part));
    assert_memory_equal(a->body, "{\"error\":", 9);
    assert_string_equal(header(a, "Content-Type"), "application/json");
    assert_string_equal(header(a, "Access-Control-Allow-Origin"), "*");
}

char *repeated(const char *before, char character, size_t count, const char *after) {
    size_t begin = strlen(before);
    char *text = malloc(begin + count + strlen(after) + 1);
    memcpy(text, before, begin);
    memset(text + begin, character, count);
    memcpy(text + begin + count, after, strlen(after) + 1);
    return text;
}
