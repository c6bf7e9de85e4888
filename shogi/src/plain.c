/* SPDX-License-Identifier: MIT
 *
 * Positions in text: lines of SFEN, and the plain entries of YaneuraOu's tools. */
#include "base/text.h"
#include "base/text_reader.h"
#include <kanzen/shogi_records.h>
#include <limits.h>
#include <string.h>

/* Steps over a word and the blanks after it, if the text goes on with it. */
static bool accept_word(kz_span *text, const char *word) {
    kz_span rest = *text;
    if (!kz_span_accept(&rest, word) || (rest.length > 0 && rest.text[0] != ' ')) {
        return false;
    }
    while (kz_span_accept(&rest, " ")) {
    }
    *text = rest;
    return true;
}

/* What comes before the word "moves"; the text goes on after it. */
static kz_span part_before_moves(kz_span *text) {
    kz_span part = {text->text, 0};
    bool word = true; /* the next character may begin one */
    while (text->length > 0 && !(word && accept_word(text, "moves"))) {
        word = text->text[0] == ' ';
        text->text++;
        text->length--;
        part.length++;
    }
    return kz_span_end_trimmed(part);
}

static kz_span next_word(kz_span *text) {
    kz_span word = {text->text, 0};
    while (word.length < text->length && word.text[word.length] != ' ') {
        word.length++;
    }
    text->text += word.length;
    text->length -= word.length;
    while (kz_span_accept(text, " ")) {
    }
    return word;
}

/* Told about each move before it is made; NULL where nobody wants to know. */
struct listener {
    kz_shogi_visit *visit;
    void *user;
};

static uint16_t ply_of(int number) { return (uint16_t)(number < 0 ? 0 : number > UINT16_MAX ? UINT16_MAX : number); }

static unsigned cut_flag(int ply) { return ply > UINT16_MAX ? KZ_SHOGI_PLY_CUT : 0; }

static kz_status play_moves(kz_span text, kz_shogi_position *position, int *ply, const struct listener *listener,
                            kz_error *error) {
    for (int number = 1; text.length > 0; number++) {
        kz_span word = next_word(&text);
        kz_shogi_move move;
        kz_error reason;
        if (kz_shogi_parse_move(word.text, word.length, &move, &reason) != KZ_OK) {
            return kz_fail(error, KZ_ERR_INPUT, "move %d: %.280s", number, reason.message);
        }
        kz_shogi_position before = *position;
        kz_shogi_defect defect = kz_shogi_make_move(position, move);
        if (defect != KZ_SHOGI_FINE) {
            return kz_fail(error, KZ_ERR_INPUT, "move %d (%.*s): %s", number, (int)(word.length < 8 ? word.length : 8),
                           word.text, kz_shogi_defect_text(defect));
        }
        const kz_shogi_note note = {.ply = ply_of(*ply),
                                    .move = move,
                                    .has = (uint16_t)(KZ_SHOGI_HAS_PLY | KZ_SHOGI_HAS_MOVE | cut_flag(*ply))};
        if (listener && !listener->visit(listener->user, &before, &note)) {
            return KZ_OK;
        }
        *ply += *ply < INT_MAX;
    }
    return KZ_OK;
}

/* Reads "startpos" or an SFEN, and plays the moves that follow. */
static kz_status read_line(const char *text, size_t length, kz_shogi_position *position, int *ply,
                           const struct listener *listener, kz_error *error) {
    kz_reader reader = kz_read_trimmed(text, length, error);
    kz_span rest = kz_span_end_trimmed((kz_span){text + reader.at, reader.length - reader.at});
    *ply = 1;
    accept_word(&rest, "position");
    if (accept_word(&rest, "startpos")) {
        *position = kz_shogi_start();
        kz_span before = part_before_moves(&rest);
        if (before.length > 0) {
            return kz_fail(error, KZ_ERR_INPUT, "character %zu: expected \"moves\" after \"startpos\"",
                           (size_t)(before.text - text) + 1);
        }
    } else {
        accept_word(&rest, "sfen");
        kz_span sfen = part_before_moves(&rest);
        size_t skipped = (size_t)(sfen.text - text);
        kz_error reason;
        if (kz_shogi_parse_sfen(sfen.text, sfen.length, position, ply, &reason) != KZ_OK) {
            return skipped == 0 ? kz_fail(error, KZ_ERR_INPUT, "%s", reason.message)
                                : kz_fail(error, KZ_ERR_INPUT, "the SFEN after the first %zu characters: %.250s",
                                          skipped, reason.message);
        }
    }
    return play_moves(rest, position, ply, listener, error);
}

kz_status kz_shogi_read_sfen_line(const char *text, size_t length, kz_shogi_position *position, kz_shogi_note *note,
                                  kz_error *error) {
    int ply;
    kz_status status = read_line(text, length, position, &ply, NULL, error);
    *note = (kz_shogi_note){
        .ply = ply_of(ply), .move = {.special = KZ_SHOGI_NONE}, .has = (uint16_t)(KZ_SHOGI_HAS_PLY | cut_flag(ply))};
    return status;
}

kz_status kz_shogi_read_usi_line(const char *text, size_t length, kz_shogi_visit *visit, void *user, kz_error *error) {
    const struct listener listener = {visit, user};
    kz_shogi_position position;
    int ply;
    return read_line(text, length, &position, &ply, &listener, error);
}

/* ---- Plain entries ---------------------------------------------------------------------------------------------- */

static bool parse_number(kz_span text, int least, int most, int *number) {
    bool negative = kz_span_accept(&text, "-");
    uint64_t size;
    if (!kz_span_number(text, 0, INT_MAX, &size)) {
        return false;
    }
    *number = negative ? -(int)size : (int)size;
    return *number >= least && *number <= most;
}

