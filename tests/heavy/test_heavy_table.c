/* SPDX-License-Identifier: MIT
 * labels: dobutsu-table
 *
 * A real table, whole, damaged and shared by threads. Damage never shows as a wrong value. */
#include "tests/support/testing.h"

#include "base/bits.h"
#include "game/gamedef.h"
#include "games/dobutsu/index/space.h"
#include "games/dobutsu/rules/rules.h"
#include "games/dobutsu/table/lookup.h"
#include "table/format.h"
#include "table/reader.h"
#include "tests/support/dobutsu_samples.h"
#include "tests/support/forge.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char copy_path[] = "copy.kzt";

/* Made once for all tests. */
typedef struct fixture {
    const kz_game *game;
    kz_dobutsu_space *space;
    kz_table *good;
    uint8_t *content; /* of the file */
    size_t bytes;
    size_t index_at; /* where the index and the runs begin in it */
    size_t blocks_at;
    uint64_t runs;
    int copy; /* the descriptor of a file with the same content, which gets damaged and repaired again */
} fixture;

static int setup(void **state) {
    static fixture f;
    *state = &f;
    f.game = kz_game_find("dobutsu");
    f.space = kz_dobutsu_space_new();
    content file = needed_content(getenv("DOBUTSU_TABLE"));
    f.content = file.bytes;
    f.bytes = file.size;
    f.copy = open(copy_path, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (!f.space || f.copy < 0 || pwrite(f.copy, f.content, f.bytes, 0) != (ssize_t)f.bytes ||
        kz_table_open(getenv("DOBUTSU_TABLE"), &f.good, NULL) != KZ_OK) {
        return -1;
    }
    f.runs = (kz_index_size(f.game, 0) + KZ_BLOCK_POSITIONS - 1) / KZ_BLOCK_POSITIONS;
    f.index_at = KZ_TABLE_HEADER_BYTES + (size_t)kz_load_le32(f.content + KZ_AT_COUNTS_BYTES) +
                 kz_load_le32(f.content + KZ_AT_MODEL_BYTES);
    f.blocks_at = f.index_at + f.runs * KZ_INDEX_BYTES;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    close(f->copy);
    free(f->content);
    kz_table_close(f->good);
    kz_dobutsu_space_free(f->space);
    return remove(copy_path);
}

static kz_position position_of(const fixture *f, uint64_t index) {
    kz_dobutsu dobutsu;
    kz_position position;
    kz_dobutsu_space_unrank(f->space, index, &dobutsu);
    kz_dobutsu_to_position(&dobutsu, &position);
    return position;
}

static kz_position random_position(const fixture *f, uint64_t *seed) {
    return position_of(f, (uint64_t)sample_below(seed, KZ_DOBUTSU_INDEX_SIZE));
}

/* ---- The whole table --------------------------------------------------------------------------------------------- */

TEST(test_what_it_says) {
    const fixture *f = *state;
    uint64_t counts[KZ_WIN + 1] = {0};
    kz_value value = {KZ_UNKNOWN, 0};
    uint64_t count;
    kz_value last = value;
    for (size_t i = 0; kz_table_count(f->good, i, &value, &count); i++) {
        assert_true(value.outcome > last.outcome || (value.outcome == last.outcome && value.distance > last.distance));
        counts[value.outcome] += count;
        last = value;
    }
    assert_int_equal(last.outcome, KZ_WIN);
    assert_int_equal(last.distance, 173);
    assert_int_equal(counts[KZ_WIN], 174787315);
    assert_int_equal(counts[KZ_LOSS], 53793170);
    assert_int_equal(counts[KZ_DRAW], 3061506);
    assert_ptr_equal(kz_table_game(f->good), f->game);
    assert_int_equal(kz_table_rules(f->good), KZ_DOBUTSU_OFFICIAL);
    assert_int_equal(kz_table_positions(f->good), 231641991);
    assert_int_equal(kz_table_bytes(f->good), f->bytes);
    /* docs/tables.md has them: the same file on any machine. */
    assert_int_equal(f->bytes, 24937741);
    assert_string_equal(kz_table_digest(f->good), "17e206dcdd91f52b87c2ac611f8958bdbc40a10b26ca1fd3d38f9ffd7d335e03");
    assert_int_equal(kz_table_check(f->good, NULL, NULL), KZ_OK);
}

/* Larger is better: win soon, win late, draw, lose late, lose soon. */
static int worth(kz_value value) {
    return value.outcome == KZ_WIN ? 1000 - value.distance : value.outcome == KZ_LOSS ? value.distance - 1000 : 0;
}

static int place_in(const kz_move *list, int count, kz_move move) {
    for (int i = 0; i < count; i++) {
        if (list[i] == move) {
            return i;
        }
    }
    return -1;
}

/* All moves, each with the value of what it leads to, in the right order; and the best of them is what the position is
 * worth. */
static void check_moves(const fixture *f, const kz_position *position) {
    kz_move list[KZ_MAX_MOVES];
    kz_scored_move scored[KZ_MAX_MOVES];
    int count;
    kz_value value;
    int listed = kz_moves(f->game, 0, position, list);
    assert_int_equal(kz_probe_moves(f->good, position, scored, &count, NULL), KZ_OK);
    assert_int_equal(kz_probe(f->good, position, &value, NULL), KZ_OK);
    assert_int_equal(count, listed);
    for (int i = 0; i < count; i++) {
        kz_position after = *position;
        kz_value reply;
        int place = place_in(list, listed, scored[i].move);
        assert_true(place >= 0);
        kz_play(f->game, 0, &after, scored[i].move);
        assert_int_equal(kz_probe(f->good, &after, &reply, NULL), KZ_OK);
        assert_int_equal(scored[i].value.outcome, KZ_LOSS + KZ_WIN - reply.outcome);
        assert_int_equal(scored[i].value.distance, reply.outcome == KZ_DRAW ? 0 : reply.distance + 1);
        if (i > 0) {
            int before = worth(scored[i - 1].value);
            int now = worth(scored[i].value);
            assert_true(before > now || (before == now && place_in(list, listed, scored[i - 1].move) < place));
        }
    }
    if (count > 0) {
        assert_int_equal(scored[0].value.outcome, value.outcome);
        assert_int_equal(scored[0].value.distance, value.distance);
    } else {
        assert_int_equal(value.distance, 0);
    }
}

TEST(test_moves) {
    const fixture *f = *state;
    uint64_t seed = 78;
    kz_position position;
    kz_start(f->game, 0, &position);
    check_moves(f, &position);
    for (int i = 0; i < 2000; i++) {
        position = random_position(f, &seed);
        check_moves(f, &position);
        kz_dobutsu any = sample_position(&seed); /* also those that are over, or about to be */
        kz_dobutsu_to_position(&any, &position);
        check_moves(f, &position);
    }
}

/* ---- Threads ----------------------------------------------------------------------------------------------------- */

enum { READERS = 4, SHARED_PROBES = 20000 };

typedef struct reader {
    const fixture *f;
    const kz_table *table;
    const kz_value *expected;
    uint64_t wrong;
} reader;

/* The same positions for all, a few runs far apart and many others, so that they meet in the cache. */
static kz_position shared_position(const fixture *f, uint64_t *seed) {
    uint64_t index = (uint64_t)sample_below(seed, KZ_DOBUTSU_INDEX_SIZE);
    return position_of(f, sample_below(seed, 2) ? index : index % 100000);
}

static void *probe_all(void *argument) {
    reader *r = argument;
    uint64_t seed = 4711;
    for (int i = 0; i < SHARED_PROBES; i++) {
        kz_position position = shared_position(r->f, &seed);
        kz_value value;
        kz_status status = kz_probe(r->table, &position, &value, NULL);
        r->wrong +=
            status != KZ_OK || value.outcome != r->expected[i].outcome || value.distance != r->expected[i].distance;
    }
    return NULL;
}

TEST(test_threads) {
    const fixture *f = *state;
    static kz_value expected[SHARED_PROBES];
    pthread_t threads[READERS];
    reader readers[READERS];
    kz_table *table;
    uint64_t seed = 4711;
    for (int i = 0; i < SHARED_PROBES; i++) {
        kz_position position = shared_position(f, &seed);
        assert_int_equal(kz_probe(f->good, &position, &expected[i], NULL), KZ_OK);
    }
    assert_int_equal(kz_table_open(copy_path, &table, NULL), KZ_OK);
    for (int i = 0; i < READERS; i++) {
        readers[i] = (reader){f, table, expected, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, probe_all, &readers[i]), 0);
    }
    for (int i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(readers[i].wrong, 0);
    }
    kz_table_close(table);
}

