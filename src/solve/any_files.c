/* SPDX-License-Identifier: MIT */
#include "solve/any_files.h"

#include "base/bigmem.h"
#include "base/error.h"
#include "base/hash.h"
#include "game/defined.h"

#include <kanzen/paths.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC "\x89KZV\r\n\x1a\n"

enum {
    MAGIC_BYTES = 8,
    NAME_BYTES = 16,
    AT_VERSION = 8,    /* u32 */
    AT_FORM = 12,      /* u32, of kz_any_form */
    AT_GAME = 16,      /* name, padded with zero bytes */
    AT_RULES = 32,     /* name, padded with zero bytes */
    AT_TIER = 48,      /* u64 */
    AT_SIZE = 56,      /* u64, positions */
    AT_INDEX = 64,     /* u64, positions of the whole index */
    AT_HASH = 72,      /* u64, XXH3 of the values */
    AT_RULES_SUM = 80, /* u32, fingerprint of the rules; then a u32 of zero */
    AT_HEADER = 88,    /* u64, XXH3 of the bytes before it */
    HEADER_BYTES = 96,
    VERSION = 3,
    PIECE = 1 << 16 /* values that are written at a time */
};

static kz_status make_path(const kz_any_files *files, int tier, char path[KZ_PATH_BYTES], kz_error *error) {
    return snprintf(path, KZ_PATH_BYTES, "%s/tier-%04d.kzv", files->folder, tier) < KZ_PATH_BYTES
               ? KZ_OK
               : kz_fail(error, KZ_ERR_INPUT, "the path %s is too long", files->folder);
}

kz_status kz_any_files_begin(kz_any_files *files, const kz_any_rules *rules, const char *rules_name, const char *folder,
                             kz_error *error) {
    *files = (kz_any_files){.rules = rules, .folder = folder, .rules_name = rules_name};
    files->fingerprint = kz_defined_fingerprint(rules->game, rules->context);
    files->tier = calloc((size_t)rules->tiers, sizeof *files->tier);
    return files->tier ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory for %d tiers", rules->tiers);
}

void kz_any_files_end(kz_any_files *files) {
    for (int tier = 0; files->tier && tier < files->rules->tiers; tier++) {
        kz_mapping_close(&files->tier[tier].file);
    }
    free(files->tier);
    files->tier = NULL;
}

/* All that the header says but for the form and the sums. */
static void put_names(const kz_any_files *files, int tier, uint8_t header[HEADER_BYTES]) {
    const kz_any_rules *rules = files->rules;
    memset(header, 0, HEADER_BYTES);
    memcpy(header, MAGIC, MAGIC_BYTES);
    kz_store_le32(header + AT_VERSION, VERSION);
    strncpy((char *)header + AT_GAME, rules->game->name, NAME_BYTES - 1);
    strncpy((char *)header + AT_RULES, files->rules_name, NAME_BYTES - 1);
    kz_store_le64(header + AT_TIER, (uint64_t)tier);
    kz_store_le64(header + AT_SIZE, rules->tier_begin[tier + 1] - rules->tier_begin[tier]);
    kz_store_le64(header + AT_INDEX, rules->size);
    kz_store_le32(header + AT_RULES_SUM, files->fingerprint);
}

