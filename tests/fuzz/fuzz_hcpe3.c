/* SPDX-License-Identifier: MIT
 *
 * Bytes as games of hcpe3. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t at = 0, used = 0, visits = 0;
    do {
        kz_error error = {KZ_OK, ""};
        kz_status status = kz_shogi_read_hcpe3(data + at, size - at, &used, fuzz_visit, &visits, &error);
        fuzz_keep_failure(status, &error);
        fuzz_keep(used <= size - at ? NULL : "a game is longer than what is there");
        fuzz_keep(status != KZ_OK || used > 0 ? NULL : "a game without bytes");
        at += used;
    } while (used > 0 && visits < 1000);
    return 0;
}
