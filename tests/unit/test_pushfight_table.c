/* SPDX-License-Identifier: MIT
 *
 * Tables of all values, on small boards and with made-up values: what goes in comes out, from any number of threads,
 * and damage is seen. What the rules tell about runs is compared with the plain rules. */
#include "tests/support/forge.h"
#include "tests/support/pushfight_testing.h"

#include "base/bits.h"
#include "games/pushfight/check/plain.h"
#include "games/pushfight/index/permutation.h"
#include "games/pushfight/table/values.h"
#include "table/format.h"
#include "table/reader.h"
#include "table/writer.h"

#include <fcntl.h>
#include <unistd.h>

static const char path[] = "made-up.kzt";

static int board_number(const char *name) { return kz_rules_find(game(), name); }

/* ---- Won runs ---------------------------------------------------------------------------------------------------- */

static bool sees_win(void *context, const kz_pf_plain_turn *turn, const uint8_t *next) {
    (void)turn;
    bool *wins = context;
    *wins = !next;
    return next;
}

static bool plainly_won(const kz_pf_plain *plain, const kz_pf_position *position) {
    uint8_t codes[KZ_PF_MOST_SQUARES];
    bool wins = false;
    kz_pf_codes(position, codes);
    kz_pf_plain_turns(plain, codes, sees_win, &wins);
    return wins;
}

/* Runs of some pairs of a board, one sigma each: whether it exists and is won is not a matter of sigma. */
static void check_runs(int number, uint64_t first, uint64_t step, uint64_t *seed) {
    kz_pf_space *space;
    kz_pf_plain *plain;
    static kz_pf_won_tables tables;
    assert_int_equal(kz_pf_space_open(kz_pf_board_at(number), &space, NULL), KZ_OK);
    assert_int_equal(kz_pf_plain_open(kz_pf_board_at(number), &plain, NULL), KZ_OK);
    kz_pf_won_tables_fill(&tables, space);
    unsigned sigmas = (unsigned)space->anchored_splits;
    unsigned runs = (unsigned)(space->pieces * space->splits);
    for (uint64_t pair = first; pair < space->pairs; pair += step) {
        kz_group_plan plan;
        kz_pf_group_plans(space, &tables, pair, 1, NULL, &plan);
        for (unsigned run = 0; run < runs; run++) {
            kz_pf_position position;
            bool exists = kz_pf_at(space, (pair * runs + run) * sigmas + next_random(seed) % sigmas, &position);
            assert_int_equal(plan.exists >> run & 1, exists);
            assert_int_equal(plan.won >> run & 1, exists && plainly_won(plain, &position));
        }
        assert_int_equal(plan.exists >> runs, 0);
        assert_int_equal(plan.won & ~plan.exists, 0);
    }
    kz_pf_plain_close(plain);
    kz_pf_space_close(space);
}

TEST(test_rows) {
    uint64_t seed = 26;
    check_runs(board_number("corridor"), 0, 1, &seed);
    check_runs(board_number("raft"), 5, 11, &seed);
    check_runs(board_number("hook"), 3, 17, &seed);
    check_runs(board_number("mini"), 1000, 9973, &seed);
    check_runs(board_number("twocolumn"), 123456, 99991, &seed);
    check_runs(board_number("standard"), 1234567, 19999999, &seed);
    check_runs(board_number("two-pushers"), 7654321, 49999999, &seed);
}

/* Neighbours come before the place, within its group, and differ in two roles of one side, or in the anchor. */
TEST(test_neighbours) {
    for (int number = 0; kz_pf_board_at(number); number++) {
        kz_pf_space *space;
        assert_int_equal(kz_pf_space_open(kz_pf_board_at(number), &space, NULL), KZ_OK);
        unsigned places = (unsigned)(space->lanes * space->splits);
        for (unsigned place = 0; place < places; place++) {
            kz_entry_plan plan;
            kz_pf_position here;
            kz_pf_offset_plan(space, place, &plan);
            kz_pf_at(space, place, &here);
            assert_true(plan.kind < KZ_ENTRY_KINDS);
            assert_true(plan.kind == place % (unsigned)(space->splits * space->anchored_splits));
            for (int k = 0; k < KZ_RUN_NEIGHBOURS; k++) {
                kz_pf_position other;
                if (!plan.back[k]) {
                    continue;
                }
                assert_true(plan.back[k] <= place);
                kz_pf_at(space, place - plan.back[k], &other);
                unsigned own = kz_popcount32(here.own_movers ^ other.own_movers);
                unsigned enemy = kz_popcount32(here.enemy_movers ^ other.enemy_movers);
                assert_int_equal(own + enemy, here.anchor == other.anchor ? 2 : 0);
                for (int before = 0; before < k; before++) {
                    assert_int_not_equal(plan.back[before], plan.back[k]);
                }
            }
        }
        kz_pf_space_close(space);
    }
}

