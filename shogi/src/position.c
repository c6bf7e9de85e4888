/* SPDX-License-Identifier: MIT
 *
 * Pieces, sets of them, and whether a position is well-formed. */
#include "shogi/src/position.h"
#include <string.h>

enum {
    P = KZ_SHOGI_PAWN,
    L = KZ_SHOGI_LANCE,
    N = KZ_SHOGI_KNIGHT,
    S = KZ_SHOGI_SILVER,
    G = KZ_SHOGI_GOLD,
    B = KZ_SHOGI_BISHOP,
    R = KZ_SHOGI_ROOK
};

const uint8_t kz_shogi_kinds[32] = {P, L, P, S, P, N, P, G, P, L, P, S, P, N, P, B,
                                    P, L, P, S, P, N, P, G, P, L, P, S, P, N, P, R};

const uint8_t kz_shogi_codes[KZ_SHOGI_KING + 1] = {KZ_SHOGI_CODE_PAWN,   KZ_SHOGI_CODE_LANCE, KZ_SHOGI_CODE_KNIGHT,
                                                   KZ_SHOGI_CODE_SILVER, KZ_SHOGI_CODE_GOLD,  KZ_SHOGI_CODE_BISHOP,
                                                   KZ_SHOGI_CODE_ROOK,   KZ_SHOGI_CODE_KING};

const uint8_t kz_shogi_full_sets[KZ_SHOGI_KING + 1] = {18, 4, 4, 4, 4, 2, 2, 2};

const char kz_shogi_letters[KZ_SHOGI_KING + 1] = {'P', 'L', 'N', 'S', 'G', 'B', 'R', 'K'};

const char *const kz_shogi_kind_names[KZ_SHOGI_KING + 1] = {"pawn", "lance",  "knight", "silver",
                                                            "gold", "bishop", "rook",   "king"};

static const struct {
    const char *name;
    const char *text;
} defects[KZ_SHOGI_DEFECTS] = {
    [KZ_SHOGI_FINE] = {"fine", "there is nothing wrong"},
    [KZ_SHOGI_BAD_CODE] = {"bad-code", "a byte of the board is no code of a piece"},
    [KZ_SHOGI_BAD_SIDE] = {"bad-side", "the side to move is neither black nor white"},
    [KZ_SHOGI_TWO_KINGS] = {"two-kings", "a side has two kings"},
    [KZ_SHOGI_OVERFULL] = {"overfull", "there are more pieces of a kind than a set has"},
    [KZ_SHOGI_NO_KING] = {"no-king", "a king is missing"},
    [KZ_SHOGI_REMOVED] = {"removed", "pieces are missing"},
    [KZ_SHOGI_TWO_PAWNS] = {"two-pawns", "a side has two unpromoted pawns on a file"},
    [KZ_SHOGI_DEAD_PIECE] = {"dead-piece", "a pawn, lance or knight stands where it can never move"},
    [KZ_SHOGI_KING_HANGS] = {"king-hangs", "the side that is not to move is in check"},
    [KZ_SHOGI_KING_SQUARE] = {"king-square", "a king's square is no square, or both kings have the same"},
    [KZ_SHOGI_PADDING] = {"padding", "bits that must be 0 are not"},
    [KZ_SHOGI_CUT_OFF] = {"cut-off", "the codes go on past the last bit"},
    [KZ_SHOGI_UNKNOWN] = {"unknown", "a code means nothing"},
    [KZ_SHOGI_NOT_CANONICAL] = {"not-canonical", "the record is not written in the canonical way"},
    [KZ_SHOGI_BAD_MOVE] = {"bad-move", "the bits of the move are no move"},
    [KZ_SHOGI_ILLEGAL_MOVE] = {"illegal-move", "the move can't be made in the position"},
    [KZ_SHOGI_BAD_RESULT] = {"bad-result", "the byte of the game's result means nothing"},
    [KZ_SHOGI_TRUNCATED] = {"truncated", "the file is cut short: it ends in the middle of this record"},
    [KZ_SHOGI_LEFT_OUT] = {"left-out", "a filter leaves the record out"},
};

const char *kz_shogi_defect_name(kz_shogi_defect defect) {
    return (unsigned)defect < KZ_SHOGI_DEFECTS ? defects[defect].name : "unheard-of";
}

const char *kz_shogi_defect_text(kz_shogi_defect defect) {
    return (unsigned)defect < KZ_SHOGI_DEFECTS ? defects[defect].text : "this defect is unheard of";
}

