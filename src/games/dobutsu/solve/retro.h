/* SPDX-License-Identifier: MIT
 *
 * Retrograde analysis of Dobutsu Shogi: the kernels. solve.c has the order in which they are called.
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
 * What the kernels do, with n the distance:
 *
 *     start            cells that the rules decide: won in 1, lost in 0; all others are open, with no moves counted
 *     propagate n      from the frontier, the positions decided at distance n, moves are taken back. Predecessors of
 *                      a loss are won in n + 1. Predecessors of a win have one move less; the one that loses its last
 *                      move is lost in n + 1
 *     count            each move that does not lose at once is taken back from the position that it leads to, and adds
 *                      1 to the cell of the position before it
 *     settle           an open position with no such move is lost in the distance after those that are known
 *
 * The same code takes moves back in `count` and in `propagate`. So every move is subtracted as often as it was added,
 * also where two moves lead to the same position or to mirror images. */
#ifndef KZ_DOBUTSU_RETRO_H
#define KZ_DOBUTSU_RETRO_H

#include "game/gamedef.h"
#include "games/dobutsu/index/slice.h"
#include "games/dobutsu/table/plan.h"
#include "solve/team/mail.h"
#include "table/writer.h"

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

/* The positions of one run from which moves are taken back. */
typedef struct kz_dobutsu_part {
    unsigned giraffes;
    unsigned giraffe_squares;
    unsigned first;   /* where its positions are in sources.chicks */
    unsigned holding; /* how many of them have a chick in the own hand to give back; these come first */
    unsigned count;
} kz_dobutsu_part;

/* Those of a whole slice, half a megabyte. A position is its part and the state of its chicks. */
typedef struct kz_dobutsu_sources {
    unsigned parts;
    unsigned count;
    kz_dobutsu_part part[KZ_DOBUTSU_PLAIN_STATES];
    uint16_t chicks[2][KZ_DOBUTSU_SLICE_POSITIONS]; /* plain and mirrored */
} kz_dobutsu_sources;

typedef struct kz_dobutsu_retro {
    kz_dobutsu_space *space;
    kz_dobutsu_unmoves *unmoves;
    int rules;
    int counted_from; /* the distance that is known when moves are counted: 1, or what sweeps have done */
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
    kz_dobutsu_sources *sources;         /* a list for each worker */
} kz_dobutsu_retro;

/* `workers`: that run kernels at the same time. */
kz_dobutsu_retro *kz_dobutsu_retro_new(int rules, int workers);
void kz_dobutsu_retro_free(kz_dobutsu_retro *retro);

/* Divides the index into `members` shards of equal size, and keeps to one of them from now on. Before this call the
 * shard is the whole index. */
void kz_dobutsu_retro_take_shard(kz_dobutsu_retro *retro, int member, int members);
/* The slices that have positions of the own shard; the first and the last may have others, too, which the kernels leave
 * out. */
void kz_dobutsu_retro_slices(const kz_dobutsu_retro *retro, uint64_t *begin, uint64_t *end);

/* Each kernel works on slices [begin, end) of the solved zone. Several threads may run one kernel at the same time, but
 * all must end before the next kernel begins. What a kernel finds about positions of other shards goes into the mail
 * (NULL: there are none), and reaches kz_dobutsu_retro_receive of their member before the next kernel begins. */

/* What is done to the cell of a predecessor. */
typedef enum kz_dobutsu_effect {
    KZ_DOBUTSU_COUNT,  /* one more move that may save it */
    KZ_DOBUTSU_REFUTE, /* one less; with none left it is lost in n + 1 */
    KZ_DOBUTSU_WIN     /* it is won in n + 1 */
} kz_dobutsu_effect;

/* Fills the cells with what the rules alone tell. */
void kz_dobutsu_retro_start(kz_dobutsu_retro *retro, uint64_t begin, uint64_t end);
/* Counts for each open position the moves that don't lose at once. Returns how many positions the rules don't decide.
 */
uint64_t kz_dobutsu_retro_count(kz_dobutsu_retro *retro, kz_mail *mail, int worker, uint64_t begin, uint64_t end);
/* Decides the open positions that have no such move. */
void kz_dobutsu_retro_settle(kz_dobutsu_retro *retro, uint64_t begin, uint64_t end);
/* From the positions lost (won) in n to those that this decides at n + 1. Returns how many positions it expanded. */
uint64_t kz_dobutsu_retro_propagate(kz_dobutsu_retro *retro, kz_mail *mail, int worker, bool wins, int n,
                                    uint64_t begin, uint64_t end);
/* Applies updates from other members to positions of the own shard: the effect that all members are having. */
void kz_dobutsu_retro_receive(kz_dobutsu_retro *retro, kz_dobutsu_effect effect, int n, const kz_updates *updates);
/* Which positions are open: members need not send messages about the rest. Brings the own part up to date and returns
 * all of them; member m's part is bytes [begins[m], begins[m + 1]), which the caller copies to the other members
 * (kz_team_gather). Between kernels; `begins` has room for members + 1 offsets. */
void *kz_dobutsu_retro_hints(kz_dobutsu_retro *retro, uint64_t *begins);
/* Clears the frontier of distance n. By one thread, between kernels. */
void kz_dobutsu_retro_clear(kz_dobutsu_retro *retro, int n);

/* What a checkpoint holds, as solve/checkpoint.h wants it: the state of positions [begin, end), which begin and end at
 * a cache line or at the end of the index. */
enum { KZ_DOBUTSU_STATE_BYTES = KZ_DOBUTSU_SEGMENT + KZ_DOBUTSU_SEGMENT / 8 };
size_t kz_dobutsu_retro_save(const void *context, uint64_t begin, uint64_t end, uint8_t *bytes);
bool kz_dobutsu_retro_load(void *context, int n, uint64_t begin, uint64_t end, const uint8_t *bytes, size_t size);

/* ---- When the solve is complete ---------------------------------------------------------------------------------- */

kz_value kz_dobutsu_retro_value(const kz_dobutsu_retro *retro, uint64_t index);
/* Adds the values of positions [begin, end) to the histogram. */
void kz_dobutsu_retro_tally(const kz_dobutsu_retro *retro, uint64_t begin, uint64_t end, kz_histogram *histogram);
/* The entries of the table. */
kz_source kz_dobutsu_retro_source(kz_dobutsu_retro *retro);

#endif
