/* SPDX-License-Identifier: MIT
 *
 * The USI engine as a function: lines in, lines out. Dobutsu Shogi without a table, and for values a small board of
 * Push Fight, which is solved in no time; test_heavy_usi.c has the real table. */
#include "tests/support/players.h"
#include "tests/support/tables.h"
#include "tests/support/usi_session.h"

typedef struct fixture {
    kz_table *hook;
    usi_session *dobutsu; /* a new one for each test */
} fixture;

static int setup_group(void **state) {
    static fixture f;
    *state = &f;
    f.hook = solved_board("hook");
    return 0;
}

static int teardown_group(void **state) {
    fixture *f = *state;
    kz_table_close(f->hook);
    return 0;
}

static int setup(void **state) {
    fixture *f = *state;
    f->dobutsu = usi_session_new("dobutsu", KZ_PROTOCOL_USI, NULL);
    return f->dobutsu && f->dobutsu->usi ? 0 : -1;
}

static int teardown(void **state) {
    fixture *f = *state;
    usi_session_free(f->dobutsu);
    return 0;
}

/* ---- The handshake ---------------------------------------------------------------------------------------------- */

static void test_handshake(void **state) {
    usi_session *s = ((fixture *)*state)->dobutsu;
    const char *answer = sent(s, "usi");
    assert_has(answer, "id name Kanzen ");
    assert_has(answer, "option name Level type combo default perfect var beginner var easy var medium var hard "
                       "var expert var perfect\n");
    assert_has(answer, "option name Aggressive type check default false\n");
    assert_has(answer, "option name MultiPV type spin default 1 min 1 max 100\n");
    assert_has(answer, "option name Rules type combo default official var official var simplified\n");
    assert_has(answer, "option name Table type filename default <empty>\n");
    assert_has(answer, "option name USI_Variant type combo default dobutsu var dobutsu\n");
    /* Nothing is opened before it has to be. */
    assert_int_equal(s->asked, 0);
    answer = sent(s, "isready");
    assert_int_equal(s->asked, 1);
    assert_has(answer, "info string no table?at ''\n");
    assert_string_equal(sent(s, "usinewgame"), "");
    assert_has(sent(s, "uci"), "option name Table type string default <empty>\n");
    assert_has(s->answer, "option name Ponder type check default false\n");
    assert_string_equal(sent(s, "ucinewgame"), "");
    assert_string_equal(sent(s, "debug on"), "");
    assert_string_equal(sent(s, ""), "");
    assert_string_equal(sent(s, "  \t\r"), "");
    assert_string_equal(sent(s, "stop"), "");
    bool goes_on;
    assert_null(usi_send(s, "quit", 4, &goes_on));
    assert_false(goes_on);
}

