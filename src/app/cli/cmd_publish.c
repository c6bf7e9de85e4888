/* SPDX-License-Identifier: MIT */
#include "table_list.h"

#include <stdio.h>
#include <stdlib.h>

static void print_publication(const kz_publication *publication, bool as_json) {
    cli_report report = report_begin(stdout, as_json);
    cli_json *json = &report.json;
    json_text(json, "folder", publication->folder);
    json_boolean(json, "metalink", publication->url_count > 0);
    report_list(&report, "tables");
    for (size_t i = 0; i < publication->table_count; i++) {
        const kz_table *table = publication->tables[i].table;
        const kz_game *game = kz_table_game(table);
        report_row(&report);
        report_line(&report, "%s/%s-%s.kzt\n", publication->folder, kz_game_name(game), rules_of(table));
        report_game(&report, game, kz_table_rules(table));
        json_unsigned(json, "table_bytes", kz_table_bytes(table));
        json_text(json, "digest", kz_table_digest(table));
        report_end_row(&report);
    }
    report_end_list(&report);
    report_end(&report);
}

static int publish(const cli_command *command, kz_publication *publication, bool quiet, bool as_json) {
    kz_error error;
    kz_status status = kz_publish(publication, show_progress(quiet), &error);
    end_progress();
    if (publication->in_the_way) {
        return report_message(command, STATUS_IO, "%s; --force replaces it", error.message);
    }
    CLI_TRY(exit_code(command, status, &error));
    print_publication(publication, as_json);
    return STATUS_FINE;
}

static int run_with(cli_arguments *arguments, cli_texts *named, cli_texts *urls) {
    kz_publication publication = {.folder = NULL};
    bool quiet = false;
    bool json = false;
    const cli_option options[] = {
        OPTION_TEXTS("table", named, "FILE", "a table to publish; may be given several times"),
        OPTION_TEXTS("url", urls, "URL",
                     "where the folder will be found, for the metalink file; may be given several times"),
        OPTION_FLAG("force", &publication.replace, "replace files of the folder that have another content"),
        OPTION_QUIET(&quiet),
        OPTION_JSON(&json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, 1 + TABLE_LIST_MOST_GAMES));
    cli_table_list tables = {.count = 0};
    int code = table_list_open(arguments, 1, named, &tables);
    if (code == STATUS_FINE && tables.count == 0) {
        code = report_message(arguments->command, STATUS_IO, "there is no table to publish; kanzen solve makes one");
    }
    if (code == STATUS_FINE) {
        publication.folder = arguments->items[0];
        publication.tables = tables.items;
        publication.table_count = tables.count;
        publication.urls = urls->items;
        publication.url_count = (size_t)urls->count;
        code = publish(arguments->command, &publication, quiet, json);
    }
    table_list_close(&tables);
    return code;
}

static int run(cli_arguments *arguments) {
    size_t most = (size_t)arguments->count + 1;
    cli_texts named = {calloc(most, sizeof *named.items), 0};
    cli_texts urls = {calloc(most, sizeof *urls.items), 0};
    int code = named.items && urls.items ? run_with(arguments, &named, &urls)
                                         : report_message(arguments->command, STATUS_IO, "no memory");
    free(named.items);
    free(urls.items);
    return code;
}

const cli_command command_publish = {
    .name = "publish",
    .summary = "Make a folder of tables that any web server can offer",
    .operands = "FOLDER [GAME...]",
    .help = "Copies tables into FOLDER, after a check of their checksums, and writes three files\n"
            "beside them: index.json, the list that kanzen fetch and the web page read;\n"
            "SHA256SUMS, for sha256sum -c; and tables.meta4, a metalink file (RFC 5854) for\n"
            "programs that download from several hosts, if a URL is given.\n"
            "\n"
            "The tables are those that are named; otherwise those that solve has made for each\n"
            "GAME, and if no GAME is named, for all games that come with Kanzen. The same tables\n"
            "give the same files. Nothing that is there is replaced without --force.\n",
    .examples = "kanzen publish site/tables dobutsu\n"
                "kanzen publish out --table my.kzt --url https://example.org/tables\n",
    .run = run,
};
