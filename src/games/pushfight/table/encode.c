/* SPDX-License-Identifier: MIT
 *
 * Writing a table: from all entries of an extent, or from its open runs, two blocks of which are coded together. */
#include "base/bits.h"
#include "games/pushfight/table/run_encoder.h"
#include "games/pushfight/table/values.h"
#include "table/writer.h"

#include <stdlib.h>
#include <string.h>

/* Of one block. */
typedef struct room {
    kz_group_plan *groups;
    uint8_t *trail;
    uint32_t *steps;
} room;

/* A worker's memory. */
typedef struct memory {
    room rooms[2];
    bool has_open; /* only the open runs have been read */
    kz_open_runs open;
    uint8_t *entries; /* of an extent */
    uint64_t first;   /* block of it */
} memory;

static void free_memory(void *memory_of_worker) {
    memory *m = memory_of_worker;
    for (int i = 0; m && i < 2; i++) {
        free(m->rooms[i].groups);
        free(m->rooms[i].trail);
        free(m->rooms[i].steps);
    }
    if (m) {
        free(m->entries);
        free(m);
    }
}

static void *new_memory(const void *opened) {
    const kz_pf_values *self = opened;
    memory *m = calloc(1, sizeof *m);
    bool complete = m;
    for (int i = 0; complete && i < 2; i++) {
        room *r = &m->rooms[i];
        r->groups = malloc(self->shape.scratch_bytes);
        r->trail = malloc(self->shape.block);
        r->steps = malloc((size_t)self->shape.block * KZ_RUN_STEPS_MOST * sizeof *r->steps);
        complete = r->groups && r->trail && r->steps;
    }
    if (complete) {
        m->entries = malloc(self->shape.extent);
        complete = m->entries;
    }
    if (!complete) {
        free_memory(m);
        m = NULL;
    }
    return m;
}

static kz_status read_extent(void *memory_of_worker, const kz_source *source, int worker, uint64_t extent,
                             unsigned number, kz_error *error) {
    memory *m = memory_of_worker;
    (void)number;
    m->first = UINT64_MAX;
    m->has_open = source->read_open;
    return m->has_open ? source->read_open(source->context, worker, extent, &m->open, error)
                       : source->read(source->context, worker, extent, m->entries, error);
}

static uint64_t count_open(const kz_run_block *runs) {
    uint64_t open = 0;
    for (unsigned i = 0; i < runs->count; i++) {
        open += kz_popcount64(runs->groups[i].exists & ~runs->groups[i].won);
    }
    return open;
}

/* Takes a block's runs off those that are left and makes the trail of them. */
static bool take_open(const kz_run_block *runs, const room *r, kz_open_runs *from) {
    uint64_t open = count_open(runs);
    if (open > from->count || !kz_run_coder_fits_open(runs, from->runs, r->trail)) {
        return false;
    }
    from->runs += open;
    from->count -= open;
    from->won += runs->count;
    return true;
}

/* The entries of a block, from the first of the extent on. */
static const uint8_t *entries_of(const kz_pf_values *self, memory *m, uint64_t block) {
    m->first = m->first == UINT64_MAX ? block : m->first;
    return m->entries + (block - m->first) * self->shape.block;
}

/* Counting compares what the source says is won at once with what the rules say. */
static bool same_won(const kz_run_block *runs, const uint64_t *won) {
    for (unsigned i = 0; i < runs->count; i++) {
        if ((won[i] & runs->groups[i].exists) != runs->groups[i].won) {
            return false;
        }
    }
    return true;
}

static bool count(const void *opened, void *memory_of_worker, kz_extent blocks, kz_tally *tally, uint64_t *wrong) {
    const kz_pf_values *self = opened;
    memory *m = memory_of_worker;
    room *r = &m->rooms[0];
    for (uint64_t block = blocks.begin; block < blocks.end; block++) {
        kz_run_block runs = kz_pf_plan_block(self, block, NULL, r->groups);
        if (!m->has_open) {
            if (!kz_run_coder_fits(&runs, entries_of(self, m, block), r->trail)) {
                continue; /* encoding will say so */
            }
        } else if (!same_won(&runs, m->open.won) || !take_open(&runs, r, &m->open)) {
            *wrong = block;
            return false;
        }
        size_t items = kz_run_coder_list(&runs, self->look, r->trail, r->steps);
        kz_lock_take(&tally->lock);
        kz_run_coder_count(r->steps, items, (kz_run_counts *)tally->counts);
        kz_lock_release(&tally->lock);
    }
    return true;
}

static bool learn(void *opened, const uint32_t *counts) {
    kz_pf_values *self = opened;
    self->model = kz_run_model_new((const kz_run_counts *)counts);
    return self->model;
}

static uint8_t *pack(const void *opened, size_t *size) {
    return kz_run_model_pack(((const kz_pf_values *)opened)->model, size);
}

static size_t most_bytes(const void *opened) {
    return KZ_STATE_BYTES + KZ_STEP_BYTES * KZ_RUN_STEPS_MOST * (size_t)((const kz_pf_values *)opened)->shape.block;
}

/* A block of which all entries are given. */
static size_t encode_entries(const kz_pf_values *self, memory *m, uint64_t block, uint8_t *bytes) {
    room *r = &m->rooms[0];
    kz_run_block runs = kz_pf_plan_block(self, block, NULL, r->groups);
    return kz_run_coder_fits(&runs, entries_of(self, m, block), r->trail)
               ? kz_run_coder_encode(self->model, &runs, self->look, r->trail, r->steps, bytes)
               : 0;
}

static unsigned encode(const void *opened, void *memory_of_worker, kz_extent blocks, uint8_t *bytes, size_t sizes[2]) {
    const kz_pf_values *self = opened;
    memory *m = memory_of_worker;
    if (!m->has_open) {
        sizes[0] = encode_entries(self, m, blocks.begin, bytes);
        return 1;
    }
    unsigned count_now = blocks.end - blocks.begin > 1 ? 2 : 1;
    /* A block that is not there has no steps. */
    kz_rans_work work[2] = {{m->rooms[0].steps, 0, bytes, 0}, {m->rooms[0].steps, 0, bytes + most_bytes(self), 0}};
    unsigned right = 0;
    for (; right < count_now; right++) {
        room *r = &m->rooms[right];
        kz_run_block runs = kz_pf_plan_block(self, blocks.begin + right, m->open.won, r->groups);
        if (!take_open(&runs, r, &m->open)) {
            break;
        }
        work[right].steps = r->steps;
        work[right].count = kz_run_coder_steps(self->model, &runs, self->look, r->trail, r->steps);
    }
    kz_rans_encode_two(work);
    memmove(bytes + work[0].size, work[1].bytes, work[1].size);
    sizes[0] = right > 0 ? work[0].size : 0;
    sizes[1] = right > 1 ? work[1].size : 0;
    if (blocks.end - blocks.begin == count_now && m->open.count) {
        sizes[count_now - 1] = 0; /* there are more open runs than the rules allow */
    }
    return count_now;
}

const kz_encoder kz_pf_values_encoder = {
    .counts_bytes = sizeof(kz_run_counts),
    .most_tallies = 8,
    .sampled_of = 16, /* enough to know the probabilities, in a small part of the time */
    .sampled_from = 512,
    .extents_together = 1,
    .new_memory = new_memory,
    .free_memory = free_memory,
    .read = read_extent,
    .count = count,
    .learn = learn,
    .pack = pack,
    .most_bytes = most_bytes,
    .encode = encode,
};
