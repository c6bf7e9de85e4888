/* SPDX-License-Identifier: MIT
 *
 * The folder of a run: "state", "lock", and a file for each partition. The state is replaced as a whole, after what it
 * speaks of has reached the disk; whatever lies beyond it is cut off when a run goes on. */
#include "base/file.h"
#include "shogi/src/pipeline/pipeline.h"
#include "shogi/src/records/decode.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PART_NAMES = 100000 }; /* pieces of partitions come and go */

static const char MAGIC[8] = "KZPIPE3"; /* another layout gets another number */

struct head {
    char magic[sizeof MAGIC];
    uint64_t size; /* of the whole file */
    kz_pipeline_state state;
};

/* ---- Names ------------------------------------------------------------------------------------------------------- */

char *kz_pipeline_path(const kz_pipeline_run *run, const char *name) {
    char *path;
    return asprintf(&path, "%s/%s", run->folder, name) < 0 ? NULL : path;
}

char *kz_pipeline_part_path(const kz_pipeline_run *run, const char *prefix, uint32_t number) {
    char *path;
    return asprintf(&path, "%s/%s%05u", run->folder, prefix, number % PART_NAMES) < 0 ? NULL : path;
}

static kz_status out_of_memory(kz_error *error) { return kz_fail(error, KZ_ERR_MEMORY, "out of memory"); }

/* ---- Settings ---------------------------------------------------------------------------------------------------- */

struct settings {
    kz_hash_stream hash;
};

static void add_number(struct settings *settings, uint64_t number) {
    kz_hash_stream_update(&settings->hash, &number, sizeof number);
}

static void add_text(struct settings *settings, const char *text) {
    kz_hash_stream_update(&settings->hash, text, strlen(text) + 1);
}

static kz_status add_sources(struct settings *settings, const kz_shogi_source *sources, size_t count, kz_error *error) {
    add_number(settings, count);
    for (size_t i = 0; i < count; i++) {
        struct stat found = {.st_size = 0};
        if (strcmp(sources[i].path, "-") != 0 && stat(sources[i].path, &found) != 0) {
            return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", sources[i].path);
        }
        add_text(settings, sources[i].path);
        add_number(settings, (uint64_t)found.st_size);
        add_number(settings, (uint64_t)found.st_mtim.tv_sec);
        add_number(settings, (uint64_t)found.st_mtim.tv_nsec);
        add_number(settings, sources[i].record);
        add_number(settings, kz_records_dialect(sources[i].record, sources[i].dialect));
        add_number(settings, sources[i].first);
        add_number(settings, sources[i].count);
    }
    return KZ_OK;
}

kz_status kz_pipeline_settings(const kz_pipeline_run *run, uint64_t *settings_hash, kz_error *error) {
    const kz_shogi_pipeline *pipeline = run->pipeline;
    struct settings settings = {.hash = {NULL}};
    if (!kz_hash_stream_begin(&settings.hash)) {
        return out_of_memory(error);
    }
    kz_status status;
    KZ_TRY_OR(end, add_sources(&settings, pipeline->references, pipeline->reference_count, error));
    KZ_TRY_OR(end, add_sources(&settings, pipeline->inputs, pipeline->input_count, error));
    add_text(&settings, pipeline->path);
    add_text(&settings, pipeline->held_path ? pipeline->held_path : "");
    const uint64_t numbers[] = {pipeline->record,
                                run->encoder.dialect,
                                pipeline->shard_records,
                                pipeline->most,
                                run->held_limit,
                                pipeline->same,
                                pipeline->keep,
                                run->options->seed,
                                run->options->skip_bad,
                                run->options->legal,
                                run->options->without_box,
                                run->options->unsearched,
                                pipeline->count_only,
                                kz_records_filter_hash(run->options->filter)};
    kz_hash_stream_update(&settings.hash, numbers, sizeof numbers);
    *settings_hash = kz_hash_stream_value(&settings.hash);
end:
    kz_hash_stream_end(&settings.hash);
    return status;
}

/* ---- The state --------------------------------------------------------------------------------------------------- */

kz_status kz_pipeline_save(const kz_pipeline_run *run, const kz_pipeline_state *state, const kz_pipeline_part *parts,
                           kz_error *error) {
    size_t parts_bytes = state->partitions * sizeof *parts;
    size_t size = sizeof(struct head) + parts_bytes + sizeof(uint64_t);
    uint8_t *image = calloc(1, size);
    char *path = kz_pipeline_path(run, "state");
    kz_outfile file;
    kz_status status;
    KZ_TRY_OR(end, image && path ? KZ_OK : out_of_memory(error));
    struct head *head = (struct head *)(void *)image;
    memcpy(head->magic, MAGIC, sizeof MAGIC);
    head->size = size;
    memcpy(&head->state, state, sizeof *state);
    memcpy(image + sizeof *head, parts, parts_bytes);
    uint64_t checksum = kz_hash64(image, size - sizeof checksum);
    memcpy(image + size - sizeof checksum, &checksum, sizeof checksum);
    KZ_TRY_OR(end, kz_outfile_open_part(&file, path, true, false, error));
    status = kz_outfile_write(&file, image, size, error);
    if (status == KZ_OK) {
        status = kz_outfile_commit(&file, error);
    } else {
        kz_outfile_discard(&file);
    }
end:
    free(image);
    free(path);
    return status;
}

