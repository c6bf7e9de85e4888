/* SPDX-License-Identifier: MIT
 *
 * The sweeps of Push Fight on a graphics card, against those on processors and against published figures.
 *
 *     sweep_gpu compare BOARD [LAST]         all phases, or up to LAST, of both: every count and every mark is the same
 *     sweep_gpu phases BOARD PHASES [LAST]   the card alone: the counts are those of the file, and how long it takes
 *
 * PHASES has lines "byte meaning phase count undecided kept-count kept-undecided". The exit status is 77 if there is no
 * card to test. */
#include "base/pool.h"
#include "games/pushfight/cuda/card.h"
#include "games/pushfight/rules/board.h"

#include <inttypes.h>
#include <kanzen/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NO_CARD = 77,
    MOST_PHASES = 200,
    RESUMED = 4 /* the phase after which the card's solver is closed and begun anew */
};

/* Of a card, or else of processors. */
typedef struct run {
    kz_pf_card *card;
    kz_pf_pages *pages;
    const uint64_t *first_runs;
    kz_pool *pool;
    uint64_t slices;
    int phase;
    uint32_t *decided[2];
    uint8_t *changed;
    uint64_t before; /* decided before the phase */
    kz_pf_amount found;
    uint64_t swept;
    uint64_t *fresh_of; /* [threads] */
    uint64_t *swept_of;
    double seconds; /* of the sweep alone */
    uint64_t stuck;
} run;

static _Noreturn void give_up(const char *what, const kz_error *error) {
    fprintf(stderr, "%s: %s\n", what, error ? error->message : "wrong");
    exit(1);
}

static void *must(void *memory) {
    if (!memory) {
        give_up("no memory", NULL);
    }
    return memory;
}

static void open_solver(run *r, bool on_card, int board) {
    kz_error error = {.message = ""};
    kz_status status = on_card ? kz_pf_card_open(board, &r->card, &error)
                               : kz_pf_pages_open(board, kz_pool_threads(r->pool), &r->pages, &error);
    if (status != KZ_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(error.status == KZ_ERR_UNSUPPORTED ? NO_CARD : 1);
    }
    r->first_runs = on_card ? r->card->first_runs : r->pages->state.first_runs;
    r->slices = on_card ? r->card->space->own_sets : r->pages->space->own_sets;
}

static void open_run(run *r, bool on_card, int board, kz_pool *pool) {
    int threads = kz_pool_threads(pool);
    *r = (run){.pool = pool};
    open_solver(r, on_card, board);
    r->decided[0] = must(calloc(r->slices, sizeof *r->decided[0]));
    r->decided[1] = must(calloc(r->slices, sizeof *r->decided[1]));
    r->changed = must(calloc(r->slices, 1));
    r->fresh_of = must(calloc((size_t)threads, sizeof *r->fresh_of));
    r->swept_of = must(calloc((size_t)threads, sizeof *r->swept_of));
}

static void close_run(run *r) {
    kz_pf_card_close(r->card);
    kz_pf_pages_close(r->pages);
    free(r->decided[0]);
    free(r->decided[1]);
    free(r->changed);
    free(r->fresh_of);
    free(r->swept_of);
}

static void start_block(void *context, int worker, uint64_t begin, uint64_t end) {
    run *r = context;
    for (uint64_t i = begin; i < end; i++) {
        kz_pf_pages_start(r->pages, worker, i);
    }
}

static void measure_page(void *context, int worker, uint64_t begin, uint64_t end) {
    run *r = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        kz_pf_pages_measure(r->pages, i);
    }
}

static void place_page(void *context, int worker, uint64_t begin, uint64_t end) {
    run *r = context;
    (void)worker;
    for (uint64_t i = begin; i < end; i++) {
        r->changed[i] = kz_pf_pages_place(r->pages, i);
    }
}

static void sweep_block(void *context, int worker, uint64_t begin, uint64_t end) {
    run *r = context;
    for (uint64_t i = begin; i < end; i++) {
        if (kz_pf_slice_touched(r->pages->tables, r->pages->space->own_squares[i], r->changed)) {
            r->decided[r->phase & 1][i] =
                (uint32_t)kz_pf_pages_sweep(r->pages, worker, r->phase, i, &r->fresh_of[worker]);
            r->swept_of[worker]++;
        }
    }
}

static uint64_t sum_decided(const run *r) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < r->slices; i++) {
        sum += r->decided[r->phase & 1][i];
    }
    return sum;
}

