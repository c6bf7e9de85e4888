/* SPDX-License-Identifier: MIT
 *
 * kanzen bench: how long the calls take that programs make most. Packing is in cmd_bench_pack.c. */
#include "common.h"

#include <kanzen/paths.h>
#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_PROBES = 20000, MOST_PROBES = 100000000, POSITIONS = 64, LEAST_COLD = 20 };

typedef struct call_bench {
    const kz_game *game;
    kz_table *table;
    const char *path;
    uint64_t probes;
    uint64_t seed;
    kz_error error;
} call_bench;

typedef struct bench_result {
    const char *key;
    const char *meaning;
    uint64_t calls;
    double seconds;
} bench_result;

/* A number below `limit` from Marsaglia's xorshift: the same in every run, so that runs can be compared. */
static uint64_t random_below(call_bench *bench, uint64_t limit) {
    bench->seed ^= bench->seed << 13;
    bench->seed ^= bench->seed >> 7;
    bench->seed ^= bench->seed << 17;
    return (bench->seed >> 11) % limit;
}

/* A position that the rules alone don't tell the value of. A number may be a hole, or stand for a position that can't
 * occur; then it has no rank. */
static kz_position random_position(call_bench *bench) {
    int rules = kz_table_rules(bench->table);
    kz_position position;
    uint64_t rank;
    bool good;
    do {
        uint64_t index = random_below(bench, kz_index_size(bench->game, rules));
        good = kz_unrank(bench->game, rules, index, &position) && kz_rank(bench->game, &position, &rank) &&
               kz_immediate(bench->game, rules, &position).outcome == KZ_UNKNOWN;
    } while (!good);
    return position;
}

static kz_status probe_all(call_bench *bench, const kz_position *positions, uint64_t count, uint64_t calls) {
    kz_value value;
    for (uint64_t i = 0; i < calls; i++) {
        KZ_TRY(kz_probe(bench->table, &positions[i % count], &value, &bench->error));
    }
    return KZ_OK;
}

/* The same few positions again and again; a block is kept when it is needed for the second time. */
static kz_status bench_warm(call_bench *bench, const kz_position *positions, bench_result *result) {
    KZ_TRY(probe_all(bench, positions, POSITIONS, 2 * POSITIONS));
    double begin = kz_seconds();
    KZ_TRY(probe_all(bench, positions, POSITIONS, bench->probes));
    *result = (bench_result){"warm_probe", "probe, looked up before", bench->probes, kz_seconds() - begin};
    return KZ_OK;
}

static kz_status bench_random(call_bench *bench, bench_result *result) {
    double seconds = 0;
    for (uint64_t done = 0; done < bench->probes;) {
        kz_position positions[POSITIONS];
        uint64_t count = bench->probes - done < POSITIONS ? bench->probes - done : POSITIONS;
        for (uint64_t i = 0; i < count; i++) {
            positions[i] = random_position(bench);
        }
        double begin = kz_seconds();
        KZ_TRY(probe_all(bench, positions, count, count));
        seconds += kz_seconds() - begin;
        done += count;
    }
    *result = (bench_result){"random_probe", "probe, any position", bench->probes, seconds};
    return KZ_OK;
}

/* Opens the table anew for each probe, so that nothing has been unpacked before. */
static kz_status bench_cold(call_bench *bench, bench_result results[2]) {
    uint64_t calls = bench->probes / 100 > LEAST_COLD ? bench->probes / 100 : LEAST_COLD;
    double open_seconds = 0;
    double probe_seconds = 0;
    for (uint64_t i = 0; i < calls; i++) {
        kz_position position = random_position(bench);
        kz_table *table;
        kz_value value;
        double begin = kz_seconds();
        KZ_TRY(open_path(bench->path, bench->game, &table, &bench->error));
        double opened = kz_seconds();
        kz_status status = kz_probe(table, &position, &value, &bench->error);
        probe_seconds += kz_seconds() - opened;
        open_seconds += opened - begin;
        kz_table_close(table);
        KZ_TRY(status);
    }
    results[0] = (bench_result){"open", "open a table", calls, open_seconds};
    results[1] = (bench_result){"cold_probe", "first probe after opening", calls, probe_seconds};
    return KZ_OK;
}

static kz_status bench_moves(call_bench *bench, const kz_position *positions, bench_result *result) {
    uint64_t calls = bench->probes / 10 + 1;
    kz_list memory;
    kz_scored_move *moves = open_moves(&memory, bench->table);
    kz_status status = moves ? KZ_OK : out_of_memory(&bench->error);
    double begin = kz_seconds();
    for (uint64_t i = 0; i < calls && status == KZ_OK; i++) {
        int count;
        status = kz_probe_moves(bench->table, &positions[i % POSITIONS], moves, &count, &bench->error);
    }
    *result = (bench_result){"probe_moves", "all moves of a position with values", calls, kz_seconds() - begin};
    kz_list_close(&memory);
    return status;
}

