/* SPDX-License-Identifier: MIT
 *
 * The formats of `kanzen export dobutsu`: a function each, which returns the exit code. */
#ifndef KZ_DOBUTSU_COMMANDS_EXPORT_H
#define KZ_DOBUTSU_COMMANDS_EXPORT_H

#include "app/cli/export.h"
#include "app/cli/game_commands.h"

int export_packets(const cli_export *request);
int export_states(const cli_export *request);
int export_wins(const cli_export *request);
int export_values(const cli_export *request);
int export_sqlite(const cli_export *request);

#endif