/* ---- Many at once ------------------------------------------------------------------------------------------------ */

/* The value by what is stored and the public calls alone: no short way, and nothing known beyond the next move. */
static kz_value plain_value(const fixture *f, const kz_position *position) {
    kz_value value = kz_immediate(f->game, 0, position);
    uint64_t index;
    uint8_t stored;
    if (value.outcome != KZ_UNKNOWN) {
        return value;
    }
    assert_true(kz_rank(f->game, position, &index));
    assert_int_equal(kz_table_read(f->good, index, 1, &stored, NULL), KZ_OK);
    if (stored) {
        return (kz_value){KZ_LOSS, stored - 1};
    }
    kz_move list[KZ_MAX_MOVES];
    int count = kz_moves(f->game, 0, position, list);
    int best = 0;
    for (int i = 0; i < count; i++) {
        kz_position after = *position;
        kz_play(f->game, 0, &after, list[i]);
        kz_value reply = kz_immediate(f->game, 0, &after);
        int win = reply.outcome == KZ_LOSS ? reply.distance + 1 : 0;
        if (reply.outcome == KZ_UNKNOWN) {
            assert_true(kz_rank(f->game, &after, &index));
            assert_int_equal(kz_table_read(f->good, index, 1, &stored, NULL), KZ_OK);
            win = stored;
        }
        best = win && (best == 0 || win < best) ? win : best;
    }
    return best ? (kz_value){KZ_WIN, best} : (kz_value){KZ_DRAW, 0};
}

