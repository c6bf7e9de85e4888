/* SPDX-License-Identifier: MIT
 *
 * Push Fight solved by sweeps, phase by phase. solve.c says what is done, in order. Who sweeps is one of three:
 *
 *     this process on its threads       pages.h      (alone.c)
 *     this process on a graphics card   cuda/card.h  (alone.c)
 *     several processes together        pages.h: each keeps a shard of the pages (team.c, shard.c)
 *
 * In a team all members make the same calls in the same order, and what one fails with, all fail with. Member 0 has the
 * files. */
#ifndef KZ_PUSHFIGHT_SOLVE_H
#define KZ_PUSHFIGHT_SOLVE_H

#include "games/pushfight/cuda/card.h"
#include "games/pushfight/solve/phase_file.h"
#include "solve/job.h"

#include <kanzen/estimate.h>

/* The door of kz_solve (game/gamedef.h). */
kz_status kz_pf_solve(const kz_solve_job *job, kz_error *error);
/* What solving a board takes with report->threads workers, before it begins: in a fraction of a second. Memory is exact
 * to a few per cent; the rest is rough. */
kz_status kz_pf_estimate(int rules, kz_estimate_report *report, kz_error *error);

/* Removes what a solve has left in its folder, and the folder, if nothing else is in it. */
void kz_pf_remove_work(const char *folder);

enum { KZ_PF_MOST_PHASES = KZ_MAX_DISTANCE };

/* A worker's memory. */
typedef struct kz_pf_job_worker {
    uint64_t fresh;   /* positions that it decided in this phase and that were open before */
    uint64_t swept;   /* slices that it swept in this phase */
    uint8_t *marks;   /* room for the marks of a page */
    uint64_t *values; /* and for what all phases found there */
    uint64_t *pairs;  /* and, with a card, for the page itself */
    uint16_t *runs;
    kz_pf_packer packer;
    kz_error error;
} kz_pf_job_worker;

typedef struct kz_pf_job {
    const kz_solve_job *job;
    const kz_solve_options *options;
    kz_pool *pool;
    kz_pf_pages *pages;       /* NULL: they are on a card */
    kz_pf_card *card;         /* NULL: on processors */
    struct kz_pf_team *team;  /* NULL: this process is alone */
    const kz_pf_space *space; /* of whichever has the pages */
    const kz_pf_tables *tables;
    const uint64_t *first_runs;   /* [sets + 1] */
    uint64_t sets;                /* of own squares: there are so many slices, and so many pages */
    kz_phase_facts facts;         /* of the phase that is going on */
    double phase_begin;           /* when this run began with it, by kz_seconds */
    uint64_t microseconds_before; /* that earlier runs spent on it */
    char folder[KZ_PATH_BYTES];
    int lock; /* of the folder; -1: it has none */
    kz_pf_job_worker *workers;
    uint32_t *decided[2]; /* [sets]: positions of the slice that are won; lost */
    uint8_t *changed;     /* [sets]: pages, by the last phase */
    uint64_t first_slice; /* where the pool's work begins */
    uint8_t **frames;     /* of the pages that are packed, from first_frame on, and their entries */
    uint8_t *entries;
    uint64_t first_frame;
    bool settles; /* packing ends the phase */
    kz_pf_amount total;
    kz_pf_amount open; /* undecided */
    kz_pf_amount stuck;
    uint64_t won_at_once; /* of the index, by pushing a piece off */
    int phases;           /* that have a file: 1 to phases */
    kz_phase_file files[KZ_PF_MOST_PHASES + 1];
    uint64_t found[KZ_PF_MOST_PHASES + 1];
    bool complete;
} kz_pf_job;

/* The file of the phase that is open for reading. */
static inline kz_phase_file *kz_pf_file_now(kz_pf_job *s) { return &s->files[s->facts.phase]; }

/* Positions that are won, or lost, in each slice, whichever the phase finds. */
static inline uint32_t *kz_pf_decided_now(const kz_pf_job *s) { return s->decided[s->facts.phase & 1]; }

/* Packs the marks of pages [first, first + count): the frame of each, to be freed, or NULL, and its entry. */
kz_status kz_pf_pack_pages(kz_pf_job *s, uint64_t first, uint64_t count, bool settle, uint8_t **frames,
                           uint8_t *entries, kz_error *error);
/* Adds what the workers have counted in a sweep to the sums, and begins to count anew. */
void kz_pf_take_counts(kz_pf_job *s, uint64_t *fresh, uint64_t *swept);
/* The first failure that a worker has noted, if there is one. */
kz_status kz_pf_worker_failure(const kz_pf_job *s, kz_error *error);

/* ---- This process alone (alone.c), and a member of a team (team.c) -------------------------------------------------
 *
 * start     phases -1 and 0, what the rules decide: fills in s->total, s->stuck and s->changed; `won` is won at once
 * sweep     all slices of the phase from s->facts.slices_done on, and adds to the facts; from phase 1 on it may save
 *           checkpoints meanwhile
 * settle    ends the phase: its marks count from now on, and s->changed are the pages that have any. Writes the phase
 * to the file `path`; NULL: does not restore   takes in the phase s->facts.phase from its file, which is open in
 * s->files */

kz_status kz_pf_alone_start(kz_pf_job *s, kz_pf_amount *won, kz_error *error);
kz_status kz_pf_alone_sweep(kz_pf_job *s, const char *stage, kz_error *error);
kz_status kz_pf_alone_settle(kz_pf_job *s, const char *path, kz_error *error);
kz_status kz_pf_alone_restore(kz_pf_job *s, kz_error *error);

/* Gives this member its share of s->pages. */
kz_status kz_pf_team_open(kz_pf_job *s, kz_error *error);
void kz_pf_team_close(kz_pf_job *s);
kz_status kz_pf_team_start(kz_pf_job *s, kz_pf_amount *won, kz_error *error);
kz_status kz_pf_team_sweep(kz_pf_job *s, const char *stage, kz_error *error);
kz_status kz_pf_team_settle(kz_pf_job *s, const char *path, kz_error *error);
/* Reads the phase that member 0 has in s->files; the others get the facts of it there. */
kz_status kz_pf_team_restore(kz_pf_job *s, kz_error *error);
/* A page that another member keeps, for the table; `view` stays until the worker asks again. For member 0; from several
 * threads at once. The others answer until it dismisses them. */
kz_status kz_pf_team_page(kz_pf_job *s, int worker, uint64_t page, kz_pf_view *view, kz_error *error);
kz_status kz_pf_team_serve(kz_pf_job *s, kz_error *error);

/* ---- Sets of positions that people have published figures for (counts.c) ----------------------------------------- */

typedef struct kz_pf_position_counts {
    uint64_t permutations; /* arrangements of all pieces with an anchor */
    uint64_t anchored;     /* those whose anchor passes the test */
    uint64_t minimized;    /* those up to the rotation of the board */
} kz_pf_position_counts;

/* Counts them by going through all sets of squares that are taken. */
kz_pf_position_counts kz_pf_count_board(const kz_pf_board *board);

/* What kz_count_positions promises. */
kz_status kz_pf_count_positions(kz_pool *pool, const kz_progress *progress, kz_count *counts, size_t room,
                                size_t *found, kz_error *error);

#endif
