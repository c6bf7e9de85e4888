/* SPDX-License-Identifier: MIT
 *
 * base/file.h in the browser, where a game is solved in memory: files are buffers with a name, and a folder is nothing
 * but the beginning of names. There is one thread. */
#include "base/file.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct memory_file {
    char *name;
    uint8_t *bytes;
    size_t size;
    size_t room;
    struct memory_file *next;
} memory_file;

/* The only state besides that of memory.c: there is one set of files. */
static memory_file *all_files;

static memory_file *find(const char *name) {
    memory_file *file = all_files;
    while (file && strcmp(file->name, name) != 0) {
        file = file->next;
    }
    return file;
}

static void drop(const char *name) {
    for (memory_file **at = &all_files; *at; at = &(*at)->next) {
        if (strcmp((*at)->name, name) == 0) {
            memory_file *file = *at;
            *at = file->next;
            free(file->bytes);
            free(file->name);
            free(file);
            return;
        }
    }
}

static kz_status no_memory(kz_error *error) {
    return kz_fail(error, KZ_ERR_MEMORY, "not enough memory in the browser");
}

/* ---- What the C library would ask the system for ----------------------------------------------------------------- */

int access(const char *name, int mode) {
    (void)mode;
    return find(name) ? 0 : -1;
}

int unlink(const char *name) {
    drop(name);
    return 0;
}

kz_status kz_make_folders(const char *path, kz_error *error) {
    (void)path;
    (void)error;
    return KZ_OK;
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static char *copy_with(const char *text, const char *end) {
    char *copy = malloc(strlen(text) + strlen(end) + 1);
    if (copy) {
        strcpy(copy, text);
        strcat(copy, end);
    }
    return copy;
}

kz_status kz_outfile_open(kz_outfile *file, const char *path, bool replace, kz_error *error) {
    *file = (kz_outfile){.replace = replace, .target = copy_with(path, ""), .temporary = copy_with(path, ".part")};
    memory_file *made = calloc(1, sizeof *made);
    char *name = file->temporary ? copy_with(file->temporary, "") : NULL;
    if (!file->target || !file->temporary || !made || !name) {
        free(file->target);
        free(file->temporary);
        free(made);
        free(name);
        return no_memory(error);
    }
    drop(file->temporary);
    made->name = name;
    made->next = all_files;
    all_files = made;
    return KZ_OK;
}

kz_status kz_outfile_write_at(kz_outfile *file, const void *data, size_t size, uint64_t offset, kz_error *error) {
    memory_file *to = find(file->temporary);
    size_t end = (size_t)offset + size;
    if (end > to->room) {
        size_t room = end > 2 * to->room ? end : 2 * to->room;
        uint8_t *bytes = realloc(to->bytes, room);
        if (!bytes) {
            return no_memory(error);
        }
        memset(bytes + to->room, 0, room - to->room);
        to->bytes = bytes;
        to->room = room;
    }
    memcpy(to->bytes + offset, data, size);
    to->size = end > to->size ? end : to->size;
    return KZ_OK;
}

kz_status kz_outfile_write(kz_outfile *file, const void *data, size_t size, kz_error *error) {
    return kz_outfile_write_at(file, data, size, find(file->temporary)->size, error);
}

static void close_outfile(kz_outfile *file) {
    free(file->target);
    free(file->temporary);
    *file = (kz_outfile){.target = NULL};
}

kz_status kz_outfile_commit(kz_outfile *file, kz_error *error) {
    memory_file *made = find(file->temporary);
    char *name = copy_with(file->target, "");
    if (!name) {
        kz_outfile_discard(file);
        return no_memory(error);
    }
    drop(file->target);
    free(made->name);
    made->name = name;
    close_outfile(file);
    return KZ_OK;
}

void kz_outfile_discard(kz_outfile *file) {
    drop(file->temporary);
    close_outfile(file);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

kz_status kz_mapping_open(kz_mapping *mapping, const char *path, kz_error *error) {
    static const uint8_t nothing;
    const memory_file *file = find(path);
    if (!file) {
        return kz_fail(error, KZ_ERR_IO, "there is no %s", path);
    }
    *mapping = (kz_mapping){file->bytes ? file->bytes : &nothing, file->size};
    return KZ_OK;
}

/* The file stays until it is removed; nobody removes one that is being read. */
void kz_mapping_close(kz_mapping *mapping) { *mapping = (kz_mapping){.data = NULL}; }
