/* SPDX-License-Identifier: MIT
 * labels: server
 *
 * Every request of the API and everything that can be wrong with one. Values come from a small board of Push Fight;
 * those of Dobutsu Shogi, whose table takes longer to make, are in test_heavy_api.c. */
#include "tests/support/api_answers.h"
#include "tests/support/tables.h"

#include "app/api/question.h"

#include <kanzen/record.h>
#include <stdlib.h>
#include <time.h>

static int setup(void **state) {
    int failed = open_api(state);
    kz_api_limit(((api_fixture *)*state)->api, 0.2);
    return failed;
}

/* ---- What there is --------------------------------------------------------------------------------------------- */

TEST(test_health) {
    const api_fixture *f = *state;
    json_t *answer = got(f->api, "/healthz", NULL);
    assert_string_equal(text_in(answer, "status"), "ok");
    assert_string_equal(text_in(answer, "version"), kz_version());
}

static json_t *named(json_t *list, const char *name) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (strcmp(text_in(json_array_get(list, i), "name"), name) == 0) {
            return json_array_get(list, i);
        }
    }
    fail_msg("there is no '%s'", name);
    return NULL;
}

TEST(test_games) {
    const api_fixture *f = *state;
    json_t *answer = got(f->api, "/api/v1/games", "");
    json_t *games = json_object_get(answer, "games");
    assert_int_equal(json_array_size(games), 2);
    json_t *dobutsu = named(games, "dobutsu");
    assert_string_equal(text_in(dobutsu, "unit"), "plies");
    assert_true(json_is_false(json_object_get(dobutsu, "proves")));
    assert_int_equal(json_array_size(json_object_get(dobutsu, "notations")), 6);
    assert_int_equal(json_array_size(json_object_get(dobutsu, "levels")), 6);
    json_t *official = named(json_object_get(dobutsu, "rules"), "official");
    assert_string_equal(text_in(official, "start"), "gle/1c1/1C1/ELG b - 1");
    assert_non_null(strchr(text_in(official, "diagram"), '\n'));
    assert_true(json_is_false(json_object_get(official, "table")));
    json_t *pushfight = named(games, "pushfight");
    assert_string_equal(text_in(pushfight, "unit"), "turns");
    assert_true(json_is_true(json_object_get(pushfight, "proves")));
    assert_true(json_is_true(json_object_get(named(json_object_get(pushfight, "rules"), "raft"), "table")));
    assert_true(json_is_false(json_object_get(named(json_object_get(pushfight, "rules"), "hook"), "table")));
}

TEST(test_description) {
    const api_fixture *f = *state;
    json_t *answer = got(f->api, "/api/v1/openapi.json", NULL);
    json_t *document = described();
    assert_true(json_equal(answer, document));
}

/* What a reference refers to, or the value itself. */
static json_t *resolved(json_t *document, json_t *value) {
    const char *reference = json_string_value(json_object_get(value, "$ref"));
    json_t *at = reference ? document : value;
    for (const char *next = reference ? reference + 2 : ""; *next;) {
        char name[80];
        size_t length = strcspn(next, "/");
        snprintf(name, sizeof name, "%.*s", (int)length, next);
        at = json_object_get(at, name);
        assert_non_null(at);
        next += length + (next[length] == '/');
    }
    return at;
}

/* The set of query parameters of an operation, as numbers of kz_parameter. */
static unsigned described_parameters(json_t *document, const json_t *operation) {
    unsigned set = 0;
    const json_t *list = json_object_get(operation, "parameters");
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *parameter = resolved(document, json_array_get(list, i));
        assert_string_equal(text_in(parameter, "in"), "query");
        int number = 0;
        while (number < KZ_Q_PARAMETERS &&
               strcmp(text_in(parameter, "name"), kz_query_name((kz_parameter)number)) != 0) {
            number++;
        }
        if (number == KZ_Q_PARAMETERS || set & KZ_Q(number)) {
            fail_msg("the parameter %s is described, and is not there, or is described twice",
                     text_in(parameter, "name"));
        }
        set |= KZ_Q(number);
    }
    return set;
}

static unsigned described_members(const json_t *operation) {
    unsigned set = 0;
    json_t *content = json_object_get(json_object_get(operation, "requestBody"), "content");
    json_t *schema = json_object_get(json_object_get(content, "application/json"), "schema");
    const char *name;
    json_t *member;
    json_object_foreach(json_object_get(schema, "properties"), name, member) {
        int number = 0;
        while (number < KZ_B_MEMBERS && strcmp(name, kz_body_name((kz_member)number)) != 0) {
            number++;
        }
        assert_true(number < KZ_B_MEMBERS);
        set |= KZ_B(number);
    }
    return set;
}

/* Every route, parameter and member of a body is in the description, and nothing else is. */
TEST(test_described_routes) {
    json_t *document = described();
    json_t *paths = json_object_get(document, "paths");
    size_t count = 0;
    for (; kz_route_at(count); count++) {
        const kz_route *route = kz_route_at(count);
        bool general = route->name[0] == '/';
        char name[80];
        snprintf(name, sizeof name, "%s%s", general ? "" : "/api/v1/{game}/", route->name);
        json_t *path = json_object_get(paths, name);
        json_t *operation = json_object_get(path, route->members ? "post" : "get");
        if (!operation) {
            fail_msg("%s is not described", name);
        }
        assert_int_equal(json_object_size(path), general ? 1 : 2); /* with the parameter {game} */
        if (described_parameters(document, operation) != route->parameters ||
            described_members(operation) != route->members) {
            fail_msg("%s is described with other parameters than it has", name);
        }
    }
    assert_int_equal(json_object_size(paths), count);
}

