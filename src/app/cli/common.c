/* SPDX-License-Identifier: MIT */
#include "common.h"

#include "base/error.h"
#include "base/http.h"
#include "base/text.h"
#include "game_commands.h"

#include <inttypes.h>
#include <kanzen/estimate.h>
#include <kanzen/load.h>
#include <kanzen/paths.h>
#include <kanzen/remote.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void add_name(char list[LIST_BYTES], const char *name) {
    size_t length = strlen(list);
    snprintf(list + length, LIST_BYTES - length, "%s%s", length > 0 ? ", " : "", name);
}

const char *list_names(const kz_game *game, name_of_number *name, char list[LIST_BYTES]) {
    list[0] = '\0';
    for (int number = 0; name(game, number); number++) {
        add_name(list, name(game, number));
    }
    return list;
}

/* Games that were loaded stay until the command ends. */
enum { MOST_LOADED = 64 };
static const kz_game *loaded[MOST_LOADED];
static const char *loaded_name[MOST_LOADED]; /* what the user calls it */
static int loaded_count;

static void close_loaded(void) {
    while (loaded_count > 0) {
        kz_game_close(loaded[--loaded_count]);
    }
}

void keep_loaded(const kz_game *game, const char *name) {
    if (kz_game_find(kz_game_name(game)) == game) {
        return; /* it comes with Kanzen */
    }
    if (loaded_count == 0) {
        (void)atexit(close_loaded);
    }
    if (loaded_count < MOST_LOADED) {
        loaded_name[loaded_count] = name;
        loaded[loaded_count++] = game;
    }
}

/* What the user calls a game that was loaded; NULL: it comes with Kanzen. */
static const char *name_of_loaded(const kz_game *game) {
    for (int i = 0; i < loaded_count; i++) {
        if (loaded[i] == game) {
            return loaded_name[i];
        }
    }
    return NULL;
}

bool names_text(const char *name) {
    int number = 0;
    while (kz_game_text_name(number) && strcmp(kz_game_text_name(number), name) != 0) {
        number++;
    }
    return kz_game_text_name(number);
}

/* The names of all games that can be asked for by a name alone. */
static void list_games(char list[LIST_BYTES]) {
    list[0] = '\0';
    for (size_t number = 0; kz_game_at(number); number++) {
        add_name(list, kz_game_name(kz_game_at(number)));
    }
    for (int number = 0; kz_game_text_name(number); number++) {
        if (!kz_game_find(kz_game_text_name(number))) {
            add_name(list, kz_game_text_name(number));
        }
    }
}

int choose_game(const cli_command *command, const char *name, const kz_game **game) {
    kz_error error;
    if (kz_game_named(name, game, &error) == KZ_OK) {
        keep_loaded(*game, name);
        return STATUS_FINE;
    }
    if (strchr(name, '/') || strchr(name, ':') || strstr(name, ".ini") || names_text(name) ||
        error.status != KZ_ERR_INPUT || getenv("KANZEN_GAMES")) {
        bool usage = error.status == KZ_ERR_INPUT || error.status == KZ_ERR_UNSUPPORTED;
        return usage ? report_usage(command, "%s", error.message) : report_error(command, &error);
    }
    char list[LIST_BYTES];
    list_games(list);
    char words[LIST_BYTES];
    snprintf(words, sizeof words, "%s %s", name, command->name);
    bool exists = false;
    for (int i = 0; command_at(i); i++) {
        exists = exists || strcmp(command_at(i)->name, words) == 0;
    }
    size_t length = strlen(name);
    bool file = length > 3 && strcmp(name + length - 3, ".so") == 0;
    return report_usage(command, "there is no game '%s'; the games are: %s%s%s", name, list,
                        exists ? "; perhaps you mean: kanzen "
                        : file ? "; a game in a file is named with its folder: ./"
                               : ", and files: NAME.ini, ./NAME.so",
                        exists ? words
                        : file ? name
                               : "");
}

bool names_game(const char *text) {
    if (kz_is_url(text)) {
        return false;
    }
    size_t length = strlen(text);
    bool file = length > 3 && strcmp(text + length - 3, ".so") == 0;
    bool name = kz_is_made_for_names(text) && getenv("KANZEN_GAMES");
    bool variant = strstr(text, ".ini") || (strchr(text, ':') && !strchr(text, '/'));
    return file || name || variant || kz_game_find(text);
}

kz_status open_path(const char *path, const kz_game *game, kz_table **table, kz_error *error) {
    /* The file's own name of a game that comes with Kanzen decides, so that the user is told which it is. */
    bool comes_with = game && kz_game_find(kz_game_name(game)) == game;
    const kz_game *as = comes_with ? NULL : game;
    return kz_is_url(path) ? kz_table_open_url(path, as, NULL, table, error) : kz_table_open_as(path, as, table, error);
}

static const char *asked_name(const cli_asked *asked) { return asked->rules ? asked->rules : asked->board; }

int choose_rules(const cli_command *command, const kz_game *game, const cli_asked *asked, int *rules) {
    if (asked->rules && asked->board && strcmp(asked->rules, asked->board) != 0) {
        return report_usage(command,
                            "--rules %s and --board %s: these are two names of one option, so they can't differ",
                            asked->rules, asked->board);
    }
    const char *name = asked_name(asked);
    *rules = kz_rules_find(game, name);
    if (*rules >= 0) {
        return STATUS_FINE;
    }
    char list[LIST_BYTES];
    return report_usage(command, "%s has no %s '%s'; it has: %s", kz_game_name(game), asked->rules ? "rules" : "board",
                        name, list_names(game, kz_rules_name, list));
}

