/* SPDX-License-Identifier: MIT
 *
 * The small distances of a retrograde analysis, run by run instead of position by position.
 *
 * A run (space.h) is all positions that differ in the chicks only. Here its positions are the bits of a *strip*, one
 * for each state of the chicks, whether it fits on the board or not. A move of a lion, an elephant or a giraffe leaves
 * the chicks alone, so it leads from all positions of a run to those of one other run, and what 1,155 positions learn
 * from it is one OR of two strips. A move of a chick leads to another bit of one strip. So a sweep
 *
 *     for each run:  acc = OR of the strips of all runs that moves lead to
 *
 * tells at once which positions have a move to a position with some property:
 *
 *     losses in n    open positions that have no move to an open position
 *     wins in n      open positions that have a move to a position lost in n - 1
 *
 * (What has a move to an older loss is won already, so for losses only open positions matter, and for wins only the
 * newest losses.)
 *
 * Moves of chicks take longer than all others together if they are worked out for whole strips without vectors. Then,
 * when only a few positions of a strip depend on them, these are asked one by one (strips_sparse.c).
 *
 * A sweep costs nearly the same however few positions it decides. So it pays for small distances, which decide many;
 * the rest is left to the kernels of retro.h.
 *
 * Strips are seen by the side to move, and mirror images are folded. A run that a move leads to is seen by the other
 * side, and may be stored as its mirror image. Strips of the first kind and of the second are added up separately, and
 * turned and mirrored once in the end. Bits of states that don't fit are never set, and moves that lead out of the
 * solved zone lose at once: both can be left out. By the official rules only. */
#ifndef KZ_DOBUTSU_STRIPS_H
#define KZ_DOBUTSU_STRIPS_H

#include "base/cpu.h"
#include "games/dobutsu/solve/retro.h"

enum {
    KZ_DOBUTSU_PAIR_WORDS = 66,
    KZ_DOBUTSU_NO_WORD = 128,
    KZ_DOBUTSU_STRIP_VECTORS = 5,
    KZ_DOBUTSU_VECTOR_BYTES = 32,
    KZ_DOBUTSU_VECTOR_WORDS = 16
};

/* Sixteen words at a time; compilers make of it what the processor has. */
typedef uint16_t kz_dobutsu_vector __attribute__((vector_size(KZ_DOBUTSU_VECTOR_BYTES), may_alias));

typedef uint16_t kz_dobutsu_lanes[KZ_DOBUTSU_VECTOR_WORDS] __attribute__((aligned(KZ_DOBUTSU_VECTOR_BYTES)));

/* A bit for each state of the chicks, in the order of the states (pairs.h). */
typedef union kz_dobutsu_strip {
    struct {
        uint16_t pairs[KZ_DOBUTSU_PAIR_WORDS]; /* squares a < b: bit 4 * mark of a + mark of b */
        uint8_t singles[KZ_DOBUTSU_SQUARES];   /* one on the board: bit 2 * mark + hand of the other */
        uint8_t hands;                         /* none on the board: bit of how many the opponent holds */
    } of;
    kz_dobutsu_vector vectors[KZ_DOBUTSU_STRIP_VECTORS];
} kz_dobutsu_strip;

/* Where a move leads: a run, and what it means for the chicks. As a word: the run's number, then these bits. */
enum {
    KZ_DOBUTSU_TARGET_RUN = (1 << 20) - 1,
    KZ_DOBUTSU_TARGET_MIRRORED = 1 << 20, /* the run holds the mirror image */
    KZ_DOBUTSU_TARGET_SQUARE_SHIFT = 21,  /* a square, as the run sees it */
    KZ_DOBUTSU_TARGET_NO_SQUARE = 15,
    KZ_DOBUTSU_TARGET_KIND_SHIFT = 25,
    KZ_DOBUTSU_TARGETS_MOST = 64, /* of a run */
    KZ_DOBUTSU_TARGETS_A_RUN = 32 /* on average there are fewer */
};

enum {
    KZ_DOBUTSU_PIECE_MOVES,   /* another piece moves; on the square, if there is one, it may capture a chick */
    KZ_DOBUTSU_CHICK_MOVES,   /* all moves of chicks that capture nothing or a chick */
    KZ_DOBUTSU_CHICK_CAPTURES /* a chick captures a piece on the square */
};

static inline bool kz_dobutsu_is_mirrored(uint32_t target) { return target & KZ_DOBUTSU_TARGET_MIRRORED; }

/* As the run sees it; KZ_DOBUTSU_TARGET_NO_SQUARE: none. */
static inline unsigned kz_dobutsu_target_square(uint32_t target) {
    return target >> KZ_DOBUTSU_TARGET_SQUARE_SHIFT & 15;
}

static inline unsigned kz_dobutsu_target_kind(uint32_t target) { return target >> KZ_DOBUTSU_TARGET_KIND_SHIFT; }

