/* SPDX-License-Identifier: MIT
 *
 * The pipeline against a plain twin: all records in memory, duplicates found by sorting the SFENs of their positions,
 * the order by sorting hashes. Every way to say what a duplicate is and which one is kept, at several numbers of
 * threads, with little memory and much. */
#include "shogi/tests/support/shogi_bytes.h"

#include "base/hash.h"
#include "shogi/src/pipeline/item.h"
#include "shogi/tests/support/shogi_random.h"

#include <fcntl.h>
#include <kanzen/shogi_pipeline.h>

enum { PSV_BYTES = 40, COUNT = 30000, SEED = 7 };

/* A record as the twin sees it. */
struct record {
    char key[KZ_SHOGI_SFEN_BYTES + 8]; /* the SFEN, and the move if it counts */
    kz_shogi_position position;
    kz_shogi_note note;
    size_t index;
    uint64_t place;
    bool dropped;
};

static struct record *records;
static size_t record_count;

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static uint8_t *get_bytes(const char *path, size_t *size) {
    struct buffer file = read_file(path);
    *size = file.size;
    return file.bytes;
}

static void write_psv_record(const struct record *record, uint8_t *bytes) {
    assert_int_equal(kz_shogi_codec_for(KZ_SHOGI_PSFEN, "plain")->pack(&record->position, bytes), KZ_SHOGI_FINE);
    kz_shogi_write_note(KZ_SHOGI_RECORD_PSV, KZ_SHOGI_YANEURAOU, &record->note, (kz_shogi_side)record->position.side,
                        bytes);
}

static void write_psv(const char *path, size_t begin, size_t end) {
    uint8_t *bytes = malloc((end - begin) * PSV_BYTES + 1);
    assert_non_null(bytes);
    for (size_t i = begin; i < end; i++) {
        write_psv_record(&records[i], bytes + (i - begin) * PSV_BYTES);
    }
    put_file(path, bytes, (end - begin) * PSV_BYTES);
    free(bytes);
}

static void remove_outputs(void) { (void)!system("rm -rf out.* out-* held.* held-*"); }

/* ---- Samples ----------------------------------------------------------------------------------------------------- */

/* Games at random that begin alike, so that positions meet; every third record is a copy of an earlier one with another
 * score, and sometimes another move. */
static void make_records(size_t count) {
    shogi_walker walker = {.state = 99};
    records = calloc(count, sizeof *records);
    assert_non_null(records);
    record_count = count;
    for (size_t i = 0; i < count; i++) {
        struct record *record = &records[i];
        kz_shogi_move moves[KZ_SHOGI_MOST_MOVES];
        if (i % 3 == 2) {
            record->position = records[shogi_random_below(&walker.state, (unsigned)i)].position;
        } else {
            record->position = *shogi_walk(&walker);
        }
        size_t choices = kz_shogi_moves(&record->position, moves);
        record->index = i;
        record->note = (kz_shogi_note){
            .score = (int16_t)((int)shogi_random_below(&walker.state, 200) - 100),
            .ply = (uint16_t)(1 + i % 300),
            .result = (int8_t)((int)shogi_random_below(&walker.state, 3) - 1),
            .extra = (uint8_t)shogi_random_below(&walker.state, 2),
            .has = KZ_SHOGI_HAS_SCORE | KZ_SHOGI_HAS_MOVE | KZ_SHOGI_HAS_PLY | KZ_SHOGI_HAS_RESULT | KZ_SHOGI_HAS_EXTRA,
        };
        record->note.move = choices > 0 ? moves[shogi_random_below(&walker.state, choices < 3 ? (unsigned)choices : 3)]
                                        : (kz_shogi_move){.special = KZ_SHOGI_NONE};
    }
}

static int set_up(void **state) {
    (void)state;
    make_records(COUNT);
    write_psv("a.psv", 0, COUNT / 3);
    write_psv("b.psv", COUNT / 3, COUNT);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    free(records);
    return 0;
}

/* ---- The twin ---------------------------------------------------------------------------------------------------- */

static uint64_t stirred(uint64_t number, uint64_t salt) {
    uint64_t state = salt + number * UINT64_C(0x9E3779B97F4A7C15);
    return shogi_random(&state);
}

