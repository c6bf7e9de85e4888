/* SPDX-License-Identifier: MIT
 *
 * Many lists that grow at their ends, in a bounded amount of memory: what does not fit goes to a temporary file. Items
 * of a list come back in the order in which they were appended. */
#ifndef KZ_RECORDS_RUNS_H
#define KZ_RECORDS_RUNS_H

#include <kanzen/error.h>
#include <stdint.h>

typedef struct kz_runs kz_runs;

/* `folder` is for the temporary file and must last as long as the lists. NULL on failure. */
kz_runs *kz_runs_new(size_t lists, size_t item_bytes, uint64_t memory, const char *folder, kz_error *error);
void kz_runs_free(kz_runs *runs);

/* One thread at a time. */
kz_status kz_runs_append(kz_runs *runs, size_t list, const void *item, kz_error *error);

/* How many items a list has. */
uint64_t kz_runs_count(const kz_runs *runs, size_t list);
/* Items that come at a time at most: the room that a reader has to have. */
size_t kz_runs_part_items(const kz_runs *runs);
/* Part `part` of a list, from 0. `items` points to `count` of them, in `room` or elsewhere, until the list changes; 0
 * after the last part. Many threads may read at once while none appends. */
kz_status kz_runs_read(const kz_runs *runs, size_t list, size_t part, uint8_t *room, const uint8_t **items,
                       size_t *count, kz_error *error);

#endif
