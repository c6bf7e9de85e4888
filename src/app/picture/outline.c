/* SPDX-License-Identifier: MIT */
#include "app/picture/outline.h"

#include <math.h>
#include <string.h>

static const float circle = 6.28318531F;

/* ---- Building -------------------------------------------------------------------------------------------------- */

void kz_outline_clear(kz_outline *outline) {
    outline->count = 0;
    outline->lines = 0;
    outline->begins[0] = 0;
}

static void add_point(kz_outline *outline, float x, float y) {
    if (outline->count < KZ_OUTLINE_POINTS) {
        outline->points[outline->count++] = (kz_point){x, y};
    }
}

static void end_line(kz_outline *outline, bool closed) {
    if (outline->lines < KZ_OUTLINE_LINES && outline->count > outline->begins[outline->lines]) {
        outline->closed[outline->lines++] = closed;
        outline->begins[outline->lines] = outline->count;
    }
}

void kz_outline_ellipse(kz_outline *outline, float x, float y, float rx, float ry) {
    enum { CORNERS = 48 };
    for (int i = 0; i < CORNERS; i++) {
        float angle = circle * (float)i / CORNERS;
        add_point(outline, x + rx * cosf(angle), y + ry * sinf(angle));
    }
    end_line(outline, true);
}

void kz_outline_rectangle(kz_outline *outline, float x, float y, float width, float height, float radius) {
    enum { CORNERS = 8 };
    const float centres[4][2] = {
        {x + width - radius, y + height - radius},
        {x + radius, y + height - radius},
        {x + radius, y + radius},
        {x + width - radius, y + radius},
    };
    for (int corner = 0; corner < 4; corner++) {
        for (int i = 0; i <= (radius > 0 ? CORNERS : 0); i++) {
            float angle = circle / 4 * ((float)corner + (float)i / CORNERS);
            add_point(outline, centres[corner][0] + radius * cosf(angle), centres[corner][1] + radius * sinf(angle));
        }
    }
    end_line(outline, true);
}

void kz_outline_line(kz_outline *outline, kz_point from, kz_point to) {
    add_point(outline, from.x, from.y);
    add_point(outline, to.x, to.y);
    end_line(outline, false);
}

void kz_outline_text(kz_outline *outline, const char *text, size_t length, float x, float y, float size) {
    float unit = size / 8; /* letters are on a grid: 4 units wide at most, capitals 6 units high */
    float width = 0;
    for (size_t i = 0; i < length; i++) {
        width += unit * ((float)kz_letter_width(text[i]) + 1.4F);
    }
    x -= (width - 1.4F * unit) / 2;
    for (size_t i = 0; i < length; i++) {
        for (const char *stroke = kz_letter_strokes(text[i]); *stroke; stroke++) {
            if (*stroke == ' ') {
                end_line(outline, false);
            } else {
                float column = (float)(*stroke - '0');
                float row = (float)(*++stroke - '0');
                add_point(outline, x + unit * column, y - unit * (row - 2));
            }
        }
        end_line(outline, false);
        x += unit * ((float)kz_letter_width(text[i]) + 1.4F);
    }
}

/* ---- Path data ------------------------------------------------------------------------------------------------- */

