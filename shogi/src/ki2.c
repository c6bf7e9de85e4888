/* SPDX-License-Identifier: MIT
 *
 * Game files in KI2, the form that people read: several moves in a line, without the squares that pieces come from.
 *
 *     手合割：平手
 *     ▲７六歩    △３四歩    ▲２二角成  △同　銀
 *     ▲４八金直  △４五角打  ▲５八金右              which of two golds; a drop, if a piece on the board could go there
 *     まで87手で先手の勝ち
 *
 * Words for which one: 右 左 the one on the right or left, 直 straight ahead, 上 (行, 入) forwards, 寄 sideways,
 * 引 (下) backwards. Of bishops and rooks, promoted or not, 右 and 左 compare the two with each other; of others, with
 * the square that they go to. */
#include "base/error.h"
#include "shogi/src/attacks.h"
#include "shogi/src/kif_text.h"

#include <string.h>

enum { RIGHT = 1, LEFT = 2, STRAIGHT = 4, FORWARDS = 8, SIDEWAYS = 16, BACKWARDS = 32 };

/* The side whose move follows, 0 or 1; -1 if the text does not begin with a sign. */
static int accept_sign(kz_span *text) {
    static const char *const signs[2][3] = {{"▲", "☗", "▼"}, {"△", "☖", "▽"}};
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < 3; i++) {
            if (kz_span_accept(text, signs[side][i])) {
                return side;
            }
        }
    }
    return -1;
}

static unsigned accept_words(kz_span *text) {
    static const struct {
        const char *word;
        unsigned meaning;
    } words[] = {{"右", RIGHT},    {"左", LEFT},     {"直", STRAIGHT},  {"上", FORWARDS}, {"行", FORWARDS},
                 {"入", FORWARDS}, {"寄", SIDEWAYS}, {"引", BACKWARDS}, {"下", BACKWARDS}};
    unsigned all = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (kz_span_accept(text, words[i].word)) {
            all |= words[i].meaning;
            i = (size_t)-1; /* they come in any order */
        }
    }
    return all;
}

/* ---- Which piece ------------------------------------------------------------------------------------------------- */

/* Files to the left and ranks backwards from `to` to `from`, as the mover sees them. */
static int files_left(int from, int to, unsigned side) {
    int files = kz_shogi_file_of(from) - kz_shogi_file_of(to);
    return side == KZ_SHOGI_BLACK ? files : -files;
}

static int ranks_back(int from, int to, unsigned side) {
    int ranks = kz_shogi_rank_of(from) - kz_shogi_rank_of(to);
    return side == KZ_SHOGI_BLACK ? ranks : -ranks;
}

static bool fits(unsigned words, int from, int to, unsigned side, bool compares) {
    int files = files_left(from, to, side);
    int ranks = ranks_back(from, to, side);
    return ((words & STRAIGHT) == 0 || (files == 0 && ranks > 0)) && ((words & FORWARDS) == 0 || ranks > 0) &&
           ((words & SIDEWAYS) == 0 || ranks == 0) && ((words & BACKWARDS) == 0 || ranks < 0) &&
           (compares || (words & RIGHT) == 0 || files < 0) && (compares || (words & LEFT) == 0 || files > 0);
}

/* Of several pieces those that are farthest to one side. */
static kz_shogi_squares outermost(kz_shogi_squares pieces, int to, unsigned side, bool right) {
    kz_shogi_squares best = {{0, 0}};
    int least = 9;
    for (int from; (from = kz_shogi_take_lowest(&pieces)) != KZ_SHOGI_NO_SQUARE;) {
        int files = right ? files_left(from, to, side) : -files_left(from, to, side);
        if (files < least) {
            least = files;
            best = (kz_shogi_squares){{0, 0}};
        }
        if (files == least) {
            kz_shogi_add(&best, from);
        }
    }
    return best;
}

static int count_of(kz_shogi_squares set) { return (int)(kz_popcount64(set.words[0]) + kz_popcount64(set.words[1])); }

