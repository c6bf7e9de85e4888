/* SPDX-License-Identifier: MIT
 *
 * Legal moves, and making them.
 *
 * No well-formed position has more than 599 moves, legal or not: with nothing on the board there are 531 drops, and of
 * all pieces only these add more moves than they take squares from drops, if every kind is still in hand: a rook 28, a
 * bishop 17, three silvers 4 each, three lances 3 each, and the king 2. Counted in the same way, there are 579 at most
 * if some kind is not in hand. */
#include "shogi/src/attacks.h"
#include <string.h>

/* Whose moves are looked for. Moves are tried on `board`, and taken back at once. */
typedef struct player {
    uint8_t board[KZ_SHOGI_SQUARES];
    unsigned side;
    int king; /* KZ_SHOGI_NO_SQUARE: then nothing is check */
    bool in_check;
} player;

typedef struct move_list {
    kz_shogi_move *moves;
    size_t count;
} move_list;

static player player_of(const kz_shogi_position *position) {
    player mover = {.side = position->side};
    memcpy(mover.board, position->board, sizeof mover.board);
    mover.king = kz_shogi_king(position, (kz_shogi_side)position->side);
    mover.in_check = kz_shogi_in_check(position, (kz_shogi_side)position->side);
    return mover;
}

static bool is_own(const player *mover, int square) {
    uint8_t code = mover->board[square];
    return code != KZ_SHOGI_EMPTY && kz_shogi_side_of(code) == mover->side;
}

/* ---- What pieces can do, with no thought of the king ------------------------------------------------------------ */

static bool may_promote(uint8_t code, int from, int to) {
    unsigned side = kz_shogi_side_of(code);
    return !(code & KZ_SHOGI_PROMOTED) && kz_shogi_kind_promotes(kz_shogi_kind_of(code)) &&
           (kz_shogi_rank_for(from, side) < 3 || kz_shogi_rank_for(to, side) < 3);
}

static bool must_promote(uint8_t code, int to) {
    return !(code & KZ_SHOGI_PROMOTED) && kz_shogi_is_dead(kz_shogi_kind_of(code), kz_shogi_side_of(code), to);
}

/* Files on which a side has an unpromoted pawn, as bits. */
static unsigned pawn_files(const uint8_t board[KZ_SHOGI_SQUARES], unsigned side) {
    uint8_t pawn = kz_shogi_code(KZ_SHOGI_PAWN, (kz_shogi_side)side);
    unsigned files = 0;
    for (int square = 0; square < KZ_SHOGI_SQUARES; square++) {
        files |= (unsigned)(board[square] == pawn) << kz_shogi_file_of(square);
    }
    return files;
}

static bool may_drop(unsigned kind, unsigned side, unsigned files_with_pawns, int to) {
    return !kz_shogi_is_dead(kind, side, to) &&
           (kind != KZ_SHOGI_PAWN || !(files_with_pawns >> kz_shogi_file_of(to) & 1));
}

/* ---- The king --------------------------------------------------------------------------------------------------- */

/* Whether the king is safe once the piece on `from` stands on `to`. */
static bool is_safe_move(player *mover, int from, int to) {
    if (mover->king == KZ_SHOGI_NO_SQUARE) {
        return true;
    }
    /* Only a piece between the king and an attacker gives the king away. */
    if (from != mover->king && !mover->in_check && !kz_shogi_in_line(from, mover->king)) {
        return true;
    }
    uint8_t moved = mover->board[from];
    uint8_t taken = mover->board[to];
    mover->board[to] = moved;
    mover->board[from] = KZ_SHOGI_EMPTY;
    bool safe = !kz_shogi_attacked(mover->board, from == mover->king ? to : mover->king, mover->side ^ 1);
    mover->board[from] = moved;
    mover->board[to] = taken;
    return safe;
}

/* Empty squares on which a piece can be dropped without leaving the king in check. */
static kz_shogi_squares safe_drops(player *mover) {
    kz_shogi_squares drops = {{0, 0}};
    for (int square = 0; square < KZ_SHOGI_SQUARES; square++) {
        if (mover->board[square] != KZ_SHOGI_EMPTY) {
            continue;
        }
        bool safe = true;
        if (mover->in_check) {
            mover->board[square] = kz_shogi_code(KZ_SHOGI_PAWN, (kz_shogi_side)mover->side);
            safe = !kz_shogi_attacked(mover->board, mover->king, mover->side ^ 1);
            mover->board[square] = KZ_SHOGI_EMPTY;
        }
        if (safe) {
            kz_shogi_add(&drops, square);
        }
    }
    return drops;
}

/* Whether any piece on the board has a move after which the king is safe. */
static bool can_move_on_board(player *mover) {
    for (int from = 0; from < KZ_SHOGI_SQUARES; from++) {
        if (!is_own(mover, from)) {
            continue;
        }
        kz_shogi_squares targets = kz_shogi_targets(mover->board, from);
        for (int to; (to = kz_shogi_take_lowest(&targets)) != KZ_SHOGI_NO_SQUARE;) {
            if (!kz_shogi_is_king(mover->board[to]) && is_safe_move(mover, from, to)) {
                return true;
            }
        }
    }
    return false;
}

