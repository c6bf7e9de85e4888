/* SPDX-License-Identifier: MIT
 *
 * A step of several members: batches of items, and their messages. */
#include "solve/team/mail.h"

#include "base/error.h"

enum {
    BATCH_BYTES = 1 << 20,   /* of messages for each other member: then a batch is sent */
    LEAST_ITEMS_A_THREAD = 2 /* of a batch */
};

/* A step with how far it is. */
typedef struct state {
    const kz_mail_step *step;
    uint64_t next;  /* the first item that is left */
    uint64_t batch; /* items that are worked on at a time */
    uint64_t first; /* item 0 of the pool's loop */
} state;

/* A batch reports its progress as a part of the whole step. */
static bool report_batch(void *user, const char *stage, uint64_t done, uint64_t total) {
    const state *s = user;
    const kz_progress *progress = s->step->progress;
    (void)total;
    return progress->report(progress->user, stage, s->first - s->step->begin + done, s->step->end - s->step->begin);
}

static void work_on(void *context, int worker, uint64_t begin, uint64_t end) {
    const state *s = context;
    s->step->work(s->step->context, worker, s->first + begin, s->first + end);
    if (worker == 0) {
        kz_team_exchange_poll(s->step->team); /* MPI moves bytes only while it is called */
    }
}

/* Works on items until enough messages wait to be sent, or no items are left. How many items make that many messages
 * differs from step to step, so the batch doubles while it yields too few and halves when it yields too many. */
static kz_status fill_box(state *s, kz_error *error) {
    const kz_mail_step *step = s->step;
    bool heard = step->stage && step->progress && step->progress->report;
    const kz_progress listener = {.report = report_batch, .user = s};
    uint64_t least = (uint64_t)kz_pool_threads(step->pool) * LEAST_ITEMS_A_THREAD;
    size_t enough = BATCH_BYTES * (size_t)(kz_team_size(step->team) - 1);
    kz_status status = KZ_OK;
    while (status == KZ_OK && s->next < step->end && kz_mail_waiting(step->mail) < enough) {
        size_t before = kz_mail_waiting(step->mail);
        uint64_t left = step->end - s->next;
        uint64_t count = s->batch < left ? s->batch : left;
        s->first = s->next;
        /* Small pieces, so that the first thread polls the exchange often. */
        status = kz_pool_for(step->pool, count, 1, work_on, s, heard ? &listener : NULL, step->stage, error);
        s->next += count;
        size_t got = kz_mail_waiting(step->mail) - before;
        if (got < enough / 4) {
            s->batch *= 2;
        } else if (got > enough && s->batch > least) {
            s->batch /= 2;
        }
    }
    return status;
}

/* Every batch says whether its sender has more to do; the step ends with the batch in which no member has. A member
 * that fails keeps taking part with empty batches until all agree, because the others wait for it. */
kz_status kz_mail_do(const kz_mail_step *step, kz_error *error) {
    state s = {
        .step = step, .next = step->begin, .batch = (uint64_t)kz_pool_threads(step->pool) * LEAST_ITEMS_A_THREAD};
    kz_status status = KZ_OK; /* of this member, till all agree */
    bool more = true;
    for (bool first = true; more; first = false) {
        if (status == KZ_OK) {
            status = fill_box(&s, error);
        }
        if (!first) {
            kz_error reason;
            kz_status fetched = kz_mail_fetch(step->mail, step->pool, step->read, step->context, &more, &reason);
            if (fetched != KZ_OK && status == KZ_OK) {
                status = kz_fail(error, fetched, "%s", reason.message);
            }
        }
        if (more && !kz_team_broken(step->team)) {
            kz_error reason;
            kz_status sent = kz_mail_send(step->mail, status == KZ_OK && s.next < step->end, &reason);
            if (sent != KZ_OK && status == KZ_OK) {
                status = kz_fail(error, sent, "%s", reason.message);
            }
        }
        if (kz_team_broken(step->team)) {
            return status;
        }
    }
    return kz_team_agree(step->team, status, error);
}
