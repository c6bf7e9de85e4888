/* SPDX-License-Identifier: MIT
 *
 * Blocks of a table: found in the file, checked, decoded by the table's kind, kept in the cache, and read from there.
 */
#include "base/error.h"
#include "table/table.h"

#include <stdlib.h>
#include <string.h>

/* ---- Readers ----------------------------------------------------------------------------------------------------- */

/* The two buffers lie behind the scratch memory. */
static kz_block_reader *new_reader(const kz_table *table) {
    enum { ALIGNED = 16 };
    size_t scratch = (table->shape.scratch_bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
    size_t entries = (size_t)table->shape.block * table->shape.entry_bytes;
    kz_block_reader *reader = malloc(sizeof *reader + scratch + entries + table->most_bytes);
    if (reader) {
        reader->entries = reader->scratch + scratch;
        reader->coded = reader->entries + entries;
    }
    return reader;
}

static kz_status take_reader(const kz_table *table, kz_block_reader **taken, kz_error *error) {
    kz_block_readers *readers = table->readers;
    kz_lock_take(&readers->lock);
    kz_block_reader *reader = readers->unused;
    if (reader) {
        readers->unused = reader->next;
    }
    kz_lock_release(&readers->lock);
    *taken = reader ? reader : new_reader(table);
    return *taken ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to read %s", table->name);
}

void kz_table_give_back(const kz_table *table, kz_block_reader *reader) {
    kz_block_readers *readers = table->readers;
    kz_lock_take(&readers->lock);
    reader->next = readers->unused;
    readers->unused = reader;
    kz_lock_release(&readers->lock);
}

/* ---- Coded blocks ------------------------------------------------------------------------------------------------ */

/* The bytes of a block. */
typedef struct coded {
    const uint8_t *bytes;
    uint64_t at; /* where they are in the file */
    size_t size;
} coded;

/* Finds a block in the file. */
static kz_status find_block(const kz_table *table, uint64_t block, coded *c, kz_error *error) {
    uint64_t at = table->landmarks[block / KZ_LANDMARK_BLOCKS];
    for (uint64_t before = block - block % KZ_LANDMARK_BLOCKS; before < block; before++) {
        at += kz_table_block_bytes(table, before);
    }
    c->at = at;
    c->size = kz_table_block_bytes(table, block);
    c->bytes = table->file.get(table->file.user, at, c->size);
    if (!c->bytes && !table->calls.reason) {
        return kz_fail(error, KZ_ERR_IO, "%s: block %llu is not loaded yet", table->name, (unsigned long long)block);
    }
    return c->bytes ? KZ_OK : kz_table_not_loaded(table, error, "a block is");
}

static kz_status check_block(const kz_table *table, uint64_t block, coded c, kz_error *error) {
    return kz_directory_check(table->index, table->kind->index_bytes, block, c.bytes, c.size)
               ? KZ_OK
               : kz_fail(error, KZ_ERR_CORRUPT, "%s: block %llu is damaged (its checksum does not match)", table->name,
                         (unsigned long long)block);
}

/* Gets a block and checks it. With `copy`, what is checked and found in `c` is a copy there: another process may write
 * to the file between the check and the decoding, so both have to see the same bytes. */
static kz_status get_block(const kz_table *table, uint64_t block, uint8_t *copy, coded *c, kz_error *error) {
    kz_status status;
    bool again = false;
    do {
        status = find_block(table, block, c, error);
        if (status == KZ_OK && copy) {
            memcpy(copy, c->bytes, c->size);
            c->bytes = copy;
        }
        if (status == KZ_OK) {
            status = check_block(table, block, *c, error);
        }
        again = status == KZ_ERR_CORRUPT && !again && kz_table_renew(table, c->at, c->size);
    } while (again);
    return status;
}

kz_status kz_table_check_block(const kz_table *table, uint64_t block, kz_error *error) {
    coded c;
    return get_block(table, block, NULL, &c, error);
}

/* ---- Decoded blocks ---------------------------------------------------------------------------------------------- */

/* Decodes the first `places` of a block, by the kind's function for that. */
static kz_status decode(const kz_table *table, kz_decode_block *by, kz_block_reader *reader, uint64_t block,
                        unsigned places, void *entries, kz_error *error) {
    coded c;
    KZ_TRY(get_block(table, block, reader->coded, &c, error));
    return by(table->self, reader->scratch, block, places, c.bytes, c.size, entries)
               ? KZ_OK
               : kz_fail(error, KZ_ERR_CORRUPT, "%s: block %llu can't be decoded", table->name,
                         (unsigned long long)block);
}

static kz_status read_block(const kz_table *table, kz_block_reader *reader, uint64_t block, void *entries,
                            kz_error *error) {
    return decode(table, table->kind->decode, reader, block, kz_shape_places(&table->shape, block), entries, error);
}

#ifndef KANZEN_READ_ONLY

static bool get_coded(const kz_table *table, uint64_t block, uint8_t *room, const uint8_t **bytes, size_t *size) {
    coded c;
    if (get_block(table, block, room, &c, NULL) != KZ_OK) {
        return false;
    }
    *bytes = c.bytes;
    *size = c.size;
    return true;
}

/* A block by its number in a range, and its size. */
typedef struct sized {
    uint32_t number;
    uint32_t size;
} sized;

static int by_size(const void *left, const void *right) {
    const sized *a = left;
    const sized *b = right;
    if (a->size != b->size) {
        return a->size < b->size ? 1 : -1;
    }
    return a->number < b->number ? -1 : 1;
}

/* The blocks of a range, the largest first. NULL: no memory. */
static uint32_t *order_by_size(const kz_table *table, uint64_t first, uint64_t count) {
    sized *blocks = malloc(count * sizeof *blocks);
    uint32_t *order = malloc(count * sizeof *order);
    if (blocks && order) {
        for (uint64_t i = 0; i < count; i++) {
            blocks[i] = (sized){(uint32_t)i, (uint32_t)kz_table_block_bytes(table, first + i)};
        }
        qsort(blocks, count, sizeof *blocks, by_size);
        for (uint64_t i = 0; i < count; i++) {
            order[i] = blocks[i].number;
        }
    } else {
        free(order);
        order = NULL;
    }
    free(blocks);
    return order;
}

/* Whole blocks at once. False: read them one by one, which also tells what is wrong. */
static bool read_many(const kz_table *table, uint64_t first, uint64_t count, uint8_t *entries) {
    unsigned places = table->shape.block;
    uint64_t blocks = count / places;
    if (!table->kind->decode_many || first % places || count % places || blocks == 0 || blocks > UINT32_MAX) {
        return false;
    }
    uint32_t *order = order_by_size(table, first / places, blocks);
    kz_block_range range = {.first = first / places,
                            .count = blocks,
                            .order = order,
                            .most_bytes = table->most_bytes,
                            .get = get_coded,
                            .table = table};
    bool read = order && table->kind->decode_many(table->self, &range, entries);
    free(order);
    return read;
}

#endif

static kz_status read_range(const kz_table *table, kz_block_reader *reader, uint64_t first, uint64_t count,
                            uint8_t *entries, kz_error *error) {
    unsigned block_places = table->shape.block;
    size_t width = table->shape.entry_bytes;
    while (count > 0) {
        uint64_t block = first / block_places;
        unsigned offset = (unsigned)(first % block_places);
        uint64_t piece = block_places - offset < count ? block_places - offset : count;
        bool whole = piece == kz_shape_places(&table->shape, block);
        KZ_TRY(read_block(table, reader, block, whole ? entries : reader->entries, error));
        if (!whole) {
            memcpy(entries, reader->entries + offset * width, (size_t)piece * width);
        }
        entries += piece * width;
        first += piece;
        count -= piece;
    }
    return KZ_OK;
}

kz_status kz_table_check_whole(const kz_table *table, kz_error *error) {
    return table->kind->is_excerpt
               ? kz_fail(error, KZ_ERR_UNSUPPORTED,
                         "%s: an excerpt, which has %llu positions only; this takes the whole table", table->name,
                         (unsigned long long)table->positions)
               : KZ_OK;
}

kz_status kz_table_read_entries(const kz_table *table, uint64_t first, uint64_t count, void *entries, kz_error *error) {
#ifndef KANZEN_READ_ONLY
    if (read_many(table, first, count, entries)) {
        return KZ_OK;
    }
#endif
    kz_block_reader *reader;
    KZ_TRY(take_reader(table, &reader, error));
    kz_status status = read_range(table, reader, first, count, entries, error);
    kz_table_give_back(table, reader);
    return status;
}

kz_status kz_table_read(const kz_table *table, uint64_t first, uint64_t count, void *entries, kz_error *error) {
    KZ_TRY(kz_table_check_whole(table, error));
    return kz_table_read_entries(table, first, count, entries, error);
}

/* ---- Through the cache ------------------------------------------------------------------------------------------- */

/* Reads a block that is not in the cache, as far as `place` at least, into the reader's entries; all of it, and keeps
 * it, if it is to be kept. */
static kz_status fetch(const kz_table *table, kz_block_reader *reader, uint64_t block, unsigned place, bool keep,
                       kz_error *error) {
    /* Many blocks of a table of losses are needed once and never again. So the first lookup in a block decodes only as
     * far as it needs to; the second one soon after decodes the whole block and caches it. In a table of all values the
     * successors of one position are in the same blocks, so every block is cached at once. */
    kz_decode_block *some = table->kind->decode_some;
    if (!keep && some && !kz_cache_asked(table->cache, block, true)) {
        return decode(table, some, reader, block, place + 1, reader->entries, error);
    }
    KZ_TRY(read_block(table, reader, block, reader->entries, error));
    kz_cache_put(table->cache, block, reader->entries);
    return KZ_OK;
}

kz_status kz_table_lookup(const kz_table *table, uint64_t index, void *entry, kz_error *error) {
    size_t width = table->shape.entry_bytes;
    uint64_t block = index / table->shape.block;
    unsigned place = (unsigned)(index % table->shape.block);
    if (kz_cache_get(table->cache, block, place * width, entry, width)) {
        return KZ_OK;
    }
    kz_block_reader *reader;
    KZ_TRY(take_reader(table, &reader, error));
    kz_status status = fetch(table, reader, block, place, false, error);
    if (status == KZ_OK) {
        memcpy(entry, reader->entries + place * width, width);
    }
    kz_table_give_back(table, reader);
    return status;
}

kz_status kz_table_take_block(const kz_table *table, uint64_t block, const void **entries, kz_block_reader **reader,
                              kz_error *error) {
    size_t bytes = (size_t)table->shape.block * table->shape.entry_bytes;
    KZ_TRY(take_reader(table, reader, error));
    *entries = (*reader)->entries;
    kz_status status = kz_cache_get(table->cache, block, 0, (*reader)->entries, bytes)
                           ? KZ_OK
                           : fetch(table, *reader, block, 0, true, error);
    if (status != KZ_OK) {
        kz_table_give_back(table, *reader);
    }
    return status;
}

bool kz_table_peek(const kz_table *table, uint64_t index, uint8_t *number) {
    unsigned block_places = table->shape.block;
    return kz_cache_get(table->cache, index / block_places, index % block_places, number, 1);
}

bool kz_table_asked(const kz_table *table, uint64_t index, bool now) {
    return kz_cache_asked(table->cache, index / table->shape.block, now);
}

kz_whole kz_table_whole(const kz_table *table) { return kz_cache_whole(table->cache); }

/* Where it pays to copy a block out of the cache, rather than each entry. */
enum { BYTES_FOR_AN_ENTRY = 512 };

kz_status kz_table_lookup_block(const kz_table *table, const uint64_t *indices, size_t count, bool keep,
                                uint8_t *numbers, kz_error *error) {
    unsigned block_places = table->shape.block;
    uint64_t block = indices[0] / block_places;
    size_t found = 0;
    bool many = count * BYTES_FOR_AN_ENTRY > block_places;
    while (!many && found < count &&
           kz_cache_get(table->cache, block, indices[found] % block_places, &numbers[found], 1)) {
        found++;
    }
    if (found == count) {
        return KZ_OK;
    }
    kz_block_reader *reader;
    kz_status status = KZ_OK;
    KZ_TRY(take_reader(table, &reader, error));
    if (!(many && kz_cache_get(table->cache, block, 0, reader->entries, block_places))) {
        uint64_t last = 0;
        for (size_t i = 0; i < count; i++) {
            last = indices[i] > last ? indices[i] : last;
        }
        status = fetch(table, reader, block, (unsigned)(last % block_places), keep, error);
    }
    for (size_t i = found; status == KZ_OK && i < count; i++) {
        numbers[i] = reader->entries[indices[i] % block_places];
    }
    kz_table_give_back(table, reader);
    return status;
}

kz_status kz_table_lookup_sorted(const kz_table *table, const uint64_t *indices, size_t count, uint8_t *numbers,
                                 kz_error *error) {
    unsigned block_places = table->shape.block;
    kz_status missing = KZ_OK;
    for (size_t begin = 0, end = 0; begin < count; begin = end) {
        while (end < count && indices[end] / block_places == indices[begin] / block_places) {
            end++;
        }
        kz_status status = kz_table_lookup_block(table, indices + begin, end - begin, false, numbers + begin, error);
        if (status == KZ_ERR_IO) {
            missing = status;
        } else if (status != KZ_OK) {
            return status;
        }
    }
    return missing;
}
