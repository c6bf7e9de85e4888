/* SPDX-License-Identifier: MIT
 *
 * What the kernels and the host side of the CUDA backend share.
 *
 * A sweep is done for many enemy sets ("slices") at a time, in three steps, each a kernel of its own so that each can
 * use the card as suits it: pushes write what they reach, two dilations carry it on, marks are made of the result.
 * Between them lies a word for each (slice, alpha, own set) in the card's memory: bit 6 * rho + sigma. Phase 0 uses the
 * same words, two for each (slice, own set): what pushes a piece off, and what pushes at all, with alpha in sigma's
 * place. */
#ifndef KZ_CUDA_KERNELS_CUH
#define KZ_CUDA_KERNELS_CUH

#include <cuda_runtime.h>
#include <stdint.h>

extern "C" {
#include "games/pushfight/solve/slice.h"
}

namespace kz_cuda {

enum {
    STRIDE = 6,            /* bits of a word between one rho and the next */
    RANK_ROW = 32,         /* of the table of binomials: one for each square, so that no two share a bank */
    FRESH_RUN = 1 << 15,   /* of a run: something in it was decided by the last phase that is over */
    DILATE_THREADS = 1024, /* a whole multiprocessor for one word of a slice */
    MOST_EXTRAS = 24       /* components of a slice that one such thread can keep */
};

/* All own pieces but one, by their number: see kz_pf_rest. The rank of the own set is base[j] plus the binomial of the
 * last piece's square, if j of the others come before it. */
struct Rest {
    uint32_t squares; /* packed */
    uint16_t base[KZ_PF_MOST_PIECES];
    uint16_t spare;
};

/* The board, for the kernels. All pointers are to the card's memory. */
struct Rules {
    uint32_t squares;
    uint32_t across;
    uint32_t along;
    uint32_t blocked_ray[KZ_PF_DIRECTIONS];
    int pieces;
    int movers;
    int width; /* squares that one side leaves free */
    int splits;
    int anchored_splits;
    uint32_t sets; /* of the other side, for one set of a side */
    uint32_t groups;
    uint32_t own_sets;
    uint32_t rests;
    uint8_t same_order;
    uint8_t reversed_order;
    uint8_t split_pattern[KZ_PF_MOST_SPLITS];
    uint8_t split_reversed[KZ_PF_MOST_SPLITS];
    uint64_t pusher_bits[KZ_PF_MOST_PIECES]; /* bits STRIDE * rho of those rho in which a piece is a pusher */
    const uint32_t *patterns;                /* [sets] */
    const uint32_t *own_squares;             /* [own_sets] */
    const uint32_t *kept;                    /* by the rank of a set */
    const uint32_t *ray;                     /* [KZ_PF_DIRECTIONS][KZ_PF_GRID] */
    const uint32_t *binomials;               /* [KZ_PF_MOST_PIECES][RANK_ROW]: of square p over i + 1 */
    const uint64_t *allowed;                 /* [2][KZ_PF_SUBSETS]: straight and rotated */
    const uint16_t *sigmas;                  /* [KZ_PF_SUBSETS]: by the movers, three bits for each alpha */
    const uint8_t *rotated_sigmas;            /* [64] */
    const uint16_t *words;                   /* [KZ_PF_MOST_PIECES][KZ_PF_ORDERS][64] */
    const Rest *rest;                        /* [rests] */
    const uint16_t *rest_of;                 /* [KZ_PF_MOST_PIECES][sets]: an own set without its j-th piece */
};

/* The components of free squares of all slices: they never change, so they are found once. The largest of each rest
 * has its place; those left over of two squares or more are in a list. */
struct Moves {
    uint32_t *largest;     /* [own_sets][rests]: packed squares */
    uint8_t *member;       /* [own_sets][sets]: whether each piece stands in the largest component of the rest */
    uint32_t *extras;      /* of one slice after the other: rest, and the places of the component as bits */
    uint64_t *first_extra; /* [own_sets + 1] */
};

enum { PLACE_BITS = 17 }; /* of an extra component; its rest is above */

struct State {
    uint64_t *pairs;
    uint64_t *bases;
    uint16_t *runs;
};

/* What phase 0 found. */
struct StartCounts {
    unsigned long long wins, stuck, anchored, anchored_wins, anchored_stuck;
    unsigned long long listed; /* stuck runs, of those in the list */
};

/* The slices of a batch. */
struct Batch {
    const uint32_t *slices; /* numbers of own sets */
    uint32_t count;
};

/* Ends the function with what failed, and goes on if nothing did. */
#define CUDA_TRY(call)                                                                                                 \
    do {                                                                                                               \
        cudaError_t tried = (call);                                                                                    \
        if (tried != cudaSuccess) {                                                                                    \
            return tried;                                                                                              \
        }                                                                                                              \
    } while (0)

/* Each returns what the launch says. */

/* Components: first the number of extras of each slice, then the rest of it. */
cudaError_t count_extras(const Rules &rules, uint32_t *extras, cudaStream_t stream);
cudaError_t find_moves(const Rules &rules, const Moves &moves, cudaStream_t stream);

/* Two dilations of `words` words for each slice of the batch. If `need` is not NULL: of those words whose bit is set in
 * need[slice], and sets their count to 0. `spare` is room for [count * words][rests] words where the card's
 * multiprocessors are short of memory. */
cudaError_t set_up_dilation(const Rules &rules, bool *needs_spare);
cudaError_t dilate(const Rules &rules, const Moves &moves, const Batch &batch, int words, const uint32_t *need,
                   uint32_t *decided, uint64_t *values, uint64_t *spare, cudaStream_t stream);

/* Phase 0. */
cudaError_t seed_start(const Rules &rules, const Batch &batch, uint64_t *values, cudaStream_t stream);
cudaError_t place_start(const Rules &rules, const Batch &batch, const uint64_t *values, const State &state,
                        StartCounts *counts, uint64_t *stuck, uint64_t room, cudaStream_t stream);
/* Numbers the runs of each page from 0 on and counts them; then from where the page begins. */
cudaError_t measure_pages(const Rules &rules, const State &state, uint64_t *page_runs, cudaStream_t stream);
cudaError_t place_pages(const Rules &rules, const State &state, const uint64_t *first_runs, const uint64_t *stuck,
                        uint64_t stuck_count, cudaStream_t stream);

/* A later phase. `touched` gets a byte for each of the slices from `first` on. */
cudaError_t find_touched(const Rules &rules, uint32_t first, uint32_t count, const uint8_t *changed, uint8_t *touched,
                         cudaStream_t stream);
/* `need` is by slice: bit alpha is set if the words of that alpha may differ from those of two phases ago. */
cudaError_t seed_sweep(const Rules &rules, const Batch &batch, const State &state, bool losses, uint64_t *values,
                       uint32_t *need, cudaStream_t stream);
/* `decided` is [own_sets][KZ_PF_MOST_PIECES]. */
cudaError_t mark_sweep(const Rules &rules, const Batch &batch, const State &state, bool losses, const uint64_t *values,
                       const uint32_t *need, uint32_t *decided, unsigned long long *fresh, cudaStream_t stream);

/* The marks of pages [first, first + count): how many runs have any; then which runs these are, and their marks, at the
 * places given by page. Which ones: the numbers of the runs in the page, or a bit for each run of the page if that
 * takes less room. */
cudaError_t count_marks(const State &state, const uint64_t *first_runs, uint32_t first, uint32_t count,
                        uint32_t *marked, cudaStream_t stream);
cudaError_t pack_marks(const State &state, const uint64_t *first_runs, uint32_t first, uint32_t count, bool losses,
                       bool settle, const uint32_t *marked, const uint64_t *bit_place, const uint64_t *mark_place,
                       uint32_t *bits, uint8_t *marks, cudaStream_t stream);

} // namespace kz_cuda

#endif
