/* SPDX-License-Identifier: MIT
 *
 * A table file: opened, checked, read. */
#include "base/bits.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "table/cache.h"
#include "table/codec.h"
#include "table/format.h"
#include "table/reader.h"

#include <stdlib.h>
#include <string.h>

/* Where blocks are is kept for one of so many, and found from there by adding sizes. */
enum { LANDMARK_BLOCKS = 64 };
/* Decoded blocks, at most. The successors of one position of a table of all values may take thousands of them. */
enum { CACHED_BYTES_OF_LOSSES = 64 << 20, CACHED_BYTES = 256 << 20 };

struct kz_table {
    char *path;
    kz_mapping file;
    const kz_game *game;
    int rules;
    kz_codec codec;
    uint64_t positions; /* that exist */
    const uint8_t *counts;
    size_t count_entries;
    const uint8_t *index;
    size_t index_entry;  /* bytes */
    uint64_t *landmarks; /* where every LANDMARK_BLOCKS-th block is in the file */
    kz_cache *cache;
    char digest[KZ_SHA256_HEX_BYTES];
};

static kz_status corrupt(const kz_table *table, kz_error *error, const char *what) {
    return kz_fail(error, KZ_ERR_CORRUPT, "%s: %s", table->path, what);
}

/* ---- Opening -------------------------------------------------------------------------------------------------------
 */

/* A name field: text, then zero bytes to its end. */
static bool read_name(const uint8_t *field, char name[KZ_TABLE_NAME_BYTES]) {
    memcpy(name, field, KZ_TABLE_NAME_BYTES);
    size_t length = strnlen(name, KZ_TABLE_NAME_BYTES);
    for (size_t i = length; i < KZ_TABLE_NAME_BYTES; i++) {
        if (name[i]) {
            return false;
        }
    }
    return length > 0 && length < KZ_TABLE_NAME_BYTES;
}

static kz_status read_header(kz_table *table, kz_error *error) {
    const uint8_t *header = table->file.data;
    size_t magic = table->file.size < KZ_TABLE_MAGIC_BYTES ? table->file.size : KZ_TABLE_MAGIC_BYTES;
    if (magic == 0 || memcmp(header, KZ_TABLE_MAGIC, magic) != 0) {
        return corrupt(table, error, "not a Kanzen table");
    }
    if (table->file.size < KZ_TABLE_HEADER_BYTES) {
        return corrupt(table, error, "the file ends within its header");
    }
    uint32_t version = kz_load_le32(header + KZ_AT_VERSION);
    if (kz_load_le64(header + KZ_AT_HEADER_HASH) != kz_hash64(header, KZ_AT_HEADER_HASH)) {
        return corrupt(table, error, "the header is damaged (its checksum does not match)");
    }
    if (version != KZ_TABLE_VERSION_LOSSES && version != KZ_TABLE_VERSION_VALUES) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: a table of version %u, and this program reads versions %d and %d",
                       table->path, (unsigned)version, KZ_TABLE_VERSION_LOSSES, KZ_TABLE_VERSION_VALUES);
    }
    if (kz_load_le64(header + KZ_AT_FILE_BYTES) != table->file.size) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: %zu bytes long, but should have %llu", table->path, table->file.size,
                       (unsigned long long)kz_load_le64(header + KZ_AT_FILE_BYTES));
    }
    char game[KZ_TABLE_NAME_BYTES];
    char rules[KZ_TABLE_NAME_BYTES];
    if (!read_name(header + KZ_AT_GAME, game) || !read_name(header + KZ_AT_RULES, rules)) {
        return corrupt(table, error, "the name of the game or of the rules is no name");
    }
    table->game = kz_game_find(game);
    if (!table->game || !table->game->reader) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: a table of the game '%s', which this program does not know",
                       table->path, game);
    }
    table->rules = kz_rules_find(table->game, rules);
    if (table->rules < 0) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: a table by the rules '%s', which this program does not know",
                       table->path, rules);
    }
    kz_hex(header + KZ_AT_DIGEST, KZ_SHA256_BYTES, table->digest);
    return KZ_OK;
}

