/* SPDX-License-Identifier: MIT
 *
 * A table: opened, checked, read; from whatever bytes it is made of. */
#include "table/table.h"
#include "base/error.h"
#include "base/packing.h"
#include "base/text.h"
#include "game/defined.h"
#include "table/shares.h"

#include <kanzen/load.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kz_status corrupt(const kz_table *table, kz_error *error, const char *what) {
    return kz_fail(error, KZ_ERR_CORRUPT, "%s: %s", table->name, what);
}

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

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
    if (!table->game ||
        (version == KZ_TABLE_VERSION_ANY ? !table->game->definition->index_size : !kz_own_kind(table->game))) {
        return kz_fail(
            error, KZ_ERR_CORRUPT,
            "%s: a table of the game '%s', which this program does not know; name the game that it is of, too",
            table->name, game);
    }
    table->rules = kz_rules_find(table->game, rules);
#ifndef KANZEN_READ_ONLY /* there, no game has parts */
    if (table->game->parts && (table->rules < 0 || table->rules == table->game->parts->whole)) {
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
    size_t block_bytes = (size_t)table->shape.block * table->shape.entry_bytes;
    if (!block_bytes) {
        return KZ_OK; /* of a game in parts without tables */
    }
    uint64_t blocks = bytes / block_bytes < table->blocks ? bytes / block_bytes : table->blocks;
    kz_cache *cache =
        blocks == table->blocks && table->kind->keeps_all ? kz_cache_new_whole((unsigned)blocks, block_bytes) : NULL;
    cache = cache ? cache : kz_cache_new(blocks > 0 ? (unsigned)blocks : 1, block_bytes);
    if (!cache) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", table->name);
    }
    kz_cache_free(table->cache);
    table->cache = cache;
    return KZ_OK;
}

/* The kind of a version, for tables of a game; NULL: the game has no such tables. */
static const kz_table_kind *find_kind(const kz_game *game, uint32_t version) {
    const kz_table_kind *own = kz_own_kind(game);
    if (version == KZ_TABLE_VERSION_PART) {
        return own && own->excerpts ? &kz_excerpt_kind : NULL;
    }
#ifndef KANZEN_OWN_KINDS /* as in the page: all its games have a kind of their own */
    if (version == KZ_TABLE_VERSION_ANY) {
        return &kz_any_kind;
    }
#endif
    return own && own->version == version ? own : NULL;
}

/* Opens the kind, and compares with what the header says. In the browser no game changes between two visits. */
static kz_status open_kind(kz_table *table, kz_error *error) {
    const uint8_t *header = table->header;
    const kz_game *game = table->game;
    const kz_table_kind *kind = find_kind(game, kz_load_le32(header + KZ_AT_VERSION));
    uint32_t block = kz_load_le32(header + KZ_AT_BLOCK_SIZE);
    table->kind = kind;
    if (kind) {
        KZ_TRY(kind->open(game, table->rules, block, table->positions, &table->self, &table->shape, error));
    }
    bool same = kind && kz_load_le64(header + KZ_AT_POSITIONS) == table->shape.places && block == table->shape.block;
#ifndef KANZEN_READ_ONLY
    uint32_t fingerprint = kz_load_le32(header + KZ_AT_FINGERPRINT);
    if (same ? fingerprint &&
                   fingerprint != kz_defined_fingerprint(game->definition, kz_game_context(game, table->rules))
             : kind && kind->by_definition) {
        return kz_fail(
            error, KZ_ERR_INPUT,
            "%s: made by other rules of %s: the game has been changed since. Solve it anew (kanzen solve --force)",
            table->name, kz_game_name(game));
    }
#endif
    if (!same) {
        return corrupt(table, error, "made for another index of the game's positions");
    }
    table->blocks = kz_shape_blocks(&table->shape);
    return kz_table_cache(table, kind->cached_bytes, error);
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
        again = s->hash != kz_hash64(s->bytes, s->size) && !again && kz_table_renew(table, s->at, s->size);
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

static kz_status read_index(kz_table *table, size_t size, uint64_t at, kz_error *error) {
    if (size != table->blocks * table->kind->index_bytes) {
        return corrupt(table, error, "the index of blocks has the wrong size");
    }
    table->landmarks = malloc((size_t)(table->blocks / KZ_LANDMARK_BLOCKS + 1) * sizeof *table->landmarks);
    table->readers = calloc(1, sizeof *table->readers);
    if (!table->landmarks || !table->readers) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", table->name);
    }
    kz_lock_open(&table->readers->lock);
    for (uint64_t block = 0; block < table->blocks; block++) {
        if (block % KZ_LANDMARK_BLOCKS == 0) {
            table->landmarks[block / KZ_LANDMARK_BLOCKS] = at;
        }
        size_t bytes = kz_table_block_bytes(table, block);
        table->most_bytes = bytes > table->most_bytes ? bytes : table->most_bytes;
        at += bytes;
    }
    return at == table->file.size ? KZ_OK : corrupt(table, error, "the blocks don't end where the file ends");
}

/* How many positions the counts name. */
static uint64_t add_counts(const kz_table *table) {
    uint64_t sum = 0;
    for (size_t i = 0; i < table->count_entries; i++) {
        sum += kz_load_le64(table->counts + i * KZ_COUNT_BYTES + KZ_COUNT_NUMBER);
    }
    return sum;
}

