/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/index/index.h"

#include <stdlib.h>
#include <string.h>

/* ---- Lions ----------------------------------------------------------------------------------------------------- */

enum zone { ZONE_SOLVED, ZONE_DECIDED, ZONE_FINISHED, ZONES };

static enum zone zone_of(int own, int enemy) {
    if (own / 3 == 3) {
        return ZONE_FINISHED;
    }
    bool adjacent = abs(own / 3 - enemy / 3) <= 1 && abs(own % 3 - enemy % 3) <= 1;
    return adjacent || enemy / 3 == 0 ? ZONE_DECIDED : ZONE_SOLVED;
}

/* Of two mirror images the one with the first lion that is off the middle column on the left. */
static bool leans_right(int own, int enemy) { return own % 3 != 1 ? own % 3 == 2 : enemy % 3 == 2; }

/* Walks the classes in order to the one with the wanted number or squares. */
static int walk_classes(int wanted_class, int wanted_own, int wanted_enemy, int *own_found, int *enemy_found) {
    int number = 0;
    for (int zone = ZONE_SOLVED; zone < ZONES; zone++) {
        for (int own = 0; own < KZ_DOBUTSU_SQUARES; own++) {
            for (int enemy = 0; enemy < KZ_DOBUTSU_SQUARES; enemy++) {
                if (own == enemy || leans_right(own, enemy) || zone_of(own, enemy) != (enum zone)zone) {
                    continue;
                }
                if (number == wanted_class || (own == wanted_own && enemy == wanted_enemy)) {
                    *own_found = own;
                    *enemy_found = enemy;
                    return number;
                }
                number++;
            }
        }
    }
    return -1;
}

void kz_dobutsu_lion_class_squares(int lion_class, int *own_lion, int *enemy_lion) {
    walk_classes(lion_class, -1, -1, own_lion, enemy_lion);
}

int kz_dobutsu_lion_class_of(int own_lion, int enemy_lion, bool *mirror) {
    *mirror = leans_right(own_lion, enemy_lion);
    if (*mirror) {
        own_lion = kz_dobutsu_mirror_square(own_lion);
        enemy_lion = kz_dobutsu_mirror_square(enemy_lion);
    }
    return walk_classes(-1, own_lion, enemy_lion, &own_lion, &enemy_lion);
}

/* ---- Between a position and its arrangement -------------------------------------------------------------------- */

enum { OWN_LION = 1 + KZ_DOBUTSU_LION, ENEMY_LION = OWN_LION + KZ_DOBUTSU_ENEMY };

static void place_pair(const kz_dobutsu_pair *pair, int kind, kz_dobutsu *position) {
    for (int i = 0; i < pair->on_board; i++) {
        int piece = 1 + (pair->mark[i] & KZ_DOBUTSU_MARK_HEN ? KZ_DOBUTSU_HEN : kind);
        position->board[pair->square[i]] =
            (uint8_t)(piece | (pair->mark[i] & KZ_DOBUTSU_MARK_ENEMY ? KZ_DOBUTSU_ENEMY : 0));
    }
    position->hand[1][kind] = (uint8_t)pair->enemy_hand;
    position->hand[0][kind] = (uint8_t)(2 - pair->on_board - pair->enemy_hand);
}

