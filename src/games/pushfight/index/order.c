/* SPDX-License-Identifier: MIT
 *
 * How a walk finds all positions with a given set of one side, without looking at the others.
 *
 * A position of a series is a string of codes, one for each square in order. The series is sorted, so a string has the
 * number "how many strings of the series are smaller". A walk fills the squares one after the other, like a search in
 * a tree whose leaves are the strings:
 *
 *     square 0        .            o            O    ...     each branch knows the number of its first leaf:
 *                   / | \                                    the sum of the leaves of the branches to its left
 *     square 1     .  o  O  ...                              (strings.smaller), which needs only how often each
 *     ...                                                    code is still to come (filled.counts)
 *
 * Of each square it takes only the codes that the set allows: a piece of the side on squares of the set, nothing or a
 * piece of the other side elsewhere. A branch whose leaves are all outside of the range is cut. On the way down it
 * collects what the visitor wants to know: the rank of the other side's set, rho, alpha and sigma.
 *
 * The last squares, the *tail*, are reached millions of times, but with few different rests of codes. What they add is
 * therefore listed once for each rest (ways), and then only added. */
#include "games/pushfight/index/order.h"

#include "base/bits.h"
#include "base/error.h"
#include "games/pushfight/index/permutation.h"

#include <stdlib.h>
#include <string.h>

enum {
    ANY = KZ_PF_CODES, /* instead of a code: the square is not fixed; the strings of such squares are sorted */
    MOST_TAIL = 7      /* squares of the tail, see `ways` */
};

/* The codes of enemy pieces [0] and of own ones [1], as bits. */
static const uint32_t CODES_OF[] = {1 << KZ_PF_ENEMY_MOVER | 1 << KZ_PF_ENEMY_PUSHER | 1 << KZ_PF_ANCHORED,
                                    1 << KZ_PF_OWN_MOVER | 1 << KZ_PF_OWN_PUSHER};

/* Positions with the same codes on the fixed squares, sorted by the strings of the other squares. */
typedef struct series {
    uint64_t first; /* the number of its first position */
    uint64_t size;
    uint32_t counts;                  /* of the codes on the squares that are ANY, see `strings` */
    int tail;                         /* this square and those after it are ANY, see `ways` */
    uint32_t with[2];                 /* squares where it has a piece of the enemy [0], or an own one [1] */
    uint32_t without[2];              /* squares where it has none */
    uint8_t code[KZ_PF_MOST_SQUARES]; /* by number of the square */
} series;

/* How many strings can be made of some codes (so many of each); and how many of these begin with a code smaller than c,
 * for each c. */
typedef struct strings {
    uint64_t all;
    uint64_t smaller[KZ_PF_CODES + 1];
} strings;

struct kz_pf_order {
    const kz_pf_space *space;
    /* "So many of each code" is one number, in mixed radix: one more of a code adds `radix` of the code. */
    uint32_t radix[KZ_PF_CODES];
    strings *strings; /* by that number */
    uint32_t choose[KZ_PF_MOST_SQUARES][KZ_PF_MOST_PIECES + 1];
    uint8_t lane[KZ_PF_MOST_PIECES][KZ_PF_SUBSETS]; /* by alpha and the pattern of enemy movers */
    size_t count;
    size_t room;
    series *list;
    uint64_t size;
    uint32_t count_numbers; /* how many `strings` there are */
};

/* ---- Series ------------------------------------------------------------------------------------------------------ */

static uint32_t number_of_counts(const kz_pf_order *order, kz_pf_counts counts) {
    uint32_t number = 0;
    for (int code = 0; code < KZ_PF_CODES; code++) {
        number += (uint32_t)counts.of[code] * order->radix[code];
    }
    return number;
}

