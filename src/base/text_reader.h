/* SPDX-License-Identifier: MIT
 *
 * A place in a text that is being read, and how to complain about it. */
#ifndef KZ_BASE_TEXT_READER_H
#define KZ_BASE_TEXT_READER_H

#include "base/error.h"
#include "base/text.h"

typedef struct kz_reader {
    const char *text;
    size_t length;
    size_t at;
    kz_error *error;
} kz_reader;

static inline bool kz_at_end(const kz_reader *reader) { return reader->at >= reader->length; }

/* The character that comes next, 0 at the end. (A NUL in the text is no part of any notation, so it may look alike.) */
static inline char kz_next(const kz_reader *reader) { return kz_at_end(reader) ? '\0' : reader->text[reader->at]; }

/* Steps over `wanted` if it comes next. */
static inline bool kz_accept(kz_reader *reader, char wanted) {
    bool found = !kz_at_end(reader) && reader->text[reader->at] == wanted;
    reader->at += found;
    return found;
}

/* Reads decimal digits and steps over them. False, and nothing is stepped over, if there are none or the number is
 * larger than `most`. */
static inline bool kz_read_digits(kz_reader *reader, uint64_t most, uint64_t *number) {
    kz_span rest = {reader->text + reader->at, reader->length - reader->at};
    bool read = kz_span_digits(&rest, most, number);
    reader->at = reader->length - rest.length;
    return read;
}

/* Without the spaces and line ends around the text; characters are still counted from the text's beginning. */
static inline kz_reader kz_read_trimmed(const char *text, size_t length, kz_error *error) {
    kz_reader reader = {text, length, 0, error};
    while (reader.length > 0 &&
           (text[reader.length - 1] == ' ' || text[reader.length - 1] == '\n' || text[reader.length - 1] == '\r')) {
        reader.length--;
    }
    while (kz_accept(&reader, ' ')) {
    }
    return reader;
}

/* Fails with "character 7 ('x'): why". */
kz_status kz_bad_at(const kz_reader *reader, size_t at, const char *why);
/* The number of the character that such a message is about, or of the first one ("characters 1 to 7"). 0: none. */
size_t kz_bad_place(const kz_error *error);
static inline kz_status kz_bad(const kz_reader *reader, const char *why) { return kz_bad_at(reader, reader->at, why); }

#endif
