/* SPDX-License-Identifier: MIT
 *
 * How a game is solved by sweeps: each phase decides positions from what the phases before it decided. solve/sweep.c
 * runs the phases and writes what they found to files; the game has the kernels.
 *
 *     slice     what a kernel works on at once: all positions that share something
 *     page      where a kernel marks what it decides, and looks up successors; a page has runs of eight positions
 *
 *     phase n:  for every slice that looks at a changed page:   sweep   -> marks in pages
 *               for every page:                                 collect -> a byte of fresh marks for each run
 *
 * A slice is swept by one thread; different slices by different threads at the same time. The bytes of `collect` are
 * all that sweep.c sees of a page. Entries are those of a table of all values (game/gamedef.h): phase n decides entry n
 * + 2. */
#ifndef KZ_CORE_SWEEP_OPS_H
#define KZ_CORE_SWEEP_OPS_H

#include "base/buffer.h"

#include <kanzen/error.h>
#include <stdbool.h>

/* Counts of positions: among all arrangements of the pieces, and among the positions that have an index. */
typedef struct kz_sweep_counts {
    uint64_t all;
    uint64_t kept;
} kz_sweep_counts;

/* Updates that a slice has for pages: records in the solver's own form, in a buffer for each member of the team, by the
 * member that keeps the page. */
typedef struct kz_sweep_mail {
    kz_buffer *to;          /* [members] */
    const uint16_t *keeper; /* [pages] */
    bool failed;            /* no memory */
} kz_sweep_mail;

/* How the members of a team share a solve; solve/team/sweep_team.c calls it. There are as many slices as pages. Each
 * member keeps the pages of one range and sweeps the slices of the same range. A slice that looks at a page of another
 * member gets an image (a copy) of that page; its updates for such pages are sent to their members.
 *
 * Decided positions stay decided, so a sweep finds again what it found in earlier phases. To send only what is new, a
 * member keeps two notes for each of its slices: `start` writes the first one, sweeps change the second one, which is
 * all zero at first. The second note may become all zero again when a solve continues from its files: then everything
 * counts as new and is sent once more. */
enum { KZ_SWEEP_MOST_NEEDS = 128 };

typedef struct kz_sweep_share_ops {
    /* Called first: this member keeps pages [begin, end). measure, place, collect and restore are called for these
     * only. */
    kz_status (*take)(void *solver, uint64_t begin, uint64_t end, kz_error *error);
    /* [pages]: how many runs each page has. `measure` writes those of own pages; the caller fills in the others before
     * `lay_out`, whose counts are those of own slices. */
    uint64_t *(*run_counts)(void *solver);
    /* Lists the pages that a sweep of a slice looks at, some of them maybe twice. Returns how many. */
    size_t (*needs)(const void *solver, uint64_t slice, uint32_t pages[KZ_SWEEP_MOST_NEEDS]);

    size_t (*first_note_bytes)(const void *solver);
    size_t (*second_note_room)(const void *solver);
    /* They replace `start` and `sweep` below. `start` returns the bytes of the second note. `noted`: the second note
     * has changed. */
    size_t (*start)(void *solver, int worker, uint64_t slice, uint8_t *first_note, kz_sweep_mail *mail);
    uint64_t (*sweep)(void *solver, int worker, int phase, uint64_t slice, const uint8_t *first_note,
                      uint8_t *second_note, bool *noted, kz_sweep_mail *mail);
    /* Applies records of slices, in any order: those of `start` in phase -1, otherwise those of a sweep. Returns how
     * many positions of own pages were open before. */
    uint64_t (*receive)(void *solver, int worker, int phase, const uint8_t *records, size_t size);

    /* The image of a page. Its size is a multiple of eight, and so is the address of an image. `look_at` makes sweeps
     * use an image. */
    size_t (*image_bytes)(const void *solver, uint64_t page);
    void (*make_image)(const void *solver, uint64_t page, uint8_t *image);
    void (*look_at)(void *solver, uint64_t page, const uint8_t *image);
    /* As `numbers` below, from the image of a page that another member keeps. */
    kz_status (*numbers)(const void *solver, uint64_t page, const uint8_t *image, const uint64_t *values,
                         uint8_t *numbers, kz_error *error);
} kz_sweep_share_ops;

