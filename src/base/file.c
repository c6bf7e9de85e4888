/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include "base/error.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

kz_status kz_make_folders(const char *path, kz_error *error) {
    char *folder = strdup(path);
    if (folder == NULL) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    kz_status status = KZ_OK;
    for (char *end = folder; status == KZ_OK && *end != '\0';) {
        end += strspn(end, "/");
        end += strcspn(end, "/");
        char separator = *end;
        *end = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
            status = kz_fail_errno(error, KZ_ERR_IO, errno, "can't create the folder %s", folder);
        }
        *end = separator;
    }
    struct stat found;
    if (status == KZ_OK && path[0] != '\0' && stat(path, &found) == 0 && !S_ISDIR(found.st_mode)) {
        status = kz_fail(error, KZ_ERR_IO, "can't create the folder %s: a file of that name is in the way", path);
    }
    free(folder);
    return status;
}

/* ---- Writing ------------------------------------------------------------------------------------------------- */

/* The folder that a file is in, opened; or -1, and errno says why. */
static int open_folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(path, slash == path ? 1 : (size_t)(slash - path));
    if (folder == NULL) {
        return -1;
    }
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int code = errno;
    free(folder);
    errno = code;
    return descriptor;
}

static void release(kz_outfile *file) {
    free(file->target);
    free(file->temporary);
    *file = (kz_outfile){.descriptor = -1};
}

/* Looks at what the target is now. A link is followed, so that the file behind it is replaced and not the link. */
static kz_status examine_target(kz_outfile *file, const char *path, kz_error *error) {
    struct stat found;
    bool exists = lstat(path, &found) == 0;
    if (!exists && errno != ENOENT) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s", path);
    }
    if (exists && !file->replace) {
        return kz_fail(error, KZ_ERR_IO, "%s exists already", path);
    }
    if (exists && S_ISLNK(found.st_mode)) {
        file->target = realpath(path, NULL);
        if (file->target == NULL || stat(file->target, &found) != 0) {
            return kz_fail_errno(error, KZ_ERR_IO, errno, "can't follow the link %s", path);
        }
    } else {
        file->target = strdup(path);
        if (file->target == NULL) {
            return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
        }
    }
    if (exists && !S_ISREG(found.st_mode)) {
        return kz_fail(error, KZ_ERR_IO, "can't write %s: it is not a regular file", path);
    }
    file->mode = exists ? found.st_mode & 07777 : 0;
    return KZ_OK;
}

/* What replaces a file has its permissions; what is new has those that the umask leaves. */
static void keep_mode(const kz_outfile *file) {
    if (file->mode != 0) {
        (void)fchmod(file->descriptor, file->mode);
    }
}

/* Whether a name is that of one of our temporary files, BASE.tmp-PROCESS-NUMBER. */
static bool is_temporary(const char *name, const char *base) {
    static const char digits[] = "0123456789";
    static const char mark[] = ".tmp-";
    size_t length = strlen(base);
    if (strncmp(name, base, length) != 0 || strncmp(name + length, mark, sizeof mark - 1) != 0) {
        return false;
    }
    const char *process = name + length + sizeof mark - 1;
    size_t width = strspn(process, digits);
    const char *number = process + width + 1;
    return width > 0 && process[width] == '-' && *number != '\0' && number[strspn(number, digits)] == '\0';
}

/* Whoever makes a temporary file holds a lock on it for as long as it is open. Where nobody does, its process is gone;
 * numbers of processes would not tell, as other containers have their own. */
static void remove_if_stale(int folder, const char *name) {
    int descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (descriptor >= 0) {
        if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
            unlinkat(folder, name, 0);
        }
        close(descriptor);
    }
}

/* Runs that were killed leave their temporary files behind. The next one with the same target takes them away. Whether
 * that succeeds does not matter. */
static void remove_stale(const char *target) {
    const char *slash = strrchr(target, '/');
    const char *base = slash == NULL ? target : slash + 1;
    int folder = open_folder_of(target);
    DIR *entries = folder < 0 ? NULL : fdopendir(folder);
    if (entries == NULL) {
        if (folder >= 0) {
            close(folder);
        }
        return;
    }
    const struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        if (is_temporary(entry->d_name, base)) {
            remove_if_stale(folder, entry->d_name);
        }
    }
    closedir(entries);
}

/* Locks the new temporary file for remove_stale. Somebody may have taken it away just before; then it is of no use. A
 * file system without locks is fine. */
static bool still_there(int descriptor) {
    struct stat found;
    (void)flock(descriptor, LOCK_EX);
    return fstat(descriptor, &found) != 0 || found.st_nlink > 0;
}

