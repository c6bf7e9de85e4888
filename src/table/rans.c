/* SPDX-License-Identifier: MIT */
#include "table/rans.h"

/* The words come out last first, so they are kept where steps have been, from the end on: a step makes one at most. */
size_t kz_rans_encode(uint32_t *steps, size_t count, uint8_t *bytes) {
    uint32_t state = KZ_LOWEST_STATE;
    size_t first = count;
    for (size_t i = count; i-- > 0;) {
        uint32_t share = steps[i] & 0xFFFF;
        uint32_t start = steps[i] >> 16;
        if (state >= (uint64_t)share << (32 - KZ_SCALE_BITS)) {
            steps[--first] = state & 0xFFFF;
            state >>= 16;
        }
        state = (state / share << KZ_SCALE_BITS) + state % share + start;
    }
    kz_store_le32(bytes, state);
    uint8_t *at = bytes + KZ_STATE_BYTES;
    for (size_t i = first; i < count; i++, at += KZ_STEP_BYTES) {
        kz_store_le16(at, (uint16_t)steps[i]);
    }
    return (size_t)(at - bytes);
}
