/* SPDX-License-Identifier: MIT
 *
 * Solving a game completely, and counting its positions. */
#ifndef KANZEN_SOLVE_H
#define KANZEN_SOLVE_H

#include <kanzen/game.h>
#include <kanzen/progress.h>

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
    uint64_t table_bytes;  /* size of the file */
    double solve_seconds;
    double write_seconds;
} kz_summary;

/* Solves the game by a rule set on `threads` threads (0: all processors) and writes the table to `path`, which gets the
 * same bytes whatever the number of threads is. `replace` says whether a file that is already there may be replaced. */
kz_status kz_solve(const kz_game *game, int rules, int threads, const char *path, bool replace,
                   const kz_progress *progress, kz_summary *summary, kz_error *error);

/* One line of what the literature counts. */
typedef struct kz_count {
    const char *name;    /* a short key: "reachable-tanaka" */
    const char *meaning; /* a line for a person */
    uint64_t count;
} kz_count;

/* Counts the sets of positions that people have published figures for. Writes up to `room` of them and the number of
 * them to `found`. Takes a while: it solves the game and visits every reachable position. */
kz_status kz_count_positions(const kz_game *game, int threads, const kz_progress *progress, kz_count *counts,
                             size_t room, size_t *found, kz_error *error);

/* What the simplified Try rule of Dobutsu Shogi changes, over every position of the index. */
typedef struct kz_try_rule_report {
    uint64_t positions;
    uint64_t same;           /* same value and distance */
    uint64_t one_ply_longer; /* same winner, one ply more by the simplified rule */
    uint64_t one_ply_shorter;
    uint64_t further;      /* same winner, more than one ply apart */
    uint64_t other_winner; /* another winner, or a draw for one rule only */
    uint64_t longer_wins;  /* of one_ply_longer: wins of the side to move */
    uint64_t longer_losses;
    uint64_t longer_at_once; /* of longer_wins: those that a safe Try wins in one ply by the official rule */
} kz_try_rule_report;

/* Solves by both rule sets and compares. KZ_ERR_MISMATCH if the rules differ by more than a ply anywhere; the report is
 * filled then, too. */
kz_status kz_check_try_rule(int threads, const kz_progress *progress, kz_try_rule_report *report, kz_error *error);

#ifdef __cplusplus
}
#endif
#endif
