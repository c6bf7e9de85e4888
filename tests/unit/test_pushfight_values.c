/* SPDX-License-Identifier: MIT
 * labels: slow
 *
 * Value sweeps and what is made of them, against the plain solver on small boards and published counts of the mini
 * board. */
#include "tests/support/pushfight_testing.h"

#include "games/pushfight/check/check_compare.h"
#include "games/pushfight/check/plain.h"
#include "games/pushfight/check/value_moves.h"
#include "games/pushfight/index/index.h"
#include "games/pushfight/index/permutation.h"
#include "games/pushfight/published/published.h"

static int board_number(const char *name) {
    int number = 0;
    while (strcmp(kz_pf_board_at(number)->name, name) != 0) {
        number++;
    }
    return number;
}

/* Leaves the code to come no more than a kind of processor (base/cpu.h). Returns what to put back. */
static char *take_level(const char *name) {
    const char *asked = getenv("KANZEN_CPU");
    char *before = asked ? strdup(asked) : NULL;
    setenv("KANZEN_CPU", name, 1);
    return before;
}

static void put_level_back(char *before) {
    if (before) {
        setenv("KANZEN_CPU", before, 1);
    } else {
        unsetenv("KANZEN_CPU");
    }
    free(before);
}

/* ---- Boards that the plain solver has solved --------------------------------------------------------------------- */

typedef struct solved {
    int number;
    kz_pool *pool;
    kz_pf_space *space;
    kz_pf_plain *plain;
    uint8_t *values; /* by permutation */
} solved;

static solved solve(const char *name) {
    solved board = {.number = board_number(name)};
    const kz_pf_board *definition = kz_pf_board_at(board.number);
    board.pool = kz_pool_new(0, NULL);
    assert_non_null(board.pool);
    assert_int_equal(kz_pf_space_open(definition, &board.space, NULL), KZ_OK);
    assert_int_equal(kz_pf_plain_open(definition, &board.plain, NULL), KZ_OK);
    board.values = malloc(board.plain->permutations);
    assert_non_null(board.values);
    assert_int_equal(kz_pf_plain_solve(board.plain, false, board.pool, board.values, NULL), KZ_OK);
    return board;
}

static void forget(solved *board) {
    free(board->values);
    kz_pf_plain_close(board->plain);
    kz_pf_space_close(board->space);
    kz_pool_free(board->pool);
}

static uint64_t permutation_of(const solved *board, const kz_pf_position *position) {
    uint8_t codes[KZ_PF_MOST_SQUARES];
    kz_pf_codes(position, codes);
    return kz_pf_plain_rank(board->plain, codes);
}

/* What a table of the board has. */
static kz_status read_plain(void *user, uint32_t own_set, uint8_t *bytes, kz_error *error) {
    const solved *board = user;
    (void)error;
    size_t places = kz_pf_own_set_size(board->space);
    for (size_t i = 0; i < places; i++) {
        kz_pf_position position;
        bool exists = kz_pf_at(board->space, own_set * places + i, &position);
        bytes[i] = exists ? board->values[permutation_of(board, &position)] : KZ_PF_NO_POSITION;
    }
    return KZ_OK;
}

static kz_pf_value_pages *pages_of(solved *board, uint64_t limit) {
    kz_pf_value_pages *pages;
    assert_int_equal(kz_pf_value_pages_open(board->space, read_plain, board, limit, &pages, NULL), KZ_OK);
    return pages;
}

/* ---- Sweeps ------------------------------------------------------------------------------------------------------ */

/* All values of all permutations, in parts whose length does not divide them. */
static void check_permutations(const char *name, uint64_t limit, uint64_t part) {
    solved board = solve(name);
    kz_pf_value_pages *pages = pages_of(&board, limit);
    kz_pf_order *order;
    uint64_t count = board.plain->permutations;
    assert_int_equal(kz_pf_order_open(board.space, false, &order, NULL), KZ_OK);
    assert_int_equal(kz_pf_order_size(order), count);
    uint8_t *found = malloc(count);
    assert_non_null(found);
    memset(found, KZ_PF_NO_POSITION, count);
    for (uint64_t first = 0; first < count; first += part) {
        uint64_t length = count - first < part ? count - first : part;
        assert_int_equal(
            kz_pf_chunk_values(board.space, order, pages, board.pool, first, length, found + first, NULL, NULL), KZ_OK);
    }
    assert_memory_equal(found, board.values, count);
    free(found);
    kz_pf_order_close(order);
    kz_pf_value_pages_close(pages);
    forget(&board);
}

