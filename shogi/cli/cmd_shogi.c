/* SPDX-License-Identifier: MIT
 *
 * kanzen shogi: files of shogi positions. */
#include "commands.h"

#include <kanzen/shogi_files.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Options that several subcommands have. */
typedef struct record_request {
    const cli_command *command;
    const char *record;
    const char *dialect;
    const char *memory;
    kz_shogi_source source;
    kz_shogi_file_options options;
    uint64_t threads;
    uint64_t count;
    bool force;
    bool quiet;
    bool json;
} record_request;

/* clang-format off */
#define OPTIONS_OF_SOURCE(request_)                                                                            \
    OPTION_TEXT("from", &(request_)->record, "RECORDS", "which records FILE has (default: its name tells)"), \
    OPTION_TEXT("record", &(request_)->record, "RECORDS", "", .old = true), \
    OPTION_TEXT("dialect", &(request_)->dialect, "NAME", "of moves in 16 bits: yaneuraou, drops82 or apery",   \
                .words = DIALECT_WORDS),                                                                       \
    OPTION_FLAG("no-box", &(request_)->options.without_box,                                                    \
                "handicaps may lack the codes of the removed pieces, as in records of before 2024"),           \
    OPTION_NUMBER("skip", &(request_)->source.first, 0, UINT64_MAX, "pass over the first N records"), \
    OPTION_NUMBER("first", &(request_)->source.first, 0, UINT64_MAX, "", .old = true)
#define OPTION_COUNT(request_) \
    OPTION_NUMBER("count", &(request_)->count, 1, UINT64_MAX, "only so many records")
#define OPTION_SEED(request_) \
    OPTION_NUMBER("seed", &(request_)->options.seed, 0, UINT64_MAX, "another number gives another order (default: 1)")
#define OPTIONS_OF_MEMORY(request_)                                                                            \
    OPTION_TEXT("memory", &(request_)->memory, "SIZE",                                                         \
                "bytes to use, like 800M or 16G (default: a quarter of the machine's)"),                       \
    OPTION_TEXT("scratch", &(request_)->options.scratch, "FOLDER",                                             \
                "where temporary files go (default: beside OUT)")
#define OPTION_LEGAL(request_) \
    OPTION_FLAG("legal", &(request_)->options.legal, "positions that are not legal are bad")
#define OPTION_SKIP_BAD(request_)                                                                              \
    OPTION_FLAG("skip-bad", &(request_)->options.skip_bad,                                                     \
                "leave out bad records; otherwise the first one is an error")
#define OPTION_FORCE(request_) OPTION_FLAG("force", &(request_)->force, "replace OUT if it is there already")
/* For those that copy records without a look into them. */
#define OPTION_SKIP_CUT(request_)                                                                              \
    OPTION_FLAG("skip-bad", &(request_)->options.skip_bad,                                                     \
                "leave out a last record that is cut short; otherwise it is an error (shogi check finds "      \
                "other bad records, which are copied)")
/* clang-format on */

/* Fills in the source, after the options have been read. */
static int choose_source(record_request *request, const char *path) {
    request->source.path = path;
    request->source.record = record_of_option_or_path(request->command, "from", request->record, path);
    request->source.count = request->count;
    request->options.threads = (int)request->threads;
    return request->source.record == KZ_SHOGI_RECORDS
               ? STATUS_USAGE
               : dialect_of_option(request->command, "dialect", request->dialect, &request->source.dialect);
}

/* ---- check ------------------------------------------------------------------------------------------------------- */

static void report_dialects(cli_report *report, unsigned dialects, bool in_text) {
    char list[128] = "";
    report_list(report, "dialects");
    for (kz_shogi_dialect dialect = 0; dialect < KZ_SHOGI_DIALECTS; dialect++) {
        if ((dialects >> dialect & 1) != 0) {
            size_t length = strlen(list);
            snprintf(list + length, sizeof list - length, "%s%s", length > 0 ? ", " : "",
                     kz_shogi_dialect_name(dialect));
            json_text(&report->json, NULL, kz_shogi_dialect_name(dialect));
        }
    }
    report_end_list(report);
    if (in_text) {
        report_line(report, "%-16s %s\n", "moves fit", dialects == 0 ? "no dialect" : list);
    }
}

