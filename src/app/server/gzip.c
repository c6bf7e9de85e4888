/* SPDX-License-Identifier: MIT */
#include "app/server/site.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifdef KANZEN_ZLIB
#include <zlib.h>

char *kz_gzip(const void *bytes, size_t size, int level, size_t *compressed_size) {
    enum { GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 8 };
    z_stream stream = {.next_in = NULL};
    size_t room = size - size / 10;
    char *out = size <= UINT_MAX ? malloc(room + 1) : NULL;
    if (!out || deflateInit2(&stream, level, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(out);
        return NULL;
    }
    stream.next_in = (z_const Bytef *)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = (Bytef *)out;
    stream.avail_out = (uInt)room;
    bool whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    *compressed_size = room - stream.avail_out;
    (void)deflateEnd(&stream);
    if (!whole) {
        free(out);
        return NULL;
    }
    return out;
}
#else
char *kz_gzip(const void *bytes, size_t size, int level, size_t *compressed_size) {
    (void)bytes;
    (void)size;
    (void)level;
    (void)compressed_size;
    return NULL;
}
#endif

/* Whether the weight of a coding, such as ";q=0.5", is more than 0 (RFC 9110, 12.4.2). Without one it is 1. */
static bool is_wanted(const char *weight, size_t length) {
    for (; length > 0 && (*weight == ' ' || *weight == '\t'); length--) {
        weight++;
    }
    if (length == 0) {
        return true;
    }
    if (*weight != ';') {
        return false;
    }
    for (size_t i = 1; i < length; i++) {
        if (weight[i] >= '1' && weight[i] <= '9') {
            return true;
        }
    }
    return false;
}

bool kz_gzip_is_accepted(const char *accept_encoding) {
    static const char *const names[] = {"gzip", "x-gzip", "*"};
    for (const char *at = accept_encoding; at && *at;) {
        at += strspn(at, " \t,");
        size_t length = strcspn(at, ",");
        size_t name = strcspn(at, " \t,;");
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            if (strlen(names[i]) == name && strncasecmp(at, names[i], name) == 0) {
                return is_wanted(at + name, length - name);
            }
        }
        at += length;
    }
    return false;
}
