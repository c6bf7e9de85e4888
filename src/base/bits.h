/* SPDX-License-Identifier: MIT
 *
 * Bit counting, and numbers in files, which are little-endian whatever the machine is. */
#ifndef KZ_BASE_BITS_H
#define KZ_BASE_BITS_H

#include <stdint.h>
#include <string.h>

/* Marks the small functions that kernels on a graphics card use as well as processors. */
#ifdef __CUDACC__
#define KZ_DEVICE __host__ __device__
#else
#define KZ_DEVICE
#endif

static inline unsigned kz_popcount32(uint32_t bits) { return (unsigned)__builtin_popcount(bits); }
static inline unsigned kz_popcount64(uint64_t bits) { return (unsigned)__builtin_popcountll(bits); }

/* The number of the lowest bit set; `bits` is not 0. */
static inline unsigned kz_lowest_bit32(uint32_t bits) { return (unsigned)__builtin_ctz(bits); }
static inline unsigned kz_lowest_bit64(uint64_t bits) { return (unsigned)__builtin_ctzll(bits); }

/* Little-endian numbers in memory. Where the machine is little-endian they are copied: put together from bytes, several
 * in a row are more than a compiler that vectorises sees through. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define KZ_LITTLE_ENDIAN(bits, value) (value)
#else
#define KZ_LITTLE_ENDIAN(bits, value) __builtin_bswap##bits(value)
#endif
#define KZ_LOAD_AND_STORE(bits)                                                                                        \
    static inline uint##bits##_t kz_load_le##bits(const uint8_t *bytes) {                                              \
        uint##bits##_t value;                                                                                          \
        memcpy(&value, bytes, sizeof value);                                                                           \
        return KZ_LITTLE_ENDIAN(bits, value);                                                                          \
    }                                                                                                                  \
    static inline void kz_store_le##bits(uint8_t *bytes, uint##bits##_t value) {                                       \
        value = KZ_LITTLE_ENDIAN(bits, value);                                                                         \
        memcpy(bytes, &value, sizeof value);                                                                           \
    }
KZ_LOAD_AND_STORE(16)
KZ_LOAD_AND_STORE(32)
KZ_LOAD_AND_STORE(64)

#endif