/* Where a record belongs, by the definition in shogi/docs/pipeline.md. */
static uint64_t place_of(const struct record *record, kz_shogi_same same, uint64_t seed) {
    uint8_t key[34];
    assert_int_equal(kz_shogi_codec_for(KZ_SHOGI_SSPFX, "plain")->pack(&record->position, key), KZ_SHOGI_FINE);
    uint16_t move = kz_shogi_write_move(KZ_SHOGI_YANEURAOU, record->note.move);
    key[32] = (uint8_t)move;
    key[33] = (uint8_t)(move >> 8);
    return same == KZ_SHOGI_SAME_NOTHING ? stirred(record->index, kz_hash64_seeded("places", 6, seed))
                                         : kz_hash64_seeded(key, same == KZ_SHOGI_SAME_MOVE ? 34 : 32, seed);
}

static int by_key(const void *a, const void *b) {
    const struct record *x = a;
    const struct record *y = b;
    int order = strcmp(x->key, y->key);
    return order != 0 ? order : x->index < y->index ? -1 : 1;
}

static int by_place(const void *a, const void *b) {
    const struct record *x = a;
    const struct record *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int rounded(long sum, long count) {
    double mean = (double)sum / (double)count;
    return (int)(mean < 0 ? mean - 0.5 : mean + 0.5);
}

/* Keeps one of the records begin to end - 1, which are in order; the others are dropped. */
static void keep_one(struct record *group, size_t count, kz_shogi_keep keep) {
    size_t kept = keep == KZ_SHOGI_KEEP_LAST ? count - 1 : 0;
    long sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += group[i].note.score;
        if (keep == KZ_SHOGI_KEEP_BEST && group[i].note.score > group[kept].note.score) {
            kept = i;
        }
    }
    for (size_t i = 0; i < count; i++) {
        group[i].dropped = i != kept;
    }
    if (keep == KZ_SHOGI_KEEP_MEAN) {
        group[kept].note.score = (int16_t)rounded(sum, (long)count);
    }
}

/* What the pipeline has to write, as psv. */
static uint8_t *expected_bytes(kz_shogi_same same, kz_shogi_keep keep, uint64_t seed, size_t *count) {
    struct record *sorted = malloc(record_count * sizeof *sorted);
    assert_non_null(sorted);
    memcpy(sorted, records, record_count * sizeof *sorted);
    for (size_t i = 0; i < record_count; i++) {
        size_t length = kz_shogi_format_sfen(&sorted[i].position, 1, sorted[i].key);
        if (same == KZ_SHOGI_SAME_MOVE) {
            sorted[i].key[length] = ' ';
            kz_shogi_format_move(sorted[i].note.move, sorted[i].key + length + 1);
        } else if (same == KZ_SHOGI_SAME_NOTHING) {
            sprintf(sorted[i].key, "%zu", i);
        }
        sorted[i].place = place_of(&sorted[i], same, seed);
    }
    qsort(sorted, record_count, sizeof *sorted, by_key);
    for (size_t at = 0; at < record_count;) {
        size_t end = at;
        while (end < record_count && strcmp(sorted[at].key, sorted[end].key) == 0) {
            end++;
        }
        keep_one(sorted + at, end - at, keep);
        at = end;
    }
    qsort(sorted, record_count, sizeof *sorted, by_place);
    uint8_t *bytes = malloc(record_count * PSV_BYTES + 1);
    assert_non_null(bytes);
    *count = 0;
    for (size_t i = 0; i < record_count; i++) {
        if (!sorted[i].dropped) {
            write_psv_record(&sorted[i], bytes + (*count)++ * PSV_BYTES);
        }
    }
    free(sorted);
    return bytes;
}

/* ---- Running it -------------------------------------------------------------------------------------------------- */

static const kz_shogi_source two_files[] = {
    {.path = "a.psv", .record = KZ_SHOGI_RECORD_PSV, .dialect = KZ_SHOGI_DIALECTS},
    {.path = "b.psv", .record = KZ_SHOGI_RECORD_PSV, .dialect = KZ_SHOGI_DIALECTS},
};

static kz_shogi_pipeline usual(void) {
    return (kz_shogi_pipeline){.inputs = two_files,
                               .input_count = 2,
                               .path = "out.psv",
                               .record = KZ_SHOGI_RECORD_PSV,
                               .dialect = KZ_SHOGI_DIALECTS,
                               .replace = true};
}

