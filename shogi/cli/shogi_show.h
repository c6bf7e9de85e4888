/* SPDX-License-Identifier: MIT
 *
 * A shogi position for people: the board, and what it is in all packed forms. */
#ifndef CLI_SHOGI_SHOW_H
#define CLI_SHOGI_SHOW_H

#include "app/cli/command.h"

#include <kanzen/shogi_records.h>

/* Reads hexadecimal digits (spaces between them are passed over) as a record of fixed size. */
kz_status read_hex_record(kz_shogi_record record, kz_shogi_dialect dialect, const char *text,
                          kz_shogi_position *position, kz_shogi_note *note, kz_error *error);

void show_shogi_position(const kz_shogi_position *position, const kz_shogi_note *note, bool as_json);

#endif
