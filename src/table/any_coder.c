/* SPDX-License-Identifier: MIT
 *
 * Counting, encoding and decoding go through the same walk over a block, so that they can't disagree: `look` gathers
 * the candidates of an entry, and the three differ only in what they do with an answer. */
#include "table/any_coder.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum {
    SELF_ESCAPE = 255, /* a value by itself that its context does not list */
    SELF_LARGE = 254,  /* a number that does not fit into a symbol */
    NOTHING = 1 << 16, /* the entry would lie before the block */
    RAW_BITS = 8,
    STRIDES_END = KZ_ANY_BLOCK / 2, /* strides are below it */
    MODEL_HEAD = 12
};

/* What a stride's vote counts, the first stride the most. */
static const uint8_t weights[KZ_ANY_STRIDES] = {12, 11, 10, 9, 8, 7};

/* The candidates of one entry, best first. */
typedef struct look {
    unsigned neighbour[KZ_ANY_STRIDES];
    unsigned count;
    unsigned candidate[KZ_ANY_STRIDES];
} look;

static void gather(const kz_any_model *model, const uint16_t *entries, unsigned i, look *l) {
    unsigned votes[KZ_ANY_STRIDES];
    l->count = 0;
    for (unsigned k = 0; k < model->strides; k++) {
        uint32_t stride = model->stride[k];
        unsigned value = i >= stride ? entries[i - stride] : NOTHING;
        l->neighbour[k] = value;
        if (value == NOTHING) {
            continue;
        }
        unsigned at = 0;
        while (at < l->count && l->candidate[at] != value) {
            at++;
        }
        if (at == l->count) {
            l->candidate[at] = value;
            votes[at] = 0;
            l->count++;
        }
        votes[at] += weights[k];
        /* A candidate with more votes moves to the front; equal ones keep their order. */
        while (at > 0 && votes[at] > votes[at - 1]) {
            unsigned vote = votes[at];
            votes[at] = votes[at - 1];
            votes[at - 1] = vote;
            l->candidate[at] = l->candidate[at - 1];
            l->candidate[--at] = value;
        }
    }
}

static unsigned question(const kz_any_model *model, const look *l, unsigned number) {
    unsigned candidate = l->candidate[number];
    unsigned pattern = 0;
    for (unsigned k = 0; k < KZ_ANY_STRIDES; k++) {
        unsigned value = k < model->strides ? l->neighbour[k] : NOTHING;
        pattern = pattern * 3 + (value == NOTHING ? 2 : value == candidate);
    }
    unsigned next = number + 1 < l->count ? 1 + model->kind[l->candidate[number + 1]] : 0;
    return (number * KZ_ANY_PATTERNS + pattern) * KZ_ANY_KINDS * (KZ_ANY_KINDS + 1) +
           model->kind[candidate] * (KZ_ANY_KINDS + 1) + next;
}

static unsigned asked(const look *l) { return l->count < KZ_ANY_CANDIDATES ? l->count : KZ_ANY_CANDIDATES; }

/* The context of a value by itself: what the first two candidates were. */
static unsigned self_context(const kz_any_model *model, const look *l) {
    if (l->count == 0) {
        return KZ_ANY_CONTEXTS - 1;
    }
    return model->kind[l->candidate[0]] * (KZ_ANY_KINDS + 1U) + (l->count > 1 ? 1U + model->kind[l->candidate[1]] : 0U);
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

typedef struct counted {
    uint64_t count;
    kz_code code;
} counted;

static int most_frequent_first(const void *left, const void *right) {
    const counted *a = left;
    const counted *b = right;
    if (a->count != b->count) {
        return a->count < b->count ? 1 : -1;
    }
    return a->code < b->code ? -1 : a->code > b->code;
}

static kz_status no_memory(kz_error *error) {
    return kz_fail(error, KZ_ERR_MEMORY, "no memory for the table's values");
}

/* The places of all codes in the list, from the list. */
static bool number_codes(kz_any_values *values) {
    values->number = calloc((size_t)values->limit + 1, sizeof *values->number);
    for (unsigned i = 0; values->number && i < values->count; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): `count` codes are set */
        values->number[values->codes[i]] = (uint16_t)i;
    }
    return values->number;
}

