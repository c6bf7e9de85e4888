/* SPDX-License-Identifier: MIT */
#include "solve/sweep.h"

#include "base/bits.h"
#include "base/error.h"
#include "solve/team/sweep_team.h"
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

enum {
    GRAIN = 64,  /* blocks that one worker takes in a row: neighbours write to the same places */
    SLICES = 64, /* of a sweep: between them the time for a checkpoint may have come */
    DEVICE_SLICES = 8,
    CHECKPOINT_SECONDS = 600
};

/* ---- Progress ------------------------------------------------------------------------------------------------------
 */

/* A slice of a sweep reports as part of the whole. */
typedef struct slice_progress {
    const kz_progress *whole;
    uint64_t first;
    uint64_t total;
} slice_progress;

static bool report_slice(void *user, const char *stage, uint64_t done, uint64_t total) {
    const slice_progress *slice = user;
    (void)total;
    return slice->whole->report(slice->whole->user, stage, slice->first + done, slice->total);
}

static kz_status for_each(kz_sweep *s, uint64_t count, uint64_t grain, kz_pool_work *work, const char *stage,
                          kz_error *error) {
    return kz_pool_for(s->pool, count, grain, work, s, stage ? s->options->progress : NULL, stage, error);
}

static void tell_phase(const kz_sweep *s, const kz_phase_facts *facts, bool restored) {
    if (s->options->phase_done && kz_sweep_has_files(s)) {
        kz_phase phase = {
            .phase = facts->phase,
            .found = facts->found.all,
            .open = s->open.all,
            .found_kept = facts->found.kept,
            .open_kept = s->open.kept,
            .blocks_swept = facts->blocks_swept,
            .blocks = s->blocks,
            .seconds = (double)facts->microseconds / 1e6,
            .restored = restored,
        };
        s->options->phase_done(s->options->phase_user, &phase);
    }
}

/* ---- Phases -1 and 0 -----------------------------------------------------------------------------------------------
 */

static void start_blocks(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_sweep *s = context;
    for (uint64_t block = begin; block < end; block++) {
        s->ops->start(s->solver, worker, block);
    }
}

static void measure_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_sweep *s = context;
    (void)worker;
    for (uint64_t page = begin; page < end; page++) {
        s->ops->measure(s->solver, page);
    }
}

static void place_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_sweep *s = context;
    (void)worker;
    for (uint64_t page = begin; page < end; page++) {
        s->changed[page] = s->ops->place(s->solver, page);
    }
}

static void take_found(kz_sweep *s, kz_sweep_counts found) {
    s->open.all -= found.all;
    s->open.kept -= found.kept;
}

static void sweep_blocks(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_sweep *s = context;
    kz_sweep_hand *h = &s->hands[worker];
    uint32_t *decided = s->decided[s->facts.phase & 1];
    for (uint64_t i = begin; i < end; i++) {
        uint64_t block = s->first_block + i;
        if (s->ops->touched(s->solver, block, s->changed)) {
            decided[block] = (uint32_t)s->ops->sweep(s->solver, worker, s->facts.phase, block, &h->fresh);
            h->swept++;
        }
    }
}

/* Adds up what the workers found since the last time. */
static void gather(kz_sweep *s) {
    for (int i = 0; i < kz_pool_threads(s->pool); i++) {
        s->facts.found.kept += s->hands[i].fresh;
        s->facts.blocks_swept += s->hands[i].swept;
        s->hands[i].fresh = s->hands[i].swept = 0;
    }
}

/* Sweeps `count` blocks from s->first_block on. */
static kz_status sweep_some(kz_sweep *s, uint64_t count, const kz_progress *progress, const char *stage,
                            kz_error *error) {
    if (!s->ops->sweep_range) {
        kz_status status = kz_pool_for(s->pool, count, GRAIN, sweep_blocks, s, progress, stage, error);
        gather(s);
        return status;
    }
    if (progress && progress->report && !progress->report(progress->user, stage, 0, count)) {
        return kz_fail(error, KZ_ERR_CANCELLED, "stopped");
    }
    return s->ops->sweep_range(s->solver, s->facts.phase, s->first_block, count, s->changed,
                               s->decided[s->facts.phase & 1], &s->facts.found.kept, &s->facts.blocks_swept, error);
}

static kz_status fetch(kz_sweep *s, bool settle, kz_error *error) {
    return s->ops->fetch ? s->ops->fetch(s->solver, s->facts.phase, settle, error) : KZ_OK;
}

static uint64_t sum_decided(const kz_sweep *s) {
    uint64_t sum = 0;
    for (uint64_t block = 0; block < s->blocks; block++) {
        sum += s->decided[s->facts.phase & 1][block];
    }
    return sum;
}

