/* SPDX-License-Identifier: MIT */
#include "solve/work_folder.h"

#include "base/error.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <kanzen/paths.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOCK_PATH_BYTES = KZ_PATH_BYTES + 8 };

static void make_lock_path(const char *folder, char path[LOCK_PATH_BYTES]) {
    snprintf(path, LOCK_PATH_BYTES, "%s/lock", folder);
}

kz_status kz_work_folder_lock(const char *folder, int *lock, kz_error *error) {
    enum { ATTEMPTS = 100 };
    char path[LOCK_PATH_BYTES];
    make_lock_path(folder, path);
    *lock = -1;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        KZ_TRY(kz_make_folders(folder, error));
        /* A link in a folder that others can write to must not lead elsewhere. */
        int descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (descriptor < 0 && errno == ENOENT) {
            continue; /* the folder was just removed */
        }
        if (descriptor < 0) {
            return kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s", path);
        }
        if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            close(descriptor);
            return kz_fail(error, KZ_ERR_IO, "another solve is at work in %s", folder);
        }
        if (kz_is_file_of(descriptor, path)) {
            *lock = descriptor;
            return KZ_OK;
        }
        close(descriptor);
    }
    return kz_fail(error, KZ_ERR_IO, "another solve is at work in %s", folder);
}

void kz_work_folder_unlock(int lock) {
    if (lock >= 0) {
        close(lock);
    }
}

void kz_work_folder_remove(const char *folder) {
    char path[LOCK_PATH_BYTES];
    make_lock_path(folder, path);
    unlink(path);
    rmdir(folder);
}
