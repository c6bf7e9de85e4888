/* SPDX-License-Identifier: MIT
 *
 * The self-test finds nothing wrong with the games as they are, and something with games that have one call replaced by
 * one that errs. */
#include "tests/support/tables.h"
#include "tests/support/testing.h"

#include "base/random.h"
#include "game/gamedef.h"
#include "table/reader.h"
#include "table/writer.h"

#include <kanzen/define.h>
#include <kanzen/dobutsu.h>
#include <kanzen/selftest.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { POSITIONS = 640 };

static kz_selftest_report tested(const kz_game *game, int rules, const kz_table *table, kz_status expected) {
    (void)game;
    kz_selftest_options options = {.positions = POSITIONS, .seed = 5, .threads = 2, .table = table};
    kz_selftest_report report;
    kz_error error = {0};
    kz_status status = kz_selftest(game, rules, &options, NULL, &report, &error);
    if (status != expected) {
        fail_msg("status %d, not %d: %s", status, expected, error.message);
    }
    if (expected == KZ_OK) {
        assert_int_equal(report.positions, POSITIONS);
        assert_int_equal(report.failed, -1);
    } else {
        assert_non_null(strstr(error.message, report.position));
        assert_true(strlen(report.problem) > 0);
    }
    return report;
}

static const kz_game *dobutsu(void) { return kz_game_find("dobutsu"); }
static const kz_game *pushfight(void) { return kz_game_find("pushfight"); }

/* ---- The games as they are --------------------------------------------------------------------------------------- */

TEST(test_dobutsu) {
    for (int rules = 0; kz_rules_name(dobutsu(), rules); rules++) {
        kz_selftest_report report = tested(dobutsu(), rules, NULL, KZ_OK);
        for (int check = 0; check < KZ_SELFTEST_CHECKS; check++) {
            assert_int_equal(report.counts[check] > 0, check < KZ_SELFTEST_VALUE); /* what follows is for definitions */
        }
    }
}

TEST(test_pushfight) {
    static const char *const boards[] = {"mini", "corridor", "raft", "hook"};
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        kz_selftest_report report = tested(pushfight(), kz_rules_find(pushfight(), boards[i]), NULL, KZ_OK);
        for (int check = 0; check < KZ_SELFTEST_CHECKS; check++) {
            bool none = check >= KZ_SELFTEST_VALUE || check == KZ_SELFTEST_PREDECESSOR;
            assert_int_equal(report.counts[check] > 0, !none);
        }
    }
}

/* The standard board is slow: fewer positions. */
TEST(test_standard_board) {
    kz_selftest_options options = {.positions = 20, .seed = 5};
    kz_selftest_report report;
    assert_int_equal(kz_selftest(pushfight(), 0, &options, NULL, &report, NULL), KZ_OK);
    assert_true(report.counts[KZ_SELFTEST_MOVE] > 1000);
}

/* Dobutsu Shogi with something else in it. */
typedef struct altered {
    kz_game game;
    kz_definition definition;
    kz_doors doors;
} altered;

static altered altered_dobutsu(void) { return (altered){*dobutsu(), *dobutsu()->definition, *dobutsu()->doors}; }

static const kz_game *game_of(altered *a) {
    a->game.definition = &a->definition;
    a->game.doors = &a->doors;
    return &a->game;
}

/* A new game need not have a twin. */
TEST(test_without_twin) {
    altered lonely = altered_dobutsu();
    lonely.doors.twin = NULL;
    lonely.doors.predecessors = NULL;
    kz_selftest_report report = tested(game_of(&lonely), 0, NULL, KZ_OK);
    assert_int_equal(report.counts[KZ_SELFTEST_MOVE], 0);
    assert_int_equal(report.counts[KZ_SELFTEST_IMAGE], 0);
    assert_int_equal(report.counts[KZ_SELFTEST_PREDECESSOR], 0);
    assert_true(report.counts[KZ_SELFTEST_TEXT] > POSITIONS);
}

