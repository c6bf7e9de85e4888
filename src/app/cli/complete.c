/* SPDX-License-Identifier: MIT */
#include "common.h"

#include <kanzen/shogi_files.h>
#include <stdio.h>
#include <string.h>

/* What has been typed so far. */
typedef struct typed_line {
    const cli_command *command;
    cli_description description;
    const kz_game *game;     /* NULL: not known yet */
    int operands;            /* before the word that is being typed */
    const cli_option *wants; /* the option whose value is being typed, or NULL */
    const char *current;     /* the word that is being typed */
    const char *prefix;      /* "--name=" if that is in front of the value in the same word, else "" */
    int prefix_length;
} typed_line;

static void offer(const typed_line *line, const char *word, int length, const char *meaning) {
    printf("%.*s%.*s\t%s\n", line->prefix_length, line->prefix, length, word, meaning);
}

static void offer_name(const typed_line *line, const char *word, const char *meaning) {
    offer(line, word, (int)strlen(word), meaning);
}

static void offer_words(const typed_line *line, const char *words) {
    for (const char *next = words; *next != '\0';) {
        int length = (int)strcspn(next, " ");
        offer(line, next, length, "");
        next += length + (next[length] == ' ');
    }
}

static void offer_games(const typed_line *line) {
    for (size_t number = 0; kz_game_at(number); number++) {
        offer_name(line, kz_game_name(kz_game_at(number)), kz_game_title(kz_game_at(number)));
    }
}

/* Names that a game has: its own if it is known, else those of all games. */
static void offer_names(const typed_line *line, name_of_number *name) {
    for (size_t number = 0; kz_game_at(number); number++) {
        const kz_game *game = kz_game_at(number);
        for (int i = 0; (!line->game || game == line->game) && name(game, i); i++) {
            offer_name(line, name(game, i), kz_game_title(game));
        }
    }
}

static void offer_records(const typed_line *line) {
    for (kz_shogi_record record = 0; record < KZ_SHOGI_RECORDS; record++) {
        offer_name(line, kz_shogi_record_at(record)->name, "");
    }
}

/* The words that come first, of commands and groups. */
static void offer_commands(const typed_line *line) {
    for (int i = 0; command_at(i); i++) {
        if (!strchr(command_at(i)->name, ' ')) {
            offer_name(line, command_at(i)->name, command_at(i)->summary);
        }
    }
}

/* The second words of commands that begin with the word `group`. */
static void offer_group(const typed_line *line, const char *group) {
    const cli_command first = {.name = group};
    for (int i = 0; command_at(i); i++) {
        const char *name = name_in_group(command_at(i), &first);
        if (name) {
            offer_name(line, name, command_at(i)->summary);
        }
    }
}

/* What the help calls a value or an operand tells what it may be. `length`: of the name. */
static void offer_kind(const typed_line *line, const char *kind, int length) {
    static const struct {
        const char *name;
        const char *offer;
    } paths[] = {{"FILE", ":files"},     {"IN", ":files"},           {"OUT", ":files"},     {"PATH", ":files"},
                 {"FOLDER", ":folders"}, {"FOLDER|URL", ":folders"}, {"FILE|URL", ":files"}};
    char name[32];
    snprintf(name, sizeof name, "%.*s", length, kind);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        if (strcmp(paths[i].name, name) == 0) {
            puts(paths[i].offer);
        }
    }
    if (strcmp(name, "GAME") == 0) {
        offer_games(line);
    } else if (strcmp(name, "POSITION") == 0) {
        offer_name(line, "startpos", "the position that a game begins with");
    } else if (strcmp(name, "RULES") == 0 || strcmp(name, "BOARD") == 0) {
        offer_names(line, kz_rules_name);
    } else if (strcmp(name, "FORM") == 0) {
        offer_names(line, kz_notation_name);
    } else if (strcmp(name, "RECORDS") == 0) {
        offer_records(line);
    } else if (strcmp(name, "COMMAND") == 0) {
        offer_commands(line);
    }
}

static void offer_options(const typed_line *line) {
    for (const cli_option *option = line->description.options; option->name; option++) {
        if (!option->old) {
            printf("--%s\t%s\n", option->name, option->help);
        }
    }
    printf("--help\texplain the command\n");
}

static void offer_operand(const typed_line *line) {
    const char *next = line->command->operands;
    int number = 0;
    for (; *next != '\0'; number++) {
        int length = (int)strcspn(next, " ");
        const char *name = next + (next[0] == '[');
        int bytes = (int)strcspn(name, " .]");
        bool repeats = strncmp(name + bytes, "...", 3) == 0;
        if (number == line->operands || (repeats && line->operands > number)) {
            offer_kind(line, name, bytes);
            return;
        }
        next += length + (next[length] == ' ');
    }
}

static void offer_value(const typed_line *line) {
    if (line->wants->words) {
        offer_words(line, line->wants->words);
    } else if (line->wants->value) {
        offer_kind(line, line->wants->value, (int)strlen(line->wants->value));
    }
}

/* Goes over the words after the command's name, up to the one that is being typed. */
static void read_words(typed_line *line, int count, char *const *words) {
    const cli_option *options = line->description.options;
    for (int i = 0; i < count - 1; i++) {
        const char *word = words[i];
        if (strncmp(word, "--", 2) != 0) {
            line->game = !line->game && line->operands == 0 ? kz_game_find(word) : line->game;
            line->operands++;
            continue;
        }
        const cli_option *option = find_option(options, word + 2, strlen(word + 2));
        if (option && option->value) {
            if (i + 1 == count - 1) {
                line->wants = option;
            }
            i++;
        }
    }
    const char *equals = strchr(line->current, '=');
    if (!line->wants && strncmp(line->current, "--", 2) == 0 && equals) {
        line->wants = find_option(options, line->current + 2, (size_t)(equals - line->current - 2));
        line->prefix = line->current;
        line->prefix_length = (int)(equals + 1 - line->current);
    }
}

void print_completions(int count, char *const *words) {
    typed_line line = {.current = count > 0 ? words[count - 1] : "", .prefix = ""};
    if (count <= 1) {
        offer_commands(&line);
        if (line.current[0] == '-') {
            printf("--help\texplain the commands\n--version\tprint the version\n");
        }
        return;
    }
    int used;
    line.command = find_command(count - 1, words, &used);
    if (count == 2 && line.current[0] != '-') {
        offer_group(&line, words[0]);
    }
    if (!line.command || !line.command->run) {
        return;
    }
    /* A group that has the name of a game is about that game. */
    char first[32];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(line.command->name, " "), line.command->name);
    line.game = kz_game_find(first);
    describe_command(line.command, &line.description);
    read_words(&line, count - used, words + used);
    if (line.wants) {
        offer_value(&line);
    } else if (line.current[0] == '-') {
        offer_options(&line);
    } else if (strcmp(line.command->name, "help") == 0 && line.operands == 1) {
        offer_group(&line, words[count - 2]);
    } else {
        offer_operand(&line);
    }
}
