/* SPDX-License-Identifier: MIT
 *
 * One tier of any game, solved in memory: two bytes a position.
 *
 * The tiers below are solved already; what a move to them is worth is looked up. Inside the tier the values come from
 * retrograde analysis if the game lists predecessors, and from repeated passes forwards otherwise.
 *
 *     for each position    finished: the rules tell it
 *                          a move leads to a lost position of a lower tier, or ends the game: won, for now in so many
 *                          otherwise: count the moves into this tier that are left
 *     for n = 0, 1, ...    lost in n: every predecessor is won in n + 1, unless it is won sooner
 *                          won in n: every predecessor has one move less; one that has none left is lost
 *
 * Moves to the same class count once, forwards and backwards, so positions that have several moves to mirror images of
 * one position need no care. What is left open in the end is a draw.
 *
 * Threads change cells by atomic operations whose order does not matter, so the result is the same on any number of
 * them. */
#ifndef KZ_SOLVE_ANY_TIER_H
#define KZ_SOLVE_ANY_TIER_H

#include "base/pool.h"
#include "solve/any_form.h"
#include "solve/any_rules.h"

/* The solved tiers: the span that has an index of one of them; `count` is 0 if none has. From any thread. */
typedef struct kz_any_lower {
    void *context;
    kz_any_span (*span)(const void *context, uint64_t index);
} kz_any_lower;

typedef struct kz_any_tier kz_any_tier;

/* Bytes of memory that solving a tier, or a shard of it, of so many positions takes; twice as many if some win takes
 * over 28,000 plies. */
uint64_t kz_any_tier_bytes(uint64_t positions);

/* Solves a tier. KZ_ERR_INPUT if the definition breaks a law on the way: the message names it and the position. */
kz_status kz_any_tier_solve(const kz_any_rules *rules, int tier, const kz_any_lower *lower, kz_pool *pool,
                            const kz_progress *progress, kz_any_tier **solved, kz_error *error);
void kz_any_tier_free(kz_any_tier *tier);

/* The value of a position of the tier, counted from the beginning of the tier, or of the shard. */
kz_code kz_any_tier_code(const kz_any_tier *tier, uint64_t offset);
/* The longest distance that occurs, and whether all wins take an odd number of plies and all losses an even one. */
unsigned kz_any_tier_longest(const kz_any_tier *tier);
bool kz_any_tier_parity(const kz_any_tier *tier);

#endif
