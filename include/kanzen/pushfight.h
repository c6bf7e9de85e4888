/* SPDX-License-Identifier: MIT
 *
 * Push Fight in the forms that its published solution uses: permutations, value bytes, chunks; and its openings. The
 * general calls are in game.h; a rule set of this game is a board.
 *
 * A permutation is an arrangement of all pieces on the squares of a board, as the side to move sees it, whether the
 * anchor can have got there or not. Permutations are numbered in lexicographic order, square by square from the top
 * left, empty < own mover < own pusher < enemy mover < enemy pusher < anchored enemy pusher. The minimized index
 * numbers those whose anchor passes the test, up to the half turn of the board.
 *
 * A value byte is 0 for a tie, 2k for a win in k turns of the side to move, 2k + 1 for a loss in k. */
#ifndef KANZEN_PUSHFIGHT_H
#define KANZEN_PUSHFIGHT_H

#include <kanzen/game.h>
#include <kanzen/progress.h>
#include <kanzen/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of the standard board, rule set 0. */
enum {
    KZ_PUSHFIGHT_STANDARD = 0,
    KZ_PUSHFIGHT_CHUNKS = 7429,
    KZ_PUSHFIGHT_CHUNK = 54054000, /* permutations */
    KZ_PUSHFIGHT_VALUES = 256      /* value bytes */
};

/* The sides of a placement: the first player sets up on the board's home squares and moves first. */
enum { KZ_PUSHFIGHT_FIRST = 0, KZ_PUSHFIGHT_SECOND = 1 };

/* In all calls below, `threads` is the number of threads (0: one for each processor), and a file that is there already
 * is replaced if `replace` is set, and refused otherwise. */

/* ---- Phase 0: who can push a piece off the board at once ------------------------------------------------------- */

/* Writes the bitmap of a chunk of the standard board: bit i % 8 (from the lowest) of byte i / 8 is set if permutation
 * number i of the chunk is such a win; 6,756,750 bytes. `wins` is how many there are. */
kz_status kz_pushfight_phase0_chunk(int threads, uint64_t chunk, const char *path, bool replace,
                                    const kz_progress *progress, uint64_t *wins, kz_error *error);

typedef struct kz_pushfight_phase0_report {
    uint64_t permutations;
    uint64_t wins;  /* at once */
    uint64_t stuck; /* no legal turn: lost */
    uint64_t reachable;
    uint64_t reachable_wins;
    uint64_t reachable_stuck;
    double seconds;
} kz_pushfight_phase0_report;

/* Counts them over a whole board. */
kz_status kz_pushfight_phase0(int rules, int threads, const kz_progress *progress, kz_pushfight_phase0_report *report,
                              kz_error *error);

/* ---- Which positions can be reached ---------------------------------------------------------------------------- */

enum { KZ_PUSHFIGHT_MOST_TURNS = 255, KZ_PUSHFIGHT_EXAMPLES = 10 };

/* Positions whose anchor passes the test: how many legal turns can make of a starting position, as long as no piece
 * falls. */
typedef struct kz_pushfight_reach_report {
    bool folded; /* a position and its half turn count as one, which is reached if one of the two is */
    uint64_t positions;
    uint64_t reached;
    uint64_t no_predecessor; /* not reached, and no turn leads there from any position that passes the test */
    uint64_t cornered;       /* of these: all pushers of the side to move stand where no push ends */
    int turns;               /* after so many, nothing new comes up */
    uint64_t reached_in[KZ_PUSHFIGHT_MOST_TURNS + 1]; /* so many turns and no fewer */
    int examples;
    kz_position unreached[KZ_PUSHFIGHT_EXAMPLES]; /* those with the lowest numbers of the general index */
    double seconds;
} kz_pushfight_reach_report;

/* With `unfold` half turns are told apart: then the first player always starts on the home squares. The standard board
 * takes 18 GB of memory, and 36 GB then. */
kz_status kz_pushfight_reachable(int rules, int threads, bool unfold, const kz_progress *progress,
                                 kz_pushfight_reach_report *report, kz_error *error);

/* ---- Values from a table --------------------------------------------------------------------------------------- */

/* What was written. */
typedef struct kz_pushfight_values_report {
    uint64_t counts[KZ_PUSHFIGHT_VALUES]; /* by value byte */
    char sha256[65];                      /* of the bytes, in hexadecimal */
} kz_pushfight_values_report;

/* Writes the value bytes of a chunk of permutations; `table` is one of the standard board. Without a path (NULL) it
 * only makes the report. */
kz_status kz_pushfight_merged_chunk(const kz_table *table, int threads, uint64_t chunk, const char *path, bool replace,
                                    const kz_progress *progress, kz_pushfight_values_report *report, kz_error *error);

/* Writes the value bytes of all permutations of the table's board, or of all minimized positions. Without a path (NULL)
 * it only makes the report. */
kz_status kz_pushfight_values(const kz_table *table, int threads, bool minimized, const char *path, bool replace,
                              const kz_progress *progress, kz_pushfight_values_report *report, kz_error *error);

/* ---- Openings -------------------------------------------------------------------------------------------------- */

/* An opening is a placement of the first player's pieces and one of the second player's; then the first player moves.
 * Values are those of the first player. */
typedef struct kz_pushfight_openings_report {
    uint32_t firsts;  /* how many placements the first player has */
    uint32_t seconds; /* and the second one */
    uint64_t counts[KZ_PUSHFIGHT_VALUES];
    uint8_t *values; /* value byte of [first * seconds + second]; free it with kz_pushfight_openings_free */
} kz_pushfight_openings_report;

kz_status kz_pushfight_openings(const kz_table *table, int threads, const kz_progress *progress,
                                kz_pushfight_openings_report *report, kz_error *error);
/* Also for a report that is all zero. */
void kz_pushfight_openings_free(kz_pushfight_openings_report *report);

/* A placement as text: the board, square by square as in a permutation, with '.' for an empty square and the pieces of
 * this side only: 'o' a mover and 'O' a pusher of the first player, 'x' and 'X' of the second. `number` is below
 * `firsts` or `seconds`. */
kz_status kz_pushfight_placement_format(int rules, int side, uint32_t number, char *text, size_t size, kz_error *error);
kz_status kz_pushfight_placement_parse(int rules, int side, const char *text, size_t length, uint32_t *number,
                                       kz_error *error);

#ifdef __cplusplus
}
#endif
#endif
