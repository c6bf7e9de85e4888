/* SPDX-License-Identifier: MIT
 *
 * Squeezing bytes out of a list, and stretching it again, eight bytes at a time, for processors that can shuffle the
 * bytes of a register and have nothing better (SSSE3, NEON). Which shuffle keeps the bytes that a mask of 8 bits names
 * is looked up in a table. */
#ifndef KZ_SHOGI_SSPF_GROUPS_H
#define KZ_SHOGI_SSPF_GROUPS_H

#include "shogi/src/sspf_fields.h"

#ifdef __SSSE3__
#include <immintrin.h>
#endif
#ifdef __aarch64__
#include <arm_neon.h>
#endif

/* By mask: which byte goes to each place when only those of the mask are kept, and which byte comes to each place of
 * the mask when the others become 0. 0x80 stands for 0. */
extern const uint64_t kz_sspf_squeeze[256];
extern const uint64_t kz_sspf_stretch[256];

/* Byte k: how many bits the bytes of `bits` before byte k have. */
static inline uint64_t kz_sspf_offsets(uint64_t bits) {
    bits -= bits >> 1 & KZ_SSPF_EACH_BYTE * 0x55;
    bits = (bits & KZ_SSPF_EACH_BYTE * 0x33) + (bits >> 2 & KZ_SSPF_EACH_BYTE * 0x33);
    return ((bits + (bits >> 4)) & KZ_SSPF_EACH_BYTE * 0x0F) * (KZ_SSPF_EACH_BYTE << 8);
}

#ifdef __SSSE3__
typedef __m128i kz_bytes16;

static inline kz_bytes16 kz_fill16(int value) { return _mm_set1_epi8((char)value); }
static inline kz_bytes16 kz_load16(const uint8_t *from) { return _mm_loadu_si128((const __m128i *)(const void *)from); }
static inline void kz_store16(uint8_t *to, kz_bytes16 bytes) { _mm_storeu_si128((__m128i *)(void *)to, bytes); }
static inline kz_bytes16 kz_or16(kz_bytes16 a, kz_bytes16 b) { return _mm_or_si128(a, b); }

/* One bit of each byte. */
static inline uint64_t kz_gather16(kz_bytes16 bytes, int bit) {
    return (unsigned)_mm_movemask_epi8(_mm_slli_epi16(bytes, 7 - bit));
}
/* Which bytes are equal to `value`. */
static inline uint64_t kz_equal16(kz_bytes16 bytes, int value) {
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, kz_fill16(value)));
}
static inline kz_bytes16 kz_and16(kz_bytes16 a, kz_bytes16 b) { return _mm_and_si128(a, b); }

/* 16 bits, each as a byte that is `value` or 0. */
static inline kz_bytes16 kz_scatter16(uint64_t bits, int value) {
    const __m128i own_bit = _mm_set1_epi64x((long long)0x8040201008040201U);
    const __m128i own_byte = _mm_set_epi64x(0x0101010101010101, 0);
    __m128i spread = _mm_and_si128(_mm_shuffle_epi8(_mm_cvtsi32_si128((int)bits), own_byte), own_bit);
    return _mm_and_si128(_mm_cmpeq_epi8(spread, own_bit), kz_fill16(value));
}

static inline __m128i kz_shuffle8(const uint8_t *from, const uint64_t *shuffle) {
    return _mm_shuffle_epi8(_mm_loadl_epi64((const __m128i *)(const void *)from),
                            _mm_loadl_epi64((const __m128i *)(const void *)shuffle));
}
static inline void kz_store_shuffle8(uint8_t *to, const uint8_t *from, const uint64_t *shuffle) {
    _mm_storel_epi64((__m128i *)(void *)to, kz_shuffle8(from, shuffle));
}
static inline uint64_t kz_word8(__m128i bytes) { return (uint64_t)_mm_cvtsi128_si64(bytes); }
static inline __m128i kz_shuffle_word8(uint64_t word, const uint64_t *shuffle) {
    return _mm_shuffle_epi8(_mm_cvtsi64_si128((long long)word),
                            _mm_loadl_epi64((const __m128i *)(const void *)shuffle));
}
static inline kz_bytes16 kz_join16(__m128i low, __m128i high) { return _mm_unpacklo_epi64(low, high); }
#endif

