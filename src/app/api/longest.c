/* SPDX-License-Identifier: MIT */
#include "app/api/longest.h"

#include "app/api/question.h"
#include "base/error.h"
#include "base/list.h"
#include "base/lock.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    const kz_table *table;
    kz_found found[KZ_LONGEST_MOST];
    size_t count;
} entry;

struct kz_longest {
    kz_lock lock;
    entry *entries[KZ_API_MOST_TABLES];
    size_t count;
};

kz_longest *kz_longest_new(void) {
    kz_longest *longest = calloc(1, sizeof *longest);
    if (longest) {
        kz_lock_open(&longest->lock);
    }
    return longest;
}

void kz_longest_free(kz_longest *longest) {
    if (longest) {
        for (size_t i = 0; i < longest->count; i++) {
            free(longest->entries[i]);
        }
        kz_lock_close(&longest->lock);
        free(longest);
    }
}

void kz_longest_forget(kz_longest *longest, const kz_table *table) {
    for (size_t i = 0; i < longest->count; i++) {
        if (longest->entries[i]->table == table) {
            free(longest->entries[i]);
            longest->entries[i] = longest->entries[--longest->count];
            return;
        }
    }
}

static kz_status find(kz_longest *longest, const kz_table *table, const entry **found, kz_error *error) {
    for (size_t i = 0; i < longest->count; i++) {
        if (longest->entries[i]->table == table) {
            *found = longest->entries[i];
            return KZ_OK;
        }
    }
    entry *fresh = calloc(1, sizeof *fresh);
    if (!fresh || longest->count == KZ_API_MOST_TABLES) {
        free(fresh);
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    kz_status status = kz_collect_longest(table, KZ_LONGEST_MOST, 1, NULL, fresh->found, &fresh->count, error);
    if (status != KZ_OK) {
        free(fresh);
        return status;
    }
    fresh->table = table;
    longest->entries[longest->count++] = fresh;
    *found = fresh;
    return KZ_OK;
}

kz_status kz_longest_of(kz_longest *longest, const kz_table *table, kz_found found[KZ_LONGEST_MOST], size_t *count,
                        kz_error *error) {
    const entry *kept = NULL;
    kz_lock_take(&longest->lock);
    kz_status status = find(longest, table, &kept, error);
    if (status == KZ_OK) {
        memcpy(found, kept->found, kept->count * sizeof *found);
        *count = kept->count;
    }
    kz_lock_release(&longest->lock);
    return status;
}

/* ---- The answer ------------------------------------------------------------------------------------------------ */

static kz_status add_found(kz_question *question, const kz_found *found, size_t count, kz_error *error) {
    const kz_values *values = &question->values;
    kz_list memory;
    kz_scored_move *moves = kz_list_open(&memory, kz_max_moves(values->game, values->rules), sizeof *moves);
    kz_status status = moves ? KZ_OK : kz_fail(error, KZ_ERR_MEMORY, "no memory to list the moves");
    for (size_t i = 0; i < count && status == KZ_OK; i++) {
        int listed;
        kz_json_object(question->json, NULL);
        status = kz_probe_moves(values->table, &found[i].position, moves, &listed, error);
        if (status == KZ_OK) {
            status = kz_add_found(question->json, values, &found[i].position, found[i].value, moves[0].move, error);
        }
        kz_json_end_object(question->json);
    }
    kz_list_close(&memory);
    return status;
}

kz_status kz_answer_longest(kz_question *question, kz_problem *problem) {
    enum { DEFAULT_COUNT = 20 };
    const uint64_t largest = 1000000000; /* positions: the scan of a larger table takes minutes */
    const kz_values *values = &question->values;
    uint64_t wanted = DEFAULT_COUNT;
    kz_status status = kz_query_number(&question->query, KZ_Q_COUNT, 1, KZ_LONGEST_MOST, &wanted, problem);
    if (status == KZ_OK && !values->table) {
        status = kz_no_table(values, problem);
    }
    if (status == KZ_OK && kz_table_positions(values->table) > largest) {
        status = kz_refuse(problem, KZ_ERR_UNSUPPORTED, "table_too_large",
                           "to look through this table takes too long for a request; use 'kanzen longest'");
    }
    if (status != KZ_OK) {
        return status;
    }
    kz_found found[KZ_LONGEST_MOST];
    size_t count;
    status = kz_longest_of(question->api->longest, values->table, found, &count, &problem->error);
    kz_json_object(question->json, NULL);
    kz_add_game(question->json, values);
    kz_json_array(question->json, "positions");
    if (status == KZ_OK) {
        status = add_found(question, found, count < wanted ? count : wanted, &problem->error);
    }
    kz_json_end_array(question->json);
    kz_json_end_object(question->json);
    return status;
}
