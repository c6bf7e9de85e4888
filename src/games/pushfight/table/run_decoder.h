/* SPDX-License-Identifier: MIT
 *
 * Tables of all values: many blocks decoded side by side. In one block each value needs those before it; but the next
 * values of KZ_VIEWS blocks, or of twice as many, can be worked out together. The plain twin is kz_run_coder_decode. */
#ifndef KZ_TABLE_RUN_DECODER_H
#define KZ_TABLE_RUN_DECODER_H

#include "games/pushfight/table/run_coder.h"
#include "games/pushfight/table/run_views.h"

/* A coded block, and where its numbers go. */
typedef struct kz_run_coded {
    kz_run_block block;
    const uint8_t *bytes;
    size_t size;
    uint8_t *numbers;
} kz_run_coded;

enum { KZ_RUN_SLOTS = 64 }; /* blocks at once, at most */

/* Has the next block. What it points to stays until the same slot (0 to KZ_RUN_SLOTS - 1) is asked for again. False:
 * there is none. */
typedef bool kz_run_next(void *context, unsigned slot, kz_run_coded *coded);

/* Decodes all blocks that `next` has. False if the bytes of one are not what an encoder wrote for it. */
typedef bool kz_run_decode_many(const kz_run_model *model, const kz_run_layout *layout, kz_run_look_many *look,
                                kz_run_next *next, void *context);

kz_run_decode_many kz_run_coder_decode_many;       /* for any processor */
kz_run_decode_many kz_run_coder_decode_many_vbmi2; /* for layouts that have windows */

/* The fastest one that the processor can run. */
kz_run_decode_many *kz_run_decoder_choose(const kz_run_layout *layout);

#endif
