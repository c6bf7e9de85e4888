/* SPDX-License-Identifier: MIT
 *
 * What Push Fight adds to the command. */
#include "app/cli/game_commands.h"

#include <kanzen/pushfight.h>

extern const cli_command command_pushfight;
extern const cli_command command_pushfight_phase0;
extern const cli_command command_pushfight_chunk;
extern const cli_command command_pushfight_values;
extern const cli_command command_pushfight_openings;
extern const cli_command command_pushfight_reachable;

static const cli_command *const commands_of_pushfight[] = {
    &command_pushfight,
    &command_pushfight_phase0,
    &command_pushfight_chunk,
    &command_pushfight_values,
    &command_pushfight_openings,
    &command_pushfight_reachable,
    NULL,
};

extern const cli_game_commands pushfight_commands;
static const char *solve_cost(int rules) {
    return rules == KZ_PUSHFIGHT_STANDARD ? "hours on a few processors, and 10 GB of memory and disk" : NULL;
}

const cli_game_commands pushfight_commands = {
    .solve_cost = solve_cost,
    .game = "pushfight",
    .commands = commands_of_pushfight,
    .move_example = "c2-d2, or b2-a2,c2-d2 with a move before the push",
};
