/* SPDX-License-Identifier: MIT
 *
 * What codec.c, which decodes, and codec_encode.c have in common. */
#ifndef KZ_TABLE_CODEC_MEMORY_H
#define KZ_TABLE_CODEC_MEMORY_H

#include "table/codec.h"

struct kz_codec_memory {
    kz_plan *plan;         /* for tables of losses */
    uint8_t *raw;          /* for excerpts */
    uint32_t *steps;       /* for encoding; of a table of losses those of two blocks */
    kz_coder_lists *lists; /* for encoding a table of losses */
    /* For tables of all values; `trail` for encoding only. */
    kz_group_plan *groups;
    uint8_t *trail;
};

static inline bool kz_codec_of_runs(const kz_codec *codec) { return codec->shape.run != 0 && !codec->excerpt; }

/* Ask the game about a block. `won` is NULL, or the bits of the runs that are won at once, by group. */
static inline unsigned kz_codec_plan_losses(const kz_codec *codec, kz_codec_memory *memory, uint64_t block) {
    unsigned places = kz_codec_places(codec, block);
    codec->ops->plan(codec->reader, block * codec->shape.block, places, memory->plan);
    return places;
}

static inline kz_run_block kz_codec_plan_runs(const kz_codec *codec, kz_codec_memory *memory, uint64_t block,
                                              const uint64_t *won) {
    unsigned places = kz_codec_places(codec, block);
    codec->ops->group_plans(codec->reader, block * codec->shape.block, places, won, memory->groups);
    return (kz_run_block){&codec->layout, memory->groups, places / codec->shape.group};
}

#endif
