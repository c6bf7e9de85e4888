/* SPDX-License-Identifier: MIT
 *
 * The plain Push Fight: rules by examples, indices and values by what is published, small boards by the definition of
 * their values. */
#include "tests/support/forge.h"
#include "tests/support/pushfight_testing.h"

#include "games/pushfight/check/plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STANDARD = 0, CORRIDOR = 5, RAFT = 6, HOOK = 7 };

static kz_pf_plain *open_board(int number) {
    kz_pf_plain *plain = NULL;
    assert_int_equal(kz_pf_plain_open(kz_pf_board_at(number), &plain, NULL), KZ_OK);
    return plain;
}

static void read_codes(const kz_pf_plain *plain, const char *text, uint8_t *codes) {
    assert_int_equal(strlen(text), plain->squares);
    for (int square = 0; square < plain->squares; square++) {
        const char *letter = strchr(KZ_PF_PLAIN_LETTERS, text[square]);
        assert_non_null(letter);
        codes[square] = (uint8_t)(letter - KZ_PF_PLAIN_LETTERS);
    }
}

static void write_codes(const kz_pf_plain *plain, const uint8_t *codes, char *text) {
    for (int square = 0; square < plain->squares; square++) {
        text[square] = KZ_PF_PLAIN_LETTERS[codes[square]];
    }
    text[plain->squares] = '\0';
}

/* ---- The board -------------------------------------------------------------------------------------------------- */

TEST(test_board_names) {
    assert_string_equal(kz_pf_board_at(STANDARD)->name, "standard");
    assert_string_equal(kz_pf_board_at(CORRIDOR)->name, "corridor");
    assert_string_equal(kz_pf_board_at(RAFT)->name, "raft");
    assert_string_equal(kz_pf_board_at(HOOK)->name, "hook");
}

TEST(test_neighbours) {
    static const int falls_from[] = {0, 4, 5, 6, 12, 13, 19, 20, 21, 25};
    kz_pf_plain *plain = open_board(STANDARD);
    bool falls[KZ_PF_MOST_SQUARES] = {false};
    assert_int_equal(plain->squares, 26);
    for (size_t i = 0; i < sizeof falls_from / sizeof *falls_from; i++) {
        falls[falls_from[i]] = true;
    }
    for (int square = 0; square < plain->squares; square++) {
        const int *beside = plain->beside[square];
        bool found = false;
        for (int d = 0; d < KZ_PF_DIRECTIONS; d++) {
            found = found || beside[d] == KZ_PF_PLAIN_FALL;
        }
        assert_int_equal(found, falls[square]);
        assert_int_equal(beside[KZ_PF_UP] == KZ_PF_PLAIN_RAIL, square < 5);
        assert_int_equal(beside[KZ_PF_DOWN] == KZ_PF_PLAIN_RAIL, square >= 21);
        assert_true(beside[KZ_PF_LEFT] == square - 1 || beside[KZ_PF_LEFT] == KZ_PF_PLAIN_FALL);
        assert_true(beside[KZ_PF_RIGHT] == square + 1 || beside[KZ_PF_RIGHT] == KZ_PF_PLAIN_FALL);
    }
    assert_int_equal(plain->beside[0][KZ_PF_DOWN], 7);
    assert_int_equal(plain->beside[7][KZ_PF_UP], 0);
    assert_int_equal(plain->beside[7][KZ_PF_DOWN], 15);
    assert_int_equal(plain->beside[14][KZ_PF_DOWN], 21);
    assert_int_equal(plain->beside[25][KZ_PF_UP], 18);
    assert_int_equal(plain->beside[12][KZ_PF_LEFT], 11);
    assert_int_equal(plain->beside[12][KZ_PF_RIGHT], KZ_PF_PLAIN_FALL);
    kz_pf_plain_close(plain);
}

/* ---- The index -------------------------------------------------------------------------------------------------- */

/* n! / (c0! c1! ...), as a product of binomial coefficients. */
static uint64_t arrangements(const int *left) {
    uint64_t product = 1;
    uint64_t n = 0;
    for (int code = 0; code < KZ_PF_PLAIN_CODES; code++) {
        uint64_t binomial = 1;
        for (int k = 1; k <= left[code]; k++) {
            binomial = binomial * ++n / (uint64_t)k;
        }
        product *= binomial;
    }
    return product;
}

