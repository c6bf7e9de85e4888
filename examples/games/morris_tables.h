/* SPDX-License-Identifier: MIT
 *
 * What Morris looks up: the boards with their lines and mills, the sets of points with their images, and the spaces and
 * tiers of the index. morris.c says what these are for. */
#ifndef MORRIS_TABLES_H
#define MORRIS_TABLES_H

#include <kanzen/helpers.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 24, MEN = 9, IMAGES = 16, MILLS = 16, PLACED = 2 * MEN + 1, SPACES = 1600, HALF = 12, NEAR = 8192 };
enum { LOST_INDEX, WON_INDEX, FIRST_INDEX, NOWHERE = 31 };

#define NO_SPACE UINT64_MAX

typedef struct board {
    uint32_t own, other;  /* points with men of the side to move, and of the other side */
    uint8_t placed, turn; /* men that were placed by both, until all are; whose turn: 0 white, 1 black */
} board;

/* Positions with as many men as each other. */
typedef struct space {
    uint64_t begin;
    int tier;
    uint8_t own, other, placed;
} space;

/* A set of men and its images. */
typedef struct men_class {
    uint32_t first;  /* the first of these sets */
    uint16_t images; /* those that leave it as it is */
    uint8_t mills;   /* `disjoint` of it */
} men_class;

typedef struct tables {
    int points, men, mills, images, rings;
    bool flies, mill_wins;
    uint32_t mill[MILLS];
    uint32_t neighbours[POINTS];
    uint32_t mates[POINTS][4];   /* the other points of the mills that a point is in; ends with 0 */
    uint32_t closing_in[3][256]; /* by men on 8 points: points that close a mill with two of them */
    uint32_t mills_in[3][256];   /* men that are in mills of these points */
    uint32_t long_mill[MILLS];   /* mills of other points */
    int long_mills;
    uint8_t image[IMAGES][POINTS];
    uint32_t image_of[IMAGES][3][256]; /* of 8 points at a time */

    /* Sets of k points, in the order of kz_rank_set; their numbers by halves; and the class of each. */
    uint32_t *sets[MEN + 1];
    uint32_t low_rank[1 << HALF];
    uint32_t high_rank[HALF + 1][1 << HALF];
    uint64_t choose[POINTS + 1][POINTS + 1];
    uint32_t *class_of[MEN + 1]; /* of a set: 16 times its class, plus the image that leads to the first set of it */
    men_class *class[MEN + 1];
    uint32_t classes[MEN + 1];
    uint8_t *disjoint[MEN + 1]; /* how many mills of a set have no man in common with each other */

    int spaces, tiers;
    space space[SPACES];
    uint16_t space_at[NEAR]; /* by a number's upper bits: the space of the first such number */
    int lower_bits;
    uint64_t begin[PLACED][MEN + 1][MEN + 1]; /* by men placed, own men and others; NO_SPACE: can't occur */
    uint64_t tier_begin[SPACES + 1];
    int tier_of[PLACED][MEN + 1][MEN + 1];

    kz_board_look look;
    kz_square squares[POINTS + 2];
    char labels[POINTS][4];
    uint16_t lines[64][2];
} tables;

static board get(const kz_position *position) {
    board b;
    memcpy(&b, position, sizeof b);
    return b;
}
static void set(kz_position *position, board b) {
    uint8_t bytes[12] = {0};
    memcpy(bytes, &b.own, 4);
    memcpy(bytes + 4, &b.other, 4);
    bytes[8] = b.placed;
    bytes[9] = b.turn;
    memcpy(position, bytes, sizeof bytes);
}
static int count(uint32_t points) { return __builtin_popcount(points); }
static int lowest(uint32_t points) { return __builtin_ctz(points); }

/* ---- The boards -------------------------------------------------------------------------------------------------- */

static const char *const rules[] = {"nine", "six", "three", NULL};

/* Nine and six men's: rings, the outer one first, each clockwise from its upper left corner; odd points are in the
 * middle of a side and have a neighbour in the next ring. */
