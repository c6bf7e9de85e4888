/* SPDX-License-Identifier: MIT
 *
 * What the kernels of slice.h share with the file that chooses among them. */
#ifndef KZ_PUSHFIGHT_SLICE_KERNELS_H
#define KZ_PUSHFIGHT_SLICE_KERNELS_H

#include "games/pushfight/solve/slice.h"

/* The page that the successors with one own set lie in, and how the lanes of the slice are seen from there. */
typedef struct kz_pf_target {
    uint64_t known; /* kz_pf_slice.number of the sweep that has found what follows */
    const uint64_t *pairs;
    const uint64_t *bases;
    const uint16_t *runs;
    uint32_t own_set;                  /* the page's number */
    uint32_t after;                    /* squares of the own set, E after the push */
    uint32_t open;                     /* all other squares */
    bool rotated;                      /* the page holds the rotation */
    uint32_t lanes[KZ_PF_MOST_SPLITS]; /* by rho of the successor: the lanes that lead there */
} kz_pf_target;

struct kz_pf_slice {
    const kz_pf_tables *tables;
    uint64_t number; /* of sweeps done with this memory */
    uint32_t *now;   /* elements */
    uint32_t *next;
    uint32_t *first_component; /* [rests + 1] */
    uint32_t *components;
    /* For kz_pf_slice_wins: lists, and what is in them. */
    uint32_t *sets;
    uint32_t *rests;
    uint8_t *marked_sets;
    uint8_t *marked_rests;
    kz_pf_target targets[KZ_PF_DIRECTIONS][KZ_PF_SUBSETS];
};

void kz_pf_stuck_add(kz_pf_stuck_list *list, uint64_t pair, uint8_t bit);

#define KZ_PF_KERNELS(kind)                                                                                            \
    void kz_pf_##kind##_start(kz_pf_slice *slice, uint32_t enemy, kz_pf_state *state, kz_pf_elements *elements,        \
                              kz_pf_stuck_list *stuck, kz_pf_start_counts *counts);                                    \
    void kz_pf_##kind##_wins(kz_pf_slice *slice, uint32_t enemy, const uint32_t *wanted, uint32_t count,               \
                             uint64_t *wins);                                                                          \
    void kz_pf_##kind##_anchors(const kz_pf_tables *tables, uint32_t own, uint8_t *anchors);                           \
    void kz_pf_##kind##_sweep(kz_pf_slice *slice, uint32_t enemy, bool losses, kz_pf_state *state, kz_pf_memo *memo,   \
                              uint8_t *seen, kz_pf_slice_counts *counts);                                              \
    uint8_t *kz_pf_##kind##_sweep_apart(kz_pf_slice *slice, uint32_t enemy, bool losses, const kz_pf_state *state,     \
                                        const uint64_t *wins, uint8_t *known, uint8_t *updates,                        \
                                        kz_pf_slice_counts *counts);

KZ_PF_KERNELS(plain)
KZ_PF_KERNELS(avx2)
KZ_PF_KERNELS(avx512)
KZ_PF_KERNELS(vbmi2)

#endif
