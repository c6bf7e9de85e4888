/* SPDX-License-Identifier: MIT
 *
 * Dobutsu Shogi's kind of table: opening it, and its blocks. */
#include "base/error.h"
#include "games/dobutsu/check/plain.h"
#include "games/dobutsu/table/lookup.h"
#include "table/format.h"
#include "table/scan.h"
#include "table/verify.h"

#include <stdlib.h>

/* Blocks may have another size than those that are written now. */
static kz_status open_losses(const kz_game *game, int rules, uint32_t block, uint64_t entries, void **opened,
                             kz_shape *shape, kz_error *error) {
    (void)game;
    (void)entries;
    kz_losses *self = calloc(1, sizeof *self);
    *opened = self;
    if (!self) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open the table");
    }
    self->lookup = kz_dobutsu_lookup_open(rules, error);
    if (!self->lookup) {
        return KZ_ERR_MEMORY;
    }
    bool fits = block >= KZ_BLOCK_LEAST && block <= KZ_BLOCK_MOST;
    self->shape = (kz_shape){.places = KZ_DOBUTSU_INDEX_SIZE,
                             .entries = KZ_DOBUTSU_INDEX_SIZE,
                             .extent = fits ? block : KZ_BLOCK_POSITIONS,
                             .block = fits ? block : KZ_BLOCK_POSITIONS,
                             .entry_bytes = 1,
                             .scratch_bytes = sizeof(kz_plan)};
    *shape = self->shape;
    return KZ_OK;
}

static kz_status unpack_losses(void *opened, const uint8_t *bytes, size_t size, kz_error *error) {
    return kz_model_unpack(bytes, size, &((kz_losses *)opened)->model, error);
}

static void close_losses(void *opened) {
    kz_losses *self = opened;
    kz_dobutsu_lookup_close(self->lookup);
    kz_model_free(self->model);
    free(self);
}

static kz_value look(const void *opened, const kz_position *position, uint64_t *index) {
    return kz_dobutsu_look(((const kz_losses *)opened)->lookup, position, index);
}

static int successors(const void *opened, const kz_position *position, uint64_t *indices, kz_value *best) {
    return kz_dobutsu_successors(((const kz_losses *)opened)->lookup, position, indices, best);
}

static bool decode_losses(const void *opened, void *scratch, uint64_t block, unsigned places, const uint8_t *bytes,
                          size_t size, uint8_t *entries) {
    const kz_losses *self = opened;
    kz_dobutsu_plan(&self->lookup->planner, block * self->shape.block, places, scratch);
    return kz_coder_decode(self->model, scratch, bytes, size, places, entries);
}

static bool decode_some(const void *opened, void *scratch, uint64_t block, unsigned places, const uint8_t *bytes,
                        size_t size, uint8_t *entries) {
    const kz_losses *self = opened;
    kz_dobutsu_plan(&self->lookup->planner, block * self->shape.block, places, scratch);
    kz_coder_decode_some(self->model, scratch, bytes, size, places, entries);
    return true;
}

#ifndef KANZEN_READ_ONLY
static kz_status verify_losses(const kz_table *table, int threads, const kz_progress *progress,
                               kz_verify_report *report, kz_error *error) {
    return kz_verify_by(&kz_dobutsu_checker, table, threads, progress, report, error);
}
#endif

const kz_table_kind kz_dobutsu_kind = {
    .version = KZ_TABLE_VERSION_LOSSES,
    .index_bytes = KZ_INDEX_BYTES,
    .cached_bytes = KZ_CACHED_FEW,
    .keeps_all = true,
    .every_place = true,
    .losses_only = true,
    .open = open_losses,
    .unpack = unpack_losses,
    .close = close_losses,
    .look = look,
    .successors = successors,
    .decode = decode_losses,
    .decode_some = decode_some,
    .probe = kz_losses_probe,
#ifndef KANZEN_READ_ONLY
    .look_at_batch = kz_losses_look_at_batch,
    .answer = kz_losses_answer,
    .verify = verify_losses,
    .longest = kz_collect_longest_entries,
    .puzzles = kz_collect_puzzle_entries,
    .encoder = &kz_losses_encoder,
#endif
};
