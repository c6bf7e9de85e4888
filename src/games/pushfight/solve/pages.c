/* SPDX-License-Identifier: MIT */
#include "games/pushfight/solve/pages.h"

#include "base/bigmem.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static size_t pairs_bytes(const kz_pf_pages *p) {
    return (size_t)p->page_count * p->space->enemy_sets * sizeof *p->state.pairs;
}

static size_t bases_bytes(const kz_pf_pages *p) {
    return (size_t)p->page_count * kz_pf_base_count(p->space) * sizeof *p->state.bases;
}

static size_t runs_bytes(const kz_pf_state *state) { return (state->run_count + 1) * sizeof *state->runs; }

static void free_pages(kz_pf_pages *p) {
    kz_big_free(p->state.pairs, pairs_bytes(p));
    kz_big_free(p->state.bases, bases_bytes(p));
    p->state.pairs = NULL;
    p->state.bases = NULL;
}

void kz_pf_pages_close(kz_pf_pages *p) {
    if (!p) {
        return;
    }
    for (int i = 0; p->worker && i < p->workers; i++) {
        kz_pf_worker *f = &p->worker[i];
        kz_pf_slice_close(f->slice);
        free(f->stuck.items);
        free(f->sent.items);
        free(f->elements.pairs);
        free(f->elements.wins);
        free(f->updates);
    }
    free(p->worker);
    for (int losses = 0; losses < 2; losses++) {
        free(p->memos[losses]);
        if (p->seen[losses]) {
            kz_big_free(p->seen[losses], p->space->pairs);
        }
    }
    if (p->space) {
        free_pages(p);
        kz_big_free(p->state.runs, runs_bytes(&p->state));
    }
    free(p->state.first_runs);
    free(p->state.views);
    kz_pf_tables_close(p->tables);
    kz_pf_space_close(p->space);
    free(p);
}

kz_status kz_pf_pages_allocate(kz_pf_pages *p, uint32_t first_page, uint32_t page_count, kz_error *error) {
    free_pages(p);
    p->first_page = first_page;
    p->page_count = page_count;
    p->state.pairs = kz_big_alloc(pairs_bytes(p));
    p->state.bases = kz_big_alloc(bases_bytes(p));
    return p->state.pairs && p->state.bases
               ? KZ_OK
               : kz_fail(error, KZ_ERR_MEMORY, "no memory for the board '%s': it takes %llu MiB", p->space->board->name,
                         (unsigned long long)(pairs_bytes(p) >> 20));
}

static kz_status fill(kz_pf_pages *p, const kz_pf_board *board, kz_error *error) {
    KZ_TRY(kz_pf_space_open(board, &p->space, error));
    KZ_TRY(kz_pf_tables_open(p->space, &p->tables, error));
    p->state.space = p->space;
    KZ_TRY(kz_pf_pages_allocate(p, 0, p->space->own_sets, error));
    p->state.first_runs = calloc((size_t)p->space->own_sets + 1, sizeof *p->state.first_runs);
    p->worker = calloc((size_t)p->workers, sizeof *p->worker);
    for (int losses = 0; losses < 2; losses++) {
        p->memos[losses] = calloc(p->space->own_sets, sizeof *p->memos[losses]);
        p->seen[losses] = kz_big_alloc(p->space->pairs);
    }
    if (!p->state.first_runs || !p->worker || !p->memos[0] || !p->memos[1] || !p->seen[0] || !p->seen[1]) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the board '%s'", board->name);
    }
    for (int i = 0; i < p->workers; i++) {
        p->worker[i].slice = kz_pf_slice_open(p->tables, error);
        if (!p->worker[i].slice) {
            return KZ_ERR_MEMORY;
        }
    }
    return KZ_OK;
}

kz_status kz_pf_pages_open(int rules, int workers, kz_pf_pages **opened, kz_error *error) {
    kz_pf_pages *p = calloc(1, sizeof *p);
    if (!p) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the solver");
    }
    p->workers = workers;
    kz_status status = fill(p, kz_pf_board_at(rules), error);
    if (status != KZ_OK) {
        kz_pf_pages_close(p);
        return status;
    }
    *opened = p;
    return KZ_OK;
}

