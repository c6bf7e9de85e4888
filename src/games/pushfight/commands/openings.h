/* SPDX-License-Identifier: MIT
 *
 * How the openings of Push Fight, and counts of its value bytes, are shown. */
#ifndef KZ_PUSHFIGHT_COMMANDS_OPENINGS_H
#define KZ_PUSHFIGHT_COMMANDS_OPENINGS_H

#include "app/cli/report.h"

#include <kanzen/pushfight.h>

/* The values that occur, best first for the side whose values they are, and how often. */
void report_value_counts(cli_report *report, const kz_game *game, const uint64_t counts[KZ_PUSHFIGHT_VALUES]);

typedef struct pushfight_openings {
    const kz_game *game;
    int rules;
    uint64_t best; /* how many placements to list */
    kz_pushfight_openings_report report;
} pushfight_openings;

/* All openings, and the best placements of the first player: those whose value against the best answer is best; then
 * those against which fewer answers help. */
kz_status print_openings(const pushfight_openings *openings, bool json, kz_error *error);

/* The openings that begin with one placement, and the second player's best answers. */
kz_status print_answers(const pushfight_openings *openings, uint32_t first, bool json, kz_error *error);

#endif
