/* SPDX-License-Identifier: MIT */
#include "games/pushfight/solve/sweep.h"

#include "base/bits.h"
#include "base/error.h"
#include "solve/device.h"
#include "games/pushfight/solve/sweep_runner.h"
#include "solve/team/team.h"
#include "solve/work_folder.h"

#include <dirent.h>
#include <errno.h>
#include <kanzen/paths.h>
#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Progress ------------------------------------------------------------------------------------------------------
 */

static void tell_phase(const kz_sweep *s, const kz_phase_facts *facts, bool restored) {
    if (s->options->phase_done && s->runner->has_files(s)) {
        kz_phase phase = {
            .phase = facts->phase,
            .found = facts->found.all,
            .open = s->open.all,
            .found_kept = facts->found.kept,
            .open_kept = s->open.kept,
            .slices_swept = facts->slices_swept,
            .slices = s->slices,
            .seconds = (double)facts->microseconds / 1e6,
            .restored = restored,
        };
        s->options->phase_done(s->options->phase_user, &phase);
    }
}

/* ---- Phases -1 and 0 -----------------------------------------------------------------------------------------------
 */

static void take_found(kz_sweep *s, kz_sweep_counts found) {
    s->open.all -= found.all;
    s->open.kept -= found.kept;
}

static uint64_t sum_decided(const kz_sweep *s) {
    uint64_t sum = 0;
    for (uint64_t slice = 0; slice < s->slices; slice++) {
        sum += s->decided[s->facts.phase & 1][slice];
    }
    return sum;
}

/* How many were decided this way before the phase: all that sweeps found, and those without a turn at first. */
static uint64_t decided_before(const kz_sweep *s) { return s->facts.phase == 1 ? s->stuck.all : sum_decided(s); }

/* Nothing is known about the phase yet. */
static void begin_phase(kz_sweep *s, int phase) {
    s->facts.phase = phase;
    s->facts.slices_done = s->facts.slices_swept = s->facts.microseconds = 0;
    s->facts.found = (kz_sweep_counts){decided_before(s), 0};
}

static kz_status make_workers(kz_sweep *s, kz_error *error) {
    size_t runs = kz_phase_most_runs(s->ops, s->solver);
    size_t groups = s->ops->page_groups ? s->ops->page_groups(s->solver) : 0;
    for (int i = 0; i < kz_pool_threads(s->pool); i++) {
        s->workers[i].marks = malloc(runs + 8);
        s->workers[i].values = malloc((runs + 8) * sizeof *s->workers[i].values);
        s->workers[i].won = groups ? malloc(groups * sizeof *s->workers[i].won) : NULL;
        if (!s->workers[i].marks || !s->workers[i].values || (groups && !s->workers[i].won)) {
            return kz_fail(error, KZ_ERR_MEMORY, "no memory for the pages of the sweep");
        }
    }
    return KZ_OK;
}

/* What the rules decide. Who can leave the opponent without a legal turn has won at once as well; those are few, so
 * they are found by a sweep of their own. */
static kz_status run_start(kz_sweep *s, kz_error *error) {
    double begin = kz_seconds();
    kz_sweep_counts won;
    kz_status status = s->runner->start(s, &won, error);
    if (status == KZ_OK) {
        status = make_workers(s, error);
    }
    if (status != KZ_OK) {
        return status;
    }
    s->open = s->total;
    s->facts.phase = -1;
    s->facts.found = s->stuck;
    take_found(s, s->stuck);
    tell_phase(s, &s->facts, false);

    s->facts.phase = 0;
    s->facts.found.kept = 0;
    status = s->runner->sweep(s, "phase 0: leaving no turn", error);
    if (status == KZ_OK) {
        status = s->runner->settle(s, NULL, error);
    }
    s->facts.slices_done = 0;
    s->found[0] = s->facts.found.kept;
    s->won_at_once = won.kept;
    s->facts.found.kept += won.kept;
    s->facts.found.all = sum_decided(s) + won.all;
    s->facts.slices_swept = s->slices;
    s->facts.microseconds = (uint64_t)((kz_seconds() - begin) * 1e6);
    take_found(s, s->facts.found);
    if (status == KZ_OK) {
        tell_phase(s, &s->facts, false);
    }
    memset(s->changed, 1, s->pages);
    return status;
}

