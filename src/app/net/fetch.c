/* SPDX-License-Identifier: MIT
 *
 * A whole table from a web server, by the list of tables there. */
#include "app/net/manifest.h"
#include "base/bits.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "table/format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A connection may break; as long as more bytes have come, there is another try, but not for ever. */
enum { MOST_TRIES = 20, PIECE_BYTES = 1 << 20 };

/* SHA-256 of the whole file, and of all that follows the header. */
typedef struct digests {
    kz_sha256 whole;
    kz_sha256 content;
    uint64_t at; /* bytes that were added */
} digests;

typedef struct download {
    kz_http *http;
    kz_outfile file;
    const kz_manifest_table *table;
    char url[KZ_HTTP_URL_BYTES];
    digests digests;
    const kz_progress *progress;
    kz_http_reply reply;
    kz_status status; /* why bytes were refused */
    bool wrong;       /* all bytes came, and are not those of the table */
    kz_error *error;
} download;

/* ---- Digests ----------------------------------------------------------------------------------------------------- */

static kz_status digests_begin(digests *d, kz_error *error) {
    d->at = 0;
    KZ_TRY(kz_sha256_begin(&d->whole, error));
    kz_status status = kz_sha256_begin(&d->content, error);
    if (status != KZ_OK) {
        kz_sha256_discard(&d->whole);
    }
    return status;
}

static void digests_discard(digests *d) {
    kz_sha256_discard(&d->whole);
    kz_sha256_discard(&d->content);
}

static void digests_add(digests *d, const uint8_t *bytes, size_t size) {
    kz_sha256_update(&d->whole, bytes, size);
    size_t skip = d->at >= KZ_TABLE_HEADER_BYTES         ? 0
                  : KZ_TABLE_HEADER_BYTES - d->at < size ? (size_t)(KZ_TABLE_HEADER_BYTES - d->at)
                                                         : size;
    kz_sha256_update(&d->content, bytes + skip, size - skip);
    d->at += size;
}

/* In hexadecimal digits; ends both. */
static kz_status digests_finish(digests *d, char whole[KZ_SHA256_HEX_BYTES], char content[KZ_SHA256_HEX_BYTES],
                                kz_error *error) {
    uint8_t digest[KZ_SHA256_BYTES] = {0};
    uint8_t rest[KZ_SHA256_BYTES] = {0};
    kz_status status = kz_sha256_finish(&d->whole, digest, error);
    kz_status other = kz_sha256_finish(&d->content, rest, error);
    kz_hex(digest, sizeof digest, whole);
    kz_hex(rest, sizeof rest, content);
    return status != KZ_OK ? status : other;
}

static bool is_table(const kz_manifest_table *table, const char *whole, const char *content) {
    return strcmp(content, table->digest) == 0 && (!table->sha256 || strcmp(whole, table->sha256) == 0);
}

/* ---- The list of tables ------------------------------------------------------------------------------------------ */

/* BASE/NAME, where BASE may be the folder, with or without a slash at its end, or the list in it. */
static kz_status join_url(const char *from, const char *name, char url[KZ_HTTP_URL_BYTES], kz_error *error) {
    size_t length = strlen(from);
    size_t list = strlen("/" KZ_MANIFEST_FILE);
    if (length > list && strcmp(from + length - list, "/" KZ_MANIFEST_FILE) == 0) {
        length -= list;
    }
    while (length > 0 && from[length - 1] == '/') {
        length--;
    }
    int written =
        length < KZ_HTTP_URL_BYTES ? snprintf(url, KZ_HTTP_URL_BYTES, "%.*s/%s", (int)length, from, name) : -1;
    return written > 0 && written < KZ_HTTP_URL_BYTES
               ? KZ_OK
               : kz_fail(error, KZ_ERR_INPUT, "the URL is too long: %.60s", from);
}

