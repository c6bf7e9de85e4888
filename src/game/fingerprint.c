/* SPDX-License-Identifier: MIT */
#include "base/random.h"
#include "game/defined.h"

enum {
    SAMPLES = 192, /* positions, by random numbers */
    TRIES = 64     /* numbers that are looked at for one of them: there may be holes */
};

/* Takes in the number of a position, what the rules say about it, and the numbers that moves lead to. In what order the
 * moves are listed, and what they are called, does not matter. */
static uint64_t add_position(const kz_definition *definition, const void *context, const kz_position *position,
                             kz_move *moves, uint64_t sum) {
    int count;
    kz_outcome outcome = kz_defined_moves(definition, context, position, moves, &count);
    uint64_t after = 0;
    if (count > definition->max_moves) {
        count = 0; /* whoever solves it will complain */
    }
    for (int i = 0; i < count; i++) {
        kz_position next = *position;
        definition->play(context, &next, moves[i]);
        after += kz_scramble(definition->rank(context, &next) ^ (uint64_t)definition->result(context, &next) << 60);
    }
    sum = kz_scramble(sum ^ definition->rank(context, position));
    sum = kz_scramble(sum ^ (uint64_t)outcome);
    return kz_scramble(sum ^ after);
}

uint32_t kz_defined_fingerprint(const kz_definition *definition, const void *context) {
    kz_move moves[KZ_DEFINE_MAX_MOVES];
    kz_random random = {.state = 1};
    uint64_t sum = kz_scramble(definition->edition);
    uint64_t size = definition->index_size(context);
    for (int i = 0; i < SAMPLES; i++) {
        uint64_t number = kz_random_below(&random, size);
        for (int try = 0; try < TRIES; try++) {
            kz_position position = {{0}};
            if (definition->unrank(context, (number + (uint64_t)try) % size, &position)) {
                sum = add_position(definition, context, &position, moves, sum);
                break;
            }
        }
    }
    return sum >> 32 ? (uint32_t)(sum >> 32) : 1;
}