/* ---- Later phases --------------------------------------------------------------------------------------------------
 */

static kz_status phase_path(const kz_sweep *s, int phase, char path[KZ_PATH_BYTES], kz_error *error) {
    return kz_phase_path(s->folder, phase, path, KZ_PATH_BYTES, error);
}

static uint64_t microseconds_since(double begin) { return (uint64_t)((kz_seconds() - begin) * 1e6); }

/* Ends the phase and saves it. */
static kz_status settle(kz_sweep *s, kz_error *error) {
    char path[KZ_PATH_BYTES];
    kz_status status = phase_path(s, s->facts.phase, path, error);
    return status == KZ_OK ? s->runner->settle(s, path, error) : status;
}

static kz_status open_phase(kz_sweep *s, int phase, kz_error *error) {
    char path[KZ_PATH_BYTES];
    kz_phase_facts expected = s->facts;
    expected.phase = phase;
    kz_status status = phase_path(s, phase, path, error);
    if (status == KZ_OK && s->runner->has_files(s)) {
        status = kz_phase_open(&s->files[phase], path, &expected, error);
    }
    return s->runner->agree(s, status, error);
}

static kz_status run_phase(kz_sweep *s, kz_error *error) {
    char stage[64];
    snprintf(stage, sizeof stage, "phase %d: %s", s->facts.phase, s->facts.phase % 2 ? "losses" : "wins");
    uint64_t before = s->facts.found.all; /* until the phase is done that is what was decided before it */
    uint64_t earlier = s->facts.microseconds;
    s->phase_begin = kz_seconds();
    s->microseconds_before = earlier;
    kz_status status = s->runner->sweep(s, stage, error);
    if (status != KZ_OK) {
        return status;
    }
    s->facts.found.all = sum_decided(s) - before;
    s->facts.microseconds = earlier + microseconds_since(s->phase_begin);
    status = settle(s, error);
    /* The time that is told includes the writing of the file; the file itself can't know that. */
    s->facts.microseconds = earlier + microseconds_since(s->phase_begin);
    if (status == KZ_OK) {
        status = open_phase(s, s->facts.phase, error);
    }
    if (status != KZ_OK) {
        return status;
    }
    take_found(s, s->facts.found);
    s->found[s->facts.phase] = s->facts.found.kept;
    s->phases = s->facts.phase;
    if (s->facts.found.all) {
        tell_phase(s, &s->facts, false);
    }
    return KZ_OK;
}

/* ---- Going on ------------------------------------------------------------------------------------------------------
 */

/* Whether the folder has the file of a phase. */
static kz_status has_phase(kz_sweep *s, int phase, bool *there, kz_error *error) {
    char path[KZ_PATH_BYTES];
    kz_status status = phase_path(s, phase, path, error);
    *there = status == KZ_OK && s->runner->has_files(s) && access(path, F_OK) == 0;
    return status == KZ_OK ? s->runner->tell_all(s, there, error) : status;
}

/* Reads the phases that the folder has. On return s->facts is the phase to go on with. */
static kz_status restore(kz_sweep *s, kz_error *error) {
    kz_status status = KZ_OK;
    for (int phase = 1; status == KZ_OK && phase <= KZ_SWEEP_MOST_PHASES; phase++) {
        bool there = false;
        begin_phase(s, phase);
        status = has_phase(s, phase, &there, error);
        if (status != KZ_OK || !there) {
            return status;
        }
        status = open_phase(s, phase, error);
        if (status == KZ_OK) {
            status = s->runner->restore(s, error);
        }
        if (status == KZ_OK && !s->files[phase].facts.whole) {
            kz_phase_facts part = s->files[phase].facts;
            part.found.all = s->facts.found.all;
            s->facts = part;
            kz_phase_close(&s->files[phase]);
            return KZ_OK;
        }
        if (status == KZ_OK) {
            const kz_phase_facts *facts = &s->files[phase].facts;
            take_found(s, facts->found);
            s->found[phase] = facts->found.kept;
            s->phases = phase;
            if (facts->found.all) {
                tell_phase(s, facts, true);
            }
            if (facts->found.kept == 0) {
                s->complete = true;
                return KZ_OK;
            }
        }
    }
    return status;
}