/* Before an arrangement come all those that agree with it up to a square and have a smaller code there. */
static uint64_t rank_by_definition(const kz_pf_plain *plain, const uint8_t *codes) {
    uint64_t index = 0;
    int left[KZ_PF_PLAIN_CODES];
    memcpy(left, plain->pieces, sizeof left);
    for (int square = 0; square < plain->squares; square++) {
        for (int smaller = 0; smaller < codes[square]; smaller++) {
            if (left[smaller] > 0) {
                left[smaller]--;
                index += arrangements(left);
                left[smaller]++;
            }
        }
        left[codes[square]]--;
    }
    return index;
}

TEST(test_permutations) {
    for (int number = 0; kz_pf_board_at(number); number++) {
        kz_pf_plain *plain = open_board(number);
        uint64_t random = 88172645463325252;
        assert_int_equal(plain->permutations, arrangements(plain->pieces));
        for (int i = 0; i < 500; i++) {
            uint8_t codes[KZ_PF_MOST_SQUARES];
            uint64_t index = next_random(&random) % plain->permutations;
            kz_pf_plain_unrank(plain, index, codes);
            assert_int_equal(kz_pf_plain_rank(plain, codes), index);
            assert_int_equal(rank_by_definition(plain, codes), index);
        }
        kz_pf_plain_close(plain);
    }
}

TEST(test_published_indices) {
    static const struct {
        uint64_t index;
        const char *text;
        bool fits;
    } examples[] = {
        {0, "................ooOOOxxXXY", false},
        {1, "................ooOOOxxXYX", false},
        {19301938593, ".....OOxY....oxX.....oX..O", true},
        {28407689520, "....o.O.YxoO.Xx....X.O....", true},
        {111281287018, "..OoO..X......oxY..XO..x..", true},
        {194131815839, ".OX.....oxY....Oox.....OX.", true},
        {200783583000, ".x...O..o...X.OXx.OY.....o", true},
        {243411482160, ".Yo...............oOOOxxXX", true},
        {243411482161, ".Yo...............oOOOxXxX", true},
        {244001970316, ".YoO....xx...OX...X.o..O..", true},
        {247024261032, ".YXx...o......OoOO..xX....", true},
        {316452211876, "Ox..xO...X.Y...oO.X...o...", true},
        {349617805883, "xOOOXoo...XYx.............", true},
        {384830488047, "XXxxOOOo...............oY.", true},
        {401567165999, "YXXxxOOOoo................", false},
    };
    kz_pf_plain *plain = open_board(STANDARD);
    assert_int_equal(plain->permutations, 401567166000);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        uint8_t codes[KZ_PF_MOST_SQUARES];
        char text[KZ_PF_MOST_SQUARES + 1];
        kz_pf_plain_unrank(plain, examples[i].index, codes);
        write_codes(plain, codes, text);
        assert_string_equal(text, examples[i].text);
        assert_int_equal(kz_pf_plain_rank(plain, codes), examples[i].index);
        assert_int_equal(kz_pf_plain_anchor_fits(plain, codes), examples[i].fits);
    }
    kz_pf_plain_close(plain);
}

TEST(test_half_turn) {
    kz_pf_plain *plain = open_board(STANDARD);
    uint8_t codes[KZ_PF_MOST_SQUARES];
    uint8_t turned[KZ_PF_MOST_SQUARES];
    read_codes(plain, ".Yo...............oOOOxxXX", codes);
    kz_pf_plain_turn_board(plain, codes, turned);
    assert_int_equal(kz_pf_plain_rank(plain, turned), 384830488047);
    kz_pf_plain_close(plain);
}

/* ---- The published index of positions whose anchor fits ---------------------------------------------------------- */

/* Positions are ordered by the pieces around the anchor first, then by all others in the order of their squares. Tries
 * one arrangement of the former: if the index is one of its positions, makes it and returns true; otherwise skips
 * them. */
static bool unrank_around(uint64_t *index, int around, const int *squares, const int *codes_there, uint8_t *codes) {
    enum { NOTHING = 0xFF };
    int left[KZ_PF_PLAIN_CODES] = {16, 2, 3, 2, 2, 1};
    memset(codes, NOTHING, KZ_PF_MOST_SQUARES);
    for (int i = 0; i < around; i++) {
        codes[squares[i]] = (uint8_t)codes_there[i];
        if (--left[codes_there[i]] < 0) {
            return false;
        }
    }
    if (*index >= arrangements(left)) {
        *index -= arrangements(left);
        return false;
    }
    for (int square = 0; square < KZ_PF_MOST_SQUARES; square++) {
        for (int code = 0; codes[square] == NOTHING; code++) {
            if (left[code] == 0) {
                continue;
            }
            left[code]--;
            if (*index < arrangements(left)) {
                codes[square] = (uint8_t)code;
            } else {
                *index -= arrangements(left);
                left[code]++;
            }
        }
    }
    return true;
}

