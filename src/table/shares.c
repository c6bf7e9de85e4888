/* SPDX-License-Identifier: MIT */
#include "table/shares.h"

#include "base/error.h"

#include <stdlib.h>

/* ---- From counts to shares -----------------------------------------------------------------------------------------
 */

static uint16_t share_of(uint64_t part, uint64_t all) {
    uint64_t share = (part * KZ_SCALE + all / 2) / all;
    return (uint16_t)(share < 1 ? 1 : share > KZ_SCALE - 1 ? KZ_SCALE - 1 : share);
}

uint16_t kz_binary_share(const uint32_t counts[2]) {
    uint64_t all = (uint64_t)counts[0] + counts[1];
    return all ? share_of(counts[1], all) : KZ_SCALE / 2;
}

uint16_t kz_careful_share(const uint32_t counts[2]) {
    return share_of(2 * (uint64_t)counts[1] + 1, 2 * ((uint64_t)counts[0] + counts[1]) + 2);
}

typedef struct ranked {
    uint32_t count;
    uint8_t symbol;
} ranked;

static int by_count(const void *left, const void *right) {
    const ranked *a = left;
    const ranked *b = right;
    if (a->count != b->count) {
        return a->count < b->count ? 1 : -1;
    }
    return a->symbol - b->symbol;
}

/* Gives every symbol that occurs, and the escape, at least 1 of 4096, in proportion otherwise, and what rounding leaves
 * over or takes too much to the most frequent ones. A context that was never seen has no symbols: all is escape. */
static unsigned share_out(const uint32_t counts[KZ_SYMBOLS], uint8_t escape, kz_symbol *symbols) {
    ranked order[KZ_SYMBOLS];
    unsigned used = 0;
    uint64_t all = 0;
    for (unsigned symbol = 0; symbol < KZ_SYMBOLS; symbol++) {
        if (counts[symbol] && symbol != escape) {
            order[used++] = (ranked){counts[symbol], (uint8_t)symbol};
            all += counts[symbol];
        }
    }
    if (used == 0) {
        return 0;
    }
    qsort(order, used, sizeof *order, by_count);
    order[used++] = (ranked){1, escape}; /* the last one, whatever it is expected to need */
    int left = KZ_SCALE;
    for (unsigned i = 0; i < used; i++) {
        uint64_t share = order[i].count * (uint64_t)KZ_SCALE / all;
        symbols[i] = (kz_symbol){.share = (uint16_t)(share ? share : 1), .symbol = order[i].symbol};
        left -= symbols[i].share;
    }
    for (unsigned i = 0; left > 0; i = (i + 1) % used, left--) {
        symbols[i].share++;
    }
    for (unsigned i = 0; left < 0; i = (i + 1) % used) {
        if (symbols[i].share > 1) {
            symbols[i].share--;
            left++;
        }
    }
    unsigned start = 0;
    for (unsigned i = 0; i < used; i++) {
        symbols[i].start = (uint16_t)start;
        start += symbols[i].share;
    }
    return used;
}

static bool allocate(kz_shares *shares, unsigned contexts, uint8_t escape, size_t symbols) {
    *shares = (kz_shares){.contexts = contexts,
                          .escape = escape,
                          .first = calloc((size_t)contexts + 1, sizeof *shares->first),
                          .symbols = malloc((symbols + 1) * sizeof *shares->symbols)};
    return shares->first && shares->symbols;
}

bool kz_shares_make(kz_shares *shares, unsigned contexts, uint8_t escape, const uint32_t (*counts)[KZ_SYMBOLS]) {
    size_t symbols = 0;
    for (unsigned context = 0; context < contexts; context++) {
        unsigned seen = 0;
        for (unsigned symbol = 0; symbol < KZ_SYMBOLS; symbol++) {
            seen += symbol != escape && counts[context][symbol] != 0;
        }
        symbols += seen ? seen + 1 : 0;
    }
    if (!allocate(shares, contexts, escape, symbols)) {
        return false;
    }
    for (unsigned context = 0; context < contexts; context++) {
        uint32_t first = shares->first[context];
        shares->first[context + 1] = first + share_out(counts[context], escape, &shares->symbols[first]);
    }
    return true;
}

void kz_shares_free(kz_shares *shares) {
    free(shares->first);
    free(shares->symbols);
    *shares = (kz_shares){.contexts = 0};
}

/* ---- As bytes ------------------------------------------------------------------------------------------------------
 */

enum { SYMBOL_BYTES = 3 };

size_t kz_shares_bytes(const kz_shares *shares) {
    return 2 * (size_t)shares->contexts + SYMBOL_BYTES * (size_t)shares->first[shares->contexts];
}

uint8_t *kz_shares_pack(const kz_shares *shares, uint8_t *bytes) {
    size_t symbols = shares->first[shares->contexts];
    uint8_t *at = bytes;
    for (unsigned context = 0; context < shares->contexts; context++, at += 2) {
        kz_store_le16(at, (uint16_t)(shares->first[context + 1] - shares->first[context]));
    }
    for (size_t i = 0; i < symbols; i++, at++) {
        *at = shares->symbols[i].symbol;
    }
    for (size_t i = 0; i < symbols; i++, at += 2) {
        kz_store_le16(at, shares->symbols[i].share);
    }
    return at;
}

kz_status kz_shares_bad(kz_error *error, const char *what) {
    return kz_fail(error, KZ_ERR_CORRUPT, "the probabilities in the table make no sense: %s", what);
}

/* Shares of a context must be positive and add up, and the escape be there: otherwise coder or decoder could run past
 * them. */
static bool add_up(kz_symbol *symbols, size_t count, uint8_t escape) {
    unsigned start = 0;
    for (size_t i = 0; i < count; i++) {
        symbols[i].start = (uint16_t)start;
        start += symbols[i].share;
        if (symbols[i].share == 0 || start > KZ_SCALE) {
            return false;
        }
    }
    return count == 0 || (start == KZ_SCALE && symbols[count - 1].symbol == escape);
}

kz_status kz_shares_unpack(kz_shares *shares, unsigned contexts, uint8_t escape, const uint8_t *bytes, size_t size,
                           kz_error *error) {
    size_t fixed = 2 * (size_t)contexts;
    *shares = (kz_shares){.contexts = 0};
    if (size < fixed || (size - fixed) % SYMBOL_BYTES) {
        return kz_shares_bad(error, "their size is wrong");
    }
    size_t symbols = (size - fixed) / SYMBOL_BYTES;
    if (!allocate(shares, contexts, escape, symbols)) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the table's probabilities");
    }
    const uint8_t *at = bytes;
    size_t sum = 0;
    for (unsigned context = 0; context < contexts; context++, at += 2) {
        sum += kz_load_le16(at);
        shares->first[context + 1] = (uint32_t)sum;
    }
    if (sum != symbols) {
        return kz_shares_bad(error, "their number is wrong");
    }
    for (size_t i = 0; i < symbols; i++) {
        shares->symbols[i] = (kz_symbol){.symbol = at[i], .share = kz_load_le16(at + symbols + 2 * i)};
    }
    for (unsigned context = 0; context < contexts; context++) {
        uint32_t first = shares->first[context];
        if (!add_up(&shares->symbols[first], shares->first[context + 1] - first, escape)) {
            return kz_shares_bad(error, "they don't add up");
        }
    }
    return KZ_OK;
}
