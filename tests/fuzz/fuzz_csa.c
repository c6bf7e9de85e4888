/* SPDX-License-Identifier: MIT
 *
 * Texts as a CSA file. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t visits = 0;
    kz_error error = {KZ_OK, ""};
    fuzz_keep_failure(kz_shogi_read_csa((const char *)data, size, fuzz_visit, &visits, &error), &error);
    return 0;
}
