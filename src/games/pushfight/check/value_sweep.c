/* SPDX-License-Identifier: MIT
 *
 * A value sweep: the worths of all positions with enemy set E.
 *
 *     sweep->cells   [own set O][rho][lane]: a byte each, the worth of the position for the side to move
 *
 *     begin          all cells: KZ_PF_WORTH_STUCK, the least, which is what stays if there is no turn
 *     try_pushes     for each O, each piece of it and each direction: the push, for all rho and lanes at once
 *         wins          offer_same: a win, in all lanes whose anchor is not pushed
 *         goes on       offer_successors: the offers (value_pages.h) of the successors, from a page
 *     two times kz_pf_value_moves_spread: the largest worth of all own sets that are one move away
 *
 * A cell keeps the larger of what it has and what is offered. The successors of one push lie in one pair of one page:
 * the page is E with the pushed pieces shifted (value_push.h), the pair is O with the pushed pieces shifted, and the
 * anchor is on the pusher.
 *
 * Processors with VBMI2 do the same in another order of bytes (value_panels.h). */
#include "games/pushfight/check/value_sweep.h"

#include "base/bigmem.h"
#include "base/error.h"
#include "games/pushfight/check/value_moves.h"
#include "games/pushfight/check/value_panels.h"
#include "games/pushfight/check/value_push.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES_OF_GRID = 4, CANNOT_PUSH = 255 };

/* Packs the squares of a mask together, with a table for each byte of the grid. */
typedef struct packer {
    uint32_t part[BYTES_OF_GRID][256];
} packer;

/* The own set of successors: E after some of its pieces were pushed. */
typedef struct successor_set {
    kz_pf_successor_set common;
    packer enemies; /* packs the successors' enemy set, the pieces of O, as the page counts squares */
} successor_set;

struct kz_pf_value_sweep {
    const kz_pf_space *space;
    kz_pf_value_moves *moves;
    kz_pf_panels *panels; /* NULL: not used */
    int width;            /* without panels: bytes of a cell, the lanes of (O, rho): KZ_PF_NARROW or KZ_PF_WIDE */
    size_t size;          /* of each of the two arrays */
    uint8_t *cells;       /* [enemy_sets][splits][width]: worths; panels: [pieces][enemy_sets][KZ_PF_PANEL] */
    uint8_t *spare;
    uint32_t *at; /* kz_pf_worths */
    int lane_count;
    /* The lanes in which a subset of E are the movers: how many (one for each piece that can carry the anchor), and
     * which. */
    int lanes_of_split;
    uint8_t lane[KZ_PF_MOST_SPLITS][KZ_PF_MOST_PIECES];
    /* 255 in the lanes in which none of a set of pieces of E carries the anchor, 0 elsewhere. */
    uint8_t pushable[KZ_PF_SUBSETS][KZ_PF_WIDE];
    /* sigma after a push by own piece i, if the order of the others stays; CANNOT_PUSH if rho makes piece i a mover. */
    uint8_t sigma[KZ_PF_MOST_PIECES][KZ_PF_MOST_SPLITS];
    /* Of the sweep that is going on: */
    uint32_t enemy;
    kz_pf_enemy_pieces enemies;
    successor_set *successors[KZ_PF_SUCCESSOR_SETS]; /* by number; NULL if not met yet */
    successor_set *memory;                           /* [KZ_PF_SUCCESSOR_SETS] */
    int met;
};

/* ---- Memory and tables ------------------------------------------------------------------------------------------- */

/* Lanes of positions with an anchor: alpha * anchored_splits + sigma. */
static void number_anchored_lanes(kz_pf_value_sweep *sweep) {
    const kz_pf_space *space = sweep->space;
    sweep->lanes_of_split = space->board->pushers;
    for (int split = 0; split < space->splits; split++) {
        uint32_t movers = space->split_pattern[split];
        int count = 0;
        for (int alpha = 0; alpha < space->pieces; alpha++) {
            if (!(movers >> alpha & 1)) {
                int sigma = space->anchored_number[kz_pf_without_bit(movers, (unsigned)alpha)];
                sweep->lane[split][count++] = (uint8_t)(alpha * space->anchored_splits + sigma);
            }
        }
    }
    for (uint32_t pushed = 0; pushed < UINT32_C(1) << space->pieces; pushed++) {
        for (int lane = 0; lane < space->lanes; lane++) {
            sweep->pushable[pushed][lane] = pushed >> (lane / space->anchored_splits) & 1 ? 0 : 255;
        }
    }
}

