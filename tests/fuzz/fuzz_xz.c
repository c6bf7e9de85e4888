/* SPDX-License-Identifier: MIT
 *
 * Two bytes as a size, and the others as a file that xz has packed and that has so many bytes when unpacked. */
#include "tests/fuzz/laws.h"

#include "app/export/archive.h"

static const char *broken_by_file(const uint8_t *data, size_t size, size_t expected) {
    const kz_mapping file = {data, size}, shorter = {data, size - (size > 0)};
    uint8_t *unpacked = NULL, *again = NULL;
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_xz_read(&file, "file", expected, NULL, &unpacked, &error);
    fuzz_keep_failure(status, &error);
    LAW(status != KZ_OK || kz_xz_is(&file));
    LAW((status == KZ_OK) == (unpacked != NULL));
    if (status == KZ_OK) {
        /* Of another size, or cut off, it is none. */
        LAW(kz_xz_read(&file, "file", expected + 1, NULL, &again, NULL) == KZ_ERR_CORRUPT && !again);
        LAW(expected == 0 || kz_xz_read(&file, "file", expected - 1, NULL, &again, NULL) == KZ_ERR_CORRUPT);
        LAW(kz_xz_read(&shorter, "file", expected, NULL, &again, NULL) == KZ_ERR_CORRUPT && !again);
    }
    free(unpacked);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t expected = (size_t)fuzz_number(&data, &size, 2);
    uint8_t *copy = fuzz_copy(data, size);
    fuzz_keep(broken_by_file(copy, size, expected));
    free(copy);
    return 0;
}
