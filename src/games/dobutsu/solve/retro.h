/* SPDX-License-Identifier: MIT
 *
 * Retrograde analysis of Dobutsu Shogi: the kernels. solve/retrograde.c runs them, in order and on all threads.
 *
 * Each position of the index has a cell, one byte:
 *
 *     0 .. 190     decided: the distance
 *     191          won in 1 by leaving the opponent no move, which the rules alone do not tell
 *     192 + k      open: k of its moves have not been refuted yet
 *
 * By the official rules a win takes an odd number of plies and a loss an even one, so the distance tells the outcome.
 * By the simplified rules either may be the other way round, which one more bit tells (`odd_ones`).
 *
 * The solve, with n the distance:
 *
 *     start            cells that the rules decide: won in 1, lost in 0; all others are open, with no moves counted
 *     propagate(0)     predecessors of positions lost in 0 are won in 1
 *     count            each move that does not lose at once is taken back from the position that it leads to, and adds
 * 1 to the cell of the position before it settle           an open position with no such move is lost in 2 propagate(n)
 * for n = 2, 3, ...: from the frontier, the positions decided at distance n, moves are taken back. Predecessors of a
 * loss are won in n + 1. Predecessors of a win have one move less; the one that loses its last move is lost in n + 1
 *
 * The same code takes moves back in `count` and in `propagate`. So every move is subtracted as often as it was added,
 * also where two moves lead to the same position or to mirror images. */
#ifndef KZ_DOBUTSU_RETRO_H
#define KZ_DOBUTSU_RETRO_H

#include "game/gamedef.h"
#include "game/outbox.h"
#include "games/dobutsu/index/slice.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
    KZ_DOBUTSU_CELL_OPEN = 192,
    KZ_DOBUTSU_CELL_STALEMATE =
        191,                    /* won in 1 by leaving the opponent no move, which the rules alone don't tell at once */
    KZ_DOBUTSU_CACHE_LINE = 64, /* this many positions share one mark of the frontier */
    /* A shard is a whole number of segments, and a segment a whole number of blocks; a place in it has 16 bits. */
    KZ_DOBUTSU_SEGMENT = 65536 / KZ_BLOCK_POSITIONS * KZ_BLOCK_POSITIONS,
    KZ_DOBUTSU_SEGMENTS = KZ_DOBUTSU_INDEX_SIZE / KZ_DOBUTSU_SEGMENT + 1
};

typedef struct kz_dobutsu_retro {
    kz_dobutsu_space *space;
    kz_dobutsu_unmoves *unmoves;
    int rules;
    int counted_from; /* the distance that is known when moves are counted: 1, or what sweeps have done */
    struct kz_dobutsu_strips *strips; /* while there are sweeps (strips.h) */
    _Atomic uint8_t *cells;
    _Atomic uint64_t *odd_ones;   /* simplified rules only */
    _Atomic uint64_t *open;       /* a word for each cache line, a bit for each position that may be open */
    _Atomic uint8_t *frontier[2]; /* [distance parity] cache lines with positions decided at that distance */
    /* The own shard of the index. Memory that is never touched takes no room, so the arrays are for all of it; but only
     * in `open` something is known about other shards. */
    uint32_t shard_begin;
    uint32_t shard_end;
    int members;
    uint16_t owner[KZ_DOBUTSU_SEGMENTS]; /* who has a segment */
    /* Memory of kernels that no thread has at present. */
    pthread_mutex_t lock;
    pthread_cond_t given_back;
    struct kz_dobutsu_sources *spare;
} kz_dobutsu_retro;

kz_dobutsu_retro *kz_dobutsu_retro_new(int rules);
void kz_dobutsu_retro_free(kz_dobutsu_retro *retro);

/* Divides the index into `members` shards of equal size, and keeps to one of them from now on. Before this call the
 * shard is the whole index. */
void kz_dobutsu_retro_take_shard(kz_dobutsu_retro *retro, int member, int members);
/* The slices that have positions of the own shard; the first and the last may have others, too, which the kernels leave
 * out. */
void kz_dobutsu_retro_slices(const kz_dobutsu_retro *retro, uint64_t *begin, uint64_t *end);

/* Each kernel works on slices [begin, end) of the solved zone. Several threads may run one kernel at the same time, but
 * all must end before the next kernel begins. What a kernel finds about positions of other shards goes to the outbox
 * (NULL: there are none), and reaches kz_dobutsu_retro_receive of their member before the phase ends. */

/* Fills the cells with what the rules alone tell. */
void kz_dobutsu_retro_start(kz_dobutsu_retro *retro, uint64_t begin, uint64_t end);
/* Counts for each open position the moves that don't lose at once. Returns how many positions the rules don't decide.
 */
uint64_t kz_dobutsu_retro_count(kz_dobutsu_retro *retro, kz_outbox *outbox, uint64_t begin, uint64_t end);
/* Decides the open positions that have no such move. */
void kz_dobutsu_retro_settle(kz_dobutsu_retro *retro, uint64_t begin, uint64_t end);
/* From the positions lost (won) in n to those that this decides at n + 1. Returns how many positions it expanded. */
uint64_t kz_dobutsu_retro_propagate(kz_dobutsu_retro *retro, kz_outbox *outbox, bool wins, int n, uint64_t begin,
                                    uint64_t end);
/* Applies updates from other members to positions of the own shard. `step` says what all members are doing. */
void kz_dobutsu_retro_receive(kz_dobutsu_retro *retro, kz_step step, const kz_updates *updates);
/* Which positions are open, by member (kz_solver_ops.hints): members need not send messages about the rest. Between
 * phases. */
void *kz_dobutsu_retro_hints(kz_dobutsu_retro *retro, uint64_t *begins);
/* Clears the frontier of distance n. By one thread, between phases. */
void kz_dobutsu_retro_clear(kz_dobutsu_retro *retro, int n);

/* What a checkpoint holds (retro_state.c): bytes for the positions [begin, end), which begin and end at a cache line or
 * at the end of the index. */
size_t kz_dobutsu_retro_state_bytes(const kz_dobutsu_retro *retro, uint64_t begin, uint64_t end);
void kz_dobutsu_retro_save(const kz_dobutsu_retro *retro, uint64_t begin, uint64_t end, uint8_t *bytes);
/* `n`: the distance that was done. */
void kz_dobutsu_retro_load(kz_dobutsu_retro *retro, int n, uint64_t begin, uint64_t end, const uint8_t *bytes);
/* Writes down in `open` which positions of a cache line are open. */
void kz_dobutsu_retro_mark_open(kz_dobutsu_retro *retro, uint32_t line);

/* The value of a position when the solve is complete. */
kz_value kz_dobutsu_retro_value(const kz_dobutsu_retro *retro, uint64_t index);

#endif
