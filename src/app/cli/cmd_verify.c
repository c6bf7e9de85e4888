/* SPDX-License-Identifier: MIT */
#include "common.h"
#include "progress.h"

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

static void print_count(const char *label, uint64_t count) {
    char text[THOUSANDS_BYTES];
    printf("%-14s %15s\n", label, format_thousands(count, text));
}

static void print_text(const kz_table *table, const kz_verify_report *report, bool good) {
    char wrong[KZ_TEXT_BYTES];
    first_wrong_position(table, report, wrong);
    printf("%s, %s rules\n", kz_game_name(kz_table_game(table)), rules_of(table));
    print_count("positions", report->positions);
    print_count("wins", report->wins);
    print_count("losses", report->losses);
    print_count("draws", report->draws);
    print_count("wrong", report->wrong);
    if (wrong[0] != '\0') {
        printf("%-14s %s\n", "first wrong", wrong);
    }
    printf("%-14s %s\n", "digest", kz_table_digest(table));
    puts(good ? "ok" : "not ok");
}

static void print_json(const kz_table *table, const kz_verify_report *report, bool good) {
    char wrong[KZ_TEXT_BYTES];
    first_wrong_position(table, report, wrong);
    cli_json json = json_start(stdout);
    json_object(&json, NULL);
    json_boolean(&json, "ok", good);
    json_text(&json, "game", kz_game_name(kz_table_game(table)));
    json_text(&json, "rules", rules_of(table));
    json_unsigned(&json, "positions", report->positions);
    json_unsigned(&json, "wins", report->wins);
    json_unsigned(&json, "losses", report->losses);
    json_unsigned(&json, "draws", report->draws);
    json_unsigned(&json, "wrong", report->wrong);
    json_text(&json, "first_wrong", wrong[0] != '\0' ? wrong : NULL);
    json_text(&json, "digest", kz_table_digest(table));
    json_text(&json, "sha256", kz_table_digest(table)); /* its name before 0.3 */
    json_end_object(&json);
    json_finish(&json);
}

/* Opens the file, or the table of the game that is named instead. */
static int open_named(const cli_arguments *arguments, const cli_rules *rules, const char *game_name, kz_table **table) {
    const cli_command *command = arguments->command;
    const char *operand = arguments->items[0];
    int failure;
    if (names_game(operand)) {
        const kz_game *game = choose_game(command, operand, &failure);
        return !game ? failure : choose_table(command, game, rules, NULL, table);
    }
    if (game_name) {
        const kz_game *game = choose_game(command, game_name, &failure);
        return !game ? failure : choose_table(command, game, rules, operand, table);
    }
    kz_error error;
    return open_table_of(operand, NULL, table, &error) == KZ_OK ? check_rules(command, rules, operand, table)
                                                                : report_error(command, &error);
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_rules rules = {NULL, NULL};
    const char *game = NULL;
    cli_work work = {.threads = 0};
    const cli_option options[] = {
        OPTION_TEXT("game", &game, "GAME", "the game that the table is of, if it does not come with Kanzen"),
        OPTION_RULES(&rules),
        OPTION_THREADS(&work.threads),
        OPTION_QUIET(&work.quiet),
        OPTION_JSON(&work.json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, 1)) {
        return STATUS_USAGE;
    }
    kz_table *table = NULL;
    kz_error error;
    int code = open_named(arguments, &rules, game, &table);
    if (code != STATUS_FINE) {
        return code;
    }
    cli_progress display;
    kz_verify_report report = {0};
    progress_begin(&display, work.quiet);
    kz_status status = kz_table_verify(table, (int)work.threads, &display.progress, &report, &error);
    progress_end(&display);
    /* Of other failures there is nothing to report but the message. */
    if (status == KZ_OK || status == KZ_ERR_MISMATCH) {
        (work.json ? print_json : print_text)(table, &report, status == KZ_OK);
    }
    kz_table_close(table);
    return status == KZ_OK ? STATUS_FINE : report_error(command, &error);
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
