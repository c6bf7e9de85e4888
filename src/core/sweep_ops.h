/* SPDX-License-Identifier: MIT
 *
 * How a game is solved by sweeps: phase by phase, positions that are lost or won are found from those found before.
 * solve/sweep.c runs the phases, on all cores, and keeps what they found in files; the game has the kernels.
 *
 * A sweep goes over blocks, one at a time and from several threads at once. What it finds is marked in pages, as bits
 * of rows: a byte of fresh bits for each row of a page is all that sweep.c sees of a page. A solver's numbers are those
 * of a table of all values (core/gamedef.h): phase n finds the number n + 2. */
#ifndef KZ_CORE_SWEEP_OPS_H
#define KZ_CORE_SWEEP_OPS_H

#include "base/buffer.h"

#include <kanzen/error.h>
#include <stdbool.h>

/* What phases found: of all arrangements of the pieces, and of the positions that the index holds. */
typedef struct kz_sweep_counts {
    uint64_t all;
    uint64_t kept;
} kz_sweep_counts;

/* What a block found that belongs into pages: records in the solver's own form, for each member of a team what goes
 * into the pages that it keeps. */
typedef struct kz_sweep_mail {
    kz_buffer *to;          /* [members] */
    const uint16_t *keeper; /* [pages] */
    bool failed;            /* no memory */
} kz_sweep_mail;

/* How the members of a team (solve/team/team.h) share a solve; solve/team/sweep_team.c calls it. There are as many
 * blocks as pages, and each member keeps the pages of one range and sweeps the blocks of the same one. What a block
 * looks at in pages of others comes as images of these pages, what it finds for them goes there by mail.
 *
 * Values only grow, so a block finds again what it found in earlier phases. To tell what is new, a member has two notes
 * for each of its blocks: one that `start` writes, and one that sweeps change, all zero at first. It may be all zero
 * again later: then everything counts as new and is sent once more. */
enum { KZ_SWEEP_MOST_NEEDS = 128 };

typedef struct kz_sweep_share_ops {
    /* Before everything else: pages [begin, end) are this member's. measure, place, collect and restore are called for
     * these only. */
    kz_status (*take)(void *solver, uint64_t begin, uint64_t end, kz_error *error);
    /* [pages]: how many rows each has. `measure` writes those of own pages; the others' are to be filled in before
     * `lay_out`, whose counts are those of own blocks. */
    uint64_t *(*row_counts)(void *solver);
    /* The pages that a sweep over a block looks at; some may come up twice. Returns how many. */
    size_t (*needs)(const void *solver, uint64_t block, uint32_t pages[KZ_SWEEP_MOST_NEEDS]);

    size_t (*first_note_bytes)(const void *solver);
    size_t (*second_note_room)(const void *solver);
    /* In the place of `start` and `sweep` above. `start` returns the bytes of the second note. */
    size_t (*start)(void *solver, int worker, uint64_t block, uint8_t *first_note, kz_sweep_mail *mail);
    uint64_t (*sweep)(void *solver, int worker, int phase, uint64_t block, const uint8_t *first_note,
                      uint8_t *second_note, bool *noted, kz_sweep_mail *mail);
    /* Takes in records of blocks, in any order: those of `start` in phase -1, else those of a sweep. Returns how many
     * positions of the pages were undecided before. */
    uint64_t (*receive)(void *solver, int worker, int phase, const uint8_t *records, size_t size);

    /* A page as others may look at it. The bytes are a multiple of eight, and images lie at such addresses. */
    size_t (*image_bytes)(const void *solver, uint64_t page);
    void (*make_image)(const void *solver, uint64_t page, uint8_t *image);
    void (*look_at)(void *solver, uint64_t page, const uint8_t *image);
    /* As `numbers` below, for a page that another member keeps. */
    kz_status (*numbers)(const void *solver, uint64_t page, const uint8_t *image, const uint64_t *values,
                         uint8_t *numbers, kz_error *error);
} kz_sweep_share_ops;

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

    const kz_sweep_share_ops *share; /* NULL: a team can't share it */
} kz_sweep_ops;

#endif
