/* SPDX-License-Identifier: MIT
 *
 * Where things are in a game of hcpe3; shogi/hcpe3.c describes it. */
#ifndef KZ_SHOGI_HCPE3_H
#define KZ_SHOGI_HCPE3_H

#include <kanzen/shogi_records.h>

enum {
    KZ_HCPE3_HEAD_BYTES = 36,
    KZ_HCPE3_MOVE_BYTES = 6,
    KZ_HCPE3_CANDIDATE_BYTES = 4,
    KZ_HCPE3_COUNT_AT = 32,
    KZ_HCPE3_RESULT_AT = 34,
    KZ_HCPE3_SCORE_AT = 2,
    KZ_HCPE3_CANDIDATES_AT = 4
};

/* kz_shogi_read_hcpe3; during each visit `*entry` is where the move and its candidates are. */
kz_status kz_hcpe3_read(const uint8_t *bytes, size_t size, size_t *used, kz_shogi_visit *visit, void *user,
                        const uint8_t **entry, kz_error *error);

#endif
