/* SPDX-License-Identifier: MIT
 *
 * Which shogi records a file has, and which dialect of moves: what the user says, or what the file's name tells. */
#ifndef CLI_SHOGI_RECORDS_H
#define CLI_SHOGI_RECORDS_H

#include "command.h"

#include <kanzen/shogi_records.h>

/* The record called `name`, the value of the option --`option`; or if `name` is NULL, the one that the ending of the
 * path stands for: the name of a record, .bin (psv by custom), .txt (plain), .kifu (kif). KZ_SHOGI_RECORDS after
 * telling the user which there are. */
kz_shogi_record record_of_option_or_path(const struct command *command, const char *option, const char *name,
                                         const char *path);

/* As completions offer them. */
#define DIALECT_WORDS "yaneuraou drops82 apery"

/* "yaneuraou", "drops82", "apery". */
const char *dialect_name(kz_shogi_dialect dialect);
/* The dialect called `name`, the value of the option --`option`; the usual one (KZ_SHOGI_DIALECTS) if it is NULL. False
 * after telling the user which there are. */
bool dialect_of_option(const struct command *command, const char *option, const char *name, kz_shogi_dialect *dialect);

#endif