/* Wins and stuck runs are counted by (alpha, rho). */
static uint64_t sigmas(const kz_pf_pages *p) { return (uint64_t)p->space->anchored_splits; }

static kz_pf_start_counts start_counts(const kz_pf_pages *p) {
    kz_pf_start_counts sum = {.wins = 0};
    for (int i = 0; i < p->workers; i++) {
        const kz_pf_start_counts *part = &p->worker[i].counts;
        sum.wins += part->wins;
        sum.stuck += part->stuck;
        sum.anchored += part->anchored;
        sum.anchored_wins += part->anchored_wins;
        sum.anchored_stuck += part->anchored_stuck;
    }
    return sum;
}

kz_pf_amount kz_pf_pages_total(const kz_pf_pages *p) {
    return (kz_pf_amount){.all = p->space->positions * kz_pf_turned(p->space),
                          .kept = start_counts(p).anchored * sigmas(p)};
}

void kz_pf_pages_start(kz_pf_pages *p, int worker, uint64_t slice) {
    kz_pf_worker *f = &p->worker[worker];
    kz_pf_slice_start(f->slice, p->space->own_squares[slice], &p->state, NULL, &f->stuck, &f->counts);
}

/* Numbers the runs of a page from 0 on. */
void kz_pf_pages_measure(kz_pf_pages *p, uint64_t page) {
    const kz_pf_space *space = p->space;
    uint64_t *pairs = kz_pf_page_pairs(p, page);
    uint64_t *bases = kz_pf_page_bases(p, page);
    uint8_t anchors[KZ_PF_MOST_ENEMY_SETS];
    kz_pf_anchors(p->tables, space->own_squares[page], anchors);
    uint64_t runs = 0;
    for (uint32_t i = 0; i < space->enemy_sets; i++) {
        if (i % KZ_PF_BASE_PAIRS == 0) {
            bases[i / KZ_PF_BASE_PAIRS] = runs;
        }
        uint64_t open = ~pairs[i] & p->tables->allowed[anchors[i]];
        pairs[i] |= (runs - bases[i / KZ_PF_BASE_PAIRS]) << KZ_PF_WIN_BITS;
        runs += kz_popcount64(open);
    }
    p->state.first_runs[page + 1] = runs;
}

kz_status kz_pf_pages_lay_out(kz_pf_pages *p, kz_pf_amount *lost, kz_pf_amount *won, kz_error *error) {
    kz_pf_state *state = &p->state;
    for (int i = 0; i < p->workers; i++) {
        if (p->worker[i].stuck.failed) {
            return kz_fail(error, KZ_ERR_MEMORY, "no memory for the positions without a turn");
        }
    }
    for (uint32_t page = 0; page < p->space->own_sets; page++) {
        state->first_runs[page + 1] += state->first_runs[page];
    }
    state->run_count = state->first_runs[p->first_page + p->page_count] - state->first_runs[p->first_page];
    state->runs = kz_big_alloc(runs_bytes(state));
    if (!state->runs) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the state of the positions: it takes %llu MiB",
                       (unsigned long long)(runs_bytes(state) >> 20));
    }
    for (uint32_t page = p->first_page; state->views && page < p->first_page + p->page_count; page++) {
        state->views[page] = (kz_pf_view){kz_pf_page_pairs(p, page), kz_pf_page_bases(p, page), state->runs};
    }
    kz_pf_start_counts counts = start_counts(p);
    *won = (kz_pf_amount){counts.wins * sigmas(p) * kz_pf_turned(p->space), counts.anchored_wins * sigmas(p)};
    *lost = (kz_pf_amount){counts.stuck * sigmas(p) * kz_pf_turned(p->space), counts.anchored_stuck * sigmas(p)};
    return KZ_OK;
}