uint8_t kz_shogi_code(kz_shogi_kind kind, kz_shogi_side side) {
    return (uint8_t)(kz_shogi_codes[kind] | (side == KZ_SHOGI_WHITE ? KZ_SHOGI_WHITES : 0));
}

kz_shogi_kind kz_shogi_code_kind(uint8_t code) { return (kz_shogi_kind)kz_shogi_kind_of(code); }

kz_shogi_side kz_shogi_code_side(uint8_t code) { return (kz_shogi_side)kz_shogi_side_of(code); }

int kz_shogi_full_set(kz_shogi_kind kind) { return kz_shogi_full_sets[kind]; }

int kz_shogi_kind_of_letter(char letter) {
    for (int kind = 0; kind <= KZ_SHOGI_KING; kind++) {
        if (kz_shogi_letters[kind] == letter) {
            return kind;
        }
    }
    return -1;
}

kz_shogi_position kz_shogi_start(void) {
    static const uint8_t last_ranks[9] = {L, N, S, G, KZ_SHOGI_KING, G, S, N, L};
    kz_shogi_position start = {.side = KZ_SHOGI_BLACK};
    for (int file = 0; file < 9; file++) {
        start.board[kz_shogi_square(file, 0)] = kz_shogi_code((kz_shogi_kind)last_ranks[file], KZ_SHOGI_WHITE);
        start.board[kz_shogi_square(file, 2)] = kz_shogi_code(KZ_SHOGI_PAWN, KZ_SHOGI_WHITE);
        start.board[kz_shogi_square(file, 6)] = kz_shogi_code(KZ_SHOGI_PAWN, KZ_SHOGI_BLACK);
        start.board[kz_shogi_square(file, 8)] = kz_shogi_code((kz_shogi_kind)last_ranks[file], KZ_SHOGI_BLACK);
    }
    start.board[kz_shogi_square(1, 1)] = kz_shogi_code(KZ_SHOGI_BISHOP, KZ_SHOGI_WHITE);
    start.board[kz_shogi_square(7, 1)] = kz_shogi_code(KZ_SHOGI_ROOK, KZ_SHOGI_WHITE);
    start.board[kz_shogi_square(1, 7)] = kz_shogi_code(KZ_SHOGI_ROOK, KZ_SHOGI_BLACK);
    start.board[kz_shogi_square(7, 7)] = kz_shogi_code(KZ_SHOGI_BISHOP, KZ_SHOGI_BLACK);
    return start;
}

int kz_shogi_king(const kz_shogi_position *position, kz_shogi_side side) {
    const uint8_t *found = memchr(position->board, kz_shogi_code(KZ_SHOGI_KING, side), KZ_SHOGI_SQUARES);
    return found ? (int)(found - position->board) : KZ_SHOGI_NO_SQUARE;
}

int kz_shogi_removed(const kz_shogi_position *position, kz_shogi_kind kind) {
    int missing = kz_shogi_full_sets[kind] - position->hand[0][kind] - position->hand[1][kind];
    for (int square = 0; square < KZ_SHOGI_SQUARES; square++) {
        uint8_t code = position->board[square];
        missing -= (code & ~(KZ_SHOGI_WHITES | KZ_SHOGI_PROMOTED)) == kz_shogi_codes[kind];
    }
    return missing;
}

kz_shogi_defect kz_shogi_check(const kz_shogi_position *position) {
    int kings[2] = {0, 0};
    int pieces[KZ_SHOGI_HAND_KINDS] = {0};
    for (int square = 0; square < KZ_SHOGI_SQUARES; square++) {
        uint8_t code = position->board[square];
        if (code == KZ_SHOGI_EMPTY) {
            continue;
        }
        if (!kz_shogi_is_code(code)) {
            return KZ_SHOGI_BAD_CODE;
        }
        if (kz_shogi_is_king(code)) {
            kings[kz_shogi_side_of(code)]++;
        } else {
            pieces[kz_shogi_kind_of(code)]++;
        }
    }
    if (position->side > KZ_SHOGI_WHITE) {
        return KZ_SHOGI_BAD_SIDE;
    }
    if (kings[KZ_SHOGI_BLACK] > 1 || kings[KZ_SHOGI_WHITE] > 1) {
        return KZ_SHOGI_TWO_KINGS;
    }
    for (int kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        if (pieces[kind] + position->hand[0][kind] + position->hand[1][kind] > kz_shogi_full_sets[kind]) {
            return KZ_SHOGI_OVERFULL;
        }
    }
    return KZ_SHOGI_FINE;
}
