/* SPDX-License-Identifier: MIT
 *
 * What Dobutsu Shogi adds to the command. */
#include "games/dobutsu/commands/export.h"

#include <kanzen/dobutsu_files.h>

extern const cli_command command_check;
extern const cli_command command_check_try_rule;
extern const cli_command command_compare;

static const cli_command *const commands_of_dobutsu[] = {
    &command_check,
    &command_check_try_rule,
    &command_compare,
    NULL,
};

static const cli_format formats[] = {
    {"packets", EXPORT_RANGE | EXPORT_TAR | EXPORT_FIX | EXPORT_STREAM, export_packets},
    {"states", EXPORT_COUNT | EXPORT_STREAM, export_states},
    {"wins", EXPORT_COUNT | EXPORT_STREAM, export_wins},
    {"values", EXPORT_TABLE | EXPORT_COUNT | EXPORT_STREAM, export_values},
    {"sqlite", EXPORT_TABLE | EXPORT_COUNT, export_sqlite},
    {NULL, 0, NULL},
};

/* ---- Packets ---------------------------------------------------------------------------------------------------- */

static kz_status open_packets(const char *path, void **opened, kz_error *error) {
    kz_dobutsu_packets *packets = NULL;
    kz_status status = kz_dobutsu_packets_open(path, &packets, error);
    *opened = packets;
    return status;
}

static kz_status open_packet_files(const char *base,
                                   kz_status (*get)(void *user, const char *name, uint8_t *data, size_t most,
                                                    size_t *size, kz_error *error),
                                   void *user, void **opened, kz_error *error) {
    const kz_dobutsu_packets_files files = {.get = get, .user = user};
    kz_dobutsu_packets *packets = NULL;
    kz_status status = kz_dobutsu_packets_open_files(base, &files, &packets, error);
    *opened = packets;
    return status;
}

static kz_status probe_packets(const void *opened, const kz_position *position, kz_value *value, kz_move *move,
                               kz_error *error) {
    return kz_dobutsu_packets_probe(opened, position, value, move, error);
}

static void close_packets(void *opened) { kz_dobutsu_packets_close(opened); }

static const cli_packets packets = {
    .rules = "simplified",
    .open = open_packets,
    .open_files = open_packet_files,
    .probe = probe_packets,
    .close = close_packets,
};

/* ---- All of it -------------------------------------------------------------------------------------------------- */

extern const cli_game_commands dobutsu_commands;
const cli_game_commands dobutsu_commands = {
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
    .packets = &packets,
    .move_example = "2c2b, or C*2b to drop a chick",
};
