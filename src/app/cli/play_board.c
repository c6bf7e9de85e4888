/* SPDX-License-Identifier: MIT
 *
 * Drawings come from the library. There are two kinds: cells between bars, with a line for each hand above and below;
 * and rows of single characters with names of columns and rows around, and a sentence below. */
#include "play_parts.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LINES = 32, CELL_WIDTH = 4 };

typedef struct board_drawing {
    char *lines[MOST_LINES];
    int count;
} board_drawing;

static board_drawing split_lines(char *text) {
    board_drawing drawing = {.count = 0};
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line && drawing.count < MOST_LINES;
         line = strtok_r(NULL, "\n", &rest)) {
        drawing.lines[drawing.count++] = line;
    }
    return drawing;
}

static bool has_cells(const board_drawing *drawing) {
    for (int i = 0; i < drawing->count; i++) {
        if (strchr(drawing->lines[i], '|')) {
            return true;
        }
    }
    return false;
}

static void swap_lines(board_drawing *drawing, int first, int last) {
    for (; first < last; first++, last--) {
        char *line = drawing->lines[first];
        drawing->lines[first] = drawing->lines[last];
        drawing->lines[last] = line;
    }
}

static void reverse(char *first, char *end) {
    while (first < end) {
        char letter = *first;
        *first++ = *--end;
        *end = letter;
    }
}

/* Cells keep what is in them: "+c" stays "+c". */
static void reverse_cells(char *line) {
    char *first = strchr(line, '|');
    if (!first) {
        return;
    }
    char *last = strrchr(line, '|');
    while (last - first >= 2 * CELL_WIDTH) {
        char cell[CELL_WIDTH];
        last -= CELL_WIDTH;
        memcpy(cell, first, CELL_WIDTH);
        memcpy(first, last, CELL_WIDTH);
        memcpy(last, cell, CELL_WIDTH);
        first += CELL_WIDTH;
    }
}

/* The names of the files: "     3   2   1". */
static void reverse_names(char *line) {
    char *first = line + strspn(line, " ");
    reverse(first, first + strlen(first));
}

static void turn_cells(board_drawing *drawing) {
    for (int i = 2; i < drawing->count - 1; i++) {
        reverse_cells(drawing->lines[i]);
    }
    reverse_names(drawing->lines[1]);
    swap_lines(drawing, 2, drawing->count - 2);
    char *hand = drawing->lines[0];
    drawing->lines[0] = drawing->lines[drawing->count - 1];
    drawing->lines[drawing->count - 1] = hand;
}

/* Rows may have spaces missing at their ends, so all are as long as the longest one before they are turned. */
static void turn_rows(board_drawing *drawing, char rows[MOST_LINES][KZ_TEXT_BYTES / 8]) {
    size_t width = 0;
    int last = drawing->count - 1;
    for (int i = 0; i < last; i++) {
        size_t length = strlen(drawing->lines[i]);
        width = length > width ? length : width;
    }
    for (int i = 0; i < last && width < KZ_TEXT_BYTES / 8; i++) {
        snprintf(rows[i], KZ_TEXT_BYTES / 8, "%-*s", (int)width, drawing->lines[i]);
        reverse(rows[i], rows[i] + width);
        char *end = rows[i] + width;
        while (end > rows[i] && end[-1] == ' ') {
            *--end = '\0';
        }
        drawing->lines[i] = rows[i];
    }
    swap_lines(drawing, 0, last - 1);
}

void turn_board(char board[KZ_TEXT_BYTES]) {
    char text[KZ_TEXT_BYTES];
    char rows[MOST_LINES][KZ_TEXT_BYTES / 8];
    snprintf(text, sizeof text, "%s", board);
    board_drawing drawing = split_lines(text);
    if (drawing.count < 3) {
        return;
    }
    if (has_cells(&drawing)) {
        turn_cells(&drawing);
    } else {
        turn_rows(&drawing, rows);
    }
    size_t length = 0;
    for (int i = 0; i < drawing.count && length < KZ_TEXT_BYTES; i++) {
        length += (size_t)snprintf(board + length, KZ_TEXT_BYTES - length, "%s\n", drawing.lines[i]);
    }
}

/* Whose piece a letter is. Between bars capitals are the first player's; else the letters tell. */
static cli_colour colour_of(char letter, bool cells) {
    if (cells) {
        bool capital = letter >= 'A' && letter <= 'Z';
        return capital || (letter >= 'a' && letter <= 'z') ? (capital ? COLOUR_FIRST : COLOUR_SECOND) : COLOUR_NONE;
    }
    if (letter != '\0' && strchr("oOP", letter)) {
        return COLOUR_FIRST;
    }
    return letter != '\0' && strchr("xXY", letter) ? COLOUR_SECOND : COLOUR_NONE;
}

static void print_row(const cli_terminal *terminal, const char *line) {
    const char *first = strchr(line, '|');
    const char *last = strrchr(line, '|');
    bool cells = first;
    bool row = line[0] >= '1' && line[0] <= '9';
    for (const char *letter = line; *letter != '\0'; letter++) {
        bool piece = cells ? letter > first && letter < last : row;
        cli_colour colour = piece ? colour_of(*letter, cells) : COLOUR_NONE;
        if (colour != COLOUR_NONE) {
            printf("%s%c%s", colour_code(terminal, colour), *letter, colour_code(terminal, COLOUR_NONE));
        } else {
            putchar(*letter);
        }
    }
    putchar('\n');
}

kz_status print_board(const cli_terminal *terminal, const kz_game *game, const kz_position *position, bool turned,
                      kz_error *error) {
    char board[KZ_TEXT_BYTES];
    KZ_TRY(kz_draw(game, position, board, sizeof board, error));
    if (turned) {
        turn_board(board);
    }
    board_drawing drawing = split_lines(board);
    for (int i = 0; i < drawing.count; i++) {
        print_row(terminal, drawing.lines[i]);
    }
    return KZ_OK;
}
