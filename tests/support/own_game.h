/* SPDX-License-Identifier: MIT
 *
 * The example of docs/add-a-game.md, for tests that have names of their own beside its. */
#ifndef TESTS_OWN_GAME_H
#define TESTS_OWN_GAME_H

#include <kanzen/define.h>

const kz_definition *own_game(void);

#endif
