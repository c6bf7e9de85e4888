/* SPDX-License-Identifier: MIT
 *
 * A packet database as a folder of a million files, or as one archive. Packets are made some thousands at a time, in
 * order, and then written. */
#include "games/dobutsu/compat/packet_source.h"

#include "app/export/archive.h"
#include "base/error.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WINDOW = 4000, /* packets: 32 MB */
    PACKET_BYTES = KZ_DOBUTSU_PACKETS_ENTRIES * KZ_DOBUTSU_PACKETS_ENTRY_BYTES
};

typedef struct packet_export {
    const char *path;
    const kz_dobutsu_packets_options *options;
    kz_pool *pool;
    kz_packet_source *source;
    uint64_t first, end;   /* packets that are wanted */
    uint64_t begin, count; /* those that are in the works */
    uint8_t *bytes;        /* of these */
    bool *kept;            /* folder: which of these were there already */
    kz_error *errors;      /* one a worker */
    int folder;            /* its descriptor */
    kz_outfile archive;
    kz_dobutsu_packets_summary *summary;
} packet_export;

/* ---- Both -------------------------------------------------------------------------------------------------------- */

/* Runs `work` on all packets in the works; the first failure counts. */
static kz_status for_each_packet(packet_export *export, kz_pool_work *work, kz_error *error) {
    int workers = kz_pool_threads(export->pool);
    memset(export->errors, 0, (size_t)workers * sizeof *export->errors);
    KZ_TRY(kz_pool_for(export->pool, export->count, 64, work, export, NULL, "packets", error));
    return kz_fail_first(error, export->errors, workers);
}

static kz_status write_all(int descriptor, const void *data, size_t size, const char *name, kz_error *error) {
    const uint8_t *next = data;
    while (size > 0) {
        ssize_t written = write(descriptor, next, size);
        if (written < 0 && errno != EINTR) {
            return kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s", name);
        }
        if (written > 0) {
            next += written;
            size -= (size_t)written;
        }
    }
    return KZ_OK;
}

static kz_status make_window(packet_export *export, kz_error *error) {
    return kz_packet_source_fill(export->source, export->begin, export->count, export->begin - export->first,
                                 export->end - export->first, export->bytes, error);
}

/* ---- Going on as it was begun ------------------------------------------------------------------------------------ */

/* Packets do not say how they were made, but a few are not the same with and without `fix`; if none of these is there,
 * it does not matter. `found` is such a packet, which is to be kept. */
static kz_status compare_disputed(packet_export *export, uint64_t packet, const char *name, const uint8_t *found,
                                  kz_error *error) {
    uint8_t made[PACKET_BYTES];
    size_t size = kz_packet_source_size(export->source, packet);
    const kz_progress *listener = export->source->progress;
    bool same = false;
    kz_status status = KZ_OK;
    export->source->progress = NULL;
    for (int pass = 0; pass < 2 && status == KZ_OK && !same; pass++) {
        export->source->fix = pass == 0 ? export->options->fix : !export->options->fix;
        status = kz_packet_source_fill(export->source, packet, 1, 0, 1, made, error);
        same = status == KZ_OK && memcmp(found, made, size) == 0;
    }
    bool fixed = export->source->fix;
    export->source->fix = export->options->fix;
    export->source->progress = listener;
    if (status == KZ_OK && !same) {
        status = kz_fail(error, KZ_ERR_IO, "%s is there already and is not a packet of this database", name);
    } else if (status == KZ_OK && fixed != export->options->fix) {
        status = kz_fail(error, KZ_ERR_IO, "%s was written %s --fix: go on %s it, or write to another place", name,
                         fixed ? "with" : "without", fixed ? "with" : "without");
    }
    return status;
}

/* ---- The folder -------------------------------------------------------------------------------------------------- */

enum { NAME_BYTES = 64 };

static void packet_name(char name[NAME_BYTES], uint64_t packet, const char *suffix) {
    snprintf(name, NAME_BYTES, "%" PRIu64 "/%" PRIu64 ".dat%s", packet / KZ_DOBUTSU_PACKETS_FOLDER,
             packet % KZ_DOBUTSU_PACKETS_FOLDER, suffix);
}

