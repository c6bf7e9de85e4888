/* SPDX-License-Identifier: MIT */
#include "solve/any_tier.h"

#include "base/bigmem.h"
#include "base/error.h"
#include "core/defined.h"

#include <stdatomic.h>
#include <stdlib.h>

/* What is known of a position. A position that `result` calls finished is not expanded: whoever moves there asks
 * `result`, too. A position without moves is expanded like any other. */
enum state {
    HOLE,
    OPEN,    /* the cell counts the moves into the tier that may still save it */
    BLOCKED, /* some move leads to a draw below: it can be won, but not lost */
    DRAWN,
    WON, /* the cell is the distance */
    LOST,
    FINISHED_WON,
    FINISHED_LOST
};

enum {
    PART = 4096, /* positions whose next distance is noted together */
    NEVER = UINT16_MAX
};

/* How a definition can break the laws while it is solved. */
typedef enum law {
    LAW_MOVES,
    LAW_INDEX,
    LAW_TIER,
    LAW_HOLE,
    LAW_REPEATS,
    LAW_PREDECESSORS,
    LAW_COUNT,
    LAW_PLIES,
    LAWS
} law;

static const char *const law_texts[LAWS] = {
    [LAW_MOVES] = "lists more moves than max_moves, or less than none",
    [LAW_INDEX] = "has a move to a position whose rank is not below index_size",
    [LAW_TIER] = "has a move to a tier with a larger number",
    [LAW_HOLE] = "has a move to a position of a lower tier whose rank is a hole",
    [LAW_REPEATS] = "has a move into its own tier, although never_repeats is set",
    [LAW_PREDECESSORS] = "lists more predecessors than max_predecessors, or less than none",
    [LAW_COUNT] = "is a predecessor of more positions than it has moves: moves and predecessors disagree",
    [LAW_PLIES] = "is won or lost in more than 65,000 plies",
};

/* Memory of one worker. */
typedef struct worker {
    kz_move *moves;
    uint64_t *indices;
    kz_position *before;
    uint64_t bad; /* the lowest index that broke a law; UINT64_MAX: none */
    law broken;
} worker;

struct kz_any_tier {
    const kz_any_rules *rules;
    kz_any_lower lower;
    uint64_t begin;
    uint64_t size;
    int tier;
    _Atomic uint16_t *cell;
    _Atomic uint8_t *state;
    uint64_t parts;
    /* The smallest distance of a part that is to be expanded: of lost positions, and of won ones. */
    _Atomic uint16_t *next[2];
    uint32_t *list; /* the parts that the current phase goes over */
    int workers;
    worker *worker;
    int kind;                  /* of the current phase: NEXT_LOST or NEXT_WON */
    unsigned n;                /* and its distance */
    _Atomic unsigned farthest; /* the longest distance so far */
    _Atomic unsigned horizon;  /* the longest distance that moves to lower tiers may lead to */
    uint8_t *done;             /* [parts]: nothing is open here; for solving forwards */
};

enum { NEXT_LOST, NEXT_WON };

uint64_t kz_any_tier_bytes(uint64_t positions) {
    return positions * (sizeof(uint16_t) + sizeof(uint8_t)) + positions / PART * 16 + 16;
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
    }
    free(tier->worker);
    kz_big_free((void *)tier->cell, (tier->size + 1) * sizeof *tier->cell);
    kz_big_free((void *)tier->state, tier->size + 1);
    free((void *)tier->next[0]);
    free((void *)tier->next[1]);
    free(tier->list);
    free(tier->done);
    free(tier);
}

static bool open_worker(const kz_any_rules *rules, worker *w) {
    size_t moves = (size_t)rules->game->max_moves + 1;
    size_t before = rules->game->predecessors ? (size_t)rules->game->max_predecessors + 1 : 1;
    w->bad = UINT64_MAX;
    w->moves = malloc(moves * sizeof *w->moves);
    w->indices = malloc((moves + before) * sizeof *w->indices); /* a list of predecessors, and one of moves behind it */
    w->before = malloc(before * sizeof *w->before);
    return w->moves && w->indices && w->before;
}

