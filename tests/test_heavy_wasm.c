/* SPDX-License-Identifier: MIT
 *
 * The module for the browser with the table of Dobutsu Shogi. */
#include "tests/wasm_compare.h"

static void test_dobutsu(void **state) {
    (void)state;
    kz_summary summary;
    kz_solve_options options = {.replace = true};
    assert_int_equal(kz_solve(kz_game_find("dobutsu"), 0, "dobutsu.kzt", &options, &summary, NULL), KZ_OK);
    wasm_compare_all("dobutsu", "official", "dobutsu.kzt", 20, 20);
}

int main(void) {
    int status = wasm_build();
    if (status != 0) {
        return status;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dobutsu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
