/* SPDX-License-Identifier: MIT
 *
 * kanzen line: how the game goes on when both sides play as well as they can. */
#include "positions.h"
#include "values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* More than the longest win of any game that tables can hold; a draw repeats itself earlier. */
enum { DEFAULT_PLIES = 1000, MOST_PLIES = 100000 };

/* ENDING_UNKNOWN: without a table, what is best is not known any more. */
enum ending { ENDING_OVER, ENDING_REPETITION, ENDING_LIMIT, ENDING_UNKNOWN };

typedef struct line_ply {
    kz_position before;
    kz_value value; /* of `before` */
    kz_move move;
} line_ply;

typedef struct best_line {
    line_ply *plies;
    uint64_t count;
    kz_position last; /* after the last ply */
    kz_value last_value;
    int last_depth; /* how deep a search has looked for it */
    enum ending ending;
    uint64_t repeated; /* how many plies had been played when `last` was there first */
} best_line;

/* A decided game comes nearer to its end with every ply, so only draws can repeat. */
static bool find_repetition(const kz_game *game, best_line *line) {
    for (uint64_t i = 0; i < line->count; i++) {
        if (kz_same(game, &line->plies[i].before, &line->last)) {
            line->repeated = i;
            return true;
        }
    }
    return false;
}

static kz_status play_out(const kz_values *values, uint64_t most, best_line *line, kz_error *error) {
    const kz_game *game = values->game;
    for (;;) {
        kz_move move;
        kz_status status = kz_values_search(values, &line->last, &line->last_value, &move, &line->last_depth, error);
        if (status != KZ_OK) {
            return status;
        }
        if (move == 0) {
            bool over = line->last_value.outcome != KZ_UNKNOWN && line->last_value.distance == 0;
            line->ending = over ? ENDING_OVER : ENDING_UNKNOWN;
            return KZ_OK;
        }
        if (line->last_value.outcome == KZ_DRAW && find_repetition(game, line)) {
            line->ending = ENDING_REPETITION;
            return KZ_OK;
        }
        if (line->count == most) {
            line->ending = ENDING_LIMIT;
            return KZ_OK;
        }
        line->plies[line->count++] = (line_ply){.before = line->last, .value = line->last_value, .move = move};
        kz_play(game, values->rules, &line->last, move);
    }
}

/* Who has won; NULL if nobody has, or if the game was over before the first ply, and the loser's rival has no name. */
static const char *winner_of(const kz_game *game, const best_line *line) {
    if (line->ending != ENDING_OVER || line->last_value.outcome == KZ_DRAW) {
        return NULL;
    }
    if (line->last_value.outcome == KZ_WIN) {
        return kz_side_to_move(game, &line->last);
    }
    return line->count > 0 ? kz_side_to_move(game, &line->plies[line->count - 1].before) : NULL;
}

static kz_status print_board(const kz_game *game, const kz_position *position, kz_error *error) {
    char board[KZ_TEXT_BYTES];
    kz_status status = kz_draw(game, position, board, sizeof board, error);
    if (status == KZ_OK) {
        printf("%s\n", board);
    }
    return status;
}

static const char *plies_word(uint64_t count) { return count == 1 ? "ply" : "plies"; }

static void print_ending(const kz_game *game, const best_line *line) {
    char value[VALUE_BYTES];
    char depth[DEPTH_BYTES];
    const char *winner = winner_of(game, line);
    switch (line->ending) {
    case ENDING_OVER:
        if (line->last_value.outcome == KZ_DRAW) {
            printf("the game is over after %" PRIu64 " %s: a draw\n", line->count, plies_word(line->count));
        } else if (line->count == 0) {
            printf("the game is over: %s has %s\n", kz_side_to_move(game, &line->last),
                   line->last_value.outcome == KZ_WIN ? "won" : "lost");
        } else {
            printf("%s wins after %" PRIu64 " %s\n", winner, line->count, plies_word(line->count));
        }
        break;
    case ENDING_REPETITION:
        printf("draw: now the game is where it was after %" PRIu64 " %s, and so it goes on\n", line->repeated,
               plies_word(line->repeated));
        break;
    case ENDING_LIMIT:
        printf("stopped after %" PRIu64 " %s: %s for %s\n", line->count, plies_word(line->count),
               format_value(game, line->last_value, value), kz_side_to_move(game, &line->last));
        break;
    case ENDING_UNKNOWN:
        format_depth(game, line->last_value, line->last_depth, depth);
        printf("stopped after %" PRIu64 " %s: what is best for %s is not known without a table%s%s\n", line->count,
               plies_word(line->count), kz_side_to_move(game, &line->last), depth[0] != '\0' ? ": " : "", depth);
        break;
    }
}

