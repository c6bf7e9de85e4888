/* SPDX-License-Identifier: MIT
 * labels: server
 *
 * Everything that asks a table, when its blocks are not here yet, or are damaged: it says so, in time gives the answers
 * that the whole table gives, and never others. */
#include "tests/support/api_answers.h"
#include "tests/support/players.h"
#include "tests/support/tables.h"
#include "tests/support/usi_session.h"

#include <kanzen/collect.h>
#include <kanzen/export.h>
#include <kanzen/pushfight.h>
#include <unistd.h>

static const char path[] = "hook.kzt";
static const kz_game *game;
static int hook;
static kz_table *whole;

static int setup(void **state) {
    game = kz_game_find("pushfight");
    hook = kz_rules_find(game, "hook");
    *state = solve_for_download("hook", path);
    return *state && kz_table_open(path, &whole, NULL) == KZ_OK ? 0 : -1;
}

static int teardown(void **state) {
    kz_table_close(whole);
    free_download(*state);
    return remove(path);
}

/* Open, and nothing is here but what that takes: no block, unless it shares a page with the index. */
static kz_table *open_without_blocks(download *d) {
    kz_byte_source bytes = begin(d, false);
    kz_table *table = NULL;
    kz_error error;
    while (kz_table_open_bytes("slow", &bytes, &table, &error) != KZ_OK) {
        assert_int_equal(error.status, KZ_ERR_IO);
        arrive(d);
    }
    return table;
}

/* The blocks are here, but they are damaged; or they are good again. */
static void damage(download *d, bool here) {
    for (size_t page = 0; page * PAGE < d->size; page++) {
        for (size_t at = page * PAGE; !d->here[page] && at < d->size && at < (page + 1) * PAGE; at++) {
            d->file[at] ^= 0x5A;
        }
    }
    memset(d->here, here, sizeof d->here);
}

static kz_table *open_damaged(download *d, bool here[PAGES_MOST]) {
    kz_table *table = open_without_blocks(d);
    memcpy(here, d->here, sizeof d->here);
    damage(d, true);
    return table;
}

static void repair(download *d, const bool here[PAGES_MOST]) {
    memcpy(d->here, here, sizeof d->here);
    damage(d, true);
}

/* ---- Players ----------------------------------------------------------------------------------------------------- */

/* One that the rules alone do not decide. */
static kz_position random_position(uint64_t *seed) {
    kz_position position;
    kz_value value;
    uint64_t index;
    do {
        *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        kz_unrank(game, hook, (*seed >> 20) % kz_index_size(game, hook), &position);
    } while (!kz_rank(game, &position, &index) || kz_probe(whole, &position, &value, NULL) != KZ_OK ||
             (value.outcome != KZ_DRAW && value.distance < 3));
    return position;
}

TEST(test_players) {
    download *d = *state;
    static const char *const levels[] = {"beginner", "medium", "perfect"};
    uint64_t seed = 99;
    int waited = 0;
    int waited_for_replies = 0;
    for (int i = 0; i < 80; i++) {
        kz_position position = random_position(&seed);
        kz_values values = values_from(whole);
        kz_player player = {.level = kz_level_find(levels[i % 3]), .aggressive = i % 4, .seed = seed};
        kz_move expected = chosen(&values, &position, levels[i % 3], i % 4, seed);
        kz_table *table = open_without_blocks(d);
        kz_move move = 0;
        kz_error error;
        values.table = table;
        int rounds = 0;
        while (kz_choose_move(&values, &position, player, &move, &error) != KZ_OK) {
            assert_int_equal(error.status, KZ_ERR_IO);
            assert_non_null(strstr(error.message, "is not loaded yet"));
            assert_true(d->wanted_pages > 0);
            arrive(d);
            /* The moves' blocks, and at most once more those of their replies. */
            assert_true(++rounds <= 3);
        }
        waited += rounds > 0;
        waited_for_replies += rounds > 1;
        assert_int_equal(move, expected);
        kz_table_close(table);
    }
    assert_true(waited > 10);
    assert_true(waited_for_replies > 0);
}

