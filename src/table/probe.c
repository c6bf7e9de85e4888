/* SPDX-License-Identifier: MIT
 *
 * The value of a position from what a table stores, its own number or those of its successors. */
#include "base/error.h"
#include "base/list.h"
#include "game/choices.h"
#include "game/gamedef.h"
#include "table/any_probe.h"
#include "table/reader.h"

#include <stdlib.h>

kz_value kz_value_of_entry(uint8_t number) {
    return number == 0 ? (kz_value){KZ_DRAW, 0} : (kz_value){number % 2 ? KZ_LOSS : KZ_WIN, number - 1};
}

/* Looks up one of several places that are all needed. Bytes that are not here yet (KZ_ERR_IO) are no reason to leave
 * out the rest: `missing` remembers it, and the lookup of the others asks for theirs. */
static kz_status look_up_one(const kz_table *table, uint64_t index, uint8_t *number, kz_status *missing,
                             kz_error *error) {
    kz_status status = kz_table_lookup(table, index, number, error);
    if (status == KZ_ERR_IO) {
        *missing = status;
        *number = 0;
        return KZ_OK;
    }
    return status;
}

/* The indices of a position's successors. */
typedef struct successors {
    kz_list memory;
    uint64_t *indices;
    int count;
} successors;

/* `promised` is what the rules alone promise for the best move. Close the list in any case. */
static kz_status list_successors(const kz_table *table, const kz_position *position, successors *list,
                                 kz_value *promised, kz_error *error) {
    const kz_game *game = kz_table_game(table);
    list->indices = kz_list_open(&list->memory, kz_max_moves(game, kz_table_rules(table)), sizeof *list->indices);
    list->count =
        list->indices ? game->reader->successors(kz_table_game_reader(table), position, list->indices, promised) : -1;
    return list->count >= 0 ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to list the moves of a position");
}

/* Few items, and often in order already. */
static void sort_indices(uint64_t *indices, int count) {
    for (int i = 1; i < count; i++) {
        uint64_t index = indices[i];
        int at = i;
        for (; at > 0 && indices[at - 1] > index; at--) {
            indices[at] = indices[at - 1];
        }
        indices[at] = index;
    }
}

/* A position that is not lost, in a table of losses: it is won if a move leads to a lost one, and drawn otherwise. */
static kz_status find_win(const kz_table *table, successors *list, kz_value *value, kz_error *error) {
    kz_list memory;
    uint8_t *losses = kz_list_open(&memory, list->count, sizeof *losses);
    if (!losses) {
        kz_list_close(&memory);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to list the moves of a position");
    }
    sort_indices(list->indices, list->count);
    kz_status status = kz_table_lookup_sorted(table, list->indices, (size_t)list->count, losses, error);
    for (int i = 0; status == KZ_OK && i < list->count; i++) {
        /* Lost in n for the opponent is won in n + 1, and n + 1 is what is stored. */
        if (losses[i] && (value->outcome == KZ_UNKNOWN || losses[i] < value->distance)) {
            *value = (kz_value){KZ_WIN, losses[i]};
        }
    }
    if (status == KZ_OK && value->outcome == KZ_UNKNOWN) {
        *value = (kz_value){KZ_DRAW, 0};
    }
    kz_list_close(&memory);
    return status;
}

/* A position without an index: the best that a move leads to, and a loss if there is no move. */
static kz_status find_best(const kz_table *table, const successors *list, kz_value *value, kz_error *error) {
    if (value->outcome != KZ_UNKNOWN) {
        return KZ_OK;
    }
    *value = (kz_value){KZ_LOSS, 0};
    kz_status missing = KZ_OK;
    for (int i = 0; i < list->count; i++) {
        uint8_t number;
        kz_status status = look_up_one(table, list->indices[i], &number, &missing, error);
        if (status != KZ_OK) {
            return status;
        }
        kz_value promised = kz_value_before(kz_value_of_entry(number));
        if (i == 0 || kz_value_worth(promised) > kz_value_worth(*value)) {
            *value = promised;
        }
    }
    return missing;
}

/* The value of a position that is not stored itself, from those of its successors. */
static kz_status look_ahead(const kz_table *table, const kz_position *position, bool has_index, kz_value *value,
                            kz_error *error) {
    successors list;
    kz_status status = list_successors(table, position, &list, value, error);
    if (status == KZ_OK) {
        status = has_index ? find_win(table, &list, value, error) : find_best(table, &list, value, error);
    }
    kz_list_close(&list.memory);
    return status;
}

/* The value of a position by its own entry of a table of losses, and if it is not lost, by those of its successors;
 * these are listed already if `known` is not NULL. */
static kz_status value_of_loss(const kz_table *table, const kz_position *position, uint8_t number, successors *known,
                               kz_value *value, kz_error *error) {
    if (number) {
        *value = (kz_value){KZ_LOSS, number - 1};
        return KZ_OK;
    }
    return known ? find_win(table, known, value, error) : look_ahead(table, position, true, value, error);
}

/* For a position whose block has to be decoded: looking further ahead may save that, or blocks of successors. Not the
 * second time soon after: then the block is decoded and kept, which makes the third time fast. */
