/* SPDX-License-Identifier: MIT
 *
 * A table file that another thread writes to while it is read: an answer is right, or it is KZ_ERR_CORRUPT. The writer
 * flips one byte again and again, so that the file is intact half of the time; the flipped byte alone is always noticed
 * (test_corrupt.c), and a wrong answer can only come from a check that saw other bytes than the decoder. */
#include "tests/support/forge.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/packing.h"
#include "games/dobutsu/table/lookup.h"
#include "table/format.h"
#include "table/reader.h"
#include "table/writer.h"

#include <fcntl.h>
#include <kanzen/dobutsu.h>
#include <kanzen/solve.h>
#include <kanzen/system.h>
#include <kanzen/table.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char path[] = "changing.kzt";
static const char losses_path[] = "changing-losses.kzt";

/* Both results have to come up this often, so that reader and writer are known to have run side by side. */
enum { ENOUGH = 3000, ENOUGH_OPENED = 20, SECONDS_MOST = 60 };

/* The thread that writes. It has a mapping of its own, as another process would. */
typedef struct writer {
    _Atomic uint8_t *bytes;
    size_t size;
    size_t at; /* the byte that it flips */
    atomic_bool stop;
    pthread_t thread;
} writer;

static void *flip(void *context) {
    writer *w = context;
    while (!atomic_load(&w->stop)) {
        atomic_fetch_xor(&w->bytes[w->at], 0x10);
        for (int pause = 0; pause < 20; pause++) {
            atomic_load(&w->stop);
        }
    }
    return NULL;
}

