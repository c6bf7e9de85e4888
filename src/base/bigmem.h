/* SPDX-License-Identifier: MIT
 *
 * Memory for arrays of hundreds of megabytes that are read and written all over: on large pages where the system has
 * them, because with small ones nearly every access would miss the translation cache. */
#ifndef KZ_BASE_BIGMEM_H
#define KZ_BASE_BIGMEM_H

#include <stddef.h>

/* Zeroed; NULL if there is none. */
void *kz_big_alloc(size_t size);
/* `size` as it was asked for. NULL does nothing. */
void kz_big_free(void *memory, size_t size);

#endif