static kz_any_tier *open_tier(const kz_any_rules *rules, int number, const kz_any_lower *lower, int workers) {
    kz_any_tier *tier = calloc(1, sizeof *tier);
    if (!tier) {
        return NULL;
    }
    tier->rules = rules;
    tier->lower = *lower;
    tier->tier = number;
    tier->begin = rules->tier_begin[number];
    tier->size = rules->tier_begin[number + 1] - tier->begin;
    tier->parts = (tier->size + PART - 1) / PART;
    tier->workers = workers;
    tier->cell = kz_big_alloc((tier->size + 1) * sizeof *tier->cell);
    tier->state = kz_big_alloc(tier->size + 1);
    tier->next[0] = malloc((tier->parts + 1) * sizeof *tier->next[0]);
    tier->next[1] = malloc((tier->parts + 1) * sizeof *tier->next[1]);
    tier->list = malloc((tier->parts + 1) * sizeof *tier->list);
    tier->done = calloc(tier->parts + 1, 1);
    tier->worker = calloc((size_t)workers, sizeof *tier->worker);
    bool complete =
        tier->cell && tier->state && tier->next[0] && tier->next[1] && tier->list && tier->done && tier->worker;
    for (int i = 0; complete && i < workers; i++) {
        complete = open_worker(rules, &tier->worker[i]);
    }
    if (!complete) {
        kz_any_tier_free(tier);
        return NULL;
    }
    for (uint64_t part = 0; part < tier->parts; part++) {
        atomic_init(&tier->next[0][part], NEVER);
        atomic_init(&tier->next[1][part], NEVER);
    }
    return tier;
}

/* ---- Small steps ------------------------------------------------------------------------------------------------- */

static void complain(worker *w, uint64_t index, law broken) {
    if (index < w->bad) {
        w->bad = index;
        w->broken = broken;
    }
}

