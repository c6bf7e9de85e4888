/* SPDX-License-Identifier: MIT
 *
 * What all versions of the table file have in common when they are written: sections before the blocks, a header with
 * their sums, and the digest of it all. docs/format-table.md describes it. */
#ifndef KZ_TABLE_FRAME_H
#define KZ_TABLE_FRAME_H

#include "base/file.h"
#include "game/gamedef.h"

enum { KZ_SECTION_COUNTS, KZ_SECTION_MODEL, KZ_SECTION_INDEX, KZ_SECTIONS };

/* A part of the file in memory. */
typedef struct kz_section {
    uint8_t *bytes;
    size_t size;
} kz_section;

typedef struct kz_frame {
    uint32_t version;
    uint32_t block; /* entries a block */
    const char *game;
    const char *rules;
    uint64_t entries;     /* of the index */
    uint32_t fingerprint; /* of the rules; 0: none */
    kz_section sections[KZ_SECTIONS];
} kz_frame;

/* Adds an entry to a counts section and returns where the next one goes; nothing is added for the number 0. */
uint8_t *kz_frame_put_count(uint8_t *at, kz_outcome outcome, int distance, uint64_t number);

/* Makes a counts section of a histogram. */
kz_status kz_frame_put_histogram(kz_frame *frame, const kz_histogram *histogram, kz_error *error);

/* Where the blocks begin. The sizes of all sections must be known. */
uint64_t kz_frame_blocks_at(const kz_frame *frame);

/* Writes a file: `blocks` writes the blocks and tells how long it is with them; then comes what lies before them.
 * Nothing is left behind if something fails. */
typedef kz_status kz_write_blocks(void *context, kz_outfile *file, uint64_t *file_bytes, kz_error *error);
kz_status kz_frame_write_file(const kz_frame *frame, const char *path, bool replace, kz_write_blocks *blocks,
                              void *context, const kz_progress *progress, kz_error *error);
void kz_frame_free(kz_frame *frame);

#endif
