/* SPDX-License-Identifier: MIT
 *
 * Dobutsu Shogi from its text is the built-in game by its official rules: in random positions the same moves lead to
 * the same positions, and the same games are over. The two share no rules. So all values are equal, too.
 *
 * test_variant_dobutsu POSITIONS looks at more of them. test_variant_dobutsu TABLE BUILT-IN compares all values of a
 * table of the text with those of a table of the built-in game. */
#include "tests/support/testing.h"

#include "base/random.h"
#include "game/defined.h"
#include "games/dobutsu/index/space.h"
#include "games/dobutsu/rules/rules.h"
#include "games/texts/game.h"
#include "table/any_kind.h"

#include <kanzen/load.h>
#include <kanzen/table.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_POSITIONS = 3000, MOST_MOVES = 600, TEXT = KZ_TEXT_BYTES, MOST_CODES = 1024 };

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

TEST(test_same_game) {
    kz_random random = {.state = 12};
    uint64_t open = 0;
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

/* ---- Whole tables ------------------------------------------------------------------------------------------------ */

/* All codes of the text's table. */
static uint16_t *read_codes(const kz_table *table) {
    enum { PIECE = KZ_ANY_BLOCK };
    uint64_t places = kz_table_shape(table)->places;
    uint16_t *codes = malloc(places * sizeof *codes);
    kz_error error;
    for (uint64_t first = 0; codes && first < places; first += PIECE) {
        uint64_t count = places - first < PIECE ? places - first : PIECE;
        if (kz_table_read(table, first, count, codes + first, &error) != KZ_OK) {
            printf("%s\n", error.message);
            free(codes);
            return NULL;
        }
        for (uint64_t i = first; i < first + count; i++) {
            codes[i] = (uint16_t)kz_table_any(table)->values.codes[codes[i]];
        }
    }
    return codes;
}

/* The type of the text that is written with a letter, promoted or not. */
static int type_of(const kz_variant *v, char letter, bool promoted) {
    int type = 0;
    while (v->type[type].letter != letter || v->type[type].promoted != promoted) {
        type++;
    }
    return type;
}

/* A position of the built-in game, seen by the side to move, as a board of the text. */
static void to_board(const kz_variant *v, const int types[5], const kz_dobutsu *dobutsu, kz_board *board) {
    *board = (kz_board){.en_passant = KZ_NO_SQUARE};
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        int cell = dobutsu->board[square];
        if (cell != KZ_DOBUTSU_EMPTY) {
            bool enemy = cell & KZ_DOBUTSU_ENEMY;
            kz_board_put(board, square, kz_piece(types[(cell & ~KZ_DOBUTSU_ENEMY) - 1], enemy));
        }
    }
    for (int side = 0; side < 2; side++) {
        for (int kind = 0; kind < KZ_DOBUTSU_LION; kind++) {
            board->hand[side][v->type[types[kind]].hand] = dobutsu->hand[side][kind];
        }
    }
}

/* Compares each value of the built-in game, as far as its table stores it, with that of the text: lost in so many
 * plies, or not lost. The others are counted by what the text says. Returns how many differ. */
static uint64_t compare_losses(const kz_table *table, const uint16_t *codes, uint64_t *counts) {
    enum { BATCH = 1 << 16 };
    static uint8_t losses[BATCH];
    const kz_variant_game *game = kz_game_context(from_text, 0);
    const kz_variant *v = &game->variant;
    int types[5] = {[KZ_DOBUTSU_CHICK] = type_of(v, 'c', false),
                    [KZ_DOBUTSU_ELEPHANT] = type_of(v, 'e', false),
                    [KZ_DOBUTSU_GIRAFFE] = type_of(v, 'g', false),
                    [KZ_DOBUTSU_LION] = type_of(v, 'l', false),
                    [KZ_DOBUTSU_HEN] = type_of(v, 'c', true)};
    uint64_t wrong = 0;
    uint64_t size = kz_index_size(built_in, 0);
    kz_dobutsu_space *space = kz_dobutsu_space_new();
    assert_non_null(space);
    for (uint64_t first = 0; first < size; first += BATCH) {
        kz_error error;
        uint64_t count = size - first < BATCH ? size - first : BATCH;
        assert_int_equal(kz_table_read(table, first, count, losses, &error), KZ_OK);
        for (uint64_t i = 0; i < count; i++) {
            kz_dobutsu position;
            kz_board board;
            kz_dobutsu_space_unrank(space, first + i, &position);
            to_board(v, types, &position, &board);
            kz_code code = codes[kz_variant_rank(game->index, &board)];
            bool lost = code > KZ_CODE_DRAW && code % 2 == 0;
            kz_code expected = kz_code_loss(losses[i] - 1U);
            wrong += code == KZ_CODE_HOLE || (losses[i] ? code != expected : lost);
            counts[code < MOST_CODES ? code : KZ_CODE_HOLE]++;
        }
    }
    kz_dobutsu_space_free(space);
    return wrong;
}

/* 0: all values of the built-in game are those of the text. */
static int compare_tables(const char *text_path, const char *built_in_path) {
    kz_table *text = NULL;
    kz_table *table = NULL;
    kz_error error;
    uint64_t counts[MOST_CODES] = {0};
    if (kz_table_open_as(text_path, from_text, &text, &error) != KZ_OK ||
        kz_table_open(built_in_path, &table, &error) != KZ_OK) {
        printf("%s\n", error.message);
        return 3;
    }
    uint16_t *codes = read_codes(text);
    uint64_t wrong = codes ? compare_losses(table, codes, counts) : 1;
    kz_value value;
    uint64_t stated;
    for (size_t i = 0; kz_table_count(table, i, &value, &stated); i++) {
        kz_code code = value.outcome == KZ_DRAW  ? KZ_CODE_DRAW
                       : value.outcome == KZ_WIN ? kz_code_win((unsigned)value.distance)
                                                 : kz_code_loss((unsigned)value.distance);
        printf("%s %d: %llu, by the text %llu\n", kz_outcome_name(value.outcome), value.distance,
               (unsigned long long)stated, (unsigned long long)counts[code]);
        wrong += counts[code] != stated;
    }
    printf("%llu differences\n", (unsigned long long)wrong);
    free(codes);
    kz_table_close(text);
    kz_table_close(table);
    return wrong == 0 ? 0 : 1;
}

int main(int count, char **arguments) {
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
    int failed = count == 3 ? compare_tables(arguments[1], arguments[2]) : run_all_tests(__FILE__, NULL, NULL);
    kz_game_close(from_text);
    return failed;
}
