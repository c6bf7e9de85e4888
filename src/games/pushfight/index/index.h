/* SPDX-License-Identifier: MIT
 *
 * The index of space.h for single positions, without its tables: all that is needed is counted on the spot. */
#ifndef KZ_PUSHFIGHT_INDEX_H
#define KZ_PUSHFIGHT_INDEX_H

#include "games/pushfight/rules/board.h"

uint64_t kz_pf_index_size(const kz_pf_board *board);

/* False if the position has no place in the index: no anchor, a piece missing, or an anchor that fails the test. */
bool kz_pf_index_of(const kz_pf_position *position, uint64_t *index);

/* The position with that index, red to move. Its anchor may fail the test. */
void kz_pf_index_at(int board, uint64_t index, kz_pf_position *position);

/* ---- The minimized index of the published solution (minimized.c) --------------------------------------------------
 *
 * It numbers the positions in progress whose anchor passes the test, up to the rotation of the board. Positions are
 * ordered by
 *
 *   - the square of the anchor; on a symmetric board only squares of the first half, and a position whose anchor stands
 *     in the other half is rotated;
 *   - whether just one of the squares to the left and to the right of the anchor is empty (the horizontal part, first)
 *     or only of those above and below (the vertical part);
 *   - the pieces on these two squares, in the vertical part those on all of the four that can tell, as a string of
 *     codes in the order of the squares;
 *   - the string of the other squares.
 */

uint64_t kz_pf_minimized_size(const kz_pf_board *board);

/* The minimized index of a position in progress, and whether it was rotated. False if the anchor fails the test. */
bool kz_pf_minimized(const kz_pf_position *position, uint64_t *index, bool *rotated);

/* The position with that index, which is in range; rotated if it is to be. */
void kz_pf_minimized_at(int board, uint64_t index, bool rotated, kz_pf_position *position);

#endif
