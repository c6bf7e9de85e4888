/* SPDX-License-Identifier: MIT
 *
 * What Dobutsu Shogi adds to the command. */
#include "games/dobutsu/commands/export.h"

extern const struct command command_check;
extern const struct command command_check_try_rule;
extern const struct command command_compare;

static const struct command *const commands_of_dobutsu[] = {
    &command_check,
    &command_check_try_rule,
    &command_compare,
    NULL,
};

static const struct export_format formats[] = {
    {"packets", EXPORT_RANGE | EXPORT_TAR | EXPORT_FIX | EXPORT_STREAM, export_packets},
    {"states", EXPORT_COUNT | EXPORT_STREAM, export_states},
    {"wins", EXPORT_COUNT | EXPORT_STREAM, export_wins},
    {"values", EXPORT_TABLE | EXPORT_COUNT | EXPORT_STREAM, export_values},
    {"sqlite", EXPORT_TABLE | EXPORT_COUNT, export_sqlite},
    {NULL, 0, NULL},
};

extern const struct game_commands dobutsu_commands;
const struct game_commands dobutsu_commands = {
    .game = "dobutsu",
    .commands = commands_of_dobutsu,
    .formats = formats,
    .export_help = "\n"
                   "dobutsu, packets: the database of the Dobutsu Shogi Analyzer of 2024, byte for\n"
                   "byte: the best child of each of 1,098,348,205 positions, in key order, 1,000 to a\n"
                   "file (packet), in folders of 1,000 packets, and maximums.dat. PATH is a folder, or\n"
                   "with --tar a file. The complete database has 1.1 million files, 8.8 GB. It needs no\n"
                   "table. The same command goes on where it was interrupted.\n"
                   "\n"
                   "dobutsu, states, wins, values and sqlite: the files of kota7's doubutsushogi, with\n"
                   "its state indices. States and wins list the positions that a game can lead to,\n"
                   "those that are not and those that are won in one ply (109,179,572 and 398,489,958\n"
                   "lines, 17 and 7 GB), as that program finds them. Values and sqlite have the values\n"
                   "of the former, by index: text (3 GB), or the SQLite table stateValues (2 GB) with a\n"
                   "view \"positions\" that has SFEN, result and plies.\n",
    .packet_rules = "simplified",
    .move_example = "2c2b, or C*2b to drop a chick",
};
