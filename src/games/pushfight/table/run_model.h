/* SPDX-License-Identifier: MIT
 *
 * Tables of all values: the probabilities that open runs are coded with.
 *
 * A value is mostly one that occurs in its neighbourhood. So the values of a place's neighbours are put in order, those
 * with more and nearer neighbours first, and the first few are asked about one after the other: is it this one? The
 * probability of a yes depends on which of the nearest neighbours have that value, which are won at once, and on the
 * value. If it is none of them it is coded by itself, with probabilities that depend on what it is not. They are
 * counted over part of the table and stored in it. */
#ifndef KZ_TABLE_RUN_MODEL_H
#define KZ_TABLE_RUN_MODEL_H

#include "games/pushfight/table/plan.h"
#include "table/shares.h"

enum {
    KZ_WON_AT_ONCE = 2,  /* the number of a win in one ply */
    KZ_RUN_ESCAPE = 255, /* stands for no value */
    KZ_CANDIDATES = 4,   /* values that are asked about, at most */
    KZ_PATTERNS = 2187,  /* 3 to the power KZ_RUN_NEAREST: each may have the value, be won at once, or neither */
    KZ_QUESTION_LEVELS = 8,
    KZ_QUESTIONS = 8, /* the first by what comes next, the second and the later ones by whether something does */
    KZ_QUESTION_CONTEXTS = KZ_ENTRY_KINDS * KZ_PATTERNS * KZ_QUESTION_LEVELS * KZ_QUESTIONS,
    KZ_FIRST_LEVELS = 19, /* what the first, second and third candidate are reduced to for a value by itself */
    KZ_SECOND_LEVELS = 13,
    KZ_THIRD_LEVELS = 9,
    KZ_VALUE_CONTEXTS = KZ_FIRST_LEVELS * KZ_SECOND_LEVELS * KZ_THIRD_LEVELS
};

/* How often each thing was seen. */
typedef struct kz_run_counts {
    uint32_t question[KZ_QUESTION_CONTEXTS][2];
    uint32_t value[KZ_VALUE_CONTEXTS][KZ_SYMBOLS];
} kz_run_counts;

typedef struct kz_run_model {
    uint16_t *yes; /* [KZ_QUESTION_CONTEXTS]: of 4096, probability of a yes, 1 to 4095 */
    kz_shares value;
} kz_run_model;

/* Probabilities from counts. NULL: no memory. */
kz_run_model *kz_run_model_new(const kz_run_counts *counts);
void kz_run_model_free(kz_run_model *model);

/* As bytes, in a buffer that the caller frees. NULL: no memory. */
uint8_t *kz_run_model_pack(const kz_run_model *model, size_t *size);
kz_status kz_run_model_unpack(const uint8_t *bytes, size_t size, kz_run_model **unpacked, kz_error *error);

#endif
