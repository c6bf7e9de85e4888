/* SPDX-License-Identifier: MIT
 *
 * Dobutsu Shogi as the registry sees it: its definition, and the doors to what it has beyond that. */
#include "game/gamedef.h"
#include "games/dobutsu/check/plain.h"
#include "games/dobutsu/index/index.h"
#include "games/dobutsu/rules/definition.h"
#include "games/dobutsu/rules/notation.h"
#include "games/dobutsu/rules/rules.h"
#include "games/dobutsu/solve/solve.h"

static uint64_t index_size(const kz_game *game, int rules) {
    (void)game;
    (void)rules;
    return KZ_DOBUTSU_INDEX_SIZE;
}

static bool rank(const kz_game *game, const kz_position *position, uint64_t *index) {
    (void)game;
    kz_dobutsu dobutsu;
    kz_dobutsu_from_position(position, &dobutsu);
    return kz_dobutsu_rank(&dobutsu, index);
}

static bool unrank(const kz_game *game, int rules, uint64_t index, kz_position *position) {
    (void)game;
    (void)rules;
    kz_dobutsu dobutsu;
    kz_dobutsu_unrank(index, &dobutsu);
    kz_dobutsu_to_position(&dobutsu, position);
    return true;
}

static kz_status draw_svg(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error) {
    (void)game;
    kz_dobutsu dobutsu;
    kz_dobutsu_from_position(position, &dobutsu);
    return kz_dobutsu_draw_svg(&dobutsu, text, size, error);
}

extern const struct kz_table_kind kz_dobutsu_kind;
static const kz_doors doors = {
    .kind = &kz_dobutsu_kind,
    .index_size = index_size,
    .rank = rank,
    .unrank = unrank,
    .draw_svg = draw_svg,
    .uci = &kz_dobutsu_uci,
    .kif = &kz_dobutsu_kif,
#ifndef KANZEN_READ_ONLY
    .solve = kz_dobutsu_solve,
    .card = true,
    .counts = kz_dobutsu_count_positions,
    .twin = &kz_dobutsu_twin,
    .predecessors = kz_dobutsu_predecessors,
#endif
};

extern const kz_game kz_dobutsu_game;
const kz_game kz_dobutsu_game = {
    .definition = &kz_dobutsu_definition,
    .doors = &doors,
    .contexts = kz_dobutsu_contexts,
};
