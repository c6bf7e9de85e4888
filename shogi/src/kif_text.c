/* SPDX-License-Identifier: MIT */
#include "shogi/src/kif_text.h"

#include "base/encoding.h"
#include "base/error.h"
#include "shogi/src/game.h"
#include "shogi/src/position.h"

#include <limits.h>
#include <string.h>

const char *const kz_kif_piece_names[16] = {"歩", "香",   "桂",   "銀",   "金", "角", "飛", "玉",
                                            "と", "成香", "成桂", "成銀", "金", "馬", "龍", "玉"};
const char *const kz_kif_diagram_names[16] = {"歩", "香", "桂", "銀", "金", "角", "飛", "玉",
                                              "と", "杏", "圭", "全", "金", "馬", "龍", "玉"};
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
static const kz_kif_handicap handicaps[] = {{"平手", ""},
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

kz_status kz_kif_bad(const kz_kif_reader *kif, const char *why) {
    kz_fail(kif->error, KZ_ERR_INPUT, "line %zu: %s", kif->lines.number, why);
    return KZ_ERR_INPUT;
}

/* ---- Parts of lines ---------------------------------------------------------------------------------------------- */

bool kz_kif_accept_piece(kz_span *text, uint8_t *code) { return kz_span_accept_piece(text, pieces, PIECES, code); }

const kz_kif_square kz_kif_board = {.file = 9, .rank = 9};

uint8_t kz_kif_square_code(kz_kif_square square) { return (uint8_t)((square.file - 1) * 9 + square.rank - 1); }

/* ---- The position ------------------------------------------------------------------------------------------------ */

/* The handicap may have wide blanks after it. */
static void read_handicap(kz_kif_reader *kif, kz_span text) {
    kif->handicap = NULL;
    for (int i = 0; i < HANDICAPS && !kif->handicap; i++) {
        kz_span rest = text;
        kz_kif_skip_blanks(&rest);
        bool named = kz_span_accept(&rest, handicaps[i].name);
        kz_kif_skip_blanks(&rest);
        kif->handicap = named && rest.length == 0 ? &handicaps[i] : NULL;
    }
}

/* "|v香v桂 ・...|一": a rank of the diagram, from its top. */
static kz_status read_rank(kz_kif_reader *kif, kz_span text) {
    if (kif->ranks == 9) {
        return kz_kif_bad(kif, "a diagram has 9 ranks");
    }
    for (int file = 9; file >= 1; file--) {
        uint8_t *square = &kif->game.position.board[(file - 1) * 9 + kif->ranks];
        bool white = kz_span_accept(&text, "v");
        if (!white && !kz_span_accept(&text, " ")) {
            return kz_kif_bad(kif, "expected 9 squares, each a blank or v and a piece or ・");
        }
        if (!white && kz_span_accept(&text, "・")) {
            *square = KZ_SHOGI_EMPTY;
        } else if (kz_kif_accept_piece(&text, square)) {
            *square = (uint8_t)(*square | (white ? KZ_SHOGI_WHITES : 0));
        } else {
            return kz_kif_bad(kif, "expected a piece in the diagram");
        }
    }
    kif->ranks++;
    return kz_span_accept(&text, "|") ? KZ_OK : kz_kif_bad(kif, "expected | after 9 squares");
}

/* "飛　歩十二": pieces in hand. */
static kz_status read_hand(kz_kif_reader *kif, kz_shogi_side side, kz_span text) {
    kz_kif_skip_blanks(&text);
    if (kz_span_accept(&text, "なし")) {
        return KZ_OK;
    }
    while (text.length > 0) {
        uint8_t code;
        if (!kz_kif_accept_piece(&text, &code) || code == KZ_SHOGI_CODE_KING || code & KZ_SHOGI_PROMOTED) {
            return kz_kif_bad(kif, "expected pieces in hand, as in 飛　歩二, or なし");
        }
        int count = kz_span_accept(&text, "十") ? 10 : 0;
        count += kz_kif_accept_numeral(&text, 9);
        count = count == 0 ? 1 : count;
        kz_shogi_kind kind = kz_shogi_code_kind(code);
        uint8_t *hand = &kif->game.position.hand[side][kind];
        if (*hand + count > kz_shogi_full_set(kind)) {
            return kz_kif_bad(kif, kz_shogi_defect_text(KZ_SHOGI_OVERFULL));
        }
        *hand = (uint8_t)(*hand + count);
        kz_kif_skip_blanks(&text);
    }
    return KZ_OK;
}

/* Lines before the first move. */
kz_status kz_kif_header(kz_kif_reader *kif, kz_span text) {
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
static kz_status complete(kz_kif_reader *kif) {
    kz_shogi_position *position = &kif->game.position;
    const char *without = kif->handicap ? kif->handicap->without : NULL;
    if (kif->ranks == 0) {
        if (!without) {
            return kz_kif_bad(kif, kif->handicap
                                       ? "moves begin, and there is no diagram of the position"
                                       : "moves begin, the handicap (手合割) is not known, and there is no diagram");
        }
        kz_shogi_position start = kz_shogi_start();
        memcpy(position->board, start.board, sizeof position->board);
        for (const char *square = without; *square; square += 2) {
            position->board[(square[0] - '1') * 9 + (square[1] - '1')] = KZ_SHOGI_EMPTY;
        }
    } else if (kif->ranks < 9) {
        return kz_kif_bad(kif, "moves begin, and the diagram has fewer than 9 ranks");
    }
    bool white_begins = kif->side < 0 ? without && *without : kif->side == KZ_SHOGI_WHITE;
    position->side = white_begins ? KZ_SHOGI_WHITE : KZ_SHOGI_BLACK;
    kz_shogi_defect defect = kz_shogi_check(position);
    kif->ready = true;
    return defect == KZ_SHOGI_FINE ? KZ_OK : kz_kif_bad(kif, kz_shogi_defect_text(defect));
}

kz_status kz_kif_before_move(kz_kif_reader *kif, bool *first) {
    *first = !kif->ready;
    if (kif->over) {
        return kz_kif_bad(kif, "a move after the end of the game");
    }
    return *first ? complete(kif) : KZ_OK;
}

bool kz_kif_take_end(kz_kif_reader *kif, kz_span *text) {
    const kz_shogi_end_word *end = kz_kif_accept_end(text);
    if (end) {
        kz_shogi_game_over(&kif->game, end);
        kif->over = true;
    }
    return end;
}

/* The position that a handicap begins with. */
static kz_shogi_position handicap_start(const kz_kif_handicap *handicap) {
    kz_shogi_position start = kz_shogi_start();
    for (const char *square = handicap->without; *square; square += 2) {
        start.board[(square[0] - '1') * 9 + (square[1] - '1')] = KZ_SHOGI_EMPTY;
    }
    start.side = *handicap->without ? KZ_SHOGI_WHITE : KZ_SHOGI_BLACK;
    return start;
}

const kz_kif_handicap *kz_kif_handicap_of(const kz_shogi_position *position) {
    for (int i = 0; i < HANDICAPS; i++) {
        if (handicaps[i].without) {
            kz_shogi_position start = handicap_start(&handicaps[i]);
            if (memcmp(&start, position, sizeof start) == 0) {
                return &handicaps[i];
            }
        }
    }
    return NULL;
}

const kz_shogi_end_word *kz_kif_accept_end(kz_span *text) {
    for (int i = 0; i < ENDS; i++) {
        if (kz_span_accept(text, ends[i].word)) {
            return &ends[i];
        }
    }
    return NULL;
}

/* ---- Comments ---------------------------------------------------------------------------------------------------- */

/* Programs write what an engine thinks into comments after the move, as black sees it: "*#評価値=123" (research),
 * "**評価値=123" and "** 123" (the player). The first one counts. */
void kz_kif_comment(kz_kif_reader *kif, kz_span text) {
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

/* ---- Files ------------------------------------------------------------------------------------------------------- */

/* What stands before moves and is not known: facts as in "持ち時間：6時間", "手数＝0", and what frames a diagram. */
static bool may_be_header(kz_span line) {
    static const char *const signs[] = {"：", ":", "＝", "="};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (memmem(line.text, line.length, signs[i], strlen(signs[i]))) {
            return true;
        }
    }
    if (kz_span_accept(&line, "+---")) {
        return true;
    }
    kz_kif_skip_blanks(&line); /* "  ９ ８ ７ ６ ..." */
    bool nine = kz_span_accept(&line, "９");
    kz_kif_skip_blanks(&line);
    return nine && kz_span_accept(&line, "８");
}

/* Lines that are found in files of games, and what they tell about the format. */
void kz_kif_recognise(kz_kif_reader *kif, kz_span line) {
    static const char *const headers[] = {"手数", "手合割", "開始日時", "終了日時", "棋戦", "場所",
                                          "先手", "後手",   "下手",     "上手",     "|",    "まで"};
    static const char *const others[] = {"V2", "V3", "N+", "N-", "PI", "P1", "P+", "P-", "$EVENT", "+", "-"};
    bool known = false;
    bool csa = false;
    kz_span moves = line;
    if (kz_span_accept(&moves, "▲") || kz_span_accept(&moves, "△") || kz_span_accept(&moves, "☗") ||
        kz_span_accept(&moves, "☖")) {
        kif->ki2 = true;
    }
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        kz_span rest = line;
        known = known || kz_span_accept(&rest, headers[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        kz_span rest = line;
        csa = csa || kz_span_accept(&rest, others[i]);
    }
    kif->known = kif->known || known;
    kif->csa = kif->csa || csa;
    if (kif->strange == 0 && !known && !may_be_header(line)) {
        kif->strange = kif->lines.number;
    }
}

/* A text without a single move may be a game that was never begun, or none at all. */
static kz_status check_format(const kz_kif_reader *kif) {
    if (kif->ready || kif->over) {
        return KZ_OK;
    }
    if (kif->ki2) {
        return kz_fail(kif->error, KZ_ERR_INPUT, "this is no KIF: its moves are those of KI2 (▲７六歩)");
    }
    if (kif->kif) {
        return kz_fail(kif->error, KZ_ERR_INPUT, "this is no KI2: its moves are those of KIF (1 ７六歩(77))");
    }
    if (kif->known && kif->strange != 0) {
        return kz_fail(kif->error, KZ_ERR_INPUT, "there is no move in it, and line %zu is not known", kif->strange);
    }
    /* After a game may come a rest without one, comments for instance; but that can't be all. */
    if (kif->known || !kif->said || (!kif->first && kif->strange == 0)) {
        return KZ_OK;
    }
    return kz_fail(kif->error, KZ_ERR_INPUT, "this is no %s: %s", kif->name,
                   kif->csa ? "its lines are those of CSA" : "none of its lines is known");
}

/* A line that stands before the moves of a game. */
static bool begins_game(kz_span line) {
    static const char *const words[] = {"手合割", "開始日時", "#KIF", "# ----"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (kz_span_begins(line, words[i])) {
            return true;
        }
    }
    return false;
}

static bool is_ascii(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] >= 0x80) {
            return false;
        }
    }
    return true;
}

