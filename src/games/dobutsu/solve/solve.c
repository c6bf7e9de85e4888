/* SPDX-License-Identifier: MIT
 *
 * The solve of Dobutsu Shogi: `solve_all` says what is done, in order. The kernels (retro.h, strips.h) work on ranges
 * of slices; do_step has one of them go over all slices before the next one begins:
 *
 *     alone        on all threads of the pool
 *     in a team    each member over the slices of its shard; what it finds about positions of others travels as mail
 *                  while it works on (solve/team/mail.h), and is applied there before the step ends
 *     on a card    by the card, which has the state of all positions (cuda/dobutsu.h)
 *
 * The first step is done by threads in any case, and strips are swept alone only. */
#include "games/dobutsu/solve/solve.h"

#include "base/error.h"
#include "base/module.h"
#include "games/dobutsu/cuda/dobutsu.h"
#include "games/dobutsu/rules/rules.h"
#include "games/dobutsu/solve/strips.h"
#include "solve/checkpoint.h"
#include "solve/team/team.h"

#include <kanzen/system.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    CHECKPOINT_SECONDS = 600,
    IDLE_DISTANCES = 2,      /* the solve ends when so many in a row decided nothing */
    WORTH_GATHERING = 2,     /* hints are gathered again when mail has cost that many times as much */
    WORTH_SWEEPING = 600000, /* while two sweeps together decide so many positions; measured: docs/performance.md */
};

enum step { START, LOSSES, WINS, COUNT, SETTLE, BEGIN_SWEEPS, SWEEP };

typedef struct solve {
    const kz_solve_job *job; /* without a path: only the values are wanted */
    const kz_solve_options *options;
    bool sweeps; /* if there can be any */
    bool complete;
    char folder[KZ_PATH_BYTES]; /* for checkpoints */
    kz_team *team;
    kz_dobutsu_retro *retro;
    kz_dobutsu_strips *strips; /* NULL: there are no sweeps */
    kz_mail *mail;             /* NULL: alone */
    const kz_dobutsu_card_calls *calls;
    kz_dobutsu_card *card; /* NULL: none does the steps (yet) */
    uint64_t slices_begin;
    uint64_t slices_end;
    /* The step that is done: */
    enum step step;
    int n;
    uint64_t first;           /* slice: item 0 of the pool's loop */
    _Atomic uint64_t open;    /* own positions that the rules don't decide */
    _Atomic uint64_t sources; /* own positions that were expanded in this distance */
    kz_checkpoint checkpoint; /* of all members */
    uint64_t *hint_begins;    /* [members + 1]: where each member's hints begin */
    uint64_t gather_cost;     /* bytes that this member sent when hints were gathered last */
    uint64_t sent_before;     /* bytes that it had sent in all by then */
} solve;

/* ---- A step over all slices -------------------------------------------------------------------------------------- */

static void do_slices(void *context, int worker, uint64_t begin, uint64_t end) {
    solve *s = context;
    kz_dobutsu_retro *retro = s->retro;
    uint64_t sources = 0;
    begin += s->first;
    end += s->first;
    switch (s->step) {
    case START:
        kz_dobutsu_retro_start(retro, begin, end);
        break;
    case LOSSES:
    case WINS:
        sources = kz_dobutsu_retro_propagate(retro, s->mail, worker, s->step == WINS, s->n, begin, end);
        break;
    case COUNT:
        atomic_fetch_add_explicit(&s->open, kz_dobutsu_retro_count(retro, s->mail, worker, begin, end),
                                  memory_order_relaxed);
        break;
    case SETTLE:
        kz_dobutsu_retro_settle(retro, begin, end);
        break;
    case BEGIN_SWEEPS:
        kz_dobutsu_strips_fill(s->strips, begin, end);
        break;
    case SWEEP:
        sources = kz_dobutsu_strips_sweep(s->strips, s->n, begin, end);
        break;
    }
    atomic_fetch_add_explicit(&s->sources, sources, memory_order_relaxed);
}

