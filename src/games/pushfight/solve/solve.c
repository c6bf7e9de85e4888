/* SPDX-License-Identifier: MIT
 *
 * Push Fight, from the rules to the table: kz_pf_solve, at the end, says what is done. Phases -1 and 0 are what the
 * rules decide: lost without a turn, won at once. Phase n after that decides distance n + 1. A phase is swept by the
 * threads of this process or by a card (alone.c), or by a team (team.c). */
#include "games/pushfight/solve/solve.h"

#include "base/bits.h"
#include "base/error.h"
#include "games/pushfight/table/plan.h"
#include "solve/team/team.h"

#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Before it begins -------------------------------------------------------------------------------------------- */

/* Better a message now than a process that the system kills, or a full disk, after an hour. */
static kz_status check_needs(const kz_pf_job *s, bool on_card, kz_error *error) {
    enum { MIB = 1 << 20 };
    const kz_solve_options *options = s->options;
    if (on_card || kz_team_size(options->team) > 1) {
        return KZ_OK;
    }
    kz_estimate_report needs = {.threads = kz_pool_threads(s->pool)};
    KZ_TRY(kz_pf_estimate(s->job->rules, &needs, error));
    const char *name = kz_game_name(s->job->game);
    const char *rules = kz_rules_name(s->job->game, s->job->rules);
    uint64_t memory = options->memory_bytes ? options->memory_bytes : kz_available_memory_bytes();
    if (needs.memory_bytes > memory) {
        return kz_fail(error, KZ_ERR_MEMORY,
                       "solving %s (%s) takes about %llu MiB of memory, and there are %llu MiB: several machines can "
                       "share it",
                       name, rules, (unsigned long long)(needs.memory_bytes / MIB + 1),
                       (unsigned long long)(memory / MIB));
    }
    uint64_t disk = options->disk_bytes ? options->disk_bytes : kz_job_disk_room(s->job, s->folder);
    if (needs.work_bytes + needs.table_bytes > disk) {
        return kz_fail(error, KZ_ERR_IO,
                       "solving %s (%s) takes about %llu MiB of disk for what the phases find and %llu MiB for the "
                       "table, and there are %llu MiB for '%s'",
                       name, rules, (unsigned long long)(needs.work_bytes / MIB + 1),
                       (unsigned long long)(needs.table_bytes / MIB + 1), (unsigned long long)(disk / MIB),
                       s->job->path);
    }
    return KZ_OK;
}

static bool has_files(const kz_pf_job *s) { return kz_team_rank(s->options->team) == 0; }

/* Two runs that share a folder would take each other's files for their own. */
static kz_status lock_folder(kz_pf_job *s, kz_error *error) {
    if (has_files(s)) {
        KZ_TRY(kz_work_folder_lock(s->folder, &s->lock, error));
        kz_phases_remove(s->folder, ".tmp-");
    }
    return KZ_OK;
}

static kz_status open_memory(kz_pf_job *s, bool on_card, kz_error *error) {
    int threads = kz_pool_threads(s->pool);
    if (on_card) {
        KZ_TRY(kz_pf_card_open(s->job->rules, &s->card, error));
        s->space = s->card->space;
        s->tables = s->card->tables;
        s->first_runs = s->card->first_runs;
    } else {
        KZ_TRY(kz_pf_pages_open(s->job->rules, threads, &s->pages, error));
        s->space = s->pages->space;
        s->tables = s->pages->tables;
        s->first_runs = s->pages->state.first_runs;
    }
    s->sets = s->space->own_sets;
    s->facts = (kz_phase_facts){.game = kz_game_name(s->job->game),
                                .rules = kz_rules_name(s->job->game, s->job->rules),
                                .slices = s->sets,
                                .pages = s->sets};
    s->workers = calloc((size_t)threads, sizeof *s->workers);
    s->changed = calloc(s->sets, 1);
    s->decided[0] = calloc(s->sets, sizeof *s->decided[0]);
    s->decided[1] = calloc(s->sets, sizeof *s->decided[1]);
    bool got = s->workers && s->changed && s->decided[0] && s->decided[1];
    for (int i = 0; got && i < threads; i++) {
        got = kz_pf_packer_open(&s->workers[i].packer);
    }
    return got ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory for the sweep");
}

