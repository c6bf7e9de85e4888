/* SPDX-License-Identifier: MIT
 *
 * The parts of a table that need no solved game: coded blocks, probabilities, the cache, and files that are none. */
#include "tests/support/testing.h"

#include "base/bits.h"
#include "base/hash.h"
#include "games/dobutsu/table/coder.h"
#include "table/cache.h"
#include "table/format.h"
#include "tests/support/dobutsu_samples.h"
#include "tests/support/forge.h"

#include <kanzen/table.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Made-up blocks ---------------------------------------------------------------------------------------------- */

enum { BLOCKS = 8, SHORT_BLOCK = 700 };

typedef struct sample {
    kz_plan plan;
    uint8_t stored[KZ_BLOCK_MOST];
    unsigned positions;
} sample;

typedef struct samples {
    sample blocks[BLOCKS];
    kz_model *model;
} samples;

/* Any classes, any neighbours before the position, and values that now and then follow a neighbour's. The first block
 * has no skipped positions and all values from 0 to 255, so that every code is as long as it gets. */
static void make_sample(uint64_t *seed, int number, sample *s) {
    s->positions = number == 1 ? 1 : number % 2 ? SHORT_BLOCK : KZ_BLOCK_MOST;
    for (unsigned i = 0; i < s->positions; i++) {
        bool skip = number > 0 && sample_below(seed, 3) == 0;
        s->plan.feature[i] = (uint8_t)(skip ? KZ_PLAN_SKIP : sample_below(seed, KZ_PLAN_CLASSES));
        for (int k = 0; k < KZ_PLAN_NEIGHBOURS; k++) {
            s->plan.near[k][i] = (uint16_t)sample_below(seed, (int)i + 1);
        }
        unsigned near = s->plan.near[0][i];
        int value = number == 0                     ? (int)(i % KZ_SYMBOLS)
                    : sample_below(seed, 2)         ? 0
                    : near && sample_below(seed, 4) ? s->stored[near - 1]
                                                    : sample_below(seed, KZ_SYMBOLS);
        s->stored[i] = (uint8_t)(skip ? 0 : value);
    }
}

static int setup(void **state) {
    uint64_t seed = 4096;
    samples *all = calloc(1, sizeof *all);
    kz_model_counts *counts = calloc(1, sizeof *counts);
    if (!all || !counts) {
        free(all);
        free(counts);
        return -1;
    }
    for (int i = 0; i < BLOCKS; i++) {
        make_sample(&seed, i, &all->blocks[i]);
        kz_coder_count(&all->blocks[i].plan, all->blocks[i].stored, all->blocks[i].positions, NULL, counts);
    }
    all->model = kz_model_new(counts);
    free(counts);
    *state = all;
    return all->model ? 0 : -1;
}

static int teardown(void **state) {
    samples *all = *state;
    kz_model_free(all->model);
    free(all);
    return 0;
}

/* In memory of its exact size, so that a sanitizer sees every byte that is read past it. */
static uint8_t *copy_of(const uint8_t *bytes, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    return copy;
}

static uint8_t *encoded(const samples *all, int number, size_t *size) {
    const sample *s = &all->blocks[number];
    uint8_t bytes[KZ_BLOCK_BYTES_MOST];
    *size = forge_block(all->model, &s->plan, s->stored, s->positions, bytes);
    assert_true(*size <= sizeof bytes);
    return copy_of(bytes, *size);
}

static bool decodes(const kz_model *model, const sample *s, const uint8_t *bytes, size_t size) {
    uint8_t stored[KZ_BLOCK_MOST];
    memset(stored, 0xEE, sizeof stored);
    bool whole = kz_coder_decode(model, &s->plan, bytes, size, s->positions, stored);
    return whole && memcmp(stored, s->stored, s->positions) == 0;
}

TEST(test_round_trip) {
    const samples *all = *state;
    for (int i = 0; i < BLOCKS; i++) {
        size_t size;
        uint8_t *bytes = encoded(all, i, &size);
        assert_true(decodes(all->model, &all->blocks[i], bytes, size));
        free(bytes);
    }
}

