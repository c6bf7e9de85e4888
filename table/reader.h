/* SPDX-License-Identifier: MIT
 *
 * Reading what a table stores, for the parts of the library that look at more than single positions. */
#ifndef KZ_TABLE_READER_H
#define KZ_TABLE_READER_H

#include "base/gamedef.h"

/* What the table stores for positions [first, first + count): 0 if a position is not lost, n + 1 if it is lost in n.
 * Nothing is kept in memory. Any number of threads may do so at once. */
kz_status kz_table_read(const kz_table *table, uint64_t first, uint64_t count, uint8_t *losses, kz_error *error);

/* The same for one position, through the table's cache. */
kz_status kz_table_lookup(const kz_table *table, uint64_t index, uint8_t *loss, kz_error *error);

/* The reader that the game made for this table (of game->reader). */
const void *kz_table_game_reader(const kz_table *table);

#endif
