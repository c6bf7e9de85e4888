/* SPDX-License-Identifier: MIT
 *
 * Reading a packet database: a small one, made by hand from entries of the published format, and what is wrong with
 * damaged ones. And the headers of archives. */
#include "tests/support/testing.h"

#include "app/export/archive.h"

#include <kanzen/dobutsu.h>
#include <kanzen/dobutsu_files.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Three positions: the start, which is lost in 78, so that its child is won in 77; one in which the lion can be taken;
 * one in which it has been let through, and every child is won at once. */
static const uint64_t keys[] = {0x2b20785c1d, 0x2b20785c48, 0x79e7bdef82};
static const uint8_t good[] = {
    0x1a, 0x5c, 0x78, 0x20, 0x2b, 0x7c, 0x00, 0x00, /* start: lion to the left */
    0xf6, 0x5c, 0x78, 0x20, 0x2b, 0x37, 0x01, 0x00, /* the lion is taken */
    0xca, 0xff, 0xff, 0xef, 0xfb, 0xc9, 0x00, 0x00, /* the lion has arrived */
};
static const uint8_t maximums[] = {0x82, 0xef, 0xbd, 0xe7, 0x79};

static void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state) {
    (void)state;
    return mkdir("db", 0777) == 0 && mkdir("db/0", 0777) == 0 ? 0 : -1;
}

static kz_status probe(uint64_t key, kz_value *value, kz_move *move, kz_error *error) {
    kz_dobutsu_packets *packets;
    kz_dobutsu dobutsu;
    kz_position position;
    assert_int_equal(kz_dobutsu_from_state40(key, true, &dobutsu, NULL), KZ_OK);
    kz_dobutsu_to_position(&dobutsu, &position);
    kz_status status = kz_dobutsu_packets_open("db", &packets, error);
    if (status == KZ_OK) {
        status = kz_dobutsu_packets_probe(packets, &position, value, move, error);
        kz_dobutsu_packets_close(packets);
    }
    return status;
}

static void restore(void) {
    write_file("db/maximums.dat", maximums, sizeof maximums);
    write_file("db/0/0.dat", good, sizeof good);
}

TEST(test_reading) {
    static const kz_value values[] = {{KZ_LOSS, 78}, {KZ_WIN, 1}, {KZ_LOSS, 1}};
    restore();
    for (size_t i = 0; i < 3; i++) {
        kz_error error = {.message = ""};
        kz_value value = {KZ_UNKNOWN, 0};
        kz_move move = 0;
        must(probe(keys[i], &value, &move, &error), &error);
        assert_int_equal(value.outcome, values[i].outcome);
        assert_int_equal(value.distance, values[i].distance);
        assert_int_not_equal(move, 0);
    }
}

TEST(test_other_positions) {
    kz_error error;
    kz_value value = {KZ_UNKNOWN, 0};
    kz_move move = 0;
    restore();
    /* Not what the rules say: the lion could be taken, but the entry lets it arrive. */
    static const uint8_t wrong[] = {0xca, 0x4f, 0x78, 0x20, 0x2b, 0xc9, 0x00, 0x00};
    static const uint8_t wrong_maximum[] = {0x12, 0x9f, 0x7b, 0x20, 0x2b};
    write_file("db/0/0.dat", wrong, sizeof wrong);
    write_file("db/maximums.dat", wrong_maximum, sizeof wrong_maximum);
    assert_int_equal(probe(0x2b207b9f12, &value, &move, &error), KZ_ERR_CORRUPT);
    restore();
    /* The game is over: nothing needs to be read. */
    assert_int_equal(probe(0x2b20785cf6, &value, &move, &error), KZ_OK);
    assert_int_equal(value.outcome, KZ_LOSS);
    assert_int_equal(value.distance, 0);
    assert_int_equal(move, 0);
    /* Before, between and after what is there. */
    assert_int_equal(probe(0x2b2078581d, &value, &move, &error), KZ_ERR_INPUT);
    assert_int_equal(probe(0x2b20785c4a, &value, &move, &error), KZ_ERR_INPUT);
    assert_int_equal(probe(0xabe0785c1d, &value, &move, &error), KZ_ERR_INPUT);
}

static uint64_t child_of(uint64_t key, kz_move move) {
    const kz_game *game = kz_game_find("dobutsu");
    kz_dobutsu dobutsu;
    kz_position position;
    assert_int_equal(kz_dobutsu_from_state40(key, true, &dobutsu, NULL), KZ_OK);
    kz_dobutsu_to_position(&dobutsu, &position);
    kz_play(game, KZ_DOBUTSU_SIMPLIFIED, &position, move);
    kz_dobutsu_from_position(&position, &dobutsu);
    return kz_dobutsu_to_state40(&dobutsu);
}

/* Any bit of an entry that is changed shows: the packet is damaged, or the position is not found any more. But another
 * distance or the other winner is still a value, and another child of the same position is still a child. */
