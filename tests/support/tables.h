/* SPDX-License-Identifier: MIT
 *
 * A table file whose bytes come piece by piece, as over a network. */
#ifndef TESTS_TABLES_H
#define TESTS_TABLES_H

#include "games/dobutsu/compat/packet_source.h"
#include "games/dobutsu/compat/state_values.h"
#include "tests/support/testing.h"

#include <kanzen/solve.h>
#include <kanzen/table.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file, of which some pages are here. */
enum { PAGE = 64, PAGES_MOST = 8192 };

typedef struct download {
    uint8_t *file;
    size_t size;
    bool here[PAGES_MOST];
    bool wanted[PAGES_MOST];
    int wanted_pages;
    int gets;
    int closed;
    uint8_t *last; /* what get gave out; freed by the next, so that a sanitizer sees who looks at it too late */
} download;

/* Solves a board of Push Fight into the file at `path`, and takes its bytes. NULL on failure. */
download *solve_for_download(const char *board, const char *path);

void free_download(download *d);

/* The wanted pages arrive. */
void arrive(download *d);

kz_byte_source begin(download *d, bool all_here);

/* For tests of how exports of Dobutsu Shogi are written, whatever the values are: made-up ones, in place of the
 * library's own, which take a minute to find. The linker puts these in their place (--wrap, CMakeLists.txt). */

enum { MADE_UP_ROWS = 20000, MADE_UP_PACKET_BYTES = KZ_DOBUTSU_PACKETS_ENTRIES * KZ_DOBUTSU_PACKETS_ENTRY_BYTES };

/* Packets [first, first + count) of such a source; each is filled with the lowest byte of its number. */
kz_status write_made_up_packets(const char *path, uint64_t first, uint64_t count, bool tar, kz_error *error);

/* Tables of Push Fight's smallest boards, which are solved in no time. */

/* Solves the board into a file of the current folder and opens it. */
kz_table *solved_board(const char *board);

#endif
