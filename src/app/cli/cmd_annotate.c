/* SPDX-License-Identifier: MIT
 *
 * kanzen annotate: what each move of a game was worth, and what it should have been. */
#include "play_parts.h"
#include "values.h"

#include <kanzen/annotate.h>
#include <stdlib.h>
#include <string.h>

/* ---- Summary -------------------------------------------------------------------------------------------------------
 */

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

static void print_summary(const kz_values *values, const side_summary summaries[2]) {
    static const char *const kinds[KZ_MISTAKES] = {
        [KZ_MISTAKE_WIN_TO_LOSS] = "won games lost", [KZ_MISTAKE_WIN_TO_DRAW] = "wins thrown away",
        [KZ_MISTAKE_DRAW_TO_LOSS] = "draws lost",    [KZ_MISTAKE_SHORTER_LOSS] = "losses shortened",
        [KZ_MISTAKE_LONGER_WIN] = "wins lengthened", [KZ_MISTAKE_UNKNOWN] = "not known",
    };
    for (int side = 0; side < 2; side++) {
        const side_summary *summary = &summaries[side];
        printf("# %s: %d %s, %d best", side_name(values, side), summary->moves, summary->moves == 1 ? "move" : "moves",
               summary->counts[KZ_MISTAKE_NONE]);
        for (int i = KZ_MISTAKES - 1; i > KZ_MISTAKE_NONE; i--) {
            if (summary->counts[i] > 0) {
                printf("; %s: %d", kinds[i], summary->counts[i]);
            }
        }
        putchar('\n');
    }
}

/* ---- Text ----------------------------------------------------------------------------------------------------------
 */

/* "?? throws the win away; best 2d3c: win 5" */
static kz_status print_mistake(const kz_values *values, const kz_position *position, const kz_note *note,
                               kz_error *error) {
    char distance[WORDS_BYTES];
    char best[KZ_TEXT_BYTES] = "";
    char value[VALUE_BYTES];
    describe_distance(values->game, note->cost, distance);
    switch (note->mistake) {
    case KZ_MISTAKE_WIN_TO_LOSS:
        fputs("  ?? turns a win into a loss", stdout);
        break;
    case KZ_MISTAKE_WIN_TO_DRAW:
        fputs("  ?? throws the win away", stdout);
        break;
    case KZ_MISTAKE_DRAW_TO_LOSS:
        fputs("  ?? loses the draw", stdout);
        break;
    case KZ_MISTAKE_SHORTER_LOSS:
        printf("  ?! loses %s sooner", distance);
        break;
    case KZ_MISTAKE_LONGER_WIN:
        printf("  ?! wins %s later", distance);
        break;
    default:
        return KZ_OK;
    }
    kz_status status = KZ_OK;
    if (note->best != 0) {
        status = kz_move_format(values->game, position, note->best, best, sizeof best, error);
        printf("; best is %s", best);
    }
    printf(" (%s)", format_value(values->game, note->before, value));
    return status;
}

/* The output is a record itself: what is said about the moves is in comments. */
static kz_status print_text(const kz_values *values, const kz_record *record, const kz_note *notes, kz_error *error) {
    kz_record empty = *record;
    empty.count = 0;
    char *headers;
    size_t length;
    kz_status status = kz_record_format(&empty, KZ_RECORD_LIST, &headers, &length, error);
    if (status != KZ_OK) {
        return status;
    }
    fwrite(headers, 1, length, stdout);
    putchar('\n');
    free(headers);
    kz_position position = record->start;
    for (size_t i = 0; i < record->count && status == KZ_OK; i++) {
        char move[KZ_TEXT_BYTES];
        char value[VALUE_BYTES];
        status = kz_move_format(values->game, &position, record->moves[i], move, sizeof move, error);
        if (status == KZ_OK) {
            printf("%zu %-8s # %s", i + 1, move, format_value(values->game, notes[i].after, value));
            status = print_mistake(values, &position, &notes[i], error);
            putchar('\n');
            kz_play(values->game, values->rules, &position, record->moves[i]);
        }
    }
    if (status == KZ_OK) {
        side_summary summaries[2];
        sum_up(values, record, notes, summaries);
        putchar('\n');
        print_summary(values, summaries);
    }
    return status;
}

/* ---- JSON ----------------------------------------------------------------------------------------------------------
 */

static void json_named_value(cli_json *json, const kz_game *game, const char *key, kz_value value) {
    json_object(json, key);
    json_value(json, game, value);
    json_end_object(json);
}

