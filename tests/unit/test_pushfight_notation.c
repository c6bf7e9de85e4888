/* SPDX-License-Identifier: MIT
 *
 * Positions and turns of Push Fight as text: published examples of every notation there and back, the numbering of all
 * boards, and what is said about bad text. */
#include "tests/support/pushfight_testing.h"

#include "games/pushfight/index/index.h"
#include "games/pushfight/index/permutation.h"
#include "games/pushfight/rules/notation.h"
#include "games/pushfight/rules/rules.h"

#include <inttypes.h>

static void assert_format(const kz_position *position, int notation, const char *expected) {
    char text[KZ_TEXT_BYTES];
    kz_error error = {0};
    if (kz_format(game(), position, notation, text, sizeof text, &error) != KZ_OK) {
        fail_msg("%s: %s", expected, error.message);
    }
    assert_string_equal(text, expected);
}

static void assert_no_format(const kz_position *position, int notation, const char *expected) {
    char text[KZ_TEXT_BYTES];
    kz_error error = {0};
    assert_int_equal(kz_format(game(), position, notation, text, sizeof text, &error), KZ_ERR_UNSUPPORTED);
    assert_string_equal(error.message, expected);
}

/* ---- Positions -------------------------------------------------------------------------------------------------- */

TEST(test_names) {
    static const char *const names[] = {"string", "diagram", "index", "minimized"};
    for (int i = 0; i < KZ_PF_NOTATIONS; i++) {
        assert_string_equal(kz_notation_name(game(), i), names[i]);
    }
    assert_null(kz_notation_name(game(), KZ_PF_NOTATIONS));
}

/* What the published tools print: string, index, minimized index. */
TEST(test_published) {
    static const char *const examples[][3] = {
        {".....OOxY....oxX.....oX..O", "19301938593", "+46788934353"},
        {".OX.....oxY....Oox.....OX.", "194131815839", "+69810189839"},
        {"..OoO..X......oxY..XO..x..", "111281287018", "-54633981701"},
        {".x...O..o...X.OXx.OY.....o", "200783583000", "-23880969909"},
        {"Ox..xO...X.Y...oO.X...o...", "316452211876", "+85628664413"},
        {".Yo...............oOOOxxXX", "243411482160", "+0"},
        {".Yo...............oOOOxXxX", "243411482161", "+1"},
        {"XXxxOOOo...............oY.", "384830488047", "-0"},
        {"....o.O.YxoO.Xx....X.O....", "28407689520", "+43104065760"},
        {".YoO....xx...OX...X.o..O..", "244001970316", "+590488156"},
        {".YXx...o......OoOO..xX....", "247024261032", "+3612778872"},
        {"xOOOXoo...XYx.............", "349617805883", "+86208131519"},
        {"................ooOOOxxXXY", "0", NULL},
        {"................ooOOOxxXYX", "1", NULL},
        {"YXXxxOOOoo................", "401567165999", NULL},
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        for (int form = 0; form < 3 && examples[i][form]; form++) {
            kz_position position = parsed(0, examples[i][form]);
            assert_format(&position, KZ_PF_STRING, examples[i][0]);
            assert_format(&position, KZ_PF_PERMUTATION, examples[i][1]);
            if (examples[i][2]) {
                assert_format(&position, KZ_PF_MINIMIZED, examples[i][2]);
            } else {
                assert_no_format(&position, KZ_PF_MINIMIZED,
                                 "the anchored piece can't have pushed: such a position has no minimized index");
            }
        }
    }
}