/* A packet that is there has its size; what has another one is not ours to replace unless that was asked for. */
static void look_for_packets(void *context, int worker, uint64_t begin, uint64_t end) {
    packet_export *export = context;
    kz_error *error = &export->errors[worker];
    for (uint64_t i = begin; i < end && error->status == KZ_OK; i++) {
        char name[NAME_BYTES];
        struct stat found;
        packet_name(name, export->begin + i, "");
        export->kept[i] = !export->options->replace && fstatat(export->folder, name, &found, 0) == 0;
        if (export->kept[i] && (uint64_t)found.st_size != kz_packet_source_size(export->source, export->begin + i)) {
            kz_fail(error, KZ_ERR_IO, "%s/%s is there already and is not a packet of this database", export->path,
                    name);
        }
    }
}

static void write_packets(void *context, int worker, uint64_t begin, uint64_t end) {
    packet_export *export = context;
    kz_error *error = &export->errors[worker];
    for (uint64_t i = begin; i < end && error->status == KZ_OK; i++) {
        if (export->kept[i]) {
            continue;
        }
        char name[NAME_BYTES];
        packet_name(name, export->begin + i, ".part");
        int file = openat(export->folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (file < 0) {
            kz_fail_errno(error, KZ_ERR_IO, errno, "can't create %s/%s", export->path, name);
            continue;
        }
        write_all(file, export->bytes + i * PACKET_BYTES, kz_packet_source_size(export->source, export->begin + i),
                  name, error);
        if (close(file) != 0 && error->status == KZ_OK) {
            kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s/%s", export->path, name);
        }
    }
}

static void name_packets(void *context, int worker, uint64_t begin, uint64_t end) {
    packet_export *export = context;
    kz_error *error = &export->errors[worker];
    for (uint64_t i = begin; i < end && error->status == KZ_OK; i++) {
        if (!export->kept[i]) {
            char part[NAME_BYTES];
            char name[NAME_BYTES];
            packet_name(part, export->begin + i, ".part");
            packet_name(name, export->begin + i, "");
            if (renameat(export->folder, part, export->folder, name) != 0) {
                kz_fail_errno(error, KZ_ERR_IO, errno, "can't create %s/%s", export->path, name);
            }
        }
    }
}

/* After a failure: what has no name yet is of no use. */
static void remove_parts(void *context, int worker, uint64_t begin, uint64_t end) {
    const packet_export *export = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        if (!export->kept[i]) {
            char part[NAME_BYTES];
            packet_name(part, export->begin + i, ".part");
            unlinkat(export->folder, part, 0);
        }
    }
}

/* A packet that has its name is complete, even after a crash: all of them are on the disk before the first is named. To
 * wait for each of a million files would take hours, so the whole file system is asked at once. */
static kz_status write_window(packet_export *export, kz_error *error) {
    for (uint64_t folder = export->begin / KZ_DOBUTSU_PACKETS_FOLDER;
         folder <= (export->begin + export->count - 1) / KZ_DOBUTSU_PACKETS_FOLDER; folder++) {
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "%" PRIu64, folder);
        if (mkdirat(export->folder, name, 0777) != 0 && errno != EEXIST) {
            return kz_fail_errno(error, KZ_ERR_IO, errno, "can't create the folder %s/%s", export->path, name);
        }
    }
    kz_status status = for_each_packet(export, write_packets, error);
    if (status == KZ_OK && syncfs(export->folder) != 0) {
        status = kz_fail_errno(error, KZ_ERR_IO, errno, "can't write packets to %s", export->path);
    }
    status = status == KZ_OK ? for_each_packet(export, name_packets, error) : status;
    if (status != KZ_OK) {
        (void)for_each_packet(export, remove_parts, NULL);
    }
    return status;
}

static uint64_t count_kept(const packet_export *export) {
    uint64_t kept = 0;
    for (uint64_t i = 0; i < export->count; i++) {
        kept += export->kept[i];
    }
    return kept;
}

static kz_status maximums_path(const packet_export *export, char path[PATH_MAX], kz_error *error) {
    if (snprintf(path, PATH_MAX, "%s/maximums.dat", export->path) >= PATH_MAX) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: the name is too long", export->path);
    }
    return KZ_OK;
}

/* maximums.dat comes last, so that what has one is complete, or as complete as was asked for. One that is there already
 * must be the same. */
