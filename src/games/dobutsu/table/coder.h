/* SPDX-License-Identifier: MIT
 *
 * Tables of losses: the values of one block as bytes and back, with the probabilities of model.h. */
#ifndef KZ_TABLE_CODER_H
#define KZ_TABLE_CODER_H

#include "games/dobutsu/table/model.h"

enum {
    KZ_STEPS_MOST = 1 + KZ_SYMBOL_STEPS_MOST, /* that a position takes */
    KZ_BLOCK_BYTES_MOST = KZ_STATE_BYTES + KZ_STEPS_MOST * KZ_STEP_BYTES * KZ_BLOCK_MOST
};

/* What a block comes to on its way through AVX-512 (coder_avx512.c). */
enum { KZ_CODER_WIDE = 16 };
typedef struct kz_coder_lists {
    uint16_t trail[KZ_BLOCK_MOST + 2 * KZ_CODER_WIDE]; /* a kz_trail: the value, and the level in the high byte */
    /* Of the positions that are coded: two neighbours; the third one, the value and the class. */
    uint32_t near[KZ_BLOCK_MOST + KZ_CODER_WIDE];
    uint32_t rest[KZ_BLOCK_MOST + KZ_CODER_WIDE];
    uint32_t steps[KZ_BLOCK_MOST + KZ_CODER_WIDE]; /* lost or not */
    uint16_t lost[KZ_BLOCK_MOST / KZ_CODER_WIDE];  /* a bit for each */
    /* Of those that are lost: the context and the value; then the step instead. */
    uint32_t distances[KZ_BLOCK_MOST + KZ_CODER_WIDE];
    uint32_t values[KZ_BLOCK_MOST + 1];  /* the second step of those that have one, */
    uint16_t escapes[KZ_BLOCK_MOST + 1]; /* and which these are */
} kz_coder_lists;

/* Counts what coding a block would use. The plain way, which needs no lists, and that of processors with AVX-512. */
typedef void kz_coder_counting(const kz_plan *plan, const uint8_t *stored, unsigned positions, kz_coder_lists *lists,
                               kz_model_counts *counts);
kz_coder_counting kz_coder_count;
kz_coder_counting kz_coder_count_avx512;

/* Lists the steps that code a block, and returns how many: KZ_STEPS_MOST for each position at most. Positions that the
 * plan skips must hold 0. The plain way, and that of processors with AVX-512. */
typedef size_t kz_coder_list(const kz_model *model, const kz_plan *plan, const uint8_t *stored, unsigned positions,
                             kz_coder_lists *lists, uint32_t *steps);
kz_coder_list kz_coder_list_plain;
kz_coder_list kz_coder_list_avx512;
/* The ways for this processor. */
kz_coder_list *kz_coder_choose(void);
kz_coder_counting *kz_coder_choose_counting(void);

/* Decodes the first `positions` of a block. They come one after the other, so fewer take less time. */
void kz_coder_decode_some(const kz_model *model, const kz_plan *plan, const uint8_t *bytes, size_t size,
                          unsigned positions, uint8_t *stored);

/* All positions of a block. False if the bytes are not what an encoder wrote for this plan. Neither reads past `size`.
 */
bool kz_coder_decode(const kz_model *model, const kz_plan *plan, const uint8_t *bytes, size_t size, unsigned positions,
                     uint8_t *stored);

#endif
