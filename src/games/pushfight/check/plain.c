/* SPDX-License-Identifier: MIT */
#include "games/pushfight/check/plain.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MOVES = 2, MOST_VALUE = 255 };

/* ---- The board -------------------------------------------------------------------------------------------------- */

static bool on_board(const kz_pf_board *board, int row, int column) {
    return row >= 0 && row < KZ_PF_ROWS && column >= 0 && column < KZ_PF_COLUMNS &&
           (board->squares >> (row * KZ_PF_COLUMNS + column) & 1) != 0;
}

static void find_neighbours(kz_pf_plain *plain, const kz_pf_board *board) {
    static const int down[KZ_PF_DIRECTIONS] = {[KZ_PF_UP] = -1, [KZ_PF_DOWN] = 1};
    static const int right[KZ_PF_DIRECTIONS] = {[KZ_PF_LEFT] = -1, [KZ_PF_RIGHT] = 1};
    int number[KZ_PF_ROWS][KZ_PF_COLUMNS];
    plain->squares = 0;
    for (int row = 0; row < KZ_PF_ROWS; row++) {
        for (int column = 0; column < KZ_PF_COLUMNS; column++) {
            number[row][column] = plain->squares;
            plain->squares += on_board(board, row, column);
        }
    }
    for (int row = 0; row < KZ_PF_ROWS; row++) {
        for (int column = 0; column < KZ_PF_COLUMNS; column++) {
            if (!on_board(board, row, column)) {
                continue;
            }
            for (int d = 0; d < KZ_PF_DIRECTIONS; d++) {
                bool rail = (board->rail[d] >> (row * KZ_PF_COLUMNS + column) & 1) != 0;
                int next_row = row + down[d];
                int next_column = column + right[d];
                plain->beside[number[row][column]][d] = on_board(board, next_row, next_column)
                                                            ? number[next_row][next_column]
                                                        : rail ? KZ_PF_PLAIN_RAIL
                                                               : KZ_PF_PLAIN_FALL;
            }
        }
    }
}

/* ---- The index -------------------------------------------------------------------------------------------------- */

/* An arrangement of some pieces begins with one of them and goes on with an arrangement of the others, which are fewer
 * and so come earlier in this loop. */
static void count_arrangements(kz_pf_plain *plain, uint32_t tuples, uint64_t *arrangements) {
    arrangements[0] = 1;
    for (uint32_t tuple = 1; tuple < tuples; tuple++) {
        uint64_t sum = 0;
        for (int code = 0; code < KZ_PF_PLAIN_CODES; code++) {
            uint32_t radix = plain->radix[code];
            plain->smaller[tuple].than[code] = sum;
            if (tuple / radix % (uint32_t)(plain->pieces[code] + 1) != 0) {
                sum += arrangements[tuple - radix];
            }
        }
        arrangements[tuple] = sum;
    }
    plain->permutations = arrangements[tuples - 1];
}

kz_status kz_pf_plain_open(const kz_pf_board *board, kz_pf_plain **opened, kz_error *error) {
    kz_pf_plain *plain = calloc(1, sizeof *plain);
    uint64_t *arrangements = NULL;
    uint32_t tuples = 1;
    if (!plain) {
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory for the board %s", board->name);
    }
    find_neighbours(plain, board);
    plain->pieces[KZ_PF_PLAIN_EMPTY] = plain->squares - 2 * (board->movers + board->pushers);
    plain->pieces[KZ_PF_PLAIN_OWN_MOVER] = board->movers;
    plain->pieces[KZ_PF_PLAIN_OWN_PUSHER] = board->pushers;
    plain->pieces[KZ_PF_PLAIN_ENEMY_MOVER] = board->movers;
    plain->pieces[KZ_PF_PLAIN_ENEMY_PUSHER] = board->pushers - 1;
    plain->pieces[KZ_PF_PLAIN_ANCHORED] = 1;
    for (int code = 0; code < KZ_PF_PLAIN_CODES; code++) {
        plain->radix[code] = tuples;
        tuples *= (uint32_t)(plain->pieces[code] + 1);
    }
    plain->smaller = calloc(tuples, sizeof *plain->smaller);
    arrangements = calloc(tuples, sizeof *arrangements);
    if (!plain->smaller || !arrangements) {
        free(arrangements);
        kz_pf_plain_close(plain);
        return kz_fail(error, KZ_ERR_MEMORY, "out of memory for the board %s", board->name);
    }
    count_arrangements(plain, tuples, arrangements);
    free(arrangements);
    *opened = plain;
    return KZ_OK;
}

