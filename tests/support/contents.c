/* SPDX-License-Identifier: MIT */
#include "tests/support/contents.h"

#include <string.h>

content content_of(const char *path) {
    content c = {NULL, 0};
    struct stat found;
    FILE *file = stat(path, &found) == 0 && S_ISREG(found.st_mode) ? fopen(path, "rb") : NULL;
    if (file) {
        c = (content){malloc((size_t)found.st_size + 64), (size_t)found.st_size};
        assert_non_null(c.bytes);
        assert_int_equal(fread(c.bytes, 1, c.size, file), c.size);
        fclose(file);
    }
    return c;
}

content needed_content(const char *path) {
    content c = content_of(path);
    if (!c.bytes || c.size == 0) {
        fail_msg("%s is missing or empty", path);
        abort(); /* fail_msg does not return, but who reads the code only can't know */
    }
    return c;
}

void put_content(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

bool same_contents(const char *left, const char *right) {
    content a = needed_content(left);
    content b = needed_content(right);
    bool same = a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
    free(a.bytes);
    free(b.bytes);
    return same;
}
