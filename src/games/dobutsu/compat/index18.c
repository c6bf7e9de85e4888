/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/compat/index18.h"

#include "games/dobutsu/rules/rules.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS = KZ_DOBUTSU_SQUARES, DIGITS = 11, ROW = 3, ROWS_OF_DIGITS = 1331, HANDS = 729 };

/* What a digit stands for: whose piece of which kind. */
enum { ENEMY_LION = 0, EMPTY = 5, OWN_LION = 10 };
static const struct {
    int kind; /* KZ_DOBUTSU_CHICK, KZ_DOBUTSU_ELEPHANT or KZ_DOBUTSU_GIRAFFE; -1: a lion or nothing */
    int mark;
} pieces[DIGITS] = {
    {-1, 0},
    {KZ_DOBUTSU_CHICK, KZ_DOBUTSU_MARK_ENEMY | KZ_DOBUTSU_MARK_HEN},
    {KZ_DOBUTSU_GIRAFFE, KZ_DOBUTSU_MARK_ENEMY},
    {KZ_DOBUTSU_ELEPHANT, KZ_DOBUTSU_MARK_ENEMY},
    {KZ_DOBUTSU_CHICK, KZ_DOBUTSU_MARK_ENEMY},
    {-1, 0},
    {KZ_DOBUTSU_CHICK, 0},
    {KZ_DOBUTSU_ELEPHANT, 0},
    {KZ_DOBUTSU_GIRAFFE, 0},
    {KZ_DOBUTSU_CHICK, KZ_DOBUTSU_MARK_HEN},
    {-1, 0},
};

static int square_of(int cell) { return 3 * (3 - cell / 3) + cell % 3; }
static int cell_of(int square) { return square_of(square); /* the same formula leads back */ }

static int64_t power(int base, int exponent) {
    int64_t result = 1;
    for (; exponent > 0; exponent--) {
        result *= base;
    }
    return result;
}

/* ---- The index from states ------------------------------------------------------------------------------------ */

static int64_t weight(int square, bool mirror) {
    return power(DIGITS, cell_of(mirror ? kz_dobutsu_mirror_square(square) : square));
}

static int64_t pair_weight(const kz_dobutsu_pair *pair, int kind, bool mirror) {
    static const int code[] = {[KZ_DOBUTSU_CHICK] = 1, [KZ_DOBUTSU_ELEPHANT] = 2, [KZ_DOBUTSU_GIRAFFE] = 3};
    const int hen = 4;
    int64_t sum = 0;
    for (int i = 0; i < pair->on_board; i++) {
        int64_t one = (pair->mark[i] & KZ_DOBUTSU_MARK_HEN ? hen : code[kind]) * weight(pair->square[i], mirror);
        sum += pair->mark[i] & KZ_DOBUTSU_MARK_ENEMY ? -one : one;
    }
    int64_t own = power(DIGITS, CELLS) * power(3, kind);
    return sum + own * (2 - pair->on_board - pair->enemy_hand) + 27 * own * pair->enemy_hand;
}

void kz_dobutsu_index18_fill(kz_dobutsu_index18 *tables) {
    for (int m = 0; m < 2; m++) {
        for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
            tables->own_lion[square][m] = 5 * weight(square, m);
            tables->enemy_lion[square][m] = -5 * weight(square, m);
        }
        kz_dobutsu_pair pair;
        for (unsigned state = 0; state < KZ_DOBUTSU_PLAIN_STATES; state++) {
            kz_dobutsu_pair_unrank(state, KZ_DOBUTSU_PLAIN_BITS, 0, &pair);
            tables->elephant[state][m] = pair_weight(&pair, KZ_DOBUTSU_ELEPHANT, m);
            tables->giraffe[state][m] = pair_weight(&pair, KZ_DOBUTSU_GIRAFFE, m);
        }
        for (unsigned state = 0; state < KZ_DOBUTSU_CHICK_STATES; state++) {
            kz_dobutsu_pair_unrank(state, KZ_DOBUTSU_CHICK_BITS, 0, &pair);
            tables->chick[state][m] = pair_weight(&pair, KZ_DOBUTSU_CHICK, m);
        }
    }
}

/* ---- Units ---------------------------------------------------------------------------------------------------- */

