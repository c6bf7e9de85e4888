/* SPDX-License-Identifier: MIT
 *
 * From the starts outwards, distance by distance. The positions of a distance are expanded in batches: first all
 * workers list successors, then what is stored for those that are new is looked up in the order of the table, so that a
 * block is decoded once for a batch, and then one thread adds them, in an order that nothing else has a say in. */
#include "table/excerpt_select.h"

#include "base/error.h"
#include "base/list.h"
#include "table/excerpt.h"
#include "table/reader.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH = 16384, /* positions that are expanded at a time */
    BEST_COUNTS = 1,
    OTHER_COUNTS = 2,
    TOLD = 256, /* added to a number that the rules tell: such a position is not stored */
    MOST_DISTANCE = 250,
    PIECES = 1024 /* of a list of numbers to look up */
};

/* Numbers of entries. */
typedef struct numbers {
    uint32_t *items;
    size_t count;
    size_t room;
} numbers;

/* The successors of one position of a batch: indices in ascending order. */
typedef struct family {
    uint64_t *members;
    size_t count;
} family;

typedef struct job {
    const kz_table *table;
    const kz_game *game;
    int rules;
    kz_selection *s;
    size_t room; /* for entries */
    size_t expansion_room;
    uint8_t *distance;  /* of each entry */
    uint8_t *expanded;  /* whether it was */
    uint32_t *slots;    /* number of an entry + 1, by a hash of its index */
    uint64_t slot_mask; /* their number - 1 */
    numbers waiting[MOST_DISTANCE + OTHER_COUNTS + 1];
    /* The batch. */
    kz_position positions[BATCH];
    family families[BATCH];
    uint64_t *asked; /* what has to be looked up */
    size_t asked_count;
    uint16_t *answers; /* what is stored for each of them, or what the rules tell and TOLD */
    kz_error *errors;  /* one a worker */
} job;

static kz_status no_memory(kz_error *error) { return kz_fail(error, KZ_ERR_MEMORY, "no memory for the excerpt"); }

/* Drops what comes twice from a list in order. */
static size_t distinct(uint64_t *list, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || list[i] != list[i - 1]) {
            list[kept++] = list[i];
        }
    }
    return kept;
}

/* ---- Entries ---------------------------------------------------------------------------------------------------- */

/* The slot of an index, or the free one where it would be. */
static uint32_t *find_slot(const job *j, uint64_t index) {
    uint64_t at = (index * UINT64_C(0x9E3779B97F4A7C15) >> 20) & j->slot_mask;
    while (j->slots[at] && kz_excerpt_index(j->s->entries[j->slots[at] - 1]) != index) {
        at = (at + 1) & j->slot_mask;
    }
    return &j->slots[at];
}

static bool resize(void **items, size_t size) {
    void *larger = realloc(*items, size);
    if (larger) {
        *items = larger;
    }
    return larger;
}

static bool grow(void **items, size_t item_size, size_t needed, size_t *room) {
    if (needed <= *room) {
        return true;
    }
    size_t wanted = *room * 2 > needed ? *room * 2 : needed + 1024;
    if (!resize(items, wanted * item_size)) {
        return false;
    }
    *room = wanted;
    return true;
}

/* Makes room for more entries and for the slots that they take. */
static bool reserve(job *j, size_t more) {
    size_t needed = j->s->count + more;
    if (needed > j->room) {
        size_t room = needed + needed / 2 + BATCH;
        bool grown = room <= UINT32_MAX;
        grown = grown && resize((void **)&j->s->entries, room * sizeof *j->s->entries);
        grown = grown && resize((void **)&j->distance, room) && resize((void **)&j->expanded, room);
        if (!grown) {
            return false;
        }
        j->room = room;
    }
    if (!j->slots || 2 * needed > j->slot_mask) {
        uint64_t size = 1024;
        while (size < 3 * needed) {
            size *= 2;
        }
        uint32_t *slots = calloc(size, sizeof *slots);
        if (!slots) {
            return false;
        }
        free(j->slots);
        j->slots = slots;
        j->slot_mask = size - 1;
        for (size_t i = 0; i < j->s->count; i++) {
            *find_slot(j, kz_excerpt_index(j->s->entries[i])) = (uint32_t)i + 1;
        }
    }
    return true;
}

