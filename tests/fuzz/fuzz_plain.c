/* SPDX-License-Identifier: MIT
 *
 * Texts as entries of a plain file: what is read is written so that it is read again. */
#include "tests/fuzz/fuzz.h"

static const char *broken_by_entry(const kz_shogi_position *position, const kz_shogi_note *note) {
    char text[KZ_SHOGI_PLAIN_BYTES];
    size_t length = kz_shogi_format_plain(position, note, text), used = 0;
    LAW(length < sizeof text);
    kz_shogi_position back;
    kz_shogi_note again;
    LAW(kz_shogi_read_plain(text, length, &used, &back, &again, NULL) == KZ_OK);
    LAW(used == length);
    LAW(shogi_same(&back, position));
    LAW((again.has & note->has) == note->has);
    LAW(!(note->has & KZ_SHOGI_HAS_SCORE) || again.score == note->score);
    LAW(!(note->has & KZ_SHOGI_HAS_PLY) || again.ply == note->ply);
    LAW(!(note->has & KZ_SHOGI_HAS_RESULT) || again.result == note->result);
    LAW(!(note->has & KZ_SHOGI_HAS_MOVE) || memcmp(&again.move, &note->move, sizeof note->move) == 0);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t at = 0, used = 0;
    do {
        kz_shogi_position position;
        kz_shogi_note note;
        kz_error error = {KZ_OK, ""};
        kz_status status = kz_shogi_read_plain((const char *)data + at, size - at, &used, &position, &note, &error);
        fuzz_keep_failure(status, &error);
        fuzz_keep(used <= size - at ? NULL : "an entry is longer than what is there");
        fuzz_keep(status != KZ_OK || used > 0 ? NULL : "an entry without characters");
        if (status == KZ_OK) {
            fuzz_keep(shogi_broken_by_any(&position));
            fuzz_keep(fuzz_broken_by_note(&note));
            fuzz_keep(broken_by_entry(&position, &note));
        }
        at += used;
    } while (used > 0);
    return 0;
}