static void start(run *r, kz_pf_amount *lost, kz_pf_amount *won) {
    kz_error error = {.message = ""};
    double begin = kz_seconds();
    if (r->card) {
        if (kz_pf_card_start(r->card, r->changed, lost, won, &error) != KZ_OK) {
            give_up("start", &error);
        }
    } else {
        kz_pool_for(r->pool, r->slices, 16, start_block, r, NULL, NULL, NULL);
        kz_pool_for(r->pool, r->slices, 4, measure_page, r, NULL, NULL, NULL);
        if (kz_pf_pages_lay_out(r->pages, lost, won, &error) != KZ_OK) {
            give_up("lay_out", &error);
        }
        kz_pool_for(r->pool, r->slices, 4, place_page, r, NULL, NULL, NULL);
    }
    r->seconds = kz_seconds() - begin;
    r->stuck = lost->all;
}

/* A phase, up to where its marks can be collected. */
static void sweep(run *r, int phase) {
    kz_error error = {.message = ""};
    double begin = kz_seconds();
    r->phase = phase;
    r->before = phase == 1 ? r->stuck : sum_decided(r);
    r->found = (kz_pf_amount){0, 0};
    r->swept = 0;
    if (r->card) {
        /* Two parts, as if there had been a checkpoint. */
        uint64_t half = r->slices / 2;
        if (kz_pf_card_sweep(r->card, phase, 0, half, r->changed, r->decided[phase & 1], &r->found.kept, &r->swept,
                             &error) != KZ_OK ||
            kz_pf_card_sweep(r->card, phase, half, r->slices - half, r->changed, r->decided[phase & 1], &r->found.kept,
                             &r->swept, &error) != KZ_OK) {
            give_up("sweep", &error);
        }
    } else {
        kz_pool_for(r->pool, r->slices, 16, sweep_block, r, NULL, NULL, NULL);
        for (int i = 0; i < kz_pool_threads(r->pool); i++) {
            r->found.kept += r->fresh_of[i];
            r->swept += r->swept_of[i];
            r->fresh_of[i] = r->swept_of[i] = 0;
        }
    }
    r->found.all = sum_decided(r) - r->before;
    r->seconds = kz_seconds() - begin;
}

static void fetch(run *r) {
    kz_error error = {.message = ""};
    if (r->card && kz_pf_card_fetch(r->card, r->phase, true, &error) != KZ_OK) {
        give_up("fetch", &error);
    }
}

/* ---- Against processors --------------------------------------------------------------------------------------------
 */

static size_t most_runs(const run *r) {
    size_t most = 0;
    for (uint64_t page = 0; page < r->slices; page++) {
        size_t runs = kz_pf_run_count(r->first_runs, page);
        most = runs > most ? runs : most;
    }
    return most;
}

static void check(bool same, const char *what, int phase, uint64_t where) {
    if (!same) {
        fprintf(stderr, "phase %d: %s differs at %" PRIu64 "\n", phase, what, where);
        exit(1);
    }
}

/* Adds what the phase found to `past`, if that is not NULL. */
static void compare_marks(run *card, run *host, uint8_t *card_marks, uint8_t *host_marks, uint8_t *past) {
    int phase = card->phase;
    for (uint64_t page = 0; page < host->slices; page++) {
        size_t runs = kz_pf_run_count(host->first_runs, page);
        uint64_t found = kz_pf_pages_collect(host->pages, phase, page, true, host_marks);
        check(kz_pf_card_collect(card->card, page, card_marks) == found, "the number of marks", phase, page);
        check(memcmp(card_marks, host_marks, runs) == 0, "a mark", phase, page);
        card->changed[page] = host->changed[page] = found != 0;
        if (past) {
            memcpy(past, host_marks, runs);
            past += runs;
        }
    }
}

/* The open entries of some pages, as if no later phase than 0 had found anything, and what is won at once. */
static void compare_pages(const run *card, const run *host, size_t most) {
    const kz_pf_pages *here = host->pages;
    size_t sets = here->space->enemy_sets;
    uint8_t *anchors = must(malloc(sets));
    uint64_t *pairs = must(calloc(sets, sizeof *pairs));
    uint16_t *runs = must(calloc(most + 8, sizeof *runs));
    uint64_t *entries = must(calloc(2 * (most + 8), sizeof *entries));
    for (uint64_t page = 0; page < host->slices; page += host->slices / 64 + 1) {
        size_t count = kz_pf_run_count(host->first_runs, page);
        kz_error error = {.message = ""};
        if (kz_pf_card_page(card->card, page, pairs, runs, &error) != KZ_OK) {
            give_up("page", &error);
        }
        kz_pf_anchors(here->tables, here->space->own_squares[page], anchors);
        for (size_t i = 0; i < sets; i++) {
            uint64_t other = kz_pf_page_pairs(here, page)[i];
            check(((pairs[i] ^ other) & here->tables->allowed[anchors[i]]) == 0, "a pair", 0, page);
        }
        memset(entries, 0, 2 * count * sizeof *entries);
        kz_pf_complete_runs(runs, count, entries);
        kz_pf_complete_runs(here->state.runs + kz_pf_page_run(here, page), count, entries + count);
        check(memcmp(entries, entries + count, count * sizeof *entries) == 0, "an entry", 0, page);
    }
    free(anchors);
    free(pairs);
    free(runs);
    free(entries);
}