TEST(test_table) {
    const api_fixture *f = *state;
    json_t *answer = got(f->api, "/api/v1/pushfight/table", "rules=raft");
    assert_int_equal(number_in(answer, "positions"), kz_table_positions(f->raft));
    assert_int_equal(number_in(answer, "bytes"), kz_table_bytes(f->raft));
    assert_int_equal(strlen(text_in(answer, "digest")), 64);
    json_t *counts = json_object_get(answer, "counts");
    json_int_t sum = 0;
    for (size_t i = 0; i < json_array_size(counts); i++) {
        sum += number_in(json_array_get(counts, i), "count");
    }
    assert_int_equal(sum, kz_table_positions(f->raft));
    refuses_get(f->api, "/api/v1/pushfight/table", "rules=hook", 404,
                "there is no table for pushfight by hook rules here");
}

/* ---- Positions ------------------------------------------------------------------------------------------------- */

/* The value that a single lookup gives for text. */
static kz_value looked_up(const api_fixture *f, const char *text) {
    kz_position position;
    kz_value value;
    const kz_game *game = kz_table_game(f->raft);
    assert_int_equal(kz_parse(game, kz_table_rules(f->raft), text, strlen(text), &position, NULL), KZ_OK);
    assert_int_equal(kz_probe(f->raft, &position, &value, NULL), KZ_OK);
    return value;
}

/* The object has the value, for the side that moves, or, of a move, for the side that has moved. */
static void check_value(const json_t *object, kz_value value, bool of_move) {
    static const char *const names[] = {[KZ_LOSS] = "loss", [KZ_DRAW] = "draw", [KZ_WIN] = "win"};
    bool decided = value.outcome != KZ_DRAW;
    kz_outcome outcome = of_move && decided ? (value.outcome == KZ_WIN ? KZ_LOSS : KZ_WIN) : value.outcome;
    int plies = value.distance + of_move;
    assert_string_equal(text_in(object, "value"), names[outcome]);
    if (decided) {
        assert_int_equal(number_in(object, "plies"), plies);
        assert_int_equal(number_in(object, "distance"), (plies + 1) / 2);
    } else {
        assert_true(json_is_null(json_object_get(object, "plies")));
        assert_true(json_is_null(json_object_get(object, "distance")));
    }
}

static void check_moves(const api_fixture *f, json_t *moves) {
    for (size_t i = 0; i < json_array_size(moves); i++) {
        json_t *move = json_array_get(moves, i);
        check_value(move, looked_up(f, text_in(move, "position")), true);
    }
}

TEST(test_position) {
    const api_fixture *f = *state;
    json_t *answer = got(f->api, "/api/v1/pushfight/position", "rules=raft");
    assert_string_equal(text_in(answer, "game"), "pushfight");
    assert_string_equal(text_in(answer, "rules"), "raft");
    assert_string_equal(text_in(answer, "unit"), "turns");
    assert_string_equal(text_in(answer, "side"), "red");
    assert_string_equal(text_in(answer, "source"), "table");
    assert_true(json_is_false(json_object_get(answer, "over")));
    check_value(answer, looked_up(f, text_in(answer, "position")), false);
    json_t *moves = json_object_get(answer, "moves");
    assert_int_equal(json_array_size(moves), number_in(answer, "count"));
    check_moves(f, moves);
    /* An index is for a position with an anchor. */
    assert_true(json_is_null(json_object_get(json_object_get(answer, "notations"), "index")));
    json_t *after = json_array_get(moves, 0);
    char query[200];
    snprintf(query, sizeof query, "moves=2&rules=raft&pos=%s", text_in(after, "position"));
    json_t *next = got(f->api, "/api/v1/pushfight/position", query);
    assert_string_equal(text_in(next, "side"), "blue");
    assert_string_equal(text_in(next, "position"), text_in(after, "position"));
    assert_int_equal(json_array_size(json_object_get(next, "moves")), 2);
    assert_true(number_in(next, "count") > 2);
    assert_non_null(text_in(json_object_get(next, "notations"), "index"));
    /* Without a list there is no member for it. */
    snprintf(query, sizeof query, "moves=0&rules=raft&pos=%s", text_in(after, "position"));
    next = got(f->api, "/api/v1/pushfight/position", query);
    check_value(next, looked_up(f, text_in(after, "position")), false);
    assert_null(json_object_get(next, "moves"));
}

TEST(test_moves) {
    const api_fixture *f = *state;
    json_t *answer = got(f->api, "/api/v1/pushfight/moves", "rules=raft&pos=");
    json_t *legal = got(f->api, "/api/v1/pushfight/legal", "rules=raft&&pos=startpos");
    json_t *moves = json_object_get(answer, "moves");
    json_t *unvalued = json_object_get(legal, "moves");
    check_moves(f, moves);
    assert_int_equal(json_array_size(moves), number_in(answer, "count"));
    assert_int_equal(json_array_size(unvalued), number_in(legal, "count"));
    assert_int_equal(number_in(legal, "count"), number_in(answer, "count"));
    /* The same moves, whatever their order. */
    for (size_t i = 0; i < json_array_size(moves); i++) {
        bool found = false;
        for (size_t k = 0; k < json_array_size(unvalued) && !found; k++) {
            found =
                strcmp(text_in(json_array_get(moves, i), "move"), text_in(json_array_get(unvalued, k), "move")) == 0;
        }
        assert_true(found);
    }
}

