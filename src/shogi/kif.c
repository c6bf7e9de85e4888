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
 * What is neither a move nor about the position is passed over. */
#include "base/error.h"
#include "base/sjis.h"
#include "base/text.h"
#include "shogi/game.h"
#include "shogi/piece_names.h"

#include <limits.h>
#include <string.h>

/* Promoted pieces of two characters come first, and "成" alone is not among them: it may follow any piece. */
static const kz_piece_name pieces[] = {{"成香", KZ_SHOGI_CODE_LANCE | KZ_SHOGI_PROMOTED},
                                       {"成桂", KZ_SHOGI_CODE_KNIGHT | KZ_SHOGI_PROMOTED},
                                       {"成銀", KZ_SHOGI_CODE_SILVER | KZ_SHOGI_PROMOTED},
                                       {"歩", KZ_SHOGI_CODE_PAWN},
                                       {"香", KZ_SHOGI_CODE_LANCE},
                                       {"桂", KZ_SHOGI_CODE_KNIGHT},
                                       {"銀", KZ_SHOGI_CODE_SILVER},
                                       {"金", KZ_SHOGI_CODE_GOLD},
                                       {"角", KZ_SHOGI_CODE_BISHOP},
                                       {"飛", KZ_SHOGI_CODE_ROOK},
                                       {"玉", KZ_SHOGI_CODE_KING},
                                       {"王", KZ_SHOGI_CODE_KING},
                                       {"と", KZ_SHOGI_CODE_PAWN | KZ_SHOGI_PROMOTED},
                                       {"杏", KZ_SHOGI_CODE_LANCE | KZ_SHOGI_PROMOTED},
                                       {"圭", KZ_SHOGI_CODE_KNIGHT | KZ_SHOGI_PROMOTED},
                                       {"全", KZ_SHOGI_CODE_SILVER | KZ_SHOGI_PROMOTED},
                                       {"馬", KZ_SHOGI_CODE_BISHOP | KZ_SHOGI_PROMOTED},
                                       {"龍", KZ_SHOGI_CODE_ROOK | KZ_SHOGI_PROMOTED},
                                       {"竜", KZ_SHOGI_CODE_ROOK | KZ_SHOGI_PROMOTED}};
enum { PIECES = sizeof pieces / sizeof *pieces };

/* What white plays without, as files and ranks; white begins unless that is nothing. Left and right are white's. */
typedef struct handicap {
    const char *name;
    const char *without;
} handicap;

static const handicap handicaps[] = {{"平手", ""},
                                     {"香落ち", "11"},
                                     {"右香落ち", "91"},
                                     {"角落ち", "22"},
                                     {"飛車落ち", "82"},
                                     {"飛香落ち", "8211"},
                                     {"二枚落ち", "8222"},
                                     {"三枚落ち", "822211"},
                                     {"四枚落ち", "82221191"},
                                     {"五枚落ち", "8222119181"},
                                     {"左五枚落ち", "8222119121"},
                                     {"六枚落ち", "822211918121"},
                                     {"左七枚落ち", "82221191812131"},
                                     {"右七枚落ち", "82221191812171"},
                                     {"八枚落ち", "8222119181213171"},
                                     {"十枚落ち", "82221191812131714161"},
                                     {"その他", NULL}};
enum { HANDICAPS = sizeof handicaps / sizeof *handicaps };

