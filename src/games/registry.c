/* SPDX-License-Identifier: MIT
 *
 * The list of games. Each is one folder beside this file, and one line here. */
#include "game/gamedef.h"

extern const kz_game kz_dobutsu_game;
extern const kz_game kz_pushfight_game;

const kz_game *const kz_games[] = {
    &kz_dobutsu_game,
    &kz_pushfight_game,
    NULL,
};
