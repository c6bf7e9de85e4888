/* SPDX-License-Identifier: MIT */
#include "shogi/src/records/rawfile.h"

#include "shogi/src/records/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Files at any place ------------------------------------------------------------------------------------------ */

static const char *kind_of(kz_place place) { return place.nameless ? "a temporary file in " : ""; }

kz_status kz_place_read(kz_place place, void *data, size_t size, kz_error *error) {
    uint8_t *next = data;
    while (size > 0) {
        ssize_t got = pread(place.descriptor, next, size, (off_t)place.offset);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s%s", kind_of(place), place.name);
        }
        if (got == 0) {
            return kz_fail(error, KZ_ERR_IO, "can't read %s%s: it has become shorter in the meantime", kind_of(place),
                           place.name);
        }
        next += got;
        size -= (size_t)got;
        place.offset += (uint64_t)got;
    }
    return KZ_OK;
}

kz_status kz_place_write(kz_place place, const void *data, size_t size, kz_error *error) {
    const uint8_t *next = data;
    while (size > 0) {
        ssize_t written = pwrite(place.descriptor, next, size, (off_t)place.offset);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s%s", kind_of(place), place.name);
        }
        next += written;
        size -= (size_t)written;
        place.offset += (uint64_t)written;
    }
    return KZ_OK;
}

kz_status kz_open_nameless(const char *folder, kz_place *begin, kz_error *error) {
    *begin =
        (kz_place){.descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600), .nameless = true, .name = folder};
    if (begin->descriptor >= 0) {
        return KZ_OK;
    }
    /* Not every file system has files without a name; there one loses it at once. */
    char *path;
    if (asprintf(&path, "%s/kanzen-XXXXXX", folder) < 0) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    begin->descriptor = mkostemp(path, O_CLOEXEC);
    int code = errno;
    if (begin->descriptor >= 0) {
        unlink(path);
    }
    free(path);
    return begin->descriptor >= 0
               ? KZ_OK
               : kz_fail_errno(error, KZ_ERR_IO, code, "can't create a temporary file in %s", folder);
}

/* ---- The source -------------------------------------------------------------------------------------------------- */

static kz_status measure(kz_rawsource *raw, const kz_shogi_source *source, const kz_shogi_file_options *options,
                         kz_error *error) {
    struct stat found;
    if (fstat(raw->begin.descriptor, &found) != 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", source->path);
    }
    if (!S_ISREG(found.st_mode)) {
        return kz_fail(error, KZ_ERR_IO, "can't read %s: it is not a regular file, and has to be read more than once",
                       source->path);
    }
    uint64_t size = (uint64_t)found.st_size;
    uint64_t count = size / raw->record_bytes;
    uint64_t first = source->first < count ? source->first : count;
    raw->begin.offset = first * raw->record_bytes;
    raw->first = first;
    raw->count = source->count != 0 && source->count < count - first ? source->count : count - first;
    bool to_the_end = source->count == 0 || source->count > raw->count;
    raw->trailing = to_the_end ? size % raw->record_bytes : 0;
    if (raw->trailing > 0 && !options->skip_bad) {
        return kz_fail(error, KZ_ERR_CORRUPT,
                       "%s is cut short: it ends after %" PRIu64 " byte%s of record %" PRIu64 ", which has %zu",
                       source->path, raw->trailing, raw->trailing == 1 ? "" : "s", count + 1, raw->record_bytes);
    }
    return KZ_OK;
}

kz_status kz_rawsource_open(kz_rawsource *raw, const kz_shogi_source *source, const kz_shogi_file_options *options,
                            kz_error *error) {
    *raw = (kz_rawsource){.begin = {.descriptor = -1, .name = source->path}};
    const kz_shogi_record_info *info = kz_shogi_record_at(source->record);
    if (info->bytes == 0) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED,
                       "this takes records of fixed size, and those of %s are %s; convert them first", source->path,
                       info->name);
    }
    raw->record_bytes = info->bytes;
    if (strcmp(source->path, "-") == 0) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED,
                       "this takes a regular file, not a stream: it has to be read more than once");
    }
    if (kz_is_packed_name(source->path)) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED,
                       "this takes a regular file, and %s is packed: it has to be read more than once", source->path);
    }
    /* Non-blocking, so that a named pipe is refused and not waited for. */
    raw->begin.descriptor = open(source->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (raw->begin.descriptor < 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", source->path);
    }
    kz_status status = measure(raw, source, options, error);
    if (status != KZ_OK) {
        kz_rawsource_close(raw);
    }
    return status;
}