/* Lanes of positions without an anchor, which a game begins with: the number of the subset of movers. */
static void number_unanchored_lanes(kz_pf_value_sweep *sweep) {
    sweep->lanes_of_split = 1;
    for (int split = 0; split < sweep->space->splits; split++) {
        sweep->lane[split][0] = (uint8_t)split;
    }
    memset(sweep->pushable, 255, sizeof sweep->pushable);
}

static void number_sigmas(kz_pf_value_sweep *sweep) {
    const kz_pf_space *space = sweep->space;
    for (int piece = 0; piece < space->pieces; piece++) {
        for (int rho = 0; rho < space->splits; rho++) {
            uint32_t movers = space->split_pattern[rho];
            sweep->sigma[piece][rho] =
                movers >> piece & 1 ? CANNOT_PUSH : space->anchored_number[kz_pf_without_bit(movers, (unsigned)piece)];
        }
    }
}

/* Where the worths of lanes are: see kz_pf_value_sweep.cells. */
static void number_worths(kz_pf_value_sweep *sweep) {
    const kz_pf_space *space = sweep->space;
    uint32_t panels_of_piece = space->enemy_sets * KZ_PF_PANEL;
    for (int rho = 0; rho < space->splits; rho++) {
        for (int lane = 0; lane < sweep->lane_count; lane++) {
            int alpha = lane / space->anchored_splits;
            int sigma = lane % space->anchored_splits;
            sweep->at[rho * sweep->lane_count + lane] =
                sweep->panels ? (uint32_t)alpha * panels_of_piece + (uint32_t)(rho * space->anchored_splits + sigma)
                              : (uint32_t)(rho * sweep->width + lane);
        }
    }
}

static kz_status open_memory(kz_pf_value_sweep *sweep, kz_error *error) {
    const kz_pf_space *space = sweep->space;
    size_t own_set = sweep->panels ? (size_t)space->pieces * KZ_PF_PANEL : (size_t)space->splits * (size_t)sweep->width;
    sweep->size = space->enemy_sets * own_set;
    sweep->cells = kz_big_alloc(sweep->size);
    sweep->spare = kz_big_alloc(sweep->size);
    sweep->at = calloc((size_t)space->splits * (size_t)sweep->lane_count, sizeof *sweep->at);
    sweep->memory = malloc(KZ_PF_SUCCESSOR_SETS * sizeof *sweep->memory);
    return sweep->cells && sweep->spare && sweep->at && sweep->memory
               ? KZ_OK
               : kz_fail(error, KZ_ERR_MEMORY, "no memory for the values of an enemy set");
}

kz_status kz_pf_value_sweep_open(const kz_pf_space *space, kz_pf_lanes lanes, kz_pf_value_sweep **opened,
                                 kz_error *error) {
    kz_pf_value_sweep *sweep = calloc(1, sizeof *sweep);
    if (!sweep) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the values of an enemy set");
    }
    bool anchored = lanes == KZ_PF_WITH_ANCHOR;
    sweep->space = space;
    sweep->lane_count = anchored ? space->lanes : space->splits;
    sweep->width = sweep->lane_count <= KZ_PF_NARROW ? KZ_PF_NARROW : KZ_PF_WIDE;
    kz_status status = kz_pf_value_moves_open(space, &sweep->moves, error);
    if (status == KZ_OK && anchored && kz_pf_panels_fit()) {
        status = kz_pf_panels_open(sweep->moves, &sweep->panels, error);
    }
    if (status == KZ_OK) {
        status = open_memory(sweep, error);
    }
    if (status != KZ_OK) {
        kz_pf_value_sweep_close(sweep);
        return status;
    }
    if (anchored) {
        number_anchored_lanes(sweep);
    } else {
        number_unanchored_lanes(sweep);
    }
    number_sigmas(sweep);
    number_worths(sweep);
    *opened = sweep;
    return KZ_OK;
}

