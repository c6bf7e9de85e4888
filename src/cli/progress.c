/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include <inttypes.h>
#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static void clear_bar(struct progress_display *display) {
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

static void draw_bar(struct progress_display *display, double elapsed, uint64_t done, uint64_t total) {
    enum { CELLS = 24 };
    clear_bar(display);
    if (total == 0) {
        fprintf(stderr, "%s  %" PRIu64, display->stage, done);
    } else {
        double share = done < total ? (double)done / (double)total : 1;
        int filled = (int)(share * CELLS);
        char left[32] = "";
        char bar[CELLS + 1];
        memset(bar, '.', CELLS);
        memset(bar, '#', (size_t)filled);
        bar[CELLS] = '\0';
        if (share > 0 && elapsed > 1) {
            format_duration(elapsed * (1 - share) / share, left, sizeof left);
        }
        fprintf(stderr, "%s  [%s] %3d%%  %s%s", display->stage, bar, (int)(share * 100), left,
                left[0] != '\0' ? " left" : "");
    }
    fflush(stderr);
    display->bar_shown = true;
}

static void print_line(const struct progress_display *display, double elapsed, uint64_t done, uint64_t total) {
    if (total == 0) {
        fprintf(stderr, "%s: %" PRIu64 " after %.1f s\n", display->stage, done, elapsed);
    } else if (done < total) {
        fprintf(stderr, "%s: %d%% after %.1f s\n", display->stage, (int)(100.0 * (double)done / (double)total),
                elapsed);
    } else {
        fprintf(stderr, "%s: done after %.1f s\n", display->stage, elapsed);
    }
}

static void show(struct progress_display *display, const char *stage, uint64_t done, uint64_t total) {
    double now = kz_seconds();
    if (strncmp(stage, display->stage, sizeof display->stage - 1) != 0) {
        snprintf(display->stage, sizeof display->stage, "%s", stage);
        display->stage_began = now;
        display->stage_ended = false;
    }
    double elapsed = now - display->stage_began;
    bool ended = total > 0 && done >= total;
    bool due = now - display->last_shown >= (display->terminal ? REDRAW_SECONDS : LINE_SECONDS);
    if (!due && (display->terminal || !ended || display->stage_ended)) {
        return;
    }
    if (display->terminal) {
        draw_bar(display, elapsed, done, total);
    } else {
        print_line(display, elapsed, done, total);
    }
    display->stage_ended = display->stage_ended || ended;
    display->last_shown = now;
}

static bool report(void *user, const char *stage, uint64_t done, uint64_t total) {
    struct progress_display *display = user;
    if (!display->quiet) {
        show(display, stage, done, total);
    }
    return !interrupted;
}

void progress_begin(struct progress_display *display, bool quiet) {
    const char *term = getenv("TERM");
    bool can_redraw = term != NULL && strcmp(term, "dumb") != 0;
    *display = (struct progress_display){
        .progress = {.report = report, .user = display},
        .quiet = quiet,
        .terminal = can_redraw && isatty(STDERR_FILENO) != 0,
        .last_shown = kz_seconds(),
    };
    interrupted = 0;
    catch_signal(SIGINT, &display->old_int);
    catch_signal(SIGTERM, &display->old_term);
}

void progress_pause(struct progress_display *display) {
    clear_bar(display);
    fflush(stderr);
}

void progress_end(struct progress_display *display) {
    progress_pause(display);
    sigaction(SIGINT, &display->old_int, NULL);
    sigaction(SIGTERM, &display->old_term, NULL);
}
