/* SPDX-License-Identifier: MIT */
#include "table/cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Every block has one place that it can be in. A place is locked only for as long as it takes to read a byte or to copy
 * a block, and threads that look at different places never meet. */
typedef struct place {
    pthread_mutex_t lock;
    uint64_t holds; /* block + 1; 0: nothing */
    uint8_t *values;
} place;

struct kz_cache {
    unsigned count;
    place *places;
};

kz_cache *kz_cache_new(unsigned blocks) {
    kz_cache *cache = calloc(1, sizeof *cache);
    if (cache) {
        cache->places = calloc(blocks, sizeof *cache->places);
        cache->count = cache->places ? blocks : 0;
    }
    if (!cache || !cache->places) {
        free(cache);
        return NULL;
    }
    for (unsigned i = 0; i < blocks; i++) {
        pthread_mutex_init(&cache->places[i].lock, NULL);
    }
    return cache;
}

void kz_cache_free(kz_cache *cache) {
    if (cache) {
        for (unsigned i = 0; i < cache->count; i++) {
            pthread_mutex_destroy(&cache->places[i].lock);
            free(cache->places[i].values);
        }
        free(cache->places);
        free(cache);
    }
}

bool kz_cache_get(kz_cache *cache, uint64_t block, unsigned offset, uint8_t *value) {
    place *p = &cache->places[block % cache->count];
    pthread_mutex_lock(&p->lock);
    bool found = p->holds == block + 1;
    if (found) {
        *value = p->values[offset];
    }
    pthread_mutex_unlock(&p->lock);
    return found;
}

void kz_cache_put(kz_cache *cache, uint64_t block, const uint8_t values[KZ_BLOCK_POSITIONS]) {
    place *p = &cache->places[block % cache->count];
    pthread_mutex_lock(&p->lock);
    if (!p->values) {
        p->values = malloc(KZ_BLOCK_POSITIONS);
    }
    if (p->values) { /* without memory the block is decoded again next time */
        memcpy(p->values, values, KZ_BLOCK_POSITIONS);
        p->holds = block + 1;
    }
    pthread_mutex_unlock(&p->lock);
}
