/* SPDX-License-Identifier: MIT
 *
 * The rules for processors with AVX-512 VBMI. Whether a square is attacked shows on the eight lines that start from it.
 * One instruction brings the squares of these lines into one register, in the order of their distance: the *view* from
 * that square. Byte 8 * d + n is the square n + 1 steps away in direction d of shogi/attacks.h, and empty beyond the
 * edge of the board.
 *
 * What is not fine, and what has no kings, is left to the plain twin, which knows the reason. */
#ifdef __x86_64__
#include "shogi/src/attacks.h"
#include "shogi/src/boards.h"

#include <immintrin.h>

enum { HIGH_MASK = 0x1FFFF, NO_BYTE = 95 }; /* of 81 squares, 64 are in a word and 17 in the next */
_Static_assert(sizeof(kz_shogi_position) == 96, "a position is a register of 64 bytes and one of 32");

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

#define FILES_OF(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)

/* How many squares there are in a direction, as ones. */
#define LESS(a, b) ((a) < (b) ? (a) : (b))
#define ONES(count, direction) (((UINT64_C(1) << (count)) - 1) << 8 * (direction))
#define LINES(file, rank)                                                                                              \
    (ONES(rank, 0) | ONES(LESS(rank, file), 1) | ONES(file, 2) | ONES(LESS(8 - (rank), file), 3) |                     \
     ONES(8 - (rank), 4) | ONES(LESS(8 - (rank), 8 - (file)), 5) | ONES(8 - (file), 6) |                               \
     ONES(LESS(rank, 8 - (file)), 7))
#define LINES_OF_FILE(f)                                                                                               \
    LINES(f, 0), LINES(f, 1), LINES(f, 2), LINES(f, 3), LINES(f, 4), LINES(f, 5), LINES(f, 6), LINES(f, 7), LINES(f, 8),

/* By square: the bytes of the view from there that are on the board. */
/* NOLINTNEXTLINE(bugprone-branch-clone): on the diagonals both are as far away */
static const uint64_t lines_from[KZ_SHOGI_SQUARES] = {FILES_OF(LINES_OF_FILE)};

/* By steps in files and ranks, each from -8 to 8: the byte of a view that is so far away, as a bit; 0 if none is. */
#define AWAY(files, ranks) ((files) > 0 ? (files) : (files) < 0 ? -(files) : (ranks) < 0 ? -(ranks) : (ranks))
#define DIRECTION(files, ranks)                                                                                        \
    ((files) == 0  ? ((ranks) < 0 ? 0 : 4)                                                                             \
     : (files) < 0 ? ((ranks) < 0    ? 1                                                                               \
                      : (ranks) == 0 ? 2                                                                               \
                                     : 3)                                                                              \
                   : ((ranks) > 0    ? 5                                                                               \
                      : (ranks) == 0 ? 6                                                                               \
                                     : 7))
#define BYTE(files, ranks)                                                                                             \
    ((files) == 0 && (ranks) == 0 ? 0                                                                                  \
     : (files) == 0 || (ranks) == 0 || (files) == (ranks) || (files) == -(ranks)                                       \
         ? UINT64_C(1) << ((8 * DIRECTION(files, ranks) + AWAY(files, ranks) - 1) & 63)                                \
         : 0)
#define BYTES(f)                                                                                                       \
    BYTE(f, -8), BYTE(f, -7), BYTE(f, -6), BYTE(f, -5), BYTE(f, -4), BYTE(f, -3), BYTE(f, -2), BYTE(f, -1),            \
        BYTE(f, 0), BYTE(f, 1), BYTE(f, 2), BYTE(f, 3), BYTE(f, 4), BYTE(f, 5), BYTE(f, 6), BYTE(f, 7), BYTE(f, 8),
static const uint64_t byte_at[17 * 17] = {BYTES(-8) BYTES(-7) BYTES(-6) BYTES(-5) BYTES(-4) BYTES(-3) BYTES(-2)
                                              BYTES(-1) FILES_OF(BYTES)};

/* By square: 17 times its file and its rank; and its rank alone. The difference of two is an index of byte_at. */
#define GRID(f)                                                                                                        \
    17 * (f), 17 * (f) + 1, 17 * (f) + 2, 17 * (f) + 3, 17 * (f) + 4, 17 * (f) + 5, 17 * (f) + 6, 17 * (f) + 7,        \
        17 * (f) + 8,
#define RANKS(f) 0, 1, 2, 3, 4, 5, 6, 7, 8,
static const uint8_t grid[KZ_SHOGI_SQUARES] = {FILES_OF(GRID)};
static const uint8_t rank_of[KZ_SHOGI_SQUARES] = {FILES_OF(RANKS)};
enum { GRID_MIDDLE = 8 * 17 + 8 };

