/* SPDX-License-Identifier: MIT
 *
 * The solver of one member of a team: it has some of the pages, sweeps the blocks with the same numbers, and sends what
 * these find to whoever has the page. */
#include "base/bits.h"
#include "base/error.h"
#include "games/pushfight/block_kernels.h"
#include "games/pushfight/solver.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)KZ_SWEEP_MOST_NEEDS >= (int)KZ_PF_MOST_NEEDS, "a block's pages have room");

enum {
    WIN_BYTES = (KZ_PF_WIN_BITS + 7) / 8, /* of a pair, in a note */
    START_BYTES = 12,                     /* of a record of `start`: u32 pair, u64 wins, or STUCK and a bit's number */
};

#define STUCK (UINT64_C(1) << 63)

static kz_status take(void *context, uint64_t begin, uint64_t end, kz_error *error) {
    kz_pf_solver *s = context;
    const kz_pf_space *space = s->space;
    kz_status status = kz_pf_solver_pages(s, (uint32_t)begin, (uint32_t)(end - begin), error);
    if (status != KZ_OK) {
        return status;
    }
    s->state.views = calloc(space->own_sets, sizeof *s->state.views);
    bool got = s->state.views;
    for (int i = 0; i < s->workers; i++) {
        kz_pf_finds *f = &s->finds[i];
        f->elements.pairs = malloc(space->enemy_sets * sizeof *f->elements.pairs);
        f->elements.wins = malloc(space->enemy_sets * sizeof *f->elements.wins);
        f->records = malloc((size_t)space->enemy_sets * KZ_PF_MOST_RECORD);
        got = got && f->elements.pairs && f->elements.wins && f->records;
    }
    return got ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory for a part of the board");
}

static uint64_t *row_counts(void *context) { return ((kz_pf_solver *)context)->state.first_rows + 1; }

static size_t needs(const void *context, uint64_t block, uint32_t pages[KZ_SWEEP_MOST_NEEDS]) {
    const kz_pf_solver *s = context;
    return kz_pf_block_needs(s->tables, s->space->own_squares[block], pages);
}

/* ---- Blocks --------------------------------------------------------------------------------------------------------
 */

/* The first note: wins at once of the block's elements, byte by byte of all of them, which packs better. */
static size_t first_note_bytes(const void *context) {
    return (size_t)((const kz_pf_solver *)context)->space->enemy_sets * WIN_BYTES;
}