TEST(test_many) {
    enum { MANY = 4000, ROUNDS = 4 };
    const fixture *f = *state;
    static kz_position positions[MANY];
    static kz_value values[MANY];
    uint64_t seed = 20;
    int short_ones = 0;
    kz_table *table;
    for (int i = 0; i < MANY; i++) {
        positions[i] = random_position(f, &seed);
    }
    assert_int_equal(kz_table_open(copy_path, &table, NULL), KZ_OK);
    /* A small cache, a larger one, and two times one for the whole table: the second time all is there. */
    static const int cache_bytes[ROUNDS] = {1, 32 << 20, 32 << 20, 256 << 20};
    for (int round = 0; round <= ROUNDS; round++) {
        if (round < ROUNDS) {
            assert_int_equal(kz_table_cache(table, (uint64_t)cache_bytes[round], NULL), KZ_OK);
        }
        memset(values, 0xEE, sizeof values);
        assert_int_equal(kz_probe_many(table, positions, MANY, 1 + round % 3, values, NULL), KZ_OK);
        for (int i = 0; i < MANY; i++) {
            kz_value one;
            assert_int_equal(kz_probe(f->good, &positions[i], &one, NULL), KZ_OK);
            kz_value value = round == 0 ? plain_value(f, &positions[i]) : one;
            assert_int_equal(values[i].outcome, value.outcome);
            assert_int_equal(values[i].distance, value.distance);
            assert_int_equal(one.outcome, value.outcome);
            assert_int_equal(one.distance, value.distance);
            /* What kz_probe finds out by the rules alone, two and three plies before the end, is in the sample. */
            short_ones += value.distance == 2 || value.distance == 3;
        }
    }
    assert_true(short_ones > MANY / 10);
    kz_table_close(table);
}