TEST(test_permutations) {
    check_permutations("corridor", 0, 1000);
    check_permutations("corridor", 0, 1);
    check_permutations("raft", 0, 100001);
    check_permutations("hook", 1, 77777); /* with next to no memory for pages */
}

static void check_minimized(const char *name) {
    solved board = solve(name);
    kz_pf_value_pages *pages = pages_of(&board, 0);
    kz_pf_order *order;
    assert_int_equal(kz_pf_order_open(board.space, true, &order, NULL), KZ_OK);
    uint64_t count = kz_pf_minimized_size(board.space->board);
    assert_int_equal(kz_pf_order_size(order), count);
    uint8_t *found = malloc(count);
    assert_non_null(found);
    memset(found, KZ_PF_NO_POSITION, count);
    assert_int_equal(kz_pf_chunk_values(board.space, order, pages, board.pool, 0, count, found, NULL, NULL), KZ_OK);
    for (uint64_t index = 0; index < count; index++) {
        kz_pf_position position;
        kz_pf_minimized_at(board.number, index, false, &position);
        assert_int_equal(found[index], board.values[permutation_of(&board, &position)]);
    }
    /* The same without sweeps, in parts. */
    uint8_t *copied = malloc(count);
    assert_non_null(copied);
    for (uint64_t first = 0, part = count / 3 + 1; first < count; first += part) {
        uint64_t length = count - first < part ? count - first : part;
        assert_int_equal(kz_pf_minimized_values(board.space, order, read_plain, &board, board.pool, first, length,
                                                copied + first, NULL, NULL),
                         KZ_OK);
    }
    assert_memory_equal(copied, found, count);
    free(copied);
    free(found);
    kz_pf_order_close(order);
    kz_pf_value_pages_close(pages);
    forget(&board);
}

TEST(test_minimized) {
    check_minimized("corridor");
    check_minimized("raft");
    check_minimized("hook");
}

static void check_openings(const char *name) {
    solved board = solve(name);
    const kz_pf_board *definition = board.space->board;
    kz_pf_value_pages *pages = pages_of(&board, 0);
    uint32_t firsts = kz_pf_placements(definition, KZ_PUSHFIGHT_FIRST);
    uint32_t seconds = kz_pf_placements(definition, KZ_PUSHFIGHT_SECOND);
    uint8_t *values = malloc((size_t)firsts * seconds);
    assert_non_null(values);
    assert_int_equal(kz_pf_opening_values(board.space, pages, board.pool, values, NULL, NULL), KZ_OK);
    for (uint32_t first = 0; first < firsts; first++) {
        for (uint32_t second = 0; second < seconds; second++) {
            char own[KZ_PF_MOST_SQUARES + 1];
            char enemy[KZ_PF_MOST_SQUARES + 1];
            uint8_t codes[KZ_PF_MOST_SQUARES];
            assert_int_equal(
                kz_pushfight_placement_format(board.number, KZ_PUSHFIGHT_FIRST, first, own, sizeof own, NULL), KZ_OK);
            assert_int_equal(
                kz_pushfight_placement_format(board.number, KZ_PUSHFIGHT_SECOND, second, enemy, sizeof enemy, NULL),
                KZ_OK);
            for (int square = 0; square < board.plain->squares; square++) {
                const char *letter = strchr(KZ_PF_PLAIN_LETTERS, own[square] != '.' ? own[square] : enemy[square]);
                codes[square] = (uint8_t)(letter - KZ_PF_PLAIN_LETTERS);
            }
            assert_int_equal(values[(size_t)first * seconds + second],
                             kz_pf_plain_value(board.plain, board.values, codes));
        }
    }
    free(values);
    kz_pf_value_pages_close(pages);
    forget(&board);
}

TEST(test_openings) {
    check_openings("corridor");
    check_openings("raft");
    check_openings("hook");
}

