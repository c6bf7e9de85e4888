/* SPDX-License-Identifier: MIT
 * wraps: kz_dobutsu_state_values_write kz_packet_source_fill kz_packet_source_size
 *
 * Exports of Dobutsu Shogi that are killed (SIGKILL) at moments spread over their whole time: packets as a folder and
 * as an archive, values as text and as a database. What has its final name is whole, and the next run, which goes on
 * where it can, ends in the same bytes. KILLS=100 (make faults) for more moments. tests/cli/test_crash.sh does the same
 * with other commands. */
#include "tests/support/forge.h"

#include "tests/support/tables.h"

#include <dirent.h>
#include <ftw.h>
#include <kanzen/dobutsu_files.h>
#include <kanzen/system.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FIRST = 900, PACKETS = 200 };

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static void empty_folder(void) {
    nftw("work", remove_one, 16, FTW_DEPTH | FTW_PHYS);
    assert_int_equal(mkdir("work", 0777), 0);
}

/* ---- The exports ------------------------------------------------------------------------------------------------- */

static kz_status write_folder(kz_error *error) {
    return write_made_up_packets("work/out", FIRST, PACKETS, false, error);
}

static kz_status write_archive(kz_error *error) {
    return write_made_up_packets("work/out", FIRST, PACKETS, true, error);
}

static kz_status write_values(kz_error *error) {
    kz_export_options options = {.threads = 1};
    uint64_t written;
    return kz_dobutsu_export_values(NULL, "work/out", &options, &written, error);
}

static kz_status write_sqlite(kz_error *error) {
    kz_export_options options = {.threads = 1};
    uint64_t written;
    return kz_dobutsu_export_sqlite(NULL, "work/out", &options, &written, error);
}

/* How many packets have their names, all of which are whole. */
static int whole_packets(void) {
    int there = 0;
    for (int packet = FIRST; packet < FIRST + PACKETS; packet++) {
        char path[64];
        snprintf(path, sizeof path, "work/out/%d/%d.dat", packet / 1000, packet % 1000);
        content c = content_of(path);
        if (c.bytes) {
            assert_int_equal(c.size, MADE_UP_PACKET_BYTES);
            for (size_t i = 0; i < c.size; i++) {
                assert_int_equal(c.bytes[i], packet & 255);
            }
            there++;
        }
        free(c.bytes);
    }
    return there;
}

/* ---- Killing ----------------------------------------------------------------------------------------------------- */

typedef kz_status export(kz_error *error);

static bool kill_after(export *run, double seconds) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        kz_error error;
        _exit(run(&error) == KZ_OK ? 0 : 1);
    }
    struct timespec wait = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&wait, NULL);
    kill(child, SIGKILL);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFSIGNALED(status)) {
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    return WIFSIGNALED(status);
}

static void assert_only_out(void) {
    DIR *listing = opendir("work");
    const struct dirent *entry;
    assert_non_null(listing);
    while ((entry = readdir(listing))) {
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "out") != 0) {
            fail_msg("left %s", entry->d_name);
        }
    }
    closedir(listing);
}

static void crash(const char *name, export *run) {
    const char *text = getenv("KILLS");
    int kills = text ? atoi(text) : 8;
    int killed = 0;
    kz_error error;
    empty_folder();
    double begin = kz_seconds();
    if (run(&error) != KZ_OK) {
        fail_msg("%s: %s", name, error.message);
    }
    double span = kz_seconds() - begin;
    content whole = content_of("work/out");
    for (int i = 0; i < kills; i++) {
        empty_folder();
        killed += kill_after(run, span * (i + 0.5) / kills);
        content found = content_of("work/out");
        bool complete = found.bytes != NULL;
        bool same =
            found.bytes && whole.bytes && found.size == whole.size && memcmp(found.bytes, whole.bytes, whole.size) == 0;
        if (complete && !same) {
            fail_msg("%s: half a file of %zu bytes", name, found.size);
        }
        free(found.bytes);
        whole_packets();
        if (complete) {
            continue;
        }
        if (run(&error) != KZ_OK) {
            fail_msg("%s, after a crash: %s", name, error.message);
        }
        content again = content_of("work/out");
        assert_int_equal(again.size, whole.size);
        if (whole.size) {
            assert_memory_equal(again.bytes, whole.bytes, whole.size);
        }
        free(again.bytes);
        assert_only_out();
        if (run == write_folder) {
            assert_int_equal(whole_packets(), PACKETS);
        }
    }
    assert_true(killed > 0);
    print_message("%s: %d moments in %.0f ms, killed %d times\n", name, kills, span * 1e3, killed);
    free(whole.bytes);
}

TEST(test_folder) { crash("packets, folder", write_folder); }

TEST(test_archive) { crash("packets, archive", write_archive); }

TEST(test_values) { crash("values", write_values); }

TEST(test_sqlite) {
    kz_error error;
    empty_folder();
    if (write_sqlite(&error) == KZ_ERR_UNSUPPORTED) {
        skip();
    }
    crash("sqlite", write_sqlite);
}

TESTS(NULL, NULL)
