/* SPDX-License-Identifier: MIT */
#include "games/pushfight/rules/wins_at_once.h"

#include "base/bits.h"

#include <string.h>

void kz_pf_edges_init(kz_pf_edges *edges, const kz_pf_board *board) {
    memset(edges, 0, sizeof *edges);
    edges->squares = board->squares;
    uint8_t count = 0;
    for (unsigned square = 0; square < KZ_PF_GRID; square++) {
        edges->first[square] = count;
        uint32_t victim = board->squares & UINT32_C(1) << square;
        for (kz_pf_direction out = KZ_PF_LEFT; victim && out < KZ_PF_DIRECTIONS; out++) {
            if (kz_pf_step(victim, out) & board->squares || victim & board->rail[out]) {
                continue;
            }
            kz_pf_direction in = out ^ 1; /* left and right, up and down are neighbours in the list */
            kz_pf_edge *edge = &edges->list[count];
            edge->victim = victim;
            int length = 0;
            for (uint32_t next = kz_pf_step(victim, in) & board->squares; next;
                 next = kz_pf_step(next, in) & board->squares) {
                edge->inward[length++] = next;
            }
            if (length > 0) {
                edges->falling |= victim;
                count++;
            }
        }
    }
    edges->first[KZ_PF_GRID] = count;
}

/* ---- Ways over free squares ---------------------------------------------------------------------------------- */

