/* SPDX-License-Identifier: MIT
 * labels: slow
 * wraps: malloc calloc realloc aligned_alloc
 *
 * Files whose checksums are right and whose contents are wrong: sizes, counts, offsets, probabilities, blocks, parts
 * that overlap, the name of another game. Whoever reads them gets a clear error or an answer that is defined, which is
 * all that a forged file can ask for: nothing crashes (sanitizers see it), nothing goes on for ever (ctest sees it),
 * and no single piece of memory is larger than the bound below. */
#include "tests/support/forge.h"
#include "tests/support/graph_game.h"

#include "base/bits.h"
#include "base/packing.h"
#include "base/random.h"
#include "games/dobutsu/table/coder.h"
#include "games/dobutsu/table/plan.h"
#include "games/pushfight/solve/phase_file.h"
#include "solve/checkpoint.h"
#include "table/format.h"
#include "table/reader.h"

#include <kanzen/load.h>
#include <kanzen/shogi_files.h>
#include <kanzen/solve.h>
#include <kanzen/table.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

enum { MOST_AT_ONCE = 64 << 20 }; /* besides the file; a cache of blocks is the largest piece that is meant to be */

static size_t largest;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static void note(size_t size) { largest = size > largest ? size : largest; }

void *__wrap_malloc(size_t size) {
    note(size);
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    note(size && count > SIZE_MAX / size ? SIZE_MAX : count * size);
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
    note(size);
    return __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    note(size);
    return __real_aligned_alloc(alignment, size);
}

static void assert_modest(size_t file_bytes) {
    if (largest > file_bytes + MOST_AT_ONCE) {
        fail_msg("%zu bytes of memory at once for a file of %zu", largest, file_bytes);
    }
}

/* What a caller may be told about a file. */
static void assert_defined(kz_status status, const kz_error *error) {
    if (status != KZ_OK && status != KZ_ERR_CORRUPT && status != KZ_ERR_INPUT && status != KZ_ERR_MISMATCH &&
        status != KZ_ERR_UNSUPPORTED) {
        fail_msg("%s: %s", kz_status_name(status), error->message);
    }
    assert_true(status == KZ_OK || (status == error->status && error->message[0] != '\0'));
}

static uint64_t draw(kz_random *random, uint64_t below) { return kz_random_below(random, below); }

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

typedef struct cases {
    uint64_t refused;
    uint64_t opened;
} cases;

static const uint8_t *get(void *user, uint64_t offset, size_t size) {
    const content *file = user;
    assert_true(offset <= file->size && size <= file->size - offset);
    return file->bytes + offset;
}

/* A value must be one that can be, whoever made the table. */
static void assert_value(kz_value value) {
    assert_true(value.outcome >= KZ_UNKNOWN && value.outcome <= KZ_WIN);
    assert_true(value.distance >= 0 && value.distance <= 65536);
}

/* Single positions, several at once, and all moves of one. */
static void ask_for_values(kz_table *table) {
    enum { POSITIONS = 50 };
    kz_error error = {KZ_OK, ""};
    const kz_game *game = kz_table_game(table);
    uint64_t size = kz_index_size(game, kz_table_rules(table));
    kz_position positions[POSITIONS];
    kz_value values[POSITIONS];
    size_t count = 0;
    int listed;
    kz_scored_move *moves = malloc((size_t)kz_max_moves(game, kz_table_rules(table)) * sizeof *moves);
    assert_non_null(moves);
    for (uint64_t index = 0; index < size && count < POSITIONS; index += size / POSITIONS + 1) {
        if (kz_unrank(game, kz_table_rules(table), index, &positions[count])) {
            kz_status status = kz_probe(table, &positions[count], &values[count], &error);
            assert_defined(status, &error);
            if (status == KZ_OK) {
                assert_value(values[count]);
            }
            count++;
        }
    }
    kz_status status = kz_probe_many(table, positions, count, 1, values, &error);
    assert_defined(status, &error);
    for (size_t i = 0; i < count && status == KZ_OK; i++) {
        assert_value(values[i]);
    }
    if (count > 0) {
        assert_defined(kz_probe_moves(table, &positions[count / 2], moves, &listed, &error), &error);
    }
    free(moves);
}

