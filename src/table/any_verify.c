/* SPDX-License-Identifier: MIT
 *
 * Tier by tier: its values and those that its moves lead to are in memory (any_window.h), and each is derived again. In
 * a table of losses only, the wins of all these tiers are derived first, which takes the losses of those one move on.
 */
#include "base/error.h"
#include "game/defined.h"
#include "table/any_kind.h"
#include "table/any_window.h"

#include <kanzen/system.h>
#include <stdlib.h>

enum { LIMIT = 3 + 2 * KZ_MAX_PLIES + 1 };

/* Memory and findings of one worker. */
typedef struct worker {
    kz_move *moves;
    uint64_t *counts; /* [LIMIT], by code */
    uint64_t wrong;
    uint64_t first_wrong;
} worker;

typedef struct check {
    const kz_table *table;
    const kz_definition *game;
    const void *context;
    kz_pool *pool;
    const kz_progress *listener;
    kz_any_window window;
    uint64_t first; /* number of the tier that is worked on */
    int workers;
    worker *worker;
} check;

static void close_check(check *c) {
    for (int i = 0; c->worker && i < c->workers; i++) {
        free(c->worker[i].moves);
        free(c->worker[i].counts);
    }
    free(c->worker);
    kz_any_window_close(&c->window);
}

static kz_status open_check(check *c, uint64_t limit, kz_error *error) {
    KZ_TRY(kz_any_window_open(c->table, c->pool, limit, &c->window, error));
    c->worker = calloc((size_t)c->workers, sizeof *c->worker);
    bool complete = c->worker;
    for (int i = 0; complete && i < c->workers; i++) {
        worker *w = &c->worker[i];
        w->first_wrong = UINT64_MAX;
        w->moves = malloc(((size_t)c->game->max_moves + 1) * sizeof *w->moves);
        w->counts = calloc(LIMIT, sizeof *w->counts);
        complete = w->moves && w->counts;
    }
    return complete ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to verify the table");
}

/* ---- What the moves promise -------------------------------------------------------------------------------------- */

/* The value of a position from those of its successors. */
typedef struct promise {
    const check *check;
    bool losses_known; /* only losses are in memory so far: wins and draws are not told apart */
    unsigned count;
    bool draw;
    unsigned soonest; /* win: plies; 0: none */
    unsigned latest;  /* loss: plies to the end after the move that delays it most */
    bool outside;     /* a move leads to no position */
} promise;

static void add_successor(void *user, const kz_position *next) {
    promise *p = user;
    const check *c = p->check;
    kz_code code = KZ_CODE_HOLE;
    p->count++;
    switch (c->game->result(c->context, next)) {
    case KZ_LOSS:
        code = kz_code_loss(0);
        break;
    case KZ_WIN:
        code = kz_code_win(0);
        break;
    case KZ_DRAW:
        code = KZ_CODE_DRAW;
        break;
    default: {
        uint64_t index = kz_defined_rank(c->game, c->context, next, NULL);
        code = kz_any_window_get(&c->window, index);
    }
    }
    unsigned plies = (code - 2) / 2;
    if (code == KZ_CODE_HOLE) {
        p->outside = true;
    } else if (code == KZ_CODE_DRAW) {
        p->draw = true;
    } else if (code % 2 == 0 && (!p->soonest || plies + 1 < p->soonest)) {
        p->soonest = plies + 1;
    } else if (code % 2 && plies > p->latest) {
        p->latest = plies;
    }
}

static kz_code finished_code(kz_outcome result) {
    return result == KZ_WIN ? kz_code_win(0) : result == KZ_LOSS ? kz_code_loss(0) : KZ_CODE_DRAW;
}

static kz_code promised(const promise *p, const kz_position *position) {
    if (p->outside) {
        return KZ_CODE_HOLE;
    }
    if (p->count == 0) {
        return finished_code(kz_defined_stuck(p->check->game, p->check->context, position));
    }
    if (p->soonest) {
        return kz_code_win(p->soonest);
    }
    return p->draw || p->losses_known ? KZ_CODE_DRAW : kz_code_loss(p->latest + 1);
}

/* By the game's own rules. */
static kz_code derive(const check *c, worker *w, const kz_position *position, bool losses_known) {
    kz_outcome result = c->game->result(c->context, position);
    if (result != KZ_UNKNOWN) {
        return finished_code(result);
    }
    promise p = {.check = c, .losses_known = losses_known};
    int count = c->game->moves(c->context, position, w->moves);
    for (int i = 0; i < count && i < c->game->max_moves; i++) {
        kz_position next = *position;
        c->game->play(c->context, &next, w->moves[i]);
        add_successor(&p, &next);
    }
    return promised(&p, position);
}