/* Without a table: what the rules tell, and what a search finds in time. */
TEST(test_without_table) {
    const api_fixture *f = *state;
    json_t *answer = got(f->api, "/api/v1/dobutsu/position", NULL);
    assert_string_equal(text_in(answer, "value"), "unknown");
    assert_string_equal(text_in(answer, "source"), "none");
    assert_true(json_is_null(json_object_get(answer, "distance")));
    assert_int_equal(json_array_size(json_object_get(answer, "moves")), 4);
    assert_string_equal(text_in(json_object_get(answer, "notations"), "state40"), "0x2b20785c1d");
    answer = got(f->api, "/api/v1/dobutsu/position", "pos=1l1/1C1/3/1L1+b+EGcge+1&rules=simplified");
    has_value(answer, "win", 1);
    assert_string_equal(text_in(answer, "rules"), "simplified");
    assert_string_equal(text_in(answer, "source"), "rules");
    answer = got(f->api, "/api/v1/pushfight/position", "rules=hook&moves=1");
    assert_int_equal(json_array_size(json_object_get(answer, "moves")), 1);
    answer = got(f->api, "/api/v1/dobutsu/line", NULL);
    assert_int_equal(json_array_size(json_object_get(answer, "line")), 0);
    assert_string_equal(text_in(answer, "ending"), "unknown");
    assert_true(json_is_false(json_object_get(answer, "complete")));
}

TEST(test_game_over) {
    const api_fixture *f = *state;
    /* Gote's lion is in sente's hand. */
    static const char query[] = "pos=3/1C1/3/1L1%20w%20LEGcge%201";
    json_t *answer = got(f->api, "/api/v1/dobutsu/position", query);
    has_value(answer, "loss", 0);
    assert_string_equal(text_in(answer, "source"), "rules");
    assert_true(json_is_true(json_object_get(answer, "over")));
    assert_int_equal(number_in(answer, "count"), 0);
    answer = got(f->api, "/api/v1/dobutsu/line", query);
    assert_string_equal(text_in(answer, "ending"), "over");
    assert_true(json_is_true(json_object_get(answer, "complete")));
    answer = got(f->api, "/api/v1/dobutsu/play", query);
    assert_true(json_is_null(json_object_get(answer, "move")));
}

/* ---- Play ------------------------------------------------------------------------------------------------------ */

/* Each ply of a line keeps the value, and the last position of a decided one is the end. */
TEST(test_line) {
    const api_fixture *f = *state;
    char query[200];
    int decided = 0;
    json_t *first = got(f->api, "/api/v1/pushfight/moves", "rules=raft");
    json_t *moves = json_object_get(first, "moves");
    for (size_t i = 0; i < json_array_size(moves); i += 7) {
        const char *position = text_in(json_array_get(moves, i), "position");
        kz_value value = looked_up(f, position);
        snprintf(query, sizeof query, "rules=raft&pos=%s", position);
        json_t *answer = got(f->api, "/api/v1/pushfight/line", query);
        json_t *line = json_object_get(answer, "line");
        check_value(answer, value, false);
        for (size_t ply = 0; ply < json_array_size(line); ply++) {
            json_t *played = json_array_get(line, ply);
            kz_value before = {value.outcome == KZ_DRAW || ply % 2 == 0 ? value.outcome
                               : value.outcome == KZ_WIN                ? KZ_LOSS
                                                                        : KZ_WIN,
                               value.outcome == KZ_DRAW ? 0 : value.distance - (int)ply};
            check_value(played, before, false);
        }
        if (value.outcome != KZ_DRAW) {
            decided++;
            assert_int_equal(json_array_size(line), value.distance);
            assert_string_equal(text_in(answer, "ending"), "over");
        } else {
            assert_string_equal(text_in(answer, "ending"), "repetition");
        }
        assert_true(json_is_true(json_object_get(answer, "complete")));
        if (value.outcome != KZ_DRAW && value.distance > 1) {
            snprintf(query, sizeof query, "rules=raft&limit=1&pos=%s", position);
            answer = got(f->api, "/api/v1/pushfight/line", query);
            assert_int_equal(json_array_size(json_object_get(answer, "line")), 1);
            assert_string_equal(text_in(answer, "ending"), "limit");
            assert_true(json_is_false(json_object_get(answer, "complete")));
        }
    }
    assert_true(decided > 0);
}

TEST(test_play) {
    const api_fixture *f = *state;
    json_t *first = got(f->api, "/api/v1/pushfight/play", "rules=raft&level=beginner&aggressive=1&seed=7");
    json_t *again = got(f->api, "/api/v1/pushfight/play", "seed=7&aggressive=1&level=beginner&rules=raft");
    assert_true(json_equal(first, again));
    json_t *moves = got(f->api, "/api/v1/pushfight/moves", "rules=raft");
    json_t *best = json_array_get(json_object_get(moves, "moves"), 0);
    json_t *played = got(f->api, "/api/v1/pushfight/play", "rules=raft&seed=18446744073709551615");
    kz_value value = looked_up(f, text_in(played, "position"));
    check_value(best, value, true);
}

/* The time of the processor that this thread has had: others who use the machine don't count. */
static double thread_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Without a table, a player keeps to the time of a request however many replies there are to count. Before there was a
 * limit for counting, these took ten times as long. */
TEST(test_play_in_time) {
    static const char *const queries[] = {"aggressive=1", "aggressive=1&pos=.OX.....oxY....Oox.....OX.",
                                          "aggressive=1&level=beginner&seed=5"};
    const double limit = 0.3;
    kz_api *api = kz_api_new();
    assert_non_null(api);
    kz_api_limit(api, limit);
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        double begin = thread_seconds();
        got(api, "/api/v1/pushfight/play", queries[i]);
        double seconds = thread_seconds() - begin;
        if (seconds > 2 * limit) {
            fail_msg("%s: %.2f s", queries[i], seconds);
        }
    }
    kz_api_free(api);
}

/* ---- A position and moves, images, names ------------------------------------------------------------------------ */

/* The position after moves is the one that the rules lead to. */
TEST(test_played) {
    const api_fixture *f = *state;
    static const char path[] = "/api/v1/dobutsu/legal";
    json_t *start = got(f->api, path, NULL);
    json_t *first = json_array_get(json_object_get(start, "moves"), 1);
    char query[256];
    snprintf(query, sizeof query, "played=%s", text_in(first, "move"));
    json_t *second = got(f->api, path, query);
    assert_string_equal(text_in(second, "position"), text_in(first, "position"));
    json_t *reply = json_array_get(json_object_get(second, "moves"), 0);
    snprintf(query, sizeof query, "played=+%s%%20%s+", text_in(first, "move"), text_in(reply, "move"));
    json_t *third = got(f->api, path, query);
    assert_string_equal(text_in(third, "position"), text_in(reply, "position"));
    json_t *same = got(f->api, path, "played=+");
    assert_string_equal(text_in(same, "position"), "gle/1c1/1C1/ELG b - 1");
    refuses_get(f->api, path, "played=2c2b+nonsense", 400, "played: move 2: ");
}

