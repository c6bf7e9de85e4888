/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/index/pairs.h"

#include "base/bits.h"

static unsigned rank_of_square(int square, unsigned taken) {
    return (unsigned)square - kz_popcount32(taken & ((1U << square) - 1));
}

static int square_of_rank(unsigned rank, unsigned taken) {
    int square = 0;
    for (unsigned seen = 0;; square++) {
        if (!(taken >> square & 1) && seen++ == rank) {
            return square;
        }
    }
}

unsigned kz_dobutsu_pair_rank(const kz_dobutsu_pair *pair, int bits, unsigned taken) {
    unsigned free = KZ_DOBUTSU_SQUARES - kz_popcount32(taken);
    if (pair->on_board == 2) {
        unsigned a = rank_of_square(pair->square[0], taken);
        unsigned b = rank_of_square(pair->square[1], taken);
        unsigned marks = (unsigned)pair->mark[0] << bits | (unsigned)pair->mark[1];
        return (b * (b - 1) / 2 + a) << (2 * bits) | marks;
    }
    unsigned offset = (free * (free - 1) / 2) << (2 * bits);
    if (pair->on_board == 1) {
        unsigned a = rank_of_square(pair->square[0], taken);
        return offset + (a << (bits + 1) | (unsigned)pair->mark[0] << 1 | (unsigned)pair->enemy_hand);
    }
    return offset + (free << (bits + 1)) + (unsigned)pair->enemy_hand;
}

void kz_dobutsu_pair_unrank(unsigned rank, int bits, unsigned taken, kz_dobutsu_pair *pair) {
    unsigned free = KZ_DOBUTSU_SQUARES - kz_popcount32(taken);
    unsigned both = (free * (free - 1) / 2) << (2 * bits);
    unsigned one = free << (bits + 1);
    unsigned mark = (1U << bits) - 1;
    *pair = (kz_dobutsu_pair){0};
    if (rank < both) {
        unsigned squares = rank >> (2 * bits);
        unsigned b = 1;
        while (b * (b + 1) / 2 <= squares) {
            b++;
        }
        pair->on_board = 2;
        pair->square[0] = square_of_rank(squares - b * (b - 1) / 2, taken);
        pair->square[1] = square_of_rank(b, taken);
        pair->mark[0] = (int)(rank >> bits & mark);
        pair->mark[1] = (int)(rank & mark);
    } else if (rank < both + one) {
        rank -= both;
        pair->on_board = 1;
        pair->square[0] = square_of_rank(rank >> (bits + 1), taken);
        pair->mark[0] = (int)(rank >> 1 & mark);
        pair->enemy_hand = (int)(rank & 1);
    } else {
        pair->enemy_hand = (int)(rank - both - one);
    }
}

unsigned kz_dobutsu_pair_mask(const kz_dobutsu_pair *pair) {
    unsigned mask = 0;
    for (int i = 0; i < pair->on_board; i++) {
        mask |= 1U << pair->square[i];
    }
    return mask;
}

static void sort_pair(kz_dobutsu_pair *pair) {
    if (pair->on_board == 2 && pair->square[0] > pair->square[1]) {
        kz_dobutsu_pair other = *pair;
        for (int i = 0; i < 2; i++) {
            pair->square[i] = other.square[1 - i];
            pair->mark[i] = other.mark[1 - i];
        }
    }
}

kz_dobutsu_pair kz_dobutsu_pair_flip(const kz_dobutsu_pair *pair) {
    kz_dobutsu_pair flipped = *pair;
    for (int i = 0; i < pair->on_board; i++) {
        flipped.square[i] = KZ_DOBUTSU_SQUARES - 1 - pair->square[i];
        flipped.mark[i] = pair->mark[i] ^ KZ_DOBUTSU_MARK_ENEMY;
    }
    flipped.enemy_hand = 2 - pair->on_board - pair->enemy_hand;
    sort_pair(&flipped);
    return flipped;
}

kz_dobutsu_pair kz_dobutsu_pair_mirror(const kz_dobutsu_pair *pair) {
    kz_dobutsu_pair mirrored = *pair;
    for (int i = 0; i < pair->on_board; i++) {
        mirrored.square[i] = kz_dobutsu_mirror_square(pair->square[i]);
    }
    sort_pair(&mirrored);
    return mirrored;
}