static kz_status fail_to_read(void *user, uint32_t own_set, uint8_t *bytes, kz_error *error) {
    (void)user;
    (void)own_set;
    bytes[0] = 0;
    snprintf(error->message, sizeof error->message, "no luck");
    error->status = KZ_ERR_IO;
    return KZ_ERR_IO;
}

TEST(test_failure_to_read) {
    kz_pf_space *space;
    kz_pf_value_pages *pages;
    kz_pf_order *order;
    kz_error error = {0};
    kz_pool *pool = kz_pool_new(2, NULL);
    uint8_t bytes[1000];
    assert_int_equal(kz_pf_space_open(kz_pf_board_at(board_number("raft")), &space, NULL), KZ_OK);
    assert_int_equal(kz_pf_value_pages_open(space, fail_to_read, NULL, 0, &pages, NULL), KZ_OK);
    assert_int_equal(kz_pf_order_open(space, false, &order, NULL), KZ_OK);
    assert_int_equal(kz_pf_chunk_values(space, order, pages, pool, 0, sizeof bytes, bytes, NULL, &error), KZ_ERR_IO);
    assert_string_equal(error.message, "no luck");
    kz_pf_order_close(order);
    kz_pf_value_pages_close(pages);
    kz_pf_space_close(space);
    kz_pool_free(pool);
}

/* ---- Verification ------------------------------------------------------------------------------------------------ */

/* What the checker says about the values of `board`; of own set `missing` nothing is told. */
static kz_verify_report verify(solved *board, uint32_t missing, kz_histogram *counts) {
    const kz_checker_ops *ops = &kz_pushfight_checker;
    void *checker = ops->open(board->number, 1, NULL);
    assert_non_null(checker);
    size_t places = kz_pf_own_set_size(board->space);
    uint8_t *bytes = malloc(places);
    assert_non_null(bytes);
    for (uint32_t own_set = 0; own_set < board->space->own_sets; own_set++) {
        if (own_set != missing) {
            assert_int_equal(read_plain(board, own_set, bytes, NULL), KZ_OK);
            ops->take(checker, 0, own_set * places, places, bytes);
        }
    }
    free(bytes);
    kz_verify_report report = {0};
    *counts = (kz_histogram){.draws = 0};
    ops->check(checker, 0, 0, ops->batches(checker), &report, counts->losses, counts->wins, &counts->draws);
    ops->close(checker);
    return report;
}

/* Counts the positions of the index whose value does not follow from their successors, by the plain rules. */
static uint64_t count_wrong(const solved *board, uint64_t *first_wrong) {
    uint64_t wrong = 0;
    for (uint64_t index = board->space->positions; index-- > 0;) {
        kz_pf_position position;
        if (kz_pf_at(board->space, index, &position)) {
            uint8_t codes[KZ_PF_MOST_SQUARES];
            kz_pf_codes(&position, codes);
            if (kz_pf_plain_value(board->plain, board->values, codes) !=
                board->values[kz_pf_plain_rank(board->plain, codes)]) {
                *first_wrong = index;
                wrong++;
            }
        }
    }
    return wrong;
}

static void check_verification(const char *name, bool all_wrong_ones) {
    solved board = solve(name);
    kz_histogram counts;
    kz_verify_report report = verify(&board, UINT32_MAX, &counts);
    uint64_t values[256] = {0};
    uint64_t positions = 0;
    uint64_t somewhere = 0; /* a position in the middle */
    for (uint64_t index = 0; index < board.space->positions; index++) {
        kz_pf_position position;
        if (kz_pf_at(board.space, index, &position)) {
            values[board.values[permutation_of(&board, &position)]]++;
            positions++;
            somewhere = index < board.space->positions / 2 ? index : somewhere;
        }
    }
    assert_int_equal(report.wrong, 0);
    assert_int_equal(report.positions, positions);
    assert_int_equal(report.draws, values[0]);
    assert_int_equal(counts.draws, values[0]);
    for (int byte = 1; byte < 255; byte++) {
        assert_int_equal(byte & 1 ? counts.losses[byte - 1] : counts.wins[byte - 1], values[byte]);
    }

    /* One wrong value, in the position and in its half turn. */
    kz_pf_position position;
    uint8_t codes[KZ_PF_MOST_SQUARES];
    uint8_t turned[KZ_PF_MOST_SQUARES];
    assert_true(kz_pf_at(board.space, somewhere, &position));
    kz_pf_codes(&position, codes);
    uint8_t *value = &board.values[kz_pf_plain_rank(board.plain, codes)];
    *value = *value == 7 ? 9 : 7;
    if (board.space->folded) {
        kz_pf_plain_turn_board(board.plain, codes, turned);
        board.values[kz_pf_plain_rank(board.plain, turned)] = *value;
    }
    report = verify(&board, UINT32_MAX, &counts);
    assert_true(report.wrong >= 1);
    assert_true(report.first_wrong <= somewhere);
    if (all_wrong_ones) {
        uint64_t first_wrong = 0;
        assert_int_equal(report.wrong, count_wrong(&board, &first_wrong));
        assert_int_equal(report.first_wrong, first_wrong);
    }

    /* Values that never came. */
    report = verify(&board, 1, &counts);
    assert_true(report.wrong >= 1);
    assert_int_equal(report.first_wrong, kz_pf_own_set_size(board.space));
    forget(&board);
}

