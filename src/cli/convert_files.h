/* SPDX-License-Identifier: MIT
 *
 * kanzen convert shogi IN OUT: files of records, not positions. */
#ifndef CLI_CONVERT_FILES_H
#define CLI_CONVERT_FILES_H

#include "command.h"

#include <stdbool.h>
#include <stdint.h>

/* What the user asked for, as it was said; NULL where it was not. */
struct convert_files {
    const char *from, *to;
    const char *dialect, *to_dialect;
    uint64_t first, count, threads, checkpoint;
    bool skip_bad, stop, no_box, legal, resume, force, quiet, json;
};

/* Returns the exit code. */
int convert_files(const struct command *command, const struct convert_files *asked, const char *in, const char *out);

#endif