static kz_status check_file(const kz_any_files *files, int tier, const kz_any_file *file, const char *path,
                            kz_error *error) {
    uint8_t expected[HEADER_BYTES];
    const uint8_t *header = file->file.data;
    put_names(files, tier, expected);
    if (file->file.size < HEADER_BYTES || memcmp(header, MAGIC, MAGIC_BYTES) != 0) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: not the values of a tier", path);
    }
    uint32_t version = kz_load_le32(header + AT_VERSION);
    if (version != VERSION) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: a file of version %u, and this program reads version %d", path,
                       (unsigned)version, VERSION);
    }
    if (kz_load_le64(header + AT_HEADER) != kz_hash64(header, AT_HEADER)) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: the header is damaged (its checksum does not match)", path);
    }
    if (memcmp(header + AT_GAME, expected + AT_GAME, AT_HASH - AT_GAME) != 0) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: made for another game, other rules or another index", path);
    }
    if (kz_load_le32(header + AT_RULES_SUM) != files->fingerprint) {
        return kz_fail(error, KZ_ERR_INPUT,
                       "%s: made by other rules: the game has been changed since. Remove %s to solve it anew", path,
                       files->folder);
    }
    uint64_t bytes = file->file.size - HEADER_BYTES;
    if (!kz_any_form_known(file->form) || bytes / kz_any_form_bytes(file->form) != file->size ||
        bytes % kz_any_form_bytes(file->form)) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: the file has the wrong length", path);
    }
    if (kz_load_le64(header + AT_HASH) != kz_hash64(file->values, (size_t)bytes)) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: the values are damaged (their checksum does not match)", path);
    }
    return KZ_OK;
}

kz_status kz_any_files_open(kz_any_files *files, int tier, bool *found, kz_error *error) {
    char path[KZ_PATH_BYTES];
    kz_any_file file = {.values = NULL};
    kz_status status = make_path(files, tier, path, error);
    *found = status == KZ_OK && access(path, F_OK) == 0;
    if (status != KZ_OK || !*found) {
        return status;
    }
    KZ_TRY(kz_mapping_open(&file.file, path, error));
    if (file.file.size >= HEADER_BYTES) {
        file.values = file.file.data + HEADER_BYTES;
        file.form = kz_load_le32(file.file.data + AT_FORM);
        file.size = kz_load_le64(file.file.data + AT_SIZE);
    }
    status = check_file(files, tier, &file, path, error);
    if (status != KZ_OK) {
        kz_mapping_close(&file.file);
        return status;
    }
    files->tier[tier] = file;
    return KZ_OK;
}

/* The header, then the values piece by piece, then the header again with the sum of the values. */
static kz_status write_values(kz_outfile *out, const kz_any_codes *codes, uint8_t header[HEADER_BYTES], uint8_t *piece,
                              kz_error *error) {
    uint64_t size = kz_load_le64(header + AT_SIZE);
    kz_any_form form = kz_load_le32(header + AT_FORM);
    unsigned width = kz_any_form_bytes(form);
    kz_hash_stream hash = {NULL};
    kz_status status = kz_hash_stream_begin(&hash) ? kz_outfile_write(out, header, HEADER_BYTES, error)
                                                   : kz_fail(error, KZ_ERR_MEMORY, "no memory to write a tier");
    for (uint64_t offset = 0; status == KZ_OK && offset < size; offset += PIECE) {
        uint64_t count = size - offset < PIECE ? size - offset : PIECE;
        for (uint64_t i = 0; i < count; i++) {
            kz_any_form_put(piece + i * width, form, codes->code(codes->context, offset + i));
        }
        kz_hash_stream_update(&hash, piece, (size_t)(count * width));
        status = kz_outfile_write(out, piece, (size_t)(count * width), error);
    }
    if (status == KZ_OK) {
        kz_store_le64(header + AT_HASH, kz_hash_stream_value(&hash));
        kz_store_le64(header + AT_HEADER, kz_hash64(header, AT_HEADER));
        status = kz_outfile_write_at(out, header, HEADER_BYTES, 0, error);
    }
    kz_hash_stream_end(&hash);
    return status;
}

static kz_code tier_code(void *tier, uint64_t offset) { return kz_any_tier_code(tier, offset); }

kz_status kz_any_files_write(const kz_any_files *files, int number, const kz_any_tier *tier, kz_error *error) {
    static const kz_status fine = KZ_OK;
    kz_any_form form = kz_any_form_for(kz_any_tier_longest(tier), kz_any_tier_parity(tier));
    kz_any_codes codes = {(void *)(uintptr_t)tier, tier_code, form};
    return kz_any_files_write_codes(files, number, &codes, &fine, NULL, error);
}