/* Adds the series of the squares that are fixed in `code`; `rest` is what the other squares hold. */
static bool add_series(kz_pf_order *order, const uint8_t *code, kz_pf_counts rest) {
    if (order->count == order->room) {
        size_t room = order->room ? 2 * order->room : 16;
        series *list = realloc(order->list, room * sizeof *list);
        if (!list) {
            return false;
        }
        order->list = list;
        order->room = room;
    }
    series *added = &order->list[order->count++];
    *added = (series){.first = order->size, .size = kz_pf_strings(rest), .counts = number_of_counts(order, rest)};
    added->tail = order->space->squares > MOST_TAIL ? order->space->squares - MOST_TAIL : 0;
    for (int number = 0; number < order->space->squares; number++) {
        uint32_t square = UINT32_C(1) << kz_pf_square_bit(order->space->board, number);
        added->code[number] = code[number];
        added->tail = code[number] != ANY && number >= added->tail ? number + 1 : added->tail;
        for (int own = 0; own < 2 && code[number] != ANY; own++) {
            *(CODES_OF[own] >> code[number] & 1 ? &added->with[own] : &added->without[own]) |= square;
        }
    }
    order->size += added->size;
    return true;
}

/* The two squares beside `anchor` on a line; none if they are not both on the board. */
static uint32_t line_of(const kz_pf_board *board, uint32_t anchor, kz_pf_direction before, kz_pf_direction after) {
    uint32_t line = (kz_pf_step(anchor, before) | kz_pf_step(anchor, after)) & board->squares;
    return kz_popcount32(line) == 2 ? line : 0;
}

/* Whether a line shows that the anchor may stand between its two squares: just one of them is empty. */
static bool tells(const kz_pf_board *board, uint32_t line, const uint8_t *code) {
    int empty = 0;
    for (; line; line &= line - 1) {
        empty += code[kz_pf_square_number(board, (int)kz_lowest_bit32(line))] == KZ_PF_EMPTY;
    }
    return empty == 1;
}

/* One half of the series of an anchor (minimized.h): `line` shows that it may stand there, and `silent` does not. */
typedef struct half {
    uint32_t line;
    uint32_t silent;
} half;

/* Fills the squares of `unfilled` with codes in every way, in order, and adds those series that belong to the half. */
static bool fill_around(kz_pf_order *order, half of, uint32_t unfilled, uint8_t *code, kz_pf_counts rest) {
    const kz_pf_board *board = order->space->board;
    if (!unfilled) {
        return !tells(board, of.line, code) || tells(board, of.silent, code) || add_series(order, code, rest);
    }
    uint8_t *filled = &code[kz_pf_square_number(board, (int)kz_lowest_bit32(unfilled))];
    bool fine = true;
    for (uint8_t next = KZ_PF_EMPTY; fine && next < KZ_PF_ANCHORED; next++) {
        if (rest.of[next] > 0) {
            *filled = next;
            rest.of[next]--;
            fine = fill_around(order, of, unfilled & (unfilled - 1), code, rest);
            rest.of[next]++;
        }
    }
    *filled = ANY;
    return fine;
}

/* The series of the minimized order: by the square of the anchor, then the horizontal before the vertical half. */
static bool list_minimized(kz_pf_order *order) {
    const kz_pf_board *board = order->space->board;
    uint8_t code[KZ_PF_MOST_SQUARES];
    memset(code, ANY, sizeof code);
    kz_pf_counts rest = kz_pf_board_counts(board);
    rest.of[KZ_PF_ANCHORED] = 0;
    int last = order->space->squares / (board->symmetric ? 2 : 1);
    bool fine = true;
    for (int number = 0; fine && number < last; number++) {
        uint32_t anchor = UINT32_C(1) << kz_pf_square_bit(board, number);
        half across = {.line = line_of(board, anchor, KZ_PF_LEFT, KZ_PF_RIGHT)};
        half along = {.line = line_of(board, anchor, KZ_PF_UP, KZ_PF_DOWN), .silent = across.line};
        code[number] = KZ_PF_ANCHORED;
        fine = (!across.line || fill_around(order, across, across.line, code, rest)) &&
               (!along.line || fill_around(order, along, along.line | along.silent, code, rest));
        code[number] = ANY;
    }
    return fine;
}