/* ---- Made-up tables ---------------------------------------------------------------------------------------------- */

typedef struct fake {
    int rules;
    kz_shape shape;
    unsigned run;   /* entries of one */
    unsigned group; /* likewise */
    uint8_t *numbers;
    kz_histogram histogram;
    uint64_t positions;
    /* What goes wrong when it is read. */
    uint64_t failing_unit;
} fake;

enum { NO_UNIT = -1 };

static kz_status read_fake(void *context, int worker, uint64_t unit, uint8_t *numbers, kz_error *error) {
    const fake *f = context;
    (void)worker;
    if (unit >= f->failing_unit) {
        error->status = KZ_ERR_IO;
        snprintf(error->message, sizeof error->message, "unit %llu is gone", (unsigned long long)unit);
        return KZ_ERR_IO;
    }
    uint64_t left = f->shape.places - unit * f->shape.extent;
    memcpy(numbers, f->numbers + unit * f->shape.extent, left < f->shape.extent ? left : f->shape.extent);
    return KZ_OK;
}

/* How values are made up. */
typedef enum pattern {
    NOISE,  /* anything from 0 to 254 */
    LIKELY, /* few values, the same ones in many places */
    TIES,
    PATTERNS
} pattern;

static uint8_t made_up(pattern p, uint64_t index, uint64_t *seed) {
    uint64_t random = next_random(seed) >> 16;
    switch (p) {
    case NOISE:
        return (uint8_t)(random % KZ_NO_POSITION);
    case LIKELY:
        return (uint8_t)(random % 8 ? index / 97 % 5 + 3 : random / 8 % 40);
    default:
        return 0;
    }
}

static void count(fake *f, uint8_t number) {
    if (number == 0) {
        f->histogram.draws++;
    } else {
        *(number % 2 ? &f->histogram.losses[number - 1] : &f->histogram.wins[number - 1]) += 1;
    }
    f->positions++;
}

static kz_pf_values *open_values(int rules, kz_shape *shape) {
    void *self;
    assert_int_equal(kz_pushfight_kind.open(game(), rules, 0, 0, &self, shape, NULL), KZ_OK);
    return self;
}

static fake make_fake(const char *board, pattern p) {
    fake f = {.rules = board_number(board), .failing_unit = (uint64_t)NO_UNIT};
    uint64_t seed = 42 + (uint64_t)p;
    kz_pf_values *self = open_values(f.rules, &f.shape);
    f.run = self->layout.run;
    f.group = self->layout.group;
    assert_int_equal(f.shape.places, kz_index_size(game(), f.rules));
    f.numbers = malloc(f.shape.places);
    kz_group_plan *groups = calloc(f.shape.block / f.group, sizeof *groups);
    assert_non_null(f.numbers);
    assert_non_null(groups);
    for (uint64_t index = 0; index < f.shape.places; index++) {
        if (index % f.shape.block == 0) {
            kz_pf_plan_block(self, index / f.shape.block, NULL, groups);
        }
        const kz_group_plan *group = &groups[index % f.shape.block / f.group];
        unsigned run = (unsigned)(index % f.group / f.run);
        f.numbers[index] = !(group->exists >> run & 1) ? KZ_NO_POSITION
                           : group->won >> run & 1     ? KZ_WON_AT_ONCE
                                                       : made_up(p, index, &seed);
        if (f.numbers[index] != KZ_NO_POSITION) {
            count(&f, f.numbers[index]);
        }
    }
    free(groups);
    kz_pushfight_kind.close(self);
    return f;
}

static kz_status write_fake(fake *f, int threads, const char *to, const kz_progress *progress, kz_error *error) {
    uint64_t bytes;
    kz_pool *pool = kz_pool_new(threads, NULL);
    assert_non_null(pool);
    kz_source source = {.context = f, .read = read_fake};
    kz_status status =
        kz_table_write(game(), f->rules, &source, &f->histogram, pool, to, true, progress, &bytes, error);
    kz_pool_free(pool);
    return status;
}

