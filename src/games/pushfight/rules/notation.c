/* SPDX-License-Identifier: MIT
 *
 * What the notations are called and made of, and writing positions in them. */
#include "games/pushfight/rules/notation.h"

#include "base/text_writer.h"
#include "games/pushfight/index/index.h"
#include "games/pushfight/index/permutation.h"
#include "games/pushfight/rules/rules.h"

#include <inttypes.h>

const char *const kz_pf_notations[KZ_PF_NOTATIONS + 1] = {
    [KZ_PF_STRING] = "string",
    [KZ_PF_DIAGRAM] = "diagram",
    [KZ_PF_PERMUTATION] = "index",
    [KZ_PF_MINIMIZED] = "minimized",
};

int kz_pf_row_count(const kz_pf_board *board) {
    int rows = KZ_PF_ROWS;
    while (rows > 1 && !kz_pf_row(board, rows - 1)) {
        rows--;
    }
    return rows;
}

int kz_pf_column_count(const kz_pf_board *board) {
    int columns = KZ_PF_COLUMNS;
    while (columns > 1 && !(board->squares & UINT32_C(0x01010101) << (columns - 1))) {
        columns--;
    }
    return columns;
}

kz_pf_square_name kz_pf_name_square(const kz_pf_board *board, int bit) {
    int row = bit / KZ_PF_COLUMNS;
    return (kz_pf_square_name){
        {(char)('a' + bit % KZ_PF_COLUMNS), (char)('0' + kz_pf_row_count(board) - row), '\0'},
    };
}

char kz_pf_symbol(const kz_pf_position *position, int bit) {
    uint32_t square = UINT32_C(1) << bit;
    bool blue_moves = position->side == 1;
    if (!(kz_pf_board_of(position)->squares & square)) {
        return ' ';
    }
    if (kz_pf_anchor_square(position) & square) {
        return blue_moves ? 'P' : 'Y';
    }
    if (kz_pf_own(position) & square) {
        return position->own_movers & square ? (blue_moves ? 'x' : 'o') : (blue_moves ? 'X' : 'O');
    }
    if (kz_pf_enemy(position) & square) {
        return position->enemy_movers & square ? (blue_moves ? 'o' : 'x') : (blue_moves ? 'O' : 'X');
    }
    return '.';
}

static void write_string(kz_writer *writer, const kz_pf_position *position) {
    for (int bit = 0; bit < KZ_PF_GRID; bit++) {
        char symbol = kz_pf_symbol(position, bit);
        if (symbol != ' ') {
            kz_put_char(writer, symbol);
        }
    }
}

static void write_letters(kz_writer *writer, int columns) { kz_write(writer, "  %.*s", columns, "abcdefgh"); }

static void write_diagram(kz_writer *writer, const kz_pf_position *position) {
    const kz_pf_board *board = kz_pf_board_of(position);
    int rows = kz_pf_row_count(board);
    int columns = kz_pf_column_count(board);
    write_letters(writer, columns);
    for (int row = 0; row < rows; row++) {
        kz_write(writer, "\n%d ", rows - row);
        for (int column = 0; column < columns; column++) {
            kz_put_char(writer, kz_pf_symbol(position, KZ_PF_COLUMNS * row + column));
        }
        kz_write(writer, " %d", rows - row);
    }
    kz_write(writer, "\n");
    write_letters(writer, columns);
}

/* Why a position has no index. */
static kz_status no_index(const kz_pf_position *position, kz_error *error) {
    if (kz_pf_finished(position)) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "the game is over: only a position with all pieces has an index");
    }
    if (!kz_pf_in_progress(position)) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "there is no anchor: a position before the first turn has no index");
    }
    return kz_fail(error, KZ_ERR_UNSUPPORTED,
                   "the anchored piece can't have pushed: such a position has no minimized index");
}

static kz_status write_index(kz_writer *writer, const kz_pf_position *position, bool minimized, kz_error *error) {
    if (!kz_pf_in_progress(position)) {
        return no_index(position, error);
    }
    if (!minimized) {
        kz_write(writer, "%" PRIu64, kz_pf_permutation(position));
        return KZ_OK;
    }
    uint64_t index;
    bool rotated;
    if (!kz_pf_minimized(position, &index, &rotated)) {
        return no_index(position, error);
    }
    kz_write(writer, "%c%" PRIu64, rotated ? '-' : '+', index);
    return KZ_OK;
}

kz_status kz_pf_format(const kz_pf_position *position, int notation, char *text, size_t size, kz_error *error) {
    kz_writer writer = kz_writer_into(text, size);
    kz_status status = KZ_OK;
    switch (notation) {
    case KZ_PF_STRING:
        write_string(&writer, position);
        break;
    case KZ_PF_DIAGRAM:
        write_diagram(&writer, position);
        break;
    case KZ_PF_PERMUTATION:
        status = write_index(&writer, position, false, error);
        break;
    case KZ_PF_MINIMIZED:
        status = write_index(&writer, position, true, error);
        break;
    default:
        status = kz_fail(error, KZ_ERR_UNSUPPORTED, "there is no notation number %d", notation);
    }
    return status == KZ_OK ? kz_written(&writer, error) : status;
}
