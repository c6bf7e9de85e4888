/* SPDX-License-Identifier: MIT
 *
 * The self-test: which positions are tested, by whom, and what comes of it. */
#include "table/selftest.h"

#include "base/error.h"

#include <kanzen/define.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
    const char *name;
    const char *title;
} checks[KZ_SELFTEST_CHECKS] = {
    [KZ_SELFTEST_TEXT] = {"text", "texts of positions read back"},
    [KZ_SELFTEST_INDEX] = {"index", "indices turned into positions and back"},
    [KZ_SELFTEST_RESULT] = {"result", "results by the rules alone, as the plain rules have them"},
    [KZ_SELFTEST_MOVE] = {"move", "legal moves, as the plain rules have them"},
    [KZ_SELFTEST_MOVE_TEXT] = {"move-text", "texts of moves read back"},
    [KZ_SELFTEST_ALTERED] = {"altered", "altered texts of moves refused, or another legal move"},
    [KZ_SELFTEST_LOOKUP] = {"lookup", "indices as tables work them out"},
    [KZ_SELFTEST_PREDECESSOR] = {"predecessor", "moves taken back, and moves that lead back"},
    [KZ_SELFTEST_IMAGE] = {"image", "mirror images and half turns worth the same"},
    [KZ_SELFTEST_VALUE] = {"value", "values of the table that follow from their moves"},
    [KZ_SELFTEST_TIER] = {"tier", "moves that lead to the tiers that they may lead to"},
    [KZ_SELFTEST_LOOK] = {"look", "boards with pieces and moves that are on them"},
};

const char *kz_selftest_name(int check) { return check >= 0 && check < KZ_SELFTEST_CHECKS ? checks[check].name : NULL; }

const char *kz_selftest_title(int check) {
    return check >= 0 && check < KZ_SELFTEST_CHECKS ? checks[check].title : NULL;
}

/* ---- Failures ---------------------------------------------------------------------------------------------------- */

bool kz_tester_fail(kz_tester *tester, int check, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tester->failed = check;
    vsnprintf(tester->problem, sizeof tester->problem, format, arguments);
    va_end(arguments);
    return false;
}

void kz_tester_text(const kz_tester *tester, const kz_position *position, char text[KZ_TEXT_BYTES]) {
    if (kz_format(tester->game, position, 0, text, KZ_TEXT_BYTES, NULL) == KZ_OK) {
        return;
    }
    int used = snprintf(text, KZ_TEXT_BYTES, "words");
    for (int i = 0; i < KZ_POSITION_BYTES / 8; i++) {
        used += snprintf(text + used, (size_t)(KZ_TEXT_BYTES - used), " %016" PRIx64, position->words[i]);
    }
}

kz_position kz_tester_child(const kz_tester *tester, kz_move move) {
    kz_position child = tester->position;
    kz_play(tester->game, tester->rules, &child, move);
    return child;
}

kz_value kz_tester_look(const kz_tester *tester, const kz_position *position, uint64_t *index) {
    *index = KZ_NO_INDEX;
    if (!tester->kind) {
        if (!kz_rank(tester->game, position, index)) {
            *index = KZ_NO_INDEX;
        }
        return kz_immediate(tester->game, tester->rules, position);
    }
    return tester->kind->look(tester->index, position, index);
}

/* False if something does not agree. */
static bool test_position(kz_tester *tester) {
    if (!tester->kind) {
        return kz_test_definition(tester) && kz_test_texts(tester) && kz_test_move_texts(tester) &&
               kz_test_values(tester);
    }
    return kz_test_moves(tester) && kz_test_texts(tester) && kz_test_move_texts(tester) &&
           kz_test_predecessors(tester) && kz_test_index(tester) && kz_test_images(tester) && kz_test_values(tester);
}

/* ---- Positions --------------------------------------------------------------------------------------------------- */

/* Threads share batches of positions. The first position of a batch has a random index, or is the start of the game.
 * Each other one follows from the last by a random move; when that game is over, the next one begins at the first
 * position again. So many positions are tested that have no index: won, lost and finished ones. */