static kz_status read_manifest(kz_http *http, const char *from, kz_manifest *manifest, kz_error *error) {
    char url[KZ_HTTP_URL_BYTES];
    size_t size = 0;
    kz_status status;
    uint8_t *text = malloc(KZ_MANIFEST_MOST_BYTES);
    KZ_TRY_OR(done, text ? join_url(from, KZ_MANIFEST_FILE, url, error)
                         : kz_fail(error, KZ_ERR_MEMORY, "no memory to read %s", from));
    KZ_TRY_OR(done, kz_http_get_file(http, url, text, KZ_MANIFEST_MOST_BYTES, &size, error));
    KZ_TRY_OR(done, kz_manifest_read(url, (const char *)text, size, manifest, error));
done:
    free(text);
    return status;
}

/* ---- The bytes --------------------------------------------------------------------------------------------------- */

static bool report(const download *d, const char *stage, uint64_t done) {
    return !d->progress || !d->progress->report || d->progress->report(d->progress->user, stage, done, d->table->bytes);
}

static kz_status stopped(const download *d, kz_error *error) {
    return kz_fail(error, KZ_ERR_CANCELLED,
                   "stopped; %llu of %llu bytes are there, and the next fetch goes on from them",
                   (unsigned long long)d->digests.at, (unsigned long long)d->table->bytes);
}

/* Reads what is there already, for the digests. */
static kz_status read_part(download *d, uint64_t size, kz_error *error) {
    uint8_t *piece = malloc(PIECE_BYTES);
    kz_status status = piece ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to read %s", d->file.temporary);
    while (status == KZ_OK && d->digests.at < size) {
        size_t wanted = size - d->digests.at < PIECE_BYTES ? (size_t)(size - d->digests.at) : PIECE_BYTES;
        ssize_t got = pread(d->file.descriptor, piece, wanted, (off_t)d->digests.at);
        if (got <= 0) {
            status = kz_fail_errno(error, KZ_ERR_IO, got < 0 ? errno : EIO, "can't read %s", d->file.temporary);
        } else {
            digests_add(&d->digests, piece, (size_t)got);
        }
        if (status == KZ_OK && !report(d, "reading what is there", d->digests.at)) {
            status = stopped(d, error);
        }
    }
    free(piece);
    return status;
}

/* All begins anew. */
static kz_status start_again(download *d, kz_error *error) {
    digests_discard(&d->digests);
    KZ_TRY(digests_begin(&d->digests, error));
    return kz_outfile_cut(&d->file, 0, error);
}

static kz_status take(download *d, const void *bytes, size_t size, kz_error *error) {
    const kz_http_reply *reply = &d->reply;
    if (reply->total != KZ_HTTP_UNKNOWN && reply->total != d->table->bytes) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: %llu bytes long, but the list of tables says %llu", d->url,
                       (unsigned long long)reply->total, (unsigned long long)d->table->bytes);
    }
    if (reply->received == 0 && reply->first != d->digests.at) {
        KZ_TRY(start_again(d, error)); /* the server sends the file from its beginning */
    }
    if (size > d->table->bytes - d->digests.at) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s has more than the %llu bytes that the list of tables says", d->url,
                       (unsigned long long)d->table->bytes);
    }
    KZ_TRY(kz_outfile_write(&d->file, bytes, size, error));
    digests_add(&d->digests, bytes, size);
    return report(d, "fetching", d->digests.at) ? KZ_OK : stopped(d, error);
}

static bool take_bytes(void *user, const void *bytes, size_t size) {
    download *d = user;
    d->status = take(d, bytes, size, d->error);
    return d->status == KZ_OK;
}

/* Fetches what is missing, in one request. */
static kz_status fetch_rest(download *d, kz_error *error) {
    const kz_http_request request = {
        .url = d->url, .first = d->digests.at, .most = UINT64_MAX, .take = take_bytes, .user = d};
    kz_error refusal;
    d->status = KZ_OK;
    d->error = &refusal;
    kz_status status = kz_http_get(d->http, &request, &d->reply, error);
    if (d->status != KZ_OK) {
        return kz_fail(error, d->status, "%s", refusal.message);
    }
    if (status == KZ_OK && d->digests.at != d->table->bytes) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s ends after %llu bytes, but the list of tables says %llu", d->url,
                       (unsigned long long)d->digests.at, (unsigned long long)d->table->bytes);
    }
    return status;
}

