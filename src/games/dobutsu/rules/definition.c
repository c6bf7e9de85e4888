/* SPDX-License-Identifier: MIT
 *
 * Dobutsu Shogi as a definition (kanzen/define.h): what the generic solver needs, in terms of the plain rules and the
 * plain index. The kernels of this folder do the same much faster; `kanzen solve dobutsu --plain` and a test hold the
 * two together.
 *
 * The numbers are those of the index, which has the positions that the rules alone do not decide. Positions that they
 * do decide share a number with all others of the same value. */
#include "games/dobutsu/rules/definition.h"
#include "base/error.h"
#include "games/dobutsu/index/index.h"
#include "games/dobutsu/index/space.h"
#include "games/dobutsu/rules/notation.h"
#include "games/dobutsu/rules/rules.h"

#include <stdlib.h>
#include <string.h>

#ifndef KANZEN_READ_ONLY
/* One position of each value that the rules tell; NULL: there is none by these rules. */
enum { LOST_NOW, WON_NOW, WON_IN_1, LOST_IN_1, SHARED };

static const char *const examples[2][SHARED] = {
    [KZ_DOBUTSU_OFFICIAL] = {"g1e/2G/1cl/E2 b lc 1", "1+C1/3/CE1/LlG w GE 1", "g1e/l2/1LG/E2 b Cc 1", NULL},
    [KZ_DOBUTSU_SIMPLIFIED] = {"g1e/2G/1cl/E2 b lc 1", "1+C1/3/CE1/LlG w GE 1", "g1e/l2/1LG/E2 b Cc 1",
                               "g1e/L2/1EG/1lC b C 1"},
};
#endif

/* What `open` makes has tables for the index; without them it is slow, which is good enough for single positions. */
typedef struct rule_set {
    int rules;
    kz_dobutsu_numbers *numbers;
    const kz_dobutsu_space *space; /* of the numbers */
} rule_set;

static int rules_of(const void *context) { return ((const rule_set *)context)->rules; }

#ifndef KANZEN_READ_ONLY
static kz_status open_rules(int rules, void **context, kz_error *error) {
    rule_set *set = calloc(1, sizeof *set);
    if (set) {
        set->rules = rules;
        set->numbers = kz_dobutsu_numbers_new(rules);
    }
    if (!set || !set->numbers) {
        free(set);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the index of Dobutsu Shogi");
    }
    set->space = kz_dobutsu_numbers_space(set->numbers);
    *context = set;
    return KZ_OK;
}

static void close_rules(void *context) {
    rule_set *set = context;
    kz_dobutsu_numbers_free(set->numbers);
    free(set);
}
#endif

static kz_dobutsu get(const kz_position *position) {
    kz_dobutsu dobutsu;
    kz_dobutsu_from_position(position, &dobutsu);
    return dobutsu;
}

static void start(const void *context, kz_position *position) {
    (void)context;
    kz_dobutsu dobutsu;
    kz_dobutsu_start(&dobutsu);
    kz_dobutsu_to_position(&dobutsu, position);
}

static int moves(const void *context, const kz_position *position, kz_move *list) {
    (void)context;
    kz_dobutsu dobutsu = get(position);
    return kz_dobutsu_moves_on(&dobutsu, list);
}

static void play(const void *context, kz_position *position, kz_move move) {
    (void)context;
    kz_dobutsu dobutsu = get(position);
    kz_position after;
    kz_dobutsu_play(&dobutsu, move);
    kz_dobutsu_to_position(&dobutsu, &after);
    memcpy(position, &after, KZ_GAME_BYTES); /* the rest is Kanzen's */
}

static kz_outcome result(const void *context, const kz_position *position) {
    kz_dobutsu dobutsu = get(position);
    kz_value value = kz_dobutsu_immediate(rules_of(context), &dobutsu);
    return value.distance == 0 ? value.outcome : KZ_UNKNOWN;
}

