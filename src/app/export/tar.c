/* SPDX-License-Identifier: MIT */
#include "app/export/tar.h"

#include <stdbool.h>
#include <string.h>

/* Octal digits, filled up with zeros, and the NUL that is there already. */
static void put_octal(uint8_t *field, unsigned digits, uint64_t number) {
    for (unsigned i = digits; i-- > 0; number /= 8) {
        field[i] = (uint8_t)('0' + number % 8);
    }
}

void kz_tar_header(const char *name, uint64_t size, uint8_t header[KZ_TAR_BLOCK]) {
    enum { MODE = 100, USER = 108, GROUP = 116, SIZE = 124, TIME = 136, SUM = 148, KIND = 156, MAGIC = 257 };
    size_t length = strnlen(name, KZ_TAR_NAME_BYTES - 1);
    bool folder = length > 0 && name[length - 1] == '/';
    memset(header, 0, KZ_TAR_BLOCK);
    memcpy(header, name, length);
    put_octal(header + MODE, 7, folder ? 0755 : 0644);
    put_octal(header + USER, 7, 0);
    put_octal(header + GROUP, 7, 0);
    put_octal(header + SIZE, 11, size);
    put_octal(header + TIME, 11, 0);
    header[KIND] = folder ? '5' : '0';
    memcpy(header + MAGIC, "ustar\00000", 8);
    /* The sum of all bytes, those of the sum itself taken as spaces. */
    unsigned sum = 8 * ' ';
    for (unsigned i = 0; i < KZ_TAR_BLOCK; i++) {
        sum += header[i];
    }
    put_octal(header + SUM, 6, sum);
    header[SUM + 7] = ' ';
}
