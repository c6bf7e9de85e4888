/* SPDX-License-Identifier: MIT
 *
 * Push Fight as a definition (kanzen/define.h), for boards on which no position has more turns than a definition may
 * list. The sweeps of this folder do the same much faster; `kanzen solve pushfight --board mini --plain` and a test
 * hold the two together.
 *
 * The numbers are those of the index (space.h), and one more for the start, which has no anchor yet. */
#include "base/error.h"
#include "games/pushfight/index/index.h"
#include "games/pushfight/index/space.h"
#include "games/pushfight/rules/board.h"
#include "games/pushfight/rules/notation.h"
#include "games/pushfight/rules/rules.h"
#include "games/pushfight/rules/successors.h"
#include "games/pushfight/rules/turns.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TURNS = 2560, MOST_BEFORE = 8192 };

/* What `open` makes has tables for the index; without them it is slow, which is good enough for single positions. */
typedef struct board_rules {
    int number;
    kz_pf_space *space;
    /* By number: whether a turn wins at once, as WINS or DOES_NOT; 0: not asked yet. It takes thousands of turns to
     * find out, and each position is asked about by all that lead to it. */
    _Atomic uint8_t *wins;
} board_rules;

enum { WINS = 1, DOES_NOT };

#ifndef KANZEN_READ_ONLY
static const kz_pf_board *board_of(const void *context) {
    return kz_pf_board_at(((const board_rules *)context)->number);
}

static bool fits(const kz_pf_board *board) {
    return kz_pf_most_successors(board) <= MOST_TURNS && kz_pf_most_before(board) <= MOST_BEFORE;
}

static void close_board(void *context) {
    board_rules *opened = context;
    kz_pf_space_close(opened->space);
    free((void *)opened->wins);
    free(opened);
}

static kz_status open_board(int number, void **context, kz_error *error) {
    const kz_pf_board *board = kz_pf_board_at(number);
    if (!fits(board)) {
        return kz_fail(error, KZ_ERR_UNSUPPORTED,
                       "a position of the board %s can have more than %d turns, too many for the generic way: solve it "
                       "without --plain",
                       board->name, MOST_TURNS);
    }
    board_rules *opened = calloc(1, sizeof *opened);
    if (!opened) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the board %s", board->name);
    }
    opened->number = number;
    kz_status status = kz_pf_space_open(board, &opened->space, error);
    if (status != KZ_OK) {
        free(opened);
        return status;
    }
    opened->wins = calloc(kz_pf_index_size(board), sizeof *opened->wins);
    if (!opened->wins) {
        close_board(opened);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the board %s", board->name);
    }
    *context = opened;
    return KZ_OK;
}

#endif

static void start(const void *context, kz_position *position) {
    kz_pf_position pf;
    kz_pf_start(((const board_rules *)context)->number, &pf);
    kz_pf_to_position(&pf, position);
}

static int moves(const void *context, const kz_position *position, kz_move *list) {
    (void)context;
    kz_pf_position pf = kz_pf_from_position(position);
    return kz_pf_turns(&pf, list);
}

static void play(const void *context, kz_position *position, kz_move move) {
    (void)context;
    kz_pf_position pf = kz_pf_from_position(position);
    kz_position after;
    kz_pf_play(&pf, move);
    kz_pf_to_position(&pf, &after);
    memcpy(position, &after, KZ_GAME_BYTES); /* the rest is Kanzen's */
}

static kz_outcome result(const void *context, const kz_position *position) {
    (void)context;
    kz_pf_position pf = kz_pf_from_position(position);
    return kz_pf_finished(&pf) ? KZ_LOSS : KZ_UNKNOWN;
}

/* A win that only leaves the opponent without a push is not looked for: that takes all successors, and the table
 * knows. */
static kz_value immediate(const void *context, const kz_position *position) {
    (void)context;
    kz_pf_position pf = kz_pf_from_position(position);
    if (kz_pf_finished(&pf)) {
        return (kz_value){KZ_LOSS, 0};
    }
    if (kz_pf_can_win(&pf)) {
        return (kz_value){KZ_WIN, 1};
    }
    return kz_pf_can_push(&pf) ? (kz_value){KZ_UNKNOWN, 0} : (kz_value){KZ_LOSS, 0};
}

