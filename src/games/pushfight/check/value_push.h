/* SPDX-License-Identifier: MIT
 *
 * A push, as value sweeps see it: for all positions with the same own set O and enemy set E at once.
 *
 * The successors of a push have E with the pushed pieces shifted as their own set, which is a page (value_pages.h), and
 * O with the pushed pieces shifted as their enemy set. So pushes that shift the same pieces of E in the same direction
 * share what is to be known about the page: a *successor set*. */
#ifndef KZ_PUSHFIGHT_VALUE_PUSH_H
#define KZ_PUSHFIGHT_VALUE_PUSH_H

#include "games/pushfight/check/value_pages.h"

enum {
    KZ_PF_SUCCESSOR_SETS = KZ_PF_SUBSETS * KZ_PF_DIRECTIONS,
    KZ_PF_OFFER_OF_WIN = 1 /* to leave the opponent a win in 1 */
};

/* A push by own piece number `piece`. */
typedef struct kz_pf_value_push {
    uint32_t own;      /* before it */
    uint32_t own_rank; /* of that set */
    uint32_t pusher;   /* its square */
    unsigned piece;
    uint32_t line; /* all pieces that step: the pusher and those before it */
    kz_pf_direction direction;
    uint32_t pushed; /* which pieces of E are among them */
} kz_pf_value_push;

typedef enum kz_pf_push_end {
    KZ_PF_PUSH_ILLEGAL, /* stopped by a railing, or an own piece would fall */
    KZ_PF_PUSH_WINS,    /* an enemy piece falls */
    KZ_PF_PUSH_GOES_ON
} kz_pf_push_end;

/* Which piece of E stands on a square of the grid, as a bit. */
typedef struct kz_pf_enemy_pieces {
    uint8_t at[KZ_PF_GRID];
} kz_pf_enemy_pieces;

kz_pf_enemy_pieces kz_pf_number_enemies(uint32_t enemy);

/* The own pieces that stand before a piece in a direction, which they would push. */
static inline uint32_t kz_pf_pushers(uint32_t own, uint32_t enemy, kz_pf_direction direction) {
    static const kz_pf_direction opposite[KZ_PF_DIRECTIONS] = {KZ_PF_RIGHT, KZ_PF_LEFT, KZ_PF_DOWN, KZ_PF_UP};
    return own & kz_pf_step(own | enemy, opposite[direction]);
}

/* Follows the line of a push, of which own, pusher and direction are known, to its end; fills in the line and what is
 * pushed. */
static inline kz_pf_push_end kz_pf_follow_push(const kz_pf_board *board, uint32_t enemy,
                                               const kz_pf_enemy_pieces *enemies, kz_pf_value_push *p) {
    uint32_t taken = p->own | enemy;
    uint32_t last = p->pusher;
    uint32_t next = kz_pf_step(last, p->direction);
    p->line = last;
    p->pushed = 0;
    while (next & taken) {
        last = next;
        p->line |= last;
        p->pushed |= enemies->at[kz_lowest_bit32(last)];
        next = kz_pf_step(last, p->direction);
    }
    if (p->line & board->rail[p->direction]) {
        return KZ_PF_PUSH_ILLEGAL;
    }
    if (next & board->squares) {
        return KZ_PF_PUSH_GOES_ON;
    }
    return last & enemy ? KZ_PF_PUSH_WINS : KZ_PF_PUSH_ILLEGAL;
}

/* A push that leaves E as it is has the same successors in every direction. */
static inline uint32_t kz_pf_successor_number(const kz_pf_value_push *p) {
    return p->pushed ? (uint32_t)p->direction * KZ_PF_SUBSETS + p->pushed : 0;
}

/* A subset of the pieces on the squares of `before`, as a pattern: what it is after those on `line` were pushed,
 * because the order of the pieces may change. */
uint32_t kz_pf_pushed_pattern(uint32_t pattern, uint32_t before, uint32_t line, kz_pf_direction direction);

typedef struct kz_pf_successor_set {
    const kz_pf_value_page *page;
    uint32_t own_set;               /* the page's number */
    uint32_t room;                  /* squares that the own set leaves free */
    bool rotated;                   /* the set that is kept is the rotation of this one */
    uint8_t rho[KZ_PF_MOST_SPLITS]; /* the successors' rho, by the number of the subset of movers of E */
} kz_pf_successor_set;

/* Gets the page for a push that goes on. Put it back with kz_pf_value_pages_put. */
kz_status kz_pf_meet_successors(const kz_pf_space *space, kz_pf_value_pages *pages, uint32_t enemy,
                                const kz_pf_value_push *p, kz_pf_successor_set *set, kz_error *error);

/* The pieces after a push. */
static inline uint32_t kz_pf_after_push(const kz_pf_value_push *p) {
    return (p->own & ~p->line) | kz_pf_step(p->own & p->line, p->direction);
}

#endif