/* The image is the one that the library draws. */
TEST(test_svg) {
    const api_fixture *f = *state;
    const kz_game *game = kz_game_find("dobutsu");
    kz_position position;
    char *expected = malloc(32 << 10);
    assert_int_equal(kz_parse(game, 0, "g1e/1l1/1C1/ELG b C 1", 21, &position, NULL), KZ_OK);
    assert_int_equal(kz_draw_svg(game, &position, expected, 32 << 10, NULL), KZ_OK);
    kz_api_request request = {.path = "/api/v1/dobutsu/svg", .query = "pos=g1e/1l1/1C1/ELG+b+C+1"};
    kz_api_answer answer;
    kz_api_ask(f->api, &request, &answer);
    assert_int_equal(answer.status, 200);
    assert_string_equal(answer.type, "image/svg+xml");
    assert_string_equal(answer.body, expected);
    kz_api_answer_free(&answer);
    free(expected);
    refuses_get(f->api, "/api/v1/dobutsu/svg", "pos=x", 400, "character 1");
}

/* The same name for the same answer, another one for another; none for what may change. */
TEST(test_tags) {
    const api_fixture *f = *state;
    char tags[4][KZ_API_TAG_BYTES];
    static const char path[] = "/api/v1/pushfight/position";
    assert_true(kz_api_tag(f->api, &(kz_api_request){.path = path, .query = "rules=raft"}, tags[0]));
    assert_true(kz_api_tag(f->api, &(kz_api_request){.path = path, .query = "rules=raft"}, tags[1]));
    assert_true(kz_api_tag(f->api, &(kz_api_request){.path = path, .query = "rules=raft&moves=1"}, tags[2]));
    assert_true(kz_api_tag(f->api, &(kz_api_request){.path = "/api/v1/dobutsu/legal"}, tags[3]));
    assert_string_equal(tags[0], tags[1]);
    assert_string_not_equal(tags[0], tags[2]);
    assert_memory_equal(tags[0], kz_table_digest(f->raft), 16);
    static const kz_api_request changing[] = {
        {.path = "/healthz"},
        {.path = "/api/v1/games"},
        {.path = "/api/v1/dobutsu/position"},                      /* there may be a table another day */
        {.path = "/api/v1/pushfight/position"},                    /* a search */
        {.path = "/api/v1/pushfight/line", .query = "rules=raft"}, /* its time may be up */
        {.path = "/api/v1/pushfight/position", .query = "rules=nonsense"},
        {.path = "/api/v1/dobutsu/table"},
        {.path = "/api/v1/pushfight/positions", .query = "rules=raft", .post = true},
    };
    for (size_t i = 0; i < sizeof changing / sizeof *changing; i++) {
        assert_false(kz_api_tag(f->api, &changing[i], tags[1]));
    }
}

/* ---- Study ------------------------------------------------------------------------------------------------------ */

/* Every puzzle has one winning move, as single lookups say, and its distance is the one that was asked for. */
TEST(test_puzzles) {
    const api_fixture *f = *state;
    kz_api_limit(f->api, 1000); /* a busy machine must not end the search: then there would be fewer puzzles */
    json_t *answer = got(f->api, "/api/v1/pushfight/puzzles", "rules=raft&count=5&seed=3");
    json_t *again = got(f->api, "/api/v1/pushfight/puzzles", "rules=raft&count=5&seed=3");
    json_t *puzzles = json_object_get(answer, "puzzles");
    assert_int_equal(json_array_size(puzzles), 5);
    assert_true(json_equal(answer, again));
    for (size_t i = 0; i < 5; i++) {
        json_t *puzzle = json_array_get(puzzles, i);
        char query[128];
        snprintf(query, sizeof query, "rules=raft&pos=%s", text_in(puzzle, "position"));
        json_t *moves = got(f->api, "/api/v1/pushfight/moves", query);
        json_t *list = json_object_get(moves, "moves");
        int wins = 0;
        for (size_t k = 0; k < json_array_size(list); k++) {
            wins += strcmp(text_in(json_array_get(list, k), "value"), "win") == 0;
        }
        assert_int_equal(wins, 1);
        assert_true(json_array_size(list) > 1);
        assert_string_equal(text_in(json_array_get(list, 0), "move"), text_in(puzzle, "move"));
        has_value(puzzle, "win", (int)number_in(json_array_get(list, 0), "plies"));
        assert_true(number_in(puzzle, "plies") >= 3);
    }
    answer = got(f->api, "/api/v1/pushfight/puzzles", "rules=raft&plies=5");
    puzzles = json_object_get(answer, "puzzles");
    for (size_t i = 0; i < json_array_size(puzzles); i++) {
        has_value(json_array_get(puzzles, i), "win", 5);
    }
    refuses_get(f->api, "/api/v1/dobutsu/puzzles", NULL, 404, "there is no table");
    refuses_get(f->api, "/api/v1/pushfight/puzzles", "rules=raft&count=101", 400,
                "count has to be a number from 1 to 100");
    kz_api_limit(f->api, 1);
}

/* Each move of a game: before and after are what single lookups say of the positions around it, and a best move is no
 * mistake. */
