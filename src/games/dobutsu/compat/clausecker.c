/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/compat/clausecker.h"

#include <stdlib.h>

enum { SQUARES = KZ_DOBUTSU_SQUARES, MOST_FOREIGN = 3 };

/* The file numbers squares from the mover's right. */
static int our_square(int square) { return kz_dobutsu_mirror_square(square); }

/* ---- What there is, and in which order --------------------------------------------------------------------------- */

/* Only positions in which the mover has at least as many pieces as the enemy are stored. */
static void fill_owners(kz_clausecker_layout *layout) {
    unsigned count = 0;
    for (unsigned owners = 0; owners < 64; owners++) {
        unsigned foreign = 0;
        for (unsigned bits = owners; bits; bits &= bits - 1) {
            foreign++;
        }
        if (foreign <= MOST_FOREIGN) {
            layout->owners[count++] = owners;
        }
    }
}

static unsigned ways_to_place(unsigned pieces, unsigned squares) {
    return pieces == 0 ? 1 : pieces == 1 ? squares : squares * (squares - 1) / 2;
}

/* Hens are on the board, and a chick that is alone there is the first one. */
static bool hens_fit(unsigned hens, unsigned chicks) { return hens == 0 || chicks == 2 || (hens == 1 && chicks == 1); }

static void fill_cohorts(kz_clausecker_layout *layout) {
    kz_clausecker_cohort *cohort = layout->cohorts;
    size_t offset = 0;
    for (unsigned number = 0; number < 4 * 27; number++) {
        unsigned on_board[KZ_CLAUSECKER_KINDS] = {number % 3, number / 3 % 3, number / 9 % 3};
        if (!hens_fit(number / 27, on_board[0])) {
            continue;
        }
        unsigned squares = SQUARES - 2;
        *cohort = (kz_clausecker_cohort){.hens = number / 27, .size = 1, .offset = offset};
        for (unsigned kind = 0; kind < KZ_CLAUSECKER_KINDS; kind++) {
            cohort->on_board[kind] = on_board[kind];
            cohort->ways[kind] = ways_to_place(on_board[kind], squares);
            cohort->size *= cohort->ways[kind];
            squares -= on_board[kind];
        }
        offset += (size_t)cohort->size * KZ_CLAUSECKER_LIONS;
        cohort++;
    }
}

static bool adjacent(int one, int other) {
    return abs(one / 3 - other / 3) <= 1 && abs(one % 3 - other % 3) <= 1; /* also to itself */
}

/* Lions apart, neither on its far row, and of two mirror images the one with the own lion in column 0 or else the
 * enemy's not there. Where both are in the middle column, either image has a place. */
static void fill_lions(kz_clausecker_layout *layout) {
    unsigned count = 0;
    for (int own = 0; own < SQUARES - 3; own++) {
        for (int enemy = 3; enemy < SQUARES; enemy++) {
            bool normal = own % 3 == 0 || (own % 3 == 1 && enemy % 3 != 0);
            if (normal && !adjacent(own, enemy)) {
                layout->lions[count][0] = own;
                layout->lions[count][1] = enemy;
                count++;
            }
        }
    }
}

void kz_clausecker_layout_fill(kz_clausecker_layout *layout) {
    fill_owners(layout);
    fill_cohorts(layout);
    fill_lions(layout);
}

/* ---- From an entry to a position --------------------------------------------------------------------------------- */

kz_clausecker_run kz_clausecker_run_of(const kz_clausecker_layout *layout, unsigned number) {
    unsigned lions = number % KZ_CLAUSECKER_LIONS;
    unsigned slice = number / KZ_CLAUSECKER_LIONS / KZ_CLAUSECKER_COHORTS;
    const kz_clausecker_cohort *cohort = &layout->cohorts[number / KZ_CLAUSECKER_LIONS % KZ_CLAUSECKER_COHORTS];
    return (kz_clausecker_run){
        .cohort = cohort,
        .owners = layout->owners[slice],
        .lions = {layout->lions[lions][0], layout->lions[lions][1]},
        .offset = (size_t)slice * KZ_CLAUSECKER_OWNERSHIP_BYTES + cohort->offset + (size_t)lions * cohort->size,
    };
}

