/* SPDX-License-Identifier: MIT
 *
 * Positions as numbers, and back: the definition. numbers.h does the same faster. */
#include "games/texts/index_parts.h"

#include <string.h>

/* Upside down with colours exchanged, so that white is to move. */
static void turn_board(const kz_variant *v, kz_board *b) {
    kz_board t = {.side = !b->side, .en_passant = KZ_NO_SQUARE};
    for (uint64_t left = b->occupied; left;) {
        int square = kz_next_square(&left);
        kz_board_put(&t, kz_index_take_square(v, 2, square), kz_index_turn_piece(b->at[square]));
    }
    memcpy(t.hand[0], b->hand[1], sizeof t.hand[0]);
    memcpy(t.hand[1], b->hand[0], sizeof t.hand[1]);
    if (b->en_passant != KZ_NO_SQUARE) {
        t.en_passant = (uint8_t)kz_index_take_square(v, 2, b->en_passant);
    }
    *b = t;
}

/* The number of one image of a board within its piece set. */
static uint64_t rank_image(const kz_variant_index *x, const kz_piece_set *s, const uint8_t squares[],
                           const uint8_t *first, int passed, int image) {
    uint64_t used = 0;
    uint64_t number = 0;
    const uint8_t *map = x->square[image];
    if (s->passing) {
        number = passed == KZ_NO_SQUARE ? 0 : 1 + (uint64_t)(map[passed] % x->variant->files);
    }
    int free = x->variant->squares;
    for (int i = 0; i < s->groups; i++) {
        int count = s->group[i].count;
        uint8_t sorted[KZ_VARIANT_PIECES] = {0};
        for (int n = 0; n < count; n++) {
            uint8_t square = map[squares[first[s->group[i].piece] + n]];
            int at = n;
            for (; at > 0 && sorted[at - 1] > square; at--) {
                sorted[at] = sorted[at - 1];
            }
            sorted[at] = square;
        }
        if (s->pairs && i < 2) { /* both kings are one number, which `rank_in` has asked for */
            number = i == 0 ? s->pairs->number[sorted[0]][map[squares[first[s->group[1].piece]]]] : number;
        } else if (i == 0 && s->king) {
            number = number * (uint64_t)s->king_places + s->king_place[sorted[0]];
        } else {
            uint64_t way = 0;
            for (int n = 0; n < count; n++) {
                int below = __builtin_popcountll(used & ((UINT64_C(1) << sorted[n]) - 1));
                way += x->choose[sorted[n] - below][n + 1];
            }
            number = number * x->choose[free][count] + way;
        }
        for (int n = 0; n < count; n++) {
            used |= UINT64_C(1) << sorted[n];
        }
        free -= count;
    }
    return number;
}

/* The lowest number among the images; `lowest_image` of those that are tried. */
static uint64_t rank_in(const kz_variant_index *x, const kz_piece_set *s, const kz_board *b) {
    uint8_t squares[KZ_VARIANT_SQUARES];
    uint8_t first[KZ_PIECE_CODES];
    uint8_t filled[KZ_PIECE_CODES];
    int next = 0;
    for (int i = 0; i < s->groups; i++) {
        first[s->group[i].piece] = filled[s->group[i].piece] = (uint8_t)next;
        next += s->group[i].count;
    }
    for (uint64_t left = b->occupied; left;) {
        int square = kz_next_square(&left);
        squares[filled[b->at[square]]++] = (uint8_t)square;
    }
    uint64_t lowest = UINT64_MAX;
    for (int i = 0; i < s->images; i++) {
        int image = s->image[i];
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): both kings are there */
        if (s->pairs && !(s->pairs->pick[squares[0]][squares[1]] >> image & 1)) {
            continue;
        }
        if (s->king && s->king_place[x->square[image][squares[first[s->king]]]] == 255) {
            continue;
        }
        uint64_t number = rank_image(x, s, squares, first, b->en_passant, image);
        lowest = number < lowest ? number : lowest;
    }
    return lowest;
}

static bool is_decided_by_kings(const kz_variant_index *x, const kz_board *b) {
    int square[2] = {0, 0};
    for (uint64_t left = b->occupied; left;) {
        int at = kz_next_square(&left);
        if (kz_piece_type_of(b->at[at]) == x->king) {
            square[kz_piece_color(b->at[at])] = at;
        }
    }
    return kz_index_is_decided(x, square[0], square[1]);
}

uint64_t kz_variant_rank(const kz_variant_index *x, const kz_board *board) {
    kz_board b = *board;
    if (x->variant->color_blind && b.side) {
        turn_board(x->variant, &b);
    }
    int found = kz_variant_find_set(x, kz_index_key_of_board(x, &b));
    if (found >= 0 && x->piece_sets[found].pairs && is_decided_by_kings(x, &b)) {
        return kz_variant_ended(x->variant, &b) == KZ_UNKNOWN ? 0 : KZ_NO_NUMBER;
    }
    return found < 0 ? KZ_NO_NUMBER : x->piece_sets[found].begin + rank_in(x, &x->piece_sets[found], &b);
}

int kz_variant_set_of(const kz_variant_index *x, uint64_t number) {
    if (number >= x->size) {
        return x->count - 1;
    }
    uint32_t set = x->chunks[number >> x->chunk_bits];
    while (x->begins[set + 1] <= number) {
        set++;
    }
    return (int)set;
}

