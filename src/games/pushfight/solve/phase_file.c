/* SPDX-License-Identifier: MIT */
#include "games/pushfight/solve/phase_file.h"

#include "base/bits.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/packing.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define MAGIC "\x89KZP\r\n\x1a\n"

enum {
    VERSION = 1,
    NAME_BYTES = 16,
    AT_VERSION = 8,
    AT_PHASE = 12,
    AT_GAME = 16,
    AT_RULES = 32,
    AT_SLICES = 48,
    AT_SLICES_DONE = 56,
    AT_SLICES_SWEPT = 64,
    AT_PAGES = 72,
    AT_FOUND_ALL = 80,
    AT_FOUND_KEPT = 88,
    AT_MICROSECONDS = 96,
    AT_FILE_BYTES = 104,
    AT_TABLES_HASH = 112, /* of the two tables after the header */
    AT_HEADER_HASH = 120, /* of all before it */
    HEADER_BYTES = 128,
    ENTRY_BYTES = KZ_PHASE_ENTRY_BYTES, /* of a page: bytes of its frame, and lower half of the frame's hash */
    LEVEL = 1
};

kz_status kz_phase_path(const char *folder, int phase, char *path, size_t size, kz_error *error) {
    int length = snprintf(path, size, "%s/phase-%03d.kzp", folder, phase);
    return length < 0 || (size_t)length >= size ? kz_fail(error, KZ_ERR_INPUT, "the path %s is too long", folder)
                                                : KZ_OK;
}

void kz_phases_remove(const char *folder, const char *part) {
    DIR *listing = opendir(folder);
    for (const struct dirent *entry; listing && (entry = readdir(listing));) {
        if (strncmp(entry->d_name, "phase-", 6) == 0 && strstr(entry->d_name, part)) {
            unlinkat(dirfd(listing), entry->d_name, 0);
        }
    }
    if (listing) {
        closedir(listing);
    }
}

/* A u32 a slice, and an entry a page. */
static uint64_t tables_bytes(const kz_phase_facts *facts) { return 4 * facts->slices + ENTRY_BYTES * facts->pages; }

/* The same frame has another check in another page. */
static uint32_t check_of(const uint8_t *frame, size_t size, uint64_t page) {
    return (uint32_t)kz_hash64_seeded(frame, size, page);
}

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

bool kz_pf_packer_open(kz_pf_packer *packer) {
    *packer = (kz_pf_packer){ZSTD_createCCtx(), ZSTD_createDCtx(), {.bytes = NULL}};
    return packer->pack && packer->unpack &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(packer->pack, ZSTD_c_compressionLevel, LEVEL));
}

void kz_pf_packer_close(kz_pf_packer *packer) {
    ZSTD_freeCCtx(packer->pack);
    ZSTD_freeDCtx(packer->unpack);
    kz_buffer_free(&packer->room);
}

uint8_t *kz_pf_packer_pack(kz_pf_packer *packer, const uint8_t *bytes, size_t size, size_t *packed_size) {
    packer->room.size = 0;
    size_t most = ZSTD_compressBound(size);
    uint8_t *room = kz_buffer_add(&packer->room, most);
    size_t got = room ? ZSTD_compress2(packer->pack, room, most, bytes, size) : 0;
    uint8_t *packed = room && !ZSTD_isError(got) ? malloc(got) : NULL;
    if (packed) {
        memcpy(packed, room, got);
    }
    *packed_size = packed ? got : 0;
    return packed;
}

bool kz_pf_packer_unpack(kz_pf_packer *packer, const uint8_t *packed, size_t packed_size, uint8_t *bytes, size_t size) {
    return ZSTD_decompressDCtx(packer->unpack, bytes, size, packed, packed_size) == size;
}

uint32_t kz_phase_frame_bytes(const uint8_t *entry) { return kz_load_le32(entry); }

uint8_t *kz_phase_pack(kz_pf_packer *packer, uint64_t page, const uint8_t *marks, size_t count, uint8_t *entry) {
    size_t size;
    uint8_t *frame = kz_pf_packer_pack(packer, marks, count, &size);
    kz_store_le32(entry, (uint32_t)size);
    kz_store_le32(entry + 4, frame ? check_of(frame, size, page) : 0);
    return frame;
}

