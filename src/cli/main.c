/* SPDX-License-Identifier: MIT
 *
 * kanzen COMMAND ...: finds the command, runs it, and sees to it that what it printed has arrived. */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The commands, in the order in which help lists them. */
/* clang-format off */
#define COMMANDS(entry) \
    entry(solve)        \
    entry(verify)       \
    entry(selftest)     \
    entry(probe)        \
    entry(moves)        \
    entry(line)         \
    entry(inspect)      \
    entry(play)         \
    entry(annotate)     \
    entry(show)         \
    entry(convert)      \
    entry(stats)        \
    entry(longest)      \
    entry(puzzles)      \
    entry(count)        \
    entry(perft)        \
    entry(check)        \
    entry(compare)      \
    entry(export)       \
    entry(pushfight)    \
    entry(shogi)        \
    entry(serve)        \
    entry(usi)          \
    entry(uci)          \
    entry(bench)        \
    entry(help)         \
    entry(version)
/* clang-format on */

#define DECLARATION(name) extern const struct command command_##name;
#define ENTRY(name) &command_##name,

COMMANDS(DECLARATION)

const struct command *const commands[] = {COMMANDS(ENTRY) NULL};

const struct command *find_command(const char *name) {
    for (int i = 0; commands[i] != NULL; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

/* Started with stdin, stdout or stderr closed, the next file opened would take its place, and messages would end up
 * in a table. A descriptor that can't be written keeps the place and the error. */
static void occupy_standard_descriptors(void) {
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) {
            (void)!open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
        }
    }
}

/* A full disk shows only when the buffered rest is written. */
static int finish_output(int exit_code) {
    bool failed = ferror(stdout) != 0;
    int output = dup(STDOUT_FILENO);
    errno = 0;
    failed = fclose(stdout) != 0 || failed;
    if (!failed) {
        return exit_code;
    }
    /* If it failed earlier, nobody knows the reason any more; who tries again learns it. */
    if (errno == 0) {
        (void)!write(output, "\n", 1);
    }
    /* Who closed the pipe has seen enough and needs no message. */
    if (errno != EPIPE) {
        fprintf(stderr, "kanzen: can't write the output%s%s\n", errno != 0 ? ": " : "",
                errno != 0 ? strerror(errno) : "");
    }
    return STATUS_IO;
}

static bool wants_help(int count, char **items) {
    for (int i = 0; i < count && strcmp(items[i], "--") != 0; i++) {
        if (strcmp(items[i], "--help") == 0 || strcmp(items[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

static int run(int count, char **items) {
    if (count < 2) {
        return report_usage(NULL, "which command?");
    }
    const char *name = items[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        name = "help";
    } else if (strcmp(name, "--version") == 0) {
        name = "version";
    }
    const struct command *command = find_command(name);
    if (command == NULL) {
        return report_usage(NULL, name[0] == '-' ? "unknown option '%s'" : "there is no command '%s'", name);
    }
    struct arguments arguments = {.command = command, .count = count - 2, .items = items + 2};
    if (wants_help(arguments.count, arguments.items)) {
        print_help(command);
        return STATUS_FINE;
    }
    return command->run(&arguments);
}

int main(int count, char **items) {
    occupy_standard_descriptors();
    return finish_output(run(count, items));
}