static bool same(const kz_position *a, const kz_position *b) {
    kz_pf_position one = kz_pf_from_position(a);
    kz_pf_position other = kz_pf_from_position(b);
    return kz_pf_same(&one, &other);
}

static kz_status validate(const void *context, const kz_position *position, kz_error *error) {
    kz_pf_position pf = kz_pf_from_position(position);
    return kz_pf_validate(((const board_rules *)context)->number, &pf, error);
}

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

#ifndef KANZEN_READ_ONLY
static uint64_t start_number(const void *context) { return kz_pf_index_size(board_of(context)); }

/* 0: the board has no numbers here, and so no table that was made in the generic way can be of it. */
static uint64_t index_size(const void *context) { return fits(board_of(context)) ? start_number(context) + 1 : 0; }

static uint64_t rank(const void *context, const kz_position *position) {
    const board_rules *rules = context;
    kz_pf_position pf = kz_pf_from_position(position);
    uint64_t index;
    if (rules->space ? kz_pf_index(rules->space, &pf, &index) : kz_pf_index_of(&pf, &index)) {
        return index;
    }
    kz_pf_position first;
    kz_pf_start(rules->number, &first);
    return kz_pf_same(&first, &pf) ? start_number(context) : KZ_NO_NUMBER;
}

static bool find(const board_rules *rules, uint64_t index, kz_pf_position *pf) {
    uint64_t back;
    if (index == start_number(rules)) {
        kz_pf_start(rules->number, pf);
        return true;
    }
    if (rules->space) {
        return kz_pf_at(rules->space, index, pf);
    }
    kz_pf_index_at(rules->number, index, pf);
    return kz_pf_index_of(pf, &back);
}

static bool unrank(const void *context, uint64_t index, kz_position *position) {
    kz_pf_position pf;
    if (!find(context, index, &pf)) {
        return false;
    }
    kz_pf_to_position(&pf, position);
    return true;
}

/* The numbers found so far. */
typedef struct findings {
    const board_rules *rules;
    uint64_t *list;
    int count;
    bool refuted; /* a turn leaves the opponent a win at once */
} findings;

/* Whether the side to move wins at once; the start has no number in the index. */
static bool can_win(const board_rules *rules, uint64_t index, const kz_pf_position *pf) {
    if (index == start_number(rules)) {
        return kz_pf_can_win(pf);
    }
    uint8_t known = atomic_load_explicit(&rules->wins[index], memory_order_relaxed);
    if (!known) {
        known = kz_pf_can_win(pf) ? WINS : DOES_NOT;
        atomic_store_explicit(&rules->wins[index], known, memory_order_relaxed);
    }
    return known == WINS;
}

static bool add_successor(void *context, const kz_pf_steps *turn, const kz_pf_sides *next) {
    findings *f = context;
    (void)turn;
    kz_pf_position pf = {.own_movers = next->movers,
                         .own_pushers = next->pushers,
                         .enemy_movers = next->enemy_movers,
                         .enemy_pushers = next->enemy_pushers,
                         .anchor = (int8_t)kz_lowest_bit32(next->anchor),
                         .board = (uint8_t)f->rules->number};
    uint64_t index;
    if (!kz_pf_index(f->rules->space, &pf, &index)) {
        return true; /* none is without a number after a push */
    }
    if (can_win(f->rules, index, &pf)) {
        f->refuted = true;
    } else {
        f->list[f->count++] = index;
    }
    return true;
}

