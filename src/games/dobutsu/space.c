/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/space.h"

#include "base/bits.h"
#include "games/dobutsu/rules.h"

#include <stdlib.h>
#include <string.h>

/* ---- What each state of a pair means --------------------------------------------------------------------------- */

/* The set of squares as seen from the other side of the board. */
static unsigned rotate_mask(unsigned mask) {
    unsigned rotated = 0;
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        rotated |= (mask >> square & 1) << (KZ_DOBUTSU_SQUARES - 1 - square);
    }
    return rotated;
}

static kz_dobutsu_footprint footprint_of(const kz_dobutsu_pair *pair, int kind) {
    kz_dobutsu_footprint print = {0};
    for (int i = 0; i < pair->on_board; i++) {
        int square = pair->square[i];
        int piece = pair->mark[i] & KZ_DOBUTSU_MARK_HEN ? KZ_DOBUTSU_HEN : kind;
        if (pair->mark[i] & KZ_DOBUTSU_MARK_ENEMY) {
            unsigned seen = kz_dobutsu_steps(piece, KZ_DOBUTSU_SQUARES - 1 - square);
            print.enemy = (uint16_t)(print.enemy | 1U << square);
            print.enemy_attacks = (uint16_t)(print.enemy_attacks | rotate_mask(seen));
        } else {
            print.own = (uint16_t)(print.own | 1U << square);
            print.own_attacks = (uint16_t)(print.own_attacks | kz_dobutsu_steps(piece, square));
        }
    }
    return print;
}

static kz_dobutsu_placement placement_of(const kz_dobutsu_pair *pair) {
    kz_dobutsu_placement placement = {.first = KZ_DOBUTSU_NOWHERE,
                                      .second = KZ_DOBUTSU_NOWHERE,
                                      .off_board = (uint8_t)(2 - pair->on_board),
                                      .mask = (uint16_t)kz_dobutsu_pair_mask(pair)};
    if (pair->on_board > 0) {
        placement.first = (uint8_t)(4 * pair->square[0]);
    }
    if (pair->on_board == 2) {
        placement.second = (uint8_t)(4 * pair->square[1]);
        placement.marks = (uint8_t)(pair->mark[0] << KZ_DOBUTSU_PLAIN_BITS | pair->mark[1]);
    } else {
        placement.marks = (uint8_t)(pair->mark[0] << 1 | pair->enemy_hand);
    }
    return placement;
}

static void fill_ranks(kz_dobutsu_space *space) {
    for (unsigned n = 0; n < 16; n++) {
        space->triangle[n] = (uint8_t)(n * (n - (n > 0)) / 2);
    }
    for (unsigned taken = 0; taken <= KZ_DOBUTSU_ALL_SQUARES; taken++) {
        uint64_t rank = 0;
        space->ranks[taken] = 0;
        for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
            space->ranks[taken] |= rank << (4 * square);
            rank += !(taken >> square & 1);
        }
    }
    for (unsigned free = 4; free <= KZ_DOBUTSU_SQUARES; free++) {
        kz_dobutsu_giraffe_layout *layout = &space->layout[free];
        for (unsigned off_board = 0; off_board < 3; off_board++) {
            layout->weight[off_board] = kz_dobutsu_pair_states(KZ_DOBUTSU_CHICK_BITS, free - 2 + off_board);
        }
        layout->begin[1] = ((free * (free - 1) / 2) << (2 * KZ_DOBUTSU_PLAIN_BITS)) * layout->weight[0];
        layout->begin[2] = layout->begin[1] + (free << (KZ_DOBUTSU_PLAIN_BITS + 1)) * layout->weight[1];
    }
}

