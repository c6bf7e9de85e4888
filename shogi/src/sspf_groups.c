/* SPDX-License-Identifier: MIT
 *
 * The tables of sspf_groups.h, worked out by the compiler. */
#include "shogi/src/sspf_groups.h"

#define BIT(mask, i) ((uint64_t)(mask) >> (i)&1)
/* Bits below bit i: the place of byte i among those that are kept. */
#define RANK(mask, i) (BELOW_4(mask, (i) < 4 ? (i) : 4) + ((i) > 4 ? BELOW_4((mask) >> 4, (i)-4) : 0))
#define BELOW_4(mask, i)                                                                                               \
    (((i) > 0 ? BIT(mask, 0) : 0) + ((i) > 1 ? BIT(mask, 1) : 0) + ((i) > 2 ? BIT(mask, 2) : 0) +                      \
     ((i) > 3 ? BIT(mask, 3) : 0))

#define ALL_8(f, mask)                                                                                                 \
    (f(mask, 0) | f(mask, 1) | f(mask, 2) | f(mask, 3) | f(mask, 4) | f(mask, 5) | f(mask, 6) | f(mask, 7))

/* Byte i of the eight goes to its rank; where no byte goes, 0x80 asks for 0. */
#define TO_RANK(mask, i) (BIT(mask, i) * (i) << 8 * RANK(mask, i))
#define NO_RANK(mask, i) ((i) < RANK(mask, 8) ? 0 : (uint64_t)0x80 << 8 * (i))
#define SQUEEZE(mask) ALL_8(TO_RANK, mask) | ALL_8(NO_RANK, mask),

/* Byte i of the eight comes from its rank, or is 0. */
#define FROM_RANK(mask, i) ((BIT(mask, i) ? RANK(mask, i) : 0x80) << 8 * (i))
#define STRETCH(mask) ALL_8(FROM_RANK, mask),

#define MASKS_4(f, mask) f(mask) f((mask) + 1) f((mask) + 2) f((mask) + 3)
#define MASKS_16(f, mask) MASKS_4(f, mask) MASKS_4(f, (mask) + 4) MASKS_4(f, (mask) + 8) MASKS_4(f, (mask) + 12)
#define MASKS_64(f, mask) MASKS_16(f, mask) MASKS_16(f, (mask) + 16) MASKS_16(f, (mask) + 32) MASKS_16(f, (mask) + 48)
#define MASKS_256(f) MASKS_64(f, 0) MASKS_64(f, 64) MASKS_64(f, 128) MASKS_64(f, 192)

const uint64_t kz_sspf_squeeze[256] = {MASKS_256(SQUEEZE)};
const uint64_t kz_sspf_stretch[256] = {MASKS_256(STRETCH)};
