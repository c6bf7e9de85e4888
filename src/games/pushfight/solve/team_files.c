/* SPDX-License-Identifier: MIT
 *
 * A team's pages on their way to member 0's files, and back. */
#include "base/bits.h"
#include "base/error.h"
#include "games/pushfight/solve/team.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_AT_ONCE = 64 << 20 /* bytes of frames that go from or to a member in one exchange */ };

static size_t frame_bytes(const kz_pf_team *t, uint64_t page) {
    return kz_phase_frame_bytes(t->frames.entries + KZ_PHASE_ENTRY_BYTES * page);
}

static void rewind_cursors(kz_pf_team *t) {
    memcpy(t->frames.cursors, t->begins, (size_t)t->size * sizeof *t->frames.cursors);
    memcpy(t->frames.ends, t->begins, (size_t)t->size * sizeof *t->frames.ends);
}

/* The pages of each member, cursors[m] to ends[m] - 1, whose frames go with the next exchange. All members work out the
 * same. False: all have gone. */
static bool next_pages(kz_pf_team *t) {
    bool some = false;
    for (int m = 0; m < t->size; m++) {
        size_t bytes = 0;
        uint64_t page = t->frames.cursors[m] = t->frames.ends[m];
        while (page < t->begins[m + 1] && (bytes == 0 || bytes + frame_bytes(t, page) <= MOST_AT_ONCE)) {
            bytes += frame_bytes(t, page++);
        }
        t->frames.ends[m] = page;
        some = some || page > t->frames.cursors[m];
    }
    return some;
}

static size_t bytes_now(const kz_pf_team *t, int member) {
    size_t bytes = 0;
    for (uint64_t page = t->frames.cursors[member]; page < t->frames.ends[member]; page++) {
        bytes += frame_bytes(t, page);
    }
    return bytes;
}

/* Adds bytes to a message; what is said if there is no memory. */
static void post(kz_pf_team *t, int member, const uint8_t *bytes, size_t size, const char *what) {
    uint8_t *place = size > 0 ? kz_buffer_add(&t->out[member], size) : NULL;
    if (place) {
        memcpy(place, bytes, size);
    } else if (size > 0) {
        kz_pf_team_trouble(t, KZ_ERR_MEMORY, what);
    }
}

static void note_changed(kz_pf_job *s) {
    for (uint64_t page = 0; page < s->sets; page++) {
        s->changed[page] = frame_bytes(s->team, page) != 0;
    }
}

/* ---- Ending a phase ---------------------------------------------------------------------------------------------- */

static void settle_pages(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_pf_job *s = context;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t page = kz_pf_team_first(s->team) + i;
        s->changed[page] = kz_pf_pages_collect(s->pages, s->facts.phase, page, true, s->workers[worker].marks) != 0;
    }
}

/* The frames of own pages that go now, for member 0. */
static void put_frames(kz_pf_team *t) {
    for (int m = 0; m < t->size; m++) {
        t->out[m].size = 0;
    }
    for (uint64_t page = t->frames.cursors[t->rank]; t->rank > 0 && page < t->frames.ends[t->rank]; page++) {
        post(t, 0, t->frames.own[page - kz_pf_team_first(t)], frame_bytes(t, page), "no memory to save a phase");
    }
}

/* Member 0: writes the frames that another one sent, or its own ones, each where those of the pages before it end. */
static void write_frames(kz_pf_team *t, int member, kz_phase_out *out) {
    kz_error reason = {.status = KZ_OK};
    const uint8_t *sent = t->in[member].bytes;
    if (member > 0 && t->in[member].size != bytes_now(t, member)) {
        t->stopped = true;
        return;
    }
    for (uint64_t page = t->frames.cursors[member]; page < t->frames.ends[member]; page++) {
        size_t size = frame_bytes(t, page);
        const uint8_t *frame = member > 0 ? sent : t->frames.own[page];
        if (t->trouble.status == KZ_OK && size > 0) {
            kz_pf_team_trouble(t, kz_outfile_write_at(&out->file, frame, size, t->frames.offsets[member], &reason),
                               reason.message);
        }
        t->frames.offsets[member] += size;
        sent += member > 0 ? size : 0;
    }
}

