/* SPDX-License-Identifier: MIT */
#include "app/picture/picture.h"

#include "app/picture/outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A part of the document. */
typedef struct piece {
    const char *text;
    size_t length;
} piece;

static bool is(piece p, const char *text) { return strlen(text) == p.length && memcmp(p.text, text, p.length) == 0; }

static const char *find(const char *at, const char *end, const char *text) {
    size_t length = strlen(text);
    for (; at + length <= end; at++) {
        if (memcmp(at, text, length) == 0) {
            return at;
        }
    }
    return NULL;
}

static float number_of(piece p, float missing) {
    float number;
    return p.text && kz_scan_number(&p.text, p.text + p.length, &number) ? number : missing;
}

/* ---- Tags ------------------------------------------------------------------------------------------------------ */

typedef struct tag {
    piece name;
    piece attributes;
    bool closing; /* </g> */
    bool empty;   /* <rect/> */
} tag;

static bool is_name(char c) { return (c | 32) >= 'a' ? (c | 32) <= 'z' : c == '-' || (c >= '0' && c <= '9'); }

/* Reads the next tag and steps over it. False: there is none. */
static bool read_tag(const char **at, const char *end, tag *t) {
    const char *open = find(*at, end, "<");
    const char *close = open ? find(open, end, ">") : NULL;
    if (!close) {
        return false;
    }
    *t = (tag){.closing = open[1] == '/', .empty = close[-1] == '/'};
    const char *name = open + 1 + t->closing;
    const char *rest = name;
    while (rest < close && is_name(*rest)) {
        rest++;
    }
    t->name = (piece){name, (size_t)(rest - name)};
    t->attributes = (piece){rest, (size_t)(close - rest)};
    *at = close + 1;
    return true;
}

/* The value of an attribute; its text is NULL if it is missing. */
static piece attribute(piece attributes, const char *name) {
    const char *end = attributes.text + attributes.length;
    size_t length = strlen(name);
    for (const char *at = attributes.text; (at = find(at, end, name)) != NULL; at += length) {
        if (at > attributes.text && at[-1] == ' ' && at + length + 1 < end && at[length] == '=') {
            char quote = at[length + 1];
            const char *value = at + length + 2;
            const char *stop = memchr(value, quote, (size_t)(end - value));
            return stop ? (piece){value, (size_t)(stop - value)} : (piece){NULL, 0};
        }
    }
    return (piece){NULL, 0};
}

/* ---- Styles ---------------------------------------------------------------------------------------------------- */

typedef struct paint {
    bool drawn;
    uint32_t color;
} paint;

typedef struct style {
    kz_transform transform;
    paint fill;
    paint stroke;
    kz_pen pen;
    float opacity;
    float font;
} style;

typedef struct document {
    const char *text;
    const char *end;
    piece rules; /* of classes */
    kz_canvas *canvas;
    kz_outline *outline;
} document;

static int hexadecimal(char c) {
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : 0;
}

static paint paint_of(piece value) {
    paint p = {.drawn = value.length >= 4 && value.text[0] == '#'};
    bool is_short = value.length < 7;
    for (size_t i = 0; p.drawn && i < 3; i++) {
        int high = hexadecimal(value.text[is_short ? 1 + i : 1 + 2 * i]);
        int low = is_short ? high : hexadecimal(value.text[2 + 2 * i]);
        p.color = p.color << 8 | (uint32_t)(16 * high + low);
    }
    return p;
}