/* All ways list the same steps; also where a context's symbols were never seen, and so two steps are needed. */
TEST(test_listing) {
    const samples *all = *state;
    enum { MOST = KZ_STEPS_MOST * KZ_BLOCK_MOST };
    kz_model_counts *few = calloc(1, sizeof *few);
    assert_non_null(few);
    kz_coder_count(&all->blocks[3].plan, all->blocks[3].stored, all->blocks[3].positions, NULL, few);
    kz_model *narrow = kz_model_new(few);
    free(few);
    assert_non_null(narrow);
    kz_coder_list *fast = kz_coder_choose();
    const kz_model *models[] = {all->model, narrow};
    uint32_t *plain = malloc(MOST * sizeof *plain);
    uint32_t *steps = malloc(MOST * sizeof *steps);
    kz_coder_lists *lists = malloc(sizeof *lists);
    assert_non_null(lists);
    assert_non_null(plain);
    assert_non_null(steps);
    for (int i = 0; i < 2 * BLOCKS; i++) {
        const sample *s = &all->blocks[i / 2];
        size_t count = kz_coder_list_plain(models[i % 2], &s->plan, s->stored, s->positions, NULL, plain);
        assert_int_equal(fast(models[i % 2], &s->plan, s->stored, s->positions, lists, steps), count);
        assert_memory_equal(steps, plain, count * sizeof *plain);
    }
    free(plain);
    free(steps);
    free(lists);
    kz_model_free(narrow);
}

/* All ways count the same. */
TEST(test_counting) {
    const samples *all = *state;
    kz_model_counts *counts[2];
    kz_coder_lists *lists = malloc(sizeof *lists);
    assert_non_null(lists);
    kz_coder_counting *fast = kz_coder_choose_counting();
    for (int i = 0; i < 2; i++) {
        counts[i] = calloc(1, sizeof *counts[i]);
        assert_non_null(counts[i]);
        for (int k = 0; k < BLOCKS; k++) {
            (i ? fast : kz_coder_count)(&all->blocks[k].plan, all->blocks[k].stored, all->blocks[k].positions, lists,
                                        counts[i]);
        }
    }
    assert_memory_equal(counts[0], counts[1], sizeof *counts[0]);
    free(lists);
    free(counts[0]);
    free(counts[1]);
}

TEST(test_empty_blocks) {
    const samples *all = *state;
    static sample skipped = {.positions = KZ_BLOCK_MOST};
    static const sample none;
    const sample *blocks[] = {&skipped, &none};
    memset(skipped.plan.feature, KZ_PLAN_SKIP, sizeof skipped.plan.feature);
    for (int i = 0; i < 2; i++) {
        uint8_t bytes[KZ_BLOCK_BYTES_MOST];
        size_t size = forge_block(all->model, &blocks[i]->plan, blocks[i]->stored, blocks[i]->positions, bytes);
        assert_int_equal(size, 4);
        assert_true(decodes(all->model, blocks[i], bytes, size));
    }
}

TEST(test_truncated_blocks) {
    const samples *all = *state;
    const int number = 3;
    size_t size;
    uint8_t *bytes = encoded(all, number, &size);
    for (size_t left = 0; left < size; left++) {
        uint8_t *copy = copy_of(bytes, left);
        assert_false(decodes(all->model, &all->blocks[number], copy, left));
        free(copy);
    }
    uint8_t *longer = malloc(size + 2);
    assert_non_null(longer);
    memcpy(longer, bytes, size);
    longer[size] = longer[size + 1] = 0;
    assert_false(decodes(all->model, &all->blocks[number], longer, size + 1));
    assert_false(decodes(all->model, &all->blocks[number], longer, size + 2));
    free(longer);
    free(bytes);
}

/* Whatever the bytes are, decoding comes to an end, and only the right bytes give the right values. */
TEST(test_damaged_blocks) {
    const samples *all = *state;
    uint64_t seed = 65537;
    for (int i = 0; i < BLOCKS; i++) {
        size_t size;
        uint8_t *bytes = encoded(all, i, &size);
        for (int n = 0; n < 2000; n++) {
            size_t at = (size_t)sample_below(&seed, (int)size);
            uint8_t flip = (uint8_t)(1 + sample_below(&seed, 255));
            bytes[at] ^= flip;
            assert_false(decodes(all->model, &all->blocks[i], bytes, size));
            bytes[at] ^= flip;
        }
        for (int n = 0; n < 300; n++) {
            for (size_t at = 0; at < size; at++) {
                bytes[at] = (uint8_t)sample_below(&seed, 256);
            }
            assert_false(decodes(all->model, &all->blocks[i], bytes, size));
        }
        free(bytes);
    }
}

