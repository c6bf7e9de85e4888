/* SPDX-License-Identifier: MIT
 *
 * A random order by dealing: every record gets a random digit 0 to 255, records with equal digits are brought together,
 * and each such part is dealt again, until parts are small; those are shuffled by swaps. Every order is equally likely,
 * because equal strings of digits are all that ties records together, and ties are broken by a fair shuffle.
 *
 * How often to deal depends on the number of records only, and the digits of a part on the seed and the part's number.
 * So the result is the same whether a part is dealt in memory, by many threads or by way of a file.
 *
 * A dry run of the digits tells how large each part gets before a record is read. So a deal goes right to the final
 * places of the parts in the target, which then are read, shuffled in memory and written back one after the other; no
 * more room on the disk is needed. Only a part that does not fit in memory takes a temporary file, of its own size. */
#include "base/bigmem.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/pool.h"
#include "base/random.h"
#include "shogi/src/records/rawfile.h"
#include "shogi/src/records/stream.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PARTS = 256,          /* of a deal */
    SMALL_RECORDS = 2048, /* expected at most in a part that is not dealt any more */
    MOST_BUFFER_BYTES = 1 << 20,
    LEAST_MEMORY = 1 << 16
};

struct shuffle {
    size_t record_bytes;
    uint64_t seed;
    int deals; /* how often each record is dealt */
    uint64_t memory;
    kz_pool *pool;
    kz_rawcopy *raw;
    uint64_t done; /* records that are in their place */
};

/* Some of the records: those whose first digits are the digits of `number` (base 256). */
struct part {
    int deals; /* that it has gone through */
    uint64_t number;
    uint64_t count;
};

static struct part child_of(const struct part *part, unsigned digit, uint64_t count) {
    return (struct part){.deals = part->deals + 1, .number = part->number * PARTS + digit, .count = count};
}

/* ---- Chance ------------------------------------------------------------------------------------------------------ */

static kz_random random_of(const struct shuffle *shuffle, const struct part *part) {
    uint8_t name[16];
    kz_store_le64(name, (uint64_t)part->deals);
    kz_store_le64(name + 8, part->number);
    return (kz_random){kz_hash64_seeded(name, sizeof name, shuffle->seed)};
}

/* Digits of the records of a part, one after the other: eight for each random number. */
struct digits {
    kz_random random;
    uint64_t bits;
    unsigned left;
};

static inline unsigned next_digit(struct digits *digits) {
    if (digits->left == 0) {
        digits->bits = kz_random_next(&digits->random);
        digits->left = 8;
    }
    unsigned digit = digits->bits & 0xFF;
    digits->bits >>= 8;
    digits->left--;
    return digit;
}

/* How many records get each digit. */
static void count_digits(const struct shuffle *shuffle, const struct part *part, uint64_t counts[PARTS]) {
    struct digits digits = {.random = random_of(shuffle, part)};
    memset(counts, 0, PARTS * sizeof counts[0]);
    for (uint64_t i = 0; i < part->count; i++) {
        counts[next_digit(&digits)]++;
    }
}

/* ---- In memory --------------------------------------------------------------------------------------------------- */

/* Sizes that the compiler knows become a few moves; all records of fixed size have one of these. */
static inline void copy_record(uint8_t *to, const uint8_t *from, size_t bytes) {
    switch (bytes) {
    case 32:
        memcpy(to, from, 32);
        break;
    case 38:
        memcpy(to, from, 38);
        break;
    case 40:
        memcpy(to, from, 40);
        break;
    default:
        memcpy(to, from, bytes);
        break;
    }
}

static void swap_all(const struct shuffle *shuffle, const struct part *part, uint8_t *records) {
    kz_random random = random_of(shuffle, part);
    size_t bytes = shuffle->record_bytes;
    uint8_t kept[64];
    for (uint64_t left = part->count; left > 1; left--) {
        uint64_t chosen = kz_random_below(&random, left);
        uint8_t *last = records + (left - 1) * bytes;
        uint8_t *other = records + chosen * bytes;
        copy_record(kept, last, bytes);
        copy_record(last, other, bytes);
        copy_record(other, kept, bytes);
    }
}

static void deal_in_memory(const struct shuffle *shuffle, const struct part *part, const uint8_t *from, uint8_t *to,
                           uint64_t counts[PARTS]) {
    size_t bytes = shuffle->record_bytes;
    uint8_t *next[PARTS];
    count_digits(shuffle, part, counts);
    for (int digit = 0; digit < PARTS; digit++) {
        next[digit] = to;
        to += counts[digit] * bytes;
    }
    struct digits digits = {.random = random_of(shuffle, part)};
    for (uint64_t i = 0; i < part->count; i++) {
        unsigned digit = next_digit(&digits);
        copy_record(next[digit], from + i * bytes, bytes);
        next[digit] += bytes;
    }
}

/* Shuffles the records of a part at `from`. The result is there if the number of deals that are left is even, and at
 * `other`, which has as much room, if it is odd. */