/* All that is asked of an open table: its values, blocks and counts, and whether they go together. */
static void use_table(kz_table *table) {
    enum { MOST_BLOCKS = 300, FEW_POSITIONS = 10000000 };
    kz_error error = {KZ_OK, ""};
    kz_verify_report report;
    const kz_shape *shape = kz_table_shape(table);
    ask_for_values(table);
    uint8_t *numbers = calloc(shape->block, 2); /* two bytes each, in version 3 */
    assert_non_null(numbers);
    uint64_t blocks = shape->places / shape->block + 1;
    uint64_t step = (blocks / MOST_BLOCKS + 1) * shape->block;
    for (uint64_t first = 0; first < shape->places; first += step) {
        uint64_t left = shape->places - first;
        kz_status status = kz_table_read(table, first, left < shape->block ? left : shape->block, numbers, &error);
        assert_defined(status, &error);
        if (status != KZ_OK) {
            break;
        }
    }
    free(numbers);
    assert_defined(kz_table_check(table, NULL, &error), &error);
    if (shape->places < FEW_POSITIONS) {
        assert_defined(kz_table_verify(table, 1, NULL, &report, &error), &error);
    }
}

static void try_table_of(const kz_game *game, content *file, cases *seen) {
    kz_error error = {KZ_OK, ""};
    kz_table *table = NULL;
    largest = 0;
    kz_byte_source bytes = {.size = file->size, .get = get, .user = file};
    kz_status status = kz_table_open_bytes_as("forged", &bytes, game, &table, &error);
    assert_defined(status, &error);
    if (status == KZ_OK) {
        use_table(table);
        kz_table_close(table);
        seen->opened++;
    } else {
        assert_null(table);
        seen->refused++;
    }
    assert_modest(file->size);
    /* The same from a file, which has its own way of reading. */
    if ((seen->opened + seen->refused) % 16 == 0) {
        put_content("forged.kzt", file->bytes, file->size);
        kz_status again = kz_table_open_as("forged.kzt", game, &table, &error);
        assert_int_equal(again, status);
        if (again == KZ_OK) {
            kz_table_close(table);
        }
    }
}

static void try_table(content *file, cases *seen) { try_table_of(NULL, file, seen); }

static content solved(const char *path, const char *board, bool keep_work) {
    const kz_game *game = kz_game_find("pushfight");
    kz_solve_options options = {.threads = 1, .keep_work = keep_work};
    kz_summary summary;
    kz_error error;
    must(kz_solve(game, kz_rules_find(game, board), path, &options, &summary, &error), &error);
    return needed_content(path);
}

TEST(test_seal_is_right) {
    content good = solved("good.kzt", "corridor", false);
    uint8_t *copy = malloc(good.size);
    assert_non_null(copy);
    memcpy(copy, good.bytes, good.size);
    memset(copy + KZ_AT_DIGEST, 0, 40);
    memset(copy + KZ_AT_COUNTS_HASH, 0, 8);
    forge_seal_table(copy, good.size);
    assert_memory_equal(copy, good.bytes, good.size);
    free(copy);
    free(good.bytes);
}

TEST(test_table_numbers) {
    static const struct {
        int at;
        int bytes;
    } fields[] = {{KZ_AT_VERSION, 4},      {KZ_AT_BLOCK_SIZE, 4},  {KZ_AT_POSITIONS, 8},  {KZ_AT_FILE_BYTES, 8},
                  {KZ_AT_COUNTS_BYTES, 4}, {KZ_AT_MODEL_BYTES, 4}, {KZ_AT_INDEX_BYTES, 4}};
    content good = solved("numbers.kzt", "corridor", false);
    cases seen = {0};
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
        for (int n = 0; n < FORGE_NUMBERS; n++) {
            content c = {malloc(good.size), good.size};
            assert_non_null(c.bytes);
            memcpy(c.bytes, good.bytes, good.size);
            uint8_t *field = c.bytes + fields[f].at;
            if (fields[f].bytes == 4) {
                kz_store_le32(field, (uint32_t)forge_number(kz_load_le32(field), n, good.size));
            } else {
                kz_store_le64(field, forge_number(kz_load_le64(field), n, good.size));
            }
            bool same = memcmp(c.bytes, good.bytes, good.size) == 0;
            forge_seal_table(c.bytes, c.size);
            uint64_t before = seen.refused;
            try_table(&c, &seen);
            /* Each of these numbers follows from the game or from the file. */
            assert_true(same || seen.refused == before + 1);
            free(c.bytes);
        }
    }
    free(good.bytes);
    print_message("%llu forged headers, %llu refused\n", (unsigned long long)seen.refused + seen.opened,
                  (unsigned long long)seen.refused);
}