static void print_check(const record_request *request, const kz_shogi_file_report *found) {
    const kz_shogi_record_info *info = kz_shogi_record_at(request->source.record);
    cli_report report = report_begin(stdout, request->json);
    cli_json *json = &report.json;
    bool moves = request->json || found->moves > 0;
    char text[THOUSANDS_BYTES];
    report.label = 16;
    json_boolean(json, "ok", found->bad == 0);
    json_text(json, "file", request->source.path);
    json_text(json, "record", info->name);
    report_line(&report, "%s, %s\n", request->source.path, info->name);
    report_count(&report, "read", "records", found->read, "");
    json_bad_records(json, request->source.record, found);
    report_count(&report, NULL, "bad", found->bad, "");
    for (kz_shogi_defect defect = 0; defect < KZ_SHOGI_DEFECTS; defect++) {
        if (found->defects[defect] > 0) {
            report_line(&report, "  %-14s %15s  %s\n", kz_shogi_defect_name(defect),
                        format_thousands(found->defects[defect], text), kz_shogi_defect_text(defect));
        }
    }
    if (request->json || info->bytes != 0) {
        report_count(&report, "not_canonical", "not canonical", found->not_canonical, "");
    }
    report_count(&report, "not_legal", "not legal", found->not_legal, "");
    if (moves) {
        report_count(&report, "moves", "moves", found->moves, "");
        report_count(&report, "impossible_moves", "impossible moves", found->impossible_moves, "");
        report_dialects(&report, found->dialects, info->bytes != 0);
    }
    report_losses(&report, found);
    report_line(&report, found->bad == 0 ? "ok\n" : "not ok\n");
    report_end(&report);
}

static int run_check(cli_arguments *arguments) {
    record_request request = {.command = arguments->command};
    const cli_option options[] = {
        OPTIONS_OF_SOURCE(&request),      OPTION_COUNT(&request),
        OPTION_LEGAL(&request),           OPTION_UNSEARCHED(&request.options.unsearched),
        OPTION_THREADS(&request.threads), OPTION_QUIET(&request.quiet),
        OPTION_JSON(&request.json),       OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, 1));
    CLI_TRY(choose_source(&request, arguments->items[0]));
    kz_shogi_file_report report;
    kz_error error;
    CLI_TRY(end_work(
        request.command,
        kz_shogi_check_file(&request.source, &request.options, show_progress(request.quiet), &report, &error), &error));
    print_offenders(request.command, request.source.record, request.source.path, &report);
    print_check(&request, &report);
    return report.bad == 0 ? STATUS_FINE : STATUS_NO;
}

/* ---- stats ------------------------------------------------------------------------------------------------------- */

static int run_stats(cli_arguments *arguments) {
    record_request request = {.command = arguments->command};
    const char *svg = NULL;
    shogi_filter asked = {.clip = 0};
    const cli_option options[] = {
        OPTIONS_OF_SOURCE(&request),
        OPTION_COUNT(&request),
        OPTION_UNSEARCHED(&request.options.unsearched),
        OPTIONS_OF_FILTER(&asked),
        OPTION_TEXT("svg", &svg, "FILE", "draw a diagram to FILE instead; '-' is standard output"),
        OPTION_THREADS(&request.threads),
        OPTION_QUIET(&request.quiet),
        OPTION_JSON(&request.json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, 1));
    CLI_TRY(choose_source(&request, arguments->items[0]));
    kz_shogi_filter filter;
    CLI_TRY(read_filter(request.command, &asked, &filter));
    request.options.filter = &filter;
    if (svg && request.json) {
        return report_usage(request.command, "--svg and --json don't go together");
    }
    const char *slash = strrchr(request.source.path, '/');
    shogi_stats stats = {.name = slash ? slash + 1 : request.source.path, .record = request.source.record};
    kz_error error;
    kz_status status = kz_shogi_file_statistics(&request.source, &request.options, show_progress(request.quiet),
                                                &stats.counts, &error);
    end_progress();
    if (status == KZ_OK && svg) {
        status = write_shogi_stats_svg(&stats, svg, &error);
    } else if (status == KZ_OK) {
        print_shogi_stats(&stats, request.json);
    }
    if (status == KZ_OK && stats.counts.bad > 0) {
        char bad[THOUSANDS_BYTES];
        (void)report_message(request.command, STATUS_FINE,
                             "bad records of %s that were passed over: %s; kanzen shogi check names them", stats.name,
                             format_thousands(stats.counts.bad, bad));
    }
    return exit_code(request.command, status, &error);
}

/* ---- shuffle, dedupe, sample ------------------------------------------------------------------------------------- */

typedef kz_status rewrite(record_request *request, const kz_shogi_target *target, const kz_progress *progress,
                          kz_shogi_file_report *report, kz_error *error);

