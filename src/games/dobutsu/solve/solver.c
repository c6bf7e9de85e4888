/* SPDX-License-Identifier: MIT
 *
 * The kernels of retro.h as the solver layer calls them (kz_solver_ops), and the values that they leave behind. */
#include "base/bits.h"
#include "base/error.h"
#include "games/dobutsu/solve/cells.h"
#include "games/dobutsu/solve/strips.h"

/* What a cell means; `odd` as kz_dobutsu_odd_one tells. */
static kz_value value_of_cell(int cell, bool odd) {
    if (cell >= KZ_DOBUTSU_CELL_OPEN) {
        return (kz_value){KZ_DRAW, 0};
    }
    if (cell == KZ_DOBUTSU_CELL_STALEMATE) {
        return (kz_value){KZ_WIN, 1};
    }
    bool win = (cell & 1) != odd;
    return (kz_value){win ? KZ_WIN : KZ_LOSS, cell};
}

kz_value kz_dobutsu_retro_value(const kz_dobutsu_retro *retro, uint64_t index) {
    return value_of_cell(kz_dobutsu_cell_load(retro, (uint32_t)index), kz_dobutsu_odd_one(retro, (uint32_t)index));
}

static void solver_tally(const void *solver, uint64_t begin, uint64_t end, uint64_t losses[KZ_MAX_DISTANCE + 1],
                         uint64_t wins[KZ_MAX_DISTANCE + 1], uint64_t *draws) {
    const kz_dobutsu_retro *retro = solver;
    /* Equal cells follow each other; counting them in turn in eight places keeps one count from waiting for the last.
     */
    enum { PLACES = 8 };
    uint32_t counts[PLACES][2][256] = {0}; /* [place][odd one] */
    uint64_t index = begin;
    for (; !retro->odd_ones && end - index >= PLACES; index += PLACES) {
        uint8_t cells[PLACES];
        kz_dobutsu_load_eight(&retro->cells[index], cells);
        uint64_t eight = kz_load_le64(cells);
        if (eight == UINT64_C(0x0101010101010101)) { /* what the rules decide fills whole runs */
            wins[1] += PLACES;
            continue;
        }
        for (int place = 0; place < PLACES; place++) {
            counts[place][0][eight >> 8 * place & 255]++;
        }
    }
    for (; index < end; index++) {
        counts[index % PLACES][kz_dobutsu_odd_one(retro, (uint32_t)index)]
              [kz_dobutsu_cell_load(retro, (uint32_t)index)]++;
    }
    for (int odd = 0; odd < 2; odd++) {
        for (int cell = 0; cell < 256; cell++) {
            kz_value value = value_of_cell(cell, odd);
            uint64_t *count = value.outcome == KZ_DRAW  ? draws
                              : value.outcome == KZ_WIN ? &wins[value.distance]
                                                        : &losses[value.distance];
            for (int place = 0; place < PLACES; place++) {
                *count += counts[place][odd][cell];
            }
        }
    }
}

static void solver_losses(const void *solver, uint64_t begin, uint64_t end, uint8_t *out) {
    const kz_dobutsu_retro *retro = solver;
    if (!retro->odd_ones) { /* what the tables below say, many cells at a time */
        const uint8_t *cells = (const uint8_t *)(const void *)(uintptr_t)retro->cells; /* no thread changes them now */
        for (uint64_t index = begin; index < end; index++) {
            uint8_t cell = cells[index];
            out[index - begin] = (cell & 1) == 0 && cell < KZ_DOBUTSU_CELL_STALEMATE ? (uint8_t)(cell + 1) : 0;
        }
        return;
    }
    uint8_t stored[2][256];
    for (int odd = 0; odd < 2; odd++) {
        for (int cell = 0; cell < 256; cell++) {
            kz_value value = value_of_cell(cell, odd);
            stored[odd][cell] = value.outcome == KZ_LOSS ? (uint8_t)(value.distance + 1) : 0;
        }
    }
    for (uint64_t index = begin; index < end; index++) {
        *out++ = stored[kz_dobutsu_odd_one(retro, (uint32_t)index)][kz_dobutsu_cell_load(retro, (uint32_t)index)];
    }
}

_Static_assert(KZ_DOBUTSU_SEGMENT % KZ_BLOCK_POSITIONS == 0 && KZ_DOBUTSU_SEGMENT % KZ_DOBUTSU_CACHE_LINE == 0,
               "no block and no mark is in the shards of two members");

static kz_status read_losses(void *solver, int worker, uint64_t unit, uint8_t *numbers, kz_error *error) {
    (void)worker;
    (void)error;
    uint64_t begin = unit * KZ_BLOCK_POSITIONS;
    uint64_t left = KZ_DOBUTSU_INDEX_SIZE - begin;
    solver_losses(solver, begin, begin + (left < KZ_BLOCK_POSITIONS ? left : KZ_BLOCK_POSITIONS), numbers);
    return KZ_OK;
}

