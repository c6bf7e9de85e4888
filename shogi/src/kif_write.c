/* SPDX-License-Identifier: MIT
 *
 * Games in KIF, in UTF-8. Scores are comments of the form that several programs read and write. */
#include "base/text_writer.h"
#include "shogi/src/game_write.h"
#include "shogi/src/kif_text.h"
#include "shogi/src/position.h"

static unsigned row_of(uint8_t code) { return kz_shogi_kind_of(code) + ((code & KZ_SHOGI_PROMOTED) != 0 ? 8 : 0); }

static void put_hand(kz_writer *writer, const kz_shogi_position *position, int side) {
    bool any = false;
    kz_put(writer, side == KZ_SHOGI_BLACK ? "先手の持駒：" : "後手の持駒：");
    for (int kind = KZ_SHOGI_HAND_KINDS - 1; kind >= 0; kind--) {
        int count = position->hand[side][kind];
        if (count > 0) {
            kz_put(writer, any ? "　" : "");
            kz_put(writer, kz_kif_piece_names[kind]);
            kz_put(writer, count >= 10 ? "十" : "");
            kz_put(writer, count > 1 ? kz_kif_numerals[count % 10] : "");
            any = true;
        }
    }
    kz_put(writer, any ? "\n" : "なし\n");
}

static void put_diagram(kz_writer *writer, const kz_shogi_position *position) {
    kz_put(writer, "手合割：その他\n");
    put_hand(writer, position, KZ_SHOGI_WHITE);
    kz_put(writer, "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for (int rank = 0; rank < 9; rank++) {
        kz_put_char(writer, '|');
        for (int file = 8; file >= 0; file--) {
            uint8_t code = position->board[kz_shogi_square(file, rank)];
            kz_put_char(writer, code != KZ_SHOGI_EMPTY && kz_shogi_side_of(code) == KZ_SHOGI_WHITE ? 'v' : ' ');
            kz_put(writer, code == KZ_SHOGI_EMPTY ? "・" : kz_kif_diagram_names[row_of(code)]);
        }
        kz_write(writer, "|%s\n", kz_kif_numerals[rank + 1]);
    }
    kz_put(writer, "+---------------------------+\n");
    put_hand(writer, position, KZ_SHOGI_BLACK);
    kz_put(writer, position->side == KZ_SHOGI_WHITE ? "後手番\n" : "");
}

static size_t write_start(const kz_shogi_position *position, bool again, char text[KZ_GAME_TEXT_BYTES]) {
    kz_writer writer = kz_writer_into(text, KZ_GAME_TEXT_BYTES);
    const kz_kif_handicap *handicap = kz_kif_handicap_of(position);
    kz_put(&writer, again ? "\n" : "");
    if (handicap) {
        kz_write(&writer, "手合割：%s\n", handicap->name);
    } else {
        put_diagram(&writer, position);
    }
    kz_put(&writer, "手数----指手---------消費時間--\n");
    return writer.length;
}

static size_t write_move(const kz_shogi_position *position, const kz_shogi_note *note, int number, int last_to,
                         char text[KZ_GAME_TEXT_BYTES]) {
    kz_writer writer = kz_writer_into(text, KZ_GAME_TEXT_BYTES);
    kz_shogi_move move = note->move;
    kz_write(&writer, "%4d ", number);
    if (move.to == last_to) {
        kz_put(&writer, "同　");
    } else {
        kz_put(&writer, kz_kif_digits[kz_shogi_file_of(move.to) + 1]);
        kz_put(&writer, kz_kif_numerals[kz_shogi_rank_of(move.to) + 1]);
    }
    if (move.from >= KZ_SHOGI_SQUARES) {
        kz_write(&writer, "%s打", kz_kif_piece_names[move.from - KZ_SHOGI_SQUARES]);
    } else {
        kz_write(&writer, "%s%s(%d%d)", kz_kif_piece_names[row_of(position->board[move.from])],
                 move.promotes ? "成" : "", kz_shogi_file_of(move.from) + 1, kz_shogi_rank_of(move.from) + 1);
    }
    kz_put(&writer, "   ( 0:00/00:00:00)\n");
    if ((note->has & KZ_SHOGI_HAS_SCORE) != 0) {
        kz_write(&writer, "**評価値=%d\n", kz_game_black_score(position, note));
    }
    return writer.length;
}

/* KIF has no word for a loss of the side that does not move, but of a foul. */
static const char *end_word(kz_shogi_side side, kz_shogi_outcome outcome, kz_game_ending *ending) {
    bool said = outcome.ending != 0;
    *ending = KZ_GAME_ENDING_KEPT;
    if (outcome.winner == KZ_SHOGI_OPEN) {
        return "中断";
    }
    if (outcome.winner == KZ_SHOGI_DRAWN) {
        return outcome.ending == KZ_SHOGI_BY_REPETITION ? "千日手"
               : outcome.ending == KZ_SHOGI_BY_LENGTH   ? "最大手数"
               : outcome.ending == KZ_SHOGI_BY_ENTERING ? "持将棋"
                                                        : "引き分け";
    }
    bool mover_won = (outcome.winner == KZ_SHOGI_BLACK_WON) == (side == KZ_SHOGI_BLACK);
    if (!mover_won) {
        *ending = said ? KZ_GAME_ENDING_LOST : KZ_GAME_ENDING_KEPT;
        return "投了";
    }
    if (outcome.ending == KZ_SHOGI_BY_ENTERING) {
        return "入玉勝ち";
    }
    *ending = said ? KZ_GAME_ENDING_LOST : KZ_GAME_ENDING_ASSUMED;
    return "反則勝ち";
}

static size_t write_end(kz_shogi_side side, kz_shogi_outcome outcome, int number, kz_game_ending *ending,
                        char text[KZ_GAME_TEXT_BYTES]) {
    kz_writer writer = kz_writer_into(text, KZ_GAME_TEXT_BYTES);
    kz_write(&writer, "%4d %s\n", number, end_word(side, outcome, ending));
    return writer.length;
}

const kz_game_style kz_kif_style = {write_start, write_move, write_end, true};
