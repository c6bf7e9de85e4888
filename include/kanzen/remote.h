/* SPDX-License-Identifier: MIT
 *
 * Tables on web servers: looked up there, fetched from there, and made ready for there. docs/tables.md explains it,
 * docs/format-manifest.md describes the files. All of this needs the module kanzen-curl.so, which is built with
 * libcurl; without it these calls fail with KZ_ERR_UNSUPPORTED, but for kz_publish, which needs no network. */
#ifndef KANZEN_REMOTE_H
#define KANZEN_REMOTE_H

#include <kanzen/progress.h>
#include <kanzen/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A member that is NULL or 0 has the value of the environment variable, or else the default. */
typedef struct kz_remote_options {
    /* The folder for parts of tables that were read. KANZEN_CACHE, or $XDG_CACHE_HOME/kanzen, or ~/.cache/kanzen. An
     * empty text: nothing is kept. */
    const char *cache;
    uint64_t cache_bytes; /* that the folder may hold; KANZEN_CACHE_BYTES, or 1 GiB */
    /* A server that sends less than 1,024 bytes a second for so long is given up. KANZEN_TIMEOUT, or 30. */
    uint64_t seconds;
} kz_remote_options;

/* Opens the table at a URL (http or https): the parts that lookups need are read when they are needed, checked as
 * those of a file are, and kept in the cache for the next time. The first request finds out whether the table is the
 * one whose parts are kept. What was read stays in memory while the table is open. `game` as for kz_table_open_as;
 * `options` may be NULL. KZ_ERR_IO: the server can't be reached, is too slow, does not send parts of files, or its file
 * has changed meanwhile. KZ_ERR_CORRUPT: what it sends is not what was asked for. */
kz_status kz_table_open_url(const char *url, const kz_game *game, const kz_remote_options *options, kz_table **opened,
                            kz_error *error);

/* What kz_fetch_table fetches, and what it did. */
typedef struct kz_fetch {
    const char *from; /* the URL of a folder with index.json, or of such a file itself */
    const char *game;
    const char *rules;
    const char *path; /* where the table goes */
    bool replace;     /* a table that is there already */
    /* Filled in: */
    bool was_there;   /* a table with this content is there already, so nothing was fetched */
    bool in_the_way;  /* it failed because another file is at `path` */
    uint64_t bytes;   /* of the table */
    uint64_t resumed; /* bytes of it that an earlier call had fetched */
    char digest[65];  /* as kz_table_digest */
} kz_fetch;

/* Fetches a table that the manifest at `from` lists. What has come so far is in PATH.part; a later call goes on there.
 * The table takes its place only when its size, its SHA-256, its game and its rules are what the manifest says. If they
 * are not, the part is removed, and if a part of it came from an earlier call, all is fetched once more; then it is
 * KZ_ERR_CORRUPT. KZ_ERR_IO: the server can't be reached or has no such table, or another table is at `path`. */
kz_status kz_fetch_table(kz_fetch *fetch, const kz_remote_options *options, const kz_progress *progress,
                         kz_error *error);

/* An open table, and the file that it was opened from. */
typedef struct kz_published_table {
    const kz_table *table;
    const char *path;
} kz_published_table;

/* A folder with tables for any file host. */
typedef struct kz_publication {
    const char *folder;
    const kz_published_table *tables;
    size_t table_count;
    const char *const *urls; /* where the folder will be found; the first is the best. For the metalink file */
    size_t url_count;        /* 0: no metalink file is written, and one that is there is in the way */
    bool replace;            /* files in the folder that have another content */
    /* Filled in: */
    bool in_the_way; /* it failed because of such a file */
} kz_publication;

/* Checks every table as kz_table_check does, and puts a copy into the folder, as GAME-RULES.kzt, with index.json (the
 * manifest), SHA256SUMS and, if there are URLs, tables.meta4 (RFC 5854). The same tables in the same order give the
 * same files. KZ_ERR_INPUT: two tables have the same name, or a URL is none. */
kz_status kz_publish(kz_publication *publication, const kz_progress *progress, kz_error *error);

#ifdef __cplusplus
}
#endif
#endif
