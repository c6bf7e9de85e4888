/* SPDX-License-Identifier: MIT
 *
 * What the tests of the server share: a small table, a site, a server with both, and what errors look like. */
#ifndef TESTS_SERVER_TESTING_H
#define TESTS_SERVER_TESTING_H

#include "tests/support/http_client.h"

#include "app/server/server.h"
#include <kanzen/paths.h>
#include <kanzen/solve.h>
#include <kanzen/system.h>
#include <sys/stat.h>

static const char table_path[] = "hook.kzt";

static const char script[] = "console.log('0123456789');";

extern kz_server_table tables[1];

/* NULL: the reason was printed. */
kz_server *start(kz_server_options options);
/* The same, and it has to succeed; the port. */
int start_at(kz_server_options options, kz_server **opened);

void write_bytes(const char *path, const char *bytes, size_t size);

void write_file(const char *path, const char *text);

/* A site with a page and a script. */
void make_site(void);

/* The table of the smallest board. False: the reason was printed. */
bool make_table(void);

void close_table(void);

/* An error as the API answers it, with `part` in it. */
void check_error(const answer *a, int status, const char *part);

/* before, `count` times the character, after. The caller's. */
char *repeated(const char *before, char character, size_t count, const char *after);

#endif
