/* SPDX-License-Identifier: MIT
 *
 * Files of shogi records from one form to another. What a conversion should write is put together record by record; and
 * a few records are published ones. */
#include "shogi/tests/support/shogi_files.h"

/* Records of the fixture psv_to_hcpe3_yaneuraou_sample of rshogi, which cshogi has converted. */
TEST(test_published) {
#define PSFEN "58a451220ceb67127e96f34d8483447824c22b119e53121ceb6f223e9691240c"
#define HCP "58a449210cd757117e8eed2d8485427814c2ab109e4d112cd75f213e8e89220c"
    uint8_t psv[120];
    uint8_t hcpe[114];
    assert_int_equal(from_hex(PSFEN "880005030000ff00" PSFEN "88000d070000ff00" PSFEN "880014a30000ff00", psv), 120);
    assert_int_equal(from_hex(HCP "880005030200" HCP "88000d070200" HCP "880014630200", hcpe), 114);
    put_file("three.psv", psv, sizeof psv);
    kz_shogi_file_options options = {.threads = 1};
    assert_int_equal(convert("three.psv", KZ_SHOGI_RECORD_PSV, "three.hcpe", KZ_SHOGI_RECORD_HCPE, options), KZ_OK);
    assert_file("three.hcpe", (struct buffer){hcpe, sizeof hcpe});
    assert_int_equal(report.read, 3);
    assert_int_equal(report.written, 3);
    assert_int_equal(report.lost, KZ_SHOGI_HAS_PLY);
    assert_int_equal(report.missing, 0);
    /* They have no ply, so they come back as they were. */
    assert_int_equal(convert("three.hcpe", KZ_SHOGI_RECORD_HCPE, "back.psv", KZ_SHOGI_RECORD_PSV, options), KZ_OK);
    assert_file("back.psv", (struct buffer){psv, sizeof psv});
    assert_int_equal(report.missing, KZ_SHOGI_HAS_PLY | KZ_SHOGI_HAS_EXTRA);
}

/* Games are another matter: they want moves, and join records. */
static bool is_written(kz_shogi_record record) {
    return kz_shogi_record_at(record)->written && record != KZ_SHOGI_RECORD_HCPE3 && record != KZ_SHOGI_RECORD_CSA &&
           record != KZ_SHOGI_RECORD_KIF;
}

/* From every kind of record that can be written to every other, at several numbers of threads. */
TEST(test_all_pairs) {
    for (kz_shogi_record from = 0; from < KZ_SHOGI_RECORDS; from++) {
        if (!is_written(from)) {
            continue;
        }
        struct buffer source = records_of(from, 0, SAMPLES, ~0U);
        put_file("pairs.in", source.bytes, source.size);
        free(source.bytes);
        for (kz_shogi_record to = 0; to < KZ_SHOGI_RECORDS; to++) {
            if (!is_written(to)) {
                continue;
            }
            kz_shogi_file_options options = {.threads = (int[]){1, 2, 7}[to % 3]};
            assert_int_equal(convert("pairs.in", from, "pairs.out", to, options), KZ_OK);
            struct buffer expected = records_of(to, 0, SAMPLES, holds(from));
            assert_file("pairs.out", expected);
            free(expected.bytes);
            assert_int_equal(report.read, SAMPLES);
            assert_int_equal(report.written, SAMPLES);
            assert_int_equal(report.bad, 0);
            assert_int_equal(report.lost, holds(from) & ~holds(to));
            assert_int_equal(report.missing, holds(to) & ~holds(from));
        }
    }
}

TEST(test_threads) {
    struct buffer source = records_of(KZ_SHOGI_RECORD_PSV, 0, SAMPLES, ~0U);
    put_file("threads.psv", source.bytes, source.size);
    struct buffer expected = records_of(KZ_SHOGI_RECORD_SSPV, 0, SAMPLES, ~0U);
    struct buffer texts = records_of(KZ_SHOGI_RECORD_PLAIN, 0, SAMPLES, ~0U);
    for (int threads = 1; threads <= 7; threads += 3) {
        kz_shogi_file_options options = {.threads = threads};
        assert_int_equal(convert("threads.psv", KZ_SHOGI_RECORD_PSV, "threads.sspv", KZ_SHOGI_RECORD_SSPV, options),
                         KZ_OK);
        assert_file("threads.sspv", expected);
        assert_int_equal(convert("threads.psv", KZ_SHOGI_RECORD_PSV, "threads.plain", KZ_SHOGI_RECORD_PLAIN, options),
                         KZ_OK);
        assert_file("threads.plain", texts);
    }
    free(source.bytes);
    free(expected.bytes);
    free(texts.bytes);
    assert_int_equal(convert("threads.psv", KZ_SHOGI_RECORD_PSV, "threads.sspv", KZ_SHOGI_RECORD_SSPV,
                             (kz_shogi_file_options){.threads = 100000}),
                     KZ_ERR_INPUT);
}