/* The same positions on any number of threads, and others with another seed. */
TEST(test_threads_and_seeds) {
    kz_selftest_report reports[4];
    for (int i = 0; i < 4; i++) {
        kz_selftest_options options = {.positions = POSITIONS, .seed = i < 3 ? 7 : 8, .threads = i < 2 ? 1 + 6 * i : 2};
        assert_int_equal(kz_selftest(dobutsu(), 0, &options, NULL, &reports[i], NULL), KZ_OK);
    }
    assert_memory_equal(reports[0].counts, reports[1].counts, sizeof reports[0].counts);
    assert_memory_equal(reports[0].counts, reports[2].counts, sizeof reports[0].counts);
    assert_memory_not_equal(reports[0].counts, reports[3].counts, sizeof reports[0].counts);
}

static bool stop(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)user;
    (void)stage;
    (void)done;
    (void)total;
    return false;
}

TEST(test_cancel) {
    kz_progress progress = {stop, NULL};
    kz_selftest_options options = {.positions = 1000000000, .threads = 2};
    kz_selftest_report report;
    assert_int_equal(kz_selftest(dobutsu(), 0, &options, &progress, &report, NULL), KZ_ERR_CANCELLED);
}

TEST(test_names) {
    for (int check = 0; check < KZ_SELFTEST_CHECKS; check++) {
        assert_non_null(kz_selftest_name(check));
        assert_non_null(kz_selftest_title(check));
    }
    assert_null(kz_selftest_name(-1));
    assert_null(kz_selftest_name(KZ_SELFTEST_CHECKS));
    assert_null(kz_selftest_title(KZ_SELFTEST_CHECKS));
}

/* ---- Calls that err ---------------------------------------------------------------------------------------------- */

static kz_dobutsu opened(const kz_position *position) {
    kz_dobutsu inside;
    kz_dobutsu_from_position(position, &inside);
    return inside;
}

/* Something that is so in few positions. */
static bool is_rare(const kz_position *position) {
    kz_dobutsu inside = opened(position);
    return inside.board[4] == 1 + KZ_DOBUTSU_ELEPHANT;
}

static int one_move_less(const void *context, const kz_position *position, kz_move *moves) {
    (void)context;
    int count = kz_moves(dobutsu(), 0, position, moves);
    return count > 1 && is_rare(position) ? count - 1 : count;
}

static int one_move_more(const void *context, const kz_position *position, kz_move *moves) {
    (void)context;
    int count = kz_moves(dobutsu(), 0, position, moves);
    for (kz_move move = 0x10; count > 0 && is_rare(position) && move < 0xd0; move++) {
        bool from_own = opened(position).board[(move >> 4) - 1] - 1U < KZ_DOBUTSU_KINDS;
        bool to_other = (move & 15) < 12 && opened(position).board[move & 15] == KZ_DOBUTSU_EMPTY;
        bool listed = false;
        for (int i = 0; i < count; i++) {
            listed = listed || moves[i] == move;
        }
        if (from_own && to_other && !listed) {
            moves[count++] = move;
            break;
        }
    }
    return count;
}

static int a_move_twice(const void *context, const kz_position *position, kz_move *moves) {
    (void)context;
    int count = kz_moves(dobutsu(), 0, position, moves);
    if (count > 0 && is_rare(position)) {
        moves[count] = moves[0];
        count++;
    }
    return count;
}

/* Chicks do not promote. */
static void play_without_promotion(const void *context, kz_position *position, kz_move move) {
    (void)context;
    kz_dobutsu before = opened(position);
    kz_play(dobutsu(), 0, position, move);
    kz_dobutsu after = opened(position);
    unsigned from = (move >> 4) - 1;
    unsigned seen = 11 - (move & 15);
    if (from < 12 && before.board[from] == 1 + KZ_DOBUTSU_CHICK &&
        after.board[seen] == (1 + KZ_DOBUTSU_HEN + KZ_DOBUTSU_ENEMY)) {
        after.board[seen] = 1 + KZ_DOBUTSU_CHICK + KZ_DOBUTSU_ENEMY;
        kz_dobutsu_to_position(&after, position);
    }
}