static bool wait_for(job *j, uint32_t number, int distance) {
    numbers *list = &j->waiting[distance];
    if (distance > MOST_DISTANCE) {
        return true;
    }
    if (!grow((void **)&list->items, sizeof *list->items, list->count + 1, &list->room)) {
        return false;
    }
    list->items[list->count++] = number;
    return true;
}

/* Adds a position, or finds out that it is nearer than was thought. */
static bool add_entry(job *j, uint64_t entry, int distance) {
    uint32_t *slot = find_slot(j, kz_excerpt_index(entry));
    if (*slot && (j->expanded[*slot - 1] || j->distance[*slot - 1] <= distance)) {
        return true;
    }
    if (!*slot) {
        j->s->entries[j->s->count] = entry;
        j->expanded[j->s->count] = 0;
        *slot = (uint32_t)++j->s->count;
    }
    j->distance[*slot - 1] = (uint8_t)distance;
    return wait_for(j, *slot - 1, distance);
}

/* ---- A batch ---------------------------------------------------------------------------------------------------- */

static void list_families(void *context, int worker, uint64_t begin, uint64_t end) {
    job *j = context;
    kz_list memory;
    uint64_t *indices = kz_list_open(&memory, kz_max_moves(j->game, j->rules), sizeof *indices);
    for (uint64_t k = begin; k < end; k++) {
        kz_value promised;
        int count = indices ? kz_table_kind_of(j->table)->successors(kz_table_self(j->table), &j->positions[k], indices,
                                                                     &promised)
                            : -1;
        size_t kept = count > 0 ? kz_distinct64(indices, (unsigned)count) : 0;
        uint64_t *members = malloc((kept + 1) * sizeof *members);
        if (count < 0 || !members) {
            no_memory(&j->errors[worker]);
        } else {
            memcpy(members, indices, kept * sizeof *members);
        }
        j->families[k] = (family){members, members ? kept : 0};
    }
    kz_list_close(&memory);
}

/* The number of a position whose value the rules tell, with TOLD; 0 if they don't. */
static uint16_t told_by_rules(const job *j, uint64_t index) {
    kz_position position;
    if (!kz_unrank(j->game, j->rules, index, &position)) {
        return 0;
    }
    kz_value value = kz_immediate(j->game, j->rules, &position);
    return value.outcome == KZ_UNKNOWN ? 0 : (uint16_t)(TOLD + value.distance + 1);
}

/* The rules first: most positions after a move are won at once, and then no block has to be read for them. */
static void look_up(void *context, int worker, uint64_t begin, uint64_t end) {
    job *j = context;
    size_t first = j->asked_count * begin / PIECES;
    size_t last = j->asked_count * end / PIECES;
    uint64_t *open = calloc(last - first + 1, sizeof *open);
    uint8_t *stored = malloc(last - first + 1);
    kz_status status = open && stored ? KZ_OK : no_memory(&j->errors[worker]);
    size_t count = 0;
    for (size_t i = first; status == KZ_OK && i < last; i++) {
        j->answers[i] = told_by_rules(j, j->asked[i]);
        open[count] = j->asked[i];
        count += j->answers[i] == 0;
    }
    if (status == KZ_OK) {
        status = kz_table_lookup_sorted(j->table, open, count, stored, &j->errors[worker]);
    }
    for (size_t i = first, k = 0; status == KZ_OK && i < last; i++) {
        j->answers[i] = j->answers[i] ? j->answers[i] : stored[k++];
    }
    free(open);
    free(stored);
}

