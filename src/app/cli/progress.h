/* SPDX-License-Identifier: MIT
 *
 * Shows on stderr how far long work is: a bar on a terminal, a line now and then elsewhere. While it is in use,
 * SIGINT and SIGTERM make the work stop in good order; a second one ends the program at once. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "command.h"

#include <kanzen/progress.h>
#include <signal.h>
#include <stdint.h>

enum { PROGRESS_STAGE_BYTES = 40 };

typedef struct progress_display {
    kz_progress progress; /* hand a pointer to this to the library */
    bool quiet;
    bool terminal;
    bool bar_shown;
    bool stage_ended; /* and said so */
    double stage_began;
    double last_shown;
    uint64_t shown_done; /* what was done then */
    double rate;         /* a second, lately */
    uint64_t last_done;  /* of the stage */
    char stage[PROGRESS_STAGE_BYTES];
    struct sigaction old_int, old_term;
} cli_progress;

/* `display` must stay where it is until progress_end. With `quiet` nothing is shown, but signals still cancel. */
void progress_begin(cli_progress *display, bool quiet);
/* Clears the bar, so that something else can be printed while the work goes on. */
void progress_pause(cli_progress *display);
/* Clears the bar. Call it before anything else is printed. */
void progress_end(cli_progress *display);

/* The same for a command that shows one thing at a time: for the call that works long, and after it. */
const kz_progress *show_progress(bool quiet);
void end_progress(void);
/* The exit code for what that call returned. */
int end_work(const cli_command *command, kz_status status, const kz_error *error);

#endif
