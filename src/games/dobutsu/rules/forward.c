/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/rules/forward.h"

#include <stdlib.h>
#include <string.h>

static void add_pair_move(kz_dobutsu_pair_moves *list, unsigned state, unsigned from, unsigned to) {
    list->moves[list->count++] = (kz_dobutsu_pair_move){(uint16_t)state, (uint8_t)from, (uint8_t)to};
}

/* Moves that take nothing from their own pair. */
static void add_quiet(kz_dobutsu_pair_moves *lists, const kz_dobutsu_unmove_list *unmoves, unsigned states) {
    for (unsigned after = 0; after < states; after++) {
        for (unsigned i = 0; i < unmoves[after].count; i++) {
            const kz_dobutsu_unmove *unmove = &unmoves[after].unmoves[i];
            add_pair_move(&lists[unmove->state], after, unmove->from, unmove->to);
        }
    }
}

/* Steps that take the other piece of the pair: it goes into the hand first, then the square is free to step onto. */
static void add_captures(kz_dobutsu_pair_moves *lists, uint16_t (*taken)[KZ_DOBUTSU_SQUARES], unsigned states) {
    for (unsigned before = 0; before < states; before++) {
        for (unsigned to = 0; to < KZ_DOBUTSU_SQUARES; to++) {
            if (taken[before][to] == KZ_DOBUTSU_NO_STATE) {
                continue;
            }
            /* A state with a piece in hand gets no captures added, so its list is complete already. */
            const kz_dobutsu_pair_moves *freed = &lists[taken[before][to]];
            for (unsigned i = 0; i < freed->count; i++) {
                const kz_dobutsu_pair_move *move = &freed->moves[i];
                if (move->to == to && move->from != KZ_DOBUTSU_FROM_HAND) {
                    add_pair_move(&lists[before], move->state, move->from, to);
                }
            }
        }
    }
}

static void fill_taken(kz_dobutsu_forward *forward, const kz_dobutsu_unmoves *unmoves) {
    memset(forward->plain_taken, 0xFF, sizeof forward->plain_taken);
    memset(forward->chick_taken, 0xFF, sizeof forward->chick_taken);
    for (unsigned square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        for (unsigned state = 0; state < KZ_DOBUTSU_PLAIN_STATES; state++) {
            unsigned before = unmoves->plain_returned[state][square];
            if (before != KZ_DOBUTSU_NO_STATE) {
                forward->plain_taken[before][square] = (uint16_t)state;
            }
        }
        for (unsigned state = 0; state < KZ_DOBUTSU_CHICK_STATES; state++) {
            for (int hen = 0; hen < 2; hen++) {
                unsigned before = unmoves->chick_returned[state][square][hen];
                if (before != KZ_DOBUTSU_NO_STATE) {
                    forward->chick_taken[before][square] = (uint16_t)state;
                }
            }
        }
    }
}

bool kz_dobutsu_forward_fill(kz_dobutsu_forward *forward) {
    kz_dobutsu_unmoves *unmoves = malloc(sizeof *unmoves);
    if (!unmoves) {
        return false;
    }
    kz_dobutsu_unmoves_fill(unmoves);
    memset(forward, 0, sizeof *forward);
    fill_taken(forward, unmoves);
    add_quiet(forward->elephant, unmoves->elephant, KZ_DOBUTSU_PLAIN_STATES);
    add_quiet(forward->giraffe, unmoves->giraffe, KZ_DOBUTSU_PLAIN_STATES);
    add_quiet(forward->chick, unmoves->chick, KZ_DOBUTSU_CHICK_STATES);
    free(unmoves);
    add_captures(forward->elephant, forward->plain_taken, KZ_DOBUTSU_PLAIN_STATES);
    add_captures(forward->giraffe, forward->plain_taken, KZ_DOBUTSU_PLAIN_STATES);
    add_captures(forward->chick, forward->chick_taken, KZ_DOBUTSU_CHICK_STATES);
    return true;
}