/* By its second implementation. */
static kz_code derive_by_twin(const check *c, const kz_position *position) {
    promise p = {.check = c};
    kz_outcome result = c->game->twin(c->context, position, add_successor, &p);
    return result == KZ_UNKNOWN ? promised(&p, position) : finished_code(result);
}

/* ---- Checking ---------------------------------------------------------------------------------------------------- */

/* Finds the wins of a table of losses. Whether a value is a loss does not change meanwhile, and nothing else is asked
 * for, so the order in which threads do this does not matter. */
static void derive_wins(void *context, int number, uint64_t begin, uint64_t end) {
    check *c = context;
    for (uint64_t index = c->first + begin; index < c->first + end; index++) {
        kz_position position;
        if (kz_any_window_get(&c->window, index) == KZ_CODE_DRAW &&
            kz_defined_unrank(c->game, c->context, index, &position)) {
            kz_code code = derive(c, &c->worker[number], &position, true);
            if (code > KZ_CODE_DRAW && code % 2) {
                kz_any_window_set(&c->window, index,
                                  code); /* a win; that it is lost after all is for the check to find */
            }
        }
    }
}

static void check_values(void *context, int number, uint64_t begin, uint64_t end) {
    check *c = context;
    worker *w = &c->worker[number];
    for (uint64_t index = c->first + begin; index < c->first + end; index++) {
        kz_position position;
        kz_code code = kz_any_window_get(&c->window, index);
        bool exists = kz_defined_unrank(c->game, c->context, index, &position);
        bool right = exists ? code != KZ_CODE_HOLE && derive(c, w, &position, false) == code &&
                                  (!c->game->twin || derive_by_twin(c, &position) == code)
                            : code == KZ_CODE_HOLE;
        w->counts[code < LIMIT ? code : KZ_CODE_HOLE]++;
        if (!right) {
            w->wrong++;
            w->first_wrong = index < w->first_wrong ? index : w->first_wrong;
        }
    }
}

/* The pool tells how far it is within a tier; who asked wants to know how far the whole table has come. That is as far
 * as the tiers before this one while others, which its moves lead to, are read and derived. */
static bool report_all(void *user, const char *stage, uint64_t done, uint64_t total) {
    const check *c = user;
    (void)stage;
    (void)done;
    (void)total;
    return c->listener->report(c->listener->user, "checking values", c->first, c->window.size);
}

static bool report_tier(void *user, const char *stage, uint64_t done, uint64_t total) {
    const check *c = user;
    (void)total;
    return c->listener->report(c->listener->user, stage, c->first + done, c->window.size);
}

/* Wants a tier, and derives its wins if need be. */
static kz_status complete(check *c, int tier, const kz_progress *progress, kz_error *error) {
    kz_any_window_tier *wins = &c->window.tier[tier];
    kz_status status = kz_any_window_want(&c->window, tier, progress, error);
    if (status == KZ_OK && !wins->complete && kz_table_any(c->table)->losses_only) {
        uint64_t first = c->first;
        c->first = wins->begin;
        status = kz_pool_for(c->pool, wins->count, 0, derive_wins, c, progress, "deriving wins", error);
        c->first = first;
    }
    wins->complete = status == KZ_OK;
    return status;
}

static kz_status check_tier(check *c, int tier, int *next, kz_error *error) {
    bool heard = c->listener && c->listener->report;
    const kz_progress all = {.report = heard ? report_all : NULL, .user = c};
    const kz_progress one = {.report = heard ? report_tier : NULL, .user = c};
    c->first = c->window.tier[tier].begin;
    kz_any_window_want_none(&c->window);
    kz_status status = complete(c, tier, &all, error);
    int count = kz_any_window_next(&c->window, tier, next);
    for (int i = 0; status == KZ_OK && i < count && kz_table_any(c->table)->losses_only; i++) {
        status = complete(c, next[i], &all, error);
    }
    return status == KZ_OK
               ? kz_pool_for(c->pool, c->window.tier[tier].count, 0, check_values, c, &one, "checking values", error)
               : status;
}

