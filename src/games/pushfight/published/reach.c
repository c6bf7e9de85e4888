/* SPDX-License-Identifier: MIT
 *
 * Which positions of Push Fight can be reached: turn by turn over a whole board. */
#include "games/pushfight/solve/reach.h"
#include "base/error.h"
#include "base/pool.h"
#include "games/pushfight/rules/rules.h"

#include <kanzen/pushfight.h>
#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>

enum { GRAIN = 16 }; /* slices that one worker takes in a row: neighbours write to the same pages */

/* A worker's memory. */
typedef struct worker_memory {
    kz_pf_slice *slice;
    uint64_t found;
    kz_pf_missing missing;
} worker_memory;

typedef struct work {
    kz_pf_board board; /* which may differ from the one that is known by its number */
    kz_pf_space *space;
    kz_pf_tables *tables;
    kz_pf_reached *reached;
    kz_pool *pool;
    worker_memory *workers;
    uint32_t *list; /* slices of the turn that is being made */
    kz_pf_sources from;
} work;

static void close_work(work *w) {
    for (int i = 0; w->workers && i < kz_pool_threads(w->pool); i++) {
        kz_pf_slice_close(w->workers[i].slice);
    }
    free(w->workers);
    free(w->list);
    kz_pf_reached_close(w->reached);
    kz_pf_tables_close(w->tables);
    kz_pf_space_close(w->space);
    if (w->pool) {
        kz_pool_free(w->pool);
    }
}

static kz_status make_workers(work *w, kz_error *error) {
    w->list = malloc(w->space->own_sets * sizeof *w->list);
    w->workers = calloc((size_t)kz_pool_threads(w->pool), sizeof *w->workers);
    if (!w->list || !w->workers) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the list of slices");
    }
    for (int i = 0; i < kz_pool_threads(w->pool); i++) {
        w->workers[i].slice = kz_pf_slice_open(w->tables, error);
        if (!w->workers[i].slice) {
            return KZ_ERR_MEMORY;
        }
    }
    return KZ_OK;
}

/* ---- What the workers do ----------------------------------------------------------------------------------------- */

static void measure_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    const work *w = context;
    (void)worker;
    for (uint64_t page = begin; page < end; page++) {
        kz_pf_reached_measure(w->reached, (uint32_t)page);
    }
}

static void turn_slices(void *context, int worker, uint64_t begin, uint64_t end) {
    const work *w = context;
    for (uint64_t i = begin; i < end; i++) {
        kz_pf_reached_turn(w->reached, w->workers[worker].slice, w->list[i], w->from);
    }
}

static void settle_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    const work *w = context;
    for (uint64_t page = begin; page < end; page++) {
        if (w->reached->changed[page]) {
            w->workers[worker].found += kz_pf_reached_settle(w->reached, (uint32_t)page);
        }
    }
}

static void count_missing(void *context, int worker, uint64_t begin, uint64_t end) {
    const work *w = context;
    for (uint64_t page = begin; page < end; page++) {
        kz_pf_missing missing = kz_pf_reached_missing(w->reached, (uint32_t)page);
        w->workers[worker].missing.all += missing.all;
        w->workers[worker].missing.cornered += missing.cornered;
    }
}

/* ---- All turns --------------------------------------------------------------------------------------------------- */

/* To be closed after a failure, too. */
static kz_status open_work(work *w, const kz_pf_board *board, int threads, bool unfold, const kz_progress *progress,
                           kz_error *error) {
    *w = (work){.board = *board};
    w->board.symmetric = board->symmetric && !unfold;
    w->pool = kz_pool_new(threads, error);
    if (!w->pool) {
        return KZ_ERR_MEMORY;
    }
    KZ_TRY(kz_pf_space_open(&w->board, &w->space, error));
    KZ_TRY(kz_pf_tables_open(w->space, &w->tables, error));
    KZ_TRY(kz_pf_reached_open(w->tables, &w->reached, error));
    KZ_TRY(make_workers(w, error));
    KZ_TRY(kz_pool_for(w->pool, w->space->own_sets, 0, measure_pages, w, progress, "counting positions", error));
    return kz_pf_reached_lay_out(w->reached, error);
}

