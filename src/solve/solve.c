/* SPDX-License-Identifier: MIT
 *
 * kz_solve: rules in, table out. */
#include "base/error.h"
#include "game/defined.h"
#include "solve/any.h"
#include "solve/any_tier.h"
#include "solve/device.h"
#include "solve/job.h"
#include "solve/team/any_team.h"
#include "solve/team/team.h"
#include "solve/work_folder.h"
#include "table/writer.h"

#include <dirent.h>
#include <fcntl.h>
#include <kanzen/paths.h>
#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

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

kz_status kz_job_work_path(const kz_solve_job *job, char folder[KZ_PATH_BYTES], kz_error *error) {
    return snprintf(folder, KZ_PATH_BYTES, "%s.work", job->path) < KZ_PATH_BYTES
               ? KZ_OK
               : kz_fail(error, KZ_ERR_INPUT, "the path of the table is too long");
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

/* Better a message now than a process that the system kills, or a full disk, after an hour: the memory of the largest
 * tier, or of a member's shards, and a byte a number for what is found, more only where wins take very long
 * (solve/any_form.h). */
static kz_status check_tiers(const kz_solve_job *job, const kz_any_rules *rules, const char *folder, kz_error *error) {
    enum { MIB = 1 << 20 };
    const kz_solve_options *options = job->options;
    uint64_t largest = 0;
    for (int tier = 0; tier < rules->tiers; tier++) {
        uint64_t size = rules->tier_begin[tier + 1] - rules->tier_begin[tier];
        largest = size > largest ? size : largest;
    }
    int members = kz_team_size(options->team);
    uint64_t needed = members > 1 ? kz_any_team_bytes(rules, members) : kz_any_tier_bytes(largest);
    uint64_t memory = options->memory_bytes ? options->memory_bytes : kz_available_memory_bytes();
    if (needed > memory) {
        return kz_fail(error, KZ_ERR_MEMORY,
                       "%s (%s) is too large: it has %llu numbers, %llu of them in one tier, which takes %llu MiB of "
                       "memory%s, and there are %llu MiB: %s machines can share it",
                       job->game->name, kz_rules_name(job->game, job->rules), (unsigned long long)rules->size,
                       (unsigned long long)largest, (unsigned long long)(needed / MIB + 1),
                       members > 1 ? " in each process" : "", (unsigned long long)(memory / MIB),
                       members > 1 ? "more" : "several");
    }
    if (kz_team_rank(options->team) > 0) {
        return KZ_OK; /* the first one has the files */
    }
    uint64_t disk = options->disk_bytes ? options->disk_bytes : kz_job_disk_room(job, folder);
    if (rules->size > disk) {
        return kz_fail(error, KZ_ERR_IO,
                       "%s (%s) is too large: what is found takes %llu MiB of disk, and there are %llu MiB for '%s'",
                       job->game->name, kz_rules_name(job->game, job->rules),
                       (unsigned long long)(rules->size / MIB + 1), (unsigned long long)(disk / MIB), job->path);
    }
    return KZ_OK;
}

/* Several members leave all tiers in files, of which the first one makes the table as if it had solved them. */
static kz_status solve_tiers(const kz_solve_job *job, const kz_any_rules *rules, const char *folder, kz_error *error) {
    const char *name = kz_rules_name(job->game, job->rules);
    kz_team *team = job->options->team;
    kz_status status = KZ_OK;
    double begin = kz_seconds();
    if (kz_team_size(team) > 1) {
        status = kz_any_team_solve(job->game, rules, name, folder, job->pool, job->options, error);
    }
    double together = kz_seconds() - begin;
    if (status == KZ_OK && kz_team_rank(team) == 0) {
        status = kz_any_solve(job->game, rules, name, folder, job->path, job->pool, job->options, job->summary, error);
        job->summary->solve_seconds += together;
    }
    return kz_team_agree(team, status, error);
}

/* A game that is solved through its definition. */
static kz_status solve_definition(const kz_solve_job *job, kz_error *error) {
    const kz_definition *definition = kz_game_definition(job->game);
    if (!definition) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "%s has no definition that it could be solved through",
                       job->game->name);
    }
    kz_team *team = job->options->team;
    bool writes = kz_team_rank(team) == 0;
    char folder[KZ_PATH_BYTES];
    int lock = -1;
    kz_any_rules rules = {.tiers = 0};
    kz_status status = kz_job_work_path(job, folder, error);
    /* The context of a game that comes with Kanzen is for single positions; here its tables are worth making. */
    void *context = (void *)(uintptr_t)kz_game_context(job->game, job->rules);
    bool opens = status == KZ_OK && !job->game->opened && definition->open;
    if (opens) {
        status = definition->open(job->rules, &context, error);
        opens = status == KZ_OK;
    }
    if (status == KZ_OK) {
        status = kz_any_rules_open(&rules, definition, context, error);
    }
    if (status == KZ_OK) {
        status = check_tiers(job, &rules, folder, error);
    }
    if (status == KZ_OK && writes) {
        status = kz_work_folder_lock(folder, &lock, error);
    }
    status = kz_team_agree(team, status, error);
    if (status == KZ_OK) {
        status = solve_tiers(job, &rules, folder, error);
    }
    if (status == KZ_OK && writes && !job->options->keep_work) {
        kz_work_folder_remove(folder);
    }
    kz_work_folder_unlock(lock);
    kz_any_rules_close(&rules);
    if (opens && definition->close) {
        definition->close(context);
    }
    return status;
}

