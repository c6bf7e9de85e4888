/* SPDX-License-Identifier: MIT
 *
 * The parts that all commands share: options, JSON and reports. */
#include "app/cli/json.h"
#include "app/cli/options.h"
#include "app/cli/report.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Options ------------------------------------------------------------------------------------------------- */

static const cli_command probe = {.name = "probe", .operands = "GAME [POSITION]"};

struct parsed {
    bool fine;
    bool json;
    const char *table;
    uint64_t threads;
    cli_arguments arguments;
    char *items[8];
};

/* Parses up to 8 items, the last one followed by NULL if there are fewer. */
static void parse(struct parsed *parsed, const char *const items[8]) {
    *parsed = (struct parsed){.threads = 99};
    parsed->arguments = (cli_arguments){.command = &probe, .items = parsed->items};
    while (parsed->arguments.count < 8 && items[parsed->arguments.count] != NULL) {
        parsed->items[parsed->arguments.count] = (char *)items[parsed->arguments.count];
        parsed->arguments.count++;
    }
    const cli_option options[] = {
        OPTION_FLAG("json", &parsed->json, "print JSON"),
        OPTION_TEXT("table", &parsed->table, "FILE", "the table"),
        OPTION_NUMBER("threads", &parsed->threads, 1, 64, "threads"),
        OPTION_END,
    };
    parsed->fine = read_options(&parsed->arguments, options, 1, 2) == STATUS_FINE;
}

TEST(test_options_and_operands_mix) {
    struct parsed parsed;
    parse(&parsed, (const char *const[8]){"dobutsu", "--threads", "64", "--table=a=b", "--json", "-"});
    assert_true(parsed.fine);
    assert_true(parsed.json);
    assert_string_equal(parsed.table, "a=b");
    assert_int_equal(parsed.threads, 64);
    assert_int_equal(parsed.arguments.count, 2);
    assert_string_equal(parsed.arguments.items[0], "dobutsu");
    assert_string_equal(parsed.arguments.items[1], "-");
}

/* Some notations write positions as numbers with a sign. */
TEST(test_negative_numbers_are_operands) {
    struct parsed parsed;
    parse(&parsed, (const char *const[8]){"-54633981701", "--json", "-0"});
    assert_true(parsed.fine);
    assert_true(parsed.json);
    assert_int_equal(parsed.arguments.count, 2);
    assert_string_equal(parsed.arguments.items[0], "-54633981701");
    assert_string_equal(parsed.arguments.items[1], "-0");
}

TEST(test_double_dash_ends_options) {
    struct parsed parsed;
    parse(&parsed, (const char *const[8]){"--table", "--", "--", "--json", "--"});
    assert_true(parsed.fine);
    assert_false(parsed.json);
    assert_string_equal(parsed.table, "--");
    assert_int_equal(parsed.arguments.count, 2);
    assert_string_equal(parsed.arguments.items[0], "--json");
    assert_string_equal(parsed.arguments.items[1], "--");
}

TEST(test_wrong_calls) {
    static const char *const wrong[][8] = {
        {NULL},                                     /* no operand */
        {"a", "b", "c"},                            /* too many */
        {"a", "--jso"},                             /* no abbreviations */
        {"a", "--jsonx"},                           /* unknown */
        {"a", "-j"},                                /* no short options */
        {"a", "--json=1"},                          /* a flag has no value */
        {"a", "--table"},                           /* the value is missing */
        {"a", "--threads", "0"},                    /* out of range */
        {"a", "--threads=65"},                      /* out of range */
        {"a", "--threads=4x"},                      /* not a number */
        {"a", "--threads="},                        /* empty */
        {"a", "--threads", "-1"},                   /* negative */
        {"a", "--threads", " 1"},                   /* white space */
        {"a", "--threads", "18446744073709551617"}, /* 2^64 + 1 */
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct parsed parsed;
        parse(&parsed, wrong[i]);
        assert_false(parsed.fine);
        assert_int_equal(parsed.threads, 99);
    }
}

TEST(test_largest_number) {
    uint64_t number = 0;
    assert_true(parse_number("18446744073709551615", 0, UINT64_MAX, &number));
    assert_true(number == UINT64_MAX);
    assert_false(parse_number("18446744073709551616", 0, UINT64_MAX, &number));
}

/* ---- JSON ---------------------------------------------------------------------------------------------------- */

struct document {
    char *text;
    size_t size;
    FILE *stream;
    cli_json json;
};

static void open_document(struct document *document) {
    document->stream = open_memstream(&document->text, &document->size);
    assert_non_null(document->stream);
    document->json = json_start(document->stream);
}

