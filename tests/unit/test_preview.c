/* SPDX-License-Identifier: MIT
 * labels: server
 *
 * Links to share: the page that they answer with, and the image that it names; and the longest wins, which a server
 * keeps. */
#include "tests/support/api_answers.h"
#include "tests/support/tables.h"

#include "app/api/question.h"

#include <kanzen/collect.h>
#include <stdlib.h>

/* The caller frees the page. */
static char *page(const kz_api *api, const char *path, const char *query, int status) {
    kz_api_answer answer;
    assert_true(kz_is_preview(path));
    kz_api_preview(api, &(kz_api_request){.path = path, .query = query}, "https://example.org", &answer);
    assert_int_equal(answer.status, status);
    assert_string_equal(answer.type, "text/html; charset=utf-8");
    assert_int_equal(strlen(answer.body), answer.length);
    return answer.body;
}

static void has(const char *text, const char *part) {
    if (!strstr(text, part)) {
        fail_msg("'%s' is not in: %s", part, text);
    }
}

TEST(test_page) {
    const api_fixture *f = *state;
    char *html = page(f->api, "/share/dobutsu", "pos=gle/1c1/1C1/ELG+b+-+1&played=2c2b&rules=official", 200);
    has(html, "<meta http-equiv=\"refresh\" content=\"0; "
              "url=../#/play/dobutsu/official?start=gle/1c1/1C1/ELG_b_-_1&amp;moves=2c2b\">");
    has(html, "<meta property=\"og:image\" content=\"https://example.org/api/v1/dobutsu/"
              "png?pos=gle/1c1/1C1/ELG+b+-+1&amp;played=2c2b&amp;rules=official\">");
    has(html, "<meta property=\"og:title\" content=\"Gote to move\">"); /* there is no table of it here */
    has(html, "<a href=\"../#/play/dobutsu/official?start=gle/1c1/1C1/ELG_b_-_1&amp;moves=2c2b\">");
    free(html);
    /* Several moves, and a character that is percent-encoded */
    html = page(f->api, "/share/dobutsu", "played=++2c2b++3a3b+", 200);
    has(html, "url=../#/play/dobutsu/official?moves=2c2b.3a3b\"");
    free(html);
    html = page(f->api, "/share/dobutsu", "played=2c2b+3a3b&at=1", 200);
    has(html, "url=../#/play/dobutsu/official?moves=2c2b.3a3b&amp;at=1\"");
    has(html, "content=\"Gote to move\"");
    free(html);
    html = page(f->api, "/share/dobutsu", "pos=gle/3/1%2BC1/ELG+b+C+1", 200);
    has(html, "?start=gle/3/1%2BC1/ELG_b_C_1\"");
    free(html);
}

/* The title says what the table says. */
TEST(test_value) {
    const api_fixture *f = *state;
    kz_position start;
    kz_value value;
    char expected[100];
    const kz_game *game = kz_table_game(f->raft);
    kz_start(game, kz_table_rules(f->raft), &start);
    assert_int_equal(kz_probe(f->raft, &start, &value, NULL), KZ_OK);
    assert_true(value.outcome == KZ_WIN || value.outcome == KZ_LOSS);
    snprintf(expected, sizeof expected, "content=\"Red to move: %s in %d turns\"",
             value.outcome == KZ_WIN ? "wins" : "loses", kz_distance_shown(game, value));
    char *html = page(f->api, "/share/pushfight", "rules=raft", 200);
    has(html, expected);
    has(html, "url=../#/play/pushfight/raft\"");
    free(html);
}

/* Nothing that is asked becomes a part of the page's own text. */
TEST(test_bad_links) {
    const api_fixture *f = *state;
    static const struct {
        const char *path, *query;
        int status;
    } bad[] = {
        {"/share/dobutsu", "pos=zzz", 400},    {"/share/dobutsu", "played=2c2b&at=x", 400},
        {"/share/nothing", NULL, 404},         {"/share/", NULL, 404},
        {"/share/dobutsu", "rules=x", 400},    {"/share/dobutsu", "played=x", 400},
        {"/share/dobutsu", "level=easy", 400}, {"/share/dobutsu/position", NULL, 404},
        {"/share/<script>", NULL, 404},        {"/share/dobutsu", "pos=<b>\"&x=y", 400},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *html = page(f->api, bad[i].path, bad[i].query, bad[i].status);
        has(html, "This link is broken: ");
        has(html, "<a href=\"../\">");
        assert_null(strstr(html, "<script"));
        assert_null(strstr(html, "<b>"));
        free(html);
    }
    char *html = page(f->api, "/share/dobutsu", "pos=startpos&played=%22%3E%3Cb%3E", 400);
    assert_null(strstr(html, "<b>"));
    free(html);
    assert_false(kz_is_preview("/shares/dobutsu"));
}