int refuse_stream(const cli_command *command, const char *option, const char *path, const char *what) {
    if (!path || strcmp(path, "-") != 0) {
        return STATUS_FINE;
    }
    return report_usage(command, "%s -: %s can't go to standard output; name a file (./- is one called '-')", option,
                        what);
}

int check_replacing(const cli_command *command, const char *path, bool force) {
    struct stat status;
    if (force || lstat(path, &status) != 0) {
        return STATUS_FINE;
    }
    return report_message(command, STATUS_IO, "%s exists already; --force replaces it", path);
}

const char *rules_of(const kz_table *table) { return kz_rules_name(kz_table_game(table), kz_table_rules(table)); }

/* A game that was loaded is solved by the name that the user gave it, and by rules only if it has several. */
static int report_no_loaded_table(const cli_command *command, const kz_game *game, int rules, const char *name,
                                  const kz_error *error) {
    const char *looked = strstr(error->message, " (looked ");
    bool several = kz_rules_name(game, 1);
    return report_message(command, STATUS_IO,
                          "there is no table for %s by %s rules; make it with: kanzen solve %s%s%s%s",
                          kz_game_name(game), kz_rules_name(game, rules), name, several ? " --rules " : "",
                          several ? kz_rules_name(game, rules) : "", looked ? looked : "");
}

/* Solving may be more than the user expects. */
static int report_no_table(const cli_command *command, const kz_game *game, int rules, kz_error *error) {
    const char *name = name_of_loaded(game);
    if (name && error->status == KZ_ERR_IO) {
        return report_no_loaded_table(command, game, rules, name, error);
    }
    const cli_game_commands *added = commands_of_game(game);
    const char *cost = added->solve_cost ? added->solve_cost(rules) : NULL;
    size_t length = strlen(error->message);
    if (cost && error->status == KZ_ERR_IO) {
        snprintf(error->message + length, sizeof error->message - length, "; this takes %s", cost);
    }
    return report_error(command, error);
}

int choose_one_part(const cli_command *command, const kz_game *game, const cli_asked *asked, int *rules) {
    if (asked_name(asked) || !kz_game_has_parts(game)) {
        return choose_rules(command, game, asked, rules);
    }
    kz_estimate_report report;
    kz_error error; /* the last rule set stands for the whole game, and nothing can be estimated for that */
    int last = 0;
    while (kz_rules_name(game, last + 1)) {
        last++;
    }
    return kz_estimate(game, last, NULL, &report, &error) == KZ_OK ? STATUS_USAGE
                                                                   : report_usage(command, "%s", error.message);
}

/* Whether an open table is the one that was asked for. One that was named may be for any rules if none were asked for.
 */
static int check_table(const cli_command *command, const kz_game *game, const cli_asked *asked, const char *path,
                       const kz_table *table) {
    const kz_game *own = kz_table_game(table);
    int rules;
    if (game && own != game) {
        return report_usage(command, "%s is a table of %s, not of %s", path, kz_game_name(own), kz_game_name(game));
    }
    CLI_TRY(choose_rules(command, own, asked, &rules));
    bool any = asked->table && !asked_name(asked);
    return any || kz_table_rules(table) == rules ? STATUS_FINE
                                                 : report_usage(command, "%s is a table for %s rules, not for %s rules",
                                                                path, rules_of(table), kz_rules_name(own, rules));
}

int open_table(const cli_command *command, const kz_game *game, const cli_asked *asked, cli_use use, kz_table **table) {
    char found[KZ_PATH_BYTES];
    const char *path = asked->table;
    int rules = 0;
    kz_error error;
    *table = NULL;
    if (game) {
        CLI_TRY((use == USE_WHOLE && !path ? choose_one_part : choose_rules)(command, game, asked, &rules));
    }
    if (!path && !asked_name(asked) && kz_game_has_parts(game)) {
        return exit_code(command, kz_table_open_parts(game, table, &error), &error);
    }
    if (!path) {
        path = found;
        if (kz_table_find(kz_game_name(game), kz_rules_name(game, rules), found, sizeof found, &error) != KZ_OK) {
            return use == USE_IF_THERE ? STATUS_FINE : report_no_table(command, game, rules, &error);
        }
    }
    CLI_TRY(exit_code(command, open_path(path, game, table, &error), &error));
    int code = check_table(command, game, asked, path, *table);
    if (code != STATUS_FINE) {
        kz_table_close(*table);
        *table = NULL;
    }
    return code;
}

int open_table_of(const cli_arguments *arguments, const cli_asked *asked, cli_use use, kz_table **table) {
    const kz_game *game;
    CLI_TRY(choose_game(arguments->command, arguments->items[0], &game));
    return open_table(arguments->command, game, asked, use, table);
}

kz_scored_move *open_moves(kz_list *list, const kz_table *table) {
    return kz_list_open(list, kz_max_moves(kz_table_game(table), kz_table_rules(table)), sizeof(kz_scored_move));
}
