/* SPDX-License-Identifier: MIT
 *
 * A tier that is being solved: its cells, and what workers share. any_tier.c begins it, any_ahead.c looks at moves,
 * any_back.c goes backwards, any_forth.c forwards.
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
    ANY_NEVER = UINT16_MAX
};

/* How a definition can break the laws while it is solved. */
typedef enum any_law {
    LAW_MOVES,
    LAW_INDEX,
    LAW_TIER,
    LAW_HOLE,
    LAW_REPEATS,
    LAW_PREDECESSORS,
    LAW_COUNT,
    LAW_PLIES,
    LAWS
} any_law;

/* Memory of one worker. */
typedef struct any_worker {
    kz_move *moves;
    uint64_t *indices;
    kz_position *before;
    uint64_t *batch; /* offsets of predecessors whose cells are on their way into the cache */
    unsigned waiting;
    uint64_t bad; /* the lowest index that broke a law; UINT64_MAX: none */
    any_law broken;
} any_worker;

enum { NEXT_LOST, NEXT_WON };

struct kz_any_tier {
    const kz_any_rules *rules;
    kz_any_lower lower;
    uint64_t begin;
    uint64_t size;
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
    uint8_t *done;            /* [parts]: nothing is open here; for solving forwards */
};

/* What the moves of a position lead to. */
typedef struct any_outlook {
    kz_sight sight;  /* with what moves to lower tiers are worth */
    bool hole;       /* there is no position with that number */
    bool stuck;      /* the game is over because there are no moves: `result` does not know it */
    bool settled;    /* won in 1, as numbers_after says, so that nobody lists it */
    unsigned inside; /* moves into the tier: indices[0 .. inside - 1] of the worker */
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

/* Notes that a position breaks a law, if it is the first of those that this worker has seen. */
void kz_any_complain(any_worker *w, uint64_t index, any_law broken);
/* Fails with the first position that broke a law, if any. */
kz_status kz_any_check_laws(const kz_any_tier *tier, kz_error *error);

/* The cell of a position that is won or lost in so many plies, and notes about that distance. */
unsigned kz_any_decided(kz_any_tier *tier, any_worker *w, uint64_t offset, bool won, unsigned plies);

/* value = min(value, bound) */
void kz_any_lower_to(_Atomic uint16_t *value, uint16_t bound);

/* Drops what comes twice; returns how many are left, in order. */
unsigned kz_any_distinct(uint64_t *indices, unsigned count);

/* Looks at the moves of a position. Once a move wins at once, the others don't matter. The worker's indices get those
 * into the tier, each as often as there are moves to it. */
void kz_any_look_ahead(const kz_any_tier *tier, any_worker *w, uint64_t index, any_outlook *o);
/* Adds the value of a position that a move leads to. */
void kz_any_add_value(kz_sight *sight, kz_code code);

kz_status kz_any_go_back(kz_any_tier *tier, kz_pool *pool, const kz_progress *progress, kz_error *error);
kz_status kz_any_go_forth(kz_any_tier *tier, kz_pool *pool, const kz_progress *progress, kz_error *error);

#endif