static bool unrank_minimized(uint64_t index, uint8_t *codes) {
    static const int anchors[] = {1, 2, 3, 6, 7, 8, 9, 10, 11};
    enum { Y = KZ_PF_PLAIN_ANCHORED }; /* the others have smaller codes */
    for (size_t i = 0; i < sizeof anchors / sizeof *anchors; i++) {
        int a = anchors[i];
        for (int two = 0; two < Y * Y; two++) {
            int left = two / Y;
            int right = two % Y;
            if ((left == 0) != (right == 0) &&
                unrank_around(&index, 3, (int[]){a, a - 1, a + 1}, (int[]){Y, left, right}, codes)) {
                return true;
            }
        }
        for (int four = 0; a >= 7 && four < Y * Y * Y * Y; four++) {
            int top = four / (Y * Y * Y);
            int left = four / (Y * Y) % Y;
            int right = four / Y % Y;
            int bottom = four % Y;
            if ((left == 0) == (right == 0) && (top == 0) != (bottom == 0) &&
                unrank_around(&index, 5, (int[]){a, a - 7, a - 1, a + 1, a + 8}, (int[]){Y, top, left, right, bottom},
                              codes)) {
                return true;
            }
        }
    }
    return false;
}

TEST(test_minimized_indices) {
    static const struct {
        uint64_t minimized;
        uint64_t index;
    } examples[] = {
        {0, 243411482160},          {1, 243411482161},           {43104065760, 28407689520},
        {590488156, 244001970316},  {3612778872, 247024261032},  {86208131519, 349617805883},
        {46788934353, 19301938593}, {69810189839, 194131815839}, {85628664413, 316452211876},
    };
    kz_pf_plain *plain = open_board(STANDARD);
    uint8_t codes[KZ_PF_MOST_SQUARES];
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        assert_true(unrank_minimized(examples[i].minimized, codes));
        assert_int_equal(kz_pf_plain_rank(plain, codes), examples[i].index);
    }
    assert_false(unrank_minimized(86208131520, codes));
    kz_pf_plain_close(plain);
}

/* ---- Turns ------------------------------------------------------------------------------------------------------ */

typedef struct listing {
    const kz_pf_plain *plain;
    bool pushes_only; /* only turns without moves */
    size_t length;
    char text[1024];
} listing;

static bool list_turn(void *context, const kz_pf_plain_turn *turn, const uint8_t *next) {
    listing *l = context;
    char after[KZ_PF_MOST_SQUARES + 1] = "off";
    if (l->pushes_only && turn->moves > 0) {
        return true;
    }
    if (next) {
        write_codes(l->plain, next, after);
        assert_true(kz_pf_plain_anchor_fits(l->plain, next));
    }
    for (int i = 0; i <= turn->moves; i++) {
        l->length +=
            (size_t)snprintf(l->text + l->length, sizeof l->text - l->length, "%d-%d ", turn->from[i], turn->to[i]);
    }
    l->length += (size_t)snprintf(l->text + l->length, sizeof l->text - l->length, "%s;", after);
    assert_true(l->length < sizeof l->text);
    return true;
}

static void assert_listing(int board, const char *position, bool pushes_only, const char *expected) {
    kz_pf_plain *plain = open_board(board);
    listing l = {.plain = plain, .pushes_only = pushes_only};
    uint8_t codes[KZ_PF_MOST_SQUARES];
    read_codes(plain, position, codes);
    assert_true(kz_pf_plain_turns(plain, codes, list_turn, &l));
    assert_string_equal(l.text, expected);
    kz_pf_plain_close(plain);
}

