/* SPDX-License-Identifier: MIT
 *
 * Excerpts: what they know is what their table knows, what is near is in them, and what is damaged or forged is
 * noticed. The distances are worked out a second time, from the values of moves. */
#include "tests/support/forge.h"
#include "tests/support/tables.h"

#include "base/bits.h"
#include "base/packing.h"
#include "base/random.h"
#include "table/excerpt.h"
#include "table/format.h"
#include "table/reader.h"

#include <kanzen/collect.h>
#include <kanzen/excerpt.h>
#include <kanzen/values.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#define SMALL "small.kzt"

static kz_table *whole; /* of a small board */
static const kz_game *game;
static int rules;

/* Some positions of which the rules do not tell the value; an excerpt of this board with all that they lead to has some
 * 900 bytes. */
enum { STARTS = 3, SOME_BYTES = 700, PLENTY = 1 << 20 };

static void find_starts(kz_position starts[STARTS]) {
    uint64_t size = kz_index_size(game, rules);
    uint64_t index = size / 3;
    for (int found = 0; found < STARTS; index += 7919) {
        kz_position *position = &starts[found];
        uint64_t number;
        if (kz_unrank(game, rules, index % size, position) && kz_rank(game, position, &number)) {
            found += kz_immediate(game, rules, position).outcome == KZ_UNKNOWN;
        }
    }
}

static kz_table *make_excerpt(uint64_t bytes, int threads, kz_excerpt_report *report) {
    kz_position starts[STARTS];
    kz_error error;
    kz_table *table;
    find_starts(starts);
    kz_excerpt_wish wish = {
        .starts = starts, .start_count = STARTS, .most_bytes = bytes, .threads = threads, .replace = true};
    must(kz_excerpt_write(whole, &wish, SMALL, NULL, report, &error), &error);
    must(kz_table_open(SMALL, &table, &error), &error);
    return table;
}

static int setup(void **state) {
    (void)state;
    whole = solved_board("hook");
    game = kz_table_game(whole);
    rules = kz_table_rules(whole);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    kz_table_close(whole);
    return 0;
}

static bool same_value(kz_value a, kz_value b) { return a.outcome == b.outcome && a.distance == b.distance; }

/* ---- What is in it ---------------------------------------------------------------------------------------------- */

TEST(test_values) {
    kz_excerpt_report report;
    kz_error error;
    kz_table *small = make_excerpt(SOME_BYTES, 0, &report);
    assert_true(kz_table_is_excerpt(small));
    assert_false(kz_table_is_excerpt(whole));
    assert_in_range(report.bytes, SOME_BYTES / 2, SOME_BYTES);
    assert_int_equal(kz_table_bytes(small), report.bytes);
    assert_int_equal(kz_table_positions(small), report.positions);
    uint64_t size = kz_index_size(game, rules);
    kz_position *positions = malloc(size * sizeof *positions);
    kz_value *values = malloc(size * sizeof *values);
    assert_true(positions && values);
    uint64_t known = 0;
    size_t count = 0;
    for (uint64_t index = 0; index < size; index++) {
        kz_value value;
        kz_value expected;
        uint64_t number;
        if (!kz_unrank(game, rules, index, &positions[count]) || !kz_rank(game, &positions[count], &number)) {
            continue;
        }
        assert_int_equal(kz_probe(small, &positions[count], &value, &error), KZ_OK);
        assert_int_equal(kz_probe(whole, &positions[count], &expected, &error), KZ_OK);
        bool told = kz_immediate(game, rules, &positions[count]).outcome != KZ_UNKNOWN;
        assert_true(value.outcome == KZ_UNKNOWN ? !told : same_value(value, expected));
        known += !told && value.outcome != KZ_UNKNOWN;
        count++;
    }
    assert_int_equal(known, report.positions);
    assert_true(known < count / 2); /* or this would test little */
    assert_int_equal(kz_probe_many(small, positions, count, 2, values, &error), KZ_OK);
    for (size_t i = 0; i < count; i++) {
        kz_value value;
        assert_int_equal(kz_probe(small, &positions[i], &value, &error), KZ_OK);
        assert_true(same_value(value, values[i]));
    }
    free(positions);
    free(values);
    kz_table_close(small);
}

