/* SPDX-License-Identifier: MIT
 *
 * What the part of the library that reads tables needs of the system, on Windows. */
#include "base/bigmem.h"
#include "base/packing.h"

#include <kanzen/system.h>
#include <stdlib.h>
#include <windows.h>

double kz_seconds(void) {
    LARGE_INTEGER now;
    LARGE_INTEGER rate;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&rate);
    return (double)now.QuadPart / (double)rate.QuadPart;
}

int kz_processor_count(void) { return 1; } /* this part starts no threads */

void *kz_big_alloc(size_t size) { return calloc(1, size); }

void kz_big_free(void *memory, size_t size) {
    (void)size;
    free(memory);
}

/* Nothing is written here. */
uint8_t *kz_pack(const uint8_t *content, size_t content_size, int level, size_t *size) {
    (void)content;
    (void)content_size;
    (void)level;
    *size = 0;
    return NULL;
}
