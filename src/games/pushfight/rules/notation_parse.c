/* SPDX-License-Identifier: MIT
 *
 * Reading positions. */
#include "base/error.h"
#include "games/pushfight/rules/notation.h"

#include "base/bits.h"
#include "base/text_reader.h"
#include "games/pushfight/index/index.h"
#include "games/pushfight/index/permutation.h"
#include "games/pushfight/rules/rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_symbol(char c) { return c != '\0' && strchr(".oOxXYP", c); }

static bool ends_row(char c) { return c == '\n' || c == '/'; }

static void skip_blanks(kz_reader *reader) {
    while (kz_is_blank(kz_next(reader))) {
        reader->at++;
    }
}

/* ---- From symbols to a position -------------------------------------------------------------------------------- */

/* The symbols of a board, and where in the text they are. */
typedef struct cells {
    char symbol[KZ_PF_MOST_SQUARES];
    size_t at[KZ_PF_MOST_SQUARES];
} cells;

/* Reads the symbols of `squares`, the first of which is number `first` of the board. */
static kz_status read_cells(kz_reader *reader, const kz_pf_board *board, uint32_t squares, int first, cells *c) {
    for (uint32_t rest = squares; rest; rest &= rest - 1, first++) {
        if (!is_symbol(kz_next(reader))) {
            char why[160];
            snprintf(why, sizeof why,
                     "expected what is on %s: '.' nothing, o or O a mover or pusher of red, x or X of blue, Y or P a "
                     "pusher of blue or red with the anchor",
                     kz_pf_name_square(board, (int)kz_lowest_bit32(rest)).text);
            return kz_bad(reader, why);
        }
        c->symbol[first] = kz_next(reader);
        c->at[first] = reader->at++;
    }
    return KZ_OK;
}

/* The pieces of red and blue, in the order in which they are complained about. */
typedef struct pieces {
    uint32_t movers[2];
    uint32_t pushers[2];
    int anchor;
    int anchor_side;
} pieces;

static const char *const side_names[2] = {"red", "blue"};

/* Puts a piece on its square. Fails if it is one too many. */
static kz_status place(const kz_reader *reader, const kz_pf_board *board, char symbol, size_t at, int bit, pieces *p) {
    if (symbol == '.') {
        return KZ_OK;
    }
    int side = strchr("xXY", symbol) ? 1 : 0;
    bool mover = symbol == 'o' || symbol == 'x';
    uint32_t *set = mover ? &p->movers[side] : &p->pushers[side];
    int most = mover ? board->movers : board->pushers;
    *set |= UINT32_C(1) << bit;
    if ((int)kz_popcount32(*set) > most) {
        char why[80];
        snprintf(why, sizeof why, "%s has no more than %d %s%s", side_names[side], most, mover ? "mover" : "pusher",
                 most == 1 ? "" : "s");
        return kz_bad_at(reader, at, why);
    }
    if (symbol == 'Y' || symbol == 'P') {
        if (p->anchor != KZ_PF_NO_ANCHOR) {
            return kz_bad_at(reader, at, "there is only one anchor");
        }
        p->anchor = bit;
        p->anchor_side = side;
    }
    return KZ_OK;
}

/* Which pieces must be there: all, but the side to move may have lost one, after which the game is over. */
static kz_status check_complete(const kz_reader *reader, size_t first, const kz_pf_board *board, const pieces *p) {
    bool begun = p->anchor != KZ_PF_NO_ANCHOR;
    int loser = begun ? 1 - p->anchor_side : -1;
    for (int side = 0; side < 2; side++) {
        int movers = (int)kz_popcount32(p->movers[side]);
        int pushers = (int)kz_popcount32(p->pushers[side]);
        int missing = board->movers - movers + board->pushers - pushers;
        if (missing > (side == loser ? 1 : 0)) {
            return kz_fail(reader->error, KZ_ERR_INPUT,
                           "characters %zu to %zu: %s has %d of %d movers and %d of %d pushers%s", first + 1,
                           reader->at, side_names[side], movers, board->movers, pushers, board->pushers,
                           side == loser ? "; only one can have been pushed off the board"
                           : begun       ? "; only the side to move can have lost a piece"
                                         : "; without an anchor the game has not begun, and all must be there");
        }
    }
    return KZ_OK;
}

