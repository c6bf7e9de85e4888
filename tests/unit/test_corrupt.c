/* SPDX-License-Identifier: MIT
 * labels: slow
 *
 * Damage to the files that Kanzen reads: every byte of a whole table, of the phases of a solve, of the state of a
 * conversion and of records of shogi gets other values, and every file is cut off everywhere. Where there are checksums
 * all of it is seen, and until then no answer is wrong; where there are none, nothing else suffers from it. */
#include "tests/support/forge.h"

#include "base/bits.h"
#include "games/pushfight/solve/phase_file.h"
#include "table/format.h"
#include "table/reader.h"

#include <fcntl.h>
#include <kanzen/shogi_files.h>
#include <kanzen/solve.h>
#include <kanzen/table.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

static const kz_game *game(void) { return kz_game_find("pushfight"); }

/* What a byte is changed by: every other value it can have, or where that takes too long every bit and all of them. */
enum { ALL_VALUES = 255, BITS = 9 };
static uint8_t change(int patterns, int number) {
    return (uint8_t)(patterns == ALL_VALUES ? number + 1 : number < 8 ? 1 << number : 255);
}

#ifdef __SANITIZE_ADDRESS__
enum { TABLE_PATTERNS = BITS, PART_STEP = 797 };
#else
enum { TABLE_PATTERNS = ALL_VALUES, PART_STEP = 97 };
#endif

/* ---- A table ----------------------------------------------------------------------------------------------------- */

static const uint8_t *get(void *user, uint64_t offset, size_t size) {
    const content *file = user;
    assert_true(offset <= file->size && size <= file->size - offset);
    return file->bytes + offset;
}

static kz_status open_content(content *file, kz_table **table) {
    kz_error error = {.status = KZ_OK};
    kz_byte_source bytes = {.size = file->size, .get = get, .user = file};
    kz_status status = kz_table_open_bytes("table", &bytes, table, &error);
    assert_true(status == KZ_OK || (status == error.status && strncmp(error.message, "table: ", 7) == 0));
    return status;
}

static void assert_refused(content *file, size_t at) {
    kz_table *table = NULL;
    kz_status status = open_content(file, &table);
    if (status != KZ_ERR_CORRUPT) {
        fail_msg("byte %zu: %s", at, kz_status_name(status));
    }
    assert_null(table);
}

typedef struct victim {
    content file;
    kz_table *table;  /* of these bytes, opened when they were whole */
    uint8_t *numbers; /* what it stores */
    uint8_t *got;     /* of a block */
    uint64_t refused; /* blocks */
    uint64_t probes;
} victim;

/* Reads every block: it is refused or right. */
static void read_all(victim *v, size_t at) {
    const kz_shape *shape = kz_table_shape(v->table);
    uint64_t refused = 0;
    for (uint64_t first = 0; first < shape->places; first += shape->block) {
        kz_error error;
        uint64_t left = shape->places - first;
        uint64_t count = left < shape->block ? left : shape->block;
        kz_status status = kz_table_read(v->table, first, count, v->got, &error);
        if (status == KZ_OK && memcmp(v->got, v->numbers + first, count) != 0) {
            fail_msg("byte %zu: wrong values from %llu on", at, (unsigned long long)first);
        }
        assert_true(status == KZ_OK || status == KZ_ERR_CORRUPT);
        refused += status != KZ_OK;
    }
    assert_int_equal(refused, 1);
    v->refused += refused;
}

/* Asks for positions: the answer is right, or there is none. */
static void probe_some(victim *v, const kz_table *good) {
    assert_int_equal(kz_table_cache(v->table, 1, NULL), KZ_OK); /* what was read before is forgotten */
    for (uint64_t index = v->probes % 37; index < kz_table_shape(good)->places; index += 37) {
        kz_position position;
        kz_value value;
        kz_value expected;
        if (v->numbers[index] == KZ_NO_POSITION) {
            continue;
        }
        kz_unrank(game(), kz_table_rules(good), index, &position);
        assert_int_equal(kz_probe(good, &position, &expected, NULL), KZ_OK);
        kz_status status = kz_probe(v->table, &position, &value, NULL);
        assert_true(status == KZ_OK || status == KZ_ERR_CORRUPT);
        if (status == KZ_OK) {
            assert_int_equal(value.outcome, expected.outcome);
            assert_int_equal(value.distance, expected.distance);
        }
    }
    v->probes++;
}