TEST(test_image) {
    const api_fixture *f = *state;
    kz_api_answer answer;
    kz_api_request request = {.path = "/api/v1/pushfight/png", .query = "rules=raft"};
    kz_api_ask(f->api, &request, &answer);
    assert_int_equal(answer.status, 200);
    assert_string_equal(answer.type, "image/png");
    assert_memory_equal(answer.body, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x04\xb0\0\0\x02\x76", 24); /* 1200 x 630 */
    kz_api_answer_free(&answer);
    assert_int_equal(kz_api_cost_of(f->api, &request), KZ_API_LOOKUPS);
    char tag[KZ_API_TAG_BYTES];
    assert_true(kz_api_tag(f->api, &request, tag));
    refuses_get(f->api, "/api/v1/dobutsu/png", "pos=x", 400, "character 1");
}

/* What the library collects, with a best move that keeps the value. */
TEST(test_longest) {
    const api_fixture *f = *state;
    const kz_game *game = kz_table_game(f->raft);
    int rules = kz_table_rules(f->raft);
    kz_found found[100];
    size_t count;
    assert_int_equal(kz_collect_longest(f->raft, 100, 1, NULL, found, &count, NULL), KZ_OK);
    for (int again = 0; again < 2; again++) {
        json_t *answer = got(f->api, "/api/v1/pushfight/longest", "rules=raft&count=3");
        json_t *positions = json_object_get(answer, "positions");
        assert_int_equal(json_array_size(positions), count < 3 ? count : 3);
        for (size_t i = 0; i < json_array_size(positions); i++) {
            json_t *one = json_array_get(positions, i);
            char text[KZ_TEXT_BYTES];
            kz_move move;
            kz_value value;
            kz_position after = found[i].position;
            assert_int_equal(kz_format(game, &found[i].position, 0, text, sizeof text, NULL), KZ_OK);
            assert_string_equal(text_in(one, "position"), text);
            has_value(one, "win", found[i].value.distance);
            const char *best = text_in(one, "move");
            assert_int_equal(kz_move_parse(game, rules, &after, best, strlen(best), &move, NULL), KZ_OK);
            kz_play(game, rules, &after, move);
            assert_int_equal(kz_probe(f->raft, &after, &value, NULL), KZ_OK);
            assert_int_equal(value.outcome, KZ_LOSS);
            assert_int_equal(value.distance, found[i].value.distance - 1);
        }
    }
    assert_int_equal(
        kz_api_cost_of(f->api, &(kz_api_request){.path = "/api/v1/pushfight/longest", .query = "rules=raft"}),
        KZ_API_SEARCH);
    refuses_get(f->api, "/api/v1/dobutsu/longest", NULL, 404, "there is no table");
    refuses_get(f->api, "/api/v1/pushfight/longest", "rules=raft&count=0", 400,
                "count has to be a number from 1 to 100");
}

/* Another table for the same rules: what was kept of the one before is forgotten. */
TEST(test_longest_of_replaced) {
    kz_api *api = kz_api_new();
    kz_table *first = solved_board("hook"), *second;
    assert_int_equal(kz_api_use(api, first, NULL), KZ_OK);
    json_t *before = got(api, "/api/v1/pushfight/longest", "rules=hook");
    second = solved_board("hook");
    assert_int_equal(kz_api_use(api, second, NULL), KZ_OK);
    kz_table_close(first);
    json_t *after = got(api, "/api/v1/pushfight/longest", "rules=hook");
    assert_true(json_equal(before, after));
    kz_api_free(api);
    kz_table_close(second);
}

TESTS(open_api, close_api)
