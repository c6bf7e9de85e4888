/* SPDX-License-Identifier: MIT
 *
 * Traps: how likely it is that the opponent loses a drawn position with his next move. */
#ifndef KZ_ENGINE_TRAPS_H
#define KZ_ENGINE_TRAPS_H

#include <kanzen/values.h>

/* The chance, 0 to 1, that a player of one of the weaker levels makes a move that loses in this position, on average
 * over these levels: they overlook what players of these levels overlook (app/engine/strength.h). Needs a table.
 * `budget` is how many more moves may be looked up; refutations are counted only while there is some left. KZ_ERR_IO:
 * bytes are missing (kanzen/table.h). */
kz_status kz_chance_of_losing(const kz_values *values, const kz_position *position, int *budget, double *chance,
                              kz_error *error);

#endif
