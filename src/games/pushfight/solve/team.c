/* SPDX-License-Identifier: MIT */
#include "games/pushfight/solve/sweep_team.h"

#include "base/bits.h"
#include "base/error.h"
#include "games/pushfight/solve/team.h"

#include <stdlib.h>
#include <string.h>

enum {
    SLICES = 128,           /* of a sweep, at most; more would mean less memory and more requests */
    LEAST_A_WORKER = 4,     /* slices of a slice */
    SMALL_IMAGES = 4 << 20, /* bytes: small pages are not worth many slices */
    CHUNK_HEAD = 8          /* the bytes of a slice's records go before them */
};

/* ---- Together ------------------------------------------------------------------------------------------------------
 */

void kz_sweep_team_trouble(kz_sweep_team *t, kz_status status, const char *what) {
    if (status != KZ_OK && t->trouble.status == KZ_OK) {
        kz_fail(&t->trouble, status, "%s", what);
    }
}

kz_status kz_sweep_team_agree(kz_sweep_team *t, kz_error *error) {
    if (t->trouble.status != KZ_OK) {
        kz_fail(error, t->trouble.status, "%s", t->trouble.message);
    }
    return kz_team_agree(t->team, t->trouble.status, error);
}

kz_status kz_sweep_team_exchange(kz_sweep_team *t, const kz_buffer *out, kz_buffer *in, kz_error *error) {
    kz_status status = kz_team_exchange_begin(t->team, out, in, error);
    return status == KZ_OK ? kz_team_exchange_end(t->team, error) : status;
}

kz_status kz_sweep_team_share(kz_sweep_team *t, void *bytes, size_t bytes_a_page, kz_error *error) {
    for (int m = 0; m <= t->size; m++) {
        t->scaled[m] = t->begins[m] * bytes_a_page;
    }
    return kz_team_share(t->team, bytes, t->scaled, error);
}

bool kz_team_pieces_add(kz_team_pieces *pieces, kz_team_piece piece) {
    if (pieces->count == pieces->room) {
        size_t room = 2 * pieces->room + 64;
        kz_team_piece *items = realloc(pieces->items, room * sizeof *items);
        if (!items) {
            return false;
        }
        pieces->items = items;
        pieces->room = room;
    }
    pieces->items[pieces->count++] = piece;
    return true;
}

void kz_sweep_team_no_memory(kz_sweep_team *t) {
    kz_sweep_team_trouble(t, KZ_ERR_MEMORY, "no memory for what the members of the team send each other");
}

kz_status kz_sweep_team_run(kz_sweep *s, uint64_t count, uint64_t grain, kz_pool_work *work) {
    kz_error reason = {.status = KZ_OK};
    kz_status status = kz_pool_for(s->pool, count, grain, work, s, NULL, NULL, &reason);
    kz_sweep_team_trouble(s->team, status, reason.message);
    return status;
}

/* ---- Slices --------------------------------------------------------------------------------------------------------
 */

