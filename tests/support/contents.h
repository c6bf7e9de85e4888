/* SPDX-License-Identifier: MIT
 *
 * Whole files in memory, for tests that damage them or compare them. */
#ifndef TESTS_CONTENTS_H
#define TESTS_CONTENTS_H

#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

typedef struct content {
    uint8_t *bytes; /* with room for some more */
    size_t size;
} content;

/* Nothing if there is none, or if it is a folder. */
static inline content content_of(const char *path) {
    content c = {NULL, 0};
    struct stat found;
    FILE *file = stat(path, &found) == 0 && S_ISREG(found.st_mode) ? fopen(path, "rb") : NULL;
    if (file) {
        c = (content){malloc((size_t)found.st_size + 64), (size_t)found.st_size};
        assert_non_null(c.bytes);
        assert_int_equal(fread(c.bytes, 1, c.size, file), c.size);
        fclose(file);
    }
    return c;
}

/* One that has to be there, and to have something in it. */
static inline content needed_content(const char *path) {
    content c = content_of(path);
    if (!c.bytes || c.size == 0) {
        fail_msg("%s is missing or empty", path);
        abort(); /* fail_msg does not return, but who reads the code only can't know */
    }
    return c;
}

static inline void put_content(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

#endif
