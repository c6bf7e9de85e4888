/* SPDX-License-Identifier: MIT
 *
 * What solvers ask for on their way. */
#include "solve/job.h"

#include "base/error.h"
#include "base/file.h"
#include "solve/team/team.h"
#include "table/writer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <kanzen/system.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

kz_status kz_device_is_card(const char *device, bool *card, kz_error *error) {
    *card = device && strcmp(device, "cuda") == 0;
    return !device || *card || strcmp(device, "cpu") == 0
               ? KZ_OK
               : kz_fail(error, KZ_ERR_INPUT, "there is no device '%s' (devices: cpu, cuda)", device);
}

/* ---- The folder of the work -------------------------------------------------------------------------------------- */

kz_status kz_job_work_path(const kz_solve_job *job, char folder[KZ_PATH_BYTES], kz_error *error) {
    return snprintf(folder, KZ_PATH_BYTES, "%s.work", job->path) < KZ_PATH_BYTES
               ? KZ_OK
               : kz_fail(error, KZ_ERR_INPUT, "the path of the table is too long");
}

/* The bytes in the files of a folder. */
static uint64_t folder_bytes(const char *folder) {
    uint64_t sum = 0;
    DIR *listing = opendir(folder);
    for (const struct dirent *entry; listing && (entry = readdir(listing));) {
        struct stat facts;
        if (fstatat(dirfd(listing), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(facts.st_mode)) {
            sum += (uint64_t)facts.st_size;
        }
    }
    if (listing) {
        closedir(listing);
    }
    return sum;
}

uint64_t kz_job_disk_room(const kz_solve_job *job, const char *folder) {
    char parent[KZ_PATH_BYTES];
    struct statvfs facts;
    snprintf(parent, sizeof parent, "%s", job->path);
    char *slash = strrchr(parent, '/');
    snprintf(slash ? slash + 1 : parent, sizeof parent - (size_t)(slash ? slash + 1 - parent : 0), ".");
    return statvfs(parent, &facts) == 0 ? (uint64_t)facts.f_bavail * facts.f_frsize + folder_bytes(folder) : UINT64_MAX;
}

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

/* ---- The table --------------------------------------------------------------------------------------------------- */

static void summarize(const kz_histogram *histogram, kz_summary *summary) {
    summary->draws = histogram->draws;
    for (int n = 0; n <= KZ_MAX_DISTANCE; n++) {
        summary->losses += histogram->losses[n];
        summary->wins += histogram->wins[n];
        if (histogram->wins[n]) {
            summary->longest_win = n;
            summary->longest_wins = histogram->wins[n];
        }
    }
    summary->positions = summary->wins + summary->losses + summary->draws;
}

kz_status kz_job_write_table(const kz_solve_job *job, const kz_source *source, const kz_histogram *histogram,
                             kz_error *error) {
    double solved = kz_seconds();
    job->summary->solve_seconds = solved - job->begin;
    summarize(histogram, job->summary);
    kz_status status = kz_table_write(job->game, job->rules, source, histogram, job->pool, job->path,
                                      job->options->replace, job->options->progress, &job->summary->table_bytes, error);
    job->summary->write_seconds = kz_seconds() - solved;
    return status;
}

/* Member 0 writes what all of them have. */
static kz_status write_from_all(const kz_solve_job *job, const kz_far_shard *shard, const kz_histogram *histogram,
                                kz_error *error) {
    kz_far_source *far = kz_far_source_new(shard, kz_pool_threads(job->pool));
    kz_status status = far ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to write the table");
    KZ_TRY_OR(done, kz_team_agree(shard->team, status, error));
    kz_source source = kz_far_source_of(far);
    status = kz_job_write_table(job, &source, histogram, error);
    kz_status dismissed = kz_team_dismiss(shard->team, status == KZ_OK ? error : NULL);
    status = status == KZ_OK ? dismissed : status;
done:
    kz_far_source_free(far);
    return status;
}

kz_status kz_job_write_table_together(const kz_solve_job *job, const kz_far_shard *shard, const kz_histogram *histogram,
                                      kz_error *error) {
    if (kz_team_size(shard->team) == 1) {
        return kz_job_write_table(job, &shard->own, histogram, error);
    }
    kz_status status = kz_team_rank(shard->team) == 0 ? write_from_all(job, shard, histogram, error)
                                                      : kz_far_source_serve(shard, error);
    return kz_team_agree(shard->team, status, error);
}