TEST(test_verification) {
    static const char *const levels[] = {"vbmi2", "avx2", "plain"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        char *before = take_level(levels[i]);
        check_verification("corridor", true);
        check_verification("hook", true);
        check_verification("raft", false);
        put_level_back(before);
    }
}

/* ---- Placements -------------------------------------------------------------------------------------------------- */

TEST(test_placements) {
    assert_int_equal(kz_pf_placements(kz_pf_board_at(0), KZ_PUSHFIGHT_FIRST), 12870);
    assert_int_equal(kz_pf_placements(kz_pf_board_at(0), KZ_PUSHFIGHT_SECOND), 12870);
    for (int board = 0; kz_pf_board_at(board); board++) {
        for (int side = KZ_PUSHFIGHT_FIRST; side <= KZ_PUSHFIGHT_SECOND; side++) {
            uint32_t count = kz_pf_placements(kz_pf_board_at(board), side);
            for (uint32_t number = 0; number < count; number++) {
                char text[KZ_TEXT_BYTES];
                uint32_t back;
                assert_int_equal(kz_pushfight_placement_format(board, side, number, text, sizeof text, NULL), KZ_OK);
                assert_int_equal(kz_pushfight_placement_parse(board, side, text, strlen(text), &back, NULL), KZ_OK);
                assert_int_equal(back, number);
            }
            char text[KZ_TEXT_BYTES];
            assert_int_equal(kz_pushfight_placement_format(board, side, count, text, sizeof text, NULL), KZ_ERR_INPUT);
        }
    }
}

static void assert_refused(int side, const char *text, const char *message) {
    uint32_t number;
    kz_error error = {0};
    assert_int_equal(kz_pushfight_placement_parse(0, side, text, strlen(text), &number, &error), KZ_ERR_INPUT);
    assert_string_equal(error.message, message);
}

TEST(test_bad_placements) {
    char text[26]; /* one byte short */
    assert_int_equal(kz_pushfight_placement_format(0, 0, 0, text, sizeof text, NULL), KZ_ERR_INPUT);
    assert_int_equal(kz_pushfight_placement_format(-1, 0, 0, text, sizeof text, NULL), KZ_ERR_INPUT);
    assert_int_equal(kz_pushfight_placement_format(0, 2, 0, text, sizeof text, NULL), KZ_ERR_INPUT);
    assert_refused(KZ_PUSHFIGHT_FIRST, "oO...x", "character 6 is none of '.', 'o' and 'O'");
    assert_refused(KZ_PUSHFIGHT_SECOND, "..xo", "character 4 is none of '.', 'x' and 'X'");
    assert_refused(KZ_PUSHFIGHT_FIRST, "..o", "character 3: the first player may not set up on this square");
    assert_refused(KZ_PUSHFIGHT_SECOND, "x", "character 1: the second player may not set up on this square");
    assert_refused(KZ_PUSHFIGHT_FIRST, "oo", "character 3: a placement on this board has 26 squares");
    assert_refused(KZ_PUSHFIGHT_FIRST, "oo...OOO...................", /* 27 */
                   "character 27: a placement on this board has 26 squares");
    assert_refused(KZ_PUSHFIGHT_FIRST, "oo...ooO..................",
                   "the placement has 4 'o' and 1 'O', and not 2 and 3");
}

