/* SPDX-License-Identifier: MIT
 *
 * A packet database as a folder of a million files, or as one archive. Packets are made some thousands at a time, in
 * order, and then written. */
#include "games/dobutsu/compat/packet_write.h"

#include "base/error.h"
#include "base/file.h"
#include "export/tar.h"

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

typedef struct job {
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
} job;

/* ---- Both -------------------------------------------------------------------------------------------------------- */

/* Runs `work` on all packets in the works; the first failure counts. */
static kz_status for_each_packet(job *j, kz_pool_work *work, kz_error *error) {
    int workers = kz_pool_threads(j->pool);
    memset(j->errors, 0, (size_t)workers * sizeof *j->errors);
    kz_status status = kz_pool_for(j->pool, j->count, 64, work, j, NULL, "packets", error);
    for (int worker = 0; status == KZ_OK && worker < workers; worker++) {
        if (j->errors[worker].status != KZ_OK) {
            status = kz_fail(error, j->errors[worker].status, "%s", j->errors[worker].message);
        }
    }
    return status;
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

static kz_status make_window(job *j, kz_error *error) {
    return kz_packet_source_fill(j->source, j->begin, j->count, j->begin - j->first, j->end - j->first, j->bytes,
                                 error);
}

/* ---- Going on as it was begun -------------------------------------------------------------------------------------
 */

/* Packets do not say how they were made, but a few are not the same with and without `fix`; if none of these is there,
 * it does not matter. `found` is such a packet, which is to be kept. */
static kz_status compare_disputed(job *j, uint64_t packet, const char *name, const uint8_t *found, kz_error *error) {
    uint8_t made[PACKET_BYTES];
    size_t size = kz_packet_source_size(j->source, packet);
    const kz_progress *listener = j->source->progress;
    bool same = false;
    kz_status status = KZ_OK;
    j->source->progress = NULL;
    for (int pass = 0; pass < 2 && status == KZ_OK && !same; pass++) {
        j->source->fix = pass == 0 ? j->options->fix : !j->options->fix;
        status = kz_packet_source_fill(j->source, packet, 1, 0, 1, made, error);
        same = status == KZ_OK && memcmp(found, made, size) == 0;
    }
    bool fixed = j->source->fix;
    j->source->fix = j->options->fix;
    j->source->progress = listener;
    if (status == KZ_OK && !same) {
        status = kz_fail(error, KZ_ERR_IO, "%s is there already and is not a packet of this database", name);
    } else if (status == KZ_OK && fixed != j->options->fix) {
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
    job *j = context;
    kz_error *error = &j->errors[worker];
    for (uint64_t i = begin; i < end && error->status == KZ_OK; i++) {
        char name[NAME_BYTES];
        struct stat found;
        packet_name(name, j->begin + i, "");
        j->kept[i] = !j->options->replace && fstatat(j->folder, name, &found, 0) == 0;
        if (j->kept[i] && (uint64_t)found.st_size != kz_packet_source_size(j->source, j->begin + i)) {
            kz_fail(error, KZ_ERR_IO, "%s/%s is there already and is not a packet of this database", j->path, name);
        }
    }
}

static void write_packets(void *context, int worker, uint64_t begin, uint64_t end) {
    job *j = context;
    kz_error *error = &j->errors[worker];
    for (uint64_t i = begin; i < end && error->status == KZ_OK; i++) {
        if (j->kept[i]) {
            continue;
        }
        char name[NAME_BYTES];
        packet_name(name, j->begin + i, ".part");
        int file = openat(j->folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (file < 0) {
            kz_fail_errno(error, KZ_ERR_IO, errno, "can't create %s/%s", j->path, name);
            continue;
        }
        write_all(file, j->bytes + i * PACKET_BYTES, kz_packet_source_size(j->source, j->begin + i), name, error);
        if (close(file) != 0 && error->status == KZ_OK) {
            kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s/%s", j->path, name);
        }
    }
}

static void name_packets(void *context, int worker, uint64_t begin, uint64_t end) {
    job *j = context;
    kz_error *error = &j->errors[worker];
    for (uint64_t i = begin; i < end && error->status == KZ_OK; i++) {
        if (!j->kept[i]) {
            char part[NAME_BYTES];
            char name[NAME_BYTES];
            packet_name(part, j->begin + i, ".part");
            packet_name(name, j->begin + i, "");
            if (renameat(j->folder, part, j->folder, name) != 0) {
                kz_fail_errno(error, KZ_ERR_IO, errno, "can't create %s/%s", j->path, name);
            }
        }
    }
}

/* After a failure: what has no name yet is of no use. */
static void remove_parts(void *context, int worker, uint64_t begin, uint64_t end) {
    const job *j = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        if (!j->kept[i]) {
            char part[NAME_BYTES];
            packet_name(part, j->begin + i, ".part");
            unlinkat(j->folder, part, 0);
        }
    }
}

/* A packet that has its name is complete, even after a crash: all of them are on the disk before the first is named. To
 * wait for each of a million files would take hours, so the whole file system is asked at once. */
static kz_status write_window(job *j, kz_error *error) {
    for (uint64_t folder = j->begin / KZ_DOBUTSU_PACKETS_FOLDER;
         folder <= (j->begin + j->count - 1) / KZ_DOBUTSU_PACKETS_FOLDER; folder++) {
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "%" PRIu64, folder);
        if (mkdirat(j->folder, name, 0777) != 0 && errno != EEXIST) {
            return kz_fail_errno(error, KZ_ERR_IO, errno, "can't create the folder %s/%s", j->path, name);
        }
    }
    kz_status status = for_each_packet(j, write_packets, error);
    if (status == KZ_OK && syncfs(j->folder) != 0) {
        status = kz_fail_errno(error, KZ_ERR_IO, errno, "can't write packets to %s", j->path);
    }
    status = status == KZ_OK ? for_each_packet(j, name_packets, error) : status;
    if (status != KZ_OK) {
        (void)for_each_packet(j, remove_parts, NULL);
    }
    return status;
}

static uint64_t count_kept(const job *j) {
    uint64_t kept = 0;
    for (uint64_t i = 0; i < j->count; i++) {
        kept += j->kept[i];
    }
    return kept;
}

static kz_status maximums_path(const job *j, char path[PATH_MAX], kz_error *error) {
    if (snprintf(path, PATH_MAX, "%s/maximums.dat", j->path) >= PATH_MAX) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: the name is too long", j->path);
    }
    return KZ_OK;
}