static kz_value immediate(const void *context, const kz_position *position) {
    kz_dobutsu dobutsu = get(position);
    return kz_dobutsu_immediate(rules_of(context), &dobutsu);
}

static bool same(const kz_position *a, const kz_position *b) {
    kz_dobutsu one = get(a);
    kz_dobutsu other = get(b);
    return one.turn == other.turn && memcmp(one.board, other.board, sizeof one.board) == 0 &&
           memcmp(one.hand, other.hand, sizeof one.hand) == 0;
}

static kz_status validate(const void *context, const kz_position *position, kz_error *error) {
    (void)context;
    kz_dobutsu dobutsu = get(position);
    return kz_dobutsu_validate(&dobutsu, error);
}

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

#ifndef KANZEN_READ_ONLY

static uint64_t index_size(const void *context) {
    (void)context;
    return KZ_DOBUTSU_INDEX_SIZE + SHARED;
}

/* The index, if the position is in it: the lions are on the board, apart, and not on their far rows. */
static bool find_index(const rule_set *set, const kz_dobutsu *dobutsu, uint64_t *index) {
    if (!set->space) {
        return kz_dobutsu_rank(dobutsu, index);
    }
    if (dobutsu->hand[0][KZ_DOBUTSU_LION] || dobutsu->hand[1][KZ_DOBUTSU_LION]) {
        return false;
    }
    kz_dobutsu_states states;
    kz_dobutsu_states_of(dobutsu, &states);
    if (set->space->lion_class[states.own_lion][states.enemy_lion] >= KZ_DOBUTSU_LION_CLASSES_SOLVED) {
        return false;
    }
    *index = kz_dobutsu_space_rank(set->space, &states);
    return true;
}

static uint64_t rank(const void *context, const kz_position *position) {
    kz_dobutsu dobutsu = get(position);
    uint64_t index = 0;
    if (find_index(context, &dobutsu, &index)) {
        return index;
    }
    kz_value value = kz_dobutsu_immediate(rules_of(context), &dobutsu);
    bool now = value.distance == 0;
    return KZ_DOBUTSU_INDEX_SIZE + (uint64_t)(value.outcome == KZ_WIN ? (now ? WON_NOW : WON_IN_1)
                                              : now                   ? LOST_NOW
                                                                      : LOST_IN_1);
}

static bool unrank(const void *context, uint64_t index, kz_position *position) {
    const rule_set *set = context;
    kz_dobutsu dobutsu;
    memset(&dobutsu, 0, sizeof dobutsu);
    if (index >= KZ_DOBUTSU_INDEX_SIZE) {
        const char *text = examples[set->rules][index - KZ_DOBUTSU_INDEX_SIZE];
        if (!text || kz_dobutsu_parse(text, strlen(text), &dobutsu, NULL) != KZ_OK) {
            return false;
        }
    } else if (set->space) {
        kz_dobutsu_space_unrank(set->space, index, &dobutsu);
    } else {
        kz_dobutsu_unrank(index, &dobutsu);
    }
    kz_dobutsu_to_position(&dobutsu, position);
    return true;
}

static int predecessors(const void *context, const kz_position *position, kz_position *before) {
    (void)context;
    return kz_dobutsu_predecessors(position, before);
}

/* Only contexts that `open` made have numbers. */
static int numbers_after(const void *context, uint64_t index, uint64_t *numbers, kz_sight *sight) {
    const rule_set *set = context;
    if (index < KZ_DOBUTSU_INDEX_SIZE) {
        return kz_dobutsu_numbers_after(set->numbers, index, numbers, sight);
    }
    /* Lost in 1: all moves lead to lost games, which have no number of their own here. */
    static const kz_sight shared[SHARED] = {
        [LOST_NOW] = {.over = KZ_LOSS}, [WON_NOW] = {.over = KZ_WIN}, [WON_IN_1] = {.win = 1}};
    *sight = shared[index - KZ_DOBUTSU_INDEX_SIZE];
    return examples[set->rules][index - KZ_DOBUTSU_INDEX_SIZE] ? 0 : -1;
}