static void receive(void *context, int worker, const kz_updates *updates) {
    const solve *s = context;
    (void)worker;
    kz_dobutsu_effect effect = s->step == COUNT  ? KZ_DOBUTSU_COUNT
                               : s->step == WINS ? KZ_DOBUTSU_REFUTE
                                                 : KZ_DOBUTSU_WIN;
    kz_dobutsu_retro_receive(s->retro, effect, s->n, updates);
}

static kz_status do_on_card(solve *s, kz_error *error) {
    uint64_t expanded = 0;
    if (s->step == SETTLE) {
        return s->calls->settle(s->card, error);
    }
    if (s->step == COUNT) {
        KZ_TRY(s->calls->count(s->card, &expanded, error));
        s->open += expanded;
    } else {
        KZ_TRY(s->calls->propagate(s->card, s->step == WINS, s->n, &expanded, error));
        s->sources += expanded;
    }
    return KZ_OK;
}

static kz_status do_step(solve *s, enum step step, int n, const char *stage, kz_error *error) {
    const kz_progress *progress = s->options->progress;
    kz_pool *pool = s->job->pool;
    s->step = step;
    s->n = n;
    if (s->card) {
        return do_on_card(s, error);
    }
    if (s->mail && (step == LOSSES || step == WINS || step == COUNT)) {
        s->first = 0;
        const kz_mail_step mailed = {s->team,   s->mail, pool, s->slices_begin, s->slices_end,
                                     do_slices, receive, s,    progress,        stage};
        return kz_mail_do(&mailed, error);
    }
    s->first = s->slices_begin;
    uint64_t slices = s->slices_end - s->slices_begin;
    kz_status status = kz_pool_for(pool, slices, 0, do_slices, s, stage ? progress : NULL, stage, error);
    return kz_team_agree(s->team, status, error);
}

/* ---- Before the first step --------------------------------------------------------------------------------------- */

/* NULL with a reason if the module of retro.cu can't be loaded. */
static const kz_dobutsu_card_calls *find_card_calls(kz_error *error) {
    kz_module_function *solver = kz_module_find("cuda", "kz_module_dobutsu_solver", "graphics cards (CUDA)", error);
    return solver ? ((kz_dobutsu_cuda_function *)solver)() : NULL;
}

/* C++ does not know C's atomic types, so this is not in retro.cu. */
void kz_dobutsu_card_state_of(kz_dobutsu_retro *retro, kz_dobutsu_card_state *state) {
    *state = (kz_dobutsu_card_state){
        .space = retro->space,
        .unmoves = retro->unmoves,
        .cells = (uint8_t *)(void *)retro->cells,
        .odd_ones = (uint64_t *)(void *)retro->odd_ones,
        .frontier = {(const uint8_t *)(void *)retro->frontier[0], (const uint8_t *)(void *)retro->frontier[1]}};
}

/* The card's part of the solver, if it is wanted. */
static kz_status choose_card(solve *s, kz_error *error) {
    bool wanted = false;
    KZ_TRY(kz_device_is_card(s->options->device, &wanted, error));
    if (!wanted) {
        return KZ_OK;
    }
    if (kz_team_size(s->team) > 1) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "%s is solved on one graphics card by one process",
                       kz_game_title(s->job->game));
    }
    kz_error reason = {.status = KZ_ERR_UNSUPPORTED};
    s->calls = find_card_calls(&reason);
    return s->calls ? s->calls->check(error) : kz_fail(error, reason.status, "%s", reason.message);
}

static kz_status open_memory(solve *s, kz_error *error) {
    int members = kz_team_size(s->team);
    kz_status status = KZ_OK;
    s->retro = kz_dobutsu_retro_new(s->job->rules, kz_pool_threads(s->job->pool));
    if (!s->retro) {
        status = kz_fail(error, KZ_ERR_MEMORY, "no memory to solve Dobutsu Shogi: it takes about 500 MB");
    } else if (members > 1) {
        kz_dobutsu_retro_take_shard(s->retro, kz_team_rank(s->team), members);
        s->mail = kz_mail_new(s->team);
        s->hint_begins = calloc((size_t)members + 1, sizeof *s->hint_begins);
        status = s->mail && s->hint_begins ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory for messages");
    }
    KZ_TRY(kz_team_agree(s->team, status, error));
    kz_dobutsu_retro_slices(s->retro, &s->slices_begin, &s->slices_end);
    return KZ_OK;
}

