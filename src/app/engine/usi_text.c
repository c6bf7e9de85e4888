/* SPDX-License-Identifier: MIT
 *
 * The words of a line, the lines of an answer, and moves in between. */
#include "app/engine/usi.h"

#include "base/text_reader.h"
#include "game/gamedef.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Words ------------------------------------------------------------------------------------------------------ */

bool kz_usi_is_name(kz_span word, const char *text) {
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

void kz_usi_complain(const kz_usi *usi, const char *message, kz_span word) {
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

const kz_game *kz_usi_game(void) {
    size_t number = 0;
    while (kz_game_at(number + 1) && !kz_game_at(number)->doors->uci) {
        number++;
    }
    return kz_game_at(number);
}

/* How the game writes moves in UCI; NULL: as everywhere. */
static const kz_uci_moves *uci_moves(const kz_usi *usi) {
    return usi->protocol == KZ_PROTOCOL_UCI ? usi->game->doors->uci : NULL;
}

kz_status kz_usi_move_parse(const kz_usi *usi, const kz_position *position, kz_span word, kz_move *move,
                            kz_error *error) {
    const kz_uci_moves *uci = uci_moves(usi);
    if (word.length >= KZ_TEXT_BYTES) {
        return kz_fail(error, KZ_ERR_INPUT, "%zu characters are no move", word.length);
    }
    return uci ? uci->parse(usi->rules, position, word.text, word.length, move, error)
               : kz_move_parse(usi->game, usi->rules, position, word.text, word.length, move, error);
}

kz_status kz_usi_move_format(const kz_usi *usi, const kz_position *position, kz_move move, char *text, size_t size,
                             kz_error *error) {
    const kz_uci_moves *uci = uci_moves(usi);
    return uci ? uci->format(position, move, text, size, error)
               : kz_move_format(usi->game, position, move, text, size, error);
}
