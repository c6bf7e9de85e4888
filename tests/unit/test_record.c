/* SPDX-License-Identifier: MIT
 *
 * Records of games: both forms, and what is wrong with bad ones. */
#include "tests/support/graph_game.h"
#include "tests/support/testing.h"

#include <kanzen/load.h>
#include <kanzen/record.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *game_text(const kz_record *record) {
    static char text[KZ_TEXT_BYTES];
    kz_position last;
    kz_record_position(record, record->count, &last);
    assert_int_equal(kz_format(record->game, &last, 0, text, sizeof text, NULL), KZ_OK);
    return text;
}

static void read_well(const char *text, kz_record *record) {
    kz_error error = {KZ_OK, ""};
    if (kz_record_parse(text, strlen(text), record, &error) != KZ_OK) {
        fail_msg("%s\n%s", error.message, text);
    }
}

static void read_badly(const char *text, const char *message) {
    kz_record record;
    kz_error error = {KZ_OK, ""};
    assert_int_equal(kz_record_parse(text, strlen(text), &record, &error), KZ_ERR_INPUT);
    assert_int_equal(error.status, KZ_ERR_INPUT);
    assert_string_equal(error.message, message);
    assert_null(record.moves);
}

static void writes(const kz_record *record, kz_record_form form, const char *expected) {
    char *text;
    size_t length;
    assert_int_equal(kz_record_format(record, form, &text, &length, NULL), KZ_OK);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
    free(text);
}

/* ---- Lists ----------------------------------------------------------------------------------------------------- */

static const char whole_list[] = "game: dobutsu\n"
                                 "rules: official\n"
                                 "start: gle/1c1/1C1/ELG b - 1\n"
                                 "first: Ayumu\n"
                                 "second: Hina\n"
                                 "result: first wins\n"
                                 "\n"
                                 "1 2c2b\n"
                                 "2 1a2b\n"
                                 "3 C*1c\n";

TEST(test_list) {
    kz_record record;
    read_well(whole_list, &record);
    assert_string_equal(kz_game_name(record.game), "dobutsu");
    assert_int_equal(record.count, 3);
    assert_int_equal(record.result, KZ_RESULT_FIRST);
    assert_string_equal(record.names[1], "Hina");
    /* By hand: the chick takes on 2b, the elephant takes it, a chick is dropped. */
    assert_string_equal(game_text(&record), "gl1/1e1/2C/ELG w c 4");
    writes(&record, KZ_RECORD_LIST, whole_list);
    kz_record_free(&record);

    /* Any order, any case, numbers or none, comments, ends of lines, a byte order mark. */
    read_well("\xef\xbb\xbf# c\r\nRESULT: -\r\n Rules : simplified \r\nGame:dobutsu\r\n\r\n1. 2c2b # x: y\r\n  1a2b\r\n"
              "3  C*1c",
              &record);
    assert_int_equal(record.rules, 1);
    assert_int_equal(record.result, KZ_RESULT_NONE);
    assert_string_equal(game_text(&record), "gl1/1e1/2C/ELG w c 4");
    kz_record_free(&record);

    read_well("game: dobutsu\nstart: 0x2b20785c1d\nfirst: # 1: x", &record);
    assert_int_equal(record.count, 0);
    assert_string_equal(record.names[0], "# 1: x");
    kz_record_free(&record);
}

TEST(test_pushfight) {
    static const char text[] = "game: pushfight\nrules: mini\nstart: .ox..OOXX..ox.\nresult: unfinished\n\n1 b2-c2\n";
    kz_record record;
    read_well(text, &record);
    assert_string_equal(game_text(&record), ".ox...POXX.ox.");
    writes(&record, KZ_RECORD_LIST, text);
    char *kif;
    size_t length;
    kz_error error;
    assert_int_equal(kz_record_format(&record, KZ_RECORD_KIF, &kif, &length, &error), KZ_ERR_UNSUPPORTED);
    assert_string_equal(error.message, "there is no KIF of pushfight");
    assert_false(kz_record_form_fits(record.game, KZ_RECORD_KIF));
    assert_true(kz_record_form_fits(record.game, KZ_RECORD_LIST));
    assert_true(kz_record_form_fits(kz_game_find("dobutsu"), KZ_RECORD_KIF));
    assert_false(kz_record_form_fits(record.game, KZ_RECORD_FORMS));
    kz_record_free(&record);
    read_well("game: pushfight\nboard: mini\n b2-a2 , c2-d2", &record);
    assert_int_equal(record.count, 1);
    kz_record_free(&record);
}

