/* SPDX-License-Identifier: MIT
 *
 * sspfc, "SSPFv1c": the compaction that SSPFv1's text sketches, with every choice made. shogi/docs/packing.md has the
 * words to this code. 250 bits hold any well-formed position; six are spare.
 *
 * Kings, bishops and rooks are held by their squares, so `occupied` has the other squares only. A king, bishop or rook
 * that is not on the board leaves one square more to tell about: the bit for it is borrowed, its index is one of two.
 */
#include "base/bits.h"
#include "shogi/src/codec.h"
#include "shogi/src/sspfc_fields.h"

enum { MOST_PIECES = 38 };
enum { SMALL_KINDS = KZ_SHOGI_BISHOP }; /* pawn to gold */
static const unsigned full_set[KZ_SHOGI_HAND_KINDS] = {18, 4, 4, 4, 4, 2, 2};

/* One bit for each square, or for each of up to 81 other things. */
typedef struct bits81 {
    uint64_t low, high;
} bits81;

static uint64_t ones(unsigned count) { return ((uint64_t)1 << count) - 1; } /* count < 64 */

static unsigned count81(bits81 set) { return kz_popcount64(set.low) + kz_popcount64(set.high); }

static bits81 or81(bits81 a, bits81 b) { return (bits81){a.low | b.low, a.high | b.high}; }

static bits81 single81(unsigned at) {
    return at < 64 ? (bits81){(uint64_t)1 << at, 0} : (bits81){0, (uint64_t)1 << (at - 64)};
}

static unsigned lowest81(bits81 set) { return set.low ? kz_lowest_bit64(set.low) : 64 + kz_lowest_bit64(set.high); }

static bits81 without_lowest81(bits81 set) {
    return set.low ? (bits81){set.low & (set.low - 1), set.high} : (bits81){0, set.high & (set.high - 1)};
}

/* Takes out one bit; those above it move down. */
static bits81 delete81(bits81 set, unsigned at) {
    if (at >= 64) {
        uint64_t below = ones(at - 64);
        return (bits81){set.low, (set.high & below) | (set.high >> 1 & ~below)};
    }
    uint64_t below = ones(at);
    return (bits81){(set.low & below) | (set.low >> 1 & ~below) | set.high << 63, set.high >> 1};
}

/* Puts in a 0; the bits from there on move up. */
static bits81 insert81(bits81 set, unsigned at) {
    if (at >= 64) {
        uint64_t below = ones(at - 64);
        return (bits81){set.low, (set.high & below) | (set.high & ~below) << 1};
    }
    uint64_t below = ones(at);
    return (bits81){(set.low & below) | (set.low & ~below) << 1, set.high << 1 | set.low >> 63};
}

/* The first `count` bits turned over. */
static bits81 invert81(bits81 set, unsigned count) { return (bits81){~set.low, ~set.high & ones(count - 64)}; }

static void put(uint64_t words[4], unsigned at, uint64_t value) {
    words[at / 64] |= value << at % 64;
    if (at % 64 && at / 64 < 3) {
        words[at / 64 + 1] |= value >> (64 - at % 64);
    }
}

static uint64_t get(const uint64_t words[4], unsigned at, unsigned bits) {
    uint64_t value = words[at / 64] >> at % 64;
    if (at % 64 + bits > 64) {
        value |= words[at / 64 + 1] << (64 - at % 64);
    }
    return value & ones(bits);
}

/* ---- Packing ---------------------------------------------------------------------------------------------------- */

/* What stands where. */
typedef struct layout {
    bits81 pieces;    /* all but kings */
    bits81 big;       /* bishops and rooks */
    bits81 kings;     /* of both sides */
    unsigned king[2]; /* squares, KZ_SHOGI_NO_SQUARE without one */
} layout;

