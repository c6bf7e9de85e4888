/* SPDX-License-Identifier: MIT
 *
 * How many positions of a table are won or lost in how many plies, or turns where the game counts them. */
#ifndef CLI_HISTOGRAM_H
#define CLI_HISTOGRAM_H

#include <kanzen/table.h>
#include <stdio.h>

enum { HISTOGRAM_DISTANCES = 1024 };

typedef struct histogram {
    const char *title; /* of the game */
    const char *rules;
    const char *unit;                   /* of distances: "plies" or "turns" */
    uint64_t wins[HISTOGRAM_DISTANCES]; /* by distance */
    uint64_t losses[HISTOGRAM_DISTANCES];
    uint64_t all_wins;
    uint64_t all_losses;
    uint64_t draws;
    uint64_t positions;
    uint64_t largest; /* the largest number of wins or of losses at the same distance */
    int longest;      /* the largest distance of a win or a loss; -1 if there is none */
    int longest_win;
} cli_histogram;

void histogram_read(const kz_table *table, cli_histogram *histogram);

/* Draws it as an SVG document: wins upwards, losses downwards, on a logarithmic scale. `context` is the histogram. */
void histogram_write_svg(const void *context, FILE *stream);

#endif
