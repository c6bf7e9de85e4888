/* SPDX-License-Identifier: MIT
 *
 * What all diagrams share: a page whose colours follow the reader's light or dark theme, and how it gets to a file.
 *
 * Classes for texts: title, sub, part (a heading), tick; end and mid for where they are anchored. For lines: grid,
 * base. For what is drawn: win, draw, loss. */
#ifndef CLI_SVG_H
#define CLI_SVG_H

#include <kanzen/error.h>
#include <stdio.h>

/* Begins a document with an empty page; `title` is what screen readers say. svg_end ends it. */
void svg_begin(FILE *stream, int width, int height, const char *title);
void svg_end(FILE *stream);

typedef void svg_draw(const void *context, FILE *stream);
/* Has `draw` write the document to a file, which is replaced; "-" is the standard output. */
kz_status svg_write(const char *path, svg_draw *draw, const void *context, kz_error *error);

#endif
