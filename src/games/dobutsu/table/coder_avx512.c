/* SPDX-License-Identifier: MIT
 *
 * The steps that code a block of losses, for processors with AVX-512: what kz_coder_list_plain does position by
 * position is done for sixteen at a time here, but for looking symbols up. */
#include "games/dobutsu/table/coder.h"

#ifdef __x86_64__
#include <immintrin.h>

enum { WIDE = KZ_CODER_WIDE, ESCAPES_END = UINT16_MAX };

/* The first `left` of sixteen, or all. */
static inline __mmask16 first_lanes(unsigned left) {
    uint32_t lanes = left < WIDE ? (UINT32_C(1) << left) - 1 : UINT16_MAX;
    return (__mmask16)lanes;
}

static void fill_trail(const kz_plan *plan, const uint8_t *stored, unsigned positions, uint16_t *trail) {
    static const uint8_t bounds[] = {1, 4, 6, 10, 18}; /* as in kz_level_sum */
    trail[0] = 0;
    for (unsigned i = 0; i < positions; i += 2 * WIDE) {
        unsigned left = positions - i;
        __mmask32 some = left < 2 * WIDE ? (1U << left) - 1 : UINT32_MAX;
        __m256i feature = _mm256_maskz_loadu_epi8(some, plan->feature + i);
        __mmask32 coded = _mm256_mask_cmpneq_epi8_mask(some, feature, _mm256_set1_epi8((char)KZ_PLAN_SKIP));
        __m256i value = _mm256_maskz_loadu_epi8(coded, stored + i);
        __m256i level = _mm256_set1_epi8(1);
        for (unsigned k = 0; k < sizeof bounds; k++) {
            __mmask32 above = _mm256_cmpge_epu8_mask(value, _mm256_set1_epi8((char)bounds[k]));
            level = _mm256_mask_add_epi8(level, above, level, _mm256_set1_epi8(1));
        }
        level = _mm256_maskz_mov_epi8(coded, level);
        _mm512_storeu_si512(trail + 1 + i, _mm512_or_si512(_mm512_cvtepu8_epi16(value),
                                                           _mm512_slli_epi16(_mm512_cvtepu8_epi16(level), 8)));
    }
}

static inline __m512i load_words(const uint16_t *words) {
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)words));
}

/* Lists the positions that are coded; returns how many they are. */
static unsigned list_coded(const kz_plan *plan, const uint8_t *stored, unsigned positions, kz_coder_lists *l) {
    unsigned count = 0;
    for (unsigned i = 0; i < positions; i += WIDE) {
        unsigned left = positions - i;
        __mmask16 some = first_lanes(left);
        __m128i feature = _mm_maskz_loadu_epi8(some, plan->feature + i);
        __mmask16 coded = _mm_mask_cmpneq_epi8_mask(some, feature, _mm_set1_epi8((char)KZ_PLAN_SKIP));
        __m512i value = _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(some, stored + i));
        __m512i near =
            _mm512_or_si512(load_words(plan->near[0] + i), _mm512_slli_epi32(load_words(plan->near[1] + i), 16));
        __m512i rest = _mm512_ternarylogic_epi32(load_words(plan->near[2] + i), _mm512_slli_epi32(value, 16),
                                                 _mm512_slli_epi32(_mm512_cvtepu8_epi32(feature), 24), 0xFE);
        _mm512_storeu_si512(l->near + count, _mm512_maskz_compress_epi32(coded, near));
        _mm512_storeu_si512(l->rest + count, _mm512_maskz_compress_epi32(coded, rest));
        count += (unsigned)_mm_popcnt_u32(coded);
    }
    return count;
}

static inline __m512i seven_times(__m512i v) { return _mm512_sub_epi32(_mm512_slli_epi32(v, 3), v); }

