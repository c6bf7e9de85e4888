/* SPDX-License-Identifier: MIT
 *
 * Moves as numbers through the functions for single positions. */
#include "games/texts/numbers_parts.h"

#include <stdlib.h>

static bool wins_at_once_plainly(const kz_variant *v, const kz_board *b, const kz_move *moves, int count) {
    for (int i = 0; i < count; i++) {
        kz_board next = *b;
        kz_variant_play(v, &next, moves[i]);
        if (kz_variant_ended(v, &next) == KZ_LOSS) {
            return true;
        }
    }
    return false;
}

static kz_outcome stuck(const kz_variant *v, const kz_board *b) {
    return kz_variant_in_check(v, b, b->side) ? v->checkmate : v->stalemate;
}

uint64_t kz_numbers_number_plainly(const kz_variant_numbers *n, const kz_board *next, kz_sight *sight) {
    const kz_variant *v = n->variant;
    kz_move replies[KZ_VARIANT_MOVES];
    int count = kz_variant_moves(v, next, replies);
    kz_outcome over = count ? KZ_UNKNOWN : stuck(v, next);
    if (over == KZ_WIN || over == KZ_DRAW) {
        kz_numbers_add_outcome(sight, over, 0);
        return KZ_NO_NUMBER;
    }
    if (wins_at_once_plainly(v, next, replies, count)) {
        kz_numbers_add_outcome(sight, KZ_WIN, 1);
        return KZ_NO_NUMBER;
    }
    return kz_variant_rank(n->index, next);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): written through the list */
int kz_numbers_after_plainly(const kz_variant_numbers *n, uint64_t index, uint64_t *list, kz_sight *sight) {
    const kz_variant *v = n->variant;
    kz_board b;
    kz_move moves[KZ_VARIANT_MOVES];
    if (!kz_variant_unrank(n->index, index, &b)) {
        return -1;
    }
    sight->over = kz_variant_ended(v, &b);
    if (sight->over != KZ_UNKNOWN) {
        return 0;
    }
    int count = kz_variant_moves(v, &b, moves);
    if (count == 0) {
        sight->over = stuck(v, &b);
        return 0;
    }
    if (wins_at_once_plainly(v, &b, moves, count)) {
        sight->win = 1;
        return 0;
    }
    kz_number_list listed = {list, 0, KZ_VARIANT_MOVES};
    for (int i = 0; i < count; i++) {
        kz_board next = b;
        kz_variant_play(v, &next, moves[i]);
        kz_outcome over = kz_variant_ended(v, &next);
        if (over != KZ_UNKNOWN) {
            kz_numbers_add_outcome(sight, over, 0);
            continue;
        }
        kz_number_list_add(&listed, kz_numbers_number_plainly(n, &next, sight));
    }
    return kz_number_list_distinct(&listed);
}

int kz_numbers_before_plainly(const kz_variant_numbers *n, uint64_t index, uint64_t *list, int room) {
    kz_board b;
    if (!kz_variant_unrank(n->index, index, &b)) {
        return 0;
    }
    kz_position *before = malloc((size_t)room * sizeof *before);
    if (!before) {
        return room + 1;
    }
    int count = kz_variant_before(n->variant, &b, before, room);
    for (int i = 0; i < count; i++) {
        kz_board earlier;
        kz_board_unpack(&before[i], &earlier);
        list[i] = kz_variant_rank(n->index, &earlier);
    }
    free(before);
    return kz_number_list_distinct(&(kz_number_list){list, count, room});
}