TEST(test_bad_lists) {
    read_badly("", "line 1: a line with the game is missing, like 'game: dobutsu'");
    read_badly("# x\n1 2c2b\n", "line 2: a line with the game is missing, like 'game: dobutsu'");
    read_badly("game: chess\n", "line 1: there is no game 'chess'");
    read_badly("game: dobutsu\nrules: mini\n", "line 2: dobutsu has no rules 'mini'");
    read_badly("game: dobutsu\ngame: dobutsu\n", "line 2: 'game' was on line 1 already");
    read_badly("colour: red\n",
               "line 1: there is no key 'colour'; there are: game, rules, start, first, second, result");
    read_badly("game: dobutsu\nresult: maybe\n",
               "line 2: there is no result 'maybe'; there are: first wins, second wins, draw, unfinished");
    read_badly("game: dobutsu\nstart: gle/1c2/1C1/ELG b - 1\n",
               "line 2: character 14 ('2'): more than 3 squares in a rank");
    read_badly("game: dobutsu\n1 2c2b\n3 2a2b\n", "line 3: this is move 2, and not 3");
    read_badly("game: dobutsu\n\n 1. 2c2a\n", "line 3: character 7 ('2'): the chick on 2c does not move to 2a");
    read_badly("game: dobutsu\n1 2c2b\nfirst: x\n", "line 3: lines with ':' come before the moves");
    read_badly("game: dobutsu\nfirst: a\tb\n", "line 2: a name has no control characters");
    /* The lion is taken, so sente has won. */
    read_badly("game: dobutsu\nresult: second wins\nstart: 1l1/1C1/3/1L1 b 2G2EC 1\n2b2a\n",
               "line 2: the result is 'second wins', but the moves end with 'first wins'");
    read_badly("game: dobutsu\nstart: 1l1/1C1/3/1L1 b 2G2EC 1\n2b2a\nC*2b\n",
               "line 4: character 1 ('C'): the game is over: there are no moves");
    char name[300];
    snprintf(name, sizeof name, "game: dobutsu\nfirst: %0200d\n", 0);
    read_badly(name, "line 2: a name has at most 127 bytes");
    char position[5000];
    snprintf(position, sizeof position, "game: dobutsu\nstart: %04500d\n", 0);
    read_badly(position, "line 2: 4507 bytes are too many");
}

/* ---- KIF ------------------------------------------------------------------------------------------------------- */

static const char whole_kif[] = "手合割：どうぶつしょうぎ\n"
                                "ルール：official\n"
                                "先手：Ayumu\n"
                                "後手：Hina\n"
                                "手数----指手---------\n"
                                "   1 ２二ひよこ(23)\n"
                                "   2 同　ぞう(11)\n"
                                "   3 １三ひよこ打\n"
                                "   4 投了\n"
                                "まで3手で先手の勝ち\n";

