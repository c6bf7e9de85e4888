/* SPDX-License-Identifier: MIT
 *
 * Checking, counting, shuffling, sampling files of shogi positions and dropping duplicates, against simple programs
 * that do the same in memory. */
#include "shogi/tests/support/shogi_bytes.h"

#include "base/random.h"
#include "shogi/tests/support/shogi_random.h"

#include <dirent.h>

enum { PSV_BYTES = 40 };

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static int count_files(const char *folder) {
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int count = 0;
    for (const struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        count += entry->d_name[0] != '.';
    }
    closedir(directory);
    return count;
}

static kz_shogi_target replaced(const char *path, kz_shogi_record record) {
    kz_shogi_target target = target_of(path, record);
    target.replace = true;
    return target;
}

/* Standard output goes to a file; returns what it was. Streams need no fsync, so many small runs are fast this way. */
static int divert_output(const char *path) {
    fflush(stdout);
    int old = dup(STDOUT_FILENO);
    assert_true(old >= 0);
    assert_non_null(freopen(path, "wb", stdout));
    return old;
}

static void restore_output(int old) {
    fflush(stdout);
    assert_true(dup2(old, STDOUT_FILENO) >= 0);
    close(old);
}

/* ---- Records that are nothing but their number ------------------------------------------------------------------- */

/* Shuffling and sampling never look into records. */
static void write_numbers(const char *path, size_t count, size_t record_bytes) {
    uint8_t *data = calloc(count + 1, record_bytes);
    assert_non_null(data);
    for (size_t i = 0; i < count; i++) {
        for (size_t byte = 0; byte < record_bytes; byte++) {
            data[i * record_bytes + byte] = (uint8_t)(byte < 4 ? i >> 8 * byte : i * 31 + byte);
        }
    }
    put_file(path, data, count * record_bytes);
    free(data);
}

/* The numbers of the records in a file, all of whose bytes are looked at. */
static uint32_t *read_numbers(const char *path, size_t count, size_t record_bytes) {
    struct buffer bytes = read_file(path);
    assert_int_equal(bytes.size, count * record_bytes);
    uint32_t *numbers = malloc((count + 1) * sizeof *numbers);
    assert_non_null(numbers);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *record = bytes.bytes + i * record_bytes;
        numbers[i] = (uint32_t)record[0] | (uint32_t)record[1] << 8 | (uint32_t)record[2] << 16;
        for (size_t byte = 4; byte < record_bytes; byte++) {
            assert_int_equal(record[byte], (uint8_t)(numbers[i] * 31 + byte));
        }
    }
    free(bytes.bytes);
    return numbers;
}

static void assert_each_once(const uint32_t *numbers, size_t count) {
    uint8_t *seen = calloc(count + 1, 1);
    assert_non_null(seen);
    for (size_t i = 0; i < count; i++) {
        assert_true(numbers[i] < count);
        assert_int_equal(seen[numbers[i]]++, 0);
    }
    free(seen);
}

/* ---- shuffle ----------------------------------------------------------------------------------------------------- */

static void shuffle(const char *from, const char *to, kz_shogi_record record, size_t count,
                    const kz_shogi_file_options *options) {
    kz_shogi_source source = source_of(from, record);
    kz_shogi_target target = replaced(to, record);
    kz_shogi_file_report report;
    kz_error error = {.message = ""};
    kz_status status = kz_shogi_shuffle(&source, &target, options, NULL, &report, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, KZ_OK);
    assert_int_equal(report.read, count);
    assert_int_equal(report.written, count);
    assert_int_equal(report.bad, 0);
}

/* Numbers around those at which one more deal is needed, and records of all sizes. */
TEST(test_shuffle_keeps_all) {
    static const struct {
        size_t count;
        kz_shogi_record record;
        size_t bytes;
    } cases[] = {
        {0, KZ_SHOGI_RECORD_PSV, 40},    {1, KZ_SHOGI_RECORD_PSV, 40},     {2, KZ_SHOGI_RECORD_HCPE, 38},
        {2048, KZ_SHOGI_RECORD_HCP, 32}, {2049, KZ_SHOGI_RECORD_SSPV, 40}, {50000, KZ_SHOGI_RECORD_HCPE2, 38},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_numbers("in", cases[i].count, cases[i].bytes);
        kz_shogi_file_options options = {.seed = 5, .threads = 2};
        shuffle("in", "out", cases[i].record, cases[i].count, &options);
        uint32_t *numbers = read_numbers("out", cases[i].count, cases[i].bytes);
        assert_each_once(numbers, cases[i].count);
        free(numbers);
    }
}

/* The order depends on the seed and on nothing else. With 128 KiB, parts of 530,000 records are dealt again by way of a
 * temporary file. */
