/* SPDX-License-Identifier: MIT
 *
 * Positions that the user gives: as arguments, or as lines of standard input. A position is one line, or as many as
 * its notation takes. */
#ifndef CLI_POSITIONS_H
#define CLI_POSITIONS_H

#include "command.h"

#include <kanzen/game.h>

/* Reports what is wrong with a position, or that no table of a game in parts has it; returns the exit code. */
int report_position(const cli_command *command, const kz_game *game, const kz_error *error);

/* The position that operand `number` of the command names, or the start position if there is no such operand. Returns
 * the exit code. */
int position_operand(const cli_arguments *arguments, int number, const kz_game *game, int rules, kz_position *position);

/* What is done with each position; `input` is the text that it was given as. Failure is told by the status and the
 * error: KZ_ERR_INPUT and KZ_ERR_UNSUPPORTED concern this position only, anything else ends the whole. */
typedef kz_status position_work(void *context, const kz_position *position, const char *input, size_t length,
                                kz_error *error);

/* Called after the message about a position that can't be read or worked on. */
typedef void position_failure(void *context, const char *input, size_t length, const kz_error *error);
/* One that prints an object with the members "input" and "error", so that there is one for every input. */
void print_failure_json(void *context, const char *input, size_t length, const kz_error *error);

/* Has `work` called for the operands from number `first` on, or, if there are none or only '-', for each position on
 * standard input; empty lines and comments (#) before one are skipped. What can't be read is reported with its place,
 * and the rest goes on. Returns the exit code. */
int for_each_position(const cli_arguments *arguments, int first, const kz_game *game, int rules, position_work *work,
                      position_failure *failed, void *context);

#endif
