/* SPDX-License-Identifier: MIT
 *
 * Backwards: from what is decided in n plies to what that decides.
 *
 * Predecessors lie anywhere in the tier, so most of their cells are cache misses. They are prefetched as they are found
 * and worked on in batches. */
#include "solve/any_cells.h"

#include "base/error.h"
#include "base/list.h"

/* Lists the predecessors of a position that lie in the shard, and returns how many; those in other shards go behind
 * what is in `away`. By positions each one comes once; by numbers as often as it was counted. */
static unsigned list_before(const kz_any_tier *tier, any_worker *w, uint64_t offset, uint64_t *list) {
    const kz_any_rules *rules = tier->rules;
    const kz_definition *game = rules->game;
    kz_position position;
    bool by_numbers = game->numbers_before != NULL;
    if (!by_numbers && !game->unrank(rules->context, tier->first + offset, &position)) {
        return 0;
    }
    int count = by_numbers ? game->numbers_before(rules->context, tier->first + offset, list)
                           : game->predecessors(rules->context, &position, w->before);
    if (count < 0 || count > game->max_predecessors) {
        kz_any_complain(w, tier->first + offset, LAW_PREDECESSORS);
        return 0;
    }
    unsigned inside = 0;
    unsigned away = 0;
    for (int i = 0; i < count; i++) {
        uint64_t index = by_numbers ? list[i] : kz_any_rank(rules, &w->before[i]);
        uint64_t before = index - tier->first;
        list[inside] = before;
        inside += before < tier->count;
        if (w->away && before >= tier->count && index - tier->begin < tier->size) {
            w->away[w->aways + away++] = index - tier->begin;
        }
    }
    if (away > 0) {
        w->aways += by_numbers ? away : kz_distinct64(w->away + w->aways, away);
    }
    return by_numbers ? inside : kz_distinct64(list, inside);
}

/* The last move that could save a position has failed, against a win in n. Moves out of the tier may take longer. */
static unsigned loss_distance(const kz_any_tier *tier, any_worker *w, uint64_t offset) {
    any_outlook o;
    if (tier->tier == 0) {
        return tier->n + 1;
    }
    kz_any_look_ahead(tier, w, tier->first + offset, &o);
    return ((unsigned)o.sight.worst > tier->n ? (unsigned)o.sight.worst : tier->n) + 1;
}

/* A move leads to a position that is lost in n: this one is won in n + 1, if not sooner. */
static void win(kz_any_tier *tier, any_worker *w, uint64_t offset) {
    unsigned cell = any_cell(tier, offset);
    if (any_is_open(tier, cell) || cell == ANY_BLOCKED ||
        (any_is_won(tier, cell) && any_plies(tier, cell) > tier->n + 1)) {
        any_put(tier, offset, kz_any_decided(tier, w, offset, true, tier->n + 1));
    }
}

/* A move leads to a position that is won in n: this one has one move less. */
static void refute(kz_any_tier *tier, any_worker *w, uint64_t offset) {
    unsigned cell = any_cell(tier, offset);
    while (any_is_open(tier, cell)) {
        if (cell == ANY_OPEN) {
            kz_any_complain(w, tier->first + offset, LAW_COUNT);
            return;
        }
        if (any_replace(tier, offset, &cell, cell - 1)) {
            if (cell == ANY_OPEN + 1 && tier->pending && tier->tier > 0) {
                atomic_store_explicit(&tier->pending[offset / ANY_PART], 1, memory_order_relaxed);
            } else if (cell == ANY_OPEN + 1) { /* that was the last one */
                unsigned plies = loss_distance(tier, w, offset);
                any_put(tier, offset, kz_any_decided(tier, w, offset, false, plies));
            }
            return;
        }
    }
}

void kz_any_apply(kz_any_tier *tier, any_worker *w, uint64_t offset) {
    if (tier->kind == NEXT_LOST) {
        win(tier, w, offset);
    } else {
        refute(tier, w, offset);
    }
}

static void work_off(kz_any_tier *tier, any_worker *w) {
    for (unsigned i = 0; i < w->waiting; i++) {
        kz_any_apply(tier, w, w->batch[i]);
    }
    w->waiting = 0;
}

static void send_away(const kz_any_tier *tier, any_worker *w) {
    if (w->aways > 0) {
        tier->send_away(tier->send_context, w);
        w->aways = 0;
    }
}

