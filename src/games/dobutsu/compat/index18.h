/* SPDX-License-Identifier: MIT
 *
 * Positions of Dobutsu Shogi in the order of the state index of the 18-number form (kz_dobutsu_to_index18).
 *
 * The index is a number of 12 digits to the base 11, one a square, below 6 digits to the base 3 for the hands. To put
 * digits in descending order of weight, each in ascending order, is to list positions in the order of their indices:
 * nothing has to be sorted. The list is made in parts: the positions of one part have the same hands and the same home
 * row of the mover. */
#ifndef KZ_EXPORT_INDEX18_H
#define KZ_EXPORT_INDEX18_H

#include "app/export/ordered.h"
#include "games/dobutsu/index/space.h"

/* By what a pair's state, or a lion's square, adds to the index: [0] as it is, [1] in the mirror. */
typedef struct kz_dobutsu_index18 {
    int64_t own_lion[KZ_DOBUTSU_SQUARES][2];
    int64_t enemy_lion[KZ_DOBUTSU_SQUARES][2];
    int64_t elephant[KZ_DOBUTSU_PLAIN_STATES][2];
    int64_t giraffe[KZ_DOBUTSU_PLAIN_STATES][2];
    int64_t chick[KZ_DOBUTSU_CHICK_STATES][2];
} kz_dobutsu_index18;

void kz_dobutsu_index18_fill(kz_dobutsu_index18 *tables);

/* The same as kz_dobutsu_to_index18: the smaller one of the two mirror images. */
static inline uint64_t kz_dobutsu_index18_of(const kz_dobutsu_index18 *t, const kz_dobutsu_states *s) {
    const int64_t all_empty = INT64_C(1569214188360); /* 5 in every digit */
    int64_t index[2];
    for (int m = 0; m < 2; m++) {
        index[m] = all_empty + t->own_lion[s->own_lion][m] + t->enemy_lion[s->enemy_lion][m] +
                   t->elephant[s->elephants][m] + t->giraffe[s->giraffes][m] + t->chick[s->chicks][m];
    }
    return (uint64_t)(index[0] < index[1] ? index[0] : index[1]);
}

/* The parts, in order. */
typedef struct kz_dobutsu_index18_parts {
    uint32_t *parts;
    uint32_t count;
    uint16_t plain_state[26][26]; /* by where the two pieces are; see index18.c */
    uint16_t chick_state[50][50];
} kz_dobutsu_index18_parts;

/* False: no memory. Free in any case. */
bool kz_dobutsu_index18_parts_make(kz_dobutsu_index18_parts *parts);
void kz_dobutsu_index18_parts_free(kz_dobutsu_index18_parts *parts);

/* A position of the solved zone (games/dobutsu/index/index.h): its state index, and its place in tables. */
typedef struct kz_dobutsu_index18_entry {
    uint64_t index;
    uint32_t place;
} kz_dobutsu_index18_entry;

/* Adds the positions of a part whose bit is set in `wanted` (by index; NULL: all) as kz_dobutsu_index18_entry. False:
 * no memory. */
bool kz_dobutsu_index18_list(const kz_dobutsu_index18_parts *parts, const kz_dobutsu_space *space, uint32_t part,
                             const uint64_t *wanted, kz_buffer *list);

#endif