static void fill_states(kz_dobutsu_space *space) {
    kz_dobutsu_pair pair;
    kz_dobutsu_pair image;
    for (unsigned state = 0; state < KZ_DOBUTSU_PLAIN_STATES; state++) {
        kz_dobutsu_pair_unrank(state, KZ_DOBUTSU_PLAIN_BITS, 0, &pair);
        space->plain_placement[state] = placement_of(&pair);
        space->elephant[state] = footprint_of(&pair, KZ_DOBUTSU_ELEPHANT);
        space->giraffe[state] = footprint_of(&pair, KZ_DOBUTSU_GIRAFFE);
        image = kz_dobutsu_pair_flip(&pair);
        space->plain_flip[state] = (uint16_t)kz_dobutsu_pair_rank(&image, KZ_DOBUTSU_PLAIN_BITS, 0);
        image = kz_dobutsu_pair_mirror(&pair);
        space->plain_mirror[state] = (uint16_t)kz_dobutsu_pair_rank(&image, KZ_DOBUTSU_PLAIN_BITS, 0);
    }
    for (unsigned state = 0; state < KZ_DOBUTSU_CHICK_STATES; state++) {
        kz_dobutsu_pair_unrank(state, KZ_DOBUTSU_CHICK_BITS, 0, &pair);
        space->chick[state] = footprint_of(&pair, KZ_DOBUTSU_CHICK);
        image = kz_dobutsu_pair_flip(&pair);
        space->chick_flip[state] = (uint16_t)kz_dobutsu_pair_rank(&image, KZ_DOBUTSU_CHICK_BITS, 0);
        image = kz_dobutsu_pair_mirror(&pair);
        space->chick_mirror[state] = (uint16_t)kz_dobutsu_pair_rank(&image, KZ_DOBUTSU_CHICK_BITS, 0);
    }
}

/* ---- Rankings: what fits around a set of taken squares -------------------------------------------------------------
 */

/* Taken are the lions and up to four of the elephants and giraffes. */
enum { FEWEST_TAKEN = 2, MOST_TAKEN = 6, MOST_TAKEN_BEFORE_GIRAFFES = 4 };

static unsigned number_rankings(kz_dobutsu_space *space) {
    unsigned rankings = 0;
    memset(space->ranking_of, 0xFF, sizeof space->ranking_of);
    for (unsigned folded = 0; folded < 2; folded++) {
        for (unsigned mask = 0; mask <= KZ_DOBUTSU_ALL_SQUARES; mask++) {
            unsigned taken = kz_popcount32(mask);
            if (taken >= FEWEST_TAKEN && taken <= MOST_TAKEN && (!folded || kz_dobutsu_mirror_mask(mask) == mask)) {
                space->ranking_of[folded][mask] = (uint16_t)rankings++;
            }
        }
        if (!folded) {
            space->unfolded_rankings = rankings;
        }
    }
    return rankings;
}

/* The squares that a pair takes. */
static unsigned plain_mask(const kz_dobutsu_footprint *print) { return (unsigned)print->own | print->enemy; }

static void fill_chick_ranking(kz_dobutsu_space *space, unsigned ranking, unsigned mask, bool folded) {
    unsigned count = 0;
    uint16_t *octets = folded ? NULL : space->octets[ranking];
    uint16_t *ranks = folded ? space->chick_rank[ranking - space->unfolded_rankings] : NULL;
    if (folded) {
        memset(ranks, 0xFF, sizeof space->chick_rank[0]);
    } else {
        memset(octets, 0xFF, sizeof space->octets[0]);
    }
    /* Ranks grow with states, so the states that fit, in order, have the ranks 0, 1, ... */
    for (unsigned state = 0; state < KZ_DOBUTSU_CHICK_STATES; state++) {
        if (mask & plain_mask(&space->chick[state])) {
            continue;
        }
        unsigned image = space->chick_mirror[state];
        /* The smaller one of two mirror images comes first. */
        if (folded && image < state) {
            ranks[state] = ranks[image];
            continue;
        }
        if (folded) {
            ranks[state] = (uint16_t)count;
        } else if (state % 8 == 0) {
            octets[state / 8] = (uint16_t)count;
        }
        space->chick_state[ranking][count++] = (uint16_t)state;
    }
    space->chick_states[ranking] = (uint16_t)count;
}