kz_status kz_phase_unpack(int phase, uint64_t page, const uint8_t *entry, const uint8_t *frame, size_t count,
                          uint8_t *marks, kz_error *error) {
    size_t size = kz_phase_frame_bytes(entry);
    bool whole = check_of(frame, size, page) == kz_load_le32(entry + 4);
    kz_status status = whole ? kz_unpack(frame, size, marks, count) : KZ_ERR_CORRUPT;
    return status == KZ_OK ? KZ_OK
           : status == KZ_ERR_MEMORY
               ? kz_fail(error, status, "no memory to read phase %d", phase)
               : kz_fail(error, status, "phase-%03d.kzp: page %" PRIu64 " is damaged", phase, page);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static kz_status read_header(kz_phase_file *file, const char *path, const kz_phase_facts *expected, kz_error *error) {
    const uint8_t *header = file->file.data;
    if (file->file.size < HEADER_BYTES || memcmp(header, MAGIC, 8) != 0) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: not the file of a phase", path);
    }
    if (kz_load_le64(header + AT_HEADER_HASH) != kz_hash64(header, AT_HEADER_HASH)) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: the header is damaged", path);
    }
    if (kz_load_le32(header + AT_VERSION) != VERSION) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: version %" PRIu32 ", but this program knows version %d only", path,
                       kz_load_le32(header + AT_VERSION), VERSION);
    }
    kz_phase_facts *facts = &file->facts;
    *facts = *expected;
    facts->phase = (int)kz_load_le32(header + AT_PHASE);
    facts->slices_done = kz_load_le64(header + AT_SLICES_DONE);
    facts->slices_swept = kz_load_le64(header + AT_SLICES_SWEPT);
    facts->found = (kz_pf_amount){kz_load_le64(header + AT_FOUND_ALL), kz_load_le64(header + AT_FOUND_KEPT)};
    facts->microseconds = kz_load_le64(header + AT_MICROSECONDS);
    facts->whole = facts->slices_done == facts->slices;
    if (strncmp((const char *)header + AT_GAME, facts->game, NAME_BYTES) != 0 ||
        strncmp((const char *)header + AT_RULES, facts->rules, NAME_BYTES) != 0 || facts->phase != expected->phase ||
        kz_load_le64(header + AT_SLICES) != facts->slices || kz_load_le64(header + AT_PAGES) != facts->pages) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: not phase %d of %s, %s", path, expected->phase, expected->game,
                       expected->rules);
    }
    if (kz_load_le64(header + AT_FILE_BYTES) != file->file.size || facts->slices_done > facts->slices) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: cut off, or too long", path);
    }
    return KZ_OK;
}

static kz_status read_tables(kz_phase_file *file, const char *path, kz_error *error) {
    const kz_phase_facts *facts = &file->facts;
    const uint8_t *tables = file->file.data + HEADER_BYTES;
    if (file->file.size - HEADER_BYTES < tables_bytes(facts) ||
        kz_load_le64(file->file.data + AT_TABLES_HASH) != kz_hash64(tables, tables_bytes(facts))) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: the tables are damaged", path);
    }
    file->decided = tables;
    file->entries = tables + 4 * facts->slices;
    file->offsets = malloc((facts->pages + 1) * sizeof *file->offsets);
    if (!file->offsets) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", path);
    }
    file->offsets[0] = HEADER_BYTES + tables_bytes(facts);
    for (uint64_t page = 0; page < facts->pages; page++) {
        file->offsets[page + 1] = file->offsets[page] + kz_load_le32(file->entries + ENTRY_BYTES * page);
    }
    if (file->offsets[facts->pages] != file->file.size) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: cut off, or too long", path);
    }
    return KZ_OK;
}

