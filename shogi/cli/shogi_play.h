/* SPDX-License-Identifier: MIT
 *
 * Positions of shogi as they come up in play, for measuring. */
#ifndef CLI_SHOGI_PLAY_H
#define CLI_SHOGI_PLAY_H

#include <kanzen/shogi.h>

/* Positions of games that are played with random legal moves, in half of them with a liking for captures, so that
 * hands are large. The same seed gives the same ones everywhere. */
void play_shogi_at_random(uint64_t seed, kz_shogi_position *positions, size_t count);

#endif