static void test_options(void **state) {
    usi_session *s = ((fixture *)*state)->dobutsu;
    assert_string_equal(sent(s, "setoption name level value Easy"), "");
    assert_string_equal(sent(s, "setoption name Aggressive value true"), "");
    assert_string_equal(sent(s, "  setoption   name MULTIPV  value  7 \r"), "");
    assert_string_equal(sent(s, "setoption name Seed value 2147483647"), "");
    assert_string_equal(sent(s, "setoption name Table value /a folder/with  spaces.kzt "), "");
    assert_string_equal(sent(s, "setoption name USI_Hash value 256"), "");
    assert_string_equal(sent(s, "setoption name USI_Variant value dobutsu"), "");
    const char *answer = sent(s, "usi");
    assert_has(answer, "Level type combo default easy");
    assert_has(answer, "Aggressive type check default true");
    assert_has(answer, "MultiPV type spin default 7");
    assert_has(answer, "Seed type spin default 2147483647");
    assert_has(answer, "Table type filename default /a folder/with  spaces.kzt\n");
    sent(s, "go");
    assert_string_equal(s->asked_path, "/a folder/with  spaces.kzt");
    /* Once is enough until something changes. */
    sent(s, "go");
    assert_int_equal(s->asked, 1);
    assert_string_equal(sent(s, "setoption name Table value <empty>"), "");
    sent(s, "go");
    assert_int_equal(s->asked, 2);
    assert_string_equal(s->asked_path, "");
    sent(s, "setoption name Rules value simplified");
    sent(s, "go");
    assert_int_equal(s->asked, 3);

    static const char *const wrong[][2] = {
        {"setoption", "setoption wants 'name NAME value VALUE', not ''"},
        {"setoption USI_Hash 12", "setoption wants 'name NAME value VALUE', not 'USI_Hash 12'"},
        {"setoption name", "there is no option ''"},
        {"setoption name Nothing at all value 3", "there is no option 'Nothing at all'"},
        {"setoption name MultiPV", "MultiPV is a number from 1 to 100, not ''"},
        {"setoption name MultiPV value 0", "MultiPV is a number from 1 to 100, not '0'"},
        {"setoption name MultiPV value 101", "MultiPV is a number from 1 to 100, not '101'"},
        {"setoption name MultiPV value 7x", "MultiPV is a number from 1 to 100, not '7x'"},
        {"setoption name MultiPV value 99999999999999999999999", "not '99999999999999999999999'"},
        {"setoption name PVLength value 0", "PVLength is a number from 1 to"},
        {"setoption name Seed value -1", "Seed is a number from 0 to 2147483647, not '-1'"},
        {"setoption name Level value godlike", "expert, perfect, not 'godlike'"},
        {"setoption name Aggressive value yes", "Aggressive is true or false, not 'yes'"},
        {"setoption name Rules value strange", "Rules is the name of rules of the game dobutsu, not 'strange'"},
        {"setoption name UCI_Variant value chess", "this engine plays dobutsu only, not 'chess'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_has(sent(s, wrong[i][0]), wrong[i][1]);
        assert_int_equal(usi_lines(s, "info string "), 1);
    }
    assert_has(sent(s, "usi"), "MultiPV type spin default 7");

    kz_error error;
    assert_int_equal(kz_usi_set(s->usi, "Level", "hard", &error), KZ_OK);
    assert_int_equal(kz_usi_set(s->usi, "Level", "", &error), KZ_ERR_INPUT);
    assert_int_equal(kz_usi_set(s->usi, "Nothing", "1", &error), KZ_ERR_UNSUPPORTED);
    assert_has(sent(s, "usi"), "Level type combo default hard");
}

/* ---- Positions, which the moves that can be made in them tell apart ---------------------------------------------- */

/* How many moves the engine lists. */
static int moves_listed(usi_session *s) {
    sent(s, "setoption name MultiPV value 100");
    sent(s, "go");
    return usi_lines(s, "info depth ");
}

static void test_positions(void **state) {
    usi_session *s = ((fixture *)*state)->dobutsu;
    assert_int_equal(moves_listed(s), 4); /* without a position it is the start */
    assert_string_equal(sent(s, "position startpos moves 2c2b"), "");
    assert_int_equal(moves_listed(s), 5); /* three of the lion, one of the giraffe, one of the elephant */
    assert_has(s->answer, " pv 1a2b\n");
    assert_has(s->answer, " pv 2a2b\n");
    assert_string_equal(sent(s, "position sfen gle/1C1/3/ELG w C 2"), "");
    assert_int_equal(moves_listed(s), 5);
    assert_string_equal(sent(s, "position fen gle/1C1/3/ELG[C] b 0 1 moves 1a2b"), "");
    assert_has(sent(s, "go searchmoves C*3b C*1c 9z"), "info string this is no legal move and no word of go: '9z'\n");
    assert_int_equal(usi_lines(s, "info depth "), 2);
    assert_string_equal(sent(s, "position startpos"), "");
    assert_int_equal(moves_listed(s), 4);

    /* What is wrong changes nothing. */
    static const char *const wrong[] = {
        "position",
        "position somewhere",
        "position sfen",
        "position sfen gle/1c1/1C1 b - 1",
        "position startpos moves 2c2b 2c2b",
        "position startpos moves 2c2b 1a2b 9z",
        "position startpos gle/1C1/3/ELG w C 2",
        "position moves 2c2b",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_has(sent(s, wrong[i]), "info string ");
        assert_int_equal(moves_listed(s), 4);
    }
}

/* The same moves as UCI has them, with Fairy-Stockfish's coordinates. */
static void test_fairy_moves(void **state) {
    usi_session *s = ((fixture *)*state)->dobutsu;
    sent(s, "uci");
    assert_int_equal(moves_listed(s), 4);
    static const char *const first[] = {" pv b2b3\n", " pv b1a2\n", " pv b1c2\n", " pv c1c2\n"};
    for (int i = 0; i < 4; i++) {
        assert_has(s->answer, first[i]);
    }
    assert_string_equal(sent(s, "position startpos moves b2b3 c4b3 C@a3"), "");
    assert_string_equal(sent(s, "position startpos moves 2c2b 1a2b C*3b"), ""); /* the shogi way is read, too */
    sent(s, "go searchmoves a4a3 b3a2");
    assert_has(s->answer, " pv a4a3\n");
    assert_has(s->answer, " pv b3a2\n");
    assert_has(sent(s, "position startpos moves b3b2"), "can't be played: 'b3b2'");
    /* Fairy-Stockfish reads a "=" as "does not promote", and so it can't stand where a chick has to. */
    assert_string_equal(sent(s, "position startpos moves b2b3= c4b3="), "");
    assert_has(sent(s, "position fen l2/1C1/3/1L1[EGcge] w 0 1 moves b3b4="), "can't be played: 'b3b4='");
    assert_has(sent(s, "position startpos moves ="), "can't be played: '='");
    /* The position of its UCI_Variant dobutsu, as it is defined, as it is written, and as cutechess writes it. */
    static const char *const starts[] = {"gle/1c1/1C1/ELG[-] w 0 1", "gle/1c1/1C1/ELG[] w - - 0 1",
                                         "gle/1c1/1C1/ELG[-] w - 1"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        char line[128];
        snprintf(line, sizeof line, "position fen %s moves b2b3 c4b3 C@a3", starts[i]);
        assert_string_equal(sent(s, line), "");
    }
    assert_string_equal(sent(s, "position fen 1l1/1C1/3/1L1[EGcge] w 0 1"), "");
    sent(s, "setoption name MultiPV value 1");
    assert_string_equal(sent(s, "go"), "info depth 1 score mate 1 pv b3b4+\nbestmove b3b4+\n");
}

/* ---- The end of a game ------------------------------------------------------------------------------------------ */

static void test_endings(void **state) {
    usi_session *s = ((fixture *)*state)->dobutsu;
    /* The rules alone tell that a chick takes the lion. */
    sent(s, "position sfen 1l1/1C1/3/1L1 b EGcge 1");
    assert_has(sent(s, "go btime 0 wtime 0"), "info depth 1 score mate 1 pv 2b2a+\nbestmove 2b2a+\n");
    assert_string_equal(sent(s, "go mate infinite"), "checkmate 2b2a+\n");
    /* It has been taken. */
    sent(s, "position sfen 1l1/1C1/3/1L1 b EGcge 1 moves 2b2a");
    assert_string_equal(sent(s, "go"), "info depth 0 score mate 0\n"
                                       "info string the game is over: gote has lost\nbestmove resign\n");
    assert_string_equal(sent(s, "go mate 1000"), "checkmate nomate\n");
    sent(s, "go infinite");
    assert_string_equal(sent(s, "stop"), "bestmove resign\n");
    /* A lion on the far row that nobody took. */
    sent(s, "position sfen 1L1/1c1/l2/EG1 b EGC 1");
    assert_string_equal(sent(s, "go"), "info string the game is over: sente has won\nbestmove win\n");
    sent(s, "uci");
    assert_has(sent(s, "go"), "bestmove (none)\n");
    assert_has(sent(s, "go mate 3"), "bestmove (none)\n");
}

/* ---- Waiting ---------------------------------------------------------------------------------------------------- */

static void test_waiting(void **state) {
    usi_session *s = ((fixture *)*state)->dobutsu;
    static const char *const at_once[] = {
        "go",
        "go btime 600000 wtime 600000 byoyomi 10000",
        "go btime 1 wtime 1 binc 1 winc 1",
        "go depth 3",
        "go movetime 100 nodes 7 movestogo 3",
        "go btime -5 wtime",
        "go backwards",
        "go searchmoves 2c2b depth 1",
    };
    for (size_t i = 0; i < sizeof at_once / sizeof *at_once; i++) {
        sent(s, at_once[i]);
        assert_int_equal(usi_lines(s, "bestmove "), 1);
        assert_string_equal(sent(s, "stop"), "");
    }
    static const char *const later[] = {"go infinite", "go ponder btime 0 wtime 0", "go ponder infinite"};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        sent(s, later[i]);
        assert_int_equal(usi_lines(s, "bestmove "), 0);
        sent(s, "isready");
        sent(s, "usi");
        sent(s, "position startpos moves 2c2b");
        sent(s, "setoption name MultiPV value 2");
        sent(s, "nonsense");
        sent(s, i % 2 ? "gameover win" : "stop");
        assert_int_equal(usi_lines(s, "bestmove "), 1);
        sent(s, "position startpos");
    }
    sent(s, "go ponder");
    assert_int_equal(usi_lines(s, "bestmove "), 0);
    sent(s, "ponderhit");
    assert_int_equal(usi_lines(s, "bestmove "), 1);
    assert_has(sent(s, "ponderhit"), "info string ponderhit without go ponder\n");
    sent(s, "go ponder infinite");
    assert_string_equal(sent(s, "ponderhit"), "");
    assert_int_equal(usi_lines(s, "bestmove "), 0);
    sent(s, "stop");
    assert_int_equal(usi_lines(s, "bestmove "), 1);
    /* One go after the other: each gets its move. */
    sent(s, "go infinite");
    sent(s, "ponderhit");
    sent(s, "go ponder");
    assert_int_equal(usi_lines(s, "bestmove "), 1);
    sent(s, "go");
    assert_int_equal(usi_lines(s, "bestmove "), 2);
}

