/* SPDX-License-Identifier: MIT
 *
 * Tables in a folder for any file host: copies, the list of them, checksums, and a metalink file. */
#include "app/net/manifest.h"
#include "app/net/metalink.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/http.h"
#include "table/format.h"

#include <kanzen/paths.h>
#include <kanzen/remote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_BYTES = 64, SUM_LINE_BYTES = KZ_SHA256_HEX_BYTES + NAME_BYTES + 4 };

/* A table on its way. */
typedef struct item {
    char name[NAME_BYTES];
    char sha256[KZ_SHA256_HEX_BYTES];
    kz_metalink_file link;
    uint64_t bytes;
} item;

static bool report(const kz_progress *progress, const char *stage, uint64_t done, uint64_t total) {
    return !progress || !progress->report || progress->report(progress->user, stage, done, total);
}

/* ---- Digests ----------------------------------------------------------------------------------------------------- */

static kz_status digest(const void *data, size_t size, char hex[KZ_SHA256_HEX_BYTES], kz_error *error) {
    uint8_t bytes[KZ_SHA256_BYTES];
    kz_sha256 sha;
    KZ_TRY(kz_sha256_begin(&sha, error));
    kz_sha256_update(&sha, data, size);
    KZ_TRY(kz_sha256_finish(&sha, bytes, error));
    kz_hex(bytes, sizeof bytes, hex);
    return KZ_OK;
}

/* The digests of the file and of its pieces; and that its content is the one that was checked. */
static kz_status digest_table(item *it, const kz_published_table *table, const kz_mapping *mapping,
                              const kz_progress *progress, kz_error *error) {
    char content[KZ_SHA256_HEX_BYTES];
    size_t pieces = (mapping->size + KZ_METALINK_PIECE - 1) / KZ_METALINK_PIECE;
    it->bytes = mapping->size;
    it->link = (kz_metalink_file){.name = it->name, .bytes = it->bytes, .sha256 = it->sha256, .piece_count = pieces};
    it->link.pieces = calloc(pieces + 1, sizeof *it->link.pieces);
    if (!it->link.pieces) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    KZ_TRY(digest(mapping->data, mapping->size, it->sha256, error));
    for (size_t i = 0; i < pieces; i++) {
        size_t at = i * KZ_METALINK_PIECE;
        size_t size = mapping->size - at < KZ_METALINK_PIECE ? mapping->size - at : KZ_METALINK_PIECE;
        KZ_TRY(digest(mapping->data + at, size, it->link.pieces[i], error));
        if (!report(progress, "checksums", at, mapping->size)) {
            return kz_fail(error, KZ_ERR_CANCELLED, "stopped");
        }
    }
    bool same = mapping->size > KZ_TABLE_HEADER_BYTES;
    if (same) {
        KZ_TRY(digest(mapping->data + KZ_TABLE_HEADER_BYTES, mapping->size - KZ_TABLE_HEADER_BYTES, content, error));
        same = strcmp(content, kz_table_digest(table->table)) == 0;
    }
    return same ? KZ_OK : kz_fail(error, KZ_ERR_CORRUPT, "%s has changed since it was opened", table->path);
}

/* ---- Files in the folder ----------------------------------------------------------------------------------------- */

static kz_status join(const char *folder, const char *name, char path[KZ_PATH_BYTES], kz_error *error) {
    int length = snprintf(path, KZ_PATH_BYTES, "%s/%s", folder, name);
    return length > 0 && length < KZ_PATH_BYTES ? KZ_OK
                                                : kz_fail(error, KZ_ERR_INPUT, "the path is too long: %s", folder);
}

