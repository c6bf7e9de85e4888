/* SPDX-License-Identifier: MIT
 *
 * Whether the side to move can push a piece off the board this turn, answered for one position in well under a
 * microsecond: not by trying turns, but by looking at each enemy piece that could fall and asking what is missing in
 * the line behind it.
 *
 * A win looks like this: s0, the victim, stands where the board ends without a railing; s1, s2, ... lead inwards from
 * it; an own pusher stands on one of them, all squares between are taken, and the anchor is not among them. At most two
 * squares may lack what they need, for there are two moves, and going through the few ways in which two moves can mend
 * that is all there is to do. */
#ifndef KZ_PUSHFIGHT_WINS_AT_ONCE_H
#define KZ_PUSHFIGHT_WINS_AT_ONCE_H

#include "games/pushfight/rules/board.h"

enum { KZ_PF_MOST_EDGES = KZ_PF_GRID * KZ_PF_DIRECTIONS };

/* Where pieces fall: the square at the end, and the squares behind it. */
typedef struct kz_pf_edge {
    uint32_t victim;
    uint32_t inward[KZ_PF_COLUMNS]; /* from the victim's neighbour on; 0 after the last */
} kz_pf_edge;

typedef struct kz_pf_edges {
    uint32_t squares;                  /* of the board */
    uint32_t falling;                  /* squares of victims */
    uint8_t first[KZ_PF_GRID + 1];     /* the edges of square s are first[s] to first[s + 1] - 1 */
    kz_pf_edge list[KZ_PF_MOST_EDGES]; /* by square */
} kz_pf_edges;

void kz_pf_edges_init(kz_pf_edges *edges, const kz_pf_board *board);

/* All that matters to the question; the anchor is a set of one square or of none. */
typedef struct kz_pf_attack {
    uint32_t movers;
    uint32_t pushers;
    uint32_t enemy;
    uint32_t anchor;
} kz_pf_attack;

/* Why a position is won at once: it is in any position in which all of this is so. */
typedef struct kz_pf_threat {
    uint32_t victim;  /* an enemy piece without the anchor */
    uint32_t pushers; /* own pushers */
    uint32_t own;     /* own pieces */
    uint32_t taken;   /* pieces of either side */
    uint32_t line;    /* no anchor */
    uint32_t free;    /* empty squares */
} kz_pf_threat;

static inline bool kz_pf_threat_holds(const kz_pf_threat *threat, const kz_pf_attack *attack) {
    uint32_t own = attack->movers | attack->pushers;
    uint32_t taken = own | attack->enemy;
    return ((threat->victim & ~attack->enemy) | (threat->pushers & ~attack->pushers) | (threat->own & ~own) |
            (threat->taken & ~taken) | (threat->line & attack->anchor) | (threat->free & taken)) == 0;
}

/* If the side to move can push an enemy piece off the board this turn, fills the threat and returns true. */
bool kz_pf_wins_at_once(const kz_pf_edges *edges, const kz_pf_attack *attack, kz_pf_threat *threat);

#endif
