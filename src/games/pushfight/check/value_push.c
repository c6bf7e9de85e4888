/* SPDX-License-Identifier: MIT */
#include "games/pushfight/check/value_push.h"

#include <string.h>

kz_pf_enemy_pieces kz_pf_number_enemies(uint32_t enemy) {
    kz_pf_enemy_pieces enemies = {{0}};
    uint8_t piece = 1;
    for (uint32_t rest = enemy; rest; rest &= rest - 1, piece = (uint8_t)(piece << 1)) {
        enemies.at[kz_lowest_bit32(rest)] = piece;
    }
    return enemies;
}

uint32_t kz_pf_pushed_pattern(uint32_t pattern, uint32_t before, uint32_t line, kz_pf_direction direction) {
    uint32_t squares = kz_pf_unpack(pattern, before);
    uint32_t after = (before & ~line) | kz_pf_step(before & line, direction);
    return kz_pf_pack((squares & ~line) | kz_pf_step(squares & line, direction), after);
}

kz_status kz_pf_meet_successors(const kz_pf_space *space, kz_pf_value_pages *pages, uint32_t enemy,
                                const kz_pf_value_push *p, kz_pf_successor_set *set, kz_error *error) {
    uint32_t squares = space->board->squares;
    uint32_t after = (enemy & ~p->line) | kz_pf_step(enemy & p->line, p->direction);
    uint32_t kept = space->kept[kz_pf_rank(&space->sets, kz_pf_pack(after, squares))];
    set->own_set = kept >> 1;
    set->rotated = kept & 1;
    set->room = squares & ~after;
    kz_status status = kz_pf_value_pages_get(pages, set->own_set, &set->page, error);
    for (int split = 0; status == KZ_OK && split < space->splits; split++) {
        uint32_t pattern = kz_pf_pushed_pattern(space->split_pattern[split], enemy, p->line, p->direction);
        uint8_t rho = space->split_number[pattern];
        set->rho[split] = set->rotated ? space->split_reversed[rho] : rho;
    }
    return status;
}