/* Whether a side's own pieces are on all squares around its lion. */
static bool is_hemmed(const kz_dobutsu *position, uint8_t side) {
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        if (position->board[square] == (side | (1 + KZ_DOBUTSU_LION))) {
            for (unsigned rest = kz_dobutsu_steps(KZ_DOBUTSU_LION, square); rest; rest &= rest - 1) {
                uint8_t cell = position->board[kz_lowest_bit32(rest)];
                if (cell == KZ_DOBUTSU_EMPTY || (cell & KZ_DOBUTSU_ENEMY) != side) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Compares what the rules tell some plies before the end with what the table says. Returns whether looking further than
 * usual told it. */
static bool check_further(const fixture *f, const kz_dobutsu_lookup *opened, const kz_position *position) {
    uint64_t index;
    uint64_t indices[KZ_DOBUTSU_MAX_MOVES];
    int count;
    kz_value value = kz_dobutsu_look(opened, position, &index);
    bool further = value.outcome == KZ_UNKNOWN && index != KZ_NO_INDEX;
    if (further) {
        value = kz_dobutsu_look_further(opened, position, indices, &count);
    }
    if (value.outcome == KZ_UNKNOWN) {
        return false;
    }
    kz_value plain = plain_value(f, position);
    assert_int_equal(value.outcome, plain.outcome);
    assert_int_equal(value.distance, plain.distance);
    return further;
}

/* The positions before this one, and so on. */
static int check_before(const fixture *f, const kz_dobutsu_lookup *opened, const kz_position *position, int plies) {
    kz_position *before = malloc(KZ_MAX_PREDECESSORS * sizeof *before);
    assert_non_null(before);
    int checked = 1;
    check_further(f, opened, position);
    int count = plies ? f->game->doors->predecessors(position, before) : 0;
    for (int i = 0; i < count; i++) {
        checked += check_before(f, opened, &before[i], plies - 1);
    }
    free(before);
    return checked;
}

/* Positions in which somebody may be without a move are few, so they are looked for; and the positions before those in
 * which somebody is. */
TEST(test_further) {
    enum { RANDOM = 20000, TRIED = 2000000 };
    static const char *const stuck[] = {"S/-EG/EGL/lCC/---/-", "S/lEG/EGL/-CC/---/-"};
    const fixture *f = *state;
    kz_dobutsu_lookup *opened = kz_dobutsu_lookup_open(0, NULL);
    uint64_t seed = 22;
    int told = 0;
    int hemmed = 0;
    int checked = 0;
    assert_non_null(opened);
    assert_int_equal(kz_table_cache(f->good, 256 << 20, NULL), KZ_OK);
    for (int i = 0; i < TRIED; i++) {
        kz_dobutsu dobutsu;
        kz_position position;
        kz_dobutsu_space_unrank(f->space, (uint64_t)sample_below(&seed, KZ_DOBUTSU_INDEX_SIZE), &dobutsu);
        bool rare = is_hemmed(&dobutsu, 0) || is_hemmed(&dobutsu, KZ_DOBUTSU_ENEMY);
        if (i < RANDOM || rare) {
            kz_dobutsu_to_position(&dobutsu, &position);
            told += check_further(f, opened, &position);
            hemmed += rare;
        }
    }
    assert_true(told > RANDOM / 20);
    assert_true(hemmed > 100);
    for (int i = 0; i < 2; i++) {
        kz_position position;
        kz_value value;
        assert_int_equal(kz_parse(f->game, 0, stuck[i], strlen(stuck[i]), &position, NULL), KZ_OK);
        value = plain_value(f, &position);
        assert_int_equal(value.outcome, KZ_LOSS);
        assert_int_equal(value.distance, 0);
        checked += check_before(f, opened, &position, 6);
    }
    assert_true(checked > 10000);
    kz_dobutsu_lookup_close(opened);
}

/* A position whose value the rules tell after some microseconds gets its block cached all the same, if it is probed
 * again: then it takes far less. */
TEST(test_again) {
    enum { TRIED = 300 };
    const fixture *f = *state;
    uint64_t seed = 21;
    int found = 0;
    kz_table *table;
    assert_int_equal(kz_table_open(copy_path, &table, NULL), KZ_OK);
    for (int i = 0; i < TRIED; i++) {
        kz_position position = random_position(f, &seed);
        kz_value value;
        kz_value again;
        uint64_t index;
        uint8_t stored;
        assert_int_equal(kz_probe(table, &position, &value, NULL), KZ_OK);
        assert_int_equal(kz_probe(table, &position, &again, NULL), KZ_OK);
        assert_int_equal(value.outcome, again.outcome);
        assert_int_equal(value.distance, again.distance);
        if (value.distance == 4 || value.distance == 5) {
            assert_true(kz_rank(f->game, &position, &index));
            assert_true(kz_table_peek(table, index, &stored));
            assert_int_equal(stored, value.outcome == KZ_LOSS ? 1 + value.distance : 0);
            found++;
        }
    }
    assert_true(found > TRIED / 20);
    kz_table_close(table);
}

/* ---- Damage ------------------------------------------------------------------------------------------------------ */

/* Open tables see it at once, as they map the file. */
static void flip(const fixture *f, size_t at, uint8_t bits) {
    uint8_t byte = f->content[at] ^ bits;
    assert_int_equal(pwrite(f->copy, &byte, 1, (off_t)at), 1);
}

static void repair(const fixture *f, size_t at) { flip(f, at, 0); }

static void assert_not_opened(void) {
    kz_table *table = NULL;
    kz_error error;
    assert_int_equal(kz_table_open(copy_path, &table, &error), KZ_ERR_CORRUPT);
    assert_int_equal(error.status, KZ_ERR_CORRUPT);
    assert_non_null(strstr(error.message, copy_path));
    assert_null(table);
}

TEST(test_damaged_header) {
    const fixture *f = *state;
    for (size_t at = 0; at < KZ_TABLE_HEADER_BYTES; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            flip(f, at, (uint8_t)(1U << bit));
            assert_not_opened();
        }
        flip(f, at, 0xFF);
        assert_not_opened();
        repair(f, at);
    }
}

/* The block that holds a byte of the file. */
static uint64_t block_at(const fixture *f, size_t at) {
    size_t end = f->blocks_at;
    for (uint64_t block = 0; block < f->runs; block++) {
        end += kz_load_le16(f->content + f->index_at + block * KZ_INDEX_BYTES + KZ_INDEX_SIZE);
        if (at < end) {
            return block;
        }
    }
    fail_msg("no block has byte %zu", at);
    return 0;
}

/* Values of a damaged block are refused, and so are values of others that depend on it; all others are right. */
static void check_probe(const fixture *f, const kz_table *table, uint64_t index) {
    kz_position position = position_of(f, index);
    kz_value value;
    kz_value expected;
    kz_error error;
    assert_int_equal(kz_probe(f->good, &position, &expected, NULL), KZ_OK);
    kz_status status = kz_probe(table, &position, &value, &error);
    if (status == KZ_OK) {
        assert_int_equal(value.outcome, expected.outcome);
        assert_int_equal(value.distance, expected.distance);
    } else {
        assert_int_equal(status, KZ_ERR_CORRUPT);
        assert_non_null(strstr(error.message, copy_path));
    }
}

static void check_damaged_block(const fixture *f, const kz_table *table, size_t at, uint64_t *seed) {
    uint64_t block = block_at(f, at);
    uint64_t first = block * KZ_BLOCK_POSITIONS;
    uint64_t left = kz_index_size(f->game, 0) - first;
    int positions = left < KZ_BLOCK_POSITIONS ? (int)left : KZ_BLOCK_POSITIONS;
    uint8_t loss;
    kz_error error;
    assert_int_equal(kz_table_check(table, NULL, &error), KZ_ERR_CORRUPT);
    assert_int_equal(kz_table_read(table, first, 1, &loss, &error), KZ_ERR_CORRUPT);
    for (int i = 0; i < 3; i++) {
        check_probe(f, table, first + (uint64_t)sample_below(seed, positions));
        check_probe(f, table, (uint64_t)sample_below(seed, KZ_DOBUTSU_INDEX_SIZE));
    }
}

/* Anywhere in the file. Most bytes are in runs, so half of the flips are before them. */
TEST(test_random_damage) {
    enum { FLIPS = 2000 };
    const fixture *f = *state;
    uint64_t seed = 152;
    kz_table *table;
    assert_int_equal(kz_table_open(copy_path, &table, NULL), KZ_OK);
    for (int i = 0; i < FLIPS; i++) {
        size_t at = (size_t)sample_below(&seed, (int)(i % 2 ? f->blocks_at : f->bytes));
        flip(f, at, (uint8_t)(1 + sample_below(&seed, 255)));
        if (at < f->blocks_at) {
            assert_not_opened();
        } else {
            check_damaged_block(f, table, at, &seed);
        }
        repair(f, at);
    }
    assert_int_equal(kz_table_check(table, NULL, NULL), KZ_OK);
    kz_table_close(table);
}

/* Blocks in each other's places: each is what it was, but not where it was. */
TEST(test_swapped_blocks) {
    const fixture *f = *state;
    kz_table *table;
    uint8_t loss;
    uint64_t first = 0;
    size_t at = f->blocks_at;
    const uint8_t *entry = f->content + f->index_at;
    size_t size = kz_load_le16(entry);
    /* Two neighbours of the same size that differ. */
    while (size != kz_load_le16(entry + KZ_INDEX_BYTES) || memcmp(f->content + at, f->content + at + size, size) == 0) {
        at += size;
        entry += KZ_INDEX_BYTES;
        first += KZ_BLOCK_POSITIONS;
        size = kz_load_le16(entry);
    }
    assert_int_equal(pwrite(f->copy, f->content + at, size, (off_t)(at + size)), (ssize_t)size);
    assert_int_equal(pwrite(f->copy, f->content + at + size, size, (off_t)at), (ssize_t)size);
    assert_int_equal(kz_table_open(copy_path, &table, NULL), KZ_OK);
    assert_int_equal(kz_table_read(table, first, 1, &loss, NULL), KZ_ERR_CORRUPT);
    assert_int_equal(kz_table_read(table, first + KZ_BLOCK_POSITIONS, 1, &loss, NULL), KZ_ERR_CORRUPT);
    assert_int_equal(kz_table_check(table, NULL, NULL), KZ_ERR_CORRUPT);
    kz_table_close(table);
    assert_int_equal(pwrite(f->copy, f->content + at, 2 * size, (off_t)at), (ssize_t)(2 * size));
}

/* Last, because what is cut off is lost. From the longest down, as they are all made from one file. */
TEST(test_truncated) {
    const fixture *f = *state;
    const size_t sizes[] = {f->bytes - 1,
                            f->bytes - 2,
                            f->bytes / 2,
                            f->blocks_at + 1,
                            f->blocks_at,
                            f->blocks_at - 1,
                            f->index_at,
                            f->index_at - 1,
                            4096,
                            200,
                            153,
                            152,
                            151,
                            145,
                            144,
                            100,
                            16,
                            9,
                            8,
                            7,
                            1,
                            0};
    assert_int_equal(pwrite(f->copy, "", 1, (off_t)f->bytes), 1); /* one byte too many */
    assert_not_opened();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        assert_int_equal(ftruncate(f->copy, (off_t)sizes[i]), 0);
        assert_not_opened();
    }
}

TESTS(setup, teardown)