TEST(test_shuffle_is_the_same) {
    enum { COUNT = 530000 };
    write_numbers("in", COUNT, 32);
    kz_shogi_file_options options = {.seed = 17, .threads = 1};
    shuffle("in", "expected", KZ_SHOGI_RECORD_SSPF, COUNT, &options);
    struct buffer expected = read_file("expected");
    static const kz_shogi_file_options variants[] = {
        {.seed = 17, .threads = 3},
        {.seed = 17, .threads = 2, .memory = 1 << 24},
        {.seed = 17, .threads = 1, .memory = 1 << 20},
        {.seed = 17, .threads = 2, .memory = 1 << 17, .scratch = "scratch"},
    };
    assert_int_equal(system("rm -rf scratch && mkdir scratch"), 0);
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        shuffle("in", "out", KZ_SHOGI_RECORD_SSPF, COUNT, &variants[i]);
        assert_file("out", expected);
    }
    int output = divert_output("out");
    shuffle("in", "-", KZ_SHOGI_RECORD_SSPF, COUNT, &(kz_shogi_file_options){.seed = 17, .memory = 1 << 23});
    restore_output(output);
    assert_file("out", expected);
    assert_int_equal(count_files("scratch"), 0);
    options.seed = 18;
    shuffle("in", "out", KZ_SHOGI_RECORD_SSPF, COUNT, &options);
    struct buffer other = read_file("out");
    assert_memory_not_equal(other.bytes, expected.bytes, expected.size);
    free(other.bytes);
    free(expected.bytes);
}

/* All orders of three records, equally often: 100 times +- 5 standard deviations. */
TEST(test_shuffle_small_orders) {
    enum { SEEDS = 600 };
    unsigned counts[27] = {0};
    write_numbers("in", 3, 32);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        kz_shogi_file_options options = {.seed = seed, .threads = 1};
        int output = divert_output("out");
        shuffle("in", "-", KZ_SHOGI_RECORD_HCP, 3, &options);
        restore_output(output);
        uint32_t *numbers = read_numbers("out", 3, 32);
        counts[numbers[0] * 9 + numbers[1] * 3 + numbers[2]]++;
        free(numbers);
    }
    static const int orders[] = {0 * 9 + 1 * 3 + 2, 0 * 9 + 2 * 3 + 1, 1 * 9 + 0 * 3 + 2,
                                 1 * 9 + 2 * 3 + 0, 2 * 9 + 0 * 3 + 1, 2 * 9 + 1 * 3 + 0};
    for (int i = 0; i < 6; i++) {
        assert_in_range(counts[orders[i]], 55, 145);
    }
}

/* What a random order of many records is like; a bound is about 6 standard deviations. */
TEST(test_shuffle_large_order) {
    enum { COUNT = 40000, PARTS = 8 };
    write_numbers("in", COUNT, 32);
    kz_shogi_file_options options = {.seed = 1, .threads = 2};
    shuffle("in", "out", KZ_SHOGI_RECORD_HCP, COUNT, &options);
    uint32_t *numbers = read_numbers("out", COUNT, 32);
    unsigned fixed = 0;
    unsigned rises = 0;
    unsigned moved[PARTS][PARTS] = {0};
    for (unsigned i = 0; i < COUNT; i++) {
        fixed += numbers[i] == i;
        rises += i > 0 && numbers[i] > numbers[i - 1];
        moved[numbers[i] / (COUNT / PARTS)][i / (COUNT / PARTS)]++;
    }
    assert_in_range(fixed, 0, 8);
    assert_in_range(rises, COUNT / 2 - 350, COUNT / 2 + 350);
    for (int from = 0; from < PARTS; from++) {
        for (int to = 0; to < PARTS; to++) {
            assert_in_range(moved[from][to], COUNT / 64 - 140, COUNT / 64 + 140);
        }
    }
    free(numbers);
}

/* A part of a file; and a target that takes the place of its source. */
TEST(test_shuffle_part_in_place) {
    write_numbers("in", 1000, 40);
    kz_shogi_source source = source_of("in", KZ_SHOGI_RECORD_PSV);
    source.first = 100;
    source.count = 800;
    kz_shogi_target target = replaced("in", KZ_SHOGI_RECORD_PSV);
    kz_shogi_file_options options = {.seed = 3};
    kz_shogi_file_report report;
    assert_int_equal(kz_shogi_shuffle(&source, &target, &options, NULL, &report, NULL), KZ_OK);
    uint32_t *numbers = read_numbers("in", 800, 40);
    for (int i = 0; i < 800; i++) {
        assert_in_range(numbers[i], 100, 899);
        numbers[i] -= 100;
    }
    assert_each_once(numbers, 800);
    free(numbers);
}

/* ---- sample ------------------------------------------------------------------------------------------------------ */

static void sample(const char *from, const char *to, size_t of, size_t count, uint64_t seed) {
    kz_shogi_source source = source_of(from, KZ_SHOGI_RECORD_PSV);
    kz_shogi_target target = replaced(to, KZ_SHOGI_RECORD_PSV);
    kz_shogi_file_options options = {.seed = seed};
    kz_shogi_file_report report;
    assert_int_equal(kz_shogi_sample(&source, &target, count, &options, NULL, &report, NULL), KZ_OK);
    assert_int_equal(report.read, of);
    assert_int_equal(report.written, count);
}