/* The ranking of the chicks for a state of the giraffes. Mirror images stay folded only while everything is symmetric.
 */
static unsigned chick_ranking(const kz_dobutsu_space *space, unsigned taken, unsigned giraffes, bool folded) {
    bool still_folded = folded && space->plain_mirror[giraffes] == giraffes;
    return space->ranking_of[still_folded][taken | plain_mask(&space->giraffe[giraffes])];
}

/* How many positions and runs a slice has. */
typedef struct slice_size {
    uint32_t positions;
    uint32_t runs;
} slice_size;

/* Fills in where each state of the giraffes begins in a slice. */
static slice_size fill_giraffe_offsets(kz_dobutsu_space *space, unsigned ranking, unsigned mask, bool folded) {
    slice_size size = {0, 0};
    for (unsigned state = 0; state < KZ_DOBUTSU_PLAIN_STATES; state++) {
        bool fits = !(mask & plain_mask(&space->giraffe[state]));
        bool kept = fits && (!folded || space->plain_mirror[state] >= state);
        space->giraffe_offset[ranking][state] = kept ? size.positions : KZ_DOBUTSU_NO_BASE;
        size.positions += kept ? space->chick_states[chick_ranking(space, mask, state, folded)] : 0;
        size.runs += kept;
    }
    return size;
}

static void fill_rankings(kz_dobutsu_space *space, slice_size *slice_sizes) {
    for (unsigned folded = 0; folded < 2; folded++) {
        for (unsigned mask = 0; mask <= KZ_DOBUTSU_ALL_SQUARES; mask++) {
            if (space->ranking_of[folded][mask] != KZ_DOBUTSU_NO_STATE) {
                fill_chick_ranking(space, space->ranking_of[folded][mask], mask, folded);
            }
        }
    }
    for (unsigned folded = 0; folded < 2; folded++) {
        for (unsigned mask = 0; mask <= KZ_DOBUTSU_ALL_SQUARES; mask++) {
            unsigned ranking = space->ranking_of[folded][mask];
            if (ranking != KZ_DOBUTSU_NO_STATE && kz_popcount32(mask) <= MOST_TAKEN_BEFORE_GIRAFFES) {
                slice_sizes[ranking] = fill_giraffe_offsets(space, ranking, mask, folded);
            }
        }
    }
}

/* ---- Runs ------------------------------------------------------------------------------------------------------ */

static void fill_lions(kz_dobutsu_space *space) {
    for (int number = 0; number < KZ_DOBUTSU_LION_CLASSES; number++) {
        int own;
        int enemy;
        kz_dobutsu_lion_class_squares(number, &own, &enemy);
        space->own_lion[number] = (uint8_t)own;
        space->enemy_lion[number] = (uint8_t)enemy;
        space->lions[number] = (uint16_t)(1U << own | 1U << enemy);
    }
    memset(space->lion_class, 0xFF, sizeof space->lion_class);
    for (int own = 0; own < KZ_DOBUTSU_SQUARES; own++) {
        for (int enemy = 0; enemy < KZ_DOBUTSU_SQUARES; enemy++) {
            bool mirror = false;
            if (own != enemy) {
                space->lion_class[own][enemy] = (uint8_t)kz_dobutsu_lion_class_of(own, enemy, &mirror);
            }
            space->lion_mirror[own][enemy] = mirror;
        }
    }
}