static kz_status run_phases(kz_sweep *s, kz_error *error) {
    int last = s->options->last_phase > 0 ? s->options->last_phase : KZ_SWEEP_MOST_PHASES;
    kz_status status = run_start(s, error);
    if (status == KZ_OK) {
        status = restore(s, error);
    }
    while (status == KZ_OK && !s->complete && s->facts.phase <= last) {
        status = run_phase(s, error);
        if (status == KZ_OK) {
            s->complete = s->facts.found.kept == 0;
            begin_phase(s, s->facts.phase + 1);
        }
    }
    if (status == KZ_OK && !s->complete && last == KZ_SWEEP_MOST_PHASES) {
        status = kz_fail(error, KZ_ERR_UNSUPPORTED, "the game has wins of more than %d plies", KZ_SWEEP_MOST_PHASES);
    }
    return status;
}

/* ---- Opening and closing -------------------------------------------------------------------------------------------
 */

/* Removes the files of a folder whose names begin with `prefix` and have `part` in them. */
static void remove_files(const char *folder, const char *prefix, const char *part) {
    DIR *listing = opendir(folder);
    for (const struct dirent *entry; listing && (entry = readdir(listing));) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0 && strstr(entry->d_name, part)) {
            unlinkat(dirfd(listing), entry->d_name, 0);
        }
    }
    if (listing) {
        closedir(listing);
    }
}

/* Two runs that share a folder would take each other's files for their own. */
static kz_status lock_folder(kz_sweep *s, kz_error *error) {
    kz_status status = kz_work_folder_lock(s->folder, &s->lock, error);
    if (status != KZ_OK) {
        return status;
    }
    remove_files(s->folder, "phase-", ".tmp-"); /* what a killed run was just writing */
    return KZ_OK;
}

/* The sweeps of the device that the caller wants; NULL if there are none. */
static const kz_sweep_ops *choose_ops(const kz_game *game, const char *device, kz_error *error) {
    bool card = false;
    if (kz_device_is_card(device, &card, error) != KZ_OK) {
        return NULL;
    }
    if (!card) {
        return game->sweep;
    }
    if (!game->cuda_sweep) {
        kz_fail(error, KZ_ERR_UNSUPPORTED, "%s can't be solved on a graphics card", game->title);
        return NULL;
    }
    return game->cuda_sweep(error);
}

static kz_status open_sweep(kz_sweep *s, int rules, kz_error *error) {
    kz_error reason = {.status = KZ_ERR_MEMORY};
    s->ops = choose_ops(s->game, s->options->device, &reason);
    s->solver = s->ops ? s->ops->open(rules, kz_pool_threads(s->pool), &reason) : NULL;
    if (!s->solver) {
        return kz_fail(error, reason.status, "%s", reason.message);
    }
    s->slices = s->ops->slices(s->solver);
    s->pages = s->ops->pages(s->solver);
    s->facts =
        (kz_phase_facts){.game = s->game->name, .rules = s->game->rules[rules], .slices = s->slices, .pages = s->pages};
    s->workers = calloc((size_t)kz_pool_threads(s->pool), sizeof *s->workers);
    s->changed = calloc(s->pages, 1);
    s->decided[0] = calloc(s->slices, sizeof *s->decided[0]);
    s->decided[1] = calloc(s->slices, sizeof *s->decided[1]);
    return s->workers && s->changed && s->decided[0] && s->decided[1]
               ? KZ_OK
               : kz_fail(error, KZ_ERR_MEMORY, "no memory for the sweep");
}

/* Who sweeps: this process on its processors, a device, or a team of processes. */
static const kz_sweep_runner *choose_runner(const kz_sweep *s) {
    if (kz_team_size(s->options->team) > 1) {
        return &kz_sweep_team_runner;
    }
    return s->options->device && strcmp(s->options->device, "cuda") == 0 ? &kz_sweep_device_runner
                                                                         : &kz_sweep_local_runner;
}