static kz_status compare_maximums(const packet_export *export, bool *there, kz_error *error) {
    char path[PATH_MAX];
    kz_mapping mapping;
    KZ_TRY(maximums_path(export, path, error));
    *there = !export->options->replace && access(path, F_OK) == 0;
    if (!*there) {
        return KZ_OK;
    }
    KZ_TRY(kz_mapping_open(&mapping, path, error));
    kz_status status = KZ_OK;
    if (mapping.size != export->source->maximums_size ||
        memcmp(mapping.data, export->source->maximums, mapping.size) != 0) {
        status = kz_fail(error, KZ_ERR_IO, "%s is there already and is of another database", path);
    }
    kz_mapping_close(&mapping);
    return status;
}

static kz_status write_maximums(const packet_export *export, kz_error *error) {
    char path[PATH_MAX];
    kz_outfile file;
    KZ_TRY(maximums_path(export, path, error));
    KZ_TRY(kz_outfile_open(&file, path, export->options->replace, error));
    kz_status status = kz_outfile_write(&file, export->source->maximums, export->source->maximums_size, error);
    if (status != KZ_OK) {
        kz_outfile_discard(&file);
        return status;
    }
    export->summary->bytes += export->source->maximums_size;
    return kz_outfile_commit(&file, error);
}

/* Packets of the folder that stay, in the range that is wanted or outside of it. One that has not its size is reported
 * when its turn comes, if ever. */
static kz_status compare_kept(packet_export *export, kz_error *error) {
    uint64_t packets[KZ_PACKET_DISPUTED];
    int count = kz_packet_source_disputed(export->source, packets);
    kz_status status = KZ_OK;
    for (int i = 0; i < count && status == KZ_OK; i++) {
        char name[NAME_BYTES];
        char path[PATH_MAX];
        kz_mapping mapping;
        packet_name(name, packets[i], "");
        bool replaced = export->options->replace && packets[i] >= export->first && packets[i] < export->end;
        if (replaced || snprintf(path, sizeof path, "%s/%s", export->path, name) >= (int)sizeof path ||
            access(path, F_OK) != 0) {
            continue;
        }
        status = kz_mapping_open(&mapping, path, error);
        if (status == KZ_OK && mapping.size == kz_packet_source_size(export->source, packets[i])) {
            status = compare_disputed(export, packets[i], path, mapping.data, error);
        }
        kz_mapping_close(&mapping);
    }
    return status;
}

static kz_status write_folder(packet_export *export, kz_error *error) {
    bool there = false;
    KZ_TRY(compare_maximums(export, &there, error));
    KZ_TRY(compare_kept(export, error));
    for (export->begin = export->first; export->begin < export->end; export->begin += export->count) {
        export->count = export->end - export->begin < WINDOW ? export->end - export->begin : WINDOW;
        KZ_TRY(for_each_packet(export, look_for_packets, error));
        uint64_t kept = count_kept(export);
        export->summary->kept += kept;
        if (kept == export->count) {
            continue;
        }
        KZ_TRY(make_window(export, error));
        KZ_TRY(write_window(export, error));
        export->summary->packets += export->count - kept;
        for (uint64_t i = 0; i < export->count; i++) {
            export->summary->bytes += export->kept[i] ? 0 : kz_packet_source_size(export->source, export->begin + i);
        }
    }
    return there ? KZ_OK : write_maximums(export, error);
}

/* ---- The archive ------------------------------------------------------------------------------------------------- */

static kz_status put(packet_export *export, const void *data, size_t size, kz_error *error) {
    export->summary->bytes += size;
    return kz_outfile_write(&export->archive, data, size, error);
}

static kz_status put_file(packet_export *export, const char *name, const uint8_t *data, size_t size, kz_error *error) {
    static const uint8_t zeros[KZ_TAR_BLOCK];
    uint8_t header[KZ_TAR_BLOCK];
    kz_tar_header(name, size, header);
    KZ_TRY(put(export, header, sizeof header, error));
    KZ_TRY(size ? put(export, data, size, error) : KZ_OK);
    size_t rest = kz_tar_size(size) - KZ_TAR_BLOCK - size;
    return rest ? put(export, zeros, rest, error) : KZ_OK;
}

static kz_status put_packet(packet_export *export, uint64_t packet, const uint8_t *data, kz_error *error) {
    char name[NAME_BYTES];
    if (packet == export->first || packet % KZ_DOBUTSU_PACKETS_FOLDER == 0) {
        snprintf(name, sizeof name, "%" PRIu64 "/", packet / KZ_DOBUTSU_PACKETS_FOLDER);
        KZ_TRY(put_file(export, name, NULL, 0, error));
    }
    packet_name(name, packet, "");
    return put_file(export, name, data, kz_packet_source_size(export->source, packet), error);
}

