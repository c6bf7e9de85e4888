/* SPDX-License-Identifier: MIT */
#include "games/pushfight/rules/notation.h"

#include "base/error.h"
#include "base/text_writer.h"
#include "games/pushfight/rules/rules.h"

const char *kz_pf_side_name(int side) { return side ? "blue" : "red"; }

/* ---- Characters ------------------------------------------------------------------------------------------------ */

/* Who moves, or who has won. */
static void write_state(kz_writer *writer, const kz_pf_position *position) {
    if (kz_pf_finished(position)) {
        kz_write(writer, "%s has won", kz_pf_side_name(1 - position->side));
    } else {
        kz_write(writer, "%s to move", kz_pf_side_name(position->side));
    }
}

kz_status kz_pf_draw(const kz_pf_position *position, char *text, size_t size, kz_error *error) {
    char diagram[KZ_TEXT_BYTES];
    KZ_TRY(kz_pf_format(position, KZ_PF_DIAGRAM, diagram, sizeof diagram, error));
    kz_writer writer = kz_writer_into(text, size);
    kz_write(&writer, "%s\n", diagram);
    write_state(&writer, position);
    kz_write(&writer, "; red has o and O, blue has x and X%s%s\n", position->anchor == KZ_PF_NO_ANCHOR ? "" : ", ",
             position->anchor == KZ_PF_NO_ANCHOR ? ""
             : position->side                    ? "P is red's O with the anchor"
                                                 : "Y is blue's X with the anchor");
    return kz_written(&writer, error);
}

/* ---- SVG ------------------------------------------------------------------------------------------------------- */

enum { CELL = 80, MARGIN_X = 48, MARGIN_TOP = 28, MARGIN_BOTTOM = 76, RAIL = 10 };

static const char style[] =
    "<style>"
    ".page{fill:#fbf7ee}.cell{fill:#f1e4c6;stroke:#c9b48a;stroke-width:2}.rail{fill:#6b4f2a}"
    ".ink{fill:#5b4a2e;font:600 17px sans-serif;text-anchor:middle}"
    ".red{fill:#d8503f;stroke:#8f2a1e}.blue{fill:#3f7fc4;stroke:#1f4a7d}.shine{fill:#fff;opacity:.22}"
    ".anchor{fill:none;stroke:#fff8e6;stroke-width:4.5;stroke-linecap:round;stroke-linejoin:round}"
    "@media (prefers-color-scheme:dark){.page{fill:#1d1b18}.cell{fill:#3d362a;stroke:#5d523d}.rail{fill:#b08a4f}"
    ".ink{fill:#d8cbb0}.red{fill:#d9604f;stroke:#f0a396}.blue{fill:#4f8ccc;stroke:#a5c8ee}}"
    "</style>";

/* Pieces around (0, 0). */
static const char symbols[] =
    "<g id='kz-mover'><circle r='28' stroke-width='3'/><circle class='shine' r='17' stroke='none'/></g>\n"
    "<g id='kz-pusher'><rect x='-30' y='-30' width='60' height='60' rx='9' stroke-width='3'/>"
    "<rect class='shine' x='-19' y='-19' width='38' height='38' rx='5' stroke='none'/></g>\n"
    "<g id='kz-anchor' class='anchor'><circle cy='-15' r='4.5'/>"
    "<path d='M0-10V19M-9-3H9M-17 7Q-14 19 0 19T17 7M-21 11l4-5 5 4M21 11l-4-5-5 4'/></g>\n";

static int left_of(int bit) { return MARGIN_X + CELL * (bit % KZ_PF_COLUMNS); }
static int top_of(int bit) { return MARGIN_TOP + CELL * (bit / KZ_PF_COLUMNS); }

