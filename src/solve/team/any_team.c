/* SPDX-License-Identifier: MIT
 *
 * The tiers of any game (solve/any_tier.h), solved by the members of a team together. docs/scale.md has the design.
 *
 * Each member has a range of every tier, its shard: the cells of the tier that is being solved, and the values of the
 * lower tiers that its moves lead to. Member 0 has the files of finished tiers.
 *
 *     before a tier      member 0 sends everybody the shards of lower tiers that are needed and not there
 *     looking at moves   numbers of lower tiers that lie in other shards -> their owners -> values
 *     distance n         predecessors in other shards -> their owners, which apply them
 *                        positions whose last move has failed: their moves to lower tiers are asked about again
 *     after it           member 0 asks for the values of the other shards and writes the tier's file */
#include "base/error.h"
#include "game/defined.h"
#include "solve/any.h"
#include "solve/team/any_team_state.h"

#include <stdlib.h>
#include <string.h>

/* A message names a position of a shard by two numbers of 16 bits. */
#define SHARD_MOST (UINT64_C(1) << 32)

uint64_t kz_any_team_bytes(const kz_any_rules *rules, int members) {
    uint64_t most = 0;
    int next[KZ_MAX_TIERS];
    for (int tier = 0; tier < rules->tiers; tier++) {
        uint64_t bytes = kz_any_tier_bytes(any_shard_size(rules, members, tier));
        int count = kz_defined_tier_next(rules->game, rules->context, tier, next);
        for (int i = 0; i < count; i++) {
            bytes += any_shard_size(rules, members, next[i]);
        }
        most = bytes > most ? bytes : most;
    }
    return most;
}

kz_status kz_any_team_largest(const any_team *t, uint64_t *values, size_t count, kz_error *error) {
    size_t all = (size_t)t->members * count;
    memset(t->values, 0, all * sizeof *t->values);
    memcpy(t->values + (size_t)t->rank * count, values, count * sizeof *values);
    KZ_TRY(kz_team_sum(t->team, t->values, all, error));
    for (size_t i = 0; i < all; i++) {
        values[i % count] = t->values[i] > values[i % count] ? t->values[i] : values[i % count];
    }
    return KZ_OK;
}

/* Opens the tier's file, if there is one. Member 0 finds out, for all. */
static kz_status find_tier(any_team *t, int tier, bool *found, kz_error *error) {
    kz_status status = KZ_OK;
    *found = false;
    if (t->rank == 0) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the files are open */
        status = t->files.tier[tier].values ? KZ_OK : kz_any_files_open(&t->files, tier, found, error);
        *found = *found || t->files.tier[tier].values;
    }
    KZ_TRY(kz_team_agree(t->team, status, error));
    return kz_team_broadcast(t->team, 0, found, sizeof *found, error);
}

static kz_status solve_tier(any_team *t, int number, kz_error *error) {
    bool found = false;
    kz_any_form form = KZ_FORM_CODE_4;
    KZ_TRY(find_tier(t, number, &found, error));
    if (found) {
        return KZ_OK;
    }
    KZ_TRY(kz_any_team_load(t, number, error));
    kz_status status = kz_any_team_tier(t, number, &form, error);
    if (status == KZ_OK) {
        status = kz_any_team_write(t, number, form, error);
    }
    kz_any_tier_free(t->tier);
    t->tier = NULL;
    KZ_TRY(status);
    return find_tier(t, number, &found, error);
}

static kz_status check_sizes(const any_team *t, kz_error *error) {
    for (int tier = 0; tier < t->rules->tiers; tier++) {
        uint64_t shard = any_shard_size(t->rules, t->members, tier);
        if (shard > SHARD_MOST) {
            uint64_t size = t->rules->tier_begin[tier + 1] - t->rules->tier_begin[tier];
            return kz_fail(error, KZ_ERR_UNSUPPORTED,
                           "tier %d of %s has %llu numbers; that takes at least %llu processes, because each can have "
                           "2^32 of them",
                           tier, t->rules->game->name, (unsigned long long)size,
                           (unsigned long long)((size + SHARD_MOST - 1) / SHARD_MOST));
        }
    }
    return KZ_OK;
}

static kz_status begin(any_team *t, const kz_game *game, const char *rules_name, const char *folder, kz_error *error) {
    t->shard = calloc((size_t)t->rules->tiers, sizeof *t->shard);
    t->next = calloc(KZ_MAX_TIERS, sizeof *t->next);
    t->values = calloc((size_t)t->members * ANY_TEAM_VALUES, sizeof *t->values);
    t->mail = kz_mail_new(t->team);
    t->look = kz_any_team_look_new(t);
    kz_status status = t->shard && t->next && t->values && t->mail && t->look
                           ? kz_any_files_begin(&t->files, t->rules, rules_name, folder, error)
                           : kz_fail(error, KZ_ERR_MEMORY, "no memory for messages");
    if (status == KZ_OK) {
        status = check_sizes(t, error);
    }
    if (status == KZ_OK && t->rank == 0) {
        status = kz_any_import(&t->files, game, error);
    }
    return kz_team_agree(t->team, status, error);
}

kz_status kz_any_team_solve(const kz_game *game, const kz_any_rules *rules, const char *rules_name, const char *folder,
                            kz_pool *pool, const kz_solve_options *options, kz_error *error) {
    any_team t = {.rules = rules,
                  .pool = pool,
                  .team = options->team,
                  .members = kz_team_size(options->team),
                  .rank = kz_team_rank(options->team)};
    kz_any_report report = {.rules = rules, .listener = options->progress};
    kz_status status = begin(&t, game, rules_name, folder, error);
    for (int tier = 0; status == KZ_OK && tier < rules->tiers; tier++) {
        t.progress = kz_any_report_tier(&report, tier);
        status = solve_tier(&t, tier, error);
    }
    for (int tier = 0; t.shard && tier < rules->tiers; tier++) {
        kz_any_team_drop(&t, tier);
    }
    free(t.shard);
    free(t.next);
    free(t.values);
    kz_mail_free(t.mail);
    kz_any_team_look_free(t.look);
    kz_any_files_end(&t.files);
    return status;
}
