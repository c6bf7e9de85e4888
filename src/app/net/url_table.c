/* SPDX-License-Identifier: MIT
 *
 * A table on a web server. It is read in pieces; each comes from the cache on the disk, or else from the server. */
#include "app/net/manifest.h"
#include "app/net/piece_cache.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/thread.h"
#include "table/format.h"
#include "table/reader.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Pieces that follow one another come in one request: all that are needed, and more and more of them where a file is
 * read from its beginning to its end. */
enum { PIECE_BYTES = 64 << 10, MOST_PIECES_AT_ONCE = 64 };

/* What a server may say that a file has: more than any table, and less than any address space. */
static const uint64_t most_bytes = UINT64_C(1) << 39;

typedef struct url_file {
    char *url;
    kz_http *http;
    kz_piece_cache *cache;
    uint64_t size;
    uint64_t pieces;
    char tag[KZ_HTTP_TAG_BYTES]; /* of the file when it was opened */
    uint8_t *image;              /* the file, as far as it was read */
    atomic_uchar *here;          /* for each piece: it is in the image */
    uint8_t *renewed;            /* for each piece: the server was asked a second time */
    kz_lock lock;                /* for all that follows, the client and the cache */
    uint64_t next;               /* the piece after the last one that was fetched */
    uint64_t run;                /* how many were fetched then */
    kz_error error;              /* why pieces are not here */
} url_file;

static size_t piece_size(const url_file *file, uint64_t piece) {
    uint64_t at = piece * PIECE_BYTES;
    return file->size - at < PIECE_BYTES ? (size_t)(file->size - at) : PIECE_BYTES;
}

static bool is_here(const url_file *file, uint64_t piece) {
    return atomic_load_explicit(&file->here[piece], memory_order_acquire) != 0;
}

/* ---- Asking the server ------------------------------------------------------------------------------------------- */

typedef struct arrival {
    const url_file *file; /* NULL while the file is opened: then nothing is known about it */
    const char *url;
    kz_http_reply reply;
    uint8_t *data;
    kz_status status; /* what is wrong with the answer */
    kz_error *error;
} arrival;

/* What can be told before a byte is taken. */
static kz_status judge(const arrival *a, kz_error *error) {
    const char *url = a->url;
    const kz_http_reply *reply = &a->reply;
    if (reply->code != 206) {
        return kz_fail(error, KZ_ERR_IO,
                       "%s: the server does not send parts of files; fetch the whole table (kanzen fetch)", url);
    }
    if (reply->total == KZ_HTTP_UNKNOWN) {
        return kz_fail(error, KZ_ERR_IO, "%s: the server does not say how large the file is", url);
    }
    const url_file *file = a->file;
    bool other_tag = file && file->tag[0] != '\0' && reply->tag[0] != '\0' && strcmp(file->tag, reply->tag) != 0;
    if (file && (reply->total != file->size || other_tag)) {
        return kz_fail(error, KZ_ERR_IO, "%s: the file on the server has changed since it was opened; try again", url);
    }
    return KZ_OK;
}

static bool take_bytes(void *user, const void *bytes, size_t size) {
    arrival *a = user;
    a->status = judge(a, a->error);
    if (a->status != KZ_OK) {
        return false;
    }
    memcpy(a->data + a->reply.received, bytes, size);
    return true;
}

/* Reads a range of the file into memory. */
static kz_status read_range(kz_http *http, const char *url, uint64_t first, size_t size, arrival *a, kz_error *error) {
    const kz_http_request request = {
        .url = url, .first = first, .length = size, .most = UINT64_MAX, .take = take_bytes, .user = a};
    kz_error refusal;
    a->url = url;
    a->status = KZ_OK;
    a->error = &refusal;
    kz_status status = kz_http_get(http, &request, &a->reply, error);
    if (a->status != KZ_OK) {
        return kz_fail(error, a->status, "%s", refusal.message);
    }
    return status == KZ_OK && a->reply.received == 0 ? judge(a, error) : status;
}