static void assert_document(struct document *document, const char *expected) {
    json_finish(&document->json);
    assert_int_equal(fclose(document->stream), 0);
    assert_string_equal(document->text, expected);
    free(document->text);
}

TEST(test_json_structure) {
    struct document document;
    open_document(&document);
    cli_json *json = &document.json;
    json_object(json, NULL);
    json_text(json, "name", "dobutsu");
    json_array(json, "moves");
    json_integer(json, NULL, INT64_MIN);
    json_unsigned(json, NULL, UINT64_MAX);
    json_object(json, NULL);
    json_end_object(json);
    json_array(json, NULL);
    json_end_array(json);
    json_end_array(json);
    json_boolean(json, "yes", true);
    json_boolean(json, "no", false);
    json_text(json, "none", NULL);
    json_end_object(json);
    assert_document(&document, "{\"name\":\"dobutsu\",\"moves\":[-9223372036854775808,18446744073709551615,{},[]],"
                               "\"yes\":true,\"no\":false,\"none\":null}\n");
}

TEST(test_json_text) {
    static const struct {
        const char *text, *expected;
    } examples[] = {
        {"", "\"\"\n"},
        {"a\"b\\c/d", "\"a\\\"b\\\\c/d\"\n"},
        {"\x01\t\n\x1f\x7f", "\"\\u0001\\u0009\\n\\u001f\\u007f\"\n"},
        {"\xe3\x83\x92\xf0\x9f\xa6\x81", "\"\xe3\x83\x92\xf0\x9f\xa6\x81\"\n"}, /* a kana, a lion */
        {"\xff\x80"
         "a",
         "\"\xef\xbf\xbd\xef\xbf\xbd"
         "a\"\n"},                                                      /* no such bytes */
        {"\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"\n"},                 /* overlong */
        {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"\n"}, /* a surrogate */
        {"\xe3\x83", "\"\xef\xbf\xbd\xef\xbf\xbd\"\n"},                 /* cut off */
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        struct document document;
        open_document(&document);
        json_text(&document.json, NULL, examples[i].text);
        assert_document(&document, examples[i].expected);
    }
    struct document document;
    open_document(&document);
    json_text_of_length(&document.json, NULL, "a\0b", 3);
    assert_document(&document, "\"a\\u0000b\"\n");
}

TEST(test_json_doubles) {
    struct document document;
    open_document(&document);
    json_array(&document.json, NULL);
    json_double(&document.json, NULL, 0.1);
    json_double(&document.json, NULL, 1.0 / 3);
    json_double(&document.json, NULL, -2);
    json_double(&document.json, NULL, NAN);
    json_double(&document.json, NULL, INFINITY);
    json_end_array(&document.json);
    assert_document(&document, "[0.1,0.3333333333333333,-2,null,null]\n");
}

/* ---- Reports ------------------------------------------------------------------------------------------------- */

static char *print_report(bool as_json) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    cli_report report = report_begin(stream, as_json);
    report_count(&report, "wins", "wins", 12345, " of them");
    report_count(&report, NULL, "in the text", 7, "");
    report_seconds(&report, "seconds", "total", 0.25);
    report_field(&report, "digest", "digest", "abc");
    report_tally(&report, "same", 1000, "are the same");
    json_boolean(&report.json, "hidden", true);
    report_line(&report, "only %s\n", "here");
    report_list(&report, "rows");
    for (unsigned row = 0; row < 2; row++) {
        report_row(&report);
        report_text(&report, "move", row == 0 ? "b2b3" : NULL);
        report_number(&report, "count", 12345 * row);
        report_text(&report, NULL, "in the text");
        report_end_row(&report);
    }
    report_end_list(&report);
    report_end(&report);
    assert_int_equal(fclose(stream), 0);
    return text;
}

TEST(test_report_as_text) {
    char *text = print_report(false);
    assert_string_equal(text, "wins                    12,345 of them\n"
                              "in the text                  7\n"
                              "total                     0.25 s\n"
                              "digest         abc\n"
                              "          1,000  are the same\n"
                              "only here\n"
                              "b2b3\t0\tin the text\n"
                              "-\t12345\tin the text\n");
    free(text);
}

TEST(test_report_as_json) {
    char *text = print_report(true);
    assert_string_equal(text, "{\"wins\":12345,\"seconds\":0.25,\"digest\":\"abc\",\"same\":1000,\"hidden\":true,"
                              "\"rows\":[{\"move\":\"b2b3\",\"count\":0},{\"move\":null,\"count\":12345}]}\n");
    free(text);
}

TESTS(NULL, NULL)
