/* SPDX-License-Identifier: MIT */
#include <kanzen/estimate.h>

#include "base/error.h"
#include "base/random.h"
#include "base/thread.h"
#include "game/defined.h"
#include "solve/any_tier.h"

#include <kanzen/system.h>
#include <stdlib.h>

/* What was measured with the games of examples/games (docs/performance.md). */
static const double TABLE_BYTES_A_POSITION = 0.4;
static const double WRITE_SECONDS = 1.5; /* to choose strides, on one thread; for tables of more than half a million */
static const double WRITE_SECONDS_A_NUMBER = 0.1e-6;
/* Forwards, a tier is gone over so many times, more or less: as often as its longest win has plies, but finished parts
 * are skipped. */
static const double FORWARD_PASSES = 12;

typedef struct sample {
    const kz_definition *definition;
    const void *context;
    uint64_t size;
    kz_move *moves;
    kz_position *before;
    uint64_t *numbers; /* room for both lists of numbers */
    uint64_t sum;      /* of ranks, so that no call is left out */
} sample;

/* Everything that the first pass does with a number. Returns whether it is a position, and adds its moves. */
static bool look_forwards(sample *s, uint64_t index, uint64_t *moves, uint64_t *open) {
    kz_position position = {{0}};
    int count;
    if (s->definition->numbers_after) {
        kz_sight sight = {KZ_UNKNOWN, 0, 0, false};
        count = s->definition->numbers_after(s->context, index, s->numbers, &sight);
        bool settled = sight.over != KZ_UNKNOWN || sight.win == 1;
        *moves += count > 0 && !settled ? (uint64_t)count : 0;
        *open += count >= 0 && !settled;
        return count >= 0;
    }
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
    if (s->definition->numbers_before) {
        kz_sight sight = {KZ_UNKNOWN, 0, 0, false};
        int after = s->definition->numbers_after(s->context, index, s->numbers, &sight);
        bool settled = sight.over != KZ_UNKNOWN || sight.win == 1;
        return after < 0 || settled ? 0 : s->definition->numbers_before(s->context, index, s->numbers);
    }
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

/* A solve goes through numbers in order, and neighbours share what is in the cache; so a sample is many short runs. */
static uint64_t next_index(kz_random *random, uint64_t size, uint64_t number, uint64_t last) {
    enum { RUN = 16 };
    return number % RUN ? (last + 1) % size : kz_random_below(random, size);
}

static void measure(sample *s, const kz_estimate_options *options, kz_estimate_report *report) {
    enum { USUAL_SAMPLES = 40000, LARGE = 1 << 19 };
    uint64_t wanted = options && options->samples ? options->samples : USUAL_SAMPLES;
    report->samples = wanted < s->size ? wanted : s->size;
    kz_random random = {.state = options ? options->seed : 0};
    uint64_t positions = 0;
    uint64_t moves = 0;
    uint64_t open = 0;
    uint64_t before = 0;
    uint64_t index = 0;
    double begin = kz_thread_seconds();
    for (uint64_t i = 0; i < report->samples; i++) {
        index = report->samples == s->size ? i : next_index(&random, s->size, i, index);
        positions += look_forwards(s, index, &moves, &open);
    }
    double forwards = kz_thread_seconds() - begin;
    random.state = options ? options->seed : 0;
    begin = kz_thread_seconds();
    for (uint64_t i = 0; i < report->samples && s->before; i++) {
        index = report->samples == s->size ? i : next_index(&random, s->size, i, index);
        before += (uint64_t)look_back(s, index);
    }
    double back = kz_thread_seconds() - begin;
    double scale = (double)s->size / (double)report->samples;
    report->positions = (uint64_t)((double)positions * scale);
    report->moves = open ? (double)moves / (double)open : 0;
    report->predecessors = open ? (double)before / (double)open : 0;
    bool passes = !s->before && !s->definition->never_repeats;
    if (s->definition->numbers_before) { /* that looked forwards as well, to leave out what is settled */
        back = back > forwards ? back - forwards : 0;
    }
    double work = scale * (forwards * (passes ? FORWARD_PASSES : 1) + back);
    report->seconds = (work + WRITE_SECONDS_A_NUMBER * (double)s->size) / report->threads;
    report->seconds += s->size > LARGE ? WRITE_SECONDS : 0;
}

static kz_status take_sample(sample *s, const kz_estimate_options *options, kz_estimate_report *report,
                             kz_error *error) {
    size_t moves = (size_t)s->definition->max_moves + 1;
    size_t before = s->definition->predecessors ? (size_t)s->definition->max_predecessors + 1 : 0;
    s->size = report->numbers = s->definition->index_size(s->context);
    s->moves = malloc(moves * sizeof *s->moves);
    s->numbers = malloc((moves + before) * sizeof *s->numbers);
    s->before = before ? calloc(before, sizeof *s->before) : NULL;
    kz_status status = KZ_OK;
    if (s->moves && s->numbers && (!before || s->before)) {
        find_tiers(s, report);
        measure(s, options, report);
        report->memory_bytes = kz_any_tier_bytes(report->largest_tier);
        report->work_bytes = report->numbers; /* a byte each */
        report->table_bytes = (uint64_t)(TABLE_BYTES_A_POSITION * (double)report->positions);
    } else {
        status = kz_fail(error, KZ_ERR_MEMORY, "no memory for a sample");
    }
    free(s->moves);
    free(s->numbers);
    free(s->before);
    return status;
}

kz_status kz_estimate(const kz_game *game, int rules, const kz_estimate_options *options, kz_estimate_report *report,
                      kz_error *error) {
    *report = (kz_estimate_report){0};
    KZ_TRY(kz_game_check_whole(game, rules, error));
    report->threads = options && options->threads > 0 ? options->threads : kz_processor_count();
    if (game->doors->estimate) {
        return game->doors->estimate(rules, report, error);
    }
    if (!game->definition) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "%s has no definition that an estimate could be made from",
                       kz_game_name(game));
    }
    kz_any_context context;
    KZ_TRY(kz_any_context_open(&context, game, rules, error));
    sample s = {.definition = context.game, .context = context.context};
    kz_status status = take_sample(&s, options, report, error);
    kz_any_context_close(&context);
    return status;
}
