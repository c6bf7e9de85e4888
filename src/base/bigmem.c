/* SPDX-License-Identifier: MIT */
#include "base/bigmem.h"

#include <stdint.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 2 << 20 };

static size_t rounded(size_t size) { return (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE; }

void *kz_big_alloc(size_t size) {
    /* One page more than needed, so that there is an aligned place; what is left over is given back. */
    size_t wanted = rounded(size);
    if (wanted < size) {
        return NULL;
    }
    char *memory = mmap(NULL, wanted + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    size_t before = (LARGE_PAGE - (uintptr_t)memory % LARGE_PAGE) % LARGE_PAGE;
    if (before > 0) {
        munmap(memory, before);
    }
    munmap(memory + before + wanted, LARGE_PAGE - before);
    madvise(memory + before, wanted, MADV_HUGEPAGE); /* a wish: the result does not matter */
    return memory + before;
}

void kz_big_free(void *memory, size_t size) {
    if (memory) {
        munmap(memory, rounded(size));
    }
}
