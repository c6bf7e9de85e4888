/* SPDX-License-Identifier: MIT */
#include "terminal.h"

#include "command.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef KANZEN_LIBEDIT
#include <editline/readline.h>
#endif

static bool is_set(const char *name) {
    const char *value = getenv(name);
    return value && value[0] != '\0';
}

/* ---- Lines that can be edited ------------------------------------------------------------------------------------ */

#ifdef KANZEN_LIBEDIT

/* The library calls back without a context. */
static const cli_word *known_words;
static const char *known_values; /* that the word at the beginning of the line may be followed by */

/* The next word that begins with `text`: the first of all if `again` is 0. */
static char *next_word(const char *text, int again) {
    static size_t number;
    size_t length = strlen(text);
    number = again == 0 ? 0 : number;
    while (known_words[number].name) {
        const char *word = known_words[number++].name;
        if (strncmp(word, text, length) == 0) {
            return strdup(word);
        }
    }
    return NULL;
}

static char *next_value(const char *text, int again) {
    static const char *rest = "";
    size_t length = strlen(text);
    rest = again == 0 ? known_values : rest;
    while (*rest != '\0') {
        const char *value = rest;
        size_t bytes = strcspn(rest, " ");
        rest += bytes + (rest[bytes] == ' ');
        if (bytes >= length && memcmp(value, text, length) == 0) {
            return strndup(value, bytes);
        }
    }
    return NULL;
}

/* What the word at the beginning of the line may be followed by. */
static const char *values_of_line(void) {
    const char *line = rl_line_buffer;
    line += strspn(line, " ");
    size_t length = strcspn(line, " ");
    for (const cli_word *word = known_words; word->name; word++) {
        if (strlen(word->name) == length && memcmp(word->name, line, length) == 0) {
            return word->values ? word->values : "";
        }
    }
    return "";
}

static char **complete(const char *text, int start, int end) {
    (void)end;
    rl_attempted_completion_over = 1; /* no file names, unless they are asked for */
    if ((int)strspn(rl_line_buffer, " ") >= start) {
        return rl_completion_matches(text, next_word);
    }
    known_values = values_of_line();
    if (strcmp(known_values, WORD_FILE) == 0) {
        rl_attempted_completion_over = 0;
        return NULL;
    }
    return rl_completion_matches(text, next_value);
}

static void open_editor(cli_terminal *terminal, const cli_word *words) {
    terminal->edits = true;
    known_words = words;
    rl_readline_name = "kanzen";
    rl_attempted_completion_function = complete;
    using_history();
}

static bool read_edited(const char *prompt, char line[LINE_BYTES], bool *cut) {
    char *typed = readline(prompt);
    if (!typed) {
        return false;
    }
    *cut = strlen(typed) >= LINE_BYTES;
    snprintf(line, LINE_BYTES, "%s", typed);
    if (typed[0] != '\0' && !*cut) {
        add_history(typed);
    }
    free(typed);
    return true;
}

#else

static void open_editor(cli_terminal *terminal, const cli_word *words) {
    (void)terminal;
    (void)words;
}

static bool read_edited(const char *prompt, char line[LINE_BYTES], bool *cut) {
    (void)prompt;
    (void)line;
    (void)cut;
    return false;
}

#endif

/* ---- Either ------------------------------------------------------------------------------------------------------ */

void terminal_open(cli_terminal *terminal, const cli_word *words) {
    const char *kind = getenv("TERM");
    bool plain = !kind || strcmp(kind, "dumb") == 0;
    bool out = isatty(STDOUT_FILENO) != 0;
    *terminal = (cli_terminal){
        .asks = out && isatty(STDIN_FILENO) != 0,
        .colours = out && !plain && !is_set("NO_COLOR"),
    };
    if (terminal->asks && !plain) {
        open_editor(terminal, words);
    }
}

void terminal_close(cli_terminal *terminal) {
#ifdef KANZEN_LIBEDIT
    if (terminal->edits) {
        clear_history();
    }
#endif
    terminal->edits = false;
}

static bool read_plain(char line[LINE_BYTES], bool *cut) {
    size_t length;
    if (!read_input_line(line, LINE_BYTES - 1, &length)) {
        return false;
    }
    *cut = length >= LINE_BYTES;
    length = *cut ? LINE_BYTES - 1 : length;
    for (size_t i = 0; i < length; i++) {
        line[i] = line[i] == '\0' ? '?' : line[i];
    }
    line[length] = '\0';
    return true;
}

static void trim(char line[LINE_BYTES]) {
    size_t length = strlen(line);
    while (length > 0 && kz_is_blank(line[length - 1])) {
        length--;
    }
    line[length] = '\0';
    size_t start = 0;
    while (kz_is_blank(line[start])) {
        start++;
    }
    memmove(line, line + start, length - start + 1);
}

bool terminal_read(cli_terminal *terminal, const char *prompt, char line[LINE_BYTES], bool *cut) {
    *cut = false;
    bool read;
    if (terminal->edits) {
        fflush(stdout);
        read = read_edited(prompt, line, cut);
    } else {
        if (terminal->asks) {
            fputs(prompt, stdout);
        }
        fflush(stdout);
        read = read_plain(line, cut);
    }
    if (read) {
        trim(line);
    } else if (terminal->asks) {
        putchar('\n');
    }
    return read;
}

const char *colour_code(const cli_terminal *terminal, cli_colour colour) {
    static const char *const codes[] = {
        [COLOUR_NONE] = "\033[0m",  [COLOUR_FIRST] = "\033[1;31m", [COLOUR_SECOND] = "\033[1;36m",
        [COLOUR_GOOD] = "\033[32m", [COLOUR_BAD] = "\033[31m",     [COLOUR_DIM] = "\033[2m",
        [COLOUR_STRONG] = "\033[1m"};
    return terminal->colours ? codes[colour] : "";
}

char *split_word(char *line) {
    char *end = line;
    while (*end != '\0' && !kz_is_blank(*end)) {
        end++;
    }
    if (*end != '\0') {
        *end++ = '\0';
        while (kz_is_blank(*end)) {
            end++;
        }
    }
    return end;
}
