/* SPDX-License-Identifier: MIT
 *
 * What commands over files of shogi records say about bad records, and about members of records. */
#ifndef CLI_SHOGI_REPORT_H
#define CLI_SHOGI_REPORT_H

#include "app/cli/command.h"
#include "app/cli/report.h"

#include <kanzen/shogi_files.h>
#include <stdio.h>

/* A line on stderr for each of the first bad records, and one for the rest. Records and lines are counted from 1. */
void print_offenders(const cli_command *command, kz_shogi_record record, const char *path,
                     const kz_shogi_file_report *report);

/* Lines of the text about what became of no record: what a filter left out, positions of hcpe3 that nobody searched,
 * positions after a bad move, plies that were cut down. Nothing if there are none. */
void report_losses(cli_report *report, const kz_shogi_file_report *found);
/* A count that the text has only if it is not 0. */
void report_if_any(cli_report *report, const char *key, const char *label, uint64_t count);

/* The members "bad", "defects", "offenders" and "trailing_bytes" of the object that is open. */
void json_bad_records(cli_json *json, kz_shogi_record record, const kz_shogi_file_report *report);

/* Members of records (KZ_SHOGI_HAS_...) as "score, move", and as an array of texts. */
enum { MEMBERS_BYTES = 96 };
const char *format_members(unsigned members, char text[MEMBERS_BYTES]);
void json_members(cli_json *json, const char *key, unsigned members);

#endif