/* Before anything is done: a card can do what a game has kernels for. */
static kz_status check_device(const kz_solve_job *job, kz_error *error) {
    bool card = false;
    kz_status status = kz_device_is_card(job->options->device, &card, error);
    const kz_doors *doors = job->game->doors;
    bool possible = !job->options->plain && doors->card;
    return status != KZ_OK || !card || possible
               ? status
               : kz_fail(error, KZ_ERR_UNSUPPORTED, "%s can't be solved on a graphics card%s", job->game->name,
                         job->options->plain ? " through its definition" : "");
}

/* Through a definition all distances are found in one go. */
static kz_status check_phases(const kz_solve_job *job, bool by_door, kz_error *error) {
    return by_door || job->options->last_phase == 0
               ? KZ_OK
               : kz_fail(error, KZ_ERR_UNSUPPORTED,
                         "%s is solved through its definition, which does not stop after a phase or a distance",
                         job->game->name);
}

/* Only the one that writes has to know whether it may. */
static kz_status prepare(const kz_solve_job *job, kz_error *error) {
    kz_team *team = job->options->team;
    kz_status status = KZ_OK;
    if (kz_team_rank(team) == 0) {
        status = kz_prepare_output(job->path, job->options->replace, error); /* better now than when all is done */
    }
    return kz_team_agree(team, status, error);
}

static kz_status open_pool(kz_solve_job *job, kz_error *error) {
    kz_team *team = job->options->team;
    int threads = job->options->threads;
    job->pool = kz_pool_new(threads > 0 ? threads : kz_team_processors(team), error);
    return kz_team_agree(team, job->pool ? KZ_OK : KZ_ERR_MEMORY, error);
}

/* What the members have in common at the end: what member 0 knows, and what it cost each of them. */
static kz_status share_summary(const kz_solve_job *job, kz_error *error) {
    kz_team *team = job->options->team;
    kz_summary *summary = job->summary;
    summary->members = kz_team_size(team);
    summary->most_memory = kz_peak_memory_bytes();
    if (summary->members == 1) {
        return KZ_OK;
    }
    size_t members = (size_t)summary->members;
    uint64_t exchanged = kz_team_spent(team).bytes;
    uint64_t *memory = calloc(members, sizeof *memory);
    kz_status status = kz_team_agree(team, memory ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "out of memory"), error);
    if (memory && status == KZ_OK) {
        memory[kz_team_rank(team)] = summary->most_memory;
        status = kz_team_sum(team, memory, members, error);
    }
    if (status == KZ_OK) {
        status = kz_team_sum(team, &exchanged, 1, error);
    }
    if (status == KZ_OK) {
        status = kz_team_broadcast(team, 0, summary, sizeof *summary, error);
    }
    for (size_t i = 0; memory && status == KZ_OK && i < members; i++) {
        summary->most_memory = memory[i] > summary->most_memory ? memory[i] : summary->most_memory;
    }
    summary->exchanged_bytes = exchanged;
    free(memory);
    return status;
}

kz_status kz_solve(const kz_game *game, int rules, const char *path, const kz_solve_options *options,
                   kz_summary *summary, kz_error *error) {
    static const kz_solve_options none;
    kz_solve_job job = {.game = game,
                        .rules = rules,
                        .path = path,
                        .options = options ? options : &none,
                        .begin = kz_seconds(),
                        .summary = summary};
    *summary = (kz_summary){.positions = 0};
    bool by_door = game->doors->solve && !job.options->plain;
    kz_status status;
    KZ_TRY_OR(done, kz_game_check_whole(game, rules, error));
    KZ_TRY_OR(done, check_device(&job, error));
    KZ_TRY_OR(done, check_phases(&job, by_door, error));
    KZ_TRY_OR(done, prepare(&job, error));
    KZ_TRY_OR(done, open_pool(&job, error));
    KZ_TRY_OR(done, by_door ? game->doors->solve(&job, error) : solve_definition(&job, error));
    status = share_summary(&job, error);
done:
    if (job.pool) {
        kz_pool_free(job.pool);
    }
    return status;
}

kz_status kz_count_positions(const kz_game *game, int threads, const kz_progress *progress, kz_count *counts,
                             size_t room, size_t *found, kz_error *error) {
    *found = 0;
    if (!game->doors || !game->doors->counts) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "there are no position sets to count for %s", game->name);
    }
    kz_error reason;
    kz_pool *pool = kz_pool_new(threads, &reason);
    if (!pool) {
        return kz_fail(error, reason.status, "%s", reason.message);
    }
    kz_status status = game->doors->counts(pool, progress, counts, room, found, error);
    kz_pool_free(pool);
    return status;
}
