/* SPDX-License-Identifier: MIT
 *
 * Push Fight's kind of table: opening it, its blocks, and looking positions up. */
#include "base/error.h"
#include "base/list.h"
#include "games/pushfight/check/check_compare.h"
#include "games/pushfight/rules/turns.h"
#include "games/pushfight/table/run_window.h"
#include "games/pushfight/table/values.h"
#include "table/format.h"
#include "table/scan.h"
#include "table/verify.h"

#include <stdlib.h>

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

static kz_status open_values(const kz_game *game, int rules, uint32_t block, uint64_t entries, void **opened,
                             kz_shape *shape, kz_error *error) {
    (void)game;
    (void)block;
    (void)entries;
    kz_pf_values *self = calloc(1, sizeof *self);
    *opened = self;
    if (!self) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the index of the board");
    }
    KZ_TRY(kz_pf_space_open(kz_pf_board_at(rules), &self->space, error));
    const kz_pf_space *space = self->space;
    unsigned group = (unsigned)(space->lanes * space->splits);
    unsigned groups = kz_pf_block_pairs(space);
    kz_pf_won_tables_fill(&self->won, space);
    self->shape = (kz_shape){.places = space->positions,
                             .entries = space->positions,
                             .extent = (uint64_t)space->enemy_sets * group,
                             .block = groups * group,
                             .entry_bytes = 1,
                             .scratch_bytes = groups * sizeof(kz_group_plan)};
    *shape = self->shape;
    if (!kz_run_layout_open(&self->layout, (unsigned)space->anchored_splits, group)) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to code the table");
    }
    for (unsigned place = 0; place < group; place++) {
        kz_pf_offset_plan(space, place, &self->layout.places[place]);
    }
#ifndef KANZEN_READ_ONLY
    self->look = kz_run_views_choose();
    kz_run_layout_complete(&self->layout);
#endif
    return KZ_OK;
}

static kz_status unpack_values(void *opened, const uint8_t *bytes, size_t size, kz_error *error) {
    return kz_run_model_unpack(bytes, size, &((kz_pf_values *)opened)->model, error);
}

static void close_values(void *opened) {
    kz_pf_values *self = opened;
    kz_run_model_free(self->model);
    kz_run_layout_close(&self->layout);
    kz_pf_space_close(self->space);
    free(self);
}

static bool decode_values(const void *opened, void *scratch, uint64_t block, unsigned places, const uint8_t *bytes,
                          size_t size, uint8_t *entries) {
    const kz_pf_values *self = opened;
    (void)places; /* all of the block */
    kz_run_block runs = kz_pf_plan_block(self, block, NULL, scratch);
    return kz_run_coder_decode(self->model, &runs, bytes, size, entries);
}

/* ---- Looking up -------------------------------------------------------------------------------------------------- */

/* Positions before the first turn have no index, and neither have those whose anchor can't have got there; their
 * successors have. */
static kz_value look(const void *opened, const kz_position *position, uint64_t *index) {
    const kz_pf_values *self = opened;
    kz_pf_position pf = kz_pf_from_position(position);
    if (kz_pf_finished(&pf)) {
        return (kz_value){KZ_LOSS, 0};
    }
    if (!kz_pf_index(self->space, &pf, index)) {
        *index = KZ_NO_INDEX;
    }
    return (kz_value){KZ_UNKNOWN, 0};
}

static int successors(const void *opened, const kz_position *position, uint64_t *indices, kz_value *best) {
    const kz_pf_values *self = opened;
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

/* A position without an index: the best that a move leads to, and a loss if there is no move. Bytes that are not here
 * yet (KZ_ERR_IO) are no reason to leave out the rest: the lookups of the others ask for theirs. */
static kz_status find_best(const kz_table *table, const uint64_t *indices, int count, kz_value *value,
                           kz_error *error) {
    kz_status missing = KZ_OK;
    *value = (kz_value){KZ_LOSS, 0};
    for (int i = 0; i < count; i++) {
        uint8_t entry = 0;
        kz_status status = kz_table_lookup(table, indices[i], &entry, error);
        if (status == KZ_ERR_IO) {
            missing = status;
        } else if (status != KZ_OK) {
            return status;
        }
        kz_value promised = kz_value_before(kz_value_of_entry(entry));
        if (i == 0 || kz_value_worth(promised) > kz_value_worth(*value)) {
            *value = promised;
        }
    }
    return missing;
}

static kz_status look_ahead(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error) {
    kz_list memory;
    uint64_t *indices = kz_list_open(&memory, KZ_MAX_MOVES, sizeof *indices);
    int count = indices ? successors(kz_table_self(table), position, indices, value) : -1;
    kz_status status = count < 0 ? kz_fail(error, KZ_ERR_MEMORY, "no memory to list the moves of a position") : KZ_OK;
    if (status == KZ_OK && value->outcome == KZ_UNKNOWN) {
        status = find_best(table, indices, count, value, error);
    }
    kz_list_close(&memory);
    return status;
}

static kz_status probe_values(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error) {
    uint64_t index = KZ_NO_INDEX;
    uint8_t entry;
    *value = look(kz_table_self(table), position, &index);
    if (value->outcome != KZ_UNKNOWN) {
        return KZ_OK;
    }
    if (index == KZ_NO_INDEX) {
        return look_ahead(table, position, value, error);
    }
    KZ_TRY(kz_table_lookup(table, index, &entry, error));
    *value = kz_value_of_entry(entry);
    return KZ_OK;
}

#ifndef KANZEN_READ_ONLY

static kz_status look_at_batch(kz_batch *b) {
    const void *self = kz_table_self(b->table);
    for (unsigned i = 0; i < b->count; i++) {
        uint64_t index = KZ_NO_INDEX;
        if (!kz_batch_is_valid(b, i)) {
            continue;
        }
        b->values[i] = look(self, &b->positions[i], &index);
        if (b->values[i].outcome == KZ_UNKNOWN) {
            KZ_TRY(kz_batch_can_ask(index) ? kz_batch_ask(b, i, index, NULL, 0, 0) : kz_batch_probe(b, i));
        }
    }
    return KZ_OK;
}

static void answer(const kz_asked *asked, size_t count, const uint8_t *entries, kz_value *values) {
    for (size_t i = 0; i < count; i++) {
        values[asked[i].number] = kz_value_of_entry(entries[asked[i].slot]);
    }
}

static kz_status verify_values(const kz_table *table, int threads, const kz_progress *progress,
                               kz_verify_report *report, kz_error *error) {
    return kz_verify_by(&kz_pushfight_checker, table, threads, progress, report, error);
}

#endif

const kz_table_kind kz_pushfight_kind = {
    .version = KZ_TABLE_VERSION_VALUES,
    .index_bytes = KZ_INDEX2_BYTES,
    .cached_bytes = KZ_CACHED_MANY,
    .excerpts = true,
    .open = open_values,
    .unpack = unpack_values,
    .close = close_values,
    .look = look,
    .successors = successors,
    .decode = decode_values,
    .probe = probe_values,
#ifndef KANZEN_READ_ONLY
    .decode_many = kz_pf_decode_many,
    .look_at_batch = look_at_batch,
    .answer = answer,
    .verify = verify_values,
    .longest = kz_collect_longest_entries,
    .puzzles = kz_collect_puzzle_entries,
    .encoder = &kz_pf_values_encoder,
#endif
};
