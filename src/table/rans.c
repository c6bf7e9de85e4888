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

/* A coder on its way from the last step to the first one. */
typedef struct way {
    const uint32_t *steps;
    size_t left;     /* steps to be coded */
    uint32_t *words; /* that came out: the first of them */
    uint32_t state;
} way;

static inline void encode_step(way *w) {
    __extension__ typedef unsigned __int128 product;
    uint32_t step = w->steps[--w->left];
    uint32_t share = step & 0xFFFF;
    uint32_t state = w->state;
    /* The word is written in any case: nobody could guess whether one is due. */
    bool due = state >= (uint64_t)share << (32 - KZ_SCALE_BITS);
    w->words[-1] = state & 0xFFFF;
    w->words -= due;
    state = due ? state >> 16 : state;
    uint32_t parts = share == 1 ? state : (uint32_t)((product)state * reciprocals[share] >> 64);
    w->state = state + parts * (KZ_SCALE - share) + (step >> 16);
}

static way begin(uint32_t *steps, size_t count) { return (way){steps, count, steps + count, KZ_LOWEST_STATE}; }

static size_t end(way w, size_t count, uint8_t *bytes) {
    while (w.left > 0) {
        encode_step(&w);
    }
    return put_words(w.state, w.words, (size_t)(w.steps + count - w.words), bytes);
}

size_t kz_rans_encode(uint32_t *steps, size_t count, uint8_t *bytes) { return end(begin(steps, count), count, bytes); }

void kz_rans_encode_two(kz_rans_work work[2]) {
    way a = begin(work[0].steps, work[0].count);
    way b = begin(work[1].steps, work[1].count);
    while (a.left > 0 && b.left > 0) {
        encode_step(&a);
        encode_step(&b);
    }
    work[0].size = end(a, work[0].count, work[0].bytes);
    work[1].size = end(b, work[1].count, work[1].bytes);
}

#else

size_t kz_rans_encode(uint32_t *steps, size_t count, uint8_t *bytes) {
    return kz_rans_encode_plain(steps, count, bytes);
}

void kz_rans_encode_two(kz_rans_work work[2]) {
    for (int i = 0; i < 2; i++) {
        work[i].size = kz_rans_encode_plain(work[i].steps, work[i].count, work[i].bytes);
    }
}

#endif
