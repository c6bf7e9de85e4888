/* SPDX-License-Identifier: MIT
 *
 * Files with right checksums and wrong contents: whoever changes the bytes of a file seals it again with these. Written
 * from docs/format-*.md. A sum over bytes that the file does not have is left alone. */
#ifndef TESTS_FORGE_H
#define TESTS_FORGE_H

#include "games/dobutsu/table/coder.h"
#include "tests/support/testing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* A table of version 1, 2 or 3: checks of the blocks as the index cuts them, sums of the sections, digest, header. */
void forge_seal_table(uint8_t *bytes, size_t size);
/* The file of a phase. */
void forge_seal_phase(uint8_t *bytes, size_t size);
/* The checkpoint of a retrograde analysis with so many chunks. */
void forge_seal_checkpoint(uint8_t *bytes, size_t size, uint64_t chunks);
/* The state of a conversion. */
void forge_seal_state(uint8_t *bytes, size_t size);

/* A block of a table of losses as its writer would code it, the plain way. Returns how many bytes: KZ_BLOCK_BYTES_MOST
 * at most. */
size_t forge_block(const kz_model *model, const kz_plan *plan, const uint8_t *stored, unsigned positions,
                   uint8_t *bytes);

/* A number that a reader may not expect in place of `old`: 0, 1, one more or less, halves, doubles, the largest ones,
 * ... */
enum { FORGE_NUMBERS = 14 };
uint64_t forge_number(uint64_t old, int which, uint64_t file_bytes);

/* Whole files in memory, for tests that damage them or compare them. */

typedef struct content {
    uint8_t *bytes; /* with room for some more */
    size_t size;
} content;

/* Nothing if there is none, or if it is a folder. */
content content_of(const char *path);

/* One that has to be there, and to have something in it. */
content needed_content(const char *path);

/* A file of the source, whose path begins at the root, open for reading. */
FILE *open_source(const char *name);

void put_content(const char *path, const void *bytes, size_t size);

/* Whether two files, which have to be there, have the same bytes. */
bool same_contents(const char *left, const char *right);

#endif