/* Once it is known how many runs the largest page has. */
static kz_status open_workers(kz_pf_job *s, kz_error *error) {
    size_t most = 0;
    for (uint64_t page = 0; page < s->sets; page++) {
        size_t runs = kz_pf_run_count(s->first_runs, page);
        most = runs > most ? runs : most;
    }
    for (int i = 0; i < kz_pool_threads(s->pool); i++) {
        kz_pf_job_worker *w = &s->workers[i];
        w->marks = malloc(most + 8);
        w->values = malloc((most + 8) * sizeof *w->values);
        w->pairs = s->card ? malloc(s->space->enemy_sets * sizeof *w->pairs) : NULL;
        w->runs = s->card ? malloc((most + 8) * sizeof *w->runs) : NULL;
        if (!w->marks || !w->values || (s->card && (!w->pairs || !w->runs))) {
            return kz_fail(error, KZ_ERR_MEMORY, "no memory for the pages of the sweep");
        }
    }
    return KZ_OK;
}

static void close_job(kz_pf_job *s) {
    for (int phase = 1; phase <= KZ_PF_MOST_PHASES; phase++) {
        kz_phase_close(&s->files[phase]);
    }
    for (int i = 0; s->workers && i < kz_pool_threads(s->pool); i++) {
        free(s->workers[i].marks);
        free(s->workers[i].values);
        free(s->workers[i].pairs);
        free(s->workers[i].runs);
        kz_pf_packer_close(&s->workers[i].packer);
    }
    kz_pf_team_close(s);
    kz_pf_pages_close(s->pages);
    kz_pf_card_close(s->card);
    free(s->workers);
    free(s->changed);
    free(s->decided[0]);
    free(s->decided[1]);
    kz_work_folder_unlock(s->lock);
    free(s);
}

void kz_pf_remove_work(const char *folder) {
    kz_phases_remove(folder, ".kzp");
    kz_work_folder_remove(folder);
}

/* ---- What phases find -------------------------------------------------------------------------------------------- */

static void take_found(kz_pf_job *s, kz_pf_amount found) {
    s->open.all -= found.all;
    s->open.kept -= found.kept;
}

static void tell_phase(const kz_pf_job *s, const kz_phase_facts *facts, bool restored) {
    if (s->options->phase_done && has_files(s)) {
        kz_phase phase = {
            .phase = facts->phase,
            .found = facts->found.all,
            .open = s->open.all,
            .found_kept = facts->found.kept,
            .open_kept = s->open.kept,
            .slices_swept = facts->slices_swept,
            .slices = s->sets,
            .seconds = (double)facts->microseconds / 1e6,
            .restored = restored,
        };
        s->options->phase_done(s->options->phase_user, &phase);
    }
}

static uint64_t sum_decided(const kz_pf_job *s) {
    uint64_t sum = 0;
    for (uint64_t slice = 0; slice < s->sets; slice++) {
        sum += kz_pf_decided_now(s)[slice];
    }
    return sum;
}

void kz_pf_take_counts(kz_pf_job *s, uint64_t *fresh, uint64_t *swept) {
    for (int i = 0; i < kz_pool_threads(s->pool); i++) {
        *fresh += s->workers[i].fresh;
        *swept += s->workers[i].swept;
        s->workers[i].fresh = s->workers[i].swept = 0;
    }
}

kz_status kz_pf_worker_failure(const kz_pf_job *s, kz_error *error) {
    for (int i = 0; i < kz_pool_threads(s->pool); i++) {
        if (s->workers[i].error.status != KZ_OK) {
            return kz_fail(error, s->workers[i].error.status, "%s", s->workers[i].error.message);
        }
    }
    return KZ_OK;
}

static uint64_t microseconds_since(double begin) { return (uint64_t)((kz_seconds() - begin) * 1e6); }

