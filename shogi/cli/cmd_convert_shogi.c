/* SPDX-License-Identifier: MIT
 *
 * kanzen convert shogi IN OUT: files of records, not positions. */
#include "commands.h"

#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the user asked for, as it was said; NULL where it was not. */
typedef struct conversion_wishes {
    const char *from, *to;
    const char *dialect, *to_dialect;
    uint64_t first, count, threads, checkpoint;
    bool skip_bad, stop, no_box, legal, unsearched, resume, force, quiet, json;
    shogi_filter filter;
} conversion_wishes;

enum { CHECKPOINT_SECONDS = 5 };

typedef struct conversion_result {
    const kz_shogi_source *source;
    const kz_shogi_target *target;
    kz_shogi_file_report report;
    double seconds;
} conversion_result;

static const char *record_name(kz_shogi_record record) { return kz_shogi_record_at(record)->name; }

/* The text is on stderr, and so is all of it if the records themselves go to stdout. */
static void print_result(const conversion_result *result, bool as_json) {
    const kz_shogi_file_report *found = &result->report;
    const char *to = record_name(result->target->record);
    char members[MEMBERS_BYTES];
    bool stdout_is_free = strcmp(result->target->path, "-") != 0;
    cli_report report = report_begin(as_json && stdout_is_free ? stdout : stderr, as_json);
    cli_json *json = &report.json;
    json_text(json, "from", record_name(result->source->record));
    json_text(json, "to", to);
    json_text(json, "source", result->source->path);
    json_text(json, "target", result->target->path);
    report_count(&report, "read", "records read", found->read, "");
    report_count(&report, "written", "written", found->written, "");
    report_if_any(&report, NULL, "bad, left out", found->bad);
    report_losses(&report, found);
    json_bad_records(json, result->source->record, found);
    if (found->lost != 0) {
        report_line(&report, "%-14s %15s (%s can't hold it)\n", "lost", format_members(found->lost, members), to);
    }
    if (found->missing != 0) {
        kz_shogi_record record = result->target->record;
        bool is_text = record == KZ_SHOGI_RECORD_CSA || record == KZ_SHOGI_RECORD_KIF;
        report_line(&report, "%-14s %15s (%s has it, and not every record told; %s)\n", "missing",
                    format_members(found->missing, members), to,
                    record == KZ_SHOGI_RECORD_PLAIN ? "its line is left out"
                    : is_text                       ? "the word at the end of such a game says only who won"
                                                    : "written as 0");
    }
    json_members(json, "lost", found->lost);
    json_members(json, "missing", found->missing);
    report_seconds(&report, "total_seconds", "total", result->seconds);
    report_end(&report);
}

static bool is_stream(const char *path) { return strcmp(path, "-") == 0; }

static bool is_there(const char *path, const char *ending) {
    char name[4096];
    int length = snprintf(name, sizeof name, "%s%s", path, ending);
    return length > 0 && (size_t)length < sizeof name && access(name, F_OK) == 0;
}

/* The library refuses these, too; but only the command knows the options that help. */
static int refuse_what_is_there(const cli_command *command, const conversion_wishes *asked, const char *out) {
    if (is_stream(out) || asked->force) {
        return STATUS_FINE;
    }
    int code = check_replacing(command, out, false);
    if (code == STATUS_FINE && !asked->resume && is_there(out, ".part")) {
        code = report_message(command, STATUS_IO,
                              "%s.part is there, of a run that was interrupted; --resume goes on with it, --force "
                              "begins again",
                              out);
    }
    return code;
}

static int finish(const cli_command *command, const conversion_wishes *asked, const conversion_result *result,
                  const kz_error *error) {
    if (error->status == KZ_OK || result->report.bad > 1) {
        print_offenders(command, result->source->record, result->source->path, &result->report);
    }
    if (error->status != KZ_OK) {
        int code = report_error(command, error);
        if (is_there(result->target->path, ".part")) {
            (void)report_message(command, code, "%s.part has what was written so far; --resume goes on from there",
                                 result->target->path);
        }
        return code;
    }
    print_result(result, asked->json);
    return result->report.bad == 0 ? STATUS_FINE : STATUS_NO;
}

