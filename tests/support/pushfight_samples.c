/* SPDX-License-Identifier: MIT */
#include "tests/support/pushfight_samples.h"

const kz_game *game(void) { return kz_game_find("pushfight"); }

kz_position parsed(int rules, const char *text) {
    kz_position position;
    kz_error error = {0};
    if (kz_parse(game(), rules, text, strlen(text), &position, &error) != KZ_OK) {
        fail_msg("%s: %s", text, error.message);
    }
    return position;
}

uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

FILE *open_data(const char *name) {
    const char *source = getenv("KANZEN_SOURCE");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/data/pushfight/%s", source ? source : ".", name);
    FILE *file = fopen(path, "r");
    if (!file) {
        fail_msg("can't open %s", path);
    }
    return file;
}
