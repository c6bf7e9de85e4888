/* SPDX-License-Identifier: MIT */
#include "games/pushfight/published/chunks.h"

#include "base/error.h"
#include "games/pushfight/published/sweeps.h"

#include <stdlib.h>

typedef struct chunk_run {
    const kz_pf_order *order;
    uint32_t *enemies; /* sets that occur */
    uint64_t first;
    uint64_t count;
    uint8_t *bytes;
} chunk_run;

/* Where the values of one enemy set are, and where they go. */
typedef struct copying {
    kz_pf_worths worths;
    uint8_t *bytes;
} copying;

static void copy_value(void *context, uint64_t i, uint32_t own_rank, unsigned rho, unsigned lane) {
    const copying *c = context;
    c->bytes[i] = kz_pf_worth_byte(*kz_pf_worth(&c->worths, own_rank, rho, lane));
}

static void write_values(void *context, const kz_pf_value_sweep *sweep, uint32_t number) {
    const chunk_run *run = context;
    copying c = {kz_pf_value_sweep_worths(sweep), run->bytes};
    kz_pf_order_walk(run->order, (kz_pf_side_set){.squares = run->enemies[number]}, run->first, run->count, copy_value,
                     &c);
}

kz_status kz_pf_chunk_values(const kz_pf_space *space, const kz_pf_order *order, kz_pf_value_pages *pages,
                             kz_pool *pool, uint64_t first, uint64_t count, uint8_t *bytes, const kz_progress *progress,
                             kz_error *error) {
    chunk_run run = {.order = order, .first = first, .count = count};
    run.bytes = bytes;
    run.enemies = malloc(space->sets.count * sizeof *run.enemies);
    if (!run.enemies) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the list of enemy sets");
    }
    kz_pf_sweeps sweeps = {.space = space,
                           .pages = pages,
                           .lanes = KZ_PF_WITH_ANCHOR,
                           .enemies = run.enemies,
                           .swept = write_values,
                           .context = &run};
    for (uint32_t set = 0; set < space->sets.count; set++) {
        uint32_t enemy = kz_pf_unpack(space->sets.patterns[set], space->board->squares);
        if (kz_pf_order_meets(order, (kz_pf_side_set){.squares = enemy}, first, count)) {
            run.enemies[sweeps.count++] = enemy;
        }
    }
    kz_status status = kz_pf_sweeps_run(&sweeps, pool, progress, "finding values", error);
    free(run.enemies);
    return status;
}