enum { UNIT = 128, OPENING_UNITS = 4, TRIES = 1000 };

/* Slow tests take one position of so many. Of more than MANY positions they take one a batch. */
enum { MANY = 20000, SLOW_OF_FEW = 8 };

/* A position with a random index; the start, if the index has so many holes that no position is found. */
static void draw_position(kz_tester *tester) {
    const kz_game *game = tester->game;
    uint64_t size = kz_index_size(game, tester->rules);
    for (int i = 0; i < TRIES; i++) {
        uint64_t index;
        if (!kz_unrank(game, tester->rules, kz_random_below(&tester->random, size), &tester->position)) {
            continue;
        }
        if (kz_tester_look(tester, &tester->position, &index).outcome != KZ_UNKNOWN || index != KZ_NO_INDEX) {
            return;
        }
    }
    kz_start(game, tester->rules, &tester->position);
}

static void begin_batch(kz_tester *tester, uint64_t seed, uint64_t batch) {
    tester->random.state = seed + batch * UINT64_C(0xD1342543DE82EF95);
    kz_random_next(&tester->random);
    tester->earlier_move[0] = '\0';
    if (batch % OPENING_UNITS == 0) {
        kz_start(tester->game, tester->rules, &tester->position);
    } else {
        draw_position(tester);
    }
    tester->batch_begin = tester->position;
}