static void close_memory(solve *s) {
    if (s->card) {
        s->calls->close(s->card);
    }
    kz_dobutsu_strips_free(s->strips);
    kz_mail_free(s->mail);
    free(s->hint_begins);
}

/* Takes the state to the card, if one is wanted. */
static kz_status open_card(solve *s, kz_error *error) {
    kz_error reason = {.status = KZ_ERR_MEMORY};
    if (!s->calls) {
        return KZ_OK;
    }
    s->card = s->calls->open(s->retro, &reason);
    return s->card ? KZ_OK : kz_fail(error, reason.status, "%s", reason.message);
}

/* What is on the card, if one does the steps, back to the solver. */
static kz_status fetch(const solve *s, kz_error *error) { return s->card ? s->calls->fetch(s->card, error) : KZ_OK; }

/* ---- Checkpoints ------------------------------------------------------------------------------------------------- */

static kz_checkpoint_state state_of(const solve *s) {
    return (kz_checkpoint_state){.game = kz_game_name(s->job->game),
                                 .rules = kz_rules_name(s->job->game, s->job->rules),
                                 .positions = KZ_DOBUTSU_INDEX_SIZE,
                                 .segment = KZ_DOBUTSU_SEGMENT,
                                 .most = KZ_DOBUTSU_STATE_BYTES,
                                 .context = s->retro,
                                 .save = kz_dobutsu_retro_save,
                                 .load = kz_dobutsu_retro_load};
}

static kz_status read_checkpoint(solve *s, bool *found, kz_error *error) {
    const kz_checkpoint_state state = state_of(s);
    KZ_TRY(kz_job_work_path(s->job, s->folder, error));
    return kz_checkpoint_read(&s->checkpoint, &state, s->folder, s->job->pool, s->team, found, error);
}

static kz_status write_checkpoint(const solve *s, kz_error *error) {
    const kz_checkpoint_state state = state_of(s);
    KZ_TRY(fetch(s, error));
    return kz_checkpoint_write(&s->checkpoint, &state, s->folder, s->job->pool, s->team, error);
}

/* Progress counts expanded positions, not distances: most positions are decided at small distances. Draws are never
 * expanded, so progress ends a little below the total. */
static kz_status report(const solve *s, kz_error *error) {
    const kz_progress *progress = s->options->progress;
    if (progress && progress->report &&
        !progress->report(progress->user, "going back", s->checkpoint.sources, s->checkpoint.open)) {
        return kz_fail(error, KZ_ERR_CANCELLED, "stopped");
    }
    return KZ_OK;
}

/* After a distance: reports it, and leaves a checkpoint if it is time, if this is the last distance that is wanted, or
 * if the one who hears the report asks to stop. */
static kz_status report_and_save(const solve *s, double *saved, kz_error *error) {
    double seconds = s->options->checkpoint_seconds;
    bool due = s->checkpoint.distance == s->options->last_phase ||
               kz_seconds() - *saved >= (seconds > 0 ? seconds : CHECKPOINT_SECONDS);
    kz_status status = kz_team_agree(s->team, report(s, error), error);
    if (status == KZ_OK) {
        status = kz_team_broadcast(s->team, 0, &due, sizeof due, error); /* member 0 decides, by its clock */
    }
    if (s->job->path && !s->complete && (status == KZ_ERR_CANCELLED || (status == KZ_OK && due))) {
        KZ_TRY(write_checkpoint(s, error));
        *saved = kz_seconds();
    }
    return status;
}

/* ---- Distances --------------------------------------------------------------------------------------------------- */

/* Tells all members which positions are open. */
static kz_status gather_hints(solve *s, kz_error *error) {
    if (!s->mail) {
        return KZ_OK;
    }
    uint64_t before = kz_team_spent(s->team).bytes;
    void *hints = kz_dobutsu_retro_hints(s->retro, s->hint_begins);
    kz_status status = kz_team_gather(s->team, hints, s->hint_begins, error);
    s->sent_before = kz_team_spent(s->team).bytes;
    s->gather_cost = s->sent_before - before;
    return status;
}

