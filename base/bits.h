/* SPDX-License-Identifier: MIT
 *
 * Bit counting, and numbers in files, which are little-endian whatever the machine is. */
#ifndef KZ_BASE_BITS_H
#define KZ_BASE_BITS_H

#include <stdint.h>

static inline unsigned kz_popcount32(uint32_t bits) { return (unsigned)__builtin_popcount(bits); }
static inline unsigned kz_popcount64(uint64_t bits) { return (unsigned)__builtin_popcountll(bits); }

/* The number of the lowest bit set; `bits` is not 0. */
static inline unsigned kz_lowest_bit32(uint32_t bits) { return (unsigned)__builtin_ctz(bits); }
static inline unsigned kz_lowest_bit64(uint64_t bits) { return (unsigned)__builtin_ctzll(bits); }

/* Compilers turn each of these into one load or store where the machine is little-endian. */
static inline uint16_t kz_load_le16(const uint8_t *bytes) { return (uint16_t)(bytes[0] | bytes[1] << 8); }
static inline uint32_t kz_load_le32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}
static inline uint64_t kz_load_le64(const uint8_t *bytes) {
    return (uint64_t)kz_load_le32(bytes) | (uint64_t)kz_load_le32(bytes + 4) << 32;
}

static inline void kz_store_le16(uint8_t *bytes, uint16_t value) {
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
}
static inline void kz_store_le32(uint8_t *bytes, uint32_t value) {
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
    bytes[2] = (uint8_t)(value >> 16);
    bytes[3] = (uint8_t)(value >> 24);
}
static inline void kz_store_le64(uint8_t *bytes, uint64_t value) {
    kz_store_le32(bytes, (uint32_t)value);
    kz_store_le32(bytes + 4, (uint32_t)(value >> 32));
}

#endif