TEST(test_annotate) {
    const api_fixture *f = *state;
    static const char path[] = "/api/v1/pushfight/annotate";
    const kz_game *game = kz_game_find("pushfight");
    kz_record record;
    kz_record_begin(&record, game, kz_rules_find(game, "raft"), NULL);
    static kz_move moves[KZ_MAX_MOVES];
    kz_position position = record.start;
    for (int ply = 0; ply < 4; ply++) {
        int count = kz_moves(game, record.rules, &position, moves);
        if (count == 0) {
            break;
        }
        kz_move move = moves[(ply * 7 + 3) % count];
        assert_int_equal(kz_record_add(&record, move, NULL), KZ_OK);
        kz_play(game, record.rules, &position, move);
    }
    char *text;
    size_t length;
    assert_int_equal(kz_record_format(&record, KZ_RECORD_LIST, &text, &length, NULL), KZ_OK);
    json_t *document = kept(json_pack("{s:s}", "record", text));
    char *body = json_dumps(document, 0);
    json_t *answer = posted(f->api, path, NULL, body, 200);
    json_t *list = json_object_get(answer, "moves");
    assert_int_equal(json_array_size(list), record.count);
    assert_string_equal(text_in(answer, "rules"), "raft");
    const char *before = text_in(answer, "position");
    for (size_t i = 0; i < record.count; i++) {
        json_t *move = json_array_get(list, i);
        kz_value was = looked_up(f, before), is = kz_value_before(looked_up(f, text_in(move, "position")));
        check_value(json_object_get(move, "before"), was, false);
        check_value(json_object_get(move, "after"), is, false);
        bool same = was.outcome == is.outcome && was.distance == is.distance;
        assert_true(same == json_is_null(json_object_get(move, "mistake")));
        before = text_in(move, "position");
    }
    refuses_post(f->api, "/api/v1/dobutsu/annotate", body, 400, "this is a game of pushfight");
    free(body);
    free(text);
    kz_record_free(&record);
    answer = posted(f->api, path, NULL, "{\"record\":\"nonsense\"}", 400);
    assert_string_equal(text_in(json_object_get(answer, "error"), "code"), "bad_record");
    posted(f->api, path, NULL, "{}", 400);
}

/* ---- Many positions -------------------------------------------------------------------------------------------- */

/* A body with `count` times the same position. The caller frees it. */
static char *many_positions(size_t count) {
    static const char one[] = "\"startpos\",";
    char *body = malloc(32 + count * sizeof one);
    assert_non_null(body);
    size_t length = (size_t)sprintf(body, "{\"positions\":[");
    for (size_t i = 0; i < count; i++) {
        length += (size_t)sprintf(body + length, "%s", one);
    }
    sprintf(body + length - (count > 0), "]}");
    return body;
}

TEST(test_positions) {
    const api_fixture *f = *state;
    static const char dobutsu[] = "/api/v1/dobutsu/positions", pushfight[] = "/api/v1/pushfight/positions";
    json_t *answer =
        posted(f->api, dobutsu, NULL,
               "{\"positions\": [\"startpos\", \"rubbish\", \"gle\\/1c1/1C1/ELG\\u0020b - 1\", \"\"]}", 200);
    json_t *answers = json_object_get(answer, "answers");
    assert_int_equal(json_array_size(answers), 4);
    assert_string_equal(text_in(json_array_get(answers, 0), "position"), "gle/1c1/1C1/ELG b - 1");
    assert_true(json_equal(json_array_get(answers, 0), json_array_get(answers, 2)));
    assert_null(json_object_get(json_array_get(answers, 0), "moves"));
    json_t *error = json_object_get(json_array_get(answers, 1), "error");
    assert_int_equal(number_in(error, "status"), 400);
    assert_non_null(strstr(text_in(error, "message"), "character 2")); /* r is a giraffe, u is nothing */
    assert_non_null(json_object_get(json_array_get(answers, 3), "error"));

    answer = posted(f->api, pushfight, NULL, "{\"rules\": \"raft\", \"positions\": [\"startpos\"]}", 200);
    json_t *only = json_array_get(json_object_get(answer, "answers"), 0);
    assert_string_equal(text_in(only, "rules"), "raft");
    check_value(only, looked_up(f, text_in(only, "position")), false);
    json_t *same = posted(f->api, pushfight, "rules=raft", "{\"positions\": [\"startpos\"]}", 200);
    assert_true(json_equal(same, answer));
    static const char bad_rules[] = "{\"rules\": \"rafts\", \"positions\": [\"startpos\"]}";
    refuses_post(f->api, pushfight, bad_rules, 400,
                 "pushfight has no rules called 'rafts'; there are: standard, mini,");
    answer = posted(f->api, pushfight, "rules=raft", "{\"positions\": [ ], \"rules\": \"\"}", 200);
    assert_int_equal(json_array_size(json_object_get(answer, "answers")), 0);

    char *many = many_positions(KZ_API_MOST_POSITIONS);
    answer = posted(f->api, dobutsu, NULL, many, 200);
    assert_int_equal(json_array_size(json_object_get(answer, "answers")), KZ_API_MOST_POSITIONS);
    free(many);
    many = many_positions(KZ_API_MOST_POSITIONS + 1);
    refuses_post(f->api, dobutsu, many, 413, "there are more than 1000 positions");
    free(many);
}

