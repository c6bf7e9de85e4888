/* SPDX-License-Identifier: MIT
 * labels: dobutsu-table
 *
 * The USI engine with the real table of Dobutsu Shogi. That gote wins in 78 plies, and what the four first moves are
 * worth, is Tetsuro Tanaka's result of 2009. */
#include "tests/support/dobutsu_samples.h"
#include "tests/support/players.h"
#include "tests/support/usi_session.h"

#include <stdlib.h>

typedef struct fixture {
    kz_table *table;
    kz_values values;
    usi_session *session;
} fixture;

static int setup_group(void **state) {
    static fixture f;
    const char *path = getenv("DOBUTSU_TABLE");
    *state = &f;
    if (!path || kz_table_open(path, &f.table, NULL) != KZ_OK) {
        return -1;
    }
    f.values = values_from(f.table);
    return 0;
}

static int teardown_group(void **state) {
    fixture *f = *state;
    kz_table_close(f->table);
    return 0;
}

static int setup(void **state) {
    fixture *f = *state;
    f->session = usi_session_new("dobutsu", KZ_PROTOCOL_USI, f->table);
    return f->session && f->session->usi ? 0 : -1;
}

static int teardown(void **state) {
    fixture *f = *state;
    usi_session_free(f->session);
    return 0;
}

static void sent_position(usi_session *session, const kz_values *values, const kz_position *position) {
    char text[KZ_TEXT_BYTES];
    char line[KZ_TEXT_BYTES + 16];
    assert_int_equal(kz_format(values->game, position, 0, text, sizeof text, NULL), KZ_OK);
    snprintf(line, sizeof line, "position sfen %s", text);
    assert_string_equal(sent(session, line), "");
}

/* The words after "pv" are played: every one of them is a best move (but for the first, which is the line's), and the
 * last one ends the game if the line is as long as the score. Returns the value of the first move. */
static kz_value check_variation(const kz_values *values, kz_position position, const char *line, int *plies) {
    static kz_move moves[KZ_MAX_MOVES];
    *plies = 0;
    const char *end = strchr(line, '\n');
    const char *at = strstr(line, " pv ");
    if (!at || at > end) {
        fail_msg("no variation: %s", line);
        return (kz_value){KZ_UNKNOWN, 0};
    }
    at += 4;
    kz_value first = {KZ_UNKNOWN, 0};
    const char *word;
    size_t length;
    while (usi_next_word(&at, end, &word, &length)) {
        kz_move move;
        assert_int_equal(kz_move_parse(values->game, values->rules, &position, word, length, &move, NULL), KZ_OK);
        kz_value value = worth_of(values, &position, move);
        if (++*plies == 1) {
            first = value;
        } else {
            assert_true(same_value(value, looked_up(values, &position)));
        }
        position = after_move(values, &position, move);
    }
    bool over = kz_moves(values->game, values->rules, &position, moves) == 0;
    assert_int_equal(over, first.outcome != KZ_DRAW && *plies == first.distance);
    return first;
}

/* Scores as text, of a value that was looked up on another way. */
static void check_lines(usi_session *session, const kz_values *values, const kz_position *position, int least_plies) {
    for (const char *line = session->answer; usi_starts(line, "info depth "); line = strchr(line, '\n') + 1) {
        char expected[64];
        int plies;
        kz_value value = check_variation(values, *position, line, &plies);
        if (value.outcome == KZ_DRAW) {
            snprintf(expected, sizeof expected, " score cp 0 pv ");
        } else {
            snprintf(expected, sizeof expected, " score mate %d pv ",
                     value.outcome == KZ_WIN ? value.distance : -value.distance);
            assert_true(plies >= (value.distance < least_plies ? value.distance : least_plies));
        }
        const char *found = strstr(line, expected);
        assert_true(found && found < strchr(line, '\n'));
    }
}

static void test_start(void **state) {
    fixture *f = *state;
    usi_session *s = f->session;
    kz_position start;
    kz_start(f->values.game, 0, &start);
    assert_string_equal(sent(s, "isready"), "readyok\n");
    sent(s, "position startpos");
    sent(s, "go");
    assert_true(usi_starts(s->answer, "info depth 78 score mate -78 pv "));
    sent(s, "setoption name MultiPV value 100");
    sent(s, "setoption name PVLength value 200");
    sent(s, "go infinite");
    assert_int_equal(usi_lines(s, "info depth 78 multipv "), 3);
    assert_int_equal(usi_lines(s, "info depth 76 multipv 4 score mate -76 pv 2c2b "), 1);
    assert_int_equal(usi_lines(s, ""), 4);
    check_lines(s, &f->values, &start, 200);
    sent(s, "stop");
    assert_string_equal(sent(s, "go mate infinite"), "checkmate nomate\n");
    /* UCI counts the moves of one side. */
    sent(s, "uci");
    sent(s, "go");
    assert_int_equal(usi_lines(s, "info depth 78 multipv 1 score mate -39 pv "), 1);
    assert_int_equal(usi_lines(s, "info depth 76 multipv 4 score mate -38 pv b2b3 "), 1);
    sent(s, "position startpos moves b2b3");
    sent(s, "go");
    assert_int_equal(usi_lines(s, "info depth 75 multipv 1 score mate 38 pv c4b3 "), 1);
}

