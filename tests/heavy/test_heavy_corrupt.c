/* SPDX-License-Identifier: MIT
 * labels: dobutsu-table
 *
 * 10,000 accidents of the table of Dobutsu Shogi ($DOBUTSU_TABLE), one after the other, in a copy of it in memory: bits
 * and bytes that are others, stretches that are noise, zero, moved or of another place, files that are cut off. Each is
 * seen when the table is opened or when it is checked; and if it is opened nevertheless, no position is ever given a
 * wrong value. */
#include "tests/support/testing.h"

#include "base/bits.h"
#include "table/format.h"
#include "table/reader.h"

#include <kanzen/table.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACCIDENTS = 10000, PROBES = 4, SECTOR = 512 };

typedef struct copy {
    uint8_t *bytes;
    size_t size;
} copy;

static uint8_t *whole;
static size_t whole_size;
static copy damaged;
static uint64_t seed = 20240518;

static uint64_t below(uint64_t limit) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed % limit;
}

static const uint8_t *get(void *user, uint64_t offset, size_t size) {
    const copy *c = user;
    assert_true(offset <= c->size && size <= c->size - offset);
    return c->bytes + offset;
}

/* ---- Accidents --------------------------------------------------------------------------------------------------- */

/* What was changed. */
typedef struct scar {
    size_t at;
    size_t size;
} scar;

static scar flip_bit(void) {
    size_t at = below(whole_size);
    damaged.bytes[at] ^= (uint8_t)(1 << below(8));
    return (scar){at, 1};
}

static scar change_byte(void) {
    size_t at = below(whole_size);
    damaged.bytes[at] ^= (uint8_t)(1 + below(255));
    return (scar){at, 1};
}

/* Most of a table is blocks; here are accidents before them. */
static scar change_early_byte(void) {
    size_t at = below(512 << 10);
    damaged.bytes[at] ^= (uint8_t)(1 + below(255));
    return (scar){at, 1};
}

static scar make_noise(void) {
    scar s = {below(whole_size - 64), 1 + below(64)};
    for (size_t i = 0; i < s.size; i++) {
        damaged.bytes[s.at + i] = (uint8_t)below(256);
    }
    return s;
}

static scar clear_sector(void) {
    scar s = {below(whole_size / SECTOR) * SECTOR, SECTOR};
    memset(damaged.bytes + s.at, 0, SECTOR);
    return s;
}

static scar copy_sector(void) {
    scar s = {below(whole_size / SECTOR) * SECTOR, SECTOR};
    memcpy(damaged.bytes + s.at, whole + below(whole_size / SECTOR) * SECTOR, SECTOR);
    return s;
}

/* A byte too many, and one too few a little later. */
static scar shift(void) {
    scar s = {below(whole_size - 4096), 2 + below(4000)};
    memcpy(damaged.bytes + s.at + 1, whole + s.at, s.size - 1);
    return s;
}

static scar cut(void) {
    damaged.size = below(whole_size);
    return (scar){0, 0};
}

static scar grow(void) {
    damaged.size = whole_size + 1 + below(SECTOR);
    return (scar){whole_size, 0};
}

static scar (*const accidents[])(void) = {
    flip_bit, change_byte, change_early_byte, make_noise, clear_sector, copy_sector, shift, cut, grow};
enum { KINDS = sizeof accidents / sizeof accidents[0] };

/* ---- What they do ------------------------------------------------------------------------------------------------ */

static kz_table *good;
static kz_table *bad; /* of the damaged bytes, opened when they were whole */
static size_t blocks_at;
static uint64_t blocks;
static size_t *ends; /* of each block */
static uint64_t wrong_probes, refused_probes, right_probes;

static void probe(uint64_t index) {
    kz_position position;
    kz_value value;
    kz_value expected;
    kz_unrank(kz_table_game(good), 0, index, &position);
    assert_int_equal(kz_probe(good, &position, &expected, NULL), KZ_OK);
    kz_status status = kz_probe(bad, &position, &value, NULL);
    if (status == KZ_OK) {
        bool right = value.outcome == expected.outcome && value.distance == expected.distance;
        *(right ? &right_probes : &wrong_probes) += 1;
    } else {
        assert_int_equal(status, KZ_ERR_CORRUPT);
        refused_probes++;
    }
}

