/* SPDX-License-Identifier: MIT */
#include "app/engine/players.h"

#include <kanzen/system.h>
#include <stdlib.h>

kz_status kz_look_up_replies(const kz_values *values, const kz_position *position, kz_replies *found, kz_error *error) {
    kz_choice *moves;
    kz_value value;
    *found = (kz_replies){0};
    kz_status status = kz_values_choices(values, position, &value, &moves, &found->all, error);
    for (int i = 0; status == KZ_OK && i < found->all; i++) {
        found->good += moves[i].value.outcome == moves[0].value.outcome;
    }
    free(moves);
    return status;
}

bool kz_judge_replies(const kz_values *values, const kz_position *position, double end, kz_move *moves,
                      kz_replies *found) {
    kz_value best = {KZ_UNKNOWN, 0};
    *found = (kz_replies){.all = kz_moves(values->game, values->rules, position, moves)};
    for (int i = 0; i < found->all; i++) {
        if (kz_seconds() >= end) {
            return false;
        }
        kz_position next = *position;
        kz_play(values->game, values->rules, &next, moves[i]);
        kz_value value = kz_value_before(kz_immediate(values->game, values->rules, &next));
        if (i == 0 || kz_value_worth(value) > kz_value_worth(best)) {
            found->good = value.outcome == best.outcome ? found->good : 0;
            best = value;
        }
        found->good += value.outcome == best.outcome;
    }
    return true;
}
