/* SPDX-License-Identifier: MIT
 *
 * Solving with several processes, which `mpirun` starts. A program that is to run that way joins before it solves,
 * hands the team to kz_solve (kz_solve_options.team), and leaves at its end. */
#ifndef KANZEN_TEAM_H
#define KANZEN_TEAM_H

#include <kanzen/error.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kz_team kz_team;

/* Whether there is MPI: whether its module, kanzen-mpi.so, can be loaded. */
bool kz_team_possible(void);

/* Joins the processes that mpirun started together with this one. Without mpirun it is a team of one. Started by mpirun
 * without that module it fails (KZ_ERR_UNSUPPORTED): else each process would solve all by itself
 * and write the same file. Once in a process, from its first thread. */
kz_status kz_team_join(kz_team **team, kz_error *error);

/* Ends the team for this process. `failed`: something went wrong here that the others can't know of, so they are ended,
 * and so is this process: the call does not return then, unless it is a team of one. It is the same for a broken team.
 * A failure of kz_solve is known to all members unless the team is broken. NULL does nothing. */
void kz_team_leave(kz_team *team, bool failed);

/* NULL is a team of one here, too. */
int kz_team_rank(const kz_team *team); /* 0 to size - 1; 0 speaks for all and writes the files */
int kz_team_size(const kz_team *team);

/* Whether this member lost the others, so that what went wrong is known here only. */
bool kz_team_broken(const kz_team *team);

#ifdef __cplusplus
}
#endif

#endif