void kz_pf_value_sweep_close(kz_pf_value_sweep *sweep) {
    if (sweep) {
        kz_big_free(sweep->cells, sweep->size);
        kz_big_free(sweep->spare, sweep->size);
        kz_pf_value_moves_close(sweep->moves);
        kz_pf_panels_close(sweep->panels);
        free(sweep->at);
        free(sweep->memory);
        free(sweep);
    }
}

/* ---- What E becomes by a push ------------------------------------------------------------------------------------ */

/* Packs the squares of `mask`, lowest first, or highest first if they are those of a rotation. */
static void make_packer(packer *made, uint32_t mask, bool rotated) {
    uint32_t value[KZ_PF_GRID] = {0};
    uint32_t bit = rotated ? UINT32_C(1) << (kz_popcount32(mask) - 1) : 1;
    for (; mask; mask &= mask - 1) {
        value[kz_lowest_bit32(mask)] = bit;
        bit = rotated ? bit >> 1 : bit << 1;
    }
    for (unsigned part = 0; part < BYTES_OF_GRID; part++) {
        made->part[part][0] = 0;
        for (uint32_t byte = 1; byte < 256; byte++) {
            made->part[part][byte] = made->part[part][byte & (byte - 1)] | value[8 * part + kz_lowest_bit32(byte)];
        }
    }
}

static inline uint32_t pack(const packer *with, uint32_t squares) {
    return with->part[0][squares & 255] | with->part[1][squares >> 8 & 255] | with->part[2][squares >> 16 & 255] |
           with->part[3][squares >> 24];
}

/* Fetches the page of the successors of a push, when the sweep first meets it. */
static kz_status meet_successors(kz_pf_value_sweep *sweep, kz_pf_value_pages *pages, const kz_pf_value_push *p,
                                 successor_set **met, kz_error *error) {
    successor_set *set = &sweep->memory[sweep->met];
    KZ_TRY(kz_pf_meet_successors(sweep->space, pages, sweep->enemy, p, &set->common, error));
    sweep->met++;
    make_packer(&set->enemies, set->common.room, set->common.rotated);
    *met = set;
    return KZ_OK;
}

/* ---- Pushes ------------------------------------------------------------------------------------------------------ */

/* Offers the same worth in all lanes whose anchor is not pushed, and for all rho in which the piece is a pusher. */
KZ_PF_FOR_A_WIDTH void offer_same(kz_pf_value_sweep *sweep, const kz_pf_value_push *p, uint8_t worth, int width) {
    const kz_pf_space *space = sweep->space;
    kz_pf_cell offer;
    for (int i = 0; i < width; i++) {
        offer.lane[i] = sweep->pushable[p->pushed][i] & worth;
    }
    uint8_t *cell = sweep->cells + (size_t)p->own_rank * (size_t)space->splits * (size_t)width;
    for (int rho = 0; rho < space->splits; rho++, cell += width) {
        if (sweep->sigma[p->piece][rho] != CANNOT_PUSH) {
            kz_pf_cell larger = kz_pf_larger(offer, cell, width);
            memcpy(cell, &larger, (size_t)width);
        }
    }
}

/* sigma after the push, by rho: which of the other own pieces are movers, in the order that the push leaves them in. */
static const uint8_t *sigma_after(const kz_pf_value_sweep *sweep, const kz_pf_value_push *p,
                                  uint8_t room[KZ_PF_MOST_SPLITS]) {
    const kz_pf_space *space = sweep->space;
    uint32_t others = p->own & ~p->pusher;
    uint32_t moved = others & p->line;
    if (p->direction == KZ_PF_LEFT || p->direction == KZ_PF_RIGHT || !moved) {
        return sweep->sigma[p->piece];
    }
    for (int rho = 0; rho < space->splits; rho++) {
        uint32_t movers = space->split_pattern[rho];
        room[rho] = CANNOT_PUSH;
        if (!(movers >> p->piece & 1)) {
            uint32_t pattern = kz_pf_without_bit(movers, p->piece);
            room[rho] = space->anchored_number[kz_pf_pushed_pattern(pattern, others, moved, p->direction)];
        }
    }
    return room;
}