/* How far away each position of the index is, by moves and their values. */
static uint8_t *find_distances(const kz_position *starts) {
    enum { FAR = 255 };
    static kz_scored_move moves[KZ_MAX_MOVES];
    uint64_t size = kz_index_size(game, rules);
    uint8_t *distances = malloc(size);
    uint64_t index;
    assert_non_null(distances);
    memset(distances, FAR, size);
    for (int i = 0; i < STARTS; i++) {
        assert_true(kz_rank(game, &starts[i], &index));
        distances[index] = 0;
    }
    for (int distance = 0; distance < 6; distance++) {
        for (uint64_t from = 0; from < size; from++) {
            kz_position position;
            int count;
            if (distances[from] != distance || !kz_unrank(game, rules, from, &position) ||
                kz_immediate(game, rules, &position).outcome != KZ_UNKNOWN) {
                continue;
            }
            assert_int_equal(kz_probe_moves(whole, &position, moves, &count, NULL), KZ_OK);
            for (int i = 0; i < count; i++) {
                kz_position after = position;
                kz_play(game, rules, &after, moves[i].move);
                int steps = distance + (same_value(moves[i].value, moves[0].value) ? 1 : 2);
                if (kz_rank(game, &after, &index) && steps < distances[index]) {
                    distances[index] = (uint8_t)steps;
                }
            }
        }
    }
    return distances;
}

TEST(test_distances) {
    static kz_scored_move moves[KZ_MAX_MOVES];
    kz_position starts[STARTS];
    kz_excerpt_report report;
    kz_table *small = make_excerpt(SOME_BYTES, 0, &report);
    find_starts(starts);
    uint8_t *distances = find_distances(starts);
    assert_in_range(report.distance, 1, 5);
    uint64_t seen = 0;
    for (uint64_t index = 0; index < kz_index_size(game, rules); index++) {
        kz_position position;
        int count;
        if (distances[index] > report.distance || !kz_unrank(game, rules, index, &position) ||
            kz_immediate(game, rules, &position).outcome != KZ_UNKNOWN) {
            continue;
        }
        assert_int_equal(kz_probe_moves(small, &position, moves, &count, NULL), KZ_OK);
        for (int i = 0; i < count; i++) {
            assert_int_not_equal(moves[i].value.outcome, KZ_UNKNOWN);
        }
        seen++;
    }
    assert_in_range(seen, STARTS + 1, report.expanded);
    free(distances);
    kz_table_close(small);
}

TEST(test_same_bytes) {
    kz_excerpt_report one;
    kz_excerpt_report three;
    kz_table_close(make_excerpt(SOME_BYTES, 1, &one));
    assert_int_equal(rename(SMALL, "one.kzt"), 0);
    kz_table_close(make_excerpt(SOME_BYTES, 3, &three));
    assert_true(same_contents(SMALL, "one.kzt"));
    assert_int_equal(one.expanded, three.expanded);
    unlink("one.kzt");
}

/* With room for everything that can be reached, all of that is in it. */
TEST(test_all_of_it) {
    kz_excerpt_report report;
    kz_verify_report verified;
    kz_error error;
    kz_table *small = make_excerpt(PLENTY, 0, &report);
    assert_int_equal(report.distance, INT_MAX);
    assert_int_equal(report.expanded, report.positions);
    assert_int_equal(kz_table_verify(small, 0, NULL, &verified, &error), KZ_OK);
    assert_int_equal(verified.positions, report.positions);
    assert_int_equal(verified.wrong, 0);
    kz_table_close(small);
}

/* ---- What can't be asked ---------------------------------------------------------------------------------------- */

