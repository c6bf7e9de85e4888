/* SPDX-License-Identifier: MIT
 *
 * From a drawing to an image: what a game draws as SVG, as PNG. For those who show previews of links and do not read
 * SVG.
 *
 * It understands what our drawings consist of: rect, circle, ellipse, line, path, text, g, defs and use; the attributes
 * transform (translate, rotate, scale), class, fill, stroke, stroke-width, stroke-linecap, stroke-dasharray and
 * opacity; rules of classes in a style element, without those for dark screens; colours in hexadecimal. It steps over
 * everything else. */
#ifndef KZ_PICTURE_PICTURE_H
#define KZ_PICTURE_PICTURE_H

#include <stddef.h>
#include <stdint.h>

/* Draws the SVG as large as it fits into the middle of an image, and fills the rest with a colour, 0xrrggbb. A PNG file
 * in new memory, which the caller frees; NULL: no memory. */
char *kz_picture(const char *svg, size_t length, int width, int height, uint32_t color, size_t *size);

#endif
