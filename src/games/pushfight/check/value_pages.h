/* SPDX-License-Identifier: MIT
 *
 * The values of whole own sets in memory: those that a sweep needs are read when it first asks for them, and dropped
 * again if there is a limit to the memory.
 *
 * A page (page.h) holds them in a tenth of their published size, because most positions are won in one turn: a bit says
 * so for all sigma of (alpha, rho), and only the others have a run of bytes. The bit is set where the anchor fails the
 * test, too; such positions are nobody's successor. The bytes are *offers*: what it is worth to a player to leave the
 * position to the opponent, so that a sweep just takes the largest one. */
#ifndef KZ_PUSHFIGHT_VALUE_PAGES_H
#define KZ_PUSHFIGHT_VALUE_PAGES_H

#include "games/pushfight/solve/page.h"

/* What a position is worth to the side to move, as a number that is larger the better it is: loss in k, k; tie, 128;
 * win in k, 256 - k. Loss in 0, the least, is what someone has who finds no turn. */
enum { KZ_PF_WORTH_STUCK = 0, KZ_PF_WORTH_TIE = 128, KZ_PF_WORTH_WIN = 255 };

/* The published value byte (0 tie, 2k + 1 loss in k, 2k win in k) of a worth. */
static inline uint8_t kz_pf_worth_byte(uint8_t worth) {
    return (uint8_t)(worth == KZ_PF_WORTH_TIE ? 0 : worth < KZ_PF_WORTH_TIE ? 2 * worth + 1 : 2 * (256 - worth));
}

/* What a value byte of the opponent, who moves next, is worth: a loss in k wins in k + 1, a win in k loses in k. */
static inline uint8_t kz_pf_offer(uint8_t byte) {
    return (uint8_t)(byte == 0 ? KZ_PF_WORTH_TIE : byte & 1 ? 255 - byte / 2 : byte / 2);
}

/* The published byte of a position that is offered, the other way round. */
static inline uint8_t kz_pf_offer_byte(uint8_t offer) {
    return (uint8_t)(offer == KZ_PF_WORTH_TIE ? 0 : offer < KZ_PF_WORTH_TIE ? 2 * offer : 2 * (255 - offer) + 1);
}

enum {
    KZ_PF_BYTE_WIN = 2,     /* won in one turn */
    KZ_PF_NO_POSITION = 255 /* in place of a value byte */
};

/* Reads the value bytes of all places of the index that belong to an own set that is kept, 255 where there is no
 * position. Several threads call it at once. */
typedef kz_status kz_pf_read_values(void *user, uint32_t own_set, uint8_t *bytes, kz_error *error);

typedef struct kz_pf_value_page {
    kz_pf_page page;
    uint8_t *runs; /* offers, [run][anchored_splits] */
    size_t size;   /* bytes of memory */
} kz_pf_value_page;

typedef struct kz_pf_value_pages kz_pf_value_pages;

/* `read` may be NULL if all pages are stored before they are asked for. `limit` is the memory in bytes that pages may
 * take, 0 if they are never dropped; what is in use at a time is kept in any case. */
kz_status kz_pf_value_pages_open(const kz_pf_space *space, kz_pf_read_values *read, void *user, uint64_t limit,
                                 kz_pf_value_pages **opened, kz_error *error);
void kz_pf_value_pages_close(kz_pf_value_pages *pages);

/* How many bytes kz_pf_read_values fills. */
size_t kz_pf_own_set_size(const kz_pf_space *space);

/* Makes a page of the value bytes of an own set, which has none yet. */
kz_status kz_pf_value_pages_store(kz_pf_value_pages *pages, uint32_t own_set, const uint8_t *bytes, kz_error *error);

/* The page of an own set, read now if need be. It stays in memory until it is put back. Thread-safe. */
kz_status kz_pf_value_pages_get(kz_pf_value_pages *pages, uint32_t own_set, const kz_pf_value_page **page,
                                kz_error *error);
void kz_pf_value_pages_put(kz_pf_value_pages *pages, uint32_t own_set);

/* The page of an own set without asking for a lock; only after all pages have been stored. NULL if it was not. */
const kz_pf_value_page *kz_pf_value_pages_stored(const kz_pf_value_pages *pages, uint32_t own_set);

/* ---- Pages made of the value bytes of their own sets (solve/page_runs.c) ----------------------------------------- */

enum { KZ_PF_SPARE_BYTES = 8 }; /* behind the runs of a page, so that words can be stored */

/* How the bytes of an own set are looked at. */
typedef struct kz_pf_page_maker {
    /* Fills open[enemy_sets] with the bits that have runs, and adds their number to `runs`. A bit has a run if the
     * anchor allows it, unless its positions are won at once for all sigma. Returns the number of the first pair that
     * has a position without a value, or enemy_sets. */
    uint32_t (*find_open)(const kz_pf_space *space, uint32_t own_set, const uint8_t *bytes, uint64_t *open,
                          size_t *runs);
    /* Numbers the runs of the pairs and writes their offers. */
    void (*fill)(const kz_pf_space *space, const uint64_t *open, const uint8_t *bytes, kz_pf_value_page *page);
} kz_pf_page_maker;

extern const kz_pf_page_maker kz_pf_page_maker_plain;
extern const kz_pf_page_maker kz_pf_page_maker_avx512; /* for six values of sigma */

/* The fastest one that the processor can run. */
const kz_pf_page_maker *kz_pf_page_maker_choose(const kz_pf_space *space);

#endif
