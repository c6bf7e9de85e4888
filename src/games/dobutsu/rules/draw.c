/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/rules/definition.h"

#include "base/text_writer.h"
#include "games/dobutsu/rules/notation.h"
#include "games/dobutsu/rules/rules.h"

static kz_dobutsu sente_view(const kz_dobutsu *position) {
    kz_dobutsu view = *position;
    if (view.turn) {
        kz_dobutsu_flip(&view);
    }
    return view;
}

static int kind_of(uint8_t cell) { return (cell & (KZ_DOBUTSU_ENEMY - 1)) - 1; }

static const char *const side_names[2] = {"sente", "gote"};

/* ---- Characters ------------------------------------------------------------------------------------------------ */

static void write_hand_line(kz_writer *writer, const kz_dobutsu *view, int side) {
    kz_write(writer, "  %s:", side_names[side]);
    bool empty = true;
    for (int i = 0; i < 4; i++) {
        int kind = kz_dobutsu_hand_order[i];
        if (view->hand[side][kind]) {
            kz_write(writer, " %s", kz_dobutsu_kind_name(kind));
            if (view->hand[side][kind] > 1) {
                kz_write(writer, " x%d", view->hand[side][kind]);
            }
            empty = false;
        }
    }
    kz_write(writer, "%s%s\n", empty ? " -" : "", view->turn == side ? "  (to move)" : "");
}

kz_status kz_dobutsu_draw(const kz_dobutsu *position, char *text, size_t size, kz_error *error) {
    kz_dobutsu view = sente_view(position);
    kz_writer writer = kz_writer_into(text, size);
    write_hand_line(&writer, &view, 1);
    kz_write(&writer, "     3   2   1\n   +---+---+---+\n");
    for (int row = 3; row >= 0; row--) {
        kz_write(&writer, "  ");
        for (int column = 0; column < 3; column++) {
            uint8_t cell = view.board[3 * row + column];
            const char *letters = cell & KZ_DOBUTSU_ENEMY ? "ceglc" : "CEGLC";
            bool hen = cell != KZ_DOBUTSU_EMPTY && kind_of(cell) == KZ_DOBUTSU_HEN;
            kz_write(&writer, " |%c%c", hen ? '+' : ' ', cell == KZ_DOBUTSU_EMPTY ? ' ' : letters[kind_of(cell)]);
        }
        kz_write(&writer, " | %c\n   +---+---+---+\n", 'd' - row);
    }
    write_hand_line(&writer, &view, 0);
    return kz_written(&writer, error);
}

/* ---- SVG ------------------------------------------------------------------------------------------------------- */

enum {
    CELL = 100,
    BOARD_X = 124,
    BOARD_Y = 46,
    STAND_WIDTH = 84,
    STAND_HEIGHT = 312,
    STAND_STEP = 76,
    WIDTH = 2 * BOARD_X + 3 * CELL,
    HEIGHT = BOARD_Y + 4 * CELL + 50
};

static const char style[] =
    "<style>"
    ".page{fill:#fbf7ee}.cell{fill:#f6e7c1;stroke:#8a6d3b;stroke-width:2}.sky{fill:#cfe6f5}.wood{fill:#d3e8c0}"
    ".stand{fill:#efe3c8}.turn{stroke:#d9822b;stroke-width:4}.ink{fill:#5b4a2e;font:600 17px sans-serif;"
    "text-anchor:middle}.sente{fill:#fffaf0;stroke:#b08a4a}.gote{fill:#eef5fb;stroke:#6f93ad}.badge{fill:#d9822b}"
    ".count{fill:#fff;font:700 17px sans-serif;text-anchor:middle}"
    "@media (prefers-color-scheme:dark){.page{fill:#1d1b18}.cell{fill:#4b3f2a;stroke:#8f7a52}.sky{fill:#2b4557}"
    ".wood{fill:#36492b}.stand{fill:#2c2822}.ink{fill:#d8cbb0}.sente{fill:#efe2c6}.gote{fill:#c9d9e6}}"
    "</style>";

/* Faces around (0, 0), within 26 units or so; eyes are the same for all. */
#define EYES(x, y)                                                                                                     \
    "<g fill='#2b2118'><circle cx='-" #x "' cy='" #y "' r='3'/><circle cx='" #x "' cy='" #y "' r='3'/></g>"

