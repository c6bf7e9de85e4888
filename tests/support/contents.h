/* SPDX-License-Identifier: MIT
 *
 * Whole files in memory, for tests that damage them or compare them. */
#ifndef TESTS_CONTENTS_H
#define TESTS_CONTENTS_H

#include "tests/support/testing.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

typedef struct content {
    uint8_t *bytes; /* with room for some more */
    size_t size;
} content;

/* Nothing if there is none, or if it is a folder. */
content content_of(const char *path);

/* One that has to be there, and to have something in it. */
content needed_content(const char *path);

void put_content(const char *path, const void *bytes, size_t size);

/* Whether two files, which have to be there, have the same bytes. */
bool same_contents(const char *left, const char *right);

#endif
