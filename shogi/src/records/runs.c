/* SPDX-License-Identifier: MIT
 *
 * A list is a row of chunks of equal size. The last one is open, in memory, and takes what is appended; a full one
 * stays in memory as long as there is room, or is written to the one temporary file that all lists share. So there can
 * be thousands of lists and still one open file. */
#include "shogi/src/records/runs.h"

#include "shogi/src/records/rawfile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_CHUNK_BYTES = 1 << 18 };

/* A full chunk: in memory, or a number of chunks from the beginning of the file. */
struct chunk {
    uint8_t *memory;
    uint64_t number;
};

struct list {
    uint8_t *open; /* NULL before the first item, and after a chunk that stays in memory */
    size_t fill;   /* items in it */
    struct chunk *chunks;
    size_t chunk_count;
    size_t chunk_room;
};

struct kz_runs {
    size_t lists;
    size_t item_bytes;
    size_t chunk_items;
    size_t chunk_bytes;
    uint64_t spare; /* bytes of memory for full chunks */
    const char *folder;
    kz_place file; /* opened when it is needed */
    uint64_t file_chunks;
    struct list list[];
};

kz_runs *kz_runs_new(size_t lists, size_t item_bytes, uint64_t memory, const char *folder, kz_error *error) {
    kz_runs *runs = calloc(1, sizeof *runs + lists * sizeof runs->list[0]);
    if (runs == NULL) {
        kz_fail(error, KZ_ERR_MEMORY, "out of memory for %zu lists", lists);
        return NULL;
    }
    uint64_t most = memory / 2 / lists; /* all lists have an open chunk; that is half of the memory at most */
    most = most < MOST_CHUNK_BYTES ? most : MOST_CHUNK_BYTES;
    runs->lists = lists;
    runs->item_bytes = item_bytes;
    runs->chunk_items = most > item_bytes ? (size_t)most / item_bytes : 1;
    runs->chunk_bytes = runs->chunk_items * item_bytes;
    uint64_t open = (uint64_t)lists * runs->chunk_bytes;
    runs->spare = memory > open ? memory - open : 0;
    runs->folder = folder;
    runs->file.descriptor = -1;
    return runs;
}

void kz_runs_free(kz_runs *runs) {
    if (runs == NULL) {
        return;
    }
    for (size_t i = 0; i < runs->lists; i++) {
        struct list *list = &runs->list[i];
        for (size_t chunk = 0; chunk < list->chunk_count; chunk++) {
            free(list->chunks[chunk].memory);
        }
        free(list->chunks);
        free(list->open);
    }
    if (runs->file.descriptor >= 0) {
        close(runs->file.descriptor);
    }
    free(runs);
}

/* Puts the open chunk, which is full, among the others. */
static kz_status close_chunk(kz_runs *runs, struct list *list, kz_error *error) {
    if (list->chunk_count == list->chunk_room) {
        size_t room = 2 * list->chunk_room + 4;
        struct chunk *chunks = realloc(list->chunks, room * sizeof *chunks);
        if (chunks == NULL) {
            return kz_fail(error, KZ_ERR_MEMORY, "out of memory for the places of %zu chunks", room);
        }
        list->chunks = chunks;
        list->chunk_room = room;
    }
    struct chunk *chunk = &list->chunks[list->chunk_count];
    *chunk = (struct chunk){.memory = NULL};
    if (runs->spare >= runs->chunk_bytes) {
        runs->spare -= runs->chunk_bytes;
        chunk->memory = list->open;
        list->open = NULL;
    } else {
        kz_status status = runs->file.descriptor < 0 ? kz_open_nameless(runs->folder, &runs->file, error) : KZ_OK;
        if (status == KZ_OK) {
            status = kz_place_write(kz_place_after(runs->file, runs->file_chunks * runs->chunk_bytes), list->open,
                                    runs->chunk_bytes, error);
        }
        if (status != KZ_OK) {
            return status;
        }
        chunk->number = runs->file_chunks++;
    }
    list->chunk_count++;
    list->fill = 0;
    return KZ_OK;
}

kz_status kz_runs_append(kz_runs *runs, size_t list, const void *item, kz_error *error) {
    struct list *to = &runs->list[list];
    if (to->fill == runs->chunk_items) {
        kz_status status = close_chunk(runs, to, error);
        if (status != KZ_OK) {
            return status;
        }
    }
    if (to->open == NULL) {
        to->open = malloc(runs->chunk_bytes);
        if (to->open == NULL) {
            return kz_fail(error, KZ_ERR_MEMORY, "out of memory for %zu bytes", runs->chunk_bytes);
        }
    }
    memcpy(to->open + to->fill * runs->item_bytes, item, runs->item_bytes);
    to->fill++;
    return KZ_OK;
}

uint64_t kz_runs_count(const kz_runs *runs, size_t list) {
    return (uint64_t)runs->list[list].chunk_count * runs->chunk_items + runs->list[list].fill;
}

size_t kz_runs_part_items(const kz_runs *runs) { return runs->chunk_items; }

kz_status kz_runs_read(const kz_runs *runs, size_t list, size_t part, uint8_t *room, const uint8_t **items,
                       size_t *count, kz_error *error) {
    const struct list *from = &runs->list[list];
    if (part >= from->chunk_count) {
        *items = from->open;
        *count = part == from->chunk_count ? from->fill : 0;
        return KZ_OK;
    }
    const struct chunk *chunk = &from->chunks[part];
    *count = runs->chunk_items;
    *items = chunk->memory != NULL ? chunk->memory : room;
    if (chunk->memory != NULL) {
        return KZ_OK;
    }
    return kz_place_read(kz_place_after(runs->file, chunk->number * runs->chunk_bytes), room, runs->chunk_bytes, error);
}
