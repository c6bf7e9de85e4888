/* SPDX-License-Identifier: MIT
 *
 * The parts of the reader of a variant's text. */
#ifndef KZ_VARIANTS_TEXT_PARTS_H
#define KZ_VARIANTS_TEXT_PARTS_H

#include "games/texts/variant.h"

/* Where the reader is; `file` stands for the text in messages. */
typedef struct kz_text_place {
    const char *file;
    int line;
} kz_text_place;

typedef struct kz_text_span {
    const char *text;
    size_t length;
    int column; /* of the first character, from 1 */
} kz_text_span;

extern const kz_text_span kz_text_nothing;

kz_text_span kz_text_trim(kz_text_span s);

/* Fails with file, line, column, what is wrong, and what it is about, in quotes. */
kz_status kz_text_refuse(const kz_text_place *p, int column, kz_error *error, const char *what, kz_text_span about);

/* ---- Keys: text_keys.c ------------------------------------------------------------------------------------------- */

kz_status kz_variant_set_key(kz_variant *v, const kz_text_place *p, kz_text_span key, kz_text_span value,
                             kz_error *error);
/* Does what a key says about the size of the board, and nothing else. */
kz_status kz_variant_set_size_key(kz_variant *v, const kz_text_place *p, kz_text_span key, kz_text_span value,
                                  kz_error *error);
/* Sets the regions that follow from the size of the board. */
void kz_variant_set_size(kz_variant *v);
/* The number of a type of pieces, -1: there is none. */
int kz_variant_find_type(const kz_variant *v, const char *name);

/* ---- What follows from them: text_finish.c ----------------------------------------------------------------------- */

kz_status kz_variant_finish(kz_variant *v, const char *file, kz_error *error);

#endif
