/* SPDX-License-Identifier: MIT
 *
 * A board drawn from what a definition says about its look: squares with places, pieces with letters. */
#include "base/error.h"
#include "base/text_writer.h"
#include "game/define.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A board with the pieces of a position on it. */
typedef struct board {
    const kz_board_look *look;
    uint8_t piece[KZ_MAX_SQUARES];
    uint8_t count[KZ_MAX_SQUARES];
    float left, right, top, bottom; /* of the squares' centres */
} board;

static void read_board(const kz_game *game, const kz_position *position, bool with_hands, board *b) {
    const kz_definition *definition = game->definition;
    const void *context = kz_defined_context(game, position);
    *b = (board){.look = definition->look(context)};
    definition->pieces(context, position, b->piece, b->count);
    bool first = true;
    for (int i = 0; i < b->look->squares; i++) {
        const kz_square *square = &b->look->square[i];
        if (b->piece[i] > b->look->pieces) {
            b->piece[i] = 0;
        }
        if (square->shape == KZ_SHAPE_HAND && !with_hands) {
            continue;
        }
        b->left = first || square->x < b->left ? square->x : b->left;
        b->right = first || square->x > b->right ? square->x : b->right;
        b->top = first || square->y < b->top ? square->y : b->top;
        b->bottom = first || square->y > b->bottom ? square->y : b->bottom;
        first = false;
    }
}

static const kz_piece_look *piece_on(const board *b, int square) {
    return b->piece[square] ? &b->look->piece[b->piece[square] - 1] : NULL;
}

/* ---- Characters ------------------------------------------------------------------------------------------------ */

enum { ROWS = 48, COLUMNS = 96, CELL_BYTES = 9 };

typedef struct canvas {
    char cell[ROWS][COLUMNS][CELL_BYTES]; /* a character each, or two if the next cell stays empty; "": a blank */
    int rows;
    int columns;
    int column_width;
    int row_height;
} canvas;

static int letter_width(const char *letter) {
    int width = 0;
    for (; *letter; letter++) {
        width += ((unsigned char)*letter & 0xc0) != 0x80; /* the first byte of a character */
    }
    return width;
}

static int row_of(const canvas *c, const board *b, int square) {
    return (int)lroundf((b->look->square[square].y - b->top) * (float)c->row_height);
}

static int column_of(const canvas *c, const board *b, int square) {
    return (int)lroundf((b->look->square[square].x - b->left) * (float)c->column_width);
}

static void draw_line(canvas *c, const board *b, int from, int to) {
    int y1 = row_of(c, b, from);
    int x1 = column_of(c, b, from);
    int y2 = row_of(c, b, to);
    int x2 = column_of(c, b, to);
    int steps = y1 == y2 ? abs(x2 - x1) : abs(y2 - y1);
    const char *stroke = y1 == y2 ? "-" : x1 == x2 ? "|" : (x2 > x1) == (y2 > y1) ? "\\" : "/";
    for (int i = 1; i < steps; i++) {
        int y = y1 + (int)lround((double)(y2 - y1) * i / steps);
        int x = x1 + (int)lround((double)(x2 - x1) * i / steps);
        memcpy(c->cell[y][x], stroke, 2);
    }
}

static bool draw_canvas(canvas *c, const board *b) {
    bool wide = false;
    for (int i = 0; i < b->look->pieces; i++) {
        wide = wide || letter_width(b->look->piece[i].letter) > 1;
    }
    c->column_width = b->look->lines > 0 ? 4 : wide ? 3 : 2;
    c->row_height = b->look->lines > 0 ? 2 : 1;
    float rows = (b->bottom - b->top) * (float)c->row_height;
    float columns = (b->right - b->left) * (float)c->column_width;
    if (rows > ROWS - 1 || columns > COLUMNS - 2) {
        return false;
    }
    c->rows = (int)lroundf(rows) + 1;
    c->columns = (int)lroundf(columns) + 1;
    for (int i = 0; i < b->look->lines; i++) {
        draw_line(c, b, b->look->line[i][0], b->look->line[i][1]);
    }
    for (int i = 0; i < b->look->squares; i++) {
        if (b->look->square[i].shape != KZ_SHAPE_HAND) {
            const kz_piece_look *piece = piece_on(b, i);
            snprintf(c->cell[row_of(c, b, i)][column_of(c, b, i)], CELL_BYTES, "%s", piece ? piece->letter : ".");
        }
    }
    return true;
}

