/* SPDX-License-Identifier: MIT */
#include "common.h"

#include <kanzen/paths.h>
#include <kanzen/remote.h>
#include <stdio.h>
#include <stdlib.h>

static void print_fetched(const kz_fetch *fetch, bool as_json) {
    cli_report report = report_begin(stdout, as_json);
    cli_json *json = &report.json;
    json_text(json, "game", fetch->game);
    json_text(json, "rules", fetch->rules);
    json_text(json, "from", fetch->from);
    report_text(&report, "table", fetch->path);
    json_unsigned(json, "table_bytes", fetch->bytes);
    json_text(json, "digest", fetch->digest);
    json_boolean(json, "was_there", fetch->was_there);
    json_unsigned(json, "resumed_bytes", fetch->resumed);
    report_end(&report);
}

static int fetch_table(const cli_command *command, kz_fetch *fetch, bool quiet, bool as_json) {
    kz_error error;
    kz_status status = kz_fetch_table(fetch, NULL, show_progress(quiet), &error);
    end_progress();
    if (fetch->in_the_way) {
        return report_message(command, STATUS_IO, "%s; --force replaces it", error.message);
    }
    CLI_TRY(exit_code(command, status, &error));
    print_fetched(fetch, as_json);
    return STATUS_FINE;
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_asked asked = {.rules = NULL};
    kz_fetch fetch = {.from = NULL};
    bool quiet = false;
    bool json = false;
    const cli_option options[] = {
        OPTION_TEXT("from", &fetch.from, "URL",
                    "the folder with the tables and their list (default: the environment variable KANZEN_FROM)"),
        OPTION_RULES(&asked),
        OPTION_TEXT("out", &fetch.path, "FILE", "where the table goes (default: where solve puts it)"),
        OPTION_FLAG("force", &fetch.replace, "replace another table that is there"),
        OPTION_QUIET(&quiet),
        OPTION_JSON(&json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, 1));
    CLI_TRY(refuse_stream(command, "--out", fetch.path, "a table"));
    const kz_game *game;
    int rules;
    CLI_TRY(choose_game(command, arguments->items[0], &game));
    CLI_TRY(choose_rules(command, game, &asked, &rules));
    const char *usual = getenv("KANZEN_FROM");
    if (!fetch.from && usual && usual[0] != '\0') {
        fetch.from = usual;
    }
    if (!fetch.from) {
        return report_usage(command, "where from? Give --from URL, or set KANZEN_FROM");
    }
    fetch.game = kz_game_name(game);
    fetch.rules = kz_rules_name(game, rules);
    char path[KZ_PATH_BYTES];
    kz_error error;
    if (!fetch.path) {
        CLI_TRY(exit_code(command, kz_table_path(fetch.game, fetch.rules, path, sizeof path, &error), &error));
        fetch.path = path;
    }
    return fetch_table(command, &fetch, quiet, json);
}

const cli_command command_fetch = {
    .name = "fetch",
    .summary = "Fetch a table from a web server",
    .operands = "GAME",
    .help = "Reads the list of tables at the URL (index.json, docs/format-manifest.md), fetches the\n"
            "table of GAME, and prints where it is. The table takes its place only when its size\n"
            "and its SHA-256 are those of the list. If the fetch is interrupted, the next one goes\n"
            "on where it ended. A table that is there already is not fetched again.\n"
            "\n"
            "kanzen publish makes such a folder, and every kanzen serve has one, /tables. A server\n"
            "that sends less than 1,024 bytes a second for 30 seconds is given up; the environment\n"
            "variable KANZEN_TIMEOUT says how many seconds. The exit code is 3 if the table can't be\n"
            "had, and 4 if what comes is not the table.\n",
    .examples = "kanzen fetch dobutsu --from https://example.org/tables\n"
                "kanzen fetch pushfight --board mini --from http://127.0.0.1:8080/tables\n",
    .run = run,
};
