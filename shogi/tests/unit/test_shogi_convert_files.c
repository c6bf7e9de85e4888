/* SPDX-License-Identifier: MIT
 *
 * Where a conversion reads and writes: files that are there and that are not, pipes, and files of a run that was
 * interrupted. */
#include "shogi/tests/support/shogi_files.h"

#include <pthread.h>

/* ---- Files that are there, that are not, and pipes
 * --------------------------------------------------------------------- */

TEST(test_files) {
    kz_shogi_file_options options = {.threads = 2};
    put_file("empty.psv", "", 0);
    assert_int_equal(convert("empty.psv", KZ_SHOGI_RECORD_PSV, "empty.hcpe", KZ_SHOGI_RECORD_HCPE, options), KZ_OK);
    assert_int_equal(report.read, 0);
    assert_int_equal(report.missing, 0);
    assert_file("empty.hcpe", (struct buffer){(uint8_t[1]){0}, 0});

    kz_shogi_source source = source_of("empty.psv", KZ_SHOGI_RECORD_PSV);
    kz_shogi_target target = target_of("empty.hcpe", KZ_SHOGI_RECORD_HCPE);
    assert_int_equal(convert_as(&source, &target, &options), KZ_ERR_IO);
    assert_message("empty.hcpe exists already");
    target.path = "no-such-folder/empty.hcpe";
    assert_int_equal(convert_as(&source, &target, &options), KZ_ERR_IO);
    target.path = "none.hcpe";
    source.path = "no-such-file";
    assert_int_equal(convert_as(&source, &target, &options), KZ_ERR_IO);
    assert_message("can't read no-such-file");
    source.path = ".";
    assert_int_equal(convert_as(&source, &target, &options), KZ_ERR_IO);
    assert_nothing_left("none.hcpe");
}

struct feeder {
    const char *path;
    struct buffer data;
};

/* Writes into a pipe, in pieces that are no multiples of anything. */
static void *feed(void *argument) {
    const struct feeder *feeder = argument;
    FILE *pipe = fopen(feeder->path, "wb");
    if (pipe != NULL) {
        setvbuf(pipe, NULL, _IONBF, 0);
        for (size_t at = 0; at < feeder->data.size; at += 977) {
            size_t left = feeder->data.size - at;
            (void)!fwrite(feeder->data.bytes + at, 1, left < 977 ? left : 977, pipe);
        }
        fclose(pipe);
    }
    return NULL;
}

TEST(test_pipes) {
    assert_int_equal(mkfifo("pipe", 0600), 0);
    static const kz_shogi_record records[] = {KZ_SHOGI_RECORD_PSV, KZ_SHOGI_RECORD_PLAIN, KZ_SHOGI_RECORD_SFEN};
    for (int i = 0; i < 3; i++) {
        for (int threads = 1; threads <= 3; threads++) {
            struct feeder feeder = {"pipe", records_of(records[i], 0, SAMPLES, ~0U)};
            pthread_t thread;
            assert_int_equal(pthread_create(&thread, NULL, feed, &feeder), 0);
            kz_shogi_source source = source_of("pipe", records[i]);
            kz_shogi_target target = target_of("piped.sspf", KZ_SHOGI_RECORD_SSPF);
            kz_shogi_file_options options = {.threads = threads};
            source.first = threads == 2 ? 3000 : 0;
            target.replace = true;
            assert_int_equal(convert_as(&source, &target, &options), KZ_OK);
            pthread_join(thread, NULL);
            struct buffer expected = records_of(KZ_SHOGI_RECORD_SSPF, source.first, SAMPLES, 0);
            assert_file("piped.sspf", expected);
            free(expected.bytes);
            free(feeder.data.bytes);
        }
    }
    assert_int_equal(convert("pipe", KZ_SHOGI_RECORD_PSV, "piped.sspf", KZ_SHOGI_RECORD_SSPF,
                             (kz_shogi_file_options){.threads = 1, .resume = true}),
                     KZ_ERR_UNSUPPORTED);
}

