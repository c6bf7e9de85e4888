/* SPDX-License-Identifier: MIT
 *
 * Dobutsu Shogi as a definition, and its contexts, one for each rule set; and what it is made of. */
#ifndef KZ_DOBUTSU_DEFINITION_H
#define KZ_DOBUTSU_DEFINITION_H

#include "game/gamedef.h"

#include <kanzen/define.h>
#include <kanzen/dobutsu.h>

extern const kz_definition kz_dobutsu_definition;
extern void *const kz_dobutsu_contexts[];

/* ---- Drawings (draw.c) ------------------------------------------------------------------------------------------- */

/* What the calls of kanzen/game.h promise. Sente is at the bottom, whoever moves. */
kz_status kz_dobutsu_draw(const kz_dobutsu *position, char *text, size_t size, kz_error *error);
kz_status kz_dobutsu_draw_svg(const kz_dobutsu *position, char *text, size_t size, kz_error *error);

/* ---- Moves taken back, one position at a time (predecessors.c); solvers have unmoves.h for whole slices ---------- */

/* As kz_game wants it. Some of them may be positions in which the game was over. */
int kz_dobutsu_predecessors(const kz_position *position, kz_position before[KZ_MAX_PREDECESSORS]);

/* ---- Moves as numbers (numbers.c) --------------------------------------------------------------------------------
 *
 * A position by its index, and the indices that moves lead to and come from, by the tables of space.h, forward.h and
 * unmoves.h. Only the solved zone has an index. */

typedef struct kz_dobutsu_numbers kz_dobutsu_numbers;

/* NULL if there is no memory. */
kz_dobutsu_numbers *kz_dobutsu_numbers_new(int rules);
void kz_dobutsu_numbers_free(kz_dobutsu_numbers *numbers);

/* The tables of the index that it has made. */
const struct kz_dobutsu_space *kz_dobutsu_numbers_space(const kz_dobutsu_numbers *numbers);

/* As `numbers_after` and `numbers_before` promise. */
int kz_dobutsu_numbers_after(const kz_dobutsu_numbers *numbers, uint64_t index, uint64_t *list, kz_sight *sight);
int kz_dobutsu_numbers_before(const kz_dobutsu_numbers *numbers, uint64_t index, uint64_t *list);

#endif
