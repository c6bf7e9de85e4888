/* SPDX-License-Identifier: MIT */
#include "games/pushfight/commands/openings.h"

#include "app/cli/common.h"

#include <inttypes.h>
#include <stdlib.h>

static kz_value value_of(unsigned byte) {
    int turns = (int)byte / 2;
    if (byte == 0) {
        return (kz_value){KZ_DRAW, 0};
    }
    return byte % 2 == 0 ? (kz_value){KZ_WIN, 2 * turns - 1} : (kz_value){KZ_LOSS, 2 * turns};
}

/* Larger is better: win soon, win late, draw, lose late, lose soon. */
static int worth_of(unsigned byte) {
    if (byte == 0) {
        return 0;
    }
    return byte % 2 == 0 ? KZ_PUSHFIGHT_VALUES - (int)byte : (int)byte - KZ_PUSHFIGHT_VALUES;
}

static int compare_bytes(const void *left, const void *right) {
    const uint8_t *a = left;
    const uint8_t *b = right;
    return worth_of(*b) - worth_of(*a);
}

static void bytes_by_worth(uint8_t bytes[KZ_PUSHFIGHT_VALUES]) {
    for (int byte = 0; byte < KZ_PUSHFIGHT_VALUES; byte++) {
        bytes[byte] = (uint8_t)byte;
    }
    qsort(bytes, KZ_PUSHFIGHT_VALUES, 1, compare_bytes);
}

void report_value_counts(cli_report *report, const kz_game *game, const uint64_t counts[KZ_PUSHFIGHT_VALUES]) {
    uint8_t bytes[KZ_PUSHFIGHT_VALUES];
    bytes_by_worth(bytes);
    report_list(report, "counts");
    for (int i = 0; i < KZ_PUSHFIGHT_VALUES; i++) {
        uint64_t count = counts[bytes[i]];
        char text[VALUE_BYTES];
        if (count > 0) {
            report_row(report);
            json_value(&report->json, game, value_of(bytes[i]));
            json_unsigned(&report->json, "byte", bytes[i]);
            report_tally(report, "count", count, format_value(game, value_of(bytes[i]), text));
            report_end_row(report);
        }
    }
    report_end_list(report);
}

/* ---- Placements in order --------------------------------------------------------------------------------------- */

/* What a placement is worth to the first player: a placement of his against the best answer, or an answer. */
typedef struct rated_placement {
    uint32_t number;
    uint8_t value;
    uint32_t answer; /* the best one to a first placement, and how the game goes after any answer */
    uint32_t wins;
    uint32_t draws;
    uint32_t losses;
} rated_placement;

static const uint8_t *values_after(const pushfight_openings *openings, uint32_t first) {
    return openings->report.values + (size_t)first * openings->report.seconds;
}

static rated_placement rate_first(const pushfight_openings *openings, uint32_t first) {
    const uint8_t *values = values_after(openings, first);
    rated_placement rated = {.number = first, .value = values[0]};
    for (uint32_t second = 0; second < openings->report.seconds; second++) {
        int worth = worth_of(values[second]);
        if (worth < worth_of(rated.value)) {
            rated.value = values[second];
            rated.answer = second;
        }
        rated.wins += worth > 0;
        rated.draws += worth == 0;
        rated.losses += worth < 0;
    }
    return rated;
}