static void next_position(kz_tester *tester) {
    if (tester->move_count == 0) {
        tester->position = tester->batch_begin;
    } else {
        uint64_t chosen = kz_random_below(&tester->random, (uint64_t)tester->move_count);
        tester->position = kz_tester_child(tester, tester->moves[chosen]);
    }
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

typedef struct selftest {
    const kz_selftest_options *options;
    void *index;
    void *twin;
    int tester_count;
    kz_tester **testers;
    atomic_uint_fast64_t lowest_failed;
    atomic_uint_fast64_t positions;
} selftest;

/* Units after one that failed need not be tested: the first failure is the one that is told, on any number of
 * threads. */
static void test_batches(void *context, int worker, uint64_t begin, uint64_t end) {
    selftest *s = context;
    kz_tester *tester = s->testers[worker];
    for (uint64_t batch = begin; batch < end; batch++) {
        if (batch > atomic_load(&s->lowest_failed)) {
            continue;
        }
        uint64_t left = s->options->positions - batch * UNIT;
        unsigned count = left < UNIT ? (unsigned)left : UNIT;
        begin_batch(tester, s->options->seed, batch);
        for (unsigned i = 0; i < count; i++) {
            tester->with_slow = i % (s->options->positions < MANY ? SLOW_OF_FEW : UNIT) == 0;
            if (i > 0) {
                next_position(tester);
            }
            atomic_fetch_add(&s->positions, 1);
            if (!test_position(tester)) {
                uint_fast64_t lowest = atomic_load(&s->lowest_failed);
                tester->failed_position = tester->position;
                tester->failed_batch = batch;
                while (batch < lowest && !atomic_compare_exchange_weak(&s->lowest_failed, &lowest, batch)) {
                }
                break;
            }
        }
    }
}

static void free_tester(kz_tester *tester) {
    if (tester) {
        free(tester->before);
        free(tester->numbers_before);
        free(tester->numbers_after[0]);
        free(tester);
    }
}

static kz_tester *new_tester(bool with_lists) {
    enum { AFTER = KZ_DEFINE_MAX_MOVES + 1, BEFORE = KZ_DEFINE_MAX_PREDECESSORS + 1 };
    kz_tester *tester = calloc(1, sizeof *tester);
    if (!tester || !with_lists) {
        return tester;
    }
    tester->before = calloc(BEFORE, sizeof *tester->before);
    tester->numbers_before = calloc(BEFORE, sizeof *tester->numbers_before);
    uint64_t *after = calloc((size_t)3 * AFTER, sizeof *after);
    for (int i = 0; after && i < 3; i++) {
        tester->numbers_after[i] = after + (size_t)i * AFTER;
    }
    if (!tester->before || !tester->numbers_before || !after) {
        free_tester(tester);
        return NULL;
    }
    return tester;
}

static void close_all(selftest *s, const kz_game *game) {
    for (int i = 0; i < s->tester_count; i++) {
        free_tester(s->testers[i]);
    }
    free(s->testers);
    if (s->index) {
        kz_own_kind(game)->close(s->index);
    }
    if (s->twin) {
        game->doors->twin->close(s->twin);
    }
}

static kz_status open_all(selftest *s, const kz_game *game, int rules, int threads, kz_error *error) {
    const kz_table_kind *kind = kz_own_kind(game);
    if (kind) { /* others have a definition */
        kz_shape shape;
        KZ_TRY(kind->open(game, rules, 0, 0, &s->index, &shape, error));
    }
    if (game->doors->twin) {
        s->twin = game->doors->twin->open(rules, error);
        if (!s->twin) {
            return KZ_ERR_MEMORY;
        }
    }
    s->testers = calloc((size_t)threads, sizeof(kz_tester *));
    for (int i = 0; s->testers && i < threads; i++) {
        kz_tester *tester = new_tester(game->definition != NULL);
        if (!tester) {
            break;
        }
        tester->game = game;
        tester->rules = rules;
        tester->table = s->options->table;
        tester->kind = kind;
        tester->index = s->index;
        tester->twin = s->twin;
        tester->failed = -1;
        s->testers[s->tester_count++] = tester;
    }
    return s->tester_count == threads ? KZ_OK
                                      : kz_fail(error, KZ_ERR_MEMORY, "no memory to test with %d threads", threads);
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static kz_status sum_up(selftest *s, kz_selftest_report *report, kz_error *error) {
    const kz_tester *first = NULL;
    for (int i = 0; i < s->tester_count; i++) {
        const kz_tester *tester = s->testers[i];
        for (int check = 0; check < KZ_SELFTEST_CHECKS; check++) {
            report->counts[check] += tester->counts[check];
        }
        if (tester->failed >= 0 && tester->failed_batch == atomic_load(&s->lowest_failed)) {
            first = tester;
        }
    }
    report->positions = atomic_load(&s->positions);
    if (!first) {
        return KZ_OK;
    }
    report->failed = first->failed;
    memcpy(report->problem, first->problem, sizeof report->problem);
    kz_tester_text(first, &first->failed_position, report->position);
    return kz_fail(error, KZ_ERR_MISMATCH, "%.100s: %.200s", report->position, report->problem);
}

kz_status kz_selftest(const kz_game *game, int rules, const kz_selftest_options *options, const kz_progress *progress,
                      kz_selftest_report *report, kz_error *error) {
    selftest s = {.options = options};
    double began = seconds_now();
    memset(report, 0, sizeof *report);
    report->failed = -1;
    kz_status whole = kz_game_check_whole(game, rules, error);
    if (whole != KZ_OK) {
        return whole;
    }
    atomic_init(&s.lowest_failed, UINT64_MAX);
    atomic_init(&s.positions, 0);
    if (options->table && (kz_table_game(options->table) != game || kz_table_rules(options->table) != rules)) {
        return kz_fail(error, KZ_ERR_INPUT, "the table is one of another game or by other rules");
    }
    kz_pool *pool = kz_pool_new(options->threads, error);
    if (!pool) {
        return KZ_ERR_MEMORY;
    }
    kz_status status = open_all(&s, game, rules, kz_pool_threads(pool), error);
    if (status == KZ_OK) {
        uint64_t batches = options->positions / UNIT + (options->positions % UNIT != 0);
        status = kz_pool_for(pool, batches, 1, test_batches, &s, progress, "testing", error);
    }
    if (status == KZ_OK) {
        status = sum_up(&s, report, error);
    }
    report->seconds = seconds_now() - began;
    close_all(&s, game);
    kz_pool_free(pool);
    return status;
}