TEST(test_first_and_count) {
    static const kz_shogi_record records[] = {KZ_SHOGI_RECORD_PSV, KZ_SHOGI_RECORD_SFEN, KZ_SHOGI_RECORD_PLAIN};
    static const struct {
        uint64_t first, count;
    } parts[] = {{0, 1}, {5, 0}, {100, 4096}, {2047, 2}, {SAMPLES - 1, 5}, {SAMPLES, 0}, {SAMPLES + 9, 3}};
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        struct buffer source = records_of(records[i], 0, SAMPLES, ~0U);
        put_file("part.in", source.bytes, source.size);
        free(source.bytes);
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
            kz_shogi_source from = source_of("part.in", records[i]);
            from.first = parts[k].first;
            from.count = parts[k].count;
            kz_shogi_target to = target_of("part.sspf", KZ_SHOGI_RECORD_SSPF);
            to.replace = true;
            kz_shogi_file_options options = {.threads = 3};
            assert_int_equal(convert_as(&from, &to, &options), KZ_OK);
            size_t begin = from.first < SAMPLES ? from.first : SAMPLES;
            size_t end = from.count != 0 && from.count < SAMPLES - begin ? begin + from.count : SAMPLES;
            assert_int_equal(report.read, end - begin);
            struct buffer expected = records_of(KZ_SHOGI_RECORD_SSPF, begin, end, 0);
            assert_file("part.sspf", expected);
            free(expected.bytes);
        }
    }
}

/* ---- Bad records ------------------------------------------------------------------------------------------------- */

/* Samples without those at these places. */
static struct buffer all_but(kz_shogi_record record, unsigned kept, const size_t *places, size_t count) {
    struct buffer all = {malloc((size_t)SAMPLES * KZ_SHOGI_PLAIN_BYTES), 0};
    assert_non_null(all.bytes);
    for (size_t i = 0, next = 0; i < SAMPLES; i++) {
        if (next < count && places[next] == i) {
            next++;
            continue;
        }
        struct buffer one = records_of(record, i, i + 1, kept);
        memcpy(all.bytes + all.size, one.bytes, one.size);
        all.size += one.size;
        free(one.bytes);
    }
    return all;
}

static const size_t bad_places[] = {0, 17, 2047, 2048, 4095, 5000, 5001, 5002, 5003, 6000, 6144, SAMPLES - 1};
enum { BAD_PLACES = sizeof bad_places / sizeof *bad_places };

TEST(test_bad_records) {
    struct buffer source = records_of(KZ_SHOGI_RECORD_PSV, 0, SAMPLES, ~0U);
    for (int i = 0; i < BAD_PLACES; i++) {
        uint8_t *record = source.bytes + 40 * bad_places[i];
        record[0] = 0xFE; /* black's king on square 127 */
    }
    put_file("bad.psv", source.bytes, source.size);
    free(source.bytes);
    struct buffer expected = all_but(KZ_SHOGI_RECORD_HCPE, ~0U, bad_places, BAD_PLACES);
    for (int threads = 1; threads <= 3; threads++) {
        kz_shogi_file_options options = {.threads = threads, .skip_bad = true};
        assert_int_equal(convert("bad.psv", KZ_SHOGI_RECORD_PSV, "bad.hcpe", KZ_SHOGI_RECORD_HCPE, options), KZ_OK);
        assert_file("bad.hcpe", expected);
        assert_int_equal(report.read, SAMPLES);
        assert_int_equal(report.bad, BAD_PLACES);
        assert_int_equal(report.written, SAMPLES - BAD_PLACES);
        assert_int_equal(report.defects[KZ_SHOGI_KING_SQUARE], BAD_PLACES);
        assert_int_equal(report.offender_count, KZ_SHOGI_OFFENDERS);
        for (int i = 0; i < KZ_SHOGI_OFFENDERS; i++) {
            assert_int_equal(report.offenders[i].index, bad_places[i]);
            assert_int_equal(report.offenders[i].defect, KZ_SHOGI_KING_SQUARE);
        }
        unlink("bad.hcpe");

        kz_shogi_source from = source_of("bad.psv", KZ_SHOGI_RECORD_PSV);
        kz_shogi_target to = target_of("bad.hcpe", KZ_SHOGI_RECORD_HCPE);
        options.skip_bad = false;
        from.first = 3000;
        assert_int_equal(convert_as(&from, &to, &options), KZ_ERR_CORRUPT);
        assert_message("record 4096 of bad.psv: ");
        assert_nothing_left("bad.hcpe");
    }
    free(expected.bytes);
}

