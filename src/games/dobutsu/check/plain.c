/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/check/plain.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 3, ROWS = 4, MAX_STEPS = 8 };

/* Steps of a piece of side 0: right, up. Side 1 steps the other way round. */
typedef struct step {
    int dx;
    int dy;
} step;

typedef struct kind_steps {
    int count;
    step steps[MAX_STEPS];
} kind_steps;

static const kind_steps steps_of[KZ_DOBUTSU_KINDS] = {
    [KZ_DOBUTSU_CHICK] = {1, {{0, 1}}},
    [KZ_DOBUTSU_ELEPHANT] = {4, {{-1, 1}, {1, 1}, {-1, -1}, {1, -1}}},
    [KZ_DOBUTSU_GIRAFFE] = {4, {{0, 1}, {-1, 0}, {1, 0}, {0, -1}}},
    [KZ_DOBUTSU_LION] = {8, {{-1, 1}, {0, 1}, {1, 1}, {-1, 0}, {1, 0}, {-1, -1}, {0, -1}, {1, -1}}},
    [KZ_DOBUTSU_HEN] = {6, {{-1, 1}, {0, 1}, {1, 1}, {-1, 0}, {1, 0}, {0, -1}}},
};

static int piece_of(int kind, int side) { return side ? -1 - kind : 1 + kind; }
static int kind_of(int piece) { return abs(piece) - 1; }
static bool belongs_to(int piece, int side) { return side ? piece < 0 : piece > 0; }
static int far_row(int side) { return side ? 0 : ROWS - 1; }

/* Where the step ends, or -1 if that is off the board. */
static int step_from(int square, int side, step direction) {
    int sign = side ? -1 : 1;
    int column = square % COLUMNS + sign * direction.dx;
    int row = square / COLUMNS + sign * direction.dy;
    bool inside = column >= 0 && column < COLUMNS && row >= 0 && row < ROWS;
    return inside ? row * COLUMNS + column : -1;
}

unsigned kz_dobutsu_plain_steps(int kind, int side, int square) {
    unsigned reach = 0;
    for (int i = 0; i < steps_of[kind].count; i++) {
        int to = step_from(square, side, steps_of[kind].steps[i]);
        reach |= to < 0 ? 0 : 1U << to;
    }
    return reach;
}

/* ---- To and from positions ------------------------------------------------------------------------------------- */

void kz_dobutsu_plain_from(const kz_dobutsu *position, kz_dobutsu_plain *plain) {
    memset(plain, 0, sizeof *plain);
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        int cell = position->board[square];
        if (cell != KZ_DOBUTSU_EMPTY) {
            bool enemy = cell >= KZ_DOBUTSU_ENEMY;
            plain->board[square] = piece_of(cell - 1 - (enemy ? KZ_DOBUTSU_ENEMY : 0), enemy);
        }
    }
    for (int kind = 0; kind < 4; kind++) {
        plain->hand[0][kind] = position->hand[0][kind];
        plain->hand[1][kind] = position->hand[1][kind];
    }
}

void kz_dobutsu_plain_to(const kz_dobutsu_plain *plain, kz_dobutsu *position) {
    memset(position, 0, sizeof *position);
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        int piece = plain->board[square];
        if (piece != 0) {
            int seen = plain->side ? KZ_DOBUTSU_SQUARES - 1 - square : square;
            position->board[seen] =
                (uint8_t)(1 + kind_of(piece) + (belongs_to(piece, plain->side) ? 0 : KZ_DOBUTSU_ENEMY));
        }
    }
    for (int kind = 0; kind < 4; kind++) {
        position->hand[0][kind] = (uint8_t)plain->hand[plain->side][kind];
        position->hand[1][kind] = (uint8_t)plain->hand[1 - plain->side][kind];
    }
}

/* ---- Moves ----------------------------------------------------------------------------------------------------- */

/* Everything that the pieces can do, whether the game is over or not. */
static int list_moves(const kz_dobutsu_plain *plain, kz_dobutsu_plain_move *moves) {
    int side = plain->side;
    int count = 0;
    for (int from = 0; from < KZ_DOBUTSU_SQUARES; from++) {
        if (!belongs_to(plain->board[from], side)) {
            continue;
        }
        const kind_steps *steps = &steps_of[kind_of(plain->board[from])];
        for (int i = 0; i < steps->count; i++) {
            int to = step_from(from, side, steps->steps[i]);
            if (to >= 0 && !belongs_to(plain->board[to], side)) {
                moves[count++] = (kz_dobutsu_plain_move){from, to};
            }
        }
    }
    for (int kind = KZ_DOBUTSU_CHICK; kind <= KZ_DOBUTSU_GIRAFFE; kind++) {
        for (int to = 0; plain->hand[side][kind] > 0 && to < KZ_DOBUTSU_SQUARES; to++) {
            if (plain->board[to] == 0) {
                moves[count++] = (kz_dobutsu_plain_move){KZ_DOBUTSU_PLAIN_DROP + kind, to};
            }
        }
    }
    return count;
}

bool kz_dobutsu_plain_can_move(const kz_dobutsu_plain *plain) {
    kz_dobutsu_plain_move moves[KZ_DOBUTSU_MAX_MOVES];
    return list_moves(plain, moves) > 0;
}

static int hand_kind(int piece) { return kind_of(piece) == KZ_DOBUTSU_HEN ? KZ_DOBUTSU_CHICK : kind_of(piece); }

