/* SPDX-License-Identifier: MIT
 *
 * Tiers that other tables of a game have already: an ending that was solved by itself is a tier of a larger part. */
#ifndef KZ_SOLVE_ANY_IMPORT_H
#define KZ_SOLVE_ANY_IMPORT_H

#include "game/gamedef.h"
#include "solve/any_files.h"

/* Writes the file of every tier that a table of another part of the game has (game->doors->sibling), unless it is
 * there. */
kz_status kz_any_import(kz_any_files *files, const kz_game *game, kz_error *error);

#endif