void kz_pf_plain_close(kz_pf_plain *plain) {
    if (plain) {
        free(plain->smaller);
        free(plain);
    }
}

uint64_t kz_pf_plain_rank(const kz_pf_plain *plain, const uint8_t *codes) {
    uint64_t index = 0;
    uint32_t tuple = 0;
    for (int square = plain->squares - 1; square >= 0; square--) {
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): all squares are set */
        tuple += plain->radix[codes[square]];
        index += plain->smaller[tuple].than[codes[square]];
    }
    return index;
}

void kz_pf_plain_unrank(const kz_pf_plain *plain, uint64_t index, uint8_t *codes) {
    int left[KZ_PF_PLAIN_CODES];
    uint32_t tuple = 0;
    for (int code = 0; code < KZ_PF_PLAIN_CODES; code++) {
        left[code] = plain->pieces[code];
        tuple += plain->radix[code] * (uint32_t)left[code];
    }
    for (int square = 0; square < plain->squares; square++) {
        int code = KZ_PF_PLAIN_CODES - 1;
        while (left[code] == 0 || plain->smaller[tuple].than[code] > index) {
            code--;
        }
        index -= plain->smaller[tuple].than[code];
        tuple -= plain->radix[code];
        left[code]--;
        codes[square] = (uint8_t)code;
    }
}

/* ---- The anchor, the rotation ---------------------------------------------------------------------------------- */

bool kz_pf_plain_anchor_fits(const kz_pf_plain *plain, const uint8_t *codes) {
    static const kz_pf_direction lines[2][2] = {{KZ_PF_LEFT, KZ_PF_RIGHT}, {KZ_PF_UP, KZ_PF_DOWN}};
    for (int square = 0; square < plain->squares; square++) {
        if (codes[square] != KZ_PF_PLAIN_ANCHORED) {
            continue;
        }
        for (int line = 0; line < 2; line++) {
            int one = plain->beside[square][lines[line][0]];
            int other = plain->beside[square][lines[line][1]];
            if (one >= 0 && other >= 0 && (codes[one] == KZ_PF_PLAIN_EMPTY) != (codes[other] == KZ_PF_PLAIN_EMPTY)) {
                return true;
            }
        }
    }
    return false;
}

void kz_pf_plain_turn_board(const kz_pf_plain *plain, const uint8_t *codes, uint8_t *rotated) {
    for (int square = 0; square < plain->squares; square++) {
        rotated[plain->squares - 1 - square] = codes[square];
    }
}

/* ---- Turns ------------------------------------------------------------------------------------------------------ */

static bool is_own(uint8_t code) { return code == KZ_PF_PLAIN_OWN_MOVER || code == KZ_PF_PLAIN_OWN_PUSHER; }

/* A turn in the making. */
typedef struct walk {
    const kz_pf_plain *plain;
    kz_pf_plain_visit *visit;
    void *context;
    kz_pf_plain_turn turn;
    uint8_t codes[KZ_PF_MOST_SQUARES];
} walk;

/* Lists the squares that a piece can move to: those that are connected with its own by empty squares. */
static int flood(const kz_pf_plain *plain, const uint8_t *codes, int from, int found[KZ_PF_MOST_SQUARES]) {
    bool seen[KZ_PF_MOST_SQUARES] = {false};
    int count = 0;
    seen[from] = true;
    for (int done = -1; done < count; done++) {
        int square = done < 0 ? from : found[done];
        for (int d = 0; d < KZ_PF_DIRECTIONS; d++) {
            int next = plain->beside[square][d];
            if (next >= 0 && !seen[next] && codes[next] == KZ_PF_PLAIN_EMPTY) {
                seen[next] = true;
                found[count++] = next;
            }
        }
    }
    return count;
}