/* Member 0: opens the file, and finds out where the frames of each member go. */
static bool open_file(kz_pf_job *s, const char *path, kz_phase_out *out) {
    kz_pf_team *t = s->team;
    kz_error reason = {.status = KZ_OK};
    kz_status status = kz_phase_out_open(out, path, &s->facts, kz_pf_decided_now(s), &reason);
    kz_pf_team_trouble(t, status, reason.message);
    if (status != KZ_OK) {
        return false;
    }
    memcpy(out->entries, t->frames.entries, KZ_PHASE_ENTRY_BYTES * s->sets);
    uint64_t end = out->begin;
    for (int m = 0; m < t->size; m++) {
        t->frames.offsets[m] = end;
        for (uint64_t page = t->begins[m]; page < t->begins[m + 1]; page++) {
            end += frame_bytes(t, page);
        }
    }
    return true;
}

/* Brings all frames to member 0 and writes the file. */
static kz_status save_frames(kz_pf_job *s, const char *path, kz_error *error) {
    kz_pf_team *t = s->team;
    kz_phase_out out;
    bool opened = t->rank == 0 && open_file(s, path, &out);
    kz_status status = KZ_OK;
    rewind_cursors(t);
    while (status == KZ_OK && next_pages(t)) {
        put_frames(t);
        status = kz_pf_team_exchange(t, t->out, t->in, error);
        for (int m = 0; status == KZ_OK && opened && m < t->size; m++) {
            write_frames(t, m, &out);
        }
    }
    /* Before the file is put into its place, all must be well with all. */
    status = status == KZ_OK ? kz_pf_team_agree(t, error) : status;
    if (opened) {
        kz_error reason = {.status = status};
        kz_pf_team_trouble(t, kz_phase_out_close(&out, status, &reason), reason.message);
    }
    return status == KZ_OK ? kz_pf_team_agree(t, error) : status;
}

static kz_status settle_saved(kz_pf_job *s, const char *path, kz_error *error) {
    kz_pf_team *t = s->team;
    uint64_t first = kz_pf_team_first(t);
    kz_error reason = {.status = KZ_OK};
    kz_pf_team_trouble(t,
                       kz_pf_pack_pages(s, first, kz_pf_team_count(t), true, t->frames.own,
                                        t->frames.entries + KZ_PHASE_ENTRY_BYTES * first, &reason),
                       reason.message);
    KZ_TRY(kz_pf_team_agree(t, error));
    KZ_TRY(kz_pf_team_share(t, t->frames.entries, KZ_PHASE_ENTRY_BYTES, error));
    note_changed(s);
    return save_frames(s, path, error);
}

kz_status kz_pf_team_settle(kz_pf_job *s, const char *path, kz_error *error) {
    kz_pf_team *t = s->team;
    if (!path) {
        kz_pf_team_run(s, kz_pf_team_count(t), 0, settle_pages);
        return kz_pf_team_share(t, s->changed, 1, error);
    }
    kz_status status = settle_saved(s, path, error);
    for (uint64_t i = 0; i < kz_pf_team_count(t); i++) {
        free(t->frames.own[i]);
        t->frames.own[i] = NULL;
    }
    return status;
}

/* ---- Going on from a file ---------------------------------------------------------------------------------------- */

/* What the header of the file says, and which positions of the slices were decided. */
static kz_status share_facts(kz_pf_job *s, kz_error *error) {
    enum { WHOLE, DONE, SWEPT, ALL, KEPT, MICROSECONDS, NUMBERS };
    kz_phase_file *file = kz_pf_file_now(s);
    kz_phase_facts *facts = &file->facts;
    uint32_t *decided = kz_pf_decided_now(s);
    uint64_t numbers[NUMBERS] = {facts->whole,     facts->slices_done, facts->slices_swept,
                                 facts->found.all, facts->found.kept,  facts->microseconds};
    for (uint64_t slice = 0; s->team->rank == 0 && slice < s->sets; slice++) {
        decided[slice] = kz_load_le32(file->decided + 4 * slice);
    }
    if (s->team->rank == 0) {
        memcpy(s->team->frames.entries, file->entries, KZ_PHASE_ENTRY_BYTES * s->sets);
    }
    KZ_TRY(kz_team_broadcast(s->team->team, 0, numbers, sizeof numbers, error));
    KZ_TRY(kz_team_broadcast(s->team->team, 0, decided, s->sets * sizeof *decided, error));
    KZ_TRY(kz_team_broadcast(s->team->team, 0, s->team->frames.entries, KZ_PHASE_ENTRY_BYTES * s->sets, error));
    if (s->team->rank > 0) {
        *facts = s->facts;
        facts->whole = numbers[WHOLE];
        facts->slices_done = numbers[DONE];
        facts->slices_swept = numbers[SWEPT];
        facts->found = (kz_pf_amount){numbers[ALL], numbers[KEPT]};
        facts->microseconds = numbers[MICROSECONDS];
    }
    return KZ_OK;
}