/* ---- Resuming
 * ---------------------------------------------------------------------------------------------------------- */

static bool stop_at_once(void *user, const char *stage, uint64_t done, uint64_t total) {
    (void)user;
    (void)stage;
    (void)done;
    (void)total;
    return false;
}

/* Runs until the first report, which a clock decides about; `times` such runs after each other. */
static kz_status run_for_a_moment(const kz_shogi_source *source, const kz_shogi_target *target,
                                  const kz_shogi_file_options *options) {
    const kz_progress progress = {.report = stop_at_once};
    error = (kz_error){.status = KZ_OK};
    return kz_shogi_convert(source, target, options, &progress, &report, &error);
}

TEST(test_resume) {
    /* The report comes at the beginning, so that a run gets a batch or two done; some records are bad. */
    static const kz_shogi_record records[] = {KZ_SHOGI_RECORD_PSV, KZ_SHOGI_RECORD_PLAIN};
    for (int i = 0; i < 2; i++) {
        struct buffer bytes = records_of(records[i], 0, SAMPLES, ~0U);
        bytes.bytes[records[i] == KZ_SHOGI_RECORD_PSV ? 40 * 5000 : bytes.size / 2] = 0xFE;
        put_file("resume.in", bytes.bytes, bytes.size);
        free(bytes.bytes);
        kz_shogi_source source = source_of("resume.in", records[i]);
        kz_shogi_target target = target_of("whole.hcpe", KZ_SHOGI_RECORD_HCPE);
        kz_shogi_file_options options = {.threads = 2, .skip_bad = true};
        target.replace = true;
        assert_int_equal(convert_as(&source, &target, &options), KZ_OK);
        kz_shogi_file_report whole = report;
        struct buffer expected = read_file("whole.hcpe");
        target = target_of("resumed.hcpe", KZ_SHOGI_RECORD_HCPE);
        unlink("resumed.hcpe");

        int runs = 0;
        kz_status status;
        options.resume = true;
        options.threads = 1;
        while ((status = run_for_a_moment(&source, &target, &options)) == KZ_ERR_CANCELLED) {
            assert_false(exists("resumed.hcpe"));
            assert_true(exists("resumed.hcpe.part"));
            assert_true(exists("resumed.hcpe.part.state"));
            assert_true(++runs < 100);
        }
        assert_int_equal(status, KZ_OK);
        assert_true(runs > 2);
        assert_file("resumed.hcpe", expected);
        assert_memory_equal(&report, &whole, sizeof report);
        assert_false(exists("resumed.hcpe.part"));
        assert_false(exists("resumed.hcpe.part.state"));
        free(expected.bytes);
    }
}

/* Games of several hundred moves, so that most places where a run stops are in the middle of one. Returns how often it
 * was stopped. */
static int resume_to_games(const char *in, kz_shogi_record record, kz_shogi_record games, int threads) {
    kz_shogi_source source = source_of(in, record);
    kz_shogi_target target = target_of("whole.games", games);
    kz_shogi_file_options options = {.threads = 2, .unsearched = true};
    target.replace = true;
    assert_int_equal(convert_as(&source, &target, &options), KZ_OK);
    kz_shogi_file_report whole = report;
    struct buffer expected = read_file("whole.games");
    target = target_of("resumed.games", games);
    unlink("resumed.games");
    options.resume = true;
    options.threads = threads;
    options.checkpoint_seconds = 1e-9;
    int runs = 0;
    kz_status status;
    while ((status = run_for_a_moment(&source, &target, &options)) == KZ_ERR_CANCELLED) {
        assert_false(exists("resumed.games"));
        assert_true(++runs < 1000);
    }
    assert_int_equal(status, KZ_OK);
    assert_file("resumed.games", expected);
    assert_memory_equal(&report, &whole, sizeof report);
    assert_nothing_left("resumed.games.part");
    free(expected.bytes);
    return runs;
}