/* Puts the pieces of a group on the squares that a number stands for. */
static void place_group(const kz_variant_index *x, int free, kz_piece_group g, uint64_t way, uint64_t *used,
                        kz_board *b) {
    uint64_t chosen = 0; /* among the free squares */
    for (int n = g.count, limit = free; n > 0; n--) {
        int at = limit - 1;
        while (x->choose[at][n] > way) {
            at--;
        }
        way -= x->choose[at][n];
        chosen |= UINT64_C(1) << at;
        limit = at;
    }
    uint64_t before = *used;
    int place = 0;
    for (int square = 0; square < x->variant->squares; square++) {
        if (before >> square & 1) {
            continue;
        }
        if (chosen >> place & 1) {
            kz_board_put(b, square, g.piece);
            *used |= UINT64_C(1) << square;
        }
        place++;
    }
}

/* Whether a pawn may just have passed that square. */
static bool may_have_passed(const kz_variant *v, const kz_board *b) {
    int side = b->side;
    int square = b->en_passant;
    int pawn = square + (side == KZ_WHITE ? -v->files : v->files);
    int start = square + (side == KZ_WHITE ? v->files : -v->files);
    if (b->at[square] || pawn < 0 || pawn >= v->squares || start < 0 || start >= v->squares || b->at[start] ||
        b->at[pawn] != kz_piece(v->pawn, !side) || !(v->double_step_region[!side] >> start & 1)) {
        return false;
    }
    for (int apart = -1; apart <= 1; apart += 2) {
        int file = square % v->files + apart;
        int from = pawn / v->files * v->files + file;
        if (file >= 0 && file < v->files && b->at[from] && kz_piece_color(b->at[from]) == side &&
            v->en_passant_types >> kz_piece_type_of(b->at[from]) & 1) {
            return true;
        }
    }
    return false;
}

bool kz_variant_may_stand(const kz_variant *v, int type, int color, int square) {
    if (v->odd_start) {
        return true;
    }
    bool made = v->type[type].promoted || v->promotion_pieces >> type & 1; /* a promotion may put it anywhere */
    bool stuck = v->immobile_illegal && !made && !(v->mobile[type][color] >> square & 1) && v->type[type].rays;
    bool promoted = v->promotion_pawns >> type & 1 && v->mandatory_pawn_promotion && v->promotion_pieces &&
                    v->promotion_region[color] >> square & 1 && !v->drops;
    int rank = color ? v->ranks - 1 - square / v->files : square / v->files;
    return !stuck && !promoted && !(type == v->pawn && rank == 0 && !v->drops);
}

bool kz_variant_can_occur(const kz_variant *v, const kz_board *b) {
    for (uint64_t left = b->occupied; left;) {
        int square = kz_next_square(&left);
        int piece = b->at[square];
        if (!kz_variant_may_stand(v, kz_piece_type_of(piece), kz_piece_color(piece), square)) {
            return false;
        }
    }
    if (b->en_passant != KZ_NO_SQUARE && !may_have_passed(v, b)) {
        return false;
    }
    return !kz_variant_in_check(v, b, !b->side) && (v->checking || !kz_variant_in_check(v, b, b->side));
}

bool kz_variant_unrank(const kz_variant_index *x, uint64_t number, kz_board *b) {
    const kz_variant *v = x->variant;
    const kz_piece_set *s = &x->piece_sets[kz_variant_set_of(x, number)];
    if (x->shares && number == 0) {
        *b = x->shared;
        return true;
    }
    uint64_t rest = number - s->begin;
    uint64_t way[KZ_PIECE_GROUPS];
    int free[KZ_PIECE_GROUPS];
    int left = v->squares;
    for (int i = 0; i < s->groups; i++) {
        free[i] = left;
        left -= s->group[i].count;
    }
    for (int i = s->groups - 1; i >= 0; i--) {
        uint64_t ways = s->ways[i];
        way[i] = rest % ways;
        rest /= ways;
    }
    *b = (kz_board){.side = s->what.side, .en_passant = KZ_NO_SQUARE};
    memcpy(b->hand, s->what.hand, sizeof b->hand);
    uint64_t used = 0;
    for (int i = 0; i < s->groups; i++) {
        if (s->pairs && i < 2) {
            int square = i == 0 ? s->pairs->own[way[0]] : s->pairs->enemy[way[0]];
            kz_board_put(b, square, s->group[i].piece);
            used |= UINT64_C(1) << square;
        } else if (i == 0 && s->king) {
            kz_board_put(b, s->king_square[way[0]], s->group[0].piece);
            used |= UINT64_C(1) << s->king_square[way[0]];
        } else {
            place_group(x, free[i], s->group[i], way[i], &used, b);
        }
    }
    if (rest) { /* a pawn has passed: black's, since white is to move, or white's if the index keeps sides apart */
        int rank = b->side == KZ_WHITE ? v->ranks - 3 : 2;
        b->en_passant = (uint8_t)(rank * v->files + (int)rest - 1);
    }
    if (!kz_variant_can_occur(v, b)) {
        return false;
    }
    return s->images == 1 || rank_in(x, s, b) == number - s->begin;
}
