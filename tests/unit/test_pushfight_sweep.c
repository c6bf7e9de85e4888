/* SPDX-License-Identifier: MIT
 * labels: slow
 *
 * The solver by sweeps: phases against published counts, one table whatever the processor, the threads and the
 * interruptions, and files of phases that are damaged. */
#include "base/cpu.h"
#include "base/file.h"
#include "base/hash.h"
#include "games/pushfight/solve/solve.h"
#include "tests/support/forge.h"
#include "tests/support/testing.h"

#include <kanzen/pushfight.h>
#include <kanzen/solve.h>
#include <kanzen/table.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const kz_game *game(void) { return kz_game_find("pushfight"); }

static int board(const char *name) { return kz_rules_find(game(), name); }

/* The SHA-256 of a table that was just made. */
static void solve_digest(const char *name, const kz_solve_options *options, char digest[KZ_SHA256_HEX_BYTES]) {
    kz_error error;
    kz_summary summary;
    kz_table *table;
    must(kz_solve(game(), board(name), "sweep.kzt", options, &summary, &error), &error);
    must(kz_table_open("sweep.kzt", &table, &error), &error);
    snprintf(digest, KZ_SHA256_HEX_BYTES, "%s", kz_table_digest(table));
    kz_table_close(table);
    unlink("sweep.kzt");
}

/* ---- Phases ------------------------------------------------------------------------------------------------------ */

enum { VALUES = 32, PATH_BYTES = 4096 };

typedef struct found_phases {
    uint64_t all[VALUES]; /* by value byte */
    uint64_t kept[VALUES];
    uint64_t open_all;
    uint64_t open_kept;
    int count;
} found_phases;

static void take_phase(void *user, const kz_phase *phase) {
    found_phases *found = user;
    assert_int_equal(phase->phase, found->count - 1);
    assert_true(phase->phase + 2 < VALUES);
    found->count++;
    found->all[phase->phase + 2] = phase->found;
    found->kept[phase->phase + 2] = phase->found_kept;
    found->open_all = phase->open;
    found->open_kept = phase->open_kept;
}

/* The published counts of the mini board: all permutations, and those that pass the anchor test. */
TEST(test_mini_phases) {
#ifdef __SANITIZE_ADDRESS__
    skip(); /* the smaller boards take the same ways */
#endif
    found_phases found = {.count = 0};
    char digest[KZ_SHA256_HEX_BYTES];
    solve_digest("mini", &(kz_solve_options){.replace = true, .phase_done = take_phase, .phase_user = &found}, digest);
    FILE *file = open_source("tests/data/pushfight/mini-board-counts.txt");
    char line[256];
    int compared = 0;
    while (fgets(line, sizeof line, file)) {
        unsigned value;
        unsigned long long all;
        unsigned long long kept;
        unsigned long long minimized;
        if (sscanf(line, "%u %llu %llu %llu", &value, &all, &kept, &minimized) == 4) {
            assert_int_equal(value ? found.all[value] : found.open_all, all);
            assert_int_equal(value ? found.kept[value] : found.open_kept, kept);
            compared++;
        }
    }
    fclose(file);
    assert_int_equal(compared, 21);
    assert_int_equal(found.count, 20);
}

/* ---- One table --------------------------------------------------------------------------------------------------- */

TEST(test_same_everywhere) {
#ifdef __SANITIZE_ADDRESS__
    static const char *const names[] = {"corridor", "raft", "hook"};
#else
    static const char *const names[] = {"corridor", "raft", "hook", "mini"};
#endif
    static const int threads[] = {2, 7};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char expected[KZ_SHA256_HEX_BYTES];
        char digest[KZ_SHA256_HEX_BYTES];
        setenv("KANZEN_CPU", kz_cpu_name(KZ_CPU_PLAIN), 1);
        solve_digest(names[i], &(kz_solve_options){.threads = 1}, expected);
        for (kz_cpu cpu = KZ_CPU_BMI2; cpu < KZ_CPU_LEVELS; cpu++) {
            setenv("KANZEN_CPU", kz_cpu_name(cpu), 1); /* the best there is, if the processor has less */
            solve_digest(names[i], &(kz_solve_options){.threads = 1}, digest);
            assert_string_equal(digest, expected);
        }
        unsetenv("KANZEN_CPU");
        for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
            solve_digest(names[i], &(kz_solve_options){.threads = threads[k]}, digest);
            assert_string_equal(digest, expected);
        }
    }
}

/* ---- Interruptions ----------------------------------------------------------------------------------------------- */

/* Stops at the n-th report. */
static bool stop_after(void *user, const char *stage, uint64_t done, uint64_t total) {
    int *left = user;
    (void)stage;
    (void)done;
    (void)total;
    return --*left > 0;
}

