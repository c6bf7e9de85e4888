/* SPDX-License-Identifier: MIT
 *
 * Shares of 4096 for the symbols of many contexts: from counts, to bytes and back. Used by the models of both kinds of
 * tables. */
#ifndef KZ_TABLE_SHARES_H
#define KZ_TABLE_SHARES_H

#include "table/rans.h"

#include <kanzen/error.h>

enum { KZ_SYMBOLS = 256 };

/* The share of the second of two symbols, 1 to 4095. The careful one expects that what was seen a few times only may
 * turn out otherwise. */
uint16_t kz_binary_share(const uint32_t counts[2]);
uint16_t kz_careful_share(const uint32_t counts[2]);

/* One symbol of a context, likely ones first, the escape last. */
typedef struct kz_symbol {
    uint16_t start; /* sum of the shares before it */
    uint16_t share;
    uint8_t symbol;
} kz_symbol;

/* The symbols of all contexts. A context that was never seen has none. The escape stands for a symbol that a context
 * does not list. */
typedef struct kz_shares {
    unsigned contexts;
    uint8_t escape;
    uint32_t *first; /* [contexts + 1]: where a context's symbols begin */
    kz_symbol *symbols;
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

/* Adds the steps that code a symbol: one, or two if the context does not list it. Returns how many. */
static inline unsigned kz_shares_add_steps(const kz_shares *shares, unsigned context, unsigned value, uint32_t *steps) {
    const kz_symbol *symbol = &shares->symbols[shares->first[context]];
    const kz_symbol *last = &shares->symbols[shares->first[context + 1]];
    unsigned count = 0;
    while (symbol != last && symbol->symbol != value && symbol->symbol != shares->escape) {
        symbol++;
    }
    if (symbol != last) {
        steps[count++] = kz_rans_step(symbol->start, symbol->share);
    }
    if (symbol == last || symbol->symbol == shares->escape) {
        steps[count++] = kz_rans_step(value * KZ_RAW_SHARE, KZ_RAW_SHARE);
    }
    return count;
}

static inline unsigned kz_shares_decode(const kz_shares *shares, unsigned context, kz_rans *rans) {
    const kz_symbol *symbol = &shares->symbols[shares->first[context]];
    const kz_symbol *last = &shares->symbols[shares->first[context + 1]];
    uint32_t slot = kz_rans_slot(rans);
    while (symbol != last && slot >= (uint32_t)symbol->start + symbol->share) {
        symbol++;
    }
    unsigned value = shares->escape;
    if (symbol != last) {
        value = symbol->symbol;
        kz_rans_advance(rans, symbol->start, symbol->share);
    }
    if (value == shares->escape) {
        value = kz_rans_slot(rans) / KZ_RAW_SHARE;
        kz_rans_advance(rans, value * KZ_RAW_SHARE, KZ_RAW_SHARE);
    }
    return value;
}

#endif
