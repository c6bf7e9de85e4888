/* SPDX-License-Identifier: MIT
 *
 * Tables of all values: the runs of one block as bytes. run_coder.h decodes them. */
#ifndef KZ_TABLE_RUN_ENCODER_H
#define KZ_TABLE_RUN_ENCODER_H

#include "table/run_coder.h"
#include "table/run_views.h"

/* Whether numbers are such as a table can hold: what the rules tell, and values in open runs. If so, `trail`, memory
 * for as many numbers as the block has, gets them. */
bool kz_run_coder_fits(const kz_run_block *block, const uint8_t *numbers, uint8_t *trail);
/* The same where only the open runs are given, a word for each: its lower bytes, lowest first, are the numbers. */
bool kz_run_coder_fits_open(const kz_run_block *block, const uint64_t *runs, uint8_t *trail);

/* Lists what coding a block would use, and counts what is listed. `trail` is as kz_run_coder_fits has left it, and the
 * same afterwards. `items` has room for KZ_RUN_STEPS_MOST for each place. Returns how many there are. */
size_t kz_run_coder_list(const kz_run_block *block, kz_run_look_many *look, uint8_t *trail, uint32_t *items);
void kz_run_coder_count(const uint32_t *items, size_t count, kz_run_counts *counts);

/* Returns how many bytes it wrote. `trail` as above. `steps` has room for KZ_RUN_STEPS_MOST for each place. */
size_t kz_run_coder_encode(const kz_run_model *model, const kz_run_block *block, kz_run_look_many *look, uint8_t *trail,
                           uint32_t *steps, uint8_t *bytes);

#endif