TEST(test_damaged_entries) {
    kz_value value;
    kz_move move;
    restore();
    for (size_t place = 0; place < sizeof good; place++) {
        uint8_t bytes[sizeof good];
        for (int bit = 0; bit < 8; bit++) {
            kz_error error = {.message = ""};
            memcpy(bytes, good, sizeof good);
            bytes[place] ^= (uint8_t)(1 << bit);
            write_file("db/0/0.dat", bytes, sizeof bytes);
            kz_status status = probe(keys[place / 8], &value, &move, &error);
            assert_true(status == KZ_OK || status == KZ_ERR_CORRUPT || status == KZ_ERR_INPUT);
            uint64_t child = 0;
            for (size_t i = 5; i-- > 0;) {
                child = child << 8 | bytes[place / 8 * 8 + i];
            }
            if (status == KZ_OK && place % 8 < 5 && child_of(keys[place / 8], move) != child) {
                fail_msg("byte %zu, bit %d: not found to be damaged", place, bit);
            }
            /* Only the start's value is not told by the rules. */
            if (status == KZ_OK && place % 8 >= 5 && place != 5 && !(place == 6 && bit == 0)) {
                fail_msg("byte %zu, bit %d: another value is taken", place, bit);
            }
        }
    }
    /* Entries that have changed places. */
    uint8_t swapped[sizeof good];
    memcpy(swapped, good, 8);
    memcpy(swapped + 8, good + 16, 8);
    memcpy(swapped + 16, good + 8, 8);
    write_file("db/0/0.dat", swapped, sizeof swapped);
    assert_int_equal(probe(keys[0], &value, &move, NULL), KZ_ERR_CORRUPT);
}

TEST(test_damaged_files) {
    kz_value value;
    kz_move move;
    kz_error error;
    static const size_t sizes[] = {0, 7, 16, 23};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        restore();
        write_file("db/0/0.dat", good, sizes[i]);
        assert_int_equal(probe(keys[0], &value, &move, &error), KZ_ERR_CORRUPT);
    }
    static const uint8_t two[] = {0x82, 0xef, 0xbd, 0xe7, 0x79, 0x83, 0xef, 0xbd, 0xe7, 0x79};
    static const uint8_t falling[] = {0x82, 0xef, 0xbd, 0xe7, 0x79, 0x81, 0xef, 0xbd, 0xe7, 0x79};
    restore();
    write_file("db/maximums.dat", falling, sizeof falling);
    assert_int_equal(probe(keys[0], &value, &move, &error), KZ_ERR_CORRUPT);
    write_file("db/maximums.dat", two, 0);
    assert_int_equal(probe(keys[0], &value, &move, &error), KZ_ERR_CORRUPT);
    write_file("db/maximums.dat", two, 7);
    assert_int_equal(probe(keys[0], &value, &move, &error), KZ_ERR_CORRUPT);
    /* Only the last packet may be short. */
    write_file("db/maximums.dat", two, sizeof two);
    assert_int_equal(probe(keys[0], &value, &move, &error), KZ_ERR_CORRUPT);
    /* The packet is not there. */
    restore();
    assert_int_equal(remove("db/0/0.dat"), 0);
    assert_int_equal(probe(keys[0], &value, &move, &error), KZ_ERR_IO);
}

TEST(test_finding) {
    static const uint8_t three[] = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 255, 255, 255, 255, 254};
    kz_dobutsu_packets *packets;
    write_file("db/maximums.dat", three, sizeof three);
    assert_int_equal(kz_dobutsu_packets_open("db", &packets, NULL), KZ_OK);
    assert_int_equal(kz_dobutsu_packets_count(packets), 3);
    assert_int_equal(kz_dobutsu_packets_find(packets, 0), 0);
    assert_int_equal(kz_dobutsu_packets_find(packets, 1), 0);
    assert_int_equal(kz_dobutsu_packets_find(packets, 2), 1);
    assert_int_equal(kz_dobutsu_packets_find(packets, 256), 1);
    assert_int_equal(kz_dobutsu_packets_find(packets, 257), 2);
    assert_int_equal(kz_dobutsu_packets_find(packets, 0xfeffffffff), 2);
    assert_true(kz_dobutsu_packets_find(packets, 0xff00000000) == KZ_DOBUTSU_PACKETS_NONE);
    kz_dobutsu_packets_close(packets);
}

TEST(test_ranges) {
    kz_dobutsu_packets_options options = {.first = KZ_DOBUTSU_PACKETS_COUNT};
    assert_int_equal(kz_dobutsu_packets_write("none", &options, NULL, NULL), KZ_ERR_INPUT);
    options = (kz_dobutsu_packets_options){.first = 1, .count = KZ_DOBUTSU_PACKETS_COUNT};
    assert_int_equal(kz_dobutsu_packets_write("none", &options, NULL, NULL), KZ_ERR_INPUT);
    options = (kz_dobutsu_packets_options){.count = 1};
    assert_int_equal(kz_dobutsu_packets_write(NULL, &options, NULL, NULL), KZ_ERR_INPUT);
    assert_int_equal(kz_dobutsu_packets_write("db/maximums.dat", &options, NULL, NULL), KZ_ERR_IO);
}

/* What tar itself makes of the headers. */
TEST(test_archives) {
    uint8_t archive[4 * KZ_TAR_BLOCK + KZ_TAR_END] = {0};
    kz_tar_header("12/", 0, archive);
    kz_tar_header("12/345.dat", 513, archive + KZ_TAR_BLOCK);
    memset(archive + 2 * KZ_TAR_BLOCK, 'x', 513);
    assert_int_equal(kz_tar_size(513), 3 * KZ_TAR_BLOCK);
    assert_int_equal(kz_tar_size(512), 2 * KZ_TAR_BLOCK);
    write_file("some.tar", archive, sizeof archive);
    FILE *listing = popen("TZ=UTC tar --numeric-owner -tvf some.tar 2>&1", "r");
    assert_non_null(listing);
    char text[512] = "";
    size_t length = fread(text, 1, sizeof text - 1, listing);
    assert_int_equal(pclose(listing), 0);
    assert_true(length > 0);
    assert_non_null(strstr(text, "drwxr-xr-x 0/0 "));
    assert_non_null(strstr(text, "-rw-r--r-- 0/0 "));
    assert_non_null(strstr(text, " 513 1970-01-01 00:00 12/345.dat\n"));
}

TESTS(set_up, NULL)
