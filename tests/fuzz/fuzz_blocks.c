/* SPDX-License-Identifier: MIT
 *
 * The coders of both kinds of tables, with probabilities and plans that are made up from a seed, as any may be in a
 * table: bytes as a coded block, bytes as the numbers of a block, bytes as probabilities. The first byte says which. */
#include "tests/fuzz/laws.h"

#include "games/dobutsu/table/coder.h"
#include "games/pushfight/table/run_encoder.h"
#include "tests/support/forge.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);

/* ---- What is made up --------------------------------------------------------------------------------------------- */

enum { PLACES = 512, RUN = 4, GROUP = 64, GROUPS = PLACES / GROUP };

static kz_model *losses;
static kz_plan plan;
static kz_run_model *values;
static kz_run_layout layout;
static kz_group_plan groups[GROUPS];

static uint64_t state = 20;

static unsigned below(unsigned limit) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((state >> 33) % limit);
}

static void make_losses(void) {
    kz_model_counts *counts = fuzz_memory(calloc(1, sizeof *counts));
    for (unsigned i = 0; i < KZ_LOST_CONTEXTS; i++) {
        counts->lost[i][0] = below(3) ? below(1000) : 0;
        counts->lost[i][1] = below(3) ? below(1000) : 0;
    }
    for (unsigned i = 0; i < KZ_DISTANCE_CONTEXTS; i++) {
        for (unsigned k = below(6); k > 0; k--) {
            counts->distance[i][1 + below(below(2) ? 20 : KZ_SYMBOLS - 1)] = 1 + below(500);
        }
    }
    losses = fuzz_memory(kz_model_new(counts));
    free(counts);
    for (unsigned i = 0; i < PLACES; i++) {
        plan.feature[i] = (uint8_t)(below(8) ? below(KZ_PLAN_CLASSES) : KZ_PLAN_SKIP);
        for (unsigned k = 0; k < KZ_PLAN_NEIGHBOURS; k++) {
            plan.near[k][i] = (uint16_t)below(i + 1);
        }
    }
}

static void make_values(void) {
    kz_run_counts *counts = fuzz_memory(calloc(1, sizeof *counts));
    for (size_t i = 0; i < KZ_QUESTION_CONTEXTS; i += 1 + below(4)) {
        counts->question[i][0] = below(100);
        counts->question[i][1] = below(100);
    }
    for (unsigned i = 0; i < KZ_VALUE_CONTEXTS; i++) {
        for (unsigned k = below(6); k > 0; k--) {
            counts->value[i][below(KZ_RUN_ESCAPE)] = 1 + below(500);
        }
    }
    values = fuzz_memory(kz_run_model_new(counts));
    free(counts);
    if (!kz_run_layout_open(&layout, RUN, GROUP)) {
        abort();
    }
    for (unsigned i = 0; i < GROUP; i++) {
        for (unsigned k = 0; k < KZ_RUN_NEIGHBOURS; k++) {
            layout.places[i].back[k] = (uint16_t)below(i + 1);
        }
        layout.places[i].kind = (uint8_t)below(KZ_ENTRY_KINDS);
    }
    for (unsigned i = 0; i < GROUPS; i++) {
        groups[i].exists = (uint64_t)below(1 << 16) & ((UINT64_C(1) << GROUP / RUN) - 1);
        groups[i].won = groups[i].exists & below(1 << 16);
        for (unsigned k = 0; k < KZ_GROUP_NEIGHBOURS; k++) {
            groups[i].back[k] = (uint16_t)below(i + 1);
        }
    }
}

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    make_losses();
    make_values();
    return 0;
}

static const kz_run_block runs_block = {&layout, groups, GROUPS};

/* ---- Blocks ------------------------------------------------------------------------------------------------------ */

/* What is decoded was coded so. */
static const char *broken_by_losses(const uint8_t *bytes, size_t size) {
    static uint8_t stored[PLACES], first[PLACES], again[KZ_BLOCK_BYTES_MOST];
    bool decoded = kz_coder_decode(losses, &plan, bytes, size, PLACES, stored);
    unsigned some = size > 0 ? bytes[0] * 2U : 0;
    kz_coder_decode_some(losses, &plan, bytes, size, some, first);
    if (decoded) {
        LAW(memcmp(first, stored, some) == 0);
        LAW(forge_block(losses, &plan, stored, PLACES, again) == size);
        LAW(memcmp(again, bytes, size) == 0);
    }
    return NULL;
}

static const char *broken_by_rows(const uint8_t *bytes, size_t size) {
    static uint8_t numbers[PLACES], trail[PLACES], again[KZ_STATE_BYTES + KZ_STEP_BYTES * KZ_RUN_STEPS_MOST * PLACES];
    static uint32_t steps[KZ_RUN_STEPS_MOST * PLACES];
    if (kz_run_coder_decode(values, &runs_block, bytes, size, numbers)) {
        /* A coder of runs asks about likely values first: a block may be a longer way to say the same. */
        if (kz_run_coder_fits(&runs_block, numbers, trail)) {
            size_t length = kz_run_coder_encode(values, &runs_block, kz_run_views_choose(), trail, steps, again);
            static uint8_t other[PLACES];
            LAW(kz_run_coder_decode(values, &runs_block, again, length, other));
            LAW(memcmp(other, numbers, PLACES) == 0);
        }
    }
    return NULL;
}

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

