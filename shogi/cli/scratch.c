/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int make_scratch_folder(const cli_command *command, const char *parent, scratch_folder *folder) {
    const char *above = parent ? parent : getenv("TMPDIR");
    if (!above || above[0] == '\0') {
        above = "/tmp";
    }
    kz_error error = {.status = KZ_ERR_IO};
    int length = snprintf(folder->path, sizeof folder->path, "%s/kanzen-XXXXXX", above);
    if (length < 0 || (size_t)length >= sizeof folder->path) {
        snprintf(error.message, sizeof error.message, "the name of the folder for temporary files is too long: %.200s",
                 above);
    } else if (!mkdtemp(folder->path)) {
        snprintf(error.message, sizeof error.message, "can't make a folder for temporary files in %.200s: %s", above,
                 strerror(errno));
    } else {
        return STATUS_FINE;
    }
    folder->path[0] = '\0';
    return report_error(command, &error);
}

static int remove_entry(const char *path, const struct stat *found, int kind, struct FTW *walk) {
    (void)found;
    (void)kind;
    (void)walk;
    (void)remove(path);
    return 0;
}

void remove_scratch_folder(scratch_folder *folder) {
    if (folder->path[0] != '\0') {
        (void)nftw(folder->path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
        folder->path[0] = '\0';
    }
}