static kz_source solver_source(void *solver) { return (kz_source){.context = solver, .read = read_losses}; }

static void *solver_open(int rules, kz_error *error) {
    kz_dobutsu_retro *retro = kz_dobutsu_retro_new(rules);
    if (!retro) {
        kz_fail(error, KZ_ERR_MEMORY, "no memory to solve Dobutsu Shogi: it takes about 500 MB");
    }
    return retro;
}

static void solver_close(void *solver) { kz_dobutsu_retro_free(solver); }

static void solver_take_shard(void *solver, int member, int members) {
    kz_dobutsu_retro_take_shard(solver, member, members);
}

static void solver_shard(const void *solver, uint64_t *begin, uint64_t *end, uint64_t *segment) {
    const kz_dobutsu_retro *retro = solver;
    *begin = retro->shard_begin;
    *end = retro->shard_end;
    *segment = KZ_DOBUTSU_SEGMENT;
}

static int solver_owner(const void *solver, uint64_t place) {
    return ((const kz_dobutsu_retro *)solver)->owner[place / KZ_DOBUTSU_SEGMENT];
}

static void solver_slices(const void *solver, uint64_t *begin, uint64_t *end) {
    kz_dobutsu_retro_slices(solver, begin, end);
}

static void solver_start(void *solver, uint64_t begin, uint64_t end) { kz_dobutsu_retro_start(solver, begin, end); }

static bool solver_open_sweeps(void *solver) {
    kz_dobutsu_retro *retro = solver;
    retro->strips = retro->rules == KZ_DOBUTSU_OFFICIAL ? kz_dobutsu_strips_new(retro) : NULL;
    return retro->strips;
}

static void solver_begin_sweeps(void *solver, uint64_t begin, uint64_t end) {
    kz_dobutsu_strips_fill(((kz_dobutsu_retro *)solver)->strips, begin, end);
}

static uint64_t solver_sweep(void *solver, int n, uint64_t begin, uint64_t end) {
    return kz_dobutsu_strips_sweep(((kz_dobutsu_retro *)solver)->strips, n, begin, end);
}

static void solver_close_sweeps(void *solver, int n) {
    kz_dobutsu_retro *retro = solver;
    kz_dobutsu_strips_free(retro->strips);
    retro->strips = NULL;
    retro->counted_from = n;
}

static uint64_t solver_count(void *solver, kz_outbox *outbox, uint64_t begin, uint64_t end) {
    return kz_dobutsu_retro_count(solver, outbox, begin, end);
}

static void solver_settle(void *solver, uint64_t begin, uint64_t end) { kz_dobutsu_retro_settle(solver, begin, end); }

static uint64_t solver_propagate(void *solver, kz_outbox *outbox, bool wins, int n, uint64_t begin, uint64_t end) {
    return kz_dobutsu_retro_propagate(solver, outbox, wins, n, begin, end);
}

static void solver_receive(void *solver, kz_step step, const kz_updates *updates) {
    kz_dobutsu_retro_receive(solver, step, updates);
}

static void solver_clear(void *solver, int n) { kz_dobutsu_retro_clear(solver, n); }

static void *solver_hints(void *solver, uint64_t *begins) { return kz_dobutsu_retro_hints(solver, begins); }

static size_t solver_state_bytes(const void *solver, uint64_t begin, uint64_t end) {
    return kz_dobutsu_retro_state_bytes(solver, begin, end);
}

static void solver_save(const void *solver, uint64_t begin, uint64_t end, uint8_t *bytes) {
    kz_dobutsu_retro_save(solver, begin, end, bytes);
}

static void solver_load(void *solver, int n, uint64_t begin, uint64_t end, const uint8_t *bytes) {
    kz_dobutsu_retro_load(solver, n, begin, end, bytes);
}

static kz_value solver_value(const void *solver, uint64_t index) { return kz_dobutsu_retro_value(solver, index); }

extern const kz_solver_ops kz_dobutsu_solver;
const kz_solver_ops kz_dobutsu_solver = {
    .open = solver_open,
    .close = solver_close,
    .take_shard = solver_take_shard,
    .shard = solver_shard,
    .owner = solver_owner,
    .slices = solver_slices,
    .start = solver_start,
    .open_sweeps = solver_open_sweeps,
    .begin_sweeps = solver_begin_sweeps,
    .sweep = solver_sweep,
    .close_sweeps = solver_close_sweeps,
    .worth_sweeping = 600000, /* measured: docs/performance.md */
    .count = solver_count,
    .settle = solver_settle,
    .propagate = solver_propagate,
    .receive = solver_receive,
    .clear = solver_clear,
    .hints = solver_hints,
    .state_bytes = solver_state_bytes,
    .save = solver_save,
    .load = solver_load,
    .value = solver_value,
    .tally = solver_tally,
    .source = solver_source,
};
