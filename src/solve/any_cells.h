/* SPDX-License-Identifier: MIT
 *
 * A tier that is being solved: its cells, and what workers share. any_tier.c begins it, any_ahead.c looks at moves,
 * any_back.c goes backwards, any_forth.c forwards. If several processes solve it (team/any_team.c), each has the cells
 * of a range of it, its shard; an offset counts from the beginning of the shard.
 *
 * What is known of a position is one number, its cell:
 *
 *     hole, drawn, ...          below ANY_OPEN
 *     ANY_OPEN + k              open: k moves into the tier may still save it
 *     decided + 2 n             lost in n plies
 *     decided + 2 n + 1         won in n plies
 *
 * with decided = ANY_OPEN + max_moves + 1. It takes two bytes, or four if distances turn out too long for two. */
#ifndef KZ_SOLVE_ANY_CELLS_H
#define KZ_SOLVE_ANY_CELLS_H

#include "solve/any_tier.h"

#include <stdatomic.h>

/* A position that `result` calls finished is not expanded: whoever moves there asks `result`, too. A position without
 * moves is expanded like any other. */
enum {
    ANY_HOLE,
    ANY_DRAWN,
    ANY_FINISHED_WON,
    ANY_FINISHED_LOST,
    ANY_SETTLED, /* won in 1, and moves to it are not listed: not expanded */
    ANY_BLOCKED, /* some move leads to a draw below: it can be won, but not lost */
    ANY_OPEN
};

enum {
    ANY_PART = 1024,  /* positions whose next distance is noted together */
    ANY_BATCH = 1024, /* predecessors that are worked on together */
    ANY_AHEAD = 8,    /* positions whose moves are looked at together */
    ANY_NEVER = UINT16_MAX
};

/* How a definition can break the laws while it is solved. */
typedef enum any_law {
    LAW_MOVES,
    LAW_ZERO,
    LAW_INDEX,
    LAW_TIER,
    LAW_HOLE,
    LAW_NEXT,
    LAW_REPEATS,
    LAW_PREDECESSORS,
    LAW_COUNT,
    LAW_PLIES,
    LAWS
} any_law;

/* Where the value of a position of a lower tier is. */
typedef struct any_place {
    const uint8_t *at;
    kz_any_form form;
} any_place;

/* Memory of one worker. */
typedef struct any_worker {
    kz_move *moves;
    uint64_t *indices;
    kz_position *before;
    uint64_t *batch; /* offsets of predecessors whose cells are on their way into the cache */
    unsigned waiting;
    kz_any_span span;  /* of the lower tier that was looked at last */
    any_place *places; /* [ANY_AHEAD * (max_moves + 1)]: values that are on their way into the cache */
    unsigned on_way;
    /* With other processes: indices of lower tiers that the moves of a position lead to, for which they are asked; and
     * predecessors in other shards, counted from the beginning of the tier. */
    uint64_t *asked; /* [max_moves + 1]; NULL: alone */
    unsigned asks;
    uint64_t *away; /* [ANY_BATCH + max_predecessors + 1]; NULL: alone */
    unsigned aways;
    uint64_t bad; /* the lowest index that broke a law; UINT64_MAX: none */
    any_law broken;
} any_worker;

enum { NEXT_LOST, NEXT_WON };

struct kz_any_tier {
    const kz_any_rules *rules;
    kz_any_lower lower;
    uint64_t begin; /* of the tier */
    uint64_t size;
    uint64_t first; /* of the shard: an index; alone, `begin` */
    uint64_t count; /* of the shard; alone, `size` */
    int tier;
    bool wide;
    _Atomic uint16_t *narrow_cell; /* one of these two */
    _Atomic uint32_t *wide_cell;
    unsigned decided;  /* the first cell of a decided position */
    unsigned farthest; /* that a cell can hold: plies */
    uint64_t parts;
    /* The smallest distance of a part that is to be expanded: of lost positions, and of won ones. */
    _Atomic uint16_t *next[2];
    uint32_t *list; /* the parts that the current phase goes over */
    int workers;
    any_worker *worker;
    int kind;                 /* of the current phase: NEXT_LOST or NEXT_WON */
    unsigned n;               /* and its distance */
    _Atomic unsigned longest; /* the longest distance so far */
    _Atomic unsigned horizon; /* the longest distance that moves to lower tiers may lead to */
    _Atomic bool too_far;     /* a distance did not fit into a cell: all has to be done again with wide ones */
    _Atomic bool odd_losses;  /* a loss took an odd number of plies, or a win an even one */
    uint8_t *done;            /* [parts]: nothing is open here; for solving forwards */
    /* With other processes: parts in which the last move of some position has failed, but it is not known yet what its
     * moves to lower tiers are worth; and the call that sends what `away` has. NULL: alone. */
    _Atomic uint8_t *pending; /* [parts] */
    void (*send_away)(void *context, any_worker *w);
    void *send_context;
};

/* What the moves of a position lead to. */
typedef struct any_outlook {
    kz_sight sight;  /* with what moves to lower tiers are worth */
    bool hole;       /* there is no position with that number */
    bool stuck;      /* the game is over because there are no moves: `result` does not know it */
    bool settled;    /* won in 1, as numbers_after says, so that nobody lists it */
    bool waits;      /* some move into the tier does not lose yet; for solving forwards */
    unsigned inside; /* moves into the tier: indices[0 .. inside - 1] of the worker */
    unsigned below;  /* moves to lower tiers whose values have yet to be added */
} any_outlook;

static inline unsigned any_cell(const kz_any_tier *tier, uint64_t offset) {
    return tier->wide ? atomic_load_explicit(&tier->wide_cell[offset], memory_order_relaxed)
                      : atomic_load_explicit(&tier->narrow_cell[offset], memory_order_relaxed);
}

