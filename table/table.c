/* SPDX-License-Identifier: MIT
 *
 * A table file: opened, checked, read. */
#include "base/bits.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "table/cache.h"
#include "table/coder.h"
#include "table/format.h"
#include "table/reader.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { CACHED_BLOCKS = 16384 }; /* 64 MiB at most */
enum { MODEL_BYTES_MOST = 64 << 20 };

struct kz_table {
    char *path;
    kz_mapping file;
    const kz_game *game;
    int rules;
    uint64_t positions;
    uint64_t blocks;
    const uint8_t *counts;
    size_t count_entries;
    const uint8_t *index;
    uint64_t *offsets; /* of the blocks in the file, and the end of the last */
    kz_model *model;
    void *reader;
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
    if (version != KZ_TABLE_VERSION) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: a table of version %u, and this program reads version %d",
                       table->path, (unsigned)version, KZ_TABLE_VERSION);
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
    table->positions = kz_load_le64(header + KZ_AT_POSITIONS);
    if (table->positions != table->game->index_size || kz_load_le32(header + KZ_AT_BLOCK_SIZE) != KZ_BLOCK_POSITIONS) {
        return corrupt(table, error, "made for another index of the game's positions");
    }
    table->blocks = (table->positions + KZ_BLOCK_POSITIONS - 1) / KZ_BLOCK_POSITIONS;
    kz_hex(header + KZ_AT_DIGEST, KZ_SHA256_BYTES, table->digest);
    return KZ_OK;
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

static kz_status read_model(kz_table *table, const uint8_t *bytes, size_t size, kz_error *error) {
    unsigned long long raw_size = ZSTD_getFrameContentSize(bytes, size);
    if (raw_size > MODEL_BYTES_MOST) { /* the error codes are large numbers, too */
        return corrupt(table, error, "the probabilities can't be unpacked");
    }
    uint8_t *raw = malloc((size_t)raw_size + 1);
    if (!raw) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", table->path);
    }
    size_t got = ZSTD_decompress(raw, (size_t)raw_size, bytes, size);
    kz_status status = ZSTD_isError(got) || got != raw_size
                           ? corrupt(table, error, "the probabilities can't be unpacked")
                           : kz_model_unpack(raw, got, &table->model, error);
    free(raw);
    return status;
}

static kz_status read_index(kz_table *table, size_t size, uint64_t at, kz_error *error) {
    if (size != table->blocks * KZ_INDEX_BYTES) {
        return corrupt(table, error, "the index of blocks has the wrong size");
    }
    table->offsets = malloc((table->blocks + 1) * sizeof *table->offsets);
    if (!table->offsets) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", table->path);
    }
    for (uint64_t block = 0; block < table->blocks; block++) {
        table->offsets[block] = at;
        at += kz_load_le16(table->index + block * KZ_INDEX_BYTES + KZ_INDEX_SIZE);
    }
    table->offsets[table->blocks] = at;
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
    return size % KZ_COUNT_BYTES == 0 && sum == table->positions ? KZ_OK
                                                                 : corrupt(table, error, "the counts don't add up");
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
        status = read_model(table, model, model_size, error);
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
        table->cache = kz_cache_new(CACHED_BLOCKS);
    }
    if (!table || !table->path || !table->cache) {
        kz_table_close(table);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", path);
    }
    kz_status status = kz_mapping_open(&table->file, path, error);
    if (status == KZ_OK) {
        status = read_header(table, error);
    }
    if (status == KZ_OK) {
        status = open_sections(table, error);
    }
    if (status == KZ_OK) {
        table->reader = table->game->reader->open(table->rules, error);
        status = table->reader ? KZ_OK : KZ_ERR_MEMORY;
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
        if (table->reader) {
            table->game->reader->close(table->reader);
        }
        kz_model_free(table->model);
        kz_cache_free(table->cache);
        kz_mapping_close(&table->file);
        free(table->offsets);
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

const void *kz_table_game_reader(const kz_table *table) { return table->reader; }

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

static kz_status block_intact(const kz_table *table, uint64_t block, kz_error *error) {
    const uint8_t *bytes = table->file.data + table->offsets[block];
    size_t size = table->offsets[block + 1] - table->offsets[block];
    uint32_t expected = kz_load_le32(table->index + block * KZ_INDEX_BYTES + KZ_INDEX_CHECK);
    if ((uint32_t)kz_hash64_seeded(bytes, size, block) != expected) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: block %llu is damaged (its checksum does not match)", table->path,
                       (unsigned long long)block);
    }
    return KZ_OK;
}

