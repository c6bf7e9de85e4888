/* SPDX-License-Identifier: MIT
 *
 * Shapes as lists of points: path data, ellipses, rectangles with round corners, letters; and from such lists the
 * outline of a stroke along them. */
#ifndef KZ_PICTURE_OUTLINE_H
#define KZ_PICTURE_OUTLINE_H

#include "app/picture/canvas.h"

/* x' = a x + c y + e, y' = b x + d y + f */
typedef struct kz_transform {
    float a, b, c, d, e, f;
} kz_transform;

static inline kz_point kz_transformed(const kz_transform *by, kz_point point) {
    return (kz_point){by->a * point.x + by->c * point.y + by->e, by->b * point.x + by->d * point.y + by->f};
}

/* Lines through points; each begins where `begins` says. What is too much is left out. */
enum { KZ_OUTLINE_POINTS = 4096, KZ_OUTLINE_LINES = 256 };
typedef struct kz_outline {
    kz_point points[KZ_OUTLINE_POINTS];
    kz_point moved[KZ_OUTLINE_POINTS]; /* where they are on a canvas */
    size_t count;
    size_t begins[KZ_OUTLINE_LINES + 1];
    bool closed[KZ_OUTLINE_LINES];
    size_t lines;
} kz_outline;

typedef struct kz_pen {
    float width;
    bool round_ends;
    float dash, gap; /* 0: no dashes */
} kz_pen;

void kz_outline_clear(kz_outline *outline);
void kz_outline_ellipse(kz_outline *outline, float x, float y, float rx, float ry);
void kz_outline_rectangle(kz_outline *outline, float x, float y, float width, float height, float radius);
void kz_outline_line(kz_outline *outline, kz_point from, kz_point to);
/* The data of a path in SVG: M L H V C S Q T A Z and their small forms. It stops at what it does not understand. */
void kz_outline_path(kz_outline *outline, const char *data, size_t length);
/* Letters, to be drawn with a pen, around x; a capital letter is 0.72 * size high. */
void kz_outline_text(kz_outline *outline, const char *text, size_t length, float x, float y, float size);

/* Reads a number ("-.5", "12") and what separates it from the next one. False: there is none. */
bool kz_scan_number(const char **at, const char *end, float *number);

/* Adds the inside of the outline, or a stroke along it, to what the canvas fills next. */
void kz_outline_inside(kz_outline *outline, const kz_transform *transform, kz_canvas *canvas);
void kz_outline_stroke(const kz_outline *outline, kz_pen pen, const kz_transform *transform, kz_canvas *canvas);

/* ---- Letters: letters.c ---------------------------------------------------------------------------------------- */

/* Strokes of a pen on a grid: columns 0 to 4 from the left; rows 0 (below the line), 2 (the line), 6 (small letters)
 * and 8 (capitals) from below. Points are two digits, column and row; a blank lifts the pen. "" for a blank. Characters
 * that are not ASCII get none. */
const char *kz_letter_strokes(char c);
/* In columns. */
int kz_letter_width(char c);

#endif
