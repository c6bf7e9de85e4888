/* SPDX-License-Identifier: MIT
 *
 * Moves of Dobutsu Shogi as numbers (kanzen/define.h): a position by its index, and the indices that moves lead to and
 * come from, by the tables of space.h, forward.h and unmoves.h. Only the solved zone has an index. */
#ifndef KZ_DOBUTSU_NUMBERS_H
#define KZ_DOBUTSU_NUMBERS_H

#include <kanzen/define.h>

typedef struct kz_dobutsu_numbers kz_dobutsu_numbers;

/* NULL if there is no memory. */
kz_dobutsu_numbers *kz_dobutsu_numbers_new(int rules);
void kz_dobutsu_numbers_free(kz_dobutsu_numbers *numbers);

/* The tables of the index that it has made. */
const struct kz_dobutsu_space *kz_dobutsu_numbers_space(const kz_dobutsu_numbers *numbers);

/* As `numbers_after` and `numbers_before` promise. */
int kz_dobutsu_numbers_after(const kz_dobutsu_numbers *numbers, uint64_t index, uint64_t *list, kz_sight *sight);
int kz_dobutsu_numbers_before(const kz_dobutsu_numbers *numbers, uint64_t index, uint64_t *list);

#endif