static inline void any_put(kz_any_tier *tier, uint64_t offset, unsigned cell) {
    if (tier->wide) {
        atomic_store_explicit(&tier->wide_cell[offset], cell, memory_order_relaxed);
    } else {
        atomic_store_explicit(&tier->narrow_cell[offset], (uint16_t)cell, memory_order_relaxed);
    }
}

/* Replaces a cell, if it still is `*old`; otherwise says in `*old` what it is. */
static inline bool any_replace(kz_any_tier *tier, uint64_t offset, unsigned *old, unsigned cell) {
    if (tier->wide) {
        uint32_t seen = *old;
        bool replaced = atomic_compare_exchange_strong_explicit(&tier->wide_cell[offset], &seen, cell,
                                                                memory_order_relaxed, memory_order_relaxed);
        *old = seen;
        return replaced;
    }
    uint16_t seen = (uint16_t)*old;
    bool replaced = atomic_compare_exchange_strong_explicit(&tier->narrow_cell[offset], &seen, (uint16_t)cell,
                                                            memory_order_relaxed, memory_order_relaxed);
    *old = seen;
    return replaced;
}

static inline bool any_is_open(const kz_any_tier *tier, unsigned cell) {
    return cell >= ANY_OPEN && cell < tier->decided;
}
static inline bool any_is_won(const kz_any_tier *tier, unsigned cell) {
    return cell >= tier->decided && (cell - tier->decided) % 2;
}
static inline bool any_is_lost(const kz_any_tier *tier, unsigned cell) {
    return cell >= tier->decided && (cell - tier->decided) % 2 == 0;
}
/* Of a decided position. */
static inline unsigned any_plies(const kz_any_tier *tier, unsigned cell) { return (cell - tier->decided) / 2; }

/* Memory for a shard of a tier; alone, the shard is all of it. NULL if there is none. */
kz_any_tier *kz_any_tier_new(const kz_any_rules *rules, int number, const kz_any_lower *lower, int workers, bool wide,
                             uint64_t first, uint64_t count, bool alone);

/* Notes that a position breaks a law, if it is the first of those that this worker has seen. */
void kz_any_complain(any_worker *w, uint64_t index, any_law broken);
/* Fails with the first position that broke a law, if any. */
kz_status kz_any_check_laws(const kz_any_tier *tier, kz_error *error);

/* The cell of a position that is won or lost in so many plies, and notes about that distance. */
unsigned kz_any_decided(kz_any_tier *tier, any_worker *w, uint64_t offset, bool won, unsigned plies);

/* value = min(value, bound) */
void kz_any_lower_to(_Atomic uint16_t *value, uint16_t bound);

/* Looks at the moves of a position. Once a move wins at once, the others don't matter. The worker's indices get those
 * into the tier, each as often as there are moves to it. */
void kz_any_look_ahead(const kz_any_tier *tier, any_worker *w, uint64_t index, any_outlook *o);
/* The same for `count` neighbouring indices, at most ANY_AHEAD, so that fewer values of lower tiers are waited for.
 * Only the last one's moves into the tier are left in the worker's indices. */
void kz_any_look_far(const kz_any_tier *tier, any_worker *w, uint64_t index, unsigned count, any_outlook *o);
/* Adds the value of a position that a move leads to. */
void kz_any_add_value(kz_sight *sight, kz_code code);
/* Adds the value of a position of a lower tier, or a complaint if there is none. */
void kz_any_add_lower(any_worker *w, uint64_t from, kz_code code, any_outlook *o);
/* Whether what a position is at first depends on the number of its different moves into the tier. */
static inline bool any_counts(const any_outlook *o) {
    return !o->hole && o->sight.over == KZ_UNKNOWN && !o->settled && !o->sight.win && !o->sight.draws;
}
/* What a position is at first, by its moves: `inside` says how many different ones lead into the tier. */
unsigned kz_any_first_cell(kz_any_tier *tier, any_worker *w, uint64_t offset, const any_outlook *o);

/* Backwards: lists the parts that have something to expand, and returns how many; expands what the parts of the list
 * from `begin` to `end` - 1 have; applies what was found to a position of the shard. */
uint64_t kz_any_list_phase(kz_any_tier *tier, int kind, unsigned n);
void kz_any_expand_parts(kz_any_tier *tier, any_worker *w, uint64_t begin, uint64_t end);
void kz_any_apply(kz_any_tier *tier, any_worker *w, uint64_t offset);
/* The smallest distance of a kind that is to be expanded; ANY_NEVER: none. */
unsigned kz_any_next_of(const kz_any_tier *tier, int kind);

/* Forwards: whether a position may still change; adds the value of a position of the tier, as a code or KZ_CODE_HOLE
 * for one that is not decided; and decides what its moves tell. */
bool kz_any_may_change(const kz_any_tier *tier, unsigned cell);
void kz_any_add_inside(const kz_any_tier *tier, kz_code code, any_outlook *o);
void kz_any_settle(kz_any_tier *tier, any_worker *w, uint64_t offset, const any_outlook *o);
/* What others are told of a cell. */
static inline kz_code any_inside_code(const kz_any_tier *tier, unsigned cell) {
    return cell >= tier->decided ? cell - tier->decided + 2 : KZ_CODE_HOLE;
}

kz_status kz_any_go_back(kz_any_tier *tier, kz_pool *pool, const kz_progress *progress, kz_error *error);
kz_status kz_any_go_forth(kz_any_tier *tier, kz_pool *pool, const kz_progress *progress, kz_error *error);

#endif
