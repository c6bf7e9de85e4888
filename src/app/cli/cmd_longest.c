/* SPDX-License-Identifier: MIT
 *
 * kanzen longest: the won positions that take longest. */
#include "listing.h"
#include "progress.h"

#include <kanzen/collect.h>
#include <stdlib.h>

enum { DEFAULT_COUNT = 20 };

static kz_status print_all(const kz_table *table, const kz_found *found, size_t count, bool as_json, kz_error *error) {
    cli_listing listing;
    kz_list memory;
    kz_scored_move *moves = open_moves(&memory, table);
    kz_status status = moves ? KZ_OK : out_of_memory(error);
    listing_begin(&listing, table, as_json);
    listing_open(&listing, "positions", "best");
    for (size_t i = 0; status == KZ_OK && i < count; i++) {
        int move_count;
        status = kz_probe_moves(table, &found[i].position, moves, &move_count, error);
        if (status == KZ_OK) {
            status = listing_add(&listing, &found[i].position, found[i].value, moves[0].move, error);
        }
    }
    listing_end(&listing);
    kz_list_close(&memory);
    return status;
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_rules rules = {NULL, NULL};
    const char *path = NULL;
    uint64_t most = DEFAULT_COUNT;
    uint64_t threads = 0;
    bool quiet = false;
    bool json = false;
    const cli_option options[] = {
        OPTION_RULES(&rules),
        OPTION_TABLE(&path),
        OPTION_NUMBER("count", &most, 1, KZ_COLLECT_MOST, "list N positions (default: 20)"),
        OPTION_THREADS(&threads),
        OPTION_QUIET(&quiet),
        OPTION_JSON(&json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, 1)) {
        return STATUS_USAGE;
    }
    int failure;
    const kz_game *game = choose_game(command, arguments->items[0], &failure);
    if (!game) {
        return failure;
    }
    kz_table *table;
    int code = choose_table(command, game, &rules, path, &table);
    if (code != STATUS_FINE) {
        return code;
    }
    kz_error error = {.status = KZ_ERR_MEMORY, .message = "out of memory"};
    kz_found *found = malloc((size_t)most * sizeof *found);
    kz_status status = KZ_ERR_MEMORY;
    if (found) {
        size_t count;
        cli_progress display;
        progress_begin(&display, quiet);
        status = kz_collect_longest(table, (size_t)most, (int)threads, &display.progress, found, &count, &error);
        progress_end(&display);
        if (status == KZ_OK) {
            status = print_all(table, found, count, json, &error);
        }
    }
    free(found);
    kz_table_close(table);
    return status == KZ_OK ? STATUS_FINE : report_error(command, &error);
}

const cli_command command_longest = {
    .name = "longest",
    .summary = "List the positions with the longest wins",
    .operands = "GAME",
    .help = "Goes over a whole table and prints a line for each of the won positions that take\n"
            "longest, longest first: the position, its value and a best move, separated by tabs.\n"
            "Mirror images and turns are folded.\n",
    .examples = "kanzen longest dobutsu --count 14\n"
                "kanzen longest pushfight --board mini --json\n",
    .run = run,
};
