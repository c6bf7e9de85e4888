/* SPDX-License-Identifier: MIT
 *
 * Excerpts: small tables for phones and web pages. An excerpt has the positions of a table that games are likely to
 * come to, with their values, and says "unknown" for all others. */
#ifndef KANZEN_EXCERPT_H
#define KANZEN_EXCERPT_H

#include <kanzen/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What an excerpt is to hold: what is near to some positions. A position is as far away as the moves that lead to it: a
 * best move counts 1, any other one 2. The nearest positions come first, each with all its legal moves, until the file
 * has as many bytes as it may have. */
typedef struct kz_excerpt_wish {
    const kz_position *starts;
    size_t start_count;  /* 0: the start position of the game */
    uint64_t most_bytes; /* of the file */
    int threads;         /* 0: one for each processor */
    bool replace;        /* a file that is there */
} kz_excerpt_wish;

typedef struct kz_excerpt_report {
    uint64_t positions; /* in the excerpt; those that are won at once are not, the rules tell them */
    uint64_t expanded;  /* positions of which all moves are known, the starts included */
    int distance;       /* all positions at most so far away have their moves in it */
    uint64_t bytes;
} kz_excerpt_report;

/* Writes an excerpt of a table of all values (version 2 in docs/format-table.md; others are refused with
 * KZ_ERR_UNSUPPORTED). The same table and wish give the same bytes, on any number of threads. */
kz_status kz_excerpt_write(const kz_table *table, const kz_excerpt_wish *wish, const char *path,
                           const kz_progress *progress, kz_excerpt_report *report, kz_error *error);

#ifdef __cplusplus
}
#endif
#endif
