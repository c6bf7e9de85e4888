/* SPDX-License-Identifier: MIT
 *
 * Game records in the manner of KIF, in UTF-8, for games that say what KIF calls their pieces (game/kif.h):
 *
 *     手合割：どうぶつしょうぎ
 *     ルール：official
 *     先手：Ayumu
 *     手数----指手---------
 *        1 ２二ひよこ(23)
 *        2 同　ライオン(21)
 *        3 ２三ひよこ打
 *        4 投了
 *     まで3手で先手の勝ち
 *
 * Rules and positions to begin with are not a part of KIF, so they have headings of their own (ルール, 開始局面). */
#include "game/record_parts.h"

#include "base/error.h"
#include "base/kif.h"
#include "game/gamedef.h"

#include <string.h>

static const char wide_space[] = "　";
static const char colon[] = "：";

/* ---- Reading --------------------------------------------------------------------------------------------------- */

static int accept_kind(const void *user, kz_span *text) {
    const kz_kif *kif = user;
    for (int kind = 0; kind < kif->kinds; kind++) {
        for (int i = 0; i < KZ_KIF_NAMES && kif->kind_names[kind][i]; i++) {
            if (kz_span_accept(text, kif->kind_names[kind][i])) {
                return kind;
            }
        }
    }
    return -1;
}

/* Fails with a list of the pieces that there are. */
static kz_status no_piece(const kz_kif *kif, const kz_lines *lines, kz_span rest) {
    enum { NAME_BYTES = 24 };
    char list[KZ_KIF_KINDS * NAME_BYTES] = "";
    char quote[KZ_QUOTE_BYTES];
    for (int kind = 0; kind < kif->kinds; kind++) {
        strncat(list, kind > 0 ? ", " : "", sizeof list - strlen(list) - 1);
        strncat(list, kif->kind_names[kind][0], sizeof list - strlen(list) - 1);
    }
    return kz_bad_line(lines, "expected a piece (%s) at '%s'", list, kz_quote(rest, quote));
}

/* `last` is the square that the move before went to; its file is 0 if there is none. */
static kz_status read_kif_move(const kz_kif *kif, const kz_lines *lines, kz_span *rest, kz_kif_square last,
                               kz_kif_move *move) {
    char quote[KZ_QUOTE_BYTES];
    kz_kif_square board = {.file = kif->files, .rank = kif->ranks};
    kz_kif_fault fault = kz_kif_read_move(rest, board, accept_kind, kif, move);
    if (move->same && last.file == 0) {
        return kz_bad_line(lines, "'%s' is the square of the move before, and there is none", KZ_KIF_SAME);
    }
    move->to = move->same ? last : move->to;
    switch (fault) {
    case KZ_KIF_NO_SQUARE:
        return kz_bad_line(lines, "expected a square from %s%s to %s%s, or '%s', at '%s'", kz_kif_digits[1],
                           kz_kif_numerals[1], kz_kif_digits[kif->files], kz_kif_numerals[kif->ranks], KZ_KIF_SAME,
                           kz_quote(*rest, quote));
    case KZ_KIF_NO_PIECE:
        return no_piece(kif, lines, *rest);
    case KZ_KIF_NO_ORIGIN:
        return kz_bad_line(lines, "expected the square that the piece comes from, like (23), or 打");
    default:
        return KZ_OK;
    }
}

/* Whether the piece that was named is the one that moves. */
static kz_status check_kind(const kz_kif *kif, const kz_lines *lines, const kz_position *position,
                            const kz_kif_move *move) {
    if (kif->kind_on(position, move->from.file, move->from.rank) != move->piece) {
        return kz_bad_line(lines, "the piece on %d%d is not a %s of the side to move", move->from.file, move->from.rank,
                           kif->kind_names[move->piece][0]);
    }
    return KZ_OK;
}

