/* SPDX-License-Identifier: MIT
 *
 * What all versions of the table file have in common when they are written: sections before the blocks, a header with
 * their sums, and the digest of it all. docs/format-table.md describes it. */
#ifndef KZ_TABLE_FRAME_H
#define KZ_TABLE_FRAME_H

#include "base/file.h"

#include <kanzen/game.h>
#include <kanzen/progress.h>

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

/* Where the blocks begin. The sizes of all sections must be known. */
uint64_t kz_frame_blocks_at(const kz_frame *frame);

/* Writes everything before the blocks, which are in the file already: it is `file_bytes` long. */
kz_status kz_frame_write(const kz_frame *frame, kz_outfile *file, uint64_t file_bytes, const kz_progress *progress,
                         kz_error *error);
void kz_frame_free(kz_frame *frame);

#endif
