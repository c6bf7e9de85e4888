/* SPDX-License-Identifier: MIT */
#include "table/rans.h"

/* The words come out last first, so they are kept where steps have been, from the end on: a step makes one at most. */
static size_t put_words(uint32_t state, const uint32_t *words, size_t count, uint8_t *bytes) {
    kz_store_le32(bytes, state);
    uint8_t *at = bytes + KZ_STATE_BYTES;
    for (size_t i = 0; i < count; i++, at += KZ_STEP_BYTES) {
        kz_store_le16(at, (uint16_t)words[i]);
    }
    return (size_t)(at - bytes);
}

size_t kz_rans_encode_plain(uint32_t *steps, size_t count, uint8_t *bytes) {
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
    return put_words(state, steps + first, count - first, bytes);
}

#if defined(__SIZEOF_INT128__) && (defined(__x86_64__) || defined(__aarch64__))

/* 2^64 / share, rounded up, for shares up to the whole range. The product with a state, shifted right by 64 bits, is
 * the state divided by the share: it is too large by less than state * share / 2^64, which is below 1 / share. The
 * reciprocal of 1 would need 65 bits; it is 0 here. */
#define RECIPROCAL(share) (UINT64_MAX / ((share) ? (uint64_t)(share) : 1) + 1)
#define FOUR(share) RECIPROCAL(share), RECIPROCAL((share) + 1), RECIPROCAL((share) + 2), RECIPROCAL((share) + 3)
#define SIXTEEN(share) FOUR(share), FOUR((share) + 4), FOUR((share) + 8), FOUR((share) + 12)
#define SIXTY_FOUR(share) SIXTEEN(share), SIXTEEN((share) + 16), SIXTEEN((share) + 32), SIXTEEN((share) + 48)
#define QUARTER_THOUSAND(share)                                                                                        \
    SIXTY_FOUR(share), SIXTY_FOUR((share) + 64), SIXTY_FOUR((share) + 128), SIXTY_FOUR((share) + 192)
#define THOUSAND(share)                                                                                                \
    QUARTER_THOUSAND(share), QUARTER_THOUSAND((share) + 256), QUARTER_THOUSAND((share) + 512),                         \
        QUARTER_THOUSAND((share) + 768)

static const uint64_t reciprocals[KZ_SCALE + 1] = {THOUSAND(0), THOUSAND(1024), THOUSAND(2048), THOUSAND(3072),
                                                   RECIPROCAL(KZ_SCALE)};

size_t kz_rans_encode(uint32_t *steps, size_t count, uint8_t *bytes) {
    __extension__ typedef unsigned __int128 product;
    uint32_t state = KZ_LOWEST_STATE;
    size_t first = count;
    for (size_t i = count; i-- > 0;) {
        uint32_t share = steps[i] & 0xFFFF;
        uint32_t start = steps[i] >> 16;
        if (state >= (uint64_t)share << (32 - KZ_SCALE_BITS)) {
            steps[--first] = state & 0xFFFF;
            state >>= 16;
        }
        uint32_t parts = share == 1 ? state : (uint32_t)((product)state * reciprocals[share] >> 64);
        state += parts * (KZ_SCALE - share) + start;
    }
    return put_words(state, steps + first, count - first, bytes);
}

#else

size_t kz_rans_encode(uint32_t *steps, size_t count, uint8_t *bytes) {
    return kz_rans_encode_plain(steps, count, bytes);
}

#endif