/* Member 0: the frames that go now, each to who keeps the page. */
static void send_frames(kz_pf_job *s) {
    kz_pf_team *t = s->team;
    const kz_phase_file *file = kz_pf_file_now(s);
    for (int m = 0; m < t->size; m++) {
        t->out[m].size = 0;
    }
    for (int m = 1; t->rank == 0 && m < t->size; m++) {
        post(t, m, file->file.data + file->offsets[t->frames.cursors[m]], bytes_now(t, m), "no memory to read a phase");
    }
}

static void restore_frames(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_pf_job *s = context;
    kz_pf_job_worker *w = &s->workers[worker];
    bool whole = s->files[s->facts.phase].facts.whole;
    for (uint64_t i = begin; i < end && w->error.status == KZ_OK; i++) {
        const kz_pf_team_piece *piece = &s->team->pieces.items[i];
        const uint8_t *entry = s->team->frames.entries + KZ_PHASE_ENTRY_BYTES * piece->page;
        if (kz_phase_unpack(s->facts.phase, piece->page, entry, piece->bytes,
                            kz_pf_run_count(s->first_runs, piece->page), w->marks, &w->error) == KZ_OK) {
            kz_pf_pages_restore(s->pages, s->facts.phase, piece->page, whole, w->marks);
        }
    }
}

/* The frames of own pages that have come now. */
static void take_frames(kz_pf_job *s) {
    kz_pf_team *t = s->team;
    const kz_phase_file *file = kz_pf_file_now(s);
    uint64_t first = t->frames.cursors[t->rank];
    const uint8_t *frame = t->rank == 0 ? file->file.data + file->offsets[first] : t->in[0].bytes;
    t->pieces.count = 0;
    if (t->rank > 0 && t->in[0].size != bytes_now(t, t->rank)) {
        t->stopped = true;
        return;
    }
    for (uint64_t page = first; page < t->frames.ends[t->rank]; page++) {
        size_t size = frame_bytes(t, page);
        if (size > 0 &&
            !kz_pf_team_add_piece(&t->pieces, (kz_pf_team_piece){.page = page, .bytes = frame, .size = size})) {
            kz_pf_team_trouble(t, KZ_ERR_MEMORY, "no memory to read a phase");
        }
        frame += size;
    }
    kz_pf_team_run(s, t->pieces.count, 0, restore_frames);
    kz_error reason = {.status = KZ_OK};
    kz_pf_team_trouble(t, kz_pf_worker_failure(s, &reason), reason.message);
}

