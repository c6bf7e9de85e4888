/* SPDX-License-Identifier: MIT
 *
 * Positions of shogi as tests write them down. */
#ifndef TESTS_SHOGI_PARSED_H
#define TESTS_SHOGI_PARSED_H

#include "tests/support/testing.h"

#include <kanzen/shogi.h>
#include <string.h>

static inline kz_shogi_position parsed(const char *sfen) {
    kz_shogi_position position;
    kz_error error = {KZ_OK, ""};
    if (kz_shogi_parse_sfen(sfen, strlen(sfen), &position, NULL, &error) != KZ_OK) {
        fail_msg("%s: %s", sfen, error.message);
    }
    return position;
}

#endif
