/* SPDX-License-Identifier: MIT
 *
 * What stands behind a team of several (mpi/), as solve/team/team.c calls it. */
#ifndef KZ_BASE_TEAM_LINK_H
#define KZ_BASE_TEAM_LINK_H

#include "solve/team/team.h"

/* Each does what the call of the same name in solve/team/team.h promises. */
typedef struct kz_team_ops {
    kz_status (*sum)(kz_team *team, uint64_t *values, size_t count, kz_error *error);
    kz_status (*agree)(kz_team *team, kz_status mine, kz_error *error);
    kz_status (*broadcast)(kz_team *team, int from, void *bytes, size_t size, kz_error *error);
    kz_status (*gather)(kz_team *team, void *bytes, const uint64_t *begins, kz_error *error);
    kz_status (*exchange_begin)(kz_team *team, const kz_buffer *out, kz_buffer *in, kz_error *error);
    void (*exchange_poll)(kz_team *team);
    kz_status (*exchange_end)(kz_team *team, kz_error *error);
    kz_status (*serve)(kz_team *team, kz_team_answer *answer, void *context, kz_error *error);
    kz_status (*ask)(kz_team *team, int member, uint64_t question, kz_buffer *answer, kz_error *error);
    kz_status (*dismiss)(kz_team *team, kz_error *error);
    void (*leave)(kz_team *team, bool failed); /* frees the team */
} kz_team_ops;

struct kz_team {
    const kz_team_ops *ops; /* NULL: a team of one */
    int rank;
    int size;
    int processors; /* that belong to this member */
    bool broken;
    kz_team_traffic spent;
};

/* What the module has that implements them with MPI (base/module.h). */
typedef kz_status kz_mpi_join_function(kz_team **team, kz_error *error);

#endif
