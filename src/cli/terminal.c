/* SPDX-License-Identifier: MIT */
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef KANZEN_LIBEDIT
#include <editline/readline.h>
#endif

static bool is_set(const char *name) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0';
}

/* ---- Lines that can be edited ------------------------------------------------------------------------------------ */

#ifdef KANZEN_LIBEDIT

/* The library calls back without a context. */
static const char *const *completed_words;

static char *next_completion(const char *text, int again) {
    static size_t number;
    size_t length = strlen(text);
    if (again == 0) {
        number = 0;
    }
    while (completed_words[number] != NULL) {
        const char *word = completed_words[number++];
        if (strncmp(word, text, length) == 0) {
            return strdup(word);
        }
    }
    return NULL;
}

/* Only the first word is one of ours; the others are files, which the library completes by itself. */
static char **complete(const char *text, int start, int end) {
    (void)end;
    return start == 0 ? rl_completion_matches(text, next_completion) : NULL;
}

static void open_editor(struct terminal *terminal, const char *const *words) {
    terminal->edits = true;
    completed_words = words;
    rl_readline_name = "kanzen";
    rl_attempted_completion_function = complete;
    using_history();
}

static bool read_edited(const char *prompt, char line[LINE_BYTES], bool *cut) {
    char *typed = readline(prompt);
    if (typed == NULL) {
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

static void open_editor(struct terminal *terminal, const char *const *words) {
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

void terminal_open(struct terminal *terminal, const char *const *words) {
    const char *kind = getenv("TERM");
    bool plain = kind == NULL || strcmp(kind, "dumb") == 0;
    bool out = isatty(STDOUT_FILENO) != 0;
    *terminal = (struct terminal){
        .asks = out && isatty(STDIN_FILENO) != 0,
        .colours = out && !plain && !is_set("NO_COLOR"),
    };
    if (terminal->asks && !plain) {
        open_editor(terminal, words);
    }
}

void terminal_close(struct terminal *terminal) {
#ifdef KANZEN_LIBEDIT
    if (terminal->edits) {
        clear_history();
    }
#endif
    terminal->edits = false;
}

static bool read_plain(char line[LINE_BYTES], bool *cut) {
    size_t length = 0;
    int letter = getc(stdin);
    if (letter == EOF) {
        return false;
    }
    while (letter != EOF && letter != '\n') {
        if (length < LINE_BYTES - 1) {
            line[length] = letter == '\0' ? '?' : (char)letter;
        }
        length++;
        letter = getc(stdin);
    }
    *cut = length >= LINE_BYTES;
    line[*cut ? LINE_BYTES - 1 : length] = '\0';
    return true;
}

static bool is_space(char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; }

static void trim(char line[LINE_BYTES]) {
    size_t length = strlen(line);
    while (length > 0 && is_space(line[length - 1])) {
        length--;
    }
    line[length] = '\0';
    size_t start = 0;
    while (is_space(line[start])) {
        start++;
    }
    memmove(line, line + start, length - start + 1);
}

bool terminal_read(struct terminal *terminal, const char *prompt, char line[LINE_BYTES], bool *cut) {
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

const char *colour_code(const struct terminal *terminal, enum colour colour) {
    static const char *const codes[] = {
        [COLOUR_NONE] = "\033[0m",  [COLOUR_FIRST] = "\033[1;31m", [COLOUR_SECOND] = "\033[1;36m",
        [COLOUR_GOOD] = "\033[32m", [COLOUR_BAD] = "\033[31m",     [COLOUR_DIM] = "\033[2m",
        [COLOUR_STRONG] = "\033[1m"};
    return terminal->colours ? codes[colour] : "";
}

char *split_word(char *line) {
    char *end = line;
    while (*end != '\0' && !is_space(*end)) {
        end++;
    }
    if (*end != '\0') {
        *end++ = '\0';
        while (is_space(*end)) {
            end++;
        }
    }
    return end;
}