static void set(style *s, piece property, piece value) {
    if (is(property, "fill")) {
        s->fill = paint_of(value);
    } else if (is(property, "stroke")) {
        s->stroke = paint_of(value);
    } else if (is(property, "stroke-width")) {
        s->pen.width = number_of(value, s->pen.width);
    } else if (is(property, "stroke-linecap")) {
        s->pen.round_ends = is(value, "round");
    } else if (is(property, "stroke-dasharray")) {
        const char *at = value.text, *end = value.text + value.length;
        if (kz_scan_number(&at, end, &s->pen.dash) && !kz_scan_number(&at, end, &s->pen.gap)) {
            s->pen.gap = s->pen.dash;
        }
    } else if (is(property, "opacity")) {
        s->opacity *= number_of(value, 1);
    } else if (is(property, "font")) {
        /* "600 17px sans-serif": the weight, then the size */
        const char *at = value.text, *end = value.text + value.length;
        float weight;
        if (kz_scan_number(&at, end, &weight)) {
            kz_scan_number(&at, end, &s->font);
        }
    }
}

/* "fill:#fff;stroke:none" */
static void set_all(style *s, const char *at, const char *end) {
    while (at < end) {
        const char *stop = memchr(at, ';', (size_t)(end - at));
        stop = stop ? stop : end;
        const char *colon = memchr(at, ':', (size_t)(stop - at));
        if (colon) {
            set(s, (piece){at, (size_t)(colon - at)}, (piece){colon + 1, (size_t)(stop - colon - 1)});
        }
        at = stop + 1;
    }
}

/* Whether a list of classes has this one. */
static bool has_class(piece classes, piece name) {
    const char *end = classes.text + classes.length;
    for (const char *at = classes.text; at < end;) {
        const char *stop = memchr(at, ' ', (size_t)(end - at));
        stop = stop ? stop : end;
        if ((size_t)(stop - at) == name.length && memcmp(at, name.text, name.length) == 0) {
            return true;
        }
        at = stop + 1;
    }
    return false;
}

/* Rules come in the order of the document, as they do in CSS; none is for more than one class. */
static void set_classes(const document *d, style *s, piece classes) {
    const char *end = d->rules.text + d->rules.length;
    const char *at = d->rules.text;
    while (classes.text && at < end) {
        const char *open = memchr(at, '{', (size_t)(end - at));
        const char *close = open ? memchr(open, '}', (size_t)(end - open)) : NULL;
        if (!close) {
            return;
        }
        if (*at == '.' && has_class(classes, (piece){at + 1, (size_t)(open - at - 1)})) {
            set_all(s, open + 1, close);
        }
        at = close + 1;
    }
}

static kz_transform combined(const kz_transform *outer, kz_transform inner) {
    return (kz_transform){
        outer->a * inner.a + outer->c * inner.b,
        outer->b * inner.a + outer->d * inner.b,
        outer->a * inner.c + outer->c * inner.d,
        outer->b * inner.c + outer->d * inner.d,
        outer->a * inner.e + outer->c * inner.f + outer->e,
        outer->b * inner.e + outer->d * inner.f + outer->f,
    };
}

static kz_transform shifted(float x, float y) { return (kz_transform){1, 0, 0, 1, x, y}; }

/* "translate(40 40) rotate(180) scale(.82)" */
static void set_transform(style *s, piece value) {
    const float degree = 0.0174532925F;
    const char *at = value.text, *end = value.text + value.length;
    while (at < end) {
        const char *open = memchr(at, '(', (size_t)(end - at));
        const char *close = open ? memchr(open, ')', (size_t)(end - open)) : NULL;
        if (!close) {
            return;
        }
        while (at < open && !is_name(*at)) {
            at++;
        }
        piece name = {at, (size_t)(open - at)};
        const char *numbers = open + 1;
        float x = 0, y = 0;
        bool one = kz_scan_number(&numbers, close, &x);
        bool two = one && kz_scan_number(&numbers, close, &y);
        if (is(name, "translate")) {
            s->transform = combined(&s->transform, shifted(x, y));
        } else if (is(name, "scale")) {
            s->transform = combined(&s->transform, (kz_transform){x, 0, 0, two ? y : x, 0, 0});
        } else if (is(name, "rotate")) {
            float c = cosf(x * degree), n = sinf(x * degree);
            s->transform = combined(&s->transform, (kz_transform){c, n, -n, c, 0, 0});
        }
        at = close + 1;
    }
}