static kz_table *opened(fake *f) {
    kz_error error;
    kz_table *table = NULL;
    must(write_fake(f, 2, path, NULL, &error), &error);
    must(kz_table_open(path, &table, &error), &error);
    return table;
}

static kz_value meaning(uint8_t number) {
    return number ? (kz_value){number % 2 ? KZ_LOSS : KZ_WIN, number - 1} : (kz_value){KZ_DRAW, 0};
}

/* Ranges that begin and end anywhere, and single positions. */
static void check_contents(const fake *f, const kz_table *table) {
    enum { LONGEST = 20000 };
    static uint8_t got[LONGEST];
    uint64_t seed = 7;
    uint8_t *all = malloc(f->shape.places);
    assert_non_null(all);
    assert_int_equal(kz_table_read(table, 0, f->shape.places, all, NULL),
                     KZ_OK); /* many blocks at once, if there are */
    assert_memory_equal(all, f->numbers, f->shape.places);
    free(all);
    for (int i = 0; i < 100; i++) {
        uint64_t first = next_random(&seed) % f->shape.places;
        uint64_t length = next_random(&seed) % LONGEST;
        length = length < f->shape.places - first ? length : f->shape.places - first;
        assert_int_equal(kz_table_read(table, first, length, got, NULL), KZ_OK);
        assert_memory_equal(got, f->numbers + first, length);
    }
    for (int i = 0; i < 2000; i++) {
        uint64_t index = next_random(&seed) % f->shape.places;
        kz_position position;
        kz_value value;
        uint8_t number;
        assert_int_equal(kz_table_lookup(table, index, &number, NULL), KZ_OK);
        assert_int_equal(number, f->numbers[index]);
        if (number != KZ_NO_POSITION) {
            kz_unrank(game(), f->rules, index, &position);
            assert_int_equal(kz_probe(table, &position, &value, NULL), KZ_OK);
            assert_int_equal(value.outcome, meaning(number).outcome);
            assert_int_equal(value.distance, meaning(number).distance);
        }
    }
}

static void check_counts(const fake *f, const kz_table *table) {
    kz_value value;
    uint64_t number;
    uint64_t sum = 0;
    for (size_t i = 0; kz_table_count(table, i, &value, &number); i++) {
        uint64_t expected = value.outcome == KZ_DRAW  ? f->histogram.draws
                            : value.outcome == KZ_WIN ? f->histogram.wins[value.distance]
                                                      : f->histogram.losses[value.distance];
        assert_int_equal(number, expected);
        sum += number;
    }
    assert_int_equal(sum, f->positions);
    assert_int_equal(kz_table_positions(table), f->positions);
}

TEST(test_round_trips) {
    static const char *const boards[] = {"corridor", "raft", "hook"};
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        for (pattern p = NOISE; p < PATTERNS; p++) {
            fake f = make_fake(boards[i], p);
            kz_table *table = opened(&f);
            assert_ptr_equal(kz_table_game(table), game());
            assert_int_equal(kz_table_rules(table), f.rules);
            assert_int_equal(kz_table_check(table, NULL, NULL), KZ_OK);
            check_counts(&f, table);
            check_contents(&f, table);
            kz_table_close(table);
            free(f.numbers);
        }
    }
    assert_int_equal(remove(path), 0);
}

/* Made-up values are none that follow from their successors, and so is what verification says. */
TEST(test_verification) {
    fake f = make_fake("corridor", LIKELY);
    kz_table *table = opened(&f);
    kz_verify_report report;
    kz_error error;
    assert_int_equal(kz_table_verify(table, 2, NULL, &report, &error), KZ_ERR_MISMATCH);
    assert_int_equal(report.positions, f.positions);
    assert_true(report.wrong > 0);
    assert_non_null(strstr(error.message, "do not follow from their successors"));
    kz_table_close(table);
    free(f.numbers);
    assert_int_equal(remove(path), 0);
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

TEST(test_same_bytes) {
    static const int threads[] = {1, 2, 7};
    fake f = make_fake("hook", LIKELY);
    assert_true(f.shape.places / f.shape.block >= KZ_VIEWS); /* enough to be decoded side by side */
    content expected = {NULL, 0};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        assert_int_equal(write_fake(&f, threads[i], path, NULL, NULL), KZ_OK);
        content again = needed_content(path);
        if (expected.bytes) {
            assert_int_equal(again.size, expected.size);
            assert_memory_equal(again.bytes, expected.bytes, expected.size);
            free(again.bytes);
        } else {
            expected = again;
        }
    }
    free(expected.bytes);
    free(f.numbers);
    assert_int_equal(remove(path), 0);
}

