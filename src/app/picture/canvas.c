/* SPDX-License-Identifier: MIT */
#include "app/picture/canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void forget(kz_canvas *canvas) {
    canvas->first_row = canvas->height;
    canvas->last_row = -1;
}

bool kz_canvas_open(kz_canvas *canvas, int width, int height, uint32_t color) {
    size_t pixels = (size_t)width * (size_t)height;
    *canvas = (kz_canvas){.width = width, .height = height};
    canvas->pixels = malloc(3 * pixels);
    canvas->cover = calloc((size_t)(width + 2) * (size_t)height, sizeof *canvas->cover);
    if (!canvas->pixels || !canvas->cover) {
        return false;
    }
    for (size_t i = 0; i < pixels; i++) {
        canvas->pixels[3 * i] = (uint8_t)(color >> 16);
        canvas->pixels[3 * i + 1] = (uint8_t)(color >> 8);
        canvas->pixels[3 * i + 2] = (uint8_t)color;
    }
    forget(canvas);
    return true;
}

void kz_canvas_close(kz_canvas *canvas) {
    free(canvas->pixels);
    free(canvas->cover);
    *canvas = (kz_canvas){.width = 0};
}

static float within(float value, float least, float most) {
    return value < least ? least : value > most ? most : value;
}

/* A part of a line that lies in one row and goes down by `height` (up, if it is negative). */
static void add_in_row(float *row, float from, float to, float height) {
    float left = from < to ? from : to;
    float right = from < to ? to : from;
    int column = (int)left;
    if (right <= (float)(column + 1)) {
        float covered = (float)(column + 1) - (left + right) / 2;
        row[column] += height * covered;
        row[column + 1] += height * (1 - covered);
        return;
    }
    float height_a_column = height / (right - left);
    for (; (float)column < right; column++) {
        float begin = left > (float)column ? left : (float)column;
        float end = right < (float)(column + 1) ? right : (float)(column + 1);
        float part = height_a_column * (end - begin);
        float covered = (float)(column + 1) - (begin + end) / 2;
        row[column] += part * covered;
        row[column + 1] += part * (1 - covered);
    }
}

static void add_line(kz_canvas *canvas, kz_point from, kz_point to) {
    float direction = 1;
    if (from.y > to.y) {
        kz_point other = from;
        from = to;
        to = other;
        direction = -1;
    }
    float top = within(from.y, 0, (float)canvas->height);
    float bottom = within(to.y, 0, (float)canvas->height);
    if (!(top < bottom)) {
        return;
    }
    float slope = (to.x - from.x) / (to.y - from.y);
    float width = (float)canvas->width;
    int last = (int)ceilf(bottom) - 1;
    for (int row = (int)top; row <= last; row++) {
        float begin = top > (float)row ? top : (float)row;
        float end = bottom < (float)(row + 1) ? bottom : (float)(row + 1);
        float x1 = within(from.x + slope * (begin - from.y), 0, width);
        float x2 = within(from.x + slope * (end - from.y), 0, width);
        add_in_row(canvas->cover + (size_t)row * (size_t)(canvas->width + 2), x1, x2, direction * (end - begin));
    }
    canvas->first_row = (int)top < canvas->first_row ? (int)top : canvas->first_row;
    canvas->last_row = last > canvas->last_row ? last : canvas->last_row;
}

void kz_canvas_polygon(kz_canvas *canvas, const kz_point *points, size_t count, bool turned) {
    const float farthest = 1e6F;
    float area = 0;
    for (size_t i = 0; i < count; i++) {
        const kz_point *next = &points[i + 1 < count ? i + 1 : 0];
        if (!(fabsf(points[i].x) < farthest && fabsf(points[i].y) < farthest)) {
            return;
        }
        area += points[i].x * next->y - next->x * points[i].y;
    }
    bool reverse = turned && area < 0;
    for (size_t i = 0; i < count; i++) {
        kz_point next = points[i + 1 < count ? i + 1 : 0];
        add_line(canvas, reverse ? next : points[i], reverse ? points[i] : next);
    }
}

static void mix(uint8_t *channel, uint32_t color, float part) {
    *channel = (uint8_t)lroundf((float)*channel + ((float)(color & 255) - (float)*channel) * part);
}

void kz_canvas_fill(kz_canvas *canvas, uint32_t color, float opacity) {
    const float least = 1.0F / 512;
    for (int row = canvas->first_row; row <= canvas->last_row; row++) {
        float *cover = canvas->cover + (size_t)row * (size_t)(canvas->width + 2);
        uint8_t *pixel = canvas->pixels + 3 * (size_t)row * (size_t)canvas->width;
        float sum = 0;
        for (int column = 0; column < canvas->width; column++, pixel += 3) {
            sum += cover[column];
            float part = opacity * within(fabsf(sum), 0, 1);
            if (part > least) {
                mix(&pixel[0], color >> 16, part);
                mix(&pixel[1], color >> 8, part);
                mix(&pixel[2], color, part);
            }
        }
        memset(cover, 0, (size_t)(canvas->width + 2) * sizeof *cover);
    }
    forget(canvas);
}