static int numbers_before(const void *context, uint64_t index, uint64_t *numbers) {
    const rule_set *set = context;
    return index < KZ_DOBUTSU_INDEX_SIZE ? kz_dobutsu_numbers_before(set->numbers, index, numbers) : 0;
}

#endif

/* ---- Text -------------------------------------------------------------------------------------------------------- */

#ifndef KANZEN_READ_ONLY
static void format(const void *context, const kz_position *position, char *text) {
    (void)context;
    kz_dobutsu dobutsu = get(position);
    if (kz_dobutsu_format(&dobutsu, 0, text, KZ_TEXT_BYTES, NULL) != KZ_OK) {
        text[0] = '\0';
    }
}
#endif

static kz_status format_as(const void *context, const kz_position *position, int notation, char *text,
                           kz_error *error) {
    (void)context;
    kz_dobutsu dobutsu = get(position);
    return kz_dobutsu_format(&dobutsu, notation, text, KZ_TEXT_BYTES, error);
}

static kz_status parse(const void *context, const char *text, size_t length, kz_position *position, kz_error *error) {
    (void)context;
    kz_dobutsu dobutsu;
    kz_status status = kz_dobutsu_parse(text, length, &dobutsu, error);
    if (status == KZ_OK) {
        kz_dobutsu_to_position(&dobutsu, position);
    }
    return status;
}

static kz_status move_parse(const void *context, const kz_position *position, const char *text, size_t length,
                            kz_move *move, kz_error *error) {
    kz_dobutsu dobutsu = get(position);
    return kz_dobutsu_move_parse(rules_of(context), &dobutsu, text, length, move, error);
}

static void move_format(const void *context, const kz_position *position, kz_move move, char *text) {
    (void)context;
    kz_dobutsu dobutsu = get(position);
    (void)kz_dobutsu_move_format(&dobutsu, move, text, KZ_TEXT_BYTES, NULL);
}

static void draw(const void *context, const kz_position *position, char *text) {
    (void)context;
    kz_dobutsu dobutsu = get(position);
    (void)kz_dobutsu_draw(&dobutsu, text, KZ_TEXT_BYTES, NULL);
}

static int side_to_move(const void *context, const kz_position *position) {
    (void)context;
    return get(position).turn != 0;
}

const kz_definition kz_dobutsu_definition = {
    .version = KZ_DEFINE_VERSION,
    .size = sizeof(kz_definition),
    .name = "dobutsu",
    .title = "Dobutsu Shogi, the 3 by 4 animal chess of Madoka Kitao",
    .max_moves = KZ_DOBUTSU_MAX_MOVES,
    .start = start,
    .moves = moves,
    .play = play,
    .result = result,
    .without_moves = KZ_LOSS,
    .parse = parse,
    .rules = kz_dobutsu_rule_names,
    .move_format = move_format,
    .side_to_move = side_to_move,
    .draw = draw,
    .notations = kz_dobutsu_notations,
    .format_as = format_as,
    .move_parse = move_parse,
    .immediate = immediate,
    .same = same,
    .validate = validate,
    .side_names = {"sente", "gote"},
#ifndef KANZEN_READ_ONLY
    .format = format,
    .index_size = index_size,
    .rank = rank,
    .unrank = unrank,
    .open = open_rules,
    .close = close_rules,
    .max_predecessors = KZ_MAX_PREDECESSORS,
    .predecessors = predecessors,
    .numbers_after = numbers_after,
    .numbers_before = numbers_before,
#endif
};

static rule_set slow[] = {{KZ_DOBUTSU_OFFICIAL, NULL, NULL}, {KZ_DOBUTSU_SIMPLIFIED, NULL, NULL}}; /* never changed */
void *const kz_dobutsu_contexts[] = {&slow[0], &slow[1]};