/* kz_distance_context of sixteen positions, from the values of their neighbours. */
static inline __m512i distance_contexts(__m512i class, __m512i a, __m512i b, __m512i c) {
    /* kz_relation by how much the second is more, from -3 to 5; then nothing. */
    const __m512i relations = _mm512_setr_epi32(2, 3, 3, 1, 6, 6, 5, 5, 4, 0, 0, 0, 0, 0, 0, 0);
    __mmask16 has_a = _mm512_test_epi32_mask(a, a);
    __mmask16 has_b = _mm512_test_epi32_mask(b, b);
    __m512i b_or_c = _mm512_mask_mov_epi32(c, has_b, b);
    __m512i c_if_b = _mm512_maskz_mov_epi32(has_b, c);
    __m512i first = _mm512_mask_mov_epi32(b_or_c, has_a, a);
    __m512i second = _mm512_mask_mov_epi32(c_if_b, has_a, b_or_c);
    __m512i third = _mm512_maskz_mov_epi32(has_a, c_if_b);
    __m512i apart = _mm512_sub_epi32(second, first);
    apart = _mm512_min_epi32(_mm512_max_epi32(apart, _mm512_set1_epi32(-3)), _mm512_set1_epi32(5));
    __m512i relation = _mm512_maskz_permutexvar_epi32(_mm512_test_epi32_mask(second, second),
                                                      _mm512_add_epi32(apart, _mm512_set1_epi32(3)), relations);
    __mmask16 has_third = _mm512_test_epi32_mask(third, third);
    __m512i order = _mm512_maskz_mov_epi32(_mm512_cmplt_epi32_mask(third, first), _mm512_set1_epi32(24));
    order = _mm512_mask_mov_epi32(order, _mm512_cmpeq_epi32_mask(third, second), _mm512_set1_epi32(16));
    order = _mm512_mask_mov_epi32(order, _mm512_cmpeq_epi32_mask(third, first), _mm512_set1_epi32(8));
    relation = _mm512_mask_add_epi32(relation, has_third, relation, order);
    class = _mm512_and_si512(class, _mm512_set1_epi32(KZ_DISTANCE_CLASSES - 1));
    first = _mm512_or_si512(_mm512_slli_epi32(class, 8), first);
    return _mm512_add_epi32(_mm512_slli_epi32(first, 5), relation);
}

_Static_assert(KZ_LEVELS == 7 && KZ_SYMBOLS == 1 << 8 && KZ_RELATIONS == 1 << 5, "as the shifts above have it");

/* The first steps of all coded positions, and the contexts of the second ones; returns how many of these there are.
 * Without a model instead of steps: where a position is counted among kz_model_counts.lost. */
static inline __attribute__((always_inline)) unsigned list_contexts(const kz_model *model, unsigned count,
                                                                    kz_coder_lists *l) {
    const __m512i word = _mm512_set1_epi32(0xFFFF);
    const __m512i byte = _mm512_set1_epi32(0xFF);
    unsigned lost_count = 0;
    for (unsigned n = 0; n < count; n += WIDE) {
        __mmask16 some = first_lanes(count - n);
        __m512i near = _mm512_maskz_loadu_epi32(some, l->near + n);
        __m512i rest = _mm512_maskz_loadu_epi32(some, l->rest + n);
        __m512i a = _mm512_i32gather_epi32(_mm512_and_si512(near, word), l->trail, 2);
        __m512i b = _mm512_i32gather_epi32(_mm512_srli_epi32(near, 16), l->trail, 2);
        __m512i c = _mm512_i32gather_epi32(_mm512_and_si512(rest, word), l->trail, 2);
        __m512i value = _mm512_and_si512(_mm512_srli_epi32(rest, 16), byte);
        __m512i class = _mm512_srli_epi32(rest, 24);
        __m512i context = class;
        context = _mm512_add_epi32(seven_times(context), _mm512_and_si512(_mm512_srli_epi32(a, 8), byte));
        context = _mm512_add_epi32(seven_times(context), _mm512_and_si512(_mm512_srli_epi32(b, 8), byte));
        context = _mm512_add_epi32(seven_times(context), _mm512_and_si512(_mm512_srli_epi32(c, 8), byte));
        __mmask16 lost = _mm512_test_epi32_mask(value, value);
        if (model) {
            __m512i share = _mm512_and_si512(_mm512_i32gather_epi32(context, model->lost_share, 2), word);
            __m512i other =
                _mm512_or_si512(_mm512_slli_epi32(share, 16), _mm512_sub_epi32(_mm512_set1_epi32(KZ_SCALE), share));
            _mm512_storeu_si512(l->steps + n, _mm512_mask_mov_epi32(other, lost, share));
        } else {
            context = _mm512_slli_epi32(context, 1);
            _mm512_storeu_si512(l->steps + n, _mm512_mask_add_epi32(context, lost, context, _mm512_set1_epi32(1)));
        }
        l->lost[n / WIDE] = lost;
        context =
            distance_contexts(class, _mm512_and_si512(a, byte), _mm512_and_si512(b, byte), _mm512_and_si512(c, byte));
        context = _mm512_or_si512(context, _mm512_slli_epi32(value, 16));
        _mm512_storeu_si512(l->distances + lost_count, _mm512_maskz_compress_epi32(lost, context));
        lost_count += (unsigned)_mm_popcnt_u32(lost);
    }
    return lost_count;
}