/* Asks the game, and compares with what the header says. */
static kz_status open_codec(kz_table *table, kz_error *error) {
    const uint8_t *header = table->file.data;
    kz_status status = kz_codec_open(&table->codec, table->game, table->rules, error);
    if (status != KZ_OK) {
        return status;
    }
    const kz_shape *shape = &table->codec.shape;
    bool losses = kz_load_le32(header + KZ_AT_VERSION) == KZ_TABLE_VERSION_LOSSES;
    table->index_entry = losses ? KZ_INDEX_BYTES : KZ_INDEX2_BYTES;
    if (losses != (shape->row == 0) || kz_load_le64(header + KZ_AT_POSITIONS) != shape->places ||
        kz_load_le32(header + KZ_AT_BLOCK_SIZE) != shape->block) {
        return corrupt(table, error, "made for another index of the game's positions");
    }
    unsigned cached = (losses ? CACHED_BYTES_OF_LOSSES : CACHED_BYTES) / shape->block;
    table->cache = kz_cache_new(cached < table->codec.blocks ? cached : (unsigned)table->codec.blocks, shape->block);
    return table->cache ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", table->path);
}

static kz_status read_section(const kz_table *table, int bytes_at, int hash_at, uint64_t *at, const uint8_t **bytes,
                              size_t *size, kz_error *error) {
    const uint8_t *header = table->file.data;
    *size = kz_load_le32(header + bytes_at);
    *bytes = header + *at;
    if (*size > table->file.size - *at || kz_load_le64(header + hash_at) != kz_hash64(*bytes, *size)) {
        return corrupt(table, error, "the file is damaged (a checksum before the blocks does not match)");
    }
    *at += *size;
    return KZ_OK;
}

static size_t block_size(const kz_table *table, uint64_t block) {
    const uint8_t *entry = table->index + block * table->index_entry;
    return table->index_entry == KZ_INDEX_BYTES ? kz_load_le16(entry + KZ_INDEX_SIZE)
                                                : 2 * (size_t)kz_load_le16(entry + KZ_INDEX2_SIZE);
}

static kz_status read_index(kz_table *table, size_t size, uint64_t at, kz_error *error) {
    uint64_t blocks = table->codec.blocks;
    if (size != blocks * table->index_entry) {
        return corrupt(table, error, "the index of blocks has the wrong size");
    }
    table->landmarks = malloc((blocks / LANDMARK_BLOCKS + 1) * sizeof *table->landmarks);
    if (!table->landmarks) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", table->path);
    }
    for (uint64_t block = 0; block < blocks; block++) {
        if (block % LANDMARK_BLOCKS == 0) {
            table->landmarks[block / LANDMARK_BLOCKS] = at;
        }
        at += block_size(table, block);
    }
    return at == table->file.size ? KZ_OK : corrupt(table, error, "the blocks don't end where the file ends");
}

static kz_status check_counts(kz_table *table, size_t size, kz_error *error) {
    uint64_t sum = 0;
    table->count_entries = size / KZ_COUNT_BYTES;
    for (size_t i = 0; i < table->count_entries; i++) {
        const uint8_t *entry = table->counts + i * KZ_COUNT_BYTES;
        sum += kz_load_le64(entry + KZ_COUNT_NUMBER);
        if (entry[KZ_COUNT_OUTCOME] < KZ_LOSS || entry[KZ_COUNT_OUTCOME] > KZ_WIN) {
            return corrupt(table, error, "the counts name a value that is none");
        }
    }
    /* Without rows every place is a position. */
    const kz_shape *shape = &table->codec.shape;
    bool fits = shape->row ? sum <= shape->places : sum == shape->places;
    table->positions = sum;
    return size % KZ_COUNT_BYTES == 0 && fits ? KZ_OK : corrupt(table, error, "the counts don't add up");
}

static kz_status open_sections(kz_table *table, kz_error *error) {
    const uint8_t *model;
    size_t counts_size;
    size_t model_size;
    size_t index_size;
    uint64_t at = KZ_TABLE_HEADER_BYTES;
    kz_status status =
        read_section(table, KZ_AT_COUNTS_BYTES, KZ_AT_COUNTS_HASH, &at, &table->counts, &counts_size, error);
    if (status == KZ_OK) {
        status = read_section(table, KZ_AT_MODEL_BYTES, KZ_AT_MODEL_HASH, &at, &model, &model_size, error);
    }
    if (status == KZ_OK) {
        status = read_section(table, KZ_AT_INDEX_BYTES, KZ_AT_INDEX_HASH, &at, &table->index, &index_size, error);
    }
    if (status == KZ_OK) {
        status = check_counts(table, counts_size, error);
    }
    if (status == KZ_OK) {
        kz_error reason;
        status = kz_codec_unpack(&table->codec, model, model_size, &reason);
        if (status != KZ_OK) {
            kz_fail(error, status, "%s: %s", table->path, reason.message);
        }
    }
    if (status == KZ_OK) {
        status = read_index(table, index_size, at, error);
    }
    return status;
}

