/* SPDX-License-Identifier: MIT */
#include "games/pushfight/rules/successors.h"

/* Visits what up to two moves could have begun with. */
static void each_beginning(const kz_pf_board *board, const kz_pf_sides *moved, uint32_t anchors,
                           kz_pf_visit_before *visit, void *context) {
    uint32_t free = kz_pf_free_squares(board, moved);
    uint32_t own = moved->movers | moved->pushers;
    visit(context, moved, anchors);
    for (uint32_t pieces = own; pieces; pieces &= pieces - 1) {
        kz_pf_steps back = {.from = {pieces & -pieces, 0}, .to = {0, 0}};
        for (uint32_t ends = kz_pf_reach(back.from[0], free); ends; ends &= ends - 1) {
            back.to[0] = ends & -ends;
            kz_pf_sides before = kz_pf_after_moves(moved, &back);
            visit(context, &before, anchors);
        }
    }
    for (uint32_t pieces = own; pieces; pieces &= pieces - 1) {
        for (uint32_t others = pieces & (pieces - 1); others; others &= others - 1) {
            kz_pf_steps back = {.from = {pieces & -pieces, others & -others}, .to = {0, 0}};
            uint32_t pairs[KZ_PF_GRID];
            kz_pf_pairs_of_moves(moved, free, back.from[0], back.from[1], pairs);
            for (uint32_t ends = board->squares; ends; ends &= ends - 1) {
                back.to[0] = ends & -ends;
                for (uint32_t seconds = pairs[kz_lowest_bit32(ends)]; seconds; seconds &= seconds - 1) {
                    back.to[1] = seconds & -seconds;
                    kz_pf_sides before = kz_pf_after_moves(moved, &back);
                    visit(context, &before, anchors);
                }
            }
        }
    }
}

void kz_pf_each_before(const kz_pf_board *board, const kz_pf_sides *sides, kz_pf_visit_before *visit, void *context) {
    uint32_t free = kz_pf_free_squares(board, sides);
    for (kz_pf_direction towards = 0; towards < KZ_PF_DIRECTIONS; towards++) {
        kz_pf_direction back = towards ^ 1;
        uint32_t line = sides->anchor; /* with the piece that pushed */
        uint32_t next = kz_pf_step(sides->anchor, towards);
        if (!(kz_pf_step(sides->anchor, back) & free)) {
            continue; /* it did not come from there */
        }
        for (; next & board->squares & ~free; next = kz_pf_step(next, towards)) {
            line |= next;
            kz_pf_sides moved = {.movers = kz_pf_shifted(board, sides->enemy_movers, line, back),
                                 .pushers = kz_pf_shifted(board, sides->enemy_pushers, line, back),
                                 .enemy_movers = kz_pf_shifted(board, sides->movers, line, back),
                                 .enemy_pushers = kz_pf_shifted(board, sides->pushers, line, back)};
            each_beginning(board, &moved, moved.enemy_pushers & ~kz_pf_step(line, back), visit, context);
        }
    }
}

size_t kz_pf_most_before(const kz_pf_board *board) {
    size_t pieces = (size_t)board->movers + (size_t)board->pushers;
    size_t free = kz_popcount32(board->squares) - 2 * pieces;
    size_t placements = 1 + pieces * free + pieces * (pieces - 1) / 2 * (free + 1) * (free + 1);
    return placements * (2 * pieces - 1) * ((size_t)board->pushers + 1);
}