kz_status kz_any_values_make(kz_any_values *values, const uint64_t *histogram, kz_code limit, kz_error *error) {
    *values = (kz_any_values){.limit = limit};
    counted *order = malloc(((size_t)limit + 1) * sizeof *order);
    size_t count = 0;
    for (kz_code code = 0; order && code < limit; code++) {
        if (histogram[code]) {
            order[count++] = (counted){histogram[code], code};
        }
    }
    if (order && count > KZ_ANY_VALUES) {
        free(order);
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "the solution has too many different values for a table");
    }
    values->codes = order ? malloc((count + 1) * sizeof *values->codes) : NULL;
    if (!values->codes) {
        free(order);
        return no_memory(error);
    }
    qsort(order, count, sizeof *order, most_frequent_first);
    values->count = (unsigned)count;
    for (size_t i = 0; i < count; i++) {
        values->codes[i] = order[i].code;
    }
    free(order);
    return number_codes(values) ? KZ_OK : no_memory(error);
}

void kz_any_values_free(kz_any_values *values) {
    free(values->codes);
    free(values->number);
    *values = (kz_any_values){.count = 0};
}

/* Holes, draws, and losses and wins by how near they are. */
static uint8_t kind_of(kz_code code) {
    static const unsigned far[] = {3, 12};
    if (code <= KZ_CODE_DRAW) {
        return (uint8_t)code;
    }
    unsigned plies = (code - 2) / 2;
    unsigned distance = plies > far[1] ? 2 : plies > far[0] ? 1 : 0;
    return (uint8_t)(2 + code % 2 * 3 + distance);
}

/* ---- The model --------------------------------------------------------------------------------------------------- */

kz_any_model *kz_any_model_new(kz_any_values *values) {
    kz_any_model *model = calloc(1, sizeof *model);
    if (!model) {
        kz_any_values_free(values);
        return NULL;
    }
    model->values = *values;
    *values = (kz_any_values){.count = 0};
    model->kind = malloc(model->values.count + 1);
    model->yes = malloc((size_t)KZ_ANY_CANDIDATES * KZ_ANY_QUESTIONS * sizeof *model->yes);
    if (!model->kind || !model->yes) {
        kz_any_model_free(model);
        return NULL;
    }
    for (unsigned i = 0; i < model->values.count; i++) {
        model->kind[i] = kind_of(model->values.codes[i]);
    }
    return model;
}

void kz_any_model_free(kz_any_model *model) {
    if (model) {
        kz_any_values_free(&model->values);
        kz_shares_free(&model->self);
        free(model->kind);
        free(model->yes);
        free(model);
    }
}

static bool has_stride(const kz_any_model *model, uint32_t stride) {
    for (unsigned k = 0; k < model->strides; k++) {
        if (model->stride[k] == stride) {
            return true;
        }
    }
    return false;
}

/* For each stride: how many entries equal the one that lies so far before, of those that no earlier stride predicts.
 * What most entries are says nothing: it is number 0, because values are numbered by how frequent they are. Few entries
 * are left, so all strides are looked at for each of them, in the block turned round, where that goes upwards. */
