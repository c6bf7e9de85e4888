/* SPDX-License-Identifier: MIT */
#include "games/dobutsu/rules/rules.h"

#include "base/error.h"
#include <string.h>

const char *const kz_dobutsu_rule_names[] = {
    [KZ_DOBUTSU_OFFICIAL] = "official", [KZ_DOBUTSU_SIMPLIFIED] = "simplified", NULL};

/* ---- Pieces ---------------------------------------------------------------------------------------------------- */

/* One octal digit a row, the mover's home row last; in a digit 1 is the left column and 4 the right one. */
static const uint16_t steps_of[KZ_DOBUTSU_KINDS][KZ_DOBUTSU_SQUARES] = {
    [KZ_DOBUTSU_CHICK] = {00010, 00020, 00040, 00100, 00200, 00400, 01000, 02000, 04000, 00000, 00000, 00000},
    [KZ_DOBUTSU_ELEPHANT] = {00020, 00050, 00020, 00202, 00505, 00202, 02020, 05050, 02020, 00200, 00500, 00200},
    [KZ_DOBUTSU_GIRAFFE] = {00012, 00025, 00042, 00121, 00252, 00424, 01210, 02520, 04240, 02100, 05200, 02400},
    [KZ_DOBUTSU_LION] = {00032, 00075, 00062, 00323, 00757, 00626, 03230, 07570, 06260, 02300, 05700, 02600},
    [KZ_DOBUTSU_HEN] = {00032, 00075, 00062, 00321, 00752, 00624, 03210, 07520, 06240, 02100, 05200, 02400},
};

const char *kz_dobutsu_kind_name(int kind) {
    static const char *const names[KZ_DOBUTSU_KINDS] = {"chick", "elephant", "giraffe", "lion", "hen"};
    return names[kind];
}

unsigned kz_dobutsu_steps(int kind, int square) { return steps_of[kind][square]; }

static inline bool is_own(uint8_t cell) { return cell != KZ_DOBUTSU_EMPTY && !(cell & KZ_DOBUTSU_ENEMY); }

static inline int kind_of(uint8_t cell) { return (cell & (KZ_DOBUTSU_ENEMY - 1)) - 1; }

static inline bool in_set(unsigned set, int square) { return set >> square & 1; }

/* The enemy's pieces step as ours do on the board turned round. */
static bool enemy_attacks(const kz_dobutsu *position, int target) {
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        uint8_t cell = position->board[square];
        if (cell & KZ_DOBUTSU_ENEMY && in_set(steps_of[kind_of(cell)][11 - square], 11 - target)) {
            return true;
        }
    }
    return false;
}

static bool own_attacks(const kz_dobutsu *position, int target) {
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        uint8_t cell = position->board[square];
        if (is_own(cell) && in_set(steps_of[kind_of(cell)][square], target)) {
            return true;
        }
    }
    return false;
}

/* The square of a piece of which there is at most one, or -1. */
static int find_cell(const kz_dobutsu *position, uint8_t cell) {
    const uint8_t *found = memchr(position->board, cell, sizeof position->board);
    return found ? (int)(found - position->board) : -1;
}

static int own_lion_square(const kz_dobutsu *position) { return find_cell(position, 1 + KZ_DOBUTSU_LION); }

static int enemy_lion_square(const kz_dobutsu *position) {
    return find_cell(position, (1 + KZ_DOBUTSU_LION) | KZ_DOBUTSU_ENEMY);
}

static unsigned own_set(const kz_dobutsu *position) {
    unsigned set = 0;
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        set |= (unsigned)is_own(position->board[square]) << square;
    }
    return set;
}

/* ---- Moves ----------------------------------------------------------------------------------------------------- */

static int list_targets(int from, unsigned targets, kz_move *moves) {
    int count = 0;
    for (int to = 0; to < KZ_DOBUTSU_SQUARES; to++) {
        if (in_set(targets, to)) {
            moves[count++] = kz_dobutsu_move(from, to);
        }
    }
    return count;
}

/* All moves that the pieces can make, in the order of the sorted 40-bit state: lion, chicks, elephants, giraffes; of a
 * pair the piece on the lower square first and one in hand last. Whether the game is over is not asked here. */
