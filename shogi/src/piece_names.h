/* SPDX-License-Identifier: MIT
 *
 * Pieces by what a text calls them. */
#ifndef KZ_SHOGI_PIECE_NAMES_H
#define KZ_SHOGI_PIECE_NAMES_H

#include "base/text.h"

typedef struct kz_piece_name {
    const char *name;
    uint8_t code; /* of black's */
} kz_piece_name;

/* Steps over the first of `count` names that the text begins with. */
static inline bool kz_span_accept_piece(kz_span *text, const kz_piece_name *names, size_t count, uint8_t *code) {
    for (size_t i = 0; i < count; i++) {
        if (kz_span_accept(text, names[i].name)) {
            *code = names[i].code;
            return true;
        }
    }
    return false;
}

#endif
