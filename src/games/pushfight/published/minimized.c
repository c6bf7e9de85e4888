/* SPDX-License-Identifier: MIT */
#include "games/pushfight/published/published.h"

#include "base/error.h"

#include <stdlib.h>

typedef struct copy_job {
    const kz_pf_space *space;
    const kz_pf_order *order;
    kz_pf_read_values *read;
    void *user;
    uint64_t first;
    uint64_t count;
    uint8_t *bytes;
    uint8_t **read_bytes;                                               /* by worker: the values of an own set */
    uint16_t *rotated;                                                  /* the rank of an enemy set after a rotation */
    uint16_t places[2][KZ_PF_MOST_PIECES * KZ_PF_MOST_ANCHORED_SPLITS]; /* of a lane within a pair; after a turn [1] */
    kz_error *errors;                                                   /* by worker */
    _Atomic bool failed;
} copy_job;

/* Where the values of an own set are, and where those of it or of its rotation go. */
typedef struct own_copying {
    const copy_job *job;
    const uint8_t *values;
    bool turn;
} own_copying;

static void copy_own_value(void *context, uint64_t i, uint32_t enemy_rank, unsigned rho, unsigned lane) {
    const own_copying *c = context;
    const kz_pf_space *space = c->job->space;
    size_t enemy = c->turn ? c->job->rotated[enemy_rank] : enemy_rank;
    size_t split = c->turn ? space->split_reversed[rho] : rho;
    size_t place = enemy * (size_t)(space->lanes * space->splits) + split * (size_t)space->anchored_splits;
    c->job->bytes[i] = c->values[place + c->job->places[c->turn][lane]];
}

static kz_status copy_own_set(copy_job *j, int worker, uint32_t own_set) {
    uint32_t own = j->space->own_squares[own_set];
    kz_pf_side_set sets[] = {{true, own}, {true, kz_pf_rotate_squares(j->space->board, own)}};
    int orientations = j->space->folded ? 2 : 1;
    bool read = false;
    for (int turn = 0; turn < orientations; turn++) {
        if (!kz_pf_order_meets(j->order, sets[turn], j->first, j->count)) {
            continue;
        }
        if (!read) {
            KZ_TRY(j->read(j->user, own_set, j->read_bytes[worker], &j->errors[worker]));
        }
        read = true;
        own_copying c = {j, j->read_bytes[worker], turn};
        kz_pf_order_walk(j->order, sets[turn], j->first, j->count, copy_own_value, &c);
    }
    return KZ_OK;
}

static void copy_own_sets(void *context, int worker, uint64_t begin, uint64_t end) {
    copy_job *j = context;
    if (!j->read_bytes[worker]) {
        j->read_bytes[worker] = malloc(kz_pf_own_set_size(j->space));
    }
    if (!j->read_bytes[worker]) {
        kz_fail(&j->errors[worker], KZ_ERR_MEMORY, "no memory for the values of an own set");
        j->failed = true;
    }
    for (uint64_t set = begin; set < end && !j->failed; set++) {
        if (copy_own_set(j, worker, (uint32_t)set) != KZ_OK) {
            j->failed = true;
        }
    }
}

static void fill_rotated(copy_job *j) {
    const kz_pf_space *space = j->space;
    int free_squares = space->squares - space->pieces;
    for (uint32_t rank = 0; rank < space->enemy_sets; rank++) {
        uint32_t pattern = kz_pf_reversed(space->others.patterns[rank], free_squares);
        j->rotated[rank] = (uint16_t)kz_pf_rank(&space->others, pattern);
    }
    for (int lane = 0; lane < space->lanes; lane++) {
        int alpha = lane / space->anchored_splits;
        int sigma = lane % space->anchored_splits;
        int apart = space->splits * space->anchored_splits;
        j->places[0][lane] = (uint16_t)(alpha * apart + sigma);
        j->places[1][lane] = (uint16_t)((space->pieces - 1 - alpha) * apart + space->anchored_reversed[sigma]);
    }
}

static kz_status run_copy(copy_job *j, kz_pool *pool, const kz_progress *progress, kz_error *error) {
    fill_rotated(j);
    kz_status status = kz_pool_for(pool, j->space->own_sets, 1, copy_own_sets, j, progress, "writing values", error);
    for (int worker = 0; worker < kz_pool_threads(pool); worker++) {
        if (status == KZ_OK && j->errors[worker].status != KZ_OK) {
            status = kz_fail(error, j->errors[worker].status, "%s", j->errors[worker].message);
        }
        free(j->read_bytes[worker]);
    }
    return status;
}

kz_status kz_pf_minimized_values(const kz_pf_space *space, const kz_pf_order *order, kz_pf_read_values *read,
                                 void *user, kz_pool *pool, uint64_t first, uint64_t count, uint8_t *bytes,
                                 const kz_progress *progress, kz_error *error) {
    copy_job j = {.space = space, .order = order, .read = read, .user = user, .first = first, .count = count};
    j.bytes = bytes;
    size_t threads = (size_t)kz_pool_threads(pool);
    j.read_bytes = calloc(threads, sizeof *j.read_bytes);
    j.errors = calloc(threads, sizeof *j.errors);
    j.rotated = malloc(space->enemy_sets * sizeof *j.rotated);
    kz_status status = j.read_bytes && j.errors && j.rotated
                           ? run_copy(&j, pool, progress, error)
                           : kz_fail(error, KZ_ERR_MEMORY, "no memory to read values");
    free(j.read_bytes);
    free(j.errors);
    free(j.rotated);
    return status;
}
