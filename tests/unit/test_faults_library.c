/* SPDX-License-Identifier: MIT
 * labels: slow faults
 * wraps: kz_dobutsu_state_values_write kz_packet_source_fill kz_packet_source_size
 *
 * The library when the system fails it: every call of the C library that a piece of work makes fails once, one after
 * the other (tests/faults/shim.h), up to some hundreds of each kind. Then the work reports it, what was there before is
 * still there and nothing else, nothing leaks, and the same work succeeds afterwards. */
#include "base/error.h"
#include "tests/faults/shim.h"
#include "tests/support/forge.h"
#include "tests/support/tables.h"

#include <dirent.h>
#include <ftw.h>
#include <kanzen/dobutsu_files.h>
#include <kanzen/paths.h>
#include <kanzen/shogi_files.h>
#include <kanzen/solve.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A piece of work. It writes work/out, or says in `leftover` what the names of other files begin with that a run which
 * failed may leave for the next. */
typedef struct piece {
    const char *name;
    kz_status (*run)(kz_error *error);
    const char *leftover;
    bool replaces; /* a file that is there */
    unsigned most; /* faults of a kind that are tried; with THOROUGH=1 a hundred times as many */
} piece;

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static void empty_folder(bool with_old) {
    nftw("work", remove_one, 16, FTW_DEPTH | FTW_PHYS);
    assert_int_equal(mkdir("work", 0777), 0);
    if (with_old) {
        put_content("work/out", "old", 3);
    }
}

/* The name of a file in the folder that ought not to be there. */
static bool is_strange(const piece *p, const char *name) {
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, "out") != 0 &&
           (!p->leftover || strncmp(name, p->leftover, strlen(p->leftover)) != 0);
}

static int descriptors(void) {
    DIR *listing = opendir("/proc/self/fd");
    int count = 0;
    while (listing && readdir(listing)) {
        count++;
    }
    if (listing) {
        closedir(listing);
    }
    return count;
}

/* ---- Faults ------------------------------------------------------------------------------------------------------ */

static void check_folder(const piece *p, const char *fault, kz_status status, content expected) {
    DIR *listing = opendir("work");
    const struct dirent *entry;
    assert_non_null(listing);
    while ((entry = readdir(listing))) {
        if (is_strange(p, entry->d_name)) {
            fail_msg("%s, %s: left %s", p->name, fault, entry->d_name);
        }
    }
    closedir(listing);
    struct stat found;
    if (stat("work/out", &found) == 0 && S_ISDIR(found.st_mode)) {
        return;
    }
    content got = content_of("work/out");
    bool complete =
        got.bytes && expected.bytes && got.size == expected.size && memcmp(got.bytes, expected.bytes, got.size) == 0;
    bool as_before = p->replaces ? got.bytes && got.size == 3 && memcmp(got.bytes, "old", 3) == 0 : !got.bytes;
    if (!complete && (status == KZ_OK || !as_before)) {
        fail_msg("%s, %s: status %s and a file of %zu bytes", p->name, fault, kz_status_name(status), got.size);
    }
    free(got.bytes);
}

/* One fault; true if it was hit. */
static bool try(const piece *p, const char *fault, content expected) {
    kz_error error = {.message = ""};
    int open_before = descriptors();
    long memory[3] = {0};
    /* Some memory is taken once and for all, so what leaks has to do so every time. */
    bool hit = false;
    for (int time = 0; time < 3 && (time == 0 || memory[time] > memory[time - 1]); time++) {
        empty_folder(p->replaces);
        if (time == 0) {
            memory[0] = faults_memory();
        }
        faults_set(fault);
        kz_status status = p->run(&error);
        hit = faults_hit();
        faults_set(NULL);
        if (time < 2) {
            memory[time + 1] = faults_memory();
        } else if (faults_memory() > memory[2]) {
            fail_msg("%s, %s: memory leaks", p->name, fault);
        }
        if (status != KZ_OK &&
            (error.status != status || error.message[0] == '\0' || (status != KZ_ERR_IO && status != KZ_ERR_MEMORY))) {
            fail_msg("%s, %s: %s, %s", p->name, fault, kz_status_name(status), error.message);
        }
        if (status != KZ_OK && !hit) {
            fail_msg("%s, %s: failed without a fault: %s", p->name, fault, error.message);
        }
        check_folder(p, fault, status, expected);
        if (status != KZ_OK && time == 0) {
            kz_error again;
            if (p->run(&again) != KZ_OK && !(strstr(again.message, "exists already") && !p->replaces)) {
                fail_msg("%s, after %s: %s", p->name, fault, again.message);
            }
            check_folder(p, fault, KZ_OK, expected);
            memory[1] = faults_memory();
        }
    }
    if (descriptors() != open_before) {
        fail_msg("%s, %s: descriptors are left open", p->name, fault);
    }
    return hit;
}

