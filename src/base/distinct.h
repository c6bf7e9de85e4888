/* SPDX-License-Identifier: MIT
 *
 * Lists of numbers without repetitions. */
#ifndef KZ_BASE_DISTINCT_H
#define KZ_BASE_DISTINCT_H

#include <stdint.h>

/* Sorts numbers and drops what comes twice; returns how many are left. Meant for short lists, which it sorts by
 * insertion. */
unsigned kz_distinct64(uint64_t *numbers, unsigned count);

#endif
