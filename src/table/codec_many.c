/* SPDX-License-Identifier: MIT */
#include "table/codec_memory.h"
#include "table/run_decoder.h"

#include <stdlib.h>

typedef struct many {
    const kz_codec *codec;
    kz_get_coded *get;
    void *context;
    uint64_t first;
    const uint32_t *order;
    uint64_t begun;
    uint64_t count;
    size_t coded_bytes;
    kz_codec_memory slots[KZ_RUN_SLOTS];
    uint8_t *coded; /* [KZ_RUN_SLOTS][coded_bytes] */
    uint8_t *numbers;
    bool right;
} many;

static bool next_block(void *context, unsigned slot, kz_run_coded *coded) {
    many *m = context;
    if (m->begun == m->count) {
        return false;
    }
    uint64_t number = m->order[m->begun++];
    uint64_t block = m->first + number;
    if (!m->get(m->context, block, m->coded + slot * m->coded_bytes, &coded->bytes, &coded->size)) {
        m->right = false;
        m->begun = m->count;
        return false;
    }
    coded->block = kz_codec_plan_runs(m->codec, &m->slots[slot], block, NULL);
    coded->numbers = m->numbers + number * m->codec->shape.block;
    return true;
}

/* NOLINTBEGIN(readability-non-const-parameter): the blocks are decoded there */
bool kz_codec_decode_many(const kz_codec *codec, uint64_t first, const uint32_t *order, uint64_t count,
                          size_t coded_bytes, kz_get_coded *get, void *context, uint8_t *numbers) {
    /* NOLINTEND(readability-non-const-parameter) */
    if (!kz_codec_of_runs(codec) || count < KZ_VIEWS) {
        return false;
    }
    size_t groups = codec->shape.block / codec->shape.group;
    kz_group_plan *plans = malloc(KZ_RUN_SLOTS * groups * sizeof *plans);
    many m = {.codec = codec,
              .get = get,
              .context = context,
              .first = first,
              .order = order,
              .count = count,
              .coded_bytes = coded_bytes,
              .coded = malloc(KZ_RUN_SLOTS * coded_bytes + 1),
              .numbers = numbers,
              .right = true};
    bool right = plans && m.coded;
    for (unsigned slot = 0; right && slot < KZ_RUN_SLOTS; slot++) {
        m.slots[slot].groups = plans + slot * groups;
    }
    kz_run_decode_many *decode = kz_run_decoder_choose(&codec->layout);
    right = right && decode(codec->runs, &codec->layout, codec->look, next_block, &m) && m.right;
    free(plans);
    free(m.coded);
    return right;
}
