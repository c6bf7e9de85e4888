/* SPDX-License-Identifier: MIT
 *
 * The positions before a turn. The anchor is on the piece that pushed, so a push is taken back in one of four
 * directions, with one or more of the pieces in front of it; the moves before it can be made backwards as well as
 * forwards. */
#ifndef KZ_PUSHFIGHT_BEFORE_H
#define KZ_PUSHFIGHT_BEFORE_H

#include "games/pushfight/rules/successors.h"

/* Gets a position before a turn, as the side that made the turn saw it. Without `anchor`, the anchor may have been
 * nowhere (the first turn), or on any pusher of `anchors`. */
typedef void kz_pf_visit_before(void *context, const kz_pf_sides *before, uint32_t anchors);

/* Visits every position that has a turn to this one, as often as there are ways to make it: arrangements of the own
 * pieces from which a push leads here. Some of them can't occur. */
void kz_pf_each_before(const kz_pf_board *board, const kz_pf_sides *sides, kz_pf_visit_before *visit, void *context);

/* At least as many as there can be, with each place of the anchor counted. */
size_t kz_pf_most_before(const kz_pf_board *board);

#endif
