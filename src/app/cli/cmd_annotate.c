/* SPDX-License-Identifier: MIT
 *
 * kanzen annotate: what each move of a game was worth, and what it should have been. */
#include "play_parts.h"
#include "values.h"

#include <kanzen/annotate.h>
#include <stdlib.h>
#include <string.h>

/* ---- Summary ----------------------------------------------------------------------------------------------------- */

typedef struct side_summary {
    int moves;
    int counts[KZ_MISTAKES];
} side_summary;

static void sum_up(const kz_values *values, const kz_record *record, const kz_note *notes, side_summary summaries[2]) {
    kz_position position = record->start;
    memset(summaries, 0, 2 * sizeof *summaries);
    for (size_t i = 0; i < record->count; i++) {
        side_summary *summary = &summaries[kz_record_side(values->game, values->rules, &position)];
        summary->moves++;
        summary->counts[notes[i].mistake]++;
        kz_play(values->game, values->rules, &position, record->moves[i]);
    }
}

static const char *side_name(const kz_values *values, int side) {
    kz_position start;
    kz_start(values->game, values->rules, &start);
    return side == 0 ? kz_side_to_move(values->game, &start) : other_side(values->game, values->rules, &start);
}

/* What a mistake is called in the summary, and what is said about the move: before and after what it cost. */
static const struct {
    const char *kind;
    const char *says;
    const char *after_cost; /* NULL: the cost is not said */
} mistakes[KZ_MISTAKES] = {
    [KZ_MISTAKE_WIN_TO_LOSS] = {"won games lost", "?? turns a win into a loss", NULL},
    [KZ_MISTAKE_WIN_TO_DRAW] = {"wins thrown away", "?? throws the win away", NULL},
    [KZ_MISTAKE_DRAW_TO_LOSS] = {"draws lost", "?? loses the draw", NULL},
    [KZ_MISTAKE_SHORTER_LOSS] = {"losses shortened", "?! loses ", " sooner"},
    [KZ_MISTAKE_LONGER_WIN] = {"wins lengthened", "?! wins ", " later"},
    [KZ_MISTAKE_UNKNOWN] = {"not known", NULL, NULL},
};

