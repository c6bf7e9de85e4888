/* SPDX-License-Identifier: MIT
 *
 * The text of a variant: sections, inheritance, lines. Every key that is not understood is refused with its line: a
 * variant is solved as it is written, or not at all. */
#include "base/text.h"
#include "base/error.h"
#include "games/texts/text_parts.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

kz_status kz_text_refuse(const kz_text_place *p, int column, kz_error *error, const char *what, kz_text_span about) {
    return kz_fail(error, KZ_ERR_INPUT, "%s: line %d, column %d: %s%s%.*s%s", p->file, p->line, column, what,
                   about.length ? " '" : "", (int)(about.length < 60 ? about.length : 60), about.text ? about.text : "",
                   about.length ? "'" : "");
}

const kz_text_span kz_text_nothing = {NULL, 0, 0};

kz_text_span kz_text_trim(kz_text_span s) {
    while (s.length && kz_is_blank(*s.text)) {
        s.text++;
        s.length--;
        s.column++;
    }
    while (s.length && kz_is_blank(s.text[s.length - 1])) {
        s.length--;
    }
    return s;
}

/* ---- Sections ---------------------------------------------------------------------------------------------------- */

static void set_defaults(kz_variant *v, int files, int ranks) {
    *v = (kz_variant){.files = files,
                      .ranks = ranks,
                      .royal = -1,
                      .pawn = -1,
                      .mandatory_pawn_promotion = true,
                      .double_step = true,
                      .no_doubled = -1,
                      .no_doubled_count = 1,
                      .checking = true,
                      .stalemate = KZ_DRAW,
                      .checkmate = KZ_LOSS,
                      .flag_piece = -1};
    kz_variant_set_size(v);
    v->extinction.value = KZ_LOSS;
}

/* One line of a text. */
typedef struct line {
    const char *text;
    size_t length;
    int number;
} line;

static bool next_line(const char **at, const char *end, line *l) {
    if (*at >= end) {
        return false;
    }
    const char *newline = memchr(*at, '\n', (size_t)(end - *at));
    l->text = *at;
    l->length = (size_t)((newline ? newline : end) - *at);
    l->number++;
    *at = newline ? newline + 1 : end;
    return true;
}

/* "[name]" or "[name:parent]". */
static bool read_section(line l, kz_text_span *name, kz_text_span *parent) {
    kz_text_span s = kz_text_trim((kz_text_span){l.text, l.length, 1});
    if (s.length < 3 || s.text[0] != '[' || s.text[s.length - 1] != ']') {
        return false;
    }
    s = (kz_text_span){s.text + 1, s.length - 2, s.column + 1};
    const char *colon = memchr(s.text, ':', s.length);
    size_t before = colon ? (size_t)(colon - s.text) : s.length;
    *name = kz_text_trim((kz_text_span){s.text, before, s.column});
    *parent = colon ? kz_text_trim((kz_text_span){colon + 1, s.length - before - 1, s.column + (int)before + 1})
                    : kz_text_nothing;
    return true;
}

/* A text is read twice: once for the size of the board, and then for all keys. So a region that is written for another
 * board, or before the size, has its meaning on the board of the variant. */
typedef enum pass { PASS_SIZE, PASS_ALL } pass;

static kz_status apply(const char *text, size_t length, const char *file, kz_text_span name, int depth, pass which,
                       kz_variant *v, kz_error *error);

static kz_status apply_parent(const char *text, size_t length, const kz_text_place *p, kz_text_span parent, int depth,
                              pass which, kz_variant *v, kz_error *error) {
    enum { DEEPEST = 16 };
    if (depth == DEEPEST) {
        return kz_text_refuse(p, parent.column, error, "variants inherit from each other too deeply:", parent);
    }
    kz_error inner;
    kz_status status = apply(text, length, p->file, parent, depth + 1, which, v, &inner);
    if (status == KZ_OK) {
        return status;
    }
    if (status == KZ_ERR_UNSUPPORTED) {
        const char *known = kz_variant_texts();
        status = apply(known, strlen(known), "the variants that come with Kanzen", parent, depth + 1, which, v, &inner);
        v->start_line = 0;
    }
    if (status == KZ_ERR_UNSUPPORTED) {
        return kz_text_refuse(p, parent.column, error, "there is no variant to inherit from called", parent);
    }
    return status == KZ_OK ? KZ_OK : kz_fail(error, status, "%s", inner.message);
}

