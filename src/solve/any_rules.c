/* SPDX-License-Identifier: MIT */
#include "solve/any_rules.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>

/* Indices are stored in 63 bits, with room for sums. */
#define SIZE_MOST (UINT64_C(1) << 62)

kz_status kz_any_context_open(kz_any_context *c, const kz_game *game, int rules, kz_error *error) {
    *c = (kz_any_context){kz_game_definition(game), (void *)(uintptr_t)kz_game_context(game, rules), false};
    if (!game->opened && c->game->open) {
        KZ_TRY(c->game->open(rules, &c->context, error));
        c->opened = true;
    }
    return KZ_OK;
}

void kz_any_context_close(kz_any_context *c) {
    if (c->opened && c->game->close) {
        c->game->close(c->context);
    }
}

static kz_status read_tiers(kz_any_rules *rules, kz_error *error) {
    const kz_definition *game = rules->game;
    rules->tiers = game->tiers ? game->tiers(rules->context) : 1;
    if (rules->tiers < 1 || rules->tiers > KZ_MAX_TIERS) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: %d tiers; a game has 1 to %d", game->name, rules->tiers, KZ_MAX_TIERS);
    }
    rules->tier_begin = calloc((size_t)rules->tiers + 1, sizeof *rules->tier_begin);
    if (!rules->tier_begin) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for %d tiers", rules->tiers);
    }
    for (int tier = 0; tier < rules->tiers; tier++) {
        rules->tier_begin[tier] = game->tiers ? game->tier_begin(rules->context, tier) : 0;
        if (rules->tier_begin[tier] > rules->size ||
            (tier > 0 && rules->tier_begin[tier] < rules->tier_begin[tier - 1])) {
            return kz_fail(error, KZ_ERR_INPUT, "%s: tier %d begins at index %llu, which is not between its neighbours",
                           game->name, tier, (unsigned long long)rules->tier_begin[tier]);
        }
    }
    rules->tier_begin[rules->tiers] = rules->size;
    if (rules->tier_begin[0] != 0) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: tier 0 begins at index %llu, not at 0", game->name,
                       (unsigned long long)rules->tier_begin[0]);
    }
    return KZ_OK;
}

static kz_status note_tiers(kz_any_rules *rules, kz_error *error) {
    enum { ENTRIES = 1 << 14 };
    while ((rules->size - 1) >> rules->lower_bits >= ENTRIES) {
        rules->lower_bits++;
    }
    uint64_t entries = ((rules->size - 1) >> rules->lower_bits) + 1;
    rules->tier_at = calloc(entries, sizeof *rules->tier_at);
    if (!rules->tier_at) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for %d tiers", rules->tiers);
    }
    for (uint64_t i = 0, tier = 0; i < entries; i++) {
        while (rules->tier_begin[tier + 1] <= i << rules->lower_bits) {
            tier++;
        }
        rules->tier_at[i] = (int)tier;
    }
    return KZ_OK;
}

kz_status kz_any_rules_open(kz_any_rules *rules, const kz_definition *game, const void *context, kz_error *error) {
    *rules = (kz_any_rules){.game = game, .context = context};
    rules->symmetries = game->symmetry && game->symmetries > 1 ? game->symmetries : 1;
    rules->size = game->index_size(context);
    if (rules->size == 0 || rules->size > SIZE_MOST) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: an index of %llu positions; it has at least 1 and at most 2^62",
                       game->name, (unsigned long long)rules->size);
    }
    KZ_TRY(read_tiers(rules, error));
    return note_tiers(rules, error);
}

void kz_any_rules_close(kz_any_rules *rules) {
    free(rules->tier_begin);
    free(rules->tier_at);
    rules->tier_begin = NULL;
    rules->tier_at = NULL;
}

void kz_any_tier_name(const kz_any_rules *rules, int tier, char *text) {
    enum { ROOM = 64 };
    if (rules->game->tier_name) {
        rules->game->tier_name(rules->context, tier, text);
        text[ROOM - 1] = '\0';
    } else {
        snprintf(text, ROOM, "tier %d of %d", tier, rules->tiers);
    }
}
