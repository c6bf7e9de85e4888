/* SPDX-License-Identifier: MIT */
#include "games/pushfight/check/value_pages.h"

#include "base/bigmem.h"
#include "base/error.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* An own set's page, or the lack of one. */
typedef struct entry {
    kz_pf_value_page page; /* page.pairs is NULL if there is none */
    uint32_t users;        /* that have got it and not put it back */
    bool loading;          /* a thread is reading it */
    uint64_t last_used;
} entry;

/* Memory for many pages. They are read in any order, so they lie in large pages of the system. */
typedef struct slab {
    struct slab *before;
    size_t size;
    size_t used;
    uint8_t *memory;
} slab;

enum { SLAB_BYTES = 64 << 20 };

struct kz_pf_value_pages {
    const kz_pf_space *space;
    const kz_pf_page_maker *maker;
    kz_pf_read_values *read;
    void *user;
    uint64_t limit;
    uint64_t used; /* bytes of all pages */
    uint64_t clock;
    pthread_mutex_t lock;
    pthread_cond_t loaded;
    slab *slabs;    /* of pages that are never dropped: the one that has room, and those that are full */
    entry *entries; /* [own_sets] */
};

size_t kz_pf_own_set_size(const kz_pf_space *space) {
    return (size_t)space->enemy_sets * (size_t)space->lanes * (size_t)space->splits;
}

kz_status kz_pf_value_pages_open(const kz_pf_space *space, kz_pf_read_values *read, void *user, uint64_t limit,
                                 kz_pf_value_pages **opened, kz_error *error) {
    kz_pf_value_pages *pages = calloc(1, sizeof *pages);
    entry *entries = calloc(space->own_sets, sizeof *entries);
    if (!pages || !entries) {
        free(pages);
        free(entries);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the list of pages");
    }
    *pages = (kz_pf_value_pages){.space = space,
                                 .maker = kz_pf_page_maker_choose(space),
                                 .read = read,
                                 .user = user,
                                 .limit = limit,
                                 .entries = entries};
    pthread_mutex_init(&pages->lock, NULL);
    pthread_cond_init(&pages->loaded, NULL);
    *opened = pages;
    return KZ_OK;
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static slab *add_slab(slab *before, size_t wanted) {
    slab *added = malloc(sizeof *added);
    if (added) {
        size_t size = wanted > SLAB_BYTES ? wanted : SLAB_BYTES;
        *added = (slab){.before = before, .size = size, .memory = kz_big_alloc(size)};
        if (!added->memory) {
            free(added);
            added = NULL;
        }
    }
    return added;
}

/* Memory of a page, by itself if it may be dropped. NULL: there is none. */
static void *take_memory(kz_pf_value_pages *pages, size_t size) {
    if (pages->limit) {
        return malloc(size);
    }
    void *memory = NULL;
    size = (size + 63) / 64 * 64;
    pthread_mutex_lock(&pages->lock);
    if (!pages->slabs || pages->slabs->size - pages->slabs->used < size) {
        slab *added = add_slab(pages->slabs, size);
        pages->slabs = added ? added : pages->slabs;
    }
    slab *from = pages->slabs;
    if (from && from->size - from->used >= size) {
        memory = from->memory + from->used;
        from->used += size;
    }
    pthread_mutex_unlock(&pages->lock);
    return memory;
}

static void free_memory(kz_pf_value_pages *pages) {
    for (uint32_t own_set = 0; pages->limit && own_set < pages->space->own_sets; own_set++) {
        free(pages->entries[own_set].page.page.pairs);
    }
    while (pages->slabs) {
        slab *last = pages->slabs;
        pages->slabs = last->before;
        kz_big_free(last->memory, last->size);
        free(last);
    }
}

void kz_pf_value_pages_close(kz_pf_value_pages *pages) {
    if (!pages) {
        return;
    }
    free_memory(pages);
    pthread_cond_destroy(&pages->loaded);
    pthread_mutex_destroy(&pages->lock);
    free(pages->entries);
    free(pages);
}

/* ---- Making a page ----------------------------------------------------------------------------------------------- */

static kz_status make_page(kz_pf_value_pages *pages, uint32_t own_set, const uint8_t *bytes, kz_pf_value_page *made,
                           kz_error *error) {
    const kz_pf_space *space = pages->space;
    uint64_t *open = malloc(space->enemy_sets * sizeof *open);
    if (!open) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the values of an own set");
    }
    size_t runs = 0;
    uint32_t missing = pages->maker->find_open(space, own_set, bytes, open, &runs);
    if (missing < space->enemy_sets) {
        free(open);
        return kz_fail(error, KZ_ERR_CORRUPT, "a position of own set %u and enemy set %u has no value", own_set,
                       missing);
    }
    uint32_t bases = kz_pf_base_count(space);
    size_t size = (space->enemy_sets + (size_t)bases) * sizeof(uint64_t) + runs * (size_t)space->anchored_splits;
    uint64_t *memory = take_memory(pages, size + KZ_PF_SPARE_BYTES);
    if (!memory) {
        free(open);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the values of an own set");
    }
    *made = (kz_pf_value_page){.page = {.pairs = memory, .bases = memory + space->enemy_sets},
                               .runs = (uint8_t *)(memory + space->enemy_sets + bases),
                               .size = size};
    pages->maker->fill(space, open, bytes, made);
    free(open);
    return KZ_OK;
}

