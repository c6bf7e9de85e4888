/* SPDX-License-Identifier: MIT */
#include "games/pushfight/solve/team.h"

#include "base/bits.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 128,           /* of a sweep, at most; more would mean less memory and more requests */
    LEAST_A_WORKER = 4,     /* slices of a round */
    SMALL_IMAGES = 4 << 20, /* bytes: small pages are not worth many slices */
    CHUNK_HEAD = 8          /* the bytes of a slice's records go before them */
};

/* ---- Together ---------------------------------------------------------------------------------------------------- */

void kz_pf_team_trouble(kz_pf_team *t, kz_status status, const char *what) {
    if (status != KZ_OK && t->trouble.status == KZ_OK) {
        kz_fail(&t->trouble, status, "%s", what);
    }
}

kz_status kz_pf_team_agree(kz_pf_team *t, kz_error *error) {
    if (t->trouble.status != KZ_OK) {
        kz_fail(error, t->trouble.status, "%s", t->trouble.message);
    }
    return kz_team_agree(t->team, t->trouble.status, error);
}

kz_status kz_pf_team_exchange(kz_pf_team *t, const kz_buffer *out, kz_buffer *in, kz_error *error) {
    KZ_TRY(kz_team_exchange_begin(t->team, out, in, error));
    return kz_team_exchange_end(t->team, error);
}

kz_status kz_pf_team_share(kz_pf_team *t, void *bytes, size_t bytes_a_page, kz_error *error) {
    for (int m = 0; m <= t->size; m++) {
        t->scaled[m] = t->begins[m] * bytes_a_page;
    }
    return kz_team_gather(t->team, bytes, t->scaled, error);
}

bool kz_pf_team_add_piece(kz_pf_team_pieces *pieces, kz_pf_team_piece piece) {
    if (pieces->count == pieces->room) {
        size_t room = 2 * pieces->room + 64;
        kz_pf_team_piece *items = realloc(pieces->items, room * sizeof *items);
        if (!items) {
            return false;
        }
        pieces->items = items;
        pieces->room = room;
    }
    pieces->items[pieces->count++] = piece;
    return true;
}

void kz_pf_team_no_memory(kz_pf_team *t) {
    kz_pf_team_trouble(t, KZ_ERR_MEMORY, "no memory for what the members of the team send each other");
}

uint8_t *kz_pf_team_room(kz_pf_team *t, kz_buffer *buffer, size_t size) {
    uint8_t *room = size > 0 ? kz_buffer_add(buffer, size) : NULL;
    if (!room && size > 0) {
        kz_pf_team_no_memory(t);
    }
    return room;
}

/* ---- Slices ------------------------------------------------------------------------------------------------------ */

/* Makes room for the size of what a slice finds for each member. */
static bool open_chunks(const kz_pf_team *t, kz_pf_team_worker *w) {
    for (int m = 0; m < t->size; m++) {
        w->chunks[m] = w->mail.to[m].size;
        if (!kz_buffer_add(&w->mail.to[m], CHUNK_HEAD)) {
            while (m-- > 0) {
                w->mail.to[m].size = w->chunks[m];
            }
            return false;
        }
    }
    return true;
}

static void close_chunks(const kz_pf_team *t, kz_pf_team_worker *w) {
    for (int m = 0; m < t->size; m++) {
        kz_buffer *buffer = &w->mail.to[m];
        size_t size = buffer->size - w->chunks[m] - CHUNK_HEAD;
        if (size > 0) {
            kz_store_le64(buffer->bytes + w->chunks[m], size);
        } else {
            buffer->size = w->chunks[m];
        }
    }
}

static bool put_note(kz_pf_packer *packer, kz_pf_note *note, const uint8_t *bytes, size_t size) {
    free(note->bytes);
    note->bytes = kz_pf_packer_pack(packer, bytes, size, &note->size);
    return note->bytes;
}

static bool get_note(kz_pf_packer *packer, const kz_pf_note *note, uint8_t *bytes, size_t size) {
    if (!note->bytes) {
        memset(bytes, 0, size);
        return true;
    }
    return kz_pf_packer_unpack(packer, note->bytes, note->size, bytes, size);
}

