/* SPDX-License-Identifier: MIT */
#include "app/cli/common.h"

#include <kanzen/dobutsu_files.h>
#include <stdio.h>

typedef struct table_comparison {
    const char *file;
    const kz_table *table;
    kz_dobutsu_clausecker_report report;
    bool same;
    char position[KZ_TEXT_BYTES]; /* that differs */
} table_comparison;

static void print_comparison(const table_comparison *comparison, bool as_json) {
    const kz_dobutsu_clausecker_report *found = &comparison->report;
    const kz_game *game = kz_table_game(comparison->table);
    cli_report report = report_begin(stdout, as_json);
    cli_json *json = &report.json;
    char value[VALUE_BYTES];
    json_boolean(json, "ok", comparison->same);
    report_title(&report, game, kz_table_rules(comparison->table));
    json_text(json, "file", comparison->file);
    if (comparison->same) {
        report_count(&report, "same", "same", found->wins + found->losses + found->draws, "");
        report_count(&report, "wins", "wins", found->wins, "");
        report_count(&report, "losses", "losses", found->losses, "");
        report_count(&report, "draws", "draws", found->draws, "");
        report_count(&report, "won_at_once", "won at once", found->at_once, "");
        report_count(&report, "unused", "unused", found->unused, "");
    } else {
        json_object(json, "difference");
        report_count(&report, "byte", "differ at byte", found->offset, "");
        report_field(&report, "position", "position", comparison->position);
        report_line(&report, "%-14s %s\n", "table", format_value(game, found->ours, value));
        report_line(&report, "%-14s %s\n", "file", format_value(game, found->theirs, value));
        json_value_object(json, "table", game, found->ours);
        json_value_object(json, "file", game, found->theirs);
        json_end_object(json);
    }
    report_line(&report, comparison->same ? "ok\n" : "not ok\n");
    report_end(&report);
}

static int compare(const cli_command *command, const kz_dobutsu_clausecker *file, const cli_work *work,
                   table_comparison *comparison) {
    kz_error error;
    kz_status status = kz_dobutsu_clausecker_compare(file, comparison->table, (int)work->threads,
                                                     show_progress(work->quiet), &comparison->report, &error);
    end_progress();
    comparison->same = status == KZ_OK;
    if (status == KZ_ERR_MISMATCH) {
        status = kz_format(kz_table_game(comparison->table), &comparison->report.position, 0, comparison->position,
                           sizeof comparison->position, &error);
    }
    CLI_TRY(exit_code(command, status, &error));
    print_comparison(comparison, work->json);
    return comparison->same ? STATUS_FINE : STATUS_NO;
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_asked asked = {.rules = "official"};
    cli_work work = {0};
    const cli_option options[] = {OPTION_TABLE(&asked), OPTIONS_WORK(&work), OPTION_END};
    CLI_TRY(read_options(arguments, options, 1, 1));
    kz_error error;
    kz_dobutsu_clausecker *file;
    kz_table *table;
    table_comparison comparison = {.file = arguments->items[0]};
    CLI_TRY(end_work(command, kz_dobutsu_clausecker_open(comparison.file, show_progress(work.quiet), &file, &error),
                     &error));
    int code = open_table(command, kz_game_find("dobutsu"), &asked, USE_WHOLE, &table);
    if (code == STATUS_FINE) {
        comparison.table = table;
        code = compare(command, file, &work, &comparison);
        kz_table_close(table);
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