/* The second: a byte a row. */
static size_t second_note_room(const void *context) {
    const kz_pf_space *space = ((const kz_pf_solver *)context)->space;
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

static void post(kz_sweep_mail *mail, uint64_t page, const uint8_t *record, size_t size) {
    uint8_t *place = kz_buffer_add(&mail->to[mail->keeper[page]], size);
    if (place) {
        memcpy(place, record, size);
    } else {
        mail->failed = true;
    }
}

static void post_start(const kz_pf_solver *s, kz_sweep_mail *mail, uint64_t pair, uint64_t word) {
    uint8_t record[START_BYTES];
    kz_store_le32(record, (uint32_t)pair);
    kz_store_le64(record + 4, word);
    post(mail, pair / s->space->enemy_sets, record, sizeof record);
}

static size_t start(void *context, int worker, uint64_t block, uint8_t *first_note, kz_sweep_mail *mail) {
    kz_pf_solver *s = context;
    kz_pf_finds *f = &s->finds[worker];
    f->sent.count = 0;
    f->elements.rows = 0;
    kz_pf_block_start(f->block, s->space->own_squares[block], NULL, &f->elements, &f->sent, &f->counts);
    f->stuck.failed = f->stuck.failed || f->sent.failed;
    for (size_t i = 0; i < f->sent.count; i++) {
        post_start(s, mail, f->sent.items[i].pair, STUCK | f->sent.items[i].bit);
    }
    for (uint32_t i = 0; i < s->space->enemy_sets; i++) {
        post_start(s, mail, f->elements.pairs[i], f->elements.wins[i]);
    }
    write_wins(f->elements.wins, s->space->enemy_sets, first_note);
    return f->elements.rows;
}

/* The end of a sweep's record. */
static const uint8_t *record_end(const uint8_t *record) {
    record += 4;
    while (!(kz_load_le16(record) & KZ_PF_LAST_ITEM)) {
        record += 2;
    }
    return record + 2;
}

static uint64_t sweep(void *context, int worker, int phase, uint64_t block, const uint8_t *first_note,
                      uint8_t *second_note, bool *noted, kz_sweep_mail *mail) {
    kz_pf_solver *s = context;
    kz_pf_finds *f = &s->finds[worker];
    kz_pf_block_counts counts = {0, 0};
    read_wins(first_note, s->space->enemy_sets, f->elements.wins);
    const uint8_t *end = kz_pf_block_sweep_apart(f->block, s->space->own_squares[block], phase % 2 == 1, &s->state,
                                                 f->elements.wins, second_note, f->records, &counts);
    *noted = end != f->records;
    for (const uint8_t *record = f->records; record < end;) {
        const uint8_t *next = record_end(record);
        post(mail, kz_load_le32(record) / s->space->enemy_sets, record, (size_t)(next - record));
        record = next;
    }
    return counts.decided * (s->space->folded ? 2 : 1);
}

/* ---- Pages ---------------------------------------------------------------------------------------------------------
 */

static void receive_start(kz_pf_solver *s, int worker, const uint8_t *records, size_t size) {
    uint64_t first_pair = (uint64_t)s->first_page * s->space->enemy_sets;
    for (const uint8_t *end = records + size; records < end; records += START_BYTES) {
        uint64_t pair = kz_load_le32(records);
        uint64_t word = kz_load_le64(records + 4);
        if (word & STUCK) {
            kz_pf_stuck_add(&s->finds[worker].stuck, pair, (uint8_t)word);
        } else {
            s->state.pairs[pair - first_pair] = word;
        }
    }
}

/* Where the rows of a pair begin. */
static uint64_t first_row(const kz_pf_solver *s, uint32_t pair) {
    uint32_t page = pair / s->space->enemy_sets;
    uint32_t set = pair % s->space->enemy_sets;
    return kz_pf_page_bases(s, page)[set / KZ_PF_GROUP] + (kz_pf_page_pairs(s, page)[set] >> KZ_PF_WIN_BITS);
}

static uint64_t receive(void *context, int worker, int phase, const uint8_t *records, size_t size) {
    kz_pf_solver *s = context;
    if (phase < 0) {
        receive_start(s, worker, records, size);
        return 0;
    }
    uint64_t fresh = 0;
    for (const uint8_t *end = records + size; records < end;) {
        uint16_t *rows = s->state.rows + first_row(s, kz_load_le32(records));
        unsigned item = 0;
        for (records += 4; !(item & KZ_PF_LAST_ITEM); records += 2) {
            item = kz_load_le16(records);
            uint16_t *row = &rows[item & ((1U << KZ_PF_ITEM_BITS) - 1)];
            unsigned known = *row;
            unsigned marks = item >> KZ_PF_ITEM_BITS & KZ_PF_STATE_MASK & ~(known | known >> KZ_PF_LOSS_SHIFT);
            *row = (uint16_t)(known | marks | marks << KZ_PF_LOSS_SHIFT);
            fresh += kz_popcount32(marks);
        }
    }
    return fresh;
}

/* ---- Images: the pairs, the bases from 0 on, the rows --------------------------------------------------------------
 */

static size_t image_pairs(const kz_pf_solver *s) { return s->space->enemy_sets * sizeof(uint64_t); }

static size_t image_bases(const kz_pf_solver *s) { return kz_pf_groups(s->space) * sizeof(uint64_t); }

static size_t image_bytes(const void *context, uint64_t page) {
    const kz_pf_solver *s = context;
    size_t rows = kz_pf_page_row_count(s, page) * sizeof(uint16_t);
    return image_pairs(s) + image_bases(s) + (rows + 7) / 8 * 8;
}

static void make_image(const void *context, uint64_t page, uint8_t *image) {
    const kz_pf_solver *s = context;
    size_t rows = kz_pf_page_row_count(s, page) * sizeof(uint16_t);
    const uint64_t *bases = kz_pf_page_bases(s, page);
    memcpy(image, kz_pf_page_pairs(s, page), image_pairs(s));
    image += image_pairs(s);
    for (uint32_t group = 0; group < kz_pf_groups(s->space); group++, image += sizeof *bases) {
        uint64_t base = bases[group] - kz_pf_page_row(s, page);
        memcpy(image, &base, sizeof base);
    }
    memcpy(image, s->state.rows + kz_pf_page_row(s, page), rows);
    memset(image + rows, 0, (8 - rows % 8) % 8);
}

static kz_pf_view view_of(const kz_pf_solver *s, const uint8_t *image) {
    const uint8_t *bases = image + image_pairs(s);
    return (kz_pf_view){(const void *)image, (const void *)bases, (const void *)(bases + image_bases(s))};
}

static void look_at(void *context, uint64_t page, const uint8_t *image) {
    kz_pf_solver *s = context;
    s->state.views[page] = view_of(s, image);
}

static kz_status numbers(const void *context, uint64_t page, const uint8_t *image, const uint64_t *values,
                         uint8_t *numbers, kz_error *error) {
    const kz_pf_solver *s = context;
    kz_pf_view view = view_of(s, image);
    (void)error;
    kz_pf_write_numbers(s->tables, s->space->own_squares[page], view.pairs, view.rows, values, numbers);
    return KZ_OK;
}

const kz_sweep_share_ops kz_pushfight_share = {
    .take = take,
    .row_counts = row_counts,
    .needs = needs,
    .first_note_bytes = first_note_bytes,
    .second_note_room = second_note_room,
    .start = start,
    .sweep = sweep,
    .receive = receive,
    .image_bytes = image_bytes,
    .make_image = make_image,
    .look_at = look_at,
    .numbers = numbers,
};
