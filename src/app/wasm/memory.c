/* SPDX-License-Identifier: MIT
 *
 * Memory in the browser: malloc and its relatives, in a tenth of the code that the C library brings, because the page
 * waits for that code. Blocks up to 32 KiB have sizes that are powers of two, larger ones whole pages of 64 KiB; a
 * block that was freed is used again for blocks of its size (of its size or half of it, if it is a large one), and
 * never given back. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 16, SMALLEST = 5, LARGEST = 15, PAGE = 65536 };

/* What is before each block: what it holds, and while it is free, the next free one. */
typedef struct block {
    size_t size; /* with this header */
    struct block *next;
} block;

/* The only state of the module that is not in a handle: there is one memory, and one thread. */
static block *small_blocks[LARGEST + 1]; /* that are free, by the power of two */
static block *large_blocks;
static char *unused; /* pages that were taken for small blocks */
static size_t unused_bytes;

static void *grow(size_t pages) {
    size_t before = __builtin_wasm_memory_grow(0, pages);
    return before == SIZE_MAX ? NULL : (void *)(before * PAGE);
}

static block *take_large(size_t size) {
    for (block **at = &large_blocks; *at; at = &(*at)->next) {
        block *found = *at;
        if (found->size >= size && found->size / 2 <= size) {
            *at = found->next;
            return found;
        }
    }
    block *fresh = grow(size / PAGE);
    if (fresh) {
        fresh->size = size;
    }
    return fresh;
}

static block *take_small(int power) {
    block *found = small_blocks[power];
    size_t size = (size_t)1 << power;
    if (found) {
        small_blocks[power] = found->next;
        return found;
    }
    if (unused_bytes < size) {
        unused = grow(1);
        unused_bytes = unused ? PAGE : 0;
    }
    if (unused_bytes < size) {
        return NULL;
    }
    found = (block *)(void *)unused;
    unused += size;
    unused_bytes -= size;
    found->size = size;
    return found;
}

void *malloc(size_t bytes) {
    if (bytes > PTRDIFF_MAX - PAGE) {
        return NULL;
    }
    size_t size = bytes + HEADER;
    block *found;
    if (size > (size_t)1 << LARGEST) {
        found = take_large((size + PAGE - 1) / PAGE * PAGE);
    } else {
        int power = SMALLEST;
        while ((size_t)1 << power < size) {
            power++;
        }
        found = take_small(power);
    }
    return found ? (char *)found + HEADER : NULL;
}

/* Memory that begins later than its block has a header without a size, which names the block. */
static block *block_of(void *memory) {
    block *before = (block *)(void *)((char *)memory - HEADER);
    return before->size > 0 ? before : before->next;
}

/* How much of the block follows the memory's beginning. */
static size_t room_of(void *memory) {
    const block *whole = block_of(memory);
    return whole->size - (size_t)((char *)memory - (const char *)whole);
}

void free(void *memory) {
    if (!memory) {
        return;
    }
    block *freed = block_of(memory);
    block **list = freed->size >= PAGE ? &large_blocks : &small_blocks[__builtin_ctzl(freed->size)];
    freed->next = *list;
    *list = freed;
}

void *calloc(size_t count, size_t size) {
    if (size > 0 && count > PTRDIFF_MAX / size) {
        return NULL;
    }
    void *memory = malloc(count * size);
    return memory ? memset(memory, 0, count * size) : NULL;
}

void *realloc(void *memory, size_t bytes) {
    size_t room = memory ? room_of(memory) : 0;
    if (memory && bytes <= room) {
        return memory;
    }
    void *other = malloc(bytes);
    if (other && memory) {
        memcpy(other, memory, room);
        free(memory);
    }
    return other;
}

/* `alignment` is a power of two. */
void *aligned_alloc(size_t alignment, size_t bytes) {
    if (alignment <= HEADER) {
        return malloc(bytes);
    }
    if (bytes > PTRDIFF_MAX - 2 * alignment) {
        return NULL;
    }
    char *memory = malloc(bytes + alignment);
    if (!memory) {
        return NULL;
    }
    char *aligned = (char *)(((uintptr_t)memory + alignment - 1) & ~(uintptr_t)(alignment - 1));
    if (aligned != memory) {
        block *before = (block *)(void *)(aligned - HEADER);
        *before = (block){.size = 0, .next = block_of(memory)};
    }
    return aligned;
}