/* ---- The mini board ---------------------------------------------------------------------------------------------- */

enum { MINI_PERMUTATIONS = 15135120 };

/* All values by sweeps alone: at first every position counts as a tie, then each is worked out from its successors
 * again and again until nothing changes. */
typedef struct mini {
    kz_pf_space *space;
    uint8_t *bytes; /* by index */
} mini;

static kz_status read_mini(void *user, uint32_t own_set, uint8_t *bytes, kz_error *error) {
    const mini *m = user;
    (void)error;
    size_t places = kz_pf_own_set_size(m->space);
    memcpy(bytes, m->bytes + own_set * places, places);
    return KZ_OK;
}

/* Writes what a sweep found to the places of the index; returns whether anything is new. The board is not folded. */
static bool write_back(const kz_pf_value_sweep *sweep, const kz_pf_space *space, uint32_t enemy, uint8_t *bytes) {
    bool changed = false;
    kz_pf_worths worths = kz_pf_value_sweep_worths(sweep);
    for (uint32_t own_rank = 0; own_rank < space->enemy_sets; own_rank++) {
        uint32_t own = kz_pf_unpack(space->others.patterns[own_rank], space->board->squares & ~enemy);
        uint32_t own_set = kz_pf_rank(&space->sets, kz_pf_pack(own, space->board->squares));
        uint32_t enemy_set = kz_pf_rank(&space->others, kz_pf_pack(enemy, space->board->squares & ~own));
        uint32_t alphas = kz_pf_pack(kz_pf_anchorable(space->board, own | enemy), enemy);
        uint8_t *pair =
            bytes + ((size_t)own_set * space->enemy_sets + enemy_set) * (size_t)(space->lanes * space->splits);
        for (int lane = 0; lane < space->lanes; lane++) {
            int alpha = lane / space->anchored_splits;
            int sigma = lane % space->anchored_splits;
            for (int rho = 0; rho < space->splits; rho++) {
                uint8_t *byte = &pair[(alpha * space->splits + rho) * space->anchored_splits + sigma];
                uint8_t value = kz_pf_worth_byte(*kz_pf_worth(&worths, own_rank, (unsigned)rho, (unsigned)lane));
                value = alphas >> alpha & 1 ? value : KZ_PF_NO_POSITION;
                changed = changed || *byte != value;
                *byte = value;
            }
        }
    }
    return changed;
}

static void solve_mini(mini *m) {
    kz_pf_value_sweep *sweep;
    assert_int_equal(kz_pf_value_sweep_open(m->space, KZ_PF_WITH_ANCHOR, &sweep, NULL), KZ_OK);
    uint8_t *next = calloc(1, m->space->positions);
    assert_non_null(next);
    bool changed = true;
    while (changed) {
        kz_pf_value_pages *pages;
        assert_int_equal(kz_pf_value_pages_open(m->space, read_mini, m, 0, &pages, NULL), KZ_OK);
        changed = false;
        for (uint32_t set = 0; set < m->space->sets.count; set++) {
            uint32_t enemy = kz_pf_unpack(m->space->sets.patterns[set], m->space->board->squares);
            assert_int_equal(kz_pf_value_sweep_run(sweep, pages, enemy, NULL), KZ_OK);
            changed = write_back(sweep, m->space, enemy, next) || changed;
        }
        kz_pf_value_pages_close(pages);
        memcpy(m->bytes, next, m->space->positions);
    }
    free(next);
    kz_pf_value_sweep_close(sweep);
}

static void count_order(const mini *m, kz_pf_value_pages *pages, kz_pool *pool, bool minimized, uint64_t counts[256]) {
    kz_pf_order *order;
    assert_int_equal(kz_pf_order_open(m->space, minimized, &order, NULL), KZ_OK);
    uint64_t size = kz_pf_order_size(order);
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    memset(bytes, KZ_PF_NO_POSITION, size);
    assert_int_equal(kz_pf_chunk_values(m->space, order, pages, pool, 0, size, bytes, NULL, NULL), KZ_OK);
    for (uint64_t i = 0; i < size; i++) {
        counts[bytes[i]]++;
    }
    free(bytes);
    kz_pf_order_close(order);
}

