/* SPDX-License-Identifier: MIT
 *
 * Push Fight as a definition, and its contexts, one for each board. */
#ifndef KZ_PUSHFIGHT_DEFINITION_H
#define KZ_PUSHFIGHT_DEFINITION_H

#include <kanzen/define.h>

extern const kz_definition kz_pushfight_definition;
extern void *const kz_pushfight_contexts[];

#endif