/* A strip as the other side sees it, or the mirror image of that. */
typedef struct kz_dobutsu_turn {
    kz_dobutsu_strip swaps;                       /* all bits of the words whose squares change their order */
    uint16_t from[KZ_DOBUTSU_PAIR_WORDS];         /* for each word the one that it comes from */
    uint8_t single_from[KZ_DOBUTSU_VECTOR_WORDS]; /* for each square the one that it comes from */
    /* The same for the words of twelve squares, as bytes of two halves: of the lower half those that come from the
     * lower and from the higher half, and of the higher half those from the lower one (none come from the higher). */
    _Alignas(16) uint8_t lanes_from[3][KZ_DOBUTSU_VECTOR_WORDS];
} kz_dobutsu_turn;

/* Tables of the moves of chicks, and of turning strips. Squares are as the side sees them that moves next, so the
 * chicks that move are the enemy's and go down the board. */
typedef struct kz_dobutsu_strip_tables {
    kz_dobutsu_lanes chick_arrives;                   /* by square: the bit of a single chick that has moved there */
    kz_dobutsu_lanes chick_lanes[KZ_DOBUTSU_SQUARES]; /* all bits of the square that a chick goes to */
    kz_dobutsu_lanes hen_lanes[KZ_DOBUTSU_SQUARES];   /* the same of a hen */
    kz_dobutsu_lanes lanes_below[KZ_DOBUTSU_SQUARES + 1];
    uint16_t hen_from[KZ_DOBUTSU_SQUARES]; /* the squares that a hen goes to from a square */
    uint16_t hen_to[KZ_DOBUTSU_SQUARES];   /* and those that it comes from */
    /* For [x][y] the word of these squares if x < y [0], x > y [1]; else KZ_DOBUTSU_NO_WORD. After the squares of [0]
     * the single on x, as if it were a word after those of the pairs. */
    uint16_t side_from[2][KZ_DOBUTSU_SQUARES][KZ_DOBUTSU_VECTOR_WORDS];
    /* The other way round: from words that are counted side by side, four sides of sixteen each time, to those of pairs
     * x < y from side x [0] and from side y [1]. 32 words each: of the pairs, and last of the last pairs and the
     * singles.
     */
    uint16_t join_from[2][3][3][2 * KZ_DOBUTSU_VECTOR_WORDS];
    kz_dobutsu_lanes lane_images[2];                           /* each square by itself; mirrored */
    uint8_t pair_word[KZ_DOBUTSU_SQUARES][KZ_DOBUTSU_SQUARES]; /* the word of two squares, in either order */
    uint8_t word_squares[KZ_DOBUTSU_PAIR_WORDS][2];            /* of each word, times 4 */
    kz_dobutsu_turn turns[2];                  /* to the other side's view; of strips that are mirrored besides */
    uint64_t bytes_of[256];                    /* 255 for each bit */
    uint64_t fitting[1 << KZ_DOBUTSU_SQUARES]; /* by taken squares: which of the first 64 words fit around them */
} kz_dobutsu_strip_tables;

/* A move of a chick, or the capture of one, for the chicks alone. */
typedef struct kz_dobutsu_chick_move {
    uint16_t after[2]; /* the state that the other side sees then; its mirror image */
    uint8_t square;    /* that a piece goes to, as the mover sees it */
    uint8_t captures;  /* a chick moves: it may capture a piece there, too */
} kz_dobutsu_chick_move;

/* By the state before them. Of each state moves of chicks come first, then captures of chicks by other pieces. */
typedef struct kz_dobutsu_chick_moves {
    uint32_t first[KZ_DOBUTSU_CHICK_STATES + 1];
    uint32_t taken[KZ_DOBUTSU_CHICK_STATES]; /* where the captures of chicks begin */
    kz_dobutsu_chick_move *moves;
} kz_dobutsu_chick_moves;

typedef struct kz_dobutsu_strips kz_dobutsu_strips;

/* A union of strips of a plane, as the side to move in a run sees it. The targets are the run's, or some of them in the
 * same order. */
typedef void kz_dobutsu_gather(const kz_dobutsu_strips *strips, const uint32_t *targets, unsigned count,
                               const kz_dobutsu_strip *plane, kz_dobutsu_strip *result);

