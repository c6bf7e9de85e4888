/* SPDX-License-Identifier: MIT
 *
 * The file of Robert Clausecker's dobutsu beside a table: entry by entry, in the order of the file. */
#include "app/export/archive.h"
#include "base/error.h"
#include "games/dobutsu/compat/clausecker.h"
#include "games/dobutsu/compat/entries.h"
#include "games/dobutsu/table/plan.h"

#include <inttypes.h>
#include <kanzen/dobutsu_files.h>
#include <stdlib.h>
#include <string.h>

struct kz_dobutsu_clausecker {
    kz_mapping mapping;
    uint8_t *unpacked; /* NULL: the file is not packed */
    const int8_t *entries;
    kz_clausecker_layout layout;
};

/* ---- The file ---------------------------------------------------------------------------------------------------- */

kz_status kz_dobutsu_clausecker_open(const char *path, const kz_progress *progress, kz_dobutsu_clausecker **opened,
                                     kz_error *error) {
    kz_dobutsu_clausecker *file = calloc(1, sizeof *file);
    *opened = NULL;
    if (!file) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", path);
    }
    kz_status status = kz_mapping_open(&file->mapping, path, error);
    if (status == KZ_OK && kz_xz_is(&file->mapping)) {
        status = kz_xz_read(&file->mapping, path, KZ_CLAUSECKER_BYTES, progress, &file->unpacked, error);
    } else if (status == KZ_OK && file->mapping.size != KZ_CLAUSECKER_BYTES) {
        status = kz_fail(error, KZ_ERR_CORRUPT, "%s is not a table of dobutsu: it has %zu bytes, and not %d", path,
                         file->mapping.size, KZ_CLAUSECKER_BYTES);
    }
    if (status != KZ_OK) {
        kz_dobutsu_clausecker_close(file);
        return status;
    }
    file->entries = (const int8_t *)(file->unpacked ? file->unpacked : file->mapping.data);
    kz_clausecker_layout_fill(&file->layout);
    *opened = file;
    return KZ_OK;
}

void kz_dobutsu_clausecker_close(kz_dobutsu_clausecker *file) {
    if (file) {
        kz_mapping_close(&file->mapping);
        free(file->unpacked);
        free(file);
    }
}

/* n: won in 2 n - 1 plies; -n: lost in 2 n; 0: a draw. */
static kz_value value_of(int entry) {
    kz_value value = {.outcome = entry > 0 ? KZ_WIN : entry < 0 ? KZ_LOSS : KZ_DRAW};
    value.distance = entry > 0 ? 2 * entry - 1 : -2 * entry;
    return value;
}

/* ---- Comparing --------------------------------------------------------------------------------------------------- */

typedef struct count {
    uint64_t unused, at_once, wins, losses, draws;
} count;

typedef struct comparison {
    const kz_dobutsu_clausecker *file;
    const kz_table *table;
    kz_dobutsu_space *space;
    kz_dobutsu_planner *planner;
    _Atomic uint8_t *numbers;
    count *counts;         /* one a worker */
    _Atomic size_t differ; /* the offset of the first entry that was found to differ */
} comparison;

static void states_of(const kz_dobutsu_arrangement *arrangement, kz_dobutsu_states *states) {
    states->own_lion = arrangement->own_lion;
    states->enemy_lion = arrangement->enemy_lion;
    states->elephants = kz_dobutsu_pair_rank(&arrangement->elephants, KZ_DOBUTSU_PLAIN_BITS, 0);
    states->giraffes = kz_dobutsu_pair_rank(&arrangement->giraffes, KZ_DOBUTSU_PLAIN_BITS, 0);
    states->chicks = kz_dobutsu_pair_rank(&arrangement->chicks, KZ_DOBUTSU_CHICK_BITS, 0);
}

/* What the table says, as in games/dobutsu/compat/entries.h; 2 also for what the rules decide. */
static unsigned number_of(const comparison *pair, const kz_dobutsu_arrangement *arrangement, bool *at_once) {
    kz_dobutsu_states states;
    states_of(arrangement, &states);
    *at_once = kz_dobutsu_won_at_once(pair->planner, &states);
    if (*at_once) {
        return 2;
    }
    unsigned number = kz_dobutsu_entry_at(pair->numbers, kz_dobutsu_space_rank(pair->space, &states));
    if (number == 0) {
        kz_dobutsu position;
        kz_dobutsu_arrangement_to(arrangement, &position);
        number = kz_dobutsu_entry_of_win(pair->table, pair->numbers, &position);
    }
    return number;
}

/* The entry that says the same. Who can't move has lost, and for us that takes no ply: there it counts as if the
 * enemy still had to take the lion. */
static int entry_of(unsigned number) {
    if (number == 0) {
        return 0;
    }
    int plies = (int)number - 1;
    return plies % 2 ? (plies + 1) / 2 : plies ? -plies / 2 : -1;
}

/* Compares one entry, and counts it if it is the same. What can be won at once is never looked up there, so it is not
 * stored: what stands there is 2 (in early versions 1). */