static kz_status bench_text(call_bench *bench, const kz_position *positions, bench_result results[2]) {
    char(*texts)[KZ_TEXT_BYTES] = malloc(POSITIONS * sizeof *texts);
    if (!texts) {
        return out_of_memory(&bench->error);
    }
    kz_status status = KZ_OK;
    double begin = kz_seconds();
    for (uint64_t i = 0; i < bench->probes && status == KZ_OK; i++) {
        uint64_t at = i % POSITIONS;
        status = kz_format(bench->game, &positions[at], 0, texts[at], KZ_TEXT_BYTES, &bench->error);
    }
    results[0] = (bench_result){"format", "write a position", bench->probes, kz_seconds() - begin};
    uint64_t written = bench->probes < POSITIONS ? bench->probes : POSITIONS;
    begin = kz_seconds();
    for (uint64_t i = 0; i < bench->probes && status == KZ_OK; i++) {
        const char *text = texts[i % written];
        kz_position position;
        status = kz_parse(bench->game, kz_table_rules(bench->table), text, strlen(text), &position, &bench->error);
    }
    results[1] = (bench_result){"parse", "read a position", bench->probes, kz_seconds() - begin};
    free(texts);
    return status;
}

enum { RESULTS = 7 };

static kz_status bench_all(call_bench *bench, bench_result results[RESULTS]) {
    kz_position positions[POSITIONS];
    for (int i = 0; i < POSITIONS; i++) {
        positions[i] = random_position(bench);
    }
    KZ_TRY(bench_cold(bench, results));
    KZ_TRY(bench_random(bench, &results[2]));
    KZ_TRY(bench_warm(bench, positions, &results[3]));
    KZ_TRY(bench_moves(bench, positions, &results[4]));
    return bench_text(bench, positions, &results[5]);
}

static void print_results(const call_bench *bench, const bench_result results[RESULTS], bool as_json) {
    cli_report report = report_begin(stdout, as_json);
    cli_json *json = &report.json;
    report_game(&report, bench->game, kz_table_rules(bench->table));
    report_list(&report, "results");
    report_line(&report, "%-36s %12s %14s\n", "", "calls", "each");
    for (int i = 0; i < RESULTS; i++) {
        char calls[THOUSANDS_BYTES];
        double each = 1e9 * results[i].seconds / (double)results[i].calls;
        bool micro = each >= 10000;
        report_line(&report, "%-36s %12s %11.1f %s\n", results[i].meaning, format_thousands(results[i].calls, calls),
                    micro ? each / 1000 : each, micro ? "us" : "ns");
        json_object(json, NULL);
        json_text(json, "name", results[i].key);
        json_unsigned(json, "calls", results[i].calls);
        json_double(json, "seconds", results[i].seconds);
        json_double(json, "nanoseconds_each", each);
        json_end_object(json);
    }
    report_end_list(&report);
    report_end(&report);
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    cli_asked asked = {.table = NULL};
    bool json = false;
    call_bench bench = {.game = kz_game_at(0), .probes = DEFAULT_PROBES, .seed = 88172645463325252U};
    const cli_option options[] = {
        OPTIONS_TABLE(&asked),
        OPTION_NUMBER("probes", &bench.probes, 1, MOST_PROBES, "how many positions to look up (default: 20000)"),
        OPTION_JSON(&json),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 0, 1));
    if (arguments->count > 0) {
        CLI_TRY(choose_game(command, arguments->items[0], &bench.game));
    }
    int rules;
    CLI_TRY(choose_rules(command, bench.game, &asked, &rules));
    char found[KZ_PATH_BYTES];
    if (!asked.table) {
        CLI_TRY(exit_code(command,
                          kz_table_find(kz_game_name(bench.game), kz_rules_name(bench.game, rules), found, sizeof found,
                                        &bench.error),
                          &bench.error));
        asked.table = found;
    }
    bench.path = asked.table;
    CLI_TRY(open_table(command, bench.game, &asked, USE_WHOLE, &bench.table));
    bench_result results[RESULTS];
    int code = STATUS_FINE;
    if (bench_all(&bench, results) == KZ_OK) {
        print_results(&bench, results, json);
    } else {
        code = report_error(command, &bench.error);
    }
    kz_table_close(bench.table);
    return code;
}

const cli_command command_bench = {
    .name = "bench",
    .summary = "Measure how fast positions are looked up, read, written and packed",
    .operands = "[GAME]",
    .help = "Prints how long the most common calls of the library take with a real table, on\n"
            "one thread, for random positions that are the same in every run. The game is the\n"
            "first one if none is given.\n",
    .examples = "kanzen bench dobutsu --probes 1000000\n",
    .run = run,
};
