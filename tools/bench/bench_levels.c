/* SPDX-License-Identifier: MIT
 *
 * How strong the players are: games of every level against every other, and of the perfect player from drawn positions.
 *
 *     bench_levels TABLE [GAMES [DRAWN [LEVEL]]]
 *
 * Prints two tables for docs/levels.md. GAMES is the number of games of each pair from the start, half with either
 * side (0: none); DRAWN the number of games from drawn positions against each level, from LEVEL on (0: none). A
 * position that comes for the third time, or a game of 300 plies, is a draw. */
#include "app/engine/players.h"
#include "base/random.h"

#include <kanzen/table.h>
#include <kanzen/values.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEVELS = 6, MOST_PLIES = 300, PERFECT = LEVELS - 1, CARELESS = LEVELS };

/* Any of the best moves, without a look at traps: what the perfect player is compared with. */
static kz_status choose_carelessly(const kz_values *values, const kz_position *position, uint64_t seed, kz_move *move,
                                   kz_error *error) {
    static kz_scored_move moves[KZ_MAX_MOVES];
    kz_value value;
    int count, equal = 1;
    kz_status status = kz_values_moves(values, position, &value, moves, &count, error);
    *move = 0;
    if (status != KZ_OK || count == 0) {
        return status;
    }
    while (equal < count && kz_value_worth(moves[equal].value) == kz_value_worth(moves[0].value)) {
        equal++;
    }
    *move = moves[kz_splitmix64(&seed) % (unsigned)equal].move;
    return status;
}

/* 1: the side that moves first in `start` wins, 0: a draw, -1: the other side wins. `left_draw` (may be NULL) is the
 * number of plies after which the game was decided: the first position that is no draw; -1: it never was. */
static int play_game(const kz_values *values, const kz_position *start, const int level[2], uint64_t seed,
                     int *left_draw) {
    static kz_position past[MOST_PLIES + 1];
    past[0] = *start;
    for (int ply = 0; ply < MOST_PLIES; ply++) {
        kz_move move;
        kz_error error;
        kz_player player = {.level = level[ply % 2], .seed = seed + (uint64_t)ply};
        kz_status status = player.level == CARELESS
                               ? choose_carelessly(values, &past[ply], player.seed, &move, &error)
                               : kz_choose_move_after(values, (kz_past){past, ply}, &past[ply], player, &move, &error);
        if (status != KZ_OK) {
            fprintf(stderr, "bench_levels: %s\n", error.message);
            exit(4);
        }
        kz_value now;
        if (left_draw && *left_draw < 0 && kz_probe(values->table, &past[ply], &now, &error) == KZ_OK &&
            now.outcome != KZ_DRAW) {
            *left_draw = ply;
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
                int result = play_game(values, &start, level, seed, NULL);
                count[1 - (first ? result : -result)]++;
            }
            printf(" %d / %d / %d |", count[0], count[1], count[2]);
        }
        printf("\n");
        fflush(stdout);
    }
}

/* Whether there is something to play for: several moves keep the draw, and most do. In a random position half of the
 * moves lose at once, and any play wins against anybody who errs. */
static bool is_quiet(const kz_values *values, const kz_position *position) {
    static kz_scored_move moves[KZ_MAX_MOVES];
    kz_value value;
    kz_error error;
    int count, drawing = 0;
    if (kz_values_moves(values, position, &value, moves, &count, &error) != KZ_OK) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        drawing += moves[i].value.outcome == KZ_DRAW;
    }
    return drawing >= 4 && 2 * drawing >= count;
}

