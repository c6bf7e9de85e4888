/* SPDX-License-Identifier: MIT
 *
 * What the parts of a team's solve tier by tier (any_team*.c) know of each other. */
#ifndef KZ_SOLVE_TEAM_ANY_TEAM_STATE_H
#define KZ_SOLVE_TEAM_ANY_TEAM_STATE_H

#include "solve/any_cells.h"
#include "solve/any_files.h"
#include "solve/team/mail.h"

/* This member's shard of a finished tier. */
typedef struct any_shard {
    const uint8_t *values; /* codes, as in the file; NULL: not here */
    uint8_t *own;          /* the memory of `values`; member 0 has them in the file */
    uint64_t count;
    kz_any_form form;
} any_shard;

typedef struct any_look_work any_look_work;

enum { ANY_TEAM_VALUES = 4 };

typedef struct any_team {
    const kz_any_rules *rules;
    kz_any_files files; /* only member 0 has any */
    kz_pool *pool;
    kz_team *team;
    int members;
    int rank;
    any_shard *shard; /* [tiers] */
    int *next;        /* [KZ_MAX_TIERS]: for lists of tiers */
    uint64_t *values; /* [members * ANY_TEAM_VALUES]: for kz_any_team_largest */
    kz_mail *mail;
    any_look_work *look;
    kz_any_tier *tier; /* that is being solved */
    kz_progress progress;
} any_team;

/* How many positions of a tier each member has, but for the last ones. */
static inline uint64_t any_shard_size(const kz_any_rules *rules, int members, int tier) {
    uint64_t size = rules->tier_begin[tier + 1] - rules->tier_begin[tier];
    uint64_t shard = (size + (uint64_t)members - 1) / (uint64_t)members;
    return shard ? shard : 1;
}
/* The position of a tier at which a member's shard begins. */
static inline uint64_t any_shard_begin(const kz_any_rules *rules, int members, int tier, int member) {
    uint64_t size = rules->tier_begin[tier + 1] - rules->tier_begin[tier];
    uint64_t begin = any_shard_size(rules, members, tier) * (uint64_t)member;
    return begin < size ? begin : size;
}

/* For each of the values the largest one of all members; at most ANY_TEAM_VALUES. */
kz_status kz_any_team_largest(const any_team *t, uint64_t *values, size_t count, kz_error *error);

/* ---- Values of finished tiers (any_team_shards.c) ---------------------------------------------------------------- */

/* Gets the shards of all tiers that the moves of a tier lead to, and drops the others. Collective. */
kz_status kz_any_team_load(any_team *t, int tier, kz_error *error);
/* Writes the file of the tier that is solved. Collective. */
kz_status kz_any_team_write(any_team *t, int number, kz_any_form form, kz_error *error);
/* The value of a lower position; KZ_CODE_HOLE if its shard is not here. */
kz_code kz_any_team_value(const any_team *t, uint64_t index);
void kz_any_team_drop(any_team *t, int tier);

/* ---- Moves into other shards (any_team_look.c) ------------------------------------------------------------------- */

/* What to look at, and what for. */
typedef struct any_look {
    bool (*chosen)(const kz_any_tier *tier, unsigned cell);
    bool inside; /* moves into the tier matter, too: o->waits */
    void (*finish)(kz_any_tier *tier, any_worker *w, uint64_t offset, const any_outlook *o);
    const char *stage;
} any_look;

any_look_work *kz_any_team_look_new(const any_team *t);
void kz_any_team_look_free(any_look_work *work);

/* Looks at the moves of the chosen positions of the first `parts` parts in the tier's list, and calls `finish` with
 * what all of them are worth. Collective. */
kz_status kz_any_team_look(any_team *t, const any_look *look, uint64_t parts, kz_error *error);

/* ---- One tier (any_team_tier.c) ---------------------------------------------------------------------------------- */

/* Solves a tier; `*form` suits the values of all members. t->tier has the values. Collective. */
kz_status kz_any_team_tier(any_team *t, int number, kz_any_form *form, kz_error *error);

#endif