/* The reader of bodies against another reader of JSON: both take the same texts, and read the same positions. */
TEST(test_bodies) {
    const api_fixture *f = *state;
    static const char *const bodies[] = {
        "{\"positions\":[\"a\"]}",
        " \t\r\n{ \"positions\" : [ \"a\" , \"b\" ] } ",
        "{\"positions\":[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]}",
        "{\"positions\":[\"\\u00e9\\u65E5\\ud83D\\uDE00\"]}",
        "{\"positions\":[\"\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80\"]}",
        "{\"posi\\u0074ions\":[]}",
        "",
        " ",
        "{",
        "{\"positions\"}",
        "{\"positions\":}",
        "{\"positions\":[}",
        "{\"positions\":[\"a\",]}",
        "{\"positions\":[,]}",
        "{\"positions\":[\"a\" \"b\"]}",
        "{\"positions\":[],}",
        "{,}",
        "{\"positions\":[]}}",
        "{\"positions\":[]} x",
        "{\"positions\":[\"a]}",
        "{\"positions\":[\"a\\\"]}",
        "{\"positions\":[\"\\x\"]}",
        "{\"positions\":[\"\\u12\"]}",
        "{\"positions\":[\"\\u000g\"]}",
        "{\"positions\":[\"\\ud83d\"]}",
        "{\"positions\":[\"\\ud83d\\u0041\"]}",
        "{\"positions\":[\"\\ude00\\ud83d\"]}",
        "{\"positions\":[\"\\u0000\"]}",
        "{\"positions\":[\"\n\"]}",
        "{\"positions\":[\"\xff\"]}",
        "{\"positions\":[\"\xc3\"]}",
        "{\"positions\":[\"\xed\xa0\x80\"]}",
        "{\"positions\":[\"\xf4\x90\x80\x80\"]}",
        "{'positions':[]}",
        "{positions:[]}",
        "\xef\xbb\xbf{\"positions\":[]}",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        size_t length = strlen(bodies[i]);
        char *exact = malloc(length + 1); /* so that a sanitizer sees what is read past the end */
        memcpy(exact, bodies[i], length);
        json_t *other = json_loadb(exact, length, JSON_REJECT_DUPLICATES, NULL);
        kz_body body;
        kz_problem problem = {.code = NULL};
        kz_status status = kz_body_read(&body, exact, length, KZ_B(KZ_B_POSITIONS) | KZ_B(KZ_B_RULES), &problem);
        if ((status == KZ_OK) != (other != NULL)) {
            fail_msg("%s: %s", bodies[i], problem.error.message);
        }
        json_t *list = json_object_get(other, "positions");
        assert_int_equal(body.position_count, json_array_size(list));
        for (size_t k = 0; k < body.position_count; k++) {
            assert_string_equal(body.positions[k], json_string_value(json_array_get(list, k)));
        }
        json_decref(other);
        kz_body_free(&body);
        kz_problem_clear(&problem);
        free(exact);
    }
    /* What is JSON, and not what is asked for */
    static const struct {
        const char *body, *message;
    } others[] = {
        {"[]", "should be an object"},
        {"3", "should be an object"},
        {"{}", "the body has no member \"positions\""},
        {"{\"rules\":\"official\"}", "the body has no member \"positions\""},
        {"{\"positions\":[],\"positions\":[]}", "the member \"positions\" is there twice"},
        {"{\"rules\":\"a\",\"rules\":\"a\"}", "the member \"rules\" is there twice"},
        {"{\"positions\":\"startpos\"}", "should be a list of texts"},
        {"{\"positions\":[\"startpos\", 3]}", "number 2 (counted from 1) is not a text"},
        {"{\"positions\":[],\"rules\":1}", "\"rules\" should be a text"},
        {"{\"moves\":[]}", "the body has a member \"moves\"; it may have: \"positions\", \"rules\""},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        refuses_post(f->api, "/api/v1/dobutsu/positions", others[i].body, 400, others[i].message);
    }
}

/* What the server sorts requests by. The table is that of one board of Push Fight. */
TEST(test_costs) {
    const api_fixture *f = *state;
    enum { SIGNS = 100 };
    char hidden[256];
    memset(hidden, '&', SIGNS);
    snprintf(hidden + SIGNS, sizeof hidden - SIGNS, "rules=mini");
    static const char with_rules[] = "{\"positions\":[],\"rules\":\"raft\"}", without[] = "{\"positions\":[]}";
    const struct {
        const char *path, *query, *body;
        kz_api_cost cost;
    } examples[] = {
        {"/healthz", NULL, NULL, KZ_API_AT_ONCE},
        {"/api/v1/games", NULL, NULL, KZ_API_AT_ONCE},
        {"/api/v1/dobutsu/position", NULL, NULL, KZ_API_AT_ONCE},
        {"/api/v1/dobutsu/line", NULL, NULL, KZ_API_LOOKUPS},
        {"/api/v1/pushfight/position", "rules=raft", NULL, KZ_API_LOOKUPS},
        {"/api/v1/pushfight/legal", NULL, NULL, KZ_API_LOOKUPS},
        {"/api/v1/pushfight/table", NULL, NULL, KZ_API_AT_ONCE},
        {"/api/v1/pushfight/position", NULL, NULL, KZ_API_SEARCH},
        {"/api/v1/pushfight/position", hidden, NULL, KZ_API_SEARCH},
        {"/api/v1/pushfight/play", "&&&rules=raft", NULL, KZ_API_LOOKUPS},
        {"/api/v1/pushfight/position", "rules=nonsense", NULL, KZ_API_AT_ONCE},
        {"/api/v1/pushfight/position", "rules=raft&rules=mini", NULL, KZ_API_AT_ONCE},
        {"/api/v1/pushfight/positions", NULL, with_rules, KZ_API_LOOKUPS},
        {"/api/v1/pushfight/positions", NULL, without, KZ_API_SEARCH},
        {"/api/v1/pushfight/positions", "rules=raft", without, KZ_API_LOOKUPS},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        kz_api_request request = {.path = examples[i].path,
                                  .query = examples[i].query,
                                  .post = examples[i].body != NULL,
                                  .body = examples[i].body,
                                  .body_length = examples[i].body ? strlen(examples[i].body) : 0};
        if (kz_api_cost_of(f->api, &request) != examples[i].cost) {
            fail_msg("%s?%.20s", examples[i].path, examples[i].query ? examples[i].query : "");
        }
        if (request.post) {
            request.body = NULL;
            assert_int_equal(kz_api_cost_of(f->api, &request), KZ_API_LOOKUPS);
        }
    }
}

