/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/rules/unmoves.h"

#include "games/dobutsu/rules/rules.h"

static kz_dobutsu_pair without(const kz_dobutsu_pair *pair, int piece) {
    kz_dobutsu_pair rest = *pair;
    rest.on_board--;
    if (piece == 0) {
        rest.square[0] = pair->square[1];
        rest.mark[0] = pair->mark[1];
    }
    return rest;
}

/* The pair with one piece more on the board; the square must be free. */
static kz_dobutsu_pair with(const kz_dobutsu_pair *pair, int square, int mark) {
    kz_dobutsu_pair more = *pair;
    int place = pair->on_board && pair->square[0] < square ? 1 : 0;
    if (place == 0) {
        more.square[1] = pair->square[0];
        more.mark[1] = pair->mark[0];
    }
    more.square[place] = square;
    more.mark[place] = mark;
    more.on_board++;
    return more;
}

static bool held(const kz_dobutsu_pair *pair) { return pair->on_board + pair->enemy_hand < 2; }

static unsigned returned(const kz_dobutsu_pair *pair, int bits, int square, int mark) {
    if (!held(pair) || (kz_dobutsu_pair_mask(pair) >> square & 1)) {
        return KZ_DOBUTSU_NO_STATE;
    }
    kz_dobutsu_pair more = with(pair, square, mark | KZ_DOBUTSU_MARK_ENEMY);
    return kz_dobutsu_pair_rank(&more, bits, 0);
}

static void add_unmove(kz_dobutsu_unmove_list *list, unsigned state, int from, int to) {
    list->unmoves[list->count++] = (kz_dobutsu_unmove){(uint16_t)state, (uint8_t)from, (uint8_t)to};
}

/* Takes back the move of a piece that came to `to` from `from` as a `mark`; and, if it may have captured a chick, with
 * that chick given back. */
static void add_step(kz_dobutsu_unmove_list *list, kz_dobutsu_unmove_list *took_chick, const kz_dobutsu_pair *rest,
                     int bits, int mark, int from, int to) {
    if (kz_dobutsu_pair_mask(rest) >> from & 1) {
        return;
    }
    kz_dobutsu_pair before = with(rest, from, mark);
    add_unmove(list, kz_dobutsu_pair_rank(&before, bits, 0), from, to);
    for (int hen = 0; took_chick && hen <= KZ_DOBUTSU_MARK_HEN; hen += KZ_DOBUTSU_MARK_HEN) {
        unsigned state = before.on_board < 2 ? returned(&before, bits, to, hen) : (unsigned)KZ_DOBUTSU_NO_STATE;
        if (state != KZ_DOBUTSU_NO_STATE) {
            add_unmove(took_chick, state, from, to);
        }
    }
}

static void fill_pair(const kz_dobutsu_pair *pair, int kind, int bits, kz_dobutsu_unmove_list *list,
                      kz_dobutsu_unmove_list *took_chick) {
    for (int piece = 0; piece < pair->on_board; piece++) {
        int mark = pair->mark[piece];
        int to = pair->square[piece];
        if (mark & KZ_DOBUTSU_MARK_ENEMY) {
            continue;
        }
        kz_dobutsu_pair rest = without(pair, piece);
        bool far_row = to / 3 == 3;
        for (int from = 0; from < KZ_DOBUTSU_SQUARES; from++) {
            int moved = mark & KZ_DOBUTSU_MARK_HEN ? KZ_DOBUTSU_HEN : kind;
            /* A chick on the far row was dropped there: it would have been promoted by a move. */
            bool stayed = !(moved == KZ_DOBUTSU_CHICK && far_row) && (kz_dobutsu_steps(moved, from) >> to & 1);
            bool promoted = moved == KZ_DOBUTSU_HEN && far_row && (kz_dobutsu_steps(KZ_DOBUTSU_CHICK, from) >> to & 1);
            if (stayed) {
                add_step(list, took_chick, &rest, bits, mark, from, to);
            }
            if (promoted) {
                add_step(list, took_chick, &rest, bits, 0, from, to);
            }
        }
        if (!(mark & KZ_DOBUTSU_MARK_HEN)) {
            add_unmove(list, kz_dobutsu_pair_rank(&rest, bits, 0), KZ_DOBUTSU_FROM_HAND, to);
        }
    }
}

void kz_dobutsu_unmoves_fill(kz_dobutsu_unmoves *unmoves) {
    kz_dobutsu_pair pair;
    *unmoves = (kz_dobutsu_unmoves){0};
    for (unsigned state = 0; state < KZ_DOBUTSU_PLAIN_STATES; state++) {
        kz_dobutsu_pair_unrank(state, KZ_DOBUTSU_PLAIN_BITS, 0, &pair);
        fill_pair(&pair, KZ_DOBUTSU_ELEPHANT, KZ_DOBUTSU_PLAIN_BITS, &unmoves->elephant[state], NULL);
        fill_pair(&pair, KZ_DOBUTSU_GIRAFFE, KZ_DOBUTSU_PLAIN_BITS, &unmoves->giraffe[state], NULL);
        for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
            unmoves->plain_returned[state][square] = (uint16_t)returned(&pair, KZ_DOBUTSU_PLAIN_BITS, square, 0);
        }
    }
    for (unsigned state = 0; state < KZ_DOBUTSU_CHICK_STATES; state++) {
        kz_dobutsu_pair_unrank(state, KZ_DOBUTSU_CHICK_BITS, 0, &pair);
        fill_pair(&pair, KZ_DOBUTSU_CHICK, KZ_DOBUTSU_CHICK_BITS, &unmoves->chick[state],
                  &unmoves->chick_took_chick[state]);
        unmoves->chick_held[state] = held(&pair);
        for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
            for (int hen = 0; hen < 2; hen++) {
                unmoves->chick_returned[state][square][hen] =
                    (uint16_t)returned(&pair, KZ_DOBUTSU_CHICK_BITS, square, hen * KZ_DOBUTSU_MARK_HEN);
            }
        }
    }
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        unmoves->lion[square] = (uint16_t)kz_dobutsu_steps(KZ_DOBUTSU_LION, square); /* lions step both ways */
    }
}
