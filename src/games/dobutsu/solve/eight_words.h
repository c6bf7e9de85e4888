/* SPDX-License-Identifier: MIT
 *
 * Eight words, each of the same thing for one of eight states of the chicks, and eight bytes; compilers make of them
 * what the processor has. */
#ifndef KZ_DOBUTSU_EIGHT_WORDS_H
#define KZ_DOBUTSU_EIGHT_WORDS_H

#include <stdint.h>
#include <string.h>

typedef uint16_t kz_dobutsu_words __attribute__((vector_size(16)));
typedef uint8_t kz_dobutsu_bytes __attribute__((vector_size(8)));

static inline kz_dobutsu_words kz_dobutsu_load_words(const uint16_t *words) {
    kz_dobutsu_words loaded;
    memcpy(&loaded, words, sizeof loaded);
    return loaded;
}

#endif