TEST(test_refusals) {
    kz_excerpt_report report;
    kz_error error;
    kz_found found[1];
    size_t count;
    kz_position starts[STARTS];
    kz_table *small = make_excerpt(SOME_BYTES, 0, &report);
    assert_int_equal(kz_collect_longest(small, 1, 1, NULL, found, &count, &error), KZ_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "an excerpt"));
    kz_excerpt_wish wish = {.most_bytes = SOME_BYTES, .replace = true};
    assert_int_equal(kz_excerpt_write(small, &wish, "other.kzt", NULL, &report, &error), KZ_ERR_UNSUPPORTED);
    find_starts(starts);
    wish = (kz_excerpt_wish){.starts = starts, .start_count = STARTS, .most_bytes = 200, .replace = true};
    assert_int_equal(kz_excerpt_write(whole, &wish, "other.kzt", NULL, &report, &error), KZ_ERR_INPUT);
    assert_non_null(strstr(error.message, "not enough"));
    assert_int_not_equal(access("other.kzt", F_OK), 0);
    wish = (kz_excerpt_wish){.starts = starts, .start_count = STARTS, .most_bytes = SOME_BYTES};
    assert_int_equal(kz_excerpt_write(whole, &wish, SMALL, NULL, &report, &error), KZ_ERR_IO);
    kz_table_close(small);
}

/* What the excerpt does not know is searched for, as without a table. */
TEST(test_search) {
    kz_excerpt_report report;
    kz_error error;
    kz_table *small = make_excerpt(SOME_BYTES, 0, &report);
    kz_values values = {.game = game, .rules = rules, .table = small, .seconds = 1};
    int proved = 0;
    for (uint64_t index = 0; index < kz_index_size(game, rules) && proved < 20; index += 11) {
        kz_position position;
        kz_value value;
        kz_value expected;
        if (kz_unrank(game, rules, index, &position) && kz_probe(small, &position, &value, &error) == KZ_OK &&
            value.outcome == KZ_UNKNOWN) {
            assert_int_equal(kz_values_value(&values, &position, &value, &error), KZ_OK);
            assert_int_equal(kz_probe(whole, &position, &expected, &error), KZ_OK);
            assert_true(value.outcome == KZ_UNKNOWN || same_value(value, expected));
            proved += value.outcome != KZ_UNKNOWN;
        }
    }
    assert_true(proved > 0);
    kz_table_close(small);
}

/* ---- Bytes ------------------------------------------------------------------------------------------------------ */

TEST(test_blocks) {
    static uint64_t entries[KZ_EXCERPT_BLOCK];
    static uint64_t decoded[KZ_EXCERPT_BLOCK];
    static uint8_t raw[KZ_EXCERPT_RAW_MOST];
    uint64_t seed = 4;
    for (int round = 0; round < 60; round++) {
        size_t count = round < 4 ? (size_t)round + 1 : (size_t)(kz_splitmix64(&seed) % KZ_EXCERPT_BLOCK + 1);
        uint64_t index = kz_splitmix64(&seed) % 1000;
        for (size_t i = 0; i < count; i++) {
            uint64_t random = kz_splitmix64(&seed);
            entries[i] = kz_excerpt_entry(index, (uint8_t)(random % 255));
            index += 1 + (random >> 8) % (UINT64_C(1) << (random >> 40) % 24); /* steps of all sizes, 255 and 256 too */
        }
        size_t packed;
        size_t size = kz_excerpt_encode(entries, count, raw);
        uint8_t *bytes = kz_pack(raw, size, 3, &packed);
        uint64_t first = kz_excerpt_index(entries[0]);
        kz_excerpt excerpt = {.stored = count, .firsts = &first};
        assert_non_null(bytes);
        assert_true(kz_excerpt_decode(&excerpt, 0, index, bytes, packed, raw, decoded));
        assert_memory_equal(decoded, entries, count * sizeof *entries);
        assert_false(kz_excerpt_decode(&excerpt, 0, kz_excerpt_index(entries[count - 1]), bytes, packed, raw, decoded));
        excerpt.stored++;
        assert_false(kz_excerpt_decode(&excerpt, 0, index, bytes, packed, raw, decoded));
        uint8_t number;
        assert_true(kz_excerpt_find(entries, count, first, &number));
        assert_int_equal(number, kz_excerpt_number(entries[0]));
        assert_false(kz_excerpt_find(entries, count, index, &number));
        free(bytes);
    }
}

static kz_status open_and_check(void) {
    kz_error error;
    kz_table *table;
    kz_status status = kz_table_open(SMALL, &table, &error);
    if (status == KZ_OK) {
        status = kz_table_check(table, NULL, &error);
        kz_table_close(table);
    }
    return status;
}