/* The small distances by sweeps over strips, two at a time, while that pays: by the official rules 2 to 37. After it
 * checkpoint.distance is what is known. */
static kz_status sweep_small_distances(solve *s, kz_error *error) {
    s->checkpoint.distance = 1;
    if (s->mail || s->card || !s->sweeps || s->job->rules != KZ_DOBUTSU_OFFICIAL) {
        return KZ_OK;
    }
    s->strips = kz_dobutsu_strips_new(s->retro);
    if (!s->strips) {
        return KZ_OK; /* it goes without them, in less memory */
    }
    KZ_TRY(do_step(s, BEGIN_SWEEPS, 0, NULL, error));
    uint64_t before;
    do {
        before = s->sources;
        KZ_TRY(do_step(s, SWEEP, ++s->checkpoint.distance, "sweeping", error));
        KZ_TRY(do_step(s, SWEEP, ++s->checkpoint.distance, "sweeping", error));
    } while (s->sources - before >= WORTH_SWEEPING);
    kz_dobutsu_strips_free(s->strips);
    s->strips = NULL;
    s->retro->counted_from = s->checkpoint.distance;
    return KZ_OK;
}

/* What all members have found before the distances that are gone through one by one. */
static kz_status sum_up(solve *s, kz_error *error) {
    uint64_t counts[] = {s->open, s->sources};
    KZ_TRY(kz_team_sum(s->team, counts, 2, error));
    /* After sweeps only those are counted as open that the sweeps have left. */
    s->checkpoint.open = counts[0] + (s->checkpoint.distance > 1 ? counts[1] : 0);
    s->checkpoint.sources = counts[1];
    s->sources = 0;
    return KZ_OK;
}

