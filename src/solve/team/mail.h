/* SPDX-License-Identifier: MIT
 *
 * Updates for single positions on their way between the members of a team (solve/team/team.h). All threads of a member
 * collect them; they are sent in batches, while the next batch is collected; all threads of the receiver apply them. */
#ifndef KZ_SOLVE_MAIL_H
#define KZ_SOLVE_MAIL_H

#include "base/pool.h"
#include "solve/team/team.h"

typedef struct kz_mail kz_mail;

/* Updates for several positions whose indices are close to each other, as they mostly are: a segment of the game, and
 * offsets in it. */
typedef struct kz_updates {
    uint16_t segment;
    uint16_t count;
    const uint16_t *offsets;
} kz_updates;

/* NULL if there is no memory. */
kz_mail *kz_mail_new(kz_team *team);
void kz_mail_free(kz_mail *mail);

/* Adds updates for the member that keeps the positions to the next batch. From any thread. */
void kz_mail_put(kz_mail *mail, int member, const kz_updates *updates);
/* How many bytes that batch has. */
size_t kz_mail_waiting(const kz_mail *mail);

/* Begins to send the batch that was collected, with the word whether this member has more to do. From now on the next
 * batch is collected. Each send is followed by one kz_mail_fetch. */
kz_status kz_mail_send(kz_mail *mail, bool more, kz_error *error);

/* `worker` is as in kz_pool_work. */
typedef void kz_mail_reader(void *context, int worker, const kz_updates *updates);

/* Waits until the batch has arrived everywhere, and calls `read` for each message, from several threads. `more`:
 * whether some member has more to do. If there was no memory to collect an update, this call fails at the member that
 * collected it; the others do not know of that yet. */
kz_status kz_mail_fetch(kz_mail *mail, kz_pool *pool, kz_mail_reader *read, void *context, bool *more, kz_error *error);

/* A step in which every member goes over its items, collects updates for the others and applies theirs. */
typedef struct kz_mail_step {
    kz_team *team;
    kz_mail *mail;
    kz_pool *pool;
    uint64_t begin; /* the items of this member */
    uint64_t end;
    kz_pool_work *work; /* gets the numbers of items, from `begin` on, and calls kz_mail_put */
    kz_mail_reader *read;
    void *context; /* of both */
    const kz_progress *progress;
    const char *stage; /* NULL: nothing is reported */
} kz_mail_step;

/* Does the step. While the messages of one batch travel, the next batch of items is worked on. All members return the
 * same status. */
kz_status kz_mail_do(const kz_mail_step *step, kz_error *error);

#endif