TEST(test_foreign_tables) {
    static const struct {
        const char *game;
        const char *rules;
    } names[] = {{"dobutsu", "official"},
                 {"dobutsu", "simplified"},
                 {"pushfight", "mini"},
                 {"pushfight", "hook"},
                 {"pushfight", "standard"},
                 {"pushfight", ""},
                 {"", "corridor"},
                 {"", ""},
                 {"0123456789abcdef", "corridor"},
                 {"pushfight", "0123456789abcdef"}};
    content good = solved("foreign.kzt", "corridor", false);
    cases seen = {0};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        memset(good.bytes + KZ_AT_GAME, 0, 32);
        memcpy(good.bytes + KZ_AT_GAME, names[i].game, strlen(names[i].game));
        memcpy(good.bytes + KZ_AT_RULES, names[i].rules, strlen(names[i].rules));
        for (uint32_t version = 1; version <= 3; version++) {
            kz_store_le32(good.bytes + KZ_AT_VERSION, version);
            forge_seal_table(good.bytes, good.size);
            try_table(&good, &seen);
        }
    }
    assert_int_equal(seen.opened, 0);
    free(good.bytes);
}

/* Anything anywhere: in the counts, the model, the index and the blocks. */
TEST(test_table_contents) {
    const int rounds = random_cases(2000);
    content good = solved("contents.kzt", "corridor", false);
    size_t begin[5] = {KZ_TABLE_HEADER_BYTES};
    begin[1] = begin[0] + kz_load_le32(good.bytes + KZ_AT_COUNTS_BYTES);
    begin[2] = begin[1] + kz_load_le32(good.bytes + KZ_AT_MODEL_BYTES);
    begin[3] = begin[2] + kz_load_le32(good.bytes + KZ_AT_INDEX_BYTES);
    begin[4] = good.size;
    content c = {malloc(good.size), good.size};
    assert_non_null(c.bytes);
    kz_random random = {.state = 1};
    cases seen = {0};
    for (int round = 0; round < rounds; round++) {
        int section = round % 4;
        size_t length = begin[section + 1] - begin[section];
        memcpy(c.bytes, good.bytes, good.size);
        for (uint64_t changes = 1 + draw(&random, 8); changes > 0 && length > 0; changes--) {
            uint8_t *at = c.bytes + begin[section] + draw(&random, length);
            switch (draw(&random, 4)) {
            case 0:
                *at = 0;
                break;
            case 1:
                *at = 255;
                break;
            case 2:
                *at ^= (uint8_t)(1 << draw(&random, 8));
                break;
            default:
                *at = (uint8_t)draw(&random, 256);
            }
        }
        forge_seal_table(c.bytes, c.size);
        try_table(&c, &seen);
    }
    assert_true(seen.opened > (uint64_t)rounds / 8); /* the sums are right, so that this is not a test of sums */
    print_message("%llu forged contents, %llu refused when opened\n", (unsigned long long)seen.refused + seen.opened,
                  (unsigned long long)seen.refused);
    free(c.bytes);
    free(good.bytes);
}

/* ---- Tables of losses (version 1) ----------------------------------------------------------------------------------
 *
 * The only game that has them takes a minute to solve, so the whole file is forged: probabilities that somebody made
 * up, blocks that hold anything, a few of them what an encoder would write, and counts that add up. */

static void name_table(uint8_t *header, uint32_t version, const char *game, const char *rules, uint32_t block,
                       uint64_t positions) {
    memset(header, 0, KZ_TABLE_HEADER_BYTES);
    memcpy(header, KZ_TABLE_MAGIC, KZ_TABLE_MAGIC_BYTES);
    kz_store_le32(header + KZ_AT_VERSION, version);
    kz_store_le32(header + KZ_AT_BLOCK_SIZE, block);
    memcpy(header + KZ_AT_GAME, game, strlen(game));
    memcpy(header + KZ_AT_RULES, rules, strlen(rules));
    kz_store_le64(header + KZ_AT_POSITIONS, positions);
}

/* A model in which every context that `seed` likes knows a few symbols. */
static uint8_t *made_up_model(kz_model **model, size_t *size) {
    kz_model_counts *counts = calloc(1, sizeof *counts);
    assert_non_null(counts);
    kz_random random = {.state = 11};
    for (unsigned i = 0; i < KZ_LOST_CONTEXTS; i++) {
        counts->lost[i][0] = (uint32_t)draw(&random, 100);
        counts->lost[i][1] = (uint32_t)draw(&random, 100);
    }
    for (unsigned i = 0; i < KZ_DISTANCE_CONTEXTS; i += 1 + (unsigned)draw(&random, 20)) {
        for (uint64_t symbols = draw(&random, 30); symbols > 0; symbols--) {
            counts->distance[i][1 + draw(&random, 200)] = 1 + (uint32_t)draw(&random, 50);
        }
    }
    *model = kz_model_new(counts);
    free(counts);
    assert_non_null(*model);
    size_t raw_size;
    uint8_t *raw = kz_model_pack(*model, &raw_size);
    uint8_t *packed = raw ? kz_pack(raw, raw_size, 3, size) : NULL;
    assert_non_null(packed);
    free(raw);
    return packed;
}

