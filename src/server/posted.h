/* SPDX-License-Identifier: MIT
 *
 * The body of POST .../positions: {"positions": ["...", ...], "rules": "..."}. */
#ifndef KZ_SERVER_POSTED_H
#define KZ_SERVER_POSTED_H

#include <kanzen/error.h>

typedef struct kz_posted {
    struct json_t *document; /* owns the texts */
    const char **positions;
    size_t count;
    const char *rules; /* NULL: not said */
} kz_posted;

/* KZ_ERR_INPUT: it is something else; the message says what. */
kz_status kz_posted_read(const char *body, size_t length, kz_posted *posted, kz_error *error);
/* Also for one that is all zero. */
void kz_posted_free(kz_posted *posted);

#endif
