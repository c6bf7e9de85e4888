/* SPDX-License-Identifier: MIT
 *
 * Records as plain lists:
 *
 *     # a comment
 *     game: NAME
 *     rules: official
 *     start: gle/1c1/1C1/ELG b - 1
 *     first: Ayumu
 *     result: unfinished
 *
 *     1 2c2b          # comments may stand here, too
 *     2 2a2b */
#include "game/record_parts.h"

#include "base/error.h"

#include <string.h>

enum key { KEY_GAME, KEY_RULES, KEY_START, KEY_FIRST, KEY_SECOND, KEY_RESULT, KEYS };

static const char *const key_names[KEYS] = {"game", "rules", "start", "first", "second", "result"};
static const char *const result_names[] = {"unfinished", "first wins", "second wins", "draw"};

/* ---- Reading --------------------------------------------------------------------------------------------------- */

/* Keys come in any order, and the game has to be known before the others mean something. */
struct header {
    kz_span value;
    kz_lines at; /* the line that it is on */
};

static bool same_word(kz_span span, const char *word) {
    if (span.length != strlen(word)) {
        return false;
    }
    for (size_t i = 0; i < span.length; i++) {
        char c = span.text[i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != word[i]) {
            return false;
        }
    }
    return true;
}

static enum key find_key(kz_span name) {
    if (same_word(name, "board")) {
        return KEY_RULES; /* what rules are called in some games */
    }
    enum key key = KEY_GAME;
    while (key < KEYS && !same_word(name, key_names[key])) {
        key++;
    }
    return key;
}

static kz_status read_header(const kz_lines *lines, kz_span line, size_t colon, struct header headers[KEYS]) {
    kz_span name = kz_span_trimmed((kz_span){line.text, colon});
    enum key key = find_key(name);
    char quote[KZ_QUOTE_BYTES];
    if (key == KEYS) {
        return kz_bad_line(lines, "there is no key '%s'; there are: game, rules, start, first, second, result",
                           kz_quote(name, quote));
    }
    if (headers[key].at.number > 0) {
        return kz_bad_line(lines, "'%s' was on line %zu already", key_names[key], headers[key].at.number);
    }
    headers[key] = (struct header){kz_span_trimmed(kz_span_from(line, colon + 1)), *lines};
    return KZ_OK;
}

/* Names of games and rules are short words. */
static const char *short_word(kz_span span, char word[KZ_QUOTE_BYTES]) {
    if (span.length >= KZ_QUOTE_BYTES || memchr(span.text, '\0', span.length)) {
        return "";
    }
    memcpy(word, span.text, span.length);
    word[span.length] = '\0';
    return word;
}

static kz_status read_game(const kz_record_reader *reader, const struct header headers[KEYS]) {
    const kz_lines *lines = &reader->lines;
    kz_record *record = reader->record;
    char word[KZ_QUOTE_BYTES];
    const struct header *game = &headers[KEY_GAME];
    const struct header *rules = &headers[KEY_RULES];
    if (game->at.number == 0) {
        return kz_bad_line(lines, "a line with the game is missing, like 'game: %s'", kz_game_name(kz_game_at(0)));
    }
    bool asked = reader->game && kz_span_is(game->value, kz_game_name(reader->game));
    record->game = asked ? reader->game : kz_game_find(short_word(game->value, word));
    if (!record->game && reader->game) {
        return kz_bad_line(&game->at, "this is a game of '%s', and not of %s", kz_quote(game->value, word),
                           kz_game_name(reader->game));
    }
    if (!record->game) {
        return kz_bad_line(&game->at, "there is no game '%s'", kz_quote(game->value, word));
    }
    record->rules = rules->at.number > 0 ? kz_rules_find(record->game, short_word(rules->value, word)) : 0;
    if (record->rules < 0) {
        return kz_bad_line(&rules->at, "%s has no rules '%s'", kz_game_name(record->game),
                           kz_quote(rules->value, word));
    }
    return KZ_OK;
}

