/* SPDX-License-Identifier: MIT
 *
 * Texts as a KIF file, in UTF-8 or in Shift_JIS. */
#include "tests/fuzz/fuzz.h"

#include "base/encoding.h"

#include <iconv.h>

int LLVMFuzzerInitialize(int *count, char ***arguments);

static iconv_t converter; /* the C library's */

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    converter = iconv_open("UTF-8", "CP932");
    return 0;
}

/* A character that is known is what the C library makes of the same two bytes. */
static const char *broken_by_character(const char *pair) {
    char ours[8] = "", theirs[8] = "";
    size_t length = kz_sjis_to_utf8(pair, 2, ours, sizeof ours - 1);
    if (converter == (iconv_t)-1 || (unsigned char)pair[0] < 0x81 || length != 3) {
        return NULL;
    }
    char bytes[2] = {pair[0], pair[1]}, *in = bytes, *out = theirs;
    size_t left = 2, room = sizeof theirs - 1;
    LAW(iconv(converter, &in, &left, &out, &room) != (size_t)-1);
    LAW(strcmp(ours, theirs) == 0);
    return NULL;
}

/* Whatever the bytes are, they become UTF-8; where there is less room, as much of it as fits. */
static const char *broken_by_shift_jis(const char *text, size_t size) {
    char whole[3 * 256], part[3 * 256];
    size = size < 256 ? size : 256;
    size_t length = kz_sjis_to_utf8(text, size, whole, sizeof whole);
    LAW(kz_is_utf8(whole, length));
    size_t room = length / 2, less = kz_sjis_to_utf8(text, size, part, room);
    LAW(less <= room && less + 3 > room);
    LAW(memcmp(part, whole, less) == 0);
    for (size_t i = 0; i + 1 < size; i++) {
        fuzz_keep(broken_by_character(text + i));
    }
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t visits = 0;
    kz_error error = {KZ_OK, ""};
    fuzz_keep_failure(kz_shogi_read_kif((const char *)data, size, fuzz_visit, &visits, &error), &error);
    error = (kz_error){KZ_OK, ""};
    fuzz_keep_failure(kz_shogi_read_ki2((const char *)data, size, fuzz_visit, &visits, &error), &error);
    fuzz_keep(broken_by_shift_jis((const char *)data, size));
    return 0;
}
