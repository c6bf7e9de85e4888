/* SPDX-License-Identifier: MIT
 *
 * kanzen shogi: files of shogi positions. */
#include "common.h"
#include "progress.h"
#include "shogi_records.h"
#include "shogi_report.h"
#include "shogi_show.h"
#include "shogi_stats.h"

#include <kanzen/shogi_files.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Options that several subcommands have. */
struct request {
    const struct command *command;
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
};

/* clang-format off */
#define OPTIONS_OF_SOURCE(request_)                                  \
    OPTION_TEXT("record", &(request_)->record),                      \
    OPTION_TEXT("dialect", &(request_)->dialect),                    \
    OPTION_FLAG("no-box", &(request_)->options.without_box),         \
    OPTION_NUMBER("first", &(request_)->source.first, 0, UINT64_MAX)
#define OPTIONS_OF_WORK(request_)                                    \
    OPTION_NUMBER("threads", &(request_)->threads, 1, MOST_THREADS), \
    OPTION_FLAG("quiet", &(request_)->quiet)
#define OPTIONS_OF_TARGET(request_)                                  \
    OPTION_FLAG("force", &(request_)->force),                        \
    OPTION_FLAG("skip-bad", &(request_)->options.skip_bad)
/* clang-format on */

/* Fills in the source, after the options have been read. False after telling the user what is wrong. */
static bool choose_source(struct request *request, const char *path) {
    request->source.path = path;
    request->source.record = record_of_option_or_path(request->command, "record", request->record, path);
    request->source.count = request->count;
    request->options.threads = (int)request->threads;
    return request->source.record != KZ_SHOGI_RECORDS &&
           dialect_of_option(request->command, "dialect", request->dialect, &request->source.dialect);
}

static void print_count(const char *label, uint64_t count) {
    char text[THOUSANDS_BYTES];
    printf("%-16s %15s\n", label, format_thousands(count, text));
}

/* ---- check ------------------------------------------------------------------------------------------------------- */

static void print_dialects(unsigned dialects) {
    const char *separator = "";
    printf("%-16s ", "moves fit");
    for (kz_shogi_dialect dialect = 0; dialect < KZ_SHOGI_DIALECTS; dialect++) {
        if ((dialects >> dialect & 1) != 0) {
            printf("%s%s", separator, dialect_name(dialect));
            separator = ", ";
        }
    }
    printf("%s\n", dialects == 0 ? "no dialect" : "");
}

static void print_check(const struct request *request, const kz_shogi_file_report *report) {
    const kz_shogi_record_info *info = kz_shogi_record_at(request->source.record);
    char text[THOUSANDS_BYTES];
    printf("%s, %s\n", request->source.path, info->name);
    print_count("records", report->read);
    print_count("bad", report->bad);
    for (kz_shogi_defect defect = 0; defect < KZ_SHOGI_DEFECTS; defect++) {
        if (report->defects[defect] > 0) {
            printf("  %-14s %15s  %s\n", kz_shogi_defect_name(defect), format_thousands(report->defects[defect], text),
                   kz_shogi_defect_text(defect));
        }
    }
    if (info->bytes != 0) {
        print_count("not canonical", report->not_canonical);
    }
    print_count("not legal", report->not_legal);
    if (report->moves > 0) {
        print_count("moves", report->moves);
        print_count("impossible moves", report->impossible_moves);
        if (info->bytes != 0) {
            print_dialects(report->dialects);
        }
    }
    printf("%s\n", report->bad == 0 ? "ok" : "not ok");
}

static void print_check_json(const struct request *request, const kz_shogi_file_report *report) {
    struct json json = json_start(stdout);
    json_object(&json, NULL);
    json_boolean(&json, "ok", report->bad == 0);
    json_text(&json, "file", request->source.path);
    json_text(&json, "record", kz_shogi_record_at(request->source.record)->name);
    json_unsigned(&json, "read", report->read);
    json_bad_records(&json, request->source.record, report);
    json_unsigned(&json, "not_canonical", report->not_canonical);
    json_unsigned(&json, "not_legal", report->not_legal);
    json_unsigned(&json, "moves", report->moves);
    json_unsigned(&json, "impossible_moves", report->impossible_moves);
    json_array(&json, "dialects");
    for (kz_shogi_dialect dialect = 0; dialect < KZ_SHOGI_DIALECTS; dialect++) {
        if ((report->dialects >> dialect & 1) != 0) {
            json_text(&json, NULL, dialect_name(dialect));
        }
    }
    json_end_array(&json);
    json_end_object(&json);
    json_finish(&json);
}

