/* SPDX-License-Identifier: MIT
 *
 * A byte that chooses the board, a line (or as many as a diagram has) as a position of Push Fight, the next one as a
 * turn there; and the whole as a placement. */
#include "tests/fuzz/game_laws.h"

#include <kanzen/pushfight.h>

static void try_placement(int rules, const char *text, size_t length) {
    for (int side = 0; side < 2; side++) {
        uint32_t number = 0, again = 0;
        char written[KZ_TEXT_BYTES];
        kz_error error = {KZ_OK, ""};
        kz_status status = kz_pushfight_placement_parse(rules, side, text, length, &number, &error);
        fuzz_keep_failure(status, &error);
        if (status == KZ_OK) {
            fuzz_keep(kz_pushfight_placement_format(rules, side, number, written, sizeof written, &error) == KZ_OK
                          ? NULL
                          : "a placement can't be written");
            status = kz_pushfight_placement_parse(rules, side, written, strlen(written), &again, &error);
            fuzz_keep(status == KZ_OK && again == number ? NULL : "a placement is not read again");
        }
    }
}

static const char *broken_by_index(const kz_game *game, int rules, const kz_position *position) {
    uint64_t index, again;
    kz_position back;
    if (kz_rank(game, position, &index)) {
        LAW(index < kz_index_size(game, rules));
        kz_unrank(game, rules, index, &back);
        LAW(kz_rank(game, &back, &again) && again == index);
    }
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const kz_game *game = kz_game_find("pushfight");
    int boards = 1; /* at least */
    while (kz_rules_name(game, boards)) {
        boards++;
    }
    int rules = fuzz_byte(&data, &size) % boards;
    fuzz_position_and_move(game, rules, data, size);
    uint8_t *copy = fuzz_copy(data, size);
    try_placement(rules, (const char *)copy, size);
    kz_position position;
    if (kz_parse(game, rules, (const char *)copy, size, &position, NULL) == KZ_OK) {
        fuzz_keep(broken_by_index(game, rules, &position));
    }
    free(copy);
    return 0;
}
