/* SPDX-License-Identifier: MIT
 *
 * The words of a line, the lines of an answer, and moves in between. */
#include "engine/usi.h"

#include "base/text_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Words ------------------------------------------------------------------------------------------------------ */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

usi_span kz_usi_word(usi_span *rest) {
    while (rest->length > 0 && is_space(*rest->text)) {
        rest->text++;
        rest->length--;
    }
    usi_span word = {rest->text, 0};
    while (rest->length > 0 && !is_space(*rest->text)) {
        rest->text++;
        rest->length--;
        word.length++;
    }
    return word;
}

usi_span kz_usi_trim(usi_span span) {
    while (span.length > 0 && is_space(span.text[0])) {
        span.text++;
        span.length--;
    }
    while (span.length > 0 && is_space(span.text[span.length - 1])) {
        span.length--;
    }
    return span;
}

bool kz_usi_is(usi_span word, const char *text) {
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

bool kz_usi_is_name(usi_span word, const char *text) {
    if (word.length != strlen(text)) {
        return false;
    }
    for (size_t i = 0; i < word.length; i++) {
        if (kz_to_lower(word.text[i]) != kz_to_lower(text[i])) {
            return false;
        }
    }
    return true;
}

bool kz_usi_number(usi_span word, uint64_t least, uint64_t most, uint64_t *number) {
    enum { MOST_DIGITS = 18 }; /* of a number that is never too large */
    if (word.length == 0 || word.length > MOST_DIGITS) {
        return false;
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < word.length; i++) {
        if (!kz_is_digit(word.text[i])) {
            return false;
        }
        sum = 10 * sum + (uint64_t)(word.text[i] - '0');
    }
    *number = sum;
    return sum >= least && sum <= most;
}

/* ---- Answers ---------------------------------------------------------------------------------------------------- */

void kz_usi_begin(usi_answer *answer, const char *text) {
    answer->length = 0;
    answer->text[0] = '\0';
    (void)kz_usi_add(answer, "%s", text);
}

__attribute__((format(printf, 2, 0))) static bool add(usi_answer *answer, const char *format, va_list arguments) {
    size_t room = sizeof answer->text - answer->length;
    int length = vsnprintf(answer->text + answer->length, room, format, arguments);
    if (length < 0 || (size_t)length >= room) {
        answer->text[answer->length] = '\0';
        return false;
    }
    answer->length += (size_t)length;
    return true;
}

bool kz_usi_add(usi_answer *answer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    bool added = add(answer, format, arguments);
    va_end(arguments);
    return added;
}

/* A path or a message may have control characters in it; then it still has to stay one line. */
void kz_usi_say(const kz_usi *usi, const usi_answer *answer) {
    usi_answer line = *answer;
    for (size_t i = 0; i < line.length; i++) {
        unsigned char c = (unsigned char)line.text[i];
        line.text[i] = (char)(c < ' ' || c == 0x7f ? '?' : c);
    }
    usi->host.say(usi->host.user, line.text);
}

void kz_usi_sayf(const kz_usi *usi, const char *format, ...) {
    usi_answer answer;
    kz_usi_begin(&answer, "");
    va_list arguments;
    va_start(arguments, format);
    (void)add(&answer, format, arguments);
    va_end(arguments);
    kz_usi_say(usi, &answer);
}

void kz_usi_complain(const kz_usi *usi, const char *message, usi_span word) {
    enum { SHOWN = 40 };
    char shown[SHOWN + 1];
    size_t length = word.length < SHOWN ? word.length : SHOWN;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)word.text[i];
        shown[i] = (char)(c < ' ' || c >= 0x7f ? '?' : c);
    }
    shown[length] = '\0';
    kz_usi_sayf(usi, "info string %s '%s%s'", message, shown, word.length > SHOWN ? "..." : "");
}

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

/* Dobutsu Shogi's squares: shogi counts files from the right and ranks from the top, Fairy-Stockfish files from the
 * left and ranks from the bottom. */
enum { FILES = 3, RANKS = 4, SQUARE_TEXT = 2 };

static bool shogi_square(const char *text, char fairy[SQUARE_TEXT]) {
    if (text[0] < '1' || text[0] >= '1' + FILES || text[1] < 'a' || text[1] >= 'a' + RANKS) {
        return false;
    }
    fairy[0] = (char)('a' + FILES - 1 - (text[0] - '1'));
    fairy[1] = (char)('1' + RANKS - 1 - (text[1] - 'a'));
    return true;
}

static bool fairy_square(const char *text, char shogi[SQUARE_TEXT]) {
    if (text[0] < 'a' || text[0] >= 'a' + FILES || text[1] < '1' || text[1] >= '1' + RANKS) {
        return false;
    }
    shogi[0] = (char)('1' + FILES - 1 - (text[0] - 'a'));
    shogi[1] = (char)('a' + RANKS - 1 - (text[1] - '1'));
    return true;
}

typedef bool translate_square(const char *text, char translated[SQUARE_TEXT]);

/* "2c2b" or "C*2b" and "b2b3" or "C@b3"; '+' may follow. What looks like neither is left alone. */
static void translate(char *move, size_t length, translate_square *square, char drop_from, char drop_to) {
    char squares[2 * SQUARE_TEXT];
    if (length < sizeof squares || length > sizeof squares + 1 || !square(move + SQUARE_TEXT, squares + SQUARE_TEXT)) {
        return;
    }
    if (move[1] == drop_from) {
        move[1] = drop_to;
        memcpy(move + SQUARE_TEXT, squares + SQUARE_TEXT, SQUARE_TEXT);
    } else if (square(move, squares)) {
        memcpy(move, squares, sizeof squares);
    }
}

static bool has_fairy_moves(const kz_usi *usi) {
    return usi->protocol == KZ_PROTOCOL_UCI && strcmp(kz_game_name(usi->game), "dobutsu") == 0;
}

kz_status kz_usi_move_parse(const kz_usi *usi, const kz_position *position, usi_span word, kz_move *move,
                            kz_error *error) {
    char text[KZ_TEXT_BYTES];
    if (word.length >= sizeof text) {
        return kz_fail(error, KZ_ERR_INPUT, "%zu characters are no move", word.length);
    }
    if (word.length > 0) {
        memcpy(text, word.text, word.length);
    }
    if (!has_fairy_moves(usi)) {
        return kz_move_parse(usi->game, usi->rules, position, text, word.length, move, error);
    }
    /* "b2b3=" says that nothing promotes, as programs for other kinds of shogi write it. */
    bool plain = word.length > 2 * SQUARE_TEXT && text[word.length - 1] == '=';
    size_t length = word.length - plain;
    translate(text, length, fairy_square, '@', '*');
    kz_status status = kz_move_parse(usi->game, usi->rules, position, text, length, move, error);
    if (status == KZ_OK && plain) {
        status = kz_move_format(usi->game, position, *move, text, sizeof text, error);
        if (status == KZ_OK && text[strlen(text) - 1] == '+') {
            status = kz_fail(error, KZ_ERR_INPUT, "%s has to promote", text);
        }
    }
    return status;
}

kz_status kz_usi_move_format(const kz_usi *usi, const kz_position *position, kz_move move, char *text, size_t size,
                             kz_error *error) {
    kz_status status = kz_move_format(usi->game, position, move, text, size, error);
    if (status == KZ_OK && has_fairy_moves(usi)) {
        translate(text, strlen(text), shogi_square, '*', '@');
    }
    return status;
}