/* Makes room for the size of what a slice finds for each member. */
static bool open_chunks(const kz_sweep_team *t, kz_team_worker *w) {
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

static void close_chunks(const kz_sweep_team *t, kz_team_worker *w) {
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

static bool start_slice(kz_sweep *s, int worker, uint64_t slice) {
    kz_sweep_team *t = s->team;
    kz_team_worker *w = &t->workers[worker];
    uint64_t own = slice - kz_sweep_team_first(t);
    t->notes.second_bytes[own] = (uint32_t)s->ops->share->start(s->solver, worker, slice, w->first_note, &w->mail);
    return kz_slice_notes_put(t->notes.first, worker, own, w->first_note, s->ops->share->first_note_bytes(s->solver));
}

static bool sweep_slice(kz_sweep *s, int worker, uint64_t slice) {
    kz_sweep_team *t = s->team;
    kz_team_worker *w = &t->workers[worker];
    uint64_t own = slice - kz_sweep_team_first(t);
    bool noted = false;
    if (!kz_slice_notes_get(t->notes.first, worker, own, w->first_note, s->ops->share->first_note_bytes(s->solver)) ||
        !kz_slice_notes_get(t->notes.second, worker, own, w->second_note, t->notes.second_bytes[own])) {
        return false;
    }
    uint64_t decided =
        s->ops->share->sweep(s->solver, worker, s->facts.phase, slice, w->first_note, w->second_note, &noted, &w->mail);
    s->decided[s->facts.phase & 1][slice] = (uint32_t)decided;
    s->workers[worker].swept++;
    return !noted || kz_slice_notes_put(t->notes.second, worker, own, w->second_note, t->notes.second_bytes[own]);
}

static void work_on_slices(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_sweep *s = context;
    kz_sweep_team *t = s->team;
    kz_team_worker *w = &t->workers[worker];
    for (uint64_t i = begin; i < end && !w->failed; i++) {
        uint64_t slice = t->list.slices[t->list.done + i];
        if (worker == 0) {
            kz_team_exchange_poll(t->team); /* the last slice's mail is on its way */
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

typedef struct slice_progress {
    const kz_sweep_team *team;
    const kz_progress *whole;
} slice_progress;

static bool report_slice(void *user, const char *stage, uint64_t done, uint64_t total) {
    const slice_progress *slice = user;
    (void)total;
    kz_team_exchange_poll(slice->team->team);
    return !slice->whole || !slice->whole->report ||
           slice->whole->report(slice->whole->user, stage, slice->team->list.done + done, slice->team->list.count);
}

static void work_on_slice(kz_sweep *s, uint64_t count, const char *stage) {
    kz_sweep_team *t = s->team;
    kz_error reason = {.status = KZ_OK};
    slice_progress place = {t, s->options->progress};
    kz_progress progress = {report_slice, &place};
    kz_status status = kz_pool_for(s->pool, count, 1, work_on_slices, s, &progress, stage, &reason);
    kz_sweep_team_trouble(t, status, reason.message);
    for (int i = 0; i < kz_pool_threads(s->pool); i++) {
        if (t->workers[i].failed) {
            kz_sweep_team_no_memory(t);
        }
    }
}

/* ---- Mail ----------------------------------------------------------------------------------------------------------
 */

/* Puts what the workers have into one buffer for each member. */
static void gather_mail(kz_sweep *s) {
    kz_sweep_team *t = s->team;
    for (int m = 0; m < t->size; m++) {
        kz_buffer *buffer = m == t->rank ? &t->mine : &t->out[m];
        buffer->size = 0;
        for (int i = 0; i < kz_pool_threads(s->pool); i++) {
            kz_buffer *part = &t->workers[i].mail.to[m];
            uint8_t *place = part->size > 0 ? kz_buffer_add(buffer, part->size) : NULL;
            if (place) {
                memcpy(place, part->bytes, part->size);
            } else if (part->size > 0) {
                kz_sweep_team_no_memory(t);
            }
            part->size = 0;
        }
    }
}

static void list_chunks(kz_sweep_team *t, const kz_buffer *buffer) {
    for (size_t at = 0; at < buffer->size;) {
        size_t size = kz_load_le64(buffer->bytes + at);
        if (!kz_team_pieces_add(&t->pieces, (kz_team_piece){.bytes = buffer->bytes + at + CHUNK_HEAD, .size = size})) {
            kz_sweep_team_no_memory(t);
            return;
        }
        at += CHUNK_HEAD + size;
    }
}

static void receive_chunks(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_sweep *s = context;
    const kz_sweep_team *t = s->team;
    for (uint64_t i = begin; i < end; i++) {
        const kz_team_piece *chunk = &t->pieces.items[i];
        s->workers[worker].fresh += s->ops->share->receive(s->solver, worker, t->list.starting ? -1 : s->facts.phase,
                                                           chunk->bytes, chunk->size);
    }
}

static void receive_buffers(kz_sweep *s, const kz_buffer *buffers, int count) {
    kz_sweep_team *t = s->team;
    t->pieces.count = 0;
    for (int m = 0; m < count; m++) {
        list_chunks(t, &buffers[m]);
    }
    kz_sweep_team_run(s, t->pieces.count, 0, receive_chunks);
}

/* ---- Slices --------------------------------------------------------------------------------------------------------
 */

/* How many slices this member takes at a time. */
static uint64_t slice_slices(const kz_sweep *s) {
    const kz_sweep_team *t = s->team;
    if (s->options->team_batch > 0) {
        return s->options->team_batch;
    }
    uint64_t count = kz_sweep_team_count(t) / SLICES;
    uint64_t least = LEAST_A_WORKER * (uint64_t)kz_pool_threads(s->pool);
    uint64_t small = SMALL_IMAGES / (s->ops->share->image_bytes(s->solver, kz_sweep_team_first(t)) + 1);
    least = least > small ? least : small;
    return count > least ? count : least;
}

/* The most slices that a member has, of what each has listed. */
static kz_status count_slices(kz_sweep *s, uint64_t slice, uint64_t *slices, kz_error *error) {
    kz_sweep_team *t = s->team;
    memset(t->scaled, 0, (size_t)t->size * sizeof *t->scaled);
    t->scaled[t->rank] = (t->list.count + slice - 1) / slice;
    kz_status status = kz_team_sum(t->team, t->scaled, (size_t)t->size, error);
    *slices = 0;
    for (int m = 0; m < t->size; m++) {
        *slices = t->scaled[m] > *slices ? t->scaled[m] : *slices;
    }
    return status;
}

/* A slice, while what the one before it found is on its way. The one after the last is empty. */
static kz_status run_slice(kz_sweep *s, uint64_t begin, uint64_t end, bool first, const char *stage, kz_error *error) {
    kz_sweep_team *t = s->team;
    kz_status status = t->list.starting ? KZ_OK : kz_sweep_team_images(s, begin, end, error);
    if (status == KZ_OK && !first) {
        status = kz_team_exchange_begin(t->team, t->out, t->in, error);
    }
    if (status != KZ_OK) {
        return status;
    }
    t->list.done = begin;
    if (end > begin && !t->stopped && t->trouble.status == KZ_OK) {
        work_on_slice(s, end - begin, stage);
    }
    if (!first) {
        status = kz_team_exchange_end(t->team, error);
        if (status != KZ_OK) {
            return status;
        }
        receive_buffers(s, t->in, t->size);
    }
    gather_mail(s);
    receive_buffers(s, &t->mine, 1);
    return kz_sweep_team_agree(t, error);
}

/* Goes over the slices of the list. */
static kz_status run_slices(kz_sweep *s, const char *stage, kz_error *error) {
    kz_sweep_team *t = s->team;
    uint64_t slice = slice_slices(s);
    uint64_t slices = 0;
    kz_status status = count_slices(s, slice, &slices, error);
    for (uint64_t i = 0; status == KZ_OK && slices > 0 && i <= slices; i++) {
        uint64_t begin = i * slice < t->list.count ? i * slice : t->list.count;
        uint64_t end = t->list.count - begin < slice ? t->list.count : begin + slice;
        status = run_slice(s, begin, end, i == 0, stage, error);
    }
    return status;
}

/* ---- Phases --------------------------------------------------------------------------------------------------------
 */

static void measure_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_sweep *s = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        s->ops->measure(s->solver, kz_sweep_team_first(s->team) + i);
    }
}

static void place_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_sweep *s = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t page = kz_sweep_team_first(s->team) + i;
        s->changed[page] = s->ops->place(s->solver, page);
    }
}

static void lay_out(kz_sweep *s, kz_sweep_counts *won) {
    kz_error reason = {.status = KZ_OK};
    kz_status status = s->ops->lay_out(s->solver, &s->stuck, won, &reason);
    kz_sweep_team_trouble(s->team, status, reason.message);
}

/* Adds up what the slices of all members found. */
static kz_status sum_counts(kz_sweep *s, kz_sweep_counts *won, kz_error *error) {
    s->total = s->ops->total(s->solver);
    uint64_t sums[5] = {s->stuck.all, s->stuck.kept, won->all, won->kept, s->total.kept};
    kz_status status = kz_team_sum(s->team->team, sums, 5, error);
    s->stuck = (kz_sweep_counts){sums[0], sums[1]};
    *won = (kz_sweep_counts){sums[2], sums[3]};
    s->total.kept = sums[4];
    return status;
}

/* Whether images travel packed. One must decide: what is sent is not said to be packed. */
static kz_status choose_packing(kz_sweep *s, kz_error *error) {
    s->team->images.packs = s->options->team_packs;
    return kz_team_broadcast(s->team->team, 0, &s->team->images.packs, sizeof s->team->images.packs, error);
}

kz_status kz_sweep_team_start(kz_sweep *s, kz_sweep_counts *won, kz_error *error) {
    kz_sweep_team *t = s->team;
    t->list.count = kz_sweep_team_count(t);
    for (uint64_t i = 0; i < t->list.count; i++) {
        t->list.slices[i] = (uint32_t)(kz_sweep_team_first(t) + i);
    }
    kz_status status = choose_packing(s, error);
    t->list.starting = true;
    if (status == KZ_OK) {
        status = run_slices(s, "phase 0: wins at once", error);
    }
    t->list.starting = false;
    if (status == KZ_OK) {
        kz_sweep_team_run(s, kz_sweep_team_count(t), 4, measure_pages);
        status = kz_sweep_team_share(t, s->ops->share->run_counts(s->solver), sizeof(uint64_t), error);
    }
    if (status == KZ_OK) {
        lay_out(s, won);
        status = kz_sweep_team_agree(t, error);
    }
    if (status == KZ_OK) {
        kz_sweep_team_run(s, kz_sweep_team_count(t), 0, place_pages);
        status = kz_sweep_team_share(t, s->changed, 1, error);
    }
    return status == KZ_OK ? sum_counts(s, won, error) : status;
}

kz_status kz_sweep_team_sweep(kz_sweep *s, const char *stage, kz_error *error) {
    kz_sweep_team *t = s->team;
    t->list.count = 0;
    for (uint64_t slice = t->begins[t->rank]; slice < t->begins[t->rank + 1]; slice++) {
        if (slice >= s->facts.slices_done && s->ops->touched(s->solver, slice, s->changed)) {
            t->list.slices[t->list.count++] = (uint32_t)slice;
        }
    }
    for (int i = 0; i < kz_pool_threads(s->pool); i++) {
        s->workers[i].fresh = s->workers[i].swept = 0;
    }
    kz_status status = run_slices(s, stage, error);
    uint64_t sums[2] = {0, 0};
    for (int i = 0; i < kz_pool_threads(s->pool); i++) {
        sums[0] += s->workers[i].fresh;
        sums[1] += s->workers[i].swept;
        s->workers[i].fresh = s->workers[i].swept = 0;
    }
    if (status == KZ_OK) {
        status = kz_team_sum(t->team, sums, 2, error);
    }
    s->facts.found.kept += sums[0];
    s->facts.slices_swept += sums[1];
    s->facts.slices_done = s->slices;
    return status == KZ_OK ? kz_sweep_team_share(t, s->decided[s->facts.phase & 1], sizeof(uint32_t), error) : status;
}

/* ---- Opening and closing -------------------------------------------------------------------------------------------
 */

static bool open_worker(const kz_sweep *s, const kz_sweep_team *t, kz_team_worker *w) {
    w->mail = (kz_sweep_mail){calloc((size_t)t->size, sizeof *w->mail.to), t->keeper, false};
    w->chunks = calloc((size_t)t->size, sizeof *w->chunks);
    w->first_note = malloc(s->ops->share->first_note_bytes(s->solver) + 1);
    w->second_note = malloc(s->ops->share->second_note_room(s->solver) + 1);
    return w->mail.to && w->chunks && w->first_note && w->second_note && kz_sweep_team_packers_open(w);
}

static bool allocate(kz_sweep *s, kz_sweep_team *t) {
    size_t size = (size_t)t->size;
    size_t workers = (size_t)kz_pool_threads(s->pool);
    t->begins = calloc(size + 1, sizeof *t->begins);
    t->scaled = calloc(size + 1, sizeof *t->scaled);
    t->frames.cursors = calloc(size, sizeof *t->frames.cursors);
    t->frames.ends = calloc(size, sizeof *t->frames.ends);
    t->keeper = calloc(s->pages, sizeof *t->keeper);
    t->images.wanted = calloc(s->pages, 1);
    t->frames.entries = calloc(s->pages, KZ_PHASE_ENTRY_BYTES);
    t->workers = calloc(workers, sizeof *t->workers);
    t->images.requests = calloc(size, sizeof *t->images.requests);
    t->images.asked = calloc(size, sizeof *t->images.asked);
    t->images.answers = calloc(size, sizeof *t->images.answers);
    t->images.images = calloc(size, sizeof *t->images.images);
    t->images.packed = calloc(size, sizeof *t->images.packed);
    t->out = calloc(size, sizeof *t->out);
    t->in = calloc(size, sizeof *t->in);
    if (!t->begins || !t->scaled || !t->frames.cursors || !t->frames.ends || !t->keeper || !t->images.wanted ||
        !t->frames.entries || !t->workers || !t->images.requests || !t->images.asked || !t->images.answers ||
        !t->images.images || !t->images.packed || !t->out || !t->in) {
        return false;
    }
    for (size_t m = 0; m <= size; m++) {
        t->begins[m] = s->pages * m / size;
    }
    for (size_t m = 0; m < size; m++) {
        for (uint64_t page = t->begins[m]; page < t->begins[m + 1]; page++) {
            t->keeper[page] = (uint16_t)m;
        }
    }
    uint64_t count = kz_sweep_team_count(t);
    t->notes.first = kz_slice_notes_open(count, (int)workers);
    t->notes.second = kz_slice_notes_open(count, (int)workers);
    t->notes.second_bytes = calloc(count + 1, sizeof *t->notes.second_bytes);
    t->list.slices = calloc(count + 1, sizeof *t->list.slices);
    t->frames.own = calloc(count + 1, sizeof *t->frames.own);
    bool got = t->notes.first && t->notes.second && t->notes.second_bytes && t->list.slices && t->frames.own;
    for (size_t i = 0; got && i < workers; i++) {
        got = open_worker(s, t, &t->workers[i]);
    }
    return got;
}

kz_status kz_sweep_team_open(kz_sweep *s, kz_error *error) {
    kz_team *team = s->options->team;
    if (!s->ops->share) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "several processes solve together on processors only");
    }
    if ((uint64_t)kz_team_size(team) > s->pages || kz_team_size(team) > UINT16_MAX) {
        return kz_fail(error, KZ_ERR_INPUT, "there are more processes than parts to share");
    }
    s->team = calloc(1, sizeof *s->team);
    if (!s->team) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for a member of the team");
    }
    *s->team = (kz_sweep_team){.team = team, .rank = kz_team_rank(team), .size = kz_team_size(team)};
    kz_lock_open(&s->team->questions);
    if (!allocate(s, s->team)) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for a member of the team");
    }
    return s->ops->share->take(s->solver, s->team->begins[s->team->rank], s->team->begins[s->team->rank + 1], error);
}