static int run_check(struct request *request, struct arguments *arguments) {
    const struct option options[] = {
        OPTIONS_OF_SOURCE(request),
        OPTION_NUMBER("count", &request->count, 1, UINT64_MAX),
        OPTION_FLAG("legal", &request->options.legal),
        OPTIONS_OF_WORK(request),
        OPTION_FLAG("json", &request->json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, 1) || !choose_source(request, arguments->items[0])) {
        return STATUS_USAGE;
    }
    kz_shogi_file_report report;
    kz_error error;
    struct progress_display display;
    progress_begin(&display, request->quiet);
    kz_status status = kz_shogi_check_file(&request->source, &request->options, &display.progress, &report, &error);
    progress_end(&display);
    if (status != KZ_OK) {
        return report_error(request->command, &error);
    }
    print_offenders(request->command, request->source.record, request->source.path, &report);
    (request->json ? print_check_json : print_check)(request, &report);
    return report.bad == 0 ? STATUS_FINE : STATUS_NO;
}

/* ---- stats ------------------------------------------------------------------------------------------------------- */

static int run_stats(struct request *request, struct arguments *arguments) {
    const char *svg = NULL;
    const struct option options[] = {
        OPTIONS_OF_SOURCE(request),
        OPTION_NUMBER("count", &request->count, 1, UINT64_MAX),
        OPTION_TEXT("svg", &svg),
        OPTIONS_OF_WORK(request),
        OPTION_FLAG("json", &request->json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, 1) || !choose_source(request, arguments->items[0])) {
        return STATUS_USAGE;
    }
    if (svg != NULL && request->json) {
        return report_usage(request->command, "--svg and --json don't go together");
    }
    const char *slash = strrchr(request->source.path, '/');
    struct shogi_stats stats = {.name = slash != NULL ? slash + 1 : request->source.path,
                                .record = request->source.record};
    kz_error error;
    struct progress_display display;
    progress_begin(&display, request->quiet);
    kz_status status =
        kz_shogi_file_statistics(&request->source, &request->options, &display.progress, &stats.counts, &error);
    progress_end(&display);
    if (status == KZ_OK && svg != NULL) {
        status = write_shogi_stats_svg(&stats, svg, &error);
    } else if (status == KZ_OK) {
        (request->json ? print_shogi_stats_json : print_shogi_stats)(&stats);
    }
    return status == KZ_OK ? STATUS_FINE : report_error(request->command, &error);
}

/* ---- shuffle, dedupe, sample ------------------------------------------------------------------------------------- */

/* "4096", "512M", "16G": bytes, or so many times 1024 of them and so on. */
static bool parse_size(const char *text, uint64_t *size) {
    static const char units[] = "KMGT";
    char digits[24];
    size_t length = strlen(text);
    const char *unit = length > 1 ? strchr(units, text[length - 1] & ~0x20) : NULL;
    length -= unit != NULL;
    if (length >= sizeof digits) {
        return false;
    }
    memcpy(digits, text, length);
    digits[length] = '\0';
    int shift = unit != NULL ? 10 * (int)(unit - units + 1) : 0;
    if (!parse_number(digits, 1, UINT64_MAX >> shift, size)) {
        return false;
    }
    *size <<= shift;
    return true;
}

typedef kz_status rewrite(struct request *request, const kz_shogi_target *target, const kz_progress *progress,
                          kz_shogi_file_report *report, kz_error *error);

/* On standard error when the records themselves go to standard output. */
static void print_rewritten(const struct request *request, const kz_shogi_target *target,
                            const kz_shogi_file_report *report) {
    FILE *stream = strcmp(target->path, "-") == 0 ? stderr : stdout;
    if (request->json) {
        struct json json = json_start(stream);
        json_object(&json, NULL);
        json_unsigned(&json, "read", report->read);
        json_unsigned(&json, "written", report->written);
        json_unsigned(&json, "repeated", report->repeated);
        json_bad_records(&json, request->source.record, report);
        json_text(&json, "file", target->path);
        json_end_object(&json);
        json_finish(&json);
        return;
    }
    char text[THOUSANDS_BYTES];
    fprintf(stream, "%-16s %15s\n", "records", format_thousands(report->read, text));
    fprintf(stream, "%-16s %15s\n", "written", format_thousands(report->written, text));
    if (report->repeated > 0) {
        fprintf(stream, "%-16s %15s\n", "repeated", format_thousands(report->repeated, text));
    }
    if (report->bad > 0) {
        fprintf(stream, "%-16s %15s\n", "bad", format_thousands(report->bad, text));
    }
    if (stream == stdout) {
        printf("%s\n", target->path);
    }
}