/* What an encoder writes for a block of random losses, with `places` places a block. */
static size_t honest_block(const kz_model *model, const kz_dobutsu_planner *planner, uint64_t block, unsigned places,
                           uint8_t *bytes) {
    static kz_plan plan;
    static uint8_t losses[KZ_BLOCK_MOST];
    kz_random random = {.state = block};
    uint64_t first = block * places;
    unsigned count = KZ_DOBUTSU_INDEX_SIZE - first < places ? (unsigned)(KZ_DOBUTSU_INDEX_SIZE - first) : places;
    kz_dobutsu_plan(planner, first, count, &plan);
    for (unsigned i = 0; i < count; i++) {
        losses[i] = plan.feature[i] == KZ_PLAN_SKIP || draw(&random, 2) ? 0 : (uint8_t)(1 + draw(&random, 250));
    }
    return forge_block(model, &plan, losses, count, bytes);
}

/* Blocks of `places` places. One block of `every` is what an encoder would write; of the others there is the state of
 * the coder alone. */
static content forged_losses(uint64_t every, unsigned places) {
    const size_t blocks = (KZ_DOBUTSU_INDEX_SIZE + places - 1) / places;
    size_t model_bytes;
    kz_model *model;
    uint8_t *packed = made_up_model(&model, &model_bytes);
    kz_dobutsu_space *space = kz_dobutsu_space_new_small();
    kz_dobutsu_planner *planner = malloc(sizeof *planner);
    assert_true(space && planner);
    kz_dobutsu_planner_fill(planner, space, KZ_DOBUTSU_OFFICIAL);
    size_t before = KZ_TABLE_HEADER_BYTES + KZ_COUNT_BYTES + model_bytes + blocks * KZ_INDEX_BYTES;
    content c = {calloc(1, before + blocks * KZ_STATE_BYTES + (blocks / every + 1) * KZ_BLOCK_BYTES_MOST), before};
    assert_non_null(c.bytes);
    name_table(c.bytes, KZ_TABLE_VERSION_LOSSES, "dobutsu", "official", places, KZ_DOBUTSU_INDEX_SIZE);
    uint8_t *counts = c.bytes + KZ_TABLE_HEADER_BYTES;
    counts[KZ_COUNT_OUTCOME] = KZ_DRAW;
    kz_store_le64(counts + KZ_COUNT_NUMBER, KZ_DOBUTSU_INDEX_SIZE);
    memcpy(counts + KZ_COUNT_BYTES, packed, model_bytes);
    for (uint64_t block = 0; block < blocks; block++) {
        size_t size = KZ_STATE_BYTES;
        if (block % every == 0 && places <= KZ_BLOCK_MOST) { /* no coder has room for more */
            size = honest_block(model, planner, block, places, c.bytes + c.size);
        } else {
            kz_store_le32(c.bytes + c.size, (uint32_t)(KZ_LOWEST_STATE + block * 7919));
        }
        kz_store_le16(c.bytes + before - (blocks - block) * KZ_INDEX_BYTES, (uint16_t)size);
        c.size += size;
    }
    kz_store_le64(c.bytes + KZ_AT_FILE_BYTES, c.size);
    kz_store_le32(c.bytes + KZ_AT_COUNTS_BYTES, KZ_COUNT_BYTES);
    kz_store_le32(c.bytes + KZ_AT_MODEL_BYTES, (uint32_t)model_bytes);
    kz_store_le32(c.bytes + KZ_AT_INDEX_BYTES, (uint32_t)(blocks * KZ_INDEX_BYTES));
    forge_seal_table(c.bytes, c.size);
    free(packed);
    free(planner);
    kz_model_free(model);
    kz_dobutsu_space_free(space);
    return c;
}

/* Changes a few bytes of one section, from `begin` on. */
static void change_some(kz_random *random, uint8_t *begin, size_t length) {
    for (uint64_t changes = 1 + draw(random, 8); changes > 0 && length > 0; changes--) {
        uint8_t *at = begin + draw(random, length);
        *at = (uint8_t)(draw(random, 2) ? draw(random, 256) : *at ^ (uint64_t)1 << draw(random, 8));
    }
}

