/* SPDX-License-Identifier: MIT
 *
 * Which shogi records a file has, and which dialect of moves: what the user says, or what the file's name tells. */
#ifndef CLI_SHOGI_RECORDS_H
#define CLI_SHOGI_RECORDS_H

#include "app/cli/options.h"

#include <kanzen/shogi_files.h>

/* The record called `name`, the value of the option --`option`; or if `name` is NULL, the one that the ending of the
 * path stands for: the name of a record, .bin (psv by custom), .txt (plain), .kifu (kif). KZ_SHOGI_RECORDS after
 * telling the user which there are. */
kz_shogi_record record_of_option_or_path(const cli_command *command, const char *option, const char *name,
                                         const char *path);
/* The same for a file that is to be written: records that can only be read are refused. */
kz_shogi_record record_to_write(const cli_command *command, const char *option, const char *name, const char *path);

/* As completions offer them. */
#define DIALECT_WORDS "yaneuraou drops82 apery"

/* The records that the ending of a file's name tells of, KZ_SHOGI_RECORDS if it tells nothing. */
kz_shogi_record record_of_path(const char *path);
/* Whether that ending is used for records of several kinds (.bin, .txt), so that what the user says goes before it. */
bool is_ambiguous_path(const char *path);

/* clang-format off */
#define OPTION_UNSEARCHED(target_) \
    OPTION_FLAG("unsearched", target_, "hcpe3: take also positions whose move has no candidates")
/* clang-format on */

/* The dialect called `name`, the value of the option --`option`; the usual one (KZ_SHOGI_DIALECTS) if it is NULL. If
 * there is none, the user is told which there are. */
int dialect_of_option(const cli_command *command, const char *option, const char *name, kz_shogi_dialect *dialect);

#endif
