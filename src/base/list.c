/* SPDX-License-Identifier: MIT */
#include "base/list.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

unsigned kz_distinct64(uint64_t *numbers, unsigned count) {
    enum { FEW = 40 };
    if (count > FEW) {
        qsort(numbers, count, sizeof *numbers, compare);
    } else {
        for (unsigned i = 1; i < count; i++) {
            uint64_t number = numbers[i];
            unsigned at = i;
            for (; at > 0 && numbers[at - 1] > number; at--) {
                numbers[at] = numbers[at - 1];
            }
            numbers[at] = number;
        }
    }
    unsigned left = 0;
    for (unsigned i = 0; i < count; i++) {
        if (i == 0 || numbers[i] != numbers[left - 1]) {
            numbers[left++] = numbers[i];
        }
    }
    return left;
}

/* Digit by digit, the lowest first; each pass keeps the order of the ones before. */
bool kz_sort64(uint64_t *numbers, size_t count) {
    enum { DIGIT_BITS = 12, DIGITS = 1 << DIGIT_BITS };
    uint64_t *spare = malloc((count + 1) * sizeof *spare);
    size_t *begin = malloc(DIGITS * sizeof *begin);
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++) {
        all |= numbers[i];
    }
    bool complete = spare && begin;
    for (unsigned shift = 0; complete && shift < 64 && all >> shift; shift += DIGIT_BITS) {
        memset(begin, 0, DIGITS * sizeof *begin);
        for (size_t i = 0; i < count; i++) {
            begin[numbers[i] >> shift & (DIGITS - 1)]++;
        }
        size_t at = 0;
        for (size_t digit = 0; digit < DIGITS; digit++) {
            size_t size = begin[digit];
            begin[digit] = at;
            at += size;
        }
        for (size_t i = 0; i < count; i++) {
            spare[begin[numbers[i] >> shift & (DIGITS - 1)]++] = numbers[i];
        }
        memcpy(numbers, spare, count * sizeof *numbers);
    }
    free(spare);
    free(begin);
    return complete;
}

/* ---- Bytes ----------------------------------------------------------------------------------------------------- */

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
