/* SPDX-License-Identifier: MIT
 *
 * The public calls that write files: kz_write_file and kz_prepare_output. */
#include "tests/testing.h"

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

static void test_write_file(void **state) {
    (void)state;
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

static void test_prepare_output(void **state) {
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_file),
        cmocka_unit_test(test_prepare_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
