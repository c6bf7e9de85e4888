/* SPDX-License-Identifier: MIT
 *
 * Solving any game that is defined (kanzen/define.h): tier by tier, each in a file of its own as soon as it is done,
 * then the table. */
#ifndef KZ_SOLVE_ANY_H
#define KZ_SOLVE_ANY_H

#include "base/pool.h"
#include "solve/any_rules.h"

#include <kanzen/solve.h>

enum { KZ_ANY_STAGE_BYTES = 128 };

typedef struct kz_any_report {
    const kz_any_rules *rules;
    const kz_progress *listener;
    int tier;    /* the one that is being solved */
    bool looked; /* at all of its moves */
    char stage[KZ_ANY_STAGE_BYTES];
} kz_any_report;

/* The listener for a tier: tells `report->listener` which tier is being solved, and how far the whole is. */
kz_progress kz_any_report_tier(kz_any_report *report, int tier);

/* As kz_solve promises. `folder` is where finished tiers are kept; it exists. */
kz_status kz_any_solve(const kz_game *game, const kz_any_rules *rules, const char *rules_name, const char *folder,
                       const char *path, kz_pool *pool, const kz_solve_options *options, kz_summary *summary,
                       kz_error *error);

/* ---- By a team (team/any_team.c) --------------------------------------------------------------------------------- */

/* Bytes of memory that each of so many members takes at most, if no win takes over 126 plies. */
uint64_t kz_any_team_bytes(const kz_any_rules *rules, int members);

/* Solves all tiers that have no file in `folder` yet, which is member 0's. Collective. Afterwards member 0 can make the
 * table of the files as if it had solved alone. */
kz_status kz_any_team_solve(const kz_game *game, const kz_any_rules *rules, const char *rules_name, const char *folder,
                            kz_pool *pool, const kz_solve_options *options, kz_error *error);

#endif
