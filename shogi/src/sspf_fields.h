/* SPDX-License-Identifier: MIT
 *
 * The fields of SSPFv1, and the arithmetic on them that all paths share. Fields and their bits:
 *
 *     side 1, occupied 79, kings 7 + 7, promoted 34, kind bits 38 20 20 8 4, colour 38
 *
 * Everything after `kings` follows the list of the pieces on the board (no kings) in order of squares. Kind bit 0 parts
 * pawns from others; bits 1 and 2 are there for the others only; bit 3 for those with both, which are gold, bishop and
 * rook; bit 4 for bishop and rook. `promoted` leaves golds out. After the list's colours come those of the pieces in
 * hand, kind by kind: the tail.
 *
 * Numbers of all kinds at once are kept in the bytes of one word, pawns in the lowest one, like the bytes of `hand`. */
#ifndef KZ_SHOGI_SSPF_FIELDS_H
#define KZ_SHOGI_SSPF_FIELDS_H

#include "base/bits.h"
#include <kanzen/shogi.h>
#include <string.h>

#define KZ_SSPF_EACH_BYTE 0x0101010101010101U
#define KZ_SSPF_FULL_SET 0x02020404040412U /* 18 4 4 4 4 2 2 */

/* What a path does for one position becomes part of its loops over many, where constants stay in registers. */
#define KZ_SSPF_INLINE static inline __attribute__((always_inline))

enum {
    KZ_SSPF_LIST = 38,        /* pieces other than kings */
    KZ_SSPF_KING_ABSENT = 126 /* or 127, in the extension */
};

typedef struct kz_sspf_fields {
    uint64_t occupied[2]; /* items 0-63 and 64-78: squares in order, less those of the kings */
    uint64_t promoted;
    uint64_t kind[5];
    uint64_t colour;
    unsigned king[2];
    unsigned side;
} kz_sspf_fields;

_Static_assert(sizeof(kz_shogi_position) == 96 && offsetof(kz_shogi_position, hand) == 81,
               "positions are read as a block of 64 bytes and one of 32");

