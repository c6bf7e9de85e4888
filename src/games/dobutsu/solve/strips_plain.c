/* SPDX-License-Identifier: MIT
 *
 * What a sweep over strips (strips.h) spends its time with, for any processor.
 *
 * Moves of chicks are worked out on squares: side[x][y] is the word of a pair as the piece on x comes first, so bit
 * 4 * mark of x + mark of y; each pair is there twice. What the piece on x learns from its moves is then one OR of
 * whole side[x], sixteen words, for each square that it goes to. */
#include "base/bits.h"
#include "games/dobutsu/solve/strips.h"

typedef uint16_t grid[KZ_DOBUTSU_SQUARES][KZ_DOBUTSU_VECTOR_WORDS]
    __attribute__((aligned(2 * KZ_DOBUTSU_VECTOR_BYTES)));

/* What the targets of a run add up to, for those that are mirrored and those that are not. */
typedef struct sums {
    kz_dobutsu_strip strip;
    grid sides; /* the same for chicks that moved or were captured, not yet in `strip` */
    kz_dobutsu_vector captured[KZ_DOBUTSU_SQUARES]; /* by the square of the captured chick: strips' singles and hands */
    unsigned capture_squares;
    bool used;
    bool sided;
} sums;

#define VECTOR(words) (*(kz_dobutsu_vector *)(words))
#define CONSTANT_VECTOR(words) (*(const kz_dobutsu_vector *)(words))

/* Exchanges the two marks in each word of a vector: bits 4 a + b and 4 b + a. */
#define TRANSPOSE(v)                                                                                                   \
    do {                                                                                                               \
        kz_dobutsu_vector near = ((v) ^ (v) >> 3) & 0x0A0A;                                                            \
        (v) ^= near ^ near << 3;                                                                                       \
        kz_dobutsu_vector far = ((v) ^ (v) >> 6) & 0x00CC;                                                             \
        (v) ^= far ^ far << 6;                                                                                         \
    } while (0)

/* The words of a strip with their marks exchanged. */
static inline void transpose_pairs(const kz_dobutsu_strip *strip, kz_dobutsu_strip *transposed) {
    for (int i = 0; i < KZ_DOBUTSU_STRIP_VECTORS; i++) {
        kz_dobutsu_vector v = strip->vectors[i];
        TRANSPOSE(v);
        transposed->vectors[i] = v;
    }
}

static inline void permute_pairs(const kz_dobutsu_turn *turn, const kz_dobutsu_strip *turned, kz_dobutsu_strip *sum) {
    for (int word = 0; word < KZ_DOBUTSU_PAIR_WORDS; word++) {
        sum->of.pairs[word] |= turned->of.pairs[turn->from[word]];
    }
}

static inline void spread_sides(const kz_dobutsu_strip *strip, grid side) {
    kz_dobutsu_strip transposed;
    transpose_pairs(strip, &transposed);
    for (int b = 0, word = 0; b < KZ_DOBUTSU_SQUARES; b++) {
        VECTOR(side[b]) = (kz_dobutsu_vector){0};
        for (int a = 0; a < b; a++, word++) {
            side[a][b] = strip->of.pairs[word];
            side[b][a] = transposed.of.pairs[word];
        }
    }
}

/* Marks of the piece that moves: an enemy's chick is 1, a hen 3. */
enum { CHICK_NIBBLE = 0x00F0, HEN_NIBBLE = 0xF000, PROMOTED_ROW = 3 };

/* Before anything is added to the sides. */
static inline void begin_sides(sums *s) {
    if (!s->sided) {
        memset(s->sides, 0, sizeof s->sides);
        s->sided = true;
    }
}

/* What a single chick on x knows, its bits where those of a pair's marks are, so that it moves as they do. In sums it
 * has a lane of sides[x] after those of the squares. */
enum { SINGLE_LANE = KZ_DOBUTSU_SQUARES };

static inline uint16_t spread_single(unsigned single) {
    return (uint16_t)((single & 0x0C) << 2 | (single & 0xC0) << 6);
}
static inline uint8_t join_single(unsigned word) { return (uint8_t)((word >> 2 & 0x0C) | (word >> 6 & 0xC0)); }

