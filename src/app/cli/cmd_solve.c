/* SPDX-License-Identifier: MIT */
#include "common.h"

#include <kanzen/estimate.h>
#include <kanzen/paths.h>
#include <kanzen/solve.h>
#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct solve_result {
    const kz_game *game;
    int rules;
    const char *path;
    kz_summary summary;
    double seconds;
    kz_phase *phases; /* of games that are solved phase by phase */
    size_t phase_count;
} solve_result;

/* Prints a phase as soon as it is done, and keeps it for the JSON. */
typedef struct solve_phases {
    solve_result *result;
    bool json;
} solve_phases;

static void phase_done(void *user, const kz_phase *phase) {
    solve_phases *phases = user;
    solve_result *result = phases->result;
    if (phases->json) {
        kz_phase *longer = realloc(result->phases, (result->phase_count + 1) * sizeof *longer);
        if (longer) {
            longer[result->phase_count++] = *phase;
            result->phases = longer;
        }
        return;
    }
    char found[THOUSANDS_BYTES];
    char open[THOUSANDS_BYTES];
    char found_kept[THOUSANDS_BYTES];
    char open_kept[THOUSANDS_BYTES];
    pause_progress();
    if (phase->phase < 0) {
        printf("%5s %6s %17s %17s %16s %16s %9s\n", "phase", "", "new, of all", "undecided", "new, stored", "undecided",
               "seconds");
    }
    printf("%5d %6s %17s %17s %16s %16s %9.2f%s\n", phase->phase, phase->phase % 2 ? "losses" : "wins",
           format_thousands(phase->found, found), format_thousands(phase->open, open),
           format_thousands(phase->found_kept, found_kept), format_thousands(phase->open_kept, open_kept),
           phase->seconds, phase->restored ? " (before)" : "");
    fflush(stdout);
}

static int longest_win(const solve_result *result) {
    return kz_distance_shown(result->game, (kz_value){KZ_WIN, result->summary.longest_win});
}

/* Phases were printed as they came. */
static void json_phases(cli_json *json, const solve_result *result) {
    if (result->phase_count == 0) {
        return;
    }
    json_array(json, "phases");
    for (size_t i = 0; i < result->phase_count; i++) {
        const kz_phase *phase = &result->phases[i];
        json_object(json, NULL);
        json_integer(json, "phase", phase->phase);
        json_unsigned(json, "new", phase->found);
        json_unsigned(json, "undecided", phase->open);
        json_unsigned(json, "new_stored", phase->found_kept);
        json_unsigned(json, "undecided_stored", phase->open_kept);
        json_unsigned(json, "blocks_swept", phase->slices_swept);
        json_unsigned(json, "blocks", phase->slices);
        json_double(json, "seconds", phase->seconds);
        json_end_object(json);
    }
    json_end_array(json);
}

static void print_result(const solve_result *result, bool as_json) {
    const kz_summary *summary = &result->summary;
    bool stopped = summary->table_bytes == 0;
    bool team = summary->members > 1;
    char longest[THOUSANDS_BYTES];
    if (stopped && !as_json) {
        printf("stopped as asked after %.2f s; %s.work has what was found\n", result->seconds, result->path);
        return;
    }
    cli_report report = report_begin(stdout, as_json);
    cli_json *json = &report.json;
    report_title(&report, result->game, result->rules);
    report_count(&report, "positions", "positions", summary->positions, "");
    report_count(&report, "wins", "wins", summary->wins, "");
    report_count(&report, "losses", "losses", summary->losses, "");
    report_count(&report, "draws", "draws", summary->draws, "");
    report_line(&report, "%-14s %15d %s (%s position%s)\n", "longest win", longest_win(result),
                kz_distance_unit(result->game), format_thousands(summary->longest_wins, longest),
                summary->longest_wins == 1 ? "" : "s");
    json_integer(json, "longest_win", longest_win(result));
    json_unsigned(json, "longest_wins", summary->longest_wins);
    report_seconds(&report, "solve_seconds", "solving", summary->solve_seconds);
    report_seconds(&report, "write_seconds", "writing", summary->write_seconds);
    report_seconds(&report, "total_seconds", "total", result->seconds);
    report_count(&report, NULL, "peak memory", summary->most_memory >> 20, team ? " MiB a process" : " MiB");
    json_unsigned(json, "peak_memory_bytes", summary->most_memory);
    if (team) {
        report_count(&report, NULL, "processes", (uint64_t)summary->members, "");
        report_count(&report, NULL, "exchanged", summary->exchanged_bytes >> 20, " MiB");
    }
    json_integer(json, "processes", summary->members);
    json_unsigned(json, "exchanged_bytes", summary->exchanged_bytes);
    report_count(&report, "table_bytes", "table", summary->table_bytes, " bytes");
    report_line(&report, "%s\n", result->path);
    json_text(json, "table", stopped ? NULL : result->path);
    json_phases(json, result);
    report_end(&report);
}