/* The highest bit of each of eight bytes. */
static uint64_t high_bits(uint64_t bytes) {
    return (bytes >> 7 & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56;
}

static void survey(const uint8_t board[KZ_SHOGI_SQUARES], layout *found) {
    uint64_t pieces[2] = {0}, big[2] = {0}, kings[2] = {0};
    for (unsigned i = 0; i < KZ_SHOGI_SQUARES / 8; i++) {
        uint64_t bytes = kz_load_le64(board + 8 * i);
        pieces[i / 8] |= high_bits(bytes) << 8 * (i % 8);
        big[i / 8] |= high_bits(bytes & bytes << 4) << 8 * (i % 8);
        kings[i / 8] |= high_bits(~bytes & bytes << 7) << 8 * (i % 8);
    }
    uint8_t last = board[KZ_SHOGI_SQUARES - 1];
    pieces[1] |= (uint64_t)(last >> 7) << 16;
    big[1] |= (uint64_t)((last & last << 4) >> 7 & 1) << 16;
    kings[1] |= (uint64_t)((~last & last << 7) >> 7 & 1) << 16;
    *found = (layout){
        {pieces[0], pieces[1]}, {big[0], big[1]}, {kings[0], kings[1]}, {KZ_SHOGI_NO_SQUARE, KZ_SHOGI_NO_SQUARE}};
}

/* The bits of `items` from 75 on, which are taken one after the other. */
typedef struct loan {
    uint64_t bits;
    unsigned count;
} loan;

static unsigned borrow(loan *from) {
    unsigned bit = (unsigned)from->bits & 1;
    from->bits >>= 1;
    from->count++;
    return bit;
}

/* The index of a pair: those on the board by their squares, then those in hand, then the absent ones. */
static unsigned pair_index(const unsigned squares[2], unsigned on_board, unsigned in_hand, loan *borrowed) {
    unsigned index[2];
    for (unsigned i = 0; i < 2; i++) {
        if (i < on_board) {
            index[i] = squares[i];
        } else {
            index[i] = (i < on_board + in_hand ? KZ_SSPFC_IN_HAND : KZ_SSPFC_ABSENT) + borrow(borrowed);
        }
    }
    if (index[0] > index[1]) {
        index[0] = index[1] = in_hand == 2 ? KZ_SSPFC_HANDS_REVERSED : KZ_SSPFC_ABSENT_REVERSED;
    }
    return index[1] * (index[1] + 1) / 2 + index[0];
}

/* Fields of a record that list pieces, and how far each is filled. */
typedef struct lists {
    uint64_t colour, promoted, kind0, kind1, kind2;
    unsigned pieces, promotable, small,
        others; /* how many there are: all, without golds, small ones, these without pawns */
} lists;

/* Bishops and rooks on the board. */
typedef struct big_pieces {
    unsigned squares[2][2];
    unsigned count[2];
} big_pieces;

static kz_shogi_defect find_kings(const kz_shogi_position *position, layout *found) {
    for (bits81 kings = found->kings; kings.low | kings.high; kings = without_lowest81(kings)) {
        unsigned square = lowest81(kings);
        unsigned side = position->board[square] >> 6 & 1;
        if (found->king[side] != KZ_SHOGI_NO_SQUARE) {
            return KZ_SHOGI_TWO_KINGS;
        }
        found->king[side] = square;
    }
    return KZ_SHOGI_FINE;
}

static kz_shogi_defect find_big(const kz_shogi_position *position, const layout *found, big_pieces *big) {
    *big = (big_pieces){.count = {0, 0}};
    for (bits81 left = found->big; left.low | left.high; left = without_lowest81(left)) {
        unsigned square = lowest81(left);
        unsigned rook = position->board[square] >> 4 & 1;
        if (big->count[rook] == 2) {
            return KZ_SHOGI_OVERFULL;
        }
        big->squares[rook][big->count[rook]++] = square;
    }
    return KZ_SHOGI_FINE;
}

/* Pieces on the board, one after the other. Each bit is added to its field, which then moves on or does not. */
static lists list_pieces(const kz_shogi_position *position, const layout *found) {
    uint64_t colour = 0, promoted = 0, kind0 = 0, kind1 = 0, kind2 = 0;
    unsigned at = 0, promoted_at = 0, small_count = 0, others = 0;
    for (unsigned half = 0; half < 2; half++) {
        const uint8_t *board = position->board + 64 * half;
        for (uint64_t left = half ? found->pieces.high : found->pieces.low; left; left &= left - 1) {
            uint64_t code = board[kz_lowest_bit64(left)];
            uint64_t is_small = ~code >> 3 & 1, is_other = code & is_small;
            colour |= (code >> 6 & 1) << at++;
            promoted |= (code >> 5 & 1) << promoted_at;
            promoted_at += (code & 0x1F) != (KZ_SHOGI_CODE_GOLD & 0x1F);
            kind0 |= is_other << small_count;
            small_count += (unsigned)is_small;
            kind1 |= (code >> 1 & is_other) << others;
            kind2 |= (code >> 2 & is_other) << others;
            others += (unsigned)is_other;
        }
    }
    return (lists){colour, promoted, kind0, kind1, kind2, at, promoted_at, small_count, others};
}

/* How many of each kind the lists have on the board; of bishops and rooks it is known. */
static void count_kinds(const lists *of, const unsigned big[2], unsigned on_board[KZ_SHOGI_HAND_KINDS]) {
    unsigned knights = kz_popcount64(of->kind2 & ~of->kind1), silvers = kz_popcount64(of->kind1 & ~of->kind2);
    unsigned golds = kz_popcount64(of->kind1 & of->kind2);
    on_board[KZ_SHOGI_PAWN] = of->small - of->others;
    on_board[KZ_SHOGI_LANCE] = of->others - knights - silvers - golds;
    on_board[KZ_SHOGI_KNIGHT] = knights;
    on_board[KZ_SHOGI_SILVER] = silvers;
    on_board[KZ_SHOGI_GOLD] = golds;
    on_board[KZ_SHOGI_BISHOP] = big[0];
    on_board[KZ_SHOGI_ROOK] = big[1];
}

/* Adds what is not on the board: in each kind black's, white's and then those that are removed. */
static kz_shogi_defect add_tails(const kz_shogi_position *position, const unsigned on_board[KZ_SHOGI_HAND_KINDS],
                                 lists *to) {
    /* All of them before any is written: too many of one kind leave no room for the others. */
    for (unsigned kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        if (on_board[kind] + position->hand[0][kind] + position->hand[1][kind] > full_set[kind]) {
            return KZ_SHOGI_OVERFULL;
        }
    }
    unsigned at = to->pieces;
    unsigned small_at = to->small;
    for (unsigned kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        unsigned black = position->hand[KZ_SHOGI_BLACK][kind], white = position->hand[KZ_SHOGI_WHITE][kind];
        unsigned off_board = full_set[kind] - on_board[kind];
        to->colour |= ones(white) << (at + black);
        at += off_board;
        if (kind < SMALL_KINDS) {
            to->kind0 |= (ones(off_board) ^ ones(black + white)) << small_at;
            small_at += off_board;
        }
    }
    return KZ_SHOGI_FINE;
}

/* `occupied`: the squares that are left without those of kings, bishops and rooks. From the last one down, because each
 * that is taken out moves those above it. */
static bits81 items_of(const kz_shogi_position *position, const layout *found) {
    bits81 items = {found->pieces.low & ~found->big.low, found->pieces.high & ~found->big.high};
    unsigned taken[6], taken_count = 0;
    for (bits81 left = or81(found->big, found->kings); left.low | left.high; left = without_lowest81(left)) {
        taken[taken_count++] = lowest81(left);
    }
    for (unsigned i = taken_count; i-- > 0;) {
        items = delete81(items, taken[i]);
    }
    return position->side != KZ_SHOGI_BLACK ? invert81(items, KZ_SHOGI_SQUARES - taken_count) : items;
}

static void store(const kz_shogi_position *position, const layout *found, const big_pieces *big, const lists *of,
                  uint8_t *record) {
    bits81 items = items_of(position, found);
    loan borrowed = {items.high >> (KZ_SSPFC_OCCUPIED_BITS - 64), 0};
    unsigned kings[2];
    for (unsigned side = 0; side < 2; side++) {
        bool absent = found->king[side] == KZ_SHOGI_NO_SQUARE;
        kings[side] = absent ? KZ_SSPFC_KING_ABSENT + borrow(&borrowed) : found->king[side];
    }
    unsigned pairs[2];
    for (unsigned rook = 0; rook < 2; rook++) {
        unsigned kind = rook ? KZ_SHOGI_ROOK : KZ_SHOGI_BISHOP;
        unsigned in_hand = (unsigned)position->hand[0][kind] + position->hand[1][kind];
        pairs[rook] = pair_index(big->squares[rook], big->count[rook], in_hand, &borrowed);
    }
    uint64_t words[4] = {items.low, items.high & ones(KZ_SSPFC_OCCUPIED_BITS - 64), 0, 0};
    put(words, KZ_SSPFC_KINGS_AT, kings[0] * KZ_SSPFC_KING_INDEXES + kings[1]);
    put(words, KZ_SSPFC_BISHOPS_AT, pairs[0]);
    put(words, KZ_SSPFC_ROOKS_AT, pairs[1]);
    put(words, KZ_SSPFC_PROMOTED_AT, of->promoted);
    put(words, KZ_SSPFC_KIND0_AT, of->kind0);
    put(words, KZ_SSPFC_KIND1_AT, of->kind1);
    put(words, KZ_SSPFC_KIND2_AT, of->kind2);
    put(words, KZ_SSPFC_COLOUR_AT, of->colour);
    for (unsigned i = 0; i < 4; i++) {
        kz_store_le64(record + 8 * i, words[i]);
    }
}

static kz_shogi_defect pack(const kz_shogi_position *position, uint8_t *record) {
    layout found;
    big_pieces big;
    unsigned on_board[KZ_SHOGI_HAND_KINDS];
    survey(position->board, &found);
    if (count81(found.pieces) > MOST_PIECES || count81(found.big) > 4) {
        return KZ_SHOGI_OVERFULL;
    }
    kz_shogi_defect defect = find_kings(position, &found);
    if (defect == KZ_SHOGI_FINE) {
        defect = find_big(position, &found, &big);
    }
    if (defect != KZ_SHOGI_FINE) {
        return defect;
    }
    lists of = list_pieces(position, &found);
    count_kinds(&of, big.count, on_board);
    defect = add_tails(position, on_board, &of);
    if (defect == KZ_SHOGI_FINE) {
        store(position, &found, &big, &of, record);
    }
    return defect;
}

/* ---- Unpacking -------------------------------------------------------------------------------------------------- */

/* A pair of bishops or rooks as a record has it. */
typedef struct pair {
    unsigned index[2];
    unsigned on_board, in_hand;
} pair;

static bool read_pair(unsigned code, pair *read) {
    unsigned high = 0;
    for (unsigned step = 64; step > 0; step /= 2) {
        unsigned next = high + step;
        high = next * (next + 1) / 2 <= code ? next : high;
    }
    unsigned low = code - high * (high + 1) / 2;
    if (high >= KZ_SSPFC_PAIR_INDEXES) {
        return false;
    }
    if (low == high && high < KZ_SSPFC_IN_HAND) {
        if (high != KZ_SSPFC_HANDS_REVERSED && high != KZ_SSPFC_ABSENT_REVERSED) {
            return false;
        }
        unsigned first = high == KZ_SSPFC_HANDS_REVERSED ? KZ_SSPFC_IN_HAND : KZ_SSPFC_ABSENT;
        low = first + 1;
        high = first;
    }
    *read = (pair){{low, high},
                   (unsigned)(low < KZ_SSPFC_IN_HAND) + (unsigned)(high < KZ_SSPFC_IN_HAND),
                   (unsigned)(low >= KZ_SSPFC_IN_HAND && low < KZ_SSPFC_ABSENT) +
                       (unsigned)(high >= KZ_SSPFC_IN_HAND && high < KZ_SSPFC_ABSENT)};
    return true;
}

/* A piece that is held by its square: the square is added to `taken`, or the borrowed bit to `items`. False if
 * something else is there. */
static bool place(unsigned index, bits81 *taken, bits81 *items, unsigned *item_count) {
    if (index >= KZ_SHOGI_SQUARES) { /* both 81 and 83 lend a 0 */
        items->high |= (uint64_t)(~index & 1) << (*item_count - 64);
        (*item_count)++;
        return true;
    }
    bits81 square = single81(index);
    if ((taken->low & square.low) | (taken->high & square.high)) {
        return false;
    }
    *taken = or81(*taken, square);
    return true;
}

/* What a record says about squares. */
typedef struct squares_read {
    unsigned king[2];
    pair pairs[2]; /* bishops, rooks */
    bits81 big;    /* their squares */
    bits81 items;  /* squares of small pieces */
    unsigned small;
    unsigned side; /* to move */
} squares_read;

/* Kings, bishops and rooks: their squares are `taken`, and what they lend is added to the items. */
static kz_shogi_defect read_taken(const uint64_t words[4], squares_read *read, bits81 *taken, unsigned *item_count) {
    unsigned kings = (unsigned)get(words, KZ_SSPFC_KINGS_AT, KZ_SSPFC_KINGS_BITS);
    read->king[0] = kings / KZ_SSPFC_KING_INDEXES;
    read->king[1] = kings % KZ_SSPFC_KING_INDEXES;
    if (kings >= KZ_SSPFC_KING_INDEXES * KZ_SSPFC_KING_INDEXES ||
        !place(read->king[0], taken, &read->items, item_count) ||
        !place(read->king[1], taken, &read->items, item_count)) {
        return KZ_SHOGI_KING_SQUARE;
    }
    for (unsigned rook = 0; rook < 2; rook++) {
        if (!read_pair((unsigned)get(words, rook ? KZ_SSPFC_ROOKS_AT : KZ_SSPFC_BISHOPS_AT, KZ_SSPFC_PAIR_BITS),
                       &read->pairs[rook])) {
            return KZ_SHOGI_UNKNOWN;
        }
        for (unsigned i = 0; i < 2; i++) {
            unsigned index = read->pairs[rook].index[i];
            if (!place(index, taken, &read->items, item_count)) {
                return KZ_SHOGI_UNKNOWN;
            }
            if (index < KZ_SHOGI_SQUARES) {
                read->big = or81(read->big, single81(index));
            }
        }
    }
    return KZ_SHOGI_FINE;
}

static kz_shogi_defect read_squares(const uint64_t words[4], squares_read *read) {
    *read = (squares_read){.items = {words[0], get(words, 64, KZ_SSPFC_OCCUPIED_BITS - 64)}};
    unsigned item_count = KZ_SSPFC_OCCUPIED_BITS;
    bits81 taken = {0, 0};
    kz_shogi_defect defect = read_taken(words, read, &taken, &item_count);
    if (defect != KZ_SHOGI_FINE) {
        return defect;
    }
    read->small = count81(read->items);
    read->side = read->small > KZ_SSPFC_MOST_SMALL;
    if (read->side) {
        read->items = invert81(read->items, item_count);
        read->small = item_count - read->small;
        if (read->small > KZ_SSPFC_MOST_SMALL) {
            return KZ_SHOGI_OVERFULL;
        }
    }
    for (bits81 left = taken; left.low | left.high; left = without_lowest81(left)) {
        read->items = insert81(read->items, lowest81(left));
    }
    return KZ_SHOGI_FINE;
}

/* The lists of a record, and how many pieces of each kind are on the board. `kind0_tail` is what kind0 says about those
 * that are not. */
static kz_shogi_defect read_lists(const uint64_t words[4], const squares_read *read, lists *of, uint64_t *kind0_tail,
                                  unsigned on_board[KZ_SHOGI_HAND_KINDS]) {
    uint64_t kind0 = get(words, KZ_SSPFC_KIND0_AT, KZ_SSPFC_KIND0_BITS);
    const unsigned big[2] = {read->pairs[0].on_board, read->pairs[1].on_board};
    *kind0_tail = kind0 >> read->small;
    *of = (lists){.colour = get(words, KZ_SSPFC_COLOUR_AT, KZ_SSPFC_COLOUR_BITS),
                  .promoted = get(words, KZ_SSPFC_PROMOTED_AT, KZ_SSPFC_PROMOTED_BITS),
                  .kind0 = kind0 & ones(read->small),
                  .kind1 = get(words, KZ_SSPFC_KIND1_AT, KZ_SSPFC_KIND12_BITS),
                  .kind2 = get(words, KZ_SSPFC_KIND2_AT, KZ_SSPFC_KIND12_BITS),
                  .pieces = read->small + big[0] + big[1],
                  .small = read->small};
    of->others = kz_popcount64(of->kind0);
    if (of->others > KZ_SSPFC_KIND12_BITS) {
        return KZ_SHOGI_OVERFULL;
    }
    if ((of->kind1 | of->kind2) >> of->others) {
        return KZ_SHOGI_PADDING;
    }
    count_kinds(of, big, on_board);
    for (unsigned kind = 0; kind < SMALL_KINDS; kind++) {
        if (on_board[kind] > full_set[kind]) {
            return KZ_SHOGI_OVERFULL;
        }
    }
    of->promotable = of->pieces - on_board[KZ_SHOGI_GOLD];
    return of->promoted >> of->promotable ? KZ_SHOGI_PADDING : KZ_SHOGI_FINE;
}

/* What is not on the board. Small ones may be in hand or removed in any order; of a pair, the hands come first. */
static kz_shogi_defect read_hands(const squares_read *read, const lists *of, uint64_t kind0_tail,
                                  const unsigned on_board[KZ_SHOGI_HAND_KINDS], kz_shogi_position *position) {
    uint64_t colour_tail = of->colour >> of->pieces;
    for (unsigned kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        unsigned off_board = full_set[kind] - on_board[kind];
        uint64_t white = colour_tail & ones(off_board), removed;
        colour_tail >>= off_board;
        if (kind < SMALL_KINDS) {
            removed = kind0_tail & ones(off_board);
            kind0_tail >>= off_board;
        } else {
            removed = ones(off_board) ^ ones(read->pairs[kind - SMALL_KINDS].in_hand);
        }
        if (white & removed) {
            return KZ_SHOGI_UNKNOWN;
        }
        unsigned whites = kz_popcount64(white);
        position->hand[KZ_SHOGI_WHITE][kind] = (uint8_t)whites;
        position->hand[KZ_SHOGI_BLACK][kind] = (uint8_t)(off_board - kz_popcount64(removed) - whites);
    }
    return KZ_SHOGI_FINE;
}

static void fill_board(const squares_read *read, const lists *of, kz_shogi_position *position) {
    for (unsigned i = 0; i < 2; i++) {
        if (read->king[i] < KZ_SHOGI_SQUARES) {
            position->board[read->king[i]] = (uint8_t)(KZ_SHOGI_CODE_KING | (i ? KZ_SHOGI_WHITES : 0));
        }
        for (unsigned j = 0; j < read->pairs[i].on_board; j++) {
            position->board[read->pairs[i].index[j]] = i ? KZ_SHOGI_CODE_ROOK : KZ_SHOGI_CODE_BISHOP;
        }
    }
    uint64_t colour = of->colour, promoted = of->promoted, kind0 = of->kind0, kind1 = of->kind1, kind2 = of->kind2;
    bits81 pieces = or81(read->items, read->big);
    for (unsigned half = 0; half < 2; half++) {
        uint8_t *board = position->board + 64 * half;
        for (uint64_t left = half ? pieces.high : pieces.low; left; left &= left - 1) {
            uint8_t *square = &board[kz_lowest_bit64(left)];
            uint64_t code = *square;
            if (code == KZ_SHOGI_EMPTY) {
                uint64_t other = kind0 & 1;
                code = KZ_SHOGI_CODE_PAWN | other | (kind1 & other) << 1 | (kind2 & other) << 2;
                kind0 >>= 1;
                kind1 >>= other;
                kind2 >>= other;
            }
            uint64_t is_gold = code == KZ_SHOGI_CODE_GOLD;
            code |= (colour & 1) << 6 | (promoted & ~is_gold & 1) << 5;
            colour >>= 1;
            promoted >>= is_gold ^ 1;
            *square = (uint8_t)code;
        }
    }
}

static kz_shogi_defect unpack(const uint8_t *record, kz_shogi_position *position) {
    uint64_t words[4];
    squares_read read;
    lists of;
    uint64_t kind0_tail;
    unsigned on_board[KZ_SHOGI_HAND_KINDS];
    for (unsigned i = 0; i < 4; i++) {
        words[i] = kz_load_le64(record + 8 * i);
    }
    kz_shogi_defect defect = read_squares(words, &read);
    if (defect == KZ_SHOGI_FINE) {
        defect = read_lists(words, &read, &of, &kind0_tail, on_board);
    }
    if (defect == KZ_SHOGI_FINE) {
        *position = (kz_shogi_position){.side = (uint8_t)read.side};
        defect = read_hands(&read, &of, kind0_tail, on_board, position);
    }
    if (defect == KZ_SHOGI_FINE) {
        fill_board(&read, &of, position);
    }
    return defect;
}

static size_t pack_many(const kz_shogi_position *positions, size_t count, uint8_t *records, size_t stride,
                        kz_shogi_defect *defect) {
    size_t done = 0;
    *defect = KZ_SHOGI_FINE;
    while (done < count && (*defect = pack(&positions[done], records + done * stride)) == KZ_SHOGI_FINE) {
        done++;
    }
    return done;
}

static size_t unpack_many(const uint8_t *records, size_t stride, size_t count, kz_shogi_position *positions,
                          kz_shogi_defect *defect) {
    size_t done = 0;
    *defect = KZ_SHOGI_FINE;
    while (done < count && (*defect = unpack(records + done * stride, &positions[done])) == KZ_SHOGI_FINE) {
        done++;
    }
    return done;
}

const kz_shogi_codec kz_shogi_sspfc_plain = {KZ_SHOGI_SSPFC, "sspfc", "plain", pack, unpack, pack_many, unpack_many};

/* ---- Spare bits ------------------------------------------------------------------------------------------------- */

unsigned kz_shogi_sspfc_spare(const uint8_t *record) { return record[KZ_SSPFC_SPARE_AT / 8] >> KZ_SSPFC_SPARE_AT % 8; }

void kz_shogi_sspfc_set_spare(uint8_t *record, unsigned spare) {
    uint8_t kept = record[KZ_SSPFC_SPARE_AT / 8] & (uint8_t)ones(KZ_SSPFC_SPARE_AT % 8);
    record[KZ_SSPFC_SPARE_AT / 8] =
        (uint8_t)(kept | (spare & (unsigned)ones(KZ_SSPFC_SPARE_BITS)) << KZ_SSPFC_SPARE_AT % 8);
}