/* The key of a line; empty: it is none. */
static kz_text_span key_of(line l) {
    kz_text_span s = kz_text_trim((kz_text_span){l.text, l.length, 1});
    const char *equals = s.length && s.text[0] != '#' && s.text[0] != ';' ? memchr(s.text, '=', s.length) : NULL;
    return equals ? kz_text_trim((kz_text_span){s.text, (size_t)(equals - s.text), s.column}) : kz_text_nothing;
}

/* Whether a key was there before, between the beginning of the section and its line. */
static bool is_repeated(const char *begin, line l, kz_text_span key) {
    line before = {.number = 0};
    for (const char *at = begin; at < l.text && next_line(&at, l.text, &before);) {
        kz_text_span other = key_of(before);
        if (key.length && other.length == key.length && memcmp(other.text, key.text, key.length) == 0) {
            return true;
        }
    }
    return false;
}

static kz_status apply_line(kz_variant *v, const kz_text_place *p, line l, pass which, kz_error *error) {
    kz_text_span s = kz_text_trim((kz_text_span){l.text, l.length, 1});
    if (!s.length || s.text[0] == '#' || s.text[0] == ';') {
        return KZ_OK;
    }
    const char *equals = memchr(s.text, '=', s.length);
    if (!equals) {
        return kz_text_refuse(p, s.column, error, "a key, '=' and a value are expected, not", s);
    }
    size_t before = (size_t)(equals - s.text);
    kz_text_span key = kz_text_trim((kz_text_span){s.text, before, s.column});
    kz_text_span value = kz_text_trim((kz_text_span){equals + 1, s.length - before - 1, s.column + (int)before + 1});
    if (!key.length) {
        return kz_text_refuse(p, s.column, error, "there is no key before '='", kz_text_nothing);
    }
    return which == PASS_SIZE ? kz_variant_set_size_key(v, p, key, value, error)
                              : kz_variant_set_key(v, p, key, value, error);
}

/* Finds the section with that name and does what its lines say. KZ_ERR_UNSUPPORTED: there is none. */
static kz_status apply(const char *text, size_t length, const char *file, kz_text_span name, int depth, pass which,
                       kz_variant *v, kz_error *error) {
    const char *end = text + length;
    const char *at = text;
    const char *begin = NULL;
    line l = {.number = 0};
    int begin_line = 0;
    kz_text_span parent = kz_text_nothing;
    kz_text_span found;
    kz_text_span inherits;
    while (next_line(&at, end, &l)) {
        if (read_section(l, &found, &inherits) && found.length == name.length &&
            memcmp(found.text, name.text, name.length) == 0) {
            begin = at;
            begin_line = l.number;
            parent = inherits;
        }
    }
    if (!begin) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED, "%s: there is no variant called '%.*s'", file, (int)name.length,
                       name.text);
    }
    kz_text_place p = {file, begin_line};
    kz_status status = KZ_OK;
    if (parent.length) {
        status = apply_parent(text, length, &p, parent, depth, which, v, error);
    } else {
        set_defaults(v, v->files, v->ranks);
    }
    at = begin;
    l.number = v->line = begin_line;
    while (status == KZ_OK && next_line(&at, end, &l) && !read_section(l, &found, &inherits)) {
        kz_text_span key = key_of(l);
        p.line = l.number;
        if (is_repeated(begin, l, key)) {
            return kz_text_refuse(&p, key.column, error, "this key is there twice:", key);
        }
        status = apply_line(v, &p, l, which, error);
    }
    return status;
}

/* ---- The whole text ---------------------------------------------------------------------------------------------- */

