/* SPDX-License-Identifier: MIT
 *
 * How strong the players are: games of every level against every other, and of the perfect player from drawn positions.
 *
 *     bench_levels TABLE [GAMES [DRAWN]]
 *
 * Prints two tables for docs/levels.md. GAMES is the number of games of each pair from the start, half with either
 * side; DRAWN the number of games from drawn positions against each level. A position that comes for the third time, or
 * a game of 300 plies, is a draw. */
#include "base/random.h"

#include <kanzen/table.h>
#include <kanzen/values.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEVELS = 6, MOST_PLIES = 300, PERFECT = LEVELS - 1 };

/* 1: the side that moves first in `start` wins, 0: a draw, -1: the other side wins. */
static int play_game(const kz_values *values, const kz_position *start, const int level[2], uint64_t seed) {
    static kz_position past[MOST_PLIES + 1];
    past[0] = *start;
    for (int ply = 0; ply < MOST_PLIES; ply++) {
        kz_move move;
        kz_error error;
        kz_player player = {.level = level[ply % 2], .seed = seed + (uint64_t)ply};
        if (kz_choose_move(values, &past[ply], player, &move, &error) != KZ_OK) {
            fprintf(stderr, "bench_levels: %s\n", error.message);
            exit(4);
        }
        if (move == 0) {
            kz_value value = kz_immediate(values->game, values->rules, &past[ply]);
            bool mover_wins = value.outcome == KZ_WIN;
            return value.outcome == KZ_DRAW ? 0 : mover_wins == (ply % 2 == 0) ? 1 : -1;
        }
        past[ply + 1] = past[ply];
        kz_play(values->game, values->rules, &past[ply + 1], move);
        int times = 1;
        for (int i = 0; i <= ply; i++) {
            times += kz_same(values->game, &past[i], &past[ply + 1]);
        }
        if (times >= 3) {
            return 0;
        }
    }
    return 0;
}

static void every_pair(const kz_values *values, int games) {
    kz_position start;
    kz_start(values->game, values->rules, &start);
    printf("| wins / draws / losses of | against");
    for (int j = 0; j < LEVELS; j++) {
        printf(" %s |", kz_level_name(j));
    }
    printf("\n|---|");
    for (int j = 0; j < LEVELS; j++) {
        printf("---|");
    }
    printf("\n");
    for (int i = 0; i < LEVELS; i++) {
        printf("| %s |", kz_level_name(i));
        for (int j = 0; j < LEVELS; j++) {
            int count[3] = {0};
            for (int game = 0; game < games; game++) {
                uint64_t seed = ((uint64_t)(unsigned)i << 40) + ((uint64_t)(unsigned)j << 32) + (uint64_t)game * 1000;
                bool first = game % 2 == 0;
                int level[2] = {first ? i : j, first ? j : i};
                int result = play_game(values, &start, level, seed);
                count[1 - (first ? result : -result)]++;
            }
            printf(" %d / %d / %d |", count[0], count[1], count[2]);
        }
        printf("\n");
        fflush(stdout);
    }
}

/* A drawn position that is not over, at random. */
static kz_position drawn_position(const kz_values *values, uint64_t positions, uint64_t *state) {
    for (;;) {
        kz_position position;
        kz_value value;
        kz_error error;
        if (kz_unrank(values->game, values->rules, kz_splitmix64(state) % positions, &position) &&
            kz_probe(values->table, &position, &value, &error) == KZ_OK && value.outcome == KZ_DRAW) {
            return position;
        }
    }
}

static void from_draws(const kz_values *values, uint64_t positions, int games) {
    uint64_t state = 1;
    printf("\n| from drawn positions, against | wins | draws | losses |\n|---|---|---|---|\n");
    for (int j = 0; j < LEVELS; j++) {
        int count[3] = {0};
        for (int game = 0; game < games; game++) {
            kz_position start = drawn_position(values, positions, &state);
            bool first = game % 2 == 0;
            int level[2] = {first ? PERFECT : j, first ? j : PERFECT};
            int result = play_game(values, &start, level, (uint64_t)game * 1000 + (uint64_t)j);
            count[1 - (first ? result : -result)]++;
        }
        printf("| %s | %d | %d | %d |\n", kz_level_name(j), count[0], count[1], count[2]);
        fflush(stdout);
    }
}

int main(int argc, char **argv) {
    kz_error error;
    kz_table *table;
    if (argc < 2 || argc > 4) {
        fprintf(stderr, "usage: bench_levels TABLE [GAMES [DRAWN]]\n");
        return 2;
    }
    if (kz_table_open(argv[1], &table, &error) != KZ_OK) {
        fprintf(stderr, "bench_levels: %s\n", error.message);
        return 3;
    }
    kz_values values = {.game = kz_table_game(table), .rules = kz_table_rules(table), .table = table};
    every_pair(&values, argc > 2 ? atoi(argv[2]) : 200);
    from_draws(&values, kz_table_positions(table), argc > 3 ? atoi(argv[3]) : 1000);
    kz_table_close(table);
    return 0;
}
