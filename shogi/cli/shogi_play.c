/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include "base/random.h"

enum {
    LONGEST_GAME = 200,
    PLIES_APART = 3, /* neighbours look alike; an odd number, so that both sides are to move */
    GREEDY_TRIES = 8
};

/* From 0 to limit - 1; `limit` is small. */
static size_t random_below(uint64_t *state, size_t limit) {
    return (size_t)((kz_splitmix64(state) >> 32) * limit >> 32);
}

/* Captures before other moves on the board before drops. */
static int greed(const kz_shogi_position *position, kz_shogi_move move) {
    if (position->board[move.to] != KZ_SHOGI_EMPTY) {
        return 2;
    }
    return move.from < KZ_SHOGI_SQUARES;
}

static kz_shogi_move choose_move(uint64_t *state, const kz_shogi_position *position, const kz_shogi_move *moves,
                                 size_t count, bool greedy) {
    kz_shogi_move best = moves[random_below(state, count)];
    for (int i = 1; greedy && i < GREEDY_TRIES; i++) {
        kz_shogi_move move = moves[random_below(state, count)];
        if (greed(position, move) > greed(position, best)) {
            best = move;
        }
    }
    return best;
}

/* Plays one game and returns how many of its positions were taken. */
static size_t play_game(uint64_t *state, bool greedy, kz_shogi_position *positions, size_t most) {
    kz_shogi_position position = kz_shogi_start();
    size_t taken = 0;
    for (int ply = 0; ply < LONGEST_GAME && taken < most; ply++) {
        if (ply % PLIES_APART == 0) {
            positions[taken++] = position;
        }
        kz_shogi_move moves[KZ_SHOGI_MOST_MOVES];
        size_t count = kz_shogi_moves(&position, moves);
        if (count == 0) {
            break;
        }
        (void)kz_shogi_make_move(&position, choose_move(state, &position, moves, count, greedy));
    }
    return taken;
}

void play_shogi_at_random(uint64_t seed, kz_shogi_position *positions, size_t count) {
    bool greedy = false;
    for (size_t taken = 0; taken < count; greedy = !greedy) {
        taken += play_game(&seed, greedy, positions + taken, count - taken);
    }
}
