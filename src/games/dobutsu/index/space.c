/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/index/space.h"

#include "base/bits.h"
#include "games/dobutsu/rules/rules.h"

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
        space->chick_own[state] = space->chick[state].own;
        space->chick_own_attacks[state] = space->chick[state].own_attacks;
        space->chick_enemy_attacks[state] = space->chick[state].enemy_attacks;
    }
}

/* ---- Rankings: what fits around a set of taken squares ----------------------------------------------------------- */

/* Taken are the lions and up to four of the elephants and giraffes. */
enum { FEWEST_TAKEN = 2, MOST_TAKEN = 6, MOST_TAKEN_BEFORE_GIRAFFES = 4 };

static void number_rankings(kz_dobutsu_space *space) {
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
    space->rankings = rankings;
}

/* The squares that a pair takes. */
static unsigned plain_mask(const kz_dobutsu_footprint *print) { return (unsigned)print->own | print->enemy; }

/* Ranks grow with states, so the states that fit, in order, have the ranks 0, 1, ... */
static void fill_octets(kz_dobutsu_space *space, unsigned ranking, unsigned mask) {
    unsigned count = 0;
    for (unsigned octet = 0; octet < KZ_DOBUTSU_OCTETS; octet++) {
        bool fits = !(mask & plain_mask(&space->chick[8 * octet]));
        unsigned states = octet + 1 < KZ_DOBUTSU_OCTETS ? 8 : KZ_DOBUTSU_CHICK_STATES - 8 * (KZ_DOBUTSU_OCTETS - 1);
        space->octets[ranking][octet] = fits ? (uint16_t)count : (uint16_t)KZ_DOBUTSU_NO_STATE;
        count += fits ? states : 0;
    }
    space->chick_states[ranking] = (uint16_t)count;
}

/* Of two mirror images the smaller one is counted. */
static void fill_folded_ranks(kz_dobutsu_space *space, unsigned ranking, unsigned mask) {
    unsigned count = 0;
    uint16_t *ranks = space->chick_rank[ranking - space->unfolded_rankings];
    for (unsigned state = 0; state < KZ_DOBUTSU_CHICK_STATES; state++) {
        unsigned image = space->chick_mirror[state];
        if (mask & plain_mask(&space->chick[state])) {
            ranks[state] = KZ_DOBUTSU_NO_STATE;
        } else {
            ranks[state] = image < state ? ranks[image] : (uint16_t)count++;
        }
    }
    space->chick_states[ranking] = (uint16_t)count;
}

static void fill_chick_states(kz_dobutsu_space *space, unsigned ranking, unsigned mask, bool folded) {
    unsigned count = 0;
    for (unsigned state = 0; state < KZ_DOBUTSU_CHICK_STATES; state++) {
        if (!(mask & plain_mask(&space->chick[state])) && !(folded && space->chick_mirror[state] < state)) {
            space->chick_state[ranking][count++] = (uint16_t)state;
        }
    }
}

/* The ranking of the chicks for a state of the giraffes. Mirror images stay folded only while everything is symmetric.
 */
static unsigned chick_ranking(const kz_dobutsu_space *space, unsigned taken, unsigned giraffes, bool folded) {
    bool still_folded = folded && space->plain_mirror[giraffes] == giraffes;
    return space->ranking_of[still_folded][taken | plain_mask(&space->giraffe[giraffes])];
}

/* Whether the giraffes have a run in a slice: they fit, and of two mirror images the smaller one is kept. */
static bool has_run(const kz_dobutsu_space *space, unsigned taken, bool folded, unsigned giraffes) {
    return !(taken & plain_mask(&space->giraffe[giraffes])) && !(folded && space->plain_mirror[giraffes] < giraffes);
}