/* Where blocks of the minimized index begin: the square of the anchor, and the pieces around it. */
TEST(test_minimized_blocks) {
    static const struct {
        uint64_t begin;
        int anchor;
        char left, right;
    } blocks[] = {
        {0, 1, '.', 'o'},
        {7413547680, 2, '.', 'o'},
        {14827095360, 3, '.', 'o'},
        {22240643040, 6, '.', 'o'},
        {29654190720, 7, '.', 'o'},
        {40964978880, 8, '.', 'o'},
        {52275767040, 9, '.', 'o'},
        {63586555200, 10, '.', 'o'},
        {74897343360, 11, '.', 'o'},
        {823727520, 1, '.', 'O'},
        {2059318800, 1, '.', 'x'},
        {2883046320, 1, '.', 'X'},
        {3706773840, 1, 'o', '.'},
        {4530501360, 1, 'O', '.'},
        {5766092640, 1, 'x', '.'},
        {6589820160, 1, 'X', '.'},
        {29654190720 + 7413547680, 7, '.', '.'}, /* the vertical part */
    };
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        char text[KZ_TEXT_BYTES];
        snprintf(text, sizeof text, "+%" PRIu64, blocks[i].begin);
        kz_position position = parsed(0, text);
        assert_int_equal(kz_format(game(), &position, KZ_PF_STRING, text, sizeof text, NULL), KZ_OK);
        assert_int_equal(text[blocks[i].anchor], 'Y');
        assert_int_equal(text[blocks[i].anchor - 1], blocks[i].left);
        assert_int_equal(text[blocks[i].anchor + 1], blocks[i].right);
        if (blocks[i].begin == 0) {
            continue;
        }
        /* The position before it is in another block. */
        char before[KZ_TEXT_BYTES];
        snprintf(before, sizeof before, "+%" PRIu64, blocks[i].begin - 1);
        position = parsed(0, before);
        assert_int_equal(kz_format(game(), &position, KZ_PF_STRING, before, sizeof before, NULL), KZ_OK);
        assert_true(before[blocks[i].anchor] != 'Y' || before[blocks[i].anchor - 1] != blocks[i].left ||
                    before[blocks[i].anchor + 1] != blocks[i].right);
    }
}

TEST(test_round_trips) {
    uint64_t random = 123456789;
    for (int rules = 0; kz_pf_board_at(rules); rules++) {
        const kz_pf_board *board = kz_pf_board_at(rules);
        for (int i = 0; i < 500; i++) {
            char text[KZ_TEXT_BYTES];
            snprintf(text, sizeof text, "%" PRIu64, next_random(&random) % kz_pf_permutations(board));
            kz_position position = parsed(rules, text);
            assert_format(&position, KZ_PF_PERMUTATION, text);
            for (int notation = KZ_PF_STRING; notation <= KZ_PF_DIAGRAM; notation++) {
                char drawn[KZ_TEXT_BYTES];
                assert_int_equal(kz_format(game(), &position, notation, drawn, sizeof drawn, NULL), KZ_OK);
                kz_position again = parsed(rules, drawn);
                assert_true(kz_same(game(), &position, &again));
            }
            bool turned = board->symmetric && i % 2;
            snprintf(text, sizeof text, "%c%" PRIu64, turned ? '-' : '+',
                     next_random(&random) % kz_pf_minimized_size(board));
            position = parsed(rules, text);
            assert_format(&position, KZ_PF_MINIMIZED, text);
        }
    }
}

/* On small boards: strings are numbered in lexicographic order, and those whose anchor passes the test have minimized
 * indices without gaps. */
TEST(test_small_boards) {
    static const char *const names[] = {"corridor", "raft", "hook"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        int rules = kz_rules_find(game(), names[i]);
        const kz_pf_board *board = kz_pf_board_at(rules);
        int squares = kz_pf_square_count(board);
        uint64_t size = kz_pf_minimized_size(board);
        uint8_t *seen = calloc(size, 1);
        uint8_t last[KZ_PF_MOST_SQUARES] = {0};
        uint64_t anchored = 0;
        for (uint64_t index = 0; index < kz_pf_permutations(board); index++) {
            kz_pf_position position;
            kz_pf_permutation_at(rules, index, &position);
            uint8_t codes[KZ_PF_MOST_SQUARES];
            kz_pf_codes(&position, codes);
            assert_true(index == 0 || memcmp(codes, last, (size_t)squares) > 0);
            memcpy(last, codes, sizeof last);
            uint32_t taken = kz_pf_own(&position) | kz_pf_enemy(&position);
            bool fits = (kz_pf_anchorable(board, taken) & kz_pf_anchor_square(&position)) != 0;
            uint64_t minimized;
            bool turned;
            assert_int_equal(kz_pf_minimized(&position, &minimized, &turned), fits);
            if (!fits) {
                continue;
            }
            anchored++;
            assert_true(minimized < size && !(seen[minimized] >> turned & 1));
            seen[minimized] = (uint8_t)(seen[minimized] | 1 << turned);
            kz_pf_position again;
            kz_pf_minimized_at(rules, minimized, turned, &again);
            assert_true(kz_pf_same(&position, &again));
        }
        assert_int_equal(anchored, board->symmetric ? 2 * size : size);
        free(seen);
    }
}