/* The number of a character in a message is that in the line, so the text goes in with all that is before it, as
 * spaces. Games that do not come with Kanzen need not skip those: they get the text alone, and the message quotes it.
 */
typedef kz_status part_reader(const kz_record_reader *reader, const char *text, size_t length, void *result,
                              kz_error *error);

static kz_status read_part(const kz_record_reader *reader, const kz_lines *lines, kz_span part, part_reader *read,
                           void *result) {
    char text[KZ_TEXT_BYTES];
    bool alone = reader->record->game == reader->game && !kz_game_find(kz_game_name(reader->game));
    size_t before = alone ? 0 : (size_t)(part.text - lines->line.text);
    size_t length = before + part.length;
    if (length > sizeof text) {
        return kz_bad_line(lines, "%zu bytes are too many", length);
    }
    memset(text, ' ', before);
    memcpy(text + before, part.text, part.length);
    kz_error error;
    kz_status status = read(reader, text, length, result, &error);
    if (status == KZ_ERR_INPUT && alone) {
        char quote[KZ_QUOTE_BYTES];
        return kz_bad_line(lines, "'%s': %s", kz_quote(part, quote), error.message);
    }
    return status == KZ_ERR_INPUT ? kz_bad_line(lines, "%s", error.message)
           : status == KZ_OK      ? KZ_OK
                                  : kz_fail(lines->error, status, "%s", error.message);
}

static kz_status read_start(const kz_record_reader *reader, const char *text, size_t length, void *result,
                            kz_error *error) {
    return kz_parse(reader->record->game, reader->record->rules, text, length, result, error);
}

static kz_status read_move(const kz_record_reader *reader, const char *text, size_t length, void *result,
                           kz_error *error) {
    const kz_record *record = reader->record;
    return kz_move_parse(record->game, record->rules, &reader->position, text, length, result, error);
}

static kz_status read_result(const struct header *header, kz_result *result) {
    static const char *const short_names[] = {"-", "first", "second", "draw"};
    for (unsigned i = 0; i <= KZ_RESULT_DRAW; i++) {
        if (same_word(header->value, result_names[i]) || same_word(header->value, short_names[i])) {
            *result = (kz_result)i;
            return KZ_OK;
        }
    }
    char quote[KZ_QUOTE_BYTES];
    return kz_bad_line(&header->at, "there is no result '%s'; there are: first wins, second wins, draw, unfinished",
                       kz_quote(header->value, quote));
}

static kz_status read_headers(kz_record_reader *reader, const struct header headers[KEYS]) {
    kz_record *record = reader->record;
    kz_status status = read_game(reader, headers);
    if (status != KZ_OK) {
        return status;
    }
    kz_start(record->game, record->rules, &record->start);
    const struct header *start = &headers[KEY_START];
    if (start->at.number > 0) {
        status = read_part(reader, &start->at, start->value, read_start, &record->start);
    }
    for (int side = 0; side < 2 && status == KZ_OK; side++) {
        const struct header *player = &headers[side ? KEY_SECOND : KEY_FIRST];
        status = kz_record_read_name(&player->at, player->at.number > 0 ? player->value : (kz_span){"", 0},
                                     record->names[side]);
    }
    reader->result_line = headers[KEY_RESULT].at.number;
    if (status == KZ_OK && reader->result_line > 0) {
        status = read_result(&headers[KEY_RESULT], &record->result);
    }
    reader->position = record->start;
    return status;
}

/* "12 2c2b", "12. 2c2b" or "2c2b". */
static kz_status read_move_line(kz_record_reader *reader, kz_span line) {
    kz_span rest = line;
    uint64_t number;
    /* A move may begin with a digit, too. */
    bool numbered =
        kz_span_digits(&rest, KZ_RECORD_MOST_MOVES, &number) && rest.length > 0 && strchr(". \t", rest.text[0]) != NULL;
    if (!numbered) {
        rest = line;
    } else if (number != reader->record->count + 1) {
        return kz_bad_line(&reader->lines, "this is move %zu, and not %zu", reader->record->count + 1, (size_t)number);
    } else {
        (void)kz_span_accept(&rest, ".");
        kz_span_skip_spaces(&rest);
    }
    kz_move move = 0;
    KZ_TRY(read_part(reader, &reader->lines, rest, read_move, &move));
    return kz_record_take_move(reader, move);
}

