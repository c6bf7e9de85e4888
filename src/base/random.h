/* SPDX-License-Identifier: MIT
 *
 * Random numbers that are the same for the same seed on every machine. */
#ifndef KZ_BASE_RANDOM_H
#define KZ_BASE_RANDOM_H

#include <stdint.h>

/* Sebastiano Vigna's splitmix64: the state is a counter, and the result is the counter with its bits mixed. Every state
 * is as good a seed as any other. */
static inline uint64_t kz_splitmix64(uint64_t *state) {
    uint64_t bits = *state += UINT64_C(0x9E3779B97F4A7C15);
    bits = (bits ^ bits >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94D049BB133111EB);
    return bits ^ bits >> 31;
}

/* A number with its bits mixed. Each step of the mixing can be undone, so different numbers give different results. */
static inline uint64_t kz_scramble(uint64_t number) { return kz_splitmix64(&number); }

typedef struct kz_random {
    uint64_t state;
} kz_random;

static inline uint64_t kz_random_next(kz_random *random) { return kz_splitmix64(&random->state); }

/* A number below `bound` (not 0), each one equally likely. The upper half of the product is nearly that; it is once the
 * few lower halves that come too often are thrown away. */
static inline uint64_t kz_random_below(kz_random *random, uint64_t bound) {
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)kz_random_next(random) * bound;
    if ((uint64_t)product < bound) {
        uint64_t surplus = (0 - bound) % bound;
        while ((uint64_t)product < surplus) {
            product = (wide)kz_random_next(random) * bound;
        }
    }
    return (uint64_t)(product >> 64);
}

#endif
