/* SPDX-License-Identifier: MIT
 *
 * The rules of a variant: attacks, moves, results. */
#include "games/texts/variant.h"

#include <stddef.h>
#include <string.h>

/* ---- Positions --------------------------------------------------------------------------------------------------- */

/* How a board lies in a kz_position: occupied squares as bits, their pieces in order, hands, the side to move, the
 * square that a pawn passed. Unused bytes are zero, so equal positions have equal bytes. */
typedef struct packed {
    uint64_t occupied;
    uint8_t piece[KZ_VARIANT_PIECES];
    uint8_t hand[2][KZ_VARIANT_HAND];
    uint8_t side;
    uint8_t en_passant; /* 1 + the square; 0: none */
} packed;

#define PACKED_BYTES (offsetof(packed, en_passant) + 1)
_Static_assert(PACKED_BYTES <= KZ_GAME_BYTES, "a position must fit");

void kz_board_unpack(const kz_position *position, kz_board *board) {
    packed p;
    memcpy(&p, position, PACKED_BYTES);
    memset(board->at, 0, sizeof board->at);
    int count = 0;
    board->occupied = p.occupied;
    for (uint64_t left = p.occupied; left && count < KZ_VARIANT_PIECES;) {
        board->at[kz_next_square(&left)] = p.piece[count++];
    }
    memcpy(board->hand, p.hand, sizeof board->hand);
    board->side = p.side;
    board->en_passant = p.en_passant ? (uint8_t)(p.en_passant - 1) : KZ_NO_SQUARE;
}

void kz_board_pack(const kz_board *board, kz_position *position) {
    packed p = {.occupied = 0};
    int count = 0;
    p.occupied = board->occupied;
    for (uint64_t left = board->occupied; left && count < KZ_VARIANT_PIECES;) {
        p.piece[count++] = board->at[kz_next_square(&left)];
    }
    memcpy(p.hand, board->hand, sizeof p.hand);
    p.side = board->side;
    p.en_passant = board->en_passant == KZ_NO_SQUARE ? 0 : (uint8_t)(board->en_passant + 1);
    memset(position, 0, KZ_GAME_BYTES); /* the last bytes are not ours */
    memcpy(position, &p, PACKED_BYTES);
}

/* ---- Attacks ----------------------------------------------------------------------------------------------------- */

static bool has(uint64_t region, int square) { return region >> square & 1; }

/* A step from a square; -1 if it leads off the board. */
static int step(const kz_variant *v, int square, const kz_ray *ray, int color) {
    int file = square % v->files + ray->file;
    int rank = square / v->files + (color ? -ray->rank : ray->rank);
    return file >= 0 && file < v->files && rank >= 0 && rank < v->ranks ? rank * v->files + file : -1;
}

static bool piece_attacks(const kz_variant *v, const kz_board *b, int from, int target) {
    int piece = b->at[from];
    int color = kz_piece_color(piece);
    const kz_piece_type *type = &v->type[kz_piece_type_of(piece)];
    if (!has(v->reach[kz_piece_type_of(piece)][color][from], target)) {
        return false;
    }
    for (int i = 0; i < type->rays; i++) {
        const kz_ray *ray = &type->ray[i];
        if (!ray->captures) {
            continue;
        }
        int square = step(v, from, ray, color);
        for (int n = 1; square >= 0; n++) {
            if (square == target) {
                return true;
            }
            if (b->at[square] || n == ray->limit) {
                break;
            }
            square = step(v, square, ray, color);
        }
    }
    return false;
}

bool kz_variant_attacked(const kz_variant *v, const kz_board *b, int square, int by) {
    for (uint64_t left = b->occupied; left;) {
        int from = kz_next_square(&left);
        if (kz_piece_color(b->at[from]) == by && piece_attacks(v, b, from, square)) {
            return true;
        }
    }
    return false;
}

bool kz_variant_in_check(const kz_variant *v, const kz_board *b, int color) {
    if (v->royal < 0) {
        return false;
    }
    int king = kz_piece(v->royal, color);
    for (uint64_t left = b->occupied; left;) {
        int square = kz_next_square(&left);
        if (b->at[square] == king && kz_variant_attacked(v, b, square, !color)) {
            return true;
        }
    }
    return false;
}

/* ---- Playing ----------------------------------------------------------------------------------------------------- */

/* Which square a capture en passant empties; -1: the move is none. */
static int passed_pawn(const kz_variant *v, const kz_board *b, int from, int to) {
    if (b->en_passant != to || v->pawn < 0 || b->at[to] || from % v->files == to % v->files) {
        return -1;
    }
    if (!(v->en_passant_types >> kz_piece_type_of(b->at[from]) & 1)) {
        return -1;
    }
    return to + (b->side == KZ_WHITE ? -v->files : v->files);
}

