/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/table/model.h"

#include "base/error.h"

#include <stdlib.h>

kz_model *kz_model_new(const kz_model_counts *counts) {
    kz_model *model = calloc(1, sizeof *model);
    if (!model || !kz_shares_make(&model->distance, KZ_DISTANCE_CONTEXTS, KZ_ESCAPE, counts->distance)) {
        kz_model_free(model);
        return NULL;
    }
    for (unsigned context = 0; context < KZ_LOST_CONTEXTS; context++) {
        model->lost_share[context] = kz_binary_share(counts->lost[context]);
    }
    return model;
}

void kz_model_free(kz_model *model) {
    if (model) {
        kz_shares_free(&model->distance);
        free(model);
    }
}

/* Shares of "lost" (u16 each), then those of the distances. */
uint8_t *kz_model_pack(const kz_model *model, size_t *size) {
    *size = 2 * (size_t)KZ_LOST_CONTEXTS + kz_shares_bytes(&model->distance);
    uint8_t *bytes = malloc(*size);
    if (bytes) {
        uint8_t *at = bytes;
        for (unsigned context = 0; context < KZ_LOST_CONTEXTS; context++, at += 2) {
            kz_store_le16(at, model->lost_share[context]);
        }
        kz_shares_pack(&model->distance, at);
    }
    return bytes;
}

kz_status kz_model_unpack(const uint8_t *bytes, size_t size, kz_model **unpacked, kz_error *error) {
    size_t fixed = 2 * (size_t)KZ_LOST_CONTEXTS;
    if (size < fixed) {
        return kz_shares_bad(error, "their size is wrong");
    }
    kz_model *model = calloc(1, sizeof *model);
    if (!model) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the table's probabilities");
    }
    kz_status status =
        kz_shares_unpack(&model->distance, KZ_DISTANCE_CONTEXTS, KZ_ESCAPE, bytes + fixed, size - fixed, error);
    for (unsigned context = 0; status == KZ_OK && context < KZ_LOST_CONTEXTS; context++) {
        model->lost_share[context] = kz_load_le16(bytes + 2 * (size_t)context);
        if (model->lost_share[context] == 0 || model->lost_share[context] >= KZ_SCALE) {
            status = kz_shares_bad(error, "one is out of range");
        }
    }
    if (status != KZ_OK) {
        kz_model_free(model);
        return status;
    }
    *unpacked = model;
    return KZ_OK;
}