/* Walks all runs in index order; counts them, or writes them down where there is room. */
static uint32_t walk_runs(kz_dobutsu_space *space, const slice_size *slice_sizes, kz_dobutsu_run *runs) {
    uint32_t base = 0;
    uint32_t count = 0;
    uint32_t slices = 0;
    for (unsigned lion_class = 0; lion_class < KZ_DOBUTSU_LION_CLASSES; lion_class++) {
        int own = space->own_lion[lion_class];
        int enemy = space->enemy_lion[lion_class];
        unsigned lions = 1U << own | 1U << enemy;
        bool central = kz_dobutsu_lions_central(own, enemy);
        for (unsigned elephants = 0; elephants < KZ_DOBUTSU_PLAIN_STATES; elephants++) {
            unsigned mask = plain_mask(&space->elephant[elephants]);
            bool kept = !(mask & lions) && (!central || space->plain_mirror[elephants] >= elephants);
            space->elephant_base[lion_class][elephants] = kept ? base : KZ_DOBUTSU_NO_BASE;
            if (!kept) {
                continue;
            }
            space->slices[slices++] = count;
            bool folded = central && space->plain_mirror[elephants] == elephants;
            unsigned ranking = space->ranking_of[folded][lions | mask];
            kz_dobutsu_run *run = runs ? runs + count : NULL;
            for (unsigned giraffes = 0; run && giraffes < KZ_DOBUTSU_PLAIN_STATES; giraffes++) {
                if (space->giraffe_offset[ranking][giraffes] != KZ_DOBUTSU_NO_BASE) {
                    unsigned chicks = chick_ranking(space, lions | mask, giraffes, folded);
                    *run++ = (kz_dobutsu_run){.base = base + space->giraffe_offset[ranking][giraffes],
                                              .elephants = (uint16_t)elephants,
                                              .giraffes = (uint16_t)giraffes,
                                              .size = space->chick_states[chicks],
                                              .lion_class = (uint8_t)lion_class,
                                              .folded = folded && space->plain_mirror[giraffes] == giraffes};
                }
            }
            count += slice_sizes[ranking].runs;
            base += slice_sizes[ranking].positions;
        }
        if (lion_class + 1 == KZ_DOBUTSU_LION_CLASSES_SOLVED) {
            space->solved_runs = count;
            space->solved_slices = slices;
        } else if (lion_class + 1 == KZ_DOBUTSU_LION_CLASSES_DECIDED) {
            space->decided_runs = count;
        }
    }
    space->slices[slices] = count;
    return count;
}

kz_dobutsu_space *kz_dobutsu_space_new(void) {
    kz_dobutsu_space *space = calloc(1, sizeof *space);
    if (!space) {
        return NULL;
    }
    fill_ranks(space);
    fill_states(space);
    fill_lions(space);
    size_t rankings = number_rankings(space);
    space->giraffe_offset = malloc(rankings * sizeof *space->giraffe_offset);
    space->octets = malloc(space->unfolded_rankings * sizeof *space->octets);
    space->chick_rank = malloc((rankings - space->unfolded_rankings) * sizeof *space->chick_rank);
    space->chick_state = malloc(rankings * sizeof *space->chick_state);
    space->chick_states = malloc(rankings * sizeof *space->chick_states);
    space->slices = malloc(((size_t)KZ_DOBUTSU_LION_CLASSES * KZ_DOBUTSU_PLAIN_STATES + 1) * sizeof *space->slices);
    slice_size *slice_sizes = calloc(rankings, sizeof *slice_sizes);
    if (space->slices && space->giraffe_offset && space->octets && space->chick_rank && space->chick_state &&
        space->chick_states && slice_sizes) {
        fill_rankings(space, slice_sizes);
        space->run_count = walk_runs(space, slice_sizes, NULL);
        space->runs = malloc(space->run_count * sizeof *space->runs);
        if (space->runs) {
            walk_runs(space, slice_sizes, space->runs);
        }
    }
    free(slice_sizes);
    if (!space->runs) {
        kz_dobutsu_space_free(space);
        return NULL;
    }
    return space;
}

void kz_dobutsu_space_free(kz_dobutsu_space *space) {
    if (space) {
        free(space->giraffe_offset);
        free(space->octets);
        free(space->chick_rank);
        free(space->chick_state);
        free(space->chick_states);
        free(space->slices);
        free(space->runs);
        free(space);
    }
}