static void make_rings(tables *t) {
    t->points = 8 * t->rings;
    for (int ring = 0; ring < t->rings; ring++) {
        for (int k = 0; k < 8; k++) {
            int point = 8 * ring + k;
            t->neighbours[point] |= 1U << (8 * ring + (k + 1) % 8) | 1U << (8 * ring + (k + 7) % 8);
            if (k % 2 == 1 && ring > 0) {
                t->neighbours[point] |= 1U << (point - 8);
                t->neighbours[point - 8] |= 1U << point;
            }
            if (k % 2 == 0) {
                t->mill[t->mills++] = 1U << point | 1U << (point + 1) | 1U << (8 * ring + (k + 2) % 8);
            }
            static const int across[8] = {-1, 0, 1, 1, 1, 0, -1, -1};
            static const int down[8] = {-1, -1, -1, 0, 1, 1, 1, 0};
            int x = t->rings + across[k] * (t->rings - ring);
            int y = t->rings + down[k] * (t->rings - ring);
            t->squares[point] = (kz_square){(float)x, (float)y, t->labels[point], KZ_SHAPE_POINT, -1};
            snprintf(t->labels[point], sizeof t->labels[point], "%c%c", 'a' + x, '1' + 2 * t->rings - y);
        }
    }
    for (int k = 1; k < 8 && t->rings == 3; k += 2) {
        t->mill[t->mills++] = 1U << k | 1U << (8 + k) | 1U << (16 + k);
    }
    t->images = 16;
    for (int image = 0; image < 16; image++) {
        for (int point = 0; point < t->points; point++) {
            int ring = image & 8 ? t->rings - 1 - point / 8 : point / 8;
            int k = image & 4 ? 8 - point % 8 : point % 8;
            t->image[image][point] = (uint8_t)(8 * ring + (k + 2 * (image & 3)) % 8);
        }
    }
}

/* Three men's: three rows of three; diagonals are lines, too. */
static void make_rows(tables *t) {
    static const uint32_t mills[] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
    t->points = 9;
    t->mills = 8;
    memcpy(t->mill, mills, sizeof mills);
    for (int point = 0; point < 9; point++) {
        for (int other = 0; other < 9; other++) {
            int across = abs(point % 3 - other % 3);
            int down = abs(point / 3 - other / 3);
            bool near = across + down == 1 || (across == 1 && down == 1 && (point == 4 || other == 4));
            t->neighbours[point] |= near ? 1U << other : 0;
        }
        t->squares[point] = (kz_square){(float)(point % 3), (float)(point / 3), t->labels[point], KZ_SHAPE_POINT, -1};
        snprintf(t->labels[point], sizeof t->labels[point], "%c%c", 'a' + point % 3, '3' - point / 3);
    }
    t->images = 8;
    for (int image = 0; image < 8; image++) {
        for (int point = 0; point < 9; point++) {
            t->image[image][point] = (uint8_t)kz_image_of(point, 3, 3, image);
        }
    }
}

/* Most mills lie on one ring: what men on it close, and which of them are in mills, is looked up. */
static void make_mills(tables *t) {
    for (int i = 0; i < t->mills; i++) {
        for (uint32_t left = t->mill[i]; left; left &= left - 1) {
            uint32_t *mates = t->mates[lowest(left)];
            while (*mates) {
                mates++;
            }
            *mates = t->mill[i] & ~(left & -left);
        }
        int part = lowest(t->mill[i]) / 8;
        uint32_t mill = t->mill[i] >> 8 * part;
        if (mill > 255) {
            t->long_mill[t->long_mills++] = t->mill[i];
            continue;
        }
        for (uint32_t men = 0; men < 256; men++) {
            uint32_t missing = mill & ~men;
            t->closing_in[part][men] |= count(missing) == 1 ? missing << 8 * part : 0;
            t->mills_in[part][men] |= missing ? 0 : mill << 8 * part;
        }
    }
}

static void make_look(tables *t) {
    static const char disc[] = "M50 6a44 44 0 1 0 .1 0z";
    static const kz_piece_look men[] = {{"W", NULL, disc, 0, "white man"}, {"B", NULL, disc, 1, "black man"}};
    int lines = 0;
    for (int a = 0; a < t->points; a++) {
        for (int b = a + 1; b < t->points; b++) {
            if (t->neighbours[a] >> b & 1) {
                t->lines[lines][0] = (uint16_t)a;
                t->lines[lines++][1] = (uint16_t)b;
            }
        }
    }
    float right = t->rings ? (float)(2 * t->rings) : 2;
    t->squares[t->points] = (kz_square){right + 1.5F, right, "white hand", KZ_SHAPE_HAND, 0};
    t->squares[t->points + 1] = (kz_square){right + 1.5F, 0, "black hand", KZ_SHAPE_HAND, 1};
    t->look = (kz_board_look){t->points + 2, t->squares, 2, men, lines, t->lines, {"white", "black"}};
}