/* Writes a file, unless it is there with this content. Another content is replaced only if that was asked for. */
static kz_status put_file(kz_publication *publication, const char *name, const void *data, size_t size,
                          kz_error *error) {
    char path[KZ_PATH_BYTES];
    struct stat found;
    KZ_TRY(join(publication->folder, name, path, error));
    if (lstat(path, &found) == 0) {
        kz_mapping there;
        KZ_TRY(kz_mapping_open(&there, path, error));
        bool same = there.size == size && memcmp(there.data, data, size) == 0;
        kz_mapping_close(&there);
        if (same) {
            return KZ_OK;
        }
        if (!publication->replace) {
            publication->in_the_way = true;
            return kz_fail(error, KZ_ERR_IO, "%s is there already, with another content", path);
        }
    }
    return kz_write_file(path, data, size, publication->replace, error);
}

static kz_status publish_table(kz_publication *publication, const kz_published_table *table,
                               const kz_progress *progress, item *it, kz_error *error) {
    kz_mapping mapping;
    const kz_game *game = kz_table_game(table->table);
    int length = snprintf(it->name, sizeof it->name, "%s-%s.kzt", kz_game_name(game),
                          kz_rules_name(game, kz_table_rules(table->table)));
    if (length < 0 || (size_t)length >= sizeof it->name) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: the names of its game and rules are too long", table->path);
    }
    KZ_TRY(kz_table_check(table->table, progress, error));
    KZ_TRY(kz_mapping_open(&mapping, table->path, error));
    kz_status status = digest_table(it, table, &mapping, progress, error);
    if (status == KZ_OK) {
        status = put_file(publication, it->name, mapping.data, mapping.size, error);
    }
    kz_mapping_close(&mapping);
    return status;
}

/* Writes a file of the folder from a text that was allocated, or not; frees it. */
static kz_status put_text(kz_publication *publication, const char *name, char *text, size_t length, kz_error *error) {
    kz_status status =
        text ? put_file(publication, name, text, length, error) : kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    free(text);
    return status;
}

static kz_status put_manifest(kz_publication *publication, const item *items, kz_error *error) {
    kz_manifest_table *tables = calloc(publication->table_count + 1, sizeof *tables);
    size_t length = 0;
    for (size_t i = 0; tables && i < publication->table_count; i++) {
        const kz_table *table = publication->tables[i].table;
        tables[i] = (kz_manifest_table){
            .game = kz_game_name(kz_table_game(table)),
            .rules = kz_rules_name(kz_table_game(table), kz_table_rules(table)),
            .file = items[i].name,
            .bytes = items[i].bytes,
            .digest = kz_table_digest(table),
            .sha256 = items[i].sha256,
        };
    }
    char *text = tables ? kz_manifest_write(tables, publication->table_count, &length) : NULL;
    free(tables);
    return put_text(publication, KZ_MANIFEST_FILE, text, length, error);
}

/* As sha256sum prints and checks them. */
static kz_status put_sums(kz_publication *publication, const item *items, kz_error *error) {
    char *text = calloc(publication->table_count + 1, SUM_LINE_BYTES);
    size_t length = 0;
    for (size_t i = 0; text && i < publication->table_count; i++) {
        length += (size_t)snprintf(text + length, SUM_LINE_BYTES, "%s  %s\n", items[i].sha256, items[i].name);
    }
    return put_text(publication, "SHA256SUMS", text, length, error);
}

static kz_status put_metalink(kz_publication *publication, const item *items, kz_error *error) {
    kz_metalink_file *files = calloc(publication->table_count + 1, sizeof *files);
    size_t length = 0;
    for (size_t i = 0; files && i < publication->table_count; i++) {
        files[i] = items[i].link;
    }
    const kz_metalink link = {.files = files,
                              .count = publication->table_count,
                              .urls = publication->urls,
                              .url_count = publication->url_count};
    char *text = files ? kz_metalink_write(&link, &length) : NULL;
    free(files);
    return put_text(publication, KZ_METALINK_FILE, text, length, error);
}

