/* SPDX-License-Identifier: MIT
 *
 * The pages of all positions on a graphics card, which sweeps many slices at once: an optional backend. What needs CUDA
 * is in a module (base/module.h), kanzen-cuda.so, with the functions at the end; nothing else depends on it. card.c
 * finds them there by their names, and does what needs no card. */
#ifndef KZ_CUDA_CARD_H
#define KZ_CUDA_CARD_H

#include "games/pushfight/solve/pages.h"

/* The host's part; the module's structure begins with it. */
typedef struct kz_pf_card {
    kz_pf_space *space;
    kz_pf_tables *tables;
    uint64_t *first_runs; /* [own_sets + 1] */
    uint64_t run_count;
    kz_pf_amount total; /* after `start` */
    /* The marks of a phase, once they are fetched: for each page that has any, the numbers of its runs with marks or a
     * bit for each run, whichever is shorter, in words of 32 bits; behind those of all pages, the marks. */
    uint8_t *fetched;
    uint64_t fetched_marks;    /* where the marks begin */
    uint32_t *host_marked;     /* [own_sets]: runs with marks */
    uint64_t *host_bit_place;  /* [own_sets + 1]: where the words of a page are */
    uint64_t *host_mark_place; /* [own_sets + 1]: and its marks */
    /* A copy of the runs, in which phases are restored; the next sweep takes it to the card. */
    uint16_t *mirror;
} kz_pf_card;

/* KZ_ERR_UNSUPPORTED with the reason if there is no card or no module. */
kz_status kz_pf_card_open(int rules, kz_pf_card **opened, kz_error *error);
void kz_pf_card_close(kz_pf_card *card);

/* All but `collect`, `restore` and `page` are called from one thread. */

/* Phases -1 and 0: all of start, measure, lay_out and place (solve/pages.h); `stuck` gets what `place` says. */
kz_status kz_pf_card_start(kz_pf_card *card, uint8_t *stuck, kz_pf_amount *lost, kz_pf_amount *won, kz_error *error);
/* A phase of slices [first, first + count), of those that are touched: writes decided[slice] of those (the array of all
 * slices, others stay), and adds to `fresh` and `swept`. */
kz_status kz_pf_card_sweep(kz_pf_card *card, int phase, uint64_t first, uint64_t count, const uint8_t *changed,
                           uint32_t *decided, uint64_t *fresh, uint64_t *swept, kz_error *error);

/* Fetches the marks of all pages, and ends the phase if `settle` is set; then `collect` has those of a page, and
 * returns how many positions are marked. */
kz_status kz_pf_card_fetch(kz_pf_card *card, int phase, bool settle, kz_error *error);
uint64_t kz_pf_card_collect(const kz_pf_card *card, uint64_t page, uint8_t *marks);

/* `restore` marks what `collect` wrote, in the mirror, which the first call makes. */
kz_status kz_pf_card_begin_restore(kz_pf_card *card, kz_error *error);
void kz_pf_card_restore(kz_pf_card *card, int phase, uint64_t page, bool settle, const uint8_t *marks);

/* The pairs and the runs of a page, for the table. */
kz_status kz_pf_card_page(kz_pf_card *card, uint64_t page, uint64_t *pairs, uint16_t *runs, kz_error *error);

/* ---- In the module ----------------------------------------------------------------------------------------------- */

kz_status kz_module_pushfight_open(int rules, kz_pf_card **opened, kz_error *error);
void kz_module_pushfight_close(kz_pf_card *card);
kz_status kz_module_pushfight_start(kz_pf_card *card, uint8_t *stuck, kz_pf_amount *lost, kz_pf_amount *won,
                                    kz_error *error);
kz_status kz_module_pushfight_sweep(kz_pf_card *card, int phase, uint64_t first, uint64_t count, const uint8_t *changed,
                                    uint32_t *decided, uint64_t *fresh, uint64_t *swept, kz_error *error);
kz_status kz_module_pushfight_fetch(kz_pf_card *card, int phase, bool settle, kz_error *error);
/* Copies `count` runs from number `first` on, and the pairs of a page. */
kz_status kz_module_pushfight_runs(const kz_pf_card *card, uint64_t first, uint64_t count, uint16_t *runs,
                                   kz_error *error);
kz_status kz_module_pushfight_pairs(const kz_pf_card *card, uint64_t page, uint64_t *pairs, kz_error *error);

#endif
