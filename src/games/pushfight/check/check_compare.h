/* SPDX-License-Identifier: MIT
 *
 * What a value sweep has found for an enemy set, compared with what the table says. */
#ifndef KZ_PUSHFIGHT_CHECK_COMPARE_H
#define KZ_PUSHFIGHT_CHECK_COMPARE_H

#include "games/pushfight/check/value_sweep.h"
#include "table/verify.h"

/* What is seen of a table: its values, and those that are not what the sweep found. */
typedef struct kz_pf_seen {
    uint64_t values[256];
    uint64_t wrong;
    uint64_t first_wrong;
} kz_pf_seen;

static inline void kz_pf_see_wrong(kz_pf_seen *seen, uint64_t index) {
    if (seen->wrong == 0 || index < seen->first_wrong) {
        seen->first_wrong = index;
    }
    seen->wrong++;
}

/* An own set against an enemy set, as the table has them. */
typedef struct kz_pf_stored_pair {
    uint64_t number;
    const kz_pf_value_page *page;
    uint32_t enemy_set;
    bool rotated; /* the table has the rotation of the two sets */
} kz_pf_stored_pair;

/* Compares the values of (alpha, rho) for all sigma. `worths` are what the sweep found. */
void kz_pf_compare_run(const kz_pf_space *space, const kz_pf_stored_pair *pair, int alpha, int rho,
                       const uint8_t *worths, kz_pf_seen *seen);

/* All positions of an enemy set of which the table has values; `pages` has all pages of the table. */
typedef void kz_pf_compare(const kz_pf_space *space, const kz_pf_value_pages *pages, const kz_pf_value_sweep *sweep,
                           uint32_t enemy, kz_pf_seen *seen);
kz_pf_compare kz_pf_compare_plain;
kz_pf_compare kz_pf_compare_avx2;
kz_pf_compare kz_pf_compare_vbmi2; /* the sweep has panels */

/* Verification of a table of all values by value sweeps.
 *
 * Why a table is right if every value follows from those of the successors: take the positions by value byte b. Byte 1
 * says that there is no legal turn, byte 2 that a push throws an enemy piece off the board or leaves the opponent
 * without a turn; the sweep sees that for itself. A byte 2k says that the best successor for the side to move is a loss
 * in k - 1 (byte 2k - 1), a byte 2k + 1 that all successors are wins for the opponent, of which the longest is one in k
 * (byte 2k). So if the table has the right positions with each of the bytes 1 to b - 1, the positions that it gives
 * byte b are just those whose value is b: by induction all wins and losses are right, and none is missing. What is left
 * has value 0, in the table and in truth. */
extern const kz_checker_ops kz_pushfight_checker;

#endif
