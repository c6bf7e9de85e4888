/* SPDX-License-Identifier: MIT
 *
 * The value of a position by a table of losses: from its own entry, and if it is not lost, from those of its
 * successors. One position (kz_probe), and many (kz_probe_many). */
#include "base/error.h"
#include "games/dobutsu/table/lookup.h"

/* The indices of a position's successors. */
typedef struct successors {
    uint64_t indices[KZ_DOBUTSU_MAX_MOVES];
    int count;
} successors;

/* Few items, and often in order already. */
static void sort_indices(uint64_t *indices, int count) {
    for (int i = 1; i < count; i++) {
        uint64_t index = indices[i];
        int at = i;
        for (; at > 0 && indices[at - 1] > index; at--) {
            indices[at] = indices[at - 1];
        }
        indices[at] = index;
    }
}

/* A position that is not lost is won if a move leads to a lost one, and drawn otherwise. `value` is what the rules
 * alone promise. */
static kz_status find_win(const kz_table *table, successors *list, kz_value *value, kz_error *error) {
    uint8_t losses[KZ_DOBUTSU_MAX_MOVES];
    sort_indices(list->indices, list->count);
    kz_status status = kz_table_lookup_sorted(table, list->indices, (size_t)list->count, losses, error);
    for (int i = 0; status == KZ_OK && i < list->count; i++) {
        /* Lost in n for the opponent is won in n + 1, and n + 1 is what is stored. */
        if (losses[i] && (value->outcome == KZ_UNKNOWN || losses[i] < value->distance)) {
            *value = (kz_value){KZ_WIN, losses[i]};
        }
    }
    if (status == KZ_OK && value->outcome == KZ_UNKNOWN) {
        *value = (kz_value){KZ_DRAW, 0};
    }
    return status;
}

/* The value of a position from its own entry and, if it is not lost, those of its successors; these are listed already
 * if their count is not negative. */
static kz_status value_of_loss(const kz_table *table, const kz_position *position, uint8_t entry, successors *list,
                               kz_value *value, kz_error *error) {
    const kz_losses *self = kz_table_self(table);
    if (entry) {
        *value = (kz_value){KZ_LOSS, entry - 1};
        return KZ_OK;
    }
    if (list->count < 0) {
        list->count = kz_dobutsu_successors(self->lookup, position, list->indices, value);
    }
    return find_win(table, list, value, error);
}

/* For a position whose block has to be decoded: looking further ahead may save that, or blocks of successors. Not the
 * second time soon after: then the block is decoded and kept, which makes the third time fast. */
static kz_status look_further(const kz_table *table, const kz_position *position, uint64_t index, kz_value *value,
                              kz_error *error) {
    const kz_losses *self = kz_table_self(table);
    successors list;
    uint8_t entry;
    list.count = -1;
    if (!kz_table_asked(table, index, false)) {
        *value = kz_dobutsu_look_further(self->lookup, position, list.indices, &list.count);
        if (value->outcome != KZ_UNKNOWN) {
            kz_table_asked(table, index, true);
            return KZ_OK;
        }
    }
    KZ_TRY(kz_table_lookup(table, index, &entry, error));
    return value_of_loss(table, position, entry, &list, value, error);
}

kz_status kz_losses_probe(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error) {
    const kz_losses *self = kz_table_self(table);
    uint64_t index;
    uint8_t entry;
    *value = kz_dobutsu_look(self->lookup, position, &index);
    if (value->outcome != KZ_UNKNOWN) {
        return KZ_OK;
    }
    if (!kz_table_peek(table, index, &entry)) {
        return look_further(table, position, index, value, error);
    }
    successors list; /* its indices are not worth clearing */
    list.count = -1;
    return value_of_loss(table, position, entry, &list, value, error);
}

/* ---- Many positions ---------------------------------------------------------------------------------------------- */

#ifndef KANZEN_READ_ONLY

/* Lost in n for the opponent is won in n + 1, and n + 1 is what is stored. */
static inline unsigned sooner(unsigned best, unsigned found) {
    return found && (best == 0 || found < best) ? found : best;
}

static inline kz_value win_or_draw(unsigned best) {
    return best ? (kz_value){KZ_WIN, (int)best} : (kz_value){KZ_DRAW, 0};
}

/* A position that is not known to be lost: its value from the cache, if all of its successors are there. */
static bool value_here(const kz_batch *b, uint64_t index, const uint64_t *indices, kz_successors list,
                       kz_value *value) {
    unsigned best = list.promised;
    bool here = kz_batch_has(b, index);
    for (unsigned i = 0; i < list.count && here; i++) {
        here = kz_batch_has(b, indices[i]);
        best = here ? sooner(best, b->whole.values[indices[i]]) : best;
    }
    *value = here ? win_or_draw(best) : *value;
    return here;
}

kz_status kz_losses_look_at_batch(kz_batch *b) {
    const kz_losses *self = kz_table_self(b->table);
    uint64_t indices[KZ_BATCH];
    uint32_t rest[KZ_BATCH];
    kz_successors lists[KZ_BATCH];
    unsigned left = 0;
    kz_status status = KZ_OK;
    kz_dobutsu_look_many(self->lookup, b->positions, b->count, b->values, indices);
    kz_batch_prefetch(b, indices, b->count);
    for (unsigned i = 0; i < b->count && status == KZ_OK; i++) {
        if (kz_batch_can_ask(indices[i])) {
            unsigned loss = kz_batch_has(b, indices[i]) ? b->whole.values[indices[i]] : 0;
            b->values[i] = loss ? (kz_value){KZ_LOSS, (int)loss - 1} : b->values[i];
            rest[left] = i;
            left += loss == 0;
        } else if (b->values[i].outcome == KZ_UNKNOWN) {
            status = kz_batch_probe(b, i);
        }
    }
    if (status != KZ_OK) {
        return status;
    }
    kz_dobutsu_successors_many(self->lookup, b->positions, rest, left, lists, b->successors);
    size_t listed = 0;
    for (unsigned i = 0; i < left; i++) {
        listed += lists[i].count;
    }
    kz_batch_prefetch(b, b->successors, listed);
    const uint64_t *found = b->successors;
    for (unsigned i = 0; i < left && status == KZ_OK; i++) {
        uint64_t index = indices[rest[i]];
        if (!value_here(b, index, found, lists[i], &b->values[rest[i]])) {
            status = kz_batch_ask(b, rest[i], index, found, lists[i].count, lists[i].promised);
        }
        found += lists[i].count;
    }
    return status;
}

void kz_losses_answer(const kz_asked *asked, size_t count, const uint8_t *entries, kz_value *values) {
    for (size_t k = 0; k < count; k++) {
        const kz_asked *a = &asked[k];
        unsigned loss = entries[a->slot];
        unsigned best = a->promised;
        for (unsigned i = 1; i < a->count && !loss; i++) {
            best = sooner(best, entries[a->slot + i]);
        }
        values[a->number] = loss ? (kz_value){KZ_LOSS, (int)loss - 1} : win_or_draw(best);
    }
}

#endif