static kz_status end_distance(solve *s, int n, kz_error *error) {
    enum { SOURCES, SENT, COST, SUMS };
    uint64_t sums[SUMS] = {
        [SOURCES] = s->sources, [SENT] = kz_team_spent(s->team).bytes - s->sent_before, [COST] = s->gather_cost};
    if (s->card) {
        KZ_TRY(s->calls->clear(s->card, n, error));
    } else {
        kz_dobutsu_retro_clear(s->retro, n);
    }
    KZ_TRY(kz_team_sum(s->team, sums, SUMS, error));
    s->sources = 0;
    s->checkpoint.distance = n;
    s->checkpoint.sources += sums[SOURCES];
    s->checkpoint.idle = sums[SOURCES] == 0 ? s->checkpoint.idle + 1 : 0;
    s->complete = s->checkpoint.idle >= IDLE_DISTANCES;
    return sums[SENT] > WORTH_GATHERING * sums[COST] ? gather_hints(s, error) : KZ_OK;
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

typedef struct tally {
    const kz_dobutsu_retro *retro;
    kz_histogram *by_worker;
} tally;

static void do_tally(void *context, int worker, uint64_t begin, uint64_t end) {
    const tally *t = context;
    uint64_t first = t->retro->shard_begin;
    kz_dobutsu_retro_tally(t->retro, first + begin, first + end, &t->by_worker[worker]);
}

/* The numbers of positions by value, of all members. */
static kz_status count_values(const solve *s, kz_histogram *histogram, kz_error *error) {
    int workers = kz_pool_threads(s->job->pool);
    tally t = {.retro = s->retro, .by_worker = calloc((size_t)workers, sizeof *t.by_worker)};
    uint64_t positions = s->retro->shard_end - s->retro->shard_begin;
    kz_status status = t.by_worker ? kz_pool_for(s->job->pool, positions, 0, do_tally, &t, NULL, NULL, error)
                                   : kz_fail(error, KZ_ERR_MEMORY, "no memory to count the values");
    *histogram = (kz_histogram){.draws = 0};
    for (int worker = 0; t.by_worker && worker < workers; worker++) {
        const kz_histogram *h = &t.by_worker[worker];
        histogram->draws += h->draws;
        for (int n = 0; n <= KZ_MAX_DISTANCE; n++) {
            histogram->losses[n] += h->losses[n];
            histogram->wins[n] += h->wins[n];
        }
    }
    free(t.by_worker);
    KZ_TRY(kz_team_agree(s->team, status, error));
    KZ_TRY(kz_team_sum(s->team, histogram->losses, KZ_MAX_DISTANCE + 1, error));
    KZ_TRY(kz_team_sum(s->team, histogram->wins, KZ_MAX_DISTANCE + 1, error));
    return kz_team_sum(s->team, &histogram->draws, 1, error);
}

/* Member 0 writes it, the others tell it what they have. */
static kz_status write_table(const solve *s, kz_error *error) {
    kz_histogram histogram;
    KZ_TRY(count_values(s, &histogram, error));
    const kz_far_shard shard = {.team = s->team,
                                .own = kz_dobutsu_retro_source(s->retro),
                                .positions = KZ_DOBUTSU_INDEX_SIZE,
                                .extent = KZ_BLOCK_POSITIONS,
                                .segment = KZ_DOBUTSU_SEGMENT};
    return kz_job_write_table_together(s->job, &shard, &histogram, error);
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

/* What is done, in order. s->complete tells whether it came to its end, or stopped after options->last_phase. */
static kz_status solve_all(solve *s, kz_error *error) {
    bool found = false;
    KZ_TRY(choose_card(s, error));
    KZ_TRY(open_memory(s, error));
    if (s->job->path) {
        KZ_TRY(read_checkpoint(s, &found, error));
    }
    if (!found) {
        KZ_TRY(do_step(s, START, 0, "finding what the rules decide", error));
    }
    KZ_TRY(open_card(s, error));
    KZ_TRY(gather_hints(s, error));
    if (!found) {
        KZ_TRY(do_step(s, LOSSES, 0, NULL, error)); /* what has a move to a position that is lost in 0 */
        KZ_TRY(sweep_small_distances(s, error));
        KZ_TRY(do_step(s, COUNT, 0, "counting moves", error));
        KZ_TRY(do_step(s, SETTLE, 0, NULL, error)); /* what has no move that does not lose at once */
        KZ_TRY(sum_up(s, error));
        KZ_TRY(gather_hints(s, error));
    }
    double saved = kz_seconds();
    s->complete = s->checkpoint.idle >= IDLE_DISTANCES;
    while (!s->complete) {
        int n = s->checkpoint.distance + 1;
        if (n >= KZ_MAX_DISTANCE) {
            return kz_fail(error, KZ_ERR_UNSUPPORTED, "the game has wins of more than %d plies", KZ_MAX_DISTANCE);
        }
        KZ_TRY(do_step(s, LOSSES, n, NULL, error)); /* what has a move to a position that is lost in n */
        KZ_TRY(do_step(s, WINS, n, NULL, error));   /* what has only moves to positions that are won in n or before */
        KZ_TRY(end_distance(s, n, error));
        KZ_TRY(report_and_save(s, &saved, error));
        if (n == s->options->last_phase && !s->complete) {
            return KZ_OK;
        }
    }
    KZ_TRY(fetch(s, error));
    return s->job->path ? write_table(s, error) : KZ_OK;
}

kz_status kz_dobutsu_solve(const kz_solve_job *job, kz_error *error) {
    solve s = {.job = job, .options = job->options, .team = job->options->team, .sweeps = true};
    kz_status status = solve_all(&s, error);
    close_memory(&s);
    kz_dobutsu_retro_free(s.retro);
    if (status == KZ_OK && s.complete && !s.options->keep_work && kz_team_rank(s.team) == 0) {
        kz_checkpoint_remove(s.folder);
    }
    return status;
}

kz_status kz_dobutsu_solve_in_memory(int rules, bool sweeps, kz_pool *pool, const kz_progress *progress,
                                     kz_dobutsu_retro **retro, kz_error *error) {
    const kz_solve_options options = {.progress = progress};
    const kz_solve_job job = {.rules = rules, .options = &options, .pool = pool};
    solve s = {.job = &job, .options = &options, .sweeps = sweeps};
    kz_status status = solve_all(&s, error);
    close_memory(&s);
    if (status != KZ_OK) {
        kz_dobutsu_retro_free(s.retro);
        s.retro = NULL;
    }
    *retro = s.retro;
    return status;
}
