/* SPDX-License-Identifier: MIT
 *
 * The base layer: errors, bits, checksums, files and paths. Programs under test run in an empty folder of their own. */
#include "base/bits.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "tests/support/testing.h"

#include <dirent.h>
#include <kanzen/paths.h>
#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Errors -------------------------------------------------------------------------------------------------- */

TEST(test_error_message) {
    kz_error error;
    assert_int_equal(kz_fail(&error, KZ_ERR_INPUT, "character %d is wrong", 7), KZ_ERR_INPUT);
    assert_int_equal(error.status, KZ_ERR_INPUT);
    assert_string_equal(error.message, "character 7 is wrong");
    assert_int_equal(kz_fail_errno(&error, KZ_ERR_IO, 2, "can't read %s", "x"), KZ_ERR_IO);
    assert_string_equal(error.message, "can't read x: No such file or directory");
    assert_int_equal(kz_fail(NULL, KZ_ERR_MEMORY, "nobody listens"), KZ_ERR_MEMORY);
}

TEST(test_error_message_can_quote_itself) {
    kz_error error;
    kz_fail(&error, KZ_ERR_IO, "inner");
    kz_fail(&error, KZ_ERR_CORRUPT, "outer: %s", error.message);
    assert_string_equal(error.message, "outer: inner");
}

TEST(test_long_error_keeps_the_reason) {
    kz_error error;
    char path[2000];
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    kz_fail_errno(&error, KZ_ERR_IO, 28, "can't write %s", path);
    static const char reason[] = "pp: No space left on device";
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_string_equal(error.message + sizeof error.message - sizeof reason, reason);
}

