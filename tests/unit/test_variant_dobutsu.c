/* SPDX-License-Identifier: MIT
 *
 * Dobutsu Shogi from its text is the built-in game by its official rules: in random positions the same moves lead to
 * the same positions, and the same games are over. The two share no rules. So all values are equal, too.
 *
 * test_variant_dobutsu POSITIONS looks at more of them. */
#include "tests/support/testing.h"

#include "base/random.h"

#include <kanzen/load.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_POSITIONS = 3000, MOST_MOVES = 600, TEXT = KZ_TEXT_BYTES };

static uint64_t wanted = USUAL_POSITIONS;
static const kz_game *built_in;
static const kz_game *from_text;
static int fairy; /* the notation that both have */

static int compare_texts(const void *left, const void *right) { return strcmp(left, right); }

/* A position of the built-in game as the text's game writes it. */
static void translate(const kz_position *position, kz_position *translated, char *text) {
    char written[TEXT];
    kz_error error;
    assert_int_equal(kz_format(built_in, position, fairy, written, sizeof written, &error), KZ_OK);
    if (kz_parse(from_text, 0, written, strlen(written), translated, &error) != KZ_OK) {
        fail_msg("%s: %s", written, error.message);
    }
    assert_int_equal(kz_format(from_text, translated, 0, text, TEXT, &error), KZ_OK);
}

/* What the rules tell. The built-in game also tells a win in one ply, and for the other one that is looked for here. */
static kz_value told(const kz_game *game, const kz_position *position) {
    kz_move moves[MOST_MOVES];
    kz_value value = kz_immediate(game, 0, position);
    if (game == built_in || value.outcome != KZ_UNKNOWN) {
        return value;
    }
    int count = kz_moves(game, 0, position, moves);
    for (int i = 0; i < count; i++) {
        kz_position next = *position;
        kz_play(game, 0, &next, moves[i]);
        if (kz_immediate(game, 0, &next).outcome == KZ_LOSS) {
            return (kz_value){KZ_WIN, 1};
        }
    }
    return value;
}

/* Where the moves lead to, as texts in order. Returns how many there are. Where the rules tell the value, that stands
 * in place of the text, since nobody asks for the rest. */
static int list_next(const kz_game *game, const kz_position *position, char (*texts)[TEXT]) {
    kz_move moves[MOST_MOVES];
    int count = kz_moves(game, 0, position, moves);
    for (int i = 0; i < count; i++) {
        kz_position next = *position;
        kz_position translated;
        kz_error error;
        kz_play(game, 0, &next, moves[i]);
        kz_value value = told(game, &next);
        if (value.outcome != KZ_UNKNOWN) {
            snprintf(texts[i], TEXT, "%s %d", kz_outcome_name(value.outcome), value.distance);
        } else if (game == built_in) {
            translate(&next, &translated, texts[i]);
        } else {
            assert_int_equal(kz_format(game, &next, 0, texts[i], TEXT, &error), KZ_OK);
        }
    }
    qsort(texts, (size_t)count, sizeof *texts, compare_texts);
    return count;
}

static void compare(const kz_position *position) {
    static char ours[MOST_MOVES][TEXT];
    static char theirs[MOST_MOVES][TEXT];
    char text[TEXT];
    kz_position translated;
    translate(position, &translated, text);
    kz_value value = told(built_in, position);
    kz_value by_text = told(from_text, &translated);
    if (value.outcome != by_text.outcome || value.distance != by_text.distance) {
        fail_msg("%s: %s %d, and by the text %s %d", text, kz_outcome_name(value.outcome), value.distance,
                 kz_outcome_name(by_text.outcome), by_text.distance);
    }
    if (value.outcome != KZ_UNKNOWN) {
        return;
    }
    int count = list_next(built_in, position, ours);
    if (list_next(from_text, &translated, theirs) != count) {
        fail_msg("%s: other moves", text);
    }
    for (int i = 0; i < count; i++) {
        if (strcmp(ours[i], theirs[i]) != 0) {
            fail_msg("%s: a move leads to %s, and by the text to %s", text, ours[i], theirs[i]);
        }
    }
}

static void test_same_game(void **state) {
    kz_random random = {.state = 12};
    uint64_t open = 0;
    (void)state;
    for (uint64_t i = 0; i < wanted; i++) {
        kz_position position;
        uint64_t index = kz_random_below(&random, kz_index_size(built_in, 0));
        if (kz_unrank(built_in, 0, index, &position)) {
            open += kz_immediate(built_in, 0, &position).outcome == KZ_UNKNOWN;
            compare(&position);
        }
    }
    assert_true(open > wanted / 10);
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_game)};
    char path[1024];
    kz_error error;
    const char *source = getenv("KANZEN_SOURCE") ? getenv("KANZEN_SOURCE") : ".";
    snprintf(path, sizeof path, "%s/tests/data/variants/dobutsu0.ini", source);
    wanted = count > 1 ? strtoull(arguments[1], NULL, 10) : USUAL_POSITIONS;
    built_in = kz_game_find("dobutsu");
    if (!built_in || kz_game_named(path, &from_text, &error) != KZ_OK) {
        printf("can't open the games\n");
        return 1;
    }
    while (kz_notation_name(built_in, fairy) && strcmp(kz_notation_name(built_in, fairy), "fairy") != 0) {
        fairy++;
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    kz_game_close(from_text);
    return failed;
}
