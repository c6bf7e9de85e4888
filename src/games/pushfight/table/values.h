/* SPDX-License-Identifier: MIT
 *
 * Push Fight's kind of table: all values, 0 for a draw and n + 1 for a win or a loss in n plies, in runs and groups
 * (games/pushfight/table/plan.h). What an open table of it has. */
#ifndef KZ_PUSHFIGHT_VALUES_H
#define KZ_PUSHFIGHT_VALUES_H

#include "games/pushfight/table/plan.h"
#include "games/pushfight/table/run_coder.h"
#include "games/pushfight/table/run_views.h"
#include "table/probe_many.h"

typedef struct kz_pf_values {
    kz_pf_space *space;
    kz_pf_won_tables won;
    kz_shape shape;
    kz_run_layout layout;
    kz_run_model *model;    /* NULL before it is unpacked or learned */
    kz_run_look_many *look; /* NULL where tables are read only */
} kz_pf_values;

extern const kz_table_kind kz_pushfight_kind;

/* Asks the rules about the groups of a block. `won` is NULL, or has the runs that are won at once, a word for each
 * group, from one who knows; bits of runs that don't exist don't matter. */
static inline kz_run_block kz_pf_plan_block(const kz_pf_values *self, uint64_t block, const uint64_t *won,
                                            kz_group_plan *groups) {
    unsigned count = kz_shape_places(&self->shape, block) / self->layout.group;
    uint64_t first = block * self->shape.block / self->layout.group;
    kz_pf_group_plans(self->space, &self->won, first, count, won, groups);
    return (kz_run_block){&self->layout, groups, count};
}

/* For the kind: decode_many.c and encode.c. */
bool kz_pf_decode_many(const void *opened, const kz_block_range *range, uint8_t *entries);
extern const struct kz_encoder kz_pf_values_encoder;

#endif