static void add_up(const check *c, uint64_t *counts, kz_verify_report *report) {
    report->first_wrong = UINT64_MAX;
    for (int i = 0; i < c->workers; i++) {
        const worker *w = &c->worker[i];
        report->wrong += w->wrong;
        report->first_wrong = w->first_wrong < report->first_wrong ? w->first_wrong : report->first_wrong;
        for (kz_code code = 0; code < LIMIT; code++) {
            counts[code] += w->counts[code];
        }
    }
    report->first_wrong = report->wrong ? report->first_wrong : 0;
    report->draws = counts[KZ_CODE_DRAW];
    for (kz_code code = kz_code_loss(0); code < LIMIT; code++) {
        *(code % 2 ? &report->wins : &report->losses) += counts[code];
    }
    report->positions = report->wins + report->losses + report->draws;
}

/* The header counts what the table has. */
static kz_status compare_header(const check *c, uint64_t *counts, kz_error *error) {
    kz_value value;
    uint64_t stated;
    for (size_t i = 0; kz_table_count(c->table, i, &value, &stated); i++) {
        kz_code code = value.outcome == KZ_DRAW  ? KZ_CODE_DRAW
                       : value.outcome == KZ_WIN ? kz_code_win((unsigned)value.distance)
                                                 : kz_code_loss((unsigned)value.distance);
        uint64_t seen = code < LIMIT ? counts[code] : 0;
        if (seen != stated) {
            return kz_fail(error, KZ_ERR_MISMATCH,
                           "the header counts %llu positions of a value (%s in %d) that %llu have",
                           (unsigned long long)stated,
                           value.outcome == KZ_DRAW  ? "draw"
                           : value.outcome == KZ_WIN ? "win"
                                                     : "loss",
                           value.distance, (unsigned long long)seen);
        }
        counts[code] = 0;
    }
    for (kz_code code = KZ_CODE_DRAW; code < LIMIT; code++) {
        if (counts[code]) {
            return kz_fail(error, KZ_ERR_MISMATCH,
                           "the table has %llu positions of a value that its header does not count",
                           (unsigned long long)counts[code]);
        }
    }
    return KZ_OK;
}

static kz_status judge(const check *c, kz_verify_report *report, kz_error *error) {
    uint64_t *counts = calloc(LIMIT, sizeof *counts);
    if (!counts) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to verify the table");
    }
    add_up(c, counts, report);
    kz_status status = report->wrong ? KZ_ERR_MISMATCH : compare_header(c, counts, error);
    free(counts);
    if (report->wrong) {
        kz_position position;
        char text[KZ_TEXT_BYTES] = "a hole";
        if (c->game->unrank(c->context, report->first_wrong, &position)) {
            c->game->format(c->context, &position, text);
        }
        kz_fail(error, KZ_ERR_MISMATCH,
                "%llu of %llu values do not follow from their successors; the first is number %llu: %s",
                (unsigned long long)report->wrong, (unsigned long long)c->window.size,
                (unsigned long long)report->first_wrong, text);
    }
    return status;
}

static kz_status check_all(check *c, uint64_t limit, kz_verify_report *report, kz_error *error) {
    KZ_TRY(open_check(c, limit, error));
    int *next = malloc(((size_t)c->window.tiers + 1) * sizeof *next);
    kz_status status = next ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory for a list of tiers");
    for (int tier = 0; status == KZ_OK && tier < c->window.tiers; tier++) {
        status = check_tier(c, tier, next, error);
    }
    free(next);
    return status == KZ_OK ? judge(c, report, error) : status;
}

kz_status kz_any_verify_within(const kz_table *table, int threads, uint64_t limit, const kz_progress *progress,
                               kz_verify_report *report, kz_error *error) {
    const kz_game *game = kz_table_game(table);
    check c = {.table = table,
               .game = game->definition,
               .context = kz_game_context(game, kz_table_rules(table)),
               .listener = progress};
    *report = (kz_verify_report){0};
    KZ_TRY(kz_table_check(table, progress, error));
    c.pool = kz_pool_new(threads, error);
    if (!c.pool) {
        return error ? error->status : KZ_ERR_MEMORY;
    }
    c.workers = kz_pool_threads(c.pool);
    kz_status status = check_all(&c, limit, report, error);
    close_check(&c);
    kz_pool_free(c.pool);
    return status;
}

kz_status kz_any_verify(const kz_table *table, int threads, const kz_progress *progress, kz_verify_report *report,
                        kz_error *error) {
    return kz_any_verify_within(table, threads, kz_available_memory_bytes() / 2, progress, report, error);
}
