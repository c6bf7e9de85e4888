/* SPDX-License-Identifier: MIT
 *
 * A team of one, and the way to what stands behind a larger one. */
#include "solve/team/team_link.h"

#include "base/error.h"
#include "base/module.h"

#include <kanzen/system.h>
#include <stdlib.h>
#include <string.h>

/* ---- Joining -----------------------------------------------------------------------------------------------------*/

/* How many processes were started together, as far as the environment tells: 1 without mpirun, 0 if it does not say. */
static int started_together(void) {
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *size = getenv(sizes[i]);
        if (size && atoi(size) > 0) {
            return atoi(size);
        }
    }
    return getenv("PMIX_RANK") ? 0 : 1;
}

/* MPI is in a module of its own (mpi/team_mpi.c). */
static kz_module_function *find_join(kz_error *error) {
    return kz_module_find("mpi", "kz_module_mpi_join", "solving with several processes (MPI)", error);
}

bool kz_team_possible(void) { return find_join(NULL) != NULL; }

kz_status kz_team_join(kz_team **team, kz_error *error) {
    if (started_together() != 1) {
        kz_module_function *join = find_join(error);
        return join ? ((kz_mpi_join_function *)join)(team, error) : KZ_ERR_UNSUPPORTED;
    }
    kz_team *alone = malloc(sizeof *alone);
    if (!alone) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to begin with");
    }
    *alone = (kz_team){.size = 1, .processors = kz_processor_count()};
    *team = alone;
    return KZ_OK;
}

static bool is_alone(const kz_team *team) { return !team || !team->ops; }

void kz_team_leave(kz_team *team, bool failed) {
    if (is_alone(team)) {
        free(team);
    } else {
        team->ops->leave(team, failed || team->broken);
    }
}

int kz_team_rank(const kz_team *team) { return team ? team->rank : 0; }

int kz_team_size(const kz_team *team) { return team ? team->size : 1; }

bool kz_team_broken(const kz_team *team) { return team && team->broken; }

int kz_team_processors(const kz_team *team) { return team ? team->processors : kz_processor_count(); }

kz_team_traffic kz_team_spent(const kz_team *team) { return team ? team->spent : (kz_team_traffic){.bytes = 0}; }

/* ---- Calls -------------------------------------------------------------------------------------------------------*/

kz_status kz_team_sum(kz_team *team, uint64_t *values, size_t count, kz_error *error) {
    return is_alone(team) ? KZ_OK : team->ops->sum(team, values, count, error);
}

kz_status kz_team_agree(kz_team *team, kz_status mine, kz_error *error) {
    return is_alone(team) ? mine : team->ops->agree(team, mine, error);
}

kz_status kz_team_broadcast(kz_team *team, int from, void *bytes, size_t size, kz_error *error) {
    return is_alone(team) ? KZ_OK : team->ops->broadcast(team, from, bytes, size, error);
}

kz_status kz_team_gather(kz_team *team, void *bytes, const uint64_t *begins, kz_error *error) {
    return is_alone(team) ? KZ_OK : team->ops->gather(team, bytes, begins, error);
}

kz_status kz_team_exchange_begin(kz_team *team, const kz_buffer *out, kz_buffer *in, kz_error *error) {
    if (!is_alone(team)) {
        return team->ops->exchange_begin(team, out, in, error);
    }
    in->size = 0;
    uint8_t *bytes = kz_buffer_add(in, out->size);
    if (!bytes && out->size > 0) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for a message");
    }
    if (out->size > 0) {
        memcpy(bytes, out->bytes, out->size);
    }
    return KZ_OK;
}

void kz_team_exchange_poll(kz_team *team) {
    if (!is_alone(team)) {
        team->ops->exchange_poll(team);
    }
}

kz_status kz_team_exchange_end(kz_team *team, kz_error *error) {
    return is_alone(team) ? KZ_OK : team->ops->exchange_end(team, error);
}

kz_status kz_team_serve(kz_team *team, kz_team_answer *answer, void *context, kz_error *error) {
    return is_alone(team) ? KZ_OK : team->ops->serve(team, answer, context, error);
}

kz_status kz_team_ask(kz_team *team, int member, uint64_t question, kz_buffer *answer, kz_error *error) {
    return is_alone(team) ? kz_fail(error, KZ_ERR_INPUT, "there is nobody to ask")
                          : team->ops->ask(team, member, question, answer, error);
}

kz_status kz_team_dismiss(kz_team *team, kz_error *error) {
    return is_alone(team) ? KZ_OK : team->ops->dismiss(team, error);
}
