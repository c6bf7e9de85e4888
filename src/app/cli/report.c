/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <inttypes.h>
#include <stdarg.h>

enum { LABEL_COLUMNS = 14, NUMBER_COLUMNS = 15 };

cli_report report_begin(FILE *stream, bool as_json) {
    cli_report report = {.json = json_start(as_json ? stream : NULL),
                         .text = as_json ? NULL : stream,
                         .label = LABEL_COLUMNS,
                         .width = NUMBER_COLUMNS};
    json_object(&report.json, NULL);
    return report;
}

void report_end(cli_report *report) {
    report_end_row(report);
    json_finish(&report->json);
}

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

void report_line(cli_report *report, const char *format, ...) {
    if (report->text) {
        va_list arguments;
        va_start(arguments, format);
        vfprintf(report->text, format, arguments);
        va_end(arguments);
    }
}

void report_count(cli_report *report, const char *key, const char *label, uint64_t count, const char *unit) {
    char text[THOUSANDS_BYTES];
    report_line(report, "%-*s %*s%s\n", report->label, label, report->width, format_thousands(count, text), unit);
    if (key) {
        json_unsigned(&report->json, key, count);
    }
}

void report_seconds(cli_report *report, const char *key, const char *label, double seconds) {
    report_line(report, "%-*s %*.2f s\n", report->label, label, report->width, seconds);
    json_double(&report->json, key, seconds);
}

void report_field(cli_report *report, const char *key, const char *label, const char *text) {
    report_line(report, "%-*s %s\n", report->label, label, text);
    json_text(&report->json, key, text);
}

void report_tally(cli_report *report, const char *key, uint64_t count, const char *meaning) {
    char text[THOUSANDS_BYTES];
    report_line(report, "%15s  %s\n", format_thousands(count, text), meaning);
    json_unsigned(&report->json, key, count);
}

void report_game(cli_report *report, const kz_game *game, int rules) {
    json_text(&report->json, "game", kz_game_name(game));
    json_text(&report->json, "rules", kz_rules_name(game, rules));
}

void report_title(cli_report *report, const kz_game *game, int rules) {
    report_line(report, "%s, %s rules\n", kz_game_name(game), kz_rules_name(game, rules));
    report_game(report, game, rules);
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

void report_list(cli_report *report, const char *key) { json_array(&report->json, key); }
void report_end_list(cli_report *report) { json_end_array(&report->json); }
void report_row(cli_report *report) { json_object(&report->json, NULL); }

void report_end_row(cli_report *report) {
    if (report->columns > 0) {
        report_line(report, "\n");
    }
    report->columns = 0;
    json_end_object(&report->json);
}

static void print_column(cli_report *report, const char *text) {
    report_line(report, "%s%s", report->columns++ > 0 ? "\t" : "", text);
}

void report_text(cli_report *report, const char *key, const char *text) {
    print_column(report, text ? text : "-");
    if (key) {
        json_text(&report->json, key, text);
    }
}

void report_number(cli_report *report, const char *key, uint64_t number) {
    char digits[THOUSANDS_BYTES];
    snprintf(digits, sizeof digits, "%" PRIu64, number);
    print_column(report, digits);
    if (key) {
        json_unsigned(&report->json, key, number);
    }
}

void report_value(cli_report *report, const kz_game *game, kz_value value) {
    char text[VALUE_BYTES];
    print_column(report, format_value(game, value, text));
    json_value(&report->json, game, value);
}

/* ---- Values and numbers ------------------------------------------------------------------------------------------ */

static bool has_distance(kz_value value) { return value.outcome == KZ_WIN || value.outcome == KZ_LOSS; }

const char *format_value(const kz_game *game, kz_value value, char text[VALUE_BYTES]) {
    if (has_distance(value)) {
        snprintf(text, VALUE_BYTES, "%s %d", kz_outcome_name(value.outcome), kz_distance_shown(game, value));
    } else {
        snprintf(text, VALUE_BYTES, "%s", kz_outcome_name(value.outcome));
    }
    return text;
}

void json_value(cli_json *json, const kz_game *game, kz_value value) {
    json_text(json, "value", kz_outcome_name(value.outcome));
    if (has_distance(value)) {
        json_integer(json, "distance", kz_distance_shown(game, value));
    } else {
        json_null(json, "distance");
    }
}

void json_value_object(cli_json *json, const char *key, const kz_game *game, kz_value value) {
    json_object(json, key);
    json_value(json, game, value);
    json_end_object(json);
}

double time_in_units(double seconds, const char **unit) {
    enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };
    static const struct {
        const char *name;
        int seconds;
    } units[] = {{"s", 1}, {"min", MINUTE}, {"h", HOUR}, {"days", DAY}};
    int i = seconds < 2 * MINUTE ? 0 : seconds < 2 * HOUR ? 1 : seconds < 2 * DAY ? 2 : 3;
    *unit = units[i].name;
    return seconds / units[i].seconds;
}

const char *format_thousands(uint64_t number, char text[THOUSANDS_BYTES]) {
    char digits[THOUSANDS_BYTES];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    char *out = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            *out++ = ',';
        }
        *out++ = digits[i];
    }
    *out = '\0';
    return text;
}
