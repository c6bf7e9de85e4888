/* SPDX-License-Identifier: MIT
 *
 * Tables of all values: the runs of one block as bytes and back, with the probabilities of run_model.h. */
#ifndef KZ_TABLE_RUN_CODER_H
#define KZ_TABLE_RUN_CODER_H

#include "table/run_model.h"

/* How runs and their neighbours lie. Read-only once it is made. */
typedef struct kz_run_layout {
    unsigned run;            /* places a run */
    unsigned group;          /* places a group */
    kz_entry_plan *places;   /* [group]: the game fills them in */
    uint8_t weights[2][128]; /* of sets of the first seven neighbours, and of the others */
} kz_run_layout;

/* False: no memory. Close it in any case. */
bool kz_run_layout_open(kz_run_layout *layout, unsigned run, unsigned group);
void kz_run_layout_close(kz_run_layout *layout);

/* A step for each candidate, then the value by itself. */
enum { KZ_RUN_STEPS_MOST = KZ_CANDIDATES + KZ_SYMBOL_STEPS_MOST };

/* A block: so many groups, and what the game tells about them. */
typedef struct kz_run_block {
    const kz_run_layout *layout;
    const kz_group_plan *groups;
    unsigned count;
} kz_run_block;

/* Whether numbers are such as a table can hold: what the rules tell, and values in open runs. If so, `trail`, memory
 * for as many numbers as the block has, gets them. */
bool kz_run_coder_fits(const kz_run_block *block, const uint8_t *numbers, uint8_t *trail);

/* Counts what coding a block would use; nothing if the numbers don't fit. */
void kz_run_coder_count(const kz_run_block *block, const uint8_t *numbers, uint8_t *trail, kz_run_counts *counts);

/* Returns how many bytes it wrote. `trail` is as kz_run_coder_fits has left it, and the same afterwards. `steps` has
 * room for KZ_RUN_STEPS_MOST for each place. */
size_t kz_run_coder_encode(const kz_run_model *model, const kz_run_block *block, uint8_t *trail, uint32_t *steps,
                           uint8_t *bytes);

/* All numbers of a block. False if the bytes are not what an encoder wrote for it. Does not read past `size`. */
bool kz_run_coder_decode(const kz_run_model *model, const kz_run_block *block, const uint8_t *bytes, size_t size,
                         uint8_t *numbers);

#endif
