/* SPDX-License-Identifier: MIT
 *
 * Tables of any game with a definition: each entry is the number of a value (any_coder.h), and the game's own functions
 * are all that it takes to look one up. */
#include "table/any_kind.h"

#include "base/error.h"
#include "game/defined.h"
#include "table/format.h"

#include <stdlib.h>

typedef struct any {
    const kz_definition *game;
    const void *context;
    uint64_t places;
    kz_any_model *model;
} any;

const kz_any_model *kz_table_any(const kz_table *table) {
    const any *self = kz_table_self(table);
    return kz_table_kind_of(table) == &kz_any_kind ? self->model : NULL;
}

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

static kz_status open_any(const kz_game *game, int rules, uint32_t block, uint64_t entries, void **opened,
                          kz_shape *shape, kz_error *error) {
    (void)block;
    (void)entries;
    any *self = calloc(1, sizeof *self);
    *opened = self;
    if (!self) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the table");
    }
    self->game = game->definition;
    self->context = kz_game_context(game, rules);
    self->places = self->game->index_size(self->context);
    *shape = (kz_shape){.places = self->places,
                        .entries = self->places,
                        .extent = KZ_ANY_BLOCK,
                        .block = KZ_ANY_BLOCK,
                        .entry_bytes = sizeof(uint16_t)};
    return KZ_OK;
}

static kz_status unpack_any(void *opened, const uint8_t *bytes, size_t size, kz_error *error) {
    any *self = opened;
    KZ_TRY(kz_any_model_unpack(bytes, size, &self->model, error));
    return self->model->losses_only && self->game->max_moves > KZ_ANY_FEW_MOVES
               ? kz_fail(error, KZ_ERR_CORRUPT, "it stores losses only, but the game has too many moves for that")
               : KZ_OK;
}

static void close_any(void *opened) {
    any *self = opened;
    kz_any_model_free(self->model);
    free(self);
}

static bool decode_any(const void *opened, void *scratch, uint64_t block, unsigned places, const uint8_t *bytes,
                       size_t size, uint8_t *entries) {
    const any *self = opened;
    (void)scratch;
    (void)block;
    return kz_any_decode(self->model, bytes, size, places, (uint16_t *)(void *)entries);
}

/* ---- Looking up -------------------------------------------------------------------------------------------------- */

static kz_value value_of(kz_code code) {
    return code <= KZ_CODE_DRAW ? (kz_value){KZ_DRAW, 0}
                                : (kz_value){code % 2 ? KZ_WIN : KZ_LOSS, (int)((code - 2) / 2)};
}

/* What the table stores for a position that goes on. */
static kz_status look_up(const kz_table *table, const kz_position *position, kz_code *code, kz_error *error) {
    const any *self = kz_table_self(table);
    uint64_t index = kz_defined_rank(self->game, self->context, position, NULL);
    uint16_t entry;
    *code = KZ_CODE_HOLE;
    if (index >= self->places) {
        return kz_fail(error, KZ_ERR_INPUT, "the position has no number below %llu", (unsigned long long)self->places);
    }
    KZ_TRY(kz_table_lookup(table, index, &entry, error));
    *code = self->model->values.codes[entry];
    return *code != KZ_CODE_HOLE
               ? KZ_OK
               : kz_fail(error, KZ_ERR_INPUT, "the table has no value for position number %llu: it can't occur",
                         (unsigned long long)index);
}

/* A position that is not lost, in a table of losses: it is won if a move leads to a lost one, and drawn otherwise.
 * Bytes that are not here yet (KZ_ERR_IO) are no reason to leave out the other moves: their bytes are asked for, too.
 */
static kz_status find_win(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error) {
    const any *self = kz_table_self(table);
    const kz_definition *definition = self->game;
    const void *context = self->context;
    kz_move moves[KZ_ANY_FEW_MOVES];
    int count = definition->moves(context, position, moves);
    kz_status missing = KZ_OK;
    *value = (kz_value){KZ_DRAW, 0};
    if (count == 0) {
        *value = (kz_value){kz_defined_stuck(definition, context, position), 0};
    }
    for (int i = 0; i < count; i++) {
        kz_position next = *position;
        kz_code code = KZ_CODE_DRAW;
        definition->play(context, &next, moves[i]);
        kz_outcome result = definition->result(context, &next);
        if (result == KZ_LOSS) {
            *value = (kz_value){KZ_WIN, 1};
            return KZ_OK;
        }
        kz_status status = result == KZ_UNKNOWN ? look_up(table, &next, &code, error) : KZ_OK;
        if (status == KZ_ERR_IO) {
            missing = status;
        } else if (status != KZ_OK) {
            return status;
        }
        kz_value after = value_of(code);
        if (after.outcome == KZ_LOSS && (value->outcome != KZ_WIN || after.distance + 1 < value->distance)) {
            *value = (kz_value){KZ_WIN, after.distance + 1};
        }
    }
    return missing;
}

static kz_status probe_any(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error) {
    const any *self = kz_table_self(table);
    kz_outcome result = self->game->result(self->context, position);
    kz_code code;
    *value = (kz_value){result, 0};
    if (result != KZ_UNKNOWN) {
        return KZ_OK;
    }
    KZ_TRY(look_up(table, position, &code, error));
    if (self->model->losses_only && code == KZ_CODE_DRAW) {
        return find_win(table, position, value, error);
    }
    *value = value_of(code);
    return KZ_OK;
}

const kz_table_kind kz_any_kind = {
    .version = KZ_TABLE_VERSION_ANY,
    .index_bytes = KZ_INDEX_BYTES,
    .cached_bytes = KZ_CACHED_FEW,
    .by_definition = true,
    .open = open_any,
    .unpack = unpack_any,
    .close = close_any,
    .decode = decode_any,
    .probe = probe_any,
#ifndef KANZEN_READ_ONLY
    .verify = kz_any_verify,
    .longest = kz_any_longest,
    .puzzles = kz_any_puzzles,
#endif
};