static kz_status do_in_parallel(job *j, kz_pool *pool, uint64_t count, kz_pool_work *work, kz_error *error) {
    KZ_TRY(kz_pool_for(pool, count, 0, work, j, NULL, NULL, error));
    return kz_fail_first(error, j->errors, kz_pool_threads(pool));
}

/* What is stored for all members of all families. */
static kz_status ask(job *j, kz_pool *pool, size_t families, kz_error *error) {
    size_t most = 0;
    for (size_t k = 0; k < families; k++) {
        most += j->families[k].count;
    }
    j->asked = malloc((most + 1) * sizeof *j->asked);
    if (!j->asked) {
        return no_memory(error);
    }
    j->asked_count = 0;
    for (size_t k = 0; k < families; k++) {
        for (size_t i = 0; i < j->families[k].count; i++) {
            if (!*find_slot(j, j->families[k].members[i])) {
                j->asked[j->asked_count++] = j->families[k].members[i];
            }
        }
    }
    bool sorted = kz_sort64(j->asked, j->asked_count);
    j->asked_count = distinct(j->asked, j->asked_count);
    j->answers = malloc((j->asked_count + 1) * sizeof *j->answers);
    return sorted && j->answers ? do_in_parallel(j, pool, PIECES, look_up, error) : no_memory(error);
}

static uint16_t answer_for(const job *j, uint64_t index) {
    uint32_t slot = *find_slot(j, index);
    if (slot) {
        return kz_excerpt_number(j->s->entries[slot - 1]);
    }
    size_t begin = 0;
    size_t end = j->asked_count;
    while (begin + 1 < end) {
        size_t middle = begin + (end - begin) / 2;
        if (j->asked[middle] <= index) {
            begin = middle;
        } else {
            end = middle;
        }
    }
    return j->answers[begin];
}

/* What a move to a position is worth. */
static int worth_of(uint16_t answer) { return kz_value_worth(kz_value_before(kz_value_of_entry((uint8_t)answer))); }

/* Adds the successors of one position that is `distance` away. */
static bool add_family(job *j, family *f, int distance) {
    if (!reserve(j, f->count) ||
        !grow((void **)&j->s->expansions, sizeof *j->s->expansions, j->s->expansion_count + 1, &j->expansion_room)) {
        return false;
    }
    j->s->expansions[j->s->expansion_count++] = (kz_expansion){j->s->count, distance};
    uint16_t *answers = calloc(f->count + 1, sizeof *answers);
    if (!answers) {
        return false;
    }
    int best = INT_MIN;
    for (size_t i = 0; i < f->count; i++) {
        answers[i] = answer_for(j, f->members[i]);
        best = worth_of(answers[i]) > best ? worth_of(answers[i]) : best;
    }
    bool added = true;
    for (size_t i = 0; added && i < f->count; i++) {
        if (answers[i] < TOLD) {
            int counts = worth_of(answers[i]) == best ? BEST_COUNTS : OTHER_COUNTS;
            added = add_entry(j, kz_excerpt_entry(f->members[i], (uint8_t)answers[i]), distance + counts);
        }
    }
    free(answers);
    return added;
}

/* Expands j->positions. */
static kz_status expand(job *j, kz_pool *pool, size_t count, int distance, kz_error *error) {
    memset(j->families, 0, sizeof j->families);
    kz_status status = do_in_parallel(j, pool, count, list_families, error);
    status = status == KZ_OK ? ask(j, pool, count, error) : status;
    for (size_t k = 0; status == KZ_OK && k < count; k++) {
        status = add_family(j, &j->families[k], distance) ? KZ_OK : no_memory(error);
    }
    for (size_t k = 0; k < count; k++) {
        free(j->families[k].members);
    }
    free(j->asked);
    free(j->answers);
    j->asked = NULL;
    j->answers = NULL;
    return status;
}

/* ---- All of them ------------------------------------------------------------------------------------------------ */