/* ---- Probabilities ----------------------------------------------------------------------------------------------- */

TEST(test_model_bytes) {
    const samples *all = *state;
    size_t size;
    size_t again_size;
    kz_model *model = NULL;
    uint8_t *bytes = kz_model_pack(all->model, &size);
    assert_non_null(bytes);
    assert_int_equal(kz_model_unpack(bytes, size, &model, NULL), KZ_OK);
    uint8_t *again = kz_model_pack(model, &again_size);
    assert_non_null(again);
    assert_int_equal(again_size, size);
    assert_memory_equal(again, bytes, size);
    for (int i = 0; i < BLOCKS; i++) {
        size_t block_size;
        uint8_t *block = encoded(all, i, &block_size);
        assert_true(decodes(model, &all->blocks[i], block, block_size));
        free(block);
    }
    free(again);
    free(bytes);
    kz_model_free(model);
}

/* The search of eight bounds at once and the plain one agree, for octets of any length and every slot. */
TEST(test_rows) {
    uint64_t seed = 8;
    for (int n = 0; n < 200; n++) {
        kz_symbol_octet octet;
        unsigned used = 1 + (unsigned)sample_below(&seed, KZ_OCTET);
        unsigned sum = (unsigned)sample_below(&seed, KZ_SCALE / 2);
        octet.bounds[0] = (uint16_t)sum;
        for (unsigned i = 1; i <= KZ_OCTET; i++) {
            sum += 1 + (unsigned)sample_below(&seed, (int)(KZ_SCALE - sum) / 4);
            octet.bounds[i] = i > used ? KZ_NO_BOUND : i == used && n % 2 ? KZ_SCALE : (uint16_t)sum;
        }
        assert_int_equal(kz_octet_symbols(&octet), used);
        for (uint32_t slot = octet.bounds[0]; slot < KZ_SCALE; slot++) {
            unsigned before = kz_octet_before(&octet, slot);
            assert_int_equal(before, kz_octet_before_plain(&octet, slot));
            assert_true(before == KZ_OCTET || slot < octet.bounds[before + 1]);
            assert_true(slot >= octet.bounds[before]);
        }
    }
}

/* The search of a symbol among eight at once and the plain one agree, whatever the escape is and wherever it stands. */
TEST(test_finding_symbols) {
    uint64_t seed = 9;
    for (int n = 0; n < 200; n++) {
        kz_symbol_octet octet;
        unsigned escape = n % 3 ? 0 : (unsigned)sample_below(&seed, KZ_SYMBOLS);
        for (unsigned i = 0; i < KZ_OCTET; i++) {
            octet.symbols[i] = (uint8_t)(sample_below(&seed, 8) ? sample_below(&seed, KZ_SYMBOLS) : (int)escape);
        }
        for (unsigned value = 0; value < KZ_SYMBOLS; value++) {
            unsigned place = kz_octet_find(&octet, value, escape);
            assert_int_equal(place, kz_octet_find_plain(&octet, value, escape));
            assert_true(place == KZ_OCTET || octet.symbols[place] == value || octet.symbols[place] == escape);
        }
    }
}

/* Two that are coded side by side are what each is by itself, however long they are. */
TEST(test_two_coders) {
    enum { MOST = 700, BYTES = KZ_STATE_BYTES + KZ_STEP_BYTES * MOST };
    static const size_t counts[][2] = {{0, 0}, {0, MOST}, {1, 0}, {MOST, 30}, {300, 301}};
    uint64_t seed = 12;
    for (size_t round = 0; round < sizeof counts / sizeof *counts; round++) {
        uint32_t steps[2][2][MOST];
        static uint8_t bytes[2][2][BYTES];
        kz_rans_work work[2];
        for (unsigned i = 0; i < 2; i++) {
            for (unsigned k = 0; k < MOST; k++) {
                uint32_t share = 1 + (uint32_t)sample_below(&seed, KZ_SCALE);
                uint32_t start = (uint32_t)sample_below(&seed, (int)(KZ_SCALE - share + 1));
                steps[0][i][k] = steps[1][i][k] = kz_rans_step(start, share);
            }
            work[i] = (kz_rans_work){steps[0][i], counts[round][i], &bytes[0][i][0], 0};
        }
        kz_rans_encode_two(work);
        for (unsigned i = 0; i < 2; i++) {
            assert_int_equal(work[i].size, kz_rans_encode_plain(steps[1][i], counts[round][i], bytes[1][i]));
            assert_memory_equal(bytes[0][i], bytes[1][i], work[i].size);
        }
    }
}

