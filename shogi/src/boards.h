/* SPDX-License-Identifier: MIT
 *
 * A position as sets of squares: one bit of every square's code, gathered into a number of 81 bits. Questions about
 * legality take a few operations on such numbers, where walking over the squares takes a hundred. The calls of
 * shogi/attacks.h and shogi/legal.c are the plain twins. */
#ifndef KZ_SHOGI_BOARDS_H
#define KZ_SHOGI_BOARDS_H

#include "base/bits.h"
#include "shogi/src/position.h"

#include <kanzen/shogi_records.h>

/* Bit n is square n. */
__extension__ typedef unsigned __int128 kz_shogi_set;

/* The pieces of one side by how they move. */
typedef struct kz_shogi_forces {
    unsigned side;
    kz_shogi_set pawns;
    kz_shogi_set knights;
    kz_shogi_set silvers;
    kz_shogi_set golds; /* and all that move like them */
    kz_shogi_set king;
    kz_shogi_set lances;
    kz_shogi_set bishops; /* and promoted ones */
    kz_shogi_set rooks;   /* the same */
    kz_shogi_set promoted;
} kz_shogi_forces;

typedef struct kz_shogi_boards {
    kz_shogi_set bit[8]; /* bit b of the code of each square */
    kz_shogi_set occupied;
    kz_shogi_set side[2]; /* whose pieces */
    kz_shogi_set kings;
    kz_shogi_forces forces[2]; /* of each side */
} kz_shogi_boards;

static inline kz_shogi_set kz_shogi_set_of(int square) { return (kz_shogi_set)1 << square; }

typedef struct kz_shogi_rule_counts {
    uint64_t illegal_positions;
    uint64_t moves; /* ordinary ones */
    uint64_t illegal_moves;
} kz_shogi_rule_counts;

/* The rules on one kind of processor. All paths say the same. Positions have to be well-formed. */
typedef struct kz_shogi_rules {
    const char *path;
    /* What kz_shogi_check_legal says. */
    kz_shogi_defect (*position)(const kz_shogi_position *position);
    /* What kz_shogi_check_move says. */
    kz_shogi_defect (*move)(const kz_shogi_position *position, kz_shogi_move move);
    /* What kz_shogi_in_check says. */
    bool (*in_check)(const kz_shogi_position *position, kz_shogi_side side);
    /* The first two for many records, those without a defect; adds to the counts. A call for each record would take
     * longer than what it does. */
    void (*count)(const kz_shogi_position *positions, const kz_shogi_note *notes, const kz_shogi_defect *defects,
                  size_t count, kz_shogi_rule_counts *counts);
} kz_shogi_rules;

extern const kz_shogi_rules kz_shogi_rules_plain;
#ifdef __x86_64__
extern const kz_shogi_rules kz_shogi_rules_bmi2;
extern const kz_shogi_rules kz_shogi_rules_vbmi2;
#endif

/* The rules that suit this machine best (`path` NULL), or those of a path; NULL if there is none here. Ask once. */
const kz_shogi_rules *kz_shogi_rules_for(const char *path);

#endif
