/* SPDX-License-Identifier: MIT
 *
 * A table: opened, checked, read; from whatever bytes it is made of. */
#include "base/bits.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "game/defined.h"
#include "table/any_probe.h"
#include "table/block_reader.h"
#include "table/cache.h"
#include "table/format.h"
#include "table/reader.h"

#include <kanzen/load.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where blocks are is kept for one of so many, and found from there by adding sizes. */
enum { LANDMARK_BLOCKS = 64 };
/* Decoded blocks, at most. The successors of one position of a table of all values may take thousands of them. Where
 * pointers are short, so is memory: that is the browser, and maybe on a phone. */
enum { SHARE = sizeof(void *) < 8 ? 2 : 1 };
enum { CACHED_BYTES_OF_LOSSES = (64 << 20) / SHARE, CACHED_BYTES = (256 << 20) / SHARE };

struct kz_table {
    char *name;
    kz_byte_source file;
    kz_source_calls calls; /* NULL where the source has none */
    uint8_t header[KZ_TABLE_HEADER_BYTES];
    const kz_game *game;
    const kz_game *own; /* the same, if it was opened with the table; otherwise NULL */
    int rules;
    kz_codec codec;
    uint64_t positions; /* that exist */
    uint8_t *counts;
    size_t count_entries;
    uint8_t *index;
    size_t index_entry;  /* bytes */
    uint64_t *landmarks; /* where every LANDMARK_BLOCKS-th block is in the file */
    kz_cache *cache;
    kz_block_readers *readers; /* a pointer, because lookups change them and the table is const there */
    char digest[KZ_SHA256_HEX_BYTES];
    kz_table *parts[KZ_MAX_RULES]; /* of a game in parts: the tables of the other rule sets, or NULL */
};

static kz_status corrupt(const kz_table *table, kz_error *error, const char *what) {
    return kz_fail(error, KZ_ERR_CORRUPT, "%s: %s", table->name, what);
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

kz_status kz_table_not_loaded(const kz_table *table, kz_error *error, const char *what) {
    return table->calls.reason ? table->calls.reason(table->file.user, error)
                               : kz_fail(error, KZ_ERR_IO, "%s: %s not loaded yet", table->name, what);
}

/* Whether bytes that fail their checksum are worth a second look. */
static bool renew(const kz_table *table, uint64_t offset, size_t size) {
    return table->calls.renew && table->calls.renew(table->file.user, offset, size);
}

/* A table of a part of a game from a text that comes with Kanzen ("chess", "kqvk"), of which nobody has opened the
 * game: it is opened with the table. What is in the file may be anything, so only names go on. */
static void open_text_of(kz_table *table, const char *game, const char *rules) {
#ifdef KANZEN_READ_ONLY
    (void)table;
    (void)game;
    (void)rules;
#else
    char name[2 * KZ_TABLE_NAME_BYTES + 2];
    snprintf(name, sizeof name, "%s:%s", game, rules); /* with a colon, no file and no shared object is meant */
    if (kz_is_made_for_names(game) && kz_is_made_for_names(rules) && kz_game_named(name, &table->own, NULL) == KZ_OK) {
        table->game = table->own;
    }
#endif
}

static kz_status read_header(kz_table *table, kz_error *error) {
    const uint8_t *header = table->header;
    size_t length = table->file.size < KZ_TABLE_HEADER_BYTES ? (size_t)table->file.size : KZ_TABLE_HEADER_BYTES;
    size_t magic = length < KZ_TABLE_MAGIC_BYTES ? length : KZ_TABLE_MAGIC_BYTES;
    const uint8_t *bytes = length ? table->file.get(table->file.user, 0, length) : header;
    if (!bytes) {
        return kz_table_not_loaded(table, error, "the header is");
    }
    memcpy(table->header, bytes, length);
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
    if (version < KZ_TABLE_VERSION_LOSSES || version > KZ_TABLE_VERSION_PART) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: a table of version %u, and this program reads versions %d to %d",
                       table->name, (unsigned)version, KZ_TABLE_VERSION_LOSSES, KZ_TABLE_VERSION_PART);
    }
    if (kz_load_le64(header + KZ_AT_FILE_BYTES) != table->file.size) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: %llu bytes long, but should have %llu", table->name,
                       (unsigned long long)table->file.size,
                       (unsigned long long)kz_load_le64(header + KZ_AT_FILE_BYTES));
    }
    char game[KZ_TABLE_NAME_BYTES];
    char rules[KZ_TABLE_NAME_BYTES];
    if (!read_name(header + KZ_AT_GAME, game) || !read_name(header + KZ_AT_RULES, rules)) {
        return corrupt(table, error, "the name of the game or of the rules is no name");
    }
    if (!table->game) {
        table->game = kz_game_find(game);
        if (!table->game || kz_rules_find(table->game, rules) < 0) {
            open_text_of(table, game, rules);
        }
    } else if (strcmp(kz_game_name(table->game), game) != 0) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: a table of the game '%s', not of %s", table->name, game,
                       kz_game_name(table->game));
    }
    if (!table->game || (version == KZ_TABLE_VERSION_ANY ? !table->game->definition : !table->game->reader)) {
        return kz_fail(
            error, KZ_ERR_CORRUPT,
            "%s: a table of the game '%s', which this program does not know; name the game that it is of, too",
            table->name, game);
    }
    table->rules = kz_rules_find(table->game, rules);
