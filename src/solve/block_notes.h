/* SPDX-License-Identifier: MIT
 *
 * The notes of a member of a team: some bytes for each of its blocks. They are kept compressed, because all of them are
 * in memory and each is read once a phase. */
#ifndef KZ_SOLVE_BLOCK_NOTES_H
#define KZ_SOLVE_BLOCK_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kz_block_notes kz_block_notes;

/* For blocks 0 to count - 1; NULL if there is no memory. */
kz_block_notes *kz_block_notes_open(uint64_t count, int workers);
void kz_block_notes_close(kz_block_notes *notes);

/* From several threads at once, with different workers and blocks. False: no memory. */
bool kz_block_notes_put(kz_block_notes *notes, int worker, uint64_t block, const uint8_t *bytes, size_t size);
/* As many bytes as were put; all zero if there were none. */
bool kz_block_notes_get(kz_block_notes *notes, int worker, uint64_t block, uint8_t *bytes, size_t size);

#endif