/* mkstemp would do, but its files are private to the user; these get the permissions that any new file gets. */
static kz_status create_temporary(kz_outfile *file, kz_error *error) {
    for (int attempt = 0; attempt < 1000; attempt++) {
        if (asprintf(&file->temporary, "%s.tmp-%ld-%d", file->target, (long)getpid(), attempt) < 0) {
            file->temporary = NULL;
            return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
        }
        file->descriptor = open(file->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->descriptor >= 0 && still_there(file->descriptor)) {
            keep_mode(file);
            return KZ_OK;
        }
        int code = file->descriptor >= 0 ? EEXIST : errno;
        if (file->descriptor >= 0) {
            close(file->descriptor);
            file->descriptor = -1;
        }
        if (code != EEXIST) {
            return kz_fail_errno(error, KZ_ERR_IO, code, "can't create %s", file->temporary);
        }
        free(file->temporary);
        file->temporary = NULL;
    }
    return kz_fail(error, KZ_ERR_IO, "can't create a temporary file beside %s: too many are there", file->target);
}

kz_status kz_outfile_open(kz_outfile *file, const char *path, bool replace, kz_error *error) {
    *file = (kz_outfile){.descriptor = -1, .replace = replace};
    kz_status status = examine_target(file, path, error);
    if (status == KZ_OK) {
        remove_stale(file->target);
        status = create_temporary(file, error);
    }
    if (status != KZ_OK) {
        release(file);
    }
    return status;
}

bool kz_is_file_of(int descriptor, const char *path) {
    struct stat opened;
    struct stat found;
    return fstat(descriptor, &opened) == 0 && lstat(path, &found) == 0 && opened.st_dev == found.st_dev &&
           opened.st_ino == found.st_ino;
}

/* Takes away a part that nobody wants any more, unless another process is writing it. It is never written to: where
 * others may write to the folder, it may be a link to a file of somebody else. A file is removed only while it is
 * locked here and has its name still: another process may have put its own part there in the meantime. */
static kz_status remove_part(const char *path, kz_error *error) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0 && errno == ENOENT) {
        return KZ_OK;
    }
    bool taken = descriptor >= 0 && ((flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) ||
                                     !kz_is_file_of(descriptor, path));
    int code = !taken && unlink(path) != 0 && errno != ENOENT ? errno : 0;
    if (descriptor >= 0) {
        close(descriptor);
    }
    if (code != 0) {
        return kz_fail_errno(error, KZ_ERR_IO, code, "can't replace %s", path);
    }
    return taken ? kz_fail(error, KZ_ERR_IO, "another process is writing %s", path) : KZ_OK;
}

/* Whether a part that a run goes on with can be one of our own: a file with one name, of this user. */
static kz_status examine_part(const kz_outfile *file, kz_error *error) {
    struct stat found;
    if (fstat(file->descriptor, &found) != 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", file->temporary);
    }
    if (!S_ISREG(found.st_mode) || found.st_nlink != 1 || found.st_uid != geteuid()) {
        return kz_fail(error, KZ_ERR_IO, "can't go on with %s: it has another owner or another name, too",
                       file->temporary);
    }
    return KZ_OK;
}

