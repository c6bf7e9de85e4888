/* SPDX-License-Identifier: MIT
 *
 * Moves as numbers, for the solver (numbers_after and numbers_before of kanzen/define.h): a position is taken apart
 * once, and each move changes one thing in it. What is rare (en passant, several kings) goes through the plain
 * functions. */
#ifndef KZ_VARIANT_NUMBERS_H
#define KZ_VARIANT_NUMBERS_H

#include "games/texts/index.h"

typedef struct kz_variant_numbers kz_variant_numbers;

/* Tables for a variant and an index, which must stay. NULL: no memory. */
kz_variant_numbers *kz_variant_numbers_new(const kz_variant *variant, const kz_variant_index *index);
void kz_variant_numbers_free(kz_variant_numbers *numbers);

int kz_variant_numbers_after(const kz_variant_numbers *numbers, uint64_t index, uint64_t *list, kz_sight *sight);
int kz_variant_numbers_before(const kz_variant_numbers *numbers, uint64_t index, uint64_t *list, int room);

#endif