#ifdef __aarch64__
typedef uint8x16_t kz_bytes16;

static inline kz_bytes16 kz_fill16(int value) { return vdupq_n_u8((uint8_t)value); }
static inline kz_bytes16 kz_load16(const uint8_t *from) { return vld1q_u8(from); }
static inline void kz_store16(uint8_t *to, kz_bytes16 bytes) { vst1q_u8(to, bytes); }
static inline kz_bytes16 kz_or16(kz_bytes16 a, kz_bytes16 b) { return vorrq_u8(a, b); }
static inline kz_bytes16 kz_and16(kz_bytes16 a, kz_bytes16 b) { return vandq_u8(a, b); }

/* Bytes that are 0 or 255, as 16 bits: each keeps its own bit, and neighbours are added up three times. */
static inline uint64_t kz_mask16(uint8x16_t truths) {
    uint8x16_t own = vandq_u8(truths, vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201U)));
    uint8x8_t sums = vpadd_u8(vget_low_u8(own), vget_high_u8(own));
    sums = vpadd_u8(sums, sums);
    sums = vpadd_u8(sums, sums);
    return vget_lane_u16(vreinterpret_u16_u8(sums), 0);
}
static inline uint64_t kz_gather16(kz_bytes16 bytes, int bit) {
    return kz_mask16(vtstq_u8(bytes, kz_fill16(1 << bit)));
}
static inline uint64_t kz_equal16(kz_bytes16 bytes, int value) { return kz_mask16(vceqq_u8(bytes, kz_fill16(value))); }

static inline kz_bytes16 kz_scatter16(uint64_t bits, int value) {
    uint8x16_t spread = vcombine_u8(vdup_n_u8((uint8_t)bits), vdup_n_u8((uint8_t)(bits >> 8)));
    return vandq_u8(vtstq_u8(spread, vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201U))), kz_fill16(value));
}

static inline uint8x8_t kz_shuffle8(const uint8_t *from, const uint64_t *shuffle) {
    return vtbl1_u8(vld1_u8(from), vreinterpret_u8_u64(vld1_u64(shuffle)));
}
static inline void kz_store_shuffle8(uint8_t *to, const uint8_t *from, const uint64_t *shuffle) {
    vst1_u8(to, kz_shuffle8(from, shuffle));
}
static inline uint64_t kz_word8(uint8x8_t bytes) { return vget_lane_u64(vreinterpret_u64_u8(bytes), 0); }
static inline uint8x8_t kz_shuffle_word8(uint64_t word, const uint64_t *shuffle) {
    return vtbl1_u8(vcreate_u8(word), vreinterpret_u8_u64(vld1_u64(shuffle)));
}
static inline kz_bytes16 kz_join16(uint8x8_t low, uint8x8_t high) { return vcombine_u8(low, high); }
#endif

#if defined(__SSSE3__) || defined(__aarch64__)
/* One bit of each byte of some blocks of 16, four at most. */
static inline uint64_t kz_sspf_gather(const uint8_t *bytes, int blocks, int bit) {
    uint64_t bits = 0;
    int i = 0;
#ifdef __AVX2__
    for (; i + 2 <= blocks; i += 2) {
        __m256i two = _mm256_loadu_si256((const __m256i *)(const void *)(bytes + 16 * i));
        bits |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(two, 7 - bit)) << 16 * i;
    }
#endif
    for (; i < blocks; i++) {
        bits |= kz_gather16(kz_load16(bytes + 16 * i), bit) << 16 * i;
    }
    return bits;
}

