/* SPDX-License-Identifier: MIT
 *
 * A game tested against itself and against a second, plain program of its rules, on random positions: what the same
 * game in another form must agree on. Every game of the registry can be tested, and every game that is defined
 * (kanzen/define.h): that the laws of its definition hold. */
#ifndef KANZEN_SELFTEST_H
#define KANZEN_SELFTEST_H

#include <kanzen/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is compared, position by position. */
enum {
    KZ_SELFTEST_TEXT,   /* every notation reads back what it writes */
    KZ_SELFTEST_INDEX,  /* rank and unrank are inverse */
    KZ_SELFTEST_RESULT, /* what the rules alone tell of a position: the plain rules say the same, and so do its moves */
    KZ_SELFTEST_MOVE,   /* legal moves: the plain rules have those and no others */
    KZ_SELFTEST_MOVE_TEXT,   /* a written move is read back as the same one */
    KZ_SELFTEST_ALTERED,     /* a move text with a change in it is refused, or is another legal move */
    KZ_SELFTEST_LOOKUP,      /* the fast index of tables, of a position and of all its successors */
    KZ_SELFTEST_PREDECESSOR, /* a position is among the predecessors of its successors, and the other way round */
    KZ_SELFTEST_IMAGE,       /* mirror images and the like are worth the same */
    KZ_SELFTEST_VALUE,       /* a table's value is that of the best move */
    KZ_SELFTEST_TIER,        /* moves lead to the tiers that the definition says */
    KZ_SELFTEST_LOOK,        /* pieces and what moves touch are on the board */
    KZ_SELFTEST_CHECKS
};

/* "text", "index", ...; NULL past the last. */
const char *kz_selftest_name(int check);
/* What is counted, for a person: "texts read back". */
const char *kz_selftest_title(int check);

typedef struct kz_selftest_options {
    uint64_t positions;    /* how many to test */
    uint64_t seed;         /* the same seed: the same positions, on any number of threads */
    int threads;           /* 0: one for each processor */
    const kz_table *table; /* of the game and the rules, for KZ_SELFTEST_VALUE; or NULL */
} kz_selftest_options;

enum { KZ_SELFTEST_PROBLEM_BYTES = 4 * KZ_TEXT_BYTES };

typedef struct kz_selftest_report {
    uint64_t positions;                  /* that were tested */
    uint64_t counts[KZ_SELFTEST_CHECKS]; /* comparisons of each kind; 0 where the game has nothing to compare with */
    double seconds;
    /* The first failure, if there is one; -1 otherwise. */
    int failed;
    char position[KZ_TEXT_BYTES];            /* in the game's canonical notation */
    char problem[KZ_SELFTEST_PROBLEM_BYTES]; /* a sentence */
} kz_selftest_report;

/* Positions are drawn from the index, and from random games that begin there or at the start. KZ_ERR_MISMATCH if
 * something does not agree: then the report has the first such position, and counts what was done until it was found.
 * `progress` may be NULL. */
kz_status kz_selftest(const kz_game *game, int rules, const kz_selftest_options *options, const kz_progress *progress,
                      kz_selftest_report *report, kz_error *error);

#ifdef __cplusplus
}
#endif
#endif
