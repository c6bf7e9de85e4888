/* SPDX-License-Identifier: MIT
 *
 * Before a round, each member says which pages of others its slices look at, and gets images of them. */
#include "base/bits.h"
#include "base/error.h"
#include "games/pushfight/solve/team.h"

#include <stdlib.h>
#include <string.h>

enum { PACKED_HEAD = 8 /* the size of a packed image goes before it */ };

/* ---- Requests: lists of u32 page numbers ------------------------------------------------------------------------- */

/* Lists the pages that slices [begin, end) of the list look at and others keep, by who keeps them. */
static void list_requests(kz_pf_job *s, uint64_t begin, uint64_t end) {
    kz_pf_team *t = s->team;
    uint32_t pages[KZ_PF_MOST_NEEDS];
    memset(t->images.wanted, 0, s->sets);
    for (uint64_t i = begin; i < end; i++) {
        size_t count = kz_pf_slice_needs(s->tables, s->space->own_squares[t->list.slices[i]], pages);
        for (size_t k = 0; k < count; k++) {
            int keeper = t->keeper[pages[k]];
            if (keeper != t->rank && !t->images.wanted[pages[k]]) {
                uint8_t *place = kz_pf_team_room(t, &t->images.requests[keeper], 4);
                if (!place) {
                    return;
                }
                kz_store_le32(place, pages[k]);
                t->images.wanted[pages[k]] = 1;
            }
        }
    }
}

static size_t images_bytes(const kz_pf_job *s, const kz_buffer *pages) {
    size_t bytes = 0;
    for (size_t at = 0; at < pages->size; at += 4) {
        bytes += kz_pf_image_bytes(s->pages, kz_load_le32(pages->bytes + at));
    }
    return bytes;
}

/* Lists the images of these pages as work, one after the other from `image` on. */
static void list_images(kz_pf_job *s, const kz_buffer *pages, uint8_t *image) {
    kz_pf_team *t = s->team;
    for (size_t at = 0; at < pages->size; at += 4) {
        uint32_t page = kz_load_le32(pages->bytes + at);
        if (!kz_pf_team_add_piece(&t->pieces, (kz_pf_team_piece){.page = page, .image = image})) {
            kz_pf_team_no_memory(t);
            return;
        }
        image = image ? image + kz_pf_image_bytes(s->pages, page) : NULL;
    }
}

/* ---- Answers ----------------------------------------------------------------------------------------------------- */

static void make_images(void *context, int worker, uint64_t begin, uint64_t end) {
    const kz_pf_job *s = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        const kz_pf_team_piece *piece = &s->team->pieces.items[i];
        kz_pf_image_make(s->pages, piece->page, piece->image);
    }
}

/* If something failed: who gets less than he asked for knows that. */
static void withdraw_answers(kz_pf_team *t) {
    for (int m = 0; t->trouble.status != KZ_OK && m < t->size; m++) {
        t->images.answers[m].size = 0;
    }
}

static void answer(kz_pf_job *s) {
    kz_pf_team *t = s->team;
    t->pieces.count = 0;
    for (int m = 0; m < t->size; m++) {
        size_t size = images_bytes(s, &t->images.asked[m]);
        uint8_t *place = kz_pf_team_room(t, &t->images.answers[m], size);
        if (place) {
            list_images(s, &t->images.asked[m], place);
        }
    }
    kz_pf_team_run(s, t->pieces.count, 1, make_images);
    withdraw_answers(t);
}

/* The image of a page, packed. */
static void pack_image(const kz_pf_job *s, int worker, kz_pf_team_piece *piece) {
    kz_pf_team_worker *w = &s->team->workers[worker];
    size_t size = kz_pf_image_bytes(s->pages, piece->page);
    w->image.size = 0;
    uint8_t *image = kz_buffer_add(&w->image, size);
    if (image) {
        kz_pf_image_make(s->pages, piece->page, image);
        piece->packed = kz_pf_packer_pack(&s->workers[worker].packer, image, size, &piece->size);
    }
    w->failed = w->failed || !piece->packed;
}

static void pack_images(void *context, int worker, uint64_t begin, uint64_t end) {
    const kz_pf_job *s = context;
    for (uint64_t i = begin; i < end; i++) {
        pack_image(s, worker, &s->team->pieces.items[i]);
    }
}