static inline uint64_t byte_to(int from, int to) { return byte_at[grid[to] - grid[from] + GRID_MIDDLE]; }

/* By side and square: from where its knights attack a square. NO_BYTE is no square, and holds no piece. */
#define JUMP(files, ranks, file, rank)                                                                                 \
    ((uint8_t)((file) + (files) >= 0 && (file) + (files) < 9 && (rank) + (ranks) >= 0 && (rank) + (ranks) < 9          \
                   ? 9 * ((file) + (files)) + (rank) + (ranks)                                                         \
                   : NO_BYTE))
#define JUMPS(ranks, f, r)                                                                                             \
    { JUMP(-1, ranks, f, r), JUMP(1, ranks, f, r) }
#define JUMPS_OF_FILE(ranks, f)                                                                                        \
    JUMPS(ranks, f, 0), JUMPS(ranks, f, 1), JUMPS(ranks, f, 2), JUMPS(ranks, f, 3), JUMPS(ranks, f, 4),                \
        JUMPS(ranks, f, 5), JUMPS(ranks, f, 6), JUMPS(ranks, f, 7), JUMPS(ranks, f, 8),
#define BLACK_JUMPS(f) JUMPS_OF_FILE(2, f)
#define WHITE_JUMPS(f) JUMPS_OF_FILE(-2, f)
static const uint8_t jumps_to[2][KZ_SHOGI_SQUARES][2] = {{FILES_OF(BLACK_JUMPS)}, {FILES_OF(WHITE_JUMPS)}};

/* What each byte of a view adds to the square that it is seen from. */
#define OFFSETS(delta) delta, 2 * (delta), 3 * (delta), 4 * (delta), 5 * (delta), 6 * (delta), 7 * (delta), 8 * (delta)
static const int8_t offsets[64] = {OFFSETS(-1), OFFSETS(-10), OFFSETS(-9), OFFSETS(-8),
                                   OFFSETS(1),  OFFSETS(10),  OFFSETS(9),  OFFSETS(8)};

/* The direction, seen from the square, from which a black piece attacks it has the opposite direction to go; a white
 * piece goes in black's opposite. So white's bit is that of the direction, and black's that of the opposite. */
#define EIGHT(bit) bit, bit, bit, bit, bit, bit, bit, bit
static const uint8_t goes[2][64] = {
    {EIGHT(0x10), EIGHT(0x20), EIGHT(0x40), EIGHT(0x80), EIGHT(0x01), EIGHT(0x02), EIGHT(0x04), EIGHT(0x08)},
    {EIGHT(0x01), EIGHT(0x02), EIGHT(0x04), EIGHT(0x08), EIGHT(0x10), EIGHT(0x20), EIGHT(0x40), EIGHT(0x80)}};

/* By the low six bits of a code: black's directions of steps and slides. Kings are not in them. */
enum { AHEAD = 0x01, DIAGONALS = 0xAA, STRAIGHTS = 0x55, AS_GOLD = 0xD7, AS_SILVER = 0xAB };
enum { LOW = 0x3F, PROMOTED = KZ_SHOGI_PROMOTED };
static const uint8_t steps[64] = {
    [KZ_SHOGI_CODE_PAWN & LOW] = AHEAD,
    [KZ_SHOGI_CODE_SILVER & LOW] = AS_SILVER,
    [KZ_SHOGI_CODE_GOLD & LOW] = AS_GOLD,
    [(KZ_SHOGI_CODE_LANCE & LOW)] = AHEAD,
    [KZ_SHOGI_CODE_BISHOP & LOW] = DIAGONALS,
    [KZ_SHOGI_CODE_ROOK & LOW] = STRAIGHTS,
    [(KZ_SHOGI_CODE_PAWN & LOW) | PROMOTED] = AS_GOLD,
    [(KZ_SHOGI_CODE_LANCE & LOW) | PROMOTED] = AS_GOLD,
    [(KZ_SHOGI_CODE_KNIGHT & LOW) | PROMOTED] = AS_GOLD,
    [(KZ_SHOGI_CODE_SILVER & LOW) | PROMOTED] = AS_GOLD,
    [(KZ_SHOGI_CODE_BISHOP & LOW) | PROMOTED] = 0xFF,
    [(KZ_SHOGI_CODE_ROOK & LOW) | PROMOTED] = 0xFF,
};
static const uint8_t slides[64] = {
    [KZ_SHOGI_CODE_LANCE & LOW] = AHEAD,
    [KZ_SHOGI_CODE_BISHOP & LOW] = DIAGONALS,
    [KZ_SHOGI_CODE_ROOK & LOW] = STRAIGHTS,
    [(KZ_SHOGI_CODE_BISHOP & LOW) | PROMOTED] = DIAGONALS,
    [(KZ_SHOGI_CODE_ROOK & LOW) | PROMOTED] = STRAIGHTS,
};
static const uint64_t NEXT = UINT64_C(0x0101010101010101); /* the bytes of a view that are one step away */