/* The offers of a successor pair for one alpha: by sigma, the lanes of E. */
typedef struct offers {
    kz_pf_cell by_sigma[KZ_PF_MOST_ANCHORED_SPLITS];
} offers;

/* Collects the offers of one pair and one alpha of a page. A bit of the pair that is set has no run: the opponent wins
 * in one turn, and that is the offer in these lanes. */
KZ_PF_FOR_A_WIDTH void gather_offers(const kz_pf_value_sweep *sweep, const kz_pf_successor_set *set, uint32_t pair,
                                     unsigned first_bit, offers *gathered) {
    const kz_pf_space *space = sweep->space;
    const kz_pf_value_page *page = set->page;
    size_t run_bytes = (size_t)space->anchored_splits;
    uint64_t open = ~page->page.pairs[pair];
    uint64_t first_run = kz_pf_first_run(&page->page, pair) + kz_popcount64(open & ((UINT64_C(1) << first_bit) - 1));
    /* The runs of this alpha are consecutive; that of rho is run number[rho] of them. */
    uint8_t number[KZ_PF_MOST_SPLITS];
    uint8_t runs = 0;
    for (int rho = 0; rho < space->splits; rho++) {
        number[rho] = runs;
        runs = (uint8_t)(runs + (open >> (first_bit + (unsigned)rho) & 1));
    }
    memset(gathered, KZ_PF_OFFER_OF_WIN, sizeof *gathered);
    for (int split = 0; split < space->splits; split++) {
        unsigned rho = set->rho[split];
        if (!(open >> (first_bit + rho) & 1)) {
            continue;
        }
        const uint8_t *run = page->runs + (first_run + number[rho]) * run_bytes;
        for (int i = 0; i < sweep->lanes_of_split; i++) {
            int lane = sweep->lane[split][i];
            for (size_t sigma = 0; sigma < run_bytes; sigma++) {
                gathered->by_sigma[sigma].lane[lane] = run[sigma];
            }
        }
    }
}

/* A push after which the game goes on. */
KZ_PF_FOR_A_WIDTH void offer_successors(kz_pf_value_sweep *sweep, const kz_pf_value_push *p, const successor_set *met,
                                        int width) {
    const kz_pf_space *space = sweep->space;
    const kz_pf_successor_set *set = &met->common;
    uint32_t after = kz_pf_after_push(p);
    uint32_t pusher = kz_pf_step(p->pusher, p->direction);
    uint32_t pair = kz_pf_rank(&space->others, pack(&met->enemies, after));
    unsigned alpha = kz_popcount32(after & (pusher - 1));
    unsigned first_bit = (set->rotated ? (unsigned)space->pieces - 1 - alpha : alpha) * (unsigned)space->splits;
    uint64_t all = ((UINT64_C(1) << space->splits) - 1) << first_bit;
    if ((set->page->page.pairs[pair] & all) == all) {
        offer_same(sweep, p, KZ_PF_OFFER_OF_WIN, width);
        return;
    }
    offers gathered;
    gather_offers(sweep, set, pair, first_bit, &gathered);
    uint8_t room[KZ_PF_MOST_SPLITS];
    const uint8_t *sigmas = sigma_after(sweep, p, room);
    const uint8_t *pushable = sweep->pushable[p->pushed];
    uint8_t *cell = sweep->cells + (size_t)p->own_rank * (size_t)space->splits * (size_t)width;
    for (int rho = 0; rho < space->splits; rho++, cell += width) {
        if (sigmas[rho] == CANNOT_PUSH) {
            continue;
        }
        kz_pf_cell offer = gathered.by_sigma[set->rotated ? space->anchored_reversed[sigmas[rho]] : sigmas[rho]];
        for (int i = 0; i < width; i++) {
            offer.lane[i] &= pushable[i];
        }
        offer = kz_pf_larger(offer, cell, width);
        memcpy(cell, &offer, (size_t)width);
    }
}

