/* SPDX-License-Identifier: MIT */
#include "base/bigmem.h"
#include "base/error.h"
#include "base/packing.h"
#include "table/codec_memory.h"
#include "table/run_encoder.h"

#include <stdlib.h>
#include <string.h>

/* ---- Probabilities -------------------------------------------------------------------------------------------------
 */

kz_status kz_codec_pack(const kz_codec *codec, uint8_t **bytes, size_t *size, kz_error *error) {
    enum { MODEL_LEVEL = 12 };
    size_t raw_size = 0;
    uint8_t *raw =
        kz_codec_of_runs(codec) ? kz_run_model_pack(codec->runs, &raw_size) : kz_model_pack(codec->losses, &raw_size);
    *bytes = raw ? kz_pack(raw, raw_size, MODEL_LEVEL, size) : NULL;
    free(raw);
    return *bytes ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory for the table's probabilities");
}

bool kz_tally_open(kz_tally *tally, const kz_codec *codec) {
    kz_lock_open(&tally->lock);
    tally->size = kz_codec_of_runs(codec) ? sizeof(kz_run_counts) : sizeof(kz_model_counts);
    tally->counts = kz_big_alloc(tally->size);
    return tally->counts;
}

void kz_tally_close(kz_tally *tally) {
    kz_big_free(tally->counts, tally->size);
    kz_lock_close(&tally->lock);
}

void kz_tally_add(kz_tally *sum, const kz_tally *more) {
    for (size_t i = 0; i < sum->size / sizeof *sum->counts; i++) {
        sum->counts[i] += more->counts[i];
    }
}

bool kz_codec_learn(kz_codec *codec, const kz_tally *tally) {
    if (kz_codec_of_runs(codec)) {
        codec->runs = kz_run_model_new((const kz_run_counts *)tally->counts);
        return codec->runs;
    }
    codec->losses = kz_model_new((const kz_model_counts *)tally->counts);
    return codec->losses;
}

/* ---- Blocks --------------------------------------------------------------------------------------------------------
 */

/* Counts the block that `memory` has the trail of. */
static void count_runs(const kz_codec *codec, const kz_run_block *runs, kz_codec_memory *memory, kz_tally *tally) {
    size_t items = kz_run_coder_list(runs, codec->look, memory->trail, memory->steps);
    kz_lock_take(&tally->lock);
    kz_run_coder_count(memory->steps, items, (kz_run_counts *)tally->counts);
    kz_lock_release(&tally->lock);
}

void kz_codec_count(const kz_codec *codec, kz_codec_memory *memory, uint64_t block, const uint8_t *numbers,
                    kz_tally *tally) {
    if (kz_codec_of_runs(codec)) {
        kz_run_block runs = kz_codec_plan_runs(codec, memory, block, NULL);
        if (kz_run_coder_fits(&runs, numbers, memory->trail)) { /* encoding will say so if not */
            count_runs(codec, &runs, memory, tally);
        }
    } else {
        unsigned places = kz_codec_plan_losses(codec, memory, block);
        kz_lock_take(&tally->lock);
        codec->count(memory->plan, numbers, places, memory->lists, (kz_model_counts *)tally->counts);
        kz_lock_release(&tally->lock);
    }
}

/* The steps of a block of a table of losses; returns how many. */
static size_t list_losses(const kz_codec *codec, kz_codec_memory *memory, uint64_t block, const uint8_t *numbers,
                          uint32_t *steps) {
    unsigned places = kz_codec_plan_losses(codec, memory, block);
    return codec->list(codec->losses, memory->plan, numbers, places, memory->lists, steps);
}