void kz_dobutsu_arrangement_of(const kz_dobutsu *position, kz_dobutsu_arrangement *arrangement) {
    *arrangement = (kz_dobutsu_arrangement){.elephants = {.enemy_hand = position->hand[1][KZ_DOBUTSU_ELEPHANT]},
                                            .giraffes = {.enemy_hand = position->hand[1][KZ_DOBUTSU_GIRAFFE]},
                                            .chicks = {.enemy_hand = position->hand[1][KZ_DOBUTSU_CHICK]}};
    kz_dobutsu_pair *const pairs[KZ_DOBUTSU_KINDS] = {[KZ_DOBUTSU_CHICK] = &arrangement->chicks,
                                                      [KZ_DOBUTSU_ELEPHANT] = &arrangement->elephants,
                                                      [KZ_DOBUTSU_GIRAFFE] = &arrangement->giraffes,
                                                      [KZ_DOBUTSU_HEN] = &arrangement->chicks};
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        int piece = position->board[square];
        if (piece == OWN_LION) {
            arrangement->own_lion = square;
        } else if (piece == ENEMY_LION) {
            arrangement->enemy_lion = square;
        } else if (piece != KZ_DOBUTSU_EMPTY) {
            int kind = (piece & (KZ_DOBUTSU_ENEMY - 1)) - 1;
            kz_dobutsu_pair *pair = pairs[kind];
            int at = pair->on_board++ & 1; /* there are two of each, and no more */
            pair->square[at] = square;
            pair->mark[at] = (piece & KZ_DOBUTSU_ENEMY ? KZ_DOBUTSU_MARK_ENEMY : 0) |
                             (kind == KZ_DOBUTSU_HEN ? KZ_DOBUTSU_MARK_HEN : 0);
        }
    }
}

void kz_dobutsu_arrangement_to(const kz_dobutsu_arrangement *arrangement, kz_dobutsu *position) {
    memset(position, 0, sizeof *position);
    position->board[arrangement->own_lion] = OWN_LION;
    position->board[arrangement->enemy_lion] = ENEMY_LION;
    place_pair(&arrangement->elephants, KZ_DOBUTSU_ELEPHANT, position);
    place_pair(&arrangement->giraffes, KZ_DOBUTSU_GIRAFFE, position);
    place_pair(&arrangement->chicks, KZ_DOBUTSU_CHICK, position);
    position->move_number = 1;
}

/* ---- Ranking the three pairs one after the other --------------------------------------------------------------- */

/* The pairs in the order in which they are ranked. */
enum { PAIRS = 3 };
static const int pair_bits[PAIRS] = {KZ_DOBUTSU_PLAIN_BITS, KZ_DOBUTSU_PLAIN_BITS, KZ_DOBUTSU_CHICK_BITS};

static unsigned count_squares(unsigned mask) { return (unsigned)__builtin_popcount(mask); }

/* How many ways there are for the pairs from `level` on, with `free` squares left. */
static uint64_t count_from(int level, unsigned free) {
    if (level == PAIRS) {
        return 1;
    }
    int bits = pair_bits[level];
    uint64_t both = (uint64_t)(free * (free - 1) / 2) << (2 * bits);
    return both * count_from(level + 1, free - 2) + ((uint64_t)free << (bits + 1)) * count_from(level + 1, free - 1) +
           3 * count_from(level + 1, free);
}

static uint64_t count_folded(int level, unsigned taken);

/* How many positions begin with this state of the pair at `level`; 0 if its mirror image stands for them. */
static uint64_t weight(int level, unsigned taken, unsigned rank, bool fold) {
    kz_dobutsu_pair pair;
    kz_dobutsu_pair_unrank(rank, pair_bits[level], taken, &pair);
    unsigned after = taken | kz_dobutsu_pair_mask(&pair);
    if (fold) {
        kz_dobutsu_pair image = kz_dobutsu_pair_mirror(&pair);
        unsigned image_rank = kz_dobutsu_pair_rank(&image, pair_bits[level], taken);
        if (image_rank < rank) {
            return 0;
        }
        if (image_rank == rank) {
            return count_folded(level + 1, after);
        }
    }
    return count_from(level + 1, KZ_DOBUTSU_SQUARES - count_squares(after));
}

/* count_from with mirror images folded; the squares taken are symmetric. */
static uint64_t count_folded(int level, unsigned taken) {
    uint64_t count = level == PAIRS;
    unsigned states =
        level == PAIRS ? 0 : kz_dobutsu_pair_states(pair_bits[level], KZ_DOBUTSU_SQUARES - count_squares(taken));
    for (unsigned rank = 0; rank < states; rank++) {
        count += weight(level, taken, rank, true);
    }
    return count;
}

