/* SPDX-License-Identifier: MIT
 *
 * Which records of a batch are kept, and how those are edited. */
#ifndef KZ_RECORDS_FILTER_H
#define KZ_RECORDS_FILTER_H

#include "shogi/src/records/stream.h"

/* Whether a filter does anything. NULL does nothing. */
bool kz_records_filter_is_active(const kz_shogi_filter *filter);

/* The same for filters that do the same. */
uint64_t kz_records_filter_hash(const kz_shogi_filter *filter);

/* Marks the records that the filter leaves out with KZ_SHOGI_LEFT_OUT and edits the others. Records that have a defect
 * already are not looked at. */
void kz_records_filter(const kz_shogi_filter *filter, size_t count, kz_shogi_position *positions, kz_shogi_note *notes,
                       kz_shogi_defect *defects);

/* The position and the move as they are seen in a mirror that exchanges left and right. */
kz_shogi_position kz_records_mirror(const kz_shogi_position *position);
kz_shogi_move kz_records_mirror_move(kz_shogi_move move);

#endif
