/* SPDX-License-Identifier: MIT
 *
 * Files that are either there as a whole or not at all, and files seen as memory. */
#ifndef KZ_BASE_FILE_H
#define KZ_BASE_FILE_H

#include <kanzen/error.h>
#include <stdbool.h>
#include <stdint.h>

/* Creates a folder and those above it, as far as they are missing. */
kz_status kz_make_folders(const char *path, kz_error *error);

/* A file in the making: a temporary file beside the target that takes its place on commit. Whoever looks at the
 * target sees what was there before or all of the new content, even after a crash. Every open is followed by one
 * commit or one discard, after a failed write too. */
typedef struct kz_outfile {
    int descriptor;
    bool replace;
    unsigned mode; /* the permissions of the file that is replaced; 0: there is none */
    char *target;
    char *temporary;
} kz_outfile;

/* Without `replace`, an existing target is refused (now, and again on commit). Temporary files of this target that
 * processes left behind when they were killed are removed. */
kz_status kz_outfile_open(kz_outfile *file, const char *path, bool replace, kz_error *error);
/* The same for long work that a later run may go on with: the temporary file is called PATH.part. If there is one
 * already, it is kept with `go_on`, removed with `replace`, and refused otherwise; it is refused in any case while
 * another process works on it, and with `go_on` if it has another owner or several names. */
kz_status kz_outfile_open_part(kz_outfile *file, const char *path, bool replace, bool go_on, kz_error *error);
/* Not a file at all: what is written goes to a copy of `descriptor` at once, and commit and discard close the copy.
 * `name` stands for it in messages. */
kz_status kz_outfile_open_stream(kz_outfile *file, int descriptor, const char *name, kz_error *error);
/* Makes a file that exists in part `size` bytes long; kz_outfile_write goes on there. `size` is not more than it has.
 */
kz_status kz_outfile_cut(kz_outfile *file, uint64_t size, kz_error *error);
/* Sees to it that what was written survives a crash. */
kz_status kz_outfile_sync(const kz_outfile *file, kz_error *error);
/* In place of a discard: leaves the temporary file where it is. */
void kz_outfile_keep(kz_outfile *file);
/* Writes where the last write ended. */
kz_status kz_outfile_write(kz_outfile *file, const void *data, size_t size, kz_error *error);
/* Writes at an offset and leaves the place of kz_outfile_write alone. Several threads may do so at once. */
kz_status kz_outfile_write_at(kz_outfile *file, const void *data, size_t size, uint64_t offset, kz_error *error);
/* On failure the temporary file is gone and the target as it was; but if all that failed was to make a replacement
 * survive a crash, the target has the new content. */
kz_status kz_outfile_commit(kz_outfile *file, kz_error *error);
void kz_outfile_discard(kz_outfile *file);

/* Whether a path still leads to the file that was opened by it. Others may have removed or renamed it since, and then a
 * lock on it keeps nobody away. */
bool kz_is_file_of(int descriptor, const char *path);

/* A whole file as read-only memory. An empty one has size 0 and a valid pointer. */
typedef struct kz_mapping {
    const uint8_t *data;
    size_t size;
} kz_mapping;

kz_status kz_mapping_open(kz_mapping *mapping, const char *path, kz_error *error);
/* Also for one that is all zero: then it does nothing. */
void kz_mapping_close(kz_mapping *mapping);

#endif
