/* SPDX-License-Identifier: MIT
 *
 * For tests of how exports of Dobutsu Shogi are written, whatever the values are: made-up ones, in place of the
 * library's own, which take a minute to find. The linker puts these in their place (--wrap, CMakeLists.txt). */
#ifndef TESTS_MADE_UP_VALUES_H
#define TESTS_MADE_UP_VALUES_H

#include "games/dobutsu/compat/packet_write.h"
#include "games/dobutsu/compat/state_values.h"

#include <string.h>

enum { MADE_UP_ROWS = 20000, MADE_UP_PACKET_BYTES = KZ_DOBUTSU_PACKETS_ENTRIES * KZ_DOBUTSU_PACKETS_ENTRY_BYTES };

/* Packets [first, first + count) of such a source; each is filled with the lowest byte of its number. */
kz_status write_made_up_packets(const char *path, uint64_t first, uint64_t count, bool tar, kz_error *error);

#endif
