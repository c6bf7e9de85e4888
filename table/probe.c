/* SPDX-License-Identifier: MIT
 *
 * The value of a position from what a table stores. Only losses are stored: a position that is not lost is won if a
 * move leads to a lost one, and drawn otherwise. */
#include "base/gamedef.h"
#include "table/reader.h"

static kz_status probe_index(const kz_table *table, uint64_t index, const kz_position *position, kz_value *value,
                             kz_error *error) {
    uint8_t loss;
    kz_status status = kz_table_lookup(table, index, &loss, error);
    if (status != KZ_OK) {
        return status;
    }
    if (loss) {
        *value = (kz_value){KZ_LOSS, loss - 1};
        return KZ_OK;
    }
    uint64_t successors[KZ_MAX_MOVES];
    const kz_game *game = kz_table_game(table);
    int count = game->reader->successors(kz_table_game_reader(table), position, successors, value);
    for (int i = 0; i < count; i++) {
        status = kz_table_lookup(table, successors[i], &loss, error);
        if (status != KZ_OK) {
            return status;
        }
        /* Lost in n for the opponent is won in n + 1, and n + 1 is what is stored. */
        if (loss && (value->outcome == KZ_UNKNOWN || loss < value->distance)) {
            *value = (kz_value){KZ_WIN, loss};
        }
    }
    if (value->outcome == KZ_UNKNOWN) {
        *value = (kz_value){KZ_DRAW, 0};
    }
    return KZ_OK;
}

kz_status kz_probe(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error) {
    uint64_t index;
    *value = kz_table_game(table)->reader->look(kz_table_game_reader(table), position, &index);
    return value->outcome == KZ_UNKNOWN ? probe_index(table, index, position, value, error) : KZ_OK;
}

/* Larger is better for the side to move: win soon, win late, draw, lose late, lose soon. */
static int worth(kz_value value) {
    enum { LONGEST = 1 << 20 };
    switch (value.outcome) {
    case KZ_WIN:
        return LONGEST - value.distance;
    case KZ_LOSS:
        return value.distance - LONGEST;
    default:
        return 0;
    }
}

static kz_value before_move(kz_value after) {
    switch (after.outcome) {
    case KZ_WIN:
        return (kz_value){KZ_LOSS, after.distance + 1};
    case KZ_LOSS:
        return (kz_value){KZ_WIN, after.distance + 1};
    default:
        return after;
    }
}

kz_status kz_probe_moves(const kz_table *table, const kz_position *position, kz_scored_move *moves, int *count,
                         kz_error *error) {
    kz_move list[KZ_MAX_MOVES];
    const kz_game *game = kz_table_game(table);
    int rules = kz_table_rules(table);
    int listed = game->moves(rules, position, list);
    for (int i = 0; i < listed; i++) {
        kz_position after = *position;
        kz_value value;
        game->play(rules, &after, list[i]);
        kz_status status = kz_probe(table, &after, &value, error);
        if (status != KZ_OK) {
            return status;
        }
        value = before_move(value);
        int place = i;
        for (; place > 0 && worth(moves[place - 1].value) < worth(value); place--) {
            moves[place] = moves[place - 1];
        }
        moves[place] = (kz_scored_move){list[i], value};
    }
    *count = listed;
    return KZ_OK;
}
