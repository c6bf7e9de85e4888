/* SPDX-License-Identifier: MIT */
#include "app/server/site.h"

#include "base/error.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct kz_site {
    kz_site_file *files;
    size_t count;
};

/* Files with longer names are refused. */
enum { NAME_BYTES = 2048 };

static const char *type_of(const char *name) {
    static const struct {
        const char *ending;
        const char *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".wasm", "application/wasm"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".webp", "image/webp"},
        {".ico", "image/vnd.microsoft.icon"},
        {".woff2", "font/woff2"},
        {".json", "application/json"},
        {".map", "application/json"},
        {".webmanifest", "application/manifest+json"},
        {".txt", "text/plain; charset=utf-8"},
        {".xml", "application/xml"},
    };
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending && i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(ending, types[i].ending) == 0) {
            return types[i].type;
        }
    }
    return "application/octet-stream";
}

/* PREFIX/NAME with the characters that need it percent-encoded, as requests have them. False: too long. */
static bool encode_name(const char *prefix, const char *name, char encoded[NAME_BYTES]) {
    int length = snprintf(encoded, NAME_BYTES, "%s/", prefix);
    for (; *name && length < NAME_BYTES - 4; name++) {
        if (kz_is_plain(*name, "/-._~")) { /* browsers send these as they are */
            encoded[length++] = *name;
        } else {
            length += snprintf(encoded + length, 4, "%%%02X", (unsigned char)*name);
        }
    }
    if (*name != '\0' || length >= NAME_BYTES) {
        return false;
    }
    encoded[length] = '\0';
    return true;
}

kz_status kz_site_new(kz_site **opened, kz_error *error) {
    *opened = calloc(1, sizeof **opened);
    if (*opened) {
        (*opened)->files = calloc(KZ_SITE_MOST_FILES, sizeof *(*opened)->files);
    }
    if (!*opened || !(*opened)->files) {
        free(*opened);
        *opened = NULL;
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the list of files");
    }
    return KZ_OK;
}

void kz_site_free(kz_site *site) {
    if (site) {
        for (size_t i = 0; i < site->count; i++) {
            close(site->files[i].descriptor);
            free(site->files[i].compressed);
            free(site->files[i].name);
        }
        free(site->files);
        free(site);
    }
}

/* Texts and programs; images and tables are compressed already. */
static bool is_compressible(const char *type) {
    return strncmp(type, "text/", 5) == 0 || strncmp(type, "application/wasm", 16) == 0 || strstr(type, "json") ||
           strstr(type, "xml");
}

/* Compresses what is worth it, once. Without memory, or if the file can't be read now, it goes out as it is. */
static void compress(kz_site_file *file) {
    enum { MOST_BYTES = 8 << 20, LEAST_BYTES = 256 };
    struct stat status;
    if (!is_compressible(file->type) || fstat(file->descriptor, &status) != 0 || status.st_size < LEAST_BYTES ||
        status.st_size > MOST_BYTES) {
        return;
    }
    size_t size = (size_t)status.st_size;
    char *content = malloc(size);
    if (content && pread(file->descriptor, content, size, 0) == (ssize_t)size) {
        file->compressed = kz_gzip(content, size, KZ_GZIP_SMALL, &file->compressed_size);
    }
    free(content);
}

/* Takes the descriptor in any case. */
static kz_status add_file(kz_site *site, const char *name, int descriptor, kz_error *error) {
    char *copy = strdup(name);
    if (!copy || site->count == KZ_SITE_MOST_FILES) {
        free(copy);
        close(descriptor);
        return copy ? kz_fail(error, KZ_ERR_INPUT, "there are more than %d files to serve", (int)KZ_SITE_MOST_FILES)
                    : kz_fail(error, KZ_ERR_MEMORY, "no memory for the list of files");
    }
    site->files[site->count++] = (kz_site_file){
        .name = copy,
        .descriptor = descriptor,
        .type = type_of(name),
        /* The build of the page puts a hash into every name in this folder. */
        .immutable = strncmp(name, "/assets/", 8) == 0,
    };
    compress(&site->files[site->count - 1]);
    return KZ_OK;
}

static kz_status add_entries(kz_site *site, int descriptor, const char *prefix, const char *folder, int depth,
                             kz_error *error);