/* The pieces that a move may mean. */
static kz_shogi_squares pieces_for(const kz_shogi_position *position, uint8_t code, int to, unsigned words) {
    unsigned side = position->side;
    unsigned kind = kz_shogi_kind_of(code);
    bool compares = kind == KZ_SHOGI_BISHOP || kind == KZ_SHOGI_ROOK;
    uint8_t own = (uint8_t)(code | (side == KZ_SHOGI_WHITE ? KZ_SHOGI_WHITES : 0));
    kz_shogi_squares found = {{0, 0}};
    for (int from = 0; from < KZ_SHOGI_SQUARES; from++) {
        if (position->board[from] == own && fits(words, from, to, side, compares)) {
            kz_shogi_squares targets = kz_shogi_targets(position->board, from);
            if (kz_shogi_has(&targets, to)) {
                kz_shogi_add(&found, from);
            }
        }
    }
    if (compares && (words & (RIGHT | LEFT)) != 0) {
        found = outermost(found, to, side, (words & RIGHT) != 0);
    }
    return found;
}

/* Leaves the pieces that don't give away the king. */
static kz_shogi_squares legal_ones(const kz_shogi_position *position, kz_shogi_squares pieces, kz_shogi_move move) {
    kz_shogi_squares legal = {{0, 0}};
    for (int from; (from = kz_shogi_take_lowest(&pieces)) != KZ_SHOGI_NO_SQUARE;) {
        move.from = (uint8_t)from;
        if (kz_shogi_check_move(position, move) == KZ_SHOGI_FINE) {
            kz_shogi_add(&legal, from);
        }
    }
    return legal;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

static kz_status read_move(kz_kif_reader *kif, kz_span *text) {
    const kz_shogi_position *position = &kif->game.position;
    kz_shogi_move move = {.special = KZ_SHOGI_MOVE};
    uint8_t code;
    kz_kif_square to;
    bool same = kz_span_accept(text, KZ_KIF_SAME);
    if (same && kif->last_to == KZ_SHOGI_NO_SQUARE) {
        return kz_kif_bad(kif, "同 is no square before the first move");
    }
    if (same) {
        move.to = (uint8_t)kif->last_to;
        kz_kif_skip_blanks(text);
    } else if (kz_kif_accept_square(text, kz_kif_board, &to)) {
        move.to = kz_kif_square_code(to);
    } else {
        return kz_kif_bad(kif, "expected a square, as in ▲７六歩, 同, or how the game ended");
    }
    if (!kz_kif_accept_piece(text, &code)) {
        return kz_kif_bad(kif, "expected a piece after the square");
    }
    unsigned words = accept_words(text);
    bool drops = kz_span_accept(text, "打");
    move.promotes = !drops && kz_span_accept(text, "成");
    if (!drops && !move.promotes && !kz_span_accept(text, "不成")) {
        (void)kz_span_accept(text, "生");
    }
    unsigned kind = kz_shogi_kind_of(code);
    bool may_drop = kind != KZ_SHOGI_KING && (code & KZ_SHOGI_PROMOTED) == 0 && !move.promotes && words == 0;
    kz_shogi_squares pieces = {{0, 0}};
    if (!drops) {
        pieces = pieces_for(position, code, move.to, words);
    }
    if (count_of(pieces) > 1) {
        pieces = legal_ones(position, pieces, move);
    }
    if (count_of(pieces) > 1) {
        return kz_kif_bad(kif, "more than one piece could make this move");
    }
    if (count_of(pieces) == 1) {
        move.from = (uint8_t)kz_shogi_take_lowest(&pieces);
    } else if (may_drop && position->hand[position->side][kind] > 0) {
        move.from = (uint8_t)(KZ_SHOGI_SQUARES + kind);
    } else {
        return kz_kif_bad(kif, drops ? "there is no such piece in hand" : "no piece can make this move");
    }
    kif->last_to = move.to;
    kz_shogi_defect defect = kz_shogi_game_move(&kif->game, move);
    return defect == KZ_SHOGI_FINE ? KZ_OK : kz_kif_bad(kif, kz_shogi_defect_text(defect));
}

static kz_status read_signed(kz_kif_reader *kif, int side, kz_span *text) {
    bool first;
    KZ_TRY(kz_kif_before_move(kif, &first));
    if (side != kif->game.position.side) {
        return kz_kif_bad(kif, "it is the other side's turn");
    }
    return kz_kif_take_end(kif, text) ? KZ_OK : read_move(kif, text);
}

/* ---- The end ----------------------------------------------------------------------------------------------------- */

static bool contains(kz_span text, const char *word) { return memmem(text.text, text.length, word, strlen(word)); }

/* "まで87手で先手の勝ち", "まで120手で千日手", "まで30手で後手の反則負け". */
static void read_end(kz_kif_reader *kif, kz_span line) {
    kz_shogi_end_word end = {line.text, KZ_SHOGI_UNDECIDED, 0};
    bool black = contains(line, "先手") || contains(line, "下手");
    bool white = contains(line, "後手") || contains(line, "上手");
    if (contains(line, "千日手")) {
        end = (kz_shogi_end_word){line.text, KZ_SHOGI_DRAW, KZ_SHOGI_BY_REPETITION};
    } else if (contains(line, "持将棋")) {
        end = (kz_shogi_end_word){line.text, KZ_SHOGI_DRAW, KZ_SHOGI_BY_ENTERING};
    } else if (contains(line, "最大手数")) {
        end = (kz_shogi_end_word){line.text, KZ_SHOGI_DRAW, KZ_SHOGI_BY_LENGTH};
    } else if (contains(line, "引き分け") || contains(line, "引分")) {
        end.verdict = KZ_SHOGI_DRAW;
    } else if (black != white && (contains(line, "勝") || contains(line, "負"))) {
        bool black_loses = contains(line, "負") == black;
        end.verdict = black_loses ? KZ_SHOGI_BLACK_LOSES : KZ_SHOGI_WHITE_LOSES;
        end.ending = contains(line, "入玉") || contains(line, "宣言") ? KZ_SHOGI_BY_ENTERING : 0;
    }
    kz_shogi_game_over(&kif->game, &end);
    kif->over = true;
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static bool is_kif_move(kz_span line) {
    uint64_t number;
    kz_kif_skip_blanks(&line);
    if (!kz_span_digits(&line, 100000, &number)) {
        return false;
    }
    kz_kif_square square;
    kz_kif_skip_blanks(&line);
    return kz_span_accept(&line, KZ_KIF_SAME) || kz_kif_accept_square(&line, kz_kif_board, &square);
}

static kz_status read_line(kz_kif_reader *kif, kz_span line) {
    kif->said = kif->said || line.length > 0;
    if (line.length == 0 || strchr("*#&", line.text[0])) {
        kz_kif_comment(kif, line);
        return KZ_OK; /* comments and bookmarks */
    }
    kz_kif_recognise(kif, line);
    kif->ki2 = false; /* what it means for KIF */
    kif->kif = kif->kif || is_kif_move(line);
    kz_span rest = line;
    kz_kif_skip_blanks(&rest);
    kz_span moves = rest;
    if (accept_sign(&moves) < 0) {
        if (kif->ready && !kif->over && kz_span_begins(line, "まで")) {
            read_end(kif, line);
        }
        return kif->ready ? KZ_OK : kz_kif_header(kif, line);
    }
    kz_status status = KZ_OK;
    while (status == KZ_OK && rest.length > 0) {
        int side = accept_sign(&rest);
        if (side < 0) {
            return kz_kif_bad(kif, "expected ▲ or △ before a move");
        }
        status = read_signed(kif, side, &rest);
        kz_kif_skip_blanks(&rest);
    }
    return status;
}

static uint64_t count_moves(kz_span line) {
    uint64_t moves = 0;
    while (line.length > 0) {
        if (accept_sign(&line) >= 0) {
            moves++;
        } else {
            line = kz_span_from(line, 1);
        }
    }
    return moves;
}

kz_status kz_shogi_next_ki2(kz_lines *lines, kz_shogi_visit *visit, void *user, bool *stopped, uint64_t *lost,
                            kz_error *error) {
    return kz_kif_next_game(lines, "KI2", read_line, count_moves, visit, user, stopped, lost, error);
}

kz_status kz_shogi_read_ki2(const char *text, size_t length, kz_shogi_visit *visit, void *user, kz_error *error) {
    return kz_shogi_read_games(text, length, kz_shogi_next_ki2, visit, user, error);
}