static kz_status sweep(kz_pf_job *s, const char *stage, kz_error *error) {
    return s->team ? kz_pf_team_sweep(s, stage, error) : kz_pf_alone_sweep(s, stage, error);
}

static kz_status settle(kz_pf_job *s, const char *path, kz_error *error) {
    return s->team ? kz_pf_team_settle(s, path, error) : kz_pf_alone_settle(s, path, error);
}

/* ---- Phases -1 and 0 --------------------------------------------------------------------------------------------- */

/* What the rules decide. Who can leave the opponent without a legal turn has won at once as well; those are few, so
 * they are found by a sweep of their own. */
static kz_status run_start(kz_pf_job *s, kz_error *error) {
    double begin = kz_seconds();
    kz_pf_amount won;
    KZ_TRY(s->team ? kz_pf_team_start(s, &won, error) : kz_pf_alone_start(s, &won, error));
    KZ_TRY(kz_team_agree(s->options->team, open_workers(s, error), error));
    s->open = s->total;
    s->facts.phase = -1;
    s->facts.found = s->stuck;
    take_found(s, s->stuck);
    tell_phase(s, &s->facts, false);

    s->facts.phase = 0;
    s->facts.found.kept = 0;
    KZ_TRY(sweep(s, "phase 0: leaving no turn", error));
    KZ_TRY(settle(s, NULL, error));
    s->found[0] = s->facts.found.kept;
    s->won_at_once = won.kept;
    s->facts.found.kept += won.kept;
    s->facts.found.all = sum_decided(s) + won.all;
    s->facts.slices_swept = s->sets;
    s->facts.microseconds = microseconds_since(begin);
    take_found(s, s->facts.found);
    tell_phase(s, &s->facts, false);
    memset(s->changed, 1, s->sets);
    return KZ_OK;
}

/* ---- Later phases ------------------------------------------------------------------------------------------------ */

/* Nothing is known about the phase yet but what was decided this way before it: all that sweeps found, and those
 * without a turn at first. */
static void begin_phase(kz_pf_job *s, int phase) {
    s->facts.phase = phase;
    s->facts.slices_done = s->facts.slices_swept = s->facts.microseconds = 0;
    s->facts.found = (kz_pf_amount){phase == 1 ? s->stuck.all : sum_decided(s), 0};
}

/* Opens the file of the phase. */
static kz_status open_phase(kz_pf_job *s, kz_error *error) {
    char path[KZ_PATH_BYTES];
    kz_status status = kz_phase_path(s->folder, s->facts.phase, path, sizeof path, error);
    if (status == KZ_OK && has_files(s)) {
        status = kz_phase_open(kz_pf_file_now(s), path, &s->facts, error);
    }
    return kz_team_agree(s->options->team, status, error);
}

/* The phase has its file, open in s->files. */
static void note_phase(kz_pf_job *s, const kz_phase_facts *facts, bool restored) {
    take_found(s, facts->found);
    s->found[facts->phase] = facts->found.kept;
    s->phases = facts->phase;
    if (facts->found.all) {
        tell_phase(s, facts, restored);
    }
    s->complete = facts->found.kept == 0;
}

static kz_status run_phase(kz_pf_job *s, kz_error *error) {
    char stage[64];
    char path[KZ_PATH_BYTES];
    snprintf(stage, sizeof stage, "phase %d: %s", s->facts.phase, s->facts.phase % 2 ? "losses" : "wins");
    KZ_TRY(kz_phase_path(s->folder, s->facts.phase, path, sizeof path, error));
    uint64_t before = s->facts.found.all; /* until the phase is done that is what was decided before it */
    uint64_t earlier = s->microseconds_before = s->facts.microseconds;
    s->phase_begin = kz_seconds();
    KZ_TRY(sweep(s, stage, error));
    s->facts.found.all = sum_decided(s) - before;
    s->facts.microseconds = earlier + microseconds_since(s->phase_begin);
    kz_status status = settle(s, path, error);
    /* The time that is told includes the writing of the file; the file itself can't know that. */
    s->facts.microseconds = earlier + microseconds_since(s->phase_begin);
    KZ_TRY(status);
    KZ_TRY(open_phase(s, error));
    note_phase(s, &s->facts, false);
    return KZ_OK;
}

