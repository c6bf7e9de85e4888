/* SPDX-License-Identifier: MIT
 *
 * kz_solve: rules in, table out. */
#include "base/error.h"
#include "game/defined.h"
#include "game/sweep_ops.h"
#include "solve/any.h"
#include "solve/any_tier.h"
#include "solve/checkpoint.h"
#include "solve/device.h"
#include "solve/retrograde.h"
#include "solve/sweep.h"
#include "solve/team/any_team.h"
#include "solve/team/far_source.h"
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

/* A solve with what it needs and what it leaves. */
typedef struct solve_run {
    const kz_game *game;
    int rules;
    const char *path;
    const kz_solve_options *options;
    kz_pool *pool;
    double begin;
    kz_summary *summary;
} solve_run;

static kz_status write_table(const solve_run *j, const kz_source *source, const kz_histogram *histogram,
                             kz_error *error) {
    double solved = kz_seconds();
    j->summary->solve_seconds = solved - j->begin;
    summarize(histogram, j->summary);
    kz_status status = kz_table_write(j->game, j->rules, source, histogram, j->pool, j->path, j->options->replace,
                                      j->options->progress, &j->summary->table_bytes, error);
    j->summary->write_seconds = kz_seconds() - solved;
    return status;
}

static kz_status make_work_path(const solve_run *j, char folder[KZ_PATH_BYTES], kz_error *error) {
    return snprintf(folder, KZ_PATH_BYTES, "%s.work", j->path) < KZ_PATH_BYTES
               ? KZ_OK
               : kz_fail(error, KZ_ERR_INPUT, "the path of the table is too long");
}

/* Member 0 writes the table, the others tell it what they have. */
static kz_status write_from_all(const solve_run *j, void *solver, const kz_histogram *histogram, kz_error *error) {
    kz_team *team = j->options->team;
    kz_far_source *far = kz_far_source_new(j->game, solver, kz_pool_threads(j->pool), team);
    kz_status status = far ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to write the table");
    status = kz_team_agree(team, status, error);
    if (status == KZ_OK) {
        kz_source source = kz_far_source_of(far);
        status = write_table(j, &source, histogram, error);
        kz_status dismissed = kz_team_dismiss(team, status == KZ_OK ? error : NULL);
        status = status == KZ_OK ? dismissed : status;
    }
    kz_far_source_free(far);
    return status;
}

static kz_status write_solution(const solve_run *j, void *solver, kz_error *error) {
    kz_team *team = j->options->team;
    kz_histogram histogram;
    kz_status status = kz_retrograde_histogram(j->game, solver, j->pool, team, &histogram, error);
    if (status == KZ_OK && kz_team_size(team) == 1) {
        kz_source source = j->game->solver->source(solver);
        return write_table(j, &source, &histogram, error);
    }
    if (status == KZ_OK) {
        status = kz_team_rank(team) == 0 ? write_from_all(j, solver, &histogram, error)
                                         : kz_far_source_serve(j->game, solver, team, error);
        status = kz_team_agree(team, status, error);
    }
    return status;
}