/* ---- Rank and unrank -----------------------------------------------------------------------------------------------
 */

unsigned kz_dobutsu_safe_tries(const kz_dobutsu_space *space, const kz_dobutsu_run *run) {
    int enemy_lion = space->enemy_lion[run->lion_class];
    const kz_dobutsu_footprint *e = &space->elephant[run->elephants];
    const kz_dobutsu_footprint *g = &space->giraffe[run->giraffes];
    unsigned barred =
        e->own | g->own | e->enemy_attacks | g->enemy_attacks | kz_dobutsu_steps(KZ_DOBUTSU_LION, enemy_lion);
    /* Taking the lion is no Try. */
    barred |= 1U << enemy_lion;
    return KZ_DOBUTSU_FAR_ROW_SET & kz_dobutsu_steps(KZ_DOBUTSU_LION, space->own_lion[run->lion_class]) & ~barred;
}

const kz_dobutsu_run *kz_dobutsu_run_of(const kz_dobutsu_space *space, uint64_t index) {
    uint32_t low = 0;
    uint32_t high = space->run_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (space->runs[middle].base <= index) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &space->runs[low];
}

void kz_dobutsu_states_of(const kz_dobutsu *position, kz_dobutsu_states *states) {
    kz_dobutsu_arrangement a;
    kz_dobutsu_arrangement_of(position, &a);
    *states = (kz_dobutsu_states){.own_lion = a.own_lion,
                                  .enemy_lion = a.enemy_lion,
                                  .elephants = kz_dobutsu_pair_rank(&a.elephants, KZ_DOBUTSU_PLAIN_BITS, 0),
                                  .giraffes = kz_dobutsu_pair_rank(&a.giraffes, KZ_DOBUTSU_PLAIN_BITS, 0),
                                  .chicks = kz_dobutsu_pair_rank(&a.chicks, KZ_DOBUTSU_CHICK_BITS, 0)};
}

uint64_t kz_dobutsu_space_rank(const kz_dobutsu_space *space, const kz_dobutsu_states *states) {
    kz_dobutsu_run_base target;
    if (!kz_dobutsu_run_base_of(space, states->own_lion, states->enemy_lion, states->elephants, states->giraffes,
                                &target)) {
        return UINT64_MAX;
    }
    unsigned chicks = target.mirrored ? space->chick_mirror[states->chicks] : states->chicks;
    return target.base + kz_dobutsu_chick_rank(&target, chicks);
}

bool kz_dobutsu_space_rank_all(const kz_dobutsu_space *space, const kz_dobutsu *position, uint64_t *index) {
    if (position->hand[0][KZ_DOBUTSU_LION] || position->hand[1][KZ_DOBUTSU_LION]) {
        return false;
    }
    kz_dobutsu_states states;
    kz_dobutsu_states_of(position, &states);
    *index = kz_dobutsu_space_rank(space, &states);
    return true;
}

void kz_dobutsu_space_unrank(const kz_dobutsu_space *space, uint64_t index, kz_dobutsu *position) {
    const kz_dobutsu_run *run = kz_dobutsu_run_of(space, index);
    kz_dobutsu_arrangement a = {.own_lion = space->own_lion[run->lion_class],
                                .enemy_lion = space->enemy_lion[run->lion_class]};
    kz_dobutsu_pair_unrank(run->elephants, KZ_DOBUTSU_PLAIN_BITS, 0, &a.elephants);
    kz_dobutsu_pair_unrank(run->giraffes, KZ_DOBUTSU_PLAIN_BITS, 0, &a.giraffes);
    unsigned chicks = space->chick_state[kz_dobutsu_run_chicks(space, run)][index - run->base];
    kz_dobutsu_pair_unrank(chicks, KZ_DOBUTSU_CHICK_BITS, 0, &a.chicks);
    kz_dobutsu_arrangement_to(&a, position);
}
