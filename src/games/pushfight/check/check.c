/* SPDX-License-Identifier: MIT */
#include "games/pushfight/check/check_compare.h"

#include "base/cpu.h"
#include "base/error.h"
#include "games/pushfight/check/value_panels.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct worker {
    kz_pf_value_sweep *sweep;
} worker;

typedef struct checker {
    kz_pf_space *space;
    kz_pf_value_pages *pages;
    kz_pf_compare *compare; /* of this processor */
    int worker_count;
    worker *workers;
    atomic_uint_least32_t complete; /* own sets whose values have been taken in */
    atomic_bool ran_out;            /* of memory */
} checker;

static void close_checker(void *opened) {
    checker *c = opened;
    for (int i = 0; c->workers && i < c->worker_count; i++) {
        kz_pf_value_sweep_close(c->workers[i].sweep);
    }
    free(c->workers);
    kz_pf_value_pages_close(c->pages);
    kz_pf_space_close(c->space);
    free(c);
}

static kz_status open_parts(checker *c, int rules, kz_error *error) {
    KZ_TRY(kz_pf_space_open(kz_pf_board_at(rules), &c->space, error));
    KZ_TRY(kz_pf_value_pages_open(c->space, NULL, NULL, 0, &c->pages, error));
    for (int i = 0; i < c->worker_count; i++) {
        KZ_TRY(kz_pf_value_sweep_open(c->space, KZ_PF_WITH_ANCHOR, &c->workers[i].sweep, error));
    }
    return KZ_OK;
}

static kz_pf_compare *choose_compare(void) {
#ifdef __x86_64__
    if (kz_pf_panels_fit()) {
        return kz_pf_compare_vbmi2;
    }
    if (kz_cpu_level() >= KZ_CPU_AVX2) {
        return kz_pf_compare_avx2;
    }
#endif
    return kz_pf_compare_plain;
}

static void *open_checker(int rules, int worker_count, kz_error *error) {
    checker *c = calloc(1, sizeof *c);
    worker *workers = calloc((size_t)worker_count, sizeof *workers);
    if (!c || !workers) {
        free(c);
        free(workers);
        kz_fail(error, KZ_ERR_MEMORY, "no memory to verify with %d threads", worker_count);
        return NULL;
    }
    c->compare = choose_compare();
    c->worker_count = worker_count;
    c->workers = workers;
    atomic_init(&c->complete, 0);
    atomic_init(&c->ran_out, false);
    if (open_parts(c, rules, error) != KZ_OK) {
        close_checker(c);
        return NULL;
    }
    return c;
}

/* `first` and `count` are whole own sets. */
static void take(void *opened, int number, uint64_t first, uint64_t count, const uint8_t *numbers) {
    checker *c = opened;
    (void)number;
    uint64_t places = kz_pf_own_set_size(c->space);
    for (uint64_t place = first; place < first + count; place += places, numbers += places) {
        kz_status status = kz_pf_value_pages_store(c->pages, (uint32_t)(place / places), numbers, NULL);
        if (status == KZ_OK) {
            atomic_fetch_add(&c->complete, 1);
        } else if (status == KZ_ERR_MEMORY) {
            atomic_store(&c->ran_out, true);
        }
    }
}

/* A unit is an enemy set. Of two that are rotations of each other one is enough, as for own sets. */
static uint64_t units(const void *opened) { return ((const checker *)opened)->space->own_sets; }

static void add_seen(const kz_pf_seen *s, kz_verify_report *report, uint64_t *losses, uint64_t *wins, uint64_t *draws) {
    if (s->wrong && (!report->wrong || s->first_wrong < report->first_wrong)) {
        report->first_wrong = s->first_wrong;
    }
    report->wrong += s->wrong;
    *draws += s->values[0];
    report->draws += s->values[0];
    report->positions += s->values[0];
    for (int byte = 1; byte < KZ_PF_NO_POSITION; byte++) {
        *(byte & 1 ? &losses[byte - 1] : &wins[byte - 1]) += s->values[byte]; /* decided in byte - 1 plies */
        *(byte & 1 ? &report->losses : &report->wins) += s->values[byte];
        report->positions += s->values[byte];
    }
}

/* The first place of the first own set that has no values. */
static uint64_t first_missing(const checker *c) {
    uint32_t own_set = 0;
    while (own_set + 1 < c->space->own_sets && kz_pf_value_pages_stored(c->pages, own_set)) {
        own_set++;
    }
    return (uint64_t)own_set * kz_pf_own_set_size(c->space);
}

static void check(void *opened, int number, uint64_t begin, uint64_t end, kz_verify_report *report,
                  uint64_t losses[KZ_MAX_DISTANCE + 1], uint64_t wins[KZ_MAX_DISTANCE + 1], uint64_t *draws) {
    checker *c = opened;
    kz_pf_value_sweep *sweep = c->workers[number].sweep;
    for (uint64_t unit = begin; unit < end; unit++) {
        kz_pf_seen s = {.wrong = 0};
        uint32_t enemy = c->space->own_squares[unit];
        kz_status status = atomic_load(&c->complete) == c->space->own_sets
                               ? kz_pf_value_sweep_run(sweep, c->pages, enemy, NULL)
                               : KZ_ERR_CORRUPT;
        if (status == KZ_OK) {
            c->compare(c->space, c->pages, sweep, enemy, &s);
        } else if (status == KZ_ERR_MEMORY) {
            atomic_store(&c->ran_out, true);
        } else {
            kz_pf_see_wrong(&s, first_missing(c)); /* nothing is proved without all values */
        }
        add_seen(&s, report, losses, wins, draws);
    }
}

static bool ran_out(const void *opened) { return atomic_load(&((const checker *)opened)->ran_out); }

const kz_checker_ops kz_pushfight_checker = {
    .open = open_checker,
    .close = close_checker,
    .take = take,
    .batches = units,
    .check = check,
    .ran_out = ran_out,
};