#ifndef KANZEN_READ_ONLY /* there, no game has parts */
    if (table->game->parts && (table->rules < 0 || table->rules == table->game->whole)) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: a table of %s:%s: name the game so, too", table->name, game, rules);
    }
#endif
    if (table->rules < 0) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: a table by the rules '%s', which this program does not know",
                       table->name, rules);
    }
    kz_hex(header + KZ_AT_DIGEST, KZ_SHA256_BYTES, table->digest);
    return KZ_OK;
}

kz_status kz_table_cache(kz_table *table, uint64_t bytes, kz_error *error) {
    unsigned block = table->codec.shape.block;
    size_t block_bytes = (size_t)block * table->codec.entry_bytes;
    if (!block_bytes) {
        return KZ_OK; /* of a game in parts without tables */
    }
    uint64_t blocks = bytes / block_bytes < table->codec.blocks ? bytes / block_bytes : table->codec.blocks;
    /* Room for all of a table of losses: then probes need no lock. */
    kz_cache *cache = blocks == table->codec.blocks && table->codec.shape.run == 0 && !table->codec.of_any
                          ? kz_cache_new_whole((unsigned)blocks, block_bytes)
                          : NULL;
    cache = cache ? cache : kz_cache_new(blocks > 0 ? (unsigned)blocks : 1, block_bytes);
    if (!cache) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", table->name);
    }
    kz_cache_free(table->cache);
    table->cache = cache;
    return KZ_OK;
}

/* Whether the rules are those that the table was made by. In the browser no game changes between two visits. */
static kz_status check_rules(const kz_table *table, bool same_shape, kz_error *error) {
#ifdef KANZEN_READ_ONLY
    return same_shape ? KZ_OK : corrupt(table, error, "made for another index of the game's positions");
#else
    uint32_t fingerprint = kz_load_le32(table->header + KZ_AT_FINGERPRINT);
    const kz_game *game = table->game;
    if (!same_shape && !table->codec.of_any) {
        return corrupt(table, error, "made for another index of the game's positions");
    }
    if (!same_shape ||
        (fingerprint && fingerprint != kz_defined_fingerprint(game->definition, kz_game_context(game, table->rules)))) {
        return kz_fail(
            error, KZ_ERR_INPUT,
            "%s: made by other rules of %s: the game has been changed since. Solve it anew (kanzen solve --force)",
            table->name, kz_game_name(game));
    }
    return KZ_OK;
#endif
}

/* Asks the game, and compares with what the header says. */
static kz_status open_codec(kz_table *table, kz_error *error) {
    const uint8_t *header = table->header;
    uint32_t version = kz_load_le32(header + KZ_AT_VERSION);
    kz_status status = version == KZ_TABLE_VERSION_ANY
                           ? kz_codec_open_any(&table->codec, table->game, table->rules, error)
                       : version == KZ_TABLE_VERSION_PART
                           ? kz_codec_open_excerpt(&table->codec, table->game, table->rules, table->positions, error)
                           : kz_codec_open(&table->codec, table->game, table->rules, error);
    if (status != KZ_OK) {
        return status;
    }
    const kz_shape *shape = &table->codec.shape;
    bool losses = version == KZ_TABLE_VERSION_LOSSES || version == KZ_TABLE_VERSION_ANY;
    table->index_entry = version == KZ_TABLE_VERSION_VALUES ? KZ_INDEX2_BYTES : KZ_INDEX_BYTES;
    uint32_t block = kz_load_le32(header + KZ_AT_BLOCK_SIZE);
    bool same_shape =
        losses == (shape->run == 0) && kz_load_le64(header + KZ_AT_POSITIONS) == shape->places &&
        (block == shape->block || (version == KZ_TABLE_VERSION_LOSSES && kz_codec_set_block(&table->codec, block)));
    status = check_rules(table, same_shape, error);
    if (status != KZ_OK) {
        return status;
    }
    return kz_table_cache(table, losses ? CACHED_BYTES_OF_LOSSES : CACHED_BYTES, error);
}