static void capture(const kz_variant *v, kz_board *b, int square) {
    int piece = b->at[square];
    kz_board_put(b, square, 0);
    if (piece && v->captures_to_hand) {
        int hand = v->type[kz_piece_type_of(piece)].hand;
        if (hand >= 0) {
            b->hand[b->side][hand]++;
        }
    }
}

void kz_variant_play(const kz_variant *v, kz_board *b, kz_move move) {
    int to = kz_move_to(move);
    int type = kz_move_type(move);
    int passed = KZ_NO_SQUARE;
    if (move & KZ_DROP) {
        b->hand[b->side][v->type[type].hand]--;
    } else {
        int from = kz_move_from(move);
        int pawn = passed_pawn(v, b, from, to);
        capture(v, b, pawn >= 0 ? pawn : to);
        if (v->double_step && kz_piece_type_of(b->at[from]) == v->pawn &&
            (to - from == 2 * v->files || from - to == 2 * v->files)) {
            passed = (from + to) / 2;
        }
        kz_board_put(b, from, 0);
    }
    kz_board_put(b, to, kz_piece(type, b->side));
    b->side = !b->side;
    b->en_passant = KZ_NO_SQUARE;
    if (passed != KZ_NO_SQUARE) {
        /* The square counts only if a pawn stands ready to capture there: otherwise the position is the same as
         * without. */
        for (uint64_t left = b->occupied; left;) {
            int from = kz_next_square(&left);
            int piece = b->at[from];
            if (kz_piece_color(piece) == b->side && v->en_passant_types >> kz_piece_type_of(piece) & 1 &&
                piece_attacks(v, b, from, passed)) {
                b->en_passant = (uint8_t)passed;
            }
        }
    }
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

typedef struct list {
    kz_move *moves;
    int count;
} list;

static void add_move(list *l, kz_move move) {
    if (l->count < KZ_VARIANT_MOVES) {
        l->moves[l->count++] = move;
    }
}

/* Adds a move of a piece with all that it may become. */
static void add_step(const kz_variant *v, const kz_board *b, int from, int to, list *l) {
    int type = kz_piece_type_of(b->at[from]);
    int color = b->side;
    bool captures = b->at[to] != 0;
    if (v->promotion_pawns >> type & 1 && has(v->promotion_region[color], to)) {
        for (int i = 0; i < v->types; i++) {
            if (v->promotion_pieces >> i & 1) {
                add_move(l, kz_step_move(from, to, i) | KZ_PROMOTES);
            }
        }
        if (v->mandatory_pawn_promotion && v->promotion_pieces) {
            return;
        }
    }
    int promoted = v->type[type].promotes_to;
    bool zone = promoted >= 0 && (has(v->promotion_region[color], from) || has(v->promotion_region[color], to)) &&
                (!v->promotion_on_capture || captures);
    if (zone) {
        add_move(l, kz_step_move(from, to, promoted) | KZ_PROMOTES);
    }
    if ((!zone || !v->mandatory_piece_promotion) && (!v->immobile_illegal || has(v->mobile[type][color], to))) {
        add_move(l, kz_step_move(from, to, type));
    }
}

static void list_piece(const kz_variant *v, const kz_board *b, int from, list *l) {
    int color = b->side;
    int piece = b->at[from];
    int type = kz_piece_type_of(piece);
    for (int i = 0; i < v->type[type].rays; i++) {
        const kz_ray *ray = &v->type[type].ray[i];
        int square = step(v, from, ray, color);
        for (int n = 1; square >= 0; n++) {
            int other = b->at[square];
            if (other ? ray->captures && kz_piece_color(other) != color
                      : ray->moves || (ray->captures && passed_pawn(v, b, from, square) >= 0)) {
                add_step(v, b, from, square, l);
            }
            if (other || n == ray->limit) {
                break;
            }
            square = step(v, square, ray, color);
        }
    }
    if (type == v->pawn && v->double_step && has(v->double_step_region[color], from)) {
        int ahead = color ? -v->files : v->files;
        int to = from + 2 * ahead;
        if (to >= 0 && to < v->squares && !b->at[from + ahead] && !b->at[to]) {
            add_step(v, b, from, to, l);
        }
    }
}

bool kz_variant_may_drop(const kz_variant *v, const uint8_t *at, int color, int type, int to) {
    if (!has(v->drop_region[color], to) || (v->immobile_illegal && !has(v->mobile[type][color], to))) {
        return false;
    }
    if (type == v->pawn) {
        int rank = color ? v->ranks - 1 - to / v->files : to / v->files;
        if ((rank == 0 && !v->first_rank_pawn_drops) ||
            (has(v->promotion_region[color], to) && !v->promotion_zone_pawn_drops)) {
            return false;
        }
    }
    if (type == v->no_doubled) {
        int same = 0;
        for (int square = to % v->files; square < v->squares; square += v->files) {
            same += at[square] == kz_piece(type, color);
        }
        return same < v->no_doubled_count;
    }
    return true;
}

static void list_drops(const kz_variant *v, const kz_board *b, int to, list *l) {
    for (int i = 0; i < v->hand_types && !b->at[to]; i++) {
        if (b->hand[b->side][i] && kz_variant_may_drop(v, b->at, b->side, v->hand_type[i], to)) {
            add_move(l, (kz_step_move(to, to, v->hand_type[i])) | KZ_DROP);
        }
    }
}

static bool is_capture(const kz_variant *v, const kz_board *b, kz_move move) {
    return !(move & KZ_DROP) &&
           (b->at[kz_move_to(move)] || passed_pawn(v, b, kz_move_from(move), kz_move_to(move)) >= 0);
}

static int list_legal(const kz_variant *v, const kz_board *b, kz_move *moves, bool drop_mates);

/* A pawn that is dropped to give mate. */
static bool drops_mate(const kz_variant *v, const kz_board *b, kz_move move) {
    if (!(move & KZ_DROP) || !v->type[kz_move_type(move)].is_shogi_pawn) {
        return false;
    }
    kz_board after = *b;
    kz_variant_play(v, &after, move);
    kz_move replies[KZ_VARIANT_MOVES];
    return kz_variant_in_check(v, &after, after.side) && list_legal(v, &after, replies, true) == 0;
}

/* Whether a move leaves no king in check that must not be. */
static bool is_safe(const kz_variant *v, const kz_board *b, kz_move move) {
    if (v->royal < 0) {
        return true;
    }
    kz_board after = *b;
    kz_variant_play(v, &after, move);
    return !kz_variant_in_check(v, &after, b->side) && (v->checking || !kz_variant_in_check(v, &after, after.side));
}

static int keep_captures(const kz_variant *v, const kz_board *b, kz_move *moves, int count) {
    int captures = 0;
    for (int i = 0; i < count; i++) {
        captures += is_capture(v, b, moves[i]);
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (!captures || is_capture(v, b, moves[i])) {
            moves[kept++] = moves[i];
        }
    }
    return kept;
}

/* `drop_mates`: a pawn may be dropped to give mate; asked for when only the existence of a move matters. */
static int list_legal(const kz_variant *v, const kz_board *b, kz_move *moves, bool drop_mates) {
    list l = {moves, 0};
    for (uint64_t left = b->occupied; left;) {
        int square = kz_next_square(&left);
        if (kz_piece_color(b->at[square]) == b->side) {
            list_piece(v, b, square, &l);
        }
    }
    for (int square = 0; v->drops && square < v->squares; square++) {
        list_drops(v, b, square, &l);
    }
    int count = 0;
    for (int i = 0; i < l.count; i++) {
        bool mates = v->pawn_drop_mate_illegal && !drop_mates && drops_mate(v, b, moves[i]);
        if (is_safe(v, b, moves[i]) && !mates) {
            moves[count++] = moves[i];
        }
    }
    return v->must_capture ? keep_captures(v, b, moves, count) : count;
}

int kz_variant_moves(const kz_variant *v, const kz_board *b, kz_move *moves) { return list_legal(v, b, moves, false); }

bool kz_variant_is_legal(const kz_variant *v, const kz_board *b, kz_move move) {
    kz_move moves[KZ_VARIANT_MOVES];
    list l = {moves, 0};
    if (v->must_capture) { /* other moves matter */
        l.count = kz_variant_moves(v, b, moves);
    } else if (move & KZ_DROP) {
        list_drops(v, b, kz_move_to(move), &l);
    } else {
        list_piece(v, b, kz_move_from(move), &l);
    }
    for (int i = 0; i < l.count; i++) {
        if (moves[i] == move) {
            return v->must_capture || (is_safe(v, b, move) && !(v->pawn_drop_mate_illegal && drops_mate(v, b, move)));
        }
    }
    return false;
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

static int count_pieces(const kz_variant *v, const kz_board *b, int color, int type, bool all) {
    int count = 0;
    for (uint64_t left = b->occupied; left;) {
        int piece = b->at[kz_next_square(&left)];
        count += kz_piece_color(piece) == color && (all || v->type[kz_piece_type_of(piece)].base == type);
    }
    for (int i = 0; i < v->hand_types; i++) {
        count += all || v->hand_type[i] == type ? b->hand[color][i] : 0;
    }
    return count;
}

static bool is_extinct(const kz_variant *v, const kz_board *b, int color, int type) {
    const kz_extinction *e = &v->extinction;
    return count_pieces(v, b, color, type, type < 0) <= e->count &&
           count_pieces(v, b, !color, type, type < 0) >= e->opponent_count + (e->claim && color == b->side);
}

static kz_outcome opposite(kz_outcome outcome) {
    return outcome == KZ_WIN ? KZ_LOSS : outcome == KZ_LOSS ? KZ_WIN : outcome;
}

kz_outcome kz_variant_extinct(const kz_variant *v, const kz_board *b) {
    for (int turn = 0; v->extinction.on && turn < 2; turn++) {
        int color = turn ? b->side : !b->side;
        bool extinct = v->extinction.all && is_extinct(v, b, color, -1);
        for (int type = 0; !extinct && type < v->types; type++) {
            extinct = v->extinction.types >> type & 1 && is_extinct(v, b, color, type);
        }
        if (extinct) {
            return color == b->side ? v->extinction.value : opposite(v->extinction.value);
        }
    }
    return KZ_UNKNOWN;
}

/* Whether a side has a piece on its flag region; with flag_safe, one that is not attacked. */
static bool reached_flag(const kz_variant *v, const kz_board *b, int color) {
    for (uint64_t left = b->occupied & v->flag_region[color]; left;) {
        int square = kz_next_square(&left);
        int piece = b->at[square];
        if (kz_piece_color(piece) == color &&
            (v->flag_piece == KZ_VARIANT_TYPES || kz_piece_type_of(piece) == v->flag_piece) &&
            !(v->flag_safe && kz_variant_attacked(v, b, square, !color))) {
            return true;
        }
    }
    return false;
}

/* Whether the side to move can still reach its flag with this move. */
static bool can_reach_flag(const kz_variant *v, const kz_board *b) {
    kz_move moves[KZ_VARIANT_MOVES];
    int count = kz_variant_moves(v, b, moves);
    for (int i = 0; i < count; i++) {
        if (!(moves[i] & KZ_DROP) && kz_move_type(moves[i]) == v->flag_piece &&
            has(v->flag_region[b->side], kz_move_to(moves[i]))) {
            return true;
        }
    }
    return false;
}

/* Without flag_move, whoever gets there has won. With it the flag counts when its side is to move again; if both are
 * there then, white's turn finds a draw. A royal flag piece wins at once, but black may follow with one more move. */
static kz_outcome flag_result(const kz_variant *v, const kz_board *b) {
    bool theirs = reached_flag(v, b, !b->side);
    if (!v->flag_move) {
        return theirs ? KZ_LOSS : v->flag_safe && reached_flag(v, b, b->side) ? KZ_WIN : KZ_UNKNOWN;
    }
    if (reached_flag(v, b, b->side)) {
        return theirs && b->side == KZ_WHITE ? KZ_DRAW : KZ_WIN;
    }
    if (theirs && v->flag_piece == v->royal) {
        return b->side == KZ_BLACK && can_reach_flag(v, b) ? KZ_UNKNOWN : KZ_LOSS;
    }
    return KZ_UNKNOWN;
}

kz_outcome kz_variant_ended(const kz_variant *v, const kz_board *b) {
    kz_outcome result = kz_variant_extinct(v, b);
    return result == KZ_UNKNOWN && v->flag_piece >= 0 ? flag_result(v, b) : result;
}

kz_outcome kz_variant_result(const kz_variant *v, const kz_board *b) {
    kz_move moves[KZ_VARIANT_MOVES];
    kz_outcome result = kz_variant_ended(v, b);
    if (result != KZ_UNKNOWN || kz_variant_moves(v, b, moves) > 0) {
        return result;
    }
    return kz_variant_in_check(v, b, b->side) ? v->checkmate : v->stalemate;
}

/* ---- Backwards --------------------------------------------------------------------------------------------------- */

/* Where candidates for predecessors go. */
typedef struct past {
    const kz_variant *variant;
    const kz_board *after;
    kz_position goal;
    kz_position *before;
    int count;
    int room;
} past;

/* Keeps a board if the move is legal there and leads to where the search began. */
static void keep(past *p, const kz_board *before, kz_move move) {
    const kz_variant *v = p->variant;
    if ((v->royal >= 0 && kz_variant_in_check(v, before, !before->side)) || !kz_variant_is_legal(v, before, move)) {
        return;
    }
    kz_board played = *before;
    kz_position goal;
    kz_variant_play(v, &played, move);
    kz_board_pack(&played, &goal);
    if (memcmp(&goal, &p->goal, KZ_GAME_BYTES) == 0 && p->count < p->room) {
        p->before[p->count] = (kz_position){{0}};
        kz_board_pack(before, &p->before[p->count++]);
    }
}

/* Takes a piece back from `to` to `from`, as the type `was`, with every piece that it may have captured. Captures to a
 * hand lie in it; other captures change the material and belong to another tier. */
static void take_back(past *p, int from, int to, int was, int is) {
    const kz_variant *v = p->variant;
    kz_board before = *p->after;
    int color = !p->after->side;
    kz_move move = kz_step_move(from, to, is) | (was != is ? (kz_move)KZ_PROMOTES : 0);
    before.side = (uint8_t)color;
    kz_board_put(&before, to, 0);
    kz_board_put(&before, from, kz_piece(was, color));
    before.en_passant = KZ_NO_SQUARE;
    keep(p, &before, move);
    for (int i = 0; v->captures_to_hand && i < v->hand_types; i++) {
        if (!p->after->hand[color][i]) {
            continue;
        }
        before.hand[color][i]--;
        for (int type = 0; type < v->types; type++) {
            if (v->type[type].letter && v->type[type].hand == i) {
                kz_board_put(&before, to, kz_piece(type, !color));
                keep(p, &before, move);
            }
        }
        before.hand[color][i]++;
        kz_board_put(&before, to, 0);
    }
    /* The opponent's pawn may have been to take en passant, and was not taken. */
    if (v->pawn >= 0 && v->double_step && v->en_passant_types) {
        for (int square = 0; square < v->squares; square++) {
            int behind = square + (color == KZ_WHITE ? -v->files : v->files);
            int start = square + (color == KZ_WHITE ? v->files : -v->files);
            if (behind < 0 || behind >= v->squares || start < 0 || start >= v->squares || before.at[square] ||
                before.at[behind] != kz_piece(v->pawn, !color) || before.at[start] ||
                !has(v->double_step_region[!color], start)) {
                continue;
            }
            for (int pawn = 0; pawn < v->squares; pawn++) {
                int piece = before.at[pawn];
                if (piece && kz_piece_color(piece) == color && v->en_passant_types >> kz_piece_type_of(piece) & 1 &&
                    piece_attacks(v, &before, pawn, square)) {
                    before.en_passant = (uint8_t)square;
                    keep(p, &before, move);
                    before.en_passant = KZ_NO_SQUARE;
                    break;
                }
            }
        }
    }
}

static void take_back_from(past *p, int to, int was, int is) {
    const kz_variant *v = p->variant;
    int color = !p->after->side;
    for (int i = 0; i < v->type[was].rays; i++) {
        /* Back along the ray: over empty squares only. */
        kz_ray back = v->type[was].ray[i];
        back.file = (int8_t)-back.file;
        back.rank = (int8_t)-back.rank;
        int square = step(v, to, &back, color);
        for (int n = 1; square >= 0 && !p->after->at[square]; n++) {
            take_back(p, square, to, was, is);
            if (n == back.limit) {
                break;
            }
            square = step(v, square, &back, color);
        }
    }
    if (was == v->pawn && v->double_step) {
        int from = to + 2 * (color ? v->files : -v->files);
        if (from >= 0 && from < v->squares && !p->after->at[from]) {
            take_back(p, from, to, was, is);
        }
    }
}

int kz_variant_before(const kz_variant *v, const kz_board *after, kz_position *before, int room) {
    past p = {.variant = v, .after = after, .before = before, .room = room};
    int color = !after->side;
    kz_board_pack(after, &p.goal);
    for (uint64_t left = after->occupied; left;) {
        int square = kz_next_square(&left);
        int piece = after->at[square];
        if (kz_piece_color(piece) != color) {
            continue;
        }
        int type = kz_piece_type_of(piece);
        take_back_from(&p, square, type, type);
        if (v->type[type].promoted) {
            take_back_from(&p, square, v->type[type].base, type);
        }
        if (v->type[type].hand >= 0 && v->drops && !v->type[type].promoted) {
            kz_board lifted = *after;
            lifted.side = (uint8_t)color;
            kz_board_put(&lifted, square, 0);
            lifted.hand[color][v->type[type].hand]++;
            lifted.en_passant = KZ_NO_SQUARE;
            keep(&p, &lifted, kz_step_move(square, square, type) | KZ_DROP);
        }
    }
    return p.count;
}
