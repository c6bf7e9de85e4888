/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Bad places of texts are lines, of everything else records. */
static bool counts_lines(kz_shogi_record record) {
    return record == KZ_SHOGI_RECORD_SFEN || record == KZ_SHOGI_RECORD_USI || record == KZ_SHOGI_RECORD_PLAIN;
}

/* Counted from 1, as people do. */
static uint64_t number_of(kz_shogi_record record, const kz_shogi_offender *offender) {
    return offender->index + !counts_lines(record);
}

static const char *reason_of(const kz_shogi_offender *offender) {
    return offender->reason[0] != '\0' ? offender->reason : kz_shogi_defect_text(offender->defect);
}

void print_offenders(const cli_command *command, kz_shogi_record record, const char *path,
                     const kz_shogi_file_report *report) {
    const char *name = strcmp(path, "-") == 0 ? "the standard input" : path;
    for (size_t i = 0; i < report->offender_count; i++) {
        const kz_shogi_offender *offender = &report->offenders[i];
        (void)report_message(command, STATUS_NO, "%s %" PRIu64 " of %s: %s", counts_lines(record) ? "line" : "record",
                             number_of(record, offender), name, reason_of(offender));
    }
    if (report->bad > report->offender_count) {
        char more[THOUSANDS_BYTES];
        (void)report_message(command, STATUS_IO, "and %s more bad records",
                             format_thousands(report->bad - report->offender_count, more));
    }
}

void report_if_any(cli_report *report, const char *key, const char *label, uint64_t count) {
    if (count > 0 || !report->text) {
        report_count(report, key, label, count, "");
    }
}

void report_losses(cli_report *report, const kz_shogi_file_report *found) {
    const struct {
        const char *label;
        uint64_t count;
        const char *about;
    } lines[] = {
        {"left out", found->left_out, "  by the filter"},
        {"not searched", found->unsearched,
         "  moves of hcpe3 without candidates, passed over; --unsearched takes them"},
        {"lost", found->lost_positions, "  positions of games with a mistake"},
        {"plies cut", found->cut_plies, "  they were more than 65535, and are 65535 now"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (lines[i].count > 0) {
            report_count(report, NULL, lines[i].label, lines[i].count, lines[i].about);
        }
    }
}

void json_bad_records(cli_json *json, kz_shogi_record record, const kz_shogi_file_report *report) {
    json_unsigned(json, "bad", report->bad);
    json_object(json, "defects");
    for (kz_shogi_defect defect = 0; defect < KZ_SHOGI_DEFECTS; defect++) {
        if (report->defects[defect] != 0) {
            json_unsigned(json, kz_shogi_defect_name(defect), report->defects[defect]);
        }
    }
    json_end_object(json);
    json_array(json, "offenders");
    for (size_t i = 0; i < report->offender_count; i++) {
        const kz_shogi_offender *offender = &report->offenders[i];
        json_object(json, NULL);
        json_unsigned(json, counts_lines(record) ? "line" : "number", number_of(record, offender));
        json_text(json, "defect", kz_shogi_defect_name(offender->defect));
        json_text(json, "reason", reason_of(offender));
        json_end_object(json);
    }
    json_end_array(json);
    json_unsigned(json, "trailing_bytes", report->trailing);
    json_unsigned(json, "left_out", report->left_out);
    json_unsigned(json, "unsearched", report->unsearched);
    json_unsigned(json, "lost_positions", report->lost_positions);
    json_unsigned(json, "cut_plies", report->cut_plies);
}

static const char *const member_names[] = {"score", "move", "ply", "result", "ending", "extra", "spare"};
enum { MEMBERS = sizeof member_names / sizeof *member_names };

const char *format_members(unsigned members, char text[MEMBERS_BYTES]) {
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < MEMBERS; i++) {
        if (members >> i & 1) {
            length += (size_t)snprintf(text + length, MEMBERS_BYTES - length, "%s%s", length > 0 ? ", " : "",
                                       member_names[i]);
        }
    }
    return text;
}

void json_members(cli_json *json, const char *key, unsigned members) {
    json_array(json, key);
    for (int i = 0; i < MEMBERS; i++) {
        if (members >> i & 1) {
            json_text(json, NULL, member_names[i]);
        }
    }
    json_end_array(json);
}
