/* SPDX-License-Identifier: MIT
 *
 * Where tables are kept when nobody says otherwise: in the folder $KANZEN_TABLES if that is set, else in
 * $XDG_DATA_HOME/kanzen, which is ~/.local/share/kanzen by default. A table is called GAME-RULES.kzt.
 * Also writing a file so that it is never there by halves. */
#ifndef KANZEN_PATHS_H
#define KANZEN_PATHS_H

#include <kanzen/error.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { KZ_PATH_BYTES = 4096 };

/* Where a new table goes. The folder need not exist. */
kz_status kz_table_path(const char *game, const char *rules, char *path, size_t size, kz_error *error);

/* The table that is there: in $KANZEN_TABLES, else in the data folder, else in a folder that all users share: "kanzen"
 * in those of $XDG_DATA_DIRS (/usr/local/share and /usr/share), or below the prefix of the installation. KZ_ERR_IO if
 * there is none; the message says how to make it. */
kz_status kz_table_find(const char *game, const char *rules, char *path, size_t size, kz_error *error);

/* The names of the rule sets for which kz_table_find finds a table of a game, sorted. Returns how many are there; up to
 * `room` of them are written. */
enum { KZ_RULES_NAME_BYTES = 16 };
typedef struct kz_rules_text {
    char text[KZ_RULES_NAME_BYTES];
} kz_rules_text;
size_t kz_table_list(const char *game, kz_rules_text *rules, size_t room);

/* Whether a file can be written at `path`, for long work to ask before it begins: makes the folders above it as far as
 * they are missing and leaves nothing else there. A file that is already there is fine if `replace` is set. */
kz_status kz_prepare_output(const char *path, bool replace, kz_error *error);

/* Writes a whole file: whoever looks at `path` sees what was there before or all of the data. A file that is already
 * there is replaced if `replace` is set, and refused otherwise. */
kz_status kz_write_file(const char *path, const void *data, size_t size, bool replace, kz_error *error);

#ifdef __cplusplus
}
#endif
#endif
