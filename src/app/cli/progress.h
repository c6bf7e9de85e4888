/* SPDX-License-Identifier: MIT
 *
 * Shows on stderr how far long work is: a bar on a terminal, a line now and then elsewhere. While it is in use,
 * SIGINT and SIGTERM make the work stop in good order; a second one ends the program at once. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "command.h"

#include <kanzen/progress.h>

enum { PROGRESS_STAGE_BYTES = 40 };

/* For the call that works long; with `quiet` nothing is shown, but signals still cancel. One at a time. */
const kz_progress *show_progress(bool quiet);
/* Clears the bar, so that something else can be printed while the work goes on. */
void pause_progress(void);
/* Clears the bar. Call it before anything else is printed. */
void end_progress(void);
/* The same; returns the exit code for what the call returned. */
int end_work(const cli_command *command, kz_status status, const kz_error *error);

#endif