/* Where the colon of a line with a key is; NULL: it is a line of another kind. */
static const char *find_colon(kz_span line) {
    const char *colon = memchr(line.text, ':', line.length);
    const char *hash = memchr(line.text, '#', line.length);
    return hash && colon && hash < colon ? NULL : colon;
}

kz_span kz_record_list_game(const char *text, size_t length) {
    kz_error error;
    kz_lines lines = kz_lines_of(text, length, &error);
    while (kz_next_line(&lines)) {
        const char *colon = find_colon(lines.line);
        size_t name = colon ? (size_t)(colon - lines.line.text) : 0;
        if (colon && find_key(kz_span_trimmed((kz_span){lines.line.text, name})) == KEY_GAME) {
            return kz_span_trimmed(kz_span_from(lines.line, name + 1));
        }
    }
    return (kz_span){"", 0};
}

kz_status kz_record_read_list(kz_record_reader *reader) {
    struct header headers[KEYS];
    memset(headers, 0, sizeof headers);
    bool moves = false;
    kz_status status = KZ_OK;
    while (status == KZ_OK && kz_next_line(&reader->lines)) {
        kz_span line = reader->lines.line;
        const char *colon = find_colon(line);
        const char *hash = memchr(line.text, '#', line.length);
        bool header = colon != NULL;
        /* A name may have a '#', so only lines of moves end there. */
        if (hash && !header) {
            line.length = (size_t)(hash - line.text);
        }
        kz_span content = kz_span_trimmed(line);
        if (content.length == 0) {
            continue;
        }
        if (header && moves) {
            return kz_bad_line(&reader->lines, "lines with ':' come before the moves");
        }
        if (header) {
            status = read_header(&reader->lines, line, (size_t)(colon - line.text), headers);
            continue;
        }
        if (!moves) {
            status = read_headers(reader, headers);
            moves = true;
        }
        if (status == KZ_OK) {
            status = read_move_line(reader, content);
        }
    }
    return moves || status != KZ_OK ? status : read_headers(reader, headers);
}

/* ---- Writing --------------------------------------------------------------------------------------------------- */

kz_status kz_record_write_list(const kz_record *record, kz_growing_text *text, kz_error *error) {
    char written[KZ_TEXT_BYTES];
    kz_status status = kz_format(record->game, &record->start, 0, written, sizeof written, error);
    if (status != KZ_OK) {
        return status;
    }
    kz_grow_text(text, "game: %s\n", kz_game_name(record->game));
    /* Rules number 0 of a game in parts are all of its parts, whichever those are when the list is read. */
    if (record->rules != 0 || !kz_game_has_parts(record->game)) {
        kz_grow_text(text, "rules: %s\n", kz_rules_name(record->game, record->rules));
    }
    kz_grow_text(text, "start: %s\n", written);
    for (int side = 0; side < 2; side++) {
        if (record->names[side][0]) {
            kz_grow_text(text, "%s: %s\n", key_names[side ? KEY_SECOND : KEY_FIRST], record->names[side]);
        }
    }
    kz_grow_text(text, "result: %s\n%s", result_names[record->result], record->count > 0 ? "\n" : "");
    kz_position position = record->start;
    for (size_t i = 0; i < record->count; i++) {
        status = kz_move_format(record->game, &position, record->moves[i], written, sizeof written, error);
        if (status != KZ_OK) {
            return status;
        }
        kz_grow_text(text, "%zu %s\n", i + 1, written);
        kz_play(record->game, record->rules, &position, record->moves[i]);
    }
    return KZ_OK;
}
