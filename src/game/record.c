/* SPDX-License-Identifier: MIT */
#include <kanzen/record.h>

#include "base/encoding.h"
#include "base/error.h"
#include "game/gamedef.h"
#include "game/record_parts.h"

#include <stdlib.h>
#include <string.h>

void kz_record_begin(kz_record *record, const kz_game *game, int rules, const kz_position *start) {
    memset(record, 0, sizeof *record);
    record->game = game;
    record->rules = rules;
    if (start) {
        record->start = *start;
    } else {
        kz_start(game, rules, &record->start);
    }
}

void kz_record_free(kz_record *record) {
    free(record->moves);
    record->moves = NULL;
    record->count = 0;
    record->room = 0;
}

kz_status kz_record_add(kz_record *record, kz_move move, kz_error *error) {
    enum { FIRST_ROOM = 64 };
    if (record->count == KZ_RECORD_MOST_MOVES) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "a record has at most %d moves", KZ_RECORD_MOST_MOVES);
    }
    if (record->count == record->room) {
        size_t room = record->room > 0 ? 2 * record->room : FIRST_ROOM;
        kz_move *moves = realloc(record->moves, room * sizeof *moves);
        if (!moves) {
            return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
        }
        record->moves = moves;
        record->room = room;
    }
    record->moves[record->count++] = move;
    return KZ_OK;
}

void kz_record_position(const kz_record *record, size_t moves, kz_position *position) {
    *position = record->start;
    for (size_t i = 0; i < moves && i < record->count; i++) {
        kz_play(record->game, record->rules, position, record->moves[i]);
    }
}

int kz_record_side(const kz_game *game, int rules, const kz_position *position) {
    kz_position start;
    kz_start(game, rules, &start);
    return strcmp(kz_side_to_move(game, position), kz_side_to_move(game, &start)) != 0;
}

kz_result kz_record_result(const kz_game *game, int rules, const kz_position *position) {
    kz_value value = kz_immediate(game, rules, position);
    if (value.outcome == KZ_UNKNOWN || value.distance != 0) {
        return KZ_RESULT_NONE;
    }
    if (value.outcome == KZ_DRAW) {
        return KZ_RESULT_DRAW;
    }
    bool second = kz_record_side(game, rules, position) == 1;
    return (value.outcome == KZ_WIN) != second ? KZ_RESULT_FIRST : KZ_RESULT_SECOND;
}

/* ---- Forms ----------------------------------------------------------------------------------------------------- */

/* The keys of a list are ASCII, the headings of KIF are not; comments and empty lines tell nothing. */
kz_record_form kz_record_form_of(const char *text, size_t length) {
    kz_lines lines = kz_lines_of(text, length, NULL);
    while (kz_next_line(&lines)) {
        kz_span line = kz_span_trimmed(lines.line);
        if (line.length > 0 && line.text[0] == '*') {
            return KZ_RECORD_KIF;
        }
        if (line.length == 0 || line.text[0] == '#') {
            continue;
        }
        for (size_t i = 0; i < line.length && line.text[i] != ':' && line.text[i] != '#'; i++) {
            if ((unsigned char)line.text[i] >= 0x80) {
                return KZ_RECORD_KIF;
            }
        }
        return KZ_RECORD_LIST;
    }
    return KZ_RECORD_LIST;
}

kz_record_form kz_record_form_for(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".kif") == 0 || strcmp(dot, ".kifu") == 0) ? KZ_RECORD_KIF : KZ_RECORD_LIST;
}

bool kz_record_form_fits(const kz_game *game, kz_record_form form) {
    return form == KZ_RECORD_LIST || (form == KZ_RECORD_KIF && game->doors->kif != NULL);
}

static kz_status parse_utf8(const char *text, size_t length, const kz_game *game, kz_record *record, kz_error *error) {
    kz_record_reader reader = {.lines = kz_lines_of(text, length, error), .record = record, .game = game};
    bool kif = kz_record_form_of(text, length) == KZ_RECORD_KIF;
    kz_status status = kif ? kz_record_read_kif(&reader) : kz_record_read_list(&reader);
    if (status == KZ_OK) {
        status = kz_record_check_result(&reader);
    }
    if (status != KZ_OK) {
        kz_record_free(record);
    }
    return status;
}

bool kz_record_game_name(const char *text, size_t length, char name[KZ_RECORD_NAME_BYTES]) {
    kz_span found = kz_record_list_game(text, length);
    if (found.length == 0 || found.length >= KZ_RECORD_NAME_BYTES || memchr(found.text, '\0', found.length)) {
        return false;
    }
    memcpy(name, found.text, found.length);
    name[found.length] = '\0';
    return true;
}

kz_status kz_record_parse(const char *text, size_t length, kz_record *record, kz_error *error) {
    return kz_record_parse_as(text, length, NULL, record, error);
}

/* What is not UTF-8 is taken for Shift_JIS, which older programs write. */
kz_status kz_record_parse_as(const char *text, size_t length, const kz_game *game, kz_record *record, kz_error *error) {
    size_t mark = kz_mark_size(text, length);
    text += mark;
    length -= mark;
    memset(record, 0, sizeof *record);
    if (kz_is_utf8(text, length)) {
        return parse_utf8(text, length, game, record, error);
    }
    size_t room = length + length / 2 + 1; /* two bytes become three at most */
    char *utf8 = malloc(room);
    if (!utf8) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    kz_status status = parse_utf8(utf8, kz_sjis_to_utf8(text, length, utf8, room), game, record, error);
    free(utf8);
    return status;
}

kz_status kz_record_format(const kz_record *record, kz_record_form form, char **text, size_t *length, kz_error *error) {
    kz_growing_text written = {NULL, 0, 0, false};
    kz_status status = KZ_ERR_INPUT;
    if (form == KZ_RECORD_LIST) {
        status = kz_record_write_list(record, &written, error);
    } else if (form == KZ_RECORD_KIF) {
        status = kz_record_write_kif(record, &written, error);
    } else {
        kz_fail(error, status, "there is no form of records number %d", (int)form);
    }
    if (status == KZ_OK && written.failed) {
        status = kz_fail(error, KZ_ERR_MEMORY, "out of memory");
    }
    if (status != KZ_OK) {
        free(written.text);
        return status;
    }
    *text = written.text;
    *length = written.length;
    return KZ_OK;
}
