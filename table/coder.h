/* SPDX-License-Identifier: MIT
 *
 * The values of one block as bytes and back: range asymmetric numeral systems (rANS), with the probabilities of
 * model.h.
 *
 * The state is a number from 2^16 to 2^32; coding a symbol of share s multiplies it by about 4096 / s, and 16 bits go
 * out whenever it would grow too large. The decoder undoes the encoder's last step first, so the encoder goes through
 * the block backwards. */
#ifndef KZ_TABLE_CODER_H
#define KZ_TABLE_CODER_H

#include "table/model.h"

enum { KZ_BLOCK_BYTES_MOST = 4 + 6 * KZ_BLOCK_POSITIONS };

/* Counts what coding a block would use. */
void kz_coder_count(const kz_plan *plan, const uint8_t *stored, unsigned positions, kz_model_counts *counts);

/* Returns how many bytes it wrote: KZ_BLOCK_BYTES_MOST at most. Positions that the plan skips must hold 0. */
size_t kz_coder_encode(const kz_model *model, const kz_plan *plan, const uint8_t *stored, unsigned positions,
                       uint8_t *bytes);

/* Decodes the first `positions` of a block. They come one after the other, so fewer take less time. */
void kz_coder_decode_some(const kz_model *model, const kz_plan *plan, const uint8_t *bytes, size_t size,
                          unsigned positions, uint8_t *stored);

/* All positions of a block. False if the bytes are not what an encoder wrote for this plan. Neither reads past `size`.
 */
bool kz_coder_decode(const kz_model *model, const kz_plan *plan, const uint8_t *bytes, size_t size, unsigned positions,
                     uint8_t *stored);

#endif