/* Where a piece of a pair is: square << bits | mark, or after all of these 0 or 1 in the mover's or the other hand. */
static int hand_code(int bits, int enemy) { return (CELLS << bits) + enemy; }

static unsigned state_of_codes(int bits, int a, int b) {
    int board = CELLS << bits;
    kz_dobutsu_pair pair = {0};
    if (a > b) {
        int swap = a;
        a = b;
        b = swap;
    }
    int codes[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (codes[i] < board) {
            pair.square[pair.on_board] = codes[i] >> bits;
            pair.mark[pair.on_board++] = codes[i] & ((1 << bits) - 1);
        } else {
            pair.enemy_hand += codes[i] - board;
        }
    }
    bool same_square = pair.on_board == 2 && pair.square[0] == pair.square[1];
    return same_square ? (unsigned)KZ_DOBUTSU_NO_STATE : kz_dobutsu_pair_rank(&pair, bits, 0);
}

/* A board that is being filled, cell by cell, from the last one. */
typedef struct walk {
    const kz_dobutsu_index18_parts *parts;
    const kz_dobutsu_space *space;
    const uint64_t *wanted;
    kz_buffer *list;
    uint8_t digit[CELLS];
    int own_lion; /* squares; -1: not there yet */
    int enemy_lion;
    int left[3];     /* of each kind: pieces that must still come onto the board */
    int codes[3][2]; /* and where the others are; codes[kind][left] is the next one's */
    bool no_memory;
} walk;

/* Puts a digit on a cell; false if it can't be there. */
static bool put(walk *w, int cell, int digit) {
    int square = square_of(cell);
    w->digit[cell] = (uint8_t)digit;
    if (digit == EMPTY) {
        return true;
    }
    int kind = pieces[digit].kind;
    if (kind >= 0) {
        int bits = kind == KZ_DOBUTSU_CHICK ? KZ_DOBUTSU_CHICK_BITS : KZ_DOBUTSU_PLAIN_BITS;
        if (w->left[kind] == 0) {
            return false;
        }
        w->codes[kind][--w->left[kind]] = square << bits | pieces[digit].mark;
        return true;
    }
    /* The solved zone: no lion on its far row, and not one beside the other. */
    int *lion = digit == OWN_LION ? &w->own_lion : &w->enemy_lion;
    int other = digit == OWN_LION ? w->enemy_lion : w->own_lion;
    int far_row = digit == OWN_LION ? 3 : 0;
    if (*lion >= 0 || square / 3 == far_row ||
        (other >= 0 && (kz_dobutsu_steps(KZ_DOBUTSU_LION, other) >> square & 1))) {
        return false;
    }
    *lion = square;
    return true;
}

static void take_back(walk *w, int digit) {
    if (digit == OWN_LION) {
        w->own_lion = -1;
    } else if (digit == ENEMY_LION) {
        w->enemy_lion = -1;
    } else if (digit != EMPTY) {
        w->left[pieces[digit].kind]++;
    }
}

/* Of two mirror images only the smaller index counts. The rows filled so far: negative, this one is smaller; 0, they
 * are the same; positive, the image is smaller. */
static int compare_row(const walk *w, int row) { return w->digit[3 * row + 2] - w->digit[3 * row]; }

/* The numbers that a part is made of: hands as in the index, then the digits of cells 11, 10 and 9. */
static bool begin_part(walk *w, uint32_t part, uint64_t *index) {
    unsigned hands = part / ROWS_OF_DIGITS;
    unsigned row = part % ROWS_OF_DIGITS;
    *index = (uint64_t)power(DIGITS, CELLS) * hands;
    w->own_lion = w->enemy_lion = -1;
    for (int kind = KZ_DOBUTSU_CHICK; kind <= KZ_DOBUTSU_GIRAFFE; kind++) {
        int bits = kind == KZ_DOBUTSU_CHICK ? KZ_DOBUTSU_CHICK_BITS : KZ_DOBUTSU_PLAIN_BITS;
        int own = (int)(hands / (unsigned)power(3, kind) % 3);
        int enemy = (int)(hands / (unsigned)power(3, kind + 3) % 3);
        if (own + enemy > 2) {
            return false;
        }
        w->left[kind] = 2 - own - enemy;
        for (int i = 0; i < own + enemy; i++) {
            w->codes[kind][1 - i] = hand_code(bits, i >= own);
        }
    }
    for (int i = 0; i < ROW; i++) {
        int cell = CELLS - 1 - i;
        int digit = (int)(row / (unsigned)power(DIGITS, ROW - 1 - i) % DIGITS);
        if (!put(w, cell, digit)) {
            return false;
        }
        *index += (uint64_t)power(DIGITS, cell) * (unsigned)digit;
    }
    return compare_row(w, 3) <= 0;
}

