/* SPDX-License-Identifier: MIT */
#include "tests/support/dobutsu_samples.h"

#include "tests/support/testing.h"

#include <string.h>

int sample_below(uint64_t *seed, int limit) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (int)((*seed >> 11) % (uint64_t)limit);
}

static void sample_place(uint64_t *seed, uint8_t cell, kz_dobutsu *position) {
    int square = sample_below(seed, KZ_DOBUTSU_SQUARES);
    while (position->board[square] != KZ_DOBUTSU_EMPTY) {
        square = sample_below(seed, KZ_DOBUTSU_SQUARES);
    }
    position->board[square] = cell;
}

kz_dobutsu sample_position(uint64_t *seed) {
    kz_dobutsu position = {.turn = (uint8_t)sample_below(seed, 2)};
    sample_place(seed, (1 + KZ_DOBUTSU_LION) | KZ_DOBUTSU_ENEMY, &position);
    if (sample_below(seed, 16) == 0) {
        position.hand[1][KZ_DOBUTSU_LION] = 1;
    } else {
        sample_place(seed, 1 + KZ_DOBUTSU_LION, &position);
    }
    for (int piece = 0; piece < 6; piece++) {
        int kind = piece / 2;
        int enemy = sample_below(seed, 2);
        if (sample_below(seed, 4) == 0) {
            position.hand[enemy][kind]++;
            continue;
        }
        if (kind == KZ_DOBUTSU_CHICK && sample_below(seed, 2)) {
            kind = KZ_DOBUTSU_HEN;
        }
        sample_place(seed, (uint8_t)((1 + kind) | (enemy ? KZ_DOBUTSU_ENEMY : 0)), &position);
    }
    return position;
}

kz_position dobutsu_at(const char *text) {
    kz_position position;
    kz_error error = {0};
    if (kz_parse(kz_game_find("dobutsu"), 0, text, strlen(text), &position, &error) != KZ_OK) {
        fail_msg("%s: %s", text, error.message);
    }
    return position;
}
