/* SPDX-License-Identifier: MIT
 *
 * Tables of all values: the runs of one block as bytes and back, with the probabilities of run_model.h. */
#ifndef KZ_TABLE_RUN_CODER_H
#define KZ_TABLE_RUN_CODER_H

#include "games/pushfight/table/run_model.h"

/* How runs and their neighbours lie. Read-only once it is made. */
typedef struct kz_run_layout {
    unsigned run;            /* places a run */
    unsigned group;          /* places a group */
    kz_entry_plan *places;   /* [group]: the game fills them in */
    uint8_t weights[2][128]; /* of sets of the first seven neighbours, and of the others */
    /* For contexts (run_view.h). */
    uint16_t
        ternary[1 << KZ_RUN_NEAREST]; /* a set of the nearest as a number with a digit 1 for each, in the base of 3 */
    uint8_t levels[256];              /* of a candidate's value */
    uint8_t questions[KZ_CANDIDATES][256]; /* by the number of the question and the candidate after it */
    struct kz_run_windows *windows;        /* of the places (run_window.h); NULL: there are none */
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

/* Fills in what the rules tell about the numbers of a block; the others are KZ_NO_ENTRY. */
void kz_run_block_begin(const kz_run_block *block, uint8_t *numbers);

/* All numbers of a block. False if the bytes are not what an encoder wrote for it. Does not read past `size`. */
bool kz_run_coder_decode(const kz_run_model *model, const kz_run_block *block, const uint8_t *bytes, size_t size,
                         uint8_t *numbers);

#endif