/* How many were decided this way before the phase: all that sweeps found, and those without a turn at first. */
static uint64_t decided_before(const kz_sweep *s) { return s->facts.phase == 1 ? s->stuck.all : sum_decided(s); }

static void settle_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_sweep *s = context;
    for (uint64_t page = begin; page < end; page++) {
        s->changed[page] = s->ops->collect(s->solver, s->facts.phase, page, true, s->hands[worker].marks) != 0;
    }
}

static kz_status make_hands(kz_sweep *s, kz_error *error) {
    size_t rows = kz_phase_most_rows(s->ops, s->solver);
    for (int i = 0; i < kz_pool_threads(s->pool); i++) {
        s->hands[i].marks = malloc(rows + 8);
        s->hands[i].values = malloc((rows + 8) * sizeof *s->hands[i].values);
        if (!s->hands[i].marks || !s->hands[i].values) {
            return kz_fail(error, KZ_ERR_MEMORY, "no memory for the pages of the sweep");
        }
    }
    return KZ_OK;
}

static kz_status start_everywhere(kz_sweep *s, kz_sweep_counts *won, kz_error *error) {
    kz_status status = for_each(s, s->blocks, GRAIN, start_blocks, "phase 0: wins at once", error);
    if (status == KZ_OK) {
        status = for_each(s, s->pages, 4, measure_pages, "phase 0: counting rows", error);
    }
    if (status == KZ_OK) {
        status = s->ops->lay_out(s->solver, &s->stuck, won, error);
    }
    if (status == KZ_OK) {
        status = for_each(s, s->pages, 0, place_pages, NULL, error);
    }
    return status;
}

/* Sweeps for what leaves the opponent without a turn. */
static kz_status run_last_start(kz_sweep *s, kz_error *error) {
    const char *stage = "phase 0: leaving no turn";
    if (s->team) {
        kz_status status = kz_sweep_team_sweep(s, stage, error);
        return status == KZ_OK ? kz_sweep_team_settle(s, NULL, error) : status;
    }
    kz_status status = sweep_some(s, s->blocks, s->options->progress, stage, error);
    if (status == KZ_OK) {
        status = fetch(s, true, error);
    }
    return status == KZ_OK ? for_each(s, s->pages, 0, settle_pages, NULL, error) : status;
}

/* What the rules decide. Who can leave the opponent without a legal turn has won at once as well; those are few, so
 * they are found by a sweep of their own. */
