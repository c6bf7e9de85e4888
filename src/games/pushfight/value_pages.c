/* SPDX-License-Identifier: MIT */
#include "games/pushfight/value_pages.h"

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

struct kz_pf_value_pages {
    const kz_pf_space *space;
    kz_pf_read_values *read;
    void *user;
    uint64_t limit;
    uint64_t used; /* bytes of all pages */
    uint64_t clock;
    pthread_mutex_t lock;
    pthread_cond_t loaded;
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
    *pages = (kz_pf_value_pages){.space = space, .read = read, .user = user, .limit = limit, .entries = entries};
    pthread_mutex_init(&pages->lock, NULL);
    pthread_cond_init(&pages->loaded, NULL);
    *opened = pages;
    return KZ_OK;
}

void kz_pf_value_pages_close(kz_pf_value_pages *pages) {
    if (!pages) {
        return;
    }
    for (uint32_t own_set = 0; own_set < pages->space->own_sets; own_set++) {
        free(pages->entries[own_set].page.page.pairs);
    }
    pthread_cond_destroy(&pages->loaded);
    pthread_mutex_destroy(&pages->lock);
    free(pages->entries);
    free(pages);
}

/* ---- Making a page ------------------------------------------------------------------------------------------------
 */

/* The bits of a pair that get a run: those of `allowed` that are not won at once for all sigma. False if a position has
 * no value. */
static inline bool runs_of_pair(uint64_t allowed, size_t width, const uint8_t *bytes, uint64_t *runs) {
    *runs = 0;
    for (; allowed; allowed &= allowed - 1) {
        const uint8_t *run = bytes + kz_lowest_bit64(allowed) * width;
        unsigned differ = 0;
        bool missing = false;
        for (size_t sigma = 0; sigma < width; sigma++) {
            differ |= run[sigma] ^ KZ_PF_BYTE_WIN;
            missing |= run[sigma] == KZ_PF_NO_POSITION;
        }
        if (missing) {
            return false;
        }
        *runs |= differ ? allowed & -allowed : 0;
    }
    return true;
}

static void write_runs(const kz_pf_space *space, uint64_t open, const uint8_t *bytes, uint8_t *runs) {
    size_t width = (size_t)space->anchored_splits;
    for (; open; open &= open - 1, runs += width) {
        const uint8_t *run = bytes + kz_lowest_bit64(open) * width;
        for (size_t sigma = 0; sigma < width; sigma++) {
            runs[sigma] = kz_pf_offer(run[sigma]);
        }
    }
}

/* Fills open[enemy_sets] with the bits that have runs, and says how many runs that makes. */
static kz_status find_runs(const kz_pf_space *space, uint32_t own_set, const uint8_t *bytes, uint64_t *open,
                           size_t *runs, kz_error *error) {
    uint32_t own = space->own_squares[own_set];
    uint32_t room = space->board->squares & ~own;
    size_t width = (size_t)space->anchored_splits;
    size_t pair_places = (size_t)space->lanes * (size_t)space->splits;
    *runs = 0;
    for (uint32_t pair = 0; pair < space->enemy_sets; pair++, bytes += pair_places) {
        uint32_t enemy = kz_pf_unpack(space->others.patterns[pair], room);
        uint64_t allowed = kz_pf_open_bits(space, 0, own, enemy);
        /* The width of the standard board as a constant makes this three times as fast. */
        bool complete = width == KZ_PF_MOST_ANCHORED_SPLITS
                            ? runs_of_pair(allowed, KZ_PF_MOST_ANCHORED_SPLITS, bytes, &open[pair])
                            : runs_of_pair(allowed, width, bytes, &open[pair]);
        if (!complete) {
            return kz_fail(error, KZ_ERR_CORRUPT, "a position of own set %u and enemy set %u has no value", own_set,
                           pair);
        }
        *runs += kz_popcount64(open[pair]);
    }
    return KZ_OK;
}

static kz_status make_page(const kz_pf_space *space, uint32_t own_set, const uint8_t *bytes, kz_pf_value_page *made,
                           kz_error *error) {
    uint64_t *open = calloc(space->enemy_sets, sizeof *open);
    if (!open) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the values of an own set");
    }
    size_t runs;
    kz_status status = find_runs(space, own_set, bytes, open, &runs, error);
    uint32_t bases = kz_pf_base_count(space);
    size_t run_bytes = (size_t)space->anchored_splits;
    size_t size = (space->enemy_sets + (size_t)bases) * sizeof(uint64_t) + runs * run_bytes;
    uint64_t *memory = status == KZ_OK ? malloc(size) : NULL;
    if (!memory) {
        free(open);
        return status != KZ_OK ? status : kz_fail(error, KZ_ERR_MEMORY, "no memory for the values of an own set");
    }
    *made = (kz_pf_value_page){.page = {.pairs = memory, .bases = memory + space->enemy_sets},
                               .runs = (uint8_t *)(memory + space->enemy_sets + bases),
                               .size = size};
    size_t pair_places = (size_t)space->lanes * (size_t)space->splits;
    uint64_t run = 0;
    for (uint32_t pair = 0; pair < space->enemy_sets; pair++) {
        if (pair % KZ_PF_BASE_PAIRS == 0) {
            made->page.bases[pair / KZ_PF_BASE_PAIRS] = run;
        }
        made->page.pairs[pair] = (~open[pair] & KZ_PF_WINS_MASK) | (run - made->page.bases[pair / KZ_PF_BASE_PAIRS])
                                                                       << KZ_PF_WIN_BITS;
        write_runs(space, open[pair], bytes + pair * pair_places, made->runs + run * run_bytes);
        run += kz_popcount64(open[pair]);
    }
    free(open);
    return KZ_OK;
}

/* ---- Keeping pages ------------------------------------------------------------------------------------------------
 */

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
    kz_status status = make_page(pages->space, own_set, bytes, &page, error);
    if (status == KZ_OK) {
        pthread_mutex_lock(&pages->lock);
        pages->entries[own_set].page = page;
        pages->used += page.size;
        pthread_mutex_unlock(&pages->lock);
    }
    return status;
}

static kz_status read_page(const kz_pf_value_pages *pages, uint32_t own_set, kz_pf_value_page *page, kz_error *error) {
    if (!pages->read) {
        return kz_fail(error, KZ_ERR_CORRUPT, "the values of own set %u are missing", own_set);
    }
    uint8_t *bytes = malloc(kz_pf_own_set_size(pages->space));
    if (!bytes) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the values of an own set");
    }
    kz_status status = pages->read(pages->user, own_set, bytes, error);
    if (status == KZ_OK) {
        status = make_page(pages->space, own_set, bytes, page, error);
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