static void test_positions(void **state) {
    fixture *f = *state;
    usi_session *s = f->session;
    uint64_t seed = 1;
    int draws = 0;
    int over = 0;
    sent(s, "setoption name MultiPV value 100");
    sent(s, "setoption name PVLength value 8");
    /* Draws are rare: after the first positions only they are of interest. */
    for (int i = 0; i < 300 || draws < 5; i++) {
        static kz_scored_move moves[KZ_MAX_MOVES];
        kz_dobutsu dobutsu = sample_position(&seed);
        kz_position position;
        int count;
        kz_dobutsu_to_position(&dobutsu, &position);
        if (i >= 300 && looked_up(&f->values, &position).outcome != KZ_DRAW) {
            continue;
        }
        sent_position(s, &f->values, &position);
        sent(s, "go");
        assert_int_equal(kz_probe_moves(f->table, &position, moves, &count, NULL), KZ_OK);
        assert_int_equal(usi_lines(s, "info depth ") - usi_lines(s, "info depth 0 score mate 0\n"), count);
        if (count > 0) {
            check_lines(s, &f->values, &position, 8);
            draws += moves[0].value.outcome == KZ_DRAW;
        } else {
            over++;
            assert_true(usi_starts(usi_last_line(s), looked_up(&f->values, &position).outcome == KZ_WIN
                                                         ? "bestmove win\n"
                                                         : "bestmove resign\n"));
        }
    }
    assert_true(over > 0);
}

/* A game of the engine against itself, as a program for matches plays it: the moves in one long line. Returns the
 * number of plies. */
static int play_game(usi_session *s, const char *level_of_sente, const char *level_of_gote, char *moves, size_t size) {
    size_t length = (size_t)snprintf(moves, size, "position startpos moves");
    sent(s, "usinewgame");
    for (int plies = 0; plies < 300; plies++) {
        char line[64];
        char move[16];
        snprintf(line, sizeof line, "setoption name Level value %s", plies % 2 ? level_of_gote : level_of_sente);
        sent(s, line);
        assert_string_equal(sent(s, moves), "");
        sent(s, "go btime 1000 wtime 1000 byoyomi 0");
        const char *last = usi_last_line(s);
        if (usi_starts(last, "bestmove resign")) {
            return plies;
        }
        assert_int_equal(sscanf(last, "bestmove %15s", move), 1);
        length += (size_t)snprintf(moves + length, size - length, " %s", move);
    }
    return -1;
}

static void test_games(void **state) {
    fixture *f = *state;
    usi_session *s = f->session;
    char game[4096];
    char other[4096];
    sent(s, "setoption name PVLength value 1");
    int different = 0;
    for (int seed = 1; seed <= 5; seed++) {
        char line[64];
        snprintf(line, sizeof line, "setoption name Seed value %d", seed);
        sent(s, line);
        assert_int_equal(play_game(s, "perfect", "perfect", game, sizeof game), 78);
        assert_int_equal(play_game(s, "perfect", "perfect", other, sizeof other), 78);
        assert_string_equal(game, other);
        sent(s, "setoption name Aggressive value true");
        assert_int_equal(play_game(s, "perfect", "perfect", game, sizeof game), 78);
        sent(s, "setoption name Aggressive value false");
        different += strcmp(game, other) != 0;
        /* Gote wins, and sooner, against one who does not defend himself well. */
        int plies = play_game(s, "beginner", "perfect", game, sizeof game);
        assert_true(plies > 0 && plies < 78 && plies % 2 == 0);
    }
    assert_true(different > 0);
}

/* The program with this table, as others start it. */
static void test_program(void **state) {
    (void)state;
    const char *kanzen = getenv("KANZEN");
    assert_non_null(kanzen);
    char command[512];
    snprintf(command, sizeof command, "printf 'usi\\nisready\\ngo\\nquit\\n' | '%s' usi --table '%s'", kanzen,
             getenv("DOBUTSU_TABLE"));
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    char text[8192];
    size_t length = fread(text, 1, sizeof text - 1, pipe);
    text[length] = '\0';
    assert_int_equal(pclose(pipe), 0);
    assert_non_null(strstr(text, "usiok\nreadyok\ninfo depth 78 score mate -78 pv "));
    assert_non_null(strstr(text, "\nbestmove "));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_start, setup, teardown),
        cmocka_unit_test_setup_teardown(test_positions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_games, setup, teardown),
        cmocka_unit_test(test_program),
    };
    return cmocka_run_group_tests(tests, setup_group, teardown_group);
}
