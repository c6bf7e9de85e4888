/* SPDX-License-Identifier: MIT
 *
 * Pages of values (value_pages.h) made of the value bytes of their own sets. */
#ifndef KZ_PUSHFIGHT_PAGE_RUNS_H
#define KZ_PUSHFIGHT_PAGE_RUNS_H

#include "games/pushfight/check/value_pages.h"

enum { KZ_PF_SPARE_BYTES = 8 }; /* behind the runs of a page, so that words can be stored */

/* How the bytes of an own set are looked at. */
typedef struct kz_pf_page_maker {
    /* Fills open[enemy_sets] with the bits that have runs, and adds their number to `runs`. A bit has a run if the
     * anchor allows it, unless its positions are won at once for all sigma. Returns the number of the first pair that
     * has a position without a value, or enemy_sets. */
    uint32_t (*find_open)(const kz_pf_space *space, uint32_t own_set, const uint8_t *bytes, uint64_t *open,
                          size_t *runs);
    /* Numbers the runs of the pairs and writes their offers. */
    void (*fill)(const kz_pf_space *space, const uint64_t *open, const uint8_t *bytes, kz_pf_value_page *page);
} kz_pf_page_maker;

extern const kz_pf_page_maker kz_pf_page_maker_plain;
extern const kz_pf_page_maker kz_pf_page_maker_avx512; /* for six values of sigma */

/* The fastest one that the processor can run. */
const kz_pf_page_maker *kz_pf_page_maker_choose(const kz_pf_space *space);

#endif
