/* SPDX-License-Identifier: MIT
 *
 * Lists in memory: of a size that is known, of bytes that grow, of numbers in order. */
#ifndef KZ_BASE_LIST_H
#define KZ_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Memory for a list whose largest size is known before it is filled, such as the moves of a position. A short list
 * lies in the struct itself and costs no allocation; a long one lies on the heap, so that it does not fill up the
 * stack. */
enum { KZ_LIST_BYTES = 1536 };

typedef struct kz_list {
    void *heap; /* NULL: the items are in `few` */
    max_align_t few[KZ_LIST_BYTES / sizeof(max_align_t)];
} kz_list;

/* Returns room for `count` items, not initialized; NULL: no memory. Close it in any case. */
static inline void *kz_list_open(kz_list *list, int count, size_t item_bytes) {
    size_t bytes = (size_t)count * item_bytes;
    list->heap = bytes > KZ_LIST_BYTES ? malloc(bytes) : NULL;
    return bytes > KZ_LIST_BYTES ? list->heap : list->few;
}

static inline void kz_list_close(kz_list *list) { free(list->heap); }

/* ---- Bytes that grow at the end. An all-zero buffer is empty. --------------------------------------------------- */

typedef struct kz_buffer {
    uint8_t *bytes;
    size_t size; /* bytes in use */
    size_t room; /* bytes allocated */
} kz_buffer;

/* Makes the buffer `size` bytes longer and returns the new part, which is not initialized; NULL if there is no memory.
 * Growing moves the bytes, so earlier results become invalid. Set `size` to 0 to use the memory again. */
uint8_t *kz_buffer_add(kz_buffer *buffer, size_t size);
void kz_buffer_free(kz_buffer *buffer);

/* ---- Numbers in order, and without repetitions ----------------------------------------------------------------- */

/* Sorts numbers and drops what comes twice; returns how many are left. Meant for short lists, which it sorts by
 * insertion. */
unsigned kz_distinct64(uint64_t *numbers, unsigned count);

/* Sorts a long list. False: no memory. */
bool kz_sort64(uint64_t *numbers, size_t count);

#endif
