/* SPDX-License-Identifier: MIT
 *
 * Answers that go out compressed. Where zlib is missing, nothing is compressed. */
#ifndef KZ_SERVER_GZIP_H
#define KZ_SERVER_GZIP_H

#include <stdbool.h>
#include <stddef.h>

/* From 1 to 9: answers are compressed while a client waits, files once when the server starts. */
enum { KZ_GZIP_FAST = 1, KZ_GZIP_SMALL = 9 };

/* Compresses into new memory, which the caller frees. NULL: it would save less than a tenth, or there is no memory. */
char *kz_gzip(const void *bytes, size_t size, int level, size_t *compressed_size);

/* Whether a header Accept-Encoding (NULL: none) allows gzip. */
bool kz_gzip_is_accepted(const char *accept_encoding);

#endif