static void report_side(cli_report *report, const kz_values *values, const side_summary *summary, int side,
                        const char *name) {
    const char *side_text = side_name(values, side);
    cli_json *json = &report->json;
    report_line(report, "# %s: %d %s, %d best", side_text, summary->moves, summary->moves == 1 ? "move" : "moves",
                summary->counts[KZ_MISTAKE_NONE]);
    for (int i = KZ_MISTAKES - 1; i > KZ_MISTAKE_NONE; i--) {
        if (summary->counts[i] > 0) {
            report_line(report, "; %s: %d", mistakes[i].kind, summary->counts[i]);
        }
    }
    report_line(report, "\n");
    json_object(json, NULL);
    json_text(json, "side", side_text);
    json_text(json, "name", name[0] != '\0' ? name : NULL);
    json_integer(json, "moves", summary->moves);
    json_integer(json, "best", summary->counts[KZ_MISTAKE_NONE]);
    json_integer(json, "unknown", summary->counts[KZ_MISTAKE_UNKNOWN]);
    for (int i = KZ_MISTAKE_UNKNOWN + 1; i < KZ_MISTAKES; i++) {
        json_integer(json, kz_mistake_name((kz_mistake)i), summary->counts[i]);
    }
    json_end_object(json);
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

/* "?? throws the win away; best is 2d3c (win 5)" */
static void report_mistake(cli_report *report, const kz_game *game, const kz_note *note, const char *best) {
    char distance[WORDS_BYTES];
    char value[VALUE_BYTES];
    const char *after_cost = mistakes[note->mistake].after_cost;
    if (mistakes[note->mistake].says) {
        report_line(report, "  %s%s%s%s%s (%s)", mistakes[note->mistake].says,
                    after_cost ? describe_distance(game, note->cost, distance) : "", after_cost ? after_cost : "",
                    best[0] != '\0' ? "; best is " : "", best, format_value(game, note->before, value));
    }
}

static kz_status report_move(cli_report *report, const kz_values *values, const kz_position *position, kz_move played,
                             size_t number, const kz_note *note, kz_error *error) {
    const kz_game *game = values->game;
    cli_json *json = &report->json;
    char text[KZ_TEXT_BYTES];
    char move[KZ_TEXT_BYTES];
    char best[KZ_TEXT_BYTES] = "";
    char value[VALUE_BYTES];
    KZ_TRY(kz_format(game, position, 0, text, sizeof text, error));
    KZ_TRY(kz_move_format(game, position, played, move, sizeof move, error));
    if (note->best != 0) {
        KZ_TRY(kz_move_format(game, position, note->best, best, sizeof best, error));
    }
    report_line(report, "%zu %-8s # %s", number, move, format_value(game, note->after, value));
    report_mistake(report, game, note, best);
    report_line(report, "\n");
    json_object(json, NULL);
    json_unsigned(json, "number", number);
    json_text(json, "side", kz_side_to_move(game, position));
    json_text(json, "position", text);
    json_text(json, "move", move);
    json_value_object(json, "before", game, note->before);
    json_value_object(json, "after", game, note->after);
    json_text(json, "mistake", kz_mistake_name(note->mistake));
    json_integer(json, "cost", note->cost);
    json_text(json, "best", best[0] != '\0' ? best : NULL);
    json_end_object(json);
    return KZ_OK;
}

/* The text is a record itself: what is said about the moves is in comments. */
static kz_status print_headers(const kz_record *record, kz_error *error) {
    kz_record empty = *record;
    char *headers;
    size_t length;
    empty.count = 0;
    KZ_TRY(kz_record_format(&empty, KZ_RECORD_LIST, &headers, &length, error));
    fwrite(headers, 1, length, stdout);
    putchar('\n');
    free(headers);
    return KZ_OK;
}

static kz_status print_notes(const kz_values *values, const kz_record *record, const kz_note *notes, bool as_json,
                             kz_error *error) {
    static const char *const results[] = {"unfinished", "first", "second", "draw"};
    if (!as_json) {
        KZ_TRY(print_headers(record, error));
    }
    cli_report report = report_begin(stdout, as_json);
    report_game(&report, values->game, values->rules);
    json_text(&report.json, "result", results[record->result]);
    report_list(&report, "moves");
    kz_position position = record->start;
    for (size_t i = 0; i < record->count; i++) {
        KZ_TRY(report_move(&report, values, &position, record->moves[i], i + 1, &notes[i], error));
        kz_play(values->game, values->rules, &position, record->moves[i]);
    }
    report_end_list(&report);
    side_summary summaries[2];
    sum_up(values, record, notes, summaries);
    report_line(&report, "\n");
    report_list(&report, "players");
    for (int side = 0; side < 2; side++) {
        report_side(&report, values, &summaries[side], side, record->names[side]);
    }
    report_end_list(&report);
    report_end(&report);
    return KZ_OK;
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static int annotate(const cli_command *command, const kz_values *values, const kz_record *record, bool json) {
    kz_error error;
    kz_status status;
    kz_note *notes = calloc(record->count + 1, sizeof *notes);
    KZ_TRY_OR(done, notes ? KZ_OK : out_of_memory(&error));
    KZ_TRY_OR(done, kz_annotate(values, record, NULL, notes, &error));
    KZ_TRY_OR(done, print_notes(values, record, notes, json, &error));
done:
    free(notes);
    return exit_code(command, status, &error);
}

static int annotate_record(const cli_command *command, const kz_record *record, cli_asked *asked, bool json) {
    cli_values values;
    asked->rules = record_rules(record);
    CLI_TRY(values_open(command, record->game, asked, &values));
    int code = annotate(command, &values.source, record, json);
    values_close(&values);
    return code;
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_asked asked = {.table = NULL};
    bool json = false;
    const char *name = NULL;
    const cli_option options[] = {
        OPTION_TEXT("game", &name, "GAME", "the game of the record, if its name in the record does not find it"),
        OPTION_TABLE(&asked),
        OPTION_SECONDS(&asked),
        OPTION_JSON(&json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, 1));
    kz_record record;
    kz_error error;
    const kz_game *game = NULL;
    if (name) {
        CLI_TRY(choose_game(command, name, &game));
    }
    CLI_TRY(exit_code(command, load_record(arguments->items[0], game, &record, &error), &error));
    int code = game && record.game != game ? report_usage(command, "%s is a game of %s, not of %s", arguments->items[0],
                                                          kz_game_name(record.game), kz_game_name(game))
                                           : annotate_record(command, &record, &asked, json);
    kz_record_free(&record);
    return code;
}

const cli_command command_annotate = {
    .name = "annotate",
    .summary = "Mark the mistakes of a game, and what they cost",
    .operands = "FILE",
    .help = "FILE is a game that play has saved, or another one in the same forms: a list of\n"
            "moves, or KIF where the game has it; '-' is standard input. Prints it as a list of\n"
            "moves, each with its value for the side that makes it as a comment. A mistake has\n"
            "what it cost and the best move; ?? changes who wins, ?! only how long it\n"
            "takes. A summary for each side follows. What is printed can be loaded again. The\n"
            "record names its game: one that comes with Kanzen, a text that does, or one in a\n"
            "folder of KANZEN_GAMES. The file of any other game is named with --game.\n",
    .examples = "kanzen annotate game.kif\n"
                "kanzen annotate game.txt --game ./tictactoe.so\n"
                "kanzen annotate - --json < game.txt\n",
    .run = run,
};