/* The first position that broke a law, if any. */
static kz_status check_laws(const kz_any_tier *tier, kz_error *error) {
    const worker *first = NULL;
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

static void lower_to(_Atomic uint16_t *value, uint16_t bound) {
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

static unsigned get_state(const kz_any_tier *tier, uint64_t offset) {
    return atomic_load_explicit(&tier->state[offset], memory_order_acquire);
}

static unsigned get_cell(const kz_any_tier *tier, uint64_t offset) {
    return atomic_load_explicit(&tier->cell[offset], memory_order_relaxed);
}

/* Writes a value. Readers that see the state see the distance. */
static void decide(kz_any_tier *tier, worker *w, uint64_t offset, enum state state, unsigned distance) {
    if (distance > KZ_MAX_PLIES) {
        complain(w, tier->begin + offset, LAW_PLIES);
        distance = KZ_MAX_PLIES;
    }
    atomic_store_explicit(&tier->cell[offset], (uint16_t)distance, memory_order_relaxed);
    atomic_store_explicit(&tier->state[offset], (uint8_t)state, memory_order_release);
    if (state == WON || state == LOST) {
        lower_to(&tier->next[state == WON ? NEXT_WON : NEXT_LOST][offset / PART], (uint16_t)distance);
        raise_to(&tier->farthest, distance);
    }
}

static int compare_indices(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* Sorts a list and drops what comes twice; returns how many are left. */
static unsigned distinct(uint64_t *indices, unsigned count) {
    enum { FEW = 24 };
    if (count > FEW) {
        qsort(indices, count, sizeof *indices, compare_indices);
    } else {
        for (unsigned i = 1; i < count; i++) {
            uint64_t index = indices[i];
            unsigned at = i;
            for (; at > 0 && indices[at - 1] > index; at--) {
                indices[at] = indices[at - 1];
            }
            indices[at] = index;
        }
    }
    unsigned left = 0;
    for (unsigned i = 0; i < count; i++) {
        if (i == 0 || indices[i] != indices[left - 1]) {
            indices[left++] = indices[i];
        }
    }
    return left;
}

/* ---- The moves of a position ------------------------------------------------------------------------------------- */

/* What the moves of a position lead to. */
typedef struct outlook {
    bool finished;   /* there are none */
    bool blocked;    /* some move leads to a draw outside the tier */
    unsigned win;    /* the soonest win by a move out of the tier, in plies from here; 0: none */
    unsigned worst;  /* the longest win of the opponent after a move out of the tier, in plies from there */
    unsigned inside; /* moves into the tier: indices[0 .. inside - 1] of the worker */
} outlook;

static void add_value(outlook *o, kz_code code) {
    unsigned plies = (code - 2) / 2;
    if (code == KZ_CODE_DRAW) {
        o->blocked = true;
    } else if (code % 2) {
        o->worst = plies > o->worst ? plies : o->worst;
    } else if (!o->win || plies + 1 < o->win) {
        o->win = plies + 1;
    }
}

/* A move to a position that goes on. */
static void add_position(const kz_any_tier *tier, worker *w, uint64_t from, const kz_position *child, outlook *o) {
    const kz_any_rules *rules = tier->rules;
    uint64_t index = kz_any_rank(rules, child);
    if (index >= rules->size) {
        complain(w, from, LAW_INDEX);
    } else if (index >= tier->begin + tier->size) {
        complain(w, from, LAW_TIER);
    } else if (index >= tier->begin) {
        w->indices[o->inside++] = index;
        if (rules->game->never_repeats) {
            complain(w, from, LAW_REPEATS);
        }
    } else {
        kz_code code = tier->lower.value(tier->lower.context, index);
        if (code == KZ_CODE_HOLE) {
            complain(w, from, LAW_HOLE);
        } else {
            add_value(o, code);
        }
    }
}

/* Looks at all moves of a position; once a move ends the game with a win, the others don't matter. */
static void look_ahead(const kz_any_tier *tier, worker *w, uint64_t index, const kz_position *position, outlook *o) {
    const kz_definition *game = tier->rules->game;
    const void *context = tier->rules->context;
    *o = (outlook){.finished = false};
    int count = game->moves(context, position, w->moves);
    if (count < 0 || count > game->max_moves) {
        complain(w, index, LAW_MOVES);
        count = 0;
    }
    o->finished = count == 0;
    for (int i = 0; i < count && o->win != 1; i++) {
        kz_position child = *position;
        game->play(context, &child, w->moves[i]);
        switch (game->result(context, &child)) {
        case KZ_LOSS:
            add_value(o, kz_code_loss(0));
            break;
        case KZ_WIN:
            add_value(o, kz_code_win(0));
            break;
        case KZ_DRAW:
            add_value(o, KZ_CODE_DRAW);
            break;
        default:
            add_position(tier, w, index, &child, o);
        }
    }
}

/* ---- What the rules and the lower tiers tell ----------------------------------------------------------------------
 */

static void start_position(kz_any_tier *tier, worker *w, uint64_t offset) {
    static const uint8_t finished[] = {[KZ_LOSS] = FINISHED_LOST, [KZ_DRAW] = DRAWN, [KZ_WIN] = FINISHED_WON};
    static const uint8_t stuck[] = {[KZ_UNKNOWN] = LOST, [KZ_LOSS] = LOST, [KZ_DRAW] = DRAWN, [KZ_WIN] = WON};
    const kz_definition *game = tier->rules->game;
    uint64_t index = tier->begin + offset;
    kz_position position;
    outlook o;
    if (!kz_any_unrank(tier->rules, index, &position)) {
        return; /* a hole, which all cells are at first */
    }
    kz_outcome result = game->result(tier->rules->context, &position);
    if (result != KZ_UNKNOWN) {
        decide(tier, w, offset, finished[result], 0);
        return;
    }
    look_ahead(tier, w, index, &position, &o);
    if (o.finished) {
        decide(tier, w, offset, stuck[kz_defined_stuck(game, tier->rules->context, &position)], 0);
    } else if (o.win) {
        decide(tier, w, offset, WON, o.win);
    } else if (o.inside == 0) {
        decide(tier, w, offset, o.blocked ? DRAWN : LOST, o.blocked ? 0 : o.worst + 1);
    } else {
        decide(tier, w, offset, o.blocked ? BLOCKED : OPEN, distinct(w->indices, o.inside));
        raise_to(&tier->horizon, o.worst + 1);
    }
}

static void start_parts(void *context, int number, uint64_t begin, uint64_t end) {
    kz_any_tier *tier = context;
    uint64_t last = end * PART < tier->size ? end * PART : tier->size;
    for (uint64_t offset = begin * PART; offset < last; offset++) {
        start_position(tier, &tier->worker[number], offset);
    }
}

/* ---- Backwards --------------------------------------------------------------------------------------------------- */

/* Lists the predecessors of a position that lie in the tier: distinct offsets. Returns how many. */
static unsigned list_before(const kz_any_tier *tier, worker *w, uint64_t offset) {
    const kz_any_rules *rules = tier->rules;
    kz_position position;
    if (!rules->game->unrank(rules->context, tier->begin + offset, &position)) {
        return 0;
    }
    int count = rules->game->predecessors(rules->context, &position, w->before);
    if (count < 0 || count > rules->game->max_predecessors) {
        complain(w, tier->begin + offset, LAW_PREDECESSORS);
        return 0;
    }
    unsigned inside = 0;
    for (int i = 0; i < count; i++) {
        uint64_t index = kz_any_rank(rules, &w->before[i]);
        if (index >= tier->begin && index - tier->begin < tier->size) {
            w->indices[inside++] = index - tier->begin;
        }
    }
    return distinct(w->indices, inside);
}

/* Lost in n: whoever can move here wins in n + 1, if not sooner. */
static void expand_loss(kz_any_tier *tier, worker *w, uint64_t offset) {
    unsigned count = list_before(tier, w, offset);
    for (unsigned i = 0; i < count; i++) {
        uint64_t before = w->indices[i];
        unsigned state = get_state(tier, before);
        if (state == OPEN || state == BLOCKED || (state == WON && get_cell(tier, before) > tier->n + 1)) {
            decide(tier, w, before, WON, tier->n + 1);
        }
    }
}

/* The last move that could save a position has failed, against a win in n. Moves out of the tier may take longer. */
static unsigned loss_distance(const kz_any_tier *tier, worker *w, unsigned count, uint64_t offset) {
    if (tier->tier == 0) {
        return tier->n + 1;
    }
    kz_position position;
    outlook o;
    uint64_t index = tier->begin + offset;
    /* The list of moves goes behind the `count` predecessors that are being gone through. */
    uint64_t *kept = w->indices;
    w->indices = kept + count;
    if (tier->rules->game->unrank(tier->rules->context, index, &position)) {
        look_ahead(tier, w, index, &position, &o);
    } else {
        o = (outlook){.worst = 0};
    }
    w->indices = kept;
    return (o.worst > tier->n ? o.worst : tier->n) + 1;
}

/* Won in n: whoever can move here has one move less. */
static void expand_win(kz_any_tier *tier, worker *w, uint64_t offset) {
    unsigned count = list_before(tier, w, offset);
    for (unsigned i = 0; i < count; i++) {
        uint64_t before = w->indices[i];
        if (get_state(tier, before) != OPEN) {
            continue;
        }
        unsigned left = atomic_fetch_sub_explicit(&tier->cell[before], 1, memory_order_relaxed);
        if (left == 0) {
            complain(w, tier->begin + before, LAW_COUNT);
        } else if (left == 1) {
            decide(tier, w, before, LOST, loss_distance(tier, w, count, before));
        }
    }
}

static void expand_part(kz_any_tier *tier, worker *w, uint64_t part) {
    uint8_t wanted = tier->kind == NEXT_WON ? WON : LOST;
    uint64_t begin = part * PART;
    uint64_t end = begin + PART < tier->size ? begin + PART : tier->size;
    unsigned later = NEVER;
    atomic_store_explicit(&tier->next[tier->kind][part], NEVER, memory_order_relaxed);
    for (uint64_t offset = begin; offset < end; offset++) {
        if (atomic_load_explicit(&tier->state[offset], memory_order_relaxed) != wanted) {
            continue;
        }
        unsigned cell = get_cell(tier, offset);
        if (cell == tier->n) {
            if (wanted == WON) {
                expand_win(tier, w, offset);
            } else {
                expand_loss(tier, w, offset);
            }
        } else if (cell > tier->n && cell < later) {
            later = cell;
        }
    }
    lower_to(&tier->next[tier->kind][part], (uint16_t)later);
}

static void expand_parts(void *context, int number, uint64_t begin, uint64_t end) {
    kz_any_tier *tier = context;
    for (uint64_t i = begin; i < end; i++) {
        expand_part(tier, &tier->worker[number], tier->list[i]);
    }
}

/* Expands all positions of one kind that are decided in n plies. */
static kz_status expand_phase(kz_any_tier *tier, int kind, unsigned n, kz_pool *pool, const kz_progress *progress,
                              kz_error *error) {
    uint64_t count = 0;
    tier->kind = kind;
    tier->n = n;
    for (uint64_t part = 0; part < tier->parts; part++) {
        if (atomic_load_explicit(&tier->next[kind][part], memory_order_relaxed) == n) {
            tier->list[count++] = (uint32_t)part;
        }
    }
    kz_status status =
        count ? kz_pool_for(pool, count, 0, expand_parts, tier, progress, "going backwards", error) : KZ_OK;
    return status == KZ_OK ? check_laws(tier, error) : status;
}

static unsigned next_distance(const kz_any_tier *tier) {
    unsigned least = NEVER;
    for (uint64_t part = 0; part < tier->parts; part++) {
        for (int kind = 0; kind < 2; kind++) {
            unsigned next = atomic_load_explicit(&tier->next[kind][part], memory_order_relaxed);
            least = next < least ? next : least;
        }
    }
    return least;
}

static kz_status go_backwards(kz_any_tier *tier, kz_pool *pool, const kz_progress *progress, kz_error *error) {
    kz_status status = KZ_OK;
    for (unsigned n = next_distance(tier); status == KZ_OK && n != NEVER; n = next_distance(tier)) {
        status = expand_phase(tier, NEXT_LOST, n, pool, progress, error);
        if (status == KZ_OK) {
            status = expand_phase(tier, NEXT_WON, n, pool, progress, error);
        }
    }
    return status;
}

/* ---- Forwards, without predecessors ------------------------------------------------------------------------------ */

/* Adds what the positions of the tier that are decided in less than n plies tell. Returns whether all of them are won
 * for the opponent. */
static bool add_inside(const kz_any_tier *tier, const worker *w, outlook *o) {
    bool all = true;
    for (unsigned i = 0; i < o->inside; i++) {
        uint64_t offset = w->indices[i] - tier->begin;
        unsigned state = get_state(tier, offset);
        bool early = (state == WON || state == LOST) && get_cell(tier, offset) < tier->n;
        all = all && early && state == WON;
        if (early) {
            add_value(o, state == WON ? kz_code_win(get_cell(tier, offset)) : kz_code_loss(get_cell(tier, offset)));
        }
    }
    return all;
}

static void settle_position(kz_any_tier *tier, worker *w, uint64_t offset) {
    kz_position position;
    outlook o;
    uint64_t index = tier->begin + offset;
    if (!tier->rules->game->unrank(tier->rules->context, index, &position)) {
        return;
    }
    look_ahead(tier, w, index, &position, &o);
    bool all = add_inside(tier, w, &o);
    if (o.win == tier->n) {
        decide(tier, w, offset, WON, tier->n);
    } else if (!o.win && !o.blocked && all && o.worst + 1 == tier->n) {
        decide(tier, w, offset, LOST, tier->n);
    }
}

static void settle_parts(void *context, int number, uint64_t begin, uint64_t end) {
    kz_any_tier *tier = context;
    for (uint64_t part = begin; part < end; part++) {
        uint64_t last = (part + 1) * PART < tier->size ? (part + 1) * PART : tier->size;
        bool open = false;
        for (uint64_t offset = part * PART; !tier->done[part] && offset < last; offset++) {
            unsigned state = get_state(tier, offset);
            if (state == OPEN || state == BLOCKED || (state == WON && get_cell(tier, offset) > tier->n)) {
                open = true;
                settle_position(tier, &tier->worker[number], offset);
            }
        }
        tier->done[part] = tier->done[part] || !open;
    }
}

/* How far phases have to go: one past the last distance, or to what lower tiers may bring. */
static unsigned last_phase(const kz_any_tier *tier) {
    unsigned next = atomic_load(&tier->farthest) + 1;
    unsigned horizon = atomic_load(&tier->horizon);
    return next > horizon ? next : horizon;
}

/* Phase n decides what is won or lost in n plies. */
static kz_status go_forwards(kz_any_tier *tier, kz_pool *pool, const kz_progress *progress, kz_error *error) {
    kz_status status = KZ_OK;
    for (unsigned n = 1; status == KZ_OK && n <= last_phase(tier); n++) {
        tier->n = n;
        status = kz_pool_for(pool, tier->parts, 0, settle_parts, tier, progress, "going forwards", error);
        if (status == KZ_OK) {
            status = check_laws(tier, error);
        }
    }
    return status;
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

kz_status kz_any_tier_solve(const kz_any_rules *rules, int tier, const kz_any_lower *lower, kz_pool *pool,
                            const kz_progress *progress, kz_any_tier **solved, kz_error *error) {
    *solved = NULL;
    kz_any_tier *t = open_tier(rules, tier, lower, kz_pool_threads(pool));
    if (!t) {
        return kz_fail(
            error, KZ_ERR_MEMORY, "no memory to solve %llu positions of %s: it takes %llu MiB",
            (unsigned long long)(rules->tier_begin[tier + 1] - rules->tier_begin[tier]), rules->game->name,
            (unsigned long long)(kz_any_tier_bytes(rules->tier_begin[tier + 1] - rules->tier_begin[tier]) >> 20));
    }
    kz_status status = kz_pool_for(pool, t->parts, 0, start_parts, t, progress, "looking at all moves", error);
    if (status == KZ_OK) {
        status = check_laws(t, error);
    }
    if (status == KZ_OK && !rules->game->never_repeats) {
        status =
            rules->game->predecessors ? go_backwards(t, pool, progress, error) : go_forwards(t, pool, progress, error);
    }
    if (status != KZ_OK) {
        kz_any_tier_free(t);
        return status;
    }
    *solved = t;
    return KZ_OK;
}

kz_code kz_any_tier_code(const kz_any_tier *tier, uint64_t offset) {
    unsigned cell = get_cell(tier, offset);
    switch (get_state(tier, offset)) {
    case HOLE:
        return KZ_CODE_HOLE;
    case WON:
        return kz_code_win(cell);
    case LOST:
        return kz_code_loss(cell);
    case FINISHED_WON:
        return kz_code_win(0);
    case FINISHED_LOST:
        return kz_code_loss(0);
    default:
        return KZ_CODE_DRAW;
    }
}

unsigned kz_any_tier_longest(const kz_any_tier *tier) { return atomic_load(&tier->farthest); }
