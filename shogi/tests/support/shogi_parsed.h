/* SPDX-License-Identifier: MIT
 *
 * Positions of shogi as tests write them down. */
#ifndef TESTS_SHOGI_PARSED_H
#define TESTS_SHOGI_PARSED_H

#include "tests/support/testing.h"

#include <kanzen/shogi.h>
#include <string.h>

kz_shogi_position shogi_parsed(const char *sfen);

#endif