/* Whether an answer was broken off, and more of the file is there than before. */
static bool is_worth_another_try(const download *d, uint64_t before) {
    return d->status == KZ_OK && d->reply.received > 0 && d->digests.at > before && d->digests.at < d->table->bytes;
}

static kz_status fetch_all(download *d, kz_error *error) {
    int tries = 0;
    while (d->digests.at < d->table->bytes) {
        uint64_t before = d->digests.at;
        kz_status status = fetch_rest(d, error);
        if (status != KZ_OK && (++tries == MOST_TRIES || !is_worth_another_try(d, before))) {
            return status;
        }
    }
    return KZ_OK;
}

/* ---- Putting it in place ----------------------------------------------------------------------------------------- */

/* Whether the file is the one that the list means. */
static kz_status check_digests(download *d, kz_error *error) {
    char whole[KZ_SHA256_HEX_BYTES];
    char content[KZ_SHA256_HEX_BYTES];
    const kz_manifest_table *table = d->table;
    KZ_TRY(digests_finish(&d->digests, whole, content, error));
    return is_table(table, whole, content)
               ? KZ_OK
               : kz_fail(error, KZ_ERR_CORRUPT, "%s is not the table of the list: its SHA-256 is another one", d->url);
}

/* Whether the header, which the digest of the content leaves out, belongs to it. */
static kz_status check_header(const download *d, const char *path, kz_error *error) {
    const kz_manifest_table *table = d->table;
    kz_mapping mapping;
    KZ_TRY(kz_mapping_open(&mapping, path, error));
    char digest[KZ_SHA256_HEX_BYTES] = "";
    const uint8_t *header = mapping.data;
    bool fits = mapping.size > KZ_TABLE_HEADER_BYTES && memcmp(header, KZ_TABLE_MAGIC, KZ_TABLE_MAGIC_BYTES) == 0 &&
                kz_load_le64(header + KZ_AT_HEADER_HASH) == kz_hash64(header, KZ_AT_HEADER_HASH);
    if (fits) {
        kz_hex(header + KZ_AT_DIGEST, KZ_SHA256_BYTES, digest);
        fits = strcmp(digest, table->digest) == 0 &&
               strncmp((const char *)header + KZ_AT_GAME, table->game, KZ_TABLE_NAME_BYTES) == 0 &&
               strncmp((const char *)header + KZ_AT_RULES, table->rules, KZ_TABLE_NAME_BYTES) == 0 &&
               kz_load_le64(header + KZ_AT_FILE_BYTES) == mapping.size;
    }
    kz_mapping_close(&mapping);
    return fits ? KZ_OK
                : kz_fail(error, KZ_ERR_CORRUPT, "%s is no table of %s by %s rules, as the list of tables says", d->url,
                          table->game, table->rules);
}

static kz_status commit(download *d, kz_error *error) {
    kz_status status = check_digests(d, error);
    if (status == KZ_OK) {
        status = check_header(d, d->file.temporary, error);
    }
    if (status != KZ_OK) {
        d->wrong = true;
        kz_outfile_discard(&d->file);
        return status;
    }
    return kz_outfile_commit(&d->file, error);
}

/* The part that an earlier call has left: 0 bytes if there is none. One that is too long is not of this table. */
static kz_status begin_part(download *d, uint64_t *resumed, kz_error *error) {
    struct stat found;
    if (fstat(d->file.descriptor, &found) != 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", d->file.temporary);
    }
    *resumed = (uint64_t)found.st_size <= d->table->bytes ? (uint64_t)found.st_size : 0;
    KZ_TRY(kz_outfile_cut(&d->file, *resumed, error));
    return read_part(d, *resumed, error);
}

