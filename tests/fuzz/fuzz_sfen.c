/* SPDX-License-Identifier: MIT
 *
 * Texts as an SFEN, as a line of an sfen file and as a move. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    kz_shogi_position position;
    kz_shogi_note note;
    kz_shogi_move move;
    int ply = 0;
    kz_error error = {KZ_OK, ""};
    kz_status status = kz_shogi_parse_sfen(text, size, &position, &ply, &error);
    fuzz_keep_failure(status, &error);
    if (status == KZ_OK) {
        fuzz_keep(shogi_broken_by_any(&position));
        fuzz_keep(shogi_broken_by_moves(&position));
    }
    status = kz_shogi_read_sfen_line(text, size, &position, &note, &error);
    fuzz_keep_failure(status, &error);
    if (status == KZ_OK) {
        fuzz_keep(shogi_broken_by_any(&position));
        fuzz_keep(fuzz_broken_by_note(&note));
    }
    status = kz_shogi_parse_move(text, size, &move, &error);
    fuzz_keep_failure(status, &error);
    if (status == KZ_OK) {
        fuzz_keep(shogi_broken_by_move(move));
    }
    return 0;
}
