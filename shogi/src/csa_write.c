/* SPDX-License-Identifier: MIT
 *
 * Games in the CSA standard, version 2.2. Scores are comments, as Floodgate writes them. */
#include "base/text_writer.h"
#include "shogi/src/game_write.h"
#include "shogi/src/position.h"

#include <string.h>

/* By kind, and by kind + 8 for promoted ones. */
static const char *const names[16] = {"FU", "KY", "KE", "GI", "KI", "KA", "HI", "OU",
                                      "TO", "NY", "NK", "NG", "KI", "UM", "RY", "OU"};

static const char *name_of(uint8_t code) {
    return names[kz_shogi_kind_of(code) + ((code & KZ_SHOGI_PROMOTED) != 0 ? 8 : 0)];
}

static void put_square(kz_writer *writer, int square) {
    kz_put_number(writer, kz_shogi_file_of(square) + 1);
    kz_put_number(writer, kz_shogi_rank_of(square) + 1);
}

static void put_board(kz_writer *writer, const kz_shogi_position *position) {
    for (int rank = 0; rank < 9; rank++) {
        kz_write(writer, "P%d", rank + 1);
        for (int file = 8; file >= 0; file--) {
            uint8_t code = position->board[kz_shogi_square(file, rank)];
            if (code == KZ_SHOGI_EMPTY) {
                kz_put(writer, " * ");
            } else {
                kz_put_char(writer, kz_shogi_side_of(code) == KZ_SHOGI_BLACK ? '+' : '-');
                kz_put(writer, name_of(code));
            }
        }
        kz_put_char(writer, '\n');
    }
}

static void put_hand(kz_writer *writer, const kz_shogi_position *position, int side) {
    bool any = false;
    for (int kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        for (int i = 0; i < position->hand[side][kind]; i++) {
            kz_put(writer, any ? "00" : side == KZ_SHOGI_BLACK ? "P+00" : "P-00");
            kz_put(writer, names[kind]);
            any = true;
        }
    }
    kz_put(writer, any ? "\n" : "");
}

static size_t write_start(const kz_shogi_position *position, bool again, char text[KZ_GAME_TEXT_BYTES]) {
    kz_writer writer = kz_writer_into(text, KZ_GAME_TEXT_BYTES);
    kz_shogi_position start = kz_shogi_start();
    kz_put(&writer, again ? "/\nV2.2\n" : "V2.2\n");
    if (memcmp(&start, position, sizeof start) == 0) {
        kz_put(&writer, "PI\n");
    } else {
        put_board(&writer, position);
        put_hand(&writer, position, KZ_SHOGI_BLACK);
        put_hand(&writer, position, KZ_SHOGI_WHITE);
    }
    kz_put(&writer, position->side == KZ_SHOGI_BLACK ? "+\n" : "-\n");
    return writer.length;
}

static size_t write_move(const kz_shogi_position *position, const kz_shogi_note *note, int number, int last_to,
                         char text[KZ_GAME_TEXT_BYTES]) {
    (void)number;
    (void)last_to;
    kz_writer writer = kz_writer_into(text, KZ_GAME_TEXT_BYTES);
    kz_shogi_move move = note->move;
    kz_put_char(&writer, position->side == KZ_SHOGI_BLACK ? '+' : '-');
    if (move.from >= KZ_SHOGI_SQUARES) {
        kz_put(&writer, "00");
        put_square(&writer, move.to);
        kz_put(&writer, names[move.from - KZ_SHOGI_SQUARES]);
    } else {
        uint8_t code = position->board[move.from];
        put_square(&writer, move.from);
        put_square(&writer, move.to);
        kz_put(&writer, name_of((uint8_t)(code | (move.promotes ? KZ_SHOGI_PROMOTED : 0))));
    }
    kz_put_char(&writer, '\n');
    if ((note->has & KZ_SHOGI_HAS_SCORE) != 0) {
        kz_write(&writer, "'** %d\n", kz_game_black_score(position, note));
    }
    return writer.length;
}

/* %HIKIWAKE is a draw by entering kings, too: CSA has no word for a draw without a reason, and none for a loss of the
 * side that does not move, but of an illegal action. */
static const char *end_word(kz_shogi_side side, kz_shogi_outcome outcome, kz_game_ending *ending) {
    bool said = outcome.ending != 0;
    *ending = KZ_GAME_ENDING_KEPT;
    if (outcome.winner == KZ_SHOGI_OPEN) {
        return "%CHUDAN";
    }
    if (outcome.winner == KZ_SHOGI_DRAWN) {
        *ending = said ? KZ_GAME_ENDING_KEPT : KZ_GAME_ENDING_ASSUMED;
        return outcome.ending == KZ_SHOGI_BY_REPETITION ? "%SENNICHITE"
               : outcome.ending == KZ_SHOGI_BY_LENGTH   ? "%MAX_MOVES"
               : outcome.ending == KZ_SHOGI_BY_ENTERING ? "%JISHOGI"
                                                        : "%HIKIWAKE";
    }
    bool mover_won = (outcome.winner == KZ_SHOGI_BLACK_WON) == (side == KZ_SHOGI_BLACK);
    if (!mover_won) {
        *ending = said ? KZ_GAME_ENDING_LOST : KZ_GAME_ENDING_KEPT;
        return "%TORYO";
    }
    if (outcome.ending == KZ_SHOGI_BY_ENTERING) {
        return "%KACHI";
    }
    *ending = said ? KZ_GAME_ENDING_LOST : KZ_GAME_ENDING_ASSUMED;
    return side == KZ_SHOGI_BLACK ? "%-ILLEGAL_ACTION" : "%+ILLEGAL_ACTION";
}

static size_t write_end(kz_shogi_side side, kz_shogi_outcome outcome, int number, kz_game_ending *ending,
                        char text[KZ_GAME_TEXT_BYTES]) {
    (void)number;
    kz_writer writer = kz_writer_into(text, KZ_GAME_TEXT_BYTES);
    kz_write(&writer, "%s\n", end_word(side, outcome, ending));
    return writer.length;
}

const kz_game_style kz_csa_style = {write_start, write_move, write_end, false};