kz_dobutsu_plain_undo kz_dobutsu_plain_make(kz_dobutsu_plain *plain, kz_dobutsu_plain_move move) {
    int side = plain->side;
    kz_dobutsu_plain_undo undo = {.moved = 0, .taken = plain->board[move.to]};
    if (move.from >= KZ_DOBUTSU_PLAIN_DROP) {
        int kind = move.from - KZ_DOBUTSU_PLAIN_DROP;
        plain->hand[side][kind]--;
        plain->board[move.to] = piece_of(kind, side);
    } else {
        undo.moved = plain->board[move.from];
        bool promotes = kind_of(undo.moved) == KZ_DOBUTSU_CHICK && move.to / COLUMNS == far_row(side);
        plain->board[move.from] = 0;
        plain->board[move.to] = promotes ? piece_of(KZ_DOBUTSU_HEN, side) : undo.moved;
    }
    if (undo.taken != 0) {
        plain->hand[side][hand_kind(undo.taken)]++;
    }
    plain->side = 1 - side;
    return undo;
}

void kz_dobutsu_plain_unmake(kz_dobutsu_plain *plain, kz_dobutsu_plain_move move, kz_dobutsu_plain_undo undo) {
    int side = 1 - plain->side;
    plain->side = side;
    plain->board[move.to] = undo.taken;
    if (undo.taken != 0) {
        plain->hand[side][hand_kind(undo.taken)]--;
    }
    if (move.from >= KZ_DOBUTSU_PLAIN_DROP) {
        plain->hand[side][move.from - KZ_DOBUTSU_PLAIN_DROP]++;
    } else {
        plain->board[move.from] = undo.moved;
    }
}

/* ---- Ends of the game ------------------------------------------------------------------------------------------ */

/* -1 if it has been taken. */
static int find_lion(const kz_dobutsu_plain *plain, int side) {
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        if (plain->board[square] == piece_of(KZ_DOBUTSU_LION, side)) {
            return square;
        }
    }
    return -1;
}

/* Whether the side to move has a move that takes the lion. */
static bool can_take_lion(const kz_dobutsu_plain *plain) {
    kz_dobutsu_plain_move moves[KZ_DOBUTSU_MAX_MOVES];
    int count = list_moves(plain, moves);
    for (int i = 0; i < count; i++) {
        if (plain->board[moves[i].to] == piece_of(KZ_DOBUTSU_LION, 1 - plain->side)) {
            return true;
        }
    }
    return false;
}

/* Whether the side to move has a Try after which its lion can't be taken. */
static bool has_safe_try(const kz_dobutsu_plain *plain) {
    kz_dobutsu_plain next = *plain;
    kz_dobutsu_plain_move moves[KZ_DOBUTSU_MAX_MOVES];
    int lion = find_lion(plain, plain->side);
    int count = list_moves(plain, moves);
    for (int i = 0; i < count; i++) {
        if (moves[i].from == lion && moves[i].to / COLUMNS == far_row(plain->side)) {
            kz_dobutsu_plain_undo undo = kz_dobutsu_plain_make(&next, moves[i]);
            bool safe = !can_take_lion(&next);
            kz_dobutsu_plain_unmake(&next, moves[i], undo);
            if (safe) {
                return true;
            }
        }
    }
    return false;
}

kz_value kz_dobutsu_plain_immediate(int rules, const kz_dobutsu_plain *plain) {
    int own = find_lion(plain, plain->side);
    int enemy = find_lion(plain, 1 - plain->side);
    if (own < 0) {
        return (kz_value){KZ_LOSS, 0};
    }
    if (own / COLUMNS == far_row(plain->side)) {
        return (kz_value){KZ_WIN, 0};
    }
    if (can_take_lion(plain)) {
        return (kz_value){KZ_WIN, 1};
    }
    if (enemy / COLUMNS == far_row(1 - plain->side)) {
        bool one_more_move = rules == KZ_DOBUTSU_SIMPLIFIED && kz_dobutsu_plain_can_move(plain);
        return (kz_value){KZ_LOSS, one_more_move ? 1 : 0};
    }
    if (rules == KZ_DOBUTSU_OFFICIAL && has_safe_try(plain)) {
        return (kz_value){KZ_WIN, 1};
    }
    if (!kz_dobutsu_plain_can_move(plain)) {
        return (kz_value){KZ_LOSS, 0};
    }
    return (kz_value){KZ_UNKNOWN, 0};
}

int kz_dobutsu_plain_moves(int rules, const kz_dobutsu_plain *plain, kz_dobutsu_plain_move *moves) {
    kz_value value = kz_dobutsu_plain_immediate(rules, plain);
    bool finished = value.outcome != KZ_UNKNOWN && value.distance == 0;
    return finished ? 0 : list_moves(plain, moves);
}

static uint64_t count_sequences(int rules, kz_dobutsu_plain *plain, int depth) {
    if (depth <= 0) {
        return 1;
    }
    kz_dobutsu_plain_move moves[KZ_DOBUTSU_MAX_MOVES];
    int count = kz_dobutsu_plain_moves(rules, plain, moves);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        kz_dobutsu_plain_undo undo = kz_dobutsu_plain_make(plain, moves[i]);
        sum += count_sequences(rules, plain, depth - 1);
        kz_dobutsu_plain_unmake(plain, moves[i], undo);
    }
    return sum;
}

uint64_t kz_dobutsu_plain_perft(int rules, const kz_dobutsu_plain *plain, int depth) {
    kz_dobutsu_plain copy = *plain;
    return count_sequences(rules, &copy, depth);
}