static kz_value wins_only(const void *context, const kz_position *position) {
    (void)context;
    kz_value value = kz_immediate(dobutsu(), 0, position);
    return value.outcome == KZ_LOSS ? (kz_value){KZ_UNKNOWN, 0} : value;
}

static kz_value later(const void *context, const kz_position *position) {
    (void)context;
    kz_value value = kz_immediate(dobutsu(), 0, position);
    value.distance += value.outcome == KZ_WIN && is_rare(position);
    return value;
}

/* Forgets the pieces in hand of the other side. */
static kz_status format_poorly(const void *context, const kz_position *position, int notation, char *text,
                               kz_error *error) {
    (void)context;
    kz_dobutsu inside = opened(position);
    kz_position poor;
    if (notation == 3 && is_rare(position)) {
        memset(inside.hand[0], 0, sizeof inside.hand[0]);
    }
    kz_dobutsu_to_position(&inside, &poor);
    return kz_format(dobutsu(), &poor, notation, text, KZ_TEXT_BYTES, error);
}

static kz_status parse_mirrored(const void *context, const char *text, size_t length, kz_position *position,
                                kz_error *error) {
    (void)context;
    kz_status status = kz_parse(dobutsu(), 0, text, length, position, error);
    if (status == KZ_OK && is_rare(position)) {
        kz_dobutsu inside = opened(position);
        for (int row = 0; row < 4; row++) {
            uint8_t left = inside.board[3 * row];
            inside.board[3 * row] = inside.board[3 * row + 2];
            inside.board[3 * row + 2] = left;
        }
        kz_dobutsu_to_position(&inside, position);
    }
    return status;
}

/* Any two squares will do. */
static kz_status move_parse_freely(const void *context, const kz_position *position, const char *text, size_t length,
                                   kz_move *move, kz_error *error) {
    (void)context;
    kz_status status = kz_move_parse(dobutsu(), 0, position, text, length, move, error);
    if (status != KZ_OK && length == 4 && text[1] >= 'a' && text[3] >= 'a') {
        *move = 0x7fff;
        return KZ_OK;
    }
    return status;
}

static kz_status move_parse_first(const void *context, const kz_position *position, const char *text, size_t length,
                                  kz_move *move, kz_error *error) {
    (void)context;
    kz_status status = kz_move_parse(dobutsu(), 0, position, text, length, move, error);
    kz_move moves[KZ_MAX_MOVES];
    if (status == KZ_OK && is_rare(position) && kz_moves(dobutsu(), 0, position, moves) > 0) {
        *move = moves[0];
    }
    return status;
}

static kz_status move_parse_no_drops(const void *context, const kz_position *position, const char *text, size_t length,
                                     kz_move *move, kz_error *error) {
    (void)context;
    if (length > 1 && text[1] == '*') {
        error->status = KZ_ERR_INPUT;
        strcpy(error->message, "no drops");
        return KZ_ERR_INPUT;
    }
    return kz_move_parse(dobutsu(), 0, position, text, length, move, error);
}

static bool rank_off(const kz_game *game, const kz_position *position, uint64_t *index) {
    (void)game;
    bool ranked = kz_rank(dobutsu(), position, index);
    *index += *index > 0;
    return ranked;
}

static bool unrank_off(const kz_game *game, int rules, uint64_t index, kz_position *position) {
    (void)game;
    return kz_unrank(dobutsu(), rules, index > 0 ? index - 1 : index, position);
}

static int predecessors_without_drops(const kz_position *position, kz_position *before) {
    int count = dobutsu()->doors->predecessors(position, before);
    int kept = 0;
    kz_dobutsu after = opened(position);
    for (int i = 0; i < count; i++) {
        kz_dobutsu one = opened(&before[i]);
        if (memcmp(one.hand[0], after.hand[1], sizeof one.hand[0]) <= 0) {
            before[kept++] = before[i];
        }
    }
    return kept;
}