/* A checkpoint after every slice of a sweep, and a stop at more and more reports until the solve comes to its end. */
static void check_interrupted(const char *name, int threads) {
    char expected[KZ_SHA256_HEX_BYTES];
    solve_digest(name, NULL, expected);
    kz_status status = KZ_ERR_CANCELLED;
    int stops = 0;
    for (int reports = 1; status == KZ_ERR_CANCELLED; reports += 3) {
        int left = reports;
        kz_progress progress = {stop_after, &left};
        kz_solve_options options = {.threads = threads, .progress = &progress, .checkpoint_seconds = 1e-9};
        kz_summary summary;
        kz_error error;
        status = kz_solve(game(), board(name), "stopped.kzt", &options, &summary, &error);
        stops += status == KZ_ERR_CANCELLED;
        assert_true(status == KZ_OK || access("stopped.kzt", F_OK) != 0);
    }
    assert_int_equal(status, KZ_OK);
    assert_true(stops > 3);
    assert_int_not_equal(access("stopped.kzt.work", F_OK), 0);
    kz_table *table;
    assert_int_equal(kz_table_open("stopped.kzt", &table, NULL), KZ_OK);
    assert_string_equal(kz_table_digest(table), expected);
    kz_table_close(table);
    unlink("stopped.kzt");
}

TEST(test_interrupted) {
    check_interrupted("hook", 1);
    check_interrupted("raft", 2);
    if (getenv("THOROUGH")) { /* make faults: as many stops on a larger board */
        check_interrupted("mini", 1);
    }
}

/* Asked to stop after a phase, a solve keeps what it has and says the same when it goes on. */
TEST(test_last_phase) {
    kz_summary summary;
    for (int last = 1; last <= 4; last++) {
        found_phases found = {.count = 0};
        kz_solve_options options = {.last_phase = last, .phase_done = take_phase, .phase_user = &found};
        assert_int_equal(kz_solve(game(), board("hook"), "part.kzt", &options, &summary, NULL), KZ_OK);
        assert_int_equal(summary.table_bytes, 0);
        assert_int_equal(found.count, last + 2);
        assert_int_not_equal(access("part.kzt", F_OK), 0);
    }
    kz_solve_options options = {.keep_work = true};
    assert_int_equal(kz_solve(game(), board("hook"), "part.kzt", &options, &summary, NULL), KZ_OK);
    assert_true(summary.table_bytes > 0);
    assert_int_equal(access("part.kzt.work/phase-004.kzp", F_OK), 0);
    kz_pf_remove_work("part.kzt.work");
    assert_int_not_equal(access("part.kzt.work", F_OK), 0);
    unlink("part.kzt");
}

/* ---- Damaged files ----------------------------------------------------------------------------------------------- */

static kz_status solve_again(const char *name, kz_error *error) {
    kz_summary summary;
    kz_solve_options options = {.threads = 1, .last_phase = 2};
    return kz_solve(game(), board(name), "bad.kzt", &options, &summary, error);
}

static void write_bytes(const char *path, const uint8_t *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

TEST(test_damaged_phase) {
    static const char path[] = "bad.kzt.work/phase-001.kzp";
    kz_error error;
    assert_int_equal(solve_again("corridor", &error), KZ_OK);
    kz_mapping mapping;
    assert_int_equal(kz_mapping_open(&mapping, path, NULL), KZ_OK);
    size_t size = mapping.size;
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    memcpy(bytes, mapping.data, size);
    kz_mapping_close(&mapping);
    for (size_t i = 0; i < size; i += FEWER) {
        bytes[i] ^= 0x10;
        write_bytes(path, bytes, size);
        bytes[i] ^= 0x10;
        if (solve_again("corridor", &error) != KZ_ERR_CORRUPT) {
            fail_msg("a changed byte %zu of %zu went unnoticed", i, size);
        }
    }
    for (size_t length = 0; length < size; length += (size_t)13 * FEWER) {
        write_bytes(path, bytes, length);
        assert_int_equal(solve_again("corridor", &error), KZ_ERR_CORRUPT);
    }
    /* A whole file, but of another board. */
    write_bytes(path, bytes, size);
    assert_int_equal(solve_again("hook", &error), KZ_ERR_CORRUPT);
    assert_non_null(strstr(error.message, "not phase 1 of pushfight, hook"));
    assert_int_equal(solve_again("corridor", &error), KZ_OK);
    free(bytes);
    kz_pf_remove_work("bad.kzt.work");
}

/* ---- Phase 0 ----------------------------------------------------------------------------------------------------- */

/* A chunk of the standard board with the published sum. Not one of the slow ones. */
TEST(test_phase0_chunk) {
    uint64_t wins;
    kz_error error;
    assert_int_equal(kz_pushfight_phase0_chunk(0, 7420, "chunk-r0-7420.bin", false, NULL, &wins, &error), KZ_OK);
    assert_int_equal(wins, 36032164);
    assert_int_equal(kz_pushfight_phase0_chunk(0, 7420, "chunk-r0-7420.bin", false, NULL, &wins, &error), KZ_ERR_IO);
    assert_int_equal(kz_pushfight_phase0_chunk(0, 7429, "no.bin", false, NULL, &wins, &error), KZ_ERR_INPUT);
    char command[PATH_BYTES];
    snprintf(command, sizeof command, "grep 7420 '%s/tests/data/pushfight/phase0-chunks.sha256' | sha256sum -c --quiet",
             getenv("KANZEN_SOURCE"));
    assert_int_equal(system(command), 0);
    unlink("chunk-r0-7420.bin");
}

TESTS(NULL, NULL)
