/* SPDX-License-Identifier: MIT
 *
 * cmocka and the headers that it wants before it. */
#ifndef TESTS_TESTING_H
#define TESTS_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <kanzen/error.h>

/* KANZEN_TEST_CASE=test_loops build/test_games runs these cases of a program alone; * and ? stand for anything. */
__attribute__((constructor)) static void choose_cases(void) {
    if (getenv("KANZEN_TEST_CASE")) {
        cmocka_set_test_filter(getenv("KANZEN_TEST_CASE"));
    }
}

/* TEST(name) { ... } is a test, and TESTS(set_up, tear_down), below the last one, the program that runs them all in the
 * order in which they stand. A test is named once, and no list can leave it out. */

enum { TESTS_MOST = 64 };

static struct CMUnitTest all_tests[TESTS_MOST];
static size_t test_count;

static inline void add_test(const char *name, CMUnitTestFunction function) {
    if (test_count == TESTS_MOST) {
        abort();
    }
    all_tests[test_count++] = (struct CMUnitTest){.name = name, .test_func = function};
}

static inline int run_all_tests(const char *group, CMFixtureFunction set_up, CMFixtureFunction tear_down) {
    return _cmocka_run_group_tests(group, all_tests, test_count, set_up, tear_down);
}

#define TEST(name)                                                                                                     \
    static void name(void **state);                                                                                    \
    __attribute__((constructor)) static void add_##name(void) { add_test(#name, name); }                               \
    static void name(void **state __attribute__((unused)))

#define TESTS(set_up, tear_down)                                                                                       \
    int main(void) { return run_all_tests(__FILE__, set_up, tear_down); }

/* What has to succeed for the test to go on; says why it did not. */
static inline void must(kz_status status, const kz_error *error) {
    if (status != KZ_OK) {
        fail_msg("%s", error->message);
        abort(); /* fail_msg does not return, but who reads the code only can't know */
    }
}

/* A loop over many cases of one kind takes one case of FEWER. Sanitizers make everything slow, and find what they find
 * with few cases; the release build takes them all. (The macro is gcc's.) */
#ifdef __SANITIZE_ADDRESS__
enum { FEWER = 8 };
#else
enum { FEWER = 1 };
#endif

/* How many of so many random cases a run takes: a quarter, one of FEWER with sanitizers, and with THOROUGH=1 (make
 * faults) all of them. */
static inline int random_cases(int many) { return getenv("THOROUGH") ? many : many / (FEWER > 1 ? (int)FEWER : 4); }

#endif
