/* SPDX-License-Identifier: MIT
 *
 * What the parts of an index share while it is made. index_material.c finds all material and its tiers,
 * index_layout.c says how a piece set is numbered, index.c puts them together, index_rank.c defines the numbers. */
#ifndef KZ_VARIANT_INDEX_PARTS_H
#define KZ_VARIANT_INDEX_PARTS_H

#include "games/texts/index.h"

/* Lists of what follows from what, while the index is made. */
typedef struct kz_material_graph {
    kz_variant_index *index;
    int *edges; /* pairs: from, to */
    size_t count;
    size_t room;
    int set_room;
    bool failed;
    bool too_many;
} kz_material_graph;

/* ---- index_material.c -------------------------------------------------------------------------------------------- */

/* The key of a piece set: a sum of random numbers, so that it takes one addition a piece. */
uint64_t kz_index_key(const kz_variant_index *x, const kz_material *m);
uint64_t kz_index_key_of_board(const kz_variant_index *x, const kz_board *b);
/* What it is with the other side to move. */
kz_material kz_material_passed_turn(const kz_variant *v, const kz_material *m);
/* The same with colours exchanged. */
kz_material kz_material_turned(const kz_material *m);
/* Whether the rules end the game by the material alone. */
bool kz_material_is_over(const kz_variant *v, const kz_material *m);
/* The number of the piece set with this material, which is new or known; -1: the graph says why not. */
int kz_graph_add(kz_material_graph *g, const kz_material *m);
/* Adds whatever a move may do to the material of a piece set. Geometry is not asked. */
void kz_graph_expand(kz_material_graph *g, int from);
/* Gives each piece set its tier. False: no memory. */
bool kz_graph_find_tiers(kz_variant_index *x, const kz_material_graph *g);

/* ---- index_layout.c ---------------------------------------------------------------------------------------------- */

/* Where symmetry i of the board takes a square: mirror files (1), ranks (2), and exchange both (4). */
int kz_index_take_square(const kz_variant *v, int i, int square);
/* Whether the rules tell the value of any position with these kings. */
bool kz_index_is_decided(const kz_variant_index *x, int own, int enemy);
/* Says how the positions of a piece set are numbered. False: there are too many. */
bool kz_index_lay_out(kz_variant_index *x, kz_piece_set *s);

/* The same piece of the other colour; 0 is no piece. */
static inline int kz_index_turn_piece(int piece) { return piece ? ((piece - 1) ^ 1) + 1 : 0; }

#endif