/* Reciprocals and divisions code alike: every share, at places all over the range; and the decoder gets the symbols
 * back. */
TEST(test_reciprocals) {
    enum { ROUNDS = 16, STEPS = ROUNDS * KZ_SCALE };
    uint32_t *steps = malloc(3 * STEPS * sizeof *steps);
    uint8_t *bytes = malloc(2 * (KZ_STATE_BYTES + KZ_STEP_BYTES * (size_t)STEPS));
    uint64_t seed = 10;
    assert_non_null(steps);
    assert_non_null(bytes);
    for (unsigned i = 0; i < STEPS; i++) {
        uint32_t share = i % 4 ? 1 + (uint32_t)sample_below(&seed, KZ_SCALE) : 1 + i / 4 % KZ_SCALE;
        uint32_t step = kz_rans_step((uint32_t)sample_below(&seed, (int)(KZ_SCALE - share + 1)), share);
        steps[i] = steps[STEPS + i] = steps[2 * STEPS + i] = step;
    }
    uint8_t *plain = bytes + KZ_STATE_BYTES + KZ_STEP_BYTES * (size_t)STEPS;
    size_t size = kz_rans_encode(steps + STEPS, STEPS, bytes);
    assert_int_equal(size, kz_rans_encode_plain(steps + 2 * STEPS, STEPS, plain));
    assert_memory_equal(bytes, plain, size);
    kz_rans rans = {.state = 0};
    assert_true(kz_rans_begin(&rans, bytes, size));
    for (unsigned i = 0; i < STEPS; i++) {
        uint32_t start = steps[i] >> 16;
        uint32_t share = steps[i] & 0xFFFF;
        assert_true(kz_rans_slot(&rans) - start < share);
        kz_rans_advance(&rans, start, share);
    }
    assert_true(kz_rans_ended(&rans));
    free(bytes);
    free(steps);
}

TEST(test_levels) {
    for (unsigned stored = 0; stored < KZ_SYMBOLS; stored++) {
        assert_int_equal(kz_level(stored), kz_level_sum((uint8_t)stored));
    }
}

/* Damaged probabilities are refused, or are others that can be used without harm. */
TEST(test_damaged_model) {
    const samples *all = *state;
    uint64_t seed = 31337;
    size_t size;
    size_t block_size;
    kz_error error;
    uint8_t *bytes = kz_model_pack(all->model, &size);
    uint8_t *block = encoded(all, 3, &block_size);
    assert_non_null(bytes);
    /* A symbol is a byte of its own and two of its share, so three bytes less can make sense to the first look. */
    for (size_t less = 1; less <= 64; less++) {
        kz_model *model = NULL;
        uint8_t *copy = copy_of(bytes, size - less);
        assert_int_equal(kz_model_unpack(copy, size - less, &model, &error), KZ_ERR_CORRUPT);
        free(copy);
    }
    for (size_t left = 0; left < 64; left++) {
        kz_model *model = NULL;
        assert_int_equal(kz_model_unpack(bytes, left, &model, &error), KZ_ERR_CORRUPT);
    }
    int refused = 0;
    enum { FLIPS = 1000 };
    for (int n = 0; n < FLIPS; n++) {
        kz_model *model = NULL;
        size_t at = (size_t)sample_below(&seed, (int)size);
        uint8_t flip = (uint8_t)(1 + sample_below(&seed, 255));
        bytes[at] ^= flip;
        kz_status status = kz_model_unpack(bytes, size, &model, &error);
        bytes[at] ^= flip;
        if (status == KZ_OK) {
            decodes(model, &all->blocks[3], block, block_size);
            kz_model_free(model);
        } else {
            assert_int_equal(status, KZ_ERR_CORRUPT);
            refused++;
        }
    }
    assert_true(refused > FLIPS / 2);
    free(block);
    free(bytes);
}

/* ---- The cache --------------------------------------------------------------------------------------------------- */