static const kz_shogi_end_word ends[] = {{"投了", KZ_SHOGI_MOVER_LOSES, 0},
                                         {"詰み", KZ_SHOGI_MOVER_LOSES, 0},
                                         {"切れ負け", KZ_SHOGI_MOVER_LOSES, 0},
                                         {"反則負け", KZ_SHOGI_MOVER_LOSES, 0},
                                         {"反則勝ち", KZ_SHOGI_MOVER_WINS, 0},
                                         {"入玉勝ち", KZ_SHOGI_MOVER_WINS, KZ_SHOGI_BY_ENTERING},
                                         {"入玉宣言", KZ_SHOGI_MOVER_WINS, KZ_SHOGI_BY_ENTERING},
                                         {"宣言勝ち", KZ_SHOGI_MOVER_WINS, KZ_SHOGI_BY_ENTERING},
                                         {"千日手", KZ_SHOGI_DRAW, KZ_SHOGI_BY_REPETITION},
                                         {"持将棋", KZ_SHOGI_DRAW, KZ_SHOGI_BY_ENTERING},
                                         {"最大手数", KZ_SHOGI_DRAW, KZ_SHOGI_BY_LENGTH},
                                         {"引き分け", KZ_SHOGI_DRAW, 0},
                                         {"引分", KZ_SHOGI_DRAW, 0},
                                         {"中断", KZ_SHOGI_UNDECIDED, 0},
                                         {"封じ手", KZ_SHOGI_UNDECIDED, 0},
                                         {"不詰", KZ_SHOGI_UNDECIDED, 0},
                                         {"待った", KZ_SHOGI_UNDECIDED, 0},
                                         {"不戦", KZ_SHOGI_UNDECIDED, 0},
                                         {"エラー", KZ_SHOGI_UNDECIDED, 0}};
enum { ENDS = sizeof ends / sizeof *ends };

typedef struct kif_reader {
    kz_lines lines;
    kz_error *error;
    kz_shogi_game game;
    bool sjis;
    bool ready; /* the position is complete: there was a move */
    bool known; /* a line was one of KIF */
    bool ki2;   /* a line was one of KI2's moves */
    bool csa;   /* a line was one of CSA */
    bool over;
    int last_to; /* the square that the last move went to, KZ_SHOGI_NO_SQUARE before the first */
    /* What was said about the position so far. */
    const handicap *handicap; /* NULL: one that is not known */
    int ranks;                /* of the diagram, which is being drawn in game.position */
    int side;                 /* the side to move, -1 if nothing was said */
    char line[1024];          /* a line of Shift_JIS in UTF-8 */
} kif_reader;

static kz_status bad(const kif_reader *kif, const char *why) {
    kz_fail(kif->error, KZ_ERR_INPUT, "line %zu: %s", kif->lines.number, why);
    return KZ_ERR_INPUT;
}

/* ---- Parts of lines ---------------------------------------------------------------------------------------------- */

static bool accept_piece(kz_span *text, uint8_t *code) { return kz_span_accept_piece(text, pieces, PIECES, code); }

/* A digit, wide or not, or a Chinese numeral: 1 to 9. 0 if there is none. */
static int accept_numeral(kz_span *text) {
    static const char *const forms[][3] = {{"１", "一", "1"}, {"２", "二", "2"}, {"３", "三", "3"},
                                           {"４", "四", "4"}, {"５", "五", "5"}, {"６", "六", "6"},
                                           {"７", "七", "7"}, {"８", "八", "8"}, {"９", "九", "9"}};
    for (int number = 1; number <= 9; number++) {
        for (int form = 0; form < 3; form++) {
            if (kz_span_accept(text, forms[number - 1][form])) {
                return number;
            }
        }
    }
    return 0;
}

static bool accept_square(kz_span *text, uint8_t *square) {
    int file = accept_numeral(text);
    int rank = file ? accept_numeral(text) : 0;
    *square = (uint8_t)((file - 1) * 9 + rank - 1);
    return rank > 0;
}

/* Blanks, wide ones included. */
static void skip_blanks(kz_span *text) {
    while (kz_span_accept(text, " ") || kz_span_accept(text, "　") || kz_span_accept(text, "\t")) {
    }
}

/* ---- The position ------------------------------------------------------------------------------------------------ */

/* The handicap may have wide blanks after it. */
static void read_handicap(kif_reader *kif, kz_span text) {
    kif->handicap = NULL;
    for (int i = 0; i < HANDICAPS && !kif->handicap; i++) {
        kz_span rest = text;
        skip_blanks(&rest);
        bool named = kz_span_accept(&rest, handicaps[i].name);
        skip_blanks(&rest);
        kif->handicap = named && rest.length == 0 ? &handicaps[i] : NULL;
    }
}

