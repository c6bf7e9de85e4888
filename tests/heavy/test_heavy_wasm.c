/* SPDX-License-Identifier: MIT
 * labels: dobutsu-table
 *
 * The module for the browser with the table of Dobutsu Shogi. */
#include "tests/support/wasm_compare.h"

TEST(test_dobutsu) { wasm_compare_all("dobutsu", "official", getenv("DOBUTSU_TABLE"), 20, 20); }

int main(void) {
    int status = wasm_build();
    if (status != 0) {
        return status;
    }
    return run_all_tests(__FILE__, NULL, NULL);
}
