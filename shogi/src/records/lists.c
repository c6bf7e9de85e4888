/* SPDX-License-Identifier: MIT
 *
 * A list is a row of chunks of equal size. The last one is open, in memory, and takes what is appended; a full one
 * stays in memory as long as there is room, or is written to the one temporary file that all lists share. So there can
 * be thousands of lists and still one open file. */

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

struct kz_lists {
    size_t count;
    size_t item_bytes;
    size_t chunk_items;
    size_t chunk_bytes;
    uint64_t spare; /* bytes of memory for full chunks */
    const char *folder;
    kz_place file; /* opened when it is needed */
    uint64_t file_chunks;
    struct list list[];
};

kz_lists *kz_lists_new(size_t count, size_t item_bytes, uint64_t memory, const char *folder, kz_error *error) {
    kz_lists *lists = calloc(1, sizeof *lists + count * sizeof lists->list[0]);
    if (!lists) {
        kz_fail(error, KZ_ERR_MEMORY, "out of memory for %zu lists", count);
        return NULL;
    }
    uint64_t most = memory / 2 / count; /* all lists have an open chunk; that is half of the memory at most */
    most = most < MOST_CHUNK_BYTES ? most : MOST_CHUNK_BYTES;
    lists->count = count;
    lists->item_bytes = item_bytes;
    lists->chunk_items = most > item_bytes ? (size_t)most / item_bytes : 1;
    lists->chunk_bytes = lists->chunk_items * item_bytes;
    uint64_t open = (uint64_t)count * lists->chunk_bytes;
    lists->spare = memory > open ? memory - open : 0;
    lists->folder = folder;
    lists->file.descriptor = -1;
    return lists;
}

void kz_lists_free(kz_lists *lists) {
    if (!lists) {
        return;
    }
    for (size_t i = 0; i < lists->count; i++) {
        struct list *list = &lists->list[i];
        for (size_t chunk = 0; chunk < list->chunk_count; chunk++) {
            free(list->chunks[chunk].memory);
        }
        free(list->chunks);
        free(list->open);
    }
    if (lists->file.descriptor >= 0) {
        close(lists->file.descriptor);
    }
    free(lists);
}

/* Puts the open chunk, which is full, among the others. */
static kz_status close_chunk(kz_lists *lists, struct list *list, kz_error *error) {
    if (list->chunk_count == list->chunk_room) {
        size_t room = 2 * list->chunk_room + 4;
        struct chunk *chunks = realloc(list->chunks, room * sizeof *chunks);
        if (!chunks) {
            return kz_fail(error, KZ_ERR_MEMORY, "out of memory for the places of %zu chunks", room);
        }
        list->chunks = chunks;
        list->chunk_room = room;
    }
    struct chunk *chunk = &list->chunks[list->chunk_count];
    *chunk = (struct chunk){.memory = NULL};
    if (lists->spare >= lists->chunk_bytes) {
        lists->spare -= lists->chunk_bytes;
        chunk->memory = list->open;
        list->open = NULL;
    } else {
        KZ_TRY(lists->file.descriptor < 0 ? kz_open_nameless(lists->folder, &lists->file, error) : KZ_OK);
        KZ_TRY(kz_place_write(kz_place_after(lists->file, lists->file_chunks * lists->chunk_bytes), list->open,
                              lists->chunk_bytes, error));
        chunk->number = lists->file_chunks++;
    }
    list->chunk_count++;
    list->fill = 0;
    return KZ_OK;
}

kz_status kz_lists_append(kz_lists *lists, size_t list, const void *item, kz_error *error) {
    struct list *to = &lists->list[list];
    if (to->fill == lists->chunk_items) {
        KZ_TRY(close_chunk(lists, to, error));
    }
    if (!to->open) {
        to->open = malloc(lists->chunk_bytes);
        if (!to->open) {
            return kz_fail(error, KZ_ERR_MEMORY, "out of memory for %zu bytes", lists->chunk_bytes);
        }
    }
    memcpy(to->open + to->fill * lists->item_bytes, item, lists->item_bytes);
    to->fill++;
    return KZ_OK;
}

uint64_t kz_lists_count(const kz_lists *lists, size_t list) {
    return (uint64_t)lists->list[list].chunk_count * lists->chunk_items + lists->list[list].fill;
}

size_t kz_lists_part_items(const kz_lists *lists) { return lists->chunk_items; }

kz_status kz_lists_read(const kz_lists *lists, size_t list, size_t part, uint8_t *room, const uint8_t **items,
                        size_t *count, kz_error *error) {
    const struct list *from = &lists->list[list];
    if (part >= from->chunk_count) {
        *items = from->open;
        *count = part == from->chunk_count ? from->fill : 0;
        return KZ_OK;
    }
    const struct chunk *chunk = &from->chunks[part];
    *count = lists->chunk_items;
    *items = chunk->memory ? chunk->memory : room;
    if (chunk->memory) {
        return KZ_OK;
    }
    return kz_place_read(kz_place_after(lists->file, chunk->number * lists->chunk_bytes), room, lists->chunk_bytes,
                         error);
}