static bool start_slice(kz_pf_job *s, int worker, uint64_t slice) {
    kz_pf_team *t = s->team;
    kz_pf_team_worker *w = &t->workers[worker];
    uint64_t own = slice - kz_pf_team_first(t);
    t->second_bytes[own] = (uint32_t)kz_pf_shard_start(s->pages, worker, slice, w->first_note, &w->mail);
    return put_note(&s->workers[worker].packer, &t->notes[0][own], w->first_note, kz_pf_first_note_bytes(s->space));
}

static bool sweep_slice(kz_pf_job *s, int worker, uint64_t slice) {
    kz_pf_team *t = s->team;
    kz_pf_team_worker *w = &t->workers[worker];
    kz_pf_packer *packer = &s->workers[worker].packer;
    uint64_t own = slice - kz_pf_team_first(t);
    bool noted = false;
    if (!get_note(packer, &t->notes[0][own], w->first_note, kz_pf_first_note_bytes(s->space)) ||
        !get_note(packer, &t->notes[1][own], w->second_note, t->second_bytes[own])) {
        return false;
    }
    kz_pf_decided_now(s)[slice] = (uint32_t)kz_pf_shard_sweep(s->pages, worker, s->facts.phase, slice, w->first_note,
                                                              w->second_note, &noted, &w->mail);
    s->workers[worker].swept++;
    return !noted || put_note(packer, &t->notes[1][own], w->second_note, t->second_bytes[own]);
}

static void work_on_slices(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_pf_job *s = context;
    kz_pf_team *t = s->team;
    kz_pf_team_worker *w = &t->workers[worker];
    for (uint64_t i = begin; i < end && !w->failed; i++) {
        uint64_t slice = t->list.slices[t->list.done + i];
        if (worker == 0) {
            kz_team_exchange_poll(t->team); /* the last round's mail is on its way */
        }
        if (!open_chunks(t, w)) {
            w->failed = true;
            return;
        }
        bool done = t->list.starting ? start_slice(s, worker, slice) : sweep_slice(s, worker, slice);
        w->failed = !done || w->mail.failed;
        close_chunks(t, w);
    }
}

typedef struct round_progress {
    const kz_pf_team *team;
    const kz_progress *whole;
} round_progress;

static bool report_round(void *user, const char *stage, uint64_t done, uint64_t total) {
    const round_progress *round = user;
    (void)total;
    kz_team_exchange_poll(round->team->team);
    return !round->whole || !round->whole->report ||
           round->whole->report(round->whole->user, stage, round->team->list.done + done, round->team->list.count);
}

static void work_on_round(kz_pf_job *s, uint64_t count, const char *stage) {
    kz_pf_team *t = s->team;
    kz_error reason = {.status = KZ_OK};
    round_progress place = {t, s->options->progress};
    kz_progress progress = {report_round, &place};
    kz_status status = kz_pool_for(s->pool, count, 1, work_on_slices, s, &progress, stage, &reason);
    kz_pf_team_trouble(t, status, reason.message);
    for (int i = 0; i < kz_pool_threads(s->pool); i++) {
        if (t->workers[i].failed) {
            kz_pf_team_no_memory(t);
        }
    }
}

/* ---- Mail -------------------------------------------------------------------------------------------------------- */

/* Puts what the workers have into one buffer for each member. */
static void gather_mail(kz_pf_job *s) {
    kz_pf_team *t = s->team;
    for (int m = 0; m < t->size; m++) {
        kz_buffer *buffer = m == t->rank ? &t->mine : &t->out[m];
        buffer->size = 0;
        for (int i = 0; i < kz_pool_threads(s->pool); i++) {
            kz_buffer *part = &t->workers[i].mail.to[m];
            uint8_t *place = kz_pf_team_room(t, buffer, part->size);
            if (place) {
                memcpy(place, part->bytes, part->size);
            }
            part->size = 0;
        }
    }
}

static void list_chunks(kz_pf_team *t, const kz_buffer *buffer) {
    for (size_t at = 0; at < buffer->size;) {
        size_t size = kz_load_le64(buffer->bytes + at);
        if (!kz_pf_team_add_piece(&t->pieces,
                                  (kz_pf_team_piece){.bytes = buffer->bytes + at + CHUNK_HEAD, .size = size})) {
            kz_pf_team_no_memory(t);
            return;
        }
        at += CHUNK_HEAD + size;
    }
}