static const char *const faces[KZ_DOBUTSU_KINDS] = {
    [KZ_DOBUTSU_CHICK] =
        "<path d='M-2-20q-5-8 2-8q-1 5 3 8' fill='none' stroke='#d99a00' stroke-width='3'/>"
        "<circle r='22' fill='#ffd94d'/><path d='M-6 3h12l-6 8z' fill='#ee7d1d'/>"
        "<g fill='#f9a66c'><circle cx='-13' cy='5' r='4'/><circle cx='13' cy='5' r='4'/></g>" EYES(9, -4),
    [KZ_DOBUTSU_ELEPHANT] = "<g fill='#8ea3b8'><ellipse cx='-18' cy='-5' rx='11' ry='15'/>"
                            "<ellipse cx='18' cy='-5' rx='11' ry='15'/></g>"
                            "<g fill='#f0b9bd'><ellipse cx='-19' cy='-4' rx='6' ry='9'/>"
                            "<ellipse cx='19' cy='-4' rx='6' ry='9'/></g><circle cy='-4' r='19' fill='#a9bccf'/>"
                            "<path d='M0 2v14q0 8 9 7' fill='none' stroke='#8ea3b8' stroke-width='10' "
                            "stroke-linecap='round'/>" EYES(9, -8),
    [KZ_DOBUTSU_GIRAFFE] =
        "<g stroke='#a8672a' stroke-width='4' stroke-linecap='round'><path d='M-7-16v-8M7-16v-8'/></g>"
        "<g fill='#e8b13c'><ellipse cx='-19' cy='-11' rx='8' ry='4.5'/>"
        "<ellipse cx='19' cy='-11' rx='8' ry='4.5'/>"
        "<path d='M-15-14q15-9 30 0l-4 28h-22z'/></g>"
        "<g fill='#b5702c'><circle cx='-7' cy='-13' r='3.5'/><circle cx='5' cy='-15' r='3'/>"
        "<circle cx='1' cy='-2' r='3.5'/></g><ellipse cy='15' rx='16' ry='10' fill='#f7dfa5'/>"
        "<g fill='#8a5522'><circle cx='-5' cy='14' r='2'/><circle cx='5' cy='14' r='2'/></g>" EYES(10, -6),
    [KZ_DOBUTSU_LION] = "<circle r='24' fill='#c8681c' stroke='#a94f12' stroke-width='6' stroke-dasharray='9 4'/>"
                        "<g fill='#f3b54a'><circle cx='-15' cy='-15' r='6'/><circle cx='15' cy='-15' r='6'/>"
                        "<circle r='18'/></g><ellipse cy='8' rx='9' ry='7' fill='#fff1cf'/>"
                        "<path d='M-4 3h8l-4 5z' fill='#7a3d12'/>"
                        "<path d='M0 8v3m-5 0q5 4 10 0' fill='none' stroke='#7a3d12' stroke-width='2'/>" EYES(8, -4),
    [KZ_DOBUTSU_HEN] =
        "<g fill='#d8332b'><circle cx='-8' cy='-21' r='6'/><circle cy='-24' r='6'/>"
        "<circle cx='8' cy='-21' r='6'/></g>"
        "<circle r='21' fill='#fff' stroke='#cbbfa8' stroke-width='2'/>"
        "<path d='M-5 13h10l-5 11z' fill='#d8332b'/><path d='M-7 3h14l-7 9z' fill='#f2a31b'/>" EYES(9, -4),
};

/* A face with a dot in each direction that the piece moves in. */
static void write_symbol(kz_writer *writer, int kind) {
    enum { MIDDLE = 4, EDGE = 35 };
    kz_write(writer, "<g id='kz-%s'><g transform='scale(1.12)'>%s</g><g fill='#c0392b'>", kz_dobutsu_kind_name(kind),
             faces[kind]);
    for (int square = 0; square < 9; square++) {
        if (kz_dobutsu_steps(kind, MIDDLE) >> square & 1) {
            kz_write(writer, "<circle cx='%d' cy='%d' r='3.2'/>", EDGE * (square % 3 - 1), EDGE * (1 - square / 3));
        }
    }
    kz_write(writer, "</g></g>\n");
}

