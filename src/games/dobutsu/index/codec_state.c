/* SPDX-License-Identifier: MIT
 *
 * The packed forms of the analyzer specification that number the pieces: 40-bit states, 56-bit states with statistics,
 * actions and boards. All of them rest on the eight pieces in the order of the sorted state. */
#include "games/dobutsu/rules/rules.h"

#include "base/error.h"
#include <inttypes.h>
#include <string.h>

/* ---- The eight pieces of a state ------------------------------------------------------------------------------- */

enum { CHICK0, CHICK1, ELEPHANT0, ELEPHANT1, GIRAFFE0, GIRAFFE1, OWN_LION, ENEMY_LION, FIELDS };

enum { IN_HAND = 15, ALLEGIANCE = 16 };

struct field {
    const char *name;
    int kind;
    int shift;
    int bits;
};

static const struct field fields[FIELDS] = {
    [CHICK0] = {"chick0", KZ_DOBUTSU_CHICK, 34, 6},          [CHICK1] = {"chick1", KZ_DOBUTSU_CHICK, 28, 6},
    [ELEPHANT0] = {"elephant0", KZ_DOBUTSU_ELEPHANT, 23, 5}, [ELEPHANT1] = {"elephant1", KZ_DOBUTSU_ELEPHANT, 18, 5},
    [GIRAFFE0] = {"giraffe0", KZ_DOBUTSU_GIRAFFE, 13, 5},    [GIRAFFE1] = {"giraffe1", KZ_DOBUTSU_GIRAFFE, 8, 5},
    [OWN_LION] = {"the active lion", KZ_DOBUTSU_LION, 4, 4}, [ENEMY_LION] = {"the passive lion", KZ_DOBUTSU_LION, 0, 4},
};

/* Row and column in two bits each; the column is never 3 on the board, which leaves 15 for the hand. */
static unsigned coords_of(int square) { return (unsigned)(square / 3 << 2 | square % 3); }

static int square_of(unsigned coords) { return (int)(coords >> 2) * 3 + (int)(coords & 3); }

static bool on_board(unsigned coords) { return (coords & 3) != 3; }

/* A field's value with the coordinates in bits 0-3 and the allegiance in bit 4, whatever its kind. */
static unsigned place_of(int field, unsigned value) {
    return fields[field].kind == KZ_DOBUTSU_CHICK ? value >> 1 : value;
}

static void add_to_pair(unsigned values[FIELDS], int used[3], int species, unsigned value) {
    values[2 * species + used[species]++] = value;
}

/* The fields' values, pairs sorted. The position must be valid. */
static void gather(const kz_dobutsu *position, unsigned values[FIELDS]) {
    int used[3] = {0};
    values[OWN_LION] = values[ENEMY_LION] = IN_HAND;
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        uint8_t cell = position->board[square];
        if (cell == KZ_DOBUTSU_EMPTY) {
            continue;
        }
        int kind = (cell & (KZ_DOBUTSU_ENEMY - 1)) - 1;
        unsigned place = coords_of(square) | (cell & KZ_DOBUTSU_ENEMY ? ALLEGIANCE : 0);
        if (kind == KZ_DOBUTSU_LION) {
            values[cell & KZ_DOBUTSU_ENEMY ? ENEMY_LION : OWN_LION] = coords_of(square);
        } else if (kind == KZ_DOBUTSU_CHICK || kind == KZ_DOBUTSU_HEN) {
            add_to_pair(values, used, KZ_DOBUTSU_CHICK, place << 1 | (kind == KZ_DOBUTSU_HEN));
        } else {
            add_to_pair(values, used, kind, place);
        }
    }
    for (int side = 0; side < 2; side++) {
        for (int slot = 0; slot < 3; slot++) {
            unsigned place = IN_HAND | (side ? ALLEGIANCE : 0);
            for (int i = 0; i < position->hand[side][slot]; i++) {
                add_to_pair(values, used, slot, slot == KZ_DOBUTSU_CHICK ? place << 1 : place);
            }
        }
    }
    for (int first = CHICK0; first < OWN_LION; first += 2) {
        if (values[first] > values[first + 1]) {
            unsigned swapped = values[first];
            values[first] = values[first + 1];
            values[first + 1] = swapped;
        }
    }
}

/* ---- 40 bits --------------------------------------------------------------------------------------------------- */

uint64_t kz_dobutsu_to_state40(const kz_dobutsu *position) {
    unsigned values[FIELDS];
    gather(position, values);
    uint64_t state = 0;
    for (int field = 0; field < FIELDS; field++) {
        state |= (uint64_t)values[field] << fields[field].shift;
    }
    return state;
}

