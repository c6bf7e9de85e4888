/* SPDX-License-Identifier: MIT
 *
 * The list of tables that lies beside them on a web server: docs/format-manifest.md. */
#ifndef KZ_NET_MANIFEST_H
#define KZ_NET_MANIFEST_H

#include "base/hash.h"
#include "base/http.h"
#include "base/json.h"

#include <kanzen/paths.h>
#include <kanzen/remote.h>
#include <stdint.h>

enum { KZ_MANIFEST_VERSION = 1, KZ_MANIFEST_MOST_BYTES = 4 << 20, KZ_MANIFEST_MOST_TABLES = 4096 };
#define KZ_MANIFEST_FILE "index.json"

typedef struct kz_manifest_table {
    const char *game;
    const char *rules;
    const char *file; /* beside the manifest */
    uint64_t bytes;
    const char *digest; /* SHA-256 of the content, which the table's header states; 64 hexadecimal digits */
    const char *sha256; /* of the whole file; NULL: the manifest does not say */
} kz_manifest_table;

typedef struct kz_manifest {
    kz_manifest_table *tables;
    size_t count;
    char *memory; /* of the texts */
} kz_manifest;

/* Checks all that can be checked: names are names, files lie beside the manifest, digests are digests. `name` stands
 * for the manifest in messages. KZ_ERR_CORRUPT: it is none, or of a version that this program does not know. */
kz_status kz_manifest_read(const char *name, const char *text, size_t length, kz_manifest *manifest, kz_error *error);
void kz_manifest_free(kz_manifest *manifest);
/* NULL: it has no such table. */
const kz_manifest_table *kz_manifest_find(const kz_manifest *manifest, const char *game, const char *rules);

/* The manifest with these tables, in their order, with a line end. NULL: no memory. Free it with free(). */
char *kz_manifest_write(const kz_manifest_table *tables, size_t count, size_t *length);

/* What kz_remote_options mean when members are left out. */

typedef struct kz_net_settings {
    char cache[KZ_PATH_BYTES]; /* "": nothing is kept */
    uint64_t cache_bytes;
    kz_http_limits limits;
} kz_net_settings;

/* KZ_ERR_INPUT: an environment variable is not a number. */
kz_status kz_net_settings_read(const kz_remote_options *options, kz_net_settings *settings, kz_error *error);

#endif