static void free_buffers(kz_buffer *buffers, int count) {
    for (int i = 0; buffers && i < count; i++) {
        kz_buffer_free(&buffers[i]);
    }
    free(buffers);
}

void kz_sweep_team_close(kz_sweep *s) {
    kz_sweep_team *t = s->team;
    int workers = kz_pool_threads(s->pool);
    if (!t) {
        return;
    }
    for (int i = 0; t->workers && i < workers; i++) {
        free_buffers(t->workers[i].mail.to, t->size);
        kz_buffer_free(&t->workers[i].answer);
        free(t->workers[i].chunks);
        free(t->workers[i].first_note);
        free(t->workers[i].second_note);
        kz_sweep_team_packers_close(&t->workers[i]);
    }
    free_buffers(t->images.requests, t->size);
    free_buffers(t->images.asked, t->size);
    free_buffers(t->images.answers, t->size);
    free_buffers(t->images.images, t->size);
    free_buffers(t->images.packed, t->size);
    free_buffers(t->out, t->size);
    free_buffers(t->in, t->size);
    kz_buffer_free(&t->mine);
    kz_slice_notes_close(t->notes.first);
    kz_slice_notes_close(t->notes.second);
    kz_buffer_free(&t->batch.images);
    kz_lock_close(&t->questions);
    free(t->pieces.items);
    free(t->notes.second_bytes);
    free(t->workers);
    free(t->begins);
    free(t->scaled);
    free(t->frames.cursors);
    free(t->frames.ends);
    free(t->keeper);
    free(t->images.wanted);
    free(t->frames.entries);
    free(t->frames.own);
    free(t->list.slices);
    free(t);
}

/* ---- The runner ----------------------------------------------------------------------------------------------------
 */

static bool has_files(const kz_sweep *s) { return kz_team_rank(s->options->team) == 0; }

static kz_status agree(const kz_sweep *s, kz_status mine, kz_error *error) {
    return kz_team_agree(s->options->team, mine, error);
}

static kz_status tell_all(const kz_sweep *s, bool *fact, kz_error *error) {
    return kz_team_broadcast(s->options->team, 0, fact, sizeof *fact, error);
}

const kz_sweep_runner kz_sweep_team_runner = {
    .open = kz_sweep_team_open,
    .close = kz_sweep_team_close,
    .has_files = has_files,
    .start = kz_sweep_team_start,
    .sweep = kz_sweep_team_sweep,
    .settle = kz_sweep_team_settle,
    .restore = kz_sweep_team_restore,
    .agree = agree,
    .tell_all = tell_all,
    .numbers = kz_sweep_team_numbers,
    .serve = kz_sweep_team_serve,
    .dismiss = kz_sweep_team_dismiss,
};