kz_status kz_phase_open(kz_phase_file *file, const char *path, const kz_phase_facts *expected, kz_error *error) {
    *file = (kz_phase_file){.offsets = NULL};
    kz_status status;
    KZ_TRY_OR(failed, kz_mapping_open(&file->file, path, error));
    KZ_TRY_OR(failed, read_header(file, path, expected, error));
    KZ_TRY_OR(failed, read_tables(file, path, error));
    return KZ_OK;
failed:
    kz_phase_close(file);
    return status;
}

void kz_phase_close(kz_phase_file *file) {
    kz_mapping_close(&file->file);
    free(file->offsets);
    *file = (kz_phase_file){.offsets = NULL};
}

bool kz_phase_has(const kz_phase_file *file, uint64_t page) {
    return kz_load_le32(file->entries + ENTRY_BYTES * page) != 0;
}

kz_status kz_phase_marks(const kz_phase_file *file, uint64_t page, size_t count, uint8_t *marks, kz_error *error) {
    if (!kz_phase_has(file, page)) {
        memset(marks, 0, count);
        return KZ_OK;
    }
    return kz_phase_unpack(file->facts.phase, page, file->entries + ENTRY_BYTES * page,
                           file->file.data + file->offsets[page], count, marks, error);
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static void make_header(const kz_phase_facts *facts, const uint8_t *tables, uint64_t file_bytes, uint8_t *header) {
    memcpy(header, MAGIC, 8);
    kz_store_le32(header + AT_VERSION, VERSION);
    kz_store_le32(header + AT_PHASE, (uint32_t)facts->phase);
    strncpy((char *)header + AT_GAME, facts->game, NAME_BYTES - 1);
    strncpy((char *)header + AT_RULES, facts->rules, NAME_BYTES - 1);
    kz_store_le64(header + AT_SLICES, facts->slices);
    kz_store_le64(header + AT_SLICES_DONE, facts->slices_done);
    kz_store_le64(header + AT_SLICES_SWEPT, facts->slices_swept);
    kz_store_le64(header + AT_PAGES, facts->pages);
    kz_store_le64(header + AT_FOUND_ALL, facts->found.all);
    kz_store_le64(header + AT_FOUND_KEPT, facts->found.kept);
    kz_store_le64(header + AT_MICROSECONDS, facts->microseconds);
    kz_store_le64(header + AT_FILE_BYTES, file_bytes);
    kz_store_le64(header + AT_TABLES_HASH, kz_hash64(tables, tables_bytes(facts)));
    kz_store_le64(header + AT_HEADER_HASH, kz_hash64(header, AT_HEADER_HASH));
}

kz_status kz_phase_out_open(kz_phase_out *out, const char *path, const kz_phase_facts *facts, const uint32_t *decided,
                            kz_error *error) {
    *out = (kz_phase_out){
        .facts = facts, .tables = calloc(1, tables_bytes(facts)), .begin = HEADER_BYTES + tables_bytes(facts)};
    if (!out->tables) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to save a phase");
    }
    out->entries = out->tables + 4 * facts->slices;
    for (uint64_t slice = 0; slice < facts->slices; slice++) {
        kz_store_le32(out->tables + 4 * slice, decided[slice]);
    }
    kz_status status = kz_outfile_open(&out->file, path, true, error);
    if (status != KZ_OK) {
        free(out->tables);
    }
    return status;
}

/* What goes before the frames. */
static kz_status write_head(kz_phase_out *out, kz_error *error) {
    uint8_t header[HEADER_BYTES] = {0};
    uint64_t end = out->begin;
    for (uint64_t page = 0; page < out->facts->pages; page++) {
        end += kz_phase_frame_bytes(out->entries + ENTRY_BYTES * page);
    }
    make_header(out->facts, out->tables, end, header);
    KZ_TRY(kz_outfile_write_at(&out->file, header, sizeof header, 0, error));
    return kz_outfile_write_at(&out->file, out->tables, tables_bytes(out->facts), HEADER_BYTES, error);
}

kz_status kz_phase_out_close(kz_phase_out *out, kz_status status, kz_error *error) {
    if (status == KZ_OK) {
        status = write_head(out, error);
    }
    free(out->tables);
    if (status == KZ_OK) {
        return kz_outfile_commit(&out->file, error);
    }
    kz_outfile_discard(&out->file);
    return status;
}
