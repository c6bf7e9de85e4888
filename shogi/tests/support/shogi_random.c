/* SPDX-License-Identifier: MIT */
#include "shogi/tests/support/shogi_random.h"

uint64_t shogi_random(uint64_t *state) {
    uint64_t mixed = *state += 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBU;
    return mixed ^ mixed >> 31;
}

unsigned shogi_random_below(uint64_t *state, unsigned limit) {
    return (unsigned)((shogi_random(state) >> 32) * limit >> 32);
}

bool shogi_random_chance(uint64_t *state, unsigned of_256) { return shogi_random_below(state, 256) < of_256; }

kz_shogi_position shogi_random_position(uint64_t *state, shogi_random_wish wish) {
    static const uint8_t codes[KZ_SHOGI_HAND_KINDS] = {KZ_SHOGI_CODE_PAWN,   KZ_SHOGI_CODE_LANCE, KZ_SHOGI_CODE_KNIGHT,
                                                       KZ_SHOGI_CODE_SILVER, KZ_SHOGI_CODE_GOLD,  KZ_SHOGI_CODE_BISHOP,
                                                       KZ_SHOGI_CODE_ROOK};
    static const unsigned full_set[KZ_SHOGI_HAND_KINDS] = {18, 4, 4, 4, 4, 2, 2};
    kz_shogi_position position;
    memset(&position, 0, sizeof position);

    /* Squares in random order: the first `used` are taken. */
    uint8_t squares[KZ_SHOGI_SQUARES] = {0};
    for (unsigned i = 0; i < KZ_SHOGI_SQUARES; i++) {
        unsigned other = shogi_random_below(state, i + 1);
        squares[i] = squares[other];
        squares[other] = (uint8_t)i;
    }
    unsigned used = 0;
    if (!(wish.without_kings & 1)) {
        position.board[squares[used++]] = KZ_SHOGI_CODE_KING;
    }
    if (!(wish.without_kings & 2)) {
        position.board[squares[used++]] = KZ_SHOGI_CODE_KING | KZ_SHOGI_WHITES;
    }
    for (unsigned kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        for (unsigned i = 0; i < full_set[kind]; i++) {
            unsigned side = shogi_random_below(state, 2);
            if (shogi_random_chance(state, wish.removed)) {
                continue;
            }
            if (!shogi_random_chance(state, wish.on_board)) {
                position.hand[side][kind]++;
                continue;
            }
            bool promoted = kind != KZ_SHOGI_GOLD && shogi_random_chance(state, wish.promoted);
            position.board[squares[used++]] =
                (uint8_t)(codes[kind] | (side ? KZ_SHOGI_WHITES : 0) | (promoted ? KZ_SHOGI_PROMOTED : 0));
        }
    }
    position.side = (uint8_t)shogi_random_below(state, 2);
    return position;
}

kz_shogi_position shogi_random_any(uint64_t *state) {
    return shogi_random_position(state, shogi_random_wishes[shogi_random_below(state, SHOGI_RANDOM_WISHES)]);
}

const kz_shogi_position *shogi_walk(shogi_walker *walker) {
    kz_shogi_move moves[KZ_SHOGI_MOST_MOVES];
    size_t count = walker->ply == 0 || walker->ply > 200 ? 0 : kz_shogi_moves(&walker->position, moves);
    if (count == 0) {
        walker->position = kz_shogi_start();
        walker->ply = 1;
    } else {
        kz_shogi_make_move(&walker->position, moves[shogi_random_below(&walker->state, (unsigned)count)]);
        walker->ply++;
    }
    return &walker->position;
}