/* Packs the probabilities again after a change, so that the change gets past the compression; a content of its own. */
static content with_changed_model(const content *good, kz_random *random) {
    size_t at = KZ_TABLE_HEADER_BYTES + kz_load_le32(good->bytes + KZ_AT_COUNTS_BYTES);
    size_t length = kz_load_le32(good->bytes + KZ_AT_MODEL_BYTES);
    uint64_t raw_size;
    assert_true(kz_unpacked_size(good->bytes + at, length, &raw_size));
    uint8_t *raw = malloc((size_t)raw_size);
    assert_non_null(raw);
    assert_int_equal(kz_unpack(good->bytes + at, length, raw, (size_t)raw_size), KZ_OK);
    /* The numbers at its beginning matter more than their share of the bytes. */
    change_some(random, raw, draw(random, 3) ? (size_t)raw_size : 64);
    size_t packed_size;
    uint8_t *packed = kz_pack(raw, (size_t)raw_size - (size_t)draw(random, 2), 1, &packed_size);
    assert_non_null(packed);
    content c = {malloc(good->size - length + packed_size), good->size - length + packed_size};
    assert_non_null(c.bytes);
    memcpy(c.bytes, good->bytes, at);
    memcpy(c.bytes + at, packed, packed_size);
    memcpy(c.bytes + at + packed_size, good->bytes + at + length, good->size - at - length);
    kz_store_le32(c.bytes + KZ_AT_MODEL_BYTES, (uint32_t)packed_size);
    kz_store_le64(c.bytes + KZ_AT_FILE_BYTES, c.size);
    free(packed);
    free(raw);
    return c;
}

/* Any change to any section, sealed; `game` is what the table is opened as. */
static cases attack_table(const kz_game *game, const content *good, int rounds, uint64_t seed) {
    size_t begin[5] = {KZ_TABLE_HEADER_BYTES};
    begin[1] = begin[0] + kz_load_le32(good->bytes + KZ_AT_COUNTS_BYTES);
    begin[2] = begin[1] + kz_load_le32(good->bytes + KZ_AT_MODEL_BYTES);
    begin[3] = begin[2] + kz_load_le32(good->bytes + KZ_AT_INDEX_BYTES);
    begin[4] = good->size;
    kz_random random = {.state = seed};
    cases seen = {0};
    for (int round = 0; round < rounds; round++) {
        content c;
        if (round % 5 == 4) {
            c = with_changed_model(good, &random);
        } else {
            int section = round % 5;
            c = (content){malloc(good->size), good->size};
            assert_non_null(c.bytes);
            memcpy(c.bytes, good->bytes, good->size);
            change_some(&random, c.bytes + begin[section], begin[section + 1] - begin[section]);
        }
        forge_seal_table(c.bytes, c.size);
        try_table_of(game, &c, &seen);
        free(c.bytes);
    }
    return seen;
}

/* Every number of the header that follows from the game or from the file. */
static void attack_header(const kz_game *game, const content *good) {
    static const int fields[] = {KZ_AT_BLOCK_SIZE,  KZ_AT_COUNTS_BYTES, KZ_AT_MODEL_BYTES,
                                 KZ_AT_INDEX_BYTES, KZ_AT_POSITIONS,    KZ_AT_FILE_BYTES};
    cases seen = {0};
    content c = {malloc(good->size), good->size};
    assert_non_null(c.bytes);
    uint64_t forged = 0;
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
        for (int n = 0; n < FORGE_NUMBERS; n += FEWER) {
            memcpy(c.bytes, good->bytes, good->size);
            uint8_t *field = c.bytes + fields[f];
            kz_store_le32(field, (uint32_t)forge_number(kz_load_le32(field), n, good->size));
            if (memcmp(c.bytes, good->bytes, good->size) != 0) {
                forge_seal_table(c.bytes, c.size);
                try_table_of(game, &c, &seen);
                forged++;
            }
        }
    }
    assert_true(forged > 0);
    assert_int_equal(seen.refused, forged);
    free(c.bytes);
}

enum { EVERY = 4000 };

/* What an encoder wrote is read, and what none wrote is not. */
static void reads_losses(content *good, unsigned places) {
    kz_table *table;
    kz_error error;
    kz_byte_source bytes = {.size = good->size, .get = get, .user = good};
    uint8_t losses[KZ_BLOCK_MOST];
    cases seen = {0};
    try_table(good, &seen);
    assert_int_equal(seen.opened, 1);
    assert_int_equal(kz_table_open_bytes("forged", &bytes, &table, &error), KZ_OK);
    uint64_t honest = (uint64_t)EVERY * places;
    assert_int_equal(kz_table_read(table, honest, places, losses, &error), KZ_OK);
    assert_int_equal(kz_table_read(table, honest + places, places, losses, &error), KZ_ERR_CORRUPT);
    kz_table_close(table);
}

