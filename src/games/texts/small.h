/* SPDX-License-Identifier: MIT
 *
 * Moves as numbers, faster: for small boards where a king is captured and no piece rides, such as Dobutsu Shogi. There
 * the squares that a side attacks are the sum of what its pieces attack, whatever stands between, so a move changes
 * them by one piece. Both kings are one part of the number (kz_king_pairs). */
#ifndef KZ_VARIANT_SMALL_H
#define KZ_VARIANT_SMALL_H

#include "games/texts/index.h"

typedef struct kz_variant_small kz_variant_small;

/* The type of the kings, if this is such a variant; -1: it is not. */
int kz_variant_small_king(const kz_variant *variant);

/* NULL: no memory. */
kz_variant_small *kz_variant_small_new(const kz_variant *variant, const kz_variant_index *index);
void kz_variant_small_free(kz_variant_small *m);

/* For numbers of piece sets with pairs of kings; otherwise as in numbers.h. */
int kz_variant_small_after(const kz_variant_small *m, const kz_piece_set *set, uint64_t index, uint64_t *list,
                           kz_sight *sight);
int kz_variant_small_before(const kz_variant_small *m, const kz_piece_set *set, uint64_t index, uint64_t *list,
                            int room);

#endif
