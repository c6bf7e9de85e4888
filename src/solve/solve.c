/* SPDX-License-Identifier: MIT
 *
 * kz_solve: rules in, table out. */
#include "base/error.h"
#include "game/defined.h"
#include "solve/any.h"
#include "solve/any_tier.h"
#include "solve/job.h"
#include "solve/team/team.h"

#include <kanzen/system.h>
#include <stdlib.h>

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
                       kz_game_name(job->game), kz_rules_name(job->game, job->rules), (unsigned long long)rules->size,
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
                       kz_game_name(job->game), kz_rules_name(job->game, job->rules),
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

static kz_status open_rules(const kz_solve_job *job, const char *folder, kz_any_context *context, kz_any_rules *rules,
                            kz_error *error) {
    KZ_TRY(kz_any_context_open(context, job->game, job->rules, error));
    KZ_TRY(kz_any_rules_open(rules, context->game, context->context, error));
    return check_tiers(job, rules, folder, error);
}

/* A game that is solved through its definition. */
static kz_status solve_definition(const kz_solve_job *job, kz_error *error) {
    if (!kz_game_definition(job->game)) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "%s has no definition that it could be solved through",
                       kz_game_name(job->game));
    }
    kz_team *team = job->options->team;
    bool writes = kz_team_rank(team) == 0;
    char folder[KZ_PATH_BYTES];
    int lock = -1;
    kz_any_context context = {.opened = false};
    kz_any_rules rules = {.tiers = 0};
    kz_status status = kz_job_work_path(job, folder, error);
    if (status == KZ_OK) {
        status = open_rules(job, folder, &context, &rules, error);
    }
    if (status == KZ_OK && writes) {
        status = kz_work_folder_lock(folder, &lock, error);
    }
    KZ_TRY_OR(done, kz_team_agree(team, status, error));
    KZ_TRY_OR(done, solve_tiers(job, &rules, folder, error));
    if (writes && !job->options->keep_work) {
        kz_work_folder_remove(folder);
    }
done:
    kz_work_folder_unlock(lock);
    kz_any_rules_close(&rules);
    kz_any_context_close(&context);
    return status;
}

/* Before anything is done: a card can do what a game has kernels for. */
static kz_status check_device(const kz_solve_job *job, kz_error *error) {
    bool card = false;
    KZ_TRY(kz_device_is_card(job->options->device, &card, error));
    const kz_doors *doors = job->game->doors;
    bool possible = !job->options->plain && doors->card;
    return !card || possible ? KZ_OK
                             : kz_fail(error, KZ_ERR_UNSUPPORTED, "%s can't be solved on a graphics card%s",
                                       kz_game_name(job->game), job->options->plain ? " through its definition" : "");
}

/* Through a definition all distances are found in one go. */
static kz_status check_phases(const kz_solve_job *job, bool by_door, kz_error *error) {
    return by_door || job->options->last_phase == 0
               ? KZ_OK
               : kz_fail(error, KZ_ERR_UNSUPPORTED,
                         "%s is solved through its definition, which does not stop after a phase or a distance",
                         kz_game_name(job->game));
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
static kz_status gather_summary(const kz_solve_job *job, kz_error *error) {
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
    kz_status status = memory ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    KZ_TRY_OR(done, kz_team_agree(team, status, error));
    if (memory) { /* as all have agreed */
        memory[kz_team_rank(team)] = summary->most_memory;
    }
    KZ_TRY_OR(done, kz_team_sum(team, memory, members, error));
    KZ_TRY_OR(done, kz_team_sum(team, &exchanged, 1, error));
    KZ_TRY_OR(done, kz_team_broadcast(team, 0, summary, sizeof *summary, error));
    for (size_t i = 0; memory && i < members; i++) {
        summary->most_memory = memory[i] > summary->most_memory ? memory[i] : summary->most_memory;
    }
    summary->exchanged_bytes = exchanged;
done:
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
    status = gather_summary(&job, error);
done:
    if (job.pool) {
        kz_pool_free(job.pool);
    }
    return status;
}

kz_status kz_count_positions(const kz_game *game, int threads, const kz_progress *progress, kz_count *counts,
                             size_t room, size_t *found, kz_error *error) {
    *found = 0;
    if (!game->doors->counts) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "there are no position sets to count for %s", kz_game_name(game));
    }
    kz_pool *pool;
    KZ_TRY(kz_pool_open(threads, &pool, error));
    kz_status status = game->doors->counts(pool, progress, counts, room, found, error);
    kz_pool_free(pool);
    return status;
}