#define README_STRING ".OX.....oxY....Oox.....OX."
#define README_DIAGRAM                                                                                                 \
    "  abcdefgh\n"                                                                                                     \
    "4   .OX..  4\n"                                                                                                   \
    "3 ...oxY.. 3\n"                                                                                                   \
    "2 ..Oox... 2\n"                                                                                                   \
    "1  ..OX.   1\n"                                                                                                   \
    "  abcdefgh"

TEST(test_diagrams) {
    static const char *const forms[] = {
        README_DIAGRAM,
        README_DIAGRAM "\n",
        "\n" README_DIAGRAM "\r\n",
        "   .OX..\n ...oxY..\n ..Oox...\n  ..OX.",
        "   .OX..  \r\n ...oxY..\r\n ..Oox...\r\n  ..OX.\r\n",
        ".OX../...oxY../..Oox.../..OX.",
        " .OX.. / ...oxY.. / ..Oox... / ..OX. ",
        "4 .OX..\n3 ...oxY..\n2 ..Oox...\n1 ..OX.\n  abcdefgh",
        "abcdefgh/.OX../...oxY../..Oox.../..OX.",
        "  " README_STRING " \n",
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        kz_position position = parsed(0, forms[i]);
        assert_format(&position, KZ_PF_STRING, README_STRING);
        assert_format(&position, KZ_PF_DIAGRAM, README_DIAGRAM);
    }
    kz_position corridor = parsed(kz_rules_find(game(), "corridor"), "..OxX/.o...");
    assert_int_equal(kz_pf_from_position(&corridor).anchor, KZ_PF_NO_ANCHOR);
    assert_format(&corridor, KZ_PF_DIAGRAM, "  abcde\n2 ..OxX 2\n1 .o... 1\n  abcde");
}