kz_status kz_pf_team_restore(kz_pf_job *s, kz_error *error) {
    kz_pf_team *t = s->team;
    KZ_TRY(share_facts(s, error));
    rewind_cursors(t);
    while (next_pages(t)) {
        send_frames(s);
        KZ_TRY(kz_pf_team_exchange(t, t->out, t->in, error));
        take_frames(s);
    }
    if (kz_pf_file_now(s)->facts.whole) {
        note_changed(s);
    }
    return kz_pf_team_agree(t, error);
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

/* A question of member 0: a page, and above it how many pages follow it. Most pages and bytes of one answer; and how
 * many pages may be left out where they still count as being in order. */
enum { FOLLOWING_SHIFT = 48, MOST_PAGES_ASKED = 64, MOST_BYTES_ASKED = 16 << 20, MOST_LEFT_OUT = 2 };

/* How many pages from `page` on to ask for. Pages that come up one here and one there, as they do while probabilities
 * are counted, are asked for one at a time; if they come in order, more and more at once. */
static uint64_t pages_to_ask(kz_pf_job *s, uint64_t page) {
    kz_pf_team *t = s->team;
    uint64_t next = t->batch.first + t->batch.count;
    bool in_order = t->batch.count > 0 && page >= next && page - next <= MOST_LEFT_OUT;
    uint64_t wanted = in_order ? 2 * t->batch.wanted : 1;
    t->batch.wanted = wanted < MOST_PAGES_ASKED ? wanted : MOST_PAGES_ASKED;
    uint64_t end = t->begins[t->keeper[page] + 1];
    uint64_t count = 1;
    size_t bytes = kz_pf_image_bytes(s->pages, page);
    while (count < t->batch.wanted && page + count < end &&
           bytes + kz_pf_image_bytes(s->pages, page + count) <= MOST_BYTES_ASKED) {
        bytes += kz_pf_image_bytes(s->pages, page + count++);
    }
    return count;
}

/* Asks for `count` pages, all kept by one other member. */
static kz_status ask_for_images(kz_pf_job *s, uint64_t page, uint64_t count, kz_buffer *images, kz_error *error) {
    kz_pf_team *t = s->team;
    size_t bytes = 0;
    for (uint64_t i = 0; i < count; i++) {
        bytes += kz_pf_image_bytes(s->pages, page + i);
    }
    KZ_TRY(kz_team_ask(t->team, t->keeper[page], page | (count - 1) << FOLLOWING_SHIFT, images, error));
    return images->size == bytes ? KZ_OK : kz_fail(error, KZ_ERR_IO, "a member of the team gave no answer");
}

/* Gets the image of a page that another member keeps. Holding the lock. */
static kz_status get_image(kz_pf_job *s, uint64_t page, kz_buffer *image, kz_error *error) {
    kz_pf_team_batch *batch = &s->team->batch;
    if (page < batch->first && batch->first - page <= (uint64_t)kz_pool_threads(s->pool)) {
        return ask_for_images(s, page, 1, image, error); /* a worker that is late: the others still need the batch */
    }
    if (page < batch->first || page - batch->first >= batch->count) {
        uint64_t count = pages_to_ask(s, page);
        batch->count = 0;
        KZ_TRY(ask_for_images(s, page, count, &batch->images, error));
        batch->first = page;
        batch->count = count;
    }
    const uint8_t *from = batch->images.bytes;
    for (uint64_t before = batch->first; before < page; before++) {
        from += kz_pf_image_bytes(s->pages, before);
    }
    image->size = 0;
    uint8_t *place = kz_buffer_add(image, kz_pf_image_bytes(s->pages, page));
    if (!place) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for a page");
    }
    memcpy(place, from, kz_pf_image_bytes(s->pages, page));
    return KZ_OK;
}

kz_status kz_pf_team_page(kz_pf_job *s, int worker, uint64_t page, kz_pf_view *view, kz_error *error) {
    kz_pf_team *t = s->team;
    kz_buffer *image = &t->workers[worker].image;
    kz_lock_take(&t->questions);
    kz_status status = get_image(s, page, image, error);
    kz_lock_release(&t->questions);
    if (status == KZ_OK) {
        *view = kz_pf_image_view(s->pages, image->bytes);
    }
    return status;
}

static kz_status give_images(void *context, uint64_t question, kz_buffer *images, kz_error *error) {
    const kz_pf_job *s = context;
    uint64_t first = question & ((UINT64_C(1) << FOLLOWING_SHIFT) - 1);
    uint64_t count = (question >> FOLLOWING_SHIFT) + 1;
    uint64_t begin = kz_pf_team_first(s->team);
    if (first < begin || first + count > begin + kz_pf_team_count(s->team)) {
        return kz_fail(error, KZ_ERR_INPUT, "was asked for page %llu, which it does not keep",
                       (unsigned long long)first);
    }
    for (uint64_t page = first; page < first + count; page++) {
        uint8_t *place = kz_buffer_add(images, kz_pf_image_bytes(s->pages, page));
        if (!place) {
            return kz_fail(error, KZ_ERR_MEMORY, "no memory for a page");
        }
        kz_pf_image_make(s->pages, page, place);
    }
    return KZ_OK;
}

kz_status kz_pf_team_serve(kz_pf_job *s, kz_error *error) {
    return kz_team_serve(s->team->team, give_images, s, error);
}
