/* SPDX-License-Identifier: MIT
 *
 * Positions and moves as text: every notation there and back, and what is said about bad text. */
#include "tests/support/testing.h"

#include "games/dobutsu/rules/notation.h"
#include "games/dobutsu/rules/rules.h"
#include "tests/support/dobutsu_samples.h"
#include <stdlib.h>
#include <string.h>

static const kz_game *game(void) { return kz_game_find("dobutsu"); }

static void assert_format(const kz_position *position, int notation, const char *expected) {
    char text[KZ_TEXT_BYTES];
    assert_int_equal(kz_format(game(), position, notation, text, sizeof text, NULL), KZ_OK);
    assert_string_equal(text, expected);
}

/* ---- Positions -------------------------------------------------------------------------------------------------- */

TEST(test_names) {
    static const char *const names[] = {"sfen", "lishogi", "fairy", "clausecker", "state40", "index18"};
    for (int i = 0; i < KZ_DOBUTSU_NOTATIONS; i++) {
        assert_string_equal(kz_notation_name(game(), i), names[i]);
        assert_int_equal(kz_notation_find(game(), names[i]), i);
    }
    assert_null(kz_notation_name(game(), KZ_DOBUTSU_NOTATIONS));
    assert_int_equal(kz_notation_find(game(), "fen"), -1);
}