static int convert_files(const cli_command *command, const conversion_wishes *asked, const char *in, const char *out) {
    if (asked->skip_bad && asked->stop) {
        return report_usage(command, "--skip-bad and --stop exclude each other");
    }
    kz_shogi_source source = {.path = in, .first = asked->first, .count = asked->count};
    kz_shogi_target target = {.path = out, .replace = asked->force};
    source.record = record_of_option_or_path(command, "from", asked->from, in);
    if (source.record == KZ_SHOGI_RECORDS) {
        return STATUS_USAGE;
    }
    target.record = record_to_write(command, "to", asked->to, out);
    if (target.record == KZ_SHOGI_RECORDS) {
        return STATUS_USAGE;
    }
    CLI_TRY(dialect_of_option(command, "dialect", asked->dialect, &source.dialect));
    CLI_TRY(dialect_of_option(command, "to-dialect", asked->to_dialect, &target.dialect));
    if (is_stream(out) && isatty(STDOUT_FILENO) && kz_shogi_record_at(target.record)->bytes != 0) {
        return report_usage(command, "records of %s are not for terminals", record_name(target.record));
    }
    kz_shogi_filter filter;
    CLI_TRY(refuse_what_is_there(command, asked, out));
    CLI_TRY(read_filter(command, &asked->filter, &filter));
    const kz_shogi_file_options options = {
        .filter = &filter,
        .unsearched = asked->unsearched,
        .threads = (int)asked->threads,
        .skip_bad = asked->skip_bad,
        .without_box = asked->no_box,
        .legal = asked->legal,
        .resume = asked->resume,
        .checkpoint_seconds = asked->checkpoint > 0 ? (double)asked->checkpoint : 1e-3,
    };
    conversion_result result = {.source = &source, .target = &target};
    kz_error error = {.status = KZ_OK};
    double begin = kz_seconds();
    kz_shogi_convert(&source, &target, &options, show_progress(asked->quiet), &result.report, &error);
    end_progress();
    result.seconds = kz_seconds() - begin;
    return finish(command, asked, &result, &error);
}

static int run(cli_arguments *arguments) {
    conversion_wishes files = {.checkpoint = CHECKPOINT_SECONDS};
    const cli_option options[] = {
        OPTION_TEXT("from", &files.from, "RECORDS", "what IN has (default: the ending of its name tells)"),
        OPTION_TEXT("to", &files.to, "RECORDS", "what OUT gets (default: the ending of its name tells)"),
        OPTION_TEXT("dialect", &files.dialect, "NAME",
                    "of moves in IN: yaneuraou, drops82 or apery (default: apery for hcpe and hcpe2, else yaneuraou)",
                    .words = DIALECT_WORDS),
        OPTION_TEXT("to-dialect", &files.to_dialect, "NAME", "the same for OUT", .words = DIALECT_WORDS),
        OPTION_NUMBER("skip", &files.first, 0, UINT64_MAX, "pass over the first N records"),
        OPTION_NUMBER("first", &files.first, 0, UINT64_MAX, "", .old = true),
        OPTION_NUMBER("count", &files.count, 1, UINT64_MAX, "convert N records at most"),
        OPTION_FLAG("skip-bad", &files.skip_bad, "leave out bad records"),
        OPTION_FLAG("stop", &files.stop, "end at the first bad record (default)"),
        OPTION_FLAG("no-box", &files.no_box,
                    "psfen, psv, hcp, hcpe: handicaps may lack the codes of the removed pieces, as in records of "
                    "before 2024"),
        OPTION_FLAG("legal", &files.legal, "positions that are not legal are bad, too"),
        OPTION_UNSEARCHED(&files.unsearched),
        OPTIONS_OF_FILTER(&files.filter),
        OPTION_FLAG("resume", &files.resume, "go on with a run that was interrupted, if there is one"),
        OPTION_NUMBER("checkpoint", &files.checkpoint, 0, 86400, "save what that needs every N seconds (default: 5)"),
        OPTION_FLAG("force", &files.force, "replace an OUT that is there already"),
        OPTION_THREADS(&files.threads),
        OPTION_QUIET(&files.quiet),
        OPTION_JSON(&files.json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 2, 2));
    return convert_files(arguments->command, &files, arguments->items[0], arguments->items[1]);
}

const cli_command command_convert_shogi = {
    .name = "convert shogi",
    .summary = "Write files of shogi positions in another format",
    .operands = "IN OUT",
    .help = "Reads the records of the file IN and writes them to the file OUT in another form,\n"
            "in their order; - is standard input or output. RECORDS are\n"
            "\n"
            "  sspf, sspfx, sspfc, psfen, hcp   a position in 32 bytes\n"
            "  psv, sspv, hcpe, hcpe2           a position in 38 or 40 bytes with score, move\n"
            "                                   and result (psv, sspv: and ply)\n"
            "  sfen, plain                      text\n"
            "  hcpe3, csa, kif                  games; records that follow each other are joined\n"
            "  ki2, usi                         games, to be read only (usi: a line each)\n"
            "  pack, nshogi                     files of rshogi and nshogi, to be read only\n"
            "\n"
            "Without --from and --to the endings of the files' names tell. What OUT can't hold,\n"
            "and what it holds and IN has not, is said at the end on standard error. The first\n"
            "bad record ends the run with exit code 4, and no OUT; with --skip-bad bad records\n"
            "are left out and reported, and the exit code is 1 if there was any.\n"
            "\n"
            "A run from file to file that is interrupted leaves OUT.part and OUT.part.state;\n"
            "the same command with --resume goes on from there and ends in the same bytes.\n",
    .examples = "kanzen convert shogi games.csa games.psv\n"
                "kanzen convert shogi --from psv --to hcpe train.bin train.hcpe\n"
                "zstd -dc train.psv.zst | kanzen convert shogi --from psv --to sspv - - > train.sspv\n",
    .run = run,
};