static void count_openings(const mini *m, kz_pf_value_pages *pages, kz_pool *pool, uint64_t counts[256]) {
    enum { PLACEMENTS = 210 };
    uint8_t *values = malloc(PLACEMENTS * PLACEMENTS);
    assert_non_null(values);
    assert_int_equal(kz_pf_placements(m->space->board, KZ_PUSHFIGHT_FIRST), PLACEMENTS);
    assert_int_equal(kz_pf_placements(m->space->board, KZ_PUSHFIGHT_SECOND), PLACEMENTS);
    assert_int_equal(kz_pf_opening_values(m->space, pages, pool, values, NULL, NULL), KZ_OK);
    for (int i = 0; i < PLACEMENTS * PLACEMENTS; i++) {
        counts[values[i]]++;
    }
    free(values);
}

TEST(test_mini_board) {
#ifdef __SANITIZE_ADDRESS__
    skip(); /* a minute, for what smaller boards have shown already */
#endif
    mini m = {0};
    kz_pf_value_pages *pages;
    kz_pool *pool = kz_pool_new(0, NULL);
    assert_non_null(pool);
    assert_int_equal(kz_pf_space_open(kz_pf_board_at(board_number("mini")), &m.space, NULL), KZ_OK);
    assert_int_equal(m.space->positions, MINI_PERMUTATIONS);
    m.bytes = calloc(1, m.space->positions);
    assert_non_null(m.bytes);
    solve_mini(&m);
    assert_int_equal(kz_pf_value_pages_open(m.space, read_mini, &m, 0, &pages, NULL), KZ_OK);
    uint64_t all[256] = {0};
    uint64_t minimized[256] = {0};
    uint64_t openings[256] = {0};
    count_order(&m, pages, pool, false, all);
    count_order(&m, pages, pool, true, minimized);
    count_openings(&m, pages, pool, openings);

    FILE *file = open_data("mini-board-counts.txt");
    char line[256];
    while (fgets(line, sizeof line, file)) {
        unsigned value;
        unsigned long long of_all;
        unsigned long long of_reachable;
        unsigned long long of_minimized;
        if (sscanf(line, "%u %llu %llu %llu", &value, &of_all, &of_reachable, &of_minimized) == 4) {
            assert_int_equal(all[value & 255], of_all);
            assert_int_equal(minimized[value & 255], of_minimized);
            all[value & 255] = minimized[value & 255] = 0;
        } else if (sscanf(line, " opening byte %u: %llu", &value, &of_all) == 2) {
            assert_int_equal(openings[value & 255], of_all);
            openings[value & 255] = 0;
        }
    }
    fclose(file);
    for (int value = 0; value < 256; value++) { /* and nothing else */
        assert_int_equal(all[value] + minimized[value] + openings[value], 0);
    }
    free(m.bytes);
    kz_pf_value_pages_close(pages);
    kz_pf_space_close(m.space);
    kz_pool_free(pool);
}

/* Moves of the side to move, with and without what the processor has. A board whose cells are wide. */
TEST(test_wide_moves) {
    kz_pf_space *space;
    kz_pf_value_moves *fast;
    kz_pf_value_moves *plain;
    assert_int_equal(kz_pf_space_open(kz_pf_board_at(board_number("twocolumn")), &space, NULL), KZ_OK);
    assert_true(space->lanes > KZ_PF_NARROW);
    assert_int_equal(kz_pf_value_moves_open(space, &fast, NULL), KZ_OK);
    char *before = take_level("plain");
    assert_int_equal(kz_pf_value_moves_open(space, &plain, NULL), KZ_OK);
    put_level_back(before);
    size_t size = (size_t)space->enemy_sets * (size_t)space->splits * KZ_PF_WIDE;
    uint8_t *from = malloc(size);
    uint8_t *to[2] = {malloc(size), malloc(size)};
    assert_true(from && to[0] && to[1]);
    uint64_t seed = 5;
    for (uint32_t set = 0; set < space->own_sets; set += space->own_sets / 3) {
        for (size_t i = 0; i < size; i++) {
            from[i] = (uint8_t)(next_random(&seed) >> 16);
        }
        kz_pf_value_moves_begin(fast, space->own_squares[set]);
        kz_pf_value_moves_begin(plain, space->own_squares[set]);
        kz_pf_value_moves_spread(fast, KZ_PF_WIDE, from, to[0]);
        kz_pf_value_moves_spread(plain, KZ_PF_WIDE, from, to[1]);
        assert_memory_equal(to[0], to[1], size);
    }
    free(from);
    free(to[0]);
    free(to[1]);
    kz_pf_value_moves_close(fast);
    kz_pf_value_moves_close(plain);
    kz_pf_space_close(space);
}

