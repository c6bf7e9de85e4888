/* SPDX-License-Identifier: MIT
 *
 * A line as a position of Dobutsu Shogi in any notation, the next one as a move there; and the same bytes as numbers of
 * the packed forms. */
#include "tests/fuzz/game_laws.h"

#include <kanzen/dobutsu.h>

/* ---- Packed forms ------------------------------------------------------------------------------------------------ */

/* A position that was read is a valid one, and comes back from each form that can hold it. */
static const char *broken_by_position(const kz_dobutsu *position) {
    kz_dobutsu back;
    LAW(kz_dobutsu_validate(position, NULL) == KZ_OK);
    uint64_t state = kz_dobutsu_to_state40(position);
    LAW(kz_dobutsu_from_state40(state, true, &back, NULL) == KZ_OK);
    LAW(memcmp(back.board, position->board, sizeof back.board) == 0);
    LAW(memcmp(back.hand, position->hand, sizeof back.hand) == 0);
    uint16_t hens = 0;
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        bool hen = position->board[square] % KZ_DOBUTSU_ENEMY == 1 + KZ_DOBUTSU_HEN;
        hens = (uint16_t)(hens | kz_dobutsu_to_coordset(hen ? 1U << square : 0));
    }
    LAW(kz_dobutsu_from_board64(kz_dobutsu_to_board64(position), position->hand[0], position->hand[1], hens, &back,
                                NULL) == KZ_OK);
    LAW(memcmp(back.board, position->board, sizeof back.board) == 0);
    if (position->hand[0][KZ_DOBUTSU_LION] + position->hand[1][KZ_DOBUTSU_LION] == 0) {
        uint64_t index = kz_dobutsu_to_index18(position);
        LAW(kz_dobutsu_from_index18(index, &back, NULL) == KZ_OK);
        LAW(kz_dobutsu_to_index18(&back) == index);
    }
    return NULL;
}

static const char *broken_by_actions(const kz_dobutsu *position) {
    for (unsigned action = 0; action < 128; action++) {
        kz_move move = 0;
        kz_error error = {KZ_OK, ""};
        kz_status status = kz_dobutsu_from_action(position, action, &move, &error);
        fuzz_keep_failure(status, &error);
        if (status == KZ_OK) {
            unsigned again = kz_dobutsu_to_action(position, move);
            kz_move other = 0;
            LAW((move == 0) == (action == 0));
            LAW(kz_dobutsu_from_action(position, again, &other, NULL) == KZ_OK && other == move);
        }
    }
    return NULL;
}

static const char *broken_by_state(uint64_t number) {
    kz_dobutsu position, sorted;
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_dobutsu_from_state40(number, false, &position, &error);
    fuzz_keep_failure(status, &error);
    bool canonical = kz_dobutsu_from_state40(number, true, &sorted, NULL) == KZ_OK;
    LAW(!canonical || status == KZ_OK);
    if (status == KZ_OK) {
        LAW((kz_dobutsu_to_state40(&position) == number) == canonical);
        fuzz_keep(broken_by_position(&position));
        fuzz_keep(broken_by_actions(&position));
    }
    return NULL;
}

static const char *broken_by_index(uint64_t number) {
    kz_dobutsu position;
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_dobutsu_from_index18(number, &position, &error);
    fuzz_keep_failure(status, &error);
    if (status == KZ_OK) {
        LAW(kz_dobutsu_to_index18(&position) <= number);
        fuzz_keep(broken_by_position(&position));
    }
    return NULL;
}

static const char *broken_by_board(uint64_t board, uint64_t more) {
    uint8_t hands[2][4];
    for (unsigned i = 0; i < 8; i++) {
        hands[i / 4][i % 4] = (uint8_t)(more >> 4 * i & 15);
    }
    kz_dobutsu position;
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_dobutsu_from_board64(board, hands[0], hands[1], (uint16_t)(more >> 32), &position, &error);
    fuzz_keep_failure(status, &error);
    return status == KZ_OK ? broken_by_position(&position) : NULL;
}

static const char *broken_by_statistics(uint64_t number) {
    uint64_t state;
    kz_dobutsu_stats stats;
    kz_dobutsu_unpack56(number, &state, &stats);
    LAW(state < UINT64_C(1) << 40);
    LAW(kz_dobutsu_pack56(state, stats) == (number & ((UINT64_C(1) << 56) - 1)));
    kz_value value = kz_dobutsu_value_of_outcome(stats.outcome);
    LAW(value.outcome == KZ_UNKNOWN || kz_dobutsu_outcome_of(value) == stats.outcome);
    return NULL;
}

static void try_numbers(const uint8_t *data, size_t size) {
    uint64_t first = fuzz_number(&data, &size, 8);
    uint64_t second = fuzz_number(&data, &size, 8);
    fuzz_keep(broken_by_state(first));
    fuzz_keep(broken_by_state(first & ((UINT64_C(1) << 40) - 1)));
    fuzz_keep(broken_by_index(first));
    fuzz_keep(broken_by_board(first, second));
    fuzz_keep(broken_by_statistics(first));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const kz_game *game = kz_game_find("dobutsu");
    try_numbers(data, size);
    for (int rules = 0; kz_rules_name(game, rules); rules++) {
        fuzz_position_and_move(game, rules, data, size);
    }
    return 0;
}