/* Squares of the ranks on which pieces can be dead, and what must not stand there: 1 for black's last rank, 2 for the
 * one before it, 4 and 8 for white's. By code: where a piece must not stand. */
#define EDGE(f) 9 * (f), 9 * (f) + 1, 9 * (f) + 7, 9 * (f) + 8,
#define EDGE_RANKS(f) 1, 2, 8, 4,
static const uint8_t edge[64] = {FILES_OF(EDGE)};
static const uint8_t edge_ranks[64] = {FILES_OF(EDGE_RANKS)};
static const uint8_t black_dead[64] = {
    [KZ_SHOGI_CODE_PAWN & LOW] = 1, [KZ_SHOGI_CODE_LANCE & LOW] = 1, [KZ_SHOGI_CODE_KNIGHT & LOW] = 3};
static const uint8_t white_dead[64] = {
    [KZ_SHOGI_CODE_PAWN & LOW] = 4, [KZ_SHOGI_CODE_LANCE & LOW] = 4, [KZ_SHOGI_CODE_KNIGHT & LOW] = 12};

static inline __m512i table(const void *bytes) { return _mm512_loadu_si512(bytes); }

/* ---- Attacks ----------------------------------------------------------------------------------------------------- */

/* A position in registers. */
typedef struct squares {
    const uint8_t *board;
    __m512i low;
    __m512i high;
    int king[2]; /* -1: there is none */
} squares;

static inline int square_of(uint64_t low, uint32_t high) {
    return low != 0 ? (int)kz_lowest_bit64(low) : high != 0 ? 64 + (int)kz_lowest_bit32(high) : -1;
}

static inline uint64_t low_equal(const squares *all, uint8_t code) {
    return _mm512_cmpeq_epi8_mask(all->low, _mm512_set1_epi8((char)code));
}

static inline uint32_t high_equal(const squares *all, uint8_t code) {
    return _mm256_cmpeq_epi8_mask(_mm512_castsi512_si256(all->high), _mm256_set1_epi8((char)code)) & HIGH_MASK;
}

static inline squares squares_of(const kz_shogi_position *position) {
    squares all = {.board = position->board, .low = _mm512_loadu_si512(position->board)};
    all.high = _mm512_zextsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)(position->board + 64)));
    all.king[KZ_SHOGI_BLACK] = square_of(low_equal(&all, KZ_SHOGI_CODE_KING), high_equal(&all, KZ_SHOGI_CODE_KING));
    all.king[KZ_SHOGI_WHITE] = square_of(low_equal(&all, KZ_SHOGI_CODE_KING | KZ_SHOGI_WHITES),
                                         high_equal(&all, KZ_SHOGI_CODE_KING | KZ_SHOGI_WHITES));
    return all;
}

static inline __m512i view_from(const squares *all, int square) {
    __m512i index = _mm512_add_epi8(_mm512_set1_epi8((char)square), table(offsets));
    return _mm512_maskz_permutex2var_epi8(lines_from[square], all->low, index, all->high);
}

/* The lowest bit of each byte that is set. */
static inline uint64_t nearest(uint64_t bits) {
    const uint64_t tops = NEXT << 7;
    uint64_t less = ((bits | tops) - NEXT) ^ (~bits & tops); /* each byte less 1 */
    return bits & ~less;
}

/* Whether a side attacks a square, once some bytes of the view are empty and others hold the enemy's pieces. A knight
 * on `taken` is no longer there. */