_Static_assert(KZ_DISTANCE_CONTEXTS <= 1 << 16, "a context leaves room for a value");

/* Looks the distances up. */
static void list_distances(const kz_model *model, unsigned count, kz_coder_lists *l) {
    unsigned escapes = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t steps[KZ_SYMBOL_STEPS_MOST] = {0, 0};
        unsigned used = kz_shares_add_steps(&model->distance, l->distances[i] & 0xFFFF, l->distances[i] >> 16, steps);
        l->distances[i] = steps[0];
        l->values[escapes] = steps[1];
        l->escapes[escapes] = (uint16_t)i;
        escapes += used == KZ_SYMBOL_STEPS_MOST;
    }
    l->escapes[escapes] = ESCAPES_END;
}

/* All steps in their order. */
static size_t merge(const kz_coder_lists *l, unsigned count, uint32_t *steps) {
    enum { HALF = WIDE / 2 };
    /* A first step, then the second one. */
    const __m512i order = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    size_t used = 0;
    unsigned at = 0;
    unsigned escape = 0;
    for (unsigned n = 0; n < count; n += HALF) {
        unsigned lost = (unsigned)l->lost[n / WIDE] >> n % WIDE & ((1U << HALF) - 1);
        unsigned losses = (unsigned)_mm_popcnt_u32(lost);
        if (count - n < HALF || l->escapes[escape] < at + losses) {
            for (unsigned i = n; i < count && i < n + HALF; i++, lost >>= 1) {
                steps[used++] = l->steps[i];
                if (lost & 1) {
                    steps[used++] = l->distances[at];
                    if (l->escapes[escape] == at++) {
                        steps[used++] = l->values[escape++];
                    }
                }
            }
            continue;
        }
        __m256i first = _mm256_loadu_si256((const __m256i *)(const void *)(l->steps + n));
        __m256i second = _mm256_maskz_expandloadu_epi32((__mmask8)lost, l->distances + at);
        __m512i both = _mm512_permutex2var_epi32(_mm512_castsi256_si512(first), order, _mm512_castsi256_si512(second));
        __mmask16 kept = (__mmask16)(0x5555 | _pdep_u32(lost, 0xAAAA));
        _mm512_storeu_si512(steps + used, _mm512_maskz_compress_epi32(kept, both));
        used += HALF + losses;
        at += losses;
    }
    return used;
}

size_t kz_coder_list_avx512(const kz_model *model, const kz_plan *plan, const uint8_t *stored, unsigned positions,
                            kz_coder_lists *l, uint32_t *steps) {
    fill_trail(plan, stored, positions, l->trail);
    unsigned count = list_coded(plan, stored, positions, l);
    unsigned losses = list_contexts(model, count, l);
    list_distances(model, losses, l);
    return merge(l, count, steps);
}

void kz_coder_count_avx512(const kz_plan *plan, const uint8_t *stored, unsigned positions, kz_coder_lists *l,
                           kz_model_counts *counts) {
    enum { AHEAD = 16 };
    fill_trail(plan, stored, positions, l->trail);
    unsigned count = list_coded(plan, stored, positions, l);
    unsigned losses = list_contexts(NULL, count, l);
    uint32_t *lost = &counts->lost[0][0];
    uint32_t *distance = &counts->distance[0][0];
    for (unsigned i = 0; i < losses; i++) {
        l->distances[i] = (l->distances[i] & 0xFFFF) * KZ_SYMBOLS + (l->distances[i] >> 16);
    }
    for (unsigned i = 0; i < losses; i++) {
        __builtin_prefetch(&distance[l->distances[i + AHEAD < losses ? i + AHEAD : i]], 1);
        distance[l->distances[i]]++;
    }
    for (unsigned n = 0; n < count; n++) {
        lost[l->steps[n]]++;
    }
}
#endif
