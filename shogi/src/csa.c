/* SPDX-License-Identifier: MIT
 *
 * Games in the CSA standard, versions 2 and 3.
 *
 * A line is a statement, or several with commas between them; what a statement is can be told from its first
 * character. Floodgate adds comments "'** 123 -3334FU ..." after moves: what the side that made the move thinks of the
 * position in which it made it. The number there is as black sees it, whoever moved. */
#include "base/error.h"
#include "base/text.h"
#include "base/text_reader.h"
#include "shogi/src/game.h"
#include <limits.h>
#include <string.h>

static const kz_piece_name pieces[] = {{"FU", KZ_SHOGI_CODE_PAWN},
                                       {"KY", KZ_SHOGI_CODE_LANCE},
                                       {"KE", KZ_SHOGI_CODE_KNIGHT},
                                       {"GI", KZ_SHOGI_CODE_SILVER},
                                       {"KI", KZ_SHOGI_CODE_GOLD},
                                       {"KA", KZ_SHOGI_CODE_BISHOP},
                                       {"HI", KZ_SHOGI_CODE_ROOK},
                                       {"OU", KZ_SHOGI_CODE_KING},
                                       {"TO", KZ_SHOGI_CODE_PAWN | KZ_SHOGI_PROMOTED},
                                       {"NY", KZ_SHOGI_CODE_LANCE | KZ_SHOGI_PROMOTED},
                                       {"NK", KZ_SHOGI_CODE_KNIGHT | KZ_SHOGI_PROMOTED},
                                       {"NG", KZ_SHOGI_CODE_SILVER | KZ_SHOGI_PROMOTED},
                                       {"UM", KZ_SHOGI_CODE_BISHOP | KZ_SHOGI_PROMOTED},
                                       {"RY", KZ_SHOGI_CODE_ROOK | KZ_SHOGI_PROMOTED}};
enum { PIECES = sizeof pieces / sizeof *pieces };

static const kz_shogi_end_word ends[] = {{"%TORYO", KZ_SHOGI_MOVER_LOSES, 0},
                                         {"%KACHI", KZ_SHOGI_MOVER_WINS, KZ_SHOGI_BY_ENTERING},
                                         {"%JISHOGI", KZ_SHOGI_DRAW, KZ_SHOGI_BY_ENTERING},
                                         {"%HIKIWAKE", KZ_SHOGI_DRAW, KZ_SHOGI_BY_ENTERING},
                                         {"%SENNICHITE", KZ_SHOGI_DRAW, KZ_SHOGI_BY_REPETITION},
                                         {"%MAX_MOVES", KZ_SHOGI_DRAW, KZ_SHOGI_BY_LENGTH},
                                         {"%TIME_UP", KZ_SHOGI_MOVER_LOSES, 0},
                                         {"%ILLEGAL_MOVE", KZ_SHOGI_MOVER_LOSES, 0},
                                         {"%+ILLEGAL_ACTION", KZ_SHOGI_BLACK_LOSES, 0},
                                         {"%-ILLEGAL_ACTION", KZ_SHOGI_WHITE_LOSES, 0},
                                         {"%TSUMI", KZ_SHOGI_MOVER_LOSES, 0},
                                         /* %CHUDAN, %MATTA, %FUZUMI, %ERROR and words that are not known. */
                                         {NULL, KZ_SHOGI_UNDECIDED, 0}};

typedef struct csa_reader {
    kz_lines lines;
    kz_error *error;
    kz_shogi_game game;
    bool first;  /* the first game of the text */
    bool said;   /* a line was not empty */
    bool placed; /* there was a statement about the position */
    bool ready;  /* the side to move is known: moves may follow */
    bool over;
} csa_reader;

static kz_status bad(const csa_reader *csa, const char *why) {
    kz_fail(csa->error, KZ_ERR_INPUT, "line %zu: %s", csa->lines.number, why);
    return KZ_ERR_INPUT;
}

/* ---- Parts of statements ---------------------------------------------------------------------------------------- */

static bool accept_piece(kz_span *text, uint8_t *code) { return kz_span_accept_piece(text, pieces, PIECES, code); }

/* A square "77", or "00" for the hand, which is KZ_SHOGI_NO_SQUARE. */
static bool accept_square(kz_span *text, uint8_t *square) {
    if (kz_span_accept(text, "00")) {
        *square = KZ_SHOGI_NO_SQUARE;
        return true;
    }
    if (text->length < 2 || text->text[0] < '1' || text->text[0] > '9' || text->text[1] < '1' || text->text[1] > '9') {
        return false;
    }
    *square = (uint8_t)((text->text[0] - '1') * 9 + (text->text[1] - '1'));
    text->text += 2;
    text->length -= 2;
    return true;
}