/* Numbers the runs of a page from where it begins, and marks the positions without a turn in it. */
bool kz_pf_pages_place(kz_pf_pages *p, uint64_t page) {
    const kz_pf_space *space = p->space;
    kz_pf_state *state = &p->state;
    kz_pf_page here = {kz_pf_page_pairs(p, page), kz_pf_page_bases(p, page)};
    for (uint32_t i = 0; i < kz_pf_base_count(space); i++) {
        here.bases[i] += kz_pf_page_run(p, page);
    }
    uint32_t own = space->own_squares[page];
    bool stuck = false;
    for (int i = 0; i < p->workers; i++) {
        const kz_pf_stuck_list *list = &p->worker[i].stuck;
        for (size_t k = 0; k < list->count; k++) {
            if (list->items[k].pair / space->enemy_sets == page) {
                uint32_t set = (uint32_t)(list->items[k].pair % space->enemy_sets);
                uint32_t enemy = kz_pf_unpack(space->others.patterns[set], space->board->squares & ~own);
                uint64_t below =
                    kz_pf_open_bits(space, here.pairs[set], own, enemy) & ((UINT64_C(1) << list->items[k].bit) - 1);
                uint64_t run = kz_pf_first_run(&here, set) + kz_popcount64(below);
                state->runs[run] = (uint16_t)(((1U << space->anchored_splits) - 1) << KZ_PF_LOSS_SHIFT);
                stuck = true;
            }
        }
    }
    return stuck;
}

uint64_t kz_pf_pages_sweep(kz_pf_pages *p, int worker, int phase, uint64_t slice, uint64_t *fresh) {
    kz_pf_slice_counts counts = {0, 0};
    bool losses = phase % 2 == 1;
    kz_pf_slice_sweep(p->worker[worker].slice, p->space->own_squares[slice], losses, &p->state,
                      &p->memos[losses][slice], p->seen[losses] + slice * p->space->enemy_sets, &counts);
    *fresh += counts.fresh;
    return counts.decided * kz_pf_turned(p->space);
}

/* The bits of a run that say "decided in this phase", and the run without that note. */
static unsigned marks_of(unsigned run) { return run & run >> KZ_PF_LOSS_SHIFT & KZ_PF_STATE_MASK; }

static unsigned settled(unsigned run, unsigned marks, bool losses) {
    return run & ~(losses ? marks : marks << KZ_PF_LOSS_SHIFT);
}

uint64_t kz_pf_pages_collect(kz_pf_pages *p, int phase, uint64_t page, bool settle, uint8_t *marks) {
    uint16_t *runs = p->state.runs + kz_pf_page_run(p, page);
    size_t count = kz_pf_run_count(p->state.first_runs, page);
    uint64_t found = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned fresh = marks_of(runs[i]);
        marks[i] = (uint8_t)fresh;
        if (fresh) {
            found += kz_popcount32(fresh);
            runs[i] = (uint16_t)(settle ? settled(runs[i], fresh, phase % 2 == 1) : runs[i]);
        }
    }
    return found;
}

void kz_pf_restore_runs(uint16_t *runs, size_t count, int phase, bool settle, const uint8_t *marks) {
    for (size_t i = 0; i < count; i++) {
        if (marks[i]) {
            unsigned run = runs[i] | marks[i] | (unsigned)marks[i] << KZ_PF_LOSS_SHIFT;
            runs[i] = (uint16_t)(settle ? settled(run, marks[i], phase % 2 == 1) : run);
        }
    }
}

void kz_pf_pages_restore(kz_pf_pages *p, int phase, uint64_t page, bool settle, const uint8_t *marks) {
    kz_pf_restore_runs(p->state.runs + kz_pf_page_run(p, page), kz_pf_run_count(p->state.first_runs, page), phase,
                       settle, marks);
}

/* Which bytes of a word are 0, a bit for each. */
static unsigned zero_bytes(uint64_t word) {
    const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    uint64_t zero = ~(((word & low) + low) | word | low) >> 7;
    return (unsigned)(zero * UINT64_C(0x0102040810204080) >> 56);
}

void kz_pf_complete_runs(const uint16_t *runs, size_t count, uint64_t *values) {
    for (size_t i = 0; i < count; i++) {
        unsigned lost = runs[i] >> KZ_PF_LOSS_SHIFT & KZ_PF_STATE_MASK;
        unsigned decided = (runs[i] | lost) & KZ_PF_STATE_MASK;
        for (unsigned rest = decided & zero_bytes(values[i]); rest; rest &= rest - 1) {
            unsigned sigma = kz_lowest_bit32(rest);
            values[i] |= UINT64_C(1) << (8 * sigma + !(lost >> sigma & 1));
        }
    }
}
