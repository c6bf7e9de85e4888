/* SPDX-License-Identifier: MIT
 *
 * The parts of an index: index.c makes it, index_rank.c defines the numbers, numbers.h works with them fast. */
#ifndef KZ_VARIANT_INDEX_H
#define KZ_VARIANT_INDEX_H

#include "games/texts/variant.h"

enum {
    KZ_PIECE_CODES = 1 + 2 * KZ_VARIANT_TYPES,
    KZ_IMAGES = 8,
    KZ_PIECE_GROUPS = 24,
    KZ_VARIANT_SMALL = 16 /* squares */
};

/* What is on the board and in the hands. */
typedef struct kz_material {
    uint8_t board[KZ_PIECE_CODES];
    uint8_t hand[2][KZ_VARIANT_HAND];
    uint8_t side; /* always 0 if the rules are the same for both sides */
} kz_material;

typedef struct kz_piece_group {
    uint8_t piece;
    uint8_t count;
} kz_piece_group;

/* The squares of both kings as one number. Pairs that decide the game by themselves have none: the kings can capture
 * each other, or the enemy king stands on its goal. Of pairs that are images of each other the lowest has one. */
typedef struct kz_king_pairs {
    uint8_t images; /* the symmetries that are folded, a bit each */
    int count;
    uint8_t own[KZ_VARIANT_SMALL * KZ_VARIANT_SMALL]; /* [count] */
    uint8_t enemy[KZ_VARIANT_SMALL * KZ_VARIANT_SMALL];
    uint8_t number[KZ_VARIANT_SMALL][KZ_VARIANT_SMALL]; /* own, enemy; of the lowest image */
    uint8_t pick[KZ_VARIANT_SMALL][KZ_VARIANT_SMALL];   /* the symmetries that lead to it; 0: the pair has no number */
} kz_king_pairs;

typedef struct kz_piece_set {
    kz_material what;
    uint64_t key;
    uint64_t begin;
    uint64_t size;
    int groups;
    kz_piece_group group[KZ_PIECE_GROUPS];
    uint64_t ways[KZ_PIECE_GROUPS];    /* in which a group can stand */
    uint64_t inverse[KZ_PIECE_GROUPS]; /* 2^64 / ways, rounded up; 0 if ways is 1, or too large */
    int king;                          /* the piece whose square is folded, or 0 */
    int king_places;
    uint8_t king_square[KZ_VARIANT_SQUARES]; /* [king_places] */
    uint8_t king_place[KZ_VARIANT_SQUARES];  /* its number, for the first square of each class */
    int images;
    uint8_t image[KZ_IMAGES]; /* numbers of symmetries */
    bool passing;             /* a pawn may just have passed: the number of the file, or none, comes first */
    int tier;
    int men;                          /* on the board */
    uint8_t first[KZ_PIECE_CODES];    /* where the squares of a piece begin, in a list in the order of the groups */
    uint8_t pick[KZ_VARIANT_SQUARES]; /* the symmetries that take the folded king from here to one of its places */
    int quiet;                        /* the piece set after a move that changes no material */
    const kz_king_pairs *pairs;       /* NULL: there is no such number; otherwise both kings come first */
} kz_piece_set;

struct kz_variant_index {
    const kz_variant *variant;
    uint8_t square[KZ_IMAGES][KZ_VARIANT_SQUARES]; /* where a symmetry takes a square */
    uint64_t random[KZ_PIECE_CODES + 2 * KZ_VARIANT_HAND + 1];
    kz_piece_set *piece_sets;
    int count;
    int *slots; /* hash table of piece sets: number + 1 */
    int slot_count;
    int tiers;
    uint64_t *tier_begin; /* [tiers + 1] */
    int *tier_set;        /* the first piece set of each */
    uint64_t size;
    uint64_t *begins; /* [count + 1]: of the piece sets */
    uint32_t *chunks; /* the piece set of the first number of each chunk of 2^chunk_bits numbers */
    int chunk_bits;
    int king;                /* the type of the kings of `pairs`; -1: some piece set has not one king a side */
    bool shares;             /* number 0 is that of all positions that a pair of kings wins in one ply */
    kz_board shared;         /* one of them */
    kz_king_pairs *pairs[8]; /* by the symmetries that they fold */
    uint64_t choose[KZ_VARIANT_SQUARES + 1][KZ_VARIANT_PIECES + 1];
};

/* Takes the last group's part off a number: `*rest` = `*rest` / ways, and what is left over comes back. Numbers are
 * below 2^32 nearly always; then a multiplication does what a division would. */
static inline uint64_t kz_variant_split(const kz_piece_set *set, int group, uint64_t *rest) {
    __extension__ typedef unsigned __int128 wide;
    uint64_t number = *rest;
    uint64_t ways = set->ways[group];
    if (number <= UINT32_MAX && set->inverse[group]) {
        *rest = (uint64_t)((wide)set->inverse[group] * number >> 64);
    } else {
        *rest = number / ways;
    }
    return number - *rest * ways;
}

/* The piece set with a key (the sum of `random` over its pieces), or -1. */
int kz_variant_find_set(const kz_variant_index *index, uint64_t key);
/* The piece set that a number is in. */
int kz_variant_set_of(const kz_variant_index *index, uint64_t number);

/* Whether each side has one king, a piece of that type, and none in its hand: then the capture of a king ends the game.
 * -1: no type is a king. */
bool kz_index_has_two_kings(const kz_variant *v, int king, const kz_material *m);

#endif