static style style_of(const document *d, const tag *t, const style *parent) {
    static const char *const properties[] = {"fill",           "stroke",           "stroke-width",
                                             "stroke-linecap", "stroke-dasharray", "opacity"};
    style s = *parent;
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
        piece value = attribute(t->attributes, properties[i]);
        if (value.text) {
            set(&s, (piece){properties[i], strlen(properties[i])}, value);
        }
    }
    set_classes(d, &s, attribute(t->attributes, "class"));
    piece transform = attribute(t->attributes, "transform");
    if (transform.text) {
        set_transform(&s, transform);
    }
    return s;
}

/* ---- Elements -------------------------------------------------------------------------------------------------- */

static float measure(const tag *t, const char *name) { return number_of(attribute(t->attributes, name), 0); }

static void paint_outline(const document *d, const style *s) {
    if (s->fill.drawn) {
        kz_outline_inside(d->outline, &s->transform, d->canvas);
        kz_canvas_fill(d->canvas, s->fill.color, s->opacity);
    }
    if (s->stroke.drawn && s->pen.width > 0) {
        kz_outline_stroke(d->outline, s->pen, &s->transform, d->canvas);
        kz_canvas_fill(d->canvas, s->stroke.color, s->opacity);
    }
}

/* Whether it is a shape: then its outline is there. */
static bool outline_of(const document *d, const tag *t) {
    kz_outline *outline = d->outline;
    kz_outline_clear(outline);
    if (is(t->name, "rect")) {
        kz_outline_rectangle(outline, measure(t, "x"), measure(t, "y"), measure(t, "width"), measure(t, "height"),
                             measure(t, "rx"));
    } else if (is(t->name, "circle")) {
        kz_outline_ellipse(outline, measure(t, "cx"), measure(t, "cy"), measure(t, "r"), measure(t, "r"));
    } else if (is(t->name, "ellipse")) {
        kz_outline_ellipse(outline, measure(t, "cx"), measure(t, "cy"), measure(t, "rx"), measure(t, "ry"));
    } else if (is(t->name, "line")) {
        kz_outline_line(outline, (kz_point){measure(t, "x1"), measure(t, "y1")},
                        (kz_point){measure(t, "x2"), measure(t, "y2")});
    } else if (is(t->name, "path")) {
        piece data = attribute(t->attributes, "d");
        kz_outline_path(outline, data.text ? data.text : "", data.length);
    } else {
        return false;
    }
    return true;
}

/* Text is drawn with a pen in the colour of its fill. Where the text has characters that this font lacks, an attribute
 * data-letter may say what to draw instead. */
static void draw_text(const document *d, const tag *t, const style *s, const char *at) {
    const char *stop = find(at, d->end, "<");
    piece letter = attribute(t->attributes, "data-letter");
    piece text = letter.text ? letter : (piece){at, stop ? (size_t)(stop - at) : 0};
    kz_outline_clear(d->outline);
    kz_outline_text(d->outline, text.text, text.length, measure(t, "x"), measure(t, "y"), s->font);
    style pen = *s;
    pen.stroke = s->fill;
    pen.fill = (paint){.drawn = false};
    pen.pen = (kz_pen){.width = s->font / 9, .round_ends = true};
    paint_outline(d, &pen);
}

/* Steps over the contents of an element whose opening tag was read. */
static void skip(const char **at, const char *end, const tag *opened) {
    tag t;
    int depth = opened->empty ? 0 : 1;
    while (depth > 0 && read_tag(at, end, &t)) {
        if (t.name.length == opened->name.length && memcmp(t.name.text, opened->name.text, t.name.length) == 0) {
            depth += t.closing ? -1 : !t.empty;
        }
    }
}

enum { DEEPEST = 12 };

