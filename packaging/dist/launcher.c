/* SPDX-License-Identifier: MIT
 *
 * bin/kanzen of the archive that tools/dist makes. The archive brings its own C library, so that it runs where that of
 * the system is older, and with it the loader that belongs to it. This small program, which needs no library at all,
 * finds the folder that it lies in and starts the command with that loader:
 *
 *     FOLDER/bin/kanzen            this
 *     FOLDER/lib/LOADER            ld-linux-x86-64.so.2 and the like
 *     FOLDER/lib/                  libraries and modules
 *     FOLDER/libexec/kanzen        the command */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, OWN_ARGUMENTS = 6 };

static int fail(const char *what) {
    fprintf(stderr, "kanzen: can't start: %s: %s\n", what, strerror(errno));
    return 3;
}

int main(int count, char **arguments) {
    char folder[PATH_BYTES - 64];
    char loader[PATH_BYTES];
    char libraries[PATH_BYTES];
    char command[PATH_BYTES];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    if (length < 0) {
        return fail("/proc/self/exe");
    }
    folder[length] = '\0';
    for (int i = 0; i < 2; i++) { /* the name, and bin */
        char *slash = strrchr(folder, '/');
        if (slash == NULL) {
            errno = ENOENT;
            return fail(folder);
        }
        *slash = '\0';
    }
    snprintf(loader, sizeof loader, "%s/lib/" LOADER, folder);
    snprintf(libraries, sizeof libraries, "%s/lib", folder);
    snprintf(command, sizeof command, "%s/libexec/kanzen", folder);
    char **words = calloc((size_t)count + OWN_ARGUMENTS + 1, sizeof *words);
    if (words == NULL) {
        return fail("memory");
    }
    int at = 0;
    words[at++] = loader;
    words[at++] = "--library-path";
    words[at++] = libraries;
    words[at++] = "--argv0";
    words[at++] = count > 0 ? arguments[0] : "kanzen";
    words[at++] = command;
    for (int i = 1; i < count; i++) {
        words[at++] = arguments[i];
    }
    execv(loader, words);
    return fail(loader);
}
