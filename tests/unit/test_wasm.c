/* SPDX-License-Identifier: MIT
 * labels: slow
 *
 * The module for the browser with a table of Push Fight, whose pages come as they are asked for. */
#include "tests/support/wasm_compare.h"

TEST(test_pushfight) {
    const kz_game *game = kz_game_find("pushfight");
    kz_summary summary;
    kz_solve_options options = {.replace = true};
    assert_int_equal(kz_solve(game, kz_rules_find(game, "mini"), "mini.kzt", &options, &summary, NULL), KZ_OK);
    wasm_compare_all("pushfight", "mini", "mini.kzt", 3, 5);
}

int main(void) {
    int status = wasm_build();
    if (status != 0) {
        return status;
    }
    return run_all_tests(__FILE__, NULL, NULL);
}
