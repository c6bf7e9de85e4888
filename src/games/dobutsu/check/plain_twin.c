/* SPDX-License-Identifier: MIT
 *
 * The plain rules as the self-test wants them (kz_twin_ops). A key is the board and the hands as the side to move sees
 * them, four bits a square and two bits a hand. */
#include "base/error.h"
#include "games/dobutsu/check/plain.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 3, ROWS = 4, SQUARE_BITS = 4, HAND_BITS = 2 };

typedef struct twin {
    int rules;
} twin;

static void *twin_open(int rules, kz_error *error) {
    twin *self = malloc(sizeof *self);
    if (!self) {
        kz_fail(error, KZ_ERR_MEMORY, "out of memory");
        return NULL;
    }
    self->rules = rules;
    return self;
}

static void twin_close(void *opened) { free(opened); }

static kz_twin_key key_of(const kz_dobutsu *position) {
    kz_twin_key key = {{0, 0}};
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        key.words[0] |= (uint64_t)position->board[square] << SQUARE_BITS * square;
    }
    for (int slot = 0; slot < 8; slot++) {
        key.words[1] |= (uint64_t)position->hand[slot / 4][slot % 4] << HAND_BITS * slot;
    }
    return key;
}

static kz_twin_key twin_key(const void *opened, const kz_position *position) {
    (void)opened;
    kz_dobutsu dobutsu;
    kz_dobutsu_from_position(position, &dobutsu);
    return key_of(&dobutsu);
}

static void twin_position(const void *opened, kz_twin_key key, kz_position *position) {
    (void)opened;
    kz_dobutsu dobutsu = {.turn = 0};
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        dobutsu.board[square] = key.words[0] >> SQUARE_BITS * square & 15;
    }
    for (int slot = 0; slot < 8; slot++) {
        dobutsu.hand[slot / 4][slot % 4] = key.words[1] >> HAND_BITS * slot & 3;
    }
    kz_dobutsu_to_position(&dobutsu, position);
}

static kz_value twin_moves(const void *opened, const kz_position *position, kz_twin_visit *visit, void *context) {
    const twin *self = opened;
    kz_dobutsu dobutsu;
    kz_dobutsu_plain plain;
    kz_dobutsu_plain_move moves[KZ_DOBUTSU_MAX_MOVES];
    kz_dobutsu_from_position(position, &dobutsu);
    kz_dobutsu_plain_from(&dobutsu, &plain);
    int count = kz_dobutsu_plain_moves(self->rules, &plain, moves);
    for (int i = 0; i < count; i++) {
        kz_dobutsu_plain next = plain;
        kz_dobutsu seen;
        kz_dobutsu_plain_make(&next, moves[i]);
        kz_dobutsu_plain_to(&next, &seen);
        visit(context, key_of(&seen));
    }
    return kz_dobutsu_plain_immediate(self->rules, &plain);
}

/* The mirror image, and the same position with the other side to move. */
static int twin_images(const void *opened, const kz_position *position, kz_twin_image images[KZ_TWIN_MAX_IMAGES]) {
    (void)opened;
    kz_dobutsu dobutsu;
    kz_dobutsu_from_position(position, &dobutsu);
    kz_dobutsu image = dobutsu;
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
            image.board[row * COLUMNS + column] = dobutsu.board[row * COLUMNS + COLUMNS - 1 - column];
        }
    }
    kz_dobutsu_to_position(&image, &images[0].position);
    dobutsu.turn ^= 1;
    kz_dobutsu_to_position(&dobutsu, &images[1].position);
    images[0].same_index = images[1].same_index = true;
    return 2;
}

const kz_twin_ops kz_dobutsu_twin = {
    .open = twin_open,
    .close = twin_close,
    .key = twin_key,
    .position = twin_position,
    .moves = twin_moves,
    .images = twin_images,
};
