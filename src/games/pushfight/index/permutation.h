/* SPDX-License-Identifier: MIT
 *
 * Positions as strings of codes, one a square, and the lexicographic rank of such strings: the permutation index of the
 * published solution. Only positions with all pieces and an anchor have one. */
#ifndef KZ_PUSHFIGHT_PERMUTATION_H
#define KZ_PUSHFIGHT_PERMUTATION_H

#include "games/pushfight/rules/board.h"

typedef enum kz_pf_code {
    KZ_PF_EMPTY,
    KZ_PF_OWN_MOVER,
    KZ_PF_OWN_PUSHER,
    KZ_PF_ENEMY_MOVER,
    KZ_PF_ENEMY_PUSHER,
    KZ_PF_ANCHORED, /* enemy pusher */
    KZ_PF_CODES
} kz_pf_code;

/* How often each code is there. */
typedef struct kz_pf_counts {
    int of[KZ_PF_CODES];
} kz_pf_counts;

/* The counts of a board with all pieces and an anchor. */
kz_pf_counts kz_pf_board_counts(const kz_pf_board *board);

/* How many strings have these counts: a multinomial coefficient. */
uint64_t kz_pf_strings(kz_pf_counts counts);

/* The rank of a string among those of the same counts, and back. */
uint64_t kz_pf_string_rank(const uint8_t *codes, int length);
void kz_pf_string_at(uint64_t rank, kz_pf_counts counts, uint8_t *codes);

/* The code of each square, in the order of the squares. Any position will do. */
void kz_pf_codes(const kz_pf_position *position, uint8_t codes[KZ_PF_MOST_SQUARES]);
/* The position that the codes stand for, red to move. */
void kz_pf_from_codes(int board, const uint8_t *codes, kz_pf_position *position);

/* The permutation index, 0 to kz_pf_permutations - 1. `position` is in progress, `index` is in range. */
uint64_t kz_pf_permutations(const kz_pf_board *board);
uint64_t kz_pf_permutation(const kz_pf_position *position);
void kz_pf_permutation_at(int board, uint64_t index, kz_pf_position *position);

#endif