TEST(test_sample) {
    enum { COUNT = 20000 };
    write_numbers("in", COUNT, 40);
    static const size_t sizes[] = {0, 1, 5000, COUNT - 1, COUNT};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        sample("in", "out", COUNT, sizes[i], 9);
        uint32_t *numbers = read_numbers("out", sizes[i], 40);
        size_t low = 0;
        for (size_t k = 0; k < sizes[i]; k++) {
            assert_true(k == 0 || numbers[k] > numbers[k - 1]);
            assert_true(numbers[k] < COUNT);
            low += numbers[k] < COUNT / 2;
        }
        if (sizes[i] == 5000) {
            assert_in_range(low, 2500 - 190, 2500 + 190); /* 6 standard deviations */
        }
        free(numbers);
    }
    sample("in", "again", COUNT, 5000, 4);
    sample("in", "out", COUNT, 5000, 4);
    struct buffer again = read_file("again");
    assert_file("out", again);
    free(again.bytes);
}

/* Two of five: ten choices, each about 40 times. */
TEST(test_sample_choices) {
    unsigned counts[25] = {0};
    write_numbers("in", 5, 40);
    for (uint64_t seed = 0; seed < 400; seed++) {
        int output = divert_output("out");
        sample("in", "-", 5, 2, seed);
        restore_output(output);
        uint32_t *numbers = read_numbers("out", 2, 40);
        counts[numbers[0] * 5 + numbers[1]]++;
        free(numbers);
    }
    for (int first = 0; first < 5; first++) {
        for (int second = first + 1; second < 5; second++) {
            assert_in_range(counts[first * 5 + second], 10, 70);
        }
    }
}

/* ---- PackedSfen, with the hands in any order --------------------------------------------------------------------- */

struct bit_writer {
    uint8_t *bytes;
    unsigned at;
};

/* Characters '0' and '1', the first one first. */
static void write_bits(struct bit_writer *writer, const char *bits) {
    for (; *bits != '\0'; bits++, writer->at++) {
        assert_true(writer->at < 256);
        writer->bytes[writer->at / 8] = (uint8_t)(writer->bytes[writer->at / 8] | (*bits - '0') << writer->at % 8);
    }
}

static void write_number(struct bit_writer *writer, unsigned number, int bits) {
    for (int i = 0; i < bits; i++) {
        write_bits(writer, (number >> i & 1) != 0 ? "1" : "0");
    }
}

static const char *const board_codes[] = {"10", "1100", "1101", "1110", "11110", "111110", "111111"};

/* The PackedSfen of a position with both kings and all pieces. `order` has the kinds of pieces in hand. */
static void write_psfen(const kz_shogi_position *position, const kz_shogi_kind order[KZ_SHOGI_HAND_KINDS],
                        uint8_t record[32]) {
    struct bit_writer writer = {.bytes = record};
    memset(record, 0, 32);
    write_number(&writer, position->side, 1);
    for (int side = 0; side < 2; side++) {
        for (unsigned square = 0; square < KZ_SHOGI_SQUARES; square++) {
            if (position->board[square] == (KZ_SHOGI_CODE_KING | (side ? KZ_SHOGI_WHITES : 0))) {
                write_number(&writer, square, 7);
            }
        }
    }
    for (int square = 0; square < KZ_SHOGI_SQUARES; square++) {
        uint8_t code = position->board[square];
        if (code == KZ_SHOGI_EMPTY) {
            write_bits(&writer, "0");
        } else if ((code & 0x80) != 0) {
            kz_shogi_kind kind = kz_shogi_code_kind(code);
            write_bits(&writer, board_codes[kind]);
            if (kind != KZ_SHOGI_GOLD) {
                write_bits(&writer, (code & KZ_SHOGI_PROMOTED) != 0 ? "1" : "0");
            }
            write_bits(&writer, (code & KZ_SHOGI_WHITES) != 0 ? "1" : "0");
        }
    }
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < KZ_SHOGI_HAND_KINDS; i++) {
            for (int count = 0; count < position->hand[side][order[i]]; count++) {
                write_bits(&writer, board_codes[order[i]] + 1);
                write_bits(&writer, order[i] != KZ_SHOGI_GOLD ? "0" : "");
                write_bits(&writer, side ? "1" : "0");
            }
        }
    }
    assert_int_equal(writer.at, 256);
}

static const kz_shogi_kind new_order[] = {KZ_SHOGI_PAWN, KZ_SHOGI_LANCE,  KZ_SHOGI_KNIGHT, KZ_SHOGI_SILVER,
                                          KZ_SHOGI_GOLD, KZ_SHOGI_BISHOP, KZ_SHOGI_ROOK};
static const kz_shogi_kind old_order[] = {KZ_SHOGI_PAWN,   KZ_SHOGI_LANCE, KZ_SHOGI_KNIGHT, KZ_SHOGI_SILVER,
                                          KZ_SHOGI_BISHOP, KZ_SHOGI_ROOK,  KZ_SHOGI_GOLD};

/* ---- dedupe ------------------------------------------------------------------------------------------------------ */

/* What the records of a file ought to become. */
struct expected {
    size_t record_bytes;
    size_t count;
    uint8_t *records;
    char (*sfens)[KZ_SHOGI_SFEN_BYTES];
    size_t *order;
    uint8_t *kept;
    size_t kept_count;
};

static struct expected new_expected(size_t record_bytes, size_t count) {
    struct expected expected = {.record_bytes = record_bytes, .count = count};
    expected.records = calloc(count, record_bytes);
    expected.sfens = calloc(count, sizeof *expected.sfens);
    expected.order = calloc(count, sizeof *expected.order);
    expected.kept = calloc(count, record_bytes);
    assert_true(expected.records != NULL && expected.sfens != NULL && expected.order != NULL && expected.kept != NULL);
    return expected;
}