static void receive_chunks(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_pf_job *s = context;
    const kz_pf_team *t = s->team;
    for (uint64_t i = begin; i < end; i++) {
        const kz_pf_team_piece *chunk = &t->pieces.items[i];
        s->workers[worker].fresh +=
            kz_pf_shard_receive(s->pages, worker, t->list.starting ? -1 : s->facts.phase, chunk->bytes, chunk->size);
    }
}

static void receive_buffers(kz_pf_job *s, const kz_buffer *buffers, int count) {
    kz_pf_team *t = s->team;
    t->pieces.count = 0;
    for (int m = 0; m < count; m++) {
        list_chunks(t, &buffers[m]);
    }
    kz_pf_team_run(s, t->pieces.count, 0, receive_chunks);
}

/* ---- Rounds ------------------------------------------------------------------------------------------------------ */

/* How many slices this member takes at a time. */
static uint64_t slices_of_round(const kz_pf_job *s) {
    const kz_pf_team *t = s->team;
    if (s->options->team_batch > 0) {
        return s->options->team_batch;
    }
    uint64_t count = kz_pf_team_count(t) / ROUNDS;
    uint64_t least = LEAST_A_WORKER * (uint64_t)kz_pool_threads(s->pool);
    uint64_t small = SMALL_IMAGES / (kz_pf_image_bytes(s->pages, kz_pf_team_first(t)) + 1);
    least = least > small ? least : small;
    return count > least ? count : least;
}

/* The most rounds that a member has, of what each has listed. */
static kz_status count_rounds(kz_pf_team *t, uint64_t slices, uint64_t *rounds, kz_error *error) {
    memset(t->scaled, 0, (size_t)t->size * sizeof *t->scaled);
    t->scaled[t->rank] = (t->list.count + slices - 1) / slices;
    KZ_TRY(kz_team_sum(t->team, t->scaled, (size_t)t->size, error));
    *rounds = 0;
    for (int m = 0; m < t->size; m++) {
        *rounds = t->scaled[m] > *rounds ? t->scaled[m] : *rounds;
    }
    return KZ_OK;
}

/* A round, while what the one before it found is on its way. The one after the last is empty. */
static kz_status run_round(kz_pf_job *s, uint64_t begin, uint64_t end, bool first, const char *stage, kz_error *error) {
    kz_pf_team *t = s->team;
    if (!t->list.starting) {
        KZ_TRY(kz_pf_team_images_get(s, begin, end, error));
    }
    if (!first) {
        KZ_TRY(kz_team_exchange_begin(t->team, t->out, t->in, error));
    }
    t->list.done = begin;
    if (end > begin && !t->stopped && t->trouble.status == KZ_OK) {
        work_on_round(s, end - begin, stage);
    }
    if (!first) {
        KZ_TRY(kz_team_exchange_end(t->team, error));
        receive_buffers(s, t->in, t->size);
    }
    gather_mail(s);
    receive_buffers(s, &t->mine, 1);
    return kz_pf_team_agree(t, error);
}

/* Goes over the slices of the list. */
static kz_status run_rounds(kz_pf_job *s, const char *stage, kz_error *error) {
    kz_pf_team *t = s->team;
    uint64_t slices = slices_of_round(s);
    uint64_t rounds = 0;
    KZ_TRY(count_rounds(t, slices, &rounds, error));
    for (uint64_t i = 0; rounds > 0 && i <= rounds; i++) {
        uint64_t begin = i * slices < t->list.count ? i * slices : t->list.count;
        uint64_t end = t->list.count - begin < slices ? t->list.count : begin + slices;
        KZ_TRY(run_round(s, begin, end, i == 0, stage, error));
    }
    return KZ_OK;
}

/* ---- Phases ------------------------------------------------------------------------------------------------------ */

static void measure_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    const kz_pf_job *s = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        kz_pf_pages_measure(s->pages, kz_pf_team_first(s->team) + i);
    }
}

static void place_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    const kz_pf_job *s = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t page = kz_pf_team_first(s->team) + i;
        s->changed[page] = kz_pf_pages_place(s->pages, page);
    }
}