/* What has come stays for the next time: the digest tells in the end whether it is right. */
static void give_up(download *d) {
    digests_discard(&d->digests);
    if (d->digests.at == 0) {
        kz_outfile_discard(&d->file);
    } else {
        kz_outfile_keep(&d->file);
    }
}

static kz_status fetch_file(download *d, kz_fetch *fetch, kz_error *error) {
    KZ_TRY(kz_outfile_open_part(&d->file, fetch->path, fetch->replace, true, error));
    kz_status status = digests_begin(&d->digests, error);
    if (status != KZ_OK) {
        kz_outfile_keep(&d->file);
        return status;
    }
    status = begin_part(d, &fetch->resumed, error);
    if (status == KZ_OK) {
        status = fetch_all(d, error);
    }
    if (status != KZ_OK) {
        give_up(d);
        return status;
    }
    return commit(d, error);
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

/* Whether the very table is at `path` already: all of it is read. */
static bool is_there(const kz_fetch *fetch, const kz_manifest_table *table) {
    kz_mapping mapping;
    digests d;
    bool same = false;
    if (kz_mapping_open(&mapping, fetch->path, NULL) != KZ_OK) {
        return false;
    }
    if (mapping.size == table->bytes && digests_begin(&d, NULL) == KZ_OK) {
        char whole[KZ_SHA256_HEX_BYTES];
        char content[KZ_SHA256_HEX_BYTES];
        digests_add(&d, mapping.data, mapping.size);
        same = digests_finish(&d, whole, content, NULL) == KZ_OK && is_table(table, whole, content);
    }
    kz_mapping_close(&mapping);
    return same;
}

static kz_status fetch_listed(kz_http *http, kz_fetch *fetch, const kz_manifest_table *table,
                              const kz_progress *progress, kz_error *error) {
    download d = {.http = http, .table = table, .progress = progress};
    fetch->bytes = table->bytes;
    memcpy(fetch->digest, table->digest, sizeof fetch->digest);
    fetch->was_there = is_there(fetch, table);
    if (fetch->was_there) {
        return KZ_OK;
    }
    struct stat found;
    if (!fetch->replace && lstat(fetch->path, &found) == 0) {
        fetch->in_the_way = true;
        return kz_fail(error, KZ_ERR_IO, "%s is there already, and is not the table that %s lists", fetch->path,
                       fetch->from);
    }
    KZ_TRY(join_url(fetch->from, table->file, d.url, error));
    KZ_TRY(kz_prepare_output(fetch->path, fetch->replace, error));
    kz_status status = fetch_file(&d, fetch, error);
    if (status == KZ_ERR_CORRUPT && d.wrong && fetch->resumed > 0) {
        status = fetch_file(&d, fetch, error); /* the earlier part may have been of another table; it is gone now */
    }
    return status;
}

kz_status kz_fetch_table(kz_fetch *fetch, const kz_remote_options *options, const kz_progress *progress,
                         kz_error *error) {
    kz_net_settings settings;
    kz_manifest manifest;
    kz_http *http;
    fetch->was_there = fetch->in_the_way = false;
    fetch->bytes = fetch->resumed = 0;
    fetch->digest[0] = '\0';
    KZ_TRY(kz_net_settings_read(options, &settings, error));
    KZ_TRY(kz_http_open(&settings.limits, &http, error));
    kz_status status = read_manifest(http, fetch->from, &manifest, error);
    if (status == KZ_OK) {
        const kz_manifest_table *table = kz_manifest_find(&manifest, fetch->game, fetch->rules);
        status = table ? fetch_listed(http, fetch, table, progress, error)
                       : kz_fail(error, KZ_ERR_IO, "%s has no table of %s by %s rules", fetch->from, fetch->game,
                                 fetch->rules);
        kz_manifest_free(&manifest);
    }
    kz_http_close(http);
    return status;
}