static unsigned long sweep(const piece *p, const char *kind, const char *code, content expected) {
    char fault[64];
    snprintf(fault, sizeof fault, "%s:0", kind);
    try(p, fault, expected);
    unsigned long calls = faults_calls();
    unsigned long tried = 0;
    if (calls == 0) {
        return 0;
    }
    unsigned long step = calls / (getenv("THOROUGH") ? 100 * p->most : p->most) + 1;
    for (unsigned long call = 1; call <= calls; call += step) {
        snprintf(fault, sizeof fault, "%s:%lu:%s", kind, call, code);
        try(p, fault, expected);
        tried++;
    }
    snprintf(fault, sizeof fault, "%s:%lu+:%s", kind, calls / 2 + 1, code);
    try(p, fault, expected);
    return tried;
}

static void test_piece(const piece *p) {
    static const char *const faults[][2] = {
        {"write", "ENOSPC"},  {"fsync", "EIO"},    {"rename", "EIO"},    {"close", "EIO"},
        {"read", "EIO"},      {"open", "EMFILE"},  {"mmap", "ENOMEM"},   {"lock", "EIO"},
        {"thread", "EAGAIN"}, {"truncate", "EIO"}, {"malloc", "ENOMEM"},
    };
    kz_error error;
    empty_folder(p->replaces);
    if (p->run(&error) != KZ_OK) {
        fail_msg("%s: %s", p->name, error.message);
    }
    content expected = content_of("work/out");
    unsigned long tried = 0;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        tried += sweep(p, faults[i][0], faults[i][1], expected);
    }
    /* These are no faults. */
    static const char *const harmless[] = {"short:1+", "write:1:EINTR", "write:2:EINTR", "read:1:EINTR"};
    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++) {
        empty_folder(p->replaces);
        faults_set(harmless[i]);
        kz_status status = p->run(&error);
        faults_set(NULL);
        if (status != KZ_OK) {
            fail_msg("%s, %s: %s", p->name, harmless[i], error.message);
        }
        check_folder(p, harmless[i], KZ_OK, expected);
    }
    print_message("%s: %lu faults\n", p->name, tried);
    free(expected.bytes);
}

/* ---- Push Fight -------------------------------------------------------------------------------------------------- */

static const kz_game *game(void) { return kz_game_find("pushfight"); }

static kz_status solve(kz_error *error) {
    kz_solve_options options = {.threads = 2};
    kz_summary summary;
    return kz_solve(game(), kz_rules_find(game(), "corridor"), "work/out", &options, &summary, error);
}

static void test_solve(void **state) {
    (void)state;
    test_piece(&(piece){.name = "solve", .run = solve, .leftover = "out.work", .most = 1});
}

