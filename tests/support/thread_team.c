/* SPDX-License-Identifier: MIT */
#include "tests/support/thread_team.h"

static thread_team *thread_team_of(kz_team *team) { return (thread_team *)team; }

static thread_desk *thread_desk_of(kz_team *team, int member) { return &thread_team_of(team)->room->desks[member]; }

static void thread_team_meet(kz_team *team) { pthread_barrier_wait(&thread_team_of(team)->room->barrier); }

static kz_status thread_team_sum(kz_team *team, uint64_t *values, size_t count, kz_error *error) {
    uint64_t *sums = calloc(count + 1, sizeof *sums);
    (void)error;
    if (!sums) {
        abort();
    }
    thread_desk_of(team, team->rank)->bytes = values;
    thread_team_meet(team);
    for (int member = 0; member < team->size; member++) {
        const uint64_t *others = thread_desk_of(team, member)->bytes;
        for (size_t i = 0; i < count; i++) {
            sums[i] += others[i];
        }
    }
    thread_team_meet(team);
    memcpy(values, sums, count * sizeof *sums);
    free(sums);
    return KZ_OK;
}

static kz_status thread_team_agree(kz_team *team, kz_status mine, kz_error *error) {
    thread_desk *desk = thread_desk_of(team, team->rank);
    kz_error first = {.status = KZ_OK};
    desk->status = mine;
    desk->error = error;
    thread_team_meet(team);
    for (int member = 0; first.status == KZ_OK && member < team->size; member++) {
        const thread_desk *other = thread_desk_of(team, member);
        if (other->status != KZ_OK) {
            first = other->error ? *other->error : (kz_error){.message = ""};
            first.status = other->status;
        }
    }
    thread_team_meet(team);
    if (first.status != KZ_OK && error) {
        *error = first;
    }
    return first.status;
}

static kz_status thread_team_gather(kz_team *team, void *bytes, const uint64_t *begins, kz_error *error) {
    (void)error;
    thread_desk_of(team, team->rank)->bytes = bytes;
    thread_team_meet(team);
    for (int member = 0; member < team->size; member++) {
        if (member != team->rank) {
            const uint8_t *other = thread_desk_of(team, member)->bytes;
            memcpy((uint8_t *)bytes + begins[member], other + begins[member], begins[member + 1] - begins[member]);
        }
    }
    team->spent.bytes += (begins[team->rank + 1] - begins[team->rank]) * (uint64_t)(team->size - 1);
    thread_team_meet(team);
    return KZ_OK;
}

static kz_status thread_team_broadcast(kz_team *team, int from, void *bytes, size_t size, kz_error *error) {
    uint64_t begins[THREAD_TEAM_MOST + 1] = {0};
    for (int member = from; member < THREAD_TEAM_MOST; member++) {
        begins[member + 1] = size;
    }
    return thread_team_gather(team, bytes, begins, error);
}

static kz_status thread_team_exchange_begin(kz_team *team, const kz_buffer *out, kz_buffer *in, kz_error *error) {
    (void)error;
    thread_desk_of(team, team->rank)->out = out;
    thread_team_of(team)->in = in;
    for (int member = 0; member < team->size; member++) {
        team->spent.bytes += member == team->rank ? 0 : out[member].size;
    }
    return KZ_OK;
}

static void thread_team_exchange_poll(kz_team *team) { (void)team; }

static kz_status thread_team_exchange_end(kz_team *team, kz_error *error) {
    (void)error;
    kz_buffer *in = thread_team_of(team)->in;
    thread_team_meet(team);
    for (int member = 0; member < team->size; member++) {
        const kz_buffer *from = &thread_desk_of(team, member)->out[team->rank];
        in[member].size = 0;
        uint8_t *bytes = kz_buffer_add(&in[member], from->size);
        if (!bytes) {
            abort();
        }
        if (from->size > 0) {
            memcpy(bytes, from->bytes, from->size);
        }
    }
    thread_team_meet(team);
    return KZ_OK;
}