static void free_expected(struct expected *expected) {
    free(expected->records);
    free(expected->sfens);
    free(expected->order);
    free(expected->kept);
}

static int compare_entries(const void *a, const void *b, void *context) {
    const struct expected *expected = context;
    size_t first = *(const size_t *)a;
    size_t second = *(const size_t *)b;
    int texts = strcmp(expected->sfens[first], expected->sfens[second]);
    return texts != 0 ? texts : (first > second) - (first < second);
}

/* Positions are equal if their SFENs are. */
static void find_kept(struct expected *expected) {
    uint8_t *repeated = calloc(expected->count, 1);
    assert_non_null(repeated);
    for (size_t i = 0; i < expected->count; i++) {
        expected->order[i] = i;
    }
    qsort_r(expected->order, expected->count, sizeof *expected->order, compare_entries, expected);
    for (size_t i = 1; i < expected->count; i++) {
        if (strcmp(expected->sfens[expected->order[i]], expected->sfens[expected->order[i - 1]]) == 0) {
            repeated[expected->order[i]] = 1;
        }
    }
    for (size_t i = 0; i < expected->count; i++) {
        if (!repeated[i]) {
            memcpy(expected->kept + expected->kept_count++ * expected->record_bytes,
                   expected->records + i * expected->record_bytes, expected->record_bytes);
        }
    }
    free(repeated);
}

static void assert_deduped(const struct expected *expected, kz_shogi_record record) {
    static const kz_shogi_file_options variants[] = {
        {.threads = 1},
        {.threads = 2, .memory = 1 << 22},
        {.threads = 3, .memory = 1}, /* which means as little as possible */
        {.threads = 1, .memory = 1 << 20},
    };
    put_file("in", expected->records, expected->count * expected->record_bytes);
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        kz_shogi_source source = source_of("in", record);
        kz_shogi_target target = replaced("out", record);
        kz_shogi_file_report report;
        kz_error error = {.message = ""};
        kz_status status = kz_shogi_dedupe(&source, &target, &variants[i], NULL, &report, &error);
        assert_string_equal(error.message, "");
        assert_int_equal(status, KZ_OK);
        assert_int_equal(report.read, expected->count);
        assert_int_equal(report.written, expected->kept_count);
        assert_int_equal(report.repeated, expected->count - expected->kept_count);
        assert_file("out", (struct buffer){expected->kept, expected->kept_count * expected->record_bytes});
    }
}

/* Games played at random, with repeats from far away, in the old order of the hands as often as in the new one. The
 * eight bytes after the position differ, and so do moves, which can't be read. */
TEST(test_dedupe_psv) {
    enum { COUNT = 30000 };
    struct expected expected = new_expected(PSV_BYTES, COUNT);
    shogi_walker walker = {.state = 5};
    kz_shogi_position *positions = calloc(COUNT, sizeof *positions);
    assert_non_null(positions);
    for (size_t i = 0; i < COUNT; i++) {
        bool repeat = i > 0 && shogi_random_chance(&walker.state, 50);
        positions[i] = repeat ? positions[shogi_random_below(&walker.state, (unsigned)i)] : *shogi_walk(&walker);
        uint8_t *record = expected.records + i * PSV_BYTES;
        write_psfen(&positions[i], shogi_random_chance(&walker.state, 128) ? old_order : new_order, record);
        for (int byte = 32; byte < PSV_BYTES; byte++) {
            record[byte] = (uint8_t)(i * 7 + (size_t)byte);
        }
        record[38] = 0;
        kz_shogi_format_sfen(&positions[i], 1, expected.sfens[i]);
    }
    find_kept(&expected);
    assert_in_range(expected.kept_count, COUNT / 2, COUNT * 9 / 10);
    assert_deduped(&expected, KZ_SHOGI_RECORD_PSV);
    free(positions);
    free_expected(&expected);
}

/* Well-formed positions of all kinds, also without kings; few of them, again and again. */
TEST(test_dedupe_repeats) {
    enum { COUNT = 20000 };
    const kz_shogi_codec *codec = kz_shogi_codec_for(KZ_SHOGI_SSPFX, "plain");
    static const unsigned different[] = {1, 3000, 1000000};
    for (size_t k = 0; k < sizeof different / sizeof *different; k++) {
        struct expected expected = new_expected(32, COUNT);
        uint64_t random = 8;
        for (size_t i = 0; i < COUNT; i++) {
            uint64_t seed = shogi_random_below(&random, different[k]);
            kz_shogi_position position = shogi_random_any(&seed);
            assert_int_equal(codec->pack(&position, expected.records + i * 32), KZ_SHOGI_FINE);
            kz_shogi_format_sfen(&position, 1, expected.sfens[i]);
        }
        find_kept(&expected);
        assert_deduped(&expected, KZ_SHOGI_RECORD_SSPFX);
        free_expected(&expected);
    }
}

