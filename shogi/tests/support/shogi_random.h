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
uint64_t shogi_random(uint64_t *state);

/* 0 to limit - 1. */
unsigned shogi_random_below(uint64_t *state, unsigned limit);

/* True `of_256` times in 256. */
bool shogi_random_chance(uint64_t *state, unsigned of_256);

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
kz_shogi_position shogi_random_position(uint64_t *state, shogi_random_wish wish);

/* A position of any kind of the list. */
kz_shogi_position shogi_random_any(uint64_t *state);

/* A game played at random. Begin with {.state = SEED}; shogi_walk gives the next position, the start position first.
 * A game ends at a mate or after 200 moves, and then the next one begins. */
typedef struct shogi_walker {
    uint64_t state;
    kz_shogi_position position;
    int ply; /* of `position`, from 1; 0 before the first one */
} shogi_walker;

const kz_shogi_position *shogi_walk(shogi_walker *walker);

#endif
