/* SPDX-License-Identifier: MIT
 *
 * Push Fight as the registry sees it. A rule set is a board. */
#include "game/gamedef.h"
#include "games/pushfight/check/check.h"
#include "games/pushfight/check/plain.h"
#include "games/pushfight/index/index.h"
#include "games/pushfight/rules/definition.h"
#include "games/pushfight/rules/draw.h"
#include "games/pushfight/rules/notation.h"
#include "games/pushfight/rules/rules.h"
#include "games/pushfight/rules/turns.h"
#include "games/pushfight/search/search.h"
#include "games/pushfight/solve/counts.h"
#include "games/pushfight/solve/solve.h"

static void start(const kz_game *game, int rules, kz_position *position) {
    (void)game;
    kz_pf_position pf;
    kz_pf_start(rules, &pf);
    kz_pf_to_position(&pf, position);
}

static kz_status parse(const kz_game *game, int rules, const char *text, size_t length, kz_position *position,
                       kz_error *error) {
    (void)game;
    kz_pf_position pf;
    kz_status status = kz_pf_parse(rules, text, length, &pf, error);
    if (status == KZ_OK) {
        kz_pf_to_position(&pf, position);
    }
    return status;
}

static int lines(const kz_game *game, int rules, const char *first_line, size_t length) {
    (void)game;
    return kz_pf_position_lines(rules, first_line, length);
}

static kz_status format(const kz_game *game, const kz_position *position, int notation, char *text, size_t size,
                        kz_error *error) {
    (void)game;
    kz_pf_position pf = kz_pf_from_position(position);
    return kz_pf_format(&pf, notation, text, size, error);
}

static kz_status draw(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error) {
    (void)game;
    kz_pf_position pf = kz_pf_from_position(position);
    return kz_pf_draw(&pf, text, size, error);
}

static kz_status draw_svg(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error) {
    (void)game;
    kz_pf_position pf = kz_pf_from_position(position);
    return kz_pf_draw_svg(&pf, text, size, error);
}

static int moves(const kz_game *game, int rules, const kz_position *position, kz_move *list) {
    (void)game;
    (void)rules; /* the position knows its board */
    kz_pf_position pf = kz_pf_from_position(position);
    return kz_pf_turns(&pf, list);
}

static void play(const kz_game *game, int rules, kz_position *position, kz_move move) {
    (void)game;
    (void)rules;
    kz_pf_position pf = kz_pf_from_position(position);
    kz_pf_play(&pf, move);
    kz_pf_to_position(&pf, position);
}

static kz_status move_parse(const kz_game *game, int rules, const kz_position *position, const char *text,
                            size_t length, kz_move *move, kz_error *error) {
    (void)game;
    (void)rules;
    kz_pf_position pf = kz_pf_from_position(position);
    return kz_pf_turn_parse(&pf, text, length, move, error);
}

static kz_status move_format(const kz_game *game, const kz_position *position, kz_move move, char *text, size_t size,
                             kz_error *error) {
    (void)game;
    kz_pf_position pf = kz_pf_from_position(position);
    return kz_pf_turn_format(&pf, move, text, size, error);
}

/* A win that only leaves the opponent without a push is not looked for: that takes all successors, and the table
 * knows. */
static kz_value immediate(const kz_game *game, int rules, const kz_position *position) {
    (void)game;
    (void)rules;
    kz_pf_position pf = kz_pf_from_position(position);
    if (kz_pf_finished(&pf)) {
        return (kz_value){KZ_LOSS, 0};
    }
    if (kz_pf_can_win(&pf)) {
        return (kz_value){KZ_WIN, 1};
    }
    return kz_pf_can_push(&pf) ? (kz_value){KZ_UNKNOWN, 0} : (kz_value){KZ_LOSS, 0};
}

static const char *side_to_move(const kz_game *game, const kz_position *position) {
    (void)game;
    return kz_pf_side_name(kz_pf_from_position(position).side);
}

static bool same(const kz_game *game, const kz_position *a, const kz_position *b) {
    (void)game;
    kz_pf_position one = kz_pf_from_position(a);
    kz_pf_position other = kz_pf_from_position(b);
    return kz_pf_same(&one, &other);
}

static kz_status validate(const kz_game *game, int rules, const kz_position *position, kz_error *error) {
    (void)game;
    kz_pf_position pf = kz_pf_from_position(position);
    return kz_pf_validate(rules, &pf, error);
}

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

static kz_status prove(const kz_game *game, int rules, const kz_position *position, int depth, int threads,
                       const kz_progress *progress, kz_value *value, kz_move *best, kz_error *error) {
    (void)game;
    (void)rules;
    kz_pf_position pf = kz_pf_from_position(position);
    return kz_pf_prove_turn(&pf, depth, threads, progress, value, best, error);
}

extern const struct kz_table_kind kz_pushfight_kind;
static const kz_doors doors = {
    .kind = &kz_pushfight_kind,
#ifndef KANZEN_READ_ONLY
    .solve = kz_pf_solve,
    .card = true,
    .counts = kz_pf_count_positions,
    .estimate = kz_pf_estimate,
#endif
};

extern const kz_game kz_pushfight_game;
const kz_game kz_pushfight_game = {
    .name = "pushfight",
    .title = "Push Fight, the game of Brett Picotte",
    .rules = kz_pushfight_rule_names,
    .notations = kz_pf_notations,
    .counts_own_turns = true,
    .start = start,
    .parse = parse,
    .lines = lines,
    .format = format,
    .draw = draw,
    .draw_svg = draw_svg,
    .moves = moves,
    .play = play,
    .move_parse = move_parse,
    .move_format = move_format,
    .immediate = immediate,
    .side_to_move = side_to_move,
    .same = same,
    .validate = validate,
    .index_size = index_size,
    .rank = rank,
    .unrank = unrank,
    .prove = prove,
    .prove_depth = KZ_PF_PROVE_TURNS,
    .prove_most_depth = KZ_PF_PROVE_MOST_TURNS,
    .doors = &doors,
#ifndef KANZEN_READ_ONLY
    .definition = &kz_pushfight_definition,
    .contexts = kz_pushfight_contexts,
    .twin = &kz_pushfight_twin,
#endif
};
