/* SPDX-License-Identifier: MIT */
#ifndef KZ_DOBUTSU_DRAW_H
#define KZ_DOBUTSU_DRAW_H

#include <kanzen/dobutsu.h>

/* What the calls of kanzen/game.h promise. Sente is at the bottom, whoever moves. */
kz_status kz_dobutsu_draw(const kz_dobutsu *position, char *text, size_t size, kz_error *error);
kz_status kz_dobutsu_draw_svg(const kz_dobutsu *position, char *text, size_t size, kz_error *error);

#endif