static bool goes_in_hand(uint8_t code) { return code != KZ_SHOGI_CODE_KING && !(code & KZ_SHOGI_PROMOTED); }

static uint8_t coloured(uint8_t code, kz_shogi_side side) {
    return (uint8_t)(code | (side == KZ_SHOGI_WHITE ? KZ_SHOGI_WHITES : 0));
}

/* ---- The position ------------------------------------------------------------------------------------------------ */

/* "PI", and the pieces that are taken away. */
static kz_status read_start(csa_reader *csa, kz_span text) {
    csa->game.position = kz_shogi_start();
    while (text.length > 0) {
        uint8_t square;
        uint8_t code;
        if (!accept_square(&text, &square) || !accept_piece(&text, &code)) {
            return bad(csa, "expected a square and a piece, as in PI82HI");
        }
        uint8_t *there = &csa->game.position.board[square == KZ_SHOGI_NO_SQUARE ? 0 : square];
        if (square == KZ_SHOGI_NO_SQUARE || (*there & ~KZ_SHOGI_WHITES) != code) {
            return bad(csa, "a piece that is to be taken away is not on its square");
        }
        *there = KZ_SHOGI_EMPTY;
    }
    return KZ_OK;
}

/* "P1" to "P9": a rank, three characters for each square. */
static kz_status read_rank(csa_reader *csa, int rank, kz_span text) {
    for (int file = 9; file >= 1; file--) {
        uint8_t *square = &csa->game.position.board[(file - 1) * 9 + rank - 1];
        bool black = kz_span_accept(&text, "+");
        if (black || kz_span_accept(&text, "-")) {
            if (!accept_piece(&text, square)) {
                return bad(csa, "expected a piece (FU, KY, ...) after + or -");
            }
            *square = coloured(*square, black ? KZ_SHOGI_BLACK : KZ_SHOGI_WHITE);
        } else if (kz_span_accept(&text, " * ") || (file == 1 && kz_span_accept(&text, " *"))) {
            *square = KZ_SHOGI_EMPTY;
        } else {
            return bad(csa, "expected 9 squares, each \" * \" or a piece as in \"+FU\"");
        }
    }
    return text.length == 0 ? KZ_OK : bad(csa, "more than 9 squares in a rank");
}

static kz_status check_position(const csa_reader *csa) {
    kz_shogi_defect defect = kz_shogi_check(&csa->game.position);
    return defect == KZ_SHOGI_FINE ? KZ_OK : bad(csa, kz_shogi_defect_text(defect));
}

/* "P+" or "P-": pieces one by one, in the hand if the square is 00; "00AL" is all that are left. */
static kz_status read_pieces(csa_reader *csa, kz_shogi_side side, kz_span text) {
    kz_shogi_position *position = &csa->game.position;
    while (text.length > 0) {
        if (kz_span_accept(&text, "00AL")) {
            KZ_TRY(check_position(csa));
            for (int kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
                position->hand[side][kind] =
                    (uint8_t)(position->hand[side][kind] + kz_shogi_removed(position, (kz_shogi_kind)kind));
            }
            continue;
        }
        uint8_t square;
        uint8_t code;
        if (!accept_square(&text, &square) || !accept_piece(&text, &code)) {
            return bad(csa, "expected a square and a piece, as in P+77FU or P+00FU");
        }
        if (square == KZ_SHOGI_NO_SQUARE) {
            kz_shogi_kind kind = kz_shogi_code_kind(code);
            if (!goes_in_hand(code)) {
                return bad(csa, "kings and promoted pieces are never in hand");
            }
            if (position->hand[side][kind] >= kz_shogi_full_set(kind)) {
                return bad(csa, kz_shogi_defect_text(KZ_SHOGI_OVERFULL));
            }
            position->hand[side][kind]++;
        } else if (position->board[square] != KZ_SHOGI_EMPTY) {
            return bad(csa, "there is another piece on this square");
        } else {
            position->board[square] = coloured(code, side);
        }
    }
    return KZ_OK;
}

