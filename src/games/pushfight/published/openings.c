/* SPDX-License-Identifier: MIT */
#include "games/pushfight/published/published.h"

#include "base/error.h"

#include <stdlib.h>

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

static uint32_t choose(uint32_t n, uint32_t k) {
    uint64_t result = 1;
    for (uint32_t i = 0; i < k; i++) {
        result = n < k ? 0 : result * (n - i) / (i + 1);
    }
    return (uint32_t)result;
}

/* The number of a bit pattern among those with as many bits, and back. */
static uint32_t pattern_number(uint32_t pattern) {
    uint32_t number = 0;
    for (uint32_t counted = 1; pattern; pattern &= pattern - 1, counted++) {
        number += choose(kz_lowest_bit32(pattern), counted);
    }
    return number;
}

static uint32_t pattern_at(uint32_t number, uint32_t bits) {
    uint32_t pattern = 0;
    for (; bits > 0; bits--) {
        uint32_t place = bits - 1;
        while (choose(place + 1, bits) <= number) {
            place++;
        }
        number -= choose(place, bits);
        pattern |= UINT32_C(1) << place;
    }
    return pattern;
}

static uint32_t home_squares(const kz_pf_board *board, int side) {
    return side == KZ_PUSHFIGHT_FIRST ? board->home : board->squares & ~board->home;
}

static uint32_t pieces_of(const kz_pf_board *board) { return (uint32_t)(board->movers + board->pushers); }

static uint32_t splits_of(const kz_pf_board *board) { return choose(pieces_of(board), (uint32_t)board->movers); }

uint32_t kz_pf_placements(const kz_pf_board *board, int side) {
    return choose(kz_popcount32(home_squares(board, side)), pieces_of(board)) * splits_of(board);
}

kz_pf_placement kz_pf_placement_at(const kz_pf_board *board, int side, uint32_t number) {
    uint32_t splits = splits_of(board);
    uint32_t squares = kz_pf_unpack(pattern_at(number / splits, pieces_of(board)), home_squares(board, side));
    uint32_t movers = kz_pf_unpack(pattern_at(number % splits, (uint32_t)board->movers), squares);
    return (kz_pf_placement){.movers = movers, .pushers = squares & ~movers};
}

