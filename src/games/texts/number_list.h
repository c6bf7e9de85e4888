/* SPDX-License-Identifier: MIT
 *
 * Lists of numbers of positions: what moves lead to, or what leads to a position. */
#ifndef KZ_VARIANT_NUMBER_LIST_H
#define KZ_VARIANT_NUMBER_LIST_H

#include "base/list.h"

#include <kanzen/define.h>

typedef struct kz_number_list {
    uint64_t *numbers;
    int count;
    int room;
} kz_number_list;

/* Adds a number, unless it is KZ_NO_NUMBER; there must be room for one. */
static inline void kz_number_list_add(kz_number_list *list, uint64_t number) {
    list->numbers[list->count] = number;
    list->count += number != KZ_NO_NUMBER;
}

static inline bool kz_number_list_is_full(const kz_number_list *list) { return list->count >= list->room; }

/* Sorts a list and drops what comes twice: mirror images have one number. Returns how many are left. */
static inline int kz_number_list_distinct(kz_number_list *list) {
    list->count = (int)kz_distinct64(list->numbers, (unsigned)list->count);
    return list->count;
}

#endif