static kz_status read_position(csa_reader *csa, kz_span text) {
    if (csa->ready) {
        return bad(csa, "the position has to come before the side to move");
    }
    csa->placed = true;
    if (kz_span_accept(&text, "I")) {
        return read_start(csa, text);
    }
    if (kz_span_accept(&text, "+")) {
        return read_pieces(csa, KZ_SHOGI_BLACK, text);
    }
    if (kz_span_accept(&text, "-")) {
        return read_pieces(csa, KZ_SHOGI_WHITE, text);
    }
    if (text.length > 0 && text.text[0] >= '1' && text.text[0] <= '9') {
        return read_rank(csa, text.text[0] - '0', (kz_span){text.text + 1, text.length - 1});
    }
    return bad(csa, "expected PI, P1 to P9, P+ or P-");
}

static kz_status read_side(csa_reader *csa, kz_shogi_side side) {
    if (csa->ready) {
        return bad(csa, "the side to move is given twice");
    }
    if (!csa->placed) {
        return bad(csa, "the position has to come before the side to move");
    }
    csa->ready = true;
    csa->game.position.side = (uint8_t)side;
    return check_position(csa);
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

static kz_status read_move(csa_reader *csa, kz_shogi_side side, kz_span text) {
    if (!csa->ready || csa->over) {
        return bad(csa,
                   csa->over ? "a move after the end of the game" : "a move before the position and the side to move");
    }
    kz_shogi_move move = {.special = KZ_SHOGI_MOVE};
    uint8_t after; /* the piece as it is after the move */
    if (!accept_square(&text, &move.from) || !accept_square(&text, &move.to) || !accept_piece(&text, &after) ||
        text.length > 0 || move.to == KZ_SHOGI_NO_SQUARE) {
        return bad(csa, "expected a move, as in +7776FU");
    }
    if (side != (kz_shogi_side)csa->game.position.side) {
        return bad(csa, "it is the other side's turn");
    }
    if (move.from == KZ_SHOGI_NO_SQUARE) {
        if (!goes_in_hand(after)) {
            return bad(csa, "kings and promoted pieces can't be dropped");
        }
        move.from = (uint8_t)(KZ_SHOGI_SQUARES + kz_shogi_code_kind(after));
    } else {
        uint8_t before = csa->game.position.board[move.from];
        move.promotes = before != coloured(after, side);
        if (move.promotes && (before | KZ_SHOGI_PROMOTED) != coloured(after, side)) {
            return bad(csa, "the piece that moves is not on its square");
        }
    }
    kz_shogi_defect defect = kz_shogi_game_move(&csa->game, move);
    return defect == KZ_SHOGI_FINE ? KZ_OK : bad(csa, kz_shogi_defect_text(defect));
}

static void read_comment(csa_reader *csa, kz_span text) {
    if (!kz_span_accept(&text, "'**")) {
        return;
    }
    while (kz_span_accept(&text, " ")) {
    }
    bool negative = kz_span_accept(&text, "-");
    if (!negative) {
        kz_span_accept(&text, "+");
    }
    long score = 0;
    size_t digits = 0;
    for (; digits < text.length && kz_is_digit(text.text[digits]); digits++) {
        score = score < LONG_MAX / 16 ? 10 * score + (text.text[digits] - '0') : score;
    }
    if (digits > 0) {
        kz_shogi_game_score(&csa->game, negative ? -score : score);
    }
}

static kz_status read_end(csa_reader *csa, kz_span text) {
    if (!csa->ready || csa->over) {
        return bad(csa, csa->over ? "the game ends twice" : "the game ends before the position and the side to move");
    }
    const kz_shogi_end_word *end = ends;
    while (end->word && !kz_span_is(text, end->word)) {
        end++;
    }
    kz_shogi_game_over(&csa->game, end);
    csa->over = true;
    return KZ_OK;
}

/* ---- Statements -------------------------------------------------------------------------------------------------- */

static kz_status read_statement(csa_reader *csa, kz_span text) {
    kz_span rest = {text.text + 1, text.length - 1};
    switch (text.text[0]) {
    case '+':
        return rest.length == 0 ? read_side(csa, KZ_SHOGI_BLACK) : read_move(csa, KZ_SHOGI_BLACK, rest);
    case '-':
        return rest.length == 0 ? read_side(csa, KZ_SHOGI_WHITE) : read_move(csa, KZ_SHOGI_WHITE, rest);
    case 'P':
        return read_position(csa, rest);
    case '%':
        return read_end(csa, text);
    case 'T': /* the time that a move took */
        return rest.length > 0 && kz_is_digit(rest.text[0]) ? KZ_OK : bad(csa, "expected a time, as in T12");
    case 'V':
        return rest.length > 0 && (rest.text[0] == '2' || rest.text[0] == '3')
                   ? KZ_OK
                   : bad(csa, "only versions 2 and 3 of the CSA standard are understood");
    default:
        return bad(csa, "no statement begins with this character");
    }
}

/* Comments, names and other facts about the game may have commas in them, so they are whole lines; a comment may also
 * follow statements. */
static kz_status read_line(csa_reader *csa, kz_span line) {
    if (line.length > 0 && (line.text[0] == 'N' || line.text[0] == '$')) {
        return KZ_OK;
    }
    while (line.length > 0) {
        if (line.text[0] == '\'') {
            read_comment(csa, line);
            return KZ_OK;
        }
        const char *comma = memchr(line.text, ',', line.length);
        size_t length = comma ? (size_t)(comma - line.text) : line.length;
        kz_span text = kz_span_end_trimmed((kz_span){line.text, length});
        KZ_TRY(text.length > 0 ? read_statement(csa, text) : KZ_OK);
        line.text += length + (comma != NULL);
        line.length -= length + (comma != NULL);
    }
    return KZ_OK;
}

/* Files of games that somebody has put one after the other have no "/" between them, but each begins with its version.
 */
static bool begins_game(const csa_reader *csa, kz_span line) {
    return csa->ready && (kz_span_begins(line, "V2") || kz_span_begins(line, "V3"));
}

/* Reads one game, up to a line "/", the beginning of the next one or the end of the text. The outcome, if known, is
 * that of the first reading. */
static kz_status read_game(csa_reader *csa, kz_shogi_outcome outcome, kz_shogi_visit *visit, void *user) {
    csa->game = (kz_shogi_game){.outcome = outcome, .ply = 1, .visit = visit, .user = user};
    csa->placed = csa->ready = csa->over = false;
    kz_span line;
    for (;;) {
        kz_lines before = csa->lines;
        if (csa->game.stopped || !kz_next_trimmed_line(&csa->lines, &line) || kz_span_is(line, "/")) {
            break;
        }
        if (begins_game(csa, line)) {
            csa->lines = before;
            break;
        }
        csa->said = csa->said || line.length > 0;
        KZ_TRY(read_line(csa, line));
    }
    kz_shogi_game_tell(&csa->game);
    /* After a game may come a rest without one, comments for instance; but that can't be all. */
    if (csa->first && csa->said && !csa->placed && csa->lines.rest.length == 0) {
        return kz_fail(csa->error, KZ_ERR_INPUT, "there is no game in it: no line begins with PI, P1, P+ or P-");
    }
    return KZ_OK;
}

/* "+7776FU", whether it can be made or not. */
static bool looks_like_move(kz_span line) {
    return line.length >= 7 && (line.text[0] == '+' || line.text[0] == '-') && kz_is_digit(line.text[1]) &&
           kz_is_digit(line.text[4]);
}

/* Goes to the end of a game with a mistake, which has been read up to line `bad`. Returns how many moves it has. */
static uint64_t pass_over(kz_lines *lines, size_t bad) {
    uint64_t moves = 0;
    kz_span line;
    for (;;) {
        kz_lines before = *lines;
        if (!kz_next_trimmed_line(lines, &line) || kz_span_is(line, "/")) {
            return moves;
        }
        if (lines->number > bad && (kz_span_begins(line, "V2") || kz_span_begins(line, "V3"))) {
            *lines = before;
            return moves;
        }
        moves += looks_like_move(line);
    }
}

kz_status kz_shogi_next_csa(kz_lines *lines, kz_shogi_visit *visit, void *user, bool *stopped, uint64_t *lost,
                            kz_error *error) {
    csa_reader csa = {.lines = *lines, .error = error, .first = lines->number == 0};
    kz_status status = read_game(&csa, (kz_shogi_outcome){.winner = KZ_SHOGI_OPEN}, NULL, NULL);
    *lost = 0;
    if (status != KZ_OK) {
        *lost = pass_over(lines, csa.lines.number);
        return status;
    }
    csa.lines = *lines;
    status = read_game(&csa, csa.game.outcome, visit, user);
    *lines = csa.lines;
    *stopped = csa.game.stopped;
    return status;
}

kz_status kz_shogi_read_csa(const char *text, size_t length, kz_shogi_visit *visit, void *user, kz_error *error) {
    return kz_shogi_read_games(text, length, kz_shogi_next_csa, visit, user, error);
}