/* ---- Refusals -------------------------------------------------------------------------------------------------- */

TEST(test_addresses) {
    const api_fixture *f = *state;
    static const char *const nowhere[] = {"",
                                          "/",
                                          "healthz",
                                          "/healthz/",
                                          "/api",
                                          "/api/v1",
                                          "/api/v1/",
                                          "/api/v2/games",
                                          "/api/v1/games/",
                                          "/api/v1/dobutsu",
                                          "/api/v1/dobutsu/",
                                          "/api/v1/dobutsu/position/",
                                          "/api/v1/dobutsu/Position",
                                          "/api/v1/dobutsu//position",
                                          "/api/v1/dobutsu/../games",
                                          "/api/v1/%64obutsu/positio",
                                          "/api/v1/dobutsu/best"};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        refuses_get(f->api, nowhere[i], NULL, 404, "there is nothing at this address");
    }
    refuses_get(f->api, "/api/v1/chess/position", NULL, 404, "there is no game 'chess'; there are: dobutsu, pushfight");
    refuses_get(f->api, "/api/v1//position", NULL, 404, "there is no game ''");
    static const char *const get_only[] = {"/healthz",
                                           "/api/v1/games",
                                           "/api/v1/openapi.json",
                                           "/api/v1/dobutsu/position",
                                           "/api/v1/dobutsu/moves",
                                           "/api/v1/dobutsu/legal",
                                           "/api/v1/dobutsu/line",
                                           "/api/v1/dobutsu/play",
                                           "/api/v1/dobutsu/table"};
    for (size_t i = 0; i < sizeof get_only / sizeof *get_only; i++) {
        refuses(f->api, &(kz_api_request){.path = get_only[i], .post = true}, 405, "this address answers GET only");
    }
    refuses_get(f->api, "/api/v1/dobutsu/positions", NULL, 405, "this address answers POST only");
}

