/* SPDX-License-Identifier: MIT
 *
 * Random positions, the same ones in every run, and positions from their notation. */
#ifndef TESTS_DOBUTSU_SAMPLES_H
#define TESTS_DOBUTSU_SAMPLES_H

#include <kanzen/dobutsu.h>
#include <kanzen/game.h>

/* A number below `limit` from Marsaglia's xorshift; the seed must not be 0. */
int sample_below(uint64_t *seed, int limit);

/* Any valid arrangement, hens and captured lions among them; the mover's lion is captured in one of 16. */
kz_dobutsu sample_position(uint64_t *seed);

/* The position of Dobutsu Shogi, by the official rules, that this text stands for. */
kz_position dobutsu_at(const char *text);

#endif
