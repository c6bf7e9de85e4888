/* SPDX-License-Identifier: MIT
 *
 * Files that a user names: by themselves, by a pattern, or as all files of a folder. */
#ifndef CLI_SHOGI_INPUTS_H
#define CLI_SHOGI_INPUTS_H

#include "app/cli/command.h"

#include <kanzen/shogi_files.h>

typedef struct shogi_inputs {
    kz_shogi_source *sources;
    char **paths; /* of the sources */
    size_t count;
    size_t room;
} shogi_inputs;

/* How the files are to be read; the options are those of the command. */
typedef struct shogi_reading {
    const cli_command *command;
    const char *record;  /* --record: what files have whose names don't tell; NULL: all names tell */
    const char *dialect; /* --dialect */
} shogi_reading;

/* Adds the files that `name` stands for, in the order of their names: "-" is the standard input; of a folder, and the
 * folders in it, those whose names tell what records they have, and with --record all others, too; a pattern (*, ?,
 * [...]) is expanded. Returns the exit code; the user has been told if it is not STATUS_FINE. */
int add_inputs(shogi_inputs *inputs, const shogi_reading *reading, const char *name);
/* Refuses --record if no file has such records: then it was meant for a file whose name tells something else. */
int check_record_option(const shogi_reading *reading, const shogi_inputs *const *sets, size_t count);
/* Adds the files of two sets, of which each has to have a file. Free them in any case. */
int add_two_sets(shogi_inputs sets[2], const shogi_reading *reading, const char *const names[2]);
void free_inputs(shogi_inputs *inputs);

#endif