static inline bool attacks(const squares *all, unsigned side, int square, uint64_t emptied, uint64_t filled,
                           int taken) {
    __m512i view = view_from(all, square);
    uint64_t occupied = (_mm512_test_epi8_mask(view, view) & ~emptied) | filled;
    uint64_t white = _mm512_test_epi8_mask(view, _mm512_set1_epi8(KZ_SHOGI_WHITES));
    uint64_t pieces = (uint64_t)_mm512_movepi8_mask(view);
    uint64_t kings =
        _mm512_cmpeq_epi8_mask(view, _mm512_set1_epi8((char)(KZ_SHOGI_CODE_KING | (side ? KZ_SHOGI_WHITES : 0))));
    __m512i directions = table(goes[side]);
    uint64_t sliding = _mm512_test_epi8_mask(_mm512_permutexvar_epi8(view, table(slides)), directions);
    uint64_t stepping = _mm512_test_epi8_mask(_mm512_permutexvar_epi8(view, table(steps)), directions);
    uint64_t own = (side ? white : ~white) & ~filled;
    uint64_t hits = (nearest(occupied) & own & pieces & (sliding | (stepping & NEXT))) | (kings & NEXT & own);
    const uint8_t *jumps = jumps_to[side][square];
    uint8_t knight = (uint8_t)(KZ_SHOGI_CODE_KNIGHT | (side ? KZ_SHOGI_WHITES : 0));
    bool jumped =
        (all->board[jumps[0]] == knight && jumps[0] != taken) | (all->board[jumps[1]] == knight && jumps[1] != taken);
    return hits != 0 || jumped;
}

/* ---- Positions --------------------------------------------------------------------------------------------------- */

static inline kz_shogi_set join(uint64_t low, uint64_t high) { return (kz_shogi_set)high << 64 | low; }

/* Whether no file has two pawns, given that none is on its last rank. Each file is a number; a number less its lowest
 * bit is 0 if that was its only one. One is subtracted from all of them at once; the last rank keeps a file from
 * borrowing from the next one. */
static inline bool one_each(kz_shogi_set pawns, kz_shogi_set guards, kz_shogi_set ones) {
    return (pawns & ((pawns | guards) - ones)) == 0;
}

