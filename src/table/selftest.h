/* SPDX-License-Identifier: MIT
 *
 * The parts of the self-test. A tester is what one thread has; it goes from position to position and stops at the first
 * one where something does not agree. */
#ifndef KZ_TABLE_SELFTEST_H
#define KZ_TABLE_SELFTEST_H

#include "base/random.h"
#include "table/kind.h"

#include <kanzen/selftest.h>

/* A set of keys. Slots of earlier sets count as empty, so that nothing has to be cleared. */
enum { KZ_KEY_SLOTS = 65536 };

typedef struct kz_key_slot {
    kz_twin_key key;
    uint32_t set; /* the number of the set that it is in */
    kz_move move; /* that leads there */
    bool seen;    /* by the twin as well */
} kz_key_slot;

typedef struct kz_tester {
    const kz_game *game;
    int rules;
    const kz_table *table;
    const kz_table_kind *kind; /* of the game's own tables; NULL: it has a definition only */
    const void *index;         /* what the kind ranks positions with */
    const void *twin;          /* NULL if the game has none */
    kz_random random;
    uint64_t counts[KZ_SELFTEST_CHECKS];

    kz_position batch_begin;
    kz_position position; /* the one that is tested */
    bool with_slow;       /* whether it gets what takes long, too */
    int move_count;
    kz_move moves[KZ_MAX_MOVES];
    char earlier_move[KZ_TEXT_BYTES]; /* a legal one of the position before; empty: there was none */

    int failed; /* the check; -1: none so far */
    char problem[KZ_SELFTEST_PROBLEM_BYTES];
    kz_position failed_position;
    uint64_t failed_batch;

    /* Working room. */
    uint32_t set;
    uint32_t key_count;
    kz_key_slot slots[KZ_KEY_SLOTS];
    kz_twin_key unlisted; /* what the twin found that is not in the set, if it did */
    bool has_unlisted;
    uint64_t indices[3][KZ_MAX_MOVES];
    kz_move other_moves[KZ_MAX_MOVES]; /* of another position than the one that is tested */
    kz_scored_move scored[KZ_MAX_MOVES];
    /* Lists of a definition, with room for the most that one may have, so that a limit of its own that is too low is
     * reported and nothing is written behind the list. NULL without a definition. */
    kz_position *before;
    uint64_t *numbers_before;
    uint64_t *numbers_after[3];
} kz_tester;

/* Notes a failure and returns false. */
__attribute__((format(printf, 3, 4))) bool kz_tester_fail(kz_tester *tester, int check, const char *format, ...);

/* The position in the canonical notation, or its bytes if that fails. */
void kz_tester_text(const kz_tester *tester, const kz_position *position, char text[KZ_TEXT_BYTES]);

/* The position after a move. */
kz_position kz_tester_child(const kz_tester *tester, kz_move move);

/* The index as tables work it out, which is fast, and the value if the rules tell it; KZ_NO_INDEX: none, or not asked
 * for because the value is known. */
kz_value kz_tester_look(const kz_tester *tester, const kz_position *position, uint64_t *index);

/* The checks, in groups. kz_test_moves fills in `moves` and comes first. */
bool kz_test_texts(kz_tester *tester); /* selftest_text.c */
bool kz_test_move_texts(kz_tester *tester);
bool kz_test_moves(kz_tester *tester); /* selftest_moves.c */
bool kz_test_predecessors(kz_tester *tester);
bool kz_test_index(kz_tester *tester); /* selftest_index.c */
bool kz_test_images(kz_tester *tester);
bool kz_test_values(kz_tester *tester);
bool kz_test_definition(kz_tester *tester); /* selftest_define.c, in place of moves, predecessors, index and images */
bool kz_test_numbers(kz_tester *tester,
                     uint64_t index); /* selftest_numbers.c: moves as numbers, of the position's class */

#endif
