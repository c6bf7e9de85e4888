/* SPDX-License-Identifier: MIT
 *
 * The solution of a game in a file, and looking positions up in it. docs/format-table.md describes the file. */
#ifndef KANZEN_TABLE_H
#define KANZEN_TABLE_H

#include <kanzen/game.h>
#include <kanzen/progress.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An open table. Any number of threads may probe it at the same time. */
typedef struct kz_table kz_table;

/* Opens a table; its header and index are checked now, each block when it is first read. */
kz_status kz_table_open(const char *path, kz_table **opened, kz_error *error);
void kz_table_close(kz_table *table);

const kz_game *kz_table_game(const kz_table *table);
int kz_table_rules(const kz_table *table);
uint64_t kz_table_positions(const kz_table *table);
uint64_t kz_table_bytes(const kz_table *table);
/* SHA-256 of the whole content, in hexadecimal, as the file states it; kz_table_check compares. */
const char *kz_table_digest(const kz_table *table);

/* How many positions of the index have a value; `number` from 0, losses before draws before wins, by distance. False
 * past the last. */
bool kz_table_count(const kz_table *table, size_t number, kz_value *value, uint64_t *count);

/* The value of a position: from the rules if they tell it, else from the table. KZ_ERR_CORRUPT if what is read fails
 * its checksum. */
kz_status kz_probe(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error);

/* A legal move and the value that it leads to, for the side that makes it. */
typedef struct kz_scored_move {
    kz_move move;
    kz_value value; /* distance counts this move: a move that wins at once has a win in 1 */
} kz_scored_move;

/* Every legal move, best first (win soon, win late, draw, lose late, lose soon), equals in the order of kz_moves.
 * `moves` has room for KZ_MAX_MOVES. */
kz_status kz_probe_moves(const kz_table *table, const kz_position *position, kz_scored_move *moves, int *count,
                         kz_error *error);

/* Reads the whole file and compares the digest and every block's checksum. */
kz_status kz_table_check(const kz_table *table, const kz_progress *progress, kz_error *error);

/* What a verification saw. */
typedef struct kz_verify_report {
    uint64_t positions; /* checked */
    uint64_t wins;
    uint64_t losses;
    uint64_t draws;
    uint64_t wrong;       /* positions whose value does not follow from their successors */
    uint64_t first_wrong; /* the index of the first one, if any */
} kz_verify_report;

/* kz_table_check, then every value is derived again from the values of its successors, which come from a
 * second implementation of the rules, and the counts in the header are compared. KZ_ERR_MISMATCH if any is wrong. */
kz_status kz_table_verify(const kz_table *table, int threads, const kz_progress *progress, kz_verify_report *report,
                          kz_error *error);

#ifdef __cplusplus
}
#endif
#endif
