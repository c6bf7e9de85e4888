/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/index/slice.h"

#include "base/bits.h"

static void add_step(const kz_dobutsu_space *space, const kz_dobutsu_unmoves *unmoves, kz_dobutsu_slice *g,
                     int own_lion, unsigned elephants, int from, int to) {
    kz_dobutsu_slice_step *s = &g->steps[g->count];
    if (!kz_dobutsu_slice_base_of(space, own_lion, g->enemy_lion, elephants, &s->quiet)) {
        return;
    }
    unsigned back = unmoves->plain_returned[elephants][to];
    s->may_take_elephant = from != KZ_DOBUTSU_FROM_HAND && back != KZ_DOBUTSU_NO_STATE &&
                           kz_dobutsu_slice_base_of(space, own_lion, g->enemy_lion, back, &s->took_elephant);
    s->from = (uint8_t)from;
    s->to = (uint8_t)to;
    g->count++;
}

void kz_dobutsu_slice_of(const kz_dobutsu_space *space, const kz_dobutsu_unmoves *unmoves, const kz_dobutsu_run *run,
                         kz_dobutsu_slice *slice) {
    slice->own_lion = KZ_DOBUTSU_SQUARES - 1 - space->enemy_lion[run->lion_class];
    slice->enemy_lion = KZ_DOBUTSU_SQUARES - 1 - space->own_lion[run->lion_class];
    slice->elephants = space->plain_flip[run->elephants];
    slice->taken = 1U << slice->own_lion | 1U << slice->enemy_lion | space->plain_placement[slice->elephants].mask;
    slice->count = 0;
    kz_dobutsu_slice_base_of(space, slice->own_lion, slice->enemy_lion, slice->elephants, &slice->home);
    slice->elephant_given_back = 0;
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        unsigned back = unmoves->plain_returned[slice->elephants][square];
        if (back != KZ_DOBUTSU_NO_STATE &&
            kz_dobutsu_slice_base_of(space, slice->own_lion, slice->enemy_lion, back, &slice->took_elephant[square])) {
            slice->elephant_given_back |= 1U << square;
        }
    }
    for (unsigned from = unmoves->lion[slice->own_lion] & ~slice->taken; from; from &= from - 1) {
        int square = (int)kz_lowest_bit32(from);
        if (space->lion_class[square][slice->enemy_lion] < KZ_DOBUTSU_LION_CLASSES_SOLVED) {
            add_step(space, unmoves, slice, square, slice->elephants, square, slice->own_lion);
        }
    }
    const kz_dobutsu_unmove_list *list = &unmoves->elephant[slice->elephants];
    for (unsigned i = 0; i < list->count; i++) {
        const kz_dobutsu_unmove *unmove = &list->unmoves[i];
        if (unmove->from == KZ_DOBUTSU_FROM_HAND || !(slice->taken >> unmove->from & 1)) {
            add_step(space, unmoves, slice, slice->own_lion, unmove->state, unmove->from, unmove->to);
        }
    }
}
