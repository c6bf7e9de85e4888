/* SPDX-License-Identifier: MIT
 *
 * Tables of any game (version 3): entries as bytes and back, without help from the game's rules.
 *
 * An entry is the number of a value in a list of all values that occur. An entry mostly equals one that lies a fixed
 * distance before it in the block, because the index of a game counts through its coordinates in order: one step of a
 * coordinate is one such distance, a stride. The strides are found by trying, once for each table. The values of the
 * entries at these strides are put in order, those with more votes first, and asked about one after the other: is it
 * this one? If it is none of them, it is coded by itself.
 *
 *     entries  ... 4 4 4 9 4 4 4 9 4 4 4 [?]        strides 4 and 1
 *                            |       |
 *                            9       4              votes: 9 (stride 4), 4 (stride 1)
 *
 * The probability of a yes depends on which strides agree with the candidate, on what kind of value it is, and on what
 * the next candidate is. All probabilities are counted over part of the table and stored in it. */
#ifndef KZ_TABLE_ANY_CODER_H
#define KZ_TABLE_ANY_CODER_H

#include "table/shares.h"

enum {
    KZ_ANY_BLOCK = 4096, /* entries a block */
    KZ_ANY_STRIDES = 6,
    KZ_ANY_VALUES = 65535, /* different values, at most */
    KZ_ANY_CANDIDATES = 3, /* values that are asked about, at most */
    KZ_ANY_PATTERNS = 729, /* 3 to the power KZ_ANY_STRIDES: differs, agrees, or lies before the block */
    KZ_ANY_KINDS = 8,      /* kinds of values */
    KZ_ANY_QUESTIONS = KZ_ANY_PATTERNS * KZ_ANY_KINDS * (KZ_ANY_KINDS + 1),
    KZ_ANY_CONTEXTS = KZ_ANY_KINDS * (KZ_ANY_KINDS + 1) + 1, /* for a value by itself */
    KZ_ANY_STEPS_MOST = KZ_ANY_CANDIDATES + KZ_SYMBOL_STEPS_MOST + 2,
    KZ_ANY_BYTES_MOST = KZ_STATE_BYTES + KZ_STEP_BYTES * KZ_ANY_STEPS_MOST * KZ_ANY_BLOCK
};

/* A value as a number that is independent of the table: 0 a hole, 1 a draw (in a table of losses: not lost), 2 + 2n
 * lost in n plies, 3 + 2n won in n plies. */
typedef uint32_t kz_code;
enum { KZ_CODE_HOLE = 0, KZ_CODE_DRAW = 1 };

static inline kz_code kz_code_loss(unsigned plies) { return 2 + 2 * plies; }
static inline kz_code kz_code_win(unsigned plies) { return 3 + 2 * plies; }

/* What occurs in a table, and how often. */
typedef struct kz_any_values {
    unsigned count;
    kz_code *codes;   /* [count], the most frequent first */
    uint16_t *number; /* [limit]: the place of a code in that list */
    kz_code limit;    /* all codes are below it */
} kz_any_values;

/* From how often each code occurs; histogram[code] for codes below `limit`. KZ_ERR_UNSUPPORTED if there are too many
 * different ones. Free in any case. */
kz_status kz_any_values_make(kz_any_values *values, const uint64_t *histogram, kz_code limit, kz_error *error);
void kz_any_values_free(kz_any_values *values);

typedef struct kz_any_model {
    bool losses_only; /* draws and wins are stored alike; a probe tells them apart by the moves */
    kz_any_values values;
    unsigned strides;
    uint32_t stride[KZ_ANY_STRIDES];
    uint8_t *kind;  /* [values.count] */
    uint16_t *yes;  /* [KZ_ANY_CANDIDATES * KZ_ANY_QUESTIONS]: probability of a yes, 1 to 4095 */
    kz_shares self; /* of a value by itself: its number, if that is below 254; else 254 and the number */
} kz_any_model;

/* How often each thing was seen. */
typedef struct kz_any_counts {
    uint32_t question[KZ_ANY_CANDIDATES * KZ_ANY_QUESTIONS][2];
    uint32_t self[KZ_ANY_CONTEXTS][KZ_SYMBOLS];
} kz_any_counts;

/* A model without probabilities: it can count, not code. Takes the values over. NULL: no memory (then the values are
 * freed). */
kz_any_model *kz_any_model_new(kz_any_values *values);
void kz_any_model_free(kz_any_model *model);

/* Chooses the strides from sampled blocks of entries (`blocks` of KZ_ANY_BLOCK each): first those that are given (0: no
 * more), then whatever predicts most of what the ones before it do not. False: no memory. */
bool kz_any_find_strides(kz_any_model *model, const uint16_t *entries, size_t blocks, const uint64_t *given,
                         size_t given_count);

/* Adds what coding a block would use. */
void kz_any_count(const kz_any_model *model, const uint16_t *entries, unsigned count, kz_any_counts *counts);
/* Makes probabilities of counts. False: no memory. */
bool kz_any_learn(kz_any_model *model, const kz_any_counts *counts);

/* As bytes, in a buffer that the caller frees, and back. NULL: no memory. */
uint8_t *kz_any_model_pack(const kz_any_model *model, size_t *size);
kz_status kz_any_model_unpack(const uint8_t *bytes, size_t size, kz_any_model **unpacked, kz_error *error);

/* Codes a block; `steps` has room for KZ_ANY_STEPS_MOST * KZ_ANY_BLOCK, `bytes` for KZ_ANY_BYTES_MOST. Returns how many
 * bytes it wrote. */
size_t kz_any_encode(const kz_any_model *model, const uint16_t *entries, unsigned count, uint32_t *steps,
                     uint8_t *bytes);
/* False if the bytes are not what an encoder wrote. */
bool kz_any_decode(const kz_any_model *model, const uint8_t *bytes, size_t size, unsigned count, uint16_t *entries);

#endif
