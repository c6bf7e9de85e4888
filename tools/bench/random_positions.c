/* SPDX-License-Identifier: MIT
 *
 * random_positions GAME COUNT [SEED]    positions of random games from the start, one a line, to ask a server about
 *
 * Every position of every game is printed, the ends aside; the same seed gives the same ones. */
#include <kanzen/game.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_GAME = 120 };

/* splitmix64 */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int main(int count, char **items) {
    const kz_game *game = count >= 3 && count <= 4 ? kz_game_find(items[1]) : NULL;
    if (!game) {
        fprintf(stderr, "usage: random_positions GAME COUNT [SEED]\n");
        return 2;
    }
    unsigned long wanted = strtoul(items[2], NULL, 10);
    uint64_t state = count == 4 ? strtoull(items[3], NULL, 10) : 1;
    while (wanted > 0) {
        kz_position position;
        kz_start(game, 0, &position);
        for (int ply = 0; ply < LONGEST_GAME && wanted > 0; ply++) {
            static kz_move moves[KZ_MAX_MOVES];
            char text[KZ_TEXT_BYTES];
            int legal = kz_moves(game, 0, &position, moves);
            if (legal == 0) {
                break;
            }
            if (kz_format(game, &position, 0, text, sizeof text, NULL) == KZ_OK) {
                puts(text);
                wanted--;
            }
            kz_play(game, 0, &position, moves[next_random(&state) % (uint64_t)legal]);
        }
    }
    return 0;
}