static void draw_element(const document *d, const tag *t, const char **at, const style *parent, int depth);

/* Draws what is between an opening tag and its end. */
static void draw_contents(const document *d, const char **at, const style *s, int depth) {
    tag t;
    while (read_tag(at, d->end, &t) && !t.closing) {
        draw_element(d, &t, at, s, depth);
    }
}

/* A copy of the element that has the name: '#name'. */
static void draw_copy(const document *d, const tag *t, const style *s, int depth) {
    piece name = attribute(t->attributes, "href");
    const char *at = d->text;
    tag other;
    while (name.length > 1 && read_tag(&at, d->end, &other)) {
        piece id = attribute(other.attributes, "id");
        if (id.text && id.length == name.length - 1 && memcmp(id.text, name.text + 1, id.length) == 0) {
            style moved = *s;
            moved.transform = combined(&s->transform, shifted(measure(t, "x"), measure(t, "y")));
            draw_element(d, &other, &at, &moved, depth);
            return;
        }
    }
}

static void draw_element(const document *d, const tag *t, const char **at, const style *parent, int depth) {
    bool group = is(t->name, "g") || is(t->name, "svg");
    if (depth > DEEPEST) {
        skip(at, d->end, t);
        return;
    }
    style s = style_of(d, t, parent);
    if (group && !t->empty) {
        draw_contents(d, at, &s, depth + 1);
        return;
    }
    if (is(t->name, "use")) {
        draw_copy(d, t, &s, depth + 1);
    } else if (is(t->name, "text")) {
        draw_text(d, t, &s, *at);
    } else if (outline_of(d, t)) {
        paint_outline(d, &s);
    }
    skip(at, d->end, t);
}

/* ---- The whole ------------------------------------------------------------------------------------------------- */

/* Rules for dark screens come after the others, in "@media ... {". */
static piece rules_of(const char *text, const char *end) {
    const char *open = find(text, end, "<style>");
    const char *close = open ? find(open, end, "</style>") : NULL;
    if (!close) {
        return (piece){text, 0};
    }
    open += strlen("<style>");
    const char *media = find(open, close, "@media");
    return (piece){open, (size_t)((media ? media : close) - open)};
}

static void draw(const document *d) {
    const char *at = d->text;
    tag t;
    if (!read_tag(&at, d->end, &t)) {
        return;
    }
    piece box = attribute(t.attributes, "viewBox");
    const char *numbers = box.text, *end = box.text + box.length;
    float edges[4];
    int read = 0;
    while (box.text && read < 4 && kz_scan_number(&numbers, end, &edges[read])) {
        read++;
    }
    if (read < 4 || !(edges[2] > 0 && edges[3] > 0)) {
        return;
    }
    float width = (float)d->canvas->width, height = (float)d->canvas->height;
    float scale = width / edges[2] < height / edges[3] ? width / edges[2] : height / edges[3];
    const style s = {
        .transform = {scale, 0, 0, scale, (width - scale * edges[2]) / 2 - scale * edges[0],
                      (height - scale * edges[3]) / 2 - scale * edges[1]},
        .fill = {.drawn = true},
        .pen = {.width = 1},
        .opacity = 1,
        .font = 16,
    };
    draw_contents(d, &at, &s, 0);
}

char *kz_picture(const char *svg, size_t length, int width, int height, uint32_t color, size_t *size) {
    kz_canvas canvas = {.width = 0};
    kz_outline *outline = malloc(sizeof *outline);
    char *png = NULL;
    if (outline && kz_canvas_open(&canvas, width, height, color)) {
        const document d = {.text = svg,
                            .end = svg + length,
                            .rules = rules_of(svg, svg + length),
                            .canvas = &canvas,
                            .outline = outline};
        draw(&d);
        png = kz_png(&canvas, size);
    }
    kz_canvas_close(&canvas);
    free(outline);
    return png;
}
