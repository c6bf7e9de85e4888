/* SPDX-License-Identifier: MIT
 *
 * Files, bytes and positions for tests. */
#ifndef TESTS_SHOGI_BYTES_H
#define TESTS_SHOGI_BYTES_H

#include "tests/support/testing.h"

#include <kanzen/shogi_files.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct buffer {
    uint8_t *bytes;
    size_t size;
};

void put_file(const char *path, const void *bytes, size_t size);
/* A file in memory, with nothing behind its last byte. */
struct buffer read_file(const char *path);
/* One of the source. */
struct buffer read_of_source(const char *folder, const char *name);
FILE *open_shogi_data(const char *name);
bool exists(const char *path);
void assert_file(const char *path, struct buffer expected);

/* Two digits for a byte; returns how many there are. */
size_t from_hex(const char *text, uint8_t *bytes);

kz_shogi_position shogi_parsed(const char *sfen);

kz_shogi_source source_of(const char *path, kz_shogi_record record);
kz_shogi_target target_of(const char *path, kz_shogi_record record);

#endif