/* Adds what is in the sides to the strip. */
static inline void join_sides(sums *s) {
    grid transposed;
    for (int x = 0; x < KZ_DOBUTSU_SQUARES; x++) {
        kz_dobutsu_vector v = CONSTANT_VECTOR(s->sides[x]);
        TRANSPOSE(v);
        VECTOR(transposed[x]) = v;
    }
    for (int b = 0, word = 0; b < KZ_DOBUTSU_SQUARES; b++) {
        for (int a = 0; a < b; a++, word++) {
            s->strip.of.pairs[word] |= (uint16_t)(s->sides[a][b] | transposed[b][a]);
        }
        s->strip.of.singles[b] |= join_single(s->sides[b][SINGLE_LANE]);
    }
}

/* The bytes that begin with a strip's singles, as words. */
static inline void widen_singles(const uint8_t *singles, kz_dobutsu_vector *words) {
    typedef uint8_t bytes __attribute__((vector_size(KZ_DOBUTSU_VECTOR_WORDS)));
    bytes narrow;
    memcpy(&narrow, singles, sizeof narrow);
    *words = __builtin_convertvector(narrow, kz_dobutsu_vector);
}

/* A chick, dropped or on the board, moves without a capture or captures a chick. */
static inline void move_chicks(const kz_dobutsu_strip_tables *tables, const kz_dobutsu_strip *from, sums *s) {
    grid side;
    begin_sides(s);
    spread_sides(from, side);
    const uint8_t *singles = from->of.singles;
    kz_dobutsu_vector dropped = {0};
    kz_dobutsu_vector words;
    widen_singles(singles, &words);
    /* A chick that is captured, a chick or a hen of the other side, goes to the hand; by a chick: */
    kz_dobutsu_vector by_chick = (kz_dobutsu_vector)((words & CONSTANT_VECTOR(tables->chick_arrives)) != 0) & 0x0050;
    /* Singles move in the same way. */
    kz_dobutsu_vector spread = (words & 0x0C) << 2 | (words & 0xC0) << 6;
    uint16_t alone[KZ_DOBUTSU_VECTOR_WORDS] __attribute__((aligned(KZ_DOBUTSU_VECTOR_BYTES)));
    VECTOR(alone) = spread;
    kz_dobutsu_vector by_hen = (kz_dobutsu_vector)((words & 0x80) != 0) & 0x5000;
    for (int x = 0; x < KZ_DOBUTSU_SQUARES; x++) {
        kz_dobutsu_vector hens = {0};
        unsigned single = 0;
        for (unsigned to = tables->hen_from[x]; to; to &= to - 1) {
            unsigned square = kz_lowest_bit32(to);
            hens |= CONSTANT_VECTOR(side[square]);
            single |= alone[square];
        }
        single &= HEN_NIBBLE;
        hens = (hens & HEN_NIBBLE) | (by_hen & CONSTANT_VECTOR(tables->hen_lanes[x]));
        if (x >= PROMOTED_ROW) {
            kz_dobutsu_vector chicks = CONSTANT_VECTOR(side[x - PROMOTED_ROW]);
            unsigned shift = x < 2 * PROMOTED_ROW ? 8 : 0;
            chicks >>= shift;
            single |= alone[x - PROMOTED_ROW] >> shift & CHICK_NIBBLE;
            hens |= (chicks & CHICK_NIBBLE) | (by_chick & CONSTANT_VECTOR(tables->chick_lanes[x]));
        }
        VECTOR(s->sides[x]) |= hens;
        s->strip.of.singles[x] |= join_single(single);
        dropped |= CONSTANT_VECTOR(side[x]);
    }
    dropped = (dropped >> 3 & 0x02) | (dropped >> 2 & 0x08) | (dropped >> 1 & 0x20) | (dropped & 0x80);
    uint16_t marks[KZ_DOBUTSU_VECTOR_WORDS] __attribute__((aligned(KZ_DOBUTSU_VECTOR_BYTES)));
    VECTOR(marks) = dropped;
    unsigned any_single = 0;
    for (int b = 0; b < KZ_DOBUTSU_SQUARES; b++) {
        s->strip.of.singles[b] |= (uint8_t)marks[b];
        any_single |= singles[b];
    }
    s->strip.of.hands |= (uint8_t)(any_single >> 1 & 6);
}

