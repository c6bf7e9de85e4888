/* SPDX-License-Identifier: MIT
 *
 * Tables of all values: the runs of one block as bytes. run_coder.h decodes them. */
#ifndef KZ_TABLE_RUN_ENCODER_H
#define KZ_TABLE_RUN_ENCODER_H

#include "games/pushfight/table/run_coder.h"
#include "games/pushfight/table/run_views.h"

/* Whether numbers are such as a table can hold: what the rules tell, and values in open runs. If so, `trail`, memory
 * for as many numbers as the block has, gets them. */
bool kz_run_coder_fits(const kz_run_block *block, const uint8_t *numbers, uint8_t *trail);
/* The same where only the open runs are given, a word for each: its lower bytes, lowest first, are the numbers. */
typedef bool kz_run_fits_open(const kz_run_block *block, const uint64_t *runs, uint8_t *trail);

kz_run_fits_open kz_run_coder_fits_open; /* by the fastest way that the processor can run */
kz_run_fits_open kz_run_fits_open_plain; /* for any processor */
kz_run_fits_open kz_run_fits_open_vbmi2; /* for layouts that have windows */

/* Which bytes of a word are KZ_NO_ENTRY: their upper bits are set. */
static inline uint64_t kz_run_holes(uint64_t word) {
    const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    return ((word & low) + (low / 0x7F)) & word & ~low;
}

/* What is coded of a block: steps, or, without a model, items to be counted. `trail` is as kz_run_coder_fits has left
 * it, and the same afterwards. `out` has room for KZ_RUN_STEPS_MOST for each place. Returns how many there are. */
typedef size_t kz_run_code(const kz_run_model *model, const kz_run_block *block, kz_run_look_many *look, uint8_t *trail,
                           uint32_t *out);

kz_run_code kz_run_code_plain; /* for any processor */
kz_run_code kz_run_code_vbmi2; /* for layouts that have windows */

/* Lists what coding a block would use, and counts what is listed. */
size_t kz_run_coder_list(const kz_run_block *block, kz_run_look_many *look, uint8_t *trail, uint32_t *items);
void kz_run_coder_count(const uint32_t *items, size_t count, kz_run_counts *counts);

/* An item is 2 * context + answer, or this for a value by itself. */
enum { KZ_RUN_VALUE_ITEM = 1U << 30 };

static inline uint32_t kz_run_value_item(unsigned context, unsigned value) {
    return KZ_RUN_VALUE_ITEM + 256 * context + value;
}

/* Returns how many bytes it wrote. `trail` and `steps` as above. */
size_t kz_run_coder_encode(const kz_run_model *model, const kz_run_block *block, kz_run_look_many *look, uint8_t *trail,
                           uint32_t *steps, uint8_t *bytes);

/* The steps of a block: what kz_run_coder_encode codes. */
size_t kz_run_coder_steps(const kz_run_model *model, const kz_run_block *block, kz_run_look_many *look, uint8_t *trail,
                          uint32_t *steps);

#endif
