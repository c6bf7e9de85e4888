/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/compat/packet_keys.h"

#include "base/bits.h"

/* ---- Bits of states ---------------------------------------------------------------------------------------------- */

enum { CHICK_SHIFT = 28, ELEPHANT_SHIFT = 18, GIRAFFE_SHIFT = 8, CHICK_FIELD = 6, PLAIN_FIELD = 5 };

/* One piece: allegiance, row and column, and for chicks promotion. */
static unsigned field_of(unsigned coords, int mark, int bits) {
    unsigned field = (mark & KZ_DOBUTSU_MARK_ENEMY ? 16U : 0) | coords;
    return bits == KZ_DOBUTSU_CHICK_BITS ? field << 1 | (mark & KZ_DOBUTSU_MARK_HEN ? 1U : 0) : field;
}

static unsigned pair_bits(unsigned state, int bits) {
    kz_dobutsu_pair pair;
    unsigned fields[2];
    int count = 0;
    kz_dobutsu_pair_unrank(state, bits, 0, &pair);
    for (; count < pair.on_board; count++) {
        fields[count] = field_of((unsigned)kz_packet_coords((unsigned)pair.square[count]), pair.mark[count], bits);
    }
    for (int enemy = pair.enemy_hand; count < 2; count++, enemy--) {
        fields[count] = field_of(KZ_DOBUTSU_LION_IN_HAND, enemy > 0 ? KZ_DOBUTSU_MARK_ENEMY : 0, bits);
    }
    bool sorted = fields[0] <= fields[1];
    return fields[!sorted] << (bits == KZ_DOBUTSU_CHICK_BITS ? CHICK_FIELD : PLAIN_FIELD) | fields[sorted];
}

/* Sorts states by their bits; there are few, and only once. */
static void sort_states(uint16_t *order, unsigned count, const uint64_t *bits) {
    for (unsigned i = 0; i < count; i++) {
        unsigned position = i;
        for (; position > 0 && bits[order[position - 1]] > bits[i]; position--) {
            order[position] = order[position - 1];
        }
        order[position] = (uint16_t)i;
    }
}

void kz_packet_keys_fill(kz_packet_keys *keys, const kz_dobutsu_space *space) {
    for (unsigned state = 0; state < KZ_DOBUTSU_CHICK_STATES; state++) {
        keys->chick_bits[state] = (uint64_t)pair_bits(state, KZ_DOBUTSU_CHICK_BITS) << CHICK_SHIFT;
    }
    for (unsigned state = 0; state < KZ_DOBUTSU_PLAIN_STATES; state++) {
        keys->elephant_bits[state] = (uint64_t)pair_bits(state, KZ_DOBUTSU_PLAIN_BITS) << ELEPHANT_SHIFT;
        keys->giraffe_bits[state] = (uint64_t)pair_bits(state, KZ_DOBUTSU_PLAIN_BITS) << GIRAFFE_SHIFT;
    }
    for (unsigned state = 0; state < KZ_DOBUTSU_CHICK_STATES; state++) {
        keys->chick_seen[state] = keys->chick_bits[space->chick_flip[state]];
    }
    for (unsigned state = 0; state < KZ_DOBUTSU_PLAIN_STATES; state++) {
        keys->elephant_seen[state] = keys->elephant_bits[space->plain_flip[state]];
        keys->giraffe_seen[state] = keys->giraffe_bits[space->plain_flip[state]];
    }
    sort_states(keys->chicks, KZ_DOBUTSU_CHICK_STATES, keys->chick_bits);
    sort_states(keys->plain, KZ_DOBUTSU_PLAIN_STATES, keys->elephant_bits);
}

/* ---- Enumeration ------------------------------------------------------------------------------------------------- */

static inline unsigned squares_of(const kz_dobutsu_footprint *footprint) {
    return (unsigned)footprint->own | footprint->enemy;
}

void kz_packet_walk_start(kz_packet_walk *walk, const kz_packet_keys *keys, const kz_dobutsu_reach *reach,
                          uint64_t part) {
    const kz_dobutsu_space *space = reach->space;
    walk->keys = keys;
    walk->reach = reach;
    walk->next = 0;
    walk->position = (kz_packet_position){.chicks = keys->chicks[part / KZ_DOBUTSU_PLAIN_STATES],
                                          .elephants = keys->plain[part % KZ_DOBUTSU_PLAIN_STATES]};
    unsigned chicks = squares_of(&space->chick[walk->position.chicks]);
    unsigned elephants = squares_of(&space->elephant[walk->position.elephants]);
    walk->fits = !(chicks & elephants);
    walk->taken = chicks | elephants;
    for (int own = 0; walk->fits && own < KZ_PACKET_OWN_LIONS; own++) {
        for (int enemy = 0; enemy < KZ_DOBUTSU_SQUARES; enemy++) {
            walk->known[own][enemy] =
                own != enemy && !((1U << own | 1U << enemy) & walk->taken) &&
                kz_dobutsu_slice_base_of(space, own, enemy, walk->position.elephants, &walk->slices[own][enemy]);
        }
    }
}

int kz_packet_walk_next(kz_packet_walk *walk, kz_packet_position list[KZ_PACKET_MOST_LIONS]) {
    const kz_dobutsu_space *space = walk->reach->space;
    const _Atomic uint64_t *reached = walk->reach->reached;
    if (!walk->fits) {
        return -1;
    }
    unsigned giraffes = 0;
    do {
        if (walk->next == KZ_DOBUTSU_PLAIN_STATES) {
            return -1;
        }
        giraffes = walk->keys->plain[walk->next++];
    } while (squares_of(&space->giraffe[giraffes]) & walk->taken);
    kz_packet_position position = walk->position;
    position.giraffes = (uint16_t)giraffes;
    unsigned chicks[2] = {position.chicks, space->chick_mirror[position.chicks]};
    unsigned free = (unsigned)KZ_DOBUTSU_ALL_SQUARES & ~(walk->taken | squares_of(&space->giraffe[giraffes]));
    /* First where all of them are, then whether they are reached: so the memory is asked for many at once. */
    uint32_t index[KZ_PACKET_MOST_LIONS];
    int found = 0;
    for (unsigned owns = free & ((1U << KZ_PACKET_OWN_LIONS) - 1); owns; owns &= owns - 1) {
        unsigned own = kz_lowest_bit32(owns);
        for (unsigned enemies = free & ~(1U << own); enemies; enemies &= enemies - 1) {
            unsigned enemy = kz_lowest_bit32(enemies);
            kz_dobutsu_run_base target;
            if (walk->known[own][enemy] &&
                kz_dobutsu_run_base_in(space, &walk->slices[own][enemy], giraffes, &target)) {
                index[found] = target.base + kz_dobutsu_chick_rank(&target, chicks[target.mirrored]);
                __builtin_prefetch((const void *)&reached[index[found] / 64]);
                list[found] = position;
                list[found].own_lion = (uint8_t)own;
                list[found].enemy_lion = (uint8_t)enemy;
                found++;
            }
        }
    }
    int kept = 0;
    for (int i = 0; i < found; i++) {
        list[kept] = list[i];
        kept += (int)(atomic_load_explicit(&reached[index[i] / 64], memory_order_relaxed) >> (index[i] % 64) & 1);
    }
    return kept;
}
