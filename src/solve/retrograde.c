/* SPDX-License-Identifier: MIT
 *
 * The loop of a retrograde analysis (game/gamedef.h has the kernels and their order):
 *
 *     begin           start, propagate losses in 0, count, settle
 *     do_distance     propagate losses in n, propagate wins in n, clear n
 *
 * Alone, a step is one parallel loop over all slices (run). In a team it is run_with_others (team/mail.h): while the
 * messages of one batch of slices travel, the next batch is worked on. A graphics card does a step by itself
 * (run_on_card). Between two distances a checkpoint may be written. */
#include "solve/retrograde.h"

#include "base/error.h"
#include "solve/checkpoint.h"
#include "solve/device.h"
#include "solve/team/mail.h"
#include "solve/team/team.h"

#include <kanzen/system.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    CHECKPOINT_SECONDS = 600,
    FIRST_DISTANCE = 2,
    IDLE_DISTANCES = 2, /* the solve ends when so many in a row decided nothing */
    WORTH_SHARING = 2   /* hints are shared again when messages have cost that many times as much as sharing hints */
};

typedef struct phase {
    const kz_solver_ops *ops;
    void *solver;
    kz_pool *pool;
    const kz_progress *progress;
    kz_team *team;
    kz_mail *mail; /* NULL: alone */
    const kz_card_ops *card_ops;
    void *card; /* NULL: none does the steps (yet) */
    uint64_t slices_begin;
    uint64_t slices_end;
    uint64_t first_slice; /* item 0 of the pool's loop */
    kz_step step;
    _Atomic uint64_t open;    /* own positions that the rules don't decide */
    _Atomic uint64_t sources; /* own positions that were expanded in this distance */
    uint64_t *hint_begins;    /* [members + 1]: where each member's hints begin */
    uint64_t share_cost;      /* bytes that this member sent when hints were shared last */
    uint64_t sent_before;     /* bytes that it had sent in all by then */
    kz_checkpoint checkpoint; /* of all members */
} phase;

static void do_start(void *context, int worker, uint64_t begin, uint64_t end) {
    (void)worker;
    phase *p = context;
    p->ops->start(p->solver, p->first_slice + begin, p->first_slice + end);
}

static void do_settle(void *context, int worker, uint64_t begin, uint64_t end) {
    (void)worker;
    phase *p = context;
    p->ops->settle(p->solver, p->first_slice + begin, p->first_slice + end);
}

/* Counts moves, or propagates losses or wins: the steps that may have updates for other members. */
static void do_step(void *context, int worker, uint64_t begin, uint64_t end) {
    (void)worker;
    phase *p = context;
    kz_outbox *box = p->mail ? kz_mail_box(p->mail) : NULL;
    begin += p->first_slice;
    end += p->first_slice;
    if (p->step.counting) {
        uint64_t open = p->ops->count(p->solver, box, begin, end);
        atomic_fetch_add_explicit(&p->open, open, memory_order_relaxed);
    } else {
        uint64_t sources = p->ops->propagate(p->solver, box, p->step.wins, p->step.n, begin, end);
        atomic_fetch_add_explicit(&p->sources, sources, memory_order_relaxed);
    }
}

static kz_status run(phase *p, kz_pool_work *work, const char *stage, kz_error *error) {
    p->first_slice = p->slices_begin;
    kz_status status =
        kz_pool_for(p->pool, p->slices_end - p->slices_begin, 0, work, p, stage ? p->progress : NULL, stage, error);
    return kz_team_agree(p->team, status, error);
}

static void receive(void *context, int worker, const kz_updates *updates) {
    phase *p = context;
    (void)worker;
    p->ops->receive(p->solver, p->step, updates);
}

static kz_status run_with_others(phase *p, const char *stage, kz_error *error) {
    p->first_slice = 0;
    const kz_mail_step step = {.team = p->team,
                               .mail = p->mail,
                               .pool = p->pool,
                               .begin = p->slices_begin,
                               .end = p->slices_end,
                               .work = do_step,
                               .read = receive,
                               .context = p,
                               .progress = p->progress,
                               .stage = stage};
    return kz_mail_do(&step, error);
}

static kz_status run_on_card(phase *p, kz_error *error) {
    uint64_t expanded = 0;
    kz_status status = p->card_ops->step(p->card, p->step, &expanded, error);
    *(p->step.counting ? &p->open : &p->sources) += expanded;
    return status;
}