/* Without URLs a metalink file that is there would be out of date. */
static kz_status drop_metalink(kz_publication *publication, kz_error *error) {
    char path[KZ_PATH_BYTES];
    kz_status status = join(publication->folder, KZ_METALINK_FILE, path, error);
    if (status != KZ_OK || access(path, F_OK) != 0) {
        return status;
    }
    if (!publication->replace) {
        publication->in_the_way = true;
        return kz_fail(error, KZ_ERR_IO, "%s is there already, and without a URL no new one can be written", path);
    }
    (void)unlink(path);
    return KZ_OK;
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

static kz_status check_request(const kz_publication *publication, kz_error *error) {
    for (size_t i = 0; i < publication->url_count; i++) {
        if (!kz_metalink_is_url(publication->urls[i])) {
            return kz_fail(error, KZ_ERR_INPUT, "'%s' is not a URL", publication->urls[i]);
        }
    }
    for (size_t i = 0; i < publication->table_count; i++) {
        if (kz_is_url(publication->tables[i].path)) {
            return kz_fail(error, KZ_ERR_INPUT, "%s is not a file; fetch it first (kanzen fetch)",
                           publication->tables[i].path);
        }
        for (size_t j = 0; j < i; j++) {
            const kz_table *a = publication->tables[i].table;
            const kz_table *b = publication->tables[j].table;
            if (strcmp(kz_game_name(kz_table_game(a)), kz_game_name(kz_table_game(b))) == 0 &&
                strcmp(kz_rules_name(kz_table_game(a), kz_table_rules(a)),
                       kz_rules_name(kz_table_game(b), kz_table_rules(b))) == 0) {
                return kz_fail(error, KZ_ERR_INPUT, "%s and %s are tables of the same game by the same rules",
                               publication->tables[j].path, publication->tables[i].path);
            }
        }
    }
    return KZ_OK;
}

/* The list comes last, so that it never names a table that is not there. */
static kz_status put_lists(kz_publication *publication, const item *items, kz_error *error) {
    KZ_TRY(put_sums(publication, items, error));
    KZ_TRY(publication->url_count > 0 ? put_metalink(publication, items, error) : drop_metalink(publication, error));
    return put_manifest(publication, items, error);
}

/* Cuts off the last part of a path and returns how long it is then. */
static size_t cut_last(char *path, size_t length) {
    while (length > 0 && path[length - 1] == '/') {
        length--;
    }
    while (length > 0 && path[length - 1] != '/') {
        length--;
    }
    path[length] = '\0';
    return length;
}

/* How much of the path of a folder is there already. */
static size_t existing_part(const char *folder) {
    char path[KZ_PATH_BYTES];
    size_t length = (size_t)snprintf(path, sizeof path, "%s", folder);
    length = length < sizeof path ? length : sizeof path - 1;
    while (length > 0 && access(path, F_OK) != 0) {
        length = cut_last(path, length);
    }
    return length;
}

/* Removes the folders of a path that are empty, down to the part that was there before. */
static void remove_made(const char *folder, size_t before) {
    char path[KZ_PATH_BYTES];
    size_t length = (size_t)snprintf(path, sizeof path, "%s", folder);
    while (length < sizeof path && length > before && rmdir(path) == 0) {
        length = cut_last(path, length);
    }
}

static kz_status publish_all(kz_publication *publication, const kz_progress *progress, item *items, kz_error *error) {
    KZ_TRY(kz_make_folders(publication->folder, error));
    for (size_t i = 0; i < publication->table_count; i++) {
        KZ_TRY(publish_table(publication, &publication->tables[i], progress, &items[i], error));
    }
    return put_lists(publication, items, error);
}

kz_status kz_publish(kz_publication *publication, const kz_progress *progress, kz_error *error) {
    publication->in_the_way = false;
    KZ_TRY(check_request(publication, error));
    item *items = calloc(publication->table_count + 1, sizeof *items);
    if (!items) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    size_t before = existing_part(publication->folder);
    kz_status status = publish_all(publication, progress, items, error);
    if (status != KZ_OK) {
        remove_made(publication->folder, before); /* only what is empty */
    }
    for (size_t i = 0; i < publication->table_count; i++) {
        free(items[i].link.pieces);
    }
    free(items);
    return status;
}