TEST(test_lines) {
    static const struct {
        const char *rules;
        const char *line;
        int lines;
    } cases[] = {
        {"standard", "  abcdefgh", 6},   {"standard", "4   .OX..  4", 4},
        {"standard", "   .OX..", 4},     {"standard", ".OX../...oxY../..Oox.../..OX.", 1},
        {"standard", README_STRING, 1},  {"standard", "4", 1},
        {"standard", "194131815839", 1}, {"standard", "-54633981701", 1},
        {"standard", ".OX.", 1},         {"standard", "", 1},
        {"mini", " abcdef", 5},          {"mini", "3  .ox.  3", 3},
        {"corridor", "..OxX", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(
            kz_position_lines(game(), kz_rules_find(game(), cases[i].rules), cases[i].line, strlen(cases[i].line)),
            cases[i].lines);
    }
}

/* P: blue to move. The indices see the same position as the one with the colours exchanged. */
TEST(test_sides) {
    kz_position red = parsed(0, ".OX.....oxY....Oox.....OX.");
    kz_position blue = parsed(0, ".XO.....xoP....Xxo.....XO.");
    assert_string_equal(kz_side_to_move(game(), &red), "red");
    assert_string_equal(kz_side_to_move(game(), &blue), "blue");
    assert_false(kz_same(game(), &red, &blue));
    assert_format(&blue, KZ_PF_STRING, ".XO.....xoP....Xxo.....XO.");
    assert_format(&blue, KZ_PF_PERMUTATION, "194131815839");
    assert_format(&blue, KZ_PF_MINIMIZED, "+69810189839");
}

TEST(test_without_index) {
    kz_position started = parsed(0, ".OX.....oxX....Oox.....OX.");
    assert_string_equal(kz_side_to_move(game(), &started), "red");
    assert_format(&started, KZ_PF_STRING, ".OX.....oxX....Oox.....OX.");
    assert_no_format(&started, KZ_PF_PERMUTATION, "there is no anchor: a position before the first turn has no index");
    assert_no_format(&started, KZ_PF_MINIMIZED, "there is no anchor: a position before the first turn has no index");
    kz_position finished = parsed(0, "..X.....oxY....Oox.....OX.");
    assert_no_format(&finished, KZ_PF_PERMUTATION, "the game is over: only a position with all pieces has an index");
    uint64_t index;
    assert_false(kz_rank(game(), &finished, &index));
    assert_int_equal(kz_immediate(game(), 0, &finished).outcome, KZ_LOSS);
}

TEST(test_bad_positions) {
#define EXPECTED(square)                                                                                               \
    "expected what is on " square                                                                                      \
    ": '.' nothing, o or O a mover or pusher of red, x or X of blue, Y or P a pusher of "                              \
    "blue or red with the anchor"
    static const struct {
        const char *rules;
        const char *text;
        const char *message;
    } cases[] = {
        {"standard", "",
         "character 1 (end of the text): expected a position: a symbol for each square, a diagram, or an index"},
        {"standard", "  \n",
         "character 1 (end of the text): expected a position: a symbol for each square, a diagram, or an index"},
        {"standard", ".OX..", "character 6 (end of the text): " EXPECTED("a3")},
        {"standard", ".OX.....oxy....Oox.....OX.", "character 11 ('y'): " EXPECTED("f3")},
        {"standard", ".OX..\t...oxY....Oox.....OX.", "character 6 (byte 0x09): " EXPECTED("a3")},
        {"standard", README_STRING ".",
         "character 27 ('.'): the position is complete before this: the board has 26 squares"},
        {"standard", "oOX.....oxY....Oox.....OX.", "character 17 ('o'): red has no more than 2 movers"},
        {"standard", "XOX.....oxY....Oox.....OX.", "character 25 ('X'): blue has no more than 3 pushers"},
        {"standard", ".OX.....oxY....Oox.....OY.", "character 25 ('Y'): there is only one anchor"},
        {"standard", ".PX.....oxY....Oox.....OX.", "character 11 ('Y'): there is only one anchor"},
        {"standard", "........oxY....Oox.....OX.",
         "characters 1 to 26: blue has 2 of 2 movers and 2 of 3 pushers; only the side to move can have lost a piece"},
        {"standard", " ..X......xY....Oox.....OX.",
         "characters 2 to 27: red has 1 of 2 movers and 2 of 3 pushers; only one can have been pushed off the board"},
        {"standard", "..X.....oxX....Oox.....OX.",
         "characters 1 to 26: red has 2 of 2 movers and 2 of 3 pushers; without an anchor the game has not begun, and "
         "all must be there"},
        {"standard", "401567166000", "character 1 ('4'): the largest index of this board is 401567165999"},
        {"standard", "99999999999999999999999999",
         "character 1 ('9'): the largest index of this board is 401567165999"},
        {"standard", "12a", "character 3 ('a'): expected a decimal digit"},
        {"standard", "+86208131520", "character 2 ('8'): the largest minimized index of this board is 86208131519"},
        {"standard", "-", "character 2 (end of the text): expected a decimal digit"},
        {"standard", "+-1", "character 2 ('-'): expected a decimal digit"},
        {"hook", "-1", "character 1 ('-'): expected '+': this board can't be rotated"},
        {"mini", "15135120", "character 1 ('1'): the largest index of this board is 15135119"},
        {"standard", ".OX../...oxY./..Oox.../..OX.", "character 14 ('/'): " EXPECTED("h3")},
        {"standard", ".OX...\n...oxY..\n..Oox...\n..OX.",
         "character 6 ('.'): row 4 has 5 squares, and the line should end here"},
        {"standard", "4 .OX..\n2 ...oxY..\n..Oox...\n..OX.",
         "character 9 ('2'): this is row 3, counted from the bottom"},
        {"standard", "abcdefg\n.OX..\n...oxY..\n..Oox...\n..OX.",
         "character 8 (byte 0x0a): expected the letters of the columns, abcdefgh"},
        {"standard", "abcdefghi\n.OX..\n...oxY..\n..Oox...\n..OX.",
         "character 9 ('i'): the line should end after the letters of the columns"},
        {"standard", ".OX../...oxY../..Oox.../..OX./.", "character 31 ('.'): the board is complete before this"},
        {"standard", ".OX../...oxY../..Oox...", "character 24 (end of the text): " EXPECTED("b1")},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kz_position position;
        kz_error error = {0};
        int rules = kz_rules_find(game(), cases[i].rules);
        kz_status status = kz_parse(game(), rules, cases[i].text, strlen(cases[i].text), &position, &error);
        assert_int_equal(status, KZ_ERR_INPUT);
        assert_string_equal(error.message, cases[i].message);
    }
}

/* ---- Turns ------------------------------------------------------------------------------------------------------ */

static void assert_turn(const char *position_text, const char *turn, const char *listed, const char *result) {
    kz_position position = parsed(0, position_text);
    kz_move move;
    kz_error error = {0};
    if (kz_move_parse(game(), 0, &position, turn, strlen(turn), &move, &error) != KZ_OK) {
        fail_msg("%s: %s", turn, error.message);
    }
    char text[KZ_TEXT_BYTES];
    assert_int_equal(kz_move_format(game(), &position, move, text, sizeof text, NULL), KZ_OK);
    assert_string_equal(text, listed);
    kz_play(game(), 0, &position, move);
    assert_format(&position, KZ_PF_STRING, result);
}

TEST(test_turns) {
    /* The examples of the rules. */
    assert_turn(README_STRING, "c2-d2", "c2-d2", ".OX.....oxX.....Pox....OX.");
    assert_turn(README_STRING, "d1-a2,d3-c3,c2-d2", "d3-c3,d1-a2,c2-d2", ".OX....o.xX..O..Pox.....X.");
    /* The order of moves does not matter, nor do spaces; moves to and fro are none. */
    assert_turn(README_STRING, " d3-c3, d1-a2 ,c2-d2 ", "d3-c3,d1-a2,c2-d2", ".OX....o.xX..O..Pox.....X.");
    assert_turn(README_STRING, "d1-a2,a2-d1,c2-d2", "c2-d2", ".OX.....oxX.....Pox....OX.");
    assert_turn(README_STRING, "d1-a2,a2-a3,c2-d2", "d1-a3,c2-d2", ".OX..O..oxX.....Pox.....X.");
    /* Blue's turn. */
    assert_turn(".OX.....oxX.....Pox....OX.", "e1-d1", "e1-d1", ".OX.....oxX.....Oox...OY..");
}

TEST(test_bad_turns) {
    static const char *const cases[][3] = {
        {README_STRING, "",
         "character 1 (end of the text): expected a square: a column from a to h and a row from 1 to 4"},
        {README_STRING, "c2", "character 3 (end of the text): expected '-' and the square that the piece goes to"},
        {README_STRING, "i2-c2", "character 1 ('i'): expected a square: a column from a to h and a row from 1 to 4"},
        {README_STRING, "c5-c2", "character 2 ('5'): expected a row from 1 to 4"},
        {README_STRING, "c2-a4", "character 4 ('a'): the board has no square a4"},
        {README_STRING, "c2-d2;", "character 6 (';'): expected ',' or the end of the turn"},
        {README_STRING, "c2-d2,",
         "character 7 (end of the text): expected a square: a column from a to h and a row "
         "from 1 to 4"},
        {README_STRING, "d1-a2,d3-c3,c2-d2,d2-e2",
         "character 18 (','): the turn is complete before this: it has at most two moves and one push"},
        {README_STRING, "a2-b2,c2-d2", "character 1 ('a'): there is no piece on a2"},
        {README_STRING, "e4-f4,c2-d2", "character 1 ('e'): the piece on e4 is not yours"},
        {README_STRING, "d1-d1,c2-d2", "character 4 ('d'): a move takes the piece to another square"},
        {README_STRING, "d1-d2,c2-d2",
         "character 4 ('d'): d2 is occupied: only the push, which ends the turn, goes to an occupied square"},
        {README_STRING, "d1-h3,c2-d2", "character 4 ('h'): there is no way from d1 to h3 over empty squares"},
        {README_STRING, "c2-b2", "character 4 ('b'): a turn ends with a push, and b2 is empty"},
        {README_STRING, "d3-e3", "character 1 ('d'): the piece on d3 is a mover, and only pushers push"},
        {README_STRING, "c2-e2", "character 4 ('e'): a push goes to a square next to the piece"},
        {README_STRING, "e3-d3", "character 1 ('e'): the piece on e3 is not yours"},
        {README_STRING, "d1-d2", "character 4 ('d'): the railing holds the pieces in this direction"},
        {"..OYX.....o....Oox.....OXx", "e4-f4", "character 4 ('f'): the piece with the anchor can't be pushed"},
        {".OX.....xxY..ooO.......OX.", "c2-b2", "character 4 ('b'): this would push a piece of your own off the board"},
        {"..X.....oxY....Oox.....OX.", "c2-d2", "character 1 ('c'): the game is over: there are no moves"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kz_position position = parsed(0, cases[i][0]);
        kz_move move;
        kz_error error = {0};
        kz_status status = kz_move_parse(game(), 0, &position, cases[i][1], strlen(cases[i][1]), &move, &error);
        assert_int_equal(status, KZ_ERR_INPUT);
        assert_string_equal(error.message, cases[i][2]);
    }
    kz_position position = parsed(0, README_STRING);
    char text[KZ_TEXT_BYTES];
    kz_error error = {0};
    assert_int_equal(kz_move_format(game(), &position, 12345, text, sizeof text, &error), KZ_ERR_INPUT);
    assert_string_equal(error.message, "12345 is not the number of a move");
}

/* Every listed turn is read as itself. */
TEST(test_turn_round_trips) {
    static kz_move moves[KZ_MAX_MOVES];
    for (int rules = 0; kz_pf_board_at(rules); rules++) {
        kz_position position;
        kz_start(game(), rules, &position);
        int count = kz_moves(game(), rules, &position, moves);
        for (int i = 0; i < count; i += 1 + count / 40) {
            char text[KZ_TEXT_BYTES];
            kz_move again;
            assert_int_equal(kz_move_format(game(), &position, moves[i], text, sizeof text, NULL), KZ_OK);
            assert_int_equal(kz_move_parse(game(), rules, &position, text, strlen(text), &again, NULL), KZ_OK);
            assert_int_equal(again, moves[i]);
        }
    }
}

/* ---- Drawings --------------------------------------------------------------------------------------------------- */

TEST(test_drawings) {
    static char text[32768];
    kz_position position = parsed(0, README_STRING);
    assert_int_equal(kz_draw(game(), &position, text, sizeof text, NULL), KZ_OK);
    assert_string_equal(text, README_DIAGRAM
                        "\nred to move; red has o and O, blue has x and X, Y is blue's X with the anchor\n");
    for (int rules = 0; kz_pf_board_at(rules); rules++) {
        kz_start(game(), rules, &position);
        assert_int_equal(kz_draw_svg(game(), &position, text, sizeof text, NULL), KZ_OK);
        assert_non_null(strstr(text, "red to move</text>\n</svg>\n"));
    }
    assert_int_equal(kz_draw_svg(game(), &position, text, 100, NULL), KZ_ERR_INPUT);
}

TESTS(NULL, NULL)
