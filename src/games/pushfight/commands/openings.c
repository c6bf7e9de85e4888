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

void print_value_counts(const kz_game *game, const uint64_t counts[KZ_PUSHFIGHT_VALUES]) {
    uint8_t bytes[KZ_PUSHFIGHT_VALUES];
    bytes_by_worth(bytes);
    for (int i = 0; i < KZ_PUSHFIGHT_VALUES; i++) {
        if (counts[bytes[i]] > 0) {
            char count[THOUSANDS_BYTES];
            char value[VALUE_BYTES];
            printf("%15s  %s\n", format_thousands(counts[bytes[i]], count),
                   format_value(game, value_of(bytes[i]), value));
        }
    }
}

void json_value_counts(cli_json *json, const kz_game *game, const uint64_t counts[KZ_PUSHFIGHT_VALUES]) {
    uint8_t bytes[KZ_PUSHFIGHT_VALUES];
    bytes_by_worth(bytes);
    json_array(json, "counts");
    for (int i = 0; i < KZ_PUSHFIGHT_VALUES; i++) {
        if (counts[bytes[i]] > 0) {
            json_object(json, NULL);
            json_value(json, game, value_of(bytes[i]));
            json_unsigned(json, "byte", bytes[i]);
            json_unsigned(json, "count", counts[bytes[i]]);
            json_end_object(json);
        }
    }
    json_end_array(json);
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
        *error = (kz_error){.status = KZ_ERR_MEMORY, .message = "out of memory"};
    }
    return list;
}

/* ---- Text and JSON --------------------------------------------------------------------------------------------- */

static kz_status format_placement(const pushfight_openings *openings, int side, uint32_t number,
                                  char text[KZ_TEXT_BYTES], kz_error *error) {
    return kz_pushfight_placement_format(openings->rules, side, number, text, KZ_TEXT_BYTES, error);
}

static void json_head(cli_json *json, const pushfight_openings *openings) {
    json_object(json, NULL);
    json_text(json, "board", kz_rules_name(openings->game, openings->rules));
    json_unsigned(json, "first_placements", openings->report.firsts);
    json_unsigned(json, "second_placements", openings->report.seconds);
}

static void json_tail(cli_json *json) {
    json_end_array(json);
    json_end_object(json);
    json_finish(json);
}

static kz_status print_first(const pushfight_openings *openings, const rated_placement *rated, cli_json *json,
                             kz_error *error) {
    char placement[KZ_TEXT_BYTES];
    char answer[KZ_TEXT_BYTES];
    char value[VALUE_BYTES];
    kz_status status = format_placement(openings, KZ_PUSHFIGHT_FIRST, rated->number, placement, error);
    if (status == KZ_OK) {
        status = format_placement(openings, KZ_PUSHFIGHT_SECOND, rated->answer, answer, error);
    }
    if (status != KZ_OK) {
        return status;
    }
    if (!json) {
        printf("%s\t%s\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%s\n", placement,
               format_value(openings->game, value_of(rated->value), value), rated->wins, rated->draws, rated->losses,
               answer);
        return KZ_OK;
    }
    json_object(json, NULL);
    json_text(json, "placement", placement);
    json_value(json, openings->game, value_of(rated->value));
    json_unsigned(json, "wins", rated->wins);
    json_unsigned(json, "draws", rated->draws);
    json_unsigned(json, "losses", rated->losses);
    json_text(json, "answer", answer);
    json_end_object(json);
    return KZ_OK;
}

kz_status print_openings(const pushfight_openings *openings, bool as_json, kz_error *error) {
    const kz_pushfight_openings_report *report = &openings->report;
    rated_placement *list = new_list(report->firsts, error);
    if (!list) {
        return KZ_ERR_MEMORY;
    }
    for (uint32_t first = 0; first < report->firsts; first++) {
        list[first] = rate_first(openings, first);
    }
    qsort(list, report->firsts, sizeof *list, compare_firsts);
    cli_json json = json_start(stdout);
    if (as_json) {
        json_head(&json, openings);
        json_value_counts(&json, openings->game, report->counts);
        json_array(&json, "best");
    } else {
        char text[THOUSANDS_BYTES];
        printf("%15s  first placements\n", format_thousands(report->firsts, text));
        printf("%15s  second placements\n", format_thousands(report->seconds, text));
        print_value_counts(openings->game, report->counts);
        putchar('\n');
    }
    kz_status status = KZ_OK;
    for (uint32_t i = 0; i < report->firsts && i < openings->best && status == KZ_OK; i++) {
        status = print_first(openings, &list[i], as_json ? &json : NULL, error);
    }
    if (as_json) {
        json_tail(&json);
    }
    free(list);
    return status;
}

static kz_status print_second(const pushfight_openings *openings, const rated_placement *rated, cli_json *json,
                              kz_error *error) {
    char placement[KZ_TEXT_BYTES];
    char value[VALUE_BYTES];
    kz_status status = format_placement(openings, KZ_PUSHFIGHT_SECOND, rated->number, placement, error);
    if (status != KZ_OK) {
        return status;
    }
    if (!json) {
        printf("%s\t%s\n", placement, format_value(openings->game, value_of(rated->value), value));
        return KZ_OK;
    }
    json_object(json, NULL);
    json_text(json, "placement", placement);
    json_value(json, openings->game, value_of(rated->value));
    json_end_object(json);
    return KZ_OK;
}

kz_status print_answers(const pushfight_openings *openings, uint32_t first, bool as_json, kz_error *error) {
    const kz_pushfight_openings_report *report = &openings->report;
    const uint8_t *values = values_after(openings, first);
    uint64_t counts[KZ_PUSHFIGHT_VALUES] = {0};
    char placement[KZ_TEXT_BYTES];
    kz_status status = format_placement(openings, KZ_PUSHFIGHT_FIRST, first, placement, error);
    if (status != KZ_OK) {
        return status;
    }
    rated_placement *list = new_list(report->seconds, error);
    if (!list) {
        return KZ_ERR_MEMORY;
    }
    for (uint32_t second = 0; second < report->seconds; second++) {
        list[second] = (rated_placement){.number = second, .value = values[second]};
        counts[values[second]]++;
    }
    qsort(list, report->seconds, sizeof *list, compare_seconds);
    cli_json json = json_start(stdout);
    if (as_json) {
        json_head(&json, openings);
        json_text(&json, "first", placement);
        json_value_counts(&json, openings->game, counts);
        json_array(&json, "best");
    } else {
        char text[THOUSANDS_BYTES];
        printf("%15s  answers to %s\n", format_thousands(report->seconds, text), placement);
        print_value_counts(openings->game, counts);
        putchar('\n');
    }
    for (uint32_t i = 0; i < report->seconds && i < openings->best && status == KZ_OK; i++) {
        status = print_second(openings, &list[i], as_json ? &json : NULL, error);
    }
    if (as_json) {
        json_tail(&json);
    }
    free(list);
    return status;
}
