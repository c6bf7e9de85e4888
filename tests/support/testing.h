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

/* KANZEN_TEST_CASE=test_loops build/test_games runs these cases of a program alone; * and ? stand for anything. */
__attribute__((constructor)) static void choose_cases(void) {
    if (getenv("KANZEN_TEST_CASE")) {
        cmocka_set_test_filter(getenv("KANZEN_TEST_CASE"));
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