kz_status kz_table_open(const char *path, kz_table **opened, kz_error *error) {
    kz_table *table = calloc(1, sizeof *table);
    if (table) {
        table->path = strdup(path);
    }
    if (!table || !table->path) {
        kz_table_close(table);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", path);
    }
    kz_status status = kz_mapping_open(&table->file, path, error);
    if (status == KZ_OK) {
        status = read_header(table, error);
    }
    if (status == KZ_OK) {
        status = open_codec(table, error);
    }
    if (status == KZ_OK) {
        status = open_sections(table, error);
    }
    if (status != KZ_OK) {
        kz_table_close(table);
        return status;
    }
    *opened = table;
    return KZ_OK;
}

void kz_table_close(kz_table *table) {
    if (table) {
        kz_codec_close(&table->codec);
        kz_cache_free(table->cache);
        kz_mapping_close(&table->file);
        free(table->landmarks);
        free(table->path);
        free(table);
    }
}

/* ---- What it is ----------------------------------------------------------------------------------------------------
 */

const kz_game *kz_table_game(const kz_table *table) { return table->game; }

int kz_table_rules(const kz_table *table) { return table->rules; }

uint64_t kz_table_positions(const kz_table *table) { return table->positions; }

uint64_t kz_table_bytes(const kz_table *table) { return table->file.size; }

const char *kz_table_digest(const kz_table *table) { return table->digest; }

const void *kz_table_game_reader(const kz_table *table) { return table->codec.reader; }

const kz_shape *kz_table_shape(const kz_table *table) { return &table->codec.shape; }

bool kz_table_count(const kz_table *table, size_t number, kz_value *value, uint64_t *count) {
    if (number >= table->count_entries) {
        return false;
    }
    const uint8_t *entry = table->counts + number * KZ_COUNT_BYTES;
    *value = (kz_value){entry[KZ_COUNT_OUTCOME], kz_load_le16(entry + KZ_COUNT_DISTANCE)};
    *count = kz_load_le64(entry + KZ_COUNT_NUMBER);
    return true;
}

/* ---- Reading blocks ------------------------------------------------------------------------------------------------
 */

/* The bytes of a block. */
typedef struct coded {
    const uint8_t *bytes;
    size_t size;
} coded;

static coded coded_block(const kz_table *table, uint64_t block) {
    uint64_t at = table->landmarks[block / LANDMARK_BLOCKS];
    for (uint64_t before = block - block % LANDMARK_BLOCKS; before < block; before++) {
        at += block_size(table, before);
    }
    return (coded){table->file.data + at, block_size(table, block)};
}

static kz_status check_block(const kz_table *table, uint64_t block, coded c, kz_error *error) {
    const uint8_t *entry = table->index + block * table->index_entry;
    uint64_t hash = kz_hash64_seeded(c.bytes, c.size, block);
    bool intact = table->index_entry == KZ_INDEX_BYTES ? (uint32_t)hash == kz_load_le32(entry + KZ_INDEX_CHECK)
                                                       : (uint16_t)hash == kz_load_le16(entry + KZ_INDEX2_CHECK);
    return intact ? KZ_OK
                  : kz_fail(error, KZ_ERR_CORRUPT, "%s: block %llu is damaged (its checksum does not match)",
                            table->path, (unsigned long long)block);
}

static kz_status read_block(const kz_table *table, kz_desk *desk, uint64_t block, uint8_t *numbers, kz_error *error) {
    coded c = coded_block(table, block);
    kz_status status = check_block(table, block, c, error);
    if (status == KZ_OK && !kz_codec_decode(&table->codec, desk, block, c.bytes, c.size, numbers)) {
        status =
            kz_fail(error, KZ_ERR_CORRUPT, "%s: block %llu can't be decoded", table->path, (unsigned long long)block);
    }
    return status;
}

/* Memory for reading blocks: a desk, and room for the numbers of one. */
typedef struct lectern {
    kz_desk *desk;
    uint8_t *numbers;
} lectern;

static kz_status open_lectern(const kz_table *table, lectern *l, kz_error *error) {
    *l = (lectern){kz_desk_new(&table->codec, false), malloc(table->codec.shape.block)};
    return l->desk && l->numbers ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to read %s", table->path);
}