static void solve(const char *path, bool keep_work) {
    kz_solve_options options = {.threads = 1, .keep_work = keep_work};
    kz_summary summary;
    kz_error error;
    must(kz_solve(game(), kz_rules_find(game(), "corridor"), path, &options, &summary, &error), &error);
}

TEST(test_table) {
    solve("table.kzt", false);
    victim v = {.file = needed_content("table.kzt")};
    kz_table *good;
    kz_verify_report report;
    assert_int_equal(kz_table_open("table.kzt", &good, NULL), KZ_OK);
    assert_int_equal(kz_table_verify(good, 1, NULL, &report, NULL), KZ_OK);
    const kz_shape *shape = kz_table_shape(good);
    v.numbers = malloc(shape->places);
    v.got = malloc(shape->block);
    assert_true(v.numbers && v.got);
    assert_int_equal(kz_table_read(good, 0, shape->places, v.numbers, NULL), KZ_OK);
    assert_int_equal(open_content(&v.file, &v.table), KZ_OK);

    size_t blocks_at = KZ_TABLE_HEADER_BYTES + (size_t)kz_load_le32(v.file.bytes + KZ_AT_COUNTS_BYTES) +
                       kz_load_le32(v.file.bytes + KZ_AT_MODEL_BYTES) + kz_load_le32(v.file.bytes + KZ_AT_INDEX_BYTES);
    uint64_t cases = 0;
    for (size_t at = 0; at < v.file.size; at += at < blocks_at ? 1 : FEWER) {
        int patterns = TABLE_PATTERNS;
        for (int i = 0; i < patterns; i++, cases++) {
            v.file.bytes[at] ^= change(patterns, i);
            if (at < blocks_at) {
                assert_refused(&v.file, at);
            } else {
                read_all(&v, at);
                assert_int_equal(kz_table_check(v.table, NULL, NULL), KZ_ERR_CORRUPT);
                if (i % 64 == 7) {
                    probe_some(&v, good);
                }
            }
            v.file.bytes[at] ^= change(patterns, i);
        }
    }
    assert_int_equal(kz_table_check(v.table, NULL, NULL), KZ_OK);
    kz_table_close(v.table);
    /* Shorter, and longer by bytes that were there already or are zero. */
    for (size_t size = 0; size < v.file.size; size++, cases++) {
        content cut = {v.file.bytes, size};
        assert_refused(&cut, size);
    }
    for (size_t more = 1; more <= 64; more++, cases++) {
        content grown = {v.file.bytes, v.file.size + more};
        memset(v.file.bytes + v.file.size, more % 2 ? 0 : 255, more);
        assert_refused(&grown, v.file.size);
    }
    print_message("table: %zu bytes, %llu cases, all seen; %llu blocks refused\n", v.file.size,
                  (unsigned long long)cases, (unsigned long long)v.refused);
    kz_table_close(good);
    free(v.numbers);
    free(v.got);
    free(v.file.bytes);
}

/* ---- The phases of a solve --------------------------------------------------------------------------------------- */

/* The status of opening a phase and unpacking all its pages. */
static kz_status read_phase(const char *path, const kz_phase_facts *facts, const size_t *rows, uint8_t *marks) {
    kz_phase_file file;
    kz_error error;
    kz_status status = kz_phase_open(&file, path, facts, &error);
    if (status == KZ_OK) {
        for (uint64_t page = 0; status == KZ_OK && page < facts->pages; page++) {
            status = kz_phase_marks(&file, page, rows[page], marks, &error);
        }
        kz_phase_close(&file);
    }
    return status;
}

