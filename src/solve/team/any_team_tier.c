/* SPDX-License-Identifier: MIT
 *
 * One tier, solved by all members: what any_tier.c, any_back.c and any_forth.c do alone. */
#include "solve/team/any_team_state.h"

#include "base/error.h"

#include <stdlib.h>

enum { SEGMENT = 1 << 16 };

static uint64_t list_all(kz_any_tier *tier) {
    for (uint64_t part = 0; part < tier->parts; part++) {
        tier->list[part] = (uint32_t)part;
    }
    return tier->parts;
}

static void put_first_cell(kz_any_tier *tier, any_worker *w, uint64_t offset, const any_outlook *o) {
    any_put(tier, offset, kz_any_first_cell(tier, w, offset, o));
}

/* ---- Backwards --------------------------------------------------------------------------------------------------- */

static int compare_offsets(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* Predecessors of one segment of a shard are one message. */
static void send_away(void *context, any_worker *w) {
    const any_team *t = context;
    uint64_t shard = any_shard_size(t->rules, t->members, t->tier->tier);
    uint16_t offsets[ANY_BATCH];
    qsort(w->away, w->aways, sizeof *w->away, compare_offsets);
    for (unsigned i = 0; i < w->aways;) {
        uint64_t owner = w->away[i] / shard;
        uint64_t segment = w->away[i] % shard / SEGMENT;
        uint64_t begin = owner * shard + segment * SEGMENT;
        uint64_t end = begin + SEGMENT < (owner + 1) * shard ? begin + SEGMENT : (owner + 1) * shard;
        unsigned count = 0;
        for (; i < w->aways && count < ANY_BATCH && w->away[i] < end; i++) {
            offsets[count++] = (uint16_t)(w->away[i] - begin);
        }
        const kz_updates updates = {(uint16_t)segment, (uint16_t)count, offsets};
        kz_mail_put(t->mail, (int)owner, &updates);
    }
}

static void receive(void *context, int number, const kz_updates *updates) {
    const any_team *t = context;
    uint64_t begin = (uint64_t)updates->segment * SEGMENT;
    for (unsigned i = 0; i < updates->count; i++) {
        kz_any_apply(t->tier, &t->tier->worker[number], begin + updates->offsets[i]);
    }
}

static void expand_parts(void *context, int number, uint64_t begin, uint64_t end) {
    const any_team *t = context;
    kz_any_expand_parts(t->tier, &t->tier->worker[number], begin, end);
}

/* A position without moves that could save it. */
static bool is_pending(const kz_any_tier *tier, unsigned cell) {
    (void)tier;
    return cell == ANY_OPEN;
}

/* Its last move within the tier loses against a win in n; moves out of the tier may take longer. */
static void put_loss(kz_any_tier *tier, any_worker *w, uint64_t offset, const any_outlook *o) {
    unsigned worst = (unsigned)o->sight.worst > tier->n ? (unsigned)o->sight.worst : tier->n;
    any_put(tier, offset, kz_any_decided(tier, w, offset, false, worst + 1));
}

static kz_status decide_pending(any_team *t, kz_error *error) {
    static const any_look look = {.chosen = is_pending, .finish = put_loss, .stage = "going backwards"};
    kz_any_tier *tier = t->tier;
    uint64_t count = 0;
    for (uint64_t part = 0; part < tier->parts; part++) {
        if (atomic_exchange_explicit(&tier->pending[part], 0, memory_order_relaxed)) {
            tier->list[count++] = (uint32_t)part;
        }
    }
    return kz_any_team_look(t, &look, count, error);
}

static kz_status expand_phase(any_team *t, int kind, unsigned n, kz_error *error) {
    const kz_mail_step step = {.team = t->team,
                               .mail = t->mail,
                               .pool = t->pool,
                               .end = kz_any_list_phase(t->tier, kind, n),
                               .work = expand_parts,
                               .read = receive,
                               .context = t,
                               .progress = &t->progress,
                               .stage = "going backwards"};
    KZ_TRY(kz_mail_do(&step, error));
    return kind == NEXT_WON && t->tier->tier > 0 ? decide_pending(t, error) : KZ_OK;
}

static kz_status go_back(any_team *t, kz_error *error) {
    for (;;) {
        enum { TOO_FAR = 2, VALUES };
        uint64_t soonest[VALUES] = {[NEXT_LOST] = ANY_NEVER - kz_any_next_of(t->tier, NEXT_LOST),
                                    [NEXT_WON] = ANY_NEVER - kz_any_next_of(t->tier, NEXT_WON),
                                    [TOO_FAR] = atomic_load(&t->tier->too_far)};
        KZ_TRY(kz_any_team_largest(t, soonest, VALUES, error));
        bool wins_first = soonest[NEXT_WON] > soonest[NEXT_LOST];
        uint64_t first = soonest[wins_first ? NEXT_WON : NEXT_LOST];
        if (first == 0 || soonest[TOO_FAR]) {
            return KZ_OK;
        }
        /* What losses in n decide is decided in n + 1, so wins in n are known before. */
        if (!wins_first) {
            KZ_TRY(expand_phase(t, NEXT_LOST, ANY_NEVER - (unsigned)first, error));
        }
        if (soonest[NEXT_WON] == first) {
            KZ_TRY(expand_phase(t, NEXT_WON, ANY_NEVER - (unsigned)first, error));
        }
        KZ_TRY(kz_team_agree(t->team, kz_any_check_laws(t->tier, error), error));
    }
}

/* ---- Forwards ---------------------------------------------------------------------------------------------------- */

/* Lists the parts in which something may still change. */
static uint64_t list_open(kz_any_tier *tier) {
    uint64_t count = 0;
    for (uint64_t part = 0; part < tier->parts; part++) {
        uint64_t end = (part + 1) * ANY_PART < tier->count ? (part + 1) * ANY_PART : tier->count;
        bool open = false;
        for (uint64_t offset = part * ANY_PART; !open && !tier->done[part] && offset < end; offset++) {
            open = kz_any_may_change(tier, any_cell(tier, offset));
        }
        tier->done[part] = !open;
        if (open) {
            tier->list[count++] = (uint32_t)part;
        }
    }
    return count;
}

static kz_status go_forth(any_team *t, kz_error *error) {
    static const any_look look = {
        .chosen = kz_any_may_change, .inside = true, .finish = kz_any_settle, .stage = "going forwards"};
    for (unsigned n = 1;; n++) {
        enum { LONGEST, HORIZON, TOO_FAR, VALUES };
        uint64_t values[VALUES] = {[LONGEST] = atomic_load(&t->tier->longest) + 1,
                                   [HORIZON] = atomic_load(&t->tier->horizon),
                                   [TOO_FAR] = atomic_load(&t->tier->too_far)};
        KZ_TRY(kz_any_team_largest(t, values, VALUES, error));
        if ((n > values[LONGEST] && n > values[HORIZON]) || values[TOO_FAR]) {
            return KZ_OK;
        }
        t->tier->n = n;
        KZ_TRY(kz_any_team_look(t, &look, list_open(t->tier), error));
    }
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

static kz_status solve(any_team *t, kz_error *error) {
    static const any_look look = {.finish = put_first_cell, .stage = "looking at all moves"};
    const kz_definition *game = t->rules->game;
    KZ_TRY(kz_any_team_look(t, &look, list_all(t->tier), error));
    if (game->never_repeats) {
        return KZ_OK;
    }
    return game->predecessors ? go_back(t, error) : go_forth(t, error);
}

static kz_status open_tier(any_team *t, int number, bool wide, kz_error *error) {
    uint64_t begin = any_shard_begin(t->rules, t->members, number, t->rank);
    uint64_t count = any_shard_begin(t->rules, t->members, number, t->rank + 1) - begin;
    kz_any_lower none = {NULL, NULL};
    kz_any_tier_free(t->tier);
    t->tier = kz_any_tier_new(t->rules, number, &none, kz_pool_threads(t->pool), wide,
                              t->rules->tier_begin[number] + begin, count, false);
    if (t->tier) {
        t->tier->send_away = send_away;
        t->tier->send_context = t;
    }
    kz_status status = t->tier ? KZ_OK
                               : kz_fail(error, KZ_ERR_MEMORY, "no memory to solve %llu positions of %s",
                                         (unsigned long long)count, t->rules->game->name);
    return kz_team_agree(t->team, status, error);
}

kz_status kz_any_team_tier(any_team *t, int number, kz_any_form *form, kz_error *error) {
    enum { LONGEST, ODD, TOO_FAR, VALUES };
    uint64_t values[VALUES] = {[TOO_FAR] = true};
    for (int wide = 0; wide < 2 && values[TOO_FAR]; wide++) {
        KZ_TRY(open_tier(t, number, wide, error));
        KZ_TRY(solve(t, error));
        values[LONGEST] = kz_any_tier_longest(t->tier);
        values[ODD] = !kz_any_tier_parity(t->tier);
        values[TOO_FAR] = atomic_load(&t->tier->too_far);
        KZ_TRY(kz_any_team_largest(t, values, VALUES, error));
    }
    *form = kz_any_form_for((unsigned)values[LONGEST], !values[ODD]);
    return KZ_OK;
}