static kz_status run_step(phase *p, kz_step step, const char *stage, kz_error *error) {
    p->step = step;
    if (p->card) {
        return run_on_card(p, error);
    }
    return p->mail ? run_with_others(p, stage, error) : run(p, do_step, stage, error);
}

/* ---- Distances ---------------------------------------------------------------------------------------------------*/

/* Progress counts expanded positions, not distances: most positions are decided at small distances. Draws are never
 * expanded, so progress ends a little below the total. */
static kz_status report(const phase *p, kz_error *error) {
    const kz_progress *progress = p->progress;
    if (progress && progress->report &&
        !progress->report(progress->user, "going back", p->checkpoint.sources, p->checkpoint.open)) {
        return kz_fail(error, KZ_ERR_CANCELLED, "stopped");
    }
    return KZ_OK;
}

static kz_status share(phase *p, kz_error *error) {
    if (!p->mail) {
        return KZ_OK;
    }
    uint64_t before = kz_team_spent(p->team).bytes;
    void *hints = p->ops->hints(p->solver, p->hint_begins);
    kz_status status = kz_team_share(p->team, hints, p->hint_begins, error);
    p->sent_before = kz_team_spent(p->team).bytes;
    p->share_cost = p->sent_before - before;
    return status;
}

static kz_status clear(phase *p, int n, kz_error *error) {
    if (p->card) {
        return p->card_ops->clear(p->card, n, error);
    }
    p->ops->clear(p->solver, n);
    return KZ_OK;
}

static kz_status do_distance(phase *p, int n, kz_error *error) {
    p->sources = 0;
    kz_status status = run_step(p, (kz_step){.n = n}, NULL, error);
    if (status == KZ_OK) {
        status = run_step(p, (kz_step){.wins = true, .n = n}, NULL, error);
    }
    enum { SOURCES, SENT, COST, SUMS };
    uint64_t sums[SUMS] = {
        [SOURCES] = p->sources, [SENT] = kz_team_spent(p->team).bytes - p->sent_before, [COST] = p->share_cost};
    if (status == KZ_OK) {
        status = clear(p, n, error);
    }
    if (status == KZ_OK) {
        status = kz_team_sum(p->team, sums, SUMS, error);
    }
    if (status == KZ_OK) {
        p->checkpoint.distance = n;
        p->checkpoint.sources += sums[SOURCES];
        p->checkpoint.idle = sums[SOURCES] == 0 ? p->checkpoint.idle + 1 : 0;
        if (sums[SENT] > WORTH_SHARING * sums[COST]) {
            status = share(p, error);
        }
    }
    return status;
}

/* What is on a card, if one does the steps, back to the solver. */
static kz_status fetch(const phase *p, kz_error *error) { return p->card ? p->card_ops->fetch(p->card, error) : KZ_OK; }

static kz_status save(const phase *p, const kz_retrograde_plan *plan, kz_error *error) {
    kz_status status = fetch(p, error);
    return status == KZ_OK ? kz_checkpoint_write(&p->checkpoint, plan->folder, p->solver, p->pool, p->team, error)
                           : status;
}

static kz_status run_distances(phase *p, const kz_retrograde_plan *plan, bool *complete, kz_error *error) {
    double interval = plan->checkpoint_seconds > 0 ? plan->checkpoint_seconds : CHECKPOINT_SECONDS;
    double saved = kz_seconds();
    const kz_checkpoint *c = &p->checkpoint;
    kz_status status = KZ_OK;
    *complete = c->idle >= IDLE_DISTANCES;
    while (status == KZ_OK && !*complete && c->distance + 1 < KZ_MAX_DISTANCE) {
        status = do_distance(p, c->distance + 1, error);
        if (status != KZ_OK) {
            return status;
        }
        *complete = c->idle >= IDLE_DISTANCES;
        bool last = c->distance == plan->last_distance;
        bool due = last || kz_seconds() - saved >= interval; /* member 0 decides, by its clock */
        status = kz_team_agree(p->team, report(p, error), error);
        if (status == KZ_OK) {
            status = kz_team_broadcast(p->team, 0, &due, sizeof due, error);
        }
        if (plan->folder && !*complete && (status == KZ_ERR_CANCELLED || (status == KZ_OK && due))) {
            kz_status written = save(p, plan, error);
            status = written == KZ_OK ? status : written;
            saved = kz_seconds();
        }
        if (status == KZ_OK && last) {
            return KZ_OK;
        }
    }
    if (status == KZ_OK && !*complete) {
        status = kz_fail(error, KZ_ERR_UNSUPPORTED, "the game has wins of more than %d plies", KZ_MAX_DISTANCE);
    }
    return status;
}