bool kz_dobutsu_index18_parts_make(kz_dobutsu_index18_parts *parts) {
    parts->count = 0;
    parts->parts = malloc((size_t)HANDS * ROWS_OF_DIGITS * sizeof *parts->parts);
    if (!parts->parts) {
        return false;
    }
    for (uint32_t part = 0; part < HANDS * ROWS_OF_DIGITS; part++) {
        walk w = {.parts = parts};
        uint64_t index;
        if (begin_part(&w, part, &index)) {
            parts->parts[parts->count++] = part;
        }
    }
    for (int a = 0; a < 26; a++) {
        for (int b = 0; b < 26; b++) {
            parts->plain_state[a][b] = (uint16_t)state_of_codes(KZ_DOBUTSU_PLAIN_BITS, a, b);
        }
    }
    for (int a = 0; a < 50; a++) {
        for (int b = 0; b < 50; b++) {
            parts->chick_state[a][b] = (uint16_t)state_of_codes(KZ_DOBUTSU_CHICK_BITS, a, b);
        }
    }
    return true;
}

void kz_dobutsu_index18_parts_free(kz_dobutsu_index18_parts *parts) {
    free(parts->parts);
    parts->parts = NULL;
}

/* ---- The positions of a part ---------------------------------------------------------------------------------- */

static void add_position(walk *w, uint64_t index) {
    const kz_dobutsu_states states = {
        .own_lion = w->own_lion,
        .enemy_lion = w->enemy_lion,
        .elephants = w->parts->plain_state[w->codes[KZ_DOBUTSU_ELEPHANT][0]][w->codes[KZ_DOBUTSU_ELEPHANT][1]],
        .giraffes = w->parts->plain_state[w->codes[KZ_DOBUTSU_GIRAFFE][0]][w->codes[KZ_DOBUTSU_GIRAFFE][1]],
        .chicks = w->parts->chick_state[w->codes[KZ_DOBUTSU_CHICK][0]][w->codes[KZ_DOBUTSU_CHICK][1]],
    };
    uint64_t place = kz_dobutsu_space_rank(w->space, &states);
    if (w->wanted && !(w->wanted[place / 64] >> (place % 64) & 1)) {
        return;
    }
    void *entry = kz_buffer_add(w->list, sizeof(kz_dobutsu_index18_entry));
    if (!entry) {
        w->no_memory = true;
        return;
    }
    memcpy(entry, &(kz_dobutsu_index18_entry){index, (uint32_t)place}, sizeof(kz_dobutsu_index18_entry));
}

/* `tied`: the rows so far are their own mirror images. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as there are cells */
static void fill(walk *w, int cell, uint64_t index, uint64_t part_of_cell, bool tied) {
    int missing = w->left[0] + w->left[1] + w->left[2] + (w->own_lion < 0) + (w->enemy_lion < 0);
    if (missing > cell + 1) {
        return;
    }
    if (cell < 0) {
        add_position(w, index);
        return;
    }
    for (int digit = 0; digit < DIGITS; digit++) {
        if (!put(w, cell, digit)) {
            continue;
        }
        int order = tied && cell % 3 == 0 ? compare_row(w, cell / 3) : tied ? 0 : -1;
        if (order <= 0) {
            fill(w, cell - 1, index + part_of_cell * (unsigned)digit, part_of_cell / DIGITS, order == 0);
        }
        take_back(w, digit);
    }
}

bool kz_dobutsu_index18_list(const kz_dobutsu_index18_parts *parts, const kz_dobutsu_space *space, uint32_t part,
                             const uint64_t *wanted, kz_buffer *list) {
    walk w = {.parts = parts, .space = space, .wanted = wanted, .list = list};
    uint64_t index;
    begin_part(&w, parts->parts[part], &index);
    fill(&w, CELLS - 1 - ROW, index, (uint64_t)power(DIGITS, CELLS - 1 - ROW), compare_row(&w, 3) == 0);
    return !w.no_memory;
}
