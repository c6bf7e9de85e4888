/* SPDX-License-Identifier: MIT
 *
 * The lines of a text, one after the other, with their numbers for error messages. */
#ifndef KZ_SHOGI_LINES_H
#define KZ_SHOGI_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct kz_lines {
    const char *text;
    size_t length;
    size_t at;
    size_t number; /* of the line read last, from 1 */
} kz_lines;

typedef struct kz_line {
    const char *text;
    size_t length;
} kz_line;

static inline kz_line kz_line_trimmed(kz_line line) {
    while (line.length > 0 && (line.text[line.length - 1] == ' ' || line.text[line.length - 1] == '\t' ||
                               line.text[line.length - 1] == '\r')) {
        line.length--;
    }
    return line;
}

/* The lines of a text; a byte order mark of UTF-8 before the first is passed over. */
static inline kz_lines kz_lines_of(const char *text, size_t length) {
    bool marked = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;
    return (kz_lines){.text = text, .length = length, .at = marked ? 3 : 0};
}

/* The next line, without its end and the blanks before that. False after the last one. */
static inline bool kz_next_line(kz_lines *lines, kz_line *line) {
    if (lines->at >= lines->length) {
        return false;
    }
    const char *begin = lines->text + lines->at;
    size_t left = lines->length - lines->at;
    const char *end = memchr(begin, '\n', left);
    size_t length = end ? (size_t)(end - begin) : left;
    lines->at += length + (end != NULL);
    lines->number++;
    *line = kz_line_trimmed((kz_line){begin, length});
    return true;
}

static inline bool kz_line_is(kz_line line, const char *text) {
    return line.length == strlen(text) && memcmp(line.text, text, line.length) == 0;
}

/* Steps over `word` if the line begins with it. */
static inline bool kz_line_accept(kz_line *line, const char *word) {
    size_t length = strlen(word);
    if (line->length < length || memcmp(line->text, word, length) != 0) {
        return false;
    }
    line->text += length;
    line->length -= length;
    return true;
}

/* What a text calls a piece. */
typedef struct kz_piece_name {
    const char *name;
    uint8_t code; /* of black's */
} kz_piece_name;

/* Steps over the first of `count` names that the line begins with. */
static inline bool kz_line_accept_piece(kz_line *line, const kz_piece_name *names, size_t count, uint8_t *code) {
    for (size_t i = 0; i < count; i++) {
        if (kz_line_accept(line, names[i].name)) {
            *code = names[i].code;
            return true;
        }
    }
    return false;
}

#endif