static kz_status thread_team_serve(kz_team *team, kz_team_answer *answer, void *context, kz_error *error) {
    (void)error;
    thread_room *room = thread_team_of(team)->room;
    thread_desk *desk = &room->desks[team->rank];
    pthread_mutex_lock(&room->lock);
    while (desk->state != DESK_DISMISSED) {
        if (desk->state == DESK_ASKED) {
            desk->answer.size = 0;
            desk->status = answer(context, desk->question, &desk->answer, &desk->reason);
            desk->state = DESK_ANSWERED;
            pthread_cond_broadcast(&room->changed);
        }
        pthread_cond_wait(&room->changed, &room->lock);
    }
    desk->state = DESK_IDLE;
    pthread_mutex_unlock(&room->lock);
    return KZ_OK;
}

static kz_status thread_team_ask(kz_team *team, int member, uint64_t question, kz_buffer *answer, kz_error *error) {
    thread_room *room = thread_team_of(team)->room;
    thread_desk *desk = &room->desks[member];
    pthread_mutex_lock(&room->lock);
    desk->question = question;
    room->questions++;
    desk->state = DESK_ASKED;
    pthread_cond_broadcast(&room->changed);
    while (desk->state != DESK_ANSWERED) {
        pthread_cond_wait(&room->changed, &room->lock);
    }
    desk->state = DESK_IDLE;
    kz_status status = desk->status;
    answer->size = 0;
    uint8_t *bytes = kz_buffer_add(answer, desk->answer.size);
    if (!bytes) {
        abort();
    }
    if (status == KZ_OK && desk->answer.size > 0) {
        memcpy(bytes, desk->answer.bytes, desk->answer.size);
    }
    if (status != KZ_OK && error) {
        *error = desk->reason;
    }
    pthread_mutex_unlock(&room->lock);
    return status;
}

static kz_status thread_team_dismiss(kz_team *team, kz_error *error) {
    (void)error;
    thread_room *room = thread_team_of(team)->room;
    pthread_mutex_lock(&room->lock);
    for (int member = 1; member < team->size; member++) {
        room->desks[member].state = DESK_DISMISSED;
    }
    pthread_cond_broadcast(&room->changed);
    pthread_mutex_unlock(&room->lock);
    return KZ_OK;
}

static void thread_team_leave(kz_team *team, bool failed) {
    (void)team;
    (void)failed;
}

static void *thread_team_begin(void *argument) {
    thread_team *team = argument;
    team->run(&team->base, team->context);
    return NULL;
}

uint64_t run_as_threads(int members, thread_member *run, void *context) {
    static const kz_team_ops ops = {
        .sum = thread_team_sum,
        .agree = thread_team_agree,
        .broadcast = thread_team_broadcast,
        .gather = thread_team_gather,
        .exchange_begin = thread_team_exchange_begin,
        .exchange_poll = thread_team_exchange_poll,
        .exchange_end = thread_team_exchange_end,
        .serve = thread_team_serve,
        .ask = thread_team_ask,
        .dismiss = thread_team_dismiss,
        .leave = thread_team_leave,
    };
    thread_room room = {.members = members};
    thread_team teams[THREAD_TEAM_MOST];
    pthread_t threads[THREAD_TEAM_MOST];
    pthread_barrier_init(&room.barrier, NULL, (unsigned)members);
    pthread_mutex_init(&room.lock, NULL);
    pthread_cond_init(&room.changed, NULL);
    for (int rank = 0; rank < members; rank++) {
        teams[rank] = (thread_team){.base = {.ops = &ops, .rank = rank, .size = members, .processors = 1},
                                    .room = &room,
                                    .run = run,
                                    .context = context};
        if (pthread_create(&threads[rank], NULL, thread_team_begin, &teams[rank]) != 0) {
            abort();
        }
    }
    for (int rank = 0; rank < members; rank++) {
        pthread_join(threads[rank], NULL);
        kz_buffer_free(&room.desks[rank].answer);
    }
    pthread_cond_destroy(&room.changed);
    pthread_mutex_destroy(&room.lock);
    pthread_barrier_destroy(&room.barrier);
    return room.questions;
}
