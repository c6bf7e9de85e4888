/* SPDX-License-Identifier: MIT
 *
 * Retrograde analysis of Dobutsu Shogi, block by block: the kernels. Threads and the order of the phases are the
 * business of solve/retrograde.c.
 *
 * One byte a position. A byte under KZ_DOBUTSU_CELL_OPEN is the distance of a decided position; one from
 * KZ_DOBUTSU_CELL_OPEN on is an open position, and what is above KZ_DOBUTSU_CELL_OPEN is the number of moves that have
 * not been refuted yet. By the official rules a win takes an odd number of plies and a loss an even one; by the
 * simplified rules either may be the other way round, which one more bit tells (`odd_ones`). */
#ifndef KZ_DOBUTSU_RETRO_H
#define KZ_DOBUTSU_RETRO_H

#include "core/gamedef.h"
#include "core/outbox.h"
#include "games/dobutsu/slice.h"

#include <stdatomic.h>

enum {
    KZ_DOBUTSU_CELL_OPEN = 192,
    KZ_DOBUTSU_CELL_STALEMATE =
        191,                    /* won in 1 by leaving the opponent no move, which the rules alone don't tell at once */
    KZ_DOBUTSU_CACHE_LINE = 64, /* this many positions share one "something new here" mark */
    KZ_DOBUTSU_SEGMENT = 1 << 16, /* parts of the index that different members have are whole numbers of chunks */
    KZ_DOBUTSU_SEGMENTS = KZ_DOBUTSU_INDEX_SIZE / KZ_DOBUTSU_SEGMENT + 1
};

typedef struct kz_dobutsu_retro {
    kz_dobutsu_space *space;
    kz_dobutsu_unmoves *unmoves;
    int rules;
    _Atomic uint8_t *cells;
    _Atomic uint64_t *odd_ones; /* simplified rules only */
    _Atomic uint64_t *open;     /* a word for each line, a bit for each position that may be open */
    _Atomic uint8_t *fresh[2];  /* [distance parity] lines with positions decided at that distance */
    /* The own part of the index. Memory that is never touched takes no room, so the arrays are for all of it; but only
     * in `open` something is known about other parts. */
    uint32_t part_begin;
    uint32_t part_end;
    int members;
    uint16_t owner[KZ_DOBUTSU_SEGMENTS]; /* who has a chunk */
} kz_dobutsu_retro;

kz_dobutsu_retro *kz_dobutsu_retro_new(int rules);
void kz_dobutsu_retro_free(kz_dobutsu_retro *retro);

/* Of `members` parts of the index, as large as each other, keeps to one from now on. All of the index before. */
void kz_dobutsu_retro_take_shard(kz_dobutsu_retro *retro, int member, int members);
/* The groups that have positions of the own part; the first and the last may have others, too, which the kernels leave
 * out. */
void kz_dobutsu_retro_slices(const kz_dobutsu_retro *retro, uint64_t *begin, uint64_t *end);

/* Each works on groups [begin, end) of the solved zone. Any number of them may run at once, but one kind must be
 * through before the next begins: start, spread losses in 0, count, settle, then for n = 2, 3, ...: spread losses in n,
 * spread wins in n, clear n. What happens to positions of other parts goes to the outbox (NULL if there are none), and
 * there to kz_dobutsu_retro_receive before the phase is through. */

/* Writes down what the rules alone tell. */
void kz_dobutsu_retro_start(kz_dobutsu_retro *retro, uint64_t begin, uint64_t end);
/* Counts for each open position the moves that don't lose at once. Returns how many positions the rules don't decide.
 */
uint64_t kz_dobutsu_retro_count(kz_dobutsu_retro *retro, kz_outbox *outbox, uint64_t begin, uint64_t end);
/* Decides the open positions that have no such move. */
void kz_dobutsu_retro_settle(kz_dobutsu_retro *retro, uint64_t begin, uint64_t end);
/* From the positions lost (won) in n to those that follow in n + 1. Returns how many positions it went out from. */
uint64_t kz_dobutsu_retro_propagate(kz_dobutsu_retro *retro, kz_outbox *outbox, bool wins, int n, uint64_t begin,
                                    uint64_t end);
/* What others found out about own positions while all did what `step` says. */
void kz_dobutsu_retro_receive(kz_dobutsu_retro *retro, kz_step step, const kz_places *places);
/* Which positions are open, by member (kz_solver_ops.hints): members need not send messages about the rest. Between
 * phases. */
void *kz_dobutsu_retro_hints(kz_dobutsu_retro *retro, uint64_t *begins);
/* Forgets which positions were decided at distance n. Alone, between phases. */
void kz_dobutsu_retro_clear(kz_dobutsu_retro *retro, int n);

/* What a run can go on from (retro_state.c): bytes for the positions [begin, end), which begin and end with a line or
 * with the index. */
size_t kz_dobutsu_retro_state_bytes(const kz_dobutsu_retro *retro, uint64_t begin, uint64_t end);
void kz_dobutsu_retro_save(const kz_dobutsu_retro *retro, uint64_t begin, uint64_t end, uint8_t *bytes);
/* `n`: the distance that was done. */
void kz_dobutsu_retro_load(kz_dobutsu_retro *retro, int n, uint64_t begin, uint64_t end, const uint8_t *bytes);
/* Notes which positions of a line are open. */
void kz_dobutsu_retro_mark_open(kz_dobutsu_retro *retro, uint32_t line);

/* The value of a position when all is done. */
kz_value kz_dobutsu_retro_value(const kz_dobutsu_retro *retro, uint64_t index);

#endif
