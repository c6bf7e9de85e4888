/* SPDX-License-Identifier: MIT */
#include "tests/support/wasm_compare.h"

enum { WASM_SKIPPED = 77, WASM_URL_BYTES = 4 * KZ_TEXT_BYTES };

int wasm_build(void) {
    char command[2048];
    const char *source = getenv("KANZEN_SOURCE");
    if (!source || system("node --version >/dev/null 2>&1") != 0) {
        return WASM_SKIPPED;
    }
    snprintf(command, sizeof command, "'%s/tools/wasm' kanzen.wasm", source);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* Percent-encodes all but letters and digits. */
static void wasm_encode(const char *text, char url[WASM_URL_BYTES]) {
    size_t used = 0;
    for (; *text && used + 4 < WASM_URL_BYTES; text++) {
        unsigned char c = (unsigned char)*text;
        bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        used += (size_t)snprintf(url + used, 4, plain ? "%c" : "%%%02X", c);
    }
    url[used] = '\0';
}

/* Has the library answer a request, and notes both down. `position` NULL: GET. */
static void wasm_ask(wasm_compare *c, const char *path, const char *query, const char *position) {
    char body[KZ_TEXT_BYTES + 32];
    kz_api_request request = {.path = path, .query = query, .post = position != NULL};
    if (position) {
        request.body = body;
        request.body_length = (size_t)snprintf(body, sizeof body, "{\"positions\":[\"%s\"]}", position);
    }
    kz_api_answer answer;
    kz_api_ask(c->api, &request, &answer);
    assert_non_null(answer.body);
    assert_int_equal(strlen(answer.body), answer.length);
    fprintf(c->requests, "%s\t%s\t%s\n", path, query, position ? position : "GET");
    fprintf(c->answers, "%d\n%s\n", answer.status, answer.body);
    kz_api_answer_free(&answer);
    c->count++;
}

/* All questions about one position. */
static void wasm_ask_all(wasm_compare *c, const kz_position *position, int number) {
    char text[KZ_TEXT_BYTES];
    char url[WASM_URL_BYTES];
    char path[128];
    char query[WASM_URL_BYTES + 256];
    const char *game = kz_game_name(c->game);
    const char *rules = kz_rules_name(c->game, c->rules);
    int notations = 1; /* every game has one */
    while (kz_notation_name(c->game, notations)) {
        notations++;
    }
    if (kz_format(c->game, position, number % notations, text, sizeof text, NULL) != KZ_OK) {
        assert_int_equal(kz_format(c->game, position, 0, text, sizeof text, NULL), KZ_OK);
    }
    wasm_encode(text, url);
    static const char *const questions[] = {"position", "moves", "legal"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "/api/v1/%s/%s", game, questions[i]);
        snprintf(query, sizeof query, "pos=%s&rules=%s", url, rules);
        wasm_ask(c, path, query, NULL);
    }
    snprintf(path, sizeof path, "/api/v1/%s/line", game);
    snprintf(query, sizeof query, "pos=%s&rules=%s&limit=%d", url, rules, 5 + number);
    wasm_ask(c, path, query, NULL);
    snprintf(path, sizeof path, "/api/v1/%s/play", game);
    snprintf(query, sizeof query, "pos=%s&rules=%s&level=%s&aggressive=%d&seed=%d", url, rules,
             kz_level_name(number % 6), number % 2, number);
    wasm_ask(c, path, query, NULL);
    if (!strchr(text, '\n')) { /* a line of the file is a request */
        snprintf(path, sizeof path, "/api/v1/%s/positions", game);
        snprintf(query, sizeof query, "rules=%s", rules);
        wasm_ask(c, path, query, text);
    }
}

/* Random games. */
static void wasm_ask_games(wasm_compare *c, int games, int plies) {
    uint64_t seed = 4711;
    kz_move *moves = malloc(KZ_MAX_MOVES * sizeof *moves);
    assert_non_null(moves);
    for (int i = 0; i < games; i++) {
        kz_position position;
        kz_start(c->game, c->rules, &position);
        for (int ply = 0; ply < plies; ply++) {
            wasm_ask_all(c, &position, i * plies + ply);
            int count = kz_moves(c->game, c->rules, &position, moves);
            if (count == 0) {
                break;
            }
            kz_play(c->game, c->rules, &position, moves[sample_below(&seed, count)]);
        }
    }
    free(moves);
}

/* What is about no position, or about no good one. Not the description of the API: that is a file of the page. */
static void wasm_ask_others(wasm_compare *c) {
    static const char *const requests[][2] = {
        {"/api/v1/games", ""},
        {"/healthz", ""},
        {"/api/v1/dobutsu/legal", ""},
        {"/api/v1/dobutsu/legal", "pos=gle%2F1c1%2F1C1%2FELG+b+-+1"},
        {"/api/v1/pushfight/legal", "rules=mini"},
        {"/api/v1/dobutsu/svg", "played=2c2b"},
        {"/api/v1/dobutsu/legal", "played=2c2b+2c2b"},
        {"/api/v1/pushfight/table", "rules=mini"},
        {"/api/v1/dobutsu/table", "rules=official"},
        {"/api/v1/dobutsu/position", "pos=nonsense"},
        {"/api/v1/dobutsu/position", "pos=%"},
        {"/api/v1/dobutsu/position", "rules=none"},
        {"/api/v1/dobutsu/position", "moves=-1"},
        {"/api/v1/dobutsu/play", "level=genius"},
        {"/api/v1/chess/position", ""},
        {"/api/v1/dobutsu/nothing", ""},
        {"/api/v2/games", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        wasm_ask(c, requests[i][0], requests[i][1], NULL);
    }
    wasm_ask(c, "/api/v1/dobutsu/positions", "rules=official", "nonsense");
}

void wasm_compare_all(const char *game, const char *rules, const char *table_path, int games, int plies) {
    wasm_compare c = {.game = kz_game_find(game), .api = kz_api_new()};
    kz_table *table = NULL;
    c.rules = kz_rules_find(c.game, rules);
    assert_non_null(c.api);
    assert_int_equal(kz_table_open(table_path, &table, NULL), KZ_OK);
    assert_int_equal(kz_api_use(c.api, table, NULL), KZ_OK);
    c.requests = fopen("requests", "w");
    c.answers = fopen("expected", "w");
    assert_non_null(c.requests);
    assert_non_null(c.answers);
    wasm_ask_games(&c, games, plies);
    wasm_ask_others(&c);
    fclose(c.requests);
    fclose(c.answers);
    char command[2048];
    snprintf(command, sizeof command, "node '%s/tests/support/wasm_ask.mjs' kanzen.wasm requests answers '%s'",
             getenv("KANZEN_SOURCE"), table_path);
    assert_int_equal(system(command), 0);
    assert_true(c.count > 50);
    assert_int_equal(system("cmp expected answers"), 0);
    kz_api_free(c.api);
    kz_table_close(table);
}
