/* SPDX-License-Identifier: MIT
 *
 * kanzen puzzles: won positions in which just one move wins. */
#include "listing.h"
#include "progress.h"

#include <kanzen/collect.h>
#include <stdlib.h>

enum { DEFAULT_PER_LENGTH = 5, MOST_PER_LENGTH = 200 };

static kz_status print_all(const kz_table *table, const kz_puzzle *puzzles, size_t count, uint64_t seed, bool as_json,
                           kz_error *error) {
    cli_listing listing;
    kz_status status = KZ_OK;
    listing_begin(&listing, table, as_json);
    if (as_json) {
        json_unsigned(&listing.json, "seed", seed);
    }
    listing_open(&listing, "puzzles", "move");
    listing.only_wins = true;
    for (size_t i = 0; status == KZ_OK && i < count; i++) {
        status = listing_add(&listing, &puzzles[i].position, puzzles[i].value, puzzles[i].move, error);
    }
    listing_end(&listing);
    return status;
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_rules rules = {NULL, NULL};
    const char *path = NULL;
    uint64_t per_length = DEFAULT_PER_LENGTH;
    uint64_t seed = 1;
    uint64_t threads = 0;
    bool quiet = false;
    bool json = false;
    const cli_option options[] = {
        OPTION_RULES(&rules),
        OPTION_TABLE(&path),
        OPTION_NUMBER("per-length", &per_length, 1, MOST_PER_LENGTH, "look for N puzzles of each length (default: 5)"),
        OPTION_NUMBER("seed", &seed, 0, UINT64_MAX, "other puzzles for another number (default: 1)"),
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
    kz_error error;
    kz_puzzle *puzzles = NULL;
    size_t count = 0;
    kz_puzzle_wish wish = {.per_length = (unsigned)per_length, .seed = seed, .threads = (int)threads};
    cli_progress display;
    progress_begin(&display, quiet);
    kz_status status = kz_collect_puzzles(table, &wish, &display.progress, &puzzles, &count, &error);
    progress_end(&display);
    if (status == KZ_OK) {
        status = print_all(table, puzzles, count, seed, json, &error);
    }
    free(puzzles);
    kz_table_close(table);
    return status == KZ_OK ? STATUS_FINE : report_error(command, &error);
}

const cli_command command_puzzles = {
    .name = "puzzles",
    .summary = "Make puzzles: positions in which just one move wins",
    .operands = "GAME",
    .help = "Looks in a table for won positions with several legal moves of which just one wins,\n"
            "a few for each number of plies or turns that a win takes. Prints a line for each:\n"
            "the position, its value and the move, separated by tabs; short ones first.\n"
            "The same seed gives the same puzzles. Some lengths may have fewer than asked for.\n",
    .examples = "kanzen puzzles dobutsu --per-length 3\n"
                "kanzen puzzles pushfight --board mini --seed 7 --json\n",
    .run = run,
};
