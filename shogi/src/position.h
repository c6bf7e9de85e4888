/* SPDX-License-Identifier: MIT
 *
 * What the parts of shogi/ share about codes and squares. */
#ifndef KZ_SHOGI_POSITION_H
#define KZ_SHOGI_POSITION_H

#include <kanzen/shogi.h>

enum {
    KZ_SHOGI_CODE_NO_KING = 0x80, /* the bit of all pieces other than kings */
    KZ_SHOGI_CODE_LOW = 0x1F,     /* the bits that tell the kind of such a piece */
    KZ_SHOGI_NOT_KINGS = 38       /* how many of them a full set has */
};

/* By the low five bits of a piece that is no king. They are a prefix code, so bits that come after its end are not
 * looked at, and all 32 entries mean something. */
extern const uint8_t kz_shogi_kinds[32];
/* By kind, kings included: black's unpromoted codes, the size of a full set, and capital letters. */
extern const uint8_t kz_shogi_codes[KZ_SHOGI_KING + 1];
extern const uint8_t kz_shogi_full_sets[KZ_SHOGI_KING + 1];
extern const char kz_shogi_letters[KZ_SHOGI_KING + 1];
/* "pawn", ... */
extern const char *const kz_shogi_kind_names[KZ_SHOGI_KING + 1];

static inline unsigned kz_shogi_kind_of(uint8_t code) {
    return code & KZ_SHOGI_CODE_NO_KING ? kz_shogi_kinds[code & KZ_SHOGI_CODE_LOW] : (unsigned)KZ_SHOGI_KING;
}

static inline unsigned kz_shogi_side_of(uint8_t code) { return (code & KZ_SHOGI_WHITES) != 0; }

static inline bool kz_shogi_is_king(uint8_t code) { return (code & ~KZ_SHOGI_WHITES) == KZ_SHOGI_CODE_KING; }

/* Golds and kings don't promote; the kinds here are those of the enumeration. */
static inline bool kz_shogi_kind_promotes(unsigned kind) { return kind != KZ_SHOGI_GOLD && kind != KZ_SHOGI_KING; }

/* Whether a byte is a piece's code or KZ_SHOGI_EMPTY. */
static inline bool kz_shogi_is_code(uint8_t code) {
    if (!(code & KZ_SHOGI_CODE_NO_KING)) {
        return code == KZ_SHOGI_EMPTY || kz_shogi_is_king(code);
    }
    unsigned kind = kz_shogi_kind_of(code);
    return (code & ~(KZ_SHOGI_WHITES | KZ_SHOGI_PROMOTED)) == kz_shogi_codes[kind] &&
           (!(code & KZ_SHOGI_PROMOTED) || kz_shogi_kind_promotes(kind));
}

/* Files from the right and ranks from the top, both counted from 0. */
static inline int kz_shogi_file_of(int square) { return square / 9; }
static inline int kz_shogi_rank_of(int square) { return square % 9; }
static inline int kz_shogi_square(int file, int rank) { return file * 9 + rank; }

/* The kind with this capital letter, -1 if there is none. */
int kz_shogi_kind_of_letter(char letter);

/* ---- bitboards.c ------------------------------------------------------------------------------------------------- */

kz_shogi_bitboards_fn kz_shogi_bitboards_plain;
#ifdef __x86_64__
kz_shogi_bitboards_fn kz_shogi_bitboards_vbmi2;
#endif

#endif
