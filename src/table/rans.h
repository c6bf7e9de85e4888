/* SPDX-License-Identifier: MIT
 *
 * Range asymmetric numeral systems (rANS): symbols of known probabilities as bytes and back.
 *
 * The state is a number from 2^16 to 2^32; coding a symbol of share s multiplies it by about 4096 / s, and 16 bits go
 * out whenever it would grow too large. The decoder undoes the encoder's last step first, so the encoder goes through
 * the symbols backwards. */
#ifndef KZ_TABLE_RANS_H
#define KZ_TABLE_RANS_H

#include "base/bits.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    KZ_SCALE_BITS = 12, /* probabilities are in units of 1/4096 */
    KZ_SCALE = 1 << KZ_SCALE_BITS,
    KZ_LOWEST_STATE = 1 << 16,
    KZ_STATE_BYTES = 4,
    KZ_STEP_BYTES = 2 /* no step puts out more */
};

/* A symbol: where its part of the range begins, and how large that is. */
static inline uint32_t kz_rans_step(uint32_t start, uint32_t share) { return start << 16 | share; }

/* Codes the steps and returns how many bytes it wrote: at most KZ_STATE_BYTES + KZ_STEP_BYTES * count. The steps are
 * spent: their memory takes the words that come out. The plain twin divides; the other one multiplies by reciprocals
 * where the processor has products of 128 bits. */
size_t kz_rans_encode(uint32_t *steps, size_t count, uint8_t *bytes);
size_t kz_rans_encode_plain(uint32_t *steps, size_t count, uint8_t *bytes);

/* Steps to be coded, and what came of them. */
typedef struct kz_rans_work {
    uint32_t *steps;
    size_t count;
    uint8_t *bytes;
    size_t size;
} kz_rans_work;

/* Codes both side by side: each step waits for the one before, but not for those of the other. */
void kz_rans_encode_two(kz_rans_work work[2]);

typedef struct kz_rans {
    uint32_t state;
    const uint8_t *at;
    const uint8_t *end;
} kz_rans;

/* False if the bytes can't be a coded block: there must be a state, and whole words. */
static inline bool kz_rans_begin(kz_rans *rans, const uint8_t *bytes, size_t size) {
    if (size < KZ_STATE_BYTES || size % 2) {
        return false;
    }
    *rans = (kz_rans){.state = kz_load_le32(bytes), .at = bytes + KZ_STATE_BYTES, .end = bytes + size};
    return true;
}

/* Which part of the range the next symbol is in. */
static inline uint32_t kz_rans_slot(const kz_rans *rans) { return rans->state & (KZ_SCALE - 1); }

/* Takes a symbol's share of the range out of the state. */
static inline void kz_rans_advance(kz_rans *rans, uint32_t start, uint32_t share) {
    rans->state = share * (rans->state >> KZ_SCALE_BITS) + (rans->state & (KZ_SCALE - 1)) - start;
    if (rans->state < KZ_LOWEST_STATE && rans->at != rans->end) {
        rans->state = rans->state << 16 | kz_load_le16(rans->at);
        rans->at += 2;
    }
}

/* Whether all has been decoded that an encoder wrote. */
static inline bool kz_rans_ended(const kz_rans *rans) {
    return rans->at == rans->end && rans->state == KZ_LOWEST_STATE;
}

#endif
