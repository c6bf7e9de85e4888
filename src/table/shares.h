/* SPDX-License-Identifier: MIT
 *
 * Shares of 4096 for the symbols of many contexts: from counts, to bytes and back. Used by the models of both kinds of
 * tables. */
#ifndef KZ_TABLE_SHARES_H
#define KZ_TABLE_SHARES_H

#include "base/bits.h"
#include "table/rans.h"

#include <kanzen/error.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { KZ_SYMBOLS = 256 };

/* The share of the second of two symbols, 1 to 4095. The careful one expects that what was seen a few times only may
 * turn out otherwise. */
uint16_t kz_binary_share(const uint32_t counts[2]);
uint16_t kz_careful_share(const uint32_t counts[2]);

/* Eight symbols of a context, likely ones first, the escape last. They lie in one cache line and are compared all at
 * once. */
enum { KZ_OCTET = 8, KZ_NO_BOUND = 0x7FFF };

typedef struct kz_symbol_octet {
    /* Sums of the shares before each symbol, and with the last one. Past the last symbol of the context:
     * KZ_NO_BOUND. */
    _Alignas(32) uint16_t bounds[KZ_OCTET + 1];
    uint8_t symbols[KZ_OCTET];
} kz_symbol_octet;

/* The symbols of all contexts. A context that was never seen has none. The escape stands for a symbol that a context
 * does not list. */
typedef struct kz_shares {
    unsigned contexts;
    uint8_t escape;
    uint32_t *first; /* [contexts + 1]: where a context's octets begin */
    kz_symbol_octet *octets;
    void *memory; /* that the octets lie in, at a place that suits them */
} kz_shares;

/* From how often each symbol was seen in each context; the escape itself never is. False: no memory. Free in any
 * case. */
bool kz_shares_make(kz_shares *shares, unsigned contexts, uint8_t escape, const uint32_t (*counts)[KZ_SYMBOLS]);
void kz_shares_free(kz_shares *shares);

/* As bytes: the number of symbols of each context (u16), all symbols (u8 each), all shares (u16 each). Kept in separate
 * runs, because like follows like compresses better. Returns the end of what was written. */
size_t kz_shares_bytes(const kz_shares *shares);
uint8_t *kz_shares_pack(const kz_shares *shares, uint8_t *bytes);
/* Takes all of the bytes. Whatever they are, coding with the result stays within it. */
kz_status kz_shares_unpack(kz_shares *shares, unsigned contexts, uint8_t escape, const uint8_t *bytes, size_t size,
                           kz_error *error);
/* KZ_ERR_CORRUPT: the probabilities make no sense, and why. */
kz_status kz_shares_bad(kz_error *error, const char *what);

/* A number by itself: each has the same share. */
enum { KZ_RAW_SHARE = KZ_SCALE / KZ_SYMBOLS, KZ_SYMBOL_STEPS_MOST = 2 };

/* How many symbols of a octet there are. */
static inline unsigned kz_octet_symbols(const kz_symbol_octet *octet) {
    unsigned count = 0;
    while (count < KZ_OCTET && octet->bounds[count + 1] != KZ_NO_BOUND) {
        count++;
    }
    return count;
}

/* Which symbol of a octet is the first that is `value` or the escape; KZ_OCTET: none. The plain way, and at once on
 * processors that have SSE2. Where a octet has no symbols it is filled with 0; the escape, the last symbol of a
 * context, comes before that. */
static inline unsigned kz_octet_find_plain(const kz_symbol_octet *octet, unsigned value, unsigned escape) {
    unsigned place = 0;
    while (place < KZ_OCTET && octet->symbols[place] != value && octet->symbols[place] != escape) {
        place++;
    }
    return place;
}

static inline unsigned kz_octet_find(const kz_symbol_octet *octet, unsigned value, unsigned escape) {
#ifdef __SSE2__
    __m128i symbols = _mm_loadl_epi64((const __m128i *)(const void *)octet->symbols);
    __m128i found = _mm_or_si128(_mm_cmpeq_epi8(symbols, _mm_set1_epi8((char)value)),
                                 _mm_cmpeq_epi8(symbols, _mm_set1_epi8((char)escape)));
    unsigned places = (unsigned)_mm_movemask_epi8(found) & ((1U << KZ_OCTET) - 1);
    return kz_lowest_bit32(places | 1U << KZ_OCTET);
#else
    return kz_octet_find_plain(octet, value, escape);
#endif
}

/* Adds the steps that code a symbol: one, or two if the context does not list it. Returns how many. */
static inline unsigned kz_shares_add_steps(const kz_shares *shares, unsigned context, unsigned value, uint32_t *steps) {
    const kz_symbol_octet *last = &shares->octets[shares->first[context + 1]];
    unsigned count = 0;
    unsigned found = shares->escape;
    for (const kz_symbol_octet *octet = &shares->octets[shares->first[context]]; octet != last; octet++) {
        unsigned place = kz_octet_find(octet, value, shares->escape);
        if (place < KZ_OCTET) {
            found = octet->symbols[place];
            steps[count++] =
                kz_rans_step(octet->bounds[place], (uint32_t)octet->bounds[place + 1] - octet->bounds[place]);
            break;
        }
    }
    if (found == shares->escape) {
        steps[count++] = kz_rans_step(value * KZ_RAW_SHARE, KZ_RAW_SHARE);
    }
    return count;
}

/* How many symbols of a octet end at or before a slot: the plain way, and at once on processors that have SSE2. The
 * bounds ascend, so counting stops at the first one above. (A loop that adds up all comparisons is what gcc 12 gets
 * wrong for arm64 with -O3: it leaves out a sign.) */
static inline unsigned kz_octet_before_plain(const kz_symbol_octet *octet, uint32_t slot) {
    unsigned before = 0;
    while (before < KZ_OCTET && slot >= octet->bounds[before + 1]) {
        before++;
    }
    return before;
}

static inline unsigned kz_octet_before(const kz_symbol_octet *octet, uint32_t slot) {
#ifdef __SSE2__
    __m128i bounds = _mm_loadu_si128((const __m128i *)(const void *)&octet->bounds[1]);
    int above = _mm_movemask_epi8(_mm_cmpgt_epi16(bounds, _mm_set1_epi16((short)slot)));
    /* Two bits for each bound, and they ascend; one more beyond the last. */
    return kz_lowest_bit32((uint32_t)above | 1U << (2 * KZ_OCTET)) / 2;
#else
    return kz_octet_before_plain(octet, slot);
#endif
}

static inline unsigned kz_shares_decode(const kz_shares *shares, unsigned context, kz_rans *rans) {
    const kz_symbol_octet *octet = &shares->octets[shares->first[context]];
    unsigned value = shares->escape;
    if (octet != &shares->octets[shares->first[context + 1]]) {
        uint32_t slot = kz_rans_slot(rans);
        unsigned before = kz_octet_before(octet, slot);
        /* The bounds of the last octet end with the whole range or with KZ_NO_BOUND, both above any slot. */
        while (before == KZ_OCTET) {
            octet++;
            before = kz_octet_before(octet, slot);
        }
        value = octet->symbols[before];
        uint32_t start = octet->bounds[before];
        kz_rans_advance(rans, start, octet->bounds[before + 1] - start);
    }
    if (value == shares->escape) {
        value = kz_rans_slot(rans) / KZ_RAW_SHARE;
        kz_rans_advance(rans, value * KZ_RAW_SHARE, KZ_RAW_SHARE);
    }
    return value;
}

#endif