static uint64_t class_size(int lion_class) {
    int own;
    int enemy;
    kz_dobutsu_lion_class_squares(lion_class, &own, &enemy);
    return kz_dobutsu_lions_central(own, enemy) ? KZ_DOBUTSU_LIONS_POSITIONS_FOLDED : KZ_DOBUTSU_LIONS_POSITIONS;
}

static void mirror_pairs(kz_dobutsu_pair pairs[PAIRS]) {
    for (int level = 0; level < PAIRS; level++) {
        pairs[level] = kz_dobutsu_pair_mirror(&pairs[level]);
    }
}

bool kz_dobutsu_rank_all(const kz_dobutsu *position, uint64_t *index) {
    if (position->hand[0][KZ_DOBUTSU_LION] || position->hand[1][KZ_DOBUTSU_LION]) {
        return false;
    }
    kz_dobutsu_arrangement arrangement;
    kz_dobutsu_arrangement_of(position, &arrangement);
    bool mirror;
    int lion_class = kz_dobutsu_lion_class_of(arrangement.own_lion, arrangement.enemy_lion, &mirror);
    int own;
    int enemy;
    kz_dobutsu_lion_class_squares(lion_class, &own, &enemy);
    kz_dobutsu_pair pairs[PAIRS] = {arrangement.elephants, arrangement.giraffes, arrangement.chicks};
    if (mirror) {
        mirror_pairs(pairs);
    }
    uint64_t sum = 0;
    for (int before = 0; before < lion_class; before++) {
        sum += class_size(before);
    }
    unsigned taken = 1U << own | 1U << enemy;
    bool fold = kz_dobutsu_lions_central(own, enemy);
    for (int level = 0; level < PAIRS; level++) {
        int bits = pair_bits[level];
        unsigned rank = kz_dobutsu_pair_rank(&pairs[level], bits, taken);
        kz_dobutsu_pair image = kz_dobutsu_pair_mirror(&pairs[level]);
        unsigned image_rank = fold ? kz_dobutsu_pair_rank(&image, bits, taken) : rank;
        bool symmetric = image_rank == rank;
        if (image_rank < rank) {
            mirror_pairs(pairs);
            rank = image_rank;
        }
        for (unsigned before = 0; before < rank; before++) {
            sum += weight(level, taken, before, fold);
        }
        fold = fold && symmetric;
        taken |= kz_dobutsu_pair_mask(&pairs[level]);
    }
    *index = sum;
    return true;
}

void kz_dobutsu_unrank(uint64_t index, kz_dobutsu *position) {
    kz_dobutsu_arrangement arrangement;
    int lion_class = 0;
    for (; index >= class_size(lion_class); lion_class++) {
        index -= class_size(lion_class);
    }
    kz_dobutsu_lion_class_squares(lion_class, &arrangement.own_lion, &arrangement.enemy_lion);
    unsigned taken = 1U << arrangement.own_lion | 1U << arrangement.enemy_lion;
    bool fold = kz_dobutsu_lions_central(arrangement.own_lion, arrangement.enemy_lion);
    kz_dobutsu_pair *pairs[PAIRS] = {&arrangement.elephants, &arrangement.giraffes, &arrangement.chicks};
    for (int level = 0; level < PAIRS; level++) {
        unsigned rank = 0;
        for (uint64_t size; index >= (size = weight(level, taken, rank, fold)); rank++) {
            index -= size;
        }
        kz_dobutsu_pair_unrank(rank, pair_bits[level], taken, pairs[level]);
        if (fold) {
            kz_dobutsu_pair image = kz_dobutsu_pair_mirror(pairs[level]);
            fold = kz_dobutsu_pair_rank(&image, pair_bits[level], taken) == rank;
        }
        taken |= kz_dobutsu_pair_mask(pairs[level]);
    }
    kz_dobutsu_arrangement_to(&arrangement, position);
}

bool kz_dobutsu_rank(const kz_dobutsu *position, uint64_t *index) {
    return kz_dobutsu_rank_all(position, index) && *index < KZ_DOBUTSU_INDEX_SIZE;
}
