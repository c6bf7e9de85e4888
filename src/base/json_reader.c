/* SPDX-License-Identifier: MIT */
#include "base/json_reader.h"

#include "base/text.h"

#include "base/encoding.h"

#include <string.h>

static bool fail(kz_json_reader *reader, const char *wrong) {
    reader->wrong = wrong;
    return false;
}

char kz_json_peek(kz_json_reader *reader) {
    for (; reader->at < reader->length; reader->at++) {
        char c = reader->text[reader->at];
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
            return c;
        }
    }
    return '\0';
}

static bool read_sign(kz_json_reader *reader, char sign, const char *wrong) {
    if (kz_json_peek(reader) != sign) {
        return fail(reader, wrong);
    }
    reader->at++;
    return true;
}

bool kz_json_enter(kz_json_reader *reader, char bracket) {
    return read_sign(reader, bracket, bracket == '{' ? "there should be '{'" : "there should be '['");
}

bool kz_json_another(kz_json_reader *reader, char closing_bracket, bool first) {
    char next = kz_json_peek(reader);
    if (next == closing_bracket) {
        reader->at++;
        return false;
    }
    if (first) {
        return next != '\0' || fail(reader, "the text ends too early");
    }
    if (!read_sign(reader, ',', closing_bracket == '}' ? "there should be ',' or '}'" : "there should be ',' or ']'")) {
        return false;
    }
    return kz_json_peek(reader) != closing_bracket || fail(reader, "another value should follow ','");
}

/* ---- Texts ------------------------------------------------------------------------------------------------------ */

/* Four hexadecimal digits. */
static bool read_unit(kz_json_reader *reader, uint32_t *unit) {
    *unit = 0;
    for (int i = 0; i < 4; i++, reader->at++) {
        char c = reader->at < reader->length ? reader->text[reader->at] : '\0';
        int digit = kz_hex_digit(c);
        if (digit < 0) {
            return fail(reader, "four hexadecimal digits have to follow '\\u'");
        }
        *unit = 16 * *unit + (uint32_t)digit;
    }
    return true;
}

/* What follows "\u", a second one for the other half of a pair included. */
static bool read_code_point(kz_json_reader *reader, uint32_t *code_point) {
    uint32_t low;
    if (!read_unit(reader, code_point)) {
        return false;
    }
    if (*code_point == 0) {
        return fail(reader, "no text has a U+0000");
    }
    if (*code_point < 0xd800 || *code_point > 0xdfff) {
        return true;
    }
    bool pair = *code_point < 0xdc00 && reader->at + 1 < reader->length && reader->text[reader->at] == '\\' &&
                reader->text[reader->at + 1] == 'u';
    if (pair) {
        reader->at += 2;
        if (!read_unit(reader, &low)) {
            return false;
        }
        pair = low >= 0xdc00 && low <= 0xdfff;
        *code_point = 0x10000 + ((*code_point - 0xd800) << 10) + (low - 0xdc00);
    }
    return pair || fail(reader, "half of a surrogate pair stands alone");
}

/* What follows '\'. */
static bool read_escape(kz_json_reader *reader, char *decoded, size_t *written) {
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    char c = reader->at < reader->length ? reader->text[reader->at] : '\0';
    for (size_t i = 0; names[i]; i++) {
        if (c == names[i]) {
            decoded[(*written)++] = meanings[i];
            reader->at++;
            return true;
        }
    }
    uint32_t code_point;
    if (c != 'u') {
        return fail(reader, "no such escape");
    }
    reader->at++;
    if (!read_code_point(reader, &code_point)) {
        return false;
    }
    *written += kz_utf8_write(code_point, decoded + *written);
    return true;
}