static void expand(kz_any_tier *tier, any_worker *w, uint64_t offset) {
    uint64_t *list = w->batch + w->waiting;
    unsigned count = list_before(tier, w, offset, list);
    for (unsigned i = 0; i < count; i++) {
        __builtin_prefetch(
            tier->wide ? (const void *)&tier->wide_cell[list[i]] : (const void *)&tier->narrow_cell[list[i]], 1);
    }
    w->waiting += count;
    if (w->waiting >= ANY_BATCH) { /* there is room for the predecessors of one more behind it */
        work_off(tier, w);
    }
    if (w->aways >= ANY_BATCH) {
        send_away(tier, w);
    }
}

enum { NOT_LATER = 1 << 24 }; /* more than any cell is */

static void expand_part(kz_any_tier *tier, any_worker *w, uint64_t part) {
    uint64_t begin = part * ANY_PART;
    uint64_t end = begin + ANY_PART < tier->count ? begin + ANY_PART : tier->count;
    unsigned wanted = tier->decided + 2 * tier->n + (tier->kind == NEXT_WON);
    unsigned soonest = NOT_LATER;
    atomic_store_explicit(&tier->next[tier->kind][part], ANY_NEVER, memory_order_relaxed);
    for (uint64_t offset = begin; offset < end; offset++) {
        unsigned cell = any_cell(tier, offset);
        /* How much later its turn comes. Without branches, which would be guessed wrong: of this kind odd
         * numbers, of the other kind all ones; cells whose turn is over, or that are open, wrap around. */
        unsigned ahead = cell - wanted - 1;
        ahead |= (ahead & 1) - 1;
        soonest = ahead < soonest ? ahead : soonest;
        if (cell == wanted) {
            expand(tier, w, offset);
        }
    }
    if (soonest != NOT_LATER) {
        kz_any_lower_to(&tier->next[tier->kind][part], (uint16_t)any_plies(tier, wanted + 1 + soonest));
    }
}

void kz_any_expand_parts(kz_any_tier *tier, any_worker *w, uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; i++) {
        expand_part(tier, w, tier->list[i]);
    }
    work_off(tier, w);
    send_away(tier, w);
}

static void expand_parts(void *context, int number, uint64_t begin, uint64_t end) {
    kz_any_tier *tier = context;
    kz_any_expand_parts(tier, &tier->worker[number], begin, end);
}

uint64_t kz_any_list_phase(kz_any_tier *tier, int kind, unsigned n) {
    uint64_t count = 0;
    tier->kind = kind;
    tier->n = n;
    for (uint64_t part = 0; part < tier->parts; part++) {
        if (atomic_load_explicit(&tier->next[kind][part], memory_order_relaxed) == n) {
            tier->list[count++] = (uint32_t)part;
        }
    }
    return count;
}

/* Expands all positions of one kind that are decided in n plies. */
static kz_status expand_phase(kz_any_tier *tier, int kind, unsigned n, kz_pool *pool, const kz_progress *progress,
                              kz_error *error) {
    uint64_t count = kz_any_list_phase(tier, kind, n);
    if (count) {
        KZ_TRY(kz_pool_for(pool, count, 0, expand_parts, tier, progress, "going backwards", error));
    }
    return kz_any_check_laws(tier, error);
}

unsigned kz_any_next_of(const kz_any_tier *tier, int kind) {
    unsigned least = ANY_NEVER;
    for (uint64_t part = 0; part < tier->parts; part++) {
        unsigned next = atomic_load_explicit(&tier->next[kind][part], memory_order_relaxed);
        least = next < least ? next : least;
    }
    return least;
}

static unsigned next_distance(const kz_any_tier *tier) {
    unsigned lost = kz_any_next_of(tier, NEXT_LOST);
    unsigned won = kz_any_next_of(tier, NEXT_WON);
    return lost < won ? lost : won;
}

kz_status kz_any_go_back(kz_any_tier *tier, kz_pool *pool, const kz_progress *progress, kz_error *error) {
    for (unsigned n = next_distance(tier); n != ANY_NEVER && !atomic_load(&tier->too_far); n = next_distance(tier)) {
        KZ_TRY(expand_phase(tier, NEXT_LOST, n, pool, progress, error));
        KZ_TRY(expand_phase(tier, NEXT_WON, n, pool, progress, error));
    }
    return KZ_OK;
}