static kz_status fetch_pieces(url_file *file, uint64_t first, uint64_t count, bool keep) {
    uint64_t at = first * PIECE_BYTES;
    size_t size = (size_t)((count - 1) * PIECE_BYTES) + piece_size(file, first + count - 1);
    arrival a = {.file = file, .data = file->image + at};
    kz_status status = read_range(file->http, file->url, at, size, &a, &file->error);
    if (status == KZ_OK && a.reply.received != size) {
        status = kz_fail(&file->error, KZ_ERR_CORRUPT, "%s: the server sent %llu of %zu bytes", file->url,
                         (unsigned long long)a.reply.received, size);
    }
    for (uint64_t piece = first; status == KZ_OK && piece < first + count; piece++) {
        if (keep) {
            kz_piece_cache_put(file->cache, piece, file->image + piece * PIECE_BYTES, piece_size(file, piece));
        }
        atomic_store_explicit(&file->here[piece], 1, memory_order_release);
    }
    return status;
}

static bool get_from_cache(url_file *file, uint64_t piece) {
    if (!kz_piece_cache_get(file->cache, piece, file->image + piece * PIECE_BYTES, piece_size(file, piece))) {
        return false;
    }
    atomic_store_explicit(&file->here[piece], 1, memory_order_release);
    return true;
}

/* How many pieces to ask for: those that are missing up to `last`, or more if the file is read in order. */
static uint64_t choose_run(const url_file *file, uint64_t first, uint64_t last) {
    uint64_t wanted = last - first + 1;
    if (first == file->next && 2 * file->run > wanted) {
        wanted = 2 * file->run;
    }
    wanted = wanted < MOST_PIECES_AT_ONCE ? wanted : MOST_PIECES_AT_ONCE;
    uint64_t count = 1;
    while (count < wanted && first + count < file->pieces && !is_here(file, first + count)) {
        count++;
    }
    return count;
}

static bool load(url_file *file, uint64_t first, uint64_t last) {
    kz_status status = KZ_OK;
    for (uint64_t piece = first; piece <= last && status == KZ_OK; piece++) {
        if (is_here(file, piece) || get_from_cache(file, piece)) {
            continue;
        }
        uint64_t end = piece;
        while (end < last && !is_here(file, end + 1) && !get_from_cache(file, end + 1)) {
            end++;
        }
        uint64_t count = choose_run(file, piece, end);
        status = fetch_pieces(file, piece, count, true);
        file->next = piece + count;
        file->run = count;
    }
    return status == KZ_OK;
}

/* ---- The source of bytes ----------------------------------------------------------------------------------------- */

static const uint8_t *get(void *user, uint64_t offset, size_t size) {
    url_file *file = user;
    uint64_t first = offset / PIECE_BYTES;
    uint64_t last = size > 0 ? (offset + size - 1) / PIECE_BYTES : first;
    bool here = true;
    for (uint64_t piece = first; here && piece <= last && piece < file->pieces; piece++) {
        here = is_here(file, piece);
    }
    if (!here) {
        kz_lock_take(&file->lock);
        here = load(file, first, last);
        kz_lock_release(&file->lock);
    }
    return here ? file->image + offset : NULL;
}

static kz_status reason(void *user, kz_error *error) {
    url_file *file = user;
    kz_lock_take(&file->lock);
    kz_error found = file->error;
    kz_lock_release(&file->lock);
    return kz_fail(error, found.status, "%s", found.message);
}

/* Bytes that are wrong may have been wrong once only: the cache may be damaged, or the way from the server. Each piece
 * gets a second chance. It is not kept then: it may be wrong again. */
