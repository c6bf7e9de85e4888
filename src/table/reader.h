/* SPDX-License-Identifier: MIT
 *
 * Reading what a table stores, for the parts of the library that look at more than single positions. */
#ifndef KZ_TABLE_READER_H
#define KZ_TABLE_READER_H

#include "game/gamedef.h"
#include "table/cache.h"
#include "table/kind.h"

/* What the table stores for places [first, first + count) of the index. Nothing is kept in memory. Any number of
 * threads may do so at once. Entries have as many bytes as the table's kind says. Fails with KZ_ERR_UNSUPPORTED if the
 * table is an excerpt. */
kz_status kz_table_read(const kz_table *table, uint64_t first, uint64_t count, void *entries, kz_error *error);
/* The same of an excerpt, whose entries are counted through. */
kz_status kz_table_read_entries(const kz_table *table, uint64_t first, uint64_t count, void *entries, kz_error *error);

/* The same for one place, through the table's cache. */
kz_status kz_table_lookup(const kz_table *table, uint64_t index, void *entry, kz_error *error);

/* All entries of a block, through the cache; give the reader back. */
typedef struct kz_block_reader kz_block_reader;
kz_status kz_table_take_block(const kz_table *table, uint64_t block, const void **entries, kz_block_reader **reader,
                              kz_error *error);
void kz_table_give_back(const kz_table *table, kz_block_reader *reader);

/* The same only if its block is in the cache; false: it is not. */
bool kz_table_peek(const kz_table *table, uint64_t index, uint8_t *number);
/* Whether its block was needed before, not long ago; then it is decoded as a whole and kept when it is read. With
 * `now`, remembers that it is needed now. */
bool kz_table_asked(const kz_table *table, uint64_t index, bool now);

/* kz_table_lookup for several places, in ascending order; a block that holds several of them is decoded once. Of tables
 * whose entries are bytes. If bytes are not here yet (KZ_ERR_IO), all others have been asked for. */
kz_status kz_table_lookup_sorted(const kz_table *table, const uint64_t *indices, size_t count, uint8_t *numbers,
                                 kz_error *error);

/* The same for places of one block, in any order. `keep`: decode all of it and keep it, because it will be needed again
 * soon. */
kz_status kz_table_lookup_block(const kz_table *table, const uint64_t *indices, size_t count, bool keep,
                                uint8_t *numbers, kz_error *error);

/* The table's cache, if it is one for the whole table. */
kz_whole kz_table_whole(const kz_table *table);

/* kz_probe_moves with where each move leads. Free the list in any case. */
kz_status kz_probe_choices(const kz_table *table, const kz_position *position, kz_choice **choices, int *count,
                           kz_error *error);

/* What a byte of a table of all values means. */
kz_value kz_value_of_entry(uint8_t number);

/* The file as it is, for those who check all of it: its bytes, its digest (SHA-256) as the header states it, the name
 * that messages have for it, and whether a block (0 to blocks - 1) has its checksum. */
const kz_byte_source *kz_table_file(const kz_table *table);
const uint8_t *kz_table_stated_digest(const kz_table *table);
const char *kz_table_name(const kz_table *table);
kz_status kz_table_not_loaded(const kz_table *table, kz_error *error, const char *what); /* `get` returned NULL */
uint64_t kz_table_blocks(const kz_table *table);
kz_status kz_table_check_block(const kz_table *table, uint64_t block, kz_error *error);

/* For a source of bytes that can say more than "not here": kz_table_open_bytes_as with these calls. */
typedef struct kz_source_calls {
    /* Fills `error` with the reason why `get` has just returned NULL, and returns its status. */
    kz_status (*reason)(void *user, kz_error *error);
    /* These bytes fail their checksum. True: they were read anew, so that they may be right now. */
    bool (*renew)(void *user, uint64_t offset, size_t size);
} kz_source_calls;

kz_status kz_table_open_source(const char *name, const kz_byte_source *bytes, const kz_source_calls *calls,
                               const kz_game *game, kz_table **opened, kz_error *error);

/* Fails with KZ_ERR_UNSUPPORTED if a table is an excerpt, for work on whole tables. */
kz_status kz_table_check_whole(const kz_table *table, kz_error *error);

/* How the table is laid out. */
const kz_shape *kz_table_shape(const kz_table *table);

/* A game in parts (game/gamedef.h): takes over the table of another rule set; and the one that has a position. */
void kz_table_add_part(kz_table *table, kz_table *part);
const kz_table *kz_table_part(const kz_table *table, const kz_position *position); /* NULL: none has it */
/* Stands for the tables of a game in parts that has none. NULL: no memory. */
kz_table *kz_table_new_empty(const kz_game *game);

#endif