/* The free squares connected with `from`, which are free themselves. */
static inline uint32_t region(uint32_t from, uint32_t free) {
    uint32_t now = from;
    for (;;) {
        uint32_t next = (now | kz_pf_neighbours(now)) & free;
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

static inline uint32_t lowest(uint32_t squares) { return squares & -squares; }

/* A shortest way from one of `pieces` to `target` over free squares, target included; there is one. The shorter the
 * way, the more positions the threat holds in. */
static uint32_t way(uint32_t target, uint32_t free, uint32_t pieces, uint32_t *piece) {
    uint32_t layers[KZ_PF_GRID];
    int last = 0;
    uint32_t seen = target;
    layers[0] = target;
    while (!(kz_pf_neighbours(layers[last]) & pieces)) {
        layers[last + 1] = kz_pf_neighbours(layers[last]) & free & ~seen;
        seen |= layers[++last];
    }
    *piece = lowest(kz_pf_neighbours(layers[last]) & pieces);
    uint32_t at = lowest(kz_pf_neighbours(*piece) & layers[last]);
    uint32_t squares = at;
    while (last-- > 0) {
        at = lowest(kz_pf_neighbours(at) & layers[last]);
        squares |= at;
    }
    return squares;
}

/* ---- The ways to mend a line --------------------------------------------------------------------------------- */

/* A line with what it lacks. Among the squares of the line between victim and pusher there is no own pusher: it could
 * push itself, with less to mend. */
typedef struct line {
    const kz_pf_attack *attack;
    uint32_t own;
    uint32_t free;
    uint32_t victim;
    uint32_t between; /* the squares between victim and pusher */
    uint32_t pusher;  /* where the pusher has to be */
    uint32_t gaps;    /* squares between that are free */
} line;

/* For each victim and direction: with its pusher's square at a free one (two at most), a mover or a pusher. */
enum { MOST_LINES = KZ_PF_MOST_PIECES * KZ_PF_DIRECTIONS * (2 + KZ_PF_MOST_PIECES) };

static bool found(kz_pf_threat *threat, const line *l, uint32_t pushers, uint32_t own, uint32_t ways) {
    threat->victim = l->victim;
    threat->pushers = pushers;
    threat->own = own;
    threat->taken = l->between & ~l->gaps;
    threat->line = l->victim | l->between;
    threat->free = ways | l->gaps;
    return true;
}

/* One move brings a piece of `pieces` to the target. */
static inline bool one_move(const line *l, uint32_t target, uint32_t pieces, uint32_t standing, kz_pf_threat *threat) {
    if (!arrivals(target, l->free, pieces)) {
        return false;
    }
    uint32_t piece;
    uint32_t squares = way(target, l->free, pieces, &piece);
    bool is_pusher = target == l->pusher;
    return found(threat, l, is_pusher ? piece : standing, piece, squares);
}

/* `first` goes to `stop`; then one of `pieces` goes to `target`, perhaps over the square that `first` has left. */
static inline bool step_aside(const line *l, uint32_t first, uint32_t stop, uint32_t target, uint32_t pieces,
                              uint32_t standing, kz_pf_threat *threat) {
    uint32_t free = (l->free | first) & ~stop;
    if (!arrivals(target, free, pieces)) {
        return false;
    }
    uint32_t piece;
    uint32_t squares = way(stop, l->free, first, &piece);
    squares |= way(target, free, pieces, &piece) & ~first;
    bool is_pusher = target == l->pusher;
    return found(threat, l, is_pusher ? piece : standing, first | piece, squares);
}

/* A mover gets out of the way, anywhere, so that a pusher gets to its place. */
static bool clear_the_way(const line *l, uint32_t mover, kz_pf_threat *threat) {
    if (!arrivals(l->pusher, l->free | mover, l->attack->pushers)) {
        return false;
    }
    uint32_t stops = region(kz_pf_neighbours(mover) & l->free, l->free) & ~l->pusher;
    for (; stops; stops &= stops - 1) {
        if (step_aside(l, mover, lowest(stops), l->pusher, l->attack->pushers, 0, threat)) {
            return true;
        }
    }
    return false;
}

/* One of `firsts` fills the gap `gap`, then another piece, one of `seconds`, goes to `target`. */
static bool fill_both(const line *l, uint32_t gap, uint32_t firsts, uint32_t target, uint32_t seconds,
                      uint32_t standing, kz_pf_threat *threat) {
    uint32_t pieces = arrivals(gap, l->free, firsts);
    for (; pieces; pieces &= pieces - 1) {
        uint32_t first = lowest(pieces);
        if (step_aside(l, first, gap, target, seconds & ~first, standing, threat)) {
            if (gap == l->pusher) {
                threat->pushers = first;
            }
            return true;
        }
    }
    return false;
}

/* The pusher stands in its place, a free square or two are between. */
static bool mend_between(const line *l, kz_pf_threat *threat) {
    uint32_t outside = l->own & ~(l->between | l->pusher);
    uint32_t gap = lowest(l->gaps);
    uint32_t other = l->gaps ^ gap;
    if (other) {
        return fill_both(l, gap, outside, other, outside, l->pusher, threat) ||
               fill_both(l, other, outside, gap, outside, l->pusher, threat);
    }
    /* No piece from outside gets there at once, so none of them can open the way for another; but a piece of the line
     * may fill the gap, and one from outside takes its place. Had the pusher gone there it would win from there. */
    uint32_t movers = arrivals(gap, l->free, l->own & l->between);
    for (; movers; movers &= movers - 1) {
        if (step_aside(l, lowest(movers), gap, lowest(movers), outside, l->pusher, threat)) {
            threat->taken &= ~lowest(movers); /* it is among the own ones */
            return true;
        }
    }
    return false;
}

/* The pusher's square is free. */
static bool mend_free_end(const line *l, kz_pf_threat *threat) {
    uint32_t pushers = l->attack->pushers;
    if (l->gaps) {
        uint32_t outside = l->own & ~l->between;
        return fill_both(l, l->gaps, outside, l->pusher, pushers, 0, threat) ||
               fill_both(l, l->pusher, pushers, l->gaps, outside, 0, threat);
    }
    /* No pusher gets there at once. A mover may stand in the way. */
    uint32_t movers = arrivals(l->pusher, l->free, l->attack->movers & ~l->between);
    for (; movers; movers &= movers - 1) {
        if (clear_the_way(l, lowest(movers), threat)) {
            return true;
        }
    }
    return false;
}

/* A mover of one's own is where the pusher has to be. */
static bool mend_mover_at_end(const line *l, kz_pf_threat *threat) {
    if (!l->gaps) {
        return clear_the_way(l, l->pusher, threat);
    }
    return fill_both(l, l->gaps, l->pusher, l->pusher, l->attack->pushers, 0, threat);
}

bool kz_pf_wins_at_once(const kz_pf_edges *edges, const kz_pf_attack *attack, kz_pf_threat *threat) {
    uint32_t own = attack->movers | attack->pushers;
    uint32_t free = edges->squares & ~(own | attack->enemy);
    /* Wins that take no or one move first: they are found faster, and such threats hold in more positions. Those that
     * would take two are put aside. */
    line later[MOST_LINES];
    int put_aside = 0;
    for (uint32_t victims = attack->enemy & edges->falling & ~attack->anchor; victims; victims &= victims - 1) {
        unsigned square = kz_lowest_bit32(victims);
        for (unsigned e = edges->first[square]; e < edges->first[square + 1]; e++) {
            const kz_pf_edge *edge = &edges->list[e];
            line l = {.attack = attack, .own = own, .free = free, .victim = edge->victim};
            int gaps = 0;
            for (int i = 0; i < KZ_PF_COLUMNS && edge->inward[i] && gaps <= 2; i++) {
                uint32_t at = edge->inward[i];
                l.pusher = at;
                if (at & attack->pushers) {
                    if (gaps == 0) {
                        return found(threat, &l, at, 0, 0);
                    }
                    if (gaps == 1 && one_move(&l, l.gaps, own & ~(l.between | at), at, threat)) {
                        return true;
                    }
                    later[put_aside++] = l;
                    break;
                }
                if (at & free) {
                    if (gaps == 0 && one_move(&l, at, attack->pushers, 0, threat)) {
                        return true;
                    }
                    if (gaps <= 1) {
                        later[put_aside++] = l;
                    }
                    gaps++;
                    l.gaps |= at;
                } else if (at & attack->movers) {
                    if (gaps <= 1) {
                        later[put_aside++] = l;
                    }
                } else if (at & attack->anchor) {
                    break;
                }
                l.between |= at;
            }
        }
    }
    for (int i = 0; i < put_aside; i++) {
        const line *l = &later[i];
        bool wins = l->pusher & attack->pushers ? mend_between(l, threat)
                    : l->pusher & free          ? mend_free_end(l, threat)
                                                : mend_mover_at_end(l, threat);
        if (wins) {
            return true;
        }
    }
    return false;
}
