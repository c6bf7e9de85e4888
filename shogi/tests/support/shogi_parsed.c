/* SPDX-License-Identifier: MIT */
#include "shogi/tests/support/shogi_parsed.h"

kz_shogi_position shogi_parsed(const char *sfen) {
    kz_shogi_position position;
    kz_error error = {KZ_OK, ""};
    if (kz_shogi_parse_sfen(sfen, strlen(sfen), &position, NULL, &error) != KZ_OK) {
        fail_msg("%s: %s", sfen, error.message);
    }
    return position;
}