static void close_lectern(lectern *l) {
    kz_desk_free(l->desk);
    free(l->numbers);
}

static kz_status read_range(const kz_table *table, const lectern *l, uint64_t first, uint64_t count, uint8_t *numbers,
                            kz_error *error) {
    unsigned block_places = table->codec.shape.block;
    kz_status status = KZ_OK;
    while (status == KZ_OK && count > 0) {
        uint64_t block = first / block_places;
        unsigned offset = (unsigned)(first % block_places);
        uint64_t piece = block_places - offset < count ? block_places - offset : count;
        bool whole = piece == kz_codec_places(&table->codec, block);
        status = read_block(table, l->desk, block, whole ? numbers : l->numbers, error);
        if (status == KZ_OK && !whole) {
            memcpy(numbers, l->numbers + offset, piece);
        }
        numbers += piece;
        first += piece;
        count -= piece;
    }
    return status;
}

kz_status kz_table_read(const kz_table *table, uint64_t first, uint64_t count, uint8_t *numbers, kz_error *error) {
    lectern l;
    kz_status status = open_lectern(table, &l, error);
    if (status == KZ_OK) {
        status = read_range(table, &l, first, count, numbers, error);
    }
    close_lectern(&l);
    return status;
}

/* Looks up a number in a block that is not in the cache. */
static kz_status fetch(const kz_table *table, const lectern *l, uint64_t block, unsigned place, kz_error *error) {
    /* Many blocks of a table of losses are needed once and never again. So the first time a block is decoded just as
     * far as it is needed; whoever comes back to it soon pays for all of it, and from then on nothing. In a table of
     * all values the successors of one position meet in the same blocks. */
    if (table->codec.shape.row == 0 && !kz_cache_asked(table->cache, block)) {
        coded c = coded_block(table, block);
        kz_status status = check_block(table, block, c, error);
        if (status == KZ_OK) {
            kz_codec_decode_some(&table->codec, l->desk, block, c.bytes, c.size, place + 1, l->numbers);
        }
        return status;
    }
    kz_status status = read_block(table, l->desk, block, l->numbers, error);
    if (status == KZ_OK) {
        kz_cache_put(table->cache, block, l->numbers);
    }
    return status;
}

kz_status kz_table_lookup(const kz_table *table, uint64_t index, uint8_t *number, kz_error *error) {
    uint64_t block = index / table->codec.shape.block;
    unsigned place = (unsigned)(index % table->codec.shape.block);
    if (kz_cache_get(table->cache, block, place, number)) {
        return KZ_OK;
    }
    lectern l;
    kz_status status = open_lectern(table, &l, error);
    if (status == KZ_OK) {
        status = fetch(table, &l, block, place, error);
    }
    if (status == KZ_OK) {
        *number = l.numbers[place];
    }
    close_lectern(&l);
    return status;
}

kz_status kz_table_check(const kz_table *table, const kz_progress *progress, kz_error *error) {
    enum { PIECE = 1 << 20 };
    kz_sha256 sha;
    kz_status status = kz_sha256_begin(&sha, error);
    if (status != KZ_OK) {
        return status;
    }
    const uint8_t *bytes = table->file.data + table->landmarks[0];
    for (uint64_t block = 0; status == KZ_OK && block < table->codec.blocks; block++) {
        coded c = {bytes, block_size(table, block)};
        status = check_block(table, block, c, error);
        bytes += c.size;
    }
    for (uint64_t at = KZ_TABLE_HEADER_BYTES; status == KZ_OK && at < table->file.size; at += PIECE) {
        uint64_t left = table->file.size - at;
        kz_sha256_update(&sha, table->file.data + at, left < PIECE ? left : PIECE);
        if (progress && progress->report &&
            !progress->report(progress->user, "checking the file", at, table->file.size)) {
            status = kz_fail(error, KZ_ERR_CANCELLED, "stopped");
        }
    }
    if (status != KZ_OK) {
        kz_sha256_discard(&sha);
        return status;
    }
    uint8_t digest[KZ_SHA256_BYTES];
    status = kz_sha256_finish(&sha, digest, error);
    if (status == KZ_OK && memcmp(digest, table->file.data + KZ_AT_DIGEST, KZ_SHA256_BYTES) != 0) {
        status = corrupt(table, error, "the file is damaged (its digest does not match)");
    }
    return status;
}