uint32_t kz_pf_placement_number(const kz_pf_board *board, int side, kz_pf_placement placement) {
    uint32_t squares = placement.movers | placement.pushers;
    return pattern_number(kz_pf_pack(squares, home_squares(board, side))) * splits_of(board) +
           pattern_number(kz_pf_pack(placement.movers, squares));
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

static const char *letters_of(int side) { return side == KZ_PUSHFIGHT_FIRST ? "oO" : "xX"; }

static kz_status find_board(int rules, int side, const kz_pf_board **board, kz_error *error) {
    *board = kz_pf_board_at(rules);
    if (!*board) {
        return kz_fail(error, KZ_ERR_INPUT, "there is no board number %d", rules);
    }
    if (side != KZ_PUSHFIGHT_FIRST && side != KZ_PUSHFIGHT_SECOND) {
        return kz_fail(error, KZ_ERR_INPUT, "there is no side number %d", side);
    }
    return KZ_OK;
}

kz_status kz_pushfight_placement_format(int rules, int side, uint32_t number, char *text, size_t size,
                                        kz_error *error) {
    const kz_pf_board *board;
    KZ_TRY(find_board(rules, side, &board, error));
    if (number >= kz_pf_placements(board, side)) {
        return kz_fail(error, KZ_ERR_INPUT, "placement %u is past the last, %u", number,
                       kz_pf_placements(board, side) - 1);
    }
    if (size <= (size_t)kz_pf_square_count(board)) {
        return kz_fail(error, KZ_ERR_INPUT, "a placement does not fit into %zu bytes", size);
    }
    kz_pf_placement placement = kz_pf_placement_at(board, side, number);
    for (uint32_t rest = board->squares; rest; rest &= rest - 1) {
        uint32_t square = rest & -rest;
        *text++ = placement.movers & square    ? letters_of(side)[0]
                  : placement.pushers & square ? letters_of(side)[1]
                                               : '.';
    }
    *text = '\0';
    return KZ_OK;
}

kz_status kz_pushfight_placement_parse(int rules, int side, const char *text, size_t length, uint32_t *number,
                                       kz_error *error) {
    const kz_pf_board *board;
    KZ_TRY(find_board(rules, side, &board, error));
    const char *letters = letters_of(side);
    kz_pf_placement placement = {0};
    size_t i = 0;
    for (uint32_t rest = board->squares; rest && i < length; rest &= rest - 1, i++) {
        uint32_t square = rest & -rest;
        if (text[i] == '.') {
            continue;
        }
        if (text[i] != letters[0] && text[i] != letters[1]) {
            return kz_fail(error, KZ_ERR_INPUT, "character %zu is none of '.', '%c' and '%c'", i + 1, letters[0],
                           letters[1]);
        }
        if (!(home_squares(board, side) & square)) {
            return kz_fail(error, KZ_ERR_INPUT, "character %zu: the %s player may not set up on this square", i + 1,
                           side == KZ_PUSHFIGHT_FIRST ? "first" : "second");
        }
        *(text[i] == letters[0] ? &placement.movers : &placement.pushers) |= square;
    }
    if (length != (size_t)kz_pf_square_count(board)) {
        return kz_fail(error, KZ_ERR_INPUT, "character %zu: a placement on this board has %d squares", i + 1,
                       kz_pf_square_count(board));
    }
    if ((int)kz_popcount32(placement.movers) != board->movers ||
        (int)kz_popcount32(placement.pushers) != board->pushers) {
        return kz_fail(error, KZ_ERR_INPUT, "the placement has %u '%c' and %u '%c', and not %d and %d",
                       kz_popcount32(placement.movers), letters[0], kz_popcount32(placement.pushers), letters[1],
                       board->movers, board->pushers);
    }
    *number = kz_pf_placement_number(board, side, placement);
    return KZ_OK;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

typedef struct opening_run {
    const kz_pf_space *space;
    uint32_t *firsts;  /* sets of squares of the first player */
    uint32_t *seconds; /* and of the second */
    uint32_t first_sets;
    uint32_t second_sets;
    uint8_t *values;
} opening_run;

static void write_values(void *context, const kz_pf_value_sweep *sweep, uint32_t second) {
    const opening_run *run = context;
    const kz_pf_space *space = run->space;
    size_t splits = (size_t)space->splits;
    size_t row = run->second_sets * splits;
    kz_pf_worths worths = kz_pf_value_sweep_worths(sweep);
    uint32_t room = space->board->squares & ~run->seconds[second];
    for (size_t first = 0; first < run->first_sets; first++) {
        uint32_t own_rank = kz_pf_rank(&space->others, kz_pf_pack(run->firsts[first], room));
        for (size_t rho = 0; rho < splits; rho++) {
            uint8_t *values = run->values + (first * splits + rho) * row + second * splits;
            for (size_t split = 0; split < splits; split++) {
                values[split] = kz_pf_worth_byte(*kz_pf_worth(&worths, own_rank, (unsigned)rho, (unsigned)split));
            }
        }
    }
}

/* The sets of squares of all placements of a side. */
static uint32_t *list_sets(const kz_pf_space *space, int side, uint32_t *count) {
    uint32_t splits = (uint32_t)space->splits;
    *count = kz_pf_placements(space->board, side) / splits;
    uint32_t *sets = malloc((*count + 1) * sizeof *sets); /* there may be none */
    for (uint32_t set = 0; sets && set < *count; set++) {
        kz_pf_placement placement = kz_pf_placement_at(space->board, side, set * splits);
        sets[set] = placement.movers | placement.pushers;
    }
    return sets;
}

kz_status kz_pf_opening_values(const kz_pf_space *space, kz_pf_value_pages *pages, kz_pool *pool, uint8_t *values,
                               const kz_progress *progress, kz_error *error) {
    opening_run run = {.space = space};
    run.values = values;
    run.firsts = list_sets(space, KZ_PUSHFIGHT_FIRST, &run.first_sets);
    run.seconds = list_sets(space, KZ_PUSHFIGHT_SECOND, &run.second_sets);
    kz_status status = KZ_OK;
    if (!run.firsts || !run.seconds) {
        status = kz_fail(error, KZ_ERR_MEMORY, "no memory for the list of placements");
    } else {
        kz_pf_sweeps sweeps = {.space = space,
                               .pages = pages,
                               .lanes = KZ_PF_WITHOUT_ANCHOR,
                               .enemies = run.seconds,
                               .count = run.second_sets,
                               .swept = write_values,
                               .context = &run};
        status = kz_pf_sweeps_run(&sweeps, pool, progress, "finding values of openings", error);
    }
    free(run.firsts);
    free(run.seconds);
    return status;
}
