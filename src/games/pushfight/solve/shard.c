/* SPDX-License-Identifier: MIT
 *
 * The solver of one member of a team. Its shard is a range of pages; it sweeps the slices with the same numbers, and
 * sends what these find, as updates, to the member that keeps the page. */
#include "base/bits.h"
#include "base/error.h"
#include "games/pushfight/solve/pages.h"
#include "games/pushfight/solve/slice_kernels.h"

#include <stdlib.h>
#include <string.h>

enum {
    WIN_BYTES = (KZ_PF_WIN_BITS + 7) / 8, /* of a pair, in a note */
    START_BYTES = 12,                     /* of a update of `start`: u32 pair, u64 wins, or STUCK and a bit's number */
};

#define STUCK (UINT64_C(1) << 63)

kz_status kz_pf_shard_take(kz_pf_pages *p, uint64_t begin, uint64_t end, kz_error *error) {
    const kz_pf_space *space = p->space;
    KZ_TRY(kz_pf_pages_allocate(p, (uint32_t)begin, (uint32_t)(end - begin), error));
    p->state.views = calloc(space->own_sets, sizeof *p->state.views);
    bool got = p->state.views;
    for (int i = 0; i < p->workers; i++) {
        kz_pf_worker *f = &p->worker[i];
        f->elements.pairs = malloc(space->enemy_sets * sizeof *f->elements.pairs);
        f->elements.wins = malloc(space->enemy_sets * sizeof *f->elements.wins);
        f->updates = malloc((size_t)space->enemy_sets * KZ_PF_MOST_UPDATE);
        got = got && f->elements.pairs && f->elements.wins && f->updates;
    }
    return got ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory for a shard of the board");
}

/* ---- Slices ------------------------------------------------------------------------------------------------------ */

/* The first note of a slice: the wins at once of its elements; the lowest byte of all of them, then the next byte of
 * all of them, which packs better. */
size_t kz_pf_first_note_bytes(const kz_pf_space *space) { return (size_t)space->enemy_sets * WIN_BYTES; }

/* The second note: a byte for each run, with the marks that were sent already. */
size_t kz_pf_second_note_room(const kz_pf_space *space) {
    return (size_t)space->enemy_sets * (size_t)(space->pieces * space->splits);
}

static void write_wins(const uint64_t *wins, uint32_t count, uint8_t *note) {
    for (unsigned byte = 0; byte < WIN_BYTES; byte++) {
        for (uint32_t i = 0; i < count; i++) {
            *note++ = (uint8_t)(wins[i] >> 8 * byte);
        }
    }
}

static void read_wins(const uint8_t *note, uint32_t count, uint64_t *wins) {
    memset(wins, 0, count * sizeof *wins);
    for (unsigned byte = 0; byte < WIN_BYTES; byte++) {
        for (uint32_t i = 0; i < count; i++) {
            wins[i] |= (uint64_t)*note++ << 8 * byte;
        }
    }
}

/* Adds an update to what goes to the member that keeps the page. */
static void post(kz_pf_mail *mail, uint64_t page, const uint8_t *update, size_t size) {
    uint8_t *room = kz_buffer_add(&mail->to[mail->keeper[page]], size);
    if (room) {
        memcpy(room, update, size);
    } else {
        mail->failed = true;
    }
}

static void post_start(const kz_pf_pages *p, kz_pf_mail *mail, uint64_t pair, uint64_t word) {
    uint8_t update[START_BYTES];
    kz_store_le32(update, (uint32_t)pair);
    kz_store_le64(update + 4, word);
    post(mail, pair / p->space->enemy_sets, update, sizeof update);
}

size_t kz_pf_shard_start(kz_pf_pages *p, int worker, uint64_t slice, uint8_t *first_note, kz_pf_mail *mail) {
    kz_pf_worker *f = &p->worker[worker];
    f->sent.count = 0;
    f->elements.runs = 0;
    kz_pf_slice_start(f->slice, p->space->own_squares[slice], NULL, &f->elements, &f->sent, &f->counts);
    f->stuck.failed = f->stuck.failed || f->sent.failed;
    for (size_t i = 0; i < f->sent.count; i++) {
        post_start(p, mail, f->sent.items[i].pair, STUCK | f->sent.items[i].bit);
    }
    for (uint32_t i = 0; i < p->space->enemy_sets; i++) {
        post_start(p, mail, f->elements.pairs[i], f->elements.wins[i]);
    }
    write_wins(f->elements.wins, p->space->enemy_sets, first_note);
    return f->elements.runs;
}

/* Where an update of a sweep ends. */
static const uint8_t *update_end(const uint8_t *update) {
    update += 4;
    while (!(kz_load_le16(update) & KZ_PF_LAST_ITEM)) {
        update += 2;
    }
    return update + 2;
}