static bool renew(void *user, uint64_t offset, size_t size) {
    url_file *file = user;
    uint64_t first = offset / PIECE_BYTES;
    uint64_t last = size > 0 ? (offset + size - 1) / PIECE_BYTES : first;
    bool any = false;
    kz_lock_take(&file->lock);
    for (uint64_t piece = first; piece <= last; piece++) {
        kz_piece_cache_drop(file->cache, piece);
        if (!file->renewed[piece]) {
            file->renewed[piece] = 1;
            any = fetch_pieces(file, piece, 1, false) == KZ_OK || any;
        }
    }
    kz_lock_release(&file->lock);
    return any;
}

static void close_file(void *user) {
    url_file *file = user;
    kz_piece_cache_close(file->cache);
    kz_http_close(file->http);
    kz_lock_close(&file->lock);
    free(file->url);
    free(file->image);
    free(file->here);
    free(file->renewed);
    free(file);
}

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

/* A cache belongs to a URL and to the header of the table, which states the digest of all that follows. */
static kz_status open_cache(url_file *file, const kz_net_settings *settings, const uint8_t *header, size_t size,
                            kz_error *error) {
    uint8_t digest[KZ_SHA256_BYTES];
    kz_sha256 sha;
    KZ_TRY(kz_sha256_begin(&sha, error));
    kz_sha256_update(&sha, file->url, strlen(file->url) + 1);
    kz_sha256_update(&sha, header, size);
    KZ_TRY(kz_sha256_finish(&sha, digest, error));
    file->cache = kz_piece_cache_open(settings->cache, settings->cache_bytes, digest);
    return KZ_OK;
}

static kz_status open_image(url_file *file, const arrival *a, kz_error *error) {
    file->size = a->reply.total;
    file->pieces = (file->size + PIECE_BYTES - 1) / PIECE_BYTES;
    memcpy(file->tag, a->reply.tag, sizeof file->tag);
    if (file->size == 0 || file->size > most_bytes || file->size > SIZE_MAX / 2) {
        return kz_fail(error, KZ_ERR_CORRUPT, "%s: the server says that the file has %llu bytes", file->url,
                       (unsigned long long)file->size);
    }
    file->image = calloc(1, (size_t)file->size); /* pages that are not written to take no memory */
    file->here = calloc((size_t)file->pieces, sizeof *file->here);
    file->renewed = calloc((size_t)file->pieces, 1);
    return file->image && file->here && file->renewed
               ? KZ_OK
               : kz_fail(error, KZ_ERR_MEMORY, "no memory for the %llu bytes of %s", (unsigned long long)file->size,
                         file->url);
}

static kz_status open_file(url_file *file, const kz_net_settings *settings, kz_error *error) {
    uint8_t header[KZ_TABLE_HEADER_BYTES];
    arrival a = {.data = header};
    KZ_TRY(kz_http_open(&settings->limits, &file->http, error));
    KZ_TRY(read_range(file->http, file->url, 0, sizeof header, &a, error));
    KZ_TRY(open_image(file, &a, error));
    return open_cache(file, settings, header, (size_t)a.reply.received, error);
}

kz_status kz_table_open_url(const char *url, const kz_game *game, const kz_remote_options *options, kz_table **opened,
                            kz_error *error) {
    static const kz_source_calls calls = {reason, renew};
    kz_net_settings settings;
    *opened = NULL;
    KZ_TRY(kz_net_settings_read(options, &settings, error));
    url_file *file = calloc(1, sizeof *file);
    if (!file) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", url);
    }
    kz_lock_open(&file->lock);
    file->next = UINT64_MAX;
    file->url = strdup(url);
    kz_status status =
        file->url ? open_file(file, &settings, error) : kz_fail(error, KZ_ERR_MEMORY, "no memory to open %s", url);
    if (status != KZ_OK) {
        close_file(file);
        return status;
    }
    const kz_byte_source bytes = {.size = file->size, .get = get, .close = close_file, .user = file};
    return kz_table_open_source(url, &bytes, &calls, game, opened, error);
}
