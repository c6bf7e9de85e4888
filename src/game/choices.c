/* SPDX-License-Identifier: MIT */
#include "game/gamedef.h"

#include "base/error.h"
#include "base/list.h"

#include <stdlib.h>

kz_status kz_list_choices(const kz_game *game, int rules, const kz_position *position, kz_choice **choices, int *count,
                          kz_error *error) {
    kz_list memory;
    kz_move *moves = kz_list_open(&memory, kz_max_moves(game, rules), sizeof *moves);
    int listed = moves ? kz_moves(game, rules, position, moves) : 0;
    kz_choice *list = moves ? malloc((size_t)(listed + 1) * sizeof *list) : NULL;
    for (int i = 0; list && i < listed; i++) {
        list[i] = (kz_choice){.move = moves[i], .number = i, .after = *position};
        kz_play(game, rules, &list[i].after, moves[i]);
    }
    kz_list_close(&memory);
    *choices = list;
    *count = list ? listed : 0;
    return list ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to list the moves of a position");
}

static int compare(const void *left, const void *right) {
    const kz_choice *a = left;
    const kz_choice *b = right;
    int difference = kz_value_worth(b->value) - kz_value_worth(a->value);
    return difference != 0 ? difference : a->number - b->number;
}

void kz_sort_choices(kz_choice *choices, int count) { qsort(choices, (size_t)count, sizeof *choices, compare); }