TEST(test_dedupe_bad_records) {
    enum { COUNT = 9000 };
    uint8_t *records = calloc(COUNT, 32);
    assert_non_null(records);
    shogi_walker walker = {.state = 6};
    for (size_t i = 0; i < COUNT; i++) {
        write_psfen(shogi_walk(&walker), new_order, records + i * 32);
    }
    memset(records + 7 * 32, 0xFF, 32);
    memset(records + 8900 * 32, 0xFF, 32);
    put_file("in", records, COUNT * 32);
    kz_shogi_source source = source_of("in", KZ_SHOGI_RECORD_PSFEN);
    kz_shogi_target target = replaced("bad-out", KZ_SHOGI_RECORD_PSFEN);
    kz_shogi_file_options options = {.threads = 2};
    kz_shogi_file_report report;
    kz_error error;
    assert_int_equal(kz_shogi_dedupe(&source, &target, &options, NULL, &report, &error), KZ_ERR_CORRUPT);
    assert_non_null(strstr(error.message, "record 8 of in: "));
    assert_int_equal(access("bad-out", F_OK), -1);
    options.skip_bad = true;
    assert_int_equal(kz_shogi_dedupe(&source, &target, &options, NULL, &report, &error), KZ_OK);
    assert_int_equal(report.bad, 2);
    assert_int_equal(report.written + report.repeated, COUNT - 2);
    free(records);
}

/* ---- check ------------------------------------------------------------------------------------------------------- */

/* Bits of a record, as its format numbers them. */
static void set_bits(uint8_t *record, unsigned at, unsigned bits, unsigned value) {
    for (unsigned i = 0; i < bits; i++, at++) {
        record[at / 8] = (uint8_t)((record[at / 8] & ~(1U << at % 8)) | (value >> i & 1) << at % 8);
    }
}

static kz_shogi_file_report check(const void *data, size_t size, kz_shogi_record record, int threads, bool legal) {
    put_file("in", data, size);
    kz_shogi_source source = source_of("in", record);
    kz_shogi_file_options options = {.threads = threads, .legal = legal};
    kz_shogi_file_report report;
    kz_error error = {.message = ""};
    kz_status status = kz_shogi_check_file(&source, &options, NULL, &report, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, KZ_OK);
    return report;
}

