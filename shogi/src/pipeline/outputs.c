/* SPDX-License-Identifier: MIT
 *
 * The shards. While they are written their names end in ".part"; all of them get their names at the end. */
#include "shogi/src/pipeline/pipeline.h"
#include "shogi/src/records/rawfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static kz_status out_of_memory(kz_error *error) { return kz_fail(error, KZ_ERR_MEMORY, "out of memory"); }

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static const char *path_of(const kz_pipeline_run *run, int set) {
    return set == KZ_PIPELINE_MAIN ? run->pipeline->path : run->pipeline->held_path;
}

/* "train.psv", or with shards "train-00000.psv". */
static char *shard_name(const kz_pipeline_run *run, int set, uint64_t number, const char *ending) {
    const char *path = path_of(run, set);
    char *name;
    int length;
    if (run->pipeline->shard_records == 0) {
        length = asprintf(&name, "%s%s", path, ending);
    } else {
        const char *slash = strrchr(path, '/');
        const char *dot = strrchr(slash ? slash + 1 : path, '.');
        bool has_ending = dot && dot != (slash ? slash + 1 : path);
        int stem = has_ending ? (int)(dot - path) : (int)strlen(path);
        length = asprintf(&name, "%.*s-%05" PRIu64 "%s%s", stem, path, number, has_ending ? dot : "", ending);
    }
    return length < 0 ? NULL : name;
}

char *kz_pipeline_shard_name(const kz_pipeline_run *run, int set, uint64_t number) {
    return shard_name(run, set, number, "");
}

uint64_t kz_pipeline_shard_count(const kz_pipeline_run *run, int set) {
    uint64_t each = run->pipeline->shard_records;
    if (!path_of(run, set)) {
        return 0;
    }
    return each == 0 ? 1 : (run->state.sets[set].records + each - 1) / each;
}

uint64_t kz_pipeline_records_in_shard(const kz_pipeline_run *run, int set, uint64_t number) {
    uint64_t each = run->pipeline->shard_records;
    uint64_t all = run->state.sets[set].records;
    if (each == 0) {
        return all;
    }
    uint64_t first = number * each;
    return all > first ? (all - first < each ? all - first : each) : 0;
}

/* Frees the name; NULL when out of memory. */
static kz_status refuse_if_there(char *name, kz_error *error) {
    if (!name) {
        return out_of_memory(error);
    }
    kz_status status = access(name, F_OK) == 0 ? kz_fail(error, KZ_ERR_IO, "%s exists already", name) : KZ_OK;
    free(name);
    return status;
}

kz_status kz_pipeline_check_targets(const kz_pipeline_run *run, kz_error *error) {
    if (run->pipeline->replace) {
        return KZ_OK;
    }
    for (int set = 0; set < KZ_PIPELINE_SETS; set++) {
        if (path_of(run, set)) {
            KZ_TRY(refuse_if_there(shard_name(run, set, 0, ""), error));
        }
    }
    char *manifest;
    return refuse_if_there(asprintf(&manifest, "%s.manifest.json", run->pipeline->path) < 0 ? NULL : manifest, error);
}

static kz_status refuse_as_input(const kz_pipeline_run *run, const char *name, const struct stat *target,
                                 kz_error *error) {
    const kz_shogi_pipeline *pipeline = run->pipeline;
    for (size_t i = 0; i < pipeline->input_count + pipeline->reference_count; i++) {
        bool input = i < pipeline->input_count;
        const char *path = input ? pipeline->inputs[i].path : pipeline->references[i - pipeline->input_count].path;
        struct stat found;
        if (strcmp(path, "-") != 0 && stat(path, &found) == 0 && found.st_dev == target->st_dev &&
            found.st_ino == target->st_ino) {
            return kz_fail(error, KZ_ERR_INPUT,
                           "%s is %s of this run, and what it writes (%s) would replace it; write to another place, or "
                           "move the file away",
                           path, input ? "an input" : "a reference", name);
        }
    }
    return KZ_OK;
}