static uint64_t damage_phase(const char *path, int phase) {
    enum { AT_BLOCKS = 48, AT_PAGES = 72, MOST_ROWS = 1 << 16 }; /* docs/format-phase.md */
    content c = needed_content(path);
    kz_phase_facts facts = {.game = "pushfight", .rules = "corridor", .phase = phase};
    facts.slices = kz_load_le64(c.bytes + AT_BLOCKS);
    facts.pages = kz_load_le64(c.bytes + AT_PAGES);
    size_t *rows = calloc(facts.pages, sizeof *rows);
    uint8_t *marks = malloc(MOST_ROWS);
    assert_true(rows && marks);
    kz_phase_file file;
    assert_int_equal(kz_phase_open(&file, path, &facts, NULL), KZ_OK);
    for (uint64_t page = 0; page < facts.pages; page++) {
        if (kz_phase_has(&file, page)) {
            rows[page] = ZSTD_getFrameContentSize(file.file.data + file.offsets[page], c.size);
            assert_true(rows[page] <= MOST_ROWS);
        }
    }
    kz_phase_close(&file);
    assert_int_equal(read_phase(path, &facts, rows, marks), KZ_OK);

    uint64_t cases = 0;
    int descriptor = open(path, O_RDWR);
    assert_true(descriptor >= 0);
    for (size_t at = 0; at < c.size; at += FEWER) {
        for (int i = 0; i < BITS; i += 4, cases++) { /* the first and the fifth bit, and all */
            uint8_t byte = c.bytes[at] ^ change(BITS, i);
            assert_int_equal(pwrite(descriptor, &byte, 1, (off_t)at), 1);
            kz_status status = read_phase(path, &facts, rows, marks);
            if (status != KZ_ERR_CORRUPT) {
                fail_msg("%s, byte %zu: %s", path, at, kz_status_name(status));
            }
        }
        assert_int_equal(pwrite(descriptor, c.bytes + at, 1, (off_t)at), 1);
    }
    for (size_t size = c.size; size > 0; cases++) {
        size -= size < FEWER ? size : FEWER;
        assert_int_equal(ftruncate(descriptor, (off_t)size), 0);
        assert_int_equal(read_phase(path, &facts, rows, marks), KZ_ERR_CORRUPT);
    }
    close(descriptor);
    put_content(path, c.bytes, c.size);
    free(c.bytes);
    free(rows);
    free(marks);
    return cases;
}

static kz_status solve_again(kz_error *error) {
    kz_solve_options options = {.threads = 1, .replace = true, .keep_work = true};
    kz_summary summary;
    return kz_solve(game(), kz_rules_find(game(), "corridor"), "phases.kzt", &options, &summary, error);
}

TEST(test_phases) {
    uint64_t cases = 0;
    uint64_t runs = 0;
    solve("phases.kzt", true);
    content good = needed_content("phases.kzt");
    for (int phase = 1; phase <= 6; phase++) {
        char path[64];
        snprintf(path, sizeof path, "phases.kzt.work/phase-%03d.kzp", phase);
        cases += damage_phase(path, phase);
        /* And the solve itself does not take it. */
        content c = needed_content(path);
        for (size_t at = (size_t)phase; at < c.size; at += (size_t)397 * FEWER, runs++) {
            kz_error error;
            c.bytes[at] ^= 4;
            put_content(path, c.bytes, c.size);
            c.bytes[at] ^= 4;
            if (solve_again(&error) != KZ_ERR_CORRUPT) {
                fail_msg("%s, byte %zu: the solve goes on", path, at);
            }
        }
        put_content(path, c.bytes, c.size);
        free(c.bytes);
    }
    assert_int_equal(solve_again(NULL), KZ_OK);
    content again = needed_content("phases.kzt");
    assert_int_equal(again.size, good.size);
    assert_memory_equal(again.bytes, good.bytes, good.size);
    print_message("phases: %llu cases, all seen; %llu solves refused\n", (unsigned long long)cases,
                  (unsigned long long)runs);
    free(again.bytes);
    free(good.bytes);
}

/* ---- A conversion that was interrupted --------------------------------------------------------------------------- */

enum { RECORDS = 5000 };

static kz_status convert(const char *source, const char *target, bool resume, const kz_progress *progress,
                         kz_error *error) {
    kz_shogi_source from = {.path = source, .record = KZ_SHOGI_RECORD_PSV, .dialect = KZ_SHOGI_DIALECTS};
    kz_shogi_target to = {
        .path = target, .record = KZ_SHOGI_RECORD_HCPE, .dialect = KZ_SHOGI_DIALECTS, .replace = !resume};
    kz_shogi_file_options options = {.threads = 1, .resume = resume, .checkpoint_seconds = 1e-9};
    kz_shogi_file_report report;
    return kz_shogi_convert(&from, &to, &options, progress, &report, error);
}

static bool stop_soon(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)user;
    (void)stage;
    return done < total / 3;
}

