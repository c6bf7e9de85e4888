/* SPDX-License-Identifier: MIT
 *
 * Bytes as the file of a phase of Push Fight's corridor board. As with tables, the mutator sets most checksums right.
 */
#include "tests/fuzz/files.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/packing.h"
#include "games/pushfight/solve/phase_file.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static kz_pf_pages *pages;
static kz_phase_facts expected;

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    const kz_game *game = kz_game_find("pushfight");
    int rules = kz_rules_find(game, "corridor");
    kz_pf_pages_open(rules, 1, &pages, NULL);
    fuzz_memory(pages);
    expected = (kz_phase_facts){.game = kz_game_name(game),
                                .rules = kz_rules_name(game, rules),
                                .slices = pages->space->own_sets,
                                .pages = pages->space->own_sets};
    fuzz_enter_folder();
    return 0;
}

/* As docs/format-phase.md has them. */
enum { PHASE_AT = 12, FILE_BYTES_AT = 104, TABLES_HASH_AT = 112, HEADER_HASH_AT = 120, HEADER_BYTES = 128 };

static void repair(uint8_t *data, size_t size) {
    size_t tables = 4 * (size_t)expected.slices + 8 * (size_t)expected.pages;
    if (size < HEADER_BYTES + tables) {
        return;
    }
    uint8_t *entries = data + HEADER_BYTES + 4 * expected.slices;
    size_t at = HEADER_BYTES + tables;
    for (uint64_t page = 0; page < expected.pages; page++) {
        size_t bytes = kz_load_le32(entries + 8 * page);
        bytes = bytes > size - at || page + 1 == expected.pages ? size - at : bytes;
        kz_store_le32(entries + 8 * page, (uint32_t)bytes);
        kz_store_le32(entries + 8 * page + 4, bytes ? (uint32_t)kz_hash64_seeded(data + at, bytes, page) : 0);
        at += bytes;
    }
    kz_store_le64(data + FILE_BYTES_AT, size);
    kz_store_le64(data + TABLES_HASH_AT, kz_hash64(data + HEADER_BYTES, tables));
    kz_store_le64(data + HEADER_HASH_AT, kz_hash64(data, HEADER_HASH_AT));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 8) {
        repair(data, size);
    }
    return size;
}

/* The library for zstd and our own reader agree on the marks of a page. */
static const char *broken_by_page(const kz_phase_file *file, uint64_t page) {
    size_t rows = kz_pf_run_count(pages->state.first_runs, page);
    uint8_t *marks = fuzz_memory(malloc(rows + 1)), *again = fuzz_memory(malloc(rows + 1));
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_phase_marks(file, page, rows, marks, &error);
    fuzz_keep_failure(status, &error);
    if (status == KZ_OK && kz_phase_has(file, page)) {
        const uint8_t *frame = file->file.data + file->offsets[page];
        size_t size = (size_t)(file->offsets[page + 1] - file->offsets[page]);
        uint64_t stated;
        if (kz_unzstd_size(frame, size, &stated) && kz_unzstd(frame, size, again, rows)) {
            LAW(memcmp(marks, again, rows) == 0);
        }
    }
    for (size_t i = 0; status == KZ_OK && !kz_phase_has(file, page) && i < rows; i++) {
        LAW(marks[i] == 0);
    }
    free(marks);
    free(again);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    kz_phase_file file;
    kz_error error = {KZ_OK, ""};
    expected.phase = size >= PHASE_AT + 4 ? (int)(kz_load_le32(data + PHASE_AT) % 256) : 0;
    fuzz_write_file("phase", data, size);
    kz_status status = kz_phase_open(&file, "phase", &expected, &error);
    fuzz_keep_failure(status, &error);
    if (status == KZ_OK) {
        fuzz_keep(file.facts.slices_done <= file.facts.slices ? NULL : "more blocks are done than there are");
        for (uint64_t page = 0; page < expected.pages; page++) {
            fuzz_keep(broken_by_page(&file, page));
        }
        kz_phase_close(&file);
    }
    return 0;
}
