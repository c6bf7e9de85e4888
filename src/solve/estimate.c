/* SPDX-License-Identifier: MIT */
#include <kanzen/estimate.h>

#include "base/error.h"
#include "base/random.h"
#include "core/defined.h"
#include "core/sweep_ops.h"
#include "solve/any_tier.h"

#include <kanzen/system.h>
#include <stdlib.h>

/* What was measured with the games of examples/games (docs/performance.md). */
static const double TABLE_BYTES_A_POSITION = 0.4;
static const double WRITE_SECONDS_A_NUMBER = 0.7e-6; /* on one thread */
/* Forwards, a tier is gone over so many times, more or less: as often as its longest win has plies, but finished parts
 * are skipped. */
static const double FORWARD_PASSES = 12;

typedef struct sample {
    const kz_definition *definition;
    const void *context;
    uint64_t size;
    kz_move *moves;
    kz_position *before;
    uint64_t sum; /* of ranks, so that no call is left out */
    bool by_numbers;
} sample;

/* Everything that the first pass does with a number. Returns whether it is a position, and adds its moves. */
static bool look_forwards(sample *s, uint64_t index, uint64_t *moves, uint64_t *open) {
    kz_position position = {{0}};
    int count;
    if (!kz_defined_unrank(s->definition, s->context, index, &position)) {
        return false;
    }
    if (kz_defined_moves(s->definition, s->context, &position, s->moves, &count) != KZ_UNKNOWN) {
        return true;
    }
    *moves += (uint64_t)count;
    *open += 1;
    for (int i = 0; i < count; i++) {
        kz_position next = position;
        s->definition->play(s->context, &next, s->moves[i]);
        if (s->definition->result(s->context, &next) == KZ_UNKNOWN) {
            s->sum += kz_defined_rank(s->definition, s->context, &next, NULL);
        }
    }
    return true;
}

/* And what going back from it does. Returns the number of predecessors. */
static int look_back(sample *s, uint64_t index) {
    kz_position position = {{0}};
    if (!kz_defined_unrank(s->definition, s->context, index, &position) ||
        s->definition->result(s->context, &position) != KZ_UNKNOWN) {
        return 0;
    }
    int count = s->definition->predecessors(s->context, &position, s->before);
    for (int i = 0; i < count; i++) {
        s->sum += kz_defined_rank(s->definition, s->context, &s->before[i], NULL);
    }
    return count;
}

static void find_tiers(const sample *s, kz_estimate_report *report) {
    report->tiers = kz_defined_tiers(s->definition, s->context);
    for (int i = 0; i < report->tiers; i++) {
        uint64_t size = kz_defined_tier_begin(s->definition, s->context, i + 1) -
                        kz_defined_tier_begin(s->definition, s->context, i);
        report->largest_tier = size > report->largest_tier ? size : report->largest_tier;
    }
}

/* How long the sample takes by numbers. */
static void measure_numbers(sample *s, const kz_estimate_options *options, uint64_t samples, double *forwards,
                            double *back) {
    uint64_t most = (uint64_t)s->definition->max_moves;
    most = (uint64_t)s->definition->max_predecessors > most ? (uint64_t)s->definition->max_predecessors : most;
    uint64_t *numbers = malloc((most + 1) * sizeof *numbers);
    for (int way = 0; way < 2 && numbers; way++) {
        kz_random random = {.state = options ? options->seed : 0};
        double begin = kz_seconds();
        for (uint64_t i = 0; i < samples; i++) {
            uint64_t index = samples == s->size ? i : kz_random_below(&random, s->size);
            kz_sight sight = {KZ_UNKNOWN, 0, 0, false};
            if (way == 0) {
                s->sum += (uint64_t)s->definition->numbers_after(s->context, index, numbers, &sight);
            } else if (s->definition->numbers_before) {
                s->sum += (uint64_t)s->definition->numbers_before(s->context, index, numbers);
            }
        }
        *(way ? back : forwards) = kz_seconds() - begin;
    }
    free(numbers);
}

