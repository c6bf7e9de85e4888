/* SPDX-License-Identifier: MIT
 *
 * A conversation with the user: lines that are typed, with editing where a terminal allows it, or lines of a pipe; and
 * colours where they can be seen. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

enum { LINE_BYTES = 4096 };

typedef struct cli_terminal {
    bool asks;    /* both ends are a terminal: prompts make sense */
    bool edits;   /* lines can be edited, and earlier ones are remembered */
    bool colours; /* standard output shows colours, and the user wants them */
} cli_terminal;

/* A word that a line may begin with, and what may follow it: words separated by spaces, or WORD_FILE, the name of a
 * file; NULL: nothing that is known. */
typedef struct cli_word {
    const char *name;
    const char *values;
} cli_word;
#define WORD_FILE "/"

/* `words` are what the Tab key completes; the last one's name is NULL. One terminal at a time. */
void terminal_open(cli_terminal *terminal, const cli_word *words);
void terminal_close(cli_terminal *terminal);

/* The next line, without its end and the space around it. False at the end of the input. What is too long is cut off,
 * and then `cut` is true. */
bool terminal_read(cli_terminal *terminal, const char *prompt, char line[LINE_BYTES], bool *cut);

typedef enum cli_colour {
    COLOUR_NONE,
    COLOUR_FIRST,
    COLOUR_SECOND,
    COLOUR_GOOD,
    COLOUR_BAD,
    COLOUR_DIM,
    COLOUR_STRONG
} cli_colour;
/* What switches a colour on; COLOUR_NONE switches all off. Empty where there are no colours. */
const char *colour_code(const cli_terminal *terminal, cli_colour colour);

/* Splits the first word off a line: the rest without the space before it is returned, and the word ends with a 0. */
char *split_word(char *line);

#endif