/* Tables that were made before have larger blocks; sizes that none has are refused. */
TEST(test_block_sizes) {
    static const unsigned sizes[] = {KZ_BLOCK_LEAST, 1000, KZ_BLOCK_MOST};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        content good = forged_losses(EVERY, sizes[i]);
        reads_losses(&good, sizes[i]);
        free(good.bytes);
    }
    static const unsigned odd_sizes[] = {KZ_BLOCK_LEAST - 1, KZ_BLOCK_MOST + 1};
    for (size_t i = 0; i < sizeof odd_sizes / sizeof odd_sizes[0]; i++) {
        cases seen = {0};
        content odd = forged_losses(EVERY, odd_sizes[i]);
        try_table(&odd, &seen);
        assert_int_equal(seen.refused, 1);
        free(odd.bytes);
    }
}

TEST(test_losses) {
    const int rounds = random_cases(30);
    content good = forged_losses(EVERY, KZ_BLOCK_POSITIONS);
    cases seen;
    reads_losses(&good, KZ_BLOCK_POSITIONS);
    attack_header(NULL, &good);
    seen = attack_table(NULL, &good, rounds, 21);
    assert_true(seen.opened > 0 && seen.refused > 0);
    free(good.bytes);
}

/* ---- Tables of any game (version 3) ------------------------------------------------------------------------------ */

TEST(test_any_game) {
    const int rounds = random_cases(300);
    const kz_game *game = NULL;
    kz_summary summary;
    kz_error error;
    kz_solve_options options = {.threads = 1};
    assert_int_equal(kz_game_open(own_game(), &game, &error), KZ_OK);
    assert_int_equal(kz_solve(game, 0, "any.kzt", &options, &summary, &error), KZ_OK);
    content good = needed_content("any.kzt");
    assert_int_equal(kz_load_le32(good.bytes + KZ_AT_VERSION), KZ_TABLE_VERSION_ANY);
    content copy = {malloc(good.size), good.size};
    assert_non_null(copy.bytes);
    memcpy(copy.bytes, good.bytes, good.size);
    forge_seal_table(copy.bytes, copy.size);
    assert_memory_equal(copy.bytes, good.bytes, good.size);
    free(copy.bytes);
    attack_header(game, &good);
    cases seen = attack_table(game, &good, rounds, 22);
    assert_true(seen.opened > (uint64_t)rounds / 8 && seen.refused > 0);
    free(good.bytes);
    kz_game_close(game);
}

/* ---- Phases ------------------------------------------------------------------------------------------------------ */

static kz_status read_phase(const kz_phase_facts *facts, uint8_t *marks, size_t rows, kz_error *error) {
    kz_phase_file file;
    kz_status status = kz_phase_open(&file, "forged.kzp", facts, error);
    if (status != KZ_OK) {
        return status;
    }
    for (uint64_t page = 0; status == KZ_OK && page < facts->pages; page++) {
        status = kz_phase_has(&file, page) ? kz_phase_marks(&file, page, rows, marks, error) : KZ_OK;
    }
    kz_phase_close(&file);
    return status;
}