kz_status kz_any_files_write_codes(const kz_any_files *files, int number, const kz_any_codes *codes,
                                   const kz_status *failed, const kz_error *reason, kz_error *error) {
    char path[KZ_PATH_BYTES];
    uint8_t header[HEADER_BYTES];
    kz_outfile out;
    put_names(files, number, header);
    kz_store_le32(header + AT_FORM, codes->form);
    enum { PIECE_BYTES = PIECE * sizeof(kz_code) };
    uint8_t *piece = malloc(PIECE_BYTES);
    kz_status status =
        piece ? make_path(files, number, path, error) : kz_fail(error, KZ_ERR_MEMORY, "no memory to write a tier");
    if (status == KZ_OK) {
        status = kz_outfile_open(&out, path, true, error);
    }
    if (status == KZ_OK) {
        status = write_values(&out, codes, header, piece, error);
        if (status == KZ_OK && *failed != KZ_OK) {
            status = kz_fail(error, *failed, "%s", reason->message);
        }
        if (status == KZ_OK) {
            status = kz_outfile_commit(&out, error);
        } else {
            kz_outfile_discard(&out);
        }
    }
    free(piece);
    return status;
}

void kz_any_files_remove(const kz_any_files *files) {
    for (int tier = 0; tier < files->rules->tiers; tier++) {
        char path[KZ_PATH_BYTES];
        kz_error error;
        if (make_path(files, tier, path, &error) == KZ_OK) {
            unlink(path);
        }
    }
}

kz_any_span kz_any_files_span(const void *context, uint64_t index) {
    const kz_any_files *files = context;
    int tier = kz_any_tier_of(files->rules, index);
    const kz_any_file *file = &files->tier[tier];
    const uint8_t *values = file->near ? file->near : file->values;
    return (kz_any_span){files->rules->tier_begin[tier], values ? file->size : 0, values, file->form};
}

kz_code kz_any_files_value(const void *context, uint64_t index) {
    kz_any_span span = kz_any_files_span(context, index);
    return span.count ? kz_any_form_get(span.values + (index - span.begin) * kz_any_form_bytes(span.form), span.form)
                      : KZ_CODE_HOLE;
}

/* ---- Copies ------------------------------------------------------------------------------------------------------
 *
 * Moves lead anywhere in the tiers below, and in a mapped file, whose pages are small, nearly every look-up misses the
 * translation cache as well. With copies on large pages, a large tier takes little more than half the
 * time. They are not needed: where there is no memory for them, the files serve. */

enum { WORTH_COPYING = 1 << 16 }; /* smaller tiers stay in the caches as they are */

static uint64_t bytes_of(const kz_any_file *file) { return file->size * kz_any_form_bytes(file->form); }

void kz_any_near_take(kz_any_files *files, int tier, uint64_t most_bytes) {
    int *next = malloc(((size_t)tier + 1) * sizeof *next);
    int count = next ? kz_defined_tier_next(files->rules->game, files->rules->context, tier, next) : 0;
    for (int i = 0; i < count; i++) {
        kz_any_file *file = &files->tier[next[i]];
        uint64_t bytes = bytes_of(file);
        if (file->near || bytes < WORTH_COPYING || bytes > most_bytes) {
            continue;
        }
        file->near = kz_big_alloc((size_t)bytes);
        if (file->near) {
            memcpy(file->near, file->values, (size_t)bytes);
            most_bytes -= bytes;
        }
    }
    free(next);
}

void kz_any_near_drop(kz_any_files *files) {
    for (int tier = 0; tier < files->rules->tiers; tier++) {
        kz_any_file *file = &files->tier[tier];
        kz_big_free(file->near, (size_t)bytes_of(file));
        file->near = NULL;
    }
}
