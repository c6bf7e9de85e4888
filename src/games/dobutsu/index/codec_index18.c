/* SPDX-License-Identifier: MIT
 *
 * The packed forms that need no numbered pieces: sets of coordinates, and the index of the 18-number form. */
#include "games/dobutsu/rules/rules.h"

#include "base/error.h"
#include <inttypes.h>

/* ---- Sets of squares ------------------------------------------------------------------------------------------- */

uint16_t kz_dobutsu_to_coordset(unsigned squares) {
    unsigned set = 0;
    for (int row = 0; row < 4; row++) {
        set |= (squares >> (3 * row) & 7) << (4 * row);
    }
    return (uint16_t)set;
}

unsigned kz_dobutsu_from_coordset(uint16_t set) {
    unsigned squares = 0;
    for (int row = 0; row < 4; row++) {
        squares |= ((unsigned)set >> (4 * row) & 7) << (3 * row);
    }
    return squares;
}

/* ---- 18 numbers: 12 cells from the far left corner, then two hands of three -------------------------------------- */

/* Codes of the program that publishes these indices; its own description has lion and hen the wrong way round. */
static const int code_of_kind[KZ_DOBUTSU_KINDS] = {[KZ_DOBUTSU_CHICK] = 1,
                                                   [KZ_DOBUTSU_ELEPHANT] = 2,
                                                   [KZ_DOBUTSU_GIRAFFE] = 3,
                                                   [KZ_DOBUTSU_HEN] = 4,
                                                   [KZ_DOBUTSU_LION] = 5};

enum { CELL_BASE = 11, CELL_ZERO = 5, HAND_BASE = 3, HAND_COUNTS = 729 };

static const uint64_t boards = UINT64_C(3138428376721); /* 11 to the 12th */

static int square_of_cell(int cell) { return 3 * (3 - cell / 3) + cell % 3; }

static unsigned digit_of(uint8_t content) {
    if (content == KZ_DOBUTSU_EMPTY) {
        return CELL_ZERO;
    }
    int code = code_of_kind[(content & (KZ_DOBUTSU_ENEMY - 1)) - 1];
    return (unsigned)(content & KZ_DOBUTSU_ENEMY ? CELL_ZERO - code : CELL_ZERO + code);
}

uint64_t kz_dobutsu_to_index18(const kz_dobutsu *position) {
    uint64_t index = 0;
    for (int hand = 5; hand >= 0; hand--) {
        index = index * HAND_BASE + position->hand[hand / 3][hand % 3];
    }
    uint64_t mirrored = index;
    for (int cell = KZ_DOBUTSU_SQUARES - 1; cell >= 0; cell--) {
        int square = square_of_cell(cell);
        index = index * CELL_BASE + digit_of(position->board[square]);
        mirrored = mirrored * CELL_BASE + digit_of(position->board[square - square % 3 + (2 - square % 3)]);
    }
    return index < mirrored ? index : mirrored;
}

static uint8_t content_of(int digit) {
    int code = digit < CELL_ZERO ? CELL_ZERO - digit : digit - CELL_ZERO;
    for (int kind = 0; kind < KZ_DOBUTSU_KINDS; kind++) {
        if (code_of_kind[kind] == code) {
            return (uint8_t)((1 + kind) | (digit < CELL_ZERO ? KZ_DOBUTSU_ENEMY : 0));
        }
    }
    return KZ_DOBUTSU_EMPTY;
}

kz_status kz_dobutsu_from_index18(uint64_t index, kz_dobutsu *position, kz_error *error) {
    if (index >= boards * HAND_COUNTS) {
        return kz_fail(error, KZ_ERR_INPUT, "the index %" PRIu64 " is over the largest one, %" PRIu64, index,
                       boards * HAND_COUNTS - 1);
    }
    kz_dobutsu result = {0};
    uint64_t cells = index % boards;
    for (int cell = 0; cell < KZ_DOBUTSU_SQUARES; cell++) {
        result.board[square_of_cell(cell)] = content_of((int)(cells % CELL_BASE));
        cells /= CELL_BASE;
    }
    uint64_t hands = index / boards;
    for (int hand = 0; hand < 6; hand++) {
        result.hand[hand / 3][hand % 3] = (uint8_t)(hands % HAND_BASE);
        hands /= HAND_BASE;
    }
    KZ_TRY(kz_dobutsu_validate(&result, error));
    *position = result;
    return KZ_OK;
}