TEST(test_kif) {
    kz_record record;
    read_well(whole_list, &record);
    writes(&record, KZ_RECORD_KIF, whole_kif);
    kz_record_free(&record);
    read_well(whole_kif, &record);
    writes(&record, KZ_RECORD_LIST, whole_list);
    kz_record_free(&record);

    /* Times, comments, other headings, other names of pieces, variations. */
    read_well("# x\n開始日時：2024/01/01\n先手：\n手数----指手---------消費時間--\n"
              "1 22ヒ(23) ( 0:01/00:00:01)\r\n*good\n& mark\n2 同 象(11)+\n3 中断\n\n変化：2手\n   2 nonsense\n",
              &record);
    assert_string_equal(game_text(&record), "gl1/1e1/3/ELG b Cc 3");
    assert_int_equal(record.result, KZ_RESULT_NONE);
    kz_record_free(&record);

    /* Endings: a draw, a side that has lost, whatever the pieces on the board say. */
    static const struct {
        const char *word;
        kz_result result;
    } endings[] = {{"千日手", KZ_RESULT_DRAW},    {"引き分け", KZ_RESULT_DRAW}, {"投了", KZ_RESULT_FIRST},
                   {"切れ負け", KZ_RESULT_FIRST}, {"詰み", KZ_RESULT_FIRST},    {"中断", KZ_RESULT_NONE}};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char ended[200];
        snprintf(ended, sizeof ended, "先手：a\n1 ２二ひよこ(23)\n2 %s\n", endings[i].word);
        read_well(ended, &record);
        assert_int_equal(record.result, endings[i].result);
        assert_int_equal(record.count, 1);
        kz_record_free(&record);
    }

    /* A promotion; gote begins, and the squares are still those of sente. */
    read_well("開始局面：g1e/1l1/1c1/E1L w CG 1\n1 ２四ひよこ成(23)\n", &record);
    assert_string_equal(game_text(&record), "g1e/1l1/3/E+cL b GC 2");
    char *text;
    size_t length;
    assert_int_equal(kz_record_format(&record, KZ_RECORD_KIF, &text, &length, NULL), KZ_OK);
    assert_non_null(strstr(text, "開始局面：g1e/1l1/1c1/E1L w GC 1\n"));
    assert_non_null(strstr(text, "   1 ２四ひよこ成(23)\n"));
    assert_non_null(strstr(text, "まで1手で中断\n"));
    free(text);
    kz_record_free(&record);
}

/* As Python's codec cp932 writes it. The second player's name has a character that is not known here. */
static const char kif_in_sjis[] = "\x8E\xE8\x8D\x87\x8A\x84\x81"
                                  "F\x82\xC7\x82\xA4\x82\xD4\x82\xC2\x82\xB5\x82\xE5\x82\xA4\x82\xAC\n"
                                  "\x83\x8B\x81[\x83\x8B\x81"
                                  "Fofficial\n"
                                  "\x90\xE6\x8E\xE8\x81"
                                  "F\x82\xA0\x82\xE4\x82\xDE\n"
                                  "\x8C\xE3\x8E\xE8\x81"
                                  "F\xEAi\x97\xD9\x8E\x99\n"
                                  "\x8E\xE8\x90\x94----\x8Ew\x8E\xE8---------\n"
                                  "   1 \x82Q\x93\xF1\x82\xD0\x82\xE6\x82\xB1(23)\n"
                                  "   2 \x93\xAF\x81@\x83\x89\x83"
                                  "C\x83I\x83\x93(21)\n"
                                  "   3 \x82P\x8EO\x82\xD0\x82\xE6\x82\xB1\x91\xC5\n"
                                  "   4 \x93\x8A\x97\xB9\n"
                                  "\x82\xDC\x82\xC5"
                                  "3\x8E\xE8\x82\xC5\x90\xE6\x8E\xE8\x82\xCC\x8F\x9F\x82\xBF\n";

TEST(test_shift_jis) {
    kz_record record;
    read_well(kif_in_sjis, &record);
    assert_string_equal(record.names[0], "あゆむ");
    assert_int_equal(record.count, 3);
    assert_int_equal(record.result, KZ_RESULT_FIRST);
    assert_string_equal(game_text(&record), "g1e/1l1/2C/ELG w c 4");
    kz_record_free(&record);

    read_well("\xEF\xBB\xBF"
              "game: dobutsu\n1 2c2b\n",
              &record); /* a byte order mark */
    assert_int_equal(record.count, 1);
    kz_record_free(&record);
}