/* Puts one field's piece onto the board or into a hand. */
static kz_status place_field(int field, unsigned value, kz_dobutsu *position, kz_error *error) {
    const char *name = fields[field].name;
    int kind = fields[field].kind;
    unsigned place = place_of(field, value);
    unsigned coords = place & 15;
    bool enemy = kind == KZ_DOBUTSU_LION ? field == ENEMY_LION : (place & ALLEGIANCE) != 0;
    bool promoted = kind == KZ_DOBUTSU_CHICK && (value & 1);
    if (!on_board(coords)) {
        if (coords != IN_HAND) {
            return kz_fail(error, KZ_ERR_INPUT, "%s is in row %u, column 3: the board has columns 0 to 2", name,
                           coords >> 2);
        }
        if (promoted) {
            return kz_fail(error, KZ_ERR_INPUT, "%s is promoted and in hand", name);
        }
        /* A lion is in the hand of the other side. */
        position->hand[kind == KZ_DOBUTSU_LION ? !enemy : enemy][kind]++;
        return KZ_OK;
    }
    uint8_t *cell = &position->board[square_of(coords)];
    if (*cell != KZ_DOBUTSU_EMPTY) {
        return kz_fail(error, KZ_ERR_INPUT, "%s shares row %u, column %u with another piece", name, coords >> 2,
                       coords & 3);
    }
    *cell = (uint8_t)((1 + (promoted ? KZ_DOBUTSU_HEN : kind)) | (enemy ? KZ_DOBUTSU_ENEMY : 0));
    return KZ_OK;
}

kz_status kz_dobutsu_from_state40(uint64_t state, bool sorted, kz_dobutsu *position, kz_error *error) {
    if (state >> 40) {
        return kz_fail(error, KZ_ERR_INPUT, "the state 0x%" PRIx64 " has more than 40 bits", state);
    }
    kz_dobutsu result = {0};
    unsigned values[FIELDS];
    for (int field = 0; field < FIELDS; field++) {
        values[field] = (unsigned)(state >> fields[field].shift) & ((1u << fields[field].bits) - 1);
        KZ_TRY(place_field(field, values[field], &result, error));
    }
    for (int first = CHICK0; sorted && first < OWN_LION; first += 2) {
        if (values[first] > values[first + 1]) {
            return kz_fail(error, KZ_ERR_INPUT, "%s comes after %s: the pair is not sorted", fields[first].name,
                           fields[first + 1].name);
        }
    }
    KZ_TRY(kz_dobutsu_validate(&result, error));
    *position = result;
    return KZ_OK;
}

/* ---- 56 bits --------------------------------------------------------------------------------------------------- */

enum { STATE_BITS = 40, OUTCOME_BITS = 9, REQUIRED_BITS = 7, OUTCOME_OF_WIN_IN_0 = 201 };

uint64_t kz_dobutsu_pack56(uint64_t state40, kz_dobutsu_stats stats) {
    uint64_t outcome = (unsigned)stats.outcome & ((1u << OUTCOME_BITS) - 1);
    uint64_t required = stats.required & ((1u << REQUIRED_BITS) - 1);
    return required << (STATE_BITS + OUTCOME_BITS) | outcome << STATE_BITS | state40;
}

void kz_dobutsu_unpack56(uint64_t packed, uint64_t *state40, kz_dobutsu_stats *stats) {
    int outcome = (int)(packed >> STATE_BITS & ((1u << OUTCOME_BITS) - 1));
    *state40 = packed & ((UINT64_C(1) << STATE_BITS) - 1);
    stats->required = (unsigned)(packed >> (STATE_BITS + OUTCOME_BITS)) & ((1u << REQUIRED_BITS) - 1);
    stats->outcome = outcome < 1 << (OUTCOME_BITS - 1) ? outcome : outcome - (1 << OUTCOME_BITS);
}

int kz_dobutsu_outcome_of(kz_value value) {
    bool fits = value.distance >= 0 && value.distance < OUTCOME_OF_WIN_IN_0;
    if (value.outcome == KZ_WIN && fits) {
        return OUTCOME_OF_WIN_IN_0 - value.distance;
    }
    if (value.outcome == KZ_LOSS && fits) {
        return value.distance - OUTCOME_OF_WIN_IN_0;
    }
    return 0;
}

kz_value kz_dobutsu_value_of_outcome(int outcome) {
    if (outcome == 0) {
        return (kz_value){KZ_DRAW, 0};
    }
    if (outcome > OUTCOME_OF_WIN_IN_0 || outcome < -OUTCOME_OF_WIN_IN_0) {
        return (kz_value){KZ_UNKNOWN, 0};
    }
    return outcome > 0 ? (kz_value){KZ_WIN, OUTCOME_OF_WIN_IN_0 - outcome}
                       : (kz_value){KZ_LOSS, OUTCOME_OF_WIN_IN_0 + outcome};
}

/* ---- Actors: 1 the lion, 2 chick0 .. 7 giraffe1 ----------------------------------------------------------------- */

enum { ACTOR_LION = 1, ACTOR_CHICK0 = 2, ACTORS = 8 };

static int field_of_actor(unsigned actor) { return actor == ACTOR_LION ? OWN_LION : (int)actor - ACTOR_CHICK0; }

static unsigned actor_of_field(int field) {
    return fields[field].kind == KZ_DOBUTSU_LION ? ACTOR_LION : (unsigned)field + ACTOR_CHICK0;
}