TEST(test_status_names) {
    static const struct {
        kz_status status;
        const char *name;
    } names[] = {{KZ_OK, "ok"},
                 {KZ_ERR_INPUT, "input"},
                 {KZ_ERR_UNSUPPORTED, "unsupported"},
                 {KZ_ERR_IO, "io"},
                 {KZ_ERR_CORRUPT, "corrupt"},
                 {KZ_ERR_MEMORY, "memory"},
                 {KZ_ERR_CANCELLED, "cancelled"},
                 {KZ_ERR_MISMATCH, "mismatch"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_string_equal(kz_status_name(names[i].status), names[i].name);
    }
    assert_string_equal(kz_status_name((kz_status)99), "unknown");
}

/* ---- Bits and checksums -------------------------------------------------------------------------------------- */

/* The headers say what the build says. */
TEST(test_version) {
    char text[64];
    snprintf(text, sizeof text, "%d.%d.%d", KZ_VERSION_MAJOR, KZ_VERSION_MINOR, KZ_VERSION_PATCH);
    assert_string_equal(text, kz_version());
}

TEST(test_bits) {
    assert_int_equal(kz_popcount32(0xf00f0001u), 9);
    assert_int_equal(kz_popcount64(UINT64_MAX), 64);
    assert_int_equal(kz_lowest_bit32(0x80000000u), 31);
    assert_int_equal(kz_lowest_bit64(UINT64_C(1) << 40), 40);
    static const uint8_t bytes[8] = {0x01, 0x82, 0x03, 0x84, 0x05, 0x06, 0x07, 0x88};
    assert_int_equal(kz_load_le16(bytes), 0x8201);
    assert_int_equal(kz_load_le32(bytes), 0x84038201u);
    assert_true(kz_load_le64(bytes) == UINT64_C(0x8807060584038201));
    uint8_t stored[8] = {0};
    kz_store_le64(stored, UINT64_C(0x8807060584038201));
    assert_memory_equal(stored, bytes, 8);
    kz_store_le32(stored, 0x84038201u);
    assert_memory_equal(stored, bytes, 4);
    kz_store_le16(stored, 0x8201);
    assert_memory_equal(stored, bytes, 2);
}

TEST(test_xxh3_of_nothing) { assert_true(kz_hash64("", 0) == UINT64_C(0x2d06800538d394c2)); }

/* The two examples of FIPS 180-2, appendix B. */
TEST(test_sha256_examples) {
    static const struct {
        const char *text, *digest;
    } examples[] = {
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        kz_sha256 hash;
        uint8_t digest[KZ_SHA256_BYTES];
        char hex[KZ_SHA256_HEX_BYTES];
        assert_int_equal(kz_sha256_begin(&hash, NULL), KZ_OK);
        kz_sha256_update(&hash, examples[i].text, 1);
        kz_sha256_update(&hash, examples[i].text + 1, strlen(examples[i].text) - 1);
        assert_int_equal(kz_sha256_finish(&hash, digest, NULL), KZ_OK);
        kz_hex(digest, sizeof digest, hex);
        assert_string_equal(hex, examples[i].digest);
    }
}

/* ---- Files --------------------------------------------------------------------------------------------------- */

static int entries_in(const char *folder) {
    DIR *stream = opendir(folder);
    assert_non_null(stream);
    int count = -2; /* . and .. */
    while (readdir(stream) != NULL) {
        count++;
    }
    closedir(stream);
    return count;
}

static void assert_content(const char *path, const char *content) {
    kz_mapping mapping;
    assert_int_equal(kz_mapping_open(&mapping, path, NULL), KZ_OK);
    assert_int_equal(mapping.size, strlen(content));
    assert_memory_equal(mapping.data, content, mapping.size);
    kz_mapping_close(&mapping);
}

static void write_file(const char *path, const char *content) {
    kz_outfile file;
    assert_int_equal(kz_outfile_open(&file, path, true, NULL), KZ_OK);
    assert_int_equal(kz_outfile_write(&file, content, strlen(content), NULL), KZ_OK);
    assert_int_equal(kz_outfile_commit(&file, NULL), KZ_OK);
}

TEST(test_file_appears_on_commit) {
    assert_int_equal(kz_make_folders("appears", NULL), KZ_OK);
    kz_outfile file;
    assert_int_equal(kz_outfile_open(&file, "appears/x", false, NULL), KZ_OK);
    assert_int_equal(kz_outfile_write(&file, "hel", 3, NULL), KZ_OK);
    assert_int_equal(kz_outfile_write_at(&file, "J", 1, 0, NULL), KZ_OK);
    assert_int_equal(kz_outfile_write(&file, "ly", 2, NULL), KZ_OK);
    assert_int_not_equal(access("appears/x", F_OK), 0);
    assert_int_equal(kz_outfile_commit(&file, NULL), KZ_OK);
    assert_content("appears/x", "Jelly");
    assert_int_equal(entries_in("appears"), 1);

    mode_t mask = umask(0);
    umask(mask);
    struct stat found;
    assert_int_equal(stat("appears/x", &found), 0);
    assert_int_equal(found.st_mode & 0777, 0666 & ~mask);
}

TEST(test_discarded_file_leaves_nothing) {
    assert_int_equal(kz_make_folders("discarded", NULL), KZ_OK);
    write_file("discarded/x", "old");
    kz_outfile file;
    assert_int_equal(kz_outfile_open(&file, "discarded/x", true, NULL), KZ_OK);
    assert_int_equal(kz_outfile_write(&file, "new", 3, NULL), KZ_OK);
    assert_content("discarded/x", "old");
    kz_outfile_discard(&file);
    assert_content("discarded/x", "old");
    assert_int_equal(entries_in("discarded"), 1);
}

TEST(test_existing_file_is_refused_or_replaced) {
    write_file("existing", "old");
    kz_outfile file;
    kz_error error;
    assert_int_equal(kz_outfile_open(&file, "existing", false, &error), KZ_ERR_IO);
    assert_string_equal(error.message, "existing exists already");
    write_file("existing", "new");
    assert_content("existing", "new");
}

TEST(test_file_created_meanwhile_is_kept) {
    assert_int_equal(kz_make_folders("meanwhile", NULL), KZ_OK);
    kz_outfile file;
    kz_error error;
    assert_int_equal(kz_outfile_open(&file, "meanwhile/x", false, NULL), KZ_OK);
    write_file("meanwhile/x", "theirs");
    assert_int_equal(kz_outfile_commit(&file, &error), KZ_ERR_IO);
    assert_string_equal(error.message, "can't write meanwhile/x: File exists");
    assert_content("meanwhile/x", "theirs");
    assert_int_equal(entries_in("meanwhile"), 1);
}

TEST(test_link_is_followed) {
    write_file("behind", "old");
    assert_int_equal(symlink("behind", "link"), 0);
    write_file("link", "new");
    struct stat found;
    assert_int_equal(lstat("link", &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    assert_content("behind", "new");
}

TEST(test_impossible_targets) {
    kz_outfile file;
    kz_error error;
    assert_int_equal(kz_outfile_open(&file, "nowhere/x", true, &error), KZ_ERR_IO);
    assert_non_null(strstr(error.message, "nowhere/x"));
    assert_non_null(strstr(error.message, "No such file or directory"));
    assert_int_equal(kz_outfile_open(&file, ".", true, &error), KZ_ERR_IO);
    assert_non_null(strstr(error.message, "not a regular file"));
    assert_int_equal(kz_outfile_open(&file, "/dev/null", true, &error), KZ_ERR_IO);
    assert_non_null(strstr(error.message, "not a regular file"));
}

TEST(test_mapping) {
    kz_mapping mapping;
    kz_error error;
    write_file("empty", "");
    assert_int_equal(kz_mapping_open(&mapping, "empty", NULL), KZ_OK);
    assert_int_equal(mapping.size, 0);
    assert_non_null(mapping.data);
    kz_mapping_close(&mapping);
    kz_mapping_close(&mapping);
    assert_int_equal(kz_mapping_open(&mapping, "missing", &error), KZ_ERR_IO);
    assert_string_equal(error.message, "can't read missing: No such file or directory");
    assert_int_equal(kz_mapping_open(&mapping, ".", &error), KZ_ERR_IO);
    assert_string_equal(error.message, "can't read .: it is not a regular file");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(kz_mapping_open(&mapping, "pipe", &error), KZ_ERR_IO);
}

TEST(test_make_folders) {
    struct stat found;
    assert_int_equal(kz_make_folders("one/two//three/", NULL), KZ_OK);
    assert_int_equal(stat("one/two/three", &found), 0);
    assert_int_equal(kz_make_folders("one/two/three", NULL), KZ_OK);
    write_file("one/file", "");
    kz_error error;
    assert_int_equal(kz_make_folders("one/file", &error), KZ_ERR_IO);
    assert_non_null(strstr(error.message, "in the way"));
    assert_int_equal(kz_make_folders("one/file/below", &error), KZ_ERR_IO);
    assert_non_null(strstr(error.message, "Not a directory"));
}

/* ---- Paths --------------------------------------------------------------------------------------------------- */

static void assert_table_path(const char *expected) {
    char path[KZ_PATH_BYTES];
    assert_int_equal(kz_table_path("dobutsu", "official", path, sizeof path, NULL), KZ_OK);
    assert_string_equal(path, expected);
}

TEST(test_table_path) {
    setenv("KANZEN_TABLES", "/tables", 1);
    setenv("XDG_DATA_HOME", "/data", 1);
    setenv("HOME", "/home/me", 1);
    assert_table_path("/tables/dobutsu-official.kzt");
    setenv("KANZEN_TABLES", "", 1);
    assert_table_path("/data/kanzen/dobutsu-official.kzt");
    setenv("XDG_DATA_HOME", "relative", 1);
    assert_table_path("/home/me/.local/share/kanzen/dobutsu-official.kzt");
    unsetenv("XDG_DATA_HOME");
    assert_table_path("/home/me/.local/share/kanzen/dobutsu-official.kzt");

    char path[KZ_PATH_BYTES];
    kz_error error;
    assert_int_equal(kz_table_path("dobutsu", "official", path, 10, &error), KZ_ERR_INPUT);
    assert_int_equal(kz_table_path("../etc", "official", path, sizeof path, &error), KZ_ERR_INPUT);
    assert_int_equal(kz_table_path("dobutsu", "", path, sizeof path, &error), KZ_ERR_INPUT);
    unsetenv("HOME");
    assert_int_equal(kz_table_path("dobutsu", "official", path, sizeof path, &error), KZ_ERR_IO);
    assert_non_null(strstr(error.message, "HOME"));
}

TEST(test_table_find) {
    char here[KZ_PATH_BYTES / 2];
    char data[KZ_PATH_BYTES];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(data, sizeof data, "%s/data", here);
    setenv("KANZEN_TABLES", "tables", 1);
    setenv("XDG_DATA_HOME", data, 1);

    char path[KZ_PATH_BYTES];
    kz_error error;
    assert_int_equal(kz_table_find("dobutsu", "official", path, sizeof path, &error), KZ_ERR_IO);
    assert_non_null(strstr(error.message, "kanzen solve dobutsu"));
    /* What all users share comes last; a relative folder there is ignored, as the XDG specification has it. */
    char shared[2 * KZ_PATH_BYTES];
    snprintf(shared, sizeof shared, "shared:%s/absent::%s/shared", here, here);
    setenv("XDG_DATA_DIRS", "shared", 1);
    assert_int_equal(kz_make_folders("shared/kanzen", NULL), KZ_OK);
    write_file("shared/kanzen/dobutsu-official.kzt", "");
    assert_int_equal(kz_table_find("dobutsu", "official", path, sizeof path, &error), KZ_ERR_IO);
    setenv("XDG_DATA_DIRS", shared, 1);
    assert_int_equal(kz_table_find("dobutsu", "official", path, sizeof path, &error), KZ_OK);
    assert_string_equal(path + strlen(here), "/shared/kanzen/dobutsu-official.kzt");
    assert_int_equal(kz_table_find("dobutsu", "official", path, strlen(path), &error), KZ_ERR_INPUT);
    assert_int_equal(kz_make_folders("data/kanzen", NULL), KZ_OK);
    write_file("data/kanzen/dobutsu-official.kzt", "");
    assert_int_equal(kz_table_find("dobutsu", "official", path, sizeof path, &error), KZ_OK);
    assert_string_equal(path + strlen(data), "/kanzen/dobutsu-official.kzt");
    assert_int_equal(kz_make_folders("tables", NULL), KZ_OK);
    write_file("tables/dobutsu-official.kzt", "");
    assert_int_equal(kz_table_find("dobutsu", "official", path, sizeof path, &error), KZ_OK);
    assert_string_equal(path, "tables/dobutsu-official.kzt");
}

TEST(test_system) {
    double before = kz_seconds();
    assert_true(kz_seconds() >= before);
    assert_true(kz_peak_memory_bytes() > 100 * 1024);
    assert_true(kz_processor_count() >= 1);
}

TESTS(NULL, NULL)
