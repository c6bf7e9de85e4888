/* SPDX-License-Identifier: MIT
 *
 * The index of space.h for single positions, without its tables: all that is needed is counted on the spot. */
#ifndef KZ_PUSHFIGHT_INDEX_H
#define KZ_PUSHFIGHT_INDEX_H

#include "games/pushfight/rules/position.h"

uint64_t kz_pf_index_size(const kz_pf_board *board);

/* False if the position has no place in the index: no anchor, a piece missing, or an anchor that fails the test. */
bool kz_pf_index_of(const kz_pf_position *position, uint64_t *index);

/* The position with that index, red to move. Its anchor may fail the test. */
void kz_pf_index_at(int board, uint64_t index, kz_pf_position *position);

#endif