/* Records that are fine, but not for the target. */
TEST(test_what_a_target_cannot_hold) {
    struct sample *odd = &samples[3000];
    struct sample before = *odd;
    odd->position.board[0] = KZ_SHOGI_EMPTY;
    odd->position.hand[0][KZ_SHOGI_PAWN] = 0;
    odd->position.hand[1][KZ_SHOGI_PAWN] = 0;
    for (int square = 0; square < KZ_SHOGI_SQUARES; square++) {
        if ((odd->position.board[square] & ~KZ_SHOGI_WHITES) == KZ_SHOGI_CODE_PAWN) {
            odd->position.board[square] = KZ_SHOGI_EMPTY;
        }
    }
    struct buffer source = records_of(KZ_SHOGI_RECORD_PSFEN, 0, SAMPLES, 0);
    struct buffer whole = records_of(KZ_SHOGI_RECORD_SSPFX, 0, SAMPLES, 0);
    *odd = before;
    put_file("handicap.psfen", source.bytes, source.size);
    kz_shogi_file_options options = {.threads = 2};
    assert_int_equal(convert("handicap.psfen", KZ_SHOGI_RECORD_PSFEN, "handicap.sspfx", KZ_SHOGI_RECORD_SSPFX, options),
                     KZ_OK);
    assert_file("handicap.sspfx", whole);
    assert_int_equal(convert("handicap.psfen", KZ_SHOGI_RECORD_PSFEN, "handicap.sspf", KZ_SHOGI_RECORD_SSPF, options),
                     KZ_ERR_CORRUPT);
    assert_message("record 3001 of handicap.psfen: ");
    assert_message(kz_shogi_defect_text(KZ_SHOGI_REMOVED));
    options.skip_bad = true;
    assert_int_equal(convert("handicap.psfen", KZ_SHOGI_RECORD_PSFEN, "handicap.sspf", KZ_SHOGI_RECORD_SSPF, options),
                     KZ_OK);
    assert_int_equal(report.defects[KZ_SHOGI_REMOVED], 1);
    assert_int_equal(report.offenders[0].index, 3000);
    struct buffer expected = all_but(KZ_SHOGI_RECORD_SSPF, 0, (size_t[]){3000}, 1);
    assert_file("handicap.sspf", expected);
    free(source.bytes);
    free(whole.bytes);
    free(expected.bytes);
}

TEST(test_legal) {
    struct sample before = samples[10];
    uint64_t random = 5;
    do {
        samples[10].position = shogi_random_position(&random, shogi_random_wishes[0]);
    } while (kz_shogi_check_legal(&samples[10].position) == KZ_SHOGI_FINE);
    kz_shogi_defect defect = kz_shogi_check_legal(&samples[10].position);
    static const kz_shogi_record records[] = {KZ_SHOGI_RECORD_SSPF, KZ_SHOGI_RECORD_SFEN};
    for (int i = 0; i < 2; i++) {
        struct buffer source = records_of(records[i], 0, 20, ~0U);
        put_file("legal.in", source.bytes, source.size);
        free(source.bytes);
        kz_shogi_file_options options = {.threads = 1};
        assert_int_equal(convert("legal.in", records[i], "legal.hcp", KZ_SHOGI_RECORD_HCP, options), KZ_OK);
        options.legal = true;
        assert_int_equal(convert("legal.in", records[i], "legal.hcp", KZ_SHOGI_RECORD_HCP, options), KZ_ERR_CORRUPT);
        assert_message(i == 0 ? "record 11 of legal.in: " : "line 11 of legal.in: ");
        options.skip_bad = true;
        assert_int_equal(convert("legal.in", records[i], "legal.hcp", KZ_SHOGI_RECORD_HCP, options), KZ_OK);
        assert_int_equal(report.defects[defect], 1);
        assert_int_equal(report.written, 19);
    }
    samples[10] = before;
}