void kz_rawsource_close(kz_rawsource *raw) {
    if (raw->begin.descriptor >= 0) {
        close(raw->begin.descriptor);
        raw->begin.descriptor = -1;
    }
}

kz_status kz_rawsource_read(const kz_rawsource *raw, uint64_t first, size_t count, uint8_t *records, kz_error *error) {
    return kz_place_read(kz_place_after(raw->begin, first * raw->record_bytes), records, count * raw->record_bytes,
                         error);
}

kz_shogi_file_report kz_rawsource_report(const kz_rawsource *raw) {
    kz_shogi_file_report report = {.read = raw->count, .trailing = raw->trailing};
    if (raw->trailing > 0) {
        report.read++;
        report.bad = 1;
        report.defects[KZ_SHOGI_TRUNCATED] = 1;
        report.offender_count = 1;
        report.offenders[0] = (kz_shogi_offender){.index = raw->first + raw->count, .defect = KZ_SHOGI_TRUNCATED};
    }
    return report;
}

/* ---- The target -------------------------------------------------------------------------------------------------- */

static char *scratch_of(const kz_shogi_file_options *options, const char *path) {
    if (options->scratch) {
        return strdup(options->scratch);
    }
    const char *slash = strrchr(path, '/');
    return !slash ? strdup(".") : strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static kz_status open_target(kz_rawcopy *raw, const kz_shogi_source *source, const kz_shogi_target *target,
                             kz_error *error) {
    if (target->record != source->record) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "records keep their form here: %s can't become %s",
                       kz_shogi_record_at(source->record)->name, kz_shogi_record_at(target->record)->name);
    }
    KZ_TRY(kz_refuse_packed_name(target->path, error));
    raw->is_stream = strcmp(target->path, "-") == 0;
    raw->scratch = scratch_of(raw->options, target->path);
    if (!raw->scratch) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    return raw->is_stream ? kz_outfile_open_stream(&raw->target, STDOUT_FILENO, "the standard output", error)
                          : kz_outfile_open(&raw->target, target->path, target->replace, error);
}

kz_status kz_rawcopy_run(const kz_shogi_source *source, const kz_shogi_target *target,
                         const kz_shogi_file_options *options, const kz_progress *progress,
                         kz_status (*copy)(kz_rawcopy *raw, void *user, kz_error *error), void *user,
                         kz_shogi_file_report *report, kz_error *error) {
    kz_rawcopy raw = {.options = options, .progress = progress, .report = report};
    *report = (kz_shogi_file_report){0};
    KZ_TRY(kz_rawsource_open(&raw.source, source, options, error));
    kz_status status;
    KZ_TRY_OR(end, open_target(&raw, source, target, error));
    status = copy(&raw, user, error);
    if (status == KZ_OK) {
        status = kz_outfile_commit(&raw.target, error);
    } else {
        kz_outfile_discard(&raw.target);
    }
    report->written = status == KZ_OK ? report->written : 0;
end:
    kz_rawsource_close(&raw.source);
    free(raw.scratch);
    return status;
}

/* ---- Options ----------------------------------------------------------------------------------------------------- */

uint64_t kz_memory_of(const kz_shogi_file_options *options, uint64_t least) {
    uint64_t memory = options->memory;
    if (memory == 0) {
        long pages = sysconf(_SC_PHYS_PAGES);
        long page = sysconf(_SC_PAGESIZE);
        memory = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / 4 : UINT64_C(1) << 30;
    }
    return memory > least ? memory : least;
}

kz_status kz_tell(const kz_progress *progress, const char *stage, uint64_t done, uint64_t total, kz_error *error) {
    if (!progress || !progress->report || progress->report(progress->user, stage, done, total)) {
        return KZ_OK;
    }
    return kz_fail(error, KZ_ERR_CANCELLED, "interrupted");
}
