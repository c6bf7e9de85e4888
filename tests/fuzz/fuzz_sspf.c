/* SPDX-License-Identifier: MIT
 *
 * Bytes as records of sspf, sspfx and sspfc. */
#include "tests/fuzz/records.h"

/* A record of sspf is one of sspfx, of the same position; the other way round if nothing is missing. */
static const char *broken_by_extension(const uint8_t *record) {
    kz_shogi_position base, extended;
    const kz_shogi_codec *sspf = kz_shogi_codec_for(KZ_SHOGI_SSPF, NULL);
    const kz_shogi_codec *sspfx = kz_shogi_codec_for(KZ_SHOGI_SSPFX, NULL);
    kz_shogi_defect in_base = sspf->unpack(record, &base), in_extended = sspfx->unpack(record, &extended);
    if (in_base == KZ_SHOGI_FINE) {
        LAW(in_extended == KZ_SHOGI_FINE);
        LAW(shogi_same(&base, &extended));
    } else if (in_extended == KZ_SHOGI_FINE) {
        uint8_t other[RECORD];
        LAW(sspf->pack(&extended, other) != KZ_SHOGI_FINE);
    }
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_records(KZ_SHOGI_SSPF, data, size);
    fuzz_records(KZ_SHOGI_SSPFX, data, size);
    fuzz_records(KZ_SHOGI_SSPFC, data, size);
    if (size >= RECORD) {
        fuzz_keep(broken_by_extension(data));
    }
    return 0;
}
