/* SPDX-License-Identifier: MIT
 *
 * What the user can say in a game. */
#include "game_commands.h"
#include "play_session.h"
#include "positions.h"

#include <inttypes.h>
#include <kanzen/paths.h>
#include <string.h>

enum { SHORT_LIST = 20 };

/* A command of the user. It fails with a message for the user; the game goes on. */
typedef kz_status order(cli_session *session, const char *rest, kz_error *error);

typedef struct session_phrase {
    const char *name;
    const char *other; /* a shorter name, or NULL */
    const char *usage; /* what follows the name */
    const char *what;
    order *obey;
    bool shows;         /* the board has changed, if all went well */
    const char *values; /* for the Tab key, as cli_word has them */
} session_phrase;

static void list_phrases(void);

static kz_status tell(kz_error *error, const char *message) { return kz_fail(error, KZ_ERR_INPUT, "%s", message); }

static const char *side_to_move_name(const cli_session *session) {
    return session_side_name(session, session_side(session));
}

/* Reads a number that the user typed; `missing` if there is none. */
static bool read_count(const char *text, uint64_t most, uint64_t missing, uint64_t *count) {
    *count = missing;
    return text[0] == '\0' || parse_number(text, 1, most, count);
}

/* ---- Asking ------------------------------------------------------------------------------------------------------ */

static kz_status obey_hint(cli_session *session, const char *rest, kz_error *error) {
    (void)rest;
    const kz_values *values = session->values;
    kz_value value;
    kz_move best;
    char move[KZ_TEXT_BYTES];
    char words[WORDS_BYTES];
    KZ_TRY(kz_values_best(values, &session->position, &value, &best, error));
    if (best == 0) {
        return tell(error, "no best move is known here");
    }
    KZ_TRY(kz_move_format(values->game, &session->position, best, move, sizeof move, error));
    printf("best is %s: %s\n", move, describe_value(values->game, side_to_move_name(session), value, words));
    return KZ_OK;
}

static kz_status obey_value(cli_session *session, const char *rest, kz_error *error) {
    (void)rest;
    kz_value value;
    char words[WORDS_BYTES];
    KZ_TRY(kz_values_value(session->values, &session->position, &value, error));
    printf("%s%s%s\n", colour_code(&session->terminal, value_colour(value)),
           describe_value(session->values->game, side_to_move_name(session), value, words),
           colour_code(&session->terminal, COLOUR_NONE));
    return KZ_OK;
}

static kz_status obey_moves(cli_session *session, const char *rest, kz_error *error) {
    const kz_game *game = session->values->game;
    uint64_t most;
    if (strcmp(rest, "all") == 0) {
        most = KZ_MAX_MOVES;
    } else if (!read_count(rest, KZ_MAX_MOVES, SHORT_LIST, &most)) {
        return tell(error, "moves takes a number, or 'all'");
    }
    KZ_TRY(session_list(session, error));
    if (session->listed == 0) {
        return tell(error, "the game is over: there are no moves");
    }
    int shown = session->listed < (int)most ? session->listed : (int)most;
    for (int i = 0; i < shown; i++) {
        char move[KZ_TEXT_BYTES];
        char value[VALUE_BYTES];
        KZ_TRY(kz_move_format(game, &session->position, session->list[i].move, move, sizeof move, error));
        printf("%4d  %-20s %s%s%s\n", i + 1, move,
               colour_code(&session->terminal, value_colour(session->list[i].value)),
               format_value(game, session->list[i].value, value), colour_code(&session->terminal, COLOUR_NONE));
    }
    if (shown < session->listed) {
        printf("      and %d more: 'moves all' has them\n", session->listed - shown);
    }
    return KZ_OK;
}

static kz_status obey_history(cli_session *session, const char *rest, kz_error *error) {
    (void)rest;
    const kz_values *values = session->values;
    kz_position position = session->record.start;
    for (size_t i = 0; i < session->record.count; i++) {
        char move[KZ_TEXT_BYTES];
        KZ_TRY(kz_move_format(values->game, &position, session->record.moves[i], move, sizeof move, error));
        printf("%4zu  %s\t%s%s\n", i + 1, kz_side_to_move(values->game, &position), move,
               i >= session->at ? "\t(taken back)" : "");
        kz_play(values->game, values->rules, &position, session->record.moves[i]);
    }
    return KZ_OK;
}

