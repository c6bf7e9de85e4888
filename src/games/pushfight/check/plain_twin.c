/* SPDX-License-Identifier: MIT
 *
 * The plain rules as the self-test wants them (kz_twin_ops). A key is the codes of all squares, three bits each. */
#include "base/error.h"
#include "games/pushfight/check/plain.h"
#include "games/pushfight/rules/rules.h"

#include <stdlib.h>
#include <string.h>

enum { CODE_BITS = 3, HALF = KZ_PF_MOST_SQUARES / 2 };

typedef struct twin {
    int board_number;
    const kz_pf_board *board;
    kz_pf_plain *plain;
} twin;

static void twin_close(void *opened) {
    twin *self = opened;
    kz_pf_plain_close(self->plain);
    free(self);
}

static void *twin_open(int rules, kz_error *error) {
    twin *self = calloc(1, sizeof *self);
    if (!self) {
        kz_fail(error, KZ_ERR_MEMORY, "out of memory");
        return NULL;
    }
    self->board_number = rules;
    self->board = kz_pf_board_at(rules);
    if (kz_pf_plain_open(self->board, &self->plain, error) != KZ_OK) {
        twin_close(self);
        return NULL;
    }
    return self;
}

/* ---- Between positions, codes and keys --------------------------------------------------------------------------- */

static void codes_of(const twin *self, const kz_pf_position *position, uint8_t codes[KZ_PF_MOST_SQUARES]) {
    int number = 0;
    for (int bit = 0; bit < KZ_PF_GRID; bit++) {
        if (!(self->board->squares >> bit & 1)) {
            continue;
        }
        uint8_t code = KZ_PF_PLAIN_EMPTY;
        if (position->own_movers >> bit & 1) {
            code = KZ_PF_PLAIN_OWN_MOVER;
        } else if (position->own_pushers >> bit & 1) {
            code = KZ_PF_PLAIN_OWN_PUSHER;
        } else if (position->enemy_movers >> bit & 1) {
            code = KZ_PF_PLAIN_ENEMY_MOVER;
        } else if (position->enemy_pushers >> bit & 1) {
            code = bit == position->anchor ? KZ_PF_PLAIN_ANCHORED : KZ_PF_PLAIN_ENEMY_PUSHER;
        }
        codes[number++] = code;
    }
}

static void position_of(const twin *self, const uint8_t *codes, kz_pf_position *position) {
    *position = (kz_pf_position){.anchor = KZ_PF_NO_ANCHOR, .board = (uint8_t)self->board_number};
    int number = 0;
    for (int bit = 0; bit < KZ_PF_GRID; bit++) {
        if (!(self->board->squares >> bit & 1)) {
            continue;
        }
        uint8_t code = codes[number++];
        uint32_t square = UINT32_C(1) << bit;
        position->own_movers |= code == KZ_PF_PLAIN_OWN_MOVER ? square : 0;
        position->own_pushers |= code == KZ_PF_PLAIN_OWN_PUSHER ? square : 0;
        position->enemy_movers |= code == KZ_PF_PLAIN_ENEMY_MOVER ? square : 0;
        position->enemy_pushers |= code == KZ_PF_PLAIN_ENEMY_PUSHER || code == KZ_PF_PLAIN_ANCHORED ? square : 0;
        if (code == KZ_PF_PLAIN_ANCHORED) {
            position->anchor = (int8_t)bit;
        }
    }
}

static kz_twin_key key_of(const twin *self, const uint8_t *codes) {
    kz_twin_key key = {{0, 0}};
    for (int square = 0; square < self->plain->squares; square++) {
        key.words[square / HALF] |= (uint64_t)codes[square] << CODE_BITS * (square % HALF);
    }
    return key;
}

static kz_twin_key twin_key(const void *opened, const kz_position *position) {
    kz_pf_position pf = kz_pf_from_position(position);
    uint8_t codes[KZ_PF_MOST_SQUARES];
    codes_of(opened, &pf, codes);
    return key_of(opened, codes);
}

static void twin_position(const void *opened, kz_twin_key key, kz_position *position) {
    const twin *self = opened;
    uint8_t codes[KZ_PF_MOST_SQUARES] = {0};
    kz_pf_position pf;
    for (int square = 0; square < self->plain->squares; square++) {
        codes[square] = key.words[square / HALF] >> CODE_BITS * (square % HALF) & ((1 << CODE_BITS) - 1);
    }
    position_of(self, codes, &pf);
    kz_pf_to_position(&pf, position);
}