static kz_status check_image(const kz_pipeline_run *run, const kz_mapping *image, const char *path, kz_error *error) {
    struct head head;
    if (image->size < sizeof head + sizeof(uint64_t)) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s is damaged", path);
    }
    memcpy(&head, image->data, sizeof head);
    if (memcmp(head.magic, MAGIC, sizeof MAGIC) != 0) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s was not written by this version of kanzen", path);
    }
    uint64_t checksum;
    memcpy(&checksum, image->data + image->size - sizeof checksum, sizeof checksum);
    size_t parts_bytes = head.state.partitions * sizeof(kz_pipeline_part);
    if (head.size != image->size || image->size != sizeof head + parts_bytes + sizeof checksum ||
        checksum != kz_hash64(image->data, image->size - sizeof checksum)) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s is damaged", path);
    }
    if (head.state.settings != run->state.settings) {
        return kz_fail(error, KZ_ERR_INPUT,
                       "can't go on with the run in %s: its inputs have been changed since, or it had other settings",
                       run->folder);
    }
    return KZ_OK;
}

kz_status kz_pipeline_load(kz_pipeline_run *run, bool *there, kz_error *error) {
    char *path = kz_pipeline_path(run, "state");
    if (!path) {
        return out_of_memory(error);
    }
    kz_mapping image = {.size = 0};
    kz_status status = KZ_OK;
    *there = access(path, F_OK) == 0;
    if (*there) {
        KZ_TRY_OR(end, kz_mapping_open(&image, path, error));
        KZ_TRY_OR(end, check_image(run, &image, path, error));
        memcpy(&run->state, image.data + offsetof(struct head, state), sizeof run->state);
        free(run->parts);
        run->parts = malloc(run->state.partitions * sizeof *run->parts + 1);
        KZ_TRY_OR(end, run->parts ? KZ_OK : out_of_memory(error));
        memcpy(run->parts, image.data + sizeof(struct head), run->state.partitions * sizeof *run->parts);
    }
end:
    kz_mapping_close(&image);
    free(path);
    return status;
}

/* ---- The folder -------------------------------------------------------------------------------------------------- */

static bool is_ours(const char *name) {
    return strcmp(name, "state") == 0 || strcmp(name, "state.part") == 0 || strcmp(name, "lock") == 0 ||
           strcmp(name, "speed") == 0 || ((name[0] == 'p' || name[0] == 'q') && strspn(name + 1, "0123456789") == 5);
}

/* Removes the files of a run, but the lock. */
static void empty_folder(const char *folder) {
    DIR *entries = opendir(folder);
    if (!entries) {
        return;
    }
    for (const struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
        if (is_ours(entry->d_name) && strcmp(entry->d_name, "lock") != 0) {
            unlinkat(dirfd(entries), entry->d_name, 0);
        }
    }
    closedir(entries);
}

void kz_pipeline_unlock(kz_pipeline_run *run) {
    if (run->lock >= 0) {
        close(run->lock);
        run->lock = -1;
    }
}

void kz_pipeline_remove_folder(kz_pipeline_run *run) {
    empty_folder(run->folder);
    char *path = kz_pipeline_path(run, "lock");
    if (path) {
        unlink(path);
        free(path);
    }
    kz_pipeline_unlock(run);
    rmdir(run->folder);
}

static kz_status lock_folder(kz_pipeline_run *run, kz_error *error) {
    char *path = kz_pipeline_path(run, "lock");
    if (!path) {
        return out_of_memory(error);
    }
    run->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    kz_status status = KZ_OK;
    if (run->lock < 0) {
        status = kz_fail_errno(error, KZ_ERR_IO, errno, "can't create %s", path);
    } else if (flock(run->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        status = kz_fail(error, KZ_ERR_IO, "another process works in %s", run->folder);
        kz_pipeline_unlock(run);
    }
    free(path);
    return status;
}

kz_status kz_pipeline_open_folder(kz_pipeline_run *run, bool *resumed, kz_error *error) {
    *resumed = false;
    if (mkdir(run->folder, 0777) != 0 && errno != EEXIST) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't create the folder %s", run->folder);
    }
    KZ_TRY(lock_folder(run, error));
    kz_status status = KZ_OK;
    bool there = false;
    if (run->options->resume) {
        status = kz_pipeline_load(run, &there, error);
    } else {
        char *path = kz_pipeline_path(run, "state");
        there = path && access(path, F_OK) == 0;
        free(path);
        if (there && !run->pipeline->replace) {
            status =
                kz_fail(error, KZ_ERR_IO, "%s has a run that was interrupted; resume it, or replace it", run->folder);
        }
        there = false;
    }
    if (status == KZ_OK && !there) {
        empty_folder(run->folder);
    }
    *resumed = there;
    if (status != KZ_OK) {
        kz_pipeline_unlock(run);
    }
    return status;
}
