/* SPDX-License-Identifier: MIT
 *
 * Lists of numbers in order, and without repetitions. */
#ifndef KZ_BASE_DISTINCT_H
#define KZ_BASE_DISTINCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorts numbers and drops what comes twice; returns how many are left. Meant for short lists, which it sorts by
 * insertion. */
unsigned kz_distinct64(uint64_t *numbers, unsigned count);

/* Sorts a long list. False: no memory. */
bool kz_sort64(uint64_t *numbers, size_t count);

#endif
