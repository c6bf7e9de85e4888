/* SPDX-License-Identifier: MIT
 *
 * The moves that a player can choose from, each with where it leads and what it is worth. A move is played once, here:
 * who looks for its value and who writes it down both find the position after it. This is also the one place that says
 * in which order moves are told. */
#ifndef KZ_GAME_CHOICES_H
#define KZ_GAME_CHOICES_H

#include <kanzen/game.h>

typedef struct kz_choice {
    kz_move move;
    kz_value value; /* for the side that makes the move; unknown as long as nobody has looked for it */
    int number;     /* equals are told in this order, that of kz_moves at first */
    kz_position after;
} kz_choice;

/* Lists the moves of a position and plays each. Free the list in any case. */
kz_status kz_list_choices(const kz_game *game, int rules, const kz_position *position, kz_choice **choices, int *count,
                          kz_error *error);

/* Best first: win soon, win late, draw or unknown, lose late, lose soon. */
void kz_sort_choices(kz_choice *choices, int count);

#endif
