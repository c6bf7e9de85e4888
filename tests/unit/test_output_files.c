/* SPDX-License-Identifier: MIT
 *
 * The calls that write files: kz_write_file and kz_prepare_output; and what they do about files left behind. */
#include "tests/support/testing.h"

#include "base/file.h"

#include <kanzen/paths.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void assert_content(const char *path, const char *expected) {
    char text[64] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_int_equal(length, strlen(expected));
    assert_string_equal(text, expected);
}

TEST(test_write_file) {
    kz_error error;
    assert_int_equal(kz_write_file("a", "first", 5, false, &error), KZ_OK);
    assert_content("a", "first");
    assert_int_equal(kz_write_file("a", "second", 6, false, &error), KZ_ERR_IO);
    assert_string_equal(error.message, "a exists already");
    assert_content("a", "first");
    assert_int_equal(kz_write_file("a", "second", 6, true, &error), KZ_OK);
    assert_content("a", "second");
    assert_int_equal(kz_write_file("empty", "", 0, false, NULL), KZ_OK);
    assert_content("empty", "");
    assert_int_equal(kz_write_file("nowhere/a", "x", 1, true, &error), KZ_ERR_IO);
    assert_non_null(strstr(error.message, "No such file or directory"));
}

TEST(test_prepare_output) {
    kz_error error;
    assert_int_equal(kz_prepare_output("new/folders/file", false, &error), KZ_OK);
    assert_int_equal(access("new/folders", F_OK), 0);
    assert_int_equal(rmdir("new/folders"), 0); /* so it is empty */
    assert_int_equal(kz_prepare_output("here", false, &error), KZ_OK);
    assert_int_equal(access("here", F_OK), -1);

    assert_int_equal(kz_write_file("there", "x", 1, false, &error), KZ_OK);
    assert_int_equal(kz_prepare_output("there", false, &error), KZ_ERR_IO);
    assert_string_equal(error.message, "there exists already");
    assert_int_equal(kz_prepare_output("there", true, &error), KZ_OK);
    assert_content("there", "x");
    assert_int_equal(kz_prepare_output("there/below", true, &error), KZ_ERR_IO);
    assert_non_null(strstr(error.message, "there"));
    assert_int_equal(kz_prepare_output(".", true, &error), KZ_ERR_IO);
    assert_int_equal(kz_prepare_output("", true, &error), KZ_ERR_INPUT);
}

static void put(const char *path) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

/* What runs have left behind that were killed: the next one with the same target takes it away, and nothing else. */
TEST(test_stale_files) {
    static const char *const others[] = {"out.tmp-12-", "out.tmp-12-3x", "out.tmp--12-3", "out.tmp-",     "out.tmp-12",
                                         "out.tmp-x-3", "out2.tmp-12-3", "xout.tmp-12-3", "out.tmp-1-2-3"};
    enum { OTHERS = sizeof others / sizeof others[0] };
    kz_error error;
    put("out.tmp-1-0"); /* of a process that is there, but has nothing to do with it */
    put("out.tmp-999999999-17");
    for (int i = 0; i < OTHERS; i++) {
        put(others[i]);
    }
    /* Two that are being written: by this process, and as if by another. */
    kz_outfile mine;
    kz_outfile elsewhere;
    assert_int_equal(kz_outfile_open(&mine, "out", true, &error), KZ_OK);
    assert_int_equal(kz_outfile_open(&elsewhere, "out", true, &error), KZ_OK);
    assert_int_equal(rename(elsewhere.temporary, "out.tmp-999999999-5"), 0);
    assert_int_equal(access("out.tmp-1-0", F_OK), -1);
    assert_int_equal(access("out.tmp-999999999-17", F_OK), -1);
    for (int i = 0; i < OTHERS; i++) {
        assert_int_equal(access(others[i], F_OK), 0);
    }
    assert_int_equal(kz_write_file("out", "x", 1, true, &error), KZ_OK);
    assert_int_equal(access("out.tmp-999999999-5", F_OK), 0);
    assert_int_equal(access(mine.temporary, F_OK), 0);
    kz_outfile_discard(&elsewhere);
    assert_int_equal(kz_write_file("out", "y", 1, true, &error), KZ_OK);
    assert_int_equal(access("out.tmp-999999999-5", F_OK), -1);
    assert_int_equal(kz_outfile_write(&mine, "mine", 4, &error), KZ_OK);
    assert_int_equal(kz_outfile_commit(&mine, &error), KZ_OK);
    assert_content("out", "mine");
}

TESTS(NULL, NULL)
