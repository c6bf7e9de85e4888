/* SPDX-License-Identifier: MIT */
#include "base/text_reader.h"

#include <string.h>

kz_status kz_bad_at(const kz_reader *reader, size_t at, const char *why) {
    if (at >= reader->length) {
        return kz_fail(reader->error, KZ_ERR_INPUT, "character %zu (end of the text): %s", at + 1, why);
    }
    char c = reader->text[at];
    if (c < ' ' || c > '~') {
        return kz_fail(reader->error, KZ_ERR_INPUT, "character %zu (byte 0x%02x): %s", at + 1, (unsigned char)c, why);
    }
    return kz_fail(reader->error, KZ_ERR_INPUT, "character %zu ('%c'): %s", at + 1, c, why);
}

size_t kz_bad_place(const kz_error *error) {
    static const char one[] = "character ", several[] = "characters ";
    const char *at = error->message;
    if (strncmp(at, one, sizeof one - 1) == 0) {
        at += sizeof one - 1;
    } else if (strncmp(at, several, sizeof several - 1) == 0) {
        at += sizeof several - 1;
    }
    uint64_t place = 0;
    kz_span rest = {at, strlen(at)};
    return at > error->message && kz_span_digits(&rest, SIZE_MAX, &place) ? (size_t)place : 0;
}