TEST(test_queries) {
    const api_fixture *f = *state;
    static const struct {
        const char *path;
        const char *query;
        const char *message;
    } examples[] = {
        {"position", "pos=gle/1c1/1C1/ELX%20b%20-%201", "character 15"},
        {"position", "pos=gle/1c1/1X1/ELG+b+-+1", "character 10"},
        {"position", "pos=%F0%28%8C%28", "character 1"},
        {"position", "rules=chess", "dobutsu has no rules called 'chess'; there are: official, simplified"},
        {"position", "moves=-1", "moves has to be a number from 0 to 24576, not '-1'"},
        {"position", "moves=24577", "moves has to be a number from 0 to 24576, not '24577'"},
        {"position", "moves=1.5", "not '1.5'"},
        {"position", "moves=99999999999999999999", "not '99999999999999999999'"},
        {"position", "moves=%201", "not ' 1'"},
        {"position", "pos=%", "the query: character 5: two hexadecimal digits have to follow '%'"},
        {"position", "pos=%2", "character 5"},
        {"position", "rules=official&pos=ab%zz", "character 22"},
        {"position", "pos=%1%20", "character 5"},
        {"position", "pos=gle%00", "the query: character 8: no text has a 0 byte"},
        {"position", "%70os=%00", "character 7"},
        {"position", "p%00s=1", "character 2"},
        {"position", "position=startpos",
         "there is no parameter 'position' here; there are: pos, rules, moves, played"},
        {"position", "pos=startpos&pos=", "the parameter 'pos' is there twice"},
        {"position", "=1", "there is no parameter '' here"},
        {"position", "%FF=1", "there is no parameter '\xef\xbf\xbd' here"},
        {"legal", "moves=1", "there is no parameter 'moves' here; there are: pos, rules, played"},
        {"table", "pos=startpos", "there is no parameter 'pos' here; there are: rules"},
        {"line", "limit=0", "limit has to be a number from 1 to 1000, not '0'"},
        {"line", "limit=1001", "limit has to be a number from 1 to 1000, not '1001'"},
        {"play", "level=godlike",
         "there is no level 'godlike'; there are: beginner, easy, medium, hard, expert, perfect"},
        {"play", "aggressive=2", "aggressive has to be a number from 0 to 1, not '2'"},
        {"play", "seed=18446744073709551616", "seed has to be a number from 0 to 18446744073709551615"},
        {"play", "seed=x", "not 'x'"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        char path[64];
        snprintf(path, sizeof path, "/api/v1/dobutsu/%s", examples[i].path);
        refuses_get(f->api, path, examples[i].query, 400, examples[i].message);
    }
    refuses_get(f->api, "/healthz", "pos=1", 400, "there is no parameter 'pos' here; there are: none");
    refuses(f->api, &(kz_api_request){.path = "/api/v1/dobutsu/positions", .post = true, .query = "moves=1"}, 400,
            "there is no parameter 'moves' here; there are: rules");
}

/* Every code that the API has, with all of its parameters: what a page needs to say it in another language. */
TEST(test_codes) {
    const api_fixture *f = *state;
    static const struct {
        const char *path;
        const char *query;
        const char *code;
        const char *params;
    } examples[] = {
        {"/api/v1/nothing", NULL, "not_found", "{}"},
        {"/api/v1/chess/position", NULL, "unknown_game", "{'game': 'chess', 'known': ['dobutsu', 'pushfight']}"},
        {"/api/v1/dobutsu/position", "rules=chess", "unknown_rules",
         "{'game': 'dobutsu', 'rules': 'chess', 'known': ['official', 'simplified']}"},
        {"/api/v1/dobutsu/legal", "moves=1", "unknown_parameter",
         "{'parameter': 'moves', 'known': ['pos', 'rules', 'played']}"},
        {"/api/v1/dobutsu/legal", "played=2c2b+xyz", "bad_move", "{'number': 2, 'move': 'xyz'}"},
        {"/healthz", "%FF=1", "unknown_parameter", "{'parameter': '\xef\xbf\xbd', 'known': []}"},
        {"/api/v1/dobutsu/legal", "pos=startpos&pos=", "repeated_parameter", "{'parameter': 'pos'}"},
        {"/api/v1/dobutsu/legal", "pos=%", "bad_query", "{'character': 5}"},
        {"/api/v1/dobutsu/legal", "pos=gle%00", "bad_query", "{'character': 8}"},
        {"/api/v1/dobutsu/line", "limit=1001", "bad_number",
         "{'parameter': 'limit', 'least': 1, 'most': 1000, 'text': '1001'}"},
        {"/api/v1/dobutsu/play", "level=god", "unknown_level",
         "{'level': 'god', 'known': ['beginner', 'easy', 'medium', 'hard', 'expert', 'perfect']}"},
        {"/api/v1/dobutsu/position", "pos=gle/1c1/1C1/ELX%20b%20-%201", "bad_position", "{'character': 15}"},
        {"/api/v1/dobutsu/table", NULL, "no_table", "{'game': 'dobutsu', 'rules': 'official'}"},
        {"/api/v1/dobutsu/positions", NULL, "wrong_method", "{'method': 'POST'}"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        kz_api_request request = {.path = examples[i].path, .query = examples[i].query};
        kz_api_answer answer;
        kz_api_ask(f->api, &request, &answer);
        int status = answer.status;
        kz_api_answer_free(&answer);
        json_t *described = answered(f->api, &request, status);
        json_t *error = json_object_get(described, "error");
        assert_int_equal(number_in(error, "status"), status);
        assert_string_equal(text_in(error, "code"), examples[i].code);
        char params[256];
        snprintf(params, sizeof params, "%s", examples[i].params);
        for (char *at = params; *at; at++) {
            *at = *at == '\'' ? '"' : *at;
        }
        json_t *expected = kept(json_loads(params, 0, NULL));
        if (!json_equal(expected, json_object_get(error, "params"))) {
            fail_msg("%s: other parameters than %s", examples[i].code, params);
        }
    }
}

/* docs/api.md has every code of the description. */
TEST(test_documented_codes) {
    char path[1024];
    static char text[65536];
    snprintf(path, sizeof path, "%s/docs/api.md", getenv("KANZEN_SOURCE") ? getenv("KANZEN_SOURCE") : "..");
    FILE *file = fopen(path, "r");
    if (!file) {
        skip();
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    const char *table = strstr(text, "| status | code |");
    assert_non_null(table);
    json_t *document = described();
    json_t *schemas = json_object_get(json_object_get(document, "components"), "schemas");
    json_t *error = json_object_get(json_object_get(json_object_get(schemas, "Error"), "properties"), "error");
    json_t *codes = json_object_get(json_object_get(json_object_get(error, "properties"), "code"), "enum");
    assert_true(json_array_size(codes) > 20);
    for (size_t i = 0; i < json_array_size(codes); i++) {
        char quoted[80];
        snprintf(quoted, sizeof quoted, "`%s`", json_string_value(json_array_get(codes, i)));
        if (!strstr(table, quoted)) {
            fail_msg("docs/api.md does not have the code %s", quoted);
        }
    }
}

/* In memory of its exact size, so that a sanitizer sees every byte that is read past it. */
TEST(test_long_queries) {
    const api_fixture *f = *state;
    for (size_t length = KZ_API_MOST_QUERY - 1; length <= KZ_API_MOST_QUERY + 1; length++) {
        char *query = malloc(length + 1);
        assert_non_null(query);
        memset(query, 'x', length);
        memcpy(query, "pos=", 4);
        query[length] = '\0';
        kz_api_request request = {.path = "/api/v1/dobutsu/position", .query = query};
        refuses(f->api, &request, length > KZ_API_MOST_QUERY ? 414 : 400,
                length > KZ_API_MOST_QUERY ? "the query is longer than 4096 bytes" : "character 1");
        memset(query, '&', length);
        if (length <= KZ_API_MOST_QUERY) {
            answered(f->api, &request, 200);
        }
        memset(query, 'n', length);
        refuses(f->api, &request, length > KZ_API_MOST_QUERY ? 414 : 400, "");
        free(query);
    }
}

/* Spaces as forms and as URLs have them, and letters that need not be encoded. */
TEST(test_decoding) {
    const api_fixture *f = *state;
    static const char *const same[] = {
        "pos=gle/1c1/1C1/ELG+b+-+1",
        "pos=gle/1c1/1C1/ELG%20b%20-%201",
        "p%6fs=%67le%2f1c1%2F1C1/EL%47%20b%20%2d%201&rules=official",
        "&rules=&pos=gle/1c1/1C1/ELG b - 1&moves=",
        "pos=startpos",
        NULL,
    };
    json_t *expected = got(f->api, "/api/v1/dobutsu/position", "");
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        json_t *answer = got(f->api, "/api/v1/dobutsu/position", same[i]);
        assert_true(json_equal(answer, expected));
    }
    /* A plus has to be encoded: here it is a hen. */
    json_t *answer = got(f->api, "/api/v1/dobutsu/position", "pos=1l1/3/1%2BC1/1L1%20b%20EGcge");
    assert_string_equal(text_in(answer, "position"), "1l1/3/1+C1/1L1 b GEgec");
}

/* A table that is used in another's place. */
TEST(test_replaced_table) {
    kz_table *first = solved_board("corridor");
    kz_table *second = solved_board("corridor");
    kz_api *api = kz_api_new();
    assert_non_null(api);
    assert_int_equal(kz_api_use(api, first, NULL), KZ_OK);
    assert_int_equal(kz_api_use(api, second, NULL), KZ_OK);
    kz_table_close(first);
    json_t *answer = got(api, "/api/v1/pushfight/position", "rules=corridor");
    assert_string_equal(text_in(answer, "source"), "table");
    kz_api_free(api);
    kz_table_close(second);
}

TESTS(setup, close_api)
