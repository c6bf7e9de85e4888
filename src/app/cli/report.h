/* SPDX-License-Identifier: MIT
 *
 * What a command prints, said once: as text for people, or as JSON for programs.
 *
 *     cli_report report = report_begin(stdout, json);     text                     JSON
 *     report_title(&report, game, rules);                 GAME, RULES rules        {"game": "GAME", "rules": "RULES",
 *     report_count(&report, "wins", "wins", wins, "");    wins            12,345    "wins": 12345,
 *     report_list(&report, "moves");                                                "moves": [
 *     for (...) {
 *         report_row(&report);                                                        {
 *         report_text(&report, "move", move);             b2b3                          "move": "b2b3",
 *         report_value(&report, game, value);             (a tab) win 5                 "value": "win", "distance": 5
 *         report_end_row(&report);                        (the end of the line)       }
 *     }
 *     report_end_list(&report);                                                     ]
 *     report_end(&report);                                                         }
 *
 * Each call is a member of the object that is open in the JSON, and a piece of the text. Without a key (NULL) it is in
 * the text alone. What only the JSON has is written to `json` (json.h), which does nothing where text is wanted; what
 * only the text has is printed by report_line, which does nothing where JSON is. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "json.h"

#include <kanzen/game.h>

typedef struct cli_report {
    cli_json json; /* silent if text is wanted */
    FILE *text;    /* NULL if JSON is */
    int label;     /* columns of a label and of the number behind it: 14 and 15, if the command does not set others */
    int width;
    int columns; /* that the row has so far */
} cli_report;

/* The document is one object. A document of columns alone is one row. */
cli_report report_begin(FILE *stream, bool as_json);
void report_end(cli_report *report);

/* "label       12,345 bytes": a line of a label, a number, and what follows it at once (" bytes"). */
void report_count(cli_report *report, const char *key, const char *label, uint64_t count, const char *unit);
void report_seconds(cli_report *report, const char *key, const char *label, double seconds);
/* "label text" */
void report_field(cli_report *report, const char *key, const char *label, const char *text);
/* "     12,345  meaning" */
void report_tally(cli_report *report, const char *key, uint64_t count, const char *meaning);
/* "game, rules rules" */
void report_title(cli_report *report, const kz_game *game, int rules);
/* The same in the JSON alone. */
void report_game(cli_report *report, const kz_game *game, int rules);
/* Any text. */
__attribute__((format(printf, 2, 3))) void report_line(cli_report *report, const char *format, ...);

/* A list of rows: objects, or lines of columns with tabs between them. */
void report_list(cli_report *report, const char *key);
void report_end_list(cli_report *report);
void report_row(cli_report *report);
void report_end_row(cli_report *report);
/* Columns. A text that is NULL is "-", and null in the JSON. */
void report_text(cli_report *report, const char *key, const char *text);
void report_number(cli_report *report, const char *key, uint64_t number);
/* "win 173", "draw"; in the JSON the members "value" and "distance" (null for a draw or an unknown value). */
void report_value(cli_report *report, const kz_game *game, kz_value value);

/* ---- The same for other texts ------------------------------------------------------------------------------------ */

/* "win 173", "loss 78", "draw", "unknown"; the distance as people count it in that game. */
enum { VALUE_BYTES = 32 };
const char *format_value(const kz_game *game, kz_value value, char text[VALUE_BYTES]);
/* The members "value" and "distance" of the object that is open, or of one with that key. */
void json_value(cli_json *json, const kz_game *game, kz_value value);
void json_value_object(cli_json *json, const char *key, const kz_game *game, kz_value value);

/* 246803167 as "246,803,167". */
enum { THOUSANDS_BYTES = 32 };
const char *format_thousands(uint64_t number, char text[THOUSANDS_BYTES]);
/* A time as a number of seconds, minutes, hours or days, whichever is easy to read: "45 s", "12 min", "3.5 h". */
double time_in_units(double seconds, const char **unit);

#endif
