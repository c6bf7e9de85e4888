/* SPDX-License-Identifier: MIT
 *
 * Push Fight as the registry sees it: its definition, and the doors to what it has beyond that. A rule set is a board.
 */
#include "game/gamedef.h"
#include "games/pushfight/check/check_compare.h"
#include "games/pushfight/check/plain.h"
#include "games/pushfight/index/index.h"
#include "games/pushfight/rules/notation.h"
#include "games/pushfight/rules/rules.h"
#include "games/pushfight/search/search.h"
#include "games/pushfight/solve/solve.h"

static uint64_t index_size(const kz_game *game, int rules) {
    (void)game;
    return kz_pf_index_size(kz_pf_board_at(rules));
}

static bool rank(const kz_game *game, const kz_position *position, uint64_t *index) {
    (void)game;
    kz_pf_position pf = kz_pf_from_position(position);
    return kz_pf_index_of(&pf, index);
}

static bool unrank(const kz_game *game, int rules, uint64_t index, kz_position *position) {
    (void)game;
    kz_pf_position pf;
    kz_pf_index_at(rules, index, &pf);
    kz_pf_to_position(&pf, position);
    return true;
}

static kz_status draw_svg(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error) {
    (void)game;
    kz_pf_position pf = kz_pf_from_position(position);
    return kz_pf_draw_svg(&pf, text, size, error);
}

static kz_status prove(int rules, const kz_position *position, int depth, int threads, const kz_progress *progress,
                       kz_value *value, kz_move *best, kz_error *error) {
    (void)rules; /* the position knows its board */
    kz_pf_position pf = kz_pf_from_position(position);
    return kz_pf_prove_turn(&pf, depth, threads, progress, value, best, error);
}

extern const struct kz_table_kind kz_pushfight_kind;
static const kz_doors doors = {
    .kind = &kz_pushfight_kind,
    .index_size = index_size,
    .rank = rank,
    .unrank = unrank,
    .max_moves = KZ_MAX_MOVES,
    .draw_svg = draw_svg,
    .prove = prove,
    .prove_depth = KZ_PF_PROVE_TURNS,
    .prove_most_depth = KZ_PF_PROVE_MOST_TURNS,
#ifndef KANZEN_READ_ONLY
    .solve = kz_pf_solve,
    .card = true,
    .counts = kz_pf_count_positions,
    .estimate = kz_pf_estimate,
    .twin = &kz_pushfight_twin,
#endif
};

extern const kz_game kz_pushfight_game;
const kz_game kz_pushfight_game = {
    .definition = &kz_pushfight_definition,
    .doors = &doors,
    .contexts = kz_pushfight_contexts,
};
