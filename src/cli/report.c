/* SPDX-License-Identifier: MIT */
#include "command.h"

#include <stdarg.h>
#include <stdio.h>

static int exit_code_of(kz_status status) {
    switch (status) {
    case KZ_OK:
        return STATUS_FINE;
    case KZ_ERR_MISMATCH:
        return STATUS_NO;
    case KZ_ERR_INPUT:
    case KZ_ERR_UNSUPPORTED:
        return STATUS_USAGE;
    case KZ_ERR_IO:
    case KZ_ERR_MEMORY:
        return STATUS_IO;
    case KZ_ERR_CORRUPT:
        return STATUS_CORRUPT;
    case KZ_ERR_CANCELLED:
        return STATUS_INTERRUPTED;
    }
    return STATUS_IO;
}

int report_error(const struct command *command, const kz_error *error) {
    fprintf(stderr, "kanzen %s: %s\n", command->name, error->message);
    return exit_code_of(error->status);
}

int report_usage(const struct command *command, const char *format, ...) {
    const char *space = command != NULL ? " " : "";
    const char *name = command != NULL ? command->name : "";
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "kanzen%s%s: ", space, name);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\nTry: kanzen help%s%s\n", space, name);
    va_end(arguments);
    return STATUS_USAGE;
}