static kz_shogi_pipeline_report report;
static kz_error error;

static void run_as(const kz_shogi_pipeline *pipeline, kz_shogi_file_options options) {
    error = (kz_error){.status = KZ_OK};
    must(kz_shogi_pipeline_run(pipeline, &options, NULL, &report, &error), &error);
    assert_int_equal(access("out.psv.pipeline", F_OK), -1);
    assert_int_equal(access("out.psv.part", F_OK), -1);
}

static void assert_bytes(const char *path, const uint8_t *bytes, size_t size) {
    assert_file(path, (struct buffer){(uint8_t *)bytes, size});
}

static const kz_shogi_file_options variants[] = {
    {.threads = 1, .seed = SEED, .memory = 18 << 20},
    {.threads = 2, .seed = SEED, .memory = 20 << 20},
    {.threads = 3, .seed = SEED},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

TEST(same_as_twin) {
    for (int same = 0; same <= KZ_SHOGI_SAME_NOTHING; same++) {
        for (int keep = 0; keep <= (same == KZ_SHOGI_SAME_NOTHING ? 0 : KZ_SHOGI_KEEP_MEAN); keep++) {
            size_t count;
            uint8_t *bytes = expected_bytes((kz_shogi_same)same, (kz_shogi_keep)keep, SEED, &count);
            assert_true(same == KZ_SHOGI_SAME_NOTHING ? count == COUNT : count < COUNT * 9 / 10);
            kz_shogi_pipeline pipeline = usual();
            pipeline.same = (kz_shogi_same)same;
            pipeline.keep = (kz_shogi_keep)keep;
            for (int variant = 0; variant < (keep == 0 ? VARIANTS : 1); variant++) {
                remove_outputs();
                run_as(&pipeline, variants[variant]);
                assert_bytes("out.psv", bytes, count * PSV_BYTES);
                assert_int_equal(report.records.read, COUNT);
                assert_int_equal(report.records.written, count);
                assert_int_equal(report.records.repeated, COUNT - count);
                assert_int_equal(report.bytes, count * PSV_BYTES);
            }
            free(bytes);
        }
    }
}

/* The order is none of the inputs'. */
TEST(order_is_random) {
    kz_shogi_pipeline pipeline = usual();
    pipeline.same = KZ_SHOGI_SAME_NOTHING;
    size_t sizes[2];
    uint8_t *outputs[2];
    for (uint64_t seed = 0; seed < 2; seed++) {
        remove_outputs();
        run_as(&pipeline, (kz_shogi_file_options){.threads = 2, .seed = seed});
        outputs[seed] = get_bytes("out.psv", &sizes[seed]);
        assert_int_equal(sizes[seed], COUNT * PSV_BYTES);
    }
    size_t same_place = 0;
    double ply_sums[2] = {0, 0}; /* of both halves; plies go round, 1 to 300 */
    for (size_t i = 0; i < COUNT; i++) {
        same_place += memcmp(outputs[0] + i * PSV_BYTES, outputs[1] + i * PSV_BYTES, PSV_BYTES) == 0;
        ply_sums[i / (COUNT / 2)] += outputs[0][i * PSV_BYTES + 36] + 256 * outputs[0][i * PSV_BYTES + 37];
    }
    assert_true(same_place < 10);
    const double half = COUNT / 2.0;
    double means[2] = {ply_sums[0] / half, ply_sums[1] / half};
    assert_true(means[0] > 146 && means[0] < 155 && means[1] > 146 && means[1] < 155); /* 150.5; 6 sigma are 4.2 */
    free(outputs[0]);
    free(outputs[1]);
}

TEST(shards_sample_and_text) {
    size_t count;
    uint8_t *bytes = expected_bytes(KZ_SHOGI_SAME_POSITION, KZ_SHOGI_KEEP_FIRST, SEED, &count);
    kz_shogi_pipeline pipeline = usual();
    pipeline.shard_records = 4000;
    for (int variant = 0; variant < VARIANTS; variant++) {
        remove_outputs();
        run_as(&pipeline, variants[variant]);
        assert_int_equal(report.shards, (count + 3999) / 4000);
        for (size_t shard = 0; shard * 4000 < count; shard++) {
            char name[32];
            snprintf(name, sizeof name, "out-%05zu.psv", shard);
            size_t records_here = count - shard * 4000 < 4000 ? count - shard * 4000 : 4000;
            assert_bytes(name, bytes + shard * 4000 * PSV_BYTES, records_here * PSV_BYTES);
        }
    }
    pipeline.shard_records = 0;
    pipeline.most = 5000;
    run_as(&pipeline, variants[1]);
    assert_bytes("out.psv", bytes, 5000 * PSV_BYTES);
    assert_int_equal(report.beyond, count - 5000);

    /* Text, which has no fixed size, in shards: what converting the records one by one gives. */
    pipeline.most = 0;
    pipeline.path = "out.plain";
    pipeline.record = KZ_SHOGI_RECORD_PLAIN;
    pipeline.shard_records = 7000;
    for (int variant = 0; variant < VARIANTS; variant++) {
        remove_outputs();
        run_as(&pipeline, variants[variant]);
        for (size_t shard = 0; shard * 7000 < count; shard++) {
            char *text = malloc(7000 * KZ_SHOGI_PLAIN_BYTES);
            assert_non_null(text);
            size_t length = 0;
            for (size_t i = shard * 7000; i < count && i < (shard + 1) * 7000; i++) {
                kz_shogi_position position;
                kz_shogi_note note;
                const uint8_t *record = bytes + i * PSV_BYTES;
                assert_int_equal(kz_shogi_codec_for(KZ_SHOGI_PSFEN, NULL)->unpack(record, &position), KZ_SHOGI_FINE);
                assert_int_equal(kz_shogi_read_note(KZ_SHOGI_RECORD_PSV, KZ_SHOGI_YANEURAOU, record,
                                                    (kz_shogi_side)position.side, &note),
                                 KZ_SHOGI_FINE);
                length += kz_shogi_format_plain(&position, &note, text + length);
            }
            char name[32];
            snprintf(name, sizeof name, "out-%05zu.plain", shard);
            assert_bytes(name, (const uint8_t *)text, length);
            free(text);
        }
    }
    free(bytes);
}

/* Whether one of `count` psv records of `bytes` has the position of `record`; by the bytes of the position, which are
 * canonical here. */
static int by_position(const void *a, const void *b) { return memcmp(a, b, 32); }

TEST(references_and_validation) {
    size_t all_count;
    uint8_t *all = expected_bytes(KZ_SHOGI_SAME_POSITION, KZ_SHOGI_KEEP_FIRST, SEED, &all_count);
    /* All positions of a.psv are in the reference, which has them in another format. */
    kz_shogi_target hcp = {.path = "reference.hcp", .record = KZ_SHOGI_RECORD_HCP, .replace = true};
    kz_shogi_file_options options = {.threads = 2, .seed = SEED};
    kz_shogi_file_report converted;
    assert_int_equal(kz_shogi_convert(&two_files[0], &hcp, &options, NULL, &converted, &error), KZ_OK);
    const kz_shogi_source reference = {.path = "reference.hcp", .record = KZ_SHOGI_RECORD_HCP};
    size_t reference_size;
    uint8_t *positions = get_bytes("a.psv", &reference_size);
    qsort(positions, reference_size / PSV_BYTES, PSV_BYTES, by_position);
    uint8_t *rest = malloc(all_count * PSV_BYTES + 1);
    assert_non_null(rest);
    size_t rest_count = 0;
    for (size_t i = 0; i < all_count; i++) {
        const uint8_t *record = all + i * PSV_BYTES;
        if (bsearch(record, positions, reference_size / PSV_BYTES, PSV_BYTES, by_position) == NULL) {
            memcpy(rest + rest_count++ * PSV_BYTES, record, PSV_BYTES);
        }
    }
    assert_true(rest_count > 1000 && rest_count < all_count - 1000);
    kz_shogi_pipeline pipeline = usual();
    pipeline.references = &reference;
    pipeline.reference_count = 1;
    for (int variant = 0; variant < VARIANTS; variant++) {
        remove_outputs();
        run_as(&pipeline, variants[variant]);
        assert_bytes("out.psv", rest, rest_count * PSV_BYTES);
        assert_int_equal(report.reference_records, COUNT / 3);
        assert_int_equal(report.records.read, COUNT);
        assert_int_equal(report.referenced + report.records.repeated + report.records.written, COUNT);
    }
    free(positions);
    free(rest);

    /* Held out: both sets together are all, in order, and no position is in both although moves differ. */
    pipeline.reference_count = 0;
    pipeline.held_path = "held.psv";
    pipeline.held_share = 0.1;
    pipeline.same = KZ_SHOGI_SAME_MOVE;
    size_t move_count;
    uint8_t *by_move = expected_bytes(KZ_SHOGI_SAME_MOVE, KZ_SHOGI_KEEP_FIRST, SEED, &move_count);
    for (int variant = 0; variant < VARIANTS; variant++) {
        remove_outputs();
        run_as(&pipeline, variants[variant]);
        size_t sizes[2];
        uint8_t *sets[2] = {get_bytes("out.psv", &sizes[0]), get_bytes("held.psv", &sizes[1])};
        assert_int_equal(sizes[0] + sizes[1], move_count * PSV_BYTES);
        assert_true(sizes[1] > sizes[0] / 15 && sizes[1] < sizes[0] / 6);
        size_t at[2] = {0, 0};
        for (size_t i = 0; i < move_count; i++) {
            const uint8_t *wanted = by_move + i * PSV_BYTES;
            int set = at[0] < sizes[0] && memcmp(sets[0] + at[0], wanted, PSV_BYTES) == 0 ? 0 : 1;
            assert_true(at[set] < sizes[set]);
            assert_memory_equal(sets[set] + at[set], wanted, PSV_BYTES);
            at[set] += PSV_BYTES;
        }
        qsort(sets[0], sizes[0] / PSV_BYTES, PSV_BYTES, by_position);
        for (size_t i = 0; i < sizes[1]; i += PSV_BYTES) {
            assert_null(bsearch(sets[1] + i, sets[0], sizes[0] / PSV_BYTES, PSV_BYTES, by_position));
        }
        free(sets[0]);
        free(sets[1]);
    }
    free(by_move);
    free(all);
}

/* ---- Estimates that are wrong ------------------------------------------------------------------------------------ */

/* The standard input is of unknown size, so there are few partitions, and they are too large for the memory. */
static void run_from_input(const char *path, const kz_shogi_pipeline *asked, kz_shogi_file_options options) {
    static const kz_shogi_source standard = {.path = "-", .record = KZ_SHOGI_RECORD_PSV, .dialect = KZ_SHOGI_YANEURAOU};
    kz_shogi_pipeline pipeline = *asked;
    pipeline.inputs = &standard;
    pipeline.input_count = 1;
    int descriptor = open(path, O_RDONLY);
    int old = dup(STDIN_FILENO);
    assert_true(descriptor >= 0 && old >= 0 && dup2(descriptor, STDIN_FILENO) >= 0);
    close(descriptor);
    run_as(&pipeline, options);
    assert_true(dup2(old, STDIN_FILENO) >= 0);
    close(old);
}

/* More than a partition that was planned has room for, in all four. */
static void write_many(const char *path, size_t count, size_t repeats) {
    uint8_t *bytes = calloc(count, PSV_BYTES);
    assert_non_null(bytes);
    uint64_t random = 12345;
    const kz_shogi_codec *codec = kz_shogi_codec_for(KZ_SHOGI_PSFEN, NULL);
    kz_shogi_position start = kz_shogi_start();
    for (size_t i = 0; i < count; i++) {
        uint8_t *record = bytes + i * PSV_BYTES;
        kz_shogi_position position = i < repeats ? start : shogi_random_position(&random, shogi_random_wishes[0]);
        assert_int_equal(codec->pack(&position, record), KZ_SHOGI_FINE);
        record[32] = (uint8_t)(i < repeats ? i % 100 : 50);
        record[36] = (uint8_t)i;
    }
    put_file(path, bytes, count * PSV_BYTES);
    free(bytes);
}

TEST(partitions_that_are_too_large) {
    enum { MANY = 700000, REPEATS = 500000 };
    const kz_shogi_file_options small = {.threads = 1, .seed = 3, .memory = 18 << 20};
    const kz_shogi_file_options large = {.threads = 2, .seed = 3, .memory = 400 << 20};
    static const struct {
        size_t repeats;
        kz_shogi_same same;
        kz_shogi_keep keep;
    } cases[] = {
        {0, KZ_SHOGI_SAME_POSITION, KZ_SHOGI_KEEP_FIRST},      {0, KZ_SHOGI_SAME_NOTHING, KZ_SHOGI_KEEP_FIRST},
        {REPEATS, KZ_SHOGI_SAME_POSITION, KZ_SHOGI_KEEP_MEAN}, {REPEATS, KZ_SHOGI_SAME_MOVE, KZ_SHOGI_KEEP_BEST},
        {REPEATS, KZ_SHOGI_SAME_NOTHING, KZ_SHOGI_KEEP_FIRST},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_many("many.psv", MANY, cases[i].repeats);
        kz_shogi_pipeline pipeline = usual();
        pipeline.same = cases[i].same;
        pipeline.keep = cases[i].keep;
        remove_outputs();
        run_from_input("many.psv", &pipeline, small);
        size_t size;
        uint8_t *first = get_bytes("out.psv", &size);
        size_t dropped = cases[i].repeats > 0 && cases[i].same != KZ_SHOGI_SAME_NOTHING ? REPEATS - 1 : 0;
        assert_int_equal(size, (MANY - dropped) * PSV_BYTES);
        assert_int_equal(report.records.repeated, dropped);
        /* The same with partitions that fit. */
        run_from_input("many.psv", &pipeline, large);
        assert_bytes("out.psv", first, size);
        if (cases[i].keep == KZ_SHOGI_KEEP_MEAN) {
            uint8_t start[32];
            kz_shogi_position position = kz_shogi_start();
            assert_int_equal(kz_shogi_codec_for(KZ_SHOGI_PSFEN, NULL)->pack(&position, start), KZ_SHOGI_FINE);
            size_t found = 0;
            for (size_t at = 0; at < size; at += PSV_BYTES) {
                if (memcmp(first + at, start, 32) == 0) {
                    assert_int_equal(first[at + 32], 50); /* of 0 to 99: 49.5 */
                    found++;
                }
            }
            assert_int_equal(found, 1);
        }
        free(first);
    }
    unlink("many.psv");
}

/* ---- Stopping and going on --------------------------------------------------------------------------------------- */

struct patience {
    int left; /* reports until it asks to stop */
    bool any;
};

static bool stop_after_a_while(void *user, const char *stage, uint64_t done, uint64_t total) {
    struct patience *patience = user;
    (void)stage;
    (void)done;
    (void)total;
    patience->any = true;
    return patience->left-- > 0;
}

/* Runs the pipeline to its end, and then again with stops in between: the same files. */
static void stop_again_and_again(const kz_shogi_pipeline *pipeline, kz_shogi_file_options options) {
    remove_outputs();
    run_as(pipeline, options);
    (void)!system("mkdir -p kept && rm -f kept/* && mv out-* out.* kept/");
    for (int round = 0, stopped = 0;; round++) {
        struct patience patience = {.left = round % 4 + round / 8}; /* a slow machine needs more of it */
        kz_progress progress = {.report = stop_after_a_while, .user = &patience};
        options.threads = 1 + round % 3;
        options.memory = round % 2 ? 0 : 30 << 20;
        kz_status status = kz_shogi_pipeline_run(pipeline, &options, &progress, &report, &error);
        if (status == KZ_OK) {
            assert_true(stopped > 0);
            break;
        }
        assert_int_equal(status, KZ_ERR_CANCELLED);
        stopped++;
        assert_true(round < 1000);
    }
    assert_int_equal(system("for f in kept/*; do cmp $f ${f#kept/} || exit 1; done"), 0);
    assert_int_equal(access("out.psv.pipeline", F_OK), -1);
    assert_int_equal(access("out.hcpe3.pipeline", F_OK), -1);
}

/* Games in, games out: neither has records of a fixed size. */
TEST(cancelled_runs_of_games_go_on) {
    enum { COPIES = 150 };
    char path[4096];
    size_t size;
    snprintf(path, sizeof path, "%s/shogi/tests/data/games_all.hcpe3", getenv("KANZEN_SOURCE"));
    uint8_t *games = get_bytes(path, &size);
    uint8_t *many = malloc(size * COPIES);
    assert_non_null(many);
    for (size_t i = 0; i < COPIES; i++) {
        memcpy(many + i * size, games, size);
    }
    put_file("many.hcpe3", many, size * COPIES);
    free(many);
    free(games);
    const kz_shogi_source source = {
        .path = "many.hcpe3", .record = KZ_SHOGI_RECORD_HCPE3, .dialect = KZ_SHOGI_DIALECTS};
    kz_shogi_pipeline pipeline = usual();
    pipeline.inputs = &source;
    pipeline.input_count = 1;
    pipeline.path = "out.hcpe3";
    pipeline.record = KZ_SHOGI_RECORD_HCPE3;
    pipeline.same = KZ_SHOGI_SAME_NOTHING;
    pipeline.shard_records = 20000;
    stop_again_and_again(&pipeline,
                         (kz_shogi_file_options){
                             .threads = 2, .seed = 1, .resume = true, .unsearched = true, .checkpoint_seconds = 1e-3});
    assert_int_equal(report.records.read, 340 * COPIES); /* moves of these games: games_all.tsv has as many lines */
    assert_int_equal(report.records.written, 340 * COPIES);
    unlink("many.hcpe3");
    remove_outputs();
}

TEST(cancelled_runs_go_on) {
    enum { MANY = 400000 };
    write_many("many.psv", MANY, 1000);
    const kz_shogi_source source = {.path = "many.psv", .record = KZ_SHOGI_RECORD_PSV, .dialect = KZ_SHOGI_DIALECTS};
    kz_shogi_pipeline pipeline = usual();
    pipeline.inputs = &source;
    pipeline.input_count = 1;
    pipeline.shard_records = 100000;
    kz_shogi_file_options options = {.threads = 2, .seed = 1, .resume = true, .checkpoint_seconds = 1e-3};
    stop_again_and_again(&pipeline, options);
    /* Another seed can't go on with it. */
    remove_outputs();
    struct patience patience = {.left = 1};
    kz_progress progress = {.report = stop_after_a_while, .user = &patience};
    options.threads = 1;
    options.memory = 0;
    if (kz_shogi_pipeline_run(&pipeline, &options, &progress, &report, &error) == KZ_ERR_CANCELLED &&
        access("out.psv.pipeline/state", F_OK) == 0) {
        options.seed = 2;
        assert_int_equal(kz_shogi_pipeline_run(&pipeline, &options, NULL, &report, &error), KZ_ERR_INPUT);
        assert_non_null(strstr(error.message, "other settings"));
    }
    unlink("many.psv");
    remove_outputs();
}

/* ---- Shortcuts and their plain twins ----------------------------------------------------------------------------- */

TEST(shortcuts_of_items) {
    uint64_t random = 7;
    size_t fine = 0;
    for (int i = 0; i < 200000; i++) {
        uint8_t record[PSV_BYTES];
        for (size_t at = 0; at < sizeof record; at += 8) {
            kz_store_le64(record + at, shogi_random(&random));
        }
        record[38] = (uint8_t)((int)shogi_random_below(&random, 3) - 1);
        kz_store_le16(record + 34, (uint16_t)shogi_random_below(&random, i % 2 ? 0x10000 : 400));
        kz_shogi_note note;
        if (kz_shogi_read_note(KZ_SHOGI_RECORD_PSV, KZ_SHOGI_YANEURAOU, record, KZ_SHOGI_BLACK, &note) !=
            KZ_SHOGI_FINE) {
            continue;
        }
        fine++;
        uint8_t plain[KZ_ITEM_BYTES] = {0};
        uint8_t fast[KZ_ITEM_BYTES] = {0};
        kz_item_put_note(plain, &note);
        kz_item_put_psv(fast, record);
        assert_memory_equal(fast, plain, sizeof plain);
        /* An item may lack anything, and may have an ending. */
        unsigned has = shogi_random_below(&random, 64);
        note.has = (uint16_t)has;
        note.ending = (uint8_t)shogi_random_below(&random, 5);
        kz_item_put_note(plain, &note);
        kz_shogi_note back = kz_item_note(plain);
        uint8_t written[PSV_BYTES] = {0};
        kz_shogi_write_note(KZ_SHOGI_RECORD_PSV, KZ_SHOGI_YANEURAOU, &back, KZ_SHOGI_BLACK, written);
        memset(record, 0, sizeof record);
        kz_item_write_psv(plain, record);
        assert_memory_equal(record, written, sizeof record);
        assert_int_equal(kz_hash64_short(plain, 32, random), kz_hash64_seeded(plain, 32, random));
        assert_int_equal(kz_hash64_short(plain, 34, random), kz_hash64_seeded(plain, 34, random));
    }
    assert_true(fine > 10000);
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

static void assert_refused(const kz_shogi_pipeline *pipeline, kz_shogi_file_options options, kz_status status,
                           const char *message) {
    assert_int_equal(kz_shogi_pipeline_run(pipeline, &options, NULL, &report, &error), status);
    if (strstr(error.message, message) == NULL) {
        fail_msg("'%s' does not say '%s'", error.message, message);
    }
    assert_int_equal(access("out.psv.pipeline", F_OK), -1);
    assert_int_equal(access("out.psv.part", F_OK), -1);
}

TEST(refusals) {
    const kz_shogi_file_options options = {.threads = 1};
    remove_outputs();
    kz_shogi_pipeline pipeline = usual();
    assert_refused(&pipeline, (kz_shogi_file_options){.threads = 1, .memory = 1 << 20}, KZ_ERR_INPUT,
                   "1 thread take at least 18 MiB");
    pipeline.input_count = 0;
    assert_refused(&pipeline, options, KZ_ERR_INPUT, "no input");
    pipeline = usual();
    pipeline.same = KZ_SHOGI_SAME_NOTHING;
    pipeline.references = two_files;
    pipeline.reference_count = 1;
    assert_refused(&pipeline, options, KZ_ERR_INPUT, "nothing counts as a duplicate");
    pipeline = usual();
    pipeline.record = KZ_SHOGI_RECORD_KI2;
    assert_refused(&pipeline, options, KZ_ERR_UNSUPPORTED, "not written");
    pipeline.record = KZ_SHOGI_RECORD_KIF;
    assert_refused(&pipeline, options, KZ_ERR_UNSUPPORTED, "kif has whole games");
    pipeline = usual();
    pipeline.path = "no/out.psv";
    assert_refused(&pipeline, options, KZ_ERR_IO, "No such file");
    pipeline = usual();
    pipeline.replace = false;
    put_file("out.psv", "x", 1);
    assert_refused(&pipeline, options, KZ_ERR_IO, "out.psv exists already");
    unlink("out.psv");

    /* A bad record ends the run, or is left out. */
    size_t size;
    uint8_t *bytes = get_bytes("a.psv", &size);
    memset(bytes + 100 * PSV_BYTES, 0xFF, 32);
    put_file("bad.psv", bytes, size);
    free(bytes);
    const kz_shogi_source bad = {.path = "bad.psv", .record = KZ_SHOGI_RECORD_PSV, .dialect = KZ_SHOGI_DIALECTS};
    pipeline.inputs = &bad;
    pipeline.input_count = 1;
    assert_refused(&pipeline, options, KZ_ERR_CORRUPT, "record 101 of bad.psv");
    pipeline.same = KZ_SHOGI_SAME_NOTHING;
    run_as(&pipeline, (kz_shogi_file_options){.threads = 2, .skip_bad = true});
    assert_int_equal(report.records.bad, 1);
    assert_int_equal(report.records.written, COUNT / 3 - 1);
    /* sspf has no handicaps. */
    static const char handicap[] = "4k4/9/9/9/9/9/9/9/4K4 b - 1\n4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1\n";
    put_file("odd.sfen", handicap, sizeof handicap - 1);
    const kz_shogi_source odd = {.path = "odd.sfen", .record = KZ_SHOGI_RECORD_SFEN};
    pipeline = usual();
    pipeline.inputs = &odd;
    pipeline.input_count = 1;
    static const struct {
        kz_shogi_record record;
        unsigned written;
    } targets[] = {{KZ_SHOGI_RECORD_SSPF, 0},  {KZ_SHOGI_RECORD_PSFEN, 1}, {KZ_SHOGI_RECORD_HCPE, 1},
                   {KZ_SHOGI_RECORD_SSPFX, 2}, {KZ_SHOGI_RECORD_SSPFC, 2}, {KZ_SHOGI_RECORD_SFEN, 2}};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        pipeline.record = targets[i].record;
        run_as(&pipeline, (kz_shogi_file_options){.threads = 2, .skip_bad = true});
        assert_int_equal(report.records.written, targets[i].written);
        assert_int_equal(report.records.bad, 2 - targets[i].written);
    }
}

TESTS(set_up, tear_down)