struct kz_dobutsu_strips {
    kz_dobutsu_retro *retro;
    kz_cpu cpu;
    kz_dobutsu_gather *gather; /* NULL: the plain ways, one after the other */
    uint32_t count;            /* of runs */
    kz_dobutsu_strip_tables tables;
    uint32_t *strip_of;     /* [lion class][elephants][giraffes]: the number of the run */
    uint32_t *first_target; /* [count]: where a run's targets begin */
    uint8_t *target_count;  /* [count] */
    uint32_t *targets;      /* [count * KZ_DOBUTSU_TARGETS_A_RUN], in the order in which threads listed them */
    _Atomic uint32_t targets_used;
    uint16_t (*moved[2])[KZ_DOBUTSU_SQUARES + 1][KZ_DOBUTSU_SQUARES]; /* elephants, giraffes: [state][from][to] */
    uint16_t (*captured)[KZ_DOBUTSU_SQUARES]; /* [state][square]: with the enemy's piece there in the own hand */
    kz_dobutsu_chick_moves chick_moves;
    kz_dobutsu_strip *open; /* [count]; after a sweep for losses what it has found is still there */
    kz_dobutsu_strip *lost; /* [count]: what the last sweep for losses has found, where it has */
    uint8_t *live;          /* [count]: some positions are open */
    uint8_t *new_losses;    /* [count]: the last sweep for losses found some */
    uint8_t *new_wins;      /* [count]: the same of wins */
};

/* NULL: no memory. `retro` must have done `start` and `propagate(0)`. */
kz_dobutsu_strips *kz_dobutsu_strips_new(kz_dobutsu_retro *retro);
void kz_dobutsu_strips_free(kz_dobutsu_strips *strips);

/* Lists the runs that moves of a run lead to. */
void kz_dobutsu_strips_list_targets(kz_dobutsu_strips *strips, uint32_t run);
/* Lists the targets of slices [begin, end), and fills their strips from the cells. */
void kz_dobutsu_strips_fill(kz_dobutsu_strips *strips, uint64_t begin, uint64_t end);
/* Decides what is lost (even n) or won (odd n) in n plies, for slices [begin, end), from 2 on. Returns how many
 * positions that are. */
uint64_t kz_dobutsu_strips_sweep(kz_dobutsu_strips *strips, int n, uint64_t begin, uint64_t end);

/* First what moves of lions, elephants and giraffes lead to that capture no chick. */
kz_dobutsu_gather kz_dobutsu_gather_pieces_plain;
/* Then all the rest: it is added to the result. */
kz_dobutsu_gather kz_dobutsu_gather_chicks_plain;

/* Both at once. */
kz_dobutsu_gather kz_dobutsu_gather_avx2;
kz_dobutsu_gather kz_dobutsu_gather_avx512;

/* The same for few positions. Takes those states out of `states` for which the rest leads to something in the plane; or
 * returns false, and leaves them as they are, if there are too many to ask one by one. */
bool kz_dobutsu_drop_led_by_chicks(const kz_dobutsu_strips *strips, const uint32_t *targets, unsigned count,
                                   const kz_dobutsu_strip *plane, kz_dobutsu_strip *states);
/* Adds what the rest leads to; or returns false if there is too much in the plane to go through one by one. */
bool kz_dobutsu_gather_few_chicks(const kz_dobutsu_strips *strips, const uint32_t *targets, unsigned count,
                                  const kz_dobutsu_strip *plane, kz_dobutsu_strip *result);

/* Cells of positions that are decided wait until they have come from memory. */
typedef struct kz_dobutsu_waiting {
    unsigned count;                    /* of octets: eight cells that follow each other */
    uint32_t index[KZ_DOBUTSU_OCTETS]; /* the first of them */
    uint8_t bits[KZ_DOBUTSU_OCTETS];   /* which of them */
    /* Or with VBMI2 instead: a run's cells from the first one on. */
    unsigned size; /* in bytes of eight bits */
    uint32_t base;
    uint8_t cells[sizeof(kz_dobutsu_strip) + 64];
} kz_dobutsu_waiting;

/* Lets the cells of a run wait that is not folded, for the states of a strip that fit into it. */
void kz_dobutsu_list_cells_vbmi2(const kz_dobutsu_strips *strips, const kz_dobutsu_run *run, unsigned taken,
                                 const kz_dobutsu_strip *found, kz_dobutsu_waiting *waiting);
/* Writes the distance into all that wait. Returns how many these are. */
uint64_t kz_dobutsu_write_cells_vbmi2(const kz_dobutsu_strips *strips, kz_dobutsu_waiting *waiting, int n);

/* False: no memory. Free in any case. */
bool kz_dobutsu_chick_moves_fill(kz_dobutsu_chick_moves *moves, const kz_dobutsu_space *space,
                                 const kz_dobutsu_unmoves *unmoves);
void kz_dobutsu_chick_moves_free(kz_dobutsu_chick_moves *moves);

/* A strip as a bit for each state, state 0 the lowest of the first word. */
enum { KZ_DOBUTSU_STATE_WORDS = sizeof(kz_dobutsu_strip) / sizeof(uint64_t) };

void kz_dobutsu_strip_words(const kz_dobutsu_strip *strip, uint64_t words[KZ_DOBUTSU_STATE_WORDS]);

/* A square, as the other side sees it. */
static inline int kz_dobutsu_flip_square(int square) { return KZ_DOBUTSU_SQUARES - 1 - square; }

#endif
