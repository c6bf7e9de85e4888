/* SPDX-License-Identifier: MIT
 *
 * Spans, numbers, lines and random numbers of the base layer. */
#include "base/random.h"
#include "base/text.h"
#include "tests/support/testing.h"

#include <kanzen/game.h>
#include <string.h>

static kz_span span(const char *text) { return (kz_span){text, strlen(text)}; }

static bool is_number(const char *text, uint64_t least, uint64_t most, uint64_t expected) {
    uint64_t number = 77;
    bool read = kz_span_number(span(text), least, most, &number);
    assert_true(read ? number == expected : number == 77);
    return read;
}

TEST(test_numbers) {
    assert_true(is_number("0", 0, 0, 0));
    assert_true(is_number("0042", 1, 42, 42));
    assert_true(is_number("18446744073709551615", 0, UINT64_MAX, UINT64_MAX));
    static const char *const bad[] = {
        "", " 1", "1 ", "+1", "-1", "1.", "0x1", "18446744073709551616", "99999999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(is_number(bad[i], 0, UINT64_MAX, 0));
    }
    assert_false(is_number("4", 5, 9, 0));
    assert_false(is_number("10", 5, 9, 0));
    assert_false(is_number("7", 0, 5, 0));
}

TEST(test_digits) {
    uint64_t number;
    kz_span text = span("12. e4");
    assert_true(kz_span_digits(&text, 12, &number));
    assert_int_equal(number, 12);
    assert_true(kz_span_is(text, ". e4"));
    assert_false(kz_span_digits(&text, 12, &number));
    assert_true(kz_span_is(text, ". e4"));
    text = span("13");
    assert_false(kz_span_digits(&text, 12, &number)); /* too large: nothing is stepped over */
    assert_true(kz_span_is(text, "13"));
}

TEST(test_spans) {
    assert_true(kz_span_is(kz_span_trimmed(span("\r\n\t a b \r\n")), "a b"));
    assert_true(kz_span_is(kz_span_end_trimmed(span(" a\t\r")), " a"));
    assert_int_equal(kz_span_trimmed(span(" \t")).length, 0);
    kz_span rest = span("  go  infinite\n");
    assert_true(kz_span_is(kz_span_word(&rest), "go"));
    assert_true(kz_span_is(kz_span_word(&rest), "infinite"));
    assert_int_equal(kz_span_word(&rest).length, 0);
    assert_int_equal(rest.length, 0);
}

TEST(test_lines) {
    static const char text[] = "\xef\xbb\xbf"
                               "one\r\n\ntwo \nlast";
    static const char *const expected[] = {"one", "", "two ", "last"};
    kz_lines lines = kz_lines_of(text, sizeof text - 1, NULL);
    for (size_t i = 0; i < 4; i++) {
        assert_true(kz_next_line(&lines));
        assert_int_equal(lines.number, i + 1);
        assert_true(kz_span_is(lines.line, expected[i]));
    }
    assert_false(kz_next_line(&lines));
}

/* The first results for the seed 0, as the author of splitmix64 and others publish them. */
TEST(test_splitmix64) {
    uint64_t seed = 0;
    assert_true(kz_splitmix64(&seed) == UINT64_C(0xE220A8397B1DCDAF));
    assert_true(kz_splitmix64(&seed) == UINT64_C(0x6E789E6AA1B965F4));
    assert_true(kz_splitmix64(&seed) == UINT64_C(0x06C45D188009454F));
}

TEST(test_startpos) {
    for (size_t i = 0; kz_game_at(i); i++) {
        const kz_game *game = kz_game_at(i);
        kz_position start, read;
        static const char *const texts[] = {"startpos", " startpos", "startpos\n"};
        kz_start(game, 0, &start);
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(kz_parse(game, 0, texts[k], strlen(texts[k]), &read, NULL), KZ_OK);
            assert_true(kz_same(game, &start, &read));
        }
        assert_int_equal(kz_parse(game, 0, "startpos x", 10, &read, NULL), KZ_ERR_INPUT);
        assert_int_equal(kz_parse(game, 0, "Startpos", 8, &read, NULL), KZ_ERR_INPUT);
    }
    assert_string_equal(kz_outcome_name(KZ_LOSS), "loss");
    assert_string_equal(kz_outcome_name(KZ_UNKNOWN), "unknown");
}

TESTS(NULL, NULL)
