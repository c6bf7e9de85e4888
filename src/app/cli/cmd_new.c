/* SPDX-License-Identifier: MIT */
#include "common.h"

#include "base/text.h"

#include <errno.h>
#include <kanzen/paths.h>
#include <new_files.h> /* made by the build: tools/make-new-files */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NAME_MOST = 15 };

static const struct {
    const char *name; /* NAME stands for the game's */
    const char *const *lines;
} files[] = {
    {"NAME.c", new_game},  {"Makefile", new_makefile}, {"CMakeLists.txt", new_cmake},
    {"test.sh", new_test}, {"README.md", new_readme},
};

/* The text with the game's name in place of the word NAME; allocated. "NAMES" and "add_test(NAME laws" stay. */
static char *fill_in(const char *const *lines, const char *name) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream) {
        return NULL;
    }
    for (int i = 0; lines[i]; i++) {
        const char *at = lines[i];
        const char *found;
        while ((found = strstr(at, "NAME"))) {
            bool keyword = strncmp(found, "NAME laws", 9) == 0;
            fprintf(stream, "%.*s%s", (int)(found - at), at, keyword ? "NAME" : name);
            at = found + 4;
        }
        fprintf(stream, "%s\n", at);
    }
    return fclose(stream) == 0 ? text : NULL;
}

static int write_files(const cli_command *command, const char *folder, const char *name) {
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[KZ_PATH_BYTES];
        bool source = strcmp(files[i].name, "NAME.c") == 0;
        int length = snprintf(path, sizeof path, "%s/%s%s", folder, source ? name : files[i].name, source ? ".c" : "");
        char *text = length < (int)sizeof path ? fill_in(files[i].lines, name) : NULL;
        kz_error error = {KZ_ERR_MEMORY, "no memory for the files of the game"};
        kz_status status = text ? kz_write_file(path, text, strlen(text), false, &error) : KZ_ERR_MEMORY;
        free(text);
        CLI_TRY(exit_code(command, status, &error));
    }
    return STATUS_FINE;
}

static int run(cli_arguments *arguments) {
    const cli_command *command = arguments->command;
    const char *folder = NULL;
    const cli_option options[] = {
        OPTION_TEXT("out", &folder, "FOLDER", "the folder to make (default: NAME)"),
        OPTION_END,
    };
    CLI_TRY(read_options(arguments, options, 1, 1));
    CLI_TRY(refuse_stream(command, "--out", folder, "a folder"));
    const char *name = arguments->items[0];
    size_t length = strlen(name);
    if (length == 0 || length > NAME_MOST || name[0] == '-' || !kz_is_made_for_names(name)) {
        return report_usage(command,
                            "'%s' can't be the name of a game: it takes 1 to %d lower-case letters, digits and '-'",
                            name, NAME_MOST);
    }
    if (kz_game_find(name)) {
        return report_usage(command, "a game that comes with Kanzen is called %s", name);
    }
    folder = folder ? folder : name;
    if (mkdir(folder, 0777) != 0) {
        return report_message(command, STATUS_IO, "can't make the folder %s: %s", folder, strerror(errno));
    }
    int code = write_files(command, folder, name);
    if (code == STATUS_FINE) {
        printf("%s: a game that can be built, tested and solved\n", folder);
        printf("    cd %s && make && make test\n", folder);
        printf("    kanzen solve ./%s.so && kanzen play ./%s.so\n", name, name);
    }
    return code;
}

const cli_command command_new = {
    .name = "new",
    .summary = "Write a folder with a game of your own to begin with",
    .operands = "NAME",
    .help = "Makes the folder NAME with a small game that can be built against the installed\n"
            "headers, solved and tested: NAME.c (the definition, every line explained), Makefile,\n"
            "CMakeLists.txt, test.sh and README.md. Change NAME.c into your game.\n"
            "docs/add-a-game.md teaches how.\n",
    .examples = "kanzen new mygame\n",
    .run = run,
};