TEST(test_damage) {
    kz_excerpt_report report;
    kz_table_close(make_excerpt(SOME_BYTES, 0, &report));
    content good = needed_content(SMALL);
    for (size_t at = 0; at < good.size; at++) {
        good.bytes[at] ^= 1;
        put_content(SMALL, good.bytes, good.size);
        assert_int_equal(open_and_check(), KZ_ERR_CORRUPT);
        good.bytes[at] ^= 1;
    }
    for (size_t size = 0; size < good.size; size += 7) {
        put_content(SMALL, good.bytes, size);
        assert_int_equal(open_and_check(), KZ_ERR_CORRUPT);
    }
    free(good.bytes);
}

/* Numbers that a reader may not expect, under checksums that are right: an error or an answer, but no crash. */
TEST(test_forged) {
    kz_excerpt_report report;
    kz_table_close(make_excerpt(SOME_BYTES, 0, &report));
    content good = needed_content(SMALL);
    uint8_t *forged = malloc(good.size);
    assert_non_null(forged);
    uint64_t seed = 11;
    for (int round = 0; round < 3000 / (int)FEWER; round++) {
        size_t at = KZ_AT_VERSION + (size_t)(kz_splitmix64(&seed) % (good.size - KZ_AT_VERSION));
        memcpy(forged, good.bytes, good.size);
        forged[at] = (uint8_t)kz_splitmix64(&seed);
        forge_seal_table(forged, good.size);
        put_content(SMALL, forged, good.size);
        kz_table *table;
        kz_position starts[STARTS];
        kz_value value;
        find_starts(starts);
        if (kz_table_open(SMALL, &table, NULL) == KZ_OK) {
            for (int i = 0; i < STARTS; i++) {
                (void)kz_probe(table, &starts[i], &value, NULL);
            }
            kz_table_close(table);
        }
    }
    free(forged);
    free(good.bytes);
}

/* A wrong value under right checksums: only verifying sees it. */
TEST(test_wrong_value) {
    kz_excerpt_report report;
    kz_verify_report verified;
    kz_error error;
    kz_table *small = make_excerpt(PLENTY, 0, &report);
    kz_table_close(small);
    content file = needed_content(SMALL);
    size_t index_bytes = kz_load_le32(file.bytes + KZ_AT_INDEX_BYTES);
    size_t index_at = KZ_TABLE_HEADER_BYTES + kz_load_le32(file.bytes + KZ_AT_COUNTS_BYTES) +
                      kz_load_le32(file.bytes + KZ_AT_MODEL_BYTES);
    uint8_t *block = file.bytes + index_at + index_bytes;
    size_t size = kz_load_le16(file.bytes + index_at + KZ_INDEX_SIZE);
    static uint8_t raw[KZ_EXCERPT_RAW_MOST];
    uint64_t raw_size;
    assert_true(report.positions <= KZ_EXCERPT_BLOCK);
    assert_true(kz_unpacked_size(block, size, &raw_size) && kz_unpack(block, size, raw, raw_size) == KZ_OK);
    bool changed = false;
    for (size_t i = 0; i < report.positions && !changed; i++) {
        uint8_t *number = raw + report.positions - 1 + i;
        uint8_t before = *number;
        size_t packed;
        *number = before == 0 ? 3 : 0;
        uint8_t *bytes = kz_pack(raw, raw_size, 19, &packed);
        assert_non_null(bytes);
        changed = packed == size; /* so that the rest of the file can stay where it is */
        if (changed) {
            memcpy(block, bytes, size);
        }
        free(bytes);
        *number = before;
    }
    assert_true(changed);
    forge_seal_table(file.bytes, file.size);
    put_content(SMALL, file.bytes, file.size);
    assert_int_equal(open_and_check(), KZ_OK);
    assert_int_equal(kz_table_open(SMALL, &small, &error), KZ_OK);
    assert_int_equal(kz_table_verify(small, 0, NULL, &verified, &error), KZ_ERR_MISMATCH);
    assert_true(verified.wrong > 0);
    kz_table_close(small);
    free(file.bytes);
}

TESTS(setup, teardown)
