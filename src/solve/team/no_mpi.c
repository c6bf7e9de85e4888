/* SPDX-License-Identifier: MIT
 *
 * In place of team_mpi.c where there is no MPI. */
#include "base/error.h"
#include "solve/team/team_link.h"

bool kz_mpi_possible(void) { return false; }

kz_status kz_mpi_join(kz_team **team, kz_error *error) {
    (void)team;
    return kz_fail(error, KZ_ERR_UNSUPPORTED,
                   "this program was built without MPI, so mpirun can't start several of it");
}
