/* SPDX-License-Identifier: MIT
 *
 * The parts of an opened definition: define.c makes a game of it, define_check.c looks for mistakes in it,
 * define_draw.c draws its board. */
#ifndef KZ_CORE_DEFINE_H
#define KZ_CORE_DEFINE_H

#include "game/defined.h"

/* A game that was opened from a definition. */
typedef struct kz_opened_game {
    kz_game game; /* first: a kz_game of this kind is a kz_opened_game */
    kz_definition definition;
    void *contexts[KZ_MAX_RULES];
    int rule_count;
    void *library; /* what was loaded, and what unloads it; or NULL */
    void (*unload)(void *library);
} kz_opened_game;

/* What can be seen without calling any function of it. */
kz_status kz_definition_check(const kz_definition *definition, kz_error *error);
/* What only its functions tell: the sizes of index and tiers, the look of the board, the start. */
kz_status kz_definition_check_context(const kz_definition *definition, const void *context, const char *rules,
                                      kz_error *error);

/* The board of a position in characters or as SVG, from `look`. */
kz_status kz_look_draw(const kz_definition *definition, const void *context, const kz_position *position, char *text,
                       size_t size, kz_error *error);
kz_status kz_look_draw_svg(const kz_definition *definition, const void *context, const kz_position *position,
                           char *text, size_t size, kz_error *error);

#endif