/* The corridor's squares are 0 to 4 above 5 to 9. Nothing leaves it but to the left and to the right. */
TEST(test_pushes) {
    assert_listing(CORRIDOR, "..O.xo...Y", true, ""); /* nothing beside it */
    assert_listing(CORRIDOR, ".Oxo.....Y", true, "1-2 ..Yox....O;");
    assert_listing(CORRIDOR, ".Ox.Yo....", true, "1-2 ..YoOx....;");
    assert_listing(CORRIDOR, "xO.....o.Y", true, "1-0 off;");
    assert_listing(CORRIDOR, "oO.....x.Y", true, ""); /* not one's own piece */
    assert_listing(CORRIDOR, "..Oox....Y", true, "2-3 off;");
    assert_listing(CORRIDOR, "..Oxo....Y", true, "");
    assert_listing(CORRIDOR, "..O..Y.x.o", true, ""); /* the railing below */
    assert_listing(CORRIDOR, "Y.x.o..O..", true, ""); /* the one above */
    assert_listing(CORRIDOR, "YO..o....x", true, ""); /* the anchor, beside it or further on */
    assert_listing(CORRIDOR, ".OxY.o....", true, "");
    assert_listing(CORRIDOR, "XO..o....x", true, "1-0 off;"); /* before the first turn there is none */
}

/* The hook:  0 1 2 3      with a railing above 0 to 3 only
 *            4 5 6 7 8
 *                  9 10 */
TEST(test_pushes_up_and_down) {
    assert_listing(HOOK, "YX.oO...x.O", true, "10-8 off;");
    assert_listing(HOOK, "O..YxoX...O", true, "0-4 off;");
    assert_listing(HOOK, "O..XoxY...O", true, ""); /* its own mover is below it, and the anchor stands still */
    assert_listing(HOOK, "...x..oO.XO", true, "7-6 ...o.xY..OX;7-9 off;10-9 off;");
}

TEST(test_turns) {
    assert_listing(CORRIDOR, "Ox...oY...", false, "0-1 .Yo..xO...;");
    /* Both own pieces share four squares, 0, 1, 5 and 6, and must end up so that a push is left. */
    assert_listing(CORRIDOR, ".Ox...oY..", false,
                   "1-2 ..Yo..xO..;"
                   "1-0 6-1 0-1 .Yxo...O..;"
                   "6-5 1-2 ..Yo.x.O..;"
                   "6-0 1-2 x.Yo...O..;");
}

/* ---- Published values ------------------------------------------------------------------------------------------- */

static bool stop(void *context, const kz_pf_plain_turn *turn, const uint8_t *next) {
    (void)context;
    (void)turn;
    (void)next;
    return false;
}

static bool has_turn(const kz_pf_plain *plain, const uint8_t *codes) {
    return !kz_pf_plain_turns(plain, codes, stop, NULL);
}

static bool stays_on_board(void *context, const kz_pf_plain_turn *turn, const uint8_t *next) {
    (void)context;
    (void)turn;
    return next != NULL;
}

static bool wins_at_once(const kz_pf_plain *plain, const uint8_t *codes) {
    return !kz_pf_plain_turns(plain, codes, stays_on_board, NULL);
}

static bool enemy_wins_at_once(void *context, const kz_pf_plain_turn *turn, const uint8_t *next) {
    (void)turn;
    return next && wins_at_once(context, next);
}

TEST(test_lost_positions) {
    kz_pf_plain *plain = open_board(STANDARD);
    int all = 0;
    int fit = 0;
    unsigned long long index;
    FILE *file = open_source("tests/data/pushfight/lost-permutation-indices.txt");
    while (fscanf(file, "%llu", &index) == 1) {
        uint8_t codes[KZ_PF_MOST_SQUARES];
        assert_true(index < plain->permutations);
        kz_pf_plain_unrank(plain, index, codes);
        assert_false(has_turn(plain, codes));
        all++;
        fit += kz_pf_plain_anchor_fits(plain, codes);
    }
    fclose(file);
    assert_int_equal(all, 648);
    assert_int_equal(fit, 624);
    kz_pf_plain_close(plain);
}

