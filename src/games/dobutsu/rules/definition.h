/* SPDX-License-Identifier: MIT
 *
 * Dobutsu Shogi as a definition, and its contexts, one for each rule set. */
#ifndef KZ_DOBUTSU_DEFINITION_H
#define KZ_DOBUTSU_DEFINITION_H

#include <kanzen/define.h>

extern const kz_definition kz_dobutsu_definition;
extern void *const kz_dobutsu_contexts[];

#endif