static void compare_starts(const run *card, const run *host, const kz_pf_amount lost[2], const kz_pf_amount won[2]) {
    check(memcmp(&lost[0], &lost[1], sizeof *lost) == 0, "what is stuck", -1, lost[0].all);
    check(memcmp(&won[0], &won[1], sizeof *won) == 0, "what is won", 0, won[0].all);
    check(card->card->total.kept == kz_pf_pages_total(host->pages).kept, "the total", 0, 0);
    check(memcmp(card->changed, host->changed, host->slices) == 0, "stuck pages", 0, 0);
    for (uint64_t page = 0; page < host->slices; page++) {
        check(kz_pf_run_count(card->first_runs, page) == kz_pf_run_count(host->first_runs, page), "runs", 0, page);
    }
}

/* The marks of the first phases, all pages one after the other. */
typedef struct history {
    uint64_t runs;
    uint8_t *marks[RESUMED + 1]; /* of phases 1 to RESUMED */
    uint8_t *changed;
} history;

static void open_history(history *h, const run *r) {
    *h = (history){.runs = 0};
    for (uint64_t page = 0; page < r->slices; page++) {
        h->runs += kz_pf_run_count(r->first_runs, page);
    }
    for (int phase = 1; phase <= RESUMED; phase++) {
        h->marks[phase] = must(malloc(h->runs + 1));
    }
    h->changed = must(malloc(r->slices));
}

static void close_history(history *h) {
    for (int phase = 1; phase <= RESUMED; phase++) {
        free(h->marks[phase]);
    }
    free(h->changed);
}

/* Begins anew, up to where the marks of `h` end: what is known but is not in the solver stays as it was. */
static void resume(run *card, int board, const history *h) {
    kz_pf_amount lost;
    kz_pf_amount won;
    kz_pf_card_close(card->card);
    open_solver(card, true, board);
    memcpy(h->changed, card->changed, card->slices);
    uint32_t *decided = must(malloc(card->slices * sizeof *decided));
    memcpy(decided, card->decided[0], card->slices * sizeof *decided);
    start(card, &lost, &won);
    sweep(card, 0);
    fetch(card);
    if (kz_pf_card_begin_restore(card->card, NULL) != KZ_OK) {
        give_up("no memory", NULL);
    }
    for (int phase = 1; phase <= RESUMED; phase++) {
        const uint8_t *marks = h->marks[phase];
        for (uint64_t page = 0; page < card->slices; page++) {
            kz_pf_card_restore(card->card, phase, page, true, marks);
            marks += kz_pf_run_count(card->first_runs, page);
        }
    }
    memcpy(card->changed, h->changed, card->slices);
    memcpy(card->decided[0], decided, card->slices * sizeof *decided);
    free(decided);
}

static void compare(int board, int last) {
    kz_pool *pool = kz_pool_new(0, NULL);
    run card;
    run host;
    history past;
    kz_pf_amount lost[2];
    kz_pf_amount won[2];
    open_run(&card, true, board, pool);
    open_run(&host, false, board, pool);
    start(&card, &lost[0], &won[0]);
    start(&host, &lost[1], &won[1]);
    compare_starts(&card, &host, lost, won);
    size_t runs = most_runs(&host);
    uint8_t *card_marks = must(malloc(runs + 1));
    uint8_t *host_marks = must(malloc(runs + 1));
    open_history(&past, &host);
    int phase = 0;
    do {
        sweep(&card, phase);
        sweep(&host, phase);
        for (uint64_t i = 0; i < host.slices; i++) {
            check(card.decided[phase & 1][i] == host.decided[phase & 1][i], "decided", phase, i);
        }
        check(card.found.kept == host.found.kept && card.swept == host.swept, "found or swept", phase, card.swept);
        fetch(&card);
        compare_marks(&card, &host, card_marks, host_marks, phase >= 1 && phase <= RESUMED ? past.marks[phase] : NULL);
        if (phase == 0) {
            memset(card.changed, 1, host.slices);
            memset(host.changed, 1, host.slices);
        }
        if (phase == RESUMED) {
            resume(&card, board, &past);
        }
        phase++;
    } while (phase <= last && (phase == 1 || host.found.kept));
    compare_pages(&card, &host, runs);
    printf("%s: %d phases are the same\n", kz_pf_board_at(board)->name, phase);
    free(card_marks);
    free(host_marks);
    close_history(&past);
    close_run(&card);
    close_run(&host);
    kz_pool_free(pool);
}