/* A chick captures an elephant or a giraffe on a square. */
static inline void capture_with_chicks(const kz_dobutsu_strip_tables *tables, const kz_dobutsu_strip *from,
                                       unsigned square, sums *s) {
    uint16_t side[KZ_DOBUTSU_VECTOR_WORDS] __attribute__((aligned(KZ_DOBUTSU_VECTOR_BYTES))) = {0};
    bool promotes = square < PROMOTED_ROW;
    begin_sides(s);
    for (unsigned y = 0; y < KZ_DOBUTSU_SQUARES; y++) {
        side[y] = y == square ? 0 : from->of.pairs[tables->pair_word[square][y]];
    }
    kz_dobutsu_vector straight = CONSTANT_VECTOR(side);
    kz_dobutsu_vector swapped = straight;
    TRANSPOSE(swapped);
    kz_dobutsu_vector below = CONSTANT_VECTOR(tables->lanes_below[square]);
    straight = (swapped & below) | (straight & ~below);
    straight[SINGLE_LANE] = spread_single(from->of.singles[square]);
    kz_dobutsu_vector chicks = (promotes ? straight >> 8 : straight) & CHICK_NIBBLE;
    straight &= HEN_NIBBLE;
    for (unsigned hens = tables->hen_to[square]; hens; hens &= hens - 1) {
        VECTOR(s->sides[kz_lowest_bit32(hens)]) |= straight;
    }
    if (square + PROMOTED_ROW < KZ_DOBUTSU_SQUARES) {
        VECTOR(s->sides[square + PROMOTED_ROW]) |= chicks;
    }
}

/* Another piece has captured an own chick or hen on some squares: it is in the opponent's hand then. */
static inline void return_captured(const kz_dobutsu_strip_tables *tables, sums *s) {
    if (s->capture_squares) {
        begin_sides(s);
    }
    for (unsigned squares = s->capture_squares; squares; squares &= squares - 1) {
        unsigned x = kz_lowest_bit32(squares);
        uint8_t bytes[KZ_DOBUTSU_VECTOR_BYTES];
        memcpy(bytes, &s->captured[x], sizeof bytes);
        unsigned hands = bytes[16]; /* of the last vector of a strip; the singles come before it */
        kz_dobutsu_vector v;
        widen_singles(bytes + 4, &v);
        v &= CONSTANT_VECTOR(tables->lanes_below[KZ_DOBUTSU_SQUARES]);
        kz_dobutsu_vector marks = (v >> 1 & 1) | (v >> 2 & 2) | (v >> 3 & 4) | (v >> 4 & 8);
        VECTOR(s->sides[x]) |= marks | marks << 8;
        s->strip.of.singles[x] |= (uint8_t)((hands >> 1 & 3) * 0x11);
    }
}

/* Adds a strip to another one as the other side sees it. */
static inline void add_turned(const kz_dobutsu_turn *turn, const kz_dobutsu_strip *strip, kz_dobutsu_strip *sum) {
    kz_dobutsu_strip turned;
    for (int i = 0; i < KZ_DOBUTSU_STRIP_VECTORS; i++) {
        kz_dobutsu_vector v = strip->vectors[i];
        TRANSPOSE(v);
        v = (v & turn->swaps.vectors[i]) | (strip->vectors[i] & ~turn->swaps.vectors[i]);
        v = (v >> 1 & 0x5555) | (v & 0x5555) << 1; /* each mark's lowest bit is the owner */
        v = (v >> 4 & 0x0F0F) | (v & 0x0F0F) << 4;
        turned.vectors[i] = v;
    }
    permute_pairs(turn, &turned, sum);
    kz_dobutsu_vector singles = strip->vectors[KZ_DOBUTSU_STRIP_VECTORS - 1]; /* owner and hand change */
    singles = (singles >> 1 & 0x5555) | (singles & 0x5555) << 1;
    singles = (singles >> 2 & 0x3333) | (singles & 0x3333) << 2;
    turned.vectors[KZ_DOBUTSU_STRIP_VECTORS - 1] = singles;
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        sum->of.singles[square] |= turned.of.singles[turn->single_from[square]];
    }
    unsigned hands = strip->of.hands;
    sum->of.hands |= (uint8_t)(hands >> 2 | (hands & 2) | (hands & 1) << 2);
}

