/* SPDX-License-Identifier: MIT */
#include "app/cli/common.h"
#include "app/cli/progress.h"

#include <kanzen/dobutsu_files.h>
#include <stdio.h>

typedef struct table_comparison {
    const char *file;
    const kz_table *table;
    kz_dobutsu_clausecker_report report;
    bool same;
    char position[KZ_TEXT_BYTES]; /* that differs */
} table_comparison;

static void print_count(const char *label, uint64_t count) {
    char text[THOUSANDS_BYTES];
    printf("%-14s %15s\n", label, format_thousands(count, text));
}

static void print_text(const table_comparison *comparison) {
    const kz_dobutsu_clausecker_report *report = &comparison->report;
    const kz_game *game = kz_table_game(comparison->table);
    char value[VALUE_BYTES];
    printf("%s, %s rules\n", kz_game_name(game), rules_of(comparison->table));
    if (comparison->same) {
        print_count("same", report->wins + report->losses + report->draws);
        print_count("wins", report->wins);
        print_count("losses", report->losses);
        print_count("draws", report->draws);
        print_count("won at once", report->at_once);
        print_count("unused", report->unused);
    } else {
        print_count("differ at byte", report->offset);
        printf("%-14s %s\n", "position", comparison->position);
        printf("%-14s %s\n", "table", format_value(game, report->ours, value));
        printf("%-14s %s\n", "file", format_value(game, report->theirs, value));
    }
    puts(comparison->same ? "ok" : "not ok");
}

static void print_json(const table_comparison *comparison) {
    const kz_dobutsu_clausecker_report *report = &comparison->report;
    const kz_game *game = kz_table_game(comparison->table);
    cli_json json = json_start(stdout);
    json_object(&json, NULL);
    json_boolean(&json, "ok", comparison->same);
    json_text(&json, "game", kz_game_name(game));
    json_text(&json, "rules", rules_of(comparison->table));
    json_text(&json, "file", comparison->file);
    if (comparison->same) {
        json_unsigned(&json, "same", report->wins + report->losses + report->draws);
        json_unsigned(&json, "wins", report->wins);
        json_unsigned(&json, "losses", report->losses);
        json_unsigned(&json, "draws", report->draws);
        json_unsigned(&json, "won_at_once", report->at_once);
        json_unsigned(&json, "unused", report->unused);
    } else {
        json_object(&json, "difference");
        json_unsigned(&json, "byte", report->offset);
        json_text(&json, "position", comparison->position);
        json_object(&json, "table");
        json_value(&json, game, report->ours);
        json_end_object(&json);
        json_object(&json, "file");
        json_value(&json, game, report->theirs);
        json_end_object(&json);
        json_end_object(&json);
    }
    json_end_object(&json);
    json_finish(&json);
}

static int compare(const cli_command *command, const kz_dobutsu_clausecker *file, const cli_work *work,
                   cli_progress *display, table_comparison *comparison) {
    kz_error error;
    kz_status status = kz_dobutsu_clausecker_compare(file, comparison->table, (int)work->threads, &display->progress,
                                                     &comparison->report, &error);
    progress_end(display);
    comparison->same = status == KZ_OK;
    if (status == KZ_ERR_MISMATCH && kz_format(kz_table_game(comparison->table), &comparison->report.position, 0,
                                               comparison->position, sizeof comparison->position, &error) != KZ_OK) {
        return report_error(command, &error);
    }
    if (status != KZ_OK && status != KZ_ERR_MISMATCH) {
        return report_error(command, &error);
    }
    (work->json ? print_json : print_text)(comparison);
    return comparison->same ? STATUS_FINE : STATUS_NO;
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    const cli_rules official = {"official", NULL};
    const char *path = NULL;
    cli_work work = {0};
    const cli_option options[] = {
        OPTION_TABLE(&path), OPTION_THREADS(&work.threads), OPTION_QUIET(&work.quiet), OPTION_JSON(&work.json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, 1)) {
        return STATUS_USAGE;
    }
    kz_error error;
    kz_dobutsu_clausecker *file;
    kz_table *table;
    table_comparison comparison = {.file = arguments->items[0]};
    cli_progress display;
    progress_begin(&display, work.quiet);
    if (kz_dobutsu_clausecker_open(comparison.file, &display.progress, &file, &error) != KZ_OK) {
        progress_end(&display);
        return report_error(command, &error);
    }
    progress_pause(&display);
    int code = choose_table(command, kz_game_find("dobutsu"), &official, path, &table);
    if (code == STATUS_FINE) {
        comparison.table = table;
        code = compare(command, file, &work, &display, &comparison);
        kz_table_close(table);
    } else {
        progress_end(&display);
    }
    kz_dobutsu_clausecker_close(file);
    return code;
}

const cli_command command_compare = {
    .name = "compare",
    .summary = "Compare a table with that of another solver",
    .operands = "FILE",
    .help = "FILE is the table of Robert Clausecker's solver of Dobutsu Shogi: dobutsu.tb, or\n"
            "dobutsu.tb.xz. All of its entries are compared with the table of the official\n"
            "rules: who wins, and in how many plies. Prints how many positions have the same\n"
            "value and 'ok'; or the first entry that differs, with its position and both\n"
            "values, and 'not ok'. The exit code is 1 then, and 4 if the file does not have the\n"
            "size of such a table or can't be unpacked.\n"
            "\n"
            "The file does not have the values of positions that are won at once, nor those in\n"
            "which the side to move has fewer pieces than the other, which follow from others.\n",
    .examples = "kanzen compare dobutsu.tb.xz\n",
    .run = run,
};
