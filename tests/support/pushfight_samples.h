/* SPDX-License-Identifier: MIT
 *
 * What the tests of Push Fight share. */
#ifndef TESTS_PUSHFIGHT_SAMPLES_H
#define TESTS_PUSHFIGHT_SAMPLES_H

#include "tests/support/testing.h"

#include <kanzen/game.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const kz_game *game(void);

kz_position parsed(int rules, const char *text);

/* A fixed sequence of numbers that look random (xorshift). */
uint64_t next_random(uint64_t *state);

/* A file of tests/data/pushfight. */
FILE *open_data(const char *name);

#endif