static kz_status json_move(const kz_values *values, const kz_position *position, kz_move played, size_t number,
                           const kz_note *note, cli_json *json, kz_error *error) {
    char text[KZ_TEXT_BYTES];
    char move[KZ_TEXT_BYTES];
    char best[KZ_TEXT_BYTES] = "";
    kz_status status = kz_format(values->game, position, 0, text, sizeof text, error);
    if (status == KZ_OK) {
        status = kz_move_format(values->game, position, played, move, sizeof move, error);
    }
    if (status == KZ_OK && note->best != 0) {
        status = kz_move_format(values->game, position, note->best, best, sizeof best, error);
    }
    if (status != KZ_OK) {
        return status;
    }
    json_object(json, NULL);
    json_unsigned(json, "number", number);
    json_text(json, "side", kz_side_to_move(values->game, position));
    json_text(json, "position", text);
    json_text(json, "move", move);
    json_named_value(json, values->game, "before", note->before);
    json_named_value(json, values->game, "after", note->after);
    json_text(json, "mistake", kz_mistake_name(note->mistake));
    json_integer(json, "cost", note->cost);
    json_text(json, "best", best[0] != '\0' ? best : NULL);
    json_end_object(json);
    return KZ_OK;
}

static void json_summary(const kz_values *values, const side_summary *summary, int side, const char *name,
                         cli_json *json) {
    json_object(json, NULL);
    json_text(json, "side", side_name(values, side));
    json_text(json, "name", name[0] != '\0' ? name : NULL);
    json_integer(json, "moves", summary->moves);
    json_integer(json, "best", summary->counts[KZ_MISTAKE_NONE]);
    json_integer(json, "unknown", summary->counts[KZ_MISTAKE_UNKNOWN]);
    for (int i = KZ_MISTAKE_UNKNOWN + 1; i < KZ_MISTAKES; i++) {
        json_integer(json, kz_mistake_name((kz_mistake)i), summary->counts[i]);
    }
    json_end_object(json);
}

static kz_status print_json(const kz_values *values, const kz_record *record, const kz_note *notes, kz_error *error) {
    static const char *const results[] = {"unfinished", "first", "second", "draw"};
    cli_json json = json_start(stdout);
    json_object(&json, NULL);
    json_text(&json, "game", kz_game_name(values->game));
    json_text(&json, "rules", kz_rules_name(values->game, values->rules));
    json_text(&json, "result", results[record->result]);
    json_array(&json, "moves");
    kz_position position = record->start;
    kz_status status = KZ_OK;
    for (size_t i = 0; i < record->count && status == KZ_OK; i++) {
        status = json_move(values, &position, record->moves[i], i + 1, &notes[i], &json, error);
        kz_play(values->game, values->rules, &position, record->moves[i]);
    }
    json_end_array(&json);
    side_summary summaries[2];
    sum_up(values, record, notes, summaries);
    json_array(&json, "players");
    for (int side = 0; side < 2; side++) {
        json_summary(values, &summaries[side], side, record->names[side], &json);
    }
    json_end_array(&json);
    json_end_object(&json);
    json_finish(&json);
    return status;
}

/* ---- The command ---------------------------------------------------------------------------------------------------
 */

static int annotate(const cli_command *command, const kz_values *values, const kz_record *record, bool json) {
    kz_error error = {.status = KZ_ERR_MEMORY, .message = "out of memory"};
    kz_status status = KZ_ERR_MEMORY;
    kz_note *notes = calloc(record->count + 1, sizeof *notes);
    if (notes) {
        status = kz_annotate(values, record, NULL, notes, &error);
    }
    if (status == KZ_OK) {
        status = (json ? print_json : print_text)(values, record, notes, &error);
    }
    free(notes);
    return status == KZ_OK ? STATUS_FINE : report_error(command, &error);
}

static int run(cli_arguments *arguments) {
    cli_values_options wanted = {.table = NULL};
    bool json = false;
    const char *name = NULL;
    const cli_option options[] = {
        OPTION_TEXT("game", &name, "GAME", "the game of the record, if its name in the record does not find it"),
        OPTION_TABLE(&wanted.table),
        OPTION_SECONDS(&wanted.seconds),
        OPTION_JSON(&json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, 1)) {
        return STATUS_USAGE;
    }
    kz_record record;
    kz_error error;
    int failure;
    const kz_game *game = name ? choose_game(arguments->command, name, &failure) : NULL;
    if (name && !game) {
        return failure;
    }
    if (load_record(arguments->items[0], game, &record, &error) != KZ_OK) {
        return report_error(arguments->command, &error);
    }
    if (game && record.game != game) {
        const char *other = kz_game_name(record.game);
        kz_record_free(&record);
        return report_usage(arguments->command, "%s is a game of %s, not of %s", arguments->items[0], other,
                            kz_game_name(game));
    }
    wanted.rules.rules = record_rules(&record);
    cli_values values;
    int code = values_open(arguments->command, record.game, &wanted, &values);
    if (code == STATUS_FINE) {
        code = annotate(arguments->command, &values.source, &record, json);
        values_close(&values);
    }
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
