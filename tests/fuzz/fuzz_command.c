/* SPDX-License-Identifier: MIT
 *
 * What commands read from standard input: positions, one after the other; what a user types to walk through a tree; the
 * record of a game. The first byte chooses the command. Whatever comes, it ends, and with one of the exit codes that
 * scripts rely on. */
#include "tests/fuzz/files.h"

#include "app/cli/command.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);

extern const cli_command command_annotate, command_convert, command_inspect, command_show;

enum { MOST_WORDS = 6 };

static const struct call {
    const cli_command *command;
    const char *words[MOST_WORDS];
} calls[] = {
    {&command_show, {"dobutsu", "--json"}},
    {&command_show, {"pushfight", "--board", "hook"}},
    {&command_convert, {"dobutsu", "--to", "clausecker"}},
    {&command_convert, {"pushfight", "--board=mini", "--to", "diagram"}},
    {&command_inspect, {"pushfight", "--board", "corridor", "--table", "corridor.kzt"}},
    {&command_annotate, {"-", "--table", "corridor.kzt"}},
};

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count;
    (void)arguments;
    fuzz_solve_corridor();
    setenv("KANZEN_TABLES", ".", 1); /* no other tables than this */
    return freopen("/dev/null", "w", stdout) ? 0 : -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct call *call = &calls[fuzz_byte(&data, &size) % (sizeof calls / sizeof *calls)];
    char words[MOST_WORDS][16], *items[MOST_WORDS];
    int count = 0;
    for (; count < MOST_WORDS && call->words[count]; count++) {
        snprintf(words[count], sizeof words[count], "%s", call->words[count]);
        items[count] = words[count];
    }
    fuzz_write_file("input", data, size);
    if (!freopen("input", "r", stdin)) {
        abort();
    }
    cli_arguments arguments = {.command = call->command, .count = count, .items = items};
    int code = call->command->run(&arguments);
    fuzz_keep(code >= STATUS_FINE && code <= STATUS_CORRUPT ? NULL : "a strange exit code");
    return 0;
}