static inline void begin_sums(sums *s) {
    s->strip = (kz_dobutsu_strip){.vectors = {{0}}};
    s->capture_squares = 0;
    s->used = s->sided = false;
}

/* Adds the strips of the sums to the result, seen by the side to move. */
static inline void turn_sums(const kz_dobutsu_strip_tables *tables, const sums both[2], kz_dobutsu_strip *result) {
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        if (both[mirrored].used) {
            add_turned(&tables->turns[mirrored], &both[mirrored].strip, result);
        }
    }
}

void kz_dobutsu_gather_pieces_plain(const kz_dobutsu_strips *strips, const uint32_t *targets, unsigned count,
                                    const kz_dobutsu_strip *plane, kz_dobutsu_strip *result) {
    const kz_dobutsu_strip_tables *tables = &strips->tables;
    kz_dobutsu_strip both[2] = {{.vectors = {{0}}}, {.vectors = {{0}}}};
    bool used[2] = {false, false};
    *result = both[0];
    for (unsigned i = 0; i < count && kz_dobutsu_target_kind(targets[i]) == KZ_DOBUTSU_PIECE_MOVES; i++) {
        const kz_dobutsu_strip *from = &plane[targets[i] & KZ_DOBUTSU_TARGET_RUN];
        kz_dobutsu_strip *sum = &both[kz_dobutsu_is_mirrored(targets[i])];
        used[kz_dobutsu_is_mirrored(targets[i])] = true;
        for (int k = 0; k < KZ_DOBUTSU_STRIP_VECTORS; k++) {
            sum->vectors[k] |= from->vectors[k];
        }
    }
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        if (used[mirrored]) {
            add_turned(&tables->turns[mirrored], &both[mirrored], result);
        }
    }
}

void kz_dobutsu_gather_chicks_plain(const kz_dobutsu_strips *strips, const uint32_t *targets, unsigned count,
                                    const kz_dobutsu_strip *plane, kz_dobutsu_strip *result) {
    const kz_dobutsu_strip_tables *tables = &strips->tables;
    sums both[2];
    begin_sums(&both[0]);
    begin_sums(&both[1]);
    for (unsigned i = 0; i < count; i++) {
        const kz_dobutsu_strip *from = &plane[targets[i] & KZ_DOBUTSU_TARGET_RUN];
        sums *s = &both[kz_dobutsu_is_mirrored(targets[i])];
        unsigned square = kz_dobutsu_target_square(targets[i]);
        if (kz_dobutsu_target_kind(targets[i]) == KZ_DOBUTSU_CHICK_MOVES) {
            move_chicks(tables, from, s);
        } else if (kz_dobutsu_target_kind(targets[i]) == KZ_DOBUTSU_CHICK_CAPTURES) {
            capture_with_chicks(tables, from, square, s);
        } else if (square != KZ_DOBUTSU_TARGET_NO_SQUARE) {
            if (!(s->capture_squares >> square & 1)) {
                s->captured[square] = (kz_dobutsu_vector){0};
            }
            s->captured[square] |= from->vectors[KZ_DOBUTSU_STRIP_VECTORS - 1];
            s->capture_squares |= 1U << square;
        } else {
            continue;
        }
        s->used = true;
    }
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        return_captured(tables, &both[mirrored]);
        if (both[mirrored].sided) {
            join_sides(&both[mirrored]);
        }
    }
    turn_sums(tables, both, result);
}