bool kz_json_read_text(kz_json_reader *reader, char *decoded, size_t *length) {
    size_t written = 0;
    if (!read_sign(reader, '"', "there should be a text")) {
        return false;
    }
    while (reader->at < reader->length) {
        char c = reader->text[reader->at];
        if (c == '"') {
            reader->at++;
            decoded[written] = '\0'; /* the closing quote has made room for it */
            *length = written;
            return true;
        }
        if (c == '\\') {
            reader->at++;
            if (!read_escape(reader, decoded, &written)) {
                return false;
            }
            continue;
        }
        size_t size = kz_utf8_length(reader->text + reader->at, reader->length - reader->at);
        if (size == 0) {
            return fail(reader, "this is not UTF-8");
        }
        if ((unsigned char)c < 0x20) {
            return fail(reader, "a control character in a text has to be escaped");
        }
        while (size-- > 0) {
            decoded[written++] = reader->text[reader->at++];
        }
    }
    return fail(reader, "a text has no end");
}

bool kz_json_read_key(kz_json_reader *reader, char *decoded, size_t *length) {
    return kz_json_read_text(reader, decoded, length) && read_sign(reader, ':', "there should be ':'");
}

bool kz_json_read_end(kz_json_reader *reader) {
    return (kz_json_peek(reader) == '\0' && reader->at == reader->length) ||
           fail(reader, "something follows after the end");
}

bool kz_json_read_unsigned(kz_json_reader *reader, uint64_t *number) {
    uint64_t value = 0;
    char c = kz_json_peek(reader);
    size_t begin = reader->at;
    for (; c >= '0' && c <= '9'; c = reader->at < reader->length ? reader->text[reader->at] : '\0') {
        uint64_t digit = (uint64_t)(c - '0');
        if (value > (UINT64_MAX - digit) / 10) {
            return fail(reader, "this number is too large");
        }
        value = 10 * value + digit;
        reader->at++;
    }
    bool leading_zero = reader->at > begin + 1 && reader->text[begin] == '0';
    if (reader->at == begin || leading_zero || c == '.' || c == 'e' || c == 'E') {
        return fail(reader, "there should be a whole number");
    }
    *number = value;
    return true;
}

/* A number, true, false or null: what is between signs and spaces. */
static bool skip_word(kz_json_reader *reader) {
    static const char *const words[] = {"true", "false", "null"};
    size_t begin = reader->at;
    while (reader->at < reader->length) {
        char c = reader->text[reader->at];
        bool part = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == 'E';
        if (!part) {
            break;
        }
        reader->at++;
    }
    size_t length = reader->at - begin;
    const char *text = reader->text + begin;
    bool known = length > 0 && (text[0] == '-' || (text[0] >= '0' && text[0] <= '9'));
    for (int i = 0; i < 3; i++) {
        known = known || (length == strlen(words[i]) && memcmp(text, words[i], length) == 0);
    }
    if (!known) {
        reader->at = begin;
    }
    return known || fail(reader, "there should be a value");
}

bool kz_json_skip(kz_json_reader *reader, char *room) {
    enum { DEEPEST = 64 };
    char closing[DEEPEST] = {0}; /* of the objects and arrays around the value that comes next */
    bool first[DEEPEST];
    int depth = 0;
    size_t length;
    do {
        bool value = depth == 0;
        if (!value) {
            value = kz_json_another(reader, closing[depth - 1], first[depth - 1]);
            first[depth - 1] = false;
        }
        if (!value) {
            if (reader->wrong) {
                return false;
            }
            depth--;
            continue;
        }
        if (depth > 0 && closing[depth - 1] == '}' && !kz_json_read_key(reader, room, &length)) {
            return false;
        }
        char next = kz_json_peek(reader);
        if (next == '{' || next == '[') {
            if (depth == DEEPEST) {
                return fail(reader, "values are too deep in one another");
            }
            reader->at++;
            closing[depth] = next == '{' ? '}' : ']';
            first[depth++] = true;
        } else if (next == '"' ? !kz_json_read_text(reader, room, &length) : !skip_word(reader)) {
            return false;
        }
    } while (depth > 0);
    return true;
}