static bool stop_late(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)done;
    (void)total;
    return strcmp(stage, user) != 0;
}

static void assert_not_written(fake *f, const kz_progress *progress, kz_status expected, const char *reason) {
    kz_error error = {0};
    assert_int_equal(write_fake(f, 2, path, progress, &error), expected);
    if (!strstr(error.message, reason)) {
        fail_msg("\"%s\" does not say \"%s\"", error.message, reason);
    }
    assert_int_equal(access(path, F_OK), -1);
}

TEST(test_failures) {
    static char measuring[] = "measuring the table";
    static char compressing[] = "compressing the table";
    static char digesting[] = "taking the digest";
    fake f = make_fake("raft", LIKELY);
    kz_progress progress = {stop_late, measuring};
    assert_not_written(&f, &progress, KZ_ERR_CANCELLED, "");
    progress.user = compressing;
    assert_not_written(&f, &progress, KZ_ERR_CANCELLED, "");
    progress.user = digesting;
    assert_not_written(&f, &progress, KZ_ERR_CANCELLED, "");

    f.failing_unit = 0;
    assert_not_written(&f, NULL, KZ_ERR_IO, "unit 0 is gone");
    f.failing_unit = f.shape.places / f.shape.extent - 1;
    assert_not_written(&f, NULL, KZ_ERR_IO, "is gone");
    f.failing_unit = (uint64_t)NO_UNIT;

    /* What the rules say otherwise. */
    uint64_t index = 0;
    while (f.numbers[index] != KZ_WON_AT_ONCE) {
        index++;
    }
    f.numbers[index] = 5;
    assert_not_written(&f, NULL, KZ_ERR_MISMATCH, "not such as the rules allow");
    f.numbers[index] = KZ_NO_POSITION;
    assert_not_written(&f, NULL, KZ_ERR_MISMATCH, "not such as the rules allow");
    f.numbers[index] = KZ_WON_AT_ONCE;
    while (f.numbers[index] != KZ_NO_POSITION) {
        index++;
    }
    f.numbers[index] = 0;
    assert_not_written(&f, NULL, KZ_ERR_MISMATCH, "not such as the rules allow");
    f.numbers[index] = KZ_NO_POSITION;
    while (f.numbers[index] == KZ_NO_POSITION || f.numbers[index] == KZ_WON_AT_ONCE) {
        index++;
    }
    f.numbers[index] = KZ_NO_POSITION;
    assert_not_written(&f, NULL, KZ_ERR_MISMATCH, "not such as the rules allow");
    free(f.numbers);
}

/* ---- Damage ------------------------------------------------------------------------------------------------------ */

typedef struct victim {
    const fake *f;
    kz_table *table;
    int file;
    uint8_t *content;
    size_t size;
    size_t blocks_at;
} victim;

static size_t bytes_before_blocks(const uint8_t *header) {
    return KZ_TABLE_HEADER_BYTES + (size_t)kz_load_le32(header + KZ_AT_COUNTS_BYTES) +
           kz_load_le32(header + KZ_AT_MODEL_BYTES) + kz_load_le32(header + KZ_AT_INDEX_BYTES);
}

/* Open tables see it at once, as they map the file. */
static void put_byte(const victim *v, size_t at, uint8_t byte) {
    assert_int_equal(pwrite(v->file, &byte, 1, (off_t)at), 1);
}

/* Whatever is read is right or refused; something is refused. */
static void assert_seen(const victim *v) {
    uint64_t block = v->f->shape.block;
    uint8_t *got = malloc(block);
    assert_non_null(got);
    int refused = 0;
    for (uint64_t first = 0; first < v->f->shape.places; first += block) {
        kz_error error;
        kz_status status = kz_table_read(v->table, first, block, got, &error);
        if (status == KZ_OK) {
            assert_memory_equal(got, v->f->numbers + first, block);
        } else {
            assert_int_equal(status, KZ_ERR_CORRUPT);
            assert_non_null(strstr(error.message, path));
            refused++;
        }
    }
    assert_int_equal(refused, 1);
    assert_int_equal(kz_table_check(v->table, NULL, NULL), KZ_ERR_CORRUPT);
    free(got);
}

static void assert_not_opened(void) {
    kz_table *table = NULL;
    kz_error error;
    assert_int_equal(kz_table_open(path, &table, &error), KZ_ERR_CORRUPT);
    assert_non_null(strstr(error.message, path));
    assert_null(table);
}