/* Where a packet's part of the archive begins: after maximums.dat, packets and folders before it. Only the last packet
 * is shorter than the others. */
static uint64_t archive_offset(const packet_export *export, uint64_t packet) {
    uint64_t folders = packet == export->first
                           ? 0
                           : (packet - 1) / KZ_DOBUTSU_PACKETS_FOLDER - export->first / KZ_DOBUTSU_PACKETS_FOLDER + 1;
    return kz_tar_size(export->source->maximums_size) + folders * KZ_TAR_BLOCK +
           (packet - export->first) * kz_tar_size(PACKET_BYTES);
}

/* Whether the archive has at `offset` what it ought to have. */
static bool archive_has(const packet_export *export, uint64_t offset, const uint8_t *expected, size_t size) {
    uint8_t *found = malloc(size);
    bool same = found && pread(export->archive.descriptor, found, size, (off_t)offset) == (ssize_t)size &&
                memcmp(found, expected, size) == 0;
    free(found);
    return same;
}

/* Of the `done` packets that the archive has. */
static kz_status compare_archived(packet_export *export, uint64_t done, kz_error *error) {
    uint64_t packets[KZ_PACKET_DISPUTED];
    int count = kz_packet_source_disputed(export->source, packets);
    for (int i = 0; i < count; i++) {
        if (packets[i] < export->first || packets[i] >= export->first + done) {
            continue;
        }
        uint8_t found[PACKET_BYTES];
        uint64_t end = archive_offset(export, packets[i] + 1);
        uint64_t begin = end - kz_tar_size(PACKET_BYTES) + KZ_TAR_BLOCK;
        if (pread(export->archive.descriptor, found, sizeof found, (off_t)begin) != (ssize_t)sizeof found) {
            return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", export->archive.temporary);
        }
        KZ_TRY(compare_disputed(export, packets[i], export->archive.temporary, found, error));
    }
    return KZ_OK;
}

/* How many packets an interrupted export has left in the archive, which is cut behind them. maximums.dat, the first
 * folder and the last packet's header tell that they are the right ones. */
static kz_status go_on(packet_export *export, kz_error *error) {
    struct stat found;
    if (fstat(export->archive.descriptor, &found) != 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", export->archive.temporary);
    }
    uint64_t done = 0;
    while (export->first + done + 1 < export->end &&
           archive_offset(export, export->first + done + 1) <= (uint64_t)found.st_size) {
        done++;
    }
    if (done == 0) {
        return kz_outfile_cut(&export->archive, 0, error);
    }
    uint8_t header[KZ_TAR_BLOCK];
    char name[NAME_BYTES];
    packet_name(name, export->first + done - 1, "");
    kz_tar_header(name, PACKET_BYTES, header);
    uint64_t last = archive_offset(export, export->first + done) - kz_tar_size(PACKET_BYTES);
    bool same = archive_has(export, KZ_TAR_BLOCK, export->source->maximums, export->source->maximums_size) &&
                archive_has(export, last, header, sizeof header);
    snprintf(name, sizeof name, "%" PRIu64 "/", export->first / KZ_DOBUTSU_PACKETS_FOLDER);
    kz_tar_header(name, 0, header);
    same = same && archive_has(export, archive_offset(export, export->first), header, sizeof header);
    if (!same) {
        return kz_fail(error, KZ_ERR_IO, "%s is there already and is of another export", export->archive.temporary);
    }
    KZ_TRY(compare_archived(export, done, error));
    export->summary->kept = done;
    return kz_outfile_cut(&export->archive, archive_offset(export, export->first + done), error);
}

static kz_status put_archive(packet_export *export, kz_error *error) {
    static const uint8_t zeros[KZ_TAR_END];
    export->begin = export->first + export->summary->kept;
    if (!export->summary->kept) {
        KZ_TRY(put_file(export, "maximums.dat", export->source->maximums, export->source->maximums_size, error));
    }
    for (; export->begin < export->end; export->begin += export->count) {
        export->count = export->end - export->begin < WINDOW ? export->end - export->begin : WINDOW;
        KZ_TRY(make_window(export, error));
        for (uint64_t i = 0; i < export->count; i++) {
            KZ_TRY(put_packet(export, export->begin + i, export->bytes + i * PACKET_BYTES, error));
        }
        export->summary->packets += export->count;
    }
    return put(export, zeros, sizeof zeros, error);
}

