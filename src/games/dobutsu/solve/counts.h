/* SPDX-License-Identifier: MIT
 *
 * The sets of Dobutsu Shogi positions that people have published figures for. */
#ifndef KZ_DOBUTSU_COUNTS_H
#define KZ_DOBUTSU_COUNTS_H

#include "base/pool.h"

#include <kanzen/solve.h>

/* What kz_count_positions promises. `solver` is a kz_dobutsu_retro that is through, by the official rules. */
kz_status kz_dobutsu_count_positions(const void *solver, kz_pool *pool, const kz_progress *progress, kz_count *counts,
                                     size_t room, size_t *found, kz_error *error);

#endif
