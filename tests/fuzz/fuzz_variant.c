/* SPDX-License-Identifier: MIT
 *
 * Texts of variants. What is accepted can be played: every move leads to a position that is written and read again, and
 * whose predecessors have this one among them. */
#include "tests/fuzz/laws.h"

#include "games/texts/variant.h"

#include <stdlib.h>
#include <string.h>

enum { PLIES = 12, BEFORE = 512 };

static const char *broken_by_text(const kz_variant *v, const kz_board *b) {
    char text[KZ_TEXT_BYTES];
    kz_board again;
    kz_error error;
    kz_variant_write_fen(v, b, text);
    LAW(kz_variant_read_fen(v, text, strlen(text), &again, &error) == KZ_OK);
    LAW(memcmp(again.at, b->at, sizeof again.at) == 0 && again.side == b->side && again.occupied == b->occupied);
    return NULL;
}

static const char *broken_by_game(const kz_variant *v, kz_board *b) {
    static kz_move moves[KZ_VARIANT_MOVES];
    static kz_position before[BEFORE];
    for (int ply = 0; ply < PLIES && kz_variant_result(v, b) == KZ_UNKNOWN; ply++) {
        const char *problem = broken_by_text(v, b);
        if (problem) {
            return problem;
        }
        int count = kz_variant_moves(v, b, moves);
        LAW(count >= 0 && count <= KZ_VARIANT_MOVES);
        if (count == 0) {
            break;
        }
        kz_move move = moves[(ply * 7) % count];
        LAW(kz_variant_is_legal(v, b, move));
        kz_variant_play(v, b, move);
        LAW(kz_variant_before(v, b, before, BEFORE) <= BEFORE);
    }
    return NULL;
}

static const char *broken_by_variant(const char *text, size_t size) {
    static kz_variant v;
    kz_error error = {.status = KZ_OK};
    if (kz_variant_parse(text, size, "text", "", &v, &error) != KZ_OK) {
        LAW(error.message[0]);
        return NULL;
    }
    kz_board b;
    if (kz_variant_read_fen(&v, v.start, strlen(v.start), &b, &error) != KZ_OK) {
        LAW(error.message[0]);
        return NULL;
    }
    return broken_by_game(&v, &b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1); /* so that reading past the end is seen */
    if (text) {
        memcpy(text, data, size);
        fuzz_keep(broken_by_variant(text, size));
        free(text);
    }
    return 0;
}