/* A drawn position, at random. */
static kz_position random_draw(const kz_values *values, uint64_t positions, uint64_t *state) {
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

/* Drawn, quiet positions that come up in play: random moves that keep the draw lead from a random drawn position to
 * each of them. */
static void find_draws(const kz_values *values, uint64_t positions, kz_position *list, int wanted) {
    enum { LEAST_PLIES = 6, MOST_STEPS = 40 };
    uint64_t state = 1;
    for (int found = 0; found < wanted;) {
        kz_position position = random_draw(values, positions, &state);
        for (int step = 0; step < MOST_STEPS; step++) {
            kz_move move;
            kz_error error;
            if (choose_carelessly(values, &position, kz_splitmix64(&state), &move, &error) != KZ_OK || move == 0) {
                break;
            }
            kz_play(values->game, values->rules, &position, move);
            if (step >= LEAST_PLIES && is_quiet(values, &position)) {
                list[found++] = position;
                break;
            }
        }
    }
}

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* The root of a number that is not negative, to six digits at least (Newton's way). */
static double root(double number) {
    double guess = number > 1 ? number : 1;
    for (int i = 0; i < 60; i++) {
        guess = (guess + number / guess) / 2;
    }
    return guess;
}

/* The same games with and without traps: the same positions, the same seeds. */
static void from_draws(const kz_values *values, uint64_t positions, int games, int first_level) {
    static const int players[2] = {CARELESS, PERFECT};
    static const char *const names[2] = {"any move that draws", "traps"};
    int *plies = malloc((size_t)(games + 1) * sizeof *plies);
    int *gain = malloc((size_t)(games + 1) * sizeof *gain);
    kz_position *starts = malloc((size_t)(games + 1) * sizeof *starts);
    if (!plies || !gain || !starts) {
        exit(3);
    }
    find_draws(values, positions, starts, games);
    printf("\n| from drawn positions, against | the perfect player sets | wins | draws | losses | won of 100 | decided "
           "within 10 plies | within 20 | median |\n|---|---|---|---|---|---|---|---|---|\n");
    for (int j = first_level; j < PERFECT; j++) {
        for (int k = 0; k < 2; k++) {
            int count[3] = {0}, soon = 0, later = 0;
            for (int game = 0; game < games; game++) {
                bool first = game % 2 == 0;
                int level[2] = {first ? players[k] : j, first ? j : players[k]};
                plies[game] = -1;
                int result = play_game(values, &starts[game], level, (uint64_t)game * 1000 + (uint64_t)j, &plies[game]);
                result = first ? result : -result;
                count[1 - result]++;
                gain[game] = (k == 0 ? 0 : gain[game]) + (k == 0 ? -1 : 1) * (result > 0);
                plies[game] = plies[game] < 0 ? MOST_PLIES : plies[game];
                soon += plies[game] <= 10;
                later += plies[game] <= 20;
            }
            qsort(plies, (size_t)games, sizeof *plies, by_number);
            double part = (double)count[0] / games;
            printf("| %s | %s | %d | %d | %d | %.1f +- %.1f | %d | %d | %d |\n", kz_level_name(j), names[k], count[0],
                   count[1], count[2], 100 * part, 100 * root(part * (1 - part) / games), soon, later,
                   plies[games / 2]);
            fflush(stdout);
        }
        double sum = 0, squares = 0;
        for (int game = 0; game < games; game++) {
            sum += gain[game];
            squares += gain[game] * gain[game];
        }
        double mean = sum / games;
        printf("| %s | gain | %+.0f | | | %+.1f +- %.1f | | | |\n", kz_level_name(j), sum, 100 * mean,
               100 * root((squares / games - mean * mean) / games));
        fflush(stdout);
    }
    free(starts);
    free(gain);
    free(plies);
}

int main(int argc, char **argv) {
    kz_error error;
    kz_table *table;
    if (argc < 2) {
        printf("left out: it takes minutes, and a table: bench_levels TABLE [GAMES [DRAWN [LEVEL]]]\n");
        return 77;
    }
    if (argc > 5) {
        fprintf(stderr, "usage: bench_levels TABLE [GAMES [DRAWN [LEVEL]]]\n");
        return 2;
    }
    if (kz_table_open(argv[1], &table, &error) != KZ_OK) {
        fprintf(stderr, "bench_levels: %s\n", error.message);
        return 3;
    }
    /* Room for every block: games look up the same blocks again and again. */
    if (kz_table_cache(table, UINT64_C(1) << 29, &error) != KZ_OK) {
        fprintf(stderr, "bench_levels: %s\n", error.message);
        return 3;
    }
    kz_values values = {.game = kz_table_game(table), .rules = kz_table_rules(table), .table = table};
    int games = argc > 2 ? atoi(argv[2]) : 200;
    if (games > 0) {
        every_pair(&values, games);
    }
    int drawn = argc > 3 ? atoi(argv[3]) : 1000;
    if (drawn > 0) {
        from_draws(&values, kz_table_positions(table), drawn, argc > 4 ? kz_level_find(argv[4]) : 0);
    }
    kz_table_close(table);
    return 0;
}