static void shuffle_in_memory(const struct shuffle *shuffle, const struct part *part, uint8_t *from, uint8_t *other) {
    if (part->deals == shuffle->deals) {
        swap_all(shuffle, part, from);
        return;
    }
    uint64_t counts[PARTS];
    deal_in_memory(shuffle, part, from, other, counts);
    size_t offset = 0;
    for (unsigned digit = 0; digit < PARTS; digit++) {
        struct part child = child_of(part, digit, counts[digit]);
        shuffle_in_memory(shuffle, &child, other + offset, from + offset);
        offset += counts[digit] * shuffle->record_bytes;
    }
}

struct parallel {
    const struct shuffle *shuffle;
    const struct part *part;
    uint8_t *from;
    uint8_t *other;
    const uint64_t *counts;
    size_t offsets[PARTS];
};

static void shuffle_children(void *context, int worker, uint64_t begin, uint64_t end) {
    const struct parallel *work = context;
    (void)worker;
    for (uint64_t digit = begin; digit < end; digit++) {
        struct part child = child_of(work->part, (unsigned)digit, work->counts[digit]);
        size_t offset = work->offsets[digit];
        shuffle_in_memory(work->shuffle, &child, work->other + offset, work->from + offset);
    }
}

/* The same as shuffle_in_memory, on all threads. Returns where the result is. */
static uint8_t *shuffle_on_threads(const struct shuffle *shuffle, const struct part *part, uint8_t *from,
                                   uint8_t *other) {
    if (part->deals == shuffle->deals) {
        swap_all(shuffle, part, from);
        return from;
    }
    uint64_t counts[PARTS];
    deal_in_memory(shuffle, part, from, other, counts);
    struct parallel work = {.shuffle = shuffle, .part = part, .from = from, .other = other, .counts = counts};
    for (int digit = 1; digit < PARTS; digit++) {
        work.offsets[digit] = work.offsets[digit - 1] + counts[digit - 1] * shuffle->record_bytes;
    }
    (void)kz_pool_for(shuffle->pool, PARTS, 1, shuffle_children, &work, NULL, NULL, NULL);
    return (shuffle->deals - part->deals) % 2 != 0 ? other : from;
}

/* ---- By way of files --------------------------------------------------------------------------------------------- */

static kz_status tell(const struct shuffle *shuffle, kz_error *error) {
    return kz_tell(shuffle->raw->progress, "shuffling", shuffle->done, shuffle->raw->source.count, error);
}

/* Whether a part fits in memory twice. One that is not dealt any more is small and has to. */
static bool fits(const struct shuffle *shuffle, const struct part *part) {
    return part->deals == shuffle->deals || part->count <= shuffle->memory / 2 / shuffle->record_bytes;
}

/* Reads a part that fits, shuffles it and appends it to the target. */
static kz_status finish_part(struct shuffle *shuffle, const struct part *part, kz_place from, kz_error *error) {
    size_t size = (size_t)part->count * shuffle->record_bytes;
    if (size == 0) {
        return KZ_OK;
    }
    uint8_t *records = kz_big_alloc(size);
    uint8_t *other = kz_big_alloc(size);
    kz_status status = records && other ? kz_place_read(from, records, size, error)
                                        : kz_fail(error, KZ_ERR_MEMORY, "out of memory for twice %zu bytes", size);
    if (status == KZ_OK) {
        const uint8_t *result = shuffle_on_threads(shuffle, part, records, other);
        status = kz_outfile_write(&shuffle->raw->target, result, size, error);
    }
    kz_big_free(records, size);
    kz_big_free(other, size);
    shuffle->done += part->count;
    return status == KZ_OK ? tell(shuffle, error) : status;
}

/* Records on their way to the places of the parts that they are dealt to. */
struct dealer {
    size_t block;  /* records that are read at once */
    size_t buffer; /* records of one part that are written at once */
    uint8_t *blocks;
    uint8_t *buffers;
    size_t fill[PARTS];
    kz_place places[PARTS];
};

static kz_status flush(const struct shuffle *shuffle, struct dealer *dealer, unsigned digit, kz_error *error) {
    size_t size = dealer->fill[digit] * shuffle->record_bytes;
    kz_status status = kz_place_write(dealer->places[digit],
                                      dealer->buffers + digit * dealer->buffer * shuffle->record_bytes, size, error);
    dealer->places[digit] = kz_place_after(dealer->places[digit], size);
    dealer->fill[digit] = 0;
    return status;
}

static kz_status deal_block(const struct shuffle *shuffle, struct dealer *dealer, struct digits *digits, size_t count,
                            kz_error *error) {
    size_t bytes = shuffle->record_bytes;
    for (size_t i = 0; i < count; i++) {
        unsigned digit = next_digit(digits);
        copy_record(dealer->buffers + (digit * dealer->buffer + dealer->fill[digit]) * bytes,
                    dealer->blocks + i * bytes, bytes);
        dealer->fill[digit]++;
        if (dealer->fill[digit] == dealer->buffer) {
            KZ_TRY(flush(shuffle, dealer, digit, error));
        }
    }
    return KZ_OK;
}

