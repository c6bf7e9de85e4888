/* SPDX-License-Identifier: MIT
 *
 * Near wins and losses proved by search, without a table.
 *
 * A position has up to 5,000 successors, so five plies are some 10^18 lines of play. Three things make that a matter of
 * milliseconds:
 *
 *   1. The last ply is a question that needs no turns to be tried (wins_at_once.h), 40 ns, and its answer is a threat
 *      that is likely to hold in the next position, too. To see whether it does takes a dozen bit operations.
 *   2. A turn that refuted one position mostly refutes its siblings. So "is every turn answered by a win at once?" is
 *      settled after one or two turns where the answer is no, which it nearly always is.
 *   3. A winner takes the turns first after which the opponent has the fewest turns that don't lose at once.
 *
 * Measured with one thread at 2.6 GHz on all 4,912 published sample positions of the standard board, limit 3 turns: at
 * most 0.2 ms for a loss in 1 or a win in 2, 6 ms for a loss in 2, 41 ms for a win in 3, and 0.2 s (13 ms on average)
 * to find that a position is none of these. Limit 4 takes seconds: 0.5 s at most for a loss in 3, 7 s for a win in 4 (a
 * dozen positions each). On the other boards it takes up to twenty times as long, because of what stuck_counts in
 * search.c says. */
#ifndef KZ_PUSHFIGHT_SEARCH_H
#define KZ_PUSHFIGHT_SEARCH_H

#include "games/pushfight/rules/board.h"

#include <kanzen/game.h>
#include <kanzen/progress.h>

enum { KZ_PF_PROVE_TURNS = 3, KZ_PF_PROVE_MOST_TURNS = 5 };

/* Finds out whether the position is won in at most `turns` turns (1 to KZ_PF_PROVE_MOST_TURNS) or lost in fewer, and
 * the exact distance, which counts plies: 2k - 1 for a win in k turns, 2k for a loss in k. KZ_UNKNOWN if it is neither.
 * For positions of any board, with or without an anchor; a position in which a piece of the side to move has fallen is
 * lost in 0. KZ_PF_PROVE_TURNS turns never take long; each turn more takes some hundred times as long.
 *
 * `threads` as in kz_pool_new; they help from 3 turns on. */
kz_status kz_pf_prove(const kz_pf_position *position, int turns, int threads, const kz_progress *progress,
                      kz_value *value, kz_error *error);

/* The same, and if it is won in 3 turns or more also a turn that wins (else 0). With several threads it may be another
 * one the next time. `best` may be NULL. */
kz_status kz_pf_prove_turn(const kz_pf_position *position, int turns, int threads, const kz_progress *progress,
                           kz_value *value, kz_move *best, kz_error *error);

#endif
