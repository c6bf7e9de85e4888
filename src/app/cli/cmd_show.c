/* SPDX-License-Identifier: MIT */
#include "common.h"
#include "positions.h"

#include <kanzen/paths.h>
#include <stdio.h>
#include <string.h>

enum { SVG_BYTES = 32768 };

/* What a table says; without one only what the rules tell. */
typedef struct shown_worth {
    kz_value value;
    char best[KZ_TEXT_BYTES]; /* empty if there is none */
} shown_worth;

static kz_status look_up(const kz_table *table, const kz_position *position, shown_worth *worth, kz_error *error) {
    kz_list memory;
    kz_scored_move *moves = open_moves(&memory, table);
    int count = 0;
    worth->best[0] = '\0';
    if (!moves) {
        return out_of_memory(error);
    }
    kz_status status = kz_probe(table, position, &worth->value, error);
    if (status == KZ_OK) {
        status = kz_probe_moves(table, position, moves, &count, error);
    }
    if (status == KZ_OK && count > 0) {
        status = kz_move_format(kz_table_game(table), position, moves[0].move, worth->best, sizeof worth->best, error);
    }
    kz_list_close(&memory);
    return status;
}

static kz_status print_text(const kz_game *game, const kz_position *position, const kz_table *table,
                            const shown_worth *worth, kz_error *error) {
    char board[KZ_TEXT_BYTES];
    char text[KZ_TEXT_BYTES];
    kz_status status = kz_draw(game, position, board, sizeof board, error);
    if (status == KZ_OK) {
        status = kz_format(game, position, 0, text, sizeof text, error);
    }
    if (status != KZ_OK) {
        return status;
    }
    printf("%s\n%s\n", board, text);
    if (table) {
        char value[VALUE_BYTES];
        printf("%s for %s (%s rules)", format_value(game, worth->value, value), kz_side_to_move(game, position),
               rules_of(table));
        if (worth->best[0] != '\0') {
            printf(", best move %s", worth->best);
        }
        putchar('\n');
    }
    return KZ_OK;
}

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

static kz_status print_json(const kz_game *game, const kz_position *position, const kz_table *table,
                            const shown_worth *worth, kz_error *error) {
    char text[KZ_TEXT_BYTES];
    kz_status status = kz_format(game, position, 0, text, sizeof text, error);
    if (status != KZ_OK) {
        return status;
    }
    cli_json json = json_start(stdout);
    json_object(&json, NULL);
    json_text(&json, "game", kz_game_name(game));
    json_text(&json, "position", text);
    json_text(&json, "side", kz_side_to_move(game, position));
    json_notations(&json, game, position);
    if (table) {
        json_text(&json, "rules", rules_of(table));
        json_value(&json, game, worth->value);
        json_text(&json, "best", worth->best[0] != '\0' ? worth->best : NULL);
    }
    json_end_object(&json);
    json_finish(&json);
    return KZ_OK;
}

static kz_status write_svg(const kz_game *game, const kz_position *position, const char *path, kz_error *error) {
    char svg[SVG_BYTES];
    kz_status status = kz_draw_svg(game, position, svg, sizeof svg, error);
    if (status != KZ_OK) {
        return status;
    }
    if (strcmp(path, "-") == 0) {
        fputs(svg, stdout);
        return KZ_OK;
    }
    return kz_write_file(path, svg, strlen(svg), true, error);
}

static int show(const cli_command *command, const kz_game *game, const kz_position *position, const kz_table *table,
                bool json) {
    shown_worth worth;
    kz_error error;
    kz_status status = table ? look_up(table, position, &worth, &error) : KZ_OK;
    if (status == KZ_ERR_UNSUPPORTED && kz_game_has_parts(game)) { /* no table has this position */
        status = KZ_OK;
        table = NULL;
    }
    if (status == KZ_OK) {
        status = (json ? print_json : print_text)(game, position, table, &worth, &error);
    }
    return status == KZ_OK ? STATUS_FINE : report_error(command, &error);
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_rules asked = {NULL, NULL};
    const char *path = NULL;
    const char *svg = NULL;
    bool json = false;
    const cli_option options[] = {
        OPTION_TEXT("svg", &svg, "FILE", "write a drawing to FILE instead; '-' is standard output"),
        OPTION_RULES(&asked),
        OPTION_TABLE(&path),
        OPTION_JSON(&json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, 2)) {
        return STATUS_USAGE;
    }
    if (svg && (json || path)) {
        return report_usage(command, "--svg draws the board only; it does not go with --json or --table");
    }
    int failure;
    const kz_game *game = choose_game(command, arguments->items[0], &failure);
    if (!game) {
        return failure;
    }
    kz_table *table = NULL;
    int rules;
    int code = STATUS_FINE;
    if (svg) {
        rules = choose_rules(command, game, &asked);
        code = rules < 0 ? STATUS_USAGE : STATUS_FINE;
    } else {
        code = choose_table_if_any(command, game, &asked, path, &table, &rules);
    }
    if (code != STATUS_FINE) {
        return code;
    }
    kz_position position;
    kz_error error;
    code = position_operand(arguments, 1, game, rules, &position);
    if (code == STATUS_FINE && !svg) {
        code = show(command, game, &position, table, json);
    } else if (code == STATUS_FINE && write_svg(game, &position, svg, &error) != KZ_OK) {
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
