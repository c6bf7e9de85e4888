/* SPDX-License-Identifier: MIT */
#ifndef KZ_EXPORT_DECIMAL_H
#define KZ_EXPORT_DECIMAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { KZ_DECIMAL_MOST = 20 };

/* Writes a number in decimal digits, without a final 0, and returns the end: what printf would take much longer for,
 * where billions of them are written. */
static inline char *kz_put_decimal(char *text, uint64_t number) {
    char digits[KZ_DECIMAL_MOST];
    size_t begin = sizeof digits;
    do {
        digits[--begin] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    memcpy(text, digits + begin, sizeof digits - begin);
    return text + sizeof digits - begin;
}

#endif
