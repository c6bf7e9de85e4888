/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/compat/entries.h"

#include "base/error.h"
#include "games/dobutsu/rules/rules.h"
#include "games/dobutsu/solve/solve.h"

#include <kanzen/dobutsu.h>
#include <stdlib.h>

typedef struct comparison {
    const kz_dobutsu_retro *official;
    const kz_dobutsu_retro *simplified;
    kz_dobutsu_try_rule_report *by_worker;
} comparison;

static void compare(kz_value official, kz_value simplified, kz_dobutsu_try_rule_report *report) {
    bool win = official.outcome == KZ_WIN;
    int more = simplified.distance - official.distance;
    report->positions++;
    if (official.outcome != simplified.outcome) {
        report->other_winner++;
    } else if (more == 0) {
        report->same++;
    } else if (more == 1) {
        report->one_ply_longer++;
        report->longer_wins += win;
        report->longer_losses += !win;
        report->longer_at_once += win && official.distance == 1;
    } else if (more == -1) {
        report->one_ply_shorter++;
    } else {
        report->further++;
    }
}

static void add_report(kz_dobutsu_try_rule_report *sum, const kz_dobutsu_try_rule_report *more) {
    sum->positions += more->positions;
    sum->same += more->same;
    sum->one_ply_longer += more->one_ply_longer;
    sum->one_ply_shorter += more->one_ply_shorter;
    sum->further += more->further;
    sum->other_winner += more->other_winner;
    sum->longer_wins += more->longer_wins;
    sum->longer_losses += more->longer_losses;
    sum->longer_at_once += more->longer_at_once;
}

static void compare_range(void *context, int worker, uint64_t begin, uint64_t end) {
    const comparison *c = context;
    kz_dobutsu_try_rule_report sum = {0};
    for (uint64_t index = begin; index < end; index++) {
        compare(kz_dobutsu_retro_value(c->official, index), kz_dobutsu_retro_value(c->simplified, index), &sum);
    }
    add_report(&c->by_worker[worker], &sum);
}

kz_status kz_dobutsu_compare_try_rules(const kz_dobutsu_retro *official, const kz_dobutsu_retro *simplified,
                                       kz_pool *pool, const kz_progress *progress, kz_dobutsu_try_rule_report *report,
                                       kz_error *error) {
    int workers = kz_pool_threads(pool);
    comparison c = {official, simplified, calloc((size_t)workers, sizeof *c.by_worker)};
    *report = (kz_dobutsu_try_rule_report){0};
    if (!c.by_worker) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to compare the rules");
    }
    kz_status status =
        kz_pool_for(pool, KZ_DOBUTSU_INDEX_SIZE, 0, compare_range, &c, progress, "comparing the rules", error);
    for (int worker = 0; worker < workers; worker++) {
        add_report(report, &c.by_worker[worker]);
    }
    free(c.by_worker);
    if (status == KZ_OK && (report->further || report->other_winner)) {
        status = kz_fail(error, KZ_ERR_MISMATCH,
                         "the rules differ by more than a ply in %llu positions, and in who wins in %llu",
                         (unsigned long long)report->further, (unsigned long long)report->other_winner);
    }
    return status;
}

kz_status kz_dobutsu_check_try_rule(int threads, const kz_progress *progress, kz_dobutsu_try_rule_report *report,
                                    kz_error *error) {
    kz_dobutsu_retro *official = NULL;
    kz_dobutsu_retro *simplified = NULL;
    kz_pool *pool;
    *report = (kz_dobutsu_try_rule_report){0};
    KZ_TRY(kz_pool_open(threads, &pool, error));
    kz_status status;
    KZ_TRY_OR(done, kz_dobutsu_solve_in_memory(KZ_DOBUTSU_OFFICIAL, true, pool, progress, &official, error));
    KZ_TRY_OR(done, kz_dobutsu_solve_in_memory(KZ_DOBUTSU_SIMPLIFIED, true, pool, progress, &simplified, error));
    status = kz_dobutsu_compare_try_rules(official, simplified, pool, progress, report, error);
done:
    kz_dobutsu_retro_free(simplified);
    kz_dobutsu_retro_free(official);
    kz_pool_free(pool);
    return status;
}