size_t kz_codec_encode(const kz_codec *codec, kz_codec_memory *memory, uint64_t block, const uint8_t *numbers,
                       uint8_t *bytes) {
    if (kz_codec_of_runs(codec)) {
        kz_run_block runs = kz_codec_plan_runs(codec, memory, block, NULL);
        return kz_run_coder_fits(&runs, numbers, memory->trail)
                   ? kz_run_coder_encode(codec->runs, &runs, codec->look, memory->trail, memory->steps, bytes)
                   : 0;
    }
    size_t count = list_losses(codec, memory, block, numbers, memory->steps);
    return kz_rans_encode(memory->steps, count, bytes);
}

void kz_codec_encode_two(const kz_codec *codec, kz_codec_memory *memory, uint64_t block, const uint8_t *numbers,
                         uint8_t *const bytes[2], size_t sizes[2]) {
    kz_rans_work work[2];
    for (unsigned i = 0; i < 2; i++) {
        uint32_t *steps = memory->steps + (size_t)i * KZ_STEPS_MOST * KZ_BLOCK_MOST;
        size_t count = list_losses(codec, memory, block + i, numbers + (size_t)i * codec->shape.block, steps);
        work[i] = (kz_rans_work){steps, count, bytes[i], 0};
    }
    kz_rans_encode_two(work);
    sizes[0] = work[0].size;
    sizes[1] = work[1].size;
}

/* ---- Open runs -----------------------------------------------------------------------------------------------------
 */

static uint64_t count_open(const kz_run_block *runs) {
    uint64_t open = 0;
    for (unsigned i = 0; i < runs->count; i++) {
        open += kz_popcount64(runs->groups[i].exists & ~runs->groups[i].won);
    }
    return open;
}

/* Takes a block's runs off `from` and makes the trail of them. */
static bool take_open(const kz_run_block *runs, kz_codec_memory *memory, kz_open_runs *from) {
    uint64_t open = count_open(runs);
    if (open > from->count || !kz_run_coder_fits_open(runs, from->runs, memory->trail)) {
        return false;
    }
    from->runs += open;
    from->count -= open;
    from->won += runs->count;
    return true;
}

bool kz_codec_count_open(const kz_codec *codec, kz_codec_memory *memory, uint64_t block, kz_open_runs *from,
                         kz_tally *tally) {
    kz_run_block runs = kz_codec_plan_runs(codec, memory, block, NULL);
    for (unsigned i = 0; i < runs.count; i++) {
        if ((from->won[i] & runs.groups[i].exists) != runs.groups[i].won) {
            return false;
        }
    }
    if (!take_open(&runs, memory, from)) {
        return false;
    }
    count_runs(codec, &runs, memory, tally);
    return true;
}

size_t kz_codec_encode_open(const kz_codec *codec, kz_codec_memory *memory, uint64_t block, kz_open_runs *from,
                            uint8_t *bytes) {
    kz_run_block runs = kz_codec_plan_runs(codec, memory, block, from->won);
    return take_open(&runs, memory, from)
               ? kz_run_coder_encode(codec->runs, &runs, codec->look, memory->trail, memory->steps, bytes)
               : 0;
}

void kz_codec_encode_open_two(const kz_codec *codec, kz_codec_memory *const memory[2], uint64_t block,
                              kz_open_runs *from, uint8_t *bytes, size_t sizes[2]) {
    kz_rans_work work[2] = {{.bytes = bytes}, {.bytes = bytes + kz_codec_bytes_most(codec)}};
    unsigned right = 0;
    for (; right < 2; right++) {
        kz_run_block runs = kz_codec_plan_runs(codec, memory[right], block + right, from->won);
        if (!take_open(&runs, memory[right], from)) {
            break;
        }
        work[right].steps = memory[right]->steps;
        work[right].count =
            kz_run_coder_steps(codec->runs, &runs, codec->look, memory[right]->trail, memory[right]->steps);
    }
    kz_rans_encode_two(work);
    memmove(bytes + work[0].size, work[1].bytes, work[1].size);
    sizes[0] = right > 0 ? work[0].size : 0;
    sizes[1] = right > 1 ? work[1].size : 0;
}