static kz_status print_text(const kz_values *values, const best_line *line, bool boards, kz_error *error) {
    const kz_game *game = values->game;
    for (uint64_t i = 0; i < line->count; i++) {
        const line_ply *ply = &line->plies[i];
        char move[KZ_TEXT_BYTES];
        char value[VALUE_BYTES];
        kz_status status = kz_move_format(game, &ply->before, ply->move, move, sizeof move, error);
        if (status == KZ_OK && boards) {
            status = print_board(game, &ply->before, error);
        }
        if (status != KZ_OK) {
            return status;
        }
        printf("%" PRIu64 "\t%s\t%s\t%s\n%s", i + 1, kz_side_to_move(game, &ply->before), move,
               format_value(game, ply->value, value), boards ? "\n" : "");
    }
    if (boards) {
        kz_status status = print_board(game, &line->last, error);
        if (status != KZ_OK) {
            return status;
        }
    }
    print_ending(game, line);
    return KZ_OK;
}

static kz_status print_json_ply(const kz_game *game, const line_ply *ply, cli_json *json, kz_error *error) {
    char position[KZ_TEXT_BYTES];
    char move[KZ_TEXT_BYTES];
    kz_status status = kz_format(game, &ply->before, 0, position, sizeof position, error);
    if (status == KZ_OK) {
        status = kz_move_format(game, &ply->before, ply->move, move, sizeof move, error);
    }
    if (status == KZ_OK) {
        json_object(json, NULL);
        json_text(json, "position", position);
        json_text(json, "side", kz_side_to_move(game, &ply->before));
        json_value(json, game, ply->value);
        json_text(json, "move", move);
        json_end_object(json);
    }
    return status;
}

static kz_status print_json(const kz_values *values, const best_line *line, kz_error *error) {
    static const char *const endings[] = {
        [ENDING_OVER] = "over",
        [ENDING_REPETITION] = "repetition",
        [ENDING_LIMIT] = "limit",
        [ENDING_UNKNOWN] = "unknown",
    };
    const kz_game *game = values->game;
    char last[KZ_TEXT_BYTES];
    kz_status status = kz_format(game, &line->last, 0, last, sizeof last, error);
    if (status != KZ_OK) {
        return status;
    }
    cli_json json = json_start(stdout);
    json_object(&json, NULL);
    json_text(&json, "game", kz_game_name(game));
    json_text(&json, "rules", kz_rules_name(game, values->rules));
    json_array(&json, "plies");
    for (uint64_t i = 0; i < line->count && status == KZ_OK; i++) {
        status = print_json_ply(game, &line->plies[i], &json, error);
    }
    json_end_array(&json);
    json_text(&json, "ending", endings[line->ending]);
    json_text(&json, "winner", winner_of(game, line));
    if (line->ending == ENDING_REPETITION) {
        json_unsigned(&json, "repeated_from", line->repeated);
    }
    json_object(&json, "last");
    json_text(&json, "position", last);
    json_text(&json, "side", kz_side_to_move(game, &line->last));
    json_value(&json, game, line->last_value);
    json_depth(&json, line->last_value, line->last_depth);
    json_end_object(&json);
    json_end_object(&json);
    json_finish(&json);
    return status;
}

static int print_line(const cli_command *command, const kz_values *values, const kz_position *position, uint64_t plies,
                      bool boards, bool json) {
    best_line line = {.last = *position, .plies = calloc(plies, sizeof *line.plies)};
    kz_error error = {.status = KZ_ERR_MEMORY, .message = "out of memory"};
    kz_status status = KZ_ERR_MEMORY;
    if (line.plies) {
        status = play_out(values, plies, &line, &error);
    }
    if (status == KZ_OK) {
        status = json ? print_json(values, &line, &error) : print_text(values, &line, boards, &error);
    }
    free(line.plies);
    return status == KZ_OK ? STATUS_FINE : report_error(command, &error);
}

static int run(cli_arguments *arguments) {
    cli_values_options wanted = {.table = NULL};
    uint64_t plies = DEFAULT_PLIES;
    bool boards = false;
    bool json = false;
    const cli_option options[] = {
        OPTIONS_VALUES(&wanted),
        OPTION_NUMBER("plies", &plies, 1, MOST_PLIES, "stop after N plies (default 1000)"),
        OPTION_FLAG("boards", &boards, "show the board before each ply and at the end"),
        OPTION_JSON(&json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, 2)) {
        return STATUS_USAGE;
    }
    cli_values values;
    kz_position position;
    int code = values_open_at(arguments, &wanted, &values, &position);
    if (code != STATUS_FINE) {
        return code;
    }
    code = print_line(arguments->command, &values.source, &position, plies, boards, json);
    values_close(&values);
    return code;
}

const cli_command command_line = {
    .name = "line",
    .summary = "Show how a game goes on when both sides play perfectly",
    .operands = "GAME [POSITION]",
    .help = "Prints a line for each ply: its number, who moves, the move, and the value\n"
            "before it for that side, separated by tabs. The last line says who wins. Of\n"
            "equally good moves the first one is played. A drawn game ends when a position\n"
            "comes again. Without a position it is the one that the game begins with. If there\n"
            "is no table, the game goes on as long as a search finds the values, each in some\n"
            "seconds.\n",
    .examples = "kanzen line dobutsu\n"
                "kanzen line dobutsu \"gle/1C1/3/ELG w C 2\" --boards --plies 6\n",
    .run = run,
};