static kz_status read_block(const kz_table *table, uint64_t block, uint8_t values[KZ_BLOCK_POSITIONS],
                            kz_error *error) {
    kz_status status = block_intact(table, block, error);
    if (status != KZ_OK) {
        return status;
    }
    kz_plan plan;
    uint64_t first = block * KZ_BLOCK_POSITIONS;
    uint64_t left = table->positions - first;
    unsigned positions = left < KZ_BLOCK_POSITIONS ? (unsigned)left : KZ_BLOCK_POSITIONS;
    table->game->reader->plan(table->reader, first, positions, &plan);
    if (!kz_coder_decode(table->model, &plan, table->file.data + table->offsets[block],
                         table->offsets[block + 1] - table->offsets[block], positions, values)) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: block %llu can't be decoded", table->path,
                       (unsigned long long)block);
    }
    return KZ_OK;
}

/* The first `positions` of a block. */
static kz_status read_some(const kz_table *table, uint64_t block, unsigned positions,
                           uint8_t values[KZ_BLOCK_POSITIONS], kz_error *error) {
    kz_status status = block_intact(table, block, error);
    if (status == KZ_OK) {
        kz_plan plan;
        table->game->reader->plan(table->reader, block * KZ_BLOCK_POSITIONS, positions, &plan);
        kz_coder_decode_some(table->model, &plan, table->file.data + table->offsets[block],
                             table->offsets[block + 1] - table->offsets[block], positions, values);
    }
    return status;
}

kz_status kz_table_read(const kz_table *table, uint64_t first, uint64_t count, uint8_t *losses, kz_error *error) {
    uint8_t values[KZ_BLOCK_POSITIONS];
    while (count > 0) {
        unsigned offset = (unsigned)(first % KZ_BLOCK_POSITIONS);
        uint64_t piece = KZ_BLOCK_POSITIONS - offset < count ? KZ_BLOCK_POSITIONS - offset : count;
        kz_status status = read_block(table, first / KZ_BLOCK_POSITIONS, values, error);
        if (status != KZ_OK) {
            return status;
        }
        memcpy(losses, values + offset, piece);
        losses += piece;
        first += piece;
        count -= piece;
    }
    return KZ_OK;
}

kz_status kz_table_lookup(const kz_table *table, uint64_t index, uint8_t *loss, kz_error *error) {
    uint64_t block = index / KZ_BLOCK_POSITIONS;
    unsigned offset = (unsigned)(index % KZ_BLOCK_POSITIONS);
    if (kz_cache_get(table->cache, block, offset, loss)) {
        return KZ_OK;
    }
    /* Many blocks are needed once and never again. So the first time a block is decoded just as far as it is needed;
     * whoever comes back to it soon pays for all of it, and from then on nothing. */
    uint8_t values[KZ_BLOCK_POSITIONS];
    if (!kz_cache_asked(table->cache, block)) {
        kz_status status = read_some(table, block, offset + 1, values, error);
        if (status == KZ_OK) {
            *loss = values[offset];
        }
        return status;
    }
    kz_status status = read_block(table, block, values, error);
    if (status == KZ_OK) {
        *loss = values[offset];
        kz_cache_put(table->cache, block, values);
    }
    return status;
}

kz_status kz_table_check(const kz_table *table, const kz_progress *progress, kz_error *error) {
    enum { PIECE = 1 << 20 };
    kz_sha256 sha;
    kz_status status = kz_sha256_begin(&sha, error);
    if (status != KZ_OK) {
        return status;
    }
    for (uint64_t block = 0; status == KZ_OK && block < table->blocks; block++) {
        status = block_intact(table, block, error);
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
