/* SPDX-License-Identifier: MIT
 *
 * A table whose bytes come piece by piece: the same answers as from the file, nothing before its bytes are here, and
 * all that is missing asked for at once. */
#include "tests/support/dobutsu_samples.h"
#include "tests/support/tables.h"

static const char path[] = "mini.kzt";

static int setup(void **state) {
    *state = solve_for_download("mini", path);
    return *state ? 0 : -1;
}

static int teardown(void **state) {
    free_download(*state);
    return remove(path);
}

/* Opens a table of which nothing is here at first. */
static kz_table *open_slowly(download *d) {
    kz_byte_source bytes = begin(d, false);
    kz_table *table = NULL;
    kz_error error;
    int tries = 1;
    while (kz_table_open_bytes("slow", &bytes, &table, &error) != KZ_OK) {
        assert_int_equal(error.status, KZ_ERR_IO);
        assert_non_null(strstr(error.message, "slow: "));
        assert_non_null(strstr(error.message, "not loaded yet"));
        assert_int_equal(d->closed, tries);
        assert_true(d->wanted_pages > 0);
        arrive(d);
        tries++;
        assert_true(tries < 10);
    }
    /* The header, then everything else that is before the blocks: no more than that is waited for. */
    assert_int_equal(tries, 3);
    return table;
}

static void same_moves(const kz_scored_move *a, const kz_scored_move *b, int count) {
    for (int i = 0; i < count; i++) {
        assert_int_equal(a[i].move, b[i].move);
        assert_int_equal(a[i].value.outcome, b[i].value.outcome);
        assert_int_equal(a[i].value.distance, b[i].value.distance);
    }
}

TEST(test_all_here) {
    download *d = *state;
    kz_table *file;
    kz_table *table;
    assert_int_equal(kz_table_open(path, &file, NULL), KZ_OK);
    kz_byte_source bytes = begin(d, true);
    assert_int_equal(kz_table_open_bytes("memory", &bytes, &table, NULL), KZ_OK);
    assert_string_equal(kz_table_digest(table), kz_table_digest(file));
    assert_int_equal(kz_table_bytes(table), d->size);
    assert_int_equal(kz_table_positions(table), kz_table_positions(file));
    assert_int_equal(kz_table_check(table, NULL, NULL), KZ_OK);
    kz_table_close(file);
    assert_int_equal(d->closed, 0);
    kz_table_close(table);
    assert_int_equal(d->closed, 1);
}

TEST(test_slowly) {
    download *d = *state;
    const kz_game *game = kz_game_find("pushfight");
    int rules = kz_rules_find(game, "mini");
    kz_scored_move *expected = malloc(KZ_MAX_MOVES * sizeof *expected);
    kz_scored_move *moves = malloc(KZ_MAX_MOVES * sizeof *moves);
    assert_non_null(expected);
    assert_non_null(moves);
    kz_table *file;
    assert_int_equal(kz_table_open(path, &file, NULL), KZ_OK);
    kz_table *table = open_slowly(d);
    uint64_t seed = 17;
    int waited = 0;
    for (int game_number = 0; game_number < 20; game_number++) {
        kz_position position;
        kz_start(game, rules, &position);
        for (int ply = 0; ply < 4; ply++) {
            int count = 0;
            int listed = 0;
            kz_error error;
            assert_int_equal(kz_probe_moves(file, &position, expected, &listed, NULL), KZ_OK);
            kz_status status = kz_probe_moves(table, &position, moves, &count, &error);
            if (status != KZ_OK) {
                /* One round of waiting is enough, because the first call has asked for everything. */
                assert_int_equal(status, KZ_ERR_IO);
                assert_non_null(strstr(error.message, "is not loaded yet"));
                waited++;
                arrive(d);
                assert_int_equal(kz_probe_moves(table, &position, moves, &count, &error), KZ_OK);
            }
            assert_int_equal(count, listed);
            same_moves(moves, expected, count);
            if (count == 0) {
                break;
            }
            kz_play(game, rules, &position, moves[sample_below(&seed, count)].move);
        }
    }
    assert_true(waited > 1);
    kz_table_close(table);
    kz_table_close(file);
    free(expected);
    free(moves);
}

/* The start position has no index: its value comes from its successors, all of them. */
TEST(test_value_of_the_start) {
    download *d = *state;
    const kz_game *game = kz_game_find("pushfight");
    kz_position position;
    kz_value value;
    kz_value expected;
    kz_table *file;
    kz_start(game, kz_rules_find(game, "mini"), &position);
    assert_int_equal(kz_table_open(path, &file, NULL), KZ_OK);
    assert_int_equal(kz_probe(file, &position, &expected, NULL), KZ_OK);
    kz_table *table = open_slowly(d);
    kz_error error;
    assert_int_equal(kz_probe(table, &position, &value, &error), KZ_ERR_IO);
    assert_true(d->wanted_pages > 1);
    /* Not all of what was wanted: still no value, and no wrong one. */
    for (int page = 0; page < PAGES_MOST; page++) {
        if (d->wanted[page]) {
            d->here[page] = true;
            d->wanted[page] = false;
            break;
        }
    }
    assert_int_equal(kz_probe(table, &position, &value, &error), KZ_ERR_IO);
    arrive(d);
    assert_int_equal(kz_probe(table, &position, &value, &error), KZ_OK);
    assert_int_equal(value.outcome, expected.outcome);
    assert_int_equal(value.distance, expected.distance);
    kz_table_close(table);
    kz_table_close(file);
}

TEST(test_damaged) {
    download *d = *state;
    kz_byte_source bytes = begin(d, true);
    kz_table *table = NULL;
    kz_error error;
    /* A byte of the header, of the counts, and of the size. */
    static const size_t places[] = {20, 160};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        d->file[places[i]] ^= 1;
        assert_int_equal(kz_table_open_bytes("bad", &bytes, &table, &error), KZ_ERR_CORRUPT);
        assert_non_null(strstr(error.message, "bad: "));
        d->file[places[i]] ^= 1;
    }
    bytes.size = d->size - 1;
    assert_int_equal(kz_table_open_bytes("bad", &bytes, &table, &error), KZ_ERR_CORRUPT);
    bytes.size = 100;
    assert_int_equal(kz_table_open_bytes("bad", &bytes, &table, &error), KZ_ERR_CORRUPT);
    bytes.size = 0;
    assert_int_equal(kz_table_open_bytes("bad", &bytes, &table, &error), KZ_ERR_CORRUPT);
    assert_int_equal(d->closed, 5);
    /* The last byte is one of the last block. */
    bytes.size = d->size;
    assert_int_equal(kz_table_open_bytes("bad", &bytes, &table, &error), KZ_OK);
    d->file[d->size - 1] ^= 1;
    assert_int_equal(kz_table_check(table, NULL, &error), KZ_ERR_CORRUPT);
    d->file[d->size - 1] ^= 1;
    kz_table_close(table);
}

TESTS(setup, teardown)