/* maximums.dat comes last, so that what has one is complete, or as complete as was asked for. One that is there already
 * must be the same. */
static kz_status compare_maximums(const job *j, bool *there, kz_error *error) {
    char path[PATH_MAX];
    kz_mapping mapping;
    kz_status status = maximums_path(j, path, error);
    *there = status == KZ_OK && !j->options->replace && access(path, F_OK) == 0;
    if (!*there) {
        return status;
    }
    status = kz_mapping_open(&mapping, path, error);
    if (status != KZ_OK) {
        return status;
    }
    if (mapping.size != j->source->maximums_size || memcmp(mapping.data, j->source->maximums, mapping.size) != 0) {
        status = kz_fail(error, KZ_ERR_IO, "%s is there already and is of another database", path);
    }
    kz_mapping_close(&mapping);
    return status;
}

static kz_status write_maximums(const job *j, kz_error *error) {
    char path[PATH_MAX];
    kz_outfile file;
    kz_status status = maximums_path(j, path, error);
    status = status == KZ_OK ? kz_outfile_open(&file, path, j->options->replace, error) : status;
    if (status != KZ_OK) {
        return status;
    }
    status = kz_outfile_write(&file, j->source->maximums, j->source->maximums_size, error);
    if (status != KZ_OK) {
        kz_outfile_discard(&file);
        return status;
    }
    j->summary->bytes += j->source->maximums_size;
    return kz_outfile_commit(&file, error);
}

/* Packets of the folder that stay, in the range that is wanted or outside of it. One that has not its size is reported
 * when its turn comes, if ever. */
