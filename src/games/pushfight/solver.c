/* SPDX-License-Identifier: MIT
 *
 * Push Fight for solve/sweep.c: blocks are enemy sets, pages are own sets. */
#include "games/pushfight/solver.h"
#include "base/bigmem.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static size_t pairs_bytes(const kz_pf_solver *s) {
    return (size_t)s->page_count * s->space->enemy_sets * sizeof *s->state.pairs;
}

static size_t bases_bytes(const kz_pf_solver *s) {
    return (size_t)s->page_count * kz_pf_groups(s->space) * sizeof *s->state.bases;
}

static size_t rows_bytes(const kz_pf_state *state) { return (state->row_count + 1) * sizeof *state->rows; }

static void free_pages(kz_pf_solver *s) {
    kz_big_free(s->state.pairs, pairs_bytes(s));
    kz_big_free(s->state.bases, bases_bytes(s));
    s->state.pairs = NULL;
    s->state.bases = NULL;
}

static void close_solver(void *context) {
    kz_pf_solver *s = context;
    for (int i = 0; s->finds && i < s->workers; i++) {
        kz_pf_finds *f = &s->finds[i];
        kz_pf_block_close(f->block);
        free(f->stuck.items);
        free(f->sent.items);
        free(f->elements.pairs);
        free(f->elements.wins);
        free(f->records);
    }
    free(s->finds);
    if (s->space) {
        free_pages(s);
        kz_big_free(s->state.rows, rows_bytes(&s->state));
    }
    free(s->state.first_rows);
    free(s->state.views);
    kz_pf_tables_close(s->tables);
    kz_pf_space_close(s->space);
    free(s);
}

kz_status kz_pf_solver_pages(kz_pf_solver *s, uint32_t first_page, uint32_t page_count, kz_error *error) {
    free_pages(s);
    s->first_page = first_page;
    s->page_count = page_count;
    s->state.pairs = kz_big_alloc(pairs_bytes(s));
    s->state.bases = kz_big_alloc(bases_bytes(s));
    return s->state.pairs && s->state.bases
               ? KZ_OK
               : kz_fail(error, KZ_ERR_MEMORY, "no memory for the board '%s': it takes %llu MiB", s->space->board->name,
                         (unsigned long long)(pairs_bytes(s) >> 20));
}

static kz_status fill(kz_pf_solver *s, const kz_pf_board *board, kz_error *error) {
    kz_status status = kz_pf_space_open(board, &s->space, error);
    if (status == KZ_OK) {
        status = kz_pf_tables_open(s->space, &s->tables, error);
    }
    if (status != KZ_OK) {
        return status;
    }
    s->state.space = s->space;
    status = kz_pf_solver_pages(s, 0, s->space->own_sets, error);
    if (status != KZ_OK) {
        return status;
    }
    s->state.first_rows = calloc((size_t)s->space->own_sets + 1, sizeof *s->state.first_rows);
    s->finds = calloc((size_t)s->workers, sizeof *s->finds);
    if (!s->state.first_rows || !s->finds) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the board '%s'", board->name);
    }
    for (int i = 0; i < s->workers; i++) {
        s->finds[i].block = kz_pf_block_open(s->tables, error);
        if (!s->finds[i].block) {
            return KZ_ERR_MEMORY;
        }
    }
    return KZ_OK;
}

static void *open_solver(int rules, int workers, kz_error *error) {
    kz_pf_solver *s = calloc(1, sizeof *s);
    if (!s) {
        kz_fail(error, KZ_ERR_MEMORY, "no memory for the solver");
        return NULL;
    }
    s->workers = workers;
    if (fill(s, kz_pf_board_at(rules), error) != KZ_OK) {
        close_solver(s);
        return NULL;
    }
    return s;
}

static uint64_t blocks(const void *context) { return ((const kz_pf_solver *)context)->space->own_sets; }

/* How often a position of the blocks that are swept stands for one of all. */
static uint64_t turns(const kz_pf_solver *s) { return s->space->folded ? 2 : 1; }

/* Wins and stuck rows are counted by (alpha, rho). */
static uint64_t sigmas(const kz_pf_solver *s) { return (uint64_t)s->space->anchored_splits; }

static kz_pf_start_counts start_counts(const kz_pf_solver *s) {
    kz_pf_start_counts sum = {.wins = 0};
    for (int i = 0; i < s->workers; i++) {
        const kz_pf_start_counts *part = &s->finds[i].counts;
        sum.wins += part->wins;
        sum.stuck += part->stuck;
        sum.anchored += part->anchored;
        sum.anchored_wins += part->anchored_wins;
        sum.anchored_stuck += part->anchored_stuck;
    }
    return sum;
}

