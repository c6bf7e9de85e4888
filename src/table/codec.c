/* SPDX-License-Identifier: MIT */
#include "table/codec_memory.h"

#include "base/error.h"
#include "base/packing.h"
#include "game/defined.h"
#include "table/run_window.h"

#include <stdlib.h>

/* No model is larger, whatever a damaged one claims: 65,536 contexts of 256 symbols with 3 bytes each are 50 MB. */
enum { MODEL_BYTES_MOST = 64 << 20 };

static kz_status lay_out_runs(kz_codec *codec, kz_error *error) {
    const kz_shape *shape = &codec->shape;
    if (!kz_run_layout_open(&codec->layout, shape->run, shape->group)) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to code the table");
    }
#ifndef KANZEN_READ_ONLY
    codec->look = kz_run_views_choose();
#endif
    for (unsigned place = 0; place < shape->group; place++) {
        codec->ops->entry_plan(codec->reader, place, &codec->layout.places[place]);
    }
#ifndef KANZEN_READ_ONLY
    kz_run_layout_complete(&codec->layout);
#endif
    return KZ_OK;
}

kz_status kz_codec_open(kz_codec *codec, const kz_game *game, int rules, kz_error *error) {
    *codec = (kz_codec){.ops = game->reader, .entry_bytes = 1};
    codec->reader = codec->ops->open(rules, error);
    if (!codec->reader) {
        return KZ_ERR_MEMORY;
    }
    codec->ops->shape(codec->reader, &codec->shape);
    codec->blocks = (codec->shape.places + codec->shape.block - 1) / codec->shape.block;
#ifndef KANZEN_READ_ONLY
    codec->list = kz_coder_choose();
    codec->count = kz_coder_choose_counting();
#endif
    return kz_codec_of_runs(codec) ? lay_out_runs(codec, error) : KZ_OK;
}

bool kz_codec_set_block(kz_codec *codec, uint32_t positions) {
    if (codec->shape.run || positions < KZ_BLOCK_LEAST || positions > KZ_BLOCK_MOST) {
        return false;
    }
    codec->shape.block = positions;
    codec->shape.extent = positions;
    codec->blocks = (codec->shape.places + positions - 1) / positions;
    return true;
}

kz_status kz_codec_open_any(kz_codec *codec, const kz_game *game, int rules, kz_error *error) {
    *codec = (kz_codec){.of_any = true, .entry_bytes = sizeof(uint16_t)};
    if (!game->definition) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "%s has no definition to read such a table with", game->name);
    }
    uint64_t size = game->definition->index_size(kz_game_context(game, rules));
    codec->shape = (kz_shape){.places = size, .extent = KZ_ANY_BLOCK, .block = KZ_ANY_BLOCK};
    codec->blocks = (size + KZ_ANY_BLOCK - 1) / KZ_ANY_BLOCK;
    return KZ_OK;
}

kz_status kz_codec_open_excerpt(kz_codec *codec, const kz_game *game, int rules, uint64_t stored, kz_error *error) {
    kz_status status = kz_codec_open(codec, game, rules, error);
    if (status != KZ_OK) {
        return status;
    }
    codec->shape.block = KZ_EXCERPT_BLOCK;
    codec->blocks = kz_excerpt_blocks(stored);
    codec->entry_bytes = sizeof(uint64_t);
    codec->excerpt = kz_excerpt_new(stored);
    return codec->excerpt ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to open the excerpt");
}

void kz_codec_close(kz_codec *codec) {
    kz_excerpt_free(codec->excerpt);
    kz_any_model_free(codec->any);
    kz_model_free(codec->losses);
    kz_run_model_free(codec->runs);
    kz_run_layout_close(&codec->layout);
    if (codec->reader) {
        codec->ops->close(codec->reader);
    }
    *codec = (kz_codec){.ops = NULL};
}

unsigned kz_codec_places(const kz_codec *codec, uint64_t block) {
    uint64_t all = codec->excerpt ? codec->excerpt->stored : codec->shape.places;
    uint64_t left = all - block * codec->shape.block;
    return left < codec->shape.block ? (unsigned)left : codec->shape.block;
}

size_t kz_codec_bytes_most(const kz_codec *codec) {
    return kz_codec_of_runs(codec) ? KZ_STATE_BYTES + KZ_STEP_BYTES * KZ_RUN_STEPS_MOST * (size_t)codec->shape.block
                                   : KZ_BLOCK_BYTES_MOST;
}

/* ---- Probabilities -------------------------------------------------------------------------------------------------
 */