TEST(test_trailing_bytes) {
    struct buffer source = records_of(KZ_SHOGI_RECORD_HCPE, 0, 3000, ~0U);
    put_file("cut.hcpe", source.bytes, source.size - 1);
    free(source.bytes);
    kz_shogi_file_options options = {.threads = 2};
    unlink("cut.sspf");
    assert_int_equal(convert("cut.hcpe", KZ_SHOGI_RECORD_HCPE, "cut.sspf", KZ_SHOGI_RECORD_SSPF, options),
                     KZ_ERR_CORRUPT);
    assert_message("record 3000 of cut.hcpe: the file is cut short: it ends after 37 bytes of this record");
    assert_nothing_left("cut.sspf");
    options.skip_bad = true;
    assert_int_equal(convert("cut.hcpe", KZ_SHOGI_RECORD_HCPE, "cut.sspf", KZ_SHOGI_RECORD_SSPF, options), KZ_OK);
    assert_int_equal(report.trailing, 37);
    assert_int_equal(report.bad, 1);
    assert_int_equal(report.defects[KZ_SHOGI_TRUNCATED], 1);
    assert_int_equal(report.offenders[0].index, 2999);
    struct buffer expected = records_of(KZ_SHOGI_RECORD_SSPF, 0, 2999, 0);
    assert_file("cut.sspf", expected);
    free(expected.bytes);
    /* Nobody asked for the last one. */
    kz_shogi_source from = source_of("cut.hcpe", KZ_SHOGI_RECORD_HCPE);
    kz_shogi_target to = target_of("cut2.sspf", KZ_SHOGI_RECORD_SSPF);
    from.count = 2999;
    options.skip_bad = false;
    assert_int_equal(convert_as(&from, &to, &options), KZ_OK);
    assert_int_equal(report.trailing, 0);
}

/* ---- Notes ------------------------------------------------------------------------------------------------------- */

TEST(test_dialects) {
    struct sample drop = {.position = kz_shogi_start()};
    drop.note = (kz_shogi_note){.move = {.from = KZ_SHOGI_SQUARES + KZ_SHOGI_GOLD, .to = 40}, .has = KZ_SHOGI_HAS_MOVE};
    uint8_t record[KZ_SHOGI_PLAIN_BYTES];
    write_record(KZ_SHOGI_RECORD_PSV, &drop, record);
    /* A drop of a gold: type 7, with bit 14; from 88; from 87. */
    static const unsigned bits[] = {7U << 7 | 40 | 1U << 14, 88U << 7 | 40, 87U << 7 | 40};
    for (kz_shogi_dialect from = 0; from < KZ_SHOGI_DIALECTS; from++) {
        record[34] = (uint8_t)bits[from];
        record[35] = (uint8_t)(bits[from] >> 8);
        put_file("dialect.psv", record, 40);
        for (kz_shogi_dialect to = 0; to < KZ_SHOGI_DIALECTS; to++) {
            kz_shogi_source source = source_of("dialect.psv", KZ_SHOGI_RECORD_PSV);
            kz_shogi_target target = target_of("dialect.sspv", KZ_SHOGI_RECORD_SSPV);
            kz_shogi_file_options options = {.threads = 1};
            source.dialect = from;
            target.dialect = to;
            target.replace = true;
            assert_int_equal(convert_as(&source, &target, &options), KZ_OK);
            struct buffer got = read_file("dialect.sspv");
            assert_int_equal(got.bytes[34] | got.bytes[35] << 8, bits[to]);
            free(got.bytes);
        }
    }
    /* In YaneuraOu's dialect there is no `from` 87. */
    assert_int_equal(convert("dialect.psv", KZ_SHOGI_RECORD_PSV, "dialect.sspv", KZ_SHOGI_RECORD_SSPV,
                             (kz_shogi_file_options){.threads = 1}),
                     KZ_ERR_CORRUPT);
    assert_message(kz_shogi_defect_text(KZ_SHOGI_BAD_MOVE));
}

