/* SPDX-License-Identifier: MIT
 *
 * What the parts of numbers.h share. numbers.c decides who takes care of a number; numbers_plain.c does what is rare
 * through the plain functions; numbers_rank.c takes numbers apart and makes them; numbers_after.c and numbers_before.c
 * list moves and predecessors. */
#ifndef KZ_VARIANT_NUMBERS_PARTS_H
#define KZ_VARIANT_NUMBERS_PARTS_H

#include "games/texts/light.h"
#include "games/texts/number_list.h"

typedef struct kz_variant_small kz_variant_small;

struct kz_variant_numbers {
    const kz_variant *variant;
    const kz_variant_index *index;
    kz_variant_small *small; /* NULL: the variant is none for small.h */
    kz_reaches reaches;
    bool plain;        /* the plain functions do all of it */
    bool can_win;      /* a move may win at once */
    int prey;          /* the type whose capture ends the game, or -1 */
    bool stuck_counts; /* a position without moves is not always lost */
};

/* What takes care of a number. */
typedef enum kz_route { KZ_ROUTE_HOLE, KZ_ROUTE_FAST, KZ_ROUTE_PLAIN } kz_route;

/* ---- numbers.c --------------------------------------------------------------------------------------------------- */

/* The type of the kings, if this is a variant for small.c; -1: it is not. */
int kz_variant_small_king(const kz_variant *variant);
kz_route kz_numbers_route(const kz_variant_numbers *n, const kz_piece_set *s, uint64_t number);
/* A move that is not listed leads to a position with this outcome for the side that is to move there. */
void kz_numbers_add_outcome(kz_sight *sight, kz_outcome outcome, int plies);
/* Whether a pawn of `color` may just have passed `square`, as far as that pawn is concerned. */
bool kz_numbers_may_have_passed(const kz_variant *v, const kz_light *b, int square, int color);
/* Whether a pawn of a side can capture on `square` a pawn that has passed it. */
bool kz_numbers_is_passing_met(const kz_variant *v, const kz_light *b, int square, int by);

/* ---- numbers_plain.c --------------------------------------------------------------------------------------------- */

/* After a move to a position where the game goes on: its number, or KZ_NO_NUMBER if it is settled, which `sight` is
 * told. */
uint64_t kz_numbers_number_plainly(const kz_variant_numbers *n, const kz_board *next, kz_sight *sight);
int kz_numbers_after_plainly(const kz_variant_numbers *n, uint64_t index, uint64_t *list, kz_sight *sight);
int kz_numbers_before_plainly(const kz_variant_numbers *n, uint64_t index, uint64_t *list, int room);

/* ---- numbers_rank.c ---------------------------------------------------------------------------------------------- */

/* How many numbers of a piece set have the same file of a pawn that has passed. */
uint64_t kz_numbers_passing_size(const kz_variant_index *x, const kz_piece_set *s);
/* The number of a board of a piece set; `passed` is the square that a pawn has just passed, or KZ_NO_SQUARE. */
uint64_t kz_numbers_rank(const kz_variant_numbers *n, const kz_piece_set *s, const kz_light *b, int passed);
/* The piece set of a board; NULL: it has none. */
const kz_piece_set *kz_numbers_find_set(const kz_variant_numbers *n, const kz_light *b);
/* Puts the pieces of a number on a board; which pawn has passed is left out of it. `list` gets the squares in the order
 * of the groups. False: a hole. */
bool kz_numbers_set_up(const kz_variant_numbers *n, const kz_piece_set *s, uint64_t rest, kz_light *b, uint8_t *list);
/* Takes a number apart in which no pawn has just passed; false: a hole. */
bool kz_numbers_unrank(const kz_variant_numbers *n, const kz_piece_set *s, uint64_t number, kz_light *b);

/* ---- numbers_after.c --------------------------------------------------------------------------------------------- */

/* After the drop of a pawn: whether that is a mate, where it must not be. */
bool kz_numbers_is_drop_mate(const kz_variant_numbers *n, kz_light *b, kz_move move);

/* ---- small.c --------------------------------------------------------------------------------------------------------
 *
 * Faster: for small boards where a king is captured and no piece rides, such as animal shogi. There the squares that a
 * side attacks are the sum of what its pieces attack, whatever stands between, so a move changes them by one piece.
 * Both kings are one part of the number (kz_king_pairs). */

/* NULL: no memory. */
kz_variant_small *kz_variant_small_new(const kz_variant *variant, const kz_variant_index *index);
void kz_variant_small_free(kz_variant_small *m);

/* For numbers of piece sets with pairs of kings; otherwise as in numbers.h. */
int kz_variant_small_after(const kz_variant_small *m, const kz_piece_set *set, uint64_t index, uint64_t *list,
                           kz_sight *sight);
int kz_variant_small_before(const kz_variant_small *m, const kz_piece_set *set, uint64_t index, uint64_t *list,
                            int room);

#endif