TEST(test_phases) {
    enum { ROWS = 1 << 16 };
    const int rounds = random_cases(1500);
    const int solves = random_cases(40);
    static const int fields[] = {8, 12, 48, 56, 64, 72, 80, 88, 96, 104};
    content table = solved("phases.kzt", "corridor", true);
    content good = needed_content("phases.kzt.work/phase-002.kzp");
    content c = {malloc(good.size), good.size};
    uint8_t *marks = malloc(ROWS);
    assert_true(c.bytes && marks);
    kz_phase_facts facts = {.game = "pushfight", .rules = "corridor", .phase = 2};
    facts.slices = kz_load_le64(good.bytes + 48);
    facts.pages = kz_load_le64(good.bytes + 72);
    kz_random random = {.state = 2};
    memcpy(c.bytes, good.bytes, good.size);
    memset(c.bytes + 112, 0, 16);
    forge_seal_phase(c.bytes, c.size);
    assert_memory_equal(c.bytes, good.bytes, good.size);

    for (int round = 0; round < rounds; round++) {
        memcpy(c.bytes, good.bytes, good.size);
        if (round < (int)(sizeof fields / sizeof fields[0]) * FORGE_NUMBERS) {
            uint8_t *field = c.bytes + fields[round / FORGE_NUMBERS];
            kz_store_le64(field, forge_number(kz_load_le64(field), round % FORGE_NUMBERS, good.size));
        } else {
            for (uint64_t changes = 1 + draw(&random, 6); changes > 0; changes--) {
                c.bytes[128 + draw(&random, good.size - 128)] = (uint8_t)draw(&random, 256);
            }
        }
        forge_seal_phase(c.bytes, c.size);
        put_content("forged.kzp", c.bytes, c.size);
        kz_error error = {KZ_OK, ""};
        largest = 0;
        assert_defined(read_phase(&facts, marks, ROWS, &error), &error);
        assert_modest(c.size);
        /* And a solve that goes on from it: it is refused, or comes to an end. */
        if (round % (rounds / solves) == 0) {
            const kz_game *game = kz_game_find("pushfight");
            kz_solve_options options = {.threads = 1, .replace = true, .keep_work = true};
            kz_summary summary;
            put_content("phases.kzt.work/phase-002.kzp", c.bytes, c.size);
            assert_defined(kz_solve(game, kz_rules_find(game, "corridor"), "phases.kzt", &options, &summary, &error),
                           &error);
            put_content("phases.kzt.work/phase-002.kzp", good.bytes, good.size);
        }
    }
    free(marks);
    free(c.bytes);
    free(good.bytes);
    free(table.bytes);
}

/* ---- Checkpoints: of a game that is made up ---------------------------------------------------------------------- */

enum { PLACES = 100, CHUNK = 16, CHUNKS = (PLACES + CHUNK - 1) / CHUNK };

typedef struct made_up {
    uint8_t state[PLACES];
    int distance;
} made_up;

static size_t made_up_save(const void *context, uint64_t begin, uint64_t end, uint8_t *bytes) {
    const made_up *m = context;
    assert_true(begin <= end && end <= PLACES);
    memcpy(bytes, m->state + begin, (size_t)(end - begin));
    return (size_t)(end - begin);
}

static bool made_up_load(void *context, int n, uint64_t begin, uint64_t end, const uint8_t *bytes, size_t size) {
    made_up *m = context;
    assert_true(begin <= end && end <= PLACES);
    m->distance = n;
    memcpy(m->state + begin, bytes, size == end - begin ? size : 0);
    return size == end - begin;
}

static kz_checkpoint_state made_up_state(made_up *m) {
    return (kz_checkpoint_state){"made-up", "one", PLACES, CHUNK, CHUNK, m, made_up_save, made_up_load};
}

TEST(test_checkpoints) {
    const int rounds = random_cases(2000);
    static const int fields[] = {8, 12, 48, 56, 64, 72, 80, 104};
    const kz_checkpoint checkpoint = {.distance = 5, .open = 80, .sources = 40};
    kz_pool *pool = kz_pool_new(1, NULL);
    made_up solver = {.distance = 5};
    for (int i = 0; i < PLACES; i++) {
        solver.state[i] = (uint8_t)(i * 7);
    }
    assert_int_equal(mkdir("work", 0700), 0);
    const kz_checkpoint_state saved = made_up_state(&solver);
    assert_int_equal(kz_checkpoint_write(&checkpoint, &saved, "work", pool, NULL, NULL), KZ_OK);
    content good = needed_content("work/checkpoint.kzr");
    content c = {malloc(good.size), good.size};
    assert_non_null(c.bytes);
    memcpy(c.bytes, good.bytes, good.size);
    memset(c.bytes + 112, 0, 16);
    forge_seal_checkpoint(c.bytes, c.size, CHUNKS);
    assert_memory_equal(c.bytes, good.bytes, good.size);
    kz_random random = {.state = 3};
    uint64_t read = 0;
    for (int round = 0; round < rounds; round++) {
        memcpy(c.bytes, good.bytes, good.size);
        uint8_t *entry = c.bytes + 128 + 16 * draw(&random, CHUNKS);
        uint8_t *other = c.bytes + 128 + 16 * draw(&random, CHUNKS);
        int field = round / FORGE_NUMBERS;
        if (field < (int)(sizeof fields / sizeof fields[0])) {
            uint8_t *at = c.bytes + fields[field];
            kz_store_le64(at, forge_number(kz_load_le64(at), round % FORGE_NUMBERS, good.size));
        } else if (round % 4 == 0) { /* parts that overlap */
            memcpy(entry, other, 12);
        } else if (round % 4 == 1) { /* elsewhere: in the header, past the end */
            kz_store_le64(entry, forge_number(kz_load_le64(entry), (int)draw(&random, FORGE_NUMBERS), good.size));
        } else if (round % 4 == 2) { /* longer or shorter */
            kz_store_le32(entry + 8, (uint32_t)forge_number(kz_load_le32(entry + 8), (int)draw(&random, FORGE_NUMBERS),
                                                            good.size));
        } else {
            c.bytes[128 + draw(&random, good.size - 128)] = (uint8_t)draw(&random, 256);
        }
        forge_seal_checkpoint(c.bytes, c.size, CHUNKS);
        put_content("work/checkpoint.kzr", c.bytes, c.size);
        kz_checkpoint back = {.distance = 0};
        made_up loaded = {.distance = 0};
        const kz_checkpoint_state place = made_up_state(&loaded);
        kz_error error = {KZ_OK, ""};
        bool found = false;
        largest = 0;
        kz_status status = kz_checkpoint_read(&back, &place, "work", pool, NULL, &found, &error);
        assert_defined(status, &error);
        assert_modest(c.size);
        read += status == KZ_OK;
    }
    assert_true(read > 0 && read < (uint64_t)rounds);
    kz_pool_free(pool);
    free(c.bytes);
    free(good.bytes);
}

