/* SPDX-License-Identifier: MIT */
#include "games/variants/number_list.h"

#include <stdlib.h>

static int compare(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

int kz_number_list_distinct(kz_number_list *all) {
    enum { FEW = 40 };
    uint64_t *list = all->numbers;
    int count = all->count;
    if (count > FEW) {
        qsort(list, (size_t)count, sizeof *list, compare);
    } else {
        for (int i = 1; i < count; i++) {
            uint64_t number = list[i];
            int at = i;
            for (; at > 0 && list[at - 1] > number; at--) {
                list[at] = list[at - 1];
            }
            list[at] = number;
        }
    }
    int left = 0;
    for (int i = 0; i < count; i++) {
        if (i == 0 || list[i] != list[left - 1]) {
            list[left++] = list[i];
        }
    }
    all->count = left;
    return left;
}
