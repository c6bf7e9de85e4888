/* SPDX-License-Identifier: MIT
 *
 * Boards as numbers, and back. */
#include "games/texts/numbers_parts.h"

#include <string.h>

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
            way = s->king_place[used[0]]; /* NOLINT(clang-analyzer-core.uninitialized.ArraySubscript): one king */
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
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): as many are set as there are groups */
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

uint64_t kz_numbers_passing_size(const kz_variant_index *x, const kz_piece_set *s) {
    return s->passing ? s->size / ((uint64_t)x->variant->files + 1) : s->size;
}

/* `passed` is the square that a pawn has passed, or KZ_NO_SQUARE. */
static uint64_t rank_in(const kz_variant_index *x, const kz_piece_set *s, const uint8_t *list, int passed) {
    uint64_t lowest = UINT64_MAX;
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): the first is set */
    unsigned left = s->king ? s->pick[list[0]] : s->pick[0];
    for (; left; left &= left - 1) {
        int image = __builtin_ctz(left);
        uint64_t number = s->men == s->groups ? rank_singles(x, s, list, image) : rank_image(x, s, list, image);
        if (passed != KZ_NO_SQUARE) {
            number += (1 + (uint64_t)(x->square[image][passed] % x->variant->files)) * kz_numbers_passing_size(x, s);
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

uint64_t kz_numbers_rank(const kz_variant_numbers *n, const kz_piece_set *s, const kz_light *b, int passed) {
    uint8_t list[KZ_VARIANT_PIECES];
    bool turned = is_turned(n->variant, b);
    gather(n->index, s, b, turned, list);
    return rank_in(n->index, s, list, turned && passed != KZ_NO_SQUARE ? n->index->square[2][passed] : passed);
}

const kz_piece_set *kz_numbers_find_set(const kz_variant_numbers *n, const kz_light *b) {
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

bool kz_numbers_set_up(const kz_variant_numbers *n, const kz_piece_set *s, uint64_t rest, kz_light *b, uint8_t *list) {
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

bool kz_numbers_unrank(const kz_variant_numbers *n, const kz_piece_set *s, uint64_t number, kz_light *b) {
    const kz_variant *v = n->variant;
    uint8_t list[KZ_VARIANT_PIECES];
    if (!kz_numbers_set_up(n, s, number - s->begin, b, list)) {
        return false;
    }
    if (v->royal >= 0 && (kz_light_attacked(v, &n->reaches, b, b->king[!b->side], b->side) ||
                          (!v->checking && kz_light_attacked(v, &n->reaches, b, b->king[b->side], !b->side)))) {
        return false;
    }
    /* The first of its images? */
    /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): the first is set */
    unsigned images = (s->king ? s->pick[list[0]] : s->pick[0]) & ~1U;
    for (; images; images &= images - 1) {
        if (rank_image(n->index, s, list, __builtin_ctz(images)) < number - s->begin) {
            return false;
        }
    }
    return true;
}
