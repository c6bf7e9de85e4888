/* SPDX-License-Identifier: MIT
 *
 * Random positions of shogi for tests, the same ones for the same seed everywhere.
 *
 * shogi_random_position puts pieces anywhere: well-formed, rarely legal. It is written with the codes of
 * kanzen/shogi.h alone, so that it shares nothing with the code under test. shogi_walk plays legal moves at random. */
#ifndef TESTS_SHOGI_RANDOM_H
#define TESTS_SHOGI_RANDOM_H

#include <kanzen/shogi.h>
#include <string.h>

/* splitmix64: any state is a good seed. */
static inline uint64_t shogi_random(uint64_t *state) {
    uint64_t mixed = *state += 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBU;
    return mixed ^ mixed >> 31;
}

/* 0 to limit - 1. */
static inline unsigned shogi_random_below(uint64_t *state, unsigned limit) {
    return (unsigned)((shogi_random(state) >> 32) * limit >> 32);
}

/* True `of_256` times in 256. */
static inline bool shogi_random_chance(uint64_t *state, unsigned of_256) {
    return shogi_random_below(state, 256) < of_256;
}

/* What positions shall be like. The chances are in 256ths, for each piece on its own. */
typedef struct shogi_random_wish {
    const char *name;
    unsigned without_kings; /* 1: black's king is missing, 2: white's, 3: both */
    unsigned removed;       /* the chance of being neither on the board nor in hand */
    unsigned on_board;      /* of those that are not removed: the chance of being on the board */
    unsigned promoted;      /* of those on the board that can be: the chance of being promoted */
} shogi_random_wish;

/* Kinds of positions that a test should meet, the corners included. */
static const shogi_random_wish shogi_random_wishes[] = {
    {"all pieces", 0, 0, 192, 64},
    {"all pieces on the board", 0, 0, 256, 128},
    {"all pieces on the board and promoted", 0, 0, 256, 256},
    {"full hands", 0, 0, 0, 0},
    {"nearly full hands", 0, 0, 24, 128},
    {"a few removed", 0, 16, 160, 64},
    {"half removed", 0, 128, 128, 64},
    {"removed or on the board", 0, 96, 256, 128},
    {"removed or in hand", 0, 128, 0, 0},
    {"only kings", 0, 256, 0, 0},
    {"no black king", 1, 0, 160, 64},
    {"no white king", 2, 0, 160, 64},
    {"no kings", 3, 0, 160, 64},
    {"no black king, some removed", 1, 64, 160, 64},
    {"no white king, some removed", 2, 64, 160, 64},
    {"no kings, some removed", 3, 64, 160, 64},
    {"no kings, all on the board", 3, 0, 256, 128},
    {"no kings, full hands", 3, 0, 0, 0},
    {"nothing at all", 3, 256, 0, 0},
};
enum {
    SHOGI_RANDOM_WISHES = sizeof shogi_random_wishes / sizeof shogi_random_wishes[0],
    SHOGI_RANDOM_WITH_KINGS = 10, /* those before it have both kings */
    SHOGI_RANDOM_COMPLETE = 5     /* those before it have both kings and all pieces */
};

/* A well-formed position. */
static inline kz_shogi_position shogi_random_position(uint64_t *state, shogi_random_wish wish) {
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

/* A position of any kind of the list. */
static inline kz_shogi_position shogi_random_any(uint64_t *state) {
    return shogi_random_position(state, shogi_random_wishes[shogi_random_below(state, SHOGI_RANDOM_WISHES)]);
}

/* A game played at random. Begin with {.state = SEED}; shogi_walk gives the next position, the start position first.
 * A game ends at a mate or after 200 moves, and then the next one begins. */
typedef struct shogi_walker {
    uint64_t state;
    kz_shogi_position position;
    int ply; /* of `position`, from 1; 0 before the first one */
} shogi_walker;

static inline const kz_shogi_position *shogi_walk(shogi_walker *walker) {
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

#endif
