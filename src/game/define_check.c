/* SPDX-License-Identifier: MIT
 *
 * Mistakes in a definition that can be seen when it is opened. The self-test looks for the others. */
#include "base/error.h"
#include "base/text.h"
#include "game/define.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What has been there since version 1 of definitions. */
enum { LEAST_SIZE = offsetof(kz_definition, counts_own_turns) };

static kz_status wrong(kz_error *error, const kz_definition *definition, const char *what) {
    return kz_fail(error, KZ_ERR_INPUT, "the definition of %s: %s", definition->name, what);
}

/* Names become parts of file names and of table headers. */
static bool is_name(const char *name) {
    size_t length = name ? strnlen(name, KZ_DEFINED_NAME_BYTES) : 0;
    return length > 0 && length < KZ_DEFINED_NAME_BYTES && name[0] != '-' && kz_is_made_for_names(name);
}

static kz_status check_version(const kz_definition *definition, kz_error *error) {
    if (!definition) {
        return kz_fail(error, KZ_ERR_INPUT, "there is no definition (the pointer is NULL)");
    }
    if (definition->version != KZ_DEFINE_VERSION) {
        return kz_fail(error, KZ_ERR_INPUT,
                       "the definition has version %u, and this program knows version %d: compile the game with the "
                       "headers of this Kanzen",
                       (unsigned)definition->version, KZ_DEFINE_VERSION);
    }
    if (definition->size < LEAST_SIZE) {
        return kz_fail(error, KZ_ERR_INPUT, "the definition says that it has %u bytes, and it has at least %zu",
                       (unsigned)definition->size, (size_t)LEAST_SIZE);
    }
    /* A newer one may have more. What is not used is zero. */
    const uint8_t *bytes = (const uint8_t *)definition;
    for (size_t i = sizeof *definition; i < definition->size; i++) {
        if (bytes[i]) {
            return kz_fail(error, KZ_ERR_INPUT,
                           "the definition uses something that came with a later Kanzen (it has %u bytes, %zu are "
                           "known)",
                           (unsigned)definition->size, sizeof *definition);
        }
    }
    return KZ_OK;
}

static kz_status check_names(const kz_definition *definition, kz_error *error) {
    if (!is_name(definition->name)) {
        return kz_fail(error, KZ_ERR_INPUT,
                       "the definition has no proper name: it takes 1 to %d lower-case letters, digits and '-'",
                       KZ_DEFINED_NAME_BYTES - 1);
    }
    if (!definition->title || !definition->title[0] || strpbrk(definition->title, "\r\n\t")) {
        return wrong(error, definition, "it has no title of one line");
    }
    for (int i = 0; definition->rules && (i == 0 || definition->rules[i]); i++) {
        if (i == KZ_MAX_RULES) {
            return kz_fail(error, KZ_ERR_INPUT, "the definition of %s: it has more than %d rule sets", definition->name,
                           KZ_MAX_RULES);
        }
        if (!is_name(definition->rules[i])) {
            return kz_fail(error, KZ_ERR_INPUT,
                           "the definition of %s: rule set %d has no proper name (1 to %d lower-case letters, digits "
                           "and '-')",
                           definition->name, i, KZ_DEFINED_NAME_BYTES - 1);
        }
        for (int j = 0; j < i; j++) {
            if (strcmp(definition->rules[i], definition->rules[j]) == 0) {
                return kz_fail(error, KZ_ERR_INPUT, "the definition of %s: two rule sets are called %s",
                               definition->name, definition->rules[i]);
            }
        }
    }
    return KZ_OK;
}

static kz_status check_functions(const kz_definition *definition, kz_error *error) {
    const struct {
        const char *name;
        bool there;
    } required[] = {
        {"start", definition->start != NULL},   {"moves", definition->moves != NULL},
        {"play", definition->play != NULL},     {"result", definition->result != NULL},
        {"index_size", definition->index_size}, {"rank", definition->rank != NULL},
        {"unrank", definition->unrank != NULL}, {"format", definition->format != NULL},
        {"parse", definition->parse != NULL},
    };
    for (size_t i = 0; i < sizeof required / sizeof required[0]; i++) {
        if (!required[i].there) {
            return kz_fail(error, KZ_ERR_INPUT, "the definition of %s: the function '%s' is missing", definition->name,
                           required[i].name);
        }
    }
    const struct {
        const char *name;
        bool there;
        const char *needs;
        bool needed_there;
    } pairs[] = {
        {"tiers", definition->tiers, "tier_begin", definition->tier_begin},
        {"tier_begin", definition->tier_begin, "tiers", definition->tiers},
        {"tier_next", definition->tier_next, "tiers", definition->tiers},
        {"tier_name", definition->tier_name, "tiers", definition->tiers},
        {"never_repeats", definition->never_repeats, "tiers", definition->tiers},
        {"look", definition->look, "pieces", definition->pieces},
        {"pieces", definition->pieces, "look", definition->look},
        {"touches", definition->touches, "look", definition->look},
        {"close", definition->close, "open", definition->open},
        {"numbers_before", definition->numbers_before, "numbers_after", definition->numbers_after},
        {"numbers_before", definition->numbers_before, "predecessors", definition->predecessors},
        {"numbers_after", definition->numbers_after, "numbers_before",
         definition->numbers_before || !definition->predecessors},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (pairs[i].there && !pairs[i].needed_there) {
            return kz_fail(error, KZ_ERR_INPUT, "the definition of %s: it has '%s', which needs '%s' as well",
                           definition->name, pairs[i].name, pairs[i].needs);
        }
    }
    return KZ_OK;
}

