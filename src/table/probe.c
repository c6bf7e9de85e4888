/* SPDX-License-Identifier: MIT
 *
 * The value of a position, and of all its moves: a table's kind looks up one that is valid. */
#include "base/error.h"
#include "base/list.h"
#include "game/gamedef.h"
#include "table/reader.h"

#include <stdlib.h>

kz_value kz_value_of_entry(uint8_t number) {
    return number == 0 ? (kz_value){KZ_DRAW, 0} : (kz_value){number % 2 ? KZ_LOSS : KZ_WIN, number - 1};
}

/* Of the tables of a game in parts, the one that has the position. In the browser no game has parts. */
static kz_status find_part(const kz_table **table, const kz_position *position, kz_error *error) {
#ifdef KANZEN_READ_ONLY
    (void)table;
    (void)position;
    (void)error;
#else
    const kz_game *game = kz_table_game(*table);
    *table = kz_table_part(*table, position);
    if (!*table) {
        return game->doors->no_table(game, position, error);
    }
#endif
    return KZ_OK;
}

kz_status kz_probe(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error) {
    *value = (kz_value){KZ_UNKNOWN, 0};
    KZ_TRY(find_part(&table, position, error));
    KZ_TRY(kz_validate(kz_table_game(table), kz_table_rules(table), position, error));
    return kz_table_kind_of(table)->probe(table, position, value, error);
}

/* ---- All moves --------------------------------------------------------------------------------------------------- */

static kz_status score(const kz_table *table, kz_choice *choices, int count, kz_error *error) {
    kz_status missing = KZ_OK; /* the bytes of all others are asked for, too */
    for (int i = 0; i < count; i++) {
        kz_value value;
        kz_status status = kz_table_kind_of(table)->probe(table, &choices[i].after, &value, error);
        if (status == KZ_ERR_IO) {
            missing = status;
        } else if (status != KZ_OK) {
            return status;
        }
        choices[i].value = kz_value_before(value);
    }
    return missing;
}

kz_status kz_probe_choices(const kz_table *table, const kz_position *position, kz_choice **choices, int *count,
                           kz_error *error) {
    *choices = NULL;
    *count = 0;
    KZ_TRY(find_part(&table, position, error));
    const kz_game *game = kz_table_game(table);
    int rules = kz_table_rules(table);
    KZ_TRY(kz_validate(game, rules, position, error));
    int listed;
    KZ_TRY(kz_list_choices(game, rules, position, choices, &listed, error));
    KZ_TRY(score(table, *choices, listed, error));
    kz_sort_choices(*choices, listed);
    *count = listed;
    return KZ_OK;
}

kz_status kz_probe_moves(const kz_table *table, const kz_position *position, kz_scored_move *moves, int *count,
                         kz_error *error) {
    kz_choice *choices;
    kz_status status = kz_probe_choices(table, position, &choices, count, error);
    for (int i = 0; i < *count; i++) {
        moves[i] = (kz_scored_move){choices[i].move, choices[i].value};
    }
    free(choices);
    return status;
}
