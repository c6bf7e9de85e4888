/* SPDX-License-Identifier: MIT
 *
 * Every index of the solved zone is a position, and the position's rank is that index again: since there are as many
 * indices as positions, the index is a bijection. On the way one position of eight goes through one of the three packed
 * forms and back, and the next ones through the others: ten million positions each. */
#include "tests/support/testing.h"

#include "base/pool.h"
#include "games/dobutsu/index/space.h"

#include <stdatomic.h>
#include <string.h>

enum { CODECS = 3, PACKED_STEP = 8 };

typedef struct walk {
    const kz_dobutsu_space *space;
    _Atomic uint64_t visited;
    _Atomic uint64_t symmetric;
    _Atomic uint64_t first_bad; /* 1 + an index, 0: none; an assertion may fail in the main thread only */
} walk;

static bool same(const kz_dobutsu *a, const kz_dobutsu *b) {
    return memcmp(a->board, b->board, sizeof a->board) == 0 && memcmp(a->hand, b->hand, sizeof a->hand) == 0;
}

static bool same_mirrored(const kz_dobutsu *a, const kz_dobutsu *b) {
    for (int row = 0; row < KZ_DOBUTSU_SQUARES; row += 3) {
        if (a->board[row] != b->board[row + 2] || a->board[row + 1] != b->board[row + 1] ||
            a->board[row + 2] != b->board[row]) {
            return false;
        }
    }
    return memcmp(a->hand, b->hand, sizeof a->hand) == 0;
}

/* Reading also finds out whether the position is valid. */
static bool codec_round_trips(const kz_dobutsu *position, unsigned codec) {
    kz_dobutsu back;
    unsigned hens = 0;
    switch (codec) {
    case 0:
        return kz_dobutsu_from_state40(kz_dobutsu_to_state40(position), true, &back, NULL) == KZ_OK &&
               same(&back, position);
    case 1:
        for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
            hens |= (unsigned)((position->board[square] & (KZ_DOBUTSU_ENEMY - 1)) == 1 + KZ_DOBUTSU_HEN) << square;
        }
        return kz_dobutsu_from_board64(kz_dobutsu_to_board64(position), position->hand[0], position->hand[1],
                                       kz_dobutsu_to_coordset(hens), &back, NULL) == KZ_OK &&
               same(&back, position);
    default:
        return kz_dobutsu_from_index18(kz_dobutsu_to_index18(position), &back, NULL) == KZ_OK &&
               (same(&back, position) || same_mirrored(&back, position));
    }
}

static void visit(void *context, int worker, uint64_t begin, uint64_t end) {
    walk *w = context;
    uint64_t symmetric = 0;
    (void)worker;
    for (uint64_t index = begin; index < end; index++) {
        kz_dobutsu position;
        uint64_t rank;
        kz_dobutsu_space_unrank(w->space, index, &position);
        symmetric += same_mirrored(&position, &position);
        if (!kz_dobutsu_space_rank_all(w->space, &position, &rank) || rank != index ||
            (index % PACKED_STEP == 0 && !codec_round_trips(&position, (unsigned)(index / PACKED_STEP % CODECS)))) {
            w->first_bad = index + 1;
        }
    }
    w->visited += end - begin;
    w->symmetric += symmetric;
}

TEST(test_bijection) {
    kz_dobutsu_space *space = kz_dobutsu_space_new();
    kz_pool *pool = kz_pool_new(0, NULL);
    assert_non_null(space);
    assert_non_null(pool);
    walk w = {.space = space};
    assert_int_equal(kz_pool_for(pool, KZ_DOBUTSU_INDEX_SIZE, 0, visit, &w, NULL, NULL, NULL), KZ_OK);
    assert_int_equal(w.first_bad, 0);
    assert_int_equal(w.visited, 231641991);
    /* Unfolded there are 463,250,853: 39 choices of lions with 11,878,227 positions each. */
    assert_int_equal(2 * w.visited - w.symmetric, 463250853);
    kz_pool_free(pool);
    kz_dobutsu_space_free(space);
}

TESTS(NULL, NULL)