/* The shards of an earlier run follow each other. */
kz_status kz_pipeline_check_inputs(const kz_pipeline_run *run, kz_error *error) {
    kz_status status = KZ_OK;
    for (int set = 0; set < KZ_PIPELINE_SETS && status == KZ_OK; set++) {
        bool there = path_of(run, set);
        for (uint64_t number = 0; there && status == KZ_OK; number++) {
            char *name = shard_name(run, set, number, "");
            if (!name) {
                return out_of_memory(error);
            }
            struct stat target;
            there = stat(name, &target) == 0;
            if (there) {
                status = refuse_as_input(run, name, &target, error);
            }
            free(name);
            there = there && run->pipeline->shard_records != 0;
        }
    }
    return status;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

kz_status kz_pipeline_write(const kz_pipeline_run *run, int set, uint64_t shard, uint64_t offset, const uint8_t *bytes,
                            size_t size, kz_error *error) {
    char *name = shard_name(run, set, shard, ".part");
    if (!name) {
        return out_of_memory(error);
    }
    kz_place place = {
        .descriptor = open(name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666), .name = name, .offset = offset};
    kz_status status = place.descriptor < 0 ? kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s", name)
                                            : kz_place_write(place, bytes, size, error);
    if (place.descriptor >= 0) {
        close(place.descriptor);
    }
    free(name);
    return status;
}

static kz_status sync_file(const char *name, kz_error *error) {
    int descriptor = open(name, O_RDONLY | O_CLOEXEC);
    kz_status status = KZ_OK;
    if (descriptor < 0 || fsync(descriptor) != 0) {
        status = kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s", name);
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    return status;
}

kz_status kz_pipeline_sync(const kz_pipeline_run *run, int set, uint64_t first, uint64_t last, kz_error *error) {
    for (uint64_t shard = first; shard <= last; shard++) {
        char *name = shard_name(run, set, shard, ".part");
        if (!name) {
            return out_of_memory(error);
        }
        kz_status status = access(name, F_OK) == 0 ? sync_file(name, error) : KZ_OK;
        free(name);
        KZ_TRY(status);
    }
    return KZ_OK;
}

/* ---- Going on, ending -------------------------------------------------------------------------------------------- */

/* The bytes that the part of a shard has by the state. */
static uint64_t shard_bytes(const kz_pipeline_run *run, int set, uint64_t shard) {
    size_t record_bytes = run->encoder.info->bytes;
    return record_bytes != 0 ? kz_pipeline_records_in_shard(run, set, shard) * record_bytes
                             : run->state.sets[set].shard_bytes;
}

kz_status kz_pipeline_cut(const kz_pipeline_run *run, int set, kz_error *error) {
    if (!path_of(run, set)) {
        return KZ_OK;
    }
    uint64_t count = run->state.sets[set].records > 0 ? kz_pipeline_shard_count(run, set) : 0;
    /* The last one that has records may be longer than it was, and there may be more. */
    for (uint64_t shard = count > 0 ? count - 1 : 0;; shard++) {
        char *name = shard_name(run, set, shard, ".part");
        if (!name) {
            return out_of_memory(error);
        }
        bool there = access(name, F_OK) == 0;
        kz_status status = KZ_OK;
        if (shard < count) {
            struct stat found;
            uint64_t bytes = shard_bytes(run, set, shard);
            if (!there || stat(name, &found) != 0 || (uint64_t)found.st_size < bytes) {
                status = kz_fail(error, KZ_ERR_CORRUPT, "can't go on: %s is missing or too short", name);
            } else if (truncate(name, (off_t)bytes) != 0) {
                status = kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s", name);
            }
        } else if (there && unlink(name) != 0) {
            status = kz_fail_errno(error, KZ_ERR_IO, errno, "can't remove %s", name);
        }
        free(name);
        if (status != KZ_OK || (!there && shard >= count) || run->pipeline->shard_records == 0) {
            return status;
        }
    }
}

void kz_pipeline_remove_parts(const kz_pipeline_run *run) {
    for (int set = 0; set < KZ_PIPELINE_SETS; set++) {
        bool more = path_of(run, set);
        for (uint64_t shard = 0; more; shard++) {
            char *name = shard_name(run, set, shard, ".part");
            more = name && unlink(name) == 0 && run->pipeline->shard_records != 0;
            free(name);
        }
    }
}

static kz_status publish_shard(const kz_pipeline_run *run, int set, uint64_t shard, kz_error *error) {
    char *part = shard_name(run, set, shard, ".part");
    char *name = shard_name(run, set, shard, "");
    kz_status status = part && name ? KZ_OK : out_of_memory(error);
    if (status == KZ_OK && access(part, F_OK) != 0 && access(name, F_OK) != 0) {
        /* A set without a record is an empty file all the same. */
        status = run->state.sets[set].records == 0 ? kz_pipeline_write(run, set, shard, 0, NULL, 0, error)
                                                   : kz_fail(error, KZ_ERR_CORRUPT, "can't go on: %s is missing", part);
    }
    if (status == KZ_OK && access(part, F_OK) == 0 && rename(part, name) != 0) {
        status = kz_fail_errno(error, KZ_ERR_IO, errno, "can't write %s", name);
    }
    free(part);
    free(name);
    return status;
}

/* Shards of a set that was larger once are no part of this one. */
static void remove_rest(const kz_pipeline_run *run, int set) {
    bool more = run->pipeline->shard_records != 0 && run->pipeline->replace;
    for (uint64_t shard = kz_pipeline_shard_count(run, set); more; shard++) {
        char *name = shard_name(run, set, shard, "");
        more = name && unlink(name) == 0;
        free(name);
    }
}

static kz_status sync_folder(const char *path, kz_error *error) {
    const char *slash = strrchr(path, '/');
    char *folder = !slash ? strdup(".") : strndup(path, slash == path ? 1 : (size_t)(slash - path));
    if (!folder) {
        return out_of_memory(error);
    }
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    kz_status status = KZ_OK;
    if (descriptor < 0 || (fsync(descriptor) != 0 && errno != EINVAL)) {
        status = kz_fail_errno(error, KZ_ERR_IO, errno, "can't sync the folder of %s", path);
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    free(folder);
    return status;
}

kz_status kz_pipeline_publish(const kz_pipeline_run *run, kz_error *error) {
    for (int set = 0; set < KZ_PIPELINE_SETS; set++) {
        if (!path_of(run, set)) {
            continue;
        }
        uint64_t count = kz_pipeline_shard_count(run, set);
        for (uint64_t shard = 0; shard < count; shard++) {
            KZ_TRY(publish_shard(run, set, shard, error));
        }
        remove_rest(run, set);
        KZ_TRY(sync_folder(path_of(run, set), error));
    }
    return KZ_OK;
}