/* A part of the file that is before the blocks. */
typedef struct section {
    uint64_t at;
    size_t size;
    uint64_t hash;
    uint8_t *bytes; /* a copy */
} section;

static kz_status read_section(const kz_table *table, section *s, kz_error *error) {
    s->bytes = malloc(s->size + 1);
    if (!s->bytes) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", table->name);
    }
    bool again = false;
    do {
        const uint8_t *bytes = s->size ? table->file.get(table->file.user, s->at, s->size) : table->header;
        if (!bytes) {
            return kz_table_not_loaded(table, error, "parts before the blocks are");
        }
        /* The checksum is that of the copy, because another process may write to the file meanwhile. */
        memcpy(s->bytes, bytes, s->size);
        again = s->hash != kz_hash64(s->bytes, s->size) && !again && renew(table, s->at, s->size);
    } while (again);
    if (s->hash != kz_hash64(s->bytes, s->size)) {
        return corrupt(table, error, "the file is damaged (a checksum before the blocks does not match)");
    }
    return KZ_OK;
}

/* Sections follow one another; the next one begins at `at`. */
static kz_status find_section(const kz_table *table, int bytes_at, int hash_at, uint64_t *at, section *s,
                              kz_error *error) {
    *s = (section){*at, kz_load_le32(table->header + bytes_at), kz_load_le64(table->header + hash_at), NULL};
    if (s->size > table->file.size - *at) {
        return corrupt(table, error, "the file is damaged (a checksum before the blocks does not match)");
    }
    *at += s->size;
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
    size_t largest = 0;
    table->landmarks = malloc((size_t)(blocks / LANDMARK_BLOCKS + 1) * sizeof *table->landmarks);
    table->readers = malloc(sizeof *table->readers);
    if (!table->landmarks || !table->readers) {
        free(table->readers);
        table->readers = NULL;
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", table->name);
    }
    for (uint64_t block = 0; block < blocks; block++) {
        if (block % LANDMARK_BLOCKS == 0) {
            table->landmarks[block / LANDMARK_BLOCKS] = at;
        }
        size_t bytes = block_size(table, block);
        largest = bytes > largest ? bytes : largest;
        at += bytes;
    }
    kz_block_readers_open(table->readers, &table->codec, largest);
    return at == table->file.size ? KZ_OK : corrupt(table, error, "the blocks don't end where the file ends");
}

static kz_status check_counts(kz_table *table, size_t size, kz_error *error) {
    uint64_t places = kz_load_le64(table->header + KZ_AT_POSITIONS);
    uint64_t sum = 0;
    bool fits = size % KZ_COUNT_BYTES == 0;
    table->count_entries = size / KZ_COUNT_BYTES;
    for (size_t i = 0; fits && i < table->count_entries; i++) {
        const uint8_t *entry = table->counts + i * KZ_COUNT_BYTES;
        uint64_t number = kz_load_le64(entry + KZ_COUNT_NUMBER);
        fits = number <= places - sum;
        sum += number;
        if (entry[KZ_COUNT_OUTCOME] < KZ_LOSS || entry[KZ_COUNT_OUTCOME] > KZ_WIN) {
            return corrupt(table, error, "the counts name a value that is none");
        }
    }
    /* In a table of losses every place is a position. */
    fits = fits && (kz_load_le32(table->header + KZ_AT_VERSION) != KZ_TABLE_VERSION_LOSSES || sum == places);
    table->positions = sum;
    return fits ? KZ_OK : corrupt(table, error, "the counts don't add up");
}

enum { COUNTS, MODEL, INDEX, SECTIONS };

