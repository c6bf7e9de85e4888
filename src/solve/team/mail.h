/* SPDX-License-Identifier: MIT
 *
 * Messages about single positions between the members of a team (solve/team/team.h): collected by all threads of a
 * member, sent in batches while the next one is collected, and worked on by all threads of the member that gets them.
 */
#ifndef KZ_SOLVE_MAIL_H
#define KZ_SOLVE_MAIL_H

#include "base/pool.h"
#include "core/outbox.h"
#include "solve/team/team.h"

typedef struct kz_mail kz_mail;

/* NULL if there is no memory. */
kz_mail *kz_mail_new(kz_team *team);
void kz_mail_free(kz_mail *mail);

/* Where messages are collected now, and how many bytes they take. */
kz_outbox *kz_mail_box(kz_mail *mail);
size_t kz_mail_waiting(const kz_mail *mail);

/* Begins to send what was collected, and the word whether there is more to come; what is collected from now on waits
 * for the next time. Between two of these there is a kz_mail_fetch. */
kz_status kz_mail_send(kz_mail *mail, bool more, kz_error *error);

typedef void kz_mail_reader(void *context, const kz_updates *updates);

/* Waits until all that was sent has arrived, and hands the messages to `read`, from several threads. `more`: whether
 * some member has more to come. A message that got lost for want of memory is a failure of the member that collected
 * it, told here; the others don't know of it yet. */
kz_status kz_mail_fetch(kz_mail *mail, kz_pool *pool, kz_mail_reader *read, void *context, bool *more, kz_error *error);

#endif
