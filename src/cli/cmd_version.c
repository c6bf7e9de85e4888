/* SPDX-License-Identifier: MIT */
#include "command.h"
#include "options.h"

#include <stdio.h>

static int run(struct arguments *arguments) {
    if (!parse_options(arguments, NULL, 0, 0)) {
        return STATUS_USAGE;
    }
    printf("kanzen %s\n", kz_version());
    return STATUS_FINE;
}

const struct command command_version = {
    .name = "version",
    .summary = "Print the version",
    .operands = "",
    .help = "",
    .examples = "kanzen version\n",
    .run = run,
};
