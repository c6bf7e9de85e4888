/* SPDX-License-Identifier: MIT
 *
 * Excerpts: which block has a position is known without the directory, and a probe looks for it there. Where positions
 * are in the index is what the game's own kind tells. */
#include "base/bits.h"
#include "base/error.h"
#include "base/list.h"
#include "table/excerpt.h"
#include "table/format.h"
#include "table/reader.h"

#include <stdlib.h>
#include <string.h>

typedef struct part {
    kz_excerpt excerpt;
    uint64_t places;             /* of the index */
    const kz_table_kind *parent; /* the kind of the table that it was made from, */
    void *index;                 /* which ranks positions */
} part;

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

static kz_status open_part(const kz_game *game, int rules, uint32_t block, uint64_t entries, void **opened,
                           kz_shape *shape, kz_error *error) {
    (void)block;
    part *self = calloc(1, sizeof *self);
    *opened = self;
    if (!self) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open the excerpt");
    }
    self->parent = kz_own_kind(game);
    KZ_TRY(self->parent->open(game, rules, 0, 0, &self->index, shape, error));
    self->excerpt.stored = entries;
    self->places = shape->places;
    shape->entries = entries;
    shape->block = KZ_EXCERPT_BLOCK;
    shape->entry_bytes = sizeof(uint64_t);
    shape->scratch_bytes = KZ_EXCERPT_RAW_MOST;
    return KZ_OK;
}

static kz_status unpack_part(void *opened, const uint8_t *raw, size_t size, kz_error *error) {
    kz_excerpt *excerpt = &((part *)opened)->excerpt;
    size_t blocks = kz_excerpt_blocks(excerpt->stored);
    if (size < KZ_SHA256_BYTES || (size - KZ_SHA256_BYTES) / sizeof(uint64_t) != blocks ||
        (size - KZ_SHA256_BYTES) % sizeof(uint64_t) != 0) {
        return kz_fail(error, KZ_ERR_CORRUPT, "its list of blocks is wrong");
    }
    excerpt->firsts = malloc((blocks + 1) * sizeof *excerpt->firsts);
    if (!excerpt->firsts) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open the excerpt");
    }
    memcpy(excerpt->parent, raw, KZ_SHA256_BYTES);
    for (size_t block = 0; block < blocks; block++) {
        excerpt->firsts[block] = kz_load_le64(raw + KZ_SHA256_BYTES + block * sizeof(uint64_t));
        if (block > 0 && excerpt->firsts[block] <= excerpt->firsts[block - 1]) {
            return kz_fail(error, KZ_ERR_CORRUPT, "its list of blocks is wrong");
        }
    }
    return KZ_OK;
}

static void close_part(void *opened) {
    part *self = opened;
    if (self->index) {
        self->parent->close(self->index);
    }
    free(self->excerpt.firsts);
    free(self);
}

static bool decode_part(const void *opened, void *scratch, uint64_t block, unsigned places, const uint8_t *bytes,
                        size_t size, uint8_t *entries) {
    const part *self = opened;
    (void)places; /* as many as it has */
    return kz_excerpt_decode(&self->excerpt, block, self->places, bytes, size, scratch, (uint64_t *)(void *)entries);
}

/* ---- Looking up -------------------------------------------------------------------------------------------------- */

/* The block that has a position if any has it; false: none. */
static bool find_block(const kz_excerpt *excerpt, uint64_t index, uint64_t *block) {
    uint64_t begin = 0;
    uint64_t end = kz_excerpt_blocks(excerpt->stored);
    while (begin < end) {
        uint64_t middle = begin + (end - begin) / 2;
        if (excerpt->firsts[middle] <= index) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    *block = begin - 1;
    return begin > 0;
}

/* What is stored for an index, if it is there. */
static kz_status look_up(const kz_table *table, uint64_t index, kz_value *value, kz_error *error) {
    const part *self = kz_table_self(table);
    const void *entries;
    kz_block_reader *reader;
    uint64_t block;
    uint8_t number;
    if (!find_block(&self->excerpt, index, &block)) {
        return KZ_OK;
    }
    KZ_TRY(kz_table_take_block(table, block, &entries, &reader, error));
    if (kz_excerpt_find(entries, kz_excerpt_entries_in(self->excerpt.stored, block), index, &number)) {
        *value = kz_value_of_entry(number);
    }
    kz_table_give_back(table, reader);
    return KZ_OK;
}

static kz_status probe_part(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error);

/* A position without an index, by an excerpt: the best of its moves, if the values of all of them are known. */
static kz_status best_of_moves(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error) {
    const kz_game *game = kz_table_game(table);
    int rules = kz_table_rules(table);
    kz_list memory;
    kz_move *moves = kz_list_open(&memory, kz_max_moves(game, rules), sizeof *moves);
    kz_status status = moves ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to list the moves of a position");
    int count = moves ? kz_moves(game, rules, position, moves) : 0;
    kz_status missing = KZ_OK; /* the bytes of all others are asked for, too */
    bool all_known = true;
    kz_value best = {KZ_LOSS, 0};
    for (int i = 0; status == KZ_OK && i < count; i++) {
        kz_position after = *position;
        kz_value promised;
        kz_play(game, rules, &after, moves[i]);
        status = probe_part(table, &after, &promised, error);
        if (status == KZ_ERR_IO) {
            missing = status;
            status = KZ_OK;
            continue;
        }
        all_known = all_known && promised.outcome != KZ_UNKNOWN;
        promised = kz_value_before(promised);
        best = i == 0 || kz_value_worth(promised) > kz_value_worth(best) ? promised : best;
    }
    kz_list_close(&memory);
    *value = all_known ? best : (kz_value){KZ_UNKNOWN, 0};
    return status == KZ_OK ? missing : status;
}

/* An excerpt leaves out what the rules tell. */
static kz_status probe_part(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error) {
    const part *self = kz_table_self(table);
    uint64_t index;
    *value = kz_immediate(kz_table_game(table), kz_table_rules(table), position);
    if (value->outcome != KZ_UNKNOWN) {
        return KZ_OK;
    }
    *value = self->parent->look(self->index, position, &index);
    if (value->outcome != KZ_UNKNOWN) {
        return KZ_OK;
    }
    return index == KZ_NO_INDEX ? best_of_moves(table, position, value, error) : look_up(table, index, value, error);
}

const kz_table_kind kz_excerpt_kind = {
    .version = KZ_TABLE_VERSION_PART,
    .index_bytes = KZ_INDEX_BYTES,
    .cached_bytes = KZ_CACHED_MANY,
    .is_excerpt = true,
    .open = open_part,
    .unpack = unpack_part,
    .close = close_part,
    .decode = decode_part,
    .probe = probe_part,
#ifndef KANZEN_READ_ONLY
    .verify = kz_excerpt_verify,
#endif
};