static kz_status deal_all(const struct shuffle *shuffle, const struct part *part, kz_place from, struct dealer *dealer,
                          kz_error *error) {
    struct digits digits = {.random = random_of(shuffle, part)};
    for (uint64_t done = 0; done < part->count;) {
        size_t count = part->count - done < dealer->block ? (size_t)(part->count - done) : dealer->block;
        KZ_TRY(kz_place_read(kz_place_after(from, done * shuffle->record_bytes), dealer->blocks,
                             count * shuffle->record_bytes, error));
        KZ_TRY(deal_block(shuffle, dealer, &digits, count, error));
        done += count;
        /* The first deal is as much work as all that follows; a later one shows only that it can be stopped. */
        KZ_TRY(part->deals == 0 ? kz_tell(shuffle->raw->progress, "dealing", done, part->count, error)
                                : tell(shuffle, error));
    }
    for (unsigned digit = 0; digit < PARTS; digit++) {
        KZ_TRY(flush(shuffle, dealer, digit, error));
    }
    return KZ_OK;
}

/* Deals a part from one file to another. */
static kz_status deal_to_file(const struct shuffle *shuffle, const struct part *part, kz_place from, kz_place to,
                              const uint64_t counts[PARTS], kz_error *error) {
    size_t bytes = shuffle->record_bytes;
    uint64_t room = shuffle->memory / 2 / PARTS;
    room = room < MOST_BUFFER_BYTES ? room : MOST_BUFFER_BYTES;
    uint64_t block = shuffle->memory / 4 < MOST_BUFFER_BYTES ? shuffle->memory / 4 : MOST_BUFFER_BYTES;
    struct dealer *dealer = calloc(1, sizeof *dealer);
    if (!dealer) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    dealer->buffer = (size_t)room / bytes;
    dealer->block = (size_t)block / bytes;
    dealer->buffers = malloc(PARTS * dealer->buffer * bytes);
    dealer->blocks = malloc(dealer->block * bytes);
    for (int digit = 0; digit < PARTS; digit++) {
        dealer->places[digit] = to;
        to = kz_place_after(to, counts[digit] * bytes);
    }
    kz_status status = KZ_OK;
    if (!dealer->buffers || !dealer->blocks) {
        status = kz_fail(error, KZ_ERR_MEMORY, "out of memory for the buffers of %d parts", PARTS);
    } else {
        status = deal_all(shuffle, part, from, dealer, error);
    }
    free(dealer->buffers);
    free(dealer->blocks);
    free(dealer);
    return status;
}

/* Shuffles a part and appends it to the target. */
static kz_status shuffle_part(struct shuffle *shuffle, const struct part *part, kz_place from, kz_error *error) {
    if (fits(shuffle, part)) {
        return finish_part(shuffle, part, from, error);
    }
    uint64_t counts[PARTS];
    count_digits(shuffle, part, counts);
    kz_place to = {.descriptor = shuffle->raw->target.descriptor, .name = shuffle->raw->target.target};
    bool in_place = part->deals == 0 && !shuffle->raw->is_stream;
    KZ_TRY(in_place ? KZ_OK : kz_open_nameless(shuffle->raw->scratch, &to, error));
    kz_status status = deal_to_file(shuffle, part, from, to, counts, error);
    kz_place place = to;
    for (unsigned digit = 0; digit < PARTS && status == KZ_OK; digit++) {
        struct part child = child_of(part, digit, counts[digit]);
        status = shuffle_part(shuffle, &child, place, error);
        place = kz_place_after(place, counts[digit] * shuffle->record_bytes);
    }
    if (!in_place) {
        close(to.descriptor);
    }
    return status;
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

static kz_status shuffle(kz_rawcopy *raw, void *user, kz_error *error) {
    (void)user;
    struct part all = {.count = raw->source.count};
    struct shuffle shuffle = {.record_bytes = raw->source.record_bytes,
                              .seed = raw->options->seed,
                              .memory = kz_memory_of(raw->options, LEAST_MEMORY),
                              .raw = raw};
    for (uint64_t expected = all.count; expected > SMALL_RECORDS; expected /= PARTS) {
        shuffle.deals++;
    }
    KZ_TRY(kz_records_pool(raw->options->threads, &shuffle.pool, error));
    kz_status status = shuffle_part(&shuffle, &all, raw->source.begin, error);
    kz_pool_free(shuffle.pool);
    *raw->report = kz_rawsource_report(&raw->source);
    raw->report->written = all.count;
    return status;
}

kz_status kz_shogi_shuffle(const kz_shogi_source *source, const kz_shogi_target *target,
                           const kz_shogi_file_options *options, const kz_progress *progress,
                           kz_shogi_file_report *report, kz_error *error) {
    return kz_rawcopy_run(source, target, options, progress, shuffle, NULL, report, error);
}
