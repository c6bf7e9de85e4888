/* SPDX-License-Identifier: MIT
 *
 * A definition (kanzen/define.h) as the generic solver sees it: positions by the index of their class, tiers as ranges
 * of the index, and all limits checked once. */
#ifndef KZ_SOLVE_ANY_RULES_H
#define KZ_SOLVE_ANY_RULES_H

#include "game/gamedef.h"

#include <kanzen/define.h>

typedef struct kz_any_rules {
    const kz_definition *game;
    const void *context;
    int symmetries;
    int tiers;
    uint64_t *tier_begin; /* [tiers + 1] */
    uint64_t size;        /* of the index */
    int *tier_at;         /* by the upper bits of an index: the tier of the first such index */
    int lower_bits;       /* the others */
} kz_any_rules;

/* The context of a definition for a whole solve: that of a game that comes with Kanzen is for single positions, and
 * here its tables are worth making. Close it in any case. */
typedef struct kz_any_context {
    const kz_definition *game;
    void *context;
    bool opened;
} kz_any_context;

kz_status kz_any_context_open(kz_any_context *c, const kz_game *game, int rules, kz_error *error);
void kz_any_context_close(kz_any_context *c);

/* Reads sizes and tiers; KZ_ERR_INPUT with the reason if they break a law. Close it in any case. */
kz_status kz_any_rules_open(kz_any_rules *rules, const kz_definition *game, const void *context, kz_error *error);
void kz_any_rules_close(kz_any_rules *rules);

/* The tier that an index is in. The solver asks for every move to a lower tier, so this is a look-up and hardly ever a
 * step more. */
static inline int kz_any_tier_of(const kz_any_rules *rules, uint64_t index) {
    int tier = rules->tier_at[index >> rules->lower_bits];
    while (tier + 1 < rules->tiers && rules->tier_begin[tier + 1] <= index) {
        tier++;
    }
    return tier;
}

/* Its name for people; `text` has room for 64 bytes. */
void kz_any_tier_name(const kz_any_rules *rules, int tier, char *text);

/* The index of a position's class: the lowest one of its images. */
static inline uint64_t kz_any_rank(const kz_any_rules *rules, const kz_position *position) {
    uint64_t lowest = rules->game->rank(rules->context, position);
    for (int i = 1; i < rules->symmetries; i++) {
        kz_position image;
        rules->game->symmetry(rules->context, position, i, &image);
        uint64_t index = rules->game->rank(rules->context, &image);
        lowest = index < lowest ? index : lowest;
    }
    return lowest;
}

/* The position that stands for its class. False: a hole, or a position that another one stands for. */
static inline bool kz_any_unrank(const kz_any_rules *rules, uint64_t index, kz_position *position) {
    if (!rules->game->unrank(rules->context, index, position)) {
        return false;
    }
    for (int i = 1; i < rules->symmetries; i++) {
        kz_position image;
        rules->game->symmetry(rules->context, position, i, &image);
        if (rules->game->rank(rules->context, &image) < index) {
            return false;
        }
    }
    return true;
}

#endif