/* "|v香v桂 ・...|一": a rank of the diagram, from its top. */
static kz_status read_rank(kif_reader *kif, kz_span text) {
    if (kif->ranks == 9) {
        return bad(kif, "a diagram has 9 ranks");
    }
    for (int file = 9; file >= 1; file--) {
        uint8_t *square = &kif->game.position.board[(file - 1) * 9 + kif->ranks];
        bool white = kz_span_accept(&text, "v");
        if (!white && !kz_span_accept(&text, " ")) {
            return bad(kif, "expected 9 squares, each a blank or v and a piece or ・");
        }
        if (!white && kz_span_accept(&text, "・")) {
            *square = KZ_SHOGI_EMPTY;
        } else if (accept_piece(&text, square)) {
            *square = (uint8_t)(*square | (white ? KZ_SHOGI_WHITES : 0));
        } else {
            return bad(kif, "expected a piece in the diagram");
        }
    }
    kif->ranks++;
    return kz_span_accept(&text, "|") ? KZ_OK : bad(kif, "expected | after 9 squares");
}

/* "飛　歩十二": pieces in hand. */
static kz_status read_hand(kif_reader *kif, kz_shogi_side side, kz_span text) {
    skip_blanks(&text);
    if (kz_span_accept(&text, "なし")) {
        return KZ_OK;
    }
    while (text.length > 0) {
        uint8_t code;
        if (!accept_piece(&text, &code) || code == KZ_SHOGI_CODE_KING || code & KZ_SHOGI_PROMOTED) {
            return bad(kif, "expected pieces in hand, as in 飛　歩二, or なし");
        }
        int count = kz_span_accept(&text, "十") ? 10 : 0;
        count += accept_numeral(&text);
        count = count == 0 ? 1 : count;
        kz_shogi_kind kind = kz_shogi_code_kind(code);
        uint8_t *hand = &kif->game.position.hand[side][kind];
        if (*hand + count > kz_shogi_full_set(kind)) {
            return bad(kif, kz_shogi_defect_text(KZ_SHOGI_OVERFULL));
        }
        *hand = (uint8_t)(*hand + count);
        skip_blanks(&text);
    }
    return KZ_OK;
}

/* Lines before the first move. */
static kz_status read_header(kif_reader *kif, kz_span text) {
    static const struct {
        const char *player;
        kz_shogi_side side;
    } players[] = {
        {"先手", KZ_SHOGI_BLACK}, {"下手", KZ_SHOGI_BLACK}, {"後手", KZ_SHOGI_WHITE}, {"上手", KZ_SHOGI_WHITE}};
    if (kz_span_accept(&text, "手合割：")) {
        read_handicap(kif, text);
        return KZ_OK;
    }
    if (kz_span_accept(&text, "|")) {
        return read_rank(kif, text);
    }
    for (int i = 0; i < 4; i++) {
        if (kz_span_accept(&text, players[i].player)) {
            if (kz_span_accept(&text, "の持駒：") || kz_span_accept(&text, "の持ち駒：")) {
                return read_hand(kif, players[i].side, text);
            }
            if (kz_span_accept(&text, "番") && text.length == 0) {
                kif->side = (int)players[i].side;
            }
            return KZ_OK;
        }
    }
    return KZ_OK;
}

