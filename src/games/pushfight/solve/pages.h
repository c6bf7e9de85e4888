/* SPDX-License-Identifier: MIT
 *
 * The pages of all positions, or those that one member of a team keeps, in this process's memory, and what a solve does
 * with a slice and with a page there. Slices and pages have the numbers of the own sets that are kept: slice E is what
 * has E as its enemy set, page O what has O as its own set. A slice is swept by one thread, and different slices by
 * different threads at the same time.
 *
 *     phases -1, 0    start for each slice, measure for each page, lay_out, place for each page
 *     phase n         sweep for each slice that is touched -> marks in pages; collect for each page */
#ifndef KZ_PUSHFIGHT_PAGES_H
#define KZ_PUSHFIGHT_PAGES_H

#include "base/list.h"
#include "games/pushfight/solve/slice.h"

/* Counts of positions: among all arrangements of the pieces, and among the positions that have an index. */
typedef struct kz_pf_amount {
    uint64_t all;
    uint64_t kept;
} kz_pf_amount;

/* One worker's memory, and what it has found in phase 0. */
typedef struct kz_pf_worker {
    kz_pf_slice *slice;
    kz_pf_stuck_list stuck; /* in pages that are here */
    kz_pf_start_counts counts;
    /* In a team only: */
    kz_pf_elements elements;
    kz_pf_stuck_list sent; /* in any pages, to be sent there */
    uint8_t *updates;
} kz_pf_worker;

typedef struct kz_pf_pages {
    kz_pf_space *space;
    kz_pf_tables *tables;
    kz_pf_state state;
    /* The pages that are here: all, or a member's own. state.first_runs is always of all pages. */
    uint32_t first_page;
    uint32_t page_count;
    int workers;
    kz_pf_worker *worker;
    /* What each sweep of a slice remembers, for phases that find wins and for those that find losses. A team does not
     * touch them, so they take no memory there. */
    kz_pf_memo *memos[2]; /* [own_sets] */
    uint8_t *seen[2];     /* [pairs] */
} kz_pf_pages;

/* Memory for all pages. */
kz_status kz_pf_pages_open(int rules, int workers, kz_pf_pages **opened, kz_error *error);
void kz_pf_pages_close(kz_pf_pages *p);
/* How many positions there are; after `start` of all slices. */
kz_pf_amount kz_pf_pages_total(const kz_pf_pages *p);

/* What the rules decide. `lay_out` says how many were found: without a turn, and won at once; `place`, whether the page
 * has positions without a turn. */
void kz_pf_pages_start(kz_pf_pages *p, int worker, uint64_t slice);
void kz_pf_pages_measure(kz_pf_pages *p, uint64_t page);
kz_status kz_pf_pages_lay_out(kz_pf_pages *p, kz_pf_amount *lost, kz_pf_amount *won, kz_error *error);
bool kz_pf_pages_place(kz_pf_pages *p, uint64_t page);

/* A phase of one slice, odd ones find losses, even ones wins. Returns how many positions of the slice, of all
 * arrangements, are decided that way now; `fresh` grows by those in the pages that were not before. */
uint64_t kz_pf_pages_sweep(kz_pf_pages *p, int worker, int phase, uint64_t slice, uint64_t *fresh);

/* The marks of a page, a byte for each run. `collect` writes them and, if `settle` is set, ends the phase for this
 * page; it returns how many positions are marked. `restore` marks what `collect` wrote. */
uint64_t kz_pf_pages_collect(kz_pf_pages *p, int phase, uint64_t page, bool settle, uint8_t *marks);
void kz_pf_pages_restore(kz_pf_pages *p, int phase, uint64_t page, bool settle, const uint8_t *marks);
/* Marks what `collect` wrote in the runs of a page. */
void kz_pf_restore_runs(uint16_t *runs, size_t count, int phase, bool settle, const uint8_t *marks);

/* ---- A member's own pages (shard.c) --------------------------------------------------------------------------------
 *
 * Each member keeps the pages of one range and sweeps the slices of the same range. A slice that looks at a page of
 * another member gets an image (a copy) of that page; its updates for such pages are sent to their members.
 *
 * Decided positions stay decided, so a sweep finds again what it found in earlier phases. To send only what is new, a
 * member keeps two notes for each of its slices: `start` writes the first one, sweeps change the second one, which is
 * all zero at first. The second note may become all zero again when a solve continues from its files: then everything
 * counts as new and is sent once more. */

/* Updates that a slice has for pages, in a buffer for each member of the team, by the member that keeps the page. */
typedef struct kz_pf_mail {
    kz_buffer *to;          /* [members] */
    const uint16_t *keeper; /* [pages] */
    bool failed;            /* no memory */
} kz_pf_mail;

/* Called first: only pages [begin, end) are here from now on. After `measure`, the caller fills in
 * state.first_runs[page + 1], how many runs a page has, of the pages of others. */
kz_status kz_pf_shard_take(kz_pf_pages *p, uint64_t begin, uint64_t end, kz_error *error);

size_t kz_pf_first_note_bytes(const kz_pf_space *space);
size_t kz_pf_second_note_room(const kz_pf_space *space);
/* In place of kz_pf_pages_start and kz_pf_pages_sweep. `start` returns the bytes of the second note. `noted`: the
 * second note has changed. */
size_t kz_pf_shard_start(kz_pf_pages *p, int worker, uint64_t slice, uint8_t *first_note, kz_pf_mail *mail);
uint64_t kz_pf_shard_sweep(kz_pf_pages *p, int worker, int phase, uint64_t slice, const uint8_t *first_note,
                           uint8_t *second_note, bool *noted, kz_pf_mail *mail);
/* Applies updates of slices, in any order: those of `start` in phase -1, otherwise those of a sweep. Returns how many
 * positions of own pages were open before. */
uint64_t kz_pf_shard_receive(kz_pf_pages *p, int worker, int phase, const uint8_t *updates, size_t size);

/* The image of a page. Its size is a multiple of eight, and so is the address of an image. */
size_t kz_pf_image_bytes(const kz_pf_pages *p, uint64_t page);
void kz_pf_image_make(const kz_pf_pages *p, uint64_t page, uint8_t *image);
kz_pf_view kz_pf_image_view(const kz_pf_pages *p, const uint8_t *image);

/* ---- Where a page's parts are ------------------------------------------------------------------------------------ */

/* Allocates the pages [first_page, first_page + page_count), and gives back those that there were. */
kz_status kz_pf_pages_allocate(kz_pf_pages *p, uint32_t first_page, uint32_t page_count, kz_error *error);

/* Where a page's parts are in the state; it must be here. */
static inline uint64_t *kz_pf_page_pairs(const kz_pf_pages *p, uint64_t page) {
    return p->state.pairs + (page - p->first_page) * p->space->enemy_sets;
}

static inline uint64_t *kz_pf_page_bases(const kz_pf_pages *p, uint64_t page) {
    return p->state.bases + (page - p->first_page) * kz_pf_base_count(p->space);
}

/* Counted from the first run that is here. */
static inline uint64_t kz_pf_page_run(const kz_pf_pages *p, uint64_t page) {
    return p->state.first_runs[page] - p->state.first_runs[p->first_page];
}

static inline size_t kz_pf_run_count(const uint64_t *first_runs, uint64_t page) {
    return (size_t)(first_runs[page + 1] - first_runs[page]);
}

/* How often a position of the slices that are swept stands for one of all. */
static inline uint64_t kz_pf_turned(const kz_pf_space *space) { return space->folded ? 2 : 1; }

#endif