TEST(test_every_byte) {
    fake f = make_fake("corridor", NOISE);
    kz_table *table = opened(&f);
    content written = needed_content(path);
    victim v = {.f = &f, .table = table, .content = written.bytes, .size = written.size, .file = open(path, O_RDWR)};
    assert_true(v.file >= 0);
    v.blocks_at = bytes_before_blocks(v.content);
    uint64_t seed = 11;
    for (size_t at = 0; at < v.size; at++) {
        put_byte(&v, at, (uint8_t)(v.content[at] ^ (1 + next_random(&seed) % 255)));
        if (at < v.blocks_at) {
            assert_not_opened();
        } else {
            assert_seen(&v);
        }
        put_byte(&v, at, v.content[at]);
    }
    assert_int_equal(kz_table_check(v.table, NULL, NULL), KZ_OK);
    kz_table_close(v.table);
    for (size_t size = v.size; size-- > 0;) {
        assert_int_equal(ftruncate(v.file, (off_t)size), 0);
        if (size % 16 == 0 || size < 300) {
            assert_not_opened();
        }
    }
    close(v.file);
    free(v.content);
    free(f.numbers);
    assert_int_equal(remove(path), 0);
}

/* ---- Coded blocks ------------------------------------------------------------------------------------------------ */

/* Whatever the bytes are, decoding comes to an end within them. */
TEST(test_damaged_blocks) {
    fake f = make_fake("hook", LIKELY);
    kz_shape shape;
    kz_pf_values *self = open_values(f.rules, &shape);
    const kz_encoder *encoder = kz_pushfight_kind.encoder;
    kz_source source = {.context = &f, .read = read_fake};
    kz_tally tally = {.counts = calloc(1, encoder->counts_bytes)};
    uint64_t seed = 13;
    uint64_t blocks = kz_shape_blocks(&shape);
    uint64_t extent_blocks = shape.extent / shape.block;
    void *memory = encoder->new_memory(self);
    void *scratch = malloc(shape.scratch_bytes);
    assert_true(memory && scratch && tally.counts);
    kz_lock_open(&tally.lock);
    for (uint64_t block = 0; block < blocks; block += extent_blocks) {
        uint64_t wrong;
        assert_int_equal(encoder->read(memory, &source, 0, block / extent_blocks, 0, NULL), KZ_OK);
        assert_true(encoder->count(self, memory, (kz_extent){block, block + extent_blocks}, &tally, &wrong));
    }
    assert_true(encoder->learn(self, tally.counts));
    uint8_t *bytes = malloc(encoder->most_bytes(self));
    uint8_t *got = malloc(f.shape.block);
    assert_non_null(bytes);
    assert_non_null(got);
    for (int i = 0; i < 3000; i++) {
        uint64_t block = next_random(&seed) % blocks; /* NOLINT(clang-analyzer-core.DivideZero): there are some */
        uint64_t first = block / extent_blocks * extent_blocks;
        const uint8_t *numbers = f.numbers + block * f.shape.block;
        size_t sizes[2] = {1, 1};
        assert_int_equal(encoder->read(memory, &source, 0, block / extent_blocks, 0, NULL), KZ_OK);
        for (uint64_t at = first; at <= block; at++) {
            assert_int_equal(encoder->encode(self, memory, (kz_extent){at, first + extent_blocks}, bytes, sizes), 1);
        }
        size_t size = sizes[0];
        assert_true(size >= KZ_STATE_BYTES && size <= encoder->most_bytes(self));
        assert_true(kz_pushfight_kind.decode(self, scratch, block, shape.block, bytes, size, got));
        assert_memory_equal(got, numbers, f.shape.block);
        if (i % 2) {
            bytes[next_random(&seed) % size] ^= (uint8_t)(1 + next_random(&seed) % 255);
        } else {
            size = next_random(&seed) % size;
        }
        uint8_t *copy = malloc(size ? size : 1); /* of the exact size, so that a sanitizer sees what is read past it */
        assert_non_null(copy);
        memcpy(copy, bytes, size);
        bool whole = kz_pushfight_kind.decode(self, scratch, block, shape.block, copy, size, got);
        assert_false(whole && memcmp(got, numbers, f.shape.block) == 0);
        free(copy);
    }
    free(got);
    free(bytes);
    free(scratch);
    free(tally.counts);
    kz_lock_close(&tally.lock);
    encoder->free_memory(memory);
    kz_pushfight_kind.close(self);
    free(f.numbers);
}