/* The same position in every notation; those that tell the turn do so. */
TEST(test_same_position) {
    static const char *const texts[][KZ_DOBUTSU_NOTATIONS] = {
        {"gle/1c1/1C1/ELG b - 1", "rkb/1p1/1P1/BKR b - 1", "gle/1c1/1C1/ELG[-] w 0 1", "S/gle/-c-/-C-/ELG/-",
         "0x2b20785c1d", "2276617967770"},
        /* After chick takes chick, as the manual of Clausecker's program shows it. */
        {"gle/1C1/3/ELG w C 2", "rkb/1P1/3/BKR w P 2", "gle/1C1/3/ELG[C] b 0 1", "G/gle/-C-/---/ELG/C", "0xabe0785c1d",
         "87014145179536"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        kz_position first = dobutsu_at(texts[i][0]);
        for (int notation = 0; notation < KZ_DOBUTSU_NOTATIONS; notation++) {
            assert_format(&first, notation, texts[i][notation]);
            kz_position other = dobutsu_at(texts[i][notation]);
            if (notation < KZ_DOBUTSU_STATE40) {
                assert_true(kz_same(game(), &first, &other));
            } else {
                assert_string_equal(kz_side_to_move(game(), &other), "sente");
                assert_format(&other, notation, texts[i][notation]);
            }
        }
    }
}

TEST(test_variants) {
    static const char *const pairs[][2] = {
        {"  gle/1c1/1C1/ELG b -  \n", "gle/1c1/1C1/ELG b -"},
        {"gle/1c1/1C1/ELG  w   -   12", "gle/1c1/1C1/ELG w - 12"},
        {"gl1/1e1/3/1LG b cEC", "gl1/1e1/3/1LG b ECc"},   /* hands in any order, */
        {"1l1/3/3/1L1 b ccGGEe", "1l1/3/3/1L1 b 2GEe2c"}, /* piece by piece */
        {"1l1/3/3/1L1 b 1G1E1C1g1e1c", "1l1/3/3/1L1 b GECgec"},
        {"l1H/1e1/1C1/L2 w Gge", "l1+C/1e1/1C1/L2 w Gge"},  /* h is read for a hen */
        {"G/l-R/-e-/-C-/L--/Geg", "l1+C/1e1/1C1/L2 w Gge"}, /* from Clausecker's description */
        {"111/1l1/1L1/3 b 2G2E2c", "3/1l1/1L1/3 b 2G2E2c"},
        {"gle/1c1/1C1/ELG[] w 0 1", "gle/1c1/1C1/ELG b - 1"},
        {"gle/1c1/1C1/ELG[-] b - - 3 7", "gle/1c1/1C1/ELG w - 14"},
        {"gle/1c1/1C1/ELG[-] w - 0 7", "gle/1c1/1C1/ELG b - 13"},
        {"gle/1c1/1C1/ELG[-] w", "gle/1c1/1C1/ELG b -"},
        {"1l1/3/3/1L1[CCGgEe] w 0 1", "1l1/3/3/1L1 b GE2Cge 1"},
        {"0X2B20785C1D", "gle/1c1/1C1/ELG b -"},
        {"0x0000002b20785c1d", "gle/1c1/1C1/ELG b -"},
        {"0x2b2f005c1d", "gle/1c1/1C1/ELG b -"},  /* elephants the wrong way round */
        {"2559571690810", "gle/1c1/1C1/ELG b -"}, /* not the smaller mirror image */
        {"0x2b20785cf6", "g1e/1c1/1Cl/E1G b l"},  /* a captured lion */
        {"1G1/3/3/1L1 w Lg2e2c 2", "1G1/3/3/1L1 w Lg2e2c 2"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        kz_position position = dobutsu_at(pairs[i][0]);
        assert_format(&position, KZ_DOBUTSU_SFEN, pairs[i][1]);
    }
}

TEST(test_round_trips) {
    uint64_t seed = 1;
    for (int i = 0; i < 30000; i++) {
        kz_dobutsu dobutsu = sample_position(&seed);
        dobutsu.move_number = (uint16_t)(2 * sample_below(&seed, 50) + 1 + dobutsu.turn);
        kz_position position;
        kz_dobutsu_to_position(&dobutsu, &position);
        bool captured = dobutsu.hand[1][KZ_DOBUTSU_LION] > 0;
        for (int notation = 0; notation < KZ_DOBUTSU_NOTATIONS; notation++) {
            char text[KZ_TEXT_BYTES];
            kz_status status = kz_format(game(), &position, notation, text, sizeof text, NULL);
            if (notation == KZ_DOBUTSU_INDEX18 && captured) {
                assert_int_equal(status, KZ_ERR_UNSUPPORTED);
                continue;
            }
            assert_int_equal(status, KZ_OK);
            kz_position back = dobutsu_at(text);
            assert_format(&back, notation, text);
            if (notation <= KZ_DOBUTSU_FAIRY) { /* these hold all of it */
                assert_memory_equal(&back, &position, sizeof back);
            } else if (notation == KZ_DOBUTSU_CLAUSECKER) {
                assert_true(kz_same(game(), &back, &position));
            }
        }
    }
}

static void refuse(const char *text, const char *message) {
    kz_position position;
    kz_error error = {0};
    assert_int_equal(kz_parse(game(), 0, text, strlen(text), &position, &error), KZ_ERR_INPUT);
    if (strncmp(error.message, message, strlen(message)) != 0) {
        fail_msg("%s: \"%s\", expected \"%s\"", text, error.message, message);
    }
}

TEST(test_bad_positions) {
    refuse("", "character 1 (end of the text): expected a position");
    refuse("   ", "character 1 (end of the text): expected a position");
    refuse("\t",
           "character 1 (byte 0x09): expected a piece (c chick, e elephant, g giraffe, l lion, +c hen) or a number");
    refuse("gle/1c1/1C1", "character 12 (end of the text): expected '/'");
    refuse("gle/1c1/1C1/EL", "character 15 (end of the text): expected a piece");
    refuse("gle/1c1/1C1/ELGE b - 1", "character 16 ('E'): expected a space");
    refuse("gle/1c2/1C1/ELG b - 1", "character 7 ('2'): more than 3 squares in a rank");
    refuse("gle/1c1C/3/ELG b - 1", "character 8 ('C'): expected '/'");
    refuse("gl/1c1/1C1/ELG b - 1", "character 3 ('/'): expected a piece");
    refuse("gle/1c1/1x1/ELG b - 1", "character 10 ('x'): expected a piece");
    refuse("gle/1c1/1+G1/ELG b - 1", "character 11 ('G'): only a chick can be promoted");
    refuse("rkb/1p1/1C1/BKR b - 1", "character 10 ('C'): expected a piece (p chick, b elephant, r giraffe, k lion, +p");
    refuse("gle/1c1/1C1/ELG x - 1", "character 17 ('x'): expected b (sente to move) or w (gote to move)");
    refuse("gle/1c1/1C1/ELG b", "character 18 (end of the text): expected a space and the pieces in hand");
    refuse("gle/1c1/3/ELG b 3C 1", "character 17 ('3'): there are only two of each piece");
    refuse("gle/1c1/3/ELG b CCC 1", "character 19 ('C'): there are only two of each piece");
    refuse("gle/1c1/3/ELG b +C 1", "character 17 ('+'): a captured hen is a chick");
    refuse("gle/1c1/3/ELG b H 1", "character 17 ('H'): a captured hen is a chick");
    refuse("gle/1c1/3/ELG b 2 1", "character 18 (' '): expected a piece in hand");
    refuse("gle/1c1/3/ELG b LL 1", "character 18 ('L'): a hand can't hold two lions");
    refuse("gle/1c1/1C1/ELG b - 0", "character 21 ('0'): expected a move number from 1 to 65535");
    refuse("gle/1c1/1C1/ELG b - 65536", "character 21 ('6'): expected a move number");
    refuse("gle/1c1/1C1/ELG b - 99999999999999999999", "character 21 ('9'): expected a move number");
    refuse("gle/1c1/1C1/ELG b - 1 2", "character 22 (' '): the position is complete before this");
    refuse("gle/1c1/1C1/ELG b -C 1", "character 20 ('C'): the position is complete before this");
    refuse("gle/1c1/3/ELG b - 1", "characters 1 to 19: the number of chicks and hens is 1, and not 2");
    refuse("gle/1c1/1C1/E1G b - 1", "characters 1 to 21: the side to move has no lion");
    refuse("g1e/1c1/1C1/ELG b L 1", "characters 1 to 21: the side to move holds the opponent's lion: the game ended");

    refuse("gle/1c1/1C1/ELG[- w 0 1", "character 18 (' '): expected ']'");
    refuse("gle/1c1/1C1/ELG w [-] 0 1", "character 16 (' '): expected '['");
    refuse("gle/1c1/1C1/ELG[-]w", "character 19 ('w'): expected a space");
    refuse("gle/1c1/1C1/ELG[-] s", "character 20 ('s'): expected w (sente to move) or b (gote to move)");
    refuse("gle/1c1/1C1/ELG[-] w x", "character 22 ('x'): expected a half-move clock");
    refuse("gle/1c1/1C1/ELG[-] w 0 0", "character 24 ('0'): expected a move number from 1 to 32767");
    refuse("gle/1c1/1C1/ELG[-] w 0 1 1", "character 25 (' '): the position is complete before this");

    refuse("X/gle/-c-/-C-/ELG/-", "character 1 ('X'): expected S (sente to move) or G (gote to move)");
    refuse("S/gle/1c1/-C-/ELG/-",
           "character 7 ('1'): expected a piece (c chick, e elephant, g giraffe, l lion, r hen)");
    refuse("S/gle/-c-/-C-/ELG", "character 18 (end of the text): expected '/' and the pieces in hand");
    refuse("S/gle/-c-/---/ELG/R", "character 19 ('R'): a captured hen is a chick");

    refuse("0x", "character 3 (end of the text): expected hexadecimal digits");
    refuse("0x2b20785g1d", "character 10 ('g'): expected a hexadecimal digit");
    refuse("0x12b20785c1d", "character 13 ('d'): a state has 40 bits");
    refuse("0x2b20785c3d", "characters 1 to 12: the active lion is in row 0, column 3");
    refuse("22766179677x", "character 12 ('x'): expected a decimal digit");
    refuse("99999999999999999999", "character 16 ('9'): the index is too large");
    refuse("2276617967771", "characters 1 to 13: the number of");
}

/* NUL bytes and the like are characters like any other. */
TEST(test_bytes) {
    kz_position position;
    kz_error error = {0};
    assert_int_equal(kz_parse(game(), 0, "gle\0", 4, &position, &error), KZ_ERR_INPUT);
    assert_string_equal(error.message,
                        "character 4 (byte 0x00): expected '/': a rank has 3 squares, and there are 4 ranks");
    assert_int_equal(kz_parse(game(), 0, "0x\0", 3, &position, &error), KZ_ERR_INPUT);
    assert_int_equal(kz_parse(game(), 0, NULL, 0, &position, &error), KZ_ERR_INPUT);
    assert_int_equal(kz_parse(game(), 0, "\xff", 1, &position, NULL), KZ_ERR_INPUT);
}

/* Whatever one byte is changed to or the text is cut down to, reading ends well or with a message, and what was read
 * can be written and read again. */
TEST(test_damaged_text) {
    static const char *const texts[] = {"gle/1+c1/1C1/EL1 b G 1", "l1+C/1e1/1C1/L2[Gge] w - - 0 1",
                                        "G/l-R/-e-/-C-/L--/Geg",  "0x2b20785c1d",
                                        "2276617967770",          "rkb/1p1/1P1/BK1 w R 65535"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        size_t length = strlen(texts[i]);
        for (size_t at = 0; at < length; at++) {
            for (int byte = 0; byte < 257; byte++) {
                size_t cut = byte == 256 ? at : length;
                char *copy = malloc(cut + 1); /* so that the sanitizer sees a read past the end */
                memcpy(copy, texts[i], cut);
                if (byte < 256) {
                    copy[at] = (char)byte;
                }
                char *exact = realloc(copy, cut ? cut : 1);
                kz_position position;
                kz_error error = {0};
                if (kz_parse(game(), 0, exact, cut, &position, &error) == KZ_OK) {
                    char text[KZ_TEXT_BYTES];
                    assert_int_equal(kz_format(game(), &position, 0, text, sizeof text, NULL), KZ_OK);
                    kz_position back = dobutsu_at(text);
                    assert_memory_equal(&back, &position, sizeof back);
                } else {
                    assert_int_equal(error.status, KZ_ERR_INPUT);
                    assert_int_equal(strncmp(error.message, "character", 9), 0);
                }
                free(exact);
            }
        }
    }
}

TEST(test_room) {
    kz_position start;
    kz_error error = {0};
    char text[22];
    kz_start(game(), 0, &start);
    assert_int_equal(kz_format(game(), &start, 0, text, sizeof text, &error), KZ_OK);
    assert_int_equal(kz_format(game(), &start, 0, text, sizeof text - 1, &error), KZ_ERR_INPUT);
    assert_string_equal(error.message, "the text needs 22 bytes, and there is room for 21");
    assert_int_equal(kz_format(game(), &start, 0, text, 0, &error), KZ_ERR_INPUT);
    assert_int_equal(kz_format(game(), &start, 99, text, sizeof text, &error), KZ_ERR_INPUT);
    assert_int_equal(kz_format(game(), &start, -1, text, sizeof text, &error), KZ_ERR_INPUT);
}

/* ---- Moves ------------------------------------------------------------------------------------------------------ */

static kz_status read_move(const char *position_text, const char *text, kz_move *move, kz_error *error) {
    kz_position position = dobutsu_at(position_text);
    return kz_move_parse(game(), KZ_DOBUTSU_OFFICIAL, &position, text, strlen(text), move, error);
}

static void assert_move(const char *position_text, const char *text, int from, int to, const char *written) {
    kz_position position = dobutsu_at(position_text);
    kz_move move = 0;
    kz_error error = {0};
    char back[KZ_TEXT_BYTES];
    if (read_move(position_text, text, &move, &error) != KZ_OK) {
        fail_msg("%s in %s: %s", text, position_text, error.message);
    }
    assert_int_equal(move, (from + 1) * 16 + to);
    assert_int_equal(kz_move_format(game(), &position, move, back, sizeof back, NULL), KZ_OK);
    assert_string_equal(back, written);
}

TEST(test_moves) {
    const char start[] = "gle/1c1/1C1/ELG b - 1";
    assert_move(start, "2c2b", 4, 7, "2c2b");
    assert_move(start, "b3b2", 4, 7, "2c2b");
    assert_move(start, " 1d1c\n", 2, 5, "1d1c");
    assert_move(start, "c4c3", 2, 5, "1d1c");
    /* Gote's squares are named from sente's side: the elephant on 1a is on gote's far left, square 0 of its view. */
    assert_move("gle/1C1/3/ELG w C 2", "1a2b", 0, 4, "1a2b");
    assert_move("gle/1C1/3/ELG w C 2", "c1b2", 0, 4, "1a2b");
    const char drop[] = "gl1/1e1/3/ELG b Cc 3";
    assert_move(drop, "C*3b", 12, 6, "C*3b");
    assert_move(drop, "c*a2", 12, 6, "C*3b");
    assert_move(drop, "P*3b", 12, 6, "C*3b");
    const char others[] = "1l1/3/3/1L1 b GECgec";
    assert_move(others, "E*1a", 13, 11, "E*1a");
    assert_move(others, "B*1a", 13, 11, "E*1a");
    assert_move(others, "G*3d", 14, 0, "G*3d");
    assert_move(others, "r*3d", 14, 0, "G*3d");
    /* A promotion is forced; the plus may be left out. */
    assert_move("1l1/C2/3/1L1 b GEgec", "3b3a", 6, 9, "3b3a+");
    assert_move("1l1/C2/3/1L1 b GEgec", "3b3a+", 6, 9, "3b3a+");
    assert_move("1l1/3/c2/1L1 w GEgeC", "3c3d+", 8, 11, "3c3d+");
}

TEST(test_all_moves_round_trip) {
    uint64_t seed = 3;
    for (int i = 0; i < 5000; i++) {
        kz_dobutsu dobutsu = sample_position(&seed);
        kz_position position;
        kz_move moves[KZ_DOBUTSU_MAX_MOVES];
        kz_dobutsu_to_position(&dobutsu, &position);
        int count = kz_moves(game(), KZ_DOBUTSU_SIMPLIFIED, &position, moves);
        for (int k = 0; k < count; k++) {
            char text[8];
            kz_move back = 0;
            assert_int_equal(kz_move_format(game(), &position, moves[k], text, sizeof text, NULL), KZ_OK);
            assert_int_equal(kz_move_parse(game(), KZ_DOBUTSU_SIMPLIFIED, &position, text, strlen(text), &back, NULL),
                             KZ_OK);
            assert_int_equal(back, moves[k]);
        }
    }
}

static void refuse_move(const char *position_text, const char *text, const char *message) {
    kz_move move = 0;
    kz_error error = {0};
    assert_int_equal(read_move(position_text, text, &move, &error), KZ_ERR_INPUT);
    if (strncmp(error.message, message, strlen(message)) != 0) {
        fail_msg("%s: \"%s\", expected \"%s\"", text, error.message, message);
    }
}

TEST(test_bad_moves) {
    const char start[] = "gle/1c1/1C1/ELG b - 1";
    refuse_move(start, "", "character 1 (end of the text): expected a square");
    refuse_move(start, "4c2b", "character 1 ('4'): expected a square");
    refuse_move(start, "2e2b", "character 2 ('e'): expected a rank from a to d");
    refuse_move(start, "b5b2", "character 2 ('5'): expected a rank from 1 to 4");
    refuse_move(start, "2c", "character 3 (end of the text): expected a square");
    refuse_move(start, "2c2b!", "character 5 ('!'): the move is complete before this");
    refuse_move(start, "2c2b+", "character 5 ('+'): this move does not promote");
    refuse_move(start, "3c3b", "character 1 ('3'): there is no piece on 3c");
    refuse_move(start, " 2b2c", "character 2 ('2'): the piece on 2b is not yours");
    refuse_move(start, "2d2c", "character 3 ('2'): 2c is occupied by your own piece");
    refuse_move(start, "3d3c", "character 3 ('3'): the elephant on 3d does not move to 3c");
    refuse_move(start, "2c2c", "character 3 ('2'): the chick on 2c does not move to 2c");
    refuse_move(start, "b4b1", "character 3 ('b'): the lion on 2d does not move to 2a");
    refuse_move(start, "C*3c", "character 1 ('C'): there is no chick in hand");
    refuse_move(start, "L*3c", "character 1 ('L'): expected the piece to drop");
    refuse_move("gl1/1e1/3/ELG b Cc 3", "C*2b", "character 3 ('2'): 2b is occupied, and a drop needs an empty square");
    refuse_move("1G1/3/3/1L1 w Lg2e2c 2", "E*1a", "character 1 ('E'): the game is over");

    kz_position position = dobutsu_at(start);
    kz_error error = {0};
    char text[4];
    assert_int_equal(kz_move_format(game(), &position, 0, text, sizeof text, &error), KZ_ERR_INPUT);
    assert_int_equal(kz_move_format(game(), &position, 16 * 16, text, sizeof text, &error), KZ_ERR_INPUT);
    assert_int_equal(kz_move_format(game(), &position, 16 + 12, text, sizeof text, &error), KZ_ERR_INPUT);
    assert_int_equal(kz_move_format(game(), &position, 16 * 5 + 7, text, sizeof text, &error), KZ_ERR_INPUT);
    assert_string_equal(error.message, "the text needs 5 bytes, and there is room for 4");
}

/* ---- Pictures --------------------------------------------------------------------------------------------------- */

TEST(test_draw) {
    kz_position position = dobutsu_at("l1+C/3/1c1/L2 w 2GEe");
    char text[KZ_TEXT_BYTES];
    assert_int_equal(kz_draw(game(), &position, text, sizeof text, NULL), KZ_OK);
    assert_string_equal(text, "  gote: elephant  (to move)\n"
                              "     3   2   1\n"
                              "   +---+---+---+\n"
                              "   | l |   |+C | a\n"
                              "   +---+---+---+\n"
                              "   |   |   |   | b\n"
                              "   +---+---+---+\n"
                              "   |   | c |   | c\n"
                              "   +---+---+---+\n"
                              "   | L |   |   | d\n"
                              "   +---+---+---+\n"
                              "  sente: giraffe x2 elephant\n");
}

/* All of the largest drawing fits into what game.h promises, and a smaller buffer is refused. */
TEST(test_draw_svg) {
    kz_position position = dobutsu_at("1l1/3/3/1L1 w GECgec");
    char *text = malloc(32768);
    kz_error error = {0};
    assert_non_null(text);
    assert_int_equal(kz_draw_svg(game(), &position, text, 32768, &error), KZ_OK);
    size_t length = strlen(text);
    assert_int_equal(strncmp(text, "<svg ", 5), 0);
    assert_string_equal(text + length - 7, "</svg>\n");
    assert_non_null(strstr(text, "1l1/3/3/1L1 w GECgec"));
    assert_non_null(strstr(text, "Gote to move"));
    int uses = 0;
    for (const char *at = text; (at = strstr(at, "<use ")) != NULL; at++) {
        uses++;
    }
    assert_int_equal(uses, 8);
    assert_int_equal(kz_draw_svg(game(), &position, text, length, &error), KZ_ERR_INPUT);
    free(text);
}

TESTS(NULL, NULL)
