/* SPDX-License-Identifier: MIT
 *
 * Where the file of Clausecker's dobutsu has which position: entries that his program made, and a second way from the
 * position to the entry, straight from the description (docs/format-clausecker.md). */
#include "tests/support/forge.h"
#include "tests/support/testing.h"

#include "games/dobutsu/compat/clausecker.h"

#include <kanzen/export.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kz_clausecker_layout layout;

static int set_up(void **state) {
    (void)state;
    kz_clausecker_layout_fill(&layout);
    return 0;
}

/* ---- The plain way, from a position to its byte ------------------------------------------------------------------ */

typedef struct piece {
    int square; /* -1: in hand */
    int foreign;
    int hen;
} piece;

typedef struct plain {
    int lion[2];
    piece pieces[3][2]; /* chicks, giraffes, elephants */
} plain;

static const int kind_of_slot[3] = {KZ_DOBUTSU_CHICK, KZ_DOBUTSU_GIRAFFE, KZ_DOBUTSU_ELEPHANT};

static int slot_of_kind(int kind) {
    return kind == KZ_DOBUTSU_CHICK || kind == KZ_DOBUTSU_HEN ? 0 : kind == KZ_DOBUTSU_GIRAFFE ? 1 : 2;
}

/* Squares from the mover's right, or with `turn` from the left. */
static void take_apart(const kz_dobutsu *position, int turn, plain *p) {
    int found[3] = {0};
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        int code = position->board[square];
        int column = turn ? square % 3 : 2 - square % 3;
        if (code == KZ_DOBUTSU_EMPTY) {
            continue;
        }
        int kind = (code & 7) - 1;
        if (kind == KZ_DOBUTSU_LION) {
            p->lion[code >= KZ_DOBUTSU_ENEMY] = square / 3 * 3 + column;
        } else {
            int slot = slot_of_kind(kind);
            p->pieces[slot][found[slot]++] =
                (piece){square / 3 * 3 + column, code >= KZ_DOBUTSU_ENEMY, kind == KZ_DOBUTSU_HEN};
        }
    }
    for (int slot = 0; slot < 3; slot++) {
        for (int owner = 1; owner >= 0; owner--) {
            for (int i = 0; i < position->hand[owner][kind_of_slot[slot]]; i++) {
                p->pieces[slot][found[slot]++] = (piece){-1, owner, 0};
            }
        }
        assert_int_equal(found[slot], 2);
    }
}

static int place_of(const int *list, int count, int square) {
    for (int i = 0; i < count; i++) {
        if (list[i] == square) {
            return i;
        }
    }
    fail_msg("square %d is taken twice", square);
    return -1;
}

static void swap_pieces(piece *pair) {
    piece first = pair[0];
    pair[0] = pair[1];
    pair[1] = first;
}

static int binomial(int n, int k) { return k == 0 ? 1 : k == 1 ? n : n * (n - 1) / 2; }

static int bits_of(int number) { return number ? number % 2 + bits_of(number / 2) : 0; }

/* The size of a cohort; 0: there is none. */
static long cohort_size(int hens, const int board[3]) {
    if (bits_of(hens) > board[0] || (hens == 2 && board[0] < 2)) {
        return 0;
    }
    return (long)binomial(10, board[0]) * binomial(10 - board[0], board[1]) *
           binomial(10 - board[0] - board[1], board[2]);
}

/* Which of the pairs of lions it is: those before it are counted. */
static int lions_before(int own, int enemy) {
    int count = 0;
    for (int a = 0; a <= own; a++) {
        for (int b = 3; b < 12 && (a < own || b < enemy); b++) {
            bool touch = abs(a / 3 - b / 3) < 2 && abs(a % 3 - b % 3) < 2;
            count += !touch && (a % 3 == 0 || (a % 3 == 1 && b % 3 > 0));
        }
    }
    return count;
}