static kz_status add_entry(kz_site *site, int parent, const char *entry, const char *prefix, const char *folder,
                           int depth, kz_error *error) {
    struct stat status;
    char name[NAME_BYTES];
    /* Devices and pipes are not opened. */
    if (entry[0] == '.' || fstatat(parent, entry, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) {
        return KZ_OK;
    }
    if (!encode_name(prefix, entry, name)) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: the name of a file in it is too long", folder);
    }
    int descriptor = openat(parent, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't open %s%s", folder, name);
    }
    if (S_ISDIR(status.st_mode)) {
        return add_entries(site, descriptor, name, folder, depth + 1, error);
    }
    return add_file(site, name, descriptor, error);
}

/* Takes the descriptor of the folder in any case. */
static kz_status add_entries(kz_site *site, int descriptor, const char *prefix, const char *folder, int depth,
                             kz_error *error) {
    DIR *entries = depth > KZ_SITE_MOST_FOLDERS_DEEP ? NULL : fdopendir(descriptor);
    if (!entries) {
        int code = errno;
        close(descriptor);
        return depth > KZ_SITE_MOST_FOLDERS_DEEP
                   ? kz_fail(error, KZ_ERR_INPUT, "%s: the folders in it are too deep", folder)
                   : kz_fail_errno(error, KZ_ERR_IO, code, "can't read %s%s", folder, prefix);
    }
    kz_status status = KZ_OK;
    struct dirent *entry;
    while (status == KZ_OK && (entry = readdir(entries)) != NULL) {
        status = add_entry(site, dirfd(entries), entry->d_name, prefix, folder, depth, error);
    }
    closedir(entries);
    return status;
}

kz_status kz_site_add_folder(kz_site *site, const char *folder, kz_error *error) {
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't open the folder %s", folder);
    }
    return add_entries(site, descriptor, "", folder, 0, error);
}

/* Takes the descriptor in any case. */
static kz_status replace_or_add(kz_site *site, const char *name, int descriptor, kz_error *error) {
    for (size_t i = 0; i < site->count; i++) {
        if (strcmp(site->files[i].name, name) == 0) {
            close(site->files[i].descriptor);
            site->files[i].descriptor = descriptor;
            free(site->files[i].compressed);
            site->files[i].compressed = NULL;
            return KZ_OK;
        }
    }
    return add_file(site, name, descriptor, error);
}

kz_status kz_site_add_file(kz_site *site, const char *name, const char *path, kz_error *error) {
    struct stat status;
    /* A pipe is opened without waiting for its other end. */
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        return kz_fail_errno(error, KZ_ERR_IO, errno, "can't open %s", path);
    }
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        close(descriptor);
        return kz_fail(error, KZ_ERR_IO, "%s is not a regular file", path);
    }
    return replace_or_add(site, name, descriptor, error);
}

kz_status kz_site_add_text(kz_site *site, const char *name, const char *text, size_t length, kz_error *error) {
    /* In memory: a server may run where it can write nothing. */
    int descriptor = memfd_create("kanzen", MFD_CLOEXEC);
    if (descriptor < 0 || pwrite(descriptor, text, length, 0) != (ssize_t)length) {
        int code = errno;
        if (descriptor >= 0) {
            close(descriptor);
        }
        return kz_fail_errno(error, KZ_ERR_IO, code, "no memory for %s", name);
    }
    return replace_or_add(site, name, descriptor, error);
}

size_t kz_site_count(const kz_site *site) { return site->count; }

static int by_name(const void *a, const void *b) {
    return strcmp(((const kz_site_file *)a)->name, ((const kz_site_file *)b)->name);
}

void kz_site_sort(kz_site *site) { qsort(site->files, site->count, sizeof *site->files, by_name); }

static int is_name(const void *name, const void *file) { return strcmp(name, ((const kz_site_file *)file)->name); }

const kz_site_file *kz_site_find(const kz_site *site, const char *name) {
    char index[NAME_BYTES];
    size_t length = strlen(name);
    if (length > 0 && name[length - 1] == '/') {
        if (snprintf(index, sizeof index, "%sindex.html", name) >= (int)sizeof index) {
            return NULL;
        }
        name = index;
    }
    return bsearch(name, site->files, site->count, sizeof *site->files, is_name);
}