/* What says nothing is not lost, and what a dialect can't say is. */
TEST(test_what_is_lost) {
    struct sample sample = {.position = kz_shogi_start()};
    sample.note = (kz_shogi_note){.ply = 1, .move = {.special = KZ_SHOGI_NONE}, .has = 0x3F};
    uint8_t record[KZ_SHOGI_PLAIN_BYTES];
    kz_shogi_file_options options = {.threads = 1};
    write_record(KZ_SHOGI_RECORD_PSV, &sample, record);
    put_file("lost.psv", record, 40);
    assert_int_equal(convert("lost.psv", KZ_SHOGI_RECORD_PSV, "lost.sspf", KZ_SHOGI_RECORD_SSPF, options), KZ_OK);
    assert_int_equal(report.lost, KZ_SHOGI_HAS_SCORE | KZ_SHOGI_HAS_PLY | KZ_SHOGI_HAS_RESULT);
    sample.note.move = (kz_shogi_move){.special = KZ_SHOGI_RESIGNS};
    sample.note.extra = 1;
    write_record(KZ_SHOGI_RECORD_PSV, &sample, record);
    put_file("lost.psv", record, 40);
    assert_int_equal(convert("lost.psv", KZ_SHOGI_RECORD_PSV, "lost.sspv", KZ_SHOGI_RECORD_SSPV, options), KZ_OK);
    assert_int_equal(report.lost, 0);
    assert_int_equal(convert("lost.psv", KZ_SHOGI_RECORD_PSV, "lost.hcpe", KZ_SHOGI_RECORD_HCPE, options), KZ_OK);
    bool no_bits = kz_shogi_write_move(KZ_SHOGI_APERY, sample.note.move) == 0;
    assert_int_equal(report.lost, KZ_SHOGI_HAS_PLY | KZ_SHOGI_HAS_EXTRA | (no_bits ? (unsigned)KZ_SHOGI_HAS_MOVE : 0U));

    uint8_t spare[KZ_SHOGI_PLAIN_BYTES];
    write_record(KZ_SHOGI_RECORD_SSPFC, &sample, spare);
    kz_shogi_sspfc_set_spare(spare, 42);
    put_file("spare.sspfc", spare, 32);
    assert_int_equal(convert("spare.sspfc", KZ_SHOGI_RECORD_SSPFC, "copy.sspfc", KZ_SHOGI_RECORD_SSPFC, options),
                     KZ_OK);
    assert_file("copy.sspfc", (struct buffer){spare, 32});
    assert_int_equal(report.lost, 0);
    assert_int_equal(convert("spare.sspfc", KZ_SHOGI_RECORD_SSPFC, "spare.sspf", KZ_SHOGI_RECORD_SSPF, options), KZ_OK);
    assert_int_equal(report.lost, KZ_SHOGI_HAS_SPARE);
    assert_int_equal(convert("spare.sspfc", KZ_SHOGI_RECORD_SSPFC, "spare.sfen", KZ_SHOGI_RECORD_SFEN, options), KZ_OK);
    assert_int_equal(report.lost, KZ_SHOGI_HAS_SPARE);
}

/* ---- Texts and games --------------------------------------------------------------------------------------------- */

TEST(test_texts) {
    static const char sfens[] = "startpos\r\n\n  \n"
                                "nonsense\n"
                                "position startpos moves 7g7f\n"
                                "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"; /* no line end */
    put_file("some.sfen", sfens, sizeof sfens - 1);
    kz_shogi_file_options options = {.threads = 2};
    assert_int_equal(convert("some.sfen", KZ_SHOGI_RECORD_SFEN, "some.psv", KZ_SHOGI_RECORD_PSV, options),
                     KZ_ERR_CORRUPT);
    assert_message("line 4 of some.sfen: ");
    options.skip_bad = true;
    assert_int_equal(convert("some.sfen", KZ_SHOGI_RECORD_SFEN, "some.psv", KZ_SHOGI_RECORD_PSV, options), KZ_OK);
    assert_int_equal(report.read, 4);
    assert_int_equal(report.written, 3);
    assert_int_equal(report.offenders[0].index, 4);
    assert_true(report.offenders[0].reason[0] != '\0');

    static const char plain[] = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n"
                                "move 7g7f\nscore 12\nply 1\nresult 1\ne\n\n"
                                "sfen nonsense\nmove 7g7f\ne\n"
                                "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\n"; /* no end */
    put_file("some.plain", plain, sizeof plain - 1);
    assert_int_equal(convert("some.plain", KZ_SHOGI_RECORD_PLAIN, "some.psv", KZ_SHOGI_RECORD_PSV, options), KZ_OK);
    assert_int_equal(report.read, 3);
    assert_int_equal(report.written, 1);
    assert_int_equal(report.offenders[0].index, 8);
    assert_int_equal(report.offenders[1].index, 11);
    assert_int_equal(report.offenders[1].defect, KZ_SHOGI_TRUNCATED);
}