static void find_gains(const uint16_t *entries, const uint8_t *predicted, size_t blocks, uint64_t *gains) {
    uint16_t turned[KZ_ANY_BLOCK];
    uint16_t hits[STRIDES_END];
    memset(gains, 0, STRIDES_END * sizeof *gains);
    for (size_t block = 0; block < blocks; block++) {
        const uint16_t *e = entries + block * KZ_ANY_BLOCK;
        const uint8_t *p = predicted + block * KZ_ANY_BLOCK;
        for (uint32_t i = 0; i < KZ_ANY_BLOCK; i++) {
            turned[KZ_ANY_BLOCK - 1 - i] = e[i];
        }
        memset(hits, 0, sizeof hits);
        for (uint32_t i = 1; i < KZ_ANY_BLOCK; i++) {
            if (p[i] || e[i] == 0) {
                continue;
            }
            const uint16_t *before = turned + KZ_ANY_BLOCK - 1 - i; /* before[stride] is e[i - stride] */
            uint16_t value = e[i];
            uint32_t end = i < STRIDES_END - 1 ? i + 1 : STRIDES_END;
            for (uint32_t stride = 1; stride < end; stride++) {
                hits[stride] = (uint16_t)(hits[stride] + (before[stride] == value));
            }
        }
        for (uint32_t stride = 1; stride < STRIDES_END; stride++) {
            gains[stride] += hits[stride];
        }
    }
}

static void add_stride(kz_any_model *model, const uint16_t *entries, uint8_t *predicted, size_t blocks,
                       uint32_t stride) {
    model->stride[model->strides++] = stride;
    for (size_t block = 0; block < blocks; block++) {
        const uint16_t *e = entries + block * KZ_ANY_BLOCK;
        uint8_t *p = predicted + block * KZ_ANY_BLOCK;
        for (uint32_t i = stride; i < KZ_ANY_BLOCK; i++) {
            p[i] = (uint8_t)(p[i] | (e[i] == e[i - stride]));
        }
    }
}

bool kz_any_find_strides(kz_any_model *model, const uint16_t *entries, size_t blocks, const uint64_t *given,
                         size_t given_count) {
    uint8_t *predicted = calloc(blocks ? blocks : 1, KZ_ANY_BLOCK);
    uint64_t *gains = calloc(STRIDES_END, sizeof *gains);
    if (!predicted || !gains) {
        free(predicted);
        free(gains);
        return false;
    }
    model->strides = 0;
    for (size_t k = 0; k < given_count && given[k] && model->strides < KZ_ANY_STRIDES; k++) {
        if (given[k] < STRIDES_END && !has_stride(model, (uint32_t)given[k])) {
            add_stride(model, entries, predicted, blocks, (uint32_t)given[k]);
        }
    }
    while (model->strides < KZ_ANY_STRIDES) {
        uint64_t most = 0;
        uint32_t best = 0;
        find_gains(entries, predicted, blocks, gains);
        for (uint32_t stride = 1; stride < STRIDES_END; stride++) {
            uint64_t here = has_stride(model, stride) ? 0 : gains[stride];
            if (here > most) {
                most = here;
                best = stride;
            }
        }
        if (!best) {
            break;
        }
        add_stride(model, entries, predicted, blocks, best);
    }
    if (model->strides == 0) {
        model->stride[model->strides++] = 1;
    }
    free(predicted);
    free(gains);
    return true;
}

void kz_any_count(const kz_any_model *model, const uint16_t *entries, unsigned count, kz_any_counts *counts) {
    for (unsigned i = 0; i < count; i++) {
        look l;
        gather(model, entries, i, &l);
        bool found = false;
        for (unsigned k = 0; k < asked(&l) && !found; k++) {
            found = l.candidate[k] == entries[i];
            counts->question[question(model, &l, k)][found]++;
        }
        if (!found) {
            counts->self[self_context(model, &l)][entries[i] < SELF_LARGE ? entries[i] : SELF_LARGE]++;
        }
    }
}

bool kz_any_learn(kz_any_model *model, const kz_any_counts *counts) {
    for (size_t i = 0; i < (size_t)KZ_ANY_CANDIDATES * KZ_ANY_QUESTIONS; i++) {
        model->yes[i] = kz_careful_share(counts->question[i]);
    }
    return kz_shares_make(&model->self, KZ_ANY_CONTEXTS, SELF_ESCAPE, counts->self);
}