/* ---- Against published figures -------------------------------------------------------------------------------------
 */

static bool read_expected(const char *path, kz_pf_amount expected[MOST_PHASES]) {
    FILE *file = fopen(path, "r");
    char line[256];
    if (!file) {
        return false;
    }
    memset(expected, 0, MOST_PHASES * sizeof *expected);
    while (fgets(line, sizeof line, file)) {
        int phase;
        uint64_t all;
        uint64_t kept;
        if (sscanf(line, "%*d %*s %d %" SCNu64 " %*u %" SCNu64, &phase, &all, &kept) == 3 && phase < MOST_PHASES - 1) {
            expected[phase + 1] = (kz_pf_amount){all, kept};
        }
    }
    return fclose(file) == 0;
}

static void expect(const kz_pf_amount *expected, int phase, kz_pf_amount found) {
    if (found.all != expected[phase + 1].all || found.kept != expected[phase + 1].kept) {
        fprintf(stderr, "phase %d found %" PRIu64 " and %" PRIu64 ", not %" PRIu64 " and %" PRIu64 "\n", phase,
                found.all, found.kept, expected[phase + 1].all, expected[phase + 1].kept);
        exit(1);
    }
}

static void settle_page(void *context, int worker, uint64_t begin, uint64_t end) {
    run *r = context;
    static _Thread_local uint8_t *marks;
    (void)worker;
    marks = marks ? marks : must(malloc(UINT32_C(20349) * 50 + 1));
    for (uint64_t page = begin; page < end; page++) {
        r->changed[page] = kz_pf_card_collect(r->card, page, marks) != 0;
    }
}

static void phases(int board, const char *path, int last) {
    static kz_pf_amount expected[MOST_PHASES];
    if (!read_expected(path, expected)) {
        fprintf(stderr, "can't read %s\n", path);
        exit(1);
    }
    kz_pool *pool = kz_pool_new(0, NULL);
    run card;
    kz_pf_amount lost;
    kz_pf_amount won;
    double begin = kz_seconds();
    open_run(&card, true, board, pool);
    printf("open %.3f s\n", kz_seconds() - begin);
    start(&card, &lost, &won);
    printf("start %.3f s\n", card.seconds);
    expect(expected, -1, lost);
    int phase = 0;
    double sweeping = 0;
    double fetching = 0;
    double collecting = 0;
    do {
        sweep(&card, phase);
        kz_pf_amount found = card.found;
        if (phase == 0) {
            found = (kz_pf_amount){found.all + won.all, found.kept + won.kept};
        }
        expect(expected, phase, found);
        double swept = kz_seconds();
        fetch(&card);
        double fetched = kz_seconds();
        kz_pool_for(pool, card.slices, 0, settle_page, &card, NULL, NULL, NULL);
        double collected = kz_seconds();
        printf("phase %2d: %6.1f ms, fetch %6.1f ms, collect %6.1f ms, %5" PRIu64 " blocks, found %" PRIu64 "\n", phase,
               card.seconds * 1e3, (fetched - swept) * 1e3, (collected - fetched) * 1e3, card.swept, found.kept);
        fflush(stdout);
        sweeping += card.seconds;
        fetching += fetched - swept;
        collecting += collected - fetched;
        if (phase == 0) {
            memset(card.changed, 1, card.slices);
        }
        phase++;
    } while (phase <= last && (phase == 1 || card.found.kept));
    printf("%s: %d phases as published; %.2f s in all: sweeps %.2f, fetch %.2f, collect %.2f\n",
           kz_pf_board_at(board)->name, phase, kz_seconds() - begin, sweeping, fetching, collecting);
    close_run(&card);
    kz_pool_free(pool);
}

static int find_board(const char *name) {
    for (int i = 0; kz_pf_board_at(i); i++) {
        if (strcmp(kz_pf_board_at(i)->name, name) == 0) {
            return i;
        }
    }
    fprintf(stderr, "no board '%s'\n", name);
    exit(2);
}

int main(int argc, char **argv) {
    if (argc >= 3 && strcmp(argv[1], "compare") == 0) {
        compare(find_board(argv[2]), argc > 3 ? atoi(argv[3]) : MOST_PHASES);
        return 0;
    }
    if (argc >= 4 && strcmp(argv[1], "phases") == 0) {
        phases(find_board(argv[2]), argv[3], argc > 4 ? atoi(argv[4]) : MOST_PHASES);
        return 0;
    }
    fprintf(stderr, "usage: sweep_gpu compare BOARD [LAST] | phases BOARD PHASES [LAST]\n");
    return 2;
}
