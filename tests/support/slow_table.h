/* SPDX-License-Identifier: MIT
 *
 * A table file whose bytes come piece by piece, as over a network. */
#ifndef TESTS_SLOW_TABLE_H
#define TESTS_SLOW_TABLE_H

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

#endif