static void do_begin_sweeps(void *context, int worker, uint64_t begin, uint64_t end) {
    (void)worker;
    phase *p = context;
    p->ops->begin_sweeps(p->solver, p->first_slice + begin, p->first_slice + end);
}

static void do_sweep(void *context, int worker, uint64_t begin, uint64_t end) {
    (void)worker;
    phase *p = context;
    uint64_t decided = p->ops->sweep(p->solver, p->step.n, p->first_slice + begin, p->first_slice + end);
    atomic_fetch_add_explicit(&p->sources, decided, memory_order_relaxed);
}

/* The first distances by sweeps, as long as they pay. On return p->checkpoint.distance is what is known. */
static kz_status run_sweeps(phase *p, kz_error *error) {
    if (p->mail || p->card || !p->ops->open_sweeps || !p->ops->open_sweeps(p->solver)) {
        return KZ_OK;
    }
    kz_status status = run(p, do_begin_sweeps, NULL, error);
    uint64_t decided = UINT64_MAX;
    while (status == KZ_OK && decided >= p->ops->worth_sweeping) {
        uint64_t before = p->sources;
        for (int k = 0; k < 2 && status == KZ_OK; k++) {
            p->step.n = ++p->checkpoint.distance;
            status = run(p, do_sweep, "sweeping", error);
        }
        decided = p->sources - before;
    }
    p->ops->close_sweeps(p->solver, p->checkpoint.distance);
    return status;
}

/* Takes the state to the card, if one is wanted. */
static kz_status open_card(phase *p, kz_error *error) {
    kz_error reason = {.status = KZ_ERR_MEMORY};
    if (!p->card_ops) {
        return KZ_OK;
    }
    p->card = p->card_ops->open(p->solver, &reason);
    return p->card ? KZ_OK : kz_fail(error, reason.status, "%s", reason.message);
}

static kz_status settle(phase *p, kz_error *error) {
    return p->card ? p->card_ops->settle(p->card, error) : run(p, do_settle, NULL, error);
}

/* What comes before the distances that are gone through one by one. */
static kz_status begin(phase *p, kz_error *error) {
    p->checkpoint.distance = FIRST_DISTANCE - 1;
    kz_status status = run(p, do_start, "finding what the rules decide", error);
    if (status == KZ_OK) {
        status = open_card(p, error);
    }
    if (status == KZ_OK) {
        status = share(p, error);
    }
    if (status == KZ_OK) {
        status = run_step(p, (kz_step){.n = 0}, NULL, error);
    }
    if (status == KZ_OK) {
        status = run_sweeps(p, error);
    }
    if (status == KZ_OK) {
        status = run_step(p, (kz_step){.counting = true}, "counting moves", error);
    }
    if (status == KZ_OK) {
        status = settle(p, error);
    }
    uint64_t counts[] = {p->open, p->sources};
    if (status == KZ_OK) {
        status = kz_team_sum(p->team, counts, 2, error);
    }
    p->checkpoint.open = counts[0] + (p->checkpoint.distance > FIRST_DISTANCE - 1 ? counts[1] : 0);
    p->checkpoint.sources = counts[1];
    return status;
}

/* The card's part of the solver, if the plan wants it. */
static kz_status choose_card(phase *p, const kz_retrograde_plan *plan, kz_error *error) {
    bool wanted = false;
    kz_status status = kz_device_is_card(plan->device, &wanted, error);
    if (status != KZ_OK || !wanted) {
        return status;
    }
    if (!plan->game->cuda_solver) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "%s can't be solved on a graphics card", plan->game->title);
    }
    if (kz_team_size(plan->team) > 1) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "%s is solved on one graphics card by one process",
                       plan->game->title);
    }
    kz_error reason = {.status = KZ_ERR_UNSUPPORTED};
    p->card_ops = plan->game->cuda_solver(&reason);
    return p->card_ops ? p->card_ops->check(error) : kz_fail(error, reason.status, "%s", reason.message);
}

