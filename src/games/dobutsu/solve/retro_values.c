/* SPDX-License-Identifier: MIT
 *
 * The values that the retrograde analysis leaves behind. */
#include "base/bits.h"
#include "games/dobutsu/solve/cells.h"

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

void kz_dobutsu_retro_tally(const kz_dobutsu_retro *retro, uint64_t begin, uint64_t end, kz_histogram *histogram) {
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
            histogram->wins[1] += PLACES;
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
            uint64_t *count = value.outcome == KZ_DRAW  ? &histogram->draws
                              : value.outcome == KZ_WIN ? &histogram->wins[value.distance]
                                                        : &histogram->losses[value.distance];
            for (int place = 0; place < PLACES; place++) {
                *count += counts[place][odd][cell];
            }
        }
    }
}

static void list_losses(const kz_dobutsu_retro *retro, uint64_t begin, uint64_t end, uint8_t *out) {
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

static kz_status read_losses(void *retro, int worker, uint64_t extent, uint8_t *numbers, kz_error *error) {
    (void)worker;
    (void)error;
    uint64_t begin = extent * KZ_BLOCK_POSITIONS;
    uint64_t left = KZ_DOBUTSU_INDEX_SIZE - begin;
    list_losses(retro, begin, begin + (left < KZ_BLOCK_POSITIONS ? left : KZ_BLOCK_POSITIONS), numbers);
    return KZ_OK;
}

kz_source kz_dobutsu_retro_source(kz_dobutsu_retro *retro) {
    return (kz_source){.context = retro, .read = read_losses};
}
