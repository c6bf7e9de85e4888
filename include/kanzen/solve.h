/* SPDX-License-Identifier: MIT
 *
 * Solving a game completely, and counting its positions. */
#ifndef KANZEN_SOLVE_H
#define KANZEN_SOLVE_H

#include <kanzen/game.h>
#include <kanzen/progress.h>
#include <kanzen/team.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a solution amounts to. Positions are those of the game's index: mirror images and turns are folded. */
typedef struct kz_summary {
    uint64_t positions;
    uint64_t wins;
    uint64_t losses;
    uint64_t draws;
    int longest_win;       /* plies */
    uint64_t longest_wins; /* how many positions take that long */
    uint64_t table_bytes;  /* size of the file; 0 if the solve was asked to stop before its end */
    double solve_seconds;
    double write_seconds;
    int members;              /* processes that solved it together */
    uint64_t most_memory;     /* bytes, at its peak, of the member that took most */
    uint64_t exchanged_bytes; /* that the members sent each other, all together */
} kz_summary;

/* What one phase found, in games that are solved phase by phase (Push Fight): -1 the positions without a legal turn, 0
 * those won at once, then losses in odd and wins in even phases. */
typedef struct kz_phase {
    int phase;
    uint64_t found;      /* of all arrangements of the pieces */
    uint64_t open;       /* of all, undecided after it */
    uint64_t found_kept; /* of the positions of the index */
    uint64_t open_kept;
    uint64_t slices_swept; /* the others can't find anything new */
    uint64_t slices;
    double seconds;
    bool restored; /* found by an earlier run and read from its file */
} kz_phase;

/* Called from the thread that called kz_solve; `phase` is there during the call only. */
typedef void kz_phase_fn(void *user, const kz_phase *phase);

/* An all-zero struct asks for the defaults. A solve keeps what it has found in the folder PATH.work, goes on from there
 * if it was interrupted, and removes the folder when the table is written. */
typedef struct kz_solve_options {
    int threads;  /* 0: all processors */
    bool replace; /* whether a file that is already there may be replaced */
    const kz_progress *progress;
    const char *device;      /* "cpu" (or NULL), or "cuda": a graphics card, if the game can use one */
    kz_phase_fn *phase_done; /* for these games only */
    void *phase_user;
    /* Stop after that phase or distance without writing a table; 0: go on to the end. KZ_ERR_UNSUPPORTED if the game is
     * solved through its definition. */
    int last_phase;
    double checkpoint_seconds; /* save what was found when so much time has passed; 0: ten minutes */
    bool keep_work;            /* leave the folder there */
    /* Several processes that solve it together (kanzen/team.h); NULL: this one alone. All call kz_solve with the same
     * game, rules and options, and all get the same summary and the same status. Files are read and written by member
     * 0 only. */
    kz_team *team;
    /* For a team that solves by sweeps. How many slices a member sweeps between two exchanges; 0: as many as suit. And
     * whether pages travel compressed, which pays if the network is slow (docs/scale.md); what member 0 says counts. */
    uint64_t team_batch;
    bool team_packs;
    bool plain; /* solve a game that has kernels of its own through its definition (kanzen/define.h) instead */
    /* The most memory that a solve by sweeps may take, and the most disk. If it needs more it fails before it begins,
     * with KZ_ERR_MEMORY or KZ_ERR_IO, and says what it needs. 0: what is free. */
    uint64_t memory_bytes;
    uint64_t disk_bytes;
} kz_solve_options;

/* Solves the game by a rule set and writes the table to `path`, which gets the same bytes whatever the number of
 * threads and of processes is, and however often the solve was interrupted. `options` may be NULL. */
kz_status kz_solve(const kz_game *game, int rules, const char *path, const kz_solve_options *options,
                   kz_summary *summary, kz_error *error);

/* One line of what the literature counts. The texts are constant. */
typedef struct kz_count {
    const char *name;    /* a short key: "reachable-tanaka" */
    const char *meaning; /* a line for a person */
    uint64_t count;
} kz_count;

/* Counts the sets of positions that people have published figures for. Writes up to `room` of them and the number of
 * them to `found`. Takes a while: it solves the game and visits every reachable position. */
kz_status kz_count_positions(const kz_game *game, int threads, const kz_progress *progress, kz_count *counts,
                             size_t room, size_t *found, kz_error *error);

#ifdef __cplusplus
}
#endif
#endif
