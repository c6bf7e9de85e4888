/* SPDX-License-Identifier: MIT */
#ifndef KZ_PUSHFIGHT_DRAW_H
#define KZ_PUSHFIGHT_DRAW_H

#include "games/pushfight/rules/position.h"

#include <kanzen/error.h>

/* What the calls of kanzen/game.h promise. */
kz_status kz_pf_draw(const kz_pf_position *position, char *text, size_t size, kz_error *error);
kz_status kz_pf_draw_svg(const kz_pf_position *position, char *text, size_t size, kz_error *error);

/* "red" or "blue". */
const char *kz_pf_side_name(int side);

#endif
