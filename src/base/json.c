/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include "base/encoding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory ---------------------------------------------------------------------------------------------------- */

enum { FIRST_ROOM = 2048 };

/* Makes room for so many bytes more. False: there is no memory, and the document has failed. */
static bool make_room(kz_json *json, size_t more) {
    if (json->failed) {
        return false;
    }
    if (json->room - json->length >= more) {
        return true;
    }
    size_t room = json->room < FIRST_ROOM / 2 ? FIRST_ROOM : 2 * json->room;
    while (room - json->length < more) {
        room *= 2;
    }
    char *text = realloc(json->text, room);
    if (!text) {
        json->failed = true;
        return false;
    }
    json->text = text;
    json->room = room;
    return true;
}

static void append(kz_json *json, const char *bytes, size_t count) {
    if (make_room(json, count)) {
        memcpy(json->text + json->length, bytes, count);
        json->length += count;
    }
}

static void add_byte(kz_json *json, char byte) {
    if (make_room(json, 1)) {
        json->text[json->length++] = byte;
    }
}

void kz_json_free(kz_json *json) {
    free(json->text);
    *json = (kz_json){.text = NULL};
}

char *kz_json_take(kz_json *json, size_t *length) {
    *length = json->length;
    add_byte(json, '\0');
    if (json->failed) {
        kz_json_free(json);
        return NULL;
    }
    char *text = json->text;
    *json = (kz_json){.text = NULL};
    return text;
}

/* ---- Text ------------------------------------------------------------------------------------------------------ */

/* Whether the byte stands for itself: a printable ASCII character but '"' and '\'. */
static bool is_plain(unsigned char byte) { return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\'; }

/* Writes one character that does not stand for itself, or a byte that is none, and returns its length. */
static size_t add_special(kz_json *json, const unsigned char *text, size_t room) {
    static const char digits[] = "0123456789abcdef";
    size_t sequence = kz_utf8_length((const char *)text, room);
    unsigned char byte = *text;
    if (sequence == 0) {
        append(json, "\xef\xbf\xbd", 3);
        return 1;
    }
    if (byte == '"' || byte == '\\') {
        append(json, (const char[]){'\\', (char)byte}, 2);
    } else if (byte == '\n') {
        append(json, "\\n", 2);
    } else if (sequence == 1) {
        append(json, (const char[]){'\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]}, 6);
    } else {
        append(json, (const char *)text, sequence);
    }
    return sequence;
}

static void add_quoted(kz_json *json, const char *text, size_t length) {
    const unsigned char *next = (const unsigned char *)text;
    const unsigned char *end = next + length;
    add_byte(json, '"');
    while (next < end) {
        const unsigned char *run = next;
        while (next < end && is_plain(*next)) {
            next++;
        }
        append(json, (const char *)run, (size_t)(next - run));
        if (next < end) {
            next += add_special(json, next, (size_t)(end - next));
        }
    }
    add_byte(json, '"');
}

/* ---- Structure ------------------------------------------------------------------------------------------------- */

/* What comes before any value. */
static void lead_in(kz_json *json, const char *key) {
    if (json->comma) {
        add_byte(json, ',');
    }
    if (key) {
        add_quoted(json, key, strlen(key));
        add_byte(json, ':');
    }
    json->comma = true;
}

static void open_bracket(kz_json *json, const char *key, char bracket) {
    lead_in(json, key);
    add_byte(json, bracket);
    json->comma = false;
}

/* Whatever was inside, it is a value that is closed now, and the next one needs a comma. */
static void close_bracket(kz_json *json, char bracket) {
    add_byte(json, bracket);
    json->comma = true;
}

void kz_json_object(kz_json *json, const char *key) { open_bracket(json, key, '{'); }
void kz_json_end_object(kz_json *json) { close_bracket(json, '}'); }
void kz_json_array(kz_json *json, const char *key) { open_bracket(json, key, '['); }
void kz_json_end_array(kz_json *json) { close_bracket(json, ']'); }

/* ---- Values ---------------------------------------------------------------------------------------------------- */

void kz_json_text(kz_json *json, const char *key, const char *text) {
    if (text) {
        kz_json_text_of_length(json, key, text, strlen(text));
    } else {
        kz_json_null(json, key);
    }
}

void kz_json_text_of_length(kz_json *json, const char *key, const char *text, size_t length) {
    lead_in(json, key);
    add_quoted(json, text, length);
}

static void add_number(kz_json *json, uint64_t number, bool negative) {
    char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    if (negative) {
        digits[--at] = '-';
    }
    append(json, digits + at, sizeof digits - at);
}

void kz_json_integer(kz_json *json, const char *key, int64_t number) {
    lead_in(json, key);
    add_number(json, number < 0 ? -(uint64_t)number : (uint64_t)number, number < 0);
}

void kz_json_unsigned(kz_json *json, const char *key, uint64_t number) {
    lead_in(json, key);
    add_number(json, number, false);
}

void kz_json_double(kz_json *json, const char *key, double number) {
    if (!isfinite(number)) {
        kz_json_null(json, key);
        return;
    }
    char text[32];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number) {
            break;
        }
    }
    lead_in(json, key);
    append(json, text, strlen(text));
}

void kz_json_boolean(kz_json *json, const char *key, bool value) {
    lead_in(json, key);
    append(json, value ? "true" : "false", value ? 4 : 5);
}

void kz_json_null(kz_json *json, const char *key) {
    lead_in(json, key);
    append(json, "null", 4);
}

void kz_json_raw(kz_json *json, const char *key, const char *value) {
    lead_in(json, key);
    append(json, value, strlen(value));
}

void kz_json_bytes(kz_json *json, const char *bytes, size_t count) { append(json, bytes, count); }