/* ---- Sets of points ---------------------------------------------------------------------------------------------- */

static uint32_t image_of(const tables *t, int image, uint32_t points) {
    return t->image_of[image][0][points & 255] | t->image_of[image][1][points >> 8 & 255] |
           t->image_of[image][2][points >> 16 & 255];
}

static uint32_t rank_set(const tables *t, uint32_t points) {
    uint32_t low = points & ((1U << HALF) - 1);
    return t->low_rank[low] + t->high_rank[count(low)][points >> HALF];
}

/* Points close together, as if those of `taken` were not there. */
static uint32_t gather(uint32_t points, uint32_t taken) {
#ifdef __BMI2__
    return __builtin_ia32_pext_si(points, ~taken);
#else
    uint32_t gathered = 0;
    for (; points; points &= points - 1) {
        uint32_t below = (points & -points) - 1;
        gathered |= 1U << (count(below) - count(taken & below));
    }
    return gathered;
#endif
}

static uint32_t spread(const tables *t, uint32_t gathered, uint32_t taken) {
#ifdef __BMI2__
    return __builtin_ia32_pdep_si(gathered, ~taken) & ((1U << t->points) - 1);
#else
    uint32_t points = 0;
    for (uint32_t free = ((1U << t->points) - 1) & ~taken; gathered; free &= free - 1, gathered >>= 1) {
        points |= gathered & 1 ? free & -free : 0;
    }
    return points;
#endif
}

static bool make_sets(tables *t) {
    for (int n = 0; n <= POINTS; n++) {
        for (int k = 0; k <= n; k++) {
            t->choose[n][k] = kz_choose(n, k);
        }
    }
    for (uint32_t half = 0; half < 1U << HALF; half++) {
        t->low_rank[half] = (uint32_t)kz_rank_set(half);
        for (int below = 0; below <= HALF; below++) {
            uint32_t number = 0;
            int k = below;
            for (uint32_t left = half; left; left &= left - 1) {
                number += (uint32_t)kz_choose(HALF + lowest(left), ++k);
            }
            t->high_rank[below][half] = number;
        }
    }
    for (int image = 0; image < t->images; image++) {
        for (int part = 0; part < 3; part++) {
            for (uint32_t points = 0; points < 256; points++) {
                for (uint32_t left = points; left; left &= left - 1) {
                    int point = 8 * part + lowest(left);
                    t->image_of[image][part][points] |= point < t->points ? 1U << t->image[image][point] : 0;
                }
            }
        }
    }
    for (int k = 0; k <= t->men; k++) {
        size_t size = t->choose[t->points][k];
        t->sets[k] = malloc(size * sizeof *t->sets[k]);
        t->class_of[k] = malloc(size * sizeof *t->class_of[k]);
        t->class[k] = malloc(size * sizeof *t->class[k]);
        t->disjoint[k] = calloc(size, 1);
        if (!t->sets[k] || !t->class_of[k] || !t->class[k] || !t->disjoint[k]) {
            return false;
        }
    }
    for (uint32_t points = 0; points < 1U << t->points; points++) { /* in the order of rank_set, for each k */
        int k = count(points);
        if (k <= t->men) {
            t->sets[k][rank_set(t, points)] = points;
        }
    }
    return true;
}

/* How many mills of a set have no man in common with each other: so many moves closed them, and so many men were taken.
 * `from`: the first mill to look at. */
static int disjoint_mills(const tables *t, uint32_t points, int from) {
    int most = 0;
    for (int i = from; i < t->mills; i++) {
        if ((points & t->mill[i]) == t->mill[i]) {
            int with = 1 + disjoint_mills(t, points & ~t->mill[i], i + 1);
            most = with > most ? with : most;
        }
    }
    return most;
}

