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
    bool can_win;      /* a move may win at once */
    int prey;          /* the type whose capture ends the game, or -1 */
    bool stuck_counts; /* a position without moves is not always lost */
};

/* Whether a move can end the game as a win for who makes it. Where a side wins by having no pieces, only the opponent's
 * moves take them. */
static bool may_win_by_move(const kz_variant *v) {
    const kz_extinction *e = &v->extinction;
    bool by_loss = e->on && e->value == KZ_WIN && e->all && !e->types && !e->claim;
    return v->flag_piece >= 0 || (e->on && !by_loss);
}

/* Whether en passant is more than what a pawn does to a pawn by a single step, or comes with drops. */
static bool has_odd_passing(const kz_variant *v, const kz_reaches *r) {
    bool passing = v->pawn >= 0 && v->double_step && v->en_passant_types;
    return passing && (v->drops || v->captures_to_hand || v->en_passant_types != UINT32_C(1) << v->pawn ||
                       r->between[v->pawn][0] || r->between[v->pawn][1]);
}

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
    n->can_win = may_win_by_move(v);
    n->stuck_counts = v->stalemate != KZ_LOSS || (v->royal >= 0 && v->checkmate != KZ_LOSS);
    n->plain = n->reaches.twisted || has_odd_passing(v, &n->reaches) ||
               (v->must_capture && (v->royal >= 0 || v->flag_piece >= 0 || v->immobile_illegal)) ||
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

/* After a move to a position where the game goes on: its number, or KZ_NO_NUMBER if it is settled, which `sight` is
 * told. */
static uint64_t number_after_plainly(const kz_variant_numbers *n, const kz_board *next, kz_sight *sight) {
    const kz_variant *v = n->variant;
    kz_move replies[KZ_VARIANT_MOVES];
    int count = kz_variant_moves(v, next, replies);
    kz_outcome over = count ? KZ_UNKNOWN : stuck(v, next);
    if (over == KZ_WIN || over == KZ_DRAW) {
        add_outcome(sight, over, 0);
        return KZ_NO_NUMBER;
    }
    if (wins_at_once_plainly(v, next, replies, count)) {
        add_outcome(sight, KZ_WIN, 1);
        return KZ_NO_NUMBER;
    }
    return kz_variant_rank(n->index, next);
}

