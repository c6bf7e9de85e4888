/* SPDX-License-Identifier: MIT */
#include "common.h"

#include <stdio.h>

/* The position that a wrong value belongs to, in the canonical notation; empty if there is none. */
static void first_wrong_position(const kz_table *table, const kz_verify_report *report, char text[KZ_TEXT_BYTES]) {
    text[0] = '\0';
    if (report->wrong > 0) {
        kz_position position;
        /* What a table wrongly has a value for may be a hole. */
        if (!kz_unrank(kz_table_game(table), kz_table_rules(table), report->first_wrong, &position) ||
            kz_format(kz_table_game(table), &position, 0, text, KZ_TEXT_BYTES, NULL) != KZ_OK) {
            text[0] = '\0';
        }
    }
}

static void print_report(const kz_table *table, const kz_verify_report *found, bool good, bool as_json) {
    char wrong[KZ_TEXT_BYTES];
    cli_report report = report_begin(stdout, as_json);
    cli_json *json = &report.json;
    first_wrong_position(table, found, wrong);
    json_boolean(json, "ok", good);
    report_title(&report, kz_table_game(table), kz_table_rules(table));
    report_count(&report, "positions", "positions", found->positions, "");
    report_count(&report, "wins", "wins", found->wins, "");
    report_count(&report, "losses", "losses", found->losses, "");
    report_count(&report, "draws", "draws", found->draws, "");
    report_count(&report, "wrong", "wrong", found->wrong, "");
    if (wrong[0] != '\0') {
        report_field(&report, "first_wrong", "first wrong", wrong);
    } else {
        json_null(json, "first_wrong");
    }
    report_field(&report, "digest", "digest", kz_table_digest(table));
    json_text(json, "sha256", kz_table_digest(table)); /* its name before 0.3 */
    report_line(&report, good ? "ok\n" : "not ok\n");
    report_end(&report);
}

/* Opens the file, or the table of the game that is named instead. */
static int open_named(const cli_arguments *arguments, cli_asked *asked, const char *game_name, kz_table **table) {
    const cli_command *command = arguments->command;
    const kz_game *game = NULL;
    if (names_game(arguments->items[0])) {
        return open_table_of(arguments, asked, USE_WHOLE, table);
    }
    if (game_name) {
        CLI_TRY(choose_game(command, game_name, &game));
    }
    asked->table = arguments->items[0];
    return open_table(command, game, asked, USE_WHOLE, table);
}

static int run(cli_arguments *arguments) {
    cli_asked asked = {.table = NULL};
    const char *game = NULL;
    cli_work work = {.threads = 0};
    const cli_option options[] = {
        OPTION_TEXT("game", &game, "GAME", "the game that the table is of, if it does not come with Kanzen"),
        OPTION_RULES(&asked),
        OPTIONS_WORK(&work),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, 1));
    kz_table *table;
    kz_error error;
    CLI_TRY(open_named(arguments, &asked, game, &table));
    kz_verify_report report = {0};
    kz_status status = kz_table_verify(table, (int)work.threads, show_progress(work.quiet), &report, &error);
    end_progress();
    /* Of other failures there is nothing to report but the message. */
    if (status == KZ_OK || status == KZ_ERR_MISMATCH) {
        print_report(table, &report, status == KZ_OK, work.json);
    }
    kz_table_close(table);
    return exit_code(arguments->command, status, &error);
}

const cli_command command_verify = {
    .name = "verify",
    .summary = "Prove that every value in a table is right",
    .operands = "FILE",
    .help = "Compares the checksums of the table FILE, which may be a URL. FILE may also be a\n"
            "game (a name, or ./NAME.so): that means the table that solve has made for it. Then derives every\n"
            "value again from the values of the positions after it, by a second implementation\n"
            "of the rules that the solver does not use (a game in a file need not have one; then\n"
            "its only one is used). Prints what it counted and 'ok'. The exit code is 1 if a\n"
            "value is wrong and 4 if the file is damaged. Of an excerpt (kanzen excerpt) the\n"
            "positions are checked whose successors are all in it.\n",
    .examples = "kanzen verify ~/.local/share/kanzen/dobutsu-official.kzt\n"
                "kanzen verify ./tictactoe.so\n"
                "kanzen verify table.kzt --game ./tictactoe.so\n",
    .run = run,
};
