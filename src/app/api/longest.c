/* SPDX-License-Identifier: MIT
 *
 * The longest wins of tables. */
#include "app/api/question.h"

#include "base/error.h"
#include "base/thread.h"
#include "table/reader.h"

#include <kanzen/collect.h>

#include <stdlib.h>
#include <string.h>

enum { KZ_LONGEST_MOST = 100 };

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

/* Up to KZ_LONGEST_MOST positions, longest first. Several threads may ask; one of them works, the others wait. */
static kz_status find_longest(kz_longest *longest, const kz_table *table, kz_found found[KZ_LONGEST_MOST],
                              size_t *count, kz_error *error) {
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

static kz_status add_found(kz_question *question, const kz_found *found, kz_error *error) {
    const kz_values *values = &question->values;
    kz_choice *moves;
    int listed;
    kz_json_object(&question->json, NULL);
    kz_status status = kz_probe_choices(values->table, &found->position, &moves, &listed, error);
    if (status == KZ_OK) {
        status = kz_add_found(&question->json, values, &found->position, found->value, moves[0].move, error);
    }
    kz_json_end_object(&question->json);
    free(moves);
    return status;
}

kz_status kz_answer_longest(kz_question *question, kz_problem *problem) {
    enum { DEFAULT_COUNT = 20 };
    const uint64_t largest = 1000000000; /* positions: the scan of a larger table takes minutes */
    const kz_values *values = &question->values;
    uint64_t wanted = DEFAULT_COUNT;
    KZ_TRY(kz_query_number(&question->query, KZ_Q_COUNT, 1, KZ_LONGEST_MOST, &wanted, problem));
    if (!values->table) {
        return kz_no_table(values, problem);
    }
    if (kz_table_positions(values->table) > largest) {
        return kz_refuse(problem, KZ_ERR_UNSUPPORTED, "table_too_large",
                         "to look through this table takes too long for a request; use 'kanzen longest'");
    }
    kz_found found[KZ_LONGEST_MOST];
    size_t count;
    KZ_TRY(find_longest(question->api->longest, values->table, found, &count, &problem->error));
    kz_json_object(&question->json, NULL);
    kz_add_game(&question->json, values);
    kz_json_array(&question->json, "positions");
    for (size_t i = 0; i < count && i < wanted; i++) {
        KZ_TRY(add_found(question, &found[i], &problem->error));
    }
    kz_json_end_array(&question->json);
    kz_json_end_object(&question->json);
    return KZ_OK;
}