/* The first bytes of a character of three or four. */
static bool is_cut_character(const char *text, size_t length) {
    bool first = (unsigned char)text[0] >= 0xE0 && (unsigned char)text[0] < 0xF5;
    bool second = length < 2 || ((unsigned char)text[1] & 0xC0) == 0x80;
    bool third = length < 3 || ((unsigned char)text[2] & 0xC0) == 0x80;
    return first && second && third && length <= 3;
}

/* The next line, in UTF-8. What is not UTF-8 is Shift_JIS, unless only its last character was cut off. That is decided
 * for each line: files are put one after the other, and one bad byte should not make all other lines unreadable. */
static bool next_line(kz_kif_reader *kif, kz_span *line) {
    if (!kz_next_trimmed_line(&kif->lines, line)) {
        return false;
    }
    (void)kz_span_accept(line, "\xEF\xBB\xBF");
    size_t length = kz_utf8_prefix(line->text, line->length);
    if (length == line->length) {
        return true;
    }
    bool cut = !is_ascii(line->text, length) && is_cut_character(line->text + length, line->length - length);
    *line = cut ? kz_span_end_trimmed((kz_span){line->text, length})
                : kz_span_end_trimmed(
                      (kz_span){kif->line, kz_sjis_to_utf8(line->text, line->length, kif->line, sizeof kif->line)});
    return true;
}

