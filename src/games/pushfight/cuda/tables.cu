/* SPDX-License-Identifier: MIT
 *
 * What the kernels need to know about a board, made once when a solver is opened. */
#include "games/pushfight/cuda/solver.cuh"

namespace kz_cuda {

struct HostTables {
    uint32_t binomials[KZ_PF_MOST_PIECES][RANK_ROW];
    uint64_t allowed[2][KZ_PF_SUBSETS];
    uint16_t sigmas[KZ_PF_SUBSETS];
    Rest *rest;
    uint16_t *rest_of;
};

static void fill_binomials(uint32_t binomials[KZ_PF_MOST_PIECES][RANK_ROW]) {
    for (uint32_t square = 0; square < RANK_ROW; square++) {
        uint64_t value = square;
        for (uint32_t i = 0; i < KZ_PF_MOST_PIECES; i++) {
            binomials[i][square] = (uint32_t)value;
            value = square > i ? value * (square - i - 1) / (i + 2) : 0;
        }
    }
}

/* Which of the enemy's roles it is, for each piece that may carry the anchor. */
static void fill_sigmas(const kz_pf_space *space, uint16_t sigmas[KZ_PF_SUBSETS]) {
    for (uint32_t movers = 0; movers < KZ_PF_SUBSETS; movers++) {
        sigmas[movers] = 0;
        for (int alpha = 0; alpha < space->pieces; alpha++) {
            uint32_t below = (UINT32_C(1) << alpha) - 1;
            uint32_t others = (movers & below) | (movers >> 1 & ~below);
            if (!(movers >> alpha & 1)) {
                sigmas[movers] |= (uint16_t)((space->anchored_number[others] & 7) << 3 * alpha);
            }
        }
    }
}

static void fill_rests(const kz_pf_tables *tables, HostTables *host) {
    uint32_t sets = tables->space->enemy_sets;
    for (uint32_t i = 0; i < tables->rests_count; i++) {
        const kz_pf_rest *from = &tables->rests[i];
        Rest *rest = &host->rest[i];
        *rest = {};
        rest->squares = from->squares;
        int place = 0;
        for (int square = 0; square < tables->space->others.width; square++) {
            if (!(from->squares >> square & 1)) {
                int before = __builtin_popcount(from->squares & ((UINT32_C(1) << square) - 1));
                uint16_t rank = from->rank[place++];
                rest->base[before] = (uint16_t)(rank - host->binomials[before][square]);
                host->rest_of[(uint64_t)before * sets + rank] = (uint16_t)i;
            }
        }
    }
}

static cudaError_t upload_host_tables(Solver *s, const HostTables *host) {
    Rules *rules = &s->rules;
    const kz_pf_tables *tables = s->tables;
    const kz_pf_space *space = s->space;
    cudaError_t error = upload(s, &rules->binomials, &host->binomials[0][0], KZ_PF_MOST_PIECES * RANK_ROW);
    auto next = [&](auto **array, const auto *from, uint64_t count) {
        error = error == cudaSuccess ? upload(s, array, from, count) : error;
    };
    next(&rules->allowed, &host->allowed[0][0], 2 * KZ_PF_SUBSETS);
    next(&rules->sigmas, host->sigmas, KZ_PF_SUBSETS);
    next(&rules->rest, host->rest, rules->rests);
    next(&rules->rest_of, host->rest_of, (uint64_t)KZ_PF_MOST_PIECES * rules->sets);
    next(&rules->rotated_sigmas, tables->rotated_sigmas, 64);
    next(&rules->words, &tables->words[0][0][0], KZ_PF_MOST_PIECES * KZ_PF_ORDERS * 64);
    next(&rules->ray, &tables->ray[0][0], KZ_PF_DIRECTIONS * KZ_PF_GRID);
    next(&rules->patterns, space->others.patterns, rules->sets);
    next(&rules->own_squares, space->own_squares, rules->own_sets);
    next(&rules->kept, space->kept, space->sets.count);
    return error;
}

kz_status make_rules(Solver *s, kz_error *error) {
    const kz_pf_space *space = s->space;
    const kz_pf_tables *tables = s->tables;
    Rules *rules = &s->rules;
    rules->squares = space->board->squares;
    rules->across = tables->across;
    rules->along = tables->along;
    memcpy(rules->blocked_ray, tables->blocked_ray, sizeof rules->blocked_ray);
    rules->pieces = space->pieces;
    rules->movers = space->board->movers;
    rules->width = space->others.width;
    rules->splits = space->splits;
    rules->anchored_splits = space->anchored_splits;
    rules->sets = space->enemy_sets;
    rules->groups = kz_pf_base_count(space);
    rules->own_sets = space->own_sets;
    rules->rests = tables->rests_count;
    rules->same_order = tables->same_order;
    rules->reversed_order = tables->reversed_order;
    memcpy(rules->split_pattern, space->split_pattern, sizeof rules->split_pattern);
    memcpy(rules->split_reversed, space->split_reversed, sizeof rules->split_reversed);
    for (int piece = 0; piece < space->pieces; piece++) {
        for (int rho = 0; rho < space->splits; rho++) {
            rules->pusher_bits[piece] |= (uint64_t)(tables->pusher_words[piece] >> rho & 1) << rho * STRIDE;
        }
    }
    HostTables host = {};
    fill_binomials(host.binomials);
    fill_sigmas(space, host.sigmas);
    memcpy(host.allowed[0], tables->allowed, sizeof host.allowed[0]);
    memcpy(host.allowed[1], tables->allowed_rotated, sizeof host.allowed[1]);
    host.rest = (Rest *)malloc(rules->rests * sizeof *host.rest);
    host.rest_of = (uint16_t *)calloc((uint64_t)KZ_PF_MOST_PIECES * rules->sets, sizeof *host.rest_of);
    kz_status status = KZ_OK;
    if (host.rest && host.rest_of) {
        fill_rests(tables, &host);
        cudaError_t code = upload_host_tables(s, &host);
        status = code == cudaSuccess ? KZ_OK : fail(error, code);
    } else {
        status = kz_fail(error, KZ_ERR_MEMORY, "no memory for the tables of the sweep");
    }
    free(host.rest);
    free(host.rest_of);
    return status;
}

/* Finds the components of all slices. */
cudaError_t make_moves(Solver *s) {
    const Rules *rules = &s->rules;
    uint32_t own_sets = rules->own_sets;
    CUDA_TRY(allocate(s, &s->moves.largest, (uint64_t)own_sets * rules->rests));
    CUDA_TRY(allocate(s, &s->moves.member, (uint64_t)own_sets * rules->sets));
    CUDA_TRY(allocate(s, &s->moves.first_extra, (uint64_t)own_sets + 1));
    CUDA_TRY(count_extras(*rules, s->need, s->stream));
    CUDA_TRY(copy_out(s, s->list, s->need, own_sets));
    uint64_t sum = 0;
    for (uint32_t i = 0; i < own_sets; i++) {
        s->first_runs[i] = sum;
        sum += s->list[i];
        if (s->list[i] > MOST_EXTRAS * DILATE_THREADS) {
            return cudaErrorNotSupported;
        }
    }
    s->first_runs[own_sets] = sum;
    CUDA_TRY(allocate(s, &s->moves.extras, sum));
    CUDA_TRY(copy_in(s, s->moves.first_extra, s->first_runs, (uint64_t)own_sets + 1));
    return find_moves(*rules, s->moves, s->stream);
}

} // namespace kz_cuda