/* Rooks that go to and fro: every fourth position is the first. */
static const char *const to_and_fro[] = {"2h3h", "8b7b", "3h2h", "7b8b"};

/* A line that is longer than the pieces in which texts are read, between short ones. */
TEST(test_long_line) {
    enum { MOVES = 120001 };
    char *text = malloc(MOVES * 5 + 200);
    assert_non_null(text);
    size_t length = (size_t)sprintf(text, "startpos\nstartpos moves");
    for (int i = 0; i < MOVES; i++) {
        length += (size_t)sprintf(text + length, " %s", to_and_fro[i % 4]);
    }
    length += (size_t)sprintf(text + length, "\nstartpos moves 2h3h\n");
    put_file("long.sfen", text, length);
    free(text);
    assert_int_equal(convert("long.sfen", KZ_SHOGI_RECORD_SFEN, "long.sspf", KZ_SHOGI_RECORD_SSPF,
                             (kz_shogi_file_options){.threads = 2}),
                     KZ_OK);
    struct buffer got = read_file("long.sspf");
    assert_int_equal(got.size, 3 * 32);
    assert_memory_equal(got.bytes + 32, got.bytes + 64, 32);
    assert_memory_not_equal(got.bytes, got.bytes + 32, 32);
    free(got.bytes);
}

/* A game of hcpe3 with so many moves that it takes several batches, twice, between short ones. */
static size_t add_game(uint8_t *bytes, unsigned moves) {
    struct sample start = {.position = kz_shogi_start()};
    memset(bytes, 0, 36);
    write_record(KZ_SHOGI_RECORD_HCP, &start, bytes);
    bytes[32] = (uint8_t)moves;
    bytes[33] = (uint8_t)(moves >> 8);
    bytes[34] = 1; /* black wins */
    size_t size = 36;
    for (unsigned i = 0; i < moves; i++) {
        kz_shogi_move move;
        assert_int_equal(kz_shogi_parse_move(to_and_fro[i % 4], 4, &move, NULL), KZ_OK);
        unsigned bits = kz_shogi_write_move(KZ_SHOGI_APERY, move);
        unsigned candidates = i % 3;
        const uint8_t head[6] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)i, 0, (uint8_t)candidates, 0};
        memcpy(bytes + size, head, 6);
        memset(bytes + size + 6, 0, 4 * candidates);
        size += 6 + 4 * (size_t)candidates;
    }
    return size;
}

