/* SPDX-License-Identifier: MIT
 *
 * Random positions of all kinds through every format and path. test_heavy_shogi_roundtrip.c has many more. */
#include "shogi/tests/support/shogi_roundtrip.h"

/* Sanitizers make everything slow, and find what they find with few positions. (The macro is gcc's.) */
#ifdef __SANITIZE_ADDRESS__
enum { EACH = 500 };
#else
enum { EACH = 5000 };
#endif

TEST(test_every_kind_of_position) {
    uint64_t seed = 30;
    for (unsigned i = 0; i < SHOGI_RANDOM_WISHES; i++) {
        shogi_check_wish(&seed, shogi_random_wishes[i], EACH);
    }
}

/* Positions that a format can't hold among those that it can. */
TEST(test_mixed) {
    static shogi_batch batch;
    uint64_t seed = 31;
    for (unsigned round = 0; round < EACH / 50; round++) {
        batch.count = 1 + shogi_random_below(&seed, BATCH);
        for (size_t i = 0; i < batch.count; i++) {
            batch.positions[i] = shogi_random_position(&seed, shogi_random_wishes[0]);
        }
        size_t odd = shogi_random_below(&seed, (unsigned)batch.count);
        batch.positions[odd] = shogi_random_any(&seed);
        shogi_check_batch(&batch, &seed);
    }
}

TEST(test_games) {
    shogi_walker walker = {.state = 32};
    shogi_check_walk(&walker, EACH);
}

TEST(test_random_bytes) {
    uint64_t seed = 33;
    for (unsigned i = 0; i < 10 * EACH; i++) {
        uint8_t record[RECORD];
        for (unsigned j = 0; j < RECORD; j++) {
            record[j] = (uint8_t)shogi_random(&seed);
        }
        for (unsigned format = 0; format < KZ_SHOGI_FORMATS; format++) {
            shogi_keep(shogi_broken_by_record((kz_shogi_format)format, record));
        }
    }
}

TEST(test_names) {
    static const char *const names[KZ_SHOGI_FORMATS] = {"sspf", "sspfx", "sspfc", "psfen", "hcp"};
    for (unsigned format = 0; format < KZ_SHOGI_FORMATS; format++) {
        assert_string_equal(kz_shogi_format_name((kz_shogi_format)format), names[format]);
        const kz_shogi_codec *best = kz_shogi_codec_for((kz_shogi_format)format, NULL);
        assert_non_null(best);
        assert_ptr_equal(kz_shogi_codec_for((kz_shogi_format)format, best->path), best);
        assert_null(kz_shogi_codec_for((kz_shogi_format)format, "abacus"));
        for (unsigned path = 0; path < SHOGI_PATHS; path++) {
            const kz_shogi_codec *codec = kz_shogi_codec_for((kz_shogi_format)format, shogi_paths[path]);
            if (codec) {
                assert_int_equal(codec->format, format);
                assert_string_equal(codec->name, names[format]);
                assert_string_equal(codec->path, shogi_paths[path]);
            }
        }
    }
}

TESTS(NULL, NULL)
