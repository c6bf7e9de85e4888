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

bool parse_work_options(cli_arguments *arguments, int operands, cli_work *work) {
    *work = (cli_work){.threads = 0};
    const cli_option options[] = {
        OPTION_THREADS(&work->threads),
        OPTION_QUIET(&work->quiet),
        OPTION_JSON(&work->json),
        OPTION_END,
    };
    return parse_options(arguments, options, operands, operands);
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

const kz_game *choose_game(const cli_command *command, const char *name, int *failure) {
    const kz_game *game;
    kz_error error;
    if (kz_game_named(name, &game, &error) == KZ_OK) {
        keep_loaded(game, name);
        return game;
    }
    if (strchr(name, '/') || strchr(name, ':') || strstr(name, ".ini") || names_text(name) ||
        error.status != KZ_ERR_INPUT || getenv("KANZEN_GAMES")) {
        bool usage = error.status == KZ_ERR_INPUT || error.status == KZ_ERR_UNSUPPORTED;
        *failure = usage ? report_usage(command, "%s", error.message) : report_error(command, &error);
        return NULL;
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
    *failure = report_usage(command, "there is no game '%s'; the games are: %s%s%s", name, list,
                            exists ? "; perhaps you mean: kanzen "
                            : file ? "; a game in a file is named with its folder: ./"
                                   : ", and files: NAME.ini, ./NAME.so",
                            exists ? words
                            : file ? name
                                   : "");
    return NULL;
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

kz_status open_table_as(const char *path, const kz_game *game, kz_table **table, kz_error *error) {
    return kz_is_url(path) ? kz_table_open_url(path, game, NULL, table, error)
                           : kz_table_open_as(path, game, table, error);
}

kz_status open_table_of(const char *path, const kz_game *game, kz_table **table, kz_error *error) {
    /* The file's own name of a game that comes with Kanzen decides, so that the user is told which it is. */
    bool comes_with = !game || kz_game_find(kz_game_name(game)) == game;
    return open_table_as(path, comes_with ? NULL : game, table, error);
}

static const char *asked_name(const cli_rules *asked) { return asked->rules ? asked->rules : asked->board; }

int choose_rules(const cli_command *command, const kz_game *game, const cli_rules *asked) {
    if (asked->rules && asked->board && strcmp(asked->rules, asked->board) != 0) {
        report_usage(command, "--rules %s and --board %s: these are two names of one option, so they can't differ",
                     asked->rules, asked->board);
        return -1;
    }
    const char *name = asked_name(asked);
    int rules = kz_rules_find(game, name);
    if (rules < 0) {
        char list[LIST_BYTES];
        report_usage(command, "%s has no %s '%s'; it has: %s", kz_game_name(game), asked->rules ? "rules" : "board",
                     name, list_names(game, kz_rules_name, list));
    }
    return rules;
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

int check_rules(const cli_command *command, const cli_rules *asked, const char *path, kz_table **table) {
    int rules = choose_rules(command, kz_table_game(*table), asked);
    int code = rules < 0 ? STATUS_USAGE : STATUS_FINE;
    if (rules >= 0 && asked_name(asked) && kz_table_rules(*table) != rules) {
        code = report_usage(command, "%s is a table for %s rules, not for %s rules", path, rules_of(*table),
                            kz_rules_name(kz_table_game(*table), rules));
    }
    if (code != STATUS_FINE) {
        kz_table_close(*table);
        *table = NULL;
    }
    return code;
}

/* Opens a table and sees to it that it is the one that was asked for; `rules` is -1 if any will do. */
static int open_table(const cli_command *command, const kz_game *game, int rules, const char *path, kz_table **table) {
    kz_error error;
    if (open_table_of(path, game, table, &error) != KZ_OK) {
        return report_error(command, &error);
    }
    int code = STATUS_FINE;
    if (kz_table_game(*table) != game) {
        code = report_usage(command, "%s is a table of %s, not of %s", path, kz_game_name(kz_table_game(*table)),
                            kz_game_name(game));
    } else if (rules >= 0 && kz_table_rules(*table) != rules) {
        code = report_usage(command, "%s is a table for %s rules, not for %s rules", path, rules_of(*table),
                            kz_rules_name(game, rules));
    }
    if (code != STATUS_FINE) {
        kz_table_close(*table);
        *table = NULL;
    }
    return code;
}

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

int choose_one_part(const cli_command *command, const kz_game *game, const cli_rules *asked) {
    if (asked_name(asked) || !kz_game_has_parts(game)) {
        return choose_rules(command, game, asked);
    }
    kz_estimate_report report;
    kz_error error; /* the last rule set stands for the whole game, and nothing can be estimated for that */
    int last = 0;
    while (kz_rules_name(game, last + 1)) {
        last++;
    }
    if (kz_estimate(game, last, NULL, &report, &error) != KZ_OK) {
        report_usage(command, "%s", error.message);
    }
    return -1;
}

/* `whole`: a game in parts won't do, because the table as a whole is asked for something. */
static int choose(const cli_command *command, const kz_game *game, const cli_rules *asked, const char *path,
                  bool required, bool whole, kz_table **table, int *rules) {
    *table = NULL;
    *rules = whole && !path ? choose_one_part(command, game, asked) : choose_rules(command, game, asked);
    if (*rules < 0) {
        return STATUS_USAGE;
    }
    int code;
    if (!path && !asked_name(asked) && kz_game_has_parts(game)) {
        kz_error error;
        code = kz_table_open_parts(game, table, &error) == KZ_OK ? STATUS_FINE : report_error(command, &error);
    } else if (path) {
        code = open_table(command, game, asked_name(asked) ? *rules : -1, path, table);
    } else {
        char found[KZ_PATH_BYTES];
        kz_error error;
        if (kz_table_find(kz_game_name(game), kz_rules_name(game, *rules), found, sizeof found, &error) != KZ_OK) {
            return required ? report_no_table(command, game, *rules, &error) : STATUS_FINE;
        }
        code = open_table(command, game, *rules, found, table);
    }
    if (code == STATUS_FINE) {
        *rules = kz_table_rules(*table);
    }
    return code;
}

int choose_table(const cli_command *command, const kz_game *game, const cli_rules *asked, const char *path,
                 kz_table **table) {
    int rules;
    return choose(command, game, asked, path, true, true, table, &rules);
}

int choose_tables(const cli_command *command, const kz_game *game, const cli_rules *asked, const char *path,
                  kz_table **table) {
    int rules;
    return choose(command, game, asked, path, true, false, table, &rules);
}

int choose_table_if_any(const cli_command *command, const kz_game *game, const cli_rules *asked, const char *path,
                        kz_table **table, int *rules) {
    return choose(command, game, asked, path, false, false, table, rules);
}

static bool has_distance(kz_value value) { return value.outcome == KZ_WIN || value.outcome == KZ_LOSS; }

const char *format_value(const kz_game *game, kz_value value, char text[VALUE_BYTES]) {
    if (has_distance(value)) {
        snprintf(text, VALUE_BYTES, "%s %d", kz_outcome_name(value.outcome), kz_distance_shown(game, value));
    } else {
        snprintf(text, VALUE_BYTES, "%s", kz_outcome_name(value.outcome));
    }
    return text;
}

void json_value(cli_json *json, const kz_game *game, kz_value value) {
    json_text(json, "value", kz_outcome_name(value.outcome));
    if (has_distance(value)) {
        json_integer(json, "distance", kz_distance_shown(game, value));
    } else {
        json_null(json, "distance");
    }
}

double time_in_units(double seconds, const char **unit) {
    enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };
    static const struct {
        const char *name;
        int seconds;
    } units[] = {{"s", 1}, {"min", MINUTE}, {"h", HOUR}, {"days", DAY}};
    int i = seconds < 2 * MINUTE ? 0 : seconds < 2 * HOUR ? 1 : seconds < 2 * DAY ? 2 : 3;
    *unit = units[i].name;
    return seconds / units[i].seconds;
}

const char *format_thousands(uint64_t number, char text[THOUSANDS_BYTES]) {
    char digits[THOUSANDS_BYTES];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    char *out = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            *out++ = ',';
        }
        *out++ = digits[i];
    }
    *out = '\0';
    return text;
}

kz_scored_move *open_moves(kz_list *list, const kz_table *table) {
    return kz_list_open(list, kz_max_moves(kz_table_game(table), kz_table_rules(table)), sizeof(kz_scored_move));
}