/* Only contexts that `open` made have numbers. */
/* NOLINTNEXTLINE(readability-non-const-parameter): written through the findings */
static int numbers_after(const void *context, uint64_t index, uint64_t *numbers, kz_sight *sight) {
    const board_rules *rules = context;
    kz_pf_position pf;
    if (!find(rules, index, &pf)) {
        return -1;
    }
    if (can_win(rules, index, &pf)) {
        sight->win = 1;
        return 0;
    }
    if (!kz_pf_can_push(&pf)) {
        sight->over = KZ_LOSS;
        return 0;
    }
    findings f = {.rules = rules, .list = numbers};
    kz_pf_sides sides = {pf.own_movers, pf.own_pushers, pf.enemy_movers, pf.enemy_pushers, kz_pf_anchor_square(&pf)};
    kz_pf_each_successor(board_of(rules), &sides, add_successor, &f);
    sight->worst = f.refuted;
    return f.count;
}

/* ---- Turns taken back -------------------------------------------------------------------------------------------- */

/* A position that has a turn to the one that is asked about; `anchor` is a set of one square or of none. */
static kz_pf_position before_with(const board_rules *rules, const kz_pf_sides *before, uint32_t anchor) {
    return (kz_pf_position){.own_movers = before->movers,
                            .own_pushers = before->pushers,
                            .enemy_movers = before->enemy_movers,
                            .enemy_pushers = before->enemy_pushers,
                            .anchor = anchor ? (int8_t)kz_lowest_bit32(anchor) : KZ_PF_NO_ANCHOR,
                            .board = (uint8_t)rules->number};
}

static bool has_pieces_of(const kz_pf_position *a, const kz_pf_position *b) {
    return a->own_movers == b->own_movers && a->own_pushers == b->own_pushers && a->enemy_movers == b->enemy_movers &&
           a->enemy_pushers == b->enemy_pushers;
}

static void add_before(void *context, const kz_pf_sides *before, uint32_t anchors) {
    findings *f = context;
    for (; anchors; anchors &= anchors - 1) {
        kz_pf_position pf = before_with(f->rules, before, anchors & -anchors);
        f->count += kz_pf_index(f->rules->space, &pf, &f->list[f->count]);
    }
    /* The start, or its rotation: numbers don't tell them apart. */
    kz_pf_position without = before_with(f->rules, before, 0);
    kz_pf_position first;
    kz_pf_start(f->rules->number, &first);
    bool begins = has_pieces_of(&without, &first);
    if (f->rules->space->folded && !begins) {
        kz_pf_rotate_position(&first);
        begins = has_pieces_of(&without, &first);
    }
    if (begins) {
        f->list[f->count++] = start_number(f->rules);
    }
}

/* NOLINTNEXTLINE(readability-non-const-parameter): written through the findings */
static int numbers_before(const void *context, uint64_t index, uint64_t *numbers) {
    const board_rules *rules = context;
    kz_pf_position pf;
    if (index == start_number(rules) || !find(rules, index, &pf)) {
        return 0;
    }
    findings f = {.rules = rules, .list = numbers};
    kz_pf_sides sides = {pf.own_movers, pf.own_pushers, pf.enemy_movers, pf.enemy_pushers, kz_pf_anchor_square(&pf)};
    kz_pf_each_before(board_of(rules), &sides, add_before, &f);
    return f.count;
}

/* The same as positions. */
typedef struct positions_before {
    const board_rules *rules;
    uint8_t side;
    kz_position *list;
    int count;
} positions_before;

static void add_position_before(void *context, const kz_pf_sides *before, uint32_t anchors) {
    positions_before *f = context;
    for (; anchors; anchors &= anchors - 1) {
        uint64_t index;
        kz_pf_position pf = before_with(f->rules, before, anchors & -anchors);
        pf.side = f->side;
        kz_pf_to_position(&pf, &f->list[f->count]);
        f->count += kz_pf_index_of(&pf, &index);
    }
    kz_pf_position without = before_with(f->rules, before, 0);
    kz_pf_position first;
    kz_pf_start(f->rules->number, &first);
    without.side = f->side;
    if (kz_pf_same(&without, &first)) {
        kz_pf_to_position(&first, &f->list[f->count++]);
    }
}

