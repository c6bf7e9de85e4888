/* SPDX-License-Identifier: MIT
 *
 * Which entries of the analyzer's database are not what they ought to be, worked out from the rules and the values.
 *
 * Four positions without any move are lost, but the analyzer never tells the positions before them. There are two of
 * these, and they stay undecided although they are won; so does what rests on their values. */
#ifndef TESTS_PACKETS_UNDECIDED_H
#define TESTS_PACKETS_UNDECIDED_H

#include "tests/support/testing.h"

#include "games/dobutsu/compat/packet_source.h"
#include "games/dobutsu/rules/definition.h"
#include "games/dobutsu/rules/rules.h"
#include "games/dobutsu/solve/reach.h"

#include <stdbool.h>

enum {
    RULES = KZ_DOBUTSU_SIMPLIFIED,
    OUTCOME_BITS = 9,
    OUTCOME_MASK = 511,
    KEY_BITS = 40,
    MOST_OUTCOME = 201,
    MOST_DIFFERING = 1000
};

/* The won positions whose winning move leads to a position without a move. */
static const uint64_t never_decided[] = {0xcb48d25586, 0xc328da15a4};

enum { NEVER_DECIDED = sizeof never_decided / sizeof never_decided[0] };

typedef struct differing {
    uint64_t key;
    int score; /* as the analyzer has it; 0: undecided */
} differing;

typedef struct work {
    const kz_dobutsu_retro *retro;
    const kz_dobutsu_reach *reach;
    differing found[MOST_DIFFERING]; /* those that may differ, the first ones first */
    size_t count;
    kz_position before[KZ_MAX_PREDECESSORS];
} work;

int true_score(const work *w, const kz_dobutsu *position);

/* The reachable positions before one in which the game goes on; how many there are. */
int parents_of(work *w, uint64_t key, uint64_t parents[KZ_MAX_PREDECESSORS]);

/* All that may differ: what rests on the positions that are never decided, what rests on that, and so on. */
void collect(work *w);

/* Decides what can be decided all the same, ply by ply. */
void decide(work *w);

uint64_t entry_of(const work *w, uint64_t key);

/* Packets against an independent computation: keys found by trying every 40-bit number, children by the plain rules,
 * values looked up one by one. The counts are those that were published, or found by another program. A source takes a
 * minute to open, so the program that has one runs these tests. */

/* The tests take their packets from this source. */
void packets_whole_begin(kz_packet_source *opened);

void test_packets_counts(void **state);
void test_packets_entries(void **state);
void test_packets_worked_example(void **state);
void test_packets_undecided(void **state);
void test_packets_folder(void **state);
void test_packets_archive(void **state);
void test_packets_fix(void **state);
void test_packets_reading(void **state);

#endif