static bool same_entry(const comparison *pair, const kz_dobutsu_arrangement *arrangement, int entry, count *c) {
    bool at_once = false;
    int expected = entry_of(number_of(pair, arrangement, &at_once));
    if (at_once) {
        c->at_once++;
        return entry == 1 || entry == 2;
    }
    c->wins += expected > 0;
    c->losses += expected < 0;
    c->draws += expected == 0;
    return entry == expected;
}

static void note_difference(comparison *pair, size_t offset) {
    size_t first = atomic_load(&pair->differ);
    while (offset < first && !atomic_compare_exchange_weak(&pair->differ, &first, offset)) {
    }
}

/* What comes after a difference need not be looked at. */
static void compare_runs(void *context, int worker, uint64_t begin, uint64_t end) {
    comparison *pair = context;
    count *c = &pair->counts[worker];
    for (uint64_t number = begin; number < end; number++) {
        kz_clausecker_run run = kz_clausecker_run_of(&pair->file->layout, (unsigned)number);
        if (!kz_clausecker_run_used(&run)) {
            c->unused += run.cohort->size;
            continue;
        }
        for (unsigned entry = 0; entry < run.cohort->size && run.offset + entry < atomic_load(&pair->differ); entry++) {
            kz_dobutsu_arrangement arrangement;
            kz_clausecker_arrangement(&run, entry, &arrangement);
            if (!same_entry(pair, &arrangement, pair->file->entries[run.offset + entry], c)) {
                note_difference(pair, run.offset + entry);
            }
        }
    }
}

static void describe_difference(const comparison *pair, kz_dobutsu_clausecker_report *report) {
    size_t offset = atomic_load(&pair->differ);
    unsigned number = 0;
    kz_clausecker_run run = kz_clausecker_run_of(&pair->file->layout, number);
    while (offset >= run.offset + run.cohort->size) {
        run = kz_clausecker_run_of(&pair->file->layout, ++number);
    }
    kz_dobutsu_arrangement arrangement;
    kz_dobutsu position;
    bool at_once;
    kz_clausecker_arrangement(&run, (unsigned)(offset - run.offset), &arrangement);
    kz_dobutsu_arrangement_to(&arrangement, &position);
    kz_dobutsu_to_position(&position, &report->position);
    unsigned value = number_of(pair, &arrangement, &at_once);
    report->offset = offset;
    report->theirs = value_of(pair->file->entries[offset]);
    report->ours.outcome = value == 0 ? KZ_DRAW : value % 2 ? KZ_LOSS : KZ_WIN;
    report->ours.distance = value == 0 ? 0 : (int)value - 1;
}

static kz_status compare(comparison *pair, kz_pool *pool, const kz_progress *progress,
                         kz_dobutsu_clausecker_report *report, kz_error *error) {
    pair->space = kz_dobutsu_space_new();
    pair->planner = malloc(sizeof *pair->planner);
    pair->counts = calloc((size_t)kz_pool_threads(pool), sizeof *pair->counts);
    if (!pair->space || !pair->planner || !pair->counts) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the index of Dobutsu Shogi");
    }
    kz_dobutsu_planner_fill(pair->planner, pair->space, KZ_DOBUTSU_OFFICIAL);
    KZ_TRY(kz_dobutsu_entries_read(pair->table, pool, progress, &pair->numbers, error));
    KZ_TRY(kz_pool_for(pool, KZ_CLAUSECKER_RUNS, 1, compare_runs, pair, progress, "comparing", error));
    if (atomic_load(&pair->differ) < KZ_CLAUSECKER_BYTES) {
        describe_difference(pair, report);
        return kz_fail(error, KZ_ERR_MISMATCH, "the file and the table differ, first at byte %" PRIu64, report->offset);
    }
    for (int worker = 0; worker < kz_pool_threads(pool); worker++) {
        report->unused += pair->counts[worker].unused;
        report->at_once += pair->counts[worker].at_once;
        report->wins += pair->counts[worker].wins;
        report->losses += pair->counts[worker].losses;
        report->draws += pair->counts[worker].draws;
    }
    return KZ_OK;
}

kz_status kz_dobutsu_clausecker_compare(const kz_dobutsu_clausecker *file, const kz_table *table, int threads,
                                        const kz_progress *progress, kz_dobutsu_clausecker_report *report,
                                        kz_error *error) {
    memset(report, 0, sizeof *report);
    if (kz_dobutsu_entries_check(table, error) != KZ_OK) {
        return KZ_ERR_UNSUPPORTED;
    }
    kz_pool *pool;
    KZ_TRY(kz_pool_open(threads, &pool, error));
    comparison pair = {.file = file, .table = table, .differ = KZ_CLAUSECKER_BYTES};
    kz_status status = compare(&pair, pool, progress, report, error);
    kz_dobutsu_space_free(pair.space);
    free(pair.planner);
    free(pair.counts);
    free((void *)pair.numbers);
    kz_pool_free(pool);
    return status;
}