kz_status kz_sweep_run(const kz_game *game, int rules, const char *folder, kz_pool *pool,
                       const kz_solve_options *options, kz_sweep **finished, kz_error *error) {
    kz_sweep *s = calloc(1, sizeof *s);
    if (!s) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the sweep");
    }
    s->game = game;
    s->pool = pool;
    s->options = options;
    s->lock = -1;
    snprintf(s->folder, sizeof s->folder, "%s", folder);
    s->runner = choose_runner(s);
    bool has_files = s->runner->has_files(s);
    kz_status status = has_files ? lock_folder(s, error) : KZ_OK;
    if (status == KZ_OK) {
        status = open_sweep(s, rules, error);
    }
    if (status == KZ_OK) {
        status = s->runner->open(s, error);
    }
    status = s->runner->agree(s, status, error);
    if (status == KZ_OK) {
        status = run_phases(s, error);
    }
    if (status != KZ_OK) {
        /* With nothing found nothing stays behind. A folder that another run has locked is left alone. */
        if (s->lock >= 0) {
            remove_files(folder, "lock", "");
            rmdir(folder);
        }
        kz_sweep_close(s);
        return status;
    }
    *finished = s;
    return KZ_OK;
}

void kz_sweep_close(kz_sweep *s) {
    for (int phase = 0; phase <= KZ_SWEEP_MOST_PHASES; phase++) {
        kz_phase_close(&s->files[phase]);
    }
    for (int i = 0; s->workers && i < kz_pool_threads(s->pool); i++) {
        free(s->workers[i].marks);
        free(s->workers[i].values);
        free(s->workers[i].won);
    }
    s->runner->close(s);
    if (s->solver) {
        s->ops->close(s->solver);
    }
    free(s->workers);
    free(s->changed);
    free(s->decided[0]);
    free(s->decided[1]);
    if (s->lock >= 0) {
        close(s->lock);
    }
    free(s);
}

bool kz_sweep_complete(const kz_sweep *s) { return s->complete; }

void kz_sweep_clean(const char *folder) {
    remove_files(folder, "phase-", ".kzp");
    remove_files(folder, "lock", "");
    rmdir(folder);
}

/* ---- Results -------------------------------------------------------------------------------------------------------
 */

void kz_sweep_histogram(const kz_sweep *s, kz_histogram *histogram) {
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

/* What the phases after 0 have found in a page. */
static kz_status read_values(kz_sweep *s, kz_sweep_worker *w, uint64_t page, size_t runs, kz_error *error) {
    uint64_t spread[256];
    for (unsigned bits = 0; bits < 256; bits++) {
        spread[bits] = spread_bits(bits);
    }
    memset(w->values, 0, runs * sizeof *w->values);
    for (int phase = 1; phase <= s->phases; phase++) {
        if (!kz_phase_has(&s->files[phase], page)) {
            continue;
        }
        kz_status status = kz_phase_marks(&s->files[phase], page, runs, w->marks, error);
        if (status != KZ_OK) {
            return status;
        }
        uint64_t number = (uint64_t)phase + 2;
        memset(w->marks + runs, 0, 8);
        for (size_t i = 0; i < runs; i += 8) {
            if (kz_load_le64(w->marks + i)) { /* most have nothing, in most phases */
                for (size_t k = i; k < i + 8 && k < runs; k++) {
                    w->values[k] |= spread[w->marks[k]] * number;
                }
            }
        }
    }
    return KZ_OK;
}

static kz_status read_page(void *context, int worker, uint64_t page, uint8_t *numbers, kz_error *error) {
    kz_sweep *s = context;
    kz_sweep_worker *w = &s->workers[worker];
    kz_status status = read_values(s, w, page, s->ops->page_runs(s->solver, page), error);
    return status == KZ_OK ? s->runner->numbers(s, worker, page, w->values, numbers, error) : status;
}

static kz_status read_open_page(void *context, int worker, uint64_t page, kz_open_runs *open, kz_error *error) {
    kz_sweep *s = context;
    kz_sweep_worker *w = &s->workers[worker];
    size_t runs = s->ops->page_runs(s->solver, page);
    kz_status status = read_values(s, w, page, runs, error);
    if (status == KZ_OK) {
        status = s->ops->open_runs(s->solver, page, w->values, w->won, error);
    }
    *open = (kz_open_runs){.won = w->won, .runs = w->values, .count = runs};
    return status;
}

kz_status kz_sweep_serve(kz_sweep *s, kz_error *error) { return s->runner->serve(s, error); }

kz_status kz_sweep_dismiss(kz_sweep *s, kz_error *error) { return s->runner->dismiss(s, error); }

kz_source kz_sweep_source(kz_sweep *s) {
    bool open = s->runner->has_all_pages && s->ops->open_runs;
    return (kz_source){.context = s, .read = read_page, .read_open = open ? read_open_page : NULL};
}