/* Railings of one square; each reaches over the corners a little, so that those of neighbours join. */
static void write_rails(kz_writer *writer, const kz_pf_board *board, int bit) {
    static const struct {
        int x, y, width, height;
    } bars[KZ_PF_DIRECTIONS] = {
        [KZ_PF_LEFT] = {-RAIL, -1, RAIL, CELL + 2},
        [KZ_PF_RIGHT] = {CELL, -1, RAIL, CELL + 2},
        [KZ_PF_UP] = {-1, -RAIL, CELL + 2, RAIL},
        [KZ_PF_DOWN] = {-1, CELL, CELL + 2, RAIL},
    };
    for (kz_pf_direction d = 0; d < KZ_PF_DIRECTIONS; d++) {
        if (board->rail[d] >> bit & 1) {
            kz_write(writer, "<rect class='rail' x='%d' y='%d' width='%d' height='%d'/>\n", left_of(bit) + bars[d].x,
                     top_of(bit) + bars[d].y, bars[d].width, bars[d].height);
        }
    }
}

static void write_piece(kz_writer *writer, char symbol, int bit) {
    bool blue = symbol == 'x' || symbol == 'X' || symbol == 'Y';
    bool mover = symbol == 'o' || symbol == 'x';
    int x = left_of(bit) + CELL / 2;
    int y = top_of(bit) + CELL / 2;
    kz_write(writer, "<use href='#kz-%s' class='%s' x='%d' y='%d'/>\n", mover ? "mover" : "pusher",
             kz_pf_side_name(blue), x, y);
    if (symbol == 'Y' || symbol == 'P') {
        kz_write(writer, "<use href='#kz-anchor' x='%d' y='%d'/>\n", x, y);
    }
}

static void write_coordinates(kz_writer *writer, int rows, int columns) {
    for (int column = 0; column < columns; column++) {
        kz_write(writer, "<text class='ink' x='%d' y='%d'>%c</text>\n", left_of(column) + CELL / 2,
                 MARGIN_TOP + CELL * rows + RAIL + 20, 'a' + column);
    }
    for (int row = 0; row < rows; row++) {
        kz_write(writer, "<text class='ink' x='%d' y='%d'>%d</text>\n", MARGIN_X / 2,
                 MARGIN_TOP + CELL * row + CELL / 2 + 6, rows - row);
    }
}

kz_status kz_pf_draw_svg(const kz_pf_position *position, char *text, size_t size, kz_error *error) {
    const kz_pf_board *board = kz_pf_board_of(position);
    int rows = kz_pf_row_count(board);
    int columns = kz_pf_column_count(board);
    int width = 2 * MARGIN_X + CELL * columns;
    int height = MARGIN_TOP + CELL * rows + MARGIN_BOTTOM;
    char string[KZ_PF_MOST_SQUARES + 1];
    KZ_TRY(kz_pf_format(position, KZ_PF_STRING, string, sizeof string, error));
    kz_writer writer = kz_writer_into(text, size);
    kz_write(&writer,
             "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' role='img'>\n"
             "<title>Push Fight: %s</title>\n%s\n<defs>\n%s</defs>\n"
             "<rect class='page' width='%d' height='%d' rx='16'/>\n",
             width, height, width, height, string, style, symbols, width, height);
    for (int bit = 0; bit < KZ_PF_GRID; bit++) {
        if (board->squares >> bit & 1) {
            kz_write(&writer, "<rect class='cell' x='%d' y='%d' width='%d' height='%d'/>\n", left_of(bit), top_of(bit),
                     CELL, CELL);
            write_rails(&writer, board, bit);
        }
    }
    write_coordinates(&writer, rows, columns);
    for (int bit = 0; bit < KZ_PF_GRID; bit++) {
        char symbol = kz_pf_symbol(position, bit);
        if (symbol != ' ' && symbol != '.') {
            write_piece(&writer, symbol, bit);
        }
    }
    kz_write(&writer, "<text class='ink' x='%d' y='%d'>", width / 2, height - 18);
    write_state(&writer, position);
    kz_write(&writer, "</text>\n</svg>\n");
    return kz_written(&writer, error);
}