/* Whether a pawn dropped on `to` mates. Drops don't help against a pawn, so only moves on the board are looked at. */
static bool pawn_drop_mates(const kz_shogi_position *position, int to) {
    unsigned side = position->side;
    kz_shogi_side defender = side == KZ_SHOGI_BLACK ? KZ_SHOGI_WHITE : KZ_SHOGI_BLACK;
    int ahead = side == KZ_SHOGI_BLACK ? to - 1 : to + 1;
    if (kz_shogi_rank_for(to, side) == 0 || position->board[ahead] != kz_shogi_code(KZ_SHOGI_KING, defender)) {
        return false;
    }
    kz_shogi_position after = *position;
    after.board[to] = kz_shogi_code(KZ_SHOGI_PAWN, (kz_shogi_side)side);
    after.side = (uint8_t)defender;
    player mated = player_of(&after);
    return !can_move_on_board(&mated);
}

/* ---- All legal moves -------------------------------------------------------------------------------------------- */

static void add_move(move_list *list, int from, int to, bool promotes) {
    /* Only positions that are not well-formed have more. */
    if (list->count < KZ_SHOGI_MOST_MOVES) {
        list->moves[list->count++] = (kz_shogi_move){KZ_SHOGI_MOVE, (uint8_t)from, (uint8_t)to, promotes};
    }
}

static void add_moves_from(player *mover, int from, move_list *list) {
    uint8_t code = mover->board[from];
    kz_shogi_squares targets = kz_shogi_targets(mover->board, from);
    for (int to; (to = kz_shogi_take_lowest(&targets)) != KZ_SHOGI_NO_SQUARE;) {
        if (kz_shogi_is_king(mover->board[to]) || !is_safe_move(mover, from, to)) {
            continue;
        }
        if (!must_promote(code, to)) {
            add_move(list, from, to, false);
        }
        if (may_promote(code, from, to)) {
            add_move(list, from, to, true);
        }
    }
}

static void add_drops(const kz_shogi_position *position, player *mover, move_list *list) {
    kz_shogi_squares drops = safe_drops(mover);
    unsigned files_with_pawns = pawn_files(mover->board, mover->side);
    for (unsigned kind = 0; kind < KZ_SHOGI_HAND_KINDS; kind++) {
        if (position->hand[mover->side][kind] == 0) {
            continue;
        }
        kz_shogi_squares targets = drops;
        for (int to; (to = kz_shogi_take_lowest(&targets)) != KZ_SHOGI_NO_SQUARE;) {
            if (may_drop(kind, mover->side, files_with_pawns, to) &&
                !(kind == KZ_SHOGI_PAWN && pawn_drop_mates(position, to))) {
                add_move(list, KZ_SHOGI_SQUARES + (int)kind, to, false);
            }
        }
    }
}

size_t kz_shogi_moves(const kz_shogi_position *position, kz_shogi_move moves[KZ_SHOGI_MOST_MOVES]) {
    move_list list = {moves, 0};
    player mover = player_of(position);
    for (int from = 0; from < KZ_SHOGI_SQUARES; from++) {
        if (is_own(&mover, from)) {
            add_moves_from(&mover, from, &list);
        }
    }
    add_drops(position, &mover, &list);
    return list.count;
}

/* ---- Making a move ---------------------------------------------------------------------------------------------- */

static kz_shogi_defect make_drop(kz_shogi_position *position, unsigned kind, int to) {
    unsigned side = position->side;
    if (position->hand[side][kind] == 0 || position->board[to] != KZ_SHOGI_EMPTY ||
        !may_drop(kind, side, pawn_files(position->board, side), to)) {
        return KZ_SHOGI_ILLEGAL_MOVE;
    }
    position->hand[side][kind]--;
    position->board[to] = kz_shogi_code((kz_shogi_kind)kind, (kz_shogi_side)side);
    return KZ_SHOGI_FINE;
}

static kz_shogi_defect make_board_move(kz_shogi_position *position, int from, int to, bool promotes) {
    uint8_t code = position->board[from];
    uint8_t taken = position->board[to];
    if (code == KZ_SHOGI_EMPTY || kz_shogi_side_of(code) != position->side || kz_shogi_is_king(taken)) {
        return KZ_SHOGI_ILLEGAL_MOVE;
    }
    kz_shogi_squares targets = kz_shogi_targets(position->board, from);
    if (!kz_shogi_has(&targets, to) || (promotes ? !may_promote(code, from, to) : must_promote(code, to))) {
        return KZ_SHOGI_ILLEGAL_MOVE;
    }
    if (taken != KZ_SHOGI_EMPTY) {
        position->hand[position->side][kz_shogi_kind_of(taken)]++;
    }
    position->board[from] = KZ_SHOGI_EMPTY;
    position->board[to] = (uint8_t)(code | (promotes ? KZ_SHOGI_PROMOTED : 0));
    return KZ_SHOGI_FINE;
}

kz_shogi_defect kz_shogi_make_move(kz_shogi_position *position, kz_shogi_move move) {
    if (move.special != KZ_SHOGI_MOVE || move.from >= KZ_SHOGI_SQUARES + KZ_SHOGI_HAND_KINDS ||
        move.to >= KZ_SHOGI_SQUARES || move.promotes > 1) {
        return KZ_SHOGI_ILLEGAL_MOVE;
    }
    bool drop = move.from >= KZ_SHOGI_SQUARES;
    if (drop && move.promotes) {
        return KZ_SHOGI_ILLEGAL_MOVE;
    }
    kz_shogi_defect defect = drop ? make_drop(position, move.from - (unsigned)KZ_SHOGI_SQUARES, move.to)
                                  : make_board_move(position, move.from, move.to, move.promotes == 1);
    if (defect == KZ_SHOGI_FINE) {
        position->side ^= 1;
    }
    return defect;
}
