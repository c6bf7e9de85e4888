/* SPDX-License-Identifier: MIT
 *
 * Records of fixed size as bytes: the file that they come from, the file or stream that they go to, and temporary
 * files. */
#ifndef KZ_RECORDS_RAWFILE_H
#define KZ_RECORDS_RAWFILE_H

#include "base/error.h"
#include "base/file.h"

#include <kanzen/error.h>
#include <kanzen/shogi_files.h>
#include <stdint.h>

/* ---- Files at any place ------------------------------------------------------------------------------------------ */

/* A place in an open file. */
typedef struct kz_place {
    int descriptor;
    bool nameless;    /* a temporary file */
    const char *name; /* for messages; of a nameless one, its folder */
    uint64_t offset;
} kz_place;

static inline kz_place kz_place_after(kz_place place, uint64_t bytes) {
    place.offset += bytes;
    return place;
}

kz_status kz_place_read(kz_place place, void *data, size_t size, kz_error *error);
kz_status kz_place_write(kz_place place, const void *data, size_t size, kz_error *error);

/* Opens a file without a name in the folder: it is gone when it is closed, also when the program is killed. `folder`
 * must last as long as it. */
kz_status kz_open_nameless(const char *folder, kz_place *begin, kz_error *error);

/* ---- The source -------------------------------------------------------------------------------------------------- */

typedef struct kz_rawsource {
    kz_place begin; /* of the first record that was asked for */
    size_t record_bytes;
    uint64_t first; /* its number in the file, from 0 */
    uint64_t count;
    uint64_t trailing; /* bytes after the last one, if more records were asked for */
} kz_rawsource;

/* A regular file with records of fixed size; anything else is refused. So is one whose last record is cut off, unless
 * bad records are skipped. */
kz_status kz_rawsource_open(kz_rawsource *raw, const kz_shogi_source *source, const kz_shogi_file_options *options,
                            kz_error *error);
void kz_rawsource_close(kz_rawsource *raw);
kz_status kz_rawsource_read(const kz_rawsource *raw, uint64_t first, size_t count, uint8_t *records, kz_error *error);
/* What the report of one that was read says: records, and one that is cut off. */
kz_shogi_file_report kz_rawsource_report(const kz_rawsource *raw);

/* ---- The target -------------------------------------------------------------------------------------------------- */

/* A copy of some of the records of a source, in some order. */
typedef struct kz_rawcopy {
    kz_rawsource source;
    kz_outfile target;
    bool is_stream; /* the target is the standard output */
    char *scratch;  /* the folder for temporary files */
    const kz_shogi_file_options *options;
    const kz_progress *progress;
    kz_shogi_file_report *report;
} kz_rawcopy;

/* Opens both, has `copy` write the target and the report, and puts the target in its place; if any of that fails, it is
 * as it was before. Refuses a target whose records are not the source's. */
kz_status kz_rawcopy_run(const kz_shogi_source *source, const kz_shogi_target *target,
                         const kz_shogi_file_options *options, const kz_progress *progress,
                         kz_status (*copy)(kz_rawcopy *raw, void *user, kz_error *error), void *user,
                         kz_shogi_file_report *report, kz_error *error);

/* ---- Options ----------------------------------------------------------------------------------------------------- */

/* The memory to use: at least `least`, whatever the options say. */
uint64_t kz_memory_of(const kz_shogi_file_options *options, uint64_t least);

/* Tells the listener, if there is one, and fails if it asks to stop. */
kz_status kz_tell(const kz_progress *progress, const char *stage, uint64_t done, uint64_t total, kz_error *error);

/* ---- lists.c ----------------------------------------------------------------------------------------------------- */

typedef struct kz_lists kz_lists;

/* `folder` is for the temporary file and must last as long as the lists. NULL on failure. */
kz_lists *kz_lists_new(size_t count, size_t item_bytes, uint64_t memory, const char *folder, kz_error *error);
void kz_lists_free(kz_lists *lists);

/* One thread at a time. */
kz_status kz_lists_append(kz_lists *lists, size_t list, const void *item, kz_error *error);

/* How many items a list has. */
uint64_t kz_lists_count(const kz_lists *lists, size_t list);
/* Items that come at a time at most: the room that a reader has to have. */
size_t kz_lists_part_items(const kz_lists *lists);
/* Part `part` of a list, from 0. `items` points to `count` of them, in `room` or elsewhere, until the list changes; 0
 * after the last part. Many threads may read at once while none appends. */
kz_status kz_lists_read(const kz_lists *lists, size_t list, size_t part, uint8_t *room, const uint8_t **items,
                        size_t *count, kz_error *error);

#endif
