/* SPDX-License-Identifier: MIT
 *
 * Moves in 16 bits. */
#include <kanzen/shogi.h>

enum {
    SQUARE_MASK = 0x7F,
    FROM_SHIFT = 7,
    BIT_14 = 0x4000,
    BIT_15 = 0x8000,
    SPECIAL = SQUARE_MASK + 2 /* times n: `from` and `to` are both n, which is no move */
};

/* In all dialects pieces have types from 1, in this order, and not in the order of hands. */
static const uint8_t kind_of_type[KZ_SHOGI_HAND_KINDS + 1] = {
    0, KZ_SHOGI_PAWN, KZ_SHOGI_LANCE, KZ_SHOGI_KNIGHT, KZ_SHOGI_SILVER, KZ_SHOGI_BISHOP, KZ_SHOGI_ROOK, KZ_SHOGI_GOLD};
static const uint8_t type_of_kind[KZ_SHOGI_HAND_KINDS] = {
    [KZ_SHOGI_PAWN] = 1, [KZ_SHOGI_LANCE] = 2,  [KZ_SHOGI_KNIGHT] = 3, [KZ_SHOGI_SILVER] = 4,
    [KZ_SHOGI_GOLD] = 7, [KZ_SHOGI_BISHOP] = 5, [KZ_SHOGI_ROOK] = 6};

/* How a dialect says it: the bits of drops and of promotions, and what is added to the type of a dropped piece. */
static const struct dialect {
    uint16_t drop_bit;
    uint16_t promotion_bit;
    uint16_t type_base;
    bool has_specials;
} dialects[KZ_SHOGI_DIALECTS] = {
    [KZ_SHOGI_YANEURAOU] = {BIT_14, BIT_15, 0, true},
    [KZ_SHOGI_DROPS_82] = {0, BIT_14, 81, false},
    [KZ_SHOGI_APERY] = {0, BIT_14, 80, false},
};

/* The special moves of YaneuraOu: 0, 129, 258 and 387. */
static const uint8_t specials[] = {KZ_SHOGI_NONE, KZ_SHOGI_NULL, KZ_SHOGI_RESIGNS, KZ_SHOGI_DECLARES};
enum { SPECIALS = sizeof specials / sizeof specials[0] };

kz_shogi_defect kz_shogi_read_move(kz_shogi_dialect dialect, uint16_t bits, kz_shogi_move *move) {
    const struct dialect *in = &dialects[dialect];
    unsigned to = bits & SQUARE_MASK;
    unsigned from = bits >> FROM_SHIFT & SQUARE_MASK;
    bool promotes = (bits & in->promotion_bit) != 0;
    unsigned unused = bits & (BIT_14 | BIT_15) & ~(in->drop_bit | (unsigned)in->promotion_bit);
    *move = (kz_shogi_move){.special = KZ_SHOGI_NONE};
    if (bits == SPECIAL * to && to < (in->has_specials ? SPECIALS : 1U)) {
        move->special = specials[to];
        return KZ_SHOGI_FINE;
    }
    bool drop = in->drop_bit ? (bits & in->drop_bit) != 0 : from >= KZ_SHOGI_SQUARES;
    unsigned type = from - in->type_base;
    bool fits = drop ? type >= 1 && type <= KZ_SHOGI_HAND_KINDS && !promotes : from < KZ_SHOGI_SQUARES && from != to;
    if (!fits || to >= KZ_SHOGI_SQUARES || unused != 0) {
        return KZ_SHOGI_BAD_MOVE;
    }
    if (drop) {
        from = (unsigned)KZ_SHOGI_SQUARES + kind_of_type[type];
    }
    *move = (kz_shogi_move){KZ_SHOGI_MOVE, (uint8_t)from, (uint8_t)to, promotes};
    return KZ_SHOGI_FINE;
}

uint16_t kz_shogi_write_move(kz_shogi_dialect dialect, kz_shogi_move move) {
    const struct dialect *in = &dialects[dialect];
    if (move.special != KZ_SHOGI_MOVE) {
        for (unsigned number = 0; in->has_specials && number < SPECIALS; number++) {
            if (specials[number] == move.special) {
                return (uint16_t)(SPECIAL * number);
            }
        }
        return 0;
    }
    unsigned bits = move.to | (move.promotes ? in->promotion_bit : 0U);
    if (move.from < KZ_SHOGI_SQUARES) {
        return (uint16_t)(bits | (unsigned)move.from << FROM_SHIFT);
    }
    unsigned type = type_of_kind[(move.from - KZ_SHOGI_SQUARES) % KZ_SHOGI_HAND_KINDS];
    return (uint16_t)(bits | (type + in->type_base) << FROM_SHIFT | in->drop_bit);
}
