/* SPDX-License-Identifier: MIT
 *
 * What a game tells about itself so that its game records can be KIF, the text that shogi programs write. The board has
 * at most 9 files and 9 ranks; moves are written as in USI: "2c2b", "2b2a+", "C*2b". */
#ifndef KZ_CORE_KIF_H
#define KZ_CORE_KIF_H

#include <kanzen/game.h>

enum {
    KZ_KIF_NAMES = 5, /* of a kind of piece */
    KZ_KIF_KINDS = 8  /* at most */
};

typedef struct kz_kif {
    const char *const *titles; /* what 手合割 calls the game; the first one is written. NULL-terminated */
    int files;
    int ranks;
    int kinds;
    const char *const (*kind_names)[KZ_KIF_NAMES]; /* [kinds]; the first name is written. NULL: there are no more */
    /* The letters of the kinds that can be dropped, in the order of the kinds: these are kinds 0, 1, ... */
    const char *drops;
    /* The kind of the own piece on a square, or -1. Files and ranks count from 1, as shogi has them. */
    int (*kind_on)(const kz_position *position, int file, int rank);
} kz_kif;

#endif
