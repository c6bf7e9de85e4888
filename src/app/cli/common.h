/* SPDX-License-Identifier: MIT
 *
 * What most commands begin with: the game, the rules and the table that the user means; and how values and numbers
 * are written. */
#ifndef CLI_COMMON_H
#define CLI_COMMON_H

#include "base/error.h"
#include "base/list.h"
#include "command.h"
#include "json.h"
#include "options.h"

#include <kanzen/game.h>
#include <kanzen/table.h>
#include <limits.h>

enum { MANY_OPERANDS = INT_MAX, MOST_THREADS = 4096 };

/* The options of commands that work long and have no others: --threads, --quiet, --json. `operands`: how many there
 * have to be. False after telling the user what is wrong. */
typedef struct work_options {
    uint64_t threads;
    bool quiet;
    bool json;
} cli_work;
bool parse_work_options(cli_arguments *arguments, int operands, cli_work *work);

/* The rules that the user asks for: some games call them boards. */
typedef struct rules_option {
    const char *rules;
    const char *board;
} cli_rules;
/* clang-format off */
#define OPTION_RULES(target_)                                                                            \
    OPTION_TEXT("rules", &(target_)->rules, "RULES",                                                     \
                "the rules to play by (default: those of the table, or the first ones of the game)"),   \
    OPTION_TEXT("board", &(target_)->board, "BOARD", "the same, for games whose rules are boards", .alias = true)

/* The names of levels, as completions offer them. */
#define LEVEL_WORDS "beginner easy medium hard expert perfect"

/* Options that many commands have. */
#define OPTION_TABLE(target_) \
    OPTION_TEXT("table", target_, "FILE|URL", "the table to use (default: the one that solve has made)")
#define OPTION_THREADS(target_) \
    OPTION_NUMBER("threads", target_, 1, MOST_THREADS, "use N threads (default: one for each processor)")
#define OPTION_QUIET(target_) OPTION_FLAG("quiet", target_, "don't show the progress")
#define OPTION_JSON(target_) OPTION_FLAG("json", target_, "print JSON")
/* clang-format on */

/* The names of the game's rules or notations, separated by commas. */
enum { LIST_BYTES = 512 };
typedef const char *name_of_number(const kz_game *game, int number);
const char *list_names(const kz_game *game, name_of_number *name, char list[LIST_BYTES]);

/* The game called `name`: one that comes with Kanzen, as a text, too, a file (./NAME.so, NAME.ini), or one of a folder
 * in KANZEN_GAMES. If there is none, tells the user which there are and returns NULL; `failure` gets the exit code,
 * that for files that can't be read if it is one. */
const kz_game *choose_game(const cli_command *command, const char *name, int *failure);

/* Has a game closed when the command ends, if it does not come with Kanzen. `name` is what the user calls it, and
 * stays. */
void keep_loaded(const kz_game *game, const char *name);
/* Whether a text that comes with Kanzen has that name. */
bool names_text(const char *name);

/* Whether a text that may be a game or another file is a game. */
bool names_game(const char *text);
/* Opens a table, a file or a URL, as kz_table_open_as does. */
kz_status open_table_as(const char *path, const kz_game *game, kz_table **table, kz_error *error);
/* The same for a game that may be a loaded one; the file says which of those that come with Kanzen it is. */
kz_status open_table_of(const char *path, const kz_game *game, kz_table **table, kz_error *error);

/* The number of the rule set that was asked for (by default the first), or -1 after telling the user which there are.
 */
int choose_rules(const cli_command *command, const kz_game *game, const cli_rules *asked);
/* The same for a command that works on one table or index. A game in parts (kz_game_has_parts) has several, so one has
 * to be asked for. */
int choose_one_part(const cli_command *command, const kz_game *game, const cli_rules *asked);

/* Opens the table at `path`, or, if that is NULL, the one that is found for the rules. If no rules were asked for, a
 * table that was named decides. Returns the exit code; the user has been told if it is not STATUS_FINE. */
int choose_table(const cli_command *command, const kz_game *game, const cli_rules *asked, const char *path,
                 kz_table **table);
/* The same for values of positions: of a game in parts, all tables that are found as one. */
int choose_tables(const cli_command *command, const kz_game *game, const cli_rules *asked, const char *path,
                  kz_table **table);
/* The same, but if no table was named and none is found, all is fine and *table is NULL. `rules` gets the number of the
 * rules, those of the table if there is one. */
int choose_table_if_any(const cli_command *command, const kz_game *game, const cli_rules *asked, const char *path,
                        kz_table **table, int *rules);
/* Sees to it that an open table is for the rules that were asked for. If it is not, tells the user and closes it. */
int check_rules(const cli_command *command, const cli_rules *asked, const char *path, kz_table **table);
/* STATUS_FINE, or STATUS_USAGE after telling the user that `what` can't go to standard output: "-" is no name of a
 * file. `path` may be NULL. */
int refuse_stream(const cli_command *command, const char *option, const char *path, const char *what);
/* Whether a file may be written: STATUS_FINE, or STATUS_IO after telling the user that it exists already and which
 * option replaces it. The library refuses it, too, but does not know the option. */
int check_replacing(const cli_command *command, const char *path, bool force);

/* The rules that a table was made for. */
const char *rules_of(const kz_table *table);

/* "win 173", "loss 78", "draw", "unknown"; the distance as people count it in that game. */
enum { VALUE_BYTES = 32 };
const char *format_value(const kz_game *game, kz_value value, char text[VALUE_BYTES]);
/* The members "value" and "distance" (null for a draw or an unknown value) of the object that is open. */
void json_value(cli_json *json, const kz_game *game, kz_value value);

/* 246803167 as "246,803,167". */
enum { THOUSANDS_BYTES = 32 };
/* A time as a number of seconds, minutes, hours or days, whichever is easy to read: "45 s", "12 min", "3.5 h". */
double time_in_units(double seconds, const char **unit);
const char *format_thousands(uint64_t number, char text[THOUSANDS_BYTES]);

/* Room for the moves of any position of the table, with values; NULL: no memory. Close the list in any case. */
kz_scored_move *open_moves(kz_list *list, const kz_table *table);
static inline kz_status out_of_memory(kz_error *error) { return kz_fail(error, KZ_ERR_MEMORY, "out of memory"); }

#endif