/* Puts together what was said about the position, before the first move. */
static kz_status complete_position(kif_reader *kif) {
    kz_shogi_position *position = &kif->game.position;
    const char *without = kif->handicap ? kif->handicap->without : NULL;
    if (kif->ranks == 0) {
        if (!without) {
            return bad(kif, kif->handicap ? "moves begin, and there is no diagram of the position"
                                          : "moves begin, the handicap (手合割) is not known, and there is no diagram");
        }
        kz_shogi_position start = kz_shogi_start();
        memcpy(position->board, start.board, sizeof position->board);
        for (const char *square = without; *square; square += 2) {
            position->board[(square[0] - '1') * 9 + (square[1] - '1')] = KZ_SHOGI_EMPTY;
        }
    } else if (kif->ranks < 9) {
        return bad(kif, "moves begin, and the diagram has fewer than 9 ranks");
    }
    bool white_begins = kif->side < 0 ? without && *without : kif->side == KZ_SHOGI_WHITE;
    position->side = white_begins ? KZ_SHOGI_WHITE : KZ_SHOGI_BLACK;
    kz_shogi_defect defect = kz_shogi_check(position);
    kif->ready = true;
    return defect == KZ_SHOGI_FINE ? KZ_OK : bad(kif, kz_shogi_defect_text(defect));
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

static kz_status read_move(kif_reader *kif, kz_span text) {
    kz_shogi_move move = {.special = KZ_SHOGI_MOVE};
    uint8_t code;
    if (kz_span_accept(&text, "同")) {
        skip_blanks(&text);
        if (kif->last_to == KZ_SHOGI_NO_SQUARE) {
            return bad(kif, "同 is no square before the first move");
        }
        move.to = (uint8_t)kif->last_to;
    } else if (!accept_square(&text, &move.to)) {
        return bad(kif, "expected a square, as in ７六, 同, or how the game ended");
    }
    if (!accept_piece(&text, &code)) {
        return bad(kif, "expected a piece after the square");
    }
    if (kz_span_accept(&text, "打")) {
        if (code == KZ_SHOGI_CODE_KING || code & KZ_SHOGI_PROMOTED) {
            return bad(kif, "kings and promoted pieces can't be dropped");
        }
        move.from = (uint8_t)(KZ_SHOGI_SQUARES + kz_shogi_code_kind(code));
    } else {
        move.promotes = kz_span_accept(&text, "成");
        if (!move.promotes) {
            kz_span_accept(&text, "不成");
        }
        if (!kz_span_accept(&text, "(") || !accept_square(&text, &move.from) || !kz_span_accept(&text, ")")) {
            return bad(kif, "expected 打, or the square that the piece comes from, as in (77)");
        }
        if ((kif->game.position.board[move.from] & ~KZ_SHOGI_WHITES) != code) {
            return bad(kif, "the piece that moves is not on its square");
        }
    }
    kif->last_to = move.to;
    kz_shogi_defect defect = kz_shogi_game_move(&kif->game, move);
    return defect == KZ_SHOGI_FINE ? KZ_OK : bad(kif, kz_shogi_defect_text(defect));
}

/* Moves are numbered. The first number may be any, because games are cut; then one follows the other, so that a line
 * that got lost is noticed. */
static kz_status read_numbered(kif_reader *kif, int number, kz_span text) {
    if (kif->over) {
        return bad(kif, "a move after the end of the game");
    }
    if (!kif->ready) {
        kz_status status = complete_position(kif);
        if (status != KZ_OK) {
            return status;
        }
        kif->game.ply = number;
    }
    if (number != kif->game.ply) {
        return bad(kif, "the numbers of the moves don't follow each other");
    }
    for (int i = 0; i < ENDS; i++) {
        if (kz_span_accept(&text, ends[i].word)) {
            kz_shogi_game_over(&kif->game, &ends[i]);
            kif->over = true;
            return KZ_OK;
        }
    }
    return read_move(kif, text);
}

/* Steps over "  12 " if the line begins so, and a move or an end may follow. */
static bool accept_number(kz_span *line, int *number) {
    kz_span text = *line;
    skip_blanks(&text);
    uint64_t read = 0;
    bool any = kz_span_digits(&text, INT_MAX, &read);
    *number = (int)read;
    size_t left = text.length;
    skip_blanks(&text);
    *line = text;
    return any && text.length > 0 && text.length < left;
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

/* Lines that are found in files of games, and what they tell about the format. */
static void recognise(kif_reader *kif, kz_span line) {
    static const char *const headers[] = {"手数", "手合割", "開始日時", "終了日時", "棋戦", "場所",
                                          "先手", "後手",   "下手",     "上手",     "|",    "まで"};
    static const char *const others[] = {"V2", "V3", "N+", "N-", "PI", "P1", "P+", "P-", "$EVENT", "+", "-"};
    kz_span moves = line;
    if (kz_span_accept(&moves, "▲") || kz_span_accept(&moves, "△") || kz_span_accept(&moves, "☗") ||
        kz_span_accept(&moves, "☖")) {
        kif->ki2 = true;
    }
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        kz_span rest = line;
        kif->known = kif->known || kz_span_accept(&rest, headers[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        kz_span rest = line;
        kif->csa = kif->csa || kz_span_accept(&rest, others[i]);
    }
}

/* A text without a single move may be a game that was never begun, or none at all. */
static kz_status check_format(const kif_reader *kif) {
    if (kif->ready || kif->over) {
        return KZ_OK;
    }
    if (kif->ki2) {
        return kz_fail(kif->error, KZ_ERR_INPUT, "this is no KIF: its moves are those of KI2 (▲７六歩)");
    }
    if (kif->known || kif->lines.number == 0) {
        return KZ_OK;
    }
    return kz_fail(kif->error, KZ_ERR_INPUT, "this is no KIF: %s",
                   kif->csa ? "its lines are those of CSA" : "none of its lines is known");
}

/* Programs write what an engine thinks into comments after the move, as black sees it: "*#評価値=123" (research),
 * "**評価値=123" and "** 123" (the player). The first one counts. */
static void read_comment(kif_reader *kif, kz_span text) {
    bool research = kz_span_accept(&text, "*#");
    bool player = !research && kz_span_accept(&text, "**");
    bool named = (research || player) && kz_span_accept(&text, "評価値=");
    if ((!named && !player) || (kif->game.note.has & KZ_SHOGI_HAS_SCORE) != 0) {
        return;
    }
    kz_span_skip_spaces(&text);
    bool negative = kz_span_accept(&text, "-");
    if (!negative) {
        kz_span_accept(&text, "+");
    }
    uint64_t score;
    if (kz_span_digits(&text, INT_MAX, &score) &&
        (text.length == 0 || kz_is_blank(text.text[0]) || text.text[0] == '.')) {
        kz_shogi_game_score(&kif->game, negative ? -(long)score : (long)score);
    }
}

static kz_status read_line(kif_reader *kif, kz_span line) {
    if (kif->sjis) {
        line = kz_span_end_trimmed(
            (kz_span){kif->line, kz_sjis_to_utf8(line.text, line.length, kif->line, sizeof kif->line)});
    }
    if (line.length == 0 || strchr("*#&", line.text[0])) {
        kif->known = kif->known || line.length > 0;
        read_comment(kif, line);
        return KZ_OK; /* comments and bookmarks */
    }
    kz_span rest = line;
    int number;
    if (accept_number(&rest, &number)) {
        return read_numbered(kif, number, rest);
    }
    recognise(kif, line);
    return kif->ready ? KZ_OK : read_header(kif, line);
}

/* Reads the game. The outcome, if known, is that of the first reading. */
static kz_status read_game(kif_reader *kif, kz_shogi_outcome outcome, kz_shogi_visit *visit, void *user) {
    kif->game = (kz_shogi_game){.outcome = outcome, .ply = 1, .visit = visit, .user = user};
    kif->ready = kif->over = false;
    kif->last_to = KZ_SHOGI_NO_SQUARE;
    kif->handicap = &handicaps[0];
    kif->ranks = 0;
    kif->side = -1;
    const char *variation = kif->sjis ? "\x95\xCF\x89\xBB" : "変化";
    kz_span line;
    while (!kif->game.stopped && kz_next_trimmed_line(&kif->lines, &line) && !kz_span_accept(&line, variation)) {
        kz_status status = read_line(kif, line);
        if (status != KZ_OK) {
            return status;
        }
    }
    kz_shogi_game_tell(&kif->game);
    return check_format(kif);
}

kz_status kz_shogi_read_kif(const char *text, size_t length, kz_shogi_visit *visit, void *user, kz_error *error) {
    kif_reader kif = {.lines = kz_lines_of(text, length, error), .error = error, .sjis = !kz_is_utf8(text, length)};
    kz_lines begin = kif.lines;
    kz_status status = read_game(&kif, (kz_shogi_outcome){.winner = KZ_SHOGI_OPEN}, NULL, NULL);
    if (status == KZ_OK) {
        kif.lines = begin;
        status = read_game(&kif, kif.game.outcome, visit, user);
    }
    return status;
}