/* Whether only losses are told apart (u32), the number of values (u32), of strides (u32), the strides and the codes
 * (u32 each), the shares of a yes (u16 each), those of values by themselves. */
uint8_t *kz_any_model_pack(const kz_any_model *model, size_t *size) {
    size_t questions = (size_t)KZ_ANY_CANDIDATES * KZ_ANY_QUESTIONS;
    *size =
        MODEL_HEAD + 4 * ((size_t)KZ_ANY_STRIDES + model->values.count) + 2 * questions + kz_shares_bytes(&model->self);
    uint8_t *bytes = malloc(*size);
    if (!bytes) {
        return NULL;
    }
    uint8_t *at = bytes;
    kz_store_le32(at, model->losses_only);
    kz_store_le32(at + 4, model->values.count);
    kz_store_le32(at + 8, model->strides);
    at += MODEL_HEAD;
    for (unsigned k = 0; k < KZ_ANY_STRIDES; k++, at += 4) {
        kz_store_le32(at, k < model->strides ? model->stride[k] : 0);
    }
    for (unsigned i = 0; i < model->values.count; i++, at += 4) {
        kz_store_le32(at, model->values.codes[i]);
    }
    for (size_t i = 0; i < questions; i++, at += 2) {
        kz_store_le16(at, model->yes[i]);
    }
    kz_shares_pack(&model->self, at);
    return bytes;
}

/* Reads the list of values: each at most once, none beyond what a distance allows. */
static kz_status unpack_values(const uint8_t *bytes, unsigned count, kz_any_values *values, kz_error *error) {
    enum { LIMIT = 3 + 2 * 65535 + 1 };
    *values = (kz_any_values){.count = count, .limit = LIMIT};
    values->codes = malloc(((size_t)count + 1) * sizeof *values->codes);
    uint8_t *seen = calloc(LIMIT, 1);
    kz_status status = values->codes && seen ? KZ_OK : no_memory(error);
    for (unsigned i = 0; status == KZ_OK && i < count; i++) {
        kz_code code = kz_load_le32(bytes + 4 * (size_t)i);
        if (code >= LIMIT || seen[code]) {
            status = kz_shares_bad(error, "a value is out of range or comes twice");
        } else {
            seen[code] = 1;
            values->codes[i] = code;
        }
    }
    free(seen);
    if (status == KZ_OK && !number_codes(values)) {
        status = no_memory(error);
    }
    return status;
}

kz_status kz_any_model_unpack(const uint8_t *bytes, size_t size, kz_any_model **unpacked, kz_error *error) {
    size_t questions = (size_t)KZ_ANY_CANDIDATES * KZ_ANY_QUESTIONS;
    unsigned count = size >= MODEL_HEAD ? kz_load_le32(bytes + 4) : 0;
    unsigned strides = size >= MODEL_HEAD ? kz_load_le32(bytes + 8) : 0;
    size_t fixed = MODEL_HEAD + 4 * ((size_t)KZ_ANY_STRIDES + count) + 2 * questions;
    if (count == 0 || count > KZ_ANY_VALUES || strides == 0 || strides > KZ_ANY_STRIDES || size < fixed) {
        return kz_shares_bad(error, "their size is wrong");
    }
    kz_any_values values;
    kz_status status = unpack_values(bytes + MODEL_HEAD + 4 * (size_t)KZ_ANY_STRIDES, count, &values, error);
    kz_any_model *model = NULL;
    if (status == KZ_OK) {
        model = kz_any_model_new(&values);
        status = model ? KZ_OK : no_memory(error);
    } else {
        kz_any_values_free(&values);
    }
    const uint8_t *yes = bytes + fixed - 2 * questions;
    uint32_t wrong = 0;
    for (size_t i = 0; status == KZ_OK && i < questions; i++) {
        uint32_t share = kz_load_le16(yes + 2 * i);
        model->yes[i] = (uint16_t)share;
        wrong |= (share | (share - 1)) >> KZ_SCALE_BITS; /* 0 for a share from 1 to 4095 */
    }
    for (unsigned k = 0; status == KZ_OK && k < strides; k++) {
        model->stride[model->strides++] = kz_load_le32(bytes + MODEL_HEAD + 4 * (size_t)k);
        wrong |= model->stride[k] == 0;
    }
    if (status == KZ_OK) {
        model->losses_only = kz_load_le32(bytes) == 1;
        wrong |= kz_load_le32(bytes) > 1;
    }
    if (status == KZ_OK && wrong) {
        status = kz_shares_bad(error, "one is out of range");
    }
    if (status == KZ_OK) {
        status = kz_shares_unpack(&model->self, KZ_ANY_CONTEXTS, SELF_ESCAPE, bytes + fixed, size - fixed, error);
    }
    if (status != KZ_OK) {
        kz_any_model_free(model);
        return status;
    }
    *unpacked = model;
    return KZ_OK;
}

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

