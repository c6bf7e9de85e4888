/* SPDX-License-Identifier: MIT */
#include "shogi/src/attacks.h"

enum { AHEAD = 0x01, DIAGONALS = 0xAA, STRAIGHTS = 0x55, ALL = 0xFF };
enum { AS_GOLD = 0xD7, AS_SILVER = 0xAB };

const uint8_t kz_shogi_steps[16] = {
    [KZ_SHOGI_PAWN] = AHEAD,         [KZ_SHOGI_SILVER] = AS_SILVER,   [KZ_SHOGI_GOLD] = AS_GOLD,
    [KZ_SHOGI_KING] = ALL,           [8 + KZ_SHOGI_PAWN] = AS_GOLD,   [8 + KZ_SHOGI_LANCE] = AS_GOLD,
    [8 + KZ_SHOGI_KNIGHT] = AS_GOLD, [8 + KZ_SHOGI_SILVER] = AS_GOLD, [8 + KZ_SHOGI_BISHOP] = STRAIGHTS,
    [8 + KZ_SHOGI_ROOK] = DIAGONALS,
};
const uint8_t kz_shogi_slides[16] = {
    [KZ_SHOGI_LANCE] = AHEAD,          [KZ_SHOGI_BISHOP] = DIAGONALS,   [KZ_SHOGI_ROOK] = STRAIGHTS,
    [8 + KZ_SHOGI_BISHOP] = DIAGONALS, [8 + KZ_SHOGI_ROOK] = STRAIGHTS,
};

const int8_t kz_shogi_deltas[8] = {-1, -10, -9, -8, 1, 10, 9, 8};

static unsigned moves_as(uint8_t code) { return kz_shogi_kind_of(code) | (code & KZ_SHOGI_PROMOTED ? 8 : 0); }

/* Black's directions, or white's for the same piece. */
static unsigned for_side(uint8_t directions, unsigned side) {
    return side == KZ_SHOGI_BLACK ? directions : (unsigned)(directions >> 4 | (directions & 0x0F) << 4);
}

static int smaller(int a, int b) { return a < b ? a : b; }

/* How many squares there are in each direction. */
static void room_around(int square, int room[8]) {
    int right = kz_shogi_file_of(square);
    int left = 8 - right;
    int up = kz_shogi_rank_of(square);
    int down = 8 - up;
    room[0] = up;
    room[1] = smaller(up, right);
    room[2] = right;
    room[3] = smaller(down, right);
    room[4] = down;
    room[5] = smaller(down, left);
    room[6] = left;
    room[7] = smaller(up, left);
}

/* The one or two squares to which a knight of `side` jumps. Returns how many. */
static int knight_jumps(int square, unsigned side, int jumps[2]) {
    int ahead = side == KZ_SHOGI_BLACK ? square - 2 : square + 2;
    int count = 0;
    if (kz_shogi_rank_for(square, side) >= 2) {
        if (kz_shogi_file_of(square) > 0) {
            jumps[count++] = ahead - 9;
        }
        if (kz_shogi_file_of(square) < 8) {
            jumps[count++] = ahead + 9;
        }
    }
    return count;
}

bool kz_shogi_attacked(const uint8_t board[KZ_SHOGI_SQUARES], int square, unsigned side) {
    int room[8];
    room_around(square, room);
    for (unsigned direction = 0; direction < 8; direction++) {
        /* The first piece that is seen this way attacks the other way, if it does. */
        for (int distance = 1; distance <= room[direction]; distance++) {
            uint8_t code = board[square + distance * kz_shogi_deltas[direction]];
            if (code == KZ_SHOGI_EMPTY) {
                continue;
            }
            unsigned moves = moves_as(code);
            uint8_t reaches = distance == 1 ? kz_shogi_steps[moves] | kz_shogi_slides[moves] : kz_shogi_slides[moves];
            if (kz_shogi_side_of(code) == side && for_side(reaches, side) >> (direction ^ 4) & 1) {
                return true;
            }
            break;
        }
    }
    /* A knight attacks from where a knight of the other side would jump. */
    int jumps[2];
    uint8_t knight = kz_shogi_code(KZ_SHOGI_KNIGHT, (kz_shogi_side)side);
    for (int jump = knight_jumps(square, side ^ 1, jumps); jump-- > 0;) {
        if (board[jumps[jump]] == knight) {
            return true;
        }
    }
    return false;
}

kz_shogi_squares kz_shogi_targets(const uint8_t board[KZ_SHOGI_SQUARES], int from) {
    kz_shogi_squares targets = {{0, 0}};
    uint8_t mover = board[from];
    unsigned side = kz_shogi_side_of(mover);
    unsigned moves = moves_as(mover);
    if (moves == KZ_SHOGI_KNIGHT) {
        int jumps[2];
        for (int jump = knight_jumps(from, side, jumps); jump-- > 0;) {
            uint8_t code = board[jumps[jump]];
            if (code == KZ_SHOGI_EMPTY || kz_shogi_side_of(code) != side) {
                kz_shogi_add(&targets, jumps[jump]);
            }
        }
        return targets;
    }
    int room[8];
    room_around(from, room);
    unsigned sliding = for_side(kz_shogi_slides[moves], side);
    for (unsigned left = for_side(kz_shogi_steps[moves], side) | sliding; left != 0; left &= left - 1) {
        unsigned direction = kz_lowest_bit32(left);
        int most = sliding >> direction & 1 ? room[direction] : smaller(room[direction], 1);
        for (int distance = 1; distance <= most; distance++) {
            int to = from + distance * kz_shogi_deltas[direction];
            uint8_t code = board[to];
            if (code == KZ_SHOGI_EMPTY || kz_shogi_side_of(code) != side) {
                kz_shogi_add(&targets, to);
            }
            if (code != KZ_SHOGI_EMPTY) {
                break;
            }
        }
    }
    return targets;
}

bool kz_shogi_in_line(int square, int other) {
    int files = kz_shogi_file_of(square) - kz_shogi_file_of(other);
    int ranks = kz_shogi_rank_of(square) - kz_shogi_rank_of(other);
    return files == 0 || ranks == 0 || files == ranks || files == -ranks;
}
