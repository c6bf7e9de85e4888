/* SPDX-License-Identifier: MIT */
#include "games/variants/numbers.h"

#include "games/variants/light.h"
#include "games/variants/small.h"

#include <stdlib.h>
#include <string.h>

struct kz_variant_numbers {
    const kz_variant *variant;
    const kz_variant_index *index;
    kz_variant_small *small; /* NULL: the variant is none for small.h */
    kz_reaches reaches;
    bool plain;        /* the plain functions do all of it */
    bool can_end;      /* a move may end the game at once */
    int prey;          /* the type whose capture ends the game, or -1 */
    bool stuck_counts; /* a position without moves is not always lost */
};

kz_variant_numbers *kz_variant_numbers_new(const kz_variant *v, const kz_variant_index *index) {
    kz_variant_numbers *n = malloc(sizeof *n);
    if (!n) {
        return NULL;
    }
    *n = (kz_variant_numbers){.variant = v, .index = index};
    n->small = index->shares ? kz_variant_small_new(v, index) : NULL;
    if (!kz_reaches_make(v, &n->reaches) || (index->shares && !n->small)) {
        kz_variant_numbers_free(n);
        return NULL;
    }
    n->prey = kz_variant_prey(v);
    n->can_end = v->extinction.on || v->flag_piece >= 0;
    n->stuck_counts = v->stalemate != KZ_LOSS || (v->royal >= 0 && v->checkmate != KZ_LOSS);
    n->plain = n->reaches.twisted || (v->drops && v->double_step && v->en_passant_types && v->pawn >= 0) ||
               (v->must_capture && (v->royal >= 0 || v->flag_piece >= 0)) ||
               (v->pawn_drop_mate_illegal && n->stuck_counts);
    return n;
}

void kz_variant_numbers_free(kz_variant_numbers *n) {
    if (n) {
        kz_reaches_free(&n->reaches);
        kz_variant_small_free(n->small);
        free(n);
    }
}

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