static kz_status go_back(const solve_run *j, kz_error *error) {
    char folder[KZ_PATH_BYTES];
    kz_status status = make_work_path(j, folder, error);
    if (status != KZ_OK) {
        return status;
    }
    const kz_retrograde_plan plan = {.game = j->game,
                                     .rules = j->rules,
                                     .pool = j->pool,
                                     .progress = j->options->progress,
                                     .team = j->options->team,
                                     .folder = folder,
                                     .checkpoint_seconds = j->options->checkpoint_seconds,
                                     .device = j->options->device,
                                     .last_distance = j->options->last_phase};
    void *solver = NULL;
    bool complete = false;
    status = kz_retrograde_run(&plan, &solver, &complete, error);
    if (status == KZ_OK && complete) {
        status = write_solution(j, solver, error);
    }
    if (solver) {
        j->game->solver->close(solver);
    }
    if (status == KZ_OK && complete && !j->options->keep_work && kz_team_rank(j->options->team) == 0) {
        kz_checkpoint_remove(folder);
    }
    return status;
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

/* What the disk has room for: free space where the table goes, and what an interrupted run has written already. */
static uint64_t disk_room(const solve_run *j, const char *folder) {
    char parent[KZ_PATH_BYTES];
    struct statvfs facts;
    snprintf(parent, sizeof parent, "%s", j->path);
    char *slash = strrchr(parent, '/');
    snprintf(slash ? slash + 1 : parent, sizeof parent - (size_t)(slash ? slash + 1 - parent : 0), ".");
    return statvfs(parent, &facts) == 0 ? (uint64_t)facts.f_bavail * facts.f_frsize + folder_bytes(folder) : UINT64_MAX;
}

/* Better a message now than a process that the system kills, or a full disk, after an hour. */
static kz_status check_needs(const solve_run *j, const char *folder, kz_error *error) {
    const kz_solve_options *options = j->options;
    bool on_processors = !options->device || strcmp(options->device, "cpu") == 0;
    kz_sweep_needs needs;
    if (!on_processors || kz_team_size(options->team) > 1 || !j->game->sweep->needs) {
        return KZ_OK;
    }
    kz_status status = j->game->sweep->needs(j->rules, kz_pool_threads(j->pool), &needs, error);
    if (status != KZ_OK) {
        return status;
    }
    const char *name = j->game->name;
    const char *rules = kz_rules_name(j->game, j->rules);
    enum { MIB = 1 << 20 };
    uint64_t memory = options->memory_bytes ? options->memory_bytes : kz_available_memory_bytes();
    if (needs.memory_bytes > memory) {
        return kz_fail(error, KZ_ERR_MEMORY,
                       "solving %s (%s) takes about %llu MiB of memory, and there are %llu MiB: several machines can "
                       "share it",
                       name, rules, (unsigned long long)(needs.memory_bytes / MIB + 1),
                       (unsigned long long)(memory / MIB));
    }
    uint64_t disk = options->disk_bytes ? options->disk_bytes : disk_room(j, folder);
    if (needs.work_bytes + needs.table_bytes > disk) {
        return kz_fail(error, KZ_ERR_IO,
                       "solving %s (%s) takes about %llu MiB of disk for what the phases find and %llu MiB for the "
                       "table, and there are %llu MiB for '%s'",
                       name, rules, (unsigned long long)(needs.work_bytes / MIB + 1),
                       (unsigned long long)(needs.table_bytes / MIB + 1), (unsigned long long)(disk / MIB), j->path);
    }
    return KZ_OK;
}

static kz_status sweep(const solve_run *j, kz_error *error) {
    char folder[KZ_PATH_BYTES];
    kz_sweep *finished = NULL;
    kz_status status = make_work_path(j, folder, error);
    if (status == KZ_OK) {
        status = check_needs(j, folder, error);
    }
    if (status != KZ_OK) {
        return status;
    }
    status = kz_sweep_run(j->game, j->rules, folder, j->pool, j->options, &finished, error);
    if (status != KZ_OK) {
        return status;
    }
    kz_team *team = j->options->team;
    bool writes = kz_team_rank(team) == 0;
    bool complete = kz_sweep_complete(finished);
    if (complete && writes) {
        kz_histogram histogram;
        kz_sweep_histogram(finished, &histogram);
        kz_source source = kz_sweep_source(finished);
        status = write_table(j, &source, &histogram, error);
        kz_error reason;
        kz_status dismissed = kz_sweep_dismiss(finished, &reason);
        if (status == KZ_OK && dismissed != KZ_OK) {
            status = kz_fail(error, dismissed, "%s", reason.message);
        }
    } else if (complete) {
        status = kz_sweep_serve(finished, error);
    }
    status = kz_team_agree(team, status, error);
    /* While the folder is locked: the next run may begin as soon as it is not. */
    if (status == KZ_OK && complete && writes && !j->options->keep_work) {
        kz_sweep_clean(folder);
    }
    kz_sweep_close(finished);
    return status;
}

/* The same for a game that is solved tier by tier: the memory of the largest tier, or of a member's shards, and a byte
 * a number for what is found, more only where wins take very long (solve/any_form.h). */
static kz_status check_tiers(const solve_run *j, const kz_any_rules *rules, const char *folder, kz_error *error) {
    enum { MIB = 1 << 20 };
    const kz_solve_options *options = j->options;
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
                       j->game->name, kz_rules_name(j->game, j->rules), (unsigned long long)rules->size,
                       (unsigned long long)largest, (unsigned long long)(needed / MIB + 1),
                       members > 1 ? " in each process" : "", (unsigned long long)(memory / MIB),
                       members > 1 ? "more" : "several");
    }
    if (kz_team_rank(options->team) > 0) {
        return KZ_OK; /* the first one has the files */
    }
    uint64_t disk = options->disk_bytes ? options->disk_bytes : disk_room(j, folder);
    if (rules->size > disk) {
        return kz_fail(error, KZ_ERR_IO,
                       "%s (%s) is too large: what is found takes %llu MiB of disk, and there are %llu MiB for '%s'",
                       j->game->name, kz_rules_name(j->game, j->rules), (unsigned long long)(rules->size / MIB + 1),
                       (unsigned long long)(disk / MIB), j->path);
    }
    return KZ_OK;
}

