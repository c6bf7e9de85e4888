/* SPDX-License-Identifier: MIT */
#include "common.h"

#include <inttypes.h>
#include <kanzen/system.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double REDRAW_SECONDS = 0.1;
static const double LINE_SECONDS = 5;

typedef struct display {
    kz_progress progress; /* what the library gets */
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
} display;

static display shown;

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

static void clear_bar(display *d) {
    if (d->bar_shown) {
        fputs("\r\033[K", stderr);
        d->bar_shown = false;
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
static void draw_bar(display *d, double elapsed, uint64_t done, uint64_t total) {
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
            snprintf(left, sizeof left, "  %s left%s", duration, format_rate(d->rate, rate, sizeof rate));
        }
    }
    int stage = (int)strlen(d->stage);
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
    clear_bar(d);
    fprintf(stderr, "%.*s%s%s%.*s%s", stage, d->stage, stage > 0 ? "  " : "", bar, columns > 0 ? columns : 1, count,
            left);
    fflush(stderr);
    d->bar_shown = true;
}

static void print_line(const display *d, double elapsed, uint64_t done, uint64_t total) {
    if (total == 0) {
        fprintf(stderr, "%s: %" PRIu64 " after %.1f s\n", d->stage, done, elapsed);
    } else if (done < total) {
        char rate[24];
        char left[24];
        format_duration(done > 0 ? elapsed * (double)(total - done) / (double)done : 0, left, sizeof left);
        fprintf(stderr, "%s: %d%% after %.1f s%s%s%s%s\n", d->stage, (int)(100.0 * (double)done / (double)total),
                elapsed, done > 0 ? ", " : "", done > 0 ? left : "", done > 0 ? " left" : "",
                format_rate(d->rate, rate, sizeof rate));
    } else {
        fprintf(stderr, "%s: done after %.1f s\n", d->stage, elapsed);
    }
}

static void show(display *d, const char *stage, uint64_t done, uint64_t total) {
    double now = kz_seconds();
    /* A stage may come again, and then begins anew. */
    if (strncmp(stage, d->stage, sizeof d->stage - 1) != 0 || done < d->last_done) {
        snprintf(d->stage, sizeof d->stage, "%s", stage);
        d->stage_began = now;
        d->stage_ended = false;
        d->shown_done = done;
        d->rate = 0;
    }
    d->last_done = done;
    double elapsed = now - d->stage_began;
    bool ended = total > 0 && done >= total;
    bool due = now - d->last_shown >= (d->terminal ? REDRAW_SECONDS : LINE_SECONDS);
    if (!due && (d->terminal || !ended || d->stage_ended)) {
        return;
    }
    double since = now - (d->stage_began > d->last_shown ? d->stage_began : d->last_shown);
    if (since > 0 && done >= d->shown_done) {
        /* The last second or so: a share of the rate before is kept. */
        double latest = (double)(done - d->shown_done) / since;
        double weight = since < 1 ? since : 1;
        d->rate = d->rate > 0 ? d->rate * (1 - weight) + latest * weight : latest;
    }
    d->shown_done = done;
    if (d->terminal) {
        draw_bar(d, elapsed, done, total);
    } else {
        print_line(d, elapsed, done, total);
    }
    d->stage_ended = d->stage_ended || ended;
    d->last_shown = now;
}

static bool report(void *user, const char *stage, uint64_t done, uint64_t total) {
    display *d = user;
    if (!d->quiet) {
        show(d, stage, done, total);
    }
    return !interrupted;
}

const kz_progress *show_progress(bool quiet) {
    const char *term = getenv("TERM");
    bool can_redraw = term && strcmp(term, "dumb") != 0;
    shown = (display){
        .progress = {.report = report, .user = &shown},
        .quiet = quiet,
        .terminal = can_redraw && isatty(STDERR_FILENO) != 0,
        .last_shown = kz_seconds(),
    };
    interrupted = 0;
    catch_signal(SIGINT, &shown.old_int);
    catch_signal(SIGTERM, &shown.old_term);
    return &shown.progress;
}

void pause_progress(void) {
    clear_bar(&shown);
    fflush(stderr);
}

void end_progress(void) {
    pause_progress();
    sigaction(SIGINT, &shown.old_int, NULL);
    sigaction(SIGTERM, &shown.old_term, NULL);
}

int end_work(const cli_command *command, kz_status status, const kz_error *error) {
    end_progress();
    return exit_code(command, status, error);
}
