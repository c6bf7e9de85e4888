/* SPDX-License-Identifier: MIT */
#include "app/net/piece_cache.h"

#include "base/bits.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/list.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    HEAD_BYTES = 32,
    AT_NUMBER = 8,
    AT_SIZE = 16,
    AT_HASH = 24,
    NAME_BYTES = 64,
    KEY_TEXT_BYTES = 2 * KZ_PIECE_KEY_BYTES + 1,
};
static const char magic[] = "KZPIECE1";

struct kz_piece_cache {
    int root;   /* FOLDER/tables */
    int folder; /* of the key, below it */
    uint64_t most;
    uint64_t added; /* bytes since the last time that room was made */
    bool touched;   /* something was added at all */
};

static int open_folder(int parent, const char *name) {
    (void)mkdirat(parent, name, 0700);
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

kz_piece_cache *kz_piece_cache_open(const char *folder, uint64_t most, const uint8_t key[KZ_PIECE_KEY_BYTES]) {
    char name[KEY_TEXT_BYTES];
    kz_hex(key, KZ_PIECE_KEY_BYTES, name);
    if (folder[0] == '\0' || kz_make_folders(folder, NULL) != KZ_OK) {
        return NULL;
    }
    kz_piece_cache *cache = calloc(1, sizeof *cache);
    int top = cache ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (top < 0) {
        free(cache);
        return NULL;
    }
    *cache = (kz_piece_cache){.root = open_folder(top, "tables"), .folder = -1, .most = most};
    close(top);
    if (cache->root >= 0) {
        cache->folder = open_folder(cache->root, name);
    }
    if (cache->folder < 0) {
        kz_piece_cache_close(cache);
        return NULL;
    }
    return cache;
}

/* ---- Room -------------------------------------------------------------------------------------------------------- */

typedef struct kept_file {
    struct timespec used;
    uint64_t bytes;
    char key[KEY_TEXT_BYTES];
    char name[NAME_BYTES];
} kept_file;

static int by_use(const void *a, const void *b) {
    const kept_file *first = a;
    const kept_file *second = b;
    if (first->used.tv_sec != second->used.tv_sec) {
        return first->used.tv_sec < second->used.tv_sec ? -1 : 1;
    }
    return (first->used.tv_nsec > second->used.tv_nsec) - (first->used.tv_nsec < second->used.tv_nsec);
}

/* What is done with each entry of a folder. False: no memory. */
typedef bool entry_work(int folder, const char *key, const char *name, kz_buffer *list, uint64_t *bytes);

static bool walk(int parent, const char *key, entry_work *work, kz_buffer *list, uint64_t *bytes) {
    int descriptor = openat(parent, key, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    DIR *entries = descriptor < 0 ? NULL : fdopendir(descriptor);
    if (!entries) {
        if (descriptor >= 0) {
            close(descriptor);
        }
        return true;
    }
    bool fine = true;
    const struct dirent *entry;
    while (fine && (entry = readdir(entries))) {
        fine = work(dirfd(entries), key, entry->d_name, list, bytes);
    }
    closedir(entries);
    return fine;
}

static bool list_file(int folder, const char *key, const char *name, kz_buffer *list, uint64_t *bytes) {
    struct stat found;
    if (name[0] == '.' || strlen(name) >= NAME_BYTES || fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(found.st_mode)) {
        return true;
    }
    kept_file *file = (kept_file *)(void *)kz_buffer_add(list, sizeof *file);
    if (!file) {
        return false;
    }
    *file = (kept_file){.used = found.st_mtim, .bytes = (uint64_t)found.st_size};
    memcpy(file->key, key, strlen(key) + 1);
    memcpy(file->name, name, strlen(name) + 1);
    *bytes += file->bytes;
    return true;
}

static bool list_key(int folder, const char *key, const char *name, kz_buffer *list, uint64_t *bytes) {
    (void)key;
    return strlen(name) != KEY_TEXT_BYTES - 1 || walk(folder, name, list_file, list, bytes);
}

/* Removes files until three quarters are left of what the folder may hold, so that this does not happen all the time.
 */
static void make_room(kz_piece_cache *cache) {
    kz_buffer list = {0};
    uint64_t bytes = 0;
    cache->added = 0;
    if (walk(cache->root, ".", list_key, &list, &bytes) && bytes > cache->most) {
        kept_file *files = (kept_file *)(void *)list.bytes;
        size_t count = list.size / sizeof *files;
        qsort(files, count, sizeof *files, by_use);
        for (size_t i = 0; i < count && bytes > cache->most / 4 * 3; i++) {
            char path[KEY_TEXT_BYTES + NAME_BYTES];
            snprintf(path, sizeof path, "%s/%s", files[i].key, files[i].name);
            if (unlinkat(cache->root, path, 0) == 0) {
                bytes -= files[i].bytes;
                (void)unlinkat(cache->root, files[i].key, AT_REMOVEDIR); /* works when it was the last one */
            }
        }
    }
    kz_buffer_free(&list);
}

void kz_piece_cache_close(kz_piece_cache *cache) {
    if (!cache) {
        return;
    }
    if (cache->touched) {
        make_room(cache);
    }
    if (cache->folder >= 0) {
        close(cache->folder);
    }
    if (cache->root >= 0) {
        close(cache->root);
    }
    free(cache);
}

/* ---- Pieces ------------------------------------------------------------------------------------------------------ */

static void name_piece(uint64_t number, char name[NAME_BYTES]) {
    snprintf(name, NAME_BYTES, "%llu", (unsigned long long)number);
}

static void make_head(uint64_t number, const uint8_t *data, size_t size, uint8_t head[HEAD_BYTES]) {
    memcpy(head, magic, AT_NUMBER);
    kz_store_le64(head + AT_NUMBER, number);
    kz_store_le64(head + AT_SIZE, size);
    kz_store_le64(head + AT_HASH, kz_hash64_seeded(data, size, number));
}

static bool read_all(int descriptor, uint8_t *data, size_t size) {
    size_t done = 0;
    while (done < size) {
        ssize_t got = read(descriptor, data + done, size - done);
        if (got <= 0) {
            return false;
        }
        done += (size_t)got;
    }
    return true;
}

bool kz_piece_cache_get(kz_piece_cache *cache, uint64_t number, uint8_t *data, size_t size) {
    char name[NAME_BYTES];
    uint8_t head[HEAD_BYTES];
    uint8_t right[HEAD_BYTES];
    uint8_t more;
    name_piece(number, name);
    int descriptor = cache ? openat(cache->folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
    if (descriptor < 0) {
        return false;
    }
    bool whole =
        read_all(descriptor, head, sizeof head) && read_all(descriptor, data, size) && read(descriptor, &more, 1) == 0;
    if (whole) {
        make_head(number, data, size, right);
        whole = memcmp(head, right, sizeof head) == 0;
    }
    if (whole) {
        (void)futimens(descriptor, NULL);
    } else {
        kz_piece_cache_drop(cache, number);
    }
    close(descriptor);
    return whole;
}

static bool write_all(int descriptor, const uint8_t *data, size_t size) {
    size_t done = 0;
    while (done < size) {
        ssize_t written = write(descriptor, data + done, size - done);
        if (written <= 0) {
            return false;
        }
        done += (size_t)written;
    }
    return true;
}

/* No fsync: a piece that a crash leaves by halves has no checksum that matches. */
void kz_piece_cache_put(kz_piece_cache *cache, uint64_t number, const uint8_t *data, size_t size) {
    char name[NAME_BYTES];
    char temporary[NAME_BYTES];
    uint8_t head[HEAD_BYTES];
    if (!cache || size + HEAD_BYTES > cache->most) {
        return;
    }
    name_piece(number, name);
    snprintf(temporary, sizeof temporary, "%llu.%ld", (unsigned long long)number, (long)getpid());
    int descriptor = openat(cache->folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0) {
        (void)unlinkat(cache->folder, temporary, 0); /* of a process with the same number that was killed */
        return;
    }
    make_head(number, data, size, head);
    bool fine = write_all(descriptor, head, sizeof head) && write_all(descriptor, data, size);
    fine = close(descriptor) == 0 && fine;
    if (!fine || renameat(cache->folder, temporary, cache->folder, name) != 0) {
        (void)unlinkat(cache->folder, temporary, 0);
        return;
    }
    cache->touched = true;
    cache->added += size + HEAD_BYTES;
    if (cache->added > cache->most / 16) {
        make_room(cache);
    }
}

void kz_piece_cache_drop(kz_piece_cache *cache, uint64_t number) {
    char name[NAME_BYTES];
    if (cache) {
        name_piece(number, name);
        (void)unlinkat(cache->folder, name, 0);
    }
}
