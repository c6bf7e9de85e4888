/* SPDX-License-Identifier: MIT
 *
 * The formats of `kanzen export dobutsu`: a function each, which returns the exit code. */
#ifndef KZ_DOBUTSU_COMMANDS_EXPORT_H
#define KZ_DOBUTSU_COMMANDS_EXPORT_H

#include "app/cli/export.h"
#include "app/cli/game_commands.h"

int export_packets(const struct export_request *request);
int export_states(const struct export_request *request);
int export_wins(const struct export_request *request);
int export_values(const struct export_request *request);
int export_sqlite(const struct export_request *request);

#endif