static inline bool is_fine(const kz_shogi_position *position, const squares *all) {
    const kz_shogi_set first = join(UINT64_C(0x8040201008040201), 0x100); /* the first square of each file */
    if ((all->king[0] | all->king[1]) < 0) {
        return false;
    }
    __m512i edges = _mm512_permutex2var_epi8(all->low, table(edge), all->high);
    __mmask64 pieces = _mm512_movepi8_mask(edges);
    __mmask64 white = _mm512_test_epi8_mask(edges, _mm512_set1_epi8(KZ_SHOGI_WHITES));
    __m512i where = _mm512_mask_permutexvar_epi8(_mm512_permutexvar_epi8(edges, table(black_dead)), white, edges,
                                                 table(white_dead));
    if (_mm512_mask_test_epi8_mask(pieces, where, table(edge_ranks)) != 0) {
        return false;
    }
    const uint8_t black_pawn = KZ_SHOGI_CODE_PAWN;
    const uint8_t white_pawn = KZ_SHOGI_CODE_PAWN | KZ_SHOGI_WHITES;
    if (!one_each(join(low_equal(all, black_pawn), high_equal(all, black_pawn)), first << 9, first << 1) ||
        !one_each(join(low_equal(all, white_pawn), high_equal(all, white_pawn)), first << 8, first)) {
        return false;
    }
    return !attacks(all, position->side, all->king[position->side ^ 1], 0, 0, NO_BYTE);
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

static inline int rank_for(int square, unsigned side) {
    return side == KZ_SHOGI_BLACK ? rank_of[square] : 8 - rank_of[square];
}

static inline bool can_go(const kz_shogi_position *position, const squares *all, kz_shogi_move move) {
    unsigned side = position->side;
    uint8_t code = position->board[move.from];
    uint8_t taken = position->board[move.to];
    bool is_king = (code & KZ_SHOGI_CODE_NO_KING) == 0;
    if (code == KZ_SHOGI_EMPTY || kz_shogi_side_of(code) != side ||
        (taken != KZ_SHOGI_EMPTY && (kz_shogi_side_of(taken) == side || (taken & KZ_SHOGI_CODE_NO_KING) == 0))) {
        return false;
    }
    int from_rank = rank_for(move.from, side);
    int to_rank = rank_for(move.to, side);
    unsigned low = code & LOW;
    bool promoted = (code & PROMOTED) != 0;
    if (!is_king && low == (KZ_SHOGI_CODE_KNIGHT & LOW)) {
        const uint8_t *jumps = jumps_to[side][move.to];
        if (move.from != jumps[0] && move.from != jumps[1]) {
            return false;
        }
        return move.promotes ? to_rank < 3 : to_rank >= 2;
    }
    uint64_t to = byte_to(move.from, move.to);
    __m512i view = view_from(all, move.from);
    uint64_t occupied = _mm512_test_epi8_mask(view, view);
    /* The bytes of the same line that are nearer, and the bit of the direction as black sees it. */
    unsigned at = to != 0 ? kz_lowest_bit64(to) : 0;
    uint64_t between = (to - 1) & (UINT64_C(0xFF) << (at & 56));
    unsigned direction = 1U << ((at >> 3) ^ (side == KZ_SHOGI_BLACK ? 0U : 4U));
    unsigned reach = (at & 7) == 0 ? (is_king ? 0xFFU : steps[low]) : (is_king ? 0U : slides[low]);
    if (to == 0 || (occupied & between) != 0 || (reach & direction) == 0) {
        return false;
    }
    bool promotes = !promoted && !is_king && low != (KZ_SHOGI_CODE_GOLD & LOW);
    bool stuck = !is_king && to_rank == 0 && (low == (KZ_SHOGI_CODE_PAWN & LOW) || low == (KZ_SHOGI_CODE_LANCE & LOW));
    return move.promotes ? promotes && (from_rank < 3 || to_rank < 3) : !stuck;
}

static inline bool move_is_fine(const kz_shogi_position *position, const squares *all, kz_shogi_move move) {
    unsigned side = position->side;
    if (move.special != KZ_SHOGI_MOVE || move.from >= KZ_SHOGI_SQUARES + KZ_SHOGI_HAND_KINDS ||
        move.to >= KZ_SHOGI_SQUARES || move.promotes > 1 || (all->king[0] | all->king[1]) < 0) {
        return kz_shogi_rules_plain.move(position, move) == KZ_SHOGI_FINE;
    }
    int king = all->king[side];
    if (move.from >= KZ_SHOGI_SQUARES) {
        unsigned kind = move.from - (unsigned)KZ_SHOGI_SQUARES;
        if (kind == KZ_SHOGI_PAWN) {
            /* Two pawns on a file, and mate by a pawn: nothing to look at by lines. */
            uint8_t pawn = (uint8_t)(KZ_SHOGI_CODE_PAWN | (side ? KZ_SHOGI_WHITES : 0));
            kz_shogi_set file = (kz_shogi_set)0x1FF << (move.to - rank_of[move.to]);
            int ahead = side == KZ_SHOGI_BLACK ? move.to - 1 : move.to + 1;
            if ((join(low_equal(all, pawn), high_equal(all, pawn)) & file) != 0) {
                return false;
            }
            if (ahead == all->king[side ^ 1]) {
                return kz_shogi_rules_plain.move(position, move) == KZ_SHOGI_FINE;
            }
        }
        if (move.promotes || position->hand[side][kind] == 0 || position->board[move.to] != KZ_SHOGI_EMPTY ||
            kz_shogi_is_dead(kind, side, move.to)) {
            return false;
        }
        return !attacks(all, side ^ 1, king, 0, byte_to(king, move.to), NO_BYTE);
    }
    if (!can_go(position, all, move)) {
        return false;
    }
    bool moves_king = move.from == king;
    int square = moves_king ? move.to : king;
    uint64_t filled = moves_king ? 0 : byte_to(king, move.to);
    return !attacks(all, side ^ 1, square, byte_to(square, move.from), filled, move.to);
}

/* ---- What others see --------------------------------------------------------------------------------------------- */

static kz_shogi_defect check_position(const kz_shogi_position *position) {
    squares all = squares_of(position);
    return is_fine(position, &all) ? KZ_SHOGI_FINE : kz_shogi_rules_plain.position(position);
}

static kz_shogi_defect check_move(const kz_shogi_position *position, kz_shogi_move move) {
    squares all = squares_of(position);
    return move_is_fine(position, &all, move) ? KZ_SHOGI_FINE : KZ_SHOGI_ILLEGAL_MOVE;
}

static bool check_in_check(const kz_shogi_position *position, kz_shogi_side side) {
    squares all = squares_of(position);
    return all.king[side] >= 0 && attacks(&all, (unsigned)side ^ 1, all.king[side], 0, 0, NO_BYTE);
}

static void count_many(const kz_shogi_position *positions, const kz_shogi_note *notes, const kz_shogi_defect *defects,
                       size_t count, kz_shogi_rule_counts *counts) {
    for (size_t i = 0; i < count; i++) {
        if (defects[i] != KZ_SHOGI_FINE) {
            continue;
        }
        squares all = squares_of(&positions[i]);
        counts->illegal_positions += !is_fine(&positions[i], &all);
        if ((notes[i].has & KZ_SHOGI_HAS_MOVE) != 0 && notes[i].move.special == KZ_SHOGI_MOVE) {
            counts->moves++;
            counts->illegal_moves += !move_is_fine(&positions[i], &all, notes[i].move);
        }
    }
}

const kz_shogi_rules kz_shogi_rules_vbmi2 = {"vbmi2", check_position, check_move, check_in_check, count_many};
#else
typedef int kz_shogi_nothing_here;
#endif