/* Reads a game up to the next one. The outcome, if known, is that of the first reading. */
static kz_status read_game(kz_kif_reader *kif, kz_shogi_outcome outcome, kz_kif_read_line *read_line,
                           kz_shogi_visit *visit, void *user) {
    kif->game = (kz_shogi_game){.outcome = outcome, .ply = 1, .visit = visit, .user = user};
    kif->ready = kif->over = false;
    kif->last_to = KZ_SHOGI_NO_SQUARE;
    kif->handicap = &handicaps[0];
    kif->ranks = 0;
    kif->side = -1;
    bool varies = false;
    for (;;) {
        kz_lines before = kif->lines;
        kz_span line;
        if (kif->game.stopped || !next_line(kif, &line)) {
            break;
        }
        if ((kif->ready || kif->over) && begins_game(line)) {
            kif->lines = before;
            break;
        }
        varies = varies || kz_span_begins(line, "変化");
        KZ_TRY(varies ? KZ_OK : read_line(kif, line));
    }
    kz_shogi_game_tell(&kif->game);
    return check_format(kif);
}

/* Goes to the end of a game with a mistake, which has been read up to line `bad`, and counts its moves. */
static uint64_t pass_over(kz_kif_reader *kif, size_t bad, uint64_t (*count_moves)(kz_span line)) {
    uint64_t moves = 0;
    bool varies = false;
    for (;;) {
        kz_lines before = kif->lines;
        kz_span line;
        if (!next_line(kif, &line)) {
            return moves;
        }
        if (kif->lines.number > bad && begins_game(line)) {
            kif->lines = before;
            return moves;
        }
        varies = varies || kz_span_begins(line, "変化");
        moves += varies ? 0 : count_moves(line);
    }
}

kz_status kz_kif_next_game(kz_lines *lines, const char *name, kz_kif_read_line *read_line,
                           uint64_t (*count_moves)(kz_span line), kz_shogi_visit *visit, void *user, bool *stopped,
                           uint64_t *lost, kz_error *error) {
    kz_kif_reader kif = {.lines = *lines, .name = name, .error = error, .first = lines->number == 0};
    kz_status status = read_game(&kif, (kz_shogi_outcome){.winner = KZ_SHOGI_OPEN}, read_line, NULL, NULL);
    *lost = 0;
    if (status == KZ_OK) {
        kif.lines = *lines;
        status = read_game(&kif, kif.game.outcome, read_line, visit, user);
        *stopped = kif.game.stopped;
    } else {
        size_t bad = kif.lines.number;
        kif.lines = *lines;
        *lost = pass_over(&kif, bad, count_moves);
    }
    *lines = kif.lines;
    return status;
}