TEST(test_games) {
    static const unsigned lengths[] = {3, 5000, 0, 1, 2048, 9000, 2};
    uint8_t *bytes = calloc(1, 500000);
    assert_non_null(bytes);
    size_t size = 0;
    size_t count = 0;
    size_t without = 0;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size += add_game(bytes + size, lengths[i]);
        count += lengths[i];
        without += (lengths[i] + 2) / 3; /* every third move, from the first on, has no candidates */
    }
    put_file("games.hcpe3", bytes, size);
    /* Moves without candidates are passed over, and counted. */
    for (int threads = 1; threads <= 3; threads++) {
        assert_int_equal(convert("games.hcpe3", KZ_SHOGI_RECORD_HCPE3, "games.psv", KZ_SHOGI_RECORD_PSV,
                                 (kz_shogi_file_options){.threads = threads}),
                         KZ_OK);
        assert_int_equal(report.written, count - without);
        assert_int_equal(report.read, count - without);
        assert_int_equal(report.unsearched, without);
        struct buffer got = read_file("games.psv");
        for (size_t at = 0; at < got.size / 40; at++) {
            assert_int_not_equal((got.bytes[40 * at + 36] | got.bytes[40 * at + 37] << 8) % 3, 1);
        }
        free(got.bytes);
    }
    for (int threads = 1; threads <= 3; threads++) {
        assert_int_equal(convert("games.hcpe3", KZ_SHOGI_RECORD_HCPE3, "games.psv", KZ_SHOGI_RECORD_PSV,
                                 (kz_shogi_file_options){.threads = threads, .unsearched = true}),
                         KZ_OK);
        assert_int_equal(report.written, count);
        assert_int_equal(report.unsearched, 0);
        struct buffer got = read_file("games.psv");
        assert_int_equal(got.size, 40 * count);
        size_t at = 0;
        for (size_t game = 0; game < sizeof lengths / sizeof *lengths; game++) {
            for (unsigned i = 0; i < lengths[game]; i++, at++) {
                const uint8_t *record = got.bytes + 40 * at;
                assert_int_equal(record[32], i & 0xFF);
                assert_int_equal(record[36] | record[37] << 8, i + 1);
                assert_int_equal((int8_t)record[38], i % 2 ? -1 : 1);
            }
        }
        free(got.bytes);
    }
    /* A part of it, and a game that is cut off. */
    kz_shogi_source source = source_of("games.hcpe3", KZ_SHOGI_RECORD_HCPE3);
    kz_shogi_target target = target_of("some.psv", KZ_SHOGI_RECORD_PSV);
    kz_shogi_file_options options = {.threads = 2, .unsearched = true};
    source.first = 1000;
    source.count = 9000;
    target.replace = true;
    assert_int_equal(convert_as(&source, &target, &options), KZ_OK);
    struct buffer all = read_file("games.psv");
    assert_file("some.psv", (struct buffer){all.bytes + 40 * 1000, 40 * 9000});
    free(all.bytes);
    options.skip_bad = true;
    /* A move that can't be made in the second game, which begins after one of 3 moves with 0, 1 and 2 candidates; its
     * tenth move is behind moves with 9 candidates in all. */
    size_t tenth = 36 + 3 * 6 + 3 * 4 + 36 + 9 * 6 + 9 * 4;
    bytes[tenth] ^= 0x7F;
    put_file("games.hcpe3", bytes, size);
    assert_int_equal(convert("games.hcpe3", KZ_SHOGI_RECORD_HCPE3, "games.psv", KZ_SHOGI_RECORD_PSV, options), KZ_OK);
    assert_int_equal(report.bad, 1);
    assert_int_equal(report.lost_positions, 5000 - 9);
    assert_int_equal(report.written, count - (5000 - 9));
    assert_non_null(strstr(report.offenders[0].reason, "4991 positions of the game are lost"));
    bytes[tenth] ^= 0x7F;
    put_file("games.hcpe3", bytes, size - 1);
    free(bytes);
    assert_int_equal(convert("games.hcpe3", KZ_SHOGI_RECORD_HCPE3, "games.psv", KZ_SHOGI_RECORD_PSV, options), KZ_OK);
    assert_int_equal(report.written, count - 2);
    assert_int_equal(report.defects[KZ_SHOGI_TRUNCATED], 1);
}

TEST(test_game_files) {
    static const char csa[] = "V2.2\nPI\n+\n+7776FU\n-3334FU\n+8822UM\n%TORYO\n";
    put_file("game.csa", csa, sizeof csa - 1);
    kz_shogi_file_options options = {.threads = 2};
    assert_int_equal(convert("game.csa", KZ_SHOGI_RECORD_CSA, "game.sfen", KZ_SHOGI_RECORD_SFEN, options), KZ_OK);
    uint8_t sfens[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n"
                      "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n"
                      "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\n";
    assert_file("game.sfen", (struct buffer){sfens, sizeof sfens - 1});
    static const char bad[] = "V2.2\nPI\n+\n+7776FU\n-3374FU\n";
    put_file("game.csa", bad, sizeof bad - 1);
    assert_int_equal(convert("game.csa", KZ_SHOGI_RECORD_CSA, "game.sfen", KZ_SHOGI_RECORD_SFEN, options),
                     KZ_ERR_CORRUPT);
    assert_message("line 5");
    assert_int_equal(convert("game.csa", KZ_SHOGI_RECORD_CSA, "game.ki2", KZ_SHOGI_RECORD_KI2, options),
                     KZ_ERR_UNSUPPORTED);
    assert_message("ki2 can be read, but not written");
}

TESTS(make_samples, NULL)