static int compare(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

int kz_variant_distinct(uint64_t *list, int count) {
    enum { FEW = 40 };
    if (count > FEW) {
        qsort(list, (size_t)count, sizeof *list, compare);
    } else {
        for (int i = 1; i < count; i++) {
            uint64_t number = list[i];
            int at = i;
            for (; at > 0 && list[at - 1] > number; at--) {
                list[at] = list[at - 1];
            }
            list[at] = number;
        }
    }
    int left = 0;
    for (int i = 0; i < count; i++) {
        if (i == 0 || list[i] != list[left - 1]) {
            list[left++] = list[i];
        }
    }
    return left;
}

/* A move that is not listed leads to a position with this outcome for the side that is to move there. */
static void add_outcome(kz_sight *sight, kz_outcome outcome, int plies) {
    if (outcome == KZ_DRAW) {
        sight->draws = true;
    } else if (outcome == KZ_WIN) {
        sight->worst = plies > sight->worst ? plies : sight->worst;
    }
}

/* ---- Through the plain functions --------------------------------------------------------------------------------- */

static bool wins_at_once_plainly(const kz_variant *v, const kz_board *b, const kz_move *moves, int count) {
    for (int i = 0; i < count; i++) {
        kz_board next = *b;
        kz_variant_play(v, &next, moves[i]);
        if (kz_variant_ended(v, &next) == KZ_LOSS) {
            return true;
        }
    }
    return false;
}

static kz_outcome stuck(const kz_variant *v, const kz_board *b) {
    return kz_variant_in_check(v, b, b->side) ? v->checkmate : v->stalemate;
}

static int after_plainly(const kz_variant_numbers *n, uint64_t index, uint64_t *list, kz_sight *sight) {
    const kz_variant *v = n->variant;
    kz_board b;
    kz_move moves[KZ_VARIANT_MOVES];
    kz_move replies[KZ_VARIANT_MOVES];
    if (!kz_variant_unrank(n->index, index, &b)) {
        return -1;
    }
    sight->over = kz_variant_ended(v, &b);
    if (sight->over != KZ_UNKNOWN) {
        return 0;
    }
    int count = kz_variant_moves(v, &b, moves);
    if (count == 0) {
        sight->over = stuck(v, &b);
        return 0;
    }
    if (wins_at_once_plainly(v, &b, moves, count)) {
        sight->win = 1;
        return 0;
    }
    int listed = 0;
    for (int i = 0; i < count; i++) {
        kz_board next = b;
        kz_variant_play(v, &next, moves[i]);
        kz_outcome over = kz_variant_ended(v, &next);
        if (over != KZ_UNKNOWN) {
            add_outcome(sight, over, 0);
            continue;
        }
        int reply_count = kz_variant_moves(v, &next, replies);
        over = reply_count ? KZ_UNKNOWN : stuck(v, &next);
        if (over == KZ_WIN || over == KZ_DRAW) {
            add_outcome(sight, over, 0);
        } else if (wins_at_once_plainly(v, &next, replies, reply_count)) {
            add_outcome(sight, KZ_WIN, 1);
        } else {
            list[listed++] = kz_variant_rank(n->index, &next);
        }
    }
    return kz_variant_distinct(list, listed);
}

static int before_plainly(const kz_variant_numbers *n, uint64_t index, uint64_t *list, int room) {
    kz_board b;
    if (!kz_variant_unrank(n->index, index, &b)) {
        return 0;
    }
    kz_position *before = malloc((size_t)room * sizeof *before);
    if (!before) {
        return room + 1;
    }
    int count = kz_variant_before(n->variant, &b, before, room);
    for (int i = 0; i < count; i++) {
        kz_board earlier;
        kz_board_unpack(&before[i], &earlier);
        list[i] = kz_variant_rank(n->index, &earlier);
    }
    free(before);
    return kz_variant_distinct(list, count);
}

/* ---- Rank and unrank --------------------------------------------------------------------------------------------- */

static int turn_piece(int piece) { return ((piece - 1) ^ 1) + 1; }

/* The place of a square among those that are not used. */
static int place_of(int square, const uint8_t *used, int count) {
    int below = 0;
    for (int i = 0; i < count; i++) {
        below += used[i] < square;
    }
    return square - below;
}

/* The number of one image within its piece set; `list` has the squares in the order of the groups. */
static uint64_t rank_image(const kz_variant_index *x, const kz_piece_set *s, const uint8_t *list, int image) {
    const uint8_t *map = x->square[image];
    uint8_t used[KZ_VARIANT_PIECES];
    uint64_t number = 0;
    int at = 0;
    for (int i = 0; i < s->groups; i++) {
        int count = s->group[i].count;
        for (int m = 0; m < count; m++) {
            uint8_t square = map[list[at + m]];
            int to = at + m;
            for (; to > at && used[to - 1] > square; to--) {
                used[to] = used[to - 1];
            }
            used[to] = square;
        }
        uint64_t way = 0;
        if (i == 0 && s->king) {
            way = s->king_place[used[0]];
        } else {
            for (int m = 0; m < count; m++) {
                way += x->choose[place_of(used[at + m], used, at)][m + 1];
            }
        }
        number = number * s->ways[i] + way;
        at += count;
    }
    return number;
}

/* The same where no two pieces are equal. */
static uint64_t rank_singles(const kz_variant_index *x, const kz_piece_set *s, const uint8_t *list, int image) {
    const uint8_t *map = x->square[image];
    uint8_t used[KZ_PIECE_GROUPS];
    uint64_t number = 0;
    for (int i = 0; i < s->groups; i++) {
        int square = map[list[i]];
        int place = square;
        for (int u = 0; u < i; u++) {
            place -= used[u] < square;
        }
        used[i] = (uint8_t)square;
        number = number * s->ways[i] + (uint64_t)(i == 0 && s->king ? s->king_place[square] : place);
    }
    return number;
}

static uint64_t rank_in(const kz_variant_index *x, const kz_piece_set *s, const uint8_t *list) {
    uint64_t lowest = UINT64_MAX;
    unsigned left = s->king ? s->pick[list[0]] : s->pick[0];
    for (; left; left &= left - 1) {
        int image = __builtin_ctz(left);
        uint64_t number = s->men == s->groups ? rank_singles(x, s, list, image) : rank_image(x, s, list, image);
        lowest = number < lowest ? number : lowest;
    }
    return s->begin + lowest;
}

/* The squares in the order of the groups, of the board as the index sees it. */
static void gather(const kz_variant_index *x, const kz_piece_set *s, const kz_light *b, bool turned, uint8_t *list) {
    if (s->men == s->groups) {
        for (uint64_t left = kz_light_occupied(b); left;) {
            int square = kz_next_square(&left);
            int piece = turned ? turn_piece(b->at[square]) : b->at[square];
            list[s->first[piece]] = turned ? x->square[2][square] : (uint8_t)square;
        }
        return;
    }
    uint8_t next[KZ_PIECE_CODES];
    memcpy(next, s->first, sizeof next);
    for (uint64_t left = kz_light_occupied(b); left;) {
        int square = kz_next_square(&left);
        int piece = turned ? turn_piece(b->at[square]) : b->at[square];
        list[next[piece]++] = turned ? x->square[2][square] : (uint8_t)square;
    }
}

static bool is_turned(const kz_variant *v, const kz_light *b) { return v->color_blind && b->side; }

static uint64_t rank(const kz_variant_numbers *n, const kz_piece_set *s, const kz_light *b) {
    uint8_t list[KZ_VARIANT_PIECES];
    gather(n->index, s, b, is_turned(n->variant, b), list);
    return rank_in(n->index, s, list);
}

/* The piece set of a board; NULL: it has none. */
static const kz_piece_set *find_set(const kz_variant_numbers *n, const kz_light *b) {
    const kz_variant_index *x = n->index;
    bool turned = is_turned(n->variant, b);
    uint64_t key = turned ? 0 : b->side * x->random[0];
    for (uint64_t left = kz_light_occupied(b); left;) {
        int piece = b->at[kz_next_square(&left)];
        key += x->random[turned ? turn_piece(piece) : piece];
    }
    for (int color = 0; color < 2 && n->variant->drops; color++) {
        int as = turned ? !color : color;
        for (int i = 0; i < n->variant->hand_types; i++) {
            key += b->hand[color][i] * x->random[KZ_PIECE_CODES + as * KZ_VARIANT_HAND + i];
        }
    }
    int found = kz_variant_find_set(x, key);
    return found >= 0 ? &x->piece_sets[found] : NULL;
}

/* Takes a number apart; false: a hole. */
static bool unrank(const kz_variant_numbers *n, const kz_piece_set *s, uint64_t number, kz_light *b) {
    const kz_variant *v = n->variant;
    const kz_variant_index *x = n->index;
    uint64_t way[KZ_PIECE_GROUPS];
    uint64_t rest = number - s->begin;
    uint8_t list[KZ_VARIANT_PIECES]; /* in the order of the groups */
    uint8_t used[KZ_VARIANT_PIECES]; /* sorted */
    int placed = 0;
    int free = v->squares;
    for (int i = s->groups - 1; i > 0; i--) {
        way[i] = rest % s->ways[i];
        rest /= s->ways[i];
    }
    way[0] = rest;
    memset(b->at, 0, sizeof b->at);
    b->color[0] = b->color[1] = 0;
    memcpy(b->hand, s->what.hand, sizeof b->hand);
    b->side = s->what.side;
    for (int i = 0; i < s->groups; i++) {
        kz_piece_group g = s->group[i];
        int limit = free;
        uint64_t left = way[i];
        for (int m = g.count; m > 0; m--) {
            int square;
            if (i == 0 && s->king) {
                square = s->king_square[left];
            } else {
                int place = limit - 1;
                if (m == 1) {
                    place = (int)left;
                }
                while (x->choose[place][m] > left) {
                    place--;
                }
                left -= x->choose[place][m];
                limit = place;
                square = place;
                for (int u = 0; u < placed && used[u] <= square; u++) {
                    square++;
                }
            }
            if (!(n->reaches.allowed[g.piece] >> square & 1)) {
                return false;
            }
            list[placed + m - 1] = (uint8_t)square;
            kz_light_put(b, square, g.piece);
            if (kz_piece_type_of(g.piece) == n->reaches.chief) {
                b->king[kz_piece_color(g.piece)] = (uint8_t)square;
            }
        }
        for (int m = 0; m < g.count; m++, placed++) {
            int to = placed;
            for (; to > 0 && used[to - 1] > list[placed]; to--) {
                used[to] = used[to - 1];
            }
            used[to] = list[placed];
        }
        free -= g.count;
    }
    if (v->royal >= 0 && (kz_light_attacked(v, &n->reaches, b, b->king[!b->side], b->side) ||
                          (!v->checking && kz_light_attacked(v, &n->reaches, b, b->king[b->side], !b->side)))) {
        return false;
    }
    /* The first of its images? */
    unsigned images = (s->king ? s->pick[list[0]] : s->pick[0]) & ~1U;
    for (; images; images &= images - 1) {
        if (rank_image(x, s, list, __builtin_ctz(images)) < number - s->begin) {
            return false;
        }
    }
    return true;
}

/* Whether the plain functions have to do it: en passant, and more than one king. */
static bool is_odd(const kz_variant_numbers *n, const kz_piece_set *s) {
    int chief = n->reaches.chief;
    return n->plain || s->passing || s->quiet < 0 ||
           (chief >= 0 && (s->what.board[kz_piece(chief, 0)] != 1 || s->what.board[kz_piece(chief, 1)] != 1));
}

/* ---- Forwards ---------------------------------------------------------------------------------------------------- */

static bool in_check(const kz_variant_numbers *n, const kz_light *b, int color) {
    return n->variant->royal >= 0 && kz_light_attacked(n->variant, &n->reaches, b, b->king[color], !color);
}

/* After a move: whether it was legal as far as kings are concerned. */
static bool is_safe(const kz_variant_numbers *n, const kz_light *b) {
    return !in_check(n, b, !b->side) && (n->variant->checking || !in_check(n, b, b->side));
}

static kz_outcome ended_plainly(const kz_variant_numbers *n, const kz_light *b) {
    kz_board board;
    kz_light_to_board(n->variant, b, &board);
    return kz_variant_ended(n->variant, &board);
}

static bool has_flag(const kz_variant_numbers *n, const kz_light *b, int color) {
    const kz_variant *v = n->variant;
    for (uint64_t left = b->color[color] & v->flag_region[color]; left;) {
        int square = kz_next_square(&left);
        int type = kz_piece_type_of(b->at[square]);
        if ((v->flag_piece == KZ_VARIANT_TYPES || type == v->flag_piece) &&
            !(v->flag_safe && kz_light_attacked(v, &n->reaches, b, square, !color))) {
            return true;
        }
    }
    return false;
}

/* What the flags say, as flag_result of rules.c does. */
static kz_outcome flag_result(const kz_variant_numbers *n, const kz_light *b) {
    const kz_variant *v = n->variant;
    if (v->flag_piece < 0) {
        return KZ_UNKNOWN;
    }
    bool theirs = has_flag(n, b, !b->side);
    if (!v->flag_move) {
        return theirs ? KZ_LOSS : v->flag_safe && has_flag(n, b, b->side) ? KZ_WIN : KZ_UNKNOWN;
    }
    return theirs || has_flag(n, b, b->side) ? ended_plainly(n, b) : KZ_UNKNOWN;
}

/* Whether a move changes the material; such moves alone can lead to another piece set than the quiet one. */
static bool changes(const kz_light *b, kz_move move) {
    return (move & (KZ_DROP | KZ_PROMOTES)) != 0 || b->at[kz_move_to(move)];
}

/* After a move: what it leads to. `set` gets the piece set, if the game goes on. */
static kz_outcome result_after(const kz_variant_numbers *n, const kz_light *b, bool changed, const kz_piece_set *quiet,
                               const kz_piece_set **set) {
    *set = changed ? find_set(n, b) : quiet;
    return *set ? flag_result(n, b) : ended_plainly(n, b);
}

/* Whether a piece stands on its flag region, where it wins as soon as nothing attacks it. */
static bool awaits_flag(const kz_variant_numbers *n, const kz_light *b) {
    return n->variant->flag_piece >= 0 && n->variant->flag_safe && n->variant->flag_region[b->side] & b->color[b->side];
}

/* Whether a move might end the game with a win for the side that makes it. */
static bool may_end(const kz_variant_numbers *n, const kz_light *b, kz_move move) {
    const kz_variant *v = n->variant;
    bool flag = v->flag_piece >= 0 && v->flag_region[b->side] >> kz_move_to(move) & 1;
    return flag || awaits_flag(n, b) || (v->extinction.on && n->prey < 0 && changes(b, move));
}

/* Drops come after the pieces: square -1. */
static int next_source(uint64_t *left, bool *drops) {
    if (*left) {
        return kz_next_square(left);
    }
    *drops = false;
    return -1;
}

static bool wins_at_once(const kz_variant_numbers *n, kz_light *b, const kz_piece_set *s) {
    const kz_variant *v = n->variant;
    kz_move moves[KZ_VARIANT_MOVES];
    uint64_t left = b->color[b->side];
    bool drops = v->drops;
    if (n->prey >= 0) {
        if (kz_light_attacked(v, &n->reaches, b, b->king[!b->side], b->side)) {
            return true;
        }
        if (v->flag_piece < 0 ||
            (v->flag_piece == n->prey && !awaits_flag(n, b))) { /* no other piece can end the game, nor a drop */
            left = v->flag_piece < 0 ? 0 : UINT64_C(1) << b->king[b->side];
            drops = false;
        }
    }
    while (n->can_end && (left || drops)) {
        int count = kz_light_list(v, &n->reaches, b, next_source(&left, &drops), moves);
        for (int i = 0; i < count; i++) {
            if (!may_end(n, b, moves[i])) {
                continue;
            }
            kz_undo undo;
            const kz_piece_set *set;
            bool changed = changes(b, moves[i]);
            kz_light_make(v, &n->reaches, b, moves[i], &undo);
            bool wins = is_safe(n, b) && result_after(n, b, changed, &n->index->piece_sets[s->quiet], &set) == KZ_LOSS;
            kz_light_unmake(v, &n->reaches, b, moves[i], &undo);
            if (wins) {
                return true;
            }
        }
    }
    return false;
}

static bool has_move(const kz_variant_numbers *n, kz_light *b) {
    const kz_variant *v = n->variant;
    kz_move moves[KZ_VARIANT_MOVES];
    uint64_t left = b->color[b->side];
    bool drops = v->drops;
    while (left || drops) {
        int count = kz_light_list(v, &n->reaches, b, next_source(&left, &drops), moves);
        for (int i = 0; i < count; i++) {
            kz_undo undo;
            kz_light_make(v, &n->reaches, b, moves[i], &undo);
            bool safe = is_safe(n, b);
            kz_light_unmake(v, &n->reaches, b, moves[i], &undo);
            if (safe) {
                return true;
            }
        }
    }
    return false;
}

/* After the drop of a pawn: whether that is a mate, where it must not be. */
static bool is_drop_mate(const kz_variant_numbers *n, kz_light *b, kz_move move) {
    const kz_variant *v = n->variant;
    return v->pawn_drop_mate_illegal && move & KZ_DROP && v->type[kz_move_type(move)].is_shogi_pawn &&
           in_check(n, b, b->side) && !has_move(n, b);
}

static bool is_capture(const kz_light *b, kz_move move) { return !(move & KZ_DROP) && b->at[kz_move_to(move)]; }

static bool has_capture(const kz_light *b, const kz_move *moves, int count) {
    for (int i = 0; i < count; i++) {
        if (is_capture(b, moves[i])) {
            return true;
        }
    }
    return false;
}

/* After a legal move to a position of piece set `s` where the game goes on: its number, or KZ_NO_NUMBER if it is
 * settled, which `sight` is told. */
static uint64_t number_after(const kz_variant_numbers *n, kz_light *b, const kz_piece_set *s, kz_sight *sight) {
    const kz_variant *v = n->variant;
    if (n->stuck_counts && !has_move(n, b)) {
        kz_outcome over = in_check(n, b, b->side) ? v->checkmate : v->stalemate;
        if (over != KZ_LOSS) {
            add_outcome(sight, over, 0);
            return KZ_NO_NUMBER;
        }
    } else if (n->can_end && wins_at_once(n, b, s)) {
        add_outcome(sight, KZ_WIN, 1);
        return KZ_NO_NUMBER;
    }
    return rank(n, s, b);
}

int kz_variant_numbers_after(const kz_variant_numbers *n, uint64_t index, uint64_t *list, kz_sight *sight) {
    const kz_variant *v = n->variant;
    const kz_piece_set *s = &n->index->piece_sets[kz_variant_set_of(n->index, index)];
    kz_light b;
    kz_move moves[KZ_VARIANT_MOVES];
    if (n->index->shares && index == 0) {
        sight->win = 1;
        return 0;
    }
    if (s->pairs) {
        return kz_variant_small_after(n->small, s, index, list, sight);
    }
    if (is_odd(n, s)) {
        return after_plainly(n, index, list, sight);
    }
    if (!unrank(n, s, index, &b)) {
        return -1;
    }
    sight->over = flag_result(n, &b);
    if (sight->over != KZ_UNKNOWN) {
        return 0;
    }
    if (wins_at_once(n, &b, s)) {
        sight->win = 1;
        return 0;
    }
    int count = 0;
    uint64_t left = b.color[b.side];
    for (bool drops = v->drops; left || drops;) {
        count += kz_light_list(v, &n->reaches, &b, next_source(&left, &drops), moves + count);
    }
    const kz_piece_set *quiet = &n->index->piece_sets[s->quiet];
    bool captures = v->must_capture && has_capture(&b, moves, count);
    bool any = false;
    int listed = 0;
    for (int i = 0; i < count; i++) {
        kz_undo undo;
        const kz_piece_set *set;
        if (captures && !is_capture(&b, moves[i])) {
            continue;
        }
        bool changed = changes(&b, moves[i]);
        kz_light_make(v, &n->reaches, &b, moves[i], &undo);
        if (is_safe(n, &b) && !is_drop_mate(n, &b, moves[i])) {
            kz_outcome over = result_after(n, &b, changed, quiet, &set);
            any = true;
            if (over != KZ_UNKNOWN) {
                add_outcome(sight, over, 0);
            } else {
                uint64_t number = number_after(n, &b, set, sight);
                list[listed] = number;
                listed += number != KZ_NO_NUMBER;
            }
        }
        kz_light_unmake(v, &n->reaches, &b, moves[i], &undo);
    }
    if (!any) {
        sight->over = in_check(n, &b, b.side) ? v->checkmate : v->stalemate;
        return 0;
    }
    return s->images > 1 ? kz_variant_distinct(list, listed) : listed;
}

/* ---- Backwards --------------------------------------------------------------------------------------------------- */

/* A position whose predecessors are listed: the board is changed to each of them in turn. */
typedef struct past {
    const kz_variant_numbers *numbers;
    kz_light board; /* with the side to move of the predecessors */
    const kz_piece_set *quiet;
    uint64_t *list;
    int count;
    int room;
} past;

/* The board is a predecessor now. Without captures to hand, only a quiet move leads back into the same tier. */
static void keep(past *p, bool changed) {
    const kz_variant_numbers *n = p->numbers;
    const kz_piece_set *s = changed ? find_set(n, &p->board) : p->quiet;
    if (s && p->count < p->room) {
        p->list[p->count++] = rank(n, s, &p->board);
    }
}

/* Whether a piece of the side that moved could capture something, in the predecessor that the board is now. */
static bool could_capture(const past *p) {
    const kz_variant_numbers *n = p->numbers;
    kz_move moves[KZ_VARIANT_MOVES];
    for (uint64_t left = p->board.color[p->board.side]; left;) {
        int count = kz_light_list(n->variant, &n->reaches, &p->board, kz_next_square(&left), moves);
        if (has_capture(&p->board, moves, count)) {
            return true;
        }
    }
    return false;
}

/* Whether a step can make `is` of `was`. */
static bool can_become(const kz_variant *v, int color, int was, int is, int from, int to, bool captures) {
    kz_move moves[KZ_VARIANT_TYPES + 2];
    kz_move wanted = kz_step_move(from, to, is) | (was != is ? (kz_move)KZ_PROMOTES : 0);
    int count = kz_light_steps(v, color, was, from, to, captures, moves);
    for (int i = 0; i < count; i++) {
        if (moves[i] == wanted) {
            return true;
        }
    }
    return false;
}

/* The board has nothing on `to`; the piece came from `from`, where it was a `was`. */
static void take_back_quiet(past *p, int from, int to, int was, int is) {
    const kz_variant *v = p->numbers->variant;
    int side = p->board.side;
    if (!can_become(v, side, was, is, from, to, false)) {
        return;
    }
    kz_light_put(&p->board, from, kz_piece(was, side));
    if (!v->must_capture || !could_capture(p)) {
        keep(p, was != is);
    }
    kz_light_take(&p->board, from);
}

static void take_back_capture(past *p, int from, int to, int was, int is) {
    const kz_variant *v = p->numbers->variant;
    kz_light *b = &p->board;
    int side = b->side;
    if (!can_become(v, side, was, is, from, to, true)) {
        return;
    }
    kz_light_put(b, from, kz_piece(was, side));
    for (int i = 0; i < v->hand_types; i++) {
        if (!b->hand[side][i]) {
            continue;
        }
        b->hand[side][i]--;
        for (int type = 0; type < v->types; type++) {
            if (v->type[type].letter && v->type[type].hand == i) {
                kz_light_put(b, to, kz_piece(type, !side));
                keep(p, true);
                kz_light_take(b, to);
            }
        }
        b->hand[side][i]++;
    }
    kz_light_take(b, from);
}

static void take_back(past *p, int to, int was, int is) {
    const kz_variant *v = p->numbers->variant;
    const kz_reaches *r = &p->numbers->reaches;
    int side = p->board.side;
    const kz_reach *reach = &r->back[was][side][to];
    uint64_t occupied = kz_light_occupied(&p->board);
    uint64_t moves = reach->moves & ~occupied;
    uint64_t captures = reach->captures & ~occupied;
    for (uint32_t i = 0; i < reach->paths; i++) {
        const kz_path *path = &r->path[reach->first + i];
        for (int n = 0; n < path->count && !(occupied >> path->square[n] & 1); n++) {
            uint64_t bit = UINT64_C(1) << path->square[n];
            moves |= path->moves ? bit : 0;
            captures |= path->captures ? bit : 0;
        }
    }
    if (was == v->pawn && v->double_step) {
        int ahead = side ? -v->files : v->files;
        int from = to - 2 * ahead;
        if (from >= 0 && from < v->squares && v->double_step_region[side] >> from & 1 && !(occupied >> from & 1) &&
            !(occupied >> (from + ahead) & 1)) {
            moves |= UINT64_C(1) << from;
        }
    }
    while (moves) {
        take_back_quiet(p, kz_next_square(&moves), to, was, is);
    }
    while (v->captures_to_hand && captures) {
        take_back_capture(p, kz_next_square(&captures), to, was, is);
    }
}

/* The piece of that type was dropped on `to`, which is empty now. */
static void take_back_drop(past *p, int to, int type, bool mates) {
    const kz_variant *v = p->numbers->variant;
    kz_light *b = &p->board;
    int side = b->side;
    if (mates || !kz_variant_may_drop(v, b->at, side, type, to)) {
        return;
    }
    b->hand[side][v->type[type].hand]++;
    keep(p, true);
    b->hand[side][v->type[type].hand]--;
}

int kz_variant_numbers_before(const kz_variant_numbers *n, uint64_t index, uint64_t *list, int room) {
    const kz_variant *v = n->variant;
    const kz_piece_set *s = &n->index->piece_sets[kz_variant_set_of(n->index, index)];
    past p = {.numbers = n, .list = list, .room = room};
    if (n->index->shares && index == 0) {
        return 0;
    }
    if (s->pairs) {
        return kz_variant_small_before(n->small, s, index, list, room);
    }
    if (is_odd(n, s)) {
        return before_plainly(n, index, list, room);
    }
    if (!unrank(n, s, index, &p.board)) {
        return 0;
    }
    kz_light after = p.board;
    int side = !after.side;
    p.board.side = (uint8_t)side;
    p.quiet = &n->index->piece_sets[s->quiet];
    for (uint64_t left = after.color[side]; left;) {
        int to = kz_next_square(&left);
        int type = kz_piece_type_of(after.at[to]);
        bool drops = v->drops && v->type[type].hand >= 0 && !v->type[type].promoted;
        bool mates = drops && is_drop_mate(n, &after, kz_step_move(to, to, type) | KZ_DROP);
        kz_light_take(&p.board, to);
        take_back(&p, to, type, type);
        if (v->type[type].promoted) {
            take_back(&p, to, v->type[type].base, type);
        }
        if (drops) {
            take_back_drop(&p, to, type, mates);
        }
        kz_light_put(&p.board, to, after.at[to]);
    }
    return s->images > 1 ? kz_variant_distinct(list, p.count) : p.count;
}
