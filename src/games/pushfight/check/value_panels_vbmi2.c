/* SPDX-License-Identifier: MIT
 *
 * Value sweeps in panels; the build compiles this file for processors with AVX-512 VBMI2. */
#include "base/error.h"
#include "games/pushfight/check/value_panels.h"

#ifdef __x86_64__
#include "games/pushfight/table/panel_runs.h"

#include <string.h>

static inline __m512i load_panel(const uint8_t *panel) { return _mm512_load_si512(panel); }

/* ---- Pushes ------------------------------------------------------------------------------------------------------ */

/* Meets the successors of a push. */
static kz_status meet(kz_pf_panels *panels, kz_pf_value_pages *pages, uint32_t enemy, const kz_pf_value_push *p,
                      kz_error *error) {
    const kz_pf_space *space = panels->space;
    kz_pf_panel_set *set = &panels->memory[panels->met];
    KZ_TRY(kz_pf_meet_successors(space, pages, enemy, p, &set->common, error));
    int width = space->anchored_splits;
    for (int alpha = 0; alpha < space->pieces; alpha++) {
        uint32_t below = (UINT32_C(1) << alpha) - 1;
        for (int i = 0; i < space->splits * width; i++) {
            uint32_t movers = space->anchored_pattern[i % width];
            uint8_t split = space->split_number[(movers & below) | (movers & ~below) << 1];
            set->runs[alpha].from[i] = (uint8_t)(set->common.rho[split] * width);
        }
    }
    panels->successors[kz_pf_successor_number(p)] = set;
    panels->met++;
    return KZ_OK;
}

/* The order in which a push leaves the own pieces that don't push. */
static inline unsigned order_after(const kz_pf_panels *panels, const kz_pf_value_push *p) {
    uint32_t others = p->own & ~p->pusher;
    uint32_t moved = others & p->line;
    if (p->direction == KZ_PF_LEFT || p->direction == KZ_PF_RIGHT || !moved) {
        return panels->order_number[panels->same_order];
    }
    uint32_t after = (others & ~moved) | kz_pf_step(moved, p->direction);
    uint32_t places = 0;
    for (unsigned shift = 0; others; others &= others - 1, shift += KZ_PF_ORDER_BITS) {
        uint32_t square = others & -others;
        square = square & moved ? kz_pf_step(square, p->direction) : square;
        places |= kz_popcount32(after & (square - 1)) << shift;
    }
    return panels->order_number[places];
}

/* Own sets are worked on in batches: first their pushes are listed, then the runs of the successors are found, then
 * offered. What the next step needs is fetched meanwhile; it may be anywhere in the pages. */
enum { BATCH = 16, PUSHES_MOST = BATCH * KZ_PF_MOST_PIECES * KZ_PF_DIRECTIONS };

typedef struct listed_push {
    const kz_pf_panel_set *set; /* NULL: the push wins */
    uint32_t pair;              /* of the successors */
    uint8_t own;                /* which set of the batch */
    uint8_t piece;
    uint8_t pushed;
    uint8_t order;
    uint8_t alpha;
    kz_pf_panel_runs runs;
} listed_push;

typedef struct push_list {
    unsigned count;
    listed_push pushes[PUSHES_MOST];
} push_list;

static inline void find_successors(const kz_pf_panels *panels, const kz_pf_value_push *p, listed_push *listed) {
    const kz_pf_space *space = panels->space;
    const kz_pf_successor_set *set = &listed->set->common;
    uint32_t after = kz_pf_after_push(p);
    uint32_t pusher = kz_pf_step(p->pusher, p->direction);
    uint32_t packed = _pext_u32(after, set->room);
    unsigned alpha = kz_popcount32(after & (pusher - 1));
    if (set->rotated) {
        packed = kz_pf_reversed(packed, space->others.width);
        alpha = (unsigned)space->pieces - 1 - alpha;
    }
    listed->pair = kz_pf_rank(&space->others, packed);
    listed->alpha = (uint8_t)alpha;
    listed->order = (uint8_t)order_after(panels, p);
    __builtin_prefetch(&set->page->page.pairs[listed->pair]);
}

/* Lists the pushes of an own set. */
static inline kz_status list_pushes(kz_pf_panels *panels, kz_pf_value_pages *pages, uint32_t enemy,
                                    const kz_pf_enemy_pieces *enemies, unsigned number, uint32_t own, push_list *list,
                                    kz_error *error) {
    kz_pf_value_push p = {.own = own};
    for (int direction = 0; direction < KZ_PF_DIRECTIONS; direction++) {
        p.direction = (kz_pf_direction)direction;
        for (uint32_t rest = kz_pf_pushers(own, enemy, p.direction); rest; rest &= rest - 1) {
            p.pusher = rest & -rest;
            p.piece = kz_popcount32(own & (p.pusher - 1));
            kz_pf_push_end end = kz_pf_follow_push(panels->space->board, enemy, enemies, &p);
            if (end == KZ_PF_PUSH_ILLEGAL) {
                continue;
            }
            listed_push *listed = &list->pushes[list->count++];
            *listed = (listed_push){.own = (uint8_t)number, .piece = (uint8_t)p.piece, .pushed = (uint8_t)p.pushed};
            if (end == KZ_PF_PUSH_WINS) {
                continue;
            }
            kz_pf_panel_set **set = &panels->successors[kz_pf_successor_number(&p)];
            if (!*set) {
                KZ_TRY(meet(panels, pages, enemy, &p, error));
            }
            listed->set = *set;
            find_successors(panels, &p, listed);
        }
    }
    return KZ_OK;
}

