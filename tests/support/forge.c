/* SPDX-License-Identifier: MIT */
#include "tests/support/forge.h"

#include "base/bits.h"
#include "base/hash.h"
#include "table/format.h"

#include <string.h>

void forge_seal_table(uint8_t *bytes, size_t size) {
    static const int sizes[] = {KZ_AT_COUNTS_BYTES, KZ_AT_MODEL_BYTES, KZ_AT_INDEX_BYTES};
    static const int hashes[] = {KZ_AT_COUNTS_HASH, KZ_AT_MODEL_HASH, KZ_AT_INDEX_HASH};
    size_t at[4] = {KZ_TABLE_HEADER_BYTES};
    if (size < KZ_TABLE_HEADER_BYTES) {
        return;
    }
    int sections = 0;
    while (sections < 3 && kz_load_le32(bytes + sizes[sections]) <= size - at[sections]) {
        at[sections + 1] = at[sections] + kz_load_le32(bytes + sizes[sections]);
        sections++;
    }
    if (sections == 3) {
        int halves = kz_load_le32(bytes + KZ_AT_VERSION) == KZ_TABLE_VERSION_VALUES ? 2 : 1;
        size_t entry_bytes = halves == 1 ? KZ_INDEX_BYTES : KZ_INDEX2_BYTES;
        size_t block_at = at[3];
        for (size_t block = 0; block < (at[3] - at[2]) / entry_bytes; block++) {
            uint8_t *entry = bytes + at[2] + block * entry_bytes;
            size_t length = (size_t)halves * kz_load_le16(entry);
            if (length > size - block_at) {
                break;
            }
            uint64_t check = kz_hash64_seeded(bytes + block_at, length, block);
            if (halves == 1) {
                kz_store_le32(entry + KZ_INDEX_CHECK, (uint32_t)check);
            } else {
                kz_store_le16(entry + KZ_INDEX2_CHECK, (uint16_t)check);
            }
            block_at += length;
        }
    }
    for (int i = 0; i < sections; i++) {
        kz_store_le64(bytes + hashes[i], kz_hash64(bytes + at[i], at[i + 1] - at[i]));
    }
    kz_sha256 sha;
    if (kz_sha256_begin(&sha, NULL) == KZ_OK) {
        kz_sha256_update(&sha, bytes + KZ_TABLE_HEADER_BYTES, size - KZ_TABLE_HEADER_BYTES);
        kz_sha256_finish(&sha, bytes + KZ_AT_DIGEST, NULL);
    }
    kz_store_le64(bytes + KZ_AT_HEADER_HASH, kz_hash64(bytes, KZ_AT_HEADER_HASH));
}

void forge_seal_phase(uint8_t *bytes, size_t size) {
    enum { BLOCKS = 48, PAGES = 72, TABLES_HASH = 112, HEADER_HASH = 120, HEADER = 128 };
    if (size < HEADER) {
        return;
    }
    uint64_t blocks = kz_load_le64(bytes + BLOCKS);
    uint64_t pages = kz_load_le64(bytes + PAGES);
    if (blocks <= size && pages <= size && 4 * blocks + 8 * pages <= size - HEADER) {
        uint8_t *entries = bytes + HEADER + 4 * blocks;
        size_t at = HEADER + 4 * blocks + 8 * pages;
        for (uint64_t page = 0; page < pages; page++) {
            size_t length = kz_load_le32(entries + 8 * page);
            if (length > size - at) {
                break;
            }
            kz_store_le32(entries + 8 * page + 4, length ? (uint32_t)kz_hash64_seeded(bytes + at, length, page)
                                                         : kz_load_le32(entries + 8 * page + 4));
            at += length;
        }
        kz_store_le64(bytes + TABLES_HASH, kz_hash64(bytes + HEADER, 4 * blocks + 8 * pages));
    }
    kz_store_le64(bytes + HEADER_HASH, kz_hash64(bytes, HEADER_HASH));
}

void forge_seal_checkpoint(uint8_t *bytes, size_t size, uint64_t chunks) {
    enum { TABLE_HASH = 112, HEADER_HASH = 120, HEADER = 128, ENTRY = 16 };
    if (size < HEADER + chunks * ENTRY) {
        return;
    }
    for (uint64_t chunk = 0; chunk < chunks; chunk++) {
        uint8_t *entry = bytes + HEADER + chunk * ENTRY;
        uint64_t at = kz_load_le64(entry);
        uint64_t length = kz_load_le32(entry + 8);
        if (at <= size && length <= size - at) {
            kz_store_le32(entry + 12, (uint32_t)kz_hash64_seeded(bytes + at, (size_t)length, chunk));
        }
    }
    kz_store_le64(bytes + TABLE_HASH, kz_hash64(bytes + HEADER, chunks * ENTRY));
    kz_store_le64(bytes + HEADER_HASH, kz_hash64(bytes, HEADER_HASH));
}

void forge_seal_state(uint8_t *bytes, size_t size) {
    if (size >= 8) {
        kz_store_le64(bytes + size - 8, kz_hash64(bytes, size - 8));
    }
}

uint64_t forge_number(uint64_t old, int which, uint64_t file_bytes) {
    const uint64_t numbers[FORGE_NUMBERS] = {0,
                                             1,
                                             old - 1,
                                             old + 1,
                                             old / 2,
                                             2 * old,
                                             file_bytes,
                                             file_bytes + 1,
                                             UINT32_MAX,
                                             (uint64_t)INT32_MAX + 1,
                                             UINT64_MAX,
                                             UINT64_MAX / 2 + 1,
                                             UINT64_C(1) << 40,
                                             old ^ 0x55};
    return numbers[which];
}

size_t forge_block(const kz_model *model, const kz_plan *plan, const uint8_t *stored, unsigned positions,
                   uint8_t *bytes) {
    uint32_t *steps = malloc(KZ_STEPS_MOST * KZ_BLOCK_MOST * sizeof *steps);
    if (!steps) {
        abort();
    }
    size_t size = kz_rans_encode_plain(steps, kz_coder_list_plain(model, plan, stored, positions, NULL, steps), bytes);
    free(steps);
    return size;
}

/* ---- Whole files ------------------------------------------------------------------------------------------------- */

content content_of(const char *path) {
    content c = {NULL, 0};
    struct stat found;
    FILE *file = stat(path, &found) == 0 && S_ISREG(found.st_mode) ? fopen(path, "rb") : NULL;
    if (file) {
        c = (content){malloc((size_t)found.st_size + 64), (size_t)found.st_size};
        assert_non_null(c.bytes);
        assert_int_equal(fread(c.bytes, 1, c.size, file), c.size);
        fclose(file);
    }
    return c;
}

content needed_content(const char *path) {
    content c = content_of(path);
    if (!c.bytes || c.size == 0) {
        fail_msg("%s is missing or empty", path);
        abort(); /* fail_msg does not return, but who reads the code only can't know */
    }
    return c;
}

FILE *open_source(const char *name) {
    char path[4096];
    const char *source = getenv("KANZEN_SOURCE");
    snprintf(path, sizeof path, "%s/%s", source ? source : ".", name);
    FILE *file = fopen(path, "r");
    if (!file) {
        fail_msg("%s can't be read; KANZEN_SOURCE must be the root of the source", path);
        abort(); /* as above */
    }
    return file;
}

void put_content(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

bool same_contents(const char *left, const char *right) {
    content a = needed_content(left);
    content b = needed_content(right);
    bool same = a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
    free(a.bytes);
    free(b.bytes);
    return same;
}
