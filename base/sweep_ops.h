/* SPDX-License-Identifier: MIT
 *
 * How a game is solved by sweeps: phase by phase, positions that are lost or won are found from those found before.
 * solve/sweep.c runs the phases, on all cores, and keeps what they found in files; the game has the kernels.
 *
 * A sweep goes over blocks, one at a time and from several threads at once. What it finds is marked in pages, as bits
 * of rows: a byte of fresh bits for each row of a page is all that sweep.c sees of a page. A solver's numbers are those
 * of a table of all values (base/gamedef.h): phase n finds the number n + 2. */
#ifndef KZ_BASE_SWEEP_OPS_H
#define KZ_BASE_SWEEP_OPS_H

#include <kanzen/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What phases found: of all arrangements of the pieces, and of the positions that the index holds. */
typedef struct kz_sweep_counts {
    uint64_t all;
    uint64_t kept;
} kz_sweep_counts;

typedef struct kz_sweep_ops {
    void *(*open)(int rules, int workers, kz_error *error);
    void (*close)(void *solver);
    uint64_t (*blocks)(const void *solver);
    uint64_t (*pages)(const void *solver);
    kz_sweep_counts (*total)(const void *solver);

    /* Phases -1 and 0, what the rules decide: `start` for each block, then `measure` for each page, then `lay_out`,
     * then `place` for each page, which says whether it has positions without a legal turn. `lay_out` says how many
     * were found: without a turn, and won at once. */
    void (*start)(void *solver, int worker, uint64_t block);
    void (*measure)(void *solver, uint64_t page);
    kz_status (*lay_out)(void *solver, kz_sweep_counts *lost, kz_sweep_counts *won, kz_error *error);
    bool (*place)(void *solver, uint64_t page);

    /* Whether a sweep over a block may find something: some page that it looks at was changed by the last phase. */
    bool (*touched)(const void *solver, uint64_t block, const uint8_t *changed);
    /* A phase of one block, odd ones find losses, even ones wins. Returns how many positions of the block, all counted,
     * are decided that way now; `fresh` is the number of those in the pages that were not before. */
    uint64_t (*sweep)(void *solver, int worker, int phase, uint64_t block, uint64_t *fresh);

    /* The marks of a page. `collect` writes a byte for each row (room for page_rows) and, if `settle` is set, ends the
     * phase for this page; it returns how many positions are marked. `restore` marks what `collect` wrote. */
    size_t (*page_rows)(const void *solver, uint64_t page);
    uint64_t (*collect)(void *solver, int phase, uint64_t page, bool settle, uint8_t *marks);
    void (*restore)(void *solver, int phase, uint64_t page, bool settle, const uint8_t *marks);

    /* The numbers of a page's places, for the table. Bytes 0 to 7 of values[row] are those of the row's positions, as
     * far as later phases than 0 found them, else 0. */
    kz_status (*numbers)(const void *solver, uint64_t page, const uint64_t *values, uint8_t *numbers, kz_error *error);

    /* For solvers that do all blocks at once, on a device of their own; NULL otherwise. If `start_all` is there, so are
     * the other two, and start, measure, lay_out, place, touched and sweep are NULL. They are called from one thread.
     */
    /* Phases -1 and 0: all of start, measure, lay_out and place; marks in `stuck` the pages that `place` would. */
    kz_status (*start_all)(void *solver, uint8_t *stuck, kz_sweep_counts *lost, kz_sweep_counts *won, kz_error *error);
    /* A phase of blocks [first, first + count), of those that are touched: writes decided[block] of those (the array of
     * all blocks, others stay), and adds to `fresh` and `swept`. */
    kz_status (*sweep_range)(void *solver, int phase, uint64_t first, uint64_t count, const uint8_t *changed,
                             uint32_t *decided, uint64_t *fresh, uint64_t *swept, kz_error *error);
    /* Fetches the marks of all pages before `collect` is called for them, and ends the phase if `settle` is set. */
    kz_status (*fetch)(void *solver, int phase, bool settle, kz_error *error);
} kz_sweep_ops;

#endif