static bool push(walk *w, int from, int direction) {
    static const uint8_t seen_by_the_other[KZ_PF_PLAIN_CODES] = {
        [KZ_PF_PLAIN_OWN_MOVER] = KZ_PF_PLAIN_ENEMY_MOVER, [KZ_PF_PLAIN_OWN_PUSHER] = KZ_PF_PLAIN_ENEMY_PUSHER,
        [KZ_PF_PLAIN_ENEMY_MOVER] = KZ_PF_PLAIN_OWN_MOVER, [KZ_PF_PLAIN_ENEMY_PUSHER] = KZ_PF_PLAIN_OWN_PUSHER,
        [KZ_PF_PLAIN_ANCHORED] = KZ_PF_PLAIN_OWN_PUSHER,
    };
    const kz_pf_plain *plain = w->plain;
    uint8_t next[KZ_PF_MOST_SQUARES];
    int first = plain->beside[from][direction];
    int last = from; /* of the line that is pushed */
    int end = first; /* what is behind it */
    while (end >= 0 && w->codes[end] != KZ_PF_PLAIN_EMPTY) {
        if (w->codes[end] == KZ_PF_PLAIN_ANCHORED) {
            return true;
        }
        last = end;
        end = plain->beside[end][direction];
    }
    if (last == from || end == KZ_PF_PLAIN_RAIL || (end == KZ_PF_PLAIN_FALL && is_own(w->codes[last]))) {
        return true;
    }
    w->turn.from[w->turn.moves] = (int8_t)from;
    w->turn.to[w->turn.moves] = (int8_t)first;
    if (end == KZ_PF_PLAIN_FALL) {
        return w->visit(w->context, &w->turn, NULL);
    }
    for (int square = 0; square < plain->squares; square++) {
        next[square] = seen_by_the_other[w->codes[square]];
    }
    for (int square = first; square != end; square = plain->beside[square][direction]) {
        next[plain->beside[square][direction]] = seen_by_the_other[w->codes[square]];
    }
    next[first] = KZ_PF_PLAIN_ANCHORED;
    next[from] = KZ_PF_PLAIN_EMPTY;
    return w->visit(w->context, &w->turn, next);
}

/* All pushes after the moves so far, then all that can follow after one more move. */
static bool go_on(walk *w) {
    const kz_pf_plain *plain = w->plain;
    for (int square = 0; square < plain->squares; square++) {
        if (w->codes[square] != KZ_PF_PLAIN_OWN_PUSHER) {
            continue;
        }
        for (int d = 0; d < KZ_PF_DIRECTIONS; d++) {
            if (!push(w, square, d)) {
                return false;
            }
        }
    }
    if (w->turn.moves == MOST_MOVES) {
        return true;
    }
    for (int from = 0; from < plain->squares; from++) {
        int found[KZ_PF_MOST_SQUARES];
        uint8_t piece = w->codes[from];
        /* A piece that moves twice could as well have moved once. */
        if (!is_own(piece) || (w->turn.moves > 0 && from == w->turn.to[0])) {
            continue;
        }
        int count = flood(plain, w->codes, from, found);
        bool more = true;
        w->codes[from] = KZ_PF_PLAIN_EMPTY;
        for (int i = 0; i < count && more; i++) {
            w->turn.from[w->turn.moves] = (int8_t)from;
            w->turn.to[w->turn.moves] = (int8_t)found[i];
            w->codes[found[i]] = piece;
            w->turn.moves++;
            more = go_on(w);
            w->turn.moves--;
            w->codes[found[i]] = KZ_PF_PLAIN_EMPTY;
        }
        w->codes[from] = piece;
        if (!more) {
            return false;
        }
    }
    return true;
}

bool kz_pf_plain_turns(const kz_pf_plain *plain, const uint8_t *codes, kz_pf_plain_visit *visit, void *context) {
    walk w = {.plain = plain, .visit = visit, .context = context};
    memcpy(w.codes, codes, (size_t)plain->squares);
    return go_on(&w);
}

/* ---- Solving ---------------------------------------------------------------------------------------------------- */

/* Phase by phase: a value v is given to the undecided positions that deserve it, once all below v are given.
 *
 *     v = 1    no legal turn
 *     v even   a turn pushes an enemy piece off the board, or leads to a position lost for the enemy
 *     v odd    every turn leads to a position won for the enemy
 *
 * A phase with an odd v reads wins and writes losses, one with an even v reads losses and writes wins, so it does not
 * matter which positions of a phase come first; the bytes are read and written atomically for the same reason. */
typedef struct phase {
    const kz_pf_plain *plain;
    uint8_t *values;
    uint8_t value;
    bool folded;
    uint64_t decided;
} phase;

static uint8_t value_of(const kz_pf_plain *plain, const uint8_t *values, const uint8_t *codes) {
    return __atomic_load_n(&values[kz_pf_plain_rank(plain, codes)], __ATOMIC_RELAXED);
}

