/* SPDX-License-Identifier: MIT */
#include "shogi/boards.h"

#include "shogi/attacks.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ---- Sets -------------------------------------------------------------------------------------------------------- */

enum { WORD = 64, HIGH_SQUARES = KZ_SHOGI_SQUARES - WORD };

static const uint64_t LOW_RANK_0 = UINT64_C(0x8040201008040201); /* squares 0, 9, ..., 63 */
static const uint64_t HIGH_RANK_0 = UINT64_C(0x100);             /* square 72 */

static inline kz_shogi_set join(uint64_t low, uint64_t high) { return (kz_shogi_set)high << WORD | low; }

/* All squares of a rank, counted from 0. */
static inline kz_shogi_set rank_set(int rank) { return join(LOW_RANK_0, HIGH_RANK_0) << rank; }

/* The squares one rank up, or down, or one file to either side; what would leave the board is lost. */
static inline kz_shogi_set above(kz_shogi_set set) { return set >> 1 & ~rank_set(8); }
static inline kz_shogi_set below(kz_shogi_set set) {
    return set << 1 & ~(rank_set(0) | (kz_shogi_set)1 << KZ_SHOGI_SQUARES);
}
static inline kz_shogi_set beside(kz_shogi_set set) {
    return set >> 9 | (set << 9 & ~((kz_shogi_set)0x1FF << KZ_SHOGI_SQUARES));
}

static inline kz_shogi_set file_set(int file) { return (kz_shogi_set)0x1FF << 9 * file; }

static inline int lowest(kz_shogi_set set) {
    uint64_t low = (uint64_t)set;
    return low != 0 ? (int)kz_lowest_bit64(low) : WORD + (int)kz_lowest_bit64((uint64_t)(set >> WORD));
}

#ifdef __SSE2__
_Static_assert(sizeof(kz_shogi_position) == 96, "six registers of 16 bytes hold a position");

/* Bit `bit` of 64 bytes, or of the 17 that follow them. */
#define GATHER(vectors, bit)                                                                                           \
    join((uint64_t)(unsigned)_mm_movemask_epi8(_mm_slli_epi16((vectors)[0], 7 - (bit))) |                              \
             (uint64_t)(unsigned)_mm_movemask_epi8(_mm_slli_epi16((vectors)[1], 7 - (bit))) << 16 |                    \
             (uint64_t)(unsigned)_mm_movemask_epi8(_mm_slli_epi16((vectors)[2], 7 - (bit))) << 32 |                    \
             (uint64_t)(unsigned)_mm_movemask_epi8(_mm_slli_epi16((vectors)[3], 7 - (bit))) << 48,                     \
         (uint64_t)(unsigned)_mm_movemask_epi8(_mm_slli_epi16((vectors)[4], 7 - (bit))) |                              \
             (uint64_t)(position->board[80] >> (bit)&1) << 16)

static inline void gather(const kz_shogi_position *position, kz_shogi_set bits[8]) {
    __m128i vectors[5];
    for (int i = 0; i < 5; i++) {
        vectors[i] = _mm_loadu_si128((const __m128i *)(const void *)(position->board + 16 * i));
    }
    bits[0] = GATHER(vectors, 0);
    bits[1] = GATHER(vectors, 1);
    bits[2] = GATHER(vectors, 2);
    bits[3] = GATHER(vectors, 3);
    bits[4] = GATHER(vectors, 4);
    bits[5] = GATHER(vectors, 5);
    bits[6] = GATHER(vectors, 6);
    bits[7] = GATHER(vectors, 7);
}
#else
/* The lowest bit of each of 8 bytes, as a byte: the product moves each of them to its place in the highest byte. */
static inline uint64_t gather8(const uint8_t *bytes, int bit) {
    uint64_t word = kz_load_le64(bytes) >> bit & UINT64_C(0x0101010101010101);
    return word * UINT64_C(0x0102040810204080) >> 56;
}

static inline void gather(const kz_shogi_position *position, kz_shogi_set bits[8]) {
    for (int bit = 0; bit < 8; bit++) {
        uint64_t low = 0;
        for (int i = 0; i < 8; i++) {
            low |= gather8(position->board + 8 * i, bit) << 8 * i;
        }
        uint64_t high = gather8(position->board + 64, bit) | gather8(position->board + 72, bit) << 8 |
                        (uint64_t)(position->board[80] >> bit & 1) << 16;
        bits[bit] = join(low, high);
    }
}
#endif