/* The name of the only variant of a text. */
static kz_status only_name(const char *text, size_t length, const char *file, kz_text_span *name, kz_error *error) {
    const char *at = text;
    line l = {.number = 0};
    int count = 0;
    kz_text_span found;
    kz_text_span parent;
    while (next_line(&at, text + length, &l)) {
        if (read_section(l, &found, &parent)) {
            *name = found;
            count++;
        }
    }
    if (count == 0) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: there is no [variant] in it", file);
    }
    return count == 1 ? KZ_OK
                      : kz_fail(error, KZ_ERR_INPUT, "%s: there are %d variants in it; name one: %s:%.*s", file, count,
                                file, (int)name->length, name->text);
}

static bool is_same_name(kz_text_span a, kz_text_span b) {
    return a.length == b.length && strncasecmp(a.text, b.text, a.length) == 0;
}

/* Nothing stands before the first section, and no two have the same name. */
static kz_status check_sections(const char *text, size_t length, const char *file, kz_error *error) {
    const char *at = text;
    line l = {.number = 0};
    kz_text_span name;
    kz_text_span parent;
    kz_text_span stray = kz_text_nothing;
    kz_text_place stray_at = {file, 0};
    bool any = false;
    while (next_line(&at, text + length, &l)) {
        kz_text_place p = {file, l.number};
        if (!read_section(l, &name, &parent)) {
            kz_text_span s = kz_text_trim((kz_text_span){l.text, l.length, 1});
            if (!any && !stray.length && s.length && s.text[0] != '#' && s.text[0] != ';') {
                stray = s;
                stray_at = p;
            }
            continue;
        }
        any = true;
        if (stray.length) {
            return kz_text_refuse(&stray_at, stray.column, error, "this stands before the first [variant]:", stray);
        }
        const char *earlier = text;
        line before = {.number = 0};
        kz_text_span other;
        while (next_line(&earlier, l.text, &before)) {
            if (read_section(before, &other, &parent) && is_same_name(other, name)) {
                return kz_text_refuse(&p, name.column, error, "there are two variants called", name);
            }
        }
    }
    return KZ_OK;
}

kz_status kz_variant_parse(const char *text, size_t length, const char *file, const char *name, kz_variant *variant,
                           kz_error *error) {
    size_t mark = kz_mark_size(text, length);
    text += mark;
    length -= mark;
    kz_text_span section = {name, strlen(name), 1};
    set_defaults(variant, KZ_VARIANT_USUAL, KZ_VARIANT_USUAL);
    if (memchr(text, '\0', length)) {
        return kz_fail(error, KZ_ERR_INPUT, "%s: not a text", file);
    }
    kz_status status = check_sections(text, length, file, error);
    if (status == KZ_OK && !section.length) {
        status = only_name(text, length, file, &section, error);
    }
    if (status == KZ_OK && (section.length == 0 || section.length >= KZ_VARIANT_NAME)) {
        status =
            kz_fail(error, KZ_ERR_INPUT, "%s: the name of a variant has 1 to %d letters", file, KZ_VARIANT_NAME - 1);
    }
    if (status == KZ_OK) {
        status = apply(text, length, file, section, 0, PASS_SIZE, variant, error);
    }
    if (status == KZ_OK && variant->files * variant->ranks > KZ_VARIANT_SQUARES) {
        status = kz_fail(error, KZ_ERR_INPUT, "%s: a board of %d x %d squares; at most %d are supported", file,
                         variant->files, variant->ranks, KZ_VARIANT_SQUARES);
    }
    if (status == KZ_OK) {
        status = apply(text, length, file, section, 0, PASS_ALL, variant, error);
    }
    if (status == KZ_ERR_UNSUPPORTED) {
        status = KZ_ERR_INPUT;
        if (error) {
            error->status = status;
        }
    }
    if (status == KZ_OK) {
        for (size_t i = 0; i < section.length; i++) {
            variant->name[i] = (char)tolower((unsigned char)section.text[i]);
        }
        variant->name[section.length] = '\0';
        status = kz_variant_finish(variant, file, error);
    }
    return status;
}
