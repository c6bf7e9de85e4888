/* SPDX-License-Identifier: MIT */
#include "common.h"
#include "positions.h"

#include <kanzen/paths.h>
#include <stdio.h>
#include <string.h>

enum { SVG_BYTES = 32768 };

/* All notations; null where one can't hold the position. */
static void json_notations(cli_json *json, const kz_game *game, const kz_position *position) {
    json_object(json, "forms");
    for (int number = 0; kz_notation_name(game, number); number++) {
        char text[KZ_TEXT_BYTES];
        bool written = kz_format(game, position, number, text, sizeof text, NULL) == KZ_OK;
        json_text(json, kz_notation_name(game, number), written ? text : NULL);
    }
    json_end_object(json);
}

static kz_status print_position(const kz_game *game, const kz_position *position, const kz_table *table, kz_value value,
                                const char *best, bool as_json, kz_error *error) {
    char board[KZ_TEXT_BYTES] = "";
    char text[KZ_TEXT_BYTES];
    char value_text[VALUE_BYTES];
    const char *side = kz_side_to_move(game, position);
    if (!as_json) {
        KZ_TRY(kz_draw(game, position, board, sizeof board, error));
    }
    KZ_TRY(kz_format(game, position, 0, text, sizeof text, error));
    cli_report report = report_begin(stdout, as_json);
    cli_json *json = &report.json;
    json_text(json, "game", kz_game_name(game));
    json_text(json, "position", text);
    json_text(json, "side", side);
    json_notations(json, game, position);
    report_line(&report, "%s\n%s\n", board, text);
    if (table) {
        report_line(&report, "%s for %s (%s rules)", format_value(game, value, value_text), side, rules_of(table));
        report_line(&report, "%s%s\n", best[0] != '\0' ? ", best move " : "", best);
        json_text(json, "rules", rules_of(table));
        json_value(json, game, value);
        json_text(json, "best", best[0] != '\0' ? best : NULL);
    }
    report_end(&report);
    return KZ_OK;
}

/* What a table says. */
static kz_status look_up(const kz_table *table, const kz_position *position, kz_value *value, char best[KZ_TEXT_BYTES],
                         kz_error *error) {
    kz_list memory;
    kz_status status;
    int count = 0;
    kz_scored_move *moves = open_moves(&memory, table);
    KZ_TRY_OR(done, moves ? KZ_OK : out_of_memory(error));
    KZ_TRY_OR(done, kz_probe(table, position, value, error));
    KZ_TRY_OR(done, kz_probe_moves(table, position, moves, &count, error));
    if (count > 0) {
        status = kz_move_format(kz_table_game(table), position, moves[0].move, best, KZ_TEXT_BYTES, error);
    }
done:
    kz_list_close(&memory);
    return status;
}

/* Without a table, only what the rules tell. */
static kz_status show(const kz_game *game, const kz_position *position, const kz_table *table, bool json,
                      kz_error *error) {
    kz_value value = {KZ_UNKNOWN, 0};
    char best[KZ_TEXT_BYTES] = "";
    kz_status status = table ? look_up(table, position, &value, best, error) : KZ_OK;
    if (status == KZ_ERR_UNSUPPORTED && kz_game_has_parts(game)) { /* no table has this position */
        status = KZ_OK;
        table = NULL;
    }
    KZ_TRY(status);
    return print_position(game, position, table, value, best, json, error);
}

static kz_status write_svg(const kz_game *game, const kz_position *position, const char *path, kz_error *error) {
    char svg[SVG_BYTES];
    KZ_TRY(kz_draw_svg(game, position, svg, sizeof svg, error));
    if (strcmp(path, "-") == 0) {
        fputs(svg, stdout);
        return KZ_OK;
    }
    return kz_write_file(path, svg, strlen(svg), true, error);
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_asked asked = {.table = NULL};
    const char *svg = NULL;
    bool json = false;
    const cli_option options[] = {
        OPTION_TEXT("svg", &svg, "FILE", "write a drawing to FILE instead; '-' is standard output"),
        OPTIONS_TABLE(&asked),
        OPTION_JSON(&json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, 2));
    if (svg && (json || asked.table)) {
        return report_usage(command, "--svg draws the board only; it does not go with --json or --table");
    }
    const kz_game *game;
    kz_table *table = NULL;
    int rules;
    CLI_TRY(choose_game(command, arguments->items[0], &game));
    if (!svg) {
        CLI_TRY(open_table(command, game, &asked, USE_IF_THERE, &table));
    }
    if (table) {
        rules = kz_table_rules(table);
    } else {
        CLI_TRY(choose_rules(command, game, &asked, &rules));
    }
    kz_position position;
    kz_error error;
    int code = position_operand(arguments, 1, game, rules, &position);
    if (code == STATUS_FINE &&
        (svg ? write_svg(game, &position, svg, &error) : show(game, &position, table, json, &error)) != KZ_OK) {
        code = report_error(command, &error);
    }
    kz_table_close(table);
    return code;
}

const cli_command command_show = {
    .name = "show",
    .summary = "Draw the board of a position",
    .operands = "GAME [POSITION]",
    .help = "Prints the board, the position in the canonical notation and, if there is a\n"
            "table, its value and the best move. Without a position it is the one that the\n"
            "game begins with.\n",
    .examples = "kanzen show dobutsu\n"
                "kanzen show dobutsu S/gle/-c-/-C-/ELG/- --svg board.svg\n",
    .run = run,
};
