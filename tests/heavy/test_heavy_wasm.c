/* SPDX-License-Identifier: MIT
 * labels: dobutsu-table
 *
 * The module for the browser with the table of Dobutsu Shogi. */
#include "tests/support/wasm_compare.h"

static void test_dobutsu(void **state) {
    (void)state;
    wasm_compare_all("dobutsu", "official", getenv("DOBUTSU_TABLE"), 20, 20);
}

int main(void) {
    int status = wasm_build();
    if (status != 0) {
        return status;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dobutsu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