static int after_plainly(const kz_variant_numbers *n, uint64_t index, uint64_t *list, kz_sight *sight) {
    const kz_variant *v = n->variant;
    kz_board b;
    kz_move moves[KZ_VARIANT_MOVES];
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
        uint64_t number = number_after_plainly(n, &next, sight);
        list[listed] = number;
        listed += number != KZ_NO_NUMBER;
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

/* How many numbers of a piece set have the same file of a pawn that has passed. */
static uint64_t passing_size(const kz_variant_index *x, const kz_piece_set *s) {
    return s->passing ? s->size / ((uint64_t)x->variant->files + 1) : s->size;
}

/* `passed` is the square that a pawn has passed, or KZ_NO_SQUARE. */
static uint64_t rank_in(const kz_variant_index *x, const kz_piece_set *s, const uint8_t *list, int passed) {
    uint64_t lowest = UINT64_MAX;
    unsigned left = s->king ? s->pick[list[0]] : s->pick[0];
    for (; left; left &= left - 1) {
        int image = __builtin_ctz(left);
        uint64_t number = s->men == s->groups ? rank_singles(x, s, list, image) : rank_image(x, s, list, image);
        if (passed != KZ_NO_SQUARE) {
            number += (1 + (uint64_t)(x->square[image][passed] % x->variant->files)) * passing_size(x, s);
        }
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

static uint64_t rank(const kz_variant_numbers *n, const kz_piece_set *s, const kz_light *b, int passed) {
    uint8_t list[KZ_VARIANT_PIECES];
    bool turned = is_turned(n->variant, b);
    gather(n->index, s, b, turned, list);
    return rank_in(n->index, s, list, turned && passed != KZ_NO_SQUARE ? n->index->square[2][passed] : passed);
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

/* Puts the pieces of a number on a board; `passed` is left out of it. `list` gets the squares in the order of the
 * groups. False: a hole. */
static bool set_up(const kz_variant_numbers *n, const kz_piece_set *s, uint64_t rest, kz_light *b, uint8_t *list) {
    const kz_variant *v = n->variant;
    const kz_variant_index *x = n->index;
    uint64_t way[KZ_PIECE_GROUPS];
    uint8_t used[KZ_VARIANT_PIECES]; /* sorted */
    int placed = 0;
    int free = v->squares;
    for (int i = s->groups - 1; i > 0; i--) {
        way[i] = kz_variant_split(s, i, &rest);
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
    return true;
}

/* Takes a number apart in which no pawn has just passed; false: a hole. */
static bool unrank(const kz_variant_numbers *n, const kz_piece_set *s, uint64_t number, kz_light *b) {
    const kz_variant *v = n->variant;
    uint8_t list[KZ_VARIANT_PIECES];
    if (!set_up(n, s, number - s->begin, b, list)) {
        return false;
    }
    if (v->royal >= 0 && (kz_light_attacked(v, &n->reaches, b, b->king[!b->side], b->side) ||
                          (!v->checking && kz_light_attacked(v, &n->reaches, b, b->king[b->side], !b->side)))) {
        return false;
    }
    /* The first of its images? */
    unsigned images = (s->king ? s->pick[list[0]] : s->pick[0]) & ~1U;
    for (; images; images &= images - 1) {
        if (rank_image(n->index, s, list, __builtin_ctz(images)) < number - s->begin) {
            return false;
        }
    }
    return true;
}

/* The first square of a pawn that has passed `square`, and the one where it stands now; -1: off the board. */
typedef struct passage {
    int start;
    int end;
} passage;

static passage passage_of(const kz_variant *v, int square, int color) {
    int ahead = color ? -v->files : v->files;
    int start = square - ahead;
    int end = square + ahead;
    bool inside = start >= 0 && start < v->squares && end >= 0 && end < v->squares;
    return inside ? (passage){start, end} : (passage){-1, -1};
}

/* Whether a pawn of `color` may just have passed `square`, as far as that pawn is concerned. */
static bool may_have_passed(const kz_variant *v, const kz_light *b, int square, int color) {
    passage way = passage_of(v, square, color);
    return way.start >= 0 && b->at[way.end] == kz_piece(v->pawn, color) && !b->at[square] && !b->at[way.start] &&
           v->double_step_region[color] >> way.start & 1;
}

/* Whether a pawn of a side can capture on `square` a pawn that has passed it. */
static bool is_passing_met(const kz_variant *v, const kz_light *b, int square, int by) {
    for (uint64_t left = b->color[by]; left;) {
        int from = kz_next_square(&left);
        if (b->at[from] == kz_piece(v->pawn, by) && v->reach[v->pawn][by][from] >> square & 1) {
            return true;
        }
    }
    return false;
}

/* What takes care of a number. */
typedef enum route { HOLE, FAST, PLAIN } route;

/* A number with a pawn that has just passed: nearly all are holes, because no pawn stands there. */
static route route_of_passing(const kz_variant_numbers *n, const kz_piece_set *s, uint64_t number) {
    const kz_variant *v = n->variant;
    uint64_t size = passing_size(n->index, s);
    int file = (int)((number - s->begin) / size) - 1;
    int square = (s->what.side == KZ_WHITE ? v->ranks - 3 : 2) * v->files + file;
    kz_light b;
    uint8_t list[KZ_VARIANT_PIECES];
    bool possible = set_up(n, s, (number - s->begin) % size, &b, list) && may_have_passed(v, &b, square, !b.side);
    return possible && is_passing_met(v, &b, square, b.side) ? PLAIN : HOLE;
}

/* The plain functions do what is rare: a pawn that has just passed, and more than one king. */
static route route_of(const kz_variant_numbers *n, const kz_piece_set *s, uint64_t number) {
    int chief = n->reaches.chief;
    bool odd = n->plain || s->quiet < 0 ||
               (chief >= 0 && (s->what.board[kz_piece(chief, 0)] != 1 || s->what.board[kz_piece(chief, 1)] != 1));
    if (odd) {
        return PLAIN;
    }
    return s->passing && number - s->begin >= passing_size(n->index, s) ? route_of_passing(n, s, number) : FAST;
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
    while (n->can_win && (left || drops)) {
        int count = kz_light_list(v, &n->reaches, b, next_source(&left, &drops), UINT64_MAX, moves);
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
        int from = next_source(&left, &drops);
        if (from >= 0 && v->royal < 0 && !v->immobile_illegal) {
            if (kz_light_targets(v, &n->reaches, b, from)) {
                return true;
            }
            continue;
        }
        int count = kz_light_list(v, &n->reaches, b, from, UINT64_MAX, moves);
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
    } else if (n->can_win && wins_at_once(n, b, s)) {
        add_outcome(sight, KZ_WIN, 1);
        return KZ_NO_NUMBER;
    }
    return rank(n, s, b, KZ_NO_SQUARE);
}

/* After a move: the square that a pawn has just passed, if another one can capture it there; else KZ_NO_SQUARE. */
static int passed_by(const kz_variant *v, const kz_light *b, kz_move move) {
    int from = kz_move_from(move);
    int to = kz_move_to(move);
    bool far = from - to == 2 * v->files || to - from == 2 * v->files;
    int middle = (from + to) / 2;
    return far && b->at[to] == kz_piece(v->pawn, !b->side) && is_passing_met(v, b, middle, b->side) ? middle
                                                                                                    : KZ_NO_SQUARE;
}

/* The same where a pawn has just passed a square. */
static uint64_t number_after_passing(const kz_variant_numbers *n, const kz_light *b, int passed, kz_sight *sight) {
    kz_board board;
    kz_light_to_board(n->variant, b, &board);
    board.en_passant = (uint8_t)passed;
    return number_after_plainly(n, &board, sight);
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
    route by = route_of(n, s, index);
    if (by == PLAIN) {
        return after_plainly(n, index, list, sight);
    }
    if (by == HOLE || !unrank(n, s, index, &b)) {
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
    bool captures = v->must_capture && kz_light_can_capture(v, &n->reaches, &b);
    for (bool drops = v->drops && !captures; left || drops;) {
        count += kz_light_list(v, &n->reaches, &b, next_source(&left, &drops), captures ? b.color[!b.side] : UINT64_MAX,
                               moves + count);
    }
    const kz_piece_set *quiet = &n->index->piece_sets[s->quiet];
    bool any = false;
    int listed = 0;
    for (int i = 0; i < count; i++) {
        kz_undo undo;
        const kz_piece_set *set;
        bool changed = changes(&b, moves[i]);
        kz_light_make(v, &n->reaches, &b, moves[i], &undo);
        if (is_safe(n, &b) && !is_drop_mate(n, &b, moves[i])) {
            kz_outcome over = result_after(n, &b, changed, quiet, &set);
            any = true;
            if (over != KZ_UNKNOWN) {
                add_outcome(sight, over, 0);
            } else {
                int passed = set->passing ? passed_by(v, &b, moves[i]) : KZ_NO_SQUARE;
                uint64_t number = passed == KZ_NO_SQUARE ? number_after(n, &b, set, sight)
                                                         : number_after_passing(n, &b, passed, sight);
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
        p->list[p->count++] = rank(n, s, &p->board, KZ_NO_SQUARE);
    }
}

/* The same where a pawn of the other side had just passed, and was not captured. A capture would have been forced where
 * captures are. */
static void keep_passing(past *p, int to, int was) {
    const kz_variant *v = p->numbers->variant;
    int side = p->board.side;
    for (uint64_t left = v->must_capture ? 0 : p->board.color[!side]; left;) {
        int square = kz_next_square(&left) + (side ? -v->files : v->files); /* behind that pawn */
        if (square >= 0 && square < v->squares && may_have_passed(v, &p->board, square, !side) &&
            is_passing_met(v, &p->board, square, side) && !(was == v->pawn && to == square) && p->count < p->room) {
            p->list[p->count++] = rank(p->numbers, p->quiet, &p->board, square);
        }
    }
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
    if (!v->must_capture || !kz_light_can_capture(v, &p->numbers->reaches, &p->board)) {
        keep(p, was != is);
        if (p->quiet->passing && was == is) {
            keep_passing(p, to, was);
        }
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
        uint64_t end;
        uint64_t free = kz_path_free(path, occupied, &end);
        moves |= path->moves ? free : 0;
        captures |= path->captures ? free : 0;
    }
    if (was == v->pawn && v->double_step) {
        int ahead = side ? -v->files : v->files;
        int from = to - 2 * ahead;
        if (from >= 0 && from < v->squares && v->double_step_region[side] >> from & 1 && !(occupied >> from & 1) &&
            !(occupied >> (from + ahead) & 1) &&
            !(p->quiet->passing && is_passing_met(v, &p->board, from + ahead, !side))) {
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
    route by = route_of(n, s, index);
    if (by == PLAIN) {
        return before_plainly(n, index, list, room);
    }
    if (by == HOLE || !unrank(n, s, index, &p.board)) {
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