/* What is there of an archive is kept for a later run to go on with. */
static void leave_archive(packet_export *export) {
    struct stat found;
    if (!export->path || (fstat(export->archive.descriptor, &found) == 0 && found.st_size == 0)) {
        kz_outfile_discard(&export->archive);
    } else {
        kz_outfile_keep(&export->archive);
    }
}

static kz_status write_archive(packet_export *export, kz_error *error) {
    kz_status status = export->options->replace || !export->path ? KZ_OK : go_on(export, error);
    status = status == KZ_OK ? put_archive(export, error) : status;
    if (status != KZ_OK) {
        leave_archive(export);
        return status;
    }
    return kz_outfile_commit(&export->archive, error);
}

/* ---- What users call --------------------------------------------------------------------------------------------- */

/* Says what is wrong before the long work begins. */
static kz_status open_target(packet_export *export, kz_error *error) {
    const kz_dobutsu_packets_options *options = export->options;
    if (options->tar) {
        return export->path ? kz_outfile_open_part(&export->archive, export->path, options->replace, true, error)
                            : kz_outfile_open_stream(&export->archive, options->descriptor, "the archive", error);
    }
    KZ_TRY(kz_make_folders(export->path, error));
    export->folder = open(export->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return export->folder < 0 ? kz_fail_errno(error, KZ_ERR_IO, errno, "can't open the folder %s", export->path)
                              : KZ_OK;
}

static kz_status run(packet_export *export, kz_error *error) {
    export->bytes = malloc((size_t)WINDOW * PACKET_BYTES);
    export->kept = calloc(WINDOW, sizeof *export->kept);
    export->errors = calloc((size_t)kz_pool_threads(export->pool), sizeof *export->errors);
    kz_status status = KZ_OK;
    if (!export->bytes || !export->kept || !export->errors) {
        status = kz_fail(error, KZ_ERR_MEMORY, "no memory to make packets");
    }
    if (status == KZ_OK && !export->source) {
        kz_error reason = {.status = KZ_ERR_MEMORY};
        export->source = kz_packet_source_open(export->pool, export->options->progress, &reason);
        status = export->source ? KZ_OK : kz_fail(error, reason.status, "%s", reason.message);
    }
    if (status != KZ_OK || !export->source) {
        if (export->options->tar) {
            leave_archive(export);
        }
        return status;
    }
    export->source->fix = export->options->fix;
    return export->options->tar ? write_archive(export, error) : write_folder(export, error);
}

kz_status kz_packet_write_with(kz_packet_source *source, const char *path, const kz_dobutsu_packets_options *options,
                               kz_dobutsu_packets_summary *summary, kz_error *error) {
    static const kz_dobutsu_packets_options defaults = {0};
    kz_dobutsu_packets_summary unused = {0};
    packet_export export = {.path = path, .options = options ? options : &defaults, .source = source, .folder = -1};
    export.summary = summary ? summary : &unused;
    *export.summary = (kz_dobutsu_packets_summary){0};
    export.first = export.options->first;
    if (export.first >= KZ_DOBUTSU_PACKETS_COUNT || export.options->count > KZ_DOBUTSU_PACKETS_COUNT - export.first) {
        return kz_fail(error, KZ_ERR_INPUT, "%" PRIu64 " packets from %" PRIu64 " on: there are %d",
                       export.options->count, export.first, KZ_DOBUTSU_PACKETS_COUNT);
    }
    export.end = export.options->count ? export.first + export.options->count : KZ_DOBUTSU_PACKETS_COUNT;
    if (!path && !export.options->tar) {
        return kz_fail(error, KZ_ERR_INPUT, "only an archive can do without a path");
    }
    export.pool = source ? source->pool : NULL;
    if (!export.pool) {
        KZ_TRY(kz_pool_open(export.options->threads, &export.pool, error));
    }
    kz_status status = open_target(&export, error);
    status = status == KZ_OK ? run(&export, error) : status;
    if (!source) {
        kz_packet_source_close(export.source);
        kz_pool_free(export.pool);
    }
    free(export.bytes);
    free(export.kept);
    free(export.errors);
    if (export.folder >= 0) {
        close(export.folder);
    }
    return status;
}

kz_status kz_dobutsu_packets_write(const char *path, const kz_dobutsu_packets_options *options,
                                   kz_dobutsu_packets_summary *summary, kz_error *error) {
    return kz_packet_write_with(NULL, path, options, summary, error);
}
