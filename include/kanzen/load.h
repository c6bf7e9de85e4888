/* SPDX-License-Identifier: MIT
 *
 * Games that do not come with Kanzen: from a definition (kanzen/define.h) in this program, or from a shared object. */
#ifndef KANZEN_LOAD_H
#define KANZEN_LOAD_H

#include <kanzen/define.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A game from a definition. The definition is checked, and its contexts are opened for every rule set. KZ_ERR_INPUT
 * with a sentence that says what is wrong with it. The definition and all that it points to must stay as they are until
 * the game is closed. */
kz_status kz_game_open(const kz_definition *definition, const kz_game **game, kz_error *error);

/* A game from a shared object that exports kanzen_game(). This runs code of that file. */
kz_status kz_game_load(const char *path, const kz_game **game, kz_error *error);

/* The game that a person means by `name`: a game that comes with Kanzen; a text, "FILE.ini[:NAME][:PART]" or
 * "chess[:PART]" (docs/variants.md); a path of a shared object, which has a '/' in it; or NAME.so in one of the folders
 * in $KANZEN_GAMES, which ':' separates. No other file is looked at. */
kz_status kz_game_named(const char *name, const kz_game **game, kz_error *error);

/* The names of the games whose texts come with Kanzen (docs/variants.md), for kz_game_named; NULL past the last. */
const char *kz_game_text_name(int number);

/* Closes a game that one of these calls opened, when nobody uses it or a table of it any more. A game that comes with
 * Kanzen and NULL are fine, and stay. */
void kz_game_close(const kz_game *game);

/* The definition of a game; NULL if it has none. */
const kz_definition *kz_game_definition(const kz_game *game);
/* What the functions of the definition get as `context` for a rule set. */
const void *kz_game_context(const kz_game *game, int rules);

#ifdef __cplusplus
}
#endif
#endif
