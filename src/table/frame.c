/* SPDX-License-Identifier: MIT */
#include "table/frame.h"

#include "base/bits.h"
#include "base/error.h"
#include "base/hash.h"
#include "table/format.h"

#include <stdlib.h>
#include <string.h>

uint8_t *kz_frame_put_count(uint8_t *at, kz_outcome outcome, int distance, uint64_t number) {
    if (number) {
        memset(at, 0, KZ_COUNT_BYTES);
        at[KZ_COUNT_OUTCOME] = (uint8_t)outcome;
        kz_store_le16(at + KZ_COUNT_DISTANCE, (uint16_t)distance);
        kz_store_le64(at + KZ_COUNT_NUMBER, number);
        at += KZ_COUNT_BYTES;
    }
    return at;
}

kz_status kz_frame_put_histogram(kz_frame *frame, const kz_histogram *histogram, kz_error *error) {
    kz_section *section = &frame->sections[KZ_SECTION_COUNTS];
    section->bytes = malloc((size_t)(2 * (KZ_MAX_DISTANCE + 1) + 1) * KZ_COUNT_BYTES);
    if (!section->bytes) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to write the table");
    }
    uint8_t *at = section->bytes;
    for (int n = 0; n <= KZ_MAX_DISTANCE; n++) {
        at = kz_frame_put_count(at, KZ_LOSS, n, histogram->losses[n]);
    }
    at = kz_frame_put_count(at, KZ_DRAW, 0, histogram->draws);
    for (int n = 0; n <= KZ_MAX_DISTANCE; n++) {
        at = kz_frame_put_count(at, KZ_WIN, n, histogram->wins[n]);
    }
    section->size = (size_t)(at - section->bytes);
    return KZ_OK;
}

uint64_t kz_frame_blocks_at(const kz_frame *frame) {
    uint64_t at = KZ_TABLE_HEADER_BYTES;
    for (int i = 0; i < KZ_SECTIONS; i++) {
        at += frame->sections[i].size;
    }
    return at;
}

static kz_status write_sections(const kz_frame *frame, kz_outfile *file, kz_error *error) {
    uint64_t at = KZ_TABLE_HEADER_BYTES;
    for (int i = 0; i < KZ_SECTIONS; i++) {
        KZ_TRY(kz_outfile_write_at(file, frame->sections[i].bytes, frame->sections[i].size, at, error));
        at += frame->sections[i].size;
    }
    return KZ_OK;
}

/* The digest of all that follows the header, read back from the file. */
static kz_status take_digest(const kz_outfile *file, const kz_progress *progress, uint8_t digest[KZ_SHA256_BYTES],
                             kz_error *error) {
    enum { PIECE = 1 << 20 };
    kz_mapping written;
    KZ_TRY(kz_mapping_open(&written, file->temporary, error));
    kz_sha256 sha;
    kz_status status = kz_sha256_begin(&sha, error);
    for (uint64_t at = KZ_TABLE_HEADER_BYTES; status == KZ_OK && at < written.size; at += PIECE) {
        uint64_t left = written.size - at;
        kz_sha256_update(&sha, written.data + at, left < PIECE ? left : PIECE);
        if (progress && progress->report && !progress->report(progress->user, "taking the digest", at, written.size)) {
            kz_sha256_discard(&sha);
            status = kz_fail(error, KZ_ERR_CANCELLED, "stopped");
        }
    }
    if (status == KZ_OK) {
        status = kz_sha256_finish(&sha, digest, error);
    }
    kz_mapping_close(&written);
    return status;
}

static void put_section(uint8_t *header, int bytes_at, int hash_at, const kz_section *section) {
    kz_store_le32(header + bytes_at, (uint32_t)section->size);
    kz_store_le64(header + hash_at, kz_hash64(section->bytes, section->size));
}

static kz_status write_header(const kz_frame *frame, kz_outfile *file, uint64_t file_bytes, const kz_progress *progress,
                              kz_error *error) {
    uint8_t header[KZ_TABLE_HEADER_BYTES] = {0};
    memcpy(header + KZ_AT_MAGIC, KZ_TABLE_MAGIC, KZ_TABLE_MAGIC_BYTES);
    kz_store_le32(header + KZ_AT_VERSION, frame->version);
    kz_store_le32(header + KZ_AT_BLOCK_SIZE, frame->block);
    strncpy((char *)header + KZ_AT_GAME, frame->game, KZ_TABLE_NAME_BYTES - 1);
    strncpy((char *)header + KZ_AT_RULES, frame->rules, KZ_TABLE_NAME_BYTES - 1);
    kz_store_le64(header + KZ_AT_POSITIONS, frame->entries);
    kz_store_le64(header + KZ_AT_FILE_BYTES, file_bytes);
    put_section(header, KZ_AT_COUNTS_BYTES, KZ_AT_COUNTS_HASH, &frame->sections[KZ_SECTION_COUNTS]);
    put_section(header, KZ_AT_MODEL_BYTES, KZ_AT_MODEL_HASH, &frame->sections[KZ_SECTION_MODEL]);
    put_section(header, KZ_AT_INDEX_BYTES, KZ_AT_INDEX_HASH, &frame->sections[KZ_SECTION_INDEX]);
    kz_store_le32(header + KZ_AT_FINGERPRINT, frame->fingerprint);
    KZ_TRY(take_digest(file, progress, header + KZ_AT_DIGEST, error));
    kz_store_le64(header + KZ_AT_HEADER_HASH, kz_hash64(header, KZ_AT_HEADER_HASH));
    return kz_outfile_write_at(file, header, sizeof header, 0, error);
}

kz_status kz_frame_write_file(const kz_frame *frame, const char *path, bool replace, kz_write_blocks *blocks,
                              void *context, const kz_progress *progress, kz_error *error) {
    kz_outfile file;
    uint64_t file_bytes;
    kz_status status;
    KZ_TRY(kz_outfile_open(&file, path, replace, error));
    KZ_TRY_OR(failed, blocks(context, &file, &file_bytes, error));
    KZ_TRY_OR(failed, write_sections(frame, &file, error));
    KZ_TRY_OR(failed, write_header(frame, &file, file_bytes, progress, error));
    return kz_outfile_commit(&file, error);
failed:
    kz_outfile_discard(&file);
    return status;
}

void kz_frame_free(kz_frame *frame) {
    for (int i = 0; i < KZ_SECTIONS; i++) {
        free(frame->sections[i].bytes);
        frame->sections[i] = (kz_section){NULL, 0};
    }
}