/* Copies the bytes that `mask` names from some groups of 8, eight at most; writes up to 7 zeros behind them. */
static inline void kz_sspf_squeeze_list(uint8_t *to, const uint8_t *from, int groups, uint64_t mask) {
#ifdef __POPCNT__
    for (int i = 0; i < groups; i++) {
        unsigned kept = mask >> 8 * i & 0xFF;
        kz_store_shuffle8(to, from + 8 * i, &kz_sspf_squeeze[kept]);
        to += kz_sspf_count(kept);
    }
#else
    uint64_t offsets = kz_sspf_offsets(mask);
    for (int i = 0; i < groups; i++) {
        kz_store_shuffle8(to + (offsets >> 8 * i & 0xFF), from + 8 * i, &kz_sspf_squeeze[mask >> 8 * i & 0xFF]);
    }
#endif
}

/* Bytes of a list whose bit is set, as bits. */
static inline uint64_t kz_sspf_bit_of_8(uint64_t bytes, int bit) {
    return (bytes >> bit & KZ_SSPF_EACH_BYTE) * 0x0102040810204080U >> 56;
}

/* The bytes of a list of up to 24 that `mask` names, which are 8 at most. */
static inline uint64_t kz_sspf_squeeze_few(const uint8_t *from, uint64_t mask) {
    unsigned first = kz_sspf_count(mask & 0xFF);
    unsigned second = first + kz_sspf_count(mask & 0xFF00);
    /* If there are 8 already, the others are 0. */
    return kz_word8(kz_shuffle8(from, &kz_sspf_squeeze[mask & 0xFF])) |
           kz_word8(kz_shuffle8(from + 8, &kz_sspf_squeeze[mask >> 8 & 0xFF])) << (8 * first & 63) |
           kz_word8(kz_shuffle8(from + 16, &kz_sspf_squeeze[mask >> 16 & 0xFF])) << (8 * second & 63);
}

/* Block `block` of a list that is stretched to fill the bits of `mask`. Reads 8 bytes where it has got to. */
static inline kz_bytes16 kz_sspf_stretch_block(const uint8_t *from, int block, uint64_t mask, uint64_t offsets) {
    int low = 16 * block;
    int high = low + 8;
    return kz_join16(kz_shuffle8(from + (offsets >> low & 0xFF), &kz_sspf_stretch[mask >> low & 0xFF]),
                     kz_shuffle8(from + (offsets >> high & 0xFF), &kz_sspf_stretch[mask >> high & 0xFF]));
}

/* kz_sspf_tail. */
static inline uint64_t kz_sspf_tail_at_once(uint64_t total, uint64_t white) {
#ifdef __AVX2__
    uint64_t ends = total * KZ_SSPF_EACH_BYTE;
    __m128i at = _mm_set_epi64x((long long)(ends - white), (long long)ends);
    const __m256i one = _mm256_set1_epi64x(1);
    __m256i low = _mm256_sub_epi64(_mm256_sllv_epi64(one, _mm256_cvtepu8_epi64(at)),
                                   _mm256_sllv_epi64(one, _mm256_cvtepu8_epi64(_mm_srli_si128(at, 8))));
    __m256i high = _mm256_sub_epi64(_mm256_sllv_epi64(one, _mm256_cvtepu8_epi64(_mm_srli_si128(at, 4))),
                                    _mm256_sllv_epi64(one, _mm256_cvtepu8_epi64(_mm_srli_si128(at, 12))));
    __m256i sum = _mm256_add_epi64(low, high);
    __m128i half = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(half, _mm_unpackhi_epi64(half, half)));
#else
    return kz_sspf_tail(total, white);
#endif
}

/* Puts a list on its squares; the others become 0. */
static inline void kz_sspf_stretch_board(uint8_t board[KZ_SHOGI_SQUARES], const uint8_t *list,
                                         const uint64_t squares[2]) {
    uint64_t offsets = kz_sspf_offsets(squares[0]);
    for (int i = 0; i < 4; i++) {
        kz_store16(board + 16 * i, kz_sspf_stretch_block(list, i, squares[0], offsets));
    }
    list += kz_sspf_count(squares[0]);
    offsets = kz_sspf_offsets(squares[1]);
    kz_store16(board + 64, kz_sspf_stretch_block(list, 0, squares[1], offsets));
    board[80] = squares[1] >> 16 ? list[offsets >> 16 & 0xFF] : 0;
}
#endif

#endif