int kz_dobutsu_moves_on(const kz_dobutsu *position, kz_move *moves) {
    static const int species_order[] = {KZ_DOBUTSU_LION, KZ_DOBUTSU_CHICK, KZ_DOBUTSU_ELEPHANT, KZ_DOBUTSU_GIRAFFE};
    unsigned own = own_set(position);
    unsigned empty = 0;
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        empty |= (unsigned)(position->board[square] == KZ_DOBUTSU_EMPTY) << square;
    }
    int count = 0;
    for (int i = 0; i < 4; i++) {
        int species = species_order[i];
        for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
            uint8_t cell = position->board[square];
            if (!is_own(cell)) {
                continue;
            }
            int kind = kind_of(cell);
            if (kind == species || (kind == KZ_DOBUTSU_HEN && species == KZ_DOBUTSU_CHICK)) {
                count += list_targets(square, steps_of[kind][square] & ~own, moves + count);
            }
        }
        if (species != KZ_DOBUTSU_LION && position->hand[0][species]) {
            count += list_targets(KZ_DOBUTSU_HAND + species, empty, moves + count);
        }
    }
    return count;
}

static bool has_move(const kz_dobutsu *position) {
    kz_move moves[KZ_DOBUTSU_MAX_MOVES];
    return kz_dobutsu_moves_on(position, moves) > 0;
}

static bool is_over(int rules, const kz_dobutsu *position) {
    kz_value value = kz_dobutsu_immediate(rules, position);
    return value.outcome != KZ_UNKNOWN && value.distance == 0;
}

int kz_dobutsu_moves(int rules, const kz_dobutsu *position, kz_move *moves) {
    return is_over(rules, position) ? 0 : kz_dobutsu_moves_on(position, moves);
}

void kz_dobutsu_flip(kz_dobutsu *position) {
    kz_dobutsu old = *position;
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        uint8_t cell = old.board[11 - square];
        position->board[square] = cell == KZ_DOBUTSU_EMPTY ? KZ_DOBUTSU_EMPTY : cell ^ KZ_DOBUTSU_ENEMY;
    }
    memcpy(position->hand[0], old.hand[1], sizeof old.hand[1]);
    memcpy(position->hand[1], old.hand[0], sizeof old.hand[0]);
}

void kz_dobutsu_play(kz_dobutsu *position, kz_move move) {
    int from = kz_dobutsu_move_from(move);
    int to = kz_dobutsu_move_to(move);
    if (from >= KZ_DOBUTSU_HAND) {
        position->hand[0][from - KZ_DOBUTSU_HAND]--;
        position->board[to] = (uint8_t)(1 + from - KZ_DOBUTSU_HAND);
    } else {
        if (position->board[to] != KZ_DOBUTSU_EMPTY) {
            int captured = kind_of(position->board[to]);
            position->hand[0][captured == KZ_DOBUTSU_HEN ? KZ_DOBUTSU_CHICK : captured]++;
        }
        bool promotes = position->board[from] == 1 + KZ_DOBUTSU_CHICK && in_set(KZ_DOBUTSU_FAR_ROW_SET, to);
        position->board[to] = promotes ? 1 + KZ_DOBUTSU_HEN : position->board[from];
        position->board[from] = KZ_DOBUTSU_EMPTY;
    }
    kz_dobutsu_flip(position);
    position->turn ^= 1;
    if (position->move_number != 0 && position->move_number != UINT16_MAX) {
        position->move_number++;
    }
}

/* ---- Values that need no table --------------------------------------------------------------------------------- */

static kz_value win_in(int distance) { return (kz_value){KZ_WIN, distance}; }

static kz_value loss_in(int distance) { return (kz_value){KZ_LOSS, distance}; }

/* Whether the mover's lion can step onto the far row where nothing can take it. A piece that it takes there does not
 * guard its own square, and nothing moves further than one square, so the board before the step tells. */
static bool can_try_safely(const kz_dobutsu *position, int lion) {
    unsigned targets = steps_of[KZ_DOBUTSU_LION][lion] & KZ_DOBUTSU_FAR_ROW_SET & ~own_set(position);
    for (int to = 9; to < KZ_DOBUTSU_SQUARES; to++) {
        if (in_set(targets, to) && !enemy_attacks(position, to)) {
            return true;
        }
    }
    return false;
}