static void make_classes(tables *t) {
    for (int k = 0; k <= t->men; k++) {
        for (uint32_t number = 0; number < t->choose[t->points][k]; number++) {
            uint32_t points = t->sets[k][number];
            uint32_t first = number;
            t->disjoint[k][number] = (uint8_t)disjoint_mills(t, points, 0);
            int way = 0;
            for (int image = 1; image < t->images; image++) {
                uint32_t there = rank_set(t, image_of(t, image, points));
                way = there < first ? image : way;
                first = there < first ? there : first;
            }
            if (first == number) { /* a new class */
                men_class *class = &t->class[k][t->classes[k]];
                t->class_of[k][number] = 16 * t->classes[k]++;
                *class = (men_class){.first = points, .mills = t->disjoint[k][number]};
                for (int image = 1; image < t->images; image++) {
                    class->images |= (uint16_t)((image_of(t, image, points) == points) << image);
                }
            } else {
                t->class_of[k][number] = (t->class_of[k][first] & ~15U) + (uint32_t)way;
            }
        }
    }
}

/* ---- Spaces and tiers -------------------------------------------------------------------------------------------- */

static uint64_t space_size(const tables *t, int own, int other) {
    return t->classes[own] * t->choose[t->points - own][other];
}

static uint64_t add_space(tables *t, uint64_t begin, int placed, int own, int other) {
    t->space[t->spaces++] = (space){begin, t->tiers, (uint8_t)own, (uint8_t)other, (uint8_t)placed};
    t->begin[placed][own][other] = begin;
    t->tier_of[placed][own][other] = t->tiers;
    return begin + space_size(t, own, other);
}

/* Whether a side can have so many men left of those that it placed: the other side takes its first one with its third
 * man, and then at most one with each. In Three Men's Morris nothing is taken. */
static bool can_have(const tables *t, int men, int placed, int placed_by_other) {
    int taken = placed - men;
    return taken >= 0 && taken <= (t->mill_wins || placed_by_other < 3 ? 0 : placed_by_other - 2);
}

static void make_spaces(tables *t) {
    int all = 2 * t->men;
    memset(t->begin, 255, sizeof t->begin); /* NO_SPACE */
    uint64_t begin = FIRST_INDEX;
    t->tiers = 1; /* tier 0 has the finished games */
    for (int sum = 6; sum <= all; sum++) {
        for (int few = 3; few <= t->men; few++) {
            int many = sum - few;
            if (many < few || many > t->men || (t->mill_wins && sum < all)) {
                continue;
            }
            t->tier_begin[t->tiers] = begin;
            begin = add_space(t, begin, all, few, many);
            if (few != many) {
                begin = add_space(t, begin, all, many, few);
            }
            t->tiers++;
        }
    }
    for (int placed = all - 1; placed >= 0; placed--) {
        int by_mover = placed / 2;
        int by_other = placed - by_mover;
        for (int own = 0; own <= by_mover; own++) {
            for (int other = 0; other <= by_other; other++) {
                if (can_have(t, own, by_mover, by_other) && can_have(t, other, by_other, by_mover)) {
                    t->tier_begin[t->tiers] = begin;
                    begin = add_space(t, begin, placed, own, other);
                    t->tiers++;
                }
            }
        }
    }
    t->tier_begin[t->tiers] = begin;
    while (begin >> t->lower_bits >= NEAR) {
        t->lower_bits++;
    }
    for (int i = 0, s = 0; i < NEAR; i++) {
        while (s + 1 < t->spaces && t->space[s + 1].begin <= (uint64_t)i << t->lower_bits) {
            s++;
        }
        t->space_at[i] = (uint16_t)s;
    }
}

static void close_tables(void *context) {
    tables *t = context;
    for (int k = 0; k <= t->men; k++) {
        free(t->sets[k]);
        free(t->class_of[k]);
        free(t->class[k]);
        free(t->disjoint[k]);
    }
    free(t);
}

static kz_status open_tables(int number, void **context, kz_error *error) {
    tables *t = calloc(1, sizeof *t);
    if (!t) {
        error->status = KZ_ERR_MEMORY;
        return KZ_ERR_MEMORY;
    }
    t->men = number == 0 ? 9 : number == 1 ? 6 : 3;
    t->rings = number == 0 ? 3 : number == 1 ? 2 : 0;
    t->flies = number == 0;
    t->mill_wins = number == 2;
    (t->rings ? make_rings : make_rows)(t);
    make_mills(t);
    make_look(t);
    if (!make_sets(t)) {
        close_tables(t);
        error->status = KZ_ERR_MEMORY;
        return KZ_ERR_MEMORY;
    }
    make_classes(t);
    make_spaces(t);
    *context = t;
    return KZ_OK;
}

#endif