static kz_sweep_counts total(const void *context) {
    const kz_pf_solver *s = context;
    return (kz_sweep_counts){.all = s->space->positions * turns(s), .kept = start_counts(s).anchored * sigmas(s)};
}

static void start(void *context, int worker, uint64_t block) {
    kz_pf_solver *s = context;
    kz_pf_finds *f = &s->finds[worker];
    kz_pf_block_start(f->block, s->space->own_squares[block], &s->state, NULL, &f->stuck, &f->counts);
}

/* Numbers the rows of a page from 0 on. */
static void measure(void *context, uint64_t page) {
    kz_pf_solver *s = context;
    const kz_pf_space *space = s->space;
    uint64_t *pairs = kz_pf_page_pairs(s, page);
    uint64_t *bases = kz_pf_page_bases(s, page);
    uint8_t anchors[KZ_PF_MOST_ENEMY_SETS];
    kz_pf_anchors(s->tables, space->own_squares[page], anchors);
    uint64_t rows = 0;
    for (uint32_t i = 0; i < space->enemy_sets; i++) {
        if (i % KZ_PF_GROUP == 0) {
            bases[i / KZ_PF_GROUP] = rows;
        }
        uint64_t open = ~pairs[i] & s->tables->allowed[anchors[i]];
        pairs[i] |= (rows - bases[i / KZ_PF_GROUP]) << KZ_PF_WIN_BITS;
        rows += kz_popcount64(open);
    }
    s->state.first_rows[page + 1] = rows;
}

static kz_status lay_out(void *context, kz_sweep_counts *lost, kz_sweep_counts *won, kz_error *error) {
    kz_pf_solver *s = context;
    kz_pf_state *state = &s->state;
    for (int i = 0; i < s->workers; i++) {
        if (s->finds[i].stuck.failed) {
            return kz_fail(error, KZ_ERR_MEMORY, "no memory for the positions without a turn");
        }
    }
    for (uint32_t page = 0; page < s->space->own_sets; page++) {
        state->first_rows[page + 1] += state->first_rows[page];
    }
    state->row_count = state->first_rows[s->first_page + s->page_count] - state->first_rows[s->first_page];
    state->rows = kz_big_alloc(rows_bytes(state));
    if (!state->rows) {
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the state of the positions: it takes %llu MiB",
                       (unsigned long long)(rows_bytes(state) >> 20));
    }
    for (uint32_t page = s->first_page; state->views && page < s->first_page + s->page_count; page++) {
        state->views[page] = (kz_pf_view){kz_pf_page_pairs(s, page), kz_pf_page_bases(s, page), state->rows};
    }
    kz_pf_start_counts counts = start_counts(s);
    *won = (kz_sweep_counts){counts.wins * sigmas(s) * turns(s), counts.anchored_wins * sigmas(s)};
    *lost = (kz_sweep_counts){counts.stuck * sigmas(s) * turns(s), counts.anchored_stuck * sigmas(s)};
    return KZ_OK;
}

/* Numbers the rows of a page from where it begins, and marks the positions without a turn in it. */
static bool place(void *context, uint64_t page) {
    kz_pf_solver *s = context;
    const kz_pf_space *space = s->space;
    kz_pf_state *state = &s->state;
    kz_pf_page here = {kz_pf_page_pairs(s, page), kz_pf_page_bases(s, page)};
    for (uint32_t group = 0; group < kz_pf_groups(space); group++) {
        here.bases[group] += kz_pf_page_row(s, page);
    }
    uint32_t own = space->own_squares[page];
    bool stuck = false;
    for (int i = 0; i < s->workers; i++) {
        const kz_pf_stuck_list *list = &s->finds[i].stuck;
        for (size_t k = 0; k < list->count; k++) {
            if (list->items[k].pair / space->enemy_sets == page) {
                uint32_t set = (uint32_t)(list->items[k].pair % space->enemy_sets);
                uint32_t enemy = kz_pf_unpack(space->others.patterns[set], space->board->squares & ~own);
                uint64_t below =
                    kz_pf_open_bits(space, here.pairs[set], own, enemy) & ((UINT64_C(1) << list->items[k].bit) - 1);
                uint64_t row = kz_pf_first_row(&here, set) + kz_popcount64(below);
                state->rows[row] = (uint16_t)(((1U << space->anchored_splits) - 1) << KZ_PF_LOSS_SHIFT);
                stuck = true;
            }
        }
    }
    return stuck;
}

static bool touched(const void *context, uint64_t block, const uint8_t *changed) {
    const kz_pf_solver *s = context;
    return kz_pf_block_touched(s->tables, s->space->own_squares[block], changed);
}