/* Reads all sections even if one is not loaded yet, so that all are asked for. */
static kz_status read_sections(const kz_table *table, section sections[SECTIONS], uint64_t *at, kz_error *error) {
    static const int fields[SECTIONS][2] = {{KZ_AT_COUNTS_BYTES, KZ_AT_COUNTS_HASH},
                                            {KZ_AT_MODEL_BYTES, KZ_AT_MODEL_HASH},
                                            {KZ_AT_INDEX_BYTES, KZ_AT_INDEX_HASH}};
    kz_status status = KZ_OK;
    *at = KZ_TABLE_HEADER_BYTES;
    for (int i = 0; status == KZ_OK && i < SECTIONS; i++) {
        status = find_section(table, fields[i][0], fields[i][1], at, &sections[i], error);
    }
    kz_status result = status;
    for (int i = 0; status == KZ_OK && i < SECTIONS; i++) {
        kz_status one = read_section(table, &sections[i], error);
        result = one == KZ_OK ? result : one;
        status = one == KZ_ERR_IO ? KZ_OK : one;
    }
    return result;
}

static kz_status unpack_model(kz_table *table, const section *model, kz_error *error) {
    kz_error reason;
    kz_status status = kz_codec_unpack(&table->codec, model->bytes, model->size, &reason);
    if (status != KZ_OK) {
        return kz_fail(error, status, "%s: %s", table->name, reason.message);
    }
    if (table->codec.of_any && table->codec.any->losses_only && table->game->definition->max_moves > KZ_ANY_FEW_MOVES) {
        return corrupt(table, error, "it stores losses only, but the game has too many moves for that");
    }
    return KZ_OK;
}

static kz_status open_parts(kz_table *table, kz_error *error) {
    section sections[SECTIONS] = {0};
    uint64_t blocks_at;
    kz_status status = read_sections(table, sections, &blocks_at, error);
    table->counts = sections[COUNTS].bytes;
    table->index = sections[INDEX].bytes;
    /* How many blocks an excerpt has follows from its counts. */
    bool counts_first = kz_load_le32(table->header + KZ_AT_VERSION) == KZ_TABLE_VERSION_PART;
    if (status == KZ_OK && counts_first) {
        status = check_counts(table, sections[COUNTS].size, error);
    }
    if (status == KZ_OK) {
        status = open_codec(table, error);
    }
    if (status == KZ_OK && !counts_first) {
        status = check_counts(table, sections[COUNTS].size, error);
    }
    if (status == KZ_OK) {
        status = unpack_model(table, &sections[MODEL], error);
    }
    if (status == KZ_OK) {
        status = read_index(table, sections[INDEX].size, blocks_at, error);
    }
    free(sections[MODEL].bytes);
    return status;
}

kz_status kz_table_open_bytes(const char *name, const kz_byte_source *bytes, kz_table **opened, kz_error *error) {
    return kz_table_open_bytes_as(name, bytes, NULL, opened, error);
}

kz_status kz_table_open_bytes_as(const char *name, const kz_byte_source *bytes, const kz_game *game, kz_table **opened,
                                 kz_error *error) {
    return kz_table_open_source(name, bytes, NULL, game, opened, error);
}

kz_status kz_table_open_source(const char *name, const kz_byte_source *bytes, const kz_source_calls *calls,
                               const kz_game *game, kz_table **opened, kz_error *error) {
    kz_table *table = calloc(1, sizeof *table);
    *opened = NULL;
    if (!table) {
        if (bytes->close) {
            bytes->close(bytes->user);
        }
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", name);
    }
    table->file = *bytes;
    table->calls = calls ? *calls : (kz_source_calls){NULL, NULL};
    table->game = game;
    table->name = strdup(name);
    kz_status status =
        table->name ? read_header(table, error) : kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", name);
    if (status == KZ_OK) {
        status = open_parts(table, error);
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
        for (int i = 0; i < KZ_MAX_RULES; i++) {
            kz_table_close(table->parts[i]);
        }
        if (table->readers) {
            kz_block_readers_close(table->readers);
            free(table->readers);
        }
        kz_codec_close(&table->codec);
        kz_cache_free(table->cache);
        if (table->file.close) {
            table->file.close(table->file.user);
        }
        free(table->counts);
        free(table->index);
        free(table->landmarks);
        free(table->name);
#ifndef KANZEN_READ_ONLY
        kz_game_close(table->own);
#endif
        free(table);
    }
}