/* By way of the game's own notation, which knows what is legal. */
static kz_status take_kif_move(kz_record_reader *reader, const kz_kif_move *read) {
    const kz_record *record = reader->record;
    const kz_kif *kif = record->game->doors->kif;
    const kz_lines *lines = &reader->lines;
    if (read->drops && read->piece >= (int)strlen(kif->drops)) {
        return kz_bad_line(lines, "a %s is never dropped", kif->kind_names[read->piece][0]);
    }
    char usi[6] = {0};
    usi[0] = read->drops ? kif->drops[read->piece] : (char)('0' + read->from.file);
    usi[1] = read->drops ? '*' : (char)('a' + read->from.rank - 1);
    usi[2] = (char)('0' + read->to.file);
    usi[3] = (char)('a' + read->to.rank - 1);
    usi[4] = read->promotes ? '+' : '\0';
    kz_error error;
    kz_move move = 0;
    if (kz_move_parse(record->game, record->rules, &reader->position, usi, strlen(usi), &move, &error) != KZ_OK) {
        /* Its characters are not those of the line. */
        const char *why = strstr(error.message, "): ");
        return kz_bad_line(lines, "%s: %s", usi, why ? why + 3 : error.message);
    }
    KZ_TRY(read->drops ? KZ_OK : check_kind(kif, lines, &reader->position, read));
    return kz_record_take_move(reader, move);
}

/* What may stand in place of a move at the end; the side to move has then lost, or nobody has won. */
static bool read_ending(kz_record_reader *reader, kz_span rest) {
    kz_record *record = reader->record;
    bool lost = kz_span_begins(rest, "投了") || kz_span_begins(rest, "詰み") || kz_span_begins(rest, "切れ負け");
    bool drawn = kz_span_begins(rest, "千日手") || kz_span_begins(rest, "引き分け");
    if (lost) {
        bool second = kz_record_side(record->game, record->rules, &reader->position) == 1;
        record->result = second ? KZ_RESULT_FIRST : KZ_RESULT_SECOND;
    } else if (drawn) {
        record->result = KZ_RESULT_DRAW;
    } else if (!kz_span_begins(rest, "中断")) {
        return false;
    }
    reader->result_line = reader->lines.number;
    return true;
}

static bool contains(kz_span span, const char *word) {
    for (; span.length > 0; span = kz_span_from(span, 1)) {
        if (kz_span_begins(span, word)) {
            return true;
        }
    }
    return false;
}

/* "まで12手で先手の勝ち" */
static kz_status read_summary(kz_record_reader *reader, kz_span line) {
    kz_result result = KZ_RESULT_NONE;
    if (contains(line, "先手の勝ち")) {
        result = KZ_RESULT_FIRST;
    } else if (contains(line, "後手の勝ち")) {
        result = KZ_RESULT_SECOND;
    } else if (contains(line, "引き分け") || contains(line, "千日手")) {
        result = KZ_RESULT_DRAW;
    } else if (!contains(line, "中断")) {
        char quote[KZ_QUOTE_BYTES];
        return kz_bad_line(&reader->lines, "'%s' does not say who has won (先手の勝ち, 後手の勝ち, 引き分け, 中断)",
                           kz_quote(line, quote));
    }
    if (reader->result_line > 0 && reader->record->result != result) {
        return kz_bad_line(&reader->lines, "this is not the result that line %zu tells", reader->result_line);
    }
    reader->record->result = result;
    reader->result_line = reader->lines.number;
    return KZ_OK;
}

static kz_status read_rules(const kz_lines *lines, kz_span value, kz_record *record) {
    for (int rules = 0; kz_rules_name(record->game, rules); rules++) {
        if (kz_span_is(value, kz_rules_name(record->game, rules))) {
            record->rules = rules;
            return KZ_OK;
        }
    }
    char quote[KZ_QUOTE_BYTES];
    return kz_bad_line(lines, "%s has no rules '%s'", kz_game_name(record->game), kz_quote(value, quote));
}

/* The next game that has KIF, from number *number on; NULL: there are no more. */
static const kz_game *next_kif_game(size_t *number) {
    const kz_game *game = kz_game_at((*number)++);
    while (game && !game->doors->kif) {
        game = kz_game_at((*number)++);
    }
    return game;
}