static kz_status run_start(kz_sweep *s, kz_error *error) {
    double begin = kz_seconds();
    kz_sweep_counts won;
    kz_status status = s->team             ? kz_sweep_team_start(s, &won, error)
                       : s->ops->start_all ? s->ops->start_all(s->solver, s->changed, &s->stuck, &won, error)
                                           : start_everywhere(s, &won, error);
    if (status == KZ_OK) {
        status = make_hands(s, error);
    }
    if (status != KZ_OK) {
        return status;
    }
    s->open = s->team ? s->total : s->ops->total(s->solver);
    s->facts.phase = -1;
    s->facts.found = s->stuck;
    take_found(s, s->stuck);
    tell_phase(s, &s->facts, false);

    s->facts.phase = 0;
    s->facts.found.kept = 0;
    status = run_last_start(s, error);
    s->found[0] = s->facts.found.kept;
    s->won_at_once = won.kept;
    s->facts.found.kept += won.kept;
    s->facts.found.all = sum_decided(s) + won.all;
    s->facts.blocks_swept = s->blocks;
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

static kz_status save(kz_sweep *s, bool settle, kz_error *error) {
    char path[KZ_PATH_BYTES];
    kz_status status = phase_path(s, s->facts.phase, path, error);
    if (status == KZ_OK && s->team) {
        return kz_sweep_team_settle(s, path, error);
    }
    if (status == KZ_OK) {
        status = fetch(s, settle, error);
    }
    return status == KZ_OK ? kz_phase_write(path, &s->facts, s->decided[s->facts.phase & 1], s->ops, s->solver, settle,
                                            s->pool, settle ? s->changed : NULL, error)
                           : status;
}

/* Sweeps the blocks that are left, slice by slice. */
static kz_status sweep_rest(kz_sweep *s, double begin, kz_error *error) {
    char stage[64];
    snprintf(stage, sizeof stage, "phase %d: %s", s->facts.phase, s->facts.phase % 2 ? "losses" : "wins");
    if (s->team) {
        uint64_t earlier = s->facts.microseconds;
        kz_status swept = kz_sweep_team_sweep(s, stage, error);
        s->facts.microseconds = earlier + (uint64_t)((kz_seconds() - begin) * 1e6);
        return swept;
    }
    const kz_progress *whole = s->options->progress;
    double limit = s->options->checkpoint_seconds > 0 ? s->options->checkpoint_seconds : CHECKPOINT_SECONDS;
    double saved = kz_seconds();
    uint64_t before = s->facts.microseconds;
    uint64_t slice = s->ops->sweep_range
                         ? s->blocks / DEVICE_SLICES + 1
                         : (s->blocks / SLICES / GRAIN + 1) * GRAIN * (uint64_t)kz_pool_threads(s->pool);
    kz_status status = KZ_OK;
    while (status == KZ_OK && s->facts.blocks_done < s->blocks) {
        uint64_t left = s->blocks - s->facts.blocks_done;
        slice_progress place = {whole, s->facts.blocks_done, s->blocks};
        kz_progress part = {whole && whole->report ? report_slice : NULL, &place};
        s->first_block = s->facts.blocks_done;
        status = sweep_some(s, left < slice ? left : slice, &part, stage, error);
        if (status == KZ_OK) {
            s->facts.blocks_done += left < slice ? left : slice;
            s->facts.microseconds = before + (uint64_t)((kz_seconds() - begin) * 1e6);
        }
        if (status == KZ_OK && s->facts.blocks_done < s->blocks && kz_seconds() - saved > limit) {
            status = save(s, false, error);
            saved = kz_seconds();
        }
    }
    s->first_block = 0;
    return status;
}

/* What one member of a team fails with, all do. */
static kz_status agree(const kz_sweep *s, kz_status status, kz_error *error) {
    return s->team ? kz_team_agree(s->options->team, status, error) : status;
}

static kz_status open_phase(kz_sweep *s, int phase, kz_error *error) {
    char path[KZ_PATH_BYTES];
    kz_phase_facts expected = s->facts;
    expected.phase = phase;
    kz_status status = phase_path(s, phase, path, error);
    if (status == KZ_OK && kz_sweep_has_files(s)) {
        status = kz_phase_open(&s->files[phase], path, &expected, error);
    }
    return agree(s, status, error);
}

static kz_status run_phase(kz_sweep *s, kz_error *error) {
    double begin = kz_seconds();
    uint64_t before = s->facts.found.all; /* until the phase is done that is what was decided before it */
    kz_status status = sweep_rest(s, begin, error);
    if (status != KZ_OK) {
        return status;
    }
    s->facts.found.all = sum_decided(s) - before;
    uint64_t microseconds = s->facts.microseconds;
    double saving = kz_seconds();
    status = save(s, true, error);
    /* The file can't know how long it took to write it. */
    s->facts.microseconds = microseconds + (uint64_t)((kz_seconds() - saving) * 1e6);
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

static void restore_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_sweep *s = context;
    kz_sweep_hand *h = &s->hands[worker];
    const kz_phase_file *file = &s->files[s->facts.phase];
    for (uint64_t page = begin; page < end && h->error.status == KZ_OK; page++) {
        bool has = kz_phase_has(file, page);
        if (has && kz_phase_marks(file, page, s->ops->page_rows(s->solver, page), h->marks, &h->error) == KZ_OK) {
            s->ops->restore(s->solver, s->facts.phase, page, file->facts.whole, h->marks);
        }
        if (file->facts.whole) {
            s->changed[page] = has;
        }
    }
}

static kz_status restore_phase(kz_sweep *s, kz_error *error) {
    if (s->team) {
        return kz_sweep_team_restore(s, error);
    }
    const kz_phase_file *file = &s->files[s->facts.phase];
    kz_status status = for_each(s, s->pages, 0, restore_pages, "reading what was found before", error);
    for (int i = 0; status == KZ_OK && i < kz_pool_threads(s->pool); i++) {
        if (s->hands[i].error.status != KZ_OK) {
            status = kz_fail(error, s->hands[i].error.status, "%s", s->hands[i].error.message);
        }
    }
    for (uint64_t block = 0; block < s->blocks; block++) {
        s->decided[s->facts.phase & 1][block] = kz_load_le32(file->decided + 4 * block);
    }
    return status;
}

/* Whether the folder has the file of a phase. */
static kz_status has_phase(kz_sweep *s, int phase, bool *there, kz_error *error) {
    char path[KZ_PATH_BYTES];
    kz_status status = phase_path(s, phase, path, error);
    uint64_t found = status == KZ_OK && kz_sweep_has_files(s) && access(path, F_OK) == 0;
    if (status == KZ_OK && s->team) {
        status = kz_team_broadcast(s->options->team, 0, &found, sizeof found, error);
    }
    *there = found;
    return status;
}

/* Reads the phases that the folder has. On return s->facts is the phase to go on with. */
static kz_status restore(kz_sweep *s, kz_error *error) {
    kz_status status = KZ_OK;
    for (int phase = 1; status == KZ_OK && phase <= KZ_SWEEP_MOST_PHASES; phase++) {
        bool there = false;
        s->facts.phase = phase;
        s->facts.blocks_done = s->facts.blocks_swept = s->facts.microseconds = 0;
        s->facts.found = (kz_sweep_counts){decided_before(s), 0};
        status = has_phase(s, phase, &there, error);
        if (status != KZ_OK || !there) {
            return status;
        }
        status = open_phase(s, phase, error);
        if (status == KZ_OK) {
            status = restore_phase(s, error);
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
            s->facts.phase++;
            s->facts.blocks_done = s->facts.blocks_swept = s->facts.microseconds = 0;
            s->facts.found = (kz_sweep_counts){decided_before(s), 0};
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
    if (!device || strcmp(device, "cpu") == 0) {
        return game->sweep;
    }
    if (strcmp(device, "cuda") != 0) {
        kz_fail(error, KZ_ERR_INPUT, "there is no device '%s' (devices: cpu, cuda)", device);
        return NULL;
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
    s->blocks = s->ops->blocks(s->solver);
    s->pages = s->ops->pages(s->solver);
    s->facts =
        (kz_phase_facts){.game = s->game->name, .rules = s->game->rules[rules], .blocks = s->blocks, .pages = s->pages};
    s->hands = calloc((size_t)kz_pool_threads(s->pool), sizeof *s->hands);
    s->changed = calloc(s->pages, 1);
    s->decided[0] = calloc(s->blocks, sizeof *s->decided[0]);
    s->decided[1] = calloc(s->blocks, sizeof *s->decided[1]);
    return s->hands && s->changed && s->decided[0] && s->decided[1]
               ? KZ_OK
               : kz_fail(error, KZ_ERR_MEMORY, "no memory for the sweep");
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
    bool has_files = kz_sweep_has_files(s);
    kz_status status = has_files ? lock_folder(s, error) : KZ_OK;
    if (status == KZ_OK) {
        status = open_sweep(s, rules, error);
    }
    if (status == KZ_OK) {
        status = kz_sweep_team_open(s, error);
    }
    status = kz_team_agree(options->team, status, error);
    if (status == KZ_OK) {
        status = run_phases(s, error);
    }
    if (status != KZ_OK) {
        kz_sweep_close(s);
        /* With nothing found nothing stays behind. */
        if (has_files) {
            remove_files(folder, "lock", "");
            rmdir(folder);
        }
        return status;
    }
    *finished = s;
    return KZ_OK;
}

void kz_sweep_close(kz_sweep *s) {
    for (int phase = 0; phase <= KZ_SWEEP_MOST_PHASES; phase++) {
        kz_phase_close(&s->files[phase]);
    }
    for (int i = 0; s->hands && i < kz_pool_threads(s->pool); i++) {
        free(s->hands[i].marks);
        free(s->hands[i].values);
    }
    kz_sweep_team_close(s->team, kz_pool_threads(s->pool));
    if (s->solver) {
        s->ops->close(s->solver);
    }
    free(s->hands);
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

static kz_status read_page(void *context, int worker, uint64_t page, uint8_t *numbers, kz_error *error) {
    kz_sweep *s = context;
    kz_sweep_hand *h = &s->hands[worker];
    size_t rows = s->ops->page_rows(s->solver, page);
    uint64_t spread[256];
    for (unsigned bits = 0; bits < 256; bits++) {
        spread[bits] = spread_bits(bits);
    }
    memset(h->values, 0, rows * sizeof *h->values);
    for (int phase = 1; phase <= s->phases; phase++) {
        if (!kz_phase_has(&s->files[phase], page)) {
            continue;
        }
        kz_status status = kz_phase_marks(&s->files[phase], page, rows, h->marks, error);
        if (status != KZ_OK) {
            return status;
        }
        uint64_t number = (uint64_t)phase + 2;
        memset(h->marks + rows, 0, 8);
        for (size_t i = 0; i < rows; i += 8) {
            if (kz_load_le64(h->marks + i)) { /* most have nothing, in most phases */
                for (size_t k = i; k < i + 8 && k < rows; k++) {
                    h->values[k] |= spread[h->marks[k]] * number;
                }
            }
        }
    }
    return kz_sweep_team_is_remote(s, page) ? kz_sweep_team_numbers(s, worker, page, h->values, numbers, error)
                                            : s->ops->numbers(s->solver, page, h->values, numbers, error);
}

kz_status kz_sweep_serve(kz_sweep *s, kz_error *error) { return kz_sweep_team_serve(s, error); }

kz_status kz_sweep_dismiss(kz_sweep *s, kz_error *error) { return s->team ? kz_sweep_team_dismiss(s, error) : KZ_OK; }

kz_source kz_sweep_source(kz_sweep *s) { return (kz_source){s, read_page}; }
