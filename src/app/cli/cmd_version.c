/* SPDX-License-Identifier: MIT */
#include "app/server/server.h"
#include "base/cpu.h"
#include "base/http.h"
#include "base/module.h"
#include "common.h"

#include <kanzen/system.h>
#include <kanzen/team.h>
#include <stdio.h>

#ifdef KANZEN_LIBEDIT
enum { HAS_LIBEDIT = 1 };
#else
enum { HAS_LIBEDIT = 0 };
#endif

/* Every module tells its version. */
static bool cuda_possible(void) { return kz_module_find("cuda", "kz_module_version", "graphics cards", NULL); }

typedef struct program_part {
    const char *key;
    const char *meaning;
    bool there;
} program_part;

static int run(cli_arguments *arguments) {
    bool as_json = false;
    const cli_option options[] = {
        OPTION_JSON(&as_json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 0, 0));
    const program_part parts[] = {
        {"server", "kanzen serve", kz_server_possible()},
        {"mpi", "several processes (MPI)", kz_team_possible()},
        {"cuda", "graphics cards (CUDA)", cuda_possible()},
        {"urls", "tables from URLs (libcurl)", kz_http_possible()},
        {"editing", "edited lines in play (libedit)", HAS_LIBEDIT != 0},
    };
    enum { PARTS = sizeof parts / sizeof *parts };
    const char *path = kz_cpu_name(kz_cpu_level());
    const char *best = kz_cpu_name(kz_cpu_available());
    cli_report report = report_begin(stdout, as_json);
    cli_json *json = &report.json;
    report_line(&report, "kanzen %s\n", kz_version());
    json_text(json, "version", kz_version());
    json_object(json, "parts");
    for (int i = 0; i < PARTS; i++) {
        report_line(&report, "  %-32s %s\n", parts[i].meaning, parts[i].there ? "yes" : "no");
        json_boolean(json, parts[i].key, parts[i].there);
    }
    json_end_object(json);
    report_line(&report, "  %-32s %s\n", "code for processors like this one", best);
    json_text(json, "processor", best);
    if (path != best) {
        report_line(&report, "  %-32s %s\n", "used because of KANZEN_CPU", path);
    }
    json_text(json, "path", path);
    json_integer(json, "processors", kz_processor_count());
    report_end(&report);
    return STATUS_FINE;
}

const cli_command command_version = {
    .name = "version",
    .summary = "Print the version, and what was built in",
    .operands = "",
    .help = "The first line is the version. The others say which parts this program has, and which\n"
            "of its paths (code for kinds of processors: plain, sse42, avx2, bmi2, avx512, vbmi2)\n"
            "this machine can use; the environment variable KANZEN_CPU asks for less.\n",
    .examples = "kanzen version\n",
    .run = run,
};
