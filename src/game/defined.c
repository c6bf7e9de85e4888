/* SPDX-License-Identifier: MIT */
#include "game/defined.h"

#include <stdio.h>

const kz_definition *kz_game_definition(const kz_game *game) { return game->definition; }

const void *kz_game_context(const kz_game *game, int rules) { return game->contexts[rules]; }

int kz_defined_symmetries(const kz_definition *definition) {
    return definition->symmetry && definition->symmetries > 1 ? definition->symmetries : 1;
}

uint64_t kz_defined_rank(const kz_definition *definition, const void *context, const kz_position *position,
                         kz_position *canonical) {
    int symmetries = kz_defined_symmetries(definition);
    uint64_t lowest = definition->rank(context, position);
    int number = 0;
    for (int i = 1; i < symmetries; i++) {
        kz_position image = {{0}};
        definition->symmetry(context, position, i, &image);
        uint64_t index = definition->rank(context, &image);
        if (index < lowest) {
            lowest = index;
            number = i;
        }
    }
    if (canonical) {
        kz_position image = *position;
        if (number > 0) {
            image = (kz_position){{0}};
            definition->symmetry(context, position, number, &image);
        }
        *canonical = image;
    }
    return lowest;
}

bool kz_defined_unrank(const kz_definition *definition, const void *context, uint64_t index, kz_position *position) {
    kz_position there = {{0}};
    if (!definition->unrank(context, index, &there)) {
        return false;
    }
    int symmetries = kz_defined_symmetries(definition);
    for (int i = 1; i < symmetries; i++) {
        kz_position image = {{0}};
        definition->symmetry(context, &there, i, &image);
        if (definition->rank(context, &image) < index) {
            return false;
        }
    }
    *position = there;
    return true;
}

kz_outcome kz_defined_moves(const kz_definition *definition, const void *context, const kz_position *position,
                            kz_move *moves, int *count) {
    kz_outcome outcome = definition->result(context, position);
    *count = outcome == KZ_UNKNOWN ? definition->moves(context, position, moves) : 0;
    return outcome == KZ_UNKNOWN && *count == 0 ? kz_defined_stuck(definition, context, position) : outcome;
}

kz_outcome kz_defined_result(const kz_definition *definition, const void *context, const kz_position *position) {
    kz_move moves[KZ_DEFINE_MAX_MOVES];
    int count;
    return kz_defined_moves(definition, context, position, moves, &count);
}

/* ---- Tiers ----------------------------------------------------------------------------------------------------- */

int kz_defined_tiers(const kz_definition *definition, const void *context) {
    return definition->tiers ? definition->tiers(context) : 1;
}

uint64_t kz_defined_tier_begin(const kz_definition *definition, const void *context, int tier) {
    if (definition->tiers) {
        return definition->tier_begin(context, tier);
    }
    return tier == 0 ? 0 : definition->index_size(context);
}

int kz_defined_tier_of(const kz_definition *definition, const void *context, uint64_t index) {
    int low = 0;
    int high = kz_defined_tiers(definition, context); /* begin(low) <= index < begin(high) */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (kz_defined_tier_begin(definition, context, middle) <= index) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

int kz_defined_tier_next(const kz_definition *definition, const void *context, int tier, int *next) {
    if (definition->tier_next) {
        return definition->tier_next(context, tier, next);
    }
    for (int i = 0; i < tier; i++) {
        next[i] = i;
    }
    return tier;
}

void kz_defined_tier_name(const kz_definition *definition, const void *context, int tier, char *text) {
    if (definition->tier_name) {
        definition->tier_name(context, tier, text);
    } else {
        snprintf(text, 64, "tier %d", tier);
    }
}
