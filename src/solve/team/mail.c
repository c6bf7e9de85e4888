/* SPDX-License-Identifier: MIT */
#include "solve/team/mail.h"

#include "base/error.h"
#include "base/thread.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A buffer holds 16-bit words: 1 if the sender has more to do, otherwise 0; then messages. A message is a segment, a
 * count, and so many offsets. All members have the same byte order, so words are sent as they are in memory. */
enum { WORD = sizeof(uint16_t), HEAD_WORDS = 2, MESSAGES_AT_A_TIME = 16 };

/* The messages of one batch. */
typedef struct box {
    kz_buffer *buffers; /* [members] */
    kz_lock *locks;     /* [members] */
    atomic_size_t bytes;
    atomic_bool failed;
} box;

struct kz_mail {
    kz_team *team;
    int members;
    box boxes[2];
    int filling;
    kz_buffer *in;
    const uint16_t **messages; /* all that have arrived */
    size_t message_count;
    size_t message_room;
    kz_mail_reader *read;
    void *context;
};

static bool begin_box(box *b, int members) {
    atomic_store(&b->bytes, 0);
    for (int i = 0; i < members; i++) {
        b->buffers[i].size = 0;
        if (!kz_buffer_add(&b->buffers[i], WORD)) {
            return false;
        }
    }
    return true;
}

static bool open_box(box *b, int members) {
    b->buffers = calloc((size_t)members, sizeof *b->buffers);
    b->locks = calloc((size_t)members, sizeof *b->locks);
    for (int i = 0; b->locks && i < members; i++) {
        kz_lock_open(&b->locks[i]);
    }
    return b->buffers && b->locks && begin_box(b, members);
}

static void close_box(box *b, int members) {
    for (int i = 0; b->buffers && i < members; i++) {
        kz_buffer_free(&b->buffers[i]);
    }
    for (int i = 0; b->locks && i < members; i++) {
        kz_lock_close(&b->locks[i]);
    }
    free(b->buffers);
    free(b->locks);
}

kz_mail *kz_mail_new(kz_team *team) {
    kz_mail *mail = calloc(1, sizeof *mail);
    if (!mail) {
        return NULL;
    }
    mail->team = team;
    mail->members = kz_team_size(team);
    mail->in = calloc((size_t)mail->members, sizeof *mail->in);
    bool opened[2] = {open_box(&mail->boxes[0], mail->members), open_box(&mail->boxes[1], mail->members)};
    if (!mail->in || !opened[0] || !opened[1]) {
        kz_mail_free(mail);
        return NULL;
    }
    return mail;
}

void kz_mail_free(kz_mail *mail) {
    if (mail) {
        for (int i = 0; mail->in && i < mail->members; i++) {
            kz_buffer_free(&mail->in[i]);
        }
        close_box(&mail->boxes[0], mail->members);
        close_box(&mail->boxes[1], mail->members);
        free(mail->in);
        free((void *)mail->messages);
        free(mail);
    }
}

/* ---- Sending -----------------------------------------------------------------------------------------------------*/

void kz_mail_put(kz_mail *mail, int member, const kz_updates *updates) {
    box *b = &mail->boxes[mail->filling];
    size_t bytes = (size_t)updates->count * WORD;
    const uint16_t head[HEAD_WORDS] = {updates->segment, updates->count};
    kz_lock_take(&b->locks[member]);
    uint8_t *message = kz_buffer_add(&b->buffers[member], sizeof head + bytes);
    if (message) {
        memcpy(message, head, sizeof head);
        memcpy(message + sizeof head, updates->offsets, bytes);
    } else {
        atomic_store_explicit(&b->failed, true, memory_order_relaxed);
    }
    kz_lock_release(&b->locks[member]);
    atomic_fetch_add_explicit(&b->bytes, sizeof head + bytes, memory_order_relaxed);
}

size_t kz_mail_waiting(const kz_mail *mail) {
    return atomic_load_explicit(&mail->boxes[mail->filling].bytes, memory_order_relaxed);
}

kz_status kz_mail_send(kz_mail *mail, bool more, kz_error *error) {
    box *b = &mail->boxes[mail->filling];
    uint16_t word = more;
    for (int i = 0; i < mail->members; i++) {
        memcpy(b->buffers[i].bytes, &word, WORD);
    }
    mail->filling = 1 - mail->filling;
    return kz_team_exchange_begin(mail->team, b->buffers, mail->in, error);
}

/* ---- What has arrived --------------------------------------------------------------------------------------------*/

static void read_messages(void *context, int worker, uint64_t begin, uint64_t end) {
    const kz_mail *mail = context;
    for (uint64_t i = begin; i < end; i++) {
        const uint16_t *message = mail->messages[i];
        const kz_updates updates = {message[0], message[1], message + HEAD_WORDS};
        mail->read(mail->context, worker, &updates);
    }
}

/* Finds where the messages of a buffer begin. */
static bool list_messages(kz_mail *mail, const kz_buffer *buffer) {
    const uint16_t *at = (const void *)buffer->bytes;
    const uint16_t *end = at + buffer->size / WORD;
    for (at++; at < end; at += HEAD_WORDS + at[1]) {
        if (mail->message_count == mail->message_room) {
            size_t room = 2 * mail->message_room + 1024;
            const uint16_t **longer = realloc((void *)mail->messages, room * sizeof *longer);
            if (!longer) {
                return false;
            }
            mail->messages = longer;
            mail->message_room = room;
        }
        mail->messages[mail->message_count++] = at;
    }
    return true;
}

kz_status kz_mail_fetch(kz_mail *mail, kz_pool *pool, kz_mail_reader *read, void *context, bool *more,
                        kz_error *error) {
    box *sent = &mail->boxes[1 - mail->filling];
    KZ_TRY(kz_team_exchange_end(mail->team, error));
    bool complete = true;
    *more = false;
    mail->message_count = 0;
    for (int i = 0; i < mail->members; i++) {
        uint16_t word = 0;
        memcpy(&word, mail->in[i].bytes, WORD);
        *more = *more || word;
        complete = complete && list_messages(mail, &mail->in[i]);
    }
    mail->read = read;
    mail->context = context;
    kz_status status =
        kz_pool_for(pool, mail->message_count, MESSAGES_AT_A_TIME, read_messages, mail, NULL, NULL, error);
    bool lost = atomic_exchange(&sent->failed, false);
    if (!begin_box(sent, mail->members) || lost || !complete) {
        status = kz_fail(error, KZ_ERR_MEMORY, "no memory for what the processes tell each other");
    }
    return status;
}
