/* SPDX-License-Identifier: MIT
 *
 * Bytes as the checkpoint of a retrograde analysis: of a game that is made up, with few positions. The mutator sets
 * most checksums right. What is read is written again, and is then the same. */
#include "tests/fuzz/files.h"

#include "base/bits.h"
#include "base/hash.h"
#include "solve/checkpoint.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* ---- The game ---------------------------------------------------------------------------------------------------- */

enum { PLACES = 100, CHUNK = 16, CHUNKS = (PLACES + CHUNK - 1) / CHUNK };

typedef struct made_up {
    uint8_t state[PLACES];
    int distance;
} made_up;

static size_t save(const void *context, uint64_t begin, uint64_t end, uint8_t *bytes) {
    const made_up *m = context;
    memcpy(bytes, m->state + begin, (size_t)(end - begin));
    return (size_t)(end - begin);
}

static bool load(void *context, int n, uint64_t begin, uint64_t end, const uint8_t *bytes, size_t size) {
    made_up *m = context;
    m->distance = n;
    memcpy(m->state + begin, bytes, size == end - begin ? size : 0);
    return size == end - begin;
}

static kz_checkpoint_state state_of(made_up *m) {
    return (kz_checkpoint_state){"made-up", "one", PLACES, CHUNK, CHUNK, m, save, load};
}

/* ---- The file ---------------------------------------------------------------------------------------------------- */

/* As docs/format-checkpoint.md has them. */
enum { FILE_BYTES_AT = 104, TABLE_HASH_AT = 112, HEADER_HASH_AT = 120, HEADER_BYTES = 128, ENTRY = 16 };

static kz_pool *pool;

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    fuzz_enter_folder();
    pool = kz_pool_new(1, NULL);
    if (!pool || mkdir("work", 0700) != 0) {
        abort();
    }
    return 0;
}

static void repair(uint8_t *data, size_t size) {
    if (size < HEADER_BYTES + CHUNKS * ENTRY) {
        return;
    }
    for (uint64_t chunk = 0; chunk < CHUNKS; chunk++) {
        uint8_t *entry = data + HEADER_BYTES + chunk * ENTRY;
        uint64_t at = kz_load_le64(entry), bytes = kz_load_le32(entry + 8);
        if (at <= size && bytes <= size - at) {
            kz_store_le32(entry + 12, (uint32_t)kz_hash64_seeded(data + at, (size_t)bytes, chunk));
        }
    }
    kz_store_le64(data + FILE_BYTES_AT, size);
    kz_store_le64(data + TABLE_HASH_AT, kz_hash64(data + HEADER_BYTES, CHUNKS * ENTRY));
    kz_store_le64(data + HEADER_HASH_AT, kz_hash64(data, HEADER_HASH_AT));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 8) {
        repair(data, size);
    }
    return size;
}

static const char *broken_by_writing(const kz_checkpoint *checkpoint, made_up *solver) {
    kz_checkpoint back = {.distance = 0};
    made_up other;
    const kz_checkpoint_state saved = state_of(solver);
    const kz_checkpoint_state loaded = state_of(&other);
    bool found = false;
    memset(&other, 0, sizeof other);
    LAW(kz_checkpoint_write(checkpoint, &saved, "work", pool, NULL, NULL) == KZ_OK);
    LAW(kz_checkpoint_read(&back, &loaded, "work", pool, NULL, &found, NULL) == KZ_OK && found);
    LAW(memcmp(&other, solver, sizeof other) == 0);
    LAW(back.distance == checkpoint->distance && back.idle == checkpoint->idle);
    LAW(back.open == checkpoint->open && back.sources == checkpoint->sources);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    kz_checkpoint checkpoint = {.distance = 0};
    made_up solver;
    const kz_checkpoint_state state = state_of(&solver);
    bool found = false;
    kz_error error = {KZ_OK, ""};
    memset(&solver, 0, sizeof solver);
    fuzz_write_file("work/checkpoint.kzr", data, size);
    kz_status status = kz_checkpoint_read(&checkpoint, &state, "work", pool, NULL, &found, &error);
    fuzz_keep_failure(status, &error);
    fuzz_keep(status == KZ_OK || status == KZ_ERR_CORRUPT ? NULL : "a strange failure");
    fuzz_keep(found ? NULL : "the file is not found");
    if (status == KZ_OK) {
        fuzz_keep(solver.distance == checkpoint.distance ? NULL : "another distance is loaded");
        fuzz_keep(broken_by_writing(&checkpoint, &solver));
    }
    return 0;
}
