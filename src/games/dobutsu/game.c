/* SPDX-License-Identifier: MIT
 *
 * Dobutsu Shogi as the registry sees it. */
#include "game/gamedef.h"
#include "games/dobutsu/check/plain.h"
#include "games/dobutsu/index/index.h"
#include "games/dobutsu/rules/definition.h"
#include "games/dobutsu/rules/draw.h"
#include "games/dobutsu/rules/notation.h"
#include "games/dobutsu/rules/predecessors.h"
#include "games/dobutsu/rules/rules.h"
#include "games/dobutsu/solve/solve.h"
#include <string.h>

/* The words of a kz_position may not be read through a pointer to a kz_dobutsu: aliasing. The copy costs nothing. */
static kz_dobutsu opened(const kz_position *position) {
    kz_dobutsu dobutsu;
    kz_dobutsu_from_position(position, &dobutsu);
    return dobutsu;
}

/* Positions are the same under both rule sets, hence the many unused `rules`. */

static void start(const kz_game *game, int rules, kz_position *position) {
    (void)game;
    (void)rules;
    kz_dobutsu dobutsu;
    kz_dobutsu_start(&dobutsu);
    kz_dobutsu_to_position(&dobutsu, position);
}

static kz_status parse(const kz_game *game, int rules, const char *text, size_t length, kz_position *position,
                       kz_error *error) {
    (void)game;
    (void)rules;
    kz_dobutsu dobutsu;
    kz_status status = kz_dobutsu_parse(text, length, &dobutsu, error);
    if (status == KZ_OK) {
        kz_dobutsu_to_position(&dobutsu, position);
    }
    return status;
}

static kz_status format(const kz_game *game, const kz_position *position, int notation, char *text, size_t size,
                        kz_error *error) {
    (void)game;
    kz_dobutsu dobutsu = opened(position);
    return kz_dobutsu_format(&dobutsu, notation, text, size, error);
}

static kz_status draw(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error) {
    (void)game;
    kz_dobutsu dobutsu = opened(position);
    return kz_dobutsu_draw(&dobutsu, text, size, error);
}

static kz_status draw_svg(const kz_game *game, const kz_position *position, char *text, size_t size, kz_error *error) {
    (void)game;
    kz_dobutsu dobutsu = opened(position);
    return kz_dobutsu_draw_svg(&dobutsu, text, size, error);
}

static int moves(const kz_game *game, int rules, const kz_position *position, kz_move *list) {
    (void)game;
    kz_dobutsu dobutsu = opened(position);
    return kz_dobutsu_moves(rules, &dobutsu, list);
}

static void play(const kz_game *game, int rules, kz_position *position, kz_move move) {
    (void)game;
    (void)rules; /* what a move does is the same under both; when the game ends differs */
    kz_dobutsu dobutsu = opened(position);
    kz_dobutsu_play(&dobutsu, move);
    kz_dobutsu_to_position(&dobutsu, position);
}

static kz_status move_parse(const kz_game *game, int rules, const kz_position *position, const char *text,
                            size_t length, kz_move *move, kz_error *error) {
    (void)game;
    kz_dobutsu dobutsu = opened(position);
    return kz_dobutsu_move_parse(rules, &dobutsu, text, length, move, error);
}

static kz_status move_format(const kz_game *game, const kz_position *position, kz_move move, char *text, size_t size,
                             kz_error *error) {
    (void)game;
    kz_dobutsu dobutsu = opened(position);
    return kz_dobutsu_move_format(&dobutsu, move, text, size, error);
}

static kz_value immediate(const kz_game *game, int rules, const kz_position *position) {
    (void)game;
    kz_dobutsu dobutsu = opened(position);
    return kz_dobutsu_immediate(rules, &dobutsu);
}

static const char *side_to_move(const kz_game *game, const kz_position *position) {
    (void)game;
    return opened(position).turn ? "gote" : "sente";
}

static bool same(const kz_game *game, const kz_position *a, const kz_position *b) {
    (void)game;
    kz_dobutsu one = opened(a);
    kz_dobutsu other = opened(b);
    return one.turn == other.turn && memcmp(one.board, other.board, sizeof one.board) == 0 &&
           memcmp(one.hand, other.hand, sizeof one.hand) == 0;
}

static kz_status validate(const kz_game *game, int rules, const kz_position *position, kz_error *error) {
    (void)game;
    (void)rules;
    kz_dobutsu dobutsu = opened(position);
    return kz_dobutsu_validate(&dobutsu, error);
}

static bool rank(const kz_game *game, const kz_position *position, uint64_t *index) {
    (void)game;
    kz_dobutsu dobutsu = opened(position);
    return kz_dobutsu_rank(&dobutsu, index);
}

static uint64_t index_size(const kz_game *game, int rules) {
    (void)game;
    (void)rules;
    return KZ_DOBUTSU_INDEX_SIZE;
}

static bool unrank(const kz_game *game, int rules, uint64_t index, kz_position *position) {
    (void)game;
    (void)rules;
    kz_dobutsu dobutsu;
    kz_dobutsu_unrank(index, &dobutsu);
    kz_dobutsu_to_position(&dobutsu, position);
    return true;
}

#ifndef KANZEN_READ_ONLY
static int predecessors(const kz_game *game, const kz_position *position, kz_position *before) {
    (void)game;
    return kz_dobutsu_predecessors(position, before);
}
#endif

extern const struct kz_table_kind kz_dobutsu_kind;
static const kz_doors doors = {
    .kind = &kz_dobutsu_kind,
#ifndef KANZEN_READ_ONLY
    .solve = kz_dobutsu_solve,
    .card = true,
    .counts = kz_dobutsu_count_positions,
#endif
};

extern const kz_game kz_dobutsu_game;
const kz_game kz_dobutsu_game = {
    .name = "dobutsu",
    .max_moves = KZ_DOBUTSU_MAX_MOVES,
    .title = "Dobutsu Shogi, the 3 by 4 animal chess of Madoka Kitao",
    .rules = kz_dobutsu_rule_names,
    .notations = kz_dobutsu_notations,
    .start = start,
    .parse = parse,
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
    .uci = &kz_dobutsu_uci,
    .kif = &kz_dobutsu_kif,
    .doors = &doors,
#ifndef KANZEN_READ_ONLY
    .twin = &kz_dobutsu_twin,
    .predecessors = predecessors,
    .definition = &kz_dobutsu_definition,
    .contexts = kz_dobutsu_contexts,
#endif
};