static void write_piece(kz_writer *writer, int kind, int side, int x, int y, const char *scale) {
    kz_write(writer,
             "<g class='%s' transform='translate(%d %d)%s%s'><rect x='-42' y='-42' width='84' height='84' rx='14' "
             "stroke-width='2.5'/><use href='#kz-%s' stroke='none'/></g>\n",
             side_names[side], x, y, side ? " rotate(180)" : "", scale, kz_dobutsu_kind_name(kind));
}

/* A stand for captured pieces: gote's at the top left, sente's at the bottom right. */
static void write_stand(kz_writer *writer, const kz_dobutsu *view, int side) {
    int x = side ? 8 : WIDTH - 8 - STAND_WIDTH;
    int y = side ? BOARD_Y : BOARD_Y + 4 * CELL - STAND_HEIGHT;
    kz_write(writer, "<rect class='stand%s' x='%d' y='%d' width='%d' height='%d' rx='12'/>\n",
             view->turn == side ? " turn" : "", x, y, STAND_WIDTH, STAND_HEIGHT);
    int slot = 0;
    for (int i = 0; i < 4; i++) {
        int kind = kz_dobutsu_hand_order[i];
        if (view->hand[side][kind] == 0) {
            continue;
        }
        int from_edge = STAND_STEP / 2 + 4 + STAND_STEP * slot++;
        int middle_x = x + STAND_WIDTH / 2;
        int middle_y = side ? y + from_edge : y + STAND_HEIGHT - from_edge;
        write_piece(writer, kind, side, middle_x, middle_y, " scale(.82)");
        if (view->hand[side][kind] > 1) {
            kz_write(writer,
                     "<circle class='badge' cx='%d' cy='%d' r='13'/><text class='count' x='%d' y='%d'>%d</text>\n",
                     middle_x + 28, middle_y - 26, middle_x + 28, middle_y - 20, view->hand[side][kind]);
        }
    }
}

static void write_svg_board(kz_writer *writer, const kz_dobutsu *view) {
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        static const char *const ground[4] = {" wood", "", "", " sky"};
        kz_write(writer, "<rect class='cell%s' x='%d' y='%d' width='%d' height='%d'/>\n", ground[square / 3],
                 BOARD_X + CELL * (square % 3), BOARD_Y + CELL * (3 - square / 3), CELL, CELL);
    }
    for (int column = 0; column < 3; column++) {
        kz_write(writer, "<text class='ink' x='%d' y='%d'>%d</text>\n", BOARD_X + CELL * column + CELL / 2,
                 BOARD_Y - 14, 3 - column);
    }
    for (int row = 0; row < 4; row++) {
        kz_write(writer, "<text class='ink' x='%d' y='%d'>%c</text>\n", BOARD_X + 3 * CELL + 16,
                 BOARD_Y + CELL * (3 - row) + 56, 'd' - row);
    }
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        uint8_t cell = view->board[square];
        if (cell != KZ_DOBUTSU_EMPTY) {
            write_piece(writer, kind_of(cell), cell & KZ_DOBUTSU_ENEMY ? 1 : 0,
                        BOARD_X + CELL * (square % 3) + CELL / 2, BOARD_Y + CELL * (3 - square / 3) + CELL / 2, "");
        }
    }
}

kz_status kz_dobutsu_draw_svg(const kz_dobutsu *position, char *text, size_t size, kz_error *error) {
    kz_dobutsu view = sente_view(position);
    char sfen[64];
    KZ_TRY(kz_dobutsu_format(position, KZ_DOBUTSU_SFEN, sfen, sizeof sfen, error));
    kz_writer writer = kz_writer_into(text, size);
    kz_write(&writer,
             "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' role='img'>\n"
             "<title>Dobutsu Shogi: %s</title>\n%s\n<defs>\n",
             WIDTH, HEIGHT, WIDTH, HEIGHT, sfen, style);
    for (int kind = 0; kind < KZ_DOBUTSU_KINDS; kind++) {
        write_symbol(&writer, kind);
    }
    kz_write(&writer, "</defs>\n<rect class='page' width='%d' height='%d' rx='16'/>\n", WIDTH, HEIGHT);
    write_stand(&writer, &view, 1);
    write_stand(&writer, &view, 0);
    write_svg_board(&writer, &view);
    kz_write(&writer, "<text class='ink' x='%d' y='%d'>%s to move</text>\n</svg>\n", WIDTH / 2, HEIGHT - 18,
             view.turn ? "Gote" : "Sente");
    return kz_written(&writer, error);
}
