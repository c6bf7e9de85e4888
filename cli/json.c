/* SPDX-License-Identifier: MIT */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct json json_start(FILE *stream) {
    return (struct json){.stream = stream};
}

void json_finish(struct json *json) {
    fputc('\n', json->stream);
    json->comma = false;
}

/* The length of the well-formed UTF-8 sequence at `text`, or 0. */
static size_t sequence_length(const unsigned char *text, size_t room) {
    static const struct {
        unsigned char first_least, first_most, second_least, second_most;
        size_t length;
    } forms[] = {
        /* the table of well-formed byte sequences in the Unicode standard; all further bytes are 80..BF */
        {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t form = 0; form < sizeof forms / sizeof forms[0]; form++) {
        if (text[0] < forms[form].first_least || text[0] > forms[form].first_most) {
            continue;
        }
        size_t length = forms[form].length;
        if (length > room) {
            return 0;
        }
        if (length > 1 && (text[1] < forms[form].second_least || text[1] > forms[form].second_most)) {
            return 0;
        }
        for (size_t i = 2; i < length; i++) {
            if (text[i] < 0x80 || text[i] > 0xbf) {
                return 0;
            }
        }
        return length;
    }
    return 0;
}

static void write_quoted(FILE *stream, const char *text, size_t length) {
    const unsigned char *next = (const unsigned char *)text;
    const unsigned char *end = next + length;
    fputc('"', stream);
    while (next < end) {
        size_t sequence = sequence_length(next, (size_t)(end - next));
        if (sequence == 0) {
            fputs("\xef\xbf\xbd", stream);
            next++;
            continue;
        }
        if (*next == '"' || *next == '\\') {
            fprintf(stream, "\\%c", *next);
        } else if (*next == '\n') {
            fputs("\\n", stream);
        } else if (*next < 0x20 || *next == 0x7f) {
            fprintf(stream, "\\u%04x", *next);
        } else {
            fwrite(next, 1, sequence, stream);
        }
        next += sequence;
    }
    fputc('"', stream);
}

/* What comes before any value. */
static void lead_in(struct json *json, const char *key) {
    if (json->comma) {
        fputc(',', json->stream);
    }
    if (key != NULL) {
        write_quoted(json->stream, key, strlen(key));
        fputc(':', json->stream);
    }
    json->comma = true;
}

static void open_bracket(struct json *json, const char *key, char bracket) {
    lead_in(json, key);
    fputc(bracket, json->stream);
    json->comma = false;
}

/* Whatever was inside, it is a value that is closed now, and the next one needs a comma. */
static void close_bracket(struct json *json, char bracket) {
    fputc(bracket, json->stream);
    json->comma = true;
}

void json_object(struct json *json, const char *key) { open_bracket(json, key, '{'); }
void json_end_object(struct json *json) { close_bracket(json, '}'); }
void json_array(struct json *json, const char *key) { open_bracket(json, key, '['); }
void json_end_array(struct json *json) { close_bracket(json, ']'); }

void json_text(struct json *json, const char *key, const char *text) {
    if (text == NULL) {
        json_null(json, key);
    } else {
        json_text_of_length(json, key, text, strlen(text));
    }
}

void json_text_of_length(struct json *json, const char *key, const char *text, size_t length) {
    lead_in(json, key);
    write_quoted(json->stream, text, length);
}

void json_integer(struct json *json, const char *key, int64_t number) {
    lead_in(json, key);
    fprintf(json->stream, "%" PRId64, number);
}

void json_unsigned(struct json *json, const char *key, uint64_t number) {
    lead_in(json, key);
    fprintf(json->stream, "%" PRIu64, number);
}

void json_double(struct json *json, const char *key, double number) {
    if (!isfinite(number)) {
        json_null(json, key);
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
    fputs(text, json->stream);
}

void json_boolean(struct json *json, const char *key, bool value) {
    lead_in(json, key);
    fputs(value ? "true" : "false", json->stream);
}

void json_null(struct json *json, const char *key) {
    lead_in(json, key);
    fputs("null", json->stream);
}