/* Starts without an index, such as a board before the first turn, are not stored themselves. */
static kz_status take_starts(job *j, const kz_excerpt_wish *wish, kz_pool *pool, kz_error *error) {
    kz_position start;
    kz_start(j->game, j->rules, &start);
    const kz_position *starts = wish->start_count > 0 ? wish->starts : &start;
    size_t count = wish->start_count > 0 ? wish->start_count : 1;
    size_t batch = 0;
    kz_status status = KZ_OK;
    for (size_t i = 0; status == KZ_OK && i < count; i++) {
        status = kz_validate(j->game, j->rules, &starts[i], error);
        if (status != KZ_OK || kz_immediate(j->game, j->rules, &starts[i]).outcome != KZ_UNKNOWN) {
            continue;
        }
        uint64_t index;
        uint8_t number;
        if (!kz_rank(j->game, &starts[i], &index)) {
            j->positions[batch++] = starts[i];
        } else {
            status = kz_table_lookup(j->table, index, &number, error);
            if (status == KZ_OK && !(reserve(j, 1) && add_entry(j, kz_excerpt_entry(index, number), 0))) {
                status = no_memory(error);
            }
        }
        if (status == KZ_OK && batch == BATCH) {
            status = expand(j, pool, batch, 0, error);
            batch = 0;
        }
    }
    return status == KZ_OK && batch > 0 ? expand(j, pool, batch, 0, error) : status;
}

/* The next positions to expand, of the same distance; 0: there are none. */
static size_t next_batch(job *j, size_t *done, int distance) {
    const numbers *list = &j->waiting[distance];
    size_t count = 0;
    for (; *done < list->count && count < BATCH; ++*done) {
        uint32_t number = list->items[*done];
        if (!j->expanded[number] && j->distance[number] == distance) {
            j->expanded[number] = 1;
            kz_unrank(j->game, j->rules, kz_excerpt_index(j->s->entries[number]), &j->positions[count++]);
        }
    }
    return count;
}

static kz_status select_all(job *j, const kz_excerpt_wish *wish, size_t most, kz_pool *pool,
                            const kz_progress *progress, kz_error *error) {
    kz_status status = reserve(j, 1) ? take_starts(j, wish, pool, error) : no_memory(error);
    j->s->next_distance = INT_MAX;
    for (int distance = 0; status == KZ_OK && distance <= MOST_DISTANCE; distance++) {
        size_t done = 0;
        for (size_t count; status == KZ_OK && (count = next_batch(j, &done, distance)) > 0;) {
            if (j->s->count >= most) {
                j->s->next_distance = distance;
                return KZ_OK;
            }
            status = expand(j, pool, count, distance, error);
            uint64_t so_far = j->s->count < most ? j->s->count : most;
            if (status == KZ_OK && progress && progress->report &&
                !progress->report(progress->user, "selecting positions", so_far, most)) {
                status = kz_fail(error, KZ_ERR_CANCELLED, "stopped");
            }
        }
    }
    return status;
}

kz_status kz_excerpt_select(const kz_table *table, const kz_excerpt_wish *wish, size_t most, kz_pool *pool,
                            const kz_progress *progress, kz_selection *selection, kz_error *error) {
    *selection = (kz_selection){.entries = NULL};
    job *j = calloc(1, sizeof *j);
    if (!j) {
        return no_memory(error);
    }
    j->table = table;
    j->game = kz_table_game(table);
    j->rules = kz_table_rules(table);
    j->s = selection;
    j->errors = calloc((size_t)kz_pool_threads(pool), sizeof *j->errors);
    kz_status status = j->errors ? select_all(j, wish, most, pool, progress, error) : no_memory(error);
    for (size_t i = 0; i < sizeof j->waiting / sizeof *j->waiting; i++) {
        free(j->waiting[i].items);
    }
    free(j->distance);
    free(j->expanded);
    free(j->slots);
    free(j->errors);
    free(j);
    return status;
}

void kz_selection_free(kz_selection *selection) {
    free(selection->entries);
    free(selection->expansions);
    *selection = (kz_selection){.entries = NULL};
}
