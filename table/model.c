/* SPDX-License-Identifier: MIT */
#include "table/model.h"

#include "base/bits.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* ---- From counts to shares -----------------------------------------------------------------------------------------
 */

static uint16_t lost_share(const uint32_t counts[2]) {
    uint64_t all = (uint64_t)counts[0] + counts[1];
    uint64_t share = all ? (counts[1] * (uint64_t)KZ_SCALE + all / 2) / all : KZ_SCALE / 2;
    return (uint16_t)(share < 1 ? 1 : share > KZ_SCALE - 1 ? KZ_SCALE - 1 : share);
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
static unsigned share_out(const uint32_t counts[KZ_SYMBOLS], kz_model_symbol *symbols) {
    ranked order[KZ_SYMBOLS];
    unsigned used = 0;
    uint64_t all = 0;
    for (unsigned symbol = KZ_ESCAPE + 1; symbol < KZ_SYMBOLS; symbol++) {
        if (counts[symbol]) {
            order[used++] = (ranked){counts[symbol], (uint8_t)symbol};
            all += counts[symbol];
        }
    }
    if (used == 0) {
        return 0;
    }
    qsort(order, used, sizeof *order, by_count);
    order[used++] = (ranked){1, KZ_ESCAPE}; /* the last one, whatever it is expected to need */
    int left = KZ_SCALE;
    for (unsigned i = 0; i < used; i++) {
        uint64_t share = order[i].count * (uint64_t)KZ_SCALE / all;
        symbols[i] = (kz_model_symbol){.share = (uint16_t)(share ? share : 1), .symbol = order[i].symbol};
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

static kz_model *model_alloc(size_t symbols) {
    kz_model *model = calloc(1, sizeof *model);
    if (model) {
        model->symbols = malloc((symbols ? symbols : 1) * sizeof *model->symbols);
        if (!model->symbols) {
            free(model);
            model = NULL;
        }
    }
    return model;
}

kz_model *kz_model_new(const kz_model_counts *counts) {
    size_t symbols = 0;
    for (unsigned context = 0; context < KZ_DISTANCE_CONTEXTS; context++) {
        unsigned seen = 0;
        for (unsigned symbol = KZ_ESCAPE + 1; symbol < KZ_SYMBOLS; symbol++) {
            seen += counts->distance[context][symbol] != 0;
        }
        symbols += seen ? seen + 1 : 0;
    }
    kz_model *model = model_alloc(symbols);
    if (!model) {
        return NULL;
    }
    for (unsigned context = 0; context < KZ_LOST_CONTEXTS; context++) {
        model->lost_share[context] = lost_share(counts->lost[context]);
    }
    for (unsigned context = 0; context < KZ_DISTANCE_CONTEXTS; context++) {
        uint32_t first = model->first[context];
        model->first[context + 1] = first + share_out(counts->distance[context], &model->symbols[first]);
    }
    return model;
}

void kz_model_free(kz_model *model) {
    if (model) {
        free(model->symbols);
        free(model);
    }
}

/* ---- As bytes ------------------------------------------------------------------------------------------------------
 */

/* Shares of "lost" (u16 each), then for each distance context the number of its symbols (u16), their numbers (u8 each)
 * and shares (u16 each). Kept in separate runs, because like follows like compresses better. */
uint8_t *kz_model_pack(const kz_model *model, size_t *size) {
    size_t symbols = model->first[KZ_DISTANCE_CONTEXTS];
    *size = 2 * (size_t)KZ_LOST_CONTEXTS + 2 * (size_t)KZ_DISTANCE_CONTEXTS + 3 * symbols;
    uint8_t *bytes = malloc(*size);
    if (!bytes) {
        return NULL;
    }
    uint8_t *at = bytes;
    for (unsigned context = 0; context < KZ_LOST_CONTEXTS; context++, at += 2) {
        kz_store_le16(at, model->lost_share[context]);
    }
    for (unsigned context = 0; context < KZ_DISTANCE_CONTEXTS; context++, at += 2) {
        kz_store_le16(at, (uint16_t)(model->first[context + 1] - model->first[context]));
    }
    for (size_t i = 0; i < symbols; i++, at++) {
        *at = model->symbols[i].symbol;
    }
    for (size_t i = 0; i < symbols; i++, at += 2) {
        kz_store_le16(at, model->symbols[i].share);
    }
    return bytes;
}

static kz_status bad_model(kz_error *error, const char *what) {
    return kz_fail(error, KZ_ERR_CORRUPT, "the probabilities in the table make no sense: %s", what);
}

/* Shares of a context must be positive and add up, and the escape be there: otherwise coder or decoder could run past
 * them. */
static bool add_up(kz_model_symbol *symbols, size_t count) {
    unsigned start = 0;
    for (size_t i = 0; i < count; i++) {
        symbols[i].start = (uint16_t)start;
        start += symbols[i].share;
        if (symbols[i].share == 0 || start > KZ_SCALE) {
            return false;
        }
    }
    return count == 0 || (start == KZ_SCALE && symbols[count - 1].symbol == KZ_ESCAPE);
}

kz_status kz_model_unpack(const uint8_t *bytes, size_t size, kz_model **unpacked, kz_error *error) {
    size_t fixed = 2 * (size_t)KZ_LOST_CONTEXTS + 2 * (size_t)KZ_DISTANCE_CONTEXTS;
    if (size < fixed || (size - fixed) % 3) {
        return bad_model(error, "their size is wrong");
    }
    size_t symbols = (size - fixed) / 3;
    kz_model *model = model_alloc(symbols);
    if (!model) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the table's probabilities");
    }
    const char *wrong = NULL;
    const uint8_t *at = bytes;
    for (unsigned context = 0; context < KZ_LOST_CONTEXTS; context++, at += 2) {
        model->lost_share[context] = kz_load_le16(at);
        if (model->lost_share[context] == 0 || model->lost_share[context] >= KZ_SCALE) {
            wrong = "one is out of range";
        }
    }
    size_t sum = 0;
    for (unsigned context = 0; context < KZ_DISTANCE_CONTEXTS; context++, at += 2) {
        sum += kz_load_le16(at);
        model->first[context + 1] = (uint32_t)sum;
    }
    if (sum != symbols) {
        wrong = "their number is wrong";
    }
    if (!wrong) {
        for (size_t i = 0; i < symbols; i++) {
            model->symbols[i] = (kz_model_symbol){.symbol = at[i], .share = kz_load_le16(at + symbols + 2 * i)};
        }
        for (unsigned context = 0; context < KZ_DISTANCE_CONTEXTS && !wrong; context++) {
            uint32_t first = model->first[context];
            if (!add_up(&model->symbols[first], model->first[context + 1] - first)) {
                wrong = "they don't add up";
            }
        }
    }
    if (wrong) {
        kz_model_free(model);
        return bad_model(error, wrong);
    }
    *unpacked = model;
    return KZ_OK;
}