static kz_status compare_kept(job *j, kz_error *error) {
    uint64_t packets[KZ_PACKET_DISPUTED];
    int count = kz_packet_source_disputed(j->source, packets);
    kz_status status = KZ_OK;
    for (int i = 0; i < count && status == KZ_OK; i++) {
        char name[NAME_BYTES];
        char path[PATH_MAX];
        kz_mapping mapping;
        packet_name(name, packets[i], "");
        bool replaced = j->options->replace && packets[i] >= j->first && packets[i] < j->end;
        if (replaced || snprintf(path, sizeof path, "%s/%s", j->path, name) >= (int)sizeof path ||
            access(path, F_OK) != 0) {
            continue;
        }
        status = kz_mapping_open(&mapping, path, error);
        if (status == KZ_OK && mapping.size == kz_packet_source_size(j->source, packets[i])) {
            status = compare_disputed(j, packets[i], path, mapping.data, error);
        }
        kz_mapping_close(&mapping);
    }
    return status;
}

static kz_status write_folder(job *j, kz_error *error) {
    bool there = false;
    kz_status status = compare_maximums(j, &there, error);
    status = status == KZ_OK ? compare_kept(j, error) : status;
    for (j->begin = j->first; status == KZ_OK && j->begin < j->end; j->begin += j->count) {
        j->count = j->end - j->begin < WINDOW ? j->end - j->begin : WINDOW;
        status = for_each_packet(j, look_for_packets, error);
        uint64_t kept = status == KZ_OK ? count_kept(j) : 0;
        j->summary->kept += kept;
        if (status != KZ_OK || kept == j->count) {
            continue;
        }
        status = make_window(j, error);
        status = status == KZ_OK ? write_window(j, error) : status;
        if (status == KZ_OK) {
            j->summary->packets += j->count - kept;
            for (uint64_t i = 0; i < j->count; i++) {
                j->summary->bytes += j->kept[i] ? 0 : kz_packet_source_size(j->source, j->begin + i);
            }
        }
    }
    return status == KZ_OK && !there ? write_maximums(j, error) : status;
}

/* ---- The archive ------------------------------------------------------------------------------------------------- */

static kz_status put(job *j, const void *data, size_t size, kz_error *error) {
    j->summary->bytes += size;
    return kz_outfile_write(&j->archive, data, size, error);
}

static kz_status put_file(job *j, const char *name, const uint8_t *data, size_t size, kz_error *error) {
    static const uint8_t zeros[KZ_TAR_BLOCK];
    uint8_t header[KZ_TAR_BLOCK];
    kz_tar_header(name, size, header);
    kz_status status = put(j, header, sizeof header, error);
    status = status == KZ_OK && size ? put(j, data, size, error) : status;
    size_t rest = kz_tar_size(size) - KZ_TAR_BLOCK - size;
    return status == KZ_OK && rest ? put(j, zeros, rest, error) : status;
}

static kz_status put_packet(job *j, uint64_t packet, const uint8_t *data, kz_error *error) {
    char name[NAME_BYTES];
    kz_status status = KZ_OK;
    if (packet == j->first || packet % KZ_DOBUTSU_PACKETS_FOLDER == 0) {
        snprintf(name, sizeof name, "%" PRIu64 "/", packet / KZ_DOBUTSU_PACKETS_FOLDER);
        status = put_file(j, name, NULL, 0, error);
    }
    packet_name(name, packet, "");
    return status == KZ_OK ? put_file(j, name, data, kz_packet_source_size(j->source, packet), error) : status;
}

/* Where a packet's part of the archive begins: after maximums.dat, packets and folders before it. Only the last packet
 * is shorter than the others. */
static uint64_t archive_offset(const job *j, uint64_t packet) {
    uint64_t folders =
        packet == j->first ? 0 : (packet - 1) / KZ_DOBUTSU_PACKETS_FOLDER - j->first / KZ_DOBUTSU_PACKETS_FOLDER + 1;
    return kz_tar_size(j->source->maximums_size) + folders * KZ_TAR_BLOCK +
           (packet - j->first) * kz_tar_size(PACKET_BYTES);
}