static kz_status look_further(const kz_table *table, const kz_position *position, uint64_t index, kz_value *value,
                              kz_error *error) {
    const kz_game *game = kz_table_game(table);
    successors list = {.count = -1};
    kz_status status = KZ_OK;
    uint8_t number;
    list.indices = kz_list_open(&list.memory, kz_max_moves(game, kz_table_rules(table)), sizeof *list.indices);
    if (!list.indices) {
        status = kz_fail(error, KZ_ERR_MEMORY, "no memory to list the moves of a position");
    } else if (game->reader->look_further && !kz_table_asked(table, index, false)) {
        *value = game->reader->look_further(kz_table_game_reader(table), position, list.indices, &list.count);
        if (value->outcome != KZ_UNKNOWN) {
            kz_table_asked(table, index, true);
        }
    }
    if (status == KZ_OK && value->outcome == KZ_UNKNOWN) {
        status = kz_table_lookup(table, index, &number, error);
        if (status == KZ_OK) {
            status = value_of_loss(table, position, number, list.count >= 0 ? &list : NULL, value, error);
        }
    }
    kz_list_close(&list.memory);
    return status;
}

static kz_status probe_excerpt(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error);

/* A position without an index, by an excerpt: the best of its moves, if the values of all of them are known. */
static kz_status best_of_excerpt(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error) {
    const kz_game *game = kz_table_game(table);
    int rules = kz_table_rules(table);
    kz_list memory;
    kz_move *moves = kz_list_open(&memory, kz_max_moves(game, rules), sizeof *moves);
    kz_status status = moves ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to list the moves of a position");
    int count = moves ? game->moves(game, rules, position, moves) : 0;
    kz_status missing = KZ_OK; /* as in look_up_one */
    bool all_known = true;
    kz_value best = {KZ_LOSS, 0};
    for (int i = 0; status == KZ_OK && i < count; i++) {
        kz_position after = *position;
        kz_value promised;
        game->play(game, rules, &after, moves[i]);
        status = probe_excerpt(table, &after, &promised, error);
        if (status == KZ_ERR_IO) {
            missing = status;
            status = KZ_OK;
            continue;
        }
        all_known = all_known && promised.outcome != KZ_UNKNOWN;
        promised = kz_value_before(promised);
        best = i == 0 || kz_value_worth(promised) > kz_value_worth(best) ? promised : best;
    }
    kz_list_close(&memory);
    *value = all_known ? best : (kz_value){KZ_UNKNOWN, 0};
    return status == KZ_OK ? missing : status;
}

/* An excerpt leaves out what the rules tell. */
static kz_status probe_excerpt(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error) {
    const kz_game *game = kz_table_game(table);
    uint64_t index;
    *value = kz_immediate(game, kz_table_rules(table), position);
    if (value->outcome != KZ_UNKNOWN) {
        return KZ_OK;
    }
    *value = game->reader->look(kz_table_game_reader(table), position, &index);
    if (value->outcome != KZ_UNKNOWN) {
        return KZ_OK;
    }
    if (index == KZ_NO_INDEX) {
        return best_of_excerpt(table, position, value, error);
    }
    uint8_t number;
    bool known;
    kz_status status = kz_table_lookup_excerpt(table, index, &number, &known, error);
    if (status == KZ_OK && known) {
        *value = kz_value_of_entry(number);
    }
    return status;
}

/* The value of a valid position. */
static kz_status probe(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error) {
    if (kz_table_is_excerpt(table)) {
        return probe_excerpt(table, position, value, error);
    }
    if (kz_table_any(table)) {
        return kz_any_probe(table, position, value, error);
    }
    const kz_reader_ops *reader = kz_table_game(table)->reader;
    uint64_t index;
    *value = reader->look(kz_table_game_reader(table), position, &index);
    if (value->outcome != KZ_UNKNOWN) {
        return KZ_OK;
    }
    if (index == KZ_NO_INDEX) {
        return look_ahead(table, position, false, value, error);
    }
    uint8_t number;
    if (kz_table_shape(table)->run) {
        kz_status status = kz_table_lookup(table, index, &number, error);
        *value = status == KZ_OK ? kz_value_of_entry(number) : *value;
        return status;
    }
    return kz_table_peek(table, index, &number) ? value_of_loss(table, position, number, NULL, value, error)
                                                : look_further(table, position, index, value, error);
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
        return game->no_table(game, position, error);
    }
#endif
    return KZ_OK;
}

kz_status kz_probe(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error) {
    *value = (kz_value){KZ_UNKNOWN, 0};
    kz_status status = find_part(&table, position, error);
    if (status == KZ_OK) {
        status = kz_validate(kz_table_game(table), kz_table_rules(table), position, error);
    }
    return status == KZ_OK ? probe(table, position, value, error) : status;
}

/* ---- All moves -----------------------------------------------------------------------------------------------------
 */

static kz_status score(const kz_table *table, kz_choice *choices, int count, kz_error *error) {
    kz_status missing = KZ_OK; /* as in look_up_one */
    for (int i = 0; i < count; i++) {
        kz_value value;
        kz_status status = probe(table, &choices[i].after, &value, error);
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
