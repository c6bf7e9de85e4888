/* SPDX-License-Identifier: MIT
 *
 * What all fuzz targets share. Each is a program for libFuzzer: any bytes may come in; nothing may crash, and whatever
 * is read must keep the laws. */
#ifndef FUZZ_LAWS_H
#define FUZZ_LAWS_H

#include "tests/support/laws.h"

#include <kanzen/error.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stops the fuzzer if a law is broken. */
static inline void fuzz_keep(const char *broken) {
    if (broken) {
        fprintf(stderr, "broken: %s\n", broken);
        abort();
    }
}

/* The laws of reading: a call that fails says so, with a message. */
static inline const char *fuzz_broken_by_failure(kz_status status, const kz_error *error) {
    LAW(error->status == status);
    LAW(error->message[0] != '\0');
    return NULL;
}

static inline void fuzz_keep_failure(kz_status status, const kz_error *error) {
    if (status != KZ_OK) {
        fuzz_keep(fuzz_broken_by_failure(status, error));
    }
}

/* Memory that is there: fuzzers have nothing else to say about it. */
static inline void *fuzz_memory(void *memory) {
    if (!memory) {
        abort();
    }
    return memory;
}

/* A copy in memory of its exact size, so that the sanitizer watches its ends. */
static inline uint8_t *fuzz_copy(const uint8_t *data, size_t size) {
    uint8_t *copy = fuzz_memory(calloc(size + (size == 0), 1));
    if (size > 0) {
        memcpy(copy, data, size);
    }
    return copy;
}

/* A copy with a 0 byte after it. */
static inline char *fuzz_text(const uint8_t *data, size_t size) {
    char *text = fuzz_memory(malloc(size + 1));
    if (size > 0) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    return text;
}

/* Takes a byte off the beginning; 0 if there is none. */
static inline uint8_t fuzz_byte(const uint8_t **data, size_t *size) {
    if (*size == 0) {
        return 0;
    }
    --*size;
    return *(*data)++;
}

/* Takes a little-endian number of so many bytes off. */
static inline uint64_t fuzz_number(const uint8_t **data, size_t *size, unsigned bytes) {
    uint64_t number = 0;
    for (unsigned i = 0; i < bytes; i++) {
        number |= (uint64_t)fuzz_byte(data, size) << 8 * i;
    }
    return number;
}

#endif
