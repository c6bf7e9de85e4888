/* SPDX-License-Identifier: MIT
 *
 * Bytes as a table: opened, checked, read and probed. Checksums would keep nearly all inputs out, so the mutator sets
 * most of them right again; what it leaves wrong has to be noticed. */
#include "tests/fuzz/laws.h"

#include "base/bits.h"
#include "base/hash.h"
#include "table/format.h"
#include "table/reader.h"

#include <kanzen/table.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* ---- Checksums --------------------------------------------------------------------------------------------------- */

enum { COUNTS, MODEL, INDEX, SECTIONS };

typedef struct parts {
    size_t at[SECTIONS + 1]; /* where sections begin; the last one is where blocks do */
} parts;

static const int bytes_at[SECTIONS] = {KZ_AT_COUNTS_BYTES, KZ_AT_MODEL_BYTES, KZ_AT_INDEX_BYTES};
static const int hash_at[SECTIONS] = {KZ_AT_COUNTS_HASH, KZ_AT_MODEL_HASH, KZ_AT_INDEX_HASH};

/* False if the file is too short for what its header says. */
static bool find_parts(const uint8_t *data, size_t size, parts *p) {
    if (size < KZ_TABLE_HEADER_BYTES) {
        return false;
    }
    p->at[0] = KZ_TABLE_HEADER_BYTES;
    for (int i = 0; i < SECTIONS; i++) {
        size_t bytes = kz_load_le32(data + bytes_at[i]);
        if (bytes > size - p->at[i]) {
            return false;
        }
        p->at[i + 1] = p->at[i] + bytes;
    }
    return true;
}

/* The checksums of blocks of a table of all values; the last block takes what is left. */
static void repair_index(uint8_t *data, size_t size, const parts *p) {
    size_t at = p->at[SECTIONS], blocks = (p->at[SECTIONS] - p->at[INDEX]) / KZ_INDEX2_BYTES;
    for (size_t block = 0; block < blocks; block++) {
        uint8_t *entry = data + p->at[INDEX] + block * KZ_INDEX2_BYTES;
        size_t left = size - at, bytes = 2 * (size_t)kz_load_le16(entry + KZ_INDEX2_SIZE);
        bytes = block + 1 == blocks || bytes > left ? left - left % 2 : bytes;
        bytes = bytes > 2 * UINT16_MAX ? 2 * UINT16_MAX : bytes;
        kz_store_le16(entry + KZ_INDEX2_SIZE, (uint16_t)(bytes / 2));
        kz_store_le16(entry + KZ_INDEX2_CHECK, (uint16_t)kz_hash64_seeded(data + at, bytes, block));
        at += bytes;
    }
}

static void repair(uint8_t *data, size_t size) {
    parts p;
    if (!find_parts(data, size, &p)) {
        return;
    }
    kz_store_le64(data + KZ_AT_FILE_BYTES, size);
    if (kz_load_le32(data + KZ_AT_VERSION) == KZ_TABLE_VERSION_VALUES) {
        repair_index(data, size, &p);
    }
    for (int i = 0; i < SECTIONS; i++) {
        kz_store_le64(data + hash_at[i], kz_hash64(data + p.at[i], p.at[i + 1] - p.at[i]));
    }
    kz_sha256 sha;
    if (kz_sha256_begin(&sha, NULL) == KZ_OK) {
        kz_sha256_update(&sha, data + KZ_TABLE_HEADER_BYTES, size - KZ_TABLE_HEADER_BYTES);
        kz_sha256_finish(&sha, data + KZ_AT_DIGEST, NULL);
    }
    kz_store_le64(data + KZ_AT_HEADER_HASH, kz_hash64(data, KZ_AT_HEADER_HASH));
}

