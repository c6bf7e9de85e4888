/* SPDX-License-Identifier: MIT
 *
 * The rules of a variant a second time. */
#ifndef KZ_VARIANT_TWIN_H
#define KZ_VARIANT_TWIN_H

#include "games/texts/variant.h"

/* As `twin` of kanzen/define.h: visits what each legal move leads to, and returns what the rules tell without one. */
kz_outcome kz_variant_twin(const kz_variant *variant, const kz_position *position,
                           void (*visit)(void *user, const kz_position *next), void *user);

#endif
