/* SPDX-License-Identifier: MIT
 *
 * Help for those who define a game in C (kanzen/define.h): numbers for positions, and the images of a board. All of it
 * is compiled into the game, so a game need not be linked with the library.
 *
 * A number for a position is made of parts: how the equal pieces lie on the free squares (kz_rank_set), what is in the
 * hands (a mixed number, kz_join), whose turn it is. docs/add-a-game.md shows it. */
#ifndef KANZEN_HELPERS_H
#define KANZEN_HELPERS_H

#include <kanzen/define.h>
#include <stdarg.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fills in an error with KZ_ERR_INPUT and a sentence, and returns that status: for `parse` and `open`. */
__attribute__((format(printf, 2, 3))) static inline kz_status kz_reject(kz_error *error, const char *format, ...) {
    if (error) {
        va_list arguments;
        error->status = KZ_ERR_INPUT;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return KZ_ERR_INPUT;
}

/* ---- Numbers made of parts --------------------------------------------------------------------------------------- */

/* Joins a part to a number: part 0 to size - 1. Split takes the last part that was joined off again. */
static inline uint64_t kz_join(uint64_t number, uint64_t part, uint64_t size) { return number * size + part; }
static inline uint64_t kz_split(uint64_t *number, uint64_t size) {
    uint64_t part = *number % size;
    *number /= size;
    return part;
}

/* How many sets of k things there are among n; 0 if k > n. n is at most 64; the result must fit into 64 bits, as it
 * does for n up to 61, and for all n if k is at most 23. */
static inline uint64_t kz_choose(int n, int k) {
    if (k < 0 || k > n) {
        return 0;
    }
    if (k > n - k) {
        k = n - k;
    }
    uint64_t sets = 1;
    for (int i = 1; i <= k; i++) {
        /* Divides before it multiplies where it can, so that nothing between is larger than the result. */
        uint64_t factor = (uint64_t)n - (uint64_t)k + (uint64_t)i;
        uint64_t divisor = (uint64_t)i;
        uint64_t a = sets;
        uint64_t b = divisor;
        while (b) {
            uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        sets = sets / a * (factor / (divisor / a));
    }
    return sets;
}

/* The number of a set of squares among all sets of so many squares: bit i of `squares` stands for square i. Sets are
 * ordered by their highest square, then by the next one, and so on; so the numbers of the sets on the first n squares
 * are 0 to kz_choose(n, how many) - 1, whatever n is. */
static inline uint64_t kz_rank_set(uint64_t squares) {
    uint64_t number = 0;
    for (int k = 1; squares; k++) {
        number += kz_choose(__builtin_ctzll(squares), k);
        squares &= squares - 1;
    }
    return number;
}

/* The set of `count` squares with that number. */
static inline uint64_t kz_unrank_set(uint64_t number, int count) {
    uint64_t squares = 0;
    int square = 63;
    for (int k = count; k > 0; k--) {
        while (square >= k && kz_choose(square, k) > number) {
            square--;
        }
        square = square < k - 1 ? k - 1 : square;
        number -= kz_choose(square, k);
        squares |= (uint64_t)1 << square;
        square--;
    }
    return squares;
}

/* Squares that are left when those of `taken` are gone: moves the squares of a set, none of which is taken, close
 * together, so that kz_rank_set counts free squares only. kz_spread is the way back. */
static inline uint64_t kz_gather(uint64_t squares, uint64_t taken) {
    uint64_t gathered = 0;
    for (; squares; squares &= squares - 1) {
        uint64_t below = (squares & -squares) - 1;
        gathered |= (uint64_t)1 << (__builtin_popcountll(below) - __builtin_popcountll(taken & below));
    }
    return gathered;
}
static inline uint64_t kz_spread(uint64_t gathered, uint64_t taken) {
    uint64_t squares = 0;
    int rank = 0;
    for (int square = 0; square < 64 && gathered >> rank; square++) {
        if (!(taken >> square & 1)) {
            squares |= (gathered >> rank & 1) << square;
            rank++;
            if (rank == 64) {
                break;
            }
        }
    }
    return squares;
}

/* ---- Hands ------------------------------------------------------------------------------------------------------- */

/* In how many ways `total` equal pieces can be shared by two hands and, as the rest, the board: the first has a, the
 * second b, a + b at most `total`. Numbers of ways are 0 to kz_hands(total) - 1. */
static inline uint64_t kz_hands(int total) { return (uint64_t)(total + 1) * (uint64_t)(total + 2) / 2; }
static inline uint64_t kz_rank_hands(int first, int second) {
    int both = first + second;
    return (uint64_t)both * (uint64_t)(both + 1) / 2 + (uint64_t)first;
}
static inline void kz_unrank_hands(uint64_t number, int *first, int *second) {
    int both = 0;
    while ((uint64_t)(both + 1) * (uint64_t)(both + 2) / 2 <= number) {
        both++;
    }
    *first = (int)(number - (uint64_t)both * (uint64_t)(both + 1) / 2);
    *second = both - *first;
}

/* ---- Images of rectangular boards -------------------------------------------------------------------------------- */

/* The images of a board of `width` x `height` squares, square = row * width + column: 0 the board itself, 1 left and
 * right exchanged, 2 top and bottom exchanged, 3 both (half a turn); and on a square board 4 rows and columns
 * exchanged, and 5 to 7 with what 1 to 3 do afterwards. */
static inline int kz_images(int width, int height) { return width == height ? 8 : 4; }

/* Where a square goes. */
static inline int kz_image_of(int square, int width, int height, int image) {
    int row = square / width;
    int column = square % width;
    if (image & 4) {
        int other = row;
        row = column;
        column = other;
    }
    column = image & 1 ? width - 1 - column : column;
    row = image & 2 ? height - 1 - row : row;
    return row * width + column;
}

/* The image that takes an image back. */
static inline int kz_image_back(int image) { return image == 5 ? 6 : image == 6 ? 5 : image; }

/* A set of squares, each where it goes. */
static inline uint64_t kz_image_of_set(uint64_t squares, int width, int height, int image) {
    uint64_t there = 0;
    for (; squares; squares &= squares - 1) {
        there |= (uint64_t)1 << kz_image_of(__builtin_ctzll(squares), width, height, image);
    }
    return there;
}

#ifdef __cplusplus
}
#endif
#endif
