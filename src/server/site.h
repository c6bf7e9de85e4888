/* SPDX-License-Identifier: MIT
 *
 * The files that may be served. They are all found and opened once, when the server starts; a request only chooses
 * among their names. So nothing that a request says is ever used as a path. */
#ifndef KZ_SERVER_SITE_H
#define KZ_SERVER_SITE_H

#include <kanzen/error.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct kz_site kz_site;

enum { KZ_SITE_MOST_FILES = 4096, KZ_SITE_MOST_FOLDERS_DEEP = 16 };

typedef struct kz_site_file {
    char *name; /* as it stands in a request: "/assets/index-Dk3.js" */
    int descriptor;
    const char *type; /* for Content-Type */
    bool immutable;   /* the name has a hash of the content: who has the file never needs to ask again */
    char *compressed; /* the content with gzip; NULL: it goes out as it is */
    size_t compressed_size;
} kz_site_file;

kz_status kz_site_new(kz_site **opened, kz_error *error);
void kz_site_free(kz_site *site);

/* All files in the folder and below. Not those that begin with a dot, nor what is behind symbolic links. */
kz_status kz_site_add_folder(kz_site *site, const char *folder, kz_error *error);
/* One file under a name of its own, in place of one that has this name. */
kz_status kz_site_add_file(kz_site *site, const char *name, const char *path, kz_error *error);
size_t kz_site_count(const kz_site *site);
/* After the last was added, before the first is looked for. */
void kz_site_sort(kz_site *site);

/* The file with exactly this name, or index.html if the name ends with a slash. NULL: there is none. */
const kz_site_file *kz_site_find(const kz_site *site, const char *name);

#endif