TEST(test_resume_games) {
    static const kz_shogi_record records[] = {KZ_SHOGI_RECORD_HCPE3, KZ_SHOGI_RECORD_CSA, KZ_SHOGI_RECORD_KIF};
    enum { GAMES = 60, MOVES = 300, PSV = 40 };
    struct buffer psv = {calloc(GAMES * MOVES, PSV), 0};
    uint64_t seed = 1;
    for (int game = 0; game < GAMES; game++) {
        kz_shogi_position position;
        static const char start[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        assert_int_equal(kz_shogi_parse_sfen(start, strlen(start), &position, NULL, &error), KZ_OK);
        for (int ply = 1; ply <= MOVES; ply++) {
            kz_shogi_move moves[KZ_SHOGI_MOST_MOVES];
            size_t count = kz_shogi_moves(&position, moves);
            if (count == 0) {
                break;
            }
            const kz_shogi_note note = {.move = moves[shogi_random_below(&seed, (unsigned)count)],
                                        .score = (int16_t)(ply * 7 - 300),
                                        .ply = (uint16_t)ply,
                                        .has = KZ_SHOGI_HAS_SCORE | KZ_SHOGI_HAS_PLY | KZ_SHOGI_HAS_MOVE |
                                               KZ_SHOGI_HAS_RESULT};
            uint8_t *record = psv.bytes + psv.size;
            assert_int_equal(kz_shogi_codec_for(KZ_SHOGI_PSFEN, NULL)->pack(&position, record), KZ_SHOGI_FINE);
            kz_shogi_write_note(KZ_SHOGI_RECORD_PSV, KZ_SHOGI_YANEURAOU, &note, (kz_shogi_side)position.side, record);
            psv.size += PSV;
            assert_int_equal(kz_shogi_make_move(&position, note.move), KZ_SHOGI_FINE);
        }
    }
    put_file("games.psv", psv.bytes, psv.size);
    free(psv.bytes);
    for (int i = 0; i < 3; i++) {
        assert_true(resume_to_games("games.psv", KZ_SHOGI_RECORD_PSV, records[i], 1) > 3);
        (void)resume_to_games("games.psv", KZ_SHOGI_RECORD_PSV, records[i], 3);
        rename("whole.games", records[i] == KZ_SHOGI_RECORD_HCPE3 ? "games.hcpe3" : "whole.games");
    }
    assert_true(resume_to_games("games.hcpe3", KZ_SHOGI_RECORD_HCPE3, KZ_SHOGI_RECORD_HCPE3, 1) > 1);

    /* The bytes of a game that is not over are in the state; damage to them is seen. */
    kz_shogi_source source = source_of("games.psv", KZ_SHOGI_RECORD_PSV);
    kz_shogi_target target = target_of("damaged.hcpe3", KZ_SHOGI_RECORD_HCPE3);
    kz_shogi_file_options options = {.threads = 1, .resume = true};
    assert_int_equal(run_for_a_moment(&source, &target, &options), KZ_ERR_CANCELLED);
    struct buffer saved = read_file("damaged.hcpe3.part.state");
    for (int way = 0; way < 2; way++) {
        saved.bytes[saved.size - 1] ^= way == 0;
        put_file("damaged.hcpe3.part.state", saved.bytes, saved.size - (way == 1));
        assert_int_equal(convert_as(&source, &target, &options), KZ_ERR_CORRUPT);
        assert_message("damaged.hcpe3.part.state is damaged");
        saved.bytes[saved.size - 1] ^= way == 0;
    }
    put_file("damaged.hcpe3.part.state", saved.bytes, saved.size);
    free(saved.bytes);
    assert_int_equal(convert_as(&source, &target, &options), KZ_OK);
    struct buffer expected = read_file("games.hcpe3");
    assert_file("damaged.hcpe3", expected);
    free(expected.bytes);
}

TEST(test_resume_refused) {
    struct buffer bytes = records_of(KZ_SHOGI_RECORD_PSV, 0, SAMPLES, ~0U);
    put_file("refused.psv", bytes.bytes, bytes.size);
    kz_shogi_source source = source_of("refused.psv", KZ_SHOGI_RECORD_PSV);
    kz_shogi_target target = target_of("refused.hcpe", KZ_SHOGI_RECORD_HCPE);
    kz_shogi_file_options options = {.threads = 1};
    assert_int_equal(run_for_a_moment(&source, &target, &options), KZ_ERR_CANCELLED);

    assert_int_equal(convert_as(&source, &target, &options), KZ_ERR_IO);
    assert_message("refused.hcpe.part exists already");
    options.resume = true;
    kz_shogi_source other = source;
    other.first = 1;
    assert_int_equal(convert_as(&other, &target, &options), KZ_ERR_INPUT);
    assert_message("it began with another record");
    options.legal = true;
    assert_int_equal(convert_as(&source, &target, &options), KZ_ERR_INPUT);
    assert_message("positions that are not legal");
    options.legal = false;
    kz_shogi_target other_target = target;
    other_target.record = KZ_SHOGI_RECORD_HCPE2;
    assert_int_equal(convert_as(&source, &other_target, &options), KZ_ERR_INPUT);
    assert_message("the target had other records");

    struct buffer saved = read_file("refused.hcpe.part.state");
    saved.bytes[saved.size / 2] ^= 1;
    put_file("refused.hcpe.part.state", saved.bytes, saved.size);
    assert_int_equal(convert_as(&source, &target, &options), KZ_ERR_CORRUPT);
    assert_message("refused.hcpe.part.state is damaged");
    put_file("refused.hcpe.part.state", "what?", 5);
    assert_int_equal(convert_as(&source, &target, &options), KZ_ERR_CORRUPT);
    unlink("refused.hcpe.part.state");
    assert_int_equal(convert_as(&source, &target, &options), KZ_ERR_INPUT);
    assert_message("refused.hcpe.part.state is missing");
    saved.bytes[saved.size / 2] ^= 1;
    put_file("refused.hcpe.part.state", saved.bytes, saved.size);

    struct buffer part = read_file("refused.hcpe.part");
    put_file("refused.hcpe.part", part.bytes, part.size - 1);
    assert_int_equal(convert_as(&source, &target, &options), KZ_ERR_CORRUPT);
    assert_message("shorter");
    put_file("refused.hcpe.part", part.bytes, part.size);

    /* Half a batch that was written after the state was saved does no harm. */
    FILE *longer = fopen("refused.hcpe.part", "ab");
    assert_non_null(longer);
    fputs("half a batch", longer);
    fclose(longer);
    assert_int_equal(convert_as(&source, &target, &options), KZ_OK);
    struct buffer expected = records_of(KZ_SHOGI_RECORD_HCPE, 0, SAMPLES, ~0U);
    assert_file("refused.hcpe", expected);

    /* A source that has changed. */
    unlink("refused.hcpe");
    options.resume = false;
    assert_int_equal(run_for_a_moment(&source, &target, &options), KZ_ERR_CANCELLED);
    put_file("refused.psv", bytes.bytes, bytes.size - 40);
    options.resume = true;
    assert_int_equal(convert_as(&source, &target, &options), KZ_ERR_INPUT);
    assert_message("the source had another size");
    /* Beginning again is what `replace` is for. */
    options.resume = false;
    target.replace = true;
    assert_int_equal(convert_as(&source, &target, &options), KZ_OK);
    expected.size -= 38;
    assert_file("refused.hcpe", expected);
    assert_false(exists("refused.hcpe.part"));
    assert_false(exists("refused.hcpe.part.state"));
    free(saved.bytes);
    free(part.bytes);
    free(bytes.bytes);
    free(expected.bytes);
}

TESTS(make_samples, NULL)
