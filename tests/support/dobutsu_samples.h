/* SPDX-License-Identifier: MIT
 *
 * Random positions, the same ones in every run. */
#ifndef TESTS_DOBUTSU_SAMPLES_H
#define TESTS_DOBUTSU_SAMPLES_H

#include <kanzen/dobutsu.h>

/* A number below `limit` from Marsaglia's xorshift; the seed must not be 0. */
int sample_below(uint64_t *seed, int limit);

/* Any valid arrangement, hens and captured lions among them; the mover's lion is captured in one of 16. */
kz_dobutsu sample_position(uint64_t *seed);

#endif
