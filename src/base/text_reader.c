/* SPDX-License-Identifier: MIT */
#include "base/text_reader.h"

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
