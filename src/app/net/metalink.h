/* SPDX-License-Identifier: MIT
 *
 * A metalink file (RFC 5854): where files are, their sizes and digests, for programs that download from several hosts
 * and check what they get. */
#ifndef KZ_NET_METALINK_H
#define KZ_NET_METALINK_H

#include "base/hash.h"

enum { KZ_METALINK_PIECE = 1 << 20 };
#define KZ_METALINK_FILE "tables.meta4"

typedef struct kz_metalink_file {
    const char *name; /* a name that needs no encoding in a URL */
    uint64_t bytes;
    const char *sha256;
    char (*pieces)[KZ_SHA256_HEX_BYTES]; /* of each KZ_METALINK_PIECE bytes */
    size_t piece_count;
} kz_metalink_file;

typedef struct kz_metalink {
    const kz_metalink_file *files;
    size_t count;
    const char *const *urls; /* of the folder with the files; the first is the best */
    size_t url_count;
} kz_metalink;

/* Whether a text can be such a URL: a scheme, and no character that a URL can't have. */
bool kz_metalink_is_url(const char *text);

/* NULL: no memory. Free it with free(). */
char *kz_metalink_write(const kz_metalink *link, size_t *length);

#endif
