/* SPDX-License-Identifier: MIT
 *
 * The way to mpi/team_mpi.c, which is in a module of its own. */
#include "base/error.h"
#include "base/module.h"
#include "solve/team/team_link.h"

static kz_module_function *find_join(kz_error *error) {
    return kz_module_find("mpi", "kz_module_mpi_join", "solving with several processes (MPI)", error);
}

bool kz_mpi_possible(void) { return find_join(NULL) != NULL; }

kz_status kz_mpi_join(kz_team **team, kz_error *error) {
    kz_module_function *join = find_join(error);
    return join ? ((kz_mpi_join_function *)join)(team, error) : KZ_ERR_UNSUPPORTED;
}