static int predecessors_and_itself(const kz_position *position, kz_position *before) {
    int count = dobutsu()->doors->predecessors(position, before);
    before[count] = *position;
    return count + 1;
}

static kz_value look_beside(const void *self, const kz_position *position, uint64_t *index) {
    kz_value value = kz_own_kind(dobutsu())->look(self, position, index);
    if (value.outcome == KZ_UNKNOWN && is_rare(position)) {
        (*index)++;
    }
    return value;
}

static int successors_but_one(const void *self, const kz_position *position, uint64_t indices[KZ_MAX_MOVES],
                              kz_value *best) {
    int count = kz_own_kind(dobutsu())->successors(self, position, indices, best);
    return count > 1 && is_rare(position) ? count - 1 : count;
}

static int successors_too_far(const void *self, const kz_position *position, uint64_t indices[KZ_MAX_MOVES],
                              kz_value *best) {
    int count = kz_own_kind(dobutsu())->successors(self, position, indices, best);
    indices[count] = 231641990;
    return count + is_rare(position);
}

static int successors_no_try(const void *self, const kz_position *position, uint64_t indices[KZ_MAX_MOVES],
                             kz_value *best) {
    int count = kz_own_kind(dobutsu())->successors(self, position, indices, best);
    *best = (kz_value){KZ_WIN, 1};
    return count;
}

static int images_of_the_start(const void *twin, const kz_position *position,
                               kz_twin_image images[KZ_TWIN_MAX_IMAGES]) {
    int count = dobutsu()->doors->twin->images(twin, position, images);
    kz_start(dobutsu(), 0, &images[0].position);
    return count;
}

static int always_sente(const void *context, const kz_position *position) {
    (void)context;
    (void)position;
    return 0;
}

TEST(test_moves_that_err) {
    static int (*const lists[])(const void *, const kz_position *, kz_move *) = {one_move_less, one_move_more,
                                                                                 a_move_twice};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        altered wrong = altered_dobutsu();
        wrong.definition.moves = lists[i];
        assert_int_equal(tested(game_of(&wrong), 0, NULL, KZ_ERR_MISMATCH).failed, KZ_SELFTEST_MOVE);
    }
    altered wrong = altered_dobutsu();
    wrong.definition.play = play_without_promotion;
    assert_int_equal(tested(game_of(&wrong), 0, NULL, KZ_ERR_MISMATCH).failed, KZ_SELFTEST_MOVE);
    wrong = altered_dobutsu();
    wrong.definition.side_to_move = always_sente;
    assert_int_equal(tested(game_of(&wrong), 0, NULL, KZ_ERR_MISMATCH).failed, KZ_SELFTEST_MOVE);
}

TEST(test_results_that_err) {
    altered wrong = altered_dobutsu();
    for (int twin = 0; twin < 2; twin++) { /* without a twin the moves tell */
        wrong.doors.twin = twin ? dobutsu()->doors->twin : NULL;
        wrong.definition.immediate = wins_only;
        assert_int_equal(tested(game_of(&wrong), 0, NULL, KZ_ERR_MISMATCH).failed, KZ_SELFTEST_RESULT);
        wrong.definition.immediate = later;
        assert_int_equal(tested(game_of(&wrong), 0, NULL, KZ_ERR_MISMATCH).failed, KZ_SELFTEST_RESULT);
    }
}

