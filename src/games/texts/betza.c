/* SPDX-License-Identifier: MIT
 *
 * Betza notation: how a piece moves, in letters. An atom is a step (W one square straight, F one diagonally, N a
 * knight's leap, ...), letters before it choose directions and whether it moves or captures, a number or a doubled
 * letter after it makes it a ride. */
#include "games/texts/variant.h"

#include <string.h>

typedef struct atom {
    char letter;
    int x; /* the larger one is y: a knight is (1, 2) */
    int y;
} atom;

static const atom atoms[] = {{'W', 0, 1}, {'F', 1, 1}, {'D', 0, 2}, {'N', 1, 2}, {'A', 2, 2},
                             {'H', 0, 3}, {'C', 1, 3}, {'Z', 2, 3}, {'G', 3, 3}};

/* Letters that stand for several atoms, each with unlimited steps or one. */
typedef struct compound {
    char letter;
    const char *atoms;
    int limit;
} compound;

static const compound compounds[] = {{'K', "WF", 1}, {'R', "W", 0}, {'B', "F", 0}, {'Q', "WF", 0}, {'M', "WF", 1}};

static const atom *find_atom(char letter) {
    for (size_t i = 0; i < sizeof atoms / sizeof atoms[0]; i++) {
        if (atoms[i].letter == letter) {
            return &atoms[i];
        }
    }
    return NULL;
}

static const compound *find_compound(char letter) {
    for (size_t i = 0; i < sizeof compounds / sizeof compounds[0]; i++) {
        if (compounds[i].letter == letter) {
            return &compounds[i];
        }
    }
    return NULL;
}

/* What stands before an atom. */
typedef struct modifiers {
    bool moves;
    bool captures;
    char directions[8];
    size_t count;
} modifiers;

/* A direction letter, alone, and for a step straight ahead or aside or along a diagonal. */
static bool letter_allows(char letter, int file, int rank) {
    switch (letter) {
    case 'f':
        return rank > 0;
    case 'b':
        return rank < 0;
    case 'l':
        return file < 0;
    case 'r':
        return file > 0;
    case 'v':
        return rank != 0;
    case 's':
        return file != 0;
    default:
        return false;
    }
}

static int absolute(int number) { return number < 0 ? -number : number; }

/* Of a leap that is not straight and not diagonal, the direction is the longer of its two parts. */
static bool oblique_allows(char letter, int file, int rank) {
    bool longer = letter == 'f' || letter == 'b' || letter == 'v' ? absolute(rank) > absolute(file)
                                                                  : absolute(file) > absolute(rank);
    return longer && letter_allows(letter, file, rank);
}

static bool is_vertical(char letter) { return letter == 'f' || letter == 'b'; }
static bool is_sideways(char letter) { return letter == 'l' || letter == 'r'; }

/* Whether the directions allow a step. Two letters side by side, one forwards or back and one left or right, mean both
 * at once for a diagonal step; for an oblique leap "fs" and the like mean half of the forward ones. */
static bool allows(const modifiers *m, int file, int rank) {
    if (m->count == 0) {
        return true;
    }
    bool straight = file == 0 || rank == 0;
    bool diagonal = absolute(file) == absolute(rank);
    bool any = false;
    for (size_t i = 0; i < m->count; i++) {
        char letter = m->directions[i];
        char next = i + 1 < m->count ? m->directions[i + 1] : '\0';
        bool both =
            !straight && ((is_vertical(letter) && is_sideways(next)) || (is_sideways(letter) && is_vertical(next)));
        if (diagonal && both) {
            any = any || (letter_allows(letter, file, rank) && letter_allows(next, file, rank));
            i++;
        } else if (!straight && !diagonal) {
            bool wide = is_vertical(letter) && next == 's';
            bool half = is_vertical(letter) && next == 'h';
            bool narrow = letter == next;
            if (wide || half || both) {
                any = any || (letter_allows(letter, file, rank) && (half || (wide && absolute(file) > absolute(rank)) ||
                                                                    (both && letter_allows(next, file, rank))));
                i++;
            } else {
                any = any || oblique_allows(letter, file, rank);
                i += narrow;
            }
        } else {
            any = any || letter_allows(letter, file, rank);
        }
    }
    return any;
}

static const char *add_ray(kz_piece_type *type, int file, int rank, int limit, const modifiers *m) {
    for (int i = 0; i < type->rays; i++) {
        kz_ray *ray = &type->ray[i];
        if (ray->file == file && ray->rank == rank && ray->limit == limit) {
            ray->moves = ray->moves || m->moves;
            ray->captures = ray->captures || m->captures;
            return NULL;
        }
    }
    if (type->rays == KZ_VARIANT_RAYS) {
        return "the piece has too many different moves";
    }
    type->ray[type->rays++] = (kz_ray){(int8_t)file, (int8_t)rank, (uint8_t)limit, m->moves, m->captures};
    return NULL;
}

static const char *add_atom(kz_piece_type *type, const atom *a, int limit, const modifiers *m) {
    const char *problem = NULL;
    for (int swap = 0; swap < (a->x == a->y ? 1 : 2) && !problem; swap++) {
        int file = swap ? a->y : a->x;
        int rank = swap ? a->x : a->y;
        for (int sign = 0; sign < 4 && !problem; sign++) {
            int signed_file = sign & 1 ? -file : file;
            int signed_rank = sign & 2 ? -rank : rank;
            bool twice = (file == 0 && sign & 1) || (rank == 0 && sign & 2);
            if (!twice && allows(m, signed_file, signed_rank)) {
                problem = add_ray(type, signed_file, signed_rank, limit, m);
            }
        }
    }
    return problem;
}

static const char *add_move(kz_piece_type *type, char letter, int limit, const modifiers *m) {
    const compound *several = find_compound(letter);
    if (!several) {
        return add_atom(type, find_atom(letter), limit < 0 ? 1 : limit, m);
    }
    const char *problem = NULL;
    for (const char *one = several->atoms; *one && !problem; one++) {
        problem = add_atom(type, find_atom(*one), limit < 0 ? several->limit : limit, m);
    }
    return problem;
}

const char *kz_betza_parse(const char *text, size_t length, kz_piece_type *type, size_t *at) {
    size_t i = 0;
    type->rays = 0;
    while (i < length) {
        modifiers m = {.count = 0};
        *at = i;
        for (; i < length && text[i] >= 'a' && text[i] <= 'z'; i++) {
            *at = i;
            if (text[i] == 'm' || text[i] == 'c') {
                *(text[i] == 'm' ? &m.moves : &m.captures) = true;
            } else if (strchr("fblrvsh", text[i])) {
                if (m.count == sizeof m.directions) {
                    return "too many directions before an atom";
                }
                m.directions[m.count++] = text[i];
            } else {
                return "this modifier is not supported: only m, c, f, b, l, r, v, s, h are";
            }
        }
        if (!m.moves && !m.captures) {
            m.moves = m.captures = true;
        }
        *at = i;
        if (i == length || (!find_atom(text[i]) && !find_compound(text[i]))) {
            return "an atom is expected here: W F D N A H C Z G, or K R B Q M";
        }
        char letter = text[i++];
        int limit = -1;
        if (i < length && text[i] == letter) {
            limit = 0;
            i++;
        } else if (i < length && text[i] >= '0' && text[i] <= '9') {
            limit = text[i++] - '0';
        }
        const char *problem = add_move(type, letter, limit, &m);
        if (problem) {
            return problem;
        }
    }
    return NULL;
}
