/* SPDX-License-Identifier: MIT
 *
 * The files that the server serves, and compressing what goes out. The server finds and opens them once, when it
 * starts. A request selects one of these files by name, so text from a request is never used as a path. */
#ifndef KZ_SERVER_SITE_H
#define KZ_SERVER_SITE_H

#include "app/server/server.h"

typedef struct kz_site kz_site;

enum { KZ_SITE_MOST_FILES = 4096, KZ_SITE_MOST_FOLDERS_DEEP = 16 };

typedef struct kz_site_file {
    char *name; /* as requests write it: "/assets/index-Dk3.js" */
    int descriptor;
    const char *type; /* for Content-Type */
    bool immutable;   /* the name contains a hash of the content, so clients may keep the file for ever */
    char *compressed; /* the content with gzip; NULL: it goes out as it is */
    size_t compressed_size;
} kz_site_file;

kz_status kz_site_new(kz_site **opened, kz_error *error);
void kz_site_free(kz_site *site);

/* Adds all files in the folder and its subfolders. Names that begin with a dot and symbolic links are left out. */
kz_status kz_site_add_folder(kz_site *site, const char *folder, kz_error *error);
/* Adds one file under the given name. It replaces a file that has this name already. */
kz_status kz_site_add_file(kz_site *site, const char *name, const char *path, kz_error *error);
/* The same for a text of the server's own. */
kz_status kz_site_add_text(kz_site *site, const char *name, const char *text, size_t length, kz_error *error);
size_t kz_site_count(const kz_site *site);
/* Call this after the last file was added and before kz_site_find. */
void kz_site_sort(kz_site *site);

/* Returns the file with exactly this name; for a name that ends with a slash, index.html in that folder. NULL if there
 * is none. */
const kz_site_file *kz_site_find(const kz_site *site, const char *name);

/* ---- Tables: offer.c ------------------------------------------------------------------------------------------- */

/* Adds the tables of the server as files, /tables/GAME-RULES.kzt, and /tables/index.json, the list of them. It names
 * the server's tables, then those of the site's own list that are others. */
kz_status kz_offer_tables(kz_site *site, const kz_server_options *options, kz_error *error);

/* ---- Compressing: gzip.c. Where zlib is missing, nothing is compressed. ---------------------------------------- */

/* From 1 to 9: answers are compressed while a client waits, files once when the server starts. */
enum { KZ_GZIP_FAST = 1, KZ_GZIP_SMALL = 9 };

/* Compresses into new memory, which the caller frees. NULL: it would save less than a tenth, or there is no memory. */
char *kz_gzip(const void *bytes, size_t size, int level, size_t *compressed_size);

/* Whether a header Accept-Encoding (NULL: none) allows gzip. */
bool kz_gzip_is_accepted(const char *accept_encoding);

#endif