static kz_status open_solver(phase *p, const kz_retrograde_plan *plan, kz_error *error) {
    int members = kz_team_size(plan->team);
    kz_status status = choose_card(p, plan, error);
    if (status != KZ_OK) {
        return status;
    }
    p->solver = p->ops->open(plan->rules, error);
    if (!p->solver) {
        status = KZ_ERR_MEMORY;
    } else if (members > 1) {
        p->ops->take_shard(p->solver, kz_team_rank(plan->team), members);
        p->mail = kz_mail_new(plan->team);
        p->hint_begins = calloc((size_t)members + 1, sizeof *p->hint_begins);
        status = p->mail && p->hint_begins ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory for messages");
    }
    status = kz_team_agree(plan->team, status, error);
    if (status == KZ_OK) {
        p->ops->slices(p->solver, &p->slices_begin, &p->slices_end);
    }
    return status;
}

kz_status kz_retrograde_run(const kz_retrograde_plan *plan, void **solver, bool *complete, kz_error *error) {
    phase p = {.ops = plan->game->solver,
               .pool = plan->pool,
               .progress = plan->progress,
               .team = plan->team,
               .checkpoint = {.game = plan->game, .rules = plan->rules}};
    if (!p.ops) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "there is no solver for %s", plan->game->name);
    }
    bool found = false;
    kz_status status = open_solver(&p, plan, error);
    if (status == KZ_OK && plan->folder) {
        status = kz_checkpoint_read(&p.checkpoint, plan->folder, p.solver, p.pool, p.team, &found, error);
    }
    if (status == KZ_OK && !found) {
        status = begin(&p, error);
    } else if (status == KZ_OK) {
        status = open_card(&p, error);
    }
    if (status == KZ_OK) {
        status = share(&p, error);
    }
    if (status == KZ_OK) {
        status = run_distances(&p, plan, complete, error);
    }
    if (status == KZ_OK) {
        status = fetch(&p, error);
    }
    if (p.card) {
        p.card_ops->close(p.card);
    }
    kz_mail_free(p.mail);
    free(p.hint_begins);
    if (status != KZ_OK && p.solver) {
        p.ops->close(p.solver);
        p.solver = NULL;
    }
    *solver = p.solver;
    return status;
}

kz_status kz_retrograde(const kz_game *game, int rules, kz_pool *pool, const kz_progress *progress, void **solver,
                        kz_error *error) {
    bool complete;
    const kz_retrograde_plan plan = {.game = game, .rules = rules, .pool = pool, .progress = progress};
    return kz_retrograde_run(&plan, solver, &complete, error);
}

/* ---- Results -----------------------------------------------------------------------------------------------------*/

typedef struct tally {
    const kz_solver_ops *ops;
    const void *solver;
    uint64_t first;
    kz_histogram *by_worker;
} tally;

static void do_tally(void *context, int worker, uint64_t begin, uint64_t end) {
    tally *t = context;
    kz_histogram *h = &t->by_worker[worker];
    t->ops->tally(t->solver, t->first + begin, t->first + end, h->losses, h->wins, &h->draws);
}

kz_status kz_retrograde_histogram(const kz_game *game, const void *solver, kz_pool *pool, kz_team *team,
                                  kz_histogram *histogram, kz_error *error) {
    int workers = kz_pool_threads(pool);
    uint64_t end;
    uint64_t segment;
    tally t = {.ops = game->solver, .solver = solver, .by_worker = calloc((size_t)workers, sizeof *t.by_worker)};
    *histogram = (kz_histogram){.draws = 0};
    t.ops->shard(solver, &t.first, &end, &segment);
    kz_status status = t.by_worker ? kz_pool_for(pool, end - t.first, 0, do_tally, &t, NULL, NULL, error)
                                   : kz_fail(error, KZ_ERR_MEMORY, "no memory to count the values");
    for (int worker = 0; t.by_worker && worker < workers; worker++) {
        const kz_histogram *h = &t.by_worker[worker];
        histogram->draws += h->draws;
        for (int n = 0; n <= KZ_MAX_DISTANCE; n++) {
            histogram->losses[n] += h->losses[n];
            histogram->wins[n] += h->wins[n];
        }
    }
    free(t.by_worker);
    status = kz_team_agree(team, status, error);
    if (status == KZ_OK) {
        status = kz_team_sum(team, histogram->losses, KZ_MAX_DISTANCE + 1, error);
    }
    if (status == KZ_OK) {
        status = kz_team_sum(team, histogram->wins, KZ_MAX_DISTANCE + 1, error);
    }
    return status == KZ_OK ? kz_team_sum(team, &histogram->draws, 1, error) : status;
}
