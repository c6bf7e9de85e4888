/* SPDX-License-Identifier: MIT
 *
 * kz_pf_compare with panels (value_panels.h), ten runs at once; the build compiles this file for processors with
 * AVX-512 VBMI2. What differs is left to the plain way, which says where. */
#include "games/pushfight/check/check_compare.h"

#ifdef __x86_64__
#include "games/pushfight/check/value_panels.h"
#include "games/pushfight/table/panel_runs.h"

enum { BATCH = 32, COUNTERS = 4 };

/* Pairs that are looked at together: what one needs is fetched while others are worked on. */
typedef struct batch {
    unsigned count;
    uint32_t own_ranks[BATCH];
    uint32_t alphas[BATCH]; /* that can carry the anchor */
    kz_pf_stored_pair pairs[BATCH];
} batch;

typedef struct comparison {
    const kz_pf_space *space;
    kz_pf_worths worths;
    __m512i turned; /* the byte of a panel for each byte of the panel of a pair that the table has rotated */
    uint64_t used;  /* bytes of a panel */
    kz_pf_seen *seen;
    uint64_t won;                   /* positions that are won at once */
    uint64_t offers[COUNTERS][256]; /* in turn, so that counting equal ones needn't wait */
} comparison;

static void find_pair(const kz_pf_space *space, const kz_pf_value_pages *pages, uint32_t own, uint32_t enemy,
                      kz_pf_stored_pair *pair) {
    uint32_t squares = space->board->squares;
    uint32_t kept = space->kept[kz_pf_rank(&space->sets, _pext_u32(own, squares))];
    uint32_t others = _pext_u32(enemy, squares & ~own);
    pair->rotated = kept & 1;
    pair->enemy_set = kz_pf_rank(&space->others, kept & 1 ? kz_pf_reversed(others, space->others.width) : others);
    pair->number = (uint64_t)(kept >> 1) * space->enemy_sets + pair->enemy_set;
    pair->page = kz_pf_value_pages_stored(pages, kept >> 1);
    __builtin_prefetch(&pair->page->page.pairs[pair->enemy_set]);
    __builtin_prefetch(&pair->page->page.bases[pair->enemy_set / KZ_PF_BASE_PAIRS]);
}

static inline unsigned stored_alpha(const kz_pf_space *space, const kz_pf_stored_pair *pair, unsigned alpha) {
    return pair->rotated ? (unsigned)space->pieces - 1 - alpha : alpha;
}

/* What the positions of a panel are worth to the side to move, from what it is worth to leave them to it. */
static inline __m512i worths_of_offers(__m512i offers) {
    const __m512i tie = _mm512_set1_epi8((char)KZ_PF_WORTH_TIE);
    __mmask64 wins = _mm512_cmplt_epu8_mask(offers, tie);
    __m512i worths = _mm512_xor_si512(offers, _mm512_set1_epi8(-1));
    worths = _mm512_mask_sub_epi8(worths, wins, _mm512_setzero_si512(), offers);
    return _mm512_mask_mov_epi8(worths, _mm512_cmpeq_epi8_mask(offers, tie), tie);
}

static void count_offers(comparison *c, kz_pf_panel_runs runs) {
    unsigned width = (unsigned)c->space->anchored_splits;
    unsigned bytes = kz_popcount32(runs.rhos) * width;
    for (unsigned i = 0; i < bytes; i++) {
        c->offers[i % COUNTERS][runs.first[i]]++;
    }
    c->won += (unsigned)c->space->splits * width - bytes;
}

static void compare_panel(comparison *c, uint32_t own_rank, const kz_pf_stored_pair *pair, unsigned alpha) {
    const __m512i won = _mm512_set1_epi8(KZ_PF_OFFER_OF_WIN);
    const kz_pf_space *space = c->space;
    unsigned lane = alpha * (unsigned)space->anchored_splits;
    kz_pf_panel_runs runs = kz_pf_find_panel_runs(space, pair->page, pair->enemy_set, stored_alpha(space, pair, alpha));
    __m512i stored = worths_of_offers(kz_pf_load_panel_runs(space, runs, won));
    if (pair->rotated) {
        stored = _mm512_permutexvar_epi8(c->turned, stored);
    }
    __m512i found = _mm512_load_si512(kz_pf_worth(&c->worths, own_rank, 0, lane));
    if (_mm512_mask_cmpneq_epu8_mask(c->used, stored, found) == 0) { /* as nearly always */
        count_offers(c, runs);
        return;
    }
    for (unsigned rho = 0; rho < (unsigned)space->splits; rho++) {
        kz_pf_compare_run(space, pair, (int)alpha, (int)rho, kz_pf_worth(&c->worths, own_rank, rho, lane), c->seen);
    }
}

static void compare_batch(comparison *c, const batch *b) {
    for (unsigned i = 0; i < b->count; i++) {
        const kz_pf_stored_pair *pair = &b->pairs[i];
        __builtin_prefetch(kz_pf_find_panel_runs(c->space, pair->page, pair->enemy_set, 0).first);
    }
    for (unsigned i = 0; i < b->count; i++) {
        for (uint32_t rest = b->alphas[i]; rest; rest &= rest - 1) {
            compare_panel(c, b->own_ranks[i], &b->pairs[i], kz_lowest_bit32(rest));
        }
    }
}

static void begin(comparison *c) {
    const kz_pf_space *space = c->space;
    unsigned width = (unsigned)space->anchored_splits;
    uint8_t turned[KZ_PF_PANEL] = {0};
    for (unsigned i = 0; i < (unsigned)space->splits * width; i++) {
        turned[i] = (uint8_t)(space->split_reversed[i / width] * width + space->anchored_reversed[i % width]);
        c->used |= UINT64_C(1) << i;
    }
    c->turned = _mm512_loadu_si512(turned);
}

static void end(const comparison *c) {
    c->seen->values[KZ_PF_BYTE_WIN] += c->won;
    for (unsigned offer = 0; offer < 256; offer++) {
        for (unsigned i = 0; i < COUNTERS; i++) {
            c->seen->values[kz_pf_offer_byte((uint8_t)offer)] += c->offers[i][offer];
        }
    }
}

void kz_pf_compare_vbmi2(const kz_pf_space *space, const kz_pf_value_pages *pages, const kz_pf_value_sweep *sweep,
                         uint32_t enemy, kz_pf_seen *seen) {
    const kz_pf_board *board = space->board;
    comparison c = {.space = space, .worths = kz_pf_value_sweep_worths(sweep), .seen = seen};
    batch b = {.count = 0};
    begin(&c);
    for (uint32_t own_rank = 0; own_rank < space->enemy_sets; own_rank++) {
        uint32_t own = _pdep_u32(space->others.patterns[own_rank], board->squares & ~enemy);
        b.alphas[b.count] = _pext_u32(kz_pf_anchorable(board, own | enemy), enemy);
        if (b.alphas[b.count]) {
            b.own_ranks[b.count] = own_rank;
            find_pair(space, pages, own, enemy, &b.pairs[b.count++]);
        }
        if (b.count == BATCH) {
            compare_batch(&c, &b);
            b.count = 0;
        }
    }
    compare_batch(&c, &b);
    end(&c);
}
#endif
