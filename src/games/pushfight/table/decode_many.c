/* SPDX-License-Identifier: MIT
 *
 * Many blocks of a table, decoded side by side. */
#include "games/pushfight/table/run_decoder.h"
#include "games/pushfight/table/values.h"

#include <stdlib.h>

typedef struct many {
    const kz_pf_values *self;
    const kz_block_range *range;
    uint64_t begun;
    uint8_t *coded;        /* [KZ_RUN_SLOTS][range->most_bytes] */
    kz_group_plan *groups; /* [KZ_RUN_SLOTS][of a block] */
    uint8_t *entries;
    bool right;
} many;

static bool next_block(void *context, unsigned slot, kz_run_coded *coded) {
    many *m = context;
    const kz_block_range *range = m->range;
    if (m->begun == range->count) {
        return false;
    }
    uint64_t number = range->order[m->begun++];
    uint64_t block = range->first + number;
    if (!range->get(range->table, block, m->coded + slot * range->most_bytes, &coded->bytes, &coded->size)) {
        m->right = false;
        m->begun = range->count;
        return false;
    }
    size_t groups = m->self->shape.block / m->self->layout.group;
    coded->block = kz_pf_plan_block(m->self, block, NULL, m->groups + slot * groups);
    coded->numbers = m->entries + number * m->self->shape.block;
    return true;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the blocks are decoded there */
bool kz_pf_decode_many(const void *opened, const kz_block_range *range, uint8_t *entries) {
    const kz_pf_values *self = opened;
    if (range->count < KZ_VIEWS) {
        return false;
    }
    many m = {.self = self,
              .range = range,
              .coded = malloc(KZ_RUN_SLOTS * range->most_bytes + 1),
              .groups = malloc(KZ_RUN_SLOTS * self->shape.scratch_bytes),
              .entries = entries,
              .right = true};
    bool right = m.coded && m.groups &&
                 kz_run_decoder_choose(&self->layout)(self->model, &self->layout, self->look, next_block, &m) &&
                 m.right;
    free(m.groups);
    free(m.coded);
    return right;
}
