/* SPDX-License-Identifier: MIT
 *
 * kanzen play: a game in the terminal. */
#include "play_session.h"
#include "positions.h"
#include "values.h"

#include <errno.h>
#include <kanzen/paths.h>
#include <kanzen/system.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct play_wishes {
    cli_asked asked;
    const char *level;
    const char *side;
    const char *load;
    const char *save;
    bool aggressive;
    bool force;
    uint64_t seed;
} play_wishes;

/* ---- The game ---------------------------------------------------------------------------------------------------- */

static void announce(const cli_session *session, cli_ending ending) {
    const char *reason = ending.why ? ending.why : "";
    const char *space = ending.why ? " " : "";
    const char *strong = colour_code(&session->terminal, COLOUR_STRONG);
    const char *none = colour_code(&session->terminal, COLOUR_NONE);
    if (ending.result == KZ_RESULT_DRAW) {
        printf("%sa draw%s%s%s\n", strong, space, reason, none);
        return;
    }
    printf("%s%s wins%s%s%s (after %zu %s)\n", strong,
           session_side_name(session, ending.result == KZ_RESULT_FIRST ? 0 : 1), space, reason, none, session->at,
           session->at == 1 ? "ply" : "plies");
}

/* The computer plays until the user is asked, or the game has ended. */
static kz_status let_computer_play(cli_session *session, kz_error *error) {
    while (!session->human[session_side(session)] && !session->waits) {
        if (session_ending(session).result != KZ_RESULT_NONE) {
            return KZ_OK;
        }
        KZ_TRY(session_computer(session, error));
        KZ_TRY(session_save(session, error));
        KZ_TRY(session_show(session, error));
    }
    return KZ_OK;
}

static int play(cli_session *session) {
    kz_error error;
    size_t announced = SIZE_MAX;
    kz_status status = session_show(session, &error);
    if (status == KZ_OK && session->terminal.asks) {
        printf("'help' has a list of what you can say.\n");
    }
    while (status == KZ_OK && !session->ended) {
        char line[LINE_BYTES];
        char prompt[64];
        bool cut;
        status = let_computer_play(session, &error);
        if (status != KZ_OK) {
            break;
        }
        cli_ending ending = session_ending(session);
        if (ending.result == KZ_RESULT_NONE) {
            announced = SIZE_MAX;
        } else if (announced != session->at) {
            announce(session, ending);
            announced = session->at;
        }
        snprintf(prompt, sizeof prompt, "%zu %.20s> ", session->at + 1,
                 session_side_name(session, session_side(session)));
        errno = 0;
        if (!terminal_read(&session->terminal, prompt, line, &cut)) {
            break;
        }
        if (cut) {
            printf("this line is too long\n");
        } else if (line[0] != '\0') {
            session_obey(session, line);
            status = session->at > 0 ? session_save(session, &error) : KZ_OK;
        }
    }
    CLI_TRY(exit_code(session->command, status, &error));
    if (ferror(stdin)) {
        return report_message(session->command, STATUS_IO, "can't read standard input: %s", strerror(errno));
    }
    return STATUS_FINE;
}

/* ---- Before and after -------------------------------------------------------------------------------------------- */

static int read_side(const cli_command *command, const char *side, bool human[2]) {
    bool both = strcmp(side, "both") == 0;
    human[0] = both || strcmp(side, "first") == 0;
    human[1] = both || strcmp(side, "second") == 0;
    return human[0] || human[1] || strcmp(side, "none") == 0
               ? STATUS_FINE
               : report_usage(command, "--side takes first, second, both or none, not '%s'", side);
}

static int read_level(const cli_command *command, const char *name, int *level) {
    *level = kz_level_find(name);
    if (*level >= 0) {
        return STATUS_FINE;
    }
    char list[LIST_BYTES] = "";
    size_t length = 0;
    for (int i = 0; kz_level_name(i) && length < sizeof list; i++) {
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", i > 0 ? ", " : "", kz_level_name(i));
    }
    return report_usage(command, "there is no level '%s'; there are: %s", name, list);
}

/* Where the game will be saved is tried out before it is played. */
static int check_target(const cli_command *command, const kz_game *game, const play_wishes *wishes) {
    kz_error error;
    if (!wishes->save) {
        return STATUS_FINE;
    }
    CLI_TRY(refuse_stream(command, "--save", wishes->save, "a record that is saved after each move"));
    if (kz_record_form_for(wishes->save) == KZ_RECORD_KIF && !kz_record_form_fits(game, KZ_RECORD_KIF)) {
        return report_usage(command, "there is no KIF of %s; choose a name that does not end in .kif",
                            kz_game_name(game));
    }
    CLI_TRY(check_replacing(command, wishes->save, wishes->force));
    return exit_code(command, kz_prepare_output(wishes->save, wishes->force, &error), &error);
}

