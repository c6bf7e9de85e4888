/* SPDX-License-Identifier: MIT
 *
 * Many lists that grow at their ends, in a bounded amount of memory: what does not fit goes to a temporary file. Items
 * of a list come back in the order in which they were appended. */
#ifndef KZ_RECORDS_LISTS_H
#define KZ_RECORDS_LISTS_H

#include <kanzen/error.h>
#include <stdint.h>

typedef struct kz_lists kz_lists;

/* `folder` is for the temporary file and must last as long as the lists. NULL on failure. */
kz_lists *kz_lists_new(size_t count, size_t item_bytes, uint64_t memory, const char *folder, kz_error *error);
void kz_lists_free(kz_lists *lists);

/* One thread at a time. */
kz_status kz_lists_append(kz_lists *lists, size_t list, const void *item, kz_error *error);

/* How many items a list has. */
uint64_t kz_lists_count(const kz_lists *lists, size_t list);
/* Items that come at a time at most: the room that a reader has to have. */
size_t kz_lists_part_items(const kz_lists *lists);
/* Part `part` of a list, from 0. `items` points to `count` of them, in `room` or elsewhere, until the list changes; 0
 * after the last part. Many threads may read at once while none appends. */
kz_status kz_lists_read(const kz_lists *lists, size_t list, size_t part, uint8_t *room, const uint8_t **items,
                        size_t *count, kz_error *error);

#endif
