/* SPDX-License-Identifier: MIT
 *
 * Whether a position could come up in a game, as far as one look at it can tell. */
#include "shogi/src/attacks.h"

bool kz_shogi_in_check(const kz_shogi_position *position, kz_shogi_side side) {
    int king = kz_shogi_king(position, side);
    return king != KZ_SHOGI_NO_SQUARE && kz_shogi_attacked(position->board, king, (unsigned)side ^ 1);
}

kz_shogi_defect kz_shogi_check_legal(const kz_shogi_position *position) {
    kz_shogi_defect defect = kz_shogi_check(position);
    if (defect != KZ_SHOGI_FINE) {
        return defect;
    }
    if (kz_shogi_king(position, KZ_SHOGI_BLACK) == KZ_SHOGI_NO_SQUARE ||
        kz_shogi_king(position, KZ_SHOGI_WHITE) == KZ_SHOGI_NO_SQUARE) {
        return KZ_SHOGI_NO_KING;
    }
    unsigned pawn_files[2] = {0, 0};
    bool two_pawns = false;
    bool dead_piece = false;
    for (int square = 0; square < KZ_SHOGI_SQUARES; square++) {
        uint8_t code = position->board[square];
        if (code == KZ_SHOGI_EMPTY || (code & KZ_SHOGI_PROMOTED)) {
            continue;
        }
        unsigned kind = kz_shogi_kind_of(code);
        unsigned side = kz_shogi_side_of(code);
        dead_piece |= kz_shogi_is_dead(kind, side, square);
        if (kind == KZ_SHOGI_PAWN) {
            unsigned file = 1U << kz_shogi_file_of(square);
            two_pawns |= (pawn_files[side] & file) != 0;
            pawn_files[side] |= file;
        }
    }
    if (two_pawns) {
        return KZ_SHOGI_TWO_PAWNS;
    }
    if (dead_piece) {
        return KZ_SHOGI_DEAD_PIECE;
    }
    kz_shogi_side waiting = position->side == KZ_SHOGI_BLACK ? KZ_SHOGI_WHITE : KZ_SHOGI_BLACK;
    return kz_shogi_in_check(position, waiting) ? KZ_SHOGI_KING_HANGS : KZ_SHOGI_FINE;
}