static kz_status check_numbers(const kz_definition *definition, kz_error *error) {
    if (definition->max_moves < 1 || definition->max_moves > KZ_DEFINE_MAX_MOVES) {
        return kz_fail(error, KZ_ERR_INPUT, "the definition of %s: max_moves is %d, and must be 1 to %d",
                       definition->name, definition->max_moves, KZ_DEFINE_MAX_MOVES);
    }
    if (definition->without_moves != KZ_LOSS && definition->without_moves != KZ_DRAW &&
        definition->without_moves != KZ_WIN) {
        return wrong(error, definition,
                     "without_moves does not say what a position without moves is worth (KZ_LOSS, KZ_DRAW or KZ_WIN)");
    }
    if (definition->symmetries < 0 || definition->symmetries > KZ_MAX_SYMMETRIES) {
        return kz_fail(error, KZ_ERR_INPUT, "the definition of %s: it has %d symmetries, and can have up to %d",
                       definition->name, definition->symmetries, KZ_MAX_SYMMETRIES);
    }
    if (definition->symmetries > 1 && !definition->symmetry) {
        return wrong(error, definition, "it has symmetries, and the function 'symmetry' is missing");
    }
    if (definition->symmetries <= 1 && definition->symmetry) {
        return wrong(error, definition, "it has a function 'symmetry', and 'symmetries' does not say how many");
    }
    if (definition->predecessors
            ? definition->max_predecessors < 1 || definition->max_predecessors > KZ_DEFINE_MAX_PREDECESSORS
            : definition->max_predecessors != 0) {
        return kz_fail(error, KZ_ERR_INPUT,
                       "the definition of %s: max_predecessors is %d, and must be 1 to %d with a function "
                       "'predecessors' and 0 without",
                       definition->name, definition->max_predecessors, KZ_DEFINE_MAX_PREDECESSORS);
    }
    return KZ_OK;
}

kz_status kz_definition_check(const kz_definition *definition, kz_error *error) {
    KZ_TRY(check_version(definition, error));
    /* A shorter one ends before the last members. */
    kz_definition whole = {0};
    memcpy(&whole, definition, definition->size < sizeof whole ? definition->size : sizeof whole);
    KZ_TRY(check_names(&whole, error));
    KZ_TRY(check_functions(&whole, error));
    return check_numbers(&whole, error);
}

/* ---- What its functions tell ----------------------------------------------------------------------------------- */

typedef struct checked {
    const kz_definition *definition;
    const void *context;
    const char *rules;
    kz_error *error;
} checked;

__attribute__((format(printf, 2, 3))) static kz_status refuse(const checked *c, const char *format, ...) {
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return kz_fail(c->error, KZ_ERR_INPUT, "the definition of %s (%s rules): %s", c->definition->name, c->rules, what);
}

static kz_status check_tiers(const checked *c) {
    const kz_definition *definition = c->definition;
    uint64_t size = definition->index_size(c->context);
    if (size == 0 || size > (uint64_t)1 << 62) {
        return refuse(c, "index_size is %llu, and must be 1 to 2^62", (unsigned long long)size);
    }
    if (!definition->tiers) {
        return KZ_OK;
    }
    int tiers = definition->tiers(c->context);
    if (tiers < 1 || tiers > KZ_MAX_TIERS) {
        return refuse(c, "it has %d tiers, and can have 1 to %d", tiers, KZ_MAX_TIERS);
    }
    uint64_t before = 0;
    for (int i = 0; i <= tiers; i++) {
        uint64_t begin = definition->tier_begin(c->context, i);
        if (begin < before || (i == 0 && begin != 0) || (i == tiers && begin != size)) {
            return refuse(c, "tier_begin(%d) is %llu; it must begin with 0, never fall, and end with index_size, %llu",
                          i, (unsigned long long)begin, (unsigned long long)size);
        }
        before = begin;
    }
    if (!definition->tier_next) {
        return KZ_OK;
    }
    int *next = malloc(KZ_MAX_TIERS * sizeof *next);
    if (!next) {
        return kz_fail(c->error, KZ_ERR_MEMORY, "no memory to open the game %s", definition->name);
    }
    kz_status status = KZ_OK;
    for (int i = 0; status == KZ_OK && i < tiers; i++) {
        int count = definition->tier_next(c->context, i, next);
        if (count < 0 || count > i) {
            status = refuse(c, "tier_next names %d tiers after tier %d, and only tiers below it can follow", count, i);
        }
        for (int j = 0; status == KZ_OK && j < count; j++) {
            if (next[j] < 0 || next[j] >= i) {
                status = refuse(c, "tier_next says that moves lead from tier %d to tier %d; they lead to smaller ones",
                                i, next[j]);
            }
        }
    }
    free(next);
    return status;
}

