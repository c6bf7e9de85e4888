/* SPDX-License-Identifier: MIT
 *
 * Bytes as packed records, one after the other. */
#ifndef FUZZ_RECORDS_H
#define FUZZ_RECORDS_H

#include "tests/fuzz/fuzz.h"

enum { FUZZ_RECORDS = 4 }; /* at most so many at once */

/* Many at once are the same as one at a time. */
static inline const char *fuzz_broken_by_many(const kz_shogi_codec *codec, const uint8_t *records, size_t count) {
    kz_shogi_position many[FUZZ_RECORDS], one;
    kz_shogi_defect defect = KZ_SHOGI_FINE;
    size_t done = codec->unpack_many(records, RECORD, count, many, &defect);
    LAW(done <= count);
    for (size_t i = 0; i < done; i++) {
        LAW(codec->unpack(records + i * RECORD, &one) == KZ_SHOGI_FINE);
        LAW(shogi_same(&one, &many[i]));
    }
    LAW(done == count || (defect != KZ_SHOGI_FINE && codec->unpack(records + done * RECORD, &one) == defect));
    return NULL;
}

static inline void fuzz_records(kz_shogi_format format, const uint8_t *data, size_t size) {
    size_t count = size / RECORD < FUZZ_RECORDS ? size / RECORD : FUZZ_RECORDS;
    for (size_t i = 0; i < count; i++) {
        fuzz_keep(shogi_broken_by_record(format, data + i * RECORD));
    }
    for (unsigned path = 0; path < SHOGI_PATHS; path++) {
        const kz_shogi_codec *codec = kz_shogi_codec_for(format, shogi_paths[path]);
        if (codec) {
            fuzz_keep(fuzz_broken_by_many(codec, data, count));
        }
    }
}

#endif
