/* SPDX-License-Identifier: MIT
 *
 * Writing a table of losses: an extent is a block, and two are coded together. */
#include "games/dobutsu/table/lookup.h"
#include "table/writer.h"

#include <stdlib.h>
#include <string.h>

/* A worker's memory. */
typedef struct memory {
    kz_plan plan;
    kz_coder_counting *count;
    kz_coder_list *list;
    kz_coder_lists lists;
    uint32_t steps[2][KZ_STEPS_MOST * KZ_BLOCK_MOST];
    uint8_t entries[2][KZ_BLOCK_MOST];
} memory;

static void *new_memory(const void *opened) {
    (void)opened;
    memory *m = malloc(sizeof *m);
    if (m) {
        m->count = kz_coder_choose_counting();
        m->list = kz_coder_choose();
    }
    return m;
}

static kz_status read_block(void *memory_of_worker, const kz_source *source, int worker, uint64_t extent,
                            unsigned number, kz_error *error) {
    memory *m = memory_of_worker;
    return source->read(source->context, worker, extent, m->entries[number], error);
}

static unsigned plan(const kz_losses *self, uint64_t block, memory *m) {
    unsigned places = kz_shape_places(&self->shape, block);
    kz_dobutsu_plan(&self->lookup->planner, block * self->shape.block, places, &m->plan);
    return places;
}

static bool count(const void *opened, void *memory_of_worker, kz_extent blocks, kz_tally *tally, uint64_t *wrong) {
    memory *m = memory_of_worker;
    unsigned places = plan(opened, blocks.begin, m);
    *wrong = blocks.begin; /* none is: all numbers can be losses */
    kz_lock_take(&tally->lock);
    m->count(&m->plan, m->entries[0], places, &m->lists, (kz_model_counts *)tally->counts);
    kz_lock_release(&tally->lock);
    return true;
}

static bool learn(void *opened, const uint32_t *counts) {
    kz_losses *self = opened;
    self->model = kz_model_new((const kz_model_counts *)counts);
    return self->model;
}

static uint8_t *pack(const void *opened, size_t *size) {
    return kz_model_pack(((const kz_losses *)opened)->model, size);
}

static size_t most_bytes(const void *opened) {
    (void)opened;
    return KZ_BLOCK_BYTES_MOST;
}

static unsigned encode(const void *opened, void *memory_of_worker, kz_extent blocks, uint8_t *bytes, size_t sizes[2]) {
    const kz_losses *self = opened;
    memory *m = memory_of_worker;
    kz_rans_work work[2] = {{.size = 0}};
    unsigned blocks_now = blocks.end - blocks.begin > 1 ? 2 : 1;
    for (unsigned i = 0; i < blocks_now; i++) {
        unsigned places = plan(self, blocks.begin + i, m);
        size_t steps = m->list(self->model, &m->plan, m->entries[i], places, &m->lists, m->steps[i]);
        work[i] = (kz_rans_work){m->steps[i], steps, bytes + i * (size_t)KZ_BLOCK_BYTES_MOST, 0};
    }
    if (blocks_now == 1) {
        sizes[0] = kz_rans_encode(m->steps[0], work[0].count, bytes);
        return 1;
    }
    kz_rans_encode_two(work);
    memmove(bytes + work[0].size, work[1].bytes, work[1].size);
    sizes[0] = work[0].size;
    sizes[1] = work[1].size;
    return 2;
}

const kz_encoder kz_losses_encoder = {
    .counts_bytes = sizeof(kz_model_counts),
    .most_tallies = 3,
    .sampled_of = 4,
    .extents_together = 2,
    .new_memory = new_memory,
    .free_memory = free,
    .read = read_block,
    .count = count,
    .learn = learn,
    .pack = pack,
    .most_bytes = most_bytes,
    .encode = encode,
};
