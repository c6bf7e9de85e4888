/* SPDX-License-Identifier: MIT
 *
 * An image of coloured pixels, and outlines that are filled in it with smooth edges.
 *
 * An outline is given as lines. Each line adds, for the pixels that it crosses, how much of the pixel lies to its
 * right; summed up from left to right this is how often the outline goes around each pixel. Lines in the other
 * direction take away. So parts of an outline that overlap have to run in the same direction (kz_canvas_polygon sees to
 * it). */
#ifndef KZ_PICTURE_CANVAS_H
#define KZ_PICTURE_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kz_point {
    float x, y;
} kz_point;

typedef struct kz_canvas {
    int width;
    int height;
    uint8_t *pixels; /* red, green, blue */
    float *cover;    /* of the outline that is being made, width + 2 a row */
    int first_row;   /* rows that the outline touches: first_row to last_row */
    int last_row;
} kz_canvas;

/* A canvas of one colour, 0xrrggbb. False: no memory. Free it in any case. */
bool kz_canvas_open(kz_canvas *canvas, int width, int height, uint32_t color);
void kz_canvas_close(kz_canvas *canvas);

/* Adds a closed polygon to the outline. `turned` makes it run clockwise whatever the order of its points; without it,
 * a polygon in the other direction is a hole. Points that are no numbers make it empty. */
void kz_canvas_polygon(kz_canvas *canvas, const kz_point *points, size_t count, bool turned);

/* Fills the outline and forgets it. `opacity` is 0 to 1. */
void kz_canvas_fill(kz_canvas *canvas, uint32_t color, float opacity);

/* Writes a PNG file (ISO/IEC 15948) without any other library: png.c. Drawings repeat the pixel to the left and the row
 * above, so these are the only repetitions that are looked for; they go out in one block of deflate (RFC 1951) with its
 * fixed code. New memory, which the caller frees; NULL: there is none. */
char *kz_png(const kz_canvas *canvas, size_t *size);

#endif