static kz_status from_cells(const kz_reader *reader, int rules, const cells *c, kz_pf_position *position) {
    const kz_pf_board *board = kz_pf_board_at(rules);
    pieces p = {.anchor = KZ_PF_NO_ANCHOR};
    int number = 0;
    for (uint32_t rest = board->squares; rest; rest &= rest - 1, number++) {
        kz_status status = place(reader, board, c->symbol[number], c->at[number], (int)kz_lowest_bit32(rest), &p);
        if (status != KZ_OK) {
            return status;
        }
    }
    KZ_TRY(check_complete(reader, c->at[0], board, &p));
    int own = p.anchor_side == 0 && p.anchor != KZ_PF_NO_ANCHOR ? 1 : 0;
    *position = (kz_pf_position){
        .own_movers = p.movers[own],
        .own_pushers = p.pushers[own],
        .enemy_movers = p.movers[1 - own],
        .enemy_pushers = p.pushers[1 - own],
        .anchor = (int8_t)p.anchor,
        .board = (uint8_t)rules,
        .side = (uint8_t)own,
    };
    return KZ_OK;
}

/* ---- Strings and diagrams -------------------------------------------------------------------------------------- */

/* .OX.....oxY....Oox.....OX. */
static kz_status parse_string(kz_reader *reader, int rules, kz_pf_position *position) {
    const kz_pf_board *board = kz_pf_board_at(rules);
    cells c = {{0}, {0}};
    kz_status status = read_cells(reader, board, board->squares, 0, &c);
    if (status == KZ_OK && !kz_at_end(reader)) {
        char why[80];
        snprintf(why, sizeof why, "the position is complete before this: the board has %d squares",
                 kz_pf_square_count(board));
        status = kz_bad(reader, why);
    }
    return status == KZ_OK ? from_cells(reader, rules, &c, position) : status;
}

/* The line "abcdefgh". */
static kz_status read_letters(kz_reader *reader, const kz_pf_board *board) {
    for (int column = 0; column < kz_pf_column_count(board); column++) {
        if (!kz_accept(reader, (char)('a' + column))) {
            char why[80];
            snprintf(why, sizeof why, "expected the letters of the columns, %.*s", kz_pf_column_count(board),
                     "abcdefgh");
            return kz_bad(reader, why);
        }
    }
    skip_blanks(reader);
    return KZ_OK;
}

/* The number of a row, which need not be there. */
static kz_status read_row_number(kz_reader *reader, int number) {
    skip_blanks(reader);
    if (kz_is_digit(kz_next(reader)) && !kz_accept(reader, (char)('0' + number))) {
        char why[80];
        snprintf(why, sizeof why, "this is row %d, counted from the bottom", number);
        return kz_bad(reader, why);
    }
    skip_blanks(reader);
    return KZ_OK;
}

/* Steps over the end of a row if there is one. */
static bool accept_row_end(kz_reader *reader) {
    bool found = ends_row(kz_next(reader));
    reader->at += found;
    return found;
}

static kz_status read_row(kz_reader *reader, const kz_pf_board *board, int row, int first, cells *c) {
    int rows = kz_pf_row_count(board);
    uint32_t squares = kz_pf_row(board, row);
    KZ_TRY(read_row_number(reader, rows - row));
    KZ_TRY(read_cells(reader, board, squares, first, c));
    KZ_TRY(read_row_number(reader, rows - row));
    if (!kz_at_end(reader) && !accept_row_end(reader)) {
        char why[80];
        snprintf(why, sizeof why, "row %d has %u squares, and the line should end here", rows - row,
                 kz_popcount32(squares));
        return kz_bad(reader, why);
    }
    return KZ_OK;
}