static unsigned owners_of(const kz_clausecker_run *run, unsigned kind) { return run->owners >> (2 * kind) & 3; }

bool kz_clausecker_run_used(const kz_clausecker_run *run) {
    for (unsigned kind = 0; kind < KZ_CLAUSECKER_KINDS; kind++) {
        if (run->cohort->on_board[kind] == 0 && owners_of(run, kind) == 2) {
            return false;
        }
    }
    return true;
}

/* Free squares in a list. One that is taken out is replaced by the last. */
typedef struct free_squares {
    int squares[SQUARES];
    unsigned count;
} free_squares;

static int take(free_squares *list, unsigned place) {
    int square = list->squares[place];
    list->squares[place] = list->squares[--list->count];
    return square;
}

static void put_pair(kz_dobutsu_pair *pair, int first, int first_mark, int second, int second_mark) {
    bool ascending = first < second;
    pair->square[0] = ascending ? first : second;
    pair->mark[0] = ascending ? first_mark : second_mark;
    pair->square[1] = ascending ? second : first;
    pair->mark[1] = ascending ? second_mark : first_mark;
}

static void place_kind(const kz_clausecker_run *run, unsigned kind, unsigned code, free_squares *list,
                       kz_dobutsu_pair *pair) {
    unsigned owners = owners_of(run, kind);
    unsigned hens = kind == 0 ? run->cohort->hens : 0;
    int first_mark = (owners & 1 ? KZ_DOBUTSU_MARK_ENEMY : 0) | (hens & 1 ? KZ_DOBUTSU_MARK_HEN : 0);
    int second_mark = (owners & 2 ? KZ_DOBUTSU_MARK_ENEMY : 0) | (hens & 2 ? KZ_DOBUTSU_MARK_HEN : 0);
    *pair = (kz_dobutsu_pair){.on_board = (int)run->cohort->on_board[kind]};
    if (pair->on_board == 0) {
        pair->enemy_hand = (int)(owners & 1) + (int)(owners >> 1);
    } else if (pair->on_board == 1) {
        pair->enemy_hand = (int)(owners >> 1);
        pair->square[0] = our_square(take(list, code));
        pair->mark[0] = first_mark;
    } else {
        /* The first piece is the one with the higher place in the list. */
        unsigned high = 1;
        while (high * (high + 1) / 2 <= code) {
            high++;
        }
        int first = our_square(take(list, high));
        int second = our_square(take(list, code - high * (high - 1) / 2));
        put_pair(pair, first, first_mark, second, second_mark);
    }
}

void kz_clausecker_arrangement(const kz_clausecker_run *run, unsigned entry, kz_dobutsu_arrangement *arrangement) {
    const kz_clausecker_cohort *cohort = run->cohort;
    bool own_higher = run->lions[0] > run->lions[1];
    free_squares list = {.count = SQUARES};
    for (int square = 0; square < SQUARES; square++) {
        list.squares[square] = square;
    }
    take(&list, (unsigned)run->lions[!own_higher]);
    take(&list, (unsigned)run->lions[own_higher]);
    arrangement->own_lion = our_square(run->lions[0]);
    arrangement->enemy_lion = our_square(run->lions[1]);
    unsigned elephants = entry % cohort->ways[2];
    unsigned giraffes = entry / cohort->ways[2] % cohort->ways[1];
    place_kind(run, 0, entry / cohort->ways[2] / cohort->ways[1], &list, &arrangement->chicks);
    place_kind(run, 1, giraffes, &list, &arrangement->giraffes);
    place_kind(run, 2, elephants, &list, &arrangement->elephants);
}