/* Whether labels are a letter for the column and then a text for the row, as in "a1"; if so, which. */
static bool find_labels(const canvas *c, const board *b, char column_label[COLUMNS], const char *row_label[ROWS]) {
    for (int i = 0; i < b->look->squares; i++) {
        const char *label = b->look->square[i].label;
        if (b->look->square[i].shape == KZ_SHAPE_HAND) {
            continue;
        }
        char *column = &column_label[column_of(c, b, i)];
        const char **row = &row_label[row_of(c, b, i)];
        if (label[0] < 'a' || label[0] > 'z' || !label[1] || strlen(label) > 3 || (*column && *column != label[0]) ||
            (*row && strcmp(*row, label + 1) != 0)) {
            return false;
        }
        *column = label[0];
        *row = label + 1;
    }
    return true;
}

static void write_canvas(kz_writer *writer, const canvas *c, const board *b) {
    char column_label[COLUMNS] = {0};
    const char *row_label[ROWS] = {NULL};
    bool labels = find_labels(c, b, column_label, row_label);
    for (int y = 0; y < c->rows; y++) {
        int last = c->columns;
        while (last > 0 && !c->cell[y][last - 1][0]) {
            last--;
        }
        if (labels) {
            kz_write(writer, "%2s  ", row_label[y] ? row_label[y] : "");
        }
        for (int x = 0; x < last; x++) {
            const char *cell = c->cell[y][x][0] ? c->cell[y][x] : " ";
            kz_put(writer, cell);
            x += letter_width(cell) > 1;
        }
        kz_put(writer, "\n");
    }
    if (labels) {
        kz_put(writer, "    ");
        for (int x = 0; x < c->columns; x++) {
            kz_put_char(writer, column_label[x] ? column_label[x] : ' ');
        }
        kz_put(writer, "\n");
    }
}

static void write_hand(kz_writer *writer, const board *b, int side) {
    bool has_hand = false;
    bool empty = true;
    for (int i = 0; i < b->look->squares; i++) {
        const kz_square *square = &b->look->square[i];
        if (square->shape != KZ_SHAPE_HAND || square->side != side) {
            continue;
        }
        const kz_piece_look *piece = piece_on(b, i);
        if (!has_hand) {
            kz_write(writer, "%s:", b->look->side_names[side]);
        }
        has_hand = true;
        if (piece) {
            kz_write(writer, b->count[i] > 1 ? " %s x%d" : " %s", piece->letter, b->count[i]);
            empty = false;
        }
    }
    if (has_hand) {
        kz_put(writer, empty ? " -\n" : "\n");
    }
}

kz_status kz_look_draw(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error) {
    if (!game->definition->look) {
        KZ_TRY(kz_format(game, position, 0, text, size, error));
        size_t length = strlen(text);
        if (length + 1 >= size) {
            return kz_fail(error, KZ_ERR_INPUT, "the text needs %zu bytes, and there is room for %zu", length + 2,
                           size);
        }
        memcpy(text + length, "\n", 2);
        return KZ_OK;
    }
    canvas *c = calloc(1, sizeof *c);
    if (!c) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to draw the board");
    }
    board b;
    read_board(game, position, false, &b);
    bool fits = draw_canvas(c, &b);
    kz_writer writer = kz_writer_into(text, size);
    if (fits) {
        write_hand(&writer, &b, 1);
        write_canvas(&writer, c, &b);
        write_hand(&writer, &b, 0);
    }
    free(c);
    return fits ? kz_written(&writer, error)
                : kz_fail(error, KZ_ERR_UNSUPPORTED, "the board of %s is too large to be drawn in characters",
                          game->definition->name);
}

/* ---- SVG ------------------------------------------------------------------------------------------------------- */

enum { CELL = 80 };

static const char style[] =
    "<style>"
    ".page{fill:#fbf7ee}.cell{fill:#f1e4c6;stroke:#c9b48a;stroke-width:2}.hand{fill:#efe3c8;stroke:none}"
    ".line{stroke:#8a6d3b;stroke-width:4}.point{fill:#8a6d3b}.ink{fill:#5b4a2e;font:600 15px sans-serif;"
    "text-anchor:middle}.side0{fill:#fffaf0;stroke:#8a6d3b;stroke-width:3}.side1{fill:#4a4038;stroke:#241f1a;"
    "stroke-width:3}.none{fill:#b8c4cc;stroke:#6f7f8a;stroke-width:3}.letter{font:700 30px sans-serif;"
    "text-anchor:middle;fill:#2b2118}.light{fill:#fff8e6}"
    "@media (prefers-color-scheme:dark){.page{fill:#1d1b18}.cell{fill:#3d362a;stroke:#5d523d}.hand{fill:#2c2822}"
    ".ink{fill:#d8cbb0}.line{stroke:#b08a4f}.point{fill:#b08a4f}}"
    "</style>";