/* ---- States of conversions --------------------------------------------------------------------------------------- */

enum { RECORDS = 5000 };

static kz_status convert(bool resume, const kz_progress *progress, kz_error *error) {
    kz_shogi_source from = {.path = "many.psv", .record = KZ_SHOGI_RECORD_PSV, .dialect = KZ_SHOGI_DIALECTS};
    kz_shogi_target to = {.path = "out.hcpe", .record = KZ_SHOGI_RECORD_HCPE, .dialect = KZ_SHOGI_DIALECTS};
    kz_shogi_file_options options = {.threads = 1, .resume = resume, .checkpoint_seconds = 1e-9};
    kz_shogi_file_report report;
    return kz_shogi_convert(&from, &to, &options, progress, &report, error);
}

static bool stop_soon(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)user;
    (void)stage;
    return done < total / 3;
}

TEST(test_conversions) {
    static const char start[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    kz_shogi_position position;
    uint8_t *records = calloc(RECORDS, 40);
    assert_non_null(records);
    assert_int_equal(kz_shogi_parse_sfen(start, strlen(start), &position, NULL, NULL), KZ_OK);
    for (int i = 0; i < RECORDS; i++) {
        assert_int_equal(kz_shogi_codec_for(KZ_SHOGI_PSFEN, NULL)->pack(&position, records + (ptrdiff_t)40 * i),
                         KZ_SHOGI_FINE);
    }
    put_content("many.psv", records, (size_t)40 * RECORDS);
    free(records);
    kz_error error;
    kz_progress progress = {.report = stop_soon};
    assert_int_equal(convert(false, &progress, &error), KZ_ERR_CANCELLED);
    content good = needed_content("out.hcpe.part.state");
    content part = needed_content("out.hcpe.part");
    content c = {malloc(good.size), good.size};
    assert_non_null(c.bytes);
    memcpy(c.bytes, good.bytes, good.size);
    forge_seal_state(c.bytes, c.size);
    assert_memory_equal(c.bytes, good.bytes, good.size);
    for (size_t at = 0; at + 8 <= good.size; at += 8) {
        for (int n = 0; n < FORGE_NUMBERS; n++) {
            memcpy(c.bytes, good.bytes, good.size);
            kz_store_le64(c.bytes + at, forge_number(kz_load_le64(c.bytes + at), n, part.size));
            forge_seal_state(c.bytes, c.size);
            put_content("out.hcpe.part", part.bytes, part.size);
            put_content("out.hcpe.part.state", c.bytes, c.size);
            largest = 0;
            kz_status status = convert(true, NULL, &error);
            /* A place past the end looks like a source that has become shorter. */
            assert_true(status != KZ_ERR_IO || strstr(error.message, "many.psv") || strstr(error.message, "out.hcpe"));
            assert_defined(status == KZ_ERR_IO ? KZ_OK : status, &error);
            assert_modest((size_t)40 * RECORDS);
            if (status == KZ_OK) { /* no more than there was, and all of it whole records */
                content out = needed_content("out.hcpe");
                assert_true(out.size <= part.size + (size_t)38 * RECORDS);
                free(out.bytes);
                assert_int_equal(unlink("out.hcpe"), 0);
            } else {
                assert_int_equal(access("out.hcpe", F_OK), -1);
            }
        }
    }
    free(c.bytes);
    free(part.bytes);
    free(good.bytes);
}

TESTS(NULL, NULL)