/* Whether the folder has the file of the phase. */
static kz_status has_phase(const kz_pf_job *s, bool *there, kz_error *error) {
    char path[KZ_PATH_BYTES];
    KZ_TRY(kz_phase_path(s->folder, s->facts.phase, path, sizeof path, error));
    *there = has_files(s) && access(path, F_OK) == 0;
    return kz_team_broadcast(s->options->team, 0, there, sizeof *there, error);
}

/* Reads the phases that the folder has. On return s->facts is the phase to go on with, which may be done in part. */
static kz_status read_phases(kz_pf_job *s, kz_error *error) {
    for (int phase = 1; phase <= KZ_PF_MOST_PHASES && !s->complete; phase++) {
        bool there = false;
        begin_phase(s, phase);
        KZ_TRY(has_phase(s, &there, error));
        if (!there) {
            return KZ_OK;
        }
        KZ_TRY(open_phase(s, error));
        KZ_TRY(s->team ? kz_pf_team_restore(s, error) : kz_pf_alone_restore(s, error));
        if (!s->files[phase].facts.whole) {
            uint64_t before = s->facts.found.all;
            s->facts = s->files[phase].facts;
            s->facts.found.all = before;
            kz_phase_close(&s->files[phase]);
            return KZ_OK;
        }
        note_phase(s, &s->files[phase].facts, true);
    }
    return KZ_OK;
}