/* Of a decided game, moves are only as good as their values, so a damaged block is an error and no reason to guess. */
TEST(test_players_and_damage) {
    download *d = *state;
    bool here[PAGES_MOST];
    uint64_t seed = 5;
    int refused = 0;
    for (int i = 0; i < 6; i++) {
        kz_position position = random_position(&seed);
        kz_table *table = open_damaged(d, here);
        kz_values values = values_from(table);
        kz_player player = {.level = kz_level_find("medium"), .aggressive = true};
        kz_move move = 0;
        kz_error error;
        kz_status status = kz_choose_move(&values, &position, player, &move, &error);
        if (status != KZ_OK) { /* unless the rules know it all */
            assert_int_equal(status, KZ_ERR_CORRUPT);
            assert_non_null(strstr(error.message, "is damaged"));
            refused++;
        }
        repair(d, here);
        kz_table_close(table);
    }
    assert_true(refused > 0);
}

/* The list of the moves is here, but a block of one of the replies is damaged. */
TEST(test_replies_and_damage) {
    download *d = *state;
    bool here[PAGES_MOST];
    static kz_scored_move moves[KZ_MAX_MOVES];
    uint64_t seed = 12;
    int refused = 0;
    for (int i = 0; i < 6; i++) {
        kz_position position = random_position(&seed);
        kz_table *table = open_without_blocks(d);
        kz_values values = values_from(table);
        kz_player player = {.level = kz_level_find("perfect"), .aggressive = true};
        kz_value value;
        kz_move move;
        int count;
        kz_error error;
        while (kz_values_moves(&values, &position, &value, moves, &count, &error) != KZ_OK) {
            arrive(d);
        }
        memcpy(here, d->here, sizeof here);
        damage(d, true);
        kz_status status = kz_choose_move(&values, &position, player, &move, &error);
        assert_true(status == KZ_OK || status == KZ_ERR_CORRUPT);
        refused += status != KZ_OK;
        repair(d, here);
        kz_table_close(table);
    }
    assert_true(refused > 0);
}

/* ---- Questions --------------------------------------------------------------------------------------------------- */

static const char three[] = "{\"positions\":[\"startpos\",\"rubbish\",\"startpos\"]}";

static const kz_api_request requests[] = {
    {.path = "/api/v1/pushfight/position", .query = "rules=hook"},
    {.path = "/api/v1/pushfight/moves", .query = "rules=hook"},
    {.path = "/api/v1/pushfight/line", .query = "rules=hook&limit=2"},
    {.path = "/api/v1/pushfight/play", .query = "rules=hook&level=hard&aggressive=1&seed=3"},
    {.path = "/api/v1/pushfight/positions",
     .query = "rules=hook",
     .post = true,
     .body = three,
     .body_length = sizeof three - 1},
};
enum { REQUESTS = sizeof requests / sizeof requests[0] };

static kz_api *api_with(const kz_table *table) {
    kz_api *api = kz_api_new();
    assert_non_null(api);
    assert_int_equal(kz_api_use(api, table, NULL), KZ_OK);
    kz_api_limit(api, 60); /* as long as it takes under a sanitizer */
    return api;
}

TEST(test_questions) {
    download *d = *state;
    kz_api *all = api_with(whole);
    for (size_t i = 0; i < REQUESTS; i++) {
        json_t *expected = answered(all, &requests[i], 200);
        kz_table *table = open_without_blocks(d);
        kz_api *api = api_with(table);
        refuses(api, &requests[i], 503, "is not loaded yet");
        int status = 503;
        for (int rounds = 0; status == 503; rounds++) {
            kz_api_answer answer;
            assert_true(rounds < 5 && d->wanted_pages > 0);
            arrive(d);
            kz_api_ask(api, &requests[i], &answer);
            status = answer.status;
            kz_api_answer_free(&answer);
        }
        json_t *got_now = answered(api, &requests[i], 200);
        assert_true(json_equal(got_now, expected));
        kz_api_free(api);
        kz_table_close(table);
    }
    kz_api_free(all);
}

TEST(test_questions_and_damage) {
    download *d = *state;
    bool here[PAGES_MOST];
    kz_table *table = open_damaged(d, here);
    kz_api *api = api_with(table);
    for (size_t i = 0; i < REQUESTS; i++) {
        refuses(api, &requests[i], 500, "is damaged");
    }
    kz_api_free(api);
    kz_table_close(table);
    repair(d, here);
}

/* ---- Engines ----------------------------------------------------------------------------------------------------- */