/* Adds up what the slices of all members found. */
static kz_status sum_amounts(kz_pf_job *s, kz_pf_amount *won, kz_error *error) {
    s->total = kz_pf_pages_total(s->pages);
    uint64_t sums[5] = {s->stuck.all, s->stuck.kept, won->all, won->kept, s->total.kept};
    KZ_TRY(kz_team_sum(s->team->team, sums, 5, error));
    s->stuck = (kz_pf_amount){sums[0], sums[1]};
    *won = (kz_pf_amount){sums[2], sums[3]};
    s->total.kept = sums[4];
    return KZ_OK;
}

kz_status kz_pf_team_start(kz_pf_job *s, kz_pf_amount *won, kz_error *error) {
    kz_pf_team *t = s->team;
    t->list.count = kz_pf_team_count(t);
    for (uint64_t i = 0; i < t->list.count; i++) {
        t->list.slices[i] = (uint32_t)(kz_pf_team_first(t) + i);
    }
    /* Whether images travel packed, one must decide: what is sent is not said to be packed. */
    t->images.packs = s->options->team_packs;
    KZ_TRY(kz_team_broadcast(t->team, 0, &t->images.packs, sizeof t->images.packs, error));
    t->list.starting = true;
    KZ_TRY(run_rounds(s, "phase 0: wins at once", error));
    t->list.starting = false;
    kz_pf_team_run(s, kz_pf_team_count(t), 4, measure_pages);
    KZ_TRY(kz_pf_team_share(t, s->pages->state.first_runs + 1, sizeof(uint64_t), error));
    kz_error reason = {.status = KZ_OK};
    kz_pf_team_trouble(t, kz_pf_pages_lay_out(s->pages, &s->stuck, won, &reason), reason.message);
    KZ_TRY(kz_pf_team_agree(t, error));
    kz_pf_team_run(s, kz_pf_team_count(t), 0, place_pages);
    KZ_TRY(kz_pf_team_share(t, s->changed, 1, error));
    return sum_amounts(s, won, error);
}

kz_status kz_pf_team_sweep(kz_pf_job *s, const char *stage, kz_error *error) {
    kz_pf_team *t = s->team;
    t->list.count = 0;
    for (uint64_t slice = t->begins[t->rank]; slice < t->begins[t->rank + 1]; slice++) {
        if (slice >= s->facts.slices_done && kz_pf_slice_touched(s->tables, s->space->own_squares[slice], s->changed)) {
            t->list.slices[t->list.count++] = (uint32_t)slice;
        }
    }
    KZ_TRY(run_rounds(s, stage, error));
    uint64_t sums[2] = {0, 0};
    kz_pf_take_counts(s, &sums[0], &sums[1]);
    KZ_TRY(kz_team_sum(t->team, sums, 2, error));
    s->facts.found.kept += sums[0];
    s->facts.slices_swept += sums[1];
    s->facts.slices_done = s->sets;
    return kz_pf_team_share(t, kz_pf_decided_now(s), sizeof(uint32_t), error);
}

/* ---- Opening and closing ----------------------------------------------------------------------------------------- */

enum { BUFFERS = 7 }; /* that there are for each member */

/* Arrays with an element for each member: the buffers are one block, and the numbers another. */
static bool open_members(kz_pf_team *t) {
    size_t size = (size_t)t->size;
    kz_buffer **buffers[BUFFERS] = {&t->images.requests,
                                    &t->images.asked,
                                    &t->images.answers,
                                    &t->images.images,
                                    &t->images.packed,
                                    &t->out,
                                    &t->in};
    uint64_t **numbers[] = {&t->scaled, &t->frames.cursors, &t->frames.ends, &t->frames.offsets};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    kz_buffer *members = calloc(BUFFERS * size, sizeof *members);
    t->begins = calloc((NUMBERS + 1) * (size + 1), sizeof *t->begins);
    for (size_t i = 0; members && i < BUFFERS; i++) {
        *buffers[i] = members + i * size;
    }
    for (size_t i = 0; t->begins && i < NUMBERS; i++) {
        *numbers[i] = t->begins + (i + 1) * (size + 1);
    }
    return members && t->begins;
}

