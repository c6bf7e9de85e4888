/* SPDX-License-Identifier: MIT
 *
 * The notes of a member of a team: some bytes for each of its slices. They are kept compressed, because all of them are
 * in memory and each is read once a phase. */
#ifndef KZ_SOLVE_SLICE_NOTES_H
#define KZ_SOLVE_SLICE_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kz_slice_notes kz_slice_notes;

/* For slices 0 to count - 1; NULL if there is no memory. */
kz_slice_notes *kz_slice_notes_open(uint64_t count, int workers);
void kz_slice_notes_close(kz_slice_notes *notes);

/* From several threads at once, with different workers and slices. False: no memory. */
bool kz_slice_notes_put(kz_slice_notes *notes, int worker, uint64_t slice, const uint8_t *bytes, size_t size);
/* As many bytes as were put; all zero if there were none. */
bool kz_slice_notes_get(kz_slice_notes *notes, int worker, uint64_t slice, uint8_t *bytes, size_t size);

#endif
