/* SPDX-License-Identifier: MIT
 *
 * The rules by sets of squares. Each file that includes this is compiled for another kind of processor, and defines
 * RULES, the name of its kz_shogi_rules, and PATH, the name of the processor. */
#include "shogi/src/boards.h"

#include "shogi/src/attacks.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

/* ---- Sets -------------------------------------------------------------------------------------------------------- */

enum { WORD = 64, HIGH_MASK = 0x1FFFF }; /* of 81 squares, 64 are in a word and 17 in the next */

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
_Static_assert(sizeof(kz_shogi_position) == 96,
               "a position is a register of 64 bytes and one of 32, or three of 32, ...");
#endif

#if defined(__AVX512BW__) && defined(__AVX512VL__)
/* Bit `bit` of each of 64 bytes, and of the 17 that follow them. */
#define GATHER(bit)                                                                                                    \
    join(_mm512_test_epi8_mask(low, _mm512_set1_epi8((char)(1 << (bit)))),                                             \
         _mm256_test_epi8_mask(high, _mm256_set1_epi8((char)(1 << (bit)))) & HIGH_MASK)

static inline void gather(const kz_shogi_position *position, kz_shogi_set bits[8]) {
    const uint8_t *bytes = position->board;
    __m512i low = _mm512_loadu_si512(bytes);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)((const uint8_t *)position + 64));
#elif defined(__AVX2__)
#define GATHER(bit)                                                                                                    \
    join((uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(vectors[0], 7 - (bit))) |                          \
             (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(vectors[1], 7 - (bit))) << 32,                 \
         (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(vectors[2], 7 - (bit))) & HIGH_MASK)

