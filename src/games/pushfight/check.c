/* SPDX-License-Identifier: MIT */
#include "games/pushfight/check.h"

#include "base/cpu.h"
#include "base/error.h"
#include "games/pushfight/value_moves.h"
#include "games/pushfight/value_sweep.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct worker {
    kz_pf_value_sweep *sweep;
} worker;

typedef struct checker {
    kz_pf_space *space;
    kz_pf_value_pages *pages;
    bool avx2; /* the processor has it */
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
    kz_status status = kz_pf_space_open(kz_pf_board_at(rules), &c->space, error);
    if (status == KZ_OK) {
        status = kz_pf_value_pages_open(c->space, NULL, NULL, 0, &c->pages, error);
    }
    for (int i = 0; status == KZ_OK && i < c->worker_count; i++) {
        status = kz_pf_value_sweep_open(c->space, KZ_PF_WITH_ANCHOR, &c->workers[i].sweep, error);
    }
    return status;
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
    c->avx2 = kz_cpu_level() >= KZ_CPU_AVX2;
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

/* What is seen in a unit: the table's values, and those that are not what the sweep found. */
typedef struct seen {
    uint64_t values[256];
    uint64_t wrong;
    uint64_t first_wrong;
} seen;

static void see_wrong(seen *s, uint64_t index) {
    if (s->wrong == 0 || index < s->first_wrong) {
        s->first_wrong = index;
    }
    s->wrong++;
}

/* The sets are packed to the squares of the board, lowest first. */

/* Makes room for empty squares where `squares` are. */
static inline uint32_t spread_around(uint32_t packed, uint32_t squares) {
    for (; squares; squares &= squares - 1) {
        uint32_t below = (squares & -squares) - 1;
        packed = (packed & below) | (packed & ~below) << 1;
    }
    return packed;
}

/* Takes the squares of `squares` out, which are empty. */
static inline uint32_t close_up(uint32_t packed, uint32_t squares) {
    while (squares) {
        uint32_t highest = UINT32_C(1) << (31 - __builtin_clz(squares));
        packed = (packed & (highest - 1)) | (packed >> 1 & ~(highest - 1));
        squares ^= highest;
    }
    return packed;
}

/* An own set against an enemy set, as the table has them. */
typedef struct stored_pair {
    uint64_t number;
    uint64_t open;       /* bits that have runs */
    const uint8_t *runs; /* the first one */
    bool rotated;        /* the table has the rotation of the two sets */
} stored_pair;

static inline stored_pair find_pair(const checker *c, uint32_t own, uint32_t enemy) {
    const kz_pf_space *space = c->space;
    uint32_t kept = space->kept[kz_pf_rank(&space->sets, own)];
    uint32_t others = close_up(enemy, own);
    if (kept & 1) {
        others = kz_pf_reversed(others, space->others.width);
    }
    uint32_t enemy_set = kz_pf_rank(&space->others, others);
    const kz_pf_value_page *page = kz_pf_value_pages_stored(c->pages, kept >> 1);
    return (stored_pair){
        .number = (uint64_t)(kept >> 1) * space->enemy_sets + enemy_set,
        .open = ~page->page.pairs[enemy_set] & KZ_PF_WINS_MASK,
        .runs = page->runs + kz_pf_first_run(&page->page, enemy_set) * (uint64_t)space->anchored_splits,
        .rotated = kept & 1,
    };
}

/* Compares the values of (alpha, rho) for all sigma. `worths` are what the sweep found. */
static inline void compare_run(const kz_pf_space *space, const stored_pair *in, int alpha, int rho,
                               const uint8_t *worths, seen *s) {
    int width = space->anchored_splits;
    unsigned bit = (unsigned)(in->rotated ? (space->pieces - 1 - alpha) * space->splits + space->split_reversed[rho]
                                          : alpha * space->splits + rho);
    const uint8_t *run = NULL;
    if (in->open >> bit & 1) {
        run = in->runs + kz_popcount64(in->open & ((UINT64_C(1) << bit) - 1)) * (unsigned)width;
    } else {
        uint8_t won = KZ_PF_WORTH_WIN;
        for (int sigma = 0; sigma < width; sigma++) {
            won &= worths[sigma];
        }
        if (won == KZ_PF_WORTH_WIN) { /* as nearly always */
            s->values[KZ_PF_BYTE_WIN] += (unsigned)width;
            return;
        }
    }
    uint64_t index = (in->number * (uint64_t)(space->pieces * space->splits) + bit) * (uint64_t)width;
    for (int sigma = 0; sigma < width; sigma++) {
        int stored_sigma = in->rotated ? space->anchored_reversed[sigma] : sigma;
        uint8_t stored = run ? kz_pf_offer_byte(run[stored_sigma]) : KZ_PF_BYTE_WIN;
        s->values[stored]++;
        if (kz_pf_worth_byte(worths[sigma]) != stored) {
            see_wrong(s, index + (uint64_t)stored_sigma);
        }
    }
}

/* The squares of the board by their packed numbers. */
typedef struct board_squares {
    uint32_t at[KZ_PF_MOST_SQUARES];
} board_squares;

static board_squares squares_of(const kz_pf_board *board) {
    board_squares squares = {{0}};
    int count = 0;
    for (uint32_t rest = board->squares; rest; rest &= rest - 1) {
        squares.at[count++] = rest & -rest;
    }
    return squares;
}

static inline __attribute__((always_inline)) void compare_pairs(const checker *c, const kz_pf_value_sweep *sweep,
                                                                uint32_t enemy, seen *s) {
    const kz_pf_space *space = c->space;
    const kz_pf_board *board = space->board;
    board_squares squares = squares_of(board);
    uint32_t packed_enemy = kz_pf_pack(enemy, board->squares);
    for (uint32_t own_rank = 0; own_rank < space->enemy_sets; own_rank++) {
        uint32_t own = spread_around(space->others.patterns[own_rank], packed_enemy);
        uint32_t taken = enemy;
        for (uint32_t rest = own; rest; rest &= rest - 1) {
            taken |= squares.at[kz_lowest_bit32(rest)];
        }
        uint32_t alphas = kz_pf_pack(kz_pf_anchorable(board, taken), enemy);
        if (!alphas) {
            continue;
        }
        stored_pair pair = find_pair(c, own, packed_enemy);
        for (int rho = 0; rho < space->splits; rho++) {
            const uint8_t *worths = kz_pf_value_sweep_lanes(sweep, own_rank, rho);
            for (uint32_t rest = alphas; rest; rest &= rest - 1) {
                int alpha = (int)kz_lowest_bit32(rest);
                compare_run(space, &pair, alpha, rho, worths + alpha * space->anchored_splits, s);
            }
        }
    }
}

#ifdef KZ_PF_AVX2
KZ_PF_AVX2 static void compare_pairs_avx2(const checker *c, const kz_pf_value_sweep *sweep, uint32_t enemy, seen *s) {
    compare_pairs(c, sweep, enemy, s);
}
#endif

static void compare_unit(const checker *c, const kz_pf_value_sweep *sweep, uint32_t enemy, seen *s) {
#ifdef KZ_PF_AVX2
    if (c->avx2) {
        compare_pairs_avx2(c, sweep, enemy, s);
        return;
    }
#endif
    compare_pairs(c, sweep, enemy, s);
}

static void add_seen(const seen *s, kz_verify_report *report, uint64_t *losses, uint64_t *wins, uint64_t *draws) {
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
        seen s = {.wrong = 0};
        uint32_t enemy = c->space->own_squares[unit];
        kz_status status = atomic_load(&c->complete) == c->space->own_sets
                               ? kz_pf_value_sweep_run(sweep, c->pages, enemy, NULL)
                               : KZ_ERR_CORRUPT;
        if (status == KZ_OK) {
            compare_unit(c, sweep, enemy, &s);
        } else if (status == KZ_ERR_MEMORY) {
            atomic_store(&c->ran_out, true);
        } else {
            see_wrong(&s, first_missing(c)); /* nothing is proved without all values */
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