/* What a table says, in a file. */
static kz_status probe(kz_error *error) {
    char text[4096] = "";
    kz_table *table;
    kz_position position;
    kz_scored_move moves[KZ_MAX_MOVES];
    int count;
    kz_value value;
    kz_status status = kz_table_open("table.kzt", &table, error);
    if (status != KZ_OK) {
        return status;
    }
    for (uint64_t index = 3; status == KZ_OK && index < 1500; index += 300) {
        kz_unrank(game(), kz_table_rules(table), index, &position);
        status = kz_probe(table, &position, &value, error);
        status = status == KZ_OK ? kz_probe_moves(table, &position, moves, &count, error) : status;
        if (status == KZ_OK) {
            size_t length = strlen(text);
            snprintf(text + length, sizeof text - length, "%d %d %d\n", value.outcome, value.distance, count);
        }
    }
    kz_verify_report report;
    status = status == KZ_OK ? kz_table_verify(table, 2, NULL, &report, error) : status;
    kz_table_close(table);
    return status == KZ_OK ? kz_write_file("work/out", text, strlen(text), true, error) : status;
}

static void test_probe(void **state) {
    (void)state;
    test_piece(&(piece){.name = "probe", .run = probe, .replaces = true, .most = 40});
}

static kz_status export_csv(kz_error *error) {
    kz_table *table;
    KZ_TRY(kz_table_open("table.kzt", &table, error));
    kz_export_options options = {.threads = 2, .count = 300};
    uint64_t written;
    kz_status status = kz_export_csv(table, "work/out", 0, 1, &options, &written, error);
    kz_table_close(table);
    return status;
}

static void test_csv(void **state) {
    (void)state;
    test_piece(&(piece){.name = "csv", .run = export_csv, .most = 8});
}

/* ---- Dobutsu Shogi, with made-up values -------------------------------------------------------------------------- */

static kz_status export_values(kz_error *error) {
    kz_export_options options = {.replace = true};
    uint64_t written;
    return kz_dobutsu_export_values(NULL, "work/out", &options, &written, error);
}

static kz_status export_sqlite(kz_error *error) {
    kz_export_options options = {.threads = 1};
    uint64_t written;
    return kz_dobutsu_export_sqlite(NULL, "work/out", &options, &written, error);
}

static void test_values(void **state) {
    (void)state;
    test_piece(&(piece){.name = "values", .run = export_values, .replaces = true, .most = 100});
}

static void test_sqlite(void **state) {
    (void)state;
    kz_error error;
    empty_folder(false);
    if (export_sqlite(&error) == KZ_ERR_UNSUPPORTED) {
        skip();
    }
    test_piece(&(piece){.name = "sqlite", .run = export_sqlite, .most = 12});
}

static kz_status export_states(kz_error *error) {
    kz_export_options options = {.count = 50};
    uint64_t written;
    return kz_dobutsu_export_states("work/out", false, &options, &written, error);
}

static void test_states(void **state) {
    (void)state;
    test_piece(&(piece){.name = "states", .run = export_states, .most = 2});
}

static kz_status export_archive(kz_error *error) { return write_made_up_packets("work/out", 997, 6, true, error); }

/* The packets that are there are whole, whatever happened, and there is nothing else. */
static void check_packets(const char *fault, kz_status status) {
    int there = 0;
    char path[64];
    for (int packet = 990; packet < 1010; packet++) {
        snprintf(path, sizeof path, "work/out/%d/%d.dat", packet / 1000, packet % 1000);
        content c = content_of(path);
        if (c.bytes) {
            assert_true(packet >= 997 && packet < 1003);
            assert_int_equal(c.size, 8000);
            for (size_t i = 0; i < c.size; i++) {
                assert_int_equal((uint8_t)c.bytes[i], packet & 255);
            }
            there++;
        }
        free(c.bytes);
        snprintf(path, sizeof path, "work/out/%d/%d.dat.part", packet / 1000, packet % 1000);
        if (access(path, F_OK) == 0) {
            fail_msg("packets, %s: left %s", fault, path);
        }
    }
    bool complete = there == 6 && access("work/out/maximums.dat", F_OK) == 0;
    if (status == KZ_OK && !complete) {
        fail_msg("packets, %s: only %d of them", fault, there);
    }
}

static kz_status export_folder(kz_error *error) {
    kz_status status = write_made_up_packets("work/out", 997, 6, false, error);
    faults_set(NULL); /* not for what follows */
    check_packets(faults_hit() ? "a fault" : "no fault", status);
    return status;
}