static long plain_offset(const kz_dobutsu *position) {
    plain p;
    take_apart(position, 0, &p);
    if (p.lion[0] % 3 == 2 || (p.lion[0] % 3 == 1 && p.lion[1] % 3 == 0)) {
        take_apart(position, 1, &p);
    }
    int list[12];
    int count = 12;
    for (int square = 0; square < 12; square++) {
        list[square] = square;
    }
    for (int pass = 0; pass < 2; pass++) {
        bool own_first = p.lion[0] > p.lion[1];
        int at = place_of(list, count, p.lion[own_first ? pass : 1 - pass]);
        list[at] = list[--count];
    }
    long entry = 0;
    int owners = 0;
    int hens = 0;
    int board[3];
    for (int slot = 0; slot < 3; slot++) {
        piece *pair = p.pieces[slot];
        int code = 0;
        board[slot] = (pair[0].square >= 0) + (pair[1].square >= 0);
        entry *= binomial(count, board[slot]);
        if (board[slot] == 1) {
            code = place_of(list, count, pair[0].square);
            list[code] = list[count - 1];
        } else if (board[slot] == 2) {
            int high = place_of(list, count, pair[0].square);
            int low = place_of(list, count, pair[1].square);
            if (high < low) {
                int swap = high;
                high = low;
                low = swap;
                swap_pieces(pair);
            }
            code = high * (high - 1) / 2 + low;
            list[high] = list[count - 1];
            list[low] = list[count - 2];
        }
        count -= board[slot];
        entry += code;
        owners |= (pair[0].foreign + 2 * pair[1].foreign) << 2 * slot;
        hens |= slot == 0 ? pair[0].hen + 2 * pair[1].hen : 0;
    }
    long offset = 0;
    for (int other = 0; other < owners; other++) {
        offset += bits_of(other) <= 3 ? KZ_CLAUSECKER_OWNERSHIP_BYTES : 0;
    }
    int wanted = 27 * hens + 9 * board[2] + 3 * board[1] + board[0];
    for (int cohort = 0; cohort < wanted; cohort++) {
        const int other[3] = {cohort % 3, cohort / 3 % 3, cohort / 9 % 3};
        offset += 21 * cohort_size(cohort / 27, other);
    }
    return offset + lions_before(p.lion[0], p.lion[1]) * cohort_size(hens, board) + entry;
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

static void position_at(const kz_clausecker_run *run, size_t offset, kz_dobutsu *position) {
    kz_dobutsu_arrangement arrangement;
    assert_true(kz_clausecker_run_used(run));
    kz_clausecker_arrangement(run, (unsigned)(offset - run->offset), &arrangement);
    kz_dobutsu_arrangement_to(&arrangement, position);
}

static kz_clausecker_run run_at(size_t offset) {
    unsigned number = (unsigned)(offset / KZ_CLAUSECKER_OWNERSHIP_BYTES) * KZ_CLAUSECKER_COHORTS * KZ_CLAUSECKER_LIONS;
    kz_clausecker_run run = kz_clausecker_run_of(&layout, number);
    while (offset >= run.offset + run.cohort->size) {
        run = kz_clausecker_run_of(&layout, ++number);
    }
    return run;
}

/* Runs follow each other without a gap and fill the file. That 4,011,945 of its bytes have no position is what the
 * original counts as well. */
TEST(test_runs) {
    size_t offset = 0;
    size_t unused = 0;
    for (unsigned number = 0; number < KZ_CLAUSECKER_RUNS; number++) {
        kz_clausecker_run run = kz_clausecker_run_of(&layout, number);
        assert_int_equal(run.offset, offset);
        offset += run.cohort->size;
        unused += kz_clausecker_run_used(&run) ? 0 : run.cohort->size;
    }
    assert_int_equal(offset, 167527962);
    assert_int_equal(unused, 4011945);
}

/* Entries of the file that the original program has made. */
TEST(test_original_entries) {
    const kz_game *game = kz_game_find("dobutsu");
    char line[256];
    int lines = 0;
    FILE *file = open_source("tests/data/clausecker.txt");
    while (fgets(line, sizeof line, file)) {
        char text[64];
        char *after;
        size_t offset = strtoul(line, &after, 10);
        if (line[0] == '#' || sscanf(after, "%63s", text) != 1) {
            continue;
        }
        kz_position parsed;
        kz_dobutsu expected;
        kz_dobutsu got;
        assert_int_equal(kz_parse(game, 0, text, strlen(text), &parsed, NULL), KZ_OK);
        kz_dobutsu_from_position(&parsed, &expected);
        kz_clausecker_run run = run_at(offset);
        position_at(&run, offset, &got);
        assert_int_equal(kz_dobutsu_to_state40(&got), kz_dobutsu_to_state40(&expected));
        assert_int_equal(plain_offset(&expected), offset);
        lines++;
    }
    fclose(file);
    assert_in_range(lines, 300, 1000);
}

/* Some entries of every run: there, and back the plain way. */
TEST(test_round_trip) {
    uint64_t random = 1;
    for (unsigned number = 0; number < KZ_CLAUSECKER_RUNS; number++) {
        kz_clausecker_run run = kz_clausecker_run_of(&layout, number);
        random = random * 6364136223846793005 + 1442695040888963407;
        size_t offset = run.offset + (random >> 33) % run.cohort->size;
        if (kz_clausecker_run_used(&run)) {
            kz_dobutsu position;
            position_at(&run, offset, &position);
            assert_int_equal(kz_dobutsu_validate(&position, NULL), KZ_OK);
            assert_int_equal(plain_offset(&position), offset);
        }
    }
}

TESTS(set_up, NULL)