kz_shogi_boards kz_shogi_boards_of(const kz_shogi_position *position) {
    kz_shogi_boards boards;
    gather(position, boards.bit);
    boards.occupied = boards.bit[7] | boards.bit[0];
    boards.side[KZ_SHOGI_WHITE] = boards.bit[6];
    boards.side[KZ_SHOGI_BLACK] = boards.occupied & ~boards.bit[6];
    boards.kings = boards.bit[0] & ~boards.bit[7];
    return boards;
}

/* ---- Attacks ----------------------------------------------------------------------------------------------------- */

/* The pieces of one side by how they move. */
typedef struct forces {
    unsigned side;
    kz_shogi_set pawns;
    kz_shogi_set knights;
    kz_shogi_set silvers;
    kz_shogi_set golds; /* and all that move like them */
    kz_shogi_set king;
    kz_shogi_set lances;
    kz_shogi_set bishops; /* and promoted ones */
    kz_shogi_set rooks;   /* the same */
    kz_shogi_set promoted;
} forces;

static forces forces_of(const kz_shogi_boards *boards, unsigned side) {
    kz_shogi_set own = boards->side[side];
    kz_shogi_set promoted = boards->bit[5];
    kz_shogi_set pieces = boards->bit[7] & own;
    kz_shogi_set pawns = pieces & ~boards->bit[0];
    kz_shogi_set others = pieces & boards->bit[0];
    kz_shogi_set lances = others & ~(boards->bit[1] | boards->bit[2]);
    kz_shogi_set knights = others & ~boards->bit[1] & boards->bit[2];
    kz_shogi_set silvers = others & boards->bit[1] & ~boards->bit[2];
    kz_shogi_set large = others & boards->bit[1] & boards->bit[2];
    kz_shogi_set majors = large & boards->bit[3];
    return (forces){
        .side = side,
        .pawns = pawns & ~promoted,
        .knights = knights & ~promoted,
        .silvers = silvers & ~promoted,
        .golds = (large & ~majors) | ((pawns | lances | knights | silvers) & promoted),
        .king = boards->kings & own,
        .lances = lances & ~promoted,
        .bishops = majors & ~boards->bit[4],
        .rooks = majors & boards->bit[4],
        .promoted = promoted,
    };
}

/* The direction from one square to another on a line with it, and how far it is; -1 if they are not on a line. */
static inline int direction_to(int from, int to, int *distance) {
    /* By the signs of the steps in files and ranks, each plus 1. */
    static const int8_t directions[3][3] = {{1, 2, 3}, {0, -1, 4}, {7, 6, 5}};
    int files = kz_shogi_file_of(to) - kz_shogi_file_of(from);
    int ranks = kz_shogi_rank_of(to) - kz_shogi_rank_of(from);
    int wide = files < 0 ? -files : files;
    int high = ranks < 0 ? -ranks : ranks;
    if (wide != high && wide != 0 && high != 0) {
        return -1;
    }
    *distance = wide > high ? wide : high;
    return directions[1 + (files > 0) - (files < 0)][1 + (ranks > 0) - (ranks < 0)];
}

static inline bool is_free(int from, int direction, int distance, kz_shogi_set occupied) {
    for (int i = 1; i < distance; i++) {
        if ((occupied >> (from + i * kz_shogi_deltas[direction]) & 1) != 0) {
            return false;
        }
    }
    return true;
}

/* Whether one of `sliders`, which go in some of the eight directions, reaches the square. */
static bool slide_to(int square, kz_shogi_set sliders, unsigned directions, kz_shogi_set occupied) {
    while (sliders != 0) {
        int from = lowest(sliders);
        sliders &= sliders - 1;
        int distance;
        int direction = direction_to(from, square, &distance);
        if (direction >= 0 && (directions >> direction & 1) != 0 && is_free(from, direction, distance, occupied)) {
            return true;
        }
    }
    return false;
}

static bool slid_on(const forces *by, int square, kz_shogi_set removed, kz_shogi_set occupied) {
    enum { DIAGONALS = 0xAA, STRAIGHTS = 0x55 };
    kz_shogi_set lances = by->lances & ~removed & file_set(kz_shogi_file_of(square));
    return slide_to(square, by->rooks & ~removed, STRAIGHTS, occupied) ||
           slide_to(square, by->bishops & ~removed, DIAGONALS, occupied) ||
           slide_to(square, lances, by->side == KZ_SHOGI_BLACK ? 1U << 0 : 1U << 4, occupied);
}

