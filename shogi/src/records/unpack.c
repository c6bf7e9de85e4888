/* SPDX-License-Identifier: MIT */
#include "shogi/src/records/source.h"

#include "base/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <zstd.h>
#ifdef KANZEN_ZLIB
#include <zlib.h>
#endif

enum { PACKED_ROOM = 1 << 18 };

struct kz_unpacker {
    int descriptor;
    const char *path;
    ZSTD_DStream *zstd; /* NULL: it is gzip */
#ifdef KANZEN_ZLIB
    z_stream gzip;
#endif
    bool within; /* a frame or member that has not ended */
    bool ended;  /* of the file */
    uint64_t used;
    size_t at;
    size_t size;
    uint8_t packed[PACKED_ROOM];
};

static bool ends_in(const char *path, const char *ending) {
    size_t length = strlen(path);
    size_t tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

bool kz_is_packed_name(const char *path) { return ends_in(path, ".zst") || ends_in(path, ".gz"); }

kz_status kz_refuse_packed_name(const char *path, kz_error *error) {
    return kz_is_packed_name(path)
               ? kz_fail(error, KZ_ERR_INPUT,
                         "can't write %s: packed files (.zst, .gz) are read, not written; write it without this "
                         "ending, and pack it afterwards",
                         path)
               : KZ_OK;
}

kz_unpacker *kz_unpacker_new(int descriptor, const char *path, kz_error *error) {
    kz_unpacker *unpacker = calloc(1, sizeof *unpacker);
    if (!unpacker) {
        kz_fail(error, KZ_ERR_MEMORY, "out of memory");
        return NULL;
    }
    unpacker->descriptor = descriptor;
    unpacker->path = path;
    if (ends_in(path, ".zst")) {
        unpacker->zstd = ZSTD_createDStream();
        if (unpacker->zstd) {
            return unpacker;
        }
        kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    } else {
#ifdef KANZEN_ZLIB
        enum { GZIP = 31 }; /* a window of 32 KiB, and a header of gzip */
        if (inflateInit2(&unpacker->gzip, GZIP) == Z_OK) {
            return unpacker;
        }
        kz_fail(error, KZ_ERR_MEMORY, "out of memory");
#else
        kz_fail(error, KZ_ERR_UNSUPPORTED, "can't read %s: kanzen was built without zlib; unpack it first", path);
#endif
    }
    free(unpacker);
    return NULL;
}

void kz_unpacker_free(kz_unpacker *unpacker) {
    if (!unpacker) {
        return;
    }
    if (unpacker->zstd) {
        ZSTD_freeDStream(unpacker->zstd);
    }
#ifdef KANZEN_ZLIB
    else {
        inflateEnd(&unpacker->gzip);
    }
#endif
    free(unpacker);
}

uint64_t kz_unpacker_used(const kz_unpacker *unpacker) { return unpacker->used; }

static kz_status fill(kz_unpacker *unpacker, kz_error *error) {
    ssize_t got;
    do {
        got = read(unpacker->descriptor, unpacker->packed, sizeof unpacker->packed);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't read %s", unpacker->path);
    }
    unpacker->at = 0;
    unpacker->size = (size_t)got;
    unpacker->used += (uint64_t)got;
    unpacker->ended = got == 0;
    return KZ_OK;
}

static kz_status damaged(const kz_unpacker *unpacker, const char *why, kz_error *error) {
    return kz_fail(error, KZ_ERR_CORRUPT, "can't unpack %s: %s", unpacker->path, why);
}

/* Unpacks some of what is there. */
/* NOLINTNEXTLINE(readability-non-const-parameter): zstd writes there */
static kz_status unpack_zstd(kz_unpacker *unpacker, uint8_t *bytes, size_t size, size_t *got, kz_error *error) {
    ZSTD_inBuffer in = {unpacker->packed, unpacker->size, unpacker->at};
    ZSTD_outBuffer out = {bytes, size, 0};
    size_t result = ZSTD_decompressStream(unpacker->zstd, &out, &in);
    if (ZSTD_isError(result)) {
        return damaged(unpacker, ZSTD_getErrorName(result), error);
    }
    unpacker->at = in.pos;
    unpacker->within = result != 0;
    *got = out.pos;
    return KZ_OK;
}

#ifdef KANZEN_ZLIB
static kz_status unpack_gzip(kz_unpacker *unpacker, uint8_t *bytes, size_t size, size_t *got, kz_error *error) {
    enum { MOST = 1 << 30 };
    z_stream *gzip = &unpacker->gzip;
    if (!unpacker->within && inflateReset(gzip) != Z_OK) { /* members may follow each other */
        return damaged(unpacker, "zlib failed", error);
    }
    uInt room = (uInt)(size < MOST ? size : MOST);
    gzip->next_in = unpacker->packed + unpacker->at;
    gzip->avail_in = (uInt)(unpacker->size - unpacker->at);
    gzip->next_out = bytes;
    gzip->avail_out = room;
    int result = inflate(gzip, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
        return damaged(unpacker, gzip->msg ? gzip->msg : "it is damaged", error);
    }
    unpacker->at = unpacker->size - gzip->avail_in;
    unpacker->within = result != Z_STREAM_END;
    *got = room - gzip->avail_out;
    return KZ_OK;
}
#endif

kz_status kz_unpacker_read(kz_unpacker *unpacker, uint8_t *bytes, size_t size, size_t *got, kz_error *error) {
    *got = 0;
    while (*got < size) {
        kz_status status = KZ_OK;
        bool empty = unpacker->at == unpacker->size;
        if (empty && !unpacker->ended) {
            status = fill(unpacker, error);
        }
        if (status == KZ_OK && unpacker->ended && !unpacker->within) {
            return KZ_OK;
        }
        size_t more = 0;
        if (status == KZ_OK) {
#ifdef KANZEN_ZLIB
            status = unpacker->zstd ? unpack_zstd(unpacker, bytes + *got, size - *got, &more, error)
                                    : unpack_gzip(unpacker, bytes + *got, size - *got, &more, error);
#else
            status = unpack_zstd(unpacker, bytes + *got, size - *got, &more, error);
#endif
        }
        if (status == KZ_OK && more == 0 && unpacker->ended && unpacker->within) {
            return damaged(unpacker, "it is cut short", error);
        }
        if (status != KZ_OK) {
            return status;
        }
        *got += more;
    }
    return KZ_OK;
}
