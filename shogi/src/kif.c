/* SPDX-License-Identifier: MIT
 *
 * Game files in KIF, the format of Kifu for Windows, in UTF-8 or Shift_JIS. This is what they look like:
 *
 *     手合割：平手                                   the handicap, or a diagram of the board
 *     手数----指手---------消費時間--
 *        1 ７六歩(77)   ( 0:01/00:00:01)            to, piece, from
 *        2 ３四歩(33)   ( 0:02/00:00:02)
 *        3 ２二角成(88) ( 0:05/00:00:06)            it promotes
 *        4 同　銀(31)   ( 0:03/00:00:05)            to the same square
 *        5 ５五角打     ( 0:09/00:00:15)            a drop
 *        6 投了
 *     *#評価値=108                                   what an engine thinks of the position before the last move
 *     変化：4手                                      variations follow; they are not read
 *
 * Several games in a file: each begins with a line before its moves. */
#include "base/error.h"
#include "shogi/src/kif_text.h"

#include <limits.h>
#include <string.h>

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

static int accept_piece(const void *user, kz_span *text) {
    uint8_t code;
    (void)user;
    return kz_kif_accept_piece(text, &code) ? code : -1;
}

static kz_status read_move(kz_kif_reader *kif, kz_span text) {
    kz_kif_move read;
    kz_kif_fault fault = kz_kif_read_move(&text, kz_kif_board, accept_piece, NULL, &read);
    if (read.same && kif->last_to == KZ_SHOGI_NO_SQUARE) {
        return kz_kif_bad(kif, "同 is no square before the first move");
    }
    if (fault == KZ_KIF_NO_SQUARE) {
        return kz_kif_bad(kif, "expected a square, as in ７六, 同, or how the game ended");
    }
    if (fault == KZ_KIF_NO_PIECE) {
        return kz_kif_bad(kif, "expected a piece after the square");
    }
    if (fault == KZ_KIF_NO_ORIGIN) {
        return kz_kif_bad(kif, "expected 打, or the square that the piece comes from, as in (77)");
    }
    uint8_t code = (uint8_t)read.piece;
    kz_shogi_move move = {.special = KZ_SHOGI_MOVE,
                          .to = read.same ? (uint8_t)kif->last_to : kz_kif_square_code(read.to),
                          .promotes = read.promotes};
    if (read.drops) {
        if (code == KZ_SHOGI_CODE_KING || code & KZ_SHOGI_PROMOTED) {
            return kz_kif_bad(kif, "kings and promoted pieces can't be dropped");
        }
        move.from = (uint8_t)(KZ_SHOGI_SQUARES + kz_shogi_code_kind(code));
    } else {
        move.from = kz_kif_square_code(read.from);
        if ((kif->game.position.board[move.from] & ~KZ_SHOGI_WHITES) != code) {
            return kz_kif_bad(kif, "the piece that moves is not on its square");
        }
    }
    kif->last_to = move.to;
    kz_shogi_defect defect = kz_shogi_game_move(&kif->game, move);
    return defect == KZ_SHOGI_FINE ? KZ_OK : kz_kif_bad(kif, kz_shogi_defect_text(defect));
}

/* Moves are numbered. The first number may be any, because games are cut; then one follows the other, so that a line
 * that got lost is noticed. */
static kz_status read_numbered(kz_kif_reader *kif, int number, kz_span text) {
    bool first;
    KZ_TRY(kz_kif_before_move(kif, &first));
    if (first) {
        kif->game.ply = number;
    }
    if (number != kif->game.ply) {
        return kz_kif_bad(kif, "the numbers of the moves don't follow each other");
    }
    return kz_kif_take_end(kif, &text) ? KZ_OK : read_move(kif, text);
}

/* Steps over "  12 " if the line begins so, and a move or an end may follow. */
static bool accept_number(kz_span *line, int *number) {
    kz_span text = *line;
    kz_kif_skip_blanks(&text);
    uint64_t read = 0;
    bool any = kz_span_digits(&text, INT_MAX, &read);
    *number = (int)read;
    size_t left = text.length;
    kz_kif_skip_blanks(&text);
    *line = text;
    return any && text.length > 0 && text.length < left;
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static kz_status read_line(kz_kif_reader *kif, kz_span line) {
    kif->said = kif->said || line.length > 0;
    if (line.length == 0 || strchr("*#&", line.text[0])) {
        kz_kif_comment(kif, line);
        return KZ_OK; /* comments and bookmarks */
    }
    kz_span rest = line;
    int number;
    if (accept_number(&rest, &number)) {
        return read_numbered(kif, number, rest);
    }
    kz_kif_recognise(kif, line);
    return kif->ready ? KZ_OK : kz_kif_header(kif, line);
}

static uint64_t count_moves(kz_span line) {
    int number;
    return accept_number(&line, &number) && !kz_kif_accept_end(&line);
}

kz_status kz_shogi_next_kif(kz_lines *lines, kz_shogi_visit *visit, void *user, bool *stopped, uint64_t *lost,
                            kz_error *error) {
    return kz_kif_next_game(lines, "KIF", read_line, count_moves, visit, user, stopped, lost, error);
}

kz_status kz_shogi_read_kif(const char *text, size_t length, kz_shogi_visit *visit, void *user, kz_error *error) {
    return kz_shogi_read_games(text, length, kz_shogi_next_kif, visit, user, error);
}
