/* SPDX-License-Identifier: MIT
 *
 * Looking positions up: what a program waits for that asks once, and one that asks a lot.
 *
 *     bench_probe [TABLE [POSITIONS]]
 *
 * TABLE is one of Dobutsu Shogi: the one that `kanzen solve` makes, if nothing else is said. Times are of the
 * processor, because others may use the machine; "two cores" says how many positions a second two cores of this speed
 * answer if they share the work. Random positions are those that the rules alone don't tell the value of; "any" are all
 * of the index, more than half of which they do. */
#include "base/random.h"
#include "games/dobutsu/index/space.h"
#include "games/dobutsu/rules/rules.h"

#include <kanzen/paths.h>
#include <kanzen/table.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OPENINGS = 20, COLD = 3000, POSITIONS = 16000000 };

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void need(kz_status status, const kz_error *error) {
    if (status != KZ_OK) {
        fprintf(stderr, "bench_probe: %s\n", error->message);
        exit(4);
    }
}

static kz_table *open_table(const char *path) {
    kz_table *table;
    kz_error error;
    need(kz_table_open(path, &table, &error), &error);
    return table;
}

static void fill(const kz_table *table, kz_position *positions, size_t count, bool open_only, kz_random *random) {
    int rules = kz_table_rules(table);
    kz_dobutsu_space *space = kz_dobutsu_space_new(); /* kz_unrank takes some microseconds */
    if (!space) {
        exit(3);
    }
    for (size_t i = 0; i < count; i++) {
        kz_dobutsu position;
        do {
            kz_dobutsu_space_unrank(space, kz_random_below(random, KZ_DOBUTSU_INDEX_SIZE), &position);
        } while (open_only && kz_dobutsu_immediate(rules, &position).outcome != KZ_UNKNOWN);
        kz_dobutsu_to_position(&position, &positions[i]);
    }
    kz_dobutsu_space_free(space);
}

/* Once with nothing decoded, and once more with everything, with other positions. */
static void bench_many(const char *path, size_t count, kz_random *random) {
    static const char *const names[2][2] = {
        {"any positions at once, nothing warm", "any positions at once, all warm"},
        {"random positions at once, nothing warm", "random positions at once, all warm"}};
    kz_position *positions = malloc(count * sizeof *positions);
    kz_value *values = malloc(count * sizeof *values);
    kz_error error;
    if (!positions || !values) {
        fprintf(stderr, "bench_probe: no memory for %zu positions\n", count);
        exit(3);
    }
    for (int open_only = 0; open_only < 2; open_only++) {
        kz_table *table = open_table(path);
        need(kz_table_cache(table, 1 << 30, &error), &error);
        for (int warm = 0; warm < 2; warm++) {
            fill(table, positions, count, open_only, random);
            double begin = processor_seconds();
            need(kz_probe_many(table, positions, count, 2, values, &error), &error);
            double each = (processor_seconds() - begin) / (double)count;
            printf("%-44s %10.2f us %7.2f million a second on two cores\n", names[open_only][warm], 1e6 * each,
                   2e-6 / each);
        }
        kz_table_close(table);
    }
    free(positions);
    free(values);
}

/* The processor's time of one of many runs of a program, in seconds; what it prints is thrown away. */
static double run_program(char *const *words) {
    enum { RUNS = 40 };
    struct rusage before;
    struct rusage after;
    getrusage(RUSAGE_CHILDREN, &before);
    for (int i = 0; i < RUNS; i++) {
        int status = -1;
        pid_t child = fork();
        if (child == 0) {
            if (freopen("/dev/null", "w", stdout)) {
                execvp(words[0], words);
            }
            _exit(127);
        }
        if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) {
            fprintf(stderr, "bench_probe: %s can't be run\n", words[0]);
            exit(3);
        }
    }
    getrusage(RUSAGE_CHILDREN, &after);
    double user = (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
                  1e-6 * (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec);
    double system = (double)(after.ru_stime.tv_sec - before.ru_stime.tv_sec) +
                    1e-6 * (double)(after.ru_stime.tv_usec - before.ru_stime.tv_usec);
    return (user + system) / RUNS;
}

/* One question to the command, beside a program that does nothing and the command without a question. */
static void bench_command(char *path) {
    char *command = getenv("KANZEN");
    if (!command) {
        printf("KANZEN does not name the command, so it is not measured\n");
        return;
    }
    char *const nothing[] = {"true", NULL};
    char *const help[] = {command, "help", NULL};
    char *const probe[] = {command, "probe", "dobutsu", "--table", path, "startpos", NULL};
    double least = run_program(nothing);
    double started = run_program(help);
    double answered = run_program(probe);
    printf("%-44s %10.2f ms\n", "true: a program that does nothing", 1e3 * least);
    printf("%-44s %10.2f ms %7.1f times that\n", "kanzen help: the command starts", 1e3 * started, started / least);
    printf("%-44s %10.2f ms %7.1f times that\n", "kanzen probe: and answers one question", 1e3 * answered,
           answered / least);
}

int main(int count, char **arguments) {
    char path[KZ_PATH_BYTES];
    kz_error error;
    kz_random random = {1};
    if (count > 1) {
        snprintf(path, sizeof path, "%s", arguments[1]);
    } else if (kz_table_find("dobutsu", "official", path, sizeof path, &error) != KZ_OK) {
        printf("left out: %s\n", error.message);
        return 77;
    }
    bench_command(path);
    double best = 1e9;
    for (int i = 0; i < OPENINGS; i++) {
        double begin = processor_seconds();
        kz_table *table = open_table(path);
        double taken = processor_seconds() - begin;
        best = taken < best ? taken : best;
        kz_table_close(table);
    }
    printf("%-44s %10.2f ms\n", "open a table", 1e3 * best);

    kz_table *table = open_table(path);
    need(kz_table_cache(table, 1, &error), &error);
    kz_position *positions = malloc(COLD * sizeof *positions);
    if (!positions) {
        return 3;
    }
    best = 1e9;
    for (int round = 0; round < 3; round++) {
        fill(table, positions, COLD, true, &random);
        double begin = processor_seconds();
        for (int i = 0; i < COLD; i++) {
            kz_value value;
            need(kz_probe(table, &positions[i], &value, &error), &error);
        }
        double taken = (processor_seconds() - begin) / COLD;
        best = taken < best ? taken : best;
    }
    printf("%-44s %10.2f us\n", "probe of a random position, nothing warm", 1e6 * best);
    kz_table_close(table);
    free(positions);
    bench_many(path, count > 2 ? strtoull(arguments[2], NULL, 10) : POSITIONS, &random);
    return 0;
}