TEST(test_texts_that_err) {
    altered wrong = altered_dobutsu();
    wrong.definition.format_as = format_poorly;
    assert_int_equal(tested(game_of(&wrong), 0, NULL, KZ_ERR_MISMATCH).failed, KZ_SELFTEST_TEXT);
    wrong = altered_dobutsu();
    wrong.definition.parse = parse_mirrored;
    assert_int_equal(tested(game_of(&wrong), 0, NULL, KZ_ERR_MISMATCH).failed, KZ_SELFTEST_TEXT);
    wrong = altered_dobutsu();
    wrong.definition.move_parse = move_parse_freely;
    assert_int_equal(tested(game_of(&wrong), 0, NULL, KZ_ERR_MISMATCH).failed, KZ_SELFTEST_ALTERED);
    wrong.definition.move_parse = move_parse_first;
    assert_int_equal(tested(game_of(&wrong), 0, NULL, KZ_ERR_MISMATCH).failed, KZ_SELFTEST_MOVE_TEXT);
    wrong.definition.move_parse = move_parse_no_drops;
    assert_int_equal(tested(game_of(&wrong), 0, NULL, KZ_ERR_MISMATCH).failed, KZ_SELFTEST_MOVE_TEXT);
}

TEST(test_indices_that_err) {
    altered wrong = altered_dobutsu();
    wrong.doors.rank = rank_off;
    int failed = tested(game_of(&wrong), 0, NULL, KZ_ERR_MISMATCH).failed;
    assert_true(failed == KZ_SELFTEST_LOOKUP || failed == KZ_SELFTEST_INDEX);
    wrong = altered_dobutsu();
    wrong.doors.unrank = unrank_off;
    assert_int_equal(tested(game_of(&wrong), 0, NULL, KZ_ERR_MISMATCH).failed, KZ_SELFTEST_INDEX);
}

TEST(test_lookups_that_err) {
    altered wrong = altered_dobutsu();
    kz_table_kind kind = *kz_own_kind(dobutsu());
    static int (*const lists[])(const void *, const kz_position *, uint64_t *,
                                kz_value *) = {successors_but_one, successors_too_far, successors_no_try};
    wrong.doors.kind = &kind;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        kind.successors = lists[i];
        assert_int_equal(tested(game_of(&wrong), 0, NULL, KZ_ERR_MISMATCH).failed, KZ_SELFTEST_LOOKUP);
    }
    kind = *kz_own_kind(dobutsu());
    kind.look = look_beside;
    int failed = tested(game_of(&wrong), 0, NULL, KZ_ERR_MISMATCH).failed;
    assert_true(failed == KZ_SELFTEST_LOOKUP || failed == KZ_SELFTEST_IMAGE || failed == KZ_SELFTEST_INDEX);
}

TEST(test_predecessors_that_err) {
    altered wrong = altered_dobutsu();
    wrong.doors.predecessors = predecessors_without_drops;
    assert_int_equal(tested(game_of(&wrong), 0, NULL, KZ_ERR_MISMATCH).failed, KZ_SELFTEST_PREDECESSOR);
    wrong.doors.predecessors = predecessors_and_itself;
    assert_int_equal(tested(game_of(&wrong), 0, NULL, KZ_ERR_MISMATCH).failed, KZ_SELFTEST_PREDECESSOR);
}

TEST(test_images_that_err) {
    altered wrong = altered_dobutsu();
    kz_twin_ops twin = *wrong.doors.twin;
    twin.images = images_of_the_start;
    wrong.doors.twin = &twin;
    assert_int_equal(tested(game_of(&wrong), 0, NULL, KZ_ERR_MISMATCH).failed, KZ_SELFTEST_IMAGE);
}

/* The first failure is the same one, however many threads look for it. */
TEST(test_first_failure) {
    altered wrong = altered_dobutsu();
    wrong.definition.moves = one_move_less;
    kz_selftest_report first = tested(game_of(&wrong), 0, NULL, KZ_ERR_MISMATCH);
    for (int threads = 1; threads < 9; threads += 3) {
        kz_selftest_options options = {.positions = POSITIONS, .seed = 5, .threads = threads};
        kz_selftest_report report;
        assert_int_equal(kz_selftest(game_of(&wrong), 0, &options, NULL, &report, NULL), KZ_ERR_MISMATCH);
        assert_string_equal(report.position, first.position);
        assert_string_equal(report.problem, first.problem);
    }
}

/* ---- With a table ------------------------------------------------------------------------------------------------ */

