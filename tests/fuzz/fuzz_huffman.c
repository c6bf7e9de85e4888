/* SPDX-License-Identifier: MIT
 *
 * Bytes as records of psfen and hcp. */
#include "tests/fuzz/records.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_records(KZ_SHOGI_PSFEN, data, size);
    fuzz_records(KZ_SHOGI_HCP, data, size);
    return 0;
}