KZ_PF_FOR_A_WIDTH kz_status try_push(kz_pf_value_sweep *sweep, kz_pf_value_pages *pages, kz_pf_value_push *p, int width,
                                     kz_error *error) {
    kz_pf_push_end end = kz_pf_follow_push(sweep->space->board, sweep->enemy, &sweep->enemies, p);
    if (end == KZ_PF_PUSH_WINS) {
        offer_same(sweep, p, KZ_PF_WORTH_WIN, width);
    }
    if (end != KZ_PF_PUSH_GOES_ON) {
        return KZ_OK;
    }
    successor_set **set = &sweep->successors[kz_pf_successor_number(p)];
    if (!*set) {
        KZ_TRY(meet_successors(sweep, pages, p, set, error));
    }
    offer_successors(sweep, p, *set, width);
    return KZ_OK;
}

KZ_PF_FOR_A_WIDTH kz_status try_pushes(kz_pf_value_sweep *sweep, kz_pf_value_pages *pages, int width, kz_error *error) {
    const kz_pf_space *space = sweep->space;
    uint32_t room = space->board->squares & ~sweep->enemy;
    uint32_t square_at[KZ_PF_MOST_SQUARES] = {0};
    int count = 0;
    for (uint32_t rest = room; rest; rest &= rest - 1) {
        square_at[count++] = rest & -rest;
    }
    for (uint32_t own_rank = 0; own_rank < space->enemy_sets; own_rank++) {
        kz_pf_value_push p = {.own_rank = own_rank};
        for (uint32_t packed = space->others.patterns[own_rank]; packed; packed &= packed - 1) {
            p.own |= square_at[kz_lowest_bit32(packed)];
        }
        for (int direction = 0; direction < KZ_PF_DIRECTIONS; direction++) {
            p.direction = (kz_pf_direction)direction;
            for (uint32_t rest = kz_pf_pushers(p.own, sweep->enemy, p.direction); rest; rest &= rest - 1) {
                p.pusher = rest & -rest;
                p.piece = kz_popcount32(p.own & (p.pusher - 1));
                KZ_TRY(try_push(sweep, pages, &p, width, error));
            }
        }
    }
    return KZ_OK;
}

/* ---- One enemy set ----------------------------------------------------------------------------------------------- */

static kz_status run_cells(kz_pf_value_sweep *sweep, kz_pf_value_pages *pages, uint32_t enemy, kz_error *error) {
    sweep->enemy = enemy;
    sweep->enemies = kz_pf_number_enemies(enemy);
    memset(sweep->successors, 0, sizeof sweep->successors);
    sweep->met = 0;
    memset(sweep->cells, KZ_PF_WORTH_STUCK, sweep->size);
    kz_status status = sweep->width == KZ_PF_WIDE ? try_pushes(sweep, pages, KZ_PF_WIDE, error)
                                                  : try_pushes(sweep, pages, KZ_PF_NARROW, error);
    for (int i = 0; i < sweep->met; i++) {
        kz_pf_value_pages_put(pages, sweep->memory[i].common.own_set);
    }
    if (status == KZ_OK) {
        kz_pf_value_moves_spread(sweep->moves, sweep->width, sweep->cells, sweep->spare);
        kz_pf_value_moves_spread(sweep->moves, sweep->width, sweep->spare, sweep->cells);
    }
    return status;
}

kz_status kz_pf_value_sweep_run(kz_pf_value_sweep *sweep, kz_pf_value_pages *pages, uint32_t enemy, kz_error *error) {
    kz_pf_value_moves_begin(sweep->moves, enemy);
#ifdef __x86_64__
    if (sweep->panels) {
        return kz_pf_panels_run(sweep->panels, sweep->moves, pages, enemy, sweep->cells, sweep->spare, error);
    }
#endif
    return run_cells(sweep, pages, enemy, error);
}

kz_pf_worths kz_pf_value_sweep_worths(const kz_pf_value_sweep *sweep) {
    return (kz_pf_worths){.cells = sweep->cells,
                          .step = sweep->panels ? KZ_PF_PANEL : (size_t)sweep->space->splits * (size_t)sweep->width,
                          .at = sweep->at,
                          .lanes = (unsigned)sweep->lane_count};
}