TEST(test_table) {
    int rules = kz_rules_find(pushfight(), "corridor");
    kz_table *table = solved_board("corridor");
    kz_selftest_report report = tested(pushfight(), rules, table, KZ_OK);
    assert_int_equal(report.counts[KZ_SELFTEST_VALUE], POSITIONS);
    kz_selftest_options options = {.positions = 1, .table = table};
    assert_int_equal(kz_selftest(dobutsu(), rules, &options, NULL, &report, NULL), KZ_ERR_INPUT);
    assert_int_equal(kz_selftest(pushfight(), rules + 1, &options, NULL, &report, NULL), KZ_ERR_INPUT);
    kz_table_close(table);
}

static kz_status read_numbers(void *context, int worker, uint64_t unit, uint8_t *numbers, kz_error *error) {
    const kz_table *table = context;
    const kz_shape *shape = kz_table_shape(table);
    uint64_t first = unit * shape->extent;
    uint64_t count = shape->places - first < shape->extent ? shape->places - first : shape->extent;
    (void)worker;
    kz_status status = kz_table_read(table, first, count, numbers, error);
    for (uint64_t i = 0; i < count; i++) {
        numbers[i] = numbers[i] == 3 && (first + i) % 2 ? 5 : numbers[i]; /* some losses in 2 plies are in 4 now */
    }
    return status;
}

/* What the command prints about a failure, and its exit code. */
static void assert_command_tells(const char *path) {
    static const char *const expected[] = {"\nfailed     ", "\nposition   ", "\nproblem    ",
                                           ("\nagain      kanzen selftest pushfight --rules corridor --positions 640 "
                                            "--seed 5 --table wrong.kzt\nnot ok\n")};
    static const char *const formats[] = {"", " --json"};
    const char *kanzen = getenv("KANZEN");
    if (!kanzen) {
        skip();
        return;
    }
    for (int json = 0; json < 2; json++) {
        char text[4096] = "";
        char command[4096 + 128];
        snprintf(command, sizeof command, "'%s' selftest pushfight --table %s --positions 640 --seed 5 --quiet%s",
                 kanzen, path, formats[json]);
        FILE *output = popen(command, "r"); /* NOLINT(cert-env33-c): the tests' own command */
        assert_non_null(output);
        text[fread(text, 1, sizeof text - 1, output)] = '\0';
        int status = pclose(output);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
        for (size_t i = 0; !json && i < sizeof expected / sizeof expected[0]; i++) {
            assert_non_null(strstr(text, expected[i]));
        }
        assert_true(!json || strncmp(text, "{\"ok\":false,", 12) == 0);
    }
}

TEST(test_wrong_table) {
    const char *path = "wrong.kzt";
    int rules = kz_rules_find(pushfight(), "corridor");
    kz_table *table = solved_board("corridor");
    kz_source source = {.context = table, .read = read_numbers};
    kz_pool *pool = kz_pool_new(1, NULL);
    kz_histogram *histogram = calloc(1, sizeof *histogram);
    kz_value value;
    uint64_t count;
    uint64_t bytes;
    assert_non_null(pool);
    assert_non_null(histogram);
    for (size_t i = 0; kz_table_count(table, i, &value, &count); i++) {
        *(value.outcome == KZ_DRAW   ? &histogram->draws
          : value.outcome == KZ_LOSS ? &histogram->losses[value.distance]
                                     : &histogram->wins[value.distance]) = count;
    }
    assert_int_equal(kz_table_write(pushfight(), rules, &source, histogram, pool, path, true, NULL, &bytes, NULL),
                     KZ_OK);
    kz_table_close(table);
    assert_int_equal(kz_table_open(path, &table, NULL), KZ_OK);
    int failed = tested(pushfight(), rules, table, KZ_ERR_MISMATCH).failed;
    assert_true(failed == KZ_SELFTEST_VALUE || failed == KZ_SELFTEST_IMAGE);
    kz_table_close(table);
    kz_pool_free(pool);
    free(histogram);
    assert_command_tells(path);
    remove(path);
}

TESTS(NULL, NULL)