/* Many processors that count bits with one instruction have to be asked for it. */
static inline unsigned kz_sspf_count(uint64_t bits) {
#if defined(__POPCNT__) || defined(__aarch64__)
    return kz_popcount64(bits);
#else
    bits -= bits >> 1 & 0x5555555555555555U;
    bits = (bits & 0x3333333333333333U) + (bits >> 2 & 0x3333333333333333U);
    return (unsigned)(((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0FU) * KZ_SSPF_EACH_BYTE >> 56);
#endif
}

/* The lowest `count` (less than 64) bits. */
static inline uint64_t kz_sspf_ones(unsigned count) { return ((uint64_t)1 << count) - 1; }

/* ---- What PEXT and PDEP do, for a few bits and without them ------------------------------------------------------ */

/* The bits that `which` names, which are `most` at most. */
static inline uint64_t kz_sspf_take_few(uint64_t bits, uint64_t which, int most) {
    uint64_t taken = 0;
    for (int i = 0; i < most; i++) {
        taken |= (uint64_t)((bits & which & (0 - which)) != 0) << i;
        which &= which - 1;
    }
    return taken;
}

/* Puts bits where `which` says. */
static inline uint64_t kz_sspf_place_few(uint64_t bits, uint64_t which, int most) {
    uint64_t placed = 0;
    for (int i = 0; i < most; i++) {
        placed |= which & (0 - which) & (0 - (bits >> i & 1));
        which &= which - 1;
    }
    return placed;
}

/* The bits that `which` does not name; it names `most` at most. */
static inline uint64_t kz_sspf_leave_out_few(uint64_t bits, uint64_t which, int most) {
    for (int i = 0; i < most; i++) {
        uint64_t below = (which & (0 - which)) - 1; /* all, if none is left to leave out */
        bits = (bits & below) | (bits >> 1 & ~below);
        which = (which & (which - 1)) >> 1;
    }
    return bits;
}

/* ---- The record ------------------------------------------------------------------------------------------------- */

static inline kz_sspf_fields kz_sspf_load(const uint8_t *record) {
    uint64_t word[4];
    for (int i = 0; i < 4; i++) {
        word[i] = kz_load_le64(record + 8 * i);
    }
    return (kz_sspf_fields){
        .side = word[0] & 1,
        .occupied = {word[0] >> 1 | word[1] << 63, (word[1] & 0xFFFF) >> 1},
        .king = {word[1] >> 16 & 0x7F, word[1] >> 23 & 0x7F},
        .promoted = word[1] >> 30,
        .kind = {word[2] & kz_sspf_ones(38), word[2] >> 38 & kz_sspf_ones(20),
                 word[2] >> 58 | (word[3] & kz_sspf_ones(14)) << 6, word[3] >> 14 & 0xFF, word[3] >> 22 & 0xF},
        .colour = word[3] >> 26,
    };
}

static inline void kz_sspf_store(const kz_sspf_fields *fields, uint8_t *record) {
    const uint64_t *kind = fields->kind;
    kz_store_le64(record, fields->side | fields->occupied[0] << 1);
    kz_store_le64(record + 8, fields->occupied[0] >> 63 | fields->occupied[1] << 1 | (uint64_t)fields->king[0] << 16 |
                                  (uint64_t)fields->king[1] << 23 | fields->promoted << 30);
    kz_store_le64(record + 16, kind[0] | kind[1] << 38 | kind[2] << 58);
    kz_store_le64(record + 24, kind[2] >> 6 | kind[3] << 14 | kind[4] << 22 | fields->colour << 26);
}

/* ---- Occupied squares: 81 bits with the kings' squares (whose bits are 0), or fewer without them ---------------- */

/* The squares below `square`, as two words. */
static inline void kz_sspf_below(unsigned square, uint64_t below[2]) {
    uint64_t mask = kz_sspf_ones(square & 63);
    uint64_t is_high = 0 - (uint64_t)(square >> 6);
    below[0] = mask | is_high;
    below[1] = mask & is_high;
}

static inline void kz_sspf_take_out(uint64_t squares[2], unsigned square) {
    uint64_t below[2];
    kz_sspf_below(square, below);
    squares[0] = (squares[0] & below[0]) | ((squares[0] >> 1 | squares[1] << 63) & ~below[0]);
    squares[1] = (squares[1] & below[1]) | (squares[1] >> 1 & ~below[1]);
}

static inline void kz_sspf_put_in(uint64_t squares[2], unsigned square) {
    uint64_t below[2];
    kz_sspf_below(square, below);
    uint64_t above = squares[0] & ~below[0];
    squares[1] = (squares[1] & below[1]) | (squares[1] & ~below[1]) << 1 | above >> 63;
    squares[0] = (squares[0] & below[0]) | above << 1;
}

/* Both kings are there. */
static inline void kz_sspf_take_out_kings(uint64_t squares[2], const unsigned king[2]) {
    kz_sspf_take_out(squares, king[0] > king[1] ? king[0] : king[1]);
    kz_sspf_take_out(squares, king[0] > king[1] ? king[1] : king[0]);
}

static inline void kz_sspf_put_in_kings(uint64_t squares[2], const unsigned king[2]) {
    kz_sspf_put_in(squares, king[0] > king[1] ? king[1] : king[0]);
    kz_sspf_put_in(squares, king[0] > king[1] ? king[0] : king[1]);
}

/* The kings' squares, from the squares that have kings. False if not both kings are there. */
static inline bool kz_sspf_find_kings(const uint8_t board[KZ_SHOGI_SQUARES], const uint64_t kings[2],
                                      unsigned king[2]) {
    /* The king on the lower square is hardly ever on the last 17 squares, nor the other one on the first 17: two
     * branches that are easy to foretell. */
    uint64_t not_first = kings[0] >> 17 | kings[1] << 47;
    unsigned lower = kings[0] ? kz_lowest_bit64(kings[0]) : 64 + kz_lowest_bit64(kings[1] | 1U << 16);
    unsigned upper =
        not_first ? 80 - (unsigned)__builtin_clzll(not_first) : 63 - (unsigned)__builtin_clzll(kings[0] | 1);
    /* Which king is on the lower square can't be foretold. */
    unsigned if_white = (lower ^ upper) & (0 - (board[lower] >> 6 & 1U));
    king[0] = lower ^ if_white;
    king[1] = upper ^ if_white;
    return board[lower] + board[upper] == 2 * KZ_SHOGI_CODE_KING + KZ_SHOGI_WHITES;
}

/* ---- Numbers of kinds, in the bytes of a word -------------------------------------------------------------------- */

/* How many pieces of a list are of a kind or of one after it, byte by byte: each kind bit parts the kinds in two. If
 * the bits have some that they should not have, the numbers make no sense. */
static inline uint64_t kz_sspf_numbers_from(unsigned count, const uint64_t kind[5]) {
    return count | (uint64_t)kz_sspf_count(kind[0]) << 8 * KZ_SHOGI_LANCE |
           (uint64_t)kz_sspf_count(kind[1] | kind[2]) << 8 * KZ_SHOGI_KNIGHT |
           (uint64_t)kz_sspf_count(kind[1]) << 8 * KZ_SHOGI_SILVER |
           (uint64_t)kz_sspf_count(kind[1] & kind[2]) << 8 * KZ_SHOGI_GOLD |
           (uint64_t)kz_sspf_count(kind[3]) << 8 * KZ_SHOGI_BISHOP |
           (uint64_t)kz_sspf_count(kind[4]) << 8 * KZ_SHOGI_ROOK;
}

/* How many are of each kind. */
static inline uint64_t kz_sspf_numbers(unsigned count, const uint64_t kind[5]) {
    uint64_t from = kz_sspf_numbers_from(count, kind);
    return from - (from >> 8);
}

/* Not 0 if a number is above that of a full set; all are below 128. */
static inline uint64_t kz_sspf_above_full_set(uint64_t numbers) {
    const uint64_t tops = KZ_SSPF_EACH_BYTE << 7;
    return ~((KZ_SSPF_FULL_SET | tops) - numbers) & tops;
}

/* The hands of a position. A word that begins a byte too early needs no mask. */
static inline uint64_t kz_sspf_black_hand(const kz_shogi_position *position) {
    return kz_load_le64((const uint8_t *)position + offsetof(kz_shogi_position, hand) - 1) >> 8;
}
static inline uint64_t kz_sspf_white_hand(const kz_shogi_position *position) {
    return kz_load_le64((const uint8_t *)position + offsetof(kz_shogi_position, hand) + KZ_SHOGI_HAND_KINDS - 1) >> 8;
}

/* Pieces that are neither on the board nor in a hand, by kind. False if there are too many of a kind. */
static inline bool kz_sspf_missing(uint64_t on_board, uint64_t black, uint64_t white, uint64_t *missing) {
    uint64_t too_large = (black | white) & KZ_SSPF_EACH_BYTE * 0xE0; /* so that no byte runs over in what follows */
    uint64_t numbers = on_board + black + white;
    *missing = KZ_SSPF_FULL_SET - numbers;
    return (too_large | kz_sspf_above_full_set(numbers)) == 0;
}

/* Stores the last 15 bytes of a position, of which 8 and 8 are written, white's over black's. */
static inline void kz_sspf_store_hands(kz_shogi_position *position, uint64_t black, uint64_t white, unsigned side) {
    uint8_t *bytes = (uint8_t *)position + offsetof(kz_shogi_position, hand);
    kz_store_le64(bytes, black);
    kz_store_le64(bytes + KZ_SHOGI_HAND_KINDS, white | (uint64_t)side << 56);
}

/* ---- The tail ---------------------------------------------------------------------------------------------------- */

/* The colours of pieces in hand: `total` of each kind, the last `white` of which are white's. */
static inline uint64_t kz_sspf_tail(uint64_t total, uint64_t white) {
    uint64_t ends = total * KZ_SSPF_EACH_BYTE; /* byte k: pieces of kinds 0 to k */
    uint64_t begins = ends - white;
    uint64_t tail = 0;
    for (int shift = 0; shift < 8 * KZ_SHOGI_HAND_KINDS; shift += 8) {
        tail += ((uint64_t)1 << (ends >> shift & 63)) - ((uint64_t)1 << (begins >> shift & 63));
    }
    return tail;
}

/* White's pieces in hand, by counting bits: within a kind any order is read. */
static inline uint64_t kz_sspf_white_in_tail(uint64_t total, uint64_t tail) {
    unsigned pawns = total & 0x1F;
    uint64_t ends = total * KZ_SSPF_EACH_BYTE;
    uint64_t others = 0; /* 4 of a kind at most, so their bits fit into its byte */
    for (int shift = 8; shift < 8 * KZ_SHOGI_HAND_KINDS; shift += 8) {
        others |= (tail >> (ends >> (shift - 8) & 63) & kz_sspf_ones(total >> shift & 7)) << shift;
    }
    others -= others >> 1 & KZ_SSPF_EACH_BYTE * 0x55;
    others = (others & KZ_SSPF_EACH_BYTE * 0x33) + (others >> 2 & KZ_SSPF_EACH_BYTE * 0x33);
    return others + kz_sspf_count(tail & kz_sspf_ones(pawns));
}

/* ---- What makes a record of the base format well-formed ---------------------------------------------------------- */

/* Whether it is, given the number of occupied squares; then `total` are the numbers of pieces in hand. Says yes or no:
 * kz_sspf_defect says why not. */
static inline bool kz_sspf_is_base(const kz_sspf_fields *fields, unsigned count, uint64_t *total) {
    const uint64_t *kind = fields->kind;
    unsigned others = kz_sspf_count(kind[0]);
    unsigned golds_up = kz_sspf_count(kind[1] & kind[2]);
    unsigned bishops_up = kz_sspf_count(kind[3]);
    uint64_t padding = kind[0] >> (count & 63) | (kind[1] | kind[2]) >> others | kind[3] >> golds_up |
                       kind[4] >> bishops_up | fields->promoted >> ((count - golds_up + bishops_up) & 63);
    uint64_t numbers = kz_sspf_numbers(count, kind);
    *total = KZ_SSPF_FULL_SET - numbers;
    /* Below 0 if a king's square is none, if both are the same, or if there are too many pieces. */
    int sign = (KZ_SHOGI_SQUARES - 1 - (int)fields->king[0]) | (KZ_SHOGI_SQUARES - 1 - (int)fields->king[1]) |
               ((int)(fields->king[0] ^ fields->king[1]) - 1) | (KZ_SSPF_LIST - (int)count);
    /* Without padding no number is below 0. */
    return (sign >= 0) & ((padding | kz_sspf_above_full_set(numbers)) == 0);
}

/* ---- What the fast paths leave to others (sspf_extension.c) ------------------------------------------------------ */

/* Why a position is not one of the base format. Never KZ_SHOGI_FINE. */
kz_shogi_defect kz_sspf_pack_defect(const kz_shogi_position *position);
/* What is wrong with a record of the base format or of the extension: the first of these that is
 *     1. KING_SQUARE  a king's square is none, or both are the same
 *     2. OVERFULL     more than 38 pieces on the board
 *     3. PADDING      a bit of a kind, or of `promoted`, that belongs to no piece; OVERFULL if that many pieces of
 *                     these kinds can't be: kind bits 0 to 4 in order, then `promoted`
 *     4. OVERFULL     too many of one kind
 *     5. UNKNOWN      (extension) an entry of the tail that is both removed and white's */
kz_shogi_defect kz_sspf_defect(const uint8_t *record, bool extended);
/* The extension, any position and any record. */
kz_shogi_defect kz_sspfx_pack_general(const kz_shogi_position *position, uint8_t *record);
kz_shogi_defect kz_sspfx_unpack_general(const uint8_t *record, kz_shogi_position *position);
/* Writes the tail of a record in the order in which `pack` has it. A record with a defect is left alone. */
kz_shogi_defect kz_sspf_sort_tail(uint8_t *record, bool extended);

#endif