/* ---- What it is ----------------------------------------------------------------------------------------------------
 */

const kz_game *kz_table_game(const kz_table *table) { return table->game; }

int kz_table_rules(const kz_table *table) { return table->rules; }

kz_table *kz_table_new_empty(const kz_game *game) {
    kz_table *table = calloc(1, sizeof *table);
    if (table) {
        table->game = game;
        table->rules = game->whole;
        table->name = strdup(game->name);
    }
    return table;
}

void kz_table_add_part(kz_table *table, kz_table *part) { table->parts[part->rules] = part; }

const kz_table *kz_table_part(const kz_table *table, const kz_position *position) {
    if (!table->game->parts) {
        return table;
    }
    int rules = kz_defined_rules(position);
    return rules == table->rules && table->file.get ? table : table->parts[rules];
}

uint64_t kz_table_positions(const kz_table *table) { return table->positions; }

bool kz_table_is_excerpt(const kz_table *table) { return table->codec.excerpt; }

uint64_t kz_table_bytes(const kz_table *table) { return table->file.size; }

const char *kz_table_digest(const kz_table *table) { return table->digest; }

const void *kz_table_game_reader(const kz_table *table) { return table->codec.reader; }

const kz_shape *kz_table_shape(const kz_table *table) { return &table->codec.shape; }

const kz_byte_source *kz_table_file(const kz_table *table) { return &table->file; }

const uint8_t *kz_table_stated_digest(const kz_table *table) { return table->header + KZ_AT_DIGEST; }

const char *kz_table_name(const kz_table *table) { return table->name; }

uint64_t kz_table_blocks(const kz_table *table) { return table->codec.blocks; }

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
    uint64_t at; /* where they are in the file */
    size_t size;
} coded;

/* Finds a block in the file. */
static kz_status find_block(const kz_table *table, uint64_t block, coded *c, kz_error *error) {
    uint64_t at = table->landmarks[block / LANDMARK_BLOCKS];
    for (uint64_t before = block - block % LANDMARK_BLOCKS; before < block; before++) {
        at += block_size(table, before);
    }
    c->at = at;
    c->size = block_size(table, block);
    c->bytes = table->file.get(table->file.user, at, c->size);
    if (!c->bytes && !table->calls.reason) {
        return kz_fail(error, KZ_ERR_IO, "%s: block %llu is not loaded yet", table->name, (unsigned long long)block);
    }
    return c->bytes ? KZ_OK : kz_table_not_loaded(table, error, "a block is");
}

static kz_status check_block(const kz_table *table, uint64_t block, coded c, kz_error *error) {
    const uint8_t *entry = table->index + block * table->index_entry;
    uint64_t hash = kz_hash64_seeded(c.bytes, c.size, block);
    bool intact = table->index_entry == KZ_INDEX_BYTES ? (uint32_t)hash == kz_load_le32(entry + KZ_INDEX_CHECK)
                                                       : (uint16_t)hash == kz_load_le16(entry + KZ_INDEX2_CHECK);
    return intact ? KZ_OK
                  : kz_fail(error, KZ_ERR_CORRUPT, "%s: block %llu is damaged (its checksum does not match)",
                            table->name, (unsigned long long)block);
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
        again = status == KZ_ERR_CORRUPT && !again && renew(table, c->at, c->size);
    } while (again);
    return status;
}

kz_status kz_table_check_block(const kz_table *table, uint64_t block, kz_error *error) {
    coded c;
    return get_block(table, block, NULL, &c, error);
}

static kz_status copy_block(const kz_table *table, kz_block_reader *reader, uint64_t block, coded *c, kz_error *error) {
    return get_block(table, block, reader->coded, c, error);
}

static kz_status read_block(const kz_table *table, kz_block_reader *reader, uint64_t block, uint8_t *numbers,
                            kz_error *error) {
    coded c;
    kz_status status = copy_block(table, reader, block, &c, error);
    if (status == KZ_OK && !kz_codec_decode(&table->codec, reader->memory, block, c.bytes, c.size, numbers)) {
        status =
            kz_fail(error, KZ_ERR_CORRUPT, "%s: block %llu can't be decoded", table->name, (unsigned long long)block);
    }
    return status;
}

#ifndef KANZEN_READ_ONLY

