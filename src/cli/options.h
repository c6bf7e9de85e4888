/* SPDX-License-Identifier: MIT
 *
 * Options of a command, declared as a table:
 *
 *     const char *file = NULL;
 *     uint64_t threads = 0;
 *     bool json = false;
 *     const struct option options[] = {
 *         OPTION_TEXT("table", &file),
 *         OPTION_NUMBER("threads", &threads, 0, 4096),
 *         OPTION_FLAG("json", &json),
 *         OPTION_END,
 *     };
 *     if (!parse_options(arguments, options, 1, 2)) {
 *         return STATUS_USAGE;
 *     }
 *
 * Values follow as "--name VALUE" or "--name=VALUE"; "--" ends the options; "-" and "-12" are operands. Of an option
 * given twice the last value counts; OPTION_TEXTS keeps them all. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "command.h"

#include <stdbool.h>
#include <stdint.h>

/* The values of an option that may be given several times. There are fewer than the command has arguments. */
struct texts {
    const char **items;
    int count;
};

struct option {
    const char *name; /* without the dashes; NULL ends the table */
    bool *flag;
    const char **text;
    struct texts *texts;
    uint64_t *number;
    uint64_t least, most; /* what a number may be */
};

/* clang-format off */
#define OPTION_FLAG(name_, target_) {.name = (name_), .flag = (target_)}
#define OPTION_TEXT(name_, target_) {.name = (name_), .text = (target_)}
#define OPTION_TEXTS(name_, target_) {.name = (name_), .texts = (target_)}
#define OPTION_NUMBER(name_, target_, least_, most_) \
    {.name = (name_), .number = (target_), .least = (least_), .most = (most_)}
#define OPTION_END {.name = NULL}
/* clang-format on */

/* Reads the options (NULL: the command has none) and leaves the operands in `arguments`. Their number must be from
 * `fewest` to `most`. On a wrong call it tells the user and returns false. */
bool parse_options(struct arguments *arguments, const struct option *options, int fewest, int most);

/* A whole decimal number, digits only, from `least` to `most`. */
bool parse_number(const char *text, uint64_t least, uint64_t most, uint64_t *number);

#endif
