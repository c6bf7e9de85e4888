/* SPDX-License-Identifier: MIT
 *
 * Where the file of Robert Clausecker's dobutsu has which position: docs/format-clausecker.md. Everything follows from
 * a few rules, so there are no tables to copy. The file is 42 slices (who owns what) of 63 cohorts (what is on the
 * board) of 21 runs (where the lions are) of entries (where the rest is), a byte each. */
#ifndef KZ_EXPORT_CLAUSECKER_H
#define KZ_EXPORT_CLAUSECKER_H

#include "games/dobutsu/index/index.h"

#include <stddef.h>

enum {
    KZ_CLAUSECKER_OWNERSHIPS = 42,
    KZ_CLAUSECKER_COHORTS = 63,
    KZ_CLAUSECKER_LIONS = 21,
    KZ_CLAUSECKER_RUNS = KZ_CLAUSECKER_OWNERSHIPS * KZ_CLAUSECKER_COHORTS * KZ_CLAUSECKER_LIONS,
    KZ_CLAUSECKER_OWNERSHIP_BYTES = 3988761,
    KZ_CLAUSECKER_BYTES = KZ_CLAUSECKER_OWNERSHIPS * KZ_CLAUSECKER_OWNERSHIP_BYTES,
    KZ_CLAUSECKER_KINDS = 3 /* in the order of the file: chicks, giraffes, elephants */
};

typedef struct kz_clausecker_cohort {
    unsigned on_board[KZ_CLAUSECKER_KINDS]; /* pieces */
    unsigned ways[KZ_CLAUSECKER_KINDS];     /* to place them */
    unsigned hens;                          /* bit 0: the first chick is one; bit 1: the second */
    unsigned size;                          /* ways to place all of them */
    size_t offset;                          /* in a slice */
} kz_clausecker_cohort;

typedef struct kz_clausecker_layout {
    unsigned owners[KZ_CLAUSECKER_OWNERSHIPS]; /* bits: first and second chick, giraffe, elephant; 1: not the mover's */
    kz_clausecker_cohort cohorts[KZ_CLAUSECKER_COHORTS];
    int lions[KZ_CLAUSECKER_LIONS][2]; /* squares in the numbering of the file */
} kz_clausecker_layout;

void kz_clausecker_layout_fill(kz_clausecker_layout *layout);

/* Entries that follow each other and differ only in where the pieces stand. */
typedef struct kz_clausecker_run {
    const kz_clausecker_cohort *cohort;
    unsigned owners;
    int lions[2];
    size_t offset; /* of its first entry; it has cohort->size of them */
} kz_clausecker_run;

/* Run number 0 to KZ_CLAUSECKER_RUNS - 1. */
kz_clausecker_run kz_clausecker_run_of(const kz_clausecker_layout *layout, unsigned number);

/* Whether its entries are positions. Two equal pieces in hand, one of each side, are the same whichever is called the
 * first; one of these ways has no positions, and the file has padding there. */
bool kz_clausecker_run_used(const kz_clausecker_run *run);

/* The position of an entry, 0 to cohort->size - 1. */
void kz_clausecker_arrangement(const kz_clausecker_run *run, unsigned entry, kz_dobutsu_arrangement *arrangement);

#endif
