/* SPDX-License-Identifier: MIT
 *
 * What most commands begin with: the game, the rules and the table that the user means; and how they show their
 * progress. */
#ifndef CLI_COMMON_H
#define CLI_COMMON_H

#include "base/error.h"
#include "base/list.h"
#include "command.h"
#include "options.h"
#include "report.h"

#include <kanzen/game.h>
#include <kanzen/progress.h>
#include <kanzen/table.h>
#include <limits.h>

enum { MANY_OPERANDS = INT_MAX, MOST_THREADS = 4096 };

/* How a command works that takes long. */
typedef struct cli_work {
    uint64_t threads; /* 0: one for each processor */
    bool quiet;
    bool json;
} cli_work;

/* ---- Progress (progress.c) --------------------------------------------------------------------------------------- */

/* Shows on stderr how far long work is: a bar on a terminal, a line now and then elsewhere. While it is in use,
 * SIGINT and SIGTERM make the work stop in good order; a second one ends the program at once. */

enum { PROGRESS_STAGE_BYTES = 40 };

/* For the call that works long; with `quiet` nothing is shown, but signals still cancel. One at a time. */
const kz_progress *show_progress(bool quiet);
/* Clears the bar, so that something else can be printed while the work goes on. */
void pause_progress(void);
/* Clears the bar. Call it before anything else is printed. */
void end_progress(void);
/* The same; returns the exit code for what the call returned. */
int end_work(const cli_command *command, kz_status status, const kz_error *error);

/* ---- What the user asks for -------------------------------------------------------------------------------------- */

/* What the user asks for: rules (some games call them boards), and where values come from. */
typedef struct cli_asked {
    const char *rules;
    const char *board;
    const char *table; /* NULL: the one that solve has made */
    uint64_t seconds;  /* of a search, where there is no table; 0: the usual ones */
} cli_asked;

/* The names of levels, as completions offer them. */
#define LEVEL_WORDS "beginner easy medium hard expert perfect"

/* Options that many commands have. */
/* clang-format off */
#define OPTION_RULES(asked_)                                                                            \
    OPTION_TEXT("rules", &(asked_)->rules, "RULES",                                                     \
                "the rules to play by (default: those of the table, or the first ones of the game)"),   \
    OPTION_TEXT("board", &(asked_)->board, "BOARD", "the same, for games whose rules are boards", .alias = true)
#define OPTION_TABLE(asked_) \
    OPTION_TEXT("table", &(asked_)->table, "FILE|URL", "the table to use (default: the one that solve has made)")
#define OPTIONS_TABLE(asked_) OPTION_RULES(asked_), OPTION_TABLE(asked_)
#define OPTION_THREADS(target_) \
    OPTION_NUMBER("threads", target_, 1, MOST_THREADS, "use N threads (default: one for each processor)")
#define OPTION_QUIET(target_) OPTION_FLAG("quiet", target_, "don't show the progress")
#define OPTION_JSON(target_) OPTION_FLAG("json", target_, "print JSON")
#define OPTIONS_WORK(work_) \
    OPTION_THREADS(&(work_)->threads), OPTION_QUIET(&(work_)->quiet), OPTION_JSON(&(work_)->json)
/* clang-format on */

/* The names of the game's rules or notations, separated by commas. */
enum { LIST_BYTES = 512 };
typedef const char *name_of_number(const kz_game *game, int number);
const char *list_names(const kz_game *game, name_of_number *name, char list[LIST_BYTES]);

/* The game called `name`: one that comes with Kanzen, as a text, too, a file (./NAME.so, NAME.ini), or one of a folder
 * in KANZEN_GAMES. If there is none, tells the user which there are; the exit code is that for files that can't be read
 * if it is one. */
int choose_game(const cli_command *command, const char *name, const kz_game **game);

/* Has a game closed when the command ends, if it does not come with Kanzen. `name` is what the user calls it, and
 * stays. */
void keep_loaded(const kz_game *game, const char *name);
/* Whether a text that comes with Kanzen has that name. */
bool names_text(const char *name);

/* Whether a text that may be a game or another file is a game. */
bool names_game(const char *text);

/* The number of the rule set that was asked for (by default the first). If there is none, tells the user which there
 * are. */
int choose_rules(const cli_command *command, const kz_game *game, const cli_asked *asked, int *rules);
/* The same for a command that works on one table or index. A game in parts (kz_game_has_parts) has several, so one has
 * to be asked for. */
int choose_one_part(const cli_command *command, const kz_game *game, const cli_asked *asked, int *rules);

/* What a command needs a table for. */
typedef enum cli_use {
    USE_WHOLE,    /* for the table as a whole; of a game in parts one has to be asked for */
    USE_VALUES,   /* for values of positions: of a game in parts, all tables that are found are one */
    USE_IF_THERE, /* the same, but if no table was named and none is found, all is fine and *table is NULL */
} cli_use;
/* The door to a table: the one that is named, or else the one that is found for the rules. If no rules were asked for,
 * a table that was named decides. Returns the exit code; the user has been told if it is not STATUS_FINE, and *table is
 * NULL then. `game` may be NULL if a table is named: the game that it is of. */
int open_table(const cli_command *command, const kz_game *game, const cli_asked *asked, cli_use use, kz_table **table);
/* The same for the game that the first operand names. */
int open_table_of(const cli_arguments *arguments, const cli_asked *asked, cli_use use, kz_table **table);
/* A table by its path, which may be a URL, for a game that may be a loaded one; the file says which of those that come
 * with Kanzen it is. */
kz_status open_path(const char *path, const kz_game *game, kz_table **table, kz_error *error);

/* STATUS_FINE, or STATUS_USAGE after telling the user that `what` can't go to standard output: "-" is no name of a
 * file. `path` may be NULL. */
int refuse_stream(const cli_command *command, const char *option, const char *path, const char *what);
/* Whether a file may be written: STATUS_FINE, or STATUS_IO after telling the user that it exists already and which
 * option replaces it. The library refuses it, too, but does not know the option. */
int check_replacing(const cli_command *command, const char *path, bool force);

/* The rules that a table was made for. */
const char *rules_of(const kz_table *table);

/* Room for the moves of any position of the table, with values; NULL: no memory. Close the list in any case. */
kz_scored_move *open_moves(kz_list *list, const kz_table *table);
static inline kz_status out_of_memory(kz_error *error) { return kz_fail(error, KZ_ERR_MEMORY, "out of memory"); }

#endif
