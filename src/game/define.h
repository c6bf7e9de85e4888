/* SPDX-License-Identifier: MIT
 *
 * The parts of an opened definition: define.c makes a game of it, define_check.c looks for mistakes in it,
 * define_draw.c draws its board. */
#ifndef KZ_GAME_DEFINE_H
#define KZ_GAME_DEFINE_H

#include "game/defined.h"

/* What a game gets at its opening beside its definition; all of it may be zero. */
typedef struct kz_opening {
    void *const *contexts; /* for each rule set, in place of what `open` makes */
    const kz_doors *doors;
    const kz_parts *parts;
    void *library; /* what was loaded, and what unloads it when the game is closed */
    void (*unload)(void *library);
} kz_opening;

/* kz_game_open with these. If it fails, nothing is unloaded. */
kz_status kz_game_open_with(const kz_definition *definition, const kz_opening *opening, const kz_game **game,
                            kz_error *error);

/* What can be seen without calling any function of it. */
kz_status kz_definition_check(const kz_definition *definition, kz_error *error);
/* What only its functions tell: the sizes of index and tiers, the look of the board, the start. */
kz_status kz_definition_check_context(const kz_definition *definition, const void *context, const char *rules,
                                      kz_error *error);

/* The doors of a game that has a definition and nothing else: its numbers, moves that are called by their numbers in
 * the list of moves and read by comparing texts, and the board drawn from `look`, or the position's text in its place.
 */
#define KZ_DEFINED_DOORS                                                                                               \
    .index_size = kz_defined_index_size, .rank = kz_defined_index, .unrank = kz_defined_position,                      \
    .move_format = kz_defined_move_format, .move_parse = kz_defined_move_parse, .draw = kz_look_draw,                  \
    .draw_svg = kz_look_draw_svg

uint64_t kz_defined_index_size(const kz_game *game, int rules);
bool kz_defined_index(const kz_game *game, const kz_position *position, uint64_t *index);
bool kz_defined_position(const kz_game *game, int rules, uint64_t index, kz_position *position);
void kz_defined_move_format(const kz_game *game, const kz_position *position, kz_move move, char *text);
kz_status kz_defined_move_parse(const kz_game *game, int rules, const kz_position *position, const char *text,
                                size_t length, kz_move *move, kz_error *error);
kz_status kz_look_draw(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error);
kz_status kz_look_draw_svg(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error);

#endif