/* The records of some real games, again and again. */
static content make_games(void) {
    char path[4096];
    snprintf(path, sizeof path, "%s/shogi/tests/data/games_all.csa", getenv("KANZEN_SOURCE"));
    kz_shogi_source from = {.path = path, .record = KZ_SHOGI_RECORD_CSA, .dialect = KZ_SHOGI_DIALECTS};
    kz_shogi_target to = {
        .path = "games.psv", .record = KZ_SHOGI_RECORD_PSV, .dialect = KZ_SHOGI_DIALECTS, .replace = true};
    kz_shogi_file_options options = {.threads = 1};
    kz_shogi_file_report report;
    kz_error error;
    must(kz_shogi_convert(&from, &to, &options, NULL, &report, &error), &error);
    content c = needed_content("games.psv");
    content many = {malloc(RECORDS * 40), RECORDS * 40};
    assert_non_null(many.bytes);
    for (size_t i = 0; i < RECORDS; i++) {
        memcpy(many.bytes + 40 * i, c.bytes + 40 * i % c.size, 40);
    }
    free(c.bytes);
    put_content("many.psv", many.bytes, many.size);
    return many;
}

/* Tries to go on with a part and a state of which one is damaged. */
static void assert_not_resumed(const char *what, size_t at) {
    kz_error error;
    kz_status status = convert("many.psv", "out.hcpe", true, NULL, &error);
    if (status != KZ_ERR_CORRUPT) {
        fail_msg("%s, byte %zu: %s", what, at, kz_status_name(status));
    }
    assert_non_null(strstr(error.message, "out.hcpe.part"));
    assert_int_equal(access("out.hcpe", F_OK), -1);
}

static uint64_t damage_checkpoint(const char *path, size_t size, size_t step, int patterns) {
    uint64_t cases = 0;
    content c = needed_content(path);
    int descriptor = open(path, O_RDWR);
    assert_true(descriptor >= 0 && size <= c.size);
    for (size_t at = 0; at < size; at += step) {
        for (int i = 0; i < patterns; i++, cases++) {
            uint8_t byte = c.bytes[at] ^ change(patterns, i);
            assert_int_equal(pwrite(descriptor, &byte, 1, (off_t)at), 1);
            assert_not_resumed(path, at);
        }
        assert_int_equal(pwrite(descriptor, c.bytes + at, 1, (off_t)at), 1);
    }
    for (size_t length = size - 1; length > step; length -= step, cases++) {
        assert_int_equal(ftruncate(descriptor, (off_t)length), 0);
        assert_not_resumed(path, length);
    }
    close(descriptor);
    put_content(path, c.bytes, c.size);
    free(c.bytes);
    return cases;
}

TEST(test_conversion) {
    content games = make_games();
    kz_error error;
    kz_progress progress = {.report = stop_soon};
    assert_int_equal(convert("many.psv", "whole.hcpe", false, NULL, &error), KZ_OK);
    assert_int_equal(convert("many.psv", "out.hcpe", false, &progress, &error), KZ_ERR_CANCELLED);
    content part = needed_content("out.hcpe.part");
    content saved = needed_content("out.hcpe.part.state");
    assert_true(part.size > 0 && part.size < RECORDS * 38);
    uint64_t cases = damage_checkpoint("out.hcpe.part.state", saved.size, 1, 1);
    cases += damage_checkpoint("out.hcpe.part", part.size, PART_STEP, 1);
    assert_int_equal(convert("many.psv", "out.hcpe", true, NULL, &error), KZ_OK);
    content whole = needed_content("whole.hcpe");
    content out = needed_content("out.hcpe");
    assert_int_equal(out.size, whole.size);
    assert_memory_equal(out.bytes, whole.bytes, whole.size);
    print_message("a conversion: part of %zu bytes, state of %zu, %llu cases, all seen\n", part.size, saved.size,
                  (unsigned long long)cases);
    free(part.bytes);
    free(saved.bytes);
    free(whole.bytes);
    free(out.bytes);
    free(games.bytes);
}

/* ---- Records, which have no checksums ---------------------------------------------------------------------------- */

/* Checks a file, and converts it to text without its bad records. What is the matter is said of the damaged record and
 * of no other, and the text of the others is the same as ever. */