/* Fills in where each state of the giraffes begins in a folded slice. */
static void fill_giraffe_offsets(kz_dobutsu_space *space, unsigned mask) {
    uint32_t *offsets = space->giraffe_offset[space->ranking_of[1][mask] - space->unfolded_rankings];
    uint32_t positions = 0;
    for (unsigned state = 0; state < KZ_DOBUTSU_PLAIN_STATES; state++) {
        bool kept = has_run(space, mask, true, state);
        offsets[state] = kept ? positions : KZ_DOBUTSU_NO_BASE;
        positions += kept ? space->chick_states[chick_ranking(space, mask, state, true)] : 0;
    }
}

static void fill_rankings(kz_dobutsu_space *space) {
    for (unsigned mask = 0; mask <= KZ_DOBUTSU_ALL_SQUARES; mask++) {
        if (space->ranking_of[0][mask] != KZ_DOBUTSU_NO_STATE) {
            fill_octets(space, space->ranking_of[0][mask], mask);
        }
        if (space->ranking_of[1][mask] != KZ_DOBUTSU_NO_STATE) {
            fill_folded_ranks(space, space->ranking_of[1][mask], mask);
        }
    }
    for (unsigned mask = 0; mask <= KZ_DOBUTSU_ALL_SQUARES; mask++) {
        if (space->ranking_of[1][mask] != KZ_DOBUTSU_NO_STATE && kz_popcount32(mask) <= MOST_TAKEN_BEFORE_GIRAFFES) {
            fill_giraffe_offsets(space, mask);
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

/* The squares that the lions and elephants of a slice take, and whether its mirror images are folded. */
static void enter_slice(const kz_dobutsu_space *space, kz_dobutsu_run_walk *walk) {
    const kz_dobutsu_run *run = &walk->run;
    walk->taken = space->lions[run->lion_class] | plain_mask(&space->elephant[run->elephants]);
    walk->folded = kz_dobutsu_lions_central(space->own_lion[run->lion_class], space->enemy_lion[run->lion_class]) &&
                   space->plain_mirror[run->elephants] == run->elephants;
}

static void enter_run(const kz_dobutsu_space *space, kz_dobutsu_run_walk *walk) {
    kz_dobutsu_run *run = &walk->run;
    run->folded = walk->folded && space->plain_mirror[run->giraffes] == run->giraffes;
    run->size = space->chick_states[chick_ranking(space, walk->taken, run->giraffes, walk->folded)];
}

/* Finds out where each slice begins. */
static void fill_slices(kz_dobutsu_space *space) {
    uint32_t base = 0;
    for (unsigned lion_class = 0; lion_class < KZ_DOBUTSU_LION_CLASSES; lion_class++) {
        bool central = kz_dobutsu_lions_central(space->own_lion[lion_class], space->enemy_lion[lion_class]);
        space->lion_base[lion_class] = base;
        for (unsigned elephants = 0; elephants < KZ_DOBUTSU_PLAIN_STATES; elephants++) {
            unsigned mask = plain_mask(&space->elephant[elephants]);
            unsigned taken = space->lions[lion_class] | mask;
            unsigned image = space->plain_mirror[elephants];
            bool kept = !(mask & space->lions[lion_class]) && !(central && image < elephants);
            space->elephant_base[lion_class][elephants] = kept ? base : KZ_DOBUTSU_NO_BASE;
            if (!kept) {
                continue;
            }
            if (central && image == elephants) {
                /* The state with all giraffes in the enemy's hand, which is symmetric, is the last one. */
                const unsigned last = KZ_DOBUTSU_PLAIN_STATES - 1U;
                unsigned folded = space->ranking_of[1][taken];
                base += space->giraffe_offset[folded - space->unfolded_rankings][last] + space->chick_states[folded];
            } else {
                const kz_dobutsu_giraffe_layout *layout = &space->layout[KZ_DOBUTSU_SQUARES - kz_popcount32(taken)];
                base += layout->begin[2] + 3 * layout->weight[2];
            }
        }
    }
    space->lion_base[KZ_DOBUTSU_LION_CLASSES] = base;
}

static bool next_in_slice(const kz_dobutsu_space *space, kz_dobutsu_run_walk *walk) {
    unsigned giraffes = walk->run.giraffes + 1U;
    while (giraffes < KZ_DOBUTSU_PLAIN_STATES && !has_run(space, walk->taken, walk->folded, giraffes)) {
        giraffes++;
    }
    walk->run.giraffes = (uint16_t)giraffes;
    return giraffes < KZ_DOBUTSU_PLAIN_STATES;
}

void kz_dobutsu_run_walk_next(const kz_dobutsu_space *space, kz_dobutsu_run_walk *walk) {
    kz_dobutsu_run *run = &walk->run;
    run->base += run->size;
    if (!next_in_slice(space, walk)) {
        unsigned elephants = run->elephants;
        unsigned lion_class = run->lion_class;
        do {
            elephants = (elephants + 1) % KZ_DOBUTSU_PLAIN_STATES;
            lion_class += elephants == 0;
        } while (space->elephant_base[lion_class][elephants] == KZ_DOBUTSU_NO_BASE);
        run->elephants = (uint16_t)elephants;
        run->lion_class = (uint8_t)lion_class;
        enter_slice(space, walk);
        run->giraffes = 0;
        if (!has_run(space, walk->taken, walk->folded, 0)) {
            next_in_slice(space, walk);
        }
    }
    enter_run(space, walk);
}

/* The giraffes of the run that holds an offset of a slice, and where that run begins in it. */
static unsigned giraffes_at(const kz_dobutsu_space *space, const kz_dobutsu_run_walk *walk, uint32_t offset,
                            uint32_t *begin) {
    unsigned found = 0;
    if (walk->folded) {
        const uint32_t *offsets = space->giraffe_offset[space->ranking_of[1][walk->taken] - space->unfolded_rankings];
        for (unsigned state = 0; state < KZ_DOBUTSU_PLAIN_STATES; state++) {
            found = offsets[state] != KZ_DOBUTSU_NO_BASE && offsets[state] <= offset ? state : found;
        }
        *begin = offsets[found];
        return found;
    }
    unsigned free = KZ_DOBUTSU_SQUARES - kz_popcount32(walk->taken);
    const kz_dobutsu_giraffe_layout *layout = &space->layout[free];
    unsigned off_board = (unsigned)(offset >= layout->begin[1]) + (offset >= layout->begin[2]);
    uint32_t number = (offset - layout->begin[off_board]) / layout->weight[off_board];
    *begin = layout->begin[off_board] + number * layout->weight[off_board];
    /* The ranks of giraffes with both on the board come first, then those with one. */
    number += off_board > 0 ? (free * (free - 1) / 2) << (2 * KZ_DOBUTSU_PLAIN_BITS) : 0;
    number += off_board > 1 ? free << (KZ_DOBUTSU_PLAIN_BITS + 1) : 0;
    kz_dobutsu_pair giraffes;
    kz_dobutsu_pair_unrank(number, KZ_DOBUTSU_PLAIN_BITS, walk->taken, &giraffes);
    return kz_dobutsu_pair_rank(&giraffes, KZ_DOBUTSU_PLAIN_BITS, 0);
}

void kz_dobutsu_run_walk_begin(const kz_dobutsu_space *space, uint64_t index, kz_dobutsu_run_walk *walk) {
    unsigned lion_class = 0;
    unsigned elephants = 0;
    while (lion_class + 1 < KZ_DOBUTSU_LION_CLASSES && space->lion_base[lion_class + 1] <= index) {
        lion_class++;
    }
    const uint32_t *bases = space->elephant_base[lion_class];
    for (unsigned state = 0; state < KZ_DOBUTSU_PLAIN_STATES; state++) {
        elephants = bases[state] != KZ_DOBUTSU_NO_BASE && bases[state] <= index ? state : elephants;
    }
    *walk = (kz_dobutsu_run_walk){.run = {.lion_class = (uint8_t)lion_class, .elephants = (uint16_t)elephants}};
    enter_slice(space, walk);
    uint32_t begin;
    walk->run.giraffes = (uint16_t)giraffes_at(space, walk, (uint32_t)(index - bases[elephants]), &begin);
    walk->run.base = bases[elephants] + begin;
    enter_run(space, walk);
}

unsigned kz_dobutsu_giraffe_back(const kz_dobutsu_space *space, const kz_dobutsu_run_walk *walk) {
    enum { OWNER_COMBINATIONS = 4 };
    const kz_dobutsu_run *run = &walk->run;
    uint32_t back = OWNER_COMBINATIONS * (uint32_t)run->size;
    uint32_t offset = run->base - space->elephant_base[run->lion_class][run->elephants];
    if (!walk->folded) {
        /* Runs with as many giraffes on the board are of one size and follow each other. */
        const kz_dobutsu_placement *placement = &space->plain_placement[run->giraffes];
        const kz_dobutsu_giraffe_layout *layout = &space->layout[KZ_DOBUTSU_SQUARES - kz_popcount32(walk->taken)];
        return offset - layout->begin[placement->off_board] >= back ? back : 0;
    }
    const uint32_t *offsets = space->giraffe_offset[space->ranking_of[1][walk->taken] - space->unfolded_rankings];
    unsigned giraffes = run->giraffes;
    unsigned found = 0;
    while (found < OWNER_COMBINATIONS && giraffes > 0) {
        giraffes--;
        found += offsets[giraffes] != KZ_DOBUTSU_NO_BASE;
    }
    if (found < OWNER_COMBINATIONS) {
        return 0;
    }
    kz_dobutsu_run_walk before = *walk;
    before.run.giraffes = (uint16_t)giraffes;
    enter_run(space, &before);
    bool alike =
        before.run.size == run->size && offsets[giraffes] + back == offset && !run->folded && !before.run.folded;
    return alike ? back : 0;
}

/* ---- The lists of a whole space ---------------------------------------------------------------------------------- */

/* Walks all runs in index order; counts them, or writes them down where there is room. */
static uint32_t list_runs(kz_dobutsu_space *space, kz_dobutsu_run *runs) {
    uint32_t count = 0;
    uint32_t slices = 0;
    kz_dobutsu_run_walk walk;
    for (unsigned lion_class = 0; lion_class < KZ_DOBUTSU_LION_CLASSES; lion_class++) {
        uint32_t end = space->lion_base[lion_class + 1];
        unsigned elephants = KZ_DOBUTSU_PLAIN_STATES;
        kz_dobutsu_run_walk_begin(space, space->lion_base[lion_class], &walk);
        for (;;) {
            if (walk.run.elephants != elephants) {
                elephants = walk.run.elephants;
                space->slices[slices++] = count;
            }
            if (runs) {
                runs[count] = walk.run;
            }
            count++;
            if (walk.run.base + walk.run.size == end) {
                break;
            }
            kz_dobutsu_run_walk_next(space, &walk);
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

static bool add_lists(kz_dobutsu_space *space) {
    space->chick_state = malloc(space->rankings * sizeof *space->chick_state);
    space->slices = malloc(((size_t)KZ_DOBUTSU_LION_CLASSES * KZ_DOBUTSU_PLAIN_STATES + 1) * sizeof *space->slices);
    if (!space->chick_state || !space->slices) {
        return false;
    }
    for (unsigned folded = 0; folded < 2; folded++) {
        for (unsigned mask = 0; mask <= KZ_DOBUTSU_ALL_SQUARES; mask++) {
            if (space->ranking_of[folded][mask] != KZ_DOBUTSU_NO_STATE) {
                fill_chick_states(space, space->ranking_of[folded][mask], mask, folded);
            }
        }
    }
    space->run_count = list_runs(space, NULL);
    space->runs = malloc(space->run_count * sizeof *space->runs);
    size_t stretches = (space->lion_base[KZ_DOBUTSU_LION_CLASSES] - 1) / KZ_DOBUTSU_STRETCH + 1;
    space->first_run = malloc(stretches * sizeof *space->first_run);
    if (!space->runs || !space->first_run) {
        return false;
    }
    list_runs(space, space->runs);
    uint32_t run = 0;
    for (size_t stretch = 0; stretch < stretches; stretch++) {
        while (run + 1 < space->run_count && space->runs[run + 1].base <= stretch * KZ_DOBUTSU_STRETCH) {
            run++;
        }
        space->first_run[stretch] = run;
    }
    return true;
}

static kz_dobutsu_space *new_space(bool whole) {
    kz_dobutsu_space *space = calloc(1, sizeof *space);
    if (!space) {
        return NULL;
    }
    fill_ranks(space);
    fill_states(space);
    fill_lions(space);
    number_rankings(space);
    size_t folded = space->rankings - space->unfolded_rankings;
    space->giraffe_offset = malloc(folded * sizeof *space->giraffe_offset);
    space->octets = malloc(space->unfolded_rankings * sizeof *space->octets);
    space->chick_rank = malloc(folded * sizeof *space->chick_rank);
    space->chick_states = malloc(space->rankings * sizeof *space->chick_states);
    bool complete = space->giraffe_offset && space->octets && space->chick_rank && space->chick_states;
    if (complete) {
        fill_rankings(space);
        fill_slices(space);
        complete = !whole || add_lists(space);
    }
    if (!complete) {
        kz_dobutsu_space_free(space);
        return NULL;
    }
    return space;
}

kz_dobutsu_space *kz_dobutsu_space_new(void) { return new_space(true); }

kz_dobutsu_space *kz_dobutsu_space_new_small(void) { return new_space(false); }

void kz_dobutsu_space_free(kz_dobutsu_space *space) {
    if (space) {
        free(space->giraffe_offset);
        free(space->octets);
        free(space->chick_rank);
        free(space->chick_state);
        free(space->chick_states);
        free(space->slices);
        free(space->runs);
        free(space->first_run);
        free(space);
    }
}

/* ---- Rank and unrank --------------------------------------------------------------------------------------------- */

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
    uint32_t run = space->first_run[index / KZ_DOBUTSU_STRETCH];
    while (run + 1 < space->run_count && space->runs[run + 1].base <= index) {
        run++;
    }
    return &space->runs[run];
}

void kz_dobutsu_states_of(const kz_dobutsu *position, kz_dobutsu_states *states) {
    kz_dobutsu_arrangement a;
    kz_dobutsu_arrangement_of(position, &a);
    *states = (kz_dobutsu_states){.own_lion = a.own_lion,
                                  .enemy_lion = a.enemy_lion,
                                  .elephants = kz_dobutsu_pair_state(&a.elephants, KZ_DOBUTSU_PLAIN_BITS),
                                  .giraffes = kz_dobutsu_pair_state(&a.giraffes, KZ_DOBUTSU_PLAIN_BITS),
                                  .chicks = kz_dobutsu_pair_state(&a.chicks, KZ_DOBUTSU_CHICK_BITS)};
}

void kz_dobutsu_states_to(const kz_dobutsu_states *states, kz_dobutsu *position) {
    kz_dobutsu_arrangement a = {.own_lion = states->own_lion, .enemy_lion = states->enemy_lion};
    kz_dobutsu_pair_unrank(states->elephants, KZ_DOBUTSU_PLAIN_BITS, 0, &a.elephants);
    kz_dobutsu_pair_unrank(states->giraffes, KZ_DOBUTSU_PLAIN_BITS, 0, &a.giraffes);
    kz_dobutsu_pair_unrank(states->chicks, KZ_DOBUTSU_CHICK_BITS, 0, &a.chicks);
    kz_dobutsu_arrangement_to(&a, position);
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
    const kz_dobutsu_states states = {.own_lion = space->own_lion[run->lion_class],
                                      .enemy_lion = space->enemy_lion[run->lion_class],
                                      .elephants = run->elephants,
                                      .giraffes = run->giraffes,
                                      .chicks =
                                          space->chick_state[kz_dobutsu_run_chicks(space, run)][index - run->base]};
    kz_dobutsu_states_to(&states, position);
}