static inline void gather(const kz_shogi_position *position, kz_shogi_set bits[8]) {
    const uint8_t *bytes = (const uint8_t *)position;
    __m256i vectors[3];
    for (int i = 0; i < 3; i++) {
        vectors[i] = _mm256_loadu_si256((const __m256i *)(const void *)(bytes + 32 * i));
    }
#elif defined(__SSE2__)
#define WORD16(i, bit) (uint64_t)(uint32_t) _mm_movemask_epi8(_mm_slli_epi16(vectors[i], 7 - (bit)))
#define GATHER(bit)                                                                                                    \
    join(WORD16(0, bit) | WORD16(1, bit) << 16 | WORD16(2, bit) << 32 | WORD16(3, bit) << 48,                          \
         (WORD16(4, bit) | WORD16(5, bit) << 16) & HIGH_MASK)

static inline void gather(const kz_shogi_position *position, kz_shogi_set bits[8]) {
    const uint8_t *bytes = (const uint8_t *)position;
    __m128i vectors[6];
    for (int i = 0; i < 6; i++) {
        vectors[i] = _mm_loadu_si128((const __m128i *)(const void *)(bytes + 16 * i));
    }
#endif
#ifdef __SSE2__
    bits[0] = GATHER(0);
    bits[1] = GATHER(1);
    bits[2] = GATHER(2);
    bits[3] = GATHER(3);
    bits[4] = GATHER(4);
    bits[5] = GATHER(5);
    bits[6] = GATHER(6);
    bits[7] = GATHER(7);
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

/* ---- Attacks ----------------------------------------------------------------------------------------------------- */

static kz_shogi_forces forces_of(const kz_shogi_boards *boards, unsigned side) {
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
    return (kz_shogi_forces){
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

static inline kz_shogi_boards boards_of(const kz_shogi_position *position) {
    kz_shogi_boards boards;
    gather(position, boards.bit);
    boards.occupied = boards.bit[7] | boards.bit[0];
    boards.side[KZ_SHOGI_WHITE] = boards.bit[6];
    boards.side[KZ_SHOGI_BLACK] = boards.occupied & ~boards.bit[6];
    boards.kings = boards.bit[0] & ~boards.bit[7];
    boards.forces[KZ_SHOGI_BLACK] = forces_of(&boards, KZ_SHOGI_BLACK);
    boards.forces[KZ_SHOGI_WHITE] = forces_of(&boards, KZ_SHOGI_WHITE);
    return boards;
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

static bool slid_on(const kz_shogi_forces *by, int square, kz_shogi_set removed, kz_shogi_set occupied) {
    enum { DIAGONALS = 0xAA, STRAIGHTS = 0x55 };
    kz_shogi_set file = file_set(kz_shogi_file_of(square));
    kz_shogi_set lances = by->lances & ~removed & file;
    kz_shogi_set rooks = by->rooks & ~removed & (file | rank_set(kz_shogi_rank_of(square)));
    return slide_to(square, rooks, STRAIGHTS, occupied) ||
           slide_to(square, by->bishops & ~removed, DIAGONALS, occupied) ||
           slide_to(square, lances, by->side == KZ_SHOGI_BLACK ? 1U << 0 : 1U << 4, occupied);
}

/* Whether any of the pieces, but those on `removed`, attacks the square. */
static bool attack(const kz_shogi_forces *by, int square, kz_shogi_set removed, kz_shogi_set occupied) {
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

static bool in_check(const kz_shogi_boards *boards, kz_shogi_side side) {
    kz_shogi_set king = boards->kings & boards->side[side];
    if (king == 0) {
        return false;
    }
    return attack(&boards->forces[(unsigned)side ^ 1], lowest(king), 0, boards->occupied);
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

static inline kz_shogi_defect legal_position(const kz_shogi_position *position, const kz_shogi_boards *boards) {
    if ((boards->kings & boards->side[KZ_SHOGI_BLACK]) == 0 || (boards->kings & boards->side[KZ_SHOGI_WHITE]) == 0) {
        return KZ_SHOGI_NO_KING;
    }
    const kz_shogi_forces *black = &boards->forces[KZ_SHOGI_BLACK];
    const kz_shogi_forces *white = &boards->forces[KZ_SHOGI_WHITE];
    if (share_file(black->pawns) || share_file(white->pawns)) {
        return KZ_SHOGI_TWO_PAWNS;
    }
    kz_shogi_set dead =
        ((black->pawns | black->lances | black->knights) & rank_set(0)) | (black->knights & rank_set(1)) |
        ((white->pawns | white->lances | white->knights) & rank_set(8)) | (white->knights & rank_set(7));
    if (dead != 0) {
        return KZ_SHOGI_DEAD_PIECE;
    }
    const kz_shogi_forces *mover = &boards->forces[position->side];
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

static inline kz_shogi_defect legal_move(const kz_shogi_position *position, const kz_shogi_boards *boards,
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
    kz_shogi_set to = kz_shogi_set_of(move.to);
    kz_shogi_set from = drop ? 0 : kz_shogi_set_of(move.from);
    int king_at = (king & from) != 0 ? move.to : lowest(king);
    return attack(&boards->forces[side ^ 1], king_at, to, (boards->occupied & ~from) | to) ? KZ_SHOGI_ILLEGAL_MOVE
                                                                                           : KZ_SHOGI_FINE;
}

/* ---- What others see --------------------------------------------------------------------------------------------- */

static kz_shogi_defect check_position(const kz_shogi_position *position) {
    kz_shogi_boards boards = boards_of(position);
    return legal_position(position, &boards);
}

static kz_shogi_defect check_move(const kz_shogi_position *position, kz_shogi_move move) {
    kz_shogi_boards boards = boards_of(position);
    return legal_move(position, &boards, move);
}

static bool check_in_check(const kz_shogi_position *position, kz_shogi_side side) {
    kz_shogi_boards boards = boards_of(position);
    return in_check(&boards, side);
}

static void count_many(const kz_shogi_position *positions, const kz_shogi_note *notes, const kz_shogi_defect *defects,
                       size_t count, kz_shogi_rule_counts *counts) {
    for (size_t i = 0; i < count; i++) {
        if (defects[i] != KZ_SHOGI_FINE) {
            continue;
        }
        kz_shogi_boards boards = boards_of(&positions[i]);
        counts->illegal_positions += legal_position(&positions[i], &boards) != KZ_SHOGI_FINE;
        if ((notes[i].has & KZ_SHOGI_HAS_MOVE) != 0 && notes[i].move.special == KZ_SHOGI_MOVE) {
            counts->moves++;
            counts->illegal_moves += legal_move(&positions[i], &boards, notes[i].move) != KZ_SHOGI_FINE;
        }
    }
}

const kz_shogi_rules RULES = {PATH, check_position, check_move, check_in_check, count_many};