/* On standard error when the records themselves go to standard output. */
static void print_rewritten(const record_request *request, const kz_shogi_target *target,
                            const kz_shogi_file_report *found) {
    bool stdout_is_free = strcmp(target->path, "-") != 0;
    cli_report report = report_begin(stdout_is_free ? stdout : stderr, request->json);
    report.label = 16;
    report_count(&report, "read", "records", found->read, "");
    report_count(&report, "written", "written", found->written, "");
    report_if_any(&report, "repeated", "repeated", found->repeated);
    json_bad_records(&report.json, request->source.record, found);
    report_if_any(&report, NULL, "bad", found->bad);
    if (stdout_is_free) {
        report_line(&report, "%s\n", target->path);
    }
    json_text(&report.json, "file", target->path);
    report_end(&report);
}

/* What these have in common: from the file of the first operand to that of the second. */
static int run_rewrite(record_request *request, cli_arguments *arguments, rewrite *work) {
    CLI_TRY(choose_source(request, arguments->items[0]));
    CLI_TRY(memory_of_option(request->command, request->memory, &request->options.memory));
    kz_shogi_target target = {.path = arguments->items[1],
                              .record = request->source.record,
                              .dialect = request->source.dialect,
                              .replace = request->force};
    kz_shogi_record named = record_of_path(target.path);
    if (named != KZ_SHOGI_RECORDS && named != target.record) {
        return report_usage(request->command,
                            "%s is the name of a file of %s, and the records are %s, which are kept as they are; take "
                            "another name, and kanzen convert shogi to convert them",
                            target.path, kz_shogi_record_at(named)->name, kz_shogi_record_at(target.record)->name);
    }
    if (strcmp(target.path, "-") != 0) {
        CLI_TRY(check_replacing(request->command, target.path, request->force));
    }
    kz_shogi_file_report report = {0};
    kz_error error;
    CLI_TRY(end_work(request->command, work(request, &target, show_progress(request->quiet), &report, &error), &error));
    print_offenders(request->command, request->source.record, request->source.path, &report);
    print_rewritten(request, &target, &report);
    return report.bad == 0 ? STATUS_FINE : STATUS_NO;
}

static kz_status shuffle(record_request *request, const kz_shogi_target *target, const kz_progress *progress,
                         kz_shogi_file_report *report, kz_error *error) {
    return kz_shogi_shuffle(&request->source, target, &request->options, progress, report, error);
}

static int run_shuffle(cli_arguments *arguments) {
    record_request request = {.command = arguments->command, .options.seed = 1};
    const cli_option options[] = {
        OPTIONS_OF_SOURCE(&request),
        OPTION_COUNT(&request),
        OPTION_SEED(&request),
        OPTIONS_OF_MEMORY(&request),
        OPTION_FORCE(&request),
        OPTION_SKIP_CUT(&request),
        OPTION_THREADS(&request.threads),
        OPTION_QUIET(&request.quiet),
        OPTION_JSON(&request.json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 2, 2));
    return run_rewrite(&request, arguments, shuffle);
}

static kz_status dedupe(record_request *request, const kz_shogi_target *target, const kz_progress *progress,
                        kz_shogi_file_report *report, kz_error *error) {
    return kz_shogi_dedupe(&request->source, target, &request->options, progress, report, error);
}

static int run_dedupe(cli_arguments *arguments) {
    record_request request = {.command = arguments->command};
    const cli_option options[] = {
        OPTIONS_OF_SOURCE(&request),      OPTION_COUNT(&request),
        OPTIONS_OF_MEMORY(&request),      OPTION_LEGAL(&request),
        OPTION_FORCE(&request),           OPTION_SKIP_BAD(&request),
        OPTION_THREADS(&request.threads), OPTION_QUIET(&request.quiet),
        OPTION_JSON(&request.json),       OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 2, 2));
    return run_rewrite(&request, arguments, dedupe);
}

/* Here the count is that of the records to write. */
static kz_status sample(record_request *request, const kz_shogi_target *target, const kz_progress *progress,
                        kz_shogi_file_report *report, kz_error *error) {
    request->source.count = 0;
    return kz_shogi_sample(&request->source, target, request->count, &request->options, progress, report, error);
}

