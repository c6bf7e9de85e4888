/* SPDX-License-Identifier: MIT */
#include "common.h"

#include "base/list.h"
#include "positions.h"

#include <inttypes.h>
#include <stdio.h>

enum { MOST_DEPTH = 30 };

typedef struct perft_job {
    const kz_game *game;
    int rules;
    kz_position position;
    int depth;
} perft_job;

static void print_depths(const perft_job *perft, cli_json *json) {
    for (int depth = 1; depth <= perft->depth; depth++) {
        uint64_t count = kz_perft(perft->game, perft->rules, &perft->position, depth);
        if (json) {
            json_object(json, NULL);
            json_integer(json, "depth", depth);
            json_unsigned(json, "count", count);
            json_end_object(json);
        } else {
            printf("%d\t%" PRIu64 "\n", depth, count);
            fflush(stdout); /* the next line may take much longer */
        }
    }
}

/* How the count of the last depth is divided among the first moves. */
static kz_status print_division(const perft_job *perft, cli_json *json, kz_error *error) {
    kz_list memory;
    kz_move *moves = kz_list_open(&memory, kz_max_moves(perft->game, perft->rules), sizeof *moves);
    kz_status status = moves ? KZ_OK : out_of_memory(error);
    int count = moves ? kz_moves(perft->game, perft->rules, &perft->position, moves) : 0;
    uint64_t total = 0;
    for (int i = 0; i < count; i++) {
        char move[KZ_TEXT_BYTES];
        status = kz_move_format(perft->game, &perft->position, moves[i], move, sizeof move, error);
        if (status != KZ_OK) {
            break;
        }
        kz_position next = perft->position;
        kz_play(perft->game, perft->rules, &next, moves[i]);
        uint64_t below = kz_perft(perft->game, perft->rules, &next, perft->depth - 1);
        total += below;
        if (json) {
            json_object(json, NULL);
            json_text(json, "move", move);
            json_unsigned(json, "count", below);
            json_end_object(json);
        } else {
            printf("%s\t%" PRIu64 "\n", move, below);
            fflush(stdout);
        }
    }
    if (!json && status == KZ_OK) {
        printf("total\t%" PRIu64 "\n", total);
    }
    kz_list_close(&memory);
    return status;
}

static kz_status print_perft(const perft_job *perft, bool divide, bool as_json, kz_error *error) {
    cli_json json = json_start(stdout);
    cli_json *target = as_json ? &json : NULL;
    char position[KZ_TEXT_BYTES];
    kz_status status = kz_format(perft->game, &perft->position, 0, position, sizeof position, error);
    if (status != KZ_OK) {
        return status;
    }
    if (as_json) {
        json_object(&json, NULL);
        json_text(&json, "game", kz_game_name(perft->game));
        json_text(&json, "rules", kz_rules_name(perft->game, perft->rules));
        json_text(&json, "position", position);
        json_integer(&json, "depth", perft->depth);
        json_array(&json, divide ? "moves" : "depths");
    }
    if (divide) {
        status = print_division(perft, target, error);
    } else {
        print_depths(perft, target);
    }
    if (as_json) {
        json_end_array(&json);
        json_end_object(&json);
        json_finish(&json);
    }
    return status;
}

static int run(cli_arguments *arguments) {
    cli_rules rules = {NULL, NULL};
    bool divide = false;
    bool json = false;
    const cli_option options[] = {
        OPTION_RULES(&rules),
        OPTION_FLAG("divide", &divide, "count the sequences of DEPTH plies by first move instead"),
        OPTION_JSON(&json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 2, 3)) {
        return STATUS_USAGE;
    }
    int failure;
    perft_job perft = {.game = choose_game(arguments->command, arguments->items[0], &failure)};
    if (!perft.game) {
        return failure;
    }
    perft.rules = choose_rules(arguments->command, perft.game, &rules);
    if (perft.rules < 0) {
        return STATUS_USAGE;
    }
    uint64_t depth;
    if (!parse_number(arguments->items[1], 1, MOST_DEPTH, &depth)) {
        return report_usage(arguments->command, "the depth is a number from 1 to %d, not '%s'", MOST_DEPTH,
                            arguments->items[1]);
    }
    perft.depth = (int)depth;
    int code = position_operand(arguments, 2, perft.game, perft.rules, &perft.position);
    kz_error error;
    if (code == STATUS_FINE && print_perft(&perft, divide, json, &error) != KZ_OK) {
        code = report_error(arguments->command, &error);
    }
    return code;
}

const cli_command command_perft = {
    .name = "perft",
    .summary = "Count the move sequences from a position, to test move generators",
    .operands = "GAME DEPTH [POSITION]",
    .help = "Prints a line for each number of plies from 1 to DEPTH: that number, a tab, and\n"
            "how many sequences of so many legal moves there are. Needs no table. Without a\n"
            "position it is the one that the game begins with.\n",
    .examples = "kanzen perft dobutsu 6\n"
                "kanzen perft dobutsu 4 --divide --rules simplified\n",
    .run = run,
};