unsigned kz_dobutsu_to_action(const kz_dobutsu *position, kz_move move) {
    unsigned values[FIELDS];
    gather(position, values);
    int from = kz_dobutsu_move_from(move);
    unsigned to = coords_of(kz_dobutsu_move_to(move));
    bool drop = from >= KZ_DOBUTSU_HAND;
    unsigned place = drop ? IN_HAND : coords_of(from); /* the mover's own, so no allegiance bit */
    for (unsigned actor = ACTOR_LION; actor < ACTORS && move != 0; actor++) {
        int field = field_of_actor(actor);
        bool dropped_kind = !drop || fields[field].kind == from - KZ_DOBUTSU_HAND;
        if (dropped_kind && place_of(field, values[field]) == place) {
            return actor << 4 | to;
        }
    }
    return 0;
}

kz_status kz_dobutsu_from_action(const kz_dobutsu *position, unsigned action, kz_move *move, kz_error *error) {
    if (action == 0) {
        *move = 0;
        return KZ_OK;
    }
    unsigned actor = action >> 4;
    unsigned to = action & 15;
    if (actor == 0 || actor >= ACTORS) {
        return kz_fail(error, KZ_ERR_INPUT, "action %u has actor %u: actors are 1 to 7", action, actor);
    }
    const char *name = fields[field_of_actor(actor)].name;
    if (!on_board(to)) {
        return kz_fail(error, KZ_ERR_INPUT, "action %u moves %s to column 3: the board has columns 0 to 2", action,
                       name);
    }
    unsigned values[FIELDS];
    gather(position, values);
    unsigned place = place_of(field_of_actor(actor), values[field_of_actor(actor)]);
    if (place & ALLEGIANCE) {
        return kz_fail(error, KZ_ERR_INPUT, "action %u moves %s, which is the opponent's", action, name);
    }
    int from = on_board(place) ? square_of(place) : KZ_DOBUTSU_HAND + fields[field_of_actor(actor)].kind;
    kz_move wanted = kz_dobutsu_move(from, square_of(to));
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    /* The simplified rules stop listing moves later than the official ones do. */
    int count = kz_dobutsu_moves(KZ_DOBUTSU_SIMPLIFIED, position, moves);
    for (int i = 0; i < count; i++) {
        if (moves[i] == wanted) {
            *move = wanted;
            return KZ_OK;
        }
    }
    return kz_fail(error, KZ_ERR_INPUT, "action %u: %s can't go to row %u, column %u", action, name, to >> 2, to & 3);
}

/* ---- Boards ---------------------------------------------------------------------------------------------------- */

enum { BOARD_ENEMY = 8 };

uint64_t kz_dobutsu_to_board64(const kz_dobutsu *position) {
    unsigned values[FIELDS];
    gather(position, values);
    uint64_t board = 0;
    for (int field = 0; field < FIELDS; field++) {
        unsigned place = place_of(field, values[field]);
        bool enemy = field == ENEMY_LION || place & ALLEGIANCE;
        if (on_board(place & 15)) {
            board |= (uint64_t)(actor_of_field(field) | (enemy ? BOARD_ENEMY : 0)) << (4 * (place & 15));
        }
    }
    return board;
}

kz_status kz_dobutsu_from_board64(uint64_t board, const uint8_t own_hand[4], const uint8_t enemy_hand[4], uint16_t hens,
                                  kz_dobutsu *position, kz_error *error) {
    kz_dobutsu result = {0};
    uint64_t in_use = 0;
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        unsigned coords = coords_of(square);
        unsigned nibble = (unsigned)(board >> (4 * coords)) & 15;
        unsigned actor = nibble & (BOARD_ENEMY - 1);
        in_use |= UINT64_C(15) << (4 * coords);
        bool hen = hens >> coords & 1;
        int kind = actor ? fields[field_of_actor(actor)].kind : -1;
        if (hen && kind != KZ_DOBUTSU_CHICK) {
            return kz_fail(error, KZ_ERR_INPUT, "row %u, column %u is to be a hen, and has no chick", coords >> 2,
                           coords & 3);
        }
        if (actor == 0 && nibble != 0) {
            return kz_fail(error, KZ_ERR_INPUT, "row %u, column %u is empty, but its allegiance bit is set",
                           coords >> 2, coords & 3);
        }
        if (actor) {
            result.board[square] =
                (uint8_t)((1 + (hen ? KZ_DOBUTSU_HEN : kind)) | (nibble & BOARD_ENEMY ? KZ_DOBUTSU_ENEMY : 0));
        }
    }
    memcpy(result.hand[0], own_hand, sizeof result.hand[0]);
    memcpy(result.hand[1], enemy_hand, sizeof result.hand[1]);
    KZ_TRY(kz_dobutsu_validate(&result, error));
    if (kz_dobutsu_to_board64(&result) != (board & in_use)) {
        return kz_fail(error, KZ_ERR_INPUT,
                       "the pieces of the board are not numbered in the order of the sorted state");
    }
    *position = result;
    return KZ_OK;
}
