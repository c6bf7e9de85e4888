/* SPDX-License-Identifier: MIT */
#include "games/pushfight/table/plan.h"

#include "base/bits.h"

#include <string.h>

void kz_pf_won_tables_fill(kz_pf_won_tables *tables, const kz_pf_space *space) {
    kz_pf_edges_init(&tables->edges, space->board);
    tables->all_splits = (UINT64_C(1) << space->splits) - 1;
    for (unsigned set = 0; set < KZ_PF_SUBSETS; set++) {
        tables->spread[set] = 0;
        tables->some_pusher[set] = 0;
        for (int alpha = 0; alpha < space->pieces; alpha++) {
            tables->spread[set] |= set >> alpha & 1 ? UINT64_C(1) << alpha * space->splits : 0;
        }
        for (int rho = 0; rho < space->splits; rho++) {
            bool pusher = set & ~(unsigned)space->split_pattern[rho] & ((1U << space->pieces) - 1);
            tables->some_pusher[set] |= (uint16_t)(pusher << rho);
        }
    }
}

/* ---- Ways over free squares -------------------------------------------------------------------------------------- */

static inline uint32_t lowest(uint32_t squares) { return squares & -squares; }

/* The free squares connected with `from`, which is free itself. */
static inline uint32_t region(uint32_t from, uint32_t free) {
    uint32_t now = from;
    for (;;) {
        uint32_t next = (now | kz_pf_neighbours(now)) & free;
        next = (next | kz_pf_neighbours(next)) & free;
        if (next == now) {
            return now;
        }
        now = next;
    }
}

/* The pieces among `pieces` that can move to `target`, a free square. */
static inline uint32_t arrivals(uint32_t target, uint32_t free, uint32_t pieces) {
    return kz_pf_neighbours(region(target, free)) & pieces;
}

/* Pieces of `pieces` that can get to `target` after `first` has gone to one of `stops`, perhaps over the square that it
 * has left. */
