/* SPDX-License-Identifier: MIT
 *
 * The runs of a page as a panel (value_panels.h). For files that are compiled for AVX-512 VBMI2. */
#ifndef KZ_PUSHFIGHT_PANEL_RUNS_H
#define KZ_PUSHFIGHT_PANEL_RUNS_H

#include "games/pushfight/check/value_pages.h"

#include <immintrin.h>

/* Runs of a pair for one alpha. */
typedef struct kz_pf_panel_runs {
    uint32_t rhos;        /* those that have a run */
    const uint8_t *first; /* they follow each other */
} kz_pf_panel_runs;

static inline kz_pf_panel_runs kz_pf_find_panel_runs(const kz_pf_space *space, const kz_pf_value_page *page,
                                                     uint32_t pair, unsigned alpha) {
    unsigned first_bit = alpha * (unsigned)space->splits;
    uint64_t open = ~page->page.pairs[pair] & KZ_PF_WINS_MASK;
    uint64_t run = kz_pf_first_run(&page->page, pair) + kz_popcount64(_bzhi_u64(open, first_bit));
    return (kz_pf_panel_runs){.rhos = (uint32_t)_bzhi_u64(open >> first_bit, (unsigned)space->splits),
                              .first = page->runs + run * (unsigned)space->anchored_splits};
}

/* The bytes of a panel that belong to some rho. */
static inline uint64_t kz_pf_panel_bytes(const kz_pf_space *space, uint32_t rhos) {
    static const uint64_t firsts[KZ_PF_MOST_ANCHORED_SPLITS + 1] = {0,
                                                                    UINT64_MAX,
                                                                    0x5555555555555555,
                                                                    0x9249249249249249,
                                                                    0x1111111111111111,
                                                                    0x1084210842108421,
                                                                    0x1041041041041041};
    unsigned width = (unsigned)space->anchored_splits;
    return _pdep_u64(rhos, firsts[width]) * ((UINT64_C(1) << width) - 1);
}

/* Their offers, each in its place; `others` where there is no run. */
static inline __m512i kz_pf_load_panel_runs(const kz_pf_space *space, kz_pf_panel_runs runs, __m512i others) {
    unsigned bytes = kz_popcount32(runs.rhos) * (unsigned)space->anchored_splits;
    __m512i together = _mm512_maskz_loadu_epi8(_bzhi_u64(UINT64_MAX, bytes), runs.first);
    return _mm512_mask_expand_epi8(others, kz_pf_panel_bytes(space, runs.rhos), together);
}

#endif