/* Values that no game has: three of four runs are won at once, in the others the opponent wins in 2 turns or more, the
 * rarer the more, because a sweep finds the largest of many. */
static kz_status make_up(void *user, uint32_t own_set, uint8_t *bytes, kz_error *error) {
    const kz_pf_space *space = user;
    (void)error;
    uint64_t seed = own_set + 1;
    size_t width = (size_t)space->anchored_splits;
    for (size_t run = 0; run < kz_pf_own_set_size(space); run += width) {
        bool won = next_random(&seed) >> 32 & 3;
        for (size_t sigma = 0; sigma < width; sigma++) {
            unsigned turns = 2 + kz_lowest_bit64(next_random(&seed) >> 16 | UINT64_C(1) << 40);
            bytes[run + sigma] = (uint8_t)(won ? KZ_PF_BYTE_WIN : 2 * turns);
        }
    }
    return KZ_OK;
}

/* Sweeps with and without what the processor has find the same worths. */
static void check_kinds_of_sweeps(const char *name, uint32_t sets) {
    kz_pf_space *space;
    kz_pf_value_pages *pages;
    kz_pf_value_sweep *sweeps[2];
    assert_int_equal(kz_pf_space_open(kz_pf_board_at(board_number(name)), &space, NULL), KZ_OK);
    assert_int_equal(kz_pf_value_pages_open(space, make_up, space, 0, &pages, NULL), KZ_OK);
    assert_int_equal(kz_pf_value_sweep_open(space, KZ_PF_WITH_ANCHOR, &sweeps[0], NULL), KZ_OK);
    char *before = take_level("plain");
    assert_int_equal(kz_pf_value_sweep_open(space, KZ_PF_WITH_ANCHOR, &sweeps[1], NULL), KZ_OK);
    put_level_back(before);
    kz_pf_worths worths[2] = {kz_pf_value_sweep_worths(sweeps[0]), kz_pf_value_sweep_worths(sweeps[1])};
    uint64_t seen[256] = {0};
    for (uint32_t i = 0; i < sets; i++) {
        uint32_t enemy = space->own_squares[(uint64_t)i * space->own_sets / sets];
        uint64_t different = 0;
        assert_int_equal(kz_pf_value_sweep_run(sweeps[0], pages, enemy, NULL), KZ_OK);
        assert_int_equal(kz_pf_value_sweep_run(sweeps[1], pages, enemy, NULL), KZ_OK);
        for (uint32_t own_rank = 0; own_rank < space->enemy_sets; own_rank++) {
            for (unsigned rho = 0; rho < (unsigned)space->splits; rho++) {
                for (unsigned lane = 0; lane < (unsigned)space->lanes; lane++) {
                    uint8_t worth = *kz_pf_worth(&worths[1], own_rank, rho, lane);
                    different += *kz_pf_worth(&worths[0], own_rank, rho, lane) != worth;
                    seen[worth]++;
                }
            }
        }
        assert_int_equal(different, 0);
    }
    unsigned kinds = 0;
    for (int worth = 0; worth < 256; worth++) {
        kinds += seen[worth] > 0;
    }
    assert_true(kinds > 5); /* else anything would be the same */
    kz_pf_value_sweep_close(sweeps[0]);
    kz_pf_value_sweep_close(sweeps[1]);
    kz_pf_value_pages_close(pages);
    kz_pf_space_close(space);
}

TEST(test_kinds_of_sweeps) {
    check_kinds_of_sweeps("hook", 40);
    check_kinds_of_sweeps("mini", 40);
    check_kinds_of_sweeps("twocolumn", 5);
}

TESTS(NULL, NULL)