/* Whether any of the pieces, but those on `removed`, attacks the square. */
static bool attack(const forces *by, int square, kz_shogi_set removed, kz_shogi_set occupied) {
    kz_shogi_set at = kz_shogi_set_of(square);
    kz_shogi_set up = above(at);
    kz_shogi_set down = below(at);
    kz_shogi_set sides = beside(at);
    kz_shogi_set up_diagonals = beside(up);
    kz_shogi_set down_diagonals = beside(down);
    /* Where a pawn of that side attacks from is its "front", seen from the square. */
    bool black = by->side == KZ_SHOGI_BLACK;
    kz_shogi_set front = black ? down : up;
    kz_shogi_set front_diagonals = black ? down_diagonals : up_diagonals;
    kz_shogi_set straights = up | down | sides;
    kz_shogi_set diagonals = up_diagonals | down_diagonals;
    kz_shogi_set jumps = beside(black ? below(down) : above(up));
    kz_shogi_set hit = (front & by->pawns) | (jumps & by->knights) | ((front | diagonals) & by->silvers) |
                       ((straights | front_diagonals) & by->golds) | ((straights | diagonals) & by->king) |
                       (straights & by->bishops & by->promoted) | (diagonals & by->rooks & by->promoted);
    return (hit & ~removed) != 0 || slid_on(by, square, removed, occupied);
}

bool kz_shogi_boards_in_check(const kz_shogi_boards *boards, kz_shogi_side side) {
    kz_shogi_set king = boards->kings & boards->side[side];
    if (king == 0) {
        return false;
    }
    forces by = forces_of(boards, (unsigned)side ^ 1);
    return attack(&by, lowest(king), 0, boards->occupied);
}

/* ---- Positions --------------------------------------------------------------------------------------------------- */

/* Whether two of the squares are on one file: each set is moved down its file, past all ranks, and met with itself. */
static bool share_file(kz_shogi_set set) {
    kz_shogi_set later = set << 1 & ~rank_set(0);
    later |= later << 1 & ~rank_set(0);
    later |= later << 2 & ~(rank_set(0) | rank_set(1));
    later |= later << 4 & ~(rank_set(0) | rank_set(1) | rank_set(2) | rank_set(3));
    return (set & later) != 0;
}

