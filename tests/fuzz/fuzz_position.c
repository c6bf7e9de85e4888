/* SPDX-License-Identifier: MIT
 *
 * 96 bytes as a position. If it is well-formed then the laws hold; if not, then every codec still writes 32 bytes or
 * none. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    kz_shogi_position position;
    memset(&position, 0, sizeof position);
    memcpy(&position, data, size < sizeof position ? size : sizeof position);
    if (kz_shogi_check(&position) == KZ_SHOGI_FINE) {
        fuzz_keep(shogi_broken_by_any(&position));
        fuzz_keep(shogi_broken_by_moves(&position));
        return 0;
    }
    for (unsigned format = 0; format < KZ_SHOGI_FORMATS; format++) {
        for (unsigned path = 0; path < SHOGI_PATHS; path++) {
            const kz_shogi_codec *codec = kz_shogi_codec_for((kz_shogi_format)format, shogi_paths[path]);
            if (codec) {
                uint8_t *record = malloc(RECORD); /* the sanitizer watches its ends */
                codec->pack(&position, record);
                free(record);
            }
        }
    }
    return 0;
}