/* Whether the archive has at `offset` what it ought to have. */
static bool archive_has(const job *j, uint64_t offset, const uint8_t *expected, size_t size) {
    uint8_t *found = malloc(size);
    bool same = found && pread(j->archive.descriptor, found, size, (off_t)offset) == (ssize_t)size &&
                memcmp(found, expected, size) == 0;
    free(found);
    return same;
}

/* Of the `done` packets that the archive has. */
static kz_status compare_archived(job *j, uint64_t done, kz_error *error) {
    uint64_t packets[KZ_PACKET_DISPUTED];
    int count = kz_packet_source_disputed(j->source, packets);
    kz_status status = KZ_OK;
    for (int i = 0; i < count && status == KZ_OK; i++) {
        if (packets[i] < j->first || packets[i] >= j->first + done) {
            continue;
        }
        uint8_t found[PACKET_BYTES];
        uint64_t end = archive_offset(j, packets[i] + 1);
        uint64_t begin = end - kz_tar_size(PACKET_BYTES) + KZ_TAR_BLOCK;
        if (pread(j->archive.descriptor, found, sizeof found, (off_t)begin) != (ssize_t)sizeof found) {
            return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", j->archive.temporary);
        }
        status = compare_disputed(j, packets[i], j->archive.temporary, found, error);
    }
    return status;
}

/* How many packets an interrupted export has left in the archive, which is cut behind them. maximums.dat, the first
 * folder and the last packet's header tell that they are the right ones. */
static kz_status go_on(job *j, kz_error *error) {
    struct stat found;
    if (fstat(j->archive.descriptor, &found) != 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", j->archive.temporary);
    }
    uint64_t done = 0;
    while (j->first + done + 1 < j->end && archive_offset(j, j->first + done + 1) <= (uint64_t)found.st_size) {
        done++;
    }
    if (done == 0) {
        return kz_outfile_cut(&j->archive, 0, error);
    }
    uint8_t header[KZ_TAR_BLOCK];
    char name[NAME_BYTES];
    packet_name(name, j->first + done - 1, "");
    kz_tar_header(name, PACKET_BYTES, header);
    uint64_t last = archive_offset(j, j->first + done) - kz_tar_size(PACKET_BYTES);
    bool same = archive_has(j, KZ_TAR_BLOCK, j->source->maximums, j->source->maximums_size) &&
                archive_has(j, last, header, sizeof header);
    snprintf(name, sizeof name, "%" PRIu64 "/", j->first / KZ_DOBUTSU_PACKETS_FOLDER);
    kz_tar_header(name, 0, header);
    same = same && archive_has(j, archive_offset(j, j->first), header, sizeof header);
    if (!same) {
        return kz_fail(error, KZ_ERR_IO, "%s is there already and is of another export", j->archive.temporary);
    }
    kz_status status = compare_archived(j, done, error);
    if (status != KZ_OK) {
        return status;
    }
    j->summary->kept = done;
    return kz_outfile_cut(&j->archive, archive_offset(j, j->first + done), error);
}

static kz_status put_archive(job *j, kz_error *error) {
    static const uint8_t zeros[KZ_TAR_END];
    j->begin = j->first + j->summary->kept;
    kz_status status =
        j->summary->kept ? KZ_OK : put_file(j, "maximums.dat", j->source->maximums, j->source->maximums_size, error);
    for (; status == KZ_OK && j->begin < j->end; j->begin += j->count) {
        j->count = j->end - j->begin < WINDOW ? j->end - j->begin : WINDOW;
        status = make_window(j, error);
        for (uint64_t i = 0; status == KZ_OK && i < j->count; i++) {
            status = put_packet(j, j->begin + i, j->bytes + i * PACKET_BYTES, error);
        }
        j->summary->packets += status == KZ_OK ? j->count : 0;
    }
    return status == KZ_OK ? put(j, zeros, sizeof zeros, error) : status;
}

/* What is there of an archive is kept for a later run to go on with. */
static void leave_archive(job *j) {
    struct stat found;
    if (!j->path || (fstat(j->archive.descriptor, &found) == 0 && found.st_size == 0)) {
        kz_outfile_discard(&j->archive);
    } else {
        kz_outfile_keep(&j->archive);
    }
}