static const char *broken_by_lost_numbers(const uint8_t *data, size_t size) {
    static uint8_t stored[PLACES], back[PLACES], bytes[KZ_BLOCK_BYTES_MOST];
    for (unsigned i = 0; i < PLACES; i++) {
        stored[i] = i < size && plan.feature[i] != KZ_PLAN_SKIP ? data[i] : 0;
    }
    size_t length = forge_block(losses, &plan, stored, PLACES, bytes);
    LAW(length <= KZ_BLOCK_BYTES_MOST);
    uint8_t *copy = fuzz_copy(bytes, length);
    bool decoded = kz_coder_decode(losses, &plan, copy, length, PLACES, back);
    free(copy);
    LAW(decoded && memcmp(back, stored, PLACES) == 0);
    return NULL;
}

static const char *broken_by_numbers(const uint8_t *data, size_t size) {
    static uint8_t numbers[PLACES], back[PLACES], trail[PLACES];
    static uint8_t bytes[KZ_STATE_BYTES + KZ_STEP_BYTES * KZ_RUN_STEPS_MOST * PLACES];
    static uint32_t steps[KZ_RUN_STEPS_MOST * PLACES];
    size_t used = 0;
    for (unsigned i = 0; i < PLACES; i++) {
        unsigned run = i % GROUP / RUN;
        const kz_group_plan *group = &groups[i / GROUP];
        bool exists = group->exists >> run & 1, won = group->won >> run & 1;
        uint8_t given = used < size ? data[used] : 0;
        used += exists && !won;
        numbers[i] = !exists ? 255 : won ? KZ_WON_AT_ONCE : given;
    }
    if (!kz_run_coder_fits(&runs_block, numbers, trail)) {
        return NULL;
    }
    size_t length = kz_run_coder_encode(values, &runs_block, kz_run_views_choose(), trail, steps, bytes);
    LAW(length <= sizeof bytes);
    uint8_t *copy = fuzz_copy(bytes, length);
    bool decoded = kz_run_coder_decode(values, &runs_block, copy, length, back);
    free(copy);
    LAW(decoded && memcmp(back, numbers, PLACES) == 0);
    return NULL;
}

/* ---- Probabilities ----------------------------------------------------------------------------------------------- */

/* Shares of a few contexts; whatever they are, coding stays within them. */
static const char *broken_by_shares(const uint8_t *data, size_t size) {
    unsigned contexts = 1 + fuzz_byte(&data, &size) % 8;
    uint8_t escape = fuzz_byte(&data, &size);
    kz_shares shares;
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_shares_unpack(&shares, contexts, escape, data, size, &error);
    fuzz_keep_failure(status, &error);
    if (status == KZ_OK) {
        LAW(kz_shares_bytes(&shares) == size);
        uint8_t *again = fuzz_memory(malloc(size + 1));
        LAW(kz_shares_pack(&shares, again) == again + size);
        LAW(memcmp(again, data, size) == 0);
        free(again);
        uint32_t steps[KZ_SYMBOL_STEPS_MOST * 64];
        uint8_t bytes[KZ_STATE_BYTES + KZ_STEP_BYTES * KZ_SYMBOL_STEPS_MOST * 64];
        size_t count = 0;
        for (unsigned i = 0; i < 64 && i < size; i++) {
            count += kz_shares_add_steps(&shares, i % contexts, data[i], steps + count);
        }
        size_t length = kz_rans_encode(steps, count, bytes);
        kz_rans rans;
        LAW(kz_rans_begin(&rans, bytes, length));
        for (unsigned i = 0; i < 64 && i < size; i++) {
            LAW(kz_shares_decode(&shares, i % contexts, &rans) == data[i]);
        }
        LAW(kz_rans_ended(&rans));
    }
    kz_shares_free(&shares);
    return NULL;
}

/* A model that has been changed here and there: it is refused, or comes back as it is. */
static const char *broken_by_model(const uint8_t *data, size_t size) {
    size_t length;
    uint8_t *bytes = fuzz_memory(kz_model_pack(losses, &length));
    for (int changes = 0; size > 0 && changes < 8; changes++) {
        size_t place = (size_t)fuzz_number(&data, &size, 3) % length;
        bytes[place] = fuzz_byte(&data, &size);
    }
    kz_model *model = NULL;
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_model_unpack(bytes, length, &model, &error);
    fuzz_keep_failure(status, &error);
    if (status == KZ_OK) {
        size_t again_length;
        uint8_t *again = fuzz_memory(kz_model_pack(model, &again_length));
        LAW(again_length == length && memcmp(again, bytes, length) == 0);
        free(again);
        kz_model_free(model);
    }
    free(bytes);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *(*const tries[])(const uint8_t *, size_t) = {
        broken_by_losses, broken_by_rows, broken_by_lost_numbers, broken_by_numbers, broken_by_shares, broken_by_model,
    };
    unsigned which = fuzz_byte(&data, &size) % (sizeof tries / sizeof *tries);
    uint8_t *copy = fuzz_copy(data, size);
    fuzz_keep(tries[which](copy, size));
    free(copy);
    return 0;
}