typedef struct plain_entry {
    kz_shogi_position *position;
    kz_shogi_note *note;
    bool placed; /* the position is there */
} plain_entry;

static kz_status parse_sfen(plain_entry *entry, kz_span value, kz_error *error) {
    entry->placed = true;
    return kz_shogi_parse_sfen(value.text, value.length, entry->position, NULL, error);
}

static kz_status parse_move(plain_entry *entry, kz_span value, kz_error *error) {
    entry->note->has |= KZ_SHOGI_HAS_MOVE;
    return kz_shogi_parse_move(value.text, value.length, &entry->note->move, error);
}

static kz_status parse_score(plain_entry *entry, kz_span value, kz_error *error) {
    int number;
    if (!parse_number(value, INT16_MIN, INT16_MAX, &number)) {
        return kz_fail(error, KZ_ERR_INPUT, "expected a number from -32768 to 32767");
    }
    entry->note->score = (int16_t)number;
    entry->note->has |= KZ_SHOGI_HAS_SCORE;
    return KZ_OK;
}

static kz_status parse_ply(plain_entry *entry, kz_span value, kz_error *error) {
    int number;
    if (!parse_number(value, 0, UINT16_MAX, &number)) {
        return kz_fail(error, KZ_ERR_INPUT, "expected a number from 0 to 65535");
    }
    entry->note->ply = (uint16_t)number;
    entry->note->has |= KZ_SHOGI_HAS_PLY;
    return KZ_OK;
}

static kz_status parse_result(plain_entry *entry, kz_span value, kz_error *error) {
    int number;
    if (!parse_number(value, -1, 1, &number)) {
        return kz_fail(error, KZ_ERR_INPUT, "expected 1 (the side to move won), 0 or -1");
    }
    entry->note->result = (int8_t)number;
    entry->note->has |= KZ_SHOGI_HAS_RESULT;
    return KZ_OK;
}

static const struct {
    const char *word;
    kz_status (*parse)(plain_entry *entry, kz_span value, kz_error *error);
} fields[] = {
    {"sfen", parse_sfen}, {"move", parse_move}, {"score", parse_score}, {"ply", parse_ply}, {"result", parse_result}};
enum { FIELDS = sizeof fields / sizeof *fields };

static kz_status parse_field(plain_entry *entry, kz_span line, kz_error *error) {
    for (int i = 0; i < FIELDS; i++) {
        if (accept_word(&line, fields[i].word)) {
            kz_error reason;
            kz_status status = fields[i].parse(entry, line, &reason);
            return status == KZ_OK ? KZ_OK : kz_fail(error, status, "%s: %.250s", fields[i].word, reason.message);
        }
    }
    return kz_fail(error, KZ_ERR_INPUT, "expected \"sfen\", \"move\", \"score\", \"ply\", \"result\" or \"e\"");
}

kz_status kz_shogi_read_plain(const char *text, size_t length, size_t *used, kz_shogi_position *position,
                              kz_shogi_note *note, kz_error *error) {
    *note = (kz_shogi_note){.move = {.special = KZ_SHOGI_NONE}};
    *used = 0;
    plain_entry entry = {.position = position, .note = note};
    kz_status status = KZ_OK; /* of the first bad line; the entry is read to its end all the same */
    kz_lines lines = kz_lines_of(text, length, error);
    kz_span line;
    bool ended = false;
    while (!ended && kz_next_trimmed_line(&lines, &line)) {
        ended = kz_span_is(line, "e");
        kz_error reason;
        if (!ended && status == KZ_OK && line.length > 0 && parse_field(&entry, line, &reason) != KZ_OK) {
            status = kz_fail(error, KZ_ERR_INPUT, "line %zu of the entry: %.280s", lines.number, reason.message);
        }
    }
    if (!ended) {
        return kz_fail(error, KZ_ERR_INPUT, "the entry is cut off: it has no line \"e\"");
    }
    *used = length - lines.rest.length;
    if (status == KZ_OK && !entry.placed) {
        return kz_fail(error, KZ_ERR_INPUT, "the entry has no line \"sfen\"");
    }
    return status;
}

/* Files of millions of entries are written, so this does without printf. */
static char *put(char *at, const char *word) {
    size_t length = strlen(word);
    memcpy(at, word, length);
    return at + length;
}

static char *put_number(char *at, const char *word, int number) {
    at = put(at, word);
    if (number < 0) {
        *at++ = '-';
        number = -number;
    }
    int power = 1;
    while (number / power >= 10) {
        power *= 10;
    }
    for (; power > 0; power /= 10) {
        *at++ = (char)('0' + number / power % 10);
    }
    return put(at, "\n");
}

size_t kz_shogi_format_plain(const kz_shogi_position *position, const kz_shogi_note *note,
                             char text[KZ_SHOGI_PLAIN_BYTES]) {
    char *at = put(text, "sfen ");
    at += kz_shogi_format_sfen(position, note->has & KZ_SHOGI_HAS_PLY ? note->ply : 1, at);
    at = put(at, "\n");
    if (note->has & KZ_SHOGI_HAS_MOVE) {
        at = put(at, "move ");
        at += kz_shogi_format_move(note->move, at);
        at = put(at, "\n");
    }
    if (note->has & KZ_SHOGI_HAS_SCORE) {
        at = put_number(at, "score ", note->score);
    }
    if (note->has & KZ_SHOGI_HAS_PLY) {
        at = put_number(at, "ply ", note->ply);
    }
    if (note->has & KZ_SHOGI_HAS_RESULT) {
        at = put_number(at, "result ", note->result);
    }
    at = put(at, "e\n");
    *at = '\0';
    return (size_t)(at - text);
}