kz_value kz_dobutsu_immediate(int rules, const kz_dobutsu *position) {
    int own_lion = own_lion_square(position);
    int enemy_lion = enemy_lion_square(position);
    if (own_lion < 0) {
        return loss_in(0);
    }
    if (enemy_lion < 0 || in_set(KZ_DOBUTSU_FAR_ROW_SET, own_lion)) {
        return win_in(0);
    }
    if (own_attacks(position, enemy_lion)) {
        return win_in(1);
    }
    bool enemy_tried = enemy_lion < 3;
    if (rules == KZ_DOBUTSU_OFFICIAL) {
        if (enemy_tried) {
            return loss_in(0);
        }
        if (can_try_safely(position, own_lion)) {
            return win_in(1);
        }
    } else if (enemy_tried) {
        return loss_in(has_move(position) ? 1 : 0);
    }
    return has_move(position) ? (kz_value){KZ_UNKNOWN, 0} : loss_in(0);
}

/* ---- Positions ------------------------------------------------------------------------------------------------- */

void kz_dobutsu_start(kz_dobutsu *position) {
    enum {
        C = 1 + KZ_DOBUTSU_CHICK,
        E = 1 + KZ_DOBUTSU_ELEPHANT,
        G = 1 + KZ_DOBUTSU_GIRAFFE,
        L = 1 + KZ_DOBUTSU_LION,
        X = KZ_DOBUTSU_ENEMY
    };
    *position = (kz_dobutsu){.board = {E, L, G, 0, C, 0, 0, C | X, 0, G | X, L | X, E | X}, .move_number = 1};
}

void kz_dobutsu_to_position(const kz_dobutsu *dobutsu, kz_position *position) {
    _Static_assert(sizeof *dobutsu <= sizeof position->words, "a kz_position has room for every game");
    memset(position, 0, sizeof *position);
    memcpy(position->words, dobutsu, sizeof *dobutsu);
}

void kz_dobutsu_from_position(const kz_position *position, kz_dobutsu *dobutsu) {
    memcpy(dobutsu, position->words, sizeof *dobutsu);
}

static kz_status validate_lions(const kz_dobutsu *position, const int on_board[2], kz_error *error) {
    if (position->hand[0][KZ_DOBUTSU_LION]) {
        return kz_fail(error, KZ_ERR_INPUT,
                       "the side to move holds the opponent's lion: the game ended before this turn");
    }
    static const char *const whose[2] = {"the side to move", "the opponent"};
    for (int side = 0; side < 2; side++) {
        if (on_board[side] > 1) {
            return kz_fail(error, KZ_ERR_INPUT, "%s has %d lions", whose[side], on_board[side]);
        }
    }
    if (on_board[1] == 0) {
        return kz_fail(error, KZ_ERR_INPUT, "the opponent has no lion");
    }
    if (on_board[0] + position->hand[1][KZ_DOBUTSU_LION] != 1) {
        return on_board[0]
                   ? kz_fail(error, KZ_ERR_INPUT, "the opponent holds a lion that is still on the board")
                   : kz_fail(error, KZ_ERR_INPUT, "the side to move has no lion, and the opponent does not hold it");
    }
    return KZ_OK;
}

kz_status kz_dobutsu_validate(const kz_dobutsu *position, kz_error *error) {
    int species[3] = {0};
    int lions[2] = {0};
    for (int square = 0; square < KZ_DOBUTSU_SQUARES; square++) {
        uint8_t cell = position->board[square];
        if (cell == KZ_DOBUTSU_EMPTY) {
            continue;
        }
        int kind = kind_of(cell);
        if (kind < 0 || kind >= KZ_DOBUTSU_KINDS || cell >= 2 * KZ_DOBUTSU_ENEMY) {
            return kz_fail(error, KZ_ERR_INPUT, "square %d holds %d, which is no piece", square, cell);
        }
        if (kind == KZ_DOBUTSU_LION) {
            lions[cell & KZ_DOBUTSU_ENEMY ? 1 : 0]++;
        } else {
            species[kind == KZ_DOBUTSU_HEN ? KZ_DOBUTSU_CHICK : kind]++;
        }
    }
    static const char *const names[3] = {"chicks and hens", "elephants", "giraffes"};
    for (int slot = 0; slot < 3; slot++) {
        int count = species[slot] + position->hand[0][slot] + position->hand[1][slot];
        if (count != 2) {
            return kz_fail(error, KZ_ERR_INPUT, "the number of %s is %d, and not 2", names[slot], count);
        }
    }
    KZ_TRY(validate_lions(position, lions, error));
    return position->turn > 1
               ? kz_fail(error, KZ_ERR_INPUT, "turn is %d, neither 0 (sente) nor 1 (gote)", position->turn)
               : KZ_OK;
}