static bool is_short_text(const char *text, size_t bytes) {
    return text && text[0] && strnlen(text, bytes + 1) <= bytes && !strpbrk(text, "\r\n\t");
}

static kz_status check_look(const checked *c) {
    enum { LETTER_BYTES = 8, LABEL_BYTES = 15, NAME_BYTES = 63, MOST_LINES = 4096 };
    const kz_board_look *look = c->definition->look(c->context);
    if (!look) {
        return refuse(c, "look returns NULL");
    }
    if (look->squares < 1 || look->squares > KZ_MAX_SQUARES || !look->square) {
        return refuse(c, "look has %d squares, and can have 1 to %d", look->squares, KZ_MAX_SQUARES);
    }
    if (look->pieces < 1 || look->pieces > KZ_MAX_PIECE_LOOKS || !look->piece) {
        return refuse(c, "look has %d kinds of pieces, and can have 1 to %d", look->pieces, KZ_MAX_PIECE_LOOKS);
    }
    if (look->lines < 0 || look->lines > MOST_LINES || (look->lines > 0 && !look->line)) {
        return refuse(c, "look has %d lines, and can have up to %d", look->lines, MOST_LINES);
    }
    for (int i = 0; i < look->squares; i++) {
        const kz_square *square = &look->square[i];
        if (!is_short_text(square->label, LABEL_BYTES)) {
            return refuse(c, "square %d has no label of 1 to %d bytes", i, LABEL_BYTES);
        }
        if (!isfinite(square->x) || !isfinite(square->y) || fabsf(square->x) > 1000 || fabsf(square->y) > 1000) {
            return refuse(c, "square %s is more than 1000 squares from the origin", square->label);
        }
        if (square->shape < KZ_SHAPE_SQUARE || square->shape > KZ_SHAPE_HAND) {
            return refuse(c, "square %s has the shape %d, which is none", square->label, square->shape);
        }
        for (int j = 0; j < i; j++) {
            if (strcmp(look->square[j].label, square->label) == 0) {
                return refuse(c, "two squares have the label %s", square->label);
            }
        }
    }
    for (int i = 0; i < look->pieces; i++) {
        const kz_piece_look *piece = &look->piece[i];
        if (!is_short_text(piece->letter, LETTER_BYTES)) {
            return refuse(c, "piece %d has no letter", i);
        }
        if (!is_short_text(piece->name, NAME_BYTES)) {
            return refuse(c, "piece %d (%s) has no name of 1 to %d bytes", i, piece->letter, NAME_BYTES);
        }
        if (piece->side < -1 || piece->side > 1) {
            return refuse(c, "piece %s belongs to side %d; there are 0, 1 and -1 (neither)", piece->name, piece->side);
        }
    }
    for (int i = 0; i < look->lines; i++) {
        if (look->line[i][0] >= look->squares || look->line[i][1] >= look->squares) {
            return refuse(c, "line %d ends at a square that is none", i);
        }
    }
    return look->side_names[0] && look->side_names[1] ? KZ_OK : refuse(c, "look does not name the two sides");
}

static kz_status check_start(const checked *c) {
    const kz_definition *definition = c->definition;
    kz_position start = {{0}};
    definition->start(c->context, &start);
    uint8_t bytes[KZ_POSITION_BYTES];
    memcpy(bytes, &start, sizeof bytes);
    for (int i = KZ_GAME_BYTES; i < KZ_POSITION_BYTES; i++) {
        if (bytes[i]) {
            return refuse(c, "a position takes more than %d bytes (byte %d of the start is used)", KZ_GAME_BYTES, i);
        }
    }
    uint64_t index = definition->rank(c->context, &start);
    if (index >= definition->index_size(c->context)) {
        return refuse(c, "the start has the number %llu, which is not below index_size", (unsigned long long)index);
    }
    return KZ_OK;
}

kz_status kz_definition_check_context(const kz_definition *definition, const void *context, const char *rules,
                                      kz_error *error) {
    checked c = {definition, context, rules, error};
    KZ_TRY(check_tiers(&c));
    if (definition->look) {
        KZ_TRY(check_look(&c));
    }
    return check_start(&c);
}
