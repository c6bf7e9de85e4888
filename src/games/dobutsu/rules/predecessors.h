/* SPDX-License-Identifier: MIT
 *
 * Moves taken back, one position at a time; solvers have unmoves.h for whole slices. */
#ifndef KZ_DOBUTSU_PREDECESSORS_H
#define KZ_DOBUTSU_PREDECESSORS_H

#include "game/gamedef.h"

/* As kz_game wants it. Some of them may be positions in which the game was over. */
int kz_dobutsu_predecessors(const kz_position *position, kz_position before[KZ_MAX_PREDECESSORS]);

#endif