/* ---- Open runs alone --------------------------------------------------------------------------------------------- */

/* The same values as a fake has, as a source has them that knows open runs only. */
typedef struct open_fake {
    fake *f;
    uint64_t *won;   /* by group */
    uint64_t *first; /* by extent: its first run */
    uint64_t *runs;
} open_fake;

static kz_status read_open_fake(void *context, int worker, uint64_t extent, kz_open_runs *open, kz_error *error) {
    const open_fake *o = context;
    (void)worker;
    (void)error;
    uint64_t groups = o->f->shape.extent / o->f->group;
    *open =
        (kz_open_runs){o->won + extent * groups, o->runs + o->first[extent], o->first[extent + 1] - o->first[extent]};
    return KZ_OK;
}

static open_fake make_open(fake *f) {
    kz_shape shape;
    kz_pf_values *self = open_values(f->rules, &shape);
    uint64_t groups = f->shape.places / f->group;
    uint64_t extents = f->shape.places / f->shape.extent;
    unsigned group_runs = f->group / f->run;
    open_fake o = {f, calloc(groups, sizeof *o.won), calloc(extents + 1, sizeof *o.first),
                   calloc(groups * group_runs, sizeof *o.runs)};
    assert_true(o.won && o.first && o.runs);
    assert_int_equal(f->shape.places % f->shape.extent, 0);
    uint64_t runs = 0;
    for (uint64_t group = 0; group < groups; group++) {
        kz_group_plan plan;
        kz_pf_group_plans(self->space, &self->won, group, 1, NULL, &plan);
        o.won[group] = plan.won | (group % 2 ? ~plan.exists : 0); /* what does not exist does not matter */
        for (unsigned run = 0; run < group_runs; run++) {
            if ((plan.exists & ~plan.won) >> run & 1) {
                uint8_t bytes[8] = {0, 1, 2, 3, 4, 5, 6, 255}; /* those beyond the run don't matter */
                memcpy(bytes, f->numbers + group * f->group + (uint64_t)run * f->run, f->run);
                o.runs[runs++] = kz_load_le64(bytes);
            }
        }
        o.first[group * f->group / f->shape.extent + 1] = runs;
    }
    kz_pushfight_kind.close(self);
    return o;
}

static kz_status write_open(open_fake *o, kz_error *error) {
    uint64_t bytes;
    kz_pool *pool = kz_pool_new(3, NULL);
    assert_non_null(pool);
    kz_source source = {.context = o, .read_open = read_open_fake};
    kz_status status =
        kz_table_write(game(), o->f->rules, &source, &o->f->histogram, pool, path, true, NULL, &bytes, error);
    kz_pool_free(pool);
    return status;
}

static void fails_to_write(open_fake *o) {
    kz_error error;
    assert_int_equal(write_open(o, &error), KZ_ERR_MISMATCH);
    assert_non_null(strstr(error.message, "are not such as the rules allow"));
    assert_int_equal(access(path, F_OK), -1);
}

TEST(test_open_runs) {
    fake f = make_fake("hook", LIKELY);
    open_fake o = make_open(&f);
    uint64_t extents = f.shape.places / f.shape.extent;
    assert_int_equal(write_fake(&f, 2, path, NULL, NULL), KZ_OK);
    content expected = needed_content(path);
    assert_int_equal(write_open(&o, NULL), KZ_OK);
    content again = needed_content(path);
    assert_int_equal(again.size, expected.size);
    assert_memory_equal(again.bytes, expected.bytes, expected.size);
    assert_int_equal(remove(path), 0);
    /* A value that is none, a run too few, a run too many, and a win at once that is none. */
    uint64_t middle = o.first[extents] / 2;
    uint64_t kept = o.runs[middle];
    o.runs[middle] |= 255;
    fails_to_write(&o);
    o.runs[middle] = kept;
    o.first[extents]--;
    fails_to_write(&o);
    o.first[extents] += 2;
    fails_to_write(&o);
    o.first[extents]--;
    uint64_t group = 0; /* an even one: their bits are all of runs that exist */
    while (!(o.won[group] & 1)) {
        group += 2;
    }
    o.won[group] ^= 1;
    fails_to_write(&o);
    free(expected.bytes);
    free(again.bytes);
    free(o.won);
    free(o.first);
    free(o.runs);
    free(f.numbers);
}

TESTS(NULL, NULL)
