/* SPDX-License-Identifier: MIT */
#include "command.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

bool read_input_line(char *line, size_t room, size_t *length) {
    int letter = getc_unlocked(stdin);
    *length = 0;
    if (letter == EOF) {
        return false;
    }
    for (; letter != EOF && letter != '\n'; letter = getc_unlocked(stdin)) {
        if (*length < room) {
            line[*length] = (char)letter;
        }
        ++*length;
    }
    return true;
}

/* ---- What terminals obey ----------------------------------------------------------------------------------------- */

/* The length of the well-formed UTF-8 character at `text`, or 0; `code` gets its code point. */
static size_t utf8_character(const unsigned char *text, uint32_t *code) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = text[0] < 0x80 ? 1 : text[0] >= 0xF0 ? 4 : text[0] >= 0xE0 ? 3 : text[0] >= 0xC2 ? 2 : 0;
    if (length == 0 || text[0] > 0xF4) {
        return 0;
    }
    *code = length == 1 ? text[0] : text[0] & (0x7FU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xC0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (text[i] & 0x3F);
    }
    return *code >= least[length] && *code <= 0x10FFFF && (*code < 0xD800 || *code > 0xDFFF) ? length : 0;
}

/* C0, DEL and C1; and the marks that reverse the direction of text. */
static int is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

const char *escape_controls(const char *text, char *safe, size_t size) {
    const unsigned char *next = (const unsigned char *)text;
    size_t used = 0;
    while (*next != '\0') {
        char piece[24];
        uint32_t code = 0;
        size_t length = utf8_character(next, &code);
        if (length == 1 && (code == '\n' || code == '\t')) {
            snprintf(piece, sizeof piece, code == '\n' ? "\\n" : "\\t");
        } else if (length != 0 && !is_control(code)) {
            memcpy(piece, next, length);
            piece[length] = '\0';
        } else {
            length = length != 0 ? length : 1;
            for (size_t i = 0; i < length; i++) {
                snprintf(piece + 4 * i, sizeof piece - 4 * i, "\\x%02x", next[i]);
            }
        }
        size_t bytes = strlen(piece);
        if (used + bytes >= size) {
            break;
        }
        memcpy(safe + used, piece, bytes);
        used += bytes;
        next += length;
    }
    safe[used] = '\0';
    return safe;
}

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

static int exit_code_of(kz_status status) {
    switch (status) {
    case KZ_OK:
        return STATUS_FINE;
    case KZ_ERR_MISMATCH:
        return STATUS_NO;
    case KZ_ERR_INPUT:
    case KZ_ERR_UNSUPPORTED:
        return STATUS_USAGE;
    case KZ_ERR_IO:
    case KZ_ERR_MEMORY:
        return STATUS_IO;
    case KZ_ERR_CORRUPT:
        return STATUS_CORRUPT;
    case KZ_ERR_CANCELLED:
        return STATUS_INTERRUPTED;
    }
    return STATUS_IO;
}

/* A message may be long: it may quote an argument. */
enum { MESSAGE_BYTES = 4096 };

static void print_message(const cli_command *command, const char *message) {
    char safe[ESCAPED_BYTES(MESSAGE_BYTES)];
    fprintf(stderr, "kanzen%s%s: %s\n", command ? " " : "", command ? command->name : "",
            escape_controls(message, safe, sizeof safe));
}

int report_error(const cli_command *command, const kz_error *error) {
    print_message(command, error->message);
    return exit_code_of(error->status);
}

int exit_code(const cli_command *command, kz_status status, const kz_error *error) {
    return status == KZ_OK ? STATUS_FINE : report_error(command, error);
}

int report_message(const cli_command *command, int code, const char *format, ...) {
    char message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    print_message(command, message);
    return code;
}

int report_usage(const cli_command *command, const char *format, ...) {
    char message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    print_message(command, message);
    fprintf(stderr, "Try: kanzen help%s%s\n", command ? " " : "", command ? command->name : "");
    return STATUS_USAGE;
}

/* ---- Commands that do not exist ---------------------------------------------------------------------------------- */

enum { LONGEST_NAME = 32 };

static int least_of(int a, int b) { return a < b ? a : b; }

/* How many letters have to be changed, added, left out or exchanged with their neighbour. */
static int edit_distance(const char *a, const char *b) {
    int rows[3][LONGEST_NAME + 1];
    int width = (int)strlen(b);
    if (width > LONGEST_NAME || strlen(a) > LONGEST_NAME) {
        return LONGEST_NAME;
    }
    for (int j = 0; j <= width; j++) {
        rows[0][j] = j;
    }
    int *before = rows[2], *last = rows[0], *row = rows[1];
    for (int i = 1; a[i - 1] != '\0'; i++) {
        row[0] = i;
        for (int j = 1; j <= width; j++) {
            row[j] = least_of(least_of(last[j], row[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least_of(row[j], before[j - 2] + 1);
            }
        }
        int *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[width];
}

/* The command whose name is nearest to `name`, if it is near enough that it may be meant; else NULL. */
static const cli_command *nearest_command(const char *name) {
    const cli_command *nearest = NULL;
    int best = least_of(2, (int)strlen(name) / 2) + 1;
    for (int i = 0; command_at(i); i++) {
        int distance = edit_distance(name, command_at(i)->name);
        if (distance < best) {
            best = distance;
            nearest = command_at(i);
        }
    }
    return nearest;
}

int report_unknown_command(int count, char *const *words) {
    const char *name = words[0];
    if (name[0] == '-') {
        return report_usage(NULL, "unknown option '%s'", name);
    }
    char both[2 * LONGEST_NAME];
    snprintf(both, sizeof both, "%s %s", count > 1 ? words[1] : "", name);
    for (int i = 0; count > 1 && command_at(i); i++) {
        if (strcmp(command_at(i)->name, both) == 0) {
            return report_usage(command_at(i), "there is no command '%s'; the words are the other way round: kanzen %s",
                                name, both);
        }
    }
    const cli_command *meant = nearest_command(name);
    if (meant) {
        return report_usage(NULL, "there is no command '%s'; did you mean '%s'?", name, meant->name);
    }
    return report_usage(NULL, "there is no command '%s'", name);
}
