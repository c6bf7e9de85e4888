/* SPDX-License-Identifier: MIT
 *
 * Where the retrograde analysis begins: what the rules alone tell about every position. */
#include "base/bits.h"
#include "games/dobutsu/rules/rules.h"
#include "games/dobutsu/solve/cells.h"

#include <string.h>

/* Whether some safe Try leaves the opponent without a single move: by the simplified rules that wins a ply earlier than
 * other Tries. Hardly any position has an opponent with all his pieces on the board and his lion shut in by them. */
static bool try_stalemates(const kz_dobutsu_space *space, const kz_dobutsu_run *run, unsigned chicks, uint32_t offset,
                           unsigned tries) {
    int enemy_lion = space->enemy_lion[run->lion_class];
    unsigned enemy =
        space->elephant[run->elephants].enemy | space->giraffe[run->giraffes].enemy | space->chick[chicks].enemy;
    if (kz_dobutsu_steps(KZ_DOBUTSU_LION, enemy_lion) & ~enemy & ~tries) {
        return false;
    }
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    for (; tries; tries &= tries - 1) {
        kz_dobutsu position;
        kz_dobutsu_space_unrank(space, run->base + offset, &position);
        int own_lion = space->own_lion[run->lion_class];
        kz_dobutsu_play(&position, kz_dobutsu_move(own_lion, (int)kz_lowest_bit32(tries)));
        if (kz_dobutsu_moves(KZ_DOBUTSU_SIMPLIFIED, &position, moves) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether the mover has no move. Asked only if the lion is shut in by its own pieces, which is rare. */
static bool is_blocked(const kz_dobutsu_space *space, uint32_t index) {
    kz_dobutsu position;
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    kz_dobutsu_space_unrank(space, index, &position);
    return kz_dobutsu_moves(KZ_DOBUTSU_SIMPLIFIED, &position, moves) == 0;
}

/* What the positions of a run have in common. */
typedef struct start_run {
    uint16_t prey;  /* the enemy lion's square */
    uint16_t tries; /* where the own lion's Try is safe, as far as all but the chicks are concerned */
    uint16_t steps; /* of the own lion, but for those onto own elephants and giraffes */
} start_run;

/* Eight states from `state` on by the official rules. Where the mover may have no move, `stuck` gets bits. */
static inline void start_octet(const kz_dobutsu_space *space, const start_run *r, unsigned state, uint8_t cells[8],
                               kz_dobutsu_words *stuck) {
    kz_dobutsu_words own = kz_dobutsu_load_words(space->chick_own + state);
    kz_dobutsu_words own_attacks = kz_dobutsu_load_words(space->chick_own_attacks + state);
    kz_dobutsu_words enemy_attacks = kz_dobutsu_load_words(space->chick_enemy_attacks + state);
    kz_dobutsu_words wins = (own_attacks & r->prey) | (~(own | enemy_attacks) & r->tries);
    *stuck |= (kz_dobutsu_words)((wins | (~own & r->steps)) == 0);
    kz_dobutsu_words open = (kz_dobutsu_words)(wins == 0);
    kz_dobutsu_words found = (open & KZ_DOBUTSU_CELL_OPEN) | (~open & 1);
    kz_dobutsu_bytes bytes = __builtin_convertvector(found, kz_dobutsu_bytes);
    memcpy(cells, &bytes, sizeof bytes);
}

/* A whole run by the official rules whose mirror images are not folded. False: some position has to be asked for its
 * moves, so this did not do all. */
static bool start_whole_run(kz_dobutsu_retro *retro, const kz_dobutsu_run *run, const start_run *r) {
    const kz_dobutsu_space *space = retro->space;
    const uint16_t *octets = space->octets[kz_dobutsu_run_chicks(space, run)];
    /* No other thread uses the cells of this run. */
    uint8_t *cells = (uint8_t *)(void *)(uintptr_t)&retro->cells[run->base];
    kz_dobutsu_words stuck = {0};
    for (unsigned octet = 0; octet < KZ_DOBUTSU_OCTETS; octet++) {
        unsigned rank = octets[octet];
        if (rank == KZ_DOBUTSU_NO_STATE) {
            continue;
        }
        if (rank + 8 <= run->size) {
            start_octet(space, r, 8 * octet, cells + rank, &stuck);
        } else {
            uint8_t some[8];
            start_octet(space, r, 8 * octet, some, &stuck);
            memcpy(cells + rank, some, run->size - rank);
        }
    }
    uint64_t any[2];
    memcpy(any, &stuck, sizeof any);
    return (any[0] | any[1]) == 0;
}

void kz_dobutsu_retro_start(kz_dobutsu_retro *retro, uint64_t begin, uint64_t end) {
    const kz_dobutsu_space *space = retro->space;
    bool official = retro->rules == KZ_DOBUTSU_OFFICIAL;
    for (uint32_t b = space->slices[begin]; b < space->slices[end]; b++) {
        const kz_dobutsu_run *run = &space->runs[b];
        unsigned prey = 1U << space->enemy_lion[run->lion_class];
        const uint16_t *states = space->chick_state[kz_dobutsu_run_chicks(space, run)];
        unsigned tries = kz_dobutsu_safe_tries(space, run);
        unsigned steps = kz_dobutsu_steps(KZ_DOBUTSU_LION, space->own_lion[run->lion_class]);
        unsigned own = space->elephant[run->elephants].own | space->giraffe[run->giraffes].own;
        /* Of the slices at the ends of the own shard some runs belong to others. */
        uint32_t first = run->base > retro->shard_begin ? run->base : retro->shard_begin;
        uint32_t last = run->base + run->size < retro->shard_end ? run->base + run->size : retro->shard_end;
        if (first >= last) {
            continue;
        }
        if ((space->elephant[run->elephants].own_attacks | space->giraffe[run->giraffes].own_attacks) & prey) {
            memset((void *)&retro->cells[first], 1, last - first);
            continue;
        }
        const start_run common = {(uint16_t)prey, (uint16_t)tries, (uint16_t)(steps & ~own)};
        if (official && !run->folded && last - first == run->size && start_whole_run(retro, run, &common)) {
            continue;
        }
        for (unsigned i = first - run->base; i < last - run->base; i++) {
            const kz_dobutsu_footprint *chicks = &space->chick[states[i]];
            unsigned safe = tries & ~(unsigned)(chicks->own | chicks->enemy_attacks);
            bool captures = chicks->own_attacks & prey;
            if (captures || (official && safe)) {
                kz_dobutsu_cell_store(retro, run->base + i, 1);
            } else if (!(steps & ~(own | chicks->own)) && is_blocked(space, run->base + i)) {
                kz_dobutsu_decide(retro, run->base + i, false, 0);
            } else if (safe) {
                kz_dobutsu_decide(retro, run->base + i, true, try_stalemates(space, run, states[i], i, safe) ? 1 : 2);
            } else {
                kz_dobutsu_cell_store(retro, run->base + i, KZ_DOBUTSU_CELL_OPEN);
            }
        }
    }
}