/* 手合割 says which game it is. */
static kz_status read_game(kz_record_reader *reader, kz_span value) {
    kz_record *record = reader->record;
    size_t number = 0;
    for (const kz_game *game = next_kif_game(&number); game; game = next_kif_game(&number)) {
        for (int i = 0; game->doors->kif->titles[i]; i++) {
            if (!kz_span_begins(value, game->doors->kif->titles[i])) {
                continue;
            }
            if (game != record->game) {
                record->game = game;
                record->rules = 0;
                kz_start(game, 0, &record->start);
                reader->position = record->start;
            }
            return KZ_OK;
        }
    }
    char quote[KZ_QUOTE_BYTES];
    return kz_bad_line(&reader->lines, "the game is '%s', and not %s", kz_quote(value, quote),
                       record->game->doors->kif->titles[0]);
}

static kz_status read_heading(kz_record_reader *reader, kz_span name, kz_span value) {
    kz_record *record = reader->record;
    const kz_lines *lines = &reader->lines;
    if (kz_span_is(name, "手合割")) {
        return read_game(reader, value);
    }
    if (kz_span_is(name, "先手") || kz_span_is(name, "後手")) {
        return kz_record_read_name(lines, value, record->names[kz_span_is(name, "後手")]);
    }
    if (kz_span_is(name, "ルール")) {
        return read_rules(lines, value, record);
    }
    if (kz_span_is(name, "開始局面")) {
        kz_error error;
        if (kz_parse(record->game, record->rules, value.text, value.length, &record->start, &error) != KZ_OK) {
            return kz_bad_line(lines, "the position: %s", error.message);
        }
        reader->position = record->start;
    }
    return KZ_OK; /* dates, places and the like */
}

/* Splits at the wide colon; false if there is none. */
static bool split_heading(kz_span line, kz_span *name, kz_span *value) {
    for (size_t i = 0; i < line.length; i++) {
        if (kz_span_begins(kz_span_from(line, i), colon)) {
            *name = kz_span_trimmed((kz_span){line.text, i});
            *value = kz_span_trimmed(kz_span_from(line, i + strlen(colon)));
            return true;
        }
    }
    return false;
}

static kz_status read_numbered(kz_record_reader *reader, kz_span line, kz_kif_square *last) {
    const kz_lines *lines = &reader->lines;
    kz_span rest = line;
    uint64_t number = 0;
    if (!kz_span_digits(&rest, KZ_RECORD_MOST_MOVES, &number) || number != reader->record->count + 1) {
        return kz_bad_line(lines, "this is move %zu, and not %zu", reader->record->count + 1, (size_t)number);
    }
    kz_span_skip_spaces(&rest);
    if (reader->result_line > 0) {
        return kz_bad_line(lines, "the game ended on line %zu", reader->result_line);
    }
    if (read_ending(reader, rest)) {
        return KZ_OK;
    }
    kz_kif_move move;
    KZ_TRY(read_kif_move(reader->record->game->doors->kif, lines, &rest, *last, &move));
    /* What follows is the time that the move took. */
    kz_span_skip_spaces(&rest);
    if (rest.length > 0 && rest.text[0] != '(' && rest.text[0] != '+') {
        char quote[KZ_QUOTE_BYTES];
        return kz_bad_line(lines, "the move is complete before '%s'", kz_quote(rest, quote));
    }
    *last = move.to;
    return take_kif_move(reader, &move);
}