static void start_writing(writer *w, const char *to, size_t at) {
    int file = open(to, O_RDWR);
    assert_true(file >= 0);
    *w = (writer){.size = (size_t)lseek(file, 0, SEEK_END), .at = at};
    void *bytes = mmap(NULL, w->size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    assert_true(bytes != MAP_FAILED);
    close(file);
    w->bytes = bytes;
    assert_int_equal(pthread_create(&w->thread, NULL, flip, w), 0);
}

/* Stops the thread and puts `was` back. */
static void stop_writing(writer *w, uint8_t was) {
    atomic_store(&w->stop, true);
    assert_int_equal(pthread_join(w->thread, NULL), 0);
    atomic_store(&w->bytes[w->at], was);
    munmap((void *)w->bytes, w->size);
}

/* The table as it should be. */
typedef struct intact {
    content file;
    uint64_t places;
    uint8_t *numbers;
} intact;

static intact whole;

static int set_up(void **state) {
    (void)state;
    const kz_game *game = kz_game_find("pushfight");
    kz_summary summary;
    kz_table *table;
    kz_solve_options options = {.replace = true};
    assert_int_equal(kz_solve(game, kz_rules_find(game, "mini"), path, &options, &summary, NULL), KZ_OK);
    whole.file = needed_content(path);
    assert_int_equal(kz_table_open(path, &table, NULL), KZ_OK);
    whole.places = kz_table_shape(table)->places;
    whole.numbers = malloc(whole.places);
    assert_non_null(whole.numbers);
    assert_int_equal(kz_table_read(table, 0, whole.places, whole.numbers, NULL), KZ_OK);
    kz_table_close(table);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    free(whole.file.bytes);
    free(whole.numbers);
    return 0;
}

/* Where the sections and the blocks begin. */
static size_t counts_at(void) { return KZ_TABLE_HEADER_BYTES; }
static size_t model_at(void) { return counts_at() + kz_load_le32(whole.file.bytes + KZ_AT_COUNTS_BYTES); }
static size_t index_at(void) { return model_at() + kz_load_le32(whole.file.bytes + KZ_AT_MODEL_BYTES); }
static size_t blocks_at(void) { return index_at() + kz_load_le32(whole.file.bytes + KZ_AT_INDEX_BYTES); }

/* How often each result came up. */
typedef struct results {
    int right;
    int refused;
    double begin;
} results;

static void note(results *r, kz_status status, bool right) {
    if (status == KZ_OK && !right) {
        fail_msg("a wrong value after %d right ones and %d refusals", r->right, r->refused);
    }
    if (status != KZ_OK && status != KZ_ERR_CORRUPT) {
        fail_msg("%s", kz_status_name(status));
    }
    r->right += status == KZ_OK;
    r->refused += status == KZ_ERR_CORRUPT;
}

static bool go_on_until(const results *r, int wanted) {
    bool enough = r->right >= wanted && r->refused >= wanted;
    if (!enough && kz_seconds() - r->begin > SECONDS_MOST) {
        fail_msg("%d right and %d refused in a minute: reader and writer don't meet", r->right, r->refused);
    }
    return !enough;
}

static bool go_on(const results *r) { return go_on_until(r, ENOUGH); }

TEST(test_blocks) {
    kz_table *table;
    assert_int_equal(kz_table_open(path, &table, NULL), KZ_OK);
    unsigned places = kz_table_shape(table)->block;
    uint8_t *numbers = malloc(places);
    assert_non_null(numbers);
    size_t at = blocks_at();
    for (uint64_t block = 0; block < 3; block++) {
        size_t bytes = 2 * (size_t)kz_load_le16(whole.file.bytes + index_at() + block * KZ_INDEX2_BYTES);
        uint64_t first = block * places;
        uint64_t count = whole.places - first < places ? whole.places - first : places;
        writer w;
        results r = {.begin = kz_seconds()};
        start_writing(&w, path, at + bytes / 2);
        while (go_on(&r)) {
            kz_status status = kz_table_read(table, first, count, numbers, NULL);
            note(&r, status, memcmp(numbers, whole.numbers + first, count) == 0);
        }
        stop_writing(&w, whole.file.bytes[at + bytes / 2]);
        at += bytes;
    }
    free(numbers);
    kz_table_close(table);
}

/* ---- Lookups in a table of losses ----------------------------------------------------------------------------------
 *
 * They decode a block only as far as they need to, so nothing but the checksum tells that its bytes are wrong. A real
 * table of losses is large; this one is made here, and only one of its blocks has any bytes. */

typedef struct losses {
    uint64_t block;
    uint8_t numbers[KZ_BLOCK_POSITIONS];
    size_t at; /* in the file */
    size_t bytes;
} losses;

static void store_section(uint8_t *header, int bytes_at, int hash_at, const uint8_t *bytes, size_t size) {
    kz_store_le32(header + bytes_at, (uint32_t)size);
    kz_store_le64(header + hash_at, kz_hash64(bytes, size));
}

/* Made-up losses for the first block in which most positions have a value. */
static void make_numbers(const kz_losses *self, losses *l) {
    static kz_plan plan;
    unsigned stored = 0;
    for (l->block = 0; stored < KZ_BLOCK_POSITIONS / 2; l->block += stored < KZ_BLOCK_POSITIONS / 2) {
        assert_true(l->block + 1 < kz_shape_blocks(&self->shape));
        kz_dobutsu_plan(&self->lookup->planner, l->block * KZ_BLOCK_POSITIONS, KZ_BLOCK_POSITIONS, &plan);
        stored = 0;
        for (unsigned i = 0; i < KZ_BLOCK_POSITIONS; i++) {
            bool skipped = plan.feature[i] == KZ_PLAN_SKIP;
            l->numbers[i] = !skipped && i * 7919 % 13 < 4 ? (uint8_t)(1 + 2 * (i * 31 % 40)) : 0;
            stored += !skipped;
        }
    }
}

static kz_status read_numbers(void *context, int worker, uint64_t extent, uint8_t *entries, kz_error *error) {
    const losses *l = context;
    (void)worker;
    (void)error;
    assert_int_equal(extent, l->block);
    memcpy(entries, l->numbers, sizeof l->numbers);
    return KZ_OK;
}

static void write_table_of_losses(const kz_game *game, losses *l) {
    void *self;
    kz_shape shape;
    const kz_encoder *encoder = kz_dobutsu_kind.encoder;
    kz_source source = {.context = l, .read = read_numbers};
    kz_tally tally = {.counts = calloc(1, encoder->counts_bytes)};
    assert_int_equal(kz_dobutsu_kind.open(game, 0, 0, 0, &self, &shape, NULL), KZ_OK);
    assert_int_equal(shape.block, KZ_BLOCK_POSITIONS);
    void *memory = encoder->new_memory(self);
    assert_true(memory && tally.counts);
    kz_lock_open(&tally.lock);
    make_numbers(self, l);
    kz_extent blocks = {l->block, l->block + 1};
    uint64_t wrong;
    assert_int_equal(encoder->read(memory, &source, 0, l->block, 0, NULL), KZ_OK);
    assert_true(encoder->count(self, memory, blocks, &tally, &wrong));
    assert_true(encoder->learn(self, tally.counts));
    size_t raw_size;
    size_t model_size;
    uint8_t *raw = encoder->pack(self, &raw_size);
    assert_non_null(raw);
    uint8_t *model = kz_pack(raw, raw_size, 12, &model_size);
    assert_non_null(model);
    free(raw);
    size_t index_size = kz_shape_blocks(&shape) * KZ_INDEX_BYTES;
    l->at = KZ_TABLE_HEADER_BYTES + KZ_COUNT_BYTES + model_size + index_size;
    uint8_t *file = calloc(1, l->at + encoder->most_bytes(self));
    assert_non_null(file);
    size_t sizes[2];
    assert_int_equal(encoder->encode(self, memory, blocks, file + l->at, sizes), 1);
    l->bytes = sizes[0];
    assert_true(l->bytes > 100 && l->bytes <= UINT16_MAX);

    uint8_t *counts = file + KZ_TABLE_HEADER_BYTES;
    counts[KZ_COUNT_OUTCOME] = KZ_DRAW;
    kz_store_le64(counts + KZ_COUNT_NUMBER, shape.places);
    memcpy(counts + KZ_COUNT_BYTES, model, model_size);
    uint8_t *index = counts + KZ_COUNT_BYTES + model_size;
    uint8_t *entry = index + l->block * KZ_INDEX_BYTES;
    kz_store_le16(entry + KZ_INDEX_SIZE, (uint16_t)l->bytes);
    kz_store_le32(entry + KZ_INDEX_CHECK, (uint32_t)kz_hash64_seeded(file + l->at, l->bytes, l->block));

    memcpy(file, KZ_TABLE_MAGIC, KZ_TABLE_MAGIC_BYTES);
    kz_store_le32(file + KZ_AT_VERSION, KZ_TABLE_VERSION_LOSSES);
    kz_store_le32(file + KZ_AT_BLOCK_SIZE, shape.block);
    (void)snprintf((char *)file + KZ_AT_GAME, KZ_TABLE_NAME_BYTES, "%s", kz_game_name(game));
    (void)snprintf((char *)file + KZ_AT_RULES, KZ_TABLE_NAME_BYTES, "%s", kz_rules_name(game, 0));
    kz_store_le64(file + KZ_AT_POSITIONS, shape.places);
    kz_store_le64(file + KZ_AT_FILE_BYTES, l->at + l->bytes);
    store_section(file, KZ_AT_COUNTS_BYTES, KZ_AT_COUNTS_HASH, counts, KZ_COUNT_BYTES);
    store_section(file, KZ_AT_MODEL_BYTES, KZ_AT_MODEL_HASH, model, model_size);
    store_section(file, KZ_AT_INDEX_BYTES, KZ_AT_INDEX_HASH, index, index_size);
    kz_store_le64(file + KZ_AT_HEADER_HASH, kz_hash64(file, KZ_AT_HEADER_HASH));
    put_content(losses_path, file, l->at + l->bytes);
    free(file);
    free(model);
    free(tally.counts);
    kz_lock_close(&tally.lock);
    encoder->free_memory(memory);
    kz_dobutsu_kind.close(self);
}

TEST(test_lookups) {
    static losses l;
    write_table_of_losses(kz_game_find("dobutsu"), &l);
    uint64_t first = l.block * KZ_BLOCK_POSITIONS;
    kz_table *table;
    kz_error error;
    must(kz_table_open(losses_path, &table, &error), &error);
    kz_value value;
    kz_scored_move moves[KZ_DOBUTSU_MAX_MOVES];
    int count;
    const kz_position nothing = {{0}};
    assert_int_equal(kz_probe(table, &nothing, &value, &error), KZ_ERR_INPUT);
    assert_int_equal(kz_probe_moves(table, &nothing, moves, &count, &error), KZ_ERR_INPUT);
    for (unsigned i = 0; i < KZ_BLOCK_POSITIONS; i++) {
        uint8_t number;
        assert_int_equal(kz_table_lookup(table, first + i, &number, NULL), KZ_OK);
        assert_int_equal(number, l.numbers[i]);
    }
    content file = needed_content(losses_path);
    size_t flipped = l.at + l.bytes / 4;
    writer w;
    results r = {.begin = kz_seconds()};
    start_writing(&w, losses_path, flipped);
    for (unsigned i = 0; go_on(&r); i++) {
        unsigned place = KZ_BLOCK_POSITIONS - 1 - i % 1000;
        uint8_t number;
        assert_int_equal(kz_table_cache(table, 0, NULL), KZ_OK); /* an empty cache */
        kz_status status = kz_table_lookup(table, first + place, &number, NULL);
        note(&r, status, number == l.numbers[place]);
    }
    stop_writing(&w, file.bytes[flipped]);
    free(file.bytes);
    kz_table_close(table);
}

/* ---- Sections ---------------------------------------------------------------------------------------------------- */

/* Whether an open table says what it should. */
static bool is_whole(const kz_table *table) {
    uint8_t number;
    uint64_t index = whole.places - 1;
    kz_value value;
    uint64_t count;
    for (size_t i = 0; kz_table_count(table, i, &value, &count); i++) {
        const uint8_t *entry = whole.file.bytes + counts_at() + i * KZ_COUNT_BYTES;
        if (value.distance != kz_load_le16(entry + KZ_COUNT_DISTANCE) ||
            count != kz_load_le64(entry + KZ_COUNT_NUMBER)) {
            return false;
        }
    }
    return kz_table_lookup(table, index, &number, NULL) == KZ_OK && number == whole.numbers[index];
}

static void open_while_writing(size_t at) {
    writer w;
    results r = {.begin = kz_seconds()};
    start_writing(&w, path, at);
    while (go_on_until(&r, ENOUGH_OPENED)) {
        kz_table *table;
        kz_status status = kz_table_open(path, &table, NULL);
        note(&r, status, status != KZ_OK || is_whole(table));
        kz_table_close(table);
    }
    stop_writing(&w, whole.file.bytes[at]);
}

TEST(test_sections) {
    open_while_writing(20); /* the header */
    open_while_writing(counts_at() + KZ_COUNT_DISTANCE);
    open_while_writing((model_at() + index_at()) / 2);
    open_while_writing(blocks_at() - 1); /* the checksum of the last block */
}

TESTS(set_up, tear_down)
