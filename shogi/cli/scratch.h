/* SPDX-License-Identifier: MIT
 *
 * A folder for temporary files that belongs to this process alone. */
#ifndef KZ_CLI_SCRATCH_H
#define KZ_CLI_SCRATCH_H

#include "app/cli/command.h"

typedef struct scratch_folder {
    char path[4096]; /* "" where there is none */
} scratch_folder;

/* Makes a new folder in `parent` (NULL: in $TMPDIR, or /tmp) that only this user can open. Its name can't be foreseen,
 * so it is none that others have made. Returns an exit code; what is wrong has been said. */
int make_scratch_folder(const cli_command *command, const char *parent, scratch_folder *folder);
/* Removes the folder and all that is in it. */
void remove_scratch_folder(scratch_folder *folder);

#endif
