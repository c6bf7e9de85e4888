/* SPDX-License-Identifier: MIT
 *
 * Endings by their names, and all endings with so many men. */
#include "games/texts/game.h"

#include "base/error.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- Endings ----------------------------------------------------------------------------------------------------- */

/* A board with pieces of a kind, wherever there is room: only the material counts. */
typedef struct filler {
    const kz_variant *variant;
    kz_board board;
    int square;
} filler;

static bool put(filler *f, int type, int color) {
    if (f->square >= f->variant->squares) {
        return false;
    }
    kz_board_put(&f->board, f->square++, kz_piece(type, color));
    return true;
}

static int find_letter(const kz_variant *v, char letter) {
    for (int i = 0; i < v->types; i++) {
        if (v->type[i].letter && v->type[i].letter == tolower((unsigned char)letter) && !v->type[i].promoted) {
            return i;
        }
    }
    return -1;
}

/* "KBNvK". */
kz_status kz_variant_read_ending(const kz_variant *v, const char *text, kz_board *board, kz_error *error) {
    filler f = {.variant = v, .board = {.en_passant = KZ_NO_SQUARE}};
    int color = KZ_WHITE;
    int kings[2] = {0, 0};
    for (const char *at = text; *at; at++) {
        if (*at == 'v' && color == KZ_WHITE) {
            color = KZ_BLACK;
            continue;
        }
        int type = find_letter(v, *at);
        if (type < 0 || !put(&f, type, color)) {
            return kz_fail(error, KZ_ERR_INPUT, "%s has no ending '%s': character %d is no piece of it", v->name, text,
                           (int)(at - text) + 1);
        }
        kings[color] += type == v->royal;
    }
    if (color == KZ_WHITE || (v->royal >= 0 && (kings[0] != 1 || kings[1] != 1))) {
        return kz_fail(error, KZ_ERR_INPUT,
                       "an ending names the pieces of both sides with a 'v' between them, such as KQvK%s",
                       v->royal >= 0 ? ", with one king each" : "");
    }
    *board = f.board;
    return KZ_OK;
}

/* All material with so many men, as boards. */
typedef struct endings {
    const kz_variant *variant;
    int men;
    kz_board *boards;
    size_t count;
    size_t room;
    bool failed;
} endings;

static void add_board(endings *e, const filler *f) {
    if (e->count == e->room) {
        size_t room = e->room * 2 + 64;
        kz_board *boards = realloc(e->boards, room * sizeof *boards);
        if (!boards) {
            e->failed = true;
            return;
        }
        e->boards = boards;
        e->room = room;
    }
    e->boards[e->count++] = f->board;
}

/* Adds every choice of `left` more pieces, each a number of type and colour not below `from`. */
static void choose_pieces(endings *e, const filler *f, int left, int from) {
    const kz_variant *v = e->variant;
    if (left == 0) {
        bool both[2] = {false, false};
        for (int square = 0; square < v->squares; square++) {
            if (f->board.at[square]) {
                both[kz_piece_color(f->board.at[square])] = true;
            }
        }
        if (both[0] && both[1]) {
            add_board(e, f);
        }
        return;
    }
    for (int code = from; code < 2 * v->types; code++) {
        int type = code / 2;
        filler next = *f;
        if (v->type[type].letter && !v->type[type].promoted && type != v->royal && put(&next, type, code % 2)) {
            choose_pieces(e, &next, left - 1, code);
        }
    }
}

kz_status kz_variant_list_endings(const kz_variant *v, int men, kz_board **boards, size_t *count, kz_error *error) {
    filler f = {.variant = v, .board = {.en_passant = KZ_NO_SQUARE}};
    endings e = {.variant = v, .men = men};
    int kings = 0;
    for (int color = 0; v->royal >= 0 && color < 2; color++) {
        kings += put(&f, v->royal, color);
    }
    for (int number = kings ? kings : 2; number <= men; number++) {
        choose_pieces(&e, &f, number - kings, 0);
    }
    *boards = e.boards;
    *count = e.count;
    return e.failed ? kz_fail(error, KZ_ERR_MEMORY, "no memory for all endings") : KZ_OK;
}

void kz_variant_write_ending(const kz_variant *v, const kz_board *b, char *text) {
    const char *end = &text[KZ_VARIANT_ENDING_BYTES - 4];
    char *at = text;
    for (int color = 0; color < 2; color++) {
        for (int turn = 0; turn <= v->types; turn++) { /* the king first, as people write it */
            int type = turn == 0 ? v->royal : turn - 1;
            if (type < 0 || (turn > 0 && type == v->royal)) {
                continue;
            }
            for (int square = 0; square < v->squares && at < end; square++) {
                if (b->at[square] == kz_piece(type, color)) {
                    *at++ = (char)toupper((unsigned char)v->type[type].letter);
                }
            }
        }
        if (color == 0) {
            *at++ = 'v';
        }
    }
    *at = '\0';
}
