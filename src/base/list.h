/* SPDX-License-Identifier: MIT
 *
 * Memory for a list whose largest size is known before it is filled, such as the moves of a position. A short list
 * lies in the struct itself and costs no allocation; a long one lies on the heap, so that it does not fill up the
 * stack. */
#ifndef KZ_BASE_LIST_H
#define KZ_BASE_LIST_H

#include <stddef.h>
#include <stdlib.h>

enum { KZ_LIST_BYTES = 1536 };

typedef struct kz_list {
    void *heap; /* NULL: the items are in `few` */
    _Alignas(max_align_t) unsigned char few[KZ_LIST_BYTES];
} kz_list;

/* Returns room for `count` items, not initialized; NULL: no memory. Close it in any case. */
static inline void *kz_list_open(kz_list *list, int count, size_t item_bytes) {
    size_t bytes = (size_t)count * item_bytes;
    list->heap = bytes > KZ_LIST_BYTES ? malloc(bytes) : NULL;
    return bytes > KZ_LIST_BYTES ? list->heap : list->few;
}

static inline void kz_list_close(kz_list *list) { free(list->heap); }

#endif