static bool list_permutations(kz_pf_order *order) {
    uint8_t code[KZ_PF_MOST_SQUARES];
    memset(code, ANY, sizeof code);
    return add_series(order, code, kz_pf_board_counts(order->space->board));
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

/* Fills order->strings for every "so many of each code" that a part of a board can have. */
static bool count_strings(kz_pf_order *order) {
    kz_pf_counts most = kz_pf_board_counts(order->space->board);
    uint32_t numbers = 1;
    for (int code = 0; code < KZ_PF_CODES; code++) {
        order->radix[code] = numbers;
        numbers *= (uint32_t)most.of[code] + 1;
    }
    order->count_numbers = numbers;
    order->strings = calloc(numbers, sizeof *order->strings);
    if (!order->strings) {
        return false;
    }
    for (uint32_t number = 0; number < numbers; number++) {
        strings *of = &order->strings[number];
        kz_pf_counts counts;
        for (int code = 0; code < KZ_PF_CODES; code++) {
            counts.of[code] = (int)(number / order->radix[code] % ((uint32_t)most.of[code] + 1));
        }
        of->all = kz_pf_strings(counts);
        for (int code = 0; code < KZ_PF_CODES; code++) {
            uint64_t begin = 0; /* with this code */
            if (counts.of[code] > 0) {
                counts.of[code]--;
                begin = kz_pf_strings(counts);
                counts.of[code]++;
            }
            of->smaller[code + 1] = of->smaller[code] + begin;
        }
    }
    return true;
}

static void fill_tables(kz_pf_order *order) {
    const kz_pf_space *space = order->space;
    for (int n = 0; n < KZ_PF_MOST_SQUARES; n++) {
        order->choose[n][0] = 1;
        for (int k = 1; n > 0 && k <= KZ_PF_MOST_PIECES; k++) {
            order->choose[n][k] = order->choose[n - 1][k - 1] + order->choose[n - 1][k];
        }
    }
    for (int alpha = 0; alpha < space->pieces; alpha++) {
        uint32_t below = (UINT32_C(1) << alpha) - 1;
        for (int sigma = 0; sigma < space->anchored_splits; sigma++) {
            uint32_t pattern = space->anchored_pattern[sigma];
            uint32_t movers = (pattern & below) | (pattern & ~below) << 1;
            order->lane[alpha][movers] = (uint8_t)(alpha * space->anchored_splits + sigma);
        }
    }
}

kz_status kz_pf_order_open(const kz_pf_space *space, bool minimized, kz_pf_order **opened, kz_error *error) {
    kz_pf_order *order = calloc(1, sizeof *order);
    if (order) {
        order->space = space;
    }
    if (!order || !count_strings(order) || !(minimized ? list_minimized(order) : list_permutations(order))) {
        kz_pf_order_close(order);
        return kz_fail(error, KZ_ERR_MEMORY, "no memory for the numbers of positions");
    }
    fill_tables(order);
    *opened = order;
    return KZ_OK;
}

void kz_pf_order_close(kz_pf_order *order) {
    if (order) {
        free(order->strings);
        free(order->list);
        free(order);
    }
}

uint64_t kz_pf_order_size(const kz_pf_order *order) { return order->size; }

/* ---- Walking ----------------------------------------------------------------------------------------------------- */

/* In how many ways the tail can be filled depends only on the codes that are left for it. The ways are listed when a
 * walk first meets such a rest. */
enum { MOST_WAYS = 1 << 2 * MOST_TAIL };

/* What a way to fill the tail adds to the members of `filled`. */
typedef struct way {
    uint32_t number;
    uint32_t other_rank;
    uint8_t rho;
    uint8_t sigma;
    uint8_t alpha;
} way;

typedef struct ways {
    int tail; /* where it begins */
    uint32_t count;
    way list[MOST_WAYS];
    struct {
        uint32_t begin;
        uint32_t end; /* 0: not listed yet */
    } of[];           /* by the number of the rest's counts */
} ways;

/* What a walk looks for: positions of a series with a given set of one side. */
typedef struct walk {
    const kz_pf_order *order;
    const series *in;
    uint32_t others;                   /* the codes of the other side's pieces */
    uint8_t codes[KZ_PF_MOST_SQUARES]; /* what a square may hold: a piece of the side, or nothing or one of the other */
    uint8_t free[KZ_PF_MOST_SQUARES];  /* how many squares before a square the set leaves free */
    uint64_t begin;                    /* the range, within the series */
    uint64_t end;
    kz_pf_visit *visit; /* NULL if the walk is only to see whether there is any position */
    void *context;
    bool met;
    ways *tails;     /* NULL: no memory, then every square is filled by itself */
    uint64_t before; /* subtracted from a position's number in the series gives its number in the range, modulo 2^64 */
} walk;

/* A node of the tree: all squares before `square` are filled. */
typedef struct filled {
    int square;
    uint32_t counts; /* codes that are left for the squares that are not fixed */
    uint64_t number; /* of the first position of the series that begins like this */
    uint32_t other_rank;
    uint32_t others; /* pieces so far */
    uint32_t owns;
    uint32_t enemies;
    uint32_t rho; /* bit patterns of movers */
    uint32_t sigma;
    uint32_t alpha;
} filled;

/* The node below, with one more square filled. The rank of the other side's set is the sum of choose(free squares
 * before the k-th piece, k), counted from 1. (Each member is written by itself: a copy of the whole would make the
 * processor wait for its own small writes.) */
static inline filled with(const walk *w, const filled *f, uint32_t code) {
    bool any = w->in->code[f->square] == ANY;
    bool enemy = CODES_OF[0] >> code & 1;
    bool own = CODES_OF[1] >> code & 1;
    bool other = w->others >> code & 1;
    filled next;
    next.square = f->square + 1;
    next.counts = any ? f->counts - w->order->radix[code] : f->counts;
    next.number = any ? f->number + w->order->strings[f->counts].smaller[code] : f->number;
    next.other_rank = f->other_rank + (other ? w->order->choose[w->free[f->square]][f->others + 1] : 0);
    next.others = f->others + other;
    next.owns = f->owns + own;
    next.enemies = f->enemies + enemy;
    next.rho = f->rho | (uint32_t)(code == KZ_PF_OWN_MOVER) << f->owns;
    next.sigma = f->sigma | (uint32_t)(code == KZ_PF_ENEMY_MOVER) << f->enemies;
    next.alpha = code == KZ_PF_ANCHORED ? f->enemies : f->alpha;
    return next;
}

/* At a leaf: tells the visitor. */
static void arrive(const walk *w, const filled *f) {
    const kz_pf_space *space = w->order->space;
    w->visit(w->context, f->number - w->before, f->other_rank, space->split_number[f->rho],
             w->order->lane[f->alpha][f->sigma]);
}

/* Lists the leaves below `f`, as differences to `start`, the node at which the tail begins. When all pieces are placed
 * the other squares are empty, so that is a leaf, too. */
static void list_ways(const walk *w, const filled *start, const filled *f) {
    const kz_pf_order *order = w->order;
    uint32_t pieces = (uint32_t)order->space->pieces;
    if (f->owns == pieces && f->enemies == pieces) {
        w->tails->list[w->tails->count++] = (way){.number = (uint32_t)(f->number - start->number),
                                                  .other_rank = f->other_rank - start->other_rank,
                                                  .rho = (uint8_t)(f->rho - start->rho),
                                                  .sigma = (uint8_t)(f->sigma - start->sigma),
                                                  .alpha = (uint8_t)(f->alpha - start->alpha)};
        return;
    }
    const strings *of = &order->strings[f->counts];
    for (uint32_t codes = w->codes[f->square]; codes; codes &= codes - 1) {
        uint32_t code = kz_lowest_bit32(codes);
        if (of->smaller[code + 1] > of->smaller[code]) {
            filled next = with(w, f, code);
            list_ways(w, start, &next);
        }
    }
}

/* Visits the leaves below a node at which the tail begins. */
static void go_through_tail(const walk *w, const filled *f) {
    ways *tails = w->tails;
    if (!tails->of[f->counts].end) {
        tails->of[f->counts].begin = tails->count;
        list_ways(w, f, f);
        tails->of[f->counts].end = tails->count;
    }
    for (uint32_t i = tails->of[f->counts].begin; i < tails->of[f->counts].end; i++) {
        const way *next = &tails->list[i];
        arrive(w, &(filled){.number = f->number + next->number,
                            .other_rank = f->other_rank + next->other_rank,
                            .rho = f->rho + next->rho,
                            .sigma = f->sigma + next->sigma,
                            .alpha = f->alpha + next->alpha});
    }
}

/* Visits the leaves below a node. `inside`: all of them are known to be in the range. Where only one code is possible
 * (a fixed square, or an empty one because all pieces of the other side are placed) it goes on without looking at the
 * range. */
static void go_on(walk *w, const filled *f, bool inside) {
    const kz_pf_order *order = w->order;
    uint32_t pieces = (uint32_t)order->space->pieces;
    uint8_t fixed = w->in->code[f->square];
    if (f->square != w->in->tail && (f->owns < pieces || f->enemies < pieces) &&
        (fixed != ANY || (w->codes[f->square] >> KZ_PF_EMPTY & 1 && f->others == pieces))) {
        filled next = with(w, f, fixed == ANY ? KZ_PF_EMPTY : fixed);
        go_on(w, &next, inside);
        return;
    }
    if (!inside) {
        uint64_t end = f->number + order->strings[f->counts].all;
        if (end <= w->begin || f->number >= w->end) {
            return;
        }
        inside = f->number >= w->begin && end <= w->end;
    }
    if (inside && !w->visit) {
        w->met = true;
    }
    if (w->met) {
        return;
    }
    if (f->owns == pieces && f->enemies == pieces && w->visit) {
        arrive(w, f);
        return;
    }
    if (f->square == w->in->tail && inside && w->tails) {
        go_through_tail(w, f);
        return;
    }
    const strings *of = &order->strings[f->counts];
    for (uint32_t codes = w->codes[f->square]; codes; codes &= codes - 1) {
        uint32_t code = kz_lowest_bit32(codes);
        if (of->smaller[code + 1] > of->smaller[code]) {
            filled next = with(w, f, code);
            go_on(w, &next, inside);
        }
    }
}

static bool walk_through(const kz_pf_order *order, kz_pf_side_set set, uint64_t first, uint64_t count,
                         kz_pf_visit *visit, void *context) {
    const kz_pf_space *space = order->space;
    walk w = {.order = order, .others = CODES_OF[!set.own], .visit = visit, .context = context};
    if (visit) {
        w.tails = malloc(sizeof *w.tails + order->count_numbers * sizeof *w.tails->of);
    }
    if (w.tails) {
        w.tails->tail = -1;
    }
    int free_squares = 0;
    for (int number = 0; number < space->squares; number++) {
        bool taken = set.squares >> kz_pf_square_bit(space->board, number) & 1;
        w.codes[number] = (uint8_t)(taken ? CODES_OF[set.own] : w.others | 1 << KZ_PF_EMPTY);
        w.free[number] = (uint8_t)free_squares;
        free_squares += !taken;
    }
    for (size_t i = 0; i < order->count && !w.met; i++) {
        const series *in = &order->list[i];
        /* Outside of the range, or its fixed squares do not fit the set. */
        if (in->first + in->size <= first || in->first >= first + count || (in->with[set.own] & ~set.squares) ||
            (in->without[set.own] & set.squares)) {
            continue;
        }
        w.in = in;
        if (w.tails && w.tails->tail != in->tail) {
            w.tails->tail = in->tail;
            w.tails->count = 0;
            memset(w.tails->of, 0, order->count_numbers * sizeof *w.tails->of);
        }
        w.begin = first > in->first ? first - in->first : 0;
        w.end = first + count - in->first;
        w.before = first - in->first;
        go_on(&w, &(filled){.counts = in->counts}, false);
    }
    free(w.tails);
    return w.met;
}

bool kz_pf_order_meets(const kz_pf_order *order, kz_pf_side_set set, uint64_t first, uint64_t count) {
    return walk_through(order, set, first, count, NULL, NULL);
}

void kz_pf_order_walk(const kz_pf_order *order, kz_pf_side_set set, uint64_t first, uint64_t count, kz_pf_visit *visit,
                      void *context) {
    walk_through(order, set, first, count, visit, context);
}
