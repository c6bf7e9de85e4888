/* SPDX-License-Identifier: MIT
 *
 * The tables of commands that use many: those that are named with --table; otherwise those that are found for the games
 * that are named, otherwise for all games. */
#ifndef CLI_TABLE_LIST_H
#define CLI_TABLE_LIST_H

#include "common.h"

#include <kanzen/remote.h>

enum { TABLE_LIST_MOST_GAMES = 32 };

typedef struct cli_table_list {
    uint64_t cache_bytes; /* for kz_table_cache; 0: as it is */
    bool may_be_empty;    /* then the user is told that values are unknown */
    kz_published_table *items;
    size_t count;
} cli_table_list;

/* clang-format off */
#define OPTION_TABLES(target_) \
    OPTION_TEXTS("table", target_, "FILE|URL", "a table to use; may be given several times")
/* clang-format on */

/* The games are the operands from `first` on, at most TABLE_LIST_MOST_GAMES. Returns the exit code. Close the list in
 * any case. */
int table_list_open(const cli_arguments *arguments, int first, const cli_texts *named, cli_table_list *tables);
void table_list_close(cli_table_list *tables);

#endif
