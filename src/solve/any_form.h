/* SPDX-License-Identifier: MIT
 *
 * How the values of a solved tier are kept, in files and in memory.
 *
 * Whoever loses, loses after an even number of plies, and whoever wins, after an odd one, unless a game can be won
 * before the first move. Then the plies say who wins, and a byte holds distances up to 253; by its code a value would
 * take two. */
#ifndef KZ_SOLVE_ANY_FORM_H
#define KZ_SOLVE_ANY_FORM_H

#include "base/bits.h"
#include "table/any_coder.h"

#include <stdbool.h>

/* Codes of so many bytes, the lowest first; or one byte: 0 a hole, 1 a draw, 2 + n won or lost in n plies. */
typedef enum kz_any_form { KZ_FORM_CODE_1 = 1, KZ_FORM_CODE_2 = 2, KZ_FORM_CODE_4 = 4, KZ_FORM_PLIES = 9 } kz_any_form;

/* Bytes of a value. */
static inline unsigned kz_any_form_bytes(kz_any_form form) { return form == KZ_FORM_PLIES ? 1 : (unsigned)form; }
static inline bool kz_any_form_known(uint32_t form) {
    return form == KZ_FORM_CODE_1 || form == KZ_FORM_CODE_2 || form == KZ_FORM_CODE_4 || form == KZ_FORM_PLIES;
}

/* The smallest one, by the longest distance. `parity`: all wins take an odd number of plies, all losses an even one. */
static inline kz_any_form kz_any_form_for(unsigned longest, bool parity) {
    kz_code largest = kz_code_win(longest);
    return largest <= UINT8_MAX                 ? KZ_FORM_CODE_1
           : parity && longest <= UINT8_MAX - 2 ? KZ_FORM_PLIES
           : largest <= UINT16_MAX              ? KZ_FORM_CODE_2
                                                : KZ_FORM_CODE_4;
}

static inline void kz_any_form_put(uint8_t *at, kz_any_form form, kz_code code) {
    if (form == KZ_FORM_PLIES) {
        *at = code == KZ_CODE_HOLE ? 0 : (uint8_t)(code / 2 + 1);
        return;
    }
    for (unsigned i = 0; i < kz_any_form_bytes(form); i++) {
        at[i] = (uint8_t)(code >> 8 * i);
    }
}

static inline kz_code kz_any_form_get(const uint8_t *at, kz_any_form form) {
    kz_code first = *at;
    switch (form) {
    case KZ_FORM_PLIES:
        return first == 0 ? KZ_CODE_HOLE : 2 * first - 2 + first % 2;
    case KZ_FORM_CODE_2:
        return kz_load_le16(at);
    case KZ_FORM_CODE_4:
        return kz_load_le32(at);
    default:
        return first;
    }
}

/* Values of neighbouring indices in memory. */
typedef struct kz_any_span {
    uint64_t begin, count; /* indices */
    const uint8_t *values;
    kz_any_form form;
} kz_any_span;

#endif