static bool open_worker(const kz_pf_job *s, kz_pf_team *t, kz_pf_team_worker *w) {
    w->mail = (kz_pf_mail){calloc((size_t)t->size, sizeof *w->mail.to), t->keeper, false};
    w->chunks = calloc((size_t)t->size, sizeof *w->chunks);
    w->first_note = malloc(kz_pf_first_note_bytes(s->space) + 1);
    w->second_note = malloc(kz_pf_second_note_room(s->space) + 1);
    return w->mail.to && w->chunks && w->first_note && w->second_note;
}

static bool allocate(const kz_pf_job *s, kz_pf_team *t) {
    size_t workers = (size_t)kz_pool_threads(s->pool);
    t->keeper = calloc(s->sets, sizeof *t->keeper);
    t->images.wanted = calloc(s->sets, 1);
    t->frames.entries = calloc(s->sets, KZ_PHASE_ENTRY_BYTES);
    t->workers = calloc(workers, sizeof *t->workers);
    if (!open_members(t) || !t->keeper || !t->images.wanted || !t->frames.entries || !t->workers) {
        return false;
    }
    for (size_t m = 0; m < (size_t)t->size; m++) {
        t->begins[m + 1] = s->sets * (m + 1) / (size_t)t->size;
        for (uint64_t page = t->begins[m]; page < t->begins[m + 1]; page++) {
            t->keeper[page] = (uint16_t)m;
        }
    }
    uint64_t count = kz_pf_team_count(t);
    t->notes[0] = calloc(count + 1, sizeof *t->notes[0]);
    t->notes[1] = calloc(count + 1, sizeof *t->notes[1]);
    t->second_bytes = calloc(count + 1, sizeof *t->second_bytes);
    t->list.slices = calloc(count + 1, sizeof *t->list.slices);
    t->frames.own = calloc(count + 1, sizeof *t->frames.own);
    bool got = t->notes[0] && t->notes[1] && t->second_bytes && t->list.slices && t->frames.own;
    for (size_t i = 0; got && i < workers; i++) {
        got = open_worker(s, t, &t->workers[i]);
    }
    return got;
}

kz_status kz_pf_team_open(kz_pf_job *s, kz_error *error) {
    kz_team *team = s->options->team;
    if (s->card) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "several processes solve together on processors only");
    }
    if ((uint64_t)kz_team_size(team) > s->sets || kz_team_size(team) > UINT16_MAX) {
        return kz_fail(error, KZ_ERR_INPUT, "there are more processes than parts to share");
    }
    kz_pf_team *t = s->team = calloc(1, sizeof *t);
    if (!t) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for a member of the team");
    }
    *t = (kz_pf_team){.team = team, .rank = kz_team_rank(team), .size = kz_team_size(team)};
    kz_lock_open(&t->questions);
    if (!allocate(s, t)) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for a member of the team");
    }
    return kz_pf_shard_take(s->pages, t->begins[t->rank], t->begins[t->rank + 1], error);
}

static void free_buffers(kz_buffer *buffers, int count) {
    for (int i = 0; buffers && i < count; i++) {
        kz_buffer_free(&buffers[i]);
    }
    free(buffers);
}

void kz_pf_team_close(kz_pf_job *s) {
    kz_pf_team *t = s->team;
    if (!t) {
        return;
    }
    for (int i = 0; t->workers && i < kz_pool_threads(s->pool); i++) {
        free_buffers(t->workers[i].mail.to, t->size);
        kz_buffer_free(&t->workers[i].image);
        free(t->workers[i].chunks);
        free(t->workers[i].first_note);
        free(t->workers[i].second_note);
    }
    for (uint64_t i = 0; t->notes[0] && t->notes[1] && i < kz_pf_team_count(t); i++) {
        free(t->notes[0][i].bytes);
        free(t->notes[1][i].bytes);
    }
    free_buffers(t->images.requests, BUFFERS * t->size);
    kz_buffer_free(&t->mine);
    kz_buffer_free(&t->batch.images);
    kz_lock_close(&t->questions);
    free(t->pieces.items);
    free(t->notes[0]);
    free(t->notes[1]);
    free(t->second_bytes);
    free(t->workers);
    free(t->begins);
    free(t->keeper);
    free(t->images.wanted);
    free(t->frames.entries);
    free(t->frames.own);
    free(t->list.slices);
    free(t);
}