/* ---- Anything --------------------------------------------------------------------------------------------------- */

static void test_garbage(void **state) {
    usi_session *s = ((fixture *)*state)->dobutsu;
    bool goes_on;
    assert_null(usi_send(s, NULL, 0, &goes_on));
    assert_null(usi_send(s, "go\0infinite", 11, &goes_on));
    assert_string_equal(s->answer, "info string there is no command 'go?infinite'\n");
    assert_null(usi_send(s, "\xff\x01\x7f%s%n", 7, &goes_on));
    assert_string_equal(s->answer, "info string there is no command '???%s%n'\n");
    assert_null(usi_send(s, "setoption name Table value a\0b", 30, &goes_on));
    assert_has(s->answer, "info string Table is no path, not 'a?b'");

    size_t size = KZ_USI_LINE_BYTES + 1;
    char *line = malloc(size);
    assert_non_null(line);
    memset(line, 'x', size);
    assert_null(usi_send(s, line, size, &goes_on));
    assert_string_equal(s->answer, "info string a line of more than 1048576 bytes is not read\n");
    assert_null(usi_send(s, line, size - 1, &goes_on));
    assert_has(s->answer, "no command 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'");
    memcpy(line, "setoption name Table value ", 27);
    assert_null(usi_send(s, line, size - 1, &goes_on));
    assert_has(s->answer, "Table is no path");
    memcpy(line, "position startpos moves ", 24);
    assert_null(usi_send(s, line, size - 1, &goes_on));
    assert_has(s->answer, "can't be played");
    /* A very long game is no trouble. */
    size_t length = (size_t)sprintf(line, "position startpos moves");
    while (length + 25 < size) {
        length += (size_t)sprintf(line + length, " 1d1c 3a3b 1c1d 3b3a");
    }
    assert_null(usi_send(s, line, length, &goes_on));
    assert_string_equal(s->answer, "");
    free(line);
    assert_int_equal(moves_listed(s), 4);

    /* Words in any order. */
    static const char *const words[] = {
        "go",    "ponder",   "infinite", "mate",      "stop",        "ponderhit", "position",    "startpos",
        "moves", "2c2b",     "usi",      "isready",   "setoption",   "name",      "MultiPV",     "value",
        "3",     "gameover", "uci",      "btime",     "searchmoves", "fen",       "b2b3",        "gle/1C1/3/ELG",
        "w",     "C",        "2",        "setoption", "Level",       "easy",      "\xe3\x81\x82"};
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        char text[256] = "";
        size_t at = 0;
        for (uint64_t count = seed >> 60 & 7; count > 0; count--) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const char *word = words[(seed >> 33) % (sizeof words / sizeof *words)];
            at += (size_t)snprintf(text + at, sizeof text - at, "%s ", word);
        }
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        sent(s, text);
    }
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

