/* SPDX-License-Identifier: MIT
 *
 * A subcommand is one of these structs, in a file cli/cmd_NAME.c of its own, and one line in cli/main.c. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <kanzen/error.h>

/* The exit codes that scripts rely on. */
enum {
    STATUS_FINE = 0,
    STATUS_NO = 1, /* the question was understood and the answer is no */
    STATUS_USAGE = 2,
    STATUS_IO = 3,
    STATUS_CORRUPT = 4,
    STATUS_INTERRUPTED = 130 /* as shells report a program that SIGINT ended */
};

/* What came after the command's name; parse_options leaves only the operands, those that are not options. */
struct arguments {
    const struct command *command;
    int count;
    char **items;
};

struct command {
    const char *name;
    const char *summary;                     /* for the list of commands, without a full stop */
    const char *usage;                       /* what follows the name: "GAME [POSITION] [--json]" */
    const char *help;                        /* the rest of the help text: whole lines */
    int (*run)(struct arguments *arguments); /* returns the exit code */
};

/* All commands in the order of the list; ends with NULL. */
extern const struct command *const commands[];

/* The command called `name`, or NULL. */
const struct command *find_command(const char *name);

/* Prints "kanzen NAME: message" on stderr and returns the exit code for the error. */
int report_error(const struct command *command, const kz_error *error);
/* The same for a wrong call, with a pointer to the help; returns STATUS_USAGE. `command` may be NULL. */
__attribute__((format(printf, 2, 3))) int report_usage(const struct command *command, const char *format, ...);

/* The help texts, on stdout. */
void print_overview(void);
void print_help(const struct command *command);

#endif