static kz_status check_counts(const kz_table *table, size_t size, kz_error *error) {
    uint64_t places = table->shape.places;
    uint64_t sum = 0;
    bool fits = size % KZ_COUNT_BYTES == 0;
    for (size_t i = 0; fits && i < table->count_entries; i++) {
        const uint8_t *entry = table->counts + i * KZ_COUNT_BYTES;
        uint64_t number = kz_load_le64(entry + KZ_COUNT_NUMBER);
        fits = number <= places - sum;
        sum += number;
        if (entry[KZ_COUNT_OUTCOME] < KZ_LOSS || entry[KZ_COUNT_OUTCOME] > KZ_WIN) {
            return corrupt(table, error, "the counts name a value that is none");
        }
    }
    fits = fits && (!table->kind->every_place || sum == places);
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

static kz_status unpack_bytes(const section *model, uint8_t **raw, size_t *size, kz_error *error) {
    /* No model is larger, whatever a damaged one claims: 65,536 contexts of 256 symbols with 3 bytes each are 50 MB. */
    enum { MODEL_BYTES_MOST = 64 << 20 };
    uint64_t raw_size;
    if (!kz_unpacked_size(model->bytes, model->size, &raw_size) || raw_size > MODEL_BYTES_MOST) {
        return kz_shares_bad(error, "they can't be unpacked");
    }
    *size = (size_t)raw_size;
    *raw = malloc(*size + 1);
    kz_status status = *raw ? kz_unpack(model->bytes, model->size, *raw, *size) : KZ_ERR_MEMORY;
    return status == KZ_OK           ? KZ_OK
           : status == KZ_ERR_MEMORY ? kz_fail(error, KZ_ERR_MEMORY, "no memory for the table's probabilities")
                                     : kz_shares_bad(error, "they can't be unpacked");
}

static kz_status unpack_model(const kz_table *table, const section *model, kz_error *error) {
    uint8_t *raw = NULL;
    size_t size = 0;
    kz_error reason;
    kz_status status = unpack_bytes(model, &raw, &size, &reason);
    if (status == KZ_OK) {
        status = table->kind->unpack(table->self, raw, size, &reason);
    }
    free(raw);
    return status == KZ_OK ? KZ_OK : kz_fail(error, status, "%s: %s", table->name, reason.message);
}

static kz_status open_parts(kz_table *table, kz_error *error) {
    section sections[SECTIONS] = {0};
    uint64_t blocks_at;
    kz_status status = read_sections(table, sections, &blocks_at, error);
    table->counts = sections[COUNTS].bytes;
    table->index = sections[INDEX].bytes;
    if (status == KZ_OK) {
        table->count_entries = sections[COUNTS].size / KZ_COUNT_BYTES;
        table->positions = add_counts(table);
        KZ_TRY_OR(done, open_kind(table, error));
        KZ_TRY_OR(done, check_counts(table, sections[COUNTS].size, error));
        KZ_TRY_OR(done, unpack_model(table, &sections[MODEL], error));
        KZ_TRY_OR(done, read_index(table, sections[INDEX].size, blocks_at, error));
    }
done:
    free(sections[MODEL].bytes);
    return status;
}

kz_status kz_table_open_bytes(const char *name, const kz_byte_source *bytes, kz_table **opened, kz_error *error) {
    return kz_table_open_source(name, bytes, NULL, NULL, opened, error);
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
        while (table->readers && table->readers->unused) {
            kz_block_reader *next = table->readers->unused->next;
            free(table->readers->unused);
            table->readers->unused = next;
        }
        if (table->readers) {
            kz_lock_close(&table->readers->lock);
            free(table->readers);
        }
        if (table->self) {
            table->kind->close(table->self);
        }
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

/* ---- What it is -------------------------------------------------------------------------------------------------- */

const kz_game *kz_table_game(const kz_table *table) { return table->game; }

int kz_table_rules(const kz_table *table) { return table->rules; }

kz_table *kz_table_new_empty(const kz_game *game) {
    static const kz_table_kind none = {.version = 0};
    kz_table *table = calloc(1, sizeof *table);
    if (table) {
        table->kind = &none;
        table->game = game;
        table->rules = game->parts->whole;
        table->name = strdup(kz_game_name(game));
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

bool kz_table_is_excerpt(const kz_table *table) { return table->kind->is_excerpt; }

uint64_t kz_table_bytes(const kz_table *table) { return table->file.size; }

const char *kz_table_digest(const kz_table *table) { return table->digest; }

const kz_table_kind *kz_table_kind_of(const kz_table *table) { return table->kind; }

const void *kz_table_self(const kz_table *table) { return table->self; }

const kz_shape *kz_table_shape(const kz_table *table) { return &table->shape; }

const kz_byte_source *kz_table_file(const kz_table *table) { return &table->file; }

const uint8_t *kz_table_stated_digest(const kz_table *table) { return table->header + KZ_AT_DIGEST; }

const char *kz_table_name(const kz_table *table) { return table->name; }

uint64_t kz_table_blocks(const kz_table *table) { return table->blocks; }

bool kz_table_count(const kz_table *table, size_t number, kz_value *value, uint64_t *count) {
    if (number >= table->count_entries) {
        return false;
    }
    const uint8_t *entry = table->counts + number * KZ_COUNT_BYTES;
    *value = (kz_value){entry[KZ_COUNT_OUTCOME], kz_load_le16(entry + KZ_COUNT_DISTANCE)};
    *count = kz_load_le64(entry + KZ_COUNT_NUMBER);
    return true;
}