/* It says that the table is damaged, does not ask it again, and moves all the same. */
TEST(test_engine_and_damage) {
    download *d = *state;
    bool here[PAGES_MOST];
    kz_table *table = open_damaged(d, here);
    usi_session *session = usi_session_new("pushfight", KZ_PROTOCOL_USI, table);
    assert_non_null(session);
    assert_int_equal(kz_usi_set(session->usi, "Rules", "hook", NULL), KZ_OK);
    static const char *const lines[] = {"isready", "position startpos", "go", "go"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        bool goes_on;
        assert_null(usi_send(session, lines[i], strlen(lines[i]), &goes_on));
        assert_true(goes_on);
        if (strcmp(lines[i], "isready") == 0) {
            assert_non_null(strstr(session->answer, "is damaged"));
        }
    }
    assert_null(strstr(session->answer, "is damaged"));
    const char *last = usi_last_line(session);
    kz_position start;
    kz_move move;
    kz_start(game, hook, &start);
    assert_true(usi_starts(last, "bestmove "));
    assert_int_equal(kz_move_parse(game, hook, &start, last + 9, strcspn(last + 9, " \n"), &move, NULL), KZ_OK);
    usi_session_free(session);
    kz_table_close(table);
    repair(d, here);
}

/* ---- What goes over the whole table ------------------------------------------------------------------------------ */

static kz_status check(const kz_table *table, kz_error *error) { return kz_table_check(table, NULL, error); }

static kz_status longest(const kz_table *table, kz_error *error) {
    kz_found found[5];
    size_t count;
    return kz_collect_longest(table, 5, 1, NULL, found, &count, error);
}

static kz_status puzzles(const kz_table *table, kz_error *error) {
    kz_puzzle_wish wish = {.per_length = 1, .threads = 1};
    kz_puzzle *list = NULL;
    size_t count;
    kz_status status = kz_collect_puzzles(table, &wish, NULL, &list, &count, error);
    free(list);
    return status;
}

static kz_status csv(const kz_table *table, kz_error *error) {
    kz_export_options options = {.threads = 1};
    uint64_t written;
    return kz_export_csv(table, "list.csv", 0, 0, &options, &written, error);
}

static kz_status sampled_csv(const kz_table *table, kz_error *error) {
    kz_export_options options = {.threads = 1};
    uint64_t written;
    return kz_export_csv(table, "list.csv", 20, 0, &options, &written, error);
}

static kz_status values_file(const kz_table *table, kz_error *error) {
    kz_pushfight_values_report report;
    return kz_pushfight_values(table, 1, false, "values", false, NULL, &report, error);
}

static kz_status minimized_file(const kz_table *table, kz_error *error) {
    kz_pushfight_values_report report;
    return kz_pushfight_values(table, 1, true, "values", false, NULL, &report, error);
}

static kz_status openings(const kz_table *table, kz_error *error) {
    kz_pushfight_openings_report report = {0};
    kz_status status = kz_pushfight_openings(table, 1, NULL, &report, error);
    kz_pushfight_openings_free(&report);
    return status;
}

TEST(test_whole_tables) {
    download *d = *state;
    static const struct {
        const char *name;
        kz_status (*run)(const kz_table *table, kz_error *error);
    } uses[] = {{"check", check},
                {"longest", longest},
                {"puzzles", puzzles},
                {"csv", csv},
                {"sampled csv", sampled_csv},
                {"values", values_file},
                {"minimized", minimized_file},
                {"openings", openings}};
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
        kz_error error = {.status = KZ_OK};
        bool here[PAGES_MOST];
        kz_table *table = open_without_blocks(d);
        kz_status status = uses[i].run(table, &error);
        if (status != KZ_ERR_IO || error.status != status || !strstr(error.message, "loaded yet")) {
            fail_msg("%s without blocks: %s: %s", uses[i].name, kz_status_name(status), error.message);
        }
        kz_table_close(table);
        table = open_damaged(d, here);
        status = uses[i].run(table, &error);
        if (status != KZ_ERR_CORRUPT || error.status != status || !strstr(error.message, "is damaged")) {
            fail_msg("%s with damaged blocks: %s: %s", uses[i].name, kz_status_name(status), error.message);
        }
        kz_table_close(table);
        repair(d, here);
        assert_int_not_equal(access("list.csv", F_OK), 0);
        assert_int_not_equal(access("values", F_OK), 0);
    }
}

TESTS(setup, teardown)