static int predecessors(const void *context, const kz_position *position, kz_position *before) {
    const board_rules *rules = context;
    kz_pf_position pf = kz_pf_from_position(position);
    positions_before f = {.rules = rules, .side = !pf.side, .list = before};
    kz_pf_sides sides = {pf.own_movers, pf.own_pushers, pf.enemy_movers, pf.enemy_pushers, kz_pf_anchor_square(&pf)};
    if (sides.anchor) {
        kz_pf_each_before(board_of(rules), &sides, add_position_before, &f);
    }
    return f.count;
}

#endif

/* ---- Text -------------------------------------------------------------------------------------------------------- */

#ifndef KANZEN_READ_ONLY
static void format(const void *context, const kz_position *position, char *text) {
    (void)context;
    kz_pf_position pf = kz_pf_from_position(position);
    if (kz_pf_format(&pf, 0, text, KZ_TEXT_BYTES, NULL) != KZ_OK) {
        text[0] = '\0';
    }
}
#endif

static kz_status parse(const void *context, const char *text, size_t length, kz_position *position, kz_error *error) {
    kz_pf_position pf;
    KZ_TRY(kz_pf_parse(((const board_rules *)context)->number, text, length, &pf, error));
    kz_pf_to_position(&pf, position);
    return KZ_OK;
}

static kz_status format_as(const void *context, const kz_position *position, int notation, char *text,
                           kz_error *error) {
    (void)context;
    kz_pf_position pf = kz_pf_from_position(position);
    return kz_pf_format(&pf, notation, text, KZ_TEXT_BYTES, error);
}

static int lines(const void *context, const char *first_line, size_t length) {
    return kz_pf_position_lines(((const board_rules *)context)->number, first_line, length);
}

static kz_status move_parse(const void *context, const kz_position *position, const char *text, size_t length,
                            kz_move *move, kz_error *error) {
    (void)context;
    kz_pf_position pf = kz_pf_from_position(position);
    return kz_pf_turn_parse(&pf, text, length, move, error);
}

static void draw(const void *context, const kz_position *position, char *text) {
    (void)context;
    kz_pf_position pf = kz_pf_from_position(position);
    (void)kz_pf_draw(&pf, text, KZ_TEXT_BYTES, NULL);
}

static void move_format(const void *context, const kz_position *position, kz_move move, char *text) {
    (void)context;
    kz_pf_position pf = kz_pf_from_position(position);
    if (kz_pf_turn_format(&pf, move, text, KZ_TEXT_BYTES, NULL) != KZ_OK) {
        text[0] = '\0';
    }
}

static int side_to_move(const void *context, const kz_position *position) {
    (void)context;
    return kz_pf_from_position(position).side;
}

const kz_definition kz_pushfight_definition = {
    .version = KZ_DEFINE_VERSION,
    .size = sizeof(kz_definition),
    .name = "pushfight",
    .title = "Push Fight, the game of Brett Picotte",
    .max_moves = MOST_TURNS,
    .start = start,
    .moves = moves,
    .play = play,
    .result = result,
    .without_moves = KZ_LOSS,
    .parse = parse,
    .rules = kz_pushfight_rule_names,
    .move_format = move_format,
    .side_to_move = side_to_move,
    .draw = draw,
    .counts_own_turns = true,
    .notations = kz_pf_notations,
    .format_as = format_as,
    .lines = lines,
    .move_parse = move_parse,
    .immediate = immediate,
    .same = same,
    .validate = validate,
    .side_names = {"red", "blue"},
#ifndef KANZEN_READ_ONLY
    .format = format,
    .index_size = index_size,
    .rank = rank,
    .unrank = unrank,
    .open = open_board,
    .close = close_board,
    .max_predecessors = MOST_BEFORE,
    .predecessors = predecessors,
    .numbers_after = numbers_after,
    .numbers_before = numbers_before,
#endif
};

/* Never changed. */
static board_rules slow[] = {{.number = 0}, {.number = 1}, {.number = 2}, {.number = 3},
                             {.number = 4}, {.number = 5}, {.number = 6}, {.number = 7}};
void *const kz_pushfight_contexts[] = {&slow[0], &slow[1], &slow[2], &slow[3], &slow[4], &slow[5], &slow[6], &slow[7]};