static uint8_t made_up(uint64_t block, unsigned offset) { return (uint8_t)(block * 31 + offset * 7 + (block >> 8)); }

static void put_block(kz_cache *cache, uint64_t block) {
    uint8_t values[KZ_BLOCK_POSITIONS];
    for (unsigned offset = 0; offset < KZ_BLOCK_POSITIONS; offset++) {
        values[offset] = made_up(block, offset);
    }
    kz_cache_put(cache, block, values);
}

TEST(test_cache) {
    kz_cache *cache = kz_cache_new(16, KZ_BLOCK_POSITIONS);
    uint8_t value;
    assert_non_null(cache);
    assert_false(kz_cache_get(cache, 0, 0, &value, 1));
    for (uint64_t block = 0; block < 200; block += 3) {
        put_block(cache, block);
        assert_true(kz_cache_get(cache, block, KZ_BLOCK_POSITIONS - 1, &value, 1));
        assert_int_equal(value, made_up(block, KZ_BLOCK_POSITIONS - 1));
        assert_false(kz_cache_get(cache, block + 1, 0, &value, 1));
    }
    int kept = 0;
    for (uint64_t block = 0; block < 200; block++) {
        kept += kz_cache_get(cache, block, 0, &value, 1);
    }
    assert_true(kept > 0 && kept <= 16);
    kz_cache_free(cache);
    kz_cache_free(NULL);
}

typedef struct guest {
    kz_cache *cache;
    uint64_t seed;
    int hits;
    int wrong;
} guest;

static void *use_cache(void *argument) {
    guest *g = argument;
    for (int n = 0; n < 4000; n++) {
        uint64_t block = (uint64_t)sample_below(&g->seed, 64);
        unsigned offset = (unsigned)sample_below(&g->seed, KZ_BLOCK_POSITIONS);
        uint8_t value;
        if (kz_cache_get(g->cache, block, offset, &value, 1)) {
            g->hits++;
            g->wrong += value != made_up(block, offset);
        } else {
            put_block(g->cache, block);
        }
    }
    return NULL;
}

TEST(test_cache_threads) {
    enum { GUESTS = 4 };
    kz_cache *cache = kz_cache_new(32, KZ_BLOCK_POSITIONS);
    guest guests[GUESTS];
    pthread_t threads[GUESTS];
    assert_non_null(cache);
    for (int i = 0; i < GUESTS; i++) {
        guests[i] = (guest){.cache = cache, .seed = 11 + (uint64_t)i};
        assert_int_equal(pthread_create(&threads[i], NULL, use_cache, &guests[i]), 0);
    }
    for (int i = 0; i < GUESTS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(guests[i].wrong, 0);
        assert_true(guests[i].hits > 0);
    }
    kz_cache_free(cache);
}

/* ---- Files that are no tables ------------------------------------------------------------------------------------ */

static void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void assert_refused(const void *bytes, size_t size, const char *reason) {
    kz_error error = {0};
    kz_table *table = (kz_table *)&error; /* something: it has to become NULL */
    write_file("other.kzt", bytes, size);
    assert_int_equal(kz_table_open("other.kzt", &table, &error), KZ_ERR_CORRUPT);
    assert_int_equal(error.status, KZ_ERR_CORRUPT);
    assert_null(table);
    if (!strstr(error.message, "other.kzt: ") || !strstr(error.message, reason)) {
        fail_msg("\"%s\" does not say \"%s\"", error.message, reason);
    }
    remove("other.kzt");
}