/* The record to go on with, if there is one. It says which rules are meant, unless the user does. */
static int load(const cli_command *command, const kz_game *game, play_wishes *wishes, kz_record *record) {
    kz_error error;
    if (!wishes->load) {
        return STATUS_FINE;
    }
    CLI_TRY(exit_code(command, load_record(wishes->load, game, record, &error), &error));
    if (record->game != game) {
        return report_usage(command, "%s is a game of %s, not of %s", wishes->load, kz_game_name(record->game),
                            kz_game_name(game));
    }
    const char *rules = kz_rules_name(game, record->rules);
    const char *asked = wishes->asked.rules ? wishes->asked.rules : wishes->asked.board;
    if (asked && record_rules(record) && strcmp(asked, rules) != 0) {
        return report_usage(command, "%s is a game by %s rules, not by %s rules", wishes->load, rules, asked);
    }
    wishes->asked.rules = record_rules(record);
    return STATUS_FINE;
}

/* A game that begins at the position of the second operand. */
static int begin_at(const cli_arguments *arguments, const kz_values *values, kz_record *record) {
    kz_position position;
    int code = position_operand(arguments, 1, values->game, values->rules, &position);
    if (code == STATUS_FINE) {
        kz_record_begin(record, values->game, values->rules, &position);
    }
    return code;
}

static int run_session(const cli_command *command, const kz_values *values, const play_wishes *wishes,
                       const bool human[2], kz_player player, kz_record *loaded) {
    cli_session session;
    kz_error error;
    CLI_TRY(exit_code(command, session_open(&session, command, values, &error), &error));
    memcpy(session.human, human, sizeof session.human);
    session.player = player;
    session.turned = !human[0] && human[1];
    if (loaded->game) {
        session_take(&session, loaded);
        *loaded = (kz_record){.game = NULL};
    }
    session.save_path = wishes->save;
    session.save_replaces = wishes->force;
    terminal_open(&session.terminal, session_words());
    int code = play(&session);
    terminal_close(&session.terminal);
    if (wishes->save && code == STATUS_FINE) {
        code = exit_code(command, session_save(&session, &error), &error);
        if (code == STATUS_FINE) {
            printf("saved as %s\n", wishes->save);
        }
    }
    session_close(&session);
    return code;
}

static int play_with_values(const cli_arguments *arguments, const kz_game *game, const play_wishes *wishes,
                            const bool human[2], kz_player player, kz_record *loaded) {
    cli_values values;
    CLI_TRY(values_open(arguments->command, game, &wishes->asked, &values));
    int code = arguments->count > 1 ? begin_at(arguments, &values.source, loaded) : STATUS_FINE;
    if (code == STATUS_FINE) {
        code = run_session(arguments->command, &values.source, wishes, human, player, loaded);
    }
    values_close(&values);
    return code;
}

/* Another one every time. */
static uint64_t any_seed(void) { return (uint64_t)time(NULL) << 16 ^ (uint64_t)getpid(); }

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    play_wishes wishes = {.level = "medium", .side = "first", .seed = any_seed()};
    const cli_option options[] = {
        OPTION_TEXT("level", &wishes.level, "NAME",
                    "how strong the computer is: beginner, easy, medium (the default), hard, expert or perfect",
                    .words = LEVEL_WORDS),
        OPTION_TEXT("side", &wishes.side, "SIDE", "what you play: first (the default), second, both or none",
                    .words = "first second both none"),
        OPTION_FLAG("aggressive", &wishes.aggressive,
                    "of equal moves the computer takes the one that leaves you the fewest good replies"),
        OPTION_NUMBER("seed", &wishes.seed, 0, UINT64_MAX, "the same number and the same moves: the same game"),
        OPTION_TEXT("load", &wishes.load, "FILE", "go on with a saved game"),
        OPTION_TEXT("save", &wishes.save, "FILE",
                    "save the game after each move: as KIF if the name ends in .kif, else as a list of moves"),
        OPTION_FLAG("force", &wishes.force, "replace that file if it is there already"),
        OPTIONS_VALUES(&wishes.asked),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, 2));
    if (arguments->count > 1 && wishes.load) {
        return report_usage(command, "a position and --load exclude each other: both say how the game begins");
    }
    const kz_game *game;
    bool human[2];
    kz_player player = {.aggressive = wishes.aggressive, .seed = wishes.seed};
    kz_record loaded = {.game = NULL};
    CLI_TRY(choose_game(command, arguments->items[0], &game));
    CLI_TRY(read_side(command, wishes.side, human));
    CLI_TRY(read_level(command, wishes.level, &player.level));
    CLI_TRY(check_target(command, game, &wishes));
    int code = load(command, game, &wishes, &loaded);
    if (code == STATUS_FINE) {
        code = play_with_values(arguments, game, &wishes, human, player, &loaded);
    }
    kz_record_free(&loaded);
    return code;
}

const cli_command command_play = {
    .name = "play",
    .summary = "Play a game in the terminal",
    .operands = "GAME [POSITION]",
    .help = "You type moves, the computer answers. Other words are commands: hint, value,\n"
            "moves, undo, redo, new, set, flip, level, side, save, load, and more; 'help' has\n"
            "the list. The end of the input ends the game. Without a position the game begins at\n"
            "its start.\n"
            "\n"
            "A position that comes up for the third time is a draw here. If there is no table,\n"
            "values come from the game's search, if it has one, and the computer takes some\n"
            "seconds.\n",
    .examples = "kanzen play dobutsu --level hard\n"
                "kanzen play dobutsu --side none --level perfect --save game.kif\n"
                "kanzen play pushfight --board mini --side second\n"
                "kanzen play dobutsu \"gle/1C1/3/ELG w C 2\" --side second\n",
    .run = run,
};
