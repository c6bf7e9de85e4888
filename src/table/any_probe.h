/* SPDX-License-Identifier: MIT
 *
 * Looking positions up in a table of any game. */
#ifndef KZ_TABLE_ANY_PROBE_H
#define KZ_TABLE_ANY_PROBE_H

#include <kanzen/table.h>

enum { KZ_ANY_FEW_MOVES = 256 }; /* a table of losses only is for games with at most so many moves */

/* As kz_probe. KZ_ERR_INPUT if the position has no place in the index. */
kz_status kz_any_probe(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error);

#endif
