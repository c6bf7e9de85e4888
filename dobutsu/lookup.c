/* SPDX-License-Identifier: MIT
 *
 * What an open table of Dobutsu Shogi needs of the game (kz_reader_ops). */
#include "base/error.h"
#include "base/gamedef.h"
#include "dobutsu/plan.h"
#include "dobutsu/rules.h"

#include <stdlib.h>

typedef struct lookup {
    kz_space *space;
    kz_planner planner;
} lookup;

static void lookup_close(void *reader) {
    lookup *self = reader;
    if (self) {
        kz_space_free(self->space);
        free(self);
    }
}

static void *lookup_open(int rules, kz_error *error) {
    lookup *self = calloc(1, sizeof *self);
    if (self) {
        self->space = kz_space_new();
    }
    if (!self || !self->space) {
        lookup_close(self);
        kz_fail(error, KZ_ERR_MEMORY, "no memory for the index of Dobutsu Shogi");
        return NULL;
    }
    kz_planner_fill(&self->planner, self->space, rules);
    return self;
}

static bool lookup_rank(const void *reader, const kz_position *position, uint64_t *index) {
    const lookup *self = reader;
    kz_dobutsu dobutsu;
    kz_dobutsu_from_position(position, &dobutsu);
    return kz_space_rank_all(self->space, &dobutsu, index) && *index < KZ_DOBUTSU_INDEX_SIZE;
}

static void lookup_plan(const void *reader, uint64_t first, unsigned count, kz_plan *plan) {
    const lookup *self = reader;
    kz_dobutsu_plan(&self->planner, first, count, plan);
}

/* The squares that the opponent of the side that just moved attacks: seen by the opponent, who is to move now. */
static unsigned attacked_squares(const kz_dobutsu *position) {
    unsigned attacked = 0;
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        unsigned piece = position->board[square];
        if (piece != KZ_EMPTY && !(piece & KZ_ENEMY)) {
            attacked |= kz_dobutsu_steps((int)piece - 1, square);
        }
    }
    return attacked;
}

static unsigned enemy_lion_set(const kz_dobutsu *position) {
    unsigned set = 0;
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        set |= (unsigned)(position->board[square] == 1 + KZ_LION + KZ_ENEMY) << square;
    }
    return set;
}

static int lookup_successors(const void *reader, const kz_position *position, uint64_t indices[KZ_MAX_MOVES],
                             kz_value *best) {
    const lookup *self = reader;
    kz_dobutsu dobutsu;
    kz_move moves[KZ_MAX_MOVES];
    kz_dobutsu_from_position(position, &dobutsu);
    int rules = self->planner.rules;
    int count = kz_dobutsu_moves(rules, &dobutsu, moves);
    int found = 0;
    *best = (kz_value){KZ_UNKNOWN, 0};
    for (int i = 0; i < count; i++) {
        kz_dobutsu after = dobutsu;
        kz_dobutsu_play(&after, moves[i]);
        /* A move that leaves the lion to be captured is no good; most moves are of this kind, or end here. */
        if (attacked_squares(&after) & enemy_lion_set(&after)) {
            continue;
        }
        if (kz_space_rank_all(self->space, &after, &indices[found]) && indices[found] < KZ_DOBUTSU_INDEX_SIZE) {
            found++;
            continue;
        }
        kz_value value = kz_dobutsu_immediate(rules, &after);
        if (value.outcome == KZ_LOSS && (best->outcome == KZ_UNKNOWN || value.distance + 1 < best->distance)) {
            *best = (kz_value){KZ_WIN, value.distance + 1};
        }
    }
    return found;
}

extern const kz_reader_ops kz_dobutsu_reader;
const kz_reader_ops kz_dobutsu_reader = {
    .open = lookup_open,
    .close = lookup_close,
    .rank = lookup_rank,
    .plan = lookup_plan,
    .successors = lookup_successors,
};
