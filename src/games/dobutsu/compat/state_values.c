/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/compat/state_values.h"

#include "base/error.h"
#include "games/dobutsu/compat/entries.h"
#include "games/dobutsu/compat/index18.h"
#include "games/dobutsu/solve/reach.h"
#include "games/dobutsu/table/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = KZ_DOBUTSU_INDEX_SIZE / 64 + 1 };

/* ---- The scale ------------------------------------------------------------------------------------------------- */

/* Each ply takes a hundredth away, in single precision; text has six digits of that, and the database four digits after
 * the point of that text, a half rounded to even. */
void kz_dobutsu_state_value_scale_fill(kz_dobutsu_state_value_scale *scale) {
    memset(scale, 0, sizeof *scale);
    strcpy(scale->text[0], "0");
    /* Without a legal move, which is lost in no ply: worth as much as a game that is lost. */
    strcpy(scale->text[1], "-1");
    scale->scaled[1] = -10000;
    float worth = 1;
    for (int n = 1; n < 255; n++) {
        snprintf(scale->text[n + 1], sizeof scale->text[n + 1], "%g", (double)(n % 2 ? worth : -worth));
        scale->scaled[n + 1] = (int)nearbyint(10000 * strtod(scale->text[n + 1], NULL));
        worth *= 0.99F;
    }
}

/* ---- Which positions, and their values -------------------------------------------------------------------------- */

typedef struct value_export {
    const kz_table *table;
    const kz_export_options *options;
    const kz_dobutsu_state_values *target;
    uint64_t *written;
    kz_dobutsu_space *space;
    kz_dobutsu_planner *planner;
    uint64_t *wanted;         /* by index: reachable and not won at once */
    _Atomic uint8_t *entries; /* by index; losses only */
    kz_dobutsu_index18_parts parts;
} value_export;

/* Of what is reached, wins in one ply are not stored: words of the set from `begin` on. */
static void drop_wins(void *context, int worker, uint64_t begin, uint64_t end) {
    value_export *export = context;
    const kz_dobutsu_space *space = export->space;
    (void)worker;
    const kz_dobutsu_run *run = kz_dobutsu_run_of(space, begin * 64);
    for (uint64_t index = begin * 64; index < end * 64 && index < KZ_DOBUTSU_INDEX_SIZE; index++) {
        if (index >= (uint64_t)run->base + run->size) {
            run++;
        }
        if (!(export->wanted[index / 64] >> (index % 64) & 1)) {
            continue;
        }
        const kz_dobutsu_states states = {
            .own_lion = space->own_lion[run->lion_class],
            .enemy_lion = space->enemy_lion[run->lion_class],
            .elephants = run->elephants,
            .giraffes = run->giraffes,
            .chicks = space->chick_state[kz_dobutsu_run_chicks(space, run)][index - run->base],
        };
        if (kz_dobutsu_won_at_once(export->planner, &states)) {
            export->wanted[index / 64] &= ~(UINT64_C(1) << (index % 64));
        }
    }
}

static kz_status choose_positions(value_export *export, kz_pool *pool, kz_error *error) {
    const kz_progress *progress = export->options->progress;
    kz_dobutsu_reach *reach = kz_dobutsu_reach_new();
    export->wanted = calloc(WORDS, sizeof *export->wanted);
    if (!reach || !export->wanted) {
        kz_dobutsu_reach_free(reach);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for a set of positions");
    }
    kz_status status = kz_dobutsu_reach_run(reach, 0, pool, progress, "finding positions", error);
    for (uint64_t word = 0; status == KZ_OK && word < WORDS; word++) {
        export->wanted[word] = atomic_load_explicit(&reach->reached[word], memory_order_relaxed);
    }
    kz_dobutsu_reach_free(reach);
    /* The last word has bits of the next zone. */
    export->wanted[WORDS - 1] &= (UINT64_C(1) << (KZ_DOBUTSU_INDEX_SIZE % 64)) - 1;
    return status == KZ_OK ? kz_pool_for(pool, WORDS, 1024, drop_wins, export, progress, "choosing positions", error)
                           : status;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

/* Wins are found when their row is made: an export of a few rows needs few of them. */
static unsigned entry_of(const value_export *export, uint32_t place) {
    unsigned number = kz_dobutsu_entry_at(export->entries, place);
    if (number == 0) {
        kz_dobutsu dobutsu;
        kz_dobutsu_space_unrank(export->space, place, &dobutsu);
        number = kz_dobutsu_entry_of_win(export->table, export->entries, &dobutsu);
    }
    return number;
}

static kz_status make_values(void *context, int worker, uint64_t piece, kz_buffer *made, kz_error *error) {
    const value_export *export = context;
    (void)worker;
    if (!kz_dobutsu_index18_list(&export->parts, export->space, (uint32_t)piece, export->wanted, made)) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for values");
    }
    /* A state value is smaller than what it is made from, so it goes to the same memory. */
    size_t count = made->size / sizeof(kz_dobutsu_index18_entry);
    for (size_t i = 0; i < count; i++) {
        kz_dobutsu_index18_entry entry;
        memcpy(&entry, made->bytes + i * sizeof entry, sizeof entry);
        uint64_t value = entry.index << 8 | entry_of(export, entry.place);
        memcpy(made->bytes + i * sizeof value, &value, sizeof value);
    }
    made->size = count * sizeof(uint64_t);
    return KZ_OK;
}

static kz_status take_values(void *context, const kz_buffer *made, bool *enough, kz_error *error) {
    value_export *export = context;
    size_t count = made->size / sizeof(uint64_t);
    uint64_t most = export->options->count ? export->options->count : UINT64_MAX;
    if (most - *export->written <= count) {
        count = (size_t)(most - *export->written);
        *enough = true;
    }
    kz_status status =
        export->target->take(export->target->context, (const uint64_t *)(const void *)made->bytes, count, error);
    *export->written += count;
    return status;
}

static kz_status prepare(value_export *export, kz_error *error) {
    export->space = kz_dobutsu_space_new();
    export->planner = malloc(sizeof *export->planner);
    if (!export->space || !export->planner || !kz_dobutsu_index18_parts_make(&export->parts)) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the index of Dobutsu Shogi");
    }
    kz_dobutsu_planner_fill(export->planner, export->space, KZ_DOBUTSU_OFFICIAL);
    return KZ_OK;
}

kz_status kz_dobutsu_state_values_write(const kz_table *table, const kz_export_options *options,
                                        const kz_dobutsu_state_values *target, uint64_t *written, kz_error *error) {
    *written = 0;
    if (kz_dobutsu_entries_check(table, error) != KZ_OK) {
        return KZ_ERR_UNSUPPORTED;
    }
    kz_pool *pool;
    KZ_TRY(kz_pool_open(options->threads, &pool, error));
    value_export export = {.table = table, .options = options, .target = target, .written = written};
    kz_ordered work = {.context = &export, .make = make_values, .take = take_values};
    kz_status status;
    KZ_TRY_OR(done, prepare(&export, error));
    KZ_TRY_OR(done, choose_positions(&export, pool, error));
    KZ_TRY_OR(done, kz_dobutsu_entries_read(table, pool, options->progress, &export.entries, error));
    status = kz_ordered_run(pool, export.parts.count, &work, options->progress, "writing", error);
done:
    kz_dobutsu_index18_parts_free(&export.parts);
    kz_dobutsu_space_free(export.space);
    free(export.planner);
    free(export.wanted);
    free((void *)export.entries);
    kz_pool_free(pool);
    return status;
}