static kz_status obey_board(cli_session *session, const char *rest, kz_error *error) {
    (void)rest;
    char text[KZ_TEXT_BYTES];
    KZ_TRY(kz_format(session->values->game, &session->position, 0, text, sizeof text, error));
    printf("%s\n", text);
    return KZ_OK;
}

static kz_status obey_help(cli_session *session, const char *rest, kz_error *error) {
    (void)rest;
    (void)error;
    const char *example = commands_of_game(session->values->game)->move_example;
    printf("A move%s%s, or its number in the last list of 'moves'; or:\n", example ? ", like " : "",
           example ? example : "");
    list_phrases();
    return KZ_OK;
}

/* ---- Changing the game ------------------------------------------------------------------------------------------- */

/* Goes to move `at`, and, if the user has not said how far, on in the same direction to where a person has the choice.
 */
static kz_status go_to(cli_session *session, size_t at, bool to_human) {
    bool back = at < session->at;
    size_t last = back ? 0 : session->record.count;
    session_go_to(session, at);
    while (to_human && (session->human[0] || session->human[1]) && session->at != last &&
           !session->human[session_side(session)]) {
        session_go_to(session, back ? session->at - 1 : session->at + 1);
    }
    session->waits = true;
    return KZ_OK;
}

static kz_status obey_undo(cli_session *session, const char *rest, kz_error *error) {
    uint64_t count;
    if (!read_count(rest, KZ_RECORD_MOST_MOVES, 0, &count)) {
        return tell(error, "undo takes the number of moves to take back");
    }
    if (session->at == 0) {
        return tell(error, "there is no move to take back");
    }
    size_t back = count > 0 ? (size_t)count : 1;
    return go_to(session, back < session->at ? session->at - back : 0, count == 0);
}

static kz_status obey_redo(cli_session *session, const char *rest, kz_error *error) {
    uint64_t count;
    if (!read_count(rest, KZ_RECORD_MOST_MOVES, 0, &count)) {
        return tell(error, "redo takes the number of moves to play again");
    }
    size_t left = session->record.count - session->at;
    if (left == 0) {
        return tell(error, "there is no move that was taken back");
    }
    size_t forward = count > 0 ? (size_t)count : 1;
    return go_to(session, session->at + (forward < left ? forward : left), count == 0);
}

static kz_status obey_new(cli_session *session, const char *rest, kz_error *error) {
    (void)rest;
    (void)error;
    session_start(session, NULL);
    return KZ_OK;
}

static kz_status obey_set(cli_session *session, const char *rest, kz_error *error) {
    kz_position position;
    KZ_TRY(kz_parse(session->values->game, session->values->rules, rest, strlen(rest), &position, error));
    session_start(session, &position);
    return KZ_OK;
}

static kz_status obey_go(cli_session *session, const char *rest, kz_error *error) {
    (void)rest;
    if (session_ending(session).result != KZ_RESULT_NONE) {
        return tell(error, "the game is over");
    }
    return session_computer(session, error);
}

static kz_status obey_resign(cli_session *session, const char *rest, kz_error *error) {
    (void)rest;
    if (session_ending(session).result != KZ_RESULT_NONE) {
        return tell(error, "the game is over");
    }
    session->resigned = session_side(session) == 0 ? KZ_RESULT_SECOND : KZ_RESULT_FIRST;
    return KZ_OK;
}

static kz_status obey_flip(cli_session *session, const char *rest, kz_error *error) {
    (void)rest;
    (void)error;
    session->turned = !session->turned;
    return KZ_OK;
}

/* ---- Players ----------------------------------------------------------------------------------------------------- */