/* Goes on until a phase finds nothing, or to the last one that is asked for. */
static kz_status run_phases(kz_pf_job *s, kz_error *error) {
    int last = s->options->last_phase > 0 ? s->options->last_phase : KZ_PF_MOST_PHASES;
    while (!s->complete && s->facts.phase <= last) {
        KZ_TRY(run_phase(s, error));
        begin_phase(s, s->facts.phase + 1);
    }
    return s->complete || last < KZ_PF_MOST_PHASES
               ? KZ_OK
               : kz_fail(error, KZ_ERR_UNSUPPORTED, "the game has wins of more than %d plies", KZ_PF_MOST_PHASES);
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

static void fill_histogram(const kz_pf_job *s, kz_histogram *histogram) {
    *histogram = (kz_histogram){.draws = s->open.kept};
    histogram->losses[0] = s->stuck.kept;
    histogram->wins[1] = s->won_at_once + s->found[0];
    for (int phase = 1; phase <= s->phases; phase++) {
        (phase % 2 ? histogram->losses : histogram->wins)[phase + 1] = s->found[phase];
    }
}

/* A byte for each of eight bits. */
static uint64_t spread_bits(unsigned bits) {
    uint64_t spread = 0;
    for (unsigned i = 0; i < 8; i++) {
        spread |= (uint64_t)(bits >> i & 1) << 8 * i;
    }
    return spread;
}

/* What the phases after 0 have found in a page: bytes 0 to 7 of values[run] are the entries of the run's positions, 0
 * if none found them. */
static kz_status read_values(const kz_pf_job *s, kz_pf_job_worker *w, uint64_t page, size_t runs, kz_error *error) {
    uint64_t spread[256];
    for (unsigned bits = 0; bits < 256; bits++) {
        spread[bits] = spread_bits(bits);
    }
    memset(w->values, 0, runs * sizeof *w->values);
    for (int phase = 1; phase <= s->phases; phase++) {
        if (!kz_phase_has(&s->files[phase], page)) {
            continue;
        }
        KZ_TRY(kz_phase_marks(&s->files[phase], page, runs, w->marks, error));
        uint64_t entry = (uint64_t)phase + 2;
        memset(w->marks + runs, 0, 8);
        for (size_t i = 0; i < runs; i += 8) {
            if (kz_load_le64(w->marks + i)) { /* most have nothing, in most phases */
                for (size_t k = i; k < i + 8 && k < runs; k++) {
                    w->values[k] |= spread[w->marks[k]] * entry;
                }
            }
        }
    }
    return KZ_OK;
}

/* What is known of a page, here, on the card or with another member. */
static kz_status find_page(kz_pf_job *s, int worker, uint64_t page, kz_pf_view *view, kz_error *error) {
    if (s->card) {
        kz_pf_job_worker *w = &s->workers[worker];
        *view = (kz_pf_view){.pairs = w->pairs, .runs = w->runs};
        return kz_pf_card_page(s->card, page, w->pairs, w->runs, error);
    }
    if (page - s->pages->first_page >= s->pages->page_count) {
        return kz_pf_team_page(s, worker, page, view, error);
    }
    *view = (kz_pf_view){.pairs = kz_pf_page_pairs(s->pages, page),
                         .runs = s->pages->state.runs + kz_pf_page_run(s->pages, page)};
    return KZ_OK;
}

/* kz_source.read_open: an extent is a page. */
static kz_status read_page(void *context, int worker, uint64_t page, kz_open_runs *open, kz_error *error) {
    kz_pf_job *s = context;
    kz_pf_job_worker *w = &s->workers[worker];
    size_t runs = kz_pf_run_count(s->first_runs, page);
    kz_pf_view view;
    KZ_TRY(read_values(s, w, page, runs, error));
    KZ_TRY(find_page(s, worker, page, &view, error));
    kz_pf_complete_runs(view.runs, runs, w->values);
    *open = (kz_open_runs){.won = view.pairs, .runs = w->values, .count = runs};
    return KZ_OK;
}

/* Member 0 writes it, and the others give it their pages meanwhile. */
static kz_status write_table(kz_pf_job *s, kz_error *error) {
    kz_team *team = s->options->team;
    kz_status status;
    if (has_files(s)) {
        kz_histogram histogram;
        kz_source source = {.context = s, .read_open = read_page};
        fill_histogram(s, &histogram);
        status = kz_job_write_table(s->job, &source, &histogram, error);
        kz_status dismissed = kz_team_dismiss(team, status == KZ_OK ? error : NULL);
        status = status == KZ_OK ? dismissed : status;
    } else {
        status = kz_pf_team_serve(s, error);
    }
    return kz_team_agree(team, status, error);
}

/* ---- The solve --------------------------------------------------------------------------------------------------- */

/* The folder and the memory. */
static kz_status open_job(kz_pf_job *s, bool on_card, kz_error *error) {
    KZ_TRY(lock_folder(s, error));
    KZ_TRY(open_memory(s, on_card, error));
    return kz_team_size(s->options->team) > 1 ? kz_pf_team_open(s, error) : KZ_OK;
}

/* Goes on from what the folder holds. Interrupted, it leaves there what it has found; a team loses the phase that was
 * going on. */
kz_status kz_pf_solve(const kz_solve_job *job, kz_error *error) {
    bool on_card = false;
    KZ_TRY(kz_device_is_card(job->options->device, &on_card, error));
    kz_pf_job *s = calloc(1, sizeof *s);
    if (!s) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the sweep");
    }
    s->job = job;
    s->options = job->options;
    s->pool = job->pool;
    s->lock = -1;
    kz_status status;
    KZ_TRY_OR(done, kz_job_work_path(job, s->folder, error));
    KZ_TRY_OR(done, check_needs(s, on_card, error));
    KZ_TRY_OR(done, kz_team_agree(s->options->team, open_job(s, on_card, error), error));
    KZ_TRY_OR(done, run_start(s, error));
    KZ_TRY_OR(done, read_phases(s, error));
    KZ_TRY_OR(done, run_phases(s, error));
    if (s->complete) {
        KZ_TRY_OR(done, write_table(s, error));
    }
    /* While the folder is locked: the next run may begin as soon as it is not. */
    if (s->complete && s->lock >= 0 && !s->options->keep_work) {
        kz_pf_remove_work(s->folder);
    }
done:
    /* With nothing found nothing stays behind. A folder that another run has locked is left alone. */
    if (status != KZ_OK && s->lock >= 0) {
        kz_work_folder_remove(s->folder);
    }
    close_job(s);
    return status;
}