static kz_status write_archive(job *j, kz_error *error) {
    kz_status status = j->options->replace || !j->path ? KZ_OK : go_on(j, error);
    status = status == KZ_OK ? put_archive(j, error) : status;
    if (status != KZ_OK) {
        leave_archive(j);
        return status;
    }
    return kz_outfile_commit(&j->archive, error);
}

/* ---- What users call --------------------------------------------------------------------------------------------- */

/* Says what is wrong before the long work begins. */
static kz_status open_target(job *j, kz_error *error) {
    const kz_dobutsu_packets_options *options = j->options;
    if (options->tar) {
        return j->path ? kz_outfile_open_part(&j->archive, j->path, options->replace, true, error)
                       : kz_outfile_open_stream(&j->archive, options->descriptor, "the archive", error);
    }
    kz_status status = kz_make_folders(j->path, error);
    if (status != KZ_OK) {
        return status;
    }
    j->folder = open(j->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return j->folder < 0 ? kz_fail_errno(error, KZ_ERR_IO, errno, "can't open the folder %s", j->path) : KZ_OK;
}

static kz_status run(job *j, kz_error *error) {
    j->bytes = malloc((size_t)WINDOW * PACKET_BYTES);
    j->kept = calloc(WINDOW, sizeof *j->kept);
    j->errors = calloc((size_t)kz_pool_threads(j->pool), sizeof *j->errors);
    kz_status status = KZ_OK;
    if (!j->bytes || !j->kept || !j->errors) {
        status = kz_fail(error, KZ_ERR_MEMORY, "no memory to make packets");
    }
    if (status == KZ_OK && !j->source) {
        kz_error reason = {.status = KZ_ERR_MEMORY};
        j->source = kz_packet_source_open(j->pool, j->options->progress, &reason);
        status = j->source ? KZ_OK : kz_fail(error, reason.status, "%s", reason.message);
    }
    if (status != KZ_OK || !j->source) {
        if (j->options->tar) {
            leave_archive(j);
        }
        return status;
    }
    j->source->fix = j->options->fix;
    return j->options->tar ? write_archive(j, error) : write_folder(j, error);
}

kz_status kz_packet_write_with(kz_packet_source *source, const char *path, const kz_dobutsu_packets_options *options,
                               kz_dobutsu_packets_summary *summary, kz_error *error) {
    static const kz_dobutsu_packets_options defaults = {0};
    kz_dobutsu_packets_summary unused = {0};
    job j = {.path = path, .options = options ? options : &defaults, .source = source, .folder = -1};
    j.summary = summary ? summary : &unused;
    *j.summary = (kz_dobutsu_packets_summary){0};
    j.first = j.options->first;
    if (j.first >= KZ_DOBUTSU_PACKETS_COUNT || j.options->count > KZ_DOBUTSU_PACKETS_COUNT - j.first) {
        return kz_fail(error, KZ_ERR_INPUT, "%" PRIu64 " packets from %" PRIu64 " on: there are %d", j.options->count,
                       j.first, KZ_DOBUTSU_PACKETS_COUNT);
    }
    j.end = j.options->count ? j.first + j.options->count : KZ_DOBUTSU_PACKETS_COUNT;
    if (!path && !j.options->tar) {
        return kz_fail(error, KZ_ERR_INPUT, "only an archive can do without a path");
    }
    kz_error reason = {.status = KZ_ERR_MEMORY};
    j.pool = source ? source->pool : kz_pool_new(j.options->threads, &reason);
    if (!j.pool) {
        return kz_fail(error, reason.status, "%s", reason.message);
    }
    kz_status status = open_target(&j, error);
    status = status == KZ_OK ? run(&j, error) : status;
    if (!source) {
        kz_packet_source_close(j.source);
        kz_pool_free(j.pool);
    }
    free(j.bytes);
    free(j.kept);
    free(j.errors);
    if (j.folder >= 0) {
        close(j.folder);
    }
    return status;
}

kz_status kz_dobutsu_packets_write(const char *path, const kz_dobutsu_packets_options *options,
                                   kz_dobutsu_packets_summary *summary, kz_error *error) {
    return kz_packet_write_with(NULL, path, options, summary, error);
}
