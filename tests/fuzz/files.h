/* SPDX-License-Identifier: MIT
 *
 * For readers of files: a folder of their own, and whole files. */
#ifndef FUZZ_FILES_H
#define FUZZ_FILES_H

#include "tests/fuzz/laws.h"

#include <fcntl.h>
#include <kanzen/solve.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes a folder below TMPDIR and goes there: whatever relative names are written, they are written in it. It stays
 * behind when the fuzzer ends, as it does by _exit; tools/fuzz has a TMPDIR of its own, which it removes. */
static inline void fuzz_enter_folder(void) {
    char folder[4096];
    const char *above = getenv("TMPDIR");
    int length = snprintf(folder, sizeof folder, "%s/kanzen-fuzz-XXXXXX", above && *above ? above : "/tmp");
    if (length < 0 || (size_t)length >= sizeof folder || !mkdtemp(folder) || chdir(folder) != 0) {
        abort();
    }
}

static inline void fuzz_write_file(const char *path, const uint8_t *data, size_t size) {
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0 || write(descriptor, data, size) != (ssize_t)size || close(descriptor) != 0) {
        abort();
    }
}

/* The whole file, in a buffer that the caller frees. */
static inline uint8_t *fuzz_read_file(const char *path, size_t *size) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0) {
        abort();
    }
    *size = (size_t)status.st_size;
    uint8_t *bytes = fuzz_memory(malloc(*size + 1));
    if (read(descriptor, bytes, *size) != (ssize_t)*size || close(descriptor) != 0) {
        abort();
    }
    return bytes;
}

/* A folder with the table of a small board of Push Fight, for what needs one. */
static inline void fuzz_solve_corridor(void) {
    const kz_game *game = kz_game_find("pushfight");
    kz_solve_options options = {.threads = 1};
    kz_summary summary;
    fuzz_enter_folder();
    if (kz_solve(game, kz_rules_find(game, "corridor"), "corridor.kzt", &options, &summary, NULL) != KZ_OK) {
        abort();
    }
}

#endif