/* ---- Turns ------------------------------------------------------------------------------------------------------- */

typedef struct walk {
    const twin *self;
    const uint8_t *codes;
    kz_twin_visit *visit;
    void *context;
    bool any;
    bool wins;
} walk;

/* What a turn leaves that pushes a piece off the board. */
static void fallen(const walk *w, const kz_pf_plain_turn *turn, uint8_t *next) {
    static const uint8_t seen_by_the_other[KZ_PF_PLAIN_CODES] = {
        KZ_PF_PLAIN_EMPTY,     KZ_PF_PLAIN_ENEMY_MOVER, KZ_PF_PLAIN_ENEMY_PUSHER,
        KZ_PF_PLAIN_OWN_MOVER, KZ_PF_PLAIN_OWN_PUSHER,  KZ_PF_PLAIN_OWN_PUSHER,
    };
    const kz_pf_plain *plain = w->self->plain;
    for (int square = 0; square < plain->squares; square++) {
        next[square] = seen_by_the_other[w->codes[square]];
    }
    for (int i = 0; i < turn->moves; i++) {
        next[turn->to[i]] = next[turn->from[i]];
        next[turn->from[i]] = KZ_PF_PLAIN_EMPTY;
    }
    int from = (uint8_t)turn->from[turn->moves];
    int direction = 0;
    while (plain->beside[from][direction] != turn->to[turn->moves]) {
        direction++;
    }
    uint8_t pushed = KZ_PF_PLAIN_ANCHORED;
    next[from] = KZ_PF_PLAIN_EMPTY;
    for (int square = (uint8_t)turn->to[turn->moves]; square >= 0; square = plain->beside[square][direction]) {
        uint8_t here = next[square];
        next[square] = pushed;
        pushed = here;
    }
}

static bool see_turn(void *context, const kz_pf_plain_turn *turn, const uint8_t *next) {
    walk *w = context;
    uint8_t after[KZ_PF_MOST_SQUARES];
    w->any = true;
    if (!next) {
        w->wins = true;
        fallen(w, turn, after);
        next = after;
    }
    w->visit(w->context, key_of(w->self, next));
    return true;
}

/* A side that has lost a piece has lost the game. */
static bool is_complete(const twin *self, const uint8_t *codes) {
    int own = 0;
    for (int square = 0; square < self->plain->squares; square++) {
        own += codes[square] == KZ_PF_PLAIN_OWN_MOVER || codes[square] == KZ_PF_PLAIN_OWN_PUSHER;
    }
    return own == self->board->movers + self->board->pushers;
}

static kz_value twin_moves(const void *opened, const kz_position *position, kz_twin_visit *visit, void *context) {
    kz_pf_position pf = kz_pf_from_position(position);
    uint8_t codes[KZ_PF_MOST_SQUARES];
    walk w = {.self = opened, .codes = codes, .visit = visit, .context = context};
    codes_of(opened, &pf, codes);
    if (!is_complete(opened, codes)) {
        return (kz_value){KZ_LOSS, 0};
    }
    kz_pf_plain_turns(w.self->plain, codes, see_turn, &w);
    return !w.any ? (kz_value){KZ_LOSS, 0} : w.wins ? (kz_value){KZ_WIN, 1} : (kz_value){KZ_UNKNOWN, 0};
}

/* The rotation, if the board has one, and the same position with the other side to move. */
static int twin_images(const void *opened, const kz_position *position, kz_twin_image images[KZ_TWIN_MAX_IMAGES]) {
    const twin *self = opened;
    kz_pf_position pf = kz_pf_from_position(position);
    int count = 0;
    if (self->board->symmetric) {
        uint8_t codes[KZ_PF_MOST_SQUARES];
        uint8_t rotated[KZ_PF_MOST_SQUARES];
        kz_pf_position image;
        codes_of(self, &pf, codes);
        kz_pf_plain_turn_board(self->plain, codes, rotated);
        position_of(self, rotated, &image);
        image.side = pf.side;
        kz_pf_to_position(&image, &images[count].position);
        /* With an even number of pieces a set of squares can be its own rotation, and no half is left out. */
        images[count++].same_index = (self->board->movers + self->board->pushers) % 2 == 1;
    }
    pf.side ^= 1;
    kz_pf_to_position(&pf, &images[count].position);
    images[count++].same_index = true;
    return count;
}

const kz_twin_ops kz_pushfight_twin = {
    .open = twin_open,
    .close = twin_close,
    .key = twin_key,
    .position = twin_position,
    .moves = twin_moves,
    .images = twin_images,
};
