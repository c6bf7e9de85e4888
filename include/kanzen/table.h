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

/* An open table. Any number of threads may probe it at the same time. Only kz_table_cache and kz_table_close change it:
 * nobody may use it meanwhile. */
typedef struct kz_table kz_table;

/* Opens a table; its header and index are checked now, each block when it is first read. `opened` is NULL on
 * failure; close it in the end. */
kz_status kz_table_open(const char *path, kz_table **opened, kz_error *error);

/* The same for a table of a game that does not come with Kanzen (kanzen/load.h). KZ_ERR_INPUT if it is a table of
 * another game. `game` must stay open as long as the table. NULL: the game that the file names, as kz_table_open. */
kz_status kz_table_open_as(const char *path, const kz_game *game, kz_table **opened, kz_error *error);

/* All tables of a game in parts (kz_game_has_parts) that are found where kz_table_find looks, as one: each position is
 * looked up in the table of its part. What a table as a whole is asked for is that of the first part. Lookups of
 * positions that no table has fail with KZ_ERR_UNSUPPORTED, all of them if there is no table. */
kz_status kz_table_open_parts(const kz_game *game, kz_table **opened, kz_error *error);

/* A table file that is not on a disk: its bytes come from the caller, who need not have all of them at hand. */
typedef struct kz_byte_source {
    uint64_t size; /* of the whole file */
    /* The bytes from `offset` on, which stay as they are until the same thread asks for others; or NULL: these are not
     * here yet. Called from every thread that probes the table, and from those that kz_table_verify and the like
     * start. */
    const uint8_t *(*get)(void *user, uint64_t offset, size_t size);
    void (*close)(void *user); /* called once, when the table is closed or can't be opened; may be NULL */
    void *user;
} kz_byte_source;

/* The same for such a table; `name` stands for it in messages. Where bytes are not here yet, this and all lookups fail
 * with KZ_ERR_IO, but not before they have asked for all others that they know they will need. So the caller can get
 * them all at once, and then ask again. `name` and the struct are copied. */
kz_status kz_table_open_bytes(const char *name, const kz_byte_source *bytes, kz_table **opened, kz_error *error);
kz_status kz_table_open_bytes_as(const char *name, const kz_byte_source *bytes, const kz_game *game, kz_table **opened,
                                 kz_error *error);
/* NULL is fine. */
void kz_table_close(kz_table *table);

/* How much of the table is kept decoded in memory, in bytes: 64 MiB of a table of losses and 256 MiB of others if
 * nothing else is said. One that answers many questions does so faster with more; 232 MB hold all of Dobutsu Shogi's.
 * Not while the table is probed. */
kz_status kz_table_cache(kz_table *table, uint64_t bytes, kz_error *error);

const kz_game *kz_table_game(const kz_table *table);
int kz_table_rules(const kz_table *table);
uint64_t kz_table_positions(const kz_table *table);
/* Whether it is an excerpt (kanzen/excerpt.h): it has some of the positions only, and all calls below give KZ_UNKNOWN
 * for the others. kz_table_positions, kz_table_count and kz_table_verify are about those that it has. What goes over
 * all positions of a game fails with KZ_ERR_UNSUPPORTED. */
bool kz_table_is_excerpt(const kz_table *table);
uint64_t kz_table_bytes(const kz_table *table);
/* SHA-256 of the whole content, in hexadecimal, as the file states it; kz_table_check compares. The text lives as long
 * as the table. */
const char *kz_table_digest(const kz_table *table);

/* How many positions of the index have a value; `number` from 0, losses before draws before wins, by distance. False
 * past the last. */
bool kz_table_count(const kz_table *table, size_t number, kz_value *value, uint64_t *count);

/* The value of a position: from the rules if they tell it, else from the table. KZ_ERR_CORRUPT if what is read fails
 * its checksum, KZ_ERR_INPUT if the struct holds no position of this table's rules (kz_validate). */
kz_status kz_probe(const kz_table *table, const kz_position *position, kz_value *value, kz_error *error);

/* The values of many positions, in any order, on `threads` threads (0: one for each processor): the same as kz_probe
 * for each, but what is needed is sorted by where it is in the table, so that each part of it is decoded once for
 * thousands of positions. Takes some 200 MB at most beside the table's cache, and some kB for few positions. With
 * kz_table_cache large enough for the whole table nothing is decoded twice.
 *
 * A position that is none of this table's rules gets KZ_UNKNOWN, and all others their values; the result is then
 * KZ_ERR_INPUT, and the message names the first one, counted from 0. After any other failure the values mean nothing.
 */
kz_status kz_probe_many(const kz_table *table, const kz_position *positions, size_t count, int threads,
                        kz_value *values, kz_error *error);

/* A legal move and the value that it leads to, for the side that makes it. */
typedef struct kz_scored_move {
    kz_move move;
    kz_value value; /* distance counts this move: a move that wins at once has a win in 1 */
} kz_scored_move;

/* Every legal move, best first (win soon, win late, draw, lose late, lose soon), equals in the order of kz_moves.
 * Of an excerpt, moves whose value is not known stand where a draw would. `moves` has room for kz_max_moves. */
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