static unsigned add_self(const kz_any_model *model, const look *l, unsigned value, uint32_t *steps) {
    unsigned symbol = value < SELF_LARGE ? value : SELF_LARGE;
    unsigned count = kz_shares_add_steps(&model->self, self_context(model, l), symbol, steps);
    if (symbol == SELF_LARGE) {
        steps[count++] = kz_rans_step((value >> RAW_BITS) * KZ_RAW_SHARE, KZ_RAW_SHARE);
        steps[count++] = kz_rans_step((value & 255) * KZ_RAW_SHARE, KZ_RAW_SHARE);
    }
    return count;
}

size_t kz_any_encode(const kz_any_model *model, const uint16_t *entries, unsigned count, uint32_t *steps,
                     uint8_t *bytes) {
    size_t used = 0;
    for (unsigned i = 0; i < count; i++) {
        look l;
        gather(model, entries, i, &l);
        bool found = false;
        for (unsigned k = 0; k < asked(&l) && !found; k++) {
            found = l.candidate[k] == entries[i];
            uint32_t yes = model->yes[question(model, &l, k)];
            steps[used++] = found ? kz_rans_step(0, yes) : kz_rans_step(yes, KZ_SCALE - yes);
        }
        if (!found) {
            used += add_self(model, &l, entries[i], steps + used);
        }
    }
    return kz_rans_encode(steps, used, bytes);
}

static unsigned decode_raw(kz_rans *rans) {
    unsigned value = kz_rans_slot(rans) / KZ_RAW_SHARE;
    kz_rans_advance(rans, value * KZ_RAW_SHARE, KZ_RAW_SHARE);
    return value;
}

static unsigned decode_self(const kz_any_model *model, const look *l, kz_rans *rans) {
    unsigned value = kz_shares_decode(&model->self, self_context(model, l), rans);
    if (value == SELF_LARGE) {
        value = decode_raw(rans) << RAW_BITS;
        value |= decode_raw(rans);
    }
    return value;
}

bool kz_any_decode(const kz_any_model *model, const uint8_t *bytes, size_t size, unsigned count, uint16_t *entries) {
    kz_rans rans;
    if (!kz_rans_begin(&rans, bytes, size)) {
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        look l;
        gather(model, entries, i, &l);
        bool found = false;
        unsigned value = 0;
        for (unsigned k = 0; k < asked(&l) && !found; k++) {
            uint32_t yes = model->yes[question(model, &l, k)];
            found = kz_rans_slot(&rans) < yes;
            if (found) {
                value = l.candidate[k];
                kz_rans_advance(&rans, 0, yes);
            } else {
                kz_rans_advance(&rans, yes, KZ_SCALE - yes);
            }
        }
        if (!found) {
            value = decode_self(model, &l, &rans);
        }
        if (value >= model->values.count) {
            return false;
        }
        entries[i] = (uint16_t)value;
    }
    return kz_rans_ended(&rans);
}
