/* SPDX-License-Identifier: MIT */
#include "play_parts.h"

#include "base/list.h"
#include "base/text.h"

#include <errno.h>
#include <kanzen/load.h>
#include <kanzen/paths.h>
#include <stdlib.h>
#include <string.h>

const char *describe_distance(const kz_game *game, int distance, char words[WORDS_BYTES]) {
    bool plies = strcmp(kz_distance_unit(game), "plies") == 0;
    const char *unit = distance != 1 ? kz_distance_unit(game) : plies ? "ply" : "turn";
    snprintf(words, WORDS_BYTES, "%d %s", distance, unit);
    return words;
}

const char *describe_value(const kz_game *game, const char *side, kz_value value, char words[WORDS_BYTES]) {
    if (value.outcome == KZ_DRAW || value.outcome == KZ_UNKNOWN) {
        snprintf(words, WORDS_BYTES, "%s", value.outcome == KZ_DRAW ? "a draw" : "not known");
        return words;
    }
    bool won = value.outcome == KZ_WIN;
    if (value.distance == 0) {
        snprintf(words, WORDS_BYTES, "%s has %s", side, won ? "won" : "lost");
        return words;
    }
    char distance[WORDS_BYTES];
    snprintf(words, WORDS_BYTES, "%s %s in %.40s", side, won ? "wins" : "loses",
             describe_distance(game, kz_distance_shown(game, value), distance));
    return words;
}

cli_colour value_colour(kz_value value) {
    return value.outcome == KZ_WIN ? COLOUR_GOOD : value.outcome == KZ_LOSS ? COLOUR_BAD : COLOUR_DIM;
}

kz_value value_after(kz_value value) {
    switch (value.outcome) {
    case KZ_WIN:
        return (kz_value){KZ_LOSS, value.distance - 1};
    case KZ_LOSS:
        return (kz_value){KZ_WIN, value.distance - 1};
    default:
        return value;
    }
}

/* The library names only the side to move, so somebody moves first. */
const char *other_side(const kz_game *game, int rules, const kz_position *position) {
    kz_position start;
    kz_start(game, rules, &start);
    if (kz_record_side(game, rules, position) == 1) {
        return kz_side_to_move(game, &start);
    }
    kz_list memory;
    kz_move *moves = kz_list_open(&memory, kz_max_moves(game, rules), sizeof *moves);
    bool moved = moves && kz_moves(game, rules, &start, moves) > 0;
    if (moved) {
        kz_play(game, rules, &start, moves[0]);
    }
    kz_list_close(&memory);
    return moved ? kz_side_to_move(game, &start) : "the other side";
}

static kz_status fail(kz_error *error, kz_status status, const char *what, const char *why) {
    return kz_fail(error, status, "%.200s: %.100s", what, why);
}

/* Longer than any record that has a sense, and short enough to be kept in memory. */
enum { MOST_BYTES = 16 << 20, PIECE_BYTES = 1 << 16 };

static char *read_stream(FILE *stream, const char *name, size_t *length, kz_error *error) {
    char *text = NULL;
    size_t room = 0;
    *length = 0;
    for (;;) {
        if (room - *length < PIECE_BYTES) {
            room = 2 * room + PIECE_BYTES;
            char *larger = realloc(text, room);
            if (!larger) {
                fail(error, KZ_ERR_MEMORY, name, "out of memory");
                break;
            }
            text = larger;
        }
        errno = 0;
        size_t read = fread(text + *length, 1, PIECE_BYTES, stream);
        *length += read;
        if (ferror(stream)) {
            fail(error, KZ_ERR_IO, name, strerror(errno));
            break;
        }
        /* On a terminal another read would wait for another end of the input. */
        if (feof(stream)) {
            return text;
        }
        if (*length > MOST_BYTES) {
            fail(error, KZ_ERR_INPUT, name, "this is too long for the record of a game");
            break;
        }
    }
    free(text);
    return NULL;
}

/* The game that a record names, if it is a name and no file: a record comes from anywhere, and a file of a game is a
 * program. */
static kz_status open_game_of(const char *text, size_t length, const kz_game **game, kz_error *error) {
    char name[KZ_RECORD_NAME_BYTES];
    *game = NULL;
    if (!kz_record_game_name(text, length, name) || !kz_is_made_for_names(name)) {
        return KZ_OK; /* the reader says what is wrong */
    }
    kz_status status = kz_game_named(name, game, error);
    if (status == KZ_OK) {
        keep_loaded(*game, kz_game_name(*game));
    } else if (!getenv("KANZEN_GAMES") && !names_text(name)) {
        status = kz_fail(error, status, "there is no game '%s'; --game names its file: ./NAME.so, or NAME.ini", name);
    }
    return status;
}

kz_status load_record(const char *path, const kz_game *game, kz_record *record, kz_error *error) {
    bool standard = strcmp(path, "-") == 0;
    const char *name = standard ? "standard input" : path;
    FILE *stream = standard ? stdin : fopen(path, "rb");
    if (!stream) {
        return fail(error, KZ_ERR_IO, name, strerror(errno));
    }
    size_t length;
    char *text = read_stream(stream, name, &length, error);
    if (!standard) {
        (void)fclose(stream);
    }
    if (!text) {
        return error->status;
    }
    kz_error why;
    kz_status status = !game ? open_game_of(text, length, &game, &why) : KZ_OK;
    if (status == KZ_OK) {
        status = kz_record_parse_as(text, length, game, record, &why);
    }
    free(text);
    return status == KZ_OK ? KZ_OK : kz_fail(error, status, "%.100s: %.200s", name, why.message);
}

const char *record_rules(const kz_record *record) {
    bool all = record->rules == 0 && kz_game_has_parts(record->game);
    return all ? NULL : kz_rules_name(record->game, record->rules);
}

kz_status save_record(const char *path, const kz_record *record, bool replace, kz_error *error) {
    char *text;
    size_t length;
    KZ_TRY(kz_record_format(record, kz_record_form_for(path), &text, &length, error));
    kz_status status = kz_write_file(path, text, length, replace, error);
    free(text);
    return status;
}
