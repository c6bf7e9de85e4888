/* SPDX-License-Identifier: MIT
 *
 * What solving a board takes, before it begins. Memory follows from the number of pairs and, by a sample of them, of
 * runs. Time is measured on this machine: phase 0 of a few slices, which needs no state, and what the other steps cost
 * compared with it. */
#include "base/error.h"
#include "base/random.h"
#include "base/thread.h"
#include "games/pushfight/index/index.h"
#include "games/pushfight/solve/solve.h"
#include "games/pushfight/table/plan.h"

#include <stdlib.h>

enum {
    REMEMBERED_BYTES = 2, /* of a pair, from one sweep to the next (kz_pf_memo) */
    SAMPLED_PAIRS = 20000,
    SAMPLED_SLICES = 48,
    LEAST_SLICES = 4,
    USUAL_PHASES = 40,
    SEED = 1
};

static const double SAMPLE_SECONDS = 0.2;
static const double MARGIN = 1.05; /* a sample may miss a few runs */
/* What was measured on the standard board (docs/push-fight.md). */
static const double SWEEP_TO_START = 1.5;    /* a sweep over a slice, if phase 0 of it is 1 */
static const double FULL_SWEEPS = 0.9;       /* of all phases: later ones leave slices out */
static const double WRITE_SECONDS = 0.07e-6; /* a position that a table stores, on one thread */
static const double WORK_BYTES_A_RUN = 1.9;
static const double TABLE_BYTES_A_RUN = 0.9;
static const uint64_t WORKER_BYTES = UINT64_C(28) << 20; /* for a slice, the marks of a page, and writing the table */
/* For the counts that the table's probabilities come from: one for each of so many workers at most (table/writer.c). */
static const uint64_t COUNTS_BYTES = UINT64_C(72) << 20;
static const int COUNTS_MOST = 8;

/* About how many runs there are. */
static double count_runs(const kz_pf_space *space) {
    kz_pf_won_tables tables;
    kz_random random = {.state = SEED};
    uint64_t open = 0;
    kz_pf_won_tables_fill(&tables, space);
    for (int i = 0; i < SAMPLED_PAIRS; i++) {
        kz_group_plan plan;
        kz_pf_group_plans(space, &tables, kz_random_below(&random, space->pairs), 1, NULL, &plan);
        open += kz_popcount64(plan.exists & ~plan.won);
    }
    return (double)open / SAMPLED_PAIRS * (double)space->pairs;
}

/* Processor seconds that phase 0 of a slice takes: the least of several slices, because what the machine does besides
 * slows it down and is no part of it. */
static kz_status time_slice(const kz_pf_space *space, double *seconds, kz_error *error) {
    kz_pf_tables *tables = NULL;
    KZ_TRY(kz_pf_tables_open(space, &tables, error));
    kz_pf_slice *slice = kz_pf_slice_open(tables, error);
    kz_random random = {.state = SEED};
    double begin = kz_thread_seconds();
    *seconds = 0;
    for (int i = 0; slice && i < SAMPLED_SLICES && (i < LEAST_SLICES || kz_thread_seconds() - begin < SAMPLE_SECONDS);
         i++) {
        kz_pf_start_counts counts = {0};
        double before = kz_thread_seconds();
        kz_pf_slice_start(slice, space->own_squares[kz_random_below(&random, space->own_sets)], NULL, NULL, NULL,
                          &counts);
        double took = kz_thread_seconds() - before;
        *seconds = i == 0 || took < *seconds ? took : *seconds;
    }
    kz_status status = slice ? KZ_OK : KZ_ERR_MEMORY;
    kz_pf_slice_close(slice);
    kz_pf_tables_close(tables);
    return status;
}

kz_status kz_pf_estimate(int rules, kz_estimate_report *report, kz_error *error) {
    const kz_pf_board *board = kz_pf_board_at(rules);
    int workers = report->threads;
    kz_pf_space *space = NULL;
    double slice = 0;
    KZ_TRY(kz_pf_space_open(board, &space, error));
    kz_status status = time_slice(space, &slice, error);
    if (status == KZ_OK) {
        double runs = count_runs(space);
        double phases = board->phases ? board->phases : USUAL_PHASES;
        double sweeps = slice * space->own_sets * (1 + SWEEP_TO_START * FULL_SWEEPS * phases);
        uint64_t pages = (uint64_t)space->own_sets * kz_pf_base_count(space) * sizeof(uint64_t);
        report->numbers = space->positions;
        report->positions = kz_pf_minimized_size(board) * (board->symmetric && !space->folded ? 2 : 1);
        report->memory_bytes = space->pairs * (sizeof(uint64_t) + REMEMBERED_BYTES) + pages +
                               (uint64_t)(MARGIN * runs * sizeof(uint16_t)) + WORKER_BYTES * (uint64_t)workers +
                               COUNTS_BYTES * (uint64_t)(workers < COUNTS_MOST ? workers : COUNTS_MOST);
        report->work_bytes = (uint64_t)(WORK_BYTES_A_RUN * runs);
        report->table_bytes = (uint64_t)(TABLE_BYTES_A_RUN * runs);
        report->seconds = (sweeps + WRITE_SECONDS * runs * space->anchored_splits) / workers;
    }
    kz_pf_space_close(space);
    return status;
}
