/* SPDX-License-Identifier: MIT
 *
 * What all diagrams share: a page whose colours follow the reader's light or dark theme, and how it gets to a file.
 *
 * Classes for texts: title, sub, part (a heading), tick; end and mid for where they are anchored. For lines: grid,
 * base. For what is drawn: win, draw, loss. */
#ifndef CLI_SVG_H
#define CLI_SVG_H

#include <kanzen/table.h>
#include <stdio.h>

/* Begins a document with an empty page; `title` is what screen readers say. svg_end ends it. */
void svg_begin(FILE *stream, int width, int height, const char *title);
void svg_end(FILE *stream);

typedef void svg_draw(const void *context, FILE *stream);
/* Has `draw` write the document to a file, which is replaced; "-" is the standard output. */
kz_status svg_write(const char *path, svg_draw *draw, const void *context, kz_error *error);

/* ---- How many positions of a table are won or lost in how many plies, or turns (histogram.c) --------------------- */

enum { HISTOGRAM_DISTANCES = 1024 };

typedef struct cli_histogram {
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