/* The text of a position on the board of the table. */
static void place(usi_session *s, const kz_values *values, const kz_position *position) {
    char text[KZ_TEXT_BYTES];
    char line[KZ_TEXT_BYTES + 16];
    assert_int_equal(kz_format(values->game, position, 0, text, sizeof text, NULL), KZ_OK);
    snprintf(line, sizeof line, "position sfen %s", text);
    assert_string_equal(sent(s, line), "");
}

/* Every line of the answer has the exact value of its first move, in plies; the best come first, and the move that is
 * made is that of the first line. */
static void check_values(usi_session *s, const kz_values *values, const kz_position *position, int limit) {
    static kz_move moves[KZ_MAX_MOVES];
    int count = kz_moves(values->game, values->rules, position, moves);
    int lines = usi_lines(s, "info depth ");
    kz_position view = *position;
    int last_worth = 0;
    char first[KZ_TEXT_BYTES] = "";
    assert_int_equal(lines, count < limit ? count : limit);
    int number = 0;
    for (const char *line = s->answer; usi_starts(line, "info depth "); line = strchr(line, '\n') + 1) {
        char text[KZ_TEXT_BYTES];
        char kind[8];
        int depth;
        int multipv;
        int score;
        assert_int_equal(
            sscanf(line, "info depth %d multipv %d score %7s %d pv %1023s", &depth, &multipv, kind, &score, text), 5);
        assert_int_equal(multipv, ++number);
        kz_move move;
        assert_int_equal(kz_move_parse(values->game, values->rules, &view, text, strlen(text), &move, NULL), KZ_OK);
        kz_value value = worth_of(values, &view, move);
        if (value.outcome == KZ_DRAW) {
            assert_string_equal(kind, "cp");
            assert_int_equal(score, 0);
        } else {
            assert_string_equal(kind, "mate");
            assert_int_equal(score, value.outcome == KZ_WIN ? value.distance : -value.distance);
            assert_int_equal(depth, value.distance);
        }
        assert_true(number == 1 || kz_value_worth(value) <= last_worth);
        last_worth = kz_value_worth(value);
        if (number == 1) {
            assert_true(same_value(value, looked_up(values, &view)));
            snprintf(first, sizeof first, "bestmove %.1000s", text);
        }
    }
    const char *last = usi_last_line(s);
    assert_true(usi_starts(last, first) && (last[strlen(first)] == ' ' || last[strlen(first)] == '\n'));
}

