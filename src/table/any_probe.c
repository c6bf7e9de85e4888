/* SPDX-License-Identifier: MIT */
#include "table/any_probe.h"

#include "base/error.h"
#include "game/defined.h"
#include "table/reader.h"

static kz_value value_of(kz_code code) {
    return code <= KZ_CODE_DRAW ? (kz_value){KZ_DRAW, 0}
                                : (kz_value){code % 2 ? KZ_WIN : KZ_LOSS, (int)((code - 2) / 2)};
}

/* What the table stores for a position that goes on. */
static kz_status look_up(const kz_table *table, const kz_position *position, kz_code *code, kz_error *error) {
    const kz_game *game = kz_table_game(table);
    uint64_t index = kz_defined_rank(game->definition, kz_game_context(game, kz_table_rules(table)), position, NULL);
    *code = KZ_CODE_HOLE;
    if (index >= kz_table_shape(table)->places) {
        return kz_fail(error, KZ_ERR_INPUT, "the position has no number below %llu",
                       (unsigned long long)kz_table_shape(table)->places);
    }
    kz_status status = kz_table_lookup_code(table, index, code, error);
    if (status == KZ_OK && *code == KZ_CODE_HOLE) {
        return kz_fail(error, KZ_ERR_INPUT, "the table has no value for position number %llu: it can't occur",
                       (unsigned long long)index);
    }
    return status;
}

/* A position that is not lost, in a table of losses: it is won if a move leads to a lost one, and drawn otherwise.
 * Bytes that are not here yet (KZ_ERR_IO) are no reason to leave out the other moves: their bytes are asked for, too.
 */
static kz_status find_win(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error) {
    const kz_game *game = kz_table_game(table);
    const kz_definition *definition = game->definition;
    const void *context = kz_game_context(game, kz_table_rules(table));
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

kz_status kz_any_probe(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error) {
    const kz_game *game = kz_table_game(table);
    kz_outcome result = game->definition->result(kz_game_context(game, kz_table_rules(table)), position);
    kz_code code;
    *value = (kz_value){result, 0};
    if (result != KZ_UNKNOWN) {
        return KZ_OK;
    }
    kz_status status = look_up(table, position, &code, error);
    if (status == KZ_OK && kz_table_any(table)->losses_only && code == KZ_CODE_DRAW) {
        return find_win(table, position, value, error);
    }
    if (status == KZ_OK) {
        *value = value_of(code);
    }
    return status;
}