static kz_status make_turns(work *w, kz_pf_sources from, const kz_progress *progress, const char *stage,
                            kz_error *error) {
    uint32_t count = 0;
    for (uint32_t slice = 0; slice < w->space->own_sets; slice++) {
        if (from != KZ_PF_FROM_REACHED || w->reached->due[slice]) {
            w->list[count++] = slice;
        }
    }
    w->from = from;
    return kz_pool_for(w->pool, count, GRAIN, turn_slices, w, progress, stage, error);
}

/* `found` is how many positions the turn reached that were not before. */
static kz_status make_turn(work *w, int turn, const kz_progress *progress, uint64_t *found, kz_error *error) {
    char stage[32];
    snprintf(stage, sizeof stage, "turn %d", turn);
    KZ_TRY(make_turns(w, turn == 1 ? KZ_PF_FROM_STARTS : KZ_PF_FROM_REACHED, progress, stage, error));
    KZ_TRY(kz_pool_for(w->pool, w->space->own_sets, GRAIN, settle_pages, w, NULL, NULL, error));
    *found = 0;
    for (int i = 0; i < kz_pool_threads(w->pool); i++) {
        *found += w->workers[i].found;
        w->workers[i].found = 0;
    }
    kz_pf_reached_next(w->reached);
    return KZ_OK;
}

/* Turn by turn, until one brings nothing new. */
static kz_status reach_all(work *w, const kz_progress *progress, kz_pushfight_reach_report *report, kz_error *error) {
    for (int turn = 1; turn <= KZ_PUSHFIGHT_MOST_TURNS; turn++) {
        uint64_t found;
        KZ_TRY(make_turn(w, turn, progress, &found, error));
        if (!found) {
            return KZ_OK;
        }
        report->reached_in[turn] = found;
        report->reached += found;
        report->turns = turn;
    }
    return kz_fail(error, KZ_ERR_UNSUPPORTED, "new positions come up after more than %d turns",
                   KZ_PUSHFIGHT_MOST_TURNS);
}

/* Why the others were not reached. After this, what has a predecessor counts as reached, too. */
static kz_status explain(work *w, const kz_progress *progress, kz_pushfight_reach_report *report, kz_error *error) {
    KZ_TRY(make_turns(w, KZ_PF_FROM_ALL, progress, "predecessors", error));
    KZ_TRY(kz_pool_for(w->pool, w->space->own_sets, 0, count_missing, w, NULL, NULL, error));
    for (int i = 0; i < kz_pool_threads(w->pool); i++) {
        report->no_predecessor += w->workers[i].missing.all;
        report->cornered += w->workers[i].missing.cornered;
    }
    return KZ_OK;
}

static void find_examples(const work *w, int rules, kz_pushfight_reach_report *report) {
    uint64_t indices[KZ_PUSHFIGHT_EXAMPLES];
    size_t found = 0;
    for (uint32_t page = 0; page < w->space->own_sets && found < KZ_PUSHFIGHT_EXAMPLES; page++) {
        found += kz_pf_reached_list_missing(w->reached, page, indices + found, KZ_PUSHFIGHT_EXAMPLES - found);
    }
    for (size_t i = 0; i < found; i++) {
        kz_pf_position position;
        kz_pf_at(w->space, indices[i], &position);
        position.board = (uint8_t)rules;
        kz_pf_to_position(&position, &report->unreached[i]);
    }
    report->examples = (int)found;
}

kz_status kz_pushfight_reachable(int rules, int threads, bool unfold, const kz_progress *progress,
                                 kz_pushfight_reach_report *report, kz_error *error) {
    double begin = kz_seconds();
    const kz_pf_board *board = kz_pf_board_at(rules);
    if (!board) {
        return kz_fail(error, KZ_ERR_INPUT, "there is no board number %d", rules);
    }
    *report = (kz_pushfight_reach_report){.turns = 0};
    work w;
    kz_status status;
    KZ_TRY_OR(done, open_work(&w, board, threads, unfold, progress, error));
    report->folded = w.space->folded;
    report->positions = kz_pf_reached_positions(w.reached);
    KZ_TRY_OR(done, reach_all(&w, progress, report, error));
    find_examples(&w, rules, report);
    status = explain(&w, progress, report, error);
done:
    report->seconds = kz_seconds() - begin;
    close_work(&w);
    return status;
}
