/* SPDX-License-Identifier: MIT
 *
 * What the forms of records share: the reader of lines, and text that grows. */
#ifndef KZ_GAME_RECORD_PARTS_H
#define KZ_GAME_RECORD_PARTS_H

#include "base/text.h"

#include <kanzen/record.h>

/* ---- Reading --------------------------------------------------------------------------------------------------- */

/* Takes a player's name. */
kz_status kz_record_read_name(const kz_lines *lines, kz_span name, char target[KZ_RECORD_NAME_BYTES]);

/* A record in the making. */
typedef struct kz_record_reader {
    kz_lines lines;
    kz_record *record;
    const kz_game *game;  /* that it may be one of, besides those that come with Kanzen; NULL: none */
    kz_position position; /* after the moves so far */
    size_t result_line;   /* where the result was told; 0: nowhere */
} kz_record_reader;

/* Takes the move that was read on this line. */
kz_status kz_record_take_move(kz_record_reader *reader, kz_move move);
/* At the end: what was told about the result has to agree with the moves. */
kz_status kz_record_check_result(kz_record_reader *reader);

/* The two forms. The record is all zero at first, and the caller frees it after a failure. */
kz_status kz_record_read_list(kz_record_reader *reader);
/* The name of the game in a list; empty if there is none. */
kz_span kz_record_list_game(const char *text, size_t length);
kz_status kz_record_read_kif(kz_record_reader *reader);

/* ---- Writing --------------------------------------------------------------------------------------------------- */

/* All zero is empty. */
typedef struct kz_growing_text {
    char *text;
    size_t length;
    size_t room;
    bool failed; /* there was no memory */
} kz_growing_text;

__attribute__((format(printf, 2, 3))) void kz_grow_text(kz_growing_text *text, const char *format, ...);

kz_status kz_record_write_list(const kz_record *record, kz_growing_text *text, kz_error *error);
kz_status kz_record_write_kif(const kz_record *record, kz_growing_text *text, kz_error *error);

#endif