static void test_archive(void **state) {
    (void)state;
    test_piece(&(piece){.name = "packets, archive", .run = export_archive, .leftover = "out.part", .most = 100});
}

static void test_folder(void **state) {
    (void)state;
    test_piece(&(piece){.name = "packets, folder", .run = export_folder, .most = 100});
}

/* ---- Records of shogi -------------------------------------------------------------------------------------------- */

static const kz_shogi_source games = {.path = "games.psv", .record = KZ_SHOGI_RECORD_PSV, .dialect = KZ_SHOGI_DIALECTS};

static kz_status convert(kz_error *error) {
    kz_shogi_target target = {
        .path = "work/out", .record = KZ_SHOGI_RECORD_HCPE, .dialect = KZ_SHOGI_DIALECTS, .replace = true};
    kz_shogi_file_options options = {.threads = 2, .resume = true, .checkpoint_seconds = 1e-9};
    kz_shogi_file_report report;
    return kz_shogi_convert(&games, &target, &options, NULL, &report, error);
}

static void test_convert(void **state) {
    (void)state;
    test_piece(&(piece){.name = "convert", .run = convert, .leftover = "out.part", .replaces = true, .most = 100});
}

typedef kz_status change(const kz_shogi_source *source, const kz_shogi_target *target,
                         const kz_shogi_file_options *options, const kz_progress *progress,
                         kz_shogi_file_report *report, kz_error *error);

static kz_status run_change(change *how, kz_error *error) {
    kz_shogi_target target = {.path = "work/out", .record = KZ_SHOGI_RECORD_PSV, .dialect = KZ_SHOGI_DIALECTS};
    kz_shogi_file_options options = {.threads = 2, .memory = 1, .seed = 5};
    kz_shogi_file_report report;
    return how(&games, &target, &options, NULL, &report, error);
}

static kz_status shuffle(kz_error *error) { return run_change(kz_shogi_shuffle, error); }

static kz_status dedupe(kz_error *error) { return run_change(kz_shogi_dedupe, error); }

static void test_shuffle(void **state) {
    (void)state;
    test_piece(&(piece){.name = "shuffle", .run = shuffle, .most = 100});
}

static void test_dedupe(void **state) {
    (void)state;
    test_piece(&(piece){.name = "dedupe", .run = dedupe, .most = 100});
}

static int set_up(void **state) {
    (void)state;
    kz_error error;
    char path[4096];
    snprintf(path, sizeof path, "%s/shogi/tests/data/games_all.csa", getenv("KANZEN_SOURCE"));
    kz_shogi_source source = {.path = path, .record = KZ_SHOGI_RECORD_CSA, .dialect = KZ_SHOGI_DIALECTS};
    kz_shogi_target target = {
        .path = "games.psv", .record = KZ_SHOGI_RECORD_PSV, .dialect = KZ_SHOGI_DIALECTS, .replace = true};
    kz_shogi_file_options options = {.threads = 1};
    kz_shogi_file_report report;
    must(kz_shogi_convert(&source, &target, &options, NULL, &report, &error), &error);
    empty_folder(false);
    if (solve(&error) != KZ_OK || rename("work/out", "table.kzt") != 0) {
        fail_msg("%s", error.message);
    }
    return 0;
}

#ifdef __SANITIZE_ADDRESS__
enum { LEFT_OUT = 3 }; /* the last ones take much memory, which is slow there */
#else
enum { LEFT_OUT = 0 };
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probe),   cmocka_unit_test(test_values), cmocka_unit_test(test_sqlite),
        cmocka_unit_test(test_archive), cmocka_unit_test(test_folder), cmocka_unit_test(test_convert),
        cmocka_unit_test(test_shuffle), cmocka_unit_test(test_dedupe), cmocka_unit_test(test_csv),
        cmocka_unit_test(test_states),  cmocka_unit_test(test_solve),
    };
    return _cmocka_run_group_tests("faults", tests, sizeof tests / sizeof tests[0] - LEFT_OUT, set_up, NULL);
}