/* What these have in common: from the file of the first operand to that of the second. */
static int run_rewrite(struct request *request, struct arguments *arguments, rewrite *work) {
    if (!choose_source(request, arguments->items[0])) {
        return STATUS_USAGE;
    }
    if (request->memory != NULL && !parse_size(request->memory, &request->options.memory)) {
        return report_usage(request->command, "--memory takes a number of bytes like 800M or 16G, not '%s'",
                            request->memory);
    }
    kz_shogi_target target = {.path = arguments->items[1],
                              .record = request->source.record,
                              .dialect = request->source.dialect,
                              .replace = request->force};
    /* The library refuses, too, but only the command knows the option that helps. */
    if (!request->force && strcmp(target.path, "-") != 0 && access(target.path, F_OK) == 0) {
        fprintf(stderr, "kanzen %s: %s is there already; --force replaces it\n", request->command->name, target.path);
        return STATUS_IO;
    }
    kz_shogi_file_report report = {0};
    kz_error error;
    struct progress_display display;
    progress_begin(&display, request->quiet);
    kz_status status = work(request, &target, &display.progress, &report, &error);
    progress_end(&display);
    if (status != KZ_OK) {
        return report_error(request->command, &error);
    }
    print_offenders(request->command, request->source.record, request->source.path, &report);
    print_rewritten(request, &target, &report);
    return report.bad == 0 ? STATUS_FINE : STATUS_NO;
}

static kz_status shuffle(struct request *request, const kz_shogi_target *target, const kz_progress *progress,
                         kz_shogi_file_report *report, kz_error *error) {
    return kz_shogi_shuffle(&request->source, target, &request->options, progress, report, error);
}

static int run_shuffle(struct request *request, struct arguments *arguments) {
    const struct option options[] = {
        OPTIONS_OF_SOURCE(request),
        OPTION_NUMBER("count", &request->count, 1, UINT64_MAX),
        OPTION_NUMBER("seed", &request->options.seed, 0, UINT64_MAX),
        OPTION_TEXT("memory", &request->memory),
        OPTION_TEXT("scratch", &request->options.scratch),
        OPTIONS_OF_TARGET(request),
        OPTIONS_OF_WORK(request),
        OPTION_FLAG("json", &request->json),
        OPTION_END,
    };
    return parse_options(arguments, options, 2, 2) ? run_rewrite(request, arguments, shuffle) : STATUS_USAGE;
}

static kz_status dedupe(struct request *request, const kz_shogi_target *target, const kz_progress *progress,
                        kz_shogi_file_report *report, kz_error *error) {
    return kz_shogi_dedupe(&request->source, target, &request->options, progress, report, error);
}

static int run_dedupe(struct request *request, struct arguments *arguments) {
    const struct option options[] = {
        OPTIONS_OF_SOURCE(request),
        OPTION_NUMBER("count", &request->count, 1, UINT64_MAX),
        OPTION_TEXT("memory", &request->memory),
        OPTION_TEXT("scratch", &request->options.scratch),
        OPTION_FLAG("legal", &request->options.legal),
        OPTIONS_OF_TARGET(request),
        OPTIONS_OF_WORK(request),
        OPTION_FLAG("json", &request->json),
        OPTION_END,
    };
    return parse_options(arguments, options, 2, 2) ? run_rewrite(request, arguments, dedupe) : STATUS_USAGE;
}

/* Here the count is that of the records to write. */
static kz_status sample(struct request *request, const kz_shogi_target *target, const kz_progress *progress,
                        kz_shogi_file_report *report, kz_error *error) {
    request->source.count = 0;
    return kz_shogi_sample(&request->source, target, request->count, &request->options, progress, report, error);
}