static uint64_t block_of(size_t at) {
    uint64_t low = 0;
    for (uint64_t high = blocks - 1; low < high;) {
        uint64_t middle = (low + high) / 2;
        if (at < ends[middle]) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* Blocks that are no longer what they were are refused one by one, by a check of all and by whoever asks. */
static void look_at_blocks(scar s) {
    uint64_t places = kz_table_shape(good)->places;
    unsigned size = kz_table_shape(good)->block;
    uint64_t first = block_of(s.at);
    uint64_t last = block_of(s.at + s.size - 1);
    if (below(8) == 0) { /* it takes milliseconds, and it is the same as what follows, for all blocks */
        assert_int_equal(kz_table_check(bad, NULL, NULL), KZ_ERR_CORRUPT);
    }
    for (uint64_t block = first; block <= last; block++) {
        size_t begin = block ? ends[block - 1] : blocks_at;
        bool same = memcmp(whole + begin, damaged.bytes + begin, ends[block] - begin) == 0;
        assert_int_equal(kz_table_check_block(bad, block, NULL), same ? KZ_OK : KZ_ERR_CORRUPT);
    }
    assert_int_equal(kz_table_cache(bad, 1, NULL), KZ_OK); /* what was read before is forgotten */
    for (int i = 0; i < PROBES; i++) {
        uint64_t index = first * size + below(size);
        probe(index < places ? index : places - 1);
    }
    probe(below(places));
}

static void look(scar s) {
    kz_table *table = NULL;
    kz_error error;
    kz_byte_source source = {.size = damaged.size, .get = get, .user = &damaged};
    if (damaged.size == whole_size && s.at >= blocks_at) {
        look_at_blocks(s); /* to open it would not show it, and takes a while */
        return;
    }
    kz_status status = kz_table_open_bytes("damaged", &source, &table, &error);
    assert_int_equal(status, KZ_ERR_CORRUPT);
    assert_int_equal(strncmp(error.message, "damaged: ", 9), 0);
}

TEST(test_accidents) {
    uint64_t happened[KINDS] = {0};
    for (int done = 0; done < ACCIDENTS;) {
        int kind = (int)below(KINDS);
        scar s = accidents[kind]();
        bool same = damaged.size == whole_size && memcmp(whole + s.at, damaged.bytes + s.at, s.size) == 0;
        if (!same) {
            look(s);
            happened[kind]++;
            done++;
        }
        memcpy(damaged.bytes + s.at, whole + s.at, s.size);
        damaged.size = whole_size;
    }
    assert_int_equal(wrong_probes, 0);
    assert_int_equal(kz_table_check(bad, NULL, NULL), KZ_OK);
    print_message("%d accidents, all seen; probes meanwhile: %llu refused, %llu right, none wrong\n", ACCIDENTS,
                  (unsigned long long)refused_probes, (unsigned long long)right_probes);
    for (int i = 0; i < KINDS; i++) {
        assert_true(happened[i] > ACCIDENTS / KINDS / 2);
    }
}

static int set_up(void **state) {
    (void)state;
    const char *path = getenv("DOBUTSU_TABLE");
    assert_non_null(path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    whole_size = (size_t)ftell(file);
    rewind(file);
    whole = malloc(whole_size);
    damaged = (copy){calloc(1, whole_size + SECTOR), whole_size};
    assert_true(whole && damaged.bytes);
    assert_int_equal(fread(whole, 1, whole_size, file), whole_size);
    fclose(file);
    memcpy(damaged.bytes, whole, whole_size);
    kz_byte_source source = {.size = whole_size, .get = get, .user = &damaged};
    assert_int_equal(kz_table_open(path, &good, NULL), KZ_OK);
    assert_int_equal(kz_table_open_bytes("damaged", &source, &bad, NULL), KZ_OK);
    size_t index_at = KZ_TABLE_HEADER_BYTES + (size_t)kz_load_le32(whole + KZ_AT_COUNTS_BYTES) +
                      kz_load_le32(whole + KZ_AT_MODEL_BYTES);
    blocks_at = index_at + kz_load_le32(whole + KZ_AT_INDEX_BYTES);
    blocks = kz_table_blocks(good);
    ends = malloc(blocks * sizeof *ends);
    assert_non_null(ends);
    size_t end = blocks_at;
    for (uint64_t block = 0; block < blocks; block++) {
        end += kz_load_le16(whole + index_at + block * KZ_INDEX_BYTES + KZ_INDEX_SIZE);
        ends[block] = end;
    }
    assert_int_equal(end, whole_size);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    kz_table_close(good);
    kz_table_close(bad);
    free(whole);
    free(damaged.bytes);
    free(ends);
    return 0;
}

TESTS(set_up, tear_down)