/* Opens PATH.part and keeps other processes away from it. */
static kz_status open_part(kz_outfile *file, bool go_on, kz_error *error) {
    if (asprintf(&file->temporary, "%s.part", file->target) < 0) {
        file->temporary = NULL;
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    KZ_TRY(file->replace && !go_on ? remove_part(file->temporary, error) : KZ_OK);
    file->descriptor =
        open(file->temporary, O_RDWR | O_CREAT | (go_on ? 0 : O_EXCL) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (file->descriptor < 0 && errno == EEXIST) {
        return kz_fail(error, KZ_ERR_IO, "%s exists already", file->temporary);
    }
    if (file->descriptor < 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't create %s", file->temporary);
    }
    /* Before it was locked, another process may have locked it, or removed it as one that nobody writes. */
    if ((flock(file->descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) ||
        !kz_is_file_of(file->descriptor, file->temporary)) {
        return kz_fail(error, KZ_ERR_IO, "another process is writing %s", file->temporary);
    }
    keep_mode(file);
    return go_on ? examine_part(file, error) : KZ_OK;
}

kz_status kz_outfile_open_part(kz_outfile *file, const char *path, bool replace, bool go_on, kz_error *error) {
    *file = (kz_outfile){.descriptor = -1, .replace = replace};
    kz_status status = examine_target(file, path, error);
    if (status == KZ_OK) {
        status = open_part(file, go_on, error);
    }
    if (status != KZ_OK) {
        kz_outfile_keep(file);
    }
    return status;
}

kz_status kz_outfile_open_stream(kz_outfile *file, int descriptor, const char *name, kz_error *error) {
    *file = (kz_outfile){.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0), .target = strdup(name)};
    if (file->descriptor < 0) {
        kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s", name);
        release(file);
        return KZ_ERR_IO;
    }
    if (file->target == NULL) {
        kz_outfile_keep(file);
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    return KZ_OK;
}

kz_status kz_outfile_cut(kz_outfile *file, uint64_t size, kz_error *error) {
    if (ftruncate(file->descriptor, (off_t)size) != 0 || lseek(file->descriptor, (off_t)size, SEEK_SET) < 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s", file->temporary);
    }
    return KZ_OK;
}

kz_status kz_outfile_sync(const kz_outfile *file, kz_error *error) {
    if (fdatasync(file->descriptor) != 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s", file->temporary);
    }
    return KZ_OK;
}

void kz_outfile_keep(kz_outfile *file) {
    if (file->descriptor >= 0) {
        close(file->descriptor);
    }
    release(file);
}

kz_status kz_outfile_write(kz_outfile *file, const void *data, size_t size, kz_error *error) {
    const char *next = data;
    while (size > 0) {
        ssize_t written = write(file->descriptor, next, size);
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            return kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s", file->target);
        }
        next += written;
        size -= (size_t)written;
    }
    return KZ_OK;
}

kz_status kz_outfile_write_at(kz_outfile *file, const void *data, size_t size, uint64_t offset, kz_error *error) {
    const char *next = data;
    while (size > 0) {
        ssize_t written = pwrite(file->descriptor, next, size, (off_t)offset);
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            return kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s", file->target);
        }
        next += written;
        offset += (uint64_t)written;
        size -= (size_t)written;
    }
    return KZ_OK;
}

/* Gives the temporary file the target's name; returns an errno value. */
static int take_place(const kz_outfile *file) {
    if (!file->replace) {
        /* A link, other than a rename, fails when somebody else has created the target in the meantime. */
        if (link(file->temporary, file->target) == 0) {
            unlink(file->temporary);
            return 0;
        }
        bool no_links_here = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS;
        if (!no_links_here) {
            return errno;
        }
        if (access(file->target, F_OK) == 0) {
            return EEXIST;
        }
    }
    return rename(file->temporary, file->target) == 0 ? 0 : errno;
}

/* Makes the target's new name survive a crash. Where that fails, a target that was not there before is not there now
 * either; of one that was replaced only the new content is left. */
static kz_status sync_name(const kz_outfile *file, int folder, kz_error *error) {
    /* Some file systems can't sync folders and say EINVAL; there is nothing more to do on those. */
    if (fsync(folder) == 0 || errno == EINVAL) {
        return KZ_OK;
    }
    int code = errno;
    if (!file->replace) {
        unlink(file->target);
    }
    return kz_fail_errno(error, KZ_ERR_IO, code, "can't sync the folder of %s", file->target);
}

static kz_status close_stream(kz_outfile *file, kz_error *error) {
    kz_status status =
        close(file->descriptor) == 0 ? KZ_OK : kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s", file->target);
    release(file);
    return status;
}

kz_status kz_outfile_commit(kz_outfile *file, kz_error *error) {
    if (file->temporary == NULL) {
        return close_stream(file, error);
    }
    int code = fsync(file->descriptor) == 0 ? 0 : errno;
    int locked = fcntl(file->descriptor, F_DUPFD_CLOEXEC, 0); /* until it has its name, nobody may take it for stale */
    if (close(file->descriptor) != 0 && code == 0) {
        code = errno;
    }
    file->descriptor = -1;
    /* Opened now, while the target is still as it was. */
    int folder = code == 0 ? open_folder_of(file->target) : -1;
    if (code == 0) {
        code = folder < 0 ? errno : take_place(file);
    }
    kz_status status = KZ_OK;
    if (code != 0) {
        status = kz_fail_errno(error, KZ_ERR_IO, code, "can't write %s", file->target);
        kz_outfile_discard(file);
    } else {
        status = sync_name(file, folder, error);
        release(file);
    }
    if (folder >= 0) {
        close(folder);
    }
    if (locked >= 0) {
        close(locked);
    }
    return status;
}

void kz_outfile_discard(kz_outfile *file) {
    /* While it is locked: afterwards its name may be another's. */
    if (file->temporary != NULL) {
        unlink(file->temporary);
    }
    if (file->descriptor >= 0) {
        close(file->descriptor);
    }
    release(file);
}

/* ---- Mapping ------------------------------------------------------------------------------------------------- */

static const uint8_t empty_file[1];

static kz_status map_descriptor(kz_mapping *mapping, int descriptor, const char *path, kz_error *error) {
    struct stat found;
    if (fstat(descriptor, &found) != 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", path);
    }
    if (!S_ISREG(found.st_mode)) {
        return kz_fail(error, KZ_ERR_IO, "can't read %s: it is not a regular file", path);
    }
    if ((uint64_t)found.st_size > SIZE_MAX) {
        return kz_fail(error, KZ_ERR_IO, "can't read %s: it is too large for this machine", path);
    }
    if (found.st_size == 0) {
        *mapping = (kz_mapping){.data = empty_file, .size = 0};
        return KZ_OK;
    }
    void *data = mmap(NULL, (size_t)found.st_size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (data == MAP_FAILED) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't map %s", path);
    }
    *mapping = (kz_mapping){.data = data, .size = (size_t)found.st_size};
    return KZ_OK;
}

kz_status kz_mapping_open(kz_mapping *mapping, const char *path, kz_error *error) {
    *mapping = (kz_mapping){0};
    /* Non-blocking, so that a named pipe is refused and not waited for. */
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", path);
    }
    kz_status status = map_descriptor(mapping, descriptor, path, error);
    close(descriptor);
    return status;
}

void kz_mapping_close(kz_mapping *mapping) {
    if (mapping->size > 0) {
        munmap((void *)mapping->data, mapping->size);
    }
    *mapping = (kz_mapping){0};
}