static int compare_numbers(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

/* Best first for the first player; the number decides between equals, so that the order is always the same. */
static int compare_firsts(const void *left, const void *right) {
    const rated_placement *a = left;
    const rated_placement *b = right;
    int order = worth_of(b->value) - worth_of(a->value);
    if (order == 0) {
        order = compare_numbers(b->wins, a->wins);
    }
    if (order == 0) {
        order = compare_numbers(b->draws, a->draws);
    }
    return order != 0 ? order : compare_numbers(a->number, b->number);
}

/* Best first for the second player. */
static int compare_seconds(const void *left, const void *right) {
    const rated_placement *a = left;
    const rated_placement *b = right;
    int order = worth_of(a->value) - worth_of(b->value);
    return order != 0 ? order : compare_numbers(a->number, b->number);
}

static rated_placement *new_list(uint32_t count, kz_error *error) {
    rated_placement *list = calloc(count, sizeof *list);
    if (!list) {
        (void)out_of_memory(error);
    }
    return list;
}

/* ---- Text and JSON --------------------------------------------------------------------------------------------- */

static kz_status format_placement(const pushfight_openings *openings, int side, uint32_t number,
                                  char text[KZ_TEXT_BYTES], kz_error *error) {
    return kz_pushfight_placement_format(openings->rules, side, number, text, KZ_TEXT_BYTES, error);
}

static cli_report begin_openings(const pushfight_openings *openings, bool as_json) {
    cli_report report = report_begin(stdout, as_json);
    json_text(&report.json, "board", kz_rules_name(openings->game, openings->rules));
    return report;
}

static void end_openings(cli_report *report) {
    report_end_list(report);
    report_end(report);
}

static kz_status report_first(cli_report *report, const pushfight_openings *openings, const rated_placement *rated,
                              kz_error *error) {
    char placement[KZ_TEXT_BYTES];
    char answer[KZ_TEXT_BYTES];
    KZ_TRY(format_placement(openings, KZ_PUSHFIGHT_FIRST, rated->number, placement, error));
    KZ_TRY(format_placement(openings, KZ_PUSHFIGHT_SECOND, rated->answer, answer, error));
    report_row(report);
    report_text(report, "placement", placement);
    report_value(report, openings->game, value_of(rated->value));
    report_number(report, "wins", rated->wins);
    report_number(report, "draws", rated->draws);
    report_number(report, "losses", rated->losses);
    report_text(report, "answer", answer);
    report_end_row(report);
    return KZ_OK;
}

kz_status print_openings(const pushfight_openings *openings, bool as_json, kz_error *error) {
    const kz_pushfight_openings_report *found = &openings->report;
    rated_placement *list = new_list(found->firsts, error);
    if (!list) {
        return KZ_ERR_MEMORY;
    }
    for (uint32_t first = 0; first < found->firsts; first++) {
        list[first] = rate_first(openings, first);
    }
    qsort(list, found->firsts, sizeof *list, compare_firsts);
    cli_report report = begin_openings(openings, as_json);
    report_tally(&report, "first_placements", found->firsts, "first placements");
    report_tally(&report, "second_placements", found->seconds, "second placements");
    report_value_counts(&report, openings->game, found->counts);
    report_line(&report, "\n");
    report_list(&report, "best");
    kz_status status = KZ_OK;
    for (uint32_t i = 0; i < found->firsts && i < openings->best && status == KZ_OK; i++) {
        status = report_first(&report, openings, &list[i], error);
    }
    end_openings(&report);
    free(list);
    return status;
}

static kz_status report_second(cli_report *report, const pushfight_openings *openings, const rated_placement *rated,
                               kz_error *error) {
    char placement[KZ_TEXT_BYTES];
    KZ_TRY(format_placement(openings, KZ_PUSHFIGHT_SECOND, rated->number, placement, error));
    report_row(report);
    report_text(report, "placement", placement);
    report_value(report, openings->game, value_of(rated->value));
    report_end_row(report);
    return KZ_OK;
}

kz_status print_answers(const pushfight_openings *openings, uint32_t first, bool as_json, kz_error *error) {
    const kz_pushfight_openings_report *found = &openings->report;
    const uint8_t *values = values_after(openings, first);
    uint64_t counts[KZ_PUSHFIGHT_VALUES] = {0};
    char placement[KZ_TEXT_BYTES];
    char text[THOUSANDS_BYTES];
    KZ_TRY(format_placement(openings, KZ_PUSHFIGHT_FIRST, first, placement, error));
    rated_placement *list = new_list(found->seconds, error);
    if (!list) {
        return KZ_ERR_MEMORY;
    }
    for (uint32_t second = 0; second < found->seconds; second++) {
        list[second] = (rated_placement){.number = second, .value = values[second]};
        counts[values[second]]++;
    }
    qsort(list, found->seconds, sizeof *list, compare_seconds);
    cli_report report = begin_openings(openings, as_json);
    json_unsigned(&report.json, "first_placements", found->firsts);
    json_unsigned(&report.json, "second_placements", found->seconds);
    report_line(&report, "%15s  answers to %s\n", format_thousands(found->seconds, text), placement);
    json_text(&report.json, "first", placement);
    report_value_counts(&report, openings->game, counts);
    report_line(&report, "\n");
    report_list(&report, "best");
    kz_status status = KZ_OK;
    for (uint32_t i = 0; i < found->seconds && i < openings->best && status == KZ_OK; i++) {
        status = report_second(&report, openings, &list[i], error);
    }
    end_openings(&report);
    free(list);
    return status;
}
