/* SPDX-License-Identifier: MIT */
#include "tests/support/solved_board.h"

kz_table *solved_board(const char *board) {
    const kz_game *game = kz_game_find("pushfight");
    kz_solve_options options = {.threads = 1, .replace = true};
    kz_summary summary;
    kz_error error = {0};
    kz_table *table = NULL;
    char path[64];
    snprintf(path, sizeof path, "solved-%s.kzt", board);
    if (kz_solve(game, kz_rules_find(game, board), path, &options, &summary, &error) != KZ_OK ||
        kz_table_open(path, &table, &error) != KZ_OK) {
        fail_msg("%s: %s", board, error.message);
    }
    remove(path);
    return table;
}
