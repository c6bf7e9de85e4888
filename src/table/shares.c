/* SPDX-License-Identifier: MIT */
#include "table/shares.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* ---- From counts to shares --------------------------------------------------------------------------------------- */

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

/* One symbol of a context. */
typedef struct symbol_share {
    uint16_t share;
    uint8_t symbol;
} symbol_share;

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
static unsigned share_out(const uint32_t counts[KZ_SYMBOLS], uint8_t escape, symbol_share *symbols) {
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
        symbols[i] = (symbol_share){.share = (uint16_t)(share ? share : 1), .symbol = order[i].symbol};
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
    return used;
}

/* ---- Octets
 * ----------------------------------------------------------------------------------------------------------
 */

static size_t octets_of(size_t symbols) { return (symbols + KZ_OCTET - 1) / KZ_OCTET; }

/* A octet whose first symbol begins at `start`, without symbols so far. */
static void begin_octet(kz_symbol_octet *octet, unsigned start) {
    memset(octet->symbols, 0, sizeof octet->symbols);
    octet->bounds[0] = (uint16_t)start;
    for (unsigned i = 1; i <= KZ_OCTET; i++) {
        octet->bounds[i] = KZ_NO_BOUND;
    }
}

/* malloc need not know that octets are aligned, and in the browser there is nothing else. */
static bool allocate(kz_shares *shares, unsigned contexts, uint8_t escape, size_t octets) {
    *shares = (kz_shares){.contexts = contexts,
                          .escape = escape,
                          .first = calloc((size_t)contexts + 1, sizeof *shares->first),
                          .memory = malloc((octets + 2) * sizeof *shares->octets)};
    if (!shares->first || !shares->memory) {
        return false;
    }
    size_t past = (uintptr_t)shares->memory % sizeof *shares->octets;
    shares->octets = (void *)((uint8_t *)shares->memory + (past ? sizeof *shares->octets - past : 0));
    return true;
}

bool kz_shares_make(kz_shares *shares, unsigned contexts, uint8_t escape, const uint32_t (*counts)[KZ_SYMBOLS]) {
    size_t octets = 0;
    for (unsigned context = 0; context < contexts; context++) {
        unsigned seen = 0;
        for (unsigned symbol = 0; symbol < KZ_SYMBOLS; symbol++) {
            seen += symbol != escape && counts[context][symbol] != 0;
        }
        octets += seen ? octets_of(seen + 1) : 0;
    }
    if (!allocate(shares, contexts, escape, octets)) {
        return false;
    }
    kz_symbol_octet *octet = shares->octets;
    for (unsigned context = 0; context < contexts; context++) {
        symbol_share symbols[KZ_SYMBOLS];
        unsigned used = share_out(counts[context], escape, symbols);
        unsigned start = 0;
        for (unsigned i = 0; i < used; i++) {
            unsigned place = i % KZ_OCTET;
            if (place == 0) {
                begin_octet(octet, start);
            }
            start += symbols[i].share;
            octet->bounds[place + 1] = (uint16_t)start;
            octet->symbols[place] = symbols[i].symbol;
            octet += place + 1 == KZ_OCTET || i + 1 == used;
        }
        shares->first[context + 1] = (uint32_t)(octet - shares->octets);
    }
    return true;
}

void kz_shares_free(kz_shares *shares) {
    free(shares->first);
    free(shares->memory);
    *shares = (kz_shares){.contexts = 0};
}

/* ---- As bytes ---------------------------------------------------------------------------------------------------- */

enum { SYMBOL_BYTES = 3 };

static size_t symbols_of(const kz_shares *shares, unsigned context) {
    size_t symbols = 0;
    for (uint32_t octet = shares->first[context]; octet < shares->first[context + 1]; octet++) {
        symbols += kz_octet_symbols(&shares->octets[octet]);
    }
    return symbols;
}

size_t kz_shares_bytes(const kz_shares *shares) {
    size_t bytes = 0;
    for (unsigned context = 0; context < shares->contexts; context++) {
        bytes += 2 + SYMBOL_BYTES * symbols_of(shares, context);
    }
    return bytes;
}

uint8_t *kz_shares_pack(const kz_shares *shares, uint8_t *bytes) {
    const kz_symbol_octet *end = shares->octets + shares->first[shares->contexts];
    uint8_t *at = bytes;
    for (unsigned context = 0; context < shares->contexts; context++, at += 2) {
        kz_store_le16(at, (uint16_t)symbols_of(shares, context));
    }
    for (const kz_symbol_octet *octet = shares->octets; octet != end; octet++) {
        unsigned symbols = kz_octet_symbols(octet);
        memcpy(at, octet->symbols, symbols);
        at += symbols;
    }
    for (const kz_symbol_octet *octet = shares->octets; octet != end; octet++) {
        unsigned symbols = kz_octet_symbols(octet);
        for (unsigned i = 0; i < symbols; i++, at += 2) {
            kz_store_le16(at, (uint16_t)(octet->bounds[i + 1] - octet->bounds[i]));
        }
    }
    return at;
}

kz_status kz_shares_bad(kz_error *error, const char *what) {
    return kz_fail(error, KZ_ERR_CORRUPT, "the probabilities in the table make no sense: %s", what);
}

/* Reads the octets of a context. Shares must be positive and add up, and the escape be there: otherwise coder or
 * decoder could run past them. */
static bool unpack_octets(kz_symbol_octet *octet, const uint8_t *symbols, const uint8_t *shares, size_t count,
                          uint8_t escape) {
    unsigned start = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned place = i % KZ_OCTET;
        unsigned share = kz_load_le16(shares + 2 * i);
        if (place == 0) {
            begin_octet(octet, start);
        }
        start += share;
        if (share == 0 || start > KZ_SCALE) {
            return false;
        }
        octet->bounds[place + 1] = (uint16_t)start;
        octet->symbols[place] = symbols[i];
        octet += place + 1 == KZ_OCTET;
    }
    return count == 0 || (start == KZ_SCALE && symbols[count - 1] == escape);
}

kz_status kz_shares_unpack(kz_shares *shares, unsigned contexts, uint8_t escape, const uint8_t *bytes, size_t size,
                           kz_error *error) {
    size_t fixed = 2 * (size_t)contexts;
    *shares = (kz_shares){.contexts = 0};
    if (size < fixed || (size - fixed) % SYMBOL_BYTES) {
        return kz_shares_bad(error, "their size is wrong");
    }
    size_t symbols = (size - fixed) / SYMBOL_BYTES;
    size_t sum = 0;
    size_t octets = 0;
    for (unsigned context = 0; context < contexts; context++) {
        size_t count = kz_load_le16(bytes + 2 * (size_t)context);
        sum += count;
        octets += octets_of(count);
    }
    if (sum != symbols) {
        return kz_shares_bad(error, "their number is wrong");
    }
    if (!allocate(shares, contexts, escape, octets)) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the table's probabilities");
    }
    const uint8_t *symbol = bytes + fixed;
    const uint8_t *share = symbol + symbols;
    for (unsigned context = 0; context < contexts; context++) {
        size_t count = kz_load_le16(bytes + 2 * (size_t)context);
        uint32_t first = shares->first[context];
        if (!unpack_octets(&shares->octets[first], symbol, share, count, escape)) {
            return kz_shares_bad(error, "they don't add up");
        }
        symbol += count;
        share += 2 * count;
        shares->first[context + 1] = first + (uint32_t)octets_of(count);
    }
    return KZ_OK;
}
