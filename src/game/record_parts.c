/* SPDX-License-Identifier: MIT */
#include "game/record_parts.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

kz_status kz_record_read_name(const kz_lines *lines, kz_span name, char target[KZ_RECORD_NAME_BYTES]) {
    if (name.length >= KZ_RECORD_NAME_BYTES) {
        return kz_bad_line(lines, "a name has at most %d bytes", KZ_RECORD_NAME_BYTES - 1);
    }
    for (size_t i = 0; i < name.length; i++) {
        if ((unsigned char)name.text[i] < ' ' || name.text[i] == 0x7F) {
            return kz_bad_line(lines, "a name has no control characters");
        }
    }
    memcpy(target, name.text, name.length);
    target[name.length] = '\0';
    return KZ_OK;
}

kz_status kz_record_take_move(kz_record_reader *reader, kz_move move) {
    kz_record *record = reader->record;
    if (record->count == KZ_RECORD_MOST_MOVES) {
        return kz_bad_line(&reader->lines, "a record has at most %d moves", KZ_RECORD_MOST_MOVES);
    }
    kz_status status = kz_record_add(record, move, reader->lines.error);
    if (status == KZ_OK) {
        kz_play(record->game, record->rules, &reader->position, move);
    }
    return status;
}

kz_status kz_record_check_result(kz_record_reader *reader) {
    kz_record *record = reader->record;
    static const char *const names[] = {
        [KZ_RESULT_NONE] = "unfinished",
        [KZ_RESULT_FIRST] = "first wins",
        [KZ_RESULT_SECOND] = "second wins",
        [KZ_RESULT_DRAW] = "draw",
    };
    kz_result played = kz_record_result(record->game, record->rules, &reader->position);
    if (played == KZ_RESULT_NONE) {
        return KZ_OK;
    }
    if (record->result != KZ_RESULT_NONE && record->result != played) {
        return kz_fail(reader->lines.error, KZ_ERR_INPUT, "line %zu: the result is '%s', but the moves end with '%s'",
                       reader->result_line, names[record->result], names[played]);
    }
    record->result = played;
    return KZ_OK;
}

void kz_grow_text(kz_growing_text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int more = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    size_t needed = text->length + (more > 0 ? (size_t)more : 0) + 1;
    if (!text->failed && needed > text->room) {
        char *larger = realloc(text->text, 2 * needed);
        text->failed = !larger;
        if (larger) {
            text->text = larger;
            text->room = 2 * needed;
        }
    }
    if (!text->failed) {
        vsnprintf(text->text + text->length, text->room - text->length, format, again);
        text->length = needed - 1;
    }
    va_end(again);
}