/* Changes the size of a section, too, if bytes were added to it or cut out. */
static size_t mutate_section(uint8_t *data, size_t size, size_t most, const parts *p, int section) {
    size_t first = p->at[section], end = section == SECTIONS ? size : p->at[section + 1];
    size_t room = end - first + (most - size);
    uint8_t *part = fuzz_memory(malloc(room + 1));
    memcpy(part, data + first, end - first);
    size_t length = LLVMFuzzerMutate(part, end - first, room);
    memmove(data + first + length, data + end, size - end);
    memcpy(data + first, part, length);
    free(part);
    if (section < SECTIONS) {
        kz_store_le32(data + bytes_at[section], (uint32_t)length);
    }
    return size - (end - first) + length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    parts p;
    bool whole = seed % 4 == 0 || !find_parts(data, size, &p);
    size = whole ? LLVMFuzzerMutate(data, size, most)
                 : mutate_section(data, size, most, &p, (int)(seed / 4 % (SECTIONS + 1)));
    if (seed / 16 % 8) {
        repair(data, size);
    }
    return size;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct file {
    const uint8_t *bytes;
    size_t size;
    uint8_t *last;
    int closed;
} file;

/* Each answer is in memory of its own, so that the sanitizer watches its ends. */
static const uint8_t *get(void *user, uint64_t offset, size_t size) {
    file *f = user;
    fuzz_keep(offset <= f->size && size <= f->size - offset ? NULL : "bytes are asked for that are not in the file");
    free(f->last);
    f->last = fuzz_copy(f->bytes + offset, size);
    return f->last;
}

static void count_close(void *user) { ((file *)user)->closed++; }

static const char *broken_by_counts(const kz_table *table) {
    kz_value value;
    uint64_t count, sum = 0;
    for (size_t i = 0; kz_table_count(table, i, &value, &count); i++) {
        LAW(value.outcome == KZ_LOSS || value.outcome == KZ_DRAW || value.outcome == KZ_WIN);
        LAW(count <= kz_table_positions(table));
        sum += count;
    }
    LAW(sum == kz_table_positions(table));
    return NULL;
}

/* What is read at once is what is looked up one by one. */
static const char *broken_by_reading(const kz_table *table) {
    enum { PLACES = 4096 };
    static uint8_t numbers[PLACES];
    uint64_t places = kz_table_shape(table)->places;
    size_t count = places < PLACES ? (size_t)places : PLACES;
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_table_read(table, 0, count, numbers, &error);
    fuzz_keep_failure(status, &error);
    LAW(status == KZ_OK || status == KZ_ERR_CORRUPT);
    for (size_t i = 0; i < count; i += 61) {
        uint8_t number = 0;
        kz_status one = kz_table_lookup(table, i, &number, &error);
        fuzz_keep_failure(one, &error);
        LAW(one == KZ_OK || status != KZ_OK);
        LAW(status != KZ_OK || number == numbers[i]);
    }
    return NULL;
}

static const char *broken_by_probing(const kz_table *table) {
    static kz_scored_move moves[KZ_MAX_MOVES];
    const kz_game *game = kz_table_game(table);
    int rules = kz_table_rules(table), count = 0;
    kz_position position;
    kz_value value = {KZ_UNKNOWN, 0};
    kz_error error = {KZ_OK, ""};
    kz_start(game, rules, &position);
    kz_status status = kz_probe(table, &position, &value, &error);
    fuzz_keep_failure(status, &error);
    LAW(status == KZ_OK || status == KZ_ERR_CORRUPT);
    status = kz_probe_moves(table, &position, moves, &count, &error);
    fuzz_keep_failure(status, &error);
    for (int i = 1; status == KZ_OK && i < count; i++) {
        LAW(kz_value_worth(moves[i - 1].value) >= kz_value_worth(moves[i].value));
    }
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    file f = {.bytes = data, .size = size};
    kz_byte_source bytes = {.size = size, .get = get, .close = count_close, .user = &f};
    kz_table *table = NULL;
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_table_open_bytes("table", &bytes, &table, &error);
    fuzz_keep_failure(status, &error);
    fuzz_keep(status == KZ_OK || status == KZ_ERR_CORRUPT ? NULL : "a strange failure");
    fuzz_keep(status == KZ_OK || f.closed == 1 ? NULL : "the file is not closed");
    if (status == KZ_OK) {
        fuzz_keep(broken_by_counts(table));
        fuzz_keep(broken_by_reading(table));
        fuzz_keep(broken_by_probing(table));
        kz_status whole = kz_table_check(table, NULL, &error);
        fuzz_keep_failure(whole, &error);
        kz_table_close(table);
        fuzz_keep(f.closed == 1 ? NULL : "the file is not closed");
    }
    free(f.last);
    return 0;
}
