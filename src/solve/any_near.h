/* SPDX-License-Identifier: MIT
 *
 * Copies of solved tiers on large pages of memory. Moves lead anywhere in the tiers below, and in a mapped file, whose
 * pages are small, nearly every look-up misses the translation cache as well. With copies, a tier of Nine Men's Morris
 * takes little more than half the time. They are not needed: where there is no memory for them, the files serve. */
#ifndef KZ_SOLVE_ANY_NEAR_H
#define KZ_SOLVE_ANY_NEAR_H

#include "solve/any_files.h"

/* Copies what moves of a tier lead to, as far as it fits into so many bytes. Nobody may read values meanwhile. */
void kz_any_near_take(kz_any_files *files, int tier, uint64_t most_bytes);
void kz_any_near_drop(kz_any_files *files);

#endif