uint64_t kz_pf_shard_sweep(kz_pf_pages *p, int worker, int phase, uint64_t slice, const uint8_t *first_note,
                           uint8_t *second_note, bool *noted, kz_pf_mail *mail) {
    kz_pf_worker *f = &p->worker[worker];
    kz_pf_slice_counts counts = {0, 0};
    read_wins(first_note, p->space->enemy_sets, f->elements.wins);
    const uint8_t *end = kz_pf_slice_sweep_apart(f->slice, p->space->own_squares[slice], phase % 2 == 1, &p->state,
                                                 f->elements.wins, second_note, f->updates, &counts);
    *noted = end != f->updates;
    for (const uint8_t *update = f->updates; update < end;) {
        const uint8_t *next = update_end(update);
        post(mail, kz_load_le32(update) / p->space->enemy_sets, update, (size_t)(next - update));
        update = next;
    }
    return counts.decided * kz_pf_turned(p->space);
}

/* ---- Pages ------------------------------------------------------------------------------------------------------- */

static void receive_start(kz_pf_pages *p, int worker, const uint8_t *updates, size_t size) {
    uint64_t first_pair = (uint64_t)p->first_page * p->space->enemy_sets;
    for (const uint8_t *end = updates + size; updates < end; updates += START_BYTES) {
        uint64_t pair = kz_load_le32(updates);
        uint64_t word = kz_load_le64(updates + 4);
        if (word & STUCK) {
            kz_pf_stuck_add(&p->worker[worker].stuck, pair, (uint8_t)word);
        } else {
            p->state.pairs[pair - first_pair] = word;
        }
    }
}

/* Where the runs of a pair begin. */
static uint64_t first_run(const kz_pf_pages *p, uint32_t pair) {
    uint32_t page = pair / p->space->enemy_sets;
    uint32_t set = pair % p->space->enemy_sets;
    return kz_pf_page_bases(p, page)[set / KZ_PF_BASE_PAIRS] + (kz_pf_page_pairs(p, page)[set] >> KZ_PF_WIN_BITS);
}

uint64_t kz_pf_shard_receive(kz_pf_pages *p, int worker, int phase, const uint8_t *updates, size_t size) {
    if (phase < 0) {
        receive_start(p, worker, updates, size);
        return 0;
    }
    uint64_t fresh = 0;
    for (const uint8_t *end = updates + size; updates < end;) {
        uint16_t *runs = p->state.runs + first_run(p, kz_load_le32(updates));
        unsigned item = 0;
        for (updates += 4; !(item & KZ_PF_LAST_ITEM); updates += 2) {
            item = kz_load_le16(updates);
            uint16_t *run = &runs[item & ((1U << KZ_PF_ITEM_BITS) - 1)];
            unsigned known = *run;
            unsigned marks = item >> KZ_PF_ITEM_BITS & KZ_PF_STATE_MASK & ~(known | known >> KZ_PF_LOSS_SHIFT);
            *run = (uint16_t)(known | marks | marks << KZ_PF_LOSS_SHIFT);
            fresh += kz_popcount32(marks);
        }
    }
    return fresh;
}

/* ---- Images: the pairs, the bases from 0 on, the runs ------------------------------------------------------------ */

static size_t image_pairs(const kz_pf_pages *p) { return p->space->enemy_sets * sizeof(uint64_t); }

static size_t image_bases(const kz_pf_pages *p) { return kz_pf_base_count(p->space) * sizeof(uint64_t); }

size_t kz_pf_image_bytes(const kz_pf_pages *p, uint64_t page) {
    size_t runs = kz_pf_run_count(p->state.first_runs, page) * sizeof(uint16_t);
    return image_pairs(p) + image_bases(p) + (runs + 7) / 8 * 8;
}

void kz_pf_image_make(const kz_pf_pages *p, uint64_t page, uint8_t *image) {
    size_t runs = kz_pf_run_count(p->state.first_runs, page) * sizeof(uint16_t);
    const uint64_t *bases = kz_pf_page_bases(p, page);
    memcpy(image, kz_pf_page_pairs(p, page), image_pairs(p));
    image += image_pairs(p);
    for (uint32_t i = 0; i < kz_pf_base_count(p->space); i++, image += sizeof *bases) {
        uint64_t base = bases[i] - kz_pf_page_run(p, page);
        memcpy(image, &base, sizeof base);
    }
    memcpy(image, p->state.runs + kz_pf_page_run(p, page), runs);
    memset(image + runs, 0, (8 - runs % 8) % 8);
}

kz_pf_view kz_pf_image_view(const kz_pf_pages *p, const uint8_t *image) {
    const uint8_t *bases = image + image_pairs(p);
    return (kz_pf_view){(const void *)image, (const void *)bases, (const void *)(bases + image_bases(p))};
}