static inline void find_runs(const kz_pf_space *space, push_list *list) {
    enum { CACHE_LINE = 64 };
    for (unsigned i = 0; i < list->count; i++) {
        listed_push *p = &list->pushes[i];
        if (p->set) {
            p->runs = kz_pf_find_panel_runs(space, p->set->common.page, p->pair, p->alpha);
            __builtin_prefetch(p->runs.first);
            __builtin_prefetch(p->runs.first + CACHE_LINE - 1);
        }
    }
}

/* A panel keeps the larger of what it has and what is offered: for all rho in which the piece is a pusher, where the
 * anchor is not pushed. */
static inline void offer(const kz_pf_panels *panels, const listed_push *p, __m512i worths[KZ_PF_MOST_PIECES]) {
    __m512i offers = _mm512_set1_epi8((char)KZ_PF_WORTH_WIN);
    __m512i sigmas = _mm512_setzero_si512();
    const kz_pf_panel_set *set = p->set ? p->set : &panels->memory[0]; /* any: all offers are the same */
    if (p->set) {
        offers = kz_pf_load_panel_runs(panels->space, p->runs, _mm512_set1_epi8(KZ_PF_OFFER_OF_WIN));
        sigmas = load_panel(panels->sigmas[p->order][set->common.rotated][p->piece].from);
    }
    for (int alpha = 0; alpha < KZ_PF_MOST_PIECES; alpha++) {
        __mmask64 bytes = p->pushed >> alpha & 1 ? 0 : panels->pushers[p->piece];
        __m512i from = _mm512_add_epi8(load_panel(set->runs[alpha].from), sigmas);
        worths[alpha] =
            _mm512_mask_max_epu8(worths[alpha], bytes, worths[alpha], _mm512_permutexvar_epi8(from, offers));
    }
}

static kz_status try_pushes(kz_pf_panels *panels, kz_pf_value_pages *pages, uint32_t enemy, uint8_t *cells,
                            kz_error *error) {
    const kz_pf_space *space = panels->space;
    const kz_pf_enemy_pieces enemies = kz_pf_number_enemies(enemy);
    uint32_t room = space->board->squares & ~enemy;
    push_list list;
    for (uint32_t first = 0; first < space->enemy_sets; first += BATCH) {
        unsigned count = space->enemy_sets - first < BATCH ? space->enemy_sets - first : BATCH;
        list.count = 0;
        for (unsigned i = 0; i < count; i++) {
            uint32_t own = _pdep_u32(space->others.patterns[first + i], room);
            KZ_TRY(list_pushes(panels, pages, enemy, &enemies, i, own, &list, error));
        }
        find_runs(space, &list);
        const listed_push *p = list.pushes;
        for (unsigned i = 0; i < count; i++) {
            __m512i worths[KZ_PF_MOST_PIECES];
            for (int alpha = 0; alpha < KZ_PF_MOST_PIECES; alpha++) {
                worths[alpha] = _mm512_set1_epi8(KZ_PF_WORTH_STUCK);
            }
            for (; p < list.pushes + list.count && p->own == i; p++) {
                offer(panels, p, worths);
            }
            for (int alpha = 0; alpha < space->pieces; alpha++) {
                _mm512_store_si512(cells + ((size_t)alpha * space->enemy_sets + first + i) * KZ_PF_PANEL,
                                   worths[alpha]);
            }
        }
    }
    return KZ_OK;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

/* The panels of one alpha: as kz_pf_value_moves_spread does. */
static void spread(const kz_pf_panels *panels, const uint32_t *regions, const uint8_t *from, uint8_t *to) {
    enum { PLACES = (1 << KZ_PF_PLACE_BITS) - 1 };
    __m512i in[KZ_PF_MOST_PIECES];
    __m512i out[KZ_PF_MOST_PIECES];
    for (int place = 0; place < KZ_PF_MOST_PIECES; place++) {
        in[place] = load_panel(panels->in[place].from);
        out[place] = load_panel(panels->out[place].from);
    }
    memset(to, 0, (size_t)panels->space->enemy_sets * KZ_PF_PANEL);
    while (*regions) {
        uint32_t count = *regions++;
        __m512i best = _mm512_setzero_si512();
        for (uint32_t i = 0; i < count; i++) {
            __m512i own = load_panel(from + (size_t)(regions[i] >> KZ_PF_PLACE_BITS) * KZ_PF_PANEL);
            best = _mm512_max_epu8(best, _mm512_permutexvar_epi8(in[regions[i] & PLACES], own));
        }
        for (uint32_t i = 0; i < count; i++) {
            uint8_t *target = to + (size_t)(regions[i] >> KZ_PF_PLACE_BITS) * KZ_PF_PANEL;
            __m512i own = _mm512_permutexvar_epi8(out[regions[i] & PLACES], best);
            _mm512_store_si512(target, _mm512_max_epu8(load_panel(target), own));
        }
        regions += count;
    }
}

/* ---- One enemy set ----------------------------------------------------------------------------------------------- */

kz_status kz_pf_panels_run(kz_pf_panels *panels, const kz_pf_value_moves *moves, kz_pf_value_pages *pages,
                           uint32_t enemy, uint8_t *cells, uint8_t *spare, kz_error *error) {
    memset(panels->successors, 0, sizeof panels->successors);
    panels->met = 0;
    kz_status status = try_pushes(panels, pages, enemy, cells, error);
    for (int i = 0; i < panels->met; i++) {
        kz_pf_value_pages_put(pages, panels->memory[i].common.own_set);
    }
    for (int alpha = 0; status == KZ_OK && alpha < panels->space->pieces; alpha++) {
        size_t first = (size_t)alpha * panels->space->enemy_sets * KZ_PF_PANEL;
        spread(panels, moves->regions, cells + first, spare + first);
        spread(panels, moves->regions, spare + first, cells + first);
    }
    return status;
}
#endif
