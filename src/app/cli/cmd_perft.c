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

static void report_depths(cli_report *report, const perft_job *job) {
    for (int depth = 1; depth <= job->depth; depth++) {
        uint64_t count = kz_perft(job->game, job->rules, &job->position, depth);
        report_row(report);
        report_number(report, "depth", (uint64_t)depth);
        report_number(report, "count", count);
        report_end_row(report);
        fflush(stdout); /* the next line may take much longer */
    }
}

/* How the count of the last depth is divided among the first moves. */
static kz_status report_division(cli_report *report, const perft_job *job, kz_error *error) {
    kz_list memory;
    uint64_t total = 0;
    kz_status status;
    kz_move *moves = kz_list_open(&memory, kz_max_moves(job->game, job->rules), sizeof *moves);
    KZ_TRY_OR(done, moves ? KZ_OK : out_of_memory(error));
    int count = kz_moves(job->game, job->rules, &job->position, moves);
    for (int i = 0; i < count; i++) {
        char move[KZ_TEXT_BYTES];
        kz_position next = job->position;
        KZ_TRY_OR(done, kz_move_format(job->game, &job->position, moves[i], move, sizeof move, error));
        kz_play(job->game, job->rules, &next, moves[i]);
        uint64_t below = kz_perft(job->game, job->rules, &next, job->depth - 1);
        total += below;
        report_row(report);
        report_text(report, "move", move);
        report_number(report, "count", below);
        report_end_row(report);
        fflush(stdout);
    }
    report_line(report, "total\t%" PRIu64 "\n", total);
done:
    kz_list_close(&memory);
    return status;
}

static kz_status print_perft(const perft_job *job, bool divide, bool as_json, kz_error *error) {
    char position[KZ_TEXT_BYTES];
    KZ_TRY(kz_format(job->game, &job->position, 0, position, sizeof position, error));
    cli_report report = report_begin(stdout, as_json);
    report_game(&report, job->game, job->rules);
    json_text(&report.json, "position", position);
    json_integer(&report.json, "depth", job->depth);
    report_list(&report, divide ? "moves" : "depths");
    kz_status status = KZ_OK;
    if (divide) {
        status = report_division(&report, job, error);
    } else {
        report_depths(&report, job);
    }
    report_end_list(&report);
    report_end(&report);
    return status;
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_asked asked = {.rules = NULL};
    bool divide = false;
    bool json = false;
    const cli_option options[] = {
        OPTION_RULES(&asked),
        OPTION_FLAG("divide", &divide, "count the sequences of DEPTH plies by first move instead"),
        OPTION_JSON(&json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 2, 3));
    perft_job job;
    uint64_t depth;
    kz_error error;
    CLI_TRY(choose_game(command, arguments->items[0], &job.game));
    CLI_TRY(choose_rules(command, job.game, &asked, &job.rules));
    if (!parse_number(arguments->items[1], 1, MOST_DEPTH, &depth)) {
        return report_usage(command, "the depth is a number from 1 to %d, not '%s'", MOST_DEPTH, arguments->items[1]);
    }
    job.depth = (int)depth;
    CLI_TRY(position_operand(arguments, 2, job.game, job.rules, &job.position));
    return exit_code(command, print_perft(&job, divide, json, &error), &error);
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