/* Text of the game in a document. */
static void put_escaped(kz_writer *writer, const char *text) {
    for (; *text; text++) {
        switch (*text) {
        case '&':
            kz_put(writer, "&amp;");
            break;
        case '<':
            kz_put(writer, "&lt;");
            break;
        case '>':
            kz_put(writer, "&gt;");
            break;
        case '\'':
            kz_put(writer, "&#39;");
            break;
        case '"':
            kz_put(writer, "&quot;");
            break;
        default:
            kz_put_char(writer, *text);
        }
    }
}

static int svg_x(const board *b, int square) { return (int)lroundf((b->look->square[square].x - b->left + 1) * CELL); }
static int svg_y(const board *b, int square) { return (int)lroundf((b->look->square[square].y - b->top + 1) * CELL); }

static void write_square(kz_writer *writer, const board *b, int number) {
    const kz_square *square = &b->look->square[number];
    int x = svg_x(b, number);
    int y = svg_y(b, number);
    if (square->shape == KZ_SHAPE_POINT) {
        kz_write(writer, "<circle class='point' cx='%d' cy='%d' r='8'/>\n", x, y);
    } else {
        kz_write(writer, "<rect class='%s' x='%d' y='%d' width='%d' height='%d'/>\n",
                 square->shape == KZ_SHAPE_HAND ? "hand" : "cell", x - CELL / 2, y - CELL / 2, CELL, CELL);
    }
}

static void write_piece(kz_writer *writer, const board *b, int square) {
    static const char *const classes[] = {"none", "side0", "side1"};
    const kz_piece_look *piece = piece_on(b, square);
    kz_write(writer, "<g transform='translate(%d %d)'><title>", svg_x(b, square), svg_y(b, square));
    put_escaped(writer, piece->name);
    kz_put(writer, "</title>");
    if (piece->path) {
        kz_write(writer, "<path class='%s' transform='scale(.64) translate(-50 -50)' d='", classes[piece->side + 1]);
        put_escaped(writer, piece->path);
        kz_put(writer, "'/>");
    } else {
        kz_write(writer, "<circle class='%s' r='30'/><text class='letter%s' y='11'", classes[piece->side + 1],
                 piece->side == 1 ? " light" : "");
        if (piece->emoji) { /* for programs that have no font for it */
            kz_put(writer, " data-letter='");
            put_escaped(writer, piece->letter);
            kz_put(writer, "'");
        }
        kz_put(writer, ">");
        put_escaped(writer, piece->emoji ? piece->emoji : piece->letter);
        kz_put(writer, "</text>");
    }
    if (b->count[square] > 1) {
        kz_write(writer, "<text class='ink' x='30' y='34'>%d</text>", b->count[square]);
    }
    kz_put(writer, "</g>\n");
}

kz_status kz_look_draw_svg(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error) {
    const kz_definition *definition = game->definition;
    if (!definition->look) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "the definition of %s does not say how its board looks",
                       definition->name);
    }
    board b;
    read_board(game, position, true, &b);
    int width = (int)lroundf((b.right - b.left + 2) * CELL);
    int height = (int)lroundf((b.bottom - b.top + 2) * CELL);
    kz_writer writer = kz_writer_into(text, size);
    kz_write(&writer, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' role='img'><title>", width, height);
    put_escaped(&writer, definition->title);
    kz_write(&writer, "</title>%s\n<rect class='page' width='%d' height='%d'/>\n", style, width, height);
    for (int i = 0; i < b.look->lines; i++) {
        int from = b.look->line[i][0];
        int to = b.look->line[i][1];
        kz_write(&writer, "<line class='line' x1='%d' y1='%d' x2='%d' y2='%d'/>\n", svg_x(&b, from), svg_y(&b, from),
                 svg_x(&b, to), svg_y(&b, to));
    }
    for (int i = 0; i < b.look->squares; i++) {
        write_square(&writer, &b, i);
    }
    for (int i = 0; i < b.look->squares; i++) {
        if (b.piece[i]) {
            write_piece(&writer, &b, i);
        } else if (b.look->square[i].shape == KZ_SHAPE_SQUARE) {
            kz_write(&writer, "<text class='ink' opacity='.45' x='%d' y='%d'>", svg_x(&b, i), svg_y(&b, i) + 34);
            put_escaped(&writer, b.look->square[i].label);
            kz_put(&writer, "</text>\n");
        }
    }
    kz_put(&writer, "</svg>\n");
    return kz_written(&writer, error);
}