static void check_records(kz_shogi_record record, size_t damaged, size_t count, content lines) {
    kz_shogi_source from = {.path = "few", .record = record, .dialect = KZ_SHOGI_DIALECTS};
    kz_shogi_target to = {
        .path = "few.sfen", .record = KZ_SHOGI_RECORD_SFEN, .dialect = KZ_SHOGI_DIALECTS, .replace = true};
    kz_shogi_file_options options = {.threads = 1, .skip_bad = true};
    kz_shogi_file_report report;
    kz_error error;
    assert_int_equal(kz_shogi_check_file(&from, &options, NULL, &report, &error), KZ_OK);
    assert_int_equal(report.read, count);
    assert_true(report.bad <= 1);
    if (report.bad) {
        assert_int_equal(report.offender_count, 1);
        assert_int_equal(report.offenders[0].index, damaged);
        options.skip_bad = false;
        assert_int_equal(kz_shogi_convert(&from, &to, &options, NULL, &report, &error), KZ_ERR_CORRUPT);
        char number[32];
        snprintf(number, sizeof number, "record %zu of", damaged + 1);
        if (!strstr(error.message, number)) {
            fail_msg("record %zu is bad, but: %s", damaged + 1, error.message);
        }
        options.skip_bad = true;
    }
    assert_int_equal(kz_shogi_convert(&from, &to, &options, NULL, &report, &error), KZ_OK);
    content got = needed_content("few.sfen");
    const uint8_t *expected = lines.bytes;
    const uint8_t *next = got.bytes;
    for (size_t i = 0; i < count; i++) {
        size_t length = (size_t)((const uint8_t *)memchr(expected, '\n', 1000) + 1 - expected);
        if (i != damaged) {
            assert_true(got.bytes + got.size >= next + length);
            assert_memory_equal(next, expected, length);
            next += length;
        } else if (!report.bad) {
            next = (const uint8_t *)memchr(next, '\n', 1000) + 1;
        }
        expected += length;
    }
    assert_true(next == got.bytes + got.size);
    free(got.bytes);
}

static uint64_t damage_records(kz_shogi_record record, uint64_t *bad) {
    enum { FEW = 3 };
    kz_shogi_source from = {
        .path = "games.psv", .record = KZ_SHOGI_RECORD_PSV, .dialect = KZ_SHOGI_DIALECTS, .first = 40, .count = FEW};
    kz_shogi_target to = {.path = "few", .record = record, .dialect = KZ_SHOGI_DIALECTS, .replace = true};
    kz_shogi_target text = {
        .path = "few.sfen", .record = KZ_SHOGI_RECORD_SFEN, .dialect = KZ_SHOGI_DIALECTS, .replace = true};
    kz_shogi_source few = {.path = "few", .record = record, .dialect = KZ_SHOGI_DIALECTS};
    kz_shogi_file_options options = {.threads = 1};
    kz_shogi_file_report report;
    kz_error error;
    must(kz_shogi_convert(&from, &to, &options, NULL, &report, &error), &error);
    must(kz_shogi_convert(&few, &text, &options, NULL, &report, &error), &error);
    content c = needed_content("few");
    content lines = needed_content("few.sfen");
    size_t bytes = c.size / FEW;
    uint64_t cases = 0;
    for (size_t at = bytes; at < 2 * bytes; at++) { /* the one in the middle */
        for (int bit = 0; bit < 8; bit += 3, cases++) {
            c.bytes[at] ^= (uint8_t)(1 << bit);
            put_content("few", c.bytes, c.size);
            check_records(record, 1, FEW, lines);
            c.bytes[at] ^= (uint8_t)(1 << bit);
        }
    }
    for (size_t size = 2 * bytes + 1; size < 3 * bytes; size++, cases++) {
        put_content("few", c.bytes, size);
        options.skip_bad = true;
        assert_int_equal(kz_shogi_check_file(&few, &options, NULL, &report, &error), KZ_OK);
        assert_int_equal(report.trailing, size - 2 * bytes);
        assert_int_equal(report.bad, 1);
        assert_int_equal(report.defects[KZ_SHOGI_TRUNCATED], 1);
        options.skip_bad = false;
        assert_int_equal(kz_shogi_convert(&few, &text, &options, NULL, &report, &error), KZ_ERR_CORRUPT);
        assert_non_null(strstr(error.message, "record 3 of few"));
        (*bad)++;
    }
    free(c.bytes);
    free(lines.bytes);
    return cases;
}

TEST(test_records) {
    static const kz_shogi_record records[] = {KZ_SHOGI_RECORD_SSPF,  KZ_SHOGI_RECORD_SSPFX, KZ_SHOGI_RECORD_SSPFC,
                                              KZ_SHOGI_RECORD_PSFEN, KZ_SHOGI_RECORD_HCP,   KZ_SHOGI_RECORD_PSV,
                                              KZ_SHOGI_RECORD_SSPV,  KZ_SHOGI_RECORD_HCPE,  KZ_SHOGI_RECORD_HCPE2};
    uint64_t cases = 0;
    uint64_t cut = 0;
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++) {
        cases += damage_records(records[i], &cut);
    }
    print_message("records: %llu cases, %llu of them cut off\n", (unsigned long long)cases, (unsigned long long)cut);
}

TESTS(NULL, NULL)
