/* SPDX-License-Identifier: MIT
 *
 * A table in a file on this machine: mapped into memory, and compared with its digest. */
#include "base/file.h"
#include "base/error.h"
#include "base/hash.h"
#include "table/format.h"
#include "table/reader.h"

#include <kanzen/paths.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t *get_mapped(void *user, uint64_t offset, size_t size) {
    const kz_mapping *mapping = user;
    (void)size;
    return mapping->data + offset;
}

static void close_mapped(void *user) {
    kz_mapping_close(user);
    free(user);
}

kz_status kz_table_open_as(const char *path, const kz_game *game, kz_table **opened, kz_error *error) {
    kz_mapping *mapping = calloc(1, sizeof *mapping);
    kz_status status =
        mapping ? kz_mapping_open(mapping, path, error) : kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", path);
    *opened = NULL;
    if (status != KZ_OK) {
        free(mapping);
        return status;
    }
    kz_byte_source bytes = {.size = mapping->size, .get = get_mapped, .close = close_mapped, .user = mapping};
    return kz_table_open_source(path, &bytes, NULL, game, opened, error);
}

kz_status kz_table_open(const char *path, kz_table **opened, kz_error *error) {
    return kz_table_open_as(path, NULL, opened, error);
}

kz_status kz_table_open_parts(const kz_game *game, kz_table **opened, kz_error *error) {
    kz_table *first = NULL;
    kz_status status = KZ_OK;
    *opened = NULL;
    for (int rules = 0; kz_rules_name(game, rules); rules++) {
        char path[KZ_PATH_BYTES];
        kz_table *part;
        if (kz_table_find(kz_game_name(game), kz_rules_name(game, rules), path, sizeof path, NULL) != KZ_OK) {
            continue;
        }
        KZ_TRY_OR(failed, kz_table_open_as(path, game, &part, error));
        if (first) {
            kz_table_add_part(first, part);
        } else {
            first = part;
        }
    }
    *opened = first ? first : kz_table_new_empty(game);
    return *opened ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory for a table");
failed:
    kz_table_close(first);
    return status;
}

/* The digest of everything after the header. */
static kz_status digest_content(const kz_table *table, const kz_progress *progress, kz_sha256 *sha, kz_error *error) {
    enum { PIECE = 1 << 20 };
    const kz_byte_source *file = kz_table_file(table);
    for (uint64_t at = KZ_TABLE_HEADER_BYTES; at < file->size; at += PIECE) {
        size_t size = file->size - at < PIECE ? (size_t)(file->size - at) : PIECE;
        const uint8_t *bytes = file->get(file->user, at, size);
        if (!bytes) {
            return kz_table_not_loaded(table, error, "not all of it is");
        }
        kz_sha256_update(sha, bytes, size);
        if (progress && progress->report && !progress->report(progress->user, "checking the file", at, file->size)) {
            return kz_fail(error, KZ_ERR_CANCELLED, "stopped");
        }
    }
    return KZ_OK;
}

kz_status kz_table_check(const kz_table *table, const kz_progress *progress, kz_error *error) {
    kz_sha256 sha;
    uint8_t digest[KZ_SHA256_BYTES];
    KZ_TRY(kz_sha256_begin(&sha, error));
    kz_status status = KZ_OK;
    for (uint64_t block = 0; block < kz_table_blocks(table); block++) {
        KZ_TRY_OR(failed, kz_table_check_block(table, block, error));
    }
    KZ_TRY_OR(failed, digest_content(table, progress, &sha, error));
    KZ_TRY(kz_sha256_finish(&sha, digest, error));
    return memcmp(digest, kz_table_stated_digest(table), KZ_SHA256_BYTES) == 0
               ? KZ_OK
               : kz_fail(error, KZ_ERR_CORRUPT, "%s: the file is damaged (its digest does not match)",
                         kz_table_name(table));
failed:
    kz_sha256_discard(&sha);
    return status;
}