/* Some of the published table: up to a loss in 1 turn the rules alone tell the value. */
TEST(test_published_values) {
    static const struct {
        int value;
        uint64_t minimized;
    } samples[] = {
        {0, 590488156},   {0, 9890938954},  {0, 23495926157}, {0, 44539183621}, {0, 57783725384}, {0, 72834139978},
        {1, 34258815369}, {1, 34258864325}, {1, 34421488952}, {1, 46788941555}, {2, 114820139},   {2, 3910429885},
        {2, 6535486520},  {2, 13358711824}, {2, 20806936236}, {2, 27290165153}, {2, 32868557045}, {2, 36559163658},
        {2, 40918661318}, {2, 46565673976}, {2, 50135009319}, {2, 54935437241}, {2, 61912604474}, {2, 66115845342},
        {2, 74628976050}, {2, 79738554284}, {3, 1818014801},  {3, 12772839622}, {3, 16621007741}, {3, 27152845327},
        {3, 37186624545}, {3, 52004666603}, {3, 65723319310}, {3, 75209097860}, {4, 1013024316},  {4, 13460586479},
        {4, 22697857385}, {4, 37465118624}, {4, 52618063085}, {4, 68570088723}, {5, 35445372},    {11, 87070829},
        {17, 141102430},  {23, 740427062},  {29, 154809102},  {35, 386231230},  {41, 944716532},  {47, 136563544},
        {53, 18853189},   {59, 407226384},  {65, 389720021},  {71, 246615954},  {77, 59114437},   {83, 2795818679},
        {89, 2216232405}, {95, 630670916},  {97, 3610339470}, {98, 17242313414}};
    kz_pf_plain *plain = open_board(STANDARD);
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        uint8_t codes[KZ_PF_MOST_SQUARES];
        int value = samples[i].value;
        assert_true(unrank_minimized(samples[i].minimized, codes));
        assert_true(kz_pf_plain_anchor_fits(plain, codes));
        assert_int_equal(!has_turn(plain, codes), value == 1);
        assert_int_equal(wins_at_once(plain, codes), value == 2);
        assert_int_equal(kz_pf_plain_turns(plain, codes, enemy_wins_at_once, plain), value == 1 || value == 3);
    }
    kz_pf_plain_close(plain);
}

/* ---- Small boards ----------------------------------------------------------------------------------------------- */

static uint8_t *solve(const kz_pf_plain *plain, bool folded, int threads) {
    kz_pool *pool = kz_pool_new(threads, NULL);
    uint8_t *values = malloc(plain->permutations);
    assert_non_null(pool);
    assert_non_null(values);
    assert_int_equal(kz_pf_plain_solve(plain, folded, pool, values, NULL), KZ_OK);
    kz_pool_free(pool);
    return values;
}

/* The phases give each position the value that the definition gives it: one more than the successor that is lost
 * soonest, or won latest if all are won. */
static void assert_solution(int board) {
    kz_pf_plain *plain = open_board(board);
    uint8_t *values = solve(plain, false, 1);
    uint8_t *same = solve(plain, kz_pf_board_at(board)->symmetric, 3);
    uint64_t ties = 0;
    assert_memory_equal(values, same, plain->permutations);
    for (uint64_t index = 0; index < plain->permutations; index++) {
        uint8_t codes[KZ_PF_MOST_SQUARES];
        kz_pf_plain_unrank(plain, index, codes);
        assert_int_equal(kz_pf_plain_value(plain, values, codes), values[index]);
        if (kz_pf_board_at(board)->symmetric) {
            uint8_t turned[KZ_PF_MOST_SQUARES];
            kz_pf_plain_turn_board(plain, codes, turned);
            assert_int_equal(values[kz_pf_plain_rank(plain, turned)], values[index]);
        }
        ties += values[index] == 0;
    }
    /* Neither trivial nor all ties, which would be consistent, too. */
    assert_true(ties > 0 && ties < plain->permutations / 2);
    free(same);
    free(values);
    kz_pf_plain_close(plain);
}

TEST(test_corridor) { assert_solution(CORRIDOR); }

TEST(test_raft) { assert_solution(RAFT); }

TEST(test_hook) { assert_solution(HOOK); }

/* ---- The smallest boards solved both ways; test_heavy_pushfight_plain.c has the mini board ----------------------- */

static void assert_same(const char *name, uint64_t fit, uint64_t openings) {
    const kz_pf_board *board = kz_pf_board_at(kz_rules_find(kz_game_find("pushfight"), name));
    kz_error error;
    kz_pf_plain *plain = NULL;
    assert_non_null(board);
    must(kz_pf_plain_open(board, &plain, &error), &error);
    kz_pool *pool = kz_pool_new(0, NULL);
    uint8_t *values = malloc(plain->permutations);
    assert_non_null(pool);
    assert_non_null(values);
    assert_int_equal(kz_pf_plain_solve(plain, false, pool, values, NULL), KZ_OK);
    assert_table_agrees(name, plain, values, pool, fit, openings);
    free(values);
    kz_pool_free(pool);
    kz_pf_plain_close(plain);
}

TEST(test_corridor_both_ways) { assert_same("corridor", 1512, 400); }

TEST(test_raft_both_ways) { assert_same("raft", 134400, 3600); }

TEST(test_hook_both_ways) { assert_same("hook", 45600, 1800); }

TESTS(NULL, NULL)