static int run_sample(cli_arguments *arguments) {
    record_request request = {.command = arguments->command, .options.seed = 1};
    const cli_option options[] = {
        OPTIONS_OF_SOURCE(&request),  OPTION_COUNT(&request),     OPTION_SEED(&request),
        OPTION_FORCE(&request),       OPTION_SKIP_CUT(&request),  OPTION_THREADS(&request.threads),
        OPTION_QUIET(&request.quiet), OPTION_JSON(&request.json), OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 2, 2));
    if (request.count == 0) {
        return report_usage(request.command, "how many records? Say --count N");
    }
    return run_rewrite(&request, arguments, sample);
}

/* ---- head, cat --------------------------------------------------------------------------------------------------- */

/* `count`: how many records are printed by default; 0: all. */
static int print_records(cli_arguments *arguments, uint64_t count, bool quiet) {
    record_request request = {.command = arguments->command, .count = count, .quiet = quiet};
    bool sfen = false;
    const cli_option options[] = {
        OPTIONS_OF_SOURCE(&request),
        OPTION_COUNT(&request),
        OPTION_FLAG("sfen", &sfen, "only the position, a line each"),
        OPTION_UNSEARCHED(&request.options.unsearched),
        OPTION_SKIP_BAD(&request),
        OPTION_THREADS(&request.threads),
        OPTION_QUIET(&request.quiet),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, 1));
    CLI_TRY(choose_source(&request, arguments->items[0]));
    kz_shogi_target target = {
        .path = "-", .record = sfen ? KZ_SHOGI_RECORD_SFEN : KZ_SHOGI_RECORD_PLAIN, .dialect = KZ_SHOGI_DIALECTS};
    kz_shogi_file_report report = {0};
    kz_error error;
    CLI_TRY(end_work(request.command,
                     kz_shogi_convert(&request.source, &target, &request.options,
                                      show_progress(request.quiet || isatty(STDOUT_FILENO) != 0), &report, &error),
                     &error));
    print_offenders(request.command, request.source.record, request.source.path, &report);
    return report.bad == 0 ? STATUS_FINE : STATUS_NO;
}

static int run_cat(cli_arguments *arguments) { return print_records(arguments, 0, false); }

/* People expect -n from a command of that name. */
static int run_head(cli_arguments *arguments) {
    static char count[] = "--count";
    for (int i = 0; i < arguments->count; i++) {
        if (strcmp(arguments->items[i], "-n") == 0) {
            arguments->items[i] = count;
        }
    }
    return print_records(arguments, 10, true);
}

/* ---- show -------------------------------------------------------------------------------------------------------- */

/* The operands as one text: an SFEN has spaces in it, and need not be quoted. */
static char *join(const cli_arguments *arguments) {
    size_t size = 1;
    for (int i = 0; i < arguments->count; i++) {
        size += strlen(arguments->items[i]) + 1;
    }
    char *text = malloc(size);
    if (text) {
        char *end = text;
        for (int i = 0; i < arguments->count; i++) {
            end += sprintf(end, "%s%s", i > 0 ? " " : "", arguments->items[i]);
        }
    }
    return text;
}

static int run_show(cli_arguments *arguments) {
    record_request request = {.command = arguments->command};
    const cli_option options[] = {
        OPTION_TEXT("from", &request.record, "RECORDS", "POSITION is such a record in hexadecimal digits"),
        OPTION_TEXT("record", &request.record, "RECORDS", "", .old = true),
        OPTION_TEXT("dialect", &request.dialect, "NAME", "of its move: yaneuraou, drops82 or apery",
                    .words = DIALECT_WORDS),
        OPTION_JSON(&request.json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, MANY_OPERANDS));
    kz_shogi_record record = KZ_SHOGI_RECORD_SFEN;
    kz_shogi_dialect dialect;
    if (request.record) {
        record = record_of_option_or_path(request.command, "from", request.record, "");
    }
    if (record == KZ_SHOGI_RECORDS) {
        return STATUS_USAGE;
    }
    CLI_TRY(dialect_of_option(request.command, "dialect", request.dialect, &dialect));
    char *text = join(arguments);
    kz_shogi_position position;
    kz_shogi_note note;
    kz_error error = {.status = KZ_ERR_MEMORY, .message = "out of memory"};
    kz_status status = KZ_ERR_MEMORY;
    if (text) {
        status = record == KZ_SHOGI_RECORD_SFEN ? kz_shogi_read_sfen_line(text, strlen(text), &position, &note, &error)
                                                : read_hex_record(record, dialect, text, &position, &note, &error);
    }
    free(text);
    CLI_TRY(exit_code(request.command, status, &error));
    show_shogi_position(&position, &note, request.json);
    return STATUS_FINE;
}