TEST(test_foreign_files) {
    static const char text[] = "gle/1c1/1C1/ELG b - 1\n";
    static const char png[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    static const char unix_ends[] = "\x89KZT\n\x1a\n and so on";
    assert_refused("", 0, "not a Kanzen table");
    assert_refused(text, sizeof text - 1, "not a Kanzen table");
    assert_refused(png, sizeof png - 1, "not a Kanzen table");
    assert_refused(unix_ends, sizeof unix_ends - 1, "not a Kanzen table");
    assert_refused("\x89KZT", 4, "ends within its header");
    uint8_t noise[4096];
    uint64_t seed = 5;
    for (size_t i = 0; i < sizeof noise; i++) {
        noise[i] = (uint8_t)sample_below(&seed, 256);
    }
    assert_refused(noise, sizeof noise, "not a Kanzen table");

    kz_error error = {0};
    kz_table *table = (kz_table *)&error;
    assert_int_equal(kz_table_open("nowhere/table.kzt", &table, &error), KZ_ERR_IO);
    assert_null(table);
    assert_non_null(strstr(error.message, "nowhere/table.kzt"));
    assert_int_equal(mkdir("folder.kzt", 0700), 0);
    assert_int_equal(kz_table_open("folder.kzt", &table, &error), KZ_ERR_IO);
    assert_int_equal(kz_table_open("folder.kzt", &table, NULL), KZ_ERR_IO);
    assert_null(table);
    remove("folder.kzt");
    kz_table_close(NULL);
}

/* A header that is fine but for one field, and has the right checksum. */
static void good_header(uint8_t header[KZ_TABLE_HEADER_BYTES]) {
    memset(header, 0, KZ_TABLE_HEADER_BYTES);
    memcpy(header, KZ_TABLE_MAGIC, 8);
    kz_store_le32(header + KZ_AT_VERSION, KZ_TABLE_VERSION_LOSSES);
    kz_store_le32(header + KZ_AT_BLOCK_SIZE, KZ_BLOCK_POSITIONS);
    memcpy(header + KZ_AT_GAME, "dobutsu", 7);
    memcpy(header + KZ_AT_RULES, "official", 8);
    kz_store_le64(header + KZ_AT_POSITIONS, kz_index_size(kz_game_find("dobutsu"), 0));
    kz_store_le64(header + KZ_AT_FILE_BYTES, KZ_TABLE_HEADER_BYTES);
    static const int hashes[] = {KZ_AT_COUNTS_HASH, KZ_AT_MODEL_HASH, KZ_AT_INDEX_HASH};
    for (size_t i = 0; i < sizeof hashes / sizeof hashes[0]; i++) {
        kz_store_le64(header + hashes[i], kz_hash64("", 0));
    }
}

TEST(test_odd_headers) {
    static const struct {
        int at;
        const char *bytes;
        size_t size;
        const char *reason;
    } cases[] = {
        {KZ_AT_VERSION, "\5", 1, "a table of version 5, and this program reads versions 1 to 4"},
        {KZ_AT_VERSION, "\4", 1, "made for another index"},
        {KZ_AT_VERSION, "\2", 1, "made for another index"},
        {KZ_AT_BLOCK_SIZE, "\xFF\0", 2, "made for another index"}, /* less than KZ_BLOCK_LEAST */
        {KZ_AT_BLOCK_SIZE, "\1\x10", 2, "made for another index"}, /* more than KZ_BLOCK_MOST */
        {KZ_AT_POSITIONS, "\0", 1, "made for another index"},
        {KZ_AT_FILE_BYTES, "\x99", 1, "152 bytes long, but should have 153"},
        {KZ_AT_GAME, "dobutsv", 7, "the game 'dobutsv'"},
        {KZ_AT_RULES, "officiaL", 8, "the rules 'officiaL'"},
        {KZ_AT_GAME, "\0", 1, "is no name"},
        {KZ_AT_GAME, "aaaaaaaaaaaaaaaa", 16, "is no name"},
        {KZ_AT_RULES + 12, "x", 1, "is no name"},
        {KZ_AT_COUNTS_BYTES, "\xff\xff\xff\xff", 4, "damaged"},
        {KZ_AT_MODEL_BYTES, "\1", 1, "damaged"},
        {KZ_AT_INDEX_BYTES, "\xff\xff\xff\x7f", 4, "damaged"},
        {KZ_AT_COUNTS_HASH, "\0\0\0", 3, "damaged"},
        {KZ_AT_MAGIC, "\x89", 1, "the counts don't add up"}, /* nothing is wrong but that it has no sections */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t header[KZ_TABLE_HEADER_BYTES];
        good_header(header);
        memcpy(header + cases[i].at, cases[i].bytes, cases[i].size);
        kz_store_le64(header + KZ_AT_HEADER_HASH, kz_hash64(header, KZ_AT_HEADER_HASH));
        assert_refused(header, sizeof header, cases[i].reason);
        header[KZ_AT_HEADER_HASH] ^= 1;
        assert_refused(header, sizeof header, "the header is damaged");
    }
}

TESTS(setup, teardown)
