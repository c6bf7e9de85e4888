/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include <inttypes.h>
#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double REDRAW_SECONDS = 0.1;
static const double LINE_SECONDS = 5;

/* A signal handler has nothing but globals to talk to. */
static volatile sig_atomic_t interrupted;

static void on_signal(int number) {
    (void)number;
    interrupted = 1;
}

/* Where a signal is ignored (nohup, a shell's background jobs) it stays so. */
static void catch_signal(int number, struct sigaction *old) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    sigemptyset(&action.sa_mask);
    sigaction(number, NULL, old);
    if (old->sa_handler != SIG_IGN) {
        sigaction(number, &action, NULL);
    }
}

static void clear_bar(cli_progress *display) {
    if (display->bar_shown) {
        fputs("\r\033[K", stderr);
        display->bar_shown = false;
    }
}

static void format_duration(double seconds, char *text, size_t size) {
    uint64_t whole = seconds < 1e9 ? (uint64_t)(seconds + 0.5) : 1000000000;
    if (whole >= 3600) {
        snprintf(text, size, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, whole / 3600, whole / 60 % 60, whole % 60);
    } else {
        snprintf(text, size, "%" PRIu64 ":%02" PRIu64, whole / 60, whole % 60);
    }
}

/* "3.2M/s": things a second, if they are many. */
static const char *format_rate(double rate, char *text, size_t size) {
    text[0] = '\0';
    if (rate >= 1e6) {
        snprintf(text, size, "  %.1fM/s", rate / 1e6);
    } else if (rate >= 1e3) {
        snprintf(text, size, "  %.1fk/s", rate / 1e3);
    }
    return text;
}

/* How many columns the terminal has; 80 if it does not tell. */
static int terminal_columns(void) {
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* Prints a line that fits the terminal, so that the next one can replace it: where it is too narrow for all, the time
 * that is left goes first, then the bar, then the end of the stage's name. */
static void draw_bar(cli_progress *display, double elapsed, uint64_t done, uint64_t total) {
    enum { CELLS = 24, COUNT_BYTES = 48 };
    int columns = terminal_columns() - 1;
    char count[COUNT_BYTES];
    char left[COUNT_BYTES] = "";
    char bar[CELLS + 5] = "";
    if (total == 0) {
        snprintf(count, sizeof count, "%" PRIu64, done);
    } else {
        double share = done < total ? (double)done / (double)total : 1;
        int filled = (int)(share * CELLS);
        snprintf(count, sizeof count, "%3d%%", (int)(share * 100));
        bar[0] = '[';
        memset(bar + 1, '.', CELLS);
        memset(bar + 1, '#', (size_t)filled);
        memcpy(bar + 1 + CELLS, "] ", 3);
        if (share > 0 && elapsed > 1) {
            char duration[COUNT_BYTES / 2];
            format_duration(elapsed * (1 - share) / share, duration, sizeof duration);
            char rate[COUNT_BYTES / 2];
            snprintf(left, sizeof left, "  %s left%s", duration, format_rate(display->rate, rate, sizeof rate));
        }
    }
    int stage = (int)strlen(display->stage);
    int rest = columns - 2 - (int)strlen(count);
    if (stage + (int)strlen(bar) + (int)strlen(left) > rest) {
        left[0] = '\0';
    }
    if (stage + (int)strlen(bar) > rest) {
        bar[0] = '\0';
    }
    if (stage > rest) {
        stage = rest > 0 ? rest : 0;
    }
    clear_bar(display);
    fprintf(stderr, "%.*s%s%s%.*s%s", stage, display->stage, stage > 0 ? "  " : "", bar, columns > 0 ? columns : 1,
            count, left);
    fflush(stderr);
    display->bar_shown = true;
}

static void print_line(const cli_progress *display, double elapsed, uint64_t done, uint64_t total) {
    if (total == 0) {
        fprintf(stderr, "%s: %" PRIu64 " after %.1f s\n", display->stage, done, elapsed);
    } else if (done < total) {
        char rate[24];
        char left[24];
        format_duration(done > 0 ? elapsed * (double)(total - done) / (double)done : 0, left, sizeof left);
        fprintf(stderr, "%s: %d%% after %.1f s%s%s%s%s\n", display->stage, (int)(100.0 * (double)done / (double)total),
                elapsed, done > 0 ? ", " : "", done > 0 ? left : "", done > 0 ? " left" : "",
                format_rate(display->rate, rate, sizeof rate));
    } else {
        fprintf(stderr, "%s: done after %.1f s\n", display->stage, elapsed);
    }
}

static void show(cli_progress *display, const char *stage, uint64_t done, uint64_t total) {
    double now = kz_seconds();
    /* A stage may come again, and then begins anew. */
    if (strncmp(stage, display->stage, sizeof display->stage - 1) != 0 || done < display->last_done) {
        snprintf(display->stage, sizeof display->stage, "%s", stage);
        display->stage_began = now;
        display->stage_ended = false;
        display->shown_done = done;
        display->rate = 0;
    }
    display->last_done = done;
    double elapsed = now - display->stage_began;
    bool ended = total > 0 && done >= total;
    bool due = now - display->last_shown >= (display->terminal ? REDRAW_SECONDS : LINE_SECONDS);
    if (!due && (display->terminal || !ended || display->stage_ended)) {
        return;
    }
    double since = now - (display->stage_began > display->last_shown ? display->stage_began : display->last_shown);
    if (since > 0 && done >= display->shown_done) {
        /* The last second or so: a share of the rate before is kept. */
        double latest = (double)(done - display->shown_done) / since;
        double weight = since < 1 ? since : 1;
        display->rate = display->rate > 0 ? display->rate * (1 - weight) + latest * weight : latest;
    }
    display->shown_done = done;
    if (display->terminal) {
        draw_bar(display, elapsed, done, total);
    } else {
        print_line(display, elapsed, done, total);
    }
    display->stage_ended = display->stage_ended || ended;
    display->last_shown = now;
}

static bool report(void *user, const char *stage, uint64_t done, uint64_t total) {
    cli_progress *display = user;
    if (!display->quiet) {
        show(display, stage, done, total);
    }
    return !interrupted;
}

void progress_begin(cli_progress *display, bool quiet) {
    const char *term = getenv("TERM");
    bool can_redraw = term && strcmp(term, "dumb") != 0;
    *display = (cli_progress){
        .progress = {.report = report, .user = display},
        .quiet = quiet,
        .terminal = can_redraw && isatty(STDERR_FILENO) != 0,
        .last_shown = kz_seconds(),
    };
    interrupted = 0;
    catch_signal(SIGINT, &display->old_int);
    catch_signal(SIGTERM, &display->old_term);
}

void progress_pause(cli_progress *display) {
    clear_bar(display);
    fflush(stderr);
}

void progress_end(cli_progress *display) {
    progress_pause(display);
    sigaction(SIGINT, &display->old_int, NULL);
    sigaction(SIGTERM, &display->old_term, NULL);
}

static cli_progress shown;

const kz_progress *show_progress(bool quiet) {
    progress_begin(&shown, quiet);
    return &shown.progress;
}

void end_progress(void) { progress_end(&shown); }

int end_work(const cli_command *command, kz_status status, const kz_error *error) {
    end_progress();
    return exit_code(command, status, error);
}