/* ---- Keeping pages ----------------------------------------------------------------------------------------------- */

/* Drops what has not been used for the longest time until the limit is kept. Only with the lock. A search of the whole
 * list is nothing beside the reading of a page. */
static void drop_pages(kz_pf_value_pages *pages) {
    while (pages->limit && pages->used > pages->limit) {
        entry *oldest = NULL;
        for (uint32_t own_set = 0; own_set < pages->space->own_sets; own_set++) {
            entry *e = &pages->entries[own_set];
            if (e->page.page.pairs && e->users == 0 && (!oldest || e->last_used < oldest->last_used)) {
                oldest = e;
            }
        }
        if (!oldest) {
            return;
        }
        pages->used -= oldest->page.size;
        free(oldest->page.page.pairs);
        oldest->page = (kz_pf_value_page){0};
    }
}

kz_status kz_pf_value_pages_store(kz_pf_value_pages *pages, uint32_t own_set, const uint8_t *bytes, kz_error *error) {
    kz_pf_value_page page;
    KZ_TRY(make_page(pages, own_set, bytes, &page, error));
    pthread_mutex_lock(&pages->lock);
    pages->entries[own_set].page = page;
    pages->used += page.size;
    pthread_mutex_unlock(&pages->lock);
    return KZ_OK;
}

static kz_status read_page(kz_pf_value_pages *pages, uint32_t own_set, kz_pf_value_page *page, kz_error *error) {
    if (!pages->read) {
        return kz_fail(error, KZ_ERR_CORRUPT, "the values of own set %u are missing", own_set);
    }
    uint8_t *bytes = malloc(kz_pf_own_set_size(pages->space));
    if (!bytes) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the values of an own set");
    }
    kz_status status = pages->read(pages->user, own_set, bytes, error);
    if (status == KZ_OK) {
        status = make_page(pages, own_set, bytes, page, error);
    }
    free(bytes);
    return status;
}

kz_status kz_pf_value_pages_get(kz_pf_value_pages *pages, uint32_t own_set, const kz_pf_value_page **page,
                                kz_error *error) {
    entry *e = &pages->entries[own_set];
    kz_status status = KZ_OK;
    pthread_mutex_lock(&pages->lock);
    while (e->loading) {
        pthread_cond_wait(&pages->loaded, &pages->lock);
    }
    if (!e->page.page.pairs) {
        kz_pf_value_page made = {0};
        e->loading = true;
        pthread_mutex_unlock(&pages->lock);
        status = read_page(pages, own_set, &made, error);
        pthread_mutex_lock(&pages->lock);
        e->loading = false;
        e->page = made;
        pages->used += made.size;
        pthread_cond_broadcast(&pages->loaded);
    }
    if (status == KZ_OK) {
        e->users++;
        e->last_used = ++pages->clock;
        *page = &e->page;
        drop_pages(pages);
    }
    pthread_mutex_unlock(&pages->lock);
    return status;
}

void kz_pf_value_pages_put(kz_pf_value_pages *pages, uint32_t own_set) {
    pthread_mutex_lock(&pages->lock);
    pages->entries[own_set].users--;
    pthread_mutex_unlock(&pages->lock);
}

const kz_pf_value_page *kz_pf_value_pages_stored(const kz_pf_value_pages *pages, uint32_t own_set) {
    const kz_pf_value_page *page = &pages->entries[own_set].page;
    return page->page.pairs ? page : NULL;
}
