/* SPDX-License-Identifier: MIT */
#include "base/distinct.h"

#include <stdlib.h>

static int compare(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

unsigned kz_distinct64(uint64_t *numbers, unsigned count) {
    enum { FEW = 40 };
    if (count > FEW) {
        qsort(numbers, count, sizeof *numbers, compare);
    } else {
        for (unsigned i = 1; i < count; i++) {
            uint64_t number = numbers[i];
            unsigned at = i;
            for (; at > 0 && numbers[at - 1] > number; at--) {
                numbers[at] = numbers[at - 1];
            }
            numbers[at] = number;
        }
    }
    unsigned left = 0;
    for (unsigned i = 0; i < count; i++) {
        if (i == 0 || numbers[i] != numbers[left - 1]) {
            numbers[left++] = numbers[i];
        }
    }
    return left;
}