static int run_sample(struct request *request, struct arguments *arguments) {
    const struct option options[] = {
        OPTIONS_OF_SOURCE(request),
        OPTION_NUMBER("count", &request->count, 1, UINT64_MAX),
        OPTION_NUMBER("seed", &request->options.seed, 0, UINT64_MAX),
        OPTIONS_OF_TARGET(request),
        OPTIONS_OF_WORK(request),
        OPTION_FLAG("json", &request->json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 2, 2)) {
        return STATUS_USAGE;
    }
    if (request->count == 0) {
        return report_usage(request->command, "how many records? Say --count N");
    }
    return run_rewrite(request, arguments, sample);
}

/* ---- head, cat --------------------------------------------------------------------------------------------------- */

static int print_records(struct request *request, struct arguments *arguments) {
    bool sfen = false;
    const struct option options[] = {
        OPTIONS_OF_SOURCE(request), OPTION_NUMBER("count", &request->count, 1, UINT64_MAX),
        OPTION_FLAG("sfen", &sfen), OPTION_FLAG("skip-bad", &request->options.skip_bad),
        OPTIONS_OF_WORK(request),   OPTION_END,
    };
    if (!parse_options(arguments, options, 1, 1) || !choose_source(request, arguments->items[0])) {
        return STATUS_USAGE;
    }
    kz_shogi_target target = {
        .path = "-", .record = sfen ? KZ_SHOGI_RECORD_SFEN : KZ_SHOGI_RECORD_PLAIN, .dialect = KZ_SHOGI_DIALECTS};
    kz_shogi_file_report report = {0};
    kz_error error;
    struct progress_display display;
    progress_begin(&display, request->quiet || isatty(STDOUT_FILENO) != 0);
    kz_status status =
        kz_shogi_convert(&request->source, &target, &request->options, &display.progress, &report, &error);
    progress_end(&display);
    if (status != KZ_OK) {
        return report_error(request->command, &error);
    }
    print_offenders(request->command, request->source.record, request->source.path, &report);
    return report.bad == 0 ? STATUS_FINE : STATUS_NO;
}

static int run_cat(struct request *request, struct arguments *arguments) { return print_records(request, arguments); }

/* People expect -n from a command of that name. */
static int run_head(struct request *request, struct arguments *arguments) {
    static char count[] = "--count";
    for (int i = 0; i < arguments->count; i++) {
        if (strcmp(arguments->items[i], "-n") == 0) {
            arguments->items[i] = count;
        }
    }
    request->count = 10;
    request->quiet = true;
    return print_records(request, arguments);
}

/* ---- show -------------------------------------------------------------------------------------------------------- */

/* The operands as one text: an SFEN has spaces in it, and need not be quoted. */
static char *join(const struct arguments *arguments) {
    size_t size = 1;
    for (int i = 0; i < arguments->count; i++) {
        size += strlen(arguments->items[i]) + 1;
    }
    char *text = malloc(size);
    if (text != NULL) {
        char *end = text;
        for (int i = 0; i < arguments->count; i++) {
            end += sprintf(end, "%s%s", i > 0 ? " " : "", arguments->items[i]);
        }
    }
    return text;
}

static int run_show(struct request *request, struct arguments *arguments) {
    const struct option options[] = {
        OPTION_TEXT("record", &request->record),
        OPTION_TEXT("dialect", &request->dialect),
        OPTION_FLAG("json", &request->json),
        OPTION_END,
    };
    if (!parse_options(arguments, options, 1, MANY_OPERANDS)) {
        return STATUS_USAGE;
    }
    kz_shogi_record record = KZ_SHOGI_RECORD_SFEN;
    kz_shogi_dialect dialect;
    if (request->record != NULL) {
        record = record_of_option_or_path(request->command, "record", request->record, "");
    }
    if (record == KZ_SHOGI_RECORDS || !dialect_of_option(request->command, "dialect", request->dialect, &dialect)) {
        return STATUS_USAGE;
    }
    char *text = join(arguments);
    kz_shogi_position position;
    kz_shogi_note note;
    kz_error error = {.status = KZ_ERR_MEMORY, .message = "out of memory"};
    kz_status status = KZ_ERR_MEMORY;
    if (text != NULL) {
        status = record == KZ_SHOGI_RECORD_SFEN ? kz_shogi_read_sfen_line(text, strlen(text), &position, &note, &error)
                                                : read_hex_record(record, dialect, text, &position, &note, &error);
    }
    free(text);
    if (status != KZ_OK) {
        return report_error(request->command, &error);
    }
    (request->json ? show_shogi_position_json : show_shogi_position)(&position, &note);
    return STATUS_FINE;
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static int run(struct arguments *arguments) {
    static const struct {
        const char *name;
        int (*run)(struct request *request, struct arguments *arguments);
    } tasks[] = {
        {"check", run_check},   {"stats", run_stats}, {"shuffle", run_shuffle}, {"dedupe", run_dedupe},
        {"sample", run_sample}, {"head", run_head},   {"cat", run_cat},         {"show", run_show},
    };
    struct request request = {.command = arguments->command};
    if (arguments->count == 0 || arguments->items[0][0] == '-') {
        return parse_options(arguments, NULL, 1, MANY_OPERANDS) ? STATUS_FINE : STATUS_USAGE;
    }
    const char *name = arguments->items[0];
    struct arguments rest = {
        .command = arguments->command, .count = arguments->count - 1, .items = arguments->items + 1};
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
        if (strcmp(tasks[i].name, name) == 0) {
            return tasks[i].run(&request, &rest);
        }
    }
    return report_usage(arguments->command,
                        "there is no '%s'; there are: check, stats, shuffle, dedupe, sample, head, cat, show", name);
}

