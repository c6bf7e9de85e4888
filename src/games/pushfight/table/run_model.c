/* SPDX-License-Identifier: MIT */
#include "games/pushfight/table/run_model.h"

#include "base/bigmem.h"
#include "base/error.h"

#include <stdlib.h>

/* Shares are read in any order, so they lie in large pages. One more than there are, because kernels load two at a
 * time. */
enum { SHARES_BYTES = (KZ_QUESTION_CONTEXTS + 1) * sizeof(uint16_t) };

#ifdef KANZEN_READ_ONLY
static uint16_t *allocate_shares(void) { return malloc(SHARES_BYTES); }
static void free_shares(uint16_t *shares) { free(shares); }
#else
static uint16_t *allocate_shares(void) { return kz_big_alloc(SHARES_BYTES); }
static void free_shares(uint16_t *shares) { kz_big_free(shares, SHARES_BYTES); }
#endif

static kz_run_model *allocate(void) {
    kz_run_model *model = calloc(1, sizeof *model);
    if (model) {
        model->yes = allocate_shares();
        if (!model->yes) {
            free(model);
            model = NULL;
        }
    }
    return model;
}

kz_run_model *kz_run_model_new(const kz_run_counts *counts) {
    kz_run_model *model = allocate();
    if (!model || !kz_shares_make(&model->value, KZ_VALUE_CONTEXTS, KZ_RUN_ESCAPE, counts->value)) {
        kz_run_model_free(model);
        return NULL;
    }
    for (size_t context = 0; context < KZ_QUESTION_CONTEXTS; context++) {
        model->yes[context] = kz_careful_share(counts->question[context]);
    }
    return model;
}

void kz_run_model_free(kz_run_model *model) {
    if (model) {
        free_shares(model->yes);
        kz_shares_free(&model->value);
        free(model);
    }
}

/* Shares of a yes (u16 each), then those of the values. Contexts that were never seen all have the same share, so most
 * of it is packed into next to nothing. */
uint8_t *kz_run_model_pack(const kz_run_model *model, size_t *size) {
    *size = 2 * (size_t)KZ_QUESTION_CONTEXTS + kz_shares_bytes(&model->value);
    uint8_t *bytes = malloc(*size);
    if (bytes) {
        uint8_t *at = bytes;
        for (size_t context = 0; context < KZ_QUESTION_CONTEXTS; context++, at += 2) {
            kz_store_le16(at, model->yes[context]);
        }
        kz_shares_pack(&model->value, at);
    }
    return bytes;
}

kz_status kz_run_model_unpack(const uint8_t *bytes, size_t size, kz_run_model **unpacked, kz_error *error) {
    size_t fixed = 2 * (size_t)KZ_QUESTION_CONTEXTS;
    if (size < fixed) {
        return kz_shares_bad(error, "their size is wrong");
    }
    kz_run_model *model = allocate();
    if (!model) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the table's probabilities");
    }
    kz_status status =
        kz_shares_unpack(&model->value, KZ_VALUE_CONTEXTS, KZ_RUN_ESCAPE, bytes + fixed, size - fixed, error);
    /* There are millions, so no branch for each: of a share from 1 to 4095, these bits are 0. */
    uint32_t wrong = 0;
    for (size_t context = 0; status == KZ_OK && context < KZ_QUESTION_CONTEXTS; context++) {
        uint32_t share = kz_load_le16(bytes + 2 * context);
        model->yes[context] = (uint16_t)share;
        wrong |= (share | (share - 1)) >> KZ_SCALE_BITS;
    }
    if (status == KZ_OK && wrong) {
        status = kz_shares_bad(error, "one is out of range");
    }
    if (status != KZ_OK) {
        kz_run_model_free(model);
        return status;
    }
    *unpacked = model;
    return KZ_OK;
}