TEST(test_check_psv) {
    enum { COUNT = 20000 };
    uint8_t *records = calloc(COUNT + 1, PSV_BYTES);
    assert_non_null(records);
    shogi_walker walker = {.state = 7};
    uint64_t old_ones = 0;
    for (size_t i = 0; i < COUNT; i++) {
        const kz_shogi_position *position = shogi_walk(&walker);
        uint8_t *record = records + i * PSV_BYTES;
        uint8_t other[32];
        write_psfen(position, i % 3 == 0 ? old_order : new_order, record);
        write_psfen(position, new_order, other);
        old_ones += memcmp(record, other, 32) != 0;
        kz_shogi_move moves[KZ_SHOGI_MOST_MOVES];
        size_t count = kz_shogi_moves(position, moves);
        uint16_t bits = count > 0 ? kz_shogi_write_move(KZ_SHOGI_YANEURAOU, moves[i % count]) : 0;
        record[34] = (uint8_t)bits;
        record[35] = (uint8_t)(bits >> 8);
    }
    /* One with a move that is none: from 3e to 3f in the first position, which is the start. */
    records[34] = 23;
    records[35] = 22 >> 1;
    kz_shogi_file_report report = check(records, (size_t)COUNT * PSV_BYTES, KZ_SHOGI_RECORD_PSV, 2, false);
    assert_int_equal(report.read, COUNT);
    assert_int_equal(report.bad, 0);
    assert_int_equal(report.offender_count, 0);
    assert_int_equal(report.not_canonical, old_ones);
    assert_true(old_ones > 0);
    assert_int_equal(report.not_legal, 0);
    assert_in_range(report.moves, COUNT - 300, COUNT); /* the last positions of some games have none */
    assert_int_equal(report.impossible_moves, 1);
    assert_int_equal(report.dialects, 1U << KZ_SHOGI_YANEURAOU);

    /* Kings: both on one square, and on no square. A position that has two pawns on a file. A move that is none in this
     * dialect. A result that means nothing. Half a record at the end. */
    set_bits(records + 5000 * PSV_BYTES, 1, 7, 40);
    set_bits(records + 5000 * PSV_BYTES, 8, 7, 40);
    set_bits(records + 12000 * PSV_BYTES, 8, 7, 100);
    kz_shogi_position pawns = shogi_parsed("lnsgkgsnl/1r5b1/pppppppp1/p8/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    write_psfen(&pawns, new_order, records + 300 * PSV_BYTES);
    records[300 * PSV_BYTES + 34] = 0;
    records[300 * PSV_BYTES + 35] = 0;
    records[400 * PSV_BYTES + 34] = 0x05;
    records[400 * PSV_BYTES + 35] = 0x3F; /* from 126 */
    records[500 * PSV_BYTES + 38] = 5;
    for (int threads = 1; threads <= 3; threads += 2) {
        for (int legal = 0; legal < 2; legal++) {
            report = check(records, (size_t)COUNT * PSV_BYTES + 20, KZ_SHOGI_RECORD_PSV, threads, legal != 0);
            assert_int_equal(report.read, COUNT + 1);
            assert_int_equal(report.bad, legal ? 6 : 5);
            assert_int_equal(report.defects[KZ_SHOGI_KING_SQUARE], 2);
            assert_int_equal(report.defects[KZ_SHOGI_BAD_MOVE], 1);
            assert_int_equal(report.defects[KZ_SHOGI_BAD_RESULT], 1);
            assert_int_equal(report.defects[KZ_SHOGI_TRUNCATED], 1);
            assert_int_equal(report.defects[KZ_SHOGI_TWO_PAWNS], legal);
            assert_int_equal(report.not_legal, legal ? 0 : 1);
            assert_int_equal(report.trailing, 20);
            assert_int_equal(report.offender_count, report.bad);
            size_t at = (size_t)legal;
            assert_int_equal(report.offenders[0].index, legal ? 300 : 400);
            assert_int_equal(report.offenders[at].index, 400);
            assert_int_equal(report.offenders[at + 1].index, 500);
            assert_int_equal(report.offenders[at + 2].index, 5000);
            assert_int_equal(report.offenders[at + 2].defect, KZ_SHOGI_KING_SQUARE);
            assert_int_equal(report.offenders[at + 3].index, 12000);
            assert_int_equal(report.offenders[at + 4].index, COUNT);
        }
    }
    free(records);
}

TEST(test_check_sspf) {
    uint8_t records[5][32];
    const kz_shogi_codec *codec = kz_shogi_codec_for(KZ_SHOGI_SSPF, "plain");
    kz_shogi_position position =
        shogi_parsed("lr5nl/3g1kg2/2n1ppsp1/p1pps1p1p/1p5P1/P1PPSPP1P/1PS1P1N2/2GK1G3/LN5RL w Bb 1");
    for (int i = 0; i < 5; i++) {
        assert_int_equal(codec->pack(&position, records[i]), KZ_SHOGI_FINE);
    }
    set_bits(records[1], 128 + 37, 1, 1); /* a kind for a piece that is in hand */
    set_bits(records[2], 80, 7, 90);      /* black's king */
    set_bits(records[3], 218 + 36, 2, 1); /* white's bishop before black's */
    kz_shogi_file_report report = check(records, sizeof records, KZ_SHOGI_RECORD_SSPF, 1, false);
    assert_int_equal(report.bad, 2);
    assert_int_equal(report.defects[KZ_SHOGI_PADDING], 1);
    assert_int_equal(report.defects[KZ_SHOGI_KING_SQUARE], 1);
    assert_int_equal(report.not_canonical, 1);
    assert_int_equal(report.moves, 0);
    assert_int_equal(report.dialects, 0);
}

/* Which dialects fit. The drop of a bishop is bit 14 and type 5, or from 86, or from 85. */
TEST(test_check_dialects) {
    static const struct {
        uint16_t bits;
        unsigned dialects;
    } cases[] = {
        {0, 7}, /* no move at all */
        {59 << 7 | 60, 7},
        {0x4000 | 5 << 7 | 40, 7}, /* from 5 to 40, promoting, is a move elsewhere */
        {88 << 7 | 40, 1U << KZ_SHOGI_DROPS_82},
        {81 << 7 | 40, 1U << KZ_SHOGI_APERY},
        {0x8000 | 60 << 7 | 5, 1U << KZ_SHOGI_YANEURAOU},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t record[PSV_BYTES] = {0};
        kz_shogi_position start = kz_shogi_start();
        write_psfen(&start, new_order, record);
        record[34] = (uint8_t)cases[i].bits;
        record[35] = (uint8_t)(cases[i].bits >> 8);
        kz_shogi_file_report report = check(record, sizeof record, KZ_SHOGI_RECORD_PSV, 1, false);
        assert_int_equal(report.dialects, cases[i].dialects);
        assert_int_equal(report.moves, cases[i].bits != 0);
    }
}

TEST(test_check_text) {
    static const char text[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n"
                               "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNX b - 1\n"
                               "4k4/9/9/9/9/9/9/9/4K4 b - 1\n"
                               "4k4/9/9/9/4R4/9/9/9/4K4 b - 1\n";
    kz_shogi_file_report report = check(text, sizeof text - 1, KZ_SHOGI_RECORD_SFEN, 1, false);
    assert_int_equal(report.read, 4);
    assert_int_equal(report.bad, 1);
    assert_int_equal(report.not_legal, 1);
    assert_int_equal(report.offenders[0].index, 2);
    assert_true(report.offenders[0].reason[0] != '\0');
}

/* ---- stats ------------------------------------------------------------------------------------------------------- */

TEST(test_stats) {
    enum { COUNT = 25000 };
    uint8_t *records = calloc(COUNT, PSV_BYTES);
    kz_shogi_file_stats *expected = calloc(1, sizeof *expected);
    kz_shogi_file_stats *stats = calloc(1, sizeof *stats);
    assert_true(records != NULL && expected != NULL && stats != NULL);
    shogi_walker walker = {.state = 11};
    for (size_t i = 0; i < COUNT; i++) {
        const kz_shogi_position *position = shogi_walk(&walker);
        uint8_t *record = records + i * PSV_BYTES;
        int score = i % 5000 < 4 ? (const int[]){-32768, 32767, -50, 50}[i % 5000]
                                 : (int)shogi_random_below(&walker.state, 16001) - 8000;
        unsigned ply = shogi_random_below(&walker.state, 700);
        int result = (int)shogi_random_below(&walker.state, 3) - 1;
        write_psfen(position, new_order, record);
        record[32] = (uint8_t)score;
        record[33] = (uint8_t)(score >> 8);
        record[34] = 0x05;
        record[35] = i % 2 ? 0x3F : 0; /* a move that can't be read is no concern here */
        record[36] = (uint8_t)ply;
        record[37] = (uint8_t)(ply >> 8);
        record[38] = (uint8_t)result;
        if (i % 1000 == 999) {
            memset(record, 0xFF, 32);
            expected->bad++;
            continue;
        }
        /* -49 to 49 is bin 64, 50 to 149 bin 65, and so on. */
        int bin = 0;
        while (bin < 128 && score >= (bin < 64 ? (bin - 64) * 100 + 51 : (bin - 64) * 100 + 50)) {
            bin++;
        }
        int hands = 0;
        for (int kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
            hands += position->hand[0][kind] + position->hand[1][kind];
        }
        expected->records++;
        expected->sides[position->side]++;
        expected->scores[bin]++;
        expected->plies[ply < 512 ? ply : 512]++;
        expected->results[result + 1]++;
        expected->on_board[38 - hands]++;
        if (result != 0) {
            expected->wins[result == 1 ? position->side : !position->side]++;
        }
    }
    expected->holds =
        KZ_SHOGI_HAS_SCORE | KZ_SHOGI_HAS_MOVE | KZ_SHOGI_HAS_PLY | KZ_SHOGI_HAS_RESULT | KZ_SHOGI_HAS_EXTRA;
    put_file("in", records, (size_t)COUNT * PSV_BYTES);
    kz_shogi_source source = source_of("in", KZ_SHOGI_RECORD_PSV);
    for (int threads = 1; threads <= 3; threads++) {
        kz_shogi_file_options options = {.threads = threads};
        assert_int_equal(kz_shogi_file_statistics(&source, &options, NULL, stats, NULL), KZ_OK);
        assert_memory_equal(stats->scores, expected->scores, sizeof stats->scores);
        assert_memory_equal(stats->plies, expected->plies, sizeof stats->plies);
        assert_memory_equal(stats->on_board, expected->on_board, sizeof stats->on_board);
        assert_memory_equal(stats->results, expected->results, sizeof stats->results);
        assert_memory_equal(stats->wins, expected->wins, sizeof stats->wins);
        assert_memory_equal(stats->sides, expected->sides, sizeof stats->sides);
        assert_int_equal(stats->records, expected->records);
        assert_int_equal(stats->bad, expected->bad);
        assert_int_equal(stats->holds, expected->holds);
        assert_int_equal(stats->handicaps, 0);
    }
    free(records);
    free(expected);
    free(stats);
}

TEST(test_stats_handicaps) {
    static const char text[] = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1\n"
                               "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
    put_file("in", text, sizeof text - 1);
    kz_shogi_source source = source_of("in", KZ_SHOGI_RECORD_SFEN);
    kz_shogi_file_options options = {.threads = 1};
    kz_shogi_file_stats stats;
    assert_int_equal(kz_shogi_file_statistics(&source, &options, NULL, &stats, NULL), KZ_OK);
    assert_int_equal(stats.handicaps, 1);
    assert_int_equal(stats.on_board[36], 1);
    assert_int_equal(stats.on_board[38], 1);
    assert_int_equal(stats.holds, KZ_SHOGI_HAS_PLY);
}

/* ---- What goes wrong --------------------------------------------------------------------------------------------- */

typedef kz_status operation(const kz_shogi_source *source, const kz_shogi_target *target,
                            const kz_shogi_file_options *options, const kz_progress *progress,
                            kz_shogi_file_report *report, kz_error *error);

static kz_status sample_ten(const kz_shogi_source *source, const kz_shogi_target *target,
                            const kz_shogi_file_options *options, const kz_progress *progress,
                            kz_shogi_file_report *report, kz_error *error) {
    return kz_shogi_sample(source, target, 10, options, progress, report, error);
}

static operation *const operations[] = {kz_shogi_shuffle, kz_shogi_dedupe, sample_ten};

static void assert_refused(operation *run, const kz_shogi_source *source, const kz_shogi_target *target,
                           const kz_shogi_file_options *options, kz_status expected, const char *message) {
    kz_shogi_file_report report;
    kz_error error = {.message = ""};
    assert_int_equal(run(source, target, options, NULL, &report, &error), expected);
    assert_non_null(strstr(error.message, message));
    assert_int_equal(error.status, expected);
}

TEST(test_refusals) {
    kz_shogi_file_options options = {.threads = 1};
    write_numbers("in", 100, 40);
    put_file("there", "x", 1);
    put_file("cut", (const char[PSV_BYTES * 10 + 3]){0}, PSV_BYTES * 10 + 3);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        kz_shogi_source source = source_of("nowhere", KZ_SHOGI_RECORD_PSV);
        kz_shogi_target target = replaced("refused", KZ_SHOGI_RECORD_PSV);
        assert_refused(operations[i], &source, &target, &options, KZ_ERR_IO, "nowhere: No such file");
        source.path = ".";
        assert_refused(operations[i], &source, &target, &options, KZ_ERR_IO, "not a regular file");
        source.path = "-";
        assert_refused(operations[i], &source, &target, &options, KZ_ERR_UNSUPPORTED, "not a stream");
        source = source_of("in", KZ_SHOGI_RECORD_SFEN);
        assert_refused(operations[i], &source, &target, &options, KZ_ERR_UNSUPPORTED, "fixed size");
        source = source_of("in", KZ_SHOGI_RECORD_SSPV);
        assert_refused(operations[i], &source, &target, &options, KZ_ERR_UNSUPPORTED, "sspv can't become psv");
        source = source_of("cut", KZ_SHOGI_RECORD_PSV);
        assert_refused(operations[i], &source, &target, &options, KZ_ERR_CORRUPT,
                       "cut is cut short: it ends after 3 bytes of record 11, which has 40");
        source.path = "in";
        target.path = "there";
        target.replace = false;
        assert_refused(operations[i], &source, &target, &options, KZ_ERR_IO, "exists already");
        target.path = "no/folder";
        assert_refused(operations[i], &source, &target, &options, KZ_ERR_IO, "No such file");
        assert_int_equal(access("refused", F_OK), -1);
    }
    kz_shogi_source source = source_of("in", KZ_SHOGI_RECORD_PSV);
    kz_shogi_target target = replaced("refused", KZ_SHOGI_RECORD_PSV);
    kz_shogi_file_report report;
    kz_error error;
    /* More than there are means all. */
    assert_int_equal(kz_shogi_sample(&source, &target, 101, &options, NULL, &report, &error), KZ_OK);
    assert_int_equal(report.written, 100);
    struct buffer all = read_file("in");
    assert_file("refused", all);
    free(all.bytes);
    unlink("refused");
    source.path = "cut";
    options.skip_bad = true;
    assert_int_equal(kz_shogi_sample(&source, &target, 10, &options, NULL, &report, &error), KZ_OK);
    assert_int_equal(report.bad, 1);
    assert_int_equal(report.trailing, 3);
}

TEST(test_no_scratch_folder) {
    kz_shogi_file_options options = {.threads = 1, .memory = 1, .scratch = "no-such-folder"};
    enum { COUNT = 30000 };
    uint8_t *records = calloc(COUNT, 32);
    assert_non_null(records);
    shogi_walker walker = {.state = 6};
    for (size_t i = 0; i < COUNT; i++) {
        write_psfen(shogi_walk(&walker), new_order, records + i * 32);
    }
    put_file("in", records, COUNT * 32);
    free(records);
    kz_shogi_source source = source_of("in", KZ_SHOGI_RECORD_PSFEN);
    kz_shogi_target target = replaced("refused", KZ_SHOGI_RECORD_PSFEN);
    assert_refused(kz_shogi_dedupe, &source, &target, &options, KZ_ERR_IO, "temporary file in no-such-folder");
}

/* Stops at the `left`-th report. */
static bool stop_later(void *user, const char *stage, uint64_t done, uint64_t total) {
    int *left = user;
    assert_non_null(stage);
    assert_true(total == 0 || done <= total);
    return --*left > 0;
}

TEST(test_cancel) {
    enum { COUNT = 60000 };
    uint8_t *records = calloc(COUNT, 32);
    assert_non_null(records);
    shogi_walker walker = {.state = 6};
    for (size_t i = 0; i < COUNT; i++) {
        write_psfen(shogi_walk(&walker), new_order, records + i * 32);
    }
    assert_int_equal(system("rm -rf cancel && mkdir cancel"), 0);
    put_file("cancel/in", records, COUNT * 32);
    free(records);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        for (int reports = 1; reports <= 3; reports++) {
            int left = reports;
            kz_progress progress = {.report = stop_later, .user = &left};
            kz_shogi_source source = source_of("cancel/in", KZ_SHOGI_RECORD_PSFEN);
            kz_shogi_target target = replaced("cancel/out", KZ_SHOGI_RECORD_PSFEN);
            kz_shogi_file_options options = {.threads = 2, .memory = 1 << 18};
            kz_shogi_file_report report;
            kz_error error;
            kz_status status = operations[i](&source, &target, &options, &progress, &report, &error);
            if (left > 0) {
                assert_int_equal(status, KZ_OK); /* it was done before it could be stopped */
                assert_int_equal(unlink("cancel/out"), 0);
            } else {
                assert_int_equal(status, KZ_ERR_CANCELLED);
            }
            assert_int_equal(count_files("cancel"), 1);
        }
    }
}

/* Numbers below a bound that is no divisor of 2^64: with this one every fourth draw has to be repeated,
 * or the lower numbers would come twice as often. */
TEST(test_random_numbers) {
    enum { DRAWS = 30000 };
    const uint64_t bound = UINT64_C(3) << 62;
    kz_random random = {.state = 4};
    int parts[3] = {0};
    for (int i = 0; i < DRAWS; i++) {
        uint64_t number = kz_random_below(&random, bound);
        assert_true(number < bound);
        parts[number >> 62]++;
    }
    for (int i = 0; i < 3; i++) { /* five standard deviations */
        assert_in_range(parts[i], DRAWS / 3 - 410, DRAWS / 3 + 410);
    }
    for (int i = 0; i < 100; i++) {
        assert_int_equal(kz_random_below(&random, 1), 0);
    }
}

TESTS(NULL, NULL)