static bool is_separator(char c) { return c == ' ' || c == ',' || c == '\n' || c == '\t' || c == '\r'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool kz_scan_number(const char **at, const char *end, float *number) {
    const char *c = *at;
    while (c < end && is_separator(*c)) {
        c++;
    }
    float sign = c < end && *c == '-' ? -1 : 1;
    c += c < end && (*c == '-' || *c == '+');
    float whole = 0, fraction = 0, unit = 1;
    int digits = 0;
    for (; c < end && is_digit(*c); c++, digits++) {
        whole = 10 * whole + (float)(*c - '0');
    }
    if (c < end && *c == '.') {
        for (c++; c < end && is_digit(*c); c++, digits++) {
            unit /= 10;
            fraction += unit * (float)(*c - '0');
        }
    }
    if (digits == 0) {
        return false;
    }
    while (c < end && is_separator(*c)) {
        c++;
    }
    *number = sign * (whole + fraction);
    *at = c;
    return true;
}

typedef struct path {
    kz_outline *outline;
    kz_point start;   /* of this line */
    kz_point at;      /* where the pen is */
    kz_point control; /* the last control point of a curve; else `at` */
} path;

static void move_to(path *p, kz_point to) {
    add_point(p->outline, to.x, to.y);
    p->at = to;
    p->control = to;
}

static kz_point mirrored(kz_point point, kz_point about) {
    return (kz_point){2 * about.x - point.x, 2 * about.y - point.y};
}

static void curve_to(path *p, kz_point c1, kz_point c2, kz_point to) {
    enum { PARTS = 16 };
    kz_point from = p->at;
    for (int i = 1; i <= PARTS; i++) {
        float t = (float)i / PARTS, u = 1 - t;
        add_point(p->outline, u * u * u * from.x + 3 * u * u * t * c1.x + 3 * u * t * t * c2.x + t * t * t * to.x,
                  u * u * u * from.y + 3 * u * u * t * c1.y + 3 * u * t * t * c2.y + t * t * t * to.y);
    }
    p->at = to;
}

/* A curve with one control point is one with two, each two thirds of the way. */
static void quadratic_to(path *p, kz_point control, kz_point to) {
    const float part = 2.0F / 3;
    kz_point c1 = {p->at.x + part * (control.x - p->at.x), p->at.y + part * (control.y - p->at.y)};
    kz_point c2 = {to.x + part * (control.x - to.x), to.y + part * (control.y - to.y)};
    curve_to(p, c1, c2, to);
    p->control = control;
}

/* A part of an ellipse without a rotation. The circle through both points is found where the ellipse is a circle. */
static void arc_to(path *p, float rx, float ry, bool large, bool clockwise, kz_point to) {
    enum { PARTS = 24 };
    rx = fabsf(rx);
    ry = fabsf(ry);
    if (!(rx > 0 && ry > 0) || (p->at.x == to.x && p->at.y == to.y)) {
        move_to(p, to);
        return;
    }
    float x1 = p->at.x / rx, y1 = p->at.y / ry, x2 = to.x / rx, y2 = to.y / ry;
    float dx = x2 - x1, dy = y2 - y1;
    float half = sqrtf(dx * dx + dy * dy) / 2;
    float radius = half > 1 ? half : 1; /* one that is too small is made to fit */
    float away = sqrtf(radius * radius - half * half) / (2 * half) * (large == clockwise ? 1 : -1);
    float mx = (x1 + x2) / 2 + away * dy, my = (y1 + y2) / 2 - away * dx;
    float begin = atan2f(y1 - my, x1 - mx), turn = atan2f(y2 - my, x2 - mx) - begin;
    turn += clockwise && turn < 0 ? circle : !clockwise && turn > 0 ? -circle : 0;
    for (int i = 1; i < PARTS; i++) {
        float angle = begin + turn * (float)i / PARTS;
        add_point(p->outline, rx * (mx + radius * cosf(angle)), ry * (my + radius * sinf(angle)));
    }
    move_to(p, to);
}

/* How many numbers a command takes; -1: it is none. */
static int numbers_of(char command) {
    switch (command) {
    case 'z':
        return 0;
    case 'h':
    case 'v':
        return 1;
    case 'm':
    case 'l':
    case 't':
        return 2;
    case 's':
    case 'q':
        return 4;
    case 'c':
        return 6;
    case 'a':
        return 7;
    default:
        return -1;
    }
}

/* Numbers of small letters count from where the pen is. */
static kz_point point_at(const path *p, bool relative, const float *numbers) {
    return (kz_point){numbers[0] + (relative ? p->at.x : 0), numbers[1] + (relative ? p->at.y : 0)};
}

static void do_command(path *p, char command, bool relative, const float *n) {
    kz_point origin = relative ? p->at : (kz_point){0, 0};
    kz_point to;
    switch (command) {
    case 'm':
        to = point_at(p, relative, n);
        end_line(p->outline, false);
        p->start = to;
        move_to(p, to);
        break;
    case 'l':
        move_to(p, point_at(p, relative, n));
        break;
    case 'h':
        move_to(p, (kz_point){origin.x + n[0], p->at.y});
        break;
    case 'v':
        move_to(p, (kz_point){p->at.x, origin.y + n[0]});
        break;
    case 'c':
    case 's': {
        const float *rest = command == 'c' ? n + 2 : n;
        kz_point c1 = command == 'c' ? point_at(p, relative, n) : mirrored(p->control, p->at);
        kz_point c2 = point_at(p, relative, rest);
        curve_to(p, c1, c2, point_at(p, relative, rest + 2));
        p->control = c2;
        break;
    }
    case 'q':
        quadratic_to(p, point_at(p, relative, n), point_at(p, relative, n + 2));
        break;
    case 't':
        quadratic_to(p, mirrored(p->control, p->at), point_at(p, relative, n));
        break;
    case 'a':
        arc_to(p, n[0], n[1], n[3] != 0, n[4] != 0, point_at(p, relative, n + 5));
        break;
    default:
        end_line(p->outline, true);
        move_to(p, p->start);
    }
}

void kz_outline_path(kz_outline *outline, const char *data, size_t length) {
    const char *at = data, *end = data + length;
    path p = {.outline = outline};
    char command = 0;
    while (at < end) {
        if (is_separator(*at)) {
            at++;
            continue;
        }
        bool letter = (*at | 32) >= 'a' && (*at | 32) <= 'z';
        bool first = letter;
        command = letter ? *at++ : command;
        char small = (char)(command | 32);
        int count = numbers_of(small);
        float numbers[7] = {0};
        int read = 0;
        while (read < count && kz_scan_number(&at, end, &numbers[read])) {
            read++;
        }
        if (read < count || count < (first ? 0 : 1)) {
            break;
        }
        do_command(&p, small, command == small, numbers);
        command = small != 'm' ? command : command == 'm' ? 'l' : 'L'; /* further points are lines */
    }
    end_line(outline, false);
}

/* ---- Onto the canvas ------------------------------------------------------------------------------------------- */

void kz_outline_inside(kz_outline *outline, const kz_transform *transform, kz_canvas *canvas) {
    for (size_t i = 0; i < outline->count; i++) {
        outline->moved[i] = kz_transformed(transform, outline->points[i]);
    }
    for (size_t i = 0; i < outline->lines; i++) {
        kz_canvas_polygon(canvas, outline->moved + outline->begins[i], outline->begins[i + 1] - outline->begins[i],
                          false);
    }
}

typedef struct stroke {
    kz_pen pen;
    const kz_transform *transform;
    kz_canvas *canvas;
} stroke;

static void add_disc(const stroke *s, kz_point centre) {
    enum { CORNERS = 16 };
    kz_point points[CORNERS];
    for (int i = 0; i < CORNERS; i++) {
        float angle = circle * (float)i / CORNERS;
        points[i] = kz_transformed(s->transform, (kz_point){centre.x + s->pen.width / 2 * cosf(angle),
                                                            centre.y + s->pen.width / 2 * sinf(angle)});
    }
    kz_canvas_polygon(s->canvas, points, CORNERS, true);
}

static void add_bar(const stroke *s, kz_point from, kz_point to) {
    float dx = to.x - from.x, dy = to.y - from.y;
    float length = sqrtf(dx * dx + dy * dy);
    if (!(length > 0)) {
        return;
    }
    float wide = s->pen.width / 2 / length;
    const kz_point corners[4] = {
        {from.x - dy * wide, from.y + dx * wide},
        {to.x - dy * wide, to.y + dx * wide},
        {to.x + dy * wide, to.y - dx * wide},
        {from.x + dy * wide, from.y - dx * wide},
    };
    kz_point points[4];
    for (int i = 0; i < 4; i++) {
        points[i] = kz_transformed(s->transform, corners[i]);
    }
    kz_canvas_polygon(s->canvas, points, 4, true);
}

/* One line between two points. `walked` says how far the stroke has come, for its dashes. */
static void add_dashed(const stroke *s, kz_point from, kz_point to, float *walked) {
    enum { MOST_DASHES = 1000 };
    float length = sqrtf((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y));
    float period = s->pen.dash + s->pen.gap;
    if (!(s->pen.dash > 0 && period > 0)) {
        add_bar(s, from, to);
        return;
    }
    float done = 0;
    for (int i = 0; i < MOST_DASHES && done < length; i++) {
        float phase = fmodf(*walked, period);
        bool drawn = phase < s->pen.dash;
        float step = (drawn ? s->pen.dash : period) - phase;
        step = step > 1e-3F ? step : 1e-3F;
        step = step < length - done ? step : length - done;
        if (drawn) {
            float begin = done / length, stop = (done + step) / length;
            add_bar(s, (kz_point){from.x + begin * (to.x - from.x), from.y + begin * (to.y - from.y)},
                    (kz_point){from.x + stop * (to.x - from.x), from.y + stop * (to.y - from.y)});
        }
        done += step;
        *walked += step;
    }
}

/* Corners are round. */
void kz_outline_stroke(const kz_outline *outline, kz_pen pen, const kz_transform *transform, kz_canvas *canvas) {
    const stroke s = {pen, transform, canvas};
    for (size_t i = 0; i < outline->lines; i++) {
        const kz_point *points = outline->points + outline->begins[i];
        size_t count = outline->begins[i + 1] - outline->begins[i];
        bool closed = outline->closed[i];
        float walked = 0;
        for (size_t j = 0; j < count; j++) {
            bool end = !closed && (j == 0 || j + 1 == count);
            if (!(pen.dash > 0) && (pen.round_ends || !end)) {
                add_disc(&s, points[j]);
            }
            if (j + 1 < count || closed) {
                add_dashed(&s, points[j], points[j + 1 < count ? j + 1 : 0], &walked);
            }
        }
    }
}
