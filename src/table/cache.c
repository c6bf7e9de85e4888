/* SPDX-License-Identifier: MIT */
#include "table/cache.h"

#include "base/bigmem.h"
#include "base/thread.h"

#include <stdlib.h>
#include <string.h>

/* A set-associative cache: a block can only be in one set, which has room for a few. A set's lock is held while a byte
 * is read or a block is copied. Sets share some locks: few enough to be made at once, and enough that threads rarely
 * wait for each other. Memory of sets that nobody asks for is never touched. */
enum { WIDTH = 4, LOCKS = 64 };

typedef struct cache_set {
    unsigned next;         /* the next block goes there */
    uint64_t holds[WIDTH]; /* block + 1; 0: nothing */
    unsigned next_asked;
    uint64_t asked[WIDTH]; /* blocks that are not here but were asked for lately; block + 1 */
    uint8_t *values;       /* WIDTH blocks */
} cache_set;

/* What a cache for a whole table knows of a block. One thread makes a NOTHING or an ASKED of it FILLING, copies the
 * block, and then makes it KZ_BLOCK_THERE. */
enum { NOTHING = 0, ASKED = 1, FILLING = 2 };

struct kz_cache {
    unsigned count;
    size_t size; /* of a block */
    cache_set *sets;
    kz_lock locks[LOCKS];
    /* A cache for a whole table has these instead; `count` is the number of its blocks. */
    uint8_t *values;
    _Atomic uint8_t *states;
};

kz_cache *kz_cache_new(unsigned blocks, size_t size) {
    kz_cache *cache = calloc(1, sizeof *cache);
    unsigned count = (blocks + WIDTH - 1) / WIDTH;
    if (cache) {
        cache->sets = calloc(count, sizeof *cache->sets);
    }
    if (!cache || !cache->sets) {
        free(cache);
        return NULL;
    }
    cache->count = count;
    cache->size = size;
    for (unsigned i = 0; i < LOCKS; i++) {
        kz_lock_open(&cache->locks[i]);
    }
    return cache;
}

#ifdef KANZEN_READ_ONLY

kz_cache *kz_cache_new_whole(unsigned blocks, size_t size) {
    (void)blocks;
    (void)size;
    return NULL;
}

static void free_values(kz_cache *cache) { (void)cache; }

#else

kz_cache *kz_cache_new_whole(unsigned blocks, size_t size) {
    kz_cache *cache = calloc(1, sizeof *cache);
    if (cache) {
        *cache = (kz_cache){.count = blocks, .size = size, .states = calloc(blocks, sizeof *cache->states)};
        cache->values = cache->states ? kz_big_alloc(blocks * size) : NULL;
    }
    if (!cache || !cache->values) {
        kz_cache_free(cache);
        return NULL;
    }
    return cache;
}

static void free_values(kz_cache *cache) { kz_big_free(cache->values, cache->count * cache->size); }

#endif

kz_whole kz_cache_whole(const kz_cache *cache) { return (kz_whole){cache->values, cache->states}; }

static bool whole_has(const kz_cache *cache, uint64_t block) {
    return kz_whole_has(&(kz_whole){cache->values, cache->states}, block);
}

static void whole_put(kz_cache *cache, uint64_t block, const uint8_t *values) {
    uint8_t state = atomic_load(&cache->states[block]);
    while (state < FILLING) {
        if (atomic_compare_exchange_weak(&cache->states[block], &state, FILLING)) {
            memcpy(cache->values + block * cache->size, values, cache->size);
            atomic_store(&cache->states[block], KZ_BLOCK_THERE);
            return;
        }
    }
}

static bool whole_asked(kz_cache *cache, uint64_t block, bool now) {
    uint8_t state = NOTHING;
    return now ? !atomic_compare_exchange_strong(&cache->states[block], &state, ASKED)
               : atomic_load(&cache->states[block]) != NOTHING;
}

void kz_cache_free(kz_cache *cache) {
    if (cache && !cache->sets) {
        free_values(cache);
        free(cache->states);
        free(cache);
    } else if (cache) {
        for (unsigned i = 0; i < cache->count; i++) {
            free(cache->sets[i].values);
        }
        for (unsigned i = 0; i < LOCKS; i++) {
            kz_lock_close(&cache->locks[i]);
        }
        free(cache->sets);
        free(cache);
    }
}

bool kz_cache_get(kz_cache *cache, uint64_t block, size_t offset, void *bytes, size_t size) {
    if (cache->values) {
        bool there = whole_has(cache, block);
        if (there) {
            memcpy(bytes, cache->values + block * cache->size + offset, size);
        }
        return there;
    }
    cache_set *s = &cache->sets[block % cache->count];
    kz_lock *lock = &cache->locks[block % cache->count % LOCKS];
    bool found = false;
    kz_lock_take(lock);
    for (unsigned i = 0; i < WIDTH && !found; i++) {
        found = s->holds[i] == block + 1;
        if (found) {
            memcpy(bytes, s->values + i * cache->size + offset, size);
        }
    }
    kz_lock_release(lock);
    return found;
}

bool kz_cache_asked(kz_cache *cache, uint64_t block, bool now) {
    if (cache->values) {
        return whole_asked(cache, block, now);
    }
    cache_set *s = &cache->sets[block % cache->count];
    kz_lock *lock = &cache->locks[block % cache->count % LOCKS];
    bool asked = false;
    kz_lock_take(lock);
    for (unsigned i = 0; i < WIDTH; i++) {
        asked = asked || s->asked[i] == block + 1;
    }
    if (!asked && now) {
        s->asked[s->next_asked] = block + 1;
        s->next_asked = (s->next_asked + 1) % WIDTH;
    }
    kz_lock_release(lock);
    return asked;
}

/* Another thread may have put the same block there meanwhile; two copies do no harm. */
void kz_cache_put(kz_cache *cache, uint64_t block, const uint8_t *values) {
    if (cache->values) {
        whole_put(cache, block, values);
        return;
    }
    cache_set *s = &cache->sets[block % cache->count];
    kz_lock *lock = &cache->locks[block % cache->count % LOCKS];
    kz_lock_take(lock);
    if (!s->values) {
        s->values = malloc(WIDTH * cache->size);
    }
    if (s->values) { /* without memory the block is decoded again next time */
        memcpy(s->values + s->next * cache->size, values, cache->size);
        s->holds[s->next] = block + 1;
        s->next = (s->next + 1) % WIDTH;
    }
    kz_lock_release(lock);
}