static uint64_t sweep(void *context, int worker, int phase, uint64_t block, uint64_t *fresh) {
    kz_pf_solver *s = context;
    kz_pf_block_counts counts = {0, 0};
    kz_pf_block_sweep(s->finds[worker].block, s->space->own_squares[block], phase % 2 == 1, &s->state, &counts);
    *fresh += counts.fresh;
    return counts.decided * turns(s);
}

static size_t page_rows(const void *context, uint64_t page) {
    const kz_pf_solver *s = context;
    return kz_pf_page_row_count(s, page);
}

/* The bits of a row that say "decided in this phase", and the row without that note. */
static unsigned marks_of(unsigned row) { return row & row >> KZ_PF_LOSS_SHIFT & KZ_PF_STATE_MASK; }

static unsigned settled(unsigned row, unsigned marks, bool losses) {
    return row & ~(losses ? marks : marks << KZ_PF_LOSS_SHIFT);
}

static uint64_t collect(void *context, int phase, uint64_t page, bool settle, uint8_t *marks) {
    kz_pf_solver *s = context;
    uint16_t *rows = s->state.rows + kz_pf_page_row(s, page);
    size_t count = page_rows(s, page);
    uint64_t found = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned fresh = marks_of(rows[i]);
        marks[i] = (uint8_t)fresh;
        if (fresh) {
            found += kz_popcount32(fresh);
            rows[i] = (uint16_t)(settle ? settled(rows[i], fresh, phase % 2 == 1) : rows[i]);
        }
    }
    return found;
}

static void restore(void *context, int phase, uint64_t page, bool settle, const uint8_t *marks) {
    kz_pf_solver *s = context;
    uint16_t *rows = s->state.rows + kz_pf_page_row(s, page);
    size_t count = page_rows(s, page);
    for (size_t i = 0; i < count; i++) {
        if (marks[i]) {
            unsigned row = rows[i] | marks[i] | (unsigned)marks[i] << KZ_PF_LOSS_SHIFT;
            rows[i] = (uint16_t)(settle ? settled(row, marks[i], phase % 2 == 1) : row);
        }
    }
}

/* What no phase after 0 has found is stuck if it is lost, and won by leaving the opponent stuck if it is won. */
static uint8_t number_of(unsigned value, unsigned won, unsigned lost) {
    return (uint8_t)(value ? value : lost ? 1 : won ? 2 : 0);
}

void kz_pf_write_numbers(const kz_pf_tables *tables, uint32_t own, const uint64_t *pairs, const uint16_t *rows,
                         const uint64_t *values, uint8_t *numbers) {
    enum { NO_POSITION = 255, WON_AT_ONCE = 2 };
    const kz_pf_space *space = tables->space;
    size_t row_places = (size_t)space->anchored_splits;
    size_t pair_bits = (size_t)space->pieces * (size_t)space->splits;
    uint8_t anchors[KZ_PF_MOST_ENEMY_SETS];
    kz_pf_anchors(tables, own, anchors);
    for (uint32_t i = 0; i < space->enemy_sets; i++) {
        uint64_t allowed = tables->allowed[anchors[i]];
        for (size_t bit = 0; bit < pair_bits; bit++, numbers += row_places) {
            if (!(allowed >> bit & 1)) {
                memset(numbers, NO_POSITION, row_places);
            } else if (pairs[i] >> bit & 1) {
                memset(numbers, WON_AT_ONCE, row_places);
            } else {
                for (size_t sigma = 0; sigma < row_places; sigma++) {
                    numbers[sigma] = number_of(*values >> 8 * sigma & 255, *rows >> sigma & 1,
                                               *rows >> (sigma + KZ_PF_LOSS_SHIFT) & 1);
                }
                values++;
                rows++;
            }
        }
    }
}

static kz_status numbers(const void *context, uint64_t page, const uint64_t *values, uint8_t *numbers,
                         kz_error *error) {
    const kz_pf_solver *s = context;
    (void)error;
    kz_pf_write_numbers(s->tables, s->space->own_squares[page], kz_pf_page_pairs(s, page),
                        s->state.rows + kz_pf_page_row(s, page), values, numbers);
    return KZ_OK;
}

extern const kz_sweep_ops kz_pushfight_sweep;
const kz_sweep_ops kz_pushfight_sweep = {
    .open = open_solver,
    .close = close_solver,
    .blocks = blocks,
    .pages = blocks,
    .total = total,
    .start = start,
    .measure = measure,
    .lay_out = lay_out,
    .place = place,
    .touched = touched,
    .sweep = sweep,
    .page_rows = page_rows,
    .collect = collect,
    .restore = restore,
    .numbers = numbers,
    .share = &kz_pushfight_share,
};
