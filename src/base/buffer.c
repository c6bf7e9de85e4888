/* SPDX-License-Identifier: MIT */
#include "base/buffer.h"

#include <stdlib.h>

uint8_t *kz_buffer_add(kz_buffer *buffer, size_t size) {
    if (!buffer->bytes || size > buffer->room - buffer->size) {
        size_t most = SIZE_MAX / 2;
        if (buffer->size > most / 2 || size > most - 2 * buffer->size) {
            return NULL;
        }
        size_t room = 2 * buffer->size + size;
        uint8_t *bytes = realloc(buffer->bytes, room + 1); /* one more, so that adding 0 bytes never returns NULL */
        if (!bytes) {
            return NULL;
        }
        buffer->bytes = bytes;
        buffer->room = room;
    }
    uint8_t *added = buffer->bytes + buffer->size;
    buffer->size += size;
    return added;
}

void kz_buffer_free(kz_buffer *buffer) {
    free(buffer->bytes);
    *buffer = (kz_buffer){.bytes = NULL};
}
