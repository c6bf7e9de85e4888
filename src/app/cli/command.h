/* SPDX-License-Identifier: MIT
 *
 * A command is one of these structs, in a file cli/cmd_NAME.c of its own, and one line in app/cli/commands.c. All that
 * is said about it (help, the man page, the usage in docs/commands.md, what the shells complete) comes from this struct
 * and from the option table that it gives to read_options. docs/adding-a-command.md has an example. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <kanzen/error.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cli_command cli_command;
typedef struct cli_description cli_description;

/* The exit codes that scripts rely on. */
enum {
    STATUS_FINE = 0,
    STATUS_NO = 1, /* the question was understood and the answer is no */
    STATUS_USAGE = 2,
    STATUS_IO = 3,
    STATUS_CORRUPT = 4,
    STATUS_INTERRUPTED = 130 /* as shells report a program that SIGINT ended */
};

/* Ends the command with the exit code of a step, and goes on if that is STATUS_FINE: the user has been told. */
#define CLI_TRY(step)                                                                                                  \
    do {                                                                                                               \
        int code_ = (step);                                                                                            \
        if (code_ != STATUS_FINE) {                                                                                    \
            return code_;                                                                                              \
        }                                                                                                              \
    } while (0)

/* What came after the command's name; read_options leaves only the operands, those that are not options. */
typedef struct cli_arguments {
    const cli_command *command;
    int count;
    char **items;
    cli_description *description; /* not NULL: only the option table is wanted, see options.h */
} cli_arguments;

typedef struct cli_command {
    const char *name;                     /* a word, or two words: "shogi check" belongs to the group "shogi" */
    const char *summary;                  /* for the list of commands, without a full stop */
    const char *operands;                 /* what follows the name, options aside: "GAME [POSITION]" */
    const char *help;                     /* paragraphs; lines that begin with spaces stay as they are */
    const char *(*more_help)(int number); /* more paragraphs, each after an empty line; NULL past the last */
    const char *examples;                 /* whole lines */
    int (*run)(cli_arguments *arguments); /* returns the exit code; NULL: a group, which only has commands */
} cli_command;

/* The commands, in the order in which help lists them; NULL past the last. */
const cli_command *command_at(int number);

/* The command that the words begin with, or NULL; `used` gets the number of words in its name. */
const cli_command *find_command(int count, char *const *words, int *used);
/* Whether `command` is one of the group, and then the second word of its name; else NULL. */
const char *name_in_group(const cli_command *command, const cli_command *group);

/* Prints "kanzen NAME: message" on stderr and returns the exit code for the error. */
int report_error(const cli_command *command, const kz_error *error);
/* The exit code for what a call of the library returned; if it failed, the user is told. */
int exit_code(const cli_command *command, kz_status status, const kz_error *error);
/* The same for a wrong call, with a pointer to the help; returns STATUS_USAGE. `command` may be NULL. */
__attribute__((format(printf, 2, 3))) int report_usage(const cli_command *command, const char *format, ...);
/* The same without that pointer, for what is no kz_error; returns `code`. */
__attribute__((format(printf, 3, 4))) int report_message(const cli_command *command, int code, const char *format, ...);
/* There is no such command; says which one may be meant. Returns STATUS_USAGE. */
int report_unknown_command(int count, char *const *words);

/* Reads a line of standard input without its end. As many bytes as there is room for are kept; `length` is that of the
 * whole line. False at the end of the input. */
bool read_input_line(char *line, size_t room, size_t *length);

/* Text from outside (arguments, files, what another program sent) may hold bytes that a terminal obeys. What is shown
 * to the user has them escaped. */
/* Room for the escaped form of a text of so many bytes. */
#define ESCAPED_BYTES(bytes_) (4 * (bytes_) + 1)

/* Copies `text` into `safe` with control characters, and bytes that are no UTF-8, written as \x1b; line ends and tabs
 * as \n and \t. Cuts what does not fit. Returns `safe`. */
const char *escape_controls(const char *text, char *safe, size_t size);

/* ---- Help (cmd_help.c, help_text.c, complete.c) ------------------------------------------------------------------ */

/* All that a command's struct and its option table say. */
void print_help(const cli_command *command);
/* The same as a subsection in the language of man pages (mdoc). */
void print_help_man(const cli_command *command);
/* The usage and a table of options, between the marks that tools/update-docs looks for. */
void print_help_markdown(const cli_command *command);

/* What can be typed next. The completions of bash, zsh and fish (packaging/completions) ask `kanzen help --complete --
 * WORD...` with the words after the program's name; the last one is being typed, and may be empty.
 *
 * Prints a line for each candidate: the word, a tab, and what it is. A line ":files" or ":folders" stands for the names
 * of files or folders. The shell leaves out what does not begin as the last word does. */
void print_completions(int count, char *const *words);

#endif