static uint32_t arrivals_after(uint32_t first, uint32_t stops, uint32_t target, uint32_t free, uint32_t pieces) {
    uint32_t most = arrivals(target, free | first, pieces);
    uint32_t found = 0;
    for (; stops && found != most; stops &= stops - 1) {
        found |= arrivals(target, (free | first) & ~lowest(stops), pieces);
    }
    return found;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

/* A line, up to a square where a pusher may push from. */
typedef struct line {
    uint32_t between; /* the squares between victim and pusher */
    uint32_t pusher;  /* where the pusher has to be */
    uint32_t gaps;    /* squares between that are free */
    uint64_t alphas;  /* spread: those whose piece is not in the line */
} line;

enum { LINES_MOST = KZ_PF_MOST_PIECES * KZ_PF_DIRECTIONS * KZ_PF_COLUMNS };

typedef struct pair {
    const kz_pf_won_tables *tables;
    uint32_t own;
    uint32_t free;
    uint32_t pieces[KZ_PF_MOST_PIECES]; /* the squares of the own ones, each as a set */
    uint32_t alphas[KZ_PF_GRID];        /* the enemy piece on a square, as a set of pieces */
    uint64_t wanted;                    /* bits that are not known to be won yet */
    uint64_t won;
    int put_aside;
    line later[LINES_MOST]; /* lines that two moves may mend */
} pair;

/* The own pieces on some squares as a set. */
static inline uint32_t pieces_on(const pair *p, uint32_t squares) {
    uint32_t set = 0;
    for (unsigned i = 0; i < KZ_PF_MOST_PIECES; i++) {
        set |= (uint32_t)((squares & p->pieces[i]) != 0) << i;
    }
    return set;
}

static inline uint64_t with_pusher(const pair *p, uint32_t squares) {
    return p->tables->some_pusher[pieces_on(p, squares)];
}

static inline void add_wins(pair *p, const line *l, uint64_t splits) {
    uint64_t bits = splits * l->alphas;
    p->won |= bits;
    p->wanted &= ~bits;
}

/* One of `firsts` goes to `gap`, then one of `seconds` to `target`. Returns those that can be the second one. */
static uint32_t fill_both(const pair *p, uint32_t gap, uint32_t firsts, uint32_t target, uint32_t seconds) {
    uint32_t found = 0;
    for (uint32_t rest = arrivals(gap, p->free, firsts); rest; rest &= rest - 1) {
        uint32_t first = lowest(rest);
        found |= arrivals(target, (p->free | first) & ~gap, seconds & ~first);
    }
    return found;
}

/* The same, and returns those that can be the first one. */
static uint32_t filled_first(const pair *p, uint32_t gap, uint32_t firsts, uint32_t target, uint32_t seconds) {
    uint32_t found = 0;
    for (uint32_t rest = arrivals(gap, p->free, firsts); rest; rest &= rest - 1) {
        uint32_t first = lowest(rest);
        found |= arrivals(target, (p->free | first) & ~gap, seconds & ~first) ? first : 0;
    }
    return found;
}

/* What two moves can do if an own piece stands at the end of the line. */
static uint64_t mend_taken_end(const pair *p, const line *l) {
    uint32_t outside = p->own & ~(l->between | l->pusher);
    uint32_t gap = lowest(l->gaps);
    uint32_t other = l->gaps ^ gap;
    if (!gap) { /* a mover makes room for a pusher */
        uint32_t stops = region(kz_pf_neighbours(l->pusher) & p->free, p->free);
        return with_pusher(p, arrivals_after(l->pusher, stops, l->pusher, p->free, outside));
    }
    uint64_t standing = with_pusher(p, l->pusher);
    if (other) {
        bool filled = fill_both(p, gap, outside, other, outside) || fill_both(p, other, outside, gap, outside);
        return filled ? standing : 0;
    }
    /* A mover goes from the end into the gap, a pusher takes its place. Or a piece of the line fills the gap, and one
     * from outside takes its place. */
    uint64_t won = with_pusher(p, fill_both(p, gap, l->pusher, l->pusher, outside));
    for (uint32_t rest = arrivals(gap, p->free, p->own & l->between); rest; rest &= rest - 1) {
        won |= arrivals(lowest(rest), (p->free | lowest(rest)) & ~gap, outside) ? standing : 0;
    }
    return won;
}

/* If the end is free. */
static uint64_t mend_free_end(const pair *p, const line *l) {
    uint32_t outside = p->own & ~l->between;
    if (l->gaps) {
        return with_pusher(p, fill_both(p, l->gaps, outside, l->pusher, outside) |
                                  filled_first(p, l->pusher, outside, l->gaps, outside));
    }
    /* A piece that could get there itself, but is a mover, makes room for a pusher. */
    uint32_t found = 0;
    for (uint32_t rest = arrivals(l->pusher, p->free, outside); rest; rest &= rest - 1) {
        uint32_t first = lowest(rest);
        uint32_t stops = region(kz_pf_neighbours(first) & p->free, p->free) & ~l->pusher;
        found |= arrivals_after(first, stops, l->pusher, p->free, outside & ~first);
    }
    return with_pusher(p, found);
}

/* Goes inwards from a victim: what no or one move wins is found fast, and mostly enough. `alphas` are those whose piece
 * is not the victim. */
static void follow_line(pair *p, const uint32_t *inward, uint32_t alphas) {
    enum { MOST_GAPS = 2 };
    line l = {.alphas = p->tables->spread[alphas]};
    for (int gaps = 0; *inward && alphas; l.between |= *inward++) {
        l.pusher = *inward;
        if (l.pusher & p->own) {
            uint32_t outside = p->own & ~(l.between | l.pusher);
            if (gaps == 0 || (gaps == 1 && arrivals(l.gaps, p->free, outside))) {
                add_wins(p, &l, with_pusher(p, l.pusher));
            }
            p->later[p->put_aside++] = l;
        } else if (l.pusher & p->free) {
            if (gaps == MOST_GAPS) {
                return;
            }
            if (gaps == 0) {
                add_wins(p, &l, with_pusher(p, arrivals(l.pusher, p->free, p->own & ~l.between)));
            }
            if (gaps < MOST_GAPS) {
                p->later[p->put_aside++] = l;
            }
            gaps++;
            l.gaps |= l.pusher;
        } else {
            alphas &= ~p->alphas[kz_lowest_bit32(l.pusher)];
            l.alphas = p->tables->spread[alphas];
        }
    }
}

uint64_t kz_pf_won_runs(const kz_pf_won_tables *tables, uint32_t own, uint32_t enemy, uint32_t anchors) {
    const kz_pf_edges *edges = &tables->edges;
    pair p;
    p.tables = tables;
    p.own = own;
    p.free = edges->squares & ~(own | enemy);
    p.wanted = tables->spread[anchors] * tables->all_splits;
    p.won = 0;
    p.put_aside = 0;
    memset(p.pieces, 0, sizeof p.pieces);
    unsigned number = 0;
    for (uint32_t rest = own; rest; rest &= rest - 1) {
        p.pieces[number++] = lowest(rest);
    }
    number = 0;
    for (uint32_t rest = enemy; rest; rest &= rest - 1) {
        p.alphas[kz_lowest_bit32(rest)] = UINT32_C(1) << number++;
    }
    for (uint32_t victims = enemy & edges->falling; victims && p.wanted; victims &= victims - 1) {
        unsigned square = kz_lowest_bit32(victims);
        for (unsigned e = edges->first[square]; e < edges->first[square + 1]; e++) {
            follow_line(&p, edges->list[e].inward, anchors & ~p.alphas[square]);
        }
    }
    for (int i = 0; i < p.put_aside && p.wanted; i++) {
        const line *l = &p.later[i];
        if (p.wanted & l->alphas * tables->all_splits) {
            add_wins(&p, l, l->pusher & own ? mend_taken_end(&p, l) : mend_free_end(&p, l));
        }
    }
    return p.won;
}