kz_status kz_codec_unpack(kz_codec *codec, const uint8_t *bytes, size_t size, kz_error *error) {
    uint64_t raw_size;
    if (!kz_unpacked_size(bytes, size, &raw_size) || raw_size > MODEL_BYTES_MOST) {
        return kz_shares_bad(error, "they can't be unpacked");
    }
    uint8_t *raw = malloc((size_t)raw_size + 1);
    if (!raw) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the table's probabilities");
    }
    size_t got = (size_t)raw_size;
    kz_status status = kz_unpack(bytes, size, raw, got);
    if (status == KZ_OK) {
        status = codec->excerpt            ? kz_excerpt_unpack(codec->excerpt, raw, got, error)
                 : codec->of_any           ? kz_any_model_unpack(raw, got, &codec->any, error)
                 : kz_codec_of_runs(codec) ? kz_run_model_unpack(raw, got, &codec->runs, error)
                                           : kz_model_unpack(raw, got, &codec->losses, error);
    } else if (status == KZ_ERR_MEMORY) {
        status = kz_fail(error, KZ_ERR_MEMORY, "no memory for the table's probabilities");
    } else {
        status = kz_shares_bad(error, "they can't be unpacked");
    }
    free(raw);
    return status;
}

/* ---- Blocks --------------------------------------------------------------------------------------------------------
 */

/* What encoding takes besides. */
#ifdef KANZEN_READ_ONLY
static bool open_encoding(const kz_codec *codec, kz_codec_memory *memory) { return codec && memory; }
#else
static bool open_encoding(const kz_codec *codec, kz_codec_memory *memory) {
    if (kz_codec_of_runs(codec)) {
        memory->trail = malloc(codec->shape.block);
        memory->steps = malloc((size_t)codec->shape.block * KZ_RUN_STEPS_MOST * sizeof *memory->steps);
        return memory->trail && memory->steps;
    }
    if (!codec->excerpt && !codec->of_any) {
        memory->steps = malloc(2 * KZ_STEPS_MOST * KZ_BLOCK_MOST * sizeof *memory->steps);
        memory->lists = malloc(sizeof *memory->lists);
        return memory->steps && memory->lists;
    }
    return true;
}
#endif

kz_codec_memory *kz_codec_memory_new(const kz_codec *codec, bool encodes) {
    kz_codec_memory *memory = calloc(1, sizeof *memory);
    bool complete = memory;
    if (complete && codec->excerpt) {
        memory->raw = malloc(KZ_EXCERPT_RAW_MOST);
        complete = memory->raw;
    } else if (complete && kz_codec_of_runs(codec)) {
        memory->groups = malloc((size_t)codec->shape.block / codec->shape.group * sizeof *memory->groups);
        complete = memory->groups;
    } else if (complete && !codec->of_any) {
        memory->plan = malloc(sizeof *memory->plan);
        complete = memory->plan;
    }
    if (!complete || (encodes && !open_encoding(codec, memory))) {
        kz_codec_memory_free(memory);
        memory = NULL;
    }
    return memory;
}

void kz_codec_memory_free(kz_codec_memory *memory) {
    if (memory) {
        free(memory->raw);
        free(memory->plan);
        free(memory->groups);
        free(memory->trail);
        free(memory->steps);
        free(memory->lists);
        free(memory);
    }
}

bool kz_codec_decode(const kz_codec *codec, kz_codec_memory *memory, uint64_t block, const uint8_t *bytes, size_t size,
                     uint8_t *numbers) {
    if (codec->excerpt) {
        return kz_excerpt_decode(codec->excerpt, block, codec->shape.places, bytes, size, memory->raw,
                                 (uint64_t *)(void *)numbers);
    }
    if (codec->of_any) {
        return kz_any_decode(codec->any, bytes, size, kz_codec_places(codec, block), (uint16_t *)(void *)numbers);
    }
    if (kz_codec_of_runs(codec)) {
        kz_run_block runs = kz_codec_plan_runs(codec, memory, block, NULL);
        return kz_run_coder_decode(codec->runs, &runs, bytes, size, numbers);
    }
    unsigned places = kz_codec_plan_losses(codec, memory, block);
    return kz_coder_decode(codec->losses, memory->plan, bytes, size, places, numbers);
}

void kz_codec_decode_some(const kz_codec *codec, kz_codec_memory *memory, uint64_t block, const uint8_t *bytes,
                          size_t size, unsigned places, uint8_t *numbers) {
    codec->ops->plan(codec->reader, block * codec->shape.block, places, memory->plan);
    kz_coder_decode_some(codec->losses, memory->plan, bytes, size, places, numbers);
}
