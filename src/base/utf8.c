/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

size_t kz_utf8_length(const char *text, size_t room) {
    static const struct {
        unsigned char first_least, first_most, second_least, second_most;
        size_t length;
    } forms[] = {
        /* all further bytes are 80..BF */
        {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t form = 0; form < sizeof forms / sizeof forms[0]; form++) {
        if (bytes[0] < forms[form].first_least || bytes[0] > forms[form].first_most) {
            continue;
        }
        size_t length = forms[form].length;
        if (length > room) {
            return 0;
        }
        if (length > 1 && (bytes[1] < forms[form].second_least || bytes[1] > forms[form].second_most)) {
            return 0;
        }
        for (size_t i = 2; i < length; i++) {
            if (bytes[i] < 0x80 || bytes[i] > 0xbf) {
                return 0;
            }
        }
        return length;
    }
    return 0;
}

size_t kz_utf8_write(uint32_t code_point, char *text) {
    if (code_point < 0x80) {
        text[0] = (char)code_point;
        return 1;
    }
    size_t length = code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
    static const unsigned lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1; code_point >>= 6) {
        text[i] = (char)(0x80 | (code_point & 0x3f));
    }
    text[0] = (char)(lead[length] | code_point);
    return length;
}