/* What a solve takes. Memory is exact to a few per cent; the rest is rough. */
typedef struct kz_sweep_needs {
    uint64_t positions;    /* of the index */
    uint64_t kept;         /* of these in the table */
    uint64_t memory_bytes; /* at the peak */
    uint64_t work_bytes;   /* of the files of all phases */
    uint64_t table_bytes;
    double seconds; /* for solving and writing the table, with so many workers on this machine */
} kz_sweep_needs;

typedef struct kz_sweep_ops {
    /* Before `open`, in a fraction of a second and with little memory. NULL: nobody knows. */
    kz_status (*needs)(int rules, int workers, kz_sweep_needs *needs, kz_error *error);
    void *(*open)(int rules, int workers, kz_error *error);
    void (*close)(void *solver);
    uint64_t (*slices)(const void *solver);
    uint64_t (*pages)(const void *solver);
    kz_sweep_counts (*total)(const void *solver);

    /* Phases -1 and 0, what the rules decide: `start` for each slice, then `measure` for each page, then `lay_out`,
     * then `place` for each page, which says whether it has positions without a legal turn. `lay_out` says how many
     * were found: without a turn, and won at once. */
    void (*start)(void *solver, int worker, uint64_t slice);
    void (*measure)(void *solver, uint64_t page);
    kz_status (*lay_out)(void *solver, kz_sweep_counts *lost, kz_sweep_counts *won, kz_error *error);
    bool (*place)(void *solver, uint64_t page);

    /* Whether a sweep over a slice may find something: some page that it looks at was changed by the last phase. */
    bool (*touched)(const void *solver, uint64_t slice, const uint8_t *changed);
    /* A phase of one slice, odd ones find losses, even ones wins. Returns how many positions of the slice, all counted,
     * are decided that way now; `fresh` is the number of those in the pages that were not before. */
    uint64_t (*sweep)(void *solver, int worker, int phase, uint64_t slice, uint64_t *fresh);

    /* The marks of a page. `collect` writes a byte for each run (room for page_runs) and, if `settle` is set, ends the
     * phase for this page; it returns how many positions are marked. `restore` marks what `collect` wrote. */
    size_t (*page_runs)(const void *solver, uint64_t page);
    uint64_t (*collect)(void *solver, int phase, uint64_t page, bool settle, uint8_t *marks);
    void (*restore)(void *solver, int phase, uint64_t page, bool settle, const uint8_t *marks);

    /* The numbers of a page's places, for the table. Bytes 0 to 7 of values[run] are those of the run's positions, as
     * far as later phases than 0 found them, else 0. */
    kz_status (*numbers)(const void *solver, uint64_t page, const uint64_t *values, uint8_t *numbers, kz_error *error);
    /* The same as kz_open_runs (game/gamedef.h): values[run] become the entries of the run, and `won` gets a word for
     * each group of the page. NULL: there is only `numbers`. */
    kz_status (*open_runs)(const void *solver, uint64_t page, uint64_t *values, uint64_t *won, kz_error *error);
    /* How many groups a page has; NULL if `open_runs` is. */
    size_t (*page_groups)(const void *solver);

    /* For solvers that do all slices at once, on a device of their own; NULL otherwise. If `start_all` is there, so are
     * the other two, and start, measure, lay_out, place, touched and sweep are NULL. They are called from one thread.
     */
    /* Phases -1 and 0: all of start, measure, lay_out and place; marks in `stuck` the pages that `place` would. */
    kz_status (*start_all)(void *solver, uint8_t *stuck, kz_sweep_counts *lost, kz_sweep_counts *won, kz_error *error);
    /* A phase of slices [first, first + count), of those that are touched: writes decided[slice] of those (the array of
     * all slices, others stay), and adds to `fresh` and `swept`. */
    kz_status (*sweep_range)(void *solver, int phase, uint64_t first, uint64_t count, const uint8_t *changed,
                             uint32_t *decided, uint64_t *fresh, uint64_t *swept, kz_error *error);
    /* Fetches the marks of all pages before `collect` is called for them, and ends the phase if `settle` is set. */
    kz_status (*fetch)(void *solver, int phase, bool settle, kz_error *error);

    const kz_sweep_share_ops *share; /* NULL: a team can't share it */
} kz_sweep_ops;

#endif