/* ---- The commands ------------------------------------------------------------------------------------------------ */

#define HELP_RECORDS                                                                                                   \
    "RECORDS are sspf, sspfx, sspfc, psfen, hcp, psv, sspv, hcpe, hcpe2, hcpe3, sfen,\n"                               \
    "plain, csa, kif, ki2, usi, pack or nshogi; without --from the ending of the file's\n"                             \
    "name tells (.bin is psv, .txt is plain)."
#define HELP_REWRITE                                                                                                   \
    "FILE has records of fixed size, whose bytes are kept. It takes little memory,\n"                                  \
    "however large the files are. OUT may be '-', standard output.\n"

const cli_command command_shogi = {
    .name = "shogi",
    .summary = "Check, count, shuffle and show files of shogi positions",
    .operands = "",
    .help = "Shogi is not solved; these commands are for files of its positions, as programs\n"
            "that learn from them use them. kanzen convert shogi converts them.\n",
};

const cli_command command_shogi_check = {
    .name = "shogi check",
    .summary = "Look for bad records in a file of shogi positions",
    .operands = "FILE",
    .help = "Looks at every record: bad ones by their defect and the first of them, records that\n"
            "are not canonical, positions that are not legal, moves that can't be made, and the\n"
            "dialects of 16-bit moves that fit. The exit code is 1 if there are bad records.\n"
            "FILE may be '-', standard input.\n"
            "\n" HELP_RECORDS "\n",
    .examples = "kanzen shogi check games.psv\n",
    .run = run_check,
};

const cli_command command_shogi_stats = {
    .name = "shogi stats",
    .summary = "Count results, plies, scores and pieces in a file of shogi positions",
    .operands = "FILE",
    .help = "Prints totals, and a line with a bar for each range. FILE may be '-', standard input.\n"
            "\n" HELP_RECORDS "\n",
    .examples = "kanzen shogi stats games.psv\n",
    .run = run_stats,
};

const cli_command command_shogi_shuffle = {
    .name = "shogi shuffle",
    .summary = "Write the records of a file in a random order",
    .operands = "FILE OUT",
    .help = "The seed decides the order; every order is equally likely.\n"
            "\n" HELP_REWRITE "\n" HELP_RECORDS "\n",
    .examples = "kanzen shogi shuffle games.psv shuffled.psv --seed 7\n",
    .run = run_shuffle,
};

const cli_command command_shogi_dedupe = {
    .name = "shogi dedupe",
    .summary = "Leave out records whose position was there before",
    .operands = "FILE OUT",
    .help = "A position is found also if it was written in another way. The rest stays in order.\n"
            "\n" HELP_REWRITE "\n" HELP_RECORDS "\n",
    .examples = "kanzen shogi dedupe games.psv unique.psv\n",
    .run = run_dedupe,
};

const cli_command command_shogi_sample = {
    .name = "shogi sample",
    .summary = "Choose records of a file at random",
    .operands = "FILE OUT",
    .help = "Writes --count records in the order of the file; every choice is equally likely.\n"
            "\n" HELP_REWRITE "\n" HELP_RECORDS "\n",
    .examples = "kanzen shogi sample games.psv thousand.psv --count 1000\n",
    .run = run_sample,
};

const cli_command command_shogi_head = {
    .name = "shogi head",
    .summary = "Print the first records of a file as text",
    .operands = "FILE",
    .help = "Prints 10 records, or --count N (or -n N). FILE may be '-', standard input.\n"
            "\n" HELP_RECORDS "\n",
    .examples = "kanzen shogi head games.psv -n 3\n",
    .run = run_head,
};

const cli_command command_shogi_cat = {
    .name = "shogi cat",
    .summary = "Print all records of a file as text",
    .operands = "FILE",
    .help = "FILE may be '-', standard input.\n"
            "\n" HELP_RECORDS "\n",
    .examples = "kanzen shogi cat games.psv --sfen\n",
    .run = run_cat,
};

const cli_command command_shogi_show = {
    .name = "shogi show",
    .summary = "Draw a position of shogi and print it in all packed forms",
    .operands = "POSITION...",
    .help = "POSITION is an SFEN, which need not be quoted, or 'startpos'; 'moves ...' may follow.\n"
            "With --from it is a record in hexadecimal digits.\n",
    .examples = "kanzen shogi show startpos\n"
                "kanzen shogi show startpos moves 7g7f 3c3d\n",
    .run = run_show,
};