const struct command command_shogi = {
    .name = "shogi",
    .summary = "Check, count, shuffle and show files of shogi positions",
    .usage = "check|stats|shuffle|dedupe|sample|head|cat|show FILE|POSITION [OUT]\n"
             "            [--record NAME] [--dialect NAME] [--first N] [--count N] [--seed N]\n"
             "            [--no-box] [--legal] [--skip-bad] [--sfen] [--svg FILE] [--memory SIZE]\n"
             "            [--scratch FOLDER] [--force] [--threads N] [--quiet] [--json]",
    .help = "check FILE         looks at every record: bad ones by their defect and the first of\n"
            "                   them, records that are not canonical, positions that are not\n"
            "                   legal, moves that can't be made, and the dialects of 16-bit moves\n"
            "                   that fit. The exit code is 1 if there are bad records.\n"
            "stats FILE         counts results, plies, scores and pieces on the board.\n"
            "shuffle FILE OUT   writes the records in a random order, which the seed decides; every\n"
            "                   order is equally likely.\n"
            "dedupe FILE OUT    leaves out records whose position was there before, also if it was\n"
            "                   written in another way. The rest stays in order.\n"
            "sample FILE OUT    writes --count records, every choice equally likely, in order.\n"
            "head FILE          prints the first records as text: 10, or --count N (or -n N).\n"
            "cat FILE           prints all of them.\n"
            "show POSITION      draws the board of an SFEN, or with --record NAME of a record in\n"
            "                   hexadecimal digits, and prints it in all packed forms.\n"
            "\n"
            "Records are sspf, sspfx, sspfc, psfen, hcp, psv, sspv, hcpe, hcpe2, hcpe3, sfen,\n"
            "plain, csa or kif; without --record the ending of the file's name tells (.bin is\n"
            "psv, .txt is plain). shuffle, dedupe and sample take records of fixed size and keep\n"
            "their bytes. They need little memory, however large the files are; OUT may be '-'.\n"
            "Elsewhere FILE may be '-', too.\n"
            "\n" HELP_OPTIONS "  --record NAME    which records the file has\n"
            "  --dialect NAME   of moves in 16 bits: yaneuraou, drops82 or apery\n"
            "  --first N        pass over the first N records\n"
            "  --count N        only so many records\n"
            "  --seed N         shuffle, sample: another number gives another order (default 0)\n"
            "  --no-box         handicaps may lack the codes of the removed pieces, as in\n"
            "                   records of before 2024\n"
            "  --legal          check, dedupe: positions that are not legal are bad\n"
            "  --skip-bad       leave out bad records; otherwise the first one is an error\n"
            "  --sfen           head, cat: only the position, a line each\n"
            "  --svg FILE       stats: draw a diagram to FILE instead; '-' is standard output\n"
            "  --memory SIZE    shuffle, dedupe: bytes to use, like 800M or 16G (default: a\n"
            "                   quarter of the machine's)\n"
            "  --scratch FOLDER shuffle, dedupe: where temporary files go (default: beside OUT)\n"
            "  --force          replace OUT if it is there already\n" HELP_THREADS HELP_QUIET HELP_JSON "\n"
            "Examples:\n"
            "  kanzen shogi check games.psv\n"
            "  kanzen shogi shuffle games.psv shuffled.psv --seed 7\n"
            "  kanzen shogi show startpos\n",
    .run = run,
};