static bool get_coded(void *context, uint64_t block, uint8_t *room, const uint8_t **bytes, size_t *size) {
    coded c;
    if (get_block(context, block, room, &c, NULL) != KZ_OK) {
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
            blocks[i] = (sized){(uint32_t)i, (uint32_t)block_size(table, first + i)};
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
static bool read_many(const kz_table *table, uint64_t first, uint64_t count, uint8_t *numbers) {
    unsigned places = table->codec.shape.block;
    uint64_t blocks = count / places;
    if (table->codec.shape.run == 0 || first % places || count % places || blocks == 0 || blocks > UINT32_MAX) {
        return false;
    }
    uint32_t *order = order_by_size(table, first / places, blocks);
    bool read = order && kz_codec_decode_many(&table->codec, first / places, order, blocks, table->readers->coded_bytes,
                                              get_coded, (void *)(uintptr_t)table, numbers);
    free(order);
    return read;
}

#endif

static kz_status read_range(const kz_table *table, kz_block_reader *reader, uint64_t first, uint64_t count,
                            uint8_t *numbers, kz_error *error) {
    unsigned block_places = table->codec.shape.block;
    size_t width = table->codec.entry_bytes;
    kz_status status = KZ_OK;
    while (status == KZ_OK && count > 0) {
        uint64_t block = first / block_places;
        unsigned offset = (unsigned)(first % block_places);
        uint64_t piece = block_places - offset < count ? block_places - offset : count;
        bool whole = piece == kz_codec_places(&table->codec, block);
        status = read_block(table, reader, block, whole ? numbers : reader->numbers, error);
        if (status == KZ_OK && !whole) {
            memcpy(numbers, reader->numbers + offset * width, (size_t)piece * width);
        }
        numbers += piece * width;
        first += piece;
        count -= piece;
    }
    return status;
}

static kz_status take_reader(const kz_table *table, kz_block_reader **reader, kz_error *error) {
    *reader = kz_block_reader_take(table->readers);
    return *reader ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to read %s", table->name);
}

kz_status kz_table_check_whole(const kz_table *table, kz_error *error) {
    return table->codec.excerpt ? kz_fail(error, KZ_ERR_UNSUPPORTED,
                                          "%s: an excerpt, which has %llu positions only; this takes the whole table",
                                          table->name, (unsigned long long)table->positions)
                                : KZ_OK;
}

kz_status kz_table_read(const kz_table *table, uint64_t first, uint64_t count, uint8_t *numbers, kz_error *error) {
    if (table->codec.excerpt) {
        return kz_table_check_whole(table, error);
    }
#ifndef KANZEN_READ_ONLY
    if (read_many(table, first, count, numbers)) {
        return KZ_OK;
    }
#endif
    kz_block_reader *reader;
    kz_status status = take_reader(table, &reader, error);
    if (status == KZ_OK) {
        status = read_range(table, reader, first, count, numbers, error);
    }
    kz_block_reader_give_back(table->readers, reader);
    return status;
}

/* Reads a block that is not in the cache, as far as `place` at least, into the reader's numbers; all of it, and keeps
 * it, if it is to be kept. */
static kz_status fetch(const kz_table *table, kz_block_reader *reader, uint64_t block, unsigned place, bool keep,
                       kz_error *error) {
    /* Many blocks of a table of losses are needed once and never again. So the first lookup in a block decodes only as
     * far as it needs to; the second one soon after decodes the whole block and caches it. In a table of all values the
     * successors of one position share blocks, so every block is cached at once. */
    if (!keep && table->codec.shape.run == 0 && !table->codec.of_any && !kz_cache_asked(table->cache, block, true)) {
        coded c;
        kz_status status = copy_block(table, reader, block, &c, error);
        if (status == KZ_OK) {
            kz_codec_decode_some(&table->codec, reader->memory, block, c.bytes, c.size, place + 1, reader->numbers);
        }
        return status;
    }
    kz_status status = read_block(table, reader, block, reader->numbers, error);
    if (status == KZ_OK) {
        kz_cache_put(table->cache, block, reader->numbers);
    }
    return status;
}

/* Copies the entry of an index, as it is decoded. */
static kz_status look_up(const kz_table *table, uint64_t index, void *entry, kz_error *error) {
    size_t width = table->codec.entry_bytes;
    uint64_t block = index / table->codec.shape.block;
    unsigned place = (unsigned)(index % table->codec.shape.block);
    if (kz_cache_get(table->cache, block, place * width, entry, width)) {
        return KZ_OK;
    }
    kz_block_reader *reader;
    kz_status status = take_reader(table, &reader, error);
    if (status == KZ_OK) {
        status = fetch(table, reader, block, place, false, error);
    }
    if (status == KZ_OK) {
        memcpy(entry, reader->numbers + place * width, width);
    }
    kz_block_reader_give_back(table->readers, reader);
    return status;
}

kz_status kz_table_lookup(const kz_table *table, uint64_t index, uint8_t *number, kz_error *error) {
    return look_up(table, index, number, error);
}

bool kz_table_peek(const kz_table *table, uint64_t index, uint8_t *number) {
    unsigned block_places = table->codec.shape.block;
    return kz_cache_get(table->cache, index / block_places, index % block_places, number, 1);
}

bool kz_table_asked(const kz_table *table, uint64_t index, bool now) {
    return kz_cache_asked(table->cache, index / table->codec.shape.block, now);
}

kz_whole kz_table_whole(const kz_table *table) { return kz_cache_whole(table->cache); }

/* Where it pays to copy a block out of the cache, rather than each entry. */
enum { BYTES_FOR_AN_ENTRY = 512 };

kz_status kz_table_lookup_block(const kz_table *table, const uint64_t *indices, size_t count, bool keep,
                                uint8_t *numbers, kz_error *error) {
    unsigned block_places = table->codec.shape.block;
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
    kz_status status = take_reader(table, &reader, error);
    if (status == KZ_OK && !(many && kz_cache_get(table->cache, block, 0, reader->numbers, block_places))) {
        uint64_t last = 0;
        for (size_t i = 0; i < count; i++) {
            last = indices[i] > last ? indices[i] : last;
        }
        status = fetch(table, reader, block, (unsigned)(last % block_places), keep, error);
    }
    for (size_t i = found; status == KZ_OK && i < count; i++) {
        numbers[i] = reader->numbers[indices[i] % block_places];
    }
    kz_block_reader_give_back(table->readers, reader);
    return status;
}

kz_status kz_table_lookup_sorted(const kz_table *table, const uint64_t *indices, size_t count, uint8_t *numbers,
                                 kz_error *error) {
    unsigned block_places = table->codec.shape.block;
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

/* ---- Excerpts ------------------------------------------------------------------------------------------------------
 */

kz_status kz_table_lookup_excerpt(const kz_table *table, uint64_t index, uint8_t *number, bool *known,
                                  kz_error *error) {
    uint64_t block;
    *known = false;
    if (!kz_excerpt_find_block(table->codec.excerpt, index, &block)) {
        return KZ_OK;
    }
    kz_block_reader *reader;
    kz_status status = take_reader(table, &reader, error);
    size_t bytes = KZ_EXCERPT_BLOCK * sizeof(uint64_t);
    if (status == KZ_OK && !kz_cache_get(table->cache, block, 0, reader->numbers, bytes)) {
        status = fetch(table, reader, block, 0, true, error);
    }
    if (status == KZ_OK) {
        *known = kz_excerpt_find((const uint64_t *)(const void *)reader->numbers, kz_codec_places(&table->codec, block),
                                 index, number);
    }
    kz_block_reader_give_back(table->readers, reader);
    return status;
}

kz_status kz_table_read_excerpt(const kz_table *table, uint64_t block, uint64_t *entries, unsigned *count,
                                kz_error *error) {
    kz_block_reader *reader;
    kz_status status = take_reader(table, &reader, error);
    if (status == KZ_OK) {
        status = read_block(table, reader, block, (uint8_t *)entries, error);
    }
    kz_block_reader_give_back(table->readers, reader);
    *count = kz_codec_places(&table->codec, block);
    return status;
}

/* ---- Tables of any game --------------------------------------------------------------------------------------------
 */

const kz_any_model *kz_table_any(const kz_table *table) { return table->codec.any; }

kz_status kz_table_lookup_code(const kz_table *table, uint64_t index, kz_code *code, kz_error *error) {
    uint16_t entry;
    kz_status status = look_up(table, index, &entry, error);
    *code = status == KZ_OK ? table->codec.any->values.codes[entry] : KZ_CODE_HOLE;
    return status;
}

kz_status kz_table_read_any(const kz_table *table, uint64_t first, uint64_t count, uint16_t *entries, kz_error *error) {
    return kz_table_read(table, first, count, (uint8_t *)entries, error);
}