/* Visits of turns that go on as long as nothing speaks against the value. */
static bool no_turn(void *context, const kz_pf_plain_turn *turn, const uint8_t *next) {
    (void)context;
    (void)turn;
    (void)next;
    return false;
}

static bool does_not_win(void *context, const kz_pf_plain_turn *turn, const uint8_t *next) {
    const phase *p = context;
    (void)turn;
    return next && value_of(p->plain, p->values, next) % 2 == 0;
}

static bool loses(void *context, const kz_pf_plain_turn *turn, const uint8_t *next) {
    const phase *p = context;
    (void)turn;
    if (!next) {
        return false;
    }
    uint8_t value = value_of(p->plain, p->values, next);
    return value != 0 && value % 2 == 0;
}

static bool deserves(phase *p, const uint8_t *codes) {
    if (p->value == 1) {
        return kz_pf_plain_turns(p->plain, codes, no_turn, p);
    }
    return p->value % 2 == 0 ? !kz_pf_plain_turns(p->plain, codes, does_not_win, p)
                             : kz_pf_plain_turns(p->plain, codes, loses, p);
}

static void run_phase(void *context, int worker, uint64_t begin, uint64_t end) {
    phase *p = context;
    uint64_t decided = 0;
    (void)worker;
    for (uint64_t index = begin; index < end; index++) {
        uint8_t codes[KZ_PF_MOST_SQUARES];
        if (__atomic_load_n(&p->values[index], __ATOMIC_RELAXED) != 0) {
            continue;
        }
        kz_pf_plain_unrank(p->plain, index, codes);
        uint64_t image = index;
        if (p->folded) {
            uint8_t rotated[KZ_PF_MOST_SQUARES];
            kz_pf_plain_turn_board(p->plain, codes, rotated);
            image = kz_pf_plain_rank(p->plain, rotated);
        }
        if (index <= image && deserves(p, codes)) {
            __atomic_store_n(&p->values[index], p->value, __ATOMIC_RELAXED);
            __atomic_store_n(&p->values[image], p->value, __ATOMIC_RELAXED);
            decided++;
        }
    }
    __atomic_fetch_add(&p->decided, decided, __ATOMIC_RELAXED);
}

kz_status kz_pf_plain_solve(const kz_pf_plain *plain, bool folded, kz_pool *pool, uint8_t *values, kz_error *error) {
    memset(values, 0, plain->permutations);
    for (int value = 1; value <= MOST_VALUE; value++) {
        phase p = {.plain = plain, .values = values, .value = (uint8_t)value, .folded = folded};
        kz_status status = kz_pool_for(pool, plain->permutations, 0, run_phase, &p, NULL, NULL, error);
        /* Each phase builds on what the one before has found; the first two build on the rules alone. */
        if (status != KZ_OK || (p.decided == 0 && value >= 2)) {
            return status;
        }
    }
    return kz_fail(error, KZ_ERR_UNSUPPORTED, "a win takes more turns than a byte can hold");
}

/* What the turns of a position lead to. */
typedef struct prospects {
    const kz_pf_plain *plain;
    const uint8_t *values;
    bool pushes_off;
    bool ties;
    int soonest; /* the smallest value of a successor that is lost for the enemy, 0 if there is none */
    int latest;  /* the largest of one that is won, 0 if there is none */
} prospects;

static bool look_ahead(void *context, const kz_pf_plain_turn *turn, const uint8_t *next) {
    prospects *p = context;
    (void)turn;
    if (!next) {
        p->pushes_off = true;
        return false;
    }
    int value = value_of(p->plain, p->values, next);
    if (value == 0) {
        p->ties = true;
    } else if (value % 2 == 0) {
        p->latest = value > p->latest ? value : p->latest;
    } else {
        p->soonest = p->soonest == 0 || value < p->soonest ? value : p->soonest;
    }
    return true;
}

uint8_t kz_pf_plain_value(const kz_pf_plain *plain, const uint8_t *values, const uint8_t *codes) {
    prospects p = {.plain = plain, .values = values};
    kz_pf_plain_turns(plain, codes, look_ahead, &p);
    if (p.pushes_off) {
        return 2;
    }
    if (p.soonest > 0) {
        return (uint8_t)(p.soonest + 1);
    }
    return p.ties ? 0 : (uint8_t)(p.latest + 1);
}
