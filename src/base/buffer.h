/* SPDX-License-Identifier: MIT
 *
 * Bytes that grow at the end. An all-zero buffer is empty. */
#ifndef KZ_BASE_BUFFER_H
#define KZ_BASE_BUFFER_H

#include <stddef.h>
#include <stdint.h>

typedef struct kz_buffer {
    uint8_t *bytes;
    size_t size; /* bytes in use */
    size_t room; /* bytes allocated */
} kz_buffer;

/* Makes the buffer `size` bytes longer and returns the new part, which is not initialized; NULL if there is no memory.
 * Growing moves the bytes, so earlier results become invalid. Set `size` to 0 to use the memory again. */
uint8_t *kz_buffer_add(kz_buffer *buffer, size_t size);
void kz_buffer_free(kz_buffer *buffer);

#endif