kz_shogi_defect kz_shogi_legal_boards(const kz_shogi_position *position, const kz_shogi_boards *boards) {
    if ((boards->kings & boards->side[KZ_SHOGI_BLACK]) == 0 || (boards->kings & boards->side[KZ_SHOGI_WHITE]) == 0) {
        return KZ_SHOGI_NO_KING;
    }
    forces black = forces_of(boards, KZ_SHOGI_BLACK);
    forces white = forces_of(boards, KZ_SHOGI_WHITE);
    if (share_file(black.pawns) || share_file(white.pawns)) {
        return KZ_SHOGI_TWO_PAWNS;
    }
    kz_shogi_set dead = ((black.pawns | black.lances | black.knights) & rank_set(0)) | (black.knights & rank_set(1)) |
                        ((white.pawns | white.lances | white.knights) & rank_set(8)) | (white.knights & rank_set(7));
    if (dead != 0) {
        return KZ_SHOGI_DEAD_PIECE;
    }
    const forces *mover = position->side == KZ_SHOGI_BLACK ? &black : &white;
    int king = lowest(boards->kings & boards->side[position->side ^ 1]);
    return attack(mover, king, 0, boards->occupied) ? KZ_SHOGI_KING_HANGS : KZ_SHOGI_FINE;
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

/* Whether a pawn that is dropped on `to` mates; that is rare enough for the slow way. */
static bool pawn_mates(const kz_shogi_position *position, int to) {
    unsigned side = position->side;
    int ahead = side == KZ_SHOGI_BLACK ? to - 1 : to + 1;
    kz_shogi_side other = side == KZ_SHOGI_BLACK ? KZ_SHOGI_WHITE : KZ_SHOGI_BLACK;
    if (kz_shogi_rank_for(to, side) == 0 || position->board[ahead] != kz_shogi_code(KZ_SHOGI_KING, other)) {
        return false;
    }
    kz_shogi_move moves[KZ_SHOGI_MOST_MOVES];
    kz_shogi_position after = *position;
    after.board[to] = kz_shogi_code(KZ_SHOGI_PAWN, (kz_shogi_side)side);
    after.hand[side][KZ_SHOGI_PAWN]--;
    after.side ^= 1;
    return kz_shogi_moves(&after, moves) == 0;
}

static bool can_drop(const kz_shogi_position *position, const kz_shogi_boards *boards, unsigned kind, int to) {
    unsigned side = position->side;
    if (position->hand[side][kind] == 0 || (boards->occupied >> to & 1) != 0 || kz_shogi_is_dead(kind, side, to)) {
        return false;
    }
    if (kind != KZ_SHOGI_PAWN) {
        return true;
    }
    kz_shogi_set pawns = boards->side[side] & boards->bit[7] & ~boards->bit[0] & ~boards->bit[5];
    return (pawns & file_set(kz_shogi_file_of(to))) == 0 && !pawn_mates(position, to);
}

static bool can_go(const kz_shogi_position *position, const kz_shogi_boards *boards, kz_shogi_move move) {
    uint8_t code = position->board[move.from];
    unsigned side = position->side;
    if ((boards->side[side] >> move.from & 1) == 0 || ((boards->side[side] | boards->kings) >> move.to & 1) != 0) {
        return false;
    }
    unsigned kind = kz_shogi_kind_of(code);
    bool promoted = (code & KZ_SHOGI_PROMOTED) != 0;
    unsigned as = kind | (promoted ? 8 : 0);
    if (as == KZ_SHOGI_KNIGHT) {
        int files = kz_shogi_file_of(move.to) - kz_shogi_file_of(move.from);
        int ahead = kz_shogi_rank_for(move.from, side) - kz_shogi_rank_for(move.to, side);
        if ((files != 1 && files != -1) || ahead != 2) {
            return false;
        }
    } else {
        int distance;
        int direction = direction_to(move.from, move.to, &distance);
        int seen = side == KZ_SHOGI_BLACK ? direction : direction ^ 4;
        if (direction < 0 || ((kz_shogi_slides[as] | (distance == 1 ? kz_shogi_steps[as] : 0)) >> seen & 1) == 0 ||
            !is_free(move.from, direction, distance, boards->occupied)) {
            return false;
        }
    }
    bool in_camp = kz_shogi_rank_for(move.from, side) < 3 || kz_shogi_rank_for(move.to, side) < 3;
    return move.promotes ? !promoted && kz_shogi_kind_promotes(kind) && in_camp
                         : promoted || !kz_shogi_is_dead(kind, side, move.to);
}

kz_shogi_defect kz_shogi_legal_move(const kz_shogi_position *position, const kz_shogi_boards *boards,
                                    kz_shogi_move move) {
    if (move.special != KZ_SHOGI_MOVE || move.from >= KZ_SHOGI_SQUARES + KZ_SHOGI_HAND_KINDS ||
        move.to >= KZ_SHOGI_SQUARES || move.promotes > 1) {
        return KZ_SHOGI_ILLEGAL_MOVE;
    }
    bool drop = move.from >= KZ_SHOGI_SQUARES;
    if (drop ? move.promotes || !can_drop(position, boards, move.from - (unsigned)KZ_SHOGI_SQUARES, move.to)
             : !can_go(position, boards, move)) {
        return KZ_SHOGI_ILLEGAL_MOVE;
    }
    unsigned side = position->side;
    kz_shogi_set king = boards->kings & boards->side[side];
    if (king == 0) {
        return KZ_SHOGI_FINE;
    }
    forces enemy = forces_of(boards, side ^ 1);
    kz_shogi_set to = kz_shogi_set_of(move.to);
    kz_shogi_set from = drop ? 0 : kz_shogi_set_of(move.from);
    int king_at = (king & from) != 0 ? move.to : lowest(king);
    return attack(&enemy, king_at, to, (boards->occupied & ~from) | to) ? KZ_SHOGI_ILLEGAL_MOVE : KZ_SHOGI_FINE;
}

kz_shogi_defect kz_shogi_check_move(const kz_shogi_position *position, kz_shogi_move move) {
    kz_shogi_boards boards = kz_shogi_boards_of(position);
    return kz_shogi_legal_move(position, &boards, move);
}