static void measure(sample *s, const kz_estimate_options *options, kz_estimate_report *report) {
    enum { USUAL_SAMPLES = 20000 };
    uint64_t wanted = options && options->samples ? options->samples : USUAL_SAMPLES;
    report->samples = wanted < s->size ? wanted : s->size;
    kz_random random = {.state = options ? options->seed : 0};
    uint64_t positions = 0;
    uint64_t moves = 0;
    uint64_t open = 0;
    uint64_t before = 0;
    double begin = kz_seconds();
    for (uint64_t i = 0; i < report->samples; i++) {
        uint64_t index = report->samples == s->size ? i : kz_random_below(&random, s->size);
        positions += look_forwards(s, index, &moves, &open);
    }
    double forwards = kz_seconds() - begin;
    random.state = options ? options->seed : 0;
    begin = kz_seconds();
    for (uint64_t i = 0; i < report->samples && s->before; i++) {
        uint64_t index = report->samples == s->size ? i : kz_random_below(&random, s->size);
        before += (uint64_t)look_back(s, index);
    }
    double back = kz_seconds() - begin;
    if (s->by_numbers) {
        measure_numbers(s, options, report->samples, &forwards, &back);
    }
    double scale = (double)s->size / (double)report->samples;
    report->positions = (uint64_t)((double)positions * scale);
    report->moves = open ? (double)moves / (double)open : 0;
    report->predecessors = open ? (double)before / (double)open : 0;
    bool passes = !s->before && !s->definition->never_repeats;
    double work = scale * (forwards * (passes ? FORWARD_PASSES : 1) + back);
    report->seconds = (work + WRITE_SECONDS_A_NUMBER * (double)s->size) / report->threads;
}

/* A game that is solved by sweeps knows itself what it takes. */
static kz_status estimate_sweeps(const kz_game *game, int rules, kz_estimate_report *report, kz_error *error) {
    kz_sweep_needs needs;
    kz_status status = game->sweep->needs(rules, report->threads, &needs, error);
    if (status == KZ_OK) {
        report->numbers = needs.positions;
        report->positions = needs.positions;
        report->memory_bytes = needs.memory_bytes;
        report->work_bytes = needs.work_bytes;
        report->table_bytes = needs.table_bytes;
        report->seconds = needs.seconds;
    }
    return status;
}

kz_status kz_estimate(const kz_game *game, int rules, const kz_estimate_options *options, kz_estimate_report *report,
                      kz_error *error) {
    *report = (kz_estimate_report){0};
    report->threads = options && options->threads > 0 ? options->threads : kz_processor_count();
    if (game->sweep && game->sweep->needs) {
        return estimate_sweeps(game, rules, report, error);
    }
    if (!game->definition) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "%s has no definition that an estimate could be made from",
                       game->name);
    }
    /* The solver uses numbers alone where they are there. The context of a game that comes with Kanzen has no tables
     * for them. */
    sample s = {.definition = game->definition,
                .context = kz_game_context(game, rules),
                .by_numbers = game->close && game->definition->numbers_after};
    s.size = report->numbers = s.definition->index_size(s.context);
    s.moves = malloc(((size_t)s.definition->max_moves + 1) * sizeof *s.moves);
    if (s.definition->predecessors) {
        s.before = calloc((size_t)s.definition->max_predecessors + 1, sizeof *s.before);
    }
    if (!s.moves || (s.definition->predecessors && !s.before)) {
        free(s.moves);
        free(s.before);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for a sample");
    }
    find_tiers(&s, report);
    measure(&s, options, report);
    report->memory_bytes = kz_any_tier_bytes(report->largest_tier);
    report->work_bytes = report->numbers;
    report->table_bytes = (uint64_t)(TABLE_BYTES_A_POSITION * (double)report->positions);
    free(s.moves);
    free(s.before);
    return KZ_OK;
}