/* What the user asked for. */
typedef struct solve_wishes {
    cli_asked asked;
    const char *ending;
    uint64_t men;
    const char *out;
    const char *device;
    const char *memory_text;
    uint64_t memory; /* 0: what is free */
    uint64_t threads;
    uint64_t last_phase;
    uint64_t checkpoint;
    uint64_t batch;
    bool packs;
    bool keep_work;
    bool plain;
    bool force;
    bool quiet;
    bool json;
} solve_wishes;

static int read_wishes(cli_arguments *arguments, solve_wishes *wishes) {
    const cli_option options[] = {
        OPTION_RULES(&wishes->asked),
        OPTION_TEXT("ending", &wishes->ending, "PIECES",
                    "of a variant: this ending, such as KBNvK, and what it leads to"),
        OPTION_NUMBER("men", &wishes->men, 2, 6, "of a variant: all endings with up to N men"),
        OPTION_THREADS(&wishes->threads),
        OPTION_TEXT("out", &wishes->out, "FILE", "write the table to FILE"),
        OPTION_TEXT("device", &wishes->device, "DEVICE", "cpu, or cuda for a graphics card, if the game can use one",
                    .words = "cpu cuda"),
        OPTION_NUMBER(
            "phases", &wishes->last_phase, 1, 1000,
            "stop after phase N (or distance N) and keep what was found, without a table; not for games that are "
            "solved through a definition"),
        OPTION_NUMBER("checkpoint", &wishes->checkpoint, 1, 86400,
                      "save what was found after N seconds (default: 600)"),
        OPTION_NUMBER("batch", &wishes->batch, 1, UINT32_MAX,
                      "under mpirun: exchange what was found after N blocks (default: as many as suit)"),
        OPTION_FLAG("pack", &wishes->packs, "under mpirun: send pages compressed, for slow networks"),
        OPTION_TEXT("memory", &wishes->memory_text, "SIZE",
                    "refuse a game that takes more memory than SIZE, like 12G (default: what is free)"),
        OPTION_FLAG("plain", &wishes->plain, "solve through the game's definition, without its kernels"),
        OPTION_FLAG("keep-work", &wishes->keep_work, "keep the folder FILE.work"),
        OPTION_FLAG("force", &wishes->force, "replace a table that is there already"),
        OPTION_QUIET(&wishes->quiet),
        OPTION_JSON(&wishes->json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, 1));
    return memory_of_option(arguments->command, wishes->memory_text, &wishes->memory);
}

/* Says what the user is in for. Only games that are solved phase by phase know it in no time; and of a device nothing
 * is known. What lasts a moment only needs no announcement. */
static void announce(const solve_wishes *wishes, const solve_result *result) {
    enum { WORTH_SAYING = 20 };
    kz_estimate_report report;
    kz_error error;
    const kz_estimate_options options = {.threads = (int)wishes->threads, .samples = 1};
    if (wishes->quiet || wishes->plain || (wishes->device && strcmp(wishes->device, "cpu") != 0) ||
        kz_estimate(result->game, result->rules, &options, &report, &error) != KZ_OK || report.samples != 0 ||
        report.seconds < WORTH_SAYING) {
        return;
    }
    const char *unit;
    double amount = time_in_units(report.seconds, &unit);
    fprintf(stderr, "about %.1f %s on %d threads; %.1f GB of memory; on disk %.1f GB for a while, then %.1f GB\n",
            amount, unit, report.threads, (double)report.memory_bytes / 1e9,
            (double)(report.work_bytes + report.table_bytes) / 1e9, (double)report.table_bytes / 1e9);
}

/* Solves as one of a team, which may be of one process. Only the first process prints; others only if the team is
 * broken. */
static int solve_in_team(const cli_command *command, const solve_wishes *wishes, kz_team *team, solve_result *result) {
    bool speaks = kz_team_rank(team) == 0;
    solve_phases phases = {result, wishes->json};
    kz_error error;
    if (speaks && kz_team_size(team) == 1) {
        announce(wishes, result);
    }
    double begin = kz_seconds();
    const kz_solve_options options = {
        .threads = (int)wishes->threads,
        .replace = wishes->force,
        .progress = show_progress(wishes->quiet || !speaks),
        .device = wishes->device,
        .phase_done = speaks ? phase_done : NULL,
        .phase_user = &phases,
        .last_phase = (int)wishes->last_phase,
        .checkpoint_seconds = (double)wishes->checkpoint,
        .keep_work = wishes->keep_work,
        .plain = wishes->plain,
        .memory_bytes = wishes->memory,
        .team = team,
        .team_batch = wishes->batch,
        .team_packs = wishes->packs,
    };
    kz_status status = kz_solve(result->game, result->rules, result->path, &options, &result->summary, &error);
    end_progress();
    int code = STATUS_FINE;
    if (status == KZ_OK && speaks) {
        result->seconds = kz_seconds() - begin;
        print_result(result, wishes->json);
    } else if (status == KZ_ERR_IO && speaks && check_replacing(command, result->path, wishes->force) != STATUS_FINE) {
        code = STATUS_IO; /* with a message that names the option */
    } else if (status != KZ_OK && (speaks || kz_team_broken(team))) {
        code = report_error(command, &error);
    }
    fflush(stdout);
    kz_team_leave(team, false);
    return code;
}