TEST(test_bad_kif) {
    read_badly("手合割：平手\n", "line 1: the game is '平手', and not どうぶつしょうぎ");
    /* What is quoted is cut between two characters. */
    read_badly("手合割：ああああああああああああああああああああ\n",
               "line 1: the game is 'あああああああああああああああ', and not どうぶつしょうぎ");
    read_badly("先手：a\n1 ２一ひよこ(23)\n", "line 2: 2c2a: the chick on 2c does not move to 2a");
    read_badly("先手：a\n1 ２二ぞう(23)\n", "line 2: the piece on 23 is not a ぞう of the side to move");
    read_badly("先手：a\n1 ２二ひよこ\n", "line 2: expected the square that the piece comes from, like (23), or 打");
    read_badly("先手：a\n1 同　ひよこ(23)\n", "line 2: '同' is the square of the move before, and there is none");
    read_badly("先手：a\n2 ２二ひよこ(23)\n", "line 2: this is move 1, and not 2");
    read_badly("先手：a\n1 ２二ライオン打\n", "line 2: a ライオン is never dropped");
    read_badly("先手：a\n1 ２二ひよこ打\n", "line 2: C*2b: there is no chick in hand");
    read_badly("先手：a\n1 投了\nまで0手で先手の勝ち\n", "line 3: this is not the result that line 2 tells");
    read_badly("先手\n", "line 1: neither a heading, nor a move, nor a comment");
    read_badly("先手：a\n1 ２二ひよこ(23)x\n", "line 2: the move is complete before 'x'");
    read_badly(
        "開始局面：gle/1c1/1C1/ELX b - 1\n",
        "line 1: the position: character 15 ('X'): expected a piece (c chick, e elephant, g giraffe, l lion, +c hen) "
        "or a number of empty squares");
    read_badly("先手：a\n1 投了\n1 ２二ひよこ(23)\n", "line 3: the game ended on line 2");
    read_badly("先手：a\n1 ２二ひよこ(23)\n後手：b\n", "line 3: lines with '：' come before the moves");
}

TEST(test_forms) {
    kz_record record;
    kz_error error;
    char *text;
    size_t length;
    kz_record_begin(&record, kz_game_find("dobutsu"), 0, NULL);
    assert_int_equal(kz_record_format(&record, KZ_RECORD_FORMS, &text, &length, &error), KZ_ERR_INPUT);
    assert_string_equal(error.message, "there is no form of records number 2");
    kz_record_free(&record);
    assert_int_equal(kz_record_form_of(whole_list, strlen(whole_list)), KZ_RECORD_LIST);
    assert_int_equal(kz_record_form_of(whole_kif, strlen(whole_kif)), KZ_RECORD_KIF);
    assert_int_equal(kz_record_form_of("first: あ", 10), KZ_RECORD_LIST);
    assert_int_equal(kz_record_form_of("", 0), KZ_RECORD_LIST);
    assert_int_equal(kz_record_form_for("a.kif"), KZ_RECORD_KIF);
    assert_int_equal(kz_record_form_for("a.kif.txt"), KZ_RECORD_LIST);
    assert_int_equal(kz_record_form_for("kif"), KZ_RECORD_LIST);
}

/* Every cut of a text, and every byte changed, is read or refused with a message. */
TEST(test_broken_texts) {
    static const char *const texts[] = {whole_list, whole_kif};
    for (int t = 0; t < 2; t++) {
        size_t length = strlen(texts[t]);
        for (size_t i = 0; i <= length; i++) {
            char *text = malloc(length + 1);
            memcpy(text, texts[t], length);
            kz_record record;
            kz_error error = {KZ_OK, ""};
            for (int change = 0; change < 4; change++) {
                size_t end = change == 0 ? i : length;
                if (change > 0 && i < length) {
                    text[i] = "\0\xff:"[change - 1];
                }
                if (kz_record_parse(text, end, &record, &error) == KZ_OK) {
                    kz_record_free(&record);
                } else {
                    assert_true(error.message[0] != '\0');
                }
            }
            free(text);
        }
    }
}

