/* SPDX-License-Identifier: MIT */
#include "solve/any_tier.h"

#include "base/bigmem.h"
#include "base/error.h"
#include "base/list.h"
#include "solve/any_cells.h"

#include <stdlib.h>

static const char *const law_texts[LAWS] = {
    [LAW_MOVES] = "lists more moves than max_moves, or less than none",
    [LAW_ZERO] = "lists a move that is 0",
    [LAW_INDEX] = "has a move to a position whose rank is not below index_size",
    [LAW_TIER] = "has a move to a tier with a larger number",
    [LAW_HOLE] = "has a move to a position of a lower tier whose rank is a hole",
    [LAW_NEXT] = "has a move to a tier that tier_next does not list",
    [LAW_REPEATS] = "has a move into its own tier, although never_repeats is set",
    [LAW_PREDECESSORS] = "lists more predecessors than max_predecessors, or less than none",
    [LAW_COUNT] = "is a predecessor of more positions than it has moves: moves and predecessors disagree",
    [LAW_PLIES] = "is won or lost in more than 65,000 plies",
};

/* A part has its next distances, its place in the list, whether it is done, and whether something is pending. */
enum { PART_BYTES = 2 * sizeof(uint16_t) + sizeof(uint32_t) + 2 };

uint64_t kz_any_tier_bytes(uint64_t positions) {
    return (positions + 1) * sizeof(uint16_t) + (positions / ANY_PART + 2) * PART_BYTES;
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

void kz_any_tier_free(kz_any_tier *tier) {
    if (!tier) {
        return;
    }
    for (int i = 0; tier->worker && i < tier->workers; i++) {
        free(tier->worker[i].moves);
        free(tier->worker[i].indices);
        free(tier->worker[i].before);
        free(tier->worker[i].batch);
        free(tier->worker[i].places);
        free(tier->worker[i].asked);
        free(tier->worker[i].away);
    }
    free(tier->worker);
    kz_big_free((void *)tier->narrow_cell, (tier->count + 1) * sizeof *tier->narrow_cell);
    kz_big_free((void *)tier->wide_cell, (tier->count + 1) * sizeof *tier->wide_cell);
    free((void *)tier->next[0]);
    free((void *)tier->next[1]);
    free(tier->list);
    free(tier->done);
    free((void *)tier->pending);
    free(tier);
}

static bool open_worker(const kz_any_rules *rules, any_worker *w, bool alone) {
    size_t moves = (size_t)rules->game->max_moves + 1;
    size_t before = rules->game->predecessors ? (size_t)rules->game->max_predecessors + 1 : 1;
    w->bad = UINT64_MAX;
    w->moves = malloc(moves * sizeof *w->moves);
    w->indices = malloc(moves * sizeof *w->indices);
    w->before = malloc(before * sizeof *w->before);
    w->batch = malloc((ANY_BATCH + before) * sizeof *w->batch);
    w->places = malloc(ANY_AHEAD * moves * sizeof *w->places);
    w->asked = alone ? NULL : malloc(moves * sizeof *w->asked);
    w->away = alone ? NULL : malloc((ANY_BATCH + before) * sizeof *w->away);
    return w->moves && w->indices && w->before && w->batch && w->places && (alone || (w->asked && w->away));
}

kz_any_tier *kz_any_tier_new(const kz_any_rules *rules, int number, const kz_any_lower *lower, int workers, bool wide,
                             uint64_t first, uint64_t count, bool alone) {
    kz_any_tier *tier = calloc(1, sizeof *tier);
    if (!tier) {
        return NULL;
    }
    tier->rules = rules;
    tier->lower = *lower;
    tier->tier = number;
    tier->begin = rules->tier_begin[number];
    tier->size = rules->tier_begin[number + 1] - tier->begin;
    tier->first = first;
    tier->count = count;
    tier->parts = (count + ANY_PART - 1) / ANY_PART;
    tier->workers = workers;
    tier->wide = wide;
    tier->decided = (unsigned)(ANY_OPEN + rules->game->max_moves + 1);
    tier->farthest = wide ? KZ_MAX_PLIES : (UINT16_MAX - tier->decided) / 2 - 1;
    if (wide) {
        tier->wide_cell = kz_big_alloc((tier->count + 1) * sizeof *tier->wide_cell);
    } else {
        tier->narrow_cell = kz_big_alloc((tier->count + 1) * sizeof *tier->narrow_cell);
    }
    tier->next[0] = malloc((tier->parts + 1) * sizeof *tier->next[0]);
    tier->next[1] = malloc((tier->parts + 1) * sizeof *tier->next[1]);
    tier->list = malloc((tier->parts + 1) * sizeof *tier->list);
    tier->done = calloc(tier->parts + 1, 1);
    tier->pending = alone ? NULL : calloc(tier->parts + 1, sizeof *tier->pending);
    tier->worker = calloc((size_t)workers, sizeof *tier->worker);
    bool complete = (tier->narrow_cell || tier->wide_cell) && tier->next[0] && tier->next[1] && tier->list &&
                    tier->done && tier->worker && (alone || tier->pending);
    for (int i = 0; complete && i < workers; i++) {
        complete = open_worker(rules, &tier->worker[i], alone);
    }
    if (!complete) {
        kz_any_tier_free(tier);
        return NULL;
    }
    for (uint64_t part = 0; part < tier->parts; part++) {
        atomic_init(&tier->next[0][part], ANY_NEVER);
        atomic_init(&tier->next[1][part], ANY_NEVER);
    }
    return tier;
}

/* ---- Small steps ------------------------------------------------------------------------------------------------- */

void kz_any_complain(any_worker *w, uint64_t index, any_law broken) {
    if (index < w->bad) {
        w->bad = index;
        w->broken = broken;
    }
}

kz_status kz_any_check_laws(const kz_any_tier *tier, kz_error *error) {
    const any_worker *first = NULL;
    for (int i = 0; i < tier->workers; i++) {
        if (tier->worker[i].bad != UINT64_MAX && (!first || tier->worker[i].bad < first->bad)) {
            first = &tier->worker[i];
        }
    }
    if (!first) {
        return KZ_OK;
    }
    kz_position position;
    char text[KZ_TEXT_BYTES] = "(a hole)";
    const kz_definition *game = tier->rules->game;
    if (game->unrank(tier->rules->context, first->bad, &position)) {
        game->format(tier->rules->context, &position, text);
    }
    return kz_fail(error, KZ_ERR_INPUT, "%s: position %llu, '%s', %s", game->name, (unsigned long long)first->bad, text,
                   law_texts[first->broken]);
}

void kz_any_lower_to(_Atomic uint16_t *value, uint16_t bound) {
    uint16_t old = atomic_load_explicit(value, memory_order_relaxed);
    while (old > bound &&
           !atomic_compare_exchange_weak_explicit(value, &old, bound, memory_order_relaxed, memory_order_relaxed)) {
    }
}

static void raise_to(_Atomic unsigned *value, unsigned bound) {
    unsigned old = atomic_load_explicit(value, memory_order_relaxed);
    while (old < bound &&
           !atomic_compare_exchange_weak_explicit(value, &old, bound, memory_order_relaxed, memory_order_relaxed)) {
    }
}

unsigned kz_any_decided(kz_any_tier *tier, any_worker *w, uint64_t offset, bool won, unsigned plies) {
    if (plies > KZ_MAX_PLIES) {
        kz_any_complain(w, tier->first + offset, LAW_PLIES);
        plies = KZ_MAX_PLIES;
    }
    if (plies > tier->farthest) {
        atomic_store_explicit(&tier->too_far, true, memory_order_relaxed);
        plies = tier->farthest;
    }
    if (plies % 2 != won) {
        atomic_store_explicit(&tier->odd_losses, true, memory_order_relaxed);
    }
    kz_any_lower_to(&tier->next[won ? NEXT_WON : NEXT_LOST][offset / ANY_PART], (uint16_t)plies);
    raise_to(&tier->longest, plies);
    return tier->decided + 2 * plies + won;
}

/* ---- What the rules and the lower tiers tell --------------------------------------------------------------------- */

/* The cell of a position whose game is over. */
static unsigned finished_cell(kz_any_tier *tier, any_worker *w, uint64_t offset, const any_outlook *o) {
    /* By numbers nobody asks `result` about a position without moves that is lost: so it is expanded like others. */
    bool expanded = o->stuck || (tier->rules->game->numbers_after && o->sight.over == KZ_LOSS);
    if (o->sight.over == KZ_DRAW) {
        return ANY_DRAWN;
    }
    if (expanded) {
        return kz_any_decided(tier, w, offset, o->sight.over == KZ_WIN, 0);
    }
    if (o->sight.over == KZ_WIN) { /* after no ply, which is an even number */
        atomic_store_explicit(&tier->odd_losses, true, memory_order_relaxed);
        return ANY_FINISHED_WON;
    }
    return ANY_FINISHED_LOST;
}

unsigned kz_any_first_cell(kz_any_tier *tier, any_worker *w, uint64_t offset, const any_outlook *o) {
    if (o->hole) {
        return ANY_HOLE;
    }
    if (o->sight.over != KZ_UNKNOWN) {
        return finished_cell(tier, w, offset, o);
    }
    if (o->settled) {
        raise_to(&tier->longest, 1);
        return ANY_SETTLED;
    }
    if (o->sight.win) {
        return kz_any_decided(tier, w, offset, true, (unsigned)o->sight.win);
    }
    if (o->inside == 0) {
        return o->sight.draws ? ANY_DRAWN : kz_any_decided(tier, w, offset, false, (unsigned)o->sight.worst + 1);
    }
    raise_to(&tier->horizon, (unsigned)o->sight.worst + 1);
    return o->sight.draws ? ANY_BLOCKED : ANY_OPEN + o->inside;
}

static void start_parts(void *context, int number, uint64_t begin, uint64_t end) {
    kz_any_tier *tier = context;
    any_worker *w = &tier->worker[number];
    bool by_numbers = tier->rules->game->numbers_after;
    uint64_t last = end * ANY_PART < tier->count ? end * ANY_PART : tier->count;
    unsigned step = by_numbers ? ANY_AHEAD : 1; /* by moves, those into the tier are looked at */
    for (uint64_t offset = begin * ANY_PART; offset < last; offset += step) {
        any_outlook o[ANY_AHEAD];
        unsigned count = last - offset < step ? (unsigned)(last - offset) : step;
        kz_any_look_far(tier, w, tier->first + offset, count, o);
        if (!by_numbers && any_counts(o)) {
            o->inside = kz_distinct64(w->indices, o->inside);
        }
        for (unsigned i = 0; i < count; i++) {
            any_put(tier, offset + i, kz_any_first_cell(tier, w, offset + i, &o[i]));
        }
    }
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

static kz_status solve(kz_any_tier *tier, kz_pool *pool, const kz_progress *progress, kz_error *error) {
    const kz_definition *game = tier->rules->game;
    KZ_TRY(kz_pool_for(pool, tier->parts, 0, start_parts, tier, progress, "looking at all moves", error));
    KZ_TRY(kz_any_check_laws(tier, error));
    if (game->never_repeats) {
        return KZ_OK;
    }
    return game->predecessors ? kz_any_go_back(tier, pool, progress, error)
                              : kz_any_go_forth(tier, pool, progress, error);
}

kz_status kz_any_tier_solve(const kz_any_rules *rules, int tier, const kz_any_lower *lower, kz_pool *pool,
                            const kz_progress *progress, kz_any_tier **solved, kz_error *error) {
    uint64_t size = rules->tier_begin[tier + 1] - rules->tier_begin[tier];
    kz_status status = KZ_OK;
    *solved = NULL;
    for (int wide = 0; status == KZ_OK && wide < 2 && !*solved; wide++) {
        kz_any_tier *t =
            kz_any_tier_new(rules, tier, lower, kz_pool_threads(pool), wide, rules->tier_begin[tier], size, true);
        if (!t) {
            return kz_fail(error, KZ_ERR_MEMORY, "no memory to solve %llu positions of %s: it takes %llu MiB",
                           (unsigned long long)size, rules->game->name,
                           (unsigned long long)(kz_any_tier_bytes(size) << wide >> 20));
        }
        status = solve(t, pool, progress, error);
        if (status == KZ_OK && !atomic_load(&t->too_far)) {
            *solved = t;
        } else {
            kz_any_tier_free(t);
        }
    }
    return status;
}

kz_code kz_any_tier_code(const kz_any_tier *tier, uint64_t offset) {
    unsigned cell = any_cell(tier, offset);
    if (cell >= tier->decided) {
        return cell - tier->decided + 2; /* as codes are: 2 + 2 n lost, 3 + 2 n won */
    }
    switch (cell) {
    case ANY_HOLE:
        return KZ_CODE_HOLE;
    case ANY_FINISHED_WON:
        return kz_code_win(0);
    case ANY_FINISHED_LOST:
        return kz_code_loss(0);
    case ANY_SETTLED:
        return kz_code_win(1);
    default:
        return KZ_CODE_DRAW;
    }
}

unsigned kz_any_tier_longest(const kz_any_tier *tier) { return atomic_load(&tier->longest); }
bool kz_any_tier_parity(const kz_any_tier *tier) { return !atomic_load(&tier->odd_losses); }
