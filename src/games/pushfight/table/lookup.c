/* SPDX-License-Identifier: MIT
 *
 * What an open table of Push Fight needs of the game (kz_reader_ops). */
#include "base/error.h"
#include "base/list.h"
#include "game/gamedef.h"
#include "games/pushfight/rules/turns.h"
#include "games/pushfight/table/plan.h"

#include <stdlib.h>

typedef struct lookup {
    kz_pf_space *space;
    kz_pf_won_tables won;
    unsigned pair_places;
} lookup;

static void lookup_close(void *reader) {
    lookup *self = reader;
    kz_pf_space_close(self->space);
    free(self);
}

static void *lookup_open(int rules, kz_error *error) {
    lookup *self = calloc(1, sizeof *self);
    if (!self) {
        kz_fail(error, KZ_ERR_MEMORY, "no memory for the index of the board");
        return NULL;
    }
    if (kz_pf_space_open(kz_pf_board_at(rules), &self->space, error) != KZ_OK) {
        lookup_close(self);
        return NULL;
    }
    kz_pf_won_tables_fill(&self->won, self->space);
    self->pair_places = (unsigned)(self->space->lanes * self->space->splits);
    return self;
}

static void lookup_shape(const void *reader, kz_shape *shape) {
    const lookup *self = reader;
    const kz_pf_space *space = self->space;
    *shape = (kz_shape){.places = space->positions,
                        .extent = (uint64_t)space->enemy_sets * self->pair_places,
                        .block = kz_pf_block_pairs(space) * self->pair_places,
                        .run = (unsigned)space->anchored_splits,
                        .group = self->pair_places};
}

/* Positions before the first turn have no index, and neither have those whose anchor can't have got there; their
 * successors have. */
static kz_value lookup_look(const void *reader, const kz_position *position, uint64_t *index) {
    const lookup *self = reader;
    kz_pf_position pf = kz_pf_from_position(position);
    if (kz_pf_finished(&pf)) {
        return (kz_value){KZ_LOSS, 0};
    }
    if (!kz_pf_index(self->space, &pf, index)) {
        *index = KZ_NO_INDEX;
    }
    return (kz_value){KZ_UNKNOWN, 0};
}

static void lookup_group_plans(const void *reader, uint64_t first, unsigned count, const uint64_t *won,
                               kz_group_plan *groups) {
    const lookup *self = reader;
    kz_pf_group_plans(self->space, &self->won, first / self->pair_places, count / self->pair_places, won, groups);
}

static void lookup_entry_plan(const void *reader, unsigned place, kz_entry_plan *plan) {
    const lookup *self = reader;
    kz_pf_offset_plan(self->space, place, plan);
}

static int lookup_successors(const void *reader, const kz_position *position, uint64_t *indices, kz_value *best) {
    const lookup *self = reader;
    kz_pf_position pf = kz_pf_from_position(position);
    kz_list memory;
    kz_move *turns = kz_list_open(&memory, KZ_MAX_MOVES, sizeof *turns);
    int listed = turns ? kz_pf_turns(&pf, turns) : 0;
    int count = turns ? 0 : -1;
    *best = (kz_value){KZ_UNKNOWN, 0};
    for (int i = 0; i < listed; i++) {
        kz_pf_position after = pf;
        kz_pf_play(&after, turns[i]);
        if (kz_pf_finished(&after)) {
            *best = (kz_value){KZ_WIN, 1};
        } else {
            kz_pf_index(self->space, &after, &indices[count++]);
        }
    }
    kz_list_close(&memory);
    return count;
}

extern const kz_reader_ops kz_pushfight_reader;
const kz_reader_ops kz_pushfight_reader = {
    .open = lookup_open,
    .close = lookup_close,
    .shape = lookup_shape,
    .look = lookup_look,
    .group_plans = lookup_group_plans,
    .entry_plan = lookup_entry_plan,
    .successors = lookup_successors,
};
