/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/table/coder.h"

#include "base/cpu.h"

#include <string.h>

/* Lists the positions that are coded, without a branch: half of them are, and no processor could tell which. */
static unsigned list_coded(const kz_plan *plan, unsigned positions, uint16_t *list) {
    unsigned count = 0;
    for (unsigned i = 0; i < positions; i++) {
        list[count] = (uint16_t)i;
        count += plan->feature[i] != KZ_PLAN_SKIP;
    }
    return count;
}

/* The trail of values that are all known. */
static void fill_trail(const kz_plan *plan, const uint8_t *stored, unsigned positions, kz_trail *trail) {
    kz_trail_begin(trail);
    for (unsigned i = 0; i < positions; i++) {
        uint8_t coded = plan->feature[i] != KZ_PLAN_SKIP ? 0xFF : 0;
        trail->value[i + 1] = stored[i] & coded;
        trail->level[i + 1] = kz_level_sum(stored[i]) & coded;
    }
}

void kz_coder_count(const kz_plan *plan, const uint8_t *stored, unsigned positions, kz_coder_lists *lists,
                    kz_model_counts *counts) {
    (void)lists;
    kz_trail trail;
    uint16_t list[KZ_BLOCK_MOST + 1];
    unsigned coded = list_coded(plan, positions, list);
    fill_trail(plan, stored, positions, &trail);
    for (unsigned n = 0; n < coded; n++) {
        unsigned i = list[n];
        counts->lost[kz_lost_context(plan, &trail, i)][stored[i] != 0]++;
        if (stored[i]) {
            counts->distance[kz_distance_context(plan, &trail, i)][stored[i]]++;
        }
    }
}

/* ---- Encoding ---------------------------------------------------------------------------------------------------- */

/* "Lost" takes the lower part of the range. */
static inline uint32_t lost_step(unsigned share, bool lost) {
    return lost ? kz_rans_step(0, share) : kz_rans_step(share, KZ_SCALE - share);
}

size_t kz_coder_list_plain(const kz_model *model, const kz_plan *plan, const uint8_t *stored, unsigned positions,
                           kz_coder_lists *lists, uint32_t *steps) {
    (void)lists;
    size_t count = 0;
    kz_trail trail;
    uint16_t list[KZ_BLOCK_MOST + 1];
    unsigned coded = list_coded(plan, positions, list);
    fill_trail(plan, stored, positions, &trail);
    for (unsigned n = 0; n < coded; n++) {
        unsigned i = list[n];
        steps[count++] = lost_step(model->lost_share[kz_lost_context(plan, &trail, i)], stored[i] != 0);
        if (stored[i]) {
            count +=
                kz_shares_add_steps(&model->distance, kz_distance_context(plan, &trail, i), stored[i], &steps[count]);
        }
    }
    return count;
}

kz_coder_list *kz_coder_choose(void) {
#ifdef __x86_64__
    if (kz_cpu_level() >= KZ_CPU_AVX512) {
        return kz_coder_list_avx512;
    }
#endif
    return kz_coder_list_plain;
}

kz_coder_counting *kz_coder_choose_counting(void) {
#ifdef __x86_64__
    if (kz_cpu_level() >= KZ_CPU_AVX512) {
        return kz_coder_count_avx512;
    }
#endif
    return kz_coder_count;
}

/* ---- Decoding ---------------------------------------------------------------------------------------------------- */

/* Decodes the positions. */
static void decode(kz_rans *rans, const kz_model *model, const kz_plan *plan, unsigned positions, uint8_t *stored) {
    kz_rans d = *rans;
    kz_trail trail;
    uint16_t list[KZ_BLOCK_MOST + 1];
    unsigned count = list_coded(plan, positions, list);
    memset(trail.value, 0, positions + 1);
    memset(trail.level, 0, positions + 1);
    for (unsigned n = 0; n < count; n++) {
        unsigned i = list[n];
        uint32_t share = model->lost_share[kz_lost_context(plan, &trail, i)];
        if (kz_rans_slot(&d) >= share) {
            kz_rans_advance(&d, share, KZ_SCALE - share);
            trail.level[i + 1] = (uint8_t)kz_level(0);
            continue;
        }
        kz_rans_advance(&d, 0, share);
        unsigned value = kz_shares_decode(&model->distance, kz_distance_context(plan, &trail, i), &d);
        kz_trail_add(&trail, i, value);
    }
    memcpy(stored, trail.value + 1, positions);
    *rans = d;
}

void kz_coder_decode_some(const kz_model *model, const kz_plan *plan, const uint8_t *bytes, size_t size,
                          unsigned positions, uint8_t *stored) {
    kz_rans rans;
    if (kz_rans_begin(&rans, bytes, size)) {
        decode(&rans, model, plan, positions, stored);
    } else {
        memset(stored, 0, positions);
    }
}

bool kz_coder_decode(const kz_model *model, const kz_plan *plan, const uint8_t *bytes, size_t size, unsigned positions,
                     uint8_t *stored) {
    kz_rans rans;
    if (!kz_rans_begin(&rans, bytes, size)) {
        return false;
    }
    decode(&rans, model, plan, positions, stored);
    return kz_rans_ended(&rans);
}