TEST(test_long_records) {
    kz_record record;
    kz_error error;
    const kz_game *game = kz_game_find("dobutsu");
    static const char *const dance[] = {"1d1c", "3a3b", "1c1d", "3b3a"};
    kz_record_begin(&record, game, 0, NULL);
    kz_position position = record.start;
    for (int i = 0; i < KZ_RECORD_MOST_MOVES; i++) {
        kz_move move;
        assert_int_equal(kz_move_parse(game, 0, &position, dance[i % 4], 4, &move, &error), KZ_OK);
        assert_int_equal(kz_record_add(&record, move, &error), KZ_OK);
        kz_play(game, 0, &position, move);
    }
    assert_int_equal(kz_record_add(&record, record.moves[0], &error), KZ_ERR_UNSUPPORTED);
    char *text;
    size_t length;
    assert_int_equal(kz_record_format(&record, KZ_RECORD_LIST, &text, &length, &error), KZ_OK);
    kz_record_free(&record);
    assert_int_equal(kz_record_parse(text, length, &record, &error), KZ_OK);
    assert_int_equal(record.count, KZ_RECORD_MOST_MOVES);
    kz_record_free(&record);
    char *longer = malloc(length + 10);
    assert_non_null(longer);
    memcpy(longer, text, length);
    memcpy(longer + length, "1d1c\n", 5);
    assert_int_equal(kz_record_parse(longer, length + 5, &record, &error), KZ_ERR_INPUT);
    assert_non_null(strstr(error.message, "a record has at most 100000 moves"));
    free(longer);
    free(text);
}

/* A game of which the rules say that it is a draw: tic-tac-toe with a full board. */
TEST(test_drawn) {
    const kz_game *game;
    kz_error error;
    kz_position position;
    assert_int_equal(kz_game_open(own_game(), &game, &error), KZ_OK);
    static const struct {
        const char *board;
        kz_result result;
    } boards[] = {{"XOXXOOOXX", KZ_RESULT_DRAW},
                  {"XOXXOOOX.", KZ_RESULT_NONE},
                  {"XXXOO....", KZ_RESULT_FIRST},
                  {"OOOXX.X..", KZ_RESULT_SECOND}};
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        assert_int_equal(kz_parse(game, 0, boards[i].board, 9, &position, &error), KZ_OK);
        assert_int_equal(kz_record_result(game, 0, &position), boards[i].result);
    }
    /* A list of such a game, and its name. */
    static const char list[] = "\xef\xbb\xbf# c\nRules: standard\nGAME : tictactoe \nstart: XOXXOO.X.\nresult: draw\n"
                               "a1\nc1\n";
    char name[KZ_RECORD_NAME_BYTES];
    kz_record record;
    assert_true(kz_record_game_name(list, sizeof list - 1, name));
    assert_string_equal(name, "tictactoe");
    assert_false(kz_record_game_name("rules: x\n# game: y\n", 20, name));
    assert_int_equal(kz_record_parse_as(list, sizeof list - 1, game, &record, &error), KZ_OK);
    assert_ptr_equal(record.game, game);
    assert_int_equal(record.count, 2);
    assert_int_equal(record.result, KZ_RESULT_DRAW);
    writes(&record, KZ_RECORD_LIST, "game: tictactoe\nrules: standard\nstart: XOXXOO.X.\nresult: draw\n\n1 a1\n2 c1\n");
    kz_record_free(&record);
    read_badly("game: tictactoe\n", "line 1: there is no game 'tictactoe'");
    assert_int_equal(kz_record_parse_as("game: tic\n", 10, game, &record, &error), KZ_ERR_INPUT);
    assert_string_equal(error.message, "line 1: this is a game of 'tic', and not of tictactoe");
    assert_int_equal(kz_record_parse_as("game: tictactoe\nz9\n", 19, game, &record, &error), KZ_ERR_INPUT);
    assert_non_null(strstr(error.message, "line 2: 'z9': 'z9' is no legal move here"));
    /* One that comes with Kanzen is one of that game. */
    assert_int_equal(kz_record_parse_as(whole_list, sizeof whole_list - 1, game, &record, &error), KZ_OK);
    assert_string_equal(kz_game_name(record.game), "dobutsu");
    kz_record_free(&record);
    kz_game_close(game);
}

TESTS(NULL, NULL)