static void test_values(void **state) {
    const fixture *f = *state;
    kz_values values = values_from(f->hook);
    usi_session *s = usi_session_new("pushfight", KZ_PROTOCOL_USI, f->hook);
    assert_non_null(s);
    sent(s, "setoption name Rules value hook");
    assert_string_equal(sent(s, "isready"), "readyok\n");
    sent(s, "setoption name MultiPV value 30");
    uint64_t size = kz_index_size(values.game, values.rules);
    int wins = 0;
    int losses = 0;
    for (uint64_t i = 0; i < 300; i++) {
        kz_position position;
        static kz_move moves[KZ_MAX_MOVES];
        kz_unrank(values.game, values.rules, i * 7919 % size, &position);
        uint64_t index;
        if (!kz_rank(values.game, &position, &index) || kz_moves(values.game, values.rules, &position, moves) == 0) {
            continue;
        }
        place(s, &values, &position);
        sent(s, "go");
        check_values(s, &values, &position, 30);
        wins += looked_up(&values, &position).outcome == KZ_WIN;
        losses += looked_up(&values, &position).outcome == KZ_LOSS;
    }
    assert_true(wins > 10);
    assert_true(losses > 10);

    /* A table of other rules is not used. */
    sent(s, "setoption name Rules value mini");
    assert_has(sent(s, "isready"), "info string the table is for pushfight by hook rules, not for pushfight by mini "
                                   "rules\n");
    usi_session_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_handshake, setup, teardown),
        cmocka_unit_test_setup_teardown(test_options, setup, teardown),
        cmocka_unit_test_setup_teardown(test_positions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_fairy_moves, setup, teardown),
        cmocka_unit_test_setup_teardown(test_endings, setup, teardown),
        cmocka_unit_test_setup_teardown(test_waiting, setup, teardown),
        cmocka_unit_test_setup_teardown(test_garbage, setup, teardown),
        cmocka_unit_test(test_values),
    };
    return cmocka_run_group_tests(tests, setup_group, teardown_group);
}
