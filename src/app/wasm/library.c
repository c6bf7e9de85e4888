/* SPDX-License-Identifier: MIT
 *
 * Functions of the C library that are written small here, because the page waits for their code. Copies and fills are
 * one instruction each. */
#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size) { return __builtin_memcpy(to, from, size); }

void *memmove(void *to, const void *from, size_t size) { return __builtin_memmove(to, from, size); }

void *memset(void *memory, int byte, size_t size) { return __builtin_memset(memory, byte, size); }

/* The C library's printf asks for it, for a directive (%m) that nothing here uses. */
char *strerror(int number) {
    (void)number;
    return (char *)(size_t) "an error of the system";
}

char *strstr(const char *text, const char *part) {
    size_t length = strlen(part);
    for (; strncmp(text, part, length) != 0; text++) {
        if (*text == '\0') {
            return NULL;
        }
    }
    return (char *)(size_t)text;
}