/* Several members leave all tiers in files, of which the first one makes the table as if it had solved them. */
static kz_status solve_tiers(const solve_run *j, const kz_any_rules *rules, const char *folder, kz_error *error) {
    const char *name = kz_rules_name(j->game, j->rules);
    kz_team *team = j->options->team;
    kz_status status = KZ_OK;
    double begin = kz_seconds();
    if (kz_team_size(team) > 1) {
        status = kz_any_team_solve(j->game, rules, name, folder, j->pool, j->options, error);
    }
    double together = kz_seconds() - begin;
    if (status == KZ_OK && kz_team_rank(team) == 0) {
        status = kz_any_solve(j->game, rules, name, folder, j->path, j->pool, j->options, j->summary, error);
        j->summary->solve_seconds += together;
    }
    return kz_team_agree(team, status, error);
}

/* A game that is solved through its definition. */
static kz_status solve_definition(const solve_run *j, kz_error *error) {
    const kz_definition *definition = kz_game_definition(j->game);
    if (!definition) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "%s has no definition that it could be solved through",
                       j->game->name);
    }
    kz_team *team = j->options->team;
    bool writes = kz_team_rank(team) == 0;
    char folder[KZ_PATH_BYTES];
    int lock = -1;
    kz_any_rules rules = {.tiers = 0};
    kz_status status = make_work_path(j, folder, error);
    /* The context of a game that comes with Kanzen is for single positions; here its tables are worth making. */
    void *context = (void *)(uintptr_t)kz_game_context(j->game, j->rules);
    bool opens = status == KZ_OK && !j->game->close && definition->open;
    if (opens) {
        status = definition->open(j->rules, &context, error);
        opens = status == KZ_OK;
    }
    if (status == KZ_OK) {
        status = kz_any_rules_open(&rules, definition, context, error);
    }
    if (status == KZ_OK) {
        status = check_tiers(j, &rules, folder, error);
    }
    if (status == KZ_OK && writes) {
        status = kz_work_folder_lock(folder, &lock, error);
    }
    status = kz_team_agree(team, status, error);
    if (status == KZ_OK) {
        status = solve_tiers(j, &rules, folder, error);
    }
    if (status == KZ_OK && writes && !j->options->keep_work) {
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
static kz_status check_device(const solve_run *j, kz_error *error) {
    bool card = false;
    kz_status status = kz_device_is_card(j->options->device, &card, error);
    bool possible = !j->options->plain && (j->game->cuda_sweep || j->game->cuda_solver);
    return status != KZ_OK || !card || possible
               ? status
               : kz_fail(error, KZ_ERR_UNSUPPORTED, "%s can't be solved on a graphics card%s", j->game->name,
                         j->options->plain ? " through its definition" : "");
}

/* Through a definition all distances are found in one go. */
static kz_status check_phases(const solve_run *j, bool has_kernels, kz_error *error) {
    return has_kernels || j->options->last_phase == 0
               ? KZ_OK
               : kz_fail(error, KZ_ERR_UNSUPPORTED,
                         "%s is solved through its definition, which does not stop after a phase or a distance",
                         j->game->name);
}

/* Only the one that writes has to know whether it may. */
static kz_status prepare(const solve_run *j, kz_error *error) {
    kz_team *team = j->options->team;
    kz_status status = KZ_OK;
    if (kz_team_rank(team) == 0) {
        status = kz_prepare_output(j->path, j->options->replace, error); /* better now than when all is done */
    }
    return kz_team_agree(team, status, error);
}

static kz_status open_pool(solve_run *j, kz_error *error) {
    kz_team *team = j->options->team;
    int threads = j->options->threads;
    j->pool = kz_pool_new(threads > 0 ? threads : kz_team_processors(team), error);
    return kz_team_agree(team, j->pool ? KZ_OK : KZ_ERR_MEMORY, error);
}

/* What the members have in common at the end: what member 0 knows, and what it cost each of them. */
static kz_status share_summary(const solve_run *j, kz_error *error) {
    kz_team *team = j->options->team;
    kz_summary *summary = j->summary;
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
    solve_run j = {.game = game,
                   .rules = rules,
                   .path = path,
                   .options = options ? options : &none,
                   .begin = kz_seconds(),
                   .summary = summary};
    *summary = (kz_summary){.positions = 0};
    bool has_kernels = (game->sweep || game->solver) && !j.options->plain;
    kz_status status = kz_game_check_whole(game, rules, error);
    if (status == KZ_OK) {
        status = check_device(&j, error);
    }
    if (status == KZ_OK) {
        status = check_phases(&j, has_kernels, error);
    }
    if (status == KZ_OK) {
        status = prepare(&j, error);
    }
    if (status == KZ_OK) {
        status = open_pool(&j, error);
    }
    if (status == KZ_OK) {
        status = !has_kernels ? solve_definition(&j, error) : game->sweep ? sweep(&j, error) : go_back(&j, error);
    }
    if (status == KZ_OK) {
        status = share_summary(&j, error);
    }
    if (j.pool) {
        kz_pool_free(j.pool);
    }
    return status;
}