/* Rows of symbols, perhaps with the letters of the columns before and after them. */
static kz_status parse_diagram(kz_reader *reader, int rules, kz_pf_position *position) {
    const kz_pf_board *board = kz_pf_board_at(rules);
    if (kz_next(reader) == 'a') {
        kz_status status = read_letters(reader, board);
        if (status == KZ_OK && !accept_row_end(reader)) {
            status = kz_bad(reader, "the line should end after the letters of the columns");
        }
        if (status != KZ_OK) {
            return status;
        }
    }
    cells c = {{0}, {0}};
    int first = 0;
    for (int row = 0; row < kz_pf_row_count(board); row++) {
        kz_status status = read_row(reader, board, row, first, &c);
        if (status != KZ_OK) {
            return status;
        }
        first += (int)kz_popcount32(kz_pf_row(board, row));
    }
    skip_blanks(reader);
    if (!kz_at_end(reader)) {
        kz_status status = kz_next(reader) == 'a' ? read_letters(reader, board) : KZ_OK;
        if (status == KZ_OK && !kz_at_end(reader)) {
            status = kz_bad(reader, "the board is complete before this");
        }
        if (status != KZ_OK) {
            return status;
        }
    }
    return from_cells(reader, rules, &c, position);
}

/* ---- Indices --------------------------------------------------------------------------------------------------- */

/* A number below `size`. */
static kz_status read_number(kz_reader *reader, uint64_t size, const char *what, uint64_t *number) {
    bool read = kz_read_digits(reader, size - 1, number);
    if (!read && kz_is_digit(kz_next(reader))) {
        char why[80];
        snprintf(why, sizeof why, "the largest %s of this board is %" PRIu64, what, size - 1);
        return kz_bad(reader, why);
    }
    return read && kz_at_end(reader) ? KZ_OK : kz_bad(reader, "expected a decimal digit");
}

/* 194131815839 */
static kz_status parse_index(kz_reader *reader, int rules, kz_pf_position *position) {
    uint64_t index;
    KZ_TRY(read_number(reader, kz_pf_permutations(kz_pf_board_at(rules)), "index", &index));
    kz_pf_permutation_at(rules, index, position);
    return KZ_OK;
}

/* -54633981701 */
static kz_status parse_minimized(kz_reader *reader, int rules, kz_pf_position *position) {
    const kz_pf_board *board = kz_pf_board_at(rules);
    bool rotated = kz_next(reader) == '-';
    if (rotated && !board->symmetric) {
        return kz_bad(reader, "expected '+': this board can't be rotated");
    }
    reader->at++;
    uint64_t index;
    KZ_TRY(read_number(reader, kz_pf_minimized_size(board), "minimized index", &index));
    kz_pf_minimized_at(rules, index, rotated, position);
    return KZ_OK;
}

/* ---- Which one is it? ------------------------------------------------------------------------------------------ */

static bool has_rows(const kz_reader *reader) {
    for (size_t i = reader->at; i < reader->length; i++) {
        if (ends_row(reader->text[i])) {
            return true;
        }
    }
    return false;
}

kz_status kz_pf_parse(int rules, const char *text, size_t length, kz_pf_position *position, kz_error *error) {
    kz_reader reader = kz_read_trimmed(text, length, error);
    while (kz_is_space(kz_next(&reader))) {
        reader.at++;
    }
    char c = kz_next(&reader);
    if (kz_at_end(&reader)) {
        return kz_bad(&reader, "expected a position: a symbol for each square, a diagram, or an index");
    }
    if (c == '+' || c == '-') {
        return parse_minimized(&reader, rules, position);
    }
    if (has_rows(&reader)) {
        return parse_diagram(&reader, rules, position);
    }
    return kz_is_digit(c) ? parse_index(&reader, rules, position) : parse_string(&reader, rules, position);
}

int kz_pf_position_lines(int rules, const char *first_line, size_t length) {
    const kz_pf_board *board = kz_pf_board_at(rules);
    int rows = kz_pf_row_count(board);
    kz_reader reader = kz_read_trimmed(first_line, length, NULL);
    skip_blanks(&reader);
    if (kz_next(&reader) == 'a') {
        return rows + 2;
    }
    /* The top row and nothing else. */
    cells c = {{0}, {0}};
    bool top = read_row_number(&reader, rows) == KZ_OK &&
               read_cells(&reader, board, kz_pf_row(board, 0), 0, &c) == KZ_OK &&
               read_row_number(&reader, rows) == KZ_OK && kz_at_end(&reader);
    return top ? rows : 1;
}
