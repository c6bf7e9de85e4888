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
        KZ_TRY(kz_values_search(values, &line->last, &line->last_value, &move, &line->last_depth, error));
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

static kz_status report_board(cli_report *report, const kz_game *game, const kz_position *position, kz_error *error) {
    char board[KZ_TEXT_BYTES];
    KZ_TRY(kz_draw(game, position, board, sizeof board, error));
    report_line(report, "%s\n", board);
    return KZ_OK;
}

static const char *plies_word(uint64_t count) { return count == 1 ? "ply" : "plies"; }

static void report_ending(cli_report *report, const kz_game *game, const best_line *line) {
    char value[VALUE_BYTES];
    char depth[DEPTH_BYTES];
    const char *side = kz_side_to_move(game, &line->last);
    const char *plies = plies_word(line->count);
    switch (line->ending) {
    case ENDING_OVER:
        if (line->last_value.outcome == KZ_DRAW) {
            report_line(report, "the game is over after %" PRIu64 " %s: a draw\n", line->count, plies);
        } else if (line->count == 0) {
            report_line(report, "the game is over: %s has %s\n", side,
                        line->last_value.outcome == KZ_WIN ? "won" : "lost");
        } else {
            report_line(report, "%s wins after %" PRIu64 " %s\n", winner_of(game, line), line->count, plies);
        }
        break;
    case ENDING_REPETITION:
        report_line(report, "draw: now the game is where it was after %" PRIu64 " %s, and so it goes on\n",
                    line->repeated, plies_word(line->repeated));
        break;
    case ENDING_LIMIT:
        report_line(report, "stopped after %" PRIu64 " %s: %s for %s\n", line->count, plies,
                    format_value(game, line->last_value, value), side);
        break;
    case ENDING_UNKNOWN:
        format_depth(game, line->last_value, line->last_depth, depth);
        report_line(report, "stopped after %" PRIu64 " %s: what is best for %s is not known without a table%s%s\n",
                    line->count, plies, side, depth[0] != '\0' ? ": " : "", depth);
        break;
    }
}

static kz_status report_ply(cli_report *report, const kz_game *game, const line_ply *ply, uint64_t number,
                            kz_error *error) {
    char position[KZ_TEXT_BYTES];
    char move[KZ_TEXT_BYTES];
    KZ_TRY(kz_format(game, &ply->before, 0, position, sizeof position, error));
    KZ_TRY(kz_move_format(game, &ply->before, ply->move, move, sizeof move, error));
    report_row(report);
    json_text(&report->json, "position", position);
    report_number(report, NULL, number);
    report_text(report, "side", kz_side_to_move(game, &ply->before));
    report_text(report, NULL, move);
    report_value(report, game, ply->value);
    json_text(&report->json, "move", move);
    report_end_row(report);
    return KZ_OK;
}

static kz_status report_line_of_play(cli_report *report, const kz_values *values, const best_line *line, bool boards,
                                     kz_error *error) {
    static const char *const endings[] = {
        [ENDING_OVER] = "over",
        [ENDING_REPETITION] = "repetition",
        [ENDING_LIMIT] = "limit",
        [ENDING_UNKNOWN] = "unknown",
    };
    const kz_game *game = values->game;
    cli_json *json = &report->json;
    char last[KZ_TEXT_BYTES];
    KZ_TRY(kz_format(game, &line->last, 0, last, sizeof last, error));
    report_game(report, game, values->rules);
    report_list(report, "plies");
    for (uint64_t i = 0; i < line->count; i++) {
        if (boards) {
            KZ_TRY(report_board(report, game, &line->plies[i].before, error));
        }
        KZ_TRY(report_ply(report, game, &line->plies[i], i + 1, error));
        report_line(report, "%s", boards ? "\n" : "");
    }
    report_end_list(report);
    if (boards) {
        KZ_TRY(report_board(report, game, &line->last, error));
    }
    report_ending(report, game, line);
    json_text(json, "ending", endings[line->ending]);
    json_text(json, "winner", winner_of(game, line));
    if (line->ending == ENDING_REPETITION) {
        json_unsigned(json, "repeated_from", line->repeated);
    }
    json_object(json, "last");
    json_text(json, "position", last);
    json_text(json, "side", kz_side_to_move(game, &line->last));
    json_value(json, game, line->last_value);
    json_depth(json, line->last_value, line->last_depth);
    json_end_object(json);
    return KZ_OK;
}

static int print_line(const cli_command *command, const kz_values *values, const kz_position *position, uint64_t plies,
                      bool boards, bool json) {
    best_line line = {.last = *position, .plies = calloc(plies, sizeof *line.plies)};
    kz_error error;
    kz_status status;
    KZ_TRY_OR(done, line.plies ? KZ_OK : out_of_memory(&error));
    KZ_TRY_OR(done, play_out(values, plies, &line, &error));
    cli_report report = report_begin(stdout, json);
    status = report_line_of_play(&report, values, &line, boards, &error);
    report_end(&report);
done:
    free(line.plies);
    return exit_code(command, status, &error);
}

static int run(cli_arguments *arguments) {
    cli_asked asked = {.table = NULL};
    uint64_t plies = DEFAULT_PLIES;
    bool boards = false;
    bool json = false;
    const cli_option options[] = {
        OPTIONS_VALUES(&asked),
        OPTION_NUMBER("plies", &plies, 1, MOST_PLIES, "stop after N plies (default 1000)"),
        OPTION_FLAG("boards", &boards, "show the board before each ply and at the end"),
        OPTION_JSON(&json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, 2));
    cli_values values;
    kz_position position;
    CLI_TRY(values_open_at(arguments, &asked, &values, &position));
    int code = print_line(arguments->command, &values.source, &position, plies, boards, json);
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
