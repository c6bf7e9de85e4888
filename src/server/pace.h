/* SPDX-License-Identifier: MIT
 *
 * How long the answer to a request will take, as far as that can be told beforehand. */
#ifndef KZ_SERVER_PACE_H
#define KZ_SERVER_PACE_H

#include <kanzen/server.h>

typedef enum kz_pace {
    KZ_PACE_NOW,   /* a fraction of a millisecond: not worth another thread */
    KZ_PACE_TABLE, /* many lookups: milliseconds */
    KZ_PACE_SEARCH /* seconds */
} kz_pace;

/* The pace of a request with this path for these rules (NULL or empty: the game's first ones). */
kz_pace kz_pace_of(const kz_server_table *tables, size_t count, const char *path, const char *rules);

#endif