/* The name of the part of a variant that is asked for: "chess:KBNvK", "games.ini:NAME:men4". */
static int name_part(const cli_command *command, const solve_wishes *wishes, const char *game,
                     char part[KZ_PATH_BYTES]) {
    char men[KZ_RULES_NAME_BYTES] = "";
    if (wishes->men != 0) {
        snprintf(men, sizeof men, "men%d", (int)wishes->men);
    }
    const char *name = wishes->ending ? wishes->ending : men;
    if (wishes->ending && wishes->men != 0) {
        return report_usage(command, "--ending and --men can't be given together");
    }
    if (wishes->ending && wishes->ending[0] == '\0') {
        return report_usage(command, "--ending '': the pieces of both sides are expected, such as KBNvK");
    }
    bool unnamed = strstr(game, ".ini") && !strstr(game, ".ini:");
    int length = snprintf(part, KZ_PATH_BYTES, "%s%s%s", game, name[0] == '\0' ? "" : unnamed ? "::" : ":", name);
    return length < KZ_PATH_BYTES ? STATUS_FINE : report_usage(command, "the name of the game is too long");
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    solve_wishes wishes = {.threads = 0};
    CLI_TRY(read_wishes(arguments, &wishes));
    char part[KZ_PATH_BYTES];
    solve_result result = {.path = wishes.out};
    CLI_TRY(refuse_stream(command, "--out", wishes.out, "a table"));
    CLI_TRY(name_part(command, &wishes, arguments->items[0], part));
    CLI_TRY(choose_game(command, part, &result.game));
    CLI_TRY(choose_one_part(command, result.game, &wishes.asked, &result.rules));
    kz_error error;
    char path[KZ_PATH_BYTES];
    if (!result.path) {
        CLI_TRY(exit_code(command,
                          kz_table_path(kz_game_name(result.game), kz_rules_name(result.game, result.rules), path,
                                        sizeof path, &error),
                          &error));
        result.path = path;
    }
    kz_team *team = NULL;
    CLI_TRY(exit_code(command, kz_team_join(&team, &error), &error));
    int code = solve_in_team(command, &wishes, team, &result);
    free(result.phases);
    return code;
}

const cli_command command_solve = {
    .name = "solve",
    .summary = "Solve a game completely and write its table",
    .operands = "GAME",
    .help = "Finds the value of every position and writes them to a table, which most other\n"
            "commands use. The table is the same, byte for byte, whatever the number of\n"
            "threads is. It goes to the folder KANZEN_TABLES if that environment variable is\n"
            "set, else to $XDG_DATA_HOME/kanzen (~/.local/share/kanzen), where the other\n"
            "commands find it. Progress is shown on standard error; Ctrl-C stops.\n"
            "\n"
            "Some games are solved phase by phase: positions without a legal turn (-1), wins at\n"
            "once (0), then losses and wins by turns, until a phase finds nothing. A line for\n"
            "each is printed: how many were found among all arrangements of the pieces and how\n"
            "many are undecided then, and the same among the positions that the table stores.\n"
            "What was found is kept in the folder FILE.work; the same command goes on from there\n"
            "after an interruption, and the folder is removed when the table is written.\n"
            "How long it will take, and with how much memory and disk, is said before it begins;\n"
            "if there is less it does not begin.\n"
            "Other games leave a checkpoint there when the solve is interrupted after the first\n"
            "distance, or takes longer than --checkpoint says.\n"
            "\n"
            "A variant of chess or shogi is a text: GAME is its file, NAME.ini, or the name of\n"
            "one that comes with Kanzen. Where the whole game is too large, --ending and\n"
            "--men name a part. What there is a table for already is not solved again.\n"
            "\n"
            "Under mpirun, the processes solve the game together, on one machine or many: each\n"
            "has a part of the positions, the first one reads and writes all files. The table\n"
            "is the same, and any number of processes goes on from what any other number left.\n",
    .examples = "kanzen solve dobutsu\n"
                "kanzen solve dobutsu --rules simplified --out simplified.kzt\n"
                "kanzen solve pushfight --board mini\n"
                "kanzen solve chess --ending KBNvK\n"
                "kanzen solve chess --men 4\n"
                "kanzen solve twelve.ini\n"
                "mpirun -n 4 --host one:2,two:2 kanzen solve dobutsu\n",
    .run = run,
};
