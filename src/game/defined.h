/* SPDX-License-Identifier: MIT
 *
 * What all code that works with definitions (kanzen/define.h) shares: positions folded by symmetry, and what the rules
 * tell about a position. */
#ifndef KZ_GAME_DEFINED_H
#define KZ_GAME_DEFINED_H

#include "game/gamedef.h"

#include <kanzen/define.h>
#include <kanzen/load.h>

/* The room that the name of a game or of a rule set takes, with the 0 at its end. Table headers have so much. */
enum { KZ_DEFINED_NAME_BYTES = 16 };

/* How many symmetries there are; 1: none but the identity. */
int kz_defined_symmetries(const kz_definition *definition);

/* The last bytes of a position are Kanzen's. The number of the rule set that it is marked with; the context of that. */
int kz_defined_rules(const kz_position *position);
const void *kz_defined_context(const kz_game *game, const kz_position *position);

/* The lowest rank among the images of a position. `canonical` gets the first image that has it; may be NULL. */
uint64_t kz_defined_rank(const kz_definition *definition, const void *context, const kz_position *position,
                         kz_position *canonical);

/* The position with that number. False: no position has it, or an image of the position has a lower one. */
bool kz_defined_unrank(const kz_definition *definition, const void *context, uint64_t index, kz_position *position);

/* Lists the legal moves and says what the rules tell: KZ_UNKNOWN if there are moves; otherwise the game is over,
 * `count` is 0, and the outcome is the side to move's. `moves` has room for the definition's max_moves. */
kz_outcome kz_defined_moves(const kz_definition *definition, const void *context, const kz_position *position,
                            kz_move *moves, int *count);

/* What a position without moves is worth. */
static inline kz_outcome kz_defined_stuck(const kz_definition *definition, const void *context,
                                          const kz_position *position) {
    return definition->stuck ? definition->stuck(context, position) : definition->without_moves;
}

/* The same without the moves, for definitions with at most KZ_DEFINE_MAX_MOVES moves. */
kz_outcome kz_defined_result(const kz_definition *definition, const void *context, const kz_position *position);

/* What tells the rules of a game from others with as many positions: the definition's `edition`, and what the rules say
 * about some positions, always the same ones. Never 0. Takes a millisecond or so. */
uint32_t kz_defined_fingerprint(const kz_definition *definition, const void *context);

/* The tier that a number is in, and the numbers of a tier. A game without tiers has one. */
int kz_defined_tiers(const kz_definition *definition, const void *context);
uint64_t kz_defined_tier_begin(const kz_definition *definition, const void *context, int tier);
int kz_defined_tier_of(const kz_definition *definition, const void *context, uint64_t index);
/* The other tiers that the moves of a tier lead to; returns how many. `next` has room for KZ_MAX_TIERS. */
int kz_defined_tier_next(const kz_definition *definition, const void *context, int tier, int *next);
/* "tier 3" if the game has no name for it. `text` has room for 64 bytes. */
void kz_defined_tier_name(const kz_definition *definition, const void *context, int tier, char *text);

#endif