kz_status kz_record_read_kif(kz_record_reader *reader) {
    kz_kif_square last = {.file = 0};
    size_t number = 0;
    const kz_game *game = next_kif_game(&number); /* unless 手合割 says otherwise */
    if (!game) {
        return kz_bad_line(&reader->lines, "no game has records like this one (KIF)");
    }
    kz_record_begin(reader->record, game, 0, NULL);
    reader->position = reader->record->start;
    kz_status status = KZ_OK;
    while (status == KZ_OK && kz_next_line(&reader->lines)) {
        kz_span line = kz_span_trimmed(reader->lines.line);
        kz_span name;
        kz_span value;
        bool comment = line.length > 0 && memchr("#*&", line.text[0], 3);
        if (line.length == 0 || comment || kz_span_begins(line, "手数")) {
            continue;
        }
        if (line.text[0] >= '0' && line.text[0] <= '9') {
            status = read_numbered(reader, line, &last);
        } else if (kz_span_begins(line, "まで")) {
            status = read_summary(reader, line);
        } else if (kz_span_begins(line, "変化")) {
            break; /* what else might have been played is not part of the game */
        } else if (!split_heading(line, &name, &value)) {
            status = kz_bad_line(&reader->lines, "neither a heading, nor a move, nor a comment");
        } else if (reader->record->count > 0) {
            status = kz_bad_line(&reader->lines, "lines with '%s' come before the moves", colon);
        } else {
            status = read_heading(reader, name, value);
        }
    }
    return status;
}

/* ---- Writing --------------------------------------------------------------------------------------------------- */

/* From the game's own notation: "2c2b", "2b2a+", "C*2b". */
static void write_move(const kz_kif *kif, kz_growing_text *text, size_t number, const kz_position *position,
                       const char *usi, const char *last_square) {
    bool drops = usi[1] == '*';
    int kind =
        drops ? (int)(strchr(kif->drops, usi[0]) - kif->drops) : kif->kind_on(position, usi[0] - '0', usi[1] - 'a' + 1);
    kz_grow_text(text, "%4zu ", number);
    if (last_square[0] && memcmp(last_square, usi + 2, 2) == 0) {
        kz_grow_text(text, "%s%s", KZ_KIF_SAME, wide_space);
    } else {
        kz_grow_text(text, "%s%s", kz_kif_digits[usi[2] - '0'], kz_kif_numerals[usi[3] - 'a' + 1]);
    }
    kz_grow_text(text, "%s", kif->kind_names[kind][0]);
    if (drops) {
        kz_grow_text(text, "打\n");
    } else {
        kz_grow_text(text, "%s(%c%c)\n", usi[4] == '+' ? "成" : "", usi[0], '1' + (usi[1] - 'a'));
    }
}

static void write_result(const kz_record *record, const kz_position *last, kz_growing_text *text) {
    static const char *const summaries[] = {"中断", "先手の勝ち", "後手の勝ち", "引き分け"};
    bool over = kz_record_result(record->game, record->rules, last) != KZ_RESULT_NONE;
    bool second = kz_record_side(record->game, record->rules, last) == 1;
    if (!over && record->result == (second ? KZ_RESULT_FIRST : KZ_RESULT_SECOND)) {
        kz_grow_text(text, "%4zu 投了\n", record->count + 1);
    }
    kz_grow_text(text, "まで%zu手で%s\n", record->count, summaries[record->result]);
}

kz_status kz_record_write_kif(const kz_record *record, kz_growing_text *text, kz_error *error) {
    const kz_game *game = record->game;
    const kz_kif *kif = game->doors->kif;
    if (!kif) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "there is no KIF of %s", kz_game_name(game));
    }
    char written[KZ_TEXT_BYTES];
    kz_position position;
    kz_start(game, record->rules, &position);
    kz_grow_text(text, "手合割%s%s\nルール%s%s\n", colon, kif->titles[0], colon, kz_rules_name(game, record->rules));
    kz_status status = kz_format(game, &record->start, 0, written, sizeof written, error);
    if (status == KZ_OK && !kz_same(game, &position, &record->start)) {
        kz_grow_text(text, "開始局面%s%s\n", colon, written);
    }
    kz_grow_text(text, "先手%s%s\n後手%s%s\n手数----指手---------\n", colon, record->names[0], colon, record->names[1]);
    char last_square[2] = "";
    position = record->start;
    for (size_t i = 0; i < record->count && status == KZ_OK; i++) {
        status = kz_move_format(game, &position, record->moves[i], written, sizeof written, error);
        if (status == KZ_OK) {
            write_move(kif, text, i + 1, &position, written, last_square);
            memcpy(last_square, written + 2, 2);
            kz_play(game, record->rules, &position, record->moves[i]);
        }
    }
    write_result(record, &position, text);
    return status;
}
