/* SPDX-License-Identifier: MIT
 *
 * kanzen COMMAND ...: finds the command, runs it, and sees to it that what it printed has arrived. */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
static int finish_output(int code) {
    bool failed = ferror(stdout) != 0;
    int output = dup(STDOUT_FILENO);
    errno = 0;
    failed = fclose(stdout) != 0 || failed;
    if (!failed) {
        return code;
    }
    /* If an earlier write failed, errno is lost. Another write fails for the same reason. */
    if (errno == 0) {
        (void)!write(output, "\n", 1);
    }
    /* A reader that closed the pipe wants no more, and no message. */
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

/* A group was called without the name of one of its commands. */
static int report_group(const cli_command *group, int count, char **items) {
    char list[256] = "";
    for (int i = 0; command_at(i); i++) {
        const char *name = name_in_group(command_at(i), group);
        if (name) {
            size_t length = strlen(list);
            snprintf(list + length, sizeof list - length, "%s%s", length > 0 ? ", " : "", name);
        }
    }
    if (count == 0) {
        return report_usage(group, "an argument is missing: one of %s", list);
    }
    if (items[0][0] == '-') {
        return report_usage(group, "unknown option '%s'; first comes one of: %s", items[0], list);
    }
    return report_usage(group, "there is no '%s'; there are: %s", items[0], list);
}

static int run(int count, char **items) {
    static char help[] = "help", version[] = "version";
    if (count < 2) {
        return report_usage(NULL, "which command?");
    }
    if (strcmp(items[1], "--help") == 0 || strcmp(items[1], "-h") == 0) {
        items[1] = help;
    } else if (strcmp(items[1], "--version") == 0) {
        items[1] = version;
    }
    int used;
    const cli_command *command = find_command(count - 1, items + 1, &used);
    if (!command) {
        return report_unknown_command(count - 1, items + 1);
    }
    cli_arguments arguments = {.command = command, .count = count - 1 - used, .items = items + 1 + used};
    if (wants_help(arguments.count, arguments.items)) {
        print_help(command);
        return STATUS_FINE;
    }
    return command->run ? command->run(&arguments) : report_group(command, arguments.count, arguments.items);
}

int main(int count, char **items) {
    occupy_standard_descriptors();
    signal(SIGXFSZ, SIG_IGN); /* beyond the largest size of a file (ulimit -f) a write fails like one on a full disk */
    return finish_output(run(count, items));
}
