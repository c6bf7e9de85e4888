/* SPDX-License-Identifier: MIT
 *
 * Options of a command, declared as a table:
 *
 *     const char *file = NULL;
 *     uint64_t plies = 100;
 *     bool json = false;
 *     const cli_option options[] = {
 *         OPTION_TEXT("table", &file, "FILE", "the table to use"),
 *         OPTION_NUMBER("plies", &plies, 1, 1000, "stop after N plies (default: 100)"),
 *         OPTION_FLAG("json", &json, "print JSON"),
 *         OPTION_END,
 *     };
 *     CLI_TRY(read_options(arguments, options, 1, 2));
 *
 * Values follow as "--name VALUE" or "--name=VALUE"; "--" ends the options; "-" and "-12" are operands. Of an option
 * given twice the last value counts; OPTION_TEXTS keeps them all.
 *
 * The table is also what help, the man page, docs/commands.md and the shells know about the command. For that,
 * describe_command calls the command with arguments->description set: read_options then copies the table there and
 * returns another code than STATUS_FINE. So a command calls read_options before it does anything else. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "command.h"

#include <stdint.h>

/* The values of an option that may be given several times. There are fewer than the command has arguments. */
typedef struct cli_texts {
    const char **items;
    int count;
} cli_texts;

typedef struct cli_option {
    const char *name; /* without the dashes; NULL ends the table */
    const char *help; /* what it does, without a full stop; lines are broken where it is printed */

    /* What the help calls its value; NULL for a flag. FILE, FOLDER, RULES, BOARD, FORM and RECORDS are completed. */
    const char *value;
    const char *words; /* the words that it may be, separated by spaces; NULL: other values */
    bool required;
    bool alias;   /* another name of the option before it */
    bool old;     /* a name that scripts may still use; the help does not have it */
    bool repeats; /* it may be given several times */

    bool *flag;
    const char **text;
    cli_texts *texts;
    uint64_t *number;
    uint64_t least, most; /* what a number may be */
} cli_option;

/* After the help text other members may follow: OPTION_TEXT("to", &to, "FORM", "the notation", .required = true) */
/* clang-format off */
#define OPTION_FLAG(name_, target_, ...) {.name = (name_), .flag = (target_), .help = __VA_ARGS__}
#define OPTION_TEXT(name_, target_, value_, ...) \
    {.name = (name_), .text = (target_), .value = (value_), .help = __VA_ARGS__}
#define OPTION_TEXTS(name_, target_, value_, ...) \
    {.name = (name_), .texts = (target_), .value = (value_), .repeats = true, .help = __VA_ARGS__}
#define OPTION_NUMBER(name_, target_, least_, most_, ...) \
    {.name = (name_), .number = (target_), .least = (least_), .most = (most_), .value = "N", .help = __VA_ARGS__}
#define OPTION_END {.name = NULL}
/* clang-format on */

/* Reads the options (NULL: the command has none) and leaves the operands in `arguments`. Their number must be from
 * `fewest` to `most`. On a wrong call it tells the user. Returns the exit code. */
int read_options(cli_arguments *arguments, const cli_option *options, int fewest, int most);

/* A whole decimal number, digits only, from `least` to `most`. */
bool parse_number(const char *text, uint64_t least, uint64_t most, uint64_t *number);

/* The option called so (`length` bytes), or NULL. */
const cli_option *find_option(const cli_option *options, const char *name, size_t length);

/* A copy of a command's option table, to read and print; the targets of its options are gone. */
enum { MOST_OPTIONS = 40 };
typedef struct cli_description {
    const cli_command *command;
    cli_option options[MOST_OPTIONS + 1];
} cli_description;
void describe_command(const cli_command *command, cli_description *description);

/* What --memory says: "4096", "512M", "16G": bytes, or so many times 1024 of them and so on. NULL leaves `size` alone.
 * If it is no size, the user has been told. */
int memory_of_option(const cli_command *command, const char *text, uint64_t *size);

#endif
