/* SPDX-License-Identifier: MIT
 *
 * Bytes as the notes of records of fixed size, in every dialect: what is read is written so that it is read again. */
#include "tests/fuzz/fuzz.h"

enum { LONGEST = 40 };

static const char *broken_by_bytes(kz_shogi_record record, kz_shogi_dialect dialect, const uint8_t bytes[LONGEST],
                                   kz_shogi_side side) {
    kz_shogi_note note, again;
    kz_shogi_defect defect = kz_shogi_read_note(record, dialect, bytes, side, &note);
    LAW(defect == KZ_SHOGI_FINE || defect == KZ_SHOGI_BAD_MOVE || defect == KZ_SHOGI_BAD_RESULT);
    if (defect != KZ_SHOGI_FINE) {
        return NULL;
    }
    LAW((note.has & ~kz_shogi_record_at(record)->holds) == 0);
    uint8_t written[LONGEST];
    memcpy(written, bytes, sizeof written);
    kz_shogi_write_note(record, dialect, &note, side, written);
    LAW(memcmp(written, bytes, RECORD) == 0);
    LAW(kz_shogi_read_note(record, dialect, written, side, &again) == KZ_SHOGI_FINE);
    LAW(again.score == note.score && again.ply == note.ply && again.result == note.result);
    LAW(again.ending == note.ending && again.extra == note.extra && again.has == note.has);
    LAW(memcmp(&again.move, &note.move, sizeof note.move) == 0);
    return fuzz_broken_by_note(&note);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t bytes[LONGEST] = {0};
    memcpy(bytes, data, size < LONGEST ? size : LONGEST);
    for (unsigned record = 0; record < KZ_SHOGI_FIXED_RECORDS; record++) {
        for (unsigned dialect = 0; dialect < KZ_SHOGI_DIALECTS; dialect++) {
            for (unsigned side = 0; side < 2; side++) {
                fuzz_keep(
                    broken_by_bytes((kz_shogi_record)record, (kz_shogi_dialect)dialect, bytes, (kz_shogi_side)side));
            }
        }
    }
    return 0;
}
