/* SPDX-License-Identifier: MIT
 *
 * Bytes as games of hcpe3 and of pack, and as records of nshogi. */
#include "tests/fuzz/fuzz.h"

typedef kz_status game_reader(const uint8_t *bytes, size_t size, size_t *used, kz_shogi_visit *visit, void *user,
                              kz_error *error);

static void read_games(game_reader *read, const uint8_t *data, size_t size) {
    size_t at = 0, used = 0, visits = 0;
    do {
        kz_error error = {KZ_OK, ""};
        kz_status status = read(data + at, size - at, &used, fuzz_visit, &visits, &error);
        fuzz_keep_failure(status, &error);
        fuzz_keep(used <= size - at ? NULL : "a game is longer than what is there");
        fuzz_keep(status != KZ_OK || used > 0 ? NULL : "a game without bytes");
        at += used;
    } while (used > 0 && visits < 1000);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    read_games(kz_shogi_read_hcpe3, data, size);
    read_games(kz_shogi_read_pack, data, size);
    for (size_t at = 0; at + KZ_SHOGI_NSHOGI_BYTES <= size; at += KZ_SHOGI_NSHOGI_BYTES) {
        kz_shogi_position position;
        kz_shogi_note note;
        if (kz_shogi_read_nshogi(data + at, &position, &note) == KZ_SHOGI_FINE) {
            fuzz_keep(kz_shogi_check(&position) == KZ_SHOGI_FINE ? NULL : "a position that is not well-formed");
        }
    }
    return 0;
}