static kz_status obey_level(cli_session *session, const char *rest, kz_error *error) {
    if (rest[0] != '\0') {
        int level = kz_level_find(rest);
        if (level < 0) {
            return tell(error, "the levels are beginner, easy, medium, hard, expert and perfect");
        }
        session->player.level = level;
    }
    printf("level %s\n", kz_level_name(session->player.level));
    return KZ_OK;
}

static kz_status obey_aggressive(cli_session *session, const char *rest, kz_error *error) {
    bool on = strcmp(rest, "on") == 0;
    if (rest[0] != '\0' && !on && strcmp(rest, "off") != 0) {
        return tell(error, "aggressive takes 'on' or 'off'");
    }
    session->player.aggressive = rest[0] != '\0' ? on : !session->player.aggressive;
    printf("aggressive %s\n", session->player.aggressive ? "on" : "off");
    return KZ_OK;
}

static kz_status obey_side(cli_session *session, const char *rest, kz_error *error) {
    bool both = strcmp(rest, "both") == 0;
    bool none = strcmp(rest, "none") == 0;
    bool first = strcmp(rest, "first") == 0 || strcmp(rest, session_side_name(session, 0)) == 0;
    bool second = strcmp(rest, "second") == 0 || strcmp(rest, session_side_name(session, 1)) == 0;
    if (!both && !none && !first && !second) {
        return tell(error, "side takes 'first', 'second', 'both' or 'none': those that you play");
    }
    session->human[0] = both || first;
    session->human[1] = both || second;
    session->waits = false;
    return KZ_OK;
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static kz_status save(const cli_session *session, const char *path, bool replace, kz_error *error) {
    if (path[0] == '\0' || strcmp(path, "-") == 0) {
        return tell(error, "save takes the name of a file: NAME.kif for KIF, any other for a list of moves");
    }
    kz_record record = session_record(session);
    KZ_TRY(save_record(path, &record, replace, error));
    printf("saved as %s\n", path);
    return KZ_OK;
}

static kz_status obey_save(cli_session *session, const char *rest, kz_error *error) {
    return save(session, rest, false, error);
}

static kz_status obey_replace(cli_session *session, const char *rest, kz_error *error) {
    return save(session, rest, true, error);
}

static kz_status obey_load(cli_session *session, const char *rest, kz_error *error) {
    kz_record record;
    if (rest[0] == '\0' || strcmp(rest, "-") == 0) {
        return tell(error, "load takes the name of a file");
    }
    KZ_TRY(load_record(rest, session->values->game, &record, error));
    const kz_values *values = session->values;
    if (record.game != values->game || record.rules != values->rules) {
        kz_fail(error, KZ_ERR_INPUT, "this is a game of %s by %s rules, not of %s by %s rules",
                kz_game_name(record.game), kz_rules_name(record.game, record.rules), kz_game_name(values->game),
                kz_rules_name(values->game, values->rules));
        kz_record_free(&record);
        return KZ_ERR_INPUT;
    }
    session_take(session, &record);
    session->waits = true;
    return KZ_OK;
}

static kz_status obey_quit(cli_session *session, const char *rest, kz_error *error) {
    (void)rest;
    (void)error;
    session->ended = true;
    return KZ_OK;
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

static const session_phrase phrases[] = {
    {"hint", "h", "", "the best move", obey_hint, false, NULL},
    {"value", "v", "", "what the position is worth", obey_value, false, NULL},
    {"moves", "m", "[N|all]", "the moves with their values, best first", obey_moves, false, "all"},
    {"undo", "u", "[N]", "take back your last move, or N moves", obey_undo, true, NULL},
    {"redo", "r", "[N]", "play again what was taken back", obey_redo, true, NULL},
    {"go", NULL, "", "let the computer move", obey_go, true, NULL},
    {"new", NULL, "", "begin a new game", obey_new, true, NULL},
    {"set", NULL, "POSITION", "begin at a position, in any notation", obey_set, true, "startpos"},
    {"flip", NULL, "", "turn the board around", obey_flip, true, NULL},
    {"board", "b", "", "show the board and its notation", obey_board, true, NULL},
    {"history", NULL, "", "the moves so far", obey_history, false, NULL},
    {"level", NULL, "[NAME]", "beginner, easy, medium, hard, expert or perfect", obey_level, false, LEVEL_WORDS},
    {"aggressive", NULL, "[on|off]", "whether the computer leaves few good replies", obey_aggressive, false, "on off"},
    {"side", NULL, "SIDE", "which side you play: first, second, both or none", obey_side, false,
     "first second both none"},
    {"resign", NULL, "", "give up", obey_resign, false, NULL},
    {"save", NULL, "FILE", "save the game; FILE.kif is KIF, others are lists", obey_save, false, WORD_FILE},
    {"save!", NULL, "FILE", "the same, also if the file is there already", obey_replace, false, WORD_FILE},
    {"load", NULL, "FILE", "go on with a saved game", obey_load, true, WORD_FILE},
    {"help", "?", "", "this list", obey_help, false, NULL},
    {"quit", "q", "", "end; so does the end of the input", obey_quit, false, NULL},
    {NULL, NULL, NULL, NULL, NULL, false, NULL},
};

const cli_word *session_words(void) {
    static cli_word words[sizeof phrases / sizeof *phrases];
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        words[i] = (cli_word){phrases[i].name, phrases[i].values};
    }
    return words;
}

static void list_phrases(void) {
    for (const session_phrase *phrase = phrases; phrase->name; phrase++) {
        char call[40];
        snprintf(call, sizeof call, "%s%s%s %s", phrase->name, phrase->other ? ", " : "",
                 phrase->other ? phrase->other : "", phrase->usage);
        printf("  %-28s %s\n", call, phrase->what);
    }
}

static const session_phrase *find_phrase(const char *word) {
    for (const session_phrase *phrase = phrases; phrase->name; phrase++) {
        if (strcmp(word, phrase->name) == 0 || (phrase->other && strcmp(word, phrase->other) == 0)) {
            return phrase;
        }
    }
    return strcmp(word, "exit") == 0 ? find_phrase("quit") : NULL;
}

/* The move that a line stands for: in the game's notation, or the number of one that was listed. */
static kz_status read_move(cli_session *session, const char *line, kz_move *move, kz_error *error) {
    const kz_values *values = session->values;
    uint64_t number;
    if (session_ending(session).result != KZ_RESULT_NONE) {
        return tell(error, "the game is over; 'new' begins another one, 'undo' takes back");
    }
    if (session->list_valid && parse_number(line, 1, (uint64_t)session->listed, &number)) {
        *move = session->list[number - 1].move;
        return KZ_OK;
    }
    kz_error why;
    kz_status status = kz_move_parse(values->game, values->rules, &session->position, line, strlen(line), move, &why);
    return status == KZ_OK
               ? KZ_OK
               : kz_fail(error, status,
                         "'%.40s' is neither a move that can be played nor a command ('help' has a list): %.200s", line,
                         why.message);
}

void session_obey(cli_session *session, char *line) {
    char whole[LINE_BYTES];
    kz_error error;
    snprintf(whole, sizeof whole, "%s", line);
    const char *rest = split_word(line);
    const session_phrase *phrase = find_phrase(line);
    kz_status status;
    bool shows;
    if (phrase) {
        status = phrase->usage[0] == '\0' && rest[0] != '\0' ? tell(&error, "this command stands alone")
                                                             : phrase->obey(session, rest, &error);
        shows = phrase->shows;
    } else {
        kz_move move = 0;
        status = read_move(session, whole, &move, &error);
        if (status == KZ_OK) {
            status = session_play(session, move, &error);
        }
        shows = true;
    }
    if (status == KZ_OK && shows) {
        status = session_show(session, &error);
    }
    if (status != KZ_OK) {
        char safe[ESCAPED_BYTES(KZ_ERROR_MESSAGE_BYTES)];
        printf("%s%s%s\n", colour_code(&session->terminal, COLOUR_BAD),
               escape_controls(error.message, safe, sizeof safe), colour_code(&session->terminal, COLOUR_NONE));
    }
}