static void answer_packed(kz_pf_job *s) {
    kz_pf_team *t = s->team;
    t->pieces.count = 0;
    for (int m = 0; m < t->size; m++) {
        list_images(s, &t->images.asked[m], NULL);
    }
    kz_pf_team_run(s, t->pieces.count, 1, pack_images);
    size_t i = 0;
    for (int m = 0; m < t->size; m++) {
        for (size_t at = 0; at < t->images.asked[m].size && i < t->pieces.count; at += 4, i++) {
            kz_pf_team_piece *piece = &t->pieces.items[i];
            uint8_t *place = piece->packed ? kz_buffer_add(&t->images.answers[m], PACKED_HEAD + piece->size) : NULL;
            if (place) {
                kz_store_le64(place, piece->size);
                memcpy(place + PACKED_HEAD, piece->packed, piece->size);
            } else {
                kz_pf_team_no_memory(t);
            }
            free(piece->packed);
        }
    }
    withdraw_answers(t);
}

/* ---- Images ------------------------------------------------------------------------------------------------------ */

static void unpack_images(void *context, int worker, uint64_t begin, uint64_t end) {
    kz_pf_job *s = context;
    kz_pf_team_worker *w = &s->team->workers[worker];
    for (uint64_t i = begin; i < end; i++) {
        const kz_pf_team_piece *piece = &s->team->pieces.items[i];
        size_t size = kz_pf_image_bytes(s->pages, piece->page);
        if (!kz_pf_packer_unpack(&s->workers[worker].packer, piece->bytes, piece->size, piece->image, size)) {
            w->failed = true;
        }
    }
}

/* Finds the packed images of a member among what it sent. False: they are not all there. */
static bool find_packed(kz_pf_team *t, const kz_buffer *buffer, size_t first) {
    size_t at = 0;
    for (size_t i = first; i < t->pieces.count; i++) {
        if (buffer->size - at < PACKED_HEAD) {
            return false;
        }
        size_t size = kz_load_le64(buffer->bytes + at);
        if (buffer->size - at - PACKED_HEAD < size) {
            return false;
        }
        t->pieces.items[i].bytes = buffer->bytes + at + PACKED_HEAD;
        t->pieces.items[i].size = size;
        at += PACKED_HEAD + size;
    }
    return true;
}

static void unpack(kz_pf_job *s) {
    kz_pf_team *t = s->team;
    t->pieces.count = 0;
    for (int m = 0; m < t->size; m++) {
        size_t size = images_bytes(s, &t->images.requests[m]);
        size_t first = t->pieces.count;
        t->images.images[m].size = 0;
        uint8_t *place = kz_pf_team_room(t, &t->images.images[m], size);
        if (place) {
            list_images(s, &t->images.requests[m], place);
        }
        t->stopped = t->stopped || !find_packed(t, &t->images.packed[m], first);
    }
    if (!t->stopped) {
        kz_pf_team_run(s, t->pieces.count, 1, unpack_images);
    }
}

static void look_at_images(kz_pf_job *s) {
    kz_pf_team *t = s->team;
    for (int m = 0; m < t->size && !t->stopped; m++) {
        const kz_buffer *pages = &t->images.requests[m];
        if (t->images.images[m].size != images_bytes(s, pages)) {
            t->stopped = true; /* it says why when all agree */
            return;
        }
        const uint8_t *image = t->images.images[m].bytes;
        for (size_t at = 0; at < pages->size; at += 4) {
            uint32_t page = kz_load_le32(pages->bytes + at);
            s->pages->state.views[page] = kz_pf_image_view(s->pages, image);
            image += kz_pf_image_bytes(s->pages, page);
        }
    }
}

kz_status kz_pf_team_images_get(kz_pf_job *s, uint64_t begin, uint64_t end, kz_error *error) {
    kz_pf_team *t = s->team;
    for (int m = 0; m < t->size; m++) {
        t->images.requests[m].size = t->images.answers[m].size = 0;
    }
    list_requests(s, begin, end);
    KZ_TRY(kz_pf_team_exchange(t, t->images.requests, t->images.asked, error));
    if (t->images.packs) {
        answer_packed(s);
        KZ_TRY(kz_pf_team_exchange(t, t->images.answers, t->images.packed, error));
        unpack(s);
    } else {
        answer(s);
        KZ_TRY(kz_pf_team_exchange(t, t->images.answers, t->images.images, error));
    }
    look_at_images(s);
    for (int i = 0; i < kz_pool_threads(s->pool); i++) {
        if (t->workers[i].failed) {
            kz_pf_team_no_memory(t);
        }
    }
    return KZ_OK;
}
